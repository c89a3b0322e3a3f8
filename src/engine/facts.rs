//! What can be said of a state in expressions of the language, so that a test can expect it: properties of the game and of
//! players, how many cards lie where, and which.

use super::Machine;
use super::moves::Goal;
use super::run::Run;
use super::state::State;
use crate::model::rules::{Entry, KindId, PropClass, PropId, Ty, Zone};
use crate::program::{NIL, PropHome, ent, touch};
use crate::syntax::quote;
use std::collections::BTreeMap;

/// An expression and the value that it has: a number, a name, a player, `true`, `false` or `nothing`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fact {
    /// The expression.
    pub of: String,
    /// Its value.
    pub is: String,
}

impl Fact {
    /// It as a condition that holds.
    pub fn condition(&self) -> String {
        match self.is.as_str() {
            "true" => self.of.clone(),
            "false" => format!("not {}", self.of),
            "nothing" => format!("no {}", self.of),
            value => format!("{} = {value}", self.of),
        }
    }
}

/// Stands before the name of a card that is put somewhere by hand.
pub const PUT: &str = "put ";

impl Machine {
    /// The state with another value of a property of a player or of the game, or with a card (`put NAME`) in a zone, and the
    /// decision at hand as it is then.
    ///
    /// # Errors
    /// In words, if there is no such property that is kept, no such value, card or zone, or something was picked already.
    pub fn set_by_hand(&mut self, state: &State, what: &str, to: &str) -> Result<State, String> {
        let later = || "not now: make the choice that was begun, or take it back".to_owned();
        let mut other = state.clone();
        if state.over.is_some() || !state.pending.picked.is_empty() {
            return Err(later());
        }
        let frame = other.frames.last_mut().ok_or_else(later)?;
        frame.pc = *self.program.asked.get(&frame.pc).ok_or_else(later)?;
        other.pending = Default::default();
        self.with(&mut other, |run| {
            run.set_fact(what, to)?;
            run.advance().map(|_| ()).map_err(|error| error.message.clone())
        })?;
        Ok(other)
    }

    /// All facts of a state, whoever may know them: whose turn it is, properties, zones, cards by name.
    pub fn facts(&mut self, state: &State) -> Vec<Fact> {
        self.look(state, |run| run.facts())
    }
}

