//! Where the parts of a broken item begin. The grammar needs no separators; here, words that begin a part, and what
//! cannot follow what stands before it, must do.

use super::lex::TokenKind;
use super::split::Matched;
use super::words;
use crate::base::nearest;
use std::ops::Range;

/// What the parts of a block are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Body {
    Members,
    Props,
    Clauses,
    Stmts,
    Fields,
    Steps,
    /// Not to be split.
    Whole,
}

impl Body {
    /// What the block of an item holds, by the item's first word.
    pub fn of_item(word: &str) -> Body {
        match word {
            "kind" | "player" | "game" => Body::Members,
            "zone" | "board" | "look" => Body::Props,
            "rule" | "absolute" => Body::Clauses,
            "verb" | "action" | "setup" | "flow" | "link" => Body::Stmts,
            "scenario" => Body::Steps,
            "enum" | "option" | "define" | "window" | "turns" | "script" | "cards" => Body::Whole,
            _ => Body::Fields,
        }
    }
}

/// The word that says what an item is: in a change, that of what is changed.
pub(super) fn sort<'a>(matched: &Matched<'a>, range: &Range<usize>) -> &'a str {
    let first = matched.text(range.start);
    if words::CHANGES.contains(&first) { matched.text(range.start + 1) } else { first }
}

/// The outermost block of an item: the index of its `{` and the index after it.
pub(super) fn body(matched: &Matched<'_>, range: &Range<usize>) -> Option<(usize, usize)> {
    let swaps = matched.text(range.start) == "patch";
    // In what has no other parts, words are exchanged.
    if swaps && matches!(sort(matched, range), "verb" | "action" | "flow") {
        return None;
    }
    if Body::of_item(sort(matched, range)) == Body::Whole {
        return None;
    }
    let mut index = range.start;
    while index < range.end {
        match end_of(matched, index) {
            Some(end) if matched.text(index) == "{" => return Some((index, end)),
            Some(end) => index = end,
            None => index += 1,
        }
    }
    None
}

fn end_of(matched: &Matched<'_>, index: usize) -> Option<usize> {
    matched.ends.get(index).copied().flatten()
}

/// Splits the inside of a block into its parts.
pub(super) fn pieces(matched: &Matched<'_>, inside: Range<usize>, body: Body) -> Vec<Range<usize>> {
    let mut pieces = Vec::new();
    let mut start = inside.start;
    let mut index = inside.start;
    while index < inside.end {
        if index > start && begins(matched, start, index, body) {
            pieces.push(start..index);
            start = index;
        }
        index = end_of(matched, index).unwrap_or(index + 1).min(inside.end);
    }
    if start < inside.end {
        pieces.push(start..inside.end);
    }
    pieces
}

/// Whether a new part begins at `index`, the present one having begun at `start`.
fn begins(matched: &Matched<'_>, start: usize, index: usize, body: Body) -> bool {
    // `"cost": 3`, as other languages write it
    if body == Body::Fields && matched.kind(index) == Some(TokenKind::Text) && matched.text(index + 1) == ":" {
        return true;
    }
    if matched.kind(index) != Some(TokenKind::Word) {
        return false;
    }
    let (word, next) = (matched.text(index), matched.text(index + 1));
    let clause = || begins_clause(matched, index);
    if is_drop(matched, index) && matches!(body, Body::Members | Body::Clauses | Body::Fields) {
        return ends_operand(matched, index - 1);
    }
    match body {
        Body::Members => words::MEMBERS.contains(&word) || clause(),
        Body::Props => next == ":",
        // `{ after drop c { ... } } becomes { }` is one mistake.
        Body::Clauses => clause() && !(word == "becomes" && matched.text(start) == "{"),
        _ if plainly_begins(matched, index, body) || follows_a_value(matched, start, index, body) => true,
        Body::Fields => {
            let after_colon = matched.text(index - 1) == ":";
            let listed = word == "supersedes" && matched.text(index - 1) != "no";
            // What a kind declares, out of its place, is one part.
            let member = |at: usize| words::KEPT.contains(&matched.text(at)) && matched.text(at + 1) != ":";
            if member(index - 1) {
                return false;
            }
            // `a = 1  b = 2`
            let equals = next == "=" && (matched.text(start + 1) == "=" || matched.text(index - 1) == "}");
            let equals = equals && ends_operand(matched, index - 1);
            (next == ":"
                || equals && !words::is_keyword(word)
                || listed
                || member(index) && matched.kind(index + 1) == Some(TokenKind::Word)
                || clause()
                || (next == "{" && !words::is_keyword(word)))
                && !after_colon
                && !in_clause(matched, start, index)
        }
        Body::Steps => {
            let named = match word {
                "players" => !next.is_empty() && !is_number(matched, index + 1),
                "mover" => !matched.first_on_line(index) && matched.text(index - 1) != "}",
                "keep" => next != "order",
                _ => false,
            };
            let stray = word == "scenario" || words::STATEMENTS.contains(&word);
            let stray = stray && matched.first_on_line(index) && ends_operand(matched, index - 1);
            words::STEPS.contains(&word) && !named || stray
        }
        Body::Stmts => begins_stmt(matched, start, index),
        Body::Whole => false,
    }
}

