//! A package as a folder on disk.
//!
//! INVARIANT: nothing outside a package's folder is read through its world.

use super::error::PlayError;
use super::library;
use super::package::{MAX_FILE, MAX_FILES, MAX_PACKAGE};
use crate::base::{Code, World, WorldError, limits, shown};
use std::path::{Component, Path, PathBuf};

/// Deepest folder in a package.
const MAX_DEPTH: usize = limits::FOLDERS;

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

    /// Hidden files and folders, which are no part of the package.
    ///
    /// # Errors
    /// As [`World::list`].
    pub fn hidden(&self) -> Result<Vec<String>, WorldError> {
        Ok(self.found()?.hidden)
    }

    fn found(&self) -> Result<Found, WorldError> {
        let mut found = Found::default();
        self.collect(&self.root, 0, &mut found)?;
        found.paths.sort();
        found.hidden.sort();
        Ok(found)
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
                found.hidden.extend(entry.path().strip_prefix(&self.root).ok().map(|path| path.display().to_string()));
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
    /// What is no part of the package.
    hidden: Vec<String>,
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
        String::from_utf8(self.whole(path, MAX_FILE)?).map_err(|error| WorldError::not_text(path, error.as_bytes()))
    }

    fn bytes(&self, path: &str) -> Result<Vec<u8>, WorldError> {
        self.whole(path, limits::PICTURE_BYTES)
    }

    fn list(&self) -> Result<Vec<String>, WorldError> {
        Ok(self.found()?.paths)
    }

    fn display(&self, path: &str) -> String {
        self.shown.join(path).display().to_string()
    }

    /// A package in the folder beside this one, or one that is built in.
    fn neighbour(&self, name: &str) -> Option<Box<dyn World + '_>> {
        library::neighbour(self.root.parent(), name).map(|world| world as Box<dyn World>)
    }
}
