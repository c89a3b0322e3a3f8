//! Chinese checkers on a star of hexes, for two to six players. No chance.

use super::{Checker, sorted};

/// A hole: its diagonal, a the first, and its row from the north, both counted from 0 on.
type Hole = (i32, i32);

/// One step in each of the six directions.
const STEPS: [Hole; 6] = [(1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1)];

/// A position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChineseCheckers {
    pub tip: i32,
    pub turns_at_most: u32,
    players: usize,
    pegs: Vec<(Hole, usize)>,
    made: u32,
    mover: usize,
    winner: Option<usize>,
}

impl ChineseCheckers {
    /// The start.
    pub fn new(players: usize, tip: i32, turns_at_most: u32) -> ChineseCheckers {
        let mut game =
            ChineseCheckers { tip, turns_at_most, players, pegs: Vec::new(), made: 0, mover: 0, winner: None };
        for player in 0..players {
            for hole in game.tip_of(game.home(player)) {
                game.pegs.push((hole, player));
            }
        }
        game
    }

    /// The three coordinates of a hole, counted from the middle; they add up to nothing.
    fn around_middle(&self, (diagonal, row): Hole) -> [i32; 3] {
        let (q, r) = (diagonal - 2 * self.tip, row - 2 * self.tip);
        [q, r, -q - r]
    }

    /// CC-01: the star is two triangles laid over each other.
    fn in_star(&self, hole: Hole) -> bool {
        let coordinates = self.around_middle(hole);
        coordinates.iter().all(|c| *c <= self.tip) || coordinates.iter().all(|c| *c >= -self.tip)
    }

    fn holes(&self) -> Vec<Hole> {
        let side = 4 * self.tip + 1;
        (0..side * side).map(|n| (n % side, n / side)).filter(|hole| self.in_star(*hole)).collect()
    }

    /// CC-02: the holes of a tip, the northern one 0, and on clockwise.
    fn tip_of(&self, tip: usize) -> Vec<Hole> {
        let beyond = |hole: &Hole| {
            let [q, r, s] = self.around_middle(*hole);
            match tip {
                0 => r < -self.tip,
                1 => q > self.tip,
                2 => s < -self.tip,
                3 => r > self.tip,
                4 => q < -self.tip,
                _ => s > self.tip,
            }
        };
        self.holes().into_iter().filter(beyond).collect()
    }

    fn home(&self, player: usize) -> usize {
        match self.players {
            2 => [0, 3][player],
            3 => [0, 2, 4][player],
            4 => [0, 1, 3, 4][player],
            _ => player,
        }
    }

    /// How a hole is written.
    fn name((diagonal, row): Hole) -> String {
        format!("{}{}", char::from(b'a' + diagonal as u8), row + 1)
    }

    fn taken(&self, hole: Hole) -> bool {
        self.pegs.iter().any(|(other, _)| *other == hole)
    }

    /// CC-04, CC-05: where a peg can end.
    fn ends(&self, from: Hole) -> Vec<Hole> {
        let free = |hole: Hole| self.in_star(hole) && !self.taken(hole);
        let mut ends: Vec<Hole> =
            STEPS.iter().map(|step| (from.0 + step.0, from.1 + step.1)).filter(|hole| free(*hole)).collect();
        let mut reached = vec![from];
        let mut next = 0;
        while next < reached.len() {
            let here = reached[next];
            for step in STEPS {
                let (over, behind) = ((here.0 + step.0, here.1 + step.1), (here.0 + 2 * step.0, here.1 + 2 * step.1));
                if over != from && self.taken(over) && free(behind) && !reached.contains(&behind) {
                    reached.push(behind);
                }
            }
            next += 1;
        }
        ends.extend(&reached[1..]);
        ends
    }

    /// All moves of the player on turn.
    fn moves(&self) -> Vec<(Hole, Hole)> {
        let own = self.pegs.iter().filter(|(_, owner)| *owner == self.mover);
        own.flat_map(|(from, _)| self.ends(*from).into_iter().map(|to| (*from, to))).collect()
    }
}

impl Checker for ChineseCheckers {
    fn turns(&self) -> Vec<String> {
        if self.over() {
            return Vec::new();
        }
        let moves = self.moves();
        if moves.is_empty() {
            return vec!["pass".to_string()];
        }
        sorted(moves.into_iter().map(|(from, to)| format!("{}-{}", Self::name(from), Self::name(to))).collect())
    }

    fn play(&mut self, turn: &str) {
        let wanted = |(from, to): &(Hole, Hole)| format!("{}-{}", Self::name(*from), Self::name(*to)) == turn;
        if let Some((from, to)) = self.moves().into_iter().find(wanted) {
            for (hole, _) in &mut self.pegs {
                if *hole == from {
                    *hole = to;
                }
            }
        }
        self.made += 1;
        let target = self.tip_of((self.home(self.mover) + 3) % 6);
        if self.pegs.iter().all(|(hole, owner)| *owner != self.mover || target.contains(hole)) {
            self.winner = Some(self.mover);
        }
        self.mover = (self.mover + 1) % self.players;
    }

    fn over(&self) -> bool {
        self.winner.is_some() || self.made >= self.turns_at_most
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
    use super::{Checker, ChineseCheckers};

    #[test]
    fn the_star() {
        let game = ChineseCheckers::new(2, 4, 1000);
        assert_eq!(game.holes().len(), 121);
        assert!((0..6).all(|tip| game.tip_of(tip).len() == 10));
    }

    #[test]
    fn the_known_numbers_of_sequences() {
        let game = ChineseCheckers::new(2, 4, 1000);
        assert_eq!([1, 2].map(|depth| game.perft(depth)), [(14, 0), (196, 0)]);
    }
}
