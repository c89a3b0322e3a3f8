//! The house rules that a glance can check.

use super::support::root;
use std::path::{Path, PathBuf};

/// The folders of src, lowest first: each may use those before it and nothing after it.
const ORDER: [&str; 9] = ["base", "syntax", "model", "core", "program", "engine", "play", "ide", "front"];

/// Longest source file, in lines.
const LONGEST: usize = 800;

fn sources(folder: &str) -> Vec<(PathBuf, String)> {
    let mut found = Vec::new();
    let mut open = vec![root().join(folder)];
    while let Some(folder) = open.pop() {
        let Ok(entries) = std::fs::read_dir(&folder) else { continue };
        for path in entries.map(|entry| entry.unwrap().path()) {
            if path.is_dir() {
                open.push(path);
            } else if let Ok(text) = std::fs::read_to_string(&path) {
                found.push((path, text));
            }
        }
    }
    found.sort();
    found
}

fn ends_with(path: &Path, ending: &str) -> bool {
    path.extension().is_some_and(|found| found == ending)
}

#[test]
fn no_stage_uses_a_later_one() {
    let mut wrong = Vec::new();
    for (rank, folder) in ORDER.iter().enumerate() {
        for (path, text) in sources(&format!("src/{folder}")) {
            for later in &ORDER[rank + 1..] {
                for (number, line) in text.lines().enumerate() {
                    let code = line.split("//").next().unwrap_or_default();
                    if code.contains(&format!("crate::{later}::")) || code.contains(&format!("crate::{later};")) {
                        wrong.push(format!("{}:{}: {folder} uses {later}", path.display(), number + 1));
                    }
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_folder_of_src_has_a_rank() {
    for entry in std::fs::read_dir(root().join("src")).unwrap() {
        let entry = entry.unwrap();
        if entry.path().is_dir() {
            let name = entry.file_name().into_string().unwrap();
            assert!(ORDER.contains(&name.as_str()), "src/{name} has no rank");
        }
    }
}

#[test]
fn the_program_knows_no_game() {
    // Words of the shipped and planned games; none of them may be known to the engine or the language.
    let words = [
        "munch",
        "hunger",
        "snack",
        "scrunch",
        "wriggle",
        "treasure",
        "stoneskin",
        "tic-tac-toe",
        "zombie",
        "munchkin",
        "trapdoor",
    ];
    // Unit tests play shipped games, and the command line names them in its examples.
    let excused = |path: &Path| path.starts_with(root().join("src/front")) || path.ends_with("tests.rs");
    let mut wrong = Vec::new();
    for (path, text) in sources("src").into_iter().chain(sources("grammar")) {
        if excused(&path) {
            continue;
        }
        for (number, line) in text.lines().enumerate() {
            let lower = line.to_lowercase();
            for word in words.iter().filter(|word| lower.contains(*word)) {
                wrong.push(format!("{}:{}: `{word}`", path.display(), number + 1));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn source_files_stay_short() {
    let mut wrong = Vec::new();
    for (path, text) in sources("src").into_iter().chain(sources("tests")).chain(sources("benches")) {
        let lines = text.lines().count();
        // The table of codes is one table, and grows by a page for each.
        let table = path.ends_with("base/codes.rs");
        if ends_with(&path, "rs") && !table && lines > LONGEST {
            wrong.push(format!("{} has {lines} lines", path.display()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
