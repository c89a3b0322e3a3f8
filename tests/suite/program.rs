//! The program itself, run as people run it.

use super::support::{cardwright, root, stderr, stdout};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Output;

fn run(args: &[&str]) -> Output {
    cardwright(&root(), args, "")
}

fn fine(args: &[&str]) -> String {
    let output = run(args);
    assert!(output.status.success(), "{args:?}: {}", stderr(&output));
    stdout(&output)
}

fn json(args: &[&str]) -> Value {
    serde_json::from_str(&fine(args)).unwrap()
}

fn code(output: &Output) -> i32 {
    output.status.code().unwrap()
}

fn new_game(folder: &Path) -> PathBuf {
    let output = cardwright(folder, &["new", "sea-of-lamps"], "");
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    folder.join("sea-of-lamps")
}

#[test]
fn list_names_all_games() {
    let text = fine(&["list"]);
    let row = text.lines().find(|line| line.starts_with("monster-muncher ")).unwrap();
    assert!(row.contains("  2 to 6 players  ") && text.contains("\nclassics:\nbackgammon "), "{text}");
    assert!(json(&["list", "--json"])["games"].as_array().unwrap().len() >= 2);
    assert!(!text.contains("routes"), "templates are listed where they are asked for: {text}");
    let text = fine(&["list", "--templates"]);
    assert!(text.contains("routes  ") && !text.contains("monster-muncher"), "{text}");
}

#[test]
fn every_template_can_be_begun_with() {
    let folder = tempfile::tempdir().unwrap();
    for (index, template) in super::support::templates().iter().enumerate() {
        let name = format!("night-{index}");
        let output = cardwright(folder.path(), &["new", &name, "--like", &template.rules.name], "");
        assert_eq!(code(&output), 0, "{}", stderr(&output));
        let manifest = std::fs::read_to_string(folder.path().join(&name).join("game.toml")).unwrap();
        assert!(manifest.starts_with(&format!("name = \"{name}\"\ntitle = \"Night {index}\"\n")), "{manifest}");
        let rules = std::fs::read_to_string(folder.path().join(&name).join("RULES.md")).unwrap();
        assert!(rules.starts_with(&format!("# Night {index}\n")), "{rules}");
        let output = cardwright(folder.path(), &["test", &format!("./{name}"), "--random", "0"], "");
        assert_eq!(code(&output), 0, "{}", stderr(&output));
        let output = cardwright(folder.path(), &["check", &format!("./{name}")], "");
        assert!(stderr(&output).contains("0 errors, 0 warnings"), "{}", stderr(&output));
    }
    let output = cardwright(folder.path(), &["new", "other", "--like", "nothing-of-the-sort"], "");
    assert_eq!(code(&output), 2, "{}", stderr(&output));
    assert!(!folder.path().join("other").exists());
}

#[test]
fn all_shipped_content_is_sound() {
    let output = run(&["check"]);
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    assert!(stderr(&output).contains("monster-muncher: 0 errors, 0 warnings"), "{}", stderr(&output));
}

#[test]
fn check_prints_stats_and_json() {
    let stats = fine(&["check", "monster-muncher", "--stats"]);
    assert!(stats.contains("definitions       80"), "{stats}");
    assert!(stats.contains("with a script     1 (1.2 %)") && stats.contains("filters as loops"), "{stats}");
    let loops = fine(&["check", "quoridor", "--stats"]);
    assert!(loops.contains("is worked out for each (") && loops.contains("quoridor.rules:"), "{loops}");
    let stats = fine(&["check", "backgammon", "--stats"]);
    assert!(stats.contains("actions searched  4"), "{stats}");
    assert!(
        stats.contains("enter: an `ensure` is checked after everything before it has run (")
            && stats.contains(".rules:"),
        "{stats}"
    );
    let report = json(&["check", "tic-tac-toe", "--json"]);
    assert_eq!(report["schema"], 1);
    assert_eq!(report["diagnostics"].as_array().unwrap().len(), 0);
}

