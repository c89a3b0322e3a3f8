//! The whole turns that a position allows, written as people write them. All ways through a turn are walked; turns
//! that read the same are one turn, and the first way to it stands for it.

use super::error::PlayError;
use super::game::Game;
use super::progress::Progress;
use crate::base::{Code, limits};
use crate::engine::{BETWEEN, Keys, Machine, OptionInfo, State, Status, Turn};
use std::collections::{BTreeMap, HashSet};
use std::sync::Arc;

/// Most options that are tried to list the turns of one position.
pub const MAX_STEPS: u64 = limits::TURN_OPTIONS;
/// Most work for that, in what one step of a game may take.
const MAX_WORK: u64 = limits::TURN_WORK;
/// Bytes of turns and positions that are kept.
pub(super) const MOST_KEPT: usize = limits::TURN_BYTES;
/// Most decisions of one turn.
pub const MAX_DECISIONS: usize = limits::TURN_DECISIONS;

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
    /// The keys of its options, if they were asked for.
    keys: Keys,
}

impl Step {
    fn new(state: State, turn: Turn) -> Step {
        Step { state, turn, next: 0, keys: Keys::default() }
    }
}

/// Walks through turns. It keeps states that are no longer needed, to copy into.
pub(super) struct Walker {
    spare: Vec<State>,
    /// Most options that are tried in one turn.
    limit: u64,
    /// Most work for that, in what one step of a game may take.
    work: u64,
    /// Whether all ways are walked, so that it can stop as soon as there must be too many.
    all: bool,
    /// Options of players that were taken so far.
    pub decisions: u64,
    /// Says whether to stop.
    progress: Option<Arc<Progress>>,
}

impl Default for Walker {
    fn default() -> Walker {
        Walker { all: true, ..Walker::within(MAX_STEPS) }
    }
}

impl Walker {
    /// A walker that tries at most so many options in one turn.
    pub fn within(limit: u64) -> Walker {
        Walker { spare: Vec::new(), limit, work: MAX_WORK, all: false, decisions: 0, progress: None }
    }

    /// A walker that tries at most so many options in one turn, and may not work for longer than one step of a game.
    pub fn briefly(limit: u64) -> Walker {
        Walker { work: 1, ..Walker::within(limit) }
    }

