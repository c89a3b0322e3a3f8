//! Values in the body of a loop that do not depend on its member: each is worked out once. A set that takes a few steps
//! is worked out before the loop; what goes through members itself, or could fail, waits until it is first asked for. Into
//! definitions that the body calls this looks, too: `bonus(p)` is the same for all cards of which `can_pay(p, it)` is asked.

use super::code::{Builder, Env};
use super::exprs::says_me;
use super::layout::{PropHome, Repr, repr};
use super::op::Slot;
use crate::core::Pass;
use crate::model::rules::{
    BinaryOp, Builtin, Expr, ExprKind, LocalId, ProcBody, ProcId, ProcRole, PropClass, PropId, Rules,
};
use std::cell::Cell;
use std::collections::BTreeSet;

/// Definitions within definitions that are looked into.
const MAX_CALLS: usize = 6;

/// A value that stays the same in a loop.
#[derive(Clone, Debug)]
pub(super) struct Hoisted {
    /// Which expression, and what its names stand for: a definition may be called with other arguments, too.
    expr: *const Expr,
    names: Names,
    /// Where it lies.
    slot: Slot,
    /// Says whether it has been worked out, where that waits until it is asked for.
    done: Option<Slot>,
}

/// Where `me`, `this` and the names in an expression lie.
#[derive(Clone, Debug, PartialEq)]
struct Names {
    me: Slot,
    this: Slot,
    locals: Vec<Slot>,
}

/// Parts of expressions that are looked at for one loop.
const MOST_PARTS: u32 = 400;

/// Where an expression stands in the body of a loop.
#[derive(Clone, Copy)]
struct Around<'l> {
    /// Whether it is worked out only where a condition holds.
    chance: bool,
    /// How many definitions it stands in.
    calls: usize,
    /// How many more parts are looked at.
    left: &'l Cell<u32>,
}

impl<'r> Builder<'r> {
    /// Sees what stays the same in the body of a loop. Gives a mark for [`Builder::lower`].
    pub(super) fn hoist(&mut self, body: &Expr, binder: LocalId) -> usize {
        let mark = self.hoisted.len();
        if !self.passes.contains(&Pass::Hoist) {
            return mark;
        }
        let left = Cell::new(MOST_PARTS);
        self.hoist_parts(body, &mut vec![binder], Around { chance: false, calls: 0, left: &left });
        mark
    }

    /// Forgets what stays the same in a loop.
    pub(super) fn lower(&mut self, mark: usize) {
        self.hoisted.truncate(mark);
    }

    /// Where a value lies that stays the same in a loop at hand; the first time, it may be worked out here.
    pub(super) fn hoisted(&mut self, expr: &Expr) -> Option<Slot> {
        let found = self.find_hoisted(expr)?;
        let Hoisted { slot, done, .. } = self.hoisted[found];
        let Some(done) = done else { return Some(slot) };
        self.first_asked(done, |builder| {
            // What it asks for itself may be there, too, but for itself.
            let later = builder.hoisted.split_off(found);
            builder.into(expr, slot);
            builder.hoisted.extend(later);
        });
        Some(slot)
    }

    fn find_hoisted(&self, expr: &Expr) -> Option<usize> {
        let same = |found: &Hoisted| std::ptr::eq(found.expr, expr) && found.names == self.names_in(expr);
        self.hoisted.iter().position(same)
    }

    fn names_in(&self, expr: &Expr) -> Names {
        let (mut read, mut bound) = (BTreeSet::new(), BTreeSet::new());
        expr.walk(&mut |part| {
            bound.extend(part.binder());
            if let ExprKind::Local(local) = part.kind {
                read.insert(local);
            }
        });
        let locals = read.difference(&bound).map(|local| self.local(*local)).collect();
        let this = if says_this(self.rules, expr, MAX_CALLS) { self.env.this } else { Slot::NONE };
        Names { me: self.env.me, this, locals }
    }

    fn hoist_parts(&mut self, expr: &Expr, bound: &mut Vec<LocalId>, around: Around<'_>) {
        let left = around.left.get();
        if left == 0 {
            return;
        }
        around.left.set(left - 1);
        let lies = matches!(
            expr.kind,
            ExprKind::Local(_) | ExprKind::Empty | ExprKind::Nothing | ExprKind::Contents(_, None) | ExprKind::Players
        );
        let differs = |builder: &Self| {
            bound.iter().any(|local| expr.mentions(*local))
                || builder.env.this == Slot::NONE && says_this(builder.rules, expr, MAX_CALLS)
        };
        if lies || !differs(self) && self.hoist_part(expr, around) {
            return;
        }
        if let ExprKind::Prop(of, prop) = &expr.kind {
            self.hoist_parts(of, bound, around);
            return self.hoist_in_stat(*prop, around);
        }
        if let ExprKind::Call(proc, args) = &expr.kind {
            args.iter().for_each(|arg| self.hoist_parts(arg, bound, around));
            return self.hoist_in_call(*proc, args, bound, around);
        }
        let mut parts = Vec::new();
        expr.each_part(&mut |part| parts.push(part));
        let last = parts.len().saturating_sub(1);
        for (index, part) in parts.into_iter().enumerate() {
            let chance = around.chance || matches!(expr.kind, ExprKind::If(..)) && index > 0;
            // INVARIANT: what a loop does with its member is its last part.
            let inner = expr.binder().filter(|_| index == last);
            bound.extend(inner);
            self.hoist_parts(part, bound, Around { chance, ..around });
            bound.truncate(bound.len() - usize::from(inner.is_some()));
        }
    }

