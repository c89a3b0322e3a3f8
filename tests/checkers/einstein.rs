//! EinStein würfelt nicht by its numbered rules (EW-01 to EW-10).

use super::{Checker, sorted};

/// A position: for each player the squares of the cubes 1 to 6, by columns and rows from 0 on, or none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Einstein {
    pub cubes: [[Option<(i32, i32)>; 6]; 2],
    /// What the die shows for the player to move (EW-05).
    pub die: usize,
    pub mover: usize,
    pub winner: Option<usize>,
}

/// The squares of a player at the beginning (EW-02).
pub const HOMES: [[&str; 6]; 2] = [["a5", "b5", "c5", "a4", "b4", "a3"], ["e3", "d2", "e2", "c1", "d1", "e1"]];

/// Reads a square's name.
pub fn square(name: &str) -> (i32, i32) {
    let bytes = name.as_bytes();
    (i32::from(bytes[0] - b'a'), i32::from(bytes[1] - b'1'))
}

fn name((column, row): (i32, i32)) -> String {
    format!("{}{}", char::from(b'a' + column as u8), row + 1)
}

impl Einstein {
    /// An empty board.
    pub fn empty() -> Einstein {
        Einstein { cubes: [[None; 6]; 2], die: 0, mover: 0, winner: None }
    }

    /// Places a cube of a number.
    pub fn deal(&mut self, player: usize, number: usize, on: &str) {
        self.cubes[player][number - 1] = Some(square(on));
    }

    /// The die for the player to move.
    pub fn roll(&mut self, die: usize) {
        self.die = die;
    }

    /// The numbers of the cubes that may be moved (EW-05, EW-06).
    fn movable(&self) -> Vec<usize> {
        let there = |number: &usize| self.cubes[self.mover][number - 1].is_some();
        if there(&self.die) {
            return vec![self.die];
        }
        let lower = (1..self.die).rev().find(there);
        let higher = (self.die + 1..=6).find(there);
        lower.into_iter().chain(higher).collect()
    }

    fn occupied(&self, square: (i32, i32)) -> bool {
        self.cubes.iter().flatten().any(|cube| *cube == Some(square))
    }

    /// Every turn: its text, the cube, and where it goes (EW-07, EW-08).
    fn moves(&self) -> Vec<(String, usize, (i32, i32))> {
        let sign = if self.mover == 0 { 1 } else { -1 };
        let mut all = Vec::new();
        for number in self.movable() {
            let Some(from) = self.cubes[self.mover][number - 1] else { continue };
            for (right, down) in [(1, 0), (1, 1), (0, 1)] {
                let to = (from.0 + sign * right, from.1 - sign * down);
                if (0..5).contains(&to.0) && (0..5).contains(&to.1) {
                    let how = if self.occupied(to) { 'x' } else { '-' };
                    all.push((format!("{number}: {}{how}{}", name(from), name(to)), number, to));
                }
            }
        }
        all
    }
}

impl Checker for Einstein {
    fn turns(&self) -> Vec<String> {
        if self.over() {
            return Vec::new();
        }
        sorted(self.moves().into_iter().map(|(text, _, _)| text).collect())
    }

    fn play(&mut self, turn: &str) {
        let (_, number, to) = self.moves().into_iter().find(|(text, _, _)| text == turn).expect("a turn");
        for cube in self.cubes.iter_mut().flatten() {
            if *cube == Some(to) {
                *cube = None;
            }
        }
        self.cubes[self.mover][number - 1] = Some(to);
        let goal = if self.mover == 0 { (4, 0) } else { (0, 4) };
        let bare = |player: usize| self.cubes[player].iter().all(Option::is_none);
        if to == goal || bare(1 - self.mover) {
            self.winner = Some(self.mover);
        } else if bare(self.mover) {
            self.winner = Some(1 - self.mover);
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
    use super::{Checker, Einstein};

    #[test]
    fn the_nearest_numbers_stand_in() {
        let mut game = Einstein::empty();
        for (number, on) in [(1, "a5"), (2, "c3"), (5, "a1"), (6, "e5")] {
            game.deal(0, number, on);
        }
        game.deal(1, 3, "d1");
        game.roll(3);
        assert_eq!(game.turns(), ["2: c3-c2", "2: c3-d2", "2: c3-d3", "5: a1-b1"]);
    }

    #[test]
    fn the_corner_wins() {
        let mut game = Einstein::empty();
        game.deal(0, 4, "d2");
        game.deal(1, 4, "e1");
        game.roll(1);
        game.play("4: d2xe1");
        assert_eq!(game.winners(), [0]);
    }

    /// Sequences of turns with every roll between them.
    fn every_roll(game: &Einstein, depth: u32) -> u64 {
        let mut sum = 0;
        for turn in game.turns() {
            let mut next = game.clone();
            next.play(&turn);
            if depth == 1 {
                sum += 1;
            } else if !next.over() {
                for die in 1..=6 {
                    next.roll(die);
                    sum += every_roll(&next, depth - 1);
                }
            }
        }
        sum
    }

    #[test]
    fn the_numbers_of_sequences_with_all_rolls() {
        let mut game = Einstein::empty();
        for player in 0..2 {
            for number in 1..=6 {
                game.deal(player, number, super::HOMES[player][number - 1]);
            }
        }
        game.roll(5);
        assert_eq!([1, 2, 3, 4].map(|depth| every_roll(&game, depth)), [3, 54, 975, 18609]);
    }
}
