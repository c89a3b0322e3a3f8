//! Whether scenarios still pass when texts have changed.

use super::workspace::Workspace;
use crate::play::scenario::run_watched;
use crate::play::{Game, Options, PlayError, Progress, Unsaved};
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Arc;

/// Runs the scenarios of these titles in the packages of some files, before and after a change.
///
/// # Errors
/// In words, which one passes no more.
pub fn still_pass(
    workspace: &Workspace,
    files: &[PathBuf],
    titles: &BTreeSet<String>,
    changed: &Unsaved,
) -> Result<(), String> {
    let own = |package: &&crate::play::Package| {
        // With an expansion the scenarios of the game may say something else.
        let last = package.expansions().last().unwrap_or(package);
        last.path().is_some_and(|folder| files.iter().any(|file| file.starts_with(super::workspace::full(folder))))
    };
    let mut seen = BTreeSet::new();
    for file in files {
        for package in workspace.subjects(file).map(super::Subject::package).filter(own) {
            if !seen.insert(package.full_name()) {
                continue;
            }
            let run = |texts: &Unsaved| -> Result<Vec<(String, Option<String>)>, PlayError> {
                let game = Arc::new(Game::load(&package.clone().edited(texts), &Options::new(), None)?);
                let verdicts = run_watched(&game, |title| titles.contains(title), &Progress::default())?;
                let told = verdicts.into_iter().map(|one| (one.title, one.failure.map(|failure| failure.message)));
                Ok(told.collect())
            };
            let (Ok(before), Ok(after)) = (run(workspace.unsaved()), run(changed)) else { continue };
            let passed = |title: &String| before.iter().any(|(other, failure)| other == title && failure.is_none());
            if let Some((title, Some(message))) = after.iter().find(|(title, failed)| failed.is_some() && passed(title))
            {
                return Err(format!("the scenario \"{title}\" would fail: {message}"));
            }
        }
    }
    Ok(())
}
