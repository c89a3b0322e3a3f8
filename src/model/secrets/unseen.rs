//! All cards that do not lie open: `deck + players.hand`. Everybody can tell which ones these are, by what lies open, but
//! not where each of them lies; so they are as if they were called by their names.

use super::Watch;
use super::flow::{Called, Flow, Source, Who};
use super::others::leaves_out_me;
use crate::model::rules::walk::each_stmt;
use crate::model::rules::{
    BinaryOp, Builtin, BuiltinProp, CollectOp, CreateValue, Created, Destination, Expr, ExprKind, KindId, ProcBody,
    ProcId, PropClass, PropId, Rules, Stmt, StmtKind, Ty, ZoneId,
};
use std::collections::BTreeMap;

/// Of which players the cards in a zone are meant: of `me`, and of the others.
#[derive(Clone, Copy, Default)]
struct Of {
    me: bool,
    others: bool,
}

impl Of {
    /// Adds those of whose zone the contents are said: of all, if of nobody.
    fn add(&mut self, whose: Option<&Expr>) {
        let Some(whose) = whose.map(Expr::bare) else {
            (self.me, self.others) = (true, true);
            return;
        };
        match &whose.kind {
            ExprKind::Players | ExprKind::Builtin(Builtin::Clockwise, _) => (self.me, self.others) = (true, true),
            ExprKind::Me => self.me = true,
            _ => self.others |= are_all_others(whose),
        }
    }
}

/// Whether these are all players but `me`.
fn are_all_others(whose: &Expr) -> bool {
    let me = |of: &Expr| matches!(of.bare().kind, ExprKind::Me);
    let all = |of: &Expr| matches!(of.bare().kind, ExprKind::Players);
    match &whose.kind {
        ExprKind::Opponents => true,
        ExprKind::Builtin(Builtin::After, args) => args.first().is_some_and(me),
        ExprKind::Binary(BinaryOp::Difference, from, less) => all(from) && me(less),
        ExprKind::Where { over, binder, cond } => {
            all(over) && matches!(cond.kind, ExprKind::Compare(..)) && leaves_out_me(cond, *binder)
        }
        _ => false,
    }
}

impl Watch<'_> {
    /// What a union of zones is derived from, if nothing of its kind can lie hidden elsewhere.
    pub(super) fn all_unseen(&self, union: &Expr, flow: &Flow) -> Option<Flow> {
        let Ty::Entity(kind) = *union.ty.element().bare() else { return None };
        let mut zones = BTreeMap::new();
        let alone = self.rules.gather(union, kind, 0, &mut zones);
        let whole = |zone: &ZoneId| zones.get(zone).is_some_and(|of: &Of| of.others);
        let mut closed = self.may_hold(kind).peekable();
        if closed.peek().is_none() || !closed.all(|zone| whole(&zone)) {
            return None;
        }
        if !self.lairs(kind).is_empty() || self.may_go_unseen(kind) {
            return None;
        }
        let mut flow = flow.clone();
        // Of which kind each is, those tell that are of it.
        flow.facts.retain(|source, _| !alone || source.zone().is_none_or(|(zone, _)| !zones.contains_key(&zone)));
        // They come zone by zone.
        flow.order.extend(flow.cards.iter().map(|source| (*source, union.span.into())));
        flow.cards.retain(|source| source.zone().is_none_or(|(zone, _)| !whole(&zone)));
        // Which ones the others have, I know by what I have.
        let mine =
            zones.iter().filter(|(_, of)| !of.me).map(|(zone, _)| (Source::Zone(*zone, Who::Me), union.span.into()));
        flow.facts.extend(mine);
        Some(Flow { called: Called::Name, ..flow })
    }

    /// Whether a property is the same wherever a card lies: it is printed on it, or worked out from what is.
    pub(super) fn is_printed(&self, prop: PropId, deep: usize) -> bool {
        match self.rules.props.get(prop.index()).map(|prop| &prop.class) {
            Some(PropClass::Field { .. } | PropClass::Builtin(BuiltinProp::Name)) => true,
            Some(PropClass::Stat { formula }) if !self.about.modifiers.contains_key(&prop) && deep < DEEP => {
                self.is_printed_value(*formula, deep + 1)
            }
            _ => false,
        }
    }

    fn is_printed_value(&self, proc: ProcId, deep: usize) -> bool {
        let Some(ProcBody::Expr(value)) = self.rules.procs.get(proc.index()).map(|proc| &proc.body) else {
            return false;
        };
        let mut printed = true;
        value.walk(&mut |part| {
            printed &= match &part.kind {
                ExprKind::Prop(_, prop) => self.is_printed(*prop, deep),
                ExprKind::Call(proc, _) => deep < DEEP && self.is_printed_value(*proc, deep + 1),
                ExprKind::Contents(..) | ExprKind::InPlay(_) | ExprKind::CallScript(..) | ExprKind::CallLambda(..) => {
                    false
                }
                ExprKind::Can(..) | ExprKind::Targetable { .. } => false,
                ExprKind::Builtin(builtin, _) => !matches!(
                    builtin,
                    Builtin::SiteOf | Builtin::SitesOf | Builtin::PiecesOn | Builtin::TopOn | Builtin::Stack
                ),
                _ => true,
            };
        });
        printed
    }

    /// Whether a card of a kind may come or go without everybody knowing which.
    fn may_go_unseen(&self, kind: KindId) -> bool {
        let meets = |other: KindId| self.rules.is_below(other, kind) || self.rules.is_below(kind, other);
        let of = |expr: &Expr| matches!(expr.ty.element().bare(), Ty::Entity(other) if meets(*other));
        let unseen = |stmt: &Stmt| match &stmt.kind {
            StmtKind::Move { what, to: Destination::Nowhere, .. } => of(what),
            StmtKind::Create { what: Created::CopyOf { of: copied, .. }, .. } => of(copied),
            StmtKind::Create { what: Created::Kind { kind: made, .. }, fields, .. } => {
                meets(*made) && fields.iter().any(|(_, value)| matches!(value, CreateValue::AnyValue))
            }
            _ => false,
        };
        let mut found = false;
        self.about.played(self.rules).for_each(|proc| each_stmt(proc, &mut |stmt| found |= unseen(stmt)));
        found
    }
}

