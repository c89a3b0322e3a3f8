//! A session: a header and the decisions made since. Everything else follows from these by replaying.

mod answers;
mod begun;
mod deeds;

use super::error::PlayError;
use super::game::Game;
use super::save::{ContentLine, DecisionLine, Deed, Header, SaveFile, Saved, UndoLine};
use super::turns::{self, WholeTurn};
use crate::base::{Code, nearest};
use crate::engine::{
    Chance, Change, Decision, Machine, Opening, Outcome, Refusal, Seat, Start, State, Status, Turn, View,
};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Every so many decisions the state is kept, so that going back replays few of them.
const KEEP_EVERY: usize = 16;

/// What a new session needs besides its game.
#[derive(Clone, Debug)]
pub struct Setup {
    /// Seed of the game's generator.
    pub seed: u64,
    /// Who sits on each seat.
    pub seats: Vec<String>,
}

/// A decision that was made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Made {
    /// Who made it; none for chance.
    pub seat: Option<Seat>,
    /// The key of the option.
    pub key: String,
    /// Its index among the options there were.
    pub index: usize,
    /// Complete turns before it.
    pub turn: u32,
    /// How the whole turn is written that it completes, in games whose actions have notations.
    pub written: Option<String>,
    /// What was asked, if the key does not say it: `draw a card?`.
    pub asked: Option<String>,
    changes: usize,
}

/// A game in progress.
pub struct Session {
    game: Arc<Game>,
    machine: Machine,
    header: Header,
    state: State,
    outcome: Option<Outcome>,
    decisions: Vec<Made>,
    /// The turn that is being made, as far as it went.
    turn: Turn,
    kept: Vec<(usize, State, Turn)>,
    changes: Vec<(usize, Change)>,
    /// What was done by hand.
    deeds: Vec<Deed>,
    save: Option<SaveFile>,
}

impl Session {
    /// Starts a game, and a save file if a path is given.
    ///
    /// # Errors
    /// [`PlayError`] if the game is not for so many seats, setup fails or the save cannot be made.
    pub fn new(game: Arc<Game>, setup: Setup, save: Option<&Path>) -> Result<Session, PlayError> {
        let header = Header::new(&game, setup);
        let mut session = Session::begin(game, header)?;
        if let Some(path) = save {
            session.save = Some(SaveFile::create(path, &session.header)?);
        }
        Ok(session)
    }

    /// A session without a save file, with outcomes of chance drawn or, each as a decision of nobody, asked for.
    ///
    /// # Errors
    /// As [`Session::new`].
    pub fn with_chance(game: Arc<Game>, setup: Setup, chance: Chance) -> Result<Session, PlayError> {
        let header = Header::new(&game, setup);
        Session::begin_at(game, header, &Opening::default(), chance)
    }

    /// A session whose position is set up by a scenario.
    ///
    /// # Errors
    /// [`PlayError`] if the game is not for so many seats or the position cannot be set up.
    pub fn for_scenario(game: Arc<Game>, setup: Setup, opening: &Opening) -> Result<Session, PlayError> {
        let header = Header::new(&game, setup);
        Session::begin_at(game, header, opening, Chance::Draw)
    }

    /// From here on, chance is drawn, or asked for.
    pub fn set_chance(&mut self, chance: Chance) {
        self.machine.set_chance(&mut self.state, chance);
        self.keep_anew();
    }

    /// Settles the outcomes of the next chance decisions, by key.
    pub fn force_chance(&mut self, keys: Vec<String>) {
        self.machine.force_chance(&mut self.state, keys);
        self.keep_anew();
    }

    /// Keeps the state at hand in place of what was kept of this moment.
    fn keep_anew(&mut self) {
        let number = self.decisions.len();
        self.kept.retain(|(at, ..)| *at != number);
        self.kept.push((number, self.state.clone(), self.turn.clone()));
    }

