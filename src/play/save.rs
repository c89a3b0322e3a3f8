//! Save files: one JSON object a line, a header first, only ever appended to.
//!
//! ```text
//! {"session":4,"game":{"name":"lanterns","version":"1.0.0","digest":"…"},"options":{},"variant":null,"seed":7,"seats":["human","greedy"],"names":["red","blue"]}
//! {"n":1,"seat":"red","key":"play Lantern","hash":"5eed5eed5eed5eed"}
//! {"n":2,"seat":"blue","key":"rest","hash":"00c0ffee00c0ffee"}
//! {"undo":1}
//! {"game":{"name":"lanterns","version":"1.0.1","digest":"…"},"with":[],"kept":1}
//! ```
//!
//! The names of the seats are those of the header, so a game that was saved goes on after the content has changed them.

use super::error::PlayError;
use super::files;
use super::game::{Game, Options};
use super::session::Setup;
use crate::base::{Code, is_unseen, shown};
use crate::engine::Seat;
use crate::model::Active;
use serde::{Deserialize, Serialize};
use std::fs::{File, OpenOptions, TryLockError};
use std::io::Write;
use std::path::{Path, PathBuf};

/// Version of the format.
pub const FORMAT: u32 = 4;
/// Largest save file that is read.
pub const MAX_SAVE: u64 = crate::base::limits::SAVE_BYTES;
/// Longest line.
const MAX_LINE: usize = 1 << 20;

/// The first line: what is needed to start the same game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Header {
    /// Version of the format.
    pub session: u32,
    /// The game.
    pub game: Active,
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
    /// What the seats are called, in the same order, in the lines that follow.
    pub names: Vec<String>,
    /// The title of the scenario in whose position it begins, if it does not begin as the rules say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scenario: Option<String>,
}

/// A line after the header.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Line {
    /// A decision.
    Decision(DecisionLine),
    /// Everything after this many decisions was taken back.
    Undo(UndoLine),
    /// What somebody in the workshop has done.
    Deed(Deed),
    /// From here on the game runs on other content, with so many decisions kept.
    Content(ContentLine),
}

/// A decision that was made.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DecisionLine {
    /// Its number, from 1.
    pub n: usize,
    /// The name of the seat that made it; none for chance.
    pub seat: Option<String>,
    /// The key of the option.
    pub key: String,
    /// Hash of the state after it, 16 hexadecimal digits. Every line has one, so that no decision can be altered
    /// unnoticed; a line without one is read as empty, and refused.
    #[serde(default)]
    pub hash: String,
}

/// A take-back.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct UndoLine {
    /// How many decisions stand.
    pub undo: usize,
}

/// What somebody in the workshop has done, who may do what no player may.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Deed {
    /// Chance gives what it is made to.
    Force(ForceLine),
    /// A property has another value.
    Set(SetLine),
}

impl Deed {
    /// After how many decisions it was done.
    pub fn after(&self) -> usize {
        match self {
            Deed::Force(line) => line.after,
            Deed::Set(line) => line.after,
        }
    }
}

/// A value that was given to a property of a player or of the game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SetLine {
    /// After how many decisions.
    pub after: usize,
    /// The property, as rules name it: `seat(1).coins`.
    pub set: String,
    /// Its value, as rules write it.
    pub to: String,
}

/// Outcomes that somebody in the workshop has settled for the next chance.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ForceLine {
    /// After how many decisions.
    pub after: usize,
    /// Their keys; none: chance is left to the seed again.
    pub force: Vec<String>,
}

/// A change of content.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ContentLine {
    /// The game as it is now.
    pub game: Active,
    /// The expansions that take part now.
    pub with: Vec<Active>,
    /// How many decisions stand.
    pub kept: usize,
}

impl Header {
    /// The header of a game that begins as its rules say.
    pub(crate) fn new(game: &Game, setup: Setup) -> Header {
        let names = (0..=Seat::MAX).zip(&setup.seats).map(|(seat, _)| game.seat_name(seat)).collect();
        Header {
            session: FORMAT,
            game: game.own.clone(),
            with: game.expansions.clone(),
            options: game.options.clone(),
            variant: game.variant.clone(),
            seed: setup.seed,
            seats: setup.seats,
            names,
            scenario: None,
        }
    }

