//! The one place where things come to be, move and cease: zones, boards, links, identities, knowledge.

use super::api::Upshot;
use super::run::{R, Run, at};
use super::state::slot_of;
use super::straight::LastWhat;
use super::tiles::Turning;
use crate::model::rules::{BuiltinProp, KindId, Place, PropClass, PropId, Seen, ZoneOrder};
use crate::program::{MoveTo, NIL, Program, PropHome, Repr, Slot, ent, prop_bit, touch, zone_bit};
use std::collections::BTreeSet;

/// Offset of a stored property in an entity's record.
pub(super) fn entity_offset(p: &Program, prop: PropId) -> Option<usize> {
    match p.layout.props[prop.index()] {
        PropHome::Entity(offset) => Some(usize::from(offset)),
        _ => None,
    }
}

/// Whether a property is the built-in `owner`.
pub(super) fn is_owner(p: &Program, prop: PropId) -> bool {
    matches!(p.rules.props[prop.index()].class, PropClass::Builtin(BuiltinProp::Owner))
}

/// Where an entity goes, with the parts worked out.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Goal {
    Nowhere,
    Zone(usize, Option<Place>),
    Site(usize, usize),
    Spot(usize, i64),
    Placeless,
}

/// What the record of changes says of an entity that is about to move.
#[derive(Debug, Default)]
pub(super) struct Before {
    /// The words of its record that say where it lies; none if nobody asks.
    pub place: Option<(i64, i64)>,
    /// The kind that all see of it.
    pub back: Option<KindId>,
    /// Whose it is.
    pub owner: i64,
}

/// Offset in a last-known record: the seats that did not know what it was, nor saw it go, of each of what it was last, the
/// latest in the lowest bits. The highest are of all that lies further back: a seat stands there that did not know one of them.
pub(super) const LAST_UNKNOWN: usize = 2;
/// The bits of one set of seats there.
const SEATS: u32 = crate::base::limits::PLAYERS as u32;

/// Such a word when an entity becomes something else, and who knew what it has been.
pub(super) fn changed_again(unknown: i64, known: i64) -> i64 {
    unknown << SEATS | unknown & -1 << (i64::BITS - SEATS) | !known & ((1 << SEATS) - 1)
}

/// The seats that knew what an entity was before it became something else so many times, from such a word.
pub(super) fn known_then(unknown: i64, changes: i64) -> i64 {
    let back = u32::try_from(changes - 1).map_or(0, |back| (back * SEATS).min(i64::BITS - SEATS));
    !(unknown >> back) & ((1 << SEATS) - 1)
}

