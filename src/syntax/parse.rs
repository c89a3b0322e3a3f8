//! Reads a file: first look, brackets, items, and the grammar for each of them. An item that the grammar refuses is
//! read again in smaller pieces, so that every independent mistake in it is found.

use super::alphabet::Letters;
use super::ast::{Block, Change, EntryField, EntryFieldKind, Expr, ExprKind, File, Ident, Item, ItemKind};
use super::build::Builder;
use super::grammar::{Grammar, Kids, Part, Rule, Tree};
use super::lex::{TokenKind, lex};
use super::split::{Chunk, Matched};
use super::{braces, limits, message, recover, slips, words};
use crate::base::{Code, Diagnostic, Diagnostics, FileId, Span};
use pest::Parser;
use pest::Position;
use pest::error::{Error, ErrorVariant};
use std::collections::{BTreeMap, BTreeSet};
use std::num::NonZeroUsize;
use std::ops::Range;

/// Reads one file of rules, cards or scenarios. Gives what could be read, and everything that is wrong with the text.
pub fn parse(file: FileId, text: &str) -> (File, Diagnostics) {
    if text.len() > limits::MAX_FILE_BYTES {
        let message = format!("this file has {} bytes, and {} are the most", text.len(), limits::MAX_FILE_BYTES);
        let finding =
            Diagnostic::new(Code::FileTooLarge, Span::new(file, 0, 0), message).help("split it into several files");
        return (File { unread: true, ..File::default() }, vec![finding]);
    }
    let mut lexed = lex(file, text);
    lexed.tokens.retain(|token| token.kind != TokenKind::Comment);
    let mut lost: BTreeSet<String> =
        lexed.diagnostics.iter().flat_map(|found| words_of(lines(text, found.span))).collect();
    let mut diagnostics = lexed.diagnostics;
    let mut matched = Matched::new(file, &lexed.clean, lexed.tokens);
    if let Some(finding) = limits::check(&matched) {
        diagnostics.push(finding);
        return (File { unread: true, ..File::default() }, diagnostics);
    }
    pest::set_call_limit(NonZeroUsize::new(limits::MAX_PARSE_STEPS));
    let chunks = matched.chunks();
    diagnostics.append(&mut matched.diagnostics);
    diagnostics.truncate(limits::MAX_FINDINGS);
    let mut reader = Reader::new(&matched, 0, diagnostics);
    let mut items = Vec::with_capacity(chunks.len());
    for chunk in &chunks {
        // A file that is wrong all over is no file of rules.
        let full = reader.builder.diagnostics.len() >= limits::MAX_FINDINGS;
        reader.lacks_brace = false;
        // `patch "Ell" { ... }`: the name of its kind has been reported.
        let first = matched.text(chunk.range.start);
        let named = matched.kind(chunk.range.start + 1) == Some(TokenKind::Text);
        let misnamed = named && words::CHANGES.contains(&first) && matched.declares("kind", first);
        let item = (!full && !misnamed).then(|| reader.item(chunk)).flatten();
        if reader.lacks_brace {
            reader.close_again(chunk.range.end);
        }
        if item.is_none() || chunk.missing > 0 {
            reader.lost.push(chunk.range.clone());
        }
        items.extend(item);
    }
    for range in &matched.skipped {
        // The name of `tool Big Lantern { ... }`
        let name = (range.start + 1..range.end).map(|index| matched.text(index)).take_while(|text| *text != "{");
        lost.insert(name.collect::<Vec<_>>().join(" "));
    }
    for range in reader.lost.iter().chain(&matched.skipped) {
        let stretch = matched.span(range.start).to(matched.span(range.end.saturating_sub(1)));
        lost.extend(words_of(text.get(stretch.start as usize..stretch.end as usize).unwrap_or_default()));
    }
    let mut diagnostics = reader.builder.diagnostics;
    diagnostics.sort_by_key(|diagnostic| diagnostic.span.start);
    once_for_each_word(text, &mut diagnostics);
    (File { items, lost, unread: false }, diagnostics)
}

