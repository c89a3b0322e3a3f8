//! Play: finding and loading games, sessions that can be saved, undone and replayed, bots, simulation, and the
//! tests a package brings along. It knows no screen.

mod bots;
pub mod conformance;
mod error;
mod game;
mod keys;
mod lattice;
mod package;
pub mod perft;
pub mod position;
mod random;
pub mod record;
mod save;
pub mod scenario;
mod session;
pub mod simulate;
pub mod snapshot;
pub mod spots;
mod table;
pub mod turns;
mod why;

pub use bots::{Bot, Yardstick};
pub use error::{PlayError, place};
pub use game::{Checked, Game, Options};
pub use lattice::{Lattice, crossing, side_lines};
pub use package::{DirWorld, Library, MAX_FILE, MAX_FILES, MAX_PACKAGE, Package, eject};
pub use random::Dice;
pub use save::{Header, Saved};
pub use session::{Made, Session, Setup};
pub use table::{LogLine, Player, Reload, Table};
