//! Procedures: typed expressions and statements over the tables of the rules.

use super::{
    ActionId, BoardId, ClauseId, EntryId, GroupId, KindId, LinkId, LocalId, OptionId, Place, ProcId, PropId, ScriptId,
    Showing, SpanId, Ty, VerbId, WindowId, ZoneId,
};
use crate::base::Span;
use crate::model::geometry::PlaceKind;

/// A procedure: parameters, locals, and an expression or statements.
#[derive(Clone, Debug)]
pub struct Proc {
    pub name: String,
    pub role: ProcRole,
    /// The first `params` locals are the parameters.
    pub params: u16,
    pub locals: Vec<Local>,
    pub body: ProcBody,
    pub span: Span,
}

/// A local: a parameter, `let`, choice, loop name or subject of a filter.
#[derive(Clone, Debug)]
pub struct Local {
    pub name: String,
    pub ty: Ty,
    pub span: Span,
}

/// What a procedure is for, which settles where checkpoints stand and what `me` and `this` mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ProcRole {
    /// Setup or flow: every statement outside loops' conditions is followed by a checkpoint.
    Flow,
    /// An effect of a card or the body of a clause: a checkpoint after each top-level statement.
    Effect,
    /// An action: likewise.
    Action,
    /// A verb, or the body of a clause that acts before it or in its place: no checkpoints inside.
    Verb,
    /// A pure expression.
    Pure,
    /// One that has the same value for the same arguments, always: it is worked out once.
    Memo,
}

/// The body of a procedure.
#[derive(Clone, Debug)]
pub enum ProcBody {
    Expr(Expr),
    Block(Vec<Stmt>),
}

/// A typed expression.
#[derive(Clone, Debug)]
pub struct Expr {
    pub kind: ExprKind,
    pub ty: Ty,
    pub span: Span,
}

