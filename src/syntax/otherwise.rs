//! What is written in the place of wordings that read well in English: advice on the token that did not fit.

use super::grammar::Rule;
use super::lex::TokenKind;
use super::message::{Place, is_name};
use super::words;

/// Whether a word is a type of which there can be one for each value of an enum.
fn is_type(word: &str) -> bool {
    matches!(word, "number" | "flag" | "text")
}

/// How far back is looked for what begins something.
const MOST_BACK: usize = 16;

impl Place<'_> {
    /// The type of a property, which stands so many tokens ahead, for each of a key that does, too: `0..9 per hue`.
    pub(super) fn kept_for_each(&self, key: usize, ty: usize) -> String {
        let range = if self.text(ty + 1) == ".." { self.text(ty + 2) } else { "" };
        let dots = if range.is_empty() { "" } else { ".." };
        let from = if self.matched.kind(self.found + key) == Some(TokenKind::Number) { "1.." } else { "" };
        format!("{}{dots}{range} per {from}{}", self.text(ty), self.text(key))
    }

    /// `modify might of this.holder +1`
    fn adds_without_by(&self) -> bool {
        let by = |back| matches!(self.before(back), "by" | "to");
        matches!(self.before(2), "+" | "-") && !(3..MOST_BACK).take_while(|back| self.before(*back) != "modify").any(by)
    }

    /// What is written in the place of a wording that reads well in English.
    pub(super) fn said_otherwise(&self, first: &str) -> Option<String> {
        let (found, before) = (self.text(0), self.before(1));
        let number = self.found.checked_sub(1).is_some_and(|at| self.matched.kind(at) == Some(TokenKind::Number));
        let text = before.starts_with('"');
        let compares = |text: &str| matches!(text, "<" | ">" | "<=" | ">=" | "=" | "!=");
        let help = match (before, found) {
            ("sort", _) if is_name(found) || found == "(" => {
                format!("the members of a set in order are `{found} sorted by F`, as in `hand sorted by cost`")
            }
            ("instead" | "before" | "after" | "cannot", "of") => {
                format!("leave `of` out: `{before} {} ...`", self.text(1))
            }
            ("other" | "another", _) if is_name(found) => {
                format!("a set without somebody is written `S - x`: `{found} - this`, `players - me`")
            }
            ("player" | "seat", _) if self.matched.kind(self.found) == Some(TokenKind::Number) => {
                format!("a player of a number is `seat({found})`")
            }
            (_, "by") if first == "modify" && self.before(2) == "modify" => {
                format!("say whose it is: `modify {before} of me by {}`, or `of` a kind or set", self.text(1))
            }
            (_, ".") if first == "modify" && self.before(2) == "modify" => {
                format!("whose it is stands behind it: `modify {} of {before} by ...`", self.text(1))
            }
            (_, _) if first == "modify" && number && self.adds_without_by() => {
                let sign = if self.before(2) == "-" { "-" } else { "" };
                format!("how much is added stands behind `by`: `by {sign}{before}`")
            }
            ("action", "{") => "the actions stand side by side: `choose action a, b`".to_owned(),
            ("one", "of") if first == "choose" => {
                "write `choose action a, b` for actions, `choose c in S` for one of a set".to_owned()
            }
            ("legal" | "illegal" | "play", _) if is_name(found) => {
                format!("what is chosen stands in quotes: `{before} \"{found} ...\"`")
            }
            (_, "then") if words::STEPS.contains(&self.text(1)) => {
                "steps follow each other: leave `then` out".to_owned()
            }
            ("top" | "bottom", "of") => format!("the place stands behind the zone: `to {} {before}`", self.text(1)),
            ("is", _) if self.matched.kind(self.found) == Some(TokenKind::Number) => {
                format!("values are compared with `=`: `= {found}`")
            }
            (_, "contains" | "includes") => "whether something is in a set is asked the other way: `c in S`".to_owned(),
            ("or" | "and", _) if compares(found) => match self.compared_before() {
                Some(path) => format!("each side is a whole comparison: write `{before} {path} {found} {}`", self.text(1)),
                None => "each side is a whole comparison: `n > 3 and n < 7`".to_owned(),
            },
            (_, "+") if text => "values stand within the text, in braces: `\"{me} has {me.coins}\"`".to_owned(),
            (_, _) if first == "move" && number && is_name(found) => {
                format!("so many cards are taken from a pile with `top`: `move top(deck, {before}) to ...`")
            }
            ("=", "<" | ">") => format!("at least and at most are `>=` and `<=`: write `{found}=`"),
            ("<", ">") | (_, "isnt") => "what is not the same is asked with `!=`".to_owned(),
            ("one" | "any", "of") if self.before(2) == "is" => "write `is in [a, b]`".to_owned(),
            ("either" | "neither" | "any", _) if self.before(2) == "is" => "write `is in [a, b]`".to_owned(),
            ("roll" | "random", _) if first != before => {
                format!(
                    "chance is a statement: `{before} d in {}`, and `d` is what comes of it",
                    if number { "SET" } else { "1..6" }
                )
            }
            ("any", "(") => "write `some SET`, with a condition `some (SET where COND)`".to_owned(),
            ("all", "(") => "write `every SET meets COND`".to_owned(),
            ("all", _) if first == "move" && is_name(found) => format!("leave `all` out: `move {found} ...`"),
            ("all", _) if first == "move" => "a zone means all that lies in it: `move me.hand to ...`".to_owned(),
            ("number", "of") if first == "choose" => "write `choose any cs in ...`".to_owned(),
            ("yes", "or") => "what is answered with yes or no is `may \"...?\" do { ... }`".to_owned(),
            (_, "{") if text && matches!(first, "may" | "must") => format!("write `{first} {before} do {{ ... }}`"),
            ("player" | "players", _) if first == "each" && words::STATEMENTS.contains(&found) => {
                format!("write `each p in players {{ {found} ... }}`")
            }
            ("opponent" | "opponents", _) if first == "each" && words::STATEMENTS.contains(&found) => {
                format!("write `each p in opponents {{ {found} ... }}`")
            }
            ("win" | "lose", _) if first == before => format!("say who: `{before} me`"),
            ("the", "game") => "write `end game`".to_owned(),
            (_, "with") if first == "create" => {
                format!("several values stand behind one `with`: `with ..., {} = ...`", self.text(1))
            }
            (_, "to") if first == "set" => "write `set ... = ...`".to_owned(),
            ("player" | "players", "with") => "write `players having most ...`, or `players where ...`".to_owned(),
            (_, "descending" | "desc") => "from the largest on is `sorted by n down`".to_owned(),
            (_, "ascending" | "asc") => "leave it out: `sorted by n` begins with the smallest".to_owned(),
            (_, ":") if text && first == "choose" && self.text(1) == "{" => {
                format!("leave the `:` out: `{before} {{ ... }}`")
            }
            (_, "or") if text && first == "choose" => {
                format!("a choice between texts is `choose option {{ {before} {{ ... }} {} {{ ... }} }}`", self.text(1))
            }
            (_, ":" | "option") if text && first == "choose" => {
                format!(
                    "the options stand in braces: `choose option {before} {{ \"yes\" {{ ... }} \"no\" {{ ... }} }}`"
                )
            }
            (_, "mod" | "modulo") => "the rest of a division is `a % b`".to_owned(),
            (_, "div") => "a division leaves the rest out: `a / b`".to_owned(),
            (_, "{") if text && first == "choose" => {
                format!("a choice between texts is `choose option {before} {{ ... }}`")
            }
            (_, _) if text && first == "choose" && found.starts_with('"') => {
                format!("a choice between texts is `choose option {before} {{ {found} {{ ... }} ... }}`")
            }
            (_, "game") if matches!(self.text(1), "over" | "ends" | "end" | "ended") => {
                "`end game` ends it for its scores; `win me`, `lose me` and `draw game` say who wins".to_owned()
            }
            ("becomes", "if") => "an `if` stands in brackets here: `... becomes (if a then b else c)`".to_owned(),
            ("(", _) if first == "verb" => {
                format!("the parameters of a verb stand without brackets: `verb f {found}: TYPE {{ ... }}`")
            }
            ("of", "the") => format!("leave it out: `of {}`", self.text(1)),
            ("times", "as") => format!("a loop that counts is written `each {} in 1..n {{ ... }}`", self.text(1)),
            ("may" | "must", "if") => "write `if COND { may ... }`".to_owned(),
            ("cannot" | "after" | "before" | "instead", "if" | "when") => {
                format!(
                    "write `{before} VERB c where COND`; what acts as soon as something holds is `becomes COND {{ ... }}`"
                )
            }
            (_, "when" | "if") if matches!(first, "cannot" | "after" | "before" | "instead" | "may" | "next") => {
                "the condition of a clause stands behind `where`".to_owned()
            }
            (",", _) if self.is_setting() => "nothing separates settings: leave the comma out".to_owned(),
            (":", "{") if self.text(2) == ":" => {
                "the values of a table stand in brackets, each before its key, `[1 red, 2 blue]`; its type is `number per KEY`"
                    .to_owned()
            }
            ("sees", "not") => "what is not seen stands behind `no`: `sees no \"...\"`".to_owned(),
            (_, "of") if first == "expect" && self.before(2) == "count" => {
                format!("whose it is stands before it, with a dot: `count {}.{before}`", self.source_behind(1))
            }
            ("game", "over" | "ends" | "ended") if first == "expect" => "write `expect over`".to_owned(),
            ("round", _) if first == "expect" && self.matched.kind(self.found) == Some(TokenKind::Number) => {
                format!("values are compared with `=`: `round = {found}`")
            }
            (_, _) if first == "expect" && number && self.before(2) == "has" && is_name(found) => {
                format!("how many somebody has is a comparison: `{}.{found} = {before}`", self.path_before(3))
            }
            (_, _) if first == "play" && text => "each `play` is one choice, and several stand below each other".to_owned(),
            ("else", _) if words::STATEMENTS.contains(&found) => {
                format!("what is done otherwise stands in a block, too: `else {{ {found} ... }}`")
            }
            (_, "until") if first == "choose" => {
                "until when turns or a loop go on stands in their head: `turns NAME from P until COND { ... }`, `repeat until COND { ... }`"
                    .to_owned()
            }
            (_, ":") if text && matches!(first, "ensure" | "requires") => {
                format!("the reason stands behind the condition: `{first} COND {before}`")
            }
            (_, "{") if first == "define" && self.is_if_of_a_value() => {
                "a value with `if` is `if COND then A else B`, without braces".to_owned()
            }
            (_, "on") if first == "create" => format!("where it is made stands behind `at`: `create {before} at ...`"),
            (")", "at") if first == "create" => {
                "what it begins with stands behind the place: `create KIND at PLACE with NAME = VALUE`".to_owned()
            }
            (")", "-") if first == "define" && self.text(1) == ">" => {
                format!("what it gives stands behind a `:`: `: {}`", self.text(2))
            }
            (_, "=") if first == "enum" => format!("its values stand in braces: `enum {before} {{ ... }}`"),
            ("]", "=") if self.before(3) == "[" && is_name(self.before(2)) && is_type(self.before(4)) => {
                format!("one for each value of an enum is `{} per {}`", self.before(4), self.before(2))
            }
            (_, ":") if matches!(self.before(2), "[" | ",") && self.matched.kind(self.found + 1) == Some(TokenKind::Number) => {
                format!("each value stands before its key: `[{} {before}, ...]`", self.text(1))
            }
            (_, _) if text && first == "create" && self.before(2) == "create" => {
                format!("the kind stands before the name: `create KIND {before} ...`")
            }
            (_, "for") if first == "do" => "who does it stands behind `by`: `do c.use by p`".to_owned(),
            (_, "by") if first == "choose" => {
                format!("who chooses stands before what is chosen: `choose by {} ...`", self.text(1))
            }
            (_, "of") if first == "move" => {
                format!("whose zone it is stands before it, with a dot: `to {}.{before}`", self.source_behind(1))
            }
            ("]", "=") if first == "define" && self.before(3) == "[" => {
                format!("several are a `list of {0}`, or a `set of {0}` where their order does not count", self.before(2))
            }
            ("]", "=") if first == "option" => "its values are a range, `2..9`, or an enum".to_owned(),
            ("a" | "an" | "the", "empty") if first == "choose" => {
                "what is chosen has a name, and stands in a set: `choose s in empty(BOARD)`".to_owned()
            }
            (_, ":") if first == "choose" && self.before(2) == "choose" => {
                format!("what is chosen needs no type: `choose {before} in {}`", self.text(1))
            }
            (_, "while") => "a loop is written `repeat while COND { ... }`".to_owned(),
            _ => return None,
        };
        Some(help)
    }

    /// The path that begins some tokens behind, as it is written: `seat(1)`.
    fn source_behind(&self, ahead: usize) -> String {
        let (from, mut to) = (self.found + ahead, self.found + ahead);
        loop {
            match self.matched.text(to + 1) {
                "." => to += 2,
                "(" | "[" => match self.matched.ends.get(to + 1).copied().flatten() {
                    Some(end) => to = end - 1,
                    None => break,
                },
                _ => break,
            }
        }
        self.written(from, to)
    }

    /// The path that ends some tokens before.
    fn path_before(&self, back: usize) -> String {
        let Some(last) = self.found.checked_sub(back) else { return "...".to_owned() };
        let mut from = last;
        loop {
            let opened = (0..from).rev().find(|at| self.matched.ends.get(*at).copied().flatten() == Some(from + 1));
            from = match opened {
                Some(open) if matches!(self.matched.text(from), ")" | "]") && open > 0 => open - 1,
                _ if from >= 2 && self.matched.text(from - 1) == "." => from - 2,
                _ => break,
            };
        }
        self.written(from, last)
    }

    fn written(&self, from: usize, to: usize) -> String {
        let span = self.matched.span(from).to(self.matched.span(to));
        self.matched.source.get(span.start as usize..span.end as usize).unwrap_or("...").to_owned()
    }

    /// Whether `play idle` lacks the quotes.
    pub(super) fn played_bare(&self, positives: &[Rule]) -> bool {
        self.before(2) == "play"
            && is_name(self.before(1))
            && self.before(1) != "mover"
            && positives.contains(&Rule::text)
    }

    /// Whether an `if` stands before, where its value is wanted.
    fn is_if_of_a_value(&self) -> bool {
        (2..24).map(|back| self.before(back)).take_while(|word| *word != "then").any(|word| word == "if")
    }

    /// Whether a setting or field begins here, with its `:`.
    pub(super) fn is_setting(&self) -> bool {
        self.before(1) == "," && self.text(1) == ":" && self.matched.kind(self.found) == Some(TokenKind::Word)
    }

    /// `me.coins >= 3 and < 8`: what is compared before the `and`.
    pub(super) fn compared_before(&self) -> Option<String> {
        let compares = |text: &str| matches!(text, "<" | ">" | "<=" | ">=" | "=" | "!=");
        if !matches!(self.before(1), "and" | "or") || !compares(self.text(0)) || !compares(self.before(3)) {
            return None;
        }
        let word = |back: usize| {
            let kind = self.found.checked_sub(back).and_then(|at| self.matched.kind(at));
            kind == Some(TokenKind::Word)
                && (is_name(self.before(back)) || matches!(self.before(back), "me" | "it" | "game"))
        };
        let mut from = 4;
        while word(from) && self.before(from + 1) == "." {
            from += 2;
        }
        let path: Vec<&str> = (4..=from).rev().map(|back| self.before(back)).collect();
        word(from).then(|| path.concat())
    }

    /// `final_count end game`, where `end` was taken for what the verb is called with.
    pub(super) fn called_before_end(&self) -> bool {
        let called = self.found.checked_sub(2).is_some_and(|at| self.matched.kind(at) == Some(TokenKind::Word));
        self.text(0) == "game" && self.before(1) == "end" && called && is_name(self.before(2))
    }
}
