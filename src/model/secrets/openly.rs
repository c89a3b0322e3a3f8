//! Of which questions all may read that they were asked, and what was answered: those of which neither the one nor the other tells
//! what not everybody sees. What a card says that somebody does not see is not asked openly either; that shows in play.

use super::Watch;
use super::flow::Flow;
use crate::base::Span;
use crate::model::hidden;
use crate::model::prices::asked_of;
use crate::model::rules::walk::each_stmt;
use crate::model::rules::{
    ActionId, ClauseHome, ClauseKind, Expr, ExprKind, Proc, ProcBody, ProcId, Qty, Rules, Showing, Stmt, StmtKind, Ty,
};
use std::collections::BTreeSet;

/// What a question is, and its answer, as something that all read.
pub(super) const ANSWER: &str = "what is answered";

/// The questions whose answers are words or actions, by where they stand, and in which procedure. What is chosen of things and sites
/// shows by what is done with it.
pub(super) fn questions(rules: &Rules) -> impl Iterator<Item = (Span, ProcId)> {
    let mut found = Vec::new();
    for (index, proc) in rules.procs.iter().enumerate() {
        each_stmt(proc, &mut |stmt| found.extend(question(stmt).map(|span| (span, ProcId(index as u32)))));
    }
    found.into_iter()
}

/// Where a statement asks such a question.
fn question(stmt: &Stmt) -> Option<Span> {
    match &stmt.kind {
        StmtKind::ChooseOption { .. } | StmtKind::ChooseAction { .. } | StmtKind::Gate { .. } => Some(stmt.span),
        StmtKind::Choose(choose) if matches!(choose.qty, Qty::One) => {
            let of = choose.domain.ty.element().bare();
            let words = matches!(of, Ty::Number | Ty::Text | Ty::Flag | Ty::Player | Ty::Enum(_) | Ty::Direction(_));
            words.then_some(choose.span)
        }
        _ => None,
    }
}

impl<'r> Watch<'r> {
    /// Notes what it tells that the statement at hand is reached, and what is answered if it asks.
    pub(super) fn reached(&mut self, stmt: &'r Stmt) {
        if matches!(stmt.kind, StmtKind::Stop | StmtKind::LeaveRepeat | StmtKind::LeaveSpan(_)) {
            self.passed.extend(self.under.clone());
        }
        // That somebody begins an action all see by what comes of it.
        let begins = matches!(stmt.kind, StmtKind::ChooseAction { .. } | StmtKind::Respond(_));
        let guards = !self.under.is_empty() || !self.passed.is_empty();
        if guards && !begins {
            let called = self.about.calls(self.rules, &stmt.kind);
            self.guarded.extend(called);
            if let StmtKind::Arm { clauses, .. } = &stmt.kind {
                let clauses = clauses.iter().filter_map(|clause| self.rules.clauses.get(clause.index()));
                self.guarded.extend(clauses.flat_map(|clause| clause.kind.procs()));
            }
        }
        let Some(span) = question(stmt) else { return };
        let decide: Vec<&Expr> = match &stmt.kind {
            StmtKind::Choose(choose) => vec![&choose.domain],
            StmtKind::ChooseAction { .. } => Vec::new(),
            StmtKind::ChooseOption { arms, .. } => arms.iter().filter_map(|arm| arm.cond.as_ref()).collect(),
            StmtKind::Gate { chooses, pay, tried, .. } => {
                let price = if *tried { asked_of(pay.as_deref().unwrap_or_default()) } else { Vec::new() };
                chooses.iter().map(|choose| &choose.domain).chain(price).collect()
            }
            _ => return,
        };
        let decide: Vec<Flow> = decide.into_iter().map(|expr| self.expr(expr)).collect();
        let mut flow = self.set(Flow::derived(&decide));
        flow.facts.extend(self.passed.clone());
        self.at = span;
        self.refuse(&flow, None, ANSWER);
    }

