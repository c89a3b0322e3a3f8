//! Splits a file into items before the grammar sees it, so that one broken item cannot hide errors in the next. Works
//! on tokens: brackets are matched first, and where they do not match, a word that begins an item at the start of a
//! line ends what was open.

use super::alphabet::{Letters, letter};
use super::lex::{Token, TokenKind};
use super::words;
use crate::base::{Code, Diagnostic, Diagnostics, FileId, Span, nearest};
use std::ops::Range;

/// The tokens of a file without its comments, with their brackets matched.
pub(super) struct Matched<'a> {
    pub file: FileId,
    pub source: &'a str,
    pub tokens: Vec<Token>,
    /// The character of each token, as the grammar reads it.
    letters: Vec<char>,
    /// For each opening bracket the index after everything in it: its partner, or where it was given up.
    pub ends: Vec<Option<usize>>,
    /// Indices of items before which something unclosed was given up.
    cuts: Vec<usize>,
    /// Indices of brackets that have no partner and are to be passed over.
    pub stray: Vec<usize>,
    /// Stretches of tokens that are no items.
    pub skipped: Vec<Range<usize>>,
    pub diagnostics: Diagnostics,
}

/// A stretch of tokens that is one item, or was meant to be.
pub(super) struct Chunk {
    pub range: Range<usize>,
    /// How many `}` are missing at its end.
    pub missing: usize,
}

impl<'a> Matched<'a> {
    /// Matches the brackets of a file.
    pub fn new(file: FileId, source: &'a str, tokens: Vec<Token>) -> Self {
        let ends = vec![None; tokens.len()];
        let mut end = 0;
        let touching =
            tokens.iter().map(|token| letter(*token, source, std::mem::replace(&mut end, token.end) == token.start));
        let letters = touching.collect();
        let mut matched = Matched {
            file,
            source,
            tokens,
            letters,
            ends,
            cuts: Vec::new(),
            stray: Vec::new(),
            skipped: Vec::new(),
            diagnostics: Vec::new(),
        };
        if !matched.balance(false) {
            matched.ends.fill(None);
            matched.stray.clear();
            matched.balance(true);
        }
        matched
    }

    /// A stretch of tokens as the grammar reads it, without brackets that have no partner.
    pub fn letters(&self, range: impl Iterator<Item = usize>) -> Letters {
        let mut letters = Letters::with_capacity(range.size_hint().1.unwrap_or(0));
        for index in range {
            if let Some(letter) = self.letters.get(index)
                && !self.stray.contains(&index)
            {
                letters.push(index, *letter);
            }
        }
        letters
    }

    /// The character of a token.
    pub fn letter(&self, index: usize) -> Option<char> {
        self.letters.get(index).copied()
    }

