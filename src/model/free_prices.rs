//! Prices that are always paid: a `clamped` counter stops at its bound, so that nothing closes the gate that takes from it. Where a
//! condition nearby reads the counter, its author has seen to that.

use super::check::Checker;
use super::reads::Reads;
use super::rules::walk::{each_in, each_stmt, stmt_exprs};
use super::rules::{BinaryOp, ClauseHome, Expr, ExprKind, ProcBody, ProcId, PropId, Stmt, StmtKind, Ty};
use crate::base::{Code, Diagnostic, Span};

impl Checker<'_> {
    /// Warns of gates whose price takes from a `clamped` counter of which nothing asks how much is there.
    pub(super) fn check_free_prices(&mut self) {
        let mut found = Vec::new();
        for index in 0..self.rules.procs.len() {
            let proc = ProcId(index as u32);
            each_stmt(&self.rules.procs[index], &mut |stmt| {
                if let StmtKind::Gate { pay: Some(pay), .. } = &stmt.kind {
                    found.extend(self.taken(pay).into_iter().map(|(prop, span)| (proc, prop, span)));
                }
            });
        }
        let found: Vec<Diagnostic> =
            found.into_iter().filter_map(|(proc, prop, span)| self.free_price(proc, prop, span)).collect();
        found.into_iter().for_each(|found| self.report(found));
    }

    /// What a price takes of counters, and where, verbs that it calls included.
    fn taken(&self, pay: &[Stmt]) -> Vec<(PropId, Span)> {
        let mut taken = Vec::new();
        each_in(pay, &mut |stmt| match &stmt.kind {
            StmtKind::Call { verb, .. } => {
                let body = self.rules.verbs.get(verb.index()).and_then(|verb| self.rules.procs.get(verb.body.index()));
                if let Some(ProcBody::Block(stmts)) = body.map(|body| &body.body) {
                    taken.extend(stmts.iter().filter_map(decreased).map(|prop| (prop, stmt.span)));
                }
            }
            _ => taken.extend(decreased(stmt).map(|prop| (prop, stmt.span))),
        });
        taken
    }

    fn free_price(&self, proc: ProcId, prop: PropId, span: Span) -> Option<Diagnostic> {
        let info = self.rules.props.get(prop.index())?;
        let (low, high) = info.range.filter(|_| info.clamped && info.ty == Ty::Number)?;
        if self.is_looked_at(proc, prop) || self.callers(proc).any(|caller| self.is_looked_at(caller, prop)) {
            return None;
        }
        let name = &info.name;
        let message = format!("this price is paid even where `{name}` is too low: it is `clamped` and stops at {low}");
        let help = format!(
            "declare it without `clamped` (`{name}: {low}..{high}`), so that a price that is not there closes the gate; or ask before the gate how much is there, with `if` or `requires`"
        );
        Some(Diagnostic::new(Code::FreePrice, span, message).label(info.span, "declared here").help(help))
    }

    fn callers(&self, proc: ProcId) -> impl Iterator<Item = ProcId> + '_ {
        let all = (0..self.rules.procs.len() as u32).map(ProcId);
        all.filter(move |caller| self.calls(*caller).any(|(callee, _)| self.behind(callee).contains(&proc)))
    }

    /// Whether a procedure, or the clause whose body it is, reads a counter otherwise than to take from it or to write a line.
    fn is_looked_at(&self, proc: ProcId, prop: PropId) -> bool {
        let reads = |expr: &Expr| {
            let mut reads = Reads::default();
            expr.walk(&mut |part| reads.part(&self.rules, part));
            reads.may_read(prop)
        };
        let mut asked = self.conditions(proc).any(&reads);
        if let Some(proc) = self.rules.procs.get(proc.index()) {
            each_stmt(proc, &mut |stmt| {
                let takes = decreased(stmt).is_some_and(|of| of == prop);
                if !takes && !matches!(stmt.kind, StmtKind::Note(_)) {
                    stmt_exprs(stmt, &mut |expr| asked |= reads(expr));
                }
            });
        }
        asked
    }

    /// What must hold so that the clause acts of which a procedure is the body.
    fn conditions(&self, proc: ProcId) -> impl Iterator<Item = &Expr> {
        let clauses = self.rules.clauses.iter().filter(move |clause| clause.kind.procs().any(|own| own == proc));
        let conds = clauses.flat_map(move |clause| {
            let group = match clause.home {
                ClauseHome::Rule(group) => self.rules.groups.get(group.index()).and_then(|group| group.when),
                _ => None,
            };
            clause.kind.procs().filter(move |own| *own != proc).chain(group)
        });
        conds.filter_map(|cond| match self.rules.procs.get(cond.index()).map(|proc| &proc.body) {
            Some(ProcBody::Expr(cond)) => Some(cond),
            _ => None,
        })
    }
}

/// The counter that a statement takes from.
fn decreased(stmt: &Stmt) -> Option<PropId> {
    let (StmtKind::SetProp { prop, value, .. } | StmtKind::SetGameProp { prop, value }) = &stmt.kind else {
        return None;
    };
    let ExprKind::Binary(BinaryOp::Sub, old, _) = &value.kind else { return None };
    match &old.kind {
        ExprKind::Prop(_, of) | ExprKind::GameProp(of) if of == prop => Some(*prop),
        _ => None,
    }
}
