//! Comparisons in canonical words: a constant stands on the right, what is counted on the left, and whether there is one is asked with
//! `some`.

use super::canonical::{Canonical, LARGEST_VALUE};
use super::term::{Each, Form, Term, Unary};
use crate::model::rules::{BinaryOp, Builtin, CompareOp, Ty};
use std::collections::BTreeSet;

/// Items of a list with each of which something is compared.
const MOST_ITEMS: usize = 4;
/// Parts of a group that is asked about its neighbours instead.
const LARGEST_GROUP: u32 = 24;
/// Parts of what is compared with several constants.
const FEW_PARTS: u32 = 6;

impl Canonical<'_> {
    pub(super) fn compared(&mut self, term: Term, op: CompareOp, a: Term, b: Term) -> Option<Term> {
        if let (Some(x), Some(y), true) = (self.word(a), self.word(b), self.is_number(a)) {
            return Some(self.truth(term, op.holds(x, y)));
        }
        if let (true, CompareOp::Eq | CompareOp::Ne) = (a == b, op)
            && !self.whole.can_fail(self.terms, a)
        {
            return Some(self.truth(term, op == CompareOp::Eq));
        }
        if self.rank(a) < self.rank(b) {
            return Some(self.make(term, Form::Compare(op.turned(), b, a)));
        }
        let other = self.all_of(op, a, b).or_else(|| self.shifted(term, op, a, b));
        let other =
            other.or_else(|| self.with_each(term, op, a, b)).or_else(|| self.with_each(term, op.turned(), b, a));
        if let Some(other) = other.or_else(|| self.beside(term, op, a, b)) {
            return Some(other);
        }
        let constant = self.word(b)?;
        if let Some(truth) = self.within_bounds(op, a, constant) {
            return Some(self.truth(term, truth));
        }
        if let Some(cases) = self.cases(a) {
            // What is missing is no number, and neither less nor more than one.
            let holds = |word: Option<i64>| word.map_or(op == CompareOp::Ne, |word| op.holds(word, constant));
            return Some(self.of_cases(cases, &holds));
        }
        if self.is_flag(a) && self.is_flag(b) {
            return match (op, constant) {
                (CompareOp::Eq, 1) => Some(self.holds(a)),
                (CompareOp::Ne, 1) => Some(self.not(a)),
                // What is missing is not `false`.
                (CompareOp::Ne, 0) if self.is_value(a) => Some(a),
                (CompareOp::Eq, 0) if self.is_value(a) => Some(self.not(a)),
                _ => None,
            };
        }
        if let Some(other) = self.at_limit(op, a, constant) {
            return Some(other);
        }
        if let Some(other) = self.all_counted(op, a, constant).or_else(|| self.alone(op, a, constant)) {
            return Some(other);
        }
        let some = match (op, constant) {
            (CompareOp::Gt | CompareOp::Ne, 0) | (CompareOp::Ge, 1) => true,
            (CompareOp::Eq | CompareOp::Le, 0) | (CompareOp::Lt, 1) => false,
            _ => return None,
        };
        let counted = self.counted(a)?;
        // Asked whether there is one, the rest of the members are not looked at.
        if self.whole.can_fail_with_room(self.terms, counted) {
            return None;
        }
        let found = self.make(term, Form::Unary(Unary::Some, counted));
        Some(if some { found } else { self.not(found) })
    }

    /// What the bounds of a number say of a comparison with a constant: a count is never less than 0.
    fn within_bounds(&self, op: CompareOp, number: Term, constant: i64) -> Option<bool> {
        if !self.is_number(number) || !self.is_value(number) || self.whole.can_fail(self.terms, number) {
            return None;
        }
        let (low, high) = self.whole.between(self.terms, number, self.sure)?;
        let (least, most) = (op.holds(low, constant), op.holds(high, constant));
        let decides = match op {
            CompareOp::Eq | CompareOp::Ne => constant < low || constant > high,
            _ => least == most,
        };
        decides.then_some(least)
    }

    /// `larger(a, 0) <= b`: `a <= b and 0 <= b`, and so of the smaller one and with other orders.
    fn with_each(&mut self, term: Term, op: CompareOp, of_two: Term, limit: Term) -> Option<Term> {
        let Form::Function(which @ (Builtin::Larger | Builtin::Smaller), args) = self.terms.form(of_two).clone() else {
            return None;
        };
        let both = match op {
            CompareOp::Le | CompareOp::Lt => which == Builtin::Larger,
            CompareOp::Ge | CompareOp::Gt => which == Builtin::Smaller,
            CompareOp::Eq | CompareOp::Ne => return None,
        };
        let constant = args.iter().any(|arg| self.word(*arg).is_some()) || self.word(limit).is_some();
        let sure = |part: &Term| self.is_value(*part) && !self.whole.can_fail_with_room(self.terms, *part);
        if !constant || self.terms.size(limit) > LARGEST_VALUE || ![args[0], args[1], limit].iter().all(sure) {
            return None;
        }
        let [one, other] = [args[0], args[1]].map(|arg| self.make(term, Form::Compare(op, arg, limit)));
        Some(self.make(term, if both { Form::And(one, other) } else { Form::Or(one, other) }))
    }

    /// `a + b = 0` of what is never less than 0: `a = 0 and b = 0`; and so where both must be as large as they can be. Of the larger
    /// or smaller of two that is at its limit, that it is not beyond.
    fn at_limit(&mut self, op: CompareOp, number: Term, constant: i64) -> Option<Term> {
        if !self.is_number(number) || !self.is_value(number) || self.whole.can_fail_with_room(self.terms, number) {
            return None;
        }
        let parts = match self.terms.form(number) {
            Form::Binary(BinaryOp::Add, a, b) => [*a, *b],
            Form::Function(Builtin::Larger | Builtin::Smaller, args) => [args[0], args[1]],
            _ => return None,
        };
        let (least, most) = self.whole.between(self.terms, number, self.sure)?;
        let beside = |limit: i64, by: i64| limit.checked_add(by) == Some(constant);
        // Whether the number is at its least or most, or is not, and what is then said of it.
        let (at, limit) = match op {
            CompareOp::Eq | CompareOp::Le if constant == least => (true, CompareOp::Le),
            CompareOp::Lt if beside(least, 1) => (true, CompareOp::Le),
            CompareOp::Ne | CompareOp::Gt if constant == least => (false, CompareOp::Gt),
            CompareOp::Ge if beside(least, 1) => (false, CompareOp::Gt),
            CompareOp::Eq | CompareOp::Ge if constant == most => (true, CompareOp::Ge),
            CompareOp::Gt if beside(most, -1) => (true, CompareOp::Ge),
            CompareOp::Ne | CompareOp::Lt if constant == most => (false, CompareOp::Lt),
            CompareOp::Le if beside(most, -1) => (false, CompareOp::Lt),
            _ => return None,
        };
        let end = |(least, most): (i64, i64)| if matches!(limit, CompareOp::Le | CompareOp::Gt) { least } else { most };
        if !matches!(self.terms.form(number), Form::Binary(..)) {
            let word = self.number(number, Form::Word(end((least, most))));
            return (limit != op).then(|| self.make(number, Form::Compare(limit, number, word)));
        }
        let [one, other] = parts.map(|part| self.whole.between(self.terms, part, self.sure).map(end));
        if one?.checked_add(other?)? != end((least, most)) {
            return None;
        }
        let [one, other] = [(parts[0], one?), (parts[1], other?)].map(|(part, word)| {
            let word = self.number(part, Form::Word(word));
            self.make(part, Form::Compare(limit, part, word))
        });
        Some(self.make(number, if at { Form::And(one, other) } else { Form::Or(one, other) }))
    }

    /// `count (S where P) = count S`: there is no member of which it does not hold.
    fn all_of(&mut self, op: CompareOp, a: Term, b: Term) -> Option<Term> {
        let (Form::Unary(Unary::Count, x), Form::Unary(Unary::Count, y)) = (self.terms.form(a), self.terms.form(b))
        else {
            return None;
        };
        let (x, y) = (*x, *y);
        let filters = |this: &Self, part: Term, all: Term| matches!(*this.terms.form(part), Form::Each(Each::Where, over, _) if over == all);
        let every = |op| match op {
            CompareOp::Eq | CompareOp::Ge => Some(true),
            CompareOp::Ne | CompareOp::Lt => Some(false),
            CompareOp::Le | CompareOp::Gt => None,
        };
        match (filters(self, x, y), filters(self, y, x)) {
            (true, _) => self.all_meet(a, x, every(op)?),
            (_, true) => self.all_meet(a, y, every(op.turned())?),
            _ => {
                let (others, op) = match self.cut_from(x, y) {
                    Some(others) => (others, op),
                    None => (self.cut_from(y, x)?, op.turned()),
                };
                let found = self.make(a, Form::Unary(Unary::Some, others));
                Some(if every(op)? { self.not(found) } else { found })
            }
        }
    }

    /// The members of a set of sites that are not in what it has in common with another, which may be the free sites.
    fn cut_from(&mut self, part: Term, all: Term) -> Option<Term> {
        let plain = |this: &Self, set: Term| match *this.terms.form(set) {
            Form::Unary(Unary::ToSet | Unary::ToList, list) if this.terms.ty(list).is_many() => list,
            _ => set,
        };
        let whole = plain(self, all);
        let (from, kept) = match self.terms.form(part).clone() {
            Form::Function(Builtin::EmptyOf, args) => {
                let ty = self.terms.ty(part).clone();
                let span = self.terms.span(part);
                (args[0], self.terms.make(Form::Function(Builtin::Empty, Vec::new()), ty, span))
            }
            Form::Binary(BinaryOp::Both, x, y) => {
                if plain(self, x) == whole {
                    (x, y)
                } else {
                    (y, x)
                }
            }
            _ => return None,
        };
        let ty = self.terms.ty(part).clone();
        let ends = matches!(ty.element().bare(), Ty::Site(board) if !board.endless());
        let fits = ends && plain(self, from) == whole && [from, kept].iter().all(|set| *self.terms.ty(*set) == ty);
        if !fits || self.whole.can_fail_with_room(self.terms, part) {
            return None;
        }
        let span = self.terms.span(part);
        Some(self.terms.make(Form::Binary(BinaryOp::Difference, from, kept), ty, span))
    }

    /// That a filter leaves all members, or not all: there is none, or one, of which its condition does not hold.
    fn all_meet(&mut self, like: Term, filter: Term, every: bool) -> Option<Term> {
        let Form::Each(Each::Where, all, cond) = *self.terms.form(filter) else { return None };
        if self.whole.can_fail_with_room(self.terms, filter) {
            return None;
        }
        let (ty, span) = (self.terms.ty(filter).clone(), self.terms.span(filter));
        let but = self.make(cond, Form::Unary(Unary::Not, cond));
        let others = self.terms.make(Form::Each(Each::Where, all, but), ty, span);
        let found = self.make(like, Form::Unary(Unary::Some, others));
        Some(if every { self.not(found) } else { found })
    }

    /// `count (0..3 as i where P(i)) = 4`: there is none of which it does not hold.
    fn all_counted(&mut self, op: CompareOp, count: Term, limit: i64) -> Option<Term> {
        let counted = self.counted(count)?;
        let Form::Each(Each::Where, over, _) = *self.terms.form(counted) else { return None };
        let all = self.how_many(over)?;
        let every = match op {
            CompareOp::Eq | CompareOp::Ge if limit == all => true,
            CompareOp::Ne | CompareOp::Lt if limit == all => false,
            CompareOp::Gt if limit == all - 1 => true,
            CompareOp::Le if limit == all - 1 => false,
            _ => return None,
        };
        self.all_meet(count, counted, every)
    }

    /// `count group(s, S) = 1`: `s` is in `S` and has no neighbour there.
    fn alone(&mut self, op: CompareOp, count: Term, limit: i64) -> Option<Term> {
        let Form::Unary(Unary::Count, group) = *self.terms.form(count) else { return None };
        let Form::Function(Builtin::Group, args) = self.terms.form(group) else { return None };
        let [from, among] = args[..] else { return None };
        let Form::Unary(Unary::ToSet, site) = *self.terms.form(from) else { return None };
        let (alone, holds) = match (op, limit) {
            (CompareOp::Eq, 1) => (true, true),
            (CompareOp::Gt, 1) | (CompareOp::Ge, 2) => (false, true),
            (CompareOp::Le, 1) | (CompareOp::Lt, 2) => (false, false),
            _ => return None,
        };
        if !self.is_value(site) || self.terms.size(group) > LARGEST_GROUP || self.whole.can_fail(self.terms, group) {
            return None;
        }
        let (ty, span) = (self.terms.ty(group).clone(), self.terms.span(group));
        let near = self.terms.make(Form::Function(Builtin::Around, vec![from]), ty.clone(), span);
        let near = self.terms.make(Form::Binary(BinaryOp::Both, near, among), ty, span);
        let mut near = self.make(count, Form::Unary(Unary::Some, near));
        if alone {
            near = self.not(near);
        }
        let there = self.make(count, Form::In(site, among));
        let both = self.make(count, Form::And(there, near));
        Some(if holds { both } else { self.not(both) })
    }

    /// How many members a set or list has, where that is written down; more than none.
    pub(super) fn how_many(&self, set: Term) -> Option<i64> {
        let count = match *self.terms.form(set) {
            Form::Range(first, last) => self.word(last)?.checked_sub(self.word(first)?)?.checked_add(1)?,
            Form::Unary(Unary::ToSet | Unary::ToList, list) => {
                let items = self.items(list)?;
                let words: BTreeSet<i64> = items.iter().map(|item| self.word(*item)).collect::<Option<_>>()?;
                if words.len() == items.len() { words.len() as i64 } else { return None }
            }
            _ => return None,
        };
        Some(count).filter(|count| *count > 0)
    }

    /// `x - 1 >= 4` and `x + 1 >= 6`: `x >= 5`.
    fn shifted(&mut self, term: Term, op: CompareOp, sum: Term, limit: Term) -> Option<Term> {
        let Form::Binary(how @ (BinaryOp::Add | BinaryOp::Sub), x, by) = *self.terms.form(sum) else { return None };
        let (by, limit_word) = (self.word(by)?, self.word(limit)?);
        let shifted = if how == BinaryOp::Add { limit_word.checked_sub(by) } else { limit_word.checked_add(by) }?;
        if !self.is_number(sum) || self.whole.can_fail(self.terms, sum) {
            return None;
        }
        let limit = self.number(limit, Form::Word(shifted));
        Some(self.make(term, Form::Compare(op, x, limit)))
    }

    /// `x < y + 1` and `x >= y + 1`: `x <= y` and `x > y`, of whole numbers that are not too large.
    fn beside(&mut self, term: Term, op: CompareOp, a: Term, b: Term) -> Option<Term> {
        let by_one = |this: &Self, sum: Term| {
            let Form::Binary(how @ (BinaryOp::Add | BinaryOp::Sub), x, by) = *this.terms.form(sum) else { return None };
            let more = match (how, this.word(by)?) {
                (BinaryOp::Add, 1) | (BinaryOp::Sub, -1) => true,
                (BinaryOp::Add, -1) | (BinaryOp::Sub, 1) => false,
                _ => return None,
            };
            let fits = this.is_number(sum) && this.whole.between(this.terms, sum, this.sure).is_some();
            (fits && !this.whole.can_fail(this.terms, x)).then_some((x, more))
        };
        if let Some((y, more)) = by_one(self, b) {
            let op = match (op, more) {
                (CompareOp::Lt, true) => CompareOp::Le,
                (CompareOp::Ge, true) => CompareOp::Gt,
                (CompareOp::Le, false) => CompareOp::Lt,
                (CompareOp::Gt, false) => CompareOp::Ge,
                _ => return None,
            };
            return Some(self.make(term, Form::Compare(op, a, y)));
        }
        let (x, more) = by_one(self, a)?;
        let op = match (op, more) {
            (CompareOp::Gt, true) => CompareOp::Ge,
            (CompareOp::Le, true) => CompareOp::Lt,
            (CompareOp::Lt, false) => CompareOp::Le,
            (CompareOp::Ge, false) => CompareOp::Gt,
            _ => return None,
        };
        Some(self.make(term, Form::Compare(op, x, b)))
    }

    /// `a < b or a = b`: `a <= b`, and so of any two comparisons of the same two values.
    pub(super) fn together(&mut self, a: Term, b: Term, and: bool) -> Option<Term> {
        if let Some(listed) = self.listed(a, b).filter(|_| !and) {
            return Some(listed);
        }
        let Form::Compare(first, x, y) = *self.terms.form(a) else { return None };
        let Form::Compare(second, z, w) = *self.terms.form(b) else { return None };
        if let (CompareOp::Eq, CompareOp::Eq, false, true) = (first, second, and, x == z)
            && let Some(range) = self.next_to(x, y, w)
        {
            return Some(range);
        }
        let fits = (x, y) == (z, w) && self.is_value(x) && self.is_value(y);
        if !fits || self.whole.can_fail(self.terms, a) {
            return None;
        }
        // Whether each holds of a smaller, the same and a larger value.
        let holds = |op: CompareOp| [op.holds(0, 1), op.holds(1, 1), op.holds(1, 0)];
        let (first, second) = (holds(first), holds(second));
        let both = [0, 1, 2].map(|at| if and { first[at] && second[at] } else { first[at] || second[at] });
        let ops = [CompareOp::Eq, CompareOp::Ne, CompareOp::Lt, CompareOp::Le, CompareOp::Gt, CompareOp::Ge];
        Some(match ops.into_iter().find(|op| holds(*op) == both) {
            Some(op) => self.make(a, Form::Compare(op, x, y)),
            None => self.truth(a, both[0]),
        })
    }

    /// `n = 1 or n = 2`: `n >= 1 and n <= 2`.
    fn next_to(&mut self, number: Term, one: Term, other: Term) -> Option<Term> {
        let next = self.word(one)?.abs_diff(self.word(other)?) == 1;
        if !next || !self.is_number(number) || self.whole.can_fail(self.terms, number) {
            return None;
        }
        let (low, high) = if self.word(one) < self.word(other) { (one, other) } else { (other, one) };
        let least = self.make(number, Form::Compare(CompareOp::Ge, number, low));
        let most = self.make(number, Form::Compare(CompareOp::Le, number, high));
        Some(self.make(number, Form::And(least, most)))
    }

    /// `d = north or d = south`, of a direction: `d in [north, south]`.
    fn listed(&mut self, a: Term, b: Term) -> Option<Term> {
        let (one, mut ways) = self.ways_of(a)?;
        let (other, more) = self.ways_of(b)?;
        let Ty::Direction(board) = *self.terms.ty(one).bare() else { return None };
        if one != other {
            return None;
        }
        let new: Vec<Term> = more.into_iter().filter(|way| !ways.contains(way)).collect();
        ways.extend(new);
        let (way, span) = (Ty::Direction(board), self.terms.span(a));
        let list = self.terms.make(Form::List(ways), Ty::List(Box::new(way.clone())), span);
        let set = self.terms.make(Form::Unary(Unary::ToSet, list), way.set(), span);
        Some(self.make(a, Form::In(one, set)))
    }

    /// A direction, and constants one of which it must be.
    fn ways_of(&self, cond: Term) -> Option<(Term, Vec<Term>)> {
        match *self.terms.form(cond) {
            Form::Compare(CompareOp::Eq, way, word) => self.word(word).map(|_| (way, vec![word])),
            Form::In(way, set) => {
                let Form::Unary(Unary::ToSet, list) = *self.terms.form(set) else { return None };
                let words = self.items(list)?;
                words.iter().all(|word| self.word(*word).is_some()).then_some((way, words))
            }
            _ => None,
        }
    }

    /// What is in a list that is written out: it is the one or the other. Among many constants it is looked up, which is quick in a set of
    /// the values of an enum or of directions.
    pub(super) fn one_of(&mut self, term: Term, member: Term, list: Term) -> Option<Term> {
        let items = match *self.terms.form(list) {
            Form::Unary(Unary::ToSet | Unary::ToList, one) if !self.terms.ty(one).is_many() => vec![one],
            Form::Unary(Unary::ToSet | Unary::ToList, list) => self.items(list)?,
            _ => self.items(list)?,
        };
        let sure = |item: &Term| {
            !self.terms.ty(*item).is_many() && self.is_value(*item) && !self.whole.can_fail(self.terms, *item)
        };
        let ty = self.terms.ty(member).bare().clone();
        if ty.is_many() || !items.iter().all(sure) {
            return None;
        }
        let constants = items.len() > 1 && items.iter().all(|item| self.word(*item).is_some());
        if constants && matches!(ty, Ty::Enum(_) | Ty::Direction(_)) {
            let span = self.terms.span(list);
            let written = matches!(self.terms.form(list), Form::List(_));
            let set = written.then(|| self.terms.make(Form::Unary(Unary::ToSet, list), ty.set(), span))?;
            return Some(self.make(term, Form::In(member, set)));
        }
        if constants
            && ty == Ty::Number
            && let Some(range) = self.one_after_another(member, &items)
        {
            return Some(range);
        }
        let few = ty == Ty::Number && items.len() == 2 && self.terms.size(member) <= FEW_PARTS;
        if constants && !few || items.len() > MOST_ITEMS || self.whole.can_fail(self.terms, member) {
            return None;
        }
        let is = |this: &mut Self, item: Term| this.make(term, Form::Compare(CompareOp::Eq, member, item));
        let first = is(self, *items.first()?);
        Some(items[1..].iter().fold(first, |one, item| {
            let other = is(self, *item);
            self.make(term, Form::Or(one, other))
        }))
    }

    /// `n in [1, 2, 3]`: `n >= 1 and n <= 3`.
    fn one_after_another(&mut self, number: Term, items: &[Term]) -> Option<Term> {
        let mut words: Vec<i64> = items.iter().map(|item| self.word(*item)).collect::<Option<_>>()?;
        words.sort_unstable();
        let closed = words.windows(2).all(|pair| pair[0].checked_add(1) == Some(pair[1]));
        if !closed || self.whole.can_fail(self.terms, number) {
            return None;
        }
        let [low, high] = [*words.first()?, *words.last()?].map(|word| self.number(number, Form::Word(word)));
        let least = self.make(number, Form::Compare(CompareOp::Ge, number, low));
        let most = self.make(number, Form::Compare(CompareOp::Le, number, high));
        Some(self.make(number, Form::And(least, most)))
    }

    fn items(&self, list: Term) -> Option<Vec<Term>> {
        match self.terms.form(list) {
            Form::List(items) => Some(items.clone()),
            _ => None,
        }
    }

    /// Which side of a comparison a term stands on: what is counted or summed up left of what is stored, constants last.
    fn rank(&self, term: Term) -> u8 {
        match self.terms.form(term) {
            Form::Word(_) | Form::Nothing | Form::Ambient(super::term::Ambient::Option(_)) => 0,
            Form::Unary(Unary::Count, _) | Form::Each(Each::Fold(_), ..) => 2,
            _ => 1,
        }
    }

    /// The set whose members a term counts.
    fn counted(&mut self, term: Term) -> Option<Term> {
        let term = self.opened(term).unwrap_or(term);
        match *self.terms.form(term) {
            Form::Unary(Unary::Count, set) => Some(set),
            _ => None,
        }
    }
}
