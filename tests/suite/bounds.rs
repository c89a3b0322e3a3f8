//! Bounds: whatever content says, it is stopped soon, with a code and its line. Work is counted in units and not in
//! seconds, since these tests also run without optimisation.

use super::support::{classics, games, with_hidden_hands};
use cardwright::base::{Code, MemoryWorld};
use cardwright::engine::{Chance, GameError, Machine, Start, State, Status, below, generator};
use cardwright::play::perft::{Step, count, perft};
use cardwright::play::simulate::{Plan, Until, bench};
use cardwright::play::turns::turns;
use cardwright::play::{Bot, Checked, Game, Options, Package, PlayError, Saved, Session, Setup, files};
use std::fmt::Write;
use std::sync::Arc;
use std::time::Duration;

const MANIFEST: &str = "name = \"small\"\ntitle = \"Small\"\nversion = \"0.1.0\"\nedition = 1\n\
                        [players]\nmin = 2\nmax = 2\n";

fn package(rules: &str, script: &str) -> Package {
    Package::memory("small", MemoryWorld::new([("game.toml", MANIFEST), ("a.rules", rules), ("f.rhai", script)]))
}

fn game(rules: &str, script: &str) -> Arc<Game> {
    match Game::load(&package(rules, script), &Options::new(), None) {
        Ok(game) => Arc::new(game),
        Err(error) => panic!("{error}"),
    }
}

/// What the checker finds: codes and how many of each come with advice.
fn found(rules: &str) -> Vec<(&'static str, bool)> {
    let checked = Checked::new(&package(rules, ""), &Options::new(), None).unwrap();
    checked
        .diagnostics
        .iter()
        .filter(|found| found.is_error())
        .map(|found| (found.code.text(), found.help.is_some()))
        .collect()
}

/// The first position of a game for two.
fn start(game: &Game, machine: &mut Machine) -> Result<State, PlayError> {
    game.start(machine, &Start { players: 2, seed: 1, chance: Chance::Draw })
}

/// What stops a game after its first decision, or at once, within so many units; the first of its lines.
fn stopped(rules: &str, script: &str, units: u64) -> (GameError, String) {
    let game = game(rules, script);
    let mut machine = game.machine();
    machine.limit_work(units);
    machine.record(true);
    let error = match start(&game, &mut machine) {
        Ok(mut state) => machine.choose(&mut state, 0).expect_err("nothing has stopped it"),
        Err(PlayError::Game { error, .. }) => *error,
        Err(error) => panic!("{error}"),
    };
    let line = game.locate(error.span).unwrap_or_default();
    (error, line)
}

/// Definitions of which each calls the one before so many times.
fn doubling(levels: usize, times: usize) -> String {
    let mut text = "define d0(n: number): number = n + round\n".to_owned();
    for level in 1..=levels {
        let calls: Vec<String> = (0..times).map(|time| format!("d{}(n + {time})", level - 1)).collect();
        let _ = writeln!(text, "define d{level}(n: number): number = {}", calls.join(" + "));
    }
    text
}

const ONE_TURN: &str = "flow { turns turn from seat(1) { choose n in 1..2  ";

#[test]
fn definitions_that_call_each_other_twice_are_stopped() {
    let (error, line) =
        stopped(&(doubling(60, 2) + ONE_TURN + "if d60(n) > 3 { win me } draw game } }"), "", 1_000_000);
    assert_eq!(error.code, "L06");
    assert!(line.starts_with("a.rules:"), "{line}");
}

/// Asks for what never changes: in loops, one through the other, of nothing, and of a number for which nothing is kept.
const KEPT: &str = "\
board grid { shape: square 7 7 }
kind stone : piece { }
player { counter coins: 0..200 = 60 }
game { mark last: maybe of site }
define edge: set of site = sites(grid) where count around(it) < 8
define far(p: player): set of site = sites(grid) where distance(it, origin(grid)) > p.seat and not it in edge
define near(s: maybe of site, n: number): set of site = sites(grid) as t where distance(t, s) <= n and some (around(t) & far(seat(1)))
define others: number = sum count near(it, count players) of far(seat(2))
action put {
  choose s in empty(far(me) + near(game.last, me.coins)) where others > count edge + column(it)
  create stone at s with owner = me
  increase me.coins by 3
  set game.last = s
}
flow { turns turn from seat(1) until round > 8 { choose action put } }";