/// The forms of an expression. Where a single value stands for a set, the checker has put a
/// [`ExprKind::ToSet`] there; comparisons and operators have operands of one type.
#[derive(Clone, Debug)]
pub enum ExprKind {
    /// Numbers, flags, enum values (their index), causes.
    Word(i64),
    Text(String),
    /// `nothing`, typed `maybe of T`.
    Nothing,
    /// The empty set or list of the expression's type.
    Empty,
    Local(LocalId),
    Me,
    This,
    Mover,
    /// Of the event at hand.
    Actor,
    Source,
    Cause,
    /// Whether an `instead` has acted on the event at hand.
    Changed,
    /// The number of the current round: 1 for the first; a round ends when the first player of the outermost
    /// `turns` would be on turn again.
    Round,
    /// Whether no piece on a board lies on another. The core asks it.
    Flat(BoardId),
    Option(OptionId),
    /// A property of an entity, player; on a set of them, the union of sets (`opponents.den` is written
    /// `union den of opponents`).
    Prop(Box<Expr>, PropId),
    GameProp(PropId),
    /// Entities of a kind in play.
    InPlay(KindId),
    /// All existing entities of a definition.
    EntitiesOf(EntryId),
    /// Contents of a zone; the player for a per-player zone. An entity set, or a list for an ordered zone whose
    /// order is asked for.
    Contents(ZoneId, Option<Box<Expr>>),
    /// All players still in the game.
    Players,
    /// `opponents`: all other players than `me`.
    Opponents,
    /// `seat(n)`
    Seat(Box<Expr>),
    /// A one-element set or list of the value; `nothing` gives the empty one. From list to set as well.
    ToSet(Box<Expr>),
    /// A list from a set, in its iteration order.
    ToList(Box<Expr>),
    List(Vec<Expr>),
    Not(Box<Expr>),
    Negate(Box<Expr>),
    Count(Box<Expr>),
    /// Operand types agree: numbers, or sets or lists of one type.
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    Compare(CompareOp, Box<Expr>, Box<Expr>),
    /// Operands are flags; the right one is evaluated only if needed.
    And(Box<Expr>, Box<Expr>),
    Or(Box<Expr>, Box<Expr>),
    /// Member of a set or list; false for `nothing`.
    In(Box<Expr>, Box<Expr>),
    /// The entity is of the kind or a subkind; false for `nothing`.
    Is(Box<Expr>, KindId),
    /// The player could do the action now. Evaluated on a scratch state.
    Can(Box<Expr>, ActionId, Vec<Expr>),
    /// No `cannot` would stop `verb` with these arguments, in the order of its parameters; `None` where the default
    /// applies. What is not known yet is missing.
    Targetable {
        verb: VerbId,
        args: Box<[Option<Expr>]>,
        /// Which of the arguments are what the call will get, as bits: nothing happens if one is missing that it needs.
        sure: u64,
        ignoring: Box<[GroupId]>,
    },
    /// A number range as a set.
    Range(Box<Expr>, Box<Expr>),
    /// `binder` takes each member of `over`.
    Where {
        over: Box<Expr>,
        binder: LocalId,
        cond: Box<Expr>,
    },
    Any {
        over: Box<Expr>,
        binder: LocalId,
        cond: Box<Expr>,
    },
    All {
        over: Box<Expr>,
        binder: LocalId,
        cond: Box<Expr>,
    },
    /// `sum`, `min` (0 for none), `max` (0 for none): a number.
    Fold {
        op: FoldOp,
        over: Box<Expr>,
        binder: LocalId,
        body: Box<Expr>,
    },
    /// The set (`gather`, `union`) or list (`values`) of the bodies.
    Collect {
        op: CollectOp,
        over: Box<Expr>,
        binder: LocalId,
        body: Box<Expr>,
    },
    Having {
        over: Box<Expr>,
        most: bool,
        binder: LocalId,
        body: Box<Expr>,
    },
    Sorted {
        over: Box<Expr>,
        down: bool,
        binder: LocalId,
        body: Box<Expr>,
    },
    /// `some S`: the set or list is not empty; for a maybe: it is not nothing.
    Some(Box<Expr>),
    If(Box<Expr>, Box<Expr>, Box<Expr>),
    /// A definition: an expression procedure that neither recurses nor suspends.
    Call(ProcId, Vec<Expr>),
    /// A stored question or amount, or the lazy field of an entity (`this` is then the entity).
    CallLambda(Box<Expr>, Vec<Expr>),
    /// A question or amount as a value: a procedure that uses no local of its surroundings.
    Lambda(ProcId),
    CallScript(ScriptId, Vec<Expr>),
    Builtin(Builtin, Vec<Expr>),
    /// Item `i` (0-based) of a list; nothing outside.
    Index(Box<Expr>, Box<Expr>),
    /// The value of a property per direction in a direction, as the piece lies; nothing in a direction that the board
    /// does not count.
    Side(Box<Expr>, PropId, Box<Expr>),
    /// The part of a split (a local) that somebody got, as a set.
    Part(Box<Expr>, Box<Expr>),
}

/// Arithmetic and set operators.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BinaryOp {
    Add,
    Sub,
    Mul,
    /// Rounds towards zero; division by zero is a game error.
    Div,
    Rem,
    /// Union of sets, concatenation of lists.
    Union,
    Difference,
    Both,
}

/// Comparisons. Only equality for other types than number and lists of numbers. Equality is total: `nothing` equals
/// `nothing` and no value (`= nothing` itself becomes `Not(Some(..))`). An order holds only between two values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CompareOp {
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
}

impl CompareOp {
    /// The comparison that says the same with its sides exchanged.
    pub fn turned(self) -> CompareOp {
        match self {
            CompareOp::Eq | CompareOp::Ne => self,
            CompareOp::Lt => CompareOp::Gt,
            CompareOp::Le => CompareOp::Ge,
            CompareOp::Gt => CompareOp::Lt,
            CompareOp::Ge => CompareOp::Le,
        }
    }

