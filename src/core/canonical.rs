//! One way to say each thing. An author may write `count S > 0`, `some S`, `0 < count S` or `not (count S = 0)`; all mean
//! that there is a member, and become `some S`, so that no later stage needs to know more than one of them. The rules are:
//!
//! - negations stand as far inward as they go: comparisons are turned around, `and` and `or` exchanged;
//! - a comparison has its constant on the right, and a count or sum on the left;
//! - whether a set has members is asked with `some`, also of `first(S)` and of a definition that counts; so is whether a
//!   filter leaves all of them;
//! - conditions that are constants, the same twice, or comparisons with a flag are gone;
//! - whether pieces of a kind or owner lie on some sites is asked of the sites of these pieces;
//! - what is `in` a range of numbers is compared with its ends, what is in a list that is written out with each item of it, unless these are
//!   directions or many, and the item at a place of such a list is itself;
//! - two comparisons of the same two values are one;
//! - what is `in` a filter, or in it and in another set, is asked of what may be in it, unless a loop makes the filter once for all;
//! - what is counted or added up of `values` is so of those that have them, and what gives nothing to a union is not asked whether
//!   it does;
//! - a filter by a definition's name is what is in both sets, and the name comes second;
//! - what is asked of each direction is asked of the site (`ways.rs`), and what is asked of a sum of what it adds to;
//! - what is asked only of where pieces lie is asked of the sites (`places.rs`);
//! - what comes first of a set that is sorted is what has the least or most;
//! - loops over a few constants are written out (`unroll.rs`);
//! - a filter of a filter is one filter, and numbers from one to another that are compared are fewer numbers.
//!
//! A rule applies where the value stays the same and so does whether there is one: what can fail is neither left out nor
//! asked of fewer members. Of two errors another may come first.

use super::lifted::{at_once, is_sites};
use super::lower::Lower;
use super::places::{by_sites, last_of_stack, only_site};
use super::rays::is_held;
use super::term::{Each, Form, Read, Term, Terms, Unary};
use super::ways::plainer;
use super::whole::{Sure, Whole};
use crate::model::rules::{
    BinaryOp, Builtin, CollectOp, CompareOp, ExprKind, FoldOp, ProcBody, ProcId, PropClass, Rules, Ty,
};
use std::collections::HashMap;

/// Parts of a value that may stand in several places.
pub(super) const LARGEST_VALUE: u32 = 6;
/// Parts of a filter of which something is asked.
const LARGEST_FILTER: u32 = 64;
/// Parts of what is asked of one thing in the place of whether it is in a set, at the most.
const LARGEST_TEST: u32 = 12;

/// Makes the terms of a procedure canonical.
pub struct Canonical<'t> {
    pub(super) rules: &'t Rules,
    pub(super) whole: &'t Whole<'t>,
    pub(super) terms: &'t mut Terms,
    pub(super) sure: &'t Sure,
    done: HashMap<Term, Term>,
}

