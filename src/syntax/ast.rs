//! The spanned tree of the four kinds of text in a package. Names stay strings here: what they mean is
//! settled in `model`.

mod change;
mod scenario;

pub use change::{Change, Fragment, Swap, Target, TurnsPart};
pub use scenario::{ScenarioStep, ScenarioStepKind};

use crate::base::Span;
use std::collections::BTreeSet;

/// A name or literal text as the author wrote it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ident {
    /// The text, without quotes.
    pub text: String,
    /// Where it stands.
    pub span: Span,
}

/// One parsed content file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct File {
    /// Its items, in the order of the text. Items that could not be read are missing here and reported.
    pub items: Vec<Item>,
    /// The words of what could not be read: names that it may have declared.
    pub lost: BTreeSet<String>,
    /// Whether nothing of it was read.
    pub unread: bool,
}

/// A top-level item.
#[derive(Clone, Debug, PartialEq)]
pub struct Item {
    /// What the item is.
    pub kind: ItemKind,
    /// What players read in the place of its name.
    pub label: Option<Ident>,
    /// The whole item.
    pub span: Span,
}

/// What a top-level item declares.
#[derive(Clone, Debug, PartialEq)]
pub enum ItemKind {
    /// `enum suit { sun "s" moon }`
    Enum { name: Ident, values: Vec<EnumValue> },
    /// `option size: 2..9 = 7`
    Option { name: Ident, ty: Type, default: Expr },
    /// `kind tool : entry { ... }`; `parent` is `card`, `piece`, `thing` or another kind.
    Kind { name: Ident, parent: Ident, members: Vec<Member> },
    /// `player { ... }`: properties every player has.
    Player { members: Vec<Member> },
    /// `game { ... }`: properties of the game itself, read as `game.NAME`.
    Game { members: Vec<Member> },
    /// `zone den per player { holds: tool, charm  seen: all }`
    Zone { name: Ident, per_player: bool, per: Option<Type>, props: Vec<Prop> },
    /// `board grid { shape: square 3 3  cells: "{col}{row}" }`; with `per player` or `per beast` there is one for each.
    Board { name: Ident, per: Option<Ident>, props: Vec<Prop> },
    /// `link charm.host to tool.charms orphan s { ... }`
    Link { from_kind: Ident, from_prop: Ident, to_kind: Ident, to_prop: Ident, orphan: Option<(Ident, Block)> },
    /// `define mine(p: player): set of tool = EXPR`
    Define { name: Ident, params: Vec<Param>, ty: Option<Type>, body: Expr },
    /// `verb steal c: entry to p: player = me { ... }`
    Verb { name: Ident, params: Vec<VerbParam>, body: Block },
    /// `action play_tool(ok: test(c: entry)) { ... }`
    Action { name: Ident, params: Vec<Param>, body: Block },
    /// `window answers(x: entry) from P among SET until COND "Prompt" { silent when COND  ACTION, ACTION }`
    Window {
        name: Ident,
        params: Vec<Param>,
        from: Expr,
        among: Option<Expr>,
        until: Option<Expr>,
        prompt: Option<Ident>,
        parts: Vec<WindowPart>,
    },
    /// `setup { ... }`: runs once before the flow; a scenario's `given` stands in its place.
    Setup { body: Block },
    /// `flow { ... }`: the one main program.
    Flow { body: Block },
    /// `rule protection when EXPR { clauses }`
    Rule { absolute: bool, name: Ident, when: Option<Expr>, clauses: Vec<Clause> },
    /// `script best_sum(target: number): number = "hooks.rhai"`: a function of that name in that file. One that acts says
    /// what it may do: `script omen(c: tool) sees all may buff, note, arm end of turn = "hooks.rhai"`.
    Script { name: Ident, params: Vec<Param>, ty: Option<Type>, sees: Option<Ident>, may: Vec<May>, file: Ident },
    /// `cards from "cards.csv"`, `cards of tool from "tools.csv"`: a table whose rows are definitions.
    Cards { of: Option<Ident>, file: Ident },
    /// `look tool { ... }`
    Look { name: Ident, props: Vec<Prop> },
    /// `tool "Lantern" { ... }`: a definition of a card or piece.
    Entry { kind: Ident, name: Ident, fields: Vec<EntryField> },
    /// `scenario "title" covers MM-12 { ... }`
    Scenario { title: Ident, covers: Vec<Ident>, steps: Vec<ScenarioStep> },
    /// `patch tool "Lantern" { oil: 3  no clauses  wear > 2 becomes wear > 3 }`: an expansion changes parts of an item.
    Patch { target: Target, change: Change, swaps: Vec<Swap> },
    /// `replace tool "Lantern" { ... }`: an expansion puts this item in the place of the one of its name.
    Replace { with: Box<Item> },
    /// `remove tool "Lantern"`
    Remove { target: Target },
}

