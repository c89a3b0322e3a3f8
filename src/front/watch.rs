//! `cardwright watch`

use super::check::{packages, watched};
use super::console::rows;
use super::saved::Saved;
use super::{Context, Outcome};
use crate::base::{Diagnostics, render_text};
use crate::play::{Package, PlayError, Retests};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Checks games and runs their scenarios whenever a file is saved, and shows both.
///
/// It runs the scenarios that the edit can touch: after an edit of a scenario that one, after an edit of rules, cards, tables,
/// scripts or manifests all, those first that failed or name what was edited. Snapshots, recorded games and random games are the
/// business of `test`.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  cardwright watch                      the game in this folder
  cardwright watch ./lairs
  cardwright watch ./lairs --with ./more-lairs
  cardwright watch ./games              all packages in this folder

`play --watch` goes on with a game beside it, and shows the same on the key T.")]
pub struct Args {
    /// Paths of games or expansions, or of a folder with several.
    #[arg(value_name = "PATH")]
    games: Vec<String>,
    /// Adds expansions, by name or path; several are separated by commas.
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    with: Vec<String>,
}

/// After so long what there is until then is shown.
const PATIENCE: Duration = Duration::from_millis(120);

/// Runs the subcommand.
///
/// # Errors
/// If a game is not found or cannot be watched.
pub fn run(context: &Context, args: Args) -> Outcome {
    let packages = packages(context, &args.games, &args.with)?;
    let saved = watched(&packages)?;
    let mut watch = Watch { context, tests: packages.into_iter().map(Retests::new).collect(), shown: Instant::now() };
    let mut files: Option<Vec<PathBuf>> = None;
    loop {
        files = match (watch.round(&saved, files.as_deref())?, files) {
            (None, _) => Some(saved.wait()),
            (Some(more), Some(files)) => Some(saved.settled([files, more].concat())),
            // All have yet to be looked at.
            (Some(more), None) => {
                saved.settled(more);
                None
            }
        };
    }
}

struct Watch<'a> {
    context: &'a Context,
    tests: Vec<Retests>,
    /// When something was last shown.
    shown: Instant,
}

impl Watch<'_> {
    /// Checks and tests what some files belong to; all, if none are given. Gives what was saved meanwhile, if something was: then
    /// it has stopped.
    fn round(&mut self, saved: &Saved, files: Option<&[PathBuf]>) -> Result<Option<Vec<PathBuf>>, PlayError> {
        let begun = Instant::now();
        // From when a file was saved to when it was heard of
        let before =
            files.unwrap_or_default().iter().filter_map(|file| file.metadata().ok()?.modified().ok()?.elapsed().ok());
        let before = before.min().filter(|before| *before < Duration::from_secs(2)).unwrap_or_default();
        let took = || before + begun.elapsed();
        self.shown = begun;
        for index in 0..self.tests.len() {
            let Some(test) = self.tests.get_mut(index) else { continue };
            if files.is_some_and(|files| !files.iter().any(|file| has(test.package(), file))) {
                continue;
            }
            test.look()?;
            while let Some(true) = self.tests.get_mut(index).map(Retests::run_next).transpose()? {
                let more = saved.files();
                if !more.is_empty() {
                    return Ok(Some(more));
                }
                if self.shown.elapsed() > PATIENCE {
                    self.show(took(), files.is_some())?;
                }
            }
        }
        self.show(took(), files.is_some())?;
        Ok(None)
    }

    fn show(&mut self, took: Duration, files: bool) -> Outcome {
        let color = self.context.console.color;
        let mut text = String::new();
        for test in &self.tests {
            text.push_str(&format!("{}: {}\n", test.package().full_name(), test.summary()));
        }
        text.push_str(&format!("{} ms{}\n", took.as_millis(), if files { " after the save" } else { "" }));
        for test in &self.tests {
            let (errors, warnings): (Diagnostics, Diagnostics) =
                test.diagnostics.iter().cloned().partition(|found| found.is_error());
            text.push_str(&rendered(&errors, test, color));
            for verdict in test.failed().filter(|_| test.is_sound()) {
                let report = verdict.failure.as_ref().map(|failure| failure.report()).unwrap_or_default();
                text.push_str(&format!("FAILED  {}\n{report}", verdict.title));
            }
            text.push_str(&rendered(&warnings, test, color));
        }
        self.shown = Instant::now();
        self.context.console.screen(&cut(&text, rows()))
    }
}

fn rendered(found: &Diagnostics, test: &Retests, color: bool) -> String {
    if found.is_empty() { String::new() } else { render_text(found, &test.sources, color) + "\n" }
}

/// As much of a text as the screen has room for.
fn cut(text: &str, rows: Option<usize>) -> String {
    let lines = text.lines().count();
    let Some(room) = rows.map(|rows| rows.saturating_sub(2).max(2)).filter(|room| lines > *room) else {
        return text.to_owned();
    };
    let kept: String = text.lines().take(room).map(|line| format!("{line}\n")).collect();
    format!("{kept}… and {} lines more\n", lines - room)
}

/// Whether a file is one of a package or its expansions.
fn has(package: &Package, file: &Path) -> bool {
    let full = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let file = full(file);
    let inside = |package: &Package| package.path().is_some_and(|folder| file.starts_with(full(folder)));
    inside(package) || package.expansions().iter().any(inside)
}
