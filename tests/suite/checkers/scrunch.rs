//! Scrunch against its checker.

use super::{Played, load, lockstep, positions, same_perft, wander};
use crate::checkers::scrunch::Scrunch;
use cardwright::play::Dice;

/// A position as a scenario: the size of the board, the stones, whose creation phase is open, the player to move, and
/// the winner if there is one.
fn written(number: usize, game: &Scrunch) -> String {
    let mut text = format!("scenario \"position {number}\" {{\n  mover seat({})\n  given {{\n", game.mover + 1);
    for (cell, (q, r)) in game.board.cells.iter().enumerate() {
        if let Some(owner) = game.stones[cell] {
            text += &format!("    create stone at site(space, \"{q},{r}\") with owner = seat({})\n", owner + 1);
        }
    }
    for player in [0, 1] {
        text += &format!("    set seat({}).creating = {}\n", player + 1, game.creating[player]);
    }
    if let Some(winner) = game.winner {
        text += &format!("    win seat({})\n", winner + 1);
    }
    text + "  }\n}\n"
}

#[test]
fn sequences_are_as_many() {
    for (size, depth) in [(2, 8), (3, 2), (4, 1), (7, 1)] {
        let game = load("scrunch", &[("size", size)]);
        let what = format!("size {size}");
        same_perft(&what, &mut Played::start(&game, 2), &Scrunch::new(size as i32), depth);
    }
}

#[test]
fn random_games_go_the_same_way() {
    for (size, games) in [(2, 20), (3, 8), (4, 2)] {
        let game = load("scrunch", &[("size", size)]);
        for seed in 0..games {
            let what = format!("size {size}, seed {seed}");
            let mut checker = Scrunch::new(size as i32);
            lockstep(&what, &mut Played::start(&game, 2), &mut checker, &mut Dice::new(seed), usize::MAX);
        }
    }
}

#[test]
fn positions_that_are_written_down_go_the_same_way() {
    for size in [2, 3, 4] {
        let mut dice = Dice::new(size as u64);
        let games = (0..6).flat_map(|_| wander(Scrunch::new(size), &mut dice, 4));
        let found: Vec<Scrunch> = games.collect();
        let text: String = found.iter().enumerate().map(|(number, game)| written(number, game)).collect();
        let played = positions("scrunch", &[("size", i64::from(size))], &text);
        assert_eq!(played.len(), found.len());
        for ((mut played, game), number) in played.into_iter().zip(found).zip(0..) {
            let what = format!("size {size}, position {number}: {}", written(number, &game));
            lockstep(&what, &mut played, &mut game.clone(), &mut dice, 3);
        }
    }
}
