//! Side tables of instructions that need more than eight bytes.

use super::board::SiteSet;
use super::layout::Repr;
use super::op::Slot;
use crate::base::Span;
use crate::model::rules::{
    ActionId, ArmSpan, Builtin, ClauseId, CompareOp, EntryId, GroupId, KindId, Place, ProcId, PropId, ScriptId, SpanId,
    Ty, VerbId,
};

/// All side tables.
#[derive(Clone, Debug, Default)]
#[allow(missing_docs, reason = "one table for each instruction that has one")]
pub struct Sites {
    pub chooses: Vec<ChooseSite>,
    pub actions: Vec<ActionSite>,
    pub options: Vec<OptionSite>,
    pub offers: Vec<OfferSite>,
    pub splits: Vec<SplitSite>,
    /// The bodies of windows, and where the seats that have passed stand in them.
    pub windows: Vec<(ProcId, Slot)>,
    pub asks: Vec<AskSite>,
    /// Where the gates stand whose prices are tried out.
    pub prices: Vec<Span>,
    pub moves: Vec<MoveSite>,
    pub creates: Vec<CreateSite>,
    pub randoms: Vec<RandomSite>,
    pub verbs: Vec<VerbSite>,
    pub proceeds: Vec<ProceedSite>,
    pub arms: Vec<ArmSite>,
    pub scripts: Vec<ScriptSite>,
    pub turns: Vec<TurnSite>,
    pub cans: Vec<CanSite>,
    pub memos: Vec<super::memo::MemoSite>,
    pub targets: Vec<TargetSite>,
    /// The rules that some call ignores.
    pub ignored: Vec<GroupId>,
    pub texts: Vec<TextSite>,
    /// Why an action cannot be done, and whether it goes on where that shows too late.
    pub reasons: Vec<(String, bool)>,
    pub boards: Vec<BoardSite>,
    pub neighbours: Vec<NeighbourSite>,
    pub scans: Vec<super::scan::ScanSite>,
    pub afters: Vec<AfterSite>,
    pub leadings: Vec<LeadingSite>,
    pub endless: Vec<EndlessSite>,
    pub towards: Vec<TowardsSite>,
    pub beyonds: Vec<BeyondSite>,
    pub leaps: Vec<LeapSite>,
    pub sides: Vec<SidesSite>,
    /// What functions of a site, direction or player come to, where the rules alone say it.
    pub tables: Vec<Vec<i64>>,
    /// Sets of sites that never change.
    pub regions: Vec<SiteSet>,
}

/// Sites of a set whose neighbours in another are so many.
#[derive(Clone, Debug)]
pub struct NeighbourSite {
    /// The board.
    pub board: u16,
    /// Whether only neighbours over sides count.
    pub beside: bool,
    /// The sites that are looked at.
    pub over: Slot,
    /// The neighbours that count.
    pub among: Slot,
    /// How their number stands to `n`.
    pub op: CompareOp,
    /// The number.
    pub n: Slot,
}

/// Sites from which a direction leads to a set, over members of another only.
#[derive(Clone, Debug)]
pub struct TowardsSite {
    /// The board.
    pub board: u16,
    /// The direction, or the set of them.
    pub ways: Slot,
    /// Whether it is a set.
    pub each: bool,
    /// What lies between.
    pub among: Slot,
    /// What it leads to.
    pub ends: Slot,
    /// Whether something must lie between.
    pub over: bool,
    /// Where all begins, if it is one site: the result is then what lies between; without `ends`, what lies between and the
    /// first site behind it.
    pub from: Slot,
}

/// The sites on straight lines from one with so many members of a set between, or more.
#[derive(Clone, Debug)]
pub struct BeyondSite {
    /// The board.
    pub board: u16,
    /// Where the lines begin.
    pub from: Slot,
    /// The direction of the lines that count, or the set of them; any, if there is none.
    pub ways: Slot,
    /// Whether it is a set.
    pub each: bool,
    /// What is counted.
    pub of: Slot,
    /// How many there are at least.
    pub least: u16,
    /// Whether the pieces on the sites are counted.
    pub pieces: bool,
}

