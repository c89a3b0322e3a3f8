//! The pest grammar, joined from the files in `grammar/`, and a walker over what it yields.

use pest::iterators::{Pair, Pairs};
use pest_derive::Parser;

/// The generated parser.
#[derive(Parser)]
#[grammar = "grammar/base.pest"]
#[grammar = "grammar/expr.pest"]
#[grammar = "grammar/stmt.pest"]
#[grammar = "grammar/rules.pest"]
#[grammar = "grammar/cards.pest"]
#[grammar = "grammar/scenario.pest"]
pub(super) struct Grammar;

/// The parts of a rule, in order. Words and symbols among them are noise: they are passed over unless asked for.
#[derive(Clone)]
pub(super) struct Kids<'i> {
    pairs: Pairs<'i, Rule>,
}

impl<'i> Kids<'i> {
    /// The parts of a rule.
    pub fn of(pair: Pair<'i, Rule>) -> Self {
        Kids { pairs: pair.into_inner() }
    }

    /// Takes the next part that is neither a word nor a symbol.
    pub fn next(&mut self) -> Option<Pair<'i, Rule>> {
        self.pairs.by_ref().find(|pair| !is_noise(pair.as_rule()))
    }

    /// Takes the next part if it is of this rule.
    pub fn take(&mut self, rule: Rule) -> Option<Pair<'i, Rule>> {
        let mut ahead = self.clone();
        let pair = ahead.next().filter(|pair| pair.as_rule() == rule)?;
        *self = ahead;
        Some(pair)
    }

    /// Takes the word or symbol if it stands before the next part.
    pub fn has(&mut self, rule: Rule) -> bool {
        self.word(rule).is_some()
    }

    /// Like [`Kids::has`], and gives the word.
    pub fn word(&mut self, rule: Rule) -> Option<Pair<'i, Rule>> {
        let mut ahead = self.pairs.clone();
        let noise = ahead.by_ref().take_while(|pair| is_noise(pair.as_rule()));
        let found = noise.into_iter().find(|pair| pair.as_rule() == rule)?;
        self.pairs = ahead;
        Some(found)
    }

    /// Takes all following parts of this rule.
    pub fn all(&mut self, rule: Rule) -> impl Iterator<Item = Pair<'i, Rule>> {
        std::iter::from_fn(move || self.take(rule))
    }
}

/// Whether a rule is a word or symbol. They stand together in `base.pest`, and rules are ordered as written.
fn is_noise(rule: Rule) -> bool {
    rule == Rule::EOI || (Rule::lbrace..=Rule::w_winner).contains(&rule)
}
