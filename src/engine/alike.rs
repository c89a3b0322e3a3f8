//! Candidates that are one option: things that are alike, and cards that the chooser cannot tell from each other.

use super::run::{R, Run};
use super::state::{Choice, slot_of};
use super::words::Eyes;
use crate::model::rules::{RootKind, Ty};
use crate::program::{ChooseSite, NIL, QUIETLY, ent};
use std::collections::BTreeMap;

impl Run<'_> {
    /// Leaves one of each group of entities that are alike for who chooses: same definition, place, properties; no links or marks.
    /// Which one it is of those that only others tell apart is drawn. Gives how much was looked at.
    pub fn merge_alike(&mut self, by: i64, out: &mut Vec<Choice>) -> usize {
        let single = |choice: &Choice| {
            slot_of(choice.value).is_none_or(|slot| (self.p.singles[slot / 64] >> (slot % 64)) & 1 == 1)
        };
        if out.iter().all(single) {
            return 0;
        }
        let each = self.st.arms.len() / 4 + self.p.rules.links.len() * self.p.layout.capacity.div_ceil(64);
        let mut looked = out.len() * each;
        // The one that stands for each group, by its place among what is left, and the others of groups that somebody tells apart.
        let mut seen: Vec<(usize, usize)> = Vec::new();
        let mut left_out: Vec<(usize, Choice)> = Vec::new();
        let mut told_apart = false;
        // Those with another digest are not alike: most cards of a hand need not be compared.
        let mut digests = 0_u64;
        let mut kept = 0;
        out.retain(|choice| {
            let Some(slot) = slot_of(choice.value).filter(|_| !single(choice) && self.merges(choice.value)) else {
                kept += 1;
                return true;
            };
            let digest = 1 << (self.digest(slot) >> 58);
            let known = digests & digest != 0;
            digests |= digest;
            let alike = match known {
                true => seen.iter().position(|(other, _)| self.interchangeable(*other, slot, by)),
                false => None,
            };
            looked += alike.unwrap_or(seen.len());
            match alike.map(|index| seen[index]) {
                None => {
                    seen.push((slot, kept));
                    kept += 1;
                }
                Some((other, at)) if self.p.layout.closed => {
                    told_apart |= self.known(other) != self.known(slot);
                    left_out.push((at, *choice));
                }
                Some(_) => {}
            }
            alike.is_none()
        });
        if told_apart {
            self.draw_of_alike(out, &left_out);
        }
        looked
    }

    /// Lets chance say which of those that are alike for the chooser stands for each group.
    fn draw_of_alike(&mut self, out: &mut [Choice], left_out: &[(usize, Choice)]) {
        for (at, choice) in out.iter_mut().enumerate() {
            let others = || left_out.iter().filter(|(of, _)| *of == at);
            let count = others().count();
            if count > 0
                && let Some(picked) = (self.draw(count as u32 + 1) as usize).checked_sub(1)
                && let Some((_, other)) = others().nth(picked)
            {
                *choice = *other;
            }
        }
    }

    /// Whether an entity may be one of several that are alike: it lies in a zone, or not alone on a site, or has no place at all, and
    /// nothing is linked to it or armed.
    pub fn merges(&self, value: i64) -> bool {
        slot_of(value).is_some_and(|slot| {
            let record = self.p.layout.entity(slot);
            let is_thing = |kind: i64| self.p.rules.kinds[kind as usize].root == RootKind::Thing;
            match self.st.mem[record + ent::PLACE] {
                0.. => true,
                ent::ON_BOARD => self.shares_site(slot),
                place if place <= ent::ENDLESS => self.st.mem[record + ent::BENEATH] >= 0 || !self.is_on_top(slot),
                _ => is_thing(self.st.mem[record + ent::KIND]),
            }
        }) && !self.is_marked(value)
    }

    /// Whether a piece on a board lies above or below another one.
    fn shares_site(&self, slot: usize) -> bool {
        let record = self.p.layout.entity(slot);
        let packed = self.st.mem[record + ent::SITE];
        let tops = self.p.layout.boards[(packed / 4096) as usize].tops;
        self.st.mem[record + ent::BENEATH] >= 0 || self.st.mem[tops + (packed % 4096) as usize] != slot as i64
    }

    /// Whether a piece on a board without an end is the topmost on its site.
    fn is_on_top(&self, slot: usize) -> bool {
        self.spot_of_slot(slot).is_some_and(|(board, site)| self.top_at(board, site) == Some(slot))
    }

    /// Whether two entities are alike and it makes no difference which of them is taken: of those that lie in an order,
    /// only those next to each other are, and those of which no order is settled. For a player who chooses, those are alike that others
    /// tell apart by what they have looked at in secret.
    pub fn interchangeable(&self, one: usize, other: usize, by: i64) -> bool {
        self.same_record(one, other, by) && self.same_stretch(one, other, by)
    }

    fn same_stretch(&self, one: usize, other: usize, by: i64) -> bool {
        let place = self.st.mem[self.p.layout.entity(one) + ent::PLACE];
        let Some(info) = usize::try_from(place).ok().and_then(|place| self.p.layout.instances.get(place)) else {
            return self.same_stack(one, other, by);
        };
        if info.list == 0 {
            return true;
        }
        let settled = &self.st.mem[info.list + 2..][..self.st.mem[info.list] as usize];
        let at = |slot: usize| settled.iter().position(|listed| *listed == slot as i64);
        match (at(one), at(other)) {
            (None, None) => true,
            (Some(one_at), Some(other_at)) => {
                let bag = self.st.mem[info.list + 1] as usize;
                let (low, high) = (one_at.min(other_at), one_at.max(other_at));
                let apart = self.unsampled(place as usize) > 0 && (low < bag) != (high < bag);
                !apart && settled[low..=high].iter().all(|slot| self.same_record(*slot as usize, one, by))
            }
            _ => false,
        }
    }

    /// Whether two pieces lie on one site, and between them only such as they are.
    fn same_stack(&self, one: usize, other: usize, by: i64) -> bool {
        if self.lies_on(one) != self.lies_on(other) {
            return false;
        }
        let beneath = |slot: usize| usize::try_from(self.st.mem[self.p.layout.entity(slot) + ent::BENEATH]).ok();
        let leads = |from: usize, to: usize| {
            let stack = std::iter::successors(beneath(from), |slot| beneath(*slot));
            let mut like = stack.take_while(|slot| self.same_record(*slot, from, by));
            like.any(|slot| slot == to)
        };
        self.lies_on(one).is_none() || leads(one, other) || leads(other, one)
    }

    /// A number that is the same for all that are alike.
    fn digest(&self, slot: usize) -> u64 {
        let record = self.p.layout.entity(slot);
        let (record, mixed) = (&self.st.mem[record..][..self.p.layout.entity_words], 0x9e37_79b9_7f4a_7c15_u64);
        let words = [record[ent::ENTRY]].into_iter().chain(record[ent::PROPS..].iter().copied());
        words.fold(0, |digest: u64, word| (digest.rotate_left(5) ^ word as u64).wrapping_mul(mixed))
    }

    fn same_record(&self, one: usize, other: usize, by: i64) -> bool {
        let (mem, layout) = (&self.st.mem, &self.p.layout);
        let (one, other) = (layout.entity(one), layout.entity(other));
        let (one, other) = (&mem[one..one + layout.entity_words], &mem[other..other + layout.entity_words]);
        // Properties differ soonest; they are few, so that a call to compare them takes longer.
        let props = one[ent::PROPS..].iter().zip(&other[ent::PROPS..]);
        let parts = [ent::ENTRY, ent::KIND, ent::PLACE, ent::OWNER];
        props.into_iter().all(|(one, other)| one == other)
            && parts.iter().all(|part| one[*part] == other[*part])
            && (one[ent::KNOWN] == other[ent::KNOWN] || told(one[ent::KNOWN], by) == told(other[ent::KNOWN], by))
    }

    fn known(&self, slot: usize) -> i64 {
        self.st.mem[self.p.layout.entity(slot) + ent::KNOWN]
    }

    /// Whether anything is linked to an entity or armed on it.
    pub fn is_marked(&self, marked: i64) -> bool {
        self.st.arms.iter().any(|arm| arm.source == marked)
            || self.p.rules.links.iter().any(|link| !self.linked_slots(marked, link.one).is_empty())
    }

    /// Cards that the chooser does not know are one option for each place where they lie, and for what their backs show:
    /// which of them it is, is as likely for all, for else the order of the options would tell something.
    pub fn veil(&mut self, site: &ChooseSite, base: usize, start: usize, out: &mut Vec<Choice>) -> R<()> {
        if self.p.layout.closed && matches!(site.ty.bare(), Ty::Entity(_)) {
            let by = self.chooser(site.by, base);
            return self.veil_from(by, start, out);
        }
        Ok(())
    }

    /// Leaves one of the cards of each place and back that a player does not know, from a position on.
    pub fn veil_from(&mut self, by: i64, start: usize, out: &mut Vec<Choice>) -> R<()> {
        self.spend((out.len() - start) as u64)?;
        let eyes = Eyes::of(by);
        let hidden = |run: &Self, choice: &Choice| choice.branch >= 0 && !run.is_seen(choice.value, eyes);
        if !out[start..].iter().any(|choice| hidden(self, choice)) {
            return Ok(());
        }
        let unknown: Vec<Choice> = out[start..].iter().filter(|choice| hidden(self, choice)).copied().collect();
        let mut at = 0;
        out.retain(|choice| {
            at += 1;
            at <= start || !hidden(self, choice)
        });
        let looks = |choice: &Choice| {
            let record = self.record(choice.value).map(|(record, _)| record);
            let place = record.map_or(NIL, |record| self.st.mem[record + ent::PLACE]);
            // Of a piece face down, all see its kind and whose it is.
            let back = record.and_then(|record| Some((self.back_of(record)?, self.st.mem[record + ent::OWNER])));
            (place, slot_of(choice.value).and_then(|slot| self.lies_on(slot)), self.back(choice.value, eyes), back)
        };
        let mut groups: BTreeMap<_, Vec<Choice>> = BTreeMap::new();
        for choice in unknown {
            groups.entry(looks(&choice)).or_default().push(choice);
        }
        for mut there in groups.into_values() {
            // What one is drawn among must not depend on which of them lies where.
            there.sort_by_key(|choice| slot_of(choice.value).map(|slot| self.lies_behind(slot)));
            let picked = self.draw(there.len() as u32) as usize;
            out.extend(there.get(picked));
        }
        Ok(())
    }

    /// How many lie before it in its pile, as far as their order is settled, or beneath it on its site.
    pub fn lies_behind(&self, slot: usize) -> usize {
        let record = self.p.layout.entity(slot);
        match usize::try_from(self.st.mem[record + ent::PLACE]).ok().and_then(|at| self.p.layout.instances.get(at)) {
            Some(info) if info.list == 0 => 0,
            Some(info) => {
                let settled = &self.st.mem[info.list + 2..][..self.st.mem[info.list] as usize];
                settled.iter().position(|listed| *listed == slot as i64).unwrap_or(settled.len())
            }
            None => {
                let beneath =
                    |slot: usize| usize::try_from(self.st.mem[self.p.layout.entity(slot) + ent::BENEATH]).ok();
                std::iter::successors(beneath(slot), |slot| beneath(*slot)).take(self.p.layout.capacity).count()
            }
        }
    }

    /// Whether a player does not know all members of a set.
    pub fn has_unknown(&self, from: usize, by: i64) -> bool {
        let eyes = Eyes::of(by);
        let members = self.members(usize::from(self.p.layout.entity_set), from);
        members.into_iter().any(|bit| !self.is_seen(self.reference(bit), eyes))
    }
}

/// Of who knows an entity, what a player has read: nothing of what others were shown quietly. Nature is told all.
fn told(known: i64, reader: i64) -> i64 {
    match u32::try_from(reader) {
        Ok(seat) if known != -1 => known & !(known >> QUIETLY & !(1 << seat)) & ((1 << QUIETLY) - 1),
        _ => known,
    }
}
