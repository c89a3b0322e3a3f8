//! What a choice of an action knows of what follows: see `program/ahead.rs`.

use super::run::{Counts, Flow, R, Run, at};
use super::state::{Choice, DONE, FrameKind};
use crate::model::rules::ProcId;
use crate::program::{AfterTest, Ahead, ChooseSite, Counted, NIL, Slot, has};

/// A choice of several of which a sum must come to something.
struct Sums {
    /// The members, and what each adds.
    adds: Vec<(i64, i64)>,
    /// Fewest and most that are chosen.
    bounds: (usize, usize),
    need: i64,
    /// Whether reaching it is not enough.
    more: bool,
}

impl Sums {
    /// Whether what is picked, with one more, can be made up to a choice whose sum will do.
    fn reach(&self, picked: &[i64], next: Option<i64>, (least, most): (usize, usize)) -> bool {
        let taken = |member: i64| picked.contains(&member) || next == Some(member);
        let (mut sum, mut count, mut left) = (0i128, 0, Vec::new());
        for (member, adds) in &self.adds {
            match (taken(*member), *adds == NIL) {
                (true, true) => return false,
                (true, false) => {
                    sum += i128::from(*adds);
                    count += 1;
                }
                (false, true) => {}
                (false, false) => left.push(*adds),
            }
        }
        left.sort_unstable_by(|one, other| other.cmp(one));
        for adds in left {
            if count >= most || (adds <= 0 && count >= least) {
                break;
            }
            sum += i128::from(adds);
            count += 1;
        }
        let need = i128::from(self.need);
        count >= least && self.need != NIL && (sum > need || sum == need && !self.more)
    }
}

