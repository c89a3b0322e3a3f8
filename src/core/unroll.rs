//! Loops over a few constants, written out: `every gem as g meets me.bank[g] >= c.cost[g]` is one comparison for each gem. Each
//! then reads what it asks for in one place, and is simplified, put in order and worked out once for itself. (Compilers call it
//! unrolling.)

use super::canonical::Canonical;
use super::term::{Each, Form, Term, Unary};
use crate::model::rules::{BinaryOp, Builtin, FoldOp, Ty};

/// Members of a loop that is written out.
const MOST_MEMBERS: usize = 8;
/// Parts of what a loop becomes.
const MOST_PARTS: u32 = 240;

impl Canonical<'_> {
    /// What a loop over constants comes to, member by member.
    pub(super) fn unrolled(&mut self, term: Term) -> Option<Term> {
        let (set, body, fold) = match *self.terms.form(term) {
            Form::Unary(Unary::Some, set) => (set, None, None),
            Form::Unary(Unary::Count, set) => (set, None, Some(FoldOp::Sum)),
            Form::Each(Each::Fold(op), set, body) => (set, Some(body), Some(op)),
            _ => return None,
        };
        let (over, cond) = match *self.terms.form(set) {
            Form::Each(Each::Where, over, cond) => (over, Some(cond)),
            _ => (set, None),
        };
        let members = self.members(over)?;
        let of_one: u32 = cond.into_iter().chain(body).map(|part| self.terms.size(part)).sum();
        let ty = self.terms.ty(term).clone();
        let fits = (1..=MOST_PARTS / members.len() as u32).contains(&of_one)
            && (fold.is_none() || ty == Ty::Number)
            && body.is_none_or(|body| *self.terms.ty(body) == Ty::Number)
            && (cond.is_none() || matches!(fold, None | Some(FoldOp::Sum)))
            && !self.whole.can_fail_with_room(self.terms, term);
        if !fits {
            return None;
        }
        let span = self.terms.span(term);
        let parts: Vec<Term> = members.into_iter().map(|member| self.of_one(member, &ty, cond, body)).collect();
        parts.into_iter().reduce(|all, part| {
            let form = match fold {
                None => Form::Or(all, part),
                Some(FoldOp::Sum) => Form::Binary(BinaryOp::Add, all, part),
                Some(FoldOp::Min) => Form::Function(Builtin::Smaller, vec![all, part]),
                Some(FoldOp::Max) => Form::Function(Builtin::Larger, vec![all, part]),
            };
            self.terms.make(form, ty.clone(), span)
        })
    }

    /// What a loop asks or adds of one of its members.
    fn of_one(&mut self, member: Term, ty: &Ty, cond: Option<Term>, body: Option<Term>) -> Term {
        let cond = cond.map(|cond| self.terms.put_member(cond, member, 0));
        let span = self.terms.span(cond.or(body).unwrap_or(member));
        let [one, none] = [1, 0].map(|word| self.terms.make(Form::Word(word), Ty::Number, span));
        let value = body.map_or(one, |body| self.terms.put_member(body, member, 0));
        match cond {
            Some(cond) if *ty == Ty::Flag => cond,
            Some(cond) => self.terms.make(Form::If(cond, value, none), Ty::Number, span),
            None => value,
        }
    }

    /// The members of a few constants, none of which stands twice.
    fn members(&mut self, over: Term) -> Option<Vec<Term>> {
        let item = self.terms.ty(over).element().clone();
        if !matches!(item, Ty::Number | Ty::Enum(_) | Ty::Flag) {
            return None;
        }
        let list = self.terms.listed(over);
        let words: Vec<i64> = match self.terms.form(list) {
            Form::List(items) if items.len() <= MOST_MEMBERS => {
                items.iter().map(|item| self.word(*item)).collect::<Option<_>>()?
            }
            Form::Range(low, high) => {
                let (low, high) = (self.word(*low)?, self.word(*high)?);
                if !high.checked_sub(low).is_some_and(|more| (0..MOST_MEMBERS as i64).contains(&more)) {
                    return None;
                }
                (low..=high).collect()
            }
            _ => return None,
        };
        let span = self.terms.span(over);
        let distinct = words.iter().enumerate().all(|(at, word)| !words[..at].contains(word));
        (distinct && words.len() > 1)
            .then(|| words.into_iter().map(|word| self.terms.make(Form::Word(word), item.clone(), span)).collect())
    }
}