    /// The text of a token; empty past the end.
    pub fn text(&self, index: usize) -> &'a str {
        self.tokens.get(index).map_or("", |token| token.text(self.source))
    }

    /// What a token is.
    pub fn kind(&self, index: usize) -> Option<TokenKind> {
        self.tokens.get(index).map(|token| token.kind)
    }

    /// The place of a token, or of the end of the file.
    pub fn span(&self, index: usize) -> Span {
        match self.tokens.get(index) {
            Some(token) => Span::new(self.file, token.start, token.end),
            None => {
                let end = self.tokens.last().map_or(0, |token| token.end);
                Span::new(self.file, end, end)
            }
        }
    }

    /// Matches brackets with a stack. With `mend` it reports what does not match and goes on; without, it only says
    /// whether all of them match.
    fn balance(&mut self, mend: bool) -> bool {
        let mut open: Vec<usize> = Vec::new();
        let mut doubtful = None;
        for index in 0..self.tokens.len() {
            let text = if self.kind(index) == Some(TokenKind::Symbol) { self.text(index) } else { "" };
            if mend && !open.is_empty() && self.at_line_start(index) && self.starts_item(index) {
                self.give_up(&mut open, &mut doubtful, index);
            }
            match text {
                "{" | "(" | "[" => open.push(index),
                "}" | ")" | "]" => {
                    if mend {
                        self.close_mending(&mut open, &mut doubtful, index, text);
                    } else {
                        match open.pop() {
                            Some(at) if self.text(at) == opener(text) => self.set_end(at, index + 1),
                            _ => return false,
                        }
                    }
                }
                _ => {}
            }
        }
        if !open.is_empty() && mend {
            self.give_up(&mut open, &mut doubtful, self.tokens.len());
        }
        open.is_empty()
    }

    fn set_end(&mut self, open: usize, end: usize) {
        if let Some(slot) = self.ends.get_mut(open) {
            *slot = Some(end);
        }
    }

    fn close_mending(&mut self, open: &mut Vec<usize>, doubtful: &mut Option<usize>, index: usize, text: &str) {
        // A round or square bracket has its partner in the same block.
        let same_block = |at: &&usize| text == "}" || self.text(**at) != "{";
        let partner = open.iter().rev().take_while(same_block).position(|at| self.text(*at) == opener(text));
        let Some(above) = partner else { return self.closes_nothing(open.last().copied(), index, text) };
        for at in open.split_off(open.len() - above) {
            let shown = self.text(at);
            let finding =
                Diagnostic::new(Code::UnclosedBracket, self.span(at), format!("this `{shown}` is never closed"));
            let finding = finding.label(self.span(index), format!("this `{text}` comes first"));
            self.diagnostics.push(finding.help(format!("add `{}`", closer(shown))));
            self.stray.push(at);
        }
        let Some(at) = open.pop() else { return };
        self.set_end(at, index + 1);
        if doubtful.is_none() && text == "}" && self.first_on_line(index) && self.indent(at) != self.indent(index) {
            *doubtful = Some(at);
        }
        if open.is_empty() {
            *doubtful = None;
        }
    }

    fn closes_nothing(&mut self, open: Option<usize>, index: usize, text: &str) {
        self.stray.push(index);
        let finding = Diagnostic::new(Code::StrayBracket, self.span(index), format!("this `{text}` closes nothing"));
        let finding = match open {
            Some(at) => finding.label(self.span(at), format!("`{}` is what is open here", self.text(at))),
            None => finding,
        };
        self.diagnostics.push(finding.help("remove it, or add what it should close"));
    }

    /// Everything open ends here, with one finding: at the bracket whose partner stood further left than it should,
    /// if there is one, else at the innermost.
    fn give_up(&mut self, open: &mut Vec<usize>, doubtful: &mut Option<usize>, index: usize) {
        let Some(at) = doubtful.take().or(open.last().copied()) else { return };
        let shown = self.text(at);
        let message = format!("this `{shown}` is never closed");
        let finding =
            Diagnostic::new(Code::UnclosedBracket, self.span(at), message).help(format!("add `{}`", closer(shown)));
        let finding = match self.tokens.get(index) {
            Some(_) => finding.label(self.span(index), "it is still open where the next item begins"),
            None => finding.note("it is still open at the end of the file"),
        };
        self.diagnostics.push(finding);
        for at in open.drain(..) {
            self.set_end(at, index);
        }
        self.cuts.push(index);
    }

    fn at_line_start(&self, index: usize) -> bool {
        let start = self.tokens.get(index).map_or(0, |token| token.start);
        start == 0 || self.source.as_bytes().get(start - 1) == Some(&b'\n')
    }

    fn line_start(&self, index: usize) -> usize {
        let start = self.tokens.get(index).map_or(0, |token| token.start);
        self.source.get(..start).and_then(|before| before.rfind('\n')).map_or(0, |at| at + 1)
    }

    fn indent(&self, index: usize) -> usize {
        let line = self.source.get(self.line_start(index)..).unwrap_or("");
        line.len() - line.trim_start_matches([' ', '\t']).len()
    }

    /// Whether only space stands before a token on its line.
    pub fn first_on_line(&self, index: usize) -> bool {
        self.tokens.get(index).is_some_and(|token| self.line_start(index) + self.indent(index) == token.start)
    }

    /// Whether an item of a sort and name is declared in this file.
    pub fn declares(&self, sort: &str, name: &str) -> bool {
        (1..self.tokens.len()).any(|at| self.text(at) == name && self.text(at - 1) == sort)
    }

    /// Whether what stands before a token ended with its line: an item or line of its own begins here.
    pub fn ends_before(&self, index: usize) -> bool {
        self.kind(index).is_some() && (self.first_on_line(index) || self.starts_item(index))
    }

    /// Whether an item certainly begins here.
    fn starts_item(&self, index: usize) -> bool {
        if self.kind(index) != Some(TokenKind::Word) {
            return false;
        }
        let next = self.kind(index + 1);
        let before = index.checked_sub(1).map_or("", |before| self.text(before));
        // `cause = rule`, `maybe of kind`, and `zone floor for each player {`
        let awaited =
            words::is_reserved(before) || is_infix(before) || matches!(before, "among" | "most" | "least" | "meets");
        match self.text(index) {
            _ if awaited && !self.at_line_start(index) => false,
            // `per player {`, `p: player {`
            "player" | "game" => {
                self.text(index + 1) == "{" && !matches!(before, ":" | "of" | "per" | "=" | "look" | "each" | "every")
            }
            "setup" | "flow" => self.text(index + 1) == "{",
            "absolute" => self.text(index + 1) == "rule",
            "patch" | "replace" | "remove" => next == Some(TokenKind::Word),
            "link" => next == Some(TokenKind::Word) && self.text(index + 2) == ".",
            "scenario" => next == Some(TokenKind::Text),
            "cards" => {
                let from = if self.text(index + 1) == "of" { index + 3 } else { index + 1 };
                self.text(from) == "from" && self.kind(from + 1) == Some(TokenKind::Text)
            }
            "enum" | "option" | "kind" | "zone" | "board" | "define" | "verb" | "action" | "window" | "rule"
            | "script" | "look" => next == Some(TokenKind::Word),
            word => next == Some(TokenKind::Text) && self.text(index + 2) == "{" && !words::is_reserved(word),
        }
    }

    /// Whether an item begins here whose first word is misspelt: `bord grid {`, `knid rook : piece {`.
    fn misspells_item(&self, index: usize) -> bool {
        let word = |index| self.kind(index) == Some(TokenKind::Word) && !words::is_reserved(self.text(index));
        let named = word(index) && word(index + 1) && matches!(self.text(index + 2), "{" | ":");
        named && self.at_line_start(index) && nearest(self.text(index), words::ITEMS.iter().copied()).is_some()
    }

    /// Whether a line begins with a name and its value, behind what is complete: `score(p) = 1`, `limit = 3`.
    fn gives_a_value(&self, index: usize) -> bool {
        let name = self.kind(index) == Some(TokenKind::Word) && !words::is_keyword(self.text(index));
        let before = self.text(index.saturating_sub(1));
        if !name || !self.at_line_start(index) || words::is_keyword(before) || is_infix(before) {
            return false;
        }
        let end =
            if self.text(index + 1) == "(" { self.ends.get(index + 1).copied().flatten() } else { Some(index + 1) };
        end.is_some_and(|end| self.text(end) == "=" || end > index + 1 && self.text(end) == ":")
    }

    /// Whether a clause begins here that stands by itself, as if it were an item.
    fn starts_clause(&self, index: usize) -> bool {
        let words = self.kind(index) == Some(TokenKind::Word) && self.kind(index + 1) == Some(TokenKind::Word);
        words && words::CLAUSES.contains(&self.text(index)) && self.at_line_start(index)
    }

    /// Splits the file into items. What is no item at all is reported here and left out.
    pub fn chunks(&mut self) -> Vec<Chunk> {
        let mut chunks = Vec::new();
        let mut at = 0;
        while at < self.tokens.len() {
            let end = if words::ITEMS.contains(&self.text(at)) || self.starts_item(at) {
                let end = self.item_end(at);
                chunks.push(Chunk { range: at..end, missing: self.missing(at, end) });
                end
            } else {
                let end = self.skip(at);
                self.skipped.push(at..end.max(at + 1));
                if !self.stray.contains(&at) {
                    self.not_an_item(at);
                }
                end
            };
            at = end.max(at + 1);
        }
        chunks
    }

    /// The index after the item that begins here.
    fn item_end(&self, at: usize) -> usize {
        if words::CHANGES.contains(&self.text(at)) && at + 1 < self.tokens.len() && !self.cuts.contains(&(at + 1)) {
            // The next word begins what is changed; what is removed has no block.
            return if self.text(at) == "remove" { self.removed_end(at) } else { self.item_end(at + 1) };
        }
        let word = self.text(at);
        let open_ended = matches!(word, "define" | "option" | "script" | "cards" | "link");
        let in_rule = matches!(word, "rule" | "absolute" | "window");
        let mut index = at + 1;
        while index < self.tokens.len() {
            if self.cuts.contains(&index) {
                return index;
            }
            let named = index == at + 1 && (word == "absolute" || !self.at_line_start(index));
            // `rule x when tool "Lantern" { ... }` and `window x from p "Yes?" { ... }` are one item.
            let entry_like = in_rule && self.kind(index + 1) == Some(TokenKind::Text);
            // `may` stands in the head of a script.
            let ended = word != "script" || self.kind(index.saturating_sub(1)) == Some(TokenKind::Text);
            let other = self.starts_clause(index) && ended || self.misspells_item(index) || self.gives_a_value(index);
            if !named && !entry_like && (open_ended && other || self.starts_item(index)) {
                return index;
            }
            let text = self.text(index);
            match self.ends.get(index).copied().flatten() {
                Some(end) if text == "{" && !open_ended => return end,
                Some(end) => index = end,
                None => index += 1,
            }
        }
        index
    }

    /// The index after `remove tool "Lantern"`.
    fn removed_end(&self, at: usize) -> usize {
        let next_item = |index: &usize| self.cuts.contains(index) || self.starts_item(*index);
        (at + 2..self.tokens.len()).find(next_item).unwrap_or(self.tokens.len())
    }

    /// The index of the next item after something that is none.
    fn skip(&self, at: usize) -> usize {
        // `pach tool "Lantern" { ... }` goes as a whole, lest it be taken for a definition.
        if nearest(self.text(at), words::CHANGES.iter().copied()).is_some() && self.starts_item(at + 1) {
            return self.item_end(at + 1);
        }
        let mut index = at;
        loop {
            index = self.ends.get(index).copied().flatten().unwrap_or(index + 1);
            let word = self.text(index);
            let known = words::ITEMS.contains(&word) && self.at_line_start(index) || self.starts_clause(index);
            if index >= self.tokens.len() || known || self.starts_item(index) {
                return index;
            }
        }
    }

    /// How many `{` of an item were given up.
    fn missing(&self, at: usize, end: usize) -> usize {
        if !self.cuts.contains(&end) {
            return 0;
        }
        let given_up =
            |index: &usize| self.text(*index) == "{" && self.ends.get(*index).copied().flatten() == Some(end);
        let open = (at..end).filter(given_up).count();
        // The last token may be the partner of one of them.
        let closed = end.checked_sub(1).is_some_and(|last| {
            let depth = (at..end).fold(0_i64, |depth, index| match self.text(index) {
                "{" => depth + 1,
                "}" if !self.stray.contains(&index) => depth - 1,
                _ => depth,
            });
            self.text(last) == "}" && depth < i64::try_from(open).unwrap_or(i64::MAX)
        });
        open - usize::from(closed && open > 0)
    }

    fn not_an_item(&mut self, at: usize) {
        let text = self.text(at);
        let span = self.span(at);
        let finding = Diagnostic::new(Code::NotAnItem, span, format!("`{text}` does not begin an item"));
        // `tool Big Lantern {`
        let words = (at + 1..self.tokens.len()).take_while(|index| {
            matches!(self.kind(*index), Some(TokenKind::Word | TokenKind::Number)) && !self.first_on_line(*index)
        });
        let name: Vec<&str> = words.map(|index| self.text(index)).collect();
        let open = self.text(at + 1 + name.len()) == "{";
        // `score(p) = 1`, `limit = 3`
        let own = |index: &usize| !self.first_on_line(*index) && !matches!(self.text(*index), "" | "{");
        let valued = (at + 1..self.tokens.len()).take_while(own).any(|index| self.text(index) == "=");
        let unquoted = self.kind(at) == Some(TokenKind::Word) && !name.is_empty() && open;
        let finding = if words::CLAUSES.contains(&text) {
            finding.help(format!("it stands in a rule, `rule NAME {{ {text} ... }}`, or in the text of a card"))
        } else if let Some(best) = nearest(text, words::ITEMS.iter().copied()) {
            finding.did_you_mean(best)
        } else if unquoted && matches!(text, "piece" | "card" | "thing") {
            let name = name.join("_");
            let whole = span.to(self.span(at + 1));
            let found = finding.help(format!("a kind is declared by `kind {name} : {text} {{ ... }}`"));
            found.mend(whole, format!("kind {name} : {text}"))
        } else if unquoted {
            finding.help(format!("the name of a definition stands in quotes: `{text} \"{}\" {{`", name.join(" ")))
        } else if words::STATEMENTS.contains(&text) {
            finding.help("statements stand in a block, such as `setup { ... }` or the body of a verb")
        } else if words::MEMBERS.contains(&text) {
            finding.help("it belongs into a `kind`, `player` or `game`")
        } else if valued && self.kind(at) == Some(TokenKind::Word) {
            finding.help(format!("what has a value is defined: `define {text} = ...`, of a player `define {text}(p: player): number = ...`"))
        } else {
            finding.help(format!(
                "items begin with {} or look like `tool \"Lantern\" {{ ... }}`",
                quoted_list(words::ITEMS)
            ))
        };
        self.diagnostics.push(finding);
    }
}

/// Whether a symbol wants a value, a type or a name behind it.
fn is_infix(text: &str) -> bool {
    matches!(
        text,
        "=" | "!=" | "<" | "<=" | ">" | ">=" | ".." | "+" | "-" | "*" | "/" | "%" | "&" | "." | "," | ":" | "(" | "["
    )
}

fn quoted_list(words: &[&str]) -> String {
    words.iter().map(|word| format!("`{word}`")).collect::<Vec<_>>().join(", ")
}

fn opener(close: &str) -> &'static str {
    match close {
        "}" => "{",
        ")" => "(",
        _ => "[",
    }
}

fn closer(open: &str) -> &'static str {
    match open {
        "{" => "}",
        "(" => ")",
        _ => "]",
    }
}
