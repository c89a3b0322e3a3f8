//! Plain data: what scripts are given and give back, and all that is left of them between two calls. It is cloned, compared
//! and saved with the state; no value of the script engine is.

use super::run::{R, Run};
use super::state::slot_of;
use super::words::{Eyes, bits};
use crate::base::limits;
use crate::model::rules::Ty;
use crate::program::{NIL, Repr, repr};
use rhai::{Array, Dynamic, Map};
use serde::{Deserialize, Serialize};

/// A card, piece or thing, as scripts hold it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Thing(pub i64);

/// A player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Player(pub i64);

/// A site of a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Spot {
    pub board: u32,
    pub site: i64,
}

/// The event at hand, as scripts ask for its parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Happening;

/// The game itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Whole;

/// A value without anything that runs.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) enum Plain {
    #[default]
    Nothing,
    Flag(bool),
    Number(i64),
    Text(String),
    Thing(i64),
    Player(i64),
    Site(u32, i64),
    Game,
    List(Vec<Plain>),
    Map(Vec<(String, Plain)>),
}

impl Plain {
    /// A value of a script, without what runs. The error says what is wrong with it.
    pub fn of(value: &Dynamic) -> Result<Plain, Unfit> {
        let mut left = limits::SCRIPT_DATA;
        Plain::within(value, &mut left, 0)
    }

    fn within(value: &Dynamic, left: &mut usize, depth: usize) -> Result<Plain, Unfit> {
        *left = left.checked_sub(1).ok_or(Unfit::Large)?;
        if depth > limits::SCRIPT_DEPTH {
            return Err(Unfit::Large);
        }
        if let Ok(array) = value.as_array_ref() {
            return array
                .iter()
                .map(|item| Plain::within(item, left, depth + 1))
                .collect::<Result<_, _>>()
                .map(Plain::List);
        }
        if let Ok(map) = value.as_map_ref() {
            let entries = map.iter().map(|(key, item)| Ok((key.to_string(), Plain::within(item, left, depth + 1)?)));
            return entries.collect::<Result<_, _>>().map(Plain::Map);
        }
        if let Ok(text) = value.as_immutable_string_ref() {
            return Ok(Plain::Text(text.to_string()));
        }
        let plain = match value.type_name() {
            "()" => Some(Plain::Nothing),
            "bool" => value.as_bool().ok().map(Plain::Flag),
            "i64" => value.as_int().ok().map(Plain::Number),
            "char" => value.as_char().ok().map(|letter| Plain::Text(letter.to_string())),
            _ => None,
        };
        plain
            .or_else(|| value.read_lock::<Thing>().map(|thing| Plain::Thing(thing.0)))
            .or_else(|| value.read_lock::<Player>().map(|player| Plain::Player(player.0)))
            .or_else(|| value.read_lock::<Spot>().map(|spot| Plain::Site(spot.board, spot.site)))
            .or_else(|| value.read_lock::<Whole>().map(|_| Plain::Game))
            .ok_or(Unfit::Runs)
    }

    /// The value that a script gets.
    pub fn to_script(&self) -> Dynamic {
        match self {
            Plain::Nothing => Dynamic::UNIT,
            Plain::Flag(flag) => (*flag).into(),
            Plain::Number(number) => (*number).into(),
            Plain::Text(text) => text.as_str().into(),
            Plain::Thing(thing) => Dynamic::from(Thing(*thing)),
            Plain::Player(player) => Dynamic::from(Player(*player)),
            Plain::Site(board, site) => Dynamic::from(Spot { board: *board, site: *site }),
            Plain::Game => Dynamic::from(Whole),
            Plain::List(items) => items.iter().map(Plain::to_script).collect::<Array>().into(),
            Plain::Map(entries) => {
                let map: Map = entries.iter().map(|(key, item)| (key.as_str().into(), item.to_script())).collect();
                map.into()
            }
        }
    }

    /// How many values it has.
    pub fn size(&self) -> usize {
        1 + match self {
            Plain::List(items) => items.iter().map(Plain::size).sum(),
            Plain::Map(entries) => entries.iter().map(|(_, item)| item.size()).sum(),
            Plain::Text(text) => text.len() / 16,
            _ => 0,
        }
    }

    /// Whether it has this thing in it.
    pub fn mentions(&self, thing: i64) -> bool {
        match self {
            Plain::Thing(other) => *other == thing,
            Plain::List(items) => items.iter().any(|item| item.mentions(thing)),
            Plain::Map(entries) => entries.iter().any(|(_, item)| item.mentions(thing)),
            _ => false,
        }
    }
}

/// Why a value cannot be kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Unfit {
    /// It has too many parts, or they lie too deep.
    Large,
    /// A function or the like is in it.
    Runs,
}