/// One of the things that a script may do.
#[derive(Clone, Debug, PartialEq)]
pub struct May {
    pub kind: MayKind,
    pub span: Span,
}

/// What a script may do.
#[derive(Clone, Debug, PartialEq)]
pub enum MayKind {
    /// Perform a verb.
    Verb(Ident),
    /// Change counters and marks of this name.
    Set(Ident),
    Note,
    Choose,
    Roll,
    /// Wait for an event: `arm after steal`, `arm end of turn`.
    Arm {
        stage: Option<Stage>,
        edge: Option<Edge>,
        name: Ident,
    },
}

/// One value of an enum, with the label it is written by in notations.
#[derive(Clone, Debug, PartialEq)]
pub struct EnumValue {
    pub name: Ident,
    pub label: Option<Ident>,
}

/// A member of a kind, of `player` or of `game`.
#[derive(Clone, Debug, PartialEq)]
pub struct Member {
    pub kind: MemberKind,
    /// What players read in the place of its name.
    pub label: Option<Ident>,
    pub span: Span,
}

/// What stands behind the type of a counter or mark.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Keeping {
    /// `clamped`: the rules mean it to stop at its bounds.
    pub clamped: bool,
    /// `open`: all may read it, of cards that they do not see, too.
    pub open: bool,
    /// `aside`: it is none of the arrangement of a board that `repeats` compares.
    pub aside: bool,
}

/// What a member declares.
#[derive(Clone, Debug, PartialEq)]
pub enum MemberKind {
    /// `field tier: 1..5 = 1`: printed on the definition, never changes.
    Field { name: Ident, ty: Type, default: Option<Expr> },
    /// `counter greens`, `counter level: 1..9 = 1`, `counter heat: 0..9 clamped`, `counter locks: 0..2 open`
    Counter { name: Ident, ty: Option<Type>, how: Keeping, default: Option<Expr> },
    /// `mark lock: number = 0`: any stored value.
    Mark { name: Ident, ty: Type, how: Keeping, default: Option<Expr> },
    /// `stat light: number = oil + repairs - wear`
    Stat { name: Ident, ty: Type, formula: Expr },
    /// `stands when EXPR`: when the clauses of cards of this kind are live.
    StandsWhen { cond: Expr },
    /// `seen: holder`: who sees on a board which piece it is.
    Seen { by: Ident },
    /// `notation "{rank} of {suit}"`: how one without a definition is written.
    Notation { text: Ident },
    /// A hook, check or modifier that every entity of the kind has.
    Clause(Clause),
}

/// `name: value, value` in a zone, board or look; a value is an expression or a run of words and numbers.
#[derive(Clone, Debug, PartialEq)]
pub struct Prop {
    pub name: Ident,
    /// Comma-separated values, each a run of one or more expressions (`square 3 3` is three).
    pub values: Vec<Vec<Expr>>,
    /// For each value, the condition after its `when`.
    pub whens: Vec<Option<Expr>>,
    pub span: Span,
}

/// What stands in the braces of an offer.
#[derive(Clone, Debug, PartialEq)]
pub enum OfferPart {
    /// `terms goods in SET "What?"`; any of them, unless a quantity stands before the name.
    Terms(Choose),
    /// `counters 2`
    Counters(Expr),
    /// `valid while COND`
    Valid(Expr),
}

/// What stands in a window.
#[derive(Clone, Debug, PartialEq)]
pub enum WindowPart {
    /// `silent when COND`
    Silent(Expr),
    /// `ACTION, ACTION(x)`, `quietly ACTION`, `aside ACTION`
    Acts { aside: bool, quiet: bool, acts: Vec<Act> },
}

