//! Finding packages by name or by path: in folders, packed, or among the content built into the program.

use super::archive::ENDING;
use super::built_in;
use super::error::PlayError;
use super::package::{Package, Source};
use super::resolve::{Candidate, Conflict, resolve};
use super::revision;
use super::store::Store;
use crate::base::{World, nearest, shown};
use semver::Version;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Component, Path, PathBuf};

/// Where packages are found by name.
#[derive(Clone, Debug, Default)]
pub struct Library {
    /// Folders of games.
    roots: Vec<PathBuf>,
    /// What was added: to the project, then by this user.
    stores: Vec<Store>,
    /// The language in which games are read.
    language: Option<String>,
    /// Packages that are here beside all others.
    given: Vec<Package>,
}

/// Packages that a message names, at the most.
const MOST_NAMED: usize = 40;

impl Library {
    /// The folder given by `--content`, if any, then those of `CARDWRIGHT_PATH`, then `./content`, then the packages that were
    /// added.
    pub fn new(content: Option<PathBuf>) -> Library {
        let project = Store::around(Path::new(".")).or_else(|| Store::around(content.as_deref()?));
        let mut roots: Vec<PathBuf> = content.into_iter().collect();
        if let Some(path) = std::env::var_os("CARDWRIGHT_PATH") {
            roots.extend(std::env::split_paths(&path).filter(|path| !path.as_os_str().is_empty()));
        }
        roots.push(PathBuf::from("content"));
        Library { roots, stores: project.into_iter().chain(Store::own()).collect(), language: None, given: Vec::new() }
    }

    /// The same with these packages, which are found by the names that they have.
    #[must_use]
    pub fn with(mut self, given: Vec<Package>) -> Library {
        self.given = given;
        self
    }

    /// Finds a game by path, by name, by name and version, `NAME@1.0.0`, or in a revision of a Git repository, `REVISION:PATH`.
    ///
    /// # Errors
    /// [`PlayError::Usage`] that names the nearest game, if there is none of this name; else what reading a revision gives.
    pub fn find(&self, name: &str) -> Result<Package, PlayError> {
        let found = self.wanted(name, None)?.into_iter().next().ok_or_else(|| self.unknown(name))?;
        self.locked([&found])?;
        Ok(found)
    }

    /// All packages that are meant by a name or path, in the order in which they would be taken; never none.
    fn wanted(&self, name: &str, beside: Option<&Package>) -> Result<Vec<Package>, PlayError> {
        let path = Path::new(name);
        let is_path = path.components().count() != 1 || name.starts_with('.');
        if is_path && has_manifest(path) {
            return Ok(vec![Package::folder(path)]);
        }
        if path.extension().is_some_and(|ending| ending == ENDING) && !has_manifest(path) {
            return match path.is_file() {
                true => Ok(vec![Package::packed(path)]),
                false => Err(PlayError::Usage(format!("there is no file `{}`", shown(&path)))),
            };
        }
        if let Some(package) = revision::package(name)? {
            return Ok(vec![package]);
        }
        if is_path {
            return Err(PlayError::Usage(format!("there is no game in `{name}`: it has no `game.toml`")));
        }
        let found = self.candidates(name, beside);
        if found.is_empty() { Err(self.unknown(name)) } else { Ok(found) }
    }

    /// Refuses a name whose package is gone.
    fn not_missing(&self, name: &str) -> Result<(), PlayError> {
        self.stores.iter().try_for_each(|store| store.not_missing(name))
    }

    fn unknown(&self, name: &str) -> PlayError {
        if let Err(missing) = self.not_missing(name.split('@').next().unwrap_or(name)) {
            return missing;
        }
        if let Some((name, version)) = name.split_once('@') {
            let versions = self.candidates(name, None);
            let versions: Vec<String> =
                versions.iter().filter_map(Package::version).map(|version| version.to_string()).collect();
            if !versions.is_empty() {
                let there = versions.join(", ");
                return PlayError::Usage(format!("there is no version {version} of `{name}`; there is {there}"));
            }
        }
        if name.starts_with("HEAD") || name.contains(['~', '^']) {
            let message =
                format!("`{name}` is no package: of a revision of Git a folder is named, `{name}:./` that at hand");
            return PlayError::Usage(message);
        }
        let names = self.names();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let advice = match nearest(name, names.iter().copied()) {
            Some(best) => format!("did you mean `{best}`?"),
            None if names.len() > MOST_NAMED => format!("there are {}: `cardwright list` shows them", names.len()),
            None => format!("there are: {}", names.join(", ")),
        };
        PlayError::Usage(format!("there is no game or expansion named `{name}`; {advice}"))
    }