    /// The same on what a game and its expansions are now.
    pub(super) fn on(mut self, game: &Game) -> Header {
        self.game = game.own.clone();
        self.with.clone_from(&game.expansions);
        self
    }

    /// What a seat is called in the file.
    pub(super) fn seat_name(&self, seat: Seat) -> String {
        self.names.get(usize::from(seat)).cloned().unwrap_or_else(|| format!("player {}", u16::from(seat) + 1))
    }

    /// The names of the expansions.
    pub fn expansions(&self) -> Vec<String> {
        self.with.iter().map(|expansion| expansion.name.clone()).collect()
    }
}

/// What a save file says, as far as it can be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Saved {
    /// The header, with the content that the last decisions were made on.
    pub header: Header,
    /// The decisions that stand after all take-backs, with the number of the line each is on.
    pub decisions: Vec<(usize, DecisionLine)>,
    /// What somebody in the workshop has done, in the order of the file.
    pub deeds: Vec<Deed>,
    /// Decisions from this one on (0-based) were made on that content, so that their hashes can be checked.
    pub hashes_from: usize,
    /// What is wrong with the file, with line numbers. Everything from the first problem on was left out.
    pub problems: Vec<String>,
    /// Whether the last line was torn: it was never acknowledged, and nothing is lost with it.
    torn: bool,
    /// Bytes up to the last good line, and the number of good lines.
    good: (u64, usize),
    ends: Vec<u64>,
    /// How long the file was when it was read.
    length: u64,
}

impl Saved {
    /// Reads a save file.
    ///
    /// # Errors
    /// [`PlayError`] if it cannot be read at all or its header is damaged. Other damage is noted in `problems`.
    pub fn read(path: &Path) -> Result<Saved, PlayError> {
        files::plain(path)?;
        let bytes = match files::read(path, MAX_SAVE) {
            Err(PlayError::Limit(_, message)) => return Err(PlayError::Limit(Code::LogTooLarge, message)),
            read => read?,
        };
        if bytes.is_empty() {
            return Err(PlayError::Finding(format!("`{}` is empty: no game was saved in it", shown(&path))));
        }
        Saved::parse(&bytes).map_err(|reason| PlayError::Finding(format!("`{}`: {reason}", shown(&path))))
    }

