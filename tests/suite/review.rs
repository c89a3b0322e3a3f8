//! `cardwright test --review`: what has changed, by its causes, and what becomes of it.

use super::support::{cardwright, golden, stderr, stdout};
use std::path::Path;
use std::process::Command;

const SCENARIOS: &str = r#"scenario "a candle" {
  seed 5
  given { move first(lantern "Candle") to seat(1).hand }
  play "light Candle"
  snapshot
}
scenario "another candle" {
  seed 6
  given { move first(lantern "Candle") to seat(1).hand }
  play "light Candle"
  snapshot
}
scenario "a storm" {
  seed 7
  given { move first(lantern "Storm Lamp") to seat(1).hand  set seat(2).points = 2 }
  play "light Storm Lamp"
  play "player 2"
  snapshot
}
"#;

fn git(at: &Path, args: &[&str]) {
    let set = ["-c", "user.name=a", "-c", "user.email=a@b", "-c", "commit.gpgsign=false"];
    let output = Command::new("git").args(set).args(args).current_dir(at).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

/// A game with accepted records, committed or not, in which two cards have changed since.
fn changed(at: &Path, committed: bool) {
    assert!(cardwright(at, &["new", "lamps"], "").status.success());
    std::fs::write(at.join("lamps/scenarios/lamps.scenario"), SCENARIOS).unwrap();
    assert!(cardwright(at, &["test", "./lamps", "--random", "0", "--accept"], "").status.success());
    assert!(cardwright(at, &["test", "./lamps", "--record", "1"], "").status.success());
    if committed {
        git(at, &["init", "-q"]);
        git(at, &["add", "."]);
        git(at, &["commit", "-qm", "accepted"]);
    }
    edit(at, "cards/lamps.cards", &[("shine: 1", "shine: 3"), ("shine: 2", "shine: 4")]);
}

fn edit(at: &Path, file: &str, changes: &[(&str, &str)]) {
    let path = at.join("lamps").join(file);
    let text = std::fs::read_to_string(&path).unwrap();
    let edited = changes.iter().fold(text.clone(), |text, (from, to)| text.replacen(from, to, 1));
    assert_ne!(text, edited);
    std::fs::write(path, edited).unwrap();
}

/// What is printed, and the files that were taken.
fn test(at: &Path, flags: &[&str], answers: &str) -> (String, Vec<String>) {
    let output = cardwright(at, &[&["test", "./lamps", "--random", "0"], flags].concat(), answers);
    let taken = stderr(&output).lines().filter_map(|line| line.split("took `").nth(1)).map(file).collect();
    (stdout(&output), taken)
}

fn file(path: &str) -> String {
    path.trim_end_matches('`').rsplit('/').next().unwrap_or_default().to_owned()
}

#[test]
fn records_that_differ_are_reported_by_the_card_that_is_the_cause() {
    let folder = tempfile::tempdir().unwrap();
    changed(folder.path(), true);
    golden("review", "by_cause", &test(folder.path(), &[], "").0);
}

#[test]
fn without_git_they_are_reported_by_the_rule_behind_the_first_difference() {
    let folder = tempfile::tempdir().unwrap();
    changed(folder.path(), false);
    golden("review", "by_rule", &test(folder.path(), &[], "").0);
}

/// A change that was committed without its snapshots is no cause that today's edit could be blamed for.
#[test]
fn an_edit_is_no_cause_of_what_was_different_before_it() {
    let folder = tempfile::tempdir().unwrap();
    changed(folder.path(), true);
    git(folder.path(), &["commit", "-qam", "cards"]);
    edit(folder.path(), "rules/lamps.rules", &[("counter points: 0..30", "counter points: 0..31")]);
    let (text, _) = test(folder.path(), &[], "");
    assert!(
        !text.contains("cause: ") && text.contains("what happens differs, first in gain  [./lamps/rules"),
        "{text}"
    );
}

#[test]
fn answers_are_for_one_record_or_for_its_group_and_can_be_undone() {
    let candles = ["lamps__a-candle.snap", "lamps__another-candle.snap"];
    for (answers, taken) in [
        ("y\nn\n", &candles[..1]),
        ("g\n", &candles[..]),
        ("s\nq\n", &[]),
        ("n\nu\ny\nq\n", &candles[..1]),
        ("u\nbogus\n", &[]),
    ] {
        let folder = tempfile::tempdir().unwrap();
        changed(folder.path(), true);
        std::fs::remove_dir_all(folder.path().join("lamps/records")).unwrap();
        let (text, took) = test(folder.path(), &["--review"], answers);
        assert_eq!(took, taken, "{answers:?}: {text}");
        let left = 3 - taken.len();
        assert_eq!(text.matches("not taken: ").count(), left, "{answers:?}: {text}");
        assert_eq!(test(folder.path(), &[], "").0.matches("\n  cause: ").count(), if taken.len() > 1 { 1 } else { 2 });
    }
}

#[test]
fn undo_gives_back_a_whole_group() {
    let folder = tempfile::tempdir().unwrap();
    changed(folder.path(), true);
    let (before, _) = test(folder.path(), &[], "");
    let (text, took) = test(folder.path(), &["--review"], "g\nu\nq\n");
    assert!(took.len() > 1 && text.contains("0 of 3 scenarios passed"), "{text}");
    assert_eq!(test(folder.path(), &[], "").0, before);
    let (text, took) = test(folder.path(), &["--review"], "n\na\n");
    assert_eq!((took.len(), text.matches("not taken: ").count()), (3, 1), "{text}");
}
