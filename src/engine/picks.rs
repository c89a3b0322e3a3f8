//! Choices of several that an `ensure` restricts: which picks can be made up to a choice with which the action can be
//! completed.
//!
//! Whole choices are searched, depth first, each at most once. One that does holds for all its members; a member that is
//! in none is left out of what is searched after it. Where the condition can be worked out from the picks alone, its code
//! is asked (`program/ahead.rs`); else each choice is tried out on a copy of the state.

use super::choose::bit_of;
use super::run::{R, Run, at};
use super::state::{Choice, DONE, PendingKind, slot_of};
use crate::model::rules::{ProcId, Ty};
use crate::program::{Ahead, ChooseSite, NIL};

/// The choice that is searched.
struct Picks<'a> {
    site: &'a ChooseSite,
    base: usize,
    /// Where the frame of the action stands.
    depth: usize,
    /// How far before the next instruction of the innermost frame the one stands that chooses.
    back: u32,
    members: Vec<i64>,
    /// For each member, the one before it that is alike: it is picked first.
    alike: Vec<Option<usize>>,
    /// Whether each is picked, and how many are.
    picked: Vec<bool>,
    count: usize,
    /// Whether each is known to be in no choice that does.
    barred: Vec<bool>,
    least: usize,
    most: usize,
    /// What lies where the picks are put, the picks themselves, and what is within reach as a set: room that is used again.
    before: Vec<i64>,
    values: Vec<i64>,
    reach: Vec<i64>,
}

impl Picks<'_> {
    fn pick(&mut self, index: usize, picked: bool) {
        self.picked[index] = picked;
        self.count = if picked { self.count + 1 } else { self.count - 1 };
    }

    /// The next member from a position on with which the search goes on.
    fn next(&self, from: usize) -> Option<usize> {
        let left = self.members.len().checked_sub(from)?;
        if self.count >= self.most || self.count + left < self.least {
            return None;
        }
        let free = |index: &usize| {
            !self.picked[*index] && !self.barred[*index] && self.alike[*index].is_none_or(|first| self.picked[first])
        };
        (from..self.members.len()).find(free)
    }

    /// Makes the set of what is picked and what may still be, from a position on.
    fn reach(&mut self, from: usize) {
        self.reach.fill(0);
        for (index, value) in self.members.iter().enumerate() {
            if (self.picked[index] || index >= from && !self.barred[index])
                && let Some(bit) = bit_of(self.site.repr, *value)
            {
                self.reach[bit / 64] |= 1 << (bit % 64);
            }
        }
    }

    /// Gathers what is picked.
    fn gather(&mut self) {
        self.values.clear();
        let picked = self.members.iter().zip(&self.picked).filter(|(_, picked)| **picked);
        self.values.extend(picked.map(|(value, _)| *value));
    }
}

