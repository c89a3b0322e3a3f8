//! Packages that were added: packed, in a folder of the project or of this user. A project has a lock file beside it, which says
//! what is in the folder, so that everybody who works on it plays the same.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use super::archive::{self, ArchiveWorld, Files, unpack};
use super::error::PlayError;
use super::library::{is_built_in, packed_in};
use super::package::{MAX_FILE, MAX_PACKAGE, Package};
use super::{files, packing};
use crate::base::{FileId, shown, visible};
use crate::model::Manifest;
use crate::syntax::parse_manifest;

/// The lock file of a project, beside its folder of packages.
pub const LOCK: &str = "cardwright.lock";
/// The folder.
const FOLDER: &str = "packages";
/// Version of the lock file.
const FORMAT: i64 = 1;
/// What the lock file begins with.
const HEAD: &str =
    "# What is in `packages`. `cardwright add` and `remove` write this file; keep both in version control.\n";

/// A place where packages are added.
#[derive(Clone, Debug)]
pub struct Store {
    folder: PathBuf,
    /// Of a project.
    lock: Option<PathBuf>,
}

/// The lock file.
#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct Lock {
    /// Looked at before the rest is read.
    #[serde(rename = "version")]
    _version: i64,
    #[serde(default)]
    package: Vec<toml::Spanned<Locked>>,
}

/// A package as the lock file has it.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct Locked {
    name: String,
    version: String,
    digest: String,
}

/// A packed package that was looked at and can be added.
pub struct Ready {
    /// Its manifest.
    pub manifest: Manifest,
    digest: String,
    bytes: Vec<u8>,
}

impl Ready {
    /// Reads a packed package.
    ///
    /// # Errors
    /// [`PlayError`] if it cannot be read or is refused, or there are errors in its manifest.
    pub fn open(path: &Path) -> Result<Ready, PlayError> {
        archive::file(path)?;
        let bytes = files::read(path, MAX_PACKAGE)?;
        let unpacked = unpack(bytes.as_slice()).map_err(|refused| refused.of(&shown(&path)))?;
        Ready::of(&unpacked, bytes, &shown(&path))
    }

    /// Packs what lies in a folder. Whether it is sound is not looked at.
    ///
    /// # Errors
    /// As [`packing::pack`].
    pub fn pack(package: &Package) -> Result<Ready, PlayError> {
        let packed = packing::pack(package)?;
        Ready::of(&packed.files, packed.archive, &package.origin())
    }

    fn of(unpacked: &Files, bytes: Vec<u8>, shown: &str) -> Result<Ready, PlayError> {
        let text = unpacked.get("game.toml").map(|bytes| String::from_utf8_lossy(bytes).into_owned());
        let (manifest, found) = parse_manifest(FileId(0), &text.unwrap_or_default());
        if let Some(found) = found.iter().find(|found| found.is_error()) {
            let message = format!("`{shown}` is not added, for its manifest has an error: {}", found.message);
            return Err(PlayError::Finding(message));
        }
        Ok(Ready { manifest, digest: archive::digest(unpacked), bytes })
    }

    fn locked(&self) -> Locked {
        let Manifest { name, version, .. } = &self.manifest;
        Locked { name: name.clone(), version: version.clone(), digest: self.digest.clone() }
    }
}

impl Store {
    /// That of the project around a folder: the nearest above it, or it itself, that has a lock file.
    pub fn around(folder: &Path) -> Option<Store> {
        let full = folder.canonicalize().ok()?;
        let root = full.ancestors().find(|folder| folder.join(LOCK).is_file())?;
        Some(Store::at(if root == full { folder } else { root }))
    }

    /// That of a project whose root is a folder.
    pub fn at(root: &Path) -> Store {
        let root = if root == Path::new(".") { Path::new("") } else { root };
        Store { folder: root.join(FOLDER), lock: Some(root.join(LOCK)) }
    }

    /// That of this user: the folder that `CARDWRIGHT_PACKAGES` names, else where programs keep such things.
    pub fn own() -> Option<Store> {
        let variable = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
        let data = || match std::env::consts::OS {
            "windows" => variable("APPDATA"),
            "macos" => Some(variable("HOME")?.join("Library/Application Support")),
            _ => variable("XDG_DATA_HOME").or_else(|| Some(variable("HOME")?.join(".local/share"))),
        };
        let folder = variable("CARDWRIGHT_PACKAGES").or_else(|| Some(data()?.join("cardwright").join(FOLDER)))?;
        Some(Store { folder, lock: None })
    }

