//! What is wrong with the files of a workspace, as an editor shows it.

use super::mend::{Change, mend_of};
use super::texts::Location;
use super::workspace::{Workspace, by_file, location};
use crate::base::{Code, Diagnostic};
use crate::play::Checked;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Something that is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// Where.
    pub at: Location,
    /// Its code.
    pub code: Code,
    /// What is wrong, what is said under the underline, and what would mend it: a line each.
    pub message: String,
    /// Other places that matter.
    pub others: Vec<(Location, String)>,
    /// How it is mended, where that is known.
    pub mend: Option<Change>,
}

/// How far it is looked for what is wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Depth {
    /// Errors in rules and cards.
    Sketch,
    /// All that texts show.
    Texts,
    /// What is only found when everything is compiled, too, and in scenarios under options of their own.
    Whole,
}

/// What is wrong with the files of all packages that a file belongs to. Files in which nothing is wrong are there, too.
pub fn found(workspace: &mut Workspace, path: &Path, depth: Depth) -> BTreeMap<PathBuf, Vec<Found>> {
    let checks = match depth {
        Depth::Sketch => workspace.sketch(path),
        Depth::Texts => workspace.check(path),
        Depth::Whole => workspace.check_whole(path),
    };
    let mut files: BTreeMap<PathBuf, Vec<Found>> = BTreeMap::new();
    for checked in &checks {
        for file in checked.sources.files() {
            files.entry(PathBuf::from(checked.sources.name(file))).or_default();
        }
        let all = checked.diagnostics.iter().map(|diagnostic| shown(checked, diagnostic));
        for (path, found) in by_file(all.map(|found| (found.at.path.clone(), found))) {
            let known = files.entry(path).or_default();
            for found in found {
                // Several games may have the same file.
                if !known.contains(&found) {
                    known.push(found);
                }
            }
        }
    }
    files
}

/// A finding as an editor shows it.
pub fn shown(checked: &Checked, diagnostic: &Diagnostic) -> Found {
    let mut message = diagnostic.message.clone();
    if !diagnostic.note.is_empty() {
        message.push_str("\nnote: ");
        message.push_str(&diagnostic.note);
    }
    if let Some(help) = &diagnostic.help {
        message.push_str("\nhelp: ");
        message.push_str(help);
    }
    let others = diagnostic.labels.iter().map(|label| (location(checked, label.span), label.text.clone())).collect();
    Found {
        at: location(checked, diagnostic.span),
        code: diagnostic.code,
        message,
        others,
        mend: mend_of(checked, diagnostic),
    }
}
