//! Scenarios that are written in play: they pass, they say what has changed, and where they cannot tell a game, it is said why.

use super::support::{cardwright, classics, games, stderr, stdout, templates};
use cardwright::play::witness::write;
use cardwright::play::{Dice, Game, Library, Options, Session, Setup};
use std::path::Path;
use std::sync::Arc;

/// A session after so many random decisions, or fewer if the game is over.
fn played(game: &Arc<Game>, seed: u64, decisions: usize) -> Session {
    let players = usize::from(game.rules.players.0);
    let mut session =
        Session::new(Arc::clone(game), Setup { seed, seats: vec!["human".to_owned(); players] }, None).unwrap();
    let mut dice = Dice::new(seed);
    for _ in 0..decisions {
        let Some(decision) = session.decision() else { break };
        session.choose(dice.below(decision.options.len())).unwrap();
    }
    session
}

fn new_game(folder: &Path) {
    let output = cardwright(folder, &["new", "lamps"], "");
    assert!(output.status.success(), "{}", stderr(&output));
}

fn plays(folder: &Path, args: &[&str], typed: &str) -> String {
    let output = cardwright(folder, &[&["play", "./lamps", "--plain", "--seed", "3"], args].concat(), typed);
    assert!(output.status.success(), "{}", stderr(&output));
    stdout(&output)
}

#[test]
fn what_is_played_in_any_game_becomes_a_scenario_that_passes() {
    let folder = tempfile::tempdir().unwrap();
    for (index, game) in games().into_iter().chain(classics()).chain(templates()).enumerate() {
        let name = &game.rules.name;
        let mut session = played(&game, 5, 24);
        let told = session.decisions().len().min(5);
        let from = session.decisions().len() - told;
        let path = folder.path().join(format!("{name}-{index}.scenario"));
        let written = write(&mut session, from, Some(&path)).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert!(written.expected > 1 && written.decisions == told && written.untested.is_some(), "{name}: {written:?}");
        let text = std::fs::read_to_string(&path).unwrap();
        assert_eq!(text.matches("\n  play seat(").count(), told, "{text}");
        // The same game gives the same text, and what is there is not written over.
        let again = write(&mut session, from, Some(&folder.path().join("again.scenario"))).unwrap();
        let again = std::fs::read_to_string(again.path).unwrap();
        assert_eq!(again.lines().skip(2).collect::<Vec<_>>(), text.lines().skip(2).collect::<Vec<_>>());
        std::fs::remove_file(folder.path().join("again.scenario")).unwrap();
        assert!(write(&mut session, from, Some(&path)).is_err());
    }
}

#[test]
fn what_is_typed_between_two_words_is_written_and_tested() {
    let folder = tempfile::tempdir().unwrap();
    new_game(folder.path());
    let said = plays(
        folder.path(),
        &["--players", "human,human", "-o", "goal=9"],
        "1\nscenario\n1\n1\nscenario\nscenario 1\nscenario\nscenario\n",
    );
    assert!(said.contains("becomes a scenario when you ask for it again"), "{said}");
    assert!(
        said.contains("wrote the scenario \"as played, 1\" with ") && said.contains("played-1.scenario`: it passes"),
        "{said}"
    );
    assert!(said.contains("wrote the scenario \"as played, 2\" with 1 decision and "), "{said}");
    assert!(said.contains("nothing was played since"), "{said}");
    let text = std::fs::read_to_string(folder.path().join("lamps/scenarios/played-1.scenario")).unwrap();
    for part in [
        "  players 2\n",
        "  seed 3\n",
        "  option goal = 9\n",
        "  // What this is about.\n",
        "  expect seat(1).points = ",
    ] {
        assert!(text.contains(part), "{part} in {text}");
    }
    let output = cardwright(folder.path(), &["test", "./lamps", "--only", "as played"], "");
    assert!(output.status.success() && stdout(&output).contains("2 of 2 scenarios passed"), "{}", stdout(&output));
    // Another file than the next free one.
    plays(folder.path(), &[], "scenario\n1\nscenario mine.scenario\n");
    let text = std::fs::read_to_string(folder.path().join("mine.scenario")).unwrap();
    assert!(text.contains("scenario \"mine\" {"), "{text}");
}

#[test]
fn it_is_written_where_the_manifest_says_that_scenarios_are() {
    let folder = tempfile::tempdir().unwrap();
    new_game(folder.path());
    let manifest = folder.path().join("lamps/game.toml");
    let text = std::fs::read_to_string(&manifest).unwrap();
    let text = text.replacen("edition = 1\n", "edition = 1\nscenarios = [\"tests/*.scenario\"]\n", 1);
    std::fs::write(&manifest, text).unwrap();
    let said = plays(folder.path(), &[], "scenario\n1\nscenario\nscenario\n1\nscenario lamps/other.scenario\n");
    assert!(said.contains("tests/played-1.scenario`: it passes\n"), "{said}");
    assert!(
        said.contains("other.scenario`: it passes; no pattern in `scenarios` of the manifest takes it in"),
        "{said}"
    );
    let output = cardwright(folder.path(), &["test", "./lamps", "--only", "as played"], "");
    assert!(output.status.success() && stdout(&output).contains("1 of 1 scenarios passed"), "{}", stdout(&output));
}

#[test]
fn a_scenario_that_was_begun_is_written_when_the_game_ends() {
    let folder = tempfile::tempdir().unwrap();
    let output = cardwright(
        folder.path(),
        &["play", "tic-tac-toe", "--plain", "--seed", "3", "--players", "human,human"],
        "scenario\na1\nb1\na2\nb2\na3\n",
    );
    assert!(stdout(&output).contains("it lies in no game's folder"), "{}", stdout(&output));
    let text = std::fs::read_to_string(folder.path().join("tic-tac-toe-played-1.scenario")).unwrap();
    assert!(text.contains("  expect over\n  expect winner seat(1)\n}"), "{text}");
    assert!(text.contains("where owner = seat(1)) = 1\n"), "{text}");
}

#[test]
fn a_scenario_of_an_expansion_lies_with_it() {
    let folder = tempfile::tempdir().unwrap();
    new_game(folder.path());
    let output = cardwright(folder.path(), &["new", "more-lamps", "--expands", "./lamps"], "");
    assert!(output.status.success(), "{}", stderr(&output));
    plays(folder.path(), &["--with", "./more-lamps"], "scenario\n1\n1\nscenario\n");
    assert!(folder.path().join("more-lamps/scenarios/played-1.scenario").is_file());
    let output = cardwright(folder.path(), &["test", "./more-lamps", "--only", "as played"], "");
    assert!(output.status.success() && stdout(&output).contains("1 of 1 scenarios passed"), "{}", stdout(&output));
}

#[test]
fn what_a_scenario_cannot_tell_is_said_and_nothing_is_written() {
    let folder = tempfile::tempdir().unwrap();
    let game = Arc::new(Game::load(&Library::default().find("tic-tac-toe").unwrap(), &Options::new(), None).unwrap());
    let path = folder.path().join("a.scenario");
    let mut session = played(&game, u64::MAX, 3);
    let why = write(&mut session, 0, Some(&path)).unwrap_err().to_string();
    assert!(why.contains("its seed is larger than the numbers of the language"), "{why}");
    let why = write(&mut played(&game, 1, 3), 3, Some(&path)).unwrap_err().to_string();
    assert!(why.contains("nothing was played"), "{why}");
    assert!(!path.exists());
}
