//! How long definitions are with all that they call. The compiler puts short ones in the place of their calls and looks into
//! them; sixty definitions that each call the one before twice would never come to an end.

use super::rules::{Expr, ExprKind, Proc, ProcBody, ProcId, PropClass, Rules};

/// Parts of a definition, with those of the definitions that it calls, up to which it is looked into.
const SHORT: u64 = 2_000;
/// Calls within calls are followed as deep as the compiler goes.
const DEEPEST: usize = 10;

/// For each procedure, whether it is short.
pub(super) fn short(rules: &Rules) -> Vec<bool> {
    let parts: Vec<(u64, Vec<ProcId>)> = rules.procs.iter().map(|proc| own_parts(rules, proc)).collect();
    let mut weights: Vec<u64> = parts.iter().map(|(own, _)| *own).collect();
    for _ in 0..DEEPEST {
        let within = |calls: &[ProcId]| {
            calls
                .iter()
                .filter_map(|proc| weights.get(proc.index()))
                .fold(0, |sum: u64, more| sum.saturating_add(*more))
        };
        weights = parts.iter().map(|(own, calls)| own.saturating_add(within(calls))).collect();
    }
    weights.into_iter().map(|weight| weight <= SHORT).collect()
}

/// How many parts an expression procedure has itself, and what it calls.
fn own_parts(rules: &Rules, proc: &Proc) -> (u64, Vec<ProcId>) {
    let (mut own, mut calls) = (0, Vec::new());
    if let ProcBody::Expr(body) = &proc.body {
        body.walk(&mut |part: &Expr| {
            own += 1;
            calls.extend(called(rules, part));
        });
    }
    (own, calls)
}

fn called(rules: &Rules, part: &Expr) -> Option<ProcId> {
    match &part.kind {
        ExprKind::Call(proc, _) => Some(*proc),
        ExprKind::Prop(_, prop) => match rules.props.get(prop.index())?.class {
            PropClass::Stat { formula } => Some(formula),
            _ => None,
        },
        _ => None,
    }
}