#[test]
fn bots_play_to_the_end_unattended_and_the_record_is_a_script() {
    let args = ["play", "monster-muncher", "--players", "random,random", "--seed", "7", "--plain"];
    let record = fine(&args);
    assert_eq!(record, fine(&args), "the same seed gives the same game");
    assert!(record.starts_with("# monster-muncher 0.1.0, seed 7\n"), "{record}");
    assert!(record.lines().last().unwrap().contains("win"), "{record}");
    let folder = tempfile::tempdir().unwrap();
    let script = folder.path().join("record.txt");
    std::fs::write(&script, &record).unwrap();
    let script = script.to_str().unwrap();
    let again =
        fine(&["play", "monster-muncher", "--players", "random,random", "--seed", "7", "--plain", "--script", script]);
    assert_eq!(record, again);
    let options = json(&["options", "monster-muncher", "--seed", "7", "--script", script, "--json"]);
    assert_eq!((options["over"].as_bool(), options["options"].as_array().unwrap().len()), (Some(true), 0));
}

#[test]
fn the_seed_is_always_shown() {
    for args in [
        &["play", "tic-tac-toe", "--players", "random,random", "--plain"][..],
        &["bench", "tic-tac-toe", "--games", "5"],
        &["perft", "tic-tac-toe", "--depth", "1"],
        &["options", "tic-tac-toe"],
    ] {
        let output = run(args);
        assert!(stderr(&output).contains("seed "), "{args:?}: {}", stderr(&output));
    }
}

#[test]
fn what_a_seed_tells_is_said_where_it_is_shown() {
    let folder = tempfile::tempdir().unwrap();
    let save = folder.path().join("a.save");
    let save = save.to_str().unwrap();
    let warning = "whoever has the seed or the saved file can find out all that is hidden in this game\n";
    let players = ["--players", "random,random", "--seed", "7", "--plain"];
    for (args, warned) in [
        ([&["play", "monster-muncher", "--save", save][..], &players].concat(), true),
        (vec!["options", "monster-muncher"], true),
        (vec!["options", "monster-muncher", "--json"], true),
        (vec!["show", "monster-muncher"], true),
        (vec!["replay", save], true),
        (vec!["replay", save, "--seat", "1"], false),
        (vec!["show", "tic-tac-toe"], false),
        ([&["play", "tic-tac-toe"][..], &players].concat(), false),
    ] {
        let output = run(&args);
        assert_eq!(stderr(&output).matches(warning).count(), usize::from(warned), "{args:?}: {}", stderr(&output));
        assert!(!stdout(&output).contains(warning), "{args:?}");
    }
    json(&["options", "monster-muncher", "--json"]);
}

#[test]
fn options_are_one_key_a_line() {
    assert_eq!(fine(&["options", "tic-tac-toe"]).lines().count(), 9);
    let folder = tempfile::tempdir().unwrap();
    let script = folder.path().join("moves.txt");
    std::fs::write(&script, "# the middle\nb2\n    a comment\n\na1\n").unwrap();
    let script = script.to_str().unwrap();
    let keys = fine(&["options", "tic-tac-toe", "--script", script]);
    assert_eq!(keys.lines().collect::<Vec<_>>(), ["b1", "c1", "a2", "c2", "a3", "b3", "c3"]);
    let position = json(&["options", "tic-tac-toe", "--script", script, "--json"]);
    assert_eq!((&position["seat"], &position["prompt"]), (&Value::from("X"), &Value::from("Where?")));
}

#[test]
fn an_illegal_key_in_a_script_stops_with_its_line() {
    let folder = tempfile::tempdir().unwrap();
    let script = folder.path().join("moves.txt");
    std::fs::write(&script, "b2\n# again\nb2\na1\n").unwrap();
    let output = run(&["play", "tic-tac-toe", "--plain", "--script", script.to_str().unwrap()]);
    assert_eq!(code(&output), 1);
    assert!(stderr(&output).contains("moves.txt:3: `b2` is not legal"), "{}", stderr(&output));
    assert!(stdout(&output).contains("\nb2\n"), "what was legal is recorded");
}

