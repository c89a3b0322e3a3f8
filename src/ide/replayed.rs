//! Whether scenarios still pass when texts have changed.

use super::workspace::Workspace;
use crate::play::scenario::run_watched;
use crate::play::{Game, Options, PlayError, Progress, Unsaved};
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::Arc;

/// Runs the scenarios of the packages of some files after a change, and before it where one fails.
///
/// # Errors
/// In words, which one passes no more.
pub fn still_pass(workspace: &Workspace, files: BTreeSet<PathBuf>, changed: &Unsaved) -> Result<(), String> {
    let own = |package: &&crate::play::Package| {
        // With an expansion the scenarios of the game may say something else.
        let last = package.expansions().last().unwrap_or(package);
        last.path().is_some_and(|folder| files.iter().any(|file| file.starts_with(super::workspace::full(folder))))
    };
    let mut seen = BTreeSet::new();
    for file in &files {
        for package in workspace.subjects(file).map(super::Subject::package).filter(own) {
            if !seen.insert(package.full_name()) {
                continue;
            }
            let run =
                |texts: &Unsaved, titles: Option<&BTreeSet<String>>| -> Result<BTreeMap<String, String>, PlayError> {
                    let game = Arc::new(Game::load(&package.clone().edited(texts), &Options::new(), None)?);
                    let wanted = |title: &str| titles.is_none_or(|titles| titles.contains(title));
                    let verdicts = run_watched(&game, wanted, &Progress::default())?;
                    Ok(verdicts.into_iter().filter_map(|one| Some((one.title, one.failure?.message))).collect())
                };
            let Ok(after) = run(changed, None) else { continue };
            if after.is_empty() {
                continue;
            }
            let titles = after.keys().cloned().collect();
            let Ok(before) = run(workspace.unsaved(), Some(&titles)) else { continue };
            if let Some((title, message)) = after.iter().find(|(title, _)| !before.contains_key(*title)) {
                return Err(format!("the scenario \"{title}\" would fail: {message}"));
            }
        }
    }
    Ok(())
}
