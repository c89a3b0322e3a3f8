//! What the engine tells its callers: decisions, options, views, outcomes, changes and errors. All of it is plain
//! data that can be serialised.

use super::reference::Breakdown;
use crate::base::{Colour, Shape, Span, crossing, line_weight};
pub use crate::model::geometry::PlaceKind as SiteKind;
use crate::model::rules::{ProcId, PropId, ZoneId};
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

/// What a scenario writes down of the position in which it starts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Opening {
    /// Statements in the place of setup.
    pub given: Option<ProcId>,
    /// A player expression: who has the first turn.
    pub mover: Option<ProcId>,
    /// Whether shuffles leave the order of piles as it is.
    pub keep_order: bool,
    /// The first outcomes of chance, by key.
    pub chance: Vec<String>,
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
#[non_exhaustive]
pub enum DecisionKind {
    /// One of several actions, each with its first choice.
    Action,
    /// One of the actions of a window, or to pass.
    Response,
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
    /// To whom the next of several things goes.
    Split,
    /// Yes or no.
    YesNo,
    /// What is said to an offer; its maker may withdraw it.
    Offer,
    /// Announce an effect or stay silent.
    Announce,
    /// An outcome of chance.
    Chance,
}

/// A decision as its seat sees it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Decision {
    /// Who decides; none for chance.
    pub seat: Option<Seat>,
    /// What is asked for.
    pub kind: DecisionKind,
    /// The question in words.
    pub prompt: String,
    /// The card it comes from, if any.
    pub source: Option<String>,
    /// What is offered, if this is about an offer: the name of each term, and what was chosen for it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub terms: Vec<(String, String)>,
    /// Who made the offer, if this is about one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<Seat>,
    /// What may be chosen, never empty. Options of others come last.
    pub options: Vec<OptionInfo>,
    /// Where in the content it is asked.
    #[serde(skip)]
    #[doc(hidden)]
    pub span: Span,
}

impl Decision {
    /// The question with all that is offered, on one line.
    pub fn question(&self) -> String {
        super::offers::on_one_line(&self.prompt, &self.terms)
    }

    /// The question and the keys of the first options, for reports.
    #[doc(hidden)]
    pub fn in_short(&self) -> String {
        let keys: Vec<&str> = self.options.iter().map(|option| option.key.as_str()).take(12).collect();
        format!("`{}` with {}", self.question(), keys.join(", "))
    }

    /// Whether its options can be called by their numbers in the list, which they cannot where some are numbers
    /// themselves.
    pub fn numbered(&self) -> bool {
        !self.options.iter().any(|option| {
            let digits = option.key.strip_prefix('-').unwrap_or(&option.key);
            !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
        })
    }

    /// The decision with the options of one seat only; none if it has none.
    pub fn of(mut self, seat: Option<Seat>) -> Option<Decision> {
        let decides = self.seat;
        self.options.retain(|option| option.seat.or(decides) == seat);
        (!self.options.is_empty()).then_some(self)
    }
}

/// What somebody is asked, where the key of an option does not say it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Question {
    /// The question, as who decides reads it.
    pub text: String,
    /// The card it comes from, if any.
    pub source: Option<String>,
    /// Whether the answer is to use an effect or not to.
    pub use_it: bool,
}

impl Question {
    /// The question with the card it comes from, on one line: `Lantern: use it?`.
    pub fn words(&self) -> String {
        match &self.source {
            Some(source) if !self.text.contains(source.as_str()) => format!("{source}: {}", self.text),
            _ => self.text.clone(),
        }
    }
}

/// One legal option.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct OptionInfo {
    /// Stable, readable, distinct within the decision: `play tool Lantern`.
    pub key: String,
    /// For people; may say more than the key.
    pub label: String,
    /// Whose it is, if not that of the seat that decides: the maker of an offer may withdraw it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seat: Option<Seat>,
    /// The site, entity or player it is about, for screens that can point at it.
    pub target: Target,
    /// Relative weight of a chance outcome; 1 otherwise.
    pub weight: u32,
}