#[test]
fn perft_and_bench_print_the_agreed_json() {
    let count = json(&["perft", "tic-tac-toe", "--depth", "5", "--json"]);
    assert_eq!((count["depth"].as_u64(), count["turns"].as_u64()), (Some(5), Some(15120)));
    assert_eq!(count["finished"], 1440);
    assert!(count["decisions"].as_u64().unwrap() > 15120);
    let figures = json(&["bench", "tic-tac-toe", "--games", "300", "--threads", "2", "--json"]);
    for field in ["games_per_second", "decisions_per_second", "mean_decisions", "mean_turns", "state_bytes", "clone_ns"]
    {
        assert!(figures[field].as_f64().unwrap() > 0.0, "{field}: {figures}");
    }
    let wins: u64 = figures["wins"].as_array().unwrap().iter().map(|wins| wins.as_u64().unwrap()).sum();
    assert_eq!(wins + figures["draws"].as_u64().unwrap(), 300);
    assert_eq!(figures["seats"], serde_json::json!(["X", "O"]));
    assert!(figures["cpu_seconds"].as_f64().is_some() && figures["deviation_turns"].as_f64().unwrap() > 0.0);
}

#[test]
fn bench_tells_shared_wins_scores_places_and_turns_in_which_somebody_decides() {
    let folder = tempfile::tempdir().unwrap();
    game_of(folder.path(), &[]);
    // Each of four takes a card in turn, and after all of them a turn in which nobody decides: red and blue have most.
    std::fs::write(
        folder.path().join("names.rules"),
        "player { counter gold: 0..9 }\ndefine score(p: player): number = p.gold\n\
         setup { set seat(1).gold = 3  set seat(2).gold = 3  set seat(3).gold = 1 }\n\
         action rest { }\n\
         flow { turns turn from seat(1) until round > 2 { if me = seat(1) { choose action rest } }\n\
         end game }\n",
    )
    .unwrap();
    let manifest = std::fs::read_to_string(folder.path().join("game.toml")).unwrap();
    let manifest = manifest.replace("max = 2", "max = 4").replace("min = 2", "min = 4");
    let manifest = manifest.replace("\"blue\"]", "\"blue\", \"green\", \"white\"]");
    std::fs::write(folder.path().join("game.toml"), manifest).unwrap();
    let game = folder.path().to_str().unwrap();
    let figures = json(&["bench", game, "--games", "5", "--json"]);
    assert_eq!(
        (&figures["wins"], &figures["shared"]),
        (&serde_json::json!([0, 0, 0, 0]), &serde_json::json!([5, 5, 0, 0]))
    );
    assert_eq!((figures["shared_games"].as_u64(), figures["draws"].as_u64()), (Some(5), Some(0)));
    assert_eq!(figures["mean_scores"], serde_json::json!([3.0, 3.0, 1.0, 0.0]));
    assert_eq!(figures["score_errors"], serde_json::json!([0.0, 0.0, 0.0, 0.0]));
    assert_eq!(figures["places"], serde_json::json!([[5, 0, 0, 0], [5, 0, 0, 0], [0, 0, 5, 0], [0, 0, 0, 5]]));
    assert_eq!(figures["before"][0], serde_json::json!([0, 0, 5, 5]));
    assert_eq!((figures["mean_turns"].as_f64(), figures["longest"].as_u64()), (Some(3.0), Some(3)), "{figures}");
    assert_eq!(json(&["perft", game, "--depth", "3", "--json"])["finished"], 1, "perft counts the same turns");
    let text = fine(&["bench", game, "--games", "5"]);
    for line in [
        "won by red          0 (0.0 % ± 0.0), with others 5",
        "won by several      5 (100.0 %)",
        "score of green      1.00, standard error 0.00",
        "places of white     0.0 %, 0.0 %, 0.0 %, 100.0 %",
        "red and green       before 100.0 %, behind 0.0 %, equal 0.0 %",
    ] {
        assert!(text.contains(line), "no `{line}` in {text}");
    }
}

