//! Gomoku: two players put stones on a square board in turns; five in a line win.

use super::{Checker, sorted};

/// A position: the stones by rows and columns from 0 on, the lowest row first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Gomoku {
    pub side: i32,
    /// How many in a line count.
    pub connect: i32,
    /// Whether such a line loses.
    pub anti: bool,
    pub stones: Vec<Option<usize>>,
    pub mover: usize,
    pub winner: Option<usize>,
}

impl Gomoku {
    /// The start: an empty board. GO-01, GO-02
    pub fn new(side: i32, connect: i32, anti: bool) -> Gomoku {
        Gomoku { side, connect, anti, stones: vec![None; (side * side) as usize], mover: 0, winner: None }
    }

    fn name(&self, cell: usize) -> String {
        let (column, row) = (cell as i32 % self.side, cell as i32 / self.side);
        format!("{}{}", char::from(b'a' + column as u8), row + 1)
    }

    fn stone(&self, column: i32, row: i32) -> Option<usize> {
        let inside = (0..self.side).contains(&column) && (0..self.side).contains(&row);
        if inside { self.stones[(row * self.side + column) as usize] } else { None }
    }

    /// Whether a line of enough stones of the mover's goes through a cell. GO-05
    fn makes_a_line(&self, cell: usize) -> bool {
        let (column, row) = (cell as i32 % self.side, cell as i32 / self.side);
        [(1, 0), (0, 1), (1, 1), (1, -1)].into_iter().any(|(right, up)| {
            let reach = |sign: i32| {
                (1..self.side)
                    .take_while(|n| self.stone(column + sign * n * right, row + sign * n * up) == Some(self.mover))
                    .count() as i32
            };
            1 + reach(1) + reach(-1) >= self.connect
        })
    }
}

impl Checker for Gomoku {
    fn turns(&self) -> Vec<String> {
        if self.over() {
            return Vec::new();
        }
        let empty = (0..self.stones.len()).filter(|cell| self.stones[*cell].is_none());
        sorted(empty.map(|cell| self.name(cell)).collect())
    }

    fn play(&mut self, turn: &str) {
        let cell = (0..self.stones.len()).find(|cell| self.name(*cell) == turn).expect("a cell of the board");
        self.stones[cell] = Some(self.mover);
        if self.makes_a_line(cell) {
            // GO-07
            self.winner = Some(if self.anti { 1 - self.mover } else { self.mover });
        }
        self.mover = 1 - self.mover;
    }

    fn over(&self) -> bool {
        // GO-06
        self.winner.is_some() || self.stones.iter().all(Option::is_some)
    }

    fn mover(&self) -> usize {
        self.mover
    }

    fn winners(&self) -> Vec<usize> {
        self.winner.into_iter().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::{Checker, Gomoku};

    #[test]
    fn the_known_numbers_of_sequences() {
        let game = Gomoku::new(15, 5, false);
        assert_eq!(game.perft(1), (225, 0));
        // Three in a line on nine squares is tic-tac-toe.
        let counts = [5, 6].map(|depth| Gomoku::new(3, 3, false).perft(depth));
        assert_eq!(counts, [(15120, 1440), (54720, 5328)]);
    }

    #[test]
    fn six_in_a_line_win_and_a_full_board_is_a_draw() {
        let mut game = Gomoku::new(15, 5, false);
        for turn in ["a1", "a3", "b1", "b3", "c1", "c3", "e1", "e3", "f1", "f3"] {
            game.play(turn);
        }
        assert!(!game.over());
        game.play("d1");
        assert_eq!(game.winners(), [0]);
        let mut small = Gomoku::new(3, 3, false);
        for turn in ["a1", "b1", "c1", "b2", "a2", "c2", "b3", "a3", "c3"] {
            small.play(turn);
        }
        assert!(small.over() && small.winners().is_empty());
    }
}
