//! What a choice of an action says about a later one: `choose m in mine where some goals(it)`, then
//! `choose g in goals(m)`, always finds a goal, so that nothing has to be tried out.

use crate::model::rules::{Expr, ExprKind, LocalId, ProcBody, Rules};

/// What stands for a local of a condition, seen from the action.
#[derive(Clone, Copy)]
enum Stand<'e> {
    /// The member that was chosen.
    Chosen(LocalId),
    /// An argument of a definition.
    Value(&'e Expr),
}

/// Locals of a condition and what stands for them; `closed`: it belongs to a definition and sees nothing else.
#[derive(Clone)]
struct Scope<'e> {
    known: Vec<(LocalId, Stand<'e>)>,
    closed: bool,
}

impl<'e> Scope<'e> {
    fn find(&self, local: LocalId) -> Option<Stand<'e>> {
        self.known.iter().rev().find(|(known, _)| *known == local).map(|(_, stand)| *stand)
    }
}

/// Whether a set cannot be empty, because `chosen` was taken from a set whose filter says so. Both are read in the
/// same position.
pub(super) fn says_some(rules: &Rules, chosen: LocalId, from: &Expr, wanted: &Expr) -> bool {
    let mut scope = Scope { known: Vec::new(), closed: false };
    let mut from = from;
    loop {
        match &from.kind {
            ExprKind::ToSet(inner) => from = inner,
            ExprKind::Where { over, binder, cond } => {
                let mut within = scope.clone();
                within.known.push((*binder, Stand::Chosen(chosen)));
                if asks_for(cond, &within, wanted) {
                    return true;
                }
                from = over;
            }
            // The arguments stand in the action only if this definition is called there.
            ExprKind::Call(proc, args) if !scope.closed => {
                let ProcBody::Expr(body) = &rules.procs[proc.index()].body else { return false };
                let values = args.iter().enumerate().map(|(index, arg)| (LocalId(index as u32), Stand::Value(arg)));
                scope = Scope { known: values.collect(), closed: true };
                from = body;
            }
            _ => return false,
        }
    }
}

/// Whether a condition holds only if the wanted set has members.
fn asks_for(cond: &Expr, scope: &Scope<'_>, wanted: &Expr) -> bool {
    match &cond.kind {
        ExprKind::And(a, b) => asks_for(a, scope, wanted) || asks_for(b, scope, wanted),
        ExprKind::Some(set) => same(set, scope, wanted),
        _ => false,
    }
}

/// Whether two expressions are the same; what is not known is not.
pub(super) fn alike(a: &Expr, b: &Expr) -> bool {
    same(a, &Scope { known: Vec::new(), closed: false }, b)
}

/// Whether two expressions are the same, with what stands for the locals of the first; what is not known is not.
fn same(a: &Expr, scope: &Scope<'_>, b: &Expr) -> bool {
    let all = |some: &[Expr], others: &[Expr]| {
        some.len() == others.len() && some.iter().zip(others).all(|(a, b)| same(a, scope, b))
    };
    match (&a.kind, &b.kind) {
        (ExprKind::ToSet(a), _) => same(a, scope, b),
        (_, ExprKind::ToSet(b)) => same(a, scope, b),
        (ExprKind::Local(local), _) => match (scope.find(*local), &b.kind) {
            (Some(Stand::Chosen(chosen)), ExprKind::Local(other)) => chosen == *other,
            (Some(Stand::Value(value)), _) => same(value, &Scope { known: Vec::new(), closed: false }, b),
            (None, ExprKind::Local(other)) => !scope.closed && local == other,
            _ => false,
        },
        (ExprKind::Word(a), ExprKind::Word(b)) => a == b,
        (ExprKind::Me, ExprKind::Me) | (ExprKind::Mover, ExprKind::Mover) => true,
        (ExprKind::InPlay(a), ExprKind::InPlay(b)) => a == b,
        (ExprKind::GameProp(a), ExprKind::GameProp(b)) => a == b,
        (ExprKind::Prop(a, p), ExprKind::Prop(b, q)) => p == q && same(a, scope, b),
        (ExprKind::Seat(a), ExprKind::Seat(b))
        | (ExprKind::Not(a), ExprKind::Not(b))
        | (ExprKind::Some(a), ExprKind::Some(b))
        | (ExprKind::Count(a), ExprKind::Count(b)) => same(a, scope, b),
        (ExprKind::Option(a), ExprKind::Option(b)) => a == b,
        (ExprKind::And(a, b), ExprKind::And(c, d))
        | (ExprKind::Or(a, b), ExprKind::Or(c, d))
        | (ExprKind::In(a, b), ExprKind::In(c, d)) => same(a, scope, c) && same(b, scope, d),
        (ExprKind::Compare(op, a, b), ExprKind::Compare(other, c, d)) => {
            op == other && same(a, scope, c) && same(b, scope, d)
        }
        (ExprKind::If(a, b, c), ExprKind::If(d, e, f)) => same(a, scope, d) && same(b, scope, e) && same(c, scope, f),
        // The board may be in the type alone.
        (ExprKind::Builtin(f, some), ExprKind::Builtin(g, others)) => f == g && a.ty == b.ty && all(some, others),
        (ExprKind::Call(a, some), ExprKind::Call(b, others)) => a == b && all(some, others),
        (ExprKind::Binary(op, a, b), ExprKind::Binary(other, c, d)) => {
            op == other && same(a, scope, c) && same(b, scope, d)
        }
        _ => false,
    }
}
