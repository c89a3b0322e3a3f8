//! Reversi: a disc is put where it encloses discs of the other in a straight line, which are turned. Who cannot passes;
//! when neither can, who has more discs wins; equally many are a draw.

use super::{Checker, highest, sorted};

const DIRECTIONS: [(i32, i32); 8] = [(0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1)];

/// A position: the discs by columns and rows from 0 on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reversi {
    pub side: i32,
    pub discs: Vec<Option<usize>>,
    pub mover: usize,
    pub over: bool,
}

impl Reversi {
    /// The start: four discs in the middle, the first player's on the diagonal that rises to the right.
    pub fn new(side: i32) -> Reversi {
        let mut game = Reversi { side, discs: vec![None; (side * side) as usize], mover: 0, over: false };
        let (low, high) = (side / 2 - 1, side / 2);
        for (cell, owner) in [((low, low), 0), ((high, high), 0), ((low, high), 1), ((high, low), 1)] {
            let cell = game.cell(cell).unwrap();
            game.discs[cell] = Some(owner);
        }
        game
    }

    fn cell(&self, (column, row): (i32, i32)) -> Option<usize> {
        let inside = (0..self.side).contains(&column) && (0..self.side).contains(&row);
        inside.then_some((row * self.side + column) as usize)
    }

    fn name((column, row): (i32, i32)) -> String {
        format!("{}{}", char::from(b'a' + column as u8), row + 1)
    }

    fn at(&self, place: (i32, i32)) -> Option<usize> {
        self.cell(place).and_then(|cell| self.discs[cell])
    }

    /// The discs that a player's disc on a place would turn.
    fn turned(&self, player: usize, (column, row): (i32, i32)) -> Vec<usize> {
        let mut all = Vec::new();
        for (right, up) in DIRECTIONS {
            let mut enclosed = Vec::new();
            let mut place = (column + right, row + up);
            while self.at(place) == Some(1 - player) {
                enclosed.extend(self.cell(place));
                place = (place.0 + right, place.1 + up);
            }
            if self.at(place) == Some(player) {
                all.extend(enclosed);
            }
        }
        all
    }

    fn places(&self, player: usize) -> Vec<(i32, i32)> {
        let all = (0..self.side).flat_map(|row| (0..self.side).map(move |column| (column, row)));
        all.filter(|place| self.at(*place).is_none() && !self.turned(player, *place).is_empty()).collect()
    }
}

impl Checker for Reversi {
    fn turns(&self) -> Vec<String> {
        if self.over {
            return Vec::new();
        }
        let places = self.places(self.mover);
        if places.is_empty() { vec!["pass".to_owned()] } else { sorted(places.into_iter().map(Self::name).collect()) }
    }

    fn play(&mut self, turn: &str) {
        if turn != "pass" {
            let place = (i32::from(turn.as_bytes()[0] - b'a'), turn[1..].parse::<i32>().unwrap() - 1);
            for cell in self.turned(self.mover, place).into_iter().chain(self.cell(place)) {
                self.discs[cell] = Some(self.mover);
            }
        }
        self.mover = 1 - self.mover;
        self.over = self.places(0).is_empty() && self.places(1).is_empty();
    }

    fn over(&self) -> bool {
        self.over
    }

    fn mover(&self) -> usize {
        self.mover
    }

    fn winners(&self) -> Vec<usize> {
        let winners = highest(&self.scores().unwrap());
        if self.over && winners.len() == 1 { winners } else { Vec::new() }
    }

    fn scores(&self) -> Option<Vec<i64>> {
        let discs = |player| self.discs.iter().filter(|disc| **disc == Some(player)).count() as i64;
        Some(vec![discs(0), discs(1)])
    }
}

mod tests {
    use super::{Checker, Reversi};

    #[test]
    fn the_known_numbers_of_sequences() {
        let game = Reversi::new(8);
        assert_eq!([1, 2, 3, 4, 5].map(|depth| game.perft(depth).0), [4, 12, 56, 244, 1396]);
    }
}
