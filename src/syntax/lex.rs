//! Cuts a text into tokens. This is a first look that never fails: it finds characters and texts that cannot be, and
//! gives a text of the same length without them, so that the grammar sees only what it can name. The tokens serve
//! the splitting into items, error messages and the formatter; the tree is made by the grammar alone.

use crate::base::{Code, Diagnostic, Diagnostics, FileId, Span};

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TokenKind {
    Word,
    Number,
    Text,
    Symbol,
    Comment,
}

/// A piece of text between spaces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Token {
    pub kind: TokenKind,
    pub start: usize,
    pub end: usize,
}

impl Token {
    /// The text of the token.
    pub fn text(self, source: &str) -> &str {
        source.get(self.start..self.end).unwrap_or("")
    }
}

/// What the first look finds.
pub(super) struct Lexed {
    /// The text with everything that cannot be replaced by spaces; byte offsets are those of the original.
    pub clean: String,
    /// All tokens, comments among them.
    pub tokens: Vec<Token>,
    pub diagnostics: Diagnostics,
}

/// Looks at a text.
pub(super) fn lex(file: FileId, text: &str) -> Lexed {
    let lexer = Lexer {
        file,
        text,
        bytes: text.as_bytes(),
        at: 0,
        clean: text.as_bytes().to_vec(),
        // There are rarely more.
        tokens: Vec::with_capacity(text.len() / 4),
        diagnostics: Vec::new(),
    };
    lexer.run()
}

struct Lexer<'a> {
    file: FileId,
    text: &'a str,
    bytes: &'a [u8],
    at: usize,
    clean: Vec<u8>,
    tokens: Vec<Token>,
    diagnostics: Diagnostics,
}