    /// Whether the seed has decided something so far.
    pub fn chance_is_drawn(&self) -> bool {
        self.machine.has_drawn(&self.state, self.header.seed)
    }

    /// Outcomes given for chance that have not come up yet.
    pub fn chance_left(&self) -> Vec<String> {
        self.machine.forced_left(&self.state)
    }

    fn begin(game: Arc<Game>, header: Header) -> Result<Session, PlayError> {
        if header.scenario.is_some() {
            return Session::begin_there(&game, header);
        }
        Session::begin_at(game, header, &Opening::default(), Chance::Draw)
    }

    fn begin_at(game: Arc<Game>, header: Header, opening: &Opening, chance: Chance) -> Result<Session, PlayError> {
        let mut machine = game.speaking_machine();
        machine.record(true);
        let players = u8::try_from(header.seats.len()).unwrap_or(u8::MAX);
        let start = Start { players, seed: header.seed, chance };
        game.check_players(header.seats.len())?;
        let state = machine.start_at(&start, opening).map_err(|error| game.error(error))?;
        let changes = machine.take_changes().into_iter().map(|change| (0, change)).collect();
        let turn = if machine.notates() { Turn::default() } else { Turn::silent() };
        let kept = vec![(0, state.clone(), turn.clone())];
        let outcome = machine.outcome(&state);
        Ok(Session {
            game,
            machine,
            header,
            state,
            outcome,
            decisions: Vec::new(),
            turn,
            kept,
            changes,
            deeds: Vec::new(),
            save: None,
        })
    }

    /// Replays what a save file says on a game. Gives the session, which is not yet saved to any file, and what
    /// does not fit, in words; the decisions from there on are left out.
    ///
    /// # Errors
    /// [`PlayError`] if the game cannot even be started.
    pub fn replay(game: Arc<Game>, saved: &Saved) -> Result<(Session, Vec<String>), PlayError> {
        // Hashes do not tell where scenarios have changed, which are no content.
        let checked = saved.header.scenario.is_none() && saved.same_content(&game);
        let mut problems = saved.problems.clone();
        problems.extend(saved.differences(&game).into_iter().map(|difference| difference.text));
        let header = saved.header.clone().on(&game);
        let mut session = Session::begin(game, header)?;
        session.repeat_deeds(&saved.deeds)?;
        for (index, (line, decision)) in saved.decisions.iter().enumerate() {
            let check = checked && index >= saved.hashes_from;
            if let Err(reason) = session.repeat(decision, check) {
                problems.push(format!("line {line}: {reason}"));
                break;
            }
            session.repeat_deeds(&saved.deeds)?;
        }
        Ok((session, problems))
    }

    /// A session of decisions, each the index of its option, with what was done by hand between them.
    ///
    /// # Errors
    /// [`PlayError`] if the game cannot be started, or an option is not there.
    pub fn retrace(
        game: Arc<Game>,
        header: Header,
        deeds: &[Deed],
        made: impl IntoIterator<Item = usize>,
    ) -> Result<Session, PlayError> {
        let mut session = Session::begin(game, header)?;
        session.repeat_deeds(deeds)?;
        for index in made {
            session.choose(index)?;
            session.repeat_deeds(deeds)?;
        }
        Ok(session)
    }

    /// Goes on in a save file that was replayed here. What the file loses stays in a copy beside it, whose path is given.
    ///
    /// # Errors
    /// [`PlayError::Io`] if a file cannot be written.
    pub fn go_on_in(&mut self, path: &Path, saved: &Saved) -> Result<Option<PathBuf>, PlayError> {
        let done = self.decisions.len();
        let same_content = saved.same_content(&self.game);
        let good = match saved.decisions.get(done) {
            Some((line, _)) if same_content => saved.end_of_line(line.saturating_sub(1)),
            _ => saved.end_of_line(usize::MAX),
        };
        let (mut file, mut copy) = SaveFile::reopen(path, saved.length(), good)?;
        if !same_content {
            if done < saved.decisions.len() && copy.is_none() {
                copy = Some(file.copy("before")?);
            }
            file.append(&self.content_line())?;
        }
        self.save = Some(file);
        Ok(copy)
    }

