//! `cardwright book`: what is printed, that nothing in it runs, and that it keeps to the package.

use super::support::{cardwright, root, stderr};
use std::path::Path;

const MANIFEST: &str = "name = \"lairs\"\ntitle = \"Lairs & <b>Co</b>\"\nversion = \"1.0.0\"\nedition = 1\nrulebook = \"RULES.md\"\n\
                        [players]\nmin = 2\nmax = 3\n";
const RULES: &str = "\
enum suit { rose leaf }
// Whoever has a lair moves in.
kind lair : card {
  // How much it holds.
  field room: 0..9 = 1
  field text: text = \"\"
  field enter: effect
}
kind face : card { field of_suit: suit  field rank: 1..3 }
zone deck { holds: lair  order: pile  starts: lair }
zone pack { holds: face  order: pile }
zone hand per player { holds: lair  seen: holder }
board grid { shape: square 2 2 }
kind man : piece { }
look lair { art: \"art/{name}.svg\"  colour: sand  label: \"{room}\" }
look deck { title: \"The lairs\"  colour: \"#112233\" }
setup { create face in pack with of_suit = every_value, rank = every_value  create man at site(grid, 1, 1) }
action enter { choose c in top(deck, 1)  do c.enter  move c to me.hand }
flow { turns turn from seat(1) for 1 round { choose action enter } }
lair \"Cave\" { copies: 11  enter { choose p in opponents \"Who?\"  note \"{p} waits\" } }
lair \"<script>alert(1)</script>\" { room: 3  text: \"5 < 6 & \\\"so\\\"\" }
lair \"../../secret\" { }
";
const BOOK: &str = "# Lairs & <b>Co</b>\n\n## The turn\n\n- LA-01 Enter <script>alert(2)</script> a lair.\n\n\
                    [a](javascript:alert(3)) [b](https://example.org) ![plan](art/Cave.svg) ![other](../secret.svg)\n";

fn package(folder: &Path) {
    let files = [
        ("game.toml", MANIFEST),
        ("a.rules", RULES),
        ("RULES.md", BOOK),
        (
            "art/Cave.svg",
            "<svg xmlns=\"http://www.w3.org/2000/svg\" onload=\"alert(4)\"><script>alert(5)</script></svg>",
        ),
        ("../secret.svg", "<svg>secret</svg>"),
    ];
    for (path, text) in files {
        let path = folder.join("lairs").join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
}

fn read(folder: &Path, path: &str) -> String {
    std::fs::read_to_string(folder.join(path)).unwrap()
}

#[test]
fn cards_are_printed_as_often_as_there_are_copies() {
    let folder = tempfile::tempdir().unwrap();
    package(folder.path());
    let output = cardwright(folder.path(), &["book", "./lairs", "--out", "print", "--backs"], "");
    let said = stderr(&output);
    assert!(output.status.success(), "{said}");
    // 13 lairs and 6 faces, on two sheets with their backs and a third.
    assert!(said.contains("19 cards, 9 to a page, 6 pages"), "{said}");
    // The cards of a name that leads out of the folder, or of which there is no picture, are printed without one.
    assert!(said.contains("warning[W0033]") && said.contains("another card lacks its picture too"), "{said}");
    let cards = read(folder.path(), "print/cards.html");
    assert_eq!(cards.matches("<section class=\"sheet\">").count(), 6);
    assert_eq!(cards.matches(">Cave</b>").count(), 11);
    assert_eq!(cards.matches("class=\"art a0\"").count(), 11);
    assert_eq!(cards.matches("<b>Enter:</b> Choose p in opponents (Who?). P waits.").count(), 11);
    assert_eq!(cards.matches("<span>The lairs</span>").count(), 13);
    assert!(cards.contains("5 &lt; 6 &amp; &quot;so&quot;") && cards.contains(">face rose 1</b>"), "{cards}");
    // The first card of a sheet lies at the left; its back at the right.
    let sheets: Vec<&str> = cards.split("<section").collect();
    let firsts: Vec<&str> = sheets[1..3].iter().map(|sheet| sheet.split("mm;top").next().unwrap()).collect();
    assert!(firsts[0].ends_with("left:10.5") && firsts[1].ends_with("left:136.5"), "{firsts:?}");
}

#[test]
fn nothing_from_content_runs_on_a_page() {
    let folder = tempfile::tempdir().unwrap();
    package(folder.path());
    let output = cardwright(folder.path(), &["book", "./lairs", "--out", "print"], "");
    assert!(output.status.success(), "{}", stderr(&output));
    let (cards, rules) = (read(folder.path(), "print/cards.html"), read(folder.path(), "print/rules.html"));
    for page in [&cards, &rules] {
        assert!(page.contains("default-src 'none'"));
        for danger in ["<script", "onload", "javascript:", "<b>Co", "secret</svg>", "src=\"http"] {
            assert!(!page.contains(danger), "{danger} in {page}");
        }
    }
    for part in [
        "<h1>Lairs &amp; &lt;b&gt;Co&lt;/b&gt;</h1>",
        "<b class=\"no\">LA-01</b> Enter &lt;script&gt;alert(2)&lt;/script&gt; a lair.",
        "<a href=\"https://example.org\">b</a>",
        "<img src=\"data:image/svg+xml;base64,",
        "The first position",
        "How much it holds.",
        "&lt;script&gt;alert(1)&lt;/script&gt;",
        "rose, leaf",
    ] {
        assert!(rules.contains(part), "{part} in {rules}");
    }
}

#[test]
fn what_setup_makes_for_each_player_is_printed_for_each() {
    let folder = tempfile::tempdir().unwrap();
    let manifest = "name = \"dens\"\ntitle = \"Dens\"\nversion = \"1.0.0\"\nedition = 1\n[players]\nmin = 2\nmax = 3\n";
    let rules = "\
kind mate : card { field n: 1..9 = 1 }
kind coin : card { field v: 1..2 }
zone hand per player { holds: mate, coin  seen: holder }
zone deck { holds: mate  starts: mate }
mate \"Cook\" { copies: 0 }
mate \"Bosun\" { copies: 2 }
setup { each p in players { create mate \"Cook\" in p.hand  create coin in p.hand with v = every_value  move bottom_mate to p.hand } }
define bottom_mate: set of mate = first(deck)
flow { turns turn from seat(1) for 1 round { choose c in me.hand  move c to nowhere } draw game }
";
    let game = folder.path().join("dens");
    std::fs::create_dir_all(&game).unwrap();
    std::fs::write(game.join("game.toml"), manifest).unwrap();
    std::fs::write(game.join("a.rules"), rules).unwrap();
    for (players, cooks) in [("2", 2), ("3", 3)] {
        let output = cardwright(folder.path(), &["book", "./dens", "--out", "print", "--players", players], "");
        assert!(output.status.success(), "{}", stderr(&output));
        let cards = read(folder.path(), "print/cards.html");
        let times = |name: &str| cards.matches(&format!(">{name}</b>")).count();
        assert_eq!((times("Cook"), times("Bosun"), times("coin 1")), (cooks, 2, cooks), "{players}");
    }
}

#[test]
fn bleed_paper_and_a_filter_change_the_sheets() {
    let folder = tempfile::tempdir().unwrap();
    package(folder.path());
    let run = |args: &[&str]| {
        let output = cardwright(folder.path(), &[&["book", "./lairs", "--out", "print"], args].concat(), "");
        (output.status.code(), stderr(&output))
    };
    let says = |args: &[&str], what: &str| {
        let (code, said) = run(args);
        assert!(code == Some(0) && said.contains(what), "{args:?}: {said}");
    };
    says(&["--bleed", "3"], "19 cards, 9 to a page, 3 pages");
    says(&["--bleed", "5", "--paper", "letter"], "19 cards, 4 to a page, 5 pages");
    says(&["--cards", "room > 1"], "1 card, 9 to a page, 1 page");
    assert_eq!(run(&["--bleed", "9"]).0, Some(2));
    assert_eq!(run(&["--players", "9"]).0, Some(2));
    assert_eq!(run(&["--cards", "rom > 1"]).0, Some(2));
    assert_eq!(run(&["--cards", "room > 8"]).0, Some(1));
}

#[cfg(unix)]
#[test]
fn pdf_files_are_made_by_a_browser_on_the_path() {
    use std::os::unix::fs::PermissionsExt;
    use std::process::Command;
    let folder = tempfile::tempdir().unwrap();
    package(folder.path());
    let run = |path: &Path| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_cardwright"));
        command.args(["book", "./lairs", "--out", "my print", "--pdf"]).env("PATH", path).current_dir(folder.path());
        command.output().unwrap()
    };
    let output = run(&folder.path().join("lairs"));
    assert_eq!(output.status.code(), Some(3));
    assert!(stderr(&output).contains("looked for chromium, ") && !folder.path().join("my print").exists());
    let bin = folder.path().join("bin");
    std::fs::create_dir_all(&bin).unwrap();
    let script =
        "#!/bin/sh\nfor a in \"$@\"; do case \"$a\" in --print-to-pdf=*) echo \"$@\" > \"${a#*=}\";; esac; done\n";
    std::fs::write(bin.join("chromium"), script).unwrap();
    std::fs::set_permissions(bin.join("chromium"), std::fs::Permissions::from_mode(0o755)).unwrap();
    let output = run(&bin);
    assert!(output.status.success(), "{}", stderr(&output));
    let asked = read(folder.path(), "my print/cards.pdf");
    assert!(asked.contains("file:///") && asked.contains("my%20print/cards.html"), "{asked}");
    // One that makes nothing is no success.
    std::fs::write(bin.join("chromium"), "#!/bin/sh\necho no display >&2\n").unwrap();
    let output = run(&bin);
    assert_eq!(output.status.code(), Some(3));
    assert!(stderr(&output).contains("no display"), "{}", stderr(&output));
}

#[test]
fn every_shipped_game_can_be_printed() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("print");
    let out = out.to_str().unwrap();
    for (game, cards) in [("star-munchkin", 168), ("monster-muncher", 80), ("cribbage", 52), ("munch", 0)] {
        let output = cardwright(&root(), &["book", game, "--out", out], "");
        let said = stderr(&output);
        assert!(output.status.success() && !said.contains("warning") && !said.contains("too long"), "{game}: {said}");
        assert!(cards == 0 || said.contains(&format!("{cards} cards, 9 to a page")), "{game}: {said}");
    }
}
