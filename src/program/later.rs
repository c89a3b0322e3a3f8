//! Filters of choices that are asked only of candidates that are looked at: of those that are drawn while games are played out
//! (`engine/playout.rs`), and up to the first that passes where all that matters is whether there is one. Only filters that ask each
//! member by itself are worth it, over boards, or with conditions that go through sites. What they go over is worked out as ever.

use super::ProcCode;
use super::alike::alike;
use super::code::Builder;
use super::expand::{Fresh, opened};
use super::folds::{and, conjuncts};
use super::layout::{Repr, repr};
use super::op::Op;
use super::sites::{Ahead, When};
use crate::core::Pass;
use crate::model::rules::{
    Action, Builtin, Choose, Expr, ExprKind, LocalId, ProcBody, ProcId, ProcRole, Qty, StmtKind, Ty,
};

/// Definitions within definitions that are looked into for what is chosen from.
const MOST_DEPTH: usize = 4;

/// What a choice is made from, and what is asked of each candidate.
#[derive(Clone)]
pub(super) struct Later {
    pub over: Expr,
    pub binder: LocalId,
    pub cond: Expr,
    /// The types of locals that the definitions bring which were looked into, and the first of these locals.
    pub fresh: Vec<Ty>,
    pub first: usize,
}

/// A choice of an action.
#[derive(Clone)]
pub(super) struct Asking {
    /// Its procedure.
    pub proc: ProcId,
    pub local: LocalId,
    /// Which of the program's it is.
    pub site: usize,
    /// What can be asked of single candidates.
    pub later: Option<Later>,
}

