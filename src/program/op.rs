//! Instructions: eight bytes each, over slots of the state's memory.

use super::board::Adjacency;
pub use super::slot::Slot;
use crate::model::rules::Showing;

/// An instruction. `d` is where the result goes, `w` the width of a set in words, `to` the index of the target
/// relative to the procedure's first instruction. A value that is missing equals no other, has no order, and makes an
/// arithmetic result missing.
#[derive(Clone, Copy, Debug, PartialEq)]
#[allow(missing_docs, reason = "one line each, with a comment above what belongs together")]
pub enum Op {
    // Copies one word, or `n` words. Here and below an `n` of 0 is a list: its length and as many words.
    Copy { d: Slot, a: Slot },
    CopyN { n: u8, d: Slot, a: Slot },
    // Sets `n` words to 0.
    Clear { n: u8, d: Slot },
    // Checked arithmetic.
    Add { d: Slot, a: Slot, b: Slot },
    Sub { d: Slot, a: Slot, b: Slot },
    Mul { d: Slot, a: Slot, b: Slot },
    Div { d: Slot, a: Slot, b: Slot },
    Rem { d: Slot, a: Slot, b: Slot },
    Smaller { d: Slot, a: Slot, b: Slot },
    Larger { d: Slot, a: Slot, b: Slot },
    Neg { d: Slot, a: Slot },
    Abs { d: Slot, a: Slot },
    // Jumps.
    Jump { to: u16 },
    JumpTrue { a: Slot, to: u16 },
    JumpFalse { a: Slot, to: u16 },
    // Jumps if the comparison is `on`.
    JumpEq { on: bool, a: Slot, b: Slot, to: u16 },
    JumpLt { on: bool, a: Slot, b: Slot, to: u16 },
    JumpLe { on: bool, a: Slot, b: Slot, to: u16 },
    // Jumps if the word is missing.
    JumpNil { a: Slot, to: u16 },
    JumpSome { a: Slot, to: u16 },
    // Jumps if something may modify a stat now.
    JumpModified { p: u16, to: u16 },
    // Goes on with a gate if its price can be paid, by trying; the end of a price that was tried: paid, or passed by.
    TryPrice { gate: u32, to: u16 },
    Priced { gate: u32, paid: bool },
    // Where what an entity was is gone.
    JumpGone { e: Slot, to: u16 },
    // Set algebra over `w` words.
    Or { w: u8, d: Slot, a: Slot, b: Slot },
    And { w: u8, d: Slot, a: Slot, b: Slot },
    AndNot { w: u8, d: Slot, a: Slot, b: Slot },
    SameSet { w: u8, d: Slot, a: Slot, b: Slot },
    Count { w: u8, d: Slot, a: Slot },
    JumpEmpty { w: u8, a: Slot, to: u16 },
    JumpAny { w: u8, a: Slot, to: u16 },
    // Puts an element into a set (nothing for a missing one): bit number, or entity.
    InsertBit { set: Slot, a: Slot },
    InsertEntity { set: Slot, a: Slot },
    // Takes an element out of a set (nothing for a missing one), by its bit number.
    RemoveBit { set: Slot, a: Slot },
    // The set of one element, or of none if it is missing.
    Single { w: u8, d: Slot, a: Slot },
    HasBit { d: Slot, set: Slot, a: Slot },
    HasEntity { d: Slot, set: Slot, a: Slot },
    // Takes the first element out of a set and jumps, if there is one.
    NextBit { w: u8, d: Slot, set: Slot, to: u16 },
    NextEntity { d: Slot, set: Slot, to: u16 },
    // The same in the order in which they are shown: cards by what is printed on them, where something is done with each first by where
    // they lie, stacks from the bottom. Behind the set lies
    // a list of those that come next.
    NextShown { d: Slot, set: Slot, to: u16 },
    FirstBit { w: u8, d: Slot, set: Slot },
    FirstEntity { d: Slot, set: Slot },
    FirstShown { d: Slot, set: Slot },
    // Lists: a length and that many words.
    Push { list: Slot, a: Slot },
    // Reads the item whose number stands in the word before the list and increases that and jumps, if there is one.
    NextItem { d: Slot, list: Slot, to: u16 },
    // Reads the number in `at` and increases it and jumps, unless it is above the one behind it.
    NextNumber { d: Slot, at: Slot, to: u16 },
    Item { d: Slot, list: Slot, i: Slot },
    Concat { d: Slot, a: Slot, b: Slot },
    // Of sets: their members once, in order.
    ListUnion { d: Slot, a: Slot, b: Slot },
    ListMinus { d: Slot, a: Slot, b: Slot },
    ListBoth { d: Slot, a: Slot, b: Slot },
    // The items of a split whose part is `a`'s.
    Part { d: Slot, split: Slot, a: Slot },
    HasItem { d: Slot, list: Slot, a: Slot },
    SameList { d: Slot, a: Slot, b: Slot },
    // Compares lists first to last: -1, 0 or 1.
    OrderLists { d: Slot, a: Slot, b: Slot },
    // Removes repeats and sorts numbers upwards.
    Distinct { list: Slot },
    // Sorts `list` by the words of `keys`, keeping the order of equals.
    Sort { down: bool, list: Slot, keys: Slot },
    RangeList { d: Slot, a: Slot, b: Slot },
    ListOfBits { w: u8, d: Slot, a: Slot },
    ListOfEntities { shown: bool, d: Slot, a: Slot },
    BitsOfList { w: u8, d: Slot, a: Slot },
    EntitiesOfList { d: Slot, a: Slot },
    // Properties. `f`, `p` are property numbers.
    Field { d: Slot, e: Slot, f: u16 },
    FieldList { d: Slot, e: Slot, f: u16 },
    Lazy { d: Slot, e: Slot, f: u16 },
    Prop { n: u8, d: Slot, e: Slot, at: u16 },
    PlayerProp { n: u8, d: Slot, e: Slot, at: u16 },
    Stat { d: Slot, e: Slot, p: u16 },
    Linked { d: Slot, e: Slot, p: u16 },
    Holder { d: Slot, e: Slot },
    Owner { d: Slot, e: Slot },
    Entered { d: Slot, e: Slot },
    Playing { d: Slot, e: Slot },
    IsKind { d: Slot, e: Slot, kind: u16 },
    // Of a definition.
    IsEntry { d: Slot, e: Slot, entry: u16 },
    EntitiesNamed { d: Slot, entry: u32 },
    // A walk over the members of a set of entities.
    Scan { d: Slot, a: Slot, site: u16 },
    // Zones. `zone` is the number of the first instance, `p` a player or a mask of players.
    ZoneOf { d: Slot, zone: u16, p: Slot },
    // Those of them that are of a kind.
    ZoneKind { kind: u8, d: Slot, zone: u16, p: Slot },
    ZonesOf { d: Slot, zone: u16, p: Slot },
    ZoneList { d: Slot, zone: Slot },
    TopOf { d: Slot, zone: Slot, n: Slot, below: bool },
    // Instance number of a player's zone.
    Instance { d: Slot, zone: u16, p: Slot },
    // Seats.
    Opponents { d: Slot },
    SeatNumber { d: Slot, a: Slot },
    Clockwise { d: Slot, a: Slot, after: bool },
    // Boards.
    EmptySites { d: Slot, board: u16 },
    SitesOf { d: Slot, a: Slot, board: u16 },
    // Sites on which pieces of a kind lie, whoever owns them; `kind` is its row in the tables of owned sites.
    SitesOfKind { d: Slot, kind: u16, board: u16 },
    Owned { d: Slot, kind: u16, p: Slot },
    // Likewise, where these sets stand one after another from a fixed place on.
    Pick { w: u8, d: Slot, a: Slot, p: Slot },
    OwnedBut { d: Slot, kind: u16, p: Slot },
    SiteOf { d: Slot, a: Slot, board: u16 },
    PiecesOn { d: Slot, a: Slot, board: u16 },
    // How many these are.
    CountPieces { d: Slot, a: Slot, board: u16 },
    // The sites that are adjacent to some.
    Adjacent { board: u8, by: Adjacency, d: Slot, a: Slot },
    // The neighbours of one site (none for a missing one), or those over its sides.
    Near { board: u8, beside: bool, d: Slot, a: Slot },
    // The members of a set that lie on a straight line of so many of them.
    InLines { board: u8, n: u8, d: Slot, a: Slot },
    // `n` in the word after the direction's slot.
    Step { d: Slot, a: Slot, direction: Slot },
    // One step of a site, the same as a set; of all sites of a set; the sites from which one comes to a set with one
    // step.
    StepOne { board: u8, d: Slot, a: Slot, way: Slot },
    StepSet { board: u8, d: Slot, a: Slot, way: Slot },
    // The directions in which a step of a site leads into a set.
    WaysInto { board: u8, d: Slot, a: Slot, set: Slot },
    Ahead { board: u8, d: Slot, a: Slot, way: Slot },
    Behind { board: u8, d: Slot, a: Slot, way: Slot },
    // Where a direction, or any of some, leads to a set over members of another; particulars in the table of them.
    Towards { d: Slot, site: u32 },
    // The sites beyond members of a set, on straight lines; particulars in the table of them.
    Beyond { d: Slot, site: u32 },
    // What lies on top of the sites of a set.
    Tops { d: Slot, a: Slot, board: u16 },
    // So many steps in directions; particulars in the table of them. Without an end of the board, added to a list.
    Leap { d: Slot, site: u32 },
    // What lies on the sites of a set and belongs to a player.
    PiecesOf { board: u8, d: Slot, a: Slot, p: Slot },
    LongestLine { board: u8, d: Slot, a: Slot, sites: Slot },
    SiteAt { d: Slot, a: Slot, board: u16 },
    // What stands in a table at a number; missing outside.
    Lookup { d: Slot, a: Slot, table: u16 },
    // What never changes, for the arguments from `a` on.
    Memo { d: Slot, a: Slot, site: u16 },
    // What stands in a table for a player; the last of it for nobody.
    ByPlayer { d: Slot, p: Slot, table: u16 },
    // A function of a board without an end; particulars in the table of them.
    OnEndless { d: Slot, site: u32 },
    // Tiles: what one shows in the direction that is in `d`; its turnings; those in which it fits at a site.
    Side { board: u8, d: Slot, e: Slot, f: u16 },
    Turnings { d: Slot, e: Slot },
    // The directions in which one shows what is asked for; particulars in the table of them.
    Sides { d: Slot, e: Slot, site: u16 },
    Fitting { board: u8, d: Slot, e: Slot, s: Slot },
    // Whether a group reaches a set; particulars in the table of functions of boards.
    Reaches { d: Slot, site: u32 },
    // A function of boards; particulars in the table of them.
    OnBoard { d: Slot, site: u32 },
    // The sites with so many neighbours in a set; particulars in the table of them.
    Neighbours { d: Slot, site: u32 },
    // Leaves those of a set of sites that keep a condition true; particulars in the table of them.
    After { d: Slot, site: u32 },
    // Leaves those of a set of sites from which a step keeps conditions true; particulars in the table of them.
    Leading { d: Slot, site: u32 },
    // A set of sites that never changes.
    Region { d: Slot, region: u16 },
    // The event at hand.
    Actor { d: Slot },
    Source { d: Slot },
    Cause { d: Slot },
    Changed { d: Slot },
    // Calls of pure procedures; arguments stand at `args` one after another.
    Call { d: Slot, proc: u16, args: Slot },
    CallLambda { d: Slot, lambda: Slot, args: Slot },
    MakeLambda { d: Slot, proc: u32 },
    CallScript { d: Slot, script: u16, args: Slot },
    Can { d: Slot, player: Slot, site: u16 },
    Targetable { d: Slot, a: Slot, site: u16 },
    // Ends a procedure, with a result of `n` words.
    Return { n: u8, a: Slot },
    End,

