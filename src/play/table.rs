//! A table with a game on it: who sits where, whose turn it is to choose, what each may see. Screens are built on
//! this and on nothing below it.

use super::bots::Bot;
use super::digest::LogLine;
use super::error::PlayError;
use super::game::Game;
use super::record::{figures, result};
use super::session::{Session, Setup};
use super::witness;
use crate::base::{Span, shown};
use crate::engine::{Change, Decision, Outcome, Refusal, Seat, Status, View};
use crate::model::scenario::titled;
use std::path::Path;
use std::sync::Arc;

/// Most options that are tried to find the whole turn that somebody has typed.
const SOON: u64 = 200_000;

/// Who sits on a seat.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Player {
    /// A person at the keyboard.
    Human,
    /// A program.
    Bot(Bot),
}

impl Player {
    /// Reads `human`, `random` or `greedy`.
    pub fn parse(word: &str) -> Option<Player> {
        match word {
            "human" => Some(Player::Human),
            other => Bot::parse(other).map(Player::Bot),
        }
    }

    /// The word it is written as.
    pub fn word(self) -> &'static str {
        match self {
            Player::Human => "human",
            Player::Bot(bot) => bot.word(),
        }
    }
}

/// What came of reading the content again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reload {
    /// The content is what it was.
    Unchanged,
    /// All decisions fit the new content; the game goes on with it.
    Complete {
        /// How many decisions were replayed.
        decisions: usize,
    },
    /// Some decision does not fit. Nothing has changed yet: [`Table::accept_reload`] goes on from there.
    Stopped {
        /// How many decisions fit.
        kept: usize,
        /// How many there were.
        of: usize,
        /// Where and why it stops, in words.
        reason: String,
    },
    /// The new content has errors; the running game goes on with the old.
    Broken {
        /// The errors, rendered.
        report: String,
    },
}

/// What came of taking back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Undo {
    /// Nobody has decided anything yet.
    Nothing,
    /// Something hidden has come to light since, and it would stay as it is: all must agree first.
    Asks,
    /// It was taken back.
    Done {
        /// Whether something hidden had come to light since.
        learnt: bool,
    },
}

impl Undo {
    /// What is to be said of it; nothing where it goes without saying.
    pub fn words(self) -> Option<&'static str> {
        match self {
            Undo::Nothing => Some("there is nothing to take back"),
            Undo::Asks => Some(
                "hidden cards or dice were seen since then, and they stay as they are; if all agree, take back once more",
            ),
            Undo::Done { learnt: true } => Some("taken back; hidden cards and dice stay as they are"),
            Undo::Done { learnt: false } => None,
        }
    }
}

/// A running game with its seats.
pub struct Table {
    session: Session,
    players: Vec<Player>,
    shown_to: Option<Seat>,
    /// For each seat that passes by itself, from which recorded change on something must happen to end that.
    passing: Vec<Option<usize>>,
    /// Whether a person alone among bots is not asked where only one thing is possible.
    spares: bool,
    watch: Option<Box<dyn FnMut() -> bool>>,
    /// From which decision on a scenario is to tell what is played.
    mark: Option<usize>,
    /// Content that some decision does not fit, until somebody accepts it.
    pending: Option<Arc<Game>>,
}

impl Table {
    /// Starts a game.
    ///
    /// # Errors
    /// [`PlayError`] if the game is not for so many players, cannot be set up or cannot be saved.
    pub fn new(game: Arc<Game>, players: Vec<Player>, seed: u64, save: Option<&Path>) -> Result<Table, PlayError> {
        let seats = players.iter().map(|player| player.word().to_owned()).collect();
        let session = Session::new(game, Setup { seed, seats }, save)?;
        Ok(Table::over_session(session, players))
    }

    /// Starts a game in the position of a scenario: see [`Session::at_scenario`].
    ///
    /// # Errors
    /// As [`Session::at_scenario`].
    pub fn at_scenario(
        game: &Arc<Game>,
        title: &str,
        players: Option<&[Player]>,
        save: Option<&Path>,
    ) -> Result<Table, PlayError> {
        let seats = players.map(|players| players.iter().map(|player| player.word().to_owned()).collect());
        Ok(Table::resume(Session::at_scenario(game, title, seats, save)?))
    }

