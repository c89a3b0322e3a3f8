//! The limits of scripts: content comes from strangers, so a script may compute, and give back what its declaration allows.

use super::support::{lamps, root};
use cardwright::base::{MemoryWorld, render_text};
use cardwright::engine::{Chance, Machine, Start, State, Status};
use cardwright::play::conformance::conformance;
use cardwright::play::scenario::run_all;
use cardwright::play::{Checked, Game, Options, Package};
use std::sync::Arc;
use std::time::{Duration, Instant};

const MANIFEST: &str =
    "name = \"scripted\"\ntitle = \"Scripted\"\nversion = \"1.0.0\"\nedition = 1\n[players]\nmin = 2\nmax = 2\n";
const BASE: &str = include_str!("../fixtures/base.rules");
const RULES: &str = "\
script best(n: number): number = \"hooks.rhai\"
rule loud { after drop c { set me.points = best(2) } }
";
const SCENARIO: &str = "scenario \"the script runs\" { play \"play Lantern\"  expect seat(1).points = 3 }\n";

/// What checking and running a game with this script says; empty if all is well. The script is asked for `best(2)`
/// and should answer 2.
fn said(script: &str) -> String {
    let world = MemoryWorld::new([
        ("game.toml", MANIFEST),
        ("base.rules", BASE),
        ("scripted.rules", RULES),
        ("scripted.scenario", SCENARIO),
        ("hooks.rhai", script),
    ]);
    let package = Package::memory("scripted", world);
    let checked = Checked::new(&package, &Options::new(), None).unwrap();
    if checked.sound.is_none() {
        return render_text(&checked.diagnostics, &checked.sources, false);
    }
    let game = Arc::new(Game::load(&package, &Options::new(), None).unwrap());
    let failures = run_all(&game).unwrap().into_iter().filter_map(|verdict| verdict.failure);
    failures.map(|failure| failure.report()).collect()
}

#[test]
fn a_variable_that_is_not_declared_is_found_by_the_checker() {
    let found = said("fn best(n) {\n    if n > 5 { return totl; }\n    n\n}");
    assert!(found.contains("there is no variable `totl` here") && found.contains("hooks.rhai:2:23"), "{found}");
    assert!(found.contains("if n > 5 { return totl; }"), "no excerpt: {found}");
}

#[test]
fn an_error_in_a_script_names_its_line_and_the_content_that_called_it() {
    let found = said("fn best(n) {\n    helper(n)\n}\nfn helper(n) {\n    n.push(1)\n}");
    assert!(found.contains("hooks.rhai:5:"), "{found}");
    assert!(found.contains("scripted.rules:2"), "no content line: {found}");
}

#[test]
fn a_script_that_computes_is_fine() {
    assert_eq!(said("fn best(n) { let sum = 0; for i in 0..n { sum += 1; } sum }"), "");
}

#[test]
fn scripts_that_use_too_much_are_stopped_soon() {
    let greedy = [
        ("endless loop", "fn best(n) { loop { n += 1; } }"),
        ("growing list", "fn best(n) { let a = []; loop { a.push(a.len()); } }"),
        ("doubling list", "fn best(n) { let a = [1]; loop { a += a; } }"),
        ("doubling text", "fn best(n) { let s = \"x\"; loop { s += s; } }"),
        ("nested lists", "fn best(n) { let a = [1]; loop { a = [a, a]; } }"),
        ("growing map", "fn best(n) { let m = #{}; let s = \"\"; loop { s += \"k\"; m[s] = 1; } }"),
        ("deep recursion", "fn best(n) { best(n + 1) }"),
        ("mutual recursion", "fn best(n) { worse(n + 1) } fn worse(n) { best(n + 1) }"),
    ];
    for (what, script) in greedy {
        let started = Instant::now();
        let said = said(script);
        assert!(said.contains("[L09]"), "{what}: {said}");
        assert!(started.elapsed() < Duration::from_secs(5), "{what} took {:?}", started.elapsed());
    }
}

#[test]
fn scripts_cannot_reach_outside() {
    let curious = [
        ("eval", "fn best(n) { eval(\"2\") }"),
        ("file import", "fn best(n) { import \"/etc/passwd\" as secret; 2 }"),
        ("sleep", "fn best(n) { sleep(1); 2 }"),
        ("clock", "fn best(n) { timestamp(); 2 }"),
        ("random", "fn best(n) { rand(1, 6) }"),
        ("file", "fn best(n) { open_file(\"a\"); 2 }"),
        ("floats", "fn best(n) { 2.0 }"),
        ("process", "fn best(n) { exit(); 2 }"),
    ];
    for (what, script) in curious {
        let said = said(script);
        assert!(said.contains("[E0701]") || said.contains("[E0703]"), "{what}: {said}");
    }
}

