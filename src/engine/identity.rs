//! Identities: what becomes of references and sets when an entity becomes another one.

use super::ops::{GENERATIONS, kept_of};
use super::run::Run;
use super::state::{Frame, FrameKind, State, entity, generation_of, slot_of};
use super::straight::{self, LastWhat};
use crate::program::{NIL, Program, ent};

impl Run<'_> {
    /// The entity that a bit of a set stands for: what is in a slot now, or what was there before.
    #[inline]
    pub fn reference(&self, bit: usize) -> i64 {
        straight::reference(&self.p.layout, &self.st.mem, bit)
    }

    /// The bit by which a set holds an entity.
    #[inline]
    pub fn bit_of(&self, held: i64) -> Option<usize> {
        straight::bit_of(&self.p.layout, &self.st.mem, held)
    }

    /// The slots of the members of a set that are still what they were.
    pub fn present(&self, set: usize) -> Vec<usize> {
        let mut slots = self.members(usize::from(self.p.layout.entity_set), set);
        slots.retain(|slot| *slot < self.p.layout.capacity);
        slots
    }

    /// Keeps of which kind and definition an entity was.
    pub(super) fn note_what(&mut self, slot: usize) {
        let (p, record) = (self.p, self.p.layout.entity(slot));
        let at = p.layout.last(slot) + LastWhat::AT;
        let before = LastWhat(self.st.mem[at]);
        let what = before.with(self.st.mem[record + ent::KIND], self.st.mem[record + ent::ENTRY]);
        self.st.mem[at] = what.0;
        if !p.layout.former || before.kind() == what.kind() {
            return;
        }
        let former = slot + p.layout.capacity;
        for (of, is) in [(before, false), (what, true)] {
            for set in of.kind().map_or(&[][..], |kind| &p.kind_sets[kind]) {
                let word = &mut self.st.mem[usize::from(*set) + former / 64];
                *word = *word & !(1 << (former % 64)) | i64::from(is) << (former % 64);
            }
        }
    }

    /// Notes in whose zone an entity is, before it leaves.
    pub(super) fn note_player(&mut self, slot: usize, player: Option<u8>) {
        let at = self.p.layout.last(slot) + LastWhat::AT;
        self.st.mem[at] = LastWhat(self.st.mem[at]).in_zone_of(player).0;
    }

    /// Sets everywhere go on meaning what an entity is now, when it becomes another one.
    pub fn outlive(&mut self, slot: usize) {
        let p = self.p;
        if !p.layout.former {
            return;
        }
        let former = slot + p.layout.capacity;
        let keep = |words: &mut [i64], set: usize| {
            let word = &mut words[set + slot / 64];
            if (*word >> (slot % 64)) & 1 == 1 {
                *word &= !(1 << (slot % 64));
                words[set + former / 64] |= 1 << (former % 64);
            }
        };
        for frame in &self.st.frames {
            for (set, _) in live_sets(p, frame) {
                keep(&mut self.st.mem, set);
            }
        }
        for event in &self.st.events {
            for offset in p.kept.verbs.get(event.verb as usize).into_iter().flatten() {
                keep(&mut self.st.mem, event.args as usize + usize::from(*offset));
            }
        }
        for queued in &self.st.queue {
            for offset in p.kept.verbs.get(queued.event.verb as usize).into_iter().flatten() {
                keep(&mut self.st.queue_words, queued.at as usize + usize::from(*offset));
            }
        }
        for batched in &self.st.batch {
            for offset in &p.kept.verbs[batched.event.verb as usize] {
                keep(&mut self.st.batch_words, batched.at as usize + usize::from(*offset));
            }
        }
        for arm in &self.st.arms {
            for offset in &p.kept.clauses[arm.clause as usize] {
                keep(&mut self.st.arm_words, arm.at as usize + usize::from(*offset));
            }
        }
        for at in &p.kept.fixed {
            keep(&mut self.st.mem, *at);
        }
        for offset in &p.kept.marks {
            for other in 0..p.layout.capacity {
                keep(&mut self.st.mem, p.layout.entity(other) + usize::from(*offset));
                keep(&mut self.st.mem, p.layout.last(other) + 3 + usize::from(*offset) - ent::PROPS);
            }
        }
    }
}

/// The addresses of the sets of entities in the window of a frame, and whether a list of the members that come next lies behind.
pub(super) fn live_sets<'p>(p: &'p Program, frame: &Frame) -> impl Iterator<Item = (usize, bool)> + use<'p> {
    let runs = matches!(frame.kind, FrameKind::Proc | FrameKind::Eval);
    let sets = if runs { &p.procs[frame.proc as usize].sets[..] } else { &[] };
    let (base, entry) = (frame.base as usize, if runs { p.procs[frame.proc as usize].entry } else { 0 });
    // The instruction at hand lies before the next one.
    let at = frame.pc.saturating_sub(entry);
    let live = sets.iter().filter(move |set| set.from < at && at <= set.to);
    live.map(move |set| (base + usize::from(set.at), set.shown))
}

/// Whom a packed question is about: a player, or the entity of which it keeps the slot and a part of its generation.
pub(super) fn recalled(p: &Program, st: &State, packed: i64) -> i64 {
    let Some(slot) = slot_of(packed) else { return NIL };
    if generation_of(packed) == 0 || slot >= p.layout.capacity {
        return packed;
    }
    let now = st.mem[p.layout.entity(slot) + ent::GENERATION];
    let changes = (kept_of(now) - generation_of(packed)).rem_euclid(GENERATIONS);
    entity(slot, now - changes)
}
