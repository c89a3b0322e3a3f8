//! Breakthrough: two rows of pieces each; they go one step straight or diagonally forwards, and take diagonally. Who
//! reaches the far side, or takes all pieces of the other, wins.

use super::{Checker, sorted};

/// A position: the board by columns and rows from 0 on, row 0 nearest to the first player.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Breakthrough {
    pub columns: i32,
    pub rows: i32,
    pub pieces: Vec<Option<usize>>,
    pub mover: usize,
    pub winner: Option<usize>,
}

impl Breakthrough {
    /// The start.
    pub fn new(columns: i32, rows: i32) -> Breakthrough {
        let owner = |row: i32| match row {
            0 | 1 => Some(0),
            row if row >= rows - 2 => Some(1),
            _ => None,
        };
        let pieces = (0..columns * rows).map(|cell| owner(cell / columns)).collect();
        Breakthrough { columns, rows, pieces, mover: 0, winner: None }
    }

    fn cell(&self, column: i32, row: i32) -> usize {
        (row * self.columns + column) as usize
    }

    fn name(cell: (i32, i32)) -> String {
        format!("{}{}", char::from(b'a' + cell.0 as u8), cell.1 + 1)
    }

    fn read(name: &str) -> (i32, i32) {
        (i32::from(name.as_bytes()[0] - b'a'), name[1..].parse::<i32>().unwrap() - 1)
    }

    /// The mover's steps: from, to.
    fn steps(&self) -> Vec<((i32, i32), (i32, i32))> {
        let forward = if self.mover == 0 { 1 } else { -1 };
        let mut steps = Vec::new();
        for row in 0..self.rows {
            for column in 0..self.columns {
                if self.pieces[self.cell(column, row)] != Some(self.mover) {
                    continue;
                }
                for aside in [-1, 0, 1] {
                    let to = (column + aside, row + forward);
                    if !(0..self.columns).contains(&to.0) || !(0..self.rows).contains(&to.1) {
                        continue;
                    }
                    let there = self.pieces[self.cell(to.0, to.1)];
                    let takes = there == Some(1 - self.mover);
                    if there.is_none() || (takes && aside != 0) {
                        steps.push(((column, row), to));
                    }
                }
            }
        }
        steps
    }
}

impl Checker for Breakthrough {
    fn turns(&self) -> Vec<String> {
        if self.over() {
            return Vec::new();
        }
        let written = |(from, to): ((i32, i32), (i32, i32))| {
            let how = if self.pieces[self.cell(to.0, to.1)].is_some() { "x" } else { "-" };
            format!("{}{how}{}", Self::name(from), Self::name(to))
        };
        sorted(self.steps().into_iter().map(written).collect())
    }

    fn play(&mut self, turn: &str) {
        let (from, to) = turn.split_once(['-', 'x']).unwrap();
        let (from, to) = (Self::read(from), Self::read(to));
        let (start, end) = (self.cell(from.0, from.1), self.cell(to.0, to.1));
        self.pieces[start] = None;
        self.pieces[end] = Some(self.mover);
        let far = if self.mover == 0 { self.rows - 1 } else { 0 };
        if to.1 == far || !self.pieces.contains(&Some(1 - self.mover)) {
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
    use super::{Breakthrough, Checker};

    #[test]
    fn the_known_numbers_of_sequences() {
        let game = Breakthrough::new(8, 8);
        assert_eq!([1, 2, 3].map(|depth| game.perft(depth).0), [22, 484, 11132]);
    }

    #[test]
    fn a_step_to_the_far_row_wins() {
        let mut game = Breakthrough::new(2, 5);
        for turn in ["a2-a3", "a4-b3", "a3-a4", "b3-a2"] {
            assert!(game.turns().contains(&turn.to_owned()), "{turn} of {:?}", game.turns());
            game.play(turn);
        }
        game.play("a4xb5");
        assert_eq!((game.winners(), game.turns().len()), (vec![0], 0));
    }
}
