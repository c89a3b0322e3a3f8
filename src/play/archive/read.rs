//! Reads an archive as a stream, and stops at the first thing that is not allowed: what lies behind it is not unpacked.

use std::cell::Cell;
use std::io::{BufRead, BufReader, Read};
use std::rc::Rc;

use flate2::bufread::GzDecoder;
use tar::{Archive, Entry, EntryType};

use super::super::error::PlayError;
use super::names::{Taken, refused};
use super::{Files, comment, digest};
use crate::base::{Code, limits, visible};

/// Why an archive is refused, in words that follow its name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refused {
    /// It is no archive of ours, or damaged.
    #[error("{0}")]
    Broken(String),
    /// It has something that may not be in a package.
    #[error("the entry `{}` {why}", visible(entry))]
    Entry {
        /// Its name.
        entry: String,
        /// What is wrong with it.
        why: String,
    },
    /// It is larger than a package may be.
    #[error("{0}")]
    TooLarge(String),
}

impl Refused {
    /// The error of a packed package that is called so.
    pub fn of(self, shown: &str) -> PlayError {
        let message = format!("cannot open `{shown}`: {self}");
        match self {
            Refused::TooLarge(_) => PlayError::Limit(Code::PackageTooLarge, message),
            Refused::Broken(_) | Refused::Entry { .. } => PlayError::Finding(message),
        }
    }
}

/// Bytes of heads and padding that an archive may have beside the bytes of its files.
const HEADS: u64 = limits::PACKAGE_FILES as u64 * 1024 + 10_240;
/// From this size on an archive is looked at that unpacks to many times its size.
const RATIO_FROM: u64 = 1 << 20;

/// The files of an archive.
///
/// # Errors
/// [`Refused`] at the first thing that is wrong with it.
pub fn unpack(mut archive: impl Read) -> Result<Files, Refused> {
    unpack_from(&mut archive)
}

fn unpack_from(archive: &mut dyn Read) -> Result<Files, Refused> {
    let packed = Rc::new(Cell::new(0));
    let counted = Counted { inner: archive, read: Rc::clone(&packed) };
    let mut stream = Stream { inner: GzDecoder::new(BufReader::new(counted)), packed, unpacked: 0 };
    let (mut files, mut taken, mut bytes) = (Files::new(), Taken::default(), 0);
    let mut tar = Archive::new(&mut stream);
    for entry in tar.entries().map_err(broken)?.raw(true) {
        let mut entry = entry.map_err(broken)?;
        let path = path_of(&entry)?;
        let wrong = |why: String| Refused::Entry { entry: path.clone(), why };
        if let Some(why) = taken.take(&path) {
            return Err(wrong(why));
        }
        if files.len() == limits::PACKAGE_FILES {
            return Err(Refused::TooLarge(format!("it has more than {} files", limits::PACKAGE_FILES)));
        }
        let size = entry.size();
        if size > limits::PICTURE_BYTES {
            return Err(wrong(format!("is larger than {} MiB", limits::PICTURE_BYTES >> 20)));
        }
        bytes += size;
        if bytes > limits::PACKAGE_BYTES {
            return Err(Refused::TooLarge(format!("it unpacks to more than {} MiB", limits::PACKAGE_BYTES >> 20)));
        }
        let mut content = Vec::new();
        entry.read_to_end(&mut content).map_err(broken)?;
        if content.len() as u64 != size {
            return Err(wrong("is cut off".to_owned()));
        }
        files.insert(path, content);
    }
    // The checksum of the archive stands at its end.
    let mut rest = Vec::new();
    stream.read_to_end(&mut rest).map_err(broken)?;
    let head = stream.inner.header().and_then(|header| header.comment()).unwrap_or_default().to_owned();
    if !stream.inner.into_inner().fill_buf().map_err(broken)?.is_empty() || rest.iter().any(|byte| *byte != 0) {
        return Err(Refused::Broken("something stands behind its end".to_owned()));
    }
    if !head.is_empty() && head != comment(&digest(&files)).as_bytes() {
        return Err(Refused::Broken("its content is not what was packed: the digest in its head differs".to_owned()));
    }
    Ok(files)
}

