//! Counting the distinct sequences of whole turns from a position, or of single decisions. In games whose actions have
//! notations, turns that read the same count once; in others the steps of a turn multiply. A pass is a turn; a turn in
//! which nobody decides is none. A turn in which the game ends is complete with its end.

use super::error::PlayError;
use super::game::Game;
use super::progress::Progress;
use super::turns::{MOST_KEPT, Seen, Walker, check_tried, too_many};
use crate::base::{Code, limits};
use crate::engine::{Machine, State, Status, Turn};
use serde::Serialize;
use std::sync::Arc;

/// What was counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Count {
    /// Number of turns.
    pub depth: u32,
    /// Distinct sequences of so many turns.
    pub turns: u64,
    /// Those of them that end the game with their last turn.
    pub finished: u64,
    /// Options taken along all of them, shorter games included: the edges of the tree.
    pub decisions: u64,
}

/// What lies below one first turn.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Branch {
    /// How the turn is written.
    pub turn: String,
    /// Distinct sequences that begin with it.
    pub turns: u64,
    /// Those of them that end the game with their last turn.
    pub finished: u64,
}

/// What a sequence is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// Whole turns.
    Turn,
    /// Single decisions of players; outcomes of chance between them are followed, and are none.
    Decision,
}

/// Counts from a state. Where the state asks for chance, each outcome counts as one way on, whatever its weight.
///
/// # Errors
/// [`PlayError`] if the content fails on the way, or one turn has too many ways.
pub fn perft(game: &Game, machine: &mut Machine, state: &State, depth: u32) -> Result<Count, PlayError> {
    count(game, machine, state, depth, Step::Turn, &Arc::default())
}

/// Counts as [`perft`] does, in steps of either kind. If it is stopped, what was counted until then.
///
/// # Errors
/// As [`perft`].
pub fn count(
    game: &Game,
    machine: &mut Machine,
    state: &State,
    depth: u32,
    step: Step,
    progress: &Arc<Progress>,
) -> Result<Count, PlayError> {
    let mut counter = Counter::new(game, machine, step, progress);
    let below = counter.after(state, depth, WHOLE)?;
    Ok(Count { depth, turns: below.turns, finished: below.finished, decisions: counter.walker.decisions })
}

/// Counts for each first turn by itself, sorted by their texts; those after which the game is over before so many turns
/// are listed with none.
///
/// # Errors
/// As [`perft`].
pub fn divide(
    game: &Game,
    machine: &mut Machine,
    state: &State,
    depth: u32,
) -> Result<(Count, Vec<Branch>), PlayError> {
    count_each(game, machine, state, depth, Step::Turn, &Arc::default())
}

/// Counts as [`divide`] does, in steps of either kind. If it is stopped, the branches it came to.
///
/// # Errors
/// As [`perft`].
pub fn count_each(
    game: &Game,
    machine: &mut Machine,
    state: &State,
    depth: u32,
    step: Step,
    progress: &Arc<Progress>,
) -> Result<(Count, Vec<Branch>), PlayError> {
    let mut counter = Counter::new(game, machine, step, progress);
    let mut branches = Vec::new();
    if depth > 0 {
        let first = counter.first(state)?;
        let part = WHOLE / first.len().max(1) as f64;
        for (turn, after) in first {
            if progress.stopped() {
                break;
            }
            let below = counter.after(&after, depth - 1, part)?;
            branches.push(Branch { turn, turns: below.turns, finished: below.finished });
        }
    }
    branches.sort_by(|one, other| one.turn.cmp(&other.turn));
    let total = |part: fn(&Branch) -> u64| branches.iter().map(part).sum();
    let (turns, finished) = (total(|branch| branch.turns), total(|branch| branch.finished));
    Ok((Count { depth, turns, finished, decisions: counter.walker.decisions }, branches))
}

