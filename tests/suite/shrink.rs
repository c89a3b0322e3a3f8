//! `cardwright shrink`: what is left shows the same, and nothing of it can be left out.

use super::support::{cardwright, root, stderr, stdout};
use std::path::Path;

const MANIFEST: &str = "name = \"lamps\"\ntitle = \"Lamps\"\nversion = \"1.0.0\"\nedition = 1\n[players]\nmin = 2\nmax = 2\nseats = [\"red\", \"blue\"]\n";
/// The third oil breaks the game once a wick was bought.
const RULES: &str = "\
option strict: flag = false
player { counter oil: 0..99  counter wicks: 0..99 }
game { counter lit: 0..99 }
action pour { increase me.oil by 1 }
action buy { increase me.wicks by 1 }
action light {
  let worth = if me.oil >= 3 and me.wicks > 0 then 100 / (me.wicks - 1) else 0
  increase game.lit by 1
  note \"{me} lights {worth}\"
}
flow { turns turn from seat(1) until round > 50 { choose action pour, buy, light } }
";

fn package(folder: &Path) {
    std::fs::create_dir_all(folder.join("lamps")).unwrap();
    for (path, text) in [("game.toml", MANIFEST), ("a.rules", RULES)] {
        std::fs::write(folder.join("lamps").join(path), text).unwrap();
    }
}

fn run(folder: &Path, args: &[&str]) -> (Option<i32>, String, String) {
    let output = cardwright(folder, args, "");
    (output.status.code(), stdout(&output), stderr(&output))
}

fn save(folder: &Path, typed: &str) {
    let args = ["play", "./lamps", "--players", "human,human", "--seed", "3", "--plain", "--save", "a.save"];
    cardwright(folder, &args, typed);
    assert!(folder.join("a.save").is_file());
}

#[test]
fn a_save_keeps_the_decisions_after_which_one_fails() {
    let folder = tempfile::tempdir().unwrap();
    package(folder.path());
    save(folder.path(), "light\nbuy\npour\npour\npour\nlight\nbuy\npour\nlight\nlight\npour\nbuy\nlight\n");
    let (code, said, wrong) = run(folder.path(), &["shrink", "a.save"]);
    assert_eq!(code, Some(0), "{wrong}");
    assert!(said.contains("then `pour` fails: error[E0901]") && said.contains("a.rules:"), "{said}");
    // Three times oil and a wick of one player, who is on turn every second time: what comes next can be worked out no more.
    assert!(said.starts_with("7 of 11 decisions\n"), "{said}");
    // The small save shows the same, and cannot be made smaller.
    let (_, again, _) = run(folder.path(), &["shrink", "a.save.small", "--out", "b"]);
    assert_eq!(again.lines().skip(1).collect::<Vec<_>>(), said.lines().skip(1).collect::<Vec<_>>());
    assert_eq!(
        std::fs::read(folder.path().join("a.save.small")).unwrap(),
        std::fs::read(folder.path().join("b")).unwrap()
    );
    // Nothing that is there is written over.
    let (code, _, wrong) = run(folder.path(), &["shrink", "a.save"]);
    assert!(code == Some(3) && wrong.contains("is there already"), "{wrong}");
}

#[test]
fn a_save_keeps_what_leads_to_words() {
    let folder = tempfile::tempdir().unwrap();
    package(folder.path());
    save(folder.path(), "pour\nbuy\npour\nlight\nlight\nbuy\n");
    let (code, said, wrong) = run(folder.path(), &["shrink", "a.save", "--shows", "red lights 0"]);
    assert_eq!(
        (code, said.as_str()),
        (Some(0), "1 of 6 decisions\n   1  red: light\nshows `red lights 0`\n"),
        "{wrong}"
    );
    let (code, _, wrong) = run(folder.path(), &["shrink", "a.save", "--shows", "green", "--out", "b"]);
    assert!(code == Some(1) && wrong.contains("nothing in the log"), "{wrong}");
    let (code, _, wrong) = run(folder.path(), &["shrink", "a.save", "--out", "b"]);
    assert!(code == Some(1) && wrong.contains("`--shows TEXT`"), "{wrong}");
}

