//! Cuts a text into tokens. This is a first look that never fails: it finds characters and texts that cannot be, and
//! gives a text of the same length without them, so that the grammar sees only what it can name. The tokens serve
//! the splitting into items, error messages and the formatter; the tree is made by the grammar alone.

use super::words;
use crate::base::{Code, Diagnostic, Diagnostics, FileId, Span, is_unseen, misleading, visible};
use std::borrow::Cow;

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TokenKind {
    /// A name or a word of the language.
    Word,
    /// A number.
    Number,
    /// A text in quotes, with them.
    Text,
    /// A bracket, an operator or another sign.
    Symbol,
    /// From `//` to the end of the line.
    Comment,
}

/// A piece of text between spaces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token {
    /// What it is.
    pub kind: TokenKind,
    /// Byte offset of its first byte.
    pub start: usize,
    /// Byte offset after its last byte.
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
    let (seen, diagnostics) = leave_unseen(file, text);
    let text = seen.as_ref();
    let lexer = Lexer {
        file,
        text,
        bytes: text.as_bytes(),
        at: 0,
        clean: text.as_bytes().to_vec(),
        // There are rarely more.
        tokens: Vec::with_capacity(text.len() / 4),
        diagnostics,
    };
    lexer.run()
}

/// The tokens of a text, comments among them. It may have any mistakes.
pub fn tokens(text: &str) -> Vec<Token> {
    lex(FileId(0), text).tokens
}

/// What stands in the braces with which a text begins: an expression, which may have texts. None if they are not closed.
pub fn filled(text: &str) -> Option<&str> {
    let rest = text.strip_prefix('{')?;
    let mut quoted = false;
    for (at, char) in rest.char_indices() {
        match char {
            '"' => quoted = !quoted,
            '}' if !quoted => return rest.get(..at),
            '\n' => return None,
            '{' if !quoted => return None,
            _ => {}
        }
    }
    None
}

/// The words, numbers, texts and signs of a text, without comments: what two texts that mean the same have alike.
pub fn words_in(text: &str) -> Vec<&str> {
    let tokens = lex(FileId(0), text).tokens;
    let said = tokens.iter().filter(|token| token.kind != TokenKind::Comment);
    said.filter_map(|token| text.get(token.start..token.end)).collect()
}

/// Words of scenarios before a part of what somebody is shown.
const PARTS_FOLLOW: &[&str] = &["asked", "sees", "no", "because"];
/// So many characters of one file that nobody sees are reported.
const MOST_UNSEEN: usize = 40;

