//! Hidden states: another state that a seat cannot tell from the one it is in.

use super::Machine;
use super::api::Seat;
use super::budget::price;
use super::chance::{below, generator};
use super::identity::live_sets;
use super::run::{Flow, R, Run};
use super::state::{PendingKind, State, entity, slot_of};
use super::untold::Pointing;
use super::words::{Eyes, bits};
use crate::base::limits;
use crate::model::rules::{KindId, LocalId, Proc, Prop, PropClass, PropId, Rules, Showing, StmtKind, Ty};
use crate::program::{CreateWhat, Layout, Program, PropHome, QUIETLY, Repr, each_stmt, ent, touch};
use rand_pcg::Pcg32;
use std::collections::BTreeSet;

/// What is tried while a game is tested: whether a line of content tells a seat what it cannot know.
#[derive(Debug, Default)]
pub(super) struct Leaks {
    /// Decides what lies elsewhere.
    seed: u64,
    /// The line as a seat reads it in another game, while one is tried.
    trial: Option<(Seat, Option<String>)>,
    /// What was found, in words.
    pub found: Vec<String>,
    /// How many lines may still be tried before the next decision, and the work left for all of them.
    lines: u32,
    work: u64,
}

/// Most lines that are tried from one decision to the next: a line in a loop tells with its first turns what it tells.
const MOST_LINES: u32 = 100;
/// Units of work for all of them.
const TRIAL_WORK: u64 = limits::WORK / 10;

impl Leaks {
    /// A new decision: its lines may be tried.
    pub fn refill(&mut self) {
        (self.lines, self.work) = (MOST_LINES, TRIAL_WORK);
    }
}

/// Whether between two states of a game a seat came to know a card.
pub(super) fn has_learnt(program: &Program, then: &State, now: &State, seat: i64) -> bool {
    (0..i64::from(then.players)).contains(&seat) && (learnt(program, then, now) >> seat) & 1 == 1
}

/// The seats that came to know a card between two states of a game, as bits; what lies nowhere is known to all.
fn learnt(program: &Program, then: &State, now: &State) -> i64 {
    let known = |state: &State, slot: usize| {
        let record = program.layout.entity(slot);
        if state.mem[record + ent::PLACE] == ent::NOWHERE { -1 } else { state.mem[record + ent::KNOWN] }
    };
    (0..program.layout.capacity).fold(0, |seats, slot| seats | known(now, slot) & !known(then, slot))
}

impl Machine {
    /// Whether between two states of a game a seat came to know a card, or chance has decided something.
    pub fn has_learnt(&self, then: &State, now: &State) -> bool {
        then.rng != now.rng || learnt(&self.program, then, now) != 0
    }

    /// Begins to try each `note` of content in games that differ only in what a seat does not know.
    pub fn watch_notes(&mut self, seed: u64) {
        self.scratch.leaks = Some(Leaks { seed, ..Leaks::default() });
    }

    /// The lines since the last call that told a seat what it cannot know, in words.
    pub fn take_leaks(&mut self) -> Vec<String> {
        self.scratch.leaks.as_mut().map(|leaks| std::mem::take(&mut leaks.found)).unwrap_or_default()
    }

