//! Checkpoints: state checks to a fixpoint, then after-hooks, then conditions that have come true, until all is quiet;
//! and the edges of turns and phases.

use super::events::FOLLOWING;
use super::hooks::borne;
use super::run::{Flow, NOT_BEGUN, R, Run, at};
use super::state::{Event, Frame, FrameKind, Hook, Mode, NONE, Until, slot_of};
use crate::model::rules::{ClauseHome, ClauseId, ClauseKind, Edge, HookEvent, PropId, Stage};
use crate::program::{NIL, Program, ent, touch};

/// Rounds of one checkpoint after which it is watched for coming back to where it was.
pub(super) const WATCHED: u32 = 32;

/// Whether no condition needs to be looked at after some changes, where nothing is armed.
#[inline]
pub(super) fn unread(p: &Program, mem: &[i64], touched: u64) -> bool {
    touched & p.checked == 0
        && (touched & p.checked_borne == 0 || !p.checkers.rules && !borne(p, mem, &p.checkers))
        && touched & p.becoming == 0
        && !p.becomers.rules
        && !borne(p, mem, &p.becomers)
}

/// By what is kept whether a condition holds.
fn key(hook: &Hook) -> (u32, i64) {
    (hook.clause, if hook.arm == NONE { hook.source } else { i64::from(hook.arm) | 1 << 40 })
}

/// Whether the condition of a `becomes` clause of a rule has come true, given whether it holds. One that holds no longer may come true
/// again.
pub(super) fn turned(held: &mut Vec<(u32, i64)>, clause: ClauseId, holds: bool) -> bool {
    let kept = key(&of_rule(clause, 0));
    match held.iter().position(|held| *held == kept) {
        None => holds,
        Some(at) if !holds => {
            held.remove(at);
            false
        }
        Some(_) => false,
    }
}

/// A clause of a rule, for a player.
fn of_rule(clause: ClauseId, me: i64) -> Hook {
    Hook { clause: clause.index() as u32, source: NIL, arm: NONE, me }
}

