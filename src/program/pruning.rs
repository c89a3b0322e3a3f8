//! What a condition on a choice of several can still come to when more is picked. The search for picks (`engine/picks.rs`)
//! turns back where it cannot come to hold any more: `count (gather rank of cs) = 1` after two cards of different ranks,
//! `sum worth of cs >= 30` where all that is left does not come to that.
//!
//! Whatever is picked in the end lies between what is picked and what is within reach. From that follows between what each
//! value lies that is worked out from the picks: a set between two sets, a number between two numbers, and a condition
//! between one that it needs and one that suffices. What nothing is known of is left out of what is needed.
//!
//! INVARIANT: it is asked of picks that are not empty, so that the most and the least of them are of some.

use super::alike::alike;
use super::code::Builder;
use super::expand::{Fresh, expanded};
use super::folds::{and, conjuncts};
use super::layout::{Repr, repr};
use crate::model::rules::{
    BinaryOp, Builtin, CollectOp, CompareOp, Expr, ExprKind, FoldOp, LocalId, PropClass, Stmt, StmtKind, Ty,
};
use std::cell::Cell;

/// Parts that a condition is made of at the most.
const MOST_PARTS: usize = 3_000;
/// Parts of what it is worked out from, with definitions in the place of their calls.
const MOST_OPENED: usize = 4_000;

/// Which of the two values is meant between which one lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Side {
    /// No member of it is missing in the end; the number is no less in the end; the condition suffices.
    Low,
    /// It has all members there are in the end; the number is no more in the end; the condition is needed.
    High,
}

impl Side {
    fn other(self) -> Side {
        match self {
            Side::Low => Side::High,
            Side::High => Side::Low,
        }
    }
}

/// A value that is right where some conditions hold, and says nothing elsewhere.
struct Known {
    when: Vec<Expr>,
    value: Expr,
}

impl Known {
    fn always(value: Expr) -> Known {
        Known { when: Vec::new(), value }
    }

    fn map(self, made: impl FnOnce(Expr) -> Expr) -> Known {
        Known { when: self.when, value: made(self.value) }
    }

    fn with(mut self, other: Known, made: impl FnOnce(Expr, Expr) -> Expr) -> Known {
        self.when.extend(other.when);
        Known { when: self.when, value: made(self.value, other.value) }
    }

    /// The condition that it says is needed, or suffices.
    fn said(self, side: Side) -> Expr {
        let Some(when) = self.when.into_iter().reduce(and) else { return self.value };
        match side {
            Side::Low => and(when, self.value),
            Side::High => flag(&self.value, ExprKind::Or(Box::new(not(when)), Box::new(self.value.clone()))),
        }
    }
}

/// A condition on what is picked.
struct Picked<'b, 'r> {
    builder: &'b Builder<'r>,
    /// What is picked.
    picks: LocalId,
    /// That, and what is within reach.
    reach: LocalId,
    /// How many loops stand around what is looked at.
    loops: Cell<usize>,
    /// Whether one of them goes through all that is within reach: a second one within it would ask so many pairs that it takes
    /// longer than to try out what it rules out.
    reaching: Cell<bool>,
}

impl Builder<'_> {
    /// What the `ensure`s that follow a choice of several need of what is picked and of what is within reach. The types
    /// are those of the locals that it has beyond those of the procedure; the first of them is what is within reach.
    pub(super) fn bound_of(&self, picks: LocalId, set: &Ty, rest: &[Stmt]) -> Option<(Expr, Vec<Ty>)> {
        let fresh = Fresh::with_room(self.env.locals.len(), MOST_OPENED);
        let reach = fresh.local(set);
        let picked = Picked { builder: self, picks, reach, loops: Cell::new(0), reaching: Cell::new(false) };
        let mut bounds = Vec::new();
        let mut given: Vec<(LocalId, Expr)> = Vec::new();
        for stmt in rest {
            let opened = |expr: &Expr| {
                let mut expr = expr.clone();
                given.iter().for_each(|(local, value)| expr.put(*local, value));
                expanded(self.rules, &fresh, picks, &[], &expr)
            };
            match &stmt.kind {
                StmtKind::Local { local, value } => {
                    let Some(value) = opened(value).filter(|value| self.harmless(value)) else { break };
                    given.retain(|(known, _)| known != local);
                    given.push((*local, value));
                }
                StmtKind::Ensure { cond, .. } | StmtKind::Requires { cond, .. } => {
                    let mut conds = Vec::new();
                    conjuncts(cond, &mut conds);
                    // What gets too long is left out.
                    let conds = conds.into_iter().filter_map(opened);
                    bounds.extend(conds.filter_map(|cond| picked.flag(&cond, Side::High)));
                }
                _ => break,
            }
        }
        let mut left = MOST_PARTS;
        bounds.retain(|bound| {
            let mut parts = 0;
            bound.walk(&mut |_| parts += 1);
            let fits = bound.mentions(picks) && parts <= left;
            left -= if fits { parts } else { 0 };
            fits
        });
        let bound = bounds.into_iter().reduce(and)?;
        Some((bound, fresh.types.into_inner()))
    }
}

