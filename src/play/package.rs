//! Finding packages: in folders, by path, or among the content built into the program.
//!
//! INVARIANT: nothing outside a package's folder is read through its world.

use super::built_in::{self, BuiltIn};
use super::error::PlayError;
use super::revision;
use super::unsaved::{Unsaved, UnsavedWorld};
use crate::base::{Code, FileId, MemoryWorld, World, WorldError, limits, nearest, shown};
use crate::model::Manifest;
use crate::syntax::parse_manifest;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Component, Path, PathBuf};

/// Largest file that is read.
pub const MAX_FILE: u64 = limits::FILE_BYTES as u64;
/// Largest package.
pub const MAX_PACKAGE: u64 = limits::PACKAGE_BYTES;
/// Most files in a package.
pub const MAX_FILES: usize = limits::PACKAGE_FILES;
/// Deepest folder in a package.
const MAX_DEPTH: usize = limits::FOLDERS;

/// A package that was found, and the expansions it is loaded with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Package {
    /// The name it was found by: that of its folder.
    pub name: String,
    /// The folder of a library that it lies in with others, unless it lies in the library itself.
    pub group: Option<String>,
    source: Source,
    with: Vec<Package>,
    about: Option<String>,
    /// Texts that are read in the place of its files.
    unsaved: Option<Unsaved>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Source {
    Folder(PathBuf),
    /// The path below `content`.
    BuiltIn(&'static str),
    Memory(MemoryWorld),
}

impl Package {
    fn of(name: String, source: Source) -> Package {
        Package { name, group: None, source, with: Vec::new(), about: None, unsaved: None }
    }

    /// A package held in memory.
    pub fn memory(name: &str, world: MemoryWorld) -> Package {
        Package::of(name.to_owned(), Source::Memory(world))
    }

    /// This game with expansions, in the order the players gave.
    pub fn with(mut self, expansions: Vec<Package>) -> Package {
        self.with = expansions;
        self
    }

    /// Likewise, with only the scenarios and numbered rules of the last of the expansions.
    pub fn about(mut self, expansions: Vec<Package>) -> Package {
        let named =
            |package: &Package| package.manifest().map_or_else(|| package.name.clone(), |manifest| manifest.name);
        self.about = expansions.last().map(named);
        self.with(expansions)
    }

    /// This package and its expansions, read with unsaved texts in the place of their files.
    pub fn edited(mut self, texts: &Unsaved) -> Package {
        self.with = std::mem::take(&mut self.with).into_iter().map(|package| package.edited(texts)).collect();
        self.unsaved = Some(Unsaved::clone(texts));
        self
    }

    /// This package and its expansions as they were in the last commit, as far as Git knows them; none if it knows none.
    pub fn committed(&self) -> Option<Package> {
        let mut known = false;
        let mut then = |now: &Package| {
            let then = now.path().and_then(revision::last);
            known |= then.is_some();
            then.unwrap_or_else(|| now.clone())
        };
        let own = then(self);
        let with = self.with.iter().map(&mut then).collect();
        known.then(|| Package { name: self.name.clone(), with, about: self.about.clone(), ..own })
    }

    /// The expansions.
    pub fn expansions(&self) -> &[Package] {
        &self.with
    }

    /// The expansion whose scenarios and numbered rules count, if not all do.
    pub fn about_only(&self) -> Option<&str> {
        self.about.as_deref()
    }

    /// What people call it: its name and those of its expansions.
    pub fn full_name(&self) -> String {
        let names = std::iter::once(self).chain(&self.with).map(|package| package.name.as_str());
        names.collect::<Vec<_>>().join(" + ")
    }

    /// Its manifest, as far as it can be read.
    pub fn manifest(&self) -> Option<Manifest> {
        let text = self.world().ok()?.read("game.toml").ok()?;
        Some(parse_manifest(FileId(0), &text).0)
    }

    /// The package in a folder.
    pub fn folder(path: &Path) -> Package {
        let named = path.canonicalize().unwrap_or_else(|_| path.to_owned());
        let name = named.file_name().map_or_else(|| "game".to_owned(), |name| name.to_string_lossy().into_owned());
        Package::of(name, Source::Folder(path.to_owned()))
    }

    /// The package that a file belongs to: the nearest folder above it with a manifest.
    pub fn around(file: &Path) -> Option<Package> {
        let full = file.canonicalize().ok()?;
        let folder = full.ancestors().skip(1).find(|folder| folder.join("game.toml").is_file())?;
        Some(Package::folder(folder))
    }

    /// The folder it lies in, unless it is built in.
    pub fn path(&self) -> Option<&Path> {
        match &self.source {
            Source::Folder(path) => Some(path),
            Source::BuiltIn(_) | Source::Memory(_) => None,
        }
    }

    /// The package of a name in the folder that this one's folder lies in.
    fn neighbour(&self, name: &str) -> Option<Package> {
        let folder = self.path().filter(|_| plain_name(name))?.canonicalize().ok()?;
        let beside = folder.parent()?.join(name);
        beside.join("game.toml").is_file().then(|| Package::folder(&beside))
    }

    /// Its folder, or `built in`.
    pub fn origin(&self) -> String {
        self.path().map_or_else(|| "built in".to_owned(), |path| shown(&path))
    }

    /// The world its files are read through.
    ///
    /// # Errors
    /// [`PlayError::Io`] if its folder is not there.
    pub fn world(&self) -> Result<Box<dyn World + Sync>, PlayError> {
        let world: Box<dyn World + Sync> = match &self.source {
            Source::Folder(path) => Box::new(DirWorld::open(path)?),
            Source::BuiltIn(path) => {
                Box::new(BuiltIn::open(path).map_err(|error| PlayError::io("unpack", Path::new(path), &error))?)
            }
            Source::Memory(world) => Box::new(world.clone()),
        };
        Ok(match &self.unsaved {
            Some(texts) => Box::new(UnsavedWorld { inner: world, texts: Unsaved::clone(texts) }),
            None => world,
        })
    }
}

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
/// are groups.
pub fn packages_in(folder: &Path) -> Vec<Package> {
    let (own, groups): (Vec<_>, Vec<_>) = folders_in(folder).into_iter().partition(|path| has_manifest(path));
    let mut found: Vec<Package> = own.iter().map(|path| Package::folder(path)).collect();
    for group in groups {
        let Some(name) = group.file_name().map(|name| name.to_string_lossy().into_owned()) else { continue };
        let inside = folders_in(&group).into_iter().filter(|path| has_manifest(path));
        found.extend(inside.map(|path| Package { group: Some(name.clone()), ..Package::folder(&path) }));
    }
    found
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
        Package { group, ..Package::of(name.to_owned(), Source::BuiltIn(path)) }
    };
    let mut found: Vec<Package> = built_in::paths().map(package).collect();
    found.sort_by_key(|package| package.group.is_some());
    found
}

