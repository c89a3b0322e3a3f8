//! Turns what the grammar expected into words. Authors never read the name of a grammar rule.

use super::alphabet::index_of;
use super::conditions::{comprehension, enum_values, is_patched, signed, word_too_many};
use super::grammar::Rule;
use super::lex::TokenKind;
use super::recover::Body;
use super::split::Matched;
use super::words;
use crate::base::{Code, Diagnostic, Span, nearest};
use pest::error::{Error, ErrorVariant, InputLocation};
use std::ops::Range;

/// What could not be read, as one finding.
///
/// `range` is the stretch of tokens that was read, `piece` those of them that the grammar has seen.
pub(super) fn describe(
    error: &Error<Rule>,
    matched: &Matched<'_>,
    range: &Range<usize>,
    piece: &[usize],
    body: Body,
) -> Diagnostic {
    let at = match error.location {
        InputLocation::Pos(at) | InputLocation::Span((at, _)) => index_of(at),
    };
    let found = piece.get(at).copied().unwrap_or(range.end);
    let ErrorVariant::ParsingError { positives, .. } = &error.variant else {
        let whole = matched.span(range.start).to(matched.span(range.end.saturating_sub(1)));
        return Diagnostic::new(Code::TooMuchWork, whole, "this takes too much work to read")
            .help("split it into smaller parts");
    };
    // What lacks its end is at fault, and not the item or line behind it.
    let beyond = found >= range.end && range.end > range.start && matched.ends_before(found);
    let place = Place { matched, found };
    let wanted = wanted(positives, place.after_value());
    if let Some(finding) = word_too_many(matched, range, found, positives.contains(&Rule::k_then)) {
        return finding;
    }
    let value = positives.iter().any(|rule| is_expression(*rule)) && !place.after_value();
    let known = comprehension(matched, found).or_else(|| enum_values(matched, range, found));
    let known = known.or_else(|| signed(matched, found).filter(|_| value)).or_else(|| place.reserved(positives));
    if let Some(finding) = known {
        return finding;
    }
    let after = match found.checked_sub(1).map(|before| matched.text(before)) {
        Some(text) if found > range.start => format!(" after {}", shown(text)),
        _ => String::new(),
    };
    let seen = place.seen();
    let message = if wanted.is_empty() {
        format!("unexpected {}{after}", seen.trim_start_matches("the "))
    } else {
        match beyond {
            true => format!("expected {}{after}", join(&wanted)),
            false => format!("expected {}{after}, found {seen}", join(&wanted)),
        }
    };
    let span = if beyond && !wanted.is_empty() { matched.span(range.end - 1) } else { place.span() };
    let finding = Diagnostic::new(Code::Unexpected, span, message);
    let natural = place.said_otherwise(matched.text(range.start));
    let finding = match natural.or_else(|| place.advice(positives, range, body)) {
        Some(help) => finding.help(help),
        None => finding,
    };
    match place.mend(positives, matched.text(range.start)) {
        Some((span, text)) => finding.mend(span, text),
        None => finding,
    }
}

/// Words of scenarios that ask for a text.
const WORDS_BEFORE_TEXTS: &[&str] = &["sees", "asked", "legal", "illegal", "options", "because", "chance", "play"];

/// Settings of zones and boards that one value follows.
const SETTINGS: &[&str] =
    &["holds", "order", "seen", "limit", "refill", "refills", "starts", "inplay", "shape", "neighbours"];

/// Words with which the parts of the head of a `turns` begin.
const HEAD: &[&str] = &["from", "among", "next", "for", "until"];

/// A token that did not fit.
pub(super) struct Place<'a> {
    pub(super) matched: &'a Matched<'a>,
    pub(super) found: usize,
}

