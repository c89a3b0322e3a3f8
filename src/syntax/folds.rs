//! Where a fold ends that comes to a number. In the tree, `sum F of S + x` is a sum of a fold and `x`; where `x` is a set, it is joined to
//! the set of the fold, as its text can be read, too. Which of both is meant only types say.

use super::ast::{BinaryOp, Expr, ExprKind, FoldOp, UnaryOp};

/// Whether a fold comes to a number, so that arithmetic may go on behind it.
pub fn is_number(op: FoldOp) -> bool {
    matches!(op, FoldOp::Sum | FoldOp::Min | FoldOp::Max)
}

/// Whether an operator joins numbers; some of these join sets, too.
pub fn is_arithmetic(op: BinaryOp) -> bool {
    matches!(op, BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul | BinaryOp::Div | BinaryOp::Rem)
}

/// Whether no bracket closes behind an expression that ends with another.
pub fn is_open(written: &Expr) -> bool {
    written.last().is_some_and(|last| last.span.end == written.span.end)
}

/// What the fold goes over with which an expression ends, if arithmetic behind it may be about its set.
pub fn last_over(written: &Expr) -> Option<&Expr> {
    match &written.kind {
        ExprKind::Fold { over, open: true, .. } => Some(over),
        _ if !is_open(written) => None,
        ExprKind::Unary(UnaryOp::Negate, last) => last_over(last),
        ExprKind::Binary(op, _, last) if is_arithmetic(*op) => last_over(last),
        _ => None,
    }
}

/// What stands behind a fold, taken into its set: `sum F of (S + x)` for `(sum F of S) + x`.
pub fn taken_in(written: &Expr) -> Option<Expr> {
    let ExprKind::Binary(op, left, right) = &written.kind else { return None };
    let mut left = if last_over(left).is_some() { (**left).clone() } else { taken_in(left)? };
    (is_arithmetic(*op) && take_in(&mut left, *op, right)).then_some(Expr { span: written.span, ..left })
}

fn take_in(into: &mut Expr, op: BinaryOp, right: &Expr) -> bool {
    last_over(into).is_some() && {
        if into.span.file == right.span.file {
            into.span = into.span.to(right.span);
        }
        if !matches!(into.kind, ExprKind::Fold { .. }) {
            return into.last_mut().is_some_and(|last| take_in(last, op, right));
        }
        if let Some(over) = into.last_mut() {
            let span = if over.span.file == right.span.file { over.span.to(right.span) } else { over.span };
            let left = std::mem::replace(over, Expr { kind: ExprKind::Error, span });
            over.kind = ExprKind::Binary(op, Box::new(left), Box::new(right.clone()));
        }
        true
    }
}