impl Run<'_> {
    pub(super) fn goal(&self, to: MoveTo, base: usize) -> Option<Goal> {
        match to {
            MoveTo::Nowhere => Some(Goal::Nowhere),
            MoveTo::Zone(slot, place) => {
                let instance = usize::try_from(self.st.mem[at(base, slot)]).ok()?;
                Some(Goal::Zone(instance, place))
            }
            MoveTo::Site(slot, board) if self.p.layout.boards[usize::from(board)].places > 0 => {
                let site = self.st.mem[at(base, slot)];
                (site != NIL && self.on_table(usize::from(board), site)).then_some(Goal::Spot(usize::from(board), site))
            }
            MoveTo::Site(slot, board) => {
                let site = usize::try_from(self.st.mem[at(base, slot)]).ok()?;
                Some(Goal::Site(usize::from(board), site))
            }
        }
    }

    /// The instruction `move`.
    pub fn op_move(&mut self, moved: i64, site: usize, base: usize) -> R<()> {
        let moved = self.followed(moved);
        let info = &self.p.sites.moves[site];
        let Some(goal) = self.goal(info.to, base) else {
            if self.record(moved).is_some_and(|(_, current)| current) {
                self.note_upshot(Upshot::NoPlace);
            }
            return Ok(());
        };
        if info.riders == Slot::NONE && info.turned == Slot::NONE && info.bind.is_none() && self.slides(moved, goal) {
            self.note_upshot(Upshot::Done);
            return Ok(());
        }
        let riders = (info.riders != Slot::NONE).then(|| at(base, info.riders));
        let riders = riders.map_or_else(Vec::new, |set| self.present(set));
        let new = match slot_of(moved).filter(|_| info.turned != Slot::NONE) {
            None => self.move_entity(moved, goal, &riders)?,
            Some(slot) => {
                let turn = self.st.mem[at(base, info.turned)];
                self.move_turned(moved, goal, &riders, Turning { slot, turn, told: false })?
            }
        };
        if new != NIL {
            self.note_upshot(Upshot::Done);
        } else if self.has_left(moved) {
            self.note_upshot(Upshot::Gone);
        }
        if let (Some((slot, kind)), true) = (info.bind, new != NIL) {
            let d = at(base, slot);
            match (kind, slot_of(new)) {
                (Repr::Word, _) => self.st.mem[d] = new,
                (_, Some(slot)) => {
                    self.st.mem[d + slot / 64] |= 1 << (slot % 64);
                    for rider in riders {
                        self.st.mem[d + rider / 64] |= 1 << (rider % 64);
                    }
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Moves a piece on its board, where nothing is linked and nobody listens; else nothing has changed.
    fn slides(&mut self, moved: i64, goal: Goal) -> bool {
        let (Goal::Site(board, _), true) = (goal, self.p.rules.links.is_empty() && self.x.trace.is_none()) else {
            return false;
        };
        let (Some((record, true)), Some(slot)) = (self.record(moved), slot_of(moved)) else { return false };
        if self.st.mem[record + ent::PLACE] != ent::ON_BOARD || self.st.mem[record + ent::SITE] / 4096 != board as i64 {
            return false;
        }
        self.st.touch(touch::PLACE);
        self.note_player(slot, None);
        self.leave_site(slot);
        self.enter(slot, goal, true).is_ok()
    }

    /// Moves an entity with the given riders; the reference to what it is then, or missing if nothing happened.
    pub fn move_entity(&mut self, moved: i64, goal: Goal, riders: &[usize]) -> R<i64> {
        if self.p.rules.links.is_empty() {
            let place = self.record(moved).map_or(NIL, |(record, _)| self.st.mem[record + ent::PLACE]);
            let new = self.move_one(moved, goal, riders, &mut Vec::new())?;
            if new != NIL {
                self.refill_after(place, goal)?;
            }
            return Ok(new);
        }
        let (mut result, mut left, mut gone) = (None, vec![moved], Vec::new());
        // Things may be linked in a circle: each goes once.
        let (mut seen, mut riders) = (BTreeSet::new(), riders);
        while let Some(next) = left.pop() {
            let Some(slot) = slot_of(next) else { continue };
            if !seen.insert(slot) {
                continue;
            }
            let place = self.st.mem[self.p.layout.entity(slot) + ent::PLACE];
            let begun = left.len();
            let new = self.move_one(next, goal, riders, &mut left)?;
            left[begun..].reverse();
            if new != NIL {
                gone.push(place);
            }
            result.get_or_insert(new);
            riders = &[];
        }
        for place in gone.into_iter().rev() {
            self.refill_after(place, goal)?;
        }
        Ok(result.unwrap_or(NIL))
    }

    /// Moves an entity and turns it where it comes to lie.
    fn move_turned(&mut self, moved: i64, goal: Goal, riders: &[usize], turning: Turning) -> R<i64> {
        self.x.turning = Some(turning);
        let new = self.move_entity(moved, goal, riders);
        if let Ok(new) = new {
            self.set_turn(new, turning.turn);
        }
        self.x.turning = None;
        new
    }

    /// Moves one entity; says what goes with it.
    fn move_one(&mut self, moved: i64, goal: Goal, riders: &[usize], with: &mut Vec<i64>) -> R<i64> {
        self.spend_on(self.price_of_move())?;
        let Some((record, true)) = self.record(moved) else { return Ok(NIL) };
        let Some(slot) = slot_of(moved) else { return Ok(NIL) };
        let place = self.st.mem[record + ent::PLACE];
        if place == ent::NOWHERE {
            return Ok(NIL);
        }
        if !self.fits(slot, goal) {
            self.stays_out(goal);
            return Ok(NIL);
        }
        self.st.touch(touch::PLACE);
        self.forget_which(slot, place, goal);
        let known = self.st.mem[record + ent::KNOWN];
        let same = self.same_declaration(place, record, goal);
        let carried = self.linked_to(moved);
        let from = self.before(record);
        if !same {
            self.keep_stats(slot)?;
        }
        if goal == Goal::Nowhere {
            self.clear_boards_of(moved)?;
        }
        self.leave(slot);
        if !same {
            self.new_identity(slot);
        }
        self.enter(slot, goal, same)?;
        self.note_witnesses(slot, same);
        let new = self.reference(slot);
        self.trace_move(moved, new, known, &from, goal);
        for (rider, one) in carried {
            let rider_record = self.p.layout.entity(rider);
            // Within one declaration what lies elsewhere stays there, and stays linked.
            let along = same && self.same_declaration(self.st.mem[rider_record + ent::PLACE], rider_record, goal);
            if along || riders.contains(&rider) {
                with.push(self.reference(rider));
            } else if let (false, Some(offset)) = (same, entity_offset(self.p, one)) {
                self.st.mem[rider_record + offset] = NIL;
                self.st.touch(prop_bit(one));
                self.st.orphans.push((self.reference(rider), one.index() as u32));
            }
        }
        Ok(new)
    }

    /// Where a card out of several comes to a zone of which nobody remembers what entered it, those who see neither zone do not
    /// see which one it is: of the cards that lay there they know none for sure any more. In a pile these are the cards without a
    /// settled place: where another one lies is seen.
    fn forget_which(&mut self, slot: usize, place: i64, goal: Goal) {
        let (Ok(from), Goal::Zone(to, _)) = (usize::try_from(place), goal) else { return };
        let zone = |instance: usize| &self.p.rules.zones[self.p.layout.instances[instance].zone.index()];
        let info = self.p.layout.instances[from];
        if zone(to).memory || zone(to).seen == Seen::Top || from == to {
            return;
        }
        let mut members = self.members(usize::from(self.p.layout.entity_set), info.set);
        if info.list != 0 {
            let settled = &self.st.mem[info.list + 2..][..self.st.mem[info.list] as usize];
            members.retain(|member| !settled.contains(&(*member as i64)));
        }
        if members.len() < 2 || !members.contains(&slot) {
            return;
        }
        let watching = self.lookers(from) | self.lookers(to);
        for slot in members {
            self.st.mem[self.p.layout.entity(slot) + ent::KNOWN] &= watching;
        }
    }

    /// What a move looks at: the order of a zone, what is linked, and what keeps sets of things.
    fn price_of_move(&self) -> usize {
        let (st, capacity) = (&self.st, self.p.layout.capacity);
        let keepers = st.frames.len() + st.arms.len() + st.queue.len() + st.batch.len();
        16 + capacity / 8 + self.p.rules.links.len() * capacity / 16 + keepers + self.p.kept.marks.len() * capacity
    }

    /// Removes what lies on the boards of a thing that is about to go.
    fn clear_boards_of(&mut self, thing: i64) -> R<()> {
        for board in 0..self.p.rules.boards.len() {
            let crate::model::rules::Per::Kind(kind) = self.p.rules.boards[board].per else { continue };
            if !slot_of(thing).is_some_and(|slot| self.is_kind(slot, kind)) {
                continue;
            }
            let on = self.board_of(board, thing);
            for slot in self.pieces_on(board) {
                if self.spot_of_slot(slot).is_some_and(|(_, site)| Some(crate::program::Spot::of(site).on) == on) {
                    self.move_entity(self.reference(slot), Goal::Nowhere, &[])?;
                }
            }
        }
        Ok(())
    }

    /// Entities linked to one, with the property that links them.
    fn linked_to(&self, host: i64) -> Vec<(usize, PropId)> {
        let mut found = Vec::new();
        for link in &self.p.rules.links {
            if slot_of(host).is_some_and(|slot| self.is_kind(slot, link.to_kind)) {
                found.extend(self.linked_slots(host, link.one).into_iter().map(|slot| (slot, link.one)));
            }
        }
        found
    }

    /// Whether a move stays within one zone declaration or board.
    fn same_declaration(&self, place: i64, record: usize, goal: Goal) -> bool {
        match (usize::try_from(place), goal) {
            (Ok(from), Goal::Zone(to, _)) => self.p.layout.is_one_declaration(from, to),
            (Err(_), Goal::Site(board, _)) => {
                place == ent::ON_BOARD && self.st.mem[record + ent::SITE] / 4096 == board as i64
            }
            (Err(_), Goal::Spot(board, _)) => place == ent::ENDLESS - board as i64,
            _ => false,
        }
    }

    /// Tells who listens that something did not fit into a zone.
    pub(super) fn stays_out(&mut self, goal: Goal) {
        let Goal::Zone(instance, _) = goal else { return };
        self.note_upshot(Upshot::Full(self.p.layout.instances[instance].zone));
    }

    /// Whether a thing is no longer what it was.
    pub fn has_left(&self, thing: i64) -> bool {
        thing != NIL && slot_of(thing).is_some() && !self.record(thing).is_some_and(|(_, current)| current)
    }

    /// Tells who listens what came of the statement at hand.
    #[inline(always)]
    pub fn note_upshot(&mut self, upshot: Upshot) {
        if self.x.upshots.is_some() {
            self.keep_upshot(upshot);
        }
    }

    #[cold]
    fn keep_upshot(&mut self, upshot: Upshot) {
        if self.x.probing > 0 {
            return;
        }
        let cause = self.causing().next().map(|(_, _, span)| span);
        let declared = match upshot {
            Upshot::Full(zone) => Some(self.p.rules.zones[zone.index()].span),
            _ => None,
        };
        if let Some(span) = cause.or(declared) {
            self.x.upshots.get_or_insert_default().push((upshot, span));
        }
    }

    /// Whether the limits of a zone allow one more entity of this kind.
    #[inline]
    pub(super) fn fits(&self, slot: usize, goal: Goal) -> bool {
        let Goal::Zone(instance, _) = goal else { return true };
        let info = &self.p.layout.instances[instance];
        let zone = &self.p.rules.zones[info.zone.index()];
        zone.limits.iter().all(|(kind, most)| {
            if !self.is_kind(slot, *kind) {
                return true;
            }
            let kinds = usize::from(self.p.layout.kind_set(*kind).0);
            let inside: i64 = (0..usize::from(self.p.layout.entity_set))
                .map(|word| i64::from((self.st.mem[info.set + word] & self.st.mem[kinds + word]).count_ones()))
                .sum();
            let already = (self.st.mem[info.set + slot / 64] >> (slot % 64)) & 1;
            inside - already < *most
        })
    }

    /// Takes an entity out of its place.
    fn leave(&mut self, slot: usize) {
        let record = self.p.layout.entity(slot);
        let place = self.st.mem[record + ent::PLACE];
        let in_play = usize::from(self.p.layout.in_play);
        if (self.st.mem[in_play + slot / 64] >> (slot % 64)) & 1 == 1 {
            self.st.mem[in_play + slot / 64] &= !(1 << (slot % 64));
            self.st.touched |= touch::PLAY;
        }
        if let Ok(instance) = usize::try_from(place) {
            let info = self.p.layout.instances[instance];
            self.st.touched |= zone_bit(info.zone);
            self.st.mem[info.set + slot / 64] &= !(1 << (slot % 64));
            if info.list != 0 {
                self.unlist(info.list, slot);
            }
        } else if place == ent::ON_BOARD {
            self.leave_site(slot);
        } else if place <= ent::ENDLESS {
            self.leave_spot(slot, (ent::ENDLESS - place) as usize);
        }
        self.st.mem[record + ent::PLACE] = ent::NOWHERE;
    }

    /// Takes an entity out of the order of its zone.
    fn unlist(&mut self, list: usize, slot: usize) {
        let length = self.st.mem[list] as usize;
        let items = list + 2;
        if let Some(index) = (0..length).find(|index| self.st.mem[items + index] == slot as i64) {
            self.st.mem.copy_within(items + index + 1..items + length, items + index);
            self.st.mem[list] -= 1;
            if (index as i64) < self.st.mem[list + 1] {
                self.st.mem[list + 1] -= 1;
            }
        }
    }

    fn leave_site(&mut self, slot: usize) {
        let record = self.p.layout.entity(slot);
        let packed = self.st.mem[record + ent::SITE];
        let (board, site) = ((packed / 4096) as usize, (packed % 4096) as usize);
        let tops = self.p.layout.boards[board].tops + site;
        let beneath = self.st.mem[record + ent::BENEATH];
        let alone = beneath < 0 && self.st.mem[tops] == slot as i64;
        self.st.mem[usize::from(self.p.layout.boards[board].covered)] -= i64::from(!alone);
        if self.st.mem[tops] == slot as i64 {
            self.st.mem[tops] = beneath;
        } else {
            let mut above = self.st.mem[tops];
            while above >= 0 {
                let above_record = self.p.layout.entity(above as usize);
                if self.st.mem[above_record + ent::BENEATH] == slot as i64 {
                    self.st.mem[above_record + ent::BENEATH] = beneath;
                    break;
                }
                above = self.st.mem[above_record + ent::BENEATH];
            }
        }
        if self.st.mem[tops] < 0 {
            let occupied = self.p.layout.boards[board].occupied;
            self.st.mem[occupied + site / 64] &= !(1 << (site % 64));
        }
        self.st.mem[record + ent::BENEATH] = -1;
        self.own_site(slot, board, site, false);
    }

    /// Keeps the sets of sites by kind and owner.
    fn own_site(&mut self, slot: usize, board: usize, site: usize, on: bool) {
        let record = self.p.layout.entity(slot);
        let kind = self.st.mem[record + ent::KIND] as usize;
        let Some(row) = self.p.layout.piece_row[kind] else { return };
        let owner = self.st.mem[record + ent::OWNER];
        let index = if owner == NIL { self.p.layout.seats } else { owner as usize };
        let set = self.p.layout.owned(board, row, index);
        if on {
            self.st.mem[set + site / 64] |= 1 << (site % 64);
        } else {
            let mut other = self.st.mem[self.p.layout.boards[board].tops + site];
            while other >= 0 {
                let other_record = self.p.layout.entity(other as usize);
                if self.st.mem[other_record + ent::KIND] == kind as i64
                    && self.st.mem[other_record + ent::OWNER] == owner
                {
                    return;
                }
                other = self.st.mem[other_record + ent::BENEATH];
            }
            self.st.mem[set + site / 64] &= !(1 << (site % 64));
        }
    }

    /// Keeps the sets of sites by kind and owner, where other pieces lie on a site than did.
    pub(super) fn own_anew(&mut self, board: usize, site: usize) {
        let layout = &self.p.layout;
        let rows = layout.piece_row.iter().flatten().copied().collect::<BTreeSet<_>>();
        for (row, index) in rows.into_iter().flat_map(|row| (0..=layout.seats).map(move |index| (row, index))) {
            self.st.mem[layout.owned(board, row, index) + site / 64] &= !(1 << (site % 64));
        }
        for slot in self.pieces_at(board, site) {
            self.own_site(slot, board, site, true);
        }
    }

    /// Gives a piece to a player.
    pub fn set_owner(&mut self, owned: i64, owner: i64) {
        let Some((record, true)) = self.record(owned) else { return };
        let Some(slot) = slot_of(owned) else { return };
        if self.st.mem[record + ent::PLACE] == ent::ON_BOARD {
            let packed = self.st.mem[record + ent::SITE];
            let (board, site) = ((packed / 4096) as usize, (packed % 4096) as usize);
            // The set of the former owner is worked out without this piece.
            let before = self.st.mem[record + ent::OWNER];
            self.st.mem[record + ent::OWNER] = owner;
            self.own_site(slot, board, site, true);
            let mut other = self.st.mem[self.p.layout.boards[board].tops + site];
            let mut others = false;
            while other >= 0 {
                let other_record = self.p.layout.entity(other as usize);
                others |= self.st.mem[other_record + ent::KIND] == self.st.mem[record + ent::KIND]
                    && self.st.mem[other_record + ent::OWNER] == before;
                other = self.st.mem[other_record + ent::BENEATH];
            }
            let kind = self.st.mem[record + ent::KIND] as usize;
            if let (false, Some(row)) = (others || before == owner, self.p.layout.piece_row[kind]) {
                let index = if before == NIL { self.p.layout.seats } else { before as usize };
                let set = self.p.layout.owned(board, row, index);
                self.st.mem[set + site / 64] &= !(1 << (site % 64));
            }
        } else {
            self.st.mem[record + ent::OWNER] = owner;
        }
        if self.st.mem[record + ent::PLACE] < 0 {
            self.st.mem[record + ent::KNOWN] |= self.lookers_at(slot);
        }
        self.st.touch(touch::PLACE);
    }

    /// Puts an entity into its new place.
    pub(super) fn enter(&mut self, slot: usize, goal: Goal, same: bool) -> R<()> {
        let record = self.p.layout.entity(slot);
        let in_play = usize::from(self.p.layout.in_play);
        self.st.touched |= touch::PLACE;
        match goal {
            Goal::Nowhere => {
                // What it was is of its kind still.
                let kind = self.st.mem[record + ent::KIND] as usize;
                for set in &self.p.kind_sets[kind] {
                    self.st.mem[usize::from(*set) + slot / 64] &= !(1 << (slot % 64));
                }
                self.st.free = self.st.free.min(slot as u32);
                self.st.touched |= touch::EXIST;
                return Ok(());
            }
            Goal::Placeless => {
                self.st.mem[record + ent::PLACE] = ent::PLACELESS;
                self.st.mem[record + ent::KNOWN] = -1;
                self.st.mem[in_play + slot / 64] |= 1 << (slot % 64);
                self.st.touched |= touch::PLAY;
            }
            Goal::Site(board, site) => {
                let layout = self.p.layout.boards[board];
                self.st.mem[record + ent::PLACE] = ent::ON_BOARD;
                self.st.mem[record + ent::SITE] = (board * 4096 + site) as i64;
                self.st.mem[record + ent::KNOWN] |= self.lookers_at(slot);
                self.st.mem[record + ent::BENEATH] = self.st.mem[layout.tops + site];
                self.st.mem[usize::from(layout.covered)] += i64::from(self.st.mem[layout.tops + site] >= 0);
                self.st.mem[layout.tops + site] = slot as i64;
                self.st.mem[layout.occupied + site / 64] |= 1 << (site % 64);
                self.st.mem[in_play + slot / 64] |= 1 << (slot % 64);
                self.st.touched |= touch::PLAY;
                self.own_site(slot, board, site, true);
            }
            Goal::Spot(board, site) => {
                self.enter_spot(slot, board, site);
                self.st.mem[in_play + slot / 64] |= 1 << (slot % 64);
                self.st.touched |= touch::PLAY;
            }
            Goal::Zone(instance, place) => {
                let info = self.p.layout.instances[instance];
                let zone = &self.p.rules.zones[info.zone.index()];
                self.st.mem[record + ent::PLACE] = instance as i64;
                self.st.mem[info.set + slot / 64] |= 1 << (slot % 64);
                self.st.touched |= zone_bit(info.zone);
                if zone.in_play {
                    self.st.mem[in_play + slot / 64] |= 1 << (slot % 64);
                    self.st.touched |= touch::PLAY;
                }
                if info.list != 0 {
                    self.list(info.list, slot, zone.order, place);
                }
                let known = if zone.memory { self.st.mem[record + ent::KNOWN] } else { 0 };
                // What is put on top of a pile is seen, whatever comes upon it; what is put beneath is not.
                let on_top = zone.seen == Seen::Top
                    && self.st.mem[info.list + 1 + self.st.mem[info.list] as usize] == slot as i64;
                let audience = if on_top { -1 } else { self.lookers(instance) };
                self.st.mem[record + ent::KNOWN] = known | audience;
            }
        }
        if !same {
            self.st.stamp += 1;
            self.st.mem[record + ent::ENTERED] = self.st.stamp;
        }
        Ok(())
    }

    /// Puts an entity into the order of a zone.
    fn list(&mut self, list: usize, slot: usize, order: ZoneOrder, place: Option<Place>) {
        let length = self.st.mem[list] as usize;
        let items = list + 2;
        let bottom = match (order, place) {
            (_, Some(Place::Bottom)) | (ZoneOrder::Queue, None) => true,
            (_, Some(Place::Top) | None) => false,
        };
        // Items stand from the bottom up; a queue's front is its top, so newcomers go to the bottom.
        if bottom {
            self.st.mem.copy_within(items..items + length, items + 1);
            self.st.mem[items] = slot as i64;
            self.st.mem[list + 1] += 1;
        } else {
            self.st.mem[items + length] = slot as i64;
        }
        self.st.mem[list] += 1;
    }

    /// Makes an entity another one: its last values are kept, the stored ones begin anew.
    fn new_identity(&mut self, slot: usize) {
        self.outlive(slot);
        let (record, words) = (self.p.layout.entity(slot), self.p.layout.entity_words - ent::PROPS);
        let last = self.p.layout.last(slot);
        self.st.mem[last] = self.st.mem[record + ent::OWNER];
        if let Some(player) = self.last_player(slot) {
            self.st.mem[last] = player;
        }
        let known = self.st.mem[record + ent::KNOWN];
        self.st.mem[last + LAST_UNKNOWN] = changed_again(self.st.mem[last + LAST_UNKNOWN], known);
        self.note_what(slot);
        self.st.mem.copy_within(record + ent::PROPS..record + ent::PROPS + words, last + 3);
        self.st.mem[record + ent::GENERATION] += 1;
        let kind = self.st.mem[record + ent::KIND] as usize;
        if !self.p.kind_printed[kind] {
            let stored = record + ent::PROPS..record + ent::PROPS + words;
            self.st.mem[stored].copy_from_slice(&self.p.kind_defaults[kind]);
            self.restore_fields(slot);
        }
    }

    /// Who sees what an entity is in its new place knows what it was in its last one.
    fn note_witnesses(&mut self, slot: usize, same: bool) {
        let known = self.st.mem[self.p.layout.entity(slot) + ent::KNOWN];
        self.learn(slot, known);
        if !same {
            self.st.mem[self.p.layout.last(slot) + LAST_UNKNOWN] &= !(known & ((1 << SEATS) - 1));
        }
    }

    /// Printed fields that a `create` gave stay with an entity for good.
    fn restore_fields(&mut self, slot: usize) {
        let record = self.p.layout.entity(slot);
        let last = self.p.layout.last(slot);
        let kind = self.st.mem[record + ent::KIND] as usize;
        for (offset, _) in &self.p.kind_fields[kind] {
            let offset = usize::from(*offset);
            self.st.mem[record + offset] = self.st.mem[last + 3 + offset - ent::PROPS];
        }
    }

    /// The player in whose zone an entity was just now: noted before it left.
    fn last_player(&self, slot: usize) -> Option<i64> {
        LastWhat(self.st.mem[self.p.layout.last(slot) + LastWhat::AT]).player()
    }

    /// Where an entity is, noted for its last values and for the record of changes.
    fn before(&mut self, record: usize) -> Before {
        let slot = (record - self.p.layout.entities) / self.p.layout.stride;
        let place = self.st.mem[record + ent::PLACE];
        let player = usize::try_from(place).ok().and_then(|instance| self.p.layout.instances[instance].player);
        self.note_player(slot, player);
        match self.x.trace.is_some() {
            true => Before {
                place: Some((place, self.st.mem[record + ent::SITE])),
                back: self.back_of(record),
                owner: self.st.mem[record + ent::OWNER],
            },
            false => Before::default(),
        }
    }

    /// Fills a zone again from the one named in `refill`, when the last card has left it for anywhere but that one:
    /// a card that is turned over and put there at once is still to be carried out.
    fn refill_after(&mut self, place: i64, goal: Goal) -> R<()> {
        let Ok(instance) = usize::try_from(place) else { return Ok(()) };
        let zone = &self.p.rules.zones[self.p.layout.instances[instance].zone.index()];
        match goal {
            _ if zone.refills_late => Ok(()),
            Goal::Zone(to, _) if to == instance || self.refill_source(instance) == Some(to) => Ok(()),
            _ => self.refill(instance),
        }
    }

    /// The zone from which another one is filled.
    fn refill_source(&self, instance: usize) -> Option<usize> {
        let info = self.p.layout.instances[instance];
        let source = self.p.rules.zones[info.zone.index()].refill?;
        let of_player = self.p.rules.zones[source.index()].per_player;
        let first = usize::from(self.p.layout.zone_first[source.index()]);
        Some(first + if of_player { usize::from(info.player.unwrap_or(0)) } else { 0 })
    }

    /// Whether a zone is empty and there are cards in the one named in `refill`.
    pub(super) fn is_filled_when_asked(&self, instance: usize) -> bool {
        let has_cards =
            |instance: usize| self.any(self.p.layout.entity_set as u8, self.p.layout.instances[instance].set);
        self.refill_source(instance).is_some_and(|from| !has_cards(instance) && has_cards(from))
    }

    /// Fills an empty zone from the one named in `refill`, in an order that nobody knows.
    pub fn refill(&mut self, instance: usize) -> R<()> {
        let Some(from) = self.refill_source(instance).filter(|_| self.is_filled_when_asked(instance)) else {
            return Ok(());
        };
        let cards = self.members(usize::from(self.p.layout.entity_set), self.p.layout.instances[from].set);
        self.spend_on(cards.len() * self.price_of_move())?;
        for slot in cards {
            let record = self.p.layout.entity(slot);
            self.before(record);
            self.keep_stats(slot)?;
            self.leave(slot);
            self.new_identity(slot);
            self.enter(slot, Goal::Zone(instance, None), false)?;
            self.note_witnesses(slot, false);
        }
        self.trace_refill(from, instance);
        self.shuffle(instance);
        Ok(())
    }
}