    /// Reads the bytes of a save file.
    ///
    /// # Errors
    /// In words, if there is no sound header.
    pub fn parse(bytes: &[u8]) -> Result<Saved, String> {
        let first = bytes.iter().position(|byte| *byte == b'\n').ok_or("line 1: the header is torn")?;
        let text = bytes.get(..first).unwrap_or_default();
        let header: Header = serde_json::from_slice(text).map_err(|error| format!("line 1: not a header: {error}"))?;
        if hides_something(text) {
            return Err("line 1: not a header: it has characters that nobody sees".to_owned());
        }
        if header.session != FORMAT {
            return Err(format!("line 1: the format is {}, this program reads {FORMAT}", header.session));
        }
        if header.names.len() != header.seats.len() {
            return Err("line 1: not a header: every seat needs a name".to_owned());
        }
        let end = first as u64 + 1;
        let mut saved = Saved {
            header,
            decisions: Vec::new(),
            deeds: Vec::new(),
            hashes_from: 0,
            problems: Vec::new(),
            torn: false,
            good: (end, 1),
            ends: vec![end],
            length: bytes.len() as u64,
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
                self.torn = true;
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
        if hides_something(text) {
            return Err("it has characters that nobody sees".to_owned());
        }
        let known = self.decisions.len();
        match line {
            Line::Decision(line) if line.n != known + 1 => {
                return Err(format!("decision {} stands where decision {} should", line.n, known + 1));
            }
            Line::Decision(line) if line.hash.is_empty() => {
                return Err(format!("decision {} has no hash of the state: the file has been altered", line.n));
            }
            Line::Decision(line) => self.decisions.push((number, line)),
            Line::Undo(UndoLine { undo: kept }) | Line::Content(ContentLine { kept, .. }) if kept > known => {
                return Err(format!("{kept} decisions should stand, but there are only {known}"));
            }
            Line::Deed(deed) if deed.after() != known => {
                return Err(format!("what was done by hand after {} decisions stands after {known}", deed.after()));
            }
            Line::Deed(deed) => self.deeds.push(deed),
            Line::Undo(line) => {
                self.decisions.truncate(line.undo);
                self.deeds.retain(|deed| deed.after() <= line.undo);
                self.hashes_from = self.hashes_from.min(line.undo);
            }
            Line::Content(line) => {
                self.decisions.truncate(line.kept);
                self.deeds.retain(|deed| deed.after() <= line.kept);
                (self.header.game, self.header.with) = (line.game, line.with);
                self.hashes_from = line.kept;
            }
        }
        Ok(())
    }

    /// Whether a line in its middle is damaged, so that decisions are lost.
    pub fn damaged(&self) -> bool {
        self.problems.len() > usize::from(self.torn)
    }

    /// What the packages of a game have that those it was saved with have not, and the other way round.
    pub fn differences(&self, now: &Game) -> Vec<Difference> {
        let then = &self.header;
        let mut found: Vec<Difference> = changed(&then.game, &now.own).into_iter().collect();
        for then in &then.with {
            match now.expansions.iter().find(|other| other.name == then.name) {
                Some(other) => found.extend(changed(then, other)),
                None => found.push(Difference::of(format!(
                    "it was saved with `{}` {}, which does not take part now",
                    then.name, then.version
                ))),
            }
        }
        let new = now.expansions.iter().filter(|other| !then.with.iter().any(|then| then.name == other.name));
        found.extend(new.map(|new| Difference::of(format!("it was saved without `{}` {}", new.name, new.version))));
        found
    }

    /// Whether a game and its expansions say the same of play as those it was saved with.
    pub fn same_content(&self, now: &Game) -> bool {
        self.differences(now).iter().all(|difference| difference.harmless)
    }

    /// How long the file was when it was read.
    pub(super) fn length(&self) -> u64 {
        self.length
    }

    /// The end, in bytes, of a line.
    pub(super) fn end_of_line(&self, line: usize) -> u64 {
        self.ends.get(line.saturating_sub(1)).copied().unwrap_or(self.good.0)
    }
}

/// How a package differs from what a game was saved with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// In words.
    pub text: String,
    /// Whether it changes nothing in play: only the version is another.
    pub harmless: bool,
}

impl Difference {
    fn of(text: String) -> Difference {
        Difference { text, harmless: false }
    }
}

/// How one package has changed.
fn changed(then: &Active, now: &Active) -> Option<Difference> {
    let (name, harmless) = (&now.name, then.digest == now.digest);
    let text = match (then.version == now.version, harmless) {
        (true, true) => return None,
        (true, false) => format!("the content of `{name}` {} has changed since", now.version),
        (false, true) => {
            format!("`{name}` was {} and is {} now, which changes nothing in play", then.version, now.version)
        }
        (false, false) => format!("`{name}` was {} and is {} now, with other content", then.version, now.version),
    };
    Some(Difference { text, harmless })
}

/// A save file that is being appended to.
#[derive(Debug)]
pub struct SaveFile {
    path: PathBuf,
    file: File,
    /// How long it is.
    length: u64,
}

impl SaveFile {
    /// Makes a new file; one of this name must not exist.
    ///
    /// # Errors
    /// [`PlayError::Io`] if it exists or cannot be written.
    pub fn create(path: &Path, header: &Header) -> Result<SaveFile, PlayError> {
        let file = OpenOptions::new().append(true).create_new(true).open(path);
        let file = file.map_err(|error| PlayError::io("create", path, &error))?;
        lock(&file, path)?;
        let mut save = SaveFile { path: path.to_owned(), file, length: 0 };
        save.append(header)?;
        if let Some(folder) = path.parent() {
            let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
            // The new name itself must outlive a crash too; not every system can sync a folder.
            let _ = File::open(folder).and_then(|folder| folder.sync_all());
        }
        Ok(save)
    }

