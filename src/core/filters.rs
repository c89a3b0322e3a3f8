//! An `ensure` behind a choice as the filter of the choice: `choose n in 0..9 ensure n > low` means `choose n in 0..9 where it > low`,
//! and what is known of filters is then known of it. It is done in actions, where a choice from nothing is as much a dead end
//! as a condition that does not hold, and where each candidate is asked whether it leads on, also by conditions that can fail.
//! `if C { ensure X }` ensures `not C or X`, and what an action requires and its choice needs anyway is not asked twice.

use super::lower::Lower;
use super::term::{Each, Form, Terms, Unary};
use super::whole::Whole;
use crate::model::rules::walk::each_block_mut;
use crate::model::rules::{Choose, Expr, ExprKind, Local, LocalId, Proc, ProcBody, ProcRole, Qty, Stmt, StmtKind, Ty};

/// Puts the conditions behind the choices of an action into the choices.
pub fn filter(proc: &mut Proc) {
    let Proc { role: ProcRole::Action, locals, body: ProcBody::Block(stmts), .. } = proc else { return };
    for stmt in stmts.iter_mut() {
        match &mut stmt.kind {
            StmtKind::Local { .. } | StmtKind::Requires { .. } => {}
            // Before all that an action does it ensures what it requires.
            StmtKind::Ensure { cond, reason } => {
                let none = Expr { kind: ExprKind::Nothing, ty: Ty::Flag, span: cond.span };
                let (cond, reason) = (std::mem::replace(cond, none), reason.take());
                stmt.kind = StmtKind::Requires { cond, reason, lenient: false };
            }
            _ => break,
        }
    }
    in_block(locals, stmts);
}

fn in_block(locals: &mut Vec<Local>, stmts: &mut Vec<Stmt>) {
    let mut kept: Vec<Stmt> = Vec::with_capacity(stmts.len());
    for mut stmt in std::mem::take(stmts) {
        each_block_mut(&mut stmt, &mut |body| in_block(locals, body));
        if let Some(cond) = only_ensures(&stmt) {
            stmt.kind = StmtKind::Ensure { cond, reason: None };
        }
        if let (Some(StmtKind::Choose(choose)), StmtKind::Ensure { cond, .. }) =
            (kept.last_mut().map(|stmt| &mut stmt.kind), &stmt.kind)
            && matches!(choose.qty, Qty::One)
            && cond.mentions(choose.local)
        {
            take(choose, cond, locals);
            continue;
        }
        kept.push(stmt);
    }
    *stmts = kept;
}

/// What an `if` in which nothing but an `ensure` stands ensures: that its condition does not hold, or what stands in it.
fn only_ensures(stmt: &Stmt) -> Option<Expr> {
    let StmtKind::If { cond, body, or_else } = &stmt.kind else { return None };
    let [Stmt { kind: StmtKind::Ensure { cond: wanted, .. }, .. }] = body.as_slice() else { return None };
    let flag = |kind| Expr { kind, ty: Ty::Flag, span: stmt.span };
    let kind = match or_else.as_slice() {
        [] => {
            let not = flag(ExprKind::Not(Box::new(cond.clone())));
            ExprKind::Or(Box::new(not), Box::new(wanted.clone()))
        }
        [Stmt { kind: StmtKind::Ensure { cond: other, .. }, .. }] => {
            ExprKind::If(Box::new(cond.clone()), Box::new(wanted.clone()), Box::new(other.clone()))
        }
        _ => return None,
    };
    Some(flag(kind))
}

/// Leaves out what an action requires and what its next choice needs anyway: `requires some S` before `choose x in S`.
pub fn implied(whole: &Whole<'_>, proc: &mut Proc) {
    let Proc { role: ProcRole::Action, body: ProcBody::Block(stmts), .. } = proc else { return };
    without_implied(whole, stmts);
}

fn without_implied(whole: &Whole<'_>, stmts: &mut Vec<Stmt>) {
    for at in (0..stmts.len()).rev() {
        each_block_mut(&mut stmts[at], &mut |body| without_implied(whole, body));
        let StmtKind::Requires { cond, .. } = &stmts[at].kind else { continue };
        let plain = |stmt: &&Stmt| matches!(stmt.kind, StmtKind::Requires { .. } | StmtKind::Ensure { .. });
        let Some(next) = stmts[at + 1..].iter().position(|stmt| !plain(&stmt)) else { continue };
        // What fails here fails there as well.
        if let StmtKind::Choose(choose) = &stmts[at + 1 + next].kind
            && needs_one(&choose.qty)
            && choose.by.is_none()
            && is_some_of(cond, &choose.domain)
            && (next == 0 || !whole.expr_fails(cond))
        {
            stmts.remove(at);
        }
    }
}

fn needs_one(qty: &Qty) -> bool {
    match qty {
        Qty::One => true,
        Qty::Between(low, _) => matches!(low.kind, ExprKind::Word(1..)),
    }
}

/// Whether a condition asks for a member of what a choice takes its candidates from, or of what they are filtered from.
fn is_some_of(cond: &Expr, domain: &Expr) -> bool {
    let mut terms = Terms::default();
    let cond = Lower::new(&mut terms).expr(cond);
    let Form::Unary(Unary::Some, wanted) = *terms.form(cond) else { return false };
    let mut domain = Lower::new(&mut terms).expr(domain);
    loop {
        if domain == wanted {
            return true;
        }
        match *terms.form(domain) {
            Form::Unary(Unary::ToSet | Unary::ToList, inner) | Form::Each(Each::Where, inner, _) => domain = inner,
            _ => return false,
        }
    }
}

/// Makes a condition the filter of a choice, in which the member has a name of its own.
pub(super) fn take(choose: &mut Choose, cond: &Expr, locals: &mut Vec<Local>) {
    let Some(local) = locals.get(choose.local.index()) else { return };
    let (binder, ty) = (LocalId(locals.len() as u32), choose.domain.ty.element().clone());
    locals.push(Local { ty: ty.clone(), ..local.clone() });
    let member = Expr { kind: ExprKind::Local(binder), ty, span: cond.span };
    let mut cond = cond.clone();
    cond.put(choose.local, &member);
    let none = Expr { kind: ExprKind::Nothing, ty: choose.domain.ty.clone(), span: choose.domain.span };
    let over = Box::new(std::mem::replace(&mut choose.domain, none));
    choose.domain.kind = ExprKind::Where { over, binder, cond: Box::new(cond) };
}