    /// Goes on with a session.
    pub fn resume(session: Session) -> Table {
        let players = session.header().seats.iter().map(|word| Player::parse(word).unwrap_or(Player::Human)).collect();
        Table::over_session(session, players)
    }

    fn over_session(session: Session, players: Vec<Player>) -> Table {
        let passing = vec![None; players.len()];
        Table { session, players, shown_to: None, passing, spares: false, watch: None, mark: None, pending: None }
    }

    /// The session: header, decisions, state.
    pub fn session(&self) -> &Session {
        &self.session
    }

    /// The session, to act on it directly.
    pub fn session_mut(&mut self) -> &mut Session {
        &mut self.session
    }

    /// The game.
    pub fn game(&self) -> &Arc<Game> {
        self.session.game()
    }

    /// Who sits where.
    pub fn players(&self) -> &[Player] {
        &self.players
    }

    /// The seed.
    pub fn seed(&self) -> u64 {
        self.session.header().seed
    }

    /// The name of a seat.
    pub fn seat_name(&self, seat: Seat) -> String {
        self.game().seat_read(seat)
    }

    /// Who decides now; none when the game is over (or chance is asked for).
    pub fn deciding(&self) -> Option<Seat> {
        self.session.deciding()
    }

    /// Whether a person decides now, and is neither spared that nor passes by itself.
    pub fn human_decides(&self) -> bool {
        self.deciding().is_some_and(|seat| self.is_human(seat) && !self.passes(seat)) && !self.spares()
    }

    fn is_human(&self, seat: Seat) -> bool {
        self.players.get(usize::from(seat)) == Some(&Player::Human)
    }

    /// From now on a person alone among bots is not asked where only one thing is possible, and not in somebody else's
    /// turn for the sake of what a window lists `aside`. Where several people play,
    /// everybody is asked: that somebody need not think tells the others something.
    pub fn spare(&mut self) {
        self.spares = self.humans() == 1;
    }

    /// Whether a person decides now, and is spared that, for nothing is decided.
    pub fn spares(&self) -> bool {
        let nothing = self.session.only_one() || self.session.only_aside();
        self.spares && nothing && self.deciding().is_some_and(|seat| self.is_human(seat))
    }

    /// Whether a seat passes by itself: it is asked for a response, and since it said so nothing has happened that it
    /// can read but that others passed, or it is asked in the course of somebody else's turn, in a window that the flow
    /// opens; or it can do nothing else and wants to be spared that.
    pub fn passes(&self, seat: Seat) -> bool {
        if self.session.responds() && self.deciding() == Some(seat) && self.spares() {
            return true;
        }
        let Some(mark) = self.passing.get(usize::from(seat)).copied().flatten() else { return false };
        let read =
            |change: &Change| !change.pass && change.text.get(usize::from(seat)).is_some_and(|it| !it.is_empty());
        let since = self.session.changes().get(mark..).unwrap_or_default();
        self.session.responds() && (self.session.routine() || !since.iter().any(|(_, change)| read(change)))
    }

    /// Passes for the seat that decides, and goes on doing so until something changes, or, in the course of the others'
    /// turns, until it is asked in another window or is on turn. False if it cannot pass.
    ///
    /// # Errors
    /// Like [`Table::choose`].
    pub fn pass_on(&mut self) -> Result<bool, PlayError> {
        let Some(seat) = self.deciding().filter(|_| self.session.responds()) else { return Ok(false) };
        let mark = self.log_mark();
        self.session.choose_key("pass")?;
        if let Some(passing) = self.passing.get_mut(usize::from(seat)) {
            *passing = Some(mark);
        }
        Ok(true)
    }

    /// Number of seats people sit on.
    pub fn humans(&self) -> usize {
        self.players.iter().filter(|player| **player == Player::Human).count()
    }

