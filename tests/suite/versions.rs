//! `cardwright diff`: what a change does to play, and which change it was.

use super::support::{cardwright, golden, stderr, stdout};
use serde_json::Value;
use std::path::Path;

/// The game of `cardwright new` in the folder `old`, and a copy of it in `new` with texts put in the place of others.
fn versions(folder: &Path, changes: &[(&str, &str, &str)]) {
    assert!(cardwright(folder, &["new", "old"], "").status.success());
    assert!(cardwright(folder, &["eject", "./old", "new"], "").status.success());
    for (file, from, to) in changes {
        let path = folder.join("new").join(file);
        let text = std::fs::read_to_string(&path).unwrap();
        assert!(text.contains(from), "{text}");
        std::fs::write(&path, text.replacen(from, to, 1)).unwrap();
    }
}

const RULES: &str = "rules/old.rules";
const CARDS: &str = "cards/old.cards";
const NUMBER: (&str, &str, &str) = (CARDS, "shine: 2", "shine: 3");
const CONDITION: (&str, &str, &str) = (RULES, "choose c in me.hand", "choose c in me.hand where c.shine > 1");

/// What is printed of the changed version, and how it ends.
fn diff(changes: &[(&str, &str, &str)], more: &[&str]) -> (String, Option<i32>) {
    let folder = tempfile::tempdir().unwrap();
    versions(folder.path(), changes);
    let args = [&["diff", "./old", "./new", "--games", "12"], more].concat();
    let output = cardwright(folder.path(), &args, "");
    assert!(output.status.success() || stderr(&output).contains("differ"), "{}", stderr(&output));
    (stdout(&output), output.status.code())
}

#[test]
fn a_changed_number_is_seen_where_it_first_counts() {
    let (text, code) = diff(&[NUMBER], &[]);
    golden("diff", "number", &text);
    assert_eq!(code, Some(1));
}

#[test]
fn a_changed_condition_is_seen_in_the_options() {
    let (text, code) = diff(&[CONDITION], &["--seed", "2"]);
    golden("diff", "condition", &text);
    assert_eq!(code, Some(1));
}

#[test]
fn an_added_card_is_the_cause_of_every_other_draw() {
    let one = "}\n\nlantern \"Night Light\" {\n  shine: 5\n  copies: 8\n}\n\n// Takes a point";
    let (text, code) = diff(&[(CARDS, "}\n\n// Takes a point", one)], &[]);
    golden("diff", "card", &text);
    assert_eq!(code, Some(1));
}

#[test]
fn comments_spaces_and_the_order_of_items_change_nothing() {
    let kind = "verb gain n: number for p: player = me { increase p.points by n }\n";
    let changes = [
        (CARDS, "shine: 1", "shine:   1  // dim"),
        (RULES, kind, ""),
        (RULES, "flow {", &format!("{kind}// The rounds.\nflow {{")),
    ];
    let (text, code) = diff(&changes, &[]);
    golden("diff", "comments", &text);
    assert_eq!(code, Some(0));
}

#[test]
fn what_no_game_notices_is_named_all_the_same() {
    let (text, code) = diff(&[(RULES, "counter points: 0..30", "counter points: 0..31")], &[]);
    assert_eq!(code, Some(0), "{text}");
    assert!(
        text.contains("no game of 12 differs\n\nchanged, but no difference shows in 12 games:\n  changed player  ["),
        "{text}"
    );
}

#[test]
fn words_alone_do_not_hide_what_comes_after_them() {
    let words = (RULES, "Light which lantern?", "Which one?");
    let (text, code) = diff(&[words], &["--json"]);
    let report: Value = serde_json::from_str(&text).unwrap();
    assert_eq!((report["differ"].as_u64(), report["words_only"].as_u64(), code), (Some(0), Some(12), Some(1)));
    assert_eq!(report["groups"][0]["difference"], "words");
    assert_eq!(report["old"], report["new"], "who wins does not depend on it");
    let (text, _) = diff(&[words, NUMBER], &["--json"]);
    let report: Value = serde_json::from_str(&text).unwrap();
    let groups = report["groups"].as_array().unwrap();
    let causes: Vec<(&str, &str)> = groups
        .iter()
        .map(|group| (group["difference"].as_str().unwrap(), group["cause"]["name"].as_str().unwrap()))
        .collect();
    assert_eq!(causes, [("events", "lantern \"Storm Lamp\""), ("words", "action light")], "{text}");
    assert_eq!(report["differ"], 12);
}