    /// The names of all packages that are found by them.
    fn names(&self) -> BTreeSet<String> {
        let here = packages_in(Path::new("."));
        self.list().into_iter().chain(here).map(|package| package.name).collect()
    }

    /// The packages of a name in the order in which they would be taken: what lies beside the package that names it, then what lies
    /// in folders of games and here, what was added, what is built in. A folder is taken as it is, so nothing behind it counts.
    fn candidates(&self, name: &str, beside: Option<&Package>) -> Vec<Package> {
        let (name, version) = name.split_once('@').map_or((name, None), |(name, version)| (name, Some(version)));
        let mut found: Vec<Package> =
            beside.and_then(Package::home).map(|home| beside_in(&home, name)).unwrap_or_default();
        let named = |package: &Package| package.name == name;
        found.extend(self.given.iter().filter(|package| package.own_name() == name).cloned());
        found.extend(self.roots.iter().flat_map(|root| packages_in(root)).filter(named));
        let here = Path::new(name);
        found.extend((plain_name(name) && has_manifest(here)).then(|| Package::folder(here)));
        found.extend(self.stores.iter().flat_map(Store::packages).chain(embedded()).filter(named));
        let mut seen = BTreeSet::new();
        found.retain(|package| seen.insert(package.full_path().ok_or_else(|| package.origin())));
        // Of one version the first is meant, wherever it lies.
        let mut versions = BTreeSet::new();
        let twice = |package: &Package| package.path().is_none() && !versions.insert(package.version());
        let (_, once): (Vec<Package>, Vec<Package>) = found.iter().cloned().partition(twice);
        let origins: Vec<String> = found.iter().map(Package::origin).collect();
        let mut found = once;
        if let Some(folder) = found.iter().position(|package| package.path().is_some()) {
            found.truncate(folder + 1);
        }
        if let Some(version) = version {
            found.retain(|package| package.version().is_some_and(|other| other.to_string() == version));
        }
        let others = |own: &String| origins.iter().filter(|other| *other != own).cloned().collect();
        found
            .into_iter()
            .map(|package| {
                let others = others(&package.origin());
                package.rather_than(others)
            })
            .collect()
    }

    /// The versions of a package that are here, in the order in which they would be taken.
    pub fn versions(&self, name: &str) -> Vec<Version> {
        self.candidates(name, None).iter().filter_map(Package::version).collect()
    }

    /// A game with expansions, each found by path or by name, and with what they need, in versions that go together. An expansion of one
    /// game stands for that game with it.
    ///
    /// # Errors
    /// [`PlayError::Usage`] if one is not found, or an expansion is named that extends several games, [`PlayError::Finding`] if they
    /// do not go together.
    pub fn game(&self, name: &str, with: &[String]) -> Result<Package, PlayError> {
        Ok(self.game_in_its_own(name, with)?.in_language(self.language.clone()))
    }

    /// Lets players read the games that are found from now on in another language than their own.
    pub fn speak(&mut self, language: Option<String>) {
        self.language = language;
    }

    fn game_in_its_own(&self, name: &str, with: &[String]) -> Result<Package, PlayError> {
        let found = self.wanted(name, None)?;
        let Some(package) = found.first() else { return Err(self.unknown(name)) };
        if let Some(manifest) = package.manifest().filter(|manifest| manifest.expansion) {
            if let [wanted] = manifest.extends.as_slice() {
                let games = self.candidates(&wanted.name, Some(package));
                if games.first().and_then(Package::manifest).is_some_and(|manifest| !manifest.expansion) {
                    let with = self.and_last(found, with)?;
                    return self.together(games, with);
                }
            }
            let games = manifest.extends.iter().map(|game| format!("`{} --with {name}`", game.name));
            let games = games.collect::<Vec<_>>().join(" or ");
            return Err(PlayError::Usage(format!("`{name}` is an expansion; name it with its game: {games}")));
        }
        let with = self.all(with, package)?;
        self.together(found, with)
    }