/// A package folder on disk. Paths that leave it are refused, links included.
pub struct DirWorld {
    root: PathBuf,
    shown: PathBuf,
}

impl DirWorld {
    /// A world over a folder.
    ///
    /// # Errors
    /// [`PlayError::Io`] if the folder is not there.
    pub fn open(path: &Path) -> Result<DirWorld, PlayError> {
        let root = path.canonicalize().map_err(|error| PlayError::io("open", path, &error))?;
        Ok(DirWorld { root, shown: path.to_owned() })
    }

    fn inside(&self, path: &str) -> Result<PathBuf, WorldError> {
        let relative = Path::new(path);
        if path.contains('\\') || !relative.components().all(|part| matches!(part, Component::Normal(_))) {
            return Err(WorldError::Refused(format!("`{path}` is not a path inside the package")));
        }
        let full = self.root.join(relative);
        let real = full.canonicalize().map_err(|_| WorldError::Missing(path.to_owned()))?;
        if !real.starts_with(&self.root) {
            return Err(WorldError::Refused(format!("`{path}` is a link that leaves the package")));
        }
        Ok(real)
    }

    /// The bytes of a plain file inside the package.
    fn whole(&self, path: &str, most: u64) -> Result<Vec<u8>, WorldError> {
        let real = self.inside(path)?;
        let refused = |error: std::io::Error| WorldError::Refused(format!("cannot read `{path}`: {error}"));
        let found = real.metadata().map_err(refused)?;
        if !found.is_file() {
            return Err(WorldError::Refused(format!("`{path}` is no plain file")));
        }
        if found.len() > most {
            let message = format!("`{path}` is larger than {} MiB", most >> 20);
            return Err(WorldError::TooLarge(Code::FileTooLarge, message));
        }
        std::fs::read(&real).map_err(refused)
    }

