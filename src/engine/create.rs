//! How things come to be: of a kind, of a definition, or as a copy of another.

use super::api::GameError;
use super::moves::{Goal, LAST_UNKNOWN, changed_again, entity_offset};
use super::run::{R, Run, at};
use super::state::entity;
use super::straight::{entry_of, kind_of, last_prop};
use crate::base::{Code, limits};
use crate::model::rules::{KindId, Place, RootKind};
use crate::program::{CreateWhat, Layout, MoveTo, NIL, Slot, ent, touch};

impl Run<'_> {
    /// The instruction `create`.
    #[inline(never)]
    pub fn create(&mut self, site: usize, base: usize) -> R<i64> {
        let info = &self.p.sites.creates[site];
        self.spend_on(32 + self.p.layout.capacity / 16)?;
        if let (Some((kind, board)), MoveTo::Site(slot, _)) = (info.plain, info.to) {
            return self.create_plain(kind, usize::from(board), &info.props, slot, base);
        }
        let (kind, entry) = match info.what {
            CreateWhat::Kind(kind) => (kind, -1),
            CreateWhat::Entry(entry) => (self.p.rules.entries[entry.index()].kind, entry.index() as i64),
            CreateWhat::Copy(of) => {
                let of = self.st.mem[at(base, of)];
                let Some(kind) = kind_of(self.p, &self.st.mem, of) else { return Ok(NIL) };
                let entry = entry_of(self.p, &self.st.mem, of).map_or(-1, |entry| entry as i64);
                (KindId(kind as u32), entry)
            }
        };
        let goal = match (info.to, self.p.rules.kinds[kind.index()].root) {
            (MoveTo::Nowhere, RootKind::Thing) => Goal::Placeless,
            (to, _) => match self.goal(to, base) {
                Some(Goal::Nowhere) | None => return Ok(NIL),
                Some(goal) => goal,
            },
        };
        let Some(slot) = self.free_slot() else {
            return Err(self.no_room());
        };
        self.init_entity(slot, kind, entry);
        if !self.fits(slot, goal) {
            self.stays_out(goal);
            self.enter(slot, Goal::Nowhere, false)?;
            return Ok(NIL);
        }
        let record = self.p.layout.entity(slot);
        if let CreateWhat::Copy(of) = info.what {
            self.copy_fields(self.st.mem[at(base, of)], slot, kind);
        }
        for (offset, from, words) in &info.props {
            let (from, to) = (at(base, *from), record + usize::from(*offset));
            if *words == 1 {
                self.st.mem[to] = self.st.mem[from];
            } else {
                self.st.mem.copy_within(from..from + usize::from(*words), to);
            }
        }
        for (offset, prop, from) in &info.bounded {
            let to = record + usize::from(*offset);
            self.st.mem[to] = self.clamped(*prop, at(base, *from), self.st.mem[to]);
        }
        self.enter(slot, goal, false)?;
        self.st.touch(touch::PLACE);
        let new = self.reference(slot);
        if let Some(offset) = self.p.rules.turn.and_then(|turn| entity_offset(self.p, turn)) {
            self.st.mem[record + offset] = self.turning(slot, self.st.mem[record + offset]);
        }
        self.trace_create(new, goal);
        Ok(new)
    }

    /// Gives a new entity the printed fields of the one it is a copy of.
    fn copy_fields(&mut self, of: i64, slot: usize, kind: KindId) {
        let Some((from, current)) = self.record(of) else { return };
        let to = self.p.layout.entity(slot);
        for (offset, _) in &self.p.kind_fields[kind.index()] {
            self.st.mem[to + usize::from(*offset)] = match current {
                true => self.st.mem[from + usize::from(*offset)],
                false => last_prop(&self.p.layout, &self.st.mem, of, *offset),
            };
        }
    }

    #[cold]
    fn no_room(&self) -> Box<GameError> {
        let room = self.p.layout.capacity;
        let message = format!("the game has room for {room} things at a time");
        self.error(
            Code::TooManyEntities,
            match room < limits::ENTITIES {
                true => format!("{message}; `created = {}` under `[bounds]` in the manifest makes more", 2 * room),
                false => message,
            },
        )
    }

    /// Puts a new piece without a definition on a board.
    fn create_plain(
        &mut self,
        kind: KindId,
        board: usize,
        props: &[(u16, Slot, u16)],
        site: Slot,
        base: usize,
    ) -> R<i64> {
        let (p, layout) = (self.p, &self.p.layout);
        let Ok(site) = usize::try_from(self.st.mem[at(base, site)]) else { return Ok(NIL) };
        let Some(slot) = self.free_slot() else {
            return Err(self.no_room());
        };
        self.st.stamp += 1;
        self.st.touch(touch::EXIST | touch::PLACE | touch::PLAY);
        let (stamp, mem) = (self.st.stamp, self.st.mem.as_mut_slice());
        let (record, place) = (layout.entity(slot), &layout.boards[board]);
        let beneath = std::mem::replace(&mut mem[place.tops + site], slot as i64);
        mem[usize::from(place.covered)] += i64::from(beneath >= 0);
        let (head, stored) = mem[record..record + layout.entity_words].split_at_mut(ent::PROPS);
        let Some(head) = head.first_chunk_mut::<{ ent::PROPS }>() else { return Ok(NIL) };
        head[ent::ENTRY] = -1;
        head[ent::KIND] = kind.index() as i64;
        head[ent::PLACE] = ent::ON_BOARD;
        head[ent::SITE] = (board * 4096 + site) as i64;
        head[ent::GENERATION] += 1;
        head[ent::ENTERED] = stamp;
        head[ent::OWNER] = NIL;
        head[ent::KNOWN] = -1;
        head[ent::BENEATH] = beneath;
        let new = entity(slot, head[ent::GENERATION]);
        for (to, word) in stored.iter_mut().zip(&p.kind_defaults[kind.index()]) {
            *to = *word;
        }
        for (offset, from, _) in props {
            mem[record + usize::from(*offset)] = mem[at(base, *from)];
        }
        note_before(mem, layout, slot);
        for set in &p.kind_sets[kind.index()] {
            mem[usize::from(*set) + slot / 64] |= 1 << (slot % 64);
        }
        mem[usize::from(layout.in_play) + slot / 64] |= 1 << (slot % 64);
        let at_site = 1 << (site % 64);
        mem[place.occupied + site / 64] |= at_site;
        if let Some(row) = layout.piece_row[kind.index()] {
            let owner = usize::try_from(mem[record + ent::OWNER]).unwrap_or(layout.seats);
            mem[layout.owned(board, row, owner) + site / 64] |= at_site;
        }
        if self.x.trace.is_some() {
            self.trace_create(new, Goal::Site(board, site));
        }
        Ok(new)
    }

    fn free_slot(&mut self) -> Option<usize> {
        let start = self.st.free as usize;
        let found = (start..self.p.layout.capacity)
            .find(|slot| self.st.mem[self.p.layout.entity(*slot) + ent::PLACE] == ent::NOWHERE)?;
        self.st.free = found as u32 + 1;
        self.st.reused |= found < self.p.static_slots;
        self.st.fresh.from = self.st.fresh.from.max(self.p.layout.entity(found + 1) as u32);
        Some(found)
    }

    /// Sets up the record of a new entity in a slot.
    pub fn init_entity(&mut self, slot: usize, kind: KindId, entry: i64) {
        self.st.touched |= touch::EXIST;
        let record = self.p.layout.entity(slot);
        let defaults = &self.p.kind_defaults[kind.index()];
        let (head, props) = self.st.mem[record..record + ent::PROPS + defaults.len()].split_at_mut(ent::PROPS);
        if let Some(head) = head.first_chunk_mut::<{ ent::PROPS }>() {
            head[ent::ENTRY] = entry;
            head[ent::KIND] = kind.index() as i64;
            head[ent::GENERATION] += 1;
            head[ent::OWNER] = NIL;
            head[ent::KNOWN] = 0;
            head[ent::BENEATH] = -1;
        }
        for (prop, default) in props.iter_mut().zip(defaults) {
            *prop = *default;
        }
        note_before(&mut self.st.mem, &self.p.layout, slot);
        if let Ok(entry) = usize::try_from(entry) {
            for (offset, prop) in &self.p.kind_fields[kind.index()] {
                self.st.mem[record + usize::from(*offset)] = self.p.fields[prop.index()][entry];
            }
        }
        for set in &self.p.kind_sets[kind.index()] {
            self.st.mem[usize::from(*set) + slot / 64] |= 1 << (slot % 64);
        }
    }

    /// Puts a new entity into a zone at the start of the game.
    pub fn begin_in(&mut self, slot: usize, instance: usize) -> R<()> {
        self.enter(slot, Goal::Zone(instance, Some(Place::Bottom)), false)
    }
}

/// What was in a slot before the thing that begins there is now one change further back. Before the first there was nothing.
fn note_before(mem: &mut [i64], layout: &Layout, slot: usize) {
    let known = if mem[layout.entity(slot) + ent::GENERATION] == 1 { -1 } else { 0 };
    let at = layout.last(slot) + LAST_UNKNOWN;
    mem[at] = changed_again(mem[at], known);
}
