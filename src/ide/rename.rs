//! Gives something another name wherever it is named: in the texts of all packages that know it, in manifests, in scripts and
//! in what scenarios choose. What comes of it is checked before anything is changed: if it is wrong, or a name would mean
//! something else, it is refused.

use super::lines::Lines;
use super::navigate::{Name, Thing, name_at, places_of};
use super::replayed::still_pass;
use super::texts::{Edit, Location, apply};
use super::workspace::{Workspace, by_file, index_of, location};
use crate::base::{Code, Diagnostic, FileId, spoken};
use crate::model::index::{ASKED, Declaration, Meaning, Sort};
use crate::play::{Checked, Package, Unsaved, locales};
use crate::syntax::ast::{Ident, ItemKind, ScenarioStepKind};
use crate::syntax::{is_reserved, parse};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The definition by which the language knows who wins.
const SCORE: &str = "score";

/// The name at a byte, if it can be changed.
///
/// # Errors
/// In words, why it cannot.
pub fn prepare(workspace: &mut Workspace, path: &Path, offset: usize) -> Result<(Location, String), String> {
    let checks = workspace.check(path);
    let name = name_at(&checks, path, offset).ok_or("there is no name here")?;
    let (_, old) = declared(&name)?;
    let mut at = name.at;
    if workspace.text(&at.path).is_some_and(|text| text.get(at.range()).is_some_and(|text| text.starts_with('"'))) {
        (at.start, at.end) = (at.start + 1, at.end - 1);
    }
    Ok((at, old))
}

/// What a name stands for, if an author can change it.
fn declared(name: &Name) -> Result<(Sort, String), String> {
    match name.meanings.first() {
        Some(Thing::Function(name)) => Err(format!("`{name}` is a function of the language")),
        Some(Thing::BuiltIn(name)) => Err(format!("`{name}` means the same in every game")),
        Some(Thing::Declared(_, declaration)) if is_score(declaration.sort, &declaration.name) => {
            Err(format!("`{SCORE}` says who wins: it is called so in every game"))
        }
        Some(Thing::Declared(_, declaration)) => Ok((declaration.sort, declaration.name.clone())),
        None => Err("there is no name here".to_owned()),
    }
}

fn is_score(sort: Sort, name: &str) -> bool {
    sort == Sort::Define && name == SCORE
}

/// The changes that give what is named at a byte another name.
///
/// # Errors
/// In words, why it cannot have this name.
pub fn rename(workspace: &mut Workspace, path: &Path, offset: usize, new: &str) -> Result<Vec<Edit>, String> {
    let checks = workspace.check(path);
    let name = name_at(&checks, path, offset).ok_or("there is no name here")?;
    let (sort, old) = declared(&name)?;
    fits(sort, new)?;
    if new == old {
        return Ok(Vec::new());
    }
    if is_score(sort, new) {
        return Err(format!(
            "`{SCORE}` would say who wins: it is declared for that, and nothing comes to be called so"
        ));
    }
    if let Some((checked, error)) = first_error(&checks) {
        return Err(format!(
            "{}, at {}: mend it first, lest a name be missed",
            error.message,
            checked.sources.locate(error.span)
        ));
    }
    let places = places_of(&checks, &name.meanings);
    let mut edits = Vec::new();
    for at in &places {
        if !at.path.is_file() && !workspace.is_open(&at.path) {
            return Err(format!("`{old}` is named in `{}`, which is built in", at.path.display()));
        }
        let text = workspace.text(&at.path).ok_or_else(|| format!("`{}` cannot be read", at.path.display()))?;
        let here = text.get(at.range()).unwrap_or("");
        let quoted = here.starts_with('"');
        if here.trim_matches('"') != old {
            continue;
        }
        let new = if quoted { format!("\"{new}\"") } else { new.to_owned() };
        edits.push(Edit { at: at.clone(), text: new });
    }
    let others = Others { workspace, checks: &checks, sort, old: &old, new };
    edits.extend(others.in_manifests());
    edits.extend(others.in_scripts()?);
    let locales = in_locales(workspace, &edits);
    let with = |more: &[Edit]| {
        let mut all: Vec<Edit> = edits.iter().chain(&locales).chain(more).cloned().collect();
        all.sort();
        all.dedup();
        all
    };
    // A word in the keys, or in what is asked and seen, may be another's.
    let (keys, texts) = others.in_scenarios();
    let mut sets = vec![with(&[keys.clone(), texts.clone()].concat()), with(&keys), with(&texts), with(&[])];
    sets.dedup();
    let mut refused = None;
    for edits in sets {
        let texts = proved(workspace, &checks, &edits, (&old, new))?;
        match still_pass(workspace, edits.iter().map(|edit| edit.at.path.clone()).collect(), &texts) {
            Ok(()) => return Ok(edits),
            Err(message) => _ = refused.get_or_insert(message),
        }
    }
    Err(refused.unwrap_or_default())
}

