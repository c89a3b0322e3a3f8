//! What can be said of a state in expressions of the language, so that a test can expect it: properties of the game and of
//! players, how many cards lie where, and which.

use super::Machine;
use super::run::Run;
use super::state::State;
use crate::model::rules::{PropClass, PropId, Ty, Zone};
use crate::program::{NIL, PropHome};
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

impl Machine {
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
