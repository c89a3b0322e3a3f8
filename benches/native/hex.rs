//! Hex on eleven by eleven cells: groups are kept as trees, with a root for each side of the board.

use super::Dice;

const SIZE: usize = 11;
const CELLS: usize = SIZE * SIZE;

fn root(parents: &mut [u8; CELLS + 4], cell: usize) -> usize {
    let mut cell = cell;
    while parents[cell] as usize != cell {
        parents[cell] = parents[parents[cell] as usize];
        cell = parents[cell] as usize;
    }
    cell
}

fn join(parents: &mut [u8; CELLS + 4], one: usize, other: usize) {
    let (one, other) = (root(parents, one), root(parents, other));
    parents[one] = other as u8;
}

/// Plays a game; gives its length. The first player joins the first row to the last, the second the columns.
pub fn play(dice: &mut Dice) -> u32 {
    let mut parents: [u8; CELLS + 4] = std::array::from_fn(|cell| cell as u8);
    let mut empty: [u8; CELLS] = std::array::from_fn(|cell| cell as u8);
    let mut owner = [0u8; CELLS];
    for turn in 0..CELLS {
        let at = dice.below((CELLS - turn) as u32) as usize;
        let cell = empty[at] as usize;
        empty[at] = empty[CELLS - 1 - turn];
        let player = turn & 1;
        let mark = player as u8 + 1;
        owner[cell] = mark;
        let (column, row) = (cell % SIZE, cell / SIZE);
        let along = if player == 0 { row } else { column };
        let sides = CELLS + 2 * player;
        if along == 0 {
            join(&mut parents, cell, sides);
        }
        if along == SIZE - 1 {
            join(&mut parents, cell, sides + 1);
        }
        let near = [
            (column > 0, cell.wrapping_sub(1)),
            (column + 1 < SIZE, cell + 1),
            (row > 0, cell.wrapping_sub(SIZE)),
            (row + 1 < SIZE, cell + SIZE),
            (row > 0 && column + 1 < SIZE, (cell + 1).wrapping_sub(SIZE)),
            (row + 1 < SIZE && column > 0, (cell + SIZE).wrapping_sub(1)),
        ];
        for (there, next) in near {
            if there && owner[next] == mark {
                join(&mut parents, cell, next);
            }
        }
        if root(&mut parents, sides) == root(&mut parents, sides + 1) {
            return turn as u32 + 1;
        }
    }
    CELLS as u32
}