#[test]
fn perft_counts_single_decisions() {
    let counted = json(&["perft", "tic-tac-toe", "--depth", "5", "--by", "decisions", "--json"]);
    assert_eq!((counted["sequences"].as_u64(), counted["finished"].as_u64()), (Some(15120), Some(1440)));
    let folder = tempfile::tempdir().unwrap();
    game_of(folder.path(), &["a", "b", "c"]);
    let rules = std::fs::read_to_string(folder.path().join("names.rules")).unwrap();
    let two =
        rules.replace("choose c in bag \"Which?\"  move c to me.heap", "choose up to 2 cs in bag  move cs to me.heap");
    std::fs::write(folder.path().join("names.rules"), two).unwrap();
    let game = folder.path().to_str().unwrap();
    // Three cards or `done`, then two or `done`; nobody is asked after `done`, but the next player.
    let text = fine(&["perft", game, "--depth", "1", "--by", "decisions", "--divide"]);
    assert_eq!(text, "a: 1\nb: 1\nc: 1\ndone: 1\ndepth 1\nsequences 4\nfinished 0\ndecisions 4\n");
    let all = json(&["perft", game, "--depth", "2", "--by", "decisions", "--json", "--divide"]);
    assert_eq!(all["divide"][0], serde_json::json!({ "decision": "a", "sequences": 3, "finished": 0 }));
    assert_eq!(all["sequences"], 13);
}

#[test]
fn line_mode_takes_numbers_words_and_commands() {
    let input = "why\nhelp\nbogus\nb2\n1\nundo\nlook\na3\nlog\nwhy 1\nquit\n";
    let output =
        cardwright(&root(), &["play", "tic-tac-toe", "--players", "human,human", "--plain", "--seed", "1"], input);
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    let text = stdout(&output);
    for words in [
        "X: Where?",
        "takes the option with this number",
        "there is no option `bogus`",
        "O: Where?",
        "# left in turn 3",
    ] {
        assert!(text.contains(words), "no `{words}` in {text}");
    }
}

#[test]
fn why_says_of_what_is_offered_that_it_is() {
    let args = ["play", "tic-tac-toe", "--players", "human,human", "--plain", "--seed", "1"];
    let text = stdout(&cardwright(&root(), &args, "why a1\nb2\nwhy b2\nquit\n"));
    assert!(text.contains("`a1` is possible: it is option 1"), "{text}");
    assert!(!text.contains("`b2` is possible"), "{text}");
    let args = ["play", "reversi", "--players", "human,human", "--plain", "--seed", "1", "--every-choice"];
    let text = stdout(&cardwright(&root(), &args, "why place a1\nquit\n"));
    assert!(!text.contains("nothing is called"), "{text}");
}

#[test]
fn line_mode_reads_cards_and_shows_the_table_once() {
    let args = ["play", "monster-muncher", "--players", "human,greedy", "--seed", "7", "--plain"];
    let text = stdout(&cardwright(&root(), &args, "read zzzz\nread a\nlook\nquit\n"));
    assert!(text.contains("you see no card with `zzzz` in its name"), "{text}");
    assert!(text.contains(": monster\n  tier "), "{text}");
    assert_eq!(text.matches("turn 2, round 1, red on turn").count(), 2, "at the beginning and for `look`: {text}");
}

#[test]
fn a_whole_game_against_a_bot_can_be_piped() {
    let input = "1\n".repeat(600);
    let output = cardwright(&root(), &["play", "monster-muncher", "--plain", "--seed", "4"], &input);
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    let text = stdout(&output);
    assert!(text.lines().last().unwrap().contains("win"), "{}", text.lines().last().unwrap());
}

