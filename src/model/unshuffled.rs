//! Piles that nothing shuffles, or onto which cards come behind that: hands that are dealt from them are the same in every game.

use super::body::Body;
use super::check::Checker;
use super::rules::walk::{asks, each_in, stmt_exprs};
use super::rules::{
    Builtin, CreateValue, Destination, Entry, Expr, ExprKind, Key, ProcBody, ProcId, Seen, Stmt, StmtKind, Zone,
    ZoneId, ZoneOrder,
};
use crate::base::{Code, Diagnostic, Span};
use crate::syntax::ast::{self, Place};
use std::collections::BTreeSet;

/// What is done with a pile, all through the rules.
#[derive(Default)]
struct Pile {
    /// Whether something else than making its cards may give it another order.
    mixed: bool,
    /// What is made there, each time.
    made: usize,
    /// What deals its cards to where others do not see them.
    deals: Option<Span>,
}

impl Checker<'_> {
    /// Warns of hidden piles whose cards come in the order in which they were made, and are dealt to players in secret.
    pub(super) fn check_unshuffled(&mut self) {
        let hidden = |(_, zone): &(usize, &Zone)| zone.order != ZoneOrder::None && zone.seen != Seen::All;
        let zones: Vec<usize> = self.rules.zones.iter().enumerate().filter(hidden).map(|(index, _)| index).collect();
        let zones = zones.into_iter().map(|index| ZoneId(index as u32));
        let found: Vec<Diagnostic> =
            zones.filter_map(|zone| self.unshuffled(zone).or_else(|| self.added_unshuffled(zone))).collect();
        // One finding stands for the zones of all keys.
        let mut told = BTreeSet::new();
        found.into_iter().filter(|found| told.insert(found.span)).for_each(|found| self.report(found));
    }

    /// The statements of each procedure that is played.
    fn played(&self) -> impl Iterator<Item = (ProcId, &[Stmt])> {
        let staged = self.staged();
        let procs = (0..).map(ProcId).zip(&self.rules.procs).filter(move |(id, _)| !staged.contains(id));
        procs.filter_map(|(id, proc)| match &proc.body {
            ProcBody::Block(stmts) => Some((id, stmts.as_slice())),
            _ => None,
        })
    }

    /// Warns of several cards that all see and `setup` puts onto a hidden pile behind what shuffles it: they lie there in the order in
    /// which they were made.
    fn added_unshuffled(&self, id: ZoneId) -> Option<Diagnostic> {
        let zone = self.rules.zones.get(id.index())?;
        let (setup, ProcBody::Block(stmts)) =
            (self.rules.setup?, &self.rules.procs.get(self.rules.setup?.index())?.body)
        else {
            return None;
        };
        let mut pile = Pile::default();
        for (proc, stmts) in self.played() {
            each_in(stmts, &mut |stmt| {
                let shuffled = matches!(stmt.kind, StmtKind::Shuffle { zone, .. } if zone == id);
                // What leaves it as a whole may come back in another order.
                let leaves = matches!(&stmt.kind, StmtKind::Move { what, .. } if reads(&[id], what) && !takes(&[id], what) || empties(&[id], what));
                pile.mixed |= shuffled && proc != setup || leaves || self.is_mixed(&[id], stmt);
                self.deals(&[id], stmt, &mut pile);
            });
        }
        pile.deals.filter(|_| !pile.mixed)?;
        let shuffles = |stmt: &Stmt| {
            let mut found = false;
            each_in(std::slice::from_ref(stmt), &mut |stmt| {
                found |= matches!(stmt.kind, StmtKind::Shuffle { zone, .. } if zone == id);
            });
            found
        };
        let behind = stmts.iter().rposition(shuffles).map_or(0, |last| last + 1);
        let adds = |stmt: &&Stmt| self.adds_several(id, stmt).is_some();
        let added = stmts.iter().skip(behind).find(adds)?;
        let message =
            "nothing shuffles the pile after this: in every game these cards lie in the order in which they were made";
        let others = self.zones_with(id).into_iter().filter(|other| self.adds_several(*other, added).is_some());
        let (name, keys) =
            match (zone.name.rsplit_once(' '), self.keyed_zones.values().find(|(_, all)| all.contains(&id))) {
                (Some((name, _)), Some((key, _))) if others.count() > 1 => {
                    (format!("{name}[k]"), Some(self.said_keys(*key)))
                }
                (Some((name, key)), Some(_)) => (format!("{name}[{key}]"), None),
                _ => (zone.name.clone(), None),
            };
        let shuffle = match zone.per_player {
            true => format!("each p in players {{ shuffle p.{name} }}"),
            false => format!("shuffle {name}"),
        };
        let shuffle = keys.map_or(shuffle.clone(), |keys| format!("each k in {keys} {{ {shuffle} }}"));
        let (help, added) = (format!("shuffle after it: `{shuffle}`"), added.span);
        Some(Diagnostic::new(Code::Unshuffled, added, message).label(zone.span, "declared here").help(help))
    }

    /// How the zones of all keys are shuffled that an expression names.
    pub(super) fn shuffles_of_keys(&self, body: &Body, written: &ast::Expr) -> Option<String> {
        let (key, _) = self.keyed_zones.get(&self.keyed_zone(body, written)?)?;
        let name = super::single::written(written)?;
        Some(format!("there is one for each key: `each k in {} {{ shuffle {name}[k] }}`", self.said_keys(*key)))
    }

    /// How the keys of zones are written.
    fn said_keys(&self, key: Key) -> String {
        match key {
            Key::Enum(id) => self.rules.enums.get(id.index()).map_or(String::new(), |found| found.name.clone()),
            Key::Range(from, to) => format!("{from}..{to}"),
        }
    }

    /// Where a statement of `setup` puts all cards of an open zone onto a pile, of several definitions, or makes one of each value there.
    fn adds_several(&self, id: ZoneId, stmt: &Stmt) -> Option<Span> {
        let onto = |to: &Destination| matches!(to, Destination::Zone { zone, place, .. } if *zone == id && *place != Some(Place::Bottom));
        match &stmt.kind {
            StmtKind::Move { what, to, .. } if onto(to) => self.is_open_box(what).then_some(stmt.span),
            StmtKind::Create { to, fields, .. } if onto(to) => {
                fields.iter().any(|(_, value)| matches!(value, CreateValue::EveryValue)).then_some(stmt.span)
            }
            StmtKind::Each { local, domain, body, .. } => {
                let [inner] = body.as_slice() else { return None };
                let mut moves = false;
                each_in(std::slice::from_ref(inner), &mut |inner| {
                    moves |= matches!(&inner.kind, StmtKind::Move { what, to, .. } if onto(to) && what.bare().is_local(*local));
                });
                (moves && self.is_open_box(domain)).then_some(stmt.span)
            }
            _ => None,
        }
    }

    /// Whether it is all that lies in a zone which all see, as it was when the game began: cards of several definitions.
    fn is_open_box(&self, what: &Expr) -> bool {
        let ExprKind::Contents(from, _) = what.bare().kind else { return false };
        let Some(zone) = self.rules.zones.get(from.index()) else { return false };
        let mut changed = zone.order != ZoneOrder::None || zone.seen != Seen::All;
        for (_, stmts) in self.played() {
            each_in(stmts, &mut |stmt| {
                changed |= self.is_mixed(&[from], stmt) || asks(stmt) && stmt_reads(&[from], stmt)
            });
        }
        let begins = |entry: &&Entry| self.rules.begins_in(entry.kind) == Some(from);
        !changed && self.rules.entries.iter().filter(begins).count() > 1
    }

    fn unshuffled(&self, id: ZoneId) -> Option<Diagnostic> {
        let zone = self.rules.zones.get(id.index())?;
        let like = self.zones_with(id);
        let mut pile = Pile::default();
        for (_, stmts) in self.played() {
            each_in(stmts, &mut |stmt| self.treat(&like, stmt, &mut pile));
        }
        let begun = self.rules.entries.iter().filter(|entry| self.rules.begins_in(entry.kind) == Some(id)).count();
        if pile.mixed || begun + pile.made < 2 {
            return None;
        }
        let name = self.declared_name(id);
        let message =
            format!("nothing shuffles `{name}`, so every game deals these cards in the order in which they were made");
        let help = match zone.per_player {
            true => format!("shuffle them before, in `setup`: `each p in players {{ shuffle p.{name} }}`"),
            false => format!("shuffle them before, in `setup`: `shuffle {name}`"),
        };
        Some(Diagnostic::new(Code::Unshuffled, pile.deals?, message).label(zone.span, "declared here").help(help))
    }

    fn treat(&self, like: &[ZoneId], stmt: &Stmt, pile: &mut Pile) {
        let into = |to: &Destination| matches!(to, Destination::Zone { zone, .. } if like.contains(zone));
        match &stmt.kind {
            StmtKind::Shuffle { zone, .. } => pile.mixed |= like.contains(zone),
            StmtKind::Create { to, fields, .. } if into(to) => {
                let values = |value: &CreateValue| matches!(value, CreateValue::EveryValue);
                pile.made += 1 + usize::from(fields.iter().any(|(_, value)| values(value)));
                pile.mixed |= fields.iter().any(|(_, value)| matches!(value, CreateValue::AnyValue));
            }
            StmtKind::Move { to, .. } if into(to) => pile.mixed = true,
            // What leaves as a whole for where the pile is filled from comes back shuffled.
            StmtKind::Move { what, .. } if empties(like, what) => {
                let filled =
                    |zone: &ZoneId| self.rules.zones.get(zone.index()).is_some_and(|zone| zone.refill.is_some());
                pile.mixed |= like.iter().any(filled);
            }
            StmtKind::Move { .. } => self.deals(like, stmt, pile),
            _ => pile.mixed |= self.is_mixed(like, stmt),
        }
    }

    /// Whether chance or a script does something with such piles.
    fn is_mixed(&self, like: &[ZoneId], stmt: &Stmt) -> bool {
        matches!(stmt.kind, StmtKind::Random { .. } | StmtKind::Script { .. }) && stmt_reads(like, stmt)
    }

    /// Takes up where cards of such piles are dealt to where others do not see them.
    fn deals(&self, like: &[ZoneId], stmt: &Stmt, pile: &mut Pile) {
        let StmtKind::Move { what, to: Destination::Zone { zone, .. }, .. } = &stmt.kind else { return };
        let own = self.rules.zones.get(zone.index()).is_some_and(|to| to.per_player && to.seen != Seen::All);
        if own && takes(like, what) {
            pile.deals.get_or_insert(stmt.span);
        }
    }
}

