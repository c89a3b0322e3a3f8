//! Reversi on eight by eight squares: a bit a square.

use super::Dice;

const LEFT: u64 = 0x0101_0101_0101_0101;
const RIGHT: u64 = LEFT << 7;

/// Every square moved a step in a direction; those at the border fall off.
#[inline]
fn step(board: u64, way: usize) -> u64 {
    match way {
        0 => board << 8,
        1 => board >> 8,
        2 => (board & !RIGHT) << 1,
        3 => (board & !LEFT) >> 1,
        4 => (board & !RIGHT) << 9,
        5 => (board & !LEFT) << 7,
        6 => (board & !RIGHT) >> 7,
        _ => (board & !LEFT) >> 9,
    }
}

/// The squares of `other` that follow each other from `from` on in a direction.
#[inline]
fn run(from: u64, other: u64, way: usize) -> u64 {
    let mut found = step(from, way) & other;
    for _ in 0..5 {
        found |= step(found, way) & other;
    }
    found
}

fn moves(own: u64, other: u64) -> u64 {
    let empty = !(own | other);
    (0..8).fold(0, |found, way| found | step(run(own, other, way), way) & empty)
}

/// Plays a game; gives its length, without passes.
pub fn play(dice: &mut Dice) -> u32 {
    let (mut own, mut other) = (1u64 << 28 | 1 << 35, 1u64 << 27 | 1 << 36);
    let (mut turns, mut passed) = (0, false);
    loop {
        let open = moves(own, other);
        if open == 0 {
            if passed {
                return turns;
            }
            passed = true;
        } else {
            passed = false;
            turns += 1;
            let at = dice.bit(open);
            let turned = (0..8).fold(0, |turned, way| {
                let found = run(at, other, way);
                if step(found, way) & own == 0 { turned } else { turned | found }
            });
            own |= at | turned;
            other &= !turned;
        }
        (own, other) = (other, own);
    }
}
