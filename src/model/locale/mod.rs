//! The texts of a game that players read, each under an id that outlives changes of the rules, and what becomes of them in another
//! language. What comes in: checked rules and the texts they were read from. What goes out: lines to be translated, and [`Words`],
//! which say the same game in another language. Nothing here changes what a game does. Why it is so: docs/decisions/0012-translations.md.

mod align;
mod list;
mod placeholders;
mod words;

pub use align::{align, group_of};
pub use list::lines;
pub(super) use placeholders::fillings;
pub use placeholders::{Piece, differences, pieces};
pub use words::{WordPart, Words};

use super::rules::{EntryId, EnumId, KindId};
use crate::base::Span;

/// The id of the game's title.
pub const TITLE: &str = "title";

/// A text that players read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// The path of its declaration: `card.tool.Lantern`, `action.play.note.1`.
    pub id: String,
    /// The text, as it is written.
    pub text: String,
    /// Where it is written.
    pub span: Span,
    /// What it is.
    pub what: What,
    /// Whether its id ends with a number among its like.
    pub numbered: bool,
}

/// What a text is, and so where its translation goes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum What {
    /// The title of the game.
    Title,
    /// The name of a seat.
    Seat(usize),
    /// What a declared name is read as.
    Label(String),
    /// The value of an enum.
    Value(EnumId, usize),
    /// A site of a board, or with `true` a direction, whose name is the author's.
    Place(usize, usize, bool),
    /// The name of a card.
    Card(EntryId),
    /// A text that is a value or stands as it is written.
    Plain,
    /// How entities of a kind are written.
    Notation(KindId),
    /// A text into which something is filled in: a prompt, a note, a wording of a look.
    Template,
}