/// Where so many steps lead.
#[derive(Clone, Debug)]
pub struct LeapSite {
    /// The board.
    pub board: u16,
    /// The direction, or the set of them.
    pub ways: Slot,
    /// Whether it is a set.
    pub each: bool,
    /// How many steps.
    pub n: Slot,
    /// Where they begin, or where they end.
    pub from: Slot,
    /// Whether that is one site rather than a set.
    pub one: bool,
    /// Whether the sites are wanted from which the steps lead there.
    pub back: bool,
    /// If so, they begin where each of a set of tiles lies, in the directions of this table for it; `ways` says nothing.
    pub shown: Option<u16>,
}

/// The directions in which tiles show what is asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SidesSite {
    /// For each definition, those of each way in which a tile can be turned; none where it has no such values.
    pub shown: Vec<Vec<i64>>,
    /// Those of what has no values: then all or none are asked for.
    pub otherwise: i64,
    /// Where it stands in a record how a piece is turned.
    pub turn: Option<u16>,
}

/// A function of boards: what it is, which board it speaks of, and where its arguments stand.
#[derive(Clone, Debug)]
pub struct BoardSite {
    /// The function.
    pub what: Builtin,
    /// The board.
    pub board: u16,
    /// Its arguments.
    pub args: Vec<Slot>,
}

/// A function of a board without an end.
#[derive(Clone, Debug)]
pub struct EndlessSite {
    /// The function.
    pub what: Builtin,
    /// The board.
    pub board: u16,
    /// Where its arguments stand.
    pub args: Vec<Slot>,
    /// Whether the first of them says whose board is meant.
    pub whose: bool,
    /// Which of them are sets or lists.
    pub many: Vec<bool>,
    /// Of all sites: whether what lies there is wanted.
    pub pieces: bool,
}

/// A text with values in it: the values stand in slots when it is shown.
#[derive(Clone, Debug, Default)]
pub struct TextSite {
    /// Where it is written.
    pub span: Span,
    /// Texts and values in turn.
    pub parts: Vec<TextPart>,
}

/// A part of a [`TextSite`].
#[derive(Clone, Debug)]
pub enum TextPart {
    /// Literal text.
    Text(String),
    /// A value in a slot.
    Value(Slot, Ty),
}

/// What is chosen from, how many, and who by.
#[derive(Clone, Debug)]
pub struct ChooseSite {
    /// Where the result goes: a word for one, a set for several, a list for an order.
    pub d: Slot,
    /// The candidates.
    pub from: Slot,
    /// How they lie.
    pub repr: Repr,
    /// Whether they are all numbers from one to another, of which only these two lie there.
    pub range: bool,
    /// Their type.
    pub ty: Ty,
    /// Who chooses; none: `me`.
    pub by: Slot,
    /// Fewest and most; none: exactly one, as a single value.
    pub many: Option<(Slot, Slot)>,
    /// All of them, in an order.
    pub order: bool,
    /// Whether it is a step of an action which its player makes.
    pub in_action: bool,
    /// Whether it stands in an action in which one of several chooses: even if that is its player, it is taken for somebody else's choice.
    pub named: bool,
    /// Whether what is chosen is of another sort than what the first choice of its action is written to take.
    pub other_sort: bool,
    /// Whether it stands at the head of a gate, where nothing to choose from is no dead end.
    pub in_gate: bool,
    /// The gate whose price is tried out with each candidate, if it is.
    pub price: Option<u32>,
    /// Whether nothing may be chosen.
    pub optional: bool,
    /// The verb it is for.
    pub for_verb: Option<VerbId>,
    /// The question.
    pub prompt: Option<TextSite>,
    /// The name it is bound to.
    pub name: String,
    /// Where it stands.
    pub span: Span,
    /// What looks ahead, and when it can: it takes the words of all locals of the action.
    pub ahead: Option<(Ahead, ProcId, When)>,
    /// Of a choice of several: whether more picks can still do. It takes the same words, and the set of what is picked
    /// with what is within reach.
    pub bound: Option<ProcId>,
    /// Whether a candidate passes the filter, where that is asked later; it takes the same words.
    pub later: Option<ProcId>,
    /// Where a choice in secret has noted at which instruction the choices of all begin.
    pub secret: Option<Slot>,
    /// The piece of which turnings are chosen from.
    pub turned: Option<Slot>,
}

impl ChooseSite {
    /// Whether it takes several of a set, in no order: it is searched as a whole.
    pub fn is_whole(&self) -> bool {
        self.many.is_some() && !self.order && self.repr != Repr::List && !self.range
    }
}