    fn repeat(&mut self, line: &DecisionLine, check: bool) -> Result<(), String> {
        let number = line.n;
        if self.machine.status(&self.state) == Status::Over {
            return Err(format!("decision {number}, `{}`: the game is already over", line.key));
        }
        let found = self.find(&line.key);
        let seat = found.map_or_else(|| self.machine.seat(&self.state), |at| self.machine.seat_of(&self.state, at));
        let seat = seat.map(|seat| self.header.seat_name(seat));
        if seat != line.seat {
            let name = |seat: &Option<String>| seat.clone().unwrap_or_else(|| "chance".to_owned());
            return Err(format!(
                "decision {number}, `{}`: it was made by {}, but now {} decides",
                line.key,
                name(&line.seat),
                name(&seat)
            ));
        }
        let index = self.index_of(&line.key).map_err(|error| format!("decision {number}: {error}"))?;
        let exact = self.machine.find(&self.state, &line.key).is_some();
        let today = self.game.renames.today(&line.key).filter(|_| !exact);
        let key = today.unwrap_or_else(|| line.key.clone());
        self.apply(index, key).map_err(|error| format!("decision {number}: {error}"))?;
        let hash = if check { hash_words(self.hash()) } else { String::new() };
        if check && line.hash != hash {
            self.rewind(number.saturating_sub(1)).map_err(|error| error.to_string())?;
            return Err(format!(
                "decision {number}, `{}`: the state's hash is {hash}, not the saved one: the file was altered, or \
                 another build of the program wrote it",
                line.key
            ));
        }
        Ok(())
    }

    /// The game.
    pub fn game(&self) -> &Arc<Game> {
        &self.game
    }

    /// The header.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// The state.
    pub fn state(&self) -> &State {
        &self.state
    }

    /// The machine and the state, to look ahead with.
    pub fn parts(&mut self) -> (&mut Machine, &State) {
        (&mut self.machine, &self.state)
    }

    /// Looks ahead from the state: what the machine does in it is not recorded.
    pub fn ahead<T>(&mut self, look: impl FnOnce(&Game, &mut Machine, &State) -> T) -> T {
        self.machine.record(false);
        let found = look(&self.game, &mut self.machine, &self.state);
        self.machine.record(true);
        found
    }

    /// The decisions that stand.
    pub fn decisions(&self) -> &[Made] {
        &self.decisions
    }

    /// All recorded changes, each with the number of decisions before it; those of setup have 0 and those of the
    /// first decision 1.
    pub fn changes(&self) -> &[(usize, Change)] {
        &self.changes
    }

    /// Where it is saved.
    pub fn saved_at(&self) -> Option<&Path> {
        self.save.as_ref().map(SaveFile::path)
    }

    /// Whether the game waits or is over.
    pub fn status(&self) -> Status {
        self.machine.status(&self.state)
    }

    /// Who decides.
    pub fn deciding(&self) -> Option<Seat> {
        (self.status() == Status::Decide).then(|| self.machine.seat(&self.state)).flatten()
    }

    /// Whether the decision that is due is a response in a window, where one can pass.
    pub fn responds(&self) -> bool {
        self.machine.responds(&self.state)
    }

    /// Whether the decision that is due has one option only.
    pub fn only_one(&self) -> bool {
        self.status() == Status::Decide && self.machine.own_count(&self.state) == 1
    }

    /// See [`Machine::only_aside`].
    pub fn only_aside(&self) -> bool {
        self.machine.only_aside(&self.state)
    }

    /// See [`Machine::routine`].
    pub fn routine(&self) -> bool {
        self.machine.routine(&self.state)
    }

