//! The words that are there before anything happens: what is printed on definitions, and what properties begin with.

use super::NIL;
use super::layout::{Layout, PropHome, Repr, ent, repr};
use crate::model::rules::{BuiltinProp, FieldValue, PropClass, PropId, Rules, Ty};
use std::collections::BTreeMap;

/// Words by kind; of a player; addresses and words of the game.
pub(super) type Defaults = (Vec<Vec<i64>>, Vec<i64>, Vec<(usize, i64)>);

/// Stored words of new entities by kind, of players, and of the game with their addresses.
pub(super) fn defaults(rules: &Rules, layout: &Layout) -> Defaults {
    let start = |prop: PropId| {
        let prop = &rules.props[prop.index()];
        let given = match &prop.class {
            PropClass::Counter { default: Some(expr) } | PropClass::Mark { default: Some(expr) } => {
                super::walk::constant(rules, expr)
            }
            PropClass::Field { default: Some(value) } => word_of(rules, value),
            _ => None,
        };
        let plain = match (&prop.ty, repr(&prop.ty)) {
            (Ty::Number, _) => prop.range.map_or(0, |(low, high)| 0.clamp(low, high.max(low))),
            (Ty::Flag, _) => 0,
            (_, Repr::Word) => NIL,
            _ => 0,
        };
        (given.unwrap_or(plain), usize::from(layout.words(&prop.ty)))
    };
    let kinds = rules
        .kinds
        .iter()
        .map(|kind| {
            let mut words = vec![0; layout.entity_words - ent::PROPS];
            for prop in &kind.props {
                if let PropHome::Entity(at) = layout.props[prop.index()] {
                    words[usize::from(at) - ent::PROPS] = start(*prop).0;
                }
            }
            words
        })
        .collect();
    let mut players = vec![0; layout.player_words];
    for prop in &rules.player_props {
        if let PropHome::Player(at) = layout.props[prop.index()] {
            players[usize::from(at)] = start(*prop).0;
        }
    }
    let game = rules
        .game_props
        .iter()
        .filter_map(|prop| match layout.props[prop.index()] {
            PropHome::Game(at) => Some((usize::from(at), start(*prop).0)),
            _ => None,
        })
        .collect();
    (kinds, players, game)
}

/// The word that a printed value is; none of a list or block.
fn word_of(rules: &Rules, value: &FieldValue) -> Option<i64> {
    match value {
        FieldValue::Word(word) => Some(*word),
        FieldValue::Mask(mask) => Some(*mask as i64),
        FieldValue::Text(text) => rules.texts.value(text),
        FieldValue::List(_) | FieldValue::Proc(_) => None,
    }
}

/// Words of each field by definition, and the items of those that are lists.
pub(super) type FieldTables = (Vec<Vec<i64>>, BTreeMap<(PropId, u32), Vec<i64>>);

pub(super) fn field_tables(rules: &Rules) -> FieldTables {
    let mut words = vec![Vec::new(); rules.props.len()];
    let mut lists = BTreeMap::new();
    for (index, prop) in rules.props.iter().enumerate() {
        if let PropClass::Builtin(BuiltinProp::Name) = &prop.class {
            let names = rules.entries.iter().map(|entry| entry.name.as_str()).chain([""]);
            words[index] = names.map(|name| rules.texts.value(name).unwrap_or(NIL)).collect();
        }
        let PropClass::Field { default } = &prop.class else { continue };
        let missing = match (&prop.ty, repr(&prop.ty)) {
            (_, Repr::Mask | Repr::List) | (Ty::Flag, _) => 0,
            _ => NIL,
        };
        let word = |value: &FieldValue| match value {
            FieldValue::Proc(proc) => i64::from(proc.0),
            value => word_of(rules, value).unwrap_or(NIL),
        };
        let start = default.as_ref().map_or(missing, word);
        // One for each definition, and the last for what has none.
        words[index] = vec![start; rules.entries.len() + 1];
        let id = PropId(index as u32);
        for (entry_index, entry) in rules.entries.iter().enumerate() {
            let value = entry.fields.iter().find(|(prop, _)| *prop == id).and_then(|(_, value)| value.as_ref());
            if let Some(value) = value.or(default.as_ref()) {
                words[index][entry_index] = word(value);
                if let FieldValue::List(items) = value {
                    lists.insert((id, entry_index as u32), items.clone());
                }
            }
        }
    }
    (words, lists)
}
