//! Breakthrough on eight by eight squares: a bit a square, the first player moves up.

use super::Dice;

const LEFT: u64 = 0x0101_0101_0101_0101;
const RIGHT: u64 = LEFT << 7;
const LAST: u64 = 0xFF << 56;

/// Plays a game; gives its length. The board is turned after each move, so that who moves always moves up.
pub fn play(dice: &mut Dice) -> u32 {
    let (mut own, mut other) = (0xFFFFu64, 0xFFFFu64 << 48);
    for turn in 1.. {
        let ahead = (own << 8) & !(own | other);
        let left = ((own & !LEFT) << 7) & !own;
        let right = ((own & !RIGHT) << 9) & !own;
        let (a, b, c) = (ahead.count_ones(), left.count_ones(), right.count_ones());
        if a + b + c == 0 {
            return turn;
        }
        let pick = dice.below(a + b + c);
        let (moves, steps, nth) = match pick {
            pick if pick < a => (ahead, 8, pick),
            pick if pick < a + b => (left, 7, pick - a),
            pick => (right, 9, pick - a - b),
        };
        let mut to = moves;
        for _ in 0..nth {
            to &= to - 1;
        }
        to &= to.wrapping_neg();
        own = own & !(to >> steps) | to;
        other &= !to;
        if to & LAST != 0 || other == 0 {
            return turn;
        }
        (own, other) = (other.swap_bytes(), own.swap_bytes());
    }
    0
}
