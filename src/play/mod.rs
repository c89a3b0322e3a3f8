//! Play: finding and loading games, sessions that can be saved, undone and replayed, bots, simulation, and the
//! tests a package brings along. It knows no screen.

mod bots;
pub mod conformance;
mod conserving;
mod digest;
mod error;
pub mod files;
mod game;
mod keys;
mod lattice;
mod package;
mod pair;
mod parts;
pub mod perft;
pub mod position;
pub mod progress;
mod random;
pub mod record;
pub mod recorded;
mod revision;
mod save;
pub mod scenario;
mod session;
pub mod simulate;
pub mod snapshot;
pub mod spots;
pub mod standings;
mod table;
pub mod turns;
pub mod unmeant;
mod unsaved;
pub mod versions;
mod why;
pub(crate) mod words;

pub use bots::{Bot, Yardstick};
pub use digest::LogLine;
pub use error::{PlayError, place};
pub use game::{Checked, Game, Options};
pub use lattice::Lattice;
pub use package::{DirWorld, Library, MAX_FILE, MAX_FILES, MAX_PACKAGE, Package, eject, packages_in};
pub use progress::Progress;
pub use random::Dice;
pub use save::{Header, MAX_SAVE, Saved};
pub use session::{Made, Session, Setup};
pub use table::{Player, Reload, Table, Undo};
pub use unsaved::Unsaved;
