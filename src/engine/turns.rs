//! Whole turns: where one ends, and how it is written. Nothing of it is in the state: whoever follows a turn is told
//! by the interpreter which actions and turns end, and keeps what it needs in a [`Turn`].
//!
//! A turn is what happens from a decision to the next decision after the end of a turn of the innermost `turns` that
//! decided, or to the end of the game. A turn of a `turns` in which nobody decides is none.

use super::Machine;
use super::api::{Chance, GameError, Status};
use super::run::{R, Run};
use super::state::{DONE, EARLIER, FrameKind, Mode, PendingKind, State};
use crate::program::{Program, TurnSite};

/// What stands between the parts of a turn's text.
pub const BETWEEN: &str = "; ";

/// What the interpreter tells while somebody listens.
#[derive(Clone, Debug)]
pub(super) enum Heard {
    /// An action was begun; its frame.
    Began(u32),
    /// How the action of a frame is written.
    Wrote(u32, String),
    /// A turn has ended.
    Ended(Loop),
}

/// A `turns` that is under way: its frame and its site.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Loop {
    frame: u32,
    site: u32,
}

/// A part of a turn's text.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Part {
    /// The frame of the action that is still to be written here.
    open: Option<u32>,
    text: String,
}

/// The keys of the options of a state, kept from one of them to the next; none before they are asked for.
#[derive(Clone, Debug, Default)]
pub struct Keys(Vec<String>);

/// A turn as far as it was followed with [`Machine::follow`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Turn {
    parts: Vec<Part>,
    /// Where decisions were made.
    decided: Vec<Loop>,
    silent: bool,
}

impl Turn {
    /// A turn of which only the end matters: nothing is written.
    pub fn silent() -> Turn {
        Turn { silent: true, ..Turn::default() }
    }

    /// The turn that comes next, followed in the same way.
    pub fn afresh(&self) -> Turn {
        Turn { silent: self.silent, ..Turn::default() }
    }

    /// The turn as people write it: the notations of its actions, and the keys of decisions that belong to none.
    pub fn text(&self) -> String {
        let parts = self.parts.iter().filter(|part| part.open.is_none()).map(|part| part.text.as_str());
        parts.collect::<Vec<_>>().join(BETWEEN)
    }

    /// The work of copying it.
    pub fn weight(&self) -> u64 {
        8 * self.parts.len() as u64
    }

    fn hear(&mut self, heard: Heard) {
        match heard {
            Heard::Began(frame) => self.parts.push(Part { open: Some(frame), text: String::new() }),
            Heard::Wrote(frame, text) => {
                // An action that was under way when the turn began to be followed has no place yet.
                match self.parts.iter_mut().rev().find(|part| part.open == Some(frame)) {
                    Some(part) => *part = Part { open: None, text },
                    None => self.parts.push(Part { open: None, text }),
                }
            }
            Heard::Ended(_) => {}
        }
    }

    /// Whether the end of a turn of `ended` also ends one that decided in this turn.
    fn ended_by(&self, program: &Program, ended: Loop) -> bool {
        let sites = &program.sites.turns;
        self.decided.iter().any(|decided| {
            ended.frame < decided.frame
                || ended.frame == decided.frame
                    && sites[ended.site as usize].holds(sites[decided.site as usize].range.0 + 1)
        })
    }
}

impl Machine {
    /// Whether any action of the game has a notation.
    pub fn notates(&self) -> bool {
        self.program.actions.iter().any(|action| action.notation.is_some())
    }

    /// Whether no `turns` can stand within another: then each end of a turn in which somebody has decided is the end of
    /// a whole turn, and all of them are counted.
    pub fn turns_are_plain(&self) -> bool {
        let program = &self.program;
        let procedure = |site: &TurnSite| {
            program.procs.iter().filter(|proc| proc.entry <= site.range.0).map(|proc| proc.entry).max()
        };
        let sites: Vec<&TurnSite> = program.sites.turns.iter().filter(|site| site.turns).collect();
        let [first, others @ ..] = &sites[..] else { return true };
        let apart = |(index, site): (usize, &&TurnSite)| {
            let within = |other: &&TurnSite| other.range.0 <= site.range.0 && site.range.1 <= other.range.1;
            site.outermost && !sites[..index].iter().chain(&sites[index + 1..]).any(within)
        };
        // One in a procedure may be under way while another procedure is called.
        others.iter().all(|site| procedure(site) == procedure(first))
            && (others.is_empty() || sites.iter().enumerate().all(apart))
    }

