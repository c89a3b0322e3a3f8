//! The same question, and the same choices, in another game that differs only in what a seat does not know: whether the
//! seat reads the same there. Hidden cards are exchanged before the first of the choices, so that what is worked out on the way, or kept in a
//! mark, is worked out anew.
//!
//! The law: what the rules do, they do openly. Where the other game goes another way (another statement changes something,
//! or the same one in another turn of a loop, or for somebody else), or where what lies on the table differs in the end,
//! the seat has seen why, and no more is compared. Else all that it reads must be the same: lines,
//! counters and marks, those of cards and pieces too, questions, options, and the sites on which the same pieces came to lie.

use super::Machine;
use super::api::{Change, Decision, Look, Seat, View};
use super::run::Run;
use super::state::State;
use crate::base::Span;
use crate::model::rules::{StmtKind, Ty, ZoneOrder};
use crate::program::{NIL, PropHome, each_stmt, ent};
use std::collections::{BTreeMap, BTreeSet};

/// How a game stands after a choice, and what was recorded on the way.
struct Step {
    state: State,
    changes: Vec<Change>,
    way: Way,
}

/// What a step does beside its changes.
#[derive(Debug, Default)]
pub(super) struct Way {
    /// Who came to know which cards, by slot.
    pub learnt: BTreeMap<usize, i64>,
    /// For each change, in which turns of the loops around it, and to whom or what, it happened.
    subjects: Vec<Vec<Subject>>,
    /// Whose property the change at hand is about.
    whose: Option<Subject>,
    /// What was rolled, and what values were told to all. In the other game chance may have had another number to draw before.
    rolled: Vec<i64>,
    /// What was picked at random of several that are one option.
    picked: Vec<Subject>,
}

/// What a loop has come to, or whose a property is.
#[derive(Clone, Debug)]
struct Subject {
    word: i64,
    /// The seats that know what it is, as bits.
    known: i64,
    /// What all see of it: where it lies, and what lies open on its back.
    lies: Vec<i64>,
}

const ALL_KNOW: i64 = -1;

impl Machine {
    /// What a seat is asked otherwise in another game, or reads otherwise there after the same choices, in words: none if
    /// it reads the same, or cannot compare the two.
    pub fn retold(&mut self, from: &State, choices: &[usize], seat: Seat, seed: u64) -> Option<(String, Span)> {
        let heard = (self.scratch.leaks.take(), self.scratch.trace.take(), self.scratch.clamps.take());
        let upshots = self.scratch.upshots.take();
        let found = self.asked_otherwise(from, seat, seed);
        let found = found.map(|found| (found, self.content_line(from)));
        let found = found.or_else(|| self.told_otherwise(from, choices, seat, seed));
        (self.scratch.leaks, self.scratch.trace, self.scratch.clamps) = heard;
        self.scratch.upshots = upshots;
        found
    }

    /// What comes next may show the cards that a question tells of, so here they are exchanged too.
    fn asked_otherwise(&mut self, state: &State, seat: Seat, seed: u64) -> Option<String> {
        let asked = self.question_to(state, seat)?;
        let other = self.asked_among(state, seat, seed, None)?;
        let again = self.question_to(&other, seat);
        (again.as_ref() != Some(&asked)).then(|| other_question(seat, Some(&asked), again.as_ref()))
    }

    /// The content line at which a game stands.
    fn content_line(&mut self, state: &State) -> Span {
        self.look(state, |run| run.causes().first().map(|cause| cause.span)).unwrap_or_default()
    }

    fn told_otherwise(&mut self, from: &State, choices: &[usize], seat: Seat, seed: u64) -> Option<(String, Span)> {
        let (steps, keys) = self.taken(from, choices)?;
        let learnt = |slot: usize| {
            let seen = |step: &Step| step.way.learnt.get(&slot).is_some_and(|known| (known >> seat) & 1 == 1);
            steps.iter().any(|step| seen(step) || self.is_known(&step.state, slot, seat))
        };
        let unknown: BTreeSet<usize> = (0..self.program.layout.capacity)
            .filter(|slot| !self.is_known(from, *slot, seat) && !learnt(*slot))
            .collect();
        if unknown.len() < 2 {
            return None;
        }
        let mut other = self.asked_among(from, seat, seed, Some(&unknown))?;
        let befores = std::iter::once(from).chain(steps.iter().map(|step| &step.state));
        for (((step, key), choice), before) in steps.iter().zip(&keys).zip(choices).zip(befores) {
            let index = self.find(&other, key)?;
            // An option that stands for several is one of them by chance.
            if self.drawn(before, *choice, seat) != self.drawn(&other, index, seat) {
                return None;
            }
            let again = self.step(&mut other, index)?;
            match self.compare(before, step, &again, seat) {
                Ok(true) => {}
                Ok(false) => return None,
                Err(found) => return Some((found, self.content_line(&step.state))),
            }
        }
        None
    }

