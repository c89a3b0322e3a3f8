//! What the engine tells its callers: decisions, options, views, outcomes, changes and errors. All of it is plain
//! data that can be serialised.

use crate::base::Span;
use serde::{Deserialize, Serialize};

/// A seat, from 0 in seat order.
pub type Seat = u8;

/// How a game is started.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Start {
    /// Number of players.
    pub players: u8,
    /// Seed of the generator that answers chance.
    pub seed: u64,
    /// Whether chance is answered by the generator or yielded as decisions of nature.
    pub chance: Chance,
}

/// Who answers chance.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Chance {
    /// The seeded generator in the state.
    Draw,
    /// The caller: each draw from a shuffled pile, die and random pick is a decision without a seat.
    Ask,
}

/// What a game waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Status {
    /// A decision: see [`super::Machine::decision`].
    Decide,
    /// Nothing: the game is over.
    Over,
}

/// The kind of a decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DecisionKind {
    /// One of several actions, each with its first choice.
    Action,
    /// One of several texts.
    Option,
    /// One entity, player, site or value.
    One,
    /// The next of several: picks follow each other, `done` ends them.
    Several,
    /// A number.
    Number,
    /// The next in an order.
    Order,
    /// Yes or no.
    YesNo,
    /// Announce an effect or stay silent.
    Announce,
    /// An outcome of chance.
    Chance,
}

/// A decision as its seat sees it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Decision {
    /// Who decides; none for chance.
    pub seat: Option<Seat>,
    /// What is asked for.
    pub kind: DecisionKind,
    /// The question in words.
    pub prompt: String,
    /// The card it comes from, if any.
    pub source: Option<String>,
    /// What may be chosen, never empty.
    pub options: Vec<OptionInfo>,
    /// Where in the content it is asked.
    #[serde(skip)]
    pub span: Span,
}

/// One legal option.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OptionInfo {
    /// Stable, readable, distinct within the decision: `play tool Lantern`.
    pub key: String,
    /// For people; may say more than the key.
    pub label: String,
    /// The site, entity or player it is about, for screens that can point at it.
    pub target: Target,
    /// Relative weight of a chance outcome; 1 otherwise.
    pub weight: u32,
}

/// What an option points at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Target {
    /// Nothing on the table.
    None,
    /// An entity, by [`CardView::handle`].
    Entity(u32),
    /// A site, by its number on the board.
    Site(u16),
    /// A player.
    Player(Seat),
}

/// An action that is not possible now, and why.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Refusal {
    /// The action's words: `play charm`.
    pub action: String,
    /// Why not.
    pub reason: String,
    /// The line that says so.
    #[serde(skip)]
    pub span: Span,
}

/// How a game ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Outcome {
    /// Seats that won; empty for a draw.
    pub winners: Vec<Seat>,
    /// Score of each seat, where the game defines one.
    pub scores: Option<Vec<i64>>,
}

impl Outcome {
    /// Whether nobody won.
    pub fn is_draw(&self) -> bool {
        self.winners.is_empty()
    }
}

/// What one seat, or a spectator, sees.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct View {
    /// Whose view it is; none for a spectator who sees what all seats see.
    pub seat: Option<Seat>,
    /// The seat on turn, if turns have begun.
    pub mover: Option<Seat>,
    /// Number of complete turns so far.
    pub turns: u32,
    /// Round, from 1; 0 before the first turn.
    pub round: u32,
    /// Properties of the game, name and value in words.
    pub game: Vec<(String, String)>,
    /// One for each seat.
    pub players: Vec<PlayerView>,
    /// Zones that are not any player's.
    pub zones: Vec<ZoneView>,
    /// Boards.
    pub boards: Vec<BoardView>,
    /// Who decides.
    pub deciding: Option<Seat>,
    /// The decision, only if it is this seat's.
    pub decision: Option<Decision>,
    /// The outcome, once the game is over.
    pub outcome: Option<Outcome>,
}

/// A player as seen.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlayerView {
    /// The seat's name.
    pub name: String,
    /// Whether still in the game.
    pub playing: bool,
    /// Public properties: counters, marks and stats, name and value in words.
    pub props: Vec<(String, String)>,
    /// The player's zones.
    pub zones: Vec<ZoneView>,
}

/// A zone as seen.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ZoneView {
    /// Its name.
    pub name: String,
    /// Whether it lies in an order, as a pile or queue: screens show its count and its top.
    pub pile: bool,
    /// Whether only its holder sees what is in it: a hand.
    pub private: bool,
    /// How many entities are in it.
    pub count: usize,
    /// The entities this viewer sees, piles from the top. Unseen ones are only counted.
    pub cards: Vec<CardView>,
}

/// A card or piece as seen.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CardView {
    /// Identifies it among what this viewer sees now.
    pub handle: u32,
    /// Its definition's name, or its kind's where it has none.
    pub name: String,
    /// Its kind.
    pub kind: String,
    /// Printed fields, name and value in words.
    pub fields: Vec<(String, String)>,
    /// Counters, marks and stats that differ from their start, name and value in words.
    pub props: Vec<(String, String)>,
    /// Handle of what it is linked to.
    pub host: Option<u32>,
    /// Markers: `armed`, `void`.
    pub markers: Vec<String>,
    /// Seat it belongs to, for pieces.
    pub owner: Option<Seat>,
}

/// A board as seen.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BoardView {
    /// Its name.
    pub name: String,
    /// Number of columns and rows of its picture.
    pub size: (u16, u16),
    /// One for each site, in site order.
    pub sites: Vec<SiteView>,
}

/// A site as seen.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SiteView {
    /// How it is written.
    pub name: String,
    /// Column and row, from 0; row 0 is the south-most.
    pub at: (u16, u16),
    /// What lies on it, the top first.
    pub pieces: Vec<CardView>,
}

/// One recorded change.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Change {
    /// What happened, as each seat may read it and, last, as a spectator may. Empty where it is not to be told.
    pub text: Vec<String>,
    /// What happened, with nothing hidden; for `replay` and `--why`.
    pub full: String,
    /// How deep in the chain of causes it stands; 0 is a player's own act.
    pub depth: u16,
    /// Why, from the nearest cause to the farthest.
    pub causes: Vec<CauseLink>,
}

/// A link in a chain of causes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CauseLink {
    /// `verb destroy`, `effect activate of Lantern`, `action play card`, `rule protection`.
    pub what: String,
    /// The content line.
    #[serde(skip)]
    pub span: Span,
}

/// Why a game cannot go on: a mistake in content that only play could show, or a limit.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct GameError {
    /// Stable code, listed in the error index.
    pub code: &'static str,
    /// What is wrong.
    pub message: String,
    /// The content line it happened at.
    pub span: Span,
    /// The chain of causes.
    pub causes: Vec<CauseLink>,
}
