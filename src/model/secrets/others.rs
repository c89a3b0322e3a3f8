//! Which locals are players other than `me`: for zones that all but their holder see.

use super::flow::Who;
use crate::model::rules::walk::{each_expr, each_given, each_stmt};
use crate::model::rules::{
    BinaryOp, Builtin, CompareOp, Expr, ExprKind, LocalId, Proc, ProcId, ProcRole, Rules, StmtKind,
};
use std::collections::BTreeSet;

/// Locals, each of a procedure, that are never `me`.
#[derive(Default)]
pub(super) struct Others(BTreeSet<(ProcId, LocalId)>);

impl Others {
    /// Looks for them.
    pub fn new(rules: &Rules) -> Others {
        let mut found = Others::default();
        for (index, proc) in rules.procs.iter().enumerate().filter(|(_, proc)| keeps_me(proc)) {
            let locals = others(proc);
            found.0.extend(locals.into_iter().map(|local| (ProcId(index as u32), local)));
        }
        found
    }

    /// Those of a procedure.
    pub fn of(&self, proc: ProcId) -> BTreeSet<LocalId> {
        let all = (proc, LocalId(0))..=(proc, LocalId(u32::MAX));
        self.0.range(all).map(|(_, local)| *local).collect()
    }

    /// Whether two players, as a procedure names them, are never the same.
    pub fn differ(&self, proc: ProcId, one: Who, other: Who) -> bool {
        match (one, other) {
            (Who::Seat(one), Who::Seat(other)) => one != other,
            (Who::Me, Who::Others | Who::Other) | (Who::Others | Who::Other, Who::Me) => true,
            (Who::Me, Who::Local(local)) | (Who::Local(local), Who::Me) => self.0.contains(&(proc, local)),
            _ => false,
        }
    }
}

/// Whether `me` is the same player throughout: the flow of a game goes from one to the next, and windows ask many.
fn keeps_me(proc: &Proc) -> bool {
    let mut keeps = proc.role != ProcRole::Flow;
    each_stmt(proc, &mut |stmt| keeps &= !matches!(stmt.kind, StmtKind::Respond(_) | StmtKind::Turns { .. }));
    keeps
}

/// The locals that are given nothing but players other than `me`.
fn others(proc: &Proc) -> BTreeSet<LocalId> {
    let (mut found, mut not): (BTreeSet<LocalId>, BTreeSet<LocalId>) = Default::default();
    let mut is = |local: LocalId, other: bool| {
        if other {
            found.insert(local)
        } else {
            not.insert(local)
        };
    };
    let mut given = |local: LocalId, from: &Expr| is(local, are_others(from));
    each_stmt(proc, &mut |stmt| each_given(stmt, &mut given));
    each_expr(proc, &mut |expr| {
        if let Some((binder, over)) = expr.subject() {
            // What stands behind `p != me` is asked of others only.
            let first = match &expr.kind {
                ExprKind::Where { cond, .. } | ExprKind::Any { cond, .. } => leaves_out_me(first_part(cond), binder),
                _ => false,
            };
            is(binder, first || are_others(over));
        }
    });
    &found - &not
}

/// Whether an expression gives no player but others than `me`.
pub(super) fn are_others(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Opponents => true,
        ExprKind::ToSet(inner) | ExprKind::ToList(inner) => are_others(inner),
        ExprKind::Having { over, .. } | ExprKind::Sorted { over, .. } => are_others(over),
        ExprKind::Where { over, binder, cond } => are_others(over) || leaves_out_me(cond, *binder),
        ExprKind::Builtin(Builtin::First, args) => args.first().is_some_and(are_others),
        ExprKind::Binary(BinaryOp::Difference, from, less) => {
            are_others(from) || matches!(less.bare().kind, ExprKind::Me)
        }
        ExprKind::Binary(BinaryOp::Both, a, b) => are_others(a) || are_others(b),
        ExprKind::Binary(BinaryOp::Union, a, b) | ExprKind::If(_, a, b) => are_others(a) && are_others(b),
        _ => false,
    }
}

/// What a condition asks first.
fn first_part(cond: &Expr) -> &Expr {
    match &cond.kind {
        ExprKind::And(first, _) => first_part(first),
        _ => cond,
    }
}

/// Whether a condition does not hold of `me`.
pub(super) fn leaves_out_me(cond: &Expr, member: LocalId) -> bool {
    let is_me = |expr: &Expr| matches!(expr.kind, ExprKind::Me);
    match &cond.kind {
        ExprKind::And(a, b) => leaves_out_me(a, member) || leaves_out_me(b, member),
        ExprKind::Compare(CompareOp::Ne, a, b) => a.is_local(member) && is_me(b) || is_me(a) && b.is_local(member),
        _ => false,
    }
}
