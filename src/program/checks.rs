//! What a checkpoint asks of the rules, as one procedure: the conditions of their checks and `becomes` clauses, each of which is
//! asked where something has changed that it reads. Only where one holds, or anything else waits, does the engine begin a checkpoint.
//! Where there is little of it, it is code in the place of the checkpoints.

use super::ProcCode;
use super::code::{Builder, Label};
use super::op::{Op, Slot};
use crate::base::Span;
use crate::core::Pass;
use crate::model::rules::walk::each_stmt;
use crate::model::rules::{
    ClauseHome, ClauseId, ClauseKind, Expr, ExprKind, GroupId, ProcBody, ProcId, ProcRole, Rules,
};
use std::collections::BTreeSet;

/// Instructions of all conditions that stand in the place of checkpoints, at the most.
const MOST_CODE: usize = 1_000;

/// What is asked at checkpoints: the checks of a game, and its `becomes` clauses but for armed ones.
pub(super) fn asked(rules: &Rules) -> [Vec<ClauseId>; 2] {
    let all = || (0..rules.clauses.len() as u32).map(ClauseId);
    let kind = |clause: &ClauseId| &rules.clauses[clause.index()].kind;
    let armed = |clause: &ClauseId| rules.clauses[clause.index()].home == ClauseHome::Armed;
    let checks = all().filter(|clause| matches!(kind(clause), ClauseKind::Check { .. }));
    let becomes = all().filter(|clause| matches!(kind(clause), ClauseKind::Becomes { .. }) && !armed(clause));
    [checks.collect(), becomes.collect()]
}

/// A condition of a rule.
pub(super) struct Asked {
    /// Its place among the checks, or among the `becomes` clauses.
    index: u16,
    becomes: bool,
    /// Whether its rule is in force.
    when: Option<ProcId>,
    cond: ProcId,
}

/// Whether the conditions are code at the checkpoints of a procedure.
fn has_checkpoints(role: ProcRole) -> bool {
    matches!(role, ProcRole::Flow | ProcRole::Action)
}

