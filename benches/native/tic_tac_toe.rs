//! Tic-tac-toe: nine bits a player.

use super::Dice;

/// Whether each set of squares has a line, worked out once.
const WINS: [bool; 512] = {
    let lines = [0o007, 0o070, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124];
    let mut wins = [false; 512];
    let mut set = 0;
    while set < 512 {
        let mut line = 0;
        while line < 8 {
            if set & lines[line] == lines[line] {
                wins[set] = true;
            }
            line += 1;
        }
        set += 1;
    }
    wins
};

/// Plays a game; gives its length.
pub fn play(dice: &mut Dice) -> u32 {
    let mut empty = [0u8, 1, 2, 3, 4, 5, 6, 7, 8];
    let mut marks = [0usize; 2];
    for turn in 0..9u32 {
        let at = dice.below(9 - turn) as usize;
        let own = &mut marks[turn as usize & 1];
        *own |= 1 << empty[at];
        if WINS[*own] {
            return turn + 1;
        }
        empty[at] = empty[8 - turn as usize];
    }
    9
}
