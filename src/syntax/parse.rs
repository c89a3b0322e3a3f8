//! Reads a file: first look, brackets, items, and the grammar for each of them. An item that the grammar refuses is
//! read again in smaller pieces, so that every independent mistake in it is found.

use super::ast::{EntryField, EntryFieldKind, Expr, ExprKind, File, Ident, Item, ItemKind};
use super::build::Builder;
use super::grammar::{Grammar, Rule};
use super::lex::{TokenKind, lex};
use super::split::{Chunk, Matched};
use super::{limits, message, recover};
use crate::base::{Code, Diagnostic, Diagnostics, FileId, Span};
use pest::Parser;
use pest::error::Error;
use pest::iterators::Pair;
use std::num::NonZeroUsize;
use std::ops::Range;

/// Reads one file of rules, cards or scenarios. Gives what could be read, and everything that is wrong with the text.
pub fn parse(file: FileId, text: &str) -> (File, Diagnostics) {
    if text.len() > limits::MAX_FILE_BYTES {
        let message = format!("this file has {} bytes, and {} are the most", text.len(), limits::MAX_FILE_BYTES);
        let finding =
            Diagnostic::new(Code::FileTooLarge, Span::new(file, 0, 0), message).help("split it into several files");
        return (File::default(), vec![finding]);
    }
    let lexed = lex(file, text);
    let tokens: Vec<_> = lexed.tokens.into_iter().filter(|token| token.kind != TokenKind::Comment).collect();
    let mut diagnostics = lexed.diagnostics;
    if let Some(finding) = limits::check(file, &lexed.clean, &tokens) {
        diagnostics.push(finding);
        return (File::default(), diagnostics);
    }
    pest::set_call_limit(NonZeroUsize::new(limits::MAX_PARSE_STEPS));
    let ends: Vec<usize> = tokens.iter().map(|token| token.end).collect();
    let mut matched = Matched::new(file, &lexed.clean, tokens);
    let chunks = matched.chunks();
    diagnostics.append(&mut matched.diagnostics);
    let clean = without_strays(&matched);
    let builder = Builder { file, ends: &ends, offset: 0, diagnostics };
    let mut reader = Reader { matched: &matched, clean: &clean, base: 0, builder };
    let items = chunks.iter().filter_map(|chunk| reader.item(chunk)).collect();
    let mut diagnostics = reader.builder.diagnostics;
    diagnostics.sort_by_key(|diagnostic| diagnostic.span.start);
    (File { items }, diagnostics)
}

/// Reads one expression, as between the `{` and `}` of a text. `at` is the byte of the file at which it begins. Where it
/// cannot be read, the expression is [`ExprKind::Error`].
pub fn parse_expr(file: FileId, at: usize, text: &str) -> (Expr, Diagnostics) {
    let lexed = lex(file, text);
    let tokens: Vec<_> = lexed.tokens.into_iter().filter(|token| token.kind != TokenKind::Comment).collect();
    let mut diagnostics = lexed.diagnostics;
    let mut expr = Expr { kind: ExprKind::Error, span: Span::new(file, at, at + text.len()) };
    if let Some(finding) = limits::check(file, &lexed.clean, &tokens) {
        diagnostics.push(finding);
    } else if diagnostics.is_empty() {
        pest::set_call_limit(NonZeroUsize::new(limits::MAX_PARSE_STEPS));
        let ends: Vec<usize> = tokens.iter().map(|token| at + token.end).collect();
        let matched = Matched::new(file, &lexed.clean, tokens);
        let builder = Builder { file, ends: &ends, offset: 0, diagnostics };
        let mut reader = Reader { matched: &matched, clean: &lexed.clean, base: at, builder };
        let range = 0..matched.tokens.len();
        let clean = reader.slice(&range).to_owned();
        match reader.read(Rule::one_expr, &clean, &range, |builder, pair| builder.expr(Some(pair))) {
            Ok(found) => expr = found,
            Err(error) => reader.report(&error, &range),
        }
        diagnostics = reader.builder.diagnostics;
    }
    for diagnostic in &mut diagnostics {
        let Span { start, end, .. } = diagnostic.span;
        diagnostic.span = Span::new(file, at + start as usize, at + end as usize);
    }
    (expr, diagnostics)
}

/// The text with spaces in place of brackets that were reported as having no partner.
fn without_strays(matched: &Matched<'_>) -> String {
    let mut clean = matched.source.to_owned();
    for index in &matched.stray {
        if let Some(token) = matched.tokens.get(*index) {
            clean.replace_range(token.start..token.end, " ");
        }
    }
    clean
}

