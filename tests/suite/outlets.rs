//! What strangers write never reaches a terminal as it is: packages, saves, scripts and names of files full of characters
//! that nobody sees are refused, and every outlet of the program writes such characters out.

use super::support::{cardwright, root};
use cardwright::base::{MemoryWorld, Shape, is_unseen};
use cardwright::engine::{Chance, Start};
use cardwright::play::{Game, Options, Package};
use std::path::Path;
use std::process::Output;

/// Clears the screen, turns the writing around, hides a letter, sets the title, takes the line back.
const ATTACK: &str = "\u{1b}[2J\u{202e}x\u{200b}\u{1b}]0;t\u{7}\r\u{9b}31m";
const MANIFEST: &str = "name = \"small\"\ntitle = \"Small\"\nversion = \"0.1.0\"\nedition = 1\n\
                        [players]\nmin = 2\nmax = 2\nseats = [\"ann\", \"bob\"]\n";
const RULES: &str = "action go { choose n in 1..2  note \"{n}\" }\n\
                     flow { turns turn from seat(1) until round > 2 { choose action go } }\n";

fn is_clean(bytes: &[u8]) -> bool {
    let text = String::from_utf8(bytes.to_vec()).unwrap();
    !text.chars().any(|letter| letter != '\n' && is_unseen(letter))
}

fn runs_clean(folder: &Path, args: &[&str], stdin: &str) -> Output {
    let output = cardwright(folder, args, stdin);
    let all = [output.stdout.as_slice(), &output.stderr].concat();
    assert!(is_clean(&all), "{args:?} wrote {:?}", String::from_utf8_lossy(&all));
    output
}

fn package(folder: &Path, name: &str, manifest: &str, rules: &str) {
    let folder = folder.join(name);
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("game.toml"), manifest).unwrap();
    std::fs::write(folder.join("a.rules"), rules).unwrap();
}

#[test]
fn content_with_characters_that_nobody_sees_is_refused_and_shown() {
    let folder = tempfile::tempdir().unwrap();
    let escaped = "\\u001b[2J\\u202ex";
    let places = [
        ("comment", MANIFEST.to_owned(), format!("// {ATTACK}\n{RULES}")),
        ("text", MANIFEST.to_owned(), RULES.replace("{n}", &format!("{{n}}{ATTACK}"))),
        ("word", MANIFEST.to_owned(), RULES.replace("action go {", &format!("action go{ATTACK} {{"))),
        ("unclosed", MANIFEST.to_owned(), format!("{RULES}kind \"{ATTACK}")),
        ("title", MANIFEST.replace("Small", escaped), RULES.to_owned()),
        ("seat", MANIFEST.replace("\"ann\"", &format!("\"{escaped}\"")), RULES.to_owned()),
        ("key", MANIFEST.replace("edition", &format!("\"{escaped}\" = 1\nedition")), RULES.to_owned()),
        ("name", MANIFEST.replace("\"small\"", &format!("\"{escaped}\"")), RULES.to_owned()),
        ("raw", MANIFEST.replace("Small", ATTACK), RULES.to_owned()),
    ];
    for (name, manifest, rules) in &places {
        package(folder.path(), name, manifest, rules);
        for args in [vec!["check", name], vec!["check", name, "--json"], vec!["play", name], vec!["test", name]] {
            let mut args = args;
            let path = format!("./{name}");
            args[1] = &path;
            let output = runs_clean(folder.path(), &args, "1\n1\n1\n");
            assert_eq!(output.status.code(), Some(1), "{args:?}");
        }
        runs_clean(folder.path(), &["fmt", "--check", &format!("./{name}")], "");
        runs_clean(folder.path(), &["--color", "always", "list"], "");
    }
    let json = runs_clean(folder.path(), &["check", "./text", "--json"], "");
    let report: serde_json::Value = serde_json::from_slice(&json.stdout).unwrap();
    assert_eq!(report["diagnostics"][0]["code"], "E0004");
}

#[test]
fn colours_do_not_let_anything_else_through() {
    let folder = tempfile::tempdir().unwrap();
    package(folder.path(), "small", MANIFEST, &RULES.replace("{n}", &format!("{{n}}{ATTACK}")));
    let output = cardwright(folder.path(), &["--color", "always", "check", "./small"], "");
    let shown = String::from_utf8(output.stderr).unwrap();
    assert!(shown.contains("\\u{1b}[2J\\u{202e}x\\u{200b}"), "{shown:?}");
    let plain = shown.split('\u{1b}').skip(1).all(|part| part.starts_with('[') && part.contains('m'));
    assert!(plain && !shown.contains("\u{1b}[2J") && !shown.contains('\u{202e}'), "{shown:?}");
}

