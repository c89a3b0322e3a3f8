//! Which words of the language could stand at a place, asked of the grammar: it reads what stands before the place, then a
//! sign that fits nowhere, and says what it wanted instead.

use super::alphabet::{CLOSE, reserved_letter};
use super::grammar::{Grammar, Rule};
use super::lex::{Token, TokenKind, lex};
use super::message::is_expression;
use super::split::Matched;
use super::words;
use crate::base::FileId;
use pest::Parser;
use pest::error::{Error, ErrorVariant, InputLocation};
use std::collections::BTreeSet;

/// What fits nowhere.
const NOWHERE: char = '\u{2FF}';

/// Words with which a value begins.
const VALUES: &[&str] =
    &["count", "every", "gather", "if", "max", "min", "no", "not", "reach", "some", "sum", "union", "values"];

/// What could stand at a place.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Expected {
    /// Words of the language.
    pub words: BTreeSet<&'static str>,
    /// Whether an item could begin here.
    pub item: bool,
    /// Whether a value could begin here.
    pub value: bool,
    /// Whether a type could begin here.
    pub ty: bool,
    /// Whether a statement could begin here, and so the name of a verb.
    pub statement: bool,
    /// Whether a setting of a zone, board or look could begin here.
    pub setting: bool,
    /// Whether a field of a card could begin here.
    pub field: bool,
    /// Whether a name could stand here, of whatever sort.
    pub name: bool,
    /// The first word of the item around the place; empty outside of any.
    pub within: String,
}

/// What could stand at a byte of a text. `at` is where a word begins that is being written, or would begin.
pub fn expected(text: &str, at: usize) -> Expected {
    let before = text.get(..at).unwrap_or(text);
    let mut lexed = lex(FileId(0), before);
    lexed.tokens.retain(|token| token.kind != TokenKind::Comment);
    let starts_line = |token: &Token| token.start == 0 || before.as_bytes().get(token.start - 1) == Some(&b'\n');
    let begins = |token: &Token| starts_line(token) && token.kind == TokenKind::Word;
    let Some(start) = lexed.tokens.iter().rposition(begins) else { return items() };
    let tokens = lexed.tokens.split_off(start);
    let within = tokens.first().map_or("", |token| token.text(before)).to_owned();
    let matched = Matched::new(FileId(0), &lexed.clean, tokens);
    let mut letters = String::new();
    (0..matched.tokens.len()).filter_map(|index| matched.letter(index)).for_each(|letter| letters.push(letter));
    letters.push(NOWHERE);
    let mut found = Expected { within, ..Expected::default() };
    let before_it = letters.len() - NOWHERE.len_utf8();
    for rule in wanted(&letters, before_it) {
        found.add(rule);
    }
    // Where a value could go on, the grammar looks ahead, and says nothing of what it looked for: each word is tried.
    // Settings take any word.
    let settings = matches!(found.within.as_str(), "zone" | "board" | "look");
    for word in words::RESERVED.iter().filter(|_| !settings) {
        if reserved_letter(word).is_some_and(|letter| fits(&letters, before_it, letter)) {
            found.words.insert(word);
        }
    }
    if fits(&letters, before_it, CLOSE) {
        found.add_part(depth(&matched));
    }
    let new_line = before.rfind('\n').is_none_or(|line| line + 1 == before.len());
    if new_line && letters.get(..before_it).is_some_and(|whole| Grammar::parse(Rule::one_item, whole).is_ok()) {
        found.item = true;
        found.words.extend(words::ITEMS);
    }
    found
}

/// What the grammar wants at a place in letters, if what stands before it can be read.
fn wanted(letters: &str, at: usize) -> Vec<Rule> {
    match Grammar::parse(Rule::one_item, letters) {
        Err(Error {
            variant: ErrorVariant::ParsingError { positives, .. },
            location: InputLocation::Pos(place),
            ..
        }) if place == at => positives,
        _ => Vec::new(),
    }
}

/// Whether a letter fits at a place.
fn fits(letters: &str, at: usize, letter: char) -> bool {
    let mut tried = letters.get(..at).unwrap_or("").to_owned();
    tried.push(letter);
    tried.push(NOWHERE);
    match Grammar::parse(Rule::one_item, &tried) {
        Err(Error { location: InputLocation::Pos(place), .. }) => place > at,
        _ => false,
    }
}

/// How many braces are open at the end.
fn depth(matched: &Matched<'_>) -> usize {
    let texts = (0..matched.tokens.len()).map(|index| matched.text(index));
    texts.fold(0, |depth: usize, text| match text {
        "{" => depth + 1,
        "}" => depth.saturating_sub(1),
        _ => depth,
    })
}

fn items() -> Expected {
    Expected { words: words::ITEMS.iter().copied().collect(), item: true, ..Expected::default() }
}

