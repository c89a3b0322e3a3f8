//! The resolved, typed rules of one game: what the checker makes of the tree, and what the compiler and the
//! reference evaluator read. Every name is an index, every expression has a type, and nothing here can be
//! wrong for a reason an author could mend: those reasons were reported on the way.
//!
//! INVARIANT: all indices are valid for the tables of the same [`Rules`].

mod code;
mod labels;
mod parts;
mod scripts;
mod seen;
mod values;
pub mod walk;

use super::geometry::Geometry;
use crate::base::{Colour, Shape, Span, plural, spoken};
pub use crate::syntax::ast::{ArmSpan as AstArmSpan, Edge, Place, Prep, Showing, Stage};
pub use code::*;
pub use scripts::*;
pub use seen::*;
use std::collections::{BTreeMap, BTreeSet};
pub use values::*;

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident),* $(,)?) => { $(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(pub u32);
        impl $name {
            /// The position in its table.
            pub fn index(self) -> usize { self.0 as usize }
        }
    )* };
}

ids! {
    /// An enum. Index into [`Rules::enums`].
    EnumId,
    /// A kind. Index into [`Rules::kinds`].
    KindId,
    /// A property of a kind, of players or of the game. Index into [`Rules::props`].
    PropId,
    /// A zone declaration. Index into [`Rules::zones`].
    ZoneId,
    /// A link. Index into [`Rules::links`].
    LinkId,
    /// A procedure: a body of statements or an expression. Index into [`Rules::procs`].
    ProcId,
    /// A verb. Index into [`Rules::verbs`].
    VerbId,
    /// An action. Index into [`Rules::actions`].
    ActionId,
    /// A window. Index into [`Rules::windows`].
    WindowId,
    /// A definition of a card or piece. Index into [`Rules::entries`].
    EntryId,
    /// A clause. Index into [`Rules::clauses`].
    ClauseId,
    /// An option of the game. Index into [`Rules::options`].
    OptionId,
    /// A script function. Index into [`Rules::scripts`].
    ScriptId,
    /// A named span of play: a `turns` or a `phase`. Index into [`Rules::spans`].
    SpanId,
    /// A local of one procedure. Index into [`Proc::locals`].
    LocalId,
    /// A rule (a named group of clauses). Index into [`Rules::groups`].
    GroupId,
}

/// A board. Index into [`Rules::boards`], and whether it is endless, so that a type tells how its sets lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BoardId(pub u32);

impl BoardId {
    const ENDLESS: u32 = 1 << 31;

    /// The board of an index.
    pub fn new(index: usize, endless: bool) -> BoardId {
        BoardId(index as u32 | if endless { BoardId::ENDLESS } else { 0 })
    }

    /// The position in its table.
    pub fn index(self) -> usize {
        (self.0 & !BoardId::ENDLESS) as usize
    }

    /// Whether it has no end, so that its sites are words of their own and sets of them sorted lists.
    pub fn endless(self) -> bool {
        self.0 & BoardId::ENDLESS != 0
    }
}

/// The built-in kind that all kinds of card descend from.
pub const CARD: KindId = KindId(0);
/// The built-in kind that all kinds of piece descend from.
pub const PIECE: KindId = KindId(1);
/// The built-in kind that all kinds of thing descend from.
pub const THING: KindId = KindId(2);