    /// Through whose eyes the screen shows the table: the person who decides; else the only person, or the one it
    /// was last shown to; else nobody's (a spectator's).
    pub fn view_seat(&self) -> Option<Seat> {
        if self.human_decides() {
            return self.deciding();
        }
        let mut humans = (0u8..).zip(&self.players).filter(|(_, player)| **player == Player::Human);
        match (humans.next(), humans.next()) {
            (Some((only, _)), None) => Some(only),
            _ => self.shown_to,
        }
    }

    /// The seat the keyboard must be handed to before the table may be shown: set when several people play, one
    /// of them decides, and another one looked last. [`Table::hand_over`] settles it.
    pub fn handover(&self) -> Option<Seat> {
        let seat = self.deciding().filter(|_| self.human_decides() && self.humans() > 1)?;
        (self.shown_to != Some(seat)).then_some(seat)
    }

    /// Notes that the person who decides sits at the screen now.
    pub fn hand_over(&mut self) {
        self.shown_to = self.deciding();
    }

    /// What a seat sees, or a spectator.
    pub fn view(&mut self, seat: Option<Seat>) -> View {
        self.session.view(seat)
    }

    /// The decision that is due.
    pub fn decision(&mut self) -> Option<Decision> {
        self.session.decision()
    }

    /// Takes an option of the decision that is due, by its index.
    ///
    /// # Errors
    /// [`PlayError`] if there is no such option, the content fails or the save cannot be written.
    pub fn choose(&mut self, index: usize) -> Result<Status, PlayError> {
        self.decides_itself();
        self.session.choose(index)
    }

    /// The seat that decides does not pass by itself any more.
    fn decides_itself(&mut self) {
        let seat = self.deciding().map(usize::from);
        if let Some(passing) = seat.and_then(|seat| self.passing.get_mut(seat)) {
            *passing = None;
        }
    }

    /// Takes an option by its key.
    ///
    /// # Errors
    /// Like [`Table::choose`]; an unknown key is a [`PlayError::Finding`] that names the nearest.
    pub fn choose_key(&mut self, key: &str) -> Result<Status, PlayError> {
        self.decides_itself();
        self.session.choose_key(key)
    }

    /// The decisions of the whole turn that reads so, if one is found soon.
    ///
    /// # Errors
    /// [`PlayError`] if the content fails on the way.
    pub fn turn_path(&mut self, text: &str) -> Result<Option<Vec<usize>>, PlayError> {
        match self.session.turn_path(text, SOON) {
            Err(PlayError::Limit(..)) => Ok(None),
            found => found,
        }
    }

    /// If a bot decides now, or a seat that passes by itself or is spared, lets it choose, and gives the seat and the key.
    ///
    /// # Errors
    /// Like [`Table::choose`].
    pub fn bot_move(&mut self) -> Result<Option<(Seat, String)>, PlayError> {
        let Some(seat) = self.deciding() else { return Ok(None) };
        if self.passes(seat) {
            self.session.choose_key("pass")?;
            return Ok(Some((seat, "pass".to_owned())));
        }
        let index = match self.players.get(usize::from(seat)).copied() {
            _ if self.spares() => 0,
            Some(Player::Bot(bot)) => bot.pick(&mut self.session)?,
            _ => return Ok(None),
        };
        self.session.choose(index)?;
        let key = self.session.decisions().last().map(|made| made.key.clone()).unwrap_or_default();
        Ok(Some((seat, key)))
    }

    /// Takes back the last decision a person made, and all that came after it. The cards stay where they are and the dice
    /// fall as before, so where several people play and something hidden has come to light since, they must have
    /// `agreed`.
    ///
    /// # Errors
    /// [`PlayError`] if the save cannot be written.
    pub fn undo(&mut self, agreed: bool) -> Result<Undo, PlayError> {
        let by_human =
            |seat: Option<Seat>| seat.is_some_and(|seat| self.players.get(usize::from(seat)) == Some(&Player::Human));
        let Some(last) = self.session.decisions().iter().rposition(|made| by_human(made.seat)) else {
            return Ok(Undo::Nothing);
        };
        let learnt = self.session.has_learnt_since(last)?;
        if learnt && !agreed && self.humans() > 1 {
            return Ok(Undo::Asks);
        }
        self.passing.fill(None);
        while let Some(last) = self.session.decisions().iter().rposition(|made| by_human(made.seat)) {
            self.session.undo_to(last)?;
            if self.human_decides() {
                break;
            }
        }
        Ok(Undo::Done { learnt })
    }

