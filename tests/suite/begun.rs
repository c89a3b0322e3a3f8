//! Games that begin in the position of a scenario: `play FILE.scenario`.

use super::support::{cardwright, stderr, stdout};
use cardwright::Game as Loaded;
use cardwright::model::scenario::titled;
use cardwright::play::{Game, Options, Package, Reload, Table};
use std::path::Path;
use std::sync::Arc;

const MANIFEST: &str = "name = \"dice\"\ntitle = \"Dice\"\nversion = \"1.0.0\"\nedition = 1\n[players]\nmin = 2\nmax = 2\nseats = [\"red\", \"blue\"]\n";
const RULES: &str = "\
kind tool : card { }
zone box { holds: tool  starts: tool }
player { counter pips: 0..99 }
action roll { random n in 1..6  increase me.pips by n }
action rest { }
flow { turns turn from seat(1) for 9 rounds { choose action roll, rest } }
tool \"Rope\" { }
";
const SCENARIOS: &str = "\
scenario \"given alone\" { given { set seat(2).pips = 7 }  mover seat(2)  expect seat(2).pips = 7 }
scenario \"played on\" {
  chance \"6\" \"5\"
  play \"roll\" \"roll\"
  expect seat(1).pips = 6
  play \"rest\"
}
";
const MORE: &str = "name = \"more\"\ntitle = \"More\"\nversion = \"1.0.0\"\nedition = 1\nkind = \"expansion\"\nextends = { dice = \"^1.0.0\" }\n";

fn package(folder: &Path) {
    for (path, text) in [
        ("dice/game.toml", MANIFEST),
        ("dice/a.rules", RULES),
        ("dice/scenarios/a.scenario", SCENARIOS),
        ("more/game.toml", MORE),
        ("more/a.cards", "tool \"Net\" { }\n"),
        ("more/a.scenario", "scenario \"with a net\" { given { set seat(1).pips = 3 }  expect count box = 2 }\n"),
    ] {
        std::fs::create_dir_all(folder.join(path).parent().unwrap()).unwrap();
        std::fs::write(folder.join(path), text).unwrap();
    }
}

fn plays(folder: &Path, args: &[&str], typed: &str) -> String {
    let output = cardwright(folder, &[&["play", "--plain"], args].concat(), typed);
    assert!(output.status.success(), "{}", stderr(&output));
    stdout(&output)
}

#[test]
fn it_begins_where_the_scenario_has_its_first_expectation() {
    let folder = tempfile::tempdir().unwrap();
    package(folder.path());
    let file = "dice/scenarios/a.scenario";
    let given = plays(folder.path(), &[file], "roll\n");
    assert!(
        given.contains("# begins in the scenario \"given alone\"\n") && given.contains("blue pips: 7 ->"),
        "{given}"
    );
    let played = plays(folder.path(), &[file, "--scenario", "played on"], "undo\nrest\n");
    assert!(played.contains("red: pips 6\n") && played.contains("blue: pips 5\n"), "{played}");
    // What was played there is the beginning: nothing of it can be taken back.
    assert!(played.contains("there is nothing to take back"), "{played}");
    let bots = plays(folder.path(), &[file, "--players", "random,random"], "");
    assert!(bots.contains("# blue: random\n"), "{bots}");
}

