//! Games written by hand in Rust, each for itself and as fast as is sensible without `unsafe`: what figures of the engine are
//! ratios of, so that they can be compared between machines. Each plays whole games, uniformly at random among its moves.

pub mod breakthrough;
pub mod gallery;
pub mod hex;
pub mod reversi;
pub mod tic_tac_toe;

use std::time::{Duration, Instant};

/// Games between two looks at the clock.
const BATCH: u64 = 512;

/// A generator of random numbers: xorshift, good enough for moves.
pub struct Dice(u64);

impl Dice {
    /// A number below `n`.
    #[inline]
    pub fn below(&mut self, n: u32) -> u32 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        ((u64::from(self.0 as u32) * u64::from(n)) >> 32) as u32
    }

    /// One of the bits of a board that has some.
    #[inline]
    pub fn bit(&mut self, mut board: u64) -> u64 {
        for _ in 0..self.below(board.count_ones()) {
            board &= board - 1;
        }
        board & board.wrapping_neg()
    }
}

/// Plays for a while; `play` plays one game and says how many moves it took. Gives games a second.
pub fn played(time: Duration, mut play: impl FnMut(&mut Dice) -> u32) -> f64 {
    let (mut dice, started) = (Dice(0x9E37_79B9_7F4A_7C15), Instant::now());
    let (mut games, mut moves) = (0u64, 0u64);
    while started.elapsed() < time {
        for _ in 0..BATCH {
            moves += u64::from(play(&mut dice));
        }
        games += BATCH;
    }
    // No game is over without a move; and what is not used, the compiler would leave out.
    assert!(moves > games);
    games as f64 / started.elapsed().as_secs_f64()
}