    /// The packages of these names, which may also lie beside another one. An empty name means none.
    fn all(&self, names: &[String], beside: &Package) -> Result<Vec<Vec<Package>>, PlayError> {
        let names = names.iter().map(|name| name.trim()).filter(|name| !name.is_empty());
        names.map(|name| self.wanted(name, Some(beside))).collect()
    }

    /// The expansions of these names, and another one behind them.
    fn and_last(&self, last: Vec<Package>, names: &[String]) -> Result<Vec<Vec<Package>>, PlayError> {
        let Some(beside) = last.first() else { return Ok(Vec::new()) };
        let mut expansions = self.all(names, beside)?;
        expansions.retain(|others| others.first().is_none_or(|other| !other.is_same(beside)));
        expansions.push(last);
        Ok(expansions)
    }

    /// A game and expansions, each in the version that suits the rest, with all that they need.
    fn together(&self, game: Vec<Package>, with: Vec<Vec<Package>>) -> Result<Package, PlayError> {
        let candidate = |package: Package| {
            let manifest = package.manifest().filter(|manifest| !manifest.name.is_empty())?;
            Some(Candidate { package, manifest })
        };
        let mut seen: Vec<Package> = Vec::new();
        let mut roots: Vec<Vec<Package>> = std::iter::once(game).chain(with).collect();
        roots.retain(|packages| {
            let Some(package) = packages.first() else { return true };
            let is_new = !seen.iter().any(|other| other.is_same(package));
            seen.push(package.clone());
            is_new
        });
        let mut names: Vec<String> = Vec::new();
        let mut asked = BTreeMap::new();
        for packages in &roots {
            let candidates: Vec<Candidate> = packages.iter().cloned().filter_map(candidate).collect();
            let name = candidates.first().map(|first| first.manifest.name.clone()).unwrap_or_default();
            names.push(name.clone());
            asked.insert(name, candidates);
        }
        let mut known = Vec::new();
        // Of what cannot be read, or is there twice, the checker says so.
        if names.iter().all(|name| !name.is_empty()) && asked.len() == names.len() {
            let game = names.first().cloned().unwrap_or_default();
            let find = |name: &str, by: &Candidate| -> Vec<Candidate> {
                self.candidates(name, Some(&by.package)).into_iter().filter_map(candidate).collect()
            };
            let chosen = match resolve(&game, asked, &find) {
                Ok(chosen) => chosen,
                Err(Conflict { why, found }) => {
                    // What is not as it should be may be why they do not go together.
                    self.locked(found.values().flatten().map(|it| &it.package))?;
                    found.iter().filter(|(_, all)| all.is_empty()).try_for_each(|(name, _)| self.not_missing(name))?;
                    if let Some(why) = why {
                        return Err(PlayError::Finding(why));
                    }
                    found.into_iter().filter_map(|(name, all)| Some((name, all.into_iter().next()?))).collect()
                }
            };
            known = names.iter().filter_map(|name| chosen.get(name)).cloned().collect();
            known.extend(chosen.into_iter().filter(|(name, _)| !names.contains(name)).map(|(_, it)| it));
        }
        let (named, needed) = known.split_at(names.len().min(known.len()));
        let named = match named {
            [] => roots.into_iter().filter_map(|packages| packages.into_iter().next()).collect(),
            named => named.iter().map(|it| it.package.clone()).collect::<Vec<_>>(),
        };
        let Some((game, with)) = named.split_first() else { return Err(self.unknown("")) };
        let expansions = needed.iter().filter(|it| it.manifest.expansion).map(|it| it.package.clone());
        let with: Vec<Package> = expansions.chain(with.iter().cloned()).collect();
        let bases: Vec<Package> = needed.iter().map(|it| it.package.clone()).collect();
        let whole = game.clone().with(with).knowing(&bases);
        self.locked(std::iter::once(&whole).chain(whole.expansions()).chain(&bases))?;
        Ok(whole)
    }

