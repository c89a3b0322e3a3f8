//! The packages that are built into the program: `build.rs` packs each folder of `content` that has a manifest as a compressed
//! archive, which is unpacked when it is read.

use std::collections::BTreeMap;
use std::io::{self, ErrorKind, Read};

use flate2::read::DeflateDecoder;

use super::package::find_built_in;
use crate::base::{World, WorldError};

/// Path below `content`, and the archive.
static ARCHIVES: &[(&str, &[u8])] = include!(concat!(env!("OUT_DIR"), "/built_in.rs"));

/// The paths below `content` of all packages, in the order of the alphabet.
pub fn paths() -> impl Iterator<Item = &'static str> {
    ARCHIVES.iter().map(|(path, _)| *path)
}

/// A package built into the program.
pub struct BuiltIn {
    root: &'static str,
    files: BTreeMap<String, Vec<u8>>,
}

impl BuiltIn {
    /// The files of a package.
    ///
    /// # Errors
    /// If there is none at this path.
    pub fn open(path: &str) -> io::Result<BuiltIn> {
        let (root, archive) = ARCHIVES.iter().find(|(root, _)| *root == path).ok_or(ErrorKind::NotFound)?;
        let mut files = BTreeMap::new();
        for entry in tar::Archive::new(DeflateDecoder::new(*archive)).entries()? {
            let mut entry = entry?;
            let path = String::from_utf8_lossy(&entry.path_bytes()).into_owned();
            let mut bytes = Vec::new();
            entry.read_to_end(&mut bytes)?;
            files.insert(path, bytes);
        }
        Ok(BuiltIn { root, files })
    }
}

impl World for BuiltIn {
    fn read(&self, path: &str) -> Result<String, WorldError> {
        String::from_utf8(self.bytes(path)?).map_err(|_| WorldError::Missing(path.to_owned()))
    }

    fn bytes(&self, path: &str) -> Result<Vec<u8>, WorldError> {
        self.files.get(path).cloned().ok_or_else(|| WorldError::Missing(path.to_owned()))
    }

    fn list(&self) -> Result<Vec<String>, WorldError> {
        Ok(self.files.keys().cloned().collect())
    }

    fn display(&self, path: &str) -> String {
        format!("{}/{path}", self.root)
    }

    fn neighbour(&self, name: &str) -> Option<Box<dyn World + '_>> {
        find_built_in(name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::play::package::DirWorld;
    use std::path::Path;

    #[test]
    fn what_is_built_in_is_what_stands_in_the_folder() {
        let content = Path::new(env!("CARGO_MANIFEST_DIR")).join("content");
        assert!(paths().count() > 30);
        for path in paths() {
            let (packed, folder) = (BuiltIn::open(path).unwrap(), DirWorld::open(&content.join(path)).unwrap());
            let files = packed.list().unwrap();
            assert_eq!(files, folder.list().unwrap(), "{path}");
            for file in files {
                assert_eq!(packed.bytes(&file).unwrap(), folder.bytes(&file).unwrap(), "{path}/{file}");
            }
        }
        assert!(BuiltIn::open("no-such-game").is_err());
    }
}
