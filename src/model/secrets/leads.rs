//! Choices of an action that lead on: whether one may be a dead end, where there is nothing to choose.

use super::Watch;
use super::flow::Flow;
use super::shown::acts;
use crate::base::Span;
use crate::model::rules::walk::each_block;
use crate::model::rules::{Expr, ExprKind, Qty, Stmt, StmtKind};
use std::collections::BTreeSet;

impl<'r> Watch<'r> {
    /// Whether a statement of an action is a dead end where there is nothing to choose: its player must choose, and nothing written
    /// there, nor the condition around it, says that there is something.
    pub(super) fn may_be_dead_end(&self, stmt: &Stmt) -> bool {
        let StmtKind::Choose(choose) = &stmt.kind else { return false };
        let is_written = match &choose.domain.bare().kind {
            ExprKind::Range(low, high) => {
                matches!((&low.kind, &high.kind), (ExprKind::Word(low), ExprKind::Word(high)) if low <= high)
            }
            ExprKind::List(items) => !items.is_empty(),
            _ => false,
        };
        let own = choose.by.as_ref().is_none_or(|by| matches!(by.kind, ExprKind::Seat(_)));
        own && !choose.qty.is_optional() && !is_written && !self.promised.contains(&stmt.span)
    }

    /// A statement of an action before its first choice. What it does depends on the conditions around it, and on the cards that it
    /// finds: so does whether the choice is offered with the action, and what there is to choose.
    pub(super) fn begins(&mut self, stmt: &'r Stmt) {
        let mut within = false;
        each_block(stmt, &mut |_| within = true);
        let does = acts(&stmt.kind) || matches!(stmt.kind, StmtKind::Note(_));
        if within || !does || matches!(stmt.kind, StmtKind::ChooseAction { .. } | StmtKind::Offer(_)) {
            return;
        }
        let found = match &stmt.kind {
            StmtKind::Move { what: of, .. } | StmtKind::SetProp { of, .. } => self.expr(of),
            _ => Flow::default(),
        };
        let found = self.untold(found);
        let before = self.set(found).facts;
        self.begun |= before.is_empty();
        self.before.extend(before);
    }

    /// Notes the choice that stands first under a condition which says that there is something to choose.
    pub(super) fn promise(&mut self, cond: &'r Expr, body: &'r [Stmt]) {
        let mut said = Vec::new();
        promised(&mut said, cond, body, &mut self.promised);
    }
}

/// Goes through conditions around one another, and what stands before the choice under them.
fn promised<'r>(said: &mut Vec<&'r Expr>, cond: &'r Expr, body: &'r [Stmt], found: &mut BTreeSet<Span>) {
    parts(cond, said);
    for stmt in body {
        match &stmt.kind {
            StmtKind::Note(_) | StmtKind::Reveal { .. } => {}
            StmtKind::Local { local, .. } => said.retain(|part| !part.mentions(*local)),
            StmtKind::If { cond, body, .. } => return promised(said, cond, body, found),
            StmtKind::Choose(choose) => {
                let one = match &choose.qty {
                    Qty::One => true,
                    Qty::Between(low, _) => matches!(low.kind, ExprKind::Word(..=1)),
                };
                if one && said.iter().any(|part| says_some(part, &choose.domain)) {
                    found.insert(stmt.span);
                }
                return;
            }
            _ => return,
        }
    }
}

/// All that must hold for a condition to hold.
fn parts<'r>(cond: &'r Expr, found: &mut Vec<&'r Expr>) {
    match &cond.kind {
        ExprKind::And(left, right) => {
            parts(left, found);
            parts(right, found);
        }
        _ => found.push(cond),
    }
}

/// Whether a condition is that there is something in a set.
fn says_some(cond: &Expr, set: &Expr) -> bool {
    match (&cond.kind, &set.bare().kind) {
        (ExprKind::Some(some), _) => alike(some, set),
        (ExprKind::Any { over, binder, cond }, ExprKind::Where { over: other, binder: its, cond: its_cond }) => {
            let mut its_cond = (**its_cond).clone();
            its_cond.rename(*its, *binder);
            alike(over, other) && cond.same(&its_cond)
        }
        _ => false,
    }
}

/// Whether two sets are the same, as far as they are written alike.
pub(super) fn alike(one: &Expr, two: &Expr) -> bool {
    match (&one.bare().kind, &two.bare().kind) {
        (ExprKind::Where { over, binder, cond }, ExprKind::Where { over: other, binder: its, cond: its_cond }) => {
            let mut its_cond = (**its_cond).clone();
            its_cond.rename(*its, *binder);
            alike(over, other) && cond.same(&its_cond)
        }
        _ => one.bare().same(two.bare()),
    }
}
