//! The shipped games load without a finding; the model of a small game is what its text says.

use std::collections::BTreeMap;
use std::path::Path;

use super::{Loaded, load};
use crate::base::{MemoryWorld, render_text};

/// The package in a folder.
fn folder(path: &Path) -> MemoryWorld {
    fn add(world: &mut MemoryWorld, root: &Path, at: &Path) {
        let mut entries: Vec<_> = std::fs::read_dir(at).unwrap().map(|entry| entry.unwrap().path()).collect();
        entries.sort();
        for path in entries {
            if path.is_dir() {
                add(world, root, &path);
            } else if let Ok(text) = std::fs::read_to_string(&path) {
                let name = path.strip_prefix(root).unwrap().to_string_lossy().replace('\\', "/");
                world.files.insert(name, text);
            }
        }
    }
    let mut world = MemoryWorld::default();
    add(&mut world, path, path);
    world
}

fn findings(loaded: &Loaded) -> String {
    render_text(&loaded.diagnostics, &loaded.sources, false)
}

#[test]
fn shipped_games_have_no_findings() {
    let content = Path::new(env!("CARGO_MANIFEST_DIR")).join("content");
    for entry in std::fs::read_dir(content).unwrap() {
        let loaded = load(&folder(&entry.unwrap().path()), &BTreeMap::new(), None);
        assert!(loaded.diagnostics.is_empty(), "{}", findings(&loaded));
        assert!(loaded.rules.is_some());
    }
}

/// Codes of findings that only play makes.
const OF_PLAY: [&str; 13] =
    ["E0701", "E0702", "E0703", "E0704", "E0801", "E0802", "E0805", "E0806", "L06", "L07", "L08", "L09", "L12"];

/// A fixture as `tests/suite/errors.rs` describes it.
#[derive(Default)]
struct Fixture {
    codes: Vec<String>,
    world: MemoryWorld,
    options: BTreeMap<String, String>,
    variant: Option<String>,
}

fn fixture(text: &str, base: &str) -> Fixture {
    let mut fixture = Fixture::default();
    let mut file = None;
    for line in text.lines() {
        if let Some(path) = line.strip_prefix("-- ").and_then(|rest| rest.strip_suffix(" --")) {
            fixture.world.files.insert(path.to_owned(), String::new());
            file = Some(path.to_owned());
        } else if let Some(path) = &file {
            let text = fixture.world.files.get_mut(path).unwrap();
            *text += line;
            *text += "\n";
        } else if let Some((name, value)) = line.strip_prefix("option ").and_then(|rest| rest.split_once('=')) {
            fixture.options.insert(name.to_owned(), value.to_owned());
        } else if let Some(name) = line.strip_prefix("variant ") {
            fixture.variant = Some(name.to_owned());
        } else {
            fixture.codes = line.split_whitespace().map(str::to_owned).collect();
            if fixture.codes.pop_if(|last| last == "base").is_some() {
                fixture.world.files.insert("base.rules".to_owned(), base.to_owned());
            }
        }
    }
    let manifest = "name = \"fixture\"\ntitle = \"A fixture\"\nversion = \"1.0.0\"\nedition = 1\n\
        description = \"Has a mistake.\"\n\n[players]\nmin = 2\nmax = 2\n";
    let given = fixture.world.files.entry("game.toml".to_owned()).or_insert_with(|| manifest.to_owned());
    if given.trim() == "none" {
        fixture.world.files.remove("game.toml");
    }
    fixture
}

#[test]
fn mistakes_are_found() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures");
    let base = std::fs::read_to_string(folder.join("base.rules")).unwrap();
    let mut seen = 0;
    for entry in std::fs::read_dir(folder.join("errors")).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|ending| ending != "txt") {
            continue;
        }
        let fixture = fixture(&std::fs::read_to_string(&path).unwrap(), &base);
        let loaded = load(&fixture.world, &fixture.options, fixture.variant.as_deref());
        for code in fixture.codes.iter().filter(|code| !OF_PLAY.contains(&code.as_str())) {
            let found = loaded.diagnostics.iter().any(|found| found.code.text() == code);
            assert!(found, "{}: no {code} in\n{}", path.display(), findings(&loaded));
            seen += 1;
        }
    }
    assert!(seen > 200, "{seen} mistakes");
}

#[test]
fn every_construct_is_understood() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/model/wide");
    let loaded = load(&folder(&path), &BTreeMap::new(), None);
    let rules = loaded.rules.as_ref().unwrap_or_else(|| panic!("{}", findings(&loaded)));
    assert_eq!(loaded.scenarios.len(), 1);
    let text = super::dump(rules);
    for line in [
        // A binder of a filter, then one of the narrowed kind.
        "sum(it1 in where(it0 in this.table: (it0 is tool)): Add(it1.cost, ask it1.bonus(this)))",
        // What is armed keeps what it mentions of its surroundings, after the parameters of the event.
        "clause 3 After buff captures 3->2 4->3",
        // `for VERB` is a filter like any other.
        "targetable(drop, it2 ignoring loud)",
        // A stored test uses the name of the parameter it is for.
        "lambda#82 { ((c0.colour = red) and (c0 is tool)) }",
        "notation \"{c2}:{s1.size}\"",
        "repeat until not((some(zone deck) and (game.quiet < 3)))",
    ] {
        assert!(text.contains(line), "no `{line}` in\n{text}");
    }
}

#[test]
fn options_win_over_defaults() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/model/wide");
    let options = BTreeMap::from([("side".to_owned(), "7".to_owned()), ("trump".to_owned(), "red".to_owned())]);
    let rules = load(&folder(&path), &options, None).rules.unwrap();
    let board = super::rules::BoardShape::Square { columns: 7, rows: 7 };
    assert_eq!(rules.boards.first().map(|board| &board.shape), Some(&board));
    assert_eq!(rules.options.iter().map(|option| option.value).collect::<Vec<_>>(), [7, 0, 0]);
}
