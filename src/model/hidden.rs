//! What a player may choose can depend only on what that player sees: conditions on cards that lie hidden from the
//! chooser are reported, unless the body has revealed something before.

use super::rules::{
    BinaryOp, CollectOp, Expr, ExprKind, KindId, LocalId, ProcBody, ProcId, PropClass, PropId, Rules, Seen, Ty, Zone,
};
use crate::base::Span;
use std::collections::BTreeSet;

/// The first place where the domain of a choice reads something the chooser does not see.
pub(super) fn read(rules: &Rules, domain: &Expr, chooser: Option<&Expr>) -> Option<Span> {
    let mut reader = Reader { rules, chooser, hidden: Vec::new() };
    reader.expr(domain)
}

/// Whether the chooser does not see what is to be chosen from.
pub(super) fn unseen(rules: &Rules, domain: &Expr, chooser: Option<&Expr>) -> bool {
    Reader { rules, chooser, hidden: Vec::new() }.is_hidden(domain)
}

struct Reader<'r> {
    rules: &'r Rules,
    chooser: Option<&'r Expr>,
    /// Binders whose values the chooser does not see.
    hidden: Vec<LocalId>,
}

impl Reader<'_> {
    fn is_chooser(&self, player: &Expr) -> bool {
        match (self.chooser.map(|chooser| &chooser.kind), &player.kind) {
            (None | Some(ExprKind::Me), ExprKind::Me) => true,
            (Some(ExprKind::Local(chooser)), ExprKind::Local(player)) => chooser == player,
            _ => false,
        }
    }

    /// Whether the members of a set lie hidden from the chooser.
    fn is_hidden(&self, set: &Expr) -> bool {
        match &set.kind {
            ExprKind::Contents(zone, of) => match self.rules.zones.get(zone.index()).map(|zone| zone.seen) {
                Some(Seen::None) => true,
                Some(Seen::Others) => of.as_ref().is_some_and(|of| self.is_chooser(of)),
                Some(Seen::Holder) => !of.as_ref().is_some_and(|of| self.is_chooser(of)),
                _ => false,
            },
            ExprKind::Where { over, .. } | ExprKind::Having { over, .. } | ExprKind::Sorted { over, .. } => {
                self.is_hidden(over)
            }
            ExprKind::Collect { body, .. } => self.is_hidden(body),
            ExprKind::Binary(_, left, right) => self.is_hidden(left) || self.is_hidden(right),
            ExprKind::Local(local) => self.hidden.contains(local),
            _ => false,
        }
    }

    fn within(&mut self, over: &Expr, binder: LocalId, body: &Expr) -> Option<Span> {
        if let Some(found) = self.expr(over) {
            return Some(found);
        }
        let hidden = self.is_hidden(over);
        if hidden {
            self.hidden.push(binder);
        }
        let found = self.expr(body);
        if hidden {
            self.hidden.pop();
        }
        found
    }

    fn expr(&mut self, expr: &Expr) -> Option<Span> {
        match &expr.kind {
            ExprKind::Prop(of, prop) if self.rules.props.get(prop.index()).is_some_and(|prop| prop.open) => {
                self.expr(of)
            }
            ExprKind::Prop(of, _) | ExprKind::Is(of, _) => match of.kind {
                ExprKind::Local(local) if self.hidden.contains(&local) => Some(expr.span),
                _ => self.expr(of),
            },
            ExprKind::Where { over, binder, cond }
            | ExprKind::Any { over, binder, cond }
            | ExprKind::All { over, binder, cond } => self.within(over, *binder, cond),
            ExprKind::Fold { over, binder, body, .. }
            | ExprKind::Collect { over, binder, body, .. }
            | ExprKind::Having { over, binder, body, .. }
            | ExprKind::Sorted { over, binder, body, .. } => self.within(over, *binder, body),
            _ => expr.parts().into_iter().find_map(|part| self.expr(part)),
        }
    }
}