    /// The decision at hand in another game, which differs from this one only in what a seat does not know: what lies
    /// elsewhere was exchanged before the question and its options were worked out; only cards of these slots, if they are
    /// given. None where that cannot be done: something was picked already, or the engine itself asks.
    pub(super) fn asked_among(
        &mut self,
        state: &State,
        seat: Seat,
        seed: u64,
        among: Option<&BTreeSet<usize>>,
    ) -> Option<State> {
        let asks = matches!(
            state.pending.kind,
            PendingKind::Choose
                | PendingKind::Action
                | PendingKind::Option
                | PendingKind::Ask
                | PendingKind::Split
                | PendingKind::Offer
        );
        if state.over.is_some() || !asks || !state.pending.picked.is_empty() {
            return None;
        }
        let mut other = state.clone();
        let frame = other.frames.last_mut()?;
        frame.pc = *self.program.asked.get(&frame.pc)?;
        other.pending = Default::default();
        let trace = self.scratch.trace.take();
        let leaks = self.scratch.leaks.take();
        let rng = other.rng.clone();
        let run = self.with(&mut other, |run| {
            run.exchange_unknown(seat, seed, true, among);
            run.st.rng = rng.clone();
            let asked = run.advance().is_ok();
            // What the question drew for its options was drawn before: chance goes on from the same place in both games.
            run.st.rng = rng;
            asked
        });
        (self.scratch.trace, self.scratch.leaks) = (trace, leaks);
        run.then_some(other)
    }
}

