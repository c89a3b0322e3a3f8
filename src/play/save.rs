//! Save files: one JSON object a line, a header first, only ever appended to.
//!
//! ```text
//! {"session":1,"package":"lanterns","version":"1.0.0","digest":"…","options":{},"variant":null,"seed":7,"seats":["human","greedy"]}
//! {"n":1,"seat":0,"key":"play Lantern"}
//! {"n":10,"seat":1,"key":"rest","hash":"00c0ffee00c0ffee"}
//! {"undo":8}
//! {"content":"…digest…","version":"1.0.1","kept":8}
//! ```

use super::error::PlayError;
use super::game::Options;
use crate::base::Code;
use crate::engine::Seat;
use crate::model::Active;
use serde::{Deserialize, Serialize};
use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};

/// Version of the format.
pub const FORMAT: u32 = 1;
/// Every so many decisions a line carries a hash of the state.
pub const HASH_EVERY: usize = 10;
/// Largest save file that is read.
pub const MAX_SAVE: u64 = 64 << 20;
/// Longest line.
const MAX_LINE: usize = 1 << 20;

/// The first line: what is needed to start the same game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Header {
    /// Version of the format.
    pub session: u32,
    /// Name of the package.
    pub package: String,
    /// Version of the package.
    pub version: String,
    /// Digest of its content.
    pub digest: String,
    /// The expansions, in the order in which they were loaded.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub with: Vec<Active>,
    /// Options that were set.
    pub options: Options,
    /// The variant, if one was chosen.
    pub variant: Option<String>,
    /// Seed of the game's generator.
    pub seed: u64,
    /// Who sits on each seat: `human` or a bot's name.
    pub seats: Vec<String>,
}

/// A line after the header.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Line {
    /// A decision.
    Decision(DecisionLine),
    /// Everything after this many decisions was taken back.
    Undo(UndoLine),
    /// From here on the game runs on other content, with so many decisions kept.
    Content(ContentLine),
}

/// A decision that was made.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DecisionLine {
    /// Its number, from 1.
    pub n: usize,
    /// Who made it; none for chance.
    pub seat: Option<Seat>,
    /// The key of the option.
    pub key: String,
    /// Hash of the state after it, 16 hexadecimal digits.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hash: Option<String>,
}

/// A take-back.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct UndoLine {
    /// How many decisions stand.
    pub undo: usize,
}

/// A change of content.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ContentLine {
    /// Digest of the new content.
    pub content: String,
    /// Version of the new content.
    pub version: String,
    /// How many decisions stand.
    pub kept: usize,
}

impl Header {
    /// The names of the expansions.
    pub fn expansions(&self) -> Vec<String> {
        self.with.iter().map(|expansion| expansion.name.clone()).collect()
    }
}

/// What a save file says, as far as it can be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Saved {
    /// The header.
    pub header: Header,
    /// The decisions that stand after all take-backs, with the number of the line each is on.
    pub decisions: Vec<(usize, DecisionLine)>,
    /// Digest of the content the last decisions were made on.
    pub digest: String,
    /// Decisions from this one on (0-based) were made on that content, so that their hashes can be checked.
    pub hashes_from: usize,
    /// What is wrong with the file, with line numbers. Everything from the first problem on was left out.
    pub problems: Vec<String>,
    /// Bytes up to the last good line, and the number of good lines.
    good: (u64, usize),
    ends: Vec<u64>,
}

impl Saved {
    /// Reads a save file.
    ///
    /// # Errors
    /// [`PlayError`] if it cannot be read at all or its header is damaged. Other damage is noted in `problems`.
    pub fn read(path: &Path) -> Result<Saved, PlayError> {
        let size = std::fs::metadata(path).map_err(|error| PlayError::io("read", path, &error))?.len();
        if size > MAX_SAVE {
            let message = format!("`{}` is larger than {} MiB", path.display(), MAX_SAVE >> 20);
            return Err(PlayError::Limit(Code::LogTooLarge, message));
        }
        let bytes = std::fs::read(path).map_err(|error| PlayError::io("read", path, &error))?;
        Saved::parse(&bytes).map_err(|reason| PlayError::Finding(format!("`{}`: {reason}", path.display())))
    }

    /// Reads the bytes of a save file.
    ///
    /// # Errors
    /// In words, if there is no sound header.
    pub fn parse(bytes: &[u8]) -> Result<Saved, String> {
        let first = bytes.iter().position(|byte| *byte == b'\n').ok_or("line 1: the header is torn")?;
        let text = bytes.get(..first).unwrap_or_default();
        let header: Header = serde_json::from_slice(text).map_err(|error| format!("line 1: not a header: {error}"))?;
        if header.session != FORMAT {
            return Err(format!("line 1: the format is {}, this program reads {FORMAT}", header.session));
        }
        let end = first as u64 + 1;
        let mut saved = Saved {
            digest: header.digest.clone(),
            header,
            decisions: Vec::new(),
            hashes_from: 0,
            problems: Vec::new(),
            good: (end, 1),
            ends: vec![end],
        };
        saved.read_lines(bytes);
        Ok(saved)
    }