    /// The states after each of some choices, and the keys of these.
    fn taken(&mut self, from: &State, choices: &[usize]) -> Option<(Vec<Step>, Vec<String>)> {
        let mut state = from.clone();
        let (mut steps, mut keys) = (Vec::new(), Vec::new());
        for index in choices {
            let decision = self.decision(&state)?;
            keys.push(decision.options.get(*index)?.key.clone());
            steps.push(self.step(&mut state, *index)?);
        }
        Some((steps, keys))
    }

    /// The pieces that a step has moved or made, by slot.
    fn moved(&self, before: &State, after: &State) -> Vec<usize> {
        let lies = |state: &State, slot: usize| {
            let record = self.program.layout.entity(slot);
            let place = state.mem[record + ent::PLACE];
            let on_board = place == ent::ON_BOARD || place <= ent::ENDLESS;
            on_board.then(|| (place, state.mem[record + ent::SITE], state.mem[record + ent::GENERATION]))
        };
        (0..self.program.layout.capacity).filter(|slot| lies(before, *slot) != lies(after, *slot)).collect()
    }

    /// The thing that an option is or stands for, as far as a seat knows it.
    fn drawn(&mut self, state: &State, index: usize, seat: Seat) -> Option<Vec<i64>> {
        self.look(state, |run| {
            let value = run.option(index)?.value;
            run.current_slot(value).map(|_| run.subject(value).as_seen_by(seat).to_vec())
        })
    }

    fn step(&mut self, state: &mut State, index: usize) -> Option<Step> {
        self.record(true);
        self.scratch.way = Some(Way::default());
        let ran = self.choose(state, index);
        let (changes, way) = (self.take_changes(), self.scratch.way.take().unwrap_or_default());
        self.record(false);
        ran.ok().map(|_| Step { state: state.clone(), changes, way })
    }

    fn is_known(&self, state: &State, slot: usize, seat: Seat) -> bool {
        let record = self.program.layout.entity(slot);
        state.mem[record + ent::PLACE] == ent::NOWHERE || (state.mem[record + ent::KNOWN] >> seat) & 1 == 1
    }

    /// Whether both went the same way and look the same, so that the comparison can go on; or what the seat reads
    /// otherwise although they do.
    fn compare(&mut self, before: &State, real: &Step, other: &Step, seat: Seat) -> Result<bool, String> {
        let same_way = real.changes.len() == other.changes.len()
            && real.changes.iter().zip(&other.changes).all(|(one, two)| place(one) == place(two))
            && read_by(&real.way, seat) == read_by(&other.way, seat)
            && picked_by(&real.way, seat).eq(picked_by(&other.way, seat));
        let slots = 0..self.program.layout.capacity;
        let mut known =
            slots.map(|slot| self.is_known(&real.state, slot, seat) == self.is_known(&other.state, slot, seat));
        let seen = |step: &Step| {
            step.way.learnt.iter().filter(|(_, by)| (*by >> seat) & 1 == 1).map(|(slot, _)| *slot).collect::<Vec<_>>()
        };
        if seen(real) != seen(other)
            || real.way.rolled != other.way.rolled
            || !same_way
            || !known.all(|same| same)
            || real.state.over.is_some() != other.state.over.is_some()
        {
            return Ok(false);
        }
        let (mut one, mut two) = (self.view(&real.state, Some(seat)), self.view(&other.state, Some(seat)));
        let (asked, again) = (one.decision.take(), two.decision.take());
        let rules = &self.program.rules;
        let open = rules.props.iter().filter(|prop| prop.open).map(|prop| rules.label(&prop.name)).collect();
        let (counts, recounts) = (counters(&mut one, &open), counters(&mut two, &open));
        let lies_otherwise = one.boards != two.boards;
        if lies_otherwise && self.moved(before, &real.state) != self.moved(before, &other.state) {
            return Ok(false);
        }
        (one.boards, two.boards) = (Vec::new(), Vec::new());
        if one.deciding == two.deciding && one != two || one.outcome != two.outcome {
            return Ok(false);
        }
        for (line, told) in real.changes.iter().zip(&other.changes).filter(|(line, _)| line.said) {
            let read = |change: &Change| change.text.get(usize::from(seat)).cloned().unwrap_or_default();
            if read(line) != read(told) {
                return Err(format!(
                    "a line tells seat({}) what it cannot know: `{}`, or `{}` in another game",
                    seat + 1,
                    read(line),
                    read(told)
                ));
            }
        }
        if lies_otherwise {
            return Err(format!("seat({}) is shown what it cannot know by where pieces lie", seat + 1));
        }
        if counts != recounts {
            // What both say lies elsewhere, where each of them is there in both.
            let at = counts.iter().zip(&recounts).position(|(count, recount)| count != recount).unwrap_or_default();
            let only = |these: &[String], those: &[String]| {
                let found = these.iter().find(|count| !those.contains(count)).or_else(|| these.get(at));
                found.map_or_else(|| "nothing".to_owned(), |count| format!("`{count}`"))
            };
            let (count, recount) = (only(&counts, &recounts), only(&recounts, &counts));
            return Err(format!("seat({}) is shown what it cannot know: {count} or {recount}", seat + 1));
        }
        let asks = |state: &State| state.frames.iter().map(|frame| (frame.proc, frame.pc)).collect::<Vec<_>>();
        // Who has nothing to do is passed over openly.
        let mover = |state: &State| state.mem[usize::from(self.program.layout.mover)];
        if real.state.over.is_some()
            || asks(&real.state) != asks(&other.state)
            || mover(&real.state) != mover(&other.state)
        {
            return Ok(false);
        }
        if one.deciding != two.deciding {
            // So is who has nothing to do in a turn of a loop.
            let turns = |machine: &mut Self, state: &State| {
                let turns = machine.look(state, |run| run.turns_of_loops());
                turns.iter().map(|turn| turn.as_seen_by(seat).to_vec()).collect::<Vec<_>>()
            };
            if turns(self, &real.state) != turns(self, &other.state) {
                return Ok(false);
            }
            let (this, that) = (in_short(asked.as_ref()), in_short(again.as_ref()));
            return Err(format!("who is asked tells seat({}) what it cannot know: {this} / {that}", seat + 1));
        }
        if asked != again {
            return Err(other_question(seat, asked.as_ref(), again.as_ref()));
        }
        Ok(true)
    }
}