/// Whether a part without the `:` that it needs seems to begin: a name at the start of a line, after something whole.
fn plainly_begins(matched: &Matched<'_>, index: usize, body: Body) -> bool {
    matches!(body, Body::Fields | Body::Steps)
        && matched.first_on_line(index)
        && ends_operand(matched, index - 1)
        && !words::is_keyword(matched.text(index))
}

/// Whether a name stands behind the value of a field, where it can only begin another part: `cost: 3  drop this`.
fn follows_a_value(matched: &Matched<'_>, start: usize, index: usize, body: Body) -> bool {
    let word = matched.text(index);
    body == Body::Fields
        && matched.text(start + 1) == ":"
        && index > start + 2
        && ends_operand(matched, index - 1)
        && !words::is_keyword(word)
        && !word.starts_with(|letter: char| letter.is_ascii_uppercase())
        && word != "meets"
}

/// Whether `no clauses` or `no NAME` may stand here, which takes a part away.
pub(super) fn is_drop(matched: &Matched<'_>, index: usize) -> bool {
    matched.text(index) == "no" && matched.kind(index + 1) == Some(TokenKind::Word)
}

fn is_number(matched: &Matched<'_>, index: usize) -> bool {
    matched.kind(index) == Some(TokenKind::Number)
}

/// `next announced may after` is one clause: only its first word begins it.
fn begins_clause(matched: &Matched<'_>, index: usize) -> bool {
    let before = index.checked_sub(1).map_or("", |before| matched.text(before));
    words::CLAUSES.contains(&matched.text(index)) && !matches!(before, "next" | "announced" | "may")
}

/// In `after draw {` and `cannot draw c {` the name before the block is a verb, not a field.
fn in_clause(matched: &Matched<'_>, start: usize, index: usize) -> bool {
    matched.text(index + 1) == "{"
        && words::CLAUSES.contains(&matched.text(start))
        && !(start..index).any(|at| matched.text(at) == "{")
        && matched.text(start) != "modify"
        && matched.text(start) != "cannot"
}

/// Whether another statement seems to begin behind a condition that should have been followed by a block.
pub(super) fn begins_within(matched: &Matched<'_>, index: usize) -> bool {
    let word = matched.text(index);
    let begins = words::STATEMENTS.contains(&word) || !words::is_keyword(word) && word != "meets";
    matched.kind(index) == Some(TokenKind::Word) && begins && ends_operand(matched, index - 1)
}