    fn read_lines(&mut self, bytes: &[u8]) {
        let mut at = self.good.0 as usize;
        while let Some(rest) = bytes.get(at..).filter(|rest| !rest.is_empty()) {
            let number = self.good.1 + 1;
            let Some(length) = rest.iter().position(|byte| *byte == b'\n') else {
                self.problems.push(format!("line {number}: the last line is torn and was left out"));
                return;
            };
            let text = rest.get(..length).unwrap_or_default();
            if let Err(reason) = self.read_line(number, text) {
                self.problems.push(format!("line {number}: {reason}; it and all after it were left out"));
                return;
            }
            at += length + 1;
            self.good = (at as u64, number);
            self.ends.push(at as u64);
        }
    }

    fn read_line(&mut self, number: usize, text: &[u8]) -> Result<(), String> {
        if text.len() > MAX_LINE {
            return Err("the line is too long".to_owned());
        }
        let line: Line = serde_json::from_slice(text).map_err(|_| "this is no line of a save file".to_owned())?;
        let known = self.decisions.len();
        match line {
            Line::Decision(line) if line.n != known + 1 => {
                return Err(format!("decision {} stands where decision {} should", line.n, known + 1));
            }
            Line::Decision(line) => self.decisions.push((number, line)),
            Line::Undo(UndoLine { undo: kept }) | Line::Content(ContentLine { kept, .. }) if kept > known => {
                return Err(format!("{kept} decisions should stand, but there are only {known}"));
            }
            Line::Undo(line) => {
                self.decisions.truncate(line.undo);
                self.hashes_from = self.hashes_from.min(line.undo);
            }
            Line::Content(line) => {
                self.decisions.truncate(line.kept);
                self.digest = line.content;
                self.hashes_from = line.kept;
            }
        }
        Ok(())
    }

    /// What has changed of the expansions since the header was written, in words.
    pub(super) fn changed_expansions(&self, now: &[Active]) -> Vec<String> {
        let mut changed = Vec::new();
        for then in &self.header.with {
            let name = &then.name;
            match now.iter().find(|other| other.name == *name) {
                None => changed.push(format!("it was saved with the expansion `{name}`, which is not loaded")),
                Some(other) if other.version != then.version => changed.push(format!(
                    "the expansion `{name}` had version {} when this was saved, and has {} now",
                    then.version, other.version
                )),
                Some(other) if other.digest != then.digest => {
                    changed.push(format!("the content of the expansion `{name}` has changed since this was saved"));
                }
                Some(_) => {}
            }
        }
        let new = now.iter().filter(|other| !self.header.with.iter().any(|then| then.name == other.name));
        changed.extend(new.map(|other| format!("it was saved without the expansion `{}`", other.name)));
        changed
    }

    /// The end, in bytes, of a line.
    pub(super) fn end_of_line(&self, line: usize) -> u64 {
        self.ends.get(line.saturating_sub(1)).copied().unwrap_or(self.good.0)
    }
}

/// A save file that is being appended to.
#[derive(Debug)]
pub struct SaveFile {
    path: PathBuf,
    file: File,
}

impl SaveFile {
    /// Makes a new file; one of this name must not exist.
    ///
    /// # Errors
    /// [`PlayError::Io`] if it exists or cannot be written.
    pub fn create(path: &Path, header: &Header) -> Result<SaveFile, PlayError> {
        let file = OpenOptions::new().append(true).create_new(true).open(path);
        let mut save =
            SaveFile { path: path.to_owned(), file: file.map_err(|error| PlayError::io("create", path, &error))? };
        save.append(header)?;
        if let Some(folder) = path.parent() {
            let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
            // The new name itself must outlive a crash too; not every system can sync a folder.
            let _ = File::open(folder).and_then(|folder| folder.sync_all());
        }
        Ok(save)
    }

    /// Opens a file to go on after its first `length` bytes. If there is more, a copy is kept beside it first,
    /// whose path is given.
    ///
    /// # Errors
    /// [`PlayError::Io`] if it cannot be written.
    pub fn reopen(path: &Path, length: u64) -> Result<(SaveFile, Option<PathBuf>), PlayError> {
        let failed = |error: std::io::Error| PlayError::io("write", path, &error);
        let file = OpenOptions::new().append(true).open(path).map_err(failed)?;
        let mut kept = None;
        if file.metadata().map_err(failed)?.len() > length {
            let copy = unused_name(path);
            std::fs::copy(path, &copy).map_err(failed)?;
            kept = Some(copy);
            file.set_len(length).map_err(failed)?;
            file.sync_all().map_err(failed)?;
        }
        Ok((SaveFile { path: path.to_owned(), file }, kept))
    }

    /// Appends a line and waits until it is on the disk.
    ///
    /// # Errors
    /// [`PlayError::Io`] if it cannot be written.
    pub fn append<T: Serialize>(&mut self, line: &T) -> Result<(), PlayError> {
        let mut text = serde_json::to_string(line).map_err(|error| PlayError::Io(error.to_string()))?;
        text.push('\n');
        let written = self.file.write_all(text.as_bytes()).and_then(|()| self.file.sync_data());
        written.map_err(|error| PlayError::io("write", &self.path, &error))
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }
}

fn unused_name(path: &Path) -> PathBuf {
    let with = |ending: String| {
        let mut name = path.as_os_str().to_owned();
        name.push(ending);
        PathBuf::from(name)
    };
    let first = with(".damaged".to_owned());
    if !first.exists() {
        return first;
    }
    (2u32..).map(|number| with(format!(".damaged-{number}"))).find(|path| !path.exists()).unwrap_or(first)
}
