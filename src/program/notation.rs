//! Notations: how an action is written once it is done. They are worked out from the locals that the action ends
//! with, and only when somebody asks.

use super::code::Builder;
use super::layout::{Repr, repr};
use super::op::Op;
use super::{NIL, ProcCode};
use crate::model::rules::{Action, ExprKind, LocalId, ProcId, ProcRole, Stmt, StmtKind, Template, TemplatePart};
use std::collections::BTreeSet;

impl Builder<'_> {
    /// The code of an action's notation. Its window begins like the action's, with all its locals.
    pub(super) fn notation(&mut self, action: &Action) -> Option<ProcCode> {
        let template = action.notation.as_ref()?;
        let rules = self.rules;
        let proc = &rules.procs[action.body.index()];
        self.begin(ProcRole::Pure, None, template.span);
        self.declare(&proc.locals, 0);
        let words = self.top - 2;
        let site = self.text(template);
        self.sites.texts.push(site);
        let site = self.long(self.sites.texts.len() - 1);
        self.emit(Op::Write { site });
        let a = self.word(0);
        self.emit(Op::Return { n: 1, a });
        Some(self.finish(words, 1))
    }

    /// Makes those locals of an action missing that its notation reads and that it might end without having bound.
    pub(super) fn unbound(&mut self, proc: ProcId, stmts: &[Stmt]) {
        let rules = self.rules;
        let Some(action) = rules.actions.iter().find(|action| action.body == proc) else { return };
        let Some(template) = &action.notation else { return };
        let Some(code) = rules.procs.get(proc.index()) else { return };
        let mut bound: BTreeSet<LocalId> = (0..u32::from(code.params)).map(LocalId).collect();
        for stmt in stmts {
            match &stmt.kind {
                StmtKind::Requires { .. } => {}
                StmtKind::Choose(choose) => {
                    bound.insert(choose.local);
                }
                StmtKind::Local { local, .. } => {
                    bound.insert(*local);
                }
                _ => break,
            }
        }
        for local in locals_of(template).difference(&bound) {
            if code.locals.get(local.index()).is_some_and(|local| repr(&local.ty) == Repr::Word) {
                let (d, a) = (self.local(*local), self.word(NIL));
                self.emit(Op::Copy { d, a });
            }
        }
    }

    /// Notes at which instructions each `turns` and `phase` starts and ends.
    pub(super) fn locate_turns(&mut self) {
        for (index, op) in self.out.iter().enumerate() {
            match op {
                Op::SpanStart { site } => self.sites.turns[*site as usize].range.0 = index as u32,
                Op::SpanEnd { site } => self.sites.turns[*site as usize].range.1 = index as u32,
                _ => {}
            }
        }
    }
}

/// The locals that a text reads.
fn locals_of(template: &Template) -> BTreeSet<LocalId> {
    let mut found = BTreeSet::new();
    for part in &template.parts {
        if let TemplatePart::Value(expr) = part {
            expr.walk(&mut |expr| {
                if let ExprKind::Local(local) = expr.kind {
                    found.insert(local);
                }
            });
        }
    }
    found
}