#[test]
fn scripts_arguments_and_names_of_files_are_shown_as_they_are() {
    let folder = tempfile::tempdir().unwrap();
    package(folder.path(), "small", MANIFEST, RULES);
    let path = folder.path();
    std::fs::write(path.join("keys"), format!("go 1\ngo 2{ATTACK}\n")).unwrap();
    runs_clean(path, &["play", "./small", "--script", "keys"], "");
    runs_clean(path, &["options", "./small", "--script", "keys", "--json"], "");
    // Whoever can type it needs no attack, but others read it in a log.
    for args in [["play", ATTACK], ["explain", ATTACK], ["replay", ATTACK], [ATTACK, "x"], ["check", ATTACK]] {
        runs_clean(path, &args, "");
    }
    runs_clean(path, &["show", "./small", "--seat", ATTACK], "");
    runs_clean(path, &["play", "./small", "--plain"], &format!("go{ATTACK}\nsave {ATTACK}/x\nread {ATTACK}\nquit\n"));
    let named = path.join(format!("b{ATTACK}\n.rules"));
    if std::fs::write(path.join("small").join(&named), "kind").is_ok() {
        runs_clean(path, &["check", "./small"], "");
    }
    let strange = format!("of{ATTACK}\nit");
    package(path, &strange, MANIFEST, "kind");
    runs_clean(path, &["check", &format!("./{strange}")], "");
    runs_clean(path, &["--content", ".", "list"], "");
    runs_clean(path, &["--content", ".", "list", "--json"], "");
}

#[test]
fn a_script_in_a_package_cannot_reach_the_terminal() {
    let folder = tempfile::tempdir().unwrap();
    let rules = "script spell(n: number): number = \"a.rhai\"\n\
                 action go { choose n in 1..spell(1) }\nflow { turns turn from seat(1) { choose action go } }\n";
    package(folder.path(), "small", MANIFEST, rules);
    let script = |text: &str| std::fs::write(folder.path().join("small/a.rhai"), text).unwrap();
    for text in [
        "fn spell(n) { throw \"\\x1b[2J\\u202e\" }".to_owned(),
        format!("fn spell(n) {{ \"{ATTACK}\" }}"),
        format!("fn spell(n) {{ n{ATTACK} }}"),
        format!("// {ATTACK}\nfn spell(n) {{ 1 }}"),
    ] {
        script(&text);
        runs_clean(folder.path(), &["check", "./small"], "");
        runs_clean(folder.path(), &["play", "./small", "--plain"], "1\n");
    }
    let output = runs_clean(folder.path(), &["check", "./small"], "");
    assert_eq!(output.status.code(), Some(1), "a comment hides characters");
}

#[test]
fn a_save_cannot_reach_the_terminal() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    package(path, "small", MANIFEST, RULES);
    let output =
        cardwright(path, &["play", "./small", "--plain", "--save", "a.save", "--players", "human,human"], "1\n1\n");
    assert!(output.status.success());
    let text = std::fs::read_to_string(path.join("a.save")).unwrap();
    let attack = "\\u001b[2J\\u202ex\\n";
    for (what, with) in [
        ("\"human\"", format!("\"{attack}\"")),
        ("\"small\"", format!("\"{attack}\"")),
        ("\"0.1.0\"", format!("\"{attack}\"")),
        ("\"go 1\"", format!("\"go {attack}\"")),
        ("{\"n\":1", format!("{{\"{attack}\":1,\"n\":1")),
    ] {
        std::fs::write(path.join("b.save"), text.replacen(what, &with, 1)).unwrap();
        for args in [
            vec!["replay", "b.save"],
            vec!["replay", "b.save", "--game", "./small"],
            vec!["show", "./small", "--save", "b.save"],
            vec!["play", "./small", "--plain", "--save", "b.save"],
        ] {
            let output = runs_clean(path, &args, "");
            let shown = String::from_utf8([output.stdout, output.stderr].concat()).unwrap();
            assert!(!shown.contains("[2J") || shown.contains("\\u{1b}[2J"), "{shown:?}");
        }
    }
}

