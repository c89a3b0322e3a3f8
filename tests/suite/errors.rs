//! The messages for mistakes. A fixture is one file, `tests/fixtures/errors/err_NAME.txt`:
//!
//! ```text
//! E0101 base                  the codes it must show, and `base` to begin from the sound game in base.rules; then
//! option NAME=VALUE           lines such as these, `variant NAME`, and `with NAME` for an expansion
//! -- game.toml --             may be left out: then it is a sound manifest for two players
//! name = "..."
//! -- a.rules --             a path `../NAME/FILE` is a file of another package; an expansion may do without a manifest
//! flow { ... }
//! ```
//!
//! A file `-- mended PATH --` is the file of that path as the help says to write it: then there is exactly one error, and none
//! when it is mended.
//!
//! A file of another ending is a text or manifest alone, and only the reader is asked. If the checker finds no error, the scenarios are run and their failures shown.

use super::support::{golden, root};
use cardwright::base::{CODES, FileId, MemoryWorld, Severity, SourceMap, render_text};
use cardwright::play::scenario::run_all;
use cardwright::play::{Checked, Game, Options, Package};
use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::{Path, PathBuf};
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

pub(super) struct Fixture {
    pub(super) name: String,
    codes: Vec<String>,
    pub(super) options: Options,
    pub(super) variant: Option<String>,
    with: Vec<String>,
    pub(super) world: MemoryWorld,
    /// The files in which the mistake is mended.
    mended: MemoryWorld,
}

impl Fixture {
    pub(super) fn package(&self) -> Package {
        let others = &self.world.neighbours;
        let expansion = |name: &String| {
            let world = MemoryWorld { neighbours: others.clone(), ..others.get(name).cloned().unwrap_or_default() };
            Package::memory(name, world)
        };
        Package::memory(&self.name, self.world.clone()).with(self.with.iter().map(expansion).collect())
    }

    /// The text of a file, by its path as findings name it.
    pub(super) fn text_of(&mut self, path: &Path) -> &mut String {
        let path = path.to_str().unwrap();
        match path.strip_prefix("../").and_then(|path| path.split_once('/')) {
            Some((name, file)) => self.world.neighbours.get_mut(name).unwrap().files.get_mut(file).unwrap(),
            None => self.world.files.get_mut(path).unwrap(),
        }
    }
}

pub(super) fn fixture_files() -> Vec<PathBuf> {
    let folder = root().join("tests/fixtures/errors");
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files
}

/// The name of a fixture's golden file.
fn name_of(path: &Path) -> String {
    let name = path.file_name().unwrap().to_str().unwrap();
    let endings = [".txt", ".rules", ".cards", ".scenario", ".toml"];
    let known = name.starts_with("err_") && endings.iter().any(|ending| name.ends_with(ending));
    assert!(known, "{} is no fixture: it should be err_NAME.txt", path.display());
    name.trim_end_matches(".txt").replace('.', "_")
}

pub(super) fn read(path: &Path) -> Fixture {
    let text = std::fs::read_to_string(path).unwrap();
    let mut fixture = Fixture {
        name: name_of(path),
        codes: Vec::new(),
        options: Options::new(),
        variant: None,
        with: Vec::new(),
        world: MemoryWorld::default(),
        mended: MemoryWorld::default(),
    };
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
    let outside: Vec<String> = fixture.world.files.keys().filter(|path| path.starts_with("../")).cloned().collect();
    for path in outside {
        let text = fixture.world.files.remove(&path).unwrap();
        let (package, file) = path.trim_start_matches("../").split_once('/').unwrap();
        let other = fixture.world.neighbours.entry(package.to_owned()).or_default();
        other.prefix = format!("../{package}/");
        other.files.insert(file.to_owned(), text);
    }
    for name in &fixture.with {
        let other = fixture.world.neighbours.entry(name.clone()).or_default();
        other.prefix = format!("../{name}/");
        other.files.entry("game.toml".to_owned()).or_insert_with(|| {
            format!(
                "name = \"{name}\"\ntitle = \"{name}\"\nversion = \"1.0.0\"\nedition = 1\nkind = \"expansion\"\n\
                 extends = {{ fixture = \"1.0.0\" }}\n"
            )
        });
    }
    if fixture.world.files.get("game.toml").is_some_and(|text| text.trim() == "none") {
        fixture.world.files.remove("game.toml");
    } else {
        fixture.world.files.entry("game.toml".to_owned()).or_insert_with(|| MANIFEST.to_owned());
    }
    let mended = fixture.world.files.keys().filter_map(|path| path.strip_prefix("mended ")).map(str::to_owned);
    for path in mended.collect::<Vec<_>>() {
        let text = fixture.world.files.remove(&format!("mended {path}")).unwrap();
        fixture.mended.files.insert(path, text);
    }
    assert!(!fixture.codes.is_empty(), "{}: its first line names no code", fixture.name);
    fixture
}

