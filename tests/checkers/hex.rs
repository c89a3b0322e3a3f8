//! Hex: on a rhombus of hexes two players put stones in turns; the first connects bottom and top, the second left and
//! right. Exactly one of them can.

use super::{Checker, sorted};

/// A position: the stones by columns and rows from 0 on. Each cell has six neighbours: those in its row and its column,
/// and those to the upper left and the lower right.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hex {
    pub side: i32,
    pub stones: Vec<Option<usize>>,
    pub mover: usize,
    pub winner: Option<usize>,
}

impl Hex {
    /// The start: an empty board.
    pub fn new(side: i32) -> Hex {
        Hex { side, stones: vec![None; (side * side) as usize], mover: 0, winner: None }
    }

    fn name(&self, cell: usize) -> String {
        let (column, row) = (cell as i32 % self.side, cell as i32 / self.side);
        format!("{}{}", char::from(b'a' + column as u8), row + 1)
    }

    fn neighbours(&self, cell: usize) -> Vec<usize> {
        let (column, row) = (cell as i32 % self.side, cell as i32 / self.side);
        let six = [(1, 0), (-1, 0), (0, 1), (0, -1), (-1, 1), (1, -1)];
        let inside = |(column, row): &(i32, i32)| (0..self.side).contains(column) && (0..self.side).contains(row);
        let all = six.into_iter().map(|(right, up)| (column + right, row + up)).filter(inside);
        all.map(|(column, row)| (row * self.side + column) as usize).collect()
    }

    /// Whether a player's stones connect that player's two sides.
    fn connects(&self, player: usize) -> bool {
        let along = |cell: usize| if player == 0 { cell as i32 / self.side } else { cell as i32 % self.side };
        let own: Vec<usize> = (0..self.stones.len()).filter(|cell| self.stones[*cell] == Some(player)).collect();
        let mut reached: Vec<usize> = own.iter().copied().filter(|cell| along(*cell) == 0).collect();
        let mut next = 0;
        while next < reached.len() {
            for beside in self.neighbours(reached[next]) {
                if own.contains(&beside) && !reached.contains(&beside) {
                    reached.push(beside);
                }
            }
            next += 1;
        }
        reached.into_iter().any(|cell| along(cell) == self.side - 1)
    }
}

impl Checker for Hex {
    fn turns(&self) -> Vec<String> {
        if self.over() {
            return Vec::new();
        }
        let empty = (0..self.stones.len()).filter(|cell| self.stones[*cell].is_none());
        sorted(empty.map(|cell| self.name(cell)).collect())
    }

    fn play(&mut self, turn: &str) {
        let cell = (0..self.stones.len()).find(|cell| self.name(*cell) == turn).unwrap();
        self.stones[cell] = Some(self.mover);
        if self.connects(self.mover) {
            self.winner = Some(self.mover);
        }
        self.mover = 1 - self.mover;
    }

    fn mover(&self) -> usize {
        self.mover
    }

    fn winners(&self) -> Vec<usize> {
        self.winner.into_iter().collect()
    }
}

mod tests {
    use super::{Checker, Hex};

    #[test]
    fn the_known_numbers_of_sequences() {
        let game = Hex::new(11);
        assert_eq!([1, 2].map(|depth| game.perft(depth)), [(121, 0), (14520, 0)]);
        // The first player wins on a small board with the third stone at the earliest: two on one another.
        let counts = [1, 2, 3].map(|depth| Hex::new(2).perft(depth));
        assert_eq!(counts, [(4, 0), (12, 0), (24, 12)]);
    }

    #[test]
    fn a_full_board_has_one_winner() {
        let mut game = Hex::new(3);
        for turn in ["a1", "a2", "b1", "b2", "c1"] {
            game.play(turn);
            assert!(!game.over(), "a row of the first player's is no connection of bottom and top");
        }
        game.play("c2");
        assert_eq!(game.winners(), [1]);
    }
}