#[test]
fn a_saved_game_goes_on_and_is_replayed() {
    let folder = tempfile::tempdir().unwrap();
    let save = folder.path().join("a.save");
    let save = save.to_str().unwrap();
    let args = ["play", "tic-tac-toe", "--players", "human,human", "--plain", "--save", save];
    assert_eq!(code(&cardwright(&root(), &args, "b2\na1\n")), 0);
    let output = cardwright(&root(), &["play", "tic-tac-toe", "--plain", "--save", save], "c1\na3\na2\nc2\nb1\n");
    assert!(stderr(&output).contains("going on after decision 2"), "{}", stderr(&output));
    let record = fine(&["replay", save]);
    let keys: Vec<&str> = record.lines().filter(|line| !line.starts_with(['#', ' '])).collect();
    assert_eq!(keys, ["b2", "a1", "c1", "a3", "a2", "c2", "b1"]);
    let why = fine(&["replay", save, "--why", "2"]);
    assert!(why.contains("tic-tac-toe.rules:") && why.contains("X chose `b2`"), "{why}");
    let beyond = run(&["replay", save, "--why", "9999"]);
    assert_eq!(code(&beyond), 2);
}

#[test]
fn a_new_game_checks_tests_and_plays() {
    let folder = tempfile::tempdir().unwrap();
    let game = new_game(folder.path());
    let game = game.to_str().unwrap();
    let check = run(&["check", game]);
    assert!(stderr(&check).contains("sea-of-lamps: 0 errors, 0 warnings"), "{}", stderr(&check));
    let test = run(&["test", game]);
    assert_eq!(code(&test), 0, "{}{}", stdout(&test), stderr(&test));
    assert!(stdout(&test).contains("5 of 5 scenarios passed"), "{}", stdout(&test));
    let coverage = run(&["test", game, "--coverage"]);
    assert_eq!(code(&coverage), 0, "{}", stdout(&coverage));
    assert!(fine(&["play", game, "--players", "greedy,random", "--plain", "--seed", "2"]).contains("win"));
    assert_eq!(code(&run(&["fmt", "--check", game])), 0);
    assert_eq!(code(&cardwright(folder.path(), &["new", "sea-of-lamps"], "")), 2);
    assert_eq!(code(&cardwright(folder.path(), &["new", "Sea"], "")), 2);
}

#[test]
fn a_failing_scenario_shows_position_options_and_difference() {
    let folder = tempfile::tempdir().unwrap();
    let game = new_game(folder.path());
    let file = game.join("scenarios/sea-of-lamps.scenario");
    let wrong = "scenario \"wrong\" { expect options \"light Candle\", \"dance\" }\n";
    std::fs::write(&file, wrong).unwrap();
    let output = run(&["test", game.to_str().unwrap(), "--random", "0"]);
    assert_eq!(code(&output), 1);
    let text = stdout(&output);
    for words in ["FAILED  wrong", "sea-of-lamps.scenario:1:", "- dance", "deck: ", "light Candle"] {
        assert!(text.contains(words), "no `{words}` in {text}");
    }
}

#[test]
fn a_scenario_with_a_broken_step_has_one_error() {
    let folder = tempfile::tempdir().unwrap();
    let game = new_game(folder.path());
    let file = game.join("scenarios/sea-of-lamps.scenario");
    std::fs::write(&file, "scenario \"wrong\" {\n  let n = 3\n  expect count players = n\n}\n").unwrap();
    let output = run(&["test", game.to_str().unwrap(), "--random", "0"]);
    assert_eq!(code(&output), 1);
    let text = format!("{}{}", stdout(&output), stderr(&output));
    assert_eq!(text.matches("error[").count(), 1, "{text}");
    assert!(text.contains("error[E0005]: `let` is a statement"), "{text}");
}

