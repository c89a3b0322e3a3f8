//! Tests of the whole: every stage's output for every shipped game, every mistake's message, play, saves, the program.

pub mod support;

mod ahead;
mod bearers;
mod book;
mod bounds;
mod checkers;
mod conformance;
mod docs;
#[cfg(feature = "lsp")]
mod editor;
mod editors;
mod errors;
mod expansion_play;
mod expansions;
mod explain;
mod goldens;
mod ide;
mod laws;
mod loops;
mod mends;
mod names;
mod outlets;
mod packages;
mod pictures;
pub mod playout;
mod program;
mod pruning;
mod questions;
mod random_games;
mod recorded;
mod review;
mod rewordings;
mod scenarios;
mod scripts;
mod sessions;
mod sheets;
mod shrink;
mod tidy;
mod turns;
mod unnest;
mod versions;
mod watch;
mod why;
mod windows;
mod witness;
mod workshop;
