//! The state of a game: plain words and plain records, so that it can be cloned, compared, hashed and sent at any
//! decision.

use super::api::{Chance, DecisionKind};
use crate::program::{NIL, touch};
use rand_pcg::Pcg32;
use serde::{Deserialize, Serialize};

/// No index.
pub(super) const NONE: u32 = u32::MAX;

/// A game in progress.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
pub struct State {
    /// Fixed part and windows: see [`crate::program::Layout`].
    pub(super) mem: Vec<i64>,
    /// Suspended work, the innermost last.
    pub(super) frames: Vec<Frame>,
    /// Events under way, the innermost last.
    pub(super) events: Vec<Event>,
    /// Hooks that have acted in the lineages of the events under way.
    pub(super) used: Vec<Used>,
    /// Armed clauses.
    pub(super) arms: Vec<Arm>,
    /// What armed clauses captured.
    pub(super) arm_words: Vec<i64>,
    /// Scripts that are carried out, and what scripts have armed.
    pub(super) scripts: super::acts::Waiting,
    /// After-hooks that wait for the next checkpoint.
    pub(super) queue: Vec<Queued>,
    /// Their events' arguments.
    pub(super) queue_words: Vec<i64>,
    /// Events that are to happen at once.
    pub(super) batch: Vec<Batched>,
    /// Their arguments.
    pub(super) batch_words: Vec<i64>,
    /// `becomes` clauses whose condition held at the last checkpoint.
    pub(super) held: Vec<(u32, i64)>,
    /// Linked entities that were left behind and wait for their orphan block: entity and link.
    pub(super) orphans: Vec<(i64, u32)>,
    /// The decision at hand.
    pub(super) pending: Pending,
    /// Outcomes that the next chance decisions must have, last first.
    pub(super) forced: Vec<String>,
    pub(super) rng: Pcg32,
    pub(super) chance: Chance,
    pub(super) players: u8,
    /// What has changed since the last checkpoint: bits of [`touch`].
    pub(super) touched: u64,
    /// How many checkpoints are being worked through.
    pub(super) checking: u16,
    /// Complete turns.
    pub(super) turns: u32,
    /// Stamp of the next entity that enters a place.
    pub(super) stamp: i64,
    /// No slot below this one is free.
    pub(super) free: u32,
    /// Records of entities that were never used.
    pub(super) fresh: Fresh,
    /// Whether something was created in the slot of a card that began in a zone and left the game for good.
    pub(super) reused: bool,
    /// Seats that have won, once the game is over.
    pub(super) over: Option<u64>,
    /// The expression of who begins the outermost turns, where a scenario says so and they have not begun.
    pub(super) begins: Option<u32>,
    /// Whether shuffles leave the order of piles as it is.
    pub(super) keep_order: bool,
    /// Seats that are out, in the order of leaving.
    pub(super) eliminated: Vec<u8>,
    /// How boards were arranged at the ends of turns, and who was on turn, as hashes: of the boards that are asked.
    pub(super) past: Vec<u64>,
}

impl Default for State {
    /// A state without memory, to be filled by [`super::Machine::start_in`].
    fn default() -> Self {
        State {
            mem: Vec::new(),
            frames: Vec::new(),
            events: Vec::new(),
            used: Vec::new(),
            arms: Vec::new(),
            arm_words: Vec::new(),
            scripts: super::acts::Waiting::default(),
            queue: Vec::new(),
            queue_words: Vec::new(),
            batch: Vec::new(),
            batch_words: Vec::new(),
            held: Vec::new(),
            orphans: Vec::new(),
            pending: Pending::default(),
            forced: Vec::new(),
            rng: super::chance::generator(0),
            chance: Chance::Draw,
            players: 0,
            touched: 0,
            checking: 0,
            turns: 0,
            stamp: 0,
            free: 0,
            fresh: Fresh::default(),
            reused: false,
            over: None,
            begins: None,
            keep_order: false,
            eliminated: Vec::new(),
            past: Vec::new(),
        }
    }
}

