//! Filters that ask each member by itself, and why, for `check --stats`.

use super::code::Builder;
use super::layout::{Repr, repr};
use crate::base::Span;
use crate::model::rules::{Expr, ExprKind, LocalId, PropClass, RootKind, Ty};

/// A filter that asks each member by itself.
#[derive(Clone, Debug)]
pub struct Asked {
    /// The filter.
    pub span: Span,
    /// Why no set says it, in an author's words, where its members are sites or lie on boards; those of a hand are few.
    pub why: Option<String>,
}

impl Builder<'_> {
    /// Notes a filter that asks each member by itself.
    pub(super) fn ask_each(&mut self, whole: &Expr, over: &Expr, binder: LocalId, cond: &Expr) {
        let why = self.is_over_board(over).then(|| self.why_each(binder, cond));
        self.predicates.loops.push(Asked { span: whole.span, why });
    }

    /// Whether members are sites, or may lie on boards.
    pub(super) fn is_over_board(&self, over: &Expr) -> bool {
        if let ExprKind::Contents(..) = &over.kind {
            return false;
        }
        if let ExprKind::Where { over, .. } = &over.kind {
            return self.is_over_board(over);
        }
        match (repr(&over.ty), super::stmts::item(&over.ty)) {
            (Repr::Sites, _) => true,
            (Repr::Entities, Ty::Entity(kind)) => {
                self.rules.kinds.get(kind.index()).is_some_and(|kind| kind.root == RootKind::Piece)
            }
            _ => false,
        }
    }

    /// What of a condition no set says: the first of what takes longest.
    fn why_each(&self, binder: LocalId, cond: &Expr) -> String {
        let mut found: Option<(u8, String)> = None;
        cond.walk(&mut |part| {
            if let Some(reason) = self.asks(binder, part)
                && found.as_ref().is_none_or(|(weight, _)| *weight < reason.0)
            {
                found = Some(reason);
            }
        });
        found.map_or_else(|| "what it asks of each is no set of sites".to_owned(), |(_, why)| why)
    }

    /// Why a part of a condition is asked of each member, and how much that is.
    fn asks(&self, binder: LocalId, part: &Expr) -> Option<(u8, String)> {
        let mentions = part.mentions(binder);
        match &part.kind {
            ExprKind::CallScript(..) => Some((9, "it asks a script of each".to_owned())),
            ExprKind::Can(..) | ExprKind::Targetable { .. } => Some((8, "it asks of each what is allowed".to_owned())),
            ExprKind::CallLambda(..) => Some((7, "it asks a card's own test of each".to_owned())),
            ExprKind::Where { .. }
            | ExprKind::Any { .. }
            | ExprKind::All { .. }
            | ExprKind::Fold { .. }
            | ExprKind::Collect { .. }
            | ExprKind::Having { .. }
            | ExprKind::Sorted { .. }
                if mentions =>
            {
                Some((6, "it goes through another set for each".to_owned()))
            }
            ExprKind::Prop(of, prop) if of.is_local(binder) => {
                let info = self.rules.props.get(prop.index())?;
                let name = &info.name;
                match info.class {
                    PropClass::Stat { .. } => Some((5, format!("`{name}` is worked out for each"))),
                    PropClass::Builtin(_) | PropClass::Table(_) => None,
                    PropClass::Field { .. }
                    | PropClass::Counter { .. }
                    | PropClass::Mark { .. }
                    | PropClass::LinkOne(_)
                    | PropClass::LinkMany(_) => Some((2, format!("`{name}` is read of each"))),
                }
            }
            ExprKind::Call(proc, _) if mentions => {
                let name = self.rules.procs.get(proc.index()).map_or("", |proc| proc.name.as_str());
                Some((4, format!("`{name}` is worked out for each")))
            }
            ExprKind::Compare(..) | ExprKind::Binary(..) if mentions => {
                Some((1, "it compares what is worked out for each".to_owned()))
            }
            _ => None,
        }
    }
}
