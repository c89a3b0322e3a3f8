//! The limits of scripts: content comes from strangers, and a script may compute and nothing else.

use cardwright::base::{MemoryWorld, render_text};
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