/// The lines in which a stretch of text stands.
fn lines(text: &str, span: Span) -> &str {
    let start = text.get(..span.start as usize).and_then(|before| before.rfind('\n')).map_or(0, |at| at + 1);
    let rest = text.get(span.end as usize..).unwrap_or_default();
    let end = span.end as usize + rest.find('\n').unwrap_or(rest.len());
    text.get(start..end).unwrap_or_default()
}

/// All that a text may name: its words, and what stands in quotes.
pub fn words_of(text: &str) -> impl Iterator<Item = String> {
    let words = text.split(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_');
    let quoted = text.lines().flat_map(|line| line.split(['"', '\'', '“', '”']).skip(1));
    let quoted = quoted.map(|text| text.trim_matches([' ', '\t', '{', '}', ',']));
    // The name that two words together may have been meant for: `counter in hand`, read as `in_hand`.
    let pairs = text.lines().flat_map(|line| {
        let parts: Vec<&str> = line.split(' ').map(|part| part.trim_end_matches(':')).collect();
        parts.windows(2).map(|pair| pair.join("_")).collect::<Vec<String>>()
    });
    words.chain(quoted).map(str::to_owned).chain(pairs).filter(|word| !word.is_empty())
}

/// A reserved word that somebody took for a name is one mistake, however often the name is used.
fn once_for_each_word(text: &str, diagnostics: &mut Diagnostics) {
    let at = |found: &Diagnostic| text.get(found.span.start as usize..found.span.end as usize).unwrap_or_default();
    let taken: BTreeMap<&str, u32> = diagnostics
        .iter()
        .rev()
        .filter(|found| found.code == Code::ReservedWord)
        .map(|found| (at(found), found.span.start))
        .collect();
    let before = |found: &Diagnostic| {
        let text = text.get(..found.span.start as usize).unwrap_or_default().trim_end();
        text.rsplit(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_').next().unwrap_or_default()
    };
    diagnostics.retain(|found| match (found.code, taken.get(at(found))) {
        (Code::ReservedWord, Some(first)) => *first == found.span.start,
        (Code::Unexpected, Some(_)) => false,
        // What was awaited behind the word, which has a role of its own.
        (Code::Unexpected, None) => !taken.contains_key(before(found)),
        _ => true,
    });
}

/// Reads one expression, as between the `{` and `}` of a text. `at` is the byte of the file at which it begins. Where it
/// cannot be read, the expression is [`ExprKind::Error`].
pub fn parse_expr(file: FileId, at: usize, text: &str) -> (Expr, Diagnostics) {
    let mut lexed = lex(file, text);
    lexed.tokens.retain(|token| token.kind != TokenKind::Comment);
    let mut diagnostics = lexed.diagnostics;
    let matched = Matched::new(file, &lexed.clean, lexed.tokens);
    let mut expr = Expr { kind: ExprKind::Error, span: Span::new(file, at, at + text.len()) };
    if let Some(finding) = limits::check(&matched) {
        diagnostics.push(finding);
    } else if diagnostics.is_empty() {
        pest::set_call_limit(NonZeroUsize::new(limits::MAX_PARSE_STEPS));
        let mut reader = Reader::new(&matched, at, diagnostics);
        let range = 0..matched.tokens.len();
        let letters = matched.letters(range.clone());
        match reader.read(Rule::one_expr, letters, |builder, part| builder.expr(Some(part))) {
            Ok(found) => expr = found,
            Err(failure) => reader.report(&failure, &range, recover::Body::Whole),
        }
        diagnostics = reader.builder.diagnostics;
    }
    for diagnostic in &mut diagnostics {
        let Span { start, end, .. } = diagnostic.span;
        diagnostic.span = Span::new(file, at + start as usize, at + end as usize);
    }
    (expr, diagnostics)
}

/// Reads the items of one file.
struct Reader<'a> {
    matched: &'a Matched<'a>,
    builder: Builder<'a>,
    /// Stretches of tokens that the grammar has refused.
    lost: Vec<Range<usize>>,
    /// Whether the block of an effect of this item does not begin.
    lacks_brace: bool,
}

/// What the grammar refused, and the tokens it was shown.
struct Failure {
    error: Box<Error<Rule>>,
    piece: Vec<usize>,
}

impl<'a> Reader<'a> {
    fn new(matched: &'a Matched<'a>, base: usize, diagnostics: Diagnostics) -> Self {
        let (file, source, tokens) = (matched.file, matched.source, matched.tokens.as_slice());
        let builder = Builder { file, source, tokens, base, piece: Vec::new(), diagnostics, label: None };
        Reader { matched, builder, lost: Vec::new(), lacks_brace: false }
    }

    fn item(&mut self, chunk: &Chunk) -> Option<Item> {
        let mut letters = self.matched.letters(chunk.range.clone());
        (0..chunk.missing).for_each(|_| letters.close());
        match self.read(Rule::one_item, letters, |builder, part| builder.item(part)) {
            Ok(item) => item,
            // What is unclosed was reported, and what follows from it need not be.
            Err(_) if chunk.missing > 0 => self.unclosed_definition(&chunk.range),
            Err(failure) => self.broken_item(&chunk.range, &failure),
        }
    }

    /// Where a `{` is missing, the `}` that it should have had is one too many, and what stands before that is outside
    /// of any item only for this reason.
    fn close_again(&mut self, end: usize) {
        let Some(stray) = self.matched.stray.iter().find(|index| **index >= end) else { return };
        let stretch = self.matched.span(end).to(self.matched.span(*stray));
        self.builder.diagnostics.retain(|found| {
            let within = found.span.start >= stretch.start && found.span.end <= stretch.end;
            !(within && matches!(found.code, Code::StrayBracket | Code::NotAnItem))
        });
    }

    /// A definition whose block is not closed, with the fields that can be read: so that others find it by its name.
    fn unclosed_definition(&mut self, range: &Range<usize>) -> Option<Item> {
        let sort = recover::sort(self.matched, range);
        let open = range.clone().find(|index| self.matched.text(*index) == "{")?;
        if recover::Body::of_item(sort) != recover::Body::Fields {
            return None;
        }
        let before = self.builder.diagnostics.len();
        let mut letters = self.matched.letters(range.start..open + 1);
        letters.close();
        let mut item = self.read(Rule::one_item, letters, |builder, part| builder.item(part)).ok().flatten();
        self.body(sort, open + 1..range.end, item.as_mut());
        self.builder.diagnostics.truncate(before);
        item
    }

    /// Reads an item that the grammar refused: what is before its block, then each part of the block.
    fn broken_item(&mut self, range: &Range<usize>, failure: &Failure) -> Option<Item> {
        if let Some(found) = braces::braces(self.matched, range) {
            self.builder.diagnostics.push(found);
            return None;
        }
        let before = self.builder.diagnostics.len();
        let body = recover::body(self.matched, range);
        let mut item = None;
        if let Some((open, end)) = body {
            let header = range.start..open + 1;
            let mut letters = self.matched.letters(header.clone());
            letters.close();
            match self.read(Rule::one_item, letters, |builder, part| builder.item(part)) {
                Ok(found) => item = found,
                Err(failure) => self.report(&failure, &header, recover::Body::Whole),
            }
            let inside = open + 1..end - usize::from(self.matched.text(end - 1) == "}");
            self.body(recover::sort(self.matched, range), inside, item.as_mut());
            if let Some(item) = item.as_mut() {
                item.span = self.matched.span(range.start).to(self.matched.span(end - 1));
            }
        }
        if self.builder.diagnostics.len() == before {
            self.report(failure, range, recover::Body::Whole);
            return None;
        }
        // A scenario without one of its steps would fail because of that.
        item.filter(|item| !matches!(item.kind, ItemKind::Scenario { .. }))
    }

    /// Reads the parts of an item's block, and puts those that can be read into the item.
    fn body(&mut self, word: &str, inside: Range<usize>, item: Option<&mut Item>) {
        let kind = item.map(|item| match &mut item.kind {
            ItemKind::Replace { with } => &mut with.kind,
            kind => kind,
        });
        match (recover::Body::of_item(word), kind) {
            (recover::Body::Members, kind) => {
                let found = self.pieces(recover::Body::Members, inside, Rule::one_member, Builder::member);
                if let Some(
                    ItemKind::Kind { members, .. }
                    | ItemKind::Player { members }
                    | ItemKind::Game { members }
                    | ItemKind::Patch { change: Change::Members { members, .. }, .. },
                ) = kind
                {
                    members.extend(found);
                }
            }
            (recover::Body::Props, kind) => {
                let found = self.pieces(recover::Body::Props, inside, Rule::one_prop, Builder::prop);
                if let Some(
                    ItemKind::Zone { props, .. }
                    | ItemKind::Board { props, .. }
                    | ItemKind::Look { props, .. }
                    | ItemKind::Patch { change: Change::Props(props), .. },
                ) = kind
                {
                    props.extend(found);
                }
            }
            (recover::Body::Clauses, kind) => {
                let found = self.pieces(recover::Body::Clauses, inside, Rule::one_clause, Builder::clause);
                if let Some(
                    ItemKind::Rule { clauses, .. } | ItemKind::Patch { change: Change::Clauses { clauses, .. }, .. },
                ) = kind
                {
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
                    | ItemKind::Flow { body }
                    | ItemKind::Patch { change: Change::Stmts(body), .. },
                ) = kind
                {
                    body.stmts.extend(found);
                }
            }
            (recover::Body::Fields, kind) => {
                let found = self.fields(inside);
                if let Some(
                    ItemKind::Entry { fields, .. } | ItemKind::Patch { change: Change::Fields { fields, .. }, .. },
                ) = kind
                {
                    fields.extend(found);
                }
            }
            (recover::Body::Whole, _) => {}
        }
    }

    /// Fields of a definition. One that cannot be read stays as a field with an unreadable value, lest it be missed.
    fn fields(&mut self, inside: Range<usize>) -> Vec<EntryField> {
        let mut fields = Vec::new();
        for range in self.field_pieces(inside) {
            if recover::is_drop(self.matched, range.start) && range.len() == 2 {
                continue;
            }
            match self.piece(&range, recover::Body::Fields, Rule::one_field, &Builder::entry_field) {
                Some(field) => fields.push(field),
                None => fields.extend(self.unreadable_field(&range)),
            }
        }
        fields
    }

    /// The parts of a definition. What looks like statements in a row is one part: an effect without its `{`.
    fn field_pieces(&self, inside: Range<usize>) -> Vec<Range<usize>> {
        let mut pieces: Vec<Range<usize>> = Vec::new();
        for piece in recover::pieces(self.matched, inside, recover::Body::Fields) {
            match pieces.last_mut() {
                Some(last) if slips::goes_on(self.matched, last, &piece) => last.end = piece.end,
                _ => pieces.push(piece),
            }
        }
        pieces
    }

    fn unreadable_field(&self, range: &Range<usize>) -> Option<EntryField> {
        let name = self.matched.text(range.start);
        if self.matched.kind(range.start) != Some(TokenKind::Word) || super::words::is_reserved(name) {
            return None;
        }
        let span = self.matched.span(range.start);
        let name = Ident { text: name.to_owned(), span };
        let text = |ahead: usize| self.matched.text(range.start + ahead);
        let keyed = text(1) == ":" && text(2) == "{" && text(4) == ":";
        let blocklike = !keyed && (1..=2).any(|ahead| text(ahead) == "{");
        let kind = if blocklike {
            EntryFieldKind::Effect { name, body: Block { stmts: Vec::new(), span } }
        } else {
            EntryFieldKind::Value { name, value: Expr { kind: ExprKind::Error, span } }
        };
        Some(EntryField { kind, span })
    }

    fn pieces<T>(
        &mut self,
        body: recover::Body,
        inside: Range<usize>,
        rule: Rule,
        build: impl Fn(&mut Builder<'a>, Part<'_>) -> T,
    ) -> Vec<T> {
        let mut pieces = recover::pieces(self.matched, inside, body);
        pieces.retain(|range| !(recover::is_drop(self.matched, range.start) && range.len() == 2));
        pieces.iter().filter_map(|range| self.piece(range, body, rule, &build)).collect()
    }

    /// Reads one piece; if it holds blocks and cannot be read, reads it without them and then what is in them.
    fn piece<T>(
        &mut self,
        range: &Range<usize>,
        body: recover::Body,
        rule: Rule,
        build: &impl Fn(&mut Builder<'a>, Part<'_>) -> T,
    ) -> Option<T> {
        let failure = match self.read(rule, self.matched.letters(range.clone()), build) {
            Ok(piece) => return Some(piece),
            Err(failure) => failure,
        };
        let before = self.builder.diagnostics.len();
        let bare = body == recover::Body::Clauses && self.matched.text(range.start) == "{";
        let blocks = if bare { Vec::new() } else { recover::blocks(self.matched, range) };
        let mut piece = None;
        if !blocks.is_empty() {
            // Without what stands in its blocks.
            let inside = |index: &usize| blocks.iter().any(|(_, block)| block.contains(index));
            let letters = self.matched.letters(range.clone().filter(|index| !inside(index)));
            match self.read(rule, letters, build) {
                Ok(found) => piece = Some(found),
                Err(failure) => self.report(&failure, range, body),
            }
            // Turns and phases that stand in what is not kept are not missing.
            let spans = range.clone().filter(|index| matches!(self.matched.text(*index), "turns" | "phase"));
            self.lost.extend(spans.map(|index| index + 1..(index + 2).min(range.end)));
            let scenario = body == recover::Body::Steps && self.matched.text(range.start) == "scenario";
            for (body, inside) in blocks {
                match body {
                    _ if scenario => drop(self.pieces(recover::Body::Steps, inside, Rule::one_step, Builder::step)),
                    recover::Body::Clauses => drop(self.pieces(body, inside, Rule::one_clause, Builder::clause)),
                    _ => drop(self.pieces(body, inside, Rule::one_stmt, Builder::stmt)),
                }
            }
        }
        if self.builder.diagnostics.len() == before {
            self.report(&failure, range, body);
            return None;
        }
        piece
    }

    fn read<T>(
        &mut self,
        rule: Rule,
        letters: Letters,
        build: impl Fn(&mut Builder<'a>, Part<'_>) -> T,
    ) -> Result<T, Failure> {
        let nothing = || {
            let expected = ErrorVariant::ParsingError { positives: vec![rule], negatives: Vec::new() };
            Error::new_from_pos(expected, Position::from_start(&letters.text))
        };
        let tree = match Grammar::parse(rule, &letters.text) {
            Ok(pairs) => Tree::of(pairs),
            Err(error) => return Err(Failure { error: Box::new(error), piece: letters.tokens }),
        };
        match tree.parts().next().and_then(|whole| Kids::of(whole).next()) {
            Some(part) => {
                self.builder.piece = letters.tokens;
                Ok(build(&mut self.builder, part))
            }
            None => Err(Failure { error: Box::new(nothing()), piece: letters.tokens }),
        }
    }

    fn report(&mut self, failure: &Failure, range: &Range<usize>, body: recover::Body) {
        self.lost.push(range.clone());
        // What follows from a bracket without a partner, which was reported, need not be.
        if self.matched.stray.iter().any(|index| range.contains(index)) {
            return;
        }
        self.lacks_brace |= body == recover::Body::Fields && slips::lacks_brace(self.matched, range);
        let finding = slips::slip(self.matched, range, body)
            .unwrap_or_else(|| message::describe(&failure.error, self.matched, range, &failure.piece, body));
        // A mistake that the first look has reported is not reported again.
        let known = |earlier: &Diagnostic| earlier.span == finding.span;
        if !self.builder.diagnostics.iter().any(known) {
            self.builder.diagnostics.push(finding);
        }
    }
}