/// Whether what stands here belongs to a statement that lacks one of its words, rather than beginning the next:
/// `increase x n`, `create 20 tile`, `create a tile`, `drop all me.hand`, `may "Draw?" draw 2`, `arm until the end of turn {`.
fn lacks_a_word(matched: &Matched<'_>, start: usize, index: usize) -> bool {
    let (first, before, word) = (matched.text(start), matched.text(index - 1), matched.text(index));
    let none = |words: &[&str]| !(start + 1..index).any(|at| words.contains(&matched.text(at)));
    let article = matches!(before, "a" | "an" | "the");
    if matched.first_on_line(index) {
        return false;
    }
    match first {
        "increase" | "decrease" => {
            let next = matched.text(index + 1);
            let ends = next == "}"
                || next.is_empty()
                || matched.first_on_line(index + 1)
                || words::STATEMENTS.contains(&next)
                || matches!(next, "." | "+" | "-" | "*" | "/" | "%");
            !words::STATEMENTS.contains(&word) && ends && none(&["by", "=", "{"]) && index > start + 1
        }
        "create" => index == start + 2 && (is_number(matched, start + 1) || article),
        "arm" => none(&["{"]),
        "may" | "must" => index == start + 2 && matched.kind(start + 1) == Some(TokenKind::Text) && word != "choose",
        _ => matches!(word, "me" | "this" | "it") && (article || before == "all"),
    }
}

fn begins_stmt(matched: &Matched<'_>, start: usize, index: usize) -> bool {
    let text = |ahead: usize| matched.text((index + ahead).saturating_sub(2));
    let spoken = [(text(2), text(3)), (text(1), text(2)), (text(0), text(1))];
    let spoken = spoken.iter().any(|pair| matches!(pair, ("such", "that") | ("other", "than")));
    // `for t in S: drop t`
    let loops = matches!(matched.text(start), "for" | "foreach" | "each" | "repeat") && !matched.first_on_line(index);
    let colon =
        || (start..index).any(|at| matched.text(at) == ":") && !(start..index).any(|at| matched.text(at) == "{");
    if lacks_a_word(matched, start, index) || spoken && index > start + 1 || loops && colon() {
        return false;
    }
    let (word, first) = (matched.text(index), matched.text(start));
    let before = matched.text(index - 1);
    let after_operand = ends_operand(matched, index - 1);
    let waiting = !words::STATEMENTS.contains(&word) && is_waiting(matched, start, index);
    if waiting && !matched.first_on_line(index) {
        return false;
    }
    if words::STATEMENTS.contains(&word) {
        // A statement never stands where an operand is awaited: `let d = roll 1..6` is one mistake.
        if !after_operand && !matched.first_on_line(index) && !matches!(before, "down" | "repeat" | "order" | "proceed")
        {
            return false;
        }
        let gate = matches!(first, "may" | "must") && !(start..index).any(|at| matched.text(at) == "do");
        return match word {
            "do" | "choose" => !gate,
            "if" => after_operand,
            "end" => before != "until",
            "set" => matched.text(index + 1) != "of",
            _ => true,
        };
    }
    // `choose c in S  game.trick += 1`, `choose c in S  for m in S`, where the grammar has neither
    let meant = match word {
        "game" => matched.text(index + 1) == ".",
        "for" => before == "}" || matched.text(index + 1) == "each" || matched.text(index + 2) == "in",
        _ => false,
    };
    if words::is_keyword(word) && !meant {
        return false;
    }
    // `turns t from p for 4 rounds {`
    if !matched.first_on_line(index) && in_head(matched, start, index) {
        return false;
    }
    // `drop c`: a name behind that of a verb is its argument.
    if index == start + 1 && !words::is_keyword(first) && !matched.first_on_line(index) {
        return false;
    }
    // A plain name after something complete is the next verb.
    let ends_offer = matches!(word, "accepted" | "refused") && matched.text(index + 1) == "{";
    after_operand
        && !ends_offer
        && first != "draw"
        && !matches!(word, "top" | "bottom" | "once" | "secret" | "evenly" | "meets" | "least" | "good")
        && !binds_name(matched, start, index)
}

/// Whether the block that the statement needs has not begun yet.
fn in_head(matched: &Matched<'_>, start: usize, index: usize) -> bool {
    matches!(matched.text(start), "turns" | "phase" | "each" | "if" | "repeat")
        && !(start..index).any(|at| matched.text(at) == "{")
}

