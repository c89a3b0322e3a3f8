//! Breakthrough, hex and reversi against their checkers.

use super::{Played, load, lockstep, same_perft};
use crate::checkers::Checker;
use crate::checkers::breakthrough::Breakthrough;
use crate::checkers::hex::Hex;
use crate::checkers::reversi::Reversi;
use cardwright::play::Dice;

/// A game with an option, its checker, how many random games are played and how many turns deep sequences are counted.
fn compare<C: Checker>(name: &str, option: (&str, i64), checker: &C, games: u64, depth: u32) {
    let game = load(name, &[option]);
    same_perft(&format!("{name} {option:?}"), &mut Played::start(&game, 2), checker, depth);
    for seed in 0..games {
        let what = format!("{name} {option:?}, seed {seed}");
        lockstep(&what, &mut Played::start(&game, 2), &mut checker.clone(), &mut Dice::new(seed), usize::MAX);
    }
}

#[test]
fn breakthrough() {
    for (size, games, depth) in [(4, 5, 4), (5, 3, 2), (8, 1, 1)] {
        compare("breakthrough", ("size", size), &Breakthrough::new(size as i32, size as i32), games, depth);
    }
}

#[test]
fn hex() {
    for (size, games, depth) in [(2, 10, 4), (3, 20, 5), (5, 5, 2), (11, 1, 1)] {
        compare("hex", ("size", size), &Hex::new(size as i32), games, depth);
    }
}

#[test]
fn reversi() {
    for (half, games, depth) in [(2, 10, 5), (3, 2, 2), (4, 1, 2)] {
        compare("reversi", ("half", half), &Reversi::new(2 * half as i32), games, depth);
    }
}