impl Run<'_> {
    fn facts(&mut self) -> Vec<Fact> {
        let rules = self.p.rules.clone();
        let mut facts = Vec::new();
        if let Some(is) = self.literal(self.mover(), &Ty::Maybe(Box::new(Ty::Player))) {
            facts.push(Fact { of: "mover".to_owned(), is });
        }
        for player in 0..self.st.players {
            let whose = seat(i64::from(player));
            let told = rules.player_props.iter().filter_map(|prop| self.fact(&whose, *prop, i64::from(player)));
            facts.extend(told.collect::<Vec<_>>());
        }
        let told = rules.game_props.iter().filter_map(|prop| self.fact("game", *prop, NIL));
        facts.extend(told.collect::<Vec<_>>());
        let mut names = Vec::new();
        for (instance, info) in self.p.layout.instances.iter().enumerate() {
            if info.player.is_some_and(|player| player >= self.st.players) {
                continue;
            }
            let Some(zone) = rules.zones.get(info.zone.index()) else { continue };
            let place = place(zone, info.player);
            let cards = self.zone_order(instance);
            facts.push(Fact { of: format!("count {place}"), is: cards.len().to_string() });
            let mut counts: BTreeMap<String, usize> = BTreeMap::new();
            for entry in cards.into_iter().filter_map(|card| self.entry_of(card)).filter_map(|id| rules.entries.get(id))
            {
                let kind = rules.kinds.get(entry.kind.index()).map_or("", |kind| kind.name.as_str());
                *counts.entry(format!("{kind} {}", quote(&entry.name))).or_default() += 1;
            }
            let named = |(name, count): (String, usize)| Fact {
                of: format!("count ({place} & {name})"),
                is: count.to_string(),
            };
            names.extend(counts.into_iter().map(named));
        }
        facts.extend(names);
        facts
    }

    /// What is kept in a property, or worked out, if a test can say it.
    fn fact(&mut self, whose: &str, prop: PropId, player: i64) -> Option<Fact> {
        let rules = self.p.rules.clone();
        let info = rules.props.get(prop.index())?;
        let of = format!("{whose}.{}", keyed(&info.name));
        let word = match (&info.class, self.p.layout.props[prop.index()]) {
            (PropClass::Stat { .. }, _) => {
                self.stat(player, prop).ok()?;
                *self.x.result.first()?
            }
            (PropClass::Counter { .. } | PropClass::Mark { .. }, PropHome::Player(offset)) => {
                let record = self.p.layout.players + player as usize * self.p.layout.player_words;
                self.st.mem[record + usize::from(offset)]
            }
            (PropClass::Counter { .. } | PropClass::Mark { .. }, PropHome::Game(start)) => {
                self.st.mem[usize::from(start)]
            }
            _ => return None,
        };
        Some(Fact { of, is: self.literal(word, &info.ty)? })
    }

    /// Puts a card into a zone: one of this name that does not lie there already.
    fn put(&mut self, card: &str, to: &str) -> Result<(), String> {
        let rules = self.p.rules.clone();
        let (mut goal, mut others) = (None, Vec::new());
        for (instance, info) in self.p.layout.instances.iter().enumerate() {
            let Some(zone) = rules.zones.get(info.zone.index()) else { continue };
            if info.player.is_some_and(|player| player >= self.st.players) {
                continue;
            }
            let named =
                info.player.map(|player| format!("{}.{}", self.seat_name(i64::from(player)), keyed(&zone.name)));
            let place = place(zone, info.player);
            if place == to || named.as_deref() == Some(to) {
                goal = Some((instance, zone));
            }
            others.push(place);
        }
        let (instance, zone) =
            goal.ok_or_else(|| format!("there is no zone `{to}`; there are: {}", others.join(", ")))?;
        let is_meant = |run: &Self, slot: usize| {
            let record = run.p.layout.entity(slot);
            let named = |entry: &Entry| {
                let kinds = rules.kinds_from(entry.kind);
                kinds
                    .filter_map(|kind| rules.kinds.get(kind.index()))
                    .any(|kind| card == format!("{} {}", kind.name, quote(&entry.name)))
            };
            let entry =
                usize::try_from(run.st.mem[record + ent::ENTRY]).ok().and_then(|entry| rules.entries.get(entry));
            run.st.mem[record + ent::PLACE] >= 0
                && (entry.is_some_and(named) || run.entity_name(run.reference(slot)) == card)
        };
        let slots: Vec<usize> = (0..self.p.layout.capacity).filter(|slot| is_meant(self, *slot)).collect();
        let elsewhere = |slot: &&usize| self.st.mem[self.p.layout.entity(**slot) + ent::PLACE] != instance as i64;
        let Some(slot) = slots.iter().find(elsewhere).or(slots.first()).copied() else {
            return Err(format!(
                "no card in a zone is called `{card}`; write its name as it is shown, or `KIND \"Name\"`"
            ));
        };
        let kind = KindId(self.st.mem[self.p.layout.entity(slot) + ent::KIND] as u32);
        let holds = zone.holds.is_empty() || zone.holds.iter().any(|held| rules.is_below(kind, *held));
        if !holds || !self.fits(slot, Goal::Zone(instance, None)) {
            return Err(format!("`{to}` has no room for `{card}`"));
        }
        let card = self.reference(slot);
        self.move_entity(card, Goal::Zone(instance, None), &[]).map(drop).map_err(|error| error.message.clone())
    }

    /// Gives a property a value, or puts a card into a zone.
    fn set_fact(&mut self, what: &str, to: &str) -> Result<(), String> {
        let rules = self.p.rules.clone();
        if let Some(card) = what.strip_prefix(PUT) {
            return self.put(card, to);
        }
        let (whose, name) = what.split_once('.').ok_or("name a property: `seat(1).NAME`, `game.NAME`")?;
        let player = (0..self.st.players)
            .find(|player| seat(i64::from(*player)) == whose || self.seat_name(i64::from(*player)) == whose);
        let of = if whose == "game" { &rules.game_props } else { &rules.player_props };
        if whose != "game" && player.is_none() {
            return Err(format!("there is no `{whose}`; write `seat(1)` or `game`"));
        }
        let kept = |prop: &&PropId| {
            let class = rules.props.get(prop.index()).map(|info| &info.class);
            matches!(class, Some(PropClass::Counter { .. } | PropClass::Mark { .. }))
        };
        let named = |prop: &&PropId| rules.props.get(prop.index()).is_some_and(|info| keyed(&info.name) == name);
        let Some(prop) = of.iter().filter(kept).find(named) else {
            let names =
                of.iter().filter(kept).filter_map(|prop| rules.props.get(prop.index())).map(|info| keyed(&info.name));
            return Err(format!(
                "no counter or mark `{name}` is kept; there are: {}",
                names.collect::<Vec<_>>().join(", ")
            ));
        };
        let info = &rules.props[prop.index()];
        let word = self.word_written(to, &info.ty).ok_or_else(|| format!("`{to}` is no value of `{name}`"))?;
        if let Some((low, high)) = info.range.filter(|(low, high)| word != NIL && !(*low..=*high).contains(&word)) {
            return Err(format!("`{name}` is {low} to {high}"));
        }
        let at = match (self.p.layout.props[prop.index()], player) {
            (PropHome::Player(offset), Some(player)) => {
                self.p.layout.players + usize::from(player) * self.p.layout.player_words + usize::from(offset)
            }
            (PropHome::Game(start), None) => usize::from(start),
            _ => return Err(format!("`{name}` cannot be set")),
        };
        self.st.mem[at] = word;
        self.st.touched |= touch::ALL & !touch::ANY;
        Ok(())
    }

    /// The word of a value as the language writes it.
    fn word_written(&self, text: &str, ty: &Ty) -> Option<i64> {
        match ty {
            Ty::Maybe(_) if text == "nothing" => Some(NIL),
            Ty::Maybe(of) => self.word_written(text, of),
            Ty::Number => text.parse().ok(),
            Ty::Flag => text.parse::<bool>().ok().map(i64::from),
            Ty::Player => {
                (0..i64::from(self.st.players)).find(|player| seat(*player) == text || self.seat_name(*player) == text)
            }
            Ty::Enum(id) => {
                let values = &self.p.rules.enums.get(id.index())?.values;
                values.iter().position(|value| value.name == text).map(|index| index as i64)
            }
            _ => None,
        }
    }

    /// A value as the language writes it.
    fn literal(&self, word: i64, ty: &Ty) -> Option<String> {
        match ty {
            Ty::Maybe(_) if word == NIL => Some("nothing".to_owned()),
            Ty::Maybe(of) => self.literal(word, of),
            Ty::Number => Some(word.to_string()),
            Ty::Flag => Some((word != 0).to_string()),
            Ty::Player if word >= 0 => Some(seat(word)),
            Ty::Enum(id) => {
                let values = &self.p.rules.enums.get(id.index())?.values;
                Some(values.get(usize::try_from(word).ok()?)?.name.clone())
            }
            _ => None,
        }
    }
}

fn seat(player: i64) -> String {
    format!("seat({})", player + 1)
}

/// A name, with the key of one of several in brackets.
fn keyed(name: &str) -> String {
    name.split_once(' ').map_or_else(|| name.to_owned(), |(name, key)| format!("{name}[{key}]"))
}

fn place(zone: &Zone, player: Option<u8>) -> String {
    let name = keyed(&zone.name);
    player.map_or_else(|| name.clone(), |player| format!("{}.{name}", seat(i64::from(player))))
}
