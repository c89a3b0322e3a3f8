//! Whether pieces are created where others may lie: where no procedure on the way to it looks at what lies on boards, or where the
//! game asks what lies on each other and the site is not taken from the empty ones.

use super::walk::{each_expr, each_stmt};
use crate::model::rules::{
    BinaryOp, Builtin, ClauseKind, Destination, Expr, ExprKind, HookEvent, LocalId, Proc, ProcId, ProcRole, Rules,
    StmtKind, VerbId,
};
use std::collections::BTreeSet;

/// Whether what a procedure creates on a site may come to lie on other things. What a game begins with is counted.
pub(super) fn may_stack(rules: &Rules, proc: ProcId) -> bool {
    !begins(rules, proc) && blind(rules, proc, &mut BTreeSet::new())
}

/// Whether a game asks what lies on each other, or how many lie on one site.
pub(super) fn stacks(rules: &Rules) -> bool {
    let mut found = false;
    for proc in &rules.procs {
        each_expr(proc, &mut |expr| {
            found |= match &expr.kind {
                ExprKind::Builtin(Builtin::Stack, _) => true,
                ExprKind::Count(of) => match &of.kind {
                    ExprKind::Builtin(Builtin::PiecesOn, args) => {
                        args.first().is_some_and(|sites| matches!(sites.kind, ExprKind::ToSet(_)))
                    }
                    _ => false,
                },
                _ => false,
            };
        });
    }
    found
}

/// Whether a procedure moves pieces to sites where others may lie, and takes none away that could be these.
pub(super) fn moves_onto(rules: &Rules, proc: ProcId) -> bool {
    let body = &rules.procs[proc.index()];
    let mut onto = false;
    each_stmt(body, &mut |stmt| {
        onto |=
            matches!(&stmt.kind, StmtKind::Move { to: Destination::Site { site, .. }, .. } if !is_empty(body, site));
    });
    onto && !clears(rules, proc, DEEPEST)
}

/// Whether a procedure takes something off a board, itself or by a verb.
fn clears(rules: &Rules, proc: ProcId, depth: usize) -> bool {
    let Some(depth) = depth.checked_sub(1) else { return false };
    let mut found = false;
    each_stmt(&rules.procs[proc.index()], &mut |stmt| {
        found = found
            || match &stmt.kind {
                StmtKind::Move { to, .. } => !matches!(to, Destination::Site { .. }),
                StmtKind::Call { verb, .. } => clears(rules, rules.verbs[verb.index()].body, depth),
                _ => false,
            };
    });
    found
}

/// How far locals are followed that stand for each other.
const DEEPEST: usize = 8;

/// Whether a procedure takes a site from the empty ones.
pub(super) fn is_empty(proc: &Proc, site: &Expr) -> bool {
    takes_empty(proc, site, DEEPEST)
}

fn takes_empty(proc: &Proc, site: &Expr, depth: usize) -> bool {
    let Some(depth) = depth.checked_sub(1) else { return false };
    let is_empty = |proc: &Proc, of: &Expr| takes_empty(proc, of, depth);
    match &site.kind {
        ExprKind::Builtin(Builtin::Empty | Builtin::EmptyOf, _) => true,
        ExprKind::Builtin(Builtin::First, args) => args.first().is_some_and(|of| is_empty(proc, of)),
        ExprKind::ToSet(of) | ExprKind::ToList(of) | ExprKind::Where { over: of, .. } => is_empty(proc, of),
        ExprKind::Binary(BinaryOp::Both, a, b) => is_empty(proc, a) || is_empty(proc, b),
        ExprKind::Local(local) => {
            let (mut from, mut other) = (false, false);
            let mut given = |own: LocalId, of: &Expr| {
                if own == *local && !of.is_local(own) {
                    if is_empty(proc, of) { from = true } else { other = true }
                }
            };
            each_stmt(proc, &mut |stmt| match &stmt.kind {
                StmtKind::Local { local, value: of }
                | StmtKind::Random { local, domain: of }
                | StmtKind::Each { local, domain: of, .. } => given(*local, of),
                StmtKind::Choose(choose) => given(choose.local, &choose.domain),
                _ => {}
            });
            from && !other
        }
        _ => false,
    }
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
