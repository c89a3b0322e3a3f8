//! Havannah by its numbered rules (HV-01 to HV-11).

use super::{Checker, sorted};

/// A hex by column and row, from 1 on.
type Hex = (i32, i32);

/// A position: the stones of each player, and whether the first one may be taken over (HV-11).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Havannah {
    pub size: i32,
    pub swap: bool,
    pub stones: [Vec<Hex>; 2],
    pub made: u32,
    pub mover: usize,
    pub over: bool,
    pub winner: Option<usize>,
}

fn name((column, row): Hex) -> String {
    format!("{}{row}", char::from(b'a' + column as u8 - 1))
}

impl Havannah {
    /// The start: an empty hexagon (HV-01).
    pub fn new(size: i32, swap: bool) -> Havannah {
        Havannah { size, swap, stones: [Vec::new(), Vec::new()], made: 0, mover: 0, over: false, winner: None }
    }

    fn inside(&self, (column, row): Hex) -> bool {
        let longest = 2 * self.size - 1;
        (1..=longest).contains(&column)
            && (1..=longest).contains(&row)
            && (self.size + 1..=3 * self.size - 1).contains(&(column + row))
    }

    fn hexes(&self) -> Vec<Hex> {
        let longest = 2 * self.size - 1;
        let all = (1..=longest).flat_map(|row| (1..=longest).map(move |column| (column, row)));
        all.filter(|hex| self.inside(*hex)).collect()
    }

    fn neighbours(&self, (column, row): Hex) -> Vec<Hex> {
        let six = [(1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1)];
        six.iter().map(|(right, on)| (column + right, row + on)).filter(|hex| self.inside(*hex)).collect()
    }

    /// Which sides of the six a hex lies on, by the six equations of the border; a corner lies on two of the lines (HV-02, HV-03).
    fn lines(&self, (column, row): Hex) -> Vec<usize> {
        let longest = 2 * self.size - 1;
        let six = [
            row == 1,
            column == longest,
            column + row == 3 * self.size - 1,
            row == longest,
            column == 1,
            column + row == self.size + 1,
        ];
        (0..6).filter(|line| six[*line]).collect()
    }

    /// All that is reached from a hex through hexes for which `through` holds.
    fn flood(&self, from: Hex, through: impl Fn(Hex) -> bool) -> Vec<Hex> {
        let mut seen = vec![from];
        let mut next = 0;
        while next < seen.len() {
            for beside in self.neighbours(seen[next]) {
                if through(beside) && !seen.contains(&beside) {
                    seen.push(beside);
                }
            }
            next += 1;
        }
        seen
    }

    /// Whether some hex is enclosed: no way leads from it to the border over hexes without a stone of the player's (HV-09).
    fn ring(&self, player: usize) -> bool {
        let free = |hex: Hex| !self.stones[player].contains(&hex);
        let out = |hex: &Hex| !self.lines(*hex).is_empty();
        self.hexes().into_iter().any(|hex| !self.flood(hex, free).iter().any(out))
    }

    /// Whether the stone that was placed completes a figure (HV-06 to HV-09).
    fn wins(&self, player: usize, stone: Hex) -> bool {
        let chain = self.flood(stone, |hex| self.stones[player].contains(&hex));
        let corners = chain.iter().filter(|hex| self.lines(**hex).len() == 2).count();
        let mut sides: Vec<usize> =
            chain.iter().map(|hex| self.lines(*hex)).filter(|lines| lines.len() == 1).flatten().collect();
        sides.sort_unstable();
        sides.dedup();
        corners >= 2 || sides.len() >= 3 || self.ring(player)
    }

    fn may_take_over(&self) -> bool {
        self.swap && self.made == 1
    }
}

impl Checker for Havannah {
    fn turns(&self) -> Vec<String> {
        if self.over {
            return Vec::new();
        }
        let taken = |hex: &Hex| !self.may_take_over() && self.stones[0].contains(hex) || self.stones[1].contains(hex);
        sorted(self.hexes().into_iter().filter(|hex| !taken(hex)).map(name).collect())
    }

    fn play(&mut self, turn: &str) {
        let hex = self.hexes().into_iter().find(|hex| name(*hex) == turn).expect("a hex");
        if self.may_take_over() {
            self.stones[0].retain(|stone| *stone != hex);
        }
        self.stones[self.mover].push(hex);
        self.made += 1;
        if self.wins(self.mover, hex) {
            self.winner = Some(self.mover);
        }
        self.over = self.winner.is_some() || self.stones.iter().map(Vec::len).sum::<usize>() == self.hexes().len();
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
    use super::{Checker, Havannah};

    #[test]
    fn the_numbers_of_sequences() {
        assert_eq!(Havannah::new(4, false).perft(1), (37, 0));
        assert_eq!(Havannah::new(3, true).perft(2), (19 * 19, 0));
    }

    #[test]
    fn a_ring_around_an_empty_hex() {
        let mut game = Havannah::new(8, false);
        game.stones[0] = vec![(7, 8), (9, 8), (8, 7), (9, 7), (8, 9)];
        assert!(!game.ring(0));
        game.play("g9");
        assert_eq!(game.winners(), [0]);
    }

    #[test]
    fn a_fork_needs_sides_and_no_corners() {
        let mut game = Havannah::new(3, false);
        game.stones[0] = vec![(3, 1), (2, 2)];
        game.play("d1");
        assert!(!game.over());
    }
}