/// Of several changes the one that makes the difference is found, though the rule that shows it reads none of them by name.
#[test]
fn the_cause_is_the_change_without_which_there_is_no_difference() {
    let score = (RULES, "number = p.points", "number = p.points + bonus(p)\ndefine bonus(p: player): number = 1");
    let unmet = (RULES, "counter points: 0..30", "counter points: 0..31");
    let (text, _) = diff(&[unmet, score], &["--json"]);
    let report: Value = serde_json::from_str(&text).unwrap();
    let groups = report["groups"].as_array().unwrap();
    assert_eq!(groups.len(), 1, "{text}");
    assert_eq!(
        (groups[0]["difference"].as_str(), groups[0]["cause"]["name"].as_str()),
        (Some("outcome"), Some("define score"))
    );
    let unmet: Vec<&str> =
        report["unmet"].as_array().unwrap().iter().map(|part| part["name"].as_str().unwrap()).collect();
    assert_eq!(unmet, ["player", "define bonus"]);
}

#[test]
fn a_game_that_cannot_go_on_is_an_ending_of_its_own() {
    let endless = (RULES, "setup {", "rule more { after gain { gain 1 } }\n\nsetup {");
    let (text, code) = diff(&[endless], &["--json"]);
    let report: Value = serde_json::from_str(&text).unwrap();
    let failed = report["new"]["failed"].as_object().unwrap();
    assert!(failed.contains_key("L12"), "{text}");
    assert_eq!(failed.values().map(|count| count.as_u64().unwrap()).sum::<u64>(), 12, "{text}");
    assert_eq!((report["new"]["ended"].as_u64(), report["old"]["ended"].as_u64(), code), (Some(0), Some(12), Some(1)));
    let group = &report["groups"][0];
    assert_eq!(
        (group["difference"].as_str(), group["cause"]["name"].as_str()),
        (Some("ending"), Some("rule more")),
        "{text}"
    );
}

#[test]
fn the_keys_lead_to_the_position_in_which_a_game_differs() {
    let folder = tempfile::tempdir().unwrap();
    versions(folder.path(), &[NUMBER]);
    let output = cardwright(folder.path(), &["diff", "./old", "./new", "--seed", "3", "--keys"], "");
    let record = stdout(&output);
    assert!(record.contains("#     only new: player 1 points: 0 -> 3\n"), "{record}");
    std::fs::write(folder.path().join("keys.txt"), &record).unwrap();
    let args = ["play", "./new", "--seed", "3", "--players", "human,human", "--script", "keys.txt", "--plain"];
    let played = stdout(&cardwright(folder.path(), &args, ""));
    assert!(played.contains("player 1 points: 0 -> 3"), "{played}");
}

#[test]
fn a_version_can_be_a_revision_in_git() {
    let folder = tempfile::tempdir().unwrap();
    let git = |args: &[&str]| {
        let set = ["-c", "user.name=a", "-c", "user.email=a@b", "-c", "commit.gpgsign=false"];
        let output =
            std::process::Command::new("git").args(set).args(args).current_dir(folder.path()).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    };
    versions(folder.path(), &[NUMBER]);
    git(&["init", "-q"]);
    git(&["add", "old", "new"]);
    git(&["commit", "-q", "-m", "first"]);
    let text = |old: &str, new: &str| {
        let output = cardwright(folder.path(), &["diff", old, new, "--games", "3"], "");
        (stdout(&output), stderr(&output), output.status.code())
    };
    let (same, _, code) = text("HEAD:old", "./old");
    assert!(same.contains("no game of 3 differs\n\n   ") && code == Some(0), "{same}");
    let (other, _, code) = text("HEAD:./old/", "new");
    assert!(
        other.contains("lantern \"Storm Lamp\"  [HEAD:./old/cards/old.cards:17:10 -> new/cards/old.cards:17:10]"),
        "{other}"
    );
    assert_eq!(code, Some(1));
    // From within the game's folder.
    let within = cardwright(&folder.path().join("old"), &["diff", "HEAD:./", ".", "--games", "3"], "");
    assert!(stdout(&within).contains("no game of 3 differs"), "{}", stderr(&within));
    for (name, reason) in [
        ("HEAD:no", "git finds no `HEAD:no`"),
        ("HEAD:old/rules", "it has no `game.toml`"),
        ("HEAD~1", "a folder is named, `HEAD~1:./` that at hand"),
    ] {
        let (_, problem, code) = text(name, "./new");
        assert!(problem.contains(reason) && code == Some(2), "{problem}");
    }
}

#[test]
fn versions_that_cannot_be_compared_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    versions(folder.path(), &[("game.toml", "min = 2\nmax = 4", "min = 5\nmax = 6")]);
    let ends = |more: &[&str]| {
        let output = cardwright(folder.path(), &[&["diff", "./old", "./new"], more].concat(), "");
        (output.status.code(), stderr(&output))
    };
    let (code, problem) = ends(&[]);
    assert!(
        code == Some(2) && problem.contains("the old version is for 2 to 4 players, the new one for 5"),
        "{problem}"
    );
    assert_eq!(ends(&["--games", "0"]).0, Some(2));
    std::fs::write(folder.path().join("new/rules/old.rules"), "verb broken {").unwrap();
    let (code, problem) = ends(&[]);
    assert!(code == Some(1) && problem.contains("./new/rules/old.rules:1:"), "{problem}");
}
