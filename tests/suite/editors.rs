//! The grammar that editors colour texts by. It is written from the tables of words, and says of every word in every shipped
//! file what the language says.

use super::support::root;
use cardwright::model::Trees;
use cardwright::model::index::{builtin_names, type_words};
use cardwright::play::{Checked, Library, packages_in};
use cardwright::syntax::{CONTEXTUAL, ITEMS, RESERVED, TokenKind, tokens};
use serde_json::{Value, json};
use std::collections::BTreeSet;

const PATH: &str = "editors/vscode/syntaxes/cardwright.tmLanguage.json";

/// Words as an alternative of a regular expression, none within another word or behind a dot.
fn one_of<'w>(words: impl IntoIterator<Item = &'w str>) -> String {
    let words: BTreeSet<&str> = words.into_iter().collect();
    format!("(?<![.\\w])(?:{})\\b", words.into_iter().collect::<Vec<_>>().join("|"))
}

fn grammar() -> Value {
    let parts =
        ["comment", "text", "number", "declaration", "card", "setting", "keyword", "type", "constant", "operator"];
    let all: Vec<Value> = parts.iter().map(|part| json!({ "include": format!("#{part}") })).collect();
    // In the braces of a text stands an expression.
    let text = json!({ "name": "string.quoted.double.cardwright", "match": "\"[^\"]*\"" });
    let others = all.iter().filter(|part| part["include"] != "#text").cloned();
    let inside: Vec<Value> = std::iter::once(text).chain(others).collect();
    let declared = ITEMS.iter().copied().chain(["field", "counter", "mark", "stat", "let", "phase", "turns"]);
    let declared =
        declared.filter(|word| !matches!(*word, "player" | "game" | "setup" | "flow" | "absolute" | "cards"));
    json!({
        "$schema": "https://raw.githubusercontent.com/martinring/tmlanguage/master/tmlanguage.json",
        "name": "Cardwright",
        "scopeName": "source.cardwright",
        "fileTypes": ["rules", "cards", "scenario"],
        "patterns": all,
        "repository": {
            "comment": { "name": "comment.line.double-slash.cardwright", "match": "//.*$" },
            "text": {
                "name": "string.quoted.double.cardwright",
                "begin": "\"",
                "end": "\"|$",
                "patterns": [
                    { "name": "constant.character.escape.cardwright", "match": "\\\\[\"\\\\]" },
                    {
                        "name": "meta.embedded.expression.cardwright",
                        "begin": "\\{",
                        "end": "\\}|$",
                        "beginCaptures": { "0": { "name": "punctuation.section.embedded.begin.cardwright" } },
                        "endCaptures": { "0": { "name": "punctuation.section.embedded.end.cardwright" } },
                        "patterns": inside,
                    },
                ],
            },
            "number": { "name": "constant.numeric.cardwright", "match": "\\b[0-9]+\\b" },
            "declaration": {
                "match": format!("{}\\s+([A-Za-z_]\\w*)\\b(?!\\s*\")", one_of(declared).replace("(?:", "(")),
                "captures": {
                    "1": { "name": "keyword.declaration.cardwright" },
                    "2": { "name": "entity.name.cardwright" },
                },
            },
            "card": {
                "match": "^\\s*([a-z_]\\w*)\\s+(\"[^\"]*\")(?=\\s*\\{)",
                "captures": {
                    "1": { "name": "entity.name.type.cardwright" },
                    "2": { "name": "entity.name.class.cardwright" },
                },
            },
            "setting": { "name": "variable.other.property.cardwright", "match": "(?<![.\\w])[a-z_]\\w*(?=\\s*:)" },
            "keyword": {
                "name": "keyword.control.cardwright",
                "match": one_of(RESERVED.iter().chain(CONTEXTUAL).copied()),
            },
            "type": { "name": "support.type.cardwright", "match": one_of(type_words()) },
            "constant": { "name": "variable.language.cardwright", "match": one_of(builtin_names()) },
            "operator": { "name": "keyword.operator.cardwright", "match": "!=|<=|>=|\\.\\.|[=<>+\\-*/%&]" },
        },
    })
}

/// Words that are names where they are not words of the language: `flag`, `me`.
fn names_among(words: impl Iterator<Item = &'static str>) -> String {
    let names = words.filter(|word| !RESERVED.contains(word) && !CONTEXTUAL.contains(word));
    names.map(|word| format!("{word:?}")).collect::<Vec<_>>().join(" ")
}

