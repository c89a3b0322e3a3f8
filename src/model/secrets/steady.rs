//! Whether words name the same behind a statement as before it: what it may change with all that it calls and with what waits, and what
//! they read. Both may say too much, never too little.

use super::about::About;
use super::ahead::read_kinds;
use super::borne::body;
use crate::model::homes::{kind_of, made};
use crate::model::reads::Reads;
use crate::model::rules::walk::each_block;
use crate::model::rules::{
    ClauseKind, Expr, ExprKind, KindId, ProcBody, ProcId, PropClass, PropId, Rules, Stmt, StmtKind,
};
use std::collections::BTreeSet;

/// What statements may change.
#[derive(Default)]
pub(super) struct Effects {
    props: BTreeSet<PropId>,
    /// Where things of these kinds lie, and in what order.
    lies: BTreeSet<KindId>,
    /// Anything.
    all: bool,
    seen: BTreeSet<ProcId>,
}

impl Effects {
    pub fn of(rules: &Rules, about: &About, stmts: &[Stmt]) -> Effects {
        let mut found = Effects::default();
        stmts.iter().for_each(|stmt| found.stmt(rules, about, stmt));
        if !found.props.is_empty() || !found.lies.is_empty() {
            let waits = rules.clauses.iter().filter_map(|clause| match clause.kind {
                ClauseKind::Becomes { body, .. } | ClauseKind::Check { body, .. } => Some(body),
                ClauseKind::Hook { .. } | ClauseKind::Modify { .. } => None,
            });
            let orphans = rules.links.iter().filter_map(|link| link.orphan);
            waits.chain(orphans).for_each(|proc| found.proc(rules, about, proc));
        }
        found
    }

    fn proc(&mut self, rules: &Rules, about: &About, proc: ProcId) {
        if !self.seen.insert(proc) {
            return;
        }
        if let Some(ProcBody::Block(stmts)) = rules.procs.get(proc.index()).map(|proc| &proc.body) {
            stmts.iter().for_each(|stmt| self.stmt(rules, about, stmt));
        }
    }

    fn stmt(&mut self, rules: &Rules, about: &About, stmt: &Stmt) {
        match &stmt.kind {
            StmtKind::SetProp { prop, .. } | StmtKind::SetGameProp { prop, .. } => _ = self.props.insert(*prop),
            StmtKind::Move { what, riders: None, .. } => self.kind(kind_of(what)),
            StmtKind::Create { what, .. } => self.kind(made(rules, what)),
            StmtKind::Shuffle { zone, .. } => {
                self.lies.extend(rules.zones.get(zone.index()).into_iter().flat_map(|zone| &zone.holds));
            }
            StmtKind::Call { .. } => {
                about.calls(rules, &stmt.kind).into_iter().for_each(|proc| self.proc(rules, about, proc));
            }
            StmtKind::Proceed { .. } => {}
            kind if !changes_nothing(kind) => self.all = true,
            _ => {}
        }
        each_block(stmt, &mut |block| block.iter().for_each(|stmt| self.stmt(rules, about, stmt)));
    }

    fn kind(&mut self, kind: Option<KindId>) {
        match kind {
            Some(kind) => _ = self.lies.insert(kind),
            None => self.all = true,
        }
    }

    /// Whether words name the same when that is done.
    pub fn leave(&self, rules: &Rules, about: &About, words: &Expr) -> bool {
        let mut read = Read::default();
        read.expr(rules, about, words);
        let moved =
            |kind: &KindId| read.kinds.iter().any(|of| rules.is_below(*kind, *of) || rules.is_below(*of, *kind));
        if read.any || self.all && !read.is_nothing() {
            return false;
        }
        let set = self.props.iter().any(|prop| read.reads.may_read(*prop));
        let anywhere = read.places && !self.lies.is_empty();
        !(set || anywhere || self.lies.iter().any(moved))
    }
}

/// Whether a statement changes nothing by itself, without what stands in it.
pub(super) fn changes_nothing(stmt: &StmtKind) -> bool {
    matches!(
        stmt,
        StmtKind::Local { .. }
            | StmtKind::Choose(_)
            | StmtKind::ChooseOption { .. }
            | StmtKind::ChooseOrder { .. }
            | StmtKind::ChooseSplit { .. }
            | StmtKind::Gate { .. }
            | StmtKind::Each { .. }
            | StmtKind::EachSecret { .. }
            | StmtKind::If { .. }
            | StmtKind::Repeat { .. }
            | StmtKind::RepeatTimes { .. }
            | StmtKind::LeaveRepeat
            | StmtKind::Stop
            | StmtKind::Roll { .. }
            | StmtKind::Random { .. }
            | StmtKind::Reveal { .. }
            | StmtKind::Ensure { .. }
            | StmtKind::Requires { .. }
            | StmtKind::Note(_)
    )
}

/// What words read.
#[derive(Default)]
struct Read {
    reads: Reads,
    /// Where things of these kinds lie.
    kinds: BTreeSet<KindId>,
    /// Where something lies, whatever it is.
    places: bool,
    /// Who is in the game.
    players: bool,
    /// Anything.
    any: bool,
    seen: BTreeSet<ProcId>,
}

impl Read {
    fn is_nothing(&self) -> bool {
        self.reads.is_nothing() && self.kinds.is_empty() && !self.places && !self.players
    }

    fn expr(&mut self, rules: &Rules, about: &About, expr: &Expr) {
        expr.walk(&mut |part| {
            self.reads.part(rules, part);
            self.part(rules, about, part);
        });
        read_kinds(rules, expr, &mut self.kinds, &mut BTreeSet::new());
    }

    fn proc(&mut self, rules: &Rules, about: &About, proc: ProcId) {
        if self.seen.insert(proc) {
            body(rules, proc).into_iter().for_each(|body| body.walk(&mut |part| self.part(rules, about, part)));
        }
    }

    fn part(&mut self, rules: &Rules, about: &About, part: &Expr) {
        match &part.kind {
            ExprKind::Prop(_, prop) | ExprKind::GameProp(prop) => {
                match rules.props.get(prop.index()).map(|prop| &prop.class) {
                    // What modifies it stands where its card lies.
                    Some(PropClass::Stat { formula }) => {
                        self.places |= about.modifiers.contains_key(prop);
                        self.proc(rules, about, *formula);
                    }
                    // What is linked is so no longer where it leaves play.
                    Some(PropClass::Builtin(_) | PropClass::LinkOne(_) | PropClass::LinkMany(_)) => self.places = true,
                    Some(PropClass::Field { .. } | PropClass::Counter { .. } | PropClass::Mark { .. }) => {}
                    // A table is set by its parts.
                    Some(PropClass::Table(_)) | None => self.any = true,
                }
            }
            ExprKind::Call(proc, _) | ExprKind::Lambda(proc) => self.proc(rules, about, *proc),
            ExprKind::Players | ExprKind::Opponents => self.players = true,
            ExprKind::Mover
            | ExprKind::Actor
            | ExprKind::Source
            | ExprKind::Cause
            | ExprKind::Changed
            | ExprKind::Round
            | ExprKind::Can(..)
            | ExprKind::Targetable { .. }
            | ExprKind::CallLambda(..)
            | ExprKind::CallScript(..)
            | ExprKind::Side(..) => self.any = true,
            _ => {}
        }
    }
}