    /// The comparison that holds of two values where this one does not.
    pub fn negated(self) -> CompareOp {
        match self {
            CompareOp::Eq => CompareOp::Ne,
            CompareOp::Ne => CompareOp::Eq,
            CompareOp::Lt => CompareOp::Ge,
            CompareOp::Le => CompareOp::Gt,
            CompareOp::Gt => CompareOp::Le,
            CompareOp::Ge => CompareOp::Lt,
        }
    }

    /// Whether it holds of two values that may be missing.
    pub fn holds_of<T: PartialOrd>(self, a: Option<T>, b: Option<T>) -> bool {
        match self {
            CompareOp::Eq => a == b,
            CompareOp::Ne => a != b,
            CompareOp::Lt | CompareOp::Le | CompareOp::Gt | CompareOp::Ge => {
                a.zip(b).is_some_and(|(a, b)| self.holds(a, b))
            }
        }
    }

    /// Whether it holds of two values.
    pub fn holds<T: PartialOrd>(self, a: T, b: T) -> bool {
        match self {
            CompareOp::Eq => a == b,
            CompareOp::Ne => a != b,
            CompareOp::Lt => a < b,
            CompareOp::Le => a <= b,
            CompareOp::Gt => a > b,
            CompareOp::Ge => a >= b,
        }
    }
}

/// Folds to a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FoldOp {
    Sum,
    Min,
    Max,
}

/// Folds to a set or list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CollectOp {
    Gather,
    Values,
    Union,
    /// The set itself, and all that is found from its members, and from what is found.
    Reach,
}

/// Functions of the language. Their names, signatures and docs are in `model::builtins`. A board that an author
/// gives as an argument is not among the arguments here: it is in the type of the expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Builtin {
    /// `smaller(a, b)`, `larger(a, b)`, `abs(n)`
    Smaller,
    Larger,
    Abs,
    /// `first(s)`: first of a set or list in its order; maybe.
    First,
    /// `top(zone)`: the top card; maybe. `top(zone, n)`: a list of at most n cards, the top first. The zone is a
    /// [`ExprKind::Contents`] typed as a list.
    Top,
    /// `bottom(z)`, `bottom(z, n)`: likewise, from the bottom.
    Bottom,
    /// `clockwise(p)`: list of the players still in the game from p on, in seat order.
    Clockwise,
    /// `after(p)`: list of the other players clockwise from the one after p.
    After,
    /// `empty(board)`: sites with nothing on them.
    Empty,
    /// `sites(set of pieces)`, `sites(board)`
    SitesOf,
    AllSites,
    /// `site(piece)`: maybe.
    SiteOf,
    /// `pieces(set of sites)`: the entities on them.
    PiecesOn,
    /// `around(sites)`: all neighbours of them (in all directions of the board).
    Around,
    /// `beside(sites)`: orthogonal neighbours.
    Beside,
    /// `step(sites, d)`, `step(sites, d, n)`. Of one site (or a maybe) a maybe, of a set a set.
    Step,
    /// `directions(board)`
    Directions,
    /// `longest_line(site, sites)`: stones in the longest straight line of them through the site, it included.
    LongestLine,
    /// `column(site)`, `row(site)`: 1-based.
    Column,
    Row,
    /// `index(enum value)`: 1-based.
    EnumIndex,
    /// `site(board, column, row)`; maybe.
    SiteAt,
    /// All sites of one player's board; a site of the first player's board on that of another.
    CopyOf,
    OnCopy,
    /// `turnings(piece)`: the turnings in which it looks different.
    Turnings,
    /// `fitting(piece, site)`: those of them in which it fits what lies beside the site.
    Fitting,
    /// `cells(board)` and its like.
    AllCells,
    AllEdges,
    AllCorners,
    AllRim,
    /// `cells(sites)` and its like.
    CellsOf,
    EdgesOf,
    CornersOf,
    RimOf,
    /// `empty(sites)`
    EmptyOf,
    /// `border(board)`, `border(board, d)`
    Border,
    BorderTo,
    /// `origin(board)`
    Origin,
    /// `top(site)`, `stack(site)`
    TopOn,
    Stack,
    /// `group(sites, among)`, `groups(among)`
    Group,
    Groups,
    /// `within(sites, n)`, `ring(sites, n)`
    Within,
    Ring,
    /// `distance(a, b)`, `distance(a, b, among)`: maybe.
    Distance,
    DistanceIn,
    /// `path(a, b, among)`
    Path,
    /// `ray(site, d)`, `run(site, d, among)`, `line(site, d, among)`, `between(a, b)`
    Ray,
    RunOf,
    Line,
    Between,
    /// `direction(a, b)`: maybe.
    Bearing,
    /// `opposite(d)`, `rotate(d, n)`
    Opposite,
    Rotate,
    /// `repeats(board)`: its argument is the number of the board.
    Repeats,
}

