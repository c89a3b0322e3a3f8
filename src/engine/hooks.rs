//! Which clauses stand: rules', cards' in play, and armed ones.

use super::run::{R, Run};
use super::state::{Arm, Hook, NONE, Until, slot_of};
use crate::base::Code;
use crate::model::rules::{
    ClauseHome, ClauseId, ClauseKind, Expr, ExprKind, GroupId, HookEvent, ProcBody, ProcId, PropId, Stage,
};
use crate::program::{Bearing, NIL, Program, Repr, Slot, ent, repr};

/// Whether an entity in play bears a clause of a sort.
#[inline]
pub(super) fn borne(p: &Program, mem: &[i64], bearing: &Bearing) -> bool {
    !(bearing.sets.is_empty() && bearing.some.is_empty()) && is_borne(p, mem, bearing)
}

/// Whether nothing that is in play or armed bears a clause that modifies a stat.
#[inline(never)]
pub(super) fn unmodified(p: &Program, arms: &[Arm], mem: &[i64], prop: PropId) -> bool {
    let bearing = &p.bearings[prop.index()];
    !bearing.rules && !arms.iter().any(|arm| arm_modifies(p, arm, prop)) && !borne(p, mem, bearing)
}

/// Whether an armed clause modifies a stat.
fn arm_modifies(p: &Program, arm: &Arm, prop: PropId) -> bool {
    matches!(&p.rules.clauses[arm.clause as usize].kind, ClauseKind::Modify { stat, .. } if *stat == prop)
}

/// Whether a clause of cards modifies only the card that bears it.
fn modifies_itself(p: &Program, clause: ClauseId) -> bool {
    let ClauseKind::Modify { of, .. } = p.rules.clauses[clause.index()].kind else { return false };
    matches!(&p.rules.procs[of.index()].body, ProcBody::Expr(Expr { kind: ExprKind::This, .. }))
}

fn is_borne(p: &Program, mem: &[i64], bearing: &Bearing) -> bool {
    let (layout, words) = (&p.layout, p.layout.capacity.div_ceil(64));
    let in_play = usize::from(layout.in_play);
    let played = |set: u16| {
        let sets = mem[usize::from(set)..][..words].iter().zip(&mem[in_play..][..words]);
        sets.map(|(some, played)| (some & played) as u64).enumerate()
    };
    let bears = |slot: usize| {
        let entry = usize::try_from(mem[layout.entity(slot) + crate::program::ent::ENTRY]);
        entry.is_ok_and(|entry| bearing.entries[entry])
    };
    let one_of = |(index, mut word): (usize, u64)| {
        while word != 0 {
            if bears(index * 64 + word.trailing_zeros() as usize) {
                return true;
            }
            word &= word - 1;
        }
        false
    };
    bearing.sets.iter().any(|set| played(*set).any(|(_, word)| word != 0))
        || bearing.some.iter().any(|set| played(*set).any(one_of))
}

/// Stands for a stat of something that has gone which nothing modified: its formula says it still.
pub(super) const AS_STORED: i64 = NIL + 1;