    /// Whose an option of the decision that is due is.
    pub fn seat_of(&self, index: usize) -> Option<Seat> {
        self.machine.seat_of(&self.state, index)
    }

    /// Turns in which somebody has decided, the one under way included.
    pub fn whole_turns(&self) -> usize {
        let mut turns: Vec<u32> = self.decisions.iter().map(|made| made.turn).collect();
        turns.dedup();
        turns.len()
    }

    /// Complete turns so far.
    pub fn turns(&self) -> u32 {
        self.machine.turns(&self.state)
    }

    /// The decision that is due.
    pub fn decision(&mut self) -> Option<Decision> {
        self.machine.decision(&self.state)
    }

    /// Why actions are not possible now.
    pub fn refusals(&mut self) -> Vec<Refusal> {
        self.machine.refusals(&self.state)
    }

    /// What a seat or a spectator sees.
    pub fn view(&mut self, seat: Option<Seat>) -> View {
        self.machine.view(&self.state, seat)
    }

    /// What a seat or a spectator saw after the first `number` decisions.
    ///
    /// # Errors
    /// [`PlayError`] if there are not so many.
    pub fn view_at(&mut self, number: usize, seat: Option<Seat>) -> Result<View, PlayError> {
        let state = self.state_at(number)?;
        Ok(self.machine.view(&state, seat))
    }

    /// Everything there is, with nothing hidden: for tests and their reports.
    pub fn view_all(&mut self) -> View {
        self.machine.view_all(&self.state)
    }

    /// The outcome, once the game is over.
    pub fn outcome(&self) -> Option<Outcome> {
        self.outcome.clone()
    }

    /// Hash of the state.
    pub fn hash(&self) -> u64 {
        self.machine.hash(&self.state)
    }

    /// Takes the option of an index. The decision is on the disk before this returns.
    ///
    /// # Errors
    /// [`PlayError`] if there is no such option, the content fails or the save cannot be written; the session is
    /// then as it was.
    pub fn choose(&mut self, index: usize) -> Result<Status, PlayError> {
        let Some(option) = self.decision().and_then(|decision| decision.options.into_iter().nth(index)) else {
            return Err(PlayError::Usage(format!("there is no option {}", index + 1)));
        };
        let status = self.apply(index, option.key)?;
        if let Err(error) = self.record_last() {
            self.rewind(self.decisions.len().saturating_sub(1))?;
            return Err(error);
        }
        Ok(status)
    }

    /// Takes the option of a key.
    ///
    /// # Errors
    /// Like [`Session::choose`]; an unknown key is a [`PlayError::Finding`].
    pub fn choose_key(&mut self, key: &str) -> Result<Status, PlayError> {
        let index = self.index_of(key)?;
        self.choose(index)
    }

    /// The options that a text means: the one of a key, or the steps of the whole turn that reads so.
    ///
    /// # Errors
    /// [`PlayError::Finding`] as for [`Session::index_of`]; else [`PlayError`] if the turns cannot be listed.
    pub fn path_of(&mut self, text: &str) -> Result<Vec<usize>, PlayError> {
        let missing = match self.index_of(text) {
            Ok(index) => return Ok(vec![index]),
            Err(error) => error,
        };
        let today = self.game.renames.today(text);
        let text = today.as_deref().unwrap_or(text);
        match (self.turn_path(text, turns::MAX_STEPS), missing) {
            (Ok(Some(path)), _) => Ok(path),
            // Where the turns are too many to look for one that reads so, it is no key all the same.
            (Err(PlayError::Limit(Code::TooManyTurns, _)), PlayError::Finding(reason)) => Err(PlayError::Finding(
                format!("{reason} (too many whole turns begin here to look whether one of them is written so)"),
            )),
            (Ok(None), PlayError::Finding(reason)) => Err(PlayError::Finding(match self.turn_like(text) {
                Some(turn) => format!("`{text}` is not legal: did you mean the whole turn `{turn}`?"),
                None => reason,
            })),
            (Ok(None) | Err(PlayError::Limit(Code::TooManyTurns, _)), missing) => Err(missing),
            (Err(error), _) => Err(error),
        }
    }

