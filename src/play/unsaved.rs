//! Texts that somebody is editing and has not saved: a package is read with them in the place of its files.

use crate::base::{World, WorldError};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Unsaved texts by the full paths of their files, without links.
pub type Unsaved = Arc<BTreeMap<PathBuf, String>>;

/// A package in which unsaved texts stand for files, or one that is found beside it.
pub(super) struct UnsavedWorld<W: World + ?Sized> {
    pub inner: Box<W>,
    pub texts: Unsaved,
}

impl<W: World + ?Sized> World for UnsavedWorld<W> {
    fn read(&self, path: &str) -> Result<String, WorldError> {
        match self.texts.get(Path::new(&self.inner.display(path))) {
            Some(text) => Ok(text.clone()),
            None => self.inner.read(path),
        }
    }

    fn bytes(&self, path: &str) -> Result<Vec<u8>, WorldError> {
        match self.texts.get(Path::new(&self.inner.display(path))) {
            Some(text) => Ok(text.clone().into_bytes()),
            None => self.inner.bytes(path),
        }
    }

    /// The files of a package, and those of its folder that were never saved.
    fn list(&self) -> Result<Vec<String>, WorldError> {
        let mut files = self.inner.list()?;
        let folder = self.inner.display("");
        for path in self.texts.keys().filter_map(|path| path.strip_prefix(&folder).ok()?.to_str()) {
            let path = path.replace(std::path::MAIN_SEPARATOR, "/");
            if !path.is_empty() && !path.split('/').any(|part| part.starts_with('.')) && !files.contains(&path) {
                files.push(path);
            }
        }
        files.sort();
        Ok(files)
    }

    fn display(&self, path: &str) -> String {
        self.inner.display(path)
    }

    fn neighbour(&self, name: &str) -> Option<Box<dyn World + '_>> {
        let inner = self.inner.neighbour(name)?;
        Some(Box::new(UnsavedWorld { inner, texts: Arc::clone(&self.texts) }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::MemoryWorld;

    #[test]
    fn unsaved_texts_stand_for_files_and_are_listed() {
        let beside = MemoryWorld { prefix: "/games/b/".to_owned(), ..MemoryWorld::new([("a.rules", "three")]) };
        let mut inner = MemoryWorld { prefix: "/games/a/".to_owned(), ..MemoryWorld::new([("a.rules", "one")]) };
        inner.neighbours.insert("b".to_owned(), beside);
        let texts = [("/games/a/a.rules", "two"), ("/games/a/new.cards", "four"), ("/games/b/a.rules", "five")];
        let texts = texts.into_iter().map(|(path, text)| (PathBuf::from(path), text.to_owned())).collect();
        let world = UnsavedWorld { inner: Box::new(inner), texts: Arc::new(texts) };
        assert_eq!(world.read("a.rules").unwrap(), "two");
        assert_eq!(world.read("new.cards").unwrap(), "four");
        assert_eq!(world.list().unwrap(), ["a.rules", "new.cards"]);
        assert_eq!(world.neighbour("b").unwrap().read("a.rules").unwrap(), "five");
    }
}
