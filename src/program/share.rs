//! Values that an expression asks for more than once are worked out once, before the rest of it.

use super::code::Builder;
use super::expand::harmless;
use super::implied::alike;
use crate::model::rules::{Expr, ExprKind, LocalId, PropClass};

/// Parts of an expression beyond which nothing is shared.
const MOST_PARTS: usize = 120;
/// How deep definitions are looked into.
const MOST_DEPTH: usize = 8;

impl Builder<'_> {
    /// Works out what an expression asks for more than once.
    pub(super) fn share(&mut self, expr: &Expr) {
        // Most expressions have nothing that would be worth it.
        let mut worth = false;
        expr.walk(&mut |part| worth |= self.worth_sharing(part));
        if !worth {
            return;
        }
        let (mut parts, mut inner) = (Vec::new(), Vec::new());
        collect(expr, &mut parts, &mut inner);
        if parts.len() > MOST_PARTS {
            return;
        }
        // What is within others comes first.
        for (index, part) in parts.iter().enumerate() {
            let again = |other: &&&Expr| alike(part, other) && part.ty == other.ty;
            if self.worth_sharing(part)
                && !parts[..index].iter().any(|other| again(&other))
                && parts[index + 1..].iter().any(|other| again(&other))
                && !inner.iter().any(|binder| part.mentions(*binder))
                && harmless(self.rules, part, MOST_DEPTH)
            {
                let slot = self.expr(part);
                self.shared.push(((*part).clone(), slot));
            }
        }
    }

    fn worth_sharing(&self, part: &Expr) -> bool {
        match &part.kind {
            ExprKind::Call(..) | ExprKind::Builtin(..) => true,
            ExprKind::Prop(_, prop) => matches!(self.rules.props[prop.index()].class, PropClass::Builtin(_)),
            _ => false,
        }
    }
}

/// All parts of an expression, the inner ones first, and the names of its filters and folds.
fn collect<'e>(expr: &'e Expr, parts: &mut Vec<&'e Expr>, inner: &mut Vec<LocalId>) {
    let start = parts.len();
    expr.walk(&mut |part| {
        parts.push(part);
        inner.extend(part.binder());
    });
    parts[start..].reverse();
}
