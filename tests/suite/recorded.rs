//! Recorded games: those of the shipped games are played as before, changed rules are seen in them, and how `cardwright
//! test` records, compares and takes them.

use super::support::{cardwright, game, games, packages, root};
use cardwright::play::recorded::{Recorded, difference, play, recorded};
use cardwright::play::{Game, Options, Package};
use std::fs;
use std::path::Path;
use std::process::Output;
use std::sync::Arc;

#[test]
fn shipped_games_are_played_as_recorded() {
    let mut wrong = Vec::new();
    for game in games().iter().filter(|game| game.expansions.is_empty()) {
        let package = packages().into_iter().find(|package| package.name == game.rules.name).unwrap();
        for recorded in recorded(&package, game).unwrap() {
            let played = play(game, &recorded.head, &recorded.keys, false).unwrap();
            if played.text.trim_end() != recorded.text.trim_end() {
                wrong.push(format!("{}\n{}", recorded.path.display(), difference(game, &recorded.text, &played)));
            }
        }
    }
    assert!(wrong.is_empty(), "`cardwright test --review` shows more\n{}", wrong.join("\n"));
}

/// Changes of rules: the game, the file, what stands there and what then does.
const CHANGES: &[(&str, &str, &str, &str)] = &[
    // Who flees gets away with a 4.
    ("star-munchkin", "rules/fight.rules", "+ m.run >= 5", "+ m.run >= 4"),
    // Six cards stay in the hand.
    ("star-munchkin", "rules/table.rules", "stat hand_limit: number = 5", "stat hand_limit: number = 6"),
    // A fight that is level is won.
    ("star-munchkin", "rules/table.rules", "fighters_total > foes_total", "fighters_total >= foes_total"),
    // Mutants have more than three friendly neighbours.
    ("scrunch", "rules/scrunch.rules", "(around(it) & stones(p)) > 2", "(around(it) & stones(p)) > 3"),
    // Any snake may grow.
    ("scrunch", "rules/scrunch.rules", "empty(around(smallest_stones(me)))", "empty(around(stones(me)))"),
    // Nobody loses a turn.
    ("munch", "rules/munch.rules", "      set me.dazed = false\n      leave turn", "      set me.dazed = false"),
    // Worlds wake monsters sooner.
    ("munch", "rules/munch.rules", "option wake: 0..81 = 8", "option wake: 0..81 = 7"),
    // Each munched monster costs six.
    ("munch", "rules/munch.rules", "- 5 * count (pit", "- 6 * count (pit"),
    // Four snacks.
    ("monster-muncher", "rules/turn.rules", "count my_snacks >= 3", "count my_snacks >= 4"),
    // A buff gives one more.
    ("monster-muncher", "rules/verbs.rules", "{ increase m.greens by n }", "{ increase m.greens by n + 1 }"),
    // A debuff gives one more.
    ("monster-muncher", "rules/verbs.rules", "{ increase m.reds by n }", "{ increase m.reds by n + 1 }"),
    // Minions are worth their tiles.
    ("monster-factory", "rules/factory.rules", "count (tiles(m) where eye = eyed)", "count tiles(m)"),
    // Originals of others stay alone.
    ("monster-factory", "rules/factory.rules", "or not m.original or not p.finished", "or not m.original"),
];

/// A shipped game with a change, in a folder of its own.
fn changed(folder: &Path, (name, file, from, to): (&str, &str, &str, &str)) -> (Package, Arc<Game>) {
    let shipped = packages().into_iter().find(|package| package.name == name).unwrap();
    let copy = folder.join(name);
    cardwright::play::eject(&shipped, &copy).unwrap();
    let text = fs::read_to_string(copy.join(file)).unwrap();
    assert_eq!(text.matches(from).count(), 1, "{name}: `{from}` in {file}");
    fs::write(copy.join(file), text.replace(from, to)).unwrap();
    let package = Package::folder(&copy);
    let game = Arc::new(Game::load(&package, &Options::new(), None).unwrap());
    (shipped, game)
}

