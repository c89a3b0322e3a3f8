//! Definitions, and formulas of stats, in the place of where they are asked of the member of a loop, if they ask for something that is known
//! of it: its kind (`kinds.rs`), whose it is (`holders.rs`).

use super::lower::Lower;
use super::term::{Ambient, Form, Read, Term, Terms};
use super::whole::Whole;
use crate::model::rules::{ExprKind, ProcBody, ProcId, PropClass, Rules};

/// Parts of what is opened, at the most.
const LARGEST: u32 = 400;
/// How deeply definitions are opened within each other.
const DEEPEST: usize = 6;

pub(super) struct Opening<'t, 'r> {
    pub whole: &'t Whole<'r>,
    pub terms: &'t mut Terms,
    /// Whether a form asks for what is known.
    pub asks: fn(&Rules, &Terms, &Form) -> bool,
    /// Who `me` is in the formulas of the member's stats, as outside of the loop, if that is known.
    pub me: Option<Term>,
    /// Whether that was told to a formula.
    pub told: bool,
    /// How many parts may still be made.
    pub left: &'t mut u32,
}

impl Opening<'_, '_> {
    /// The term within a loop, and within `depth` of its own, so opened; none if that gets too long.
    pub fn open(&mut self, term: Term, depth: u32) -> Option<Term> {
        self.opened(term, depth, DEEPEST)
    }

    fn opened(&mut self, term: Term, depth: u32, deeper: usize) -> Option<Term> {
        if !self.terms.binds_in(term, depth) {
            return Some(term);
        }
        let body = if deeper > 0 { self.body(term, depth) } else { None };
        if let Some(body) = body {
            let size = self.terms.size(body);
            *self.left = self.left.checked_sub(size).filter(|_| size <= LARGEST)?;
            return self.opened(body, depth, deeper - 1);
        }
        let mut parts = Vec::new();
        for (part, bound) in self.terms.parts(term) {
            parts.push(self.opened(part, depth + bound, deeper)?);
        }
        Some(self.terms.with_parts(term, parts))
    }

    /// What a definition that is asked of the member, or a stat of it, says.
    fn body(&mut self, term: Term, depth: u32) -> Option<Term> {
        if let Form::Call(proc, args) = self.terms.form(term).clone()
            && args.iter().any(|arg| *self.terms.form(*arg) == Form::Bound(depth))
            && self.whole.opens(proc)
            && self.asks(proc, DEEPEST)
            && let ProcBody::Expr(body) = &self.whole.rules.procs[proc.index()].body
        {
            let body = Lower::new(self.terms).expr(body);
            return Some(self.terms.put_args(body, &args));
        }
        self.formula(term, depth)
    }

    /// The formula of a stat of the member.
    fn formula(&mut self, term: Term, depth: u32) -> Option<Term> {
        let Form::Read(Read::Prop(prop), of) = self.terms.form(term) else { return None };
        let member = of.first().copied().filter(|of| *self.terms.form(*of) == Form::Bound(depth))?;
        let rules = self.whole.rules;
        let info = &rules.props[prop.index()];
        let PropClass::Stat { formula } = info.class else { return None };
        if self.whole.modified[prop.index()] || info.range.is_some() || !self.asks(formula, DEEPEST) {
            return None;
        }
        let ProcBody::Expr(body) = &rules.procs[formula.index()].body else { return None };
        let mut asks_me = false;
        body.walk(&mut |part| {
            asks_me |= match &part.kind {
                ExprKind::Me => self.me.is_none(),
                ExprKind::Opponents => true,
                ExprKind::Call(proc, _) => super::modifiers::proc_asks_me(rules, *proc, 0),
                _ => false,
            };
        });
        if asks_me {
            return None;
        }
        let body = Lower::new(self.terms).expr(body);
        let me = self.me.map(|me| self.terms.lifted(me, i64::from(depth) + 1, 0));
        let told = &mut self.told;
        Some(self.terms.replaced(body, 0, &mut |terms, term, within| match (terms.form(term), me) {
            (Form::Ambient(Ambient::This), _) => Some(terms.lifted(member, i64::from(within), 0)),
            (Form::Ambient(Ambient::Me), Some(me)) => {
                *told = true;
                Some(terms.lifted(me, i64::from(within), 0))
            }
            _ => None,
        }))
    }

    /// Whether a definition, or one that it asks, asks for what is known.
    fn asks(&self, proc: ProcId, deeper: usize) -> bool {
        let Some(Some((terms, body))) = self.whole.bodies.get(proc.index()) else { return false };
        let rules = self.whole.rules;
        deeper > 0
            && terms.has(*body, &|form| {
                (self.asks)(rules, terms, form)
                    || match form {
                        Form::Call(proc, _) => self.asks(*proc, deeper - 1),
                        Form::Read(Read::Prop(prop), _) => match rules.props[prop.index()].class {
                            PropClass::Stat { formula } => self.asks(formula, deeper - 1),
                            _ => false,
                        },
                        _ => false,
                    }
            })
    }
}