#[test]
fn scripts_keep_nothing_between_calls() {
    let said = said("let calls = 0; fn best(n) { calls += 1; 2 }");
    assert!(said.contains("[E0701]"), "{said}");
}

#[test]
fn results_of_other_types_are_errors() {
    for result in ["\"two\"", "true", "[]", "()", "#{}", "'2'"] {
        let said = said(&format!("fn best(n) {{ {result} }}"));
        assert!(said.contains("[E0704]") && said.contains("`best`"), "{result}: {said}");
    }
}

const ACTING: &str = "\
script deeds() may give, set points, note, choose, roll, arm after drop, arm end of turn = \"hooks.rhai\"
rule loud { after drop c { deeds() } }
";

/// A game with this acting script, as it begins.
fn begun(script: &str) -> (Arc<Game>, Machine, State) {
    let world = MemoryWorld::new([
        ("game.toml", MANIFEST),
        ("base.rules", BASE),
        ("scripted.rules", ACTING),
        ("hooks.rhai", script),
    ]);
    let game = Arc::new(Game::load(&Package::memory("scripted", world), &Options::new(), None).unwrap());
    let mut machine = game.machine();
    let state = game.start(&mut machine, &Start { players: 2, seed: 1, chance: Chance::Draw }).unwrap();
    (game, machine, state)
}

/// What checking and playing a game with this acting script says; empty if all is well.
fn does(script: &str) -> String {
    let world = MemoryWorld::new([
        ("game.toml", MANIFEST),
        ("base.rules", BASE),
        ("scripted.rules", ACTING),
        ("scripted.scenario", "scenario \"the script runs\" { play \"play Lantern\" }\n"),
        ("hooks.rhai", script),
    ]);
    let package = Package::memory("scripted", world);
    let game = match Game::load(&package, &Options::new(), None) {
        Ok(game) => Arc::new(game),
        Err(error) => return error.to_string(),
    };
    let failures = run_all(&game).unwrap().into_iter().filter_map(|verdict| verdict.failure);
    failures.map(|failure| failure.report()).collect()
}

