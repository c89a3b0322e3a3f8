//! The engine: a state that is plain data, and a machine that steps it from decision to decision.
//!
//! What comes in: a [`Program`]. What goes out: decisions, views, outcomes, changes. What it must not know: who decides
//! and why.
//!
//! The machine runs frames until somebody has to decide; then the suspended work is in the state, and the state can be
//! cloned, compared, hashed and sent. [`Machine::choose`] takes the answer and runs on.

mod acting;
mod acts;
mod ahead;
mod alike;
mod api;
mod batch;
mod begin;
mod blame;
mod boards;
mod budget;
mod chance;
mod check;
mod choose;
mod create;
mod cycles;
mod endless;
mod events;
mod facts;
mod fuel;
mod hidden;
mod hooks;
mod identity;
mod links;
mod lists;
mod looks;
mod memo;
mod moves;
mod offers;
mod opened;
mod ops;
mod order;
mod picks;
mod piles;
mod plain;
mod playout;
mod prices;
mod printed;
mod questions;
mod reference;
mod rehearse;
mod responses;
mod retold;
mod run;
mod scan;
mod scratch;
mod script;
mod sight;
mod slides;
mod split;
mod spots;
mod state;
mod straight;
mod tables;
#[cfg(test)]
mod tests;
mod tiles;
mod tongue;
mod trace;
mod trial;
mod triggers;
mod turns;
mod untold;
mod view;
mod words;

pub use api::*;
pub use chance::{below, generator};
pub use facts::{Fact, PUT};
pub use printed::Print;
pub use reference::{Breakdown, Comparison, Difference, Join, all_forms, forms_in};
pub(crate) use reference::{NOT_AMONG, OTHER_SORT};
pub use script::{MAX_OPERATIONS, ScriptError, compile as compile_script, sandbox};
pub use state::State;
pub use turns::{BETWEEN, Keys, Turn};

use crate::model::locale::Words;
use crate::model::rules::{ActionId, ProcId};
use crate::program::{NIL, OfferSite, Program, ent};
use budget::BUDGET;
use run::{Flow, NOT_BEGUN, Run};
use scratch::Scratch;
use state::PendingKind;
use std::sync::Arc;
use tongue::Tongue;
use words::Eyes;

/// Runs games of one program. It holds buffers and settings, no game: that is in the [`State`].
#[derive(Debug)]
pub struct Machine {
    program: Arc<Program>,
    scratch: Scratch,
    /// What people read, if that is in another language than the rules.
    words: Option<Arc<Words>>,
    /// How a game begins, as far as that is the same for every seed.
    begun: Option<begin::Begun>,
    /// Units of work from one decision to the next.
    limit: u64,
}

/// A value, as words and in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Value {
    words: Vec<i64>,
    text: String,
}

impl Value {
    /// Whether it is a flag that is set.
    pub fn truth(&self) -> bool {
        self.words.first() == Some(&1)
    }

    /// Its first word: a number, an enum value's index, a seat; the mask of a set of players.
    pub fn word(&self) -> i64 {
        self.words.first().copied().unwrap_or(NIL)
    }
}

impl std::fmt::Display for Value {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.text)
    }
}

impl Machine {
    /// A machine for a program.
    pub fn new(program: Arc<Program>) -> Machine {
        let limit = program.rules.work.unwrap_or(BUDGET);
        let scratch = Scratch { program: Some(Arc::clone(&program)), ..Scratch::default() };
        Machine { program, scratch, words: None, begun: None, limit }
    }

    /// Lets people read these words: views, questions, labels of options and the lines of changes for seats. Keys, and what the rules
    /// read, are the same in every language.
    pub fn speak(&mut self, words: Option<Arc<Words>>) {
        self.words = words;
    }

    /// The program it runs.
    pub fn program(&self) -> &Arc<Program> {
        &self.program
    }

