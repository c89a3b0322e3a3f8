//! How games ended, seat by seat: who won alone and with others, scores, and who came before whom.

/// Counts over many games, all of them by seat. They are whole numbers, so that the order of adding makes no difference.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Standings {
    /// Games that a seat alone has won.
    pub wins: Vec<u64>,
    /// Games that it has won with others.
    pub shared: Vec<u64>,
    /// Games that several have won.
    pub shared_games: u64,
    /// Games nobody won.
    pub draws: u64,
    /// Games in which it came first, second and so on. Those that are equal have the same place, and the next ones come
    /// after all of them: two who share the first place are followed by a third.
    pub places: Vec<Vec<u64>>,
    /// For each seat and each other: the games in which the one came before the other.
    pub before: Vec<Vec<u64>>,
    /// Games with scores.
    scored: u64,
    sums: Vec<i128>,
    squares: Vec<i128>,
}

impl Standings {
    /// No game yet, of so many seats.
    pub fn new(seats: usize) -> Standings {
        Standings {
            wins: vec![0; seats],
            shared: vec![0; seats],
            places: vec![vec![0; seats]; seats],
            before: vec![vec![0; seats]; seats],
            sums: vec![0; seats],
            squares: vec![0; seats],
            ..Standings::default()
        }
    }

    /// Adds a game: the mask of its winners, and the scores, which are compared number by number. Winners come before all
    /// others; among these the better score does.
    pub fn add_game(&mut self, winners: u64, scores: Option<&[Vec<i64>]>) {
        let won = |seat: usize| (winners >> seat) & 1 == 1;
        self.draws += u64::from(winners == 0);
        self.shared_games += u64::from(winners.count_ones() > 1);
        let alone = winners.count_ones() == 1;
        for (seat, count) in if alone { &mut self.wins } else { &mut self.shared }.iter_mut().enumerate() {
            *count += u64::from(won(seat));
        }
        let standing = |seat: usize| match scores.and_then(|scores| scores.get(seat)) {
            Some(score) if !won(seat) => (false, score.as_slice()),
            _ => (won(seat), [].as_slice()),
        };
        for (seat, row) in self.before.iter_mut().enumerate() {
            for (other, count) in row.iter_mut().enumerate() {
                *count += u64::from(standing(seat) > standing(other));
            }
        }
        let seats = self.places.len();
        for (seat, row) in self.places.iter_mut().enumerate() {
            let place = (0..seats).filter(|other| standing(*other) > standing(seat)).count();
            row.iter_mut().skip(place).take(1).for_each(|count| *count += 1);
        }
        let Some(scores) = scores else { return };
        self.scored += 1;
        for ((score, sum), square) in scores.iter().zip(&mut self.sums).zip(&mut self.squares) {
            let score = i128::from(score.first().copied().unwrap_or(0));
            *sum += score;
            *square += score * score;
        }
    }

    /// Adds the games of another count.
    pub fn add(&mut self, other: &Standings) {
        let add = |mine: &mut [u64], theirs: &[u64]| mine.iter_mut().zip(theirs).for_each(|(mine, more)| *mine += more);
        add(&mut self.wins, &other.wins);
        add(&mut self.shared, &other.shared);
        self.shared_games += other.shared_games;
        self.draws += other.draws;
        self.places.iter_mut().zip(&other.places).for_each(|(mine, theirs)| add(mine, theirs));
        self.before.iter_mut().zip(&other.before).for_each(|(mine, theirs)| add(mine, theirs));
        self.scored += other.scored;
        self.sums.iter_mut().zip(&other.sums).for_each(|(mine, more)| *mine += more);
        self.squares.iter_mut().zip(&other.squares).for_each(|(mine, more)| *mine += more);
    }

    /// For each seat its mean score and the standard error of that; none without scores.
    pub fn scores(&self) -> Option<Vec<(f64, f64)>> {
        let mean = |(sum, square): (&i128, &i128)| {
            let spread = Spread { count: self.scored, sum: *sum, squares: *square };
            (spread.mean(), spread.deviation() / (self.scored as f64).sqrt())
        };
        (self.scored > 0).then(|| self.sums.iter().zip(&self.squares).map(mean).collect())
    }
}