/// Reads the items of one file.
pub(super) struct Reader<'a> {
    pub matched: &'a Matched<'a>,
    pub clean: &'a str,
    /// Where the text begins in its file.
    pub base: usize,
    pub builder: Builder<'a>,
}

impl<'a> Reader<'a> {
    fn item(&mut self, chunk: &Chunk) -> Option<Item> {
        let text = self.slice(&chunk.range);
        let closed = "}".repeat(chunk.missing);
        let whole = if chunk.missing > 0 { format!("{text}{closed}") } else { text.to_owned() };
        match self.read(Rule::one_item, &whole, &chunk.range, |builder, pair| builder.item(pair)) {
            Ok(item) => item,
            // What is unclosed was reported, and what follows from it need not be.
            Err(_) if chunk.missing > 0 => None,
            Err(error) => self.broken_item(&chunk.range, &error),
        }
    }

    /// Reads an item that the grammar refused: what is before its block, then each part of the block.
    fn broken_item(&mut self, range: &Range<usize>, error: &Error<Rule>) -> Option<Item> {
        let before = self.builder.diagnostics.len();
        let body = recover::body(self.matched, range);
        let mut item = None;
        if let Some((open, end)) = body {
            let header = range.start..open + 1;
            let text = format!("{}}}", self.slice(&header));
            match self.read(Rule::one_item, &text, &header, |builder, pair| builder.item(pair)) {
                Ok(found) => item = found,
                Err(error) => self.report(&error, &header),
            }
            let inside = open + 1..end - usize::from(self.matched.text(end - 1) == "}");
            self.body(self.matched.text(range.start), inside, item.as_mut());
            if let Some(item) = item.as_mut() {
                item.span = self.matched.span(range.start).to(self.matched.span(end - 1));
            }
        }
        if self.builder.diagnostics.len() == before {
            self.report(error, range);
            return None;
        }
        item
    }

    /// Reads the parts of an item's block, and puts those that can be read into the item.
    fn body(&mut self, word: &str, inside: Range<usize>, item: Option<&mut Item>) {
        let kind = item.map(|item| &mut item.kind);
        match (recover::Body::of_item(word), kind) {
            (recover::Body::Members, kind) => {
                let found = self.pieces(recover::Body::Members, inside, Rule::one_member, Builder::member);
                if let Some(
                    ItemKind::Kind { members, .. } | ItemKind::Player { members } | ItemKind::Game { members },
                ) = kind
                {
                    members.extend(found);
                }
            }
            (recover::Body::Props, kind) => {
                let found = self.pieces(recover::Body::Props, inside, Rule::one_prop, Builder::prop);
                if let Some(
                    ItemKind::Zone { props, .. } | ItemKind::Board { props, .. } | ItemKind::Look { props, .. },
                ) = kind
                {
                    props.extend(found);
                }
            }
            (recover::Body::Clauses, kind) => {
                let found = self.pieces(recover::Body::Clauses, inside, Rule::one_clause, Builder::clause);
                if let Some(ItemKind::Rule { clauses, .. }) = kind {
                    clauses.extend(found);
                }
            }
            (recover::Body::Steps, kind) => {
                let found = self.pieces(recover::Body::Steps, inside, Rule::one_step, Builder::step);
                if let Some(ItemKind::Scenario { steps, .. }) = kind {
                    steps.extend(found);
                }
            }
            (recover::Body::Stmts, kind) => {
                let found = self.pieces(recover::Body::Stmts, inside, Rule::one_stmt, Builder::stmt);
                if let Some(
                    ItemKind::Verb { body, .. }
                    | ItemKind::Action { body, .. }
                    | ItemKind::Setup { body }
                    | ItemKind::Flow { body },
                ) = kind
                {
                    body.stmts.extend(found);
                }
            }
            (recover::Body::Fields, kind) => {
                let found = self.fields(inside);
                if let Some(ItemKind::Entry { fields, .. }) = kind {
                    fields.extend(found);
                }
            }
            (recover::Body::Whole, _) => {}
        }
    }

    /// Fields of a definition. One that cannot be read stays as a field with an unreadable value, lest it be missed.
    fn fields(&mut self, inside: Range<usize>) -> Vec<EntryField> {
        let mut fields = Vec::new();
        for range in recover::pieces(self.matched, inside, recover::Body::Fields) {
            match self.piece(&range, Rule::one_field, &Builder::entry_field) {
                Some(field) => fields.push(field),
                None => fields.extend(self.unreadable_field(&range)),
            }
        }
        fields
    }

