//! The meter for work. Everything that content makes the engine do is paid for in units, so that nothing takes longer than
//! about two seconds before it is stopped with a code and its line.
//!
//! A unit is what one instruction takes, 6 ns at the most. Instructions are paid for where a loop jumps back and where
//! the loop over plain instructions is left; calls, turns, events, trials and whatever grows with the size of the game
//! are paid for where they are done. Scripts are paid for by their operations. The budget is filled up at every decision.

use super::Machine;
use super::api::GameError;
use super::run::{R, Run};
use super::state::FrameKind;
use super::straight;
use crate::base::{Code, limits};
use crate::program::{Op, Program};

/// Units from one decision to the next.
pub(super) const BUDGET: u64 = limits::WORK;
/// Options of one decision at the most.
pub(super) const MAX_OPTIONS: usize = limits::OPTIONS;
/// Frames at the most.
pub(super) const MAX_FRAMES: usize = limits::FRAMES;
/// Armed rules and waiting hooks at the most.
pub(super) const MAX_ARMED: usize = limits::ARMED;
pub(super) const MAX_WAITING: usize = limits::WAITING;

/// What things cost.
pub(super) mod price {
    /// One turn of a loop, besides its instructions.
    pub const LOOP: u64 = 8;
    /// Entering a procedure.
    pub const CALL: u64 = 8;
    /// An instruction that is not plain.
    pub const STATEMENT: u64 = 4;
    /// A turn of a player. Turns in which nobody decides are few in any game.
    pub const TURN: u64 = 1_000;
    /// An event.
    pub const EVENT: u64 = 16;
    /// A text that is made for the log, whether somebody reads it or not.
    pub const NOTE: u64 = 250;
    /// Trying an option out, besides copying the state.
    pub const TRIAL: u64 = 64;
    /// One operation of a script.
    pub const OPERATION: u64 = 8;
}

impl Machine {
    /// Lets the work from one decision to the next take other than the usual number of units.
    pub fn limit_work(&mut self, units: u64) {
        self.limit = units;
    }

    /// How many units of work one step may take.
    pub fn work_limit(&self) -> u64 {
        self.limit
    }

    /// How many units of work the last step took.
    pub fn work(&self) -> u64 {
        self.limit.saturating_sub(self.scratch.budget)
    }

    pub(super) fn refill_budget(&mut self) {
        self.scratch.budget = self.limit;
        self.scratch.idle_turns = 0;
        self.scratch.idle_rounds.clear();
        if let Some(leaks) = &mut self.scratch.leaks {
            leaks.refill();
        }
    }
}

