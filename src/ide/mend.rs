//! Changes that mend what is wrong: one by one in an editor, or all that are certain at once.

use super::lines::Lines;
use super::texts::{Edit, apply};
use super::workspace::{by_file, location};
use crate::base::{Code, Diagnostic, Span};
use crate::play::Checked;
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

/// A change that mends something.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// What it does, in words.
    pub title: String,
    /// Whether the text then says what its author meant, as far as anybody can tell.
    pub certain: bool,
    /// What is put where.
    pub edits: Vec<Edit>,
}

/// How a finding is mended, where that is known.
pub fn mend_of(checked: &Checked, diagnostic: &Diagnostic) -> Option<Change> {
    let mend = diagnostic.mend.as_ref()?;
    let edits = mend.edits_in(&checked.sources).into_iter();
    let edits: Vec<Edit> = edits.map(|(span, text)| Edit { at: location(checked, span), text }).collect();
    let title = match edits.as_slice() {
        [only] if only.text.trim().is_empty() => format!("Remove `{}`", line_of(checked, mend.edits.first()?.0)),
        [only] if only.at.start == only.at.end => format!("Insert `{}`", only.text.trim()),
        [only] if !only.text.contains('\n') => {
            format!("Replace `{}` by `{}`", line_of(checked, mend.edits.first()?.0), only.text.trim())
        }
        [first, rest @ ..] if rest.iter().all(|edit| edit.text == first.text) && !first.text.is_empty() => {
            let what = line_of(checked, mend.edits.first()?.0);
            format!("Replace `{what}` by `{}` in {} places", first.text.trim(), edits.len())
        }
        _ => capital(diagnostic.help.as_deref().unwrap_or(diagnostic.code.info().title)),
    };
    // What would be written back is not what stands in a file that is no text.
    let damaged = |edit: &(Span, String)| {
        checked.diagnostics.iter().any(|found| found.code == Code::MissingFile && found.span.file == edit.0.file)
    };
    Some(Change { title, certain: mend.certain && !mend.edits.iter().any(damaged), edits })
}

fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or(String::new(), |first| first.to_uppercase().chain(letters).collect())
}

/// A stretch of text in one line, if it is short enough to be read.
fn line_of(checked: &Checked, span: crate::base::Span) -> String {
    let text = checked.sources.slice(span).split_whitespace().collect::<Vec<_>>().join(" ");
    if text.chars().count() > 40 { format!("{}…", text.chars().take(40).collect::<String>()) } else { text }
}

/// What all certain mends make of the files of some checks: the old text and the new one of each that changes, and how many
/// findings that mends.
#[derive(Debug, Default)]
pub struct Mended {
    /// By path: the text as it is, and as it would be.
    pub files: BTreeMap<PathBuf, (String, String)>,
    /// The certain mends.
    pub changes: Vec<Change>,
    /// How many findings have a mend that somebody has to look at.
    pub unsure: usize,
}

/// The changes after which an error stands in a line that they wrote: they were not what was meant, or not all of it. `new` are the
/// texts with all of them made, `after` what is found in these.
pub fn in_vain<'c>(
    changes: &[Change],
    new: &BTreeMap<PathBuf, String>,
    after: impl IntoIterator<Item = &'c Checked>,
) -> Vec<Change> {
    let mut wrong: BTreeSet<(PathBuf, usize)> = BTreeSet::new();
    for checked in after {
        for found in checked.diagnostics.iter().filter(|found| found.is_error()) {
            let line = Lines::of(checked.sources.text(found.span.file)).line(found.span.start as usize);
            wrong.insert((location(checked, found.span).path, line));
        }
    }
    let edits: Vec<&Edit> = changes.iter().flat_map(|change| &change.edits).collect();
    let is_wrong = |edit: &Edit| {
        let earlier = edits.iter().filter(|other| other.at.path == edit.at.path && other.at < edit.at);
        let shift: i64 = earlier.map(|other| other.text.len() as i64 - other.at.range().len() as i64).sum();
        let at = usize::try_from(edit.at.start as i64 + shift).unwrap_or(0);
        new.get(&edit.at.path).is_some_and(|text| wrong.contains(&(edit.at.path.clone(), Lines::of(text).line(at))))
    };
    changes.iter().filter(|change| change.edits.iter().any(is_wrong)).cloned().collect()
}

/// Makes all certain mends but some.
pub fn mended<'c>(checks: impl IntoIterator<Item = &'c Checked>, but: &[Change]) -> Mended {
    let mut mended = Mended::default();
    let mut texts: BTreeMap<PathBuf, String> = BTreeMap::new();
    let mut edits: Vec<Edit> = Vec::new();
    let mut seen = Vec::new();
    for checked in checks {
        for diagnostic in &checked.diagnostics {
            let Some(change) = mend_of(checked, diagnostic) else { continue };
            if seen.contains(&change) {
                continue;
            }
            if change.certain && !but.contains(&change) {
                mended.changes.push(change.clone());
                edits.extend(change.edits.iter().cloned());
            } else {
                mended.unsure += 1;
            }
            seen.push(change);
        }
        for file in checked.sources.files() {
            texts.insert(PathBuf::from(checked.sources.name(file)), checked.sources.text(file).to_owned());
        }
    }
    for (path, edits) in by_file(edits.into_iter().map(|edit| (edit.at.path.clone(), edit))) {
        let Some(text) = texts.get(&path) else { continue };
        let new = apply(text, edits.iter().map(|edit| (edit.at.range(), edit.text.as_str())));
        if new != *text {
            mended.files.insert(path, (text.clone(), new));
        }
    }
    mended
}
