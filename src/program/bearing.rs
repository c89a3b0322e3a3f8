//! Which entities may bear clauses of one sort: those that modify a stat, that hook an event, that are looked at in
//! checkpoints. Where none of them is in play and nothing is armed, the game goes on as if there were no such clauses.

use super::layout::Layout;
use crate::model::rules::{ClauseHome, ClauseId, EntryId, Rules};

/// What may bear clauses of one sort.
#[derive(Clone, Debug, Default)]
pub struct Bearing {
    /// Whether rules do.
    pub rules: bool,
    /// Whether some can be armed.
    pub armed: bool,
    /// Sets of existing entities that do.
    pub sets: Vec<u16>,
    /// Sets of existing entities of which only some definitions do.
    pub some: Vec<u16>,
    /// For each definition, whether it does.
    pub entries: Vec<bool>,
}

impl Bearing {
    /// What may bear any of some clauses. Where it is not to be known exactly, they count as clauses of rules.
    pub(super) fn new(rules: &Rules, layout: &Layout, exact: bool, clauses: &[ClauseId]) -> Bearing {
        let mut bearing = Bearing { rules: !exact && !clauses.is_empty(), ..Bearing::default() };
        for clause in clauses {
            match rules.clauses[clause.index()].home {
                ClauseHome::Rule(_) => bearing.rules = true,
                ClauseHome::Kind(kind) => add(&mut bearing.sets, layout.kind_set(kind).0),
                ClauseHome::Entry(EntryId(entry)) => {
                    bearing.entries.resize(rules.entries.len(), false);
                    bearing.entries[entry as usize] = true;
                    add(&mut bearing.some, layout.kind_set(rules.entries[entry as usize].kind).0);
                }
                ClauseHome::Armed => bearing.armed = true,
            }
        }
        bearing
    }

    /// Whether nothing can ever bear such a clause.
    pub fn is_empty(&self) -> bool {
        !self.rules && !self.armed && self.sets.is_empty() && self.some.is_empty()
    }
}

fn add(sets: &mut Vec<u16>, set: u16) {
    if !sets.contains(&set) {
        sets.push(set);
    }
}
