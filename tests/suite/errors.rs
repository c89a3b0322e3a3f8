//! The messages for mistakes. A fixture is one file, `tests/fixtures/errors/err_NAME.txt`:
//!
//! ```text
//! E0101 base                  the codes it must show, and `base` to begin from the sound game in base.rules; then
//! option NAME=VALUE           lines such as these, and `variant NAME`
//! -- game.toml --             may be left out: then it is a sound manifest for two players
//! name = "..."
//! -- a.rules --
//! flow { ... }
//! ```
//!
//! If the checker finds no error, the scenarios are run and their failures shown.

use super::support::{golden, root};
use cardwright::base::{CODES, MemoryWorld, Severity, render_text};
use cardwright::play::scenario::run_all;
use cardwright::play::{Game, Options, Package};
use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::PathBuf;
use std::sync::Arc;

const MANIFEST: &str = "\
name = \"fixture\"
title = \"A fixture\"
version = \"1.0.0\"
edition = 1
description = \"Has a mistake.\"

[players]
min = 2
max = 2
";

/// The sound game that most fixtures add their mistake to.
const BASE: &str = include_str!("../fixtures/base.rules");

struct Fixture {
    name: String,
    codes: Vec<String>,
    options: Options,
    variant: Option<String>,
    world: MemoryWorld,
}

fn fixture_files() -> Vec<PathBuf> {
    let folder = root().join("tests/fixtures/errors");
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files
}

fn read(path: PathBuf) -> Fixture {
    let name = path.file_name().unwrap().to_str().unwrap().to_owned();
    let name = name.strip_suffix(".txt").filter(|name| name.starts_with("err_"));
    let name = name.unwrap_or_else(|| panic!("{} is no fixture: it should be err_NAME.txt", path.display())).to_owned();
    let text = std::fs::read_to_string(&path).unwrap();
    let mut fixture =
        Fixture { name, codes: Vec::new(), options: Options::new(), variant: None, world: MemoryWorld::default() };
    let mut file: Option<String> = None;
    for line in text.lines() {
        let header = line.strip_prefix("-- ").and_then(|rest| rest.strip_suffix(" --"));
        match (header, &file) {
            (Some(path), _) => {
                fixture.world.files.insert(path.to_owned(), String::new());
                file = Some(path.to_owned());
            }
            (None, Some(path)) => {
                let text = fixture.world.files.get_mut(path).unwrap();
                text.push_str(line);
                text.push('\n');
            }
            (None, None) => read_head(&mut fixture, line),
        }
    }
    if fixture.world.files.get("game.toml").is_some_and(|text| text.trim() == "none") {
        fixture.world.files.remove("game.toml");
    } else {
        fixture.world.files.entry("game.toml".to_owned()).or_insert_with(|| MANIFEST.to_owned());
    }
    fixture
}

fn read_head(fixture: &mut Fixture, line: &str) {
    if let Some((name, value)) = line.strip_prefix("option ").and_then(|rest| rest.split_once('=')) {
        fixture.options.insert(name.to_owned(), value.to_owned());
    } else if let Some(name) = line.strip_prefix("variant ") {
        fixture.variant = Some(name.to_owned());
    } else {
        let mut words: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
        if words.last().is_some_and(|word| word == "base") {
            words.pop();
            fixture.world.files.insert("base.rules".to_owned(), BASE.to_owned());
        }
        fixture.codes.extend(words);
    }
}

/// What the checker says; if it finds no error, what the scenarios say.
fn messages(fixture: &Fixture) -> String {
    let loaded = cardwright::model::load(&fixture.world, &fixture.options, fixture.variant.as_deref());
    let mut text = render_text(&loaded.diagnostics, &loaded.sources, false);
    let sound = !loaded.diagnostics.iter().any(|diagnostic| diagnostic.is_error());
    if !sound {
        return text;
    }
    let package = Package::memory(&fixture.name, fixture.world.clone());
    match Game::load(&package, &fixture.options, fixture.variant.as_deref()) {
        Err(error) => text.push_str(&error.report(false)),
        Ok(game) => {
            for verdict in run_all(&Arc::new(game)).unwrap() {
                if let Some(failure) = verdict.failure {
                    write!(text, "FAILED  {}\n{}", verdict.title, failure.report()).unwrap();
                }
            }
        }
    }
    text
}

#[test]
fn the_base_of_the_fixtures_is_sound() {
    let world = MemoryWorld::new([("game.toml", MANIFEST), ("base.rules", BASE)]);
    let loaded = cardwright::model::load(&world, &Options::new(), None);
    assert_eq!(render_text(&loaded.diagnostics, &loaded.sources, false), "");
}

#[test]
fn every_mistake_has_its_message() {
    let mut wrong = Vec::new();
    for fixture in fixture_files().into_iter().map(read) {
        let text = messages(&fixture);
        if fixture.codes.is_empty() {
            wrong.push(format!("{}: its first line names no code", fixture.name));
        }
        for code in &fixture.codes {
            if !text.contains(&format!("[{code}]")) {
                wrong.push(format!("{}: no {code} in:\n{text}", fixture.name));
            }
        }
        golden("errors", &fixture.name, &text);
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_golden_message_has_its_fixture() {
    let fixtures: BTreeSet<String> = fixture_files().into_iter().map(|path| read(path).name).collect();
    for entry in std::fs::read_dir(root().join("tests/golden/errors")).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        if let Some(name) = name.strip_suffix(".snap") {
            assert!(fixtures.contains(name), "tests/golden/errors/{name}.snap has no fixture");
        }
    }
}

/// Codes that need more than a package in memory; the tests named cover them.
const ELSEWHERE: [(&str, &str); 3] = [
    ("L05", "packages::a_package_with_too_many_files_is_refused"),
    ("L10", "sessions::a_save_that_is_too_large_is_refused"),
    ("E0805", "program::a_changed_snapshot_fails_until_it_is_accepted"),
];

#[test]
fn every_error_code_has_a_fixture() {
    let shown: BTreeSet<String> = fixture_files().into_iter().flat_map(|path| read(path).codes).collect();
    let excused = |code: &str| ELSEWHERE.iter().any(|(other, _)| *other == code);
    let missing: Vec<&str> = CODES
        .iter()
        .filter(|info| info.severity == Severity::Error && !shown.contains(info.text) && !excused(info.text))
        .map(|info| info.text)
        .collect();
    assert!(missing.is_empty(), "codes without a fixture: {}", missing.join(" "));
}

#[test]
fn every_code_is_explained() {
    for info in CODES {
        assert!(info.explain.len() > 60, "{} has no page", info.text);
        assert!(info.title.chars().next().is_some_and(|first| !first.is_uppercase()), "{}: {}", info.text, info.title);
    }
}
