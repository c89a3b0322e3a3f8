//! A filter over things of several kinds whose condition asks of which kind each is, as a filter for each kind. In
//! `man where owner = p and s in (if it is pawn then steps(it) else if it is rook then lines(it) else jumps(it))` the kind of
//! a member decides what else is asked; among the pawns alone, nothing but `s in steps(it)` is. So the condition is known
//! before play as far as kinds go, and what is left of it can be worked out for all pawns at once.
//!
//! Definitions that ask for the kind of what they are given are opened for it, and so are formulas of stats, in which what the
//! clauses of kinds add asks for it (`modifiers.rs`). Only a filter over things that are in play is split: sets of these are kept by kind.

use super::canonical::Canonical;
use super::opening::Opening;
use super::term::{Each, Form, Read, Term, Terms, Unary};
use super::whole::{Sure, Whole};
use crate::model::rules::walk::each_expr;
use crate::model::rules::{BinaryOp, CollectOp, ExprKind, KindId, Proc, Rules, Ty};
use std::collections::BTreeSet;

/// Parts that are made of one expression, at the most.
const MOST_MADE: u32 = 4_000;

/// Whether a procedure asks for what is in play of a kind.
pub fn looks_at_kinds(proc: &Proc) -> bool {
    let mut found = false;
    each_expr(proc, &mut |expr| expr.walk(&mut |part| found |= matches!(part.kind, ExprKind::InPlay(_))));
    found
}

/// What is asked of the members of one kind: conditions, and what is worked out of each.
type Asked = (Vec<Term>, Option<Term>);

/// Splits the filters of one procedure.
pub struct Kinds<'t> {
    rules: &'t Rules,
    whole: &'t Whole<'t>,
    terms: &'t mut Terms,
    sure: &'t Sure,
    exist: &'t BTreeSet<KindId>,
    left: u32,
}

