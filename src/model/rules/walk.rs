//! Walks over checked statements and expressions.

use super::{
    ArmSpan, BinaryOp, Builtin, Choose, CreateValue, Created, Destination, Expr, ExprKind, LocalId, Offer, Proc,
    ProcBody, ProcId, Qty, Respond, Rules, Stmt, StmtKind, Template, TemplatePart,
};
use std::cell::RefCell;
use std::collections::BTreeMap;

/// Calls `f` for each statement of a procedure, nested ones included.
pub fn each_stmt<'p>(proc: &'p Proc, f: &mut impl FnMut(&'p Stmt)) {
    if let ProcBody::Block(stmts) = &proc.body {
        each_in(stmts, f);
    }
}

/// Calls a function for the blocks directly within a statement. Every form is named, so that no new one is forgotten.
macro_rules! blocks {
    ($(#[$doc:meta])* $name:ident, $iter:ident, $block:ty $(, $m:tt)?) => {
        $(#[$doc])*
        pub fn $name<'p>(stmt: &'p $($m)? Stmt, f: &mut dyn FnMut(&'p $($m)? $block)) {
            match &$($m)? stmt.kind {
                StmtKind::ChooseOption { arms, .. } => arms.$iter().for_each(|arm| f(&$($m)? arm.body)),
                StmtKind::Gate { pay, body, or_else, .. } => {
                    pay.$iter().for_each(|block| f(block));
                    f(body);
                    or_else.$iter().for_each(|block| f(block));
                }
                StmtKind::Offer(offer) => {
                    let Offer { accepted, refused, .. } = &$($m)? **offer;
                    f(accepted);
                    f(refused);
                }
                StmtKind::If { body, or_else, .. } => {
                    f(body);
                    f(or_else);
                }
                StmtKind::Each { body, .. }
                | StmtKind::EachSecret { body, .. }
                | StmtKind::Repeat { body, .. }
                | StmtKind::RepeatTimes { body, .. }
                | StmtKind::Turns { body, .. }
                | StmtKind::Phase { body, .. } => f(body),
                StmtKind::Local { .. }
                | StmtKind::SetProp { .. }
                | StmtKind::SetGameProp { .. }
                | StmtKind::Choose(..)
                | StmtKind::ChooseAction { .. }
                | StmtKind::Open { .. }
                | StmtKind::OpenAgain
                | StmtKind::Respond(..)
                | StmtKind::ChooseOrder { .. }
                | StmtKind::ChooseSplit { .. }
                | StmtKind::LeaveRepeat
                | StmtKind::LeaveSpan(..)
                | StmtKind::Stop
                | StmtKind::Move { .. }
                | StmtKind::Create { .. }
                | StmtKind::Link { .. }
                | StmtKind::Unlink { .. }
                | StmtKind::Shuffle { .. }
                | StmtKind::Roll { .. }
                | StmtKind::Random { .. }
                | StmtKind::Reveal { .. }
                | StmtKind::Ensure { .. }
                | StmtKind::Requires { .. }
                | StmtKind::Arm { .. }
                | StmtKind::Do { .. }
                | StmtKind::Script { .. }
                | StmtKind::Call { .. }
                | StmtKind::Proceed { .. }
                | StmtKind::Win(..)
                | StmtKind::Lose(..)
                | StmtKind::DrawGame
                | StmtKind::EndGame
                | StmtKind::Settle
                | StmtKind::Note(..) => {}
            }
        }
    };
}

blocks! {
    /// Calls `f` for the blocks directly within a statement.
    each_block, iter, [Stmt]
}

blocks! {
    /// Does the same with blocks that can be changed.
    each_block_mut, iter_mut, Vec<Stmt>, mut
}

/// Calls `f` for each of these statements, nested ones included.
pub fn each_in<'p>(stmts: &'p [Stmt], f: &mut impl FnMut(&'p Stmt)) {
    for stmt in stmts {
        f(stmt);
        each_block(stmt, &mut |inner| each_in(inner, f));
    }
}

/// Whether a statement asks somebody whenever it is reached. What a gate asks is for itself.
pub fn asks(stmt: &Stmt) -> bool {
    matches!(
        stmt.kind,
        StmtKind::Choose(_)
            | StmtKind::ChooseAction { .. }
            | StmtKind::ChooseOption { .. }
            | StmtKind::ChooseOrder { .. }
            | StmtKind::ChooseSplit { .. }
            | StmtKind::EachSecret { .. }
            | StmtKind::Offer(_)
            | StmtKind::Respond(_)
    )
}

/// Whether a statement may ask somebody: one that asks, or a gate.
pub fn may_ask(stmt: &Stmt) -> bool {
    asks(stmt) || matches!(stmt.kind, StmtKind::Gate { .. })
}

/// The value of an expression that depends on nothing but options.
pub fn constant(rules: &Rules, expr: &Expr) -> Option<i64> {
    constant_with(rules, expr, &[])
}

/// The same where the first locals have these values, as far as they are known.
pub fn constant_with(rules: &Rules, expr: &Expr, locals: &[Option<i64>]) -> Option<i64> {
    constant_in(rules, expr, locals, &RefCell::default())
}

/// The same, with the values of definitions that are known already: one may be called very often.
fn constant_in(
    rules: &Rules,
    expr: &Expr,
    locals: &[Option<i64>],
    known: &RefCell<BTreeMap<ProcId, Option<i64>>>,
) -> Option<i64> {
    let go = |expr: &Expr| constant_in(rules, expr, locals, known);
    match &expr.kind {
        ExprKind::Local(local) => locals.get(local.index()).copied().flatten(),
        ExprKind::Word(value) => Some(*value),
        ExprKind::Text(text) => rules.texts.value(text),
        ExprKind::Option(id) => rules.options.get(id.index()).map(|option| option.value),
        ExprKind::Seat(number) => go(number)?.checked_sub(1),
        ExprKind::Negate(inner) => go(inner)?.checked_neg(),
        ExprKind::Not(inner) => Some(i64::from(go(inner)? == 0)),
        ExprKind::And(left, right) => Some(i64::from(go(left)? != 0 && go(right)? != 0)),
        ExprKind::Or(left, right) => Some(i64::from(go(left)? != 0 || go(right)? != 0)),
        ExprKind::If(cond, then, or_else) => go(if go(cond)? != 0 { then } else { or_else }),
        ExprKind::Binary(op, left, right) => {
            let (left, right) = (go(left)?, go(right)?);
            match op {
                BinaryOp::Add => left.checked_add(right),
                BinaryOp::Sub => left.checked_sub(right),
                BinaryOp::Mul => left.checked_mul(right),
                BinaryOp::Div => left.checked_div(right),
                BinaryOp::Rem => left.checked_rem(right),
                BinaryOp::Union | BinaryOp::Difference | BinaryOp::Both => None,
            }
        }
        ExprKind::Compare(op, left, right) => {
            let (left, right) = (go(left)?, go(right)?);
            Some(i64::from(op.holds(left, right)))
        }
        ExprKind::In(item, set) => {
            let (item, set) = (go(item)?, set.bare());
            let ExprKind::List(items) = &set.kind else { return None };
            let items = items.iter().map(go).collect::<Option<Vec<i64>>>()?;
            Some(i64::from(items.contains(&item)))
        }
        ExprKind::Call(proc, args) if args.is_empty() => {
            if let Some(value) = known.borrow().get(proc) {
                return *value;
            }
            let value = match &rules.procs.get(proc.index())?.body {
                ProcBody::Expr(body) => constant_in(rules, body, &[], known),
                ProcBody::Block(_) => None,
            };
            known.borrow_mut().insert(*proc, value);
            value
        }
        ExprKind::Builtin(builtin, args) => {
            let args = args.iter().map(go).collect::<Option<Vec<i64>>>()?;
            match (builtin, args.as_slice()) {
                (Builtin::Smaller, [a, b]) => Some(*a.min(b)),
                (Builtin::Larger, [a, b]) => Some(*a.max(b)),
                (Builtin::Abs, [a]) => a.checked_abs(),
                (Builtin::EnumIndex, [value]) => value.checked_add(1),
                _ => None,
            }
        }
        _ => None,
    }
}

/// Calls `f` for each expression of a procedure, statements' included.
pub fn each_expr<'p>(proc: &'p Proc, f: &mut impl FnMut(&'p Expr)) {
    match &proc.body {
        ProcBody::Expr(expr) => expr.walk(f),
        ProcBody::Block(_) => each_stmt(proc, &mut |stmt| stmt_exprs(stmt, &mut |expr| expr.walk(f))),
    }
}

/// Calls `f` for each local that a statement directly gives a value or a member of a set, with what that is or is taken from.
pub fn each_given<'p>(stmt: &'p Stmt, f: &mut impl FnMut(LocalId, &'p Expr)) {
    match &stmt.kind {
        StmtKind::Local { local, value: from }
        | StmtKind::ChooseOrder { local, domain: from, .. }
        | StmtKind::Random { local, domain: from }
        | StmtKind::Each { local, domain: from, .. } => f(*local, from),
        StmtKind::Choose(choose) => f(choose.local, &choose.domain),
        StmtKind::EachSecret { local, domain, choose, .. } => {
            f(*local, domain);
            f(choose.local, &choose.domain);
        }
        StmtKind::Gate { chooses, .. } => chooses.iter().for_each(|choose| f(choose.local, &choose.domain)),
        StmtKind::Offer(offer) => offer.terms.iter().for_each(|choose| f(choose.local, &choose.domain)),
        _ => {}
    }
}

/// Calls `f` for the expressions that stand directly in the statements of a procedure, or are it. Left out are choices of one
/// whose candidates are a range for which `chosen` says that they are not listed, and loops that count.
pub fn each_listing<'p>(proc: &'p Proc, chosen: impl Fn(&Expr) -> bool, f: &mut impl FnMut(&'p Expr)) {
    match &proc.body {
        ProcBody::Expr(expr) => f(expr),
        ProcBody::Block(_) => each_stmt(proc, &mut |stmt| match &stmt.kind {
            StmtKind::Choose(choose) if matches!(choose.qty, Qty::One) && chosen(&choose.domain) => {}
            StmtKind::Each { domain, .. } if matches!(domain.bare().kind, ExprKind::Range(..)) => {}
            _ => stmt_exprs(stmt, f),
        }),
    }
}

/// Calls a function for the expressions that stand directly in a statement. Every form is named, so that no new one is
/// forgotten.
macro_rules! stmt_exprs {
    ($(#[$doc:meta])* $name:ident, $iter:ident $(, $m:tt)?) => {
        $(#[$doc])*
        pub fn $name<'p>(stmt: &'p $($m)? Stmt, f: &mut impl FnMut(&'p $($m)? Expr)) {
            fn choose<'p>(choose: &'p $($m)? Choose, f: &mut impl FnMut(&'p $($m)? Expr)) {
                choose.by.$iter().for_each(&mut *f);
                f(&$($m)? choose.domain);
                if let Qty::Between(low, high) = &$($m)? choose.qty {
                    f(low);
                    high.$iter().for_each(&mut *f);
                }
                choose.prompt.$iter().for_each(|prompt| template(prompt, f));
            }
            fn template<'p>(template: &'p $($m)? Template, f: &mut impl FnMut(&'p $($m)? Expr)) {
                for part in template.parts.$iter() {
                    if let TemplatePart::Value(expr) = part {
                        f(expr);
                    }
                }
            }
            fn destination<'p>(to: &'p $($m)? Destination, f: &mut impl FnMut(&'p $($m)? Expr)) {
                match to {
                    Destination::Nowhere => {}
                    Destination::Zone { of, .. } => of.$iter().for_each(f),
                    Destination::Site { site, turned } => {
                        f(site);
                        turned.$iter().for_each(f);
                    }
                }
            }
            match &$($m)? stmt.kind {
                StmtKind::Local { value, .. } | StmtKind::SetGameProp { value, .. } => f(value),
                StmtKind::SetProp { of, value, .. } => {
                    f(of);
                    f(value);
                }
                StmtKind::Choose(site) => choose(site, f),
                StmtKind::ChooseAction { by, acts, or_else, prompt } => {
                    by.$iter().for_each(&mut *f);
                    prompt.$iter().for_each(|prompt| template(prompt, f));
                    acts.$iter().chain(or_else.$iter()).flat_map(|act| act.args.$iter()).for_each(f);
                }
                StmtKind::Open { args, .. } | StmtKind::Script { args, .. } => args.$iter().for_each(f),
                StmtKind::Offer(offer) => {
                    let Offer { to, terms, counters, valid, prompt, .. } = &$($m)? **offer;
                    f(to);
                    terms.$iter().for_each(|site| choose(site, f));
                    counters.$iter().chain(valid.$iter()).for_each(&mut *f);
                    prompt.$iter().for_each(|prompt| template(prompt, f));
                }
                StmtKind::Respond(respond) => {
                    let Respond { from, among, until, silent, prompt, acts, .. } = &$($m)? **respond;
                    f(from);
                    among.$iter().for_each(&mut *f);
                    until.$iter().chain(silent.$iter()).for_each(&mut *f);
                    prompt.$iter().for_each(|prompt| template(prompt, f));
                    acts.$iter().flat_map(|act| act.args.$iter()).for_each(f);
                }
                StmtKind::ChooseOption { by, arms, prompt } => {
                    by.$iter().for_each(&mut *f);
                    prompt.$iter().for_each(|prompt| template(prompt, f));
                    arms.$iter().flat_map(|arm| arm.cond.$iter()).for_each(f);
                }
                StmtKind::ChooseOrder { by, domain, prompt, .. } => {
                    by.$iter().for_each(&mut *f);
                    f(domain);
                    prompt.$iter().for_each(|prompt| template(prompt, f));
                }
                StmtKind::ChooseSplit { by, domain, among, prompt, .. } => {
                    by.$iter().for_each(&mut *f);
                    f(domain);
                    f(among);
                    prompt.$iter().for_each(|prompt| template(prompt, f));
                }
                StmtKind::Gate { by, prompt, chooses, .. } => {
                    by.$iter().for_each(&mut *f);
                    prompt.$iter().for_each(|prompt| template(prompt, f));
                    chooses.$iter().for_each(|site| choose(site, f));
                }
                StmtKind::Each { domain, .. } => f(domain),
                StmtKind::EachSecret { domain, choose: site, .. } => {
                    f(domain);
                    choose(site, f);
                }
                StmtKind::If { cond, .. } | StmtKind::Ensure { cond, .. } | StmtKind::Requires { cond, .. } => f(cond),
                StmtKind::Repeat { until, .. } => until.$iter().for_each(f),
                StmtKind::RepeatTimes { times, .. } => f(times),
                StmtKind::Turns { from, among, next, rounds, until, .. } => {
                    f(from);
                    among.$iter().chain(next.$iter()).chain(rounds.$iter()).chain(until.$iter()).for_each(f);
                }
                StmtKind::Move { what, riders, to, .. } => {
                    f(what);
                    riders.$iter().for_each(&mut *f);
                    destination(to, f);
                }
                StmtKind::Create { what, to, fields, .. } => {
                    match what {
                        Created::CopyOf { count, of } => {
                            count.$iter().for_each(&mut *f);
                            f(of);
                        }
                        Created::Kind { count, .. } | Created::Entry { count, .. } => count.$iter().for_each(&mut *f),
                    }
                    destination(to, f);
                    for (_, value) in fields.$iter() {
                        if let CreateValue::Value(expr) = value {
                            f(expr);
                        }
                    }
                }
                StmtKind::Link { what, to, .. } => {
                    f(what);
                    f(to);
                }
                StmtKind::Unlink { what, .. } => f(what),
                StmtKind::Shuffle { of, .. } => of.$iter().for_each(f),
                StmtKind::Roll { low, high, .. } => {
                    f(low);
                    f(high);
                }
                StmtKind::Random { domain, .. } => f(domain),
                StmtKind::Reveal { what, to, .. } => {
                    f(what);
                    to.$iter().for_each(f);
                }
                StmtKind::Arm { span, .. } => {
                    if let ArmSpan::StartOf(_, player) = span {
                        f(player);
                    }
                }
                StmtKind::Do { of, args, by, .. } => {
                    f(of);
                    args.$iter().for_each(&mut *f);
                    by.$iter().for_each(f);
                }
                StmtKind::Call { args, .. } | StmtKind::Proceed { args } => args.$iter().flatten().for_each(f),
                StmtKind::Win(expr) | StmtKind::Lose(expr) => f(expr),
                StmtKind::Note(text) => template(text, f),
                StmtKind::Phase { .. }
                | StmtKind::LeaveRepeat
                | StmtKind::LeaveSpan(_)
                | StmtKind::Stop
                | StmtKind::DrawGame
                | StmtKind::EndGame
                | StmtKind::OpenAgain
                | StmtKind::Settle => {}
            }
        }
    };
}

stmt_exprs! {
    /// Calls `f` for the expressions that stand directly in a statement, not in statements nested in it.
    stmt_exprs, iter
}

stmt_exprs! {
    /// Does the same with expressions that can be changed.
    stmt_exprs_mut, iter_mut, mut
}