/// When code that looks ahead can be asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum When {
    /// In any position.
    Always,
    /// Where no piece lies on another.
    Flat,
}

/// What the code that looks ahead of a choice gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ahead {
    /// Whether the action can be completed with the candidate that its local holds, or with the set of those picked.
    Flag,
    /// The sites with which it can be completed.
    Sites,
    /// What a candidate in this slot adds to a sum over all that are chosen, and what that must reach, or exceed.
    Sum {
        /// Where the candidate stands.
        item: Slot,
        /// Whether reaching it is not enough.
        more: bool,
    },
}

/// Which sites keep a condition true if pieces come to lie on them.
#[derive(Clone, Debug)]
pub struct AfterSite {
    /// The board.
    pub board: u16,
    /// The sites of the pieces that the condition speaks of.
    pub set: Slot,
    /// The site from which they come, if it is one of these; none: one more comes.
    pub from: Slot,
    /// What must hold then.
    pub test: AfterTest,
}

/// From which sites a step to a neighbour keeps conditions true.
#[derive(Clone, Debug)]
pub struct LeadingSite {
    /// The board.
    pub board: u16,
    /// Whether steps go over sides only.
    pub beside: bool,
    /// Where they can end.
    pub among: Slot,
    /// What must hold then: the sites of the pieces that a condition speaks of, and the condition; no more than
    /// [`LeadingSite::MOST`].
    pub tests: Vec<(Slot, AfterTest)>,
    /// Whether the first such site is enough.
    pub one: bool,
}

impl LeadingSite {
    /// The most conditions that are looked at for all sites at once.
    pub const MOST: usize = 4;
}

/// A condition over a set of sites.
#[derive(Clone, Copy, Debug)]
pub enum AfterTest {
    /// None of them has neighbours among them whose number stands so to `n`.
    Neighbours {
        /// Whether only neighbours over sides count.
        beside: bool,
        /// How the number stands to `n`.
        op: CompareOp,
        /// Where `n` lies.
        n: Slot,
    },
    /// The number of their groups stands so to `n`.
    Groups {
        /// How the number stands to `n`.
        op: CompareOp,
        /// Where `n` lies.
        n: Slot,
    },
}

/// `choose action`.
#[derive(Clone, Debug)]
pub struct ActionSite {
    /// Who chooses; none: `me`.
    pub by: Slot,
    /// What is offered.
    pub acts: Vec<ActSite>,
    /// Whether an action is named several times, so that two of them may be the same.
    pub twice: bool,
    /// How many of them are offered first; the others only if none of these is legal.
    pub first: usize,
    /// The question.
    pub prompt: Option<TextSite>,
    /// In a window: what belongs to a response.
    pub response: Option<ResponseSite>,
    /// Where it stands.
    pub span: Span,
}

/// An action that is offered.
#[derive(Clone, Debug)]
pub struct ActSite {
    /// Which.
    pub action: ActionId,
    /// Where its arguments stand.
    pub args: Slot,
    /// What it can begin with, where that is worked out before the instruction.
    pub choice: Option<FirstChoice>,
}

/// What an action can begin with.
#[derive(Clone, Copy, Debug)]
pub enum FirstChoice {
    /// With the members of the set in the slot.
    Set(Repr, Slot),
    /// Nothing is chosen first: whether it is legal.
    Whole(Slot),
}

/// The question of a window: its actions, and to pass.
#[derive(Clone, Debug)]
pub struct ResponseSite {
    /// Result: the position of the action, or -1 for passing.
    pub d: Slot,
    /// The seats that have passed, and those that are asked unless something changes, whoever is asked now included.
    pub passed: Slot,
    /// See `passed`.
    pub asked: Slot,
    /// For each action, whether nobody need be asked for its sake alone.
    pub aside: Vec<bool>,
}

/// `choose option`: the arms that hold are in a list; the result is the number of the arm.
#[derive(Clone, Debug)]
pub struct OptionSite {
    /// Result.
    pub d: Slot,
    /// The list of arms whose condition holds.
    pub open: Slot,
    /// Who chooses; none: `me`.
    pub by: Slot,
    /// The question.
    pub prompt: Option<TextSite>,
    /// Texts.
    pub texts: Vec<String>,
    /// Where it stands.
    pub span: Span,
}

