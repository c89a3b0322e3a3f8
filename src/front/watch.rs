//! Noticing that content files were edited.

use crate::play::PlayError;
use std::path::Path;

/// Watches folders. What it gives tells, each time it is called, whether something has changed since the last.
///
/// # Errors
/// [`PlayError::Io`] if one cannot be watched.
#[cfg(feature = "terminal")]
pub fn watch(folders: &[&Path]) -> Result<Box<dyn FnMut() -> bool>, PlayError> {
    use notify_debouncer_mini::notify::RecursiveMode;
    use notify_debouncer_mini::{DebouncedEvent, new_debouncer};
    use std::time::Duration;

    let failed =
        |error: notify_debouncer_mini::notify::Error| PlayError::Io(format!("cannot watch the content: {error}"));
    let (sender, receiver) = std::sync::mpsc::channel();
    let mut debouncer = new_debouncer(Duration::from_millis(200), sender).map_err(failed)?;
    for folder in folders {
        debouncer.watcher().watch(folder, RecursiveMode::Recursive).map_err(failed)?;
    }
    let content = |event: &DebouncedEvent| {
        let ending = event.path.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
        ["toml", "rules", "cards", "csv", "scenario", "rhai"].contains(&ending)
    };
    Ok(Box::new(move || {
        // The debouncer lives as long as this function does.
        let _alive = &debouncer;
        receiver.try_iter().flatten().any(|events| events.iter().any(content))
    }))
}

/// Without the feature `terminal` nothing can be watched.
///
/// # Errors
/// Always.
#[cfg(not(feature = "terminal"))]
pub fn watch(_folders: &[&Path]) -> Result<Box<dyn FnMut() -> bool>, PlayError> {
    Err(PlayError::Usage("this program was built without `--watch`".to_owned()))
}
