//! Clobber: on a full board each move takes a stone of the other player's beside one's own; who cannot move loses.

use super::{Checker, sorted};

/// A position: the stones by rows and columns from 0 on, the lowest row first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Clobber {
    pub columns: i32,
    pub rows: i32,
    pub stones: Vec<Option<usize>>,
    pub mover: usize,
}

impl Clobber {
    /// The start: stones of both colours by turns, a white one (0) in the upper left corner. CL-01
    pub fn new(columns: i32, rows: i32) -> Clobber {
        let colour = |cell: i32| (cell % columns + (rows - 1 - cell / columns)) as usize % 2;
        Clobber { columns, rows, stones: (0..columns * rows).map(|cell| Some(colour(cell))).collect(), mover: 0 }
    }

    fn name(&self, cell: usize) -> String {
        let (column, row) = (cell as i32 % self.columns, cell as i32 / self.columns);
        format!("{}{}", char::from(b'a' + column as u8), row + 1)
    }

    /// The moves: from where, and where to. CL-03, CL-04
    fn moves(&self) -> Vec<(usize, usize)> {
        let mut moves = Vec::new();
        for from in 0..self.stones.len() {
            for to in 0..self.stones.len() {
                let wide = (from as i32 % self.columns - to as i32 % self.columns).abs();
                let high = (from as i32 / self.columns - to as i32 / self.columns).abs();
                let colours = self.stones[from] == Some(self.mover) && self.stones[to] == Some(1 - self.mover);
                if wide + high == 1 && colours {
                    moves.push((from, to));
                }
            }
        }
        moves
    }
}

impl Checker for Clobber {
    fn turns(&self) -> Vec<String> {
        sorted(self.moves().into_iter().map(|(from, to)| format!("{}{}", self.name(from), self.name(to))).collect())
    }

    fn play(&mut self, turn: &str) {
        let named = |(from, to): &(usize, usize)| format!("{}{}", self.name(*from), self.name(*to)) == turn;
        let (from, to) = self.moves().into_iter().find(named).expect("a move");
        self.stones[to] = self.stones[from].take();
        self.mover = 1 - self.mover;
    }

    fn over(&self) -> bool {
        // CL-05
        self.moves().is_empty()
    }

    fn mover(&self) -> usize {
        self.mover
    }

    fn winners(&self) -> Vec<usize> {
        if self.over() { vec![1 - self.mover] } else { Vec::new() }
    }
}

#[cfg(test)]
mod tests {
    use super::{Checker, Clobber};

    #[test]
    fn the_known_numbers_of_sequences() {
        // Each pair of squares with a side in common is a move at the beginning: 5 * 5 and 6 * 4.
        assert_eq!([1, 2].map(|depth| Clobber::new(6, 5).perft(depth)), [(49, 0), (2116, 0)]);
        assert_eq!(Clobber::new(2, 1).perft(1), (1, 1));
        // Of white, black, white either white stone takes the black one.
        assert_eq!([1, 2].map(|depth| Clobber::new(3, 1).perft(depth)), [(2, 2), (0, 0)]);
        assert_eq!([3, 4].map(|depth| Clobber::new(4, 3).perft(depth)), [(1671, 0), (8974, 56)]);
    }
}
