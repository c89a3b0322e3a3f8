//! What stands in the place of a verb in an action, where not everybody sees that it will, or why: an `ensure` behind the verb that reads what
//! the verb changes is tried out before the action is offered, and so would tell.

use super::borne::Said;
use super::flow::{Flow, Who};
use super::told::ENSURED;
use super::{About, Watch};
use crate::base::Span;
use crate::model::reads::Reads;
use crate::model::rules::walk::each_in;
use crate::model::rules::{
    Builtin, Clause, ClauseId, ClauseKind, CompareOp, Expr, ExprKind, ProcBody, ProcId, ProcRole, PropId, Rules, Stage,
    Stmt, StmtKind, VerbId,
};
use std::collections::BTreeSet;

/// A call of a verb that something may replace: what tells whether it does.
#[derive(Clone, Debug)]
pub(super) struct Replaced {
    verb: VerbId,
    told: Flow,
    call: Span,
}

/// What an `instead` says of its verb: none where the verb happens all the same, or where the clause speaks of its own player, who
/// sees it.
pub(super) fn in_place(rules: &Rules, clause: &Clause, armed: Option<ClauseId>) -> Option<Said> {
    let ClauseKind::Hook { cond, body: Some(body), stage: Stage::Instead, .. } = &clause.kind else { return None };
    let ProcBody::Block(stmts) = &rules.procs.get(body.index())?.body else { return None };
    let proceeds = |stmt: &Stmt| matches!(&stmt.kind, StmtKind::Proceed { args } if args.iter().all(Option::is_none));
    let cond_body = cond.and_then(|cond| match &rules.procs.get(cond.index())?.body {
        ProcBody::Expr(cond) => Some(cond),
        ProcBody::Block(_) => None,
    });
    if stmts.iter().any(proceeds) || cond_body.is_some_and(is_about_me) {
        return None;
    }
    Some(Said::new(rules, clause, cond.iter().map(|cond| (*cond, Who::Unknown, armed)).collect()))
}

/// Whether a condition may say that `me` is the one: what a player's own cards do this player sees.
fn is_about_me(cond: &Expr) -> bool {
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
    /// A verb is called in an action: whether something will stand in its place may be a secret.
    pub(super) fn may_be_replaced(&mut self, verb: VerbId, args: &'r [Option<Expr>], call: Span) {
        let about = self.about;
        let Some(clauses) = about.in_place.get(&verb).filter(|_| self.role == ProcRole::Action) else { return };
        let args: Vec<Flow> =
            args.iter().map(|arg| arg.as_ref().map(|arg| self.expr(arg)).unwrap_or_default()).collect();
        let told = self.said(clauses, &args, None, call);
        if !told.facts.is_empty() {
            self.replaced.push(Replaced { verb, told, call });
        }
    }

    /// What must hold behind such verbs.
    pub(super) fn ensured(&mut self, cond: &Expr) {
        for Replaced { verb, told, call } in self.replaced.clone() {
            if self.about.touches(self.rules, verb, cond) {
                self.at = call;
                self.refuse(&told, Some(Who::Me), ENSURED);
            }
        }
    }
}

impl About<'_> {
    /// Whether what a verb does, or what stands in its place, changes something that a condition reads.
    fn touches(&self, rules: &Rules, verb: VerbId, cond: &Expr) -> bool {
        let mut reads = Reads::default();
        cond.walk(&mut |part| reads.part(rules, part));
        let places = reads_places(rules, cond, &mut BTreeSet::new());
        self.changes(rules, verb, &|prop| reads.may_read(prop), places, &mut BTreeSet::new())
    }

    fn changes(
        &self,
        rules: &Rules,
        verb: VerbId,
        read: &dyn Fn(PropId) -> bool,
        places: bool,
        seen: &mut BTreeSet<VerbId>,
    ) -> bool {
        if !seen.insert(verb) {
            return false;
        }
        let mut found = false;
        for (proc, _) in self.verbs.get(&verb).into_iter().chain(self.afters.get(&verb)).flatten() {
            let Some(ProcBody::Block(stmts)) = rules.procs.get(proc.index()).map(|proc| &proc.body) else { continue };
            each_in(stmts, &mut |stmt| {
                found |= match &stmt.kind {
                    StmtKind::SetProp { prop, .. } | StmtKind::SetGameProp { prop, .. } => read(*prop),
                    StmtKind::Move { .. }
                    | StmtKind::Create { .. }
                    | StmtKind::Link { .. }
                    | StmtKind::Unlink { .. } => places,
                    StmtKind::Call { verb, .. } => self.changes(rules, *verb, read, places, seen),
                    _ => false,
                };
            });
        }
        found
    }
}

/// Whether a condition reads where anything lies.
fn reads_places(rules: &Rules, cond: &Expr, seen: &mut BTreeSet<ProcId>) -> bool {
    let mut found = false;
    cond.walk(&mut |part| {
        found |= match &part.kind {
            ExprKind::Contents(..) | ExprKind::InPlay(_) | ExprKind::EntitiesOf(_) => true,
            ExprKind::Builtin(builtin, _) => {
                !matches!(builtin, Builtin::Smaller | Builtin::Larger | Builtin::Abs | Builtin::EnumIndex)
            }
            ExprKind::Call(proc, _) if seen.insert(*proc) => match rules.procs.get(proc.index()).map(|proc| &proc.body)
            {
                Some(ProcBody::Expr(body)) => reads_places(rules, body, seen),
                _ => false,
            },
            _ => false,
        };
    });
    found
}
