//! Mistakes that newcomers make, told by the shape of a part that the grammar has refused: each is one finding that
//! says what to write.

use super::foreign::{Role, instead_of};
use super::lex::TokenKind;
use super::recover::{self, Body};
use super::split::Matched;
use super::words;
use crate::base::{Code, Diagnostic, Span};
use std::ops::Range;

/// A part that the grammar has refused.
pub(super) struct Slip<'a> {
    pub(super) matched: &'a Matched<'a>,
    pub(super) range: Range<usize>,
}

/// What somebody meant with a part of a block, if its shape tells.
pub(super) fn slip(matched: &Matched<'_>, range: &Range<usize>, body: Body) -> Option<Diagnostic> {
    let slip = Slip { matched, range: range.clone() };
    match body {
        Body::Stmts => slip.statement(),
        Body::Fields => slip.field(),
        Body::Members => slip.member().or_else(|| slip.spoken()),
        Body::Steps => slip.step().or_else(|| slip.spoken()),
        Body::Clauses => slip.clause().or_else(|| slip.spoken()),
        Body::Props => slip.setting(),
        Body::Whole if matched.text(range.start) == "define" => slip.spoken(),
        _ => None,
    }
}

/// Whether a part of a definition is an effect without its `{`.
pub(super) fn lacks_brace(matched: &Matched<'_>, range: &Range<usize>) -> bool {
    Slip { matched, range: range.clone() }.is_effect_without_brace()
}

/// Whether a part of a definition looks like a statement: a name, and what a verb or effect could be followed by.
pub(super) fn like_a_statement(matched: &Matched<'_>, range: &Range<usize>) -> bool {
    let (first, second) = (matched.text(range.start), matched.text(range.start + 1));
    let value = matches!(matched.kind(range.start + 1), Some(TokenKind::Number | TokenKind::Text));
    range.len() >= 2
        && matched.kind(range.start) == Some(TokenKind::Word)
        && !words::CLAUSES.contains(&first)
        && first != "supersedes"
        && !value
        && !matches!(second, ":" | "{" | "=" | "[" | "-")
}

/// Whether two parts of a definition are rather statements in a row.
pub(super) fn goes_on(matched: &Matched<'_>, range: &Range<usize>, next: &Range<usize>) -> bool {
    let acts = |index: usize| {
        let text = matched.text(index);
        matches!(text, "this" | "me" | "it" | "." | "(") || words::STATEMENTS.contains(&text)
    };
    let begun = range.len() == 1 || like_a_statement(matched, range) && (range.start + 1..range.end).any(acts);
    begun && matched.kind(range.start) == Some(TokenKind::Word) && like_a_statement(matched, next)
}

