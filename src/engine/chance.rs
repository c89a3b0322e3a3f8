//! Chance: draws from shuffled piles, dice, random picks. Each is a decision of nature: the seeded generator answers,
//! or the caller does, or a scenario has said what comes.

use super::choose::MAX_NUMBERS;
use super::run::{Flow, R, Run, at};
use super::state::{Choice, PendingKind, entity, slot_of};
use super::words::Eyes;
use crate::base::Code;
use crate::model::rules::Ty;
use crate::program::{NIL, Repr, ent};
use rand_pcg::Pcg32;
use rand_pcg::rand_core::Rng;

/// A number from 0 to `bound - 1`, each as likely: 32-bit words are multiplied up, and those that would favour some
/// numbers are drawn again (Lemire 2019, "Fast Random Integer Generation in an Interval").
pub fn below(rng: &mut Pcg32, bound: u32) -> u32 {
    if bound <= 1 {
        return 0;
    }
    let mut product = u64::from(rng.next_u32()) * u64::from(bound);
    if (product as u32) < bound {
        let threshold = bound.wrapping_neg() % bound;
        while (product as u32) < threshold {
            product = u64::from(rng.next_u32()) * u64::from(bound);
        }
    }
    (product >> 32) as u32
}

/// The generator of a seed.
pub fn generator(seed: u64) -> Pcg32 {
    Pcg32::new(seed, 0x0a02_bdbf_7bb3_c0a7)
}

