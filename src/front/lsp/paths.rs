//! Addresses of files as editors write them, and their paths.

use lsp_types::Uri;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::str::FromStr;

/// The path of a file's address, without links; none for what is no file.
pub fn path_of(uri: &Uri) -> Option<PathBuf> {
    let rest = uri.as_str().strip_prefix("file://")?;
    // An address may name this machine.
    let rest = rest.strip_prefix("localhost").unwrap_or(rest);
    let text = decoded(rest)?;
    let text = match text.strip_prefix('/') {
        // `/C:/games`
        Some(rest) if rest.as_bytes().get(1) == Some(&b':') && cfg!(windows) => rest.to_owned(),
        _ => text,
    };
    Some(real(&PathBuf::from(text)))
}

/// A path without links, whether or not there is such a file yet.
pub fn real(path: &Path) -> PathBuf {
    if let Ok(path) = path.canonicalize() {
        return path;
    }
    match (path.parent().and_then(|parent| parent.canonicalize().ok()), path.file_name()) {
        (Some(parent), Some(name)) => parent.join(name),
        _ => path.to_owned(),
    }
}

/// The address of a file.
pub fn uri_of(path: &Path) -> Option<Uri> {
    let text = path.to_string_lossy().replace('\\', "/");
    // The long form of paths on Windows.
    let text = text.strip_prefix("//?/").unwrap_or(&text);
    let mut uri = if text.starts_with('/') { "file://".to_owned() } else { "file:///".to_owned() };
    for byte in text.bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => uri.push(char::from(byte)),
            byte => _ = write!(uri, "%{byte:02X}"),
        }
    }
    Uri::from_str(&uri).ok()
}

fn decoded(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        if byte != b'%' {
            bytes.push(byte);
            continue;
        }
        let digit = |byte: Option<u8>| char::from(byte?).to_digit(16);
        let (high, low) = (digit(rest.next())?, digit(rest.next())?);
        bytes.push((high * 16 + low) as u8);
    }
    String::from_utf8(bytes).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_survives_as_an_address() {
        for path in ["/games/my game/a.rules", "/g\u{e4}mes/100%/x#y?.cards"] {
            let uri = uri_of(Path::new(path)).unwrap();
            assert!(uri.as_str().is_ascii());
            assert_eq!(path_of(&uri), Some(PathBuf::from(path)));
        }
        assert_eq!(path_of(&Uri::from_str("untitled:Untitled-1").unwrap()), None);
    }
}
