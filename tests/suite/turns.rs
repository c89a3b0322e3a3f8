//! Whole turns: how they are written, where they end, how they are listed, counted and played.

use super::support::{cardwright, stderr, stdout};
use cardwright::base::MemoryWorld;
use cardwright::engine::{Chance, Start};
use cardwright::play::conformance::conformance;
use cardwright::play::perft::{divide, perft};
use cardwright::play::scenario::run_all;
use cardwright::play::turns::turns;
use cardwright::play::{Game, Options, Package, PlayError};
use std::path::Path;
use std::sync::Arc;

const MANIFEST: &str = "\
name = \"walk\"
title = \"Walk\"
version = \"1.0.0\"
edition = 1

[players]
min = 2
max = 2
seats = [\"red\", \"blue\"]
";

fn world(rules: &str, scenarios: &str) -> MemoryWorld {
    MemoryWorld::new([("game.toml", MANIFEST), ("walk.rules", rules), ("walk.scenario", scenarios)])
}

fn game(rules: &str) -> Arc<Game> {
    Arc::new(Game::load(&Package::memory("walk", world(rules, "")), &Options::new(), None).unwrap())
}

/// Runs scenarios and gives what failed.
fn failures(rules: &str, scenarios: &str) -> String {
    let game = Game::load(&Package::memory("walk", world(rules, scenarios)), &Options::new(), None).unwrap();
    let verdicts = run_all(&Arc::new(game)).unwrap();
    assert!(!verdicts.is_empty());
    verdicts.into_iter().filter_map(|verdict| verdict.failure).map(|failure| failure.report()).collect()
}

fn texts(game: &Game) -> Vec<String> {
    let mut machine = game.machine();
    let state = game.start(&mut machine, &Start { players: 2, seed: 1, chance: Chance::Draw }).unwrap();
    turns(game, &mut machine, &state).unwrap().into_iter().map(|turn| turn.text).collect()
}

fn counts(game: &Game, chance: Chance, depths: u32) -> Vec<u64> {
    let mut machine = game.machine();
    let state = game.start(&mut machine, &Start { players: 2, seed: 1, chance }).unwrap();
    (1..=depths).map(|depth| perft(game, &mut machine, &state, depth).unwrap().turns).collect()
}

const BOARD: &str = "\
board lane { shape: square 4 1  cells: \"{col}\" }
kind stone : piece { }
game { counter done: 0..99 }
enum mood { glad \"G\"  sad \"S\" }
";

#[test]
fn a_notation_is_written_from_what_the_action_ends_with() {
    let rules = format!(
        "{BOARD}
action lay {{
  notation \"{{m}} {{c}}: {{sites(stone)}} {{late}}\"
  choose m in mood
  choose c in empty(lane)
  create stone at c with owner = me
  if count sites(stone) > 1 {{ let late = first(sites(stone)) }}
}}
flow {{ turns turn from seat(1) until no empty(lane) {{ choose action lay }}  draw game }}"
    );
    let found = texts(&game(&rules));
    assert_eq!(found.len(), 8);
    assert_eq!(found[0], "G a: a nothing");
    let scenario = "scenario \"sets have one space between\" {
      play \"G b: b nothing\"
      expect legal \"S d: b d b\"
      expect illegal \"S b: b b\"
      expect options \"lay G\", \"lay S\"
      play \"lay S\"
      expect options \"S a: a b a\", \"S c: b c b\", \"S d: b d b\"
      play \"S c: b c b\" \"G a: a b c a\"
      expect turns 1 = 2
    }";
    assert_eq!(failures(&rules, scenario), "");
}

#[test]
fn a_game_that_ends_within_an_action_has_written_it() {
    let rules = format!(
        "{BOARD}
action lay {{ notation \"{{c}}>{{d}}\"  choose c in empty(lane)  create stone at c  win me  let d = c }}
flow {{ turns turn from seat(1) {{ choose action lay }} }}"
    );
    let listed: Vec<String> = texts(&game(&rules));
    assert_eq!(listed, ["a>nothing", "b>nothing", "c>nothing", "d>nothing"]);
    let game = game(&rules);
    let mut machine = game.machine();
    let state = game.start(&mut machine, &Start { players: 2, seed: 1, chance: Chance::Draw }).unwrap();
    let (count, branches) = divide(&game, &mut machine, &state, 1).unwrap();
    assert_eq!((count.turns, count.finished, branches.len()), (4, 4, 4));
    assert_eq!(perft(&game, &mut machine, &state, 2).unwrap().turns, 0);
}

#[test]
fn turns_that_read_the_same_count_once() {
    let rules = format!(
        "{BOARD}
action lay {{
  notation \"{{them}}\"
  choose up to 2 them in empty(lane)
  each c in them {{ create stone at c }}
}}
flow {{ turns turn from seat(1) {{ choose action lay  choose m in mood }} }}"
    );
    let game = game(&rules);
    // 1 + 4 + 6 sets, and a mood after each: a decision that belongs to no action is written by its key.
    let found = texts(&game);
    assert_eq!(found.len(), 22);
    assert!(found.contains(&"a d; G".to_owned()) && found.contains(&"nothing; S".to_owned()), "{found:?}");
    assert_eq!(counts(&game, Chance::Draw, 2)[0], 22);
    // People pick in any order.
    let scenario = "scenario \"any order\" {
      play \"lay\" \"d\"
      expect options \"a\", \"b\", \"c\", \"done\"
      play \"b\" \"G\"
      expect count sites(stone) = 2
      play \"a c; S\"
      expect no empty(lane)
    }";
    assert_eq!(failures(&rules, scenario), "");
}

#[test]
fn picks_of_things_that_are_alike_reach_all_of_them() {
    let rules = "
kind chip : card { field worth: number }
zone bag { holds: chip  starts: chip }
zone heap { holds: chip }
chip \"One\" { worth: 1  copies: 2 }
chip \"Two\" { worth: 2  copies: 2 }
action take { notation \"{worths}\"  choose exactly 3 cs in bag  let worths = values worth of cs  move cs to heap }
flow { turns turn from seat(1) { choose action take else { draw game } } }";
    let found = texts(&game(rules));
    assert_eq!(found, ["1 1 2", "1 2 2"]);
}

#[test]
fn a_turn_ends_with_the_innermost_turns_that_decided() {
    let rules = format!(
        "{BOARD}
player {{ counter taken: 0..9 }}
action lay {{ notation \"{{c}}\"  choose c in empty(lane)  create stone at c }}
flow {{
  turns round_ from seat(1) until no empty(lane) {{
    turns step_ from me {{
      // The other player is never asked: a turn in which nobody decides is none.
      if me = seat(1) and some empty(lane) {{ choose action lay }}
      if no empty(lane) {{ leave round_ }}
    }}
  }}
}}"
    );
    assert_eq!(counts(&game(&rules), Chance::Draw, 4), [4, 12, 24, 24]);
    let answered = format!(
        "{BOARD}
action lay {{ notation \"{{c}}\"  choose c in empty(lane)  create stone at c }}
flow {{
  turns turn from seat(1) {{
    choose action lay
    turns answer_ from me {{ if me != mover {{ choose m in mood }}  if me = mover {{ set game.done = 1 }} else {{ leave turn }} }}
  }}
}}"
    );
    // The answer is in the turn that asked for it.
    let found = texts(&game(&answered));
    assert_eq!(found.len(), 8, "{found:?}");
    assert!(found.contains(&"a; G".to_owned()), "{found:?}");
}

#[test]
fn actions_within_actions_are_written_in_the_order_of_their_beginning() {
    let rules = format!(
        "{BOARD}
action lay {{ notation \"{{c}}\"  choose c in empty(lane)  create stone at c  if c = first(sites(lane)) {{ choose action again }} }}
action again {{ notation \"+{{d}}\"  choose d in empty(lane)  create stone at d }}
flow {{ turns turn from seat(1) {{ choose action lay }} }}"
    );
    assert_eq!(texts(&game(&rules)), ["a; +b", "a; +c", "a; +d", "b", "c", "d"]);
}

#[test]
fn outcomes_of_chance_are_told_apart() {
    let rules = format!(
        "{BOARD}
action toss {{ notation \"toss {{m}}\"  choose m in mood  roll n in 1..3  increase game.done by n }}
flow {{ turns turn from seat(1) {{ choose action toss }} }}"
    );
    assert_eq!(counts(&game(&rules), Chance::Draw, 2), [2, 4]);
    assert_eq!(counts(&game(&rules), Chance::Ask, 2), [6, 36]);
}

#[test]
fn outcomes_that_are_alike_are_one() {
    // Four coins of which three are alike, once from a pile and once picked.
    let rules = |draw: &str| {
        format!(
            "kind coin : card {{ counter dirt: 0..3 }}
zone bag {{ holds: coin  {draw} }}
zone purse {{ holds: coin }}
coin \"Copper\" {{ copies: 3 }}
coin \"Silver\" {{ }}
"
        )
    };
    let pile = rules("order: pile  seen: none  starts: coin")
        + "setup { shuffle bag }
flow { turns turn from seat(1) until no bag { choose option { \"go\" { move top(bag) to purse } } } draw game }";
    assert_eq!(counts(&game(&pile), Chance::Ask, 4), [2, 3, 4, 4]);
    let picked = rules("starts: coin")
        + "setup { set first(coin \"Copper\").dirt = 1 }
flow { turns turn from seat(1) until no bag { choose option { \"go\" { random c in bag  move c to purse } } } draw game }";
    // Copper, the dirty copper, silver.
    assert_eq!(counts(&game(&picked), Chance::Ask, 1), [3]);
    let plain = picked.replace("setup { set first(coin \"Copper\").dirt = 1 }", "");
    assert_eq!(counts(&game(&plain), Chance::Ask, 4), [2, 3, 4, 4]);
}

#[test]
fn a_notation_that_leaves_out_a_choice_is_warned_of() {
    let rules = |text: &str| {
        format!(
            "{BOARD}
action lay {{ notation \"{text}\"  choose c in empty(lane)  choose m in mood  create stone at c  if m = glad {{ increase game.done by 1 }} }}
flow {{ turns turn from seat(1) until no empty(lane) {{ choose action lay }} }}"
        )
    };
    let warnings = |text: &str| conformance(&game(&rules(text)), 2, 1, 2).unwrap().warnings;
    assert!(warnings("{c}{m}").is_empty());
    let found = warnings("{c}");
    assert!(found[0].contains("turns that read `a` lead to different states"), "{found:?}");
}

#[test]
fn a_turn_without_end_is_refused() {
    let rules = "flow { turns turn from seat(1) { repeat { choose n in 1..1 } } }";
    let game = game(rules);
    let mut machine = game.machine();
    let state = game.start(&mut machine, &Start { players: 2, seed: 1, chance: Chance::Draw }).unwrap();
    match turns(&game, &mut machine, &state) {
        Err(PlayError::Limit(code, message)) => {
            assert_eq!(code.text(), "L14");
            assert_eq!(message, "a turn has more than 1000 decisions; it begins with the choice at walk.rules:1:43");
        }
        _ => panic!("it should be refused"),
    }
}

#[test]
fn the_question_of_the_only_action_is_asked() {
    let rules = format!(
        "{BOARD}
action lay {{ choose c in empty(lane) \"Where, with {{game.done}} done?\"  create stone at c  increase game.done by 1 }}
action pass {{ requires game.done > 1 }}
flow {{ turns turn from seat(1) {{ choose action lay, pass }} }}"
    );
    let scenario = "scenario \"questions\" {
      expect seat(1) asked \"Where, with 0 done?\"
      play \"lay a\"
      expect seat(2) asked \"Where, with 1 done?\"
      play \"lay b\"
      expect seat(1) asked \"choose an action\"
    }";
    assert_eq!(failures(&rules, scenario), "");
}

const PILE: &str = "
kind chip : card { }
zone deck { holds: chip  order: pile  seen: none  starts: chip }
zone hand per player { holds: chip  seen: holder }
chip \"One\" { }
chip \"Two\" { }
chip \"Three\" { }
setup { shuffle deck }
action take { notation \"{c}\"  requires some deck  move first(deck) to me.hand as c }
flow { shuffle deck  turns turn from seat(1) until no deck { choose action take } }";

#[test]
fn a_scenario_says_who_begins_and_keeps_the_order_of_piles() {
    let scenario = "scenario \"as given\" {
      mover seat(2)
      keep order
      given {
        move chip \"One\" to deck top
        move chip \"Two\" to deck top
        move chip \"Three\" to deck top
      }
      expect mover = seat(2)
      expect round = 1
      play seat(2) \"take\"
      expect seat(2).hand = chip \"Three\"
      expect round = 2
      play seat(1) \"take\" seat(2) \"take\"
      expect seat(1).hand = chip \"Two\"
    }
    scenario \"given may end the game\" {
      given { win seat(2) }
      expect winner seat(2)
      expect turns 1 = 0
    }";
    let scenario = scenario.replace("play seat(1) \"take\" seat(2) \"take\"", "play seat(1) \"take\"");
    assert_eq!(failures(PILE, &scenario), "");
}

fn write(folder: &Path, path: &str, text: &str) {
    let path = folder.join(path);
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(path, text).unwrap();
}

#[test]
fn positions_are_read_from_scenario_files() {
    let folder = tempfile::tempdir().unwrap();
    let rules = format!(
        "{BOARD}
action lay {{ notation \"{{c}}\"  choose c in empty(lane)  create stone at c  if no empty(lane) {{ win me }} }}
flow {{ turns turn from seat(1) {{ choose action lay }} }}"
    );
    let position = "scenario \"two left\" {
      given { create stone at site(lane, 1, 1) }
      play \"c\"
      expect turns 1 = 2
    }
    scenario \"one left\" {
      mover seat(2)
      given { create stone at site(lane, 1, 1)  create stone at site(lane, 2, 1)  create stone at site(lane, 3, 1) }
    }";
    write(folder.path(), "walk/game.toml", MANIFEST);
    write(folder.path(), "walk/walk.rules", &rules);
    write(folder.path(), "walk/positions/late.scenario", position);
    write(folder.path(), "elsewhere.scenario", position);
    let run = |args: &[&str]| cardwright(folder.path(), args, "");
    let inside = "walk/positions/late.scenario";
    assert_eq!(stdout(&run(&["options", inside, "--turns"])), "b\nd\n");
    assert_eq!(stdout(&run(&["options", inside, "--turns", "--scenario", "one left"])), "d\n");
    let json = stdout(&run(&["options", inside, "--turns", "--json"]));
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(json["turns"][0], serde_json::json!({ "text": "b", "keys": ["lay b"] }));
    assert_eq!((json["version"].as_u64(), json["seat"].as_str()), (Some(1), Some("blue")));
    let counted = stdout(&run(&["perft", inside, "--depth", "2", "--divide"]));
    assert_eq!(counted, "b: 1\nd: 1\ndepth 2\nturns 2\nfinished 2\ndecisions 4\n");
    let shown = stdout(&run(&["show", inside, "--scenario", "one left"]));
    assert!(shown.contains("blue on turn") && shown.contains("lay d"), "{shown}");
    let outside = run(&["perft", "elsewhere.scenario", "--depth", "1"]);
    assert_eq!(outside.status.code(), Some(2));
    assert!(stderr(&outside).contains("lies in no game's folder"), "{}", stderr(&outside));
    let json = stdout(&run(&["perft", "elsewhere.scenario", "--depth", "1", "--game", "./walk", "--divide", "--json"]));
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!((json["turns"].as_u64(), json["finished"].as_u64()), (Some(2), Some(0)));
    assert_eq!(json["divide"][1], serde_json::json!({ "turn": "d", "turns": 1, "finished": 0 }));
    let unknown = run(&["options", inside, "--scenario", "three left"]);
    assert!(stderr(&unknown).contains("one left"), "{}", stderr(&unknown));
    assert_eq!(run(&["options", inside, "--players", "2"]).status.code(), Some(2));
}

#[test]
fn turns_that_perft_lists_are_taken_where_nothing_has_a_notation() {
    let folder = tempfile::tempdir().unwrap();
    // The first of two keys is the beginning of another, and one holds what stands between keys.
    let rules = "
enum mood { glad \"G\"  good \"G; S\"  sad \"S\" }
kind stone : piece { }
board lane { shape: square 2 1  cells: \"{col}\" }
action lay { choose c in empty(lane)  choose m in mood  choose n in mood  create stone at c }
flow { turns turn from seat(1) until no empty(lane) { choose action lay }  draw game }";
    write(folder.path(), "walk/game.toml", MANIFEST);
    write(folder.path(), "walk/walk.rules", rules);
    let run = |args: &[&str], stdin: &str| cardwright(folder.path(), args, stdin);
    let divided = stdout(&run(&["perft", "./walk", "--depth", "1", "--divide"], ""));
    let turns: Vec<&str> = divided.lines().filter_map(|line| line.strip_suffix(": 1")).collect();
    assert_eq!(turns.len(), 18, "{divided}");
    for turn in turns {
        write(folder.path(), "moves.txt", &format!("{turn}\n"));
        let left = run(&["options", "./walk", "--script", "moves.txt"], "");
        let other = if turn.starts_with("lay a") { "lay b\n" } else { "lay a\n" };
        assert_eq!(stdout(&left), other, "{turn}: {}", stderr(&left));
    }
    write(folder.path(), "moves.txt", "lay a; G\n");
    let half = run(&["options", "./walk", "--script", "moves.txt"], "");
    assert!(stderr(&half).contains("`lay a; G` is not legal"), "half a turn is none: {}", stderr(&half));
    let played = run(&["play", "./walk", "--players", "human,human", "--plain"], "lay a; S; G; S\nlay b; G; G\n");
    assert!(stdout(&played).contains("# draw"), "{}{}", stdout(&played), stderr(&played));
}

#[test]
fn turns_with_chance_are_taken_where_chance_is_asked_for() {
    let folder = tempfile::tempdir().unwrap();
    let rules = "
kind face : card { field rank: 1..3 }
face \"jack\" { rank: 1 }
face \"queen\" { rank: 2 }
face \"king\" { rank: 3 }
zone deck { holds: face  order: pile  seen: none  starts: face }
zone hand per player { holds: face  seen: holder }
setup { each p in players { random c in deck  move c to p.hand } }
action bet { }
action fold { }
flow {
  turns turn from seat(1) for 1 rounds { choose action bet, fold  roll n in 1..2 }
  win first(players having most (sum rank of hand))
}";
    write(folder.path(), "walk/game.toml", MANIFEST);
    write(folder.path(), "walk/walk.rules", rules);
    let run = |args: &[&str]| cardwright(folder.path(), args, "");
    let all = ["--chance", "all"];
    let divided = stdout(&run(&[&["perft", "./walk", "--depth", "1", "--divide"], &all[..]].concat()));
    let turns: Vec<&str> = divided.lines().filter_map(|line| line.strip_suffix(": 1")).collect();
    assert_eq!(turns.len(), 24, "{divided}");
    let script = [&["options", "./walk", "--script", "moves.txt"], &all[..]].concat();
    for turn in turns {
        write(folder.path(), "moves.txt", &format!("{turn}\n"));
        let left = run(&script);
        assert_eq!(stdout(&left), "bet\nfold\n", "{turn}: {}", stderr(&left));
    }
    write(folder.path(), "moves.txt", "jack\n");
    assert_eq!(stdout(&run(&script)), "queen\nking\n");
    let drawn = run(&["options", "./walk", "--script", "moves.txt"]);
    assert!(stderr(&drawn).contains("--chance all"), "{}", stderr(&drawn));
}

#[test]
fn scripts_take_whole_turns_and_records_tell_them() {
    let folder = tempfile::tempdir().unwrap();
    let rules = format!(
        "{BOARD}
action lay {{ notation \"{{c}} {{m}}\"  choose c in empty(lane)  choose m in mood  create stone at c }}
flow {{ turns turn from seat(1) until no empty(lane) {{ choose action lay }}  draw game }}"
    );
    write(folder.path(), "walk/game.toml", MANIFEST);
    write(folder.path(), "walk/walk.rules", &rules);
    write(folder.path(), "moves.txt", "b S\nlay c\nG\n");
    let options = cardwright(folder.path(), &["options", "./walk", "--script", "moves.txt"], "");
    assert_eq!(stdout(&options), "lay a\nlay d\n", "{}", stderr(&options));
    let played = cardwright(folder.path(), &["play", "./walk", "--players", "random,random", "--plain"], "");
    let record = stdout(&played);
    assert_eq!(record.matches("\n    # whole turn: ").count(), 4, "{record}");
    write(folder.path(), "record.txt", &record);
    let again = cardwright(folder.path(), &["options", "./walk", "--script", "record.txt", "--json"], "");
    assert!(stdout(&again).contains("\"over\":true"), "{}", stderr(&again));
    write(folder.path(), "moves.txt", "b S\nb G\n");
    let wrong = cardwright(folder.path(), &["options", "./walk", "--script", "moves.txt"], "");
    assert!(stderr(&wrong).contains("moves.txt:2: `b G` is not legal"), "{}", stderr(&wrong));
}

/// Plays a game by bots and reads its record as a script.
fn record_is_a_script(rules: &str) -> String {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "walk/game.toml", MANIFEST);
    write(folder.path(), "walk/walk.rules", rules);
    let args = ["play", "./walk", "--players", "random,random", "--plain", "--seed", "5"];
    let record = stdout(&cardwright(folder.path(), &args, ""));
    write(folder.path(), "record.txt", &record);
    let again = cardwright(folder.path(), &["options", "./walk", "--script", "record.txt", "--json"], "");
    assert!(stdout(&again).contains("\"over\":true"), "{record}{}", stderr(&again));
    record
}

#[test]
fn an_action_that_is_offered_more_than_once_has_its_arguments_in_its_keys() {
    let rules = "\
board lane { shape: square 4 1  cells: \"{col}\" }
kind frog : piece { }
action jump(way: direction) { choose f in frog where owner = me and step(site(it), way) in empty(lane)  move f to step(site(f), way) }
action rest(n: number) { requires n < round \"too early\" }
setup { create frog at site(lane, \"b\") with owner = seat(1)  create frog at site(lane, \"c\") with owner = seat(2) }
flow { turns turn from seat(1) until round > 3 { choose action jump(west), jump(east), rest(1) else rest(0) }  draw game }";
    let scenario = "scenario \"ways\" {
      expect options \"jump west frog b\"
      expect illegal \"jump east frog b\" because \"nothing to choose\"
      expect illegal \"jump\" because \"nothing to choose\"
      expect illegal \"rest 1\" because \"too early\"
      play \"jump west frog b\"
      expect options \"jump west frog c\", \"jump east frog c\"
      play \"jump west frog c\"
      expect options \"rest 1\"
      expect illegal \"jump west frog a\" because \"nothing to choose\"
      play \"rest 1\"
      expect options \"jump east frog b\", \"rest 1\"
    }";
    assert_eq!(failures(rules, scenario), "");
    assert!(record_is_a_script(rules).contains("jump west frog b"));
}

#[test]
fn arguments_in_keys_are_as_the_decider_knows_them() {
    let rules = "\
kind leaf : card { field worth: 1..9 = 1 }
zone deck { holds: leaf  order: pile  seen: none  starts: leaf }
zone hand per player { holds: leaf  seen: holder }
zone table { holds: leaf }
player { counter points: 0..99  counter coins: 0..9 = 3 }
leaf \"Ash\" { copies: 3 }
leaf \"Elm\" { worth: 2  copies: 3 }
verb spend n: number { decrease me.coins by n }
action lay(c: leaf, sure: flag) {
  move c to table
  if sure { open answers }
  increase me.points by c.worth
}
action buy(n: number, whom: set of player) { requires n <= me.coins \"too dear\"  spend n }
window answers from first(players_after(mover)) { buy(1, players where it = me)  buy(3, players) }
setup { each p in players { move top(deck) to p.hand } }
flow {
  turns turn from seat(1) until no me.hand { choose action lay(first(me.hand), true), lay(first(opponents.hand), false), lay(top(deck), false) }
  draw game
}";
    let scenario = "scenario \"cards\" {
      given { move first(leaf \"Ash\") to seat(1).hand  move first(leaf \"Elm\") to seat(2).hand }
      expect options \"lay Ash yes\", \"lay a card in blue's hand no\", \"lay a card in deck no\"
      play \"lay Ash yes\"
      expect seat(2) asked
      expect options \"buy 1 blue\", \"buy 3 red, blue\", \"pass\"
      play \"buy 1 blue\"
      expect options \"buy 1 blue\", \"pass\"
      expect illegal \"buy 3 red, blue\" because \"too dear\"
    }";
    assert_eq!(failures(rules, scenario), "");
    record_is_a_script(rules);
    let game = game(rules);
    assert_eq!(conformance(&game, 2, 3, 8).unwrap().problems, Vec::<String>::new());
}

#[test]
fn keys_of_notations_without_blanks_are_known() {
    let rules = "enum suit { moon \"M\" sun \"S\" }
kind chip : card { field hue: suit  field worth: 1..3  notation \"x{hue}{worth}\" }
zone hand per player { holds: chip }
setup { each p in players { create chip in p.hand with hue = moon, worth = 2 } }
action lay { choose c in me.hand  move c to nowhere }
flow { turns turn from seat(1) for 1 round { choose action lay } draw game }";
    assert_eq!(failures(rules, "scenario \"one\" { expect illegal \"lay xS3\"  play \"lay xM2\" }"), "");
    let found = failures(rules, "scenario \"two\" { expect illegal \"lay xT3\" }");
    assert!(found.contains("no option is ever written"), "{found}");
}

/// Who goes out in the own turn is not asked again, wherever in the turn that is; members of a loop all have their turn in it.
#[test]
fn who_goes_out_ends_their_turn() {
    let rules = "\
player { counter health: 0..9 = 2  counter asked: 0..99 }
verb hit p: player { decrease p.health by 1 }
action burn { set me.health = 0 }
action all_burn { set players.health = 0 }
action rest { increase me.asked by 1 }
rule death { check some (players where health = 0) { lose players where health = 0 } }
flow {
  turns turn from seat(1) for 2 rounds {
    phase early {
      repeat 2 times { choose action burn, all_burn, rest }
    }
    each p in players where p.asked > 8 { set p.health = 0  set p.asked = 0 }
    choose action burn, rest
  }
  draw game
}";
    let scenarios = "\
scenario \"in a loop of a phase\" {
  given { }
  play \"rest\"
  play \"burn\"
  expect mover = seat(2) and not seat(1).playing
  play \"rest\"
  play \"rest\"
  play \"burn\"
  expect mover = seat(3)
}
scenario \"a loop over players goes on\" {
  given { set seat(1).asked = 8  set seat(3).asked = 9 }
  play \"rest\"
  play \"rest\"
  expect mover = seat(2) and seat(3).asked = 0 and not seat(1).playing
}
scenario \"at the end of the turn\" {
  given { }
  play \"rest\"
  play \"rest\"
  play \"burn\"
  expect mover = seat(2)
}";
    let three = MANIFEST
        .replace("max = 2", "max = 4")
        .replace("min = 2", "min = 4")
        .replace("[\"red\", \"blue\"]", "[\"a\", \"b\", \"c\", \"d\"]");
    let world = MemoryWorld::new([("game.toml", three.as_str()), ("walk.rules", rules), ("walk.scenario", scenarios)]);
    let game = Game::load(&Package::memory("walk", world), &Options::new(), None)
        .unwrap_or_else(|error| panic!("{}", error.report(false)));
    let verdicts = run_all(&Arc::new(game)).unwrap();
    let failed: Vec<String> =
        verdicts.into_iter().filter_map(|verdict| verdict.failure).map(|failure| failure.report()).collect();
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}
