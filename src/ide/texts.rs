//! Places in files, and changes of their texts.

use std::ops::Range;
use std::path::PathBuf;

/// A stretch of a file.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Location {
    /// The full path of the file.
    pub path: PathBuf,
    /// Bytes of its text.
    pub start: usize,
    /// The byte after the last.
    pub end: usize,
}

impl Location {
    /// The bytes.
    pub fn range(&self) -> Range<usize> {
        self.start..self.end
    }
}

/// A text that is put in the place of a stretch of a file.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Edit {
    /// What it replaces.
    pub at: Location,
    /// What it puts there.
    pub text: String,
}

/// A text with changes made. Of two that overlap the first is made.
pub fn apply<'e>(text: &str, edits: impl IntoIterator<Item = (Range<usize>, &'e str)>) -> String {
    let mut edits: Vec<(Range<usize>, &str)> = edits.into_iter().collect();
    edits.sort_by_key(|(range, _)| (range.start, range.end));
    let (mut made, mut at) = (String::with_capacity(text.len()), 0);
    for (range, new) in edits {
        if range.start < at || text.get(range.clone()).is_none() {
            continue;
        }
        made.push_str(text.get(at..range.start).unwrap_or(""));
        made.push_str(new);
        at = range.end;
    }
    made.push_str(text.get(at..).unwrap_or(""));
    made
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edits_are_made_in_order_and_never_twice_at_one_place() {
        assert_eq!(apply("abcdef", [(4..5, "E"), (0..1, "A"), (1..1, "-")]), "A-bcdEf");
        assert_eq!(apply("abc", [(0..2, "x"), (1..3, "y")]), "xc");
        assert_eq!(apply("ä", [(1..2, "x")]), "ä");
    }
}
