//! Pentago: a marble is placed, then a quarter of the board is turned; five in a line win.

use super::{Checker, sorted};

/// How many columns and rows there are.
const SIDE: usize = 6;

/// The letters of the turnings with the leftmost column and the lowest row of their quarter, the lowest row being 0, and
/// whether they turn to the right.
const TWISTS: [(char, usize, usize, bool); 8] = [
    ('s', 0, 3, false),
    ('t', 0, 3, true),
    ('u', 3, 3, false),
    ('v', 3, 3, true),
    ('w', 3, 0, false),
    ('x', 3, 0, true),
    ('y', 0, 0, false),
    ('z', 0, 0, true),
];

/// A position: the marbles as rows of columns, the lowest row first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pentago {
    pub marbles: [[Option<usize>; SIDE]; SIDE],
    pub mover: usize,
}

impl Pentago {
    /// The start: an empty board. PE-01, PE-02
    pub fn new() -> Pentago {
        Pentago { marbles: [[None; SIDE]; SIDE], mover: 0 }
    }

    /// Turns a quarter, given by its lower left corner. PE-04
    fn twist(&mut self, left: usize, low: usize, to_the_right: bool) {
        let old = self.marbles;
        for across in 0..3 {
            for up in 0..3 {
                // To the right the left side comes to be the upper one: what was farthest up is then farthest right.
                let (new_across, new_up) = if to_the_right { (up, 2 - across) } else { (2 - up, across) };
                self.marbles[low + new_up][left + new_across] = old[low + up][left + across];
            }
        }
    }

    /// Whether a player has five in a line. PE-05
    fn has_five(&self, player: usize) -> bool {
        let has = |column: i32, row: i32| {
            let inside = (0..SIDE as i32).contains(&column) && (0..SIDE as i32).contains(&row);
            inside && self.marbles[row as usize][column as usize] == Some(player)
        };
        let cells = (0..SIDE as i32).flat_map(|row| (0..SIDE as i32).map(move |column| (column, row)));
        let mut lines = cells.flat_map(|cell| [(1, 0), (0, 1), (1, 1), (1, -1)].map(|way| (cell, way)));
        lines.any(|((column, row), (right, up))| (0..5).all(|n| has(column + n * right, row + n * up)))
    }
}

impl Checker for Pentago {
    fn turns(&self) -> Vec<String> {
        if self.over() {
            return Vec::new();
        }
        let mut turns = Vec::new();
        for row in 0..SIDE {
            for column in 0..SIDE {
                if self.marbles[row][column].is_none() {
                    for (letter, ..) in TWISTS {
                        turns.push(format!("{}{}{letter}", char::from(b'a' + column as u8), row + 1));
                    }
                }
            }
        }
        sorted(turns)
    }

    fn play(&mut self, turn: &str) {
        let [column, row, letter] = turn.as_bytes() else { panic!("`{turn}` is no turn") };
        self.marbles[usize::from(row - b'1')][usize::from(column - b'a')] = Some(self.mover);
        for (name, left, low, to_the_right) in TWISTS {
            if name == char::from(*letter) {
                self.twist(left, low, to_the_right);
            }
        }
        self.mover = 1 - self.mover;
    }

    fn over(&self) -> bool {
        // PE-06 to PE-08
        self.has_five(0) || self.has_five(1) || self.marbles.iter().flatten().all(Option::is_some)
    }

    fn mover(&self) -> usize {
        self.mover
    }

    fn winners(&self) -> Vec<usize> {
        match (self.has_five(0), self.has_five(1)) {
            (true, false) => vec![0],
            (false, true) => vec![1],
            _ => Vec::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Checker, Pentago};

    #[test]
    fn the_known_numbers_of_sequences() {
        assert_eq!(Pentago::new().perft(1), (288, 0));
    }

    #[test]
    fn a_quarter_turns() {
        let mut game = Pentago::new();
        game.play("a1z");
        assert_eq!(game.marbles[2][0], Some(0), "the lower left corner comes to lie above");
        game.play("f6u");
        assert_eq!(game.marbles[5][3], Some(1), "the upper right corner comes to lie at the left");
    }

    #[test]
    fn a_line_that_the_turning_breaks_is_none() {
        let mut game = Pentago::new();
        game.marbles[0][1..5].fill(Some(0));
        let mut broken = game.clone();
        broken.play("f1x");
        assert!(!broken.over());
        game.play("f1s");
        assert_eq!(game.winners(), [0]);
    }
}