/// All of the work, in the parts that [`Progress`] counts.
const WHOLE: f64 = 1e6;
/// Smaller parts of the work are not told apart.
const SMALL: f64 = 10.0;
/// After so many decisions what was done is reported.
const OFTEN: u64 = 10_000;

#[derive(Clone, Copy, Default)]
struct Below {
    turns: u64,
    finished: u64,
}

impl Below {
    fn add(&mut self, more: Below) {
        self.turns += more.turns;
        self.finished += more.finished;
    }
}

/// Options that were taken within one turn, and the work they were.
#[derive(Clone, Copy, Default)]
struct Tried {
    options: u64,
    work: u64,
}

struct Counter<'a> {
    game: &'a Game,
    machine: &'a mut Machine,
    walker: Walker,
    step: Step,
    /// Whether turns that read the same are one.
    by_text: bool,
    /// Bytes of the positions that are kept.
    kept: usize,
    /// How many steps it is from the position at hand to the first.
    deep: usize,
    /// What was tried of the turn under way, where single decisions are counted.
    tried: Tried,
    progress: &'a Progress,
    /// What is done, in parts of [`WHOLE`], and how much of it was reported.
    done: f64,
    told: (u64, u64),
}

impl<'a> Counter<'a> {
    fn new(game: &'a Game, machine: &'a mut Machine, step: Step, progress: &'a Arc<Progress>) -> Counter<'a> {
        let by_text = machine.notates();
        progress.expect(WHOLE as u64);
        let walker = Walker::watched(Arc::clone(progress));
        Counter {
            game,
            machine,
            walker,
            step,
            by_text,
            kept: 0,
            deep: 0,
            tried: Tried::default(),
            progress,
            done: 0.0,
            told: (0, 0),
        }
    }

    fn over(&self, state: &State) -> bool {
        self.machine.status(state) == Status::Over
    }

    /// The sequences that go on for so many steps from a state, which are this part of the work.
    fn after(&mut self, state: &State, depth: u32, part: f64) -> Result<Below, PlayError> {
        self.go_deeper()?;
        let below = match (depth, self.step) {
            (0, _) => Below { turns: 1, finished: u64::from(self.over(state)) },
            (depth, Step::Turn) => self.turns(state, depth, part)?,
            (depth, Step::Decision) => self.decisions(state, depth, part)?,
        };
        self.deep -= 1;
        if part >= WHOLE || self.walker.decisions - self.told.1 >= OFTEN {
            self.report();
        }
        Ok(below)
    }

    /// One step more from the first position, of which there are not too many.
    fn go_deeper(&mut self) -> Result<(), PlayError> {
        self.deep += 1;
        if self.deep <= limits::COUNTED + 1 {
            return Ok(());
        }
        let message = format!("this is more than {} steps from the first position", limits::COUNTED);
        Err(PlayError::Limit(Code::TooManyTurns, message))
    }

    fn report(&mut self) {
        let (done, decisions) = (self.done as u64, self.walker.decisions);
        self.progress.advance(done - self.told.0);
        self.progress.count(decisions - self.told.1);
        self.told = (done, decisions);
    }

    /// Notes a part of the work as done, if none of it was noted by what it is made of.
    fn finish(&mut self, part: f64, parts: usize, depth: u32) {
        if depth <= 1 || parts == 0 || part < SMALL {
            self.done += part;
        }
    }

    /// The sequences of so many turns, at least one.
    fn turns(&mut self, state: &State, depth: u32, part: f64) -> Result<Below, PlayError> {
        let mut below = Below::default();
        if self.over(state) {
            self.finish(part, 0, depth);
            return Ok(below);
        }
        let begun = if self.by_text { Turn::default() } else { Turn::silent() };
        let mut seen = Seen::default();
        let mut next: Vec<State> = Vec::new();
        let by_text = self.by_text;
        let game = self.game;
        let mut kept = self.kept;
        self.walker.walk(game, self.machine, state, begun, |end| {
            if by_text && !seen.is_new(end.turn.text()) {
                return true;
            }
            let over = end.over;
            if depth == 1 {
                below.turns += 1;
                below.finished += u64::from(over);
            } else if !over {
                kept += end.state.bytes();
                next.push(end.state.clone());
            }
            kept <= MOST_KEPT
        })?;
        if kept > MOST_KEPT {
            return Err(too_many(next.len()));
        }
        self.finish(part, next.len(), depth);
        let each = if part < SMALL { 0.0 } else { part / next.len().max(1) as f64 };
        let before = std::mem::replace(&mut self.kept, kept);
        for state in next {
            if self.progress.stopped() {
                break;
            }
            below.add(self.after(&state, depth - 1, each)?);
            self.walker.give(state);
        }
        self.kept = before;
        Ok(below)
    }

    /// The sequences of so many decisions, at least one.
    fn decisions(&mut self, state: &State, depth: u32, part: f64) -> Result<Below, PlayError> {
        let mut below = Below::default();
        let count = if self.over(state) { 0 } else { self.machine.option_count(state) };
        let left = depth - u32::from(self.machine.seat(state).is_some());
        self.finish(part, count, left + 1);
        let each = if part < SMALL { 0.0 } else { part / count.max(1) as f64 };
        for index in 0..count {
            if self.progress.stopped() {
                break;
            }
            let mut next = self.walker.copy(state);
            self.take(&mut next, index)?;
            // Each turn may be walked as far as one whose ways are listed.
            let new_turn = self.machine.turns(&next) != self.machine.turns(state);
            let outer = new_turn.then(|| std::mem::take(&mut self.tried));
            // A game that ends with an outcome of chance has not so many decisions.
            if left < depth || !self.over(&next) {
                below.add(self.after(&next, left, each)?);
            }
            self.walker.give(next);
            self.tried = outer.unwrap_or(self.tried);
        }
        Ok(below)
    }

    fn take(&mut self, state: &mut State, index: usize) -> Result<(), PlayError> {
        self.walker.decisions += u64::from(self.machine.seat(state).is_some());
        self.machine.choose(state, index).map_err(|error| self.game.error(error))?;
        self.tried.options += 1;
        self.tried.work += self.machine.work() + state.bytes() as u64 / 64;
        check_tried(self.machine, self.tried.options, self.tried.work)
    }

    /// The first steps with the states they lead to.
    fn first(&mut self, state: &State) -> Result<Vec<(String, State)>, PlayError> {
        let mut found = Vec::new();
        if self.over(state) {
            return Ok(found);
        }
        if self.step == Step::Decision {
            self.first_decisions(state, &mut Vec::new(), &mut found)?;
            return Ok(found);
        }
        let mut seen = Seen::default();
        let (by_text, mut kept) = (self.by_text, 0);
        self.walker.walk(self.game, self.machine, state, Turn::default(), |end| {
            let text = end.turn.text();
            if !by_text || seen.is_new(text.clone()) {
                kept += text.len() + end.state.bytes();
                found.push((text, end.state.clone()));
            }
            kept <= MOST_KEPT
        })?;
        if kept > MOST_KEPT {
            return Err(too_many(found.len()));
        }
        self.kept += kept;
        Ok(found)
    }

    /// The decisions at hand, after the outcomes of chance that come before them.
    fn first_decisions(
        &mut self,
        state: &State,
        before: &mut Vec<String>,
        found: &mut Vec<(String, State)>,
    ) -> Result<(), PlayError> {
        self.go_deeper()?;
        let decides = self.machine.seat(state).is_some();
        let options = self.machine.decision(state).map(|decision| decision.options).unwrap_or_default();
        for (index, option) in options.into_iter().enumerate() {
            let mut next = state.clone();
            self.take(&mut next, index)?;
            before.push(option.key);
            if decides {
                found.push((before.join(crate::engine::BETWEEN), next));
            } else {
                self.first_decisions(&next, before, found)?;
            }
            before.pop();
        }
        self.deep -= 1;
        Ok(())
    }
}