/// The text with spaces for characters that nobody sees, and a finding for each run of them: they make content look
/// like what it is not.
pub(super) fn leave_unseen(file: FileId, text: &str) -> (Cow<'_, str>, Diagnostics) {
    let mut found = Diagnostics::new();
    if text.is_ascii()
        && !text.bytes().any(|byte| byte != b'\n' && byte != b'\r' && is_unseen(char::from(byte)))
        && !text.contains('\r')
    {
        return (Cow::Borrowed(text), found);
    }
    let ends_line = |at: usize, letter: char| {
        letter == '\n' || letter == '\r' && text.get(at + 1..).is_some_and(|rest| rest.starts_with('\n'))
    };
    let marks_start = |at: usize, letter: char| at == 0 && letter == '\u{feff}';
    let mut seen = String::with_capacity(text.len());
    let mut last = None;
    for (at, letter) in text.char_indices() {
        if !is_unseen(letter) || ends_line(at, letter) || marks_start(at, letter) {
            seen.push(letter);
            continue;
        }
        let end = at + letter.len_utf8();
        // Within a word it leaves one word.
        let in_word =
            |letter: Option<char>| letter.is_some_and(|letter| letter.is_ascii_alphanumeric() || letter == '_');
        let next = text.get(end..).and_then(|rest| rest.chars().next());
        let goes_on = in_word(next) || next.is_some_and(|next| !next.is_whitespace() && is_unseen(next));
        let filler = if in_word(seen.chars().next_back()) && goes_on { '_' } else { ' ' };
        seen.extend(std::iter::repeat_n(filler, letter.len_utf8()));
        if last != Some(at) && found.len() < MOST_UNSEEN {
            let message = format!("nobody sees the character `{}`", visible(letter.encode_utf8(&mut [0; 4])));
            let help = "leave it out: it makes a text look like another, or a terminal do something";
            let span = Span::new(file, at, end);
            found.push(Diagnostic::new(Code::IllegalCharacter, span, message).help(help).mend(span, ""));
        } else if let Some(finding) = found.last_mut().filter(|_| last == Some(at)) {
            finding.span = finding.span.to(Span::new(file, at, end));
            *finding = finding.clone().mend(finding.span, "");
        }
        last = Some(end);
    }
    (if found.is_empty() { Cow::Borrowed(text) } else { Cow::Owned(seen) }, found)
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
                b'/' if self.peek(1) == Some(b'*') => self.foreign_comment(2),
                b'-' if self.peek(1) == Some(b'-') && self.peek(2).is_some_and(|byte| byte.is_ascii_whitespace()) => {
                    self.foreign_comment(2);
                }
                b'#' => self.foreign_comment(1),
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
        if self.diagnostics.len() < super::limits::MAX_FINDINGS {
            self.diagnostics.push(Diagnostic::new(code, Span::new(self.file, start, end), message).help(help));
        }
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

    /// A comment of another language: to the end of the line, or of what `/*` begins.
    fn foreign_comment(&mut self, sign: usize) {
        let start = self.at;
        let rest = self.text.get(start..).unwrap_or("");
        let line = rest.find('\n').unwrap_or(rest.len());
        let length = if rest.starts_with("/*") { rest.find("*/").map_or(line, |end| end + 2) } else { line };
        let shown = rest.get(..sign).unwrap_or("").to_owned();
        let found = Diagnostic::new(
            Code::IllegalCharacter,
            Span::new(self.file, start, start + sign),
            format!("`{shown}` means nothing here"),
        )
        .help("a comment begins with `//` and ends with its line");
        // One that has an end may go over lines.
        let found =
            if rest.starts_with("/*") { found } else { found.mend(Span::new(self.file, start, start + sign), "//") };
        self.diagnostics.push(found.repeated("comment of another language"));
        self.at = start + length;
        self.blank(start, self.at);
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
        if self.peek(0) == Some(b'.') && self.peek(1).is_some_and(|byte| byte.is_ascii_digit()) {
            return self.decimal(start);
        }
        let digits_end = self.at;
        self.skip_while(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
        if self.at > digits_end {
            let whole = self.text.get(start..self.at).unwrap_or("");
            let message = format!("`{whole}` is neither a number nor a name");
            let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
            if let Some((one, other)) = whole.split_once('x').filter(|(one, other)| digits(one) && digits(other)) {
                let (help, both) = (format!("write `{one} {other}`"), format!("{one} {other}"));
                self.report(Code::BadNumber, start, self.at, message, &help);
                if let Some(found) = self.diagnostics.pop() {
                    let span = found.span;
                    self.diagnostics.push(found.mend(span, both));
                }
                self.blank(digits_end, digits_end + 1);
                self.at = digits_end + 1;
                return;
            }
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

    /// A number with a point, which there is not: its fraction is.
    fn decimal(&mut self, start: usize) {
        let point = self.at;
        self.at += 1;
        self.skip_while(|byte| byte.is_ascii_digit());
        let digits = self.text.get(start..self.at).unwrap_or("").to_owned();
        let behind = self.at - point - 1;
        let whole: Option<i64> = digits.replace('.', "").parse().ok();
        let tens = u32::try_from(behind).ok().and_then(|behind| 10_i64.checked_pow(behind));
        let help = match (whole, tens) {
            (Some(above), Some(below)) => {
                let common = gcd(above, below).max(1);
                let times = self.text.get(..start).unwrap_or("").trim_end().ends_with('*');
                let fraction = format!("{} / {}", above / common, below / common);
                if times {
                    format!("write `* {fraction}`, which rounds down")
                } else {
                    let rounded = above / below;
                    format!("numbers are whole: `{fraction}` is {rounded}; where parts count, count in smaller units")
                }
            }
            _ => "write it as a fraction: `3 / 2`".to_owned(),
        };
        self.report(Code::BadNumber, start, self.at, format!("`{digits}` is no whole number"), &help);
        self.blank(point, self.at);
    }

    /// A text ends at its quote, or with an error before the end of its line.
    fn quoted(&mut self) {
        let start = self.at;
        if let Some(length) = self.unclosed_name(start) {
            return self.close_text(start, length);
        }
        self.at += 1;
        loop {
            match self.peek(0) {
                Some(b'"') => {
                    self.at += 1;
                    self.push(TokenKind::Text, start);
                    return self.padded(start);
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
                // The texts in braces are parts of an expression.
                Some(b'{') => self.at += self.text.get(self.at..).and_then(filled).map_or(1, |inside| inside.len() + 2),
                Some(_) => self.at += 1,
            }
        }
    }

    /// Where a text ends that goes on in one of the next lines: after its quote. Only where that line has an odd number
    /// of quotes and nothing before the first that texts hardly have.
    fn ends_later(&self) -> Option<usize> {
        let mut at = self.at + 1;
        for line in self.text.get(at..)?.split_inclusive('\n').take(LINES_OF_A_TEXT) {
            let before = line.find('"').map_or(line, |quote| line.get(..quote).unwrap_or(line));
            if before.contains(['{', '}', '=', ':']) || line.trim().is_empty() {
                return None;
            }
            match line.matches('"').count() {
                0 => {}
                count if count % 2 == 1 => return Some(at + before.len() + 1),
                _ => return None,
            }
            at += line.len();
        }
        None
    }

    /// A text over several lines.
    fn over_lines(&mut self, start: usize, end: usize) {
        let text = self.text.get(start..end).unwrap_or("").split_whitespace().collect::<Vec<_>>().join(" ");
        let help = match text.chars().count() {
            0..=100 => format!("write `{text}`"),
            _ => "write it on one line".to_owned(),
        };
        self.report(Code::UnclosedText, start, self.at, "this text goes over several lines".to_owned(), &help);
        self.at = end;
        if let Some(bytes) = self.clean.get_mut(start..end) {
            bytes.iter_mut().filter(|byte| matches!(byte, b'\n' | b'\r' | b'\\')).for_each(|byte| *byte = b' ');
        }
        self.push(TokenKind::Text, start);
    }

    /// A text has no spaces at its ends, no tabs, and nothing else that makes it look like another: nobody could tell it
    /// from one without.
    fn padded(&mut self, start: usize) {
        let inside = self.text.get(start + 1..self.at - 1).unwrap_or("");
        let (start, end) = (start, self.at);
        // What a scenario looks for is a part of a text.
        let before = self.tokens.len().checked_sub(2).and_then(|at| self.tokens.get(at));
        let is_part = before.is_some_and(|word| PARTS_FOLLOW.contains(&word.text(self.text)));
        if is_part || self.diagnostics.iter().any(|found| found.code == Code::UnclosedText) {
            return;
        }
        let found = if inside.contains('\t') {
            Some("this text has a tab".to_owned())
        } else if inside.trim_matches(' ') != inside {
            Some("this text begins or ends with a space".to_owned())
        } else {
            misleading(inside).map(|why| format!("this text looks like another: {why}"))
        };
        let inside = |known: &Diagnostic| known.span.start as usize >= start && known.span.end as usize <= end;
        if let Some(message) = found.filter(|_| !self.diagnostics.iter().any(inside)) {
            self.report(Code::IllegalCharacter, start, end, message, "leave it out");
        }
    }

    /// Guesses where an unclosed text was meant to end, so that a brace at the end of its line still counts.
    fn unclosed(&mut self, start: usize) {
        if let Some(end) = self.ends_later() {
            return self.over_lines(start, end);
        }
        let rest = self.text.get(start..self.at).unwrap_or("");
        // A block has spaces around its brace, what stands in a text for a value has none.
        let block = rest
            .match_indices(" {")
            .map(|(at, _)| at)
            .find(|at| matches!(rest[at + 2..].chars().next(), None | Some(' ')));
        let body = rest[..block.unwrap_or(rest.len())].trim_end();
        let mut kept = body.len();
        // A `}` that closes what stands in the text belongs to it.
        while let Some(last) = body[..kept].chars().next_back().filter(|last| matches!(last, '{' | '}' | ' ' | '\t')) {
            let shorter = &body[..kept - last.len_utf8()];
            if last == '}' && shorter.matches('{').count() > shorter.matches('}').count() {
                break;
            }
            kept = shorter.len();
        }
        self.close_text(start, if kept > 1 { kept } else { body.len() });
    }

    /// How long the name of a definition is that is not closed before its `{`.
    fn unclosed_name(&self, start: usize) -> Option<usize> {
        let line = self.text.get(..start)?.rfind('\n').map_or(0, |at| at + 1);
        let before = self.text.get(line..start)?;
        let mut words = before.split(' ').filter(|word| !word.is_empty());
        let first = words.next().filter(|first| before.starts_with(first))?;
        let word = if words::CHANGES.contains(&first) { words.next()? } else { first };
        let heads = word.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_') && words.next().is_none();
        let rest = self.text.get(start..)?.lines().next()?;
        let open = rest.find('{')?;
        let closed = rest.matches('"').count() % 2 == 0 || rest.get(1..open)?.contains('"');
        let entry = heads && (word == "scenario" || !words::is_keyword(word));
        (entry && !closed)
            .then(|| rest.get(..open).map_or(0, |name| name.trim_end().len()))
            .filter(|length| *length > 1)
    }

    /// Reports a text that ends after so many bytes without a quote, and puts one there.
    fn close_text(&mut self, start: usize, length: usize) {
        let message = "this text is never closed".to_owned();
        self.report(Code::UnclosedText, start, start + length, message, "end it with `\"` on the same line");
        self.at = start + length;
        if length < 2 {
            return self.blank(start, self.at);
        }
        // In the place of a space behind it, else of its last character.
        let mut last = self.at;
        if self.peek(0) == Some(b' ') {
            self.at += 1;
        } else {
            let kept = self.text.get(start..self.at).unwrap_or("");
            last -= kept.chars().next_back().map_or(1, char::len_utf8);
            self.blank(last, self.at);
        }
        // A backslash before the quote would undo it.
        self.blank_backslashes(start + 1, last);
        if let Some(byte) = self.clean.get_mut(last) {
            *byte = b'"';
        }
        self.tokens.push(Token { kind: TokenKind::Text, start, end: last + 1 });
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

    /// Takes a text in other quotes for one, and reports its quotes. Whether it was one.
    fn other_quotes(&mut self, start: usize) -> bool {
        let line = self.text.get(start..).and_then(|rest| rest.lines().next()).unwrap_or("");
        let first = line.chars().next().unwrap_or(' ');
        let opening = first.len_utf8();
        let inside = line.get(opening..).unwrap_or("");
        let (closers, name): (&[char], &str) = match first {
            '“' | '„' | '”' => (&['”', '“', '"'], "curly quotes"),
            '\'' | '‘' | '’' => (&['\'', '’', '‘'], "single quotes"),
            '`' => (&['`', '´'], "backquotes"),
            _ => return false,
        };
        // The `'` of `it's` closes nothing.
        let apostrophe = |at: usize| {
            let letter = |found: Option<char>| found.is_some_and(char::is_alphanumeric);
            let after = inside.get(at..).and_then(|rest| rest.chars().nth(1));
            first != '`'
                && name == "single quotes"
                && letter(inside.get(..at).and_then(|rest| rest.chars().next_back()))
                && letter(after)
        };
        let closing = inside.match_indices(closers).map(|(at, _)| at).find(|at| !apostrophe(*at));
        let Some(length) = closing.filter(|length| !inside.get(..*length).unwrap_or("").contains(['\\', '"'])) else {
            return false;
        };
        let closing = inside.get(length..).and_then(|rest| rest.chars().next()).map_or(1, char::len_utf8);
        let (close, end) = (start + opening + length, start + opening + length + closing);
        let shown = line.get(..opening + length + closing).unwrap_or("").to_owned();
        let text = inside.get(..length).unwrap_or("");
        let found =
            Diagnostic::new(Code::IllegalCharacter, Span::new(self.file, start, end), format!("{shown} has {name}"));
        self.diagnostics.push(
            found
                .help(format!("texts stand in straight double quotes: `\"{text}\"`"))
                .repeated("other quotes")
                .mend(Span::new(self.file, start, end), format!("\"{text}\"")),
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

    /// `cond ? a : b` of other languages: the two values are left out with their signs.
    fn one_of_two(&mut self, start: usize) -> bool {
        let rest = self.text.get(start..).unwrap_or("");
        let line = rest.lines().next().unwrap_or("");
        if !line.starts_with('?') || !line.contains(':') {
            return false;
        }
        let mut depth = 0i32;
        let end = line.find(|letter: char| {
            depth += i32::from(matches!(letter, '(' | '[' | '{')) - i32::from(matches!(letter, ')' | ']' | '}'));
            depth < 0
        });
        let end = start + end.unwrap_or(line.len());
        let help = "one of two values is `if COND then A else B`, in brackets within another";
        self.report(Code::IllegalCharacter, start, start + 1, "`?` means nothing here".to_owned(), help);
        self.blank(start, end);
        self.at = end;
        true
    }

    /// Reports a run of characters that mean nothing once, and puts spaces in their place.
    fn illegal(&mut self, start: usize) {
        let legal =
            |c: char| c.is_ascii_alphanumeric() || c.is_ascii_whitespace() || "\"{}()[],:=.<>+-*/%&!".contains(c);
        let rest = self.text.get(start..).unwrap_or("");
        if self.other_quotes(start) || self.one_of_two(start) {
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
            '|' => "conditions are joined by `or`, sets by `+`; what a number is without its sign is `abs(n)`",
            _ => "outside texts and comments only ASCII letters, digits, `_` and the symbols of the language are used",
        };
        self.report(Code::IllegalCharacter, start, end, format!("`{shown}` means nothing here"), help);
        let meant = match shown {
            "||" => Some("or"),
            ";" => Some(""),
            "–" | "—" | "−" => Some("-"),
            _ => None,
        };
        if let (Some(meant), Some(found)) = (meant, self.diagnostics.last_mut()) {
            *found = found.clone().mend(found.span, meant);
        }
        self.blank(start, end);
        self.at = end;
    }
}

/// So many lines after its first are looked through for the end of a text.
const LINES_OF_A_TEXT: usize = 3;

/// The greatest common divisor.
fn gcd(mut one: i64, mut other: i64) -> i64 {
    while other != 0 {
        (one, other) = (other, one % other);
    }
    one
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
        assert_eq!(lexed.clean, "tool \"Lamp\"{\n cost: 2 }");
        assert_eq!(lexed.diagnostics.len(), 1);
        let lexed = lex(FileId(0), "tool \"Lamp { says: \"lit\"  use { drop this } }");
        assert_eq!(lexed.clean, "tool \"Lamp\"{ says: \"lit\"  use { drop this } }");
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
    fn what_is_filled_into_a_text_may_have_texts() {
        let texts = |text: &str| tokens(text).iter().filter(|token| token.kind == TokenKind::Text).count();
        assert_eq!(texts(r#"note "{if a then "x" else "}"} b" "c""#), 2);
        // Braces that are not closed are those of the text.
        assert_eq!(texts(r#"note "{a" "b" "c""#), 3);
        assert_eq!(filled(r#"{a + "}"} b}"#), Some(r#"a + "}""#));
        assert_eq!(filled("{a"), None);
    }

    #[test]
    fn escapes_are_checked() {
        assert_eq!(codes(r#""a\"b\\" "a\nb" "a\üb""#), [Code::BadEscape, Code::BadEscape]);
    }
}
