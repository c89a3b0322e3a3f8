//! Changes of one piece that stand beside each other: each keeps what is there and adds to it, statements in front or
//! behind, ways to a `choose action` or `choose option`, terms to a sum or condition, cases in front by `if`.

use super::swap::{read_as, words};
use crate::base::{SourceMap, Span};
use crate::syntax::ast::{
    Act, BinaryOp, Block, Expr, ExprKind, Fragment, Ident, ItemKind, OptionArm, Stmt, StmtKind, Swap,
};
use crate::syntax::visit::{Visitor, walk_item};

/// What a change adds to what it keeps. Changes that add alike stand beside each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Adds {
    /// Only ways to a choice.
    Ways,
    Stmts,
    /// Terms, by this operator; `Add` for differences, too.
    Terms(BinaryOp),
    /// What counts where a condition holds, or does not: `if COND then X else OLD`. What comes later is asked first.
    Cases,
}

impl Adds {
    /// Whether two changes of one piece stand beside each other.
    pub fn beside(self, other: Adds) -> bool {
        matches!((self, other), (Adds::Ways | Adds::Stmts, Adds::Ways | Adds::Stmts)) || self == other
    }
}

/// What a change adds, if it keeps what is there.
pub(super) fn adds(swap: &Swap, sources: &SourceMap) -> Option<Adds> {
    match (&swap.old, &swap.new) {
        (Fragment::Stmts(old), Fragment::Stmts(new)) => {
            kept(&old.stmts, &new.stmts, sources)?;
            Some(if old.stmts.len() == new.stmts.len() { Adds::Ways } else { Adds::Stmts })
        }
        (Fragment::Expr(old), Fragment::Expr(new)) => {
            let old = words(old.span, sources);
            match new.kind {
                ExprKind::Binary(op, ..) => {
                    let op = chain(op)?;
                    is_term(new, op, &|expr| words(expr.span, sources) == old).then_some(Adds::Terms(op))
                }
                ExprKind::If(..) => {
                    last_case(&mut new.clone(), &|expr| words(expr.span, sources) == old).map(|_| Adds::Cases)
                }
                _ => None,
            }
        }
        _ => None,
    }
}

/// Adds to what stands at a place of an item what a change adds. False if it stands there no more.
pub(super) fn add(item: &mut ItemKind, place: Span, swap: Swap, sources: &SourceMap) -> bool {
    let old = match &swap.old {
        Fragment::Expr(expr) => words(expr.span, sources),
        Fragment::Stmts(_) => Vec::new(),
    };
    let mut adding = Adding { place, old, swap: Some(swap), sources };
    walk_item(&mut adding, item);
    adding.swap.is_none()
}

/// The operators that can follow each other in any order, by one of them.
fn chain(op: BinaryOp) -> Option<BinaryOp> {
    match op {
        BinaryOp::Add | BinaryOp::Sub => Some(BinaryOp::Add),
        BinaryOp::Or | BinaryOp::And | BinaryOp::Both => Some(op),
        _ => None,
    }
}

/// Whether one of the terms of a chain, of those that are not taken away, is a certain one.
fn is_term(expr: &Expr, op: BinaryOp, is_it: &dyn Fn(&Expr) -> bool) -> bool {
    is_it(expr)
        || match &expr.kind {
            ExprKind::Binary(other, left, right) if chain(*other) == Some(op) => {
                is_term(left, op, is_it) || *other != BinaryOp::Sub && is_term(right, op, is_it)
            }
            _ => false,
        }
}

/// What an `if` comes down to in one of its branches, or one of theirs.
fn last_case<'e>(expr: &'e mut Expr, is_it: &dyn Fn(&Expr) -> bool) -> Option<&'e mut Expr> {
    if is_it(expr) {
        return Some(expr);
    }
    let ExprKind::If(_, then, or_else) = &mut expr.kind else { return None };
    last_case(or_else, is_it).or_else(|| last_case(then, is_it))
}

/// Where the statements of a piece stand among others that keep them, once and in a row.
fn kept(old: &[Stmt], new: &[Stmt], sources: &SourceMap) -> Option<usize> {
    let fits = |at: &usize| {
        old.iter().zip(new.iter().skip(*at)).all(|(old, new)| {
            words(old.span, sources) == words(new.span, sources) || more_ways(old, new, sources).is_some()
        })
    };
    let mut places = (0..=new.len().checked_sub(old.len())?).filter(fits);
    match (places.next(), places.next()) {
        (Some(at), None) if !old.is_empty() => Some(at),
        _ => None,
    }
}

/// Ways that are added to a choice: actions, those behind `else`, or arms; each with the number of old ones before it.
enum Ways {
    Acts(Vec<(usize, Act)>, Vec<(usize, Act)>),
    Arms(Vec<(usize, OptionArm)>),
}

/// What one choice offers more than another that is the same otherwise.
fn more_ways(old: &Stmt, new: &Stmt, sources: &SourceMap) -> Option<Ways> {
    let said = |expr: &Option<Expr>| expr.as_ref().map(|expr| words(expr.span, sources));
    let exprs = |exprs: &[Expr]| exprs.iter().map(|expr| words(expr.span, sources)).collect::<Vec<_>>();
    match (&old.kind, &new.kind) {
        (
            StmtKind::ChooseAction { by: one, acts: few, or_else, prompt },
            StmtKind::ChooseAction { by: other, acts: many, or_else: more_else, prompt: heading },
        ) if said(one) == said(other) && text_of(prompt) == text_of(heading) => {
            let same =
                |one: &Act, other: &Act| one.name.text == other.name.text && exprs(&one.args) == exprs(&other.args);
            Some(Ways::Acts(extras(few, many, same)?, extras(or_else, more_else, same)?))
        }
        (
            StmtKind::ChooseOption { by: one, arms: few, prompt },
            StmtKind::ChooseOption { by: other, arms: many, prompt: heading },
        ) if said(one) == said(other) && text_of(prompt) == text_of(heading) => {
            let same = |one: &OptionArm, other: &OptionArm| {
                one.text.text == other.text.text
                    && said(&one.cond) == said(&other.cond)
                    && words(one.body.span, sources) == words(other.body.span, sources)
            };
            Some(Ways::Arms(extras(few, many, same)?))
        }
        _ => None,
    }
}

