//! How a game begins. What happens before the first draw is the same for every seed: the position there is kept, and the
//! next game with so many players begins with a copy of it.

use super::Machine;
use super::api::{Chance, GameError, Opening, Start};
use super::chance::generator;
use super::run::{self, NOT_BEGUN, Run};
use super::scratch::Scratch;
use super::state::{FrameKind, Fresh, State};
use crate::model::rules::{KindId, ProcId, ZoneId};
use crate::program::{NIL, ent, touch};
use rand_pcg::Pcg32;

/// The first position of a game, or the one before its first draw.
#[derive(Debug)]
pub(super) struct Begun {
    players: u8,
    chance: Chance,
    state: State,
    /// Before a draw: the work that may still be done before the first decision, and the turns that nobody decided in.
    left: Option<(u64, u64)>,
}

impl Begun {
    fn begins(&self, start: &Start) -> bool {
        (self.players, self.chance) == (start.players, start.chance)
    }
}

/// A game that is begun for the first time.
#[derive(Debug)]
pub(super) struct Beginning {
    /// The generator before anything was drawn.
    rng: Pcg32,
    /// The state before the first draw, and what was left to be done.
    before: Option<(Box<State>, (u64, u64))>,
    /// Whether something was drawn while an action was tried out before that: what is offered depends on the seed.
    tried: bool,
}

impl Beginning {
    /// Whether what other games begin with has been kept: what follows is this game's own.
    pub(super) fn is_over(&self) -> bool {
        self.before.is_some()
    }
}

impl Scratch {
    /// Whether somebody listens to what happens.
    pub(super) fn listens(&self) -> bool {
        let found = self.clamps.is_some() || self.upshots.is_some() || self.leaks.is_some() || self.way.is_some();
        found || self.trace.is_some() || self.heard.is_some()
    }
}

impl Run<'_> {
    /// Keeps the state before the first draw of a game. The instruction that draws is run again from there.
    pub(super) fn note_draw(&mut self) {
        let Some(beginning) = &mut self.x.beginning else { return };
        if beginning.before.is_some() || beginning.tried {
            return;
        }
        if self.x.probing > 0 {
            beginning.tried = true;
        }
        if beginning.tried || self.st.rng != beginning.rng {
            return;
        }
        let mut state = Box::new(self.st.clone());
        // An act of a script that draws is still among those to be done.
        if let Some(frame) = state.frames.last_mut().filter(|frame| frame.kind == FrameKind::Proc) {
            frame.pc -= 1;
        }
        beginning.before = Some((state, (self.x.budget, self.x.idle_turns)));
    }

    /// Puts every definition that begins in a zone there, in the order of the definitions.
    fn deal(&mut self) -> run::R<()> {
        let rules = self.p.rules.clone();
        for (index, entry) in rules.entries.iter().enumerate() {
            let Some(first) = self.p.entry_slots[index] else { continue };
            let Some(zone) = rules.begins_in(entry.kind).map(ZoneId::index) else { continue };
            let instance = usize::from(self.p.layout.zone_first[zone]);
            for copy in 0..u32::from(entry.copies) {
                let slot = (first + copy) as usize;
                self.init_entity(slot, KindId(entry.kind.index() as u32), index as i64);
                self.begin_in(slot, instance)?;
            }
        }
        self.st.free = self.p.static_slots as u32;
        self.st.fresh.from = self.p.layout.entity(self.p.static_slots) as u32;
        // Checks have not looked at anything yet.
        self.st.touched = touch::ALL;
        Ok(())
    }
}

impl Machine {
    /// Sets up a game and runs it to the first decision.
    ///
    /// # Errors
    /// [`GameError`] where the content makes a mistake that only play shows.
    pub fn start(&mut self, start: &Start) -> Result<State, GameError> {
        let mut state = State::default();
        self.start_in(&mut state, start)?;
        Ok(state)
    }

    /// The same, into the buffers of a state that is no longer needed.
    ///
    /// # Errors
    /// As [`Machine::start`].
    pub fn start_in(&mut self, state: &mut State, start: &Start) -> Result<(), GameError> {
        self.begin_in(state, start)?;
        super::order::mix(&self.program.layout, state);
        Ok(())
    }