impl Clone for State {
    fn clone(&self) -> Self {
        State {
            mem: self.mem.clone(),
            frames: self.frames.clone(),
            events: self.events.clone(),
            used: self.used.clone(),
            arms: self.arms.clone(),
            arm_words: self.arm_words.clone(),
            scripts: self.scripts.clone(),
            queue: self.queue.clone(),
            queue_words: self.queue_words.clone(),
            batch: self.batch.clone(),
            batch_words: self.batch_words.clone(),
            held: self.held.clone(),
            orphans: self.orphans.clone(),
            pending: self.pending.clone(),
            forced: self.forced.clone(),
            rng: self.rng.clone(),
            eliminated: self.eliminated.clone(),
            past: self.past.clone(),
            ..*self
        }
    }

    /// Copies into the buffers this state already has.
    fn clone_from(&mut self, source: &Self) {
        self.clone_memory(source);
        self.frames.clone_from(&source.frames);
        refill(&mut self.events, &source.events);
        refill(&mut self.used, &source.used);
        refill(&mut self.arms, &source.arms);
        refill(&mut self.arm_words, &source.arm_words);
        refill(&mut self.scripts.running, &source.scripts.running);
        refill(&mut self.scripts.armed, &source.scripts.armed);
        refill(&mut self.queue, &source.queue);
        refill(&mut self.queue_words, &source.queue_words);
        refill(&mut self.batch, &source.batch);
        refill(&mut self.batch_words, &source.batch_words);
        refill(&mut self.held, &source.held);
        refill(&mut self.orphans, &source.orphans);
        self.pending.clone_from(&source.pending);
        refill(&mut self.forced, &source.forced);
        refill(&mut self.eliminated, &source.eliminated);
        refill(&mut self.past, &source.past);
        self.rng = source.rng.clone();
        self.chance = source.chance;
        self.players = source.players;
        self.touched = source.touched;
        self.checking = source.checking;
        self.turns = source.turns;
        self.stamp = source.stamp;
        self.free = source.free;
        self.fresh = source.fresh;
        self.reused = source.reused;
        self.over = source.over;
        self.begins = source.begins;
        self.keep_order = source.keep_order;
    }
}

/// Records that are as a game begins with them: what stands in them depends only on how long one is, so that they need
/// not be copied from one state to another.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Fresh {
    /// Words of memory.
    pub from: u32,
    pub to: u32,
    /// Words of a record.
    pub stride: u32,
}

impl State {
    /// Copies the memory of another state into the buffer this one has.
    fn clone_memory(&mut self, source: &State) {
        let alike = (self.fresh.to, self.fresh.stride) == (source.fresh.to, source.fresh.stride);
        let (from, to) = (self.fresh.from.max(source.fresh.from) as usize, source.fresh.to as usize);
        if !alike || from >= to || self.mem.len() < to {
            self.mem.clone_from(&source.mem);
            return;
        }
        self.mem[..from].copy_from_slice(&source.mem[..from]);
        self.mem.truncate(to);
        self.mem.extend_from_slice(&source.mem[to..]);
    }

    /// How many words are copied from it into a state of the same game.
    pub(super) fn copied(&self) -> usize {
        self.mem.len() - (self.fresh.to - self.fresh.from.min(self.fresh.to)) as usize
    }

    /// About how much memory it takes, in bytes.
    pub fn bytes(&self) -> usize {
        self.mem.len() * 8 + self.frames.len() * 64 + self.pending.options.len() * 24 + 512
    }

    /// Notes a change, for the next checkpoint. Says [`touch::ALL`] where in doubt.
    #[inline]
    pub(super) fn touch(&mut self, what: u64) {
        self.touched |= what | touch::ANY;
    }

    /// Whether anything has changed since the last checkpoint.
    #[inline]
    pub(super) fn dirty(&self) -> bool {
        self.touched & touch::ANY != 0
    }
}

/// Copies a list that is usually empty.
#[inline]
fn refill<T: Clone>(list: &mut Vec<T>, source: &Vec<T>) {
    if source.is_empty() {
        list.clear();
    } else {
        list.clone_from(source);
    }
}