    /// The whole turn that reads nearly so: it begins with the text, or is spelt like it.
    fn turn_like(&mut self, text: &str) -> Option<String> {
        let near = |key: &str| nearest(text, [key]).is_some();
        let option = self.decision().is_some_and(|decision| decision.options.iter().any(|option| near(&option.key)));
        if !self.notates() || option || self.why_not(text).is_some() {
            return None;
        }
        let turns: Vec<String> = self.turns_from_here().ok()?.into_iter().map(|turn| turn.text).collect();
        let begun = turns.iter().find(|turn| turn.starts_with(text)).cloned();
        begun.or_else(|| nearest(text, turns.iter().map(String::as_str)).map(str::to_owned))
    }

    /// The steps of the whole turn that reads so, if there is one. At most so many options are tried.
    ///
    /// # Errors
    /// [`PlayError`] if the turns cannot be listed.
    pub fn turn_path(&mut self, text: &str, limit: u64) -> Result<Option<Vec<usize>>, PlayError> {
        self.ahead(|game, machine, state| turns::find(game, machine, state, text, limit))
    }

    /// The distinct whole turns from here, sorted by how they are written.
    ///
    /// # Errors
    /// [`PlayError`] if the turns cannot be listed.
    pub fn turns_from_here(&mut self) -> Result<Vec<WholeTurn>, PlayError> {
        self.ahead(turns::turns)
    }

    /// Whether turns have texts of their own: some action has a notation.
    pub fn notates(&self) -> bool {
        self.machine.notates()
    }

    /// Why a key is not among the options: what forbids the thing it names, or else its action.
    pub fn why_not(&mut self, key: &str) -> Option<Refusal> {
        let begins = |refusal: &Refusal| {
            key.strip_prefix(refusal.action.as_str()).is_some_and(|rest| rest.is_empty() || rest.starts_with(' '))
        };
        let refused = self.machine.refused(&self.state, key);
        let refused = refused.or_else(|| {
            let refusals = self.machine.refusals(&self.state).into_iter().filter(begins);
            refusals.max_by_key(|refusal| refusal.action.len())
        });
        // Of an action without its arguments, the first that is not offered.
        let of_action = |refusal: &Refusal| refusal.action.strip_prefix(key).is_some_and(|rest| rest.starts_with(' '));
        let refused = refused.or_else(|| self.machine.refusals(&self.state).into_iter().find(of_action))?;
        let (reason, span) = self.reason(refused.clone());
        Some(Refusal { reason, span, decides: None, ..refused })
    }

    /// Why a thing is not among the options, for each action that could begin with it: its action need not be named.
    pub fn left_out(&mut self, words: &str) -> Vec<Refusal> {
        let found = self.machine.left_out(&self.state, words);
        let told = found.into_iter().map(|refusal| {
            let (reason, span) = self.reason(refusal.clone());
            Refusal { reason, span, decides: None, ..refusal }
        });
        told.collect()
    }

    /// The index of a key, which may have names that cards had before.
    fn find(&mut self, key: &str) -> Option<usize> {
        let found = self.machine.find(&self.state, key);
        found.or_else(|| self.machine.find(&self.state, &self.game.renames.today(key)?))
    }