impl Picked<'_, '_> {
    /// Whether a value does not depend on what is picked.
    fn is_same(&self, expr: &Expr) -> bool {
        !expr.mentions(self.picks)
    }

    /// Whether it cannot fail; what stands in a loop is looked at with the loop.
    fn is_fine(&self, expr: &Expr) -> bool {
        self.loops.get() > 0 || self.builder.harmless(expr)
    }

    /// What a condition on the members of a loop needs, or what suffices for it.
    fn in_loop(&self, cond: &Expr, side: Side) -> Option<Expr> {
        self.loops.set(self.loops.get() + 1);
        let made = self.flag(cond, side);
        self.loops.set(self.loops.get() - 1);
        made
    }

    /// A condition that this one needs, or that suffices for it; none if none is known.
    fn flag(&self, cond: &Expr, side: Side) -> Option<Expr> {
        if self.is_same(cond) {
            return self.is_fine(cond).then(|| cond.clone());
        }
        let made = match self.fixed(cond) {
            Some(known) => Some(known.said(side)),
            None => self.flag_of(cond, side),
        };
        made.filter(|made| self.is_fine(made))
    }

    fn flag_of(&self, cond: &Expr, side: Side) -> Option<Expr> {
        // Of two conditions, one that is needed is enough for `and`, and one that suffices for `or`.
        let of_two = |a: Option<Expr>, b: Option<Expr>, join: fn(Expr, Expr) -> Expr, one: bool| match (a, b) {
            (Some(a), Some(b)) => Some(join(a, b)),
            (a, b) => a.or(b).filter(|_| one),
        };
        match &cond.kind {
            ExprKind::Not(of) => self.flag(of, side.other()).map(not),
            ExprKind::And(a, b) => of_two(self.flag(a, side), self.flag(b, side), and, side == Side::High),
            ExprKind::Or(a, b) => of_two(self.flag(a, side), self.flag(b, side), or, side == Side::Low),
            ExprKind::If(when, yes, no) if self.is_same(when) => {
                let parts = [Some((**when).clone()), self.flag(yes, side), self.flag(no, side)];
                let [Some(when), yes, no] = parts else { return None };
                let unknown = |found: Option<Expr>| found.unwrap_or_else(|| word(cond, i64::from(side == Side::High)));
                let (yes, no) = (unknown(yes), unknown(no));
                Some(flag(cond, ExprKind::If(Box::new(when), Box::new(yes), Box::new(no))))
            }
            // Where the picks decide which branch counts: the one, and the other where it does not hold.
            ExprKind::If(when, yes, no) => {
                let one = and((**when).clone(), (**yes).clone());
                let other = and(not((**when).clone()), (**no).clone());
                let either = self.flag(&simple(or(simple(one), simple(other))), side);
                match side {
                    Side::High => either,
                    // Where both hold it does not matter which counts.
                    Side::Low => match (either, self.flag(&simple(and((**yes).clone(), (**no).clone())), side)) {
                        (Some(a), Some(b)) => Some(or(a, b)),
                        (a, b) => a.or(b),
                    },
                }
            }
            ExprKind::Some(of) if of.ty.is_many() => {
                let of = self.set(of, side)?;
                Some(flag(cond, ExprKind::Some(Box::new(of))))
            }
            ExprKind::In(item, set) => {
                let (item, set) = (self.fixed(item)?, self.set(set, side)?);
                let is_in = |item: Expr| flag(cond, ExprKind::In(Box::new(item), Box::new(set)));
                Some(item.map(is_in).said(side))
            }
            ExprKind::Any { over, binder, cond: body } => {
                let over = Box::new(self.set(over, side)?);
                let (reaches, outer) = (over.mentions(self.reach), self.reaching.get());
                if reaches && outer {
                    return None;
                }
                self.reaching.set(outer || reaches);
                let body = self.in_loop(body, side);
                self.reaching.set(outer);
                let kind = match (body, side) {
                    (Some(body), _) => ExprKind::Any { over, binder: *binder, cond: Box::new(body) },
                    (None, Side::High) => ExprKind::Some(over),
                    (None, Side::Low) => return None,
                };
                Some(flag(cond, kind))
            }
            ExprKind::All { over, binder, cond: body } => {
                let (over, body) = (self.set(over, side.other())?, self.in_loop(body, side)?);
                let kind = ExprKind::All { over: Box::new(over), binder: *binder, cond: Box::new(body) };
                Some(flag(cond, kind))
            }
            ExprKind::Compare(op, a, b) => self.compared(cond, *op, a, b, side),
            _ => None,
        }
    }

