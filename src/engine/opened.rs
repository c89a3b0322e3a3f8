//! First choices of actions that are not listed: the sets they are chosen from are kept beside the decision, and a
//! member is looked up when somebody asks for it.

use super::run::Run;
use super::state::{Choice, OpenSet};
use super::straight;
use crate::program::Repr;

impl Run<'_> {
    /// Keeps the set of the first choice of an action.
    pub fn keep_open(&mut self, kind: Repr, from: usize, branch: i32) {
        let words = usize::from(self.p.layout.set_words(kind));
        let count = straight::count(&self.st.mem, words, from) as u32;
        if count == 0 {
            return;
        }
        let pending = &mut self.st.pending;
        let start = pending.words.len() as u32;
        pending.words.extend(self.st.mem[from..from + words].iter().copied());
        pending.sets.push(OpenSet { branch, entities: kind == Repr::Entities, count, at: start });
    }

    /// How many first choices are kept in sets.
    pub fn kept_open(&self) -> u32 {
        self.st.pending.sets.iter().map(|set| set.count).sum()
    }

    /// One of the first choices that are kept in sets.
    pub fn opened(&self, mut index: usize) -> Option<Choice> {
        let pending = &self.st.pending;
        for (place, set) in pending.sets.iter().enumerate() {
            let count = set.count as usize;
            if index >= count {
                index -= count;
                continue;
            }
            let end = pending.sets.get(place + 1).map_or(pending.words.len(), |next| next.at as usize);
            let start = set.at as usize;
            let member = straight::nth(&pending.words, end - start, start, index)?;
            let value = if set.entities { self.reference(member) } else { member as i64 };
            return Some(Choice { branch: set.branch, value, weight: 1 });
        }
        None
    }

    /// Lists the first choices that are kept in sets among others, in the order of the actions.
    pub fn list_opened(&mut self, found: &mut Vec<Choice>) {
        if self.st.pending.sets.is_empty() {
            return;
        }
        found.extend((0..self.kept_open() as usize).filter_map(|index| self.opened(index)));
        found.sort_by_key(|choice| choice.branch);
        self.st.pending.close();
    }
}
