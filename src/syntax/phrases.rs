//! Phrases of English and of other games within statements, and what to write instead of each.

use super::lex::TokenKind;
use super::slips::Slip;
use super::words;
use crate::base::{Diagnostic, Span};

impl Slip<'_> {
    /// A phrase that the language has no words for.
    pub(super) fn phrased(&self) -> Option<Diagnostic> {
        self.phrased_as_a_whole().or_else(|| self.spoken())
    }

    /// A phrase of an expression that the language has no words for.
    pub(super) fn spoken(&self) -> Option<Diagnostic> {
        (1..self.range.len()).find_map(|at| self.phrased_at(at).or_else(|| self.spoken_at(at)))
    }

    fn phrased_as_a_whole(&self) -> Option<Diagnostic> {
        let (first, second, end) = (self.text(0), self.text(1), self.range.len());
        let number = |at: usize| self.kind(at) == Some(TokenKind::Number);
        let say = |at: usize, message: &str, help: String| Some(self.found(at, message.to_owned(), help));
        match (first, second) {
            ("roll" | "random", _) if self.text(2) != "in" && (1..end).any(|at| self.text(at) == "as") => {
                let at = (1..end).find(|at| self.text(*at) == "as" && self.is_name(at + 1))?;
                let of = self.source(self.range.start + 1..self.range.start + at);
                let help = format!("{first} {} in {of}", self.text(at + 1));
                let found = say(at, "what comes of it is named before the range or set", format!("write `{help}`"))?;
                Some(found.mend(self.stretch(0, at + 1), help))
            }
            ("roll", _) if number(1) && matches!(self.text(2), "dice" | "die") => {
                let help = "write `roll a in 1..6  roll b in 1..6`".to_owned();
                say(1, "what is rolled has a name, and each die is rolled by itself", help)
            }
            ("roll", _) if number(1) && self.text(2) == "." => {
                say(1, "what is rolled has a name", format!("write `roll n in {}`", self.rest(1)))
            }
            ("create", _) if number(1) && self.is_name(2) => {
                let before = Span { end: self.stretch(2, 2).start, ..self.stretch(2, 2) };
                let help = format!("write `create {second} * {}`", self.rest(2));
                Some(say(2, "how many are made is said with a `*`", help)?.mend(before, "* "))
            }
            ("arm", _) => self.armed(),
            ("until", "end" | "start") => say(
                0,
                "`until` begins no statement",
                "what holds for a while is armed: `arm until end of TURN { ... }`".to_owned(),
            ),
            ("roll", _) if end == 2 => {
                let sides = second.trim_start_matches('d');
                let sides =
                    if sides.chars().all(|digit| digit.is_ascii_digit()) && !sides.is_empty() { sides } else { "6" };
                say(1, "what is rolled has a name and a range", format!("write `roll n in 1..{sides}`"))
            }
            ("note", _) if second.starts_with('"') && self.text(2) == "to" => {
                let help = "for one alone, `reveal ... to p quietly`, or keep it on a card that only that player sees";
                say(2, "a `note` is read by all", help.to_owned())
            }
            ("random", _) if self.text(2) == "." && (3..end).all(|at| self.text(at) != "in") => {
                let to = (3..end).find(|at| self.text(*at) == "to");
                let from = self.source(self.range.start + 1..self.range.start + to.unwrap_or(end));
                let moved = to.map_or(String::new(), |to| format!("  move c {}", self.rest(to)));
                say(1, "what is picked has a name", format!("write `random c in {from}{moved}`"))
            }
            ("note", _) if self.is_name(1) || matches!(second, "me" | "this" | "it" | "game") => {
                let parts = self.rest(1);
                let told = parts.split(" + ").map(|part| {
                    match part.strip_prefix('"').and_then(|part| part.strip_suffix('"')) {
                        Some(text) => text.to_owned(),
                        None => format!("{{{part}}}"),
                    }
                });
                let told: String = told.collect();
                say(1, "a `note` is a text", format!("values stand in braces in it: `note \"{told}\"`"))
            }
            ("may", "{") => say(1, "`may` asks a question", "write `may \"Question?\" do { ... }`".to_owned()),
            ("do", _) if self.is_name(1) && self.text(2) == "of" => say(
                2,
                "whose effect it is stands before it, with a dot",
                format!("write `do {}.{second}`", self.rest(3)),
            ),
            ("sort", _) if end > 1 => {
                let help = "where the order counts, write `S sorted by NUMBER`; a zone with `order: pile` has an order of its own";
                say(0, "a set is not sorted for good", help.to_owned())
            }
            ("move", _) if number(1) && self.text(2) == "of" => {
                let to = (3..end).find(|at| self.text(*at) == "to").unwrap_or(end);
                let zone = self.source(self.range.start + 3..self.range.start + to);
                let help = format!(
                    "from the top of a pile: `move top({zone}, {second}) to ...`; by choice: `choose exactly {second} cs in {zone}  move cs to ...`"
                );
                say(2, "`move` says which are moved", help)
            }
            _ => None,
        }
    }

    fn phrased_at(&self, at: usize) -> Option<Diagnostic> {
        let (word, next, third) = (self.text(at), self.text(at + 1), self.text(at + 2));
        let kind = |ahead: usize| self.kind(at + ahead);
        let say = |ahead: usize, message: &str, help: String| Some(self.found(at + ahead, message.to_owned(), help));
        match (word, next) {
            ("a" | "an" | "the", _)
                if !matches!(self.text(0), "choose" | "define" | "stat")
                    && self.is_name(at + 1)
                    && third != "."
                    && self.spoken_at(at + 1).is_none() =>
            {
                let blank = |at: usize| {
                    (Span { end: self.stretch(at + 1, at + 1).start, ..self.stretch(at, at) }, "".to_owned())
                };
                let article = |at: &usize| matches!(self.text(*at), "a" | "an" | "the") && self.is_name(at + 1);
                let edits: Vec<_> = (at..self.range.len()).filter(article).map(blank).collect();
                let help = format!("write `{next}` alone");
                Some(say(0, &format!("no `{word}` stands before a name"), help)?.mends(edits, true))
            }
            ("all", _) if matches!(next, "me" | "this" | "it") && third == "." => {
                let blank = Span { end: self.stretch(at + 1, at + 1).start, ..self.stretch(at, at) };
                Some(
                    say(0, "a zone means all that lies in it", format!("write `{}`", self.rest(at + 1)))?
                        .mend(blank, ""),
                )
            }
            ("count" | "number" | "amount", "of") if self.text(at - 1) != "." => {
                say(1, "how many there are is `count` and the set", "write `count S`: `count me.hand`".to_owned())
            }
            ("sum" | "max" | "min", _) if self.is_name(at + 1) && third == "in" => {
                let of = self.path_end(at + 3).map_or("...".to_owned(), |end| {
                    self.source(self.range.start + at + 3..self.range.start + end.min(self.range.len()))
                });
                let found = say(2, "what is added up stands before `of`", format!("write `{word} {next} of {of}`"))?;
                Some(found.mend(self.stretch(at + 2, at + 2), "of"))
            }
            ("sum" | "max" | "min", "of") if self.is_name(at + 2) && self.text(at + 3) == "in" => {
                let help = format!("write `{word} {third} of ...`");
                say(1, "what is added up stands right behind the word", help)
            }
            ("sum" | "max" | "min", "(") => {
                let close = (at + 2..self.range.len()).find(|ahead| self.text(*ahead) == ")")?;
                if word != "sum" && (at + 2..close).any(|ahead| self.text(ahead) == ",") {
                    let function = if word == "min" { "smaller" } else { "larger" };
                    let help = format!("of two numbers the {function} is `{function}(a, b)`");
                    let found = say(0, &format!("`{word}` asks of the members of a set"), help)?;
                    return Some(found.mend(self.stretch(at, at), function));
                }
                let path = close >= at + 6 && self.text(close - 2) == "." && self.text(close + 1) != "of";
                let of = self.source(self.range.start + at + 2..self.range.start + close - 2);
                let help = format!("write `{word} {} of {of}`", self.text(close - 1));
                if path { say(0, "what is taken of each stands right behind the word", help) } else { None }
            }
            ("some" | "no", _) if self.is_name(at + 1) && self.is_name(at + 2) && self.text(at + 3) == "where" => {
                say(2, "a member of a set is named by `as`", format!("write `{word} ({next} as {third} where ...)`"))
            }
            ("is", "not") if kind(2) == Some(TokenKind::Number) => {
                say(1, "`is` asks for a kind", format!("numbers are compared by `!=`: `... != {third}`"))
            }
            ("is", "not") if kind(2) == Some(TokenKind::Text) => {
                say(2, "what a card is called stands behind its kind", format!("write `... is not KIND {third}`"))
            }
            ("is", _)
                if kind(1) == Some(TokenKind::Text)
                    && at > 1
                    && self.text(at - 1) == "name"
                    && self.text(at - 2) == "." =>
            {
                say(0, "`is` asks for a kind", format!("texts are compared: write `... = {next}`"))
            }
            ("is", _) if kind(1) == Some(TokenKind::Text) => {
                say(1, "what a card is called stands behind its kind", format!("write `... is KIND {next}`"))
            }
            ("in", "all" | "every" | "each") if matches!(third, "players" | "opponents") => {
                say(1, &format!("`{third}` are all of them"), format!("write `in {third}`"))
            }
            ("in" | "from", _)
                if kind(1) == Some(TokenKind::Number) && third == "to" && kind(3) == Some(TokenKind::Number) =>
            {
                say(2, "a range has two dots", format!("write `in {next}..{}`", self.text(at + 3)))
            }
            ("in", _) if self.is_name(at + 1) && third == "," && self.is_name(at + 3) => say(
                2,
                "values that are written down stand in brackets",
                format!("write `in [{next}, {}]`", self.text(at + 3)),
            ),
            _ => None,
        }
    }

    /// A change of the text that puts braces around the end of the part.
    pub(super) fn in_braces(&self, at: usize, message: &str, help: String) -> Diagnostic {
        let (from, last) = (self.stretch(at, at), self.range.len() - 1);
        let end = self.stretch(last, last);
        let edits = vec![
            (Span { end: from.start, ..from }, "{ ".to_owned()),
            (Span { start: end.end, ..end }, " }".to_owned()),
        ];
        self.found(at, message.to_owned(), help).mends(edits, true)
    }

    /// `for i in S {`, `for k = 1 to n {`, `each k from 1 to n {`, `for each hue`
    pub(super) fn counted_or_each(&self) -> Option<Diagnostic> {
        let first = self.text(0);
        let from = 1 + usize::from(first == "for" && self.text(1) == "each");
        let open = (from..self.range.len()).find(|at| self.text(*at) == "{");
        // `for r in S: grow r`
        let colon = (from + 2..self.range.len().saturating_sub(1)).find(|at| self.text(*at) == ":");
        let end = open.or(colon).unwrap_or(self.range.len());
        let part =
            |range: std::ops::Range<usize>| self.source(self.range.start + range.start..self.range.start + range.end);
        let to = (from + 3..end).find(|at| self.text(*at) == "to");
        let counts = self.is_name(from) && matches!(self.text(from + 1), "=" | "from" | "in" | ":");
        let counted = first == "each" && counts && to.is_some();
        if !counted && !matches!(first, "for" | "foreach") {
            return None;
        }
        let head = match (to, self.text(from), self.text(from + 1)) {
            (Some(to), name, sign) if counts => {
                let low = from + if sign == ":" { 3 } else { 2 };
                let bound = |range: std::ops::Range<usize>| {
                    let plain = range.clone().all(|at| {
                        self.is_name(at) || !matches!(self.text(at), "+" | "-" | "*" | "/" | "%" | "if" | "count")
                    });
                    let text = part(range);
                    if plain { text } else { format!("({text})") }
                };
                format!("each {name} in {}..{}", bound(low..to), bound(to + 1..end))
            }
            (_, "player" | "players" | "opponent" | "opponents", next) if next != "in" => {
                let set = if self.text(from).starts_with('p') { "players" } else { "opponents" };
                format!("each {} in {set}", if self.is_name(from + 1) { next } else { "p" })
            }
            (_, set, _) if from + 1 == end && self.is_name(from) => format!("each x in {set}"),
            (_, set, name) if from + 2 == end && self.is_name(from) && self.is_name(from + 1) => {
                format!("each {name} in {set}")
            }
            _ => format!("each {}", part(from..end)),
        };
        let Some(open) = open else {
            let message = "what is done for each of a set stands in the block of an `each`".to_owned();
            let Some(colon) = colon else {
                return Some(self.found(0, message, format!("write `{head} {{ ... }}` around it")));
            };
            let written = format!("{head} {{ {} }}", self.rest(colon + 1));
            let found = self.found(0, message, format!("write `{written}`"));
            let whole = self.stretch(0, self.range.len() - 1);
            return Some(if written.contains("...") { found } else { found.mend(whole, written) });
        };
        let message =
            if first == "each" { "a range has two dots".to_owned() } else { format!("`{first}` begins no statement") };
        let at = if first == "each" { to.unwrap_or(0) } else { 0 };
        let found = self.found(at, message, format!("write `{head} {{ ... }}`")).repeated("loop of another language");
        let named = head.contains(" in ") && !head.contains("...");
        Some(if named { found.mend(self.stretch(0, open - 1), head) } else { found })
    }

    /// `if a then { ... }`, `if a then draw 2 else draw 1`; and behind the name of a verb, `draw if a then 2 else 1`
    pub(super) fn if_then(&self) -> Option<Diagnostic> {
        let end = self.range.len();
        let outer = || self.outside(2, &["{", "("]);
        let then = outer().find(|at| self.text(*at) == "then").filter(|_| self.text(0) == "if")?;
        let cond = self.source(self.range.start + 1..self.range.start + then);
        if self.text(then + 1) == "{" {
            let blank = Span { end: self.stretch(then + 1, then + 1).start, ..self.stretch(then, then) };
            let help = format!("leave `then` out: `if {cond} {{ ... }}`");
            return Some(
                self.found(then, "the block of an `if` follows its condition".to_owned(), help).mend(blank, ""),
            );
        }
        let other = outer().find(|at| *at > then + 1 && self.text(*at) == "else");
        if let Some(verb) = self.called_before().filter(|_| other.is_some()) {
            let (from, last) = (self.stretch(0, 0), self.stretch(end - 1, end - 1));
            let edits = vec![
                (Span { end: from.start, ..from }, "(".to_owned()),
                (Span { start: last.end, ..last }, ")".to_owned()),
            ];
            let help = format!("write `{verb} ({})`", self.rest(0));
            return Some(
                self.found(0, "a value with `if` stands in brackets behind a verb".to_owned(), help).mends(edits, true),
            );
        }
        let part = |from: usize, to: usize| self.source(self.range.start + from..self.range.start + to);
        let acts = part(then + 1, other.unwrap_or(end));
        let or = other.map_or(String::new(), |other| format!(" else {{ {} }}", self.rest(other + 1)));
        Some(self.found(then, "an `if` that acts has blocks".to_owned(), format!("write `if {cond} {{ {acts} }}{or}`")))
    }

    /// `may draw_cards 2`, `may "Draw?" draw_cards 2`
    pub(super) fn gate_without_do(&self) -> Option<Diagnostic> {
        let (first, asked) = (self.text(0), self.kind(1) == Some(TokenKind::Text));
        let at = 1 + usize::from(asked);
        // `pay` is a word of the gate itself, and may be the name of a verb.
        let paid = self.text(at) == "pay" && !matches!(self.text(at + 1), "{" | "");
        let acts = paid
            || self.is_name(at)
            || words::STATEMENTS.contains(&self.text(at)) && !matches!(self.text(at), "choose" | "do");
        let from = at + usize::from(paid);
        let done = (from..self.range.len()).any(|at| matches!(self.text(at), "do" | "pay" | "{"));
        if !matches!(first, "may" | "must") || !acts || done {
            return None;
        }
        let question = if asked { self.text(1) } else { "\"Question?\"" };
        let help = format!("write `{first} {question} do {{ {} }}`", self.rest(at));
        let mut found = self.in_braces(at, &format!("what `{first}` asks about stands in a block behind `do`"), help);
        let (head, tail) = (found.mend.take()?, if asked { "do { " } else { "\"Question?\" do { " });
        let mut edits = head.edits;
        edits.first_mut()?.1 = tail.to_owned();
        Some(found.mends(edits, asked))
    }

    /// `arm until the end of turn {`, `arm for this turn {`
    fn armed(&self) -> Option<Diagnostic> {
        let open = (1..self.range.len()).find(|at| self.text(*at) == "{")?;
        let name =
            |at: usize| self.is_name(at) && !matches!(self.text(at), "end" | "start" | "of" | "the" | "this" | "rest");
        let turn = (1..open).rev().find(|at| name(*at) && *at > 1)?;
        let span = match (1..open).any(|at| self.text(at) == "start") {
            true => format!("until start of {} of me", self.text(turn)),
            // Only a beginning is that of a player.
            false => {
                let of = (2..turn).find(|at| self.text(*at) == "of" && name(at - 1) && *at > 2).map(|at| at - 1);
                format!("until end of {}", self.text(of.unwrap_or(turn)))
            }
        };
        if self.text(1) == "while" || self.source(self.range.start + 1..self.range.start + open) == span || open > 7 {
            return None;
        }
        let help = format!("write `arm {span} {{ ... }}`");
        Some(self.found(1, "what is armed says until when".to_owned(), help).mend(self.stretch(1, open - 1), span))
    }
}
