//! Code for conditions: they jump. A definition that is asked for whether it holds, or whether it has members, is gone
//! into, so that its loops need not be run to their ends.

use super::NIL;
use super::code::{Builder, Env, Label};
use super::exprs::MAX_INLINE;
use super::layout::{Repr, repr};
use super::op::{Op, Slot};
use crate::core::asks_flat;
use crate::model::rules::{CompareOp, Expr, ExprKind, ProcBody, Rules, Ty};

impl<'r> Builder<'r> {
    /// Jumps to a label if a condition is `on`; falls through otherwise.
    pub fn jump(&mut self, expr: &Expr, on: bool, label: Label) {
        let outer = std::mem::replace(&mut self.span, expr.span);
        let mark = self.top;
        let to = self.to(label);
        if let Some(word) = super::walk::constant(self.rules, expr) {
            if (word == 1) == on {
                self.emit(Op::Jump { to });
            }
            self.span = outer;
            return;
        }
        let kept = if matches!(expr.kind, ExprKind::Call(..)) { self.hoisted(expr) } else { None };
        if let Some(a) = kept {
            self.emit(if on { Op::JumpTrue { a, to } } else { Op::JumpFalse { a, to } });
            self.span = outer;
            return;
        }
        match &expr.kind {
            ExprKind::Not(inner) => self.jump(inner, !on, label),
            ExprKind::And(a, b) if on => {
                let skip = self.label();
                self.jump(a, false, skip);
                self.jump(b, true, label);
                self.bind(skip);
            }
            ExprKind::And(a, b) => {
                self.jump(a, false, label);
                self.jump(b, false, label);
            }
            ExprKind::Or(a, b) if on => {
                self.jump(a, true, label);
                self.jump(b, true, label);
            }
            ExprKind::Or(a, b) => {
                let skip = self.label();
                self.jump(a, true, skip);
                self.jump(b, false, label);
                self.bind(skip);
            }
            ExprKind::Compare(op, a, b) => self.compare(*op, a, b, on, to),
            ExprKind::In(item, set) if self.jump_one_of(item, set, on, label) => {}
            ExprKind::Call(proc, args) if self.opens(*proc) => {
                let slots = args.iter().map(|arg| self.expr(arg)).collect();
                let (me, this) = (self.env.me, self.env.this);
                self.within(&self.rules.procs[proc.index()], slots, me, this, |builder, body| {
                    builder.jump(body, on, label);
                });
            }
            ExprKind::Some(inner) => self.jump_some(inner, on, label),
            ExprKind::Flat(board) => {
                let a = Slot(self.layout.boards[board.index()].covered);
                self.emit(if on { Op::JumpEmpty { w: 1, a, to } } else { Op::JumpAny { w: 1, a, to } });
            }
            ExprKind::If(cond, yes, no) if asks_flat(cond) => {
                let (other, end) = (self.label(), self.label());
                self.jump(cond, false, other);
                self.jump(yes, on, label);
                let to = self.to(end);
                self.emit(Op::Jump { to });
                self.bind(other);
                let counted = self.predicates.clone();
                self.jump(no, on, label);
                self.predicates = counted;
                self.bind(end);
            }
            ExprKind::Any { over, binder, cond } => self.quantifier(over, *binder, cond, on, label),
            ExprKind::All { over, binder, cond } => {
                let inverse = Expr { kind: ExprKind::Not(cond.clone()), ty: Ty::Flag, span: cond.span };
                self.quantifier(over, *binder, &inverse, !on, label);
            }
            _ => {
                let a = self.expr(expr);
                self.emit(if on { Op::JumpTrue { a, to } } else { Op::JumpFalse { a, to } });
            }
        }
        self.release(mark);
        self.span = outer;
    }

    fn jump_some(&mut self, inner: &Expr, on: bool, label: Label) {
        if let Some((outer, body)) = self.enter_filter(inner) {
            self.jump_some(body, on, label);
            self.exchange(outer);
            return;
        }
        if let ExprKind::Where { over, binder, cond } = &inner.kind
            && !self.is_algebra(over, *binder, cond)
        {
            return self.quantifier(over, *binder, cond, on, label);
        }
        let to = self.to(label);
        if let Some(a) = self.group_reaches(inner) {
            return self.emit(if on { Op::JumpTrue { a, to } } else { Op::JumpFalse { a, to } });
        }
        let (a, kind) = match self.occupied(inner) {
            Some(a) => (a, Repr::Sites),
            None => (self.expr(inner), repr(&inner.ty)),
        };
        let w = self.layout.set_words(kind);
        self.emit(match (kind, on) {
            (Repr::Word, true) => Op::JumpSome { a, to },
            (Repr::Word, false) => Op::JumpNil { a, to },
            (_, true) => Op::JumpAny { w, a, to },
            (_, false) => Op::JumpEmpty { w, a, to },
        });
    }

