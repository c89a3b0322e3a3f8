//! The alphabet of the grammar: one character for each token. `grammar/base.pest` gives the characters of symbols their
//! names, `grammar/words.pest`, which a test writes from the tables of words, those of words.
//! Every one takes two bytes, so that a position in a text of them says which token it is.

use super::lex::{Token, TokenKind};
use super::words;

const RESERVED: u32 = 0x100;
const CONTEXTUAL: u32 = 0x140;
const NAME: char = '\u{1FF}';
const NUMBER: char = '\u{200}';
const TEXT: char = '\u{201}';
pub(super) const CLOSE: char = '\u{211}';
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

/// The character for a reserved word.
pub(super) fn reserved_letter(text: &str) -> Option<char> {
    words::reserved(text).map(|_| word(text))
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
    use std::fmt::Write;

    /// The rules of the grammar that name words, made of the tables of words.
    fn rules() -> String {
        let code = |word: &str| format!("\"\\u{{{:X}}}\"", u32::from(super::word(word)));
        let any = |name: &str, words: &[&str]| {
            let codes: Vec<String> = words.iter().map(|word| code(word)).collect();
            format!("{name} = _{{ {} }}\n", codes.join(" | "))
        };
        let mut text = String::from("// Words that are never names.\n");
        for word in words::RESERVED {
            writeln!(text, "k_{word} = {{ {} }}", code(word)).unwrap();
        }
        text += "\n// Words with a role in some places; elsewhere they are names.\n";
        for word in words::CONTEXTUAL {
            writeln!(text, "k_{word} = {{ {} }}", code(word)).unwrap();
        }
        text += "\n// The same without a part of their own in the result, for places where what is there is read from the text.\n";
        for word in words::RESERVED.iter().chain(&["reach"]) {
            writeln!(text, "q_{word} = _{{ {} }}", code(word)).unwrap();
        }
        text += "\n// Words that begin something.\n";
        let verbs: Vec<&str> =
            words::STATEMENTS.iter().copied().filter(|word| words::begins_a_statement(word)).collect();
        text += &any("begins_statement", &verbs);
        text += &any("begins_item", words::ITEMS);
        text += &any("begins_part", &[words::CLAUSES, words::MEMBERS].concat());
        text
    }

    #[test]
    fn the_grammar_has_the_same_words() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/grammar/words.pest");
        if std::env::var_os("CARDWRIGHT_WRITE_DOCS").is_some() {
            std::fs::write(path, rules()).unwrap();
        }
        assert_eq!(std::fs::read_to_string(path).unwrap(), rules(), "CARDWRIGHT_WRITE_DOCS=1 writes it anew");
        let lists = [words::RESERVED, words::CONTEXTUAL];
        assert!(lists.iter().all(|list| list.is_sorted()));
        assert!(words::RESERVED.len() <= (CONTEXTUAL - RESERVED) as usize);
        assert!(words::CONTEXTUAL.len() < (u32::from(NAME) - CONTEXTUAL) as usize);
        assert_eq!(NAME.len_utf8(), WIDTH);
    }
}
