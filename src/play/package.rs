//! Packages, wherever they are: in folders, packed, in memory, or built into the program.

use super::archive::{self, ArchiveWorld};
use super::built_in;
use super::error::PlayError;
use super::folder::DirWorld;
use super::revision;
use super::unsaved::{Unsaved, UnsavedWorld};
use crate::base::{FileId, MemoryWorld, World, WorldError, limits, shown};
use crate::model::Manifest;
use crate::syntax::parse_manifest;
use semver::Version;
use std::path::{Path, PathBuf};

/// Largest file that is read.
pub const MAX_FILE: u64 = limits::FILE_BYTES as u64;
/// Largest package.
pub const MAX_PACKAGE: u64 = limits::PACKAGE_BYTES;
/// Most files in a package.
pub const MAX_FILES: usize = limits::PACKAGE_FILES;

/// Where packages are that lie in no folder.
const BUILT_IN: &str = "built in";

/// A package that was found, and the expansions it is loaded with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Package {
    /// The name it was found by: that of its folder, or if it is packed its own.
    pub name: String,
    /// The folder of a library that it lies in with others, unless it lies in the library itself.
    pub group: Option<String>,
    pub(super) source: Source,
    with: Vec<Package>,
    about: Option<String>,
    /// Texts that are read in the place of its files.
    unsaved: Option<Unsaved>,
    /// What is taken where it or another of them names a package.
    known: Vec<Package>,
    /// Where other packages of its name are, of which it was taken.
    others: Vec<String>,
    /// The language that players read it in, if that is another than its own.
    language: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Source {
    Folder(PathBuf),
    /// One file.
    Packed(PathBuf),
    /// The path below `content`.
    BuiltIn(&'static str),
    Memory(MemoryWorld),
}

impl Package {
    pub(super) fn of(name: String, source: Source) -> Package {
        let (with, known, others) = (Vec::new(), Vec::new(), Vec::new());
        Package { name, group: None, source, with, about: None, unsaved: None, known, others, language: None }
    }

    pub(super) fn in_group(self, group: Option<String>) -> Package {
        Package { group, ..self }
    }

    /// A package held in memory.
    pub fn memory(name: &str, world: MemoryWorld) -> Package {
        Package::of(name.to_owned(), Source::Memory(world))
    }

    /// This game in another language, or in its own.
    pub fn in_language(self, language: Option<String>) -> Package {
        Package { language, ..self }
    }

    /// The language that players read it in, if that is another than its own.
    pub fn language(&self) -> Option<&str> {
        self.language.as_deref()
    }

    /// This game with expansions, in the order the players gave.
    pub fn with(mut self, expansions: Vec<Package>) -> Package {
        self.with = expansions;
        self
    }

    /// Likewise, with only the scenarios and numbered rules of the last of the expansions.
    pub fn about(self, expansions: Vec<Package>) -> Package {
        self.with(expansions).about_last()
    }

    pub(super) fn about_last(mut self) -> Package {
        let named =
            |package: &Package| package.manifest().map_or_else(|| package.name.clone(), |manifest| manifest.name);
        self.about = self.with.last().map(named);
        self
    }

    /// This game with expansions, where packages that they name are taken from these.
    pub(super) fn knowing(mut self, known: &[Package]) -> Package {
        self.with = std::mem::take(&mut self.with).into_iter().map(|package| package.knowing(known)).collect();
        self.known = known.to_vec();
        self
    }

    /// This package, taken although there are others of its name.
    pub(super) fn rather_than(self, others: Vec<String>) -> Package {
        Package { others, ..self }
    }

    /// What is said where something is wrong in a file and another package may not be the one that was meant; else nothing.
    pub(super) fn mistakable(&self, file: &str) -> Option<String> {
        let mut all = std::iter::once(self).chain(&self.with).chain(&self.known);
        let named = all.find(|package| {
            let own = package.path().is_some_and(|folder| Path::new(file).starts_with(folder))
                || Path::new(file).starts_with(package.origin());
            !package.others.is_empty() && !own
        })?;
        let place = |origin: &String| match origin == BUILT_IN {
            true => "one that is built in".to_owned(),
            false => format!("`{origin}`"),
        };
        let others: Vec<String> = named.others.iter().map(place).collect();
        let (name, taken) = (&named.name, place(&named.origin()));
        Some(format!("`{name}` is {taken} here; there is also {}", others.join(" and ")))
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
        let about = self.about.clone();
        known.then(|| Package { name: self.name.clone(), with, about, known: self.known.clone(), ..own })
    }

    /// The expansions.
    pub fn expansions(&self) -> &[Package] {
        &self.with
    }

    /// The expansion whose scenarios and numbered rules count, if not all do.
    pub fn about_only(&self) -> Option<&str> {
        self.about.as_deref()
    }

    /// The package that this is about: itself, or the last of its expansions.
    pub fn about_package(&self) -> &Package {
        self.with.last().filter(|_| self.about.is_some()).unwrap_or(self)
    }

    /// What people call it: its name and those of its expansions.
    pub fn full_name(&self) -> String {
        let names = std::iter::once(self).chain(&self.with).map(|package| package.name.as_str());
        names.collect::<Vec<_>>().join(" + ")
    }

    /// The name that its manifest gives it, or by which it was found if that cannot be read.
    pub(super) fn own_name(&self) -> String {
        self.manifest()
            .map(|manifest| manifest.name)
            .filter(|name| !name.is_empty())
            .unwrap_or_else(|| self.name.clone())
    }

    /// Its manifest, as far as it can be read.
    pub fn manifest(&self) -> Option<Manifest> {
        Some(parse_manifest(FileId(0), &self.manifest_text()?).0)
    }

    /// The text of its manifest. Of what is packed nothing else is read.
    pub fn manifest_text(&self) -> Option<String> {
        match (&self.source, &self.unsaved) {
            (Source::BuiltIn(path), None) => archive::manifest(built_in::archive(path)?).ok(),
            (Source::Packed(path), None) => archive::manifest_of(path).ok(),
            _ => self.world().ok()?.read("game.toml").ok(),
        }
    }

    /// Its version, if its manifest has one.
    pub fn version(&self) -> Option<Version> {
        Version::parse(&self.manifest()?.version).ok()
    }

    /// The package that a file holds. Whether it holds one is seen when it is read.
    pub fn packed(path: &Path) -> Package {
        let stem = path.file_stem().map_or_else(|| "game".to_owned(), |name| name.to_string_lossy().into_owned());
        let package = Package::of(stem, Source::Packed(path.to_owned()));
        let named = package.manifest().map(|manifest| manifest.name).filter(|name| !name.is_empty());
        Package { name: named.unwrap_or_else(|| package.name.clone()), ..package }
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

    /// The folder that its files are in, unless it is packed or built in.
    pub fn path(&self) -> Option<&Path> {
        match &self.source {
            Source::Folder(path) => Some(path),
            Source::Packed(_) | Source::BuiltIn(_) | Source::Memory(_) => None,
        }
    }

    /// The folder that its own folder or file lies in, as it would be written.
    pub(super) fn home(&self) -> Option<PathBuf> {
        let (Source::Folder(path) | Source::Packed(path)) = &self.source else { return None };
        let real = self.full_path()?.parent()?.to_owned();
        let written = path.parent().filter(|_| path.file_name().is_some());
        let written = written.map(|folder| if folder == Path::new("") { Path::new(".") } else { folder });
        let same = written.filter(|folder| folder.canonicalize().is_ok_and(|folder| folder == real));
        Some(same.map_or(real, Path::to_owned))
    }

    /// Where its folder or file really is.
    pub(super) fn full_path(&self) -> Option<PathBuf> {
        let (Source::Folder(path) | Source::Packed(path)) = &self.source else { return None };
        path.canonicalize().ok()
    }

    /// Whether this and another are one package, however the way to it was written.
    pub(super) fn is_same(&self, other: &Package) -> bool {
        match (self.full_path(), other.full_path()) {
            (Some(one), Some(other)) => one == other,
            _ => self.source == other.source,
        }
    }

    /// The file that it is packed in, if it is.
    pub(super) fn file(&self) -> Option<&Path> {
        match &self.source {
            Source::Packed(path) => Some(path),
            _ => None,
        }
    }

    /// Its folder or file, or `built in`.
    pub fn origin(&self) -> String {
        match &self.source {
            Source::Folder(path) | Source::Packed(path) => shown(path),
            Source::BuiltIn(_) | Source::Memory(_) => BUILT_IN.to_owned(),
        }
    }

    /// Hidden files in its folder, which are no part of it.
    ///
    /// # Errors
    /// [`PlayError::Io`] if its folder cannot be listed.
    pub fn hidden(&self) -> Result<Vec<String>, PlayError> {
        let Some(path) = self.path() else { return Ok(Vec::new()) };
        DirWorld::open(path)?.hidden().map_err(|error| PlayError::Io(error.to_string()))
    }

    /// The world its files are read through.
    ///
    /// # Errors
    /// [`PlayError::Io`] if its folder is not there, [`PlayError::Finding`] if it is packed in no way that is allowed.
    pub fn world(&self) -> Result<Box<dyn World + Sync>, PlayError> {
        let world: Box<dyn World + Sync> = match &self.source {
            Source::Folder(path) => Box::new(DirWorld::open(path)?),
            Source::Packed(path) => Box::new(ArchiveWorld::open(path)?),
            Source::BuiltIn(path) => Box::new(ArchiveWorld::built_in(path)?),
            Source::Memory(world) => Box::new(world.clone()),
        };
        let world: Box<dyn World + Sync> = match self.known.as_slice() {
            [] => world,
            known => Box::new(KnowingWorld { inner: world, known: known.to_vec() }),
        };
        Ok(match &self.unsaved {
            Some(texts) => Box::new(UnsavedWorld { inner: world, texts: Unsaved::clone(texts) }),
            None => world,
        })
    }
}

/// A package that finds others where they were chosen before.
struct KnowingWorld {
    inner: Box<dyn World + Sync>,
    known: Vec<Package>,
}

impl World for KnowingWorld {
    fn read(&self, path: &str) -> Result<String, WorldError> {
        self.inner.read(path)
    }

    fn bytes(&self, path: &str) -> Result<Vec<u8>, WorldError> {
        self.inner.bytes(path)
    }

    fn list(&self) -> Result<Vec<String>, WorldError> {
        self.inner.list()
    }

    fn display(&self, path: &str) -> String {
        self.inner.display(path)
    }

    fn neighbour(&self, name: &str) -> Option<Box<dyn World + '_>> {
        match self.known.iter().find(|package| package.name == name) {
            Some(found) => Some(found.clone().knowing(&self.known).world().ok()? as Box<dyn World>),
            None => self.inner.neighbour(name),
        }
    }
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
