//! A package as it was in a revision of a Git repository: `HEAD~1:games/lanterns`, read through `git` into memory. Nothing
//! is checked out, and nothing is written.

use super::error::PlayError;
use super::package::{MAX_FILES, MAX_PACKAGE, Package};
use crate::base::{Code, MemoryWorld, shown};
use std::path::Path;
use std::process::Command;

/// The package that `REVISION:PATH` names; none of a name that is not written so.
///
/// # Errors
/// [`PlayError::Usage`] if Git knows no such folder or no game is in it, [`PlayError::Io`] if Git cannot be run,
/// [`PlayError::Limit`] if it is larger than a package may be.
pub fn package(name: &str) -> Result<Option<Package>, PlayError> {
    // Git would take what begins with a hyphen for an option, and `C:` is a drive of Windows.
    let written = name.split_once(':').filter(|(revision, _)| revision.len() > 1 && !revision.starts_with('-'));
    let Some((revision, path)) = written else { return Ok(None) };
    let path = path.trim_end_matches('/');
    // The folder at hand is written with its slash.
    let here = format!("{revision}:./");
    let spec = if path == "." { here.as_str() } else { name.trim_end_matches('/') };
    let folder = path.rsplit('/').next().filter(|folder| !folder.is_empty() && *folder != ".").unwrap_or("game");
    read(Path::new("."), spec, folder, spec).map(Some)
}

/// The package in a folder as it was in the last commit; none if it lies in no repository, or not yet.
pub fn last(folder: &Path) -> Option<Package> {
    let name = folder.canonicalize().ok()?.file_name()?.to_string_lossy().into_owned();
    let shown = shown(&folder);
    read(folder, "HEAD:./", &name, &format!("HEAD:{}", shown.trim_end_matches('/'))).ok()
}

/// The package of a name that Git, asked in the folder `at`, has at `spec`. Messages call it `shown`.
fn read(at: &Path, spec: &str, name: &str, shown: &str) -> Result<Package, PlayError> {
    let listed = git(at, &["ls-tree", "--full-tree", "-r", "-z", "--long", spec])?;
    let listed = String::from_utf8_lossy(&listed).into_owned();
    let files: Vec<Blob<'_>> = listed.split('\0').filter_map(Blob::read).collect();
    if !files.iter().any(|file| file.path == "game.toml") {
        return Err(PlayError::Usage(format!("there is no game in `{shown}`: it has no `game.toml`")));
    }
    if files.len() > MAX_FILES || files.iter().map(|file| file.size).sum::<u64>() > MAX_PACKAGE {
        let message = format!("`{shown}` has more than {MAX_FILES} files or {} MiB", MAX_PACKAGE >> 20);
        return Err(PlayError::Limit(Code::PackageTooLarge, message));
    }
    let mut world = MemoryWorld { prefix: format!("{shown}/"), ..MemoryWorld::default() };
    for file in files {
        // What is no text belongs to nothing that is played.
        if let Ok(text) = String::from_utf8(git(at, &["cat-file", "blob", file.id])?) {
            world.files.insert(file.path.to_owned(), text);
        }
    }
    Ok(Package::memory(name, world))
}

/// A plain file of a tree.
struct Blob<'a> {
    id: &'a str,
    size: u64,
    path: &'a str,
}

impl<'a> Blob<'a> {
    /// Reads `100644 blob ID SIZE<tab>PATH`. Links are left out, since they may lead out of the package, and so is what is
    /// hidden, as in folders.
    fn read(line: &'a str) -> Option<Blob<'a>> {
        let (about, path) = line.split_once('\t')?;
        let mut about = about.split_ascii_whitespace();
        let (mode, sort, id, size) = (about.next()?, about.next()?, about.next()?, about.next()?);
        let plain = sort == "blob" && mode.starts_with("100") && !path.split('/').any(|part| part.starts_with('.'));
        plain.then_some(Blob { id, size: size.parse().ok()?, path })
    }
}

fn git(at: &Path, args: &[&str]) -> Result<Vec<u8>, PlayError> {
    // A repository that came with a package could name programs that fetch what it lacks.
    let offline = [("GIT_NO_LAZY_FETCH", "1"), ("GIT_ALLOW_PROTOCOL", "none")];
    let run = Command::new("git").arg("-C").arg(at).args(args).envs(offline).output();
    let output = run.map_err(|error| PlayError::Io(format!("cannot run `git`: {error}")))?;
    if output.status.success() {
        return Ok(output.stdout);
    }
    let said = String::from_utf8_lossy(&output.stderr);
    let reason = said.lines().next().unwrap_or("it failed").trim_start_matches("fatal: ");
    Err(PlayError::Usage(format!("git finds no `{}`: {reason}", args.last().unwrap_or(&""))))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_names_are_no_revisions() {
        for name in ["lanterns", "./lanterns", "C:\\games", "--output=x:y", ":lanterns"] {
            assert!(package(name).unwrap().is_none(), "{name}");
        }
    }

    #[test]
    fn links_and_hidden_files_are_left_out() {
        assert_eq!(Blob::read("100644 blob 1f2e      40\trules/a.rules").unwrap().path, "rules/a.rules");
        for line in ["120000 blob 1f2e 40\ta.rules", "100644 blob 1f2e 40\t.git/a.rules", "160000 commit 1f2e -\tb", ""]
        {
            assert!(Blob::read(line).is_none(), "{line}");
        }
    }
}
