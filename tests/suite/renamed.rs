//! Cards that have another name than before: saved games, scenarios, recorded games and comparisons follow them.

use super::packages::{told, write};
use std::path::Path;

const MANIFEST: &str =
    "name = \"lamps\"\ntitle = \"Lamps\"\nversion = \"1.0.0\"\nedition = 1\nplayers = { min = 2, max = 2 }\n";
const RULES: &str = "kind lamp : card { field oil: 1..9 }\nzone deck { holds: lamp  order: pile  seen: all  starts: lamp }\n\
    zone lit { holds: lamp  seen: all  inplay: true }\nverb light c: lamp { move c to lit }\n\
    action kindle { choose c in deck where it is lamp  light c }\n\
    define score(p: player): number = if p = seat(1) then sum oil of (lit where it is lamp) else 0\n\
    setup { shuffle deck }\nflow { turns turn from seat(1) until no deck { choose action kindle } end game }\n";
const CARDS: &str =
    "lamp \"Wick\" { oil: 1 }\nlamp \"Long Wick\" { oil: 2 }\nlamp \"Torch\" { oil: 4 }\nlamp \"Globe\" { oil: 3 }\n";
const SCENARIO: &str = "scenario \"the wick burns\" {\n  given { }\n  play \"kindle Wick\"\n  expect illegal \"kindle Wick\"\n  play \"kindle Torch\"\n  \
     expect count lit = 2\n}\n";

fn game(folder: &Path, manifest: &str, cards: &str) {
    write(folder, &[("game.toml", manifest), ("a.rules", RULES), ("a.cards", cards), ("a.scenario", SCENARIO)]);
}

#[test]
fn keys_with_old_names_mean_the_cards_of_the_new_ones() {
    let root = tempfile::tempdir().unwrap();
    let folder = root.path();
    let fine = |args: &[&str]| {
        let (code, text) = told(folder, args);
        assert_eq!(code, 0, "{args:?}: {text}");
        text
    };
    game(&folder.join("old"), MANIFEST, CARDS);
    let begun = ["play", "./old", "--plain", "--players", "random,random", "--seed", "5", "--save", "a.save"];
    fine(&begun);
    std::fs::copy(folder.join("a.save"), folder.join("b.save")).unwrap();
    fine(&["test", "./old", "--random", "0", "--record", "2"]);
    // A name that is a part of another one, and two that change places with new ones.
    let cards = CARDS.replace("\"Wick\"", "\"Plain Wick\"").replace("\"Torch\"", "\"Flambeau\"");
    let was = "[was]\n\"Plain Wick\" = [\"Candle\", \"Wick\"]\nFlambeau = \"Torch\"\n";
    game(&folder.join("new"), &format!("{MANIFEST}{was}"), &cards);
    assert!(fine(&["test", "./new", "--random", "0"]).contains("1 of 1 scenarios passed"));
    let text = fine(&["replay", "a.save", "--game", "./new"]);
    assert!(text.contains("Plain Wick: deck -> lit"), "{text}");
    assert!(text.contains("Long Wick") && !text.contains("Torch"), "{text}");
    let text = fine(&["play", "./new", "--save", "b.save", "--if-changed", "go-on", "--plain"]);
    assert!(text.contains("going on after decision 4"), "{text}");
    // Recorded games are played with the same decisions.
    std::fs::create_dir(folder.join("new/records")).unwrap();
    for entry in std::fs::read_dir(folder.join("old/records")).unwrap().flatten() {
        std::fs::copy(entry.path(), folder.join("new/records").join(entry.file_name())).unwrap();
    }
    let (_, text) = told(folder, &["test", "./new", "--random", "0"]);
    assert!(!text.contains("is not legal"), "{text}");
    let text = fine(&["diff", "./old", "./new", "--games", "20"]);
    assert!(text.contains("no game of 20 differs") && !text.contains("removed lamp"), "{text}");
    // An expansion may take such a card away.
    let dark = "name = \"dark\"\ntitle = \"Dark\"\nversion = \"1.0.0\"\nedition = 1\nkind = \"expansion\"\nextends = { lamps = \"1.0.0\" }\n";
    write(&folder.join("dark"), &[("game.toml", dark), ("a.rules", "remove lamp \"Flambeau\"\n")]);
    fine(&["check", "./new", "--with", "./dark"]);
    // Without it, all of them are lost.
    game(&folder.join("new"), MANIFEST, &cards);
    assert!(told(folder, &["test", "./new", "--random", "0"]).1.contains("`kindle Wick` is not legal"));
}