impl Run<'_> {
    /// Takes from the budget.
    #[inline]
    pub fn spend(&mut self, amount: u64) -> R<()> {
        match self.x.budget.checked_sub(amount) {
            Some(left) => {
                self.x.budget = left;
                Ok(())
            }
            None => Err(self.over_budget()),
        }
    }

    /// Takes from the budget for looking at so many things.
    #[inline]
    pub fn spend_on(&mut self, things: usize) -> R<()> {
        self.spend(things as u64 / 4)
    }

    /// Takes from the budget for walking over a board.
    #[inline]
    pub fn spend_on_board(&mut self, board: impl Into<usize>) -> R<()> {
        self.spend(flood(self.p, board.into()))
    }

    /// Whether a decision has no more options than it may, with those that are not listed.
    pub fn few_enough(&self, options: usize) -> R<()> {
        if options + self.kept_open() as usize <= MAX_OPTIONS {
            return Ok(());
        }
        Err(self.error(Code::TooManyOptions, format!("a decision with more than {MAX_OPTIONS} options")))
    }

    /// The error of a budget that is spent. Where turns go round without a decision, they are the cause; else what is done
    /// at this moment is most likely part of it.
    #[cold]
    #[inline(never)]
    pub fn over_budget(&self) -> Box<GameError> {
        if self.x.idle_turns >= IDLE {
            let message =
                format!("these turns go round for ever: {} of them, and nobody has to decide", self.x.idle_turns);
            return self.error_of_loop(message, self.turns_under_way());
        }
        if let Some((rounds, index, span)) = self.repeat_under_way() {
            let message = format!(
                "this `repeat` goes round for ever: {} times, and nobody has to decide",
                limits::grouped(rounds)
            );
            return self.error_of_loop(message, Some((index, span)));
        }
        self.error(Code::BudgetSpent, self.all_spent())
    }

    /// The error of a loop that is the cause: how many procedures lie above it, and where it stands.
    fn error_of_loop(&self, message: String, found: Option<(usize, crate::base::Span)>) -> Box<GameError> {
        let mut error = self.error(Code::BudgetSpent, message);
        if let Some((index, span)) = found {
            error.span = span;
            error.causes.drain(..index.min(error.causes.len()));
            if let Some(cause) = error.causes.first_mut() {
                cause.span = span;
            }
        }
        error
    }

    /// A `repeat` begins anew. What went round in it has ended.
    pub fn goes_round(&mut self) {
        if self.x.probing > 0 {
            return;
        }
        let depth = self.st.frames.len();
        let Some(pc) = self.st.frames.last().map(|frame| frame.pc) else { return };
        let rounds = &mut self.x.idle_rounds;
        rounds.retain(|known| known.depth < depth || (known.depth == depth && known.pc >= pc));
        if let Some(known) = rounds.iter_mut().find(|known| known.depth == depth && known.pc == pc) {
            known.count += 1;
        } else if rounds.len() < COUNTED {
            rounds.push(Rounds { depth, pc, count: 1 });
        }
    }

    /// The outermost `repeat` that has gone round too often: how often, how many procedures lie above it, and where it stands.
    fn repeat_under_way(&self) -> Option<(u64, usize, crate::base::Span)> {
        let idle = self.x.idle_rounds.iter().filter(|known| known.count >= IDLE && self.x.probing == 0);
        let found = idle.min_by_key(|known| (known.depth, std::cmp::Reverse(known.pc)))?;
        let above = self.st.frames.iter().skip(found.depth);
        let above = above.filter(|frame| matches!(frame.kind, FrameKind::Proc | FrameKind::Eval)).count();
        Some((found.count, above, *self.p.spans.get(found.pc.checked_sub(1)? as usize)?))
    }

    /// What was spent, and on what at last.
    fn all_spent(&self) -> String {
        let units = limits::grouped(self.p.rules.work.unwrap_or(BUDGET));
        let trying = if self.x.probing > 0 { ", in looking ahead of a decision" } else { "" };
        let message = format!("the work of one step, {units} units, is spent, the last of it here{trying}");
        match self.p.rules.work {
            Some(limits::MOST_WORK) => message,
            _ => format!("{message}: this goes on for ever, or `work` under `[bounds]` in the manifest has to be more"),
        }
    }

    /// The error of an instruction that only reads and writes memory: its numbers cannot be calculated with, or it
    /// jumps back without a budget.
    #[cold]
    #[inline(never)]
    pub fn failed(&mut self, op: Op, base: usize) -> Box<GameError> {
        match straight::operands(op, &self.st.mem, base) {
            Some((a, b)) => self.error(Code::Arithmetic, format!("cannot calculate with {a} and {b}")),
            None => self.over_budget(),
        }
    }

    /// The innermost `turns` under way: how many procedures lie above it, and where it stands.
    fn turns_under_way(&self) -> Option<(usize, crate::base::Span)> {
        let procs = self.st.frames.iter().rev().filter(|frame| matches!(frame.kind, FrameKind::Proc | FrameKind::Eval));
        let turns = || self.p.sites.turns.iter().filter(|site| site.turns);
        procs.enumerate().find_map(|(above, frame)| {
            let site = turns().filter(|site| site.holds(frame.pc)).min_by_key(|site| site.range.1 - site.range.0)?;
            Some((above, *self.p.spans.get(site.range.0 as usize)?))
        })
    }
}

/// What it costs to walk over all sites of a board: each step takes as many words as a set of sites has.
#[inline]
pub(super) fn flood(p: &Program, board: usize) -> u64 {
    8 + u64::from(p.boards[board].sites) * u64::from(p.layout.site_set) / 16
}

/// So many turns, or rounds of a `repeat`, without a decision are taken for the cause.
const IDLE: u64 = 1_000;
/// Of so many loops that lie within one another the rounds are counted.
const COUNTED: usize = 32;

/// How often a `repeat` has gone round since the last decision.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rounds {
    /// How many frames there are, that of the procedure in which it stands included.
    depth: usize,
    /// The instruction behind its end.
    pc: u32,
    count: u64,
}