impl Builtin {
    /// The sort of places that it gives, for `cells`, `edges`, `corners` and `rim`.
    pub fn place_kind(self) -> Option<PlaceKind> {
        match self {
            Builtin::AllCells | Builtin::CellsOf => Some(PlaceKind::Cell),
            Builtin::AllEdges | Builtin::EdgesOf => Some(PlaceKind::Edge),
            Builtin::AllCorners | Builtin::CornersOf => Some(PlaceKind::Corner),
            Builtin::AllRim | Builtin::RimOf => Some(PlaceKind::Rim),
            _ => None,
        }
    }

    /// Whether it gives cards of a pile by where they lie in it.
    pub fn is_of_pile(self) -> bool {
        matches!(self, Builtin::Top | Builtin::Bottom)
    }

    /// Whether it gives sites of a board by nothing but the board's geometry and its arguments.
    pub fn is_geometry(self) -> bool {
        self.place_kind().is_some()
            || matches!(
                self,
                Builtin::AllSites
                    | Builtin::Around
                    | Builtin::Beside
                    | Builtin::Border
                    | Builtin::BorderTo
                    | Builtin::Group
                    | Builtin::Groups
                    | Builtin::Within
                    | Builtin::Ring
                    | Builtin::Line
            )
    }
}

/// A typed statement.
#[derive(Clone, Debug)]
pub struct Stmt {
    pub kind: StmtKind,
    pub span: Span,
}

