//! Quoridor by its numbered rules (QU-01 to QU-13), for two players.

use super::{Checker, sorted};

/// A square by column and row, both from 0 on.
type Square = (i32, i32);

/// A position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Quoridor {
    pub size: i32,
    pub pawns: [Square; 2],
    pub left: [u32; 2],
    /// Walls by the square to the lower left of their middle, and whether they lie along a row (QU-08).
    pub walls: Vec<(Square, bool)>,
    pub made: u32,
    pub mover: usize,
    pub over: bool,
    pub winner: Option<usize>,
}

const AROUND: [Square; 4] = [(0, 1), (1, 0), (0, -1), (-1, 0)];

fn name((column, row): Square) -> String {
    format!("{}{}", char::from(b'a' + column as u8), row + 1)
}

impl Quoridor {
    /// The start (QU-01 to QU-03).
    pub fn new(size: i32, walls: u32) -> Quoridor {
        let pawns = [(size / 2, 0), (size / 2, size - 1)];
        Quoridor { size, pawns, left: [walls; 2], walls: Vec::new(), made: 0, mover: 0, over: false, winner: None }
    }

    fn inside(&self, (column, row): Square) -> bool {
        (0..self.size).contains(&column) && (0..self.size).contains(&row)
    }

    /// Whether one can go from a square by one step: no edge and no wall is in the way (QU-05).
    fn open(&self, from: Square, (right, up): Square) -> bool {
        let to = (from.0 + right, from.1 + up);
        if !self.inside(to) {
            return false;
        }
        let (left, low) = (from.0.min(to.0), from.1.min(to.1));
        // A wall along a row is in the way of going up or down, over its own square's column and the next.
        let stops = |((column, row), along): &(Square, bool)| {
            if *along {
                up != 0 && *row == low && (*column == left || column + 1 == left)
            } else {
                right != 0 && *column == left && (*row == low || row + 1 == low)
            }
        };
        !self.walls.iter().any(stops)
    }

    /// Where the pawn can go (QU-05 to QU-07).
    fn steps(&self) -> Vec<Square> {
        let (own, other) = (self.pawns[self.mover], self.pawns[1 - self.mover]);
        let mut all = Vec::new();
        for step in AROUND {
            if !self.open(own, step) {
                continue;
            }
            let to = (own.0 + step.0, own.1 + step.1);
            if to != other {
                all.push(to);
            } else if self.open(other, step) {
                all.push((to.0 + step.0, to.1 + step.1));
            } else {
                for side in [(step.1, step.0), (-step.1, -step.0)] {
                    if self.open(other, side) {
                        all.push((to.0 + side.0, to.1 + side.1));
                    }
                }
            }
        }
        all
    }

    /// The row a player wants to get to.
    fn goal(&self, player: usize) -> i32 {
        if player == 0 { self.size - 1 } else { 0 }
    }

    /// Whether a player has a way (QU-09).
    fn has_way(&self, player: usize) -> bool {
        let mut seen = vec![self.pawns[player]];
        let mut next = 0;
        while next < seen.len() {
            for step in AROUND {
                let to = (seen[next].0 + step.0, seen[next].1 + step.1);
                if self.open(seen[next], step) && !seen.contains(&to) {
                    seen.push(to);
                }
            }
            next += 1;
        }
        seen.iter().any(|square| square.1 == self.goal(player))
    }

    /// Whether a wall may stand there (QU-08, QU-09).
    fn fits(&self, square: Square, along: bool) -> bool {
        let (column, row) = square;
        let overlaps = |(other, lies): &(Square, bool)| {
            let apart = if along { (other.0 - column).abs() } else { (other.1 - row).abs() };
            let in_line = if along { other.1 == row } else { other.0 == column };
            *other == square || *lies == along && in_line && apart <= 1
        };
        if self.walls.iter().any(overlaps) {
            return false;
        }
        let mut after = self.clone();
        after.walls.push((square, along));
        after.has_way(0) && after.has_way(1)
    }
}

impl Checker for Quoridor {
    fn turns(&self) -> Vec<String> {
        if self.over {
            return Vec::new();
        }
        let mut all: Vec<String> = self.steps().into_iter().map(name).collect();
        if self.left[self.mover] > 0 {
            for column in 0..self.size - 1 {
                for row in 0..self.size - 1 {
                    for (along, sign) in [(true, 'h'), (false, 'v')] {
                        if self.fits((column, row), along) {
                            all.push(format!("{}{sign}", name((column, row))));
                        }
                    }
                }
            }
        }
        if all.is_empty() {
            all.push("pass".to_string());
        }
        all.dedup();
        sorted(all)
    }

    fn play(&mut self, turn: &str) {
        let read = |text: &str| (i32::from(text.as_bytes()[0] - b'a'), text[1..].parse::<i32>().expect("a row") - 1);
        if let Some(square) = turn.strip_suffix('h') {
            self.walls.push((read(square), true));
            self.left[self.mover] -= 1;
        } else if let Some(square) = turn.strip_suffix('v') {
            self.walls.push((read(square), false));
            self.left[self.mover] -= 1;
        } else if turn != "pass" {
            self.pawns[self.mover] = read(turn);
        }
        self.made += 1;
        if self.made >= (4 * self.size * self.size) as u32 {
            self.over = true;
        } else if self.pawns[self.mover].1 == self.goal(self.mover) {
            self.over = true;
            self.winner = Some(self.mover);
        }
        self.mover = 1 - self.mover;
    }

    fn over(&self) -> bool {
        self.over
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
    use super::{Checker, Quoridor};

    #[test]
    fn the_numbers_of_sequences() {
        assert_eq!(Quoridor::new(9, 10).turns().len(), 131);
        let small = [1, 2, 3].map(|depth| Quoridor::new(3, 1).perft(depth));
        assert_eq!(small, [(11, 0), (77, 1), (316, 16)]);
    }

    #[test]
    fn a_jump_and_a_jump_sideways() {
        let mut game = Quoridor::new(9, 0);
        game.pawns = [(4, 3), (4, 4)];
        assert_eq!(game.turns(), ["d4", "e3", "e6", "f4"]);
        game.walls.push(((3, 4), true));
        assert_eq!(game.turns(), ["d4", "d5", "e3", "f4", "f5"]);
    }
}