/// A whole game, checked.
#[derive(Clone, Debug, Default)]
pub struct Rules {
    /// The package's name, as players type it.
    pub name: String,
    pub title: String,
    /// All texts that are values of the type `text`.
    pub texts: Texts,
    /// Fewest and most players.
    pub players: (u8, u8),
    /// Which numbers of players there may be; none: all between these.
    pub counts: Vec<u8>,
    /// Names of the seats in seat order; at least as many as the most players.
    pub seats: Vec<String>,
    /// Procedures that are short with all that they call, by procedure.
    pub short: Vec<bool>,
    /// Whether triggers of one player act in the order their cards came into play, without asking the player.
    pub fixed_triggers: bool,
    /// Room for things that are created while the game is played, where the manifest says so.
    pub created: Option<u32>,
    /// Units of work from one decision to the next, likewise.
    pub work: Option<u64>,
    /// What players read in the place of the name of a kind, property, zone, board, verb, action or enum.
    pub labels: BTreeMap<String, String>,
    pub enums: Vec<Enum>,
    pub options: Vec<GameOption>,
    /// The first three are the built-in kinds `card`, `piece` and `thing` ([`CARD`], [`PIECE`], [`THING`]), which have
    /// the built-in properties; every kind descends from one of them.
    pub kinds: Vec<Kind>,
    pub props: Vec<Prop>,
    pub player_props: Vec<PropId>,
    pub game_props: Vec<PropId>,
    pub zones: Vec<Zone>,
    pub boards: Vec<Board>,
    pub links: Vec<Link>,
    pub procs: Vec<Proc>,
    pub verbs: Vec<Verb>,
    pub actions: Vec<Action>,
    pub windows: Vec<Window>,
    pub clauses: Vec<Clause>,
    pub groups: Vec<Group>,
    pub entries: Vec<Entry>,
    pub scripts: Vec<Script>,
    pub spans: Vec<SpanName>,
    pub looks: Vec<Look>,
    pub setup: Option<ProcId>,
    pub flow: Option<ProcId>,
    /// All definitions.
    pub defines: Vec<ProcId>,
    /// `define score(p: player)`, if the game has one.
    pub score: Option<ProcId>,
    /// The mark of pieces that says how many directions clockwise they are turned.
    pub turn: Option<PropId>,
    /// Questions of which all may read that they were asked, and the answer.
    pub openly: BTreeSet<Span>,
}

impl Rules {
    /// The numbers of players that the game is for.
    pub fn player_counts(&self) -> Vec<u8> {
        match self.counts.as_slice() {
            [] => (self.players.0..=self.players.1).collect(),
            counts => counts.to_vec(),
        }
    }

    /// The numbers of players in words: `2 to 4 players`, `2, 3 or 6 players`, `1 player`.
    pub fn counts_in_words(&self) -> String {
        let counts: Vec<String> = self.counts.iter().map(u8::to_string).collect();
        match (counts.as_slice(), self.players) {
            ([firsts @ .., last], _) if !firsts.is_empty() => format!("{} or {last} players", firsts.join(", ")),
            (_, (fewest, most)) if fewest == most => plural(usize::from(fewest), "player"),
            (_, (fewest, most)) => format!("{fewest} to {most} players"),
        }
    }
}

/// An enum: its values are numbered from 0 in the order of the text. At most 64 values.
#[derive(Clone, Debug)]
pub struct Enum {
    pub name: String,
    pub values: Vec<EnumValue>,
    pub span: Span,
}

/// One value of an enum.
#[derive(Clone, Debug)]
pub struct EnumValue {
    pub name: String,
    /// How notations write it; the name where the author gave none.
    pub label: String,
    /// The colour that a `look` gives it.
    pub colour: Option<Colour>,
    /// How thick an edge of this value is drawn: 0 not at all.
    pub thickness: u8,
    pub span: Span,
}

/// An option of the game, fixed before setup.
#[derive(Clone, Debug)]
pub struct GameOption {
    pub name: String,
    pub ty: Ty,
    pub range: Option<(i64, i64)>,
    pub default: i64,
    /// What it is set to in this compilation.
    pub value: i64,
    pub span: Span,
}

/// The type of a value.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Ty {
    /// A checked 64-bit integer.
    Number,
    Flag,
    /// Only as a literal.
    Text,
    Enum(EnumId),
    Player,
    /// An entity of a kind or of one of its subkinds.
    Entity(KindId),
    Site(BoardId),
    Direction(BoardId),
    /// Why an event happens: values `ability`, `rule`, `cost` in this order.
    Cause,
    Set(Box<Ty>),
    List(Box<Ty>),
    /// A value or `nothing`.
    Maybe(Box<Ty>),
    /// One value for each direction, clockwise from the first: a printed field of pieces.
    PerDirection(Box<Ty>),
    /// One value for each key, in the order of the keys: a list behind the checker.
    Table(Key, Box<Ty>),
    /// A yes-or-no question or a number worked out from arguments of these types, as a value.
    Lambda(Vec<Ty>, Box<Ty>),
    /// A block of statements that takes arguments of these types.
    Effect(Vec<Ty>),
    /// What was split among several: whose a part is, and what lies in it. Only a local is one.
    Split(Box<Ty>, Box<Ty>),
    /// The type of `nothing` and of `[]` before context settles it.
    Nothing,
    /// Stands for any type where an error was already reported.
    Error,
}

