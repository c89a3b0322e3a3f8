//! The pest grammar, joined from the files in `grammar/`, and a walker over what it yields.

use super::alphabet::index_of;
use pest::Token;
use pest::iterators::Pairs;
use pest_derive::Parser;

/// The generated parser.
#[derive(Parser)]
#[grammar = "grammar/base.pest"]
#[grammar = "grammar/words.pest"]
#[grammar = "grammar/expr.pest"]
#[grammar = "grammar/stmt.pest"]
#[grammar = "grammar/rules.pest"]
#[grammar = "grammar/cards.pest"]
#[grammar = "grammar/scenario.pest"]
pub(super) struct Grammar;

/// What the grammar has read, as one list: each rule before the parts of which it is made. It is looked through many
/// times, and what pest yields would be counted and shared anew at every look.
pub(super) struct Tree {
    nodes: Vec<Node>,
}

/// A rule that was read.
#[derive(Clone, Copy)]
struct Node {
    rule: Rule,
    /// Its first character, and the one after its last.
    start: u32,
    end: u32,
    /// How many nodes are its parts, at every depth.
    inside: u32,
}

impl Tree {
    /// Makes the list.
    pub fn of(pairs: Pairs<'_, Rule>) -> Self {
        let tokens = pairs.tokens();
        // Each rule has two: where it starts and where it ends.
        let mut nodes: Vec<Node> = Vec::with_capacity(tokens.len() / 2);
        let mut open: Vec<usize> = Vec::with_capacity(64);
        for token in tokens {
            match token {
                Token::Start { rule, pos } => {
                    let start = index_of(pos.pos()) as u32;
                    open.push(nodes.len());
                    nodes.push(Node { rule, start, end: start, inside: 0 });
                }
                Token::End { pos, .. } => {
                    let Some(at) = open.pop() else { continue };
                    let inside = (nodes.len() - at - 1) as u32;
                    if let Some(node) = nodes.get_mut(at) {
                        node.end = index_of(pos.pos()) as u32;
                        node.inside = inside;
                    }
                }
            }
        }
        Tree { nodes }
    }

    /// The outermost rules.
    pub fn parts(&self) -> Kids<'_> {
        Kids { nodes: &self.nodes }
    }
}

/// A rule that was read, with its parts.
#[derive(Clone, Copy)]
pub(super) struct Part<'t> {
    node: Node,
    inside: &'t [Node],
}

impl Part<'_> {
    /// Which rule it is.
    pub fn as_rule(&self) -> Rule {
        self.node.rule
    }

    /// Its first character among those that the grammar has seen, and the one after its last.
    pub fn place(&self) -> (usize, usize) {
        (self.node.start as usize, self.node.end as usize)
    }
}

/// The parts of a rule, in order. Words and symbols among them are noise: they are passed over unless asked for.
#[derive(Clone, Copy)]
pub(super) struct Kids<'t> {
    nodes: &'t [Node],
}

impl<'t> Kids<'t> {
    /// The parts of a rule.
    pub fn of(part: Part<'t>) -> Self {
        Kids { nodes: part.inside }
    }

    /// All parts, words and symbols among them.
    pub fn everything(mut self) -> impl Iterator<Item = Part<'t>> {
        std::iter::from_fn(move || self.any())
    }

    /// Takes the next part, whatever it is.
    fn any(&mut self) -> Option<Part<'t>> {
        let (node, rest) = self.nodes.split_first()?;
        let (inside, after) = rest.split_at_checked(node.inside as usize)?;
        self.nodes = after;
        Some(Part { node: *node, inside })
    }

    /// Takes the next part that is neither a word nor a symbol.
    pub fn next(&mut self) -> Option<Part<'t>> {
        loop {
            let part = self.any()?;
            if !is_noise(part.as_rule()) {
                return Some(part);
            }
        }
    }

    /// Takes the next part if it is of this rule.
    pub fn take(&mut self, rule: Rule) -> Option<Part<'t>> {
        let mut ahead = *self;
        let part = ahead.next().filter(|part| part.as_rule() == rule)?;
        *self = ahead;
        Some(part)
    }

    /// Takes the word or symbol if it stands before the next part.
    pub fn has(&mut self, rule: Rule) -> bool {
        self.word(rule).is_some()
    }

    /// Like [`Kids::has`], and gives the word.
    pub fn word(&mut self, rule: Rule) -> Option<Part<'t>> {
        let mut ahead = *self;
        loop {
            let part = ahead.any().filter(|part| is_noise(part.as_rule()))?;
            if part.as_rule() == rule {
                *self = ahead;
                return Some(part);
            }
        }
    }

    /// How many parts follow that are neither words nor symbols.
    pub fn count(mut self) -> usize {
        std::iter::from_fn(|| self.next()).count()
    }

    /// Takes all following parts of this rule, as what `build` makes of them. The list has no room to spare: trees of
    /// many cards lie in memory at once.
    pub fn list<T>(&mut self, rule: Rule, mut build: impl FnMut(Part<'t>) -> T) -> Vec<T> {
        let mut ahead = *self;
        let count = std::iter::from_fn(|| ahead.take(rule)).count();
        let mut list = Vec::with_capacity(count);
        while let Some(part) = self.take(rule) {
            list.push(build(part));
        }
        list
    }
}

/// Whether a rule is a word or symbol. They stand together in `base.pest` and `words.pest`, and rules are ordered as written.
fn is_noise(rule: Rule) -> bool {
    rule == Rule::EOI || (Rule::lbrace..=Rule::k_zone).contains(&rule)
}