impl Run<'_> {
    /// Leaves the candidates of the choice at hand with which its action can be completed, if that can be told.
    pub fn leave_leading(&mut self, site: &ChooseSite, base: usize, options: &mut Vec<Choice>) -> R<()> {
        let Some((ahead, proc)) = site.ahead else { return Ok(()) };
        match ahead {
            Ahead::Flag => {
                let mut kept = 0;
                for index in 0..options.len() {
                    if self.leads(proc, base, at(base, site.d), options[index].value)? {
                        options[kept] = options[index];
                        kept += 1;
                    }
                }
                options.truncate(kept);
            }
            Ahead::Sites => {
                self.look_from(proc, base)?;
                let sites = &self.x.result;
                let inside = |value: i64| {
                    let site = value as usize;
                    sites.get(site / 64).is_some_and(|word| (word >> (site % 64)) & 1 == 1)
                };
                options.retain(|choice| inside(choice.value));
            }
            Ahead::Sum { .. } => {}
        }
        Ok(())
    }

    /// Whether a choice of several can come to what is needed, if that can be told.
    pub fn can_reach(&mut self, site: &ChooseSite, base: usize) -> R<bool> {
        Ok(self.sums(site, base)?.is_none_or(|sums| sums.reach(&[], None, sums.bounds)))
    }

    /// Leaves the next picks after which a choice of several can still come to what is needed.
    pub fn leave_reaching(&mut self, site: &ChooseSite, base: usize, options: &mut Vec<Choice>) -> R<()> {
        let Some(sums) = self.sums(site, base)? else { return Ok(()) };
        let picked = &self.st.pending.picked;
        options.retain(|choice| match choice.branch {
            DONE => sums.reach(picked, None, (picked.len(), picked.len())),
            _ => sums.reach(picked, Some(choice.value), sums.bounds),
        });
        Ok(())
    }

    /// What the members of a choice of several add to the sum that is needed, if there is one.
    fn sums(&mut self, site: &ChooseSite, base: usize) -> R<Option<Sums>> {
        let Some((Ahead::Sum { item, more }, proc)) = site.ahead else { return Ok(None) };
        let mut members = Vec::new();
        self.each_of(site.repr, at(base, site.from), |value| members.push(value));
        let bounds = self.bounds(site, base, members.len());
        if members.is_empty() {
            // What is needed is asked for in any case.
            members.push(NIL);
        }
        let mut sums = Sums { adds: Vec::new(), bounds, need: NIL, more };
        for value in members {
            let before = std::mem::replace(&mut self.st.mem[at(base, item)], value);
            let looked = self.look_from(proc, base);
            self.st.mem[at(base, item)] = before;
            looked?;
            if value != NIL {
                sums.adds.push((value, self.x.result.first().copied().unwrap_or(NIL)));
            }
            sums.need = self.x.result.get(1).copied().unwrap_or(NIL);
        }
        Ok(Some(sums))
    }

    /// While an action is tried out, says at its next choice whether it can be completed, if that can be told.
    pub fn answer_trial(&mut self, site: &ChooseSite, base: usize) -> R<Option<Flow>> {
        let Some((ahead, proc)) = site.ahead else { return Ok(None) };
        if self.st.frames.len() != self.x.tried + 1 {
            return Ok(None);
        }
        let completes = match ahead {
            Ahead::Sum { .. } => return Ok(None),
            Ahead::Sites => {
                self.look_from(proc, base)?;
                self.x.result.iter().any(|word| *word != 0)
            }
            Ahead::Flag => {
                let mut members = Vec::new();
                self.each_of(site.repr, at(base, site.from), |value| members.push(value));
                let mut found = false;
                for value in members {
                    if self.leads(proc, base, at(base, site.d), value)? {
                        found = true;
                        break;
                    }
                }
                found
            }
        };
        Ok(Some(if completes { Flow::Completes } else { Flow::Collected }))
    }

    /// Whether the action can be completed with a candidate.
    fn leads(&mut self, proc: ProcId, base: usize, d: usize, value: i64) -> R<bool> {
        let before = std::mem::replace(&mut self.st.mem[d], value);
        let looked = self.look_from(proc, base);
        self.st.mem[d] = before;
        looked?;
        Ok(self.x.result.first() == Some(&1))
    }

    /// Runs code that looks ahead, over the locals of the action; what it says is in the scratch result.
    fn look_from(&mut self, proc: ProcId, base: usize) -> R<()> {
        self.spend(16)?;
        let from = self.st.frames.last().copied().unwrap_or_else(|| self.root_frame());
        let floor = self.st.frames.len();
        let (me, this) = (self.st.mem[base], self.st.mem[base + 1]);
        let window = self.push_proc(proc, FrameKind::Eval, me, this, &from)?;
        let words = usize::from(self.p.procs[proc.index()].params);
        self.st.mem.copy_within(base + 2..base + 2 + words, window + 2);
        self.run(floor)?;
        Ok(())
    }

    /// The instruction that leaves those sites of a set that keep a condition true.
    pub fn after(&mut self, d: usize, site: usize, base: usize) -> R<()> {
        self.spend(32)?;
        match self.p.layout.site_set {
            1 => self.after_in(d, site, base, |counts| &mut counts.one),
            2 => self.after_in(d, site, base, |counts| &mut counts.two),
            3 | 4 => self.after_in(d, site, base, |counts| &mut counts.four),
            _ => self.after_in(d, site, base, |counts| &mut counts.more),
        }
        Ok(())
    }

    fn after_in<const W: usize>(
        &mut self,
        d: usize,
        site: usize,
        base: usize,
        counted: fn(&mut Counts) -> &mut Counted<W>,
    ) {
        let info = &self.p.sites.afters[site];
        let board = &self.p.boards[usize::from(info.board)];
        let sites: [u64; W] = self.load_sites(d);
        if sites == [0; W] {
            return;
        }
        let word = |slot: Slot| self.st.mem[at(base, slot)];
        let mut set: [u64; W] = self.load_sites(at(base, info.set));
        let from = (info.from != Slot::NONE).then(|| word(info.from) as u16);
        // Where what moves is not of the set, the condition speaks of others, and does not change.
        let moves = from.is_none_or(|from| has(&set, from));
        if let Some(from) = from.filter(|_| moves) {
            set[usize::from(from) / 64] &= !(1 << (from % 64));
        }
        let (AfterTest::Neighbours { n, .. } | AfterTest::Groups { n, .. }) = info.test;
        let (none, number) = ([0; W], word(n));
        let last = counted(&mut self.x.counted);
        let kept = match info.test {
            AfterTest::Neighbours { beside, op, .. } => {
                let test = |found: i64| number != NIL && op.holds(found, number);
                if moves {
                    board.keeping_near(beside, &set, &sites, test, last)
                } else if board.with_near(beside, &set, &set, test, last) == none {
                    sites
                } else {
                    none
                }
            }
            AfterTest::Groups { op, .. } => {
                let test = |found: i64| number != NIL && op.holds(found, number);
                if moves {
                    board.keeping_groups(&set, &sites, test, last)
                } else if test(board.group_count(&set)) {
                    sites
                } else {
                    none
                }
            }
        };
        self.store_sites(d, &kept);
    }
}
