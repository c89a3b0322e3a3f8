//! What an action does where something hidden decides whether it does. An action is offered only if its `ensure`s and later choices can
//! hold, so all that it does before them is done in thought: where one of them reads what was changed under a condition on hidden cards,
//! being offered would tell that condition.

use super::Watch;
use super::borne::{Said, body};
use super::flow::{Call, Facts, Flow, Origin, Sink, Source, Who, each_fact, fill};
use crate::base::Span;
use crate::model::homes::{kind_of, made};
use crate::model::reads::Reads;
use crate::model::rules::{
    Builtin, Clause, ClauseId, ClauseKind, CompareOp, Created, Destination, Expr, ExprKind, KindId, PIECE, ProcBody,
    ProcId, PropClass, PropId, Rules, Stage, Stmt, StmtKind, VerbId, ZoneId,
};
use std::collections::{BTreeMap, BTreeSet};

/// What is changed that a condition may read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Change {
    Prop(PropId),
    /// Where things of a kind lie.
    Lies(KindId),
    /// Whether a verb happens.
    Happens(VerbId),
}

/// What is changed, and what hidden things decide whether it is.
pub(super) type Changes = BTreeMap<Change, Facts>;

/// What an `instead` says of its verb: none where the verb happens all the same, or where the clause speaks of its own player, who
/// sees it.
pub(super) fn in_place(rules: &Rules, clause: &Clause, armed: Option<ClauseId>) -> Option<Said> {
    let ClauseKind::Hook { cond, body: Some(block), stage: Stage::Instead, .. } = &clause.kind else { return None };
    let ProcBody::Block(stmts) = &rules.procs.get(block.index())?.body else { return None };
    let proceeds = |stmt: &Stmt| matches!(&stmt.kind, StmtKind::Proceed { args } if args.iter().all(Option::is_none));
    if stmts.iter().any(proceeds) || cond.and_then(|cond| body(rules, cond)).is_some_and(is_about_me) {
        return None;
    }
    Some(Said::new(rules, clause, cond.iter().map(|cond| (*cond, Who::Unknown, armed)).collect()))
}

/// Whether a condition may say that `me` is the one: what a player's own cards do this player sees.
pub(super) fn is_about_me(cond: &Expr) -> bool {
    let mut found = false;
    cond.walk(&mut |part| {
        found |= match &part.kind {
            ExprKind::Compare(CompareOp::Eq, left, right) => {
                [left, right].iter().any(|side| matches!(side.kind, ExprKind::Me))
            }
            ExprKind::Contents(_, of) => of.as_ref().is_some_and(|of| matches!(of.kind, ExprKind::Me)),
            _ => false,
        };
    });
    found
}

impl<'r> Watch<'r> {
    /// What a statement changes by itself.
    pub(super) fn change(&mut self, stmt: &'r Stmt) {
        match &stmt.kind {
            StmtKind::SetProp { of, prop, .. } => {
                let of = self.expr(of);
                self.changed_by(Change::Prop(*prop), of.facts);
            }
            StmtKind::SetGameProp { prop, .. } => self.changed_by(Change::Prop(*prop), []),
            StmtKind::Move { what, to, .. } => {
                let moved = self.expr(what);
                let Some(kind) = kind_of(what) else { return };
                let told = matches!(to, Destination::Zone { zone, .. } if self.limits_tell(*zone, kind));
                let facts = if told { moved.clone().read(&moved, what.span).facts } else { moved.facts };
                self.changed_by(Change::Lies(kind), facts);
            }
            StmtKind::Create { what, .. } => {
                let (Created::Kind { count, .. } | Created::Entry { count, .. } | Created::CopyOf { count, .. }) = what;
                let count = count.as_ref().map(|count| self.expr(count)).unwrap_or_default();
                if let Some(kind) = made(self.rules, what) {
                    self.changed_by(Change::Lies(kind), count.facts);
                }
            }
            StmtKind::Link { what, link, .. } | StmtKind::Unlink { what, link } => {
                let facts = self.expr(what).facts;
                if let Some(link) = self.rules.links.get(link.index()) {
                    self.changed_by(Change::Prop(link.one), facts.clone());
                    self.changed_by(Change::Prop(link.many), facts);
                }
            }
            _ => {}
        }
    }

    /// Whether the limits of a zone say of what a kind of things is whether it may lie there.
    fn limits_tell(&self, zone: ZoneId, kind: KindId) -> bool {
        let limits = self.rules.zones.get(zone.index()).map(|zone| zone.limits.as_slice());
        limits.unwrap_or_default().iter().any(|(of, _)| !self.rules.is_below(kind, *of))
    }

    fn changed_by(&mut self, change: Change, decided: impl IntoIterator<Item = (Source, Origin)>) {
        let known = self.changes.entry(change).or_default();
        fill(known, decided.into_iter().chain(each_fact(&self.under)).chain(each_fact(&self.passed)));
    }

    /// What another procedure changes, and whether something hidden decides that it is called.
    fn changed_there(&mut self, proc: ProcId, call: &Call, decided: &Facts) {
        let Some(changes) = self.summaries.get(proc.index()).map(|summary| summary.changes.clone()) else { return };
        self.changed_in(&changes, call, decided);
    }

    pub(super) fn changed_in(&mut self, changes: &Changes, call: &Call, decided: &Facts) {
        for (change, facts) in changes {
            let there = facts.iter().flat_map(|(source, origin)| call.sources(*source, *origin));
            self.changed_by(*change, decided.iter().map(|(source, origin)| (*source, *origin)).chain(there));
        }
    }

