//! Cards as they are printed: what stands on each before anything has happened to it. A card shows what its look says of
//! one that lies nowhere.

use super::api::{CardView, GameError, Start};
use super::run::Run;
use super::state;
use super::words::Eyes;
use super::{Chance, Machine};
use crate::model::rules::{KindId, RootKind, ZoneId};
use crate::program::ent;
use std::collections::BTreeMap;

/// A card to be printed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Print {
    /// The number of its definition; none of cards that setup makes.
    pub entry: Option<usize>,
    /// Its kind.
    pub kind: KindId,
    /// How many there are.
    pub copies: usize,
    /// The number of the zone in which it begins.
    pub zone: Option<usize>,
    /// What is seen of it.
    pub card: CardView,
}

impl Machine {
    /// The cards of a game for so many players: the defined ones in their order, and after them those that setup makes.
    ///
    /// # Errors
    /// [`GameError`] if the game cannot begin.
    pub fn printed(&mut self, players: u8) -> Result<Vec<Print>, GameError> {
        let start = Start { players, seed: 0, chance: Chance::Draw };
        let mut prints = self.look(&self.blank(&start), |run| run.defined());
        let begun = self.start(&start)?;
        let (defined, alone) = self.look(&begun, |run| run.made());
        for print in &mut prints {
            // As many as there are, where setup makes more than the definition says.
            let made = print.entry.and_then(|entry| defined.get(&entry));
            print.copies = made.map_or(print.copies, |made| print.copies.max(*made));
        }
        for (kind, card) in alone {
            match prints.iter_mut().find(|print| print.entry.is_none() && print.card.is_like(&card)) {
                Some(print) => print.copies += 1,
                None => prints.push(Print { entry: None, kind, copies: 1, zone: None, card }),
            }
        }
        Ok(prints)
    }
}

impl Run<'_> {
    /// One of each definition, made in a state in which there is nothing else.
    fn defined(&mut self) -> Vec<Print> {
        let rules = self.p.rules.clone();
        let mut prints = Vec::new();
        for (index, entry) in rules.entries.iter().enumerate() {
            let kind = entry.kind.index();
            if self.p.layout.capacity == 0 || rules.kinds[kind].root != RootKind::Card {
                continue;
            }
            self.init_entity(0, KindId(kind as u32), index as i64);
            let card = self.print_of(0);
            for set in &self.p.kind_sets[kind] {
                self.st.mem[usize::from(*set)] &= !1;
            }
            let (kind, copies, zone) =
                (entry.kind, usize::from(entry.copies), rules.begins_in(entry.kind).map(ZoneId::index));
            prints.push(Print { entry: Some(index), kind, copies, zone, card });
        }
        prints
    }

    /// How many cards there are of each definition, and those without one.
    fn made(&mut self) -> (BTreeMap<usize, usize>, Vec<(KindId, CardView)>) {
        let (mut defined, mut alone) = (BTreeMap::new(), Vec::new());
        for slot in 0..self.p.layout.capacity {
            let record = self.p.layout.entity(slot);
            let Ok(kind) = usize::try_from(self.st.mem[record + ent::KIND]) else { continue };
            let card = self.p.rules.kinds.get(kind).is_some_and(|kind| kind.root == RootKind::Card);
            let there = |set: &u16| self.st.mem[usize::from(*set) + slot / 64] >> (slot % 64) & 1 == 1;
            if !card || !self.p.kind_sets[kind].first().is_some_and(there) {
                continue;
            }
            match usize::try_from(self.st.mem[record + ent::ENTRY]) {
                Ok(entry) => *defined.entry(entry).or_default() += 1,
                Err(_) => {
                    let card = CardView { props: Vec::new(), ..self.print_of(slot) };
                    alone.push((KindId(kind as u32), card));
                }
            }
        }
        (defined, alone)
    }

    /// What is printed on the card in a slot, without what has happened to it.
    fn print_of(&mut self, slot: usize) -> CardView {
        let generation = self.st.mem[self.p.layout.entity(slot) + ent::GENERATION];
        self.x.eyes = Eyes::All;
        let seen = self.spoken(|run| run.card_view(state::entity(slot, generation)));
        CardView { handle: 0, host: None, markers: Vec::new(), owner: None, ..seen }
    }
}
