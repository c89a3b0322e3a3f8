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
    let inside: Vec<Value> = all.iter().filter(|part| part["include"] != "#text").cloned().collect();
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
                        "end": "\\}|(?=\")",
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

#[test]
fn the_grammar_of_editors_has_the_words_of_the_language() {
    let path = root().join(PATH);
    let wanted = format!("{}\n", serde_json::to_string_pretty(&grammar()).unwrap());
    if std::env::var_os("CARDWRIGHT_WRITE_DOCS").is_some() {
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, &wanted).unwrap();
    }
    let there = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(there == wanted, "{PATH} is not what the tables of words say: write it with CARDWRIGHT_WRITE_DOCS=1");
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
