//! Zones as piles: in which order their cards lie, as far as that is settled, and shuffling.

use super::run::Run;
use crate::program::{ent, zone_bit};

impl Run<'_> {
    /// Forgets the order of a zone, unless a scenario keeps it; what lies where is unknown until somebody could know it.
    /// Who sees the zone knows its cards still: they can be looked through.
    pub fn shuffle(&mut self, instance: usize) {
        let info = self.p.layout.instances[instance];
        if info.list != 0 && !self.st.keep_order {
            self.st.mem[info.list] = 0;
            self.st.mem[info.list + 1] = 0;
        }
        let lookers = self.lookers(instance);
        for slot in self.members(usize::from(self.p.layout.entity_set), info.set) {
            self.st.mem[self.p.layout.entity(slot) + ent::KNOWN] = lookers;
        }
        // In which order they came before says nothing from now on.
        if self.p.layout.salt != 0 {
            self.st.mem[usize::from(self.p.layout.salt) + 1] += 1;
        }
        self.st.touch(zone_bit(info.zone));
        self.trace_shuffle(instance);
    }

    /// The seats that can look at all cards of a zone at any time.
    pub fn lookers(&self, instance: usize) -> i64 {
        let info = self.p.layout.instances[instance];
        self.p.rules.zones[info.zone.index()].seen.lookers(info.player)
    }

    /// The seats that see on a board which piece one is.
    #[inline]
    pub fn lookers_at(&self, slot: usize) -> i64 {
        // Most games hide nothing, and what is said of kinds lies far away.
        if !self.p.layout.closed {
            return -1;
        }
        let record = self.p.layout.entity(slot);
        let kind = &self.p.rules.kinds[self.st.mem[record + ent::KIND] as usize];
        let owner = u8::try_from(self.st.mem[record + ent::OWNER]).ok();
        kind.back.map_or(-1, |back| back.seen.lookers(owner))
    }

    /// The order of a zone as far as it is settled, the top (or oldest) first; what is unsampled comes in slot order.
    pub fn zone_order(&self, instance: usize) -> Vec<i64> {
        let info = self.p.layout.instances[instance];
        let members = self.members(usize::from(self.p.layout.entity_set), info.set);
        if info.list == 0 {
            return members.into_iter().map(|slot| self.reference(slot)).collect();
        }
        let (length, bag) = (self.st.mem[info.list] as usize, self.st.mem[info.list + 1] as usize);
        let listed: Vec<usize> = (0..length).map(|index| self.st.mem[info.list + 2 + index] as usize).collect();
        let mut ordered = vec![false; self.p.layout.capacity];
        listed.iter().for_each(|slot| ordered[*slot] = true);
        let rest = members.into_iter().filter(|slot| !ordered[*slot]);
        let order = listed[bag..].iter().rev().copied().chain(rest).chain(listed[..bag].iter().rev().copied());
        order.map(|slot| self.reference(slot)).collect()
    }

    /// Whether the card at a place of [`Run::zone_order`] lies there, and not among those that are still shuffled.
    pub fn is_settled(&self, instance: usize, index: usize) -> bool {
        let info = self.p.layout.instances[instance];
        if info.list == 0 {
            return false;
        }
        let (length, bag) = (self.st.mem[info.list] as usize, self.st.mem[info.list + 1] as usize);
        let above = length - bag;
        index < above || index >= above + self.unsampled(instance)
    }

    /// The cards at the top of a pile that are already settled, from the top; or those at its bottom, from the bottom.
    pub fn known_end(&self, instance: usize, below: bool) -> Vec<i64> {
        let info = self.p.layout.instances[instance];
        if info.list == 0 {
            return self.zone_order(instance);
        }
        let (length, bag) = (self.st.mem[info.list] as usize, self.st.mem[info.list + 1] as usize);
        let unsampled = self.unsampled(instance) > 0;
        let card = |index: usize| self.reference(self.st.mem[info.list + 2 + index] as usize);
        match (below, unsampled) {
            (true, _) => (0..if unsampled { bag } else { length }).map(card).collect(),
            (false, _) => (if unsampled { bag } else { 0 }..length).rev().map(card).collect(),
        }
    }

    /// How many cards of a zone have no settled place.
    pub fn unsampled(&self, instance: usize) -> usize {
        let info = self.p.layout.instances[instance];
        if info.list == 0 {
            return 0;
        }
        let set = &self.st.mem[info.set..info.set + usize::from(self.p.layout.entity_set)];
        let count: usize = set.iter().map(|word| word.count_ones() as usize).sum();
        count - self.st.mem[info.list] as usize
    }

    /// Slots of the cards of a zone that have no settled place.
    pub fn bag(&self, instance: usize) -> Vec<usize> {
        let info = self.p.layout.instances[instance];
        let length = self.st.mem[info.list] as usize;
        let listed = &self.st.mem[info.list + 2..info.list + 2 + length];
        let mut members = self.members(usize::from(self.p.layout.entity_set), info.set);
        let mut ordered = vec![false; self.p.layout.capacity];
        listed.iter().for_each(|slot| ordered[*slot as usize] = true);
        members.retain(|slot| !ordered[*slot]);
        members
    }

    /// Settles that a card of the unsampled part lies above the rest of it.
    pub fn settle_top(&mut self, instance: usize, slot: usize) {
        let list = self.p.layout.instances[instance].list;
        let (length, bag) = (self.st.mem[list] as usize, self.st.mem[list + 1] as usize);
        let items = list + 2;
        self.st.mem.copy_within(items + bag..items + length, items + bag + 1);
        self.st.mem[items + bag] = slot as i64;
        self.st.mem[list] += 1;
        self.st.touched |= zone_bit(self.p.layout.instances[instance].zone);
    }
}
