//! Packages as one file: what `cardwright pack` writes, and what is built in. Such a file comes from strangers, so it is
//! read as a stream that ends at the first thing that does not belong into a package.
//!
//! INVARIANT: no name that leaves a package, and no name that two systems read differently, comes out of an archive.

pub mod names;
mod read;
pub mod write;

pub use read::{Refused, manifest, unpack};

use super::error::PlayError;
use super::library;
use super::package::MAX_FILE;
use crate::base::{Code, World, WorldError, shown};
use std::collections::BTreeMap;
use std::fs::File;
use std::path::{Path, PathBuf};

/// How the name of a packed package ends.
pub const ENDING: &str = "cardwright";

/// The files of a package by path.
pub type Files = BTreeMap<String, Vec<u8>>;

/// Identifies the content of a package, whatever it is packed by.
pub fn digest(files: &Files) -> String {
    let mut hasher = blake3::Hasher::new();
    for (path, bytes) in files {
        for part in [path.as_bytes(), bytes] {
            hasher.update(&(part.len() as u64).to_le_bytes());
            hasher.update(part);
        }
    }
    hasher.finalize().to_hex().to_string()
}

/// The head of an archive says what its content is, so that a file that was changed on its way is noticed.
pub fn comment(digest: &str) -> String {
    format!("cardwright 1 {digest}")
}

/// An unpacked package.
pub struct ArchiveWorld {
    /// Stands before each path that is shown.
    pub shown: String,
    /// Its files.
    pub files: Files,
    /// The folder its file lies in, if it is one.
    pub folder: Option<PathBuf>,
}

impl ArchiveWorld {
    /// The package that a file holds.
    ///
    /// # Errors
    /// [`PlayError::Io`] if it cannot be read, [`PlayError::Finding`] or [`PlayError::Limit`] if it is refused.
    pub fn open(path: &Path) -> Result<ArchiveWorld, PlayError> {
        let files = unpack(file(path)?).map_err(|refused| refused.of(&shown(&path)))?;
        let folder = path.canonicalize().ok().and_then(|path| path.parent().map(Path::to_owned));
        Ok(ArchiveWorld { shown: path.display().to_string(), files, folder })
    }
}

/// The text of the manifest of a packed package.
///
/// # Errors
/// As [`ArchiveWorld::open`].
pub fn manifest_of(path: &Path) -> Result<String, PlayError> {
    manifest(file(path)?).map_err(|refused| refused.of(&shown(&path)))
}

/// A plain file: no device that never ends, and no pipe that never begins.
///
/// # Errors
/// [`PlayError::Io`] if it is none or cannot be opened.
pub fn file(path: &Path) -> Result<File, PlayError> {
    let failed = |error: std::io::Error| PlayError::io("open", path, &error);
    match std::fs::metadata(path).map_err(failed)?.is_file() {
        true => File::open(path).map_err(failed),
        false => Err(PlayError::Io(format!("`{}` is no plain file", shown(&path)))),
    }
}

impl World for ArchiveWorld {
    fn read(&self, path: &str) -> Result<String, WorldError> {
        let bytes = self.bytes(path)?;
        if bytes.len() as u64 > MAX_FILE {
            let message = format!("`{path}` is larger than {} MiB", MAX_FILE >> 20);
            return Err(WorldError::TooLarge(Code::FileTooLarge, message));
        }
        String::from_utf8(bytes).map_err(|error| WorldError::not_text(path, error.as_bytes()))
    }

    fn bytes(&self, path: &str) -> Result<Vec<u8>, WorldError> {
        self.files.get(path).cloned().ok_or_else(|| WorldError::Missing(path.to_owned()))
    }

    fn list(&self) -> Result<Vec<String>, WorldError> {
        Ok(self.files.keys().cloned().collect())
    }

    fn display(&self, path: &str) -> String {
        format!("{}/{path}", self.shown)
    }

    fn neighbour(&self, name: &str) -> Option<Box<dyn World + '_>> {
        library::neighbour(self.folder.as_deref(), name).map(|world| world as Box<dyn World>)
    }
}