    fn compared(&self, cond: &Expr, op: CompareOp, a: &Expr, b: &Expr, side: Side) -> Option<Expr> {
        if op == CompareOp::Ne {
            return self.compared(cond, CompareOp::Eq, a, b, side.other()).map(not);
        }
        // `shape(cs) = led`: the value of the branch that counts, where the picks decide which.
        let branched = |of: &Expr, made: &dyn Fn(&Expr) -> Expr| match &of.bare().kind {
            ExprKind::If(when, yes, no) if !self.is_same(when) && !of.ty.is_many() && of.ty != Ty::Number => {
                let kind = ExprKind::If(when.clone(), Box::new(simple(made(yes))), Box::new(simple(made(no))));
                Some(flag(cond, kind))
            }
            _ => None,
        };
        let compare = |a: &Expr, b: &Expr| flag(cond, ExprKind::Compare(op, Box::new(a.clone()), Box::new(b.clone())));
        let branches = branched(a, &|a| compare(a, b)).or_else(|| branched(b, &|b| compare(a, b)));
        if let Some(branches) = branches {
            return self.flag(&branches, side);
        }
        if side == Side::High && op == CompareOp::Eq && (self.tells_apart(a, b) || self.tells_apart(b, a)) {
            return Some(compare(a, b));
        }
        let is_set = |expr: &Expr| expr.ty.is_many() && repr(&expr.ty) != Repr::List;
        if op == CompareOp::Eq && is_set(a) && is_set(b) {
            let within = |a: &Expr, b: &Expr| {
                let (a, b) = (self.set(a, side.other())?, self.set(b, side)?);
                Some(not(flag(cond, ExprKind::Some(Box::new(pair(&a.clone(), BinaryOp::Difference, a, b))))))
            };
            return match (within(a, b), within(b, a)) {
                (Some(a), Some(b)) => Some(and(a, b)),
                (a, b) => a.or(b).filter(|_| side == Side::High),
            };
        }
        if a.ty != Ty::Number || b.ty != Ty::Number {
            return None;
        }
        let ordered = |op: CompareOp| {
            // What is needed of `a <= b`: that the least `a` is no more than the most `b`.
            let (of_a, of_b) = match op {
                CompareOp::Le | CompareOp::Lt => (side.other(), side),
                _ => (side, side.other()),
            };
            let known = self
                .number(a, of_a)?
                .with(self.number(b, of_b)?, |a, b| flag(cond, ExprKind::Compare(op, Box::new(a), Box::new(b))));
            Some(known.said(side))
        };
        if op != CompareOp::Eq {
            return ordered(op);
        }
        match (ordered(CompareOp::Le), ordered(CompareOp::Ge)) {
            (Some(a), Some(b)) => Some(and(a, b)),
            (a, b) => a.or(b).filter(|_| side == Side::High),
        }
    }

    /// `count (gather F of S) = count S`: no two are alike, which stays false once it is.
    fn tells_apart(&self, values: &Expr, members: &Expr) -> bool {
        let (ExprKind::Count(values), ExprKind::Count(members)) = (&values.kind, &members.kind) else { return false };
        let ExprKind::Collect { op: CollectOp::Gather, over, body, .. } = &values.bare().kind else { return false };
        let grows = |over: &Expr| self.set(over, Side::Low).is_some_and(|low| alike(&low, over));
        alike(over, members) && grows(over) && self.is_same(body) && !may_be_missing(body)
    }

