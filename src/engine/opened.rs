//! First choices of actions that are not listed: the sets they are chosen from are kept beside the decision, and a
//! member is looked up when somebody asks for it.

use super::boards::for_each;
use super::run::{R, Run};
use super::scratch::{Collecting, Wanted};
use super::state::{Choice, OpenSet};
use super::straight;
use crate::program::{ChooseSite, Repr};

impl Run<'_> {
    /// Keeps the set of the first choice of an action, where it is `here` as long as the decision, or as a copy.
    pub fn keep_open(&mut self, kind: Repr, from: usize, branch: i32, here: bool) {
        let words = self.p.layout.set_words(kind);
        let count = straight::count(&self.st.mem, usize::from(words), from) as u32;
        if count == 0 {
            return;
        }
        let pending = &mut self.st.pending;
        let mut at = from as u32;
        if !here {
            at = pending.words.len() as u32;
            pending.words.extend_from_slice(&self.st.mem[from..from + usize::from(words)]);
        }
        pending.sets.push(OpenSet { branch, entities: kind == Repr::Entities, count, here, words, at });
    }

    /// How many first choices are kept in sets.
    pub fn kept_open(&self) -> u32 {
        self.st.pending.sets.iter().map(|set| set.count).sum()
    }

    /// One of the first choices that are kept in sets.
    pub fn opened(&self, mut index: usize) -> Option<Choice> {
        for set in &self.st.pending.sets {
            let count = set.count as usize;
            if index < count {
                let member = straight::nth(self.words_of(set), usize::from(set.words), set.at as usize, index)?;
                return Some(self.first_choice(set, member));
            }
            index -= count;
        }
        None
    }

    fn words_of(&self, set: &OpenSet) -> &[i64] {
        if set.here { &self.st.mem } else { &self.st.pending.words }
    }

    fn first_choice(&self, set: &OpenSet, member: usize) -> Choice {
        let value = if set.entities { self.reference(member) } else { member as i64 };
        Choice { branch: set.branch, value, weight: 1 }
    }

    /// Whether an action can begin with a choice of another sort than its first choice is written to be: its options would have
    /// no words beside those of the action, so that it is a decision of its own.
    pub(super) fn begins_with_one(&mut self, site: &ChooseSite, base: usize) -> R<bool> {
        let (how, mut found) = (self.x.collecting, Vec::new());
        self.x.collecting = Collecting { only: None, wanted: Wanted::Any, ..how };
        self.first_candidates(site, base, &mut found)?;
        self.x.collecting = how;
        Ok(!found.is_empty())
    }

    /// Lists the first choices that are kept in sets among others, in the order of the actions.
    pub fn list_opened(&mut self, found: &mut Vec<Choice>) {
        if self.st.pending.sets.is_empty() {
            return;
        }
        for set in &self.st.pending.sets {
            let words = &self.words_of(set)[set.at as usize..][..usize::from(set.words)];
            for_each(words, |member| found.push(self.first_choice(set, member)));
        }
        found.sort_by_key(|choice| choice.branch);
        self.st.pending.close();
    }
}