impl Run<'_> {
    /// A buffer for hooks.
    pub fn take_hooks(&mut self) -> Vec<Hook> {
        self.x.hooks.pop().unwrap_or_default()
    }

    /// Gives a buffer back.
    pub fn give_hooks(&mut self, mut hooks: Vec<Hook>) {
        hooks.clear();
        self.x.hooks.push(hooks);
    }

    /// The hooks of an event that stand now, in the order in which they act: rules', then cards' and armed ones from
    /// the mover clockwise, a player's own in the order of entering, absolute rules' last where they replace.
    pub fn standing(&mut self, event: HookEvent, stage: Stage, index: u32, out: &mut Vec<Hook>) -> R<()> {
        let p = self.p;
        let actor = self.event(index).map_or(NIL, |event| event.actor);
        let clauses = p.hooks_of(event, stage);
        let mut late = Vec::new();
        self.spend((clauses.len() + self.st.arms.len()) as u64)?;
        for clause in clauses {
            match p.rules.clauses[clause.index()].home {
                ClauseHome::Rule(group) => {
                    if self.rule_stands(group, actor)? {
                        let hook = Hook { clause: clause.index() as u32, source: NIL, arm: NONE, me: actor };
                        let last = p.rules.groups[group.index()].absolute && stage == Stage::Instead;
                        if last { late.push(hook) } else { out.push(hook) }
                    }
                }
                ClauseHome::Entry(_) | ClauseHome::Kind(_) => self.bearers(*clause, out)?,
                ClauseHome::Armed => {}
            }
        }
        for arm in 0..self.st.arms.len() {
            let armed = self.st.arms[arm];
            if p.clause_events[armed.clause as usize] == Some((event, stage))
                && let Some(hook) = self.armed_hook(arm)?
            {
                out.push(hook);
            }
        }
        if out.len() > 1 {
            out.sort_by_cached_key(|hook| self.hook_order(hook));
        }
        out.append(&mut late);
        Ok(())
    }

    /// The key by which hooks are ordered. Those of one card: its own before armed ones, these as they were armed.
    pub fn hook_order(&self, hook: &Hook) -> (bool, i64, i64, u32, u32) {
        let rule = hook.source == NIL && hook.arm == NONE;
        let entered = match self.record(hook.source) {
            Some((record, true)) => self.st.mem[record + crate::program::ent::ENTERED],
            _ => i64::from(hook.arm),
        };
        (!rule, if rule { 0 } else { self.distance(hook.me) }, entered, hook.arm.wrapping_add(1), hook.clause)
    }

    /// Whether a rule is in force.
    pub fn rule_stands(&mut self, group: GroupId, me: i64) -> R<bool> {
        match self.p.rules.groups[group.index()].when {
            Some(when) => Ok(self.eval(when, me, NIL, NONE, &[])? == 1),
            None => Ok(true),
        }
    }

    /// The hook of an armed clause, if it still lives.
    pub fn armed_hook(&mut self, arm: usize) -> R<Option<Hook>> {
        let armed = self.st.arms[arm];
        if armed.void || (armed.bound && !self.record(armed.source).is_some_and(|(_, current)| current)) {
            return Ok(None);
        }
        let holder = self.holder(armed.source);
        let me = if armed.bound && holder != NIL { holder } else { armed.me };
        let hook = Hook { clause: armed.clause, source: armed.source, arm: armed.stamp, me };
        if let Until::While(proc) = armed.until
            && self.eval_hook(ProcId(proc), &hook, NONE)? != 1
        {
            return Ok(None);
        }
        Ok(Some(hook))
    }

    /// The cards in play that bear a clause of their definition or kind.
    pub fn bearers(&mut self, clause: ClauseId, out: &mut Vec<Hook>) -> R<()> {
        let p = self.p;
        let in_play = usize::from(p.layout.in_play);
        let before = out.len();
        match p.rules.clauses[clause.index()].home {
            ClauseHome::Entry(entry) => {
                let its = |run: &Self, slot: usize| {
                    (run.st.mem[in_play + slot / 64] >> (slot % 64)) & 1 == 1
                        && run.st.mem[p.layout.entity(slot) + crate::program::ent::ENTRY] == entry.index() as i64
                };
                // What was created in play stands behind what began in a zone, until one of those has made room.
                let created = if self.st.reused { 0 } else { p.static_slots };
                if let Some(first) = p.entry_slots[entry.index()].filter(|_| !self.st.reused) {
                    let copies = usize::from(p.rules.entries[entry.index()].copies);
                    for slot in first as usize..first as usize + copies {
                        if its(self, slot) {
                            self.bear(clause, slot, out)?;
                        }
                    }
                }
                for index in created / 64..p.layout.capacity.div_ceil(64) {
                    let mut word = self.st.mem[in_play + index] as u64;
                    if index == created / 64 {
                        word &= !0 << (created % 64);
                    }
                    while word != 0 {
                        let slot = index * 64 + word.trailing_zeros() as usize;
                        word &= word - 1;
                        if its(self, slot) {
                            self.bear(clause, slot, out)?;
                        }
                    }
                }
            }
            ClauseHome::Kind(kind) => {
                let set = usize::from(p.layout.kind_set(kind).0);
                for index in 0..p.layout.capacity.div_ceil(64) {
                    let mut word = (self.st.mem[set + index] & self.st.mem[in_play + index]) as u64;
                    while word != 0 {
                        let slot = index * 64 + word.trailing_zeros() as usize;
                        word &= word - 1;
                        self.bear(clause, slot, out)?;
                    }
                }
            }
            ClauseHome::Rule(_) | ClauseHome::Armed => {}
        }
        self.spend(((out.len() - before) * 4 + p.layout.capacity / 64) as u64)
    }

    /// Adds the clause of a card, if it is in play and bears it.
    fn bears(&mut self, clause: ClauseId, card: i64, out: &mut Vec<Hook>) -> R<()> {
        let (p, home) = (self.p, self.p.rules.clauses[clause.index()].home);
        let (Some(slot), Some((record, true))) = (slot_of(card), self.record(card)) else { return Ok(()) };
        let has = |set: usize| (self.st.mem[set + slot / 64] >> (slot % 64)) & 1 == 1;
        let bears = match home {
            ClauseHome::Entry(entry) => self.st.mem[record + crate::program::ent::ENTRY] == entry.index() as i64,
            ClauseHome::Kind(kind) => has(usize::from(p.layout.kind_set(kind).0)),
            ClauseHome::Rule(_) | ClauseHome::Armed => false,
        };
        match bears && has(usize::from(p.layout.in_play)) {
            true => self.bear(clause, slot, out),
            false => Ok(()),
        }
    }

    /// Adds the clause of one card, if its text is live.
    fn bear(&mut self, clause: ClauseId, slot: usize, out: &mut Vec<Hook>) -> R<()> {
        let source = self.reference(slot);
        let me = self.holder(source);
        if self.stands(source, me)? {
            out.push(Hook { clause: clause.index() as u32, source, arm: NONE, me });
        }
        Ok(())
    }

    /// Whether the text of a card in play is live.
    fn stands(&mut self, source: i64, me: i64) -> R<bool> {
        let Some(slot) = slot_of(source) else { return Ok(false) };
        let kind = self.st.mem[self.p.layout.entity(slot) + crate::program::ent::KIND] as usize;
        match self.p.rules.kinds[kind].stands_when {
            Some(when) => Ok(self.eval(when, me, source, NONE, &[])? == 1),
            None => Ok(true),
        }
    }

    /// Whether a hook's condition holds for an event.
    pub fn matches(&mut self, hook: &Hook, index: u32) -> R<bool> {
        if hook.arm != NONE && !self.st.scripts.armed.is_empty() && !self.goes_off(hook, index)? {
            return Ok(false);
        }
        let ClauseKind::Hook { cond, .. } = &self.p.rules.clauses[hook.clause as usize].kind else { return Ok(false) };
        match cond {
            Some(cond) => Ok(self.eval_hook(*cond, hook, index)? == 1),
            None => Ok(true),
        }
    }

    /// What a stat came to of something that has gone, if that is kept.
    pub fn kept_stat(&self, subject: i64, prop: PropId) -> Option<i64> {
        let offset = usize::from(self.p.layout.kept_stats[prop.index()]);
        let slot = slot_of(subject).filter(|_| offset != 0 && self.has_left(subject))?;
        Some(self.st.mem[self.p.layout.last(slot) + offset])
    }

    /// Keeps what the stats of an entity come to, before it leaves, of those that may be asked for later.
    pub(super) fn keep_stats(&mut self, slot: usize) -> R<()> {
        let kind = self.st.mem[self.p.layout.entity(slot) + ent::KIND] as usize;
        for (prop, offset, always) in &self.p.kind_kept[kind] {
            let last = self.p.layout.last(slot) + usize::from(*offset);
            if !always && unmodified(self.p, &self.st.arms, &self.st.mem, *prop) {
                self.st.mem[last] = AS_STORED;
                continue;
            }
            self.stat(self.reference(slot), *prop)?;
            self.st.mem[last] = self.x.result.first().copied().unwrap_or(NIL);
        }
        Ok(())
    }

    /// Works out a stat with its modifiers; its words are in the scratch result.
    pub fn stat(&mut self, subject: i64, prop: PropId) -> R<()> {
        let p = self.p;
        let info = &p.rules.props[prop.index()];
        let crate::model::rules::PropClass::Stat { formula } = info.class else { return Ok(()) };
        let kind = repr(&info.ty);
        let words = usize::from(p.layout.words(&info.ty));
        // The stats of the game are asked of the one word that stands for it.
        let of_game = info.owner == crate::model::rules::PropOwner::Game;
        let subject = if of_game { 0 } else { subject };
        if subject == NIL {
            self.x.result.clear();
            self.x.result.resize(words, if kind == Repr::Word { NIL } else { 0 });
            return Ok(());
        }
        let kept = self.kept_stat(subject, prop);
        if let Some(kept) = kept.filter(|kept| *kept != AS_STORED) {
            self.x.result.clear();
            self.x.result.push(kept);
            return Ok(());
        }
        let me = match info.owner {
            crate::model::rules::PropOwner::Player => subject,
            crate::model::rules::PropOwner::Game => NIL,
            crate::model::rules::PropOwner::Kind(_) => self.holder(subject),
        };
        let range = info.range.filter(|_| kind == Repr::Word);
        let bearing = &p.bearings[prop.index()];
        self.spend_on((bearing.sets.len() + bearing.some.len()) * p.layout.capacity / 16 + self.st.arms.len() * 4)?;
        if kept.is_some() || unmodified(p, &self.st.arms, &self.st.mem, prop) {
            // Where a formula only names a fixed place, nothing need be run.
            let quick = p.procs[formula.index()].quick;
            if quick == Slot::NONE {
                self.eval(formula, me, subject, NONE, &[])?;
            } else {
                self.x.result.clear();
                self.x.result.push(self.st.mem[usize::from(quick.0)]);
            }
            if let (Some((low, high)), Some(value)) = (range, self.x.result.first_mut())
                && *value != NIL
            {
                *value = (*value).clamp(low, high.max(low));
            }
            return Ok(());
        }
        self.eval(formula, me, subject, NONE, &[])?;
        let mut value = std::mem::take(&mut self.x.spare);
        value.clone_from(&self.x.result);
        let mut hooks = self.take_hooks();
        for clause in &p.modifiers[prop.index()] {
            match p.rules.clauses[clause.index()].home {
                ClauseHome::Rule(group) => {
                    if self.rule_stands(group, me)? {
                        hooks.push(Hook { clause: clause.index() as u32, source: NIL, arm: NONE, me });
                    }
                }
                ClauseHome::Entry(_) | ClauseHome::Kind(_) if modifies_itself(p, *clause) => {
                    self.bears(*clause, subject, &mut hooks)?;
                }
                ClauseHome::Entry(_) | ClauseHome::Kind(_) => self.bearers(*clause, &mut hooks)?,
                ClauseHome::Armed => {}
            }
        }
        for arm in 0..self.st.arms.len() {
            if arm_modifies(p, &self.st.arms[arm], prop) {
                hooks.extend(self.armed_hook(arm)?);
            }
        }
        if hooks.len() > 1 {
            hooks.sort_by_cached_key(|hook| {
                let (of_card, _, entered, ..) = self.hook_order(hook);
                (of_card, entered, hook.arm)
            });
        }
        for setting in [true, false] {
            for hook in &hooks {
                self.modify(hook, setting, subject, kind, &mut value)?;
            }
        }
        self.give_hooks(hooks);
        if let (Some((low, high)), true) = (range, value[0] != NIL) {
            value[0] = value[0].clamp(low, high.max(low));
        }
        self.x.spare = std::mem::replace(&mut self.x.result, value);
        Ok(())
    }

    /// Whether a clause of a sort may act: a rule has it, something in play bears it, or it may be among what is armed.
    #[inline]
    pub(super) fn is_hooked(&self, bearing: &Bearing) -> bool {
        bearing.rules || bearing.armed && !self.st.arms.is_empty() || borne(self.p, &self.st.mem, bearing)
    }

    fn modify(&mut self, hook: &Hook, setting: bool, subject: i64, kind: Repr, value: &mut [i64]) -> R<()> {
        let p = self.p;
        let ClauseKind::Modify { of, to, value: by, when, .. } = &p.rules.clauses[hook.clause as usize].kind else {
            return Ok(());
        };
        if *to != setting {
            return Ok(());
        }
        let ProcBody::Expr(of_expr) = &p.rules.procs[of.index()].body else { return Ok(()) };
        let named = match of_expr.kind {
            ExprKind::EntitiesOf(entry) => Some(entry),
            _ => None,
        };
        if named.is_none() {
            self.eval_hook(*of, hook, NONE)?;
        }
        let applies = match repr(&of_expr.ty) {
            // What has left its place is still what it was, as `in` has it.
            _ if let Some(named) = named => self.entry_of(subject) == Some(named.index()),
            Repr::Word => self.x.result.first() == Some(&subject),
            Repr::Entities => {
                let current = self.record(subject).is_some_and(|(_, current)| current);
                slot_of(subject).is_some_and(|slot| {
                    current && self.x.result.get(slot / 64).is_some_and(|word| (word >> (slot % 64)) & 1 == 1)
                })
            }
            Repr::Mask => (self.x.result.first().copied().unwrap_or(0) >> subject) & 1 == 1,
            Repr::List => self.x.result.iter().skip(1).any(|item| *item == subject),
            Repr::Sites => false,
        };
        if !applies {
            return Ok(());
        }
        if let Some(when) = when
            && self.eval_hook(*when, hook, NONE)? != 1
        {
            return Ok(());
        }
        self.eval_hook(*by, hook, NONE)?;
        if let (false, Repr::Word) = (setting, kind) {
            let given = self.x.result.first().copied().unwrap_or(NIL);
            return self.add_to(&mut value[0], given);
        }
        for (index, word) in value.iter_mut().enumerate() {
            let given = self.x.result.get(index).copied().unwrap_or(0);
            *word = match setting {
                true => given,
                false => *word | given,
            };
        }
        Ok(())
    }

    /// Adds to a stat; a missing value stays or makes it missing, and too large a number is an error.
    fn add_to(&mut self, value: &mut i64, given: i64) -> R<()> {
        if *value == NIL || given == NIL {
            *value = NIL;
            return Ok(());
        }
        match value.checked_add(given).filter(|sum| *sum != NIL) {
            Some(sum) => *value = sum,
            None => return Err(self.error(Code::Arithmetic, format!("cannot calculate with {value} and {given}"))),
        }
        Ok(())
    }
}