    /// Opens a file, which had `read` bytes when it was read, to go on after its first `length` bytes. If there is more, a
    /// copy is kept beside it first, whose path is given.
    ///
    /// # Errors
    /// [`PlayError::Io`] if it cannot be written, somebody else writes to it, or has done so since it was read.
    pub fn reopen(path: &Path, read: u64, length: u64) -> Result<(SaveFile, Option<PathBuf>), PlayError> {
        let failed = |error: std::io::Error| PlayError::io("write", path, &error);
        let file = OpenOptions::new().append(true).open(path).map_err(failed)?;
        lock(&file, path)?;
        let save = SaveFile { path: path.to_owned(), file, length };
        let mut kept = None;
        let found = save.file.metadata().map_err(failed)?.len();
        if found != read {
            let message = format!("`{}` has been written to by another program since it was read", shown(&path));
            return Err(PlayError::Io(message + "; open it again to go on with it"));
        }
        if found > length {
            kept = Some(save.copy("damaged")?);
            save.file.set_len(length).map_err(failed)?;
            save.file.sync_all().map_err(failed)?;
        }
        Ok((save, kept))
    }

    /// Keeps a copy of the file as it is now beside it: `NAME.ENDING`, and gives its path.
    ///
    /// # Errors
    /// [`PlayError::Io`] if it cannot be written.
    pub fn copy(&self, ending: &str) -> Result<PathBuf, PlayError> {
        let copy = unused_name(&self.path, ending);
        let copied = std::fs::copy(&self.path, &copy).and_then(|_| File::open(&copy)?.sync_all());
        copied.map_err(|error| PlayError::io("write", &copy, &error))?;
        Ok(copy)
    }

    /// Appends a line and waits until it is on the disk.
    ///
    /// # Errors
    /// [`PlayError::Io`] if it cannot be written.
    pub fn append<T: Serialize>(&mut self, line: &T) -> Result<(), PlayError> {
        let mut text = serde_json::to_string(line).map_err(|error| PlayError::Io(error.to_string()))?;
        text.push('\n');
        let length = self.length + text.len() as u64;
        if length > MAX_SAVE || text.len() > MAX_LINE {
            let message = format!("`{}` would be larger than {} MiB", shown(&self.path), MAX_SAVE >> 20);
            return Err(PlayError::Limit(Code::LogTooLarge, message));
        }
        let written = self.file.write_all(text.as_bytes()).and_then(|()| self.file.sync_data());
        if let Err(error) = written {
            // What was written of the line would stand before the next one.
            let _ = self.file.set_len(self.length);
            return Err(PlayError::io("write", &self.path, &error));
        }
        self.length = length;
        Ok(())
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }
}

/// Makes a file ours as long as it is open: of two writers one would lose decisions.
fn lock(file: &File, path: &Path) -> Result<(), PlayError> {
    match file.try_lock() {
        Ok(()) => Ok(()),
        Err(TryLockError::WouldBlock) => {
            let message = format!("`{}` is open in another game", shown(&path));
            Err(PlayError::Io(message + "; close that first, or go on from a copy of the file"))
        }
        // A file system without locks.
        Err(TryLockError::Error(_)) => Ok(()),
    }
}

/// Whether a text or key in a line of JSON has characters that nobody sees; no name or key of a game has any.
fn hides_something(line: &[u8]) -> bool {
    fn hides(value: &serde_json::Value) -> bool {
        match value {
            serde_json::Value::String(text) => text.chars().any(is_unseen),
            serde_json::Value::Array(items) => items.iter().any(hides),
            serde_json::Value::Object(fields) => {
                fields.iter().any(|(key, value)| key.chars().any(is_unseen) || hides(value))
            }
            _ => false,
        }
    }
    // Plain ASCII without escapes cannot hide anything, and that is what nearly all lines are.
    let plain = line.iter().all(|byte| (b' '..0x7f).contains(byte) && *byte != b'\\');
    !plain && serde_json::from_slice(line).is_ok_and(|value| hides(&value))
}

/// A name beside a file that no other file has.
fn unused_name(path: &Path, ending: &str) -> PathBuf {
    let with = |ending: String| {
        let mut name = path.as_os_str().to_owned();
        name.push(ending);
        PathBuf::from(name)
    };
    let first = with(format!(".{ending}"));
    if !first.exists() {
        return first;
    }
    (2u32..).map(|number| with(format!(".{ending}-{number}"))).find(|path| !path.exists()).unwrap_or(first)
}