impl Run<'_> {
    /// While a game is tested: whether a line would read otherwise in a game that differs only in what a seat does not
    /// know. In such a game, keeps the line and goes no further.
    pub fn try_note(&mut self, site: usize, base: usize) -> R<Option<Flow>> {
        if self.x.probing > 0 || self.x.leaks.is_none() {
            return Ok(None);
        }
        let trial = self.x.leaks.as_ref().and_then(|leaks| leaks.trial.as_ref()).map(|(seat, _)| *seat);
        if let Some(seat) = trial {
            let line = self.text(&self.p.sites.texts[site], base, Eyes::Of(Some(seat)));
            if let Some(leaks) = &mut self.x.leaks {
                leaks.trial = Some((seat, Some(line)));
            }
            return Ok(Some(Flow::Collected));
        }
        let depth = self.st.frames.len() - 1;
        let at = self.st.frames[depth].pc.saturating_sub(1);
        let Some(begin) = self.p.asked.get(&at).copied() else { return Ok(None) };
        let Some(leaks) = self.x.leaks.as_mut().filter(|leaks| leaks.lines > 0) else { return Ok(None) };
        leaks.lines -= 1;
        // What is tried is not paid for by the game: whether it is stopped must not depend on who watches.
        let budget = std::mem::replace(&mut self.x.budget, leaks.work);
        self.try_line(site, base, (depth, begin));
        let left = std::mem::replace(&mut self.x.budget, budget);
        if let Some(leaks) = &mut self.x.leaks {
            leaks.work = left;
        }
        Ok(None)
    }

    /// Tries a line for each seat: from an instruction of a frame on, in a game that differs in what the seat does not know.
    fn try_line(&mut self, site: usize, base: usize, (depth, begin): (usize, u32)) {
        for seat in 0..self.st.players {
            if self.spend(price::NOTE + self.st.mem.len() as u64).is_err() {
                return;
            }
            let line = self.text(&self.p.sites.texts[site], base, Eyes::Of(Some(seat)));
            let mut other = self.borrow_state();
            other.frames[depth].pc = begin;
            let seed = self.x.leaks.as_mut().map_or(0, |leaks| {
                leaks.seed = leaks.seed.wrapping_add(1);
                leaks.trial = Some((seat, None));
                leaks.seed
            });
            let trace = self.x.trace.take();
            let mut run = Run { p: self.p, st: &mut other, x: self.x, tongue: self.tongue };
            run.exchange_unknown(seat, seed, true, None);
            let ran = run.run(depth);
            self.x.trace = trace;
            self.x.pool.push(other);
            let Some(leaks) = &mut self.x.leaks else { break };
            let told = leaks.trial.take().and_then(|(_, told)| told).filter(|_| ran.is_ok());
            if let Some(told) = told.filter(|told| *told != line) {
                leaks.found.push(format!("a line tells seat({}) what it cannot know: `{line}` or `{told}`", seat + 1));
            }
        }
    }

    /// The seats that see where it lies which card or piece one is.
    fn onlookers(&self, slot: usize) -> i64 {
        let place = self.st.mem[self.p.layout.entity(slot) + ent::PLACE];
        usize::try_from(place).map_or_else(|_| self.lookers_at(slot), |instance| self.lookers(instance))
    }

    /// Notes who came to know what a card is, while somebody asks.
    pub fn learn(&mut self, slot: usize, known: i64) {
        if let Some(way) = &mut self.x.way {
            *way.learnt.entry(slot).or_default() |= known;
        }
    }

    /// Lets seats know what entities are, or takes that knowledge from the face of things.
    pub fn reveal(&mut self, set: usize, to: i64, how: Showing) {
        let (hide, all) = (how == Showing::Hides, (1 << self.st.players) - 1);
        let me = self.st.frames.last().and_then(|frame| u32::try_from(self.st.mem[frame.base as usize]).ok());
        for slot in self.present(set) {
            let known = self.p.layout.entity(slot) + ent::KNOWN;
            let before = self.st.mem[known];
            let quiet = |seats: i64| seats << QUIETLY;
            // Who shows somebody else a card that is known to both knows what was shown.
            let shows = me.is_some_and(|me| (before & !to) >> me & 1 == 1);
            // Nothing can be hidden from who sees where it lies.
            self.st.mem[known] = match (before | to) & !quiet(to) {
                _ if hide => match (before, to & !self.onlookers(slot)) {
                    (_, 0) => before,
                    (-1, gone) => (quiet(1) - 1) & !gone,
                    (_, gone) => before & !(gone | quiet(gone)),
                },
                _ if before == -1 => -1,
                _ if how == Showing::Quietly && to & all != all && !shows => before | to | quiet(to & !before),
                // Who is not there knows it, too: it is open.
                known if known & all == all && known & quiet(all) == 0 => -1,
                known => known,
            };
            self.learn(slot, self.st.mem[known]);
            if !hide && before & all != (before | to) & all {
                let shown = entity(slot, self.st.mem[self.p.layout.entity(slot) + ent::GENERATION]);
                self.trace_reveal(shown, to, how == Showing::Quietly);
            }
        }
    }

    /// Exchanges the places of cards the seat does not know, at random, and begins another line of chance.
    pub fn resample(&mut self, seat: Seat, seed: u64) {
        self.exchange_unknown(seat, seed, false, None);
    }

    /// Where `strict`, nothing is exchanged that stands in a set which somebody has put aside. Only cards of the slots
    /// `among` are, if there are any.
    fn exchange_unknown(&mut self, seat: Seat, seed: u64, strict: bool, among: Option<&BTreeSet<usize>>) {
        let mut rng = generator(seed);
        if !strict {
            self.forget(seat);
        }
        let pinned = if strict { self.put_aside() } else { self.stays_put() };
        let hidden: Vec<usize> = (0..self.p.layout.capacity)
            .filter(|slot| among.is_none_or(|among| among.contains(slot)))
            .filter(|slot| {
                let record = self.p.layout.entity(*slot);
                let place = self.st.mem[record + ent::PLACE];
                let lies = place >= 0 || self.back_of(record).is_some();
                lies && (self.st.mem[record + ent::KNOWN] >> seat) & 1 == 0 && !pinned.contains(slot)
            })
            .collect();
        let printed = self.printed_words();
        let pointing = if strict { Pointing::default() } else { self.references() };
        // Fisher and Yates, from the end.
        for index in (1..hidden.len()).rev() {
            let other = below(&mut rng, index as u32 + 1) as usize;
            self.exchange(hidden[index], hidden[other], &printed, &pointing);
        }
        // Other cards may come next now.
        for (set, _) in self.st.frames.iter().flat_map(|frame| live_sets(self.p, frame)).filter(|(_, shown)| *shown) {
            self.st.mem[set + usize::from(self.p.layout.entity_set)] = 0;
        }
        if among.is_none() {
            self.draw_anew(seat, &mut rng);
        }
        self.st.rng = rng;
        self.st.touched |= touch::ALL & !touch::ANY;
    }

    /// Slots of cards that something points at which was worked out before, and is not worked out again: all but what
    /// the statement at hand has written in the window of its frame.
    fn put_aside(&self) -> Vec<usize> {
        let capacity = self.p.layout.capacity.max(1);
        let Some(top) = self.st.frames.last() else { return Vec::new() };
        let base = top.base as usize;
        let mut slots: Vec<usize> = self.st.mem[..base].iter().filter_map(|word| self.current_slot(*word)).collect();
        let bound = bound_words(&self.p.rules, &self.p.layout, top.proc as usize);
        let bound = bound.into_iter().flat_map(|(at, words)| &self.st.mem[base + at..base + at + words]);
        slots.extend(bound.filter_map(|word| self.current_slot(*word)));
        slots.extend(self.kept_by_scripts());
        let mut sets: Vec<usize> = self.p.kept.fixed.clone();
        sets.extend(self.st.frames.iter().flat_map(|frame| live_sets(self.p, frame)).map(|(set, _)| set));
        for set in sets {
            let words = &self.st.mem[set..set + usize::from(self.p.layout.entity_set)];
            slots.extend(bits(words).into_iter().map(|bit| bit % capacity));
        }
        slots
    }

    /// The slot of what a word points at, if it is there still.
    pub(super) fn current_slot(&self, word: i64) -> Option<usize> {
        let slot = slot_of(word).filter(|slot| *slot < self.p.layout.capacity)?;
        (self.reference(slot) == word).then_some(slot)
    }

    /// Where the innermost frame goes on.
    pub fn next_pc(&self) -> i64 {
        self.st.frames.last().map_or(crate::program::NIL, |frame| i64::from(frame.pc))
    }

    /// What chance has printed on created cards, and the seat does not know, it prints anew.
    fn draw_anew(&mut self, seat: Seat, rng: &mut Pcg32) {
        for site in self.p.sites.creates.iter().filter(|site| !site.drawn.is_empty()) {
            let CreateWhat::Kind(kind) = site.what else { continue };
            for slot in 0..self.p.layout.capacity {
                let record = self.p.layout.entity(slot);
                let lies = self.st.mem[record + ent::PLACE] >= 0 || self.back_of(record).is_some();
                let lies = lies && self.st.mem[record + ent::ENTRY] < 0;
                let unknown = (self.st.mem[record + ent::KNOWN] >> seat) & 1 == 0;
                if !lies || !unknown || self.st.mem[record + ent::KIND] != kind.index() as i64 {
                    continue;
                }
                for (offset, random) in &site.drawn {
                    let values = &self.p.sites.randoms[*random].values;
                    let value = values[below(rng, values.len() as u32) as usize];
                    self.st.mem[record + usize::from(*offset)] = value;
                }
            }
        }
    }

    /// For each kind, where the fields of created things of it lie in their records: what is a field of one kind can be a mark of
    /// another in the same word.
    fn printed_words(&self) -> Vec<Vec<usize>> {
        let (rules, layout) = (&self.p.rules, &self.p.layout);
        let of_kind = |kind: usize| {
            let fields =
                (0..).map(PropId).zip(rules.props.iter().zip(&layout.props)).filter_map(|(id, (prop, home))| {
                    match (&prop.class, home) {
                        (PropClass::Field { .. }, PropHome::Entity(offset)) if self.has_prop(kind as i64, id) => {
                            Some((usize::from(*offset), layout.words(&prop.ty)))
                        }
                        _ => None,
                    }
                });
            fields.flat_map(|(offset, words)| offset..offset + usize::from(words)).collect()
        };
        (0..rules.kinds.len()).map(of_kind).collect()
    }

    /// Slots of cards by which something goes on, so that they cannot change places unseen: those whose text runs, what actions are
    /// offered with, what has armed something or waits, and what scripts keep.
    fn stays_put(&self) -> Vec<usize> {
        let running = self.st.frames.iter().filter_map(|frame| self.st.mem.get(frame.base as usize + 1));
        let waiting = self.st.queue_words.iter().chain(&self.st.batch_words);
        let armed = self.st.arms.iter().map(|arm| arm.source);
        let words = running.chain(waiting).copied().chain(armed).chain(self.offered_with());
        words.filter_map(|word| self.current_slot(word)).chain(self.kept_by_scripts()).collect()
    }

    /// Slots of cards that scripts keep.
    fn kept_by_scripts(&self) -> impl Iterator<Item = usize> + '_ {
        let kept = |slot: &usize| !self.st.scripts.is_empty() && self.st.scripts.mentions(self.reference(*slot));
        (0..self.p.layout.capacity).filter(kept)
    }

    /// What the actions are given that are offered now.
    fn offered_with(&self) -> impl Iterator<Item = i64> + '_ {
        let site = self.p.sites.actions.get(self.st.pending.site as usize);
        let acts = site.filter(|_| self.st.pending.kind == PendingKind::Action).map_or(&[][..], |site| &site.acts);
        let base = self.st.frames.last().map_or(0, |frame| frame.base as usize);
        acts.iter().flat_map(move |act| {
            let body = self.p.rules.procs.get(self.p.rules.actions[act.action.index()].body.index());
            let given = body.into_iter().flat_map(|body| locals_in(&self.p.layout, body).take(body.params.into()));
            let words = given.map(|(_, _, words)| words).sum();
            self.st.mem.iter().skip(super::run::at(base, act.args)).take(words).copied()
        })
    }

    /// What can be chosen now is chosen by where it lies: the other card lies there now.
    fn exchange_candidates(&mut self, a: usize, b: usize, pointing: &Pointing) {
        let (one, other) = (self.reference(a), self.reference(b));
        for choice in &mut self.st.pending.options {
            if choice.value == one {
                choice.value = other;
            } else if choice.value == other {
                choice.value = one;
            }
        }
        let site = self.p.sites.chooses.get(self.st.pending.site as usize);
        let site = site.filter(|site| self.st.pending.kind == PendingKind::Choose && site.repr == Repr::Entities);
        let (Some(site), Some(frame)) = (site, self.st.frames.last()) else { return };
        let set = super::run::at(frame.base as usize, site.from);
        if !pointing.sets.contains(&set) {
            self.exchange_members(set, a, b);
        }
    }

    /// If one of two cards is in a set, the other one is in its place.
    fn exchange_members(&mut self, set: usize, a: usize, b: usize) {
        let bit = |mem: &[i64], slot: usize| (mem[set + slot / 64] >> (slot % 64)) & 1;
        if bit(&self.st.mem, a) != bit(&self.st.mem, b) {
            self.st.mem[set + a / 64] ^= 1 << (a % 64);
            self.st.mem[set + b / 64] ^= 1 << (b % 64);
        }
    }

    /// The words in which cards of two kinds have not the same property.
    fn words_apart(&self, one: i64, other: i64) -> Vec<usize> {
        let layout = &self.p.layout;
        let apart = |(id, prop): (PropId, &Prop)| match layout.props[id.index()] {
            PropHome::Entity(offset) if self.has_prop(one, id) != self.has_prop(other, id) => {
                Some((usize::from(offset), usize::from(layout.words(&prop.ty))))
            }
            _ => None,
        };
        let words = (0..).map(PropId).zip(&self.p.rules.props).filter_map(apart);
        words.flat_map(|(offset, words)| offset..offset + words).collect()
    }

    /// Two cards change places, with all that belongs to the place: order, knowledge, marks, and what words that are
    /// `pointing` at one of them point at. What is printed on them does not, and cards of two kinds keep what they have in the same words.
    fn exchange(&mut self, a: usize, b: usize, printed: &[Vec<usize>], pointing: &Pointing) {
        let (ra, rb) = (self.p.layout.entity(a), self.p.layout.entity(b));
        let (pa, pb) = (self.st.mem[ra + ent::PLACE], self.st.mem[rb + ent::PLACE]);
        let (ka, kb) = (self.st.mem[ra + ent::KIND], self.st.mem[rb + ent::KIND]);
        if a == b || !self.may_lie_as(ka, rb) || !self.may_lie_as(kb, ra) {
            return;
        }
        let words = self.p.layout.entity_words;
        let apart = if ka == kb { Vec::new() } else { self.words_apart(ka, kb) };
        let printed = |kind: i64, offset: &usize| {
            usize::try_from(kind).ok().and_then(|kind| printed.get(kind)).is_some_and(|words| words.contains(offset))
        };
        // In a zone without an order, nothing says of which of the hidden things somebody is the owner.
        let lists = |place: i64| usize::try_from(place).map_or(0, |place| self.p.layout.instances[place].list);
        let together = pa == pb && pa >= 0 && lists(pa) == 0;
        let kept = |offset: &usize| {
            *offset == ent::GENERATION
                || together && *offset == ent::OWNER
                || printed(ka, offset)
                || printed(kb, offset)
                || apart.contains(offset)
        };
        for offset in (ent::PLACE..words).filter(|offset| !kept(offset)) {
            self.st.mem.swap(ra + offset, rb + offset);
        }
        for (slot, from, to) in [(a, pa, pb), (b, pb, pa)] {
            if from != to {
                self.list_in_place(slot, from, false);
                self.list_in_place(slot, to, true);
            }
        }
        self.exchange_on_boards(a, b);
        self.exchange_candidates(a, b, pointing);
        let (one, other) = (self.reference(a), self.reference(b));
        for at in &pointing.sets {
            self.exchange_members(*at, a, b);
        }
        for at in &pointing.words {
            let word = &mut self.st.mem[*at];
            *word = if *word == one {
                other
            } else if *word == other {
                one
            } else {
                *word
            };
        }
        let mut lists: Vec<usize> = [pa, pb].into_iter().map(lists).collect();
        lists.sort_unstable();
        lists.dedup();
        for list in lists.into_iter().filter(|list| *list != 0) {
            let length = self.st.mem[list] as usize;
            for item in &mut self.st.mem[list + 2..list + 2 + length] {
                if *item == a as i64 {
                    *item = b as i64;
                } else if *item == b as i64 {
                    *item = a as i64;
                }
            }
        }
    }
}