    fn begin_in(&mut self, state: &mut State, start: &Start) -> Result<(), GameError> {
        let shared = !self.scratch.listens();
        if let Some(begun) = self.begun.as_ref().filter(|begun| shared && begun.begins(start)) {
            state.clone_from(&begun.state);
            state.rng = generator(start.seed);
            let Some((budget, idle_turns)) = begun.left else { return Ok(()) };
            let goes_on = |run: &mut Run<'_>| {
                (run.x.budget, run.x.idle_turns) = (budget, idle_turns);
                run.advance().map(|_| ())
            };
            return self.with(state, goes_on).map_err(|error| *error);
        }
        self.scratch.beginning = shared.then(|| Beginning { rng: generator(start.seed), before: None, tried: false });
        let made = self.start_with(start, self.program.rules.setup, &Opening::default());
        let beginning = self.scratch.beginning.take();
        *state = made?;
        if let Some(beginning) = beginning.filter(|beginning| !beginning.tried) {
            let whole = || (state.rng == beginning.rng).then(|| (state.clone(), None));
            let before = beginning.before.map(|(state, left)| (*state, Some(left)));
            self.begun = before.or_else(whole).map(|(state, left)| Begun {
                players: start.players,
                chance: start.chance,
                state,
                left,
            });
        }
        Ok(())
    }

    /// The same, at the position that a scenario writes down.
    ///
    /// # Errors
    /// As [`Machine::start`].
    pub fn start_at(&mut self, start: &Start, opening: &Opening) -> Result<State, GameError> {
        let mut state = self.start_with(start, opening.given.or(self.program.rules.setup), opening)?;
        super::order::mix(&self.program.layout, &mut state);
        Ok(state)
    }

    fn start_with(&mut self, start: &Start, setup: Option<ProcId>, opening: &Opening) -> Result<State, GameError> {
        let mut state = self.blank(start);
        state.keep_order = opening.keep_order;
        let salt = usize::from(self.program.layout.salt);
        if salt != 0 && opening.keep_order {
            state.mem[salt] = super::order::KEPT;
        }
        state.forced = opening.chance.iter().rev().cloned().collect();
        let flow = self.program.rules.flow;
        self.with(&mut state, |run| {
            run.deal()?;
            // Frames are worked from the last: setup first, then the flow.
            if let Some(flow) = flow {
                run.push_proc(flow, FrameKind::Proc, 0, NIL, &NOT_BEGUN)?;
            }
            if let Some(setup) = setup {
                run.push_proc(setup, FrameKind::Proc, 0, NIL, &NOT_BEGUN)?;
            }
            run.st.begins = opening.mover.map(|mover| mover.index() as u32);
            run.advance().map(|_| ())
        })
        .map_err(|error| *error)?;
        Ok(state)
    }

    /// A state before anything has happened.
    pub(super) fn blank(&self, start: &Start) -> State {
        let layout = &self.program.layout;
        let mut mem = vec![0; layout.fixed];
        mem[..layout.constants.len()].copy_from_slice(&layout.constants);
        mem[usize::from(layout.mover)] = NIL;
        mem[usize::from(layout.playing)] = (1_i64 << start.players) - 1;
        for (at, word) in &self.program.game_defaults {
            mem[*at] = *word;
        }
        for player in 0..layout.seats {
            let record = layout.players + player * layout.player_words;
            mem[record..record + layout.player_words].copy_from_slice(&self.program.player_defaults);
        }
        for board in &layout.boards {
            let sites = layout.boards.iter().position(|other| other.tops == board.tops);
            let count = sites.map_or(0, |index| usize::from(self.program.boards[index].sites));
            if board.places == 0 {
                mem[board.tops..board.tops + count].fill(-1);
            }
        }
        let w = usize::from(layout.site_set);
        for (index, region) in self.program.sites.regions.iter().enumerate() {
            for (to, word) in mem[layout.regions + index * w..][..w].iter_mut().zip(region) {
                *to = *word as i64;
            }
        }
        for slot in 0..layout.capacity {
            let record = layout.entity(slot);
            mem[record + ent::ENTRY] = -1;
            mem[record + ent::PLACE] = ent::NOWHERE;
            mem[record + ent::OWNER] = NIL;
            mem[record + ent::BENEATH] = -1;
        }
        let fresh = Fresh {
            from: layout.entity(0) as u32,
            to: layout.entity(layout.capacity) as u32,
            stride: layout.stride as u32,
        };
        State {
            mem,
            fresh,
            rng: generator(start.seed),
            chance: start.chance,
            players: start.players,
            ..State::default()
        }
    }
}
