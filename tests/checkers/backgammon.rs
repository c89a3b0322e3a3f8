//! Backgammon. Chance is the dice: `roll` takes them one by one.

use super::{Checker, sorted};

/// The bar, as a point of whoever moves.
const BAR: usize = 25;

/// How a win is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stakes {
    WinLoss,
    Gammons,
    Full,
}

/// A position. `points[player][n]` counts the checkers on the player's own point n, from 1 to 24; 25 is the bar and 0 is off.
#[derive(Clone, Debug)]
pub struct Backgammon {
    pub stakes: Stakes,
    pub hyper: bool,
    points: [[usize; 26]; 2],
    mover: usize,
    begun: bool,
    dice: Vec<usize>,
    over: bool,
}

/// A step: from which point, by which die.
type Step = (usize, usize);

impl Backgammon {
    /// The start, before any die is rolled.
    pub fn new(hyper: bool, stakes: Stakes) -> Backgammon {
        let mut side = [0; 26];
        let places: &[(usize, usize)] =
            if hyper { &[(24, 1), (23, 1), (22, 1)] } else { &[(24, 2), (13, 5), (8, 3), (6, 5)] };
        for (point, number) in places {
            side[*point] = *number;
        }
        Backgammon { stakes, hyper, points: [side, side], mover: 0, begun: false, dice: Vec::new(), over: false }
    }

    /// The next die. Before the first turn two equal ones count for nothing, and the greater of others says who begins.
    pub fn roll(&mut self, die: usize) {
        self.dice.push(die);
        if self.dice.len() == 2 && !self.begun {
            if self.dice[0] == self.dice[1] {
                self.dice.clear();
            } else {
                self.begun = true;
                self.mover = usize::from(self.dice[1] > self.dice[0]);
            }
        }
    }

    /// BG-04, BG-05, BG-07, BG-08: the points from which one checker can move by a die.
    fn movable(&self, die: usize) -> Vec<usize> {
        let own = &self.points[self.mover];
        let open = |point: usize| self.points[1 - self.mover][25 - point] <= 1;
        if own[BAR] > 0 {
            return if open(BAR - die) { vec![BAR] } else { Vec::new() };
        }
        let highest = (1..=24).rev().find(|point| own[*point] > 0).unwrap_or(0);
        let can = |point: &usize| {
            if *point > die { open(*point - die) } else { highest <= 6 && (*point == die || *point == highest) }
        };
        (1..=24).filter(|point| own[*point] > 0).filter(can).collect()
    }

    /// Carries out a step, and writes it.
    fn step(&mut self, (point, die): Step) -> String {
        let target = point.saturating_sub(die);
        let from = if point == BAR { "bar".to_string() } else { point.to_string() };
        self.points[self.mover][point] -= 1;
        self.points[self.mover][target] += 1;
        if target == 0 {
            return format!("{from}/off");
        }
        let other = &mut self.points[1 - self.mover];
        let hit = other[25 - target] > 0;
        if hit {
            other[25 - target] -= 1;
            other[BAR] += 1;
        }
        format!("{from}/{target}{}", if hit { "*" } else { "" })
    }

    /// All sequences of steps with these dice that cannot be gone on with: the position, the dice played, and the text.
    fn sequences(
        &self,
        dice: &[usize],
        played: &[usize],
        text: &str,
        found: &mut Vec<(Backgammon, Vec<usize>, String)>,
    ) {
        let mut distinct = dice.to_vec();
        distinct.dedup();
        let mut stuck = true;
        for die in distinct {
            for point in self.movable(die) {
                stuck = false;
                let mut next = self.clone();
                let step = next.step((point, die));
                let mut rest = dice.to_vec();
                if let Some(place) = rest.iter().position(|other| *other == die) {
                    rest.remove(place);
                }
                let longer = if text.is_empty() { step } else { format!("{text}; {step}") };
                let mut used = played.to_vec();
                used.push(die);
                next.sequences(&rest, &used, &longer, found);
            }
        }
        if stuck {
            found.push((self.clone(), played.to_vec(), text.to_string()));
        }
    }

    /// BG-09: the turns that can be made, with what each leads to.
    fn all(&self) -> Vec<(Backgammon, String)> {
        let double = self.dice[0] == self.dice[1];
        let dice = if double { vec![self.dice[0]; 4] } else { self.dice.clone() };
        let mut found = Vec::new();
        self.sequences(&dice, &[], "", &mut found);
        let longest = found.iter().map(|(_, played, _)| played.len()).max().unwrap_or(0);
        found.retain(|(_, played, _)| played.len() == longest);
        if longest == 0 {
            return vec![(self.clone(), "pass".to_string())];
        }
        if longest == 1 && !double {
            let greater = found.iter().map(|(_, played, _)| played[0]).max().unwrap_or(0);
            found.retain(|(_, played, _)| played[0] == greater);
        }
        found.into_iter().map(|(position, _, text)| (position, text)).collect()
    }

    /// BG-11
    fn worth(&self, loser: usize) -> i64 {
        let side = &self.points[loser];
        if self.stakes == Stakes::WinLoss || self.hyper || side[0] > 0 {
            1
        } else if self.stakes == Stakes::Full && side[19..=25].iter().any(|number| *number > 0) {
            3
        } else {
            2
        }
    }
}

impl Checker for Backgammon {
    fn turns(&self) -> Vec<String> {
        if self.over || self.dice.len() < 2 {
            return Vec::new();
        }
        let mut turns = sorted(self.all().into_iter().map(|(_, text)| text).collect());
        turns.dedup();
        turns
    }

    fn play(&mut self, turn: &str) {
        let (position, _) = self.all().into_iter().find(|(_, text)| text == turn).expect("a turn that can be made");
        self.points = position.points;
        self.dice.clear();
        self.over = self.points[self.mover][0] == if self.hyper { 3 } else { 15 };
        if !self.over {
            self.mover = 1 - self.mover;
        }
    }

    fn over(&self) -> bool {
        self.over
    }

    fn mover(&self) -> usize {
        self.mover
    }

    fn winners(&self) -> Vec<usize> {
        if self.over { vec![self.mover] } else { Vec::new() }
    }

    fn scores(&self) -> Option<Vec<i64>> {
        let mut scores = vec![0; 2];
        if self.over {
            let worth = self.worth(1 - self.mover);
            scores[self.mover] = worth;
            scores[1 - self.mover] = -worth;
        }
        Some(scores)
    }
}

#[cfg(test)]
mod tests {
    use super::{Backgammon, Checker, Stakes};
    use std::collections::BTreeSet;

    /// The positions after the first turn with these dice.
    fn positions(first: usize, second: usize) -> usize {
        let mut game = Backgammon::new(false, Stakes::WinLoss);
        game.roll(first);
        game.roll(second);
        let all: BTreeSet<_> = game.all().into_iter().map(|(position, _)| position.points).collect();
        all.len()
    }

    #[test]
    fn openings() {
        // The numbers of different positions after the rolls of an opening.
        let known = [(2, 1, 15), (3, 1, 16)];
        for (first, second, number) in known {
            assert_eq!(positions(first, second), number, "{first}-{second}");
        }
    }

    #[test]
    fn the_greater_of_two_numbers() {
        let mut game = Backgammon::new(false, Stakes::WinLoss);
        game.points = [[0; 26]; 2];
        game.points[0][20] = 1;
        game.points[0][2] = 2;
        game.points[1][16] = 2;
        game.roll(6);
        game.roll(5);
        assert_eq!(game.turns(), ["20/14"]);
    }
}
