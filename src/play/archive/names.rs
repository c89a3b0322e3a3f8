//! Which names files of a package may have, so that it is the same package on every system.

use crate::base::{limits, unfit};
use std::collections::BTreeSet;

/// Names that mean devices where Windows runs, whatever stands behind a dot.
const DEVICES: &[&str] = &["con", "prn", "aux", "nul"];
/// Bytes of a path.
const MOST_BYTES: usize = limits::ARCHIVE_PATH;

/// Why a path cannot be that of a file in a package; nothing if it can.
pub fn refused(path: &str) -> Option<String> {
    if path.is_empty() {
        return Some("has no name".to_owned());
    }
    if path.len() > MOST_BYTES {
        return Some(format!("has a path of more than {MOST_BYTES} bytes"));
    }
    if path.starts_with('/') {
        return Some("has an absolute path".to_owned());
    }
    if path.split('/').count() > limits::FOLDERS {
        return Some(format!("lies more than {} folders deep", limits::FOLDERS));
    }
    path.split('/').find_map(part_refused)
}

fn part_refused(part: &str) -> Option<String> {
    const FORBIDDEN: &[char] = &['\\', ':', '<', '>', '"', '|', '?', '*'];
    if part == ".." {
        return Some("leaves the package".to_owned());
    }
    if part.is_empty() || part == "." {
        return Some("has a path with an empty part".to_owned());
    }
    if part.starts_with('.') {
        return Some("is hidden, and hidden files are no part of a package".to_owned());
    }
    if let Some(letter) = part.chars().find(|letter| FORBIDDEN.contains(letter)) {
        return Some(format!("has `{letter}` in its name, which not every system allows"));
    }
    if part.ends_with([' ', '.']) {
        return Some("has a name that ends in a space or a full stop, which not every system allows".to_owned());
    }
    if let Some(why) = unfit(part) {
        return Some(format!("has a name that cannot be shown: {why}"));
    }
    let stem = part.split('.').next().unwrap_or(part).trim_end().to_ascii_lowercase();
    let port = stem.strip_prefix("com").or_else(|| stem.strip_prefix("lpt"));
    let port = port.is_some_and(|port| {
        matches!(port, "0" | "1" | "2" | "3" | "4" | "5" | "6" | "7" | "8" | "9" | "¹" | "²" | "³")
    });
    if port || DEVICES.contains(&stem.as_str()) {
        return Some("has the name of a device of Windows".to_owned());
    }
    None
}

/// The names that are taken already, read as systems do that do not tell capitals from small letters.
#[derive(Default)]
pub struct Taken {
    files: BTreeSet<String>,
    folders: BTreeSet<String>,
}

impl Taken {
    /// Takes a name. Says why it cannot be taken.
    pub fn take(&mut self, path: &str) -> Option<String> {
        let path = path.to_lowercase();
        if self.files.contains(&path) {
            return Some("is there twice, or differs from another only by capitals".to_owned());
        }
        let mut above = path.as_str();
        let mut is_folder = self.folders.contains(&path);
        while let Some((folder, _)) = above.rsplit_once('/') {
            is_folder |= self.files.contains(folder);
            self.folders.insert(folder.to_owned());
            above = folder;
        }
        self.files.insert(path);
        is_folder.then(|| "is a file and a folder, too".to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_some_system_reads_otherwise_are_refused() {
        for path in
            ["a.rules", "cards/Tools of old.cards", "über/größe.rules", "con1/auxiliary.rules", "art/{name}.svg"]
        {
            assert_eq!(refused(path), None, "{path}");
        }
        for (path, why) in [
            ("", "no name"),
            ("/etc/passwd", "absolute"),
            ("../a", "leaves"),
            ("a/../b", "leaves"),
            ("a//b", "empty part"),
            ("a/", "empty part"),
            ("./a", "empty part"),
            (".git/config", "hidden"),
            ("a/.b", "hidden"),
            ("a\\b", "`\\`"),
            ("C:/a", "`:`"),
            ("a?", "`?`"),
            ("a.", "full stop"),
            ("a /b", "space"),
            ("NUL", "device"),
            ("cards/aux.cards", "device"),
            ("Com1.tar.gz", "device"),
            ("a\u{202e}b", "cannot be shown"),
            ("a\nb", "cannot be shown"),
        ] {
            let found = refused(path).unwrap_or_default();
            assert!(found.contains(why), "{path:?}: {found}");
        }
        assert!(refused(&"a".repeat(MOST_BYTES + 1)).is_some());
        assert!(refused(&"a/".repeat(limits::FOLDERS + 1)).is_some());
    }

    #[test]
    fn capitals_make_no_other_file() {
        let mut taken = Taken::default();
        assert_eq!([taken.take("Cards/a.cards"), taken.take("cards/b.cards"), taken.take("rules")], [None, None, None]);
        for path in ["cards/A.cards", "cards", "RULES/x", "Cards/b.cards/c"] {
            assert!(taken.take(path).is_some(), "{path}");
        }
    }
}
