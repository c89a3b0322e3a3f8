//! Makes one file of a package, to be sent to others.

use super::archive::{self, Files, names, write};
use super::error::PlayError;
use super::package::Package;
use crate::base::{Code, shown, visible};
use std::io::Write;
use std::path::{Path, PathBuf};

/// How a saved game begins.
const SAVED: &[u8] = b"{\"session\":";

/// A package as one file.
pub struct Packed {
    /// `NAME-VERSION.cardwright`
    pub file_name: String,
    /// Identifies the content.
    pub digest: String,
    /// The files that went in.
    pub files: Files,
    /// Those that did not, each with the reason.
    pub left_out: Vec<(String, &'static str)>,
    /// The bytes of the file.
    pub archive: Vec<u8>,
}

/// The file name of a packed package.
pub fn file_name(name: &str, version: &str) -> String {
    format!("{name}-{version}.{}", archive::ENDING)
}

/// Packs a package: the same bytes for the same content. Whether it is sound is not looked at.
///
/// # Errors
/// [`PlayError::Finding`] if it has a file that other systems cannot have or its manifest has no name or version,
/// [`PlayError::Io`] if a file cannot be read, [`PlayError::Limit`] if it is too large.
pub fn pack(package: &Package) -> Result<Packed, PlayError> {
    let world = package.world()?;
    let failed = |error: crate::base::WorldError| match error.code() {
        code @ (Code::PackageTooLarge | Code::FileTooLarge) => PlayError::Limit(code, error.to_string()),
        _ => PlayError::Io(error.to_string()),
    };
    let mut left_out: Vec<(String, &'static str)> =
        package.hidden()?.into_iter().map(|path| (path, "hidden")).collect();
    let (mut files, mut taken) = (Files::new(), names::Taken::default());
    for path in world.list().map_err(failed)? {
        let bytes = world.bytes(&path).map_err(failed)?;
        if bytes.starts_with(SAVED) {
            left_out.push((path, "a saved game"));
        } else if path.ends_with(&format!(".{}", archive::ENDING)) {
            left_out.push((path, "a packed package"));
        } else if let Some(why) = names::refused(&path).or_else(|| taken.take(&path)) {
            return Err(PlayError::Finding(format!("`{}` {why}", visible(&path))));
        } else {
            files.insert(path, bytes);
        }
    }
    let manifest = package.manifest().filter(|manifest| !manifest.name.is_empty() && !manifest.version.is_empty());
    let manifest = manifest.ok_or_else(|| PlayError::Finding("its manifest has no name and version".to_owned()))?;
    let (digest, mut packed) = (archive::digest(&files), Vec::new());
    let entries = files.iter().map(|(path, bytes)| (path.as_str(), bytes.as_slice()));
    write::write(entries, &archive::comment(&digest), &mut packed)
        .map_err(|error| PlayError::Finding(error.to_string()))?;
    // What is written can be read, whatever the limits are.
    archive::unpack(packed.as_slice()).map_err(|refused| refused.of(&package.origin()))?;
    let file_name = file_name(&manifest.name, &manifest.version);
    Ok(Packed { file_name, digest, files, left_out, archive: packed })
}

/// Writes a packed package to a file, whole or not at all. Gives its path: a folder gets a file of the usual name.
///
/// # Errors
/// [`PlayError::Usage`] if something else is there already, [`PlayError::Io`] if it cannot be written.
pub fn save(packed: &Packed, out: &Path) -> Result<PathBuf, PlayError> {
    let path = if out.is_dir() { out.join(&packed.file_name) } else { out.to_owned() };
    if path.exists() && archive::manifest_of(&path).is_err() {
        let message = format!("`{}` is there already and is no packed package", shown(&path));
        return Err(PlayError::Usage(message));
    }
    write_whole(&path, &packed.archive)?;
    Ok(path)
}

/// Writes a file beside its place and moves it there, so that it is never half there.
///
/// # Errors
/// [`PlayError::Io`] if it cannot be written; what was there before still is.
pub(super) fn write_whole(path: &Path, bytes: &[u8]) -> Result<(), PlayError> {
    let failed = |error: std::io::Error| PlayError::io("write", path, &error);
    let mut name = std::ffi::OsString::from(".");
    name.push(path.file_name().unwrap_or_default());
    name.push(format!(".{}.tmp", std::process::id()));
    let beside = path.with_file_name(name);
    let written = std::fs::File::create(&beside).and_then(|mut file| {
        file.write_all(bytes)?;
        file.sync_all()
    });
    written.and_then(|()| std::fs::rename(&beside, path)).map_err(|error| {
        // Nothing is kept of what failed.
        let _ = std::fs::remove_file(&beside);
        failed(error)
    })
}