impl<'t> Canonical<'t> {
    /// For terms of one site.
    pub fn new(rules: &'t Rules, whole: &'t Whole<'t>, terms: &'t mut Terms, sure: &'t Sure) -> Canonical<'t> {
        Canonical { rules, whole, terms, sure, done: HashMap::new() }
    }

    /// The canonical term that means the same.
    pub fn term(&mut self, term: Term) -> Term {
        if let Some(done) = self.done.get(&term) {
            return *done;
        }
        let parts = self.terms.parts(term).into_iter().map(|(part, _)| self.term(part)).collect();
        let whole = self.terms.with_parts(term, parts);
        let made = match self.step(whole) {
            Some(next) => self.term(next),
            None => whole,
        };
        self.done.insert(term, made);
        self.done.insert(made, made);
        made
    }

    pub(super) fn make(&mut self, like: Term, form: Form) -> Term {
        let span = self.terms.span(like);
        self.terms.make(form, Ty::Flag, span)
    }

    pub(super) fn not(&mut self, term: Term) -> Term {
        self.make(term, Form::Unary(Unary::Not, term))
    }

    pub(super) fn truth(&mut self, like: Term, truth: bool) -> Term {
        self.make(like, Form::Word(i64::from(truth)))
    }

    pub(super) fn word(&self, term: Term) -> Option<i64> {
        match self.terms.form(term) {
            Form::Word(word) => Some(*word),
            _ => None,
        }
    }

    pub(super) fn is_flag(&self, term: Term) -> bool {
        *self.terms.ty(term) == Ty::Flag
    }

    /// One step towards the canonical form, of a term whose parts are canonical.
    fn step(&mut self, term: Term) -> Option<Term> {
        if let Some(freed) = self.freed(term) {
            return Some(freed);
        }
        if let Some(direct) = self.direct(term).or_else(|| at_once(self.whole, self.terms, term)) {
            return Some(direct);
        }
        let plainer = plainer(self.whole, self.terms, self.sure, term);
        if let Some(plainer) = plainer.or_else(|| by_sites(self.whole, self.terms, term)) {
            return Some(plainer);
        }
        self.plainer(term).or_else(|| self.unrolled(term))
    }

    fn plainer(&mut self, term: Term) -> Option<Term> {
        match self.terms.form(term).clone() {
            Form::Unary(Unary::Not, a) => self.negated(term, a),
            Form::Unary(Unary::Some, a) => self.some(term, a),
            Form::Unary(Unary::Count, set) => {
                let count = self.how_many(set)?;
                Some(self.number(term, Form::Word(count)))
            }
            Form::Compare(op, a, b) => self.compared(term, op, a, b),
            Form::And(a, b) => self.joined(a, b, true),
            Form::Or(a, b) => self.joined(a, b, false),
            Form::If(cond, yes, no) => self.chosen(term, cond, yes, no),
            Form::Each(Each::Where, over, cond) => self.filtered(term, over, cond),
            Form::Each(Each::Collect(op @ (CollectOp::Union | CollectOp::Gather)), over, body) => {
                self.collected(term, op, over, body)
            }
            Form::Each(Each::Fold(FoldOp::Sum), over, body) => self.summed(term, over, body),
            Form::In(member, set) if self.is_board(set) => Some(self.make(term, Form::Unary(Unary::Some, member))),
            Form::In(member, set) => self
                .between(term, member, set)
                .or_else(|| only_site((self.whole, self.sure), self.terms, (member, set)))
                .or_else(|| self.member(term, member, set))
                .or_else(|| self.in_gathered(term, member, set))
                .or_else(|| self.one_of(term, member, set)),
            Form::Index(list, at) => self.item(term, list, at).or_else(|| last_of_stack(self.terms, list, at)),
            Form::Function(Builtin::First, args) => self.first_of_sorted(term, args[0]),
            Form::Function(Builtin::Beside, args) if self.goes_by_sides(term) => {
                let (ty, span) = (self.terms.ty(term).clone(), self.terms.span(term));
                Some(self.terms.make(Form::Function(Builtin::Around, args), ty, span))
            }
            Form::Binary(BinaryOp::Both, named, among) if self.is_named(named) && !self.is_named(among) => {
                Some(self.both(term, among, named))
            }
            Form::Binary(BinaryOp::Both, a, b) => {
                self.both_alike(term, a, b).or_else(|| self.cut(term, a, b)).or_else(|| self.cut(term, b, a))
            }
            _ => None,
        }
    }

    /// `empty(S)` on a board with an end: what of `S` is among its free sites.
    pub(super) fn free_of(&mut self, term: Term, sites: Term) -> Option<Term> {
        let ty = self.terms.ty(term).clone();
        let Ty::Site(board) = *ty.element().bare() else { return None };
        let ends = self.rules.boards.get(board.index()).is_some_and(|board| !board.endless());
        if !ends || *self.terms.ty(sites) != ty {
            return None;
        }
        let span = self.terms.span(term);
        let free = self.terms.make(Form::Function(Builtin::Empty, Vec::new()), ty, span);
        Some(self.both(term, sites, free))
    }

    /// Whether the neighbours on the board of some sites are those over their sides: hexes, and squares with four of them.
    fn goes_by_sides(&self, sites: Term) -> bool {
        let Ty::Site(board) = self.terms.ty(sites).element().bare() else { return false };
        let board = self.rules.boards.get(board.index()).filter(|board| !board.endless());
        board.is_some_and(|board| board.geometry.near == board.geometry.beside)
    }

    /// `sum (if P then x else 0) of S` is the sum of `x` of those of which it holds, and a sum of ones is a count.
    fn summed(&mut self, term: Term, over: Term, body: Term) -> Option<Term> {
        let (ty, span) = (self.terms.ty(term).clone(), self.terms.span(term));
        if self.word(body) == Some(1) {
            return Some(self.terms.make(Form::Unary(Unary::Count, over), ty, span));
        }
        let Form::If(cond, yes, no) = *self.terms.form(body) else { return None };
        let (cond, added) = match (self.word(yes), self.word(no)) {
            (_, Some(0)) => (cond, yes),
            (Some(0), _) => (self.not(cond), no),
            _ => return None,
        };
        let many = self.terms.ty(over).clone();
        let such = self.terms.make(Form::Each(Each::Where, over, cond), many, span);
        Some(self.terms.make(Form::Each(Each::Fold(FoldOp::Sum), such, added), ty, span))
    }

    /// What is in a set and in it again, or among all sites of its board: the set.
    fn both_alike(&self, term: Term, a: Term, b: Term) -> Option<Term> {
        let set = if self.is_board(a) { b } else { Some(a).filter(|_| a == b || self.is_board(b))? };
        (self.terms.ty(set) == self.terms.ty(term)).then_some(set)
    }

    /// Whether a set is all sites of a board with an end.
    fn is_board(&self, set: Term) -> bool {
        let ends = matches!(self.terms.ty(set).element().bare(), Ty::Site(board) if !board.endless());
        ends && self.terms.is_function(set, Builtin::AllSites)
    }

    /// The item of a list that is written out, at a place that is.
    fn item(&mut self, term: Term, list: Term, at: Term) -> Option<Term> {
        let list = self.opened(list).unwrap_or(list);
        let Form::List(items) = self.terms.form(list) else { return None };
        let item = *items.get(usize::try_from(self.word(at)?).ok()?)?;
        let (ty, own) = (self.terms.ty(term), self.terms.ty(item));
        // What is missing has no place in a list.
        let fits = (own == ty || own.clone().maybe() == *ty)
            && items.iter().all(|item| self.is_value(*item) && !self.whole.can_fail_with_room(self.terms, *item));
        fits.then_some(item)
    }

    /// `first(S sorted by f(it))` of a set: `first(S having least f(it))`, which comes first of those, too; and so by several numbers.
    fn first_of_sorted(&mut self, term: Term, list: Term) -> Option<Term> {
        let Form::Each(Each::Sorted { down }, mut over, by) = *self.terms.form(list) else { return None };
        let mut keys = vec![by];
        while let Form::Each(Each::Sorted { down: also }, set, by) = *self.terms.form(over)
            && also == down
        {
            keys.push(by);
            over = set;
        }
        let ty = self.terms.ty(over).clone();
        let things = matches!(&ty, Ty::Set(item) if matches!(item.bare(), Ty::Entity(_) | Ty::Player | Ty::Site(_)));
        // What is missing comes first, as a list does that ends there; but one number that is missing is not looked at by `having`.
        let sure = if keys.len() > 1 { &keys[..keys.len() - 1] } else { &keys[..] };
        let numbers = keys.iter().all(|key| *self.terms.ty(*key).bare() == Ty::Number);
        if !things || !numbers || !sure.iter().all(|key| self.is_value(*key)) {
            return None;
        }
        let span = self.terms.span(list);
        let by = match keys[..] {
            [by] => by,
            _ => self.terms.make(Form::List(keys), Ty::List(Box::new(Ty::Number)), span),
        };
        let least = self.terms.make(Form::Each(Each::Having { most: down }, over, by), ty, span);
        let (ty, span) = (self.terms.ty(term).clone(), self.terms.span(term));
        Some(self.terms.make(Form::Function(Builtin::First, vec![least]), ty, span))
    }

    /// Whether a number is one of those from one to another.
    fn between(&mut self, term: Term, number: Term, range: Term) -> Option<Term> {
        let Form::Range(low, high) = *self.terms.form(range) else { return None };
        if self.whole.can_fail(self.terms, high) {
            return None;
        }
        let least = self.make(term, Form::Compare(CompareOp::Le, low, number));
        let most = self.make(term, Form::Compare(CompareOp::Le, number, high));
        Some(self.make(term, Form::And(least, most)))
    }

    /// What is counted, asked for or added up of values, of those that they are the values of: no list of values is made.
    fn direct(&mut self, term: Term) -> Option<Term> {
        let (ty, span) = (self.terms.ty(term).clone(), self.terms.span(term));
        match *self.terms.form(term) {
            Form::Each(Each::Collect(CollectOp::Values), over, own) => {
                let same = *self.terms.form(own) == Form::Bound(0) && *self.terms.ty(over) == ty;
                same.then_some(over)
            }
            Form::Unary(op @ (Unary::Count | Unary::Some), list) => {
                let over = match *self.terms.form(list) {
                    Form::Each(Each::Where, list, cond) => {
                        let (over, value) = self.values(list)?;
                        let cond = self.of_value(cond, value);
                        let ty = self.terms.ty(over).clone();
                        self.terms.make(Form::Each(Each::Where, over, cond), ty, span)
                    }
                    _ => self.values(list)?.0,
                };
                Some(self.terms.make(Form::Unary(op, over), ty, span))
            }
            Form::Each(Each::Fold(op), list, body) => {
                let (over, value) = self.values(list)?;
                let body = self.of_value(body, value);
                Some(self.terms.make(Form::Each(Each::Fold(op), over, body), ty, span))
            }
            _ => None,
        }
    }

    /// What a list has the values of, and the value of each, which is never missing.
    fn values(&self, list: Term) -> Option<(Term, Term)> {
        let Form::Each(Each::Collect(CollectOp::Values), over, value) = *self.terms.form(list) else { return None };
        let plain = matches!(self.terms.ty(value), Ty::Number | Ty::Flag | Ty::Player | Ty::Enum(_) | Ty::Site(_));
        let fits = plain && self.terms.size(value) <= LARGEST_VALUE && self.is_value(value);
        (fits && !self.whole.can_fail(self.terms, value)).then_some((over, value))
    }

    /// What is asked of each value, asked of what it is the value of.
    fn of_value(&mut self, asked: Term, value: Term) -> Term {
        let within = self.terms.lifted(asked, 1, 1);
        self.terms.put_member(within, value, 0)
    }

    /// Whether something is in what a filter leaves: it is there, and the filter leaves it.
    fn member(&mut self, term: Term, member: Term, set: Term) -> Option<Term> {
        // What is missing is in no set.
        let ty = self.terms.ty(member).bare();
        let plain = matches!(ty, Ty::Number | Ty::Player | Ty::Enum(_) | Ty::Site(_) | Ty::Direction(_));
        let (over, cond) = match ty {
            _ if self.terms.size(member) > 2 => return None,
            _ if plain && !self.is_worth_making(set, member) => self.filter_of(set)?,
            Ty::Entity(_) => self.filter_of(set).filter(|(over, cond)| {
                matches!(self.terms.form(*over), Form::Read(Read::InPlay(_), _)) && self.is_short(*cond)
            })?,
            _ => return None,
        };
        let there = self.make(term, Form::In(member, over));
        let left = self.terms.put_member(cond, member, 0);
        Some(self.make(term, Form::And(there, left)))
    }

    /// Whether a condition takes no longer to ask than whether something is in a set.
    fn is_short(&self, cond: Term) -> bool {
        let long = |form: &Form| match form {
            Form::Each(..) | Form::Call(..) | Form::Function(..) | Form::Script(..) => true,
            Form::Read(Read::Prop(prop), _) => {
                matches!(self.rules.props[prop.index()].class, PropClass::Stat { .. })
            }
            _ => false,
        };
        self.terms.size(cond) <= LARGEST_TEST && !self.terms.has(cond, &long)
    }

    /// What is in a set and in what a filter leaves: what is in both sets, and the filter leaves it.
    fn cut(&mut self, term: Term, set: Term, filter: Term) -> Option<Term> {
        let sets = matches!(self.terms.ty(term), Ty::Set(item) if matches!(item.bare(), Ty::Entity(_)));
        if !sets || self.is_worth_making(filter, set) {
            return None;
        }
        let (over, cond) = self.filter_of(filter)?;
        let both = self.both(term, set, over);
        let (ty, span) = (self.terms.ty(term).clone(), self.terms.span(term));
        Some(self.terms.make(Form::Each(Each::Where, both, cond), ty, span))
    }

    /// Whether a set is the same for all members of a loop that are asked about it, so that it is made once for them.
    fn is_worth_making(&self, set: Term, asked: Term) -> bool {
        let innermost = |term: Term| self.terms.innermost(term, 0);
        innermost(asked).is_some_and(|on| innermost(set).is_none_or(|innermost| innermost > on))
    }

    /// What a filter, or a definition that is one, filters, and its condition; none if it is never another set, which is
    /// worked out once, or may fail.
    fn filter_of(&mut self, set: Term) -> Option<(Term, Term)> {
        if self.whole.can_fail(self.terms, set) {
            return None;
        }
        let filter = self.opened(set).or_else(|| self.body_of(set)).unwrap_or(set);
        let Form::Each(Each::Where, over, cond) = *self.terms.form(filter) else { return None };
        let changes = |part: Term| self.whole.reads_play(self.terms, part);
        (changes(over) || changes(cond)).then_some((over, cond))
    }

    /// Whether a term is all cards or pieces of a definition.
    fn is_named(&self, term: Term) -> bool {
        matches!(self.terms.form(term), Form::Read(Read::EntitiesOf(_), _))
    }

    /// What is in two sets, as the type of a term that means this.
    pub(super) fn both(&mut self, like: Term, a: Term, b: Term) -> Term {
        let (ty, span) = (self.terms.ty(like).clone(), self.terms.span(like));
        self.terms.make(Form::Binary(BinaryOp::Both, a, b), ty, span)
    }

    fn negated(&mut self, term: Term, inner: Term) -> Option<Term> {
        match self.terms.form(inner).clone() {
            Form::Unary(Unary::Not, a) if self.is_value(a) => Some(a),
            Form::Word(word) => Some(self.truth(term, word == 0)),
            Form::And(a, b) => {
                let (a, b) = (self.not(a), self.not(b));
                Some(self.make(inner, Form::Or(a, b)))
            }
            Form::Or(a, b) => {
                let (a, b) = (self.not(a), self.not(b));
                Some(self.make(inner, Form::And(a, b)))
            }
            Form::Compare(op, a, b) => {
                // An order holds only between two values: what is missing is neither less nor not less.
                let total = matches!(op, CompareOp::Eq | CompareOp::Ne) || self.is_value(a) && self.is_value(b);
                total.then(|| self.make(inner, Form::Compare(op.negated(), a, b)))
            }
            _ => None,
        }
    }

    /// Whether a value is never missing.
    pub(super) fn is_value(&self, term: Term) -> bool {
        self.whole.is_value(self.terms, term, self.sure)
    }

    /// Whether a flag holds, as a flag: what is missing does not hold.
    pub(super) fn holds(&mut self, flag: Term) -> Term {
        if self.is_value(flag) {
            return flag;
        }
        let not = self.not(flag);
        self.not(not)
    }

    /// A flag of which is only asked whether it holds.
    fn asked(&self, flag: Term) -> Term {
        if let Form::Unary(Unary::Not, inner) = self.terms.form(flag)
            && let Form::Unary(Unary::Not, inner) = self.terms.form(*inner)
        {
            return self.asked(*inner);
        }
        flag
    }

    /// The term with the flags of which is only asked whether they hold without their double negations.
    fn freed(&mut self, term: Term) -> Option<Term> {
        let asked = |canonical: &Self, parts: &[Term]| parts.iter().any(|part| canonical.asked(*part) != *part);
        let (form, ty, span) = (self.terms.form(term).clone(), self.terms.ty(term).clone(), self.terms.span(term));
        let form = match form {
            Form::Unary(Unary::Not, a) if asked(self, &[a]) => Form::Unary(Unary::Not, self.asked(a)),
            Form::And(a, b) if asked(self, &[a, b]) => Form::And(self.asked(a), self.asked(b)),
            Form::Or(a, b) if asked(self, &[a, b]) => Form::Or(self.asked(a), self.asked(b)),
            Form::If(a, b, c) if asked(self, &[a]) => Form::If(self.asked(a), b, c),
            Form::Each(Each::Where, over, cond) if asked(self, &[cond]) => {
                Form::Each(Each::Where, over, self.asked(cond))
            }
            _ => return None,
        };
        Some(self.terms.make(form, ty, span))
    }

    /// What gives nothing adds nothing to what is collected: whether it gives something need not be asked before.
    fn collected(&mut self, term: Term, op: CollectOp, over: Term, body: Term) -> Option<Term> {
        let how = Each::Collect(op);
        let (ty, span) = (self.terms.ty(term).clone(), self.terms.span(term));
        if let Form::If(cond, yes, no) = *self.terms.form(body) {
            let (cond, body) = match (self.terms.form(yes), self.terms.form(no)) {
                (_, Form::Nothing) => (cond, yes),
                (Form::Nothing, _) => (self.not(cond), no),
                _ => return None,
            };
            let many = self.terms.ty(over).clone();
            let such = self.terms.make(Form::Each(Each::Where, over, cond), many, span);
            return Some(self.terms.make(Form::Each(how, such, body), ty, span));
        }
        let Form::Each(Each::Where, all, cond) = *self.terms.form(over) else { return None };
        let parts = self.terms.joined(cond, true);
        let gives = |part: &Term| matches!(*self.terms.form(*part), Form::Unary(Unary::Some, given) if given == body);
        let at = parts.iter().position(gives)?;
        if self.whole.can_fail(self.terms, over) || self.whole.can_fail(self.terms, body) {
            return None;
        }
        let rest = [&parts[..at], &parts[at + 1..]].concat();
        let over = self.terms.filtered(all, rest, span);
        Some(self.terms.make(Form::Each(how, over, body), ty, span))
    }

    pub(super) fn is_number(&self, term: Term) -> bool {
        *self.terms.ty(term) == Ty::Number
    }

    /// The canonical body of a definition in the place of its call. Arguments may stand there more than once, so that they must be simple.
    pub(super) fn opened(&mut self, call: Term) -> Option<Term> {
        let Form::Call(proc, args) = self.terms.form(call).clone() else { return None };
        if !self.whole.opens(proc) { None } else { self.body_for(proc, &args) }
    }

    /// The same of a definition that is too large to stand in the place of each call: of a filter only its condition is asked.
    fn body_of(&mut self, call: Term) -> Option<Term> {
        let Form::Call(proc, args) = self.terms.form(call).clone() else { return None };
        let ProcBody::Expr(body) = &self.rules.procs[proc.index()].body else { return None };
        let filter = matches!(&body.bare().kind, ExprKind::Where { .. });
        if filter { self.body_for(proc, &args).filter(|body| self.terms.size(*body) <= LARGEST_FILTER) } else { None }
    }

    fn body_for(&mut self, proc: ProcId, args: &[Term]) -> Option<Term> {
        if args.iter().any(|arg| self.terms.size(*arg) > 2) {
            return None;
        }
        let ProcBody::Expr(body) = &self.rules.procs[proc.index()].body else { return None };
        let body = Lower::new(self.terms).expr(body);
        let body = self.term(body);
        Some(self.terms.put_args(body, args))
    }

    /// `and` and `or` of what is known, or of the same twice.
    fn joined(&mut self, a: Term, b: Term, and: bool) -> Option<Term> {
        let neutral = i64::from(and);
        match (self.word(a), self.word(b)) {
            (Some(word), _) if word == neutral => return Some(self.holds(b)),
            (Some(_), _) => return Some(a),
            (_, Some(word)) if word == neutral => return Some(self.holds(a)),
            (_, Some(_)) if !self.whole.can_fail(self.terms, a) => return Some(b),
            _ => {}
        }
        if a == b {
            return Some(self.holds(a));
        }
        self.together(a, b, and)
    }

    fn chosen(&mut self, term: Term, cond: Term, yes: Term, no: Term) -> Option<Term> {
        if let Some(word) = self.word(cond) {
            let found = if word == 0 { no } else { yes };
            return (self.terms.ty(found) == self.terms.ty(term)).then_some(found);
        }
        if *self.terms.ty(term) != Ty::Flag {
            return None;
        }
        if !self.is_value(yes) || !self.is_value(no) {
            return None;
        }
        match (self.word(yes), self.word(no)) {
            (Some(1), _) => Some(self.make(term, Form::Or(cond, no))),
            (_, Some(0)) => Some(self.make(term, Form::And(cond, yes))),
            (Some(0), _) => {
                let not = self.not(cond);
                Some(self.make(term, Form::And(not, no)))
            }
            (_, Some(1)) => {
                let not = self.not(cond);
                Some(self.make(term, Form::Or(not, yes)))
            }
            _ => None,
        }
    }

    fn filtered(&mut self, term: Term, over: Term, cond: Term) -> Option<Term> {
        if self.word(cond) == Some(1) && self.terms.ty(over) == self.terms.ty(term) {
            return Some(over);
        }
        if let Some(narrowed) = self.narrowed(term, over, cond) {
            return Some(narrowed);
        }
        if let Form::In(member, named) = *self.terms.form(cond)
            && *self.terms.form(member) == Form::Bound(0)
            && self.is_named(named)
            && matches!(self.terms.ty(over).bare(), Ty::Set(_))
        {
            return Some(self.both(term, over, named));
        }
        if let Some(cut) = self.cut_by_sites(term, over, cond).or_else(|| self.lying_in_play(term, over, cond)) {
            return Some(cut);
        }
        // What lies on some sites may have a name.
        let lying = |terms: &Terms, set: Term| matches!(terms.form(set), Form::Function(Builtin::PiecesOn, _));
        if let Some(named) = self.opened(over).filter(|named| lying(self.terms, *named)) {
            let (ty, span) = (self.terms.ty(term).clone(), self.terms.span(term));
            return Some(self.terms.make(Form::Each(Each::Where, named, cond), ty, span));
        }
        let Form::Each(Each::Where, inner, first) = *self.terms.form(over) else { return None };
        let both = self.make(cond, Form::And(first, cond));
        let (ty, span) = (self.terms.ty(term).clone(), self.terms.span(term));
        Some(self.terms.make(Form::Each(Each::Where, inner, both), ty, span))
    }

    /// What lies on sites is in play: whether it is among what is in play of a kind is asked as its kind.
    fn lying_in_play(&mut self, term: Term, over: Term, cond: Term) -> Option<Term> {
        let Form::Function(Builtin::PiecesOn, _) = self.terms.form(over) else { return None };
        let Ty::Entity(base) = *self.terms.ty(over).element() else { return None };
        let mut parts = self.terms.joined(cond, true);
        let mut found = false;
        for part in &mut parts {
            let Form::In(member, set) = *self.terms.form(*part) else { continue };
            let Form::Read(Read::InPlay(kind), _) = *self.terms.form(set) else { continue };
            if *self.terms.form(member) == Form::Bound(0) {
                found = true;
                let is = Form::Unary(Unary::Is(kind), member);
                *part = if self.rules.is_below(base, kind) { self.truth(*part, true) } else { self.make(*part, is) };
            }
        }
        let span = self.terms.span(term);
        (found && self.terms.ty(over) == self.terms.ty(term)).then(|| self.terms.filtered(over, parts, span))
    }

    /// The set, the same for all, in which a condition says that the member of a loop over sites is.
    fn sites_of_member(&mut self, cond: Term) -> Option<Term> {
        let Form::In(member, set) = *self.terms.form(cond) else { return None };
        if *self.terms.form(member) != Form::Bound(0) || self.terms.binds(set) {
            return None;
        }
        if is_sites(self.terms.ty(set)) {
            return Some(set);
        }
        let Ty::Site(board) = *self.terms.ty(member).bare() else { return None };
        if board.endless() { None } else { self.as_set_of(set, &Ty::Site(board).set()) }
    }

    /// Sites of which those in another set are asked for, which is the same for all, or the free ones: what is in both sets. Sets of sites
    /// are small.
    fn cut_by_sites(&mut self, term: Term, over: Term, cond: Term) -> Option<Term> {
        if !is_sites(self.terms.ty(over)) {
            return None;
        }
        let (mut sets, mut rest) = (Vec::new(), Vec::new());
        let (all, mut free) = (self.is_board(over), false);
        for part in self.terms.joined(cond, true) {
            let asked_first = rest.iter().any(|before| self.whole.can_fail(self.terms, *before));
            let first = all && sets.is_empty() && rest.is_empty();
            if let Some(set) = self.sites_of_member(part)
                // Some site of the board is asked first in any case.
                && (first || !self.whole.can_fail(self.terms, set))
                && !asked_first
            {
                sets.push(self.terms.lifted(set, -1, 0));
            } else if self.is_free(part) && !asked_first {
                free = true;
            } else {
                rest.push(part);
            }
        }
        let first = if all && !sets.is_empty() { sets.remove(0) } else { over };
        if first == over && sets.is_empty() && !free {
            return None;
        }
        let (ty, span) = (self.terms.ty(term).clone(), self.terms.span(term));
        let mut cut = sets.into_iter().fold(first, |over, set| self.both(term, over, set));
        if free {
            let form = match self.terms.form(cut) {
                Form::Function(_, args) if args.is_empty() && self.is_board(cut) => {
                    Form::Function(Builtin::Empty, Vec::new())
                }
                _ => Form::Function(Builtin::EmptyOf, vec![cut]),
            };
            cut = self.terms.make(form, ty.clone(), span);
        }
        let cond = rest.into_iter().reduce(|first, second| self.make(cond, Form::And(first, second)));
        Some(match cond {
            Some(cond) => self.terms.make(Form::Each(Each::Where, cut, cond), ty, span),
            None => cut,
        })
    }

    /// Whether a condition of the member at hand, a site, is that nothing lies there.
    fn is_free(&self, cond: Term) -> bool {
        matches!(*self.terms.form(cond), Form::Unary(Unary::Not, held) if is_held(self.terms, held))
    }

    /// Numbers from one to another that are compared with what does not depend on them: fewer numbers.
    fn narrowed(&mut self, term: Term, over: Term, cond: Term) -> Option<Term> {
        let Form::Range(first, last) = *self.terms.form(over) else { return None };
        let (mut low, mut high) = (first, last);
        if self.whole.can_fail_with_room(self.terms, term) {
            return None;
        }
        let (mut rest, mut narrower) = (None, false);
        for part in self.terms.joined(cond, true) {
            match self.limits(part, first, last) {
                Some((least, most)) => {
                    narrower = true;
                    let mut tighter = |function, end: &mut Term, limit: Option<Term>| {
                        if let Some(limit) = limit {
                            *end = self.number(*end, Form::Function(function, vec![*end, limit]));
                        }
                    };
                    tighter(Builtin::Larger, &mut low, least);
                    tighter(Builtin::Smaller, &mut high, most);
                }
                None => rest = Some(rest.map_or(part, |rest| self.make(part, Form::And(rest, part)))),
            }
        }
        if !narrower {
            return None;
        }
        let (ty, span) = (self.terms.ty(over).clone(), self.terms.span(over));
        let fewer = self.terms.make(Form::Range(low, high), ty, span);
        if self.whole.can_fail_with_room(self.terms, fewer) {
            return None;
        }
        Some(match rest {
            Some(rest) => {
                let (ty, span) = (self.terms.ty(term).clone(), self.terms.span(term));
                self.terms.make(Form::Each(Each::Where, fewer, rest), ty, span)
            }
            None => fewer,
        })
    }

    /// The least and the most that a condition leaves of the numbers of a loop from `first` to `last`, as they are written outside of it.
    fn limits(&mut self, cond: Term, first: Term, last: Term) -> Option<(Option<Term>, Option<Term>)> {
        let Form::Compare(op, a, b) = *self.terms.form(cond) else { return None };
        let is_member = |term: Term| *self.terms.form(term) == Form::Bound(0);
        let (op, limit) = match (is_member(a), is_member(b)) {
            (true, false) => (op, b),
            (false, true) => (op.turned(), a),
            _ => return None,
        };
        if self.terms.binds(limit) || !self.is_number(limit) || !self.is_value(limit) {
            return None;
        }
        let limit = self.terms.lifted(limit, -1, 0);
        // The number beside the limit, where one of them is between the first and the last: it must not be too large to be one.
        let beside = |this: &mut Self, by: i64, function: Builtin, end: Term| {
            let step = this.number(limit, Form::Word(by));
            let next = |this: &mut Self, of: Term| this.number(limit, Form::Binary(BinaryOp::Add, of, step));
            let plain = next(this, limit);
            if !this.whole.can_fail(this.terms, plain) {
                return plain;
            }
            let near = this.number(limit, Form::Function(function, vec![limit, end]));
            next(this, near)
        };
        match op {
            CompareOp::Eq => Some((Some(limit), Some(limit))),
            CompareOp::Ge => Some((Some(limit), None)),
            CompareOp::Le => Some((None, Some(limit))),
            CompareOp::Gt => Some((Some(beside(self, 1, Builtin::Smaller, last)), None)),
            CompareOp::Lt => Some((None, Some(beside(self, -1, Builtin::Larger, first)))),
            CompareOp::Ne => None,
        }
    }

    pub(super) fn number(&mut self, like: Term, form: Form) -> Term {
        let span = self.terms.span(like);
        self.terms.make(form, Ty::Number, span)
    }
}