    /// The index of a key among the options there are.
    ///
    /// # Errors
    /// [`PlayError::Finding`] that says why it is not legal, or names the nearest that is.
    pub fn index_of(&mut self, key: &str) -> Result<usize, PlayError> {
        if let Some(index) = self.find(key) {
            return Ok(index);
        }
        let Some(decision) = self.decision() else {
            return Err(PlayError::Finding(format!("`{key}` is not legal: the game is over")));
        };
        let keys: Vec<&str> = decision.options.iter().map(|option| option.key.as_str()).collect();
        // `lay a1; lay b1`: the answer to this decision, and to the next.
        let begins = |known: &&&str| key.strip_prefix(**known).is_some_and(|rest| rest.starts_with([' ', ';', ',']));
        let first = keys.iter().filter(begins).max_by_key(|known| known.len());
        let two = first.map(|one| {
            let other = key.get(one.len()..).unwrap_or_default().trim_start_matches([' ', ';', ',']);
            format!("each answer is a text of its own: \"{one}\", \"{other}\"")
        });
        let best = nearest(key, keys.iter().copied());
        let advice = match (two, self.why_not(key), best) {
            (_, Some(refusal), _) => refusal.reason,
            (Some(two), None, _) => two,
            (None, None, Some(best)) => format!("did you mean `{best}`?"),
            (None, None, None) if keys.len() <= 12 => format!("legal are: {}", keys.join(", ")),
            (None, None, None) => format!("{} other options are", keys.len()),
        };
        Err(PlayError::Finding(format!("`{key}` is not legal: {advice}")))
    }

    fn apply(&mut self, index: usize, key: String) -> Result<Status, PlayError> {
        let seat = self.machine.seat_of(&self.state, index);
        let turn = self.machine.turns(&self.state);
        let question = self.machine.question(&self.state);
        let read = if self.game.words.is_some() { self.machine.question_read(&self.state) } else { question.clone() };
        let to_all = self.machine.answer_to_all(&self.state, index);
        let answer = seat.and_then(|seat| self.answer(seat, read.as_ref(), to_all, &key));
        let begun = self.machine.begins_in_words(&self.state, index);
        let begun = seat.filter(|_| begun.is_some()).and_then(|seat| self.answer(seat, None, begun, &key));
        // A failing choice may leave a state half way, so it is tried on a copy.
        let mut next = self.state.clone();
        let mut made = self.turn.clone();
        let result = self.machine.follow(&mut next, index, &mut made);
        let recorded = self.machine.take_changes();
        let answer = match self.machine.offers_actions(&self.state) {
            true => answer
                .filter(|_| self.machine.has_acted(&self.state, &next))
                .and_then(|told| answers::unseen(told, &recorded)),
            false => answer,
        };
        let answer = begun.or(answer);
        let complete = result.map_err(|error| self.game.error(error))?;
        let number = self.decisions.len() + 1;
        let written = (complete && self.machine.notates()).then(|| made.text());
        self.turn = if complete { made.afresh() } else { made };
        self.state = next;
        let status = self.status();
        self.outcome = self.machine.outcome(&self.state);
        self.changes.extend(answer.into_iter().chain(recorded).map(|change| (number, change)));
        let asked = question.map(|question| question.words());
        self.decisions.push(Made { seat, key, index, turn, written, asked, changes: self.changes.len() });
        if number.is_multiple_of(KEEP_EVERY) {
            self.kept.push((number, self.state.clone(), self.turn.clone()));
        }
        Ok(status)
    }

    fn record_last(&mut self) -> Result<(), PlayError> {
        if self.save.is_none() {
            return Ok(());
        }
        let (n, hash) = (self.decisions.len(), hash_words(self.hash()));
        if let (Some(save), Some(made)) = (&mut self.save, self.decisions.last()) {
            let seat = made.seat.map(|seat| self.header.seat_name(seat));
            save.append(&DecisionLine { n, seat, key: made.key.clone(), hash })?;
        }
        Ok(())
    }

    /// Takes back everything after the first `number` decisions.
    ///
    /// # Errors
    /// [`PlayError`] if there are not so many or the save cannot be written.
    pub fn undo_to(&mut self, number: usize) -> Result<(), PlayError> {
        if number > self.decisions.len() {
            return Err(PlayError::Usage(format!("only {} decisions were made", self.decisions.len())));
        }
        if let Some(save) = &mut self.save {
            save.append(&UndoLine { undo: number })?;
        }
        self.rewind(number)
    }

