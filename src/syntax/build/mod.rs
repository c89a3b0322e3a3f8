//! From what the grammar yields to the tree. Nothing can fail here but limits: the grammar has already said that the
//! parts are there.

mod expr;
mod item;
mod member;
mod scenario;
mod stmt;

use super::ast::Ident;
use super::grammar::{Kids, Part, Rule};
use super::lex::Token;
use crate::base::{Code, Diagnostic, Diagnostics, FileId, Span};

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
    /// What the item or member at hand is called.
    pub label: Option<Ident>,
}

impl Builder<'_> {
    /// The first and the last token of a rule.
    fn ends(&self, part: &Part<'_>) -> Option<(Token, Token)> {
        let (start, end) = part.place();
        let last = end.checked_sub(1)?.min(self.piece.len().checked_sub(1)?);
        let token = |index: usize| self.piece.get(index).and_then(|token| self.tokens.get(*token)).copied();
        Some((token(start.min(last))?, token(last)?))
    }

    /// The place of a rule.
    fn span(&self, part: &Part<'_>) -> Span {
        let (start, end) = self.ends(part).map_or((0, 0), |(first, last)| (first.start, last.end));
        Span::new(self.file, self.base + start, self.base + end)
    }

    /// The text of a rule.
    fn text(&self, part: &Part<'_>) -> &str {
        self.ends(part).and_then(|(first, last)| self.source.get(first.start..last.end)).unwrap_or("")
    }

    /// A name, or a text without its quotes and escapes.
    fn ident(&self, part: Option<Part<'_>>) -> Ident {
        let Some(part) = part else { return Ident { text: String::new(), span: Span::default() } };
        let span = self.span(&part);
        match part.as_rule() {
            Rule::text => Ident { text: unquote(self.text(&part)), span },
            Rule::prompt => self.ident(Kids::of(part).next()),
            _ => Ident { text: self.text(&part).to_owned(), span },
        }
    }

    /// The name of an item or member; its label is kept.
    fn named(&mut self, kids: &mut Kids<'_>) -> Ident {
        let name = self.ident(kids.next());
        self.label = kids.take(Rule::label).map(|label| self.ident(Kids::of(label).next()));
        name
    }

    fn number(&self, part: Option<Part<'_>>) -> i64 {
        part.and_then(|part| self.text(&part).parse().ok()).unwrap_or(0)
    }

    fn report(&mut self, code: Code, span: Span, message: impl Into<String>, help: &str) {
        self.diagnostics.push(Diagnostic::new(code, span, message).help(help));
    }
}

/// A text in quotes, as it is written.
pub fn quote(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

/// A text without its quotes and escapes.
pub(super) fn unquote(quoted: &str) -> String {
    let body = quoted.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')).unwrap_or(quoted);
    if !body.contains('\\') {
        return body.to_owned();
    }
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