#[test]
fn pictures_stay_well_formed() {
    use cardwright::front::svg::Shot;
    let world = MemoryWorld::new([("game.toml", MANIFEST), ("a.rules", RULES)]);
    let game = Game::load(&Package::memory("small", world), &Options::new(), None).unwrap();
    let mut machine = game.machine();
    let start = cardwright::engine::Start { players: 2, seed: 1, chance: cardwright::engine::Chance::Draw };
    let state = game.start(&mut machine, &start).unwrap();
    let mut view = machine.view(&state, Some(0));
    view.players[0].name = format!("<a>&\"'{ATTACK}\u{ffff}\u{0}");
    let picture = Shot::new(ATTACK, view, Default::default()).svg();
    assert!(is_clean(picture.as_bytes()), "{picture:?}");
    assert!(picture.contains("&lt;a&gt;&amp;") && picture.contains("\\u{202e}"), "{picture}");
}

#[test]
fn shipped_content_has_no_such_characters() {
    let mut folders = vec![root().join("content")];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if let Ok(text) = std::fs::read(&path) {
                assert!(is_clean(&text), "{}", path.display());
            }
        }
    }
}

/// What is called by what it keeps is called what it was while that changes; and whose an unseen piece is stands before its kind.
#[test]
fn lines_call_things_what_they_were() {
    let lines = |rules: &str, key: &str| {
        let game = super::support::small(rules);
        let mut machine = game.machine();
        let first = Start { players: 2, seed: 1, chance: Chance::Draw };
        let mut state = game.start(&mut machine, &first).unwrap();
        machine.record(true);
        let index = machine.find(&state, key).unwrap();
        machine.choose(&mut state, index).unwrap();
        machine.take_changes().into_iter().map(|change| change.text[1].clone()).collect::<Vec<String>>()
    };
    let die = "kind die : card { mark pips: number = 1  notation \"a {pips}\" }\nzone pool { holds: die }\n\
               setup { create die in pool }\naction spin { each d in pool { set d.pips = 5 }  each d in pool { set d.pips = 6 } }\n\
               flow { turns turn from seat(1) for 2 rounds { choose action spin } draw game }";
    let told = lines(die, "spin");
    assert!(
        told.iter().any(|line| line == "a 1 pips: 1 -> 5") && told.iter().any(|line| line == "a 5 pips: 5 -> 6"),
        "{told:?}"
    );
    let man = "board row { shape: square 3 1 }\nkind man : piece { field n: 1..9  seen: holder }\n\
               setup { create man at \"a1\" with owner = seat(1), n = 4 }\naction go { each m in man { move m to \"b1\" } }\n\
               flow { turns turn from seat(1) for 1 round { choose action go } draw game }";
    let told = lines(man, "go");
    assert!(told.iter().any(|line| line == "ann's man: a1 -> b1"), "{told:?}");
}

/// Of a piece face down its look says what asks for no more than its back.
#[test]
fn backs_are_drawn_by_what_lies_open_on_them() {
    let game = super::support::small(
        "board field { shape: square 3 1 }
kind plot : piece { seen: none  mark flagged: flag open = false  mark deep: number = 0 }
kind mine : plot { }
setup {
  create mine at \"a1\" with owner = seat(2) as m
  set m.flagged = true
  set m.deep = 3
  create plot at \"b1\" with owner = seat(1)
}
action go { }
look plot { glyph: \"M\" when this is mine, \"D\" when deep > 1, \"F\" when flagged, \"?\"  label: \"{deep}\" when deep > 5, \"{owner}\"  shape: star when this is mine, disc }
look mine { glyph: \"X\" }
flow { turns turn from seat(1) for 1 round { choose action go } }",
    );
    let mut machine = game.machine();
    let state = machine.start(&Start { players: 2, seed: 1, chance: Chance::Draw }).unwrap();
    let view = machine.view(&state, Some(0));
    let drawn = |at: usize| {
        let look = &view.boards[0].sites[at].pieces[0].look;
        (look.glyph.clone(), look.label.clone(), look.shape)
    };
    assert_eq!(drawn(0), (Some("F".to_owned()), Some("bob".to_owned()), Some(Shape::Disc)));
    assert_eq!(drawn(1), (Some("?".to_owned()), Some("ann".to_owned()), Some(Shape::Disc)));
}
