//! When two expressions of one place are the same.

use crate::model::rules::{Expr, ExprKind};

/// Whether two expressions are the same; what is not known is not.
pub(super) fn alike(a: &Expr, b: &Expr) -> bool {
    let all = |some: &[Expr], others: &[Expr]| {
        some.len() == others.len() && some.iter().zip(others).all(|(a, b)| alike(a, b))
    };
    match (&a.kind, &b.kind) {
        (ExprKind::ToSet(a), _) => alike(a, b),
        (_, ExprKind::ToSet(b)) => alike(a, b),
        (ExprKind::Local(a), ExprKind::Local(b)) => a == b,
        (ExprKind::Word(a), ExprKind::Word(b)) => a == b,
        (ExprKind::Me, ExprKind::Me) | (ExprKind::This, ExprKind::This) | (ExprKind::Mover, ExprKind::Mover) => true,
        (ExprKind::InPlay(a), ExprKind::InPlay(b)) => a == b,
        (ExprKind::GameProp(a), ExprKind::GameProp(b)) => a == b,
        (ExprKind::Prop(a, p), ExprKind::Prop(b, q)) => p == q && alike(a, b),
        (ExprKind::Seat(a), ExprKind::Seat(b))
        | (ExprKind::Not(a), ExprKind::Not(b))
        | (ExprKind::Some(a), ExprKind::Some(b))
        | (ExprKind::Count(a), ExprKind::Count(b)) => alike(a, b),
        (ExprKind::Option(a), ExprKind::Option(b)) => a == b,
        (ExprKind::And(a, b), ExprKind::And(c, d))
        | (ExprKind::Or(a, b), ExprKind::Or(c, d))
        | (ExprKind::In(a, b), ExprKind::In(c, d)) => alike(a, c) && alike(b, d),
        (ExprKind::Compare(op, a, b), ExprKind::Compare(other, c, d)) => op == other && alike(a, c) && alike(b, d),
        (ExprKind::If(a, b, c), ExprKind::If(d, e, f)) => alike(a, d) && alike(b, e) && alike(c, f),
        // The board may be in the type alone.
        (ExprKind::Builtin(f, some), ExprKind::Builtin(g, others)) => f == g && a.ty == b.ty && all(some, others),
        (ExprKind::Call(a, some), ExprKind::Call(b, others)) => a == b && all(some, others),
        (ExprKind::Binary(op, a, b), ExprKind::Binary(other, c, d)) => op == other && alike(a, c) && alike(b, d),
        _ => false,
    }
}