/// The manifest of an archive, which is its first entry; the rest is not read.
///
/// # Errors
/// [`Refused`] if it is no archive of a package.
pub fn manifest(mut archive: impl Read) -> Result<String, Refused> {
    manifest_from(&mut archive)
}

fn manifest_from(archive: &mut dyn Read) -> Result<String, Refused> {
    let mut tar = Archive::new(GzDecoder::new(BufReader::new(archive)));
    let mut first = tar.entries().map_err(broken)?.raw(true);
    let entry = first.next().transpose().map_err(broken)?;
    let none = || Refused::Broken("its first entry is not `game.toml`; `cardwright pack` makes one".to_owned());
    let mut entry = entry.filter(|entry| entry.path_bytes().as_ref() == b"game.toml").ok_or_else(none)?;
    let mut text = String::new();
    entry.by_ref().take(limits::FILE_BYTES as u64).read_to_string(&mut text).map_err(broken)?;
    Ok(text)
}

/// The path of an entry that is a plain file with a name that may be.
fn path_of<R: Read>(entry: &Entry<'_, R>) -> Result<String, Refused> {
    let bytes = entry.path_bytes();
    let path = String::from_utf8_lossy(&bytes).into_owned();
    let wrong = |why: &str| Err(Refused::Entry { entry: path.clone(), why: why.to_owned() });
    match entry.header().entry_type() {
        EntryType::Regular => {}
        EntryType::Symlink | EntryType::Link => return wrong("is a link"),
        EntryType::Directory => {
            return wrong("is a folder of its own; `cardwright pack` makes an archive of files alone");
        }
        EntryType::XHeader | EntryType::XGlobalHeader | EntryType::GNULongName | EntryType::GNULongLink => {
            return wrong("is an extension of tar; `cardwright pack` makes an archive without any");
        }
        _ => return wrong("is no plain file"),
    }
    if std::str::from_utf8(&bytes).is_err() {
        return wrong("has a name that is not UTF-8");
    }
    match refused(&path) {
        Some(why) => wrong(&why),
        None => Ok(path),
    }
}

/// What is wrong with an archive that cannot be read: what was refused on the way, else what the libraries say.
#[allow(clippy::needless_pass_by_value)] // It is handed to `map_err`.
fn broken(error: std::io::Error) -> Refused {
    let refused = error.get_ref().and_then(|inner| inner.downcast_ref::<Refused>());
    refused.cloned().unwrap_or_else(|| {
        let said = error.to_string();
        let said = said.lines().next().unwrap_or_default();
        Refused::Broken(format!("it is damaged, or no package that `cardwright pack` made ({})", visible(said)))
    })
}

/// Counts what is read of the archive.
struct Counted<R> {
    inner: R,
    read: Rc<Cell<u64>>,
}

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let read = self.inner.read(buffer)?;
        self.read.set(self.read.get() + read as u64);
        if self.read.get() > limits::PACKAGE_BYTES {
            let message = format!("it is larger than {} MiB", limits::PACKAGE_BYTES >> 20);
            return Err(std::io::Error::other(Refused::TooLarge(message)));
        }
        Ok(read)
    }
}

/// What comes out of the archive: never more than a package may be, or than so much of it could honestly become.
struct Stream<R> {
    inner: GzDecoder<BufReader<Counted<R>>>,
    packed: Rc<Cell<u64>>,
    unpacked: u64,
}

impl<R: Read> Read for Stream<R> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let read = self.inner.read(buffer)?;
        self.unpacked += read as u64;
        let message = if self.unpacked > limits::PACKAGE_BYTES + HEADS {
            format!("it unpacks to more than {} MiB", limits::PACKAGE_BYTES >> 20)
        } else if self.unpacked > RATIO_FROM && self.unpacked / limits::ARCHIVE_RATIO > self.packed.get() {
            format!("it unpacks to more than {} times its size", limits::ARCHIVE_RATIO)
        } else {
            return Ok(read);
        };
        Err(std::io::Error::other(Refused::TooLarge(message)))
    }
}
