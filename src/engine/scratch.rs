//! What the interpreter keeps from one step to the next and is no part of a game.

use super::api::{Clamp, Upshot};
use super::begin::Beginning;
use super::boards::Counts;
use super::budget::Rounds;
use super::cycles::Round;
use super::hidden::Leaks;
use super::playout::Playout;
use super::retold::Way;
use super::script::Scripts;
use super::state::{Arm, Choice, Hook, State};
use super::tiles::Turning;
use super::trace::Trace;
use super::turns::Heard;
use super::words::Eyes;
use crate::base::Span;
use crate::model::rules::ProcId;
use crate::program::{Program, Spread};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Buffers and settings that outlive a step.
#[derive(Debug, Default)]
pub(super) struct Scratch {
    pub pool: Vec<State>,
    pub result: Vec<i64>,
    /// A buffer for a value while others are worked out.
    pub spare: Vec<i64>,
    /// What was counted last of sets of sites, by their width.
    pub counted: Counts,
    /// How far sites lie through the set that was asked about last.
    pub spread: Spread,
    /// A buffer for the items of a list.
    pub items: Vec<i64>,
    pub hooks: Vec<Vec<Hook>>,
    pub collected: Vec<Choice>,
    /// How the first choices of the action at hand are collected.
    pub collecting: Collecting,
    /// How options are drawn while games are played out.
    pub playout: Playout,
    /// What may still be done before the next decision: see `budget.rs`.
    pub budget: u64,
    /// Turns since the last decision.
    pub idle_turns: u64,
    /// How often each `repeat` under way has gone round since then.
    pub idle_rounds: Vec<Rounds>,
    /// The game that is begun for the first time.
    pub beginning: Option<Beginning>,
    /// Whether this runs on a scratch state to see if an action can be completed.
    pub probing: u16,
    /// Of the picks at hand, how many were made before: only those after them need an order of their own.
    pub given_picks: usize,
    /// Whether a way through that action was given up because it has too many steps.
    pub too_deep: bool,
    /// Where ways through that action came to a dead end, while somebody asks.
    pub dead_ends: Option<Vec<State>>,
    /// The place of that action's frame.
    pub tried: usize,
    /// The price that is being tried.
    pub paying: Option<Paying>,
    pub trace: Option<Trace>,
    /// Values that did not fit into the range of what they were stored in, while somebody listens.
    pub clamps: Option<Vec<Clamp>>,
    /// What came of statements that move things or do something to them, with their content lines, while somebody listens.
    pub upshots: Option<Vec<(Upshot, Span)>>,
    /// The program, which a script holds on to while it looks at the game.
    pub program: Option<Arc<Program>>,
    pub scripts: Scripts,
    /// Turns and notations as they end, while somebody follows them.
    pub heard: Option<Vec<Heard>>,
    /// Whether who follows them only asks where turns end, and not how they are written.
    pub silent: bool,
    /// What the last notation wrote.
    pub written: String,
    /// Who reads the view that is being made.
    pub eyes: Eyes,
    /// Whether lines of content are tried in games that differ in what a seat cannot know, and what was found.
    pub leaks: Option<Leaks>,
    /// What a step does beside its changes, while somebody asks.
    pub way: Option<Way>,
    /// Whether actions that are looked at tell the question of their first choice, and what they told.
    pub asking: bool,
    pub prompt: Option<String>,
    /// How the piece is to lie that is being moved.
    pub turning: Option<Turning>,
    /// Why the last action that was looked at cannot be done: index of the reason.
    pub refusal: Option<u32>,
    /// What the rounds of the checkpoint at hand have done, once it has many.
    pub rounds: Vec<Round>,
    /// Sets of sites that looks ask for, in the view that is being made; none of those that fail.
    pub looked: BTreeMap<ProcId, Option<Vec<i64>>>,
    /// An armed clause that has just been used up; its captured words are still needed.
    pub spent: Option<Arm>,
}

/// A price that is tried on a copy of the state.
#[derive(Clone, Copy, Debug)]
pub(super) struct Paying {
    pub gate: u32,
    /// The place of the frame that the gate stands in.
    pub frame: usize,
    /// Whether something was missing: a counter left its range, or what pays was forbidden.
    pub short: bool,
}

/// How the first choices of an action are collected, and what became of it.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Collecting {
    pub wanted: Wanted,
    /// Whether the sets they are chosen from may stay sets.
    pub as_sets: bool,
    /// Which of the actions that are offered it is.
    pub branch: i32,
    /// Whether those that are alike are collected one by one, and whether some were merged.
    pub apart: bool,
    pub merged: bool,
    /// The only one that is looked at.
    pub only: Option<i64>,
    /// Whether what follows them has not been looked at.
    pub untried: bool,
}

/// How many first choices are asked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Wanted {
    #[default]
    All,
    /// It is asked whether there is one, where that needs no look at what follows.
    Whether,
    /// One is enough, if there is one.
    Any,
    /// One will be drawn from them, and only then it is looked at what follows it.
    Drawn,
}