    /// Whether a scenario is to tell what is played now.
    pub fn is_marked(&self) -> bool {
        self.mark.is_some()
    }

    /// Begins to tell what is played, or if that was begun, writes it as a scenario: see [`witness::write`]. Gives what was done
    /// in words.
    ///
    /// # Errors
    /// As [`witness::write`]; it goes on being told then.
    pub fn tell(&mut self, to: Option<&Path>) -> Result<String, PlayError> {
        let made = self.session.decisions().len();
        let Some(from) = self.mark.map(|mark| mark.min(made)) else {
            self.mark = Some(made);
            return Ok("what is played from here on becomes a scenario when you ask for it again".to_owned());
        };
        if from == made {
            self.mark = None;
            return Ok("nothing was played since, so no scenario is written".to_owned());
        }
        let words = witness::write(&mut self.session, from, to)?.words();
        self.mark = None;
        Ok(words)
    }

    /// Writes the last decisions as a scenario.
    ///
    /// # Errors
    /// As [`witness::write`].
    pub fn tell_last(&mut self, decisions: usize) -> Result<String, PlayError> {
        let from = self.session.decisions().len().saturating_sub(decisions);
        Ok(witness::write(&mut self.session, from, None)?.words())
    }

    /// Which actions are not possible now, and why. Only the seat that decides may ask.
    pub fn refusals(&mut self) -> Vec<Refusal> {
        self.session.refusals()
    }

    /// Why a key is not among the options.
    pub fn why_not(&mut self, key: &str) -> Option<Refusal> {
        self.session.why_not(key)
    }

    /// `path:line:column` of a content line.
    pub fn locate(&self, span: Span) -> Option<String> {
        self.game().locate(span)
    }

    /// What happened so far, as a seat or a spectator may read it.
    pub fn log(&self, seat: Option<Seat>) -> Vec<LogLine> {
        self.log_since(0, seat)
    }

    /// The log from a number of recorded changes on; [`Table::log_mark`] gives the number to ask from next time.
    pub fn log_since(&self, mark: usize, seat: Option<Seat>) -> Vec<LogLine> {
        let before = self.session.told(seat).take_while(|(at, ..)| *at < mark).count();
        let lines = self.session.told(seat).zip(1..).skip(before);
        lines
            .map(|((_, decision, change, text), number)| LogLine {
                number,
                decision,
                depth: change.depth,
                text: text.to_owned(),
            })
            .collect()
    }

    /// How many changes were recorded so far.
    pub fn log_mark(&self) -> usize {
        self.session.changes().len()
    }

    /// Why a change of the log happened: the change, then one line for each cause, nearest first, with content
    /// lines. Nothing for a change that whoever looks at the table may not read.
    pub fn why(&self, number: usize) -> Vec<String> {
        self.session.why_line(self.view_seat(), number)
    }

    /// Answers a question of whoever looks at the table: see [`Session::explain`]. A number is that of a line of the log.
    ///
    /// # Errors
    /// Like [`Session::explain`].
    pub fn explain(&mut self, text: &str) -> Result<Vec<String>, PlayError> {
        let seat = self.view_seat();
        let decides = seat.is_some() && seat == self.deciding();
        self.session.explain(seat, decides, text)
    }

    /// A refusal in words and where it stands.
    pub fn reason(&mut self, refusal: crate::engine::Refusal) -> (String, crate::base::Span) {
        self.session.reason(refusal)
    }