    /// Says who answers chance from here on.
    pub fn set_chance(&self, state: &mut State, chance: Chance) {
        state.chance = chance;
    }

    /// Whether an option only repeats, in another order, picks of several that other options also lead to.
    pub fn repeats(&self, state: &State, index: usize) -> bool {
        let pending = &state.pending;
        pending.kind == PendingKind::Choose && pending.options.get(index).is_some_and(|choice| choice.branch == EARLIER)
    }

    /// At least so many options are taken on all ways through the choice at hand: where several are picked one after
    /// another and no pick is tried out, one for each set that can be picked.
    pub fn least_ways(&self, state: &State) -> u64 {
        let pending = &state.pending;
        let site =
            self.program.sites.chooses.get(pending.site as usize).filter(|_| pending.kind == PendingKind::Choose);
        let several = site.is_some_and(|site| site.many.is_some() && !site.order);
        let Some(frame) = state.frames.last().filter(|_| several) else {
            return 0;
        };
        if super::trial::searched(&self.program, state, pending.seat, frame.pc + 1).is_some() {
            return 0;
        }
        let earlier = pending.options.iter().take_while(|choice| choice.branch == EARLIER).count();
        let free = pending.options.iter().skip(earlier).filter(|choice| choice.branch != DONE).count() as u64;
        let picked = pending.picked.len() as u64;
        let (least, most) = (u64::from(pending.least), u64::from(pending.most));
        let sizes = least.saturating_sub(picked)..=most.saturating_sub(picked).min(free);
        let mut counted = sizes.map(|size| subsets(free, size));
        counted.try_fold(0_u64, |ways, sets| ways.checked_add(sets?)).unwrap_or(u64::MAX)
    }

    /// Takes an option like [`Machine::choose`] and adds what happens to a turn. True if the turn is complete then.
    ///
    /// # Errors
    /// [`GameError`] as for [`Machine::choose`]; the state may be half way then.
    pub fn follow(&mut self, state: &mut State, index: usize, turn: &mut Turn) -> Result<bool, GameError> {
        self.follow_known(state, index, turn, &mut Keys::default())
    }

    /// Does the same where other options of a state were followed before: the keys are those of this state.
    ///
    /// # Errors
    /// As [`Machine::follow`].
    pub fn follow_known(
        &mut self,
        state: &mut State,
        index: usize,
        turn: &mut Turn,
        keys: &mut Keys,
    ) -> Result<bool, GameError> {
        if let Some(decides) = innermost(&self.program, state)
            && !turn.decided.contains(&decides)
        {
            turn.decided.push(decides);
        }
        if !turn.silent && !covered(&self.program, state, index) {
            if keys.0.is_empty() {
                keys.0 = self.look(state, |run| run.keys());
            }
            turn.parts.push(Part { open: None, text: keys.0.get(index).cloned().unwrap_or_default() });
        }
        self.scratch.heard = Some(Vec::new());
        self.scratch.silent = turn.silent;
        let status = self.choose(state, index);
        let unfinished = match &status {
            Ok(Status::Over) if !turn.silent => self.with(state, |run| run.hear_unfinished()).map_err(|error| *error),
            _ => Ok(()),
        };
        let heard = self.scratch.heard.take().unwrap_or_default();
        let over = status? == Status::Over;
        unfinished?;
        let mut complete = over;
        for item in heard {
            if let Heard::Ended(ended) = item {
                complete |= turn.ended_by(&self.program, ended);
            } else if !turn.silent {
                turn.hear(item);
            }
        }
        // A `turns` can also be left from within.
        Ok(complete || turn.decided.iter().any(|decided| !under_way(&self.program, state, *decided)))
    }
}

