//! What is asked of the holder of each card in a player's zone, asked of that player: who holds the cards of `me.hand` is `me`. So
//! `me.hand where me.coins >= price`, with `stat price: number = cost - holder.discount` or `= cost - me.discount`, asks for one
//! discount and not for that of the holder of each. Definitions and formulas of stats that ask for it are opened.

use super::canonical::Canonical;
use super::opening::Opening;
use super::term::{Ambient, Each, Form, Read, Term, Terms};
use super::whole::{Sure, Whole};
use crate::model::rules::{BuiltinProp, PropClass, Rules, Ty};

/// Parts that are made of one expression, at the most.
const MOST_MADE: u32 = 1_000;

/// Asks players in the expressions of one procedure.
pub struct Holders<'t, 'r> {
    whole: &'t Whole<'r>,
    terms: &'t mut Terms,
    sure: &'t Sure,
    left: u32,
}

impl<'t, 'r> Holders<'t, 'r> {
    /// For terms of one site.
    pub fn new(whole: &'t Whole<'r>, terms: &'t mut Terms, sure: &'t Sure) -> Holders<'t, 'r> {
        Holders { whole, terms, sure, left: MOST_MADE }
    }

    /// The term that means the same.
    pub fn term(&mut self, term: Term) -> Term {
        let parts = self.terms.parts(term).into_iter().map(|(part, _)| self.term(part)).collect();
        let term = self.terms.with_parts(term, parts);
        self.of_player(term).unwrap_or(term)
    }

    /// What is done with each card of a player's zone, with the player in the place of its holder.
    fn of_player(&mut self, term: Term) -> Option<Term> {
        let Form::Each(how, over, body) = *self.terms.form(term) else { return None };
        let player = self.player(over)?;
        let (whole, left) = (self.whole, &mut self.left);
        let mut opening = Opening { whole, terms: self.terms, asks: asks_holder, me: Some(player), told: false, left };
        let opened = opening.open(body, 0)?;
        let mut found = opening.told;
        let player = self.terms.lifted(player, 1, 0);
        let body = self.terms.replaced(opened, 0, &mut |terms, term, depth| {
            let Form::Read(Read::Prop(prop), of) = terms.form(term) else { return None };
            let held = is_holder(&whole.rules.props[prop.index()].class) && *terms.form(of[0]) == Form::Bound(depth);
            found |= held;
            held.then(|| terms.lifted(player, i64::from(depth), 0))
        });
        if !found {
            return None;
        }
        let (ty, span) = (self.terms.ty(term).clone(), self.terms.span(term));
        let made = self.terms.make(Form::Each(how, over, body), ty, span);
        Some(Canonical::new(whole.rules, whole, self.terms, self.sure).term(made))
    }

    /// The player who holds all of some cards.
    fn player(&self, cards: Term) -> Option<Term> {
        match self.terms.form(self.terms.listed(cards)) {
            Form::Each(Each::Where | Each::Sorted { .. } | Each::Having { .. }, over, _) => self.player(*over),
            Form::Read(Read::Contents(_), of) => {
                of.first().copied().filter(|of| *self.terms.ty(*of) == Ty::Player && self.terms.size(*of) <= 2)
            }
            _ => None,
        }
    }
}

fn is_holder(class: &PropClass) -> bool {
    matches!(class, PropClass::Builtin(BuiltinProp::Holder))
}

/// Whether a form asks for the holder of something, or for `me` in the formula of its stat.
fn asks_holder(rules: &Rules, _: &Terms, form: &Form) -> bool {
    match form {
        Form::Ambient(Ambient::Me) => true,
        Form::Read(Read::Prop(prop), _) => is_holder(&rules.props[prop.index()].class),
        _ => false,
    }
}
