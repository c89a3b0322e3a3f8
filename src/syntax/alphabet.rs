//! The alphabet of the grammar: one character for each token. `grammar/base.pest` gives these characters their names.
//! Every one takes two bytes, so that a position in a text of them says which token it is.

use super::lex::{Token, TokenKind};
use super::words;

const RESERVED: u32 = 0x100;
const CONTEXTUAL: u32 = 0x180;
const NAME: char = '\u{1FF}';
const NUMBER: char = '\u{200}';
const TEXT: char = '\u{201}';
const CLOSE: char = '\u{211}';
/// Bytes of each character.
const WIDTH: usize = 2;

/// The character for a token. `touches` says whether it stands directly after the token before it.
pub(super) fn letter(token: Token, source: &str, touches: bool) -> char {
    let text = token.text(source);
    match token.kind {
        TokenKind::Number => NUMBER,
        TokenKind::Text => TEXT,
        TokenKind::Word => word(text),
        TokenKind::Symbol | TokenKind::Comment => symbol(text, touches),
    }
}

fn word(text: &str) -> char {
    let letter = |index: usize, first: u32| char::from_u32(first + u32::try_from(index).ok()?);
    let reserved = words::reserved(text).and_then(|index| letter(index, RESERVED));
    reserved.or_else(|| letter(words::contextual(text)?, CONTEXTUAL)).unwrap_or(NAME)
}

/// The number of the reserved word that a character stands for.
pub(super) fn reserved(letter: char) -> Option<usize> {
    (RESERVED..CONTEXTUAL).contains(&u32::from(letter)).then(|| (u32::from(letter) - RESERVED) as usize)
}

fn symbol(text: &str, touches: bool) -> char {
    match text.as_bytes() {
        b"{" => '\u{210}',
        b"}" => CLOSE,
        b"(" if touches => '\u{213}',
        b"(" => '\u{212}',
        b")" => '\u{214}',
        b"[" if touches => '\u{216}',
        b"[" => '\u{215}',
        b"]" => '\u{217}',
        b"," => '\u{218}',
        b":" => '\u{219}',
        b"." => '\u{21A}',
        b"=" => '\u{220}',
        b"!=" => '\u{221}',
        b"<" => '\u{222}',
        b"<=" => '\u{223}',
        b">" => '\u{224}',
        b">=" => '\u{225}',
        b".." => '\u{226}',
        b"+" => '\u{227}',
        b"-" => '\u{228}',
        b"*" => '\u{229}',
        b"/" => '\u{22A}',
        b"%" => '\u{22B}',
        _ => '\u{22C}',
    }
}

/// A stretch of tokens as the grammar reads it.
pub(super) struct Letters {
    /// One character for each token.
    pub text: String,
    /// The token of each character, but for brackets that were added at the end.
    pub tokens: Vec<usize>,
}

impl Letters {
    /// None yet, with room for so many.
    pub fn with_capacity(count: usize) -> Letters {
        Letters { text: String::with_capacity(WIDTH * (count + 1)), tokens: Vec::with_capacity(count) }
    }

    /// Adds a token.
    pub fn push(&mut self, token: usize, letter: char) {
        self.text.push(letter);
        self.tokens.push(token);
    }

    /// Adds a `}` that stands nowhere in the file.
    pub fn close(&mut self) {
        self.text.push(CLOSE);
    }
}

/// Which character of a text of letters begins at a byte.
pub(super) fn index_of(byte: usize) -> usize {
    byte / WIDTH
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_grammar_has_the_same_alphabet() {
        let base = include_str!("../../grammar/base.pest");
        let mut seen = 0;
        for line in base.lines() {
            let Some((name, rest)) = line.split_once(" = { \"\\u{") else { continue };
            let (Some(word), Some((code, _))) = (name.get(2..), rest.split_once('}')) else { continue };
            if name.starts_with("k_") || name.starts_with("w_") {
                assert_eq!(format!("{:X}", u32::from(super::word(word))), code, "{name}");
                seen += 1;
            }
        }
        assert!(seen > 120, "only {seen} words were found");
        assert!(words::CONTEXTUAL.is_sorted() && words::CONTEXTUAL.len() < 0x7F && words::RESERVED.len() <= 0x80);
        assert_eq!(NAME.len_utf8(), WIDTH);
    }
}
