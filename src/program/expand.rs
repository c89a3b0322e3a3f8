//! Definitions put in the place of their calls, so that what a condition asks of its subject can be seen in one
//! expression.

use crate::model::rules::{Expr, ExprKind, LocalId, ProcBody, ProcId, ProcRole, PropId, Rules, Ty};
use std::cell::{Cell, RefCell};

/// Parts of expressions that are made at the most.
const MOST_PARTS: usize = 600;

/// Locals of the expressions that are made, beyond those of the procedure at hand.
pub(super) struct Fresh {
    first: usize,
    pub types: RefCell<Vec<Ty>>,
    left: Cell<usize>,
}

impl Fresh {
    /// Beyond so many locals.
    pub fn new(first: usize) -> Fresh {
        Fresh::with_room(first, MOST_PARTS)
    }

    /// Beyond so many locals, for so many parts.
    pub fn with_room(first: usize, parts: usize) -> Fresh {
        Fresh { first, types: RefCell::new(Vec::new()), left: Cell::new(parts) }
    }

    pub fn local(&self, ty: &Ty) -> LocalId {
        let mut types = self.types.borrow_mut();
        types.push(ty.clone());
        LocalId((self.first + types.len() - 1) as u32)
    }

    fn spend(&self, expr: &Expr) -> Option<()> {
        let mut parts = 0;
        expr.walk(&mut |_| parts += 1);
        self.left.set(self.left.get().checked_sub(parts)?);
        Some(())
    }
}

/// An expression in which the definitions that are called with the subject stand in the place of their calls, and what
/// is known of the subject in the place of its properties. None if that gets too long.
pub(super) fn expanded(
    rules: &Rules,
    fresh: &Fresh,
    subject: LocalId,
    knows: &[(PropId, Expr)],
    expr: &Expr,
) -> Option<Expr> {
    let left = fresh.left.get();
    let mut made = expr.clone();
    let done = fresh.spend(&made).and_then(|()| expand(rules, fresh, subject, knows, &mut made));
    if done.is_none() {
        // What got too long takes no room from others.
        fresh.left.set(left);
    }
    done.map(|()| made)
}

fn expand(rules: &Rules, fresh: &Fresh, subject: LocalId, knows: &[(PropId, Expr)], expr: &mut Expr) -> Option<()> {
    if let ExprKind::Prop(of, prop) = &expr.kind
        && of.is_local(subject)
        && let Some((_, value)) = knows.iter().find(|(known, _)| known == prop)
    {
        *expr = value.clone();
        return Some(());
    }
    let mut fine = true;
    expr.each_part_mut(&mut |child| fine &= expand(rules, fresh, subject, knows, child).is_some());
    let ExprKind::Call(proc, args) = &expr.kind else { return fine.then_some(()) };
    if !fine || !args.iter().any(|arg| arg.mentions(subject)) {
        return fine.then_some(());
    }
    *expr = body_of(rules, fresh, *proc, args)?;
    expand(rules, fresh, subject, knows, expr)
}

/// What a definition says of its arguments.
fn body_of(rules: &Rules, fresh: &Fresh, proc: ProcId, args: &[Expr]) -> Option<Expr> {
    let proc = &rules.procs[proc.index()];
    let ProcBody::Expr(body) = &proc.body else { return None };
    fresh.spend(body)?;
    for arg in args {
        fresh.spend(arg)?;
    }
    let others = proc.locals[args.len().min(proc.locals.len())..].iter().map(|local| fresh.local(&local.ty));
    let names = Names { args, others: others.collect() };
    let mut body = body.clone();
    names.put(&mut body);
    Some(body)
}

/// The call of a definition with what it says in its place, where its arguments need no code. None if it is no such call.
pub(super) fn opened(rules: &Rules, fresh: &Fresh, call: &Expr) -> Option<Expr> {
    let ExprKind::Call(proc, args) = &call.kind else { return None };
    let plain = |arg: &Expr| matches!(arg.kind, ExprKind::Local(_) | ExprKind::Me | ExprKind::This | ExprKind::Word(_));
    let kept = rules.procs[proc.index()].role == ProcRole::Memo;
    (!kept && args.iter().all(plain)).then(|| body_of(rules, fresh, *proc, args)).flatten()
}

/// What stands for the locals of a definition: the arguments, and fresh locals for the rest.
struct Names<'a> {
    args: &'a [Expr],
    others: Vec<LocalId>,
}

impl Names<'_> {
    fn other(&self, local: LocalId) -> Option<LocalId> {
        self.others.get(local.index().checked_sub(self.args.len())?).copied()
    }

    fn put(&self, expr: &mut Expr) {
        if let ExprKind::Local(local) = expr.kind {
            if let Some(arg) = self.args.get(local.index()) {
                *expr = arg.clone();
            } else if let Some(other) = self.other(local) {
                expr.kind = ExprKind::Local(other);
            }
            return;
        }
        if let Some(binder) = expr.binder_mut()
            && let Some(other) = self.other(*binder)
        {
            *binder = other;
        }
        expr.each_part_mut(&mut |child| self.put(child));
    }
}
