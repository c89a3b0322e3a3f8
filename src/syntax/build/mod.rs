//! From what the grammar yields to the tree. Nothing can fail here but limits: the grammar has already said that the
//! parts are there.

mod expr;
mod item;
mod member;
mod scenario;
mod stmt;

use super::alphabet::index_of;
use super::ast::Ident;
use super::grammar::{Kids, Rule};
use super::lex::Token;
use crate::base::{Code, Diagnostic, Diagnostics, FileId, Span};
use pest::iterators::Pair;

/// Builds the tree of pieces of one file.
pub(super) struct Builder<'a> {
    pub file: FileId,
    pub source: &'a str,
    /// The tokens of the text, without comments.
    pub tokens: &'a [Token],
    /// Where the text begins in its file.
    pub base: usize,
    /// The token of each character of the piece that is being built.
    pub piece: Vec<usize>,
    pub diagnostics: Diagnostics,
}

impl Builder<'_> {
    /// The first and the last token of a rule.
    fn ends(&self, pair: &Pair<'_, Rule>) -> Option<(Token, Token)> {
        let place = pair.as_span();
        let last = index_of(place.end()).checked_sub(1)?.min(self.piece.len().checked_sub(1)?);
        let token = |index: usize| self.piece.get(index).and_then(|token| self.tokens.get(*token)).copied();
        Some((token(index_of(place.start()).min(last))?, token(last)?))
    }

    /// The place of a rule.
    fn span(&self, pair: &Pair<'_, Rule>) -> Span {
        let (start, end) = self.ends(pair).map_or((0, 0), |(first, last)| (first.start, last.end));
        Span::new(self.file, self.base + start, self.base + end)
    }

    /// The text of a rule.
    fn text(&self, pair: &Pair<'_, Rule>) -> &str {
        self.ends(pair).and_then(|(first, last)| self.source.get(first.start..last.end)).unwrap_or("")
    }

    /// A name, or a text without its quotes and escapes.
    fn ident(&self, pair: Option<Pair<'_, Rule>>) -> Ident {
        let Some(pair) = pair else { return Ident { text: String::new(), span: Span::default() } };
        let span = self.span(&pair);
        match pair.as_rule() {
            Rule::text => Ident { text: unquote(self.text(&pair)), span },
            Rule::prompt => self.ident(Kids::of(pair).next()),
            _ => Ident { text: self.text(&pair).to_owned(), span },
        }
    }

    fn number(&self, pair: Option<Pair<'_, Rule>>) -> i64 {
        pair.and_then(|pair| self.text(&pair).parse().ok()).unwrap_or(0)
    }

    fn report(&mut self, code: Code, span: Span, message: impl Into<String>, help: &str) {
        self.diagnostics.push(Diagnostic::new(code, span, message).help(help));
    }
}

fn unquote(quoted: &str) -> String {
    let body = quoted.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')).unwrap_or(quoted);
    let mut out = String::with_capacity(body.len());
    let mut chars = body.chars();
    while let Some(c) = chars.next() {
        match c {
            '\\' => out.extend(chars.next()),
            c => out.push(c),
        }
    }
    out
}