    /// Begins another game on the same content with the same players, or the same position again if that is a scenario's. It is not
    /// saved.
    ///
    /// # Errors
    /// [`PlayError`] if the game cannot be set up.
    pub fn rematch(&mut self, seed: u64) -> Result<(), PlayError> {
        let (game, header) = (Arc::clone(self.game()), self.session.header());
        let seats = header.seats.clone();
        self.session = match &header.scenario {
            Some(title) => Session::at_scenario(&game, title, Some(seats), None)?,
            None => Session::new(game, Setup { seed, seats }, None)?,
        };
        self.shown_to = None;
        self.passing.fill(None);
        self.pending = None;
        Ok(())
    }

    /// What stays on the terminal of a game: its result and figures, and where it is saved.
    pub fn summary(&self) -> String {
        let saved = match self.session.saved_at() {
            Some(path) => format!("# saved in `{}`\n", shown(&path)),
            None if self.session.decisions().is_empty() => String::new(),
            None => "# the game is not saved\n".to_owned(),
        };
        format!("{}{}{saved}", result(&self.session), figures(&self.session))
    }

    /// The outcome, once the game is over.
    pub fn outcome(&self) -> Option<Outcome> {
        self.session.outcome()
    }

    /// Saves the session to a file from now on; what happened so far is written at once.
    ///
    /// # Errors
    /// [`PlayError::Io`] if it cannot be written.
    pub fn save_to(&mut self, path: &Path) -> Result<(), PlayError> {
        self.session.save_to(path)
    }

    /// Sets what tells whether content files have changed since it was last asked.
    pub fn set_watch(&mut self, watch: Box<dyn FnMut() -> bool>) {
        self.watch = Some(watch);
    }

    /// Whether somebody notices when content files change.
    pub fn is_watched(&self) -> bool {
        self.watch.is_some()
    }

    /// Whether content files have changed since this was last asked.
    pub fn content_changed(&mut self) -> bool {
        self.watch.as_mut().is_some_and(|watch| watch())
    }

    /// Reads the content again. If it is good and every decision still fits, the game goes on with it; if some
    /// decision does not, nothing changes until [`Table::accept_reload`]. What an earlier reload has left to be accepted
    /// is no longer there.
    pub fn reload(&mut self) -> Reload {
        self.pending = None;
        let old = Arc::clone(self.game());
        let new = match old.reloaded() {
            Ok(new) => new,
            Err(error) => return Reload::Broken { report: error.report(false) },
        };
        // A locale file is no part of the digest.
        let said = |game: &Game| {
            let scenario = titled(&game.scenarios, self.session.header().scenario.as_deref()?)?;
            Some(game.sources.slice(scenario.span).to_owned())
        };
        // Nor is the scenario in which a game begins.
        if new.digest == old.digest && new.words.is_none() && said(&new) == said(&old) {
            return Reload::Unchanged;
        }
        let of = self.session.decisions().len();
        let new = Arc::new(new);
        match self.session.replayed_on(Arc::clone(&new)) {
            Err(error) => Reload::Broken { report: error.report(false) },
            Ok((session, None)) => match self.go_on_as(session) {
                Ok(()) => Reload::Complete { decisions: of },
                Err(error) => Reload::Broken { report: error.report(false) },
            },
            Ok((session, Some(reason))) => {
                self.pending = Some(new);
                Reload::Stopped { kept: session.decisions().len(), of, reason }
            }
        }
    }

    /// After [`Reload::Stopped`]: goes on with the new content after the last decision that fits, of those made until
    /// now. False if there is nothing to accept.
    ///
    /// # Errors
    /// [`PlayError`] if the game cannot be started on the new content or the save cannot be written.
    pub fn accept_reload(&mut self) -> Result<bool, PlayError> {
        let Some(new) = self.pending.take() else { return Ok(false) };
        let (session, _) = self.session.replayed_on(new)?;
        self.go_on_as(session)?;
        Ok(true)
    }

    fn go_on_as(&mut self, session: Session) -> Result<(), PlayError> {
        self.passing.fill(None);
        self.session.replace_with(session)
    }
}