impl OptionInfo {
    /// What it is called on a screen: its key, or in another language its label.
    pub fn shown(&self) -> &str {
        if self.label.starts_with(&self.key) { &self.key } else { &self.label }
    }
}

/// What an option points at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Target {
    /// Nothing on the table.
    None,
    /// An entity, by [`CardView::handle`].
    Entity(u32),
    /// A site, by the numbers of its board and itself: [`BoardView::number`], [`SiteView::id`].
    Site {
        /// The board.
        board: u32,
        /// The site.
        site: i64,
    },
    /// A player.
    Player(Seat),
}

/// An action that is not possible now, and why.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Refusal {
    /// The action's words, as keys have them: `play charm`.
    pub action: String,
    /// The same, as people read them.
    #[serde(skip)]
    pub label: String,
    /// Why not.
    pub reason: String,
    /// The line that says so.
    #[serde(skip)]
    pub span: Span,
    /// The text there that decides, with the values it reads.
    #[serde(skip)]
    pub decides: Option<Box<Breakdown>>,
}

/// How a game ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Outcome {
    /// Seats that won; empty for a draw, and where all have lost.
    pub winners: Vec<Seat>,
    /// Whether all have lost, together or by themselves.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub lost: bool,
    /// Score of each seat, where the game defines one.
    pub scores: Option<Vec<i64>>,
}

impl Outcome {
    /// Whether nobody has won or lost.
    pub fn is_draw(&self) -> bool {
        self.winners.is_empty() && !self.lost
    }
}

/// What one seat, or a spectator, sees.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct View {
    /// Whose view it is; none for a spectator who sees what all seats see.
    pub seat: Option<Seat>,
    /// The seat on turn, if turns have begun.
    pub mover: Option<Seat>,
    /// Number of complete turns so far.
    pub turns: u32,
    /// Round, from 1; 0 before the first turn.
    pub round: u32,
    /// What is to be seen in a glance, as the look of the game says.
    pub lines: Vec<String>,
    /// Properties of the game, name and value in words: those that its look lists, or those that say something.
    pub game: Vec<(String, String)>,
    /// How far a window is, if one asks for responses now.
    pub window: Option<WindowView>,
    /// One for each seat.
    pub players: Vec<PlayerView>,
    /// Zones that are not any player's.
    pub zones: Vec<ZoneView>,
    /// Boards.
    pub boards: Vec<BoardView>,
    /// Who decides.
    pub deciding: Option<Seat>,
    /// The decision with what this seat may choose, if it may choose anything.
    pub decision: Option<Decision>,
    /// The outcome, once the game is over.
    pub outcome: Option<Outcome>,
}

impl View {
    /// All cards and pieces that are seen, wherever they lie.
    pub fn cards(&self) -> impl Iterator<Item = &CardView> {
        let zones = self.players.iter().flat_map(|player| &player.zones).chain(&self.zones);
        let pieces = self.boards.iter().flat_map(|board| &board.sites).flat_map(|site| &site.pieces);
        zones.flat_map(|zone| &zone.cards).chain(pieces)
    }

    /// Whether it leaves anything out, or shows its seat something that others do not see.
    pub fn hides(&self) -> bool {
        let mut zones = self.players.iter().flat_map(|player| &player.zones).chain(&self.zones);
        zones.any(|zone| zone.private || (!zone.pile && zone.cards.len() < zone.count))
    }
}

/// How something is drawn: what its `look` in the content says now. What is left open, screens choose.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Look {
    /// Its shape.
    pub shape: Option<Shape>,
    /// Its colour; of a piece without one, that of its owner.
    pub colour: Option<Colour>,
    /// Its size, in hundredths of the usual one.
    pub size: Option<u16>,
    /// A sign for it.
    pub glyph: Option<String>,
    /// Words that stand beside or on it.
    pub label: Option<String>,
    /// What it is headed by, in the place of its name.
    pub title: Option<String>,
    /// Words to be read, in the place of its text fields.
    pub text: Option<String>,
    /// The path of the picture that is printed on it.
    pub art: Option<String>,
    /// Small shapes that are drawn on it.
    pub marks: Vec<Shape>,
    /// The sides of a tile, clockwise as it lies.
    pub sides: Vec<Side>,
}