#[test]
fn whether_what_never_changes_was_asked_for_before_is_seen_nowhere() {
    let game = game(KEPT, "");
    assert!(game.program.sites.memos.len() >= 4, "{:?}", game.program.sites.memos);
    let play = || {
        let mut machine = game.machine();
        let mut state = start(&game, &mut machine).unwrap();
        let mut seen = vec![(machine.work(), machine.hash(&state))];
        while machine.status(&state) == Status::Decide {
            let options = machine.option_count(&state);
            machine.choose(&mut state, seen.len() % options).unwrap();
            seen.push((machine.work(), machine.hash(&state)));
        }
        seen
    };
    let first = play();
    assert!(first.len() > 10, "{first:?}");
    assert_eq!(first, play());
}

#[test]
fn wide_definitions_are_not_copied_into_each_other() {
    // Copied six deep, as the compiler does with short ones, this would be 60 to the sixth.
    let board = "board grid { shape: square 3 3 }\nkind stone : piece { field size: 1..9 = 1 }\n";
    let action = "action go { choose s in empty(grid) where d8(1) > 3  create stone at s with owner = me  \
                  choose t in stone where d8(size) > 2  ensure d8(3) > 5 }\n\
                  flow { turns turn from seat(1) { choose action go  win me } }";
    let checked = Checked::new(&package(&(doubling(8, 60) + board + action), ""), &Options::new(), None).unwrap();
    let Some((_, program)) = checked.sound else { panic!("{:?}", checked.diagnostics) };
    assert!(program.ops.len() < 20_000, "{} instructions", program.ops.len());
}

#[test]
fn constants_and_hidden_cards_are_looked_for_once_in_each_definition() {
    let mut text =
        "define k0: number = 1\ndefine t0: number = count hand of seat(1)\n".replace("hand of seat(1)", "deck");
    for level in 1..=60 {
        let below = level - 1;
        let _ = writeln!(text, "define k{level}: number = k{below} * 1 + k{below} * 0");
        let _ = writeln!(text, "define t{level}: number = t{below} + t{below}");
    }
    text += "kind face : card { }\nzone deck { holds: face  seen: none }\ngame { counter held: 0..k60 }\n";
    text += "look table { line \"{t60}\" }\n";
    text += "flow { turns turn from seat(1) { choose n in 1..2  set game.held = k60  win me } }";
    assert!(found(&text).iter().all(|(code, _)| *code != "L04"));
}

#[test]
fn scripts_are_paid_for_by_what_they_cost() {
    let rules = |times: usize| {
        format!(
            "script f(n: number): number = \"f.rhai\"\nplayer {{ counter x: 0..9 }}\n{ONE_TURN}\
                 repeat {times} times {{ set me.x = f(n) }} win me }} }}"
        )
    };
    let calls = "fn f(n) { let x = 0; while x < 1000 { x += 1; } x }";
    let (error, line) = stopped(&rules(100_000), calls, 1_000_000);
    assert_eq!((error.code, line.split(':').next()), ("L06", Some("a.rules")));
    let heavy = [
        ("sorting", "fn f(n) { let a = []; a.pad(4096, 0); for i in 0..20000 { a.sort(); } 1 }"),
        ("comparing", "fn f(n) { let a = []; a.pad(4096, 0); for i in 0..20000 { if a == a { n += 1; } } n }"),
        ("copying", "fn f(n) { let a = []; a.pad(4096, 0); for i in 0..20000 { let b = a; } n }"),
        ("filling", "fn f(n) { for i in 0..20000 { let b = []; b.pad(4096, 0); } n }"),
        ("looking", "fn f(n) { let a = []; a.pad(4096, 0); for i in 0..20000 { a.contains(1); } n }"),
        ("nesting", "fn f(n) { let s = [1]; for i in 0..20000 { let t = []; t.push(s); t.push(s); s = t; } n }"),
    ];
    for (what, script) in heavy {
        let (error, _) = stopped(&rules(1), script, 100_000_000);
        assert_eq!(error.code, "L09", "{what}: {}", error.message);
    }
    let (error, _) = stopped(&rules(1), "fn f(n) { let a = [1]; a.map(Fn(\"abs\")); n }", 100_000_000);
    assert!(error.code != "L09", "{}", error.message);
}

