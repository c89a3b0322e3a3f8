//! How far long work is: a few numbers that the work adds to and somebody else looks at, and a flag that ends it early.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// Shared by work and whoever watches it. What is done early is no error: the work gives what it has so far.
#[derive(Debug, Default)]
pub struct Progress {
    done: AtomicU64,
    all: AtomicU64,
    counted: AtomicU64,
    stopped: AtomicBool,
}

impl Progress {
    /// Says that there is so much more to do.
    pub fn expect(&self, more: u64) {
        self.all.fetch_add(more, Ordering::Relaxed);
    }

    /// Says that so much of it is done.
    pub fn advance(&self, by: u64) {
        self.done.fetch_add(by, Ordering::Relaxed);
    }

    /// Counts things whose rate is of interest: games, options taken.
    pub fn count(&self, things: u64) {
        self.counted.fetch_add(things, Ordering::Relaxed);
    }

    /// How much is done, and of how much; of nothing where that is not known.
    pub fn share(&self) -> (u64, u64) {
        (self.done.load(Ordering::Relaxed), self.all.load(Ordering::Relaxed))
    }

    /// How many things were counted.
    pub fn counted(&self) -> u64 {
        self.counted.load(Ordering::Relaxed)
    }

    /// Asks the work to end.
    pub fn stop(&self) {
        self.stopped.store(true, Ordering::Relaxed);
    }

    /// Whether it is to end.
    pub fn stopped(&self) -> bool {
        self.stopped.load(Ordering::Relaxed)
    }
}