impl Run<'_> {
    /// Words of the memory as a script gets them: numbers, flags, names of enum values, players and things, arrays for sets
    /// and lists.
    pub fn to_script(&self, words: &[i64], ty: &Ty) -> Dynamic {
        let item = match ty {
            Ty::Set(item) | Ty::List(item) => item.as_ref(),
            other => return self.word_to_script(words.first().copied().unwrap_or(NIL), other),
        };
        let values: Vec<i64> = match repr(ty) {
            Repr::List => {
                words.iter().skip(1).take(words.first().map_or(0, |n| (*n).max(0) as usize)).copied().collect()
            }
            Repr::Entities => bits(words).into_iter().map(|slot| self.reference(slot)).collect(),
            _ => bits(words).into_iter().map(|bit| bit as i64).collect(),
        };
        let array: Array = values.into_iter().map(|value| self.word_to_script(value, item)).collect();
        array.into()
    }

    fn word_to_script(&self, value: i64, ty: &Ty) -> Dynamic {
        match ty {
            Ty::Maybe(inner) if value != NIL => self.word_to_script(value, inner),
            _ if value == NIL => Dynamic::UNIT,
            Ty::Flag => (value == 1).into(),
            Ty::Entity(_) => Dynamic::from(Thing(value)),
            Ty::Player => Dynamic::from(Player(value)),
            Ty::Site(board) => Dynamic::from(Spot { board: board.index() as u32, site: value }),
            Ty::Number => value.into(),
            Ty::Lambda(..) | Ty::Effect(_) => Dynamic::UNIT,
            _ => self.plain(value, ty).into(),
        }
    }

    /// Whether a value is one of a type. What has gone may be a thing still.
    pub fn is_of(&self, value: &Plain, ty: &Ty) -> bool {
        match (ty, value) {
            (Ty::Set(item) | Ty::List(item), Plain::List(values)) => values.iter().all(|value| self.is_of(value, item)),
            (Ty::Set(_) | Ty::List(_), _) => false,
            _ => self.word_of(value, ty).is_some(),
        }
    }

    /// The word of a value of a type.
    fn word_of(&self, value: &Plain, ty: &Ty) -> Option<i64> {
        match (ty, value) {
            (Ty::Maybe(_), Plain::Nothing) => Some(NIL),
            (Ty::Maybe(inner), _) => self.word_of(value, inner),
            (Ty::Number, Plain::Number(number)) => Some(*number).filter(|number| *number != NIL),
            (Ty::Flag, Plain::Flag(flag)) => Some(i64::from(*flag)),
            (Ty::Entity(kind), Plain::Thing(thing)) => {
                let slot = slot_of(*thing).filter(|slot| *slot < self.p.layout.capacity)?;
                (self.record(*thing).is_none_or(|(_, now)| !now) || self.is_kind(slot, *kind)).then_some(*thing)
            }
            (Ty::Enum(id), Plain::Text(name)) => {
                let values = &self.p.rules.enums[id.index()].values;
                values.iter().position(|value| value.name == *name || value.label == *name).map(|index| index as i64)
            }
            (Ty::Text, Plain::Text(text)) => self.p.rules.texts.value(text),
            (Ty::Player, Plain::Player(seat)) => Some(*seat),
            (Ty::Player, Plain::Text(name)) => {
                (0..i64::from(self.st.players)).find(|seat| self.seat_name(*seat) == *name)
            }
            (Ty::Site(own), Plain::Site(board, site)) => (own.index() == *board as usize).then_some(*site),
            _ => None,
        }
    }

    /// Writes a value of a type to an address. Says whether it is one.
    pub fn store(&mut self, d: usize, value: &Plain, ty: &Ty) -> R<bool> {
        let (Ty::Set(item) | Ty::List(item), Plain::List(values)) = (ty, value) else {
            let word = self.word_of(value, ty);
            if let Some(word) = word {
                self.st.mem[d] = word;
            }
            return Ok(word.is_some());
        };
        let mut words = Vec::with_capacity(values.len());
        for value in values {
            match self.word_of(value, item) {
                Some(word) => words.push(word),
                None => return Ok(false),
            }
        }
        match repr(ty) {
            Repr::List => self.store_list(d, &words)?,
            kind => {
                let width = usize::from(self.p.layout.set_words(kind));
                self.st.mem[d..d + width].fill(0);
                for word in words {
                    let bit = if kind == Repr::Entities { self.bit_of(word) } else { usize::try_from(word).ok() };
                    if let Some(bit) = bit.filter(|bit| bit / 64 < width) {
                        self.st.mem[d + bit / 64] |= 1 << (bit % 64);
                    }
                }
            }
        }
        Ok(true)
    }

    /// A value in words, for a reader.
    pub fn told(&self, value: &Plain, eyes: Eyes) -> String {
        let list = |items: &[Plain]| items.iter().map(|item| self.told(item, eyes)).collect::<Vec<_>>().join(", ");
        match value {
            Plain::Nothing => "nothing".to_owned(),
            Plain::Flag(flag) => if *flag { "yes" } else { "no" }.to_owned(),
            Plain::Number(number) => number.to_string(),
            Plain::Text(text) => text.clone(),
            Plain::Thing(thing) => self.entity_key(*thing, eyes),
            Plain::Player(seat) => self.seat_name(*seat),
            Plain::Site(board, site) => self.site_name(*board as usize, *site),
            Plain::Game => "the game".to_owned(),
            Plain::List(items) if items.is_empty() => "nothing".to_owned(),
            Plain::List(items) => list(items),
            Plain::Map(entries) => {
                let entries = entries.iter().map(|(key, item)| format!("{key}: {}", self.told(item, eyes)));
                entries.collect::<Vec<_>>().join(", ")
            }
        }
    }
}
