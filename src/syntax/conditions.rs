//! Conditions that begin with a word too many: `check if COND { ... }`. What asks for a condition has a word of its own, and `if` behind it
//! begins a value. Also other words and signs too many, and what is written without them.

use super::lex::TokenKind;
use super::split::Matched;
use crate::base::{Code, Diagnostic, Span};
use std::ops::Range;

/// Words that a condition follows.
const ASK: &[&str] = &["check", "becomes", "requires", "ensure", "until", "while", "when", "where", "meets"];
/// Words that somebody may begin it with.
const TOO_MANY: &[&str] = &["if", "when", "whenever", "where", "that"];

/// The word too many before a condition that could not be read, as one finding. `waits`: an `if` that is a value lacks its `then`;
/// `found` is the token that did not fit.
pub(super) fn word_too_many(
    matched: &Matched<'_>,
    range: &Range<usize>,
    found: usize,
    waits: bool,
) -> Option<Diagnostic> {
    let asks = |at: usize| (at > range.start).then(|| matched.text(at - 1)).filter(|word| ASK.contains(word));
    let too_many = |at: usize| matched.kind(at) == Some(TokenKind::Word) && TOO_MANY.contains(&matched.text(at));
    // `check when COND`, `becomes where COND`: the word itself does not fit. In a patch, `a becomes` asks for something else.
    if too_many(found) && asks(found).is_some() && matched.text(found) != "if" {
        return Some(finding(matched, matched.text(found - 1), found, None));
    }
    // `check if COND then {`, or `check if COND {`.
    let then = (found > range.start && matched.text(found - 1) == "then").then(|| found - 1);
    if !waits && (then.is_none() || matched.text(found) != "{") {
        return None;
    }
    let at = (range.start..found).rev().find(|at| matched.text(*at) == "if")?;
    let word = asks(at).filter(|word| *word != "becomes" || !is_patched(matched, range.start))?;
    Some(finding(matched, word, at, then))
}

/// `[s for s in S if COND]`, where `for` did not fit.
pub(super) fn comprehension(matched: &Matched<'_>, found: usize) -> Option<Diagnostic> {
    let text = |ahead: usize| matched.text(found + ahead);
    let open = (found.saturating_sub(16)..found.saturating_sub(1)).rev().find(|at| matched.text(*at) == "[")?;
    let end = matched.ends.get(open).copied().flatten()?.checked_sub(1)?;
    let from = found + 3;
    if text(0) != "for" || text(2) != "in" || from >= end {
        return None;
    }
    let source = |range: Range<usize>| {
        let span = matched.span(range.start).to(matched.span(range.end - 1));
        matched.source.get(span.start as usize..span.end as usize).unwrap_or("...")
    };
    let asks = (from + 1..end - 1).find(|at| matched.text(*at) == "if");
    let (name, set) = (text(1), source(from..asks.unwrap_or(end)));
    let condition = asks.map_or(String::new(), |asks| format!(" where {}", source(asks + 1..end)));
    let members = format!("({set} as {name}{condition})");
    let alone = open + 2 == found && matched.text(open + 1) == name;
    let written = if alone { members } else { format!("gather ({}) of {members}", source(open + 1..found)) };
    let message = "what a set has that fulfils something is written behind it, with `where`";
    let finding = Diagnostic::new(Code::Unexpected, matched.span(found), message).help(format!("write `{written}`"));
    Some(finding.mend(matched.span(open).to(matched.span(end)), written))
}

/// `enum hue { azure = "blue", red = 3 }`, where a sign did not fit: a label needs none, and a number is not kept.
pub(super) fn enum_values(matched: &Matched<'_>, range: &Range<usize>, found: usize) -> Option<Diagnostic> {
    let sign = |at: usize| matches!(matched.text(at), "=" | ":");
    let value = |at: usize| matches!(matched.kind(at), Some(TokenKind::Number | TokenKind::Text));
    if matched.text(range.start) != "enum" || !sign(found) || !value(found + 1) {
        return None;
    }
    let mut edits = Vec::new();
    for at in range.clone() {
        let from = Span { start: matched.span(at.saturating_sub(1)).end, ..matched.span(at) };
        match matched.kind(at + 1) {
            Some(TokenKind::Text) if sign(at) => edits.push((from, String::new())),
            Some(TokenKind::Number) if sign(at) => edits.push((from.to(matched.span(at + 1)), String::new())),
            _ if matched.text(at) == "," => edits.push((from, String::new())),
            _ => {}
        }
    }
    let (name, label) = (matched.text(found - 1), matched.text(found + 1));
    let help = match matched.kind(found + 1) {
        Some(TokenKind::Text) => format!("what it is called stands behind its name: `{name} {label}`"),
        _ => format!("its place among the values is `index({name})`; another number is said by a `define`"),
    };
    let message = format!("a value of an enum takes no `{}`", matched.text(found));
    Some(Diagnostic::new(Code::Unexpected, matched.span(found), message).help(help).mends(edits, true))
}

/// `by +1`, where the sign did not fit.
pub(super) fn signed(matched: &Matched<'_>, found: usize) -> Option<Diagnostic> {
    let value = matches!(matched.kind(found + 1), Some(TokenKind::Number | TokenKind::Word));
    if matched.text(found) != "+" || !value && matched.text(found + 1) != "(" {
        return None;
    }
    let blank = Span { end: matched.span(found + 1).start, ..matched.span(found) };
    let help = "leave the sign out: a number without one is added";
    Some(
        Diagnostic::new(Code::Unexpected, matched.span(found), "a value has no `+` before it")
            .help(help)
            .mend(blank, ""),
    )
}

/// Whether the braces around a token are those of a `patch`.
pub(super) fn is_patched(matched: &Matched<'_>, index: usize) -> bool {
    let mut closed = 0;
    let brace = (0..index).rev().find(|at| {
        match matched.text(*at) {
            "}" => closed += 1,
            "{" => closed -= 1,
            _ => {}
        }
        closed < 0
    });
    brace.is_some_and(|brace| (brace.saturating_sub(3)..brace).any(|at| matched.text(at) == "patch"))
}

fn finding(matched: &Matched<'_>, word: &str, at: usize, then: Option<usize>) -> Diagnostic {
    let (extra, span) = (matched.text(at), matched.span(at));
    let message = format!("`{word}` takes its condition without `{extra}`");
    let help = format!("write `{word} COND`");
    let taken = |at: usize| {
        // With the blank behind it.
        let span = matched.span(at);
        let end = if matched.kind(at + 1).is_some() { matched.span(at + 1).start } else { span.end };
        (Span { end, ..span }, String::new())
    };
    let edits = std::iter::once(at).chain(then).map(taken).collect();
    Diagnostic::new(Code::Unexpected, span, message).help(help).mends(edits, true)
}