/// Whether a statement reads what lies in such piles.
fn stmt_reads(like: &[ZoneId], stmt: &Stmt) -> bool {
    let mut found = false;
    stmt_exprs(stmt, &mut |expr| found |= reads(like, expr));
    found
}

fn reads(like: &[ZoneId], expr: &Expr) -> bool {
    let mut found = false;
    expr.walk(&mut |part| found |= matches!(&part.kind, ExprKind::Contents(zone, _) if like.contains(zone)));
    found
}

/// Whether it is all that lies in such a pile, as it lies there.
fn empties(like: &[ZoneId], expr: &Expr) -> bool {
    match &expr.bare().kind {
        ExprKind::Contents(zone, _) => like.contains(zone),
        ExprKind::Builtin(Builtin::Top | Builtin::Bottom, args) => {
            matches!(args.as_slice(), [_, Expr { kind: ExprKind::Count(_), .. }]) && takes(like, expr)
        }
        _ => false,
    }
}

/// Whether something of it is taken from the top or the bottom of such a pile.
fn takes(like: &[ZoneId], expr: &Expr) -> bool {
    let mut found = false;
    expr.walk(&mut |part| found |= is_taken(like, part));
    found
}

/// Whether it is what lies on top or at the bottom of such a pile.
fn is_taken(like: &[ZoneId], expr: &Expr) -> bool {
    let of_pile = |of: &Expr| matches!(&of.bare().kind, ExprKind::Contents(zone, _) if like.contains(zone));
    match &expr.kind {
        ExprKind::Builtin(Builtin::Top | Builtin::Bottom | Builtin::First, args) => args.first().is_some_and(of_pile),
        _ => false,
    }
}