    /// A walker that stops where it is told to.
    pub fn watched(progress: Arc<Progress>) -> Walker {
        Walker { progress: Some(progress), ..Walker::default() }
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
        visit: impl FnMut(End<'_>) -> bool,
    ) -> Result<(), PlayError> {
        let walked = self.walk_on(game, machine, start, begun, visit);
        walked.map_err(|error| match error {
            PlayError::Limit(code, message) => {
                let place = machine.decision(start).and_then(|decision| game.locate(decision.span));
                let place = place.map(|place| format!("; it begins with the choice at {place}")).unwrap_or_default();
                PlayError::Limit(code, format!("{message}{place}"))
            }
            other => other,
        })
    }

    fn walk_on(
        &mut self,
        game: &Game,
        machine: &mut Machine,
        start: &State,
        begun: Turn,
        mut visit: impl FnMut(End<'_>) -> bool,
    ) -> Result<(), PlayError> {
        let mut stack = vec![Step::new(self.copy(start), begun)];
        let mut path = Vec::new();
        let (mut steps, mut work) = (0, 0);
        while let Some(step) = stack.last_mut() {
            let index = step.next;
            if index >= machine.option_count(&step.state) {
                self.spare.extend(stack.pop().map(|step| step.state));
                path.pop();
                continue;
            }
            let first = step.next == 0;
            step.next += 1;
            if self.all && first && machine.least_ways(&step.state).saturating_add(steps) > self.limit {
                return Err(self.too_many_options());
            }
            if machine.repeats(&step.state, index) {
                continue;
            }
            steps += 1;
            if self.progress.as_ref().is_some_and(|progress| progress.stopped()) {
                return Ok(());
            }
            if steps > self.limit {
                return Err(self.too_many_options());
            }
            check_work(machine, steps - 1, work, self.work)?;
            if path.len() >= MAX_DECISIONS {
                let message = format!("a turn has more than {MAX_DECISIONS} decisions");
                return Err(PlayError::Limit(Code::TooManyTurns, message));
            }
            let mut next = self.spare.pop().unwrap_or_default();
            next.clone_from(&step.state);
            let mut turn = step.turn.clone();
            self.decisions += u64::from(machine.seat(&step.state).is_some());
            let complete = machine.follow_known(&mut next, index, &mut turn, &mut step.keys);
            let complete = complete.map_err(|error| game.error(error))?;
            work += machine.work() + next.bytes() as u64 / 64 + turn.weight();
            path.push(index);
            if !complete {
                stack.push(Step::new(next, turn));
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

    fn too_many_options(&self) -> PlayError {
        too_many_ways(&format!("more than {} options", limits::grouped(self.limit)))
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
    let mut kept = 0;
    if machine.status(state) == Status::Decide {
        Walker::default().walk(game, machine, state, Turn::default(), |end| {
            let text = end.turn.text();
            kept += 128 + text.len() + size_of_val(end.path);
            found.entry(text).or_insert_with(|| end.path.to_vec());
            kept <= MOST_KEPT
        })?;
    }
    if kept > MOST_KEPT {
        return Err(too_many(found.len()));
    }
    Ok(found.into_iter().map(|(text, path)| WholeTurn { text, path }).collect())
}

/// The error of turns that take too much memory.
pub(super) fn too_many(turns: usize) -> PlayError {
    let message = format!("there are too many turns from one position: {turns} take more than {} MiB", MOST_KEPT >> 20);
    PlayError::Limit(Code::TooManyTurns, message)
}

/// The error of a turn with too many ways through it, and which limit was met.
fn too_many_ways(met: &str) -> PlayError {
    PlayError::Limit(Code::TooManyTurns, format!("there are too many ways through one turn: {met}"))
}

/// Whether trying so many options did not take too much work, in what so many steps of a game may take.
fn check_work(machine: &Machine, tried: u64, work: u64, steps: u64) -> Result<(), PlayError> {
    let most = machine.work_limit().saturating_mul(steps);
    if work <= most {
        return Ok(());
    }
    let (most, tried) = (limits::grouped(most), limits::grouped(tried));
    Err(too_many_ways(&format!("to try {tried} options took all the work there may be, {most} units")))
}

/// Whether no more options were tried than may be, and with no more work.
pub(super) fn check_tried(machine: &Machine, tried: u64, work: u64) -> Result<(), PlayError> {
    if tried > MAX_STEPS {
        return Err(too_many_ways(&format!("more than {} options", limits::grouped(MAX_STEPS))));
    }
    check_work(machine, tried, work, MAX_WORK)
}

/// The first way to the turn of a text, if there is one: the options to take. At most so many options are tried.
///
/// # Errors
/// As [`turns`].
pub fn find(
    game: &Game,
    machine: &mut Machine,
    state: &State,
    text: &str,
    limit: u64,
) -> Result<Option<Vec<usize>>, PlayError> {
    if machine.status(state) == Status::Over {
        return Ok(None);
    }
    if !machine.notates() {
        return spelled(game, machine, state, text, limit);
    }
    let mut found = None;
    Walker::within(limit).walk(game, machine, state, Turn::default(), |end| {
        if end.turn.text() == text {
            found = Some(end.path.to_vec());
        }
        found.is_none()
    })?;
    Ok(found)
}

/// A state on the way through a turn that is spelled by keys.
struct Spelling<'a> {
    state: State,
    turn: Turn,
    /// The options that the text can go on with, the last first, and what of the text is left after each.
    ways: Vec<(usize, Option<&'a str>)>,
}

/// The way through a turn whose decisions have these keys, joined as [`Turn::text`] joins them.
fn spelled(
    game: &Game,
    machine: &mut Machine,
    state: &State,
    text: &str,
    limit: u64,
) -> Result<Option<Vec<usize>>, PlayError> {
    let mut path = Vec::new();
    let first = Spelling { ways: ways(machine, state, Some(text)), state: state.clone(), turn: Turn::silent() };
    let mut stack = vec![first];
    let mut steps = 0;
    while let Some(spelling) = stack.last_mut() {
        let Some((index, rest)) = spelling.ways.pop() else {
            stack.pop();
            path.pop();
            continue;
        };
        steps += 1;
        if steps > limit || path.len() >= MAX_DECISIONS {
            return Ok(None);
        }
        let (mut next, mut turn) = (spelling.state.clone(), spelling.turn.clone());
        let complete = machine.follow(&mut next, index, &mut turn).map_err(|error| game.error(error))?;
        path.push(index);
        match (complete, rest) {
            (true, None) => return Ok(Some(path)),
            (false, Some(_)) => stack.push(Spelling { ways: ways(machine, &next, rest), state: next, turn }),
            _ => {
                path.pop();
            }
        }
    }
    Ok(None)
}

/// The options whose keys a text begins with, the last first, and what is left of it; nothing if that was all.
fn ways<'a>(machine: &mut Machine, state: &State, text: Option<&'a str>) -> Vec<(usize, Option<&'a str>)> {
    let options = machine.decision(state).map(|decision| decision.options).unwrap_or_default();
    let text = text.unwrap_or_default();
    let fits = |(index, option): (usize, OptionInfo)| match text.strip_prefix(option.key.as_str())? {
        "" => Some((index, None)),
        rest => Some((index, Some(rest.strip_prefix(BETWEEN)?))),
    };
    let mut found: Vec<_> = options.into_iter().enumerate().filter_map(fits).collect();
    found.reverse();
    found
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
