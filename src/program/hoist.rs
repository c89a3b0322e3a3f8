//! Sets in the body of a loop that do not depend on its member: they are worked out once, before the loop.

use super::code::Builder;
use super::layout::{Repr, repr};
use super::op::Slot;
use crate::model::rules::{BinaryOp, Builtin, Expr, ExprKind, LocalId, ProcBody, PropClass};

/// Definitions within definitions that are looked into.
const MAX_CALLS: usize = 6;

/// A set that was worked out before a loop: which expression of which environment, and where its value lies.
#[derive(Clone, Copy, Debug)]
pub(super) struct Hoisted {
    expr: *const Expr,
    env: u32,
    slot: Slot,
}

impl Builder<'_> {
    /// Works out the sets in the body of a loop that stay the same in it. Gives a mark for [`Builder::lower`].
    pub(super) fn hoist(&mut self, body: &Expr, binder: LocalId) -> usize {
        let mark = self.hoisted.len();
        let mut found = Vec::new();
        self.steady_parts(body, &mut vec![binder], &mut found);
        for expr in found {
            if self.hoisted(expr).is_none() {
                let slot = self.expr(expr);
                self.hoisted.push(Hoisted { expr, env: self.env.id, slot });
            }
        }
        mark
    }

    /// Forgets what was worked out before a loop.
    pub(super) fn lower(&mut self, mark: usize) {
        self.hoisted.truncate(mark);
    }

    /// Where a set lies that was worked out before the loop at hand.
    pub(super) fn hoisted(&self, expr: &Expr) -> Option<Slot> {
        let found = self.hoisted.iter().find(|found| std::ptr::eq(found.expr, expr) && found.env == self.env.id);
        found.map(|found| found.slot)
    }

    fn steady_parts<'e>(&self, expr: &'e Expr, bound: &mut Vec<LocalId>, found: &mut Vec<&'e Expr>) {
        let lies = matches!(
            expr.kind,
            ExprKind::Local(_) | ExprKind::Empty | ExprKind::Nothing | ExprKind::Contents(_, None) | ExprKind::Players
        );
        if lies {
            return;
        }
        if matches!(repr(&expr.ty), Repr::Sites | Repr::Entities) && self.steady(expr, bound, 0) {
            return found.push(expr);
        }
        match &expr.kind {
            ExprKind::Not(a) | ExprKind::Some(a) | ExprKind::Count(a) | ExprKind::ToSet(a) | ExprKind::Is(a, _) => {
                self.steady_parts(a, bound, found);
            }
            ExprKind::Binary(_, a, b)
            | ExprKind::Compare(_, a, b)
            | ExprKind::And(a, b)
            | ExprKind::Or(a, b)
            | ExprKind::In(a, b) => {
                self.steady_parts(a, bound, found);
                self.steady_parts(b, bound, found);
            }
            ExprKind::Builtin(_, args) | ExprKind::Call(_, args) => {
                args.iter().for_each(|arg| self.steady_parts(arg, bound, found));
            }
            ExprKind::Where { over, binder, cond: body }
            | ExprKind::Any { over, binder, cond: body }
            | ExprKind::All { over, binder, cond: body }
            | ExprKind::Fold { over, binder, body, .. }
            | ExprKind::Collect { over, binder, body, .. }
            | ExprKind::Having { over, binder, body, .. } => {
                self.steady_parts(over, bound, found);
                bound.push(*binder);
                self.steady_parts(body, bound, found);
                bound.pop();
            }
            ExprKind::Word(..)
            | ExprKind::Text(..)
            | ExprKind::Nothing
            | ExprKind::Empty
            | ExprKind::Local(..)
            | ExprKind::Me
            | ExprKind::This
            | ExprKind::Mover
            | ExprKind::Actor
            | ExprKind::Source
            | ExprKind::Cause
            | ExprKind::Changed
            | ExprKind::Round
            | ExprKind::Option(..)
            | ExprKind::Prop(..)
            | ExprKind::GameProp(..)
            | ExprKind::InPlay(..)
            | ExprKind::EntitiesOf(..)
            | ExprKind::Contents(..)
            | ExprKind::Players
            | ExprKind::Opponents
            | ExprKind::Seat(..)
            | ExprKind::ToList(..)
            | ExprKind::List(..)
            | ExprKind::Negate(..)
            | ExprKind::Can(..)
            | ExprKind::Targetable { .. }
            | ExprKind::Range(..)
            | ExprKind::Sorted { .. }
            | ExprKind::If(..)
            | ExprKind::CallLambda(..)
            | ExprKind::Lambda(..)
            | ExprKind::CallScript(..)
            | ExprKind::Index(..)
            | ExprKind::Side(..)
            | ExprKind::Part(..) => {}
        }
    }

    /// Whether an expression is the same for all members, and can be worked out where it may not be needed.
    fn steady(&self, expr: &Expr, bound: &[LocalId], calls: usize) -> bool {
        let same = |part: &Expr| self.steady(part, bound, calls);
        match &expr.kind {
            ExprKind::Word(_)
            | ExprKind::Nothing
            | ExprKind::Empty
            | ExprKind::Me
            | ExprKind::This
            | ExprKind::Mover
            | ExprKind::Players
            | ExprKind::Option(_)
            | ExprKind::GameProp(_)
            | ExprKind::InPlay(_) => true,
            ExprKind::Local(local) => !bound.contains(local),
            ExprKind::Contents(_, of) => repr(&expr.ty) == Repr::Entities && of.as_deref().is_none_or(same),
            ExprKind::ToSet(inner) => repr(&inner.ty) != Repr::List && same(inner),
            ExprKind::Not(a) | ExprKind::Some(a) | ExprKind::Count(a) | ExprKind::Is(a, _) => same(a),
            ExprKind::Binary(BinaryOp::Union | BinaryOp::Difference | BinaryOp::Both, a, b) => {
                repr(&expr.ty) != Repr::List && same(a) && same(b)
            }
            ExprKind::Compare(_, a, b) | ExprKind::And(a, b) | ExprKind::Or(a, b) | ExprKind::In(a, b) => {
                same(a) && same(b)
            }
            ExprKind::Prop(of, prop) => {
                let stored = !matches!(self.rules.props[prop.index()].class, PropClass::Stat { .. });
                stored && repr(&of.ty) == Repr::Word && repr(&expr.ty) == Repr::Word && same(of)
            }
            ExprKind::Builtin(builtin, args) => steady_function(*builtin) && args.iter().all(same),
            ExprKind::Where { over, cond, .. } => repr(&expr.ty) != Repr::List && same(over) && same(cond),
            ExprKind::Call(proc, args) => {
                let body = match &self.rules.procs[proc.index()].body {
                    ProcBody::Expr(body) if calls < MAX_CALLS && self.rules.opens(*proc) => body,
                    _ => return false,
                };
                args.iter().all(same) && self.steady(body, &[], calls + 1)
            }
            _ => false,
        }
    }
}

/// Functions that neither fail nor take long, over boards with an end.
fn steady_function(builtin: Builtin) -> bool {
    builtin.is_geometry()
        || matches!(
            builtin,
            Builtin::Empty | Builtin::EmptyOf | Builtin::SitesOf | Builtin::SiteOf | Builtin::PiecesOn | Builtin::TopOn
        )
}
