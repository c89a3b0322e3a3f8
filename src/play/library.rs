//! Finding packages by name or by path: in folders, packed, or among the content built into the program.

use super::archive::ENDING;
use super::built_in;
use super::error::PlayError;
use super::package::{Package, Source};
use super::revision;
use crate::base::{World, nearest, shown};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// The folders in which games are found by name.
#[derive(Clone, Debug, Default)]
pub struct Library {
    roots: Vec<PathBuf>,
}

impl Library {
    /// The folder given by `--content`, if any, then those of `CARDWRIGHT_PATH`, then `./content`.
    pub fn new(content: Option<PathBuf>) -> Library {
        let mut roots: Vec<PathBuf> = content.into_iter().collect();
        if let Some(path) = std::env::var_os("CARDWRIGHT_PATH") {
            roots.extend(std::env::split_paths(&path).filter(|path| !path.as_os_str().is_empty()));
        }
        roots.push(PathBuf::from("content"));
        Library { roots }
    }

    /// Finds a game by path, by name, or in a revision of a Git repository, `REVISION:PATH`.
    ///
    /// # Errors
    /// [`PlayError::Usage`] that names the nearest game, if there is none of this name; else what reading a revision gives.
    pub fn find(&self, name: &str) -> Result<Package, PlayError> {
        let path = Path::new(name);
        let is_path = path.components().count() != 1 || name.starts_with('.');
        if path.join("game.toml").is_file() && (is_path || !self.has(name)) {
            return Ok(Package::folder(path));
        }
        if path.extension().is_some_and(|ending| ending == ENDING) {
            return match path.is_file() {
                true => Ok(Package::packed(path)),
                false => Err(PlayError::Usage(format!("there is no file `{}`", shown(&path)))),
            };
        }
        if let Some(package) = revision::package(name)? {
            return Ok(package);
        }
        if is_path {
            return Err(PlayError::Usage(format!("there is no game in `{name}`: it has no `game.toml`")));
        }
        let packages = self.list();
        if let Some(package) = packages.iter().find(|package| package.name == name) {
            return Ok(package.clone());
        }
        let names: Vec<&str> = packages.iter().map(|package| package.name.as_str()).collect();
        let advice = match nearest(name, names.iter().copied()) {
            Some(best) => format!("did you mean `{best}`?"),
            None => format!("there are: {}", names.join(", ")),
        };
        Err(PlayError::Usage(format!("there is no game or expansion named `{name}`; {advice}")))
    }

    /// A game with expansions, each found by path or by name. An expansion of one game stands for that game with it.
    ///
    /// # Errors
    /// [`PlayError::Usage`] if one is not found, or an expansion is named that extends several games.
    pub fn game(&self, name: &str, with: &[String]) -> Result<Package, PlayError> {
        let package = self.find(name)?;
        if let Some(manifest) = package.manifest().filter(|manifest| manifest.expansion) {
            if let [wanted] = manifest.extends.as_slice()
                && let Some(game) = self.find(&wanted.name).ok().or_else(|| package.neighbour(&wanted.name))
                && game.manifest().is_some_and(|manifest| !manifest.expansion)
            {
                return Ok(game.with(self.and_last(package, with)?));
            }
            let games = manifest.extends.iter().map(|game| format!("`{} --with {name}`", game.name));
            let games = games.collect::<Vec<_>>().join(" or ");
            return Err(PlayError::Usage(format!("`{name}` is an expansion; name it with its game: {games}")));
        }
        let with = self.all(with, &package)?;
        Ok(package.with(with))
    }

    /// The packages of these names, which may also lie beside another one. An empty name means none.
    fn all(&self, names: &[String], beside: &Package) -> Result<Vec<Package>, PlayError> {
        let names = names.iter().map(|name| name.trim()).filter(|name| !name.is_empty());
        names.map(|name| self.find(name).or_else(|error| beside.neighbour(name).ok_or(error))).collect()
    }

    /// The expansions of these names, and another one behind them.
    fn and_last(&self, last: Package, names: &[String]) -> Result<Vec<Package>, PlayError> {
        let mut expansions = self.all(names, &last)?;
        expansions.retain(|other| other.source != last.source);
        expansions.push(last);
        Ok(expansions)
    }

    /// What there is to check or to test in a package: itself with the expansions, or if it is an expansion, it and they
    /// in each game that it extends.
    ///
    /// # Errors
    /// [`PlayError::Usage`] if none of its games, or one of the expansions, is found.
    pub fn subjects(&self, package: Package, with: &[String]) -> Result<Vec<Package>, PlayError> {
        let Some(manifest) = package.manifest().filter(|manifest| manifest.expansion) else {
            let with = self.all(with, &package)?;
            return Ok(vec![package.with(with)]);
        };
        let mut found = Vec::new();
        for wanted in &manifest.extends {
            if let Some(game) = self.find(&wanted.name).ok().or_else(|| package.neighbour(&wanted.name)) {
                if game.manifest().is_some_and(|manifest| manifest.expansion) {
                    // That one cannot extend an expansion is said of its manifest.
                    return Ok(vec![package]);
                }
                found.push(game.about(self.and_last(package.clone(), with)?));
            }
        }
        if found.is_empty() && !manifest.extends.is_empty() {
            let games: Vec<&str> = manifest.extends.iter().map(|game| game.name.as_str()).collect();
            let message = format!("`{}` extends {}, which is not here", package.name, games.join(" and "));
            return Err(PlayError::Usage(message));
        }
        if found.is_empty() {
            // Its manifest says what is wrong.
            found.push(package);
        }
        Ok(found)
    }