    fn with<T>(&mut self, state: &mut State, f: impl FnOnce(&mut Run<'_>) -> T) -> T {
        self.refill_budget();
        self.scratch.rounds.clear();
        f(&mut Run { p: &self.program, st: state, x: &mut self.scratch, tongue: Tongue::of(&self.words) })
    }

    /// Looks at a state without changing it: expressions use its memory above the windows and give it back.
    fn look<T>(&mut self, state: &State, f: impl FnOnce(&mut Run<'_>) -> T) -> T {
        let mut copy = match self.scratch.pool.pop() {
            Some(mut copy) => {
                copy.clone_from(state);
                copy
            }
            None => state.clone(),
        };
        let (trace, heard) = (self.scratch.trace.take(), self.scratch.heard.take());
        let result = self.with(&mut copy, f);
        (self.scratch.trace, self.scratch.heard) = (trace, heard);
        self.scratch.pool.push(copy);
        result
    }

    /// What the game waits for.
    pub fn status(&self, state: &State) -> Status {
        if state.over.is_some() { Status::Over } else { Status::Decide }
    }

    /// Who decides; none for chance or when the game is over.
    pub fn seat(&self, state: &State) -> Option<Seat> {
        if state.over.is_some() { None } else { u8::try_from(state.pending.seat).ok() }
    }

    /// How many of the options of the decision at hand are those of the seat that decides: the first so many.
    pub fn own_count(&self, state: &State) -> usize {
        self.option_count(state) - usize::from(self.answers(state))
    }

    /// Whether the decision at hand is the answer to an offer.
    pub fn answers(&self, state: &State) -> bool {
        state.over.is_none() && state.pending.kind == PendingKind::Offer
    }

    /// Whether the decision at hand is a response in a window: its last option is to pass.
    pub fn responds(&self, state: &State) -> bool {
        let pending = &state.pending;
        state.over.is_none()
            && pending.kind == PendingKind::Action
            && self.program.sites.actions.get(pending.site as usize).is_some_and(|site| site.response.is_some())
    }

    /// Whose an option is.
    pub fn seat_of(&self, state: &State, index: usize) -> Option<Seat> {
        let decides = self.seat(state);
        if index < self.own_count(state) { decides } else { offers::maker(&self.program, state).or(decides) }
    }

    /// Number of options of the decision at hand.
    pub fn option_count(&self, state: &State) -> usize {
        match state.over {
            Some(_) => 0,
            None if state.pending.open > 0 => state.pending.open as usize,
            None => state.pending.options.len(),
        }
    }

    /// Relative weight of an option: 1, or more for a likelier outcome of chance.
    pub fn weight(&self, state: &State, index: usize) -> u32 {
        state.pending.options.get(index).map_or(1, |choice| choice.weight)
    }

    /// The decision at hand with its options' keys and labels, as the seat that decides reads it.
    pub fn decision(&mut self, state: &State) -> Option<Decision> {
        self.decision_for(state, Eyes::of(state.pending.seat))
    }

    fn decision_for(&mut self, state: &State, eyes: Eyes) -> Option<Decision> {
        state.over.is_none().then(|| self.look(state, |run| run.describe(eyes)))
    }

    /// Takes an option of the decision at hand and runs to the next decision. The state is unchanged on a wrong index.
    ///
    /// # Errors
    /// [`GameError`] as for [`Machine::start`].
    pub fn choose(&mut self, state: &mut State, index: usize) -> Result<Status, GameError> {
        self.refill_budget();
        let run = &mut Run { p: &self.program, st: state, x: &mut self.scratch, tongue: Tongue::of(&self.words) };
        let Some(choice) = run.option(index).filter(|_| run.st.over.is_none()) else {
            return Ok(self.status(state));
        };
        run.x.rounds.clear();
        run.st.pending.answer = Some(choice);
        run.st.pending.kind = PendingKind::None;
        run.advance().map_err(|error| *error)
    }

    /// The position of an option by its key.
    pub fn find(&mut self, state: &State, key: &str) -> Option<usize> {
        if state.over.is_some() {
            return None;
        }
        self.look(state, |run| run.keys().iter().position(|found| found == key))
    }

    /// Why actions are not offered now, in the decision at hand.
    pub fn refusals(&mut self, state: &State) -> Vec<Refusal> {
        if state.over.is_some() || state.pending.kind != PendingKind::Action {
            return Vec::new();
        }
        self.look(state, |run| run.refusals())
    }

    /// The chain of causes of the decision at hand, from the nearest.
    pub fn asking(&mut self, state: &State) -> Vec<CauseLink> {
        self.look(state, |run| run.causes())
    }

    /// What a seat sees, or a spectator.
    pub fn view(&mut self, state: &State, seat: Option<Seat>) -> View {
        let mut view = self.look(state, |run| run.view(Eyes::Of(seat)));
        view.decision = seat.and_then(|seat| self.question_to(state, seat));
        view.outcome = self.outcome(state);
        view
    }

    /// The decision at hand as a seat reads it, with what this seat may choose; none if it may choose nothing.
    pub fn question_to(&mut self, state: &State, seat: Seat) -> Option<Decision> {
        let asked = self.seat(state) == Some(seat) || offers::maker(&self.program, state) == Some(seat);
        asked.then(|| self.decision_for(state, Eyes::Of(Some(seat))))?.and_then(|decision| decision.of(Some(seat)))
    }

    /// Everything there is, for tests and their reports.
    pub fn view_all(&mut self, state: &State) -> View {
        let mut view = self.look(state, |run| run.view(Eyes::All));
        view.decision = self.decision_for(state, Eyes::All);
        view.outcome = self.outcome(state);
        view
    }

    /// How the game ended, once it is over.
    pub fn outcome(&mut self, state: &State) -> Option<Outcome> {
        let winners = state.over?;
        let lost = winners == 0 && state.mem[usize::from(self.program.layout.playing)] == 0;
        let winners = (0..state.players).filter(|seat| (winners >> seat) & 1 == 1).collect();
        Some(Outcome { winners, lost, scores: self.scores(state) })
    }

    /// Seats that won, as a mask, once the game is over: the cheap form of [`Machine::outcome`].
    pub fn winners(&self, state: &State) -> Option<u64> {
        state.over
    }

    /// The score of each seat now, if the game defines one.
    pub fn scores(&mut self, state: &State) -> Option<Vec<i64>> {
        self.program.rules.score?;
        self.look(state, |run| run.plain_scores())
    }

    /// The scores by which the seats are compared: of each one or several numbers, the first of which count first.
    pub fn full_scores(&mut self, state: &State) -> Option<Vec<Vec<i64>>> {
        self.program.rules.score?;
        self.look(state, |run| run.scores().ok().flatten())
    }

    /// How often the identity of what has this handle has changed; none if there is nothing.
    pub fn identity(&self, state: &State, handle: u32) -> Option<i64> {
        let layout = &self.program.layout;
        let record = layout.entity(handle as usize);
        let there = (handle as usize) < layout.capacity && state.mem[record + ent::PLACE] != ent::NOWHERE;
        there.then(|| state.mem[record + ent::GENERATION])
    }

    /// How many cards, pieces and things there are.
    pub fn things(&self, state: &State) -> usize {
        let layout = &self.program.layout;
        (0..layout.capacity).filter(|slot| state.mem[layout.entity(*slot) + ent::PLACE] != ent::NOWHERE).count()
    }

    /// A hash of all that can matter to the rest of the game.
    pub fn hash(&self, state: &State) -> u64 {
        let mut bytes: Vec<u8> = Vec::with_capacity(state.mem.len() * 8 + 512);
        for word in state.mem.iter() {
            bytes.extend_from_slice(&word.to_le_bytes());
        }
        let rest = (
            &state.frames,
            &state.events,
            &state.arms,
            &state.arm_words,
            &state.queue,
            (&state.batch, &state.batch_words),
            &state.held,
            &state.orphans,
            &state.pending,
            &state.rng,
            (state.touched, state.turns, state.stamp, state.over, &state.eliminated, &state.past, state.players),
            (state.begins, state.keep_order),
        );
        // Nothing of it can fail to be written.
        let _ = serde_json::to_writer(&mut bytes, &rest);
        if state.scripts != acts::Waiting::default() {
            let _ = serde_json::to_writer(&mut bytes, &state.scripts);
        }
        blake3::hash(&bytes).as_bytes()[..8].iter().fold(0, |hash, byte| hash << 8 | u64::from(*byte))
    }

    /// Complete turns so far.
    pub fn turns(&self, state: &State) -> u32 {
        state.turns
    }

    /// Begins or ends playing out, with draws of this seed. The decisions of a player whose options have to be tried out then have one
    /// option, drawn from those that they would have, each as likely: the others are not worked out. The states that follow are
    /// the same as without.
    pub fn play_out(&mut self, seed: Option<u64>) {
        self.scratch.playout = playout::Playout::new(seed);
    }

    /// Begins or ends the recording of changes.
    pub fn record(&mut self, on: bool) {
        self.scratch.trace = on.then(trace::Trace::default);
    }

    /// Begins or ends listening for values that do not fit into their range.
    pub fn listen_for_clamps(&mut self, on: bool) {
        self.scratch.clamps = on.then(Vec::new);
    }

    /// What did not fit since the last call.
    pub fn take_clamps(&mut self) -> Vec<Clamp> {
        self.scratch.clamps.as_mut().map(std::mem::take).unwrap_or_default()
    }

    /// Begins or ends listening for what comes of statements that move things or do something to them.
    pub fn listen_for_upshots(&mut self, on: bool) {
        self.scratch.upshots = on.then(Vec::new);
    }

    /// What came of such statements since the last call, with their content lines.
    pub fn take_upshots(&mut self) -> Vec<(Upshot, crate::base::Span)> {
        self.scratch.upshots.as_mut().map(std::mem::take).unwrap_or_default()
    }

    /// The changes recorded since the last call.
    pub fn take_changes(&mut self) -> Vec<Change> {
        self.scratch.trace.as_mut().map(trace::Trace::take).unwrap_or_default()
    }

    /// The value of an expression procedure without parameters, with `me` as the seat on turn.
    ///
    /// # Errors
    /// [`GameError`] where it cannot be worked out.
    pub fn eval(&mut self, state: &State, proc: ProcId) -> Result<Value, GameError> {
        let result = self.look(state, |run| run.eval_words(proc));
        result.map(|(words, text)| Value { words, text }).map_err(|error| *error)
    }

    /// A number of the player `seat`: a property by its name, `None` if there is none such.
    pub fn player_number(&mut self, state: &State, seat: Seat, name: &str) -> Option<i64> {
        let rules = &self.program.rules;
        let prop = *rules.player_props.iter().find(|prop| rules.props[prop.index()].name == name)?;
        self.look(state, |run| run.player_word(seat, prop))
    }

    /// Sets the outcomes of the next chance decisions, by key.
    pub fn force_chance(&mut self, state: &mut State, keys: Vec<String>) {
        state.forced = keys;
        state.forced.reverse();
    }

    /// Outcomes set with [`Machine::force_chance`] that have not come up yet.
    pub fn forced_left(&self, state: &State) -> Vec<String> {
        state.forced.iter().rev().cloned().collect()
    }

    /// Whether the generator of this seed has decided something on the way to a state.
    pub fn has_drawn(&self, state: &State, seed: u64) -> bool {
        state.rng != chance::generator(seed)
    }

    /// Another state that the seat cannot tell from this one: what it does not know lies elsewhere.
    pub fn resample(&mut self, state: &State, seat: Seat, seed: u64) -> State {
        let mut other = state.clone();
        self.with(&mut other, |run| run.resample(seat, seed));
        if self.secret(&other) && self.seat(&other) == Some(seat) {
            self.secrets_anew(&other, seat, seed).unwrap_or(other)
        } else {
            other
        }
    }

    /// Whether what is decided now stays unseen until others have decided too.
    pub fn secret(&self, state: &State) -> bool {
        self.secret_start(state).is_some()
    }

    /// The slot in which the choice at hand has noted where the choices in secret begin.
    fn secret_start(&self, state: &State) -> Option<crate::program::Slot> {
        let choosing = state.over.is_none() && state.pending.kind == PendingKind::Choose;
        self.program.sites.chooses.get(state.pending.site as usize).filter(|_| choosing)?.secret
    }

    /// The same decision of the seat, with what others have chosen in secret before it chosen anew.
    fn secrets_anew(&mut self, state: &State, seat: Seat, seed: u64) -> Option<State> {
        let slot = self.secret_start(state)?;
        let mut rng = chance::generator(!seed);
        let mut other = state.clone();
        let frame = other.frames.last_mut()?;
        let base = frame.base as usize;
        frame.pc = u32::try_from(other.mem[run::at(base, slot)]).ok()?;
        other.pending = Default::default();
        self.with(&mut other, |run| run.advance()).ok()?;
        while self.seat(&other)? != seat {
            self.secret_start(&other)?;
            let count = u32::try_from(self.own_count(&other)).ok()?;
            self.choose(&mut other, chance::below(&mut rng, count) as usize).ok()?;
        }
        for picked in &state.pending.picked {
            let options = self.look(&other, |run| run.options().to_vec());
            let index = options.iter().position(|option| option.value == *picked)?;
            self.choose(&mut other, index).ok()?;
        }
        (self.own_count(&other) == self.own_count(state)).then_some(other)
    }

    /// Size of a state in bytes, windows and buffers included.
    pub fn state_bytes(&self, state: &State) -> usize {
        std::mem::size_of::<State>()
            + state.mem.len() * 8
            + std::mem::size_of_val(state.frames.as_slice())
            + std::mem::size_of_val(state.events.as_slice())
            + std::mem::size_of_val(state.arms.as_slice())
            + state.arm_words.len() * 8
    }
}

impl Run<'_> {
    /// Runs to the next decision, or ends the game where nothing is left to do.
    fn advance(&mut self) -> run::R<Status> {
        let flow = self.run(0)?;
        if self.p.quiet {
            // Nobody asks what has changed.
            self.st.touched = 0;
        }
        match flow {
            Flow::Suspended => Ok(Status::Decide),
            Flow::Over => Ok(Status::Over),
            Flow::Returned | Flow::Collected | Flow::Completes | Flow::Go => {
                // The flow has come to its end: the best score wins, without scores it is a draw.
                if self.st.over.is_none() {
                    self.end_game()?;
                }
                Ok(Status::Over)
            }
        }
    }

    fn describe(&mut self, eyes: Eyes) -> Decision {
        let pending = self.st.pending.clone();
        let site = pending.site as usize;
        let top = self.st.frames.last().copied().unwrap_or(NOT_BEGUN);
        let base = top.base as usize;
        let chosen = (pending.kind == PendingKind::Choose).then(|| &self.p.sites.chooses[site]);
        let (several, order) = chosen.map_or((false, self.puts_in_order()), |info| (info.many.is_some(), info.order));
        let prompt = self.spoken(|run| run.prompt(eyes) + run.picked_so_far(eyes).as_str());
        let span = self.asking_line();
        let by = offers::maker(self.p, self.st);
        let offer = pending.kind == PendingKind::Offer;
        let terms = if offer { self.spoken(|run| run.offer_terms(site, base, eyes)) } else { Vec::new() };
        let ty = self.pending_type();
        let number = matches!(ty, crate::model::rules::Ty::Number)
            && (pending.kind != PendingKind::Script || self.asks_a_number());
        let response = pending.kind == PendingKind::Action && self.p.sites.actions[site].response.is_some();
        let turned = chosen.and_then(|info| info.turned).map(|piece| self.st.mem[run::at(base, piece)]);
        let keys = self.keys();
        let labels = self.labels(&keys);
        let options = self
            .options()
            .into_owned()
            .into_iter()
            .zip(keys.into_iter().zip(labels))
            .map(|(choice, (key, words))| {
                let ty = match pending.kind {
                    PendingKind::Action if choice.branch != state::PASS => {
                        self.first_type(self.p.sites.actions[site].acts[choice.branch as usize].action)
                    }
                    _ => ty.clone(),
                };
                let plain = matches!(
                    pending.kind,
                    PendingKind::Choose
                        | PendingKind::Action
                        | PendingKind::Split
                        | PendingKind::Draw
                        | PendingKind::Random
                );
                let target = match (plain, self.script_option(choice.value)) {
                    (true, _) => self.target(choice.value, &ty),
                    (false, Some((value, ty))) => self.target(value, &ty),
                    (false, None) => Target::None,
                };
                let own = pending.kind != PendingKind::Offer || choice.value != OfferSite::WITHDRAW;
                let seat = by.filter(|_| !own);
                let label = turned.and_then(|piece| self.turned_letter(piece, choice.value, eyes));
                let label = label.map_or(words.clone(), |drawn| format!("{words} {drawn}"));
                OptionInfo { label, key, seat, target, weight: choice.weight }
            })
            .collect();
        Decision {
            seat: u8::try_from(pending.seat).ok(),
            kind: match response {
                true => DecisionKind::Response,
                false if self.asks_yes_or_no() => DecisionKind::YesNo,
                false => pending.kind.public(several, order, number),
            },
            prompt,
            source: self.spoken(|run| run.asking_card(eyes)),
            terms,
            by,
            options,
            span,
        }
    }

    /// What an option points at: a card only if who decides knows it.
    fn target(&self, value: i64, ty: &crate::model::rules::Ty) -> Target {
        use crate::model::rules::Ty;
        match ty {
            _ if value == NIL => Target::None,
            Ty::Entity(_) if !self.is_seen(value, self.decider()) => {
                let lies = state::slot_of(value).and_then(|slot| self.lies_on(slot));
                lies.map_or(Target::None, |(board, site)| Target::Site { board: board as u32, site })
            }
            Ty::Entity(_) => state::slot_of(value).map_or(Target::None, |slot| Target::Entity(slot as u32)),
            Ty::Site(board) => Target::Site { board: board.index() as u32, site: value },
            Ty::Player => Target::Player(value as u8),
            Ty::Maybe(inner) => self.target(value, inner),
            _ => Target::None,
        }
    }

    fn refusals(&mut self) -> Vec<Refusal> {
        let p = self.p;
        let site = &p.sites.actions[self.st.pending.site as usize];
        let frame = self.st.frames.last().copied().unwrap_or(NOT_BEGUN);
        let base = frame.base as usize;
        let by = self.st.pending.seat;
        let options = self.options().into_owned();
        let first = options.iter().any(|choice| (0..site.first as i32).contains(&choice.branch));
        let offered: Vec<ActionId> = options
            .iter()
            .filter_map(|choice| usize::try_from(choice.branch).ok().and_then(|branch| site.acts.get(branch)))
            .map(|act| act.action)
            .collect();
        let (keys, words) = (self.keys(), self.spoken(|run| run.words()));
        let mut refusals: Vec<Refusal> = Vec::new();
        for (branch, act) in site.acts.iter().enumerate() {
            let span = self.action_span(act.action);
            if first && branch >= site.first {
                // INVARIANT: nothing of what stands behind `else` has been worked out, its arguments neither.
                let action = p.actions[act.action.index()].words.clone();
                if !offered.contains(&act.action) && !keys.contains(&action) {
                    refusals.push(Refusal {
                        action,
                        label: words.label(&p.rules.actions[act.action.index()].name),
                        reason: "something else must be done first".to_owned(),
                        span,
                        decides: None,
                    });
                }
                continue;
            }
            // Two offers may read the same, and what one of them cannot do the other can.
            let action = self.act_words(site, branch);
            if keys.contains(&action) {
                continue;
            }
            if options.iter().any(|choice| choice.branch == branch as i32) || self.is_said_before(site, branch, base) {
                continue;
            }
            let mut found = Vec::new();
            let args = run::at(base, act.args);
            let mut opened = self.openings(act.action, by, args, frame.event, &mut found);
            if opened.is_ok() && found.is_empty() && self.x.refusal.is_none() {
                // A guard knows that there is nothing to choose later; a condition that does not hold is said before that.
                opened = self.collect(act.action, by, args, frame.event, scratch::Collecting::default()).map(drop);
            }
            let reason = match (opened, self.x.refusal) {
                (Err(error), _) => error.message.clone(),
                (Ok(()), Some(reason)) if !p.sites.reasons[reason as usize].0.is_empty() => {
                    self.spoken(|run| run.said(&p.sites.reasons[reason as usize].0).to_owned())
                }
                (Ok(()), Some(_)) => "a condition of the action does not hold".to_owned(),
                (Ok(()), None) if !found.is_empty() => "something else must be done first".to_owned(),
                (Ok(()), None) => reference::NOTHING.to_owned(),
            };
            let label = self.spoken(|run| run.act_words(site, branch));
            refusals.push(Refusal { action, label, reason, span, decides: None });
        }
        refusals
    }

    fn action_span(&self, action: ActionId) -> crate::base::Span {
        self.p.rules.actions[action.index()].span
    }

    fn player_word(&mut self, seat: Seat, prop: crate::model::rules::PropId) -> Option<i64> {
        use crate::program::PropHome;
        let word = match self.p.layout.props[prop.index()] {
            PropHome::Player(offset) => {
                let at = self.p.layout.players + usize::from(seat) * self.p.layout.player_words + usize::from(offset);
                self.st.mem[at]
            }
            _ => {
                self.stat(i64::from(seat), prop).ok()?;
                self.x.result.first().copied()?
            }
        };
        (word != NIL).then_some(word)
    }
}