impl Builder<'_> {
    /// What is asked of each candidate of a choice, if that can be asked later.
    pub(super) fn later_filter(&mut self, choose: &Choose) -> Option<Later> {
        if !matches!(choose.qty, Qty::One) || choose.by.is_some() || !self.laid.is_empty() {
            return None;
        }
        let fresh = Fresh::new(self.env.locals.len());
        let mut domain = choose.domain.clone();
        for _ in 0..MOST_DEPTH {
            domain = match opened(self.rules, &fresh, &domain) {
                Some(domain) => domain,
                None => break,
            };
        }
        let ExprKind::Where { over, binder, cond } = &domain.kind else { return None };
        let long = self.is_over_board(over) || self.goes_over_sites(cond, MOST_DEPTH);
        if !matches!(repr(&over.ty), Repr::Sites | Repr::Entities) || !long {
            return None;
        }
        // What is seen to be set algebra brings locals of its own, behind those.
        let (first, fresh) = (self.env.locals.len(), fresh.types.into_inner());
        let unused = self.empty();
        self.env.locals.resize(first + fresh.len(), unused);
        let (over, rest) = self.without_loops(&domain, over, *binder, cond);
        self.env.locals.truncate(first);
        let cond = rest.filter(|rest| !self.asks_once(*binder, rest))?;
        Some(Later { over, binder: *binder, cond, fresh, first })
    }

    /// Whether a condition, or a definition that it asks, goes through sites.
    fn goes_over_sites(&self, cond: &Expr, depth: usize) -> bool {
        let mut found = false;
        cond.walk(&mut |part| {
            found = found
                || match &part.kind {
                    ExprKind::Any { over, .. } | ExprKind::All { over, .. } | ExprKind::Where { over, .. } => {
                        repr(&over.ty) == Repr::Sites
                    }
                    ExprKind::Call(proc, _) if depth > 0 => match &self.rules.procs[proc.index()].body {
                        ProcBody::Expr(body) => self.goes_over_sites(body, depth - 1),
                        ProcBody::Block(_) => false,
                    },
                    _ => false,
                };
        });
        found
    }

    /// A filter with the conditions that no loop is needed for, and the other conditions.
    fn without_loops(&self, whole: &Expr, over: &Expr, binder: LocalId, cond: &Expr) -> (Expr, Option<Expr>) {
        let mut parts = Vec::new();
        conjuncts(cond, &mut parts);
        let sets = self.passes.contains(&Pass::Sets).then(|| self.set_filter(over, binder, &parts)).flatten();
        let is_left = |part: &Expr| {
            let same = |left: &Expr| left.span == part.span && alike(left, part);
            sets.as_ref().is_none_or(|filter| filter.rest.iter().any(same))
        };
        // A member is asked nothing behind what may fail for it.
        let mut fails = false;
        let (algebra, rest): (Vec<&Expr>, Vec<&Expr>) = parts.into_iter().partition(|part| {
            let algebra = !is_left(part) || !fails && self.is_algebra(over, binder, part);
            fails |= !algebra && !self.harmless(part);
            algebra
        });
        let [algebra, rest] = [algebra, rest].map(|parts| parts.into_iter().cloned().reduce(and));
        let over = match algebra {
            Some(cond) => {
                let kind = ExprKind::Where { over: Box::new(over.clone()), binder, cond: Box::new(cond) };
                Expr { kind, ..whole.clone() }
            }
            None => over.clone(),
        };
        (over, rest)
    }

    /// Whether a condition goes through members for something that is the same for all candidates: a loop over these does
    /// that once.
    fn asks_once(&self, binder: LocalId, cond: &Expr) -> bool {
        if self.is_at_hand(cond, MOST_DEPTH) {
            return matches!(&cond.kind, ExprKind::Call(_, args) if args.iter().any(|arg| self.asks_once(binder, arg)));
        }
        let loops = cond.binder().is_some() || matches!(cond.kind, ExprKind::Call(..) | ExprKind::CallScript(..));
        let mut found = loops && !cond.mentions(binder);
        cond.each_part(&mut |part| found = found || self.asks_once(binder, part));
        found
    }

    /// Whether nothing has to be gone through for a value, however it is named: it never changes, or the state keeps it.
    fn is_at_hand(&self, value: &Expr, depth: usize) -> bool {
        match &value.kind {
            ExprKind::Builtin(Builtin::SitesOf, args) => args.first().is_some_and(|of| self.keeps(of)),
            ExprKind::Call(proc, _) => {
                let proc = &self.rules.procs[proc.index()];
                let ProcBody::Expr(body) = &proc.body else { return false };
                proc.role == ProcRole::Memo || depth > 0 && self.is_at_hand(body, depth - 1)
            }
            _ => false,
        }
    }

    /// Code for what a choice is made from, which passes by the filter where that is asked later.
    pub(super) fn domain_later(&mut self, choose: &Choose, later: &Later, d: super::op::Slot) {
        self.take_fresh(&later.fresh);
        self.into(&later.over, d);
        let behind = self.label();
        let (site, to) = (self.long(self.sites.chooses.len()), self.to(behind));
        self.emit(Op::Later { site, to });
        self.env.locals.push(d);
        let all = Expr { kind: ExprKind::Local(LocalId(self.env.locals.len() as u32 - 1)), ..later.over.clone() };
        self.filter(&choose.domain, &all, later.binder, &later.cond, d);
        self.bind(behind);
    }

    /// Makes the code that asks a candidate, for the choices of an action that have some. Says whether its first choice has.
    pub(super) fn ask_later(&mut self, action: &Action, procs: &mut Vec<ProcCode>) -> bool {
        let proc = &self.rules.procs[action.body.index()];
        let ProcBody::Block(stmts) = &proc.body else { return false };
        let plain = |kind: &StmtKind| matches!(kind, StmtKind::Local { .. } | StmtKind::Requires { .. });
        let opens = stmts.iter().map(|stmt| &stmt.kind).find(|kind| !plain(kind));
        let mut first = false;
        let own = |asked: &Asking| asked.proc == action.body && asked.later.is_some();
        for asked in self.choices.iter().filter(|asked| own(asked)).cloned().collect::<Vec<_>>() {
            let Some(later) = asked.later else { continue };
            let ahead = self.sites.chooses[asked.site].ahead;
            if matches!(ahead, Some((Ahead::Sites | Ahead::Sum { .. }, _, When::Always))) {
                continue;
            }
            let counted = self.predicates.clone();
            self.begin(ProcRole::Pure, None, later.cond.span);
            self.declare(&proc.locals, 0);
            let words = self.top - 2;
            // Locals are numbered as in the action.
            let unused = self.empty();
            self.env.locals.resize(later.first, unused);
            self.take_fresh(&later.fresh);
            let (candidate, member) = (self.local(asked.local), self.local(later.binder));
            self.copy(1, member, candidate);
            let (no, one, zero) = (self.label(), self.word(1), self.word(0));
            self.jump(&later.cond, false, no);
            self.emit(Op::Return { n: 1, a: one });
            self.bind(no);
            self.emit(Op::Return { n: 1, a: zero });
            self.predicates = counted;
            procs.push(self.finish(words, 1));
            self.sites.chooses[asked.site].later = Some(ProcId(procs.len() as u32 - 1));
            first |= matches!(opens, Some(StmtKind::Choose(choose)) if choose.local == asked.local);
        }
        first
    }
}