impl Place<'_> {
    pub(super) fn text(&self, ahead: usize) -> &str {
        self.matched.text(self.found + ahead)
    }

    pub(super) fn before(&self, back: usize) -> &str {
        self.found.checked_sub(back).map_or("", |index| self.matched.text(index))
    }

    /// Whether a value stands before the token, rather than a word that asks for something.
    fn after_value(&self) -> bool {
        let Some(before) = self.found.checked_sub(1) else { return false };
        let text = self.matched.text(before);
        match self.matched.kind(before) {
            Some(TokenKind::Number) => true,
            Some(TokenKind::Word) => !words::is_keyword(text) && !WORDS_BEFORE_TEXTS.contains(&text),
            _ => matches!(text, ")" | "]"),
        }
    }

    fn seen(&self) -> String {
        match self.matched.kind(self.found) {
            None => "the end of the file".to_owned(),
            Some(TokenKind::Word) if words::is_keyword(self.text(0)) => format!("the word `{}`", self.text(0)),
            Some(_) => shown(self.text(0)),
        }
    }

    fn span(&self) -> Span {
        match self.matched.kind(self.found) {
            Some(_) => self.matched.span(self.found),
            // The end of the file is shown at its last token.
            None => self.matched.span(self.matched.tokens.len().saturating_sub(1)),
        }
    }

    /// A reserved word where only a name can stand, or used like one.
    fn reserved(&self, positives: &[Rule]) -> Option<Diagnostic> {
        let text = self.text(0);
        if !words::is_reserved(text) || self.matched.kind(self.found) != Some(TokenKind::Word) {
            return None;
        }
        let only_names = positives.iter().all(|rule| matches!(rule, Rule::name | Rule::word))
            || (positives.contains(&Rule::name) && !positives.iter().any(|rule| is_expression(*rule)));
        let declared = matches!(
            self.before(1),
            "enum"
                | "kind"
                | "zone"
                | "board"
                | "define"
                | "verb"
                | "action"
                | "rule"
                | "script"
                | "look"
                | "field"
                | "counter"
                | "mark"
                | "stat"
                | "let"
                | "each"
                | "phase"
                | "turns"
                | "roll"
                | "random"
        );
        let chosen = self.text(1) == "in" && !positives.iter().any(|rule| is_expression(*rule));
        let like_a_name = self.text(1) == ":" || self.text(1) == "=" && !is_word_before_equals(text) || chosen;
        if !(only_names || declared || like_a_name) || self.before(1) == ":" || words::CHANGES.contains(&self.before(1))
        {
            return None;
        }
        let finding = Diagnostic::new(
            Code::ReservedWord,
            self.span(),
            format!("`{text}` is a reserved word and cannot be a name"),
        );
        if self.before(1) == "turns" && HEAD.contains(&text) {
            let message = format!("`turns` has a name, and `{text}` stands behind it");
            let help = format!("the name is what a turn is called: `turns turn {text} ...`");
            let before = Span { end: self.span().start, ..self.span() };
            return Some(Diagnostic::new(Code::Unexpected, self.span(), message).help(help).mend(before, "turn "));
        }
        let another = format!("choose another name, such as `{text}_`, which players read as `{text}`");
        let help = match self.before(1) {
            "." if matches!(text, "where" | "having") => {
                format!("it stands behind the set, without dot: `S {text} ...`; as a name, {another}")
            }
            "." if text == "count" => format!("how many there are is `count S`; as a name, {another}"),
            _ => another,
        };
        Some(finding.note("this word is taken").help(help))
    }

    /// Whether `in` is missing behind the name that a statement brings.
    fn awaits_in(&self, positives: &[Rule], range: &Range<usize>) -> bool {
        positives.contains(&Rule::k_in)
            && matches!(self.matched.text(range.start), "choose" | "each" | "roll" | "random")
            && self.found.checked_sub(1).is_some_and(|before| self.matched.kind(before) == Some(TokenKind::Word))
            && !words::is_keyword(self.before(1))
    }

    /// Whether types in brackets stand behind `test` or `amount`, where parameters should.
    fn asks_of_types(&self) -> bool {
        let behind = (2..16).find(|back| self.before(*back) == "(");
        self.before(1) == ")" && behind.is_some_and(|back| matches!(self.before(back + 1), "test" | "amount"))
    }

    /// Whether the name of a card stands without quotes behind its kind: `peon Big`.
    fn names_a_card(&self, positives: &[Rule]) -> bool {
        let kind = self.found.checked_sub(1).and_then(|before| self.matched.kind(before));
        positives.contains(&Rule::text)
            && kind == Some(TokenKind::Word)
            && is_name(self.before(1))
            && self.matched.kind(self.found) == Some(TokenKind::Word)
            && self.text(0).starts_with(|letter: char| letter.is_ascii_uppercase())
    }

    /// Whether a comma stands behind one of several values of a field: `traits: eager, aloft`.
    fn goes_on_listing(&self) -> bool {
        let of_field = self.before(2) == ":" || self.before(3) == ":";
        of_field && self.text(1) != "}" && !matches!(self.text(2), ":" | "{")
    }

    /// Whether a comma stands behind the value of something that has one: `define ways: set of direction = north, south`.
    fn lists_values(&self, first: &str) -> bool {
        let valued = matches!(first, "define" | "mark" | "counter" | "stat" | "field" | "option" | "let" | "set");
        let next = self.text(1);
        let another =
            words::STATEMENTS.contains(&next) || words::KEPT.contains(&next) || matches!(self.text(2), "=" | ":");
        valued && self.before(2) == "=" && !another
    }

    /// Whether a parameter has its type before its name: `f(player p)`.
    fn typed_first(&self, first: &str) -> bool {
        let alone = matches!(self.before(2), "(" | ",") && matches!(self.text(1), ")" | ",");
        (alone || first == "verb" && self.text(1) != ":") && is_name(self.text(0))
    }

    /// The place of the token with the blank behind it.
    fn without(&self) -> Span {
        let end =
            self.matched.kind(self.found + 1).map_or(self.span().end, |_| self.matched.span(self.found + 1).start);
        Span { end, ..self.span() }
    }

    /// What is put in the place of signs of other languages, or of one too many: nothing else can have been meant.
    fn mend(&self, positives: &[Rule], first: &str) -> Option<(Span, String)> {
        if let Some(path) = self.compared_before() {
            return Some((Span { end: self.span().start, ..self.span() }, format!("{path} ")));
        }
        if self.called_before_end() {
            let verb = self.matched.span(self.found - 2);
            return Some((Span { start: verb.end, ..verb }, "()".to_owned()));
        }
        if self.text(0) == "or" && self.text(1) == "nothing" && is_name(self.before(1)) {
            let whole = self.matched.span(self.found - 1).to(self.matched.span(self.found + 1));
            return Some((whole, format!("maybe of {}", self.before(1))));
        }
        if self.text(0) == "else" && self.before(2) == "choose" && first == "choose" {
            let name = self.matched.span(self.found - 1);
            return Some((Span { end: name.start, ..name }, "action ".to_owned()));
        }
        if self.played_bare(positives) {
            return Some((self.matched.span(self.found - 1), format!("\"{}\"", self.before(1))));
        }
        let over = positives.contains(&Rule::EOI);
        let both = || self.found.checked_sub(1).map(|before| self.matched.span(before).to(self.span()));
        let (span, text) = match (self.before(1), self.text(0)) {
            ("=", "=") => Some((both()?, "=")),
            ("&", "&") => Some((both()?, "and")),
            ("<", ">") => Some((both()?, "!=")),
            ("=", ">") => Some((both()?, ">=")),
            ("=", "<") => Some((both()?, "<=")),
            (_, ",") if (over || first == "enum") && !self.goes_on_listing() && !self.lists_values(first) => {
                Some((self.span(), ""))
            }
            (":", "{") if self.text(2) != ":" => Some((both()?, " {")),
            ("instead" | "before" | "after" | "cannot", "of") => Some((self.without(), "")),
            (_, "then") if words::STEPS.contains(&self.text(1)) => Some((self.without(), "")),
            ("one", "of") if first == "choose" && self.text(2) == "," => Some((both()?, "action")),
            (_, ":") if first == "create" && positives.contains(&Rule::equals) => Some((self.span(), " =")),
            // `choose action a or b`
            (before, "or") if first == "choose" && is_name(before) && is_name(self.text(1)) && over => {
                Some((Span { start: self.matched.span(self.found - 1).end, ..self.span() }, ","))
            }
            // `choose "Which?" { "a" { } }`
            (before, "{")
                if first == "choose"
                    && before.starts_with('"')
                    && self.before(2) == "choose"
                    && self.text(1).starts_with('"') =>
            {
                let text = self.matched.span(self.found - 1);
                Some((Span { end: text.start, ..text }, "option "))
            }
            // `choose option { "a": { } }`
            (before, ":") if first == "choose" && before.starts_with('"') && self.text(1) == "{" => {
                Some((self.span(), ""))
            }
            (before, "to") if positives.contains(&Rule::dotdot) && before != ".." => {
                let from = self.found.checked_sub(1).map_or(self.span(), |at| self.matched.span(at));
                let next = self.matched.kind(self.found + 1).map(|_| self.matched.span(self.found + 1).start);
                Some((Span { start: from.end, end: next?, ..from }, ".."))
            }
            ("otherwise", "{") => Some((both()?, "else {")),
            // `enum hue: { red blue }`
            (_, ":") if first == "enum" && self.text(1) == "{" => Some((self.span(), "")),
            // `after grow() { ... }`
            (_, "(") if words::CLAUSES.contains(&first) && self.text(1) == ")" => {
                Some((self.span().to(self.matched.span(self.found + 1)), ""))
            }
            ("all", name) if first == "move" && is_name(name) => {
                let all = self.matched.span(self.found - 1);
                Some((Span { end: self.span().start, ..all }, ""))
            }
            // `zone deck { holds: tile, order: pile }`
            (",", _) if self.is_setting() => Some((self.matched.span(self.found - 1), "")),
            _ => None,
        }?;
        Some((span, text.to_owned()))
    }

    fn advice(&self, positives: &[Rule], range: &Range<usize>, body: Body) -> Option<String> {
        let (found, before) = (self.text(0), self.before(1));
        let first = self.matched.text(range.start);
        let sort = self.matched.text(range.start + 1);
        let over = positives.contains(&Rule::EOI);
        let second = range.start + 1 == self.found;
        let help = match found {
            "else" | "," if first == "choose" && self.awaits_in(positives, range) && self.before(2) == "choose" => {
                format!("what is chosen between are actions: `choose action {before}{} {} ...`", if found == "," { "," } else { " else" }, self.text(1))
            }
            "{" if before == "otherwise" => "write `else { ... }`".to_owned(),
            "(" if words::CLAUSES.contains(&first) && self.text(1) == ")" => format!("a pattern has no brackets: `{first} {before} {{ ... }}`"),
            "game" if self.called_before_end() => {
                format!("a verb without a value behind it has brackets before another statement: `{}()  end game`", self.before(2))
            }
            "or" if self.text(1) == "nothing" => format!("what may be missing is `maybe of {before}`"),
            ":" if second_of_enum(first, self.found, range) => "leave the `:` out: `enum hue { red blue }`".to_owned(),
            "[" if words::KEPT.contains(&first) && positives.contains(&Rule::colon) => {
                format!("one for each of a range or enum is `{first} {before}: {}`", self.kept_for_each(1, 4))
            }
            _ if body == Body::Props && words::is_reserved(found) && SETTINGS.contains(&before) => {
                format!("the value of a setting stands behind a `:`: `{before}: {}`", self.text(1))
            }
            _ if first == "create" && before == "*" && found.starts_with('"') => {
                format!("the kind stands before the name: `* KIND {found}`")
            }
            _ if self.played_bare(positives) => format!("what is chosen stands in quotes: `play \"{before}\"`"),
            _ if self.names_a_card(positives) && matches!(self.before(2), "is" | "not") => {
                format!("a name stands in quotes behind its kind: `{} KIND \"{before} {found}\"`", self.before(2))
            }
            _ if self.names_a_card(positives) => {
                format!("the name of a card stands in quotes: `{before} \"{found}\"`")
            }
            "having" | "where" | "sorted" if !over && positives.iter().any(|rule| is_expression(*rule)) => {
                format!("the set comes first: `S {found} ...`")
            }
            _ if before == "do" && matches!(first, "may" | "must") && words::STATEMENTS.contains(&found) => {
                format!("write `do {{ {found} ... }}`")
            }
            _ if before == "do" && words::STATEMENTS.contains(&found) => {
                format!(
                    "`do` is for the effects of cards, as in `do c.use`: a statement needs none, write `{found} ...`"
                )
            }
            _ if first == "patch" && matches!(before, "exactly" | "up") => {
                "of how many the number alone is exchanged, `2 becomes 3`, or the whole statement in braces".to_owned()
            }
            _ if first == "patch" && before == "no" && is_name(found) && positives.contains(&Rule::colon)
                || first == "patch" && self.before(2) == "no" && sort == "window" =>
            {
                format!("of a `{sort}` nothing is taken away: give another value, or write `replace {sort}` and the whole of it")
            }
            _ if first == "patch" && sort == "window" && before == "{" => {
                "actions are added by their names, and `silent COND` is exchanged; anything else by a piece, `a < 5 becomes a < 4`".to_owned()
            }
            "if" if first == "patch" && before == "{" && (self.found..range.end).any(|at| self.matched.text(at) == "then") => {
                "an expression with `if` stands in brackets: `(if a then b else c) becomes d`".to_owned()
            }
            _ if first == "patch" && before == "{" && words::STATEMENTS.contains(&found) => {
                format!("say what stands there and what is to: `{{ note \"a\" }} becomes {{ note \"b\" }}`; or write `replace {sort}` and the whole of it")
            }
            "for" | "among" | "next" | "until" | "from" if first == "patch" => {
                format!("other parts of a `turns` are exchanged by its name: `patch turns NAME {{ {found} ... }}`")
            }
            _ if positives.contains(&Rule::turns_part) => match did_you_mean(found, HEAD) {
                Some(help) => format!("{help} the parts of the head are `from`, `among`, `next`, `for` and `until`"),
                None => "the parts of the head are `from`, `among`, `next`, `for` and `until`; `no until` takes one away"
                    .to_owned(),
            },
            _ if positives.contains(&Rule::k_becomes) && first == "patch" => {
                format!(
                    "say what stands there and what is to: `a < 5 becomes a < 4`; or write `replace {sort}` and the whole of it"
                )
            }
            _ if before == "." && matches!(found, "count" | "sum" | "max" | "min") => {
                let of = if found == "count" { "count ..." } else { "sum F of ..." };
                format!("`{found}` stands before what it is about: `{}`", of.replace("sum", found))
            }
            "to" if positives.contains(&Rule::dotdot) => format!("a range has two dots: `{before}..{}`", self.text(1)),
            _ if positives.contains(&Rule::dotdot) && self.before(2) == ":" && matches!(found, "}" | "=") => {
                format!("a type is a range, and it begins at `=`: `{}: 0..9 = {before}`", self.before(3))
            }
            _ if positives.contains(&Rule::dotdot) && self.asks_of_types() => {
                "the parameters of a test or amount have names: `amount(c: tool)`".to_owned()
            }
            _ if over && matches!(before, "set" | "list" | "maybe") && is_name(found) => {
                format!("write `{before} of {found}`")
            }
            "=" if before == "=" => "a comparison is written with one `=`".to_owned(),
            "=" if matches!(before, "+" | "-") => "write `increase x by n` or `decrease x by n`".to_owned(),
            "=" if over => format!("to change a value, write `set {before} = ...`"),
            "." if over && second && self.matched.declares("verb", self.text(1)) => {
                format!("a verb stands before what it acts on: `{} ...`, and who it is for behind a word such as `for`", self.text(1))
            }
            "." if over && second => format!("an effect is done by `do c.use`; a value is changed by `set {before}.{} = ...`", self.text(1)),
            "=" if positives.contains(&Rule::colon) => {
                let ty = match self.text(1) {
                    "true" | "false" => "flag",
                    text if text.starts_with('"') => "text",
                    _ => "number",
                };
                format!("say its type: `{before}: {ty} = {}`", self.text(1))
            }
 _ if positives.contains(&Rule::dotdot) && self.before(2) == "-" => {
                format!("a range has two dots: `{}..{before}`", self.before(3))
            }
            _ if matches!(first, "define" | "verb")
                && positives.contains(&Rule::colon)
                && (matches!(found, ")" | "," | "{") || words::is_reserved(found)) =>
            {
                format!("say what it is: `{before}: player`, `{before}: number`, `{before}: site`, or a kind")
            }
            _ if matches!(first, "zone" | "board") && positives.contains(&Rule::k_per) && found != "{" => {
                match found {
                    "[" | "(" if self.matched.kind(self.found + 1) == Some(TokenKind::Number) => {
                        format!("one for each of a range or enum is `{first} {before} per 1..{} {{ ... }}`", self.text(1))
                    }
                    "[" | "(" => format!("one for each of a range or enum is `{first} {before} per {} {{ ... }}`", self.text(1)),
                    "for" | "each" | "every" | "of" | "player" => {
                        format!("one for each player is `{first} {before} per player {{ ... }}`")
                    }
                    _ if first == "board" => {
                        format!("its settings stand in braces: `board {before} {{ shape: square 8 8 }}`")
                    }
                    _ => format!("its settings stand in braces: `zone {before} {{ holds: KIND  order: pile }}`"),
                }
            }
            _ if first == "kind" && second_of_kind(found) && self.found == range.start + 2 => {
                format!("write `kind {before} : {}`", self.text(1))
            }
            "{" if first == "kind" && self.found == range.start + 2 => {
                format!("say what it is, a card, a piece or another kind: `kind {before} : piece {{ ... }}`")
            }
            ":" if first == "create" && positives.contains(&Rule::equals) => format!("write `{before} = {}`", self.text(1)),
            _ if positives.contains(&Rule::equals) && matches!(first, "create" | "set") && !words::is_keyword(found) => {
                format!("write `{before} = {found}`")
            }
            "{" if before == "turns" && second => "say what a turn is called and whose is the first: `turns turn from seat(1) { ... }`".to_owned(),
            _ if first == "verb" && (self.text(1) == ":" || found == "," && self.text(2) == ":") => {
                let name = if found == "," { self.text(1) } else { found };
                format!("each parameter behind the first has a word before it, such as `with`, `to`, `from`, `for`: `... with {name}: TYPE`")
            }
            _ if positives.contains(&Rule::colon) && self.typed_first(first) => {
                let ty = match before {
                    "int" | "integer" | "float" => "number",
                    "bool" | "boolean" => "flag",
                    "string" | "str" => "text",
                    ty => ty,
                };
                format!("the type stands behind the name: `{found}: {ty}`")
            }
            "{" if self.before(2) == "patch" && self.found == range.start + 2 && positives.contains(&Rule::text) => {
                format!(
                    "a kind itself is changed by `patch kind {before} {{ ... }}`, one of its cards by `patch {before} \"Name\" {{ ... }}`"
                )
            }
            "script" | "link" if before == "patch" => {
                format!("it has no parts to be changed one by one: write `replace {found}` and the whole of it")
            }
            "player" | "game" if before == "replace" => format!("write `patch {found} {{ ... }}`"),
            "player" | "game" | "flow" if before == "remove" => {
                format!(
                    "a game has its `{found}`: `{}` can change it",
                    if found == "flow" { "replace" } else { "patch" }
                )
            }
            _ if first == "choose" && matches!(found, "or" | "and" | "then") => {
                "actions are separated by commas: `choose action a, b`".to_owned()
            }
            _ if first == "enum" && found.starts_with('"') => {
                format!("the values of an enum are names, side by side: `{}`", found.trim_matches('"'))
            }
            _ if positives.contains(&Rule::k_of) && is_operator(found) => {
                "what is added up or gathered stands in brackets if it is worked out: `sum (2 * cost) of S`".to_owned()
            }
            _ if self.awaits_in(positives, range) && self.text(1) == "in" && self.before(2) == first => {
                format!("what is chosen needs no type: `{first} {found} in ...`")
            }
            _ if self.awaits_in(positives, range) && words::is_keyword(found) => {
                format!("write `in` before what is chosen from: `{first} {before} in ...`")
            }
            _ if self.awaits_in(positives, range) => format!("write `{first} {before} in {found} ...`"),
            _ if body == Body::Fields && words::STATEMENTS.contains(&found) && over => {
                format!("statements stand in a field of the type `effect`: `use {{ {found} ... }}`")
            }
            "{" if first == "define" => {
                "a definition gives one value: `define f(n: number): number = n + 1`; what does something is a `verb`"
                    .to_owned()
            }
            _ if positives.contains(&Rule::k_then) => "a value with `if` is `if COND then A else B`".to_owned(),
            _ if positives.contains(&Rule::k_else) && first != "if" => {
                "a value needs one for each case: `if a then b else c`".to_owned()
            }
            "," if first == "enum" => "the values of an enum stand side by side, without commas".to_owned(),
            "&" if before == "&" => "write `and`".to_owned(),
            _ if first == "choose" && found.starts_with('"') && before == "}" => {
                "the prompt of `choose option` stands before its `{`".to_owned()
            }
            _ if first == "choose" && found.starts_with('"') && before == "action" => {
                "the prompt of `choose action` stands behind the actions".to_owned()
            }
            "else" => "`else` follows the `}` of an `if` or of `do`, a list of actions, or a value: \
                       within another that one stands in brackets, `(x else y)`"
                .to_owned(),
            "then" if first == "if" => "an `if` statement has a block: `if a { ... } else { ... }`".to_owned(),
            ":" if positives.contains(&Rule::lbrace) && words::STATEMENTS.contains(&first) => {
                "what is done stands in a block: `{ ... }`".to_owned()
            }
            "{" if before == ":" => "an effect has no `:` before its block".to_owned(),
            _ if first == "choose" && self.matched.kind(self.found.wrapping_sub(1)) == Some(TokenKind::Number) => {
                format!("write `exactly {before}`, `up to {before}`, or the least and the most as in `2 to 4`")
            }
            "," if body == Body::Fields && self.goes_on_listing() => {
                "several values of a field stand in brackets: `[a, b]`".to_owned()
            }
            "on" | "at" | "when" | "whenever" | "end" | "start" | "each" | "upon"
                if body == Body::Fields || positives.contains(&Rule::clause) =>
            {
                "a clause that waits begins with `after`, `before` or `instead`: `after VERB c { ... }`, `after start of turn { ... }`"
                    .to_owned()
            }
            "of" if first == "modify" && body != Body::Fields => {
                "what modifies for a while is armed: `arm until end of turn { modify ... }`".to_owned()
            }
            "," if over && self.lists_values(first) => {
                format!("several values stand in brackets: `[{before}, {}]`", self.text(1))
            }
            "," if over => "nothing separates fields and statements: leave the comma out".to_owned(),
            "}" if first == "patch" && positives.contains(&Rule::lbrace) => {
                "what is exchanged is whole: an `if` with its block, or its condition alone, `a < 5 becomes a < 4`".to_owned()
            }
            "if" if begins_part(positives) && is_patched(self.matched, self.found) => {
                "a condition is exchanged without `if`, as in `a < 5 becomes a < 4`; whole statements stand in braces: `{ if a < 5 { ... } } becomes { ... }`".to_owned()
            }
            "if" if positives.contains(&Rule::clause) => {
                "statements stand in a clause: `after VERB c { if ... }`; what acts as soon as something holds is `becomes COND { ... }`".to_owned()
            }
            "if" if begins_part(positives) => "statements stand in a field of the type `effect`: `use { if ... }`".to_owned(),
            "}" | "{" | ")" | "]" | "," => return None,
            _ if body == Body::Fields && second && is_name(found) => {
                format!("write `{before}: {found}`, or `{before} {{ {found} }}` if it is of the type `effect`")
            }
            "per" if words::KEPT.contains(&first) && positives.contains(&Rule::colon) => {
                format!("its type stands first: `{first} {before}: {}`", self.kept_for_each(1, 3))
            }
            _ if positives.contains(&Rule::colon)
                && !words::is_reserved(found)
                && !matches!(self.matched.kind(self.found), Some(TokenKind::Symbol) | None) =>
            {
                format!("write `{before}: {found}`")
            }
            "forbid" | "forbids" | "prevent" | "prohibit" | "disallow" | "deny" if positives.contains(&Rule::clause) => {
                "what may not happen is `cannot VERB c where COND`".to_owned()
            }
            _ if positives == [Rule::step] => return did_you_mean(found, words::STEPS),
            _ if positives.contains(&Rule::comma) && !over => "items of a list are separated by commas".to_owned(),
            _ if over
                && body == Body::Stmts
                && self.after_value()
                && self.matched.kind(range.start) == Some(TokenKind::Word)
                && !words::STATEMENTS.contains(&first)
                && self.matched.kind(self.found) != Some(TokenKind::Symbol)
                && !second =>
            {
                format!("one value stands right behind a verb, the others behind words such as `for`, `by`, `with`: `{first} A for B`")
            }
            _ if over && second => return did_you_mean(before, words::STATEMENTS),
            _ if words::is_reserved(found)
                && !begins_a_part(found)
                && positives.iter().any(|rule| is_expression(*rule)) =>
            {
                format!("`{found}` is a reserved word: if it was meant as a name, choose another, such as `{found}_`")
            }
            _ => return None,
        };
        Some(help)
    }
}