#[test]
fn a_changed_snapshot_fails_until_it_is_accepted() {
    let folder = tempfile::tempdir().unwrap();
    let game = new_game(folder.path());
    let file = game.join("scenarios/sea-of-lamps.scenario");
    let scenario = "scenario \"a record\" {\n  seed 5\n  given { move first(lantern \"Candle\") to seat(1).hand }\n  \
                    play \"light Candle\"\n  snapshot\n}\n";
    std::fs::write(&file, scenario).unwrap();
    let test = |flags: &[&str]| {
        let args: Vec<&str> = ["test", game.to_str().unwrap(), "--random", "0"].iter().chain(flags).copied().collect();
        cardwright(&root(), &args, "y\n")
    };
    let new = test(&[]);
    assert_eq!(code(&new), 1);
    assert!(stdout(&new).contains("has no snapshot yet"), "{}", stdout(&new));
    let snapshot = game.join("scenarios/snapshots/sea-of-lamps__a-record.snap");
    assert!(snapshot.with_extension("snap.new").exists());
    assert_eq!(code(&test(&["--accept"])), 0);
    assert_eq!(code(&test(&[])), 0);
    let text = std::fs::read_to_string(&snapshot).unwrap();
    assert!(text.starts_with("---\nsource: ") && text.contains("light Candle\n"), "{text}");
    // Change a card: the record changes.
    let cards = game.join("cards/sea-of-lamps.cards");
    let edited = std::fs::read_to_string(&cards).unwrap().replacen("shine: 1", "shine: 3", 1);
    std::fs::write(&cards, edited).unwrap();
    let changed = test(&[]);
    assert_eq!(code(&changed), 1);
    assert!(stdout(&changed).contains("differs from its snapshot"), "{}", stdout(&changed));
    assert_eq!(code(&test(&["--review"])), 0, "`y` takes it");
    assert_eq!(code(&test(&[])), 0);
}

#[test]
fn an_edited_card_changes_the_game_and_a_broken_one_tells_where() {
    let folder = tempfile::tempdir().unwrap();
    let game = new_game(folder.path());
    let cards = game.join("cards/sea-of-lamps.cards");
    let text = std::fs::read_to_string(&cards).unwrap();
    std::fs::write(&cards, text.replace("draw_card }", "draw_crad }")).unwrap();
    let output = run(&["check", game.to_str().unwrap()]);
    assert_eq!(code(&output), 1);
    let message = stderr(&output);
    assert!(message.contains("sea-of-lamps.cards:12:") && message.contains("did you mean `draw_card`?"), "{message}");
}

#[test]
fn explain_tells_about_codes() {
    assert!(fine(&["explain", "E0101"]).contains("an unknown name"));
    assert!(fine(&["explain", "--list"]).lines().count() >= 60);
    let output = run(&["explain", "E9999"]);
    assert_eq!(code(&output), 2);
}

#[test]
fn eject_makes_a_copy_that_plays() {
    let folder = tempfile::tempdir().unwrap();
    let to = folder.path().join("mine");
    assert_eq!(code(&cardwright(folder.path(), &["eject", "tic-tac-toe", "mine"], "")), 0);
    assert!(fine(&["play", to.to_str().unwrap(), "--players", "random,random", "--plain"]).contains("# "));
}

#[test]
fn variants_and_options_are_taken() {
    let folder = tempfile::tempdir().unwrap();
    let game = new_game(folder.path());
    let game = game.to_str().unwrap();
    let args = ["play", game, "--players", "random,random", "--plain", "--seed", "3"];
    let short = fine(&[&args[..], &["--option", "goal=2"]].concat());
    let long = fine(&[&args[..], &["--variant", "long"]].concat());
    assert!(short.contains("# option goal = 2") && long.contains("# variant long"));
    assert!(short.lines().count() < long.lines().count());
    for wrong in [["--option", "goal=99"], ["--option", "gaol=2"], ["--variant", "lung"]] {
        let output = run(&[&args[..], &wrong].concat());
        assert_eq!(code(&output), 1, "{wrong:?}: {}", stderr(&output));
    }
}