/// A parameter in brackets.
#[derive(Clone, Debug, PartialEq)]
pub struct Param {
    pub name: Ident,
    pub ty: Type,
    pub default: Option<Expr>,
}

/// A parameter of a verb: the first has no preposition.
#[derive(Clone, Debug, PartialEq)]
pub struct VerbParam {
    pub prep: Option<Prep>,
    pub param: Param,
}

/// The prepositions that label the arguments of a verb.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Prep {
    By,
    To,
    With,
    At,
    On,
    For,
    Into,
    From,
}

impl Prep {
    /// All of them, in the order of the language reference.
    pub const ALL: [Prep; 8] = [Prep::By, Prep::To, Prep::With, Prep::At, Prep::On, Prep::For, Prep::Into, Prep::From];

    /// The word as it is written.
    pub fn word(self) -> &'static str {
        match self {
            Prep::By => "by",
            Prep::To => "to",
            Prep::With => "with",
            Prep::At => "at",
            Prep::On => "on",
            Prep::For => "for",
            Prep::Into => "into",
            Prep::From => "from",
        }
    }
}

/// A type as written.
#[derive(Clone, Debug, PartialEq)]
pub struct Type {
    pub kind: TypeKind,
    pub span: Span,
}

/// The forms a type can take.
#[derive(Clone, Debug, PartialEq)]
pub enum TypeKind {
    /// `number`, `flag`, `text`, `player`, `site`, `direction`, `effect`, an enum or a kind.
    Name(Ident),
    /// `1..5`; the bounds are constant expressions.
    Range(Box<Expr>, Box<Expr>),
    /// `set of T`
    Set(Box<Type>),
    /// `list of T`
    List(Box<Type>),
    /// `maybe of T`
    Maybe(Box<Type>),
    /// `edge per direction`, `0..9 per good`: one value for each of what stands behind.
    Per(Box<Type>, Box<Type>),
    /// `direction of yard`
    Of(Ident, Ident),
    /// `effect(victim: player)`
    Effect(Vec<Param>),
    /// `test(c: entry)`: a yes-or-no question about its parameters.
    Test(Vec<Param>),
    /// `amount(p: player)`: a number worked out from its parameters.
    Amount(Vec<Param>),
}

/// A field or clause of a definition.
#[derive(Clone, Debug, PartialEq)]
pub struct EntryField {
    pub kind: EntryFieldKind,
    pub span: Span,
}

/// What stands in a definition.
#[derive(Clone, Debug, PartialEq)]
pub enum EntryFieldKind {
    /// `tier: 2`
    Value { name: Ident, value: Expr },
    /// `activate { ... }`
    Effect { name: Ident, body: Block },
    /// `cannot ...`, `modify ...` and the other clauses
    Clause(Box<Clause>),
    /// `supersedes core4`
    Supersedes(Ident),
}

/// `{ statements }`
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Block {
    pub stmts: Vec<Stmt>,
    pub span: Span,
}

/// What `reveal` and `hide` do: all read to whom something is shown, or only those who see it; or it is hidden.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Showing {
    Openly,
    Quietly,
    Hides,
}

/// A statement.
#[derive(Clone, Debug, PartialEq)]
pub struct Stmt {
    pub kind: StmtKind,
    pub span: Span,
}

