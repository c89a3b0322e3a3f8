//! A `let` in the place of its only use. `let c = S  choose x in c` means `choose x in S`, and what looks ahead of the
//! choice then sees how the candidates came about; and `let p = top(c)  move p to d` moves `top(c)`. It is done where nothing
//! changes between the two what the value reads: other `let`s, conditions and choices stand there only. A value that can fail stays where it is, for a condition between
//! could keep it from being asked for; and it is not moved into a loop, which would work it out again and again.
//!
//! A short one, as `let s = site(m)` is, also stands in the place of its uses in the choices and conditions of an action that follow it,
//! so that a choice of what lies around `s` is seen to be one of what lies around `site(m)`.

use super::lower::Lower;
use super::term::Terms;
use super::whole::{Whole, begins};
use crate::model::rules::walk::{each_block_mut, each_in, stmt_exprs, stmt_exprs_mut};
use crate::model::rules::{Expr, LocalId, Proc, ProcBody, ProcRole, Rules, Stmt, StmtKind, TemplatePart};

/// Parts of a value that may stand wherever it is asked for.
const SHORT: u32 = 2;

/// Puts each `let` of a procedure in the place of its only use, where that is the same. Gives the names that are gone.
pub fn inline(rules: &Rules, whole: &Whole<'_>, index: usize, proc: &mut Proc) -> Vec<LocalId> {
    let role = proc.role;
    let ProcBody::Block(stmts) = &mut proc.body else { return Vec::new() };
    let elsewhere = locals_read_elsewhere(rules, index);
    if takes_locals(stmts) {
        return Vec::new();
    }
    let mut bound = Vec::new();
    each_in(stmts, &mut |stmt| {
        if let StmtKind::Local { local, .. } = stmt.kind {
            bound.push(local);
        }
    });
    let kept = [elsewhere.clone(), bound.clone()].concat();
    let mut gone = Vec::new();
    in_block(stmts, &mut |stmts| {
        let mut at = 0;
        while at < stmts.len() {
            match use_of(whole, &kept, stmts, at) {
                Some((local, user)) => {
                    let StmtKind::Local { value, .. } = stmts.remove(at).kind else { continue };
                    stmt_exprs_mut(&mut stmts[user - 1], &mut |expr: &mut Expr| expr.put(local, &value));
                    gone.push(local);
                }
                None => at += 1,
            }
        }
    });
    if role == ProcRole::Action {
        in_block(stmts, &mut |stmts| {
            let mut at = 0;
            while at < stmts.len() {
                match put_short(whole, &bound, stmts, at).filter(|local| !elsewhere.contains(local)) {
                    Some(local) => {
                        stmts.remove(at);
                        gone.push(local);
                    }
                    None => at += 1,
                }
            }
        });
    }
    gone
}

/// Puts the value of a short `let` in the place of its name, in the choices and conditions before anything changes. Gives the name if it
/// stands nowhere any more.
fn put_short(whole: &Whole<'_>, given: &[LocalId], stmts: &mut [Stmt], at: usize) -> Option<LocalId> {
    let (before, behind) = stmts.split_at_mut(at + 1);
    let StmtKind::Local { local, value } = &before.last()?.kind else { return None };
    let mut terms = Terms::default();
    let term = Lower::new(&mut terms).expr(value);
    let once = given.iter().filter(|other| *other == local).count() == 1;
    if !once || terms.size(term) > SHORT || whole.can_fail_with_room(&terms, term) {
        return None;
    }
    for stmt in behind.iter_mut().take_while(|stmt| begins(stmt)) {
        stmt_exprs_mut(stmt, &mut |expr: &mut Expr| expr.put(*local, value));
        let named = match &stmt.kind {
            StmtKind::Local { local, .. } => Some(*local),
            StmtKind::Choose(choose) => Some(choose.local),
            _ => None,
        };
        if named.is_some_and(|named| value.mentions(named)) {
            break;
        }
    }
    (uses(behind, *local) == 0).then_some(*local)
}

/// Whether something is armed, which takes locals with it.
pub fn takes_locals(stmts: &[Stmt]) -> bool {
    has(stmts, |kind| matches!(kind, StmtKind::Arm { .. }))
}

/// Whether there is a statement of some sort among statements and those within them.
pub fn has(stmts: &[Stmt], what: impl Fn(&StmtKind) -> bool) -> bool {
    let mut found = false;
    each_in(stmts, &mut |stmt| found |= what(&stmt.kind));
    found
}

/// The locals of an action that its notation reads.
pub fn locals_read_elsewhere(rules: &Rules, index: usize) -> Vec<LocalId> {
    let mut read = Vec::new();
    let actions = rules.actions.iter().filter(|action| action.body.index() == index);
    for part in actions.filter_map(|action| action.notation.as_ref()).flat_map(|text| &text.parts) {
        if let TemplatePart::Value(expr) = part {
            expr.walk(&mut |part| {
                if let crate::model::rules::ExprKind::Local(local) = part.kind {
                    // Twice, so that it is not taken for the one statement that gives it its value.
                    read.extend([local, local]);
                }
            });
        }
    }
    read
}

fn in_block(stmts: &mut Vec<Stmt>, f: &mut dyn FnMut(&mut Vec<Stmt>)) {
    f(stmts);
    for stmt in stmts {
        each_block_mut(stmt, &mut |body| in_block(body, f));
    }
}

/// The name of a `let` and the statement that uses it, if the value may stand there instead. `given` are the names of
/// all `let`s of the procedure: a name that is given a value twice is none of a value.
fn use_of(whole: &Whole<'_>, given: &[LocalId], stmts: &[Stmt], at: usize) -> Option<(LocalId, usize)> {
    let StmtKind::Local { local, value } = &stmts[at].kind else { return None };
    let once = given.iter().filter(|other| *other == local).count() == 1;
    if !once || uses(&stmts[at + 1..], *local) != 1 {
        return None;
    }
    let user = at + 1 + stmts[at + 1..].iter().position(|stmt| uses(std::slice::from_ref(stmt), *local) > 0)?;
    let mut direct = false;
    stmt_exprs(&stmts[user], &mut |expr: &Expr| direct |= outside_of_loops(expr, *local));
    let mut terms = Terms::default();
    let term = Lower::new(&mut terms).expr(value);
    let takes = |stmt: &Stmt| begins(stmt) || matches!(stmt.kind, StmtKind::Move { .. });
    let fine = direct
        && takes(&stmts[user])
        && stmts[at + 1..user].iter().all(begins)
        && !whole.can_fail_with_room(&terms, term);
    // A name in the value must not be given another value in between.
    let steady = stmts[at + 1..user].iter().all(|stmt| match &stmt.kind {
        StmtKind::Local { local: other, .. } => !value.mentions(*other),
        StmtKind::Choose(choose) => !value.mentions(choose.local),
        _ => true,
    });
    (fine && steady).then_some((*local, user))
}

fn uses(stmts: &[Stmt], local: LocalId) -> usize {
    let mut found = 0;
    each_in(stmts, &mut |stmt| {
        stmt_exprs(stmt, &mut |expr: &Expr| expr.walk(&mut |part| found += usize::from(part.is_local(local))));
    });
    found
}

/// Whether a local is read where no loop asks for it again and again.
fn outside_of_loops(expr: &Expr, local: LocalId) -> bool {
    if expr.is_local(local) {
        return true;
    }
    let looping = expr.binder().is_some();
    let mut index = 0;
    let mut found = false;
    expr.each_part(&mut |part| {
        // Of a loop, the set that it goes through comes first.
        found |= (!looping || index == 0) && outside_of_loops(part, local);
        index += 1;
    });
    found
}