/// The mean of whole numbers and how far they lie from it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Spread {
    count: u64,
    sum: i128,
    squares: i128,
}

impl Spread {
    /// Adds a number.
    pub fn push(&mut self, number: u64) {
        let number = i128::from(number);
        self.add(&Spread { count: 1, sum: number, squares: number * number });
    }

    /// Adds the numbers of another.
    pub fn add(&mut self, other: &Spread) {
        self.count += other.count;
        self.sum += other.sum;
        self.squares += other.squares;
    }

    /// All numbers together.
    pub fn sum(&self) -> u64 {
        u64::try_from(self.sum).unwrap_or(u64::MAX)
    }

    /// The mean; 0 of none.
    pub fn mean(&self) -> f64 {
        self.sum as f64 / self.count.max(1) as f64
    }

    /// The standard deviation of a sample; 0 of fewer than two.
    pub fn deviation(&self) -> f64 {
        if self.count < 2 {
            return 0.0;
        }
        // Whole numbers up to the last step: the difference of two large sums must not be rounded.
        let count = i128::from(self.count);
        let sum = self.squares.saturating_mul(count).saturating_sub(self.sum.saturating_mul(self.sum));
        (sum as f64 / (count * (count - 1)) as f64).sqrt()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_and_scores_are_counted_by_seat() {
        let mut standings = Standings::new(3);
        let scores = |numbers: [i64; 3]| numbers.map(|number| vec![number]);
        standings.add_game(0b001, Some(&scores([5, 1, 3])));
        standings.add_game(0b110, Some(&scores([2, 4, 4])));
        // Who has won is first, whatever the scores say.
        standings.add_game(0b010, Some(&scores([9, 1, 9])));
        standings.add_game(0, Some(&scores([2, 2, 1])));
        assert_eq!((&standings.wins, &standings.shared), (&vec![1, 1, 0], &vec![0, 1, 1]));
        assert_eq!((standings.draws, standings.shared_games), (1, 1));
        assert_eq!(standings.places, [[2, 1, 1], [3, 0, 1], [1, 2, 1]]);
        assert_eq!(standings.before, [[0, 1, 2], [2, 0, 2], [1, 1, 0]]);
        let (mean, error) = standings.scores().unwrap()[0];
        assert_eq!(mean, 4.5);
        // Deviation of 5, 2, 9, 2 is √(33 / 3).
        assert!((error - 11.0_f64.sqrt() / 2.0).abs() < 1e-12);
        let mut twice = standings.clone();
        twice.add(&standings);
        assert_eq!((twice.wins[0], twice.before[1][2], twice.scores().unwrap()[0].0), (2, 4, 4.5));
    }

    #[test]
    fn games_without_scores_know_winners_and_others() {
        let mut standings = Standings::new(4);
        standings.add_game(0b0100, None);
        assert_eq!(standings.places, [[0, 1, 0, 0], [0, 1, 0, 0], [1, 0, 0, 0], [0, 1, 0, 0]]);
        assert_eq!(standings.scores(), None);
    }

    #[test]
    fn scores_of_several_numbers_are_compared_one_after_the_other() {
        let mut standings = Standings::new(3);
        standings.add_game(0b001, Some(&[vec![3, 3], vec![3, 1], vec![3, 2]]));
        assert_eq!(standings.before, [[0, 1, 1], [0, 0, 0], [0, 1, 0]]);
    }

    #[test]
    fn deviations_are_those_of_samples() {
        let mut spread = Spread::default();
        assert_eq!((spread.mean(), spread.deviation()), (0.0, 0.0));
        [2, 4, 4, 4, 5, 5, 7, 9].into_iter().for_each(|number| spread.push(number));
        assert_eq!(spread.mean(), 5.0);
        assert!((spread.deviation() - (32.0_f64 / 7.0).sqrt()).abs() < 1e-12);
    }
}