    /// Jumps if a word is one of some that are written out.
    fn jump_one_of(&mut self, item: &Expr, set: &Expr, on: bool, label: Label) -> bool {
        let ExprKind::List(items) = &set.bare().kind else { return false };
        let word = |expr: &Expr| matches!(expr.kind, ExprKind::Word(word) if word != NIL);
        if repr(&item.ty) != Repr::Word || !items.iter().all(word) {
            return false;
        }
        let a = self.expr(item);
        let end = self.label();
        let to = if on { self.to(label) } else { self.to(end) };
        for item in items {
            let b = self.expr(item);
            self.emit(Op::JumpEq { on: true, a, b, to });
        }
        if !on {
            let to = self.to(label);
            self.emit(Op::Jump { to });
        }
        self.bind(end);
        true
    }

    fn compare(&mut self, op: CompareOp, a: &Expr, b: &Expr, on: bool, to: u16) {
        let kind = repr(&a.ty);
        let (left, right) = (self.expr(a), self.expr(b));
        if kind != Repr::Word {
            let d = self.temp(1);
            let zero = self.word(0);
            match (kind, op) {
                (Repr::List, CompareOp::Eq | CompareOp::Ne) => self.emit(Op::SameList { d, a: left, b: right }),
                (Repr::List, _) => {
                    self.emit(Op::OrderLists { d, a: left, b: right });
                    return self.emit(ordered(op, d, zero, on, to));
                }
                _ => self.emit(Op::SameSet { w: self.layout.set_words(kind), d, a: left, b: right }),
            }
            let equal = (op == CompareOp::Eq) == on;
            return self.emit(if equal { Op::JumpTrue { a: d, to } } else { Op::JumpFalse { a: d, to } });
        }
        self.emit(ordered(op, left, right, on, to));
    }

    /// Goes into a definition that filters a set, so that its loop need not be run to its end. Gives the names outside
    /// and what the definition says.
    pub(super) fn enter_filter(&mut self, expr: &Expr) -> Option<(Outside, &'r Expr)> {
        let (rules, calls) = (self.rules, MAX_INLINE.saturating_sub(self.depth));
        let ExprKind::Call(proc, args) = &expr.kind else { return None };
        let ProcBody::Expr(body) = &rules.procs[proc.index()].body else { return None };
        if calls == 0 || !self.opens(*proc) || self.place(expr).is_some() || !filters(rules, body, calls) {
            return None;
        }
        let mut locals: Vec<Slot> = args.iter().map(|arg| self.expr(arg)).collect();
        for local in &rules.procs[proc.index()].locals[locals.len()..] {
            let words = self.layout.words(&local.ty);
            locals.push(self.temp(words));
        }
        self.depth += 1;
        let env = Env::new(locals, self.env.me, self.env.this);
        let outside = Outside { env: std::mem::replace(&mut self.env, env), depth: self.depth - 1 };
        self.share(body);
        Some((outside, body))
    }

    /// Exchanges the names at hand for others, and says what they were.
    pub(super) fn exchange(&mut self, names: Outside) -> Outside {
        Outside {
            env: std::mem::replace(&mut self.env, names.env),
            depth: std::mem::replace(&mut self.depth, names.depth),
        }
    }
}

/// The names of what stands around a definition that code goes into.
#[derive(Clone)]
pub(super) struct Outside {
    env: Env,
    depth: usize,
}

/// Whether an expression, or the definition that it calls, filters a set.
fn filters(rules: &Rules, expr: &Expr, calls: usize) -> bool {
    match &expr.kind {
        ExprKind::Where { .. } => true,
        ExprKind::Call(proc, _) => match &rules.procs[proc.index()].body {
            ProcBody::Expr(body) => calls > 1 && filters(rules, body, calls - 1),
            ProcBody::Block(_) => false,
        },
        _ => false,
    }
}

fn ordered(op: CompareOp, a: Slot, b: Slot, on: bool, to: u16) -> Op {
    match op {
        CompareOp::Eq => Op::JumpEq { on, a, b, to },
        CompareOp::Ne => Op::JumpEq { on: !on, a, b, to },
        CompareOp::Lt => Op::JumpLt { on, a, b, to },
        CompareOp::Le => Op::JumpLe { on, a, b, to },
        CompareOp::Gt => Op::JumpLt { on, a: b, b: a, to },
        CompareOp::Ge => Op::JumpLe { on, a: b, b: a, to },
    }
}
