//! What is cheap is asked first: of the parts of an `and` or `or`, each of which can be left out, those come first that take
//! far fewer steps. A part that can fail stays where it is, and nothing passes it, but for what can only get too large: that is
//! asked last, perhaps not at all. Nor does anything pass what says of which kind something is, on which what follows relies.
//!
//! What does not depend on the card or site that a filter asks is asked before: `me.hand where P or Q(it)` is the hand where `P` holds, and else
//! `me.hand where Q(it)`. (Compilers call it unswitching of a loop.)

use super::memo::{Memos, SPREAD};
use super::term::{Each, Form, Term, Terms, Unary};
use super::whole::Whole;
use crate::model::rules::Ty;

/// How many times the steps of another are far more.
const FAR_MORE: u64 = 4;

/// Puts the parts of conditions in order.
pub struct Order<'t, 'r> {
    pub whole: &'t Whole<'r>,
    pub memos: &'t Memos<'r>,
    pub terms: &'t mut Terms,
}

impl Order<'_, '_> {
    /// The term that means the same.
    pub fn term(&mut self, term: Term) -> Term {
        let and = match self.terms.form(term) {
            Form::And(..) => true,
            Form::Or(..) => false,
            _ => {
                let term = self.unswitched(term).unwrap_or(term);
                let parts = self.terms.parts(term).into_iter().map(|(part, _)| self.term(part)).collect();
                return self.terms.with_parts(term, parts);
            }
        };
        let mut parts: Vec<Term> = self.terms.joined(term, and).into_iter().map(|part| self.term(part)).collect();
        let stays: Vec<bool> = parts.iter().map(|part| self.stays(*part)).collect();
        let mut from = 0;
        while from < parts.len() {
            let to = stays[from..].iter().position(|stays| *stays).map_or(parts.len(), |at| from + at);
            self.sort(&mut parts[from..to]);
            from = to + 1;
        }
        let span = self.terms.span(term);
        let join =
            |terms: &mut Terms, a, b| terms.make(if and { Form::And(a, b) } else { Form::Or(a, b) }, Ty::Flag, span);
        parts.into_iter().reduce(|a, b| join(self.terms, a, b)).unwrap_or(term)
    }

    /// `X where P or Q(it)`, of cards, pieces or sites, as `if P then X else X where Q(it)`.
    fn unswitched(&mut self, term: Term) -> Option<Term> {
        let Form::Each(Each::Where, over, cond) = *self.terms.form(term) else { return None };
        let ty = self.terms.ty(term).clone();
        let things = matches!(ty.bare(), Ty::Set(item) if matches!(item.bare(), Ty::Entity(_) | Ty::Site(_)));
        let (asked, fixed): (Vec<Term>, Vec<Term>) =
            self.terms.joined(cond, false).into_iter().partition(|part| self.terms.binds(*part));
        let fails = |part: &Term| self.whole.can_fail(self.terms, *part);
        if !things || *self.terms.ty(over) != ty || asked.is_empty() || fixed.is_empty() || fixed.iter().any(fails) {
            return None;
        }
        let span = self.terms.span(cond);
        let or = |terms: &mut Terms, a, b| terms.make(Form::Or(a, b), Ty::Flag, span);
        let asked = asked.into_iter().reduce(|a, b| or(self.terms, a, b))?;
        let fixed = fixed.into_iter().reduce(|a, b| or(self.terms, a, b))?;
        let fixed = self.terms.lifted(fixed, -1, 0);
        let span = self.terms.span(term);
        let such = self.terms.make(Form::Each(Each::Where, over, asked), ty.clone(), span);
        Some(self.terms.make(Form::If(fixed, over, such), ty, span))
    }

    /// Puts each part before those ahead of it that take far longer.
    fn sort(&self, parts: &mut [Term]) {
        // A loop over sites may turn out to be set algebra.
        let steps = |part: &Term| self.memos.steps_of(self.terms, *part).min(SPREAD);
        let mut steps: Vec<u64> = parts.iter().map(steps).collect();
        for end in 1..parts.len() {
            if self.whole.can_fail(self.terms, parts[end]) {
                continue;
            }
            let mut at = end;
            while at > 0 && steps[at - 1] >= steps[at].saturating_mul(FAR_MORE) {
                parts.swap(at - 1, at);
                steps.swap(at - 1, at);
                at -= 1;
            }
        }
    }

    fn stays(&self, part: Term) -> bool {
        self.terms.has(part, &|form| matches!(form, Form::Unary(Unary::Is(_), _)))
            || self.whole.can_fail_with_room(self.terms, part)
    }
}