/// `offer`, in both of its instructions: the check before anything is chosen, and the question.
#[derive(Clone, Debug)]
pub struct OfferSite {
    /// Result: one of [`OfferSite::ACCEPT`] and the others.
    pub d: Slot,
    /// Who made the offer at hand, and who answers it.
    pub maker: Slot,
    /// Likewise.
    pub answers: Slot,
    /// How many counter-offers are left.
    pub left: Slot,
    /// The question.
    pub prompt: Option<TextSite>,
    /// What was offered: names, slots and types.
    pub terms: Vec<(String, Slot, Ty)>,
    /// Where it stands.
    pub span: Span,
}

impl OfferSite {
    /// The answers to an offer; the last is its maker's.
    pub const ACCEPT: i64 = 0;
    /// It does not come about.
    pub const REFUSE: i64 = 1;
    /// Another offer is made in its place.
    pub const COUNTER: i64 = 2;
    /// It is taken back.
    pub const WITHDRAW: i64 = 3;
    /// All of them with their keys.
    pub const ANSWERS: [&str; 4] = ["accept", "refuse", "counter", "withdraw"];
}

/// `choose split`: the result is a list of things and a list of whose each of them is.
#[derive(Clone, Debug)]
pub struct SplitSite {
    /// Result.
    pub d: Slot,
    /// The things.
    pub from: Slot,
    /// How they lie, and their type.
    pub things: (Repr, Ty),
    /// Among whom.
    pub among: Slot,
    /// How they lie, and their type.
    pub takers: (Repr, Ty),
    /// Who chooses; none: `me`.
    pub by: Slot,
    /// Whether the sizes of the parts may differ by one at most.
    pub evenly: bool,
    /// Its prompt.
    pub prompt: Option<TextSite>,
    /// Where it stands.
    pub span: Span,
}

/// `may`.
#[derive(Clone, Debug)]
pub struct AskSite {
    /// Who is asked; none: `me`.
    pub by: Slot,
    /// The question.
    pub prompt: Option<TextSite>,
    /// The gate, if its price is tried out.
    pub price: Option<u32>,
    /// Where it stands.
    pub span: Span,
}

/// `move`.
#[derive(Clone, Debug)]
pub struct MoveSite {
    /// Where to.
    pub to: MoveTo,
    /// A set of linked entities that go along; none: none do, across zones.
    pub riders: Slot,
    /// How it is turned there; none: as it was.
    pub turned: Slot,
    /// A set that the new identity is put into, or a word.
    pub bind: Option<(Slot, Repr)>,
}

/// Where a move or creation goes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum MoveTo {
    /// Out of the game.
    Nowhere,
    /// The zone instance whose number is in the slot.
    Zone(Slot, Option<Place>),
    /// The site in the slot, on this board.
    Site(Slot, u16),
}

/// `create`.
#[derive(Clone, Debug)]
pub struct CreateSite {
    /// What.
    pub what: CreateWhat,
    /// Where.
    pub to: MoveTo,
    /// What is given: the offset in the record, the slot of the value and its words.
    pub props: Vec<(u16, Slot, u16)>,
    /// What may be given more than the property keeps, or nothing: the offset in the record, the property and the slot.
    pub bounded: Vec<(u16, PropId, Slot)>,
    /// The kind and board, where a piece without a definition is put on a board and nothing else needs to be seen to.
    pub plain: Option<(KindId, u16)>,
    /// What chance gives: the offset in the record, and the site of the draw.
    pub drawn: Vec<(u16, usize)>,
}

/// What is created.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum CreateWhat {
    /// Like the entity in the slot.
    Copy(Slot),
    /// An entity of a kind without a definition.
    Kind(KindId),
    /// A copy of a definition.
    Entry(EntryId),
}

/// `random`.
#[derive(Clone, Debug)]
pub struct RandomSite {
    /// Candidates.
    pub from: Slot,
    /// How they lie.
    pub repr: Repr,
    /// Their type.
    pub ty: Ty,
    /// The candidates, where they are known beforehand; else empty.
    pub values: Vec<i64>,
    /// Where it stands.
    pub span: Span,
}

