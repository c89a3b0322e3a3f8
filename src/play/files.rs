//! Reading files that somebody named. They may be anything: a folder, a device that never ends, a file of gigabytes.

use super::error::PlayError;
use crate::base::{Code, shown};
use std::fs::File;
use std::io::Read;
use std::path::Path;

/// Reads a file of at most so many bytes.
///
/// # Errors
/// [`PlayError::Io`] if it is a folder or cannot be read, [`PlayError::Limit`] if it is too large.
pub fn read(path: &Path, most: u64) -> Result<Vec<u8>, PlayError> {
    let failed = |error: std::io::Error| PlayError::io("read", path, &error);
    if std::fs::metadata(path).map_err(failed)?.is_dir() {
        return Err(PlayError::Io(format!("`{}` is a folder, not a file", shown(&path))));
    }
    let mut bytes = Vec::new();
    File::open(path).map_err(failed)?.take(most + 1).read_to_end(&mut bytes).map_err(failed)?;
    if bytes.len() as u64 > most {
        let message = format!("`{}` is larger than {} MiB", shown(&path), most >> 20);
        return Err(PlayError::Limit(Code::FileTooLarge, message));
    }
    Ok(bytes)
}

/// Reads a text, likewise.
///
/// # Errors
/// As [`read`], and [`PlayError::Io`] if it is no UTF-8 text.
pub fn read_text(path: &Path, most: u64) -> Result<String, PlayError> {
    let bytes = read(path, most)?;
    String::from_utf8(bytes).map_err(|_| PlayError::Io(format!("`{}` is not UTF-8 text", shown(&path))))
}

/// Whether a file is a plain one, and not a folder, a device or a pipe.
///
/// # Errors
/// [`PlayError::Io`] in words if it is not.
pub fn plain(path: &Path) -> Result<(), PlayError> {
    let kind = std::fs::metadata(path).map_err(|error| PlayError::io("read", path, &error))?;
    if kind.is_file() {
        return Ok(());
    }
    let what = if kind.is_dir() { "a folder" } else { "a device or a pipe" };
    Err(PlayError::Io(format!("`{}` is {what}, and a game is saved in a plain file", shown(&path))))
}