/// The statement that a word seems to be meant for, such as `choose` for `chose`, where a name and its `in` follow.
pub(super) fn misspelt(matched: &Matched<'_>, start: usize) -> Option<&'static str> {
    let name = matched.kind(start) == Some(TokenKind::Word) && !words::is_keyword(matched.text(start));
    let waits = matched.kind(start + 1) == Some(TokenKind::Word) && matched.text(start + 2) == "in";
    if name && waits { nearest(matched.text(start), ["choose", "random", "roll"]) } else { None }
}

/// Whether the statement still waits for the `in` behind the name that it brings.
fn is_waiting(matched: &Matched<'_>, start: usize, index: usize) -> bool {
    let word = |at: usize| matched.text(at);
    let brings = matches!(word(start), "choose" | "roll" | "random" | "each" | "for" | "foreach");
    (brings || misspelt(matched, start).is_some())
        && !(start + 1..=index).any(|at| matches!(word(at), "in" | "action" | "option" | "{"))
}

/// Whether a name here is one that the statement itself brings, as in `choose by p m in S`.
fn binds_name(matched: &Matched<'_>, start: usize, index: usize) -> bool {
    matches!(matched.text(start), "choose" | "may" | "must")
        && matched.text(index + 1) == "in"
        && !(start..index).any(|at| matched.text(at) == "in")
}

/// What awaits an operand.
const OPERATORS: [&str; 13] = ["=", "!=", "<", "<=", ">", ">=", "+", "-", "*", "/", "%", "&", "."];

fn ends_operand(matched: &Matched<'_>, index: usize) -> bool {
    let text = matched.text(index);
    let before = index.checked_sub(1).map_or("", |before| matched.text(before));
    match matched.kind(index) {
        Some(TokenKind::Number | TokenKind::Text) => true,
        // `every S meets a`, `S having least a`
        Some(TokenKind::Word) if text == "meets" || text == "least" && before == "having" => false,
        // Behind an operator a word that has a role elsewhere is a name.
        Some(TokenKind::Word)
            if OPERATORS.contains(&before) && !words::is_reserved(text) && !words::STATEMENTS.contains(&text) =>
        {
            true
        }
        Some(TokenKind::Word) => !words::is_keyword(text) || matches!(text, "game" | "stop" | "settle"),
        _ => matches!(text, ")" | "]" | "}"),
    }
}

/// The blocks of a part: what they hold, and the tokens between their braces.
pub(super) fn blocks(matched: &Matched<'_>, range: &Range<usize>) -> Vec<(Body, Range<usize>)> {
    let mut blocks = Vec::new();
    collect_blocks(matched, range.clone(), &mut blocks);
    blocks
}

/// Whether `option` stands before a `{`, or `option "Which?"`; or what is in it begins with a text, as no statement does.
fn holds_arms(matched: &Matched<'_>, open: usize) -> bool {
    if matched.kind(open + 1) == Some(TokenKind::Text) {
        return true;
    }
    let before = open.saturating_sub(1);
    let asked = usize::from(matched.kind(before) == Some(TokenKind::Text));
    matched.text(before.saturating_sub(asked)) == "option"
}

fn collect_blocks(matched: &Matched<'_>, range: Range<usize>, blocks: &mut Vec<(Body, Range<usize>)>) {
    let arms = matched.text(range.start) == "arm";
    let mut offer = matched.text(range.start) == "offer";
    let mut index = range.start;
    while index < range.end {
        let Some(end) = end_of(matched, index) else {
            index += 1;
            continue;
        };
        if matched.text(index) == "{" {
            let inside = index + 1..end.saturating_sub(1).max(index + 1);
            if index > 0 && matched.text(index - 1) == ":" && matched.text(index + 2) == ":" {
                // Values by key, as other languages write them.
            } else if holds_arms(matched, index) {
                // The arms of `choose option { ... }` have blocks of their own.
                collect_blocks(matched, inside, blocks);
            } else if std::mem::take(&mut offer) || matched.text(index.saturating_sub(1)) == "action" {
                // What an offer is about holds no statements, and the actions of `choose action { a, b }` are none.
            } else {
                blocks.push((if arms { Body::Clauses } else { Body::Stmts }, inside));
            }
        }
        index = end;
    }
}
