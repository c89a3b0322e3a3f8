//! Dots and Boxes: two players draw the sides of boxes; the fourth side gives the box and another line.

use super::{Checker, highest, sorted};

/// A position. Dots have columns and rows from 0 on; a side goes from its dot to the right or upwards.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DotsAndBoxes {
    pub columns: usize,
    pub rows: usize,
    /// The sides that are drawn.
    pub drawn: Vec<Side>,
    pub boxes: [i64; 2],
    pub mover: usize,
}

/// A side: the column and the row of its left or lower dot, and whether it leads upwards.
pub type Side = (usize, usize, bool);

impl DotsAndBoxes {
    /// The start: nothing is drawn. DB-01
    pub fn new(columns: usize, rows: usize) -> DotsAndBoxes {
        DotsAndBoxes { columns, rows, drawn: Vec::new(), boxes: [0, 0], mover: 0 }
    }

    /// The sides that are not drawn yet.
    fn open(&self) -> Vec<Side> {
        let mut open = Vec::new();
        for column in 0..=self.columns {
            for row in 0..=self.rows {
                for upwards in [false, true] {
                    let side = (column, row, upwards);
                    let there = if upwards { row < self.rows } else { column < self.columns };
                    if there && !self.drawn.contains(&side) {
                        open.push(side);
                    }
                }
            }
        }
        open
    }

    /// A side is written by the box below it or to its left, and at the lower and left rim by the only box it has.
    fn name(&self, (column, row, upwards): Side) -> String {
        let (letter, column, row) = match (upwards, column, row) {
            (false, _, 0) => ("S", column, 0),
            (false, ..) => ("N", column, row - 1),
            (true, 0, _) => ("W", 0, row),
            (true, ..) => ("E", column - 1, row),
        };
        format!("{letter}{}{}", char::from(b'a' + column as u8), row + 1)
    }

    /// Draws a side for the mover, and says how many boxes that closes. DB-04
    fn draw(&mut self, side: Side) -> i64 {
        self.drawn.push(side);
        let mut closed = 0;
        for column in 0..self.columns {
            for row in 0..self.rows {
                let sides =
                    [(column, row, false), (column, row + 1, false), (column, row, true), (column + 1, row, true)];
                if sides.contains(&side) && sides.iter().all(|s| self.drawn.contains(s)) {
                    closed += 1;
                }
            }
        }
        self.boxes[self.mover] += closed;
        closed
    }

    /// All whole turns and where they lead. DB-03, DB-05
    fn ways(&self) -> Vec<(String, DotsAndBoxes)> {
        let mut ways = Vec::new();
        for side in self.open() {
            let mut next = self.clone();
            let closed = next.draw(side);
            let text = self.name(side);
            if closed > 0 && !next.open().is_empty() {
                ways.extend(next.ways().into_iter().map(|(rest, end)| (format!("{text}; {rest}"), end)));
            } else {
                next.mover = 1 - next.mover;
                ways.push((text, next));
            }
        }
        ways
    }
}

impl Checker for DotsAndBoxes {
    fn turns(&self) -> Vec<String> {
        sorted(self.ways().into_iter().map(|(text, _)| text).collect())
    }

    fn play(&mut self, turn: &str) {
        let (_, end) = self.ways().into_iter().find(|(text, _)| text == turn).expect("a turn");
        *self = end;
    }

    fn over(&self) -> bool {
        self.open().is_empty()
    }

    fn mover(&self) -> usize {
        self.mover
    }

    fn winners(&self) -> Vec<usize> {
        // DB-06
        if self.over() && self.boxes[0] != self.boxes[1] { highest(&self.boxes) } else { Vec::new() }
    }

    fn scores(&self) -> Option<Vec<i64>> {
        Some(self.boxes.to_vec())
    }
}

#[cfg(test)]
mod tests {
    use super::{Checker, DotsAndBoxes};

    #[test]
    fn the_known_numbers_of_sequences() {
        let game = DotsAndBoxes::new(2, 2);
        // No box can be closed by the first three sides.
        assert_eq!([1, 2, 3].map(|depth| game.perft(depth)), [(12, 0), (132, 0), (1320, 0)]);
        // One box: four sides in any order, and the last ends the game.
        assert_eq!(DotsAndBoxes::new(1, 1).perft(4), (24, 24));
        assert_eq!(DotsAndBoxes::new(3, 3).perft(2), (552, 0));
    }

    #[test]
    fn two_boxes_at_once() {
        let mut game = DotsAndBoxes::new(2, 1);
        for turn in ["Na1", "Sa1", "Wa1", "Nb1", "Eb1", "Sb1", "Ea1"] {
            game.play(turn);
        }
        assert_eq!((game.boxes, game.winners()), ([2, 0], vec![0]));
    }
}
