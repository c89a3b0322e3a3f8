//! Loops that only add up, as sums: `each c in cs { increase t by c.n }` means `set t = t + sum n of cs`, and what is known of sums
//! is then known of it. So is a loop that only looks whether there is somebody (`each c in cs { if c.n = 1 { set found = true } }`).
//! What is added must always be a number, and neither it nor the sum may fail, for a sum asks in another order.

use super::lets::{has, takes_locals};
use super::lower::Lower;
use super::term::Terms;
use super::whole::{Sure, Whole};
use crate::model::rules::walk::{each_block_mut, each_in, stmt_exprs};
use crate::model::rules::{BinaryOp, Expr, ExprKind, FoldOp, LocalId, Proc, ProcBody, Stmt, StmtKind, Ty};

/// Makes sums of the loops of a procedure that are no more than that. `read` are the locals that something else reads.
pub fn sums(whole: &Whole<'_>, read: &[LocalId], proc: &mut Proc) {
    let ProcBody::Block(stmts) = &proc.body else { return };
    if !has(stmts, |kind| matches!(kind, StmtKind::Each { .. })) || takes_locals(stmts) {
        return;
    }
    let (sure, mut uses) = (whole.sure(proc), uses_of(stmts, proc.locals.len()));
    for local in read {
        if let Some(uses) = uses.get_mut(local.index()) {
            *uses += 1;
        }
    }
    if let ProcBody::Block(stmts) = &mut proc.body {
        Loops { whole, sure: &sure, uses: &uses }.in_block(stmts);
    }
}

struct Loops<'l> {
    whole: &'l Whole<'l>,
    sure: &'l Sure,
    /// For each local, how often it is read and given a value.
    uses: &'l [usize],
}

impl Loops<'_> {
    fn in_block(&self, stmts: &mut Vec<Stmt>) {
        let mut kept: Vec<Stmt> = Vec::with_capacity(stmts.len());
        for mut stmt in std::mem::take(stmts) {
            each_block_mut(&mut stmt, &mut |body| self.in_block(body));
            let Some(added) = self.added(&stmt) else {
                kept.push(stmt);
                continue;
            };
            for (local, mut value) in added {
                // `let t = 0` just before is put into it.
                if let Some(StmtKind::Local { local: before, value: first }) = kept.last().map(|stmt| &stmt.kind)
                    && *before == local
                    && !self.whole.expr_fails(first)
                {
                    value.put(local, &first.clone());
                    kept.pop();
                }
                kept.push(Stmt { kind: StmtKind::Local { local, value: simpler(value) }, span: stmt.span });
            }
        }
        *stmts = kept;
    }

    /// What a loop comes to, for each of the locals that it changes, if it does nothing else.
    fn added(&self, stmt: &Stmt) -> Option<Vec<(LocalId, Expr)>> {
        let StmtKind::Each { local: member, domain, at_once: false, body } = &stmt.kind else { return None };
        if !self.is_within(*member, std::slice::from_ref(stmt)) {
            return None;
        }
        let mut named: Vec<(LocalId, Expr)> = Vec::new();
        let mut changed: Vec<(LocalId, Change)> = Vec::new();
        for stmt in body {
            if let StmtKind::Local { local, value } = &stmt.kind
                && !value.mentions(*local)
                && self.is_within(*local, body)
            {
                if named.iter().any(|(name, _)| name == local) {
                    return None;
                }
                let mut value = value.clone();
                named.iter().for_each(|(name, known)| value.put(*name, known));
                named.push((*local, value));
                continue;
            }
            let (local, mut change) = change(stmt)?;
            named.iter().for_each(|(name, known)| change.part_mut().put(*name, known));
            if changed.iter().any(|(other, _)| *other == local) {
                return None;
            }
            changed.push((local, change));
        }
        let steady = |expr: &Expr| changed.iter().all(|(local, _)| !expr.mentions(*local));
        if changed.is_empty() || !steady(domain) || named.iter().any(|(_, value)| self.whole.expr_fails(value)) {
            return None;
        }
        let changed = changed.iter().map(|(local, change)| {
            let value = self.whole_change(change, (*member, domain)).filter(|_| steady(change.part()))?;
            let own = Expr { kind: ExprKind::Local(*local), ty: value.ty.clone(), span: value.span };
            let (ty, span) = (value.ty.clone(), value.span);
            let (own, value) = (Box::new(own), Box::new(value));
            let kind = match change {
                Change::Added(_) => ExprKind::Binary(BinaryOp::Add, own, value),
                Change::TakenAway(_) => ExprKind::Binary(BinaryOp::Sub, own, value),
                Change::Found(_) => ExprKind::Or(own, value),
            };
            Some((*local, Expr { kind, ty, span }))
        });
        changed.collect()
    }

    /// What a change comes to for all members of a set or list together.
    fn whole_change(&self, change: &Change, (binder, domain): (LocalId, &Expr)) -> Option<Expr> {
        let (over, part) = (Box::new(domain.clone()), Box::new(change.part().clone()));
        let (ty, span) = (part.ty.bare().clone(), part.span);
        let kind = match change {
            Change::Added(_) | Change::TakenAway(_) => {
                let mut terms = Terms::default();
                let term = Lower::new(&mut terms).expr(change.part());
                if ty != Ty::Number || !self.whole.is_value(&terms, term, self.sure) {
                    return None;
                }
                ExprKind::Fold { op: FoldOp::Sum, over, binder, body: part }
            }
            Change::Found(_) => ExprKind::Any { over, binder, cond: part },
        };
        Some(Expr { kind, ty, span }).filter(|made| !self.whole.expr_fails(made))
    }

    /// Whether a local is read and given a value nowhere but in a block.
    fn is_within(&self, local: LocalId, block: &[Stmt]) -> bool {
        let within = uses_of(block, self.uses.len());
        within.get(local.index()) == self.uses.get(local.index())
    }
}