    fn collect(&self, folder: &Path, depth: usize, found: &mut Found) -> Result<(), WorldError> {
        let unreadable =
            |error: std::io::Error| WorldError::Refused(format!("cannot list `{}`: {error}", shown(&folder)));
        if depth > MAX_DEPTH {
            return Err(too_large(format!("folders are nested more than {MAX_DEPTH} deep")));
        }
        for entry in std::fs::read_dir(folder).map_err(unreadable)? {
            let entry = entry.map_err(unreadable)?;
            let name = entry.file_name();
            if name.to_string_lossy().starts_with('.') {
                continue;
            }
            let kind = entry.file_type().map_err(unreadable)?;
            if kind.is_dir() {
                self.collect(&entry.path(), depth + 1, found)?;
                continue;
            }
            let path = entry.path();
            let Ok(relative) = path.strip_prefix(&self.root) else { continue };
            let Some(relative) = relative.to_str() else {
                return Err(WorldError::Refused(format!("the file name `{}` is not UTF-8", shown(&path))));
            };
            let relative = relative.replace(std::path::MAIN_SEPARATOR, "/");
            let real = self.inside(&relative)?;
            let size = real.metadata().map_err(unreadable)?;
            if size.is_file() {
                found.add(relative, size.len())?;
            }
        }
        Ok(())
    }
}

fn too_large(message: String) -> WorldError {
    WorldError::TooLarge(Code::PackageTooLarge, message)
}

#[derive(Default)]
struct Found {
    paths: Vec<String>,
    bytes: u64,
}

impl Found {
    fn add(&mut self, path: String, bytes: u64) -> Result<(), WorldError> {
        self.paths.push(path);
        self.bytes += bytes;
        if self.paths.len() > MAX_FILES {
            return Err(too_large(format!("the package has more than {MAX_FILES} files")));
        }
        if self.bytes > MAX_PACKAGE {
            return Err(too_large(format!("the package is larger than {} MiB", MAX_PACKAGE >> 20)));
        }
        Ok(())
    }
}

impl World for DirWorld {
    fn read(&self, path: &str) -> Result<String, WorldError> {
        String::from_utf8(self.whole(path, MAX_FILE)?).map_err(|error| {
            let text = String::from_utf8_lossy(error.as_bytes()).into_owned();
            WorldError::NotText { path: path.to_owned(), text }
        })
    }

    fn bytes(&self, path: &str) -> Result<Vec<u8>, WorldError> {
        self.whole(path, limits::PICTURE_BYTES)
    }

    fn list(&self) -> Result<Vec<String>, WorldError> {
        let mut found = Found::default();
        self.collect(&self.root, 0, &mut found)?;
        found.paths.sort();
        Ok(found.paths)
    }

    fn display(&self, path: &str) -> String {
        self.shown.join(path).display().to_string()
    }

    /// A package in the folder beside this one, or one that is built in.
    fn neighbour(&self, name: &str) -> Option<Box<dyn World + '_>> {
        let beside = plain_name(name).then(|| self.root.parent().map(|parent| parent.join(name))).flatten();
        match beside.filter(|path| path.join("game.toml").is_file()) {
            Some(path) => Some(Box::new(DirWorld::open(&path).ok()?)),
            None => find_built_in(name),
        }
    }
}

/// The package of this name that is built into the program.
pub(super) fn find_built_in(name: &str) -> Option<Box<dyn World>> {
    let found = embedded().into_iter().find(|package| package.name == name)?;
    found.world().ok().map(|world| world as Box<dyn World>)
}

/// Whether a name can be that of a folder and of nothing else.
fn plain_name(name: &str) -> bool {
    !name.is_empty() && name.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '-' || letter == '_')
}

/// Writes an editable copy of a package into a folder, which must not exist or be empty. Gives the number of files.
///
/// # Errors
/// [`PlayError`] if the folder is in use or a file cannot be read or written.
pub fn eject(package: &Package, to: &Path) -> Result<usize, PlayError> {
    if std::fs::read_dir(to).is_ok_and(|mut entries| entries.next().is_some()) {
        return Err(PlayError::Usage(format!("`{}` is not empty", shown(&to))));
    }
    let world = package.world()?;
    let failed = |error: WorldError| PlayError::Io(error.to_string());
    let files = world.list().map_err(failed)?;
    for file in &files {
        let bytes = world.bytes(file).map_err(failed)?;
        let path = to.join(file);
        if let Some(parent) = path.parent() {
            std::fs::create_dir_all(parent).map_err(|error| PlayError::io("create", parent, &error))?;
        }
        std::fs::write(&path, bytes).map_err(|error| PlayError::io("write", &path, &error))?;
    }
    Ok(files.len())
}