impl<'t> Kinds<'t> {
    /// For terms of one site, of a game in which these kinds exist.
    pub fn new(
        rules: &'t Rules,
        whole: &'t Whole<'t>,
        terms: &'t mut Terms,
        sure: &'t Sure,
        exist: &'t BTreeSet<KindId>,
    ) -> Kinds<'t> {
        Kinds { rules, whole, terms, sure, exist, left: MOST_MADE }
    }

    /// The term that means the same.
    pub fn term(&mut self, term: Term) -> Term {
        let term = self.by_kinds(term).unwrap_or(term);
        let term = self.with_tests(term);
        let parts = self.terms.parts(term).into_iter().map(|(part, _)| self.term(part)).collect();
        self.terms.with_parts(term, parts)
    }

    fn by_kinds(&mut self, term: Term) -> Option<Term> {
        let Form::Unary(Unary::Some, set) = *self.terms.form(term) else {
            let sets = self.split(term).or_else(|| self.unions(term))?;
            return Some(self.sum(term, sets));
        };
        // Whether there is a member is asked kind by kind.
        let sets = self.split(set)?;
        let some: Vec<Term> = sets.into_iter().map(|set| self.make(term, Form::Unary(Unary::Some, set))).collect();
        let any = some.into_iter().reduce(|a, b| self.make(term, Form::Or(a, b)));
        Some(any.unwrap_or_else(|| self.make(term, Form::Word(0))))
    }

    fn sum(&mut self, like: Term, sets: Vec<Term>) -> Term {
        let sum = sets.into_iter().reduce(|a, b| self.make(like, Form::Binary(BinaryOp::Union, a, b)));
        sum.unwrap_or_else(|| self.make(like, Form::Nothing))
    }

    /// A filter as one for each of the kinds for which something else is asked.
    fn split(&mut self, term: Term) -> Option<Vec<Term>> {
        let Form::Each(Each::Where, over, cond) = *self.terms.form(term) else { return None };
        let conds = self.terms.joined(cond, true);
        let found = self.of_each_kind(over, &conds, None)?;
        Some(found.into_iter().map(|(set, _)| set).collect())
    }

    /// What is collected of the members of a filter, kind by kind.
    fn unions(&mut self, term: Term) -> Option<Vec<Term>> {
        let Form::Each(op @ Each::Collect(CollectOp::Union), set, body) = *self.terms.form(term) else { return None };
        if !matches!(self.terms.ty(term), Ty::Set(item) if !matches!(**item, Ty::Site(board) if board.endless())) {
            return None;
        }
        let (over, conds) = match *self.terms.form(set) {
            Form::Each(Each::Where, over, cond) => (over, self.terms.joined(cond, true)),
            _ => (set, Vec::new()),
        };
        let found = self.of_each_kind(over, &conds, Some(body))?.into_iter();
        let of_kind = found.filter_map(|(set, body)| Some((set, body?)));
        Some(of_kind.map(|(set, body)| self.make(term, Form::Each(op, set, body))).collect())
    }

    /// The members of a set of which conditions hold, for each of the kinds for which something else is asked, and what is worked out of
    /// them, if anything is.
    fn of_each_kind(&mut self, over: Term, conds: &[Term], body: Option<Term>) -> Option<Vec<(Term, Option<Term>)>> {
        let Form::Read(Read::InPlay(base), _) = *self.terms.form(over) else { return None };
        let kinds: Vec<KindId> = self.exist.iter().copied().filter(|kind| self.rules.is_below(*kind, base)).collect();
        if kinds.len() < 2 {
            return None;
        }
        // What is asked of the kind alone is a filter by itself.
        let (own, asked): (Vec<Term>, Vec<Term>) = conds.iter().partition(|part| is_test(self.terms, **part));
        let before = self.left;
        let opened: Option<Vec<Term>> = asked.iter().chain(&body).map(|part| self.open(*part)).collect();
        let opened = opened.filter(|parts| parts.iter().any(|part| asks_kind(self.terms, *part, 0)));
        let Some(mut opened) = opened else {
            self.left = before;
            return None;
        };
        let body = body.and_then(|_| opened.pop());
        let span = self.terms.span(over);
        let conds: Vec<Term> = own.into_iter().chain(opened).collect();
        let mut groups: Vec<(Asked, BTreeSet<KindId>)> = Vec::new();
        for kind in kinds {
            let mut of = |part: Term| {
                let part = self.of_kind(part, kind, 0);
                self.left = self.left.checked_sub(self.terms.size(part))?;
                Some(Canonical::new(self.rules, self.whole, self.terms, self.sure).term(part))
            };
            let mut conds: Vec<Term> = conds.iter().map(|cond| of(*cond)).collect::<Option<_>>()?;
            let body = body.map_or(Some(None), |body| of(body).map(Some))?;
            // What holds of all of a kind is not asked of its members.
            conds.retain(|cond| *self.terms.form(*cond) != Form::Word(1));
            let asked = (conds, body);
            match groups.iter_mut().find(|(other, _)| *other == asked) {
                Some((_, kinds)) => _ = kinds.insert(kind),
                None => groups.push((asked, BTreeSet::from([kind]))),
            }
        }
        let mut found = Vec::new();
        let never = |terms: &Terms, part: &Term| matches!(terms.form(*part), Form::Word(0) | Form::Nothing);
        groups.retain(|((conds, body), _)| !conds.iter().chain(body).any(|part| never(self.terms, part)));
        for ((conds, body), kinds) in groups {
            for over in self.sets(over, base, &kinds) {
                found.push((self.terms.filtered(over, conds.clone(), span), body));
            }
        }
        Some(found)
    }

    /// A filter in which what hangs on the kind of a member alone is asked as its kind: `might(it) > 3` of the kinds for which that is so.
    fn with_tests(&mut self, term: Term) -> Term {
        let Form::Each(Each::Where, over, cond) = *self.terms.form(term) else { return term };
        let base = match self.terms.ty(over) {
            Ty::Set(item) | Ty::List(item) => match **item {
                Ty::Entity(kind) => kind,
                _ => return term,
            },
            _ => return term,
        };
        let kinds: BTreeSet<KindId> =
            self.exist.iter().copied().filter(|kind| self.rules.is_below(*kind, base)).collect();
        if kinds.len() < 2 {
            return term;
        }
        let tests = self.test_of(cond, base, &kinds);
        if tests == cond {
            return term;
        }
        let such = self.make(term, Form::Each(Each::Where, over, tests));
        Canonical::new(self.rules, self.whole, self.terms, self.sure).term(such)
    }

    /// A condition as one on the kind of the member, as far as it is one.
    fn test_of(&mut self, cond: Term, base: KindId, kinds: &BTreeSet<KindId>) -> Term {
        if is_test(self.terms, cond) || !self.terms.binds_in(cond, 0) {
            return cond;
        }
        if let Form::And(..) | Form::Or(..) | Form::Unary(Unary::Not, _) = self.terms.form(cond) {
            let parts = self.terms.parts(cond).into_iter();
            let parts = parts.map(|(part, _)| self.test_of(part, base, kinds)).collect();
            return self.terms.with_parts(cond, parts);
        }
        let before = self.left;
        let holds = self.holding(cond, kinds);
        self.left = before;
        let Some(holds) = holds else { return cond };
        let fails = kinds - &holds;
        if holds.len() <= fails.len() {
            return self.is_one_of(cond, base, &holds);
        }
        let others = self.is_one_of(cond, base, &fails);
        Canonical::new(self.rules, self.whole, self.terms, self.sure).not(others)
    }

    /// The kinds for whose members a condition holds, if it hangs on nothing else.
    fn holding(&mut self, cond: Term, kinds: &BTreeSet<KindId>) -> Option<BTreeSet<KindId>> {
        let opened = self.open(cond).filter(|opened| asks_kind(self.terms, *opened, 0))?;
        let mut holds = BTreeSet::new();
        for kind in kinds {
            let of = self.of_kind(opened, *kind, 0);
            let of = Canonical::new(self.rules, self.whole, self.terms, self.sure).term(of);
            match self.terms.form(of) {
                Form::Word(1) => _ = holds.insert(*kind),
                Form::Word(0) => {}
                _ => return None,
            }
        }
        Some(holds)
    }

    fn make(&mut self, like: Term, form: Form) -> Term {
        let (ty, span) = (self.terms.ty(like).clone(), self.terms.span(like));
        self.terms.make(form, ty, span)
    }

    /// What is in play of some of the kinds below one, as few sets as do.
    fn sets(&mut self, like: Term, base: KindId, kinds: &BTreeSet<KindId>) -> Vec<Term> {
        let mut sets = Vec::new();
        for (kind, without) in self.parted(base, kinds) {
            let mut set = self.in_play(like, kind);
            for child in without {
                let (ty, span) = (self.terms.ty(set).clone(), self.terms.span(set));
                let child = self.in_play(like, child);
                set = self.terms.make(Form::Binary(BinaryOp::Difference, set, child), ty, span);
            }
            sets.push(set);
        }
        sets
    }

    /// Whether the member of a loop is of one of some kinds below one.
    fn is_one_of(&mut self, like: Term, base: KindId, kinds: &BTreeSet<KindId>) -> Term {
        let span = self.terms.span(like);
        let member = self.terms.make(Form::Bound(0), Ty::Entity(base), span);
        let mut tests = Vec::new();
        for (kind, without) in self.parted(base, kinds) {
            let mut test = self.make(like, Form::Unary(Unary::Is(kind), member));
            for child in without {
                let child = self.make(like, Form::Unary(Unary::Is(child), member));
                let other = self.make(like, Form::Unary(Unary::Not, child));
                test = self.make(like, Form::And(test, other));
            }
            tests.push(test);
        }
        let any = tests.into_iter().reduce(|a, b| self.make(like, Form::Or(a, b)));
        any.unwrap_or_else(|| self.make(like, Form::Word(0)))
    }

    /// Some of the kinds below one, as few as do, each with the kinds just below it that are none of them.
    fn parted(&self, base: KindId, kinds: &BTreeSet<KindId>) -> Vec<(KindId, Vec<KindId>)> {
        let (rules, exist) = (self.rules, self.exist);
        let below = |kind: KindId| exist.iter().filter(move |other| rules.is_below(**other, kind));
        let all_of = |kind: KindId| below(kind).next().is_some() && below(kind).all(|other| kinds.contains(other));
        let every = || (0..rules.kinds.len() as u32).map(KindId).filter(|kind| rules.is_below(*kind, base));
        let whole: Vec<KindId> = every()
            .filter(|kind| all_of(*kind))
            .filter(|kind| *kind == base || !rules.kinds[kind.index()].parent.is_some_and(all_of))
            .collect();
        let apart = kinds.iter().filter(|kind| !whole.iter().any(|whole| rules.is_below(**kind, *whole)));
        let apart: Vec<(KindId, Vec<KindId>)> = apart
            .map(|kind| (*kind, every().filter(|child| rules.kinds[child.index()].parent == Some(*kind)).collect()))
            .collect();
        whole.into_iter().map(|kind| (kind, Vec::new())).chain(apart).collect()
    }

    fn in_play(&mut self, like: Term, kind: KindId) -> Term {
        let span = self.terms.span(like);
        self.terms.make(Form::Read(Read::InPlay(kind), Vec::new()), Ty::Entity(kind).set(), span)
    }

    /// A condition with the definitions opened that ask for the kind of the member; none if that gets too long.
    fn open(&mut self, term: Term) -> Option<Term> {
        let (whole, left) = (self.whole, &mut self.left);
        Opening { whole, terms: self.terms, asks: asks_a_kind, me: None, told: false, left }.open(term, 0)
    }

    /// A condition as it is for a member of one kind.
    fn of_kind(&mut self, term: Term, kind: KindId, depth: u32) -> Term {
        if !self.terms.binds_in(term, depth) {
            return term;
        }
        if let Some(asked) = asked(self.terms, term, depth) {
            let (is, span) = (self.rules.is_below(kind, asked), self.terms.span(term));
            return self.terms.make(Form::Word(i64::from(is)), Ty::Flag, span);
        }
        // What is not asked for a member of this kind need not be made.
        if let Form::If(cond, yes, no) = *self.terms.form(term)
            && let Some(asked) = asked(self.terms, cond, depth)
        {
            return self.of_kind(if self.rules.is_below(kind, asked) { yes } else { no }, kind, depth);
        }
        self.parts_of_kind(term, kind, depth)
    }

    fn parts_of_kind(&mut self, term: Term, kind: KindId, depth: u32) -> Term {
        let parts = self.terms.parts(term).into_iter();
        let parts = parts.map(|(part, bound)| self.of_kind(part, kind, depth + bound)).collect();
        self.terms.with_parts(term, parts)
    }
}

