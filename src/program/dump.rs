//! A readable dump of a program, for golden tests and for people who wonder what their text became.

use super::Program;
use crate::model::rules::{ClauseKind, HookEvent, ProcId};
use std::collections::BTreeSet;
use std::fmt::Write;

impl Program {
    /// The program as text: memory, hooks, and the code of each procedure.
    pub fn dump(&self) -> String {
        let mut out = String::new();
        let layout = &self.layout;
        let _ = writeln!(
            out,
            "memory: {} words, {} entities of {} words, sets of {} and {} words",
            layout.fixed, layout.capacity, layout.entity_words, layout.entity_set, layout.site_set
        );
        let _ = writeln!(out, "constants: {:?}", layout.constants);
        for ((event, stage), clauses) in &self.hooks {
            let event = match event {
                HookEvent::Verb(verb) => self.rules.verbs[verb.index()].name.clone(),
                HookEvent::Span(edge, span) => format!("{edge:?} of {}", self.rules.spans[span.index()].name),
            };
            let _ = writeln!(out, "hook {stage:?} {event}: {} clauses", clauses.len());
        }
        let entries: BTreeSet<u32> = self.procs.iter().map(|code| code.entry).collect();
        for (index, code) in self.procs.iter().enumerate() {
            let extra = |proc: &Option<ProcId>| proc.is_some_and(|proc| proc.index() == index);
            let name = match self.rules.procs.get(index) {
                Some(proc) => proc.name.as_str(),
                None if self.actions.iter().any(|action| extra(&action.notation)) => "notation",
                None => "guard",
            };
            let _ = writeln!(
                out,
                "\nproc {index} {name}: window {}, parameters {}, result {}",
                code.frame, code.params, code.result
            );
            let end = entries.range(code.entry + 1..).next().map_or(self.ops.len(), |next| *next as usize);
            for (at, op) in self.ops[code.entry as usize..end].iter().enumerate() {
                let _ = writeln!(out, "  {at:4} {op:?}");
            }
        }
        out
    }

    /// Figures for `check --stats`, as text.
    pub fn stats(&self) -> String {
        let rules = &self.rules;
        let scripted = rules.entries.iter().filter(|entry| self.uses_script(entry)).count();
        let share = if rules.entries.is_empty() { 0.0 } else { 100.0 * scripted as f64 / rules.entries.len() as f64 };
        let mut out = String::new();
        let _ = writeln!(out, "definitions         {}", rules.entries.len());
        let _ = writeln!(out, "  with a script     {scripted} ({share:.1} %)");
        let _ = writeln!(out, "verbs, clauses      {}, {}", rules.verbs.len(), rules.clauses.len());
        let _ = writeln!(out, "windows, offers     {}, {}", rules.windows.len(), self.sites.offers.len());
        let _ = writeln!(out, "instructions        {}", self.ops.len());
        let _ = writeln!(out, "state words         {}", self.layout.fixed);
        let _ = writeln!(out, "predicates as sets  {}", self.predicates.algebra);
        let _ = writeln!(out, "predicates as loops {}", self.predicates.loops.len());
        out
    }

    fn uses_script(&self, entry: &crate::model::rules::Entry) -> bool {
        let mut procs: Vec<ProcId> = entry
            .fields
            .iter()
            .filter_map(|(_, value)| match value {
                Some(crate::model::rules::FieldValue::Proc(proc)) => Some(*proc),
                _ => None,
            })
            .collect();
        for clause in &entry.clauses {
            match &self.rules.clauses[clause.index()].kind {
                ClauseKind::Hook { cond, body, .. } => procs.extend(cond.iter().chain(body)),
                ClauseKind::Becomes { cond, body, .. } | ClauseKind::Check { cond, body } => {
                    procs.extend([*cond, *body])
                }
                ClauseKind::Modify { value, when, .. } => procs.extend(std::iter::once(value).chain(when)),
            }
        }
        procs.iter().any(|proc| {
            let mut found = false;
            super::walk::each_expr(&self.rules.procs[proc.index()], &mut |expr| {
                found |= matches!(expr.kind, crate::model::rules::ExprKind::CallScript(..));
            });
            found
        })
    }
}