/// What Neovim and Helix colour texts by. No two patterns are about the same node, since editors differ in which of them counts.
fn highlights() -> String {
    let words: BTreeSet<&str> = RESERVED.iter().chain(CONTEXTUAL).copied().collect();
    let keywords: Vec<String> = words.into_iter().map(|word| format!("  {word:?}\n")).collect();
    format!(
        r#"; Written by a test from the language's own tables of words.

(comment) @comment
(string "\"" @string)
(string_content) @string
(escape) @string.escape
(interpolation ["{{" "}}"] @punctuation.special)
(number) @number
(operator) @operator
(block ["{{" "}}"] @punctuation.bracket)
["(" ")" "[" "]"] @punctuation.bracket
["," ":" "."] @punctuation.delimiter

(card kind: (identifier) @type)
(item name: (identifier) @type)
(member name: (identifier) @property)
(binding name: (identifier) @variable.parameter)
(property) @property
(rule_id) @constant

((identifier) @type.builtin
  (#any-of? @type.builtin {}))
((identifier) @variable.builtin
  (#any-of? @variable.builtin {}))

[
{}] @keyword
"#,
        names_among(type_words()),
        names_among(builtin_names().filter(|name| !type_words().any(|word| word == *name))),
        keywords.concat(),
    )
}

#[test]
fn the_grammars_of_editors_have_the_words_of_the_language() {
    let words = json!({ "contextual": CONTEXTUAL, "reserved": RESERVED });
    let pretty = |value: &Value| format!("{}\n", serde_json::to_string_pretty(value).unwrap());
    for (file, wanted) in [
        (PATH, pretty(&grammar())),
        ("editors/tree-sitter/words.json", pretty(&words)),
        ("editors/tree-sitter/queries/highlights.scm", highlights()),
    ] {
        let path = root().join(file);
        if std::env::var_os("CARDWRIGHT_WRITE_DOCS").is_some() {
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(&path, &wanted).unwrap();
        }
        let there = std::fs::read_to_string(&path).unwrap_or_default();
        assert!(there == wanted, "{file} is not what the tables of words say: write it with CARDWRIGHT_WRITE_DOCS=1");
    }
}

#[test]
fn the_tree_sitter_grammar_knows_every_item_and_no_word_that_is_none() {
    let grammar = std::fs::read_to_string(root().join("editors/tree-sitter/grammar.js")).unwrap();
    let (_, rules) = grammar.split_once("const { reserved").unwrap();
    // Fields of nodes are no words of content.
    let fields = ["field(\"name\"", "field(\"body\"", "field(\"kind\"", "name: \"cardwright\""];
    let rules = fields.iter().fold(rules.to_owned(), |rules, field| rules.replace(field, ""));
    let quoted = rules.split('"').skip(1).step_by(2).filter(|text| text.len() > 1);
    let words: BTreeSet<&str> = quoted.filter(|text| text.bytes().all(|byte| byte.is_ascii_lowercase())).collect();
    let missing: Vec<_> = ITEMS.iter().filter(|item| !words.contains(*item)).collect();
    assert!(missing.is_empty(), "no rule has {missing:?}");
    let known = |word: &&&str| RESERVED.contains(*word) || CONTEXTUAL.contains(*word);
    let unknown: Vec<_> = words.iter().filter(|word| !known(word)).collect();
    assert!(unknown.is_empty(), "{unknown:?} are no words of the language");
}

/// The words of a pattern.
fn words_of(part: &str) -> BTreeSet<String> {
    let grammar = grammar();
    let pattern = grammar["repository"][part]["match"].as_str().unwrap();
    let words = pattern.split_once("(?:").unwrap().1.split_once(')').unwrap().0;
    words.split('|').map(str::to_owned).collect()
}

#[test]
fn every_word_in_shipped_files_is_coloured_as_what_it_is() {
    let (keywords, types, constants) = (words_of("keyword"), words_of("type"), words_of("constant"));
    let mut wrong = BTreeSet::new();
    let mut seen = 0;
    for folder in ["content", "content/classics", "content/templates"] {
        let library = Library::new(Some(root().join(folder)));
        for package in packages_in(&root().join(folder)).into_iter().filter(|package| package.group.is_none()) {
            for subject in library.subjects(package, &[]).unwrap() {
                let checked = Checked::texts(&subject, &Trees::default()).unwrap();
                let index = checked.index.as_ref().unwrap();
                let named: BTreeSet<(u16, u32)> =
                    index.uses.iter().map(|(span, _)| (span.file.0, span.start)).collect();
                for file in checked.sources.files() {
                    let (name, text) = (checked.sources.name(file), checked.sources.text(file));
                    if !["rules", "cards", "scenario"].iter().any(|ending| name.ends_with(ending)) {
                        continue;
                    }
                    for token in tokens(text).into_iter().filter(|token| token.kind == TokenKind::Word) {
                        let word = token.text(text);
                        let behind_dot = text[..token.start].ends_with('.');
                        let role = RESERVED.contains(&word) || CONTEXTUAL.contains(&word);
                        let setting = text[token.end..].trim_start().starts_with(':');
                        let known = keywords.contains(word) || types.contains(word) || constants.contains(word);
                        seen += 1;
                        // A word of the language that is no name here.
                        if role && !behind_dot && !setting && !named.contains(&(file.0, token.start as u32)) && !known {
                            wrong.insert(format!("{name}: {word}"));
                        }
                    }
                }
            }
        }
    }
    assert!(seen > 50_000 && wrong.is_empty(), "{seen} words, of which {wrong:?} have no colour");
}