/// Whether a word says in other languages what the next one is to a kind.
fn second_of_kind(word: &str) -> bool {
    matches!(word, "extends" | "inherits" | "is" | "of" | "from" | "a" | "an" | "like" | "as" | "=")
}

/// Whether a token follows the name of an enum.
fn second_of_enum(first: &str, found: usize, range: &Range<usize>) -> bool {
    first == "enum" && found == range.start + 2
}

/// Whether a text is a word that can be a name.
pub(super) fn is_name(text: &str) -> bool {
    text.starts_with(|letter: char| letter.is_ascii_alphabetic()) && !words::is_keyword(text)
}

/// Whether a part of a card or rule could begin there.
fn begins_part(positives: &[Rule]) -> bool {
    positives.iter().any(|rule| matches!(rule, Rule::clause | Rule::entry_field | Rule::f_named))
}

/// Whether a symbol joins two operands.
fn is_operator(text: &str) -> bool {
    matches!(text, "+" | "-" | "*" | "/" | "%" | "&")
}

/// Whether a word is rather the beginning of what follows than meant as a name.
fn begins_a_part(word: &str) -> bool {
    [words::ITEMS, words::STATEMENTS, words::CLAUSES, words::MEMBERS].iter().any(|words| words.contains(&word))
}

fn did_you_mean(word: &str, known: &[&str]) -> Option<String> {
    nearest(word, known.iter().copied()).map(|best| format!("did you mean `{best}`?"))
}

