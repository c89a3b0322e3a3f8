//! Actions that a verb offers: what waits for what they do acts only when the verb is done, since checkpoints are passed over while it
//! is under way. Who makes a verb of a turn does not expect that.

use super::body::Callee;
use super::check::Checker;
use super::rules::walk::each_stmt;
use super::rules::{Act, ClauseKind, HookEvent, Stage, StmtKind, VerbId};
use crate::base::{Code, Diagnostic, Span};
use std::collections::{BTreeMap, BTreeSet};

impl Checker<'_> {
    /// Warns of verbs that offer actions for which clauses wait.
    pub(super) fn check_delayed(&mut self) {
        let mut waiting: BTreeMap<VerbId, Span> = BTreeMap::new();
        for clause in &self.rules.clauses {
            if let ClauseKind::Hook { stage: Stage::After, event: HookEvent::Verb(verb), .. } = clause.kind {
                waiting.entry(verb).or_insert(clause.span);
            }
        }
        let found: Vec<Diagnostic> =
            (0..self.rules.verbs.len()).filter_map(|index| self.delayed(VerbId(index as u32), &waiting)).collect();
        self.diagnostics.extend(found);
    }

    fn delayed(&self, verb: VerbId, waiting: &BTreeMap<VerbId, Span>) -> Option<Diagnostic> {
        let verb = self.rules.verbs.get(verb.index())?;
        let (mut offered, mut settles) = (None, false);
        each_stmt(self.rules.procs.get(verb.body.index())?, &mut |stmt| match &stmt.kind {
            StmtKind::ChooseAction { acts, .. } => _ = offered.get_or_insert((stmt.span, acts)),
            StmtKind::Settle => settles = true,
            _ => {}
        });
        let (span, acts) = offered.filter(|_| !settles)?;
        let (done, waits) = self.performed(acts).into_iter().find_map(|verb| Some((verb, *waiting.get(&verb)?)))?;
        let (name, done) = (&verb.name, &self.rules.verbs.get(done.index())?.name);
        let message =
            format!("`{name}` offers actions, and what waits for their `{done}` acts only when `{name}` is done");
        let help = "offer them in the flow, or write `settle` behind the choice";
        Some(Diagnostic::new(Code::DelayedHooks, span, message).help(help).label(waits, "this waits for it"))
    }

    /// The verbs that actions perform, and those that what they run performs.
    fn performed(&self, acts: &[Act]) -> Vec<VerbId> {
        let mut left: Vec<Callee> = acts.iter().map(|act| Callee::Action(act.action)).collect();
        let (mut seen, mut found) = (BTreeSet::new(), Vec::new());
        while let Some(callee) = left.pop() {
            if let Callee::Verb(verb) = callee {
                found.push(verb);
            }
            for proc in self.behind(callee).into_iter().filter(|proc| seen.insert(*proc)).collect::<Vec<_>>() {
                left.extend(self.calls(proc).map(|(callee, _)| callee));
            }
        }
        found
    }
}
