//! Which snapshots a test compares, and what is wrong with their files as a whole.

use crate::model::scenario::ScenarioStepKind;
use crate::play::snapshot::Snapshot;
use crate::play::{Game, Package, PlayError};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The package whose scenarios are run by themselves, in its folder. A game with expansions that are not its own matter is
/// not what snapshots record, and a built-in package has no folder to keep any in.
pub fn folder<'a>(package: &'a Package, game: &Game) -> Option<&'a Path> {
    match (package.about_only(), package.expansions()) {
        (Some(_), [own]) => own.path(),
        (None, []) if game.expansions.is_empty() => package.path(),
        _ => None,
    }
}

/// Titles whose snapshots would be one file, each with the title that has the file.
pub fn sharing(game: &Game) -> BTreeMap<&str, &str> {
    let mut owners: BTreeMap<PathBuf, &str> = BTreeMap::new();
    let mut sharing = BTreeMap::new();
    for (title, path) in files(game) {
        let owner = *owners.entry(path).or_insert(title);
        if owner != title {
            sharing.insert(title, owner);
        }
    }
    sharing
}

/// Snapshot files in a package's folder that belong to no scenario: it was renamed, or records nothing any more.
///
/// # Errors
/// [`PlayError::Io`] if the folder cannot be listed.
pub fn orphans(folder: &Path, game: &Game) -> Result<Vec<PathBuf>, PlayError> {
    let names = |path: &Path| path.file_name().map(std::ffi::OsStr::to_owned);
    let known: Vec<_> = files(game).filter_map(|(_, path)| names(&path)).collect();
    let world = Package::folder(folder).world()?;
    let listed = world.list().map_err(|error| PlayError::Io(error.to_string()))?;
    let mine = |path: &String| {
        let own = path.rsplit('/').next().is_some_and(|name| name.starts_with(&format!("{}__", game.tested())));
        own && path.contains("snapshots/") && (path.ends_with(".snap") || path.ends_with(".snap.new"))
    };
    let paths = listed.iter().filter(|path| mine(path)).map(|path| folder.join(path));
    let orphan = |path: &PathBuf| {
        let accepted =
            if path.extension().is_some_and(|it| it == "new") { path.with_extension("") } else { path.clone() };
        names(&accepted).is_none_or(|name| !known.contains(&name))
    };
    Ok(paths.filter(orphan).collect())
}

/// The snapshot files that scenarios have: title and path.
fn files(game: &Game) -> impl Iterator<Item = (&str, PathBuf)> {
    // What a scenario says under other options is not known here.
    let records = |scenario: &&crate::model::Scenario| {
        !scenario.unfit.is_empty() || scenario.steps.iter().any(|step| matches!(step.kind, ScenarioStepKind::Snapshot))
    };
    game.scenarios.iter().filter(records).map(|scenario| {
        let file = Path::new(game.sources.name(scenario.span.file));
        (scenario.title.as_str(), Snapshot::of(file, game.tested(), &scenario.title).path)
    })
}
