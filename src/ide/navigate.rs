//! What a name stands for, and where else it does.

use super::texts::Location;
use super::workspace::{Workspace, file_of, index_of, location};
use crate::base::{FileId, Span};
use crate::model::index::{Declaration, Meaning, Sort};
use crate::play::Checked;
use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

/// A name at a place, and what it stands for.
#[derive(Clone, Debug)]
pub struct Name {
    /// The name itself.
    pub at: Location,
    /// What it stands for: several, where a text is read in several ways.
    pub meanings: Vec<Thing>,
}

/// What a name stands for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Thing {
    /// What is declared at a place.
    Declared(Location, Declaration),
    /// A function of the language.
    Function(&'static str),
    /// A name that means the same in every game.
    BuiltIn(&'static str),
}

/// The name at a byte of a file.
pub fn name_at(checks: &[Arc<Checked>], path: &Path, offset: usize) -> Option<Name> {
    checks.iter().find_map(|checked| {
        let file = file_of(checked, path)?;
        let index = index_of(checked);
        let span = index.at(file, offset as u32).or_else(|| {
            let twin = |(span, _): &&(Span, Span)| holds(*span, file, offset);
            index.twins.iter().find(twin).map(|(span, _)| *span)
        })?;
        let mut meanings: Vec<Thing> = index.meanings(span).filter_map(|meaning| thing(checked, meaning)).collect();
        if meanings.is_empty() {
            let other = index.twins.iter().find(|(own, _)| *own == span)?.1;
            meanings = named_elsewhere(checks, &location(checked, other));
        }
        (!meanings.is_empty()).then(|| Name { at: location(checked, span), meanings })
    })
}

fn holds(span: Span, file: FileId, offset: usize) -> bool {
    span.file == file && span.start as usize <= offset && offset <= span.end as usize
}

/// What the name at a place stands for in whichever package knows it.
fn named_elsewhere(checks: &[Arc<Checked>], at: &Location) -> Vec<Thing> {
    let found = checks.iter().find_map(|checked| {
        let span = span_of(checked, at)?;
        let found: Vec<Thing> =
            index_of(checked).meanings(span).filter_map(|meaning| thing(checked, meaning)).collect();
        (!found.is_empty()).then_some(found)
    });
    found.unwrap_or_default()
}

/// The span of a place among the texts of a check.
pub fn span_of(checked: &Checked, at: &Location) -> Option<Span> {
    Some(Span::new(file_of(checked, &at.path)?, at.start, at.end))
}

fn thing(checked: &Checked, meaning: Meaning) -> Option<Thing> {
    match meaning {
        Meaning::Declared(span) => {
            let declaration = index_of(checked).declarations.get(&span)?;
            Some(Thing::Declared(location(checked, span), declaration.clone()))
        }
        Meaning::Function(name) => Some(Thing::Function(name)),
        Meaning::BuiltIn(name) => Some(Thing::BuiltIn(name)),
        Meaning::Word => None,
    }
}

/// What can be called by a name.
pub fn called(checks: &[Arc<Checked>], name: &str) -> Vec<Thing> {
    if let Some(info) = crate::model::builtins::named(name).and_then(|mut forms| forms.next()) {
        return vec![Thing::Function(info.name)];
    }
    let callable = |sort| matches!(sort, Sort::Verb | Sort::Define | Sort::Action | Sort::Window | Sort::Script);
    let found = checks.iter().find_map(|checked| {
        let mut all = index_of(checked).declarations.values();
        let found = all.find(|it| it.name == name && callable(it.sort))?;
        Some(Thing::Declared(location(checked, found.span), found.clone()))
    });
    found.into_iter().collect()
}

/// Where what a name stands for is declared.
pub fn definition(workspace: &mut Workspace, path: &Path, offset: usize) -> Vec<Location> {
    let checks = workspace.check(path);
    let Some(name) = name_at(&checks, path, offset) else { return Vec::new() };
    let declared = |thing: &Thing| match thing {
        Thing::Declared(at, _) => Some(at.clone()),
        Thing::Function(_) | Thing::BuiltIn(_) => None,
    };
    name.meanings.iter().filter_map(declared).collect()
}

/// Everywhere that what the name at a byte stands for is named, its declaration included if that is wanted.
pub fn references(workspace: &mut Workspace, path: &Path, offset: usize, declaration: bool) -> Vec<Location> {
    let checks = workspace.check(path);
    let Some(name) = name_at(&checks, path, offset) else { return Vec::new() };
    let mut found = places_of(&checks, &name.meanings);
    if !declaration {
        found.retain(|at| !name.meanings.iter().any(|thing| matches!(thing, Thing::Declared(own, _) if own == at)));
    }
    found
}

/// Everywhere that some things are named, in whichever package.
pub fn places_of(checks: &[Arc<Checked>], things: &[Thing]) -> Vec<Location> {
    let mut found: BTreeSet<Location> = BTreeSet::new();
    for checked in checks {
        let index = index_of(checked);
        for thing in things {
            let meaning = match thing {
                Thing::Declared(at, _) => span_of(checked, at).map(Meaning::Declared),
                Thing::Function(name) => Some(Meaning::Function(name)),
                Thing::BuiltIn(name) => Some(Meaning::BuiltIn(name)),
            };
            let places = meaning.into_iter().flat_map(|meaning| index.places(meaning));
            found.extend(places.map(|span| location(checked, span)));
        }
    }
    // What a change of an expansion names is named in the text that it changes.
    let twins: Vec<(Location, Location)> = checks
        .iter()
        .flat_map(|checked| {
            index_of(checked).twins.iter().map(|(own, other)| (location(checked, *own), location(checked, *other)))
        })
        .collect();
    loop {
        let before = found.len();
        for (own, other) in &twins {
            if found.contains(own) || found.contains(other) {
                found.extend([own.clone(), other.clone()]);
            }
        }
        if found.len() == before {
            return found.into_iter().collect();
        }
    }
}

/// The other places in the same file, and whether each is the declaration.
pub fn highlights(workspace: &mut Workspace, path: &Path, offset: usize) -> Vec<(Location, bool)> {
    let declared = definition(workspace, path, offset);
    let all = references(workspace, path, offset, true);
    all.into_iter().filter(|at| at.path == path).map(|at| (at.clone(), declared.contains(&at))).collect()
}

/// What is declared in the packages of the files that are open, by a part of its name.
pub fn symbols(workspace: &mut Workspace, wanted: &str) -> Vec<(Location, Declaration)> {
    let open: Vec<_> = workspace.open_files().map(Path::to_owned).collect();
    let wanted = wanted.to_lowercase();
    let mut found: Vec<(Location, Declaration)> = Vec::new();
    let mut seen = BTreeSet::new();
    for path in open {
        for checked in workspace.check(&path) {
            for declaration in index_of(&checked).declarations.values() {
                let local = matches!(declaration.sort, Sort::Local | Sort::Parameter);
                if local || !declaration.name.to_lowercase().contains(&wanted) {
                    continue;
                }
                let at = location(&checked, declaration.span);
                if seen.insert(at.clone()) {
                    found.push((at, declaration.clone()));
                }
            }
        }
    }
    found
}