/// Whether a text can be the name of something.
fn fits(sort: Sort, new: &str) -> Result<(), String> {
    if sort == Sort::Entry {
        return match new {
            "" => Err("a card has a name".to_owned()),
            new if new.contains(['"', '{', '}', '\n']) => {
                Err("the name of a card stands in quotes on one line, and has no braces".to_owned())
            }
            _ => Ok(()),
        };
    }
    let begins = new.starts_with(|letter: char| letter.is_ascii_alphabetic() || letter == '_');
    if !begins || !new.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '_') {
        return Err(format!("`{new}` is no name: a name has letters, digits and `_`, and begins with a letter"));
    }
    if is_reserved(new) || new == ASKED {
        return Err(format!("`{new}` is a reserved word; choose another name, such as `{new}_`"));
    }
    Ok(())
}

fn first_error(checks: &[Arc<Checked>]) -> Option<(&Arc<Checked>, &Diagnostic)> {
    checks.iter().find_map(|checked| Some((checked, checked.diagnostics.iter().find(|found| found.is_error())?)))
}

/// Names in texts that the checker does not read.
struct Others<'a> {
    workspace: &'a Workspace,
    checks: &'a [Arc<Checked>],
    sort: Sort,
    old: &'a str,
    new: &'a str,
}

impl Others<'_> {
    /// Files of the checks with an ending, once each.
    fn files(&self, fits: impl Fn(&str) -> bool) -> BTreeMap<PathBuf, String> {
        let files = self.checks.iter().flat_map(|checked| checked.sources.files().map(move |file| (checked, file)));
        let files = files.filter(|(checked, file)| fits(checked.sources.name(*file)));
        let files = files.map(|(checked, file)| PathBuf::from(checked.sources.name(file)));
        let files: BTreeSet<PathBuf> = files.collect();
        files.into_iter().filter_map(|path| self.workspace.text(&path).map(|text| (path, text))).collect()
    }

    fn edit(&self, path: &Path, range: Range<usize>) -> Edit {
        let at = Location { path: path.to_owned(), start: range.start, end: range.end };
        Edit { at, text: self.new.to_owned() }
    }

    /// Options that manifests set, and the property that bots go by.
    fn in_manifests(&self) -> Vec<Edit> {
        if !matches!(self.sort, Sort::Option | Sort::Counter | Sort::Mark | Sort::Stat | Sort::Value) {
            return Vec::new();
        }
        let mut edits = Vec::new();
        for (path, text) in self.files(|name| name.ends_with("game.toml")) {
            let (manifest, _) = crate::syntax::parse_manifest(FileId(0), &text);
            let presets = manifest.options.iter().chain(manifest.variants.iter().flat_map(|it| &it.options));
            for preset in presets {
                let (found, span) = match self.sort {
                    Sort::Option => (&preset.name, preset.name_span),
                    Sort::Value => (&preset.value, preset.value_span),
                    _ => continue,
                };
                if found == self.old {
                    edits.extend(self.words(&path, &text, span.start as usize..span.end as usize));
                }
            }
            let greedy = manifest.bots.greedy.as_deref() == Some(self.old) && self.sort != Sort::Option;
            if greedy && let Some(span) = manifest.bots_span {
                let rest = text.get(span.start as usize..).unwrap_or("");
                if let Some(at) = rest.find("greedy") {
                    let from = span.start as usize + at;
                    let line = text.get(from..).unwrap_or("").find('\n').map_or(text.len(), |end| from + end);
                    edits.extend(self.words(&path, &text, from..line));
                }
            }
        }
        edits
    }

    /// The old name as a whole word in a stretch of text.
    fn words(&self, path: &Path, text: &str, within: Range<usize>) -> Vec<Edit> {
        let part = text.get(within.clone()).unwrap_or("");
        let found = whole_words(part, self.old);
        found.map(|at| self.edit(path, within.start + at..within.start + at + self.old.len())).collect()
    }

    /// What scripts read of things by name, and what they name in texts.
    fn in_scripts(&self) -> Result<Vec<Edit>, String> {
        let property = matches!(self.sort, Sort::Field | Sort::Counter | Sort::Mark | Sort::Stat | Sort::Link);
        let named = matches!(
            self.sort,
            Sort::Verb | Sort::Kind | Sort::Value | Sort::Zone | Sort::Span | Sort::Entry | Sort::Board | Sort::Option
        );
        let script = self.sort == Sort::Script;
        let mut edits = Vec::new();
        if !(property || named || script) {
            return Ok(edits);
        }
        for (path, text) in self.files(|name| name.ends_with(".rhai")) {
            for at in whole_words(&text, self.old) {
                let (before, after) = (text.get(..at).unwrap_or(""), text.get(at + self.old.len()..).unwrap_or(""));
                let line = before.rfind('\n').map_or(before, |start| before.get(start + 1..).unwrap_or(""));
                if line.contains("//") {
                    continue;
                }
                let in_text = line.matches('"').count() % 2 == 1;
                let called = after.starts_with('(') && !before.ends_with('.');
                if in_text || property && before.ends_with('.') || script && called {
                    edits.push(self.edit(&path, at..at + self.old.len()));
                }
            }
        }
        if property && !edits.is_empty() {
            self.only_one()?;
        }
        Ok(edits)
    }

    /// Refuses where a script may mean any of several properties of one name.
    fn only_one(&self) -> Result<(), String> {
        for checked in self.checks {
            let own = |sort| matches!(sort, Sort::Field | Sort::Counter | Sort::Mark | Sort::Stat | Sort::Link);
            let all = index_of(checked).declarations.values();
            let all: Vec<&str> =
                all.filter(|it| it.name == self.old && own(it.sort)).filter_map(|it| it.of.as_deref()).collect();
            if all.len() > 1 {
                return Err(format!(
                    "a script reads `{}`, and several have it: {}; nobody can tell which is meant",
                    self.old,
                    all.join(", ")
                ));
            }
        }
        Ok(())
    }

    /// Where something is written as it is called in the keys that scenarios choose or expect, and in other texts that they expect.
    fn in_scenarios(&self) -> (Vec<Edit>, Vec<Edit>) {
        let shown =
            matches!(self.sort, Sort::Entry | Sort::Action | Sort::Value | Sort::Kind | Sort::Zone | Sort::Verb);
        let (mut in_keys, mut in_texts) = (Vec::new(), Vec::new());
        if !shown {
            return (in_keys, in_texts);
        }
        for (path, text) in self.files(|name| name.ends_with(".scenario")) {
            let (file, _) = parse(FileId(0), &text);
            for item in &file.items {
                let ItemKind::Scenario { steps, .. } = &item.kind else { continue };
                for step in steps {
                    let (keys, told): (&[Ident], Option<&Ident>) = match &step.kind {
                        ScenarioStepKind::Chance(keys)
                        | ScenarioStepKind::FirstChance(keys)
                        | ScenarioStepKind::Play { keys, .. }
                        | ScenarioStepKind::ExpectOptions(keys) => (keys, None),
                        ScenarioStepKind::ExpectLegal { keys, because, .. } => (keys, because.as_ref()),
                        ScenarioStepKind::ExpectAsked { text, .. } => (&[], text.as_ref()),
                        ScenarioStepKind::ExpectSees { text, .. } => (&[], Some(text)),
                        _ => continue,
                    };
                    let of = |key: &Ident| self.spoken(&path, &text, key.span.start as usize..key.span.end as usize);
                    in_keys.extend(keys.iter().flat_map(of));
                    in_texts.extend(told.into_iter().flat_map(of));
                }
            }
        }
        (in_keys, in_texts)
    }

    /// The old name as people read it, in a stretch of text, where it is no part of a longer one.
    fn spoken(&self, path: &Path, text: &str, within: Range<usize>) -> Vec<Edit> {
        let (old, new) = match self.sort {
            Sort::Entry => (self.old.to_owned(), self.new.to_owned()),
            _ => (spoken(self.old), spoken(self.new)),
        };
        let part = text.get(within.clone()).unwrap_or("");
        let declared = self.checks.iter().flat_map(|checked| index_of(checked).declarations.values());
        let longer =
            declared.filter(|it| it.sort == Sort::Entry && it.name.len() > old.len() && it.name.contains(&old));
        let taken: Vec<Range<usize>> =
            longer.flat_map(|it| whole_words(part, &it.name).map(|at| at..at + it.name.len())).collect();
        let words = BTreeSet::from([old.as_str(), self.old]).into_iter();
        let found = words.flat_map(|word| whole_words(part, word).map(|at| at..at + word.len()));
        let free = found.filter(|at| !taken.iter().any(|taken| taken.contains(&at.start)));
        let edit = |at: Range<usize>| {
            let (start, end) = (within.start + at.start, within.start + at.end);
            Edit { at: Location { path: path.to_owned(), start, end }, text: new.clone() }
        };
        free.map(edit).collect()
    }
}

