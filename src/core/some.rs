//! Whether a set has a member, by what is easiest to ask. Of a filter it is asked of what the filter goes through; of what is collected,
//! whether one gives some. Of two sets of which one is a single thing, `some (A + x where P(it))`, it is `some (A where P(it)) or P(x)`, and so
//! of `some pieces(A + x)`;
//! what lies on sites is asked of the pieces; and that all members are like the first is that they all are alike: `every S meets f(it) =
//! f(first(S))` is `(max f(it) of S) = (min f(it) of S)` of numbers, and `count (gather f(it) of S) <= 1` of other values.

use super::canonical::{Canonical, LARGEST_VALUE};
use super::flat::{is_kept, lies_on_board, sites_in_play, sites_where};
use super::lifted::is_sites;
use super::term::{Each, Form, Read, Term, Unary};
use crate::model::rules::{BinaryOp, Builtin, CollectOp, CompareOp, FoldOp, Ty};

/// Parts of what is asked that may stand there twice.
const LARGEST_UNION: u32 = 24;

impl Canonical<'_> {
    pub(super) fn some(&mut self, term: Term, inner: Term) -> Option<Term> {
        if let Some(cases) = self.cases(inner) {
            return Some(self.of_cases(cases, &|word| word.is_some()));
        }
        if let Form::Each(Each::Where, _, cond) = *self.terms.form(inner)
            && is_kept(self.rules, self.terms, cond)
            && let Some(sites) = sites_where(self.whole, self.terms, inner)
                .map(|(sites, _)| sites)
                .or_else(|| sites_in_play(self.whole, self.terms, inner))
        {
            return Some(self.make(term, Form::Unary(Unary::Some, sites)));
        }
        if let Some(lies) = self.lies_there(term, inner) {
            return Some(lies);
        }
        // A definition that gives the first one says whether there is one.
        let named =
            self.opened(inner).filter(|body| matches!(self.terms.form(*body), Form::Function(Builtin::First, _)));
        match self.terms.form(named.unwrap_or(inner)).clone() {
            // Members are never missing, so that there is a first one where there is one at all.
            Form::Function(Builtin::First, args) if matches!(self.terms.ty(*args.first()?), Ty::Set(_)) => {
                Some(self.make(term, Form::Unary(Unary::Some, *args.first()?)))
            }
            Form::Unary(Unary::ToSet | Unary::ToList, of) if *self.terms.ty(of) != Ty::Nothing => {
                Some(self.make(term, Form::Unary(Unary::Some, of)))
            }
            Form::Nothing => Some(self.truth(term, false)),
            Form::Bound(_) if self.is_value(inner) => Some(self.truth(term, true)),
            Form::Function(Builtin::EmptyOf, args) => {
                let free = self.free_of(inner, args[0])?;
                Some(self.make(term, Form::Unary(Unary::Some, free)))
            }
            Form::Binary(BinaryOp::Both, a, b) => {
                let one = self.in_one(term, a, b).or_else(|| self.in_one(term, b, a));
                one.or_else(|| self.and_one(term, inner, a)).or_else(|| self.and_one(term, inner, b))
            }
            Form::Binary(BinaryOp::Difference, all, _) => self.and_one(term, inner, all),
            Form::Function(Builtin::PiecesOn, args) => self.and_one(term, inner, args[0]),
            Form::Function(Builtin::SitesOf, args) => self.of_pieces(term, args[0]),
            Form::Each(Each::Where, over, cond) => {
                let other = self.hoisted(term, inner).or_else(|| self.lying(term, over, cond));
                let other = other.or_else(|| self.like_the_first(term, over, cond));
                if let Some(other) = other.or_else(|| self.and_one(term, inner, over)) {
                    return Some(other);
                }
                // Of one thing that may be missing: it is there, and the condition holds of it.
                let Form::Unary(Unary::ToSet | Unary::ToList, one) = *self.terms.form(over) else { return None };
                if self.terms.ty(one).is_many() || self.terms.size(one) > LARGEST_VALUE {
                    return None;
                }
                let there = self.make(term, Form::Unary(Unary::Some, one));
                let such = self.terms.put_member(cond, one, 0);
                Some(self.make(term, Form::And(there, such)))
            }
            Form::Each(Each::Collect(CollectOp::Union | CollectOp::Gather), over, body) => {
                // Whether there are any shows at the first that gives some.
                if self.whole.can_fail(self.terms, inner) {
                    return None;
                }
                let cond = self.make(term, Form::Unary(Unary::Some, body));
                let (ty, span) = (self.terms.ty(over).clone(), self.terms.span(inner));
                let such = self.terms.make(Form::Each(Each::Where, over, cond), ty, span);
                Some(self.make(term, Form::Unary(Unary::Some, such)))
            }
            _ => None,
        }
    }

    /// `some (D where P(it) and Q)`, of directions: `some (D where P(it)) and Q`.
    fn hoisted(&mut self, term: Term, filter: Term) -> Option<Term> {
        if !matches!(self.terms.ty(filter).element().bare(), Ty::Direction(_)) {
            return None;
        }
        let (such, fixed) = self.terms.apart(filter)?;
        if self.whole.can_fail(self.terms, filter) {
            return None;
        }
        let some = self.make(term, Form::Unary(Unary::Some, such));
        Some(fixed.into_iter().fold(some, |all, part| self.make(term, Form::And(all, part))))
    }

    /// `some (S where some pieces(it))`, of sites: `some pieces(S)`.
    fn lying(&mut self, term: Term, sites: Term, cond: Term) -> Option<Term> {
        let Form::Unary(Unary::Some, pieces) = *self.terms.form(cond) else { return None };
        let Form::Function(Builtin::PiecesOn, args) = self.terms.form(pieces) else { return None };
        let Form::Unary(Unary::ToSet, site) = *self.terms.form(args[0]) else { return None };
        let set = self.terms.ty(args[0]).clone();
        if *self.terms.form(site) != Form::Bound(0) {
            return None;
        }
        let (ty, span) = (self.terms.ty(pieces).clone(), self.terms.span(pieces));
        let sites = match self.terms.ty(sites) {
            ty if *ty == set => sites,
            Ty::List(item) if (**item).clone().set() == set => {
                self.terms.make(Form::Unary(Unary::ToSet, sites), set, span)
            }
            _ => return None,
        };
        let lying = self.terms.make(Form::Function(Builtin::PiecesOn, vec![sites]), ty, span);
        Some(self.make(term, Form::Unary(Unary::Some, lying)))
    }

    /// `some (S & x)` of one thing: `x in S`.
    fn in_one(&mut self, term: Term, set: Term, one: Term) -> Option<Term> {
        let Form::Unary(Unary::ToSet, member) = *self.terms.form(one) else { return None };
        let ty = self.terms.ty(member).bare();
        let plain = matches!(ty, Ty::Number | Ty::Player | Ty::Enum(_) | Ty::Site(_) | Ty::Entity(_));
        (plain && self.terms.ty(set).is_many()).then(|| self.make(term, Form::In(member, set)))
    }

    /// `some sites(S)` of pieces that all lie on the board: `some S`. Of whose and of which kind they are, the state keeps the sites.
    fn of_pieces(&mut self, term: Term, pieces: Term) -> Option<Term> {
        let Form::Each(Each::Where, over, cond) = *self.terms.form(pieces) else { return None };
        let Ty::Entity(kind) = *self.terms.ty(over).element().bare() else { return None };
        let kept = self.terms.joined(cond, true).iter().all(|part| is_kept(self.rules, self.terms, *part));
        let lie = lies_on_board(self.rules, kind) && self.is_in_play(over);
        (lie && !kept).then(|| self.make(term, Form::Unary(Unary::Some, pieces)))
    }

    fn is_in_play(&self, set: Term) -> bool {
        match *self.terms.form(set) {
            Form::Read(Read::InPlay(_), _) => true,
            Form::Each(Each::Where, over, _) => self.is_in_play(over),
            _ => false,
        }
    }

    /// `some f(A + x)`, of what is asked of each site or thing by itself: `some f(A) or some f(x)`.
    fn and_one(&mut self, term: Term, set: Term, of: Term) -> Option<Term> {
        let Form::Binary(BinaryOp::Union | BinaryOp::Add, a, b) = *self.terms.form(of) else { return None };
        let one = |set: Term| match *self.terms.form(set) {
            Form::Unary(Unary::ToSet | Unary::ToList, one) => !self.terms.ty(one).is_many(),
            _ => false,
        };
        let fits = (one(a) || one(b)) && self.terms.size(set) <= LARGEST_UNION + self.terms.size(of);
        if !fits || self.whole.can_fail(self.terms, set) {
            return None;
        }
        let ty = self.terms.ty(of).clone();
        let [a, b] = [a, b].map(|part| {
            let part = if *self.terms.ty(part) == ty { Some(part) } else { self.as_set_of(part, &ty) }?;
            let f = self.terms.map(set, &mut |_, own, _| if own == of { part } else { own });
            Some(self.make(term, Form::Unary(Unary::Some, f)))
        });
        let (a, b) = (a?, b?);
        Some(self.make(term, Form::Or(a, b)))
    }

    /// A list as a set of a type.
    pub(super) fn as_set_of(&mut self, list: Term, ty: &Ty) -> Option<Term> {
        let fits = matches!(self.terms.ty(list), Ty::List(item) if item.bare().clone().set() == *ty);
        let span = self.terms.span(list);
        fits.then(|| self.terms.make(Form::Unary(Unary::ToSet, list), ty.clone(), span))
    }

    /// `some (S where f(it) != f(first(S)))`: they are not all alike.
    fn like_the_first(&mut self, term: Term, over: Term, cond: Term) -> Option<Term> {
        let whole = self.terms.lifted(over, 1, 0);
        let mut parts = self.terms.joined(cond, false);
        let (at, of) = parts.iter().enumerate().find_map(|(at, part)| {
            let Form::Compare(CompareOp::Ne, a, b) = *self.terms.form(*part) else { return None };
            [(a, b), (b, a)].into_iter().find_map(|(of, first)| self.is_of_first(of, first, whole).then_some((at, of)))
        })?;
        parts.remove(at);
        if self.terms.size(over) > LARGEST_VALUE
            || self.whole.can_fail(self.terms, cond)
            || self.whole.can_fail(self.terms, over)
        {
            return None;
        }
        let (ty, span) = (self.terms.ty(of).clone(), self.terms.span(cond));
        let differ = if ty == Ty::Number {
            let [most, least] = [FoldOp::Max, FoldOp::Min]
                .map(|op| self.terms.make(Form::Each(Each::Fold(op), over, of), Ty::Number, span));
            self.make(term, Form::Compare(CompareOp::Ne, most, least))
        } else {
            let values = self.terms.make(Form::Each(Each::Collect(CollectOp::Gather), over, of), ty.set(), span);
            let count = self.terms.make(Form::Unary(Unary::Count, values), Ty::Number, span);
            let one = self.terms.make(Form::Word(1), Ty::Number, span);
            self.make(term, Form::Compare(CompareOp::Gt, count, one))
        };
        let rest = parts.into_iter().reduce(|a, b| self.make(cond, Form::Or(a, b)));
        let Some(rest) = rest else { return Some(differ) };
        let (ty, span) = (self.terms.ty(over).clone(), self.terms.span(cond));
        let such = self.terms.make(Form::Each(Each::Where, over, rest), ty, span);
        let some = self.make(term, Form::Unary(Unary::Some, such));
        Some(self.make(term, Form::Or(differ, some)))
    }

    /// `column(s) in gather column(it) of S`: `some (S where column(it) = column(s))`, which only the board says of two sites.
    pub(super) fn in_gathered(&mut self, term: Term, number: Term, gathered: Term) -> Option<Term> {
        let Form::Each(Each::Collect(CollectOp::Gather | CollectOp::Values), over, body) = *self.terms.form(gathered)
        else {
            return None;
        };
        let place = matches!(self.terms.form(body), Form::Function(Builtin::Column | Builtin::Row, _));
        let asked = self.terms.innermost(number, 0).is_some() && is_sites(self.terms.ty(over));
        if !place || !asked || [number, body].iter().any(|part| self.whole.can_fail(self.terms, *part)) {
            return None;
        }
        let number = self.terms.lifted(number, 1, 0);
        let same = self.make(term, Form::Compare(CompareOp::Eq, body, number));
        let (ty, span) = (self.terms.ty(over).clone(), self.terms.span(gathered));
        let such = self.terms.make(Form::Each(Each::Where, over, same), ty, span);
        Some(self.make(term, Form::Unary(Unary::Some, such)))
    }

    /// Whether a property of the first member of a set is what is asked of each; one that is never missing.
    fn is_of_first(&self, of: Term, first: Term, whole: Term) -> bool {
        let (Form::Read(own, member), Form::Read(other, first)) = (self.terms.form(of), self.terms.form(first)) else {
            return false;
        };
        let ([member], [first]) = (&member[..], &first[..]) else { return false };
        let plain = matches!(self.terms.ty(of), Ty::Number | Ty::Flag | Ty::Player | Ty::Enum(_));
        plain
            && own == other
            && *self.terms.form(*member) == Form::Bound(0)
            && self.is_value(of)
            && matches!(self.terms.form(*first), Form::Function(Builtin::First, args) if args[..] == [whole])
    }
}
