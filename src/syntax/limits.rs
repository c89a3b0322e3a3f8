//! Looks whether a file is small and flat enough to be read by recursion: the grammar, the tree and its readers all
//! recurse, and content comes from strangers.

use super::lex::{Token, TokenKind};
use super::words;
use crate::base::{Code, Diagnostic, FileId, Span};

/// Bytes of one file.
pub const MAX_FILE_BYTES: usize = 1 << 20;
/// Brackets, blocks and words with an operand that may be inside of each other.
pub const MAX_NESTING: usize = 64;
/// Operators in one expression, with those of the longest expression in brackets inside of it.
pub const MAX_OPERATORS: usize = 200;
/// Steps of the grammar for one item; an ordinary one takes about 30 for each token.
pub(super) const MAX_PARSE_STEPS: usize = 8_000_000;

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

/// The first thing in a file that is nested too deeply or too long, if any. `tokens` are without comments.
pub(super) fn check(file: FileId, source: &str, tokens: &[Token]) -> Option<Diagnostic> {
    let mut levels = vec![Level::default()];
    let mut nested = 0;
    let mut previous: Option<Token> = None;
    for token in tokens {
        let text = token.text(source);
        let span = Span::new(file, token.start, token.end);
        match text {
            "{" => {
                if let Some(level) = levels.last_mut() {
                    nested -= level.end();
                }
                levels.push(Level::default());
            }
            "(" | "[" => {
                if let Some(level) = levels.last_mut() {
                    level.operators += 1;
                }
                levels.push(Level::default());
            }
            "}" | ")" | "]" if levels.len() > 1 => {
                let closed = levels.pop().unwrap_or_default();
                nested -= closed.words;
                if let Some(level) = levels.last_mut() {
                    level.inside = level.inside.max(closed.longest.max(closed.operators + closed.inside) + 1);
                }
            }
            _ => {}
        }
        let depth = levels.len() - 1;
        let Some(level) = levels.last_mut() else { continue };
        if ends_expression(text, *token, previous, source) {
            nested -= level.end();
        }
        if is_nesting_word(text) {
            level.words += 1;
            nested += 1;
        }
        level.operators += usize::from(is_operator(text));
        if depth + nested > MAX_NESTING {
            return Some(too_deep(span));
        }
        if level.operators + level.inside > MAX_OPERATORS {
            let message = format!("this expression has more than {MAX_OPERATORS} operators");
            return Some(
                Diagnostic::new(Code::TooLong, span, message).help("give a part of it a name with `define` or `let`"),
            );
        }
        previous = Some(*token);
    }
    None
}

fn too_deep(span: Span) -> Diagnostic {
    Diagnostic::new(Code::TooDeep, span, format!("this is nested more than {MAX_NESTING} deep"))
        .help("give a part a name with `define` or `let`, or move a block into a verb")
}

/// Whether a token cannot be in one expression with the token before it.
fn ends_expression(text: &str, token: Token, previous: Option<Token>, source: &str) -> bool {
    if matches!(text, "{" | "}" | "," | ":") {
        return true;
    }
    if token.kind != TokenKind::Word {
        return false;
    }
    let after_operand = previous.is_some_and(|previous| {
        let text = previous.text(source);
        match previous.kind {
            TokenKind::Number | TokenKind::Text => true,
            TokenKind::Word => !words::is_reserved(text),
            _ => matches!(text, ")" | "]"),
        }
    });
    let in_type = previous.is_some_and(|previous| matches!(previous.text(source), "of" | ":"));
    let begins = words::STATEMENTS.contains(&text) && text != "if" && !in_type;
    begins || (after_operand && !words::is_reserved(text))
}

/// Words that take an operand, in which the next one may stand.
fn is_nesting_word(text: &str) -> bool {
    matches!(
        text,
        "if" | "not"
            | "count"
            | "sum"
            | "min"
            | "max"
            | "gather"
            | "values"
            | "union"
            | "some"
            | "no"
            | "every"
            | "maybe"
            | "of"
            | "list"
    )
}

fn is_operator(text: &str) -> bool {
    matches!(
        text,
        "+" | "-"
            | "*"
            | "/"
            | "%"
            | "&"
            | "="
            | "!="
            | "<"
            | "<="
            | ">"
            | ">="
            | ".."
            | "."
            | "and"
            | "or"
            | "in"
            | "has"
            | "is"
            | "can"
            | "where"
            | "as"
            | "having"
            | "sorted"
            | "not"
            | "count"
    )
}