    fn unreadable_field(&self, range: &Range<usize>) -> Option<EntryField> {
        let name = self.matched.text(range.start);
        if self.matched.kind(range.start) != Some(TokenKind::Word) || super::words::CLAUSES.contains(&name) {
            return None;
        }
        let span = self.matched.span(range.start);
        let name = Ident { text: name.to_owned(), span };
        let value = Expr { kind: ExprKind::Error, span };
        Some(EntryField { kind: EntryFieldKind::Value { name, value }, span })
    }

    fn pieces<T>(
        &mut self,
        body: recover::Body,
        inside: Range<usize>,
        rule: Rule,
        build: impl Fn(&mut Builder<'a>, Pair<'_, Rule>) -> T,
    ) -> Vec<T> {
        let pieces = recover::pieces(self.matched, inside, body);
        pieces.iter().filter_map(|range| self.piece(range, rule, &build)).collect()
    }

    /// Reads one piece; if it holds blocks and cannot be read, reads it without them and then what is in them.
    fn piece<T>(
        &mut self,
        range: &Range<usize>,
        rule: Rule,
        build: &impl Fn(&mut Builder<'a>, Pair<'_, Rule>) -> T,
    ) -> Option<T> {
        let text = self.slice(range).to_owned();
        let error = match self.read(rule, &text, range, build) {
            Ok(piece) => return Some(piece),
            Err(error) => error,
        };
        let before = self.builder.diagnostics.len();
        let blocks = recover::blocks(self.matched, range);
        let mut piece = None;
        if !blocks.is_empty() {
            let text = self.emptied(range, &blocks);
            match self.read(rule, &text, range, build) {
                Ok(found) => piece = Some(found),
                Err(error) => self.report(&error, range),
            }
            for (body, inside) in blocks {
                match body {
                    recover::Body::Clauses => drop(self.pieces(body, inside, Rule::one_clause, Builder::clause)),
                    _ => drop(self.pieces(body, inside, Rule::one_stmt, Builder::stmt)),
                }
            }
        }
        if self.builder.diagnostics.len() == before {
            self.report(&error, range);
            return None;
        }
        piece
    }

    /// The text of a piece with nothing in its blocks.
    fn emptied(&self, range: &Range<usize>, blocks: &[(recover::Body, Range<usize>)]) -> String {
        let mut text = self.slice(range).to_owned();
        let offset = self.start(range);
        for (_, inside) in blocks {
            let (Some(first), Some(last)) =
                (self.matched.tokens.get(inside.start), self.matched.tokens.get(inside.end))
            else {
                continue;
            };
            let from = first.start.min(last.start).saturating_sub(offset);
            let to = last.start.saturating_sub(offset);
            if let Some(length) = to.checked_sub(from) {
                text.replace_range(from..to, &" ".repeat(length));
            }
        }
        text
    }

    fn read<T>(
        &mut self,
        rule: Rule,
        text: &str,
        range: &Range<usize>,
        build: impl Fn(&mut Builder<'a>, Pair<'_, Rule>) -> T,
    ) -> Result<T, Box<Error<Rule>>> {
        let mut pairs = Grammar::parse(rule, text).map_err(Box::new)?;
        self.builder.offset = self.base + self.start(range);
        let inner = pairs.next().and_then(|whole| whole.into_inner().next());
        match inner {
            Some(pair) => Ok(build(&mut self.builder, pair)),
            None => Err(Box::new(Error::new_from_pos(
                pest::error::ErrorVariant::ParsingError { positives: vec![rule], negatives: Vec::new() },
                pest::Position::from_start(text),
            ))),
        }
    }

    fn report(&mut self, error: &Error<Rule>, range: &Range<usize>) {
        // What follows from a bracket without a partner, which was reported, need not be.
        if self.matched.stray.iter().any(|index| range.contains(index)) {
            return;
        }
        let finding = message::describe(error, self.matched, range, self.start(range));
        // A mistake that the first look has reported is not reported again.
        let known = |earlier: &Diagnostic| earlier.span == finding.span;
        if !self.builder.diagnostics.iter().any(known) {
            self.builder.diagnostics.push(finding);
        }
    }

    fn start(&self, range: &Range<usize>) -> usize {
        self.matched.tokens.get(range.start).map_or(self.clean.len(), |token| token.start)
    }

    fn slice(&self, range: &Range<usize>) -> &str {
        let end = range.end.checked_sub(1).and_then(|last| self.matched.tokens.get(last)).map_or(0, |token| token.end);
        self.clean.get(self.start(range)..end).unwrap_or("")
    }
}