#[test]
fn what_scripts_say_of_arrays_stays_true() {
    let script = "fn f(n) {
        let a = [3, 1, 2, 2]; let b = a.order(); a.sort();
        if a != b || a != [1, 2, 2, 3] || a == [1, 2] || [1, [2, #{x: 1}]] != [1, [2, #{x: 1}]] { return 1; }
        a.dedup(); if a != [1, 2, 3] { return 2; }
        a.sort_desc(); if a != [3, 2, 1] || !a.contains(2) || a.contains(\"2\") || a.index_of(1) != 2 { return 3; }
        a.pad(5, 7); if a != [3, 2, 1, 7, 7] { return 4; }
        let t = [\"b\", \"a\"]; t.sort(); if t != [\"a\", \"b\"] || #{x: [1]} == #{x: [2]} { return 5; }
        0
    }";
    let rules = format!(
        "script f(n: number): number = \"f.rhai\"\ngame {{ mark said: 0..9 }}\n{ONE_TURN}\
                         set game.said = f(n)  if game.said = 0 {{ win me }} }} }}"
    );
    let game = game(&rules, script);
    let mut machine = game.machine();
    let mut state = start(&game, &mut machine).unwrap();
    assert_eq!(machine.choose(&mut state, 0).unwrap(), Status::Over);
}

#[test]
fn a_log_without_end_is_stopped_or_cut() {
    let (error, line) =
        stopped(&format!("{ONE_TURN} repeat 1000000 times {{ note \"hello {{n}}\" }} win me }} }}"), "", 5_000_000);
    assert_eq!(error.code, "L06");
    assert!(line.starts_with("a.rules:1:"), "{line}");
    let rules = format!(
        "game {{ counter told: 0..9 }}\n{ONE_TURN}\
                         repeat 50000 times {{ set game.told = 1  set game.told = 0 }} win me }} }}"
    );
    let game = game(&rules, "");
    let mut machine = game.machine();
    machine.record(true);
    let mut state = start(&game, &mut machine).unwrap();
    machine.take_changes();
    assert_eq!(machine.choose(&mut state, 0).unwrap(), Status::Over);
    let changes = machine.take_changes();
    assert!(changes.len() < 90_000, "{} changes", changes.len());
    assert_eq!(changes.last().unwrap().full, "... and more than the log holds");
}

#[test]
fn turns_that_cannot_end_are_named() {
    let rules = "board grid { shape: square 1 1  cells: \"{col}{row}\" }\nkind sign : piece { }\nflow {\n  turns turn from seat(1) {\n    \
                 choose c in empty(grid)\n    create sign at c with owner = me\n  }\n}\n";
    let (error, line) = stopped(rules, "", 5_000_000);
    assert_eq!((error.code, line.as_str()), ("L06", "a.rules:4:3"));
    assert!(error.message.contains("turns go round"), "{}", error.message);
}

#[test]
fn a_repeat_that_offers_nothing_is_named() {
    let rules = |body: &str| {
        format!(
            "board grid {{ shape: square 1 1 }}\nkind sign : piece {{ }}\ngame {{ counter left: 0..9 = 9 }}\n\
             action lay {{\n  requires game.left > 9\n  choose s in empty(grid)\n  create sign at s\n}}\n\
             verb wait n: number {{ set game.left = n }}\nflow {{\n  turns turn from seat(1) {{\n    \
             choose n in 1..2\n{body}  }}\n}}\n"
        )
    };
    // A loop within it that ends is not the cause.
    let bodies = [
        ("    repeat {\n      choose action lay\n    }\n", "a.rules:13:5"),
        ("    repeat {\n      repeat 3 times { choose action lay }\n    }\n", "a.rules:13:5"),
        (
            "    repeat {\n      repeat until game.left > 3 { choose action lay  wait 9 }\n      wait 2\n    }\n",
            "a.rules:13:5",
        ),
        ("    repeat 2 times {\n      repeat while game.left > 1 { wait 5 }\n    }\n", "a.rules:14:7"),
    ];
    for (body, place) in bodies {
        let (error, line) = stopped(&rules(body), "", 5_000_000);
        assert_eq!((error.code, line.as_str()), ("L06", place), "{body}");
        assert!(error.message.contains("this `repeat` goes round for ever"), "{}", error.message);
    }
    // What is done once and takes too long is not put down to the loop around it.
    let body = "    repeat {\n      repeat 9000000 times { set game.left = 3 }\n      wait 1\n    }\n";
    let (error, _) = stopped(&rules(body), "", 5_000_000);
    assert!(error.message.contains("the last of it here"), "{}", error.message);
}

#[test]
fn a_creation_makes_no_more_than_it_can() {
    let rules = |create: &str| {
        format!(
            "kind face : card {{ field a: 1..1000  field b: 1..1000  field c: 1..1000 = 1 }}\n\
                 zone deck {{ holds: face  seen: all }}\nsetup {{ create face in deck with {create} }}\n\
                 {ONE_TURN} if some (deck where a + b + c > 3) {{ win me }} }} }}"
        )
    };
    let codes = |create: &str| found(&rules(create)).into_iter().map(|(code, _)| code).collect::<Vec<_>>();
    assert_eq!(codes("a = every_value, b = every_value, c = every_value"), ["L08"]);
    assert_eq!(codes("a = every_value, b = 2"), Vec::<&str>::new());
    let wide = "kind face : card { field a: -9223372036854775807..9223372036854775807 }\n\
                zone deck { holds: face  seen: all }\nsetup { create face in deck with a = any_value }\n\
                flow { turns turn from seat(1) { if some (deck where a > 3) { win me } } }";
    assert_eq!(found(wide).first().map(|(code, _)| *code), Some("E0902"));
}

#[test]
fn rolls_among_too_many_numbers_are_errors() {
    let (error, _) = stopped(&format!("{ONE_TURN} roll d in 1..10000  if d > n {{ win me }} }} }}"), "", 1_000_000);
    assert_eq!(error.code, "E0902");
}

#[test]
fn too_many_armed_rules_are_stopped() {
    let rules = format!(
        "game {{ counter x: 0..9 }}\nverb ring {{ }}\n{ONE_TURN}\
                         repeat 100000 times {{ arm until end of turn {{ after ring {{ increase game.x by 1 }} }} }} ring  win me }} }}"
    );
    let (error, _) = stopped(&rules, "", 100_000_000);
    assert_eq!(error.code, "L08", "{}", error.message);
}

#[test]
fn suggestions_are_bounded() {
    let mut text = format!("{ONE_TURN} win me }} }}\nkind face : card {{ field name_of_thing: number }}\n");
    for n in 0..600 {
        let _ = writeln!(text, "define name_of_thing_{n}(c: face): number = nane_of_thing_{n} + c.nane_of_thing");
    }
    let found = found(&text);
    assert_eq!(found.iter().filter(|(code, _)| *code == "E0101").count(), 600);
    let suggested = found.iter().filter(|(code, help)| *code == "E0101" && *help).count();
    assert!((10..=200).contains(&suggested), "{suggested}");
}

#[test]
fn unknown_verbs_and_kinds_are_compared_with_what_there_is_a_hundred_times() {
    let suggested = |code: &str, line: &dyn Fn(usize) -> String| {
        let lines: String = (0..300).map(line).collect();
        let found: Vec<_> =
            found(&format!("{ONE_TURN} win me }} }}\n{lines}")).into_iter().filter(|one| one.0 == code).collect();
        assert_eq!(found.len(), 300, "{code}");
        found.into_iter().filter(|(_, help)| *help).count()
    };
    let verbs = suggested("E0401", &|n| format!("verb lantern_{n} {{ }}\nverb light_{n} {{ lantrn_{n}() }}\n"));
    assert!((10..=200).contains(&verbs), "{verbs}");
    let kinds =
        suggested("E0117", &|n| format!("kind rope_{n} : card {{ }}\ndefine held_{n}(c: roep_{n}): number = 1\n"));
    assert!((10..=200).contains(&kinds), "{kinds}");
}

#[test]
fn lines_in_a_loop_are_not_all_tried() {
    let rules = "kind face : card { }\nzone deck { holds: face  order: pile  seen: none  starts: face }\n\
                 zone hand per player { holds: face }\nface \"Rope\" { copies: 3 }\nface \"Net\" { copies: 3 }\n\
                 define ropes(): set of face = face \"Rope\"\n\
                 setup { shuffle deck  each p in players { move top(deck, 2) to p.hand } }\n\
                 flow { turns turn from seat(1) { choose n in 1..2  \
                 repeat 2000 times { note \"{count (first(players).hand & ropes())}\" } } }";
    // The checker does not see that the hands are hidden.
    let game = with_hidden_hands(Game::load(&package(rules, ""), &Options::new(), None).unwrap());
    let mut machine = game.machine();
    machine.watch_notes(1);
    let mut state = start(&game, &mut machine).unwrap();
    machine.choose(&mut state, 0).unwrap();
    let found = machine.take_leaks().len();
    assert!((1..=200).contains(&found), "{found} leaks");
}

#[test]
fn counting_by_decisions_is_stopped() {
    let stopped = |rules: &str, depth: u32, step: Step| {
        let game = game(rules, "");
        let mut machine = game.machine();
        machine.limit_work(100_000);
        let state = start(&game, &mut machine).unwrap();
        match count(&game, &mut machine, &state, depth, step, &Arc::default()) {
            Err(PlayError::Limit(code, message)) => (code.text(), message),
            _ => panic!("it should be stopped"),
        }
    };
    let deck = "kind face : card { }\nzone deck { holds: face  starts: face }\n";
    let faces: String = (0..200).map(|n| format!("face \"F{n}\" {{ }}\n")).collect();
    let flow = "flow { turns turn from seat(1) { choose any c in deck  move c to nowhere } }";
    let (code, message) = stopped(&format!("{deck}{faces}{flow}"), 3, Step::Decision);
    assert_eq!(code, "L14");
    assert!(message.starts_with("there are too many ways through one turn"), "{message}");
    let flow = "flow { turns turn from seat(1) { choose n in 1..1 } }";
    for step in [Step::Turn, Step::Decision] {
        let (code, message) = stopped(flow, 100_000, step);
        assert_eq!((code, message.as_str()), ("L14", "this is more than 256 steps from the first position"));
    }
}

#[test]
fn a_choice_of_any_of_many_is_stopped_before_its_ways_are_walked() {
    let faces = |count: usize| (0..count).map(|n| format!("face \"F{n}\" {{ }}\n")).collect::<String>();
    let walked = |count: usize, many: &str, work: u64| {
        let rules = format!(
            "kind face : card {{ }}\nzone deck {{ holds: face  starts: face }}\n{}\
             action toss {{ choose {many} c in deck  move c to nowhere }}\n\
             flow {{ turns turn from seat(1) for 2 rounds {{ choose action toss }} }}",
            faces(count)
        );
        let game = game(&rules, "");
        let mut machine = game.machine();
        machine.limit_work(work);
        let state = start(&game, &mut machine).unwrap();
        let listed = turns(&game, &mut machine, &state).map(|turns| turns.len() as u64);
        let counted = perft(&game, &mut machine, &state, 1).map(|count| count.turns);
        [listed, counted].map(|found| match found {
            Ok(turns) => Ok(turns),
            Err(PlayError::Limit(code, message)) => Err(format!("{} {message}", code.text())),
            Err(error) => panic!("{error}"),
        })
    };
    // So little work is enough to see that there are too many sets.
    for (count, many) in [(200, "any"), (200, "exactly 100"), (64, "3 to 60"), (200, "exactly 190")] {
        for found in walked(count, many, 20_000) {
            let message = found.unwrap_err();
            assert!(
                message.starts_with("L14 there are too many ways through one turn: more than 2,000,000 options"),
                "{message}"
            );
        }
    }
    for (count, many, turns) in [(6, "any", 64), (200, "exactly 1", 200), (40, "39 to 40", 41), (12, "exactly 2", 66)] {
        assert_eq!(walked(count, many, 100_000_000), [Ok(turns), Ok(turns)], "{many} of {count}");
    }
}

#[test]
fn very_many_values_and_findings_are_cut() {
    let values: String = (0..100_000).map(|n| format!(" v{n}")).collect();
    let codes = found(&format!("enum e {{{values} }}\n{ONE_TURN} win me }} }}"));
    assert_eq!(codes.iter().filter(|(code, _)| *code == "E0210").count(), 1);
    assert!(found(&") ".repeat(400_000)).len() <= 1_100);
    assert!(found(&"define = \n".repeat(60_000)).len() <= 1_100);
}

#[test]
fn rows_of_expectations_are_not_nested() {
    let expect = "  expect count faces = 0\n".repeat(200);
    let defines: String = (0..200).map(|n| format!("define many_{n}: number = count face\n")).collect();
    let rules = format!(
        "kind face : card {{ }}\nzone deck {{ holds: face }}\ndefine faces: set of face = deck\n{defines}{ONE_TURN} win me }} }}"
    );
    let world = MemoryWorld::new([
        ("game.toml", MANIFEST),
        ("a.rules", rules.as_str()),
        ("a.scenario", &format!("scenario \"rows\" {{\n{expect}}}")),
    ]);
    let checked = Checked::new(&Package::memory("small", world), &Options::new(), None).unwrap();
    let limits: Vec<_> = checked.diagnostics.iter().filter(|found| found.code.text().starts_with('L')).collect();
    assert!(limits.is_empty(), "{limits:?}");
}

/// What the shipped games need is far from the limit, so that games of strangers have room.
#[test]
fn shipped_games_need_little_work() {
    let all = games().into_iter().map(|game| (game, 150)).chain(classics().into_iter().map(|game| (game, 30)));
    for (game, decisions) in all {
        let mut machine = game.machine();
        let seats = game.rules.players.1.min(4);
        let mut state = game.start(&mut machine, &Start { players: seats, seed: 3, chance: Chance::Draw }).unwrap();
        let (mut most, mut rng) = (machine.work(), generator(3));
        for _ in 0..decisions {
            let options = machine.option_count(&state);
            if options == 0 {
                break;
            }
            machine.choose(&mut state, below(&mut rng, options as u32) as usize).unwrap();
            most = most.max(machine.work());
        }
        println!("{}: {most}", game.full_name());
        assert!(most < 10_000_000, "{}: {most} units for one decision", game.full_name());
    }
}

/// The outcome of opening a save file to go on with it.
fn reopened(game: &Arc<Game>, path: &std::path::Path) -> Result<Session, PlayError> {
    let saved = Saved::read(path)?;
    let (mut session, _) = Session::replay(game.clone(), &saved)?;
    session.go_on_in(path, &saved)?;
    Ok(session)
}

fn said(result: Result<Session, PlayError>) -> (u8, String) {
    match result {
        Ok(_) => (0, String::new()),
        Err(error) => (error.exit_code(), error.to_string()),
    }
}

#[test]
fn a_save_has_one_writer() {
    let game = game(&format!("{ONE_TURN} if n = 2 {{ win me }} }} }}"), "");
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.save");
    let setup = Setup { seed: 1, seats: vec!["human".to_owned(), "human".to_owned()] };
    let mut first = Session::new(game.clone(), setup, Some(&path)).unwrap();
    first.choose_key("1").unwrap();
    let (code, words) = said(reopened(&game, &path));
    assert!(code == 3 && words.contains("is open in another game"), "{code}: {words}");
    // Who has read the file before another wrote to it would write over that.
    let saved = Saved::read(&path).unwrap();
    first.choose_key("1").unwrap();
    drop(first);
    let (mut late, _) = Session::replay(game.clone(), &saved).unwrap();
    let error = late.go_on_in(&path, &saved).unwrap_err();
    assert!(error.exit_code() == 3 && error.to_string().contains("since it was read"), "{error}");
    let mut again = reopened(&game, &path).unwrap();
    assert_eq!(again.decisions().len(), 2);
    again.choose_key("2").unwrap();
}

#[test]
fn an_altered_decision_is_noticed() {
    let game = game(
        &format!(
            "game {{ counter total: 0..99 }}\n{ONE_TURN} increase game.total by n  if game.total > 50 {{ win me }} }} }}"
        ),
        "",
    );
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.save");
    let setup = Setup { seed: 1, seats: vec!["human".to_owned(), "human".to_owned()] };
    let mut session = Session::new(game.clone(), setup, Some(&path)).unwrap();
    for _ in 0..5 {
        session.choose_key("1").unwrap();
    }
    drop(session);
    let text = std::fs::read_to_string(&path).unwrap();
    let altered =
        text.replace("{\"n\":4,\"seat\":\"player 2\",\"key\":\"1\"", "{\"n\":4,\"seat\":\"player 2\",\"key\":\"2\"");
    assert_ne!(text, altered);
    std::fs::write(&path, altered).unwrap();
    let (session, problems) = Session::replay(game, &Saved::read(&path).unwrap()).unwrap();
    assert_eq!((session.decisions().len(), problems.len()), (3, 1), "{problems:?}");
}

#[test]
fn what_is_no_saved_game_is_refused_in_words() {
    let game = game(&format!("{ONE_TURN} win me }} }}"), "");
    let folder = tempfile::tempdir().unwrap();
    let empty = folder.path().join("empty.save");
    std::fs::write(&empty, "").unwrap();
    assert_eq!(said(reopened(&game, &empty)).0, 1);
    assert!(said(reopened(&game, &empty)).1.contains("no game was saved in it"));
    let (code, words) = said(reopened(&game, folder.path()));
    assert!(code == 3 && words.contains("is a folder"), "{words}");
    #[cfg(unix)]
    for device in ["/dev/full", "/dev/zero"] {
        let (code, words) = said(reopened(&game, std::path::Path::new(device)));
        assert!(code == 3 && words.contains("a device or a pipe"), "{words}");
        let read = files::read(std::path::Path::new(device), 1 << 20);
        assert!(matches!(read, Err(PlayError::Limit(..))));
    }
}

#[test]
fn too_many_turns_are_refused_in_words() {
    let rules = "kind face : card { field a: 1..200 }\nzone deck { holds: face  seen: all }\nzone out { holds: face }\n\
                 setup { create face in deck with a = every_value }\n\
                 flow { turns turn from seat(1) { choose any q in deck  move q to out  if some (out where a > 3) { win me } } }";
    let game = game(rules, "");
    let mut machine = game.machine();
    machine.limit_work(100_000);
    let state = start(&game, &mut machine).unwrap();
    for result in [turns(&game, &mut machine, &state).err(), perft(&game, &mut machine, &state, 1).err()] {
        assert!(matches!(result, Some(PlayError::Limit(Code::TooManyTurns, _))), "{result:?}");
    }
}

#[test]
fn the_manifest_gives_room_and_work() {
    let rules = "kind coin : card { }\nzone purse per player { holds: coin }\n\
                 action work { choose n in 1..5  repeat 100 times { create coin in me.purse } }\n\
                 flow { turns turn from seat(1) for 3 rounds { choose action work } draw game }";
    let with = |bounds: &str| {
        let manifest = format!("{MANIFEST}{bounds}");
        let package =
            Package::memory("small", MemoryWorld::new([("game.toml", manifest.as_str()), ("a.rules", rules)]));
        Arc::new(Game::load(&package, &Options::new(), None).unwrap())
    };
    let play = |game: &Arc<Game>| {
        let mut machine = game.machine();
        let mut state = start(game, &mut machine).unwrap();
        while machine.status(&state) == Status::Decide {
            machine.choose(&mut state, 0)?;
        }
        Ok::<usize, GameError>(machine.things(&state))
    };
    let error = play(&with("")).unwrap_err();
    assert_eq!(error.code, "L08");
    assert!(error.message.contains("room for 256 things") && error.message.contains("`[bounds]`"), "{}", error.message);
    assert_eq!(play(&with("[bounds]\ncreated = 600\n")), Ok(600));
    let error = play(&with("[bounds]\ncreated = 600\nwork = 100\n")).unwrap_err();
    assert_eq!(error.code, "L06");
    assert!(error.message.contains("100 units") && error.message.contains("`work`"), "{}", error.message);
}

#[test]
fn a_game_that_does_not_end_is_cut_off_and_shown() {
    let rules = "game { counter passed: 0..9 }\naction pass { increase game.passed by 1 }\n\
                 flow { turns turn from seat(1) { choose action pass } }";
    let package = Package::memory("small", MemoryWorld::new([("game.toml", MANIFEST), ("a.rules", rules)]));
    let game = Arc::new(Game::load(&package, &Options::new(), None).unwrap());
    let until = Until::Time(Duration::from_millis(20));
    let plan = Plan { players: 2, seed: 5, threads: 1, until, bot: Bot::Random };
    let figures = bench(&game, &plan).unwrap();
    let cut = figures.unfinished.unwrap();
    assert_eq!((figures.games, cut.seed), (0, 5));
    assert!(cut.decisions > 0 && cut.report().contains("passed 9"), "{}", cut.report());
    assert_eq!(cut.next, vec!["pass"; 12]);
}
