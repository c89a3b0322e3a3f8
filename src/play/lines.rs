//! Which lines of two texts differ. The algorithm is called by its name: comparing texts as a whole would bring all others that its
//! crate has into the program, a quarter of a megabyte.

use similar::algorithms::{Capture, Compact, Replace, myers};
use similar::{Change, DiffOp, group_diff_ops};
use std::fmt::Write;

/// Two texts, line by line.
pub struct Lines<'a> {
    old: Vec<&'a str>,
    new: Vec<&'a str>,
}

impl<'a> Lines<'a> {
    /// The lines of two texts.
    pub fn of(old: &'a str, new: &'a str) -> Lines<'a> {
        Lines { old: old.split_inclusive('\n').collect(), new: new.split_inclusive('\n').collect() }
    }

    /// Groups of lines that differ, with so many around them that do not.
    fn groups(&self, around: usize) -> Vec<Vec<DiffOp>> {
        let (old, new) = (self.old.as_slice(), self.new.as_slice());
        let mut hook = Compact::new(Replace::new(Capture::new()), old, new);
        match myers::diff(&mut hook, old, 0..old.len(), new, 0..new.len()) {
            Ok(()) => group_diff_ops(hook.into_inner().into_inner().into_ops(), around),
            Err(never) => match never {},
        }
    }

    /// The lines that differ, and so many around them.
    pub fn changes(&self, around: usize) -> Vec<Change<&'a str>> {
        self.groups(around).iter().flatten().flat_map(|op| op.iter_changes(&self.old, &self.new)).collect()
    }

    /// The same as a unified diff.
    pub fn unified(&self, around: usize) -> String {
        let mut text = String::new();
        for group in self.groups(around) {
            let (Some(first), Some(last)) = (group.first(), group.last()) else { continue };
            let old = range(first.old_range().start, last.old_range().end);
            let new = range(first.new_range().start, last.new_range().end);
            let _ = writeln!(text, "@@ -{old} +{new} @@");
            for change in group.iter().flat_map(|op| op.iter_changes(&self.old, &self.new)) {
                let _ = write!(text, "{}{}", change.tag(), change.value());
            }
        }
        text
    }
}

/// Lines as the head of a hunk has them: the first and how many; if there are none, the one before.
fn range(start: usize, end: usize) -> String {
    match end.saturating_sub(start) {
        1 => (start + 1).to_string(),
        0 => format!("{start},0"),
        count => format!("{},{count}", start + 1),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn it_is_the_diff_of_the_whole_texts(old in "([a-d]\n){0,20}", new in "([a-d]\n){0,20}", around in 0..4usize) {
            let diff = similar::TextDiff::from_lines(&old, &new);
            let lines = Lines::of(&old, &new);
            prop_assert_eq!(lines.unified(around), diff.unified_diff().context_radius(around).to_string());
            let changes: Vec<_> = diff.grouped_ops(around).iter().flatten().flat_map(|op| diff.iter_changes(op)).collect();
            prop_assert_eq!(lines.changes(around), changes);
        }
    }
}
