//! Texts that somebody is editing and has not saved: a package is read with them in the place of its files.

use crate::base::{World, WorldError};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Unsaved texts by the full paths of their files, without links.
pub type Unsaved = Arc<BTreeMap<PathBuf, String>>;

/// A package in which unsaved texts stand for files.
pub(super) struct UnsavedWorld<'a> {
    pub inner: Box<dyn World + Sync + 'a>,
    pub texts: Unsaved,
}

/// The same for one that is found beside another.
struct Neighbour<'a> {
    inner: Box<dyn World + 'a>,
    texts: Unsaved,
}

fn read(inner: &dyn World, texts: &Unsaved, path: &str) -> Result<String, WorldError> {
    match texts.get(Path::new(&inner.display(path))) {
        Some(text) => Ok(text.clone()),
        None => inner.read(path),
    }
}

/// The files of a package, and those of its folder that were never saved.
fn list(inner: &dyn World, texts: &Unsaved) -> Result<Vec<String>, WorldError> {
    let mut files = inner.list()?;
    let folder = inner.display("");
    for path in texts.keys().filter_map(|path| path.strip_prefix(&folder).ok()?.to_str()) {
        let path = path.replace(std::path::MAIN_SEPARATOR, "/");
        if !path.is_empty() && !path.split('/').any(|part| part.starts_with('.')) && !files.contains(&path) {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}

fn neighbour<'a>(inner: &'a dyn World, texts: &Unsaved, name: &str) -> Option<Box<dyn World + 'a>> {
    let inner = inner.neighbour(name)?;
    Some(Box::new(Neighbour { inner, texts: Arc::clone(texts) }))
}

impl World for UnsavedWorld<'_> {
    fn read(&self, path: &str) -> Result<String, WorldError> {
        read(self.inner.as_ref(), &self.texts, path)
    }

    fn list(&self) -> Result<Vec<String>, WorldError> {
        list(self.inner.as_ref(), &self.texts)
    }

    fn display(&self, path: &str) -> String {
        self.inner.display(path)
    }

    fn neighbour(&self, name: &str) -> Option<Box<dyn World + '_>> {
        neighbour(self.inner.as_ref(), &self.texts, name)
    }
}

impl World for Neighbour<'_> {
    fn read(&self, path: &str) -> Result<String, WorldError> {
        read(self.inner.as_ref(), &self.texts, path)
    }

    fn list(&self) -> Result<Vec<String>, WorldError> {
        list(self.inner.as_ref(), &self.texts)
    }

    fn display(&self, path: &str) -> String {
        self.inner.display(path)
    }

    fn neighbour(&self, name: &str) -> Option<Box<dyn World + '_>> {
        neighbour(self.inner.as_ref(), &self.texts, name)
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
