//! What an editor asks about texts, answered from what the checker knows: what is wrong and how it is mended, what a name
//! stands for, what could stand at a place, and what changes with a name. It knows texts and their paths, and neither
//! editors nor protocols.

mod lines;
mod parts;
mod replayed;
mod texts;
mod workspace;

pub mod complete;
pub mod found;
pub mod hints;
pub mod hover;
pub mod mend;
pub mod navigate;
pub mod outline;
pub mod rename;
pub mod shades;
pub mod signature;

pub use lines::{Lines, Position};
pub use texts::{Edit, Location, apply};
pub use workspace::{Subject, Workspace};
