//! A readable dump of a program, for golden tests and for people who wonder what their text became.

use super::Program;
use crate::model::rules::{HookEvent, ProcId};
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
}
