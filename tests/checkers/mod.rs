//! Games played a second time: slow and plain programs written from the numbered rules alone, without a look at the
//! content or the engine, for both to be held against each other (`tests/suite/checkers.rs`).

pub mod backgammon;
pub mod blackjack;
pub mod breakthrough;
pub mod chinese_checkers;
pub mod clobber;
pub mod cribbage;
pub mod dots_and_boxes;
pub mod einstein;
pub mod euchre;
pub mod gomoku;
pub mod havannah;
pub mod hex;
pub mod lines_of_action;
pub mod monster_factory;
pub mod munch;
pub mod oware;
pub mod pentago;
pub mod quoridor;
pub mod reversi;
pub mod scrunch;
pub mod spades;
pub mod twixt;
pub mod ultimate_tic_tac_toe;
pub mod y;

/// A position of a game, and what can be done in it.
pub trait Checker: Clone {
    /// The distinct whole turns, in the notation of the rulings, sorted as texts; none if the game is over.
    fn turns(&self) -> Vec<String>;
    /// Takes one of those turns.
    fn play(&mut self, turn: &str);
    /// Whether the game is over: as soon as somebody has won, where nothing else is said.
    fn over(&self) -> bool {
        !self.winners().is_empty()
    }
    /// Who is to move, from 0 on.
    fn mover(&self) -> usize;
    /// Who has won, from 0 on; nobody as long as the game is not over.
    fn winners(&self) -> Vec<usize>;
    /// The score of each player, if the game has scores.
    fn scores(&self) -> Option<Vec<i64>> {
        None
    }

    /// How many sequences of exactly so many turns there are, and how many of them end the game with their last.
    fn perft(&self, depth: u32) -> (u64, u64) {
        if depth == 0 {
            return (1, u64::from(self.over()));
        }
        let mut sum = (0, 0);
        for turn in self.turns() {
            let mut next = self.clone();
            next.play(&turn);
            let below = next.perft(depth - 1);
            sum = (sum.0 + below.0, sum.1 + below.1);
        }
        sum
    }
}

/// Those with the highest score.
pub fn highest(scores: &[i64]) -> Vec<usize> {
    let most = scores.iter().max().copied().unwrap_or_default();
    (0..scores.len()).filter(|player| scores[*player] == most).collect()
}

/// Sorted texts.
pub fn sorted(mut turns: Vec<String>) -> Vec<String> {
    turns.sort();
    turns
}
