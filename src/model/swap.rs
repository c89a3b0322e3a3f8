//! `OLD becomes NEW` in a patch: a piece of an item that stands there once, word for word, is exchanged in the tree, so
//! that what is new keeps its place in the expansion's text.

use crate::base::{Diagnostic, SourceMap, Span};
use crate::syntax::ast::{Block, Expr, Fragment, ItemKind, Stmt};
use crate::syntax::folds;
use crate::syntax::visit::{Visitor, block, expr, walk_item};
use crate::syntax::{Token, TokenKind, tokens, words_in};
use std::collections::BTreeSet;

/// The places of a piece in an item.
pub(super) fn places(item: &ItemKind, old: &Fragment, sources: &SourceMap) -> Vec<Span> {
    let mut search =
        Search { sources, old: texts(old, sources), stmts: matches!(old, Fragment::Stmts(_)), found: Vec::new() };
    walk_item(&mut search, &mut item.clone());
    search.found
}

/// A piece that does not stand in an item, with what helps.
pub(super) fn missing(found: Diagnostic, item: Option<&ItemKind>, old: &Fragment, sources: &SourceMap) -> Diagnostic {
    if matches!(old, Fragment::Expr(_)) && sources.slice(span(old)).starts_with('"') {
        return found
            .help("the texts of questions, notes and reasons are no pieces: exchange the whole statement, in braces");
    }
    match item.and_then(|item| without_else(item, old, sources)) {
        Some(there) => found.label(there, "it goes on here").help("the whole statement is exchanged, with its `else`"),
        None => found.help("write word for word what stands there: a whole expression, or whole statements in braces"),
    }
}

/// Where statements stand of which the last goes on with an `else` that a piece leaves out.
fn without_else(item: &ItemKind, old: &Fragment, sources: &SourceMap) -> Option<Span> {
    struct Longer<'a> {
        sources: &'a SourceMap,
        old: Vec<Vec<&'a str>>,
        found: Option<Span>,
    }
    impl Visitor for Longer<'_> {
        fn block(&mut self, block: &mut Block) -> bool {
            let Some((last, before)) = self.old.split_last() else { return false };
            let texts: Vec<Vec<&str>> = block.stmts.iter().map(|stmt| words(stmt.span, self.sources)).collect();
            let goes_on =
                |text: &[&str]| text.strip_prefix(last.as_slice()).is_some_and(|more| more.first() == Some(&"else"));
            let fits = |texts: &[Vec<&str>]| {
                texts.split_last().is_some_and(|(text, others)| others == before && goes_on(text))
            };
            let at = texts.windows(self.old.len()).position(fits);
            let stmt = at.and_then(|at| block.stmts.get(at + before.len()));
            self.found = self.found.or(stmt.map(|stmt| stmt.span));
            true
        }
    }
    let mut longer = Longer { sources, old: texts(old, sources), found: None };
    if matches!(old, Fragment::Stmts(_)) {
        walk_item(&mut longer, &mut item.clone());
    }
    longer.found
}

/// Exchanges what stands at a place. False if it stands there no more.
pub(super) fn exchange(item: &mut ItemKind, place: Span, new: Fragment) -> bool {
    let mut exchange = Exchange { place, new: Some(new) };
    walk_item(&mut exchange, item);
    exchange.new.is_none()
}

/// The places of all that stands in an item where a piece is exchanged: of its expressions and statements, whoever has written them.
pub(super) fn within(item: &ItemKind, place: Span) -> BTreeSet<Span> {
    let mut within = Within { place, inside: false, found: BTreeSet::new() };
    walk_item(&mut within, &mut item.clone());
    within.found
}

struct Within {
    place: Span,
    inside: bool,
    found: BTreeSet<Span>,
}

impl Within {
    /// Takes down what a part has, from here on.
    fn take(&mut self, walk: impl FnOnce(&mut Within)) -> bool {
        self.inside = true;
        walk(self);
        self.inside = false;
        false
    }
}

impl Visitor for Within {
    fn expr(&mut self, of: &mut Expr) -> bool {
        if !self.inside {
            read_as(of, self.place);
            return of.span != self.place || self.take(|within| expr(within, of));
        }
        self.found.insert(of.span);
        true
    }

    fn block(&mut self, of: &mut Block) -> bool {
        if !self.inside {
            let Some((from, to)) = stmts_at(of, self.place) else { return true };
            let stmts = of.stmts.drain(from..=to).collect();
            let mut part = Block { stmts, ..of.clone() };
            return self.take(|within| block(within, &mut part));
        }
        self.found.extend(of.stmts.iter().map(|stmt| stmt.span));
        true
    }
}