    /// What a verb changes, with all that stands on it. What forbids it, unless what it is done to was chosen for it, and what stands in
    /// its place, decide whether it happens.
    pub(super) fn changed_by_verb(&mut self, verb: VerbId, args: &[Flow], free: bool, span: Span) {
        let about = self.about;
        let clauses = |of: &'r BTreeMap<VerbId, Vec<Said>>| of.get(&verb).map_or(&[][..], Vec::as_slice);
        let forbids = if free { Flow::default() } else { self.said(clauses(&about.cannots), args, None, span) };
        self.changed_by(Change::Happens(verb), forbids.facts.clone());
        let instead = self.said(clauses(&about.in_place), args, None, span);
        let decided = Flow::derived([&forbids, &instead]).facts;
        for (proc, me) in about.verbs.get(&verb).into_iter().chain(about.afters.get(&verb)).flatten() {
            let mut decided = decided.clone();
            decided.extend(self.stands(*proc, args, span));
            self.changed_there(*proc, &Call { args, card: None, me: *me, this: Who::Unknown, span }, &decided);
        }
    }

    /// What decides whether a hook or check acts.
    fn stands(&mut self, proc: ProcId, args: &[Flow], span: Span) -> Facts {
        let about = self.about;
        about
            .conds
            .get(&proc)
            .map(|said| self.said(std::slice::from_ref(said), args, None, span).facts)
            .unwrap_or_default()
    }

    /// What must hold in an action behind what it has done so far.
    pub(super) fn ensured(&mut self, cond: &Expr, what: &'static str) {
        let mut reads = Reads::default();
        cond.walk(&mut |part| reads.part(self.rules, part));
        let mut kinds = BTreeSet::new();
        read_kinds(self.rules, cond, &mut kinds, &mut BTreeSet::new());
        let touched = |change: &Change| match change {
            Change::Prop(prop) => reads.may_read(*prop),
            Change::Lies(kind) => {
                kinds.iter().any(|read| self.rules.is_below(*kind, *read) || self.rules.is_below(*read, *kind))
            }
            Change::Happens(_) => false,
        };
        let done = std::mem::take(&mut self.changes);
        // What waits acts only once something was done.
        let about = self.about;
        for proc in about.waiting.iter().filter(|_| !done.is_empty()) {
            let decided = self.stands(*proc, &[], cond.span);
            let call = Call { args: &[], card: None, me: Who::Unknown, this: Who::Unknown, span: cond.span };
            self.changed_there(*proc, &call, &decided);
        }
        let checks = std::mem::replace(&mut self.changes, done);
        let mut told = self.passed.clone();
        let changes = self.changes.iter().chain(&checks).filter(|(change, _)| touched(change));
        told.extend(changes.flat_map(|(_, facts)| facts.clone()));
        self.at = cond.span;
        for told in told {
            self.sink(told, Sink::Told(Some(Who::Me), what), Some(cond.span));
        }
    }

    /// Whether a price can be paid that is tried out: what would take a counter out of its range, or what something forbids, may depend on
    /// what is hidden. `before` is what was changed before the price.
    pub(super) fn paid(&mut self, before: Changes, by: Option<Who>, what: &'static str) {
        let ranged = |prop: &PropId| {
            self.rules.props.get(prop.index()).is_some_and(|prop| prop.range.is_some() && !prop.clamped)
        };
        let decides = |change: &Change| match change {
            Change::Prop(prop) => ranged(prop),
            Change::Happens(_) => true,
            Change::Lies(_) => false,
        };
        let told: Facts =
            self.changes.iter().filter(|(change, _)| decides(change)).flat_map(|(_, facts)| facts.clone()).collect();
        let known = |source: &Source| self.under.contains_key(source) || self.passed.contains_key(source);
        let told: Vec<_> = told.into_iter().filter(|(source, _)| by.is_some() && !known(source)).collect();
        for told in told {
            self.sink(told, Sink::Told(by, what), None);
        }
        for (change, facts) in before {
            self.changes.entry(change).or_default().extend(facts);
        }
    }
}

/// What is not foreseen: nothing behind it is looked at before.
pub(super) fn is_unforeseen(stmt: &Stmt) -> bool {
    match &stmt.kind {
        StmtKind::Roll { .. } | StmtKind::Random { .. } | StmtKind::Offer(_) => true,
        StmtKind::Choose(choose) => choose.by.as_ref().is_some_and(|by| !matches!(by.kind, ExprKind::Me)),
        _ => false,
    }
}

/// The kinds of which an expression reads where things lie.
pub(super) fn read_kinds(rules: &Rules, of: &Expr, kinds: &mut BTreeSet<KindId>, seen: &mut BTreeSet<ProcId>) {
    of.walk(&mut |part| {
        match &part.kind {
            ExprKind::Contents(zone, _) => {
                kinds.extend(rules.zones.get(zone.index()).into_iter().flat_map(|zone| zone.holds.iter().copied()))
            }
            ExprKind::InPlay(kind) => _ = kinds.insert(*kind),
            ExprKind::EntitiesOf(entry) => kinds.extend(rules.entries.get(entry.index()).map(|entry| entry.kind)),
            ExprKind::Builtin(Builtin::Smaller | Builtin::Larger | Builtin::Abs | Builtin::EnumIndex, _) => {}
            ExprKind::Builtin(..) => _ = kinds.insert(PIECE),
            ExprKind::Call(proc, _) | ExprKind::Lambda(proc) if seen.insert(*proc) => {
                body(rules, *proc).into_iter().for_each(|body| read_kinds(rules, body, kinds, seen));
            }
            ExprKind::Prop(_, prop) | ExprKind::GameProp(prop) => {
                if let Some(PropClass::Stat { formula }) = rules.props.get(prop.index()).map(|prop| &prop.class)
                    && seen.insert(*formula)
                    && let Some(body) = body(rules, *formula)
                {
                    read_kinds(rules, body, kinds, seen);
                }
            }
            _ => {}
        };
    });
}