#[test]
fn what_a_script_gives_back_has_limits() {
    let greedy = [
        ("acts", "fn deeds() { let a = []; for i in 0..257 { a.push(note(\"x\")); } a }"),
        ("acts in lists", "fn deeds() { let a = []; for i in 0..20 { let b = []; for j in 0..20 { b.push(note(\"x\")); } a.push(b); } a }"),
        ("data", "fn deeds() { let a = []; for i in 0..1024 { a.push(i); } arm(#{ at: \"end of turn\" }, \"t\", a) } fn t(d) { () }"),
        (
            "deep data",
            "fn deeds() { let a = []; for i in 0..9 { a = [a]; } arm(#{ at: \"end of turn\" }, \"t\", a) } fn t(d) { () }",
        ),
        (
            "armed",
            "fn deeds() { let a = []; for i in 0..200 { a.push(arm(#{ at: \"end of turn\" }, \"t\", i)); } \
             a.push(roll(1, 2, \"more\", 0)); a }
             fn more(n, d) { let a = []; for i in 0..57 { a.push(arm(#{ at: \"end of turn\" }, \"t\", i)); } a } fn t(d) { () }",
        ),
        (
            "acts that wait",
            "fn deeds() { more(0, 0) } fn more(n, d) { let a = [roll(1, 2, \"more\", 0)]; for i in 0..255 { a.push(note(\"x\")); } a }",
        ),
    ];
    for (what, script) in greedy {
        let said = does(script);
        assert!(said.contains("[L09]"), "{what}: {said}");
    }
    let endless = does("fn deeds() { roll(1, 2, \"again\", 0) } fn again(n, d) { roll(1, 2, \"again\", 0) }");
    assert!(endless.contains("[L06]") || endless.contains("[L09]"), "{endless}");
}

#[test]
fn as_much_as_the_limits_allow_is_fine() {
    let modest = [
        "fn deeds() { let a = []; for i in 0..256 { a.push(note(\"x\")); } a }",
        "fn deeds() { let a = []; for i in 0..1022 { a.push(i); } arm(#{ at: \"end of turn\" }, \"t\", a) } fn t(d) { () }",
        "fn deeds() { let a = []; for i in 0..7 { a = [a]; } arm(#{ at: \"end of turn\" }, \"t\", a) } fn t(d) { () }",
        "fn deeds() { }",
    ];
    for script in modest {
        assert_eq!(does(script), "", "{script}");
    }
}

#[test]
fn an_act_that_the_declaration_does_not_allow_is_an_error_at_its_line() {
    let wrong = [
        ("fn deeds() {\n    act(\"drop\", [])\n}", "may not `drop`"),
        ("fn deeds() {\n    act(\"give\", [3])\n}", "cannot be the `c` of `give`"),
        ("fn deeds() {\n    act(\"give\", [])\n}", "takes 1 to 2 arguments"),
        ("fn deeds() {\n    set(me(), \"wear\", 1)\n}", "may not set `wear`"),
        ("fn deeds() {\n    set(me(), \"points\", true)\n}", "cannot be `points`"),
        ("fn deeds() {\n    roll(1, 6, \"gone\", 0)\n}", "no function `gone(answer, data)`"),
        ("fn deeds() {\n    roll(6, 1, \"t\", 0)\n}\nfn t(n, d) { () }", "no number from 6 to 1"),
        (
            "fn deeds() {\n    arm(#{ at: \"start of turn\" }, \"t\", 0)\n}\nfn t(d) { () }",
            "may not arm `start of turn`",
        ),
        (
            "fn deeds() {\n    arm(#{ at: \"end of turn\", til: 3 }, \"t\", 0)\n}\nfn t(d) { () }",
            "does not understand `til`",
        ),
        ("fn deeds() {\n    arm(#{ at: \"end of turn\" }, \"t\", |x| x)\n}\nfn t(d) { () }", "only plain values"),
        ("fn deeds() {\n    ask_one(3, \"?\", [1], \"t\", 0)\n}\nfn t(n, d) { () }", "put to a player"),
        ("fn deeds() {\n    cards(\"hadn\", me())\n}", "no zone `hadn`; did you mean `hand`?"),
        ("fn deeds() {\n    me().pionts\n}", "did you mean `points`?"),
    ];
    for (script, words) in wrong {
        let said = does(script);
        assert!(said.contains(words) && said.contains("hooks.rhai:2:"), "{script}: {said}");
        assert!(said.contains("scripted.rules:2"), "no content line: {said}");
    }
}

#[test]
fn what_waits_of_a_script_is_plain_data() {
    let package = Package::folder(&root().join("tests/laws/scripts"));
    let game = Arc::new(Game::load(&package, &Options::new(), None).unwrap());
    let mut machine = game.machine();
    for seed in 1..6 {
        let mut state = game.start(&mut machine, &Start { players: 3, seed, chance: Chance::Ask }).unwrap();
        for step in 0..40 {
            if machine.status(&state) == Status::Over {
                break;
            }
            let copy: State = serde_json::from_str(&serde_json::to_string(&state).unwrap()).unwrap();
            assert!(copy == state && machine.hash(&copy) == machine.hash(&state), "seed {seed}, step {step}");
            let index = (step * 7 + seed as usize) % machine.option_count(&state);
            let mut copy = copy;
            machine.choose(&mut copy, index).unwrap();
            machine.choose(&mut state, index).unwrap();
            assert!(copy == state, "seed {seed}, step {step}: the copy goes on alike");
        }
    }
}

#[test]
fn games_with_scripts_keep_what_every_game_keeps() {
    let game =
        Arc::new(Game::load(&Package::folder(&root().join("tests/laws/scripts")), &Options::new(), None).unwrap());
    let report = conformance(&game, 3, 1, 4).unwrap();
    assert!(report.problems.is_empty(), "{:?}", report.problems);
}

#[test]
fn what_scripts_have_armed_is_told_with_its_line_and_its_data_to_its_player_only() {
    let (game, mut machine, mut state) = begun(
        "fn deeds() {\n    arm(#{ at: \"end of turn\", of: me(), turns: 3 }, \"t\", #{ n: 41 })\n}\nfn t(d) { () }",
    );
    assert!(machine.armed(&state, None).is_empty());
    machine.choose(&mut state, 0).unwrap();
    let told = |machine: &mut Machine, seat| machine.armed(&state, seat).into_iter().next().unwrap();
    let (own, span) = told(&mut machine, Some(0));
    assert!(own.contains("deeds") && own.contains("end of turn of") && own.contains("n: 41"), "{own}");
    assert_eq!(game.locate(span).unwrap(), "hooks.rhai:2:5");
    let (other, _) = told(&mut machine, Some(1));
    assert!(other.contains("end of turn") && !other.contains("41"), "{other}");
}

#[test]
fn a_script_that_fails_for_some_arguments_is_found_by_check() {
    let world = MemoryWorld::new([
        ("game.toml", MANIFEST),
        ("base.rules", BASE),
        ("scripted.rules", ACTING),
        (
            "hooks.rhai",
            "fn deeds() { arm(#{ at: \"after drop\", when: \"w\" }, \"t\", 3) }\nfn w(d) { event().c.worn }\nfn t(d) { d.x }",
        ),
    ]);
    let checked = Checked::new(&Package::memory("scripted", world), &Options::new(), None).unwrap();
    let said = render_text(&checked.diagnostics, &checked.sources, false);
    assert!(said.contains("[W0030]") && said.contains("hooks.rhai:2") && said.contains("hooks.rhai:3"), "{said}");
}

/// A game in which a script arms something with a number that not everybody knows: the `shine` of a card in ann's hand, 7 in
/// this game and 3 in another. It comes as an argument, or the script sees it.
fn keeps_a_secret(declared: &str, called: &str, script: &str, own: u8) -> (Arc<Game>, State) {
    let lamps = lamps(own);
    let rules = format!(
        "{lamps}player {{ counter points: 0..99  counter open: 0..9 }}
look player {{ show: open }}
verb gain n: number {{ increase me.points by n }}
{declared}
action go {{ {called} }}
action rest {{ requires true }}
flow {{ turns turn from seat(1) for 3 rounds {{ choose action go, rest }} }}
"
    );
    let world = MemoryWorld::new([("game.toml", MANIFEST), ("a.rules", &rules), ("hooks.rhai", script)]);
    let game = match Game::load(&Package::memory("scripted", world), &Options::new(), None) {
        Ok(game) => Arc::new(game),
        Err(error) => panic!("{error}"),
    };
    let mut machine = game.machine();
    let mut state = game.start(&mut machine, &Start { players: 2, seed: 1, chance: Chance::Draw }).unwrap();
    machine.choose(&mut state, 0).unwrap();
    (game, state)
}

/// What a bot of a seat comes to know of ann's points by looking ahead, in many games that are drawn anew for it.
fn looked_ahead(game: &Arc<Game>, state: &State, seat: u8) -> std::collections::BTreeSet<i64> {
    let mut machine = game.machine();
    let points = |seed| {
        let mut guess = machine.resample(state, seat, seed);
        while machine.status(&guess) == Status::Decide {
            machine.choose(&mut guess, 1).unwrap();
        }
        machine.player_number(&guess, 0, "points").unwrap()
    };
    (0..30).map(points).collect()
}

#[test]
fn what_is_drawn_anew_has_nothing_of_what_scripts_keep_and_its_seat_cannot_know() {
    let armed = "arm(#{ at: \"end of turn\", turns: 2 }, \"due\", n) } fn due(n) { act(\"gain\", [n]) }";
    let hand = format!("fn omen() {{ let n = cards(\"hand\", me())[0].shine; {armed}");
    let all = format!("fn omen() {{ let n = cards(\"hand\", players()[0])[0].shine; {armed}");
    let given = format!("fn omen(n) {{ {armed}");
    let (may, numbered) = ("may gain, arm end of turn = \"hooks.rhai\"", "script omen(n: number)");
    let verb = "verb bode n: number { omen(n) }\n";
    let cases = [
        // Declaration, call, script, and whether ann's own bot may know the number.
        (format!("script omen() sees me {may}"), "omen()", &hand, true),
        (format!("script omen() sees all {may}"), "omen()", &all, false),
        (format!("{numbered} {may}"), "omen(sum shine of me.hand)", &given, true),
        (format!("{numbered} {may}"), "omen(sum shine of seat(1).hand)", &given, false),
        (format!("{verb}{numbered} {may}"), "bode sum shine of me.hand", &given, true),
    ];
    for (declared, called, script, own) in cases {
        for seat in 0..2 {
            let (game, state) = keeps_a_secret(&declared, called, script, 7);
            let (other, otherwise) = keeps_a_secret(&declared, called, script, 3);
            let (seen, otherwise) = (looked_ahead(&game, &state, seat), looked_ahead(&other, &otherwise, seat));
            match own && seat == 0 {
                true => assert_eq!((seen, otherwise), ([7].into(), [3].into()), "{declared} {called}"),
                false => assert_eq!((seen, otherwise), ([0].into(), [0].into()), "{declared} {called}, seat {seat}"),
            }
            let mut machine = game.machine();
            let told = machine.armed(&state, Some(seat)).iter().any(|(words, _)| words.contains("with 7"));
            assert_eq!(told, own && seat == 0, "why armed tells of the number: {declared} {called}, seat {seat}");
        }
    }
    let (game, state) = keeps_a_secret(&format!("{numbered} {may}"), "omen(4 + round)", &given, 7);
    for seat in 0..2 {
        assert_eq!(looked_ahead(&game, &state, seat), [5].into(), "what all know stays");
    }
}

#[test]
fn what_goes_on_with_different_functions_waits_for_its_players_order() {
    let armed = |first: &str, second: &str| {
        let at = "#{ at: \"end of turn\" }";
        format!(
            "fn deeds() {{ [arm({at}, \"{first}\", 1), arm({at}, \"{second}\", 2)] }} fn t(d) {{ () }} fn u(d) {{ () }}"
        )
    };
    for (first, second, asked) in [("t", "u", true), ("t", "t", false)] {
        let script = armed(first, second);
        let (_, mut machine, mut state) = begun(&script);
        machine.choose(&mut state, 0).unwrap();
        let mut orders = 0;
        for _ in 0..6 {
            let Some(decision) = machine.decision(&state) else { break };
            orders += usize::from(decision.question().contains("which acts next"));
            machine.choose(&mut state, 0).unwrap();
        }
        assert_eq!(orders > 0, asked, "{first}, {second}");
    }
}

/// Numbers have 64 bits on every machine, and no calculation wraps, whatever the build.
#[test]
fn numbers_of_scripts_are_the_same_everywhere() {
    let two = [
        "3000000000 * 3 - 8999999998",
        "2 ** 62 / 2 ** 61",
        "(1 << 62) >> 61",
        "2 + (1 << 64)",
        "2 + (1 << 4294967297)",
        "-7 / 2 + 5",
        "-7 % 4 + 5",
        "7 / -2 + 5",
        "9223372036854775807 - 9223372036854775805",
        "0x7fffffffffffffff - 0x7ffffffffffffffd",
        "[1, 2, 3].len() - 1",
        "\"9223372036854775807\".len() - 17",
    ];
    for sum in two {
        assert_eq!(said(&format!("fn best(n) {{ {sum} }}")), "", "{sum}");
    }
    let too_large = [
        "9223372036854775807 + 1",
        "-9223372036854775807 - 2",
        "4294967296 * 4294967296",
        "2 ** 63",
        "2 ** 4294967296",
        "(-9223372036854775807 - 1) / -1",
        "-(-9223372036854775807 - 1)",
        "abs(-9223372036854775807 - 1)",
        "2 / 0",
        "2 % 0",
        "[2, 2][4294967296]",
        "[2, 2][4294967297]",
        "9223372036854775808",
        "2.0",
        "2e0",
        "sqrt(4)",
        "to_float(2)",
        "PI()",
    ];
    for sum in too_large {
        let said = said(&format!("fn best(n) {{ let x = {sum}; 2 }}"));
        assert!(said.contains("[E0701]") || said.contains("[E0703]"), "{sum}: {said}");
    }
    let missing = does("fn deeds() { set(me(), \"points\", -9223372036854775807 - 1) }");
    assert!(missing.contains("[E0707]"), "the number that stands for nothing: {missing}");
}

/// Maps are in the order of their keys, texts in that of their letters' numbers: neither how a map came about nor any hash
/// or language of the machine matters.
#[test]
fn orders_in_scripts_are_the_same_everywhere() {
    let twos = [
        "let m = #{ zeta: 1, alpha: 2, Mid: 3, \"é\": 4 }; let s = \"\"; for k in m.keys() { s += k; }; s == \"Midalphazetaé\"",
        "let m = #{}; for i in 0..300 { m[`k${(i * 7919) % 300 + 100}`] = i; } let before = \"\"; \
         let sorted = true; for k in m.keys() { if k < before { sorted = false; } before = k; }; sorted",
        "let m = #{ b: 1, a: 2 }; m.values() == [2, 1]",
        "let t = [\"b\", \"B\", \"a\", \"é\", \"z\"]; t.sort(); t == [\"B\", \"a\", \"b\", \"z\", \"é\"]",
        "let t = [\"aa\", \"b\", \"cc\", \"d\"]; t.sort(|x, y| x.len() - y.len()); t == [\"b\", \"d\", \"aa\", \"cc\"]",
        "to_upper(\"straße\") == \"STRASSE\" && to_lower(\"I\") == \"i\" && \"é\".len() == 1",
    ];
    for check in twos {
        let parts = check.rsplit_once("; ").unwrap_or(("", check));
        let script = format!("fn best(n) {{ {}; if {} {{ 2 }} else {{ 9 }} }}", parts.0, parts.1);
        assert_eq!(said(&script), "", "{check}");
    }
    let after = |map: &str| {
        let script =
            format!("fn deeds() {{ {map} arm(#{{ at: \"end of turn\", turns: 9 }}, \"t\", m) }} fn t(d) {{ () }}");
        let (_, mut machine, mut state) = begun(&script);
        machine.choose(&mut state, 0).unwrap();
        let text = serde_json::to_string(&state).unwrap();
        (
            machine.hash(&state),
            text[text.find("\"zeta\"").unwrap() - 40..][..60].to_owned(),
            machine.armed(&state, Some(0))[0].0.clone(),
        )
    };
    let (one, kept, words) = after("let m = #{ zeta: 1, alpha: 2, mid: 3 }; /*   */");
    let (other, again, _) = after("let m = #{ mid: 3 }; m.alpha = 2; m.zeta = 1;  ");
    assert_eq!((one, kept), (other, again), "equal data is one state however it was made");
    assert!(words.ends_with("alpha: 2, mid: 3, zeta: 1"), "{words}");
}

/// The deepest calls that are allowed need no more stack than the smallest that systems give: a megabyte.
#[test]
fn the_deepest_calls_of_scripts_fit_into_a_small_stack() {
    let nested = (0..16).fold("best(n + 1)".to_owned(), |inner, _| format!("(1 + {inner})"));
    let scripts = [
        "fn best(n) { best(n + 1) }".to_owned(),
        format!("fn best(n) {{ if n > 0 {{ for i in [n] {{ while true {{ return {nested}; }} }} }} 2 }}"),
        "fn best(n) { let f = [n]; f.sort(|a, b| best(a)); let s = [1, n]; s.sort(|a, b| best(b + 1)); 2 }".to_owned(),
    ];
    for script in scripts {
        let small = std::thread::Builder::new().stack_size(1 << 20);
        let words = small
            .spawn({
                let script = script.clone();
                move || said(&script)
            })
            .unwrap()
            .join()
            .unwrap();
        assert!(words.contains("[L09]"), "{script}: {words}");
    }
}

#[test]
fn arrays_are_sorted_alike_everywhere_and_what_fails_meanwhile_is_said() {
    for sorted in ["sort(|a, b| a.cost - b)", "sort_by(|a, b| \"x\")", "order(|a, b| a + ())", "dedup(|a, b| 1)"] {
        let said = said(&format!("fn best(n) {{ let a = [3, 1, n]; a.{sorted}; 2 }}"));
        assert!(said.contains("[E0703]") && said.contains("hooks.rhai:1:"), "{sorted}: {said}");
    }
    let fine = [
        "a.sort(|x, y| x - y); a == [1, 1, 2, 3, 4, 5, 9]",
        "a.sort_by(|x, y| y - x); a == [9, 5, 4, 3, 2, 1, 1]",
        "a.sort(|x, y| x < y); a == [1, 1, 2, 3, 4, 5, 9]",
        "a.sort(|x, y| x % 3 - y % 3); a == [3, 9, 1, 4, 1, 5, 2]",
        "a.sort(|x, y| x % 3 < y % 3); a == [3, 9, 1, 4, 1, 5, 2]",
        // A comparison that contradicts itself leads to some order, and always to the same.
        "a.sort(|x, y| 1); a == [2, 9, 5, 1, 4, 1, 3]",
        "a.order(|x, y| y - x) == [9, 5, 4, 3, 2, 1, 1] && a[0] == 3",
        "a.dedup(|x, y| x % 2 == y % 2); a == [3, 4, 1, 2]",
    ];
    for check in fine {
        let (before, check) = check.rsplit_once("; ").unwrap_or(("()", check));
        let script =
            format!("fn best(n) {{ let a = [3, 1, 4, 1, 5, 9, 2]; {before}; if {check} {{ 2 }} else {{ 9 }} }}");
        assert_eq!(said(&script), "", "{before} {check}");
    }
}
