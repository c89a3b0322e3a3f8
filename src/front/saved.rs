//! Noticing that content files were saved.

use crate::play::PlayError;
use std::path::{Path, PathBuf};

/// Folders whose files are watched.
#[cfg(feature = "terminal")]
pub struct Saved {
    receiver: std::sync::mpsc::Receiver<notify::Result<notify::Event>>,
    /// Folders are watched as long as this lives.
    _alive: notify::RecommendedWatcher,
}

/// How long nothing more is written until files count as saved: editors write in several steps.
#[cfg(feature = "terminal")]
const QUIET: std::time::Duration = std::time::Duration::from_millis(15);

/// How long is waited for that.
#[cfg(feature = "terminal")]
const LONGEST: std::time::Duration = std::time::Duration::from_millis(100);

#[cfg(feature = "terminal")]
impl Saved {
    /// Watches folders, with all that is in them, and single files elsewhere.
    ///
    /// # Errors
    /// [`PlayError::Io`] if one cannot be watched.
    pub fn watch(places: &[&Path]) -> Result<Saved, PlayError> {
        use notify::{RecursiveMode, Watcher};

        let failed = |error: notify::Error| PlayError::Io(format!("cannot watch the content: {error}"));
        let (sender, receiver) = std::sync::mpsc::channel();
        let mut watcher = notify::recommended_watcher(sender).map_err(failed)?;
        let within = |file: &Path| {
            let full = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_owned());
            places.iter().any(|place| place.is_dir() && full(file).starts_with(full(place)))
        };
        for place in places {
            match place.parent().filter(|_| place.is_file()) {
                // A file that is written anew is another one in the same folder.
                Some(folder) if !within(place) => {
                    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
                    watcher.watch(folder, RecursiveMode::NonRecursive).map_err(failed)?;
                }
                Some(_) => {}
                None => watcher.watch(place, RecursiveMode::Recursive).map_err(failed)?,
            }
        }
        Ok(Saved { receiver, _alive: watcher })
    }

    /// The content files that were saved since this was last asked.
    pub fn files(&self) -> Vec<PathBuf> {
        self.receiver.try_iter().flat_map(contents).collect()
    }

    /// Waits until content files are saved.
    pub fn wait(&self) -> Vec<PathBuf> {
        let mut found = Vec::new();
        while found.is_empty() {
            let Ok(event) = self.receiver.recv() else { break };
            found.extend(contents(event));
        }
        self.settled(found)
    }

    /// These files and those that are saved along with them.
    pub fn settled(&self, mut files: Vec<PathBuf>) -> Vec<PathBuf> {
        let until = std::time::Instant::now() + LONGEST;
        while std::time::Instant::now() < until
            && let Ok(event) = self.receiver.recv_timeout(QUIET)
        {
            files.extend(contents(event));
        }
        files.sort();
        files.dedup();
        files
    }
}

/// The content files that an event changes. That one is read, as the checker does itself, is no change.
#[cfg(feature = "terminal")]
fn contents(event: notify::Result<notify::Event>) -> Vec<PathBuf> {
    use notify::event::{AccessKind, AccessMode, EventKind, ModifyKind};

    let content = |path: &PathBuf| {
        let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
        ["toml", "rules", "cards", "csv", "scenario", "rhai"].contains(&ending)
    };
    let Ok(event) = event else { return Vec::new() };
    match event.kind {
        EventKind::Access(AccessKind::Close(AccessMode::Write)) => {}
        EventKind::Access(_) | EventKind::Modify(ModifyKind::Metadata(_)) => return Vec::new(),
        _ => {}
    }
    event.paths.into_iter().filter(content).collect()
}

/// Without the feature `terminal` nothing can be watched.
#[cfg(not(feature = "terminal"))]
pub enum Saved {}

#[cfg(not(feature = "terminal"))]
impl Saved {
    /// Watches nothing.
    ///
    /// # Errors
    /// Always.
    pub fn watch(_places: &[&Path]) -> Result<Saved, PlayError> {
        Err(PlayError::Usage("this program was built without watching".to_owned()))
    }

    /// The content files that were saved since this was last asked.
    pub fn files(&self) -> Vec<PathBuf> {
        match *self {}
    }

    /// Waits until content files are saved.
    pub fn wait(&self) -> Vec<PathBuf> {
        match *self {}
    }

    /// These files and those that are saved along with them.
    pub fn settled(&self, _files: Vec<PathBuf>) -> Vec<PathBuf> {
        match *self {}
    }
}