/// What a frame does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum FrameKind {
    /// Runs a procedure; returns to the frame beneath.
    Proc,
    /// Runs a pure procedure for the engine itself.
    Eval,
    /// An event's course.
    Event,
    /// An event's course, entered by `proceed`.
    Proceed,
    /// Events that happen at once.
    Batch,
    /// The start or end of a turn or phase.
    Edge,
    /// A checkpoint.
    Check,
    /// What a script has given back is carried out.
    Script,
}

/// Suspended work.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Frame {
    pub kind: FrameKind,
    /// How far an event, edge or checkpoint has come.
    pub stage: u8,
    /// Whether the window belongs to an action, and how it was entered.
    pub mode: Mode,
    /// Why its events happen: 0 ability, 1 rule, 2 cost.
    pub cause: u8,
    /// The procedure, or what the stage is about.
    pub proc: u32,
    /// The next instruction.
    pub pc: u32,
    /// First word of its window.
    pub base: u32,
    /// Where its result goes.
    pub ret: u32,
    /// The event whose body or hook this is, or [`NONE`].
    pub event: u32,
    /// Position in a list of hooks.
    pub cursor: u32,
    /// The card whose text this is.
    pub source: i64,
    /// A chosen value that the first choice takes.
    pub preset: i64,
}

/// How the procedure of an action was entered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Mode {
    /// Not an action.
    Plain,
    /// To see what its first choice could be.
    Collect,
    /// With its first choice made.
    Preset,
    /// As an action past its first choice.
    Action,
}

/// An event under way.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Event {
    pub verb: u32,
    /// Arguments: address and words.
    pub args: u32,
    pub words: u16,
    pub cause: u8,
    pub changed: bool,
    /// Who acts.
    pub actor: i64,
    /// Whose text it comes from.
    pub source: i64,
    /// Bit set of the rules that are ignored.
    pub ignoring: u64,
    /// Where its lineage begins in [`State::used`].
    pub lineage: u32,
    /// Whether it was replaced or stopped.
    pub done: bool,
    /// Which part of its course it is in, if it happens at once with others; 0 if not.
    pub part: u8,
    /// Bits of its arguments, word by word, that it has taken out of play or moved where they are not.
    pub gone: u32,
}

/// A hook that has acted in a lineage.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Used {
    pub clause: u32,
    pub source: i64,
    pub arm: u32,
}

/// An armed clause.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Arm {
    pub clause: u32,
    /// The card it is armed on, and who armed it.
    pub source: i64,
    pub me: i64,
    pub stamp: u32,
    pub until: Until,
    /// Announced too late: it stays, but does nothing.
    pub void: bool,
    /// Whether its card must keep its identity.
    pub bound: bool,
    /// Captured words.
    pub at: u32,
    pub words: u16,
}

/// When an armed clause ends.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(super) enum Until {
    Gone,
    EndOf(u32),
    StartOf(u32, i64),
    While(u32),
    Never,
}

/// One of several events that happen at once.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Batched {
    pub event: Event,
    /// The site of its verb's call.
    pub site: u32,
    /// Arguments in [`State::batch_words`].
    pub at: u32,
}

/// An after-hook that waits.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Queued {
    pub hook: Hook,
    pub event: Event,
    /// Arguments in [`State::queue_words`].
    pub at: u32,
}

/// A clause that stands: where, and for whom.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Hook {
    pub clause: u32,
    /// The entity whose text it is, or missing.
    pub source: i64,
    /// Stamp of the armed clause, or [`NONE`].
    pub arm: u32,
    /// For whom: the holder, or who armed it.
    pub me: i64,
}

/// The decision at hand.
#[derive(Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Pending {
    pub kind: PendingKind,
    /// Who decides; -1 for chance.
    pub seat: i64,
    /// Candidates: branch and value.
    pub options: Vec<Choice>,
    /// How many there are where they are not listed, but still in the set they are chosen from; else 0.
    pub open: u32,
    /// First choices of actions that are not listed, and the words of their sets.
    pub sets: Vec<OpenSet>,
    pub words: Vec<i64>,
    /// The site of the instruction.
    pub site: u32,
    /// What was picked so far.
    pub picked: Vec<i64>,
    /// Fewest and most.
    pub least: u32,
    pub most: u32,
    /// The answer, until the instruction takes it.
    pub answer: Option<Choice>,
}