#[test]
fn changed_rules_are_seen_in_recorded_games() {
    let mut unseen = Vec::new();
    for change in CHANGES {
        let folder = tempfile::tempdir().unwrap();
        let (shipped, changed) = changed(folder.path(), *change);
        let records = recorded(&shipped, &game(change.0)).unwrap();
        assert!(!records.is_empty(), "{} has recorded games", change.0);
        let differs = |record: &Recorded| {
            let played = play(&changed, &record.head, &record.keys, false).unwrap();
            let told = played.text.trim_end() != record.text.trim_end();
            assert!(!told || difference(&changed, &record.text, &played).contains("  + "), "says what differs");
            told
        };
        if !records.iter().any(differs) {
            unseen.push(change);
        }
    }
    assert!(unseen.is_empty(), "these changes are seen in no recorded game: {unseen:#?}");
}

const MANIFEST: &str = "name = \"lamps\"\ntitle = \"Lamps\"\nversion = \"0.1.0\"\nedition = 1\n\
                        players = { min = 2, max = 2 }\nbots = { greedy = \"light\" }\n";
const RULES: &str = "kind lamp : card { field oil: 1..9 }\nzone deck { holds: lamp  order: pile  seen: all  starts: lamp }\n\
                     zone lit { holds: lamp  seen: all }\nplayer { counter light: 0..9 }\n\
                     verb kindle c: lamp { move c to lit  increase me.light by c.oil }\n\
                     action light { choose c in deck  kindle c }\naction rest { }\nsetup { shuffle deck }\n\
                     flow { turns turn from seat(1) until no deck { choose action light, rest }  end game }\n\
                     define score(p: player): number = p.light\n\
                     lamp \"Wick\" { oil: 1  copies: 3 }\nlamp \"Torch\" { oil: 2  copies: 3 }\nlamp \"Globe\" { oil: 3 }\n";

fn said(output: &Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}

#[test]
fn games_are_recorded_compared_reviewed_and_taken() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    fs::write(at.join("game.toml"), MANIFEST).unwrap();
    fs::write(at.join("a.rules"), RULES).unwrap();
    let run = |args: &[&str], stdin: &str| said(&cardwright(at, args, stdin));
    let told = run(&["test", ".", "--record", "3"], "");
    assert_eq!(told.matches("recorded `").count(), 3, "{told}");
    let told = run(&["test", "."], "");
    assert!(told.contains("3 of 3 recorded games are played as before"), "{told}");
    let told = run(&["test", ".", "--coverage"], "");
    assert!(told.contains("in 3 recorded games 4 of 4 verbs, actions, effects and clauses act"), "{told}");

    // A changed rule is seen, with its line; a reworded one is not.
    fs::write(at.join("a.rules"), RULES.replace("by c.oil }", "by 1 * c.oil }")).unwrap();
    assert!(run(&["test", "."], "").contains("3 of 3 recorded games"));
    fs::write(at.join("a.rules"), RULES.replace("by c.oil }", "by c.oil + 1 }")).unwrap();
    let told = run(&["test", "."], "");
    assert!(told.contains("0 of 3 recorded games") && told.contains("[./a.rules:5:"), "{told}");
    let before: Vec<String> = records(at);
    // Taken, given back, skipped, and the end.
    let told = run(&["test", ".", "--review"], "y\nu\nn\nq\n");
    assert!(told.contains("is as it was") && told.contains("3 failed"), "what is given back has failed: {told}");
    assert_eq!(records(at), before);
    let told = run(&["test", ".", "--review"], "n\na\n");
    assert!(told.contains("2 of 3 recorded"), "{told}");
    let told = run(&["test", ".", "--accept"], "");
    assert!(told.contains("3 of 3 recorded"), "{told}");
    assert!(run(&["test", "."], "").contains("3 of 3 recorded"));
    assert_ne!(records(at), before);

    // What cannot be chosen any more is said, and the bots go on when it is taken.
    fs::write(at.join("a.rules"), RULES.replace("choose c in deck  kindle", "choose c in deck where oil < 3  kindle"))
        .unwrap();
    let told = run(&["test", "."], "");
    assert!(told.contains("# stuck after"), "{told}");
}

