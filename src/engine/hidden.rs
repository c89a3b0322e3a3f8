//! Hidden states: another state that a seat cannot tell from the one it is in.

use super::api::Seat;
use super::chance::{below, generator};
use super::run::Run;
use crate::model::rules::PropClass;
use crate::program::{CreateWhat, PropHome, ent, touch};
use rand_pcg::Pcg32;

impl Run<'_> {
    /// Exchanges the places of cards the seat does not know, at random, and begins another line of chance.
    pub fn resample(&mut self, seat: Seat, seed: u64) {
        let mut rng = generator(seed);
        let hidden: Vec<usize> = (0..self.p.layout.capacity)
            .filter(|slot| {
                let record = self.p.layout.entity(*slot);
                let place = self.st.mem[record + ent::PLACE];
                place >= 0 && (self.st.mem[record + ent::KNOWN] >> seat) & 1 == 0 && !self.is_pinned(*slot)
            })
            .collect();
        let printed = self.printed_words();
        // Fisher and Yates, from the end.
        for index in (1..hidden.len()).rev() {
            let other = below(&mut rng, index as u32 + 1) as usize;
            self.exchange(hidden[index], hidden[other], &printed);
        }
        self.draw_anew(seat, &mut rng);
        self.st.rng = rng;
        self.st.touched |= touch::ALL & !touch::ANY;
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
                let lies = self.st.mem[record + ent::PLACE] >= 0 && self.st.mem[record + ent::ENTRY] < 0;
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

    /// Where the fields of created cards lie in their records.
    fn printed_words(&self) -> Vec<usize> {
        let layout = &self.p.layout;
        let fields =
            self.p.rules.props.iter().zip(&layout.props).filter_map(|(prop, home)| match (&prop.class, home) {
                (PropClass::Field { .. }, PropHome::Entity(offset)) => {
                    Some((usize::from(*offset), layout.words(&prop.ty)))
                }
                _ => None,
            });
        fields.flat_map(|(offset, words)| offset..offset + usize::from(words)).collect()
    }

    /// Whether anything else in the state points at an entity, so that it cannot change places unseen.
    fn is_pinned(&self, slot: usize) -> bool {
        let reference = self.reference(slot);
        self.st.mem[self.p.layout.fixed..].contains(&reference)
            || self.options().iter().any(|choice| choice.value == reference)
            || self.st.arms.iter().any(|arm| arm.source == reference)
            || self.st.queue_words.contains(&reference)
            || self.st.batch_words.contains(&reference)
    }

    /// Two cards change places, with all that belongs to the place: order, knowledge, marks. What is printed on them
    /// does not, and cards of two kinds keep what they have in the same words.
    fn exchange(&mut self, a: usize, b: usize, printed: &[usize]) {
        let fits = |kind: i64, place: i64, run: &Self| {
            let zone = run.p.layout.instances[place as usize].zone;
            run.p.rules.zones[zone.index()]
                .holds
                .iter()
                .any(|held| crate::program::is_subkind(&run.p.rules, crate::model::rules::KindId(kind as u32), *held))
        };
        let (ra, rb) = (self.p.layout.entity(a), self.p.layout.entity(b));
        let (pa, pb) = (self.st.mem[ra + ent::PLACE], self.st.mem[rb + ent::PLACE]);
        let (ka, kb) = (self.st.mem[ra + ent::KIND], self.st.mem[rb + ent::KIND]);
        if a == b || !fits(ka, pb, self) || !fits(kb, pa, self) {
            return;
        }
        let words = self.p.layout.entity_words;
        let kept = |offset: &usize| *offset == ent::GENERATION || printed.contains(offset);
        for offset in (ent::PLACE..words).filter(|offset| !kept(offset)) {
            self.st.mem.swap(ra + offset, rb + offset);
        }
        for (slot, from, to) in [(a, pa, pb), (b, pb, pa)] {
            if from != to {
                let (from, to) = (self.p.layout.instances[from as usize], self.p.layout.instances[to as usize]);
                self.st.mem[from.set + slot / 64] &= !(1 << (slot % 64));
                self.st.mem[to.set + slot / 64] |= 1 << (slot % 64);
            }
        }
        let mut lists: Vec<usize> =
            vec![self.p.layout.instances[pa as usize].list, self.p.layout.instances[pb as usize].list];
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