fn other_question(seat: Seat, asked: Option<&Decision>, again: Option<&Decision>) -> String {
    let (this, that) = (in_short(asked), in_short(again));
    format!("the question to seat({}) tells what it cannot know: {this} / {that}", seat + 1)
}

fn in_short(decision: Option<&Decision>) -> String {
    decision.map_or("it is asked nothing".to_owned(), Decision::in_short)
}

/// Where a change comes from, and of what sort it is.
fn place(change: &Change) -> (bool, bool, u16, Vec<Span>) {
    (change.said, change.pass, change.depth, change.causes.iter().map(|cause| cause.span).collect())
}

/// The subjects of all changes, as far as a seat knows them.
fn read_by(way: &Way, seat: Seat) -> Vec<Vec<&[i64]>> {
    way.subjects.iter().map(|subjects| subjects.iter().map(|subject| subject.as_seen_by(seat)).collect()).collect()
}

/// What was picked at random, as far as a seat knows it.
fn picked_by(way: &Way, seat: Seat) -> impl Iterator<Item = &[i64]> {
    way.picked.iter().map(move |subject| subject.as_seen_by(seat))
}

impl Subject {
    /// Something that all know.
    fn known(word: i64) -> Subject {
        Subject { word, known: ALL_KNOW, lies: Vec::new() }
    }

    /// What it is, if a seat knows that, or where it lies.
    fn as_seen_by(&self, seat: Seat) -> &[i64] {
        if (self.known >> seat) & 1 == 1 { std::slice::from_ref(&self.word) } else { &self.lies }
    }
}