    /// The games that all of these expansions extend.
    ///
    /// # Errors
    /// [`PlayError::Usage`] if one of them is not found or there is no such game.
    pub fn games_of(&self, with: &[String]) -> Result<Vec<Package>, PlayError> {
        let names = || with.iter().map(|name| name.trim()).filter(|name| !name.is_empty());
        let expansions = names().map(|name| self.find(name)).collect::<Result<Vec<_>, _>>()?;
        let is_game = |package: &&Package| package.manifest().is_some_and(|manifest| !manifest.expansion);
        if let Some(game) = expansions.iter().find(is_game) {
            return Err(PlayError::Usage(format!("`{}` is a game and no expansion", game.name)));
        }
        let extended = |game: &Package| {
            let name = game.manifest().map_or_else(|| game.name.clone(), |manifest| manifest.name);
            let extends = |expansion: &Package| {
                expansion.manifest().is_some_and(|manifest| manifest.extends.iter().any(|wanted| wanted.name == name))
            };
            expansions.iter().all(extends)
        };
        let mut games = self.list();
        games.extend(expansions.iter().flat_map(|expansion| {
            let extends = expansion.manifest().map(|manifest| manifest.extends).unwrap_or_default();
            extends.into_iter().filter_map(|wanted| expansion.neighbour(&wanted.name)).collect::<Vec<_>>()
        }));
        let mut seen = BTreeSet::new();
        games.retain(|game| extended(game) && seen.insert(game.name.clone()));
        if games.is_empty() {
            let names = names().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(" and ");
            return Err(PlayError::Usage(format!("there is no game here that {names} can be played with")));
        }
        Ok(games)
    }

    fn has(&self, name: &str) -> bool {
        self.roots.iter().flat_map(|root| packages_in(root)).any(|package| package.name == name)
    }

    /// All games, by name. Where several have one name, the one that [`Library::find`] gives: of the first place that
    /// has it, and there the one that lies in no group.
    pub fn list(&self) -> Vec<Package> {
        let mut found = BTreeMap::new();
        for package in self.roots.iter().flat_map(|root| packages_in(root)).chain(embedded()) {
            found.entry(package.name.clone()).or_insert(package);
        }
        found.into_values().collect()
    }
}

/// The packages in a folder: its own folders with a manifest, then those one level deeper, in folders without one, which
/// are groups, then those that are packed.
pub fn packages_in(folder: &Path) -> Vec<Package> {
    let (own, groups): (Vec<_>, Vec<_>) = folders_in(folder).into_iter().partition(|path| has_manifest(path));
    let mut found: Vec<Package> = own.iter().map(|path| Package::folder(path)).collect();
    for group in groups {
        let Some(name) = group.file_name().map(|name| name.to_string_lossy().into_owned()) else { continue };
        let inside = folders_in(&group).into_iter().filter(|path| has_manifest(path));
        found.extend(inside.map(|path| Package::folder(&path).in_group(Some(name.clone()))));
    }
    found.extend(packed_in(folder));
    found
}

/// The packed packages in a folder, by name, and of one name the newest first.
pub(super) fn packed_in(folder: &Path) -> Vec<Package> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    let mut found: Vec<Package> = entries.filter(|path| is_packed(path)).map(|path| Package::packed(&path)).collect();
    found.sort_by_cached_key(|package| (package.name.clone(), Reverse(package.version()), package.origin()));
    found
}

/// Whether a path is that of a packed package.
fn is_packed(path: &Path) -> bool {
    path.extension().is_some_and(|ending| ending == ENDING) && path.is_file()
}

/// The folders in a folder, by name, without hidden ones.
fn folders_in(folder: &Path) -> Vec<PathBuf> {
    let hidden = |path: &PathBuf| path.file_name().is_some_and(|name| name.to_string_lossy().starts_with('.'));
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    let mut found: Vec<PathBuf> = entries.filter(|path| path.is_dir() && !hidden(path)).collect();
    found.sort();
    found
}

fn has_manifest(folder: &Path) -> bool {
    folder.join("game.toml").is_file()
}

/// The packages that are built in, in the order of [`packages_in`]: those in groups last.
fn embedded() -> Vec<Package> {
    let package = |path: &'static str| {
        let (group, name) = path.rsplit_once('/').map_or((None, path), |(group, name)| (Some(group.to_owned()), name));
        Package::of(name.to_owned(), Source::BuiltIn(path)).in_group(group)
    };
    let mut found: Vec<Package> = built_in::paths().map(package).collect();
    found.sort_by_key(|package| package.group.is_some());
    found
}

/// The package of a name that lies in a folder: a folder, else packed.
pub(super) fn inside(folder: &Path, name: &str) -> Option<Package> {
    let own = plain_name(name).then(|| folder.join(name)).filter(|path| has_manifest(path));
    own.map(|path| Package::folder(&path))
        .or_else(|| packed_in(folder).into_iter().find(|package| package.name == name))
}

/// The world of a package that lies in a folder, or else is built in.
pub(super) fn neighbour(folder: Option<&Path>, name: &str) -> Option<Box<dyn World>> {
    let built_in = || embedded().into_iter().find(|package| package.name == name);
    let found = folder.and_then(|folder| inside(folder, name)).or_else(built_in)?;
    found.world().ok().map(|world| world as Box<dyn World>)
}

/// Whether a name can be that of a folder and of nothing else.
fn plain_name(name: &str) -> bool {
    !name.is_empty() && name.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '-' || letter == '_')
}