    /// Where the packages are.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The packages, by name, and of one name the newest first.
    pub fn packages(&self) -> Vec<Package> {
        packed_in(&self.folder)
    }

    /// Adds packages: all, or none. Gives for each whether it is new.
    ///
    /// # Errors
    /// [`PlayError::Finding`] if another package of this name, or this version with another content, is there,
    /// [`PlayError::Io`] if something cannot be written.
    pub fn add(&self, all: &[Ready]) -> Result<Vec<bool>, PlayError> {
        // A lock file that cannot be read is not written over.
        self.read()?;
        let there = self.packages();
        let mut new = Vec::new();
        for (index, ready) in all.iter().enumerate() {
            let Manifest { name, extends, .. } = &ready.manifest;
            if !extends.is_empty() && is_built_in(name) {
                let message = format!(
                    "`{name}` is what a game is called that comes with cardwright: give the expansion another name"
                );
                return Err(PlayError::Finding(message));
            }
            let before = all.get(..index).unwrap_or_default();
            if let Some(twin) = before.iter().find(|other| other.manifest.name == ready.manifest.name) {
                fits_beside(&ready.manifest, &twin.manifest)?;
            }
            let namesakes = there.iter().filter(|package| package.name == ready.manifest.name);
            let mut is_new = true;
            for other in namesakes {
                let Some(manifest) = other.manifest() else { continue };
                fits_beside(&ready.manifest, &manifest)?;
                if manifest.version == ready.manifest.version {
                    self.same_content(ready, other)?;
                    is_new = false;
                }
            }
            new.push(is_new);
        }
        let fresh = all.iter().zip(&new).filter(|(_, is_new)| **is_new).map(|(ready, _)| {
            let Manifest { name, version, .. } = &ready.manifest;
            (self.folder.join(packing::file_name(name, version)), ready)
        });
        let fresh: Vec<(PathBuf, &Ready)> = fresh.collect();
        if let Some((path, ready)) = fresh.iter().find(|(path, _)| path.exists()) {
            let Manifest { name, version, .. } = &ready.manifest;
            let path = shown(path);
            let message =
                format!("`{path}` is there already, and is not `{name}` {version}: give that file its own name first");
            return Err(PlayError::Finding(message));
        }
        let unwritten = |error: std::io::Error| PlayError::io("create", &self.folder, &error);
        std::fs::create_dir_all(&self.folder).map_err(unwritten)?;
        let mut written = Vec::new();
        let mut write = || {
            for (path, ready) in &fresh {
                packing::write_whole(path, &ready.bytes)?;
                written.push(path);
            }
            self.relock(|lock| {
                let names: BTreeSet<Locked> = all.iter().map(Ready::locked).collect();
                lock.retain(|old| !names.iter().any(|new| (&new.name, &new.version) == (&old.name, &old.version)));
                lock.extend(names);
            })
        };
        if let Err(error) = write() {
            // Nothing is kept of what failed.
            written.iter().for_each(|path| drop(std::fs::remove_file(path)));
            return Err(error);
        }
        Ok(new)
    }

    /// Refuses another content of a version that is there. One that lies in the folder already is what is meant.
    fn same_content(&self, ready: &Ready, there: &Package) -> Result<(), PlayError> {
        let Some(path) = there.file() else { return Ok(()) };
        if archive::digest(&ArchiveWorld::open(path)?.files) == ready.digest {
            return Ok(());
        }
        let Manifest { name, version, .. } = &ready.manifest;
        let message = format!(
            "`{name}` {version} is in `{}` already, with another content: raise its version, or `cardwright remove {name}@{version}` first",
            shown(&self.folder)
        );
        Err(PlayError::Finding(message))
    }

    /// Removes a package, `NAME` or `NAME@VERSION`. Gives the files that are gone.
    ///
    /// # Errors
    /// [`PlayError::Usage`] if it is not there, [`PlayError::Io`] if it cannot be removed.
    pub fn remove(&self, name: &str) -> Result<Vec<PathBuf>, PlayError> {
        let paths = self.to_remove(name)?;
        let (name, version) = name.split_once('@').map_or((name, None), |(name, version)| (name, Some(version)));
        for path in &paths {
            std::fs::remove_file(path).map_err(|error| PlayError::io("remove", path, &error))?;
        }
        self.relock(|lock| lock.retain(|it| it.name != name || version.is_some_and(|version| version != it.version)))?;
        Ok(paths)
    }