impl Run<'_> {
    /// Draws a number from 0 to `bound - 1`. The first draw of a game decides in which order hidden cards come, too.
    pub fn draw(&mut self, bound: u32) -> u32 {
        super::order::mix(&self.p.layout, self.st);
        below(&mut self.st.rng, bound)
    }

    /// Picks an outcome: the forced one, the generator's, or `None` if the caller is to say.
    fn outcome(&mut self, options: &[Choice], ty: &Ty, kind: PendingKind, site: usize) -> R<Option<Choice>> {
        let found = self.outcome_by(options, |run, value| run.value_key(value, ty, Eyes::All), kind, site)?;
        if found.is_none()
            && let Some(frame) = self.st.frames.last_mut()
        {
            frame.pc -= 1;
        }
        Ok(found)
    }

    /// The same, with the keys of outcomes; who asks is run again as it is.
    pub fn outcome_by(
        &mut self,
        options: &[Choice],
        key_of: impl Fn(&Self, i64) -> String,
        kind: PendingKind,
        site: usize,
    ) -> R<Option<Choice>> {
        if let Some(answer) = self.st.pending.answer.take() {
            return Ok(Some(answer));
        }
        // Whether an action is offered must not tell what it will come to.
        if self.x.probing > 0 && options.len() > 1 {
            self.ask(kind, -1, site);
            return Ok(None);
        }
        if let Some(key) = self.st.forced.last().cloned() {
            let found = options.iter().find(|choice| key_of(self, choice.value) == key).copied();
            let has_words = |choice: &&Choice| key_of(self, choice.value).contains(&key);
            let mut like: Vec<Choice> = options.iter().filter(has_words).copied().collect();
            like.dedup_by_key(|choice| key_of(self, choice.value));
            return match found.or_else(|| like.pop().filter(|_| like.is_empty())) {
                Some(choice) => {
                    self.st.forced.pop();
                    Ok(Some(choice))
                }
                None => {
                    let keys: Vec<String> = options.iter().map(|choice| key_of(self, choice.value)).collect();
                    let message = format!("`{key}` cannot come up here; possible: {}", keys.join(", "));
                    Err(self.error(Code::ForcedChance, message))
                }
            };
        }
        if self.st.chance == super::api::Chance::Draw {
            self.note_draw();
            let total: u32 = options.iter().map(|choice| choice.weight).sum();
            let mut ticket = self.draw(total);
            for choice in options {
                if ticket < choice.weight {
                    return Ok(Some(*choice));
                }
                ticket -= choice.weight;
            }
        }
        self.st.pending.options.clear();
        self.st.pending.options.extend_from_slice(options);
        self.ask(kind, -1, site);
        Ok(None)
    }

    /// Sees to it that the top `n` cards of a pile are settled, refilling it where it is empty.
    pub fn sample(&mut self, instance: i64, n: i64) -> R<Option<Flow>> {
        let Ok(instance) = usize::try_from(instance) else { return Ok(None) };
        if self.p.layout.instances[instance].list == 0 {
            return Ok(None);
        }
        self.refill(instance)?;
        while (self.known_top_count(instance) as i64) < n && self.unsampled(instance) > 0 {
            let info = self.p.layout.instances[instance];
            let listed = self.st.mem[info.list] as usize;
            self.spend_on(
                8 + listed * usize::from(self.p.layout.entity_set) / 16 + usize::from(self.p.layout.entity_set),
            )?;
            if self.plain_draw() {
                // The usual case without a list of outcomes: every card of the unsampled part is as likely.
                self.note_draw();
                let bound = self.unsampled(instance) as u32;
                let ticket = self.draw(bound) as usize;
                let slot = self.nth_unsampled(instance, ticket);
                self.settle_top(instance, slot);
                continue;
            }
            self.spend_on(self.unsampled(instance).pow(2) / 4)?;
            let options = self.bag_outcomes(instance);
            let ty = Ty::Entity(crate::model::rules::KindId(0));
            let Some(choice) = self.outcome(&options, &ty, PendingKind::Draw, instance)? else {
                return Ok(Some(Flow::Suspended));
            };
            if let Some(slot) = super::state::slot_of(choice.value) {
                self.settle_top(instance, slot);
            }
        }
        Ok(None)
    }

    /// Whether so many cards at the top of a pile are known, or all of it, with no other cards that would be shuffled to fill it.
    pub fn is_drawn(&self, instance: i64, n: i64) -> bool {
        usize::try_from(instance).map_or(true, |instance| {
            self.p.layout.instances[instance].list == 0
                || self.known_top_count(instance) as i64 >= n
                || self.unsampled(instance) == 0 && !self.is_filled_when_asked(instance)
        })
    }

    fn plain_draw(&self) -> bool {
        self.st.chance == super::api::Chance::Draw
            && self.st.forced.is_empty()
            && self.st.pending.answer.is_none()
            && self.x.probing == 0
    }

    fn known_top_count(&self, instance: usize) -> usize {
        let list = self.p.layout.instances[instance].list;
        let (length, bag) = (self.st.mem[list] as usize, self.st.mem[list + 1] as usize);
        if self.unsampled(instance) > 0 { length - bag } else { length }
    }

    /// The `n`-th card, in slot order, of those without a settled place.
    fn nth_unsampled(&self, instance: usize, n: usize) -> usize {
        let info = self.p.layout.instances[instance];
        let length = self.st.mem[info.list] as usize;
        let mut left = n;
        for word in 0..usize::from(self.p.layout.entity_set) {
            let mut bits = self.st.mem[info.set + word] as u64;
            for item in &self.st.mem[info.list + 2..info.list + 2 + length] {
                if *item as usize / 64 == word {
                    bits &= !(1 << (*item as usize % 64));
                }
            }
            let count = bits.count_ones() as usize;
            if left >= count {
                left -= count;
                continue;
            }
            for _ in 0..left {
                bits &= bits - 1;
            }
            return word * 64 + bits.trailing_zeros() as usize;
        }
        0
    }

    /// The cards that could be next, those that are alike as one outcome.
    fn bag_outcomes(&self, instance: usize) -> Vec<Choice> {
        let choice = |slot: usize| {
            let generation = self.st.mem[self.p.layout.entity(slot) + ent::GENERATION];
            Choice { branch: 0, value: entity(slot, generation), weight: 1 }
        };
        self.merge_outcomes(self.bag(instance).into_iter().map(choice).collect())
    }

    /// The instruction `roll`.
    pub fn roll(&mut self, d: usize, low: i64, high: i64) -> R<Option<Flow>> {
        if low == NIL || high == NIL || high < low {
            self.st.mem[d] = NIL;
            return Ok(None);
        }
        if high.saturating_sub(low) >= MAX_NUMBERS {
            return Err(self.error(Code::ListTooLong, format!("a roll of more than {MAX_NUMBERS} numbers")));
        }
        let options: Vec<Choice> = (low..=high).map(|value| Choice { branch: 0, value, weight: 1 }).collect();
        self.spend_on(options.len())?;
        let Some(choice) = self.outcome(&options, &Ty::Number, PendingKind::Roll, 0)? else {
            return Ok(Some(Flow::Suspended));
        };
        self.st.mem[d] = choice.value;
        self.trace_roll(choice.value);
        Ok(None)
    }

    /// The instruction `random`.
    pub fn random(&mut self, d: usize, site: usize, base: usize) -> R<Option<Flow>> {
        let info = &self.p.sites.randoms[site];
        let from = at(base, info.from);
        let values: Vec<i64> = match info.repr {
            _ if !info.values.is_empty() => info.values.clone(),
            Repr::Word => vec![self.st.mem[from]],
            Repr::List => self.load_list(from),
            Repr::Entities => self.present(from).into_iter().map(|slot| self.reference(slot)).collect(),
            Repr::Mask => self.members(1, from).into_iter().map(|bit| bit as i64).collect(),
            Repr::Sites => {
                self.members(usize::from(self.p.layout.site_set), from).into_iter().map(|bit| bit as i64).collect()
            }
        };
        let options: Vec<Choice> = values
            .into_iter()
            .filter(|value| *value != NIL)
            .map(|value| Choice { branch: 0, value, weight: 1 })
            .collect();
        self.spend_on(2 * options.len())?;
        if options.is_empty() {
            self.st.mem[d] = NIL;
            return Ok(None);
        }
        let ty = info.ty.clone();
        // Where the generator picks, nobody sees how many ways there are.
        let options = match (self.st.chance, &ty) {
            (super::api::Chance::Ask, Ty::Entity(_)) => self.merge_outcomes(options),
            (super::api::Chance::Ask, _) => merged(options, |other, outcome| other.value == outcome.value),
            _ => options,
        };
        let Some(choice) = self.outcome(&options, &ty, PendingKind::Random, site)? else {
            return Ok(Some(Flow::Suspended));
        };
        self.st.mem[d] = choice.value;
        if matches!(ty, Ty::Entity(_)) {
            self.note_picked(choice.value);
        }
        Ok(None)
    }

    /// Makes one outcome of chance of those that are alike, as likely as all of them.
    pub fn merge_outcomes(&self, outcomes: Vec<Choice>) -> Vec<Choice> {
        merged(outcomes, |other, outcome| {
            let slot = slot_of(outcome.value).filter(|_| self.merges(outcome.value));
            match (slot, slot_of(other.value)) {
                (Some(slot), Some(of)) => self.interchangeable(of, slot, NIL) && !self.is_marked(other.value),
                _ => false,
            }
        })
    }
}

/// One of the outcomes that are alike, as likely as all of them.
fn merged(outcomes: Vec<Choice>, alike: impl Fn(&Choice, &Choice) -> bool) -> Vec<Choice> {
    let mut merged: Vec<Choice> = Vec::new();
    for outcome in outcomes {
        match merged.iter_mut().find(|other| alike(other, &outcome)) {
            Some(other) => other.weight += outcome.weight,
            None => merged.push(outcome),
        }
    }
    merged
}
