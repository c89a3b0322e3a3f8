//! The compiled program of a game: flat tables and instructions over indices, made once from checked rules. The
//! engine runs it; nothing here holds text except for labels.
//!
//! What comes in: [`Rules`]. What goes out: a [`Program`]. What it must not know: files and the text of content.

mod actions;
mod ahead;
mod alike;
mod bearing;
mod board;
mod capacity;
mod checks;
mod choices;
mod code;
mod constants;
mod dump;
mod edges;
mod endless;
mod expand;
mod exprs;
mod folds;
mod functions;
mod gone;
mod hoist;
mod imagined;
mod in_place;
mod in_sight;
mod jumps;
mod labels;
mod later;
mod layout;
mod lines;
mod live;
mod memo;
mod notation;
mod offers;
mod op;
mod owned;
mod pruning;
mod reads;
mod regions;
mod scan;
mod setcode;
mod setwise;
mod share;
mod sites;
mod slide;
mod slot;
mod slow;
mod spread;
mod stacking;
mod stmts;
mod tabulate;
mod tally;
mod targets;
mod tiles;
mod tops;
mod unions;
mod values;

use crate::model::rules::walk;
pub use actions::Tried;
pub use bearing::Bearing;
pub use board::{
    Adjacency, NO_SITE, NO_SITES, SiteSet, Topology, WIDEST, each_member, each_word, has, insert, members,
};
pub use choices::first_type;
pub use endless::{REACH, Spot, board_of_thing};
pub use layout::{Layout, PropHome, QUIETLY, Repr, ent, repr};
pub use live::{KeptSets, LiveSet};
pub use memo::{Kept, MemoSite};
pub use op::{Op, Slot};
pub use reads::{prop_bit, touch, zone_bit};
pub use scan::{Read, ScanSite, Sought};
pub use sites::*;
pub use slide::{Slide, Words};
pub use slow::Asked;
pub use spread::Spread;
pub use tally::{Counted, Test};
pub use tiles::{Sides, Tiles, from as printed_at};
pub use walk::{each_expr, each_stmt, stmt_exprs};

use crate::base::{Diagnostics, Span};
use crate::core::Pass;
use crate::model::rules::{ClauseId, HookEvent, LocalId, ProcId, PropId, Rules, Stage};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The word that stands for a missing value.
pub const NIL: i64 = i64::MIN;

/// A compiled game.
#[derive(Debug)]
pub struct Program {
    /// What it was compiled from, for names and positions.
    pub rules: Arc<Rules>,
    /// Where everything lies in the state's memory.
    pub layout: Layout,
    /// All instructions.
    pub ops: Vec<Op>,
    /// The content line of each instruction.
    pub spans: Vec<Span>,
    /// Entry, window and parameters of each procedure.
    pub procs: Vec<ProcCode>,
    /// What actions need besides their procedure.
    pub actions: Vec<ActionCode>,
    /// For each procedure that is the body of an action whose choices must be tried on a scratch state, the instruction
    /// from which on nothing can make it a dead end any more; 0 for the others.
    pub tried: Vec<u32>,
    /// For each procedure, if it is the body of an action: the parts that its player can pass by, but in which there may be
    /// dead ends, as first and last instruction, the latter exclusive.
    pub byways: Vec<Vec<(u32, u32)>>,
    /// Whether nothing ever happens at a checkpoint: there are none then.
    pub quiet: bool,
    /// Slots whose entities are like no other, as a set.
    pub singles: Vec<i64>,
    /// Printed word fields by property, then definition.
    pub fields: Vec<Vec<i64>>,
    /// Printed list fields by property, then definition.
    pub list_fields: BTreeMap<(PropId, u32), Vec<i64>>,
    /// For each hook event and stage, its clauses: rules' first.
    pub hooks: BTreeMap<(HookEvent, Stage), Vec<ClauseId>>,
    /// For each verb, what may bear clauses that hook it.
    pub verb_hooked: Vec<Bearing>,
    /// For each turn or phase, what may bear clauses that hook its end and its start.
    pub span_hooked: Vec<[Bearing; 2]>,
    /// For each clause, what it hooks and at which stage.
    pub clause_events: Vec<Option<(HookEvent, Stage)>>,
    /// First slot of each definition whose copies begin in a zone.
    pub entry_slots: Vec<Option<u32>>,
    /// Slots that definitions begin with; later ones hold what is created in play.
    pub static_slots: usize,
    /// Printed fields of each kind that are stored with its entities: offset and property.
    pub kind_fields: Vec<Vec<(u16, PropId)>>,
    /// Whether these are all that is stored of one of each kind, so that nothing begins anew when it becomes another.
    pub kind_printed: Vec<bool>,
    /// The stats of each kind that are kept of what has gone, where, and whether also while nothing modifies them.
    pub kind_kept: Vec<Vec<(PropId, u16, bool)>>,
    /// The sets of existing entities that one of each kind is in: its own and those of its parents.
    pub kind_sets: Vec<Vec<u16>>,
    /// Stored properties of a new entity of each kind.
    pub kind_defaults: Vec<Vec<i64>>,
    /// Stored properties of a player at the start, and of the game.
    pub player_defaults: Vec<i64>,
    /// Address and value of each word of the game's properties.
    pub game_defaults: Vec<(usize, i64)>,
    /// For each property, the clauses that modify it.
    pub modifiers: Vec<Vec<ClauseId>>,
    /// For each property, what may bear clauses that modify it.
    pub bearings: Vec<Bearing>,
    /// Clauses checked at checkpoints, each with the mask of what it reads.
    pub checks: Vec<(ClauseId, u64)>,
    /// What any of those of rules reads.
    pub checked: u64,
    /// What any of the others reads.
    pub checked_borne: u64,
    /// What may bear these others.
    pub checkers: Bearing,
    /// Says whether the condition of a check of a rule holds, or that of a `becomes` clause of a rule has come true, if one procedure can.
    pub asking: Option<ProcId>,
    /// `becomes` clauses that are not armed, each with the mask of what it reads.
    pub becomes: Vec<(ClauseId, u64)>,
    /// What any of those of rules reads.
    pub becoming: u64,
    /// What may bear the others.
    pub becomers: Bearing,
    /// The hooks of each verb by stage: the dense form of [`Program::hooks`].
    pub verb_hooks: Vec<[Vec<ClauseId>; 4]>,
    /// Tables of the instructions that need more than eight bytes.
    pub sites: Sites,
    /// Sets of entities that lie elsewhere than in windows.
    pub kept: KeptSets,
    /// For each instruction that asks a question or writes a line, where it begins to be worked out what that says.
    pub asked: BTreeMap<u32, u32>,
    /// Geometry of the boards.
    pub boards: Vec<Topology>,
    /// The boards whose repetitions are asked for.
    pub repeats: Vec<u16>,
    /// Whether kind, owner and site say all that there is of a piece on which none lies.
    pub plain_pieces: bool,
    /// What is printed per direction on tiles.
    pub tiles: Tiles,
    /// The locals of each procedure that have no value, because it is worked out where it is used.
    pub gone: Vec<Vec<LocalId>>,
    /// Compiled scripts, by script.
    pub predicates: Predicates,
}

