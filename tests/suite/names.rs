//! What the checker takes down about names, for editors: nothing that stands for something may be missing.

use super::support::root;
use cardwright::base::{COLOURS, SHAPES, ZONE_SHAPES};
use cardwright::ide::outline::symbols;
use cardwright::model::Trees;
use cardwright::model::index::{Index, Meaning, Sort};
use cardwright::play::{Checked, Library, Package, packages_in};
use cardwright::syntax::{CONTEXTUAL, RESERVED, Token, TokenKind, tokens};
use std::collections::{BTreeMap, BTreeSet};

/// Words that are neither names nor reserved: settings, and what they are set to.
const WORDS: &[&str] = &[
    "all",
    "cells",
    "colour",
    "copies",
    "corners",
    "directions",
    "edges",
    "endless",
    "false",
    "glyph",
    "graph",
    "hexagon",
    "holder",
    "holds",
    "inplay",
    "label",
    "limit",
    "line",
    "memory",
    "neighbours",
    "none",
    "nothing",
    "paths",
    "pile",
    "places",
    "queue",
    "refill",
    "rhombus",
    "rim",
    "seen",
    "shape",
    "show",
    "sides",
    "sites",
    "size",
    "square",
    "starts",
    "text",
    "title",
    "true",
];

fn subjects() -> Vec<Package> {
    let mut subjects = Vec::new();
    for folder in ["content", "content/classics", "content/templates"] {
        let library = Library::new(Some(root().join(folder)));
        for package in packages_in(&root().join(folder)).into_iter().filter(|package| package.group.is_none()) {
            subjects.extend(library.subjects(package, &[]).unwrap());
        }
    }
    subjects
}

/// Names of a file that nothing is known of.
fn unknown(checked: &Checked, index: &Index, file: cardwright::base::FileId) -> Vec<String> {
    let text = checked.sources.text(file);
    let known: BTreeSet<(usize, usize)> = index
        .uses
        .iter()
        .map(|(span, _)| span)
        .chain(index.twins.iter().map(|(span, _)| span))
        .filter(|span| span.file == file)
        .map(|span| (span.start as usize, span.end as usize))
        .collect();
    let words = tokens(text).into_iter().filter(|token| token.kind == TokenKind::Word);
    let drawn = |word: &str| {
        let shape = SHAPES.iter().chain(&ZONE_SHAPES).any(|(name, _)| *name == word);
        shape || COLOURS.iter().any(|(name, _)| *name == word)
    };
    let of_language = |word: &str| RESERVED.contains(&word) || CONTEXTUAL.contains(&word) || WORDS.contains(&word);
    // Sites and directions are written where a board is declared.
    let boards: Vec<_> = symbols(text).into_iter().filter(|symbol| symbol.sort == Some(Sort::Board)).collect();
    let on_board = |at: usize| boards.iter().any(|board| board.whole.contains(&at));
    let plain = |word: &str| of_language(word) || drawn(word);
    let known = |token: &Token| known.contains(&(token.start, token.end)) || on_board(token.start);
    let missing = words.filter(|token| !known(token) && !plain(token.text(text)));
    missing
        .map(|token| {
            let at = checked.sources.position(file, token.start as u32);
            format!("{}:{}:{} {}", checked.sources.name(file), at.line, at.column, token.text(text))
        })
        .collect()
}

#[test]
fn every_name_in_shipped_games_is_known() {
    // What an expansion changes is known where it does not take part.
    let mut missing: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for package in subjects() {
        let checked = Checked::texts(&package, &Trees::default()).unwrap();
        let index = checked.index.as_ref().unwrap();
        for file in checked.sources.files() {
            let name = checked.sources.name(file);
            if name.ends_with(".rules") || name.ends_with(".cards") {
                let found: BTreeSet<String> = unknown(&checked, index, file).into_iter().collect();
                let known = missing.entry(name.to_owned()).or_insert_with(|| found.clone());
                known.retain(|name| found.contains(name));
            }
        }
    }
    let missing: Vec<String> = missing.into_values().flatten().collect();
    assert!(missing.is_empty(), "{} names:\n{}", missing.len(), missing.join("\n"));
}

#[test]
fn a_name_stands_where_what_it_means_is_named() {
    let mut wrong = Vec::new();
    for package in subjects() {
        let checked = Checked::texts(&package, &Trees::default()).unwrap();
        let index = checked.index.as_ref().unwrap();
        for (span, meaning) in &index.uses {
            let text = checked.sources.slice(*span).trim_matches('"');
            let name = match meaning {
                Meaning::Declared(declared) => match index.declarations.get(declared) {
                    Some(declaration) => declaration.name.as_str(),
                    None => "what is not declared",
                },
                Meaning::Function(name) | Meaning::BuiltIn(name) => name,
                Meaning::Word => continue,
            };
            if text != name {
                wrong.push(format!("{}: `{text}` stands for `{name}`", checked.sources.locate(*span)));
            }
        }
        let unnamed = index.declarations.values().filter(|it| it.name.is_empty() && it.sort != Sort::Local);
        wrong.extend(unnamed.map(|it| format!("{}: no name", checked.sources.locate(it.span))));
    }
    wrong.sort();
    wrong.dedup();
    assert!(wrong.is_empty(), "{} names:\n{}", wrong.len(), wrong.join("\n"));
}
