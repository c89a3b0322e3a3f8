//! Piles that move whole keep their order: put on top of another pile, their own top is on top. Said here in the rules' own
//! forms, so that nothing behind the checker knows of it.

use super::check::Checker;
use super::rules::walk::each_block_mut;
use super::rules::{Builtin, Destination, Expr, ExprKind, ProcBody, Stmt, StmtKind, Ty, Zone, ZoneId, ZoneOrder};
use crate::syntax::ast::Place;

impl Checker<'_> {
    pub(super) fn move_piles(&mut self) {
        for proc in &mut self.rules.procs {
            if let ProcBody::Block(stmts) = &mut proc.body {
                in_block(&self.rules.zones, stmts);
            }
        }
    }
}

fn in_block(zones: &[Zone], stmts: &mut [Stmt]) {
    let mut left = stmts;
    while let Some((stmt, later)) = left.split_first_mut() {
        each_block_mut(stmt, &mut |inner| in_block(zones, inner));
        left = later;
        let StmtKind::Move { what, to: Destination::Zone { zone: to, of, place, .. }, .. } = &mut stmt.kind else {
            continue;
        };
        let ExprKind::Contents(from, _) = what.kind else { continue };
        let order = |zone: ZoneId| zones.get(zone.index()).map_or(ZoneOrder::None, |zone| zone.order);
        if order(from) == ZoneOrder::None || order(*to) == ZoneOrder::None || is_shuffled(*to, of.as_ref(), left) {
            continue;
        }
        // What goes onto the top goes there from the bottom on, one by one.
        let below = *place == Some(Place::Bottom) || place.is_none() && order(*to) == ZoneOrder::Queue;
        let builtin = if below { Builtin::Top } else { Builtin::Bottom };
        let (span, ty) = (what.span, what.ty.element().clone());
        let count = Expr { kind: ExprKind::Count(Box::new(what.clone())), ty: Ty::Number, span };
        let pile = Expr { ty: Ty::List(Box::new(ty.clone())), ..what.clone() };
        *what = Expr { kind: ExprKind::Builtin(builtin, vec![pile, count]), ty: Ty::List(Box::new(ty)), span };
    }
}

/// Whether a pile is shuffled before anybody could know its order.
fn is_shuffled(pile: ZoneId, of: Option<&Expr>, later: &[Stmt]) -> bool {
    let same = |other: Option<&Expr>| match (of, other) {
        (Some(of), Some(other)) => of.same(other),
        (None, None) => true,
        _ => false,
    };
    let moved =
        |stmt: &&Stmt| matches!(&stmt.kind, StmtKind::Move { what: Expr { kind: ExprKind::Contents(..), .. }, .. });
    let next = later.iter().find(|stmt| !moved(stmt)).map(|stmt| &stmt.kind);
    matches!(next, Some(StmtKind::Shuffle { zone, of }) if *zone == pile && same(of.as_ref()))
}