#[test]
fn a_decision_that_edited_rules_refuse_is_shown_with_what_it_needs() {
    let folder = tempfile::tempdir().unwrap();
    package(folder.path());
    save(folder.path(), "pour\nbuy\npour\nlight\nlight\nbuy\n");
    let rules = RULES.replace("action light {\n", "action light {\n  requires me.oil < 2 \"too much oil\"\n");
    std::fs::write(folder.path().join("lamps/a.rules"), rules).unwrap();
    let (code, said, wrong) = run(folder.path(), &["shrink", "a.save", "--game", "./lamps"]);
    assert_eq!(code, Some(0), "{wrong}");
    assert!(
        said.starts_with("4 of 6 decisions\n   1  red: pour\n")
            && said.contains("then `light` fails: ")
            && said.contains("too much oil"),
        "{said}"
    );
}

#[test]
fn a_scenario_keeps_what_makes_the_same_step_fail() {
    let folder = tempfile::tempdir().unwrap();
    package(folder.path());
    let text = "\
scenario \"fine\" { play \"pour\"  expect seat(1).oil = 1 }

// A long one.
scenario \"long\" {
  seed 9
  option strict = true
  given {
    set seat(1).oil = 4
    set seat(2).wicks = 7
    set game.lit = 2
  }
  play \"pour\" \"buy\" \"light\"
  expect game.lit = 3
  play seat(2) \"pour\"
  play \"light\" \"light\"
  expect game.lit = 9
  expect seat(1).oil = 99
  play \"pour\"
}
";
    std::fs::write(folder.path().join("lamps/a.scenario"), text).unwrap();
    let (code, said, wrong) = run(folder.path(), &["shrink", "lamps/a.scenario"]);
    assert_eq!(code, Some(0), "{wrong}");
    assert!(
        said.starts_with("\"long, smallest\": 0 decisions and 1 other part of 7 decisions and 9 other parts\n"),
        "{said}"
    );
    let small = std::fs::read_to_string(folder.path().join("lamps/a.scenario.small")).unwrap();
    assert_eq!(small, "scenario \"long, smallest\" {\n  expect game.lit = 9\n}\n");
    // It fails as a scenario of the package, too.
    std::fs::write(folder.path().join("lamps/small.scenario"), small).unwrap();
    let (code, said, _) = run(folder.path(), &["test", "./lamps", "--only", "smallest"]);
    assert!(code == Some(1) && said.contains("game.lit = 9"), "{said}");
    let (code, _, wrong) = run(folder.path(), &["shrink", "lamps/a.scenario", "--scenario", "fine", "--out", "b"]);
    assert!(code == Some(1) && wrong.contains("the scenario passes"), "{wrong}");
    let (code, _, wrong) = run(folder.path(), &["shrink", "lamps/a.scenario", "--scenario", "other", "--out", "b"]);
    assert!(code == Some(2) && wrong.contains("it has \"fine\", \"long\""), "{wrong}");
}

#[test]
fn a_scenario_keeps_the_statements_and_keys_before_an_illegal_one() {
    let folder = tempfile::tempdir().unwrap();
    package(folder.path());
    let rules = RULES.replace("action light {\n", "action light {\n  requires me.oil < 3 \"too much oil\"\n");
    std::fs::write(folder.path().join("lamps/a.rules"), rules).unwrap();
    let text = "scenario \"é long\" {\n  given { set seat(1).oil = 2  set seat(2).oil = 2 }\n  play \"buy\" \"buy\" \"pour\" \"buy\" \"light\"\n}\n";
    std::fs::write(folder.path().join("lamps/a.scenario"), text).unwrap();
    let (code, said, wrong) = run(folder.path(), &["shrink", "lamps/a.scenario"]);
    assert_eq!(code, Some(0), "{wrong}");
    assert!(said.contains("too much oil"), "{said}");
    let small = std::fs::read_to_string(folder.path().join("lamps/a.scenario.small")).unwrap();
    assert_eq!(
        small,
        "scenario \"é long, smallest\" {\n  given { set seat(1).oil = 2 }\n  play \"pour\" \"buy\" \"light\"\n}\n"
    );
}

#[test]
fn what_cannot_be_made_small_is_said() {
    let folder = tempfile::tempdir().unwrap();
    package(folder.path());
    save(folder.path(), "pour\n");
    for (args, code, part) in [
        (vec!["shrink", "no.save"], 3, "no.save"),
        (vec!["shrink", "no.scenario"], 2, "is not there"),
        (vec!["shrink", "a.save", "--scenario", "a"], 2, "--scenario belongs to a scenario file"),
        (vec!["shrink", "lamps/a.rules"], 1, "not a header"),
    ] {
        let (found, _, wrong) = run(folder.path(), &args);
        assert!(found == Some(code) && wrong.contains(part), "{args:?}: {found:?} {wrong}");
    }
    assert!(!root().join("a.save.small").exists());
}
