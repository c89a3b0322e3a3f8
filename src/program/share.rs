//! Values that an expression asks for more than once are worked out once: before the rest of it where they cannot fail,
//! else when they are first asked for. What is asked for again and again in a loop is another matter: see `hoist.rs`.

use super::alike::alike;
use super::code::Builder;
use super::op::{Op, Slot};
use crate::model::rules::{Expr, ExprKind, LocalId, ProcBody, ProcRole, PropClass, Rules};

/// Parts of an expression beyond which nothing is shared.
const MOST_PARTS: usize = 120;
/// How deep definitions are looked into.
const MOST_DEPTH: usize = 8;

/// A value that is asked for more than once.
#[derive(Clone, Debug)]
pub(super) struct Shared {
    expr: Expr,
    slot: Slot,
    /// Says whether it has been worked out, where that waits until it is asked for.
    done: Option<Slot>,
}

impl Builder<'_> {
    /// Whether working out an expression cannot fail, so that it may be done also where nobody asked for it.
    pub(super) fn harmless(&self, expr: &Expr) -> bool {
        !self.whole.expr_fails(expr)
    }

    /// Sees what an expression asks for more than once.
    pub(super) fn share(&mut self, expr: &Expr) {
        // Most expressions have nothing that would be worth it.
        let mut worth = false;
        expr.walk(&mut |part| worth |= self.worth_sharing(part) || takes_long(self.rules, part, MOST_DEPTH));
        if !worth {
            return;
        }
        let mut parts = Parts::default();
        parts.collect(expr);
        if parts.all.len() > MOST_PARTS {
            return;
        }
        // What is within others comes first.
        let Parts { all: parts, inner } = parts;
        for (index, part) in parts.iter().enumerate() {
            let again = |other: &&Expr| alike(part, other) && part.ty == other.ty;
            let (first, more) = (!parts[..index].iter().any(again), parts[index + 1..].iter().any(again));
            if !first || !more || inner.iter().any(|binder| part.mentions(*binder)) {
                continue;
            }
            if self.worth_sharing(part) && self.harmless(part) {
                let slot = self.expr(part);
                self.env.shared.push(Shared { expr: (*part).clone(), slot, done: None });
            } else if takes_long(self.rules, part, MOST_DEPTH) {
                let (slot, done) = self.not_asked(part);
                self.env.shared.push(Shared { expr: (*part).clone(), slot, done: Some(done) });
            }
        }
    }

    /// Whether a value is asked for more than once.
    pub(super) fn is_shared(&self, expr: &Expr) -> bool {
        self.env.shared.iter().any(|shared| alike(&shared.expr, expr) && shared.expr.ty == expr.ty)
    }

    /// Where a value lies that is asked for more than once; the first time it is worked out.
    pub(super) fn shared(&mut self, expr: &Expr) -> Option<Slot> {
        let found = self.env.shared.iter().position(|shared| alike(&shared.expr, expr) && shared.expr.ty == expr.ty)?;
        let Shared { slot, done, .. } = self.env.shared[found];
        let Some(done) = done else { return Some(slot) };
        self.first_asked(done, |builder| {
            // What it asks for itself may be shared, too, but for itself.
            let later = builder.env.shared.split_off(found);
            builder.into(expr, slot);
            builder.env.shared.extend(later);
        });
        Some(slot)
    }

    /// Room for what waits until it is first asked for, and for whether it has been.
    pub(super) fn not_asked(&mut self, expr: &Expr) -> (Slot, Slot) {
        let (slot, done, no) = (self.temp(self.layout.words(&expr.ty)), self.temp(1), self.word(0));
        self.emit(Op::Copy { d: done, a: no });
        (slot, done)
    }

    /// Code for what is worked out when it is first asked for, as `done` says.
    pub(super) fn first_asked(&mut self, done: Slot, work: impl FnOnce(&mut Self)) {
        let (end, yes) = (self.label(), self.word(1));
        let to = self.to(end);
        self.emit(Op::JumpTrue { a: done, to });
        work(self);
        self.emit(Op::Copy { d: done, a: yes });
        self.bind(end);
    }

    fn worth_sharing(&self, part: &Expr) -> bool {
        match &part.kind {
            ExprKind::Call(..) | ExprKind::Builtin(..) => true,
            ExprKind::Prop(_, prop) => matches!(self.rules.props[prop.index()].class, PropClass::Builtin(_)),
            _ => false,
        }
    }
}

/// Whether a value goes through members to be worked out.
fn takes_long(rules: &Rules, part: &Expr, depth: usize) -> bool {
    let mut long = false;
    loops(rules, part, depth, &mut long);
    long
}

fn loops(rules: &Rules, expr: &Expr, depth: usize, found: &mut bool) {
    match &expr.kind {
        ExprKind::Fold { .. } => *found = true,
        ExprKind::Call(proc, _) if depth > 0 && rules.procs[proc.index()].role != ProcRole::Memo => {
            if let ProcBody::Expr(body) = &rules.procs[proc.index()].body {
                body.walk(&mut |part| {
                    *found |= part.binder().is_some();
                    if let ExprKind::Call(..) = part.kind {
                        loops(rules, part, depth - 1, found);
                    }
                });
            }
        }
        _ => {}
    }
}

/// All parts of an expression, the inner ones first, and the names of its loops.
#[derive(Default)]
struct Parts<'e> {
    all: Vec<&'e Expr>,
    inner: Vec<LocalId>,
}

impl<'e> Parts<'e> {
    fn collect(&mut self, expr: &'e Expr) {
        self.inner.extend(expr.binder());
        let mut parts = Vec::new();
        expr.each_part(&mut |part| parts.push(part));
        parts.into_iter().rev().for_each(|part| self.collect(part));
        self.all.push(expr);
    }
}
