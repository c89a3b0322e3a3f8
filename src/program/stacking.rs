//! Whether pieces may come to lie where others do: where the site is not seen to be taken from the empty ones, and nothing is taken
//! away on the way. And whether something lies where they come from.

use super::walk::{each_in, each_stmt};
use crate::model::rules::{
    BinaryOp, Builtin, CompareOp, Created, Destination, Expr, ExprKind, LocalId, ProcBody, ProcId, ProcRole, Rules,
    Stmt, StmtKind, Ty,
};

/// Whether what a procedure creates on a site may come to lie on other things. What a game begins with is counted.
pub(super) fn may_stack(rules: &Rules, proc: ProcId, site: &Expr) -> bool {
    let once = is_empty(rules, proc, site) && !creates_again(rules, proc);
    !begins(rules, proc) && !once && !clears(rules, proc, DEEPEST)
}

/// Whether a procedure creates on a board more than once, or in a loop on a site that is the same in all its turns.
fn creates_again(rules: &Rules, proc: ProcId) -> bool {
    let (mut creates, mut again) = (0, false);
    let on_site = |stmt: &Stmt| match &stmt.kind {
        StmtKind::Create { to: Destination::Site { site, .. }, .. } => Some(site.clone()),
        _ => None,
    };
    each_stmt(&rules.procs[proc.index()], &mut |stmt| {
        creates += usize::from(on_site(stmt).is_some());
        let (own, body) = match &stmt.kind {
            StmtKind::Each { local, body, .. } => (Some(*local), body),
            StmtKind::Repeat { body, .. } | StmtKind::RepeatTimes { body, .. } => (None, body),
            _ => return,
        };
        let (mut bound, mut sites): (Vec<LocalId>, Vec<Expr>) = (own.into_iter().collect(), Vec::new());
        each_in(body, &mut |inner| {
            sites.extend(on_site(inner));
            match &inner.kind {
                StmtKind::Local { local, .. } | StmtKind::Each { local, .. } | StmtKind::Random { local, .. } => {
                    bound.push(*local);
                }
                StmtKind::Choose(choose) => bound.push(choose.local),
                _ => {}
            }
        });
        again |= sites.iter().any(|site| !bound.iter().any(|local| site.mentions(*local)));
    });
    again || creates > 1
}

/// Whether a procedure moves pieces to sites where others may lie, and takes none away that could be these.
pub(super) fn moves_onto(rules: &Rules, proc: ProcId) -> bool {
    let body = &rules.procs[proc.index()];
    let mut onto = false;
    each_stmt(body, &mut |stmt| {
        onto |= matches!(&stmt.kind, StmtKind::Move { to: Destination::Site { site, .. }, .. } if !is_empty(rules, proc, site));
    });
    onto && !clears(rules, proc, DEEPEST)
}

/// Whether what some statements put on sites comes to lie on nothing: each site is chosen or named from the empty ones behind
/// what was put before it.
pub(super) fn stays_flat(rules: &Rules, proc: ProcId, stmts: &[Stmt]) -> bool {
    let onto = |stmt: &Stmt| match &stmt.kind {
        StmtKind::Create { what, to: Destination::Site { site, .. }, .. } => {
            let one = matches!(what, Created::Kind { count: None, .. } | Created::Entry { count: None, .. });
            Some((site.clone(), one))
        }
        StmtKind::Move { to: Destination::Site { site, .. }, .. } => Some((site.clone(), true)),
        _ => None,
    };
    let mut since = 0;
    for (index, stmt) in stmts.iter().enumerate() {
        let mut inner = 0;
        each_in(std::slice::from_ref(stmt), &mut |stmt| inner += usize::from(onto(stmt).is_some()));
        if inner == 0 {
            continue;
        }
        let Some((site, one)) = onto(stmt) else { return false };
        let given = |stmt: &Stmt| match &stmt.kind {
            StmtKind::Local { local, .. } => site.is_local(*local),
            StmtKind::Choose(choose) => site.is_local(choose.local),
            _ => false,
        };
        if !one || !stmts[since..index].iter().any(given) || !is_empty(rules, proc, &site) {
            return false;
        }
        since = index + 1;
    }
    true
}

/// Whether a procedure takes something off a board, itself or by a verb.
fn clears(rules: &Rules, proc: ProcId, depth: usize) -> bool {
    let Some(depth) = depth.checked_sub(1) else { return false };
    let mut found = false;
    each_stmt(&rules.procs[proc.index()], &mut |stmt| {
        found = found
            || match &stmt.kind {
                StmtKind::Move { to, .. } => !matches!(to, Destination::Site { .. }),
                StmtKind::Call { verb, .. } => clears(rules, rules.verbs[verb.index()].body, depth),
                _ => false,
            };
    });
    found
}

/// How far locals are followed that stand for each other.
const DEEPEST: usize = 8;

/// What lies on a site.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Lies {
    Nothing,
    Something,
}

/// Whether a procedure takes a site from the empty ones.
fn is_empty(rules: &Rules, proc: ProcId, site: &Expr) -> bool {
    takes(rules, proc, Lies::Nothing, site, DEEPEST)
}

/// Whether a procedure takes a site from those on which something lies.
pub(super) fn is_occupied(rules: &Rules, proc: ProcId, site: &Expr) -> bool {
    takes(rules, proc, Lies::Something, site, DEEPEST)
}

