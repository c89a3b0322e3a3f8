//! The packages that are built into the program: `build.rs` packs each folder of `content` that has a manifest as a compressed
//! archive, which is unpacked when it is read.

use super::archive::{ArchiveWorld, unpack};
use super::error::PlayError;

/// Path below `content`, and the archive.
static ARCHIVES: &[(&str, &[u8])] = include!(concat!(env!("OUT_DIR"), "/built_in.rs"));

/// The paths below `content` of all packages, in the order of the alphabet.
pub fn paths() -> impl Iterator<Item = &'static str> {
    ARCHIVES.iter().map(|(path, _)| *path)
}

/// The archive of the package at a path.
pub fn archive(path: &str) -> Option<&'static [u8]> {
    ARCHIVES.iter().find(|(root, _)| *root == path).map(|(_, archive)| *archive)
}

impl ArchiveWorld {
    /// A package that is built in.
    ///
    /// # Errors
    /// [`PlayError::Io`] if there is none at this path.
    pub fn built_in(path: &str) -> Result<ArchiveWorld, PlayError> {
        let unreadable = |why: String| PlayError::Io(format!("cannot read the built-in package `{path}`: {why}"));
        let archive = archive(path).ok_or_else(|| unreadable("there is none of this name".to_owned()))?;
        let files = unpack(archive).map_err(|refused| unreadable(refused.to_string()))?;
        Ok(ArchiveWorld { shown: path.to_owned(), files, folder: None })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::World;
    use crate::play::DirWorld;
    use crate::play::archive::manifest;
    use std::path::Path;

    #[test]
    fn what_is_built_in_is_what_stands_in_the_folder() {
        let content = Path::new(env!("CARGO_MANIFEST_DIR")).join("content");
        assert!(paths().count() > 30);
        for path in paths() {
            let (packed, folder) =
                (ArchiveWorld::built_in(path).unwrap(), DirWorld::open(&content.join(path)).unwrap());
            let files = packed.list().unwrap();
            assert_eq!(files, folder.list().unwrap(), "{path}");
            assert_eq!(manifest(archive(path).unwrap()).unwrap(), folder.read("game.toml").unwrap());
            for file in files {
                assert_eq!(packed.bytes(&file).unwrap(), folder.bytes(&file).unwrap(), "{path}/{file}");
            }
        }
        assert!(ArchiveWorld::built_in("no-such-game").is_err());
    }
}