    /// The files of a package that would be removed.
    ///
    /// # Errors
    /// [`PlayError::Usage`] if it is not there.
    pub fn to_remove(&self, name: &str) -> Result<Vec<PathBuf>, PlayError> {
        let (name, version) = name.split_once('@').map_or((name, None), |(name, version)| (name, Some(version)));
        let is_meant = |package: &Package| {
            let its = package.manifest().map(|manifest| manifest.version).unwrap_or_default();
            package.name == name && version.is_none_or(|version| version == its)
        };
        let paths: Vec<PathBuf> =
            self.packages().iter().filter(|it| is_meant(it)).filter_map(|it| it.file().map(Path::to_owned)).collect();
        let locked =
            self.read()?.iter().any(|it| it.name == name && version.is_none_or(|version| version == it.version));
        if paths.is_empty() && !locked {
            let names: BTreeSet<String> = self.packages().into_iter().map(|package| package.name).collect();
            let there = match names.is_empty() {
                true => "nothing is".to_owned(),
                false => format!("there are: {}", names.into_iter().collect::<Vec<_>>().join(", ")),
            };
            let version = version.map(|version| format!(" {version}")).unwrap_or_default();
            let message = format!("`{name}`{version} is not in `{}`; {there}", shown(&self.folder));
            return Err(PlayError::Usage(message));
        }
        Ok(paths)
    }

    /// Looks whether packages of this folder are what the lock file says.
    ///
    /// # Errors
    /// [`PlayError::Finding`] if not, or if another version of one of them is gone.
    pub fn verify(&self, packages: &[&Package]) -> Result<(), PlayError> {
        let Some(path) = self.lock.as_ref() else { return Ok(()) };
        let folder = self.folder.canonicalize().unwrap_or_default();
        // A link in the folder counts as what it says it is, wherever it leads.
        let is_own =
            |file: &Path| file.parent().is_some_and(|home| home.canonicalize().is_ok_and(|home| home == folder));
        let lock = self.read()?;
        for package in packages {
            let Some(file) = package.file().filter(|file| is_own(file)) else { continue };
            let version = package.manifest().map(|manifest| manifest.version).unwrap_or_default();
            let locked = lock.iter().find(|it| it.name == package.name && it.version == version);
            let digest = archive::digest(&ArchiveWorld::open(file)?.files);
            let (file, path) = (shown(&file), shown(path));
            let message = match locked {
                Some(locked) if locked.digest == digest => continue,
                Some(locked) => format!(
                    "`{file}` is not what `{path}` says: its content has the digest {digest}, and not {}; put the right file back, \
                     or if the new one is meant, `cardwright add {file}`",
                    locked.digest
                ),
                None => format!("`{file}` is not in `{path}`; if it is meant, `cardwright add {file}`"),
            };
            return Err(PlayError::Finding(message));
        }
        packages
            .iter()
            .filter(|package| package.path().is_none())
            .try_for_each(|package| self.not_missing(&package.name))
    }

    /// Refuses a name of which something is in the lock file and not in the folder.
    ///
    /// # Errors
    /// [`PlayError::Finding`] if it is so.
    pub fn not_missing(&self, name: &str) -> Result<(), PlayError> {
        let Some(path) = self.lock.as_ref() else { return Ok(()) };
        let there: BTreeSet<Option<String>> = self
            .packages()
            .iter()
            .filter(|package| package.name == name)
            .map(|package| package.manifest().map(|manifest| manifest.version))
            .collect();
        let locked = self.read()?;
        let mut own = locked.iter().filter(|it| it.name == name);
        match own.find(|it| !there.contains(&Some(it.version.clone()))) {
            Some(Locked { name, version, .. }) => Err(PlayError::Finding(format!(
                "`{}` has `{name}` {version}, which is not in `{}`: `cardwright add` it, or `cardwright remove {name}@{version}`",
                shown(path),
                shown(&self.folder)
            ))),
            None => Ok(()),
        }
    }

