//! What lies in one zone, asked for in another: what has been moved is another card from then on, a kind alone means those in play, and the
//! clauses of a card act in play.

use super::check::Checker;
use super::inplay::said_to_be_this;
use super::rules::walk::each_stmt;
use super::rules::{
    BinaryOp, Clause, ClauseHome, ClauseKind, CompareOp, Expr, ExprKind, HookEvent, LocalId, Proc, ProcBody, Stage,
    StmtKind, Ty,
};
use super::strayed::{Bound, Location, is_thing};
use crate::base::{Code, Diagnostic, Span};
use std::collections::BTreeSet;

impl Checker<'_> {
    /// Warns of cards that are looked for where they never lie, and of clauses that never act since their card is not in play then.
    pub(super) fn check_apart(&mut self, bound: Option<Bound>) {
        // What moves something may be in what could not be read.
        let broken = self.diagnostics.iter().chain(&self.settled).any(Diagnostic::is_error);
        let Some(mut bound) = bound.filter(|_| !broken) else { return };
        let mut found: Vec<Diagnostic> =
            self.rules.clauses.iter().filter_map(|clause| self.acts_in_play(clause, &bound)).collect();
        let expected = self.of_scenarios();
        for (index, proc) in self.rules.procs.iter().enumerate().filter(|(index, _)| !expected.contains(index)) {
            self.each_bound(index, proc, &mut bound, &mut |bound, expr| {
                found.extend(self.apart(bound, (index, proc), expr));
                found.extend(self.is_me_or_not(expr));
            });
        }
        // What `setup` reads before anything is in play has been told.
        found
            .retain(|found| !self.diagnostics.iter().any(|known| (known.code, known.span) == (found.code, found.span)));
        self.diagnostics.extend(found);
    }

    /// Two things or sets that have nothing in common, since they lie in different zones.
    fn apart(&self, bound: &Bound, (index, proc): (usize, &Proc), expr: &Expr) -> Option<Diagnostic> {
        let (one, other) = match &expr.kind {
            ExprKind::In(one, other)
            | ExprKind::Binary(BinaryOp::Both | BinaryOp::Difference, one, other)
            | ExprKind::Compare(CompareOp::Eq | CompareOp::Ne, one, other) => (one.bare(), other.bare()),
            _ => return None,
        };
        // What a verb or definition is given may be something else elsewhere.
        let given = |of: &Expr| matches!(of.kind, ExprKind::Local(local) if local.index() < proc.params.into());
        // Where both are nothing, they are the same.
        let there = |of: &Expr| !of.ty.is_many() && !matches!(of.ty, Ty::Maybe(_));
        if matches!(expr.kind, ExprKind::Compare(..)) && !there(one) && !there(other) {
            return None;
        }
        if !is_thing(one) || !is_thing(other) || given(one) || given(other) {
            return None;
        }
        let lies = |of: &Expr| self.locations(bound, index, of).filter(|places| !places.is_empty());
        let (here, there) = (lies(one)?, lies(other)?);
        if !here.is_disjoint(&there) {
            return None;
        }
        let alone = [(one, &there), (other, &here)].into_iter().find_map(|(of, elsewhere)| match of.kind {
            ExprKind::InPlay(kind) => Some((kind, of.span, elsewhere)),
            _ => None,
        });
        if let Some((kind, span, elsewhere)) = alone {
            let (name, places) = (self.kind_name(kind), self.place_names(elsewhere));
            let message = format!("`{name}` alone means those in play, and what lies {places} is not");
            let help = format!("leave `{name}` out, or ask for the kind: `... where it is {name}`");
            return Some(Diagnostic::new(Code::NeverInPlay, span, message).help(help));
        }
        let moved = [(one, &there), (other, &here)].into_iter().find_map(|(of, to)| self.moved_to(proc, of, to));
        Some(self.tell_apart(expr.span, (&here, &there), moved))
    }

    /// A filter of the other players that asks which of them is `me`, or one of the own cards that asks whether `me` holds them.
    fn is_me_or_not(&self, expr: &Expr) -> Option<Diagnostic> {
        let (member, parts) = (expr.binder()?, expr.parts());
        let (over, asked) = parts.split_first()?;
        let mut over = over.bare();
        while let ExprKind::Where { over: inner, .. } | ExprKind::Having { over: inner, .. } = &over.kind {
            over = inner.bare();
        }
        let own = matches!(&over.kind, ExprKind::Contents(_, Some(whose)) if matches!(whose.kind, ExprKind::Me));
        let asks = |of: &Expr| match &of.kind {
            ExprKind::Local(local) => *local == member && matches!(over.kind, ExprKind::Opponents),
            ExprKind::Prop(of, prop) => {
                own && matches!(of.kind, ExprKind::Local(local) if local == member) && self.is_holder(*prop)
            }
            _ => false,
        };
        let mut found = None;
        let mut look = |part: &Expr| {
            if let ExprKind::Compare(op @ (CompareOp::Eq | CompareOp::Ne), one, other) = &part.kind {
                let (one, other) = (one.bare(), other.bare());
                let me = |of: &Expr| matches!(of.kind, ExprKind::Me);
                if asks(one) && me(other) || asks(other) && me(one) {
                    found = Some((part.span, (*op == CompareOp::Eq) == own));
                }
            }
        };
        asked.iter().for_each(|part| part.walk(&mut look));
        let (span, holds) = found?;
        let what = if own {
            "what lies in a zone of `me` is held by `me`"
        } else {
            "`opponents` are the players without `me`"
        };
        let message = format!("{what}, so this is {} true", if holds { "always" } else { "never" });
        Some(Diagnostic::new(Code::NeverTrue, span, message).help("leave the condition out; all players are `players`"))
    }

    fn tell_apart(
        &self,
        span: Span,
        (here, there): (&BTreeSet<Location>, &BTreeSet<Location>),
        moved: Option<(String, Span)>,
    ) -> Diagnostic {
        let (here, there) = (self.place_names(here), self.place_names(there));
        let Some((name, moved)) = moved else {
            let message = format!("what lies {here} is never what lies {there}, so this is always the same");
            return Diagnostic::new(Code::NeverTrue, span, message)
                .help("leave it out, or name another zone; what has been moved is another card, and a kind alone means those in play");
        };
        let message = format!("`{name}` is still what it was before it moved, so this is always the same");
        Diagnostic::new(Code::NeverTrue, span, message)
            .label(moved, "it is another one from here on")
            .help("give what it is then a name: `move ... to ... as moved`, and ask for `moved`")
    }

    /// Where a procedure moves what a local is to such a place.
    fn moved_to(&self, proc: &Proc, of: &Expr, places: &BTreeSet<Location>) -> Option<(String, Span)> {
        let mut locals: Vec<LocalId> = Vec::new();
        of.walk(&mut |part| locals.extend(if let ExprKind::Local(local) = part.kind { Some(local) } else { None }));
        let mut found = None;
        each_stmt(proc, &mut |stmt| {
            if let StmtKind::Move { what, to, .. } = &stmt.kind
                && let ExprKind::Local(local) = what.bare().kind
                && locals.contains(&local)
                && self.place_of(to).is_some_and(|to| places.contains(&to))
                && found.is_none()
            {
                found = proc.locals.get(local.index()).map(|local| (local.name.clone(), stmt.span));
            }
        });
        found
    }

    /// A clause of a card about what is done with it only where it is not in play.
    fn acts_in_play(&self, clause: &Clause, bound: &Bound) -> Option<Diagnostic> {
        let ClauseKind::Hook { stage, event: HookEvent::Verb(verb), cond: Some(cond), .. } = clause.kind else {
            return None;
        };
        let (ClauseHome::Entry(_) | ClauseHome::Kind(_), ProcBody::Expr(cond)) =
            (clause.home, &self.rules.procs.get(cond.index())?.body)
        else {
            return None;
        };
        let verb = self.rules.verbs.get(verb.index()).filter(|_| stage != Stage::After)?;
        let this = said_to_be_this(cond);
        let places = this.iter().find_map(|param| bound.get(&(verb.body.index(), Some(*param)))?.as_ref())?;
        let out = |place: &Location| {
            place.is_some_and(|zone| self.rules.zones.get(zone.index()).is_some_and(|zone| !zone.in_play))
        };
        if places.is_empty() || !places.iter().all(out) {
            return None;
        }
        let (name, places) = (&verb.name, self.place_names(places));
        let message =
            format!("`{name}` is only done with what lies {places}, and no card is in play there: this never acts");
        let of = match clause.home {
            ClauseHome::Entry(entry) => {
                let entry = self.rules.entries.get(entry.index())?;
                format!("c in {} \"{}\"", self.kind_name(entry.kind), entry.name)
            }
            ClauseHome::Kind(kind) => format!("c is {}", self.kind_name(kind)),
            ClauseHome::Rule(_) | ClauseHome::Armed => return None,
        };
        let word = match stage {
            Stage::Cannot => "cannot",
            Stage::Instead => "instead",
            Stage::Before | Stage::After => "before",
        };
        let help = format!("a rule acts wherever the card lies: `rule NAME {{ {word} {name} c where {of} ... }}`");
        Some(Diagnostic::new(Code::ActsElsewhere, clause.span, message).help(help))
    }
}
