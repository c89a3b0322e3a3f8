//! All that a package records: the snapshots of its scenarios and its recorded games. What differs, is new or belongs to
//! nothing any more is put together by its reason, for `review.rs`.

use super::review::{Entry, Group, Sort};
use super::{Context, recorded, snapshots};
use crate::base::shown;
use crate::play::changed::{Changed, Source, alike};
use crate::play::scenario::Verdict;
use crate::play::snapshot::{Compared, Snapshot};
use crate::play::{Game, Package, PlayError};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Lines of a new snapshot that are shown.
const MOST_SHOWN: usize = 40;

/// What there is to decide about, and what there was.
#[derive(Default)]
pub struct Records {
    changed: Vec<Changed>,
    new: Vec<(Snapshot, String)>,
    orphans: Vec<PathBuf>,
    /// Snapshots that are not compared.
    pub unread: usize,
    /// Titles whose snapshots would be one file.
    pub sharing: Vec<String>,
    /// The recorded games.
    pub games: usize,
}

impl Records {
    /// Compares those whose names are wanted, of scenarios that were run; and, if `all` are, looks for files of no scenario.
    ///
    /// # Errors
    /// If a file cannot be read or written, or a game cannot be played.
    pub fn compare(
        context: &Context,
        (package, game): (&Package, &Arc<Game>),
        verdicts: &[Verdict],
        named: impl Fn(&str) -> bool,
        all: bool,
    ) -> Result<Records, PlayError> {
        let mut records = Records::default();
        let folder = snapshots::folder(package, game);
        let sharing = snapshots::sharing(game);
        for verdict in verdicts {
            let Some(text) = &verdict.playthrough else { continue };
            if folder.is_none() {
                records.unread += 1;
            } else if let Some(other) = sharing.get(verdict.title.as_str()) {
                let title = &verdict.title;
                let told =
                    format!("FAILED  {title}\n  its snapshot would be the file of \"{other}\"; rename one of them\n");
                context.console.data(&told)?;
                records.sharing.push(title.clone());
            } else {
                records.read(Snapshot::of(Path::new(&verdict.file), game.tested(), &verdict.title), text)?;
            }
        }
        if let Some(folder) = folder.filter(|_| all) {
            records.orphans = snapshots::orphans(folder, game)?;
        }
        let (changed, games) = recorded::changed(package, game, named)?;
        records.changed.extend(changed);
        records.games = games;
        Ok(records)
    }

    fn read(&mut self, snapshot: Snapshot, text: &str) -> Result<(), PlayError> {
        match snapshot.compare(text)? {
            Compared::Same => {}
            Compared::New => self.new.push((snapshot, text.to_owned())),
            Compared::Changed { old } => {
                self.changed.push(Changed { source: Source::Snapshot(snapshot), texts: [old, text.to_owned()] });
            }
        }
        Ok(())
    }

    /// What is to be decided, by its reasons.
    pub fn groups<'a>(&'a self, game: &'a Arc<Game>) -> Vec<Group<'a>> {
        let mut groups: Vec<Group> = alike(game, &self.changed)
            .into_iter()
            .map(|found| {
                let entries =
                    found.members.into_iter().filter_map(|(at, told)| Some(entry(game, self.changed.get(at)?, &told)));
                Group { reason: found.reason, entries: entries.collect() }
            })
            .collect();
        let new = self.new.iter().map(|(snapshot, text)| Entry {
            sort: Sort::Scenario,
            title: snapshot.title.clone(),
            path: snapshot.path.clone(),
            told: format!("  it has no snapshot yet, `{}`\n{}", shown(&snapshot.path), beginning(text)),
            act: Box::new(move || snapshot.accept(text)),
        });
        groups.push(Group {
            reason: "a scenario records its playthrough for the first time".to_owned(),
            entries: new.collect(),
        });
        let orphans = self.orphans.iter().map(|path| Entry {
            sort: Sort::Orphan,
            title: format!("no scenario records the snapshot `{}`", shown(path)),
            path: path.clone(),
            told: "  taking this removes the file\n".to_owned(),
            act: Box::new(move || std::fs::remove_file(path).map_err(|error| PlayError::io("remove", path, &error))),
        });
        groups.push(Group {
            reason: "its scenario has another title, or records nothing any more".to_owned(),
            entries: orphans.collect(),
        });
        groups.retain(|group| !group.entries.is_empty());
        groups
    }

    /// Leaves no text waiting.
    ///
    /// # Errors
    /// If a file cannot be removed.
    pub fn refuse(&self) -> Result<(), PlayError> {
        let changed = self.changed.iter().filter_map(|changed| match &changed.source {
            Source::Snapshot(snapshot) => Some(snapshot),
            Source::Game(_) => None,
        });
        self.new.iter().map(|(snapshot, _)| snapshot).chain(changed).try_for_each(Snapshot::refuse)
    }
}

fn entry<'a>(game: &'a Arc<Game>, changed: &'a Changed, told: &str) -> Entry<'a> {
    let (title, path, text) = (changed.title(), changed.path().to_owned(), &changed.texts[1]);
    let place = shown(&path);
    match &changed.source {
        Source::Snapshot(snapshot) => {
            let told = format!("  the playthrough differs from its snapshot, `{place}`\n{told}");
            Entry { sort: Sort::Scenario, title, path, told, act: Box::new(move || snapshot.accept(text)) }
        }
        Source::Game(recorded) => {
            let told = format!("  is played otherwise, `{place}`\n{told}");
            Entry { sort: Sort::Game, title, path, told, act: Box::new(move || recorded::take(game, recorded)) }
        }
    }
}

fn beginning(text: &str) -> String {
    let lines = text.trim_end().lines().count();
    let mut shown: String = text.lines().take(MOST_SHOWN).map(|line| format!("  + {line}\n")).collect();
    if lines > MOST_SHOWN {
        shown.push_str(&format!("  ... and {} more lines\n", lines - MOST_SHOWN));
    }
    shown
}