    /// Where questions stand that are asked openly.
    pub(super) fn asked_openly(&mut self) -> BTreeSet<Span> {
        for clause in &self.rules.clauses {
            let (cond, body) = match &clause.kind {
                ClauseKind::Hook { cond, body: Some(body), .. } => (*cond, body),
                ClauseKind::Becomes { cond, body, .. } | ClauseKind::Check { cond, body, .. } => (Some(*cond), body),
                _ => continue,
            };
            let when = match clause.home {
                ClauseHome::Rule(group) => self.rules.groups.get(group.index()).and_then(|group| group.when),
                _ => None,
            };
            if cond.into_iter().chain(when).any(|cond| self.is_veiled(cond)) {
                self.guarded.insert(*body);
            }
        }
        // Where somebody looks at cards in secret, what is asked about it is meant for nobody else.
        let quiet = |proc: &Proc| {
            let mut quiet = false;
            each_stmt(proc, &mut |stmt| quiet |= matches!(stmt.kind, StmtKind::Reveal { how: Showing::Quietly, .. }));
            quiet
        };
        let quiet = (0u32..).zip(&self.rules.procs).filter(|(_, proc)| quiet(proc)).map(|(proc, _)| ProcId(proc));
        self.guarded.extend(quiet);
        let mut open: Vec<ProcId> = self.guarded.iter().copied().collect();
        while let Some(proc) = open.pop() {
            let Some(found) = self.rules.procs.get(proc.index()) else { continue };
            each_stmt(found, &mut |stmt| {
                open.extend(
                    self.about.calls(self.rules, &stmt.kind).into_iter().filter(|proc| self.guarded.insert(*proc)),
                );
            });
        }
        let shy = self.shy_actions();
        let openly = |(span, proc): &(Span, ProcId)| {
            !self.veiled.contains(span) && !self.guarded.contains(proc) && !shy.contains(span)
        };
        questions(self.rules).filter(openly).map(|(span, _)| span).collect()
    }

    /// Where actions are offered one of which is done in secret, or can be done by what not everybody sees alone.
    fn shy_actions(&self) -> BTreeSet<Span> {
        let hidden = |expr: &Expr| hidden::told(self.rules, expr).is_some();
        let is_me = |by: &Expr| matches!(by.kind, ExprKind::Me);
        let shy = |action: ActionId| {
            let (mut shy, mut seen) = (false, BTreeSet::new());
            let mut left: Vec<ProcId> =
                self.rules.actions.get(action.index()).map(|action| action.body).into_iter().collect();
            while let Some(proc) = left.pop().filter(|_| !shy) {
                let Some(found) = self.rules.procs.get(proc.index()).filter(|_| seen.insert(proc)) else { continue };
                each_stmt(found, &mut |stmt| {
                    shy |= match &stmt.kind {
                        StmtKind::Reveal { how, .. } => *how == Showing::Quietly,
                        StmtKind::Requires { cond, .. } | StmtKind::Ensure { cond, .. } => hidden(cond),
                        // What somebody else is asked is not looked at before.
                        StmtKind::Choose(choose) if choose.by.as_ref().is_none_or(is_me) => {
                            hidden::told_by_choice(self.rules, &choose.domain).is_some()
                        }
                        _ => false,
                    };
                    left.extend(self.about.calls(self.rules, &stmt.kind));
                });
            }
            shy
        };
        let shy: BTreeSet<ActionId> =
            (0..self.rules.actions.len() as u32).map(ActionId).filter(|id| shy(*id)).collect();
        let mut found = BTreeSet::new();
        for proc in &self.rules.procs {
            each_stmt(proc, &mut |stmt| {
                if let StmtKind::ChooseAction { acts, or_else, .. } = &stmt.kind
                    && acts.iter().chain(or_else).any(|act| shy.contains(&act.action))
                {
                    found.insert(stmt.span);
                }
            });
        }
        found
    }

    /// Whether a condition of a clause depends on what not everybody sees.
    fn is_veiled(&self, cond: ProcId) -> bool {
        let proc = self.rules.procs.get(cond.index());
        proc.is_none_or(|proc| match &proc.body {
            ProcBody::Expr(expr) => hidden::told(self.rules, expr).is_some(),
            ProcBody::Block(_) => true,
        })
    }
}