    /// A set or list that has no member which is missing in the end, or all that there are.
    fn set(&self, expr: &Expr, side: Side) -> Option<Expr> {
        if self.is_same(expr) {
            return Some(expr.clone());
        }
        let is_list = repr(&expr.ty) == Repr::List;
        let made = |kind| Some(Expr { kind, ty: expr.ty.clone(), span: expr.span });
        match &expr.kind {
            ExprKind::Local(_) if side == Side::Low => Some(expr.clone()),
            ExprKind::Local(_) => made(ExprKind::Local(self.reach)),
            ExprKind::ToSet(of) if of.ty.is_many() => made(ExprKind::ToSet(Box::new(self.set(of, side)?))),
            ExprKind::ToList(of) if of.ty.is_many() => made(ExprKind::ToList(Box::new(self.set(of, side)?))),
            ExprKind::Prop(of, prop) if of.ty.is_many() => made(ExprKind::Prop(Box::new(self.set(of, side)?), *prop)),
            ExprKind::Where { over, binder, cond } => {
                let over = self.set(over, side)?;
                match (self.in_loop(cond, side), side) {
                    (Some(cond), _) => {
                        made(ExprKind::Where { over: Box::new(over), binder: *binder, cond: Box::new(cond) })
                    }
                    (None, Side::High) if over.ty == expr.ty => Some(over),
                    (None, _) => None,
                }
            }
            ExprKind::Collect { op, over, binder, body } if self.is_same(body) => {
                let (over, body) = (Box::new(self.set(over, side)?), body.clone());
                made(ExprKind::Collect { op: *op, over, binder: *binder, body })
            }
            ExprKind::Having { over, .. } if side == Side::High => self.set(over, side).filter(|set| set.ty == expr.ty),
            ExprKind::If(when, yes, no) if self.is_same(when) => {
                let (yes, no) = (self.set(yes, side)?, self.set(no, side)?);
                made(ExprKind::If(when.clone(), Box::new(yes), Box::new(no)))
            }
            ExprKind::Binary(op, a, b) if !is_list => {
                let (low, both) = (side == Side::Low, |a, b| Some(pair(expr, *op, a, b)));
                let (a, other) = (self.set(a, side), if *op == BinaryOp::Difference { side.other() } else { side });
                match (op, a, self.set(b, other)) {
                    (BinaryOp::Union | BinaryOp::Both | BinaryOp::Difference, Some(a), Some(b)) => both(a, b),
                    (BinaryOp::Union, Some(set), None) | (BinaryOp::Union, None, Some(set)) if low => Some(set),
                    (BinaryOp::Both, Some(set), None) | (BinaryOp::Both, None, Some(set)) if !low => Some(set),
                    (BinaryOp::Difference, Some(set), None) if !low => Some(set),
                    _ => None,
                }
            }
            ExprKind::Builtin(
                function @ (Builtin::SitesOf | Builtin::PiecesOn | Builtin::Around | Builtin::Beside | Builtin::Step),
                args,
            ) => {
                let (of, rest) = args.split_first()?;
                if !of.ty.is_many() || !rest.iter().all(|arg| self.is_same(arg)) {
                    return None;
                }
                let args = std::iter::once(self.set(of, side)?).chain(rest.iter().cloned());
                made(ExprKind::Builtin(*function, args.collect()))
            }
            _ => None,
        }
        .filter(|made| self.is_fine(made))
    }