/// What follows in locale files: the ids of texts, what they are translated from, and what they fill in.
fn in_locales(workspace: &Workspace, edits: &[Edit]) -> Vec<Edit> {
    let (texts, files) = changed(workspace, edits);
    let packages: BTreeMap<String, &Package> = files
        .iter()
        .flat_map(|file| workspace.subjects(file))
        .map(|subject| (subject.package().full_name(), subject.package()))
        .collect();
    let mut found = Vec::new();
    for package in packages.into_values() {
        let (before, after) = (package.clone().edited(workspace.unsaved()), package.clone().edited(&texts));
        for (path, text) in locales::renamed(&before, &after).unwrap_or_default() {
            let end = workspace.text(&path).map_or(0, |text| text.len());
            found.push(Edit { at: Location { path, start: 0, end }, text });
        }
    }
    found
}

/// Where a text stands in another as a whole word.
fn whole_words<'t>(text: &'t str, word: &'t str) -> impl Iterator<Item = usize> + 't {
    let part = |letter: char| letter.is_alphanumeric() || letter == '_';
    text.match_indices(word)
        .filter(move |(at, _)| {
            let (before, after) = (text.get(..*at).unwrap_or(""), text.get(at + word.len()..).unwrap_or(""));
            !before.ends_with(part) && !after.starts_with(part)
        })
        .map(|(at, _)| at)
}