/// The forms of a statement.
#[derive(Clone, Debug)]
pub enum StmtKind {
    /// `let` and assignments to locals.
    Local {
        local: LocalId,
        value: Expr,
    },
    /// Sets a counter or mark of each of the entities or players (`of` is one, a maybe or a set).
    SetProp {
        of: Expr,
        prop: PropId,
        value: Expr,
    },
    SetGameProp {
        prop: PropId,
        value: Expr,
    },
    Choose(Box<Choose>),
    ChooseAction {
        by: Option<Expr>,
        acts: Vec<Act>,
        or_else: Vec<Act>,
        prompt: Option<Template>,
    },
    ChooseOption {
        by: Option<Expr>,
        arms: Vec<OptionArm>,
        prompt: Option<Template>,
    },
    /// Runs a window.
    Open {
        window: WindowId,
        args: Vec<Expr>,
    },
    /// Makes the innermost open window ask all anew.
    OpenAgain,
    /// What a window does. It stands nowhere else.
    Respond(Box<Respond>),
    Offer(Box<Offer>),
    /// Binds a list: the members of `domain` in the order the player gives.
    ChooseOrder {
        by: Option<Expr>,
        local: LocalId,
        domain: Expr,
        prompt: Option<Template>,
    },
    /// Binds a split: each member of `domain` to one of `among`, as the player says; `evenly`: so that the sizes of the
    /// parts differ by at most one.
    ChooseSplit {
        by: Option<Expr>,
        local: LocalId,
        domain: Expr,
        among: Expr,
        evenly: bool,
        prompt: Option<Template>,
    },
    /// `may`: asks first. `must`: does not.
    Gate {
        must: bool,
        by: Option<Expr>,
        prompt: Option<Template>,
        chooses: Vec<Choose>,
        pay: Option<Vec<Stmt>>,
        /// Whether it is tried out if the price can be paid: no condition can say it. See `model/prices.rs`.
        tried: bool,
        body: Vec<Stmt>,
        or_else: Option<Vec<Stmt>>,
    },
    Each {
        local: LocalId,
        domain: Expr,
        at_once: bool,
        body: Vec<Stmt>,
    },
    /// `each p in PLAYERS secret { choose ... }`: all choose before anything is bound or seen, then `body`'s
    /// remaining statements run for each in order.
    EachSecret {
        local: LocalId,
        domain: Expr,
        choose: Box<Choose>,
        body: Vec<Stmt>,
    },
    If {
        cond: Expr,
        body: Vec<Stmt>,
        or_else: Vec<Stmt>,
    },
    /// `repeat`: `until` ends it before a turn of the loop where it holds.
    Repeat {
        until: Option<Expr>,
        body: Vec<Stmt>,
    },
    RepeatTimes {
        times: Expr,
        body: Vec<Stmt>,
    },
    Turns {
        span: SpanId,
        from: Expr,
        among: Option<Expr>,
        /// Who is on turn after each turn, unless it is the next in seat order.
        next: Option<Expr>,
        /// How many rounds there are at the most.
        rounds: Option<Expr>,
        until: Option<Expr>,
        body: Vec<Stmt>,
    },
    Phase {
        span: SpanId,
        body: Vec<Stmt>,
    },
    /// Leaves the innermost `repeat`, or the named `turns` (its current turn) or `phase`.
    LeaveRepeat,
    LeaveSpan(SpanId),
    Stop,
    Move {
        what: Expr,
        riders: Option<Expr>,
        to: Destination,
        local: Option<LocalId>,
    },
    Create {
        what: Created,
        to: Destination,
        fields: Vec<(PropId, CreateValue)>,
        local: Option<LocalId>,
    },
    Link {
        what: Expr,
        to: Expr,
        link: LinkId,
    },
    Unlink {
        what: Expr,
        link: LinkId,
    },
    Shuffle {
        zone: ZoneId,
        of: Option<Expr>,
    },
    Roll {
        local: LocalId,
        low: Expr,
        high: Expr,
    },
    Random {
        local: LocalId,
        domain: Expr,
    },
    Reveal {
        what: Expr,
        to: Option<Expr>,
        how: Showing,
    },
    Ensure {
        cond: Expr,
        reason: Option<String>,
    },
    /// An action cannot be done where `cond` does not hold. `lenient`: if that shows only behind what could not be looked ahead
    /// of, the action goes on all the same.
    Requires {
        cond: Expr,
        reason: Option<String>,
        lenient: bool,
    },
    Arm {
        span: ArmSpan,
        clauses: Vec<ClauseId>,
    },
    /// Runs the effect field of an entity (nothing if it has none); `me` is there who does it here, unless `by` says who.
    Do {
        of: Expr,
        field: PropId,
        args: Vec<Expr>,
        by: Option<Expr>,
    },
    /// Calls a script that acts. In a clause that a script has armed the only argument is the stamp of the clause: what it
    /// goes on with was kept when it was armed.
    Script {
        script: ScriptId,
        args: Vec<Expr>,
        armed: bool,
    },
    /// Arguments in the order of the verb's parameters; `None` where the default applies.
    Call {
        verb: VerbId,
        args: Vec<Option<Expr>>,
        ignoring: Vec<GroupId>,
    },
    /// In an `instead`: the arguments that change.
    Proceed {
        args: Vec<Option<Expr>>,
    },
    Win(Expr),
    Lose(Expr),
    DrawGame,
    EndGame,
    Settle,
    Note(Template),
}

/// A choice among members of a set.
#[derive(Clone, Debug)]
pub struct Choose {
    pub by: Option<Expr>,
    pub qty: Qty,
    /// Bound to a maybe value for [`Qty::One`], to a set otherwise.
    pub local: LocalId,
    /// `for VERB` is already in it: see `model/targets.rs`.
    pub domain: Expr,
    /// What the choice is for, for prompts.
    pub for_verb: Option<VerbId>,
    /// Whether all that is chosen is an argument of one call.
    pub for_whole: bool,
    pub prompt: Option<Template>,
    pub span: Span,
}