impl Slip<'_> {
    pub(super) fn text(&self, ahead: usize) -> &str {
        let index = self.range.start + ahead;
        if index < self.range.end { self.matched.text(index) } else { "" }
    }

    pub(super) fn kind(&self, ahead: usize) -> Option<TokenKind> {
        let index = self.range.start + ahead;
        (index < self.range.end).then(|| self.matched.kind(index)).flatten()
    }

    pub(super) fn is_name(&self, ahead: usize) -> bool {
        self.kind(ahead) == Some(TokenKind::Word) && !words::is_keyword(self.text(ahead))
    }

    /// The source from one token of the part to another, in one line.
    pub(super) fn source(&self, range: Range<usize>) -> String {
        if range.is_empty() {
            return "...".to_owned();
        }
        let span = self.matched.span(range.start).to(self.matched.span(range.end - 1));
        let text = self.matched.source.get(span.start as usize..span.end as usize).unwrap_or("...");
        let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
        if line.chars().count() > 60 { "...".to_owned() } else { line }
    }

    /// The name that stands before the part on its line: that of a verb which the part was to be the argument of.
    pub(super) fn called_before(&self) -> Option<&str> {
        let before = self.range.start.checked_sub(1)?;
        let called =
            self.matched.kind(before) == Some(TokenKind::Word) && !words::is_keyword(self.matched.text(before));
        (called && !self.matched.first_on_line(self.range.start)).then(|| self.matched.text(before))
    }

    /// The token behind the bracket that closes the one at a token.
    pub(super) fn closed_at(&self, at: usize) -> Option<usize> {
        self.matched.ends.get(self.range.start + at).copied().flatten()?.checked_sub(self.range.start)
    }

    /// The tokens of the part from one on that do not stand in such brackets. Blocks are read by themselves.
    pub(super) fn outside(&self, from: usize, brackets: &'static [&'static str]) -> impl Iterator<Item = usize> {
        let behind = |at: usize| brackets.contains(&self.text(at)).then(|| self.closed_at(at)).flatten();
        std::iter::successors(Some(from), move |at| Some(behind(*at).unwrap_or(at + 1)))
            .take_while(|at| *at < self.range.len())
    }

    pub(super) fn rest(&self, from: usize) -> String {
        self.source(self.range.start + from..self.range.end)
    }

    /// The source from one token of the part to another, that one included.
    pub(super) fn stretch(&self, from: usize, to: usize) -> Span {
        self.matched.span(self.range.start + from).to(self.matched.span(self.range.start + to))
    }

    pub(super) fn found(&self, ahead: usize, message: String, help: String) -> Diagnostic {
        Diagnostic::new(Code::Unexpected, self.matched.span(self.range.start + ahead), message).help(help)
    }

    fn statement(&self) -> Option<Diagnostic> {
        let first = self.text(0);
        if let Some(found) = self.counted_or_each() {
            return Some(found);
        }
        if let Some(found) = self.phrased() {
            return Some(found);
        }
        if let Some(best) = recover::misspelt(self.matched, self.range.start) {
            let found = self.found(0, format!("`{first}` begins no statement"), String::new());
            return Some(found.did_you_mean(best));
        }
        if let Some(help) = instead_of(first, Role::Statement)
            && !matches!(self.text(1), ":" | "." | "=")
            && !self.matched.declares("verb", first)
        {
            return Some(self.found(0, format!("`{first}` begins no statement"), help.to_owned()));
        }
        if first == "choose" && matches!(self.text(1), "me" | "game") && self.text(2) == "." {
            let help = format!("name what is chosen: `choose c in {}.{}`", self.text(1), self.text(3));
            return Some(self.found(1, "what is chosen has no name".to_owned(), help));
        }
        let english = self.chosen_between().or_else(|| self.set_of_somebody());
        let english =
            english.or_else(|| self.chosen_by_number()).or_else(|| self.moved_from()).or_else(|| self.shuffled_into());
        if english.is_some() {
            return english;
        }
        if let Some(found) = self.if_then().or_else(|| self.gate_without_do()) {
            return Some(found);
        }
        let loops =
            self.each_without_in().or_else(|| self.repeat_without_times()).or_else(|| self.turns_out_of_order());
        loops
            .or_else(|| self.folded())
            .or_else(|| self.drawn())
            .or_else(|| self.assignment())
            .or_else(|| self.value_in_braces())
            .or_else(|| self.change_without_by())
            .or_else(|| self.chooser_behind())
            .or_else(|| self.condition_behind())
            .or_else(|| self.field_in_a_block())
    }

    /// `choose n between 1 and 3`, `choose n in 1 to 3`
    fn chosen_between(&self) -> Option<Diagnostic> {
        if self.text(0) != "choose" || !self.is_name(1) {
            return None;
        }
        let (name, number) = (self.text(1), |ahead| self.kind(ahead) == Some(TokenKind::Number));
        let (low, word, high) = match self.text(2) {
            "between" => (3, "and", 5),
            "in" | "from" => (3, "to", 5),
            _ => return None,
        };
        if self.text(4) != word || !number(low) || !number(high) {
            return None;
        }
        let help = format!("write `choose {name} in {}..{}`", self.text(low), self.text(high));
        let range = format!("in {}..{}", self.text(low), self.text(high));
        let found = self.found(if self.text(2) == "between" { 2 } else { 4 }, "a range has two dots".to_owned(), help);
        Some(found.mend(self.stretch(2, high), range))
    }

    /// `choose two cs in S`, `choose a card c in S`, `choose up to 3 cards cs in S`
    fn chosen_by_number(&self) -> Option<Diagnostic> {
        const NUMBERS: [&str; 5] = ["two", "three", "four", "five", "six"];
        let at = (3..self.range.len().min(7)).find(|ahead| self.text(*ahead) == "in")?;
        if self.text(0) != "choose" || !(self.is_name(at - 1) && self.is_name(at - 2) || at == 3) {
            return None;
        }
        let (word, name) = (self.text(1), self.text(at - 1));
        let number = NUMBERS.iter().position(|number| *number == word).map(|place| format!("exactly {} ", place + 2));
        let help = match (word, number) {
            ("a" | "an" | "the" | "one" | "1", _) if at == 3 => "choose c in ...".to_owned(),
            ("a" | "an" | "the" | "one" | "1", _) => format!("choose {name} in ..."),
            (_, Some(number)) => format!("choose {number}{name} in ..."),
            ("up" | "exactly" | "any", _) if at > 3 => {
                format!("choose {} {name} in ...", self.source(self.range.start + 1..self.range.start + at - 2))
            }
            _ => return None,
        };
        let message = "what is chosen has one name, and how many stands before it in figures".to_owned();
        Some(self.found(1, message, format!("write `{help}`")))
    }

    /// `move top 2 of deck to me.hand`, `move random card from me.hand to bin`, `move c from me.hand to bin`
    fn moved_from(&self) -> Option<Diagnostic> {
        if self.text(0) != "move" {
            return None;
        }
        let of = (2..self.range.len().min(6)).find(|ahead| matches!(self.text(*ahead), "of" | "from"))?;
        let to = (of + 2..self.range.len()).find(|ahead| self.text(*ahead) == "to")?;
        let zone = self.source(self.range.start + of + 1..self.range.start + to);
        let number = (1..of).find(|ahead| self.kind(*ahead) == Some(TokenKind::Number)).map(|ahead| self.text(ahead));
        let place = (1..of).map(|ahead| self.text(ahead)).find(|word| matches!(*word, "top" | "bottom" | "random"));
        let help = match (place, number) {
            (Some("random"), None) => format!("write `random c in {zone}  move c to ...`"),
            (Some("random"), Some(number)) => {
                format!("write `repeat {number} times {{ random c in {zone}  move c to ... }}`")
            }
            (Some(end), Some(number)) => format!("write `move {end}({zone}, {number}) to ...`"),
            (Some(end), None) => format!("write `move {end}({zone}) to ...`"),
            (None, None) if of == 2 => format!("write `move {} to ...`: where it lies is known", self.text(1)),
            _ => return None,
        };
        Some(self.found(1, "`move` says what is moved, and where to".to_owned(), help))
    }

    /// `shuffle bin into deck`
    fn shuffled_into(&self) -> Option<Diagnostic> {
        if self.text(0) != "shuffle" {
            return None;
        }
        let into = (2..self.range.len()).find(|ahead| self.text(*ahead) == "into")?;
        let (from, to) = (self.source(self.range.start + 1..self.range.start + into), self.rest(into + 1));
        let help = format!("write `move {from} to {to}  shuffle {to}`");
        Some(self.found(into, "`shuffle` mixes one zone, and moves nothing into it".to_owned(), help))
    }

    /// `let k = if a { 1 } else { 2 }`
    fn value_in_braces(&self) -> Option<Diagnostic> {
        let is_value = |ahead: &usize| self.text(*ahead) == "if" && self.text(ahead - 1) != "else";
        let at = self.outside(2, &["{"]).find(is_value)?;
        let open = (at + 1..self.range.len()).find(|ahead| self.text(*ahead) == "{")?;
        let value = matches!(self.text(0), "let" | "set" | "increase" | "decrease");
        if !value || (at..open).any(|ahead| self.text(ahead) == "then") {
            return None;
        }
        let help = format!("write `{} then ... else ...`", self.source(self.range.start + at..self.range.start + open));
        Some(self.found(open, "a value has no braces".to_owned(), help))
    }

    /// `set coins of me = 3`, `set seat 2.coins = 3`
    fn set_of_somebody(&self) -> Option<Diagnostic> {
        if !matches!(self.text(0), "set" | "increase" | "decrease") {
            return None;
        }
        if self.is_name(1) && self.text(2) == "of" {
            let end = (3..self.range.len()).find(|at| matches!(self.text(*at), "=" | "by" | "to"))?;
            let path = format!("{}.{}", self.source(self.range.start + 3..self.range.start + end), self.text(1));
            let value = self.rest(end).replacen("to ", "= ", usize::from(self.text(end) == "to"));
            let help = format!("write `{} {path} {value}`", self.text(0));
            let found = self.found(2, "whose it is stands before it, with a dot".to_owned(), help);
            return Some(match self.text(end) {
                "to" => found.mend(self.stretch(1, end), format!("{path} =")),
                _ => found.mend(self.stretch(1, end - 1), path),
            });
        }
        let seat = self.text(1) == "seat" && self.kind(2) == Some(TokenKind::Number);
        let help = || format!("write `{} seat({}){}`", self.text(0), self.text(2), self.rest(3));
        let mended = || format!("seat({})", self.text(2));
        let found = || self.found(2, "the number of a seat stands in brackets".to_owned(), help());
        seat.then(|| found().mend(self.stretch(1, 2), mended()))
    }

    /// `let k = sum of coins of players`
    fn folded(&self) -> Option<Diagnostic> {
        let at = (1..self.range.len()).find(|ahead| {
            matches!(self.text(*ahead), "sum" | "max" | "min" | "values" | "gather" | "union" | "reach")
                && self.text(ahead + 1) == "of"
        })?;
        let help = format!("write `{} {}`", self.text(at), self.rest(at + 2));
        let found = self.found(at + 1, format!("what is taken of each stands right behind `{}`", self.text(at)), help);
        Some(found.mend(self.stretch(at, at + 1), self.text(at)))
    }

    /// `each opponent {`, `each opponent p {`
    fn each_without_in(&self) -> Option<Diagnostic> {
        if self.text(0) == "each" && matches!(self.text(1), "other" | "another") && self.text(2) == "player" {
            let help =
                format!("write `each {} in opponents {{ ... }}`", if self.is_name(3) { self.text(3) } else { "p" });
            return Some(self.found(1, "`each` needs a name for the member and the set it is in".to_owned(), help));
        }
        if let Some(found) = self.each_player_does() {
            return Some(found);
        }
        let named = self.is_name(2) && self.text(3) == "{";
        let word = self.is_name(1) || self.text(1) == "player";
        if self.text(0) != "each" || !word || self.text(2) != "{" && !named {
            return None;
        }
        let of = |other: &'static str| if named { self.text(2) } else { other };
        let help = match self.text(1) {
            "player" | "players" => format!("write `each {} in players {{ ... }}`", of("p")),
            "opponent" | "opponents" => format!("write `each {} in opponents {{ ... }}`", of("p")),
            name => format!("write `each {} in {name} {{ ... }}`", of("x")),
        };
        Some(self.found(1, "`each` needs a name for the member and the set it is in".to_owned(), help))
    }

    /// `each player draws 1`, `each opponent decrease coins by 1`
    fn each_player_does(&self) -> Option<Diagnostic> {
        let set = match self.text(1) {
            "player" | "players" => "players",
            "opponent" | "opponents" => "opponents",
            _ => return None,
        };
        let block = (2..self.range.len()).any(|at| self.text(at) == "{");
        let acts = self.is_name(2) || words::STATEMENTS.contains(&self.text(2));
        if self.text(0) != "each" || block || !acts || self.text(3) == "in" {
            return None;
        }
        let help = format!(
            "write `each p in {set} {{ ... }}`, with what is done in the block, `move top(deck) to p.hand`, or a verb that says for whom"
        );
        Some(self.found(2, "what is done for each of a set stands in the block of an `each`".to_owned(), help))
    }

    /// `repeat count me.hand {`
    fn repeat_without_times(&self) -> Option<Diagnostic> {
        let open = (1..self.range.len()).find(|ahead| self.text(*ahead) == "{")?;
        if self.text(0) != "repeat" || open < 2 || matches!(self.text(1), "until" | "while") {
            return None;
        }
        if self.text(1) == "for" {
            let each = 2 + usize::from(self.text(2) == "each");
            if self.is_name(each) && self.text(each + 1) == "in" {
                let of = self.source(self.range.start + each..self.range.start + open);
                let help = format!("write `each {of} {{ ... }}`");
                let found = self.found(1, "what is done for each of a set begins with `each`".to_owned(), help);
                return Some(found.mend(self.stretch(0, each - 1), "each"));
            }
            let times = if self.text(open - 1) == "times" { open - 1 } else { open };
            let count = self.source(self.range.start + 2..self.range.start + times);
            let help = format!("write `repeat {count} times {{ ... }}`");
            return Some(self.found(1, "`for` does not stand here".to_owned(), help));
        }
        if self.is_name(1) && self.text(2) == "in" {
            let of = self.source(self.range.start + 1..self.range.start + open);
            let found = self.found(
                0,
                "a loop that counts begins with `each`".to_owned(),
                format!("write `each {of} {{ ... }}`"),
            );
            return Some(found.mend(self.stretch(0, 0), "each"));
        }
        if (1..open).any(|ahead| self.text(ahead) == "times") {
            return None;
        }
        if matches!(self.text(1), "if" | "when" | "whenever") {
            let cond = self.source(self.range.start + 2..self.range.start + open);
            let help = format!("write `repeat while {cond} {{ ... }}`; what is done once is `if {cond} {{ ... }}`");
            let found = self.found(1, format!("`{}` does not stand here", self.text(1)), help);
            return Some(found.perhaps(self.stretch(1, 1), "while"));
        }
        let count = self.source(self.range.start + 1..self.range.start + open);
        let message = "this does not say how the loop ends".to_owned();
        let help = format!("write `repeat {count} times {{ ... }}`; a condition stands behind `until` or `while`");
        let (found, mended) = (self.found(1, message, help), format!("{count} times"));
        Some(match open == 2 && self.kind(1) == Some(TokenKind::Number) {
            true => found.mend(self.stretch(1, 1), mended),
            false => found,
        })
    }

    /// `turns bout from me for 2 rounds among [me] {`
    fn turns_out_of_order(&self) -> Option<Diagnostic> {
        const PARTS: [&str; 4] = ["from", "among", "for", "until"];
        if self.text(0) != "turns" {
            return None;
        }
        if let Some(found) = self.turns_starting_with() {
            return Some(found);
        }
        let (mut at, mut last) = (2, 0);
        while at < self.range.len() && self.text(at) != "{" {
            if let Some(part) = PARTS.iter().position(|part| *part == self.text(at)) {
                if part < last {
                    let message = format!("`{}` has to stand before `{}`", PARTS[part], PARTS[last]);
                    let help = "the parts of `turns` have an order: `turns NAME from P among S for N rounds until C`";
                    return Some(self.found(at, message, help.to_owned()));
                }
                last = part;
            }
            let end = self.matched.ends.get(self.range.start + at).copied().flatten();
            at = end.map_or(at + 1, |end| end.saturating_sub(self.range.start).max(at + 1));
        }
        None
    }

    /// `turns turn starting with p {`
    fn turns_starting_with(&self) -> Option<Diagnostic> {
        let begins = matches!(self.text(2), "start" | "starts" | "starting" | "begin" | "begins" | "beginning");
        if !begins || !self.is_name(1) {
            return None;
        }
        let last = 2 + usize::from(matches!(self.text(3), "with" | "from" | "at" | "by"));
        let end = (last + 2..self.range.len()).find(|at| matches!(self.text(*at), "for" | "among" | "until" | "{"))?;
        let first = self.source(self.range.start + last + 1..self.range.start + end);
        let help = format!("write `turns {} from {first} ...`", self.text(1));
        Some(self.found(2, "who begins stands behind `from`".to_owned(), help).mend(self.stretch(2, last), "from"))
    }

    /// `square 8 8`, `pile`: the value of a setting without its name.
    fn setting(&self) -> Option<Diagnostic> {
        let name = match self.text(0) {
            "square" | "rhombus" | "hexagon" | "graph" => "shape",
            "pile" | "queue" => "order",
            _ => return None,
        };
        if self.text(1) == ":" {
            return None;
        }
        let before = Span { end: self.stretch(0, 0).start, ..self.stretch(0, 0) };
        let help = format!("write `{name}: {}`", self.rest(0));
        let found = self.found(0, format!("`{}` is a value of `{name}`", self.text(0)), help);
        Some(found.mend(before, format!("{name}: ")))
    }

    /// `{ after drop c { ... } } becomes { }`
    fn clause(&self) -> Option<Diagnostic> {
        let whole = self.text(0) == "{" && words::CLAUSES.contains(&self.text(1));
        let help = "a clause that is added stands as it is, and `no clauses` takes away those there; what stands in one is \
                    exchanged, `a < 5 becomes a < 4`, `{ note \"a\" } becomes { }`";
        whole.then(|| self.found(1, "a whole clause is not exchanged".to_owned(), help.to_owned()))
    }

    fn step(&self) -> Option<Diagnostic> {
        self.inner_scenario().or_else(|| self.statement_as_step()).or_else(|| self.winner_denied())
    }

    /// `scenario "more" { ... }` in a scenario.
    fn inner_scenario(&self) -> Option<Diagnostic> {
        let help = "close the scenario before it with `}`; each begins with its own `given`".to_owned();
        (self.text(0) == "scenario").then(|| self.found(0, "a scenario cannot stand in another".to_owned(), help))
    }

    /// `let n = 3`, `set me.coins = 3`, `me.coins = 3` among the steps of a scenario.
    fn statement_as_step(&self) -> Option<Diagnostic> {
        let first = self.text(0);
        if first == "let" {
            let message = "`let` is a statement, and a scenario has steps".to_owned();
            let help = "write the value itself where it is expected; `given { ... }` has statements";
            return Some(self.found(0, message, help.to_owned()));
        }
        if matches!(first, "seed" | "players" | "mover") && matches!(self.text(1), "=" | ":") && self.range.len() > 2 {
            let end = self.path_end(2).unwrap_or(3);
            let value = self.source(self.range.start + 2..self.range.start + end);
            let help = format!("write `{first} {value}`");
            let found = self.found(1, format!("`{first}` takes its value without a `{}`", self.text(1)), help);
            return Some(found.mend(self.stretch(0, 1), first));
        }
        // Nobody acts before the first turn.
        let there = |text: String| text.replace("me.", "seat(1).");
        let statement = match self.assignment() {
            Some(found) => {
                let help = found.help.unwrap_or_default();
                there(help.trim_start_matches("write `").trim_end_matches('`').to_owned())
            }
            None if words::STATEMENTS.contains(&first) => there(self.rest(0)),
            None => return None,
        };
        let message = format!("`{first}` begins a statement, and a scenario has steps");
        let help = format!(
            "what the game begins with stands in `given {{ {statement} }}`; what players do is chosen: `play \"key\"`"
        );
        Some(self.found(0, message, help))
    }

    /// `expect not winner seat(1)`
    fn winner_denied(&self) -> Option<Diagnostic> {
        let denied = matches!(self.text(1), "not" | "no") && self.text(2) == "winner";
        if self.text(0) != "expect" || !denied {
            return None;
        }
        let message = "what is expected of the winner cannot be denied".to_owned();
        let help =
            "say who has won, `expect winner seat(2)`, or that the game goes on: `expect seat(1) asked`".to_owned();
        Some(self.found(1, message, help))
    }

    /// `let d = roll 1..6`, `set x = choose S`
    fn drawn(&self) -> Option<Diagnostic> {
        let equals = (1..self.range.len()).find(|ahead| self.text(*ahead) == "=")?;
        let word = self.text(equals + 1);
        if !matches!(self.text(0), "let" | "set") || !matches!(word, "roll" | "random" | "choose") {
            return None;
        }
        let local = if self.text(0) == "let" { self.text(1) } else { "n" };
        let kept = match self.text(0) {
            "let" => String::new(),
            _ => format!("  {} = n", self.source(self.range.start..self.range.start + equals)),
        };
        // `random of S`, `roll d in 1..6`, `roll 1..6`, `random(S)`
        let joins = |at: &usize| matches!(self.text(*at), "in" | "of" | "from");
        let from = [equals + 2, equals + 3].into_iter().find(joins).map_or(equals + 2, |joined| joined + 1);
        if word == "roll"
            && let Some(found) = self.rolled_and_more(equals, from)
        {
            return Some(found);
        }
        let written = format!("{word} {local} in {}{kept}", self.rest(from));
        let help = format!("write `{written}`");
        let found = self.found(equals + 1, format!("`{word}` is a statement and no value"), help);
        let whole = self.stretch(0, self.range.len() - 1);
        Some(if written.contains("...") { found } else { found.mend(whole, written) })
    }

    /// `let d = roll 1..6 + me.might`: what is added to a die is none of its sides.
    fn rolled_and_more(&self, equals: usize, from: usize) -> Option<Diagnostic> {
        let number = |at: usize| self.kind(at) == Some(TokenKind::Number);
        let sides = number(from) && self.text(from + 1) == ".." && number(from + 2);
        if !sides || !matches!(self.text(from + 3), "+" | "-" | "*" | "/" | "%") {
            return None;
        }
        let (die, kept) = (self.part(from, from + 3), self.part(0, equals + 1));
        let more = self.rest(from + 3);
        let message = "`roll` is a statement and no value".to_owned();
        if more.contains("..") || more.contains("roll") {
            let help = format!("each die has a name: `roll a in {die}  roll b in ...`, and then `{kept} a + b`");
            return Some(self.found(equals + 1, message, help));
        }
        let written = format!("roll d in {die}  {kept} d {more}");
        let found = self.found(equals + 1, message, format!("write `{written}`"));
        Some(found.mend(self.stretch(0, self.range.len() - 1), written))
    }

    /// The end of the path that begins at a token: `me.coins[red]`.
    pub(super) fn path_end(&self, from: usize) -> Option<usize> {
        let mut at = from + 1;
        loop {
            match self.text(at) {
                "." => at += 2,
                "(" | "[" => {
                    let index = self.range.start + at;
                    at = self.matched.ends.get(index).copied().flatten()?.saturating_sub(self.range.start);
                }
                _ => return Some(at),
            }
        }
    }

    /// `increase me.coins`, `increase me.coins n`, `increase me.coins to 3`
    fn change_without_by(&self) -> Option<Diagnostic> {
        let first = self.text(0);
        let one = matches!(first, "increase" | "decrease") && self.range.len() > 1;
        if !one || (1..self.range.len()).any(|ahead| matches!(self.text(ahead), "by" | "=" | "{")) {
            return None;
        }
        let end = self.path_end(1)?;
        if matches!(self.text(end), "with" | "for" | "of" | "plus" | "minus") && end + 1 < self.range.len() {
            let path = self.source(self.range.start + 1..self.range.start + end);
            let help = format!("write `{first} {path} by {}`", self.rest(end + 1));
            let found = self.found(end, "`by` stands before how much".to_owned(), help);
            return Some(found.mend(self.stretch(end, end), "by"));
        }
        let path = || self.source(self.range.start + 1..self.range.start + end);
        let value = self.kind(end).is_some_and(|kind| kind != TokenKind::Symbol) && !words::is_reserved(self.text(end));
        if self.text(end) == "to" && end + 1 < self.range.len() {
            let (path, to) = (path(), self.rest(end + 1));
            let help = format!("write `set {path} = {to}`; `{first} {path} by n` changes it by so much");
            return Some(self.found(end, format!("`{first}` says by how much, not to what"), help));
        }
        if value || self.text(end) == "(" {
            let help = format!("write `{first} {} by {}`", path(), self.rest(end));
            let before = Span { end: self.stretch(end, end).start, ..self.stretch(end, end) };
            return Some(self.found(end, "`by` stands before how much".to_owned(), help).mend(before, "by "));
        }
        let help = format!("{first} {} by 1", self.rest(1));
        let found = self.found(0, format!("`{first}` says by how much"), format!("write `{help}`"));
        Some(found.perhaps(self.stretch(0, self.range.len() - 1), help))
    }

    /// `choose option by p "Which?" { ... }`
    fn chooser_behind(&self) -> Option<Diagnostic> {
        let (word, behind) = (self.text(1), self.text(2) == "by" && self.is_name(3) | (self.text(3) == "me"));
        if self.text(0) != "choose" || !matches!(word, "option" | "action" | "order" | "split") || !behind {
            return None;
        }
        let help = format!("write `choose by {} {word} ...`", self.text(3));
        Some(self.found(2, "who chooses stands before what is chosen".to_owned(), help))
    }

    /// `win me if no stone`: the condition is taken for a statement of its own. `if me.coins > 2 draw_cards 2`
    fn condition_behind(&self) -> Option<Diagnostic> {
        let bare = self.text(0) == "if" && self.range.len() > 1;
        if !bare || (1..self.range.len()).any(|ahead| matches!(self.text(ahead), "then" | "{")) {
            return None;
        }
        let begins = |at: &usize| recover::begins_within(self.matched, self.range.start + at);
        if let Some(at) = (2..self.range.len()).find(begins) {
            let cond = self.source(self.range.start + 1..self.range.start + at);
            let help = format!("write `if {} {{ {} }}`", cond.trim_end_matches(':'), self.rest(at));
            return Some(self.in_braces(at, "what an `if` does stands in a block", help));
        }
        let cond = self.rest(1);
        let help = format!("write `if {} {{ ... }}`, with what is done then in the block", cond.trim_end_matches(':'));
        Some(self.found(0, "a condition stands before its block".to_owned(), help))
    }

    /// `game.trick += 1`, `x = 3`, `x := 3`, `n++`
    fn assignment(&self) -> Option<Diagnostic> {
        // `set x += 1` is `x += 1` with a word too many.
        let from = usize::from(self.text(0) == "set");
        if !self.is_name(from) && !matches!(self.text(from), "game" | "me" | "this") {
            return None;
        }
        let at = self.path_end(from)?;
        let path = self.source(self.range.start + from..self.range.start + at);
        let (one, two) = (self.text(at), self.text(at + 1));
        let help = match (one, two) {
            ("=", "=") => return None,
            (":", "=") => format!("set {path} = {}", self.rest(at + 2)),
            ("=", _) if from > 0 => return None,
            // Nothing of the item has been called so before.
            ("=", _) if at == from + 1 && self.is_new(from) => format!("let {path} = {}", self.rest(at + 1)),
            ("=", _) => format!("set {path} = {}", self.rest(at + 1)),
            ("+", "=") => format!("increase {path} by {}", self.rest(at + 2)),
            ("-", "=") => format!("decrease {path} by {}", self.rest(at + 2)),
            ("*" | "/" | "%", "=") => format!("set {path} = {path} {one} {}", self.rest(at + 2)),
            ("+", "+") => format!("increase {path} by 1"),
            ("-", "-") => format!("decrease {path} by 1"),
            _ => return None,
        };
        let message = match help.starts_with("let") {
            true => format!("what is called `{path}` from here on begins with a word of its own"),
            false => format!("a change of `{path}` begins with a word of its own"),
        };
        let found = self.found(at, message, format!("write `{help}`"));
        // What is too long to be shown is not put there either.
        let whole = self.stretch(0, self.range.len() - 1);
        Some(if help.contains("...") { found } else { found.mend(whole, help) })
    }

    /// Whether a name stands for the first time: nothing before it in the file is called so, and nothing is declared so.
    fn is_new(&self, ahead: usize) -> bool {
        let (at, name) = (self.range.start + ahead, self.text(ahead));
        let declared = ["counter", "mark", "field", "stat"].iter().any(|sort| self.matched.declares(sort, name));
        !declared && (0..at).all(|earlier| self.matched.text(earlier) != name)
    }

    /// `cost: 4` among statements
    fn field_in_a_block(&self) -> Option<Diagnostic> {
        if !self.is_name(0) || self.text(1) != ":" {
            return None;
        }
        let (name, whole) = (self.text(0), self.rest(0));
        let message = format!("`{name}:` gives a field, and this is a block of statements");
        let help = format!("move `{whole}` out of the block; what changes in play is set: `set this.{name} = ...`");
        Some(self.found(0, message, help))
    }

    /// The kind of the card around a part, as it is written: `tool "Rope" {`, `patch tool "Rope" {`.
    fn kind_around(&self) -> Option<&str> {
        let mut closed = 0;
        let brace = (0..self.range.start).rev().find(|index| match self.matched.text(*index) {
            "}" => {
                closed += 1;
                false
            }
            "{" => {
                closed -= 1;
                closed < 0
            }
            _ => false,
        })?;
        let last = brace.checked_sub(1)?;
        let named = self.matched.kind(last) == Some(TokenKind::Text);
        let kind = if named { last.checked_sub(1)? } else { last };
        (self.matched.kind(kind) == Some(TokenKind::Word)).then(|| self.matched.text(kind))
    }

    fn field(&self) -> Option<Diagnostic> {
        let name = self.text(0);
        if self.kind(0) == Some(TokenKind::Text) && self.text(1) == ":" {
            let bare = name.trim_matches('"');
            let end = self.range.end - usize::from(self.text(self.range.len() - 1) == ",");
            let value = self.source(self.range.start + 2..end);
            let help = format!("write `{bare}: {value}`, and no comma behind it");
            let found = self.found(0, format!("the name of a field has no quotes: `{name}`"), help);
            let mut edits = vec![(self.stretch(0, 0), bare.to_owned())];
            if self.text(self.range.len() - 1) == "," {
                edits.push((self.stretch(self.range.len() - 1, self.range.len() - 1), String::new()));
            }
            return Some(found.repeated("quoted field").mends(edits, true));
        }
        if words::KEPT.contains(&name) && self.kind(1) == Some(TokenKind::Word) {
            let (kind, whole) = (self.kind_around().unwrap_or("NAME"), self.rest(0));
            let help = format!(
                "declare it there: `{whole}` in `kind {kind}`, or in an expansion `patch kind {kind} {{ {whole} }}`; a card then has a value of its own"
            );
            let message = format!("a `{name}` is declared in the kind of a card, for all cards of it");
            return Some(self.found(0, message, help));
        }
        if !self.is_name(0) {
            return None;
        }
        if self.range.len() == 1 {
            let message = format!("`{name}` alone is neither a field nor a clause");
            let help = format!(
                "write `{name}: ...` with its value, or `{name} {{ ... }}` with its statements; a verb stands in such a \
                 block of a field of the type `effect`"
            );
            return Some(self.found(0, message, help));
        }
        if self.text(1) == "=" {
            let help = format!("write `{name}: {}`", self.rest(2));
            let found = self.found(1, format!("the field `{name}` takes a `:`, not a `=`"), help);
            return Some(found.repeated("field with =").mend(self.stretch(0, 1), format!("{name}:")));
        }
        if self.is_effect_without_brace() {
            let end = self.range.end;
            let help = format!("write `{name} {{ {} }}`", self.source(self.range.start + 1..end));
            return Some(self.found(1, format!("the block of `{name}` does not begin"), help));
        }
        if like_a_statement(self.matched, &self.range)
            && (self.range.len() > 2 || matches!(self.text(1), "this" | "me"))
        {
            let message = format!("`{name}` begins a statement here, and a card has fields and clauses");
            let help = format!("statements stand in a field of the type `effect`: `use {{ {} }}`", self.rest(0));
            return Some(self.found(0, message, help));
        }
        None
    }

    /// `use note "lit"`, `use drop this`: two words before what the second acts on.
    fn is_effect_without_brace(&self) -> bool {
        let second = self.text(1);
        if !self.is_name(0) || self.kind(1) != Some(TokenKind::Word) {
            return false;
        }
        let ends = |text: &str| matches!(text, "." | "(" | "," | "") || words::is_keyword(text);
        words::STATEMENTS.contains(&second)
            || (like_a_statement(self.matched, &self.range)
                && self.range.len() > 2
                && !words::is_keyword(second)
                && !matches!(second, "this" | "me" | "it")
                && !ends(self.text(2)))
    }

    /// `flag broken = false`, `number coins`: a type where what it is should be said.
    fn type_first(&self) -> Option<Diagnostic> {
        let (kept, ty) = match self.text(0) {
            "number" | "int" | "integer" => ("counter", "number"),
            "flag" | "bool" | "boolean" => ("mark", "flag"),
            "text" | "string" => ("mark", "text"),
            _ => return None,
        };
        if !self.is_name(1) || !matches!(self.text(2), "" | "=") {
            return None;
        }
        let value = if self.text(2) == "=" { format!(" = {}", self.text(3)) } else { String::new() };
        let written = format!("{kept} {}: {ty}{value}", self.text(1));
        let found =
            self.found(0, format!("the type of `{}` stands behind it", self.text(1)), format!("write `{written}`"));
        Some(found.mend(self.stretch(0, self.range.len().min(4) - 1), written))
    }

    /// `cost: number` in a kind
    fn member(&self) -> Option<Diagnostic> {
        if let Some(found) = self.type_first() {
            return Some(found);
        }
        if !self.is_name(0) || self.text(1) != ":" {
            return None;
        }
        let end = (3..self.range.len()).find(|at| self.text(at + 1) == ":").unwrap_or(self.range.len());
        let (name, whole) = (self.text(0), self.source(self.range.start..self.range.start + end));
        let counted = self.text(2) == "number" || self.kind(2) == Some(TokenKind::Number);
        let kept = if counted { "counter" } else { "mark" };
        let message = format!("`{name}` does not say what it is");
        // What nobody prints on: the player and the game themselves.
        if matches!(self.kind_around(), Some("player" | "game")) {
            let before = Span { end: self.stretch(0, 0).start, ..self.stretch(0, 0) };
            let found = self.found(0, message, format!("write `{kept} {whole}`"));
            return Some(found.mend(before, format!("{kept} ")));
        }
        let help = format!("write `field {whole}` for what is printed, `{kept} {whole}` for what changes in play");
        Some(self.found(0, message, help))
    }
}