/// Words after which an `=` is no sign that they were meant as a name.
fn is_word_before_equals(word: &str) -> bool {
    matches!(word, "some" | "no" | "every" | "not" | "count" | "if" | "then" | "else")
}

fn shown(text: &str) -> String {
    let line = text.lines().next().unwrap_or("");
    if line.chars().count() > 40 {
        format!("`{}…`", line.chars().take(40).collect::<String>())
    } else {
        format!("`{line}`")
    }
}

/// What had to stand here, in words; what merely could have stood here is left out.
fn wanted(positives: &[Rule], after_value: bool) -> Vec<String> {
    // Where the piece could have ended, there is nothing that had to follow.
    if positives.contains(&Rule::EOI) {
        return Vec::new();
    }
    let expression = positives.iter().any(|rule| is_expression(*rule));
    let mut rules: Vec<Rule> = positives.to_vec();
    rules.retain(|rule| word_for(*rule).is_some() && !(expression && begins_expression(*rule)));
    // A value could go on with brackets or, as the name of a definition, with a text.
    let goes_on = |rule: &Rule| {
        matches!(
            rule,
            Rule::text
                | Rule::lparen
                | Rule::touching_paren
                | Rule::call
                | Rule::touching_bracket
                | Rule::index
                | Rule::dot
                | Rule::dot_field
                | Rule::k_else
        )
    };
    if after_value && rules.iter().any(|rule| !goes_on(rule)) {
        rules.retain(|rule| !goes_on(rule));
    }
    let mut words: Vec<String> = Vec::new();
    for word in rules.into_iter().filter_map(word_for) {
        if !words.contains(&word) {
            words.push(word);
        }
    }
    words
}

