//! Whether pieces are created where others may lie: where no procedure on the way to it looks at what lies on boards.

use super::walk::{each_expr, each_stmt};
use crate::model::rules::{Builtin, ClauseKind, Expr, ExprKind, HookEvent, ProcId, ProcRole, Rules, StmtKind, VerbId};
use std::collections::BTreeSet;

/// Whether what a procedure creates on a site may come to lie on other things. What a game begins with is counted.
pub(super) fn may_stack(rules: &Rules, proc: ProcId) -> bool {
    !begins(rules, proc) && blind(rules, proc, &mut BTreeSet::new())
}

/// Whether a procedure is that of a position with which games begin.
pub(super) fn begins(rules: &Rules, proc: ProcId) -> bool {
    rules.procs[proc.index()].role == ProcRole::Flow && rules.flow != Some(proc)
}

/// Whether nothing on some way to a procedure looks at what lies on boards.
fn blind(rules: &Rules, proc: ProcId, seen: &mut BTreeSet<ProcId>) -> bool {
    if !seen.insert(proc) || looks(rules, proc, &mut BTreeSet::new()) {
        return false;
    }
    let verb = rules.verbs.iter().position(|verb| verb.body == proc);
    let Some(verb) = verb.map(|index| VerbId(index as u32)) else { return true };
    if hooks(rules, verb).any(|proc| looks(rules, proc, &mut BTreeSet::new())) {
        return false;
    }
    let calls = |caller: &ProcId| {
        let mut found = false;
        if begins(rules, *caller) {
            return false;
        }
        each_stmt(&rules.procs[caller.index()], &mut |stmt| {
            found |= matches!(stmt.kind, StmtKind::Call { verb: called, .. } if called == verb);
        });
        found
    };
    (0..rules.procs.len() as u32).map(ProcId).filter(calls).any(|caller| blind(rules, caller, seen))
}

/// The conditions and bodies of the hooks of a verb.
fn hooks(rules: &Rules, verb: VerbId) -> impl Iterator<Item = ProcId> {
    let of_verb = move |kind: &ClauseKind| match kind {
        ClauseKind::Hook { event, cond, body, .. } if *event == HookEvent::Verb(verb) => [*cond, *body],
        _ => [None, None],
    };
    rules.clauses.iter().flat_map(move |clause| of_verb(&clause.kind)).flatten()
}

/// Whether a procedure, or a definition that it uses, looks at what lies on boards.
fn looks(rules: &Rules, proc: ProcId, seen: &mut BTreeSet<ProcId>) -> bool {
    if !seen.insert(proc) {
        return false;
    }
    let mut used = Vec::new();
    let mut found = false;
    each_expr(&rules.procs[proc.index()], &mut |expr| found |= looks_itself(expr, &mut used));
    found || used.into_iter().any(|proc| looks(rules, proc, seen))
}

fn looks_itself(expr: &Expr, used: &mut Vec<ProcId>) -> bool {
    match &expr.kind {
        ExprKind::Builtin(
            Builtin::Empty
            | Builtin::EmptyOf
            | Builtin::PiecesOn
            | Builtin::TopOn
            | Builtin::Stack
            | Builtin::SiteOf
            | Builtin::SitesOf,
            _,
        )
        | ExprKind::InPlay(_) => true,
        ExprKind::Call(proc, _) => {
            used.push(*proc);
            false
        }
        _ => false,
    }
}