/// How many sets of a size there are among so many things; none if that is too large a number.
fn subsets(things: u64, size: u64) -> Option<u64> {
    let size = size.min(things.checked_sub(size)?);
    (0..size).try_fold(1_u64, |sets, taken| Some(sets.checked_mul(things - taken)? / (taken + 1)))
}

/// The innermost `turns` under way at a decision.
fn innermost(program: &Program, state: &State) -> Option<Loop> {
    state.frames.iter().enumerate().rev().find_map(|(frame, found)| {
        if found.kind != FrameKind::Proc {
            return None;
        }
        let sites = program.sites.turns.iter().enumerate();
        let around = sites.filter(|(_, site)| site.turns && site.holds(found.pc));
        let site = around.max_by_key(|(_, site)| site.range.0)?.0;
        Some(Loop { frame: frame as u32, site: site as u32 })
    })
}

fn under_way(program: &Program, state: &State, of: Loop) -> bool {
    state
        .frames
        .get(of.frame as usize)
        .is_some_and(|frame| frame.kind == FrameKind::Proc && program.sites.turns[of.site as usize].holds(frame.pc))
}

/// Whether the notation of an action tells of a decision: it chooses the action, or it is a step of its own.
fn covered(program: &Program, state: &State, index: usize) -> bool {
    let pending = &state.pending;
    match pending.kind {
        PendingKind::Action => {
            let Some(branch) = pending.branch(index) else { return false };
            let acts = &program.sites.actions[pending.site as usize].acts;
            // To pass is none of them.
            let act = usize::try_from(branch).ok().and_then(|branch| acts.get(branch));
            act.is_some_and(|act| program.actions[act.action.index()].notation.is_some())
        }
        PendingKind::Choose | PendingKind::Split | PendingKind::Option | PendingKind::Ask | PendingKind::Offer => {
            state.frames.last().is_some_and(|frame| {
                frame.kind == FrameKind::Proc
                    && frame.mode != Mode::Plain
                    && program
                        .rules
                        .actions
                        .iter()
                        .any(|action| action.body.index() == frame.proc as usize && action.notation.is_some())
            })
        }
        _ => false,
    }
}

impl Run<'_> {
    fn listening(&self) -> bool {
        self.x.heard.is_some() && self.x.probing == 0
    }

    fn hear(&mut self, item: Heard) {
        if let Some(heard) = &mut self.x.heard {
            heard.push(item);
        }
    }

    /// The action of the innermost frame has begun.
    pub fn hear_start(&mut self) {
        if self.listening() {
            self.hear(Heard::Began(self.st.frames.len() as u32 - 1));
        }
    }

    /// A turn that runs in a frame has ended.
    pub fn hear_end(&mut self, site: usize, frame: usize) {
        if self.listening() {
            self.hear(Heard::Ended(Loop { frame: frame as u32, site: site as u32 }));
        }
    }

    /// The procedure of a frame has come to its end. If it is an action, it is written.
    pub fn hear_action(&mut self, index: usize) -> R<()> {
        if !self.listening() || self.x.silent {
            return Ok(());
        }
        let frame = self.st.frames[index];
        if frame.kind != FrameKind::Proc || !matches!(frame.mode, Mode::Preset | Mode::Action) {
            return Ok(());
        }
        let action = self.p.rules.actions.iter().position(|action| action.body.index() == frame.proc as usize);
        let Some(notation) = action.and_then(|action| self.p.actions[action].notation) else { return Ok(()) };
        let base = frame.base as usize;
        let (me, this) = (self.st.mem[base], self.st.mem[base + 1]);
        let floor = self.st.frames.len();
        let window = self.push_proc(notation, FrameKind::Eval, me, this, &frame)?;
        let words = usize::from(self.p.procs[notation.index()].params);
        self.st.mem.copy_within(base + 2..base + 2 + words, window + 2);
        self.run(floor)?;
        let text = std::mem::take(&mut self.x.written);
        self.hear(Heard::Wrote(index as u32, text));
        Ok(())
    }

    /// The game has ended within actions: they are written as far as they went.
    fn hear_unfinished(&mut self) -> R<()> {
        for index in (0..self.st.frames.len()).rev() {
            self.hear_action(index)?;
        }
        Ok(())
    }
}
