//! Tests of the whole: every stage's output for every shipped game, every mistake's message, play, saves, the program.

mod support;

mod tidy;
mod errors;
mod goldens;
mod scenarios;
mod random_games;
mod sessions;
mod packages;
mod program;
mod docs;
