//! The pictures of positions in the documents. `CARDWRIGHT_WRITE_DOCS=1` makes all of them again, each from the moves
//! beside it; else they are compared.

use super::support::{cardwright, root, stderr, stdout};

/// Game and arguments.
const PICTURES: [(&str, &[&str]); 40] = [
    ("tic-tac-toe", &["--seed", "1"]),
    ("monster-muncher", &["--players", "3", "--seed", "8", "--seat", "red"]),
    ("star-munchkin", &["--players", "3", "--seed", "4", "--seat", "blue"]),
    ("hex", &["--seed", "12"]),
    ("breakthrough", &["--seed", "12"]),
    ("reversi", &["--seed", "12"]),
    ("draughts", &["--seed", "12"]),
    ("liars-dice", &["--players", "3", "--seed", "12", "--seat", "2"]),
    ("oh-hell", &["--players", "4", "--seed", "12", "--seat", "player 1"]),
    ("scrunch", &["--seed", "12"]),
    ("munch", &["--seed", "12"]),
    ("monster-factory", &["--players", "3", "--seed", "7", "--seat", "2"]),
    ("backgammon", &["--seed", "12"]),
    ("blackjack", &["--seed", "5", "--seat", "player"]),
    ("chinese-checkers", &["--players", "3", "--seed", "12"]),
    ("clobber", &["--seed", "12"]),
    ("cribbage", &["--seed", "12", "--seat", "player 1"]),
    ("dots-and-boxes", &["--seed", "12"]),
    ("einstein", &["--seed", "12"]),
    ("euchre", &["--players", "4", "--seed", "12", "--seat", "south"]),
    ("gomoku", &["--seed", "12"]),
    ("havannah", &["--seed", "12"]),
    ("lines-of-action", &["--seed", "12"]),
    ("oware", &["--seed", "12"]),
    ("pentago", &["--seed", "12"]),
    ("quoridor", &["--seed", "12"]),
    ("spades", &["--players", "4", "--seed", "12", "--seat", "south"]),
    ("twixt", &["--seed", "12"]),
    ("ultimate-tic-tac-toe", &["--seed", "12"]),
    ("y", &["--seed", "12"]),
    ("auction", &["--players", "3", "--seed", "12", "--seat", "ash"]),
    ("cooperative", &["--players", "3", "--seed", "12"]),
    ("deck-builder", &["--players", "3", "--seed", "12", "--seat", "player 1"]),
    ("duel", &["--seed", "12", "--seat", "Brass"]),
    ("engine-builder", &["--players", "3", "--seed", "12", "--seat", "player 1"]),
    ("hex-settlement", &["--players", "3", "--seed", "12"]),
    ("hidden-roles", &["--players", "5", "--seed", "12", "--seat", "player 1"]),
    ("partnership", &["--players", "4", "--seed", "12", "--seat", "north"]),
    ("routes", &["--players", "3", "--seed", "12", "--seat", "rose"]),
    ("worker-placement", &["--players", "3", "--seed", "12", "--seat", "red"]),
];

#[test]
fn pictures_of_positions_are_drawn_again_alike() {
    let write = std::env::var_os("CARDWRIGHT_WRITE_DOCS").is_some();
    for (game, args) in PICTURES {
        let moves = format!("docs/images/{game}.moves");
        let path = root().join("docs/images").join(format!("{game}.svg"));
        let picture =
            stdout(&cardwright(&root(), &[&["show", game, "--script", &moves, "--svg", "-"], args].concat(), ""));
        if write {
            std::fs::write(&path, &picture).unwrap();
        }
        let kept = std::fs::read_to_string(&path).unwrap();
        assert!(
            picture == kept,
            "{} is not what is drawn now; if it should be, run\n\
             CARDWRIGHT_WRITE_DOCS=1 cargo test --test all pictures::\nand look at the pictures",
            path.display()
        );
    }
}

#[test]
fn show_prints_a_position_and_says_what_is_wrong() {
    let show = |more: &[&str]| cardwright(&root(), &[&["show", "tic-tac-toe", "--seed", "1"], more].concat(), "");
    let moves = ["--script", "docs/images/tic-tac-toe.moves"];
    let shown = stdout(&show(&moves));
    assert!(shown.contains("X on turn") && shown.contains("Where?"), "{shown}");
    let start = stdout(&show(&[&moves[..], &["--at", "0"]].concat()));
    assert!(start.contains("turn 1") && start.contains("   9  "), "{start}");
    let wrong = show(&["--seat", "Y"]);
    assert_eq!(wrong.status.code(), Some(2));
    assert!(stderr(&wrong).contains("the seats are: X, O"));
    assert_eq!(show(&["--at", "3"]).status.code(), Some(2));
    assert_eq!(show(&["--svg", "no/such/folder/a.svg"]).status.code(), Some(3));
}