/// A game of the options whose names are given: two players take one after the other.
fn game_of(folder: &Path, names: &[&str]) {
    let write = |file: &str, text: &str| std::fs::write(folder.join(file), text).unwrap();
    std::fs::create_dir_all(folder).unwrap();
    write(
        "game.toml",
        "name = \"names\"\ntitle = \"Names\"\nversion = \"1.0.0\"\nedition = 1\n\
         [players]\nmin = 2\nmax = 2\nseats = [\"red\", \"blue\"]\n",
    );
    write(
        "names.rules",
        "kind chip : card { }\nzone bag { holds: chip  starts: chip }\nzone heap per player { holds: chip }\n\
         flow { turns turn from seat(1) until no bag { choose c in bag \"Which?\"  move c to me.heap }  draw game }\n",
    );
    let cards: String = names.iter().map(|name| format!("chip {name:?} {{ }}\n")).collect();
    write("names.cards", &cards);
}

#[test]
fn a_record_is_a_script_whatever_cards_are_called() {
    let folder = tempfile::tempdir().unwrap();
    let names = ["# one", "undo", "quit", "why", "p", "1st", "look", "-- blue", "x; y", "jack; king", "\u{e9}t\u{e9}"];
    game_of(&folder.path().join("names"), &names);
    let run = |args: &[&str], stdin: &str| cardwright(folder.path(), args, stdin);
    for seed in ["1", "2", "3"] {
        let args = ["play", "./names", "--players", "random,random", "--plain", "--seed", seed];
        let record = stdout(&run(&args, ""));
        std::fs::write(folder.path().join("record.txt"), &record).unwrap();
        let again = run(&[&args[..], &["--script", "record.txt"]].concat(), "");
        assert_eq!(stdout(&again), record, "{}", stderr(&again));
    }
    let keys = stdout(&run(&["options", "./names"], ""));
    std::fs::write(folder.path().join("keys.txt"), &keys).unwrap();
    let over = run(&["options", "./names", "--script", "keys.txt", "--json"], "");
    assert!(stdout(&over).contains("\"over\":true"), "{}{}", stdout(&over), stderr(&over));
    // In line mode, what is a command otherwise is an option in quotes.
    let typed: String = names.iter().rev().map(|name| format!("{name:?}\n")).collect();
    let played = run(&["play", "./names", "--players", "human,human", "--plain"], &typed);
    assert!(stdout(&played).contains("# draw"), "{}", stdout(&played));
}

#[test]
fn a_number_on_the_screen_is_taken_and_numbers_are_not_numbered() {
    let folder = tempfile::tempdir().unwrap();
    game_of(&folder.path().join("tiles"), &["11", "0011", "2", "1"]);
    let run = |args: &[&str], stdin: &str| cardwright(folder.path(), args, stdin);
    let played = run(&["play", "./tiles", "--players", "human,human", "--plain"], "3\n1\n0011\n2\n11\n");
    let text = stdout(&played);
    assert!(
        text.contains("red: Which?\n      0011, 1, 11, 2\n")
            || text.contains("red: Which?\n      1, 2, 11, 0011\n")
            || text.contains("red: Which?\n      11, 0011, 2, 1\n"),
        "{text}"
    );
    assert!(text.contains("`3`") && text.contains("# draw"), "{text}");
    game_of(&folder.path().join("names"), &["oak 2", "oak 1", "elm 3"]);
    let played = run(&["play", "./names", "--players", "human,human", "--plain"], "2\n2\n1\n");
    let text = stdout(&played);
    assert!(text.contains("   2  oak 1\n") && text.contains("# draw"), "{text}");
}

