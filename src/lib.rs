//! Cardwright runs tabletop games from text files: a folder with a manifest, rules, cards and its own tests. The engine
//! knows no game; what a card, a verb, a zone or a board means is said in content.

pub mod base;
pub mod core;
pub mod engine;
pub mod front;
pub mod ide;
pub mod model;
pub mod play;
pub mod program;
pub mod syntax;
