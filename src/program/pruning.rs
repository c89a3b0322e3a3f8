//! What of a condition on a choice of several is anti-monotone, that is, stays false once it is: `count (gather rank of cs) = 1` does not hold again
//! when more cards are picked after two of different ranks. The search for picks (`engine/picks.rs`) turns back there.
//!
//! A value that is worked out from the picks has a [`Trend`]: how it changes while more is picked, as far as that can be
//! told from what it is made of. A condition becomes a weaker one that can only turn false; what it says of trends that
//! are not known is left out.
//!
//! INVARIANT: it is asked of picks that are not empty, so that the most and the least of them are of some.

use super::code::Builder;
use super::expand::{Fresh, expanded};
use super::folds::and;
use super::implied::alike;
use super::layout::{Repr, repr};
use crate::model::rules::{
    BinaryOp, Builtin, CollectOp, CompareOp, Expr, ExprKind, FoldOp, LocalId, PropClass, Stmt, StmtKind, Ty,
};

/// How a value changes while more is picked. A flag is less when it is false.
#[derive(Clone, Copy, PartialEq)]
enum Trend {
    /// It does not.
    Same,
    /// It gets no less.
    Up,
    /// It gets no more.
    Down,
    /// Nobody knows.
    Any,
}

impl Trend {
    fn and(self, other: Trend) -> Trend {
        match (self, other) {
            (Trend::Same, trend) | (trend, Trend::Same) => trend,
            (a, b) if a == b => a,
            _ => Trend::Any,
        }
    }

    fn turned(self) -> Trend {
        match self {
            Trend::Up => Trend::Down,
            Trend::Down => Trend::Up,
            same => same,
        }
    }
}

/// A condition on what is picked.
struct Picked<'b, 'r> {
    builder: &'b Builder<'r>,
    picks: LocalId,
}

impl Builder<'_> {
    /// What the `ensure`s that follow a choice of several say of it that stays false once it is, and the types of the
    /// locals that it has beyond those of the procedure.
    pub(super) fn bound_of(&self, picks: LocalId, rest: &[Stmt]) -> Option<(Expr, Vec<Ty>)> {
        let fresh = Fresh::new(self.env.locals.len());
        let picked = Picked { builder: self, picks };
        let conds = rest.iter().map_while(|stmt| match &stmt.kind {
            StmtKind::Ensure { cond } => Some(cond),
            _ => None,
        });
        let bounds = conds.filter(|cond| cond.mentions(picks)).filter_map(|cond| {
            let cond = expanded(self.rules, &fresh, picks, &[], cond)?;
            picked.falls(&cond)
        });
        let bound = bounds.reduce(and).filter(|bound| bound.mentions(picks))?;
        Some((bound, fresh.types.into_inner()))
    }
}

impl Picked<'_, '_> {
    /// What of a condition stays false once it is; none if nothing does.
    fn falls(&self, cond: &Expr) -> Option<Expr> {
        let kept = matches!(self.trend(cond), Trend::Same | Trend::Down) || self.tells_apart(cond);
        if kept && self.builder.harmless(cond) {
            return Some(cond.clone());
        }
        let made = |kind| Expr { kind, ty: Ty::Flag, span: cond.span };
        match &cond.kind {
            ExprKind::And(a, b) => match (self.falls(a), self.falls(b)) {
                (Some(a), Some(b)) => Some(and(a, b)),
                (a, b) => a.or(b),
            },
            ExprKind::Or(a, b) => Some(made(ExprKind::Or(Box::new(self.falls(a)?), Box::new(self.falls(b)?)))),
            ExprKind::Compare(CompareOp::Eq, a, b) => {
                let sides = [CompareOp::Le, CompareOp::Ge].map(|op| made(ExprKind::Compare(op, a.clone(), b.clone())));
                let number = *a.ty.bare() == Ty::Number && *b.ty.bare() == Ty::Number;
                let falls = |side: &Expr| number && self.trend(side) == Trend::Down && self.builder.harmless(side);
                sides.into_iter().find(falls)
            }
            ExprKind::Any { over, binder, cond } if self.trend(over) == Trend::Same => {
                let cond = Box::new(self.falls(cond)?);
                Some(made(ExprKind::Any { over: over.clone(), binder: *binder, cond }))
            }
            ExprKind::All { over, binder, cond } if self.trend(over) == Trend::Same => {
                let cond = Box::new(self.falls(cond)?);
                Some(made(ExprKind::All { over: over.clone(), binder: *binder, cond }))
            }
            _ => None,
        }
    }

