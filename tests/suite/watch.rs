//! `cardwright watch`: an edit is checked, the scenarios that it can touch are run, and both are shown.

use super::support::cardwright;
use cardwright::play::{Package, Retests};
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

const MANIFEST: &str =
    "name = \"lairs\"\ntitle = \"Lairs\"\nversion = \"1.0.0\"\nedition = 1\n[players]\nmin = 2\nmax = 2\n";
const RULES: &str = "\
kind monster : card { field level: 1..20 = 1 }
option most: 1..9 = 3
zone deck { holds: monster  order: pile  starts: monster }
player { counter bites: 0..99 }
define score(p: player): number = p.bites
action meet { increase me.bites by sum level of top(deck) }
flow { turns turn from seat(1) for 1 round { choose action meet } }
";
const CARDS: &str = "cards of monster from \"m.csv\"\nmonster \"Bat\" { }\n";
const TABLE: &str = "name,level\nGhoul,3\nOgre,9\n";
const SCENARIOS: &str = "\
scenario \"how strong\" { expect sum level of deck = 13 }
scenario \"bats\" { expect sum level of monster \"Bat\" = 1 }
scenario \"more of it\" { option most = 4  expect most = 4 }
";

fn lairs() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let files =
        [("game.toml", MANIFEST), ("a.rules", RULES), ("a.cards", CARDS), ("m.csv", TABLE), ("a.scenario", SCENARIOS)];
    for (path, text) in files {
        std::fs::write(folder.path().join(path), text).unwrap();
    }
    folder
}

fn change(folder: &Path, file: &str, old: &str, new: &str) {
    let text = std::fs::read_to_string(folder.join(file)).unwrap();
    assert!(text.contains(old), "{file}: {text}");
    std::fs::write(folder.join(file), text.replace(old, new)).unwrap();
}

/// Looks, runs what has to be run, and gives how many that were.
fn run(tests: &mut Retests) -> usize {
    tests.look().unwrap();
    while tests.run_next().unwrap() {}
    tests.ran
}

#[test]
fn an_edit_runs_what_it_can_touch() {
    let folder = lairs();
    let mut tests = Retests::new(Package::folder(folder.path()));
    let failed = |tests: &Retests| tests.failed().map(|verdict| verdict.title.clone()).collect::<Vec<_>>();
    assert_eq!((run(&mut tests), tests.passed(), tests.left()), (3, 3, 0), "{}", tests.summary());
    assert_eq!(run(&mut tests), 0, "nothing was edited");
    change(folder.path(), "a.cards", "monster \"Bat\" { }", "// small\nmonster \"Bat\" {\n}");
    assert_eq!(run(&mut tests), 0, "comments and line breaks say nothing");
    change(folder.path(), "a.scenario", "= 13", "= 14");
    assert_eq!((run(&mut tests), failed(&tests)), (1, vec!["how strong".to_owned()]), "one scenario was edited");
    change(folder.path(), "m.csv", "Ogre,9", "Ogre,10");
    assert_eq!((run(&mut tests), tests.passed()), (3, 3), "a table is content");
    change(folder.path(), "a.cards", "\"Bat\" {", "\"Bat\" { level: 2");
    tests.look().unwrap();
    assert_eq!((tests.left(), tests.passed()), (3, 0));
    assert!(tests.run_next().unwrap());
    assert_eq!(failed(&tests), ["bats"], "what names the edited card is run first");
    assert_eq!(tests.left(), 2);
    // What an edit has interrupted is run after it.
    change(folder.path(), "a.cards", "level: 2", "level: 3");
    assert_eq!((run(&mut tests), tests.passed(), tests.left()), (3, 1, 0));
    change(folder.path(), "a.cards", "level: 3", "");
    assert_eq!((run(&mut tests), tests.passed()), (3, 3));
    change(folder.path(), "m.csv", "Ogre,10", "Ogre,100");
    assert_eq!((run(&mut tests), tests.is_sound(), tests.errors()), (0, false, 1));
    assert!(tests.summary().contains("scenarios wait"), "{}", tests.summary());
    change(folder.path(), "m.csv", "Ogre,100", "Ogre,10");
    assert_eq!(
        (run(&mut tests), tests.passed(), tests.is_sound()),
        (0, 3, true),
        "what passed on the same content holds"
    );
}

#[test]
fn translations_are_looked_at_and_no_scenario_is_run_for_them() {
    let folder = lairs();
    std::fs::create_dir(folder.path().join("locales")).unwrap();
    let file = "locales/de.toml";
    std::fs::write(folder.path().join(file), "[\"title\"]\nfrom = \"Lairs\"\nto = \"Höhlen\"\n").unwrap();
    let mut tests = Retests::new(Package::folder(folder.path()));
    let codes = |tests: &Retests| tests.diagnostics.iter().map(|it| it.code.text()).collect::<Vec<_>>();
    assert_eq!((run(&mut tests), codes(&tests)), (3, vec!["W0035"]), "much is without a translation");
    change(folder.path(), file, "title", "tilte");
    assert_eq!((run(&mut tests), codes(&tests)), (0, vec!["W0035", "W0037"]));
    change(folder.path(), file, "to = \"Höhlen\"", "to = 3");
    assert_eq!((run(&mut tests), tests.errors(), tests.is_sound(), tests.passed()), (0, 1, true, 3), "it is played on");
}

/// A process that is ended when it is no longer needed.
struct Watching(Child, Receiver<String>);

impl Watching {
    fn begin(folder: &Path) -> Watching {
        let mut child = Command::new(env!("CARGO_BIN_EXE_cardwright"))
            .args(["watch", "."])
            .current_dir(folder)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let (sender, receiver) = channel();
        let lines = BufReader::new(child.stdout.take().unwrap()).lines();
        std::thread::spawn(move || lines.map_while(Result::ok).try_for_each(|line| sender.send(line)));
        Watching(child, receiver)
    }

    /// Reads on until a line has these words.
    fn until(&self, words: &str) {
        let mut seen = Vec::new();
        while let Ok(line) = self.1.recv_timeout(Duration::from_secs(60)) {
            seen.push(line);
            if seen.last().unwrap().contains(words) {
                return;
            }
        }
        panic!("`{words}` is not shown: {seen:#?}");
    }
}

impl Drop for Watching {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[cfg(feature = "terminal")]
#[test]
fn what_is_saved_is_checked_and_tested_and_shown() {
    let folder = lairs();
    let watching = Watching::begin(folder.path());
    watching.until("0 errors, 0 warnings; 3 of 3 scenarios passed");
    change(folder.path(), "m.csv", "Ogre,9", "Ogre,99");
    watching.until("1 error, 0 warnings; scenarios wait");
    watching.until("m.csv:3:6");
    change(folder.path(), "m.csv", "Ogre,99", "Ogre,8");
    watching.until("2 of 3 scenarios passed, 1 failed");
    watching.until("FAILED  how strong");
    change(folder.path(), "a.scenario", "= 13", "= 12");
    watching.until("3 of 3 scenarios passed, 1 run");
    // That the checker reads the files is no edit: nothing more is shown.
    while watching.1.recv_timeout(Duration::from_millis(300)).is_ok() {}
    assert!(watching.1.recv_timeout(Duration::from_millis(300)).is_err());
}

#[test]
fn what_is_built_in_is_not_watched() {
    let folder = tempfile::tempdir().unwrap();
    let output = cardwright(folder.path(), &["watch", "tic-tac-toe"], "");
    assert_eq!(output.status.code(), Some(2));
}
