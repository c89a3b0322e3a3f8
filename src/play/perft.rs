//! Counting the distinct sequences of complete turns from a position. The steps of a turn multiply; a pass is a
//! turn. A turn in which the game ends is complete with its end.

use super::error::PlayError;
use super::game::Game;
use crate::engine::{GameError, Machine, State, Status};
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

/// Counts from a state. Where the state asks for chance, each outcome counts as one way on, whatever its weight.
///
/// # Errors
/// [`PlayError`] if the content fails on the way.
pub fn perft(game: &Game, machine: &mut Machine, state: &State, depth: u32) -> Result<Count, PlayError> {
    let mut counter = Counter { machine, goal: 0, count: Count { depth, ..Count::default() }, spare: Vec::new() };
    counter.goal = counter.machine.turns(state).saturating_add(depth);
    counter.from(state).map_err(|error| game.error(error))?;
    Ok(counter.count)
}

struct Counter<'a> {
    machine: &'a mut Machine,
    goal: u32,
    count: Count,
    spare: Vec<State>,
}

impl Counter<'_> {
    fn from(&mut self, state: &State) -> Result<(), GameError> {
        if self.machine.turns(state) >= self.goal {
            self.count.turns += 1;
            self.count.finished += u64::from(self.machine.status(state) == Status::Over);
            return Ok(());
        }
        if self.machine.status(state) == Status::Over {
            return Ok(());
        }
        let turn = self.machine.turns(state);
        let mut next = self.spare.pop().unwrap_or_else(|| state.clone());
        for index in 0..self.machine.option_count(state) {
            next.clone_from(state);
            let status = self.machine.choose(&mut next, index)?;
            self.count.decisions += u64::from(self.machine.seat(state).is_some());
            if status == Status::Over {
                self.finish(turn, &next);
            } else {
                self.from(&next)?;
            }
        }
        self.spare.push(next);
        Ok(())
    }

    /// A game that ends within a turn has completed that turn.
    fn finish(&mut self, turn: u32, over: &State) {
        if self.machine.turns(over).max(turn + 1) == self.goal {
            self.count.turns += 1;
            self.count.finished += 1;
        }
    }
}