fn read_head(fixture: &mut Fixture, line: &str) {
    if let Some((name, value)) = line.strip_prefix("option ").and_then(|rest| rest.split_once('=')) {
        fixture.options.insert(name.to_owned(), value.to_owned());
    } else if let Some(name) = line.strip_prefix("variant ") {
        fixture.variant = Some(name.to_owned());
    } else if let Some(name) = line.strip_prefix("with ") {
        fixture.with.push(name.to_owned());
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
    let package = fixture.package();
    let checked = Checked::new(&package, &fixture.options, fixture.variant.as_deref()).unwrap();
    let mut text = render_text(&checked.diagnostics, &checked.sources, false);
    if checked.sound.is_some() {
        let game = Game::load(&package, &fixture.options, fixture.variant.as_deref()).unwrap();
        for verdict in run_all(&Arc::new(game)).unwrap() {
            if let Some(failure) = verdict.failure {
                write!(text, "FAILED  {}\n{}", verdict.title, failure.report()).unwrap();
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

/// What the reader says about a fixture that is a single file; if it finds nothing, what the checker says about it
/// beside the sound game.
fn single(path: &Path) -> String {
    let text = std::fs::read_to_string(path).unwrap();
    let name = path.file_name().unwrap().to_str().unwrap();
    let mut sources = SourceMap::default();
    let file = sources.add(name, &text);
    let findings = match path.extension().and_then(|ending| ending.to_str()) {
        Some("toml") => cardwright::syntax::parse_manifest(file, &text).1,
        _ => cardwright::syntax::parse(file, &text).1,
    };
    if !findings.is_empty() {
        return render_text(&findings, &sources, false);
    }
    let world = MemoryWorld::new([("game.toml", MANIFEST), ("base.rules", BASE), (name, text.as_str())]);
    let checked = Checked::new(&Package::memory(name, world), &Options::new(), None).unwrap();
    render_text(&checked.diagnostics, &checked.sources, false)
}

/// Every fixture with its message and the codes it should show.
fn all_messages() -> Vec<(String, String, Vec<String>)> {
    let message = |path: &PathBuf| {
        if path.extension().is_some_and(|ending| ending == "txt") {
            let fixture = read(path);
            (fixture.name.clone(), messages(&fixture), fixture.codes)
        } else {
            (name_of(path), single(path), vec!["E".to_owned()])
        }
    };
    fixture_files().iter().map(message).collect()
}

#[test]
fn every_mistake_has_its_message() {
    let mut wrong = Vec::new();
    for (name, text, codes) in all_messages() {
        for code in &codes {
            let shown = text.contains(&format!("[{code}]")) || code == "E" && text.contains("error[E");
            if !shown {
                wrong.push(format!("{name}: no {code} in:\n{text}"));
            }
        }
        if wrong.is_empty() {
            golden("errors", &name, &text);
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_slip_is_one_error_and_its_help_mends_it() {
    let texts = fixture_files().into_iter().filter(|path| path.extension().is_some_and(|ending| ending == "txt"));
    let mut slips = 0;
    for mut fixture in texts.map(|path| read(&path)).filter(|fixture| !fixture.mended.files.is_empty()) {
        slips += 1;
        let found = messages(&fixture);
        let errors = found.matches("error[").count();
        assert_eq!(errors, 1, "{}: {found}", fixture.name);
        assert!(found.contains("= help: "), "{}: {found}", fixture.name);
        let mended = std::mem::take(&mut fixture.mended.files);
        fixture.world.files.extend(mended);
        fixture.world.files.retain(|_, text| !text.trim().is_empty());
        let left = messages(&fixture);
        assert!(!left.contains("error[") && !left.contains("FAILED"), "{} is not mended: {left}", fixture.name);
    }
    assert!(slips > 50, "only {slips} slips");
}

/// The text that certain mends make of each file of a fixture, and whether there are any.
fn mend(fixture: &mut Fixture) -> bool {
    let checked = Checked::new(&fixture.package(), &fixture.options, fixture.variant.as_deref()).unwrap();
    let mended = cardwright::ide::mend::mended([&checked], &[]);
    for (path, (_, new)) in &mended.files {
        fixture.text_of(path).clone_from(new);
    }
    !mended.files.is_empty()
}

#[test]
fn a_certain_mend_leaves_less_that_is_wrong() {
    let texts = fixture_files().into_iter().filter(|path| path.extension().is_some_and(|ending| ending == "txt"));
    let (mut mended, mut wrong) = (0, Vec::new());
    for mut fixture in texts.map(|path| read(&path)) {
        let before = messages(&fixture);
        if !mend(&mut fixture) {
            continue;
        }
        // A mend may show what else is wrong.
        _ = (0..4).all(|_| mend(&mut fixture));
        mended += 1;
        let after = messages(&fixture);
        if after.matches("error[").count() >= before.matches("error[").count() {
            wrong.push(format!("{}:\n{before}\nbecomes\n{after}", fixture.name));
        }
    }
    assert!(wrong.is_empty(), "{} of {mended}:\n{}", wrong.len(), wrong.join("\n"));
    assert!(mended > 20, "only {mended} fixtures have a certain mend");
}

#[test]
fn a_mistake_in_a_scenario_does_not_hinder_play() {
    let broken = "scenario \"a name\" { expect nonsense = 3 }\nscenario \"a word\" { expct over }\n\
                  scenario \"a gap\" { given { set seat(1).points = first(bin).cost } expect round = 1 }\n\
                  scenario \"well\" { expect round = 1 }\n";
    let files = [("game.toml", MANIFEST), ("base.rules", BASE), ("a.scenario", broken)];
    let package = Package::memory("fixture", MemoryWorld::new(files));
    let checked = Checked::new(&package, &Options::new(), None).unwrap();
    assert_eq!(checked.diagnostics.iter().filter(|found| found.is_error()).count(), 3);
    assert!(checked.sound.is_none(), "`check` says that all is well");
    let game = Arc::new(Game::load(&package, &Options::new(), None).unwrap());
    assert_eq!(game.scenario_errors.len(), 3);
    let verdicts = run_all(&game).unwrap();
    let failed: Vec<&str> = verdicts.iter().filter(|one| one.failure.is_some()).map(|one| one.title.as_str()).collect();
    assert_eq!(failed, ["a name", "a gap"]);
    assert!(verdicts.iter().any(|verdict| verdict.title == "well"));
}

#[test]
fn a_file_in_another_encoding_is_read_and_named() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("game.toml"), MANIFEST).unwrap();
    std::fs::write(folder.path().join("base.rules"), [b"// caf\xe9\n".as_slice(), BASE.as_bytes()].concat()).unwrap();
    std::fs::write(folder.path().join("a.cards"), "tool \"Torch\" { cost: 3 }\ntool \"Rope\" { csot: 3 }\n").unwrap();
    let package = Package::folder(folder.path());
    let checked = Checked::new(&package, &Options::new(), None).unwrap();
    let text = render_text(&checked.diagnostics, &checked.sources, false);
    assert_eq!(checked.diagnostics.len(), 2, "{text}");
    assert!(text.contains("is not UTF-8 text") && text.contains("base.rules:1:7"), "{text}");
    assert!(text.contains("has no field `csot`"), "{text}");
}

#[test]
fn every_golden_message_has_its_fixture() {
    let fixtures: BTreeSet<String> = fixture_files().iter().map(|path| name_of(path)).collect();
    for entry in std::fs::read_dir(root().join("tests/golden/errors")).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        if let Some(name) = name.strip_suffix(".snap") {
            assert!(fixtures.contains(name), "tests/golden/errors/{name}.snap has no fixture");
        }
    }
}

/// Codes that need more than a fixture; the tests named cover them.
const ELSEWHERE: [(&str, &str); 6] = [
    ("L01", "errors::texts_that_are_too_large_are_refused"),
    ("L04", "errors::texts_that_are_too_large_are_refused"),
    ("L05", "packages::a_package_with_too_many_files_is_refused"),
    ("L10", "sessions::a_save_that_is_too_large_is_refused"),
    ("L14", "turns::a_turn_without_end_is_refused"),
    ("E0805", "program::a_changed_snapshot_fails_until_it_is_accepted"),
];

#[test]
fn texts_that_are_too_large_are_refused() {
    let code = |text: &str| cardwright::syntax::parse(FileId(0), text).1.first().map(|found| found.code.text());
    assert_eq!(code(&" ".repeat((1 << 20) + 1)), Some("L01"));
    assert_eq!(code(&format!("define many = [{}]", "1, ".repeat(300_000) + "1")), Some("L04"));
}

#[test]
fn every_error_code_has_a_fixture() {
    let all: String = all_messages().into_iter().map(|(_, text, _)| text).collect();
    let excused = |code: &str| ELSEWHERE.iter().any(|(other, _)| *other == code);
    let missing: Vec<&str> = CODES
        .iter()
        .filter(|info| {
            info.severity == Severity::Error && !all.contains(&format!("[{}]", info.text)) && !excused(info.text)
        })
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