/// Code of a procedure.
#[derive(Clone, Debug)]
pub struct ProcCode {
    /// Index of its first instruction.
    pub entry: u32,
    /// Words of its window.
    pub frame: u16,
    /// Words its parameters take, after `me` and `this`.
    pub params: u16,
    /// Words of its result; 0 for statements.
    pub result: u16,
    /// The fixed place of its result, where it does nothing else.
    pub quick: Slot,
    /// The sets of entities in its window.
    pub sets: Vec<LiveSet>,
}

/// Code of an action beside its procedure.
#[derive(Clone, Debug)]
pub struct ActionCode {
    /// Its procedure.
    pub body: ProcId,
    /// Says whether every later choice has a candidate; takes the action's parameters.
    pub guard: Option<ProcId>,
    /// Whether first choices must be tried on a scratch state.
    pub lookahead: bool,
    /// Whether its first choice knows by itself which candidates lead somewhere, and when.
    pub ahead: Option<When>,
    /// Whether the filter of its first choice can be asked of single candidates.
    pub later: bool,
    /// Why first choices are tried out, where they do not know by themselves.
    pub tried: Option<Tried>,
    /// Works out how it is written once it is done; takes the words of all its locals.
    pub notation: Option<ProcId>,
    /// Its words: `play card`.
    pub words: String,
}

/// How many predicates over sets were compiled in which way, for `check --stats`.
#[derive(Clone, Debug, Default)]
pub struct Predicates {
    /// Became set algebra.
    pub algebra: usize,
    /// Are loops over the members.
    pub loops: Vec<Asked>,
}

/// Compiles checked rules.
///
/// # Errors
/// Diagnostics where the game exceeds a limit of the program: too much memory, too long a procedure.
pub fn compile(rules: Arc<Rules>) -> Result<Program, Diagnostics> {
    compile_with(rules, &Pass::ALL)
}

/// Compiles checked rules with some passes of the core only.
///
/// # Errors
/// As [`compile`] has.
pub fn compile_with(rules: Arc<Rules>, passes: &[Pass]) -> Result<Program, Diagnostics> {
    let made = crate::core::canonical(&rules, passes);
    Ok(Program { rules, gone: made.gone, ..code::compile(Arc::new(made.rules), passes)? })
}

impl Program {
    /// The code of a procedure.
    pub fn proc(&self, proc: ProcId) -> &ProcCode {
        &self.procs[proc.index()]
    }

    /// The clauses that hook an event at a stage.
    pub fn hooks_of(&self, event: HookEvent, stage: Stage) -> &[ClauseId] {
        match event {
            HookEvent::Verb(verb) => &self.verb_hooks[verb.index()][stage as usize],
            HookEvent::Span(..) => self.hooks.get(&(event, stage)).map_or(&[], Vec::as_slice),
        }
    }
}
