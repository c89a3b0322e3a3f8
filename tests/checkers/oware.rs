//! Oware by its numbered rules (OW-01 to OW-12).

use super::{Checker, highest, sorted};

/// A position: the houses in the order of sowing, those of South first (OW-01).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Oware {
    pub houses: [u32; 12],
    pub stores: [u32; 2],
    pub mover: usize,
    pub over: bool,
    /// Houses and who is to move at the beginning and after each turn so far (OW-11).
    pub seen: Vec<([u32; 12], usize)>,
}

/// The names of the houses in the order of sowing.
const NAMES: [&str; 12] = ["A", "B", "C", "D", "E", "F", "a", "b", "c", "d", "e", "f"];

impl Oware {
    /// The start, with so many seeds in each house (OW-02).
    pub fn new(seeds: u32) -> Oware {
        Oware { houses: [seeds; 12], stores: [0, 0], mover: 0, over: false, seen: vec![([seeds; 12], 0)] }
    }

    /// Which houses a player owns.
    fn row(player: usize) -> std::ops::Range<usize> {
        6 * player..6 * player + 6
    }

    fn in_row(&self, player: usize) -> u32 {
        self.houses[Self::row(player)].iter().sum()
    }

    /// The houses that may be sown (OW-04, OW-06).
    fn playable(&self) -> Vec<usize> {
        let other_has_none = self.in_row(1 - self.mover) == 0;
        let end = Self::row(self.mover).end;
        let reaches = |house: usize| house + self.houses[house] as usize >= end;
        Self::row(self.mover).filter(|house| self.houses[*house] > 0 && (!other_has_none || reaches(*house))).collect()
    }

    /// Sows a house, and says where the last seed fell (OW-04, OW-05).
    fn sow(&mut self, house: usize) -> usize {
        let mut last = house;
        for _ in 0..std::mem::take(&mut self.houses[house]) {
            last = (last + 1) % 12;
            if last == house {
                last = (last + 1) % 12;
            }
            self.houses[last] += 1;
        }
        last
    }

    /// What is captured from where the last seed fell (OW-07, OW-08).
    fn capture(&mut self, last: usize) {
        let theirs = Self::row(1 - self.mover);
        let mut caught = Vec::new();
        let mut house = last;
        while theirs.contains(&house) && (2..=3).contains(&self.houses[house]) {
            caught.push(house);
            house = (house + 11) % 12;
        }
        let sum: u32 = caught.iter().map(|house| self.houses[*house]).sum();
        if sum == self.in_row(1 - self.mover) {
            return;
        }
        for house in caught {
            self.houses[house] = 0;
        }
        self.stores[self.mover] += sum;
    }

    /// Everybody takes what lies in their own houses (OW-10).
    fn collect(&mut self) {
        for player in 0..2 {
            self.stores[player] += self.in_row(player);
        }
        self.houses = [0; 12];
    }
}

impl Checker for Oware {
    fn turns(&self) -> Vec<String> {
        if self.over {
            return Vec::new();
        }
        sorted(self.playable().into_iter().map(|house| NAMES[house].to_string()).collect())
    }

    fn play(&mut self, turn: &str) {
        let house = NAMES.iter().position(|name| *name == turn).expect("a house");
        let total: u32 = self.houses.iter().sum::<u32>() + self.stores.iter().sum::<u32>();
        let last = self.sow(house);
        self.capture(last);
        self.mover = 1 - self.mover;
        let now = (self.houses, self.mover);
        if self.playable().is_empty() || self.seen.contains(&now) {
            self.collect();
        }
        self.seen.push(now);
        let [south, north] = self.stores;
        self.over = 2 * south > total || 2 * north > total || 2 * south == total && 2 * north == total;
    }

    fn over(&self) -> bool {
        self.over
    }

    fn mover(&self) -> usize {
        self.mover
    }

    fn winners(&self) -> Vec<usize> {
        if !self.over || self.stores[0] == self.stores[1] {
            return Vec::new();
        }
        highest(&self.stores.map(i64::from))
    }

    fn scores(&self) -> Option<Vec<i64>> {
        Some(self.stores.map(i64::from).to_vec())
    }
}

#[cfg(test)]
mod tests {
    use super::{Checker, Oware};

    #[test]
    fn the_numbers_of_sequences() {
        let counts = [1, 2, 3, 4, 5].map(|depth| Oware::new(4).perft(depth).0);
        assert_eq!(counts, [6, 36, 190, 1014, 5219]);
    }

    #[test]
    fn a_grand_slam_captures_nothing() {
        let mut game = Oware::new(4);
        game.houses = [1, 0, 0, 0, 0, 2, 1, 1, 0, 0, 0, 0];
        game.play("F");
        assert_eq!(game.houses, [1, 0, 0, 0, 0, 0, 2, 2, 0, 0, 0, 0]);
        assert_eq!(game.stores, [0, 0]);
    }
}