impl Run<'_> {
    /// The instruction that begins a checkpoint.
    #[inline(never)]
    pub fn checkpoint(&mut self, always: bool, event: u32) -> R<Option<Flow>> {
        if self.passes(always, event)? {
            return Ok(None);
        }
        self.st.frames.push(Frame {
            kind: FrameKind::Check,
            stage: 0,
            base: self.st.mem.len() as u32,
            ret: NONE,
            event: NONE,
            cursor: 0,
            mode: Mode::Plain,
            cause: 1,
            source: NIL,
            preset: NIL,
            proc: NONE,
            pc: self.st.frames.last().map_or(0, |frame| frame.pc),
        });
        self.st.checking += 1;
        Ok(Some(Flow::Go))
    }

    /// Whether the instruction that begins a checkpoint does nothing.
    pub(super) fn passes(&mut self, always: bool, event: u32) -> R<bool> {
        Ok(!always && event != NONE || self.is_calm()?)
    }

    /// Whether a checkpoint here would do nothing. What has changed is then seen to.
    pub(super) fn is_calm(&mut self) -> R<bool> {
        if !self.st.dirty() || self.st.checking > 0 {
            return Ok(true);
        }
        let calm = self.nothing_waits()
            && match self.p.asking {
                Some(asking) => !self.is_read() || self.eval(asking, NIL, NIL, NONE, &[])? != 1,
                None => !self.some_check_holds()? && !self.something_comes_true()?,
            };
        if calm {
            self.st.touched = 0;
        }
        Ok(calm)
    }

    /// Whether anything has changed that a check or a `becomes` clause of the rules reads.
    fn is_read(&self) -> bool {
        self.st.touched & (self.p.checked | self.p.becoming) != 0
    }

    /// Whether the condition of a check of the rules holds that reads what has changed.
    fn some_check_holds(&mut self) -> R<bool> {
        let p = self.p;
        if self.st.touched & p.checked == 0 {
            return Ok(false);
        }
        for (clause, reads) in &p.checks {
            // What cards bear was asked before, where it is known which cards do.
            let touched = self.st.touched & reads;
            let of_rule = matches!(p.rules.clauses[clause.index()].home, ClauseHome::Rule(_));
            let holds = match of_rule {
                true => touched != 0 && self.rule_hook(*clause)?.is_some(),
                false => touched & !p.checked_borne != 0,
            };
            if holds {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Whether the condition of a `becomes` clause of a rule has come true that reads what has changed. Those that hold no longer
    /// may come true again.
    fn something_comes_true(&mut self) -> R<bool> {
        let p = self.p;
        if self.st.touched & p.becoming == 0 {
            return Ok(false);
        }
        for (clause, reads) in &p.becomes {
            if self.st.touched & reads == 0 {
                continue;
            }
            let holds = self.rule_hook(*clause)?.is_some();
            if turned(&mut self.st.held, *clause, holds) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Whether a checkpoint would find nothing to do, but for the conditions of the rules: nothing else reads what has changed,
    /// and nothing waits.
    pub(super) fn nothing_waits(&mut self) -> bool {
        let (st, p) = (&*self.st, self.p);
        let checks = st.touched & p.checked_borne != 0 && self.is_hooked(&p.checkers);
        if checks || !st.queue.is_empty() || !st.orphans.is_empty() || self.is_hooked(&p.becomers) {
            return false;
        }
        let becomes = |clause: u32| matches!(p.rules.clauses[clause as usize].kind, ClauseKind::Becomes { .. });
        if st.arms.is_empty() {
            self.forget_armed();
        } else if st.touched & touch::PLACE != 0 || st.arms.iter().any(|arm| becomes(arm.clause)) {
            return false;
        }
        self.forget_held();
        true
    }

    /// One step of a checkpoint.
    pub fn check_step(&mut self) -> R<Flow> {
        let top = self.st.frames.len() - 1;
        let answer = self.st.pending.answer.take();
        // A queued hook that has run leaves its copy of the event behind.
        if self.st.frames[top].stage == 1 {
            self.st.frames[top].stage = 0;
            self.st.events.pop();
            let base = self.st.frames[top].base as usize;
            self.st.mem.truncate(base);
        }
        self.st.frames[top].cursor += 1;
        if self.st.frames[top].cursor > WATCHED {
            self.watch_cycles(top, answer.is_some())?;
        }
        self.spend_on(64 + self.st.arms.len() + self.st.queue.len() * (4 + self.st.arms.len()))?;
        let flow = self.round(top, answer)?;
        if self.st.frames[top].cursor > WATCHED {
            self.note_round(top);
        }
        if let Some(flow) = flow {
            return Ok(flow);
        }
        self.st.touched = 0;
        self.st.checking -= 1;
        self.pop();
        Ok(Flow::Go)
    }

    /// One thing that a checkpoint does; `None` when nothing is left to do.
    fn round(&mut self, top: usize, answer: Option<super::state::Choice>) -> R<Option<Flow>> {
        if answer.is_none() {
            self.purge_arms();
            if self.orphan_step()? || self.rule_check_step()? {
                return Ok(Some(Flow::Go));
            }
        }
        match self.queue_step(top, answer)? {
            Some(flow) => Ok(Some(flow)),
            None => self.becomes_step(top, answer),
        }
    }

    /// Forgets armed clauses whose card is no longer what it was.
    fn purge_arms(&mut self) {
        let mut arms = std::mem::take(&mut self.st.arms);
        arms.retain(|arm| !arm.bound || self.record(arm.source).is_some_and(|(_, current)| current));
        self.st.arms = arms;
        self.forget_kept();
        if self.st.arms.is_empty() {
            self.forget_armed();
        } else if self.st.arm_words.len() > 256 {
            self.compact_arms();
        }
    }

    /// Nothing is armed: what was kept for it goes. What is held of clauses that always stand stays.
    fn forget_armed(&mut self) {
        self.st.arm_words.clear();
        if !self.is_hooked(&self.p.becomers) {
            self.forget_held();
        }
    }

    /// No `becomes` clause stands but those of rules.
    fn forget_held(&mut self) {
        if self.st.held.is_empty() {
            return;
        }
        let rules = &self.p.rules;
        self.st.held.retain(|(clause, _)| matches!(rules.clauses[*clause as usize].home, ClauseHome::Rule(_)));
    }

    /// Gives back the words of armed clauses that are gone.
    fn compact_arms(&mut self) {
        let mut words = Vec::new();
        for arm in &mut self.st.arms {
            let start = arm.at as usize;
            arm.at = words.len() as u32;
            words.extend_from_slice(&self.st.arm_words[start..start + usize::from(arm.words)]);
        }
        self.st.arm_words = words;
    }

    fn orphan_step(&mut self) -> R<bool> {
        while let Some((orphan, one)) = self.st.orphans.pop() {
            let link = self.p.rules.links.iter().find(|link| link.one == PropId(one));
            let Some(block) = link.and_then(|link| link.orphan) else { continue };
            let placed = self
                .record(orphan)
                .is_some_and(|(record, current)| current && self.st.mem[record + ent::PLACE] != ent::NOWHERE);
            let linked = match (self.record(orphan), super::moves::entity_offset(self.p, PropId(one))) {
                (Some((record, true)), Some(offset)) => self.st.mem[record + offset] != NIL,
                _ => true,
            };
            if !placed || linked {
                continue;
            }
            let frame = self.st.frames.last().copied().unwrap_or(NOT_BEGUN);
            let me = self.holder(orphan);
            let window = self.push_proc(block, FrameKind::Proc, me, orphan, &frame)?;
            self.st.mem[window + 2] = orphan;
            return Ok(true);
        }
        Ok(false)
    }

    fn rule_check_step(&mut self) -> R<bool> {
        let p = self.p;
        for (clause, reads) in &p.checks {
            if self.st.touched & reads == 0 {
                continue;
            }
            let ClauseKind::Check { cond, .. } = p.rules.clauses[clause.index()].kind else { continue };
            if let ClauseHome::Rule(_) = p.rules.clauses[clause.index()].home {
                if let Some(hook) = self.rule_hook(*clause)? {
                    self.run_hook(&hook, NONE, 0)?;
                    return Ok(true);
                }
                continue;
            }
            for hook in self.clause_hooks(*clause)? {
                if self.eval_hook(cond, &hook, NONE)? == 1 {
                    self.run_hook(&hook, NONE, 0)?;
                    return Ok(true);
                }
            }
        }
        self.st.touched &= touch::ANY;
        Ok(false)
    }

    /// The check or `becomes` clause of a rule, if its condition holds.
    fn rule_hook(&mut self, clause: ClauseId) -> R<Option<Hook>> {
        let found = &self.p.rules.clauses[clause.index()];
        let (ClauseKind::Check { cond, .. } | ClauseKind::Becomes { cond, .. }, ClauseHome::Rule(group)) =
            (&found.kind, found.home)
        else {
            return Ok(None);
        };
        let hook = of_rule(clause, self.mover());
        let holds = self.rule_stands(group, hook.me)? && self.eval_hook(*cond, &hook, NONE)? == 1;
        Ok(holds.then_some(hook))
    }

    /// All standing instances of a clause.
    fn clause_hooks(&mut self, clause: ClauseId) -> R<Vec<Hook>> {
        let mut found = Vec::new();
        match self.p.rules.clauses[clause.index()].home {
            ClauseHome::Rule(group) => {
                let hook = of_rule(clause, self.mover());
                if self.rule_stands(group, hook.me)? {
                    found.push(hook);
                }
            }
            ClauseHome::Entry(_) | ClauseHome::Kind(_) => self.bearers(clause, &mut found)?,
            ClauseHome::Armed => {
                for arm in 0..self.st.arms.len() {
                    if self.st.arms[arm].clause == clause.index() as u32 {
                        found.extend(self.armed_hook(arm)?);
                    }
                }
            }
        }
        found.sort_by_cached_key(|hook| self.hook_order(hook));
        Ok(found)
    }

    /// Runs the next of the queued after-hooks: automatic ones before announced ones, from the mover clockwise, one
    /// player's in the order that player chooses.
    fn queue_step(&mut self, top: usize, answer: Option<super::state::Choice>) -> R<Option<Flow>> {
        if !self.st.queue.iter().all(|queued| self.still_waits(&queued.hook)) {
            let standing: Vec<bool> = self.st.queue.iter().map(|queued| self.still_waits(&queued.hook)).collect();
            let mut standing = standing.into_iter();
            self.st.queue.retain(|_| standing.next().unwrap_or(false));
        }
        if self.st.queue.is_empty() {
            self.st.queue_words.clear();
            return Ok(None);
        }
        let hooks: Vec<Hook> = self.st.queue.iter().map(|queued| queued.hook).collect();
        let (first, answer) = match self.next_trigger(top, &hooks, answer) {
            Ok(next) => next,
            Err(flow) => return Ok(Some(flow)),
        };
        let queued = self.st.queue[first];
        if let Some(flow) = self.announce(&queued.hook, answer) {
            return Ok(Some(flow));
        }
        self.st.frames[top].preset = NIL;
        self.st.queue.remove(first);
        if answer.is_some_and(|answer| answer.value == 0) {
            return Ok(Some(Flow::Go));
        }
        self.spent(&queued.hook);
        let args = self.st.mem.len();
        let words = usize::from(queued.event.words);
        let from = queued.at as usize;
        self.st.mem.extend_from_slice(&self.st.queue_words[from..from + words]);
        self.st.events.push(Event { args: args as u32, ..queued.event });
        self.st.frames[top].stage = 1;
        let index = self.st.events.len() as u32 - 1;
        if matches!(self.p.rules.clauses[queued.hook.clause as usize].kind, ClauseKind::Hook { even_gone: true, .. })
            && queued.event.verb != NONE
        {
            self.follow(index, true);
        }
        self.run_hook(&queued.hook, index, FOLLOWING)?;
        Ok(Some(Flow::Go))
    }

    /// Whether a queued hook has not lost its card.
    fn still_waits(&self, hook: &Hook) -> bool {
        match &self.p.rules.clauses[hook.clause as usize].kind {
            ClauseKind::Hook { even_gone, .. } => *even_gone || self.still_stands(hook),
            _ => true,
        }
    }

    pub fn is_announced(&self, clause: u32) -> bool {
        match &self.p.rules.clauses[clause as usize].kind {
            ClauseKind::Hook { announced, .. } | ClauseKind::Becomes { announced, .. } => *announced,
            _ => false,
        }
    }

    fn still_stands(&self, hook: &Hook) -> bool {
        if hook.arm != NONE {
            return self.st.arms.iter().any(|arm| {
                arm.stamp == hook.arm
                    && !arm.void
                    && (!arm.bound || self.record(arm.source).is_some_and(|(_, now)| now))
            });
        }
        hook.source == NIL
            || self.record(hook.source).is_some_and(|(_, current)| current)
                && slot_of(hook.source).is_some_and(|slot| {
                    let in_play = usize::from(self.p.layout.in_play);
                    (self.st.mem[in_play + slot / 64] >> (slot % 64)) & 1 == 1
                })
    }

    /// Conditions that have come true since the last checkpoint.
    fn becomes_step(&mut self, top: usize, answer: Option<super::state::Choice>) -> R<Option<Flow>> {
        let p = self.p;
        if self.st.arms.is_empty() && p.becoming == 0 && !self.is_hooked(&p.becomers) {
            return Ok(None);
        }
        let mut hooks = Vec::new();
        for (clause, _) in &p.becomes {
            hooks.extend(self.clause_hooks(*clause)?);
        }
        for arm in 0..self.st.arms.len() {
            let clause = self.st.arms[arm].clause as usize;
            if matches!(p.rules.clauses[clause].kind, ClauseKind::Becomes { .. }) {
                hooks.extend(self.armed_hook(arm)?);
            }
        }
        self.spend_on(hooks.len() * (1 + self.st.held.len()))?;
        let (mut due, mut held) = (Vec::new(), Vec::new());
        for hook in hooks {
            let ClauseKind::Becomes { cond, .. } = p.rules.clauses[hook.clause as usize].kind else { continue };
            if self.eval_hook(cond, &hook, NONE)? != 1 {
                continue;
            }
            if self.st.held.contains(&key(&hook)) {
                held.push(key(&hook));
            } else {
                due.push(hook);
            }
        }
        // What no longer holds, and whose clause no longer stands, may come true again.
        self.st.held = held;
        if due.is_empty() {
            return Ok(None);
        }
        let (first, answer) = match self.next_trigger(top, &due, answer) {
            Ok(next) => next,
            Err(flow) => return Ok(Some(flow)),
        };
        let hook = due[first];
        if let Some(flow) = self.announce(&hook, answer) {
            return Ok(Some(flow));
        }
        self.st.frames[top].preset = NIL;
        self.st.held.push(key(&hook));
        if answer.is_some_and(|answer| answer.value == 0) {
            return Ok(Some(Flow::Go));
        }
        self.spent(&hook);
        self.run_hook(&hook, NONE, 0)?;
        Ok(Some(Flow::Go))
    }

    /// The start or end of a turn or phase.
    #[inline(never)]
    pub fn span_edge(&mut self, site: usize, start: bool, base: usize) -> R<Option<Flow>> {
        let turn = &self.p.sites.turns[site];
        let player = self.st.mem[at(base, turn.player)];
        let span = turn.span;
        self.spend_on(self.st.arms.len())?;
        let mover = usize::from(self.p.layout.mover);
        if start {
            if turn.outermost {
                self.st.mem[mover] = player;
                self.touch_turn();
                self.trace_turn(player);
            }
            let ended = Until::StartOf(span.index() as u32, player);
            if !self.st.arms.is_empty() {
                self.st.arms.retain(|arm| arm.until != ended);
                self.forget_kept();
            }
        }
        self.count_down(span, start, player);
        let hooking = &self.p.span_hooked[span.index()][usize::from(start)];
        // Where something may hook the start, there is a checkpoint, whether something does or not.
        let plain = start && hooking.is_empty();
        if !self.is_hooked(hooking) && (plain || self.is_calm()?) {
            if !start {
                self.end_span(site, self.st.frames.len() - 1);
            }
            return Ok(None);
        }
        let args = self.st.mem.len();
        self.st.mem.push(player);
        self.st.events.push(Event {
            verb: NONE,
            args: args as u32,
            words: 1,
            cause: 1,
            changed: false,
            actor: player,
            source: NIL,
            ignoring: 0,
            lineage: self.st.used.len() as u32,
            done: false,
            part: 0,
            gone: 0,
        });
        self.st.frames.push(Frame {
            kind: FrameKind::Edge,
            stage: 0,
            base: args as u32,
            ret: NONE,
            event: self.st.events.len() as u32 - 1,
            cursor: u32::from(start),
            proc: site as u32,
            mode: Mode::Plain,
            cause: 1,
            source: NIL,
            preset: NIL,
            pc: self.st.frames.last().map_or(0, |frame| frame.pc),
        });
        Ok(Some(Flow::Go))
    }

    /// Whether what the hooks of an edge do may be done in its place, because nothing else waits there and nobody listens.
    /// At the start of a turn it begins here.
    #[inline(never)]
    pub fn edge_opens(&mut self, site: usize, start: bool, base: usize) -> bool {
        let listens = self.x.heard.is_some() || self.x.trace.is_some();
        let waits = self.st.checking > 0 || !self.st.arms.is_empty() || !self.st.queue.is_empty();
        let turn = &self.p.sites.turns[site];
        let hooking = &self.p.span_hooked[turn.span.index()][usize::from(start)];
        if listens || waits || borne(self.p, &self.st.mem, hooking) {
            return false;
        }
        if self.st.dirty() && !self.p.quiet && !(self.st.touched & self.p.checked == 0 && self.nothing_waits()) {
            return false;
        }
        if start && turn.outermost {
            self.st.mem[usize::from(self.p.layout.mover)] = self.st.mem[at(base, turn.player)];
            self.touch_turn();
        }
        true
    }

    /// One step of an edge: its hooks, a checkpoint, and at an end what ends with it.
    pub fn edge_step(&mut self) -> R<Flow> {
        let top = self.st.frames.len() - 1;
        let frame = self.st.frames[top];
        let turn = &self.p.sites.turns[frame.proc as usize];
        let start = frame.cursor == 1;
        let edge = if start { Edge::Start } else { Edge::End };
        match frame.stage {
            0 => {
                self.st.frames[top].stage = 1;
                let event = HookEvent::Span(edge, turn.span);
                self.queue_after(event, frame.event, false)?;
                let mut before = self.take_hooks();
                self.standing(event, Stage::Before, frame.event, &mut before)?;
                for hook in before.iter().rev() {
                    if self.matches(hook, frame.event)? {
                        self.spent(hook);
                        self.run_hook(hook, frame.event, 0)?;
                    }
                }
                self.give_hooks(before);
                Ok(Flow::Go)
            }
            1 => {
                self.st.frames[top].stage = 2;
                Ok(self.checkpoint(true, NONE)?.unwrap_or(Flow::Go))
            }
            _ => {
                if !start {
                    self.end_span(frame.proc as usize, top - 1);
                }
                self.st.events.pop();
                self.pop();
                Ok(Flow::Go)
            }
        }
    }

    /// Ends a turn or phase that runs in a frame.
    pub fn end_span(&mut self, site: usize, frame: usize) {
        let turn = &self.p.sites.turns[site];
        let ended = Until::EndOf(turn.span.index() as u32);
        if !self.st.arms.is_empty() {
            self.st.arms.retain(|arm| arm.until != ended);
            self.forget_kept();
        }
        if turn.outermost {
            self.st.turns += 1;
        }
        if turn.turns {
            self.hear_end(site, frame);
        }
    }
}