    /// `count (gather F of S) = count S`: no two are alike.
    fn tells_apart(&self, cond: &Expr) -> bool {
        let ExprKind::Compare(CompareOp::Eq, a, b) = &cond.kind else { return false };
        let apart = |values: &Expr, members: &Expr| {
            let (ExprKind::Count(values), ExprKind::Count(members)) = (&values.kind, &members.kind) else {
                return false;
            };
            let ExprKind::Collect { op: CollectOp::Gather, over, body, .. } = &values.bare().kind else { return false };
            alike(over, members) && self.trend(over) == Trend::Up && !body.mentions(self.picks) && !may_be_missing(body)
        };
        apart(a, b) || apart(b, a)
    }

    fn trend(&self, expr: &Expr) -> Trend {
        if !expr.mentions(self.picks) {
            return Trend::Same;
        }
        let same_body = |body: &Expr| !body.mentions(self.picks);
        match &expr.kind {
            ExprKind::Local(_) => Trend::Up,
            ExprKind::ToSet(of) | ExprKind::ToList(of) | ExprKind::Count(of) | ExprKind::Some(of) => self.trend(of),
            ExprKind::Not(of) | ExprKind::Negate(of) => self.trend(of).turned(),
            ExprKind::Prop(of, _) if of.ty.is_many() => self.trend(of),
            ExprKind::And(a, b) | ExprKind::Or(a, b) => self.trend(a).and(self.trend(b)),
            ExprKind::If(when, yes, no) if self.trend(when) == Trend::Same => self.trend(yes).and(self.trend(no)),
            ExprKind::Binary(op, a, b) => match op {
                BinaryOp::Add | BinaryOp::Union | BinaryOp::Both => self.trend(a).and(self.trend(b)),
                BinaryOp::Sub | BinaryOp::Difference => self.trend(a).and(self.trend(b).turned()),
                BinaryOp::Mul | BinaryOp::Div | BinaryOp::Rem => Trend::Any,
            },
            ExprKind::Builtin(Builtin::Smaller | Builtin::Larger, args) => {
                args.iter().fold(Trend::Same, |trend, arg| trend.and(self.trend(arg)))
            }
            ExprKind::Compare(op, a, b) if *a.ty.bare() == Ty::Number && *b.ty.bare() == Ty::Number => {
                let (a, b) = (self.trend(a), self.trend(b));
                match op {
                    CompareOp::Ge | CompareOp::Gt => a.and(b.turned()),
                    CompareOp::Le | CompareOp::Lt => a.turned().and(b),
                    CompareOp::Eq | CompareOp::Ne => Trend::Any,
                }
            }
            ExprKind::In(item, set) if same_body(item) => self.trend(set),
            ExprKind::Where { over, cond, .. } | ExprKind::Any { over, cond, .. } if same_body(cond) => {
                self.trend(over)
            }
            ExprKind::All { over, cond, .. } if same_body(cond) => self.trend(over).turned(),
            ExprKind::Collect { over, body, .. } if same_body(body) && repr(&expr.ty) != Repr::List => self.trend(over),
            ExprKind::Fold { op, over, body, .. } if same_body(body) => self.trend_of_fold(*op, over, body),
            _ => Trend::Any,
        }
    }

    fn trend_of_fold(&self, op: FoldOp, over: &Expr, body: &Expr) -> Trend {
        // Of none, the most is 0, and so is the least.
        let of_picks = over.bare().is_local(self.picks) && !may_be_missing(body);
        match op {
            FoldOp::Max if of_picks => Trend::Up,
            FoldOp::Min if of_picks => Trend::Down,
            FoldOp::Sum if self.is_positive(body) => self.trend(over),
            FoldOp::Sum | FoldOp::Max | FoldOp::Min => Trend::Any,
        }
    }

    /// Whether a number is known to be no less than 0.
    fn is_positive(&self, expr: &Expr) -> bool {
        match &expr.kind {
            ExprKind::Word(word) => *word >= 0,
            ExprKind::Count(_) | ExprKind::Builtin(Builtin::EnumIndex | Builtin::Abs, _) => true,
            ExprKind::Builtin(Builtin::Smaller | Builtin::Larger, args) => args.iter().all(|arg| self.is_positive(arg)),
            ExprKind::Binary(BinaryOp::Add | BinaryOp::Mul, a, b) => self.is_positive(a) && self.is_positive(b),
            ExprKind::If(_, yes, no) => self.is_positive(yes) && self.is_positive(no),
            ExprKind::Prop(_, prop) => {
                let info = &self.builder.rules.props[prop.index()];
                let stored = matches!(info.class, PropClass::Field { .. } | PropClass::Counter { .. });
                stored && info.range.is_some_and(|(low, _)| low >= 0)
            }
            _ => false,
        }
    }
}

/// Whether a value can be missing: what is missing counts for nothing.
fn may_be_missing(expr: &Expr) -> bool {
    expr.ty != *expr.ty.bare()
}