/// The forms a statement can take.
#[derive(Clone, Debug, PartialEq)]
pub enum StmtKind {
    /// `let n = EXPR`
    Let { name: Ident, ty: Option<Type>, value: Expr },
    /// `set m.greens = EXPR`; also a local.
    Set { target: Expr, value: Expr },
    /// `increase m.greens by 2`, `decrease ...`
    Change { target: Expr, by: Expr, down: bool },
    /// `choose by p up to 2 m in SET for bounce ignoring protection "Which?"`
    Choose(Box<Choose>),
    /// `choose by p action A, B(x) else C "Prompt"`
    ChooseAction { by: Option<Expr>, acts: Vec<Act>, or_else: Vec<Act>, prompt: Option<Ident> },
    /// `choose by p option "Prompt" { "text" if COND { ... } ... }`
    ChooseOption { by: Option<Expr>, arms: Vec<OptionArm>, prompt: Option<Ident> },
    /// `choose by p order xs in EXPR "Prompt"`: binds the list in the chosen order.
    ChooseOrder { by: Option<Expr>, name: Ident, domain: Expr, prompt: Option<Ident> },
    /// `choose by p split parts in ITEMS among RECIPIENTS evenly "Prompt"`
    ChooseSplit { by: Option<Expr>, name: Ident, items: Expr, among: Box<Expr>, evenly: bool, prompt: Option<Ident> },
    /// `may|must by p "prompt" choose… pay {…} do {…} else {…}`
    Gate {
        must: bool,
        by: Option<Expr>,
        prompt: Option<Ident>,
        chooses: Vec<Choose>,
        pay: Option<Block>,
        body: Block,
        or_else: Option<Block>,
    },
    /// `offer to p "Prompt" { terms goods in SET  counters 1  valid while COND } accepted { ... } refused { ... }`
    Offer { to: Expr, prompt: Option<Ident>, parts: Vec<OfferPart>, accepted: Block, refused: Option<Block> },
    /// `each m in SET { ... }`, `each ... at once`, `each ... secret`
    Each { name: Ident, domain: Expr, mode: EachMode, body: Block },
    /// `if COND { ... } else { ... }`; `else if` is a block with one `if`.
    If { cond: Expr, body: Block, or_else: Option<Block> },
    /// `repeat { ... }`, `repeat until COND { ... }`, `repeat while COND { ... }`, `repeat 3 times { ... }`
    Repeat { test: RepeatTest, body: Block },
    /// `turns turn from P among SET until COND { ... }`
    Turns {
        name: Ident,
        from: Expr,
        among: Option<Box<Expr>>,
        next: Option<Box<Expr>>,
        rounds: Option<Box<Expr>>,
        until: Option<Box<Expr>>,
        body: Block,
    },
    /// `phase draw_step { ... }`
    Phase { name: Ident, body: Block },
    /// `leave turn`, `leave repeat`
    Leave { target: Ident },
    /// `stop`: ends this body.
    Stop,
    /// `move c with RIDERS to Z top turned k as n`
    Move {
        what: Expr,
        riders: Option<Box<Expr>>,
        to: Expr,
        place: Option<Place>,
        turned: Option<Box<Expr>>,
        name: Option<Ident>,
    },
    /// `create 2 * token in Z with f = v as n`, `create copy of m in Z`, `create stone at c`
    Create { what: Created, to: CreateAt, fields: Vec<(Ident, Expr)>, name: Option<Ident> },
    /// `link s to m`
    Link { what: Expr, to: Expr },
    /// `unlink s`
    Unlink { what: Expr },
    /// `shuffle deck`
    Shuffle { zone: Expr },
    /// `roll d in 1..6`
    Roll { name: Ident, domain: Expr },
    /// `random x in SET`
    Random { name: Ident, domain: Expr },
    /// `reveal top(deck, 2) to me`, `hide c`
    Reveal { what: Expr, to: Option<Expr>, how: Showing },
    /// `ensure COND "reason"`
    Ensure { cond: Expr, reason: Option<Ident> },
    /// `requires COND "reason"`
    Requires { cond: Expr, reason: Option<Ident> },
    /// `notation "U:{m.size}@{s}"`
    Notation { text: Ident },
    /// `arm until end of turn { clauses }`
    Arm { span_kind: ArmSpan, clauses: Vec<Clause> },
    /// `open answers(x)`
    Open { window: Ident, args: Vec<Expr> },
    /// `do c.activate`, `do m.bad(p) by p`
    Do { what: Expr, by: Option<Expr> },
    /// `steal(c, p)`, which is reported: arguments stand without brackets, behind their prepositions.
    Listed { verb: Ident, args: Vec<Expr> },
    /// `steal c to me ignoring protection`
    Call { verb: Ident, first: Option<Expr>, args: Vec<(Prep, Expr)>, ignoring: Vec<Ident> },
    /// `proceed c to me`
    Proceed { first: Option<Expr>, args: Vec<(Prep, Expr)> },
    /// `win SET`, `lose SET`
    Outcome { lose: bool, who: Expr },
    /// `draw game`
    DrawGame,
    /// `end game`: the highest `score` wins.
    EndGame,
    /// `open again`: the innermost open window asks all anew.
    OpenAgain,
    /// `settle`: a checkpoint here and now.
    Settle,
    /// `note "{m} escapes"`: a line in the log, with names filled in.
    Note { text: Ident },
}