impl Run<'_> {
    /// Notes what was rolled, while somebody asks.
    pub fn note_roll(&mut self, value: i64) {
        if let Some(way) = self.x.way.as_mut().filter(|_| self.x.probing == 0) {
            way.rolled.push(value);
        }
    }

    /// Notes what value all are told, while somebody asks: of so many words, or 0 of a list.
    pub fn note_told(&mut self, at: usize, words: usize) {
        if let Some(way) = self.x.way.as_mut().filter(|_| self.x.probing == 0) {
            let words = if words == 0 { 1 + usize::try_from(self.st.mem[at]).unwrap_or(0) } else { words };
            way.rolled.extend(&self.st.mem[at..at + words]);
        }
    }

    /// Notes what was picked at random, while somebody asks: who knows it sees which one it was, and all see where it lies.
    pub fn note_picked(&mut self, value: i64) {
        if self.x.way.is_none() || self.x.probing > 0 {
            return;
        }
        let picked = self.subject(value);
        if let Some(way) = &mut self.x.way {
            way.picked.push(picked);
        }
    }

    /// The site on which a thing lies, and how many lie beneath it.
    fn in_stack(&self, value: i64) -> Option<(i64, i64)> {
        let slot = self.current_slot(value)?;
        let (_, site) = self.lies_on(slot)?;
        Some((site, self.lies_behind(slot) as i64))
    }

    /// Says whose property the next change is about, and what it was before, while somebody asks.
    pub fn note_whose(&mut self, entity: Option<i64>, player: Option<i64>, before: i64) {
        if self.x.way.is_none() || self.x.probing > 0 {
            return;
        }
        let whose = entity.map(|entity| {
            let mut subject = self.subject(entity);
            subject.lies.push(before);
            subject
        });
        let whose = whose.or(player.map(Subject::known));
        if let Some(way) = &mut self.x.way {
            way.whose = whose;
        }
    }

    /// Notes in which turns of which loops the change at hand happens, and to whom or what.
    pub fn note_turns(&mut self) {
        if self.x.way.is_none() {
            return;
        }
        let mut subjects = self.turns_of_loops();
        if let Some(way) = &mut self.x.way {
            subjects.extend(way.whose.take());
            way.subjects.push(subjects);
        }
    }

    /// What the loops around the statements at hand have come to, from the innermost frame.
    fn turns_of_loops(&self) -> Vec<Subject> {
        let mut found = Vec::new();
        for (frame, proc, cause) in self.causing() {
            each_stmt(proc, &mut |stmt| {
                let (StmtKind::Each { local, .. } | StmtKind::EachSecret { local, .. }) = &stmt.kind else { return };
                if !stmt.span.covers(cause) {
                    return;
                }
                let before = proc.locals.iter().take(local.index()).map(|local| self.p.layout.words(&local.ty));
                let at = frame.base as usize + 2 + before.map(usize::from).sum::<usize>();
                let word = self.st.mem.get(at).copied().unwrap_or(NIL);
                let entity = matches!(proc.locals[local.index()].ty, Ty::Entity(_));
                found.push(if entity { self.subject(word) } else { Subject::known(word) });
            });
        }
        found
    }

    /// An entity as the subject of a change. Where all see a hidden card lie, and which marks it bears openly, is done openly, too.
    fn subject(&self, entity: i64) -> Subject {
        let Some((record, _)) = self.record(entity) else { return Subject::known(entity) };
        let mut lies = vec![self.st.mem[record + ent::PLACE]];
        if let Ok(instance) = usize::try_from(lies[0]) {
            let ordered = self.p.rules.zones[self.p.layout.instances[instance].zone.index()].order != ZoneOrder::None;
            let at = || self.zone_order(instance).iter().position(|other| *other == entity);
            lies.extend(at().filter(|index| ordered && self.is_settled(instance, *index)).map(|index| index as i64));
        } else if let Some((site, depth)) = self.in_stack(entity) {
            lies.extend([site, depth]);
        }
        let kind = &self.p.rules.kinds[self.st.mem[record + ent::KIND] as usize];
        let open = kind.props.iter().filter(|prop| self.p.rules.props[prop.index()].open);
        lies.extend(open.filter_map(|prop| match self.p.layout.props[prop.index()] {
            PropHome::Entity(offset) => Some(self.st.mem[record + usize::from(offset)]),
            _ => None,
        }));
        Subject { word: entity, known: self.st.mem[record + ent::KNOWN], lies }
    }
}

/// Takes what counters, marks and stats say out of a view.
fn counters(view: &mut View, open: &BTreeSet<String>) -> Vec<String> {
    let mut found = std::mem::take(&mut view.lines);
    let mut take = |props: &mut Vec<(String, String)>| {
        found.extend(std::mem::take(props).into_iter().map(|(name, words)| format!("{name}: {words}")));
    };
    take(&mut view.game);
    for player in &mut view.players {
        take(&mut player.props);
    }
    for zone in view.players.iter_mut().flat_map(|player| &mut player.zones).chain(&mut view.zones) {
        // What lies open on the back of hidden cards.
        found.extend(std::mem::take(&mut zone.backs).into_iter().map(|words| format!("a card: {words}")));
    }
    // What stands on cards that only their holder sees is told that one on purpose, but for what all read.
    let own = view.players.iter_mut().flat_map(|player| &mut player.zones).filter(|zone| zone.private);
    own.flat_map(|zone| &mut zone.cards).for_each(|card| card.props.retain(|(name, _)| open.contains(name)));
    let zones = view.players.iter_mut().flat_map(|player| &mut player.zones).chain(&mut view.zones);
    let pieces = view.boards.iter_mut().flat_map(|board| &mut board.sites).flat_map(|site| &mut site.pieces);
    for card in zones.flat_map(|zone| &mut zone.cards).chain(pieces) {
        // What is drawn says the same once more.
        card.look = Look::default();
        let props = std::mem::take(&mut card.props);
        found.extend(props.into_iter().map(|(name, words)| format!("{}: {name} {words}", card.name)));
    }
    for player in &mut view.players {
        found.append(&mut player.lines);
    }
    found
}
