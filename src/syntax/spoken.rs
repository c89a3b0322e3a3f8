//! Phrases of English and of other languages within values: of sets, of who is in them, and of what is compared.

use super::lex::TokenKind;
use super::slips::Slip;
use super::words;
use crate::base::{Diagnostic, Span};

const ASKED: &str = "what is asked of the members of a set stands behind `where`";

impl Slip<'_> {
    pub(super) fn spoken_at(&self, at: usize) -> Option<Diagnostic> {
        if self.text(at) == ":" {
            return self.block_with_colon(at);
        }
        if self.ends_value(at.wrapping_sub(1)) { self.joined_by(at) } else { self.begun_by(at) }
    }

    /// `repeat 3 times: pay 1`
    fn block_with_colon(&self, at: usize) -> Option<Diagnostic> {
        let head = matches!(self.text(0), "repeat" | "each" | "if" | "phase" | "turns");
        if !head || (0..at).any(|at| self.text(at) == "{") || at + 1 >= self.range.len() {
            return None;
        }
        let (last, done) = (self.range.len() - 1, self.rest(at + 1));
        let help = format!("write `{} {{ {done} }}`", self.part(0, at));
        let end = self.stretch(last, last);
        let edits = vec![(self.stretch(at, at), " {".to_owned()), (Span { start: end.end, ..end }, " }".to_owned())];
        Some(self.found(at, "what is done stands in a block".to_owned(), help).mends(edits, true))
    }

    /// A phrase behind a value.
    fn joined_by(&self, at: usize) -> Option<Diagnostic> {
        let (word, next, third) = (self.text(at), self.text(at + 1), self.text(at + 2));
        // The words up to a token are written otherwise.
        let put = |to: usize, text: &str, message: &str, help: String| {
            Some(self.found(at, message.to_owned(), help).mend(self.stretch(at, to), text))
        };
        let compared = |sign: &str| matches!(sign, "<" | ">" | "<=" | ">=" | "=" | "!=");
        match (word, next) {
            ("such", "that") => put(at + 1, "where", ASKED, self.where_behind(at, at + 2)),
            ("with", _) if self.is_name(at + 1) && compared(third) && (third != "=" || self.text(0) == "choose") => {
                put(at, "where", ASKED, self.where_behind(at, at + 1))
            }
            ("other", "than") | ("except" | "excluding" | "besides", _) => {
                let last = at + usize::from(next == "than");
                let (from, end) = (self.path_start(at - 1), self.path_end(last + 1)?);
                let (set, out) = (self.part(from, at), self.part(last + 1, end));
                put(last, "-", "a set without somebody is written with `-`", format!("write `{set} - {out}`"))
            }
            ("equals", _) => put(at, "=", "values are compared with `=`", self.compared(at, "=", at + 1)),
            ("equal", "to") => put(at + 1, "=", "values are compared with `=`", self.compared(at, "=", at + 2)),
            ("is", _) => {
                let (sign, last) = match (next, third, self.text(at + 3)) {
                    ("greater" | "larger" | "bigger" | "higher" | "more", "than", _) => (">", at + 2),
                    ("less" | "smaller" | "lower" | "fewer", "than", _) => ("<", at + 2),
                    ("at", "least", _) => (">=", at + 2),
                    ("at", "most", _) => ("<=", at + 2),
                    ("equal", "to", _) => ("=", at + 2),
                    ("not", "equal", "to") => ("!=", at + 3),
                    _ => return None,
                };
                put(last, sign, "numbers are compared by signs", self.compared(at, sign, last + 1))
            }
            ("in", "(") => {
                let end = self.closed(at + 1)?;
                self.has_comma(at + 1, end)?;
                let help = format!("write `in [{}]`", self.part(at + 2, end - 1));
                let edits = vec![
                    (self.stretch(at + 1, at + 1), "[".to_owned()),
                    (self.stretch(end - 1, end - 1), "]".to_owned()),
                ];
                let found =
                    self.found(at + 1, "values that are written down stand in square brackets".to_owned(), help);
                Some(found.mends(edits, true))
            }
            ("between", _) if self.text(0) != "choose" || at > 2 => {
                let and = self.path_end(at + 1).filter(|and| self.text(*and) == "and")?;
                let end = self.path_end(and + 1)?;
                let range = format!("in {}..{}", self.part(at + 1, and), self.part(and + 1, end));
                put(end - 1, &range, "a range has two dots", format!("write `{range}`"))
            }
            ("into", _) if self.text(0) == "move" => put(
                at,
                "to",
                "`move` says where to behind `to`",
                format!("write `{} to {}`", self.part(0, at), self.part(at + 1, self.path_end(at + 1)?)),
            ),
            ("within", _) if next != "(" => {
                let (from, end) = (self.path_start(at - 1), self.path_end(at + 1)?);
                let written = format!("every {} meets it in {}", self.part(from, at), self.part(at + 1, end));
                let message = "whether all of one set are in another is asked of each".to_owned();
                let help = format!("write `{written}`");
                Some(self.found(at, message, help).mend(self.stretch(from, end - 1), written))
            }
            _ => None,
        }
    }

    /// A phrase where a value should begin.
    fn begun_by(&self, at: usize) -> Option<Diagnostic> {
        let (word, next) = (self.text(at), self.text(at + 1));
        let end = self.phrase_end(at);
        let written = |message: &str, written: String| {
            let help = format!("write `{written}`");
            Some(self.found(at, message.to_owned(), help).mend(self.stretch(at, end - 1), written))
        };
        let of = at + 1 + usize::from(next == "of");
        let asks = |words: &[&str]| (of..end).find(|at| words.contains(&self.text(*at)));
        match (word, next) {
            ("next", "player") if self.text(at + 2) == "after" => {
                let end = self.path_end(at + 3)?;
                let after = format!("first(players_after({}))", self.part(at + 3, end));
                let found = self.found(
                    at,
                    "who comes next is the first of those behind somebody".to_owned(),
                    format!("write `{after}`"),
                );
                Some(found.mend(self.stretch(at, end - 1), after))
            }
            ("every" | "all", _) if self.begins_value(of) && asks(&["meets"]).is_none() => {
                let (set, cond) = match asks(&["has", "have", "is", "are", "where"]) {
                    Some(at) if matches!(self.text(at), "is" | "are") => {
                        (self.part(of, at), format!("it is {}", self.part(at + 1, end)))
                    }
                    Some(at) => (self.part(of, at), self.part(at + 1, end)),
                    None => return None,
                };
                written("what all of a set fulfil stands behind `meets`", format!("every {set} meets {cond}"))
            }
            ("any" | "none" | "exists" | "filter", _)
                if self.begins_value(of) && !self.is_known(at) && !(self.text(0) == "choose" && at == 1) =>
            {
                let named = (self.is_name(of) && self.text(of + 1) == "in").then(|| self.text(of));
                let from = if named.is_some() { of + 2 } else { of };
                let name = named.map_or(String::new(), |name| format!(" as {name}"));
                let set = match asks(&["where", "has", "have", "with"]) {
                    Some(at) => format!("{}{name} where {}", self.part(from, at), self.part(at + 1, end)),
                    None if matches!(word, "none") && next != "of" => return None,
                    None => self.part(from, end),
                };
                let bare = self.text(from) == "(" && self.closed(from) == Some(end);
                let set = if bare { self.part(from + 1, end - 1) } else { set };
                let (message, text) = match word {
                    "filter" => ("what of a set fulfils something stands behind the set", set),
                    "none" => ("that there is none is asked by `no`", format!("no ({set})")),
                    _ => ("whether there is one is asked by `some`", format!("some ({set})")),
                };
                written(message, text)
            }
            ("max" | "min" | "sum", _) if self.is_name(at + 1) || matches!(next, "me" | "this") => {
                // `sum c.n * 2 of S as c`: what is taken of each lacks its brackets.
                let taken = |end: usize| {
                    matches!(self.text(end), "+" | "-" | "*" | "/" | "%")
                        && (end..self.range.len()).any(|at| self.text(at) == "of")
                };
                let end = self.path_end(at + 1).filter(|end| self.text(end - 2) == "." && self.text(*end) != "of")?;
                if taken(end) {
                    return None;
                }
                let text = format!("{word} {} of {}", self.text(end - 1), self.part(at + 1, end - 2));
                let found =
                    self.found(at, "what is taken of each stands before `of`".to_owned(), format!("write `{text}`"));
                Some(found.mend(self.stretch(at, end - 1), text))
            }
            ("max" | "min" | "sum", "(") => {
                let end = self.closed(at + 1)?;
                let path =
                    self.path_end(at + 2) == Some(end - 1) && self.text(end - 3) == "." && self.text(end) != "of";
                let text = format!("{word} {} of {}", self.text(end - 2), self.part(at + 2, end - 3));
                let found =
                    self.found(at, "what is taken of each stands before `of`".to_owned(), format!("write `{text}`"));
                path.then(|| found.mend(self.stretch(at, end - 1), text))
            }
            _ => None,
        }
    }

    /// `S where COND`, where the condition begins at a token.
    fn where_behind(&self, at: usize, from: usize) -> String {
        format!("write `{} where {}`", self.part(self.path_start(at - 1), at), self.part(from, self.phrase_end(from)))
    }

    /// `a > b`, where `b` begins at a token.
    fn compared(&self, at: usize, sign: &str, from: usize) -> String {
        format!("write `{} {sign} {}`", self.part(self.path_start(at - 1), at), self.part(from, self.phrase_end(from)))
    }

    /// The source from one token of the part up to another.
    pub(super) fn part(&self, from: usize, to: usize) -> String {
        self.source(self.range.start + from..self.range.start + to)
    }

    /// The token behind the bracket that closes what opens here.
    fn closed(&self, at: usize) -> Option<usize> {
        self.closed_at(at).filter(|end| *end <= self.range.len())
    }

    fn has_comma(&self, open: usize, end: usize) -> Option<()> {
        let mut at = open + 1;
        while at < end - 1 {
            if self.text(at) == "," {
                return Some(());
            }
            at = self.closed(at).unwrap_or(at + 1);
        }
        None
    }

    /// Whether a value ends at a token.
    fn ends_value(&self, at: usize) -> bool {
        match self.kind(at) {
            Some(TokenKind::Number | TokenKind::Text) => true,
            Some(TokenKind::Word) => at > 0 && !words::is_keyword(self.text(at)) && !self.is_asking(at),
            _ => matches!(self.text(at), ")" | "]"),
        }
    }

    /// Whether a name asks for a set in other languages, so that what stands behind it is none.
    fn is_asking(&self, at: usize) -> bool {
        matches!(self.text(at), "all" | "any" | "none" | "exists" | "filter")
    }

    fn begins_value(&self, at: usize) -> bool {
        self.is_name(at) || matches!(self.text(at), "me" | "this" | "it" | "game" | "(" | "[")
    }

    /// Whether a word is called like a function, or a member of something.
    fn is_known(&self, at: usize) -> bool {
        self.text(at + 1) == "(" && self.stretch(at, at).end == self.stretch(at + 1, at + 1).start
            || at > 0 && self.text(at - 1) == "."
    }

    /// Where the path begins that ends with a token: `p.hand`, `f(x)`.
    fn path_start(&self, last: usize) -> usize {
        let mut at = last;
        loop {
            let opened = || (0..at).rev().find(|open| self.closed_at(*open) == Some(at + 1));
            at = match self.text(at) {
                ")" | "]" => match opened() {
                    Some(open) if open > 0 && self.kind(open - 1) == Some(TokenKind::Word) => open - 1,
                    Some(open) => return open,
                    None => return at,
                },
                _ if at >= 2 && self.text(at - 1) == "." => at - 2,
                _ => return at,
            };
        }
    }

    /// Where a phrase ends: before the block or the condition that follows.
    fn phrase_end(&self, from: usize) -> usize {
        let mut at = from + 1;
        while at < self.range.len() {
            match self.text(at) {
                ")" | "]" | "}" | "{" | "," | "and" | "or" | "then" | "else" => break,
                word if words::STATEMENTS.contains(&word) => break,
                _ => at = self.closed(at).unwrap_or(at + 1),
            }
        }
        at
    }
}