/// What a table has a value for each of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Key {
    Enum(EnumId),
    /// The numbers from the first to the second.
    Range(i32, i32),
}

/// A kind of entity.
#[derive(Clone, Debug)]
pub struct Kind {
    pub name: String,
    pub parent: Option<KindId>,
    pub root: RootKind,
    /// All properties, inherited ones first.
    pub props: Vec<PropId>,
    /// Clauses every entity of the kind has, inherited ones included.
    pub clauses: Vec<ClauseId>,
    /// When the clauses of its entities are live, besides being in play. `this` is the entity.
    pub stands_when: Option<ProcId>,
    /// How one without a definition is written; by its kind and its fields where this is empty.
    pub notation: Vec<NamePart>,
    /// What of its pieces is seen on a board, where not everything is.
    pub back: Option<Back>,
    pub span: Span,
}

/// A part of how an entity is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NamePart {
    Text(String),
    /// What it has printed or keeps, as it is now.
    Prop(PropId),
    /// One of two, by whether what it has printed or keeps is a value.
    Either {
        prop: PropId,
        is: i64,
        then: Box<NamePart>,
        other: Box<NamePart>,
    },
}

impl NamePart {
    /// The properties that it tells of.
    pub fn props(&self) -> Vec<PropId> {
        match self {
            NamePart::Text(_) => Vec::new(),
            NamePart::Prop(prop) => vec![*prop],
            NamePart::Either { prop, then, other, .. } => [vec![*prop], then.props(), other.props()].concat(),
        }
    }
}

/// What an entity of a kind can do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RootKind {
    /// Lies in zones.
    Card,
    /// Lies on boards and in zones.
    Piece,
    /// Has no place.
    Thing,
}

/// A property of a kind, of players or of the game.
#[derive(Clone, Debug)]
pub struct Prop {
    pub name: String,
    pub owner: PropOwner,
    pub ty: Ty,
    /// Bounds of a number type written as a range; what is stored is clamped to them.
    pub range: Option<(i64, i64)>,
    /// Whether the rules mean it to be clamped, so that nobody is told.
    pub clamped: bool,
    /// Whether all may read it, of cards that they do not see, too: what lies on a card's back.
    pub open: bool,
    /// Whether it is none of the arrangement of a board that `repeats` compares.
    pub aside: bool,
    /// Who may know what is in it: all, only its player, or nobody for sure; and whether hidden cards decide which card it points at.
    pub keeps: Sight,
    pub derived: bool,
    pub class: PropClass,
    /// The table that it is a value of.
    pub table: Option<PropId>,
    pub span: Span,
}

/// Whose property it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PropOwner {
    Kind(KindId),
    Player,
    Game,
}

/// How a property gets its value.
#[derive(Clone, Debug)]
pub enum PropClass {
    /// Printed on the definition. `default` is a constant.
    Field { default: Option<FieldValue> },
    /// Stored; starts at the value of this constant expression (0, false or nothing where absent).
    Counter { default: Option<Expr> },
    /// Stored; any storable type.
    Mark { default: Option<Expr> },
    /// Derived: an expression procedure with `this` as the subject.
    Stat { formula: ProcId },
    /// The other end of a link: `maybe of` the target.
    LinkOne(LinkId),
    /// The near end of a link: the set of entities linked to it.
    LinkMany(LinkId),
    /// Built in: see [`BuiltinProp`].
    Builtin(BuiltinProp),
    /// A table: the properties that store it, in the order of its keys.
    Table(Vec<PropId>),
}

/// Properties every entity or player has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BuiltinProp {
    /// Entity: the player in whose per-player zone it is, or who owns it on a board; maybe.
    Holder,
    /// Piece: the player it belongs to; stored, settable; maybe.
    Owner,
    /// Card or piece: the name of its definition; an empty text if it has none.
    Name,
    /// Player: 1-based seat number.
    Seat,
    /// Entity: when it entered its place; later is greater.
    Entered,
    /// Player: is still in the game.
    Playing,
}

