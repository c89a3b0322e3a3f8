//! Writes a package as one file: an archive of tar in gzip, the same bytes for the same content. `build.rs` uses it too, for the
//! packages that are built in, so it needs nothing of the program.

use std::io::{Error, ErrorKind, Result, Write};

use flate2::{Compression, GzBuilder};

/// The manifest is the first entry, so that it can be read alone.
const FIRST: &str = "game.toml";

/// Writes files, sorted by path, without times and owners. The comment stands in the head of the archive.
///
/// # Errors
/// If a path is too long for an archive, or the archive cannot be written.
pub fn write<'a>(files: impl Iterator<Item = (&'a str, &'a [u8])>, comment: &str, to: impl Write) -> Result<()> {
    let mut files: Vec<(&str, &[u8])> = files.collect();
    files.sort_by_key(|(path, _)| (*path != FIRST, *path));
    let mut tar = tar::Builder::new(GzBuilder::new().comment(comment).write(to, Compression::best()));
    for (path, bytes) in files {
        let mut header = tar::Header::new_ustar();
        let too_long = |error| Error::new(ErrorKind::InvalidInput, format!("`{path}` cannot be packed: {error}"));
        header.set_path(path).map_err(too_long)?;
        header.set_size(bytes.len() as u64);
        header.set_mode(0o644);
        header.set_cksum();
        tar.append(&header, bytes)?;
    }
    tar.into_inner()?.finish()?.flush()
}
