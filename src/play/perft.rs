//! Counting the distinct sequences of whole turns from a position. In games whose actions have notations, turns that
//! read the same count once; in others the steps of a turn multiply. A pass is a turn; a turn in which nobody decides
//! is none. A turn in which the game ends is complete with its end.

use super::error::PlayError;
use super::game::Game;
use super::turns::{Seen, Walker};
use crate::engine::{Machine, State, Status, Turn};
use serde::Serialize;

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

/// Counts from a state. Where the state asks for chance, each outcome counts as one way on, whatever its weight.
///
/// # Errors
/// [`PlayError`] if the content fails on the way, or one turn has too many ways.
pub fn perft(game: &Game, machine: &mut Machine, state: &State, depth: u32) -> Result<Count, PlayError> {
    let mut counter = Counter::new(game, machine);
    let below = match depth {
        0 => Below { turns: 1, finished: u64::from(counter.over(state)) },
        depth => counter.from(state, depth)?,
    };
    Ok(Count { depth, turns: below.turns, finished: below.finished, decisions: counter.walker.decisions })
}

/// Counts likewise, for each first turn by itself, sorted by their texts; those after which the game is over before so
/// many turns are listed with none.
///
/// # Errors
/// As [`perft`].
pub fn divide(
    game: &Game,
    machine: &mut Machine,
    state: &State,
    depth: u32,
) -> Result<(Count, Vec<Branch>), PlayError> {
    let mut counter = Counter::new(game, machine);
    let mut branches = Vec::new();
    if depth > 0 {
        for (turn, after) in counter.first_turns(state)? {
            let below = counter.after(&after, depth - 1)?;
            branches.push(Branch { turn, turns: below.turns, finished: below.finished });
        }
    }
    branches.sort_by(|one, other| one.turn.cmp(&other.turn));
    let total = |part: fn(&Branch) -> u64| branches.iter().map(part).sum();
    let (turns, finished) = (total(|branch| branch.turns), total(|branch| branch.finished));
    Ok((Count { depth, turns, finished, decisions: counter.walker.decisions }, branches))
}

#[derive(Clone, Copy, Default)]
struct Below {
    turns: u64,
    finished: u64,
}

struct Counter<'a> {
    game: &'a Game,
    machine: &'a mut Machine,
    walker: Walker,
    /// Whether turns that read the same are one.
    by_text: bool,
}

impl Counter<'_> {
    fn new<'a>(game: &'a Game, machine: &'a mut Machine) -> Counter<'a> {
        let by_text = machine.notates();
        Counter { game, machine, walker: Walker::default(), by_text }
    }

    fn over(&self, state: &State) -> bool {
        self.machine.status(state) == Status::Over
    }

    /// The sequences of so many turns, at least one, from a state.
    fn from(&mut self, state: &State, depth: u32) -> Result<Below, PlayError> {
        let mut below = Below::default();
        if self.over(state) {
            return Ok(below);
        }
        let begun = if self.by_text { Turn::default() } else { Turn::silent() };
        let mut seen = Seen::default();
        let mut next: Vec<State> = Vec::new();
        let by_text = self.by_text;
        let game = self.game;
        self.walker.walk(game, self.machine, state, begun, |end| {
            if by_text && !seen.is_new(end.turn.text()) {
                return true;
            }
            let over = end.over;
            if depth == 1 {
                below.turns += 1;
                below.finished += u64::from(over);
            } else if !over {
                next.push(end.state.clone());
            }
            true
        })?;
        for state in next {
            let more = self.from(&state, depth - 1)?;
            below.turns += more.turns;
            below.finished += more.finished;
            self.walker.give(state);
        }
        Ok(below)
    }

    /// The sequences that go on for so many turns after a first one.
    fn after(&mut self, state: &State, depth: u32) -> Result<Below, PlayError> {
        match depth {
            0 => Ok(Below { turns: 1, finished: u64::from(self.over(state)) }),
            depth => self.from(state, depth),
        }
    }

    /// The first turns with the states they lead to.
    fn first_turns(&mut self, state: &State) -> Result<Vec<(String, State)>, PlayError> {
        let mut found = Vec::new();
        let mut seen = Seen::default();
        let by_text = self.by_text;
        if !self.over(state) {
            self.walker.walk(self.game, self.machine, state, Turn::default(), |end| {
                let text = end.turn.text();
                if !by_text || seen.is_new(text.clone()) {
                    found.push((text, end.state.clone()));
                }
                true
            })?;
        }
        Ok(found)
    }
}