/// All texts with changes made, and the files that have any.
fn changed(workspace: &Workspace, edits: &[Edit]) -> (Unsaved, Vec<PathBuf>) {
    let mut texts = Unsaved::clone(workspace.unsaved());
    let files = by_file(edits.iter().map(|edit| (edit.at.path.clone(), edit)));
    for (path, edits) in &files {
        let text = workspace.text(path).unwrap_or_default();
        let changed = apply(&text, edits.iter().map(|edit| (edit.at.range(), edit.text.as_str())));
        Arc::make_mut(&mut texts).insert(path.clone(), changed);
    }
    (texts, files.into_keys().collect())
}

/// What is declared under a name.
fn named<'c>(checked: &'c Checked, name: &str) -> Option<&'c Declaration> {
    index_of(checked).declarations.values().find(|it| it.name == name)
}

/// Makes sure that the changed texts are right, and that every name means what it meant. Gives all texts as they would be.
fn proved(
    workspace: &Workspace,
    before: &[Arc<Checked>],
    edits: &[Edit],
    (old, new): (&str, &str),
) -> Result<Unsaved, String> {
    let files = by_file(edits.iter().map(|edit| (edit.at.path.clone(), edit)));
    let (texts, paths) = changed(workspace, edits);
    let after = workspace.try_texts(&paths, &texts);
    if let Some((checked, error)) = first_error(&after) {
        if matches!(error.code, Code::NameClash | Code::Duplicate)
            && let Some((checked, other)) = before.iter().find_map(|checked| Some((checked, named(checked, new)?)))
        {
            let at = checked.sources.locate(other.span);
            return Err(format!("`{new}` is already a {}, at {at}", other.sort.noun()));
        }
        return Err(format!("`{new}` clashes: {}, at {}", error.message, checked.sources.locate(error.span)));
    }
    let moved = |at: &Location| -> Location {
        let edits = files.get(&at.path).map_or(&[][..], Vec::as_slice);
        let shift = |offset: usize, whole: bool| {
            let earlier = edits.iter().filter(|edit| edit.at.end <= offset && (whole || edit.at.start < offset));
            earlier.fold(offset as i64, |offset, edit| {
                offset + edit.text.len() as i64 - (edit.at.end - edit.at.start) as i64
            }) as usize
        };
        Location { path: at.path.clone(), start: shift(at.start, true), end: shift(at.end, false) }
    };
    let (then, now) = (meanings(before, &moved), meanings(&after, &Location::clone));
    let difference = then.symmetric_difference(&now).next();
    if let Some((at, _)) = difference {
        let text = texts.get(&at.path).cloned().or_else(|| workspace.text(&at.path)).unwrap_or_default();
        let word = text.get(at.range()).unwrap_or("");
        let line = Lines::of(&text).line(at.start) + 1;
        let what = if word.trim_matches('"').is_empty() { old } else { word };
        return Err(format!("`{what}` would mean something else at {}:{line}", at.path.display()));
    }
    Ok(texts)
}

/// What every name means, with places as they are after a change.
fn meanings(checks: &[Arc<Checked>], moved: &impl Fn(&Location) -> Location) -> BTreeSet<(Location, Option<Location>)> {
    let mut found = BTreeSet::new();
    for checked in checks {
        for (span, meaning) in &index_of(checked).uses {
            let declared = match meaning {
                Meaning::Declared(declared) => Some(moved(&location(checked, *declared))),
                Meaning::Function(_) | Meaning::BuiltIn(_) | Meaning::Word => None,
            };
            found.insert((moved(&location(checked, *span)), declared));
        }
    }
    found
}
