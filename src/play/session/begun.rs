//! Games that begin where a scenario does: what it sets up and plays before its first `expect` is their beginning, and nothing goes
//! back before it.

use super::Session;
use crate::model::scenario::titled;
use crate::play::error::PlayError;
use crate::play::game::Game;
use crate::play::save::{Header, SaveFile};
use crate::play::scenario::position;
use std::path::Path;
use std::sync::Arc;

impl Session {
    /// Starts a game in the position of the scenario of this title, and a save file if a path is given. The game was loaded with the
    /// scenario's options. Unless it is said who sits on the seats, people do.
    ///
    /// # Errors
    /// [`PlayError`] if there is no such scenario, its position cannot be set up or is for another number of seats, or the save cannot
    /// be made.
    pub fn at_scenario(
        game: &Arc<Game>,
        title: &str,
        seats: Option<Vec<String>>,
        save: Option<&Path>,
    ) -> Result<Session, PlayError> {
        let session = Session::positioned(game, title)?;
        let seats = seats.unwrap_or_else(|| session.header.seats.clone());
        let header = Header { seats, ..session.header.clone() };
        let mut session = session.headed(header)?;
        if let Some(path) = save {
            session.save = Some(SaveFile::create(path, &session.header)?);
        }
        Ok(session)
    }

    /// A game of this header, which says in which scenario it begins.
    pub(super) fn begin_there(game: &Arc<Game>, header: Header) -> Result<Session, PlayError> {
        Session::positioned(game, header.scenario.as_deref().unwrap_or_default())?.headed(header)
    }

    fn positioned(game: &Arc<Game>, title: &str) -> Result<Session, PlayError> {
        let missing = || PlayError::Finding(format!("the scenario \"{title}\", in which it begins, is not there"));
        let mut session = position(game, titled(&game.scenarios, title).ok_or_else(missing)?)?;
        session.header.scenario = Some(title.to_owned());
        session.decisions.clear();
        session.changes.iter_mut().for_each(|(decision, _)| *decision = 0);
        session.kept = vec![(0, session.state.clone(), session.turn.clone())];
        Ok(session)
    }

    fn headed(self, header: Header) -> Result<Session, PlayError> {
        let (there, here) = (self.header.seats.len(), header.seats.len());
        if there != here {
            let title = header.scenario.unwrap_or_default();
            return Err(PlayError::Usage(format!("the scenario \"{title}\" is for {there} players, not {here}")));
        }
        Ok(Session { header, ..self })
    }
}
