//! The `World`: how the core reads files without doing any input or output of its own.

use super::Code;
use std::collections::BTreeMap;

/// Why a file could not be read.
#[derive(Debug, thiserror::Error)]
pub enum WorldError {
    /// There is no such file.
    #[error("there is no file `{0}`")]
    Missing(String),
    /// The path leaves the package, or the file is too large, no UTF-8 text, or unreadable.
    #[error("{0}")]
    Refused(String),
    /// Some of its bytes are no UTF-8 text.
    #[error("`{path}` is not UTF-8 text")]
    NotText {
        /// The file.
        path: String,
        /// What it says, with the replacement character where it says nothing.
        text: String,
    },
    /// The file or the package is larger than it may be.
    #[error("{1}")]
    TooLarge(Code, String),
}

impl WorldError {
    /// Of a file that has these bytes.
    pub fn not_text(path: &str, bytes: &[u8]) -> WorldError {
        WorldError::NotText { path: path.to_owned(), text: String::from_utf8_lossy(bytes).into_owned() }
    }

    /// The code of its finding.
    pub fn code(&self) -> Code {
        match self {
            WorldError::Missing(_) | WorldError::Refused(_) | WorldError::NotText { .. } => Code::MissingFile,
            WorldError::TooLarge(code, _) => *code,
        }
    }
}

/// A package folder. Paths use `/` and are relative to the folder.
pub trait World {
    /// The text of a file.
    ///
    /// # Errors
    /// [`WorldError`] if it is missing, outside the package, too large or not UTF-8.
    fn read(&self, path: &str) -> Result<String, WorldError>;

    /// The bytes of a file, which need not be a text.
    ///
    /// # Errors
    /// [`WorldError`] if it is missing, outside the package or too large.
    fn bytes(&self, path: &str) -> Result<Vec<u8>, WorldError> {
        self.read(path).map(String::into_bytes)
    }

    /// All files in the folder and its subfolders, sorted by path.
    ///
    /// # Errors
    /// [`WorldError`] if the folder cannot be listed.
    fn list(&self) -> Result<Vec<String>, WorldError>;

    /// How the path of a file is shown to people.
    fn display(&self, path: &str) -> String {
        path.to_owned()
    }

    /// Another package, found where packages are looked for; none if there is none of this name.
    fn neighbour(&self, _name: &str) -> Option<Box<dyn World + '_>> {
        None
    }
}

/// A package held in memory, for tests and embedded content.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MemoryWorld {
    /// Texts by path.
    pub files: BTreeMap<String, String>,
    /// Put before every path when it is shown.
    pub prefix: String,
    /// Other packages by name.
    pub neighbours: BTreeMap<String, MemoryWorld>,
}

impl MemoryWorld {
    /// A package of these files.
    pub fn new<'a>(files: impl IntoIterator<Item = (&'a str, &'a str)>) -> Self {
        let files = files.into_iter().map(|(path, text)| (path.to_owned(), text.to_owned())).collect();
        MemoryWorld { files, ..MemoryWorld::default() }
    }
}

impl World for MemoryWorld {
    fn read(&self, path: &str) -> Result<String, WorldError> {
        self.files.get(path).cloned().ok_or_else(|| WorldError::Missing(path.to_owned()))
    }

    fn list(&self) -> Result<Vec<String>, WorldError> {
        Ok(self.files.keys().cloned().collect())
    }

    fn display(&self, path: &str) -> String {
        format!("{}{path}", self.prefix)
    }

    fn neighbour(&self, name: &str) -> Option<Box<dyn World + '_>> {
        let mut other = self.neighbours.get(name)?.clone();
        // A neighbour sees the same packages; names that lead back are cut where they are followed.
        other.neighbours.extend(self.neighbours.clone());
        Some(Box::new(other))
    }
}