impl Builder<'_> {
    /// The procedure that asks all conditions of rules, if they mean the same anywhere. Where it is short, it also stands in the place of
    /// the checkpoints of the flow and of actions.
    pub(super) fn asking(&mut self) -> Option<ProcCode> {
        let asked = if self.passes.contains(&Pass::Checks) { self.asked_anywhere() } else { None }?;
        let counted = self.predicates.clone();
        self.begin(ProcRole::Pure, None, Span::default());
        let params = self.declare(&[], 0);
        let (holds, one, zero) = (self.label(), self.word(1), self.word(0));
        self.ask_all(&asked, holds);
        self.predicates = counted;
        let mut places = 0;
        for proc in self.rules.procs.iter().filter(|proc| has_checkpoints(proc.role)) {
            each_stmt(proc, &mut |stmt| places += usize::from(super::stmts::changes(stmt)));
        }
        if self.ops.len() * places <= MOST_CODE {
            self.asked_in_place = asked;
        }
        self.emit(Op::Return { n: 1, a: zero });
        self.bind(holds);
        self.emit(Op::Return { n: 1, a: one });
        Some(self.finish(params, 1))
    }

    /// A place where what has changed is seen to.
    pub(super) fn checkpoint(&mut self, always: bool) {
        if self.asked_in_place.is_empty() || self.quiet || !has_checkpoints(self.role) {
            return self.emit(Op::Checkpoint { always });
        }
        let (waits, end, clean) = (self.label(), self.label(), self.label());
        let to = self.to(clean);
        self.emit(Op::JumpClean { always, to });
        let to = self.to(waits);
        self.emit(Op::JumpWaiting { to });
        let (asked, counted) = (std::mem::take(&mut self.asked_in_place), self.predicates.clone());
        let used = self.used(|builder| builder.ask_all(&asked, waits));
        (self.asked_in_place, self.predicates) = (asked, counted);
        self.emit(Op::Settled);
        let to = self.to(end);
        self.emit(Op::Jump { to });
        self.bind(waits);
        self.emit(Op::Checkpoint { always });
        self.bind(end);
        self.leave_no_trace(used);
        self.bind(clean);
    }

    fn ask_all(&mut self, asked: &[Asked], holds: Label) {
        asked.iter().for_each(|asked| self.ask(asked, holds));
    }

    /// The conditions of rules, if all of them mean the same wherever they are asked.
    fn asked_anywhere(&self) -> Option<Vec<Asked>> {
        let rules = self.rules;
        let mut found = Vec::new();
        for (becomes, clauses) in asked(rules).into_iter().enumerate() {
            for (index, clause) in clauses.into_iter().enumerate() {
                let clause = &rules.clauses[clause.index()];
                let (ClauseKind::Check { cond, .. } | ClauseKind::Becomes { cond, .. }) = clause.kind else { continue };
                let ClauseHome::Rule(GroupId(group)) = clause.home else {
                    // Whether a card bears it is known before, or asked clause by clause.
                    if self.passes.contains(&Pass::Bearers) {
                        continue;
                    }
                    return None;
                };
                let when = rules.groups[group as usize].when;
                found.push(Asked { index: u16::try_from(index).ok()?, becomes: becomes == 1, when, cond });
            }
        }
        let fits = |proc: ProcId| self.stands_anywhere(proc, &mut BTreeSet::new());
        let all = found.iter().flat_map(|asked| asked.when.into_iter().chain([asked.cond])).all(fits);
        (all && !found.is_empty()).then_some(found)
    }

    /// Whether an expression means the same wherever it is asked: nothing of it depends on who acts, on an event or on a card.
    fn stands_anywhere(&self, proc: ProcId, seen: &mut BTreeSet<ProcId>) -> bool {
        if !seen.insert(proc) {
            return true;
        }
        let ProcBody::Expr(expr) = &self.rules.procs[proc.index()].body else { return false };
        let mut fine = !self.asked_tops.asks(expr);
        expr.walk(&mut |part: &Expr| {
            fine = fine
                && match &part.kind {
                    ExprKind::Me
                    | ExprKind::Opponents
                    | ExprKind::This
                    | ExprKind::Actor
                    | ExprKind::Source
                    | ExprKind::Cause
                    | ExprKind::Changed
                    | ExprKind::Can(..)
                    | ExprKind::Targetable { .. }
                    | ExprKind::CallScript(..)
                    | ExprKind::CallLambda(..) => false,
                    ExprKind::Call(called, _) => self.stands_anywhere(*called, seen),
                    _ => true,
                };
        });
        fine
    }

    /// Goes on where a condition does not hold or has been asked already; jumps where it holds, or has come true.
    fn ask(&mut self, asked: &Asked, holds: Label) {
        let next = self.label();
        let (index, becomes, mark) = (asked.index, asked.becomes, self.top);
        let to = self.to(next);
        self.emit(Op::JumpUnread { becomes, index, to });
        if becomes {
            let (over, value) = (self.label(), self.temp(1));
            if let Some(when) = asked.when {
                let zero = self.word(0);
                self.copy(1, value, zero);
                self.asked_expr(when, |builder, when| builder.jump(when, false, over));
            }
            self.asked_expr(asked.cond, |builder, cond| builder.into(cond, value));
            self.bind(over);
            let to = self.to(holds);
            self.emit(Op::JumpTurned { index, a: value, to });
        } else {
            if let Some(when) = asked.when {
                self.asked_expr(when, |builder, when| builder.jump(when, false, next));
            }
            self.asked_expr(asked.cond, |builder, cond| builder.jump(cond, true, holds));
        }
        self.release(mark);
        self.bind(next);
    }

    /// The code of an expression of another procedure.
    fn asked_expr(&mut self, proc: ProcId, code: impl FnOnce(&mut Self, &Expr)) {
        let known =
            (std::mem::take(&mut self.hoisted), std::mem::take(&mut self.some), std::mem::take(&mut self.standing));
        self.in_place(proc, Slot::ME, |builder, body| {
            if let ProcBody::Expr(expr) = body {
                builder.share(expr);
                code(builder, expr);
            }
        });
        (self.hoisted, self.some, self.standing) = known;
    }
}
