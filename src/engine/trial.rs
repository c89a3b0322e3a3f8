//! Trying out: whether an action can be completed from a candidate, on a copy of the state.

use super::budget::price;
use super::hidden;
use super::run::{Flow, R, Run, at};
use super::scratch::{Collecting, Wanted};
use super::state::{Choice, EARLIER, FrameKind, NONE, PendingKind, State};
use crate::model::rules::ActionId;
use crate::program::{ChooseSite, NIL, Program};

/// How deep actions are tried out.
const MAX_PROBE: u16 = 24;
/// Candidates tried at one step of trying out an action.
const MAX_TRIED: usize = 4_096;

impl Run<'_> {
    /// Whether a seat has left the game: whoever has is not asked any more.
    pub(super) fn is_out(&self, seat: i64) -> bool {
        (0..64).contains(&seat) && self.playing() >> seat & 1 == 0
    }

    /// `P can ACTION`.
    pub fn can(&mut self, player: i64, site: usize, base: usize) -> R<bool> {
        let info = &self.p.sites.cans[site];
        let event = self.st.frames.last().map_or(NONE, |frame| frame.event);
        let mut found = Vec::new();
        // Where nothing is tried out, one first choice tells as much as all.
        let wanted = if self.p.actions[info.action.index()].lookahead { Wanted::Any } else { Wanted::Whether };
        // An action that asks this may be opened itself.
        let outer = std::mem::replace(&mut self.x.collecting, Collecting { wanted, ..Collecting::default() });
        let opened = self.openings(info.action, player, at(base, info.args), event, &mut found);
        self.x.collecting = outer;
        opened?;
        Ok(!found.is_empty())
    }

    /// Leaves the candidates that `lead` leaves. What follows a choice can ask for the order of things that are alike,
    /// so where one of a group does not lead on, the others are asked, too.
    pub(super) fn leave_of(
        &mut self,
        site: &ChooseSite,
        base: usize,
        (options, merged): (&mut Vec<Choice>, bool),
        mut lead: impl FnMut(&mut Self, &mut Vec<Choice>) -> R<()>,
    ) -> R<()> {
        let before = options.len();
        lead(self, options)?;
        if merged && options.len() < before {
            options.clear();
            self.members_of(site, base, options)?;
            lead(self, options)?;
            self.merge(site, base, options)?;
            self.veil(site, base, 0, options)?;
        }
        Ok(())
    }

    /// Leaves the answers to the decision at hand that lead somewhere, in the action whose frame stands at `depth`.
    pub(super) fn prune(&mut self, options: &mut Vec<Choice>, depth: usize) -> R<()> {
        let top = self.st.frames.len() - 1;
        let mut kept = Vec::new();
        for choice in options.iter() {
            let mut trial = self.borrow_state();
            trial.frames[top].pc -= 1;
            trial.pending.answer = Some(*choice);
            trial.pending.kind = PendingKind::None;
            if self.completes(trial, depth)? {
                kept.push(*choice);
            }
        }
        *options = kept;
        Ok(())
    }

    /// The same, or one of them where one is enough.
    pub(super) fn leave_answers(&mut self, options: &mut Vec<Choice>, depth: usize) -> R<()> {
        if self.leave_one(options, false, |run, options| run.prune(options, depth))? {
            return Ok(());
        }
        self.prune(options, depth)
    }

    /// The place of the action in which the decision at hand must not lead into a dead end. Somebody else's within a verb
    /// is theirs alone.
    pub(super) fn searched(&self, seat: i64) -> Option<usize> {
        if self.x.probing > 0 {
            return None;
        }
        searched(self.p, self.st, seat, self.st.frames.last()?.pc)
    }

    /// Whether a seat decides here while somebody else's action is tried out: what others decide is not looked at, nor whether
    /// there is anything to decide, which may be a secret of theirs.
    pub(super) fn ends_trial(&self, seat: i64) -> bool {
        let tried = self.st.frames.get(self.x.tried).filter(|_| self.x.probing > 0);
        tried.is_some_and(|frame| self.st.mem[frame.base as usize] != seat)
    }

    /// A scratch copy of the state.
    pub fn borrow_state(&mut self) -> State {
        match self.x.pool.pop() {
            Some(mut state) => {
                state.clone_from(self.st);
                state
            }
            None => self.st.clone(),
        }
    }

    /// Leaves the first choices with which an action can be completed, or any one of them.
    pub(super) fn leave_completing(
        &mut self,
        action: ActionId,
        by: i64,
        args: usize,
        event: u32,
        (found, any): (&mut Vec<Choice>, bool),
    ) -> R<()> {
        let mut kept = 0;
        for index in 0..found.len() {
            if self.can_complete(action, by, args, found[index].value, event)? {
                found[kept] = found[index];
                kept += 1;
                if any {
                    break;
                }
            }
        }
        found.truncate(kept);
        Ok(())
    }

    /// Whether an action begun with a value can be completed.
    pub(super) fn can_complete(&mut self, action: ActionId, by: i64, args: usize, value: i64, event: u32) -> R<bool> {
        let mut trial = self.borrow_state();
        let depth = trial.frames.len();
        Run { p: self.p, st: &mut trial, x: self.x, tongue: self.tongue }
            .push_action(action, by, args, event, value)?;
        self.completes(trial, depth)
    }

    /// Whether the action whose frame stands at `depth` of a trial can come to its end, as far as its player can know:
    /// what comes after a card that they have not seen before is not looked at.
    pub(super) fn completes(&mut self, mut trial: State, depth: usize) -> R<bool> {
        let by = trial.frames.get(depth).map_or(NIL, |frame| trial.mem[frame.base as usize]);
        let completes = Run { p: self.p, st: &mut trial, x: self.x, tongue: self.tongue }.completes_here(depth)?
            || self.p.layout.closed && hidden::has_learnt(self.p, self.st, &trial, by);
        self.x.pool.push(trial);
        Ok(completes)
    }

    /// Whether the action whose frame stands at `depth` can come to its end from here.
    fn completes_here(&mut self, depth: usize) -> R<bool> {
        // What lies so deep is left for last: another way may be shorter.
        if self.x.probing >= MAX_PROBE {
            self.x.too_deep = true;
            return Ok(false);
        }
        if self.x.probing == 0 {
            self.x.too_deep = false;
        }
        // Who answers a question is behind it: what they may pass by there, they have not passed by.
        let answers = self.st.pending.answer.is_some() && self.st.frames.len() == depth + 1;
        let until =
            self.st.frames.get(depth).map_or(0, |frame| fails_until(self.p, frame.proc, frame.pc + u32::from(answers)));
        self.spend(price::TRIAL + self.st.copied() as u64 / 32)?;
        self.x.probing += 1;
        let outer = std::mem::replace(&mut self.x.tried, depth);
        let (trace, rounds) = (self.x.trace.take(), std::mem::take(&mut self.x.rounds));
        let flow = self.run(depth);
        (self.x.trace, self.x.rounds) = (trace, rounds);
        let result = match flow {
            Ok(Flow::Returned | Flow::Over | Flow::Completes) => Ok(true),
            Ok(Flow::Suspended) => match self.try_options(depth, until) {
                Ok(false) if self.x.probing == 1 && self.x.too_deep => Err(self.error(
                    crate::base::Code::BudgetSpent,
                    "an action has too many steps to be tried out: no short way through it was found".to_owned(),
                )),
                tried => tried,
            },
            Ok(Flow::Collected | Flow::Go) => Ok(false),
            Err(error) => Err(error),
        };
        self.x.probing -= 1;
        self.x.tried = outer;
        result
    }

    /// Whether one of the answers to what is asked leads on, where what can fail stands before `until`.
    fn try_options(&mut self, depth: usize, until: u32) -> R<bool> {
        let Some(frame) = self.st.frames.get(depth) else { return Ok(true) };
        let asked = match self.st.pending.kind {
            PendingKind::Choose | PendingKind::Split | PendingKind::Option | PendingKind::Ask => true,
            PendingKind::Script => self.st.pending.seat == self.st.mem[frame.base as usize],
            _ => false,
        };
        // Behind what has asked.
        let next = frame.pc + u32::from(self.st.frames.len() == depth + 1);
        if !asked || next >= until {
            // Another player's decision or chance, or nothing is left to restrict it.
            return Ok(true);
        }
        let site = self.p.sites.chooses.get(self.st.pending.site as usize);
        if let Some(site) = site.filter(|site| self.st.pending.kind == PendingKind::Choose && site.is_whole()) {
            let base = self.st.frames.last().map_or(0, |frame| frame.base as usize);
            return self.some_picks(site, base, depth);
        }
        // One of the first mostly leads on: the others are not listed.
        let mut tried = 0;
        let mut next = 0;
        while let Some(choice) = self.option(next).filter(|_| tried < MAX_TRIED) {
            next += 1;
            if choice.branch == EARLIER {
                continue;
            }
            tried += 1;
            let mut trial = self.borrow_state();
            trial.pending.answer = Some(choice);
            trial.pending.kind = PendingKind::None;
            if self.completes(trial, depth)? {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

/// The place of the innermost action that can still come to a dead end, if the decision of a seat is part of it: `next` is
/// where the innermost frame goes on.
pub(super) fn searched(program: &Program, state: &State, seat: i64, next: u32) -> Option<usize> {
    let top = state.frames.len().checked_sub(1)?;
    state.frames.iter().enumerate().rposition(|(index, frame)| {
        let (goes_on, by) = if index == top { (next, seat) } else { (frame.pc, state.mem[frame.base as usize]) };
        frame.kind == FrameKind::Proc && goes_on < fails_until(program, frame.proc, goes_on) && by == seat
    })
}

/// Before which instruction of an action all stands that can make it a dead end from here on. Where it cannot any more,
/// what its player can pass by still can, once they are in it.
fn fails_until(program: &Program, proc: u32, at: u32) -> u32 {
    let until = program.tried.get(proc as usize).copied().unwrap_or(0);
    if at < until {
        return until;
    }
    let byways = program.byways.get(proc as usize).into_iter().flatten();
    let around = byways.filter(|(from, to)| *from < at && at < *to);
    around.map(|(_, to)| *to).max().unwrap_or(0)
}
