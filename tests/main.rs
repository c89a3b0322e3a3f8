//! All integration tests, in one binary.

// Helpers of tests may fail as tests do; clippy knows only the functions marked as tests.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

mod checkers;
mod smith;
mod suite;