/// A zone declaration.
#[derive(Clone, Debug)]
pub struct Zone {
    pub name: String,
    pub per_player: bool,
    pub holds: Vec<KindId>,
    pub order: ZoneOrder,
    pub seen: Seen,
    /// Whether cards in it are in play: a kind's name means those, and their clauses stand.
    pub in_play: bool,
    /// How many entities of each of these kinds fit.
    pub limits: Vec<(KindId, i64)>,
    /// Where its cards come from when it is empty and one is to be taken.
    pub refill: Option<ZoneId>,
    /// Whether they come only when one is to be taken and none is there, and not as the last one leaves.
    pub refills_late: bool,
    /// Which definitions begin the game here.
    pub starts: Vec<KindId>,
    /// Whether seats go on knowing what they saw enter it.
    pub memory: bool,
    pub span: Span,
}

/// The order of a zone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ZoneOrder {
    /// A set.
    None,
    /// First is the top; cards enter and leave at the top.
    Pile,
    /// First is the oldest; cards enter at the end.
    Queue,
}

/// A board.
#[derive(Clone, Debug)]
pub struct Board {
    pub name: String,
    pub per: Per,
    pub shape: BoardShape,
    pub places: Places,
    /// For squares 4 or 8: whether neighbours, lines and distances go by sides only.
    pub neighbours: u8,
    /// Its sites and what lies next to what.
    pub geometry: Geometry,
    pub span: Span,
}

/// Of what there is one board for each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Per {
    /// One board for all.
    #[default]
    Game,
    Player,
    /// Things of a kind.
    Kind(KindId),
}

impl Rules {
    /// Whether a definition is short enough to be put in the place of its calls, and to be looked into.
    pub fn opens(&self, proc: ProcId) -> bool {
        self.short.get(proc.index()).is_some_and(|short| *short)
    }

    /// Whether there are zones or pieces that not everybody sees.
    pub fn hides(&self) -> bool {
        self.zones.iter().any(|zone| zone.seen != Seen::All) || self.kinds.iter().any(|kind| kind.back.is_some())
    }

    /// A kind and those above it, from below.
    pub fn kinds_from(&self, kind: KindId) -> impl Iterator<Item = KindId> {
        let parent = |kind: &KindId| self.kinds.get(kind.index()).and_then(|kind| kind.parent);
        std::iter::successors(Some(kind), parent).take(self.kinds.len())
    }

    /// Whether a kind is another one or below it.
    pub fn is_below(&self, kind: KindId, of: KindId) -> bool {
        self.kinds_from(kind).any(|kind| kind == of)
    }

    /// Which properties the look of a kind lists, or of the nearest kind above; none if no look says so.
    pub fn shown_of_kind(&self, kind: KindId) -> Option<&[PropId]> {
        let shown = |kind| {
            let look = self.looks.iter().find(|look| look.target == LookTarget::Kind(kind));
            look.and_then(Look::shown)
        };
        self.kinds_from(kind).find_map(shown)
    }

    /// The last column and row of a board with an end; none where another option may widen it.
    pub fn last_of(&self, board: BoardId) -> Option<(i64, i64)> {
        let board = self.boards.get(board.index()).filter(|board| !board.endless() && self.options.is_empty())?;
        Some(board.geometry.last())
    }

    /// The id of a board by its index.
    pub fn board_id(&self, index: usize) -> BoardId {
        BoardId::new(index, self.boards.get(index).is_some_and(Board::endless))
    }
}

impl Board {
    /// Whether it grows with what lies on it.
    pub fn endless(&self) -> bool {
        matches!(self.shape, BoardShape::Endless { .. })
    }

    /// How many directions count as such on this board: as many sides has a tile that lies on it.
    pub fn ways(&self) -> usize {
        self.geometry.used.count_ones() as usize
    }
}

/// Which sites a board has, and how they are written.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Places {
    pub cells: String,
    pub edges: Option<String>,
    pub corners: Option<String>,
    pub rim: Option<String>,
}