impl Look {
    /// The sides of a square tile as lines that meet; none if it has not four.
    pub fn lines(&self) -> Option<[u8; 4]> {
        match self.sides.as_slice() {
            [north, east, south, west] => Some([north, east, south, west].map(|side| line_weight(side.thickness))),
            _ => None,
        }
    }

    /// A square tile in a letter, with a star where it has marks; none if it has not four sides.
    pub fn letter(&self) -> Option<String> {
        let marked = if self.marks.is_empty() { "" } else { MARKED };
        self.lines().map(|lines| format!("{}{marked}", crossing(lines)))
    }
}

/// What stands for the marks of something in plain text, whatever their shapes.
pub const MARKED: &str = "*";

/// A side of a tile.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Side {
    /// The name of its value.
    pub name: String,
    /// Its colour.
    pub colour: Colour,
    /// How thick it is drawn: 0 not at all.
    pub thickness: u8,
}

/// A player as seen.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct PlayerView {
    /// The seat's name.
    pub name: String,
    /// The seat's colour.
    pub colour: Colour,
    /// Whether still in the game.
    pub playing: bool,
    /// What is to be seen of the player in a glance, as the look of players says.
    pub lines: Vec<String>,
    /// Public properties, name and value in words: those that the look of players lists, or those that say something.
    pub props: Vec<(String, String)>,
    /// The player's zones.
    pub zones: Vec<ZoneView>,
}

/// A window as everybody sees it: who has passed, and who is still to be asked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct WindowView {
    /// Seats that have passed, in seat order.
    pub passed: Vec<Seat>,
    /// Seats that are asked next unless something changes, in this order, the one that decides first.
    pub asked: Vec<Seat>,
}

/// A zone as seen.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct ZoneView {
    /// Its name.
    pub name: String,
    /// Whether it lies in an order, as a pile or queue: screens show its count and its top.
    pub pile: bool,
    /// Whether it is a queue of which all is seen: screens show all its cards, the first that came first.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub queue: bool,
    /// Whether only its holder sees what is in it: a hand.
    pub private: bool,
    /// How many entities are in it.
    pub count: usize,
    /// The entities this viewer sees, piles from the top. Unseen ones are only counted.
    pub cards: Vec<CardView>,
    /// Of each of these cards its place in the order of the zone, from 0 at the top; none where this viewer does not
    /// see it.
    pub places: Vec<Option<usize>>,
    /// What all may read of the others, each that has something: `lock 2`.
    pub backs: Vec<String>,
    /// How it is drawn.
    pub look: Look,
}

impl ZoneView {
    /// The card on top, if this viewer knows which one that is.
    pub fn top(&self) -> Option<&CardView> {
        self.cards.iter().zip(&self.places).find(|(_, place)| **place == Some(0)).map(|(card, _)| card)
    }
}

/// A card or piece as seen.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct CardView {
    /// Identifies it among what this viewer sees now.
    pub handle: u32,
    /// Its definition's name, or its kind's where it has none.
    pub name: String,
    /// Its kind.
    pub kind: String,
    /// Whether it is a piece rather than a card.
    pub piece: bool,
    /// Whether its look lists what of it is shown.
    pub chosen: bool,
    /// Whether its name is that of a definition, which says nothing of its fields.
    pub defined: bool,
    /// Printed fields, name and value in words: those that its look lists, or all.
    pub fields: Vec<(String, String)>,
    /// Counters, marks and stats that differ from their start, name and value in words: those that its look lists, or
    /// all.
    pub props: Vec<(String, String)>,
    /// Handle of what it is linked to.
    pub host: Option<u32>,
    /// Markers: `armed`, `void`.
    pub markers: Vec<String>,
    /// Seat it belongs to, for pieces.
    pub owner: Option<Seat>,
    /// How it is drawn.
    pub look: Look,
}

impl CardView {
    /// Whether this one and another differ in nothing that is shown.
    pub fn is_like(&self, other: &CardView) -> bool {
        let other = CardView { handle: self.handle, ..other.clone() };
        *self == other
    }
}