impl Run<'_> {
    /// Leaves the next picks of the choice of several at hand after which its action can still be completed.
    pub(super) fn leave_picks(
        &mut self,
        site: &ChooseSite,
        base: usize,
        depth: usize,
        options: &mut Vec<Choice>,
    ) -> R<()> {
        let made = self.st.pending.picked.clone();
        let mut picks = self.picks((site, base), depth, 1, &made);
        let mut found = vec![false; picks.members.len()];
        let mut kept = Vec::new();
        for choice in options.iter() {
            let index = picks.members.iter().position(|value| *value == choice.value);
            let does = match index {
                _ if choice.branch == DONE => self.does(&mut picks)?,
                Some(index) if !found[index] => {
                    picks.pick(index, true);
                    let before = picks.picked.clone();
                    if self.search(&mut picks)? {
                        found.iter_mut().zip(&picks.picked).for_each(|(found, picked)| *found |= picked);
                        picks.count = before.iter().filter(|picked| **picked).count();
                        picks.picked = before;
                    }
                    picks.pick(index, false);
                    picks.barred[index] = !found[index];
                    found[index]
                }
                Some(_) => true,
                None => false,
            };
            if does {
                kept.push(*choice);
            }
        }
        *options = kept;
        Ok(())
    }

    /// Whether an action can begin with a choice of several, as far as that can be told without doing anything.
    pub(super) fn can_begin(&mut self, site: &ChooseSite, base: usize) -> R<bool> {
        match self.ahead(site) {
            Some((Ahead::Flag, _)) if site.is_whole() => {
                let mut picks = self.picks((site, base), self.st.frames.len() - 1, 0, &[]);
                self.search(&mut picks)
            }
            _ => self.can_reach(site, base),
        }
    }

    /// Whether the choice of several at hand, which has been asked, can be made so that its action can be completed.
    pub(super) fn some_picks(&mut self, site: &ChooseSite, base: usize, depth: usize) -> R<bool> {
        let made = self.st.pending.picked.clone();
        let mut picks = self.picks((site, base), depth, 0, &made);
        self.search(&mut picks)
    }

    /// What is searched; its instruction stands so far `back`.
    fn picks<'s>(&self, (site, base): (&'s ChooseSite, usize), depth: usize, back: u32, made: &[i64]) -> Picks<'s> {
        let mut members = Vec::new();
        self.each_of(site.repr, at(base, site.from), |value| members.push(value));
        let (least, most) = self.bounds(site, base, members.len());
        let merged = self.p.layout.alike && matches!(site.ty, Ty::Entity(_));
        let by = self.chooser(site.by, base);
        let mut alike = vec![None; members.len()];
        for index in 0..members.len() {
            let Some(slot) = slot_of(members[index]).filter(|_| merged && self.merges(members[index])) else {
                continue;
            };
            let same = |other: &usize| {
                let other = members[*other];
                slot_of(other).is_some_and(|other| self.interchangeable(other, slot, by)) && self.merges(other)
            };
            alike[index] = (0..index).rev().find(same);
        }
        let picked: Vec<bool> = members.iter().map(|value| made.contains(value)).collect();
        let (count, barred) = (picked.iter().filter(|picked| **picked).count(), vec![false; members.len()]);
        let (d, words) = (at(base, site.d), usize::from(self.p.layout.set_words(site.repr)));
        let before = self.st.mem[d..d + words].to_vec();
        let (values, reach) = (Vec::with_capacity(members.len()), vec![0; words]);
        Picks { site, base, depth, back, members, alike, picked, count, barred, least, most, before, values, reach }
    }

    /// Goes on to pick until the action can be completed; takes back what does not lead there.
    fn search(&mut self, picks: &mut Picks<'_>) -> R<bool> {
        if !self.may_do(picks, 0)? {
            return Ok(false);
        }
        if self.does(picks)? {
            return Ok(true);
        }
        let (mut trail, mut next) = (Vec::new(), 0);
        loop {
            match picks.next(next) {
                Some(index) => {
                    picks.pick(index, true);
                    trail.push(index);
                    next = index + 1;
                    if !self.may_do(picks, next)? {
                        picks.pick(index, false);
                        trail.pop();
                    } else if self.does(picks)? {
                        return Ok(true);
                    }
                }
                None => {
                    let Some(index) = trail.pop() else { return Ok(false) };
                    picks.pick(index, false);
                    next = index + 1;
                }
            }
        }
    }

    /// Whether the action can be completed with what is picked.
    fn does(&mut self, picks: &mut Picks<'_>) -> R<bool> {
        self.spend_on(picks.members.len())?;
        if picks.count < picks.least {
            return Ok(false);
        }
        if let Some((Ahead::Flag, proc)) = self.ahead(picks.site) {
            return self.asked(picks, proc, &[]);
        }
        picks.gather();
        let mut trial = self.borrow_state();
        if let Some(top) = trial.frames.last_mut() {
            top.pc -= picks.back;
        }
        trial.pending.picked.clone_from(&picks.values);
        trial.pending.answer = Some(Choice { branch: DONE, value: NIL, weight: 1 });
        trial.pending.kind = PendingKind::None;
        self.completes(trial, picks.depth)
    }

    /// Whether what is picked, with more from a position on, can still do, as far as that can be told.
    fn may_do(&mut self, picks: &mut Picks<'_>, from: usize) -> R<bool> {
        match picks.site.bound {
            Some(bound) if picks.count > 0 => {
                picks.reach(from);
                let reach = std::mem::take(&mut picks.reach);
                let answer = self.asked(picks, bound, &reach);
                picks.reach = reach;
                answer
            }
            _ => Ok(true),
        }
    }

    /// What a procedure says of what is picked, which takes more words than the locals of the action.
    fn asked(&mut self, picks: &mut Picks<'_>, proc: ProcId, more: &[i64]) -> R<bool> {
        picks.gather();
        self.store_picks(picks.site, picks.base, &picks.values);
        let looked = self.look_with(proc, picks.base, more);
        let d = at(picks.base, picks.site.d);
        self.st.mem[d..d + picks.before.len()].copy_from_slice(&picks.before);
        looked?;
        Ok(self.x.result.first() == Some(&1))
    }
}