/// The shape of a board, with its sizes already worked out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BoardShape {
    /// Columns and rows; orthogonal and diagonal directions.
    Square { columns: u16, rows: u16 },
    /// Squares or hexes without end; only what lies there makes sites of them.
    Endless { hexes: bool },
    /// Rhombus of hexes.
    HexRhombus { columns: u16, rows: u16 },
    /// Hexagon of hexes with this many to a side.
    Hexagon { side: u16 },
    /// Named sites.
    Graph(GraphShape),
}

/// Sites and paths between them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GraphShape {
    pub sites: Vec<String>,
    /// The columns and rows of those for which they are written.
    pub places: Vec<(usize, (u16, u16))>,
    /// In pairs of opposites.
    pub directions: Vec<String>,
    pub paths: Vec<GraphPath>,
}

/// A path from a site to another, which leads back in the opposite direction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GraphPath {
    pub from: usize,
    /// Without one the two are neighbours and no more.
    pub way: Option<usize>,
    pub to: usize,
}

/// A many-to-one link between entities.
#[derive(Clone, Debug)]
pub struct Link {
    pub from_kind: KindId,
    /// The one end (`host`).
    pub one: PropId,
    pub to_kind: KindId,
    /// The many end (`charms`).
    pub many: PropId,
    /// Run at the next check for an entity that is no longer carried. Its first parameter is the entity.
    pub orphan: Option<ProcId>,
    pub span: Span,
}

/// A verb: an event with hooks.
#[derive(Clone, Debug)]
pub struct Verb {
    pub name: String,
    pub params: Vec<VerbParam>,
    /// The body: statements; its parameters are those of the verb.
    pub body: ProcId,
    pub span: Span,
}

/// A parameter of a verb.
#[derive(Clone, Debug)]
pub struct VerbParam {
    pub prep: Option<Prep>,
    pub name: String,
    pub ty: Ty,
    /// An expression procedure over the parameters before it (all verb parameters are its parameters).
    pub default: Option<ProcId>,
}

/// An action: a compound move of one player.
#[derive(Clone, Debug)]
pub struct Action {
    pub name: String,
    pub body: ProcId,
    /// How the whole move is written, if the author said so.
    pub notation: Option<Template>,
    pub span: Span,
}

/// A window: one seat after the other may respond, until all have passed.
#[derive(Clone, Debug)]
pub struct Window {
    pub name: String,
    /// Its only statement is a [`StmtKind::Respond`]; its parameters are those of the window.
    pub body: ProcId,
    pub span: Span,
}

/// A named group of clauses that always stand.
#[derive(Clone, Debug)]
pub struct Group {
    pub name: String,
    pub absolute: bool,
    /// A flag expression procedure.
    pub when: Option<ProcId>,
    pub clauses: Vec<ClauseId>,
    pub span: Span,
}

/// Where a clause stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClauseHome {
    /// On a rule: always, while the rule's `when` holds.
    Rule(GroupId),
    /// On a definition: while the card is in play and stands.
    Entry(EntryId),
    /// On a kind: likewise, for all its entities.
    Kind(KindId),
    /// In a body: once armed.
    Armed,
}

/// A clause.
#[derive(Clone, Debug)]
pub struct Clause {
    pub home: ClauseHome,
    pub kind: ClauseKind,
    /// For armed clauses: (local of the arming body, local of the clause's procedures) pairs, copied when it is
    /// armed. All procedures of one clause share the numbering of these captured locals.
    pub captures: Vec<(LocalId, LocalId)>,
    /// Who may know what an armed clause has captured: all, only the player who armed it, or nobody for sure.
    pub keeps: Sight,
    /// Whether what it modifies is in the formula of the stat: see `core/modifiers.rs`.
    pub folded: bool,
    pub span: Span,
}

/// What a clause says. All procedures of a hook take the verb's parameters as their parameters, in the verb's
/// order, whether or not the pattern names them, followed by the captured locals.
#[derive(Clone, Debug)]
pub enum ClauseKind {
    Hook {
        next: bool,
        announced: bool,
        may: bool,
        stage: Stage,
        even_gone: bool,
        event: HookEvent,
        /// A flag expression procedure.
        cond: Option<ProcId>,
        /// A statement procedure; absent for `cannot`.
        body: Option<ProcId>,
    },
    Becomes {
        next: bool,
        announced: bool,
        cond: ProcId,
        body: ProcId,
    },
    Modify {
        stat: PropId,
        /// Which entities or players it modifies: an expression procedure that gives one or a set.
        of: ProcId,
        /// `to` rather than `by`.
        to: bool,
        value: ProcId,
        when: Option<ProcId>,
    },
    Check {
        cond: ProcId,
        body: ProcId,
    },
}

