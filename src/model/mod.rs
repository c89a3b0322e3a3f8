//! The checker: packages of spanned trees go in; resolved, typed [`Rules`] come out, or the list of everything
//! an author has to mend. Names end here: what follows works on indices. It knows nothing of how rules are run.
//!
//! Stages, in order: all names are collected (`collect`), types, kinds and zones are settled, then the bodies
//! of definitions, verbs, actions, clauses and entries are checked one by one against expected types, and at last
//! the model as a whole.

pub mod builtins;
pub mod geometry;
pub mod index;
pub mod locale;
#[allow(missing_docs, reason = "the fields of a table say what they are by name and type; forms have examples")]
pub mod rules;
pub mod scenario;

mod acts;
mod additions;
mod apart;
mod arranged;
mod asked_before;
mod beforehand;
mod beside;
mod blame;
mod boards;
mod body;
mod calls;
mod candidates;
mod check;
mod checks;
mod choices;
mod clauses;
mod collect;
mod colours;
mod consts;
mod contradictions;
mod delayed;
mod dump;
pub mod endless;
mod enough;
mod entries;
mod expansions;
mod exprs;
mod free_prices;
mod gaps;
mod gathered;
mod heads;
mod hidden;
mod hides;
mod homes;
mod idle_modifiers;
mod in_secret;
mod inplay;
mod keyed_zones;
mod load;
mod looks;
mod members;
mod merge;
mod missing;
mod moves;
mod names;
mod offers;
mod origin;
mod outcomes;
mod patch;
mod piles;
mod prices;
mod props;
mod ranges;
pub mod reads;
mod rows;
mod scenes;
mod scripts;
mod secrets;
mod sets;
mod sheets;
mod single;
mod stmts;
mod strayed;
mod swap;
mod tables;
mod targets;
mod templates;
mod tiles;
mod traps;
mod trees;
mod types;
mod unset;
mod unshuffled;
mod walk;
mod weights;
mod windows;
mod zones;

pub use crate::syntax::Manifest;
pub use check::{Checked, Header, Package, Settings, check, check_indexed};
pub use dump::dump;
pub use index::Index;
pub use load::{Active, Loaded, Request, ScenarioFile, load, load_request};
pub use origin::{Origin, Part};
pub use rules::Rules;
pub use scenario::Scenario;
pub use trees::Trees;

#[cfg(test)]
mod tests;
