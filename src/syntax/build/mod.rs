//! From what the grammar yields to the tree. Nothing can fail here but limits: the grammar has already said that the
//! parts are there.

mod expr;
mod item;
mod member;
mod scenario;
mod stmt;

use super::ast::Ident;
use super::grammar::{Kids, Rule};
use crate::base::{Code, Diagnostic, Diagnostics, FileId, Span};
use pest::iterators::Pair;

/// Builds the tree of pieces of one file.
pub(super) struct Builder<'a> {
    pub file: FileId,
    /// Ends of all tokens but comments, in order.
    pub ends: &'a [usize],
    /// Where the piece that is being built begins in the file.
    pub offset: usize,
    pub diagnostics: Diagnostics,
}

impl Builder<'_> {
    /// The place of a rule, without the space and the comments that a rule with an optional end takes in.
    fn span(&self, pair: &Pair<'_, Rule>) -> Span {
        let place = pair.as_span();
        let (start, end) = (self.offset + place.start(), self.offset + place.end());
        let last = self.ends.partition_point(|token| *token <= end);
        let end = last.checked_sub(1).and_then(|index| self.ends.get(index)).copied().unwrap_or(end);
        Span::new(self.file, start, end.max(start))
    }

    /// A name, or a text without its quotes and escapes.
    fn ident(&self, pair: Option<Pair<'_, Rule>>) -> Ident {
        let Some(pair) = pair else { return Ident { text: String::new(), span: Span::default() } };
        let span = self.span(&pair);
        match pair.as_rule() {
            Rule::text => Ident { text: unquote(pair.as_str()), span },
            Rule::prompt => self.ident(Kids::of(pair).next()),
            _ => Ident { text: pair.as_str().to_owned(), span },
        }
    }

    fn number(&self, pair: Option<Pair<'_, Rule>>) -> i64 {
        pair.and_then(|pair| pair.as_str().parse().ok()).unwrap_or(0)
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