/// What a hook waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum HookEvent {
    Verb(VerbId),
    /// A turn or phase; the hook's procedures take the player whose it is as their parameter.
    Span(Edge, SpanId),
}

/// A definition of a card or piece.
#[derive(Clone, Debug)]
pub struct Entry {
    pub name: String,
    pub kind: KindId,
    /// One value per field of the kind, in the order of [`Kind::props`] restricted to fields; `None` where an
    /// optional effect is absent.
    pub fields: Vec<(PropId, Option<FieldValue>)>,
    pub clauses: Vec<ClauseId>,
    pub supersedes: Vec<GroupId>,
    /// How many copies exist.
    pub copies: u16,
    /// Where each field's value was written.
    pub field_spans: Vec<(PropId, Span)>,
    pub span: Span,
}

/// A `turns` or `phase`.
#[derive(Clone, Debug)]
pub struct SpanName {
    pub name: String,
    pub turns: bool,
    /// Whether no other `turns` encloses it: these are the turns `perft` counts.
    pub outermost: bool,
    pub span: Span,
}

/// How things are drawn. Of the cases of a setting the first that holds counts.
#[derive(Clone, Debug)]
pub struct Look {
    pub target: LookTarget,
    pub shape: Vec<Case<Shape>>,
    pub colour: Vec<Case<Tint>>,
    /// In hundredths of the usual size: a number procedure.
    pub size: Vec<Case<ProcId>>,
    /// The sign in the middle of a piece, and its sign in a terminal.
    pub glyph: Vec<Case<Wording>>,
    pub label: Vec<Case<Wording>>,
    pub title: Vec<Case<Wording>>,
    pub text: Vec<Case<Wording>>,
    /// The path of the picture that is printed.
    pub art: Vec<Case<Wording>>,
    /// Small shapes drawn on a thing; all that hold are.
    pub mark: Vec<Case<Shape>>,
    /// The sides of a tile: a procedure that gives an enum's values per direction.
    pub sides: Vec<Case<ProcId>>,
    /// What is told of the game or a player in a glance; all that hold are.
    pub line: Vec<Case<Wording>>,
    /// Which properties are listed, if the look says so.
    pub show: Option<Vec<PropId>>,
    pub span: Span,
}

impl Look {
    /// A look that says nothing yet.
    pub fn new(target: LookTarget, span: Span) -> Look {
        Look {
            target,
            shape: Vec::new(),
            colour: Vec::new(),
            size: Vec::new(),
            glyph: Vec::new(),
            label: Vec::new(),
            title: Vec::new(),
            text: Vec::new(),
            art: Vec::new(),
            mark: Vec::new(),
            sides: Vec::new(),
            line: Vec::new(),
            show: None,
            span,
        }
    }
}

/// What a look is for. Its procedures take what is drawn as `this`; those of a board take the site as their parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LookTarget {
    Kind(KindId),
    Zone(ZoneId),
    Board(BoardId),
    Player,
    Game,
}

impl Look {
    /// Which properties it lists, if it says so: with a `line` only those that `show` names.
    pub fn shown(&self) -> Option<&[PropId]> {
        let none = (!self.line.is_empty()).then_some(&[][..]);
        self.show.as_deref().or(none)
    }
}

/// A value of a look's setting, and the flag procedure that says when it counts.
#[derive(Clone, Debug)]
pub struct Case<T> {
    pub value: T,
    pub when: Option<ProcId>,
    /// Of a board's sites: a procedure that gives all those for which it counts.
    pub sites: Option<ProcId>,
    /// Where the value is written.
    pub span: Span,
}

/// A colour in a look.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Tint {
    Fixed(Colour),
    /// That of the player or enum value that a procedure gives.
    Of(ProcId),
}

/// A text in a look.
pub type Wording = Vec<WordingPart>;

/// A part of a text in a look.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WordingPart {
    Text(String),
    /// The value of a procedure.
    Value(ProcId),
    /// A text field of what is drawn.
    Field(PropId),
}
