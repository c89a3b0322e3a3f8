//! Cardwright runs tabletop games from text files: a folder with a manifest, rules, cards and its own tests. The engine
//! knows no game; what a card, a verb, a zone or a board means is said in content.
//!
//! This is the library, for programs that play, study or show such games. What it offers:
//!
//! | to | use |
//! |---|---|
//! | load a game, checked and compiled | [`Game::load`], or [`Loader`] for options, expansions and files in memory |
//! | begin, or go on from a save | [`Game::start`], [`Game::start_open`], [`Game::resume`] |
//! | decide | [`Position::decision`], [`Position::choose`], [`Position::choose_key`] |
//! | look | [`Position::view`]: what one seat may know, and nothing else |
//! | search | `clone`, [`Position::hash`], [`Position::resample`], [`Position::play_out`] |
//! | save | [`Position::save`] |
//!
//! The same content, players, seed and choices give the same game on every machine. Whatever content or a caller does wrong
//! is an [`Error`]; a panic is a mistake of this library.
//!
//! ```
//! use cardwright::{Error, Loader};
//!
//! const MANIFEST: &str = r#"
//!     name = "heap"
//!     title = "One heap"
//!     version = "1.0.0"
//!     edition = 1
//!     players = { min = 2, max = 2 }
//! "#;
//! const RULES: &str = r#"
//!     game { counter heap: 0..7 = 7 }
//!     action take {
//!       choose n in 1..3 where n <= game.heap "How many?"
//!       decrease game.heap by n
//!       if game.heap = 0 { win me }
//!     }
//!     flow { turns turn from seat(1) { choose action take } }
//! "#;
//!
//! /// Which option wins by force; none if none does.
//! fn winning(position: &cardwright::Position) -> Result<Option<usize>, Error> {
//!     let me = position.seat();
//!     for index in 0..position.option_count() {
//!         let mut next = position.clone();
//!         next.choose(index)?;
//!         let wins = match next.outcome() {
//!             Some(outcome) => outcome.winners.first().copied() == me,
//!             None => winning(&next)?.is_none(),
//!         };
//!         if wins {
//!             return Ok(Some(index));
//!         }
//!     }
//!     Ok(None)
//! }
//!
//! fn main() -> Result<(), Error> {
//!     let game = Loader::files([("game.toml", MANIFEST), ("heap.rules", RULES)]).load()?;
//!     let mut position = game.start(2, 1)?;
//!     while let Some(decision) = position.decision() {
//!         let index = winning(&position)?.unwrap_or(0);
//!         println!("{:?}: {}", decision.seat, decision.options[index].label);
//!         position.choose(index)?;
//!     }
//!     let outcome = position.outcome().expect("no decision is left");
//!     assert_eq!(outcome.winners, [0], "who begins with seven takes three");
//!     Ok(())
//! }
//! ```
//!
//! Other modules of this crate are the program itself. They are not described here, and change without notice.

mod embed;

pub use embed::{Error, Finding, Game, Loader, Position, view};

// Hidden from readers only: what is public in them is documented all the same, and the lint sees to it.
#[cfg_attr(doc, doc(hidden))]
pub mod base;
#[cfg_attr(doc, doc(hidden))]
pub mod core;
#[cfg_attr(doc, doc(hidden))]
pub mod engine;
#[cfg_attr(doc, doc(hidden))]
pub mod front;
#[cfg_attr(doc, doc(hidden))]
pub mod ide;
#[cfg_attr(doc, doc(hidden))]
pub mod model;
#[cfg_attr(doc, doc(hidden))]
pub mod play;
#[cfg_attr(doc, doc(hidden))]
pub mod program;
#[cfg_attr(doc, doc(hidden))]
pub mod syntax;

/// The examples of the page for people who embed the library.
#[cfg(doctest)]
#[doc = include_str!("../docs/library.md")]
struct Page;
