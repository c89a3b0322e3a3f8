//! Which of several waiting hooks acts next.

use super::run::{Flow, Run};
use super::state::{Choice, Hook, NONE, PendingKind};
use crate::base::spoken;
use crate::model::rules::{ClauseKind, Edge, HookEvent};
use crate::program::NIL;

impl Run<'_> {
    /// The position of the hook that acts next, with what is left of the answer: the first in the order of hooks, or
    /// the one its player chose. Where its player has to choose, that is asked.
    pub fn next_trigger(
        &mut self,
        top: usize,
        hooks: &[Hook],
        answer: Option<Choice>,
    ) -> Result<(usize, Option<Choice>), Flow> {
        // A chosen hook may still wait for its own question.
        let chosen = self.st.frames[top].preset;
        if chosen != NIL {
            return Ok((chosen as usize, answer));
        }
        if let Some(answer) = answer.filter(|answer| answer.branch > 0) {
            self.st.frames[top].preset = answer.value;
            return Ok((answer.value as usize, None));
        }
        if hooks.len() == 1 {
            return Ok((0, answer));
        }
        let order = |run: &Self, at: &usize| (run.is_announced(hooks[*at].clause), run.hook_order(&hooks[*at]), *at);
        let mut positions: Vec<usize> = (0..hooks.len()).collect();
        positions.sort_by_cached_key(|at| order(self, at));
        let Some(first) = positions.first().copied() else { return Ok((0, answer)) };
        let open = self.open_triggers(hooks, &positions);
        if answer.is_some() || open.len() < 2 {
            return Ok((first, answer));
        }
        self.st.pending.options.clear();
        self.st.pending.picked.clear();
        // Branches from 1 on: 0 are the answers to a hook's own question.
        for (branch, at) in (1..).zip(open) {
            self.st.pending.options.push(Choice { branch, value: at as i64, weight: 1 });
            self.st.pending.picked.extend([hooks[at].source, i64::from(hooks[at].clause)]);
        }
        Err(self.ask(PendingKind::Trigger, hooks[first].me, 0))
    }

    /// The hooks among which the player of the first has a choice. Those of one clause are alike, and if scripts have armed
    /// it, those that go on with one function: the first of them stands for all.
    fn open_triggers(&self, hooks: &[Hook], positions: &[usize]) -> Vec<usize> {
        let Some(first) = positions.first().map(|at| hooks[*at]) else { return Vec::new() };
        let rule = |hook: &Hook| hook.source == NIL && hook.arm == NONE;
        let asks = first.me >= 0 && (self.playing() >> first.me) & 1 == 1;
        if self.p.rules.fixed_triggers || rule(&first) || !asks {
            return Vec::new();
        }
        let mut open: Vec<usize> = Vec::new();
        for at in positions {
            let hook = &hooks[*at];
            let same =
                hook.me == first.me && !rule(hook) && self.is_announced(hook.clause) == self.is_announced(first.clause);
            let alike = |other: &usize| {
                hooks[*other].clause == hook.clause && self.goes_on_with(&hooks[*other]) == self.goes_on_with(hook)
            };
            if same && !open.iter().any(alike) {
                open.push(*at);
            }
        }
        open
    }

    /// The function with which a script goes on that has armed a hook.
    fn goes_on_with(&self, hook: &Hook) -> Option<&str> {
        let armed = &self.st.scripts.armed;
        let kept = armed.iter().find(|kept| hook.arm != NONE && kept.stamp == hook.arm)?;
        Some(&kept.then)
    }

    /// The key of a hook that may act next: its card, or what it waits for.
    pub fn trigger_key(&self, branch: i32) -> String {
        let at = (branch.max(1) - 1) as usize * 2;
        let [source, clause] = self.st.pending.picked.get(at..at + 2).unwrap_or(&[NIL, 0]) else {
            return String::new();
        };
        if *source != NIL {
            return self.entity_key(*source, self.decider());
        }
        let rules = self.words();
        match &rules.clauses[*clause as usize].kind {
            ClauseKind::Hook { event: HookEvent::Verb(verb), .. } => {
                format!("after {}", rules.label(&rules.verbs[verb.index()].name))
            }
            ClauseKind::Hook { event: HookEvent::Span(edge, span), .. } => {
                let edge = if *edge == Edge::Start { "start" } else { "end" };
                format!("after {edge} of {}", spoken(&rules.spans[span.index()].name))
            }
            ClauseKind::Becomes { cond, .. } | ClauseKind::Check { cond, .. } => self.p.rules.waits_for(*cond, rules),
            ClauseKind::Modify { .. } => String::new(),
        }
    }
}