/// Words with which an expression can begin.
fn begins_expression(rule: Rule) -> bool {
    matches!(
        rule,
        Rule::k_every
            | Rule::k_if
            | Rule::k_some
            | Rule::k_no
            | Rule::k_not
            | Rule::k_count
            | Rule::minus
            | Rule::num
            | Rule::text
            | Rule::name
            | Rule::lparen
            | Rule::lbracket
            | Rule::fold_op
            | Rule::quantifier
    )
}

pub(super) fn is_expression(rule: Rule) -> bool {
    (Rule::value..=Rule::arith).contains(&rule)
        || rule == Rule::unit
        || rule == Rule::members
        || (Rule::fold..=Rule::conditional).contains(&rule)
        || matches!(
            rule,
            Rule::post
                | Rule::plain_post
                | Rule::first_arg
                | Rule::effect
                | Rule::prop_value
                | Rule::times
                | Rule::created
                | Rule::created_count
                | Rule::list
                | Rule::keyed
                | Rule::amount
                | Rule::paren
                | Rule::named
                | Rule::prefix
                | Rule::game_word
                | Rule::rule_word
        )
}

/// A rule in words. Nothing for what may be left out.
fn word_for(rule: Rule) -> Option<String> {
    if is_expression(rule) {
        return Some("an expression".to_owned());
    }
    let words = match rule {
        Rule::name | Rule::word | Rule::link_end | Rule::s_call | Rule::act | Rule::can_what => "a name",
        Rule::num => "a number",
        Rule::text | Rule::texts => "a text in quotes",
        Rule::rule_id => "the number of a rule",
        Rule::lbrace | Rule::block => "`{`",
        Rule::rbrace => "`}`",
        Rule::lparen | Rule::touching_paren | Rule::params | Rule::call => "`(`",
        Rule::rparen => "`)`",
        Rule::lbracket | Rule::touching_bracket | Rule::index => "`[`",
        Rule::rbracket => "`]`",
        Rule::colon | Rule::f_value => "`:`",
        Rule::comma => "`,`",
        Rule::equals => "`=`",
        Rule::star => "`*`",
        Rule::minus => "`-`",
        Rule::dotdot => "`..`",
        Rule::dot | Rule::dot_field => "`.`",
        Rule::plus => "`+`",
        Rule::empty_args => "`()`",
        Rule::ty
        | Rule::ty_set
        | Rule::ty_list
        | Rule::ty_maybe
        | Rule::ty_asked
        | Rule::ty_range
        | Rule::ty_of
        | Rule::ty_name => "a type",
        Rule::turns_part => "a part of the head",
        Rule::stmt => "a statement",
        Rule::clause | Rule::moment => "a clause",
        Rule::member => "a field, counter, mark, stat or clause",
        Rule::prop => "a setting",
        Rule::entry_field | Rule::f_named => "a field or clause",
        Rule::step => "a step",
        Rule::window_part | Rule::window_acts => "the name of an action",
        Rule::offer_part | Rule::offer_terms => "`terms`, `counters` or `valid`",
        Rule::offer_accepted => "`accepted`",
        Rule::offer_refused => "`refused`",
        Rule::enum_value => "a name",
        Rule::replaced | Rule::removed => "an item",
        Rule::p_members => "`kind`",
        Rule::p_props => "`zone`",
        Rule::param | Rule::verb_param => "a parameter",
        Rule::option_arm => "a text in quotes",
        Rule::choose_of => "a name",
        Rule::acts | Rule::stage => "`instead`, `before` or `after`",
        Rule::forbids => "`cannot`",
        Rule::pattern | Rule::forbid_pattern => "the name of a verb",
        Rule::with_field => "a property",
        Rule::prep => "a preposition",
        _ => return plain_word(rule),
    };
    Some(words.to_owned())
}

/// A rule that is one word.
fn plain_word(rule: Rule) -> Option<String> {
    if !(Rule::k_and..=Rule::k_zone).contains(&rule) {
        return None;
    }
    let name = format!("{rule:?}");
    name.get(2..).map(|word| format!("`{word}`"))
}

fn join(words: &[String]) -> String {
    match words {
        [] => String::new(),
        [one] => one.clone(),
        [first @ .., last] => format!("{} or {last}", first.join(", ")),
    }
}