/// `choose ...` of entities, players, sites, enum values or numbers.
#[derive(Clone, Debug, PartialEq)]
pub struct Choose {
    pub by: Option<Expr>,
    pub qty: Qty,
    pub name: Ident,
    pub domain: Expr,
    /// `for bounce`: leaves out what a `cannot` would stop.
    pub for_verb: Option<Ident>,
    pub ignoring: Vec<Ident>,
    pub prompt: Option<Ident>,
    pub span: Span,
}

/// How many a `choose` takes.
#[derive(Clone, Debug, PartialEq)]
pub enum Qty {
    /// No quantity: exactly one, bound as a single value.
    One,
    /// `up to EXPR`
    UpTo(Expr),
    /// `exactly EXPR`
    Exactly(Expr),
    /// `2 to 4`
    Between(Expr, Expr),
    /// `any`
    Any,
}

/// One action offered by `choose action`.
#[derive(Clone, Debug, PartialEq)]
pub struct Act {
    pub name: Ident,
    pub args: Vec<Expr>,
}

/// One arm of `choose option`.
#[derive(Clone, Debug, PartialEq)]
pub struct OptionArm {
    pub text: Ident,
    pub cond: Option<Expr>,
    pub body: Block,
}

/// How `each` treats its members.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EachMode {
    InTurn,
    AtOnce,
    Secret,
}

/// When a `repeat` ends.
#[derive(Clone, Debug, PartialEq)]
pub enum RepeatTest {
    Forever,
    Until(Expr),
    While(Expr),
    Times(Expr),
}

/// Where in an ordered zone a card goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    Top,
    Bottom,
}

/// What `create` makes.
#[derive(Clone, Debug, PartialEq)]
pub enum Created {
    /// `copy of EXPR`, `2 * copy of EXPR`
    Copy { count: Option<Box<Expr>>, of: Box<Expr> },
    /// `token`, `"Lantern"` entries through `tool "Lantern"`, with an optional amount `3 * token`.
    Kind { count: Option<Box<Expr>>, kind: Ident, entry: Option<Ident> },
}

/// Where `create` puts it.
#[derive(Clone, Debug, PartialEq)]
pub enum CreateAt {
    Nowhere,
    In(Expr),
    At(Expr),
}

/// How long armed clauses last.
#[derive(Clone, Debug, PartialEq)]
pub enum ArmSpan {
    /// Lives on `this` and dies with its identity.
    WhileHere,
    /// `until end of NAME`
    EndOf(Ident),
    /// `until start of NAME of P`
    StartOf(Ident, Expr),
    /// `while COND`
    While(Expr),
    /// `for good`
    ForGood,
}

/// A clause: something that is so, or happens, for as long as the clause stands.
#[derive(Clone, Debug, PartialEq)]
pub struct Clause {
    pub kind: ClauseKind,
    pub span: Span,
}

/// The forms of a clause.
#[derive(Clone, Debug, PartialEq)]
pub enum ClauseKind {
    /// `next announced instead steal c to p where COND { ... }`
    Hook {
        next: bool,
        announced: bool,
        may: bool,
        stage: Stage,
        even_gone: bool,
        event: EventPattern,
        cond: Option<Expr>,
        body: Option<Block>,
    },
    /// `next announced becomes COND { ... }`
    Becomes { next: bool, announced: bool, cond: Expr, body: Block },
    /// `modify light of SET by 2 when COND`; `to` sets the value.
    Modify { stat: Ident, at: Option<Expr>, of: Expr, to: bool, value: Expr, when: Option<Expr> },
    /// `check COND { ... }`
    Check { cond: Expr, body: Block },
}

/// When in an event's course a hook acts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Stage {
    Cannot,
    Instead,
    Before,
    After,
}

/// `steal c to p`, `start of turn of p`, `end of turn`
#[derive(Clone, Debug, PartialEq)]
pub struct EventPattern {
    pub edge: Option<Edge>,
    /// A verb, or with an edge the name of a `turns` or `phase`.
    pub verb: Ident,
    pub first: Option<Ident>,
    pub args: Vec<(Prep, Ident)>,
}

/// Which edge of a span a hook waits for; the pattern's first name binds whose turn it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Edge {
    Start,
    End,
}

/// An expression.
#[derive(Clone, Debug, PartialEq)]
pub struct Expr {
    pub kind: ExprKind,
    pub span: Span,
}