impl Lexer<'_> {
    fn run(mut self) -> Lexed {
        if self.text.starts_with('\u{feff}') {
            self.blank(0, 3);
            self.at = 3;
        }
        while let Some(byte) = self.peek(0) {
            match byte {
                b' ' | b'\t' | b'\r' | b'\n' => self.at += 1,
                b'/' if self.peek(1) == Some(b'/') => self.comment(),
                b'"' => self.quoted(),
                b'0'..=b'9' => self.number(),
                byte if byte.is_ascii_alphabetic() => self.word(),
                _ => self.symbol(),
            }
        }
        // Only whole characters were replaced, by ASCII spaces.
        let clean = String::from_utf8(self.clean).unwrap_or_default();
        Lexed { clean, tokens: self.tokens, diagnostics: self.diagnostics }
    }

    fn peek(&self, ahead: usize) -> Option<u8> {
        self.bytes.get(self.at + ahead).copied()
    }

    fn push(&mut self, kind: TokenKind, start: usize) {
        self.tokens.push(Token { kind, start, end: self.at });
    }

    fn blank(&mut self, start: usize, end: usize) {
        if let Some(bytes) = self.clean.get_mut(start..end) {
            bytes.fill(b' ');
        }
    }

    fn report(&mut self, code: Code, start: usize, end: usize, message: String, help: &str) {
        self.diagnostics.push(Diagnostic::new(code, Span::new(self.file, start, end), message).help(help));
    }

    fn skip_while(&mut self, test: impl Fn(u8) -> bool) {
        while self.peek(0).is_some_and(&test) {
            self.at += 1;
        }
    }

    fn comment(&mut self) {
        let start = self.at;
        self.skip_while(|byte| byte != b'\n');
        let trimmed = self.text.get(start..self.at).map_or(0, |comment| comment.trim_end().len());
        self.tokens.push(Token { kind: TokenKind::Comment, start, end: start + trimmed });
    }

    fn word(&mut self) {
        let start = self.at;
        self.skip_while(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
        self.push(TokenKind::Word, start);
    }

    fn number(&mut self) {
        let start = self.at;
        self.skip_while(|byte| byte.is_ascii_digit());
        let digits = self.text.get(start..self.at).unwrap_or("");
        if digits.parse::<i64>().is_err() {
            let message = format!("the number `{digits}` is too large");
            self.report(Code::BadNumber, start, self.at, message, "the largest number is 9223372036854775807");
            let end = self.at;
            if let Some(bytes) = self.clean.get_mut(start..end) {
                bytes.fill(b'0');
            }
        }
        self.push(TokenKind::Number, start);
        let digits_end = self.at;
        self.skip_while(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
        if self.at > digits_end {
            let whole = self.text.get(start..self.at).unwrap_or("");
            let message = format!("`{whole}` is neither a number nor a name");
            self.report(
                Code::BadNumber,
                start,
                self.at,
                message,
                "a name begins with a letter; a number has digits only",
            );
            self.blank(digits_end, self.at);
        }
    }

    /// A text ends at its quote, or with an error before the end of its line.
    fn quoted(&mut self) {
        let start = self.at;
        self.at += 1;
        loop {
            match self.peek(0) {
                Some(b'"') => {
                    self.at += 1;
                    return self.push(TokenKind::Text, start);
                }
                Some(b'\\') if self.peek(1).is_some_and(|next| next != b'\n') => {
                    if !matches!(self.peek(1), Some(b'"' | b'\\')) {
                        let letter = self.text.get(self.at + 1..).and_then(|rest| rest.chars().next()).unwrap_or(' ');
                        let message = format!("`\\{letter}` is not an escape");
                        let help = "only `\\\"` and `\\\\` are; write a single backslash as `\\\\`";
                        self.report(Code::BadEscape, self.at, self.at + 1 + letter.len_utf8(), message, help);
                        self.at += letter.len_utf8() - 1;
                    }
                    self.at += 2;
                }
                None | Some(b'\n') => return self.unclosed(start),
                Some(_) => self.at += 1,
            }
        }
    }

    /// Guesses where an unclosed text was meant to end, so that a brace at the end of its line still counts.
    fn unclosed(&mut self, start: usize) {
        let rest = self.text.get(start..self.at).unwrap_or("");
        let body = rest.trim_end();
        let kept = body.trim_end_matches(['{', '}', ' ', '\t']).len();
        let length = if kept > 1 { kept } else { body.len() };
        let message = "this text is never closed".to_owned();
        self.report(Code::UnclosedText, start, start + length, message, "end it with `\"` on the same line");
        self.at = start + length;
        if length < 2 {
            return self.blank(start, self.at);
        }
        let last = rest.get(..length).and_then(|kept| kept.chars().next_back()).map_or(1, char::len_utf8);
        self.blank(self.at - last, self.at);
        // A quote in place of the last character; a backslash before it would undo it.
        self.blank_backslashes(start + 1, self.at - last);
        if let Some(byte) = self.clean.get_mut(self.at - last) {
            *byte = b'"';
        }
        let end = self.at;
        self.tokens.push(Token { kind: TokenKind::Text, start, end: end - last + 1 });
    }

    fn blank_backslashes(&mut self, start: usize, end: usize) {
        for byte in self.clean.get_mut(start..end).unwrap_or_default() {
            if *byte == b'\\' {
                *byte = b' ';
            }
        }
    }

    fn symbol(&mut self) {
        let start = self.at;
        let two = self.bytes.get(start..start + 2).unwrap_or_default();
        if matches!(two, b".." | b"!=" | b"<=" | b">=") {
            self.at += 2;
            return self.push(TokenKind::Symbol, start);
        }
        if self.peek(0).is_some_and(|byte| b"{}()[],:=.<>+-*/%&".contains(&byte)) {
            self.at += 1;
            return self.push(TokenKind::Symbol, start);
        }
        self.illegal(start);
    }

    /// Takes a text in curly quotes for one, and reports its quotes. Whether it was one.
    fn curly(&mut self, start: usize) -> bool {
        let line = self.text.get(start..).and_then(|rest| rest.lines().next()).unwrap_or("");
        let opening = line.chars().next().map_or(0, char::len_utf8);
        let inside = line.get(opening..).unwrap_or("");
        let Some(length) =
            inside.find(['”', '“', '"']).filter(|length| !inside.get(..*length).unwrap_or("").contains('\\'))
        else {
            return false;
        };
        let closing = inside.get(length..).and_then(|rest| rest.chars().next()).map_or(1, char::len_utf8);
        let (close, end) = (start + opening + length, start + opening + length + closing);
        let shown = line.get(..opening + length + closing).unwrap_or("").to_owned();
        self.report(
            Code::IllegalCharacter,
            start,
            end,
            format!("{shown} has curly quotes"),
            "texts stand in straight double quotes: `\"`",
        );
        self.blank(start, start + opening);
        self.blank(close, end);
        for at in [start + opening - 1, close] {
            if let Some(byte) = self.clean.get_mut(at) {
                *byte = b'"';
            }
        }
        self.tokens.push(Token { kind: TokenKind::Text, start: start + opening - 1, end: close + 1 });
        self.at = end;
        true
    }

    /// Reports a run of characters that mean nothing once, and puts spaces in their place.
    fn illegal(&mut self, start: usize) {
        let legal =
            |c: char| c.is_ascii_alphanumeric() || c.is_ascii_whitespace() || "\"{}()[],:=.<>+-*/%&!".contains(c);
        let rest = self.text.get(start..).unwrap_or("");
        if rest.starts_with(['“', '„', '”']) && self.curly(start) {
            return;
        }
        let first = rest.chars().next().map_or(1, char::len_utf8);
        let run = first + rest.get(first..).unwrap_or("").find(legal).unwrap_or(rest.len() - first);
        let (shown, end) = (rest.get(..run).unwrap_or(""), start + run);
        let help = match shown.chars().next().unwrap_or(' ') {
            ';' => "statements need nothing between them: leave the `;` out",
            '_' => "a name begins with a letter",
            '“' | '”' | '„' | '\'' | '‘' | '’' | '`' => "texts stand in straight double quotes: `\"`",
            '–' | '—' | '−' => "a minus is written `-`",
            '!' => "write `not` for no, and `!=` for is not equal",
            '|' => "write `or`",
            '#' => "a comment begins with `//`",
            _ => "outside texts and comments only ASCII letters, digits, `_` and the symbols of the language are used",
        };
        self.report(Code::IllegalCharacter, start, end, format!("`{shown}` means nothing here"), help);
        self.blank(start, end);
        self.at = end;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn codes(text: &str) -> Vec<Code> {
        let lexed = lex(FileId(0), text);
        assert_eq!(lexed.clean.len(), text.len(), "the clean text has another length");
        lexed.diagnostics.iter().map(|diagnostic| diagnostic.code).collect()
    }

    #[test]
    fn every_bad_character_is_reported_once_a_run() {
        assert_eq!(codes("let x = 3;; let y = “a”"), [Code::IllegalCharacter; 2]);
        assert_eq!(lex(FileId(0), "“é”;").clean, "  \"é\"   ");
        assert_eq!(codes("\u{feff}a\tb\r\n// ünï\n\"ü\""), []);
    }

    #[test]
    fn an_unclosed_text_ends_before_the_brace_of_its_line() {
        let lexed = lex(FileId(0), "tool \"Lamp {\n cost: 2 }");
        assert_eq!(lexed.clean, "tool \"Lam\" {\n cost: 2 }");
        assert_eq!(lexed.diagnostics.len(), 1);
        assert_eq!(codes("note \""), [Code::UnclosedText]);
        assert_eq!(codes("note \"ab\\"), [Code::UnclosedText]);
    }

    #[test]
    fn numbers_are_checked() {
        assert_eq!(codes("9223372036854775807"), []);
        assert_eq!(codes("9223372036854775808 3x"), [Code::BadNumber, Code::BadNumber]);
    }

    #[test]
    fn escapes_are_checked() {
        assert_eq!(codes(r#""a\"b\\" "a\nb" "a\üb""#), [Code::BadEscape, Code::BadEscape]);
    }
}
