//! Which change of an expansion an error in another package's text comes from. The game alone may have errors of its
//! own; what it has only together with expansions is put down to the change that is about what the error names.

use std::collections::{BTreeMap, BTreeSet};

use super::check::Package;
use crate::base::{Code, Diagnostic, Diagnostics, FileId, SourceMap, Span};
use crate::syntax::words_in;

/// So many findings with one reason are shown.
const FEW: usize = 2;
/// What is said of an expansion where no single change is to blame.
const BRINGS: &str = "changes brings this";
/// The most bytes of a text in which names are looked for.
const MOST: usize = 400;

/// What a change does to what it names; what is likelier to break others comes first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Deed {
    Takes,
    Replaces,
    Changes,
    Adds,
}

impl Deed {
    fn words(self) -> &'static str {
        match self {
            Deed::Takes => "an expansion takes it away here",
            Deed::Replaces => "an expansion replaces it here",
            Deed::Changes => "an expansion changes it here",
            Deed::Adds => "an expansion adds it here",
        }
    }
}

/// A name, what an expansion does to it, and where.
#[derive(Clone, Debug)]
pub(super) struct Touched {
    pub name: String,
    pub deed: Deed,
    pub span: Span,
}

/// Makes plain to the authors of expansions what the checker has found: errors in the texts of others show the change
/// that brings them, and where one change breaks many places, a few of them stand for all. `alone` gives what the game
/// has without expansions, or with only the one of an index.
pub(super) fn blame(
    packages: &[Package],
    touched: &[Touched],
    sources: &SourceMap,
    found: Diagnostics,
    mut alone: impl FnMut(Option<usize>) -> Diagnostics,
) -> Diagnostics {
    let expansions: Vec<&Package> = packages.iter().filter(|package| package.expansion).collect();
    let files = expansions.iter().flat_map(|package| &package.files);
    let theirs: BTreeSet<FileId> = files.map(|(file, _)| *file).collect();
    let by_of =
        |file: FileId| expansions.iter().position(|package| package.files.iter().any(|(theirs, _)| *theirs == file));
    let broken = |found: &Diagnostic| found.is_error() && (expansions.len() > 1 || !theirs.contains(&found.span.file));
    if expansions.is_empty() || !found.iter().any(broken) {
        return found;
    }
    // Files have other numbers where others are loaded.
    let alike = |one: &Diagnostic, other: &Diagnostic| {
        one.code == other.code && one.message == other.message && one.span.start == other.span.start
    };
    let same = |one: &Diagnostic, other: &Diagnostic| (one.code, one.span) == (other.code, other.span);
    let own = alone(None);
    let mut of_each: Vec<Option<Diagnostics>> = vec![None; expansions.len()];
    let mut brings = |index: usize, brought: &dyn Fn(&Diagnostic) -> bool| {
        let each = of_each.get_mut(index).map(|of| of.get_or_insert_with(|| alone(Some(index))));
        each.is_some_and(|of| of.iter().any(brought))
    };
    let mut explained = Vec::with_capacity(found.len());
    for found in found {
        if !broken(&found) || own.iter().any(|other| same(&found, other)) {
            explained.push(found);
            continue;
        }
        let by = by_of(found.span.file);
        let shown = found.labels.iter().any(|label| theirs.contains(&label.span.file));
        let others = |touched: &&Touched| by.is_none() || by != by_of(touched.span.file);
        let found = match (cause(&found, touched.iter().filter(others), sources), by) {
            _ if shown => found,
            // What is wrong with it by itself is its own.
            (Some(_), Some(by)) if brings(by, &|other| alike(&found, other)) => found,
            (Some(touched), _) => found.label(touched.span, touched.deed.words()),
            (None, None) if found.note.is_empty() => {
                let mut of = (0..).zip(&expansions);
                match of.find(|(index, _)| brings(*index, &|other| same(&found, other))) {
                    Some((_, package)) => found.note(format!("what `{}` {BRINGS}", package.header.name)),
                    None => found.note("what the expansions change together brings this"),
                }
            }
            (None, _) => found,
        };
        explained.push(found);
    }
    few(explained, &theirs)
}

/// The change that is about what a finding names: in its message, else in the text that it points at.
fn cause<'t>(
    found: &Diagnostic,
    touched: impl Iterator<Item = &'t Touched> + Clone,
    sources: &SourceMap,
) -> Option<&'t Touched> {
    let named = found.message.split('`').skip(1).step_by(2).flat_map(words_in);
    let text = sources.slice(found.span);
    let pointed = words_in(text.get(..MOST).unwrap_or(text));
    let about = |words: Vec<&str>| {
        let named = |touched: &&Touched| words.iter().any(|word| word.trim_matches('"') == touched.name);
        touched.clone().filter(named).min_by_key(|touched| touched.deed)
    };
    about(named.collect()).or_else(|| about(pointed))
}

/// Where one change breaks many places of the game, a few of them stand for all.
fn few(found: Diagnostics, theirs: &BTreeSet<FileId>) -> Diagnostics {
    // What no change is about is put down to the expansion that its note names.
    let fault = |found: &Diagnostic| {
        if !found.is_error() || theirs.contains(&found.span.file) {
            return None;
        }
        let label = found.labels.iter().find(|label| theirs.contains(&label.span.file));
        let span = label.map(|label| label.span);
        let brought = span.is_none() && found.note.ends_with(BRINGS);
        (span.is_some() || brought)
            .then(|| (found.code, span, if brought { found.note.clone() } else { String::new() }))
    };
    let mut counts: BTreeMap<(Code, Option<Span>, String), usize> = BTreeMap::new();
    for key in found.iter().filter_map(fault) {
        *counts.entry(key).or_default() += 1;
    }
    let mut seen: BTreeMap<(Code, Option<Span>, String), usize> = BTreeMap::new();
    let keep = |found: Diagnostic| {
        let Some(key) = fault(&found) else { return Some(found) };
        let more = counts.get(&key).map_or(0, |count| count.saturating_sub(FEW));
        let number = seen.entry(key).or_default();
        *number += 1;
        match *number {
            FEW if more > 0 => Some(found.note(format!("{more} more like this, by the same change"))),
            number if number > FEW => None,
            _ => Some(found),
        }
    };
    found.into_iter().filter_map(keep).collect()
}