/// Which statements of a block stand at a place.
fn stmts_at(block: &Block, place: Span) -> Option<(usize, usize)> {
    let stands = |stmt: &Stmt| stmt.span.file == place.file;
    let from = block.stmts.iter().position(|stmt| stands(stmt) && stmt.span.start == place.start)?;
    let to = block.stmts.iter().position(|stmt| stands(stmt) && stmt.span.end == place.end)?;
    (from <= to).then_some((from, to))
}

/// The words of a piece, as people compare them: in one line.
pub(super) fn shown(old: &Fragment, sources: &SourceMap) -> String {
    let text = sources.slice(span(old));
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Where a piece stands in the expansion.
pub(super) fn span(piece: &Fragment) -> Span {
    match piece {
        Fragment::Expr(expr) => expr.span,
        Fragment::Stmts(block) => block.span,
    }
}

/// The words of a piece, each with the same word where it stands in the item.
pub(super) fn twins(old: &Fragment, place: Span, sources: &SourceMap) -> Vec<(Span, Span)> {
    let words = |at: Span| -> Vec<Span> {
        let start = at.start as usize;
        let word = |token: Token| Span::new(at.file, start + token.start, start + token.end);
        tokens(sources.slice(at)).into_iter().filter(|token| token.kind == TokenKind::Word).map(word).collect()
    };
    let (given, found) = (words(span(old)), words(place));
    if given.len() == found.len() { given.into_iter().zip(found).collect() } else { Vec::new() }
}

/// The words of an expression, or of each statement.
fn texts<'s>(piece: &Fragment, sources: &'s SourceMap) -> Vec<Vec<&'s str>> {
    match piece {
        Fragment::Expr(expr) => vec![words(expr.span, sources)],
        Fragment::Stmts(block) => block.stmts.iter().map(|stmt| words(stmt.span, sources)).collect(),
    }
}

/// The words of a text without the brackets around all of it, which mean nothing.
pub(super) fn words(span: Span, sources: &SourceMap) -> Vec<&str> {
    let mut words = words_in(sources.slice(span));
    while enclosed(&words) {
        words.pop();
        words.remove(0);
    }
    words
}

fn enclosed(words: &[&str]) -> bool {
    let mut depth = 0;
    let closes = |word: &&str| {
        depth += i32::from(matches!(*word, "(" | "[" | "{")) - i32::from(matches!(*word, ")" | "]" | "}"));
        depth == 0
    };
    words.first() == Some(&"(") && words.iter().position(closes) == words.len().checked_sub(1)
}

struct Search<'a> {
    sources: &'a SourceMap,
    old: Vec<Vec<&'a str>>,
    stmts: bool,
    found: Vec<Span>,
}

impl Visitor for Search<'_> {
    fn expr(&mut self, expr: &mut Expr) -> bool {
        let fits = |span: &Span| !self.stmts && self.old.first() == Some(&words(*span, self.sources));
        if fits(&expr.span) {
            self.found.push(expr.span);
            return false;
        }
        self.found.extend(folds::taken_in(expr).as_ref().and_then(folds::last_over).map(|over| over.span).filter(fits));
        true
    }

    fn block(&mut self, block: &mut Block) -> bool {
        if self.stmts && !self.old.is_empty() {
            let spans: Vec<Span> = block.stmts.iter().map(|stmt| stmt.span).collect();
            let texts: Vec<Vec<&str>> = spans.iter().map(|span| words(*span, self.sources)).collect();
            for (spans, texts) in spans.windows(self.old.len()).zip(texts.windows(self.old.len())) {
                let ([first, .., last] | [first @ last]) = spans else { continue };
                let place = first.to(*last);
                // A statement that is made of another one stands where that stands.
                if texts == self.old && !self.found.contains(&place) {
                    self.found.push(place);
                }
            }
        }
        true
    }
}

struct Exchange {
    place: Span,
    new: Option<Fragment>,
}

/// Reads what stands behind a fold as part of its set where that is what is exchanged.
pub(super) fn read_as(expr: &mut Expr, place: Span) {
    if let Some(read) = folds::taken_in(expr)
        && folds::last_over(&read).is_some_and(|over| over.span == place)
    {
        *expr = read;
    }
}

impl Visitor for Exchange {
    fn expr(&mut self, expr: &mut Expr) -> bool {
        read_as(expr, self.place);
        if expr.span == self.place
            && let Some(Fragment::Expr(new)) = self.new.take_if(|new| matches!(new, Fragment::Expr(_)))
        {
            *expr = new;
        }
        self.new.is_some()
    }

    fn block(&mut self, block: &mut Block) -> bool {
        if let Some((from, to)) = stmts_at(block, self.place)
            && let Some(Fragment::Stmts(new)) = self.new.take_if(|new| matches!(new, Fragment::Stmts(_)))
        {
            block.stmts.splice(from..=to, new.stmts);
        }
        self.new.is_some()
    }
}
