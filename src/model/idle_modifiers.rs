//! `modify` clauses that hold only where nothing reads the stat: of cards in play, say, where the game asks only for the price of
//! cards in a supply. They change nothing, without a word.

use super::check::Checker;
use super::inplay::whole;
use super::rules::{Clause, ClauseHome, ClauseKind, Expr, ExprKind, ProcBody, ProcId, PropId};
use super::strayed::{Bound, Location, THIS, is_thing};
use crate::base::{Code, Diagnostic, Span};
use std::collections::{BTreeMap, BTreeSet};

/// Where a stat is read, and the first place in the rules where it is; none where nobody can say of all that read it.
type Read = Option<(BTreeSet<Location>, Span)>;

impl Checker<'_> {
    pub(super) fn check_idle_modifiers(&mut self) {
        let modifies = |clause: &Clause| match clause.kind {
            ClauseKind::Modify { of, .. } => self.proc_expr(of).is_some_and(is_thing),
            _ => false,
        };
        if !self.rules.clauses.iter().any(modifies) {
            return;
        }
        let Some(mut bound) = self.bound() else { return };
        let read = self.stats_by_place(&mut bound);
        self.bind_this(&mut bound);
        let found: Vec<Diagnostic> =
            self.rules.clauses.iter().filter_map(|clause| self.idle(clause, &bound, &read)).collect();
        found.into_iter().for_each(|found| self.report(found));
    }

    fn proc_expr(&self, proc: ProcId) -> Option<&Expr> {
        match &self.rules.procs.get(proc.index())?.body {
            ProcBody::Expr(expr) => Some(expr),
            ProcBody::Block(_) => None,
        }
    }

    /// Where the cards lie whose stats are read. What scenarios expect does not count.
    fn stats_by_place(&self, bound: &mut Bound) -> BTreeMap<PropId, Read> {
        let mut read: BTreeMap<PropId, Read> = BTreeMap::new();
        let expected = self.of_scenarios();
        for (index, proc) in self.rules.procs.iter().enumerate().filter(|(index, _)| !expected.contains(index)) {
            self.each_bound(index, proc, bound, &mut |bound, expr| {
                let ExprKind::Prop(of, id) = &expr.kind else { return };
                if !is_thing(of) {
                    return;
                }
                let places = self.locations(bound, index, of);
                match (read.entry(self.whole(*id)).or_insert_with(|| Some((BTreeSet::new(), expr.span))), places) {
                    (Some((known, _)), Some(places)) => known.extend(places),
                    (known, _) => *known = None,
                }
            });
        }
        read
    }

    /// The card of a printed clause lies where it is in play.
    fn bind_this(&self, bound: &mut Bound) {
        for clause in &self.rules.clauses {
            let kind = match clause.home {
                ClauseHome::Entry(entry) => self.rules.entries.get(entry.index()).map(|entry| entry.kind),
                ClauseHome::Kind(kind) => Some(kind),
                ClauseHome::Rule(_) | ClauseHome::Armed => None,
            };
            if let (Some(kind), ClauseKind::Modify { of, .. }) = (kind, &clause.kind) {
                bound.insert((of.index(), Some(THIS)), self.in_play_places(kind));
            }
        }
    }

    fn idle(&self, clause: &Clause, bound: &Bound, read: &BTreeMap<PropId, Read>) -> Option<Diagnostic> {
        let ClauseKind::Modify { stat, of, .. } = clause.kind else { return None };
        let stat = self.whole(stat);
        let (at, first) = read.get(&stat)?.as_ref()?;
        let name = self.prop_name(stat);
        let scripted = self.rules.scripts.iter().any(|script| super::scripts::mentions(&script.source, name));
        let whom = self.proc_expr(of)?;
        let reached = self.locations(bound, of.index(), whom)?;
        if scripted || at.is_empty() || reached.is_empty() || !at.is_disjoint(&reached) {
            return None;
        }
        let message = format!(
            "this modifies `{name}` only {}, and it is read only {}: it changes nothing",
            self.place_names(&reached),
            self.place_names(at)
        );
        let help = match (&whom.bare().kind, clause.home) {
            (ExprKind::This, ClauseHome::Entry(entry)) => {
                let entry = self.rules.entries.get(entry.index())?;
                format!(
                    "a card's clauses hold while it is in play; a `rule` modifies it wherever it lies: `modify {name} of {} \"{}\" ...`",
                    self.kind_name(entry.kind),
                    entry.name
                )
            }
            (ExprKind::This, _) => {
                format!(
                    "a card's clauses hold while it is in play; say it in the formula of `{name}`, which holds wherever it lies"
                )
            }
            _ => {
                let zones = at.iter().flatten().filter_map(|zone| self.rules.zones.get(zone.index()));
                let zones: Vec<String> = zones.map(whole).collect();
                match zones.is_empty() {
                    true => "say whom it shall modify: what lies where it is read".to_owned(),
                    false => format!(
                        "say whom it shall modify: `modify {name} of {} ...`",
                        zones.join(" + ").replace('`', "")
                    ),
                }
            }
        };
        Some(Diagnostic::new(Code::ActsElsewhere, whom.span, message).label(*first, "it is read here").help(help))
    }
}