/// The first zone that not everybody sees in which what a mark points at can lie.
fn may_lie_in(rules: &Rules, prop: PropId) -> Option<&Zone> {
    let prop = rules.props.get(prop.index()).filter(|prop| matches!(prop.class, PropClass::Mark { .. }))?;
    let Ty::Entity(kind) = prop.ty.element().bare() else { return None };
    let fits = |held: &KindId| rules.is_below(*held, *kind) || rules.is_below(*kind, *held);
    rules.zones.iter().find(|zone| zone.seen != Seen::All && zone.holds.iter().any(fits))
}

/// The first place where an expression tells more than the number of cards in a zone that not everybody sees, or
/// something of a card that a mark points at and that can lie there, and the zone's name; without a name, where it tells
/// what a player can do while there are such zones.
pub(super) fn told(rules: &Rules, expr: &Expr) -> Option<(Span, Option<String>)> {
    told_in(rules, expr, &mut BTreeSet::new())
}

/// The same, beside definitions that were looked at and tell nothing.
fn told_in(rules: &Rules, expr: &Expr, clear: &mut BTreeSet<ProcId>) -> Option<(Span, Option<String>)> {
    let closed = |expr: &Expr| match &expr.kind {
        ExprKind::Contents(zone, _) => rules.zones.get(zone.index()).filter(|zone| zone.seen != Seen::All),
        ExprKind::GameProp(prop) | ExprKind::Prop(_, prop) => may_lie_in(rules, *prop),
        _ => None,
    };
    if let Some(zone) = closed(expr) {
        return Some((expr.span, Some(zone.name.clone())));
    }
    match &expr.kind {
        ExprKind::Count(inner) | ExprKind::Some(inner) => {
            // How many there are is no secret, of whole zones and of what a mark points at.
            let parts = whole_zones(inner).or_else(|| closed(inner).map(|_| inner.parts()));
            parts.unwrap_or_else(|| vec![inner]).into_iter().find_map(|part| told_in(rules, part, clear))
        }
        // What a player can do depends on all that this player sees.
        ExprKind::Can(..) if rules.hides() => Some((expr.span, None)),
        ExprKind::Call(proc, args) => {
            let body = rules.procs.get(proc.index()).map(|proc| &proc.body);
            let within = match body {
                Some(ProcBody::Expr(body)) if clear.insert(*proc) => told_in(rules, body, clear),
                _ => None,
            };
            args.iter().find_map(|arg| told_in(rules, arg, clear)).or(within.map(|(_, zone)| (expr.span, zone)))
        }
        _ => expr.parts().into_iter().find_map(|part| told_in(rules, part, clear)),
    }
}

/// The same of what is chosen from: of whole zones that is how many cards lie there.
pub(super) fn told_by_choice(rules: &Rules, domain: &Expr) -> Option<(Span, Option<String>)> {
    let parts = whole_zones(domain).unwrap_or_else(|| vec![domain]);
    parts.into_iter().find_map(|part| told(rules, part))
}

/// If a set is all that lies in zones, also in those of several players: what says which zones. How many that is, all see.
fn whole_zones(expr: &Expr) -> Option<Vec<&Expr>> {
    match &expr.kind {
        ExprKind::Contents(..) => Some(expr.parts()),
        ExprKind::ToSet(inner) | ExprKind::ToList(inner) => whole_zones(inner),
        ExprKind::Binary(BinaryOp::Union, a, b) => Some([whole_zones(a)?, whole_zones(b)?].concat()),
        ExprKind::Collect { op: CollectOp::Union, over, body, .. } => {
            Some([vec![over.as_ref()], whole_zones(body)?].concat())
        }
        _ => None,
    }
}

/// What [`told`] has found, in words.
pub(super) fn told_words(zone: Option<&String>) -> String {
    match zone {
        Some(zone) => format!("what lies in `{zone}`, which not everybody sees"),
        None => "what somebody can do, which depends on what only some see".to_owned(),
    }
}