    /// Whether somebody knows something now that nobody could know after the first `number` decisions: a card was
    /// seen, or chance has decided.
    ///
    /// # Errors
    /// [`PlayError`] if there are not so many.
    pub fn has_learnt_since(&mut self, number: usize) -> Result<bool, PlayError> {
        let then = self.state_at(number)?;
        Ok(self.machine.has_learnt(&then, &self.state))
    }

    fn rewind(&mut self, number: usize) -> Result<(), PlayError> {
        (self.state, self.turn) = self.position_at(number)?;
        self.outcome = self.machine.outcome(&self.state);
        self.decisions.truncate(number);
        self.kept.retain(|(at, ..)| *at <= number);
        let changes = self.changes.partition_point(|(at, _)| *at <= number);
        self.changes.truncate(changes);
        self.deeds.retain(|deed| deed.after() <= number);
        Ok(())
    }

    /// The state after the first `number` decisions.
    ///
    /// # Errors
    /// [`PlayError`] if there are not so many.
    pub fn state_at(&mut self, number: usize) -> Result<State, PlayError> {
        Ok(self.position_at(number)?.0)
    }

    /// The state after so many decisions, and the turn that was being made.
    fn position_at(&mut self, number: usize) -> Result<(State, Turn), PlayError> {
        let from = self.kept.iter().rev().find(|(at, ..)| *at <= number);
        let Some((at, mut state, mut turn)) = from.map(|(at, state, turn)| (*at, state.clone(), turn.clone())) else {
            return Err(PlayError::Usage("there is no start to go back to".to_owned()));
        };
        for made in self.decisions.get(at..number.min(self.decisions.len())).unwrap_or_default() {
            let complete = self.machine.follow(&mut state, made.index, &mut turn);
            if complete.map_err(|error| self.game.error(error))? {
                turn = turn.afresh();
            }
        }
        self.machine.take_changes();
        Ok((state, turn))
    }

    /// Why a change happened, from its number (from 1): the change itself, then its causes, nearest first.
    pub fn why(&self, number: usize) -> Vec<String> {
        let Some((decision, change)) = number.checked_sub(1).and_then(|index| self.changes.get(index)) else {
            return Vec::new();
        };
        let mut lines = vec![change.full.clone()];
        lines.extend(self.because(None, &change.causes, *decision));
        lines
    }

    /// The changes that a seat or a spectator may read: which one it is of all, after how many decisions, and its words. They
    /// are numbered among themselves, since a gap would tell of a line for others.
    pub(super) fn told(&self, seat: Option<Seat>) -> impl Iterator<Item = (usize, usize, &Change, &str)> {
        let column = seat.map_or(self.header.seats.len(), usize::from);
        self.changes.iter().enumerate().filter_map(move |(at, (decision, change))| {
            let text = change.text.get(column).filter(|text| !text.is_empty())?;
            Some((at, *decision, change, text.as_str()))
        })
    }

    /// Why a value is what it is, as lines, for a seat or for somebody who sees what all seats see: `total`,
    /// `strength of red`. Without a name, the numbers in the lines of the game's look; where
    /// these tell none, what can be asked for.
    ///
    /// # Errors
    /// [`PlayError::Finding`] that says what is not there, or not for these eyes.
    pub fn why_value(&mut self, seat: Option<Seat>, name: &str) -> Result<Vec<String>, PlayError> {
        if name == "armed" && self.game.rules.scripts.iter().any(|script| script.acting.is_some()) {
            return Ok(self.armed(seat));
        }
        let told = self.ahead(|_, machine, state| match name {
            "" => Ok(machine.break_down_lines(state, seat)),
            name => machine.break_down(state, seat, name).map(|told| vec![told]),
        });
        let told = told.map_err(PlayError::Finding)?;
        if told.is_empty() {
            return Ok(super::why::askable(&self.game));
        }
        let lines = |told| super::why::lines(&self.game, told).into_iter().chain(self.history(seat, told));
        Ok(told.iter().flat_map(lines).collect())
    }

