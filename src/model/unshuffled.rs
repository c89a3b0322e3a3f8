//! Piles that nothing shuffles: hands that are dealt from them are the same in every game.

use super::check::Checker;
use super::rules::walk::{each_in, stmt_exprs};
use super::rules::{
    Builtin, CreateValue, Destination, Expr, ExprKind, ProcBody, ProcId, Seen, Stmt, StmtKind, Zone, ZoneId, ZoneOrder,
};
use crate::base::{Code, Diagnostic};

/// What is done with a pile, all through the rules.
#[derive(Default)]
struct Pile {
    /// Whether something else than making its cards may give it another order.
    mixed: bool,
    /// What is made there, each time.
    made: usize,
    /// What deals its cards to where others do not see them.
    deals: Option<crate::base::Span>,
}

impl Checker<'_> {
    /// Warns of hidden piles whose cards come in the order in which they were made, and are dealt to players in secret.
    pub(super) fn check_unshuffled(&mut self) {
        let hidden = |(_, zone): &(usize, &Zone)| zone.order != ZoneOrder::None && zone.seen != Seen::All;
        let zones: Vec<usize> = self.rules.zones.iter().enumerate().filter(hidden).map(|(index, _)| index).collect();
        let found = zones.into_iter().filter_map(|index| self.unshuffled(ZoneId(index as u32))).collect::<Vec<_>>();
        found.into_iter().for_each(|found| self.report(found));
    }

    fn unshuffled(&self, id: ZoneId) -> Option<Diagnostic> {
        let zone = self.rules.zones.get(id.index())?;
        let like = self.zones_with(id);
        let staged = self.staged();
        let mut pile = Pile::default();
        let procs = (0..).map(ProcId).zip(&self.rules.procs);
        for (_, proc) in procs.filter(|(id, _)| !staged.contains(id)) {
            if let ProcBody::Block(stmts) = &proc.body {
                each_in(stmts, &mut |stmt| self.treat(&like, stmt, &mut pile));
            }
        }
        let begins = |kind| self.rules.entries.iter().filter(move |entry| self.rules.is_below(entry.kind, kind));
        let begun: usize = zone.starts.iter().map(|kind| begins(*kind).count()).sum();
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
            StmtKind::Move { what, to: Destination::Zone { zone, .. }, .. } => {
                let own = self.rules.zones.get(zone.index()).is_some_and(|to| to.per_player && to.seen != Seen::All);
                let mut taken = false;
                what.walk(&mut |part| taken |= is_taken(like, part));
                if own && taken {
                    pile.deals.get_or_insert(stmt.span);
                }
            }
            StmtKind::Random { .. } | StmtKind::Script { .. } => stmt_exprs(stmt, &mut |expr| {
                expr.walk(&mut |part| {
                    pile.mixed |= matches!(&part.kind, ExprKind::Contents(zone, _) if like.contains(zone))
                });
            }),
            _ => {}
        }
    }
}

/// Whether it is what lies on top or at the bottom of such a pile.
fn is_taken(like: &[ZoneId], expr: &Expr) -> bool {
    let of_pile = |of: &Expr| matches!(&of.bare().kind, ExprKind::Contents(zone, _) if like.contains(zone));
    match &expr.kind {
        ExprKind::Builtin(Builtin::Top | Builtin::Bottom | Builtin::First, args) => args.first().is_some_and(of_pile),
        _ => false,
    }
}