impl Run<'_> {
    /// Whether something of a kind could lie where another thing does, as far as those see who do not know which it is.
    fn may_lie_as(&self, kind: i64, record: usize) -> bool {
        let (rules, kind) = (&self.p.rules, KindId(kind as u32));
        match (usize::try_from(self.st.mem[record + ent::PLACE]), self.back_of(record)) {
            (Ok(instance), _) => {
                let zone = &rules.zones[self.p.layout.instances[instance].zone.index()];
                zone.holds.iter().any(|held| rules.is_below(kind, *held))
            }
            (Err(_), back) => back.is_some_and(|back| rules.is_below(kind, back)),
        }
    }

    /// Puts a thing into the sets of a place, or takes it out of them: of a zone, or of an endless board.
    fn list_in_place(&mut self, slot: usize, place: i64, there: bool) {
        let (set, in_play) = match usize::try_from(place) {
            Ok(instance) => {
                let info = self.p.layout.instances[instance];
                (Some(info.set), self.p.rules.zones[info.zone.index()].in_play)
            }
            Err(_) if place <= ent::ENDLESS => {
                (Some(self.p.layout.boards[(ent::ENDLESS - place) as usize].occupied), true)
            }
            Err(_) => (None, true),
        };
        let live = Some(usize::from(self.p.layout.in_play)).filter(|_| in_play);
        for set in set.into_iter().chain(live) {
            let word = &mut self.st.mem[set + slot / 64];
            *word = *word & !(1 << (slot % 64)) | i64::from(there) << (slot % 64);
        }
    }

    /// On boards, two pieces whose records have been exchanged are named in each other's place.
    fn exchange_on_boards(&mut self, a: usize, b: usize) {
        let (one, other) = (a as i64, b as i64);
        let swapped = |word: i64| match word {
            word if word == one => other,
            word if word == other => one,
            word => word,
        };
        let (p, lies) = (self.p, |run: &Self, slot: usize| run.lies_on(slot));
        let places: BTreeSet<(usize, i64)> = [a, b].into_iter().filter_map(|slot| lies(self, slot)).collect();
        if places.is_empty() {
            return;
        }
        for slot in 0..p.layout.capacity {
            let beneath = p.layout.entity(slot) + ent::BENEATH;
            self.st.mem[beneath] = swapped(self.st.mem[beneath]);
        }
        let (endless, ended): (BTreeSet<_>, BTreeSet<_>) =
            places.into_iter().partition(|(board, _)| p.layout.boards[*board].places > 0);
        for (board, site) in ended {
            let top = p.layout.boards[board].tops + site as usize;
            self.st.mem[top] = swapped(self.st.mem[top]);
            self.own_anew(board, site as usize);
        }
        for board in endless.into_iter().map(|(board, _)| board).collect::<BTreeSet<_>>() {
            let (tops, places) = (p.layout.boards[board].tops, p.layout.boards[board].places);
            // The index has the slot and one.
            for at in tops..tops + places {
                self.st.mem[at] = swapped(self.st.mem[at] - 1) + 1;
            }
        }
    }
}

