//! Snapshot files beside scenarios: plain insta files, so that inside a Cargo workspace
//! `cargo insta review` works on them as well.

use super::error::PlayError;
use super::lines::Lines;
use std::path::{Path, PathBuf};

/// What comparing a text with its snapshot gave.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Compared {
    /// The same.
    Same,
    /// There was none; the text now waits beside it as `.snap.new`.
    New,
    /// Not the same; the new text now waits beside it as `.snap.new`.
    Changed {
        /// The old text.
        old: String,
    },
}

/// A snapshot's place and head.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Snapshot {
    /// The file.
    pub path: PathBuf,
    /// The scenario file it belongs to.
    pub source: String,
    /// The scenario's title.
    pub title: String,
}

impl Snapshot {
    /// The snapshot of a scenario: `snapshots/PACKAGE__TITLE.snap` beside the scenario file.
    pub fn of(scenario_file: &Path, package: &str, title: &str) -> Snapshot {
        let folder = scenario_file.parent().unwrap_or(Path::new("")).join("snapshots");
        let path = folder.join(format!("{package}__{}.snap", slug(title)));
        let source = scenario_file.to_string_lossy().replace('\\', "/");
        Snapshot { path, source, title: title.to_owned() }
    }

    /// Where a text that was not yet accepted waits.
    pub fn waiting(&self) -> PathBuf {
        let mut name = self.path.clone().into_os_string();
        name.push(".new");
        PathBuf::from(name)
    }

    /// Compares a text with the snapshot. Unless it is the same, it is written beside it to be reviewed.
    ///
    /// # Errors
    /// [`PlayError::Io`] if a file cannot be read or written.
    pub fn compare(&self, text: &str) -> Result<Compared, PlayError> {
        let old = match std::fs::read_to_string(&self.path) {
            Ok(old) => Some(contents(&old).to_owned()),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => None,
            Err(error) => return Err(PlayError::io("read", &self.path, &error)),
        };
        let waiting = self.waiting();
        match old {
            Some(old) if old.trim_end() == text.trim_end() => {
                if waiting.exists() {
                    std::fs::remove_file(&waiting).map_err(|error| PlayError::io("remove", &waiting, &error))?;
                }
                Ok(Compared::Same)
            }
            old => {
                self.write(&waiting, text)?;
                Ok(old.map_or(Compared::New, |old| Compared::Changed { old }))
            }
        }
    }

    /// Makes a text the snapshot.
    ///
    /// # Errors
    /// [`PlayError::Io`] if it cannot be written.
    pub fn accept(&self, text: &str) -> Result<(), PlayError> {
        self.write(&self.path, text)?;
        self.refuse()
    }

    /// Drops the text that waits.
    ///
    /// # Errors
    /// [`PlayError::Io`] if its file cannot be removed.
    pub fn refuse(&self) -> Result<(), PlayError> {
        match std::fs::remove_file(self.waiting()) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                Err(PlayError::io("remove", &self.waiting(), &error))
            }
            _ => Ok(()),
        }
    }

    fn write(&self, path: &Path, text: &str) -> Result<(), PlayError> {
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder).map_err(|error| PlayError::io("create", folder, &error))?;
        }
        let title = serde_json::to_string(&self.title).unwrap_or_default();
        let source = serde_json::to_string(&self.source).unwrap_or_default();
        let whole = format!("---\nsource: {source}\nexpression: {title}\n---\n{}\n", text.trim_end());
        std::fs::write(path, whole).map_err(|error| PlayError::io("write", path, &error))
    }
}

/// What comes after the head of a snapshot file.
fn contents(file: &str) -> &str {
    let rest = file.strip_prefix("---\n");
    rest.and_then(|rest| rest.split_once("\n---\n")).map_or(file, |(_, contents)| contents)
}

/// A title as part of a file name: letters and digits of any script in lower case, everything else as single dashes.
pub fn slug(title: &str) -> String {
    let mut slug = String::new();
    for letter in title.chars().flat_map(char::to_lowercase) {
        if letter.is_alphanumeric() {
            slug.push(letter);
        } else if !slug.is_empty() && !slug.ends_with('-') {
            slug.push('-');
        }
    }
    slug.trim_end_matches('-').chars().take(80).collect()
}

/// The lines that differ, each with `-` or `+` before it, and two lines around them.
pub fn difference(old: &str, new: &str) -> String {
    let (old, new) = (format!("{}\n", old.trim_end()), format!("{}\n", new.trim_end()));
    Lines::of(&old, &new).unified(2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slugs_are_file_names() {
        assert_eq!(slug("A lamp, lit: \"twice\"!"), "a-lamp-lit-twice");
        assert_eq!(slug("Größe: ランプ"), "größe-ランプ");
    }

    #[test]
    fn a_changed_text_waits_until_it_is_accepted() {
        let folder = tempfile::tempdir().unwrap();
        let snapshot = Snapshot::of(&folder.path().join("a.scenario"), "lanterns", "One lamp");
        assert_eq!(snapshot.compare("lit\n").unwrap(), Compared::New);
        assert!(snapshot.waiting().exists() && !snapshot.path.exists());
        snapshot.accept("lit\n").unwrap();
        assert!(!snapshot.waiting().exists());
        assert_eq!(snapshot.compare("lit").unwrap(), Compared::Same);
        assert_eq!(snapshot.compare("dark").unwrap(), Compared::Changed { old: "lit\n".to_owned() });
        snapshot.refuse().unwrap();
        assert_eq!(snapshot.compare("lit").unwrap(), Compared::Same);
    }

    #[test]
    fn differences_show_both_sides() {
        let shown = difference("a\nb\nc", "a\nx\nc");
        assert!(shown.contains("-b\n+x\n"), "{shown}");
    }
}