    // Runs a script that acts; particulars in the table of them.
    Act { site: u32 },
    // Changes. `p` is a property number.
    SetProp { e: Slot, p: u16, a: Slot },
    SetPlayerProp { e: Slot, p: u16, a: Slot },
    SetGameProp { p: u16, a: Slot },
    // Moves one entity; particulars in the table of moves.
    Move { e: Slot, site: u32 },
    Create { d: Slot, site: u32 },
    Link { e: Slot, a: Slot, p: u16 },
    Unlink { e: Slot, p: u16 },
    Reveal { a: Slot, to: Slot, how: Showing },
    // A value of so many words, or 0 of a list, is told to all.
    Tell { a: Slot, words: u8 },
    // Chance.
    Sample { zone: Slot, n: Slot },
    Shuffle { zone: Slot },
    Roll { d: Slot, a: Slot, b: Slot },
    Random { d: Slot, site: u32 },
    // Events.
    Verb { site: u32, args: Slot },
    // Events that happen at once: where they begin, one of them, and all of them.
    BatchStart { d: Slot },
    Propose { site: u32, args: Slot },
    Commit { from: Slot },
    Proceed { site: u32, args: Slot },
    // Jumps behind a checkpoint that does nothing, because nothing has changed or one is at hand.
    JumpClean { always: bool, to: u16 },
    // Jumps to a checkpoint at which anything may wait but the conditions of rules.
    JumpWaiting { to: u16 },
    // Jumps where nothing has changed that the condition of a check, or of a `becomes` clause, reads.
    JumpUnread { becomes: bool, index: u16, to: u16 },
    // Notes whether the condition of a `becomes` clause of a rule holds, and jumps if it has come true.
    JumpTurned { index: u16, a: Slot, to: u16 },
    // What has changed has been seen to.
    Settled,
    Checkpoint { always: bool },
    // Who does it stands before the arguments.
    Do { e: Slot, f: u16, args: Slot },
    Arm { site: u32 },
    // Decisions.
    // Takes the choice that was made before the procedure was entered, and jumps behind it, if there is one.
    Made { d: Slot, to: u16 },
    // Jumps behind the filter of a choice where it is asked of single candidates.
    Later { site: u32, to: u16 },
    // Jumps behind what an action can begin with where that is drawn.
    Drawn { action: u32, to: u16 },
    Choose { site: u32 },
    // Notes where the choices in secret that follow begin.
    Secret { d: Slot },
    ChooseAction { site: u32 },
    // The first seat of a set, from a seat on in seat order.
    FirstSeat { d: Slot, from: Slot, set: Slot },
    // Runs a window.
    Open { proc: u16, args: Slot },
    // Makes the innermost open window forget who has passed.
    OpenAgain,
    // A `repeat` in which somebody may be asked begins anew.
    Again,
    ChooseSplit { site: u32 },
    // Jumps to `to` if nobody is there to whom an offer could be made.
    OfferTo { site: u32, to: u16 },
    // Asks for the answer to an offer.
    Offer { site: u32 },
    ChooseOption { site: u32 },
    // Jumps to `to` if the answer is no.
    Ask { site: u32, to: u16 },
    Requires { a: Slot, site: u32 },
    Ensure { a: Slot },
    TurnFirst { site: u32, to: u16 },
    TurnNext { site: u32, to: u16 },
    // Ends a turn and begins the next, where nothing else happens between, and jumps; does nothing otherwise.
    TurnPass { site: u32, to: u16 },
    SpanStart { site: u32 },
    SpanEnd { site: u32 },
    // Goes on with what the hooks of an edge do, where nothing else waits there and nobody listens; jumps otherwise.
    EdgeOpen { site: u32, start: bool, to: u16 },
    // Goes on with what a verb does, where nobody listens; jumps otherwise.
    VerbOpen { site: u32, to: u16 },
    // A hook of an edge has acted, in its place.
    EdgeActed,
    // The end of a turn or phase whose hooks have acted.
    SpanOver { site: u32 },
    Win { a: Slot },
    Lose { a: Slot },
    DrawGame,
    EndGame,
    Note { site: u32 },
    // Writes a notation into the scratch text.
    Write { site: u32 },
}

impl Op {
    /// Whether it shows something to somebody: asks a question or writes a line.
    pub fn tells(self) -> bool {
        matches!(
            self,
            Op::Choose { .. }
                | Op::ChooseAction { .. }
                | Op::ChooseSplit { .. }
                | Op::ChooseOption { .. }
                | Op::Ask { .. }
                | Op::Offer { .. }
                | Op::Note { .. }
        )
    }
}

/// The size that the code counts on.
const _: () = assert!(std::mem::size_of::<Op>() == 8);