/// What one member of a loop changes a local by.
enum Change {
    Added(Expr),
    TakenAway(Expr),
    Found(Expr),
}

impl Change {
    fn part(&self) -> &Expr {
        match self {
            Change::Added(part) | Change::TakenAway(part) | Change::Found(part) => part,
        }
    }

    fn part_mut(&mut self) -> &mut Expr {
        match self {
            Change::Added(part) | Change::TakenAway(part) | Change::Found(part) => part,
        }
    }
}

/// The one local that a statement changes.
fn change(stmt: &Stmt) -> Option<(LocalId, Change)> {
    match &stmt.kind {
        StmtKind::Local { local, value } => match &value.kind {
            ExprKind::Binary(BinaryOp::Add, one, other) if one.is_local(*local) || other.is_local(*local) => {
                let part = if one.is_local(*local) { other } else { one };
                Some((*local, Change::Added(part.as_ref().clone())))
            }
            ExprKind::Binary(BinaryOp::Sub, own, part) if own.is_local(*local) => {
                Some((*local, Change::TakenAway(part.as_ref().clone())))
            }
            _ => None,
        },
        StmtKind::If { cond, body, or_else } => {
            let [inner] = body.as_slice() else { return None };
            if let StmtKind::Local { local, value } = &inner.kind
                && or_else.is_empty()
                && value.ty == Ty::Flag
                && matches!(value.kind, ExprKind::Word(1))
            {
                return Some((*local, Change::Found(cond.clone())));
            }
            let (local, yes) = change(inner)?;
            let no = match or_else.as_slice() {
                [] => Expr { kind: ExprKind::Word(0), ty: Ty::Number, span: cond.span },
                [other] => match change(other)? {
                    (other, Change::Added(part)) if other == local && matches!(yes, Change::Added(_)) => part,
                    _ => return None,
                },
                _ => return None,
            };
            let either = |yes: Expr| {
                let (ty, span) = (yes.ty.clone(), yes.span);
                let kind = ExprKind::If(Box::new(cond.clone()), Box::new(yes), Box::new(no));
                Expr { kind, ty, span }
            };
            match yes {
                Change::Added(part) => Some((local, Change::Added(either(part)))),
                Change::TakenAway(part) => Some((local, Change::TakenAway(either(part)))),
                Change::Found(_) => None,
            }
        }
        _ => None,
    }
}

/// For each local, how often statements read it or give it a value.
fn uses_of(stmts: &[Stmt], locals: usize) -> Vec<usize> {
    let mut uses = vec![0; locals];
    let mut count = |local: LocalId| {
        if let Some(uses) = uses.get_mut(local.index()) {
            *uses += 1;
        }
    };
    each_in(stmts, &mut |stmt| {
        if let StmtKind::Local { local, .. } = stmt.kind {
            count(local);
        }
        stmt_exprs(stmt, &mut |expr: &Expr| {
            expr.walk(&mut |part| {
                if let ExprKind::Local(local) = part.kind {
                    count(local);
                }
            });
        });
    });
    uses
}

/// Nothing and something is something.
fn simpler(value: Expr) -> Expr {
    match value.kind {
        ExprKind::Binary(BinaryOp::Add, zero, part) if matches!(zero.kind, ExprKind::Word(0)) => *part,
        ExprKind::Or(no, part) if matches!(no.kind, ExprKind::Word(0)) => *part,
        kind => Expr { kind, ..value },
    }
}