/// Where the locals of a procedure lie that its statements bind, and how many words they take: not those of filters.
fn bound_words(rules: &Rules, layout: &Layout, proc: usize) -> Vec<(usize, usize)> {
    let Some(found) = rules.procs.get(proc) else { return Vec::new() };
    let mut bound: BTreeSet<usize> = (0..usize::from(found.params)).collect();
    each_stmt(found, &mut |stmt| match &stmt.kind {
        StmtKind::Local { local, .. }
        | StmtKind::ChooseOrder { local, .. }
        | StmtKind::ChooseSplit { local, .. }
        | StmtKind::Each { local, .. }
        | StmtKind::Roll { local, .. }
        | StmtKind::Random { local, .. } => {
            bound.insert(local.index());
        }
        StmtKind::Move { local, .. } | StmtKind::Create { local, .. } => bound.extend(local.map(LocalId::index)),
        StmtKind::Choose(choose) => {
            bound.insert(choose.local.index());
        }
        StmtKind::EachSecret { local, choose, .. } => bound.extend([local.index(), choose.local.index()]),
        StmtKind::Gate { chooses, .. } => bound.extend(chooses.iter().map(|choose| choose.local.index())),
        StmtKind::Offer(offer) => {
            bound.insert(offer.maker.index());
            bound.extend(offer.terms.iter().map(|terms| terms.local.index()));
        }
        _ => {}
    });
    let places = locals_in(layout, found).enumerate().filter(|(index, _)| bound.contains(index));
    // `me` and `this` are bound, too.
    std::iter::once((0, 2)).chain(places.map(|(_, (_, at, words))| (at, words))).collect()
}

/// The types of the locals of a procedure, where they lie in its window, and how many words they take.
pub(super) fn locals_in<'p>(layout: &'p Layout, proc: &'p Proc) -> impl Iterator<Item = (&'p Ty, usize, usize)> + 'p {
    // `me` and `this` come first.
    proc.locals.iter().scan(2, |next, local| {
        let (at, words) = (*next, usize::from(layout.words(&local.ty)));
        *next += words;
        Some((&local.ty, at, words))
    })
}
