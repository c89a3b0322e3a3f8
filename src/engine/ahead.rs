//! What a choice of an action knows of what follows: see `program/ahead.rs`.

use super::boards::{Counts, counting};
use super::run::{Flow, NOT_BEGUN, R, Run, at};
use super::state::{Choice, DONE, FrameKind};
use crate::model::rules::ProcId;
use crate::program::{
    ActionCode, AfterTest, Ahead, ChooseSite, Counted, LeadingSite, NIL, Slot, Test, Topology, When, each_word, has,
    insert, members,
};

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
    /// What looks ahead of a choice, where it can be asked.
    pub(super) fn ahead(&self, site: &ChooseSite) -> Option<(Ahead, ProcId)> {
        let (ahead, proc, when) = site.ahead?;
        self.is_time(when).then_some((ahead, proc))
    }

    /// Whether the first choice of an action knows which of its candidates lead somewhere.
    pub(super) fn looks_ahead(&self, action: &ActionCode) -> bool {
        action.ahead.is_some_and(|when| self.is_time(when))
    }

    fn is_time(&self, when: When) -> bool {
        let is_flat = |covered: u16| self.st.mem[usize::from(covered)] == 0;
        when == When::Always || self.p.layout.boards.iter().all(|board| is_flat(board.covered))
    }

    /// Leaves the candidates of the choice at hand with which its action can be completed, if that can be told; or only the first
    /// of them, where they are asked one by one and any is enough.
    pub fn leave_leading(&mut self, site: &ChooseSite, base: usize, options: &mut Vec<Choice>, any: bool) -> R<()> {
        let Some((ahead, proc)) = self.ahead(site) else { return Ok(()) };
        match ahead {
            Ahead::Flag => {
                let mut kept = 0;
                for index in 0..options.len() {
                    if self.leads(proc, base, at(base, site.d), options[index].value)? {
                        options[kept] = options[index];
                        kept += 1;
                        if any {
                            break;
                        }
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

    /// Whether a choice of several can come to the sum that is needed, if that is all that is asked of it.
    pub fn can_reach(&mut self, site: &ChooseSite, base: usize) -> R<bool> {
        Ok(self.sums(site, base)?.is_none_or(|sums| sums.reach(&[], None, sums.bounds)))
    }

    /// Leaves the next picks after which a choice of several can still come to the sum that is needed.
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
        let Some((Ahead::Sum { item, more }, proc)) = self.ahead(site) else { return Ok(None) };
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
        let Some((ahead, proc)) = self.ahead(site) else { return Ok(None) };
        if self.st.frames.len() != self.x.tried + 1 || self.x.dead_ends.is_some() {
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
                self.members_of(site, base, &mut members)?;
                let mut found = false;
                for member in members {
                    if self.leads(proc, base, at(base, site.d), member.value)? {
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
    pub(super) fn leads(&mut self, proc: ProcId, base: usize, d: usize, value: i64) -> R<bool> {
        let before = std::mem::replace(&mut self.st.mem[d], value);
        let looked = self.look_from(proc, base);
        self.st.mem[d] = before;
        looked?;
        Ok(self.x.result.first() == Some(&1))
    }

    /// Runs code that looks ahead, over the locals of the action; what it says is in the scratch result.
    pub(super) fn look_from(&mut self, proc: ProcId, base: usize) -> R<()> {
        self.look_with(proc, base, &[])
    }

    /// Likewise with more words than the locals.
    pub(super) fn look_with(&mut self, proc: ProcId, base: usize, more: &[i64]) -> R<()> {
        let from = self.st.frames.last().copied().unwrap_or(NOT_BEGUN);
        let floor = self.st.frames.len();
        let (me, this) = (self.st.mem[base], self.st.mem[base + 1]);
        let window = self.push_proc(proc, FrameKind::Eval, me, this, &from)?;
        let words = usize::from(self.p.procs[proc.index()].params);
        self.st.mem.copy_within(base + 2..base + 2 + words, window + 2);
        self.st.mem[window + 2 + words..window + 2 + words + more.len()].copy_from_slice(more);
        self.run(floor)?;
        Ok(())
    }

    /// The instruction that leaves those sites of a set that keep a condition true.
    pub fn after(&mut self, d: usize, site: usize, base: usize) -> R<()> {
        self.spend_on_board(self.p.sites.afters[site].board)?;
        counting!(self, after_in(d, site, base));
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
        let sites: [u64; W] = self.load_sites(d);
        if sites == [0; W] {
            return;
        }
        let from = (info.from != Slot::NONE).then(|| self.st.mem[at(base, info.from)] as u16);
        let tested = self.tested((info.set, info.test), base);
        let board = &self.p.boards[usize::from(info.board)];
        let kept = tested.keeping(board, from, &sites, counted(&mut self.x.counted));
        self.store_sites(d, &kept);
    }

    /// The instruction that leaves those sites of a set from which a step keeps conditions true.
    pub fn leading(&mut self, d: usize, site: usize, base: usize) -> R<()> {
        counting!(self, leading_in(d, site, base))
    }

    fn leading_in<const W: usize>(
        &mut self,
        d: usize,
        site: usize,
        base: usize,
        counted: fn(&mut Counts) -> &mut Counted<W>,
    ) -> R<()> {
        let info = &self.p.sites.leadings[site];
        let board = &self.p.boards[usize::from(info.board)];
        let mut starts: [u64; W] = self.load_sites(d);
        let among: [u64; W] = self.load_sites(at(base, info.among));
        let tested: [Option<Tested<W>>; LeadingSite::MOST] =
            std::array::from_fn(|index| info.tests.get(index).map(|test| self.tested(*test, base)));
        for test in tested.iter().flatten() {
            starts = test.relieving(board, &starts, counted(&mut self.x.counted));
        }
        let mut kept = [0; W];
        for from in members(&starts) {
            self.spend_on_board(info.board)?;
            let row: [u64; W] = board.row(info.beside, from);
            let mut ends = each_word(&among, |word, bits| bits & row[word]);
            for test in tested.iter().flatten() {
                if ends == [0; W] {
                    break;
                }
                ends = test.keeping(board, Some(from), &ends, counted(&mut self.x.counted));
            }
            if ends != [0; W] {
                insert(&mut kept, from);
                if info.one {
                    break;
                }
            }
        }
        self.store_sites(d, &kept);
        Ok(())
    }

    /// A condition with its values.
    #[inline(always)]
    fn tested<const W: usize>(&self, (set, test): (Slot, AfterTest), base: usize) -> Tested<W> {
        let (AfterTest::Neighbours { op, n, .. } | AfterTest::Groups { op, n }) = test;
        let beside = match test {
            AfterTest::Neighbours { beside, .. } => Some(beside),
            AfterTest::Groups { .. } => None,
        };
        Tested { set: self.load_sites(at(base, set)), beside, test: Test { op, n: self.st.mem[at(base, n)] } }
    }
}

/// A condition over a set of sites: of its members' neighbours, those over sides only or all, or of its groups.
struct Tested<const W: usize> {
    set: [u64; W],
    beside: Option<bool>,
    test: Test,
}

impl<const W: usize> Tested<W> {
    /// Those of some sites that what moves may come from, as far as that can be told for all at once.
    fn relieving(&self, board: &Topology, sites: &[u64; W], last: &mut Counted<W>) -> [u64; W] {
        let Some(beside) = self.beside else { return *sites };
        let moving = each_word(sites, |word, bits| bits & self.set[word]);
        let found = board.relieving(beside, &self.set, &moving, self.test, last);
        each_word(&found, |word, bits| bits | (sites[word] & !self.set[word]))
    }

    /// Those of some sites that keep it true if a piece comes there, from a site or as one more.
    #[inline]
    fn keeping(&self, board: &Topology, from: Option<u16>, sites: &[u64; W], last: &mut Counted<W>) -> [u64; W] {
        let (set, test) = (&self.set, self.test);
        if from.is_none_or(|from| has(set, from)) {
            return match self.beside {
                Some(beside) => board.keeping_near(beside, (set, from), sites, test, last),
                None => board.keeping_groups((set, from), sites, test, last),
            };
        }
        // What moves is not of the set: the condition speaks of others, and does not change.
        let holds = match self.beside {
            Some(beside) => board.with_near(beside, set, set, test, last) == [0; W],
            None => test.holds(board.group_count(set)),
        };
        if holds { *sites } else { [0; W] }
    }
}