fn takes(rules: &Rules, id: ProcId, lies: Lies, site: &Expr, depth: usize) -> bool {
    let Some(depth) = depth.checked_sub(1) else { return false };
    let proc = &rules.procs[id.index()];
    let fits = |of: &Expr| takes(rules, id, lies, of, depth);
    match &site.kind {
        ExprKind::Builtin(Builtin::Empty | Builtin::EmptyOf, _) => lies == Lies::Nothing,
        ExprKind::Builtin(Builtin::SitesOf | Builtin::SiteOf, _) => lies == Lies::Something,
        ExprKind::Builtin(Builtin::Group, args) => args.get(1).is_some_and(fits),
        ExprKind::Builtin(Builtin::First, args) => args.first().is_some_and(fits),
        ExprKind::ToSet(of) | ExprKind::ToList(of) => fits(of),
        ExprKind::Having { over, .. } | ExprKind::Sorted { over, .. } => fits(over),
        ExprKind::Binary(BinaryOp::Difference | BinaryOp::Sub, of, _) => fits(of),
        ExprKind::Where { over, binder, cond } => fits(over) || says(rules, id, (lies, *binder), cond, depth),
        ExprKind::Binary(BinaryOp::Both, a, b) => fits(a) || fits(b),
        ExprKind::Binary(BinaryOp::Union | BinaryOp::Add, a, b) => fits(a) && fits(b),
        ExprKind::If(_, a, b) => fits(a) && fits(b),
        ExprKind::Call(called, _) => match &rules.procs[called.index()].body {
            ProcBody::Expr(body) => takes(rules, *called, lies, body, depth),
            ProcBody::Block(_) => false,
        },
        ExprKind::Local(local) if local.index() < usize::from(proc.params) => {
            given_such(rules, id, (lies, *local), depth)
        }
        ExprKind::Local(local) => {
            let (mut from, mut other) = (false, false);
            let mut given = |own: LocalId, of: &Expr| {
                if own == *local && !of.is_local(own) {
                    if fits(of) { from = true } else { other = true }
                }
            };
            each_stmt(proc, &mut |stmt| match &stmt.kind {
                StmtKind::Local { local, value: of }
                | StmtKind::Random { local, domain: of }
                | StmtKind::Each { local, domain: of, .. } => given(*local, of),
                StmtKind::Choose(choose) => given(choose.local, &choose.domain),
                _ => {}
            });
            from && !other
        }
        _ => false,
    }
}

/// Whether a condition holds only of sites on which nothing, or something, lies.
fn says(rules: &Rules, proc: ProcId, (lies, site): (Lies, LocalId), cond: &Expr, depth: usize) -> bool {
    let lies_on = |of: &Expr| {
        let of = of.bare();
        let on = match &of.kind {
            ExprKind::Builtin(Builtin::PiecesOn | Builtin::TopOn | Builtin::Stack, args) => args.first(),
            _ => None,
        };
        on.is_some_and(|on| on.bare().is_local(site))
    };
    let also = |part: &Expr| says(rules, proc, (lies, site), part, depth);
    match &cond.kind {
        ExprKind::And(a, b) => also(a) || also(b),
        ExprKind::Or(a, b) => also(a) && also(b),
        ExprKind::Not(inner) => lies == Lies::Nothing && matches!(&inner.kind, ExprKind::Some(of) if lies_on(of)),
        ExprKind::Some(of) => lies == Lies::Something && lies_on(of),
        ExprKind::Is(of, _) => lies == Lies::Something && lies_on(of),
        ExprKind::In(member, set) => member.is_local(site) && takes(rules, proc, lies, set, depth),
        ExprKind::Compare(CompareOp::Eq, a, b) if lies == Lies::Nothing => {
            let none = |count: &Expr, word: &Expr| {
                matches!(&count.kind, ExprKind::Count(of) if lies_on(of)) && matches!(word.kind, ExprKind::Word(0))
            };
            none(a, b) || none(b, a)
        }
        // What nothing has is no value.
        ExprKind::Compare(CompareOp::Eq, a, b) => {
            let has = |prop: &Expr, value: &Expr| {
                matches!(&prop.kind, ExprKind::Prop(of, _) if lies_on(of))
                    && !matches!(value.ty, Ty::Maybe(_) | Ty::Nothing)
            };
            has(a, b) || has(b, a)
        }
        _ => false,
    }
}

/// Whether all that call a verb give it such a site.
fn given_such(rules: &Rules, proc: ProcId, (lies, param): (Lies, LocalId), depth: usize) -> bool {
    let Some(verb) = rules.verbs.iter().position(|verb| verb.body == proc) else { return false };
    let (mut called, mut other, mut given) = (false, false, Vec::new());
    for (caller, body) in (0..).map(ProcId).zip(&rules.procs) {
        each_stmt(body, &mut |stmt| {
            if let StmtKind::Call { verb: of, args, .. } = &stmt.kind
                && of.index() == verb
                && !other
            {
                called = true;
                let arg = args.get(param.index()).and_then(Option::as_ref);
                other |= !arg.is_some_and(|arg| takes(rules, caller, lies, arg, depth));
                // Given twice, it is not like that the second time.
                other |=
                    arg.is_some_and(|arg| given.iter().any(|(by, of): &(ProcId, Expr)| *by == caller && of.same(arg)));
                given.extend(arg.map(|arg| (caller, arg.clone())));
            }
        });
    }
    called && !other
}

/// Whether a procedure is that of a position with which games begin.
pub(super) fn begins(rules: &Rules, proc: ProcId) -> bool {
    rules.procs[proc.index()].role == ProcRole::Flow && rules.flow != Some(proc)
}
