//! Tiles: tables of the printed values per direction, and in which turnings a tile looks different.

use crate::model::rules::{FieldValue, PropClass, PropId, Rules, StmtKind, Ty};
use std::collections::BTreeMap;

/// What is printed on tiles, worked out once.
#[derive(Clone, Debug, Default)]
pub struct Tiles {
    /// The tables of the properties per direction.
    pub sides: Vec<Sides>,
    /// The number of the table of such a property.
    pub of_prop: BTreeMap<PropId, u16>,
    /// The turnings in which a tile of each definition looks different.
    pub turnings: Vec<Vec<i64>>,
    /// For each kind, through how many directions its tiles turn; 0 for what has no values per direction.
    pub ways: Vec<usize>,
}

/// The values of one property per direction.
#[derive(Clone, Debug)]
pub struct Sides {
    /// How many each definition has.
    pub ways: usize,
    /// Those of each definition, clockwise; none where the definition has no such property.
    pub values: Vec<Option<Vec<i64>>>,
}

impl Tiles {
    /// The tables of a game.
    pub fn new(rules: &Rules) -> Tiles {
        let mut tiles = Tiles::default();
        for (index, prop) in rules.props.iter().enumerate() {
            let (Ty::PerDirection(_), PropClass::Field { .. }) = (&prop.ty, &prop.class) else { continue };
            let id = PropId(index as u32);
            let values: Vec<Option<Vec<i64>>> = rules
                .entries
                .iter()
                .map(|entry| match entry.fields.iter().find(|(prop, _)| *prop == id) {
                    Some((_, Some(FieldValue::List(values)))) => Some(values.clone()),
                    _ => None,
                })
                .collect();
            tiles.of_prop.insert(id, tiles.sides.len() as u16);
            tiles.sides.push(Sides { ways: values.iter().flatten().map(Vec::len).max().unwrap_or(0), values });
        }
        tiles.turnings = (0..rules.entries.len()).map(|entry| tiles.different(entry)).collect();
        tiles.ways = vec![0; rules.kinds.len()];
        for (entry, info) in rules.entries.iter().enumerate() {
            let ways = tiles.printed(entry).map(Vec::len).max().unwrap_or(0);
            let kind = &mut tiles.ways[info.kind.index()];
            *kind = ways.max(*kind);
        }
        tiles
    }

    /// All that is printed per direction on a definition.
    fn printed(&self, entry: usize) -> impl Iterator<Item = &Vec<i64>> {
        self.sides.iter().filter_map(move |side| side.values[entry].as_ref())
    }

    fn different(&self, entry: usize) -> Vec<i64> {
        let ways = self.printed(entry).map(Vec::len).max().unwrap_or(0);
        let turned = |turn: usize| -> Vec<i64> {
            self.printed(entry)
                .flat_map(|values| (0..values.len()).map(move |at| values[from(at, turn, values.len())]))
                .collect()
        };
        let mut found: Vec<i64> = vec![0];
        for turn in 1..ways {
            if !found.iter().any(|other| turned(*other as usize) == turned(turn)) {
                found.push(turn as i64);
            }
        }
        found
    }
}

/// Where the value is printed that lies at a place when a tile is turned.
pub fn from(place: usize, turn: usize, ways: usize) -> usize {
    (place + ways - turn % ways.max(1)) % ways.max(1)
}

/// Whether a game turns pieces, so that each must have a word for it.
pub(super) fn turned(rules: &Rules) -> bool {
    let mut found = rules.props.iter().any(|prop| matches!(prop.ty, Ty::PerDirection(_)));
    for proc in &rules.procs {
        super::walk::each_stmt(proc, &mut |stmt| {
            found |= match &stmt.kind {
                StmtKind::Move { to: crate::model::rules::Destination::Site { turned, .. }, .. } => turned.is_some(),
                StmtKind::SetProp { prop, .. } => Some(*prop) == rules.turn,
                StmtKind::Create { fields, .. } => fields.iter().any(|(prop, _)| Some(*prop) == rules.turn),
                _ => false,
            };
        });
    }
    found
}
