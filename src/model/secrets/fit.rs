//! Nothing forbids the call of a verb with what was just chosen for it, until something happens that may change what a
//! `cannot` of the verb reads. What such a statement is, is read off the rules: which properties the conditions of the verb's
//! `cannot`s read, and what statements between the choice and the call set.

use super::flow::Source;
use super::steady::changes_nothing;
use super::{About, Watch};
use crate::base::Span;
use crate::model::reads::Reads;
use crate::model::rules::walk::{each_block, each_in};
use crate::model::rules::{
    Choose, Expr, ExprKind, LocalId, ProcBody, ProcId, Qty, Rules, Stmt, StmtKind, VerbId, ZoneId,
};
use std::collections::BTreeSet;

/// What was chosen for a verb.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Fit {
    local: LocalId,
    verb: VerbId,
    /// The statement since then that may have changed what forbids the verb.
    since: Option<Span>,
}

impl Fit {
    /// What a choice takes for a verb: one thing, or several for one call.
    pub(super) fn of(choose: &Choose) -> Option<Fit> {
        let verb = choose.for_verb.filter(|_| matches!(choose.qty, Qty::One) || choose.for_whole)?;
        (!ignores(&choose.domain)).then_some(Fit { local: choose.local, verb, since: None })
    }
}

impl About<'_> {
    /// The statement in this one, or itself, that may change whether a verb is forbidden.
    fn unfit(&self, rules: &Rules, verb: VerbId, stmt: &Stmt) -> Option<Span> {
        let bans = Reads::of_bans(rules, verb);
        let unfit = Unfit { about: self, rules, verb, bans: &bans, waiting: &self.waiting_reads };
        unfit.stmt(stmt, &mut BTreeSet::new())
    }
}

struct Unfit<'a, 'c> {
    about: &'a About<'c>,
    rules: &'a Rules,
    verb: VerbId,
    bans: &'a Reads,
    waiting: &'a Reads,
}

impl Unfit<'_, '_> {
    fn stmt(&self, stmt: &Stmt, seen: &mut BTreeSet<ProcId>) -> Option<Span> {
        let changes = match &stmt.kind {
            StmtKind::SetProp { prop, .. } | StmtKind::SetGameProp { prop, .. } => {
                self.bans.may_read(*prop) || self.waiting.may_read(*prop)
            }
            // What was chosen may be for this call alone.
            StmtKind::Call { verb, .. } => *verb == self.verb || self.call(*verb, seen),
            kind => !changes_nothing(kind),
        };
        if changes {
            return Some(stmt.span);
        }
        let mut found = None;
        each_block(stmt, &mut |block| found = found.or_else(|| block.iter().find_map(|stmt| self.stmt(stmt, seen))));
        found
    }

    /// Whether a verb, or what acts on it, may change it.
    fn call(&self, verb: VerbId, seen: &mut BTreeSet<ProcId>) -> bool {
        let run = self.about.verbs.get(&verb).into_iter().chain(self.about.afters.get(&verb)).flatten();
        run.into_iter().any(|(proc, _)| {
            if !seen.insert(*proc) {
                return false;
            }
            match self.rules.procs.get(proc.index()).map(|proc| &proc.body) {
                Some(ProcBody::Block(stmts)) => stmts.iter().any(|stmt| self.stmt(stmt, seen).is_some()),
                Some(ProcBody::Expr(_)) | None => true,
            }
        })
    }
}

/// Whether what is chosen is chosen past rules that may stop the call.
fn ignores(domain: &Expr) -> bool {
    let mut found = false;
    domain
        .walk(&mut |part| found |= matches!(&part.kind, ExprKind::Targetable { ignoring, .. } if !ignoring.is_empty()));
    found
}

impl Watch<'_> {
    /// What is still fit behind a statement.
    pub(super) fn refit(&mut self, mut fit: Vec<Fit>, stmt: &Stmt) {
        let mut bound = BTreeSet::new();
        each_in(std::slice::from_ref(stmt), &mut |stmt| {
            if let StmtKind::Local { local, .. } = &stmt.kind {
                bound.insert(*local);
            }
        });
        let chosen = match &stmt.kind {
            StmtKind::Choose(choose) => Some(&**choose),
            _ => None,
        };
        fit.retain(|fit| !bound.contains(&fit.local) && chosen.is_none_or(|choose| choose.local != fit.local));
        for fit in &mut fit {
            fit.since = fit.since.or_else(|| self.about.unfit(self.rules, fit.verb, stmt));
        }
        fit.extend(chosen.and_then(Fit::of));
        self.fit = fit;
    }

    /// Whether nothing forbids a call, since what it takes was chosen for it. Where it cannot be said any more, what was chosen
    /// may lie where it lay: a finding about it names the statement that is the cause.
    pub(super) fn is_free(&mut self, fit: &[Fit], verb: VerbId, chosen: LocalId) -> bool {
        let Some(fit) = fit.iter().find(|fit| fit.local == chosen && fit.verb == verb) else { return false };
        if let Some(since) = fit.since.filter(|_| self.about.stoppable.contains(&verb)) {
            let cards = self.local(chosen).cards;
            let zones = cards.into_iter().filter_map(Source::zone);
            self.unlaid.extend(zones.map(|(zone, _)| (zone, since, verb, self.proc)));
        }
        fit.since.is_none()
    }

    /// What may have kept a card of a zone from being laid openly before it is read: the statement, and the verb that it may forbid.
    pub(super) fn unlaid_in(&self, zone: ZoneId, read: Span) -> Option<(Span, &str)> {
        let ends = |proc: ProcId| match self.rules.procs.get(proc.index()).map(|proc| &proc.body) {
            Some(ProcBody::Block(stmts)) => stmts.last().map_or(0, |last| last.span.end),
            Some(ProcBody::Expr(_)) | None => 0,
        };
        let here = |(of, since, _, proc): &&(ZoneId, Span, VerbId, ProcId)| {
            *of == zone && since.file == read.file && since.end <= read.start && read.end <= ends(*proc)
        };
        let (_, since, verb, _) = self.unlaid.iter().rfind(here)?;
        Some((*since, self.rules.verbs.get(verb.index())?.name.as_str()))
    }
}
