//! Saved games: decisions are left out. Those that are not legal any more are passed over.

use super::{Watch, smallest};
use crate::engine::{GameError, Status};
use crate::play::error::PlayError;
use crate::play::game::Game;
use crate::play::record::result;
use crate::play::save::Saved;
use crate::play::session::{Session, Setup};
use std::path::Path;
use std::sync::Arc;

/// Options that are tried at the end of a game for one that fails.
const TRIED: usize = 256;

/// What a game shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Shown {
    /// These words stand in the log, in how the game ends, or in an error.
    Words(String),
    /// A decision fails, or is not legal.
    Fails {
        /// Its key.
        key: String,
        /// What is wrong with it, in words.
        error: String,
        /// What tells this mistake from others.
        same: String,
    },
}

/// The decisions that are left of a save, and what they show. Without words, that a decision of the save fails, or an option at its end.
///
/// # Errors
/// [`PlayError::Finding`] if it does not show that.
pub fn shrink(
    game: &Arc<Game>,
    saved: &Saved,
    words: Option<&str>,
    watch: &Watch<'_>,
) -> Result<(Shown, Vec<String>), PlayError> {
    if !saved.deeds.is_empty() {
        let message = "something in this game was done by hand, which a smaller one would have at other moments";
        return Err(PlayError::Finding(message.to_owned()));
    }
    let setup = Setup { seed: saved.header.seed, seats: saved.header.seats.clone() };
    let keys: Vec<String> = saved.decisions.iter().map(|(_, line)| line.key.clone()).collect();
    let (shown, upto) = match words {
        Some(words) => (Shown::Words(words.to_owned()), keys.len()),
        None => failing(game, &setup, &keys)?,
    };
    let shows = |kept: &[usize]| shows(game, &setup, &keys, kept, &shown);
    let all: Vec<usize> = (0..upto).collect();
    let Some(first) = shows(&all) else {
        let what = words.map_or_else(String::new, |words| format!(" with `{words}`"));
        return Err(PlayError::Finding(format!("nothing in the log, the result or an error of this game{what}")));
    };
    let kept = smallest(first, watch, shows);
    let keys = kept.into_iter().filter_map(|index| keys.get(index).cloned()).collect();
    Ok((shown, keys))
}

/// Writes decisions as a new save.
///
/// # Errors
/// [`PlayError`] if the file is there already or cannot be written.
pub fn write(game: &Arc<Game>, saved: &Saved, keys: &[String], path: &Path) -> Result<Session, PlayError> {
    let setup = Setup { seed: saved.header.seed, seats: saved.header.seats.clone() };
    let mut session = Session::new(Arc::clone(game), setup, Some(path))?;
    for key in keys {
        // The last of them may be the one that fails.
        if session.choose_key(key).is_err() {
            break;
        }
    }
    Ok(session)
}

/// The first decision that fails, and how many stand before it.
fn failing(game: &Arc<Game>, setup: &Setup, keys: &[String]) -> Result<(Shown, usize), PlayError> {
    let mut session = Session::new(Arc::clone(game), setup.clone(), None)?;
    let fails = |key: &str, error: &PlayError| Shown::Fails {
        key: key.to_owned(),
        error: error.to_string(),
        same: same(error),
    };
    for (index, key) in keys.iter().enumerate() {
        if let Err(error) = session.choose_key(key) {
            return Ok((fails(key, &error), index));
        }
    }
    let options = session.decision().map(|decision| decision.options).unwrap_or_default();
    for (index, option) in options.iter().enumerate().take(TRIED) {
        match session.choose(index) {
            Ok(_) => session.undo_to(keys.len())?,
            Err(error) => return Ok((fails(&option.key, &error), keys.len())),
        }
    }
    Err(PlayError::Finding(
        "every decision of this game fits, and whatever can be chosen at its end does too: say what it shows, \
         `--shows TEXT`, a part of the log, of the result or of an error"
            .to_owned(),
    ))
}

/// What tells a mistake from others: of a game that cannot go on, its code and the line it comes from.
fn same(error: &PlayError) -> String {
    match error {
        PlayError::Game { error, .. } => {
            let GameError { code, span, .. } = error.as_ref();
            format!("{code} {span:?}")
        }
        other => other.to_string(),
    }
}

/// Plays the decisions that are kept; gives those that were made, if the game shows what is wanted.
fn shows(game: &Arc<Game>, setup: &Setup, keys: &[String], kept: &[usize], shown: &Shown) -> Option<Vec<usize>> {
    let mut session = match Session::new(Arc::clone(game), setup.clone(), None) {
        Ok(session) => session,
        Err(error) => return matches!(shown, Shown::Words(words) if error.to_string().contains(words)).then(Vec::new),
    };
    let (mut made, mut read) = (Vec::new(), 0);
    let mut reads = |session: &Session| match shown {
        Shown::Words(words) => {
            let news = session.changes().iter().skip(std::mem::replace(&mut read, session.changes().len()));
            let over = || session.status() == Status::Over && result(session).contains(words);
            news.into_iter().any(|(_, change)| change.full.contains(words)) || over()
        }
        Shown::Fails { .. } => false,
    };
    if reads(&session) {
        return Some(made);
    }
    for index in kept {
        let key = keys.get(*index)?;
        match (session.choose_key(key), shown) {
            (Ok(_), _) => made.push(*index),
            (Err(error @ PlayError::Game { .. }), Shown::Words(words)) if error.to_string().contains(words) => {
                made.push(*index);
                return Some(made);
            }
            (Err(_), _) => {}
        }
        if reads(&session) {
            return Some(made);
        }
    }
    let Shown::Fails { key, same: wanted, .. } = shown else { return None };
    let error = session.choose_key(key).err()?;
    (same(&error) == *wanted).then_some(made)
}