/// A board as seen.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct BoardView {
    /// The number of its declaration.
    pub number: u32,
    /// Its name.
    pub name: String,
    /// What it is headed by, if the content says so.
    pub title: Option<String>,
    /// How its sites lie.
    pub grid: Grid,
    /// The sites of a graph that are joined, by their places in [`BoardView::sites`].
    pub paths: Vec<(usize, usize)>,
    /// One for each site, in site order.
    pub sites: Vec<SiteView>,
}

impl BoardView {
    /// The least and the greatest numbers of the places of its sites.
    pub fn bounds(&self) -> ((i32, i32), (i32, i32)) {
        let (mut low, mut high) = ((i32::MAX, i32::MAX), (i32::MIN, i32::MIN));
        for site in &self.sites {
            low = (low.0.min(site.at.0), low.1.min(site.at.1));
            high = (high.0.max(site.at.0), high.1.max(site.at.1));
        }
        if self.sites.is_empty() { ((0, 0), (0, 0)) } else { (low, high) }
    }
}

/// How the sites of a board lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Grid {
    /// Cells are squares; the second number of a place grows to the north.
    Square,
    /// Cells are hexagons with a corner to the north. Places are axial: the first number grows to the east, the second
    /// to the southeast.
    Hex,
    /// Sites are points, and paths join them; the second number of a place grows to the north.
    Graph,
}

/// From the middle of a cell to that of the next, in the numbers of [`SiteView::at`].
pub const CELL: i32 = 6;

/// A site as seen.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct SiteView {
    /// Identifies it among the sites of its board.
    pub id: i64,
    /// How it is written.
    pub name: String,
    /// What it is.
    pub kind: SiteKind,
    /// The place of its middle, see [`Grid`], in sixths of a cell.
    pub at: (i32, i32),
    /// How it is drawn.
    pub look: Look,
    /// What lies on it, the top first.
    pub pieces: Vec<CardView>,
}

/// One recorded change.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Change {
    /// What happened, as each seat may read it and, last, as a spectator may. Empty where it is not to be told.
    pub text: Vec<String>,
    /// What happened, with nothing hidden; for `replay` and `--why`.
    pub full: String,
    /// Whether it tells only that somebody has passed.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub pass: bool,
    /// Whether the content says it: a `note`.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub said: bool,
    /// Whether it is only how the rules keep count: about a property that no look names. Records leave it out.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub kept: bool,
    /// How deep in the chain of causes it stands; 0 is a player's own act.
    pub depth: u16,
    /// Why, from the nearest cause to the farthest.
    pub causes: Vec<CauseLink>,
    /// The counter or mark that it is about, if it is about one: of whom, and which.
    #[serde(skip)]
    pub stored: Option<(i64, PropId)>,
}

/// What came of a statement that moves a thing or does something to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Upshot {
    /// It was done.
    Done,
    /// Nothing: the thing was no longer what it was.
    Gone,
    /// Nothing: there was no room in the zone.
    Full(ZoneId),
    /// Nothing: there was no place to move to.
    NoPlace,
}

/// A value that did not fit into the range of the counter or mark that it was stored in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clamp {
    /// What it was stored in.
    pub prop: PropId,
    /// The value.
    pub wanted: i64,
    /// What it became.
    pub kept: i64,
    /// The content line.
    pub span: Span,
}

/// A link in a chain of causes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CauseLink {
    /// `verb destroy`, `effect activate of Lantern`, `action play card`, `rule protection`.
    pub what: String,
    /// Seats that know the card it is about, as a bit set; all where it is about none.
    #[serde(default = "everybody", skip_serializing_if = "is_everybody")]
    pub known: u64,
    /// The content line.
    #[serde(skip)]
    pub span: Span,
}

impl CauseLink {
    /// Whether a seat may read it: it is about no card, or one that the seat knows. Of `None`, whether anybody may.
    pub fn is_open_to(&self, seat: Option<Seat>) -> bool {
        seat.map_or(self.known == u64::MAX, |seat| (self.known >> seat) & 1 == 1)
    }
}

fn everybody() -> u64 {
    u64::MAX
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde asks for a reference")]
fn is_everybody(known: &u64) -> bool {
    *known == u64::MAX
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