    /// What the lock file says.
    fn read(&self) -> Result<Vec<Locked>, PlayError> {
        let Some(path) = self.lock.as_ref().filter(|path| path.exists()) else { return Ok(Vec::new()) };
        let packages = shown(&self.folder);
        let wrong = |why: String| {
            PlayError::Finding(format!(
                "`{}` cannot be read: {why}\nhelp: take back the file that was there before; or delete it, and `cardwright add --here \
                 {packages}/*.{}` locks what lies in `{packages}`",
                shown(path),
                archive::ENDING
            ))
        };
        parse(&String::from_utf8_lossy(&files::read(path, MAX_FILE)?)).map_err(wrong)
    }

    /// Writes the lock file anew, if there is to be one.
    fn relock(&self, change: impl FnOnce(&mut Vec<Locked>)) -> Result<(), PlayError> {
        let Some(path) = self.lock.as_ref() else { return Ok(()) };
        let mut packages = self.read()?;
        change(&mut packages);
        packages.sort();
        let mut text = format!("{HEAD}version = {FORMAT}\n");
        for Locked { name, version, digest } in packages {
            // They have no quotes: names are letters, versions and digests numbers.
            text += &format!("\n[[package]]\nname = \"{name}\"\nversion = \"{version}\"\ndigest = \"{digest}\"\n");
        }
        packing::write_whole(path, text.as_bytes())
    }
}

/// What stands in a lock file.
///
/// # Errors
/// In words, with the line.
fn parse(text: &str) -> Result<Vec<Locked>, String> {
    let line_of = |at: usize| text.get(..at).unwrap_or_default().matches('\n').count() + 1;
    let marked = |line: &&str| ["<<<<<<<", "|||||||", "=======", ">>>>>>>"].iter().any(|mark| line.starts_with(mark));
    if let Some((number, line)) = (1..).zip(text.lines()).find(|(_, line)| marked(line)) {
        let mark = line.get(..7).unwrap_or_default();
        return Err(format!("line {number}: `{mark}` is left from a merge, and both sides are still in the file"));
    }
    let wrong = |error: toml::de::Error| {
        let message = error.message().lines().next().unwrap_or_default().replace("field", "key");
        format!("line {}: {message}", error.span().map_or(1, |span| line_of(span.start)))
    };
    let table: toml::Table = text.parse().map_err(wrong)?;
    match table.get("version").and_then(toml::Value::as_integer) {
        Some(FORMAT) => {}
        Some(other) => return Err(format!("it is of version {other}, and this program reads {FORMAT}")),
        None => return Err("it has no version".to_owned()),
    }
    let lock: Lock = toml::from_str(text).map_err(wrong)?;
    let plain = |text: &str| {
        !text.is_empty() && text.chars().all(|letter| letter.is_ascii_alphanumeric() || "-.".contains(letter))
    };
    let mut seen = BTreeSet::new();
    for package in &lock.package {
        let (at, it) = (line_of(package.span().start), package.get_ref());
        if let Some(odd) = [&it.name, &it.version, &it.digest].into_iter().find(|text| !plain(text)) {
            return Err(format!("line {at}: `{}` is no name, version or digest", visible(odd)));
        }
        if !seen.insert((&it.name, &it.version)) {
            return Err(format!("line {at}: `{}` {} is in it twice", it.name, it.version));
        }
    }
    Ok(lock.package.into_iter().map(toml::Spanned::into_inner).collect())
}

/// Refuses a package that has the name of another one and is no other version of it.
fn fits_beside(new: &Manifest, there: &Manifest) -> Result<(), PlayError> {
    let games = |it: &Manifest| it.extends.iter().map(|game| game.name.clone()).collect::<BTreeSet<_>>();
    let what = |it: &Manifest| match it.expansion {
        true => format!("an expansion of {}", games(it).into_iter().collect::<Vec<_>>().join(" and ")),
        false => "a game".to_owned(),
    };
    if new.expansion == there.expansion && (!new.expansion || !games(new).is_disjoint(&games(there))) {
        return Ok(());
    }
    let Manifest { name, .. } = new;
    let message = format!(
        "another package is named `{name}` already: {}, and this one is {}; remove that one first",
        what(there),
        what(new)
    );
    Err(PlayError::Finding(message))
}