    /// A number that is no more than one is in the end, or no less.
    fn number(&self, expr: &Expr, side: Side) -> Option<Known> {
        if self.is_same(expr) {
            return Some(Known::always(expr.clone()));
        }
        let made = |kind| Expr { kind, ty: Ty::Number, span: expr.span };
        let known = match &expr.kind {
            ExprKind::Count(of) => Some(Known::always(made(ExprKind::Count(Box::new(self.set(of, side)?))))),
            ExprKind::Negate(of) => {
                Some(self.number(of, side.other())?.map(|value| made(ExprKind::Negate(Box::new(value)))))
            }
            ExprKind::Binary(op, a, b) => {
                let is_scaled = self.is_same(b) && self.is_positive(b);
                let divides = matches!(b.kind, ExprKind::Word(1..));
                let (of_b, b) = match op {
                    BinaryOp::Add => (side, b),
                    BinaryOp::Sub => (side.other(), b),
                    BinaryOp::Mul if is_scaled => (side, b),
                    BinaryOp::Div if divides => (side, b),
                    _ => return None,
                };
                Some(self.number(a, side)?.with(self.number(b, of_b)?, |a, b| pair(expr, *op, a, b)))
            }
            ExprKind::Builtin(function @ (Builtin::Smaller | Builtin::Larger), args) => {
                let [a, b] = args.as_slice() else { return None };
                let both = |a, b| made(ExprKind::Builtin(*function, vec![a, b]));
                Some(self.number(a, side)?.with(self.number(b, side)?, both))
            }
            ExprKind::If(when, yes, no) if self.is_same(when) => {
                let one = |yes, no| made(ExprKind::If(when.clone(), Box::new(yes), Box::new(no)));
                Some(self.number(yes, side)?.with(self.number(no, side)?, one))
            }
            // Whichever branch counts in the end.
            ExprKind::If(_, yes, no) => {
                let function = if side == Side::Low { Builtin::Smaller } else { Builtin::Larger };
                let either = |yes, no| made(ExprKind::Builtin(function, vec![yes, no]));
                Some(self.number(yes, side)?.with(self.number(no, side)?, either))
            }
            ExprKind::Fold { op, over, binder, body } if self.is_same(body) && !may_be_missing(body) => {
                self.folded(expr, (*op, over, *binder, body), side)
            }
            _ => self.fixed(expr).filter(|_| !may_be_missing(expr)),
        };
        known.filter(|known| self.is_fine(&known.value))
    }

    fn folded(
        &self,
        expr: &Expr,
        (op, over, binder, body): (FoldOp, &Expr, LocalId, &Expr),
        side: Side,
    ) -> Option<Known> {
        let fold = |over: Expr, body: Expr| {
            let kind = ExprKind::Fold { op, over: Box::new(over), binder, body: Box::new(body) };
            Expr { kind, ty: expr.ty.clone(), span: expr.span }
        };
        let positive = self.is_positive(body);
        if op == FoldOp::Sum {
            if positive {
                return Some(Known::always(fold(self.set(over, side)?, body.clone())));
            }
            if !over.bare().is_local(self.picks) {
                return None;
            }
            // What may still come counts only where it makes the sum less, or more.
            let function = if side == Side::Low { Builtin::Smaller } else { Builtin::Larger };
            let made = |kind| Expr { kind, ty: Ty::Number, span: body.span };
            let member = Expr { kind: ExprKind::Local(binder), ty: over.ty.element().clone(), span: body.span };
            let picked = flag(body, ExprKind::In(Box::new(member), Box::new(over.bare().clone())));
            let perhaps = made(ExprKind::Builtin(function, vec![body.clone(), word(body, 0)]));
            let one = made(ExprKind::If(Box::new(picked), Box::new(body.clone()), Box::new(perhaps)));
            return Some(Known::always(fold(self.set(over, Side::High)?, one)));
        }
        // The most of fewer is less, the least of fewer is more; of none, either is 0.
        let of = if op == FoldOp::Max { side } else { side.other() };
        let value = fold(self.set(over, of)?, body.clone());
        if over.bare().is_local(self.picks) || positive && op == FoldOp::Max {
            return Some(Known::always(value));
        }
        let low = self.set(over, Side::Low)?;
        Some(Known { when: vec![flag(expr, ExprKind::Some(Box::new(low)))], value })
    }

