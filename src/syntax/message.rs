//! Turns what the grammar expected into words. Authors never read the name of a grammar rule.

use super::grammar::Rule;
use super::lex::TokenKind;
use super::split::Matched;
use super::words;
use crate::base::{Code, Diagnostic, Span};
use pest::error::{Error, ErrorVariant, InputLocation};
use std::ops::Range;

/// What could not be read, as one finding.
///
/// `range` is the stretch of tokens that was read, `offset` where its text begins in the file.
pub(super) fn describe(error: &Error<Rule>, matched: &Matched<'_>, range: &Range<usize>, offset: usize) -> Diagnostic {
    let at = offset
        + match error.location {
            InputLocation::Pos(at) | InputLocation::Span((at, _)) => at,
        };
    let found = matched.tokens.partition_point(|token| token.end <= at);
    let found = if found >= range.end { range.end } else { found.max(range.start) };
    let ErrorVariant::ParsingError { positives, .. } = &error.variant else {
        let whole = matched.span(range.start).to(matched.span(range.end.saturating_sub(1)));
        return Diagnostic::new(Code::TooMuchWork, whole, "this takes too much work to read")
            .help("split it into smaller parts");
    };
    let place = Place { matched, found };
    let wanted = wanted(positives);
    if let Some(finding) = place.reserved(positives) {
        return finding;
    }
    let after = match found.checked_sub(1).map(|before| matched.text(before)) {
        Some(text) if found > range.start => format!(" after {}", shown(text)),
        _ => String::new(),
    };
    let seen = place.seen();
    let message = if wanted.is_empty() {
        format!("unexpected {seen}{after}")
    } else {
        format!("expected {}{after}, found {seen}", join(&wanted))
    };
    let finding = Diagnostic::new(Code::Unexpected, place.span(), message);
    match place.advice(positives, range) {
        Some(help) => finding.help(help),
        None => finding,
    }
}

/// A token that did not fit.
struct Place<'a> {
    matched: &'a Matched<'a>,
    found: usize,
}

impl Place<'_> {
    fn text(&self, ahead: usize) -> &str {
        self.matched.text(self.found + ahead)
    }

    fn before(&self, back: usize) -> &str {
        self.found.checked_sub(back).map_or("", |index| self.matched.text(index))
    }

    fn seen(&self) -> String {
        match self.matched.kind(self.found) {
            None => "the end of the file".to_owned(),
            Some(TokenKind::Word) if words::is_reserved(self.text(0)) => format!("the word `{}`", self.text(0)),
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
        let like_a_name = matches!(self.text(1), ":" | "=") && !is_word_before_equals(text);
        if !(only_names || declared || like_a_name) || self.before(1) == ":" {
            return None;
        }
        let finding = Diagnostic::new(
            Code::ReservedWord,
            self.span(),
            format!("`{text}` is a reserved word and cannot be a name"),
        );
        Some(finding.note("this word is taken").help(format!("choose another name, such as `{text}_`")))
    }

    fn advice(&self, positives: &[Rule], range: &Range<usize>) -> Option<String> {
        let (found, before) = (self.text(0), self.before(1));
        let in_enum = self.matched.text(range.start) == "enum";
        let starts_statement = positives.contains(&Rule::EOI) && range.start + 1 == self.found;
        let help = match found {
            "=" if before == "=" => "a comparison is written with one `=`".to_owned(),
            "=" if matches!(before, "+" | "-") => "write `increase x by n` or `decrease x by n`".to_owned(),
            "=" if positives.contains(&Rule::EOI) => format!("to change a value, write `set {before} = ...`"),
            "," if in_enum => "the values of an enum stand side by side, without commas".to_owned(),
            "&" if before == "&" => "write `and`".to_owned(),
            "else" => "`else` follows the `}` of an `if`, of `do` or of a list of actions".to_owned(),
            "then" => "an `if` statement has a block: `if a { ... } else { ... }`".to_owned(),
            "{" if before == ":" => "an effect has no `:` before its block".to_owned(),
            _ if words::LATER.contains(&found) => format!("`{found}` is not part of this edition of the language"),
            _ if positives.contains(&Rule::f_value) || positives == [Rule::colon] => {
                format!("write `{before}: {}`", if found == "}" { "..." } else { found })
            }
            _ if starts_statement && before.starts_with(|c: char| c.is_ascii_lowercase()) => {
                let best = crate::base::nearest(before, words::STATEMENTS.iter().copied())?;
                format!("did you mean `{best}`?")
            }
            _ if positives.contains(&Rule::comma) && !positives.contains(&Rule::EOI) => {
                "items of a list are separated by commas".to_owned()
            }
            _ => return None,
        };
        Some(help)
    }
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
fn wanted(positives: &[Rule]) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    for rule in positives {
        if let Some(word) = word_for(*rule)
            && !words.contains(&word)
        {
            words.push(word);
        }
    }
    // Where the piece could have ended, there is nothing that had to follow.
    if positives.contains(&Rule::EOI) { Vec::new() } else { words }
}

fn is_expression(rule: Rule) -> bool {
    (Rule::expr..=Rule::arith).contains(&rule)
        || (Rule::unit..=Rule::tight).contains(&rule)
        || (Rule::fold..=Rule::conditional).contains(&rule)
        || matches!(
            rule,
            Rule::post
                | Rule::plain_post
                | Rule::first_arg
                | Rule::prop_value
                | Rule::times
                | Rule::created
                | Rule::created_count
                | Rule::list
                | Rule::paren
                | Rule::entry_ref
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
        Rule::name | Rule::word | Rule::link_end | Rule::bare_call | Rule::act | Rule::can_what => "a name",
        Rule::num => "a number",
        Rule::text | Rule::texts => "a text in quotes",
        Rule::rule_id => "the number of a rule",
        Rule::lbrace | Rule::block => "`{`",
        Rule::rbrace => "`}`",
        Rule::lparen | Rule::params => "`(`",
        Rule::rparen => "`)`",
        Rule::lbracket => "`[`",
        Rule::rbracket => "`]`",
        Rule::colon | Rule::f_value => "`:`",
        Rule::comma => "`,`",
        Rule::equals => "`=`",
        Rule::star => "`*`",
        Rule::minus => "`-`",
        Rule::dotdot => "`..`",
        Rule::ty | Rule::ty_set | Rule::ty_list | Rule::ty_maybe | Rule::ty_asked | Rule::ty_range | Rule::ty_name => {
            "a type"
        }
        Rule::stmt => "a statement",
        Rule::clause | Rule::moment => "a clause",
        Rule::member => "a field, counter, mark, stat or clause",
        Rule::prop => "a setting",
        Rule::entry_field | Rule::f_named => "a field or clause",
        Rule::step => "a step",
        Rule::enum_value => "a name",
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
    if !(Rule::k_absolute..=Rule::w_bottom).contains(&rule) {
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