impl Expected {
    /// Another part of the block around a place, which could also end there.
    fn add_part(&mut self, depth: usize) {
        let within = self.within.clone();
        match (within.as_str(), depth) {
            ("zone" | "board" | "look", _) => self.setting = true,
            ("kind" | "player" | "game", 1) => self.words.extend(words::MEMBERS.iter().chain(words::CLAUSES)),
            ("rule" | "absolute", 1) => self.words.extend(words::CLAUSES),
            ("scenario", 1) => self.words.extend(words::STEPS),
            ("enum" | "option" | "define" | "script" | "cards" | "window" | "patch" | "replace" | "remove", _) => {}
            (item, 1) if !words::ITEMS.contains(&item) => {
                self.field = true;
                self.words.extend(words::CLAUSES.iter().chain(&["supersedes"]));
            }
            _ => {
                self.statement = true;
                self.words.extend(words::STATEMENTS);
            }
        }
    }

    fn add(&mut self, rule: Rule) {
        if is_expression(rule) {
            self.value = true;
            self.words.extend(VALUES);
            return;
        }
        match rule {
            Rule::stmt => {
                self.statement = true;
                self.words.extend(words::STATEMENTS);
            }
            Rule::s_call => self.statement = true,
            Rule::clause | Rule::moment | Rule::forbids | Rule::stage => self.words.extend(words::CLAUSES),
            Rule::member => self.words.extend(words::MEMBERS.iter().chain(words::CLAUSES)),
            Rule::entry_field | Rule::f_named => {
                self.field = true;
                self.words.extend(words::CLAUSES.iter().chain(&["supersedes"]));
            }
            Rule::prop => self.setting = true,
            Rule::step => self.words.extend(words::STEPS),
            Rule::prep => self.words.extend(super::ast::Prep::ALL.map(super::ast::Prep::word)),
            Rule::window_part | Rule::window_acts => {
                self.name = true;
                self.words.extend(["silent", "quietly", "aside"]);
            }
            Rule::offer_part => self.words.extend(["terms", "counters", "valid"]),
            Rule::offer_accepted => _ = self.words.insert("accepted"),
            Rule::offer_refused => _ = self.words.insert("refused"),
            Rule::ty | Rule::ty_name | Rule::ty_of | Rule::ty_asked | Rule::ty_range => {
                self.ty = true;
                self.words.extend(["set", "list", "maybe"]);
            }
            Rule::ty_set => _ = self.words.insert("set"),
            Rule::ty_list => _ = self.words.insert("list"),
            Rule::ty_maybe => _ = self.words.insert("maybe"),
            Rule::name
            | Rule::word
            | Rule::act
            | Rule::can_what
            | Rule::link_end
            | Rule::pattern
            | Rule::forbid_pattern
            | Rule::with_field => self.name = true,
            Rule::choose_of => {
                self.name = true;
                self.words.extend(["any", "exactly", "up"]);
            }
            Rule::e_legal => self.words.extend(["illegal", "legal"]),
            Rule::p_members => self.words.extend(["game", "kind", "player"]),
            Rule::p_props => self.words.extend(["board", "look", "zone"]),
            Rule::p_body => self.words.extend(["action", "define", "flow", "verb"]),
            Rule::replaced | Rule::removed => self.words.extend(words::ITEMS),
            rule if (Rule::k_and..=Rule::k_zone).contains(&rule) => {
                let name = format!("{rule:?}");
                let word = name.get(2..).unwrap_or("");
                let known = words::RESERVED.iter().chain(words::CONTEXTUAL).find(|known| **known == word);
                self.words.extend(known);
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at_end(text: &str) -> Expected {
        expected(text, text.len())
    }

    #[test]
    fn the_grammar_says_which_words_could_stand_at_a_place() {
        let statements = at_end("verb a {\n  ");
        assert!(statements.statement && statements.words.contains("choose"), "{statements:?}");
        let value = at_end("define a = ");
        assert!(value.value && value.words.contains("some") && !value.words.contains("where"), "{value:?}");
        let after = at_end("define a = b ");
        assert!(after.words.contains("where") && after.words.contains("and"), "{after:?}");
        let choose = at_end("verb a {\n  choose c ");
        // `choose c to 4 x in ...`, where `c` is a number, is the other.
        assert_eq!(choose.words.iter().copied().collect::<Vec<_>>(), ["in", "to"], "{choose:?}");
        let several = at_end("verb a {\n  choose ");
        assert!(["up", "exactly", "any", "option"].iter().all(|word| several.words.contains(word)), "{several:?}");
        let expected = at_end("scenario \"a\" {\n  expect ");
        assert!(["legal", "illegal", "winner"].iter().all(|word| expected.words.contains(word)), "{expected:?}");
        let patched = at_end("patch ");
        assert!(["zone", "kind", "verb", "flow"].iter().all(|word| patched.words.contains(word)), "{patched:?}");
        let items = at_end("enum a { b }\n");
        assert!(items.item && items.words.contains("kind"), "{items:?}");
        let members = at_end("kind a : card {\n  ");
        assert!(members.words.contains("field") && !members.words.contains("choose"), "{members:?}");
        let ty = at_end("kind a : card {\n  field b: ");
        assert!(ty.ty, "{ty:?}");
        let fields = at_end("tool \"Rope\" {\n  ");
        assert!(fields.field && fields.words.contains("after"), "{fields:?}");
        let setting = at_end("zone a {\n  ");
        assert!(setting.setting, "{setting:?}");
        let steps = at_end("scenario \"a\" {\n  ");
        assert!(steps.words.contains("expect"), "{steps:?}");
    }
}