    /// Keeps a value that stays the same, if that is worth it.
    fn hoist_part(&mut self, expr: &Expr, around: Around<'_>) -> bool {
        let short = matches!(repr(&expr.ty), Repr::Sites | Repr::Entities) && self.steady(expr, 0);
        let at_once = short && !around.chance;
        if !at_once && !self.takes_long(expr) {
            return false;
        }
        if self.find_hoisted(expr).is_some() || self.is_shared(expr) {
            return true;
        }
        let names = self.names_in(expr);
        let (slot, done) = if at_once {
            (self.expr(expr), None)
        } else {
            let (slot, done) = self.not_asked(expr);
            (slot, Some(done))
        };
        self.hoisted.push(Hoisted { expr, names, slot, done });
        true
    }

    /// Sees what stays the same in a definition whose code is copied into the loop.
    fn hoist_in_call(&mut self, proc: ProcId, args: &[Expr], bound: &[LocalId], around: Around<'_>) {
        let rules = self.rules;
        let proc_info = &rules.procs[proc.index()];
        let ProcBody::Expr(body) = &proc_info.body else { return };
        if proc_info.role == ProcRole::Memo || !self.opens(proc) || around.calls >= MAX_CALLS {
            return;
        }
        let (mut locals, mut inner) = (Vec::new(), Vec::new());
        for (index, arg) in args.iter().enumerate() {
            let same = !bound.iter().any(|local| arg.mentions(*local));
            let slot = if same { self.lies_at(arg) } else { None };
            if slot.is_none() {
                inner.push(LocalId(index as u32));
            }
            locals.push(slot.unwrap_or(Slot::NONE));
        }
        let mut long = false;
        body.walk(&mut |part| long |= self.takes_long(part));
        if !long {
            return;
        }
        for local in &proc_info.locals[locals.len().min(proc_info.locals.len())..] {
            locals.push(self.temp(self.layout.words(&local.ty)));
        }
        let env = Env::new(locals, self.env.me, self.env.this);
        let outer = std::mem::replace(&mut self.env, env);
        self.depth += 1;
        // Whether the call is reached is not known here.
        self.hoist_parts(body, &mut inner, Around { chance: true, calls: around.calls + 1, ..around });
        self.depth -= 1;
        self.env = outer;
    }

    /// The same of a stat whose formula is copied into the loop: `this` is another card for each member.
    fn hoist_in_stat(&mut self, prop: PropId, around: Around<'_>) {
        let PropClass::Stat { formula } = self.rules.props[prop.index()].class else { return };
        let proc = &self.rules.procs[formula.index()];
        let ProcBody::Expr(body) = &proc.body else { return };
        let copied = (!self.has_modifiers[prop.index()] || self.by_cards[prop.index()]) && self.opens(formula);
        let mut long = false;
        body.walk(&mut |part| long |= self.takes_long(part));
        if !copied || !long || around.calls >= MAX_CALLS || says_me(self.rules, proc, MAX_CALLS) {
            return;
        }
        let locals = proc.locals.iter().map(|local| self.temp(self.layout.words(&local.ty))).collect();
        let env = Env::new(locals, self.env.me, Slot::NONE);
        let outer = std::mem::replace(&mut self.env, env);
        self.depth += 1;
        self.hoist_parts(body, &mut Vec::new(), Around { chance: true, calls: around.calls + 1, ..around });
        self.depth -= 1;
        self.env = outer;
    }

    /// Where an argument lies wherever it is asked for in the loop, if no code is needed for it.
    fn lies_at(&mut self, arg: &Expr) -> Option<Slot> {
        let lies = match &arg.kind {
            ExprKind::Local(_) | ExprKind::Me | ExprKind::This | ExprKind::Mover | ExprKind::Word(_) => true,
            ExprKind::GameProp(prop) => matches!(self.layout.props[prop.index()], PropHome::Game(_)),
            _ => self.find_hoisted(arg).is_some_and(|found| self.hoisted[found].done.is_none()),
        };
        if lies { self.place(arg) } else { None }
    }

