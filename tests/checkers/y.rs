//! Y by its numbered rules (YY-01 to YY-07).

use super::{Checker, sorted};

/// A hex by column and row, from 1 on.
type Hex = (i32, i32);

/// A position: the stones of each player (YY-05).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Y {
    pub size: i32,
    pub stones: [Vec<Hex>; 2],
    pub mover: usize,
    pub winner: Option<usize>,
}

fn name((column, row): Hex) -> String {
    format!("{}{row}", column_name(column))
}

/// The letters of a column: after z comes aa.
fn column_name(column: i32) -> String {
    let letter = |number: i32| char::from(b'a' + number as u8);
    let number = column - 1;
    if number < 26 { letter(number).to_string() } else { format!("{}{}", letter(number / 26 - 1), letter(number % 26)) }
}

impl Y {
    /// The start: an empty triangle (YY-01).
    pub fn new(size: i32) -> Y {
        Y { size, stones: [Vec::new(), Vec::new()], mover: 0, winner: None }
    }

    fn empty(&self) -> Vec<Hex> {
        let mut all = Vec::new();
        for column in 1..=self.size {
            for row in 1..=self.size + 1 - column {
                if !self.stones.iter().any(|own| own.contains(&(column, row))) {
                    all.push((column, row));
                }
            }
        }
        all
    }

    /// Whether the chain of a stone touches all three sides (YY-02, YY-03, YY-06).
    fn wins(&self, player: usize, stone: Hex) -> bool {
        let mut chain = vec![stone];
        let mut next = 0;
        while next < chain.len() {
            let (column, row) = chain[next];
            for (right, on) in [(1, 0), (-1, 0), (0, 1), (0, -1), (1, -1), (-1, 1)] {
                let beside = (column + right, row + on);
                if self.stones[player].contains(&beside) && !chain.contains(&beside) {
                    chain.push(beside);
                }
            }
            next += 1;
        }
        chain.iter().any(|hex| hex.0 == 1)
            && chain.iter().any(|hex| hex.1 == 1)
            && chain.iter().any(|hex| hex.0 + hex.1 == self.size + 1)
    }
}

impl Checker for Y {
    fn turns(&self) -> Vec<String> {
        if self.over() {
            return Vec::new();
        }
        sorted(self.empty().into_iter().map(name).collect())
    }

    fn play(&mut self, turn: &str) {
        let hex = self.empty().into_iter().find(|hex| name(*hex) == turn).expect("an empty hex");
        self.stones[self.mover].push(hex);
        if self.wins(self.mover, hex) {
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

#[cfg(test)]
mod tests {
    use super::{Checker, Y};

    #[test]
    fn the_numbers_of_sequences() {
        assert_eq!(Y::new(19).perft(1), (190, 0));
        let small = [3, 4, 5, 6].map(|depth| Y::new(3).perft(depth));
        assert_eq!(small, [(120, 0), (360, 0), (720, 360), (360, 360)]);
    }

    #[test]
    fn a_corner_belongs_to_two_sides() {
        let mut game = Y::new(3);
        for turn in ["a1", "a3", "b1", "b2", "c1"] {
            game.play(turn);
        }
        assert_eq!(game.winners(), [0]);
    }
}
