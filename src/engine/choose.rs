//! Decisions of players: what may be chosen, and what becomes of the answer.

use super::boards::for_each;
use super::run::{Flow, NOT_BEGUN, R, Run, at};
use super::scratch::{Collecting, Wanted};
use super::state::{Choice, DONE, EARLIER, Frame, FrameKind, Mode, NONE, PASS, PendingKind, slot_of};
use super::straight;
use super::words::Eyes;
use crate::model::rules::{ActionId, Ty};
use crate::program::{ActionSite, Ahead, ChooseSite, FirstChoice, NIL, Repr, Slot};
use std::borrow::Cow;

/// A branch that stands for an action without a first choice.
pub(super) const WHOLE: i64 = NIL;
/// Numbers that can be chosen from.
pub(super) const MAX_NUMBERS: i64 = crate::base::limits::VALUES as i64;

impl Run<'_> {
    /// Waits for a decision.
    pub fn ask(&mut self, kind: PendingKind, seat: i64, site: usize) -> Flow {
        let pending = &mut self.st.pending;
        pending.kind = kind;
        pending.seat = seat;
        pending.site = site as u32;
        pending.answer = None;
        pending.open = 0;
        if kind != PendingKind::Action {
            pending.close();
        }
        Flow::Suspended
    }

    pub fn chooser(&self, by: Slot, base: usize) -> i64 {
        if by == Slot::NONE { self.st.mem[base] } else { self.st.mem[at(base, by)] }
    }

    /// The candidates of a choice, one of each group that is alike. Gives whether others are left out for it.
    fn candidates(&mut self, site: &ChooseSite, base: usize, out: &mut Vec<Choice>) -> R<bool> {
        let start = out.len();
        let differ = self.members_of(site, base, out)?;
        if site.range {
            return Ok(false);
        }
        // First what the chooser does not know: one of these is as likely as the other, whether they are alike or not.
        self.veil(site, base, start, out)?;
        let all = out.len();
        match self.x.collecting.apart {
            true => {}
            false if differ && start == 0 => self.spend(all as u64)?,
            false => self.merge(site, base, out)?,
        }
        Ok(out.len() < all)
    }

    /// All members of what is chosen from. Gives whether they are known to be no things that are alike.
    pub(super) fn members_of(&self, site: &ChooseSite, base: usize, out: &mut Vec<Choice>) -> R<bool> {
        let from = at(base, site.from);
        if site.range {
            return self.numbers(from, out).map(|()| false);
        }
        Ok(self.each_of(site.repr, from, |value| out.push(Choice { branch: 0, value, weight: 1 })))
    }

    pub(super) fn merge(&mut self, site: &ChooseSite, base: usize, out: &mut Vec<Choice>) -> R<()> {
        if self.p.layout.alike && matches!(site.ty, Ty::Entity(_)) && !site.order {
            let looked = self.merge_alike(self.chooser(site.by, base), out);
            self.spend(looked as u64)?;
        }
        self.spend(out.len() as u64)
    }

    /// The numbers between the two at an address.
    fn numbers(&self, bounds: usize, out: &mut Vec<Choice>) -> R<()> {
        let (low, high) = (self.st.mem[bounds], self.st.mem[bounds + 1]);
        if low == NIL || high == NIL {
            return Ok(());
        }
        if high.saturating_sub(low) >= MAX_NUMBERS {
            let message = format!("a choice among more than {MAX_NUMBERS} numbers");
            return Err(self.error(crate::base::Code::ListTooLong, message));
        }
        out.extend((low..=high).map(|value| Choice { branch: 0, value, weight: 1 }));
        Ok(())
    }

    /// Calls `push` for each member of a set or list that can be chosen. Gives whether they are known to be no things that are alike.
    #[inline]
    pub fn each_of(&self, kind: Repr, from: usize, mut push: impl FnMut(i64)) -> bool {
        match kind {
            Repr::Word => {
                if self.st.mem[from] != NIL {
                    push(self.st.mem[from]);
                }
            }
            Repr::List => self.load_list(from).into_iter().for_each(push),
            Repr::Entities => {
                // What has become another thing cannot be chosen any more.
                let capacity = self.p.layout.capacity;
                if self.p.layout.mixes() {
                    let mut slots = self.members(capacity.div_ceil(64), from);
                    slots.retain(|slot| *slot < capacity);
                    let differ = super::order::arrange_slots(&self.p.layout, &self.st.mem, &mut slots);
                    slots.into_iter().for_each(|slot| push(self.reference(slot)));
                    return differ;
                }
                for_each(&self.st.mem[from..from + capacity.div_ceil(64)], |slot| {
                    if slot < capacity {
                        push(self.reference(slot));
                    }
                });
            }
            Repr::Mask | Repr::Sites => {
                let w = if kind == Repr::Mask { 1 } else { usize::from(self.p.layout.site_set) };
                for_each(&self.st.mem[from..from + w], |member| push(member as i64));
            }
        }
        false
    }

    /// The instruction `choose`.
    #[inline]
    pub fn choose(&mut self, site_index: usize, base: usize) -> R<Option<Flow>> {
        let site = &self.p.sites.chooses[site_index];
        // Only what has asked has an answer.
        if let (Some(answer), None, false) = (self.st.pending.answer, site.many, site.order) {
            self.st.pending.answer = None;
            self.st.mem[at(base, site.d)] = answer.value;
            return Ok(None);
        }
        self.begin_choice(site_index, base)
    }

    #[inline(never)]
    fn begin_choice(&mut self, site_index: usize, base: usize) -> R<Option<Flow>> {
        let p = self.p;
        let site = &p.sites.chooses[site_index];
        let d = at(base, site.d);
        let top = self.st.frames.len() - 1;
        let mode = self.st.frames[top].mode;
        match mode {
            Mode::Collect => return self.collect_first(site, base),
            Mode::Preset if site.many.is_none() && !site.order => {
                self.st.mem[d] = self.st.frames[top].preset;
                self.st.frames[top].mode = Mode::Action;
                return Ok(None);
            }
            _ => {}
        }
        if site.named && self.x.probing > 0 || self.ends_trial(self.chooser(site.by, base)) {
            return Ok(Some(Flow::Completes));
        }
        if self.is_out(self.chooser(site.by, base)) {
            if site.many.is_some() || site.order {
                return self.bind_several(site, base, &[]).map(|()| None);
            }
            self.st.mem[d] = NIL;
            return Ok(None);
        }
        if site.many.is_some() || site.order {
            return self.choose_several(site_index, base);
        }
        if self.x.probing > 0
            && let Some(flow) = self.answer_trial(site, base)?
        {
            return Ok(Some(flow));
        }
        let searched = self.searched(self.chooser(site.by, base));
        let mut open = 0;
        self.st.pending.options.clear();
        let later = self.asks_later(site);
        let price = site.price.filter(|gate| !self.is_paying(*gate));
        if !later
            && searched.is_none()
            && price.is_none()
            && self.stays_open(site.repr, at(base, site.from), self.chooser(site.by, base))
        {
            open = straight::count(&self.st.mem, usize::from(p.layout.set_words(site.repr)), at(base, site.from));
        } else {
            let mut options = std::mem::take(&mut self.st.pending.options);
            let merged = self.candidates(site, base, &mut options)?;
            let searched = searched.filter(|_| merged || options.len() > 1);
            if later || searched.is_some() {
                let mut all = options.clone();
                let lead = |run: &mut Self, options: &mut Vec<Choice>| {
                    if later {
                        run.leave_passing(site, base, options)?;
                    }
                    match (searched, run.ahead(site)) {
                        (None, _) => Ok(()),
                        (_, Some(_)) => run.leave_leading(site, base, options, false),
                        (Some(depth), None) => run.prune(options, depth),
                    }
                };
                let singly = !matches!(self.ahead(site), Some((Ahead::Sites | Ahead::Sum { .. }, _)));
                if !singly || !self.leave_one(&mut options, merged, lead)? {
                    self.leave_of(site, base, (&mut options, merged), lead)?;
                }
                if options.is_empty() && searched.is_some() {
                    if later {
                        self.leave_passing(site, base, &mut all)?;
                    }
                    options = all;
                }
            }
            if let Some(gate) = price {
                self.leave_affordable(gate, &mut options)?;
            }
            self.st.pending.options = options;
        }
        if open == 0 && self.st.pending.options.is_empty() {
            if mode == Mode::Action && self.x.probing > 0 && self.is_step(site, base) {
                return Ok(Some(Flow::Collected));
            }
            self.st.mem[d] = NIL;
            return Ok(None);
        }
        self.st.frames[top].pc -= 1;
        self.st.pending.picked.clear();
        let seat = self.chooser(site.by, base);
        let flow = self.ask(PendingKind::Choose, seat, site_index);
        self.st.pending.open = open as u32;
        Ok(Some(flow))
    }

    /// Whether every member of the set of a choice is an option of its own, so that they need no list.
    #[inline]
    fn stays_open(&self, kind: Repr, from: usize, by: i64) -> bool {
        match kind {
            Repr::Mask | Repr::Sites => true,
            Repr::Entities => {
                let words = &self.st.mem[from..][..self.p.singles.len()];
                let single = words.iter().zip(&self.p.singles).all(|(word, singles)| word & !singles == 0);
                single && !(self.p.layout.closed && self.has_unknown(from, by))
            }
            Repr::Word | Repr::List => false,
        }
    }

    /// The options of the decision at hand.
    pub fn options(&self) -> Cow<'_, [Choice]> {
        let pending = &self.st.pending;
        if pending.open == 0 {
            return Cow::Borrowed(&pending.options);
        }
        Cow::Owned((0..pending.open as usize).filter_map(|index| self.option(index)).collect())
    }

    /// One option of the decision at hand.
    #[inline]
    pub fn option(&self, index: usize) -> Option<Choice> {
        let pending = &self.st.pending;
        if pending.open == 0 {
            return pending.options.get(index).copied();
        }
        if !pending.sets.is_empty() {
            return self.opened(index);
        }
        let (site, base) = (&self.p.sites.chooses[pending.site as usize], self.st.frames.last()?.base as usize);
        let words = usize::from(self.p.layout.set_words(site.repr));
        let member = straight::nth(&self.st.mem, words, at(base, site.from), index)?;
        let value = if site.repr == Repr::Entities { self.reference(member) } else { member as i64 };
        Some(Choice { branch: 0, value, weight: 1 })
    }

    /// Shows what the first choice of an action could be.
    fn collect_first(&mut self, site: &ChooseSite, base: usize) -> R<Option<Flow>> {
        let branch = self.x.collecting.branch;
        if self.x.asking {
            let text = site.prompt.as_ref().map(|text| self.text(text, base, Eyes::of(self.st.mem[base])));
            self.x.prompt = text;
            self.pop();
            return Ok(Some(Flow::Collected));
        }
        if site.in_gate && site.many.is_none() {
            let mut fresh = Vec::new();
            self.candidates(site, base, &mut fresh)?;
            if let Some(gate) = site.price {
                self.leave_affordable(gate, &mut fresh)?;
            }
            if fresh.is_empty() {
                // The gate is closed: what it says then comes next.
                self.st.mem[at(base, site.d)] = NIL;
                return Ok(None);
            }
        }
        let others = site.named || self.chooser(site.by, base) != self.st.mem[base];
        if site.many.is_some() || site.order || others {
            // What is not one thing that the action's own player picks is asked for once the action is begun.
            let mut members = Vec::new();
            self.candidates(site, base, &mut members)?;
            let some = !members.is_empty() || !self.is_step(site, base) || !self.takes_some(site, base);
            if others || some && self.can_begin(site, base)? {
                self.x.collected.push(Choice { branch, value: WHOLE, weight: 1 });
            }
        } else if site.other_sort {
            if self.begins_with_one(site, base)? {
                self.x.collected.push(Choice { branch, value: WHOLE, weight: 1 });
            }
        } else if self.x.collecting.wanted == Wanted::Whether && !site.range && self.ahead(site).is_none() {
            if self.has_candidate(site, base)? {
                self.x.collected.push(Choice { branch, value: WHOLE, weight: 1 });
            }
        } else if self.x.collecting.as_sets
            && !self.asks_later(site)
            && !site.range
            && site.price.is_none()
            && self.stays_open(site.repr, at(base, site.from), self.st.mem[base])
        {
            self.keep_open(site.repr, at(base, site.from), branch, false);
        } else {
            let mut found = std::mem::take(&mut self.x.collected);
            self.first_candidates(site, base, &mut found)?;
            for choice in &mut found {
                choice.branch = branch;
            }
            self.x.collected = found;
        }
        self.pop();
        Ok(Some(Flow::Collected))
    }

    /// Whether a choice has a candidate.
    fn has_candidate(&mut self, site: &ChooseSite, base: usize) -> R<bool> {
        let mut members = Vec::new();
        self.each_of(site.repr, at(base, site.from), |value| members.push(value));
        if !self.asks_later(site) {
            return Ok(!members.is_empty());
        }
        for value in members {
            if self.passes_filter(site, base, value)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The candidates of the first choice of an action, as they are wanted.
    pub(super) fn first_candidates(&mut self, site: &ChooseSite, base: usize, found: &mut Vec<Choice>) -> R<()> {
        if let Some(value) = self.x.collecting.only {
            found.push(Choice { branch: 0, value, weight: 1 });
            self.leave_passing(site, base, found)?;
            return self.leave_leading(site, base, found, false);
        }
        let merged = self.candidates(site, base, found)?;
        if let Some(gate) = site.price {
            self.leave_affordable(gate, found)?;
        }
        self.x.collecting.merged |= merged;
        let wanted = self.x.collecting.wanted;
        if wanted == Wanted::Drawn && (site.later.is_some() || matches!(self.ahead(site), Some((Ahead::Flag, _)))) {
            self.x.collecting.untried = true;
            return Ok(());
        }
        // Where some stand for others, it counts how many lead on.
        let any = wanted == Wanted::Any && !merged;
        self.leave_of(site, base, (found, merged), |run, found| run.leave_leading(site, base, found, any))
    }

    /// Whether a choice is a step of an action which its own player makes: one from nothing is a dead end. What another player
    /// chooses from nothing is nothing.
    fn is_step(&self, site: &ChooseSite, base: usize) -> bool {
        site.in_action && !site.in_gate && self.chooser(site.by, base) == self.st.mem[base]
    }

    /// Whether a choice takes at least one.
    fn takes_some(&self, site: &ChooseSite, base: usize) -> bool {
        site.many.map_or(!site.order, |(low, _)| self.st.mem[at(base, low)] >= 1)
    }

    /// Several, or all in an order: one pick after another.
    fn choose_several(&mut self, site_index: usize, base: usize) -> R<Option<Flow>> {
        let p = self.p;
        let site = &p.sites.chooses[site_index];
        let top = self.st.frames.len() - 1;
        let mut options = Vec::new();
        self.members_of(site, base, &mut options)?;
        let answer = self.st.pending.answer.take();
        match answer {
            None => self.st.pending.picked.clear(),
            Some(choice) if choice.branch != DONE => self.st.pending.picked.push(choice.value),
            Some(_) => {}
        }
        let mut picked = self.st.pending.picked.clone();
        let total = options.len();
        let (least, most) = self.bounds(site, base, total);
        if total == 0 && self.x.probing > 0 && self.is_step(site, base) && self.takes_some(site, base) {
            return Ok(Some(Flow::Collected));
        }
        let finished = picked.len() >= most || answer.is_some_and(|choice| choice.branch == DONE) || total == 0;
        self.spend_on(total * (1 + picked.len()) / 4)?;
        let place = |value: i64| options.iter().position(|choice| choice.value == value);
        if finished {
            if !site.order {
                picked.sort_by_cached_key(|value| place(*value));
            }
            return self.bind_several(site, base, &picked).map(|()| None);
        }
        let tried = picked.get(self.x.given_picks..).unwrap_or_default();
        let last = tried.last().and_then(|value| place(*value)).filter(|_| !site.order);
        for choice in options.iter_mut().take(last.unwrap_or(0)) {
            choice.branch = EARLIER;
        }
        for value in &picked {
            if let Some(index) = options.iter().position(|choice| choice.value == *value) {
                options.remove(index);
            }
        }
        if !site.order {
            // Behind one that stands so late there are not enough: other picks must come before it.
            let late = (options.len() + 1).saturating_sub(least.saturating_sub(picked.len()).max(1));
            options.iter_mut().skip(late).for_each(|choice| choice.branch = EARLIER);
        }
        self.veil(site, base, 0, &mut options)?;
        self.merge(site, base, &mut options)?;
        if picked.len() >= least {
            options.push(Choice { branch: DONE, value: NIL, weight: 1 });
        }
        let seat = self.chooser(site.by, base);
        if let Some(depth) = self.searched(seat) {
            let all = options.clone();
            match self.ahead(site) {
                Some((Ahead::Sum { .. }, _)) => self.leave_reaching(site, base, &mut options)?,
                _ if site.is_whole() => self.leave_picks(site, base, depth, &mut options)?,
                _ => {
                    self.x.given_picks = picked.len() + 1;
                    self.leave_answers(&mut options, depth)?;
                    self.x.given_picks = 0;
                }
            }
            or_all(&mut options, all);
        }
        self.st.frames[top].pc -= 1;
        self.st.pending.options = options;
        self.st.pending.least = least as u32;
        self.st.pending.most = most as u32;
        Ok(Some(self.ask(PendingKind::Choose, seat, site_index)))
    }

    /// Fewest and most that a choice of several takes.
    pub fn bounds(&self, site: &ChooseSite, base: usize, total: usize) -> (usize, usize) {
        let bound = |slot: Slot| usize::try_from(self.st.mem[at(base, slot)]).unwrap_or(0).min(total);
        site.many.map_or((total, total), |(low, high)| (bound(low), bound(high)))
    }

    fn bind_several(&mut self, site: &ChooseSite, base: usize, picked: &[i64]) -> R<()> {
        if site.order || site.repr == Repr::List {
            return self.store_list(at(base, site.d), picked);
        }
        self.store_picks(site, base, picked);
        Ok(())
    }

    /// Puts the set of those picked where the rest of the procedure reads it.
    pub(super) fn store_picks(&mut self, site: &ChooseSite, base: usize, picked: &[i64]) {
        let d = at(base, site.d);
        let words = usize::from(self.p.layout.set_words(site.repr));
        self.st.mem[d..d + words].fill(0);
        for value in picked {
            if let Some(bit) = bit_of(site.repr, *value) {
                self.st.mem[d + bit / 64] |= 1 << (bit % 64);
            }
        }
    }

    /// The instruction `choose action`.
    #[inline(never)]
    pub fn choose_action(&mut self, site_index: usize, base: usize) -> R<Option<Flow>> {
        let site = &self.p.sites.actions[site_index];
        let by = self.chooser(site.by, base);
        if let Some(answer) = self.st.pending.answer.take() {
            if let Some(response) = &site.response {
                self.st.mem[at(base, response.d)] = i64::from(answer.branch).max(-1);
                if answer.branch == PASS {
                    self.trace_pass(by);
                    return Ok(None);
                }
            }
            let act = &site.acts[answer.branch as usize];
            self.push_action(act.action, by, at(base, act.args), self.offered_in(site), answer.value)?;
            self.hear_start();
            return Ok(Some(Flow::Go));
        }
        if self.st.frames.last().is_some_and(|frame| frame.mode == Mode::Collect) {
            return self.plain_collect();
        }
        if site.response.is_none() && self.ends_trial(by) {
            return Ok(Some(Flow::Completes));
        }
        let mut found = std::mem::take(&mut self.st.pending.options);
        found.clear();
        self.st.pending.close();
        if site.response.is_some() {
            // What others may do in response is not tried out: an action of theirs may open the window again.
            if self.x.probing == 0 {
                for branch in 0..site.acts.len() {
                    if !self.is_said_before(site, branch, base) {
                        self.open_act(site, branch, by, base, &mut found)?;
                        self.few_enough(found.len())?;
                    }
                }
                self.list_opened(&mut found);
            }
            found.push(Choice { branch: PASS, value: NIL, weight: 1 });
            return Ok(Some(self.ask_action(found, by, site_index)));
        }
        for range in [0..site.first, site.first..site.acts.len()] {
            for branch in range {
                if !self.is_said_before(site, branch, base) {
                    self.open_act(site, branch, by, base, &mut found)?;
                    self.few_enough(found.len())?;
                }
            }
            self.draw_action(site, by, base, &mut found)?;
            if !found.is_empty() || !self.st.pending.sets.is_empty() {
                break;
            }
        }
        let open = if found.is_empty() { self.kept_open() } else { 0 };
        if open == 0 {
            self.list_opened(&mut found);
            if found.is_empty() {
                self.st.pending.options = found;
                return Ok(None);
            }
        }
        let flow = self.ask_action(found, by, site_index);
        self.st.pending.open = open;
        Ok(Some(flow))
    }

    /// Whether an action is offered with the same arguments before it: it is one option then.
    pub(super) fn is_said_before(&self, site: &ActionSite, branch: usize, base: usize) -> bool {
        if !site.twice {
            return false;
        }
        let act = &site.acts[branch];
        let words = usize::from(self.p.procs[self.p.actions[act.action.index()].body.index()].params);
        let args = |of: Slot| self.st.mem.get(at(base, of)..at(base, of) + words);
        let from = if branch < site.first { 0 } else { site.first };
        let before = site.acts.get(from..branch).unwrap_or_default();
        before.iter().any(|other| other.action == act.action && args(other.args) == args(act.args))
    }

    /// The event in which the actions that a site offers happen.
    pub(super) fn offered_in(&self, site: &ActionSite) -> u32 {
        // What is done in a window is an action of its own, whatever event the window belongs to.
        if site.response.is_some() { NONE } else { self.st.frames.last().map_or(NONE, |frame| frame.event) }
    }

    /// Finds what an action that is offered can begin with.
    fn open_act(&mut self, site: &ActionSite, branch: usize, by: i64, base: usize, found: &mut Vec<Choice>) -> R<()> {
        let act = &site.acts[branch];
        let branch = branch as i32;
        match act.choice {
            Some(FirstChoice::Whole(slot)) => {
                if self.st.mem[at(base, slot)] == 1 {
                    found.push(Choice { branch, value: WHOLE, weight: 1 });
                }
                Ok(())
            }
            Some(FirstChoice::Set(kind, slot)) if site.response.is_some() || !self.draws_opening(act.action) => {
                let from = at(base, slot);
                if self.stays_open(kind, from, by) {
                    self.keep_open(kind, from, branch, true);
                    return Ok(());
                }
                let start = found.len();
                let differ = self.each_of(kind, from, |value| found.push(Choice { branch, value, weight: 1 }));
                if self.p.layout.closed && kind == Repr::Entities {
                    self.veil_from(by, start, found)?;
                }
                if self.p.layout.alike && kind == Repr::Entities && !differ {
                    let mut listed = found.split_off(start);
                    let looked = self.merge_alike(by, &mut listed);
                    found.append(&mut listed);
                    self.spend(looked as u64)?;
                }
                self.spend_on(found.len())
            }
            _ => {
                let event = self.offered_in(site);
                let drawn = site.response.is_none() && self.plays_out();
                self.x.collecting = Collecting {
                    branch,
                    as_sets: !self.p.actions[act.action.index()].lookahead,
                    wanted: if drawn { Wanted::Drawn } else { Wanted::All },
                    ..Collecting::default()
                };
                self.openings(act.action, by, at(base, act.args), event, found)
            }
        }
    }

    /// The instruction `open again`: of the innermost open window, nobody has passed any more.
    pub fn open_again(&mut self) {
        for frame in self.st.frames.iter().rev().filter(|frame| frame.kind == FrameKind::Proc) {
            let window = self.p.sites.windows.iter().find(|(proc, _)| proc.index() == frame.proc as usize);
            if let Some((_, passed)) = window {
                self.st.mem[at(frame.base as usize, *passed)] = 0;
                return;
            }
        }
    }

    fn ask_action(&mut self, options: Vec<Choice>, by: i64, site: usize) -> Flow {
        let top = self.st.frames.len() - 1;
        self.st.frames[top].pc -= 1;
        self.st.pending.options = options;
        self.st.pending.picked.clear();
        self.ask(PendingKind::Action, by, site)
    }

    /// An action without a first choice, or that changes something before it.
    pub fn plain_collect(&mut self) -> R<Option<Flow>> {
        let branch = self.x.collecting.branch;
        self.x.collected.push(Choice { branch, value: WHOLE, weight: 1 });
        self.pop();
        Ok(Some(Flow::Collected))
    }

    /// Pushes the frame of an action; with a first choice unless it is [`WHOLE`].
    pub(super) fn push_action(&mut self, action: ActionId, by: i64, args: usize, event: u32, value: i64) -> R<()> {
        let body = self.p.actions[action.index()].body;
        let from = self.st.frames.last().map_or(NOT_BEGUN, |frame| Frame { event, ..*frame });
        let window = self.push_proc(body, FrameKind::Proc, by, NIL, &from)?;
        let words = usize::from(self.p.procs[body.index()].params);
        if words > 0 {
            self.st.mem.copy_within(args..args + words, window + 2);
        }
        if let Some(top) = self.st.frames.last_mut() {
            top.mode = if value == WHOLE { Mode::Action } else { Mode::Preset };
            top.preset = value;
        }
        Ok(())
    }

    /// The legal first choices of an action, as [`Collecting`] says.
    pub fn openings(&mut self, action: ActionId, by: i64, args: usize, event: u32, out: &mut Vec<Choice>) -> R<()> {
        let p = self.p;
        let code = &p.actions[action.index()];
        // What is asked on the way may be about other actions.
        let how = std::mem::take(&mut self.x.collecting);
        self.x.refusal = None;
        if let Some(guard) = code.guard {
            let quick = p.procs[guard.index()].quick;
            if quick != Slot::NONE && self.st.mem[usize::from(quick.0)] != 1 {
                return Ok(());
            }
            let words = usize::from(p.procs[guard.index()].params);
            let from = self.st.frames.last().map_or(NOT_BEGUN, |frame| Frame { event: NONE, ..*frame });
            let floor = self.st.frames.len();
            let window = self.push_proc(guard, FrameKind::Eval, by, NIL, &from)?;
            self.st.mem.copy_within(args..args + words, window + 2);
            self.run(floor)?;
            if self.x.result.first() != Some(&1) {
                return Ok(());
            }
        }
        let collected = self.collect(action, by, args, event, how)?;
        let mut found = std::mem::take(&mut self.x.collected);
        let tried = code.lookahead && !self.looks_ahead(code);
        if how.wanted == Wanted::Drawn && (tried || collected.untried) {
            self.x.playout.untried.push((how.branch, collected.merged));
        } else if tried {
            let all = found.len();
            let any = how.wanted == Wanted::Any;
            self.leave_completing(action, by, args, event, (&mut found, any))?;
            if collected.merged && found.len() < all && (!any || found.is_empty()) {
                // As in `leave_of`: of things that are alike, one may lead on where another does not.
                self.collect(action, by, args, event, Collecting { apart: true, ..how })?;
                found = std::mem::take(&mut self.x.collected);
                self.leave_completing(action, by, args, event, (&mut found, any))?;
                let looked = self.merge_alike(by, &mut found);
                self.spend(looked as u64)?;
            }
        }
        out.append(&mut found);
        self.x.collected = found;
        Ok(())
    }

    /// Whether the first choice of an action leads on, as far as its code looks ahead.
    pub(super) fn opens_with(&mut self, action: ActionId, by: i64, args: usize, event: u32, value: i64) -> R<bool> {
        self.collect(action, by, args, event, Collecting { only: Some(value), ..Collecting::default() })?;
        Ok(!self.x.collected.is_empty())
    }

    /// Collects the first choices of an action. Gives what became of them.
    pub(super) fn collect(
        &mut self,
        action: ActionId,
        by: i64,
        args: usize,
        event: u32,
        how: Collecting,
    ) -> R<Collecting> {
        self.x.collected.clear();
        let floor = self.st.frames.len();
        self.push_action(action, by, args, event, WHOLE)?;
        if let Some(top) = self.st.frames.last_mut() {
            top.mode = Mode::Collect;
        }
        self.x.collecting = how;
        if self.run(floor)? == Flow::Returned {
            self.x.collected.push(Choice { branch: how.branch, value: WHOLE, weight: 1 });
        }
        Ok(std::mem::take(&mut self.x.collecting))
    }

    /// The instruction `choose option`.
    pub fn choose_option(&mut self, site_index: usize, frame: &Frame, base: usize) -> R<Option<Flow>> {
        let site = &self.p.sites.options[site_index];
        let d = at(base, site.d);
        if frame.mode == Mode::Collect {
            return self.plain_collect();
        }
        if let Some(answer) = self.st.pending.answer.take() {
            self.st.mem[d] = answer.value;
            return Ok(None);
        }
        if self.ends_trial(self.chooser(site.by, base)) {
            return Ok(Some(Flow::Completes));
        }
        let open = self.load_list(at(base, site.open));
        self.spend_on(open.len())?;
        if open.is_empty() || self.is_out(self.chooser(site.by, base)) {
            self.st.mem[d] = NIL;
            return Ok(None);
        }
        let seat = self.chooser(site.by, base);
        self.ask_plain(PendingKind::Option, seat, site_index, open)
    }

    /// The instruction `may`.
    pub fn ask_gate(&mut self, site_index: usize, no: usize, frame: &Frame, base: usize) -> R<Option<Flow>> {
        if frame.mode == Mode::Collect {
            return self.plain_collect();
        }
        if let Some(answer) = self.st.pending.answer.take() {
            if answer.value == 0 {
                self.jump_to(no);
            }
            return Ok(None);
        }
        if self.p.sites.asks[site_index].price.is_some_and(|gate| self.is_paying(gate)) {
            return Ok(None);
        }
        let seat = self.chooser(self.p.sites.asks[site_index].by, base);
        if self.ends_trial(seat) {
            return Ok(Some(Flow::Completes));
        }
        if self.is_out(seat) {
            self.jump_to(no);
            return Ok(None);
        }
        self.ask_plain(PendingKind::Ask, seat, site_index, [1, 0])
    }

    /// Asks for one of a few answers, of those that are no dead end.
    pub(super) fn ask_plain(
        &mut self,
        kind: PendingKind,
        seat: i64,
        site: usize,
        values: impl IntoIterator<Item = i64>,
    ) -> R<Option<Flow>> {
        let mut options = std::mem::take(&mut self.st.pending.options);
        options.clear();
        options.extend(values.into_iter().map(|value| Choice { branch: 0, value, weight: 1 }));
        if let Some(depth) = self.searched(seat).filter(|_| options.len() > 1) {
            let all = options.clone();
            self.leave_answers(&mut options, depth)?;
            or_all(&mut options, all);
        }
        self.st.pending.options = options;
        if let Some(top) = self.st.frames.last_mut() {
            top.pc -= 1;
        }
        Ok(Some(self.ask(kind, seat, site)))
    }
}

/// Which bit of a set stands for a value.
pub(super) fn bit_of(repr: Repr, value: i64) -> Option<usize> {
    if repr == Repr::Entities { slot_of(value) } else { usize::try_from(value).ok() }
}

/// Where nothing leads on, behind what is not looked ahead of, all candidates are as good as each other.
fn or_all(leading: &mut Vec<Choice>, all: Vec<Choice>) {
    if leading.is_empty() {
        *leading = all;
    }
}
