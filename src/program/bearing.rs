//! Which entities may bear clauses that modify a stat: where none of them is in play, the stat is what its formula says.

use super::layout::Layout;
use crate::model::rules::{ClauseHome, ClauseId, EntryId, Rules};

/// What may modify a stat, beside armed clauses.
#[derive(Clone, Debug, Default)]
pub struct Bearing {
    /// Whether rules do.
    pub rules: bool,
    /// Sets of existing entities that do.
    pub sets: Vec<u16>,
    /// Sets of existing entities of which only some definitions do.
    pub some: Vec<u16>,
    /// For each definition, whether it does.
    pub entries: Vec<bool>,
}

/// What may modify each stat.
pub(super) fn bearings(rules: &Rules, layout: &Layout, modifiers: &[Vec<ClauseId>]) -> Vec<Bearing> {
    modifiers.iter().map(|clauses| bearing(rules, layout, clauses)).collect()
}

fn bearing(rules: &Rules, layout: &Layout, clauses: &[ClauseId]) -> Bearing {
    let mut bearing = Bearing::default();
    for clause in clauses {
        match rules.clauses[clause.index()].home {
            ClauseHome::Rule(_) => bearing.rules = true,
            ClauseHome::Kind(kind) => add(&mut bearing.sets, layout.kind_set(kind).0),
            ClauseHome::Entry(EntryId(entry)) => {
                bearing.entries.resize(rules.entries.len(), false);
                bearing.entries[entry as usize] = true;
                add(&mut bearing.some, layout.kind_set(rules.entries[entry as usize].kind).0);
            }
            ClauseHome::Armed => {}
        }
    }
    bearing
}

fn add(sets: &mut Vec<u16>, set: u16) {
    if !sets.contains(&set) {
        sets.push(set);
    }
}
