//! What a `reveal` or `hide` names, and a `hide` that hides nothing: of what lies where all see it.

use super::body::Body;
use super::check::Checker;
use super::rules::walk::each_stmt;
use super::rules::{Builtin, Destination, Expr, ExprKind, KindId, LocalId, Proc, Seen, StmtKind, Ty, ZoneId};
use crate::base::{Code, Diagnostic};
use crate::syntax::ast::{self, Showing};
use std::collections::BTreeSet;

impl Checker<'_> {
    /// What a `reveal` or `hide` names: cards or pieces, or the name of a value, which is told to all.
    pub(super) fn revealed(&mut self, body: &mut Body, what: &ast::Expr, to: Option<&ast::Expr>, how: Showing) -> Expr {
        let local = match &what.kind {
            ast::ExprKind::Name(name) => body.find(name),
            _ => None,
        };
        let things = |ty: &Ty| matches!(ty.element().bare(), Ty::Entity(_) | Ty::Error);
        let expr = match self.joins_sets_by_words(body, what) {
            true => super::check::broken(what.span),
            false => self.expr_in(body, what, None),
        };
        if how == Showing::Hides || things(&expr.ty) || local.is_none() && matches!(expr.ty.bare(), Ty::Site(_)) {
            let expr = self.as_many(expr);
            return self.coerce_entities(expr);
        }
        if local.is_none() {
            let message = format!("this is {}: give it a name, and reveal that", self.type_name(&expr.ty));
            let found = Diagnostic::new(Code::WrongType, expr.span, message);
            self.report(
                found.help("`let n = ...` and then `reveal n` tells all a value that was worked out from hidden cards"),
            );
        } else if let Some(to) = to {
            let found =
                Diagnostic::new(Code::WrongType, to.span, "a value is revealed to all, and not to some of the players");
            self.report(found.help("what one player alone is to know stands on a card that only that player sees"));
        }
        expr
    }

    /// Warns of hiding pieces on a board, and cards in a zone that all see.
    pub(super) fn check_hides(&mut self) {
        let mut found = Vec::new();
        for proc in &self.rules.procs {
            let open = self.put_in_the_open(proc);
            each_stmt(proc, &mut |stmt| {
                if let StmtKind::Reveal { what, how: Showing::Hides, .. } = &stmt.kind
                    && (self.lies_open(what, &open) || !self.can_lie_hidden(&what.ty))
                {
                    let message = "this hides nothing: all see what lies there";
                    found.push(Diagnostic::new(Code::HidesNothing, what.span, message).help(
                        "what others are not to see lies in a zone that they do not see; pieces of a kind with `seen: holder` are seen on a \
                         board by their owners only",
                    ));
                }
            });
        }
        found.into_iter().for_each(|found| self.report(found));
    }

    fn all_see(&self, zone: ZoneId) -> bool {
        self.rules.zones.get(zone.index()).is_some_and(|zone| zone.seen == Seen::All)
    }

    /// Names of what a procedure puts on a board or into a zone that all see.
    fn put_in_the_open(&self, proc: &Proc) -> BTreeSet<LocalId> {
        let mut open = BTreeSet::new();
        each_stmt(proc, &mut |stmt| {
            let (StmtKind::Move { to, local: Some(local), .. } | StmtKind::Create { to, local: Some(local), .. }) =
                &stmt.kind
            else {
                return;
            };
            let site = matches!(to, Destination::Site { .. });
            if site && proc.locals.get(local.index()).is_none_or(|local| !self.has_back(&local.ty))
                || matches!(to, Destination::Zone { zone, .. } if self.all_see(*zone))
            {
                open.insert(*local);
            }
        });
        open
    }

    /// Whether what an expression gives lies where all see it.
    fn lies_open(&self, what: &Expr, open: &BTreeSet<LocalId>) -> bool {
        match &what.bare().kind {
            ExprKind::Local(local) => open.contains(local),
            ExprKind::Contents(zone, _) => self.all_see(*zone),
            ExprKind::Builtin(Builtin::PiecesOn | Builtin::TopOn | Builtin::Stack, _) => !self.has_back(&what.ty),
            _ => false,
        }
    }

    /// Whether there are pieces of a type that not all see on a board.
    fn has_back(&self, ty: &Ty) -> bool {
        let Ty::Entity(kind) = ty.element().bare() else { return false };
        let mut kinds =
            (0..self.rules.kinds.len() as u32).map(KindId).filter(|below| self.rules.is_below(*below, *kind));
        kinds.any(|below| self.rules.kinds.get(below.index()).is_some_and(|kind| kind.back.is_some()))
    }

    /// Whether things of a type can lie in a zone that not all see.
    fn can_lie_hidden(&self, ty: &Ty) -> bool {
        let Ty::Entity(kind) = ty.element().bare() else { return true };
        if self.has_back(ty) {
            return true;
        }
        let related = |other: &_| self.rules.is_below(*kind, *other) || self.rules.is_below(*other, *kind);
        self.rules.zones.iter().any(|zone| zone.seen != Seen::All && zone.holds.iter().any(related))
    }
}