    /// A value that does not change any more where some conditions hold: what depends on the first member, where no
    /// earlier one is within reach.
    fn fixed(&self, expr: &Expr) -> Option<Known> {
        if self.is_same(expr) {
            return Some(Known::always(expr.clone()));
        }
        if let ExprKind::Builtin(Builtin::First, args) = &expr.kind
            && let [set] = args.as_slice()
            && repr(&set.ty) != Repr::List
        {
            let (low, high) = (self.set(set, Side::Low)?, self.set(set, Side::High)?);
            let first = |of: Expr| Expr { kind: ExprKind::Builtin(Builtin::First, vec![of]), ..expr.clone() };
            let when = flag(expr, ExprKind::In(Box::new(first(high)), Box::new(low.clone())));
            return Some(Known { when: vec![when], value: first(low) }).filter(|known| self.is_fine(&known.value));
        }
        if let ExprKind::Local(_) = expr.kind {
            return None;
        }
        let (mut made, mut when, mut is_known) = (expr.clone(), Vec::new(), true);
        made.each_part_mut(&mut |part| match self.fixed(part).filter(|_| is_known) {
            Some(known) => {
                *part = known.value;
                when.extend(known.when);
            }
            None => is_known = false,
        });
        let binder = expr.binder();
        is_known &= !when.iter().any(|when| binder.is_some_and(|binder| when.mentions(binder)));
        (is_known && !when.is_empty()).then_some(Known { when, value: made })
    }

    /// Whether a number is known to be no less than 0.
    fn is_positive(&self, expr: &Expr) -> bool {
        match &expr.kind {
            ExprKind::Word(word) => *word >= 0,
            ExprKind::Count(_) | ExprKind::Builtin(Builtin::EnumIndex | Builtin::Abs, _) => true,
            ExprKind::Builtin(Builtin::Smaller | Builtin::Larger, args) => args.iter().all(|arg| self.is_positive(arg)),
            ExprKind::Binary(BinaryOp::Add | BinaryOp::Mul, a, b) => self.is_positive(a) && self.is_positive(b),
            ExprKind::If(_, yes, no) => self.is_positive(yes) && self.is_positive(no),
            ExprKind::Prop(_, prop) => {
                let info = &self.builder.rules.props[prop.index()];
                let stored = matches!(info.class, PropClass::Field { .. } | PropClass::Counter { .. });
                stored && info.range.is_some_and(|(low, _)| low >= 0)
            }
            _ => false,
        }
    }
}

/// A condition without parts that are known: `and` and `or` of what holds or does not, equality of values that are written out.
fn simple(cond: Expr) -> Expr {
    let known = |of: &Expr| match of.kind {
        ExprKind::Word(word) => Some(word),
        _ => None,
    };
    let span = cond.span;
    let constant = |holds: bool| Expr { kind: ExprKind::Word(i64::from(holds)), ty: Ty::Flag, span };
    match cond.kind {
        ExprKind::And(a, b) => match (known(&a), known(&b)) {
            (Some(0), _) | (_, Some(0)) => constant(false),
            (Some(_), _) => *b,
            (_, Some(_)) => *a,
            _ => Expr { kind: ExprKind::And(a, b), ..cond },
        },
        ExprKind::Or(a, b) => match (known(&a), known(&b)) {
            (Some(0), _) => *b,
            (_, Some(0)) => *a,
            (Some(_), _) | (_, Some(_)) => constant(true),
            _ => Expr { kind: ExprKind::Or(a, b), ..cond },
        },
        ExprKind::Compare(CompareOp::Eq, a, b) => match (known(&a), known(&b)) {
            (Some(a), Some(b)) => constant(a == b),
            _ => Expr { kind: ExprKind::Compare(CompareOp::Eq, a, b), ..cond },
        },
        kind => Expr { kind, ..cond },
    }
}

fn flag(like: &Expr, kind: ExprKind) -> Expr {
    Expr { kind, ty: Ty::Flag, span: like.span }
}

fn not(cond: Expr) -> Expr {
    flag(&cond.clone(), ExprKind::Not(Box::new(cond)))
}

fn or(a: Expr, b: Expr) -> Expr {
    flag(&a.clone(), ExprKind::Or(Box::new(a), Box::new(b)))
}

fn pair(like: &Expr, op: BinaryOp, a: Expr, b: Expr) -> Expr {
    Expr { kind: ExprKind::Binary(op, Box::new(a), Box::new(b)), ty: like.ty.clone(), span: like.span }
}

fn word(like: &Expr, word: i64) -> Expr {
    let ty = if like.ty == Ty::Flag { Ty::Flag } else { Ty::Number };
    Expr { kind: ExprKind::Word(word), ty, span: like.span }
}

/// Whether a value can be missing: what is missing counts for nothing.
fn may_be_missing(expr: &Expr) -> bool {
    expr.ty != *expr.ty.bare()
}