#[test]
fn its_save_goes_on_and_is_replayed() {
    let folder = tempfile::tempdir().unwrap();
    package(folder.path());
    for (name, file, title) in [("a", "dice/scenarios/a.scenario", "played on"), ("b", "more/a.scenario", "with a net")]
    {
        let save = format!("{name}.save");
        let args = ["--scenario", title, "--save", &save, file];
        plays(folder.path(), &args, "rest\nroll\n");
        let with: &[&str] = if name == "b" { &["--with", "./more"] } else { &[] };
        let again = plays(folder.path(), &[&["./dice", "--save", save.as_str()], with].concat(), "rest\n");
        assert!(again.contains("red pips:") || again.contains("red: pips"), "{again}");
        let replayed = cardwright(folder.path(), &[&["replay", save.as_str(), "--game", "./dice"], with].concat(), "");
        let record = stdout(&replayed);
        assert!(replayed.status.success(), "{}", stderr(&replayed));
        assert!(record.contains(&format!("# begins in the scenario \"{title}\"\n")), "{record}");
        assert_eq!(record.lines().filter(|line| ["roll", "rest"].contains(line)).count(), 3, "{record}");
        let there = cardwright(folder.path(), &[&["play"], args.as_slice()].concat(), "");
        assert_eq!(there.status.code(), Some(2));
        assert!(stderr(&there).contains("is there already; `cardwright play GAME --save"), "{}", stderr(&there));
    }
    // The library goes on with it, and saves it again.
    let game = Loaded::load(folder.path().join("dice").to_str().unwrap()).unwrap();
    let (mut position, problems) = game.resume(folder.path().join("a.save")).unwrap();
    assert!(problems.is_empty(), "{problems:?}");
    position.choose_key("rest").unwrap();
    position.save(folder.path().join("c.save")).unwrap();
    assert_eq!(game.resume(folder.path().join("c.save")).unwrap().0, position);
}

#[test]
fn what_does_not_fit_is_said() {
    let folder = tempfile::tempdir().unwrap();
    package(folder.path());
    let file = "dice/scenarios/a.scenario";
    for (args, reason) in [
        (vec![file, "--scenario", "nothing"], "the file has no scenario \"nothing\"; it has"),
        (vec![file, "--seed", "4"], "the scenario says how many players there are and which seed"),
        (vec![file, "--players", "human"], "`dice` is for 2 players, not 1"),
        (vec!["./dice", "--scenario", "given alone"], "--scenario and --game belong to a scenario file"),
    ] {
        let output = cardwright(folder.path(), &[&["play"], args.as_slice()].concat(), "");
        assert_eq!(output.status.code(), Some(2));
        assert!(stderr(&output).contains(reason), "{}", stderr(&output));
    }
    plays(folder.path(), &[file, "--save", "a.save"], "rest\n");
    let renamed = SCENARIOS.replace("given alone", "something else");
    std::fs::write(folder.path().join(file), renamed).unwrap();
    let lost = cardwright(folder.path(), &["play", "./dice", "--plain", "--save", "a.save"], "");
    assert_eq!(lost.status.code(), Some(1));
    let reason = "the scenario \"given alone\", in which it begins, is not there";
    assert!(stderr(&lost).contains(reason), "{}", stderr(&lost));
}

#[test]
fn content_that_changes_begins_there_again() {
    let folder = tempfile::tempdir().unwrap();
    package(folder.path());
    let dice = Package::folder(&folder.path().join("dice"));
    let game = Arc::new(Game::load(&dice, &Options::new(), None).unwrap());
    assert!(titled(&game.scenarios, "given alone").is_some());
    let mut table = Table::at_scenario(&game, "given alone", None, None).unwrap();
    table.choose_key("rest").unwrap();
    std::fs::write(folder.path().join("dice/a.rules"), RULES.replace("pips by n", "pips by n + 1")).unwrap();
    assert!(matches!(table.reload(), Reload::Complete { decisions: 1 }));
    assert!(table.view(None).players[1].props.contains(&("pips".to_owned(), "7".to_owned())));
    // The scenario is edited.
    let edited = SCENARIOS.replace("pips = 7 }", "pips = 5 }");
    std::fs::write(folder.path().join("dice/scenarios/a.scenario"), &edited).unwrap();
    assert!(matches!(table.reload(), Reload::Complete { decisions: 1 }));
    assert!(matches!(table.reload(), Reload::Unchanged));
    assert!(table.view(None).players[1].props.contains(&("pips".to_owned(), "5".to_owned())));
    std::fs::write(folder.path().join("dice/scenarios/a.scenario"), SCENARIOS).unwrap();
    table.reload();
    table.rematch(9).unwrap();
    assert_eq!(table.session().decisions().len(), 0);
    assert!(table.view(None).players[1].props.contains(&("pips".to_owned(), "7".to_owned())));
}