    /// Looks whether packages are what the lock file of their project says.
    fn locked<'p>(&self, packages: impl IntoIterator<Item = &'p Package>) -> Result<(), PlayError> {
        let packages: Vec<&Package> = packages.into_iter().collect();
        self.stores.iter().try_for_each(|store| store.verify(&packages))
    }

    /// What there is to check or to test in a package: itself with the expansions, or if it is an expansion, it and they
    /// in each game that it extends.
    ///
    /// # Errors
    /// [`PlayError::Usage`] if none of its games, or one of the expansions, is found, [`PlayError::Finding`] if they do not go together.
    pub fn subjects(&self, package: Package, with: &[String]) -> Result<Vec<Package>, PlayError> {
        let Some(manifest) = package.manifest().filter(|manifest| manifest.expansion) else {
            let with = self.all(with, &package)?;
            return Ok(vec![self.together(vec![package], with)?]);
        };
        let mut found = Vec::new();
        for wanted in &manifest.extends {
            let games = self.candidates(&wanted.name, Some(&package));
            let Some(game) = games.first() else { continue };
            if game.manifest().is_some_and(|manifest| manifest.expansion) {
                // That one cannot extend an expansion is said of its manifest.
                return Ok(vec![package]);
            }
            let with = self.and_last(vec![package.clone()], with)?;
            found.push(self.together(games, with)?.about_last());
        }
        if found.is_empty() && !manifest.extends.is_empty() {
            let games: Vec<&str> = manifest.extends.iter().map(|game| game.name.as_str()).collect();
            let names = self.names();
            let best = games.iter().find_map(|game| nearest(game, names.iter().map(String::as_str)));
            let advice = best.map(|best| format!("; did you mean `{best}`?")).unwrap_or_default();
            let message = format!("`{}` extends {}, which is not here{advice}", package.name, games.join(" and "));
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
            extends.into_iter().flat_map(|wanted| self.candidates(&wanted.name, Some(expansion))).collect::<Vec<_>>()
        }));
        let mut seen = BTreeSet::new();
        games.retain(|game| extended(game) && seen.insert(game.name.clone()));
        if games.is_empty() {
            let names = names().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(" and ");
            return Err(PlayError::Usage(format!("there is no game here that {names} can be played with")));
        }
        Ok(games)
    }

    /// All games, by name. Where several have one name, the one that [`Library::find`] gives: of the first place that
    /// has it, and there the one that lies in no group.
    pub fn list(&self) -> Vec<Package> {
        let mut found = BTreeMap::new();
        let added = self.stores.iter().flat_map(Store::packages);
        for package in self.roots.iter().flat_map(|root| packages_in(root)).chain(added).chain(embedded()) {
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

/// Whether a package of this name comes with the program.
pub fn is_built_in(name: &str) -> bool {
    embedded().iter().any(|package| package.name == name)
}

/// The packages of a name that lie in a folder: a folder, then packed ones.
fn beside_in(folder: &Path, name: &str) -> Vec<Package> {
    let own = plain_name(name).then(|| folder.join(name)).filter(|path| has_manifest(path));
    let packed = packed_in(folder).into_iter().filter(|package| package.name == name);
    own.map(|path| Package::folder(&path)).into_iter().chain(packed).collect()
}

/// The world of a package that lies in a folder, or else is built in.
pub(super) fn neighbour(folder: Option<&Path>, name: &str) -> Option<Box<dyn World>> {
    let beside = folder.map(|folder| beside_in(folder, name)).unwrap_or_default();
    let found = beside.into_iter().chain(embedded().into_iter().filter(|package| package.name == name)).next()?;
    found.world().ok().map(|world| world as Box<dyn World>)
}

/// Whether a name is that of a folder right here, and leads nowhere else.
fn plain_name(name: &str) -> bool {
    let mut parts = Path::new(name).components();
    let plain = matches!(parts.next(), Some(Component::Normal(part)) if part == name);
    plain && parts.next().is_none() && !name.starts_with('.')
}