    /// What scripts have armed, a line each, with the line of the script.
    fn armed(&mut self, seat: Option<Seat>) -> Vec<String> {
        let told = self.ahead(|_, machine, state| machine.armed(state, seat));
        if told.is_empty() {
            return vec!["nothing waits that a script has armed".to_owned()];
        }
        let place = |span| self.game.locate(span).map_or(String::new(), |place| format!("  [{place}]"));
        told.into_iter().map(|(words, span)| words + place(span).as_str()).collect()
    }

    /// Saves to a new file from now on, with all that happened so far.
    ///
    /// # Errors
    /// [`PlayError::Io`] if it exists or cannot be written.
    pub fn save_to(&mut self, path: &Path) -> Result<(), PlayError> {
        // Hashes are those before anything was done by hand.
        let mut again = Session::begin(Arc::clone(&self.game), self.header.clone())?;
        again.repeat_deeds(&self.deeds)?;
        let mut hashes = Vec::new();
        for made in &self.decisions {
            again.choose(made.index)?;
            hashes.push(hash_words(again.hash()));
            again.repeat_deeds(&self.deeds)?;
        }
        let mut file = SaveFile::create(path, &self.header)?;
        let done = |after: usize| self.deeds.iter().filter(move |deed| deed.after() == after);
        done(0).try_for_each(|deed| file.append(deed))?;
        for ((n, hash), made) in (1..).zip(hashes).zip(&self.decisions) {
            let seat = made.seat.map(|seat| self.header.seat_name(seat));
            file.append(&DecisionLine { n, seat, key: made.key.clone(), hash })?;
            done(n).try_for_each(|deed| file.append(deed))?;
        }
        self.save = Some(file);
        Ok(())
    }

    /// The same decisions on another version of the game. Gives the session and, if some decision does not fit,
    /// where and why it stops.
    ///
    /// # Errors
    /// [`PlayError`] if the game cannot be started on the new content.
    pub fn replayed_on(&self, game: Arc<Game>) -> Result<(Session, Option<String>), PlayError> {
        let header = self.header.clone().on(&game);
        let mut session = Session::begin(game, header)?;
        session.repeat_deeds(&self.deeds)?;
        for (index, made) in self.decisions.iter().enumerate() {
            let seat = made.seat.map(|seat| session.header.seat_name(seat));
            let line = DecisionLine { n: index + 1, seat, key: made.key.clone(), hash: String::new() };
            if let Err(reason) = session.repeat(&line, false) {
                return Ok((session, Some(reason)));
            }
            session.repeat_deeds(&self.deeds)?;
        }
        Ok((session, None))
    }

    /// Goes on as another session of the same game, which [`Session::replayed_on`] made, in the same save file. If
    /// decisions are lost, a copy of the file as it was stays beside it.
    ///
    /// # Errors
    /// [`PlayError::Io`] if the save cannot be written; nothing has changed then.
    pub fn replace_with(&mut self, mut session: Session) -> Result<(), PlayError> {
        if let Some(save) = &mut self.save {
            if session.decisions.len() < self.decisions.len() {
                save.copy("before")?;
            }
            save.append(&session.content_line())?;
        }
        session.save = self.save.take();
        *self = session;
        Ok(())
    }

    fn content_line(&self) -> ContentLine {
        ContentLine { game: self.game.own.clone(), with: self.game.expansions.clone(), kept: self.decisions.len() }
    }
}

/// A hash as saves write it.
fn hash_words(hash: u64) -> String {
    format!("{hash:016x}")
}