/// How many a choice takes.
#[derive(Clone, Debug)]
pub enum Qty {
    /// One, as a single value. In actions an empty domain is a dead end, elsewhere it binds `nothing`.
    One,
    /// At least the first, at most the second, as far as the domain goes; absent: no bound.
    Between(Expr, Option<Expr>),
}

impl Qty {
    /// Whether nothing may be chosen.
    pub fn is_optional(&self) -> bool {
        matches!(self, Qty::Between(low, _) if matches!(low.kind, ExprKind::Word(0)))
    }
}

/// One action offered.
#[derive(Clone, Debug)]
pub struct Act {
    pub action: ActionId,
    pub args: Vec<Expr>,
    pub span: Span,
}

/// An offer of `me` to somebody. Everything in it speaks of who first made the offer as `me`.
#[derive(Clone, Debug)]
pub struct Offer {
    pub to: Expr,
    /// Holds whoever made the offer at hand, first `me`.
    pub maker: LocalId,
    pub prompt: Option<Template>,
    /// What is chosen by whoever makes an offer: sets.
    pub terms: Vec<Choose>,
    pub names: Vec<String>,
    /// How often it may be answered with another offer.
    pub counters: Option<Expr>,
    pub valid: Option<Expr>,
    pub accepted: Vec<Stmt>,
    pub refused: Vec<Stmt>,
}

/// The questions of a window. In `silent`, `prompt` and the arguments of actions `me` is who is asked; in the others it
/// is nobody.
#[derive(Clone, Debug)]
pub struct Respond {
    /// With whom asking begins.
    pub from: Expr,
    pub among: Option<Expr>,
    pub until: Option<Expr>,
    /// Who is passed over without being asked.
    pub silent: Option<Expr>,
    pub prompt: Option<Template>,
    pub acts: Vec<Act>,
    /// For each of them, whether it lets passes stand.
    pub quiet: Vec<bool>,
    /// For each of them, whether nobody need be asked for its sake alone.
    pub aside: Vec<bool>,
}

/// One arm of `choose option`.
#[derive(Clone, Debug)]
pub struct OptionArm {
    pub text: String,
    pub cond: Option<Expr>,
    pub body: Vec<Stmt>,
    pub span: Span,
}

/// Where something goes.
#[derive(Clone, Debug)]
pub enum Destination {
    Nowhere,
    Zone {
        zone: ZoneId,
        of: Option<Expr>,
        place: Option<Place>,
    },
    /// A site, and a number of turns clockwise.
    Site {
        site: Expr,
        turned: Option<Expr>,
    },
}

/// What `create` makes.
#[derive(Clone, Debug)]
pub enum Created {
    CopyOf { count: Option<Expr>, of: Expr },
    Kind { count: Option<Expr>, kind: KindId },
    Entry { count: Option<Expr>, entry: EntryId },
}

/// What `create` sets a field or mark to.
#[derive(Clone, Debug)]
pub enum CreateValue {
    Value(Expr),
    /// One entity for each value of the property's enum or range.
    EveryValue,
    /// One of these values, drawn by chance for each entity.
    AnyValue,
}

/// How long armed clauses last.
#[derive(Clone, Debug)]
pub enum ArmSpan {
    WhileHere,
    EndOf(SpanId),
    StartOf(SpanId, Expr),
    /// A flag expression procedure that takes the captured locals of the first clause.
    While(ProcId),
    ForGood,
}

/// A text with expressions in it: `"{c} over {old}"`.
#[derive(Clone, Debug)]
pub struct Template {
    pub parts: Vec<TemplatePart>,
    pub span: Span,
}

/// A part of a template.
#[derive(Clone, Debug)]
pub enum TemplatePart {
    Text(String),
    Value(Expr),
}