/// Whether a form asks of which kind something is.
fn asks_a_kind(_: &Rules, terms: &Terms, form: &Form) -> bool {
    match form {
        Form::Unary(Unary::Is(_), _) => true,
        Form::In(_, set) => matches!(terms.form(*set), Form::Read(Read::InPlay(_), _)),
        _ => false,
    }
}

/// The kind of which it is asked whether the member of a loop is of it. What is in play of the kind are those members.
fn asked(terms: &Terms, term: Term, depth: u32) -> Option<KindId> {
    let is_member = |term: Term| *terms.form(term) == Form::Bound(depth);
    match *terms.form(term) {
        Form::Unary(Unary::Is(kind), member) if is_member(member) => Some(kind),
        Form::In(member, set) if is_member(member) => match *terms.form(set) {
            Form::Read(Read::InPlay(kind), _) => Some(kind),
            _ => None,
        },
        _ => None,
    }
}

/// `it is KIND`, or that it is not.
fn is_test(terms: &Terms, term: Term) -> bool {
    match *terms.form(term) {
        Form::Unary(Unary::Not, inner) => is_test(terms, inner),
        _ => asked(terms, term, 0).is_some(),
    }
}

/// Whether it is asked of which kind the member of a loop is.
fn asks_kind(terms: &Terms, term: Term, depth: u32) -> bool {
    asked(terms, term, depth).is_some()
        || terms.parts(term).into_iter().any(|(part, bound)| asks_kind(terms, part, depth + bound))
}