fn text_of(name: &Option<Ident>) -> Option<&str> {
    name.as_ref().map(|name| name.text.as_str())
}

/// What stands in a list besides all of another in its order, each with the number of those before it.
fn extras<T: Clone>(old: &[T], new: &[T], same: impl Fn(&T, &T) -> bool) -> Option<Vec<(usize, T)>> {
    let (mut before, mut more) = (0, Vec::new());
    for each in new {
        if old.get(before).is_some_and(|old| same(old, each)) {
            before += 1;
        } else {
            more.push((before, each.clone()));
        }
    }
    (before == old.len()).then_some(more)
}

struct Adding<'a> {
    place: Span,
    /// The words of an expression.
    old: Vec<&'a str>,
    swap: Option<Swap>,
    sources: &'a SourceMap,
}

impl Adding<'_> {
    /// Puts an expression in the place of the term that says the same.
    fn put(&self, within: &mut Expr, kept: &mut Option<Expr>) {
        if words(within.span, self.sources) == self.old {
            if let Some(kept) = kept.take() {
                *within = kept;
            }
        } else if let ExprKind::Binary(op, left, right) = &mut within.kind {
            self.put(left, kept);
            if *op != BinaryOp::Sub {
                self.put(right, kept);
            }
        }
    }

    /// Whether something stood in the item before anything was added.
    fn first(&self, span: Span) -> bool {
        span.file == self.place.file
    }

    /// Puts new members into a list, each behind what others have added there.
    fn insert<T>(&self, list: &mut Vec<T>, more: Vec<(usize, T)>, span: impl Fn(&T) -> Span) {
        for (before, each) in more.into_iter().rev() {
            let mut olds = list.iter().enumerate().filter(|(_, old)| self.first(span(old))).map(|(at, _)| at);
            let at = olds.nth(before).unwrap_or(list.len());
            list.insert(at, each);
        }
    }
}

impl Visitor for Adding<'_> {
    fn expr(&mut self, expr: &mut Expr) -> bool {
        let place = self.place;
        read_as(expr, place);
        let cases = |new: &Fragment| matches!(new, Fragment::Expr(Expr { kind: ExprKind::If(..), .. }));
        // Cases stand before those that others have put there, terms behind theirs.
        let stands = expr.span == place
            || !self.first(expr.span)
                && self.swap.as_ref().is_some_and(|swap| match &swap.new {
                    new if cases(new) => last_case(expr, &|expr| expr.span == place).is_some(),
                    Fragment::Expr(Expr { kind: ExprKind::Binary(op, ..), .. }) => {
                        chain(*op).is_some_and(|op| is_term(expr, op, &|term| term.span == place))
                    }
                    _ => false,
                });
        if stands
            && let Some(Swap { new: Fragment::Expr(mut new), .. }) =
                self.swap.take_if(|swap| matches!(swap.new, Fragment::Expr(_)))
        {
            match last_case(&mut new, &|expr| words(expr.span, self.sources) == self.old) {
                Some(old) => *old = expr.clone(),
                None => self.put(&mut new, &mut Some(expr.clone())),
            }
            *expr = new;
        }
        self.swap.is_some()
    }

    fn block(&mut self, block: &mut Block) -> bool {
        let starts = |stmt: &Stmt| self.first(stmt.span) && stmt.span.start == self.place.start;
        let ends = |stmt: &Stmt| self.first(stmt.span) && stmt.span.end == self.place.end;
        let (from, to) = (block.stmts.iter().position(starts), block.stmts.iter().position(ends));
        let (Some(from), Some(to)) = (from, to) else { return true };
        let Some(Swap { old: Fragment::Stmts(old), new: Fragment::Stmts(new), .. }) =
            self.swap.take_if(|swap| matches!(swap.new, Fragment::Stmts(_)))
        else {
            return true;
        };
        let Some(at) = kept(&old.stmts, &new.stmts, self.sources) else { return false };
        let mut before = new.stmts;
        let mut behind = before.split_off(at);
        let after = behind.split_off(old.stmts.len());
        let there = block.stmts.iter_mut().skip(from).take(to + 1 - from);
        for (there, (old, new)) in there.zip(old.stmts.iter().zip(&behind)) {
            match (&mut there.kind, more_ways(old, new, self.sources)) {
                (StmtKind::ChooseAction { acts, or_else, .. }, Some(Ways::Acts(more, more_else))) => {
                    self.insert(acts, more, |act| act.name.span);
                    self.insert(or_else, more_else, |act| act.name.span);
                }
                (StmtKind::ChooseOption { arms, .. }, Some(Ways::Arms(more))) => {
                    self.insert(arms, more, |arm| arm.text.span);
                }
                _ => {}
            }
        }
        let others = block.stmts.iter().skip(to + 1).take_while(|stmt| !self.first(stmt.span)).count();
        let end = to + 1 + others;
        block.stmts.splice(end..end, after);
        block.stmts.splice(from..from, before);
        false
    }
}
