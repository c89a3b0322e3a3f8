//! The examples of `cardwright explain` do what they say: what a page calls wrong shows its code, and what it calls right
//! shows no error. `tests/fixtures/explain.txt` has what stands around them.

use super::support::root;
use cardwright::base::{CODES, Diagnostic, MemoryWorld, render_text};
use cardwright::play::scenario::run_all;
use cardwright::play::{Checked, Game, Options, Package};
use std::collections::BTreeMap;
use std::sync::Arc;

const MANIFEST: &str = "name = \"fixture\"\ntitle = \"A fixture\"\nversion = \"1.0.0\"\nedition = 1\n\
                        players = { min = 2, max = 2 }\n";

/// Codes whose examples are told in words, or are about commands and not about content; tests elsewhere show them.
const IN_WORDS: &[&str] = &[
    "E0506", "E0612", "E0617", "E0618", "E0619", "E0622", "E0623", "E0624", "E0805", "E0902", "E0903", "L01", "L02",
    "L03", "L04", "L05", "L09", "L10", "L13", "L14", "W0013", "W0021", "W0047", "W0022", "L15", "W0017",
];

/// The files around the examples of a code: side (`wrong`, `right` or none), path and text.
type Around = Vec<(String, String, String)>;

fn sections() -> BTreeMap<String, (Option<String>, Around)> {
    let text = std::fs::read_to_string(root().join("tests/fixtures/explain.txt")).unwrap();
    let mut sections: BTreeMap<String, (Option<String>, Around)> = BTreeMap::new();
    let mut code = String::new();
    for line in text.lines() {
        if let Some(head) = line.strip_prefix("== ") {
            let mut words = head.split_whitespace().map(str::to_owned);
            code = words.next().unwrap();
            let before = sections.insert(code.clone(), (words.next(), Vec::new()));
            assert!(before.is_none(), "{code} stands twice");
        } else if let Some(path) = line.strip_prefix("-- ").and_then(|rest| rest.strip_suffix(" --")) {
            let (side, path) = path.split_once(' ').unwrap_or(("", path));
            sections.get_mut(&code).unwrap().1.push((side.to_owned(), path.to_owned(), String::new()));
        } else if let Some((_, around)) = sections.get_mut(&code) {
            let (_, _, text) = around.last_mut().unwrap_or_else(|| panic!("{code} has text before its first file"));
            text.push_str(line);
            text.push('\n');
        }
    }
    sections
}

/// What a page has in backquotes behind `Wrong:` or `Right:`.
fn examples(explain: &str, side: &str) -> Vec<String> {
    let line = explain.lines().find_map(|line| line.strip_prefix(side)).unwrap_or("");
    line.split('`').skip(1).step_by(2).map(str::to_owned).collect()
}

/// Puts the examples into the files around them.
fn filled(around: &Around, side: &str, examples: &[String]) -> Vec<(String, String)> {
    let of_side = around.iter().filter(|(own, _, _)| own.is_empty() || own == side);
    let files = of_side.map(|(_, path, text)| {
        let mut text = text.clone();
        for (index, example) in examples.iter().enumerate() {
            text = text.replace(&format!("${}", index + 1), example);
        }
        (path.clone(), text)
    });
    files.collect()
}

/// Everything that checking and testing a package says.
fn said(files: &[(String, String)]) -> String {
    let mut world = MemoryWorld::default();
    for (path, text) in files {
        match path.strip_prefix("../").and_then(|path| path.split_once('/')) {
            Some((package, path)) => {
                let other = world.neighbours.entry(package.to_owned()).or_default();
                other.prefix = format!("../{package}/");
                other.files.insert(path.to_owned(), text.clone());
            }
            None => drop(world.files.insert(path.clone(), text.clone())),
        }
    }
    world.files.entry("game.toml".to_owned()).or_insert_with(|| MANIFEST.to_owned());
    let more = world.neighbours.get("more").map(|more| Package::memory("more", more.clone()));
    let package = Package::memory("fixture", world).with(more.into_iter().collect());
    let checked = Checked::new(&package, &Options::new(), None).unwrap();
    let mut text = render_text(&checked.diagnostics, &checked.sources, false);
    if !checked.diagnostics.iter().any(Diagnostic::is_error) {
        let game = Arc::new(Game::load(&package, &Options::new(), None).unwrap());
        let failures = run_all(&game).unwrap().into_iter().filter_map(|verdict| verdict.failure);
        failures.for_each(|failure| text.push_str(&failure.report()));
    }
    text
}

#[test]
fn what_explain_calls_wrong_is_wrong_and_what_it_calls_right_is_right() {
    let sections = sections();
    let mut problems = Vec::new();
    for info in CODES {
        let Some((kit, around)) = sections.get(info.text) else {
            if !IN_WORDS.contains(&info.text) {
                problems.push(format!("{} has no section in tests/fixtures/explain.txt", info.text));
            }
            continue;
        };
        let mut whole = kit.as_ref().map_or_else(Vec::new, |kit| sections[kit].1.clone());
        whole.extend(around.iter().cloned());
        for side in ["wrong", "right"] {
            let head = if side == "wrong" { "Wrong: " } else { "Right: " };
            let files = filled(&whole, side, &examples(info.explain, head));
            let text = said(&files);
            let shows = text.contains(&format!("[{}]", info.text));
            let sound = !text.contains("error[");
            if side == "wrong" && !shows || side == "right" && (shows || !sound) {
                problems.push(format!("{} {side}: {text}\n{files:#?}", info.text));
            }
            if files.iter().any(|(_, text)| text.contains('$')) {
                problems.push(format!("{} {side}: the page has fewer examples than are asked for", info.text));
            }
        }
    }
    assert!(problems.is_empty(), "{} problems\n{}", problems.len(), problems.join("\n"));
}
