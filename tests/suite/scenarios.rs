//! Every scenario of every shipped game, and the coverage of numbered rules.

use super::support::{classics, game, games, templates};
use cardwright::base::MemoryWorld;
use cardwright::play::scenario::{coverage, position, run_all};
use cardwright::play::snapshot::{Compared, Snapshot, difference};
use cardwright::play::{Checked, Game, Options, Package};
use std::path::Path;
use std::sync::Arc;

#[test]
fn all_scenarios_pass() {
    let mut failures = Vec::new();
    for game in games().into_iter().chain(classics()).chain(templates()) {
        for verdict in run_all(&game).unwrap() {
            if let Some(failure) = &verdict.failure {
                failures.push(format!("{}: {}\n{}", game.full_name(), verdict.title, failure.report()));
            } else if let Some(text) = &verdict.playthrough {
                let snapshot = Snapshot::of(Path::new(&verdict.file), game.tested(), &verdict.title);
                let old = match snapshot.compare(text).unwrap() {
                    Compared::Same => continue,
                    Compared::New => String::new(),
                    Compared::Changed { old } => old,
                };
                failures.push(format!("{}: {}\n{}", game.full_name(), verdict.title, difference(&old, text)));
            }
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

#[test]
fn every_numbered_rule_has_a_scenario() {
    let names = [
        "monster-muncher",
        "monster-factory",
        "munch",
        "scrunch",
        "tic-tac-toe",
        "monster-muncher + down-below",
        "star-munchkin + dungeon-detour",
    ];
    for game in names.map(game).into_iter().chain(classics()).chain(templates()) {
        let (name, coverage) = (game.full_name(), coverage(&game));
        assert!(coverage.rules >= 5, "{name} has a rulebook");
        assert!(coverage.missing.is_empty() && coverage.unknown.is_empty(), "{name}: {coverage:?}");
    }
}

/// A game on a board of an optional size, with one scenario for the usual size and one for a size of its own.
fn sized(site: &str) -> Package {
    let manifest =
        "name = \"small\"\ntitle = \"Small\"\nversion = \"0.1.0\"\nedition = 1\n[players]\nmin = 1\nmax = 1\n";
    let rules = "option side: 1..9 = 3\nboard b { shape: square side side }\nkind stone : piece { }\n\
                 flow { turns turn from seat(1) { choose s in empty(b)  create stone at s with owner = me } }\n";
    let scenarios = format!(
        "scenario \"usual\" {{ given {{ create stone at site(b, \"c3\") with owner = seat(1) }} expect turns 1 = 8 }}\n\
         scenario \"larger\" {{ option side = 5 given {{ create stone at site(b, \"{site}\") with owner = seat(1) }} \
         expect turns 1 = 24 }}\n"
    );
    let files = [("game.toml", manifest), ("a.rules", rules), ("a.scenario", scenarios.as_str())];
    Package::memory("small", MemoryWorld::new(files))
}

#[test]
fn scenarios_are_held_to_their_own_options() {
    let load = |side: &str| {
        let options = Options::from([("side".to_owned(), side.to_owned())]);
        Arc::new(Game::load(&sized("e5"), &options, None).unwrap())
    };
    let usual = Arc::new(Game::load(&sized("e5"), &Options::new(), None).unwrap());
    let failures = |game: &Arc<Game>| {
        let verdicts = run_all(game).unwrap();
        verdicts.into_iter().filter_map(|verdict| Some((verdict.title, verdict.failure?.code))).collect::<Vec<_>>()
    };
    assert_eq!(failures(&usual), []);
    // A game of another size can be played; its scenarios say that they are not for it.
    let smaller = load("2");
    assert_eq!(failures(&smaller), [("usual".to_owned(), "E0310")]);
    assert!(position(&smaller, &smaller.scenarios[0]).is_err());
    assert!(position(&load("5"), &load("5").scenarios[1]).is_ok());
    // `check` finds the mistakes that scenarios have under their own options.
    assert!(Checked::new(&sized("e5"), &Options::new(), None).unwrap().sound.is_some());
    let checked = Checked::new(&sized("f6"), &Options::new(), None).unwrap();
    assert!(checked.sound.is_none());
    assert_eq!(checked.diagnostics.iter().map(|found| found.code.text()).collect::<Vec<_>>(), ["E0310"]);
}

/// What `note` has said stays said, also after other decisions.
#[test]
fn what_was_noted_before_was_seen() {
    let manifest =
        "name = \"small\"\ntitle = \"Small\"\nversion = \"0.1.0\"\nedition = 1\n[players]\nmin = 2\nmax = 2\n";
    let rules = "kind charm : card { }\nzone box { holds: charm  starts: charm }\nzone table { holds: charm }\n\
                 charm \"Rope\" { }\naction go { choose c in box  note \"{c} it is\" }\n\
                 action wait { note \"nothing\" }\n\
                 flow { turns turn from seat(1) until round > 3 { choose action go, wait } }\n";
    let scenario = "scenario \"said\" { play \"go Rope\"  play \"wait\"  expect seat(1) sees no \"Rope it is\" }\n";
    let files = [("game.toml", manifest), ("a.rules", rules), ("a.scenario", scenario)];
    let package = Package::memory("small", MemoryWorld::new(files));
    let game = Arc::new(Game::load(&package, &Options::new(), None).unwrap());
    let failures: Vec<String> =
        run_all(&game).unwrap().into_iter().filter_map(|verdict| Some(verdict.failure?.report())).collect();
    assert!(failures.len() == 1 && failures[0].contains("should not see `Rope it is`"), "{failures:?}");
}

#[test]
fn what_is_seen_are_whole_words() {
    let manifest =
        "name = \"small\"\ntitle = \"Small\"\nversion = \"0.1.0\"\nedition = 1\n[players]\nmin = 2\nmax = 2\n";
    let rules = "player { counter coins: 0..99 }\naction go { increase me.coins by 12  note \"ayes: {me.coins}, me's\" }\n\
                 flow { turns turn from seat(1) for 2 rounds { choose action go } draw game }\n";
    let failures = |step: &str| {
        let scenario = format!("scenario \"seen\" {{ play \"go\"  {step} }}\n");
        let files = [("game.toml", manifest), ("a.rules", rules), ("a.scenario", scenario.as_str())];
        let package = Package::memory("small", MemoryWorld::new(files));
        let game = Arc::new(Game::load(&package, &Options::new(), None).unwrap());
        run_all(&game).unwrap().into_iter().filter_map(|verdict| Some(verdict.failure?.report())).collect::<Vec<_>>()
    };
    for seen in ["ayes", "ayes: 12", "player 1", "me", "12, me's", "coins 12"] {
        assert_eq!(failures(&format!("expect seat(1) sees \"{seen}\"")), Vec::<String>::new(), "{seen}");
    }
    for part in ["aye", "layer", "coins 1", "yes: 1", "coin"] {
        let found = failures(&format!("expect seat(1) sees \"{part}\""));
        assert!(found.len() == 1 && found[0].contains("should see"), "{part}: {found:?}");
    }
}

/// What `play` takes for an option is not illegal, in whatever words; and a word is a whole one.
#[test]
fn an_option_is_not_illegal_in_other_words() {
    let manifest =
        "name = \"small\"\ntitle = \"Small\"\nversion = \"0.1.0\"\nedition = 1\n[players]\nmin = 2\nmax = 2\n";
    let rules = "board b { shape: square 1 12 }\nkind stone : piece { }\n\
                 action lay { choose s in empty(b) where row(it) > 9  create stone at s }\n\
                 flow { turns turn from seat(1) until round > 1 { choose action lay } }\n";
    let verdicts = |steps: &str| {
        let scenario = format!("scenario \"said\" {{ {steps} }}\n");
        let files = [("game.toml", manifest), ("a.rules", rules), ("a.scenario", scenario.as_str())];
        let package = Package::memory("small", MemoryWorld::new(files));
        let game = Arc::new(Game::load(&package, &Options::new(), None).unwrap());
        let verdict = run_all(&game).unwrap().remove(0);
        verdict.failure.map(|failure| failure.report())
    };
    assert_eq!(verdicts("expect legal \"lay a10\"  expect illegal \"lay a1\", \"a1\"  play \"a10\""), None);
    let failed = verdicts("expect illegal \"a10\"").unwrap();
    assert!(failed.contains("`a10` should not be legal, but `play` takes it for `lay a10`"), "{failed}");
    let failed = verdicts("play \"a1\"").unwrap();
    assert!(failed.contains("a1"), "{failed}");
}