#[test]
fn wrong_usage_ends_with_two_and_missing_files_with_three() {
    for args in [
        &["play", "no-such-game"][..],
        &["play", "tic-tac-toe", "--players", "human"],
        &["perft", "tic-tac-toe"],
        &["fly"],
    ] {
        assert_eq!(code(&run(args)), 2, "{args:?}");
    }
    assert_eq!(code(&run(&["replay", "no-such-file"])), 3);
    assert_eq!(code(&run(&["play", "tic-tac-toe", "--script", "no-such-file"])), 3);
}

#[test]
fn every_subcommand_has_help_with_an_example() {
    let commands = [
        "new",
        "check",
        "watch",
        "cards",
        "fmt",
        "play",
        "test",
        "replay",
        "perft",
        "bench",
        "options",
        "diff",
        "explain",
        "eject",
        "pack",
        "add",
        "remove",
        "list",
        "completions",
        "man",
    ];
    for command in commands {
        let help = fine(&[command, "--help"]);
        assert!(help.contains("Example") && help.contains(&format!("cardwright {command}")), "{help}");
    }
    for shell in ["bash", "zsh", "fish"] {
        assert!(fine(&["completions", shell]).contains("cardwright"));
    }
    let folder = tempfile::tempdir().unwrap();
    fine(&["man", folder.path().to_str().unwrap()]);
    for command in commands {
        let page = std::fs::read_to_string(folder.path().join(format!("cardwright-{command}.1"))).unwrap();
        assert!(page.contains(".SH SYNOPSIS") && page.contains(command), "{page}");
    }
}

#[test]
fn help_is_wrapped_once() {
    for command in ["play", "perft", "bench", "options", "show", "test", "check"] {
        let help = fine(&[command, "--help"]);
        let lines: Vec<&str> = help.lines().collect();
        for pair in lines.windows(2) {
            let prose = |line: &str| !line.is_empty() && !line.starts_with(' ') && !line.ends_with(':');
            let word = pair[1].split(' ').next().unwrap_or_default();
            let fits = pair[0].chars().count() + 1 + word.chars().count() <= 100;
            assert!(!(prose(pair[0]) && prose(pair[1]) && fits), "{command}: `{}` is broken too soon", pair[0]);
        }
    }
}

#[test]
fn a_folder_of_packages_is_checked_and_tested() {
    let folder = tempfile::tempdir().unwrap();
    game_of(&folder.path().join("games/one"), &["a", "b"]);
    game_of(&folder.path().join("games/two"), &["a", "b"]);
    let broken = folder.path().join("games/two/names.cards");
    std::fs::write(&broken, "chip \"a\" { colour: 1 }\n").unwrap();
    let check = cardwright(folder.path(), &["check", "./games"], "");
    assert_eq!(code(&check), 1);
    assert!(stderr(&check).contains("one: 0 errors") && stderr(&check).contains("two: 1 error,"), "{}", stderr(&check));
    std::fs::write(&broken, "chip \"a\" { }\n").unwrap();
    assert_eq!(code(&cardwright(folder.path(), &["check", "games"], "")), 0);
    let test = cardwright(folder.path(), &["test", "games"], "");
    assert_eq!((code(&test), stdout(&test).matches("all is well").count()), (0, 2), "{}", stdout(&test));
    std::fs::create_dir(folder.path().join("empty")).unwrap();
    assert_eq!(code(&cardwright(folder.path(), &["check", "./empty"], "")), 2);
}

#[test]
fn colour_is_for_terminals_or_on_demand() {
    let folder = tempfile::tempdir().unwrap();
    let game = new_game(folder.path());
    std::fs::write(game.join("cards/sea-of-lamps.cards"), "lantern {").unwrap();
    let game = game.to_str().unwrap();
    assert!(!stderr(&run(&["check", game])).contains('\u{1b}'));
    assert!(stderr(&run(&["check", game, "--color", "always"])).contains('\u{1b}'));
    assert!(!stderr(&run(&["check", game, "--color", "never"])).contains('\u{1b}'));
}
