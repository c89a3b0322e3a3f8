//! Looks whether a file is small and flat enough to be read by recursion: the grammar, the tree and its readers all
//! recurse, and content comes from strangers.

use super::alphabet::reserved;
use super::lex::TokenKind;
use super::split::Matched;
use super::words;
use crate::base::{Code, Diagnostic, Span, limits};

/// Bytes of one file.
pub const MAX_FILE_BYTES: usize = limits::FILE_BYTES;
/// Brackets, blocks and words with an operand that may be inside of each other.
pub const MAX_NESTING: usize = limits::NESTING;
/// Operators in one expression, with those of the longest expression in brackets inside of it.
pub const MAX_OPERATORS: usize = limits::OPERATORS;
/// Findings in one file, beyond which it is not read on.
pub(super) const MAX_FINDINGS: usize = limits::FINDINGS;
/// Steps of the grammar for one item; an ordinary one takes about 30 for each token.
pub(super) const MAX_PARSE_STEPS: usize = limits::PARSE_STEPS;

/// What is known of one level of brackets.
#[derive(Clone, Copy, Default)]
struct Level {
    /// Words such as `not` or `sum` in the present expression: each is inside of the one before.
    words: usize,
    /// Operators in the present expression.
    operators: usize,
    /// The longest expression of a bracket in the present expression.
    inside: usize,
    /// The longest expression so far.
    longest: usize,
}

impl Level {
    /// Ends the present expression, and gives how many words were inside of each other in it.
    fn end(&mut self) -> usize {
        let longest = self.longest.max(self.operators + self.inside);
        let ended = std::mem::replace(self, Level { longest, ..Level::default() });
        ended.words
    }
}

/// The first thing in a file that is nested too deeply or too long, if any.
pub(super) fn check(matched: &Matched<'_>) -> Option<Diagnostic> {
    let mut levels = vec![Level::default()];
    let mut nested = 0;
    let mut after_operand = false;
    for (index, token) in matched.tokens.iter().enumerate() {
        let roles = match token.kind {
            TokenKind::Word => {
                matched.letter(index).and_then(reserved).and_then(|word| ROLES.get(word)).map_or(0, |roles| *roles)
            }
            TokenKind::Symbol => symbol_roles(matched.text(index)),
            TokenKind::Number | TokenKind::Text | TokenKind::Comment => OPERAND,
        };
        if roles & OPENS_BLOCK != 0 {
            if let Some(level) = levels.last_mut() {
                nested -= level.end();
            }
            levels.push(Level::default());
        } else if roles & OPENS != 0 {
            if let Some(level) = levels.last_mut() {
                level.operators += 1;
            }
            levels.push(Level::default());
        } else if roles & CLOSES != 0 && levels.len() > 1 {
            let closed = levels.pop().unwrap_or_default();
            nested -= closed.words;
            if let Some(level) = levels.last_mut() {
                level.inside = level.inside.max(closed.longest.max(closed.operators + closed.inside) + 1);
            }
        }
        let depth = levels.len() - 1;
        let Some(level) = levels.last_mut() else { continue };
        // What cannot be in one expression with the token before it.
        let is_name = token.kind == TokenKind::Word && roles & RESERVED == 0;
        if roles & ENDS != 0 || (is_name && after_operand) {
            nested -= level.end();
        }
        if roles & NESTS != 0 {
            level.words += 1;
            nested += 1;
        }
        level.operators += usize::from(roles & OPERATOR != 0);
        if depth + nested > MAX_NESTING {
            return Some(too_deep(matched.span(index)));
        }
        if level.operators + level.inside > MAX_OPERATORS {
            let message = format!("this expression has more than {MAX_OPERATORS} operators");
            return Some(
                Diagnostic::new(Code::TooLong, matched.span(index), message)
                    .help("give a part of it a name with `define` or `let`"),
            );
        }
        after_operand = is_name || roles & OPERAND != 0;
    }
    None
}

fn too_deep(span: Span) -> Diagnostic {
    Diagnostic::new(Code::TooDeep, span, format!("this is nested more than {MAX_NESTING} deep"))
        .help("give a part a name with `define` or `let`, or move a block into a verb")
}

// What a token is for the limits; several may hold of one.
const OPENS_BLOCK: u16 = 1;
const OPENS: u16 = 1 << 1;
const CLOSES: u16 = 1 << 2;
/// An expression ends before it.
const ENDS: u16 = 1 << 3;
/// It is an operand, or ends one.
const OPERAND: u16 = 1 << 4;
/// A word that takes an operand, in which the next one may stand.
const NESTS: u16 = 1 << 5;
const OPERATOR: u16 = 1 << 6;
const RESERVED: u16 = 1 << 7;

const NESTING_WORDS: [&str; 13] =
    ["if", "not", "count", "sum", "min", "max", "gather", "values", "union", "some", "no", "every", "of"];
const OPERATOR_WORDS: [&str; 12] =
    ["and", "or", "in", "has", "is", "can", "where", "as", "having", "sorted", "not", "count"];

/// What each reserved word is, in the order of [`words::RESERVED`].
static ROLES: [u16; words::RESERVED.len()] = {
    let mut roles = [RESERVED; words::RESERVED.len()];
    let mut index = 0;
    while index < roles.len() {
        let word = words::RESERVED[index];
        if words::contains(&NESTING_WORDS, word) {
            roles[index] |= NESTS;
        }
        if words::contains(&OPERATOR_WORDS, word) {
            roles[index] |= OPERATOR;
        }
        if words::contains(&["game", "rule"], word) {
            roles[index] |= OPERAND;
        }
        index += 1;
    }
    roles
};

fn symbol_roles(text: &str) -> u16 {
    match text.as_bytes() {
        b"{" => OPENS_BLOCK | ENDS,
        b"(" | b"[" => OPENS,
        b"}" => CLOSES | ENDS,
        b")" | b"]" => CLOSES | OPERAND,
        b"," | b":" => ENDS,
        b"+" | b"-" | b"*" | b"/" | b"%" | b"&" | b"=" | b"!=" | b"<" | b"<=" | b">" | b">=" | b".." | b"." => OPERATOR,
        _ => 0,
    }
}