/// The operand with which an expression of a form ends, if it ends with one: shared or not, as the form is.
macro_rules! last_operand {
    ($kind:expr) => {
        match $kind {
            ExprKind::Unary(_, last)
            | ExprKind::Binary(_, _, last)
            | ExprKind::Fold { over: last, .. }
            | ExprKind::Quantified { over: last, .. }
            | ExprKind::Every { cond: last, .. }
            | ExprKind::If(_, _, last)
            | ExprKind::Where(_, last)
            | ExprKind::Having { body: last, .. }
            | ExprKind::Sorted { body: last, .. } => Some(last),
            _ => None,
        }
    };
}

impl Expr {
    /// The operand with which it ends, if it ends with one; brackets around the whole are not seen here.
    pub fn last(&self) -> Option<&Expr> {
        last_operand!(&self.kind).map(Box::as_ref)
    }

    /// The same, to be changed.
    pub fn last_mut(&mut self) -> Option<&mut Expr> {
        last_operand!(&mut self.kind).map(Box::as_mut)
    }
}

/// The forms of an expression.
#[derive(Clone, Debug, PartialEq)]
pub enum ExprKind {
    Num(i64),
    Text(String),
    /// A plain name: local, kind, zone, definition, enum value, option, `me`, `this`, `it`, `nothing`, `true` …
    Name(String),
    /// `tool "Lantern"`: every entity of that definition.
    Entry {
        kind: Ident,
        name: Ident,
    },
    /// `[a, b]`
    List(Vec<Expr>),
    /// `2 wood`, in a list: what a table has for a key.
    Amount(Box<Expr>, Ident),
    /// `[BODY per g in good]`: the table that has for each key what BODY is there.
    PerKey {
        body: Box<Expr>,
        key: Ident,
        of: Box<Type>,
    },
    /// `e.name`
    Field(Box<Expr>, Ident),
    /// `name(args)` or `e.name(args)`
    Call(Box<Expr>, Vec<Expr>),
    /// `e[i]`
    Index(Box<Expr>, Box<Expr>),
    Unary(UnaryOp, Box<Expr>),
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    /// `e is tool`, `e is not charm`, `e is tool "Rope"`
    Is {
        value: Box<Expr>,
        not: bool,
        kind: Ident,
        entry: Option<Ident>,
    },
    /// `p can swim(x)`
    Can {
        player: Box<Expr>,
        action: Ident,
        args: Vec<Expr>,
    },
    /// `sum F of S`; the subject of F is each member of S, named by an `as` on S.
    Fold {
        op: FoldOp,
        body: Box<Expr>,
        over: Box<Expr>,
        /// Whether what arithmetic joins behind it may be joined to its set.
        open: bool,
    },
    /// `some S`, `no S`
    Quantified {
        no: bool,
        over: Box<Expr>,
    },
    /// `every S meets COND`
    Every {
        over: Box<Expr>,
        cond: Box<Expr>,
    },
    /// `if C then A else B`
    If(Box<Expr>, Box<Expr>, Box<Expr>),
    /// `S as m`: names the members of S for what follows (`where`, `having`, `meets`, the body of a fold).
    As(Box<Expr>, Ident),
    /// `S where COND`
    Where(Box<Expr>, Box<Expr>),
    /// `S having least F`, `S having most F`: all members that attain it.
    Having {
        over: Box<Expr>,
        most: bool,
        body: Box<Expr>,
    },
    /// `S sorted by F`, `S sorted by F down`: a list.
    Sorted {
        over: Box<Expr>,
        body: Box<Expr>,
        down: bool,
    },
    /// Stands where the parser could not read an expression and has already reported it.
    Error,
}

/// Operators with one operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnaryOp {
    Not,
    Negate,
    Count,
}

/// Operators with two operands, loosest first: `or`, `and`, comparisons, `..`, `+ -`, `* / % &`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BinaryOp {
    Or,
    And,
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
    In,
    NotIn,
    Has,
    Range,
    Add,
    Sub,
    Mul,
    Div,
    Rem,
    Both,
    /// The first unless it is missing or empty, else the second.
    Else,
}

/// Folds over a set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FoldOp {
    Sum,
    Min,
    Max,
    Gather,
    Values,
    Union,
    Reach,
}
