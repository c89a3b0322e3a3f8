//! The whole turns that a position allows, written as people write them. All ways through a turn are walked; turns
//! that read the same are one turn, and the first way to it stands for it.

use super::error::PlayError;
use super::game::Game;
use crate::base::Code;
use crate::engine::{Machine, State, Status, Turn};
use std::collections::{BTreeMap, HashSet};

/// Most options that are tried to list the turns of one position.
pub const MAX_STEPS: u64 = 2_000_000;
/// Most decisions of one turn.
pub const MAX_DECISIONS: usize = 1_000;

/// A whole turn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WholeTurn {
    /// How it is written.
    pub text: String,
    /// The first way to it: the index of the option taken at each decision.
    pub path: Vec<usize>,
}

/// One end of a walk.
pub(super) struct End<'a> {
    /// The state after the turn.
    pub state: &'a State,
    /// The turn.
    pub turn: &'a Turn,
    /// The options taken.
    pub path: &'a [usize],
    /// Whether the game is over after it.
    pub over: bool,
}

/// A state within a turn, and the options of it that were already taken.
struct Step {
    state: State,
    turn: Turn,
    next: usize,
}

/// Walks through turns. It keeps states that are no longer needed, to copy into.
pub(super) struct Walker {
    spare: Vec<State>,
    /// Most options that are tried in one turn.
    limit: u64,
    /// Options of players that were taken so far.
    pub decisions: u64,
}

impl Default for Walker {
    fn default() -> Walker {
        Walker::within(MAX_STEPS)
    }
}

impl Walker {
    /// A walker that tries at most so many options in one turn.
    pub fn within(limit: u64) -> Walker {
        Walker { spare: Vec::new(), limit, decisions: 0 }
    }

    /// Visits the end of every way through the turn that begins with the decision at hand; the visitor says whether
    /// to go on.
    ///
    /// # Errors
    /// [`PlayError`] if the content fails on the way, or there are too many ways.
    pub fn walk(
        &mut self,
        game: &Game,
        machine: &mut Machine,
        start: &State,
        begun: Turn,
        mut visit: impl FnMut(End<'_>) -> bool,
    ) -> Result<(), PlayError> {
        let mut stack = vec![Step { state: self.copy(start), turn: begun, next: 0 }];
        let mut path = Vec::new();
        let mut steps = 0;
        while let Some(step) = stack.last_mut() {
            let index = step.next;
            if index >= machine.option_count(&step.state) {
                self.spare.extend(stack.pop().map(|step| step.state));
                path.pop();
                continue;
            }
            step.next += 1;
            if machine.repeats(&step.state, index) {
                continue;
            }
            steps += 1;
            let excess = if steps > self.limit {
                Some(format!("there are too many ways through one turn: {} options were tried", self.limit))
            } else if path.len() >= MAX_DECISIONS {
                Some(format!("a turn has more than {MAX_DECISIONS} decisions"))
            } else {
                None
            };
            if let Some(message) = excess {
                return Err(PlayError::Limit(Code::TooManyTurns, message));
            }
            let mut next = self.spare.pop().unwrap_or_default();
            next.clone_from(&step.state);
            let mut turn = step.turn.clone();
            self.decisions += u64::from(machine.seat(&step.state).is_some());
            let complete = machine.follow(&mut next, index, &mut turn).map_err(|error| game.error(error))?;
            path.push(index);
            if !complete {
                stack.push(Step { state: next, turn, next: 0 });
                continue;
            }
            let over = machine.status(&next) == Status::Over;
            let goes_on = visit(End { state: &next, turn: &turn, path: &path, over });
            self.spare.push(next);
            path.pop();
            if !goes_on {
                break;
            }
        }
        Ok(())
    }

    /// A copy of a state.
    pub fn copy(&mut self, state: &State) -> State {
        let mut copy = self.spare.pop().unwrap_or_default();
        copy.clone_from(state);
        copy
    }

    /// Gives a state back that is no longer needed.
    pub fn give(&mut self, state: State) {
        self.spare.push(state);
    }
}

/// The distinct whole turns of a position, sorted by their texts. Within a turn, those are listed that complete it.
///
/// # Errors
/// [`PlayError`] if the content fails on the way; [`PlayError::Limit`] if there are too many ways.
pub fn turns(game: &Game, machine: &mut Machine, state: &State) -> Result<Vec<WholeTurn>, PlayError> {
    let mut found: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    if machine.status(state) == Status::Decide {
        Walker::default().walk(game, machine, state, Turn::default(), |end| {
            found.entry(end.turn.text()).or_insert_with(|| end.path.to_vec());
            true
        })?;
    }
    Ok(found.into_iter().map(|(text, path)| WholeTurn { text, path }).collect())
}

/// The first way to the turn of a text, if there is one: the options to take. Nothing in games whose actions have no
/// notation, where the keys say all.
///
/// # Errors
/// As [`turns`].
pub fn find(game: &Game, machine: &mut Machine, state: &State, text: &str) -> Result<Option<Vec<usize>>, PlayError> {
    let mut found = None;
    if machine.notates() && machine.status(state) == Status::Decide {
        Walker::default().walk(game, machine, state, Turn::default(), |end| {
            if end.turn.text() == text {
                found = Some(end.path.to_vec());
            }
            found.is_none()
        })?;
    }
    Ok(found)
}

/// The keys of the options along a way.
///
/// # Errors
/// [`PlayError`] if the content fails on the way.
pub fn keys(game: &Game, machine: &mut Machine, state: &State, path: &[usize]) -> Result<Vec<String>, PlayError> {
    let mut state = state.clone();
    let mut keys = Vec::with_capacity(path.len());
    for index in path {
        let option = machine.decision(&state).and_then(|decision| decision.options.into_iter().nth(*index));
        keys.push(option.map(|option| option.key).unwrap_or_default());
        machine.choose(&mut state, *index).map_err(|error| game.error(error))?;
    }
    Ok(keys)
}

/// Texts that were seen, to count equal ones once.
#[derive(Default)]
pub(super) struct Seen(HashSet<String>);

impl Seen {
    /// Whether a text is new.
    pub fn is_new(&mut self, text: String) -> bool {
        self.0.insert(text)
    }
}
