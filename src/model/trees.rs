//! Trees of texts that were read before. Whoever checks a package again and again, as somebody types in one of its files, need
//! not read the others anew.

use crate::base::{Diagnostics, FileId};
use crate::syntax::{self, ast};
use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

/// A text with its tree and what is wrong with it.
struct Known {
    text: String,
    tree: ast::File,
    found: Diagnostics,
}

/// Trees of the files of one package, by the place they have among its texts: spans point there.
#[derive(Default)]
pub struct Trees(Mutex<BTreeMap<FileId, Known>>);

impl Trees {
    /// The tree of a text.
    pub(super) fn parse(&self, file: FileId, text: &str) -> (ast::File, Diagnostics) {
        let lock = || self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = lock().get(&file).filter(|known| known.text == text) {
            return (known.tree.clone(), known.found.clone());
        }
        let (tree, found) = syntax::parse(file, text);
        lock().insert(file, Known { text: text.to_owned(), tree: tree.clone(), found: found.clone() });
        (tree, found)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_that_has_changed_is_read_anew() {
        let trees = Trees::default();
        for text in ["enum a { b }", "enum a { c }", "enum a {", "enum a { b }"] {
            for file in [FileId(0), FileId(3)] {
                // The second time it is known.
                for _ in 0..2 {
                    assert!(trees.parse(file, text) == syntax::parse(file, text), "{text}");
                }
            }
        }
    }
}
