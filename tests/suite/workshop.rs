//! `play --workshop`: what it does, and that a save says so.

use super::support::{cardwright, stderr, stdout};
use std::path::Path;

const MANIFEST: &str = "name = \"dice\"\ntitle = \"Dice\"\nversion = \"1.0.0\"\nedition = 1\n[players]\nmin = 2\nmax = 2\nseats = [\"red\", \"blue\"]\n";
const RULES: &str = "\
kind tool : card { }
zone deck { holds: tool  order: pile  seen: none  starts: tool }
zone hand per player { holds: tool  seen: holder }
player { counter pips: 0..99 }
setup { move first(tool \"Rope\") to seat(1).hand  move first(tool \"Net\") to seat(2).hand }
action roll { random n in 1..6  increase me.pips by n }
action rest { }
flow { turns turn from seat(1) for 9 rounds { choose action roll, rest } }
tool \"Rope\" { copies: 3 }
tool \"Net\" { copies: 3 }
";

fn package(folder: &Path) {
    std::fs::create_dir_all(folder.join("dice")).unwrap();
    for (path, text) in [("game.toml", MANIFEST), ("a.rules", RULES)] {
        std::fs::write(folder.join("dice").join(path), text).unwrap();
    }
}

fn plays(folder: &Path, args: &[&str], typed: &str) -> String {
    let all = [&["play", "./dice", "--players", "human,human", "--seed", "3", "--plain"], args].concat();
    let output = cardwright(folder, &all, typed);
    assert!(output.status.success(), "{}", stderr(&output));
    stdout(&output)
}

#[test]
fn chance_gives_what_is_forced_and_the_save_replays_it() {
    let folder = tempfile::tempdir().unwrap();
    package(folder.path());
    let typed = "force 6\nroll\nforce 1; 5\nroll\nroll\nforce 2\nforce\nrest\n";
    let said = plays(folder.path(), &["--workshop", "--save", "a.save"], typed);
    assert!(
        said.contains("chance gives 6\n")
            && said.contains("chance gives 1, then 5\n")
            && said.contains("the seed draws again\n"),
        "{said}"
    );
    let save = std::fs::read_to_string(folder.path().join("a.save")).unwrap();
    assert!(
        save.contains("{\"after\":0,\"force\":[\"6\"]}\n") && save.contains("{\"after\":3,\"force\":[]}\n"),
        "{save}"
    );
    let output = cardwright(folder.path(), &["replay", "a.save", "--game", "./dice"], "");
    let record = stdout(&output);
    assert!(
        output.status.success() && record.contains("red pips: 0 -> 6") && record.contains("red pips: 6 -> 11"),
        "{record}"
    );
    assert!(record.contains("blue pips: 0 -> 1"), "{record}");
    // The same game, saved anew from within, replays the same.
    plays(folder.path(), &["--workshop"], &typed.replace("rest\n", "rest\nsave b.save\n"));
    let again = cardwright(folder.path(), &["replay", "b.save", "--game", "./dice"], "");
    assert!(again.status.success() && stdout(&again) == record, "{}", stdout(&again));
    // Nothing else can tell it.
    let said = plays(folder.path(), &["--workshop"], "force 6\nroll\nscenario 1\n");
    assert!(said.contains("a scenario cannot tell this game: something in it was done by hand"), "{said}");
    let output = cardwright(folder.path(), &["shrink", "a.save", "--game", "./dice", "--shows", "11"], "");
    assert!(output.status.code() == Some(1) && stderr(&output).contains("done by hand"), "{}", stderr(&output));
}

#[test]
fn what_cannot_come_up_is_said_and_play_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    package(folder.path());
    let said = plays(folder.path(), &["--workshop"], "force 9\nroll\nforce 4\nroll\n");
    assert!(said.contains("error[") && said.contains("`9`") && said.contains("the seed draws again\n"), "{said}");
    assert!(said.contains("red pips: 0 -> 4"), "{said}");
}

#[test]
fn any_decision_and_every_seat_can_be_looked_at() {
    let folder = tempfile::tempdir().unwrap();
    package(folder.path());
    let said = plays(
        folder.path(),
        &["--workshop", "--save", "a.save"],
        "force 6\nroll\nas blue\nall\ngo 0\nroll\ngo 7\nas green\ngo x\n",
    );
    assert!(said.contains("0 decisions were made\n"), "{said}");
    // Forced before the first decision, it comes up again after it was taken back.
    assert_eq!(said.matches("red pips: 0 -> 6").count(), 2, "{said}");
    assert!(said.matches("hand: Net").count() >= 2 && said.contains("hand: Rope"), "{said}");
    assert!(
        said.contains("only 1 decisions were made")
            && said.contains("there is no seat `green`")
            && said.contains("`go N`"),
        "{said}"
    );
    // Outside of the workshop these words mean nothing.
    let said = plays(folder.path(), &[], "all\n");
    assert!(!said.contains("hand: Net"), "{said}");
    let output = cardwright(folder.path(), &["replay", "a.save", "--game", "./dice"], "");
    assert!(output.status.success() && stdout(&output).contains("red pips: 0 -> 6"), "{}", stderr(&output));
}

#[test]
fn a_line_that_forces_at_another_moment_is_no_save() {
    let folder = tempfile::tempdir().unwrap();
    package(folder.path());
    plays(folder.path(), &["--workshop", "--save", "a.save"], "force 6\nroll\n");
    let save = std::fs::read_to_string(folder.path().join("a.save")).unwrap().replace("\"after\":0", "\"after\":1");
    std::fs::write(folder.path().join("b.save"), save).unwrap();
    let output = cardwright(folder.path(), &["replay", "b.save", "--game", "./dice"], "");
    assert!(
        output.status.code() == Some(1)
            && stderr(&output).contains("what was done by hand after 1 decisions stands after 0"),
        "{}",
        stderr(&output)
    );
}

#[test]
fn a_property_that_is_set_counts_at_once_and_the_save_replays_it() {
    let folder = tempfile::tempdir().unwrap();
    package(folder.path());
    // What is possible is worked out anew.
    let rules = RULES
        .replace("action roll {", "action roll {\n  requires pips_of(me) < 9 \"enough\"\n")
        .replace("action rest { }", "action rest { }\ndefine pips_of(p: player): number = p.pips");
    std::fs::write(folder.path().join("dice/a.rules"), rules).unwrap();
    let typed =
        "set seat(1).pips = 9\nroll\nrest\nset blue.pips = 7\nforce 1\nroll\nset red.pips = 8\nroll\nsave b.save\n";
    let said = plays(folder.path(), &["--workshop", "--save", "a.save"], typed);
    assert!(
        said.contains("by hand: seat(1).pips = 9")
            && said.contains("there is no option `roll`")
            && said.contains("red: pips 9"),
        "{said}"
    );
    let save = std::fs::read_to_string(folder.path().join("a.save")).unwrap();
    assert!(save.contains("{\"after\":0,\"set\":\"seat(1).pips\",\"to\":\"9\"}\n"), "{save}");
    let replay = |file: &str| {
        let output = cardwright(folder.path(), &["replay", file, "--game", "./dice"], "");
        assert!(output.status.success(), "{}", stderr(&output));
        stdout(&output)
    };
    let record = replay("a.save");
    assert!(record.contains("blue pips: 7 -> 8") && record.contains("by hand: red.pips = 8"), "{record}");
    assert_eq!(record, replay("b.save"));
}

#[test]
fn what_cannot_be_set_is_said() {
    let folder = tempfile::tempdir().unwrap();
    package(folder.path());
    for (typed, part) in [
        ("set pips = 1", "name a property"),
        ("set seat(3).pips = 1", "there is no `seat(3)`"),
        ("set red.coins = 1", "no counter or mark `coins` is kept; there are: pips"),
        ("set red.pips = 100", "`pips` is 0 to 99"),
        ("set red.pips = many", "`many` is no value of `pips`"),
        ("set red.pips", "`set game.NAME = VALUE`"),
        ("put Rope", "`put CARD in ZONE`"),
        ("put Rope in pocket", "there is no zone `pocket`; there are: deck, seat(1).hand, seat(2).hand"),
        ("put Anvil in deck", "no card in a zone is called `Anvil`"),
    ] {
        let said = plays(folder.path(), &["--workshop"], &format!("{typed}\nrest\n"));
        assert!(said.contains(part) && said.contains("# left in turn 2"), "{typed}: {said}");
    }
}

#[test]
fn a_card_is_put_anywhere_and_the_save_replays_it() {
    let folder = tempfile::tempdir().unwrap();
    package(folder.path());
    let rules = RULES.replace("action rest { }", "action rest { note \"{me.hand}; {count deck}\" }");
    std::fs::write(folder.path().join("dice/a.rules"), rules).unwrap();
    let typed = "put Net in red.hand\nput tool \"Rope\" in seat(1).hand\nrest\nput Net in deck\nrest\n";
    let said = plays(folder.path(), &["--workshop", "--save", "a.save"], typed);
    assert!(said.contains("by hand: put Net in red.hand"), "{said}");
    let save = std::fs::read_to_string(folder.path().join("a.save")).unwrap();
    assert!(save.contains("{\"after\":0,\"set\":\"put Net\",\"to\":\"red.hand\"}\n"), "{save}");
    let output = cardwright(folder.path(), &["replay", "a.save", "--game", "./dice"], "");
    assert!(output.status.success(), "{}", stderr(&output));
    let record = stdout(&output);
    assert!(record.contains("Rope, Rope, Net; 3") && record.contains("nothing; 4"), "{record}");
    assert!(record.contains("Rope: deck -> red's hand"), "{record}");
}