fn records(at: &Path) -> Vec<String> {
    let mut files: Vec<_> = fs::read_dir(at.join("records")).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files.iter().map(|file| fs::read_to_string(file).unwrap()).collect()
}

#[test]
fn a_failed_expectation_says_why_and_failures_of_one_line_are_grouped() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    fs::write(at.join("game.toml"), MANIFEST).unwrap();
    fs::write(at.join("a.rules"), RULES).unwrap();
    let scenario = |number: usize| {
        format!(
            "scenario \"number {number}\" {{\n  play \"light Torch\"\n  expect seat(1).light = {}\n  \
             play \"light Torch\"\n  snapshot\n}}\n",
            number + 3
        )
    };
    fs::write(at.join("a.scenario"), (0..4).map(scenario).collect::<String>()).unwrap();
    let told = said(&cardwright(at, &["test", ".", "--random", "0"], ""));
    assert!(told.contains("2  light"), "the value there is: {told}");
    assert!(told.contains("what happened last:") && told.contains("light: 0 -> 2  [./a.rules:5:"), "{told}");
    assert!(told.contains("has no snapshot yet"), "snapshots are compared all the same: {told}");
    let told = said(&cardwright(at, &["test", ".", "--random", "0", "--accept"], ""));
    assert!(told.contains("FAILED  2 more, after [./a.rules:5:"), "{told}");
}

#[test]
fn counters_that_were_stopped_in_random_play_are_told_with_their_lines() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    fs::write(at.join("game.toml"), MANIFEST).unwrap();
    fs::write(at.join("a.rules"), RULES.replace("light: 0..9", "light: 0..3")).unwrap();
    let told = said(&cardwright(at, &["test", ".", "--random", "4"], ""));
    assert!(told.contains("warning: `light` stopped at 3 "), "{told}");
    assert!(told.contains("[./a.rules:5:"), "{told}");
    fs::write(at.join("a.rules"), RULES.replace("light: 0..9", "light: 0..3 clamped")).unwrap();
    let told = said(&cardwright(at, &["test", ".", "--random", "4"], ""));
    assert!(!told.contains("stopped at"), "{told}");
}

const LATE: &str = r#"kind tool : card { }
tool "Net" { copies: 9 }
tool "Keg" { copies: 2  after even gone toss c where c = this { toss this  told this } }
zone hand per player { holds: tool  inplay: true }
zone heap { holds: tool }
zone deck { holds: tool  starts: tool  order: pile }
verb toss c: tool { move c to heap }
verb told c: tool { note "{c} bangs" }
rule back { after toss c { move c to deck  move c to me.hand } }
action throw { choose c in me.hand  toss c }
setup { shuffle deck  each p in players { move top(deck, 5) to p.hand } }
flow { turns turn from seat(1) for 3 rounds { choose action throw } draw game }
"#;

#[test]
fn statements_that_come_too_late_every_time_are_told_with_their_lines() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    fs::write(at.join("game.toml"), MANIFEST.split("bots").next().unwrap()).unwrap();
    fs::write(at.join("a.rules"), LATE).unwrap();
    let told = said(&cardwright(at, &["test", ".", "--random", "9"], ""));
    let late = |line: u32| told.contains("came too late all ") && told.contains(&format!("[./a.rules:{line}:"));
    assert!(late(3) && late(9) && !late(10), "{told}");
    let kept =
        LATE.replace("told c: tool", "told c: maybe of tool").replace("toss this  ", "").replace("deck  move c to", "");
    fs::write(at.join("a.rules"), kept).unwrap();
    let told = said(&cardwright(at, &["test", ".", "--random", "9"], ""));
    assert!(!told.contains("too late") && told.contains("all is well"), "{told}");
}

#[test]
fn shipped_games_have_recorded_games_for_several_numbers_of_players() {
    for name in ["monster-muncher", "monster-factory", "munch", "scrunch", "star-munchkin"] {
        let package = Package::folder(&root().join("content").join(name));
        let records = recorded(&package, &game(name)).unwrap();
        assert!(records.len() >= 2, "{name}");
        let lines: usize = records.iter().map(|record| record.text.lines().count()).sum();
        assert!(lines < 1500, "{name}: {lines} lines are too many to read");
    }
}