impl Clone for Pending {
    fn clone(&self) -> Self {
        Pending {
            options: self.options.clone(),
            picked: self.picked.clone(),
            sets: self.sets.clone(),
            words: self.words.clone(),
            ..*self
        }
    }

    /// Copies into the buffers this decision already has.
    fn clone_from(&mut self, source: &Self) {
        let (mut options, mut picked) = (std::mem::take(&mut self.options), std::mem::take(&mut self.picked));
        let (mut sets, mut words) = (std::mem::take(&mut self.sets), std::mem::take(&mut self.words));
        refill(&mut options, &source.options);
        refill(&mut picked, &source.picked);
        refill(&mut sets, &source.sets);
        refill(&mut words, &source.words);
        *self = Pending { options, picked, sets, words, ..*source };
    }
}

impl Pending {
    /// Forgets the sets of first choices.
    #[inline]
    pub fn close(&mut self) {
        self.sets.clear();
        self.words.clear();
    }

    /// Which action an option is of.
    pub fn branch(&self, index: usize) -> Option<i32> {
        if self.open == 0 {
            return self.options.get(index).map(|choice| choice.branch);
        }
        let mut end = 0;
        let within = |set: &&OpenSet| {
            end += set.count as usize;
            index < end
        };
        self.sets.iter().find(within).map(|set| set.branch)
    }
}

/// The set of the first choice of an action, while it is not listed.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct OpenSet {
    pub branch: i32,
    /// Whether its members are entities; numbers otherwise.
    pub entities: bool,
    pub count: u32,
    /// Whether it stands in the memory, in the window of the frame that asks; in the words of the decision otherwise.
    pub here: bool,
    pub words: u8,
    /// Where it begins.
    pub at: u32,
}

/// A candidate.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Choice {
    pub branch: i32,
    pub value: i64,
    pub weight: u32,
}

/// `done` among candidates.
pub(super) const DONE: i32 = -1;
/// To pass, among the actions of a window.
pub(super) const PASS: i32 = -2;
/// A further pick that stands before the last one: the same picks can be made in order.
pub(super) const EARLIER: i32 = 1;

/// What is asked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum PendingKind {
    #[default]
    None,
    Choose,
    Action,
    Option,
    /// To whom the next thing goes.
    Split,
    Ask,
    /// The answer to an offer.
    Offer,
    /// Announce the hook in [`super::Machine`]'s frame.
    Announce,
    /// Which of several waiting hooks acts next.
    Trigger,
    /// The hook is optional.
    May,
    Draw,
    Roll,
    Random,
    /// A script asks somebody, or chance.
    Script,
    Fate,
}

impl PendingKind {
    pub fn public(self, several: bool, order: bool, number: bool) -> DecisionKind {
        match self {
            PendingKind::Action => DecisionKind::Action,
            PendingKind::Option => DecisionKind::Option,
            PendingKind::Split => DecisionKind::Split,
            PendingKind::Ask | PendingKind::May => DecisionKind::YesNo,
            PendingKind::Offer => DecisionKind::Offer,
            PendingKind::Announce => DecisionKind::Announce,
            PendingKind::Trigger => DecisionKind::Order,
            PendingKind::Draw | PendingKind::Roll | PendingKind::Random | PendingKind::Fate => DecisionKind::Chance,
            PendingKind::None | PendingKind::Choose | PendingKind::Script if order => DecisionKind::Order,
            PendingKind::None | PendingKind::Choose | PendingKind::Script if several => DecisionKind::Several,
            PendingKind::None | PendingKind::Choose | PendingKind::Script if number => DecisionKind::Number,
            PendingKind::None | PendingKind::Choose | PendingKind::Script => DecisionKind::One,
        }
    }
}

/// A reference to an entity: its slot and the generation of its identity.
pub(super) fn entity(index: usize, generation: i64) -> i64 {
    index as i64 | (generation << 16)
}

/// The slot of an entity, unless it is missing.
pub(super) fn slot_of(entity: i64) -> Option<usize> {
    (entity != NIL && entity >= 0).then_some((entity & 0xffff) as usize)
}

/// The generation in a reference.
pub(super) fn generation_of(entity: i64) -> i64 {
    entity >> 16
}