/// The kind of which a filter leaves all, if it asks nothing else.
pub(super) fn is_of(filter: &Expr) -> Option<KindId> {
    let ExprKind::Where { binder, cond, .. } = &filter.kind else { return None };
    match &cond.kind {
        ExprKind::Is(of, kind) if of.is_local(*binder) => Some(*kind),
        _ => None,
    }
}

/// Definitions within definitions that are looked into.
const DEEP: usize = 8;

impl Rules {
    /// The zones of which a union has all that is of a kind, and of whom. Whether there is nothing else in it.
    fn gather(&self, union: &Expr, kind: KindId, deep: usize, zones: &mut BTreeMap<ZoneId, Of>) -> bool {
        match &union.kind {
            ExprKind::Binary(BinaryOp::Union, one, other) => {
                let alone = self.gather(one, kind, deep, zones);
                self.gather(other, kind, deep, zones) && alone
            }
            ExprKind::ToSet(of) | ExprKind::ToList(of) => self.gather(of, kind, deep, zones),
            ExprKind::Where { over, .. } if is_of(union).is_some_and(|only| self.is_below(kind, only)) => {
                self.gather(over, kind, deep, zones)
            }
            ExprKind::Contents(zone, of) => {
                zones.entry(*zone).or_default().add(of.as_deref());
                true
            }
            // `players.hand`, which are several zones of each if there is one for each key.
            ExprKind::Collect { op: CollectOp::Union, over, binder, body } => {
                let mut parts = vec![&**body];
                let mut alone = true;
                while let Some(part) = parts.pop() {
                    match &part.kind {
                        ExprKind::Binary(BinaryOp::Union, one, other) => parts.extend([&**one, &**other]),
                        ExprKind::Contents(zone, Some(of)) if of.is_local(*binder) => {
                            zones.entry(*zone).or_default().add(Some(over));
                        }
                        _ => alone = false,
                    }
                }
                alone
            }
            ExprKind::Call(proc, args) if args.is_empty() && deep < DEEP => {
                match self.procs.get(proc.index()).map(|proc| &proc.body) {
                    Some(ProcBody::Expr(body)) => self.gather(body, kind, deep + 1, zones),
                    _ => false,
                }
            }
            _ => false,
        }
    }
}
