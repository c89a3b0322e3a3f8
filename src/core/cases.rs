//! Parts of the canonical form: what is asked of a value that is one of some constants by conditions, and of what lies on a site.

use super::canonical::Canonical;
use super::flat::is_kept;
use super::term::{Each, Form, Term};
use crate::model::rules::{Builtin, CompareOp, Ty};

/// Conditions and values of what is one of some constants.
const MOST_CASES: usize = 31;

impl Canonical<'_> {
    /// A value that is one of some constants or missing, by conditions, as these stand there or in a definition:
    /// `if count cs = 1 then single else if ... then pair else nothing`.
    pub(super) fn cases(&mut self, value: Term) -> Option<Term> {
        let plain = matches!(self.terms.ty(value).bare(), Ty::Number | Ty::Enum(_));
        let value = match self.terms.form(value) {
            _ if !plain => return None,
            Form::Call(..) if self.asks_of_play(value) => self.opened(value)?,
            _ => value,
        };
        let (mut left, mut open) = (MOST_CASES, vec![value]);
        while let Some(case) = open.pop() {
            left = usize::checked_sub(left, 1)?;
            match *self.terms.form(case) {
                Form::If(_, yes, no) => open.extend([yes, no]),
                Form::Word(_) | Form::Nothing => {}
                _ => return None,
            }
        }
        matches!(self.terms.form(value), Form::If(..)).then_some(value)
    }

    /// Whether a call is not a table of the board: it reads what changes in play, or is given several things.
    fn asks_of_play(&self, call: Term) -> bool {
        let many = |part: &(Term, u32)| self.terms.ty(part.0).is_many();
        self.whole.reads_play(self.terms, call) || self.terms.parts(call).iter().any(many)
    }

    /// What holds of a value of some cases, as a flag of their conditions.
    pub(super) fn of_cases(&mut self, case: Term, holds: &dyn Fn(Option<i64>) -> bool) -> Term {
        match *self.terms.form(case) {
            Form::If(cond, yes, no) => {
                let (yes, no) = (self.of_cases(yes, holds), self.of_cases(no, holds));
                if yes == no && !self.whole.can_fail(self.terms, cond) {
                    return yes;
                }
                self.make(case, Form::If(cond, yes, no))
            }
            Form::Word(word) => self.truth(case, holds(Some(word))),
            _ => self.truth(case, holds(None)),
        }
    }

    /// `some (S where site(it) = s)`: `s in sites(S)`.
    pub(super) fn lies_there(&mut self, term: Term, set: Term) -> Option<Term> {
        let set = match self.terms.form(set) {
            Form::Call(..) => self.opened(set)?,
            _ => set,
        };
        let set = match self.terms.form(set) {
            Form::Function(Builtin::First, args) if matches!(self.terms.ty(args[0]), Ty::Set(_)) => args[0],
            _ => set,
        };
        let Form::Each(Each::Where, over, cond) = *self.terms.form(set) else { return None };
        let on = |this: &Self, term: Term| match this.terms.form(term) {
            Form::Function(Builtin::SiteOf, args) => *this.terms.form(args[0]) == Form::Bound(0),
            _ => false,
        };
        let mut parts = self.terms.joined(cond, true);
        let (at, own, site) = parts.iter().enumerate().find_map(|(at, part)| match *self.terms.form(*part) {
            Form::Compare(CompareOp::Eq, a, b) if on(self, a) => Some((at, a, b)),
            Form::Compare(CompareOp::Eq, a, b) if on(self, b) => Some((at, b, a)),
            _ => None,
        })?;
        parts.remove(at);
        let Ty::Site(board) = *self.terms.ty(own).bare() else { return None };
        let same = *self.terms.ty(site).bare() == Ty::Site(board) && !self.rules.boards[board.index()].endless();
        // The others are looked for once and for all.
        let fixed = self.terms.innermost(over, 0).is_none()
            && parts
                .iter()
                .all(|part| self.terms.innermost(*part, 1).is_none() && is_kept(self.rules, self.terms, *part));
        if !same || !fixed || self.terms.binds(site) || !self.is_value(site) || self.whole.can_fail(self.terms, set) {
            return None;
        }
        let site = self.terms.lifted(site, -1, 0);
        let span = self.terms.span(set);
        let such = self.terms.filtered(over, parts, span);
        let sites = self.terms.make(Form::Function(Builtin::SitesOf, vec![such]), Ty::Site(board).set(), span);
        Some(self.make(term, Form::In(site, sites)))
    }
}