    /// Whether a set is worked out in a few steps, and cannot fail.
    fn steady(&self, expr: &Expr, calls: usize) -> bool {
        let same = |part: &Expr| self.steady(part, calls);
        match &expr.kind {
            ExprKind::Word(_)
            | ExprKind::Nothing
            | ExprKind::Empty
            | ExprKind::Me
            | ExprKind::This
            | ExprKind::Mover
            | ExprKind::Players
            | ExprKind::Option(_)
            | ExprKind::GameProp(_)
            | ExprKind::InPlay(_)
            | ExprKind::Local(_) => true,
            ExprKind::Contents(_, of) => repr(&expr.ty) == Repr::Entities && of.as_deref().is_none_or(same),
            ExprKind::ToSet(inner) => repr(&inner.ty) != Repr::List && same(inner),
            ExprKind::Not(a) | ExprKind::Some(a) | ExprKind::Count(a) | ExprKind::Is(a, _) => same(a),
            ExprKind::Binary(BinaryOp::Union | BinaryOp::Difference | BinaryOp::Both, a, b) => {
                repr(&expr.ty) != Repr::List && same(a) && same(b)
            }
            ExprKind::Compare(_, a, b) | ExprKind::And(a, b) | ExprKind::Or(a, b) | ExprKind::In(a, b) => {
                same(a) && same(b)
            }
            ExprKind::Prop(of, prop) => {
                let stored = !matches!(self.rules.props[prop.index()].class, PropClass::Stat { .. });
                stored && repr(&of.ty) == Repr::Word && repr(&expr.ty) == Repr::Word && same(of)
            }
            ExprKind::Builtin(builtin, args) => steady_function(*builtin) && args.iter().all(same),
            ExprKind::Where { over, cond, .. } => repr(&expr.ty) != Repr::List && same(over) && same(cond),
            ExprKind::Call(proc, args) => {
                let body = match &self.rules.procs[proc.index()].body {
                    ProcBody::Expr(body) if calls < MAX_CALLS && self.rules.opens(*proc) => body,
                    _ => return false,
                };
                args.iter().all(same) && self.steady(body, calls + 1)
            }
            _ => false,
        }
    }

    /// Whether working out a value goes through members, or asks which modifiers there are.
    fn takes_long(&self, expr: &Expr) -> bool {
        let simple = |expr: &Expr| {
            matches!(expr.kind, ExprKind::Call(..) | ExprKind::Fold { .. } | ExprKind::Prop(..) | ExprKind::GameProp(_))
        };
        (expr.ty.is_many() || simple(expr)) && goes_through(self.rules, &self.has_modifiers, &self.long, expr)
    }
}

/// For each procedure, whether working out its expression goes through members or asks for modifiers.
pub(super) fn long_procs(rules: &Rules, has_modifiers: &[bool]) -> Vec<bool> {
    let mut long = vec![false; rules.procs.len()];
    loop {
        let mut changed = false;
        for (index, proc) in rules.procs.iter().enumerate().filter(|(_, proc)| proc.role != ProcRole::Memo) {
            if let (ProcBody::Expr(body), false) = (&proc.body, long[index])
                && goes_through(rules, has_modifiers, &long, body)
            {
                long[index] = true;
                changed = true;
            }
        }
        if !changed {
            return long;
        }
    }
}

fn goes_through(rules: &Rules, has_modifiers: &[bool], long: &[bool], expr: &Expr) -> bool {
    let mut found = false;
    expr.walk(&mut |part| {
        found |= part.binder().is_some()
            || match &part.kind {
                ExprKind::Call(proc, _) => long[proc.index()],
                ExprKind::Contents(_, Some(of)) if of.ty.is_many() => true,
                ExprKind::Prop(_, prop) | ExprKind::GameProp(prop) => match rules.props[prop.index()].class {
                    PropClass::Stat { formula } => has_modifiers[prop.index()] || long[formula.index()],
                    _ => false,
                },
                _ => false,
            };
    });
    found
}

/// Whether an expression asks for the card that it stands on, itself or in what it calls.
fn says_this(rules: &Rules, expr: &Expr, depth: usize) -> bool {
    let mut found = depth == 0;
    expr.walk(&mut |part| {
        found |= match &part.kind {
            ExprKind::This | ExprKind::CallLambda(..) | ExprKind::CallScript(..) => true,
            ExprKind::Can(..) | ExprKind::Targetable { .. } => true,
            ExprKind::Call(proc, _) => match &rules.procs[proc.index()].body {
                ProcBody::Expr(body) => depth > 0 && says_this(rules, body, depth - 1),
                ProcBody::Block(_) => true,
            },
            _ => false,
        };
    });
    found
}

/// Functions that neither fail nor take long, over boards with an end.
fn steady_function(builtin: Builtin) -> bool {
    builtin.is_geometry()
        || matches!(
            builtin,
            Builtin::Empty | Builtin::EmptyOf | Builtin::SitesOf | Builtin::SiteOf | Builtin::PiecesOn | Builtin::TopOn
        )
}