/// A call of a verb.
#[derive(Clone, Debug)]
pub struct VerbSite {
    /// The verb.
    pub verb: VerbId,
    /// Words of each argument.
    pub words: Vec<u16>,
    /// Which arguments are single things, for which nothing means that nothing happens.
    pub needed: Vec<Need>,
    /// Rules it ignores, as bits of [`Sites::ignored`].
    pub ignoring: u64,
    /// Where its arguments lie.
    pub args: Slot,
}

/// What a verb asks of an argument before it happens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Need {
    /// Anything will do.
    Nothing,
    /// Something must be there.
    Value,
    /// An entity that is still what it was.
    Entity,
}

/// `proceed`: arguments in the window of the verb; which of them were given.
#[derive(Clone, Debug)]
pub struct ProceedSite {
    /// The verb of the hook.
    pub verb: VerbId,
    /// Words of each argument.
    pub words: Vec<u16>,
    /// Which change, and what is asked of those.
    pub given: Vec<Option<Need>>,
}

/// `arm`.
#[derive(Clone, Debug)]
pub struct ArmSite {
    /// The clauses, each with the slots of what it captures and their words.
    pub clauses: Vec<(ClauseId, Vec<(Slot, u16)>)>,
    /// How long.
    pub span: ArmUntil,
}

/// How long armed clauses last.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ArmUntil {
    /// While the identity of `this` lasts.
    WhileHere,
    /// Until the span ends.
    EndOf(SpanId),
    /// Until the span of the player in the slot starts.
    StartOf(SpanId, Slot),
    /// While a condition over the first clause's captured locals holds.
    While(ProcId),
    /// For the rest of the game.
    ForGood,
}

impl From<&ArmSpan> for ArmUntil {
    fn from(span: &ArmSpan) -> Self {
        match span {
            ArmSpan::WhileHere => ArmUntil::WhileHere,
            ArmSpan::EndOf(span) => ArmUntil::EndOf(*span),
            ArmSpan::StartOf(span, _) => ArmUntil::StartOf(*span, Slot::NONE),
            ArmSpan::While(proc) => ArmUntil::While(*proc),
            ArmSpan::ForGood => ArmUntil::ForGood,
        }
    }
}

/// `turns` and `phase`.
#[derive(Clone, Debug)]
pub struct TurnSite {
    /// Its name.
    pub span: SpanId,
    /// Whose turn: a slot.
    pub player: Slot,
    /// Who takes part: a mask, or none for all.
    pub among: Slot,
    /// Where the first player is kept.
    pub first: Slot,
    /// Who is on turn next, if that is said (nobody where it is the next in seat order), and behind it who has had a turn in this
    /// round, as bits.
    pub next: Slot,
    /// How many rounds are left, that under way included; none where they are not counted.
    pub rounds: Slot,
    /// Whether its turns are counted.
    pub outermost: bool,
    /// Whether it is a `turns`; a `phase` otherwise.
    pub turns: bool,
    /// The instructions at which it starts and ends, in the whole program.
    pub range: (u32, u32),
}

impl TurnSite {
    /// Whether an instruction pointer, which stands at or behind what is done, is between its start and its end.
    pub fn holds(&self, pc: u32) -> bool {
        self.range.0 < pc && pc <= self.range.1 + 1
    }
}

/// `P can ACTION`.
#[derive(Clone, Debug, PartialEq)]
pub struct CanSite {
    /// The action.
    pub action: ActionId,
    /// Its arguments.
    pub args: Slot,
}

/// Whether a `cannot` would stop a verb on a target.
#[derive(Clone, Debug, PartialEq)]
pub struct TargetSite {
    /// The verb.
    pub verb: VerbId,
    /// Rules it ignores, as bits of [`Sites::ignored`].
    pub ignoring: u64,
    /// What forbids by arguments that are not known yet: it is not asked.
    pub unasked: Vec<ClauseId>,
    /// What the call needs of the arguments that are known: at which word, and what.
    pub needed: Vec<(u16, Need)>,
}

/// A call of a script that acts.
#[derive(Clone, Debug)]
pub struct ScriptSite {
    /// The script.
    pub script: ScriptId,
    /// Whether it goes on in a clause that it has armed, whose stamp is the argument.
    pub armed: bool,
    /// Where its arguments are, and their types.
    pub args: Vec<(Slot, Ty)>,
    /// The content line.
    pub span: Span,
}
