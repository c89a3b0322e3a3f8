//! `cardwright test --review` and `--accept`: asks what becomes of changed snapshots and recorded games.

use super::Context;
use crate::base::shown;
use crate::play::PlayError;
use std::io::BufRead;
use std::path::{Path, PathBuf};

/// What was answered so far.
pub struct Review {
    mode: Mode,
    /// What was written, with what stood there before.
    taken: Vec<(PathBuf, Option<Vec<u8>>)>,
    undone: usize,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Mode {
    /// Nothing is taken, and nobody asked.
    Off,
    Ask,
    All,
}

impl Review {
    /// From the command line. On a continuous-integration server nothing is taken and nobody asked.
    pub fn new(review: bool, accept: bool) -> Review {
        let in_ci = std::env::var_os("CI").is_some_and(|value| !value.is_empty());
        let mode = match (in_ci, accept, review) {
            (true, ..) | (_, false, false) => Mode::Off,
            (_, true, _) => Mode::All,
            (_, _, true) => Mode::Ask,
        };
        Review { mode, taken: Vec::new(), undone: 0 }
    }

    /// How many that were taken have been given back; they count as not taken.
    pub fn undone(&self) -> usize {
        self.undone
    }

    /// Shows what has changed and asks whether to take (or remove) it; if so, `write` does that to the file.
    ///
    /// # Errors
    /// [`PlayError`] if the answer cannot be read or the file written.
    pub fn take(
        &mut self,
        context: &Context,
        path: &Path,
        verb: &str,
        told: &str,
        write: impl FnOnce() -> Result<(), PlayError>,
    ) -> Result<bool, PlayError> {
        if self.mode == Mode::Ask {
            context.console.data(told)?;
        }
        if self.mode == Mode::Off || !self.agreed(context, verb)? {
            return Ok(false);
        }
        self.taken.push((path.to_owned(), std::fs::read(path).ok()));
        write()?;
        let done = if verb == "take" { "took" } else { "removed" };
        context.console.note(&format!("{done} `{}`", shown(&path)));
        Ok(true)
    }

    fn agreed(&mut self, context: &Context, verb: &str) -> Result<bool, PlayError> {
        while self.mode == Mode::Ask {
            context.console.problem(&format!("{verb} it? [y]es, [n]o (skip), [a]ll, [u]ndo the last, [q]uit: "));
            let mut line = String::new();
            let read = std::io::stdin().lock().read_line(&mut line);
            match (read, line.trim()) {
                (Err(error), _) => return Err(PlayError::Io(format!("cannot read stdin: {error}"))),
                (Ok(0), _) | (_, "q" | "quit") => self.mode = Mode::Off,
                (_, "n" | "no" | "s" | "skip") => return Ok(false),
                (_, "y" | "yes") => return Ok(true),
                (_, "a" | "all") => self.mode = Mode::All,
                (_, "u" | "undo") => self.undo(context)?,
                _ => {}
            }
        }
        Ok(self.mode == Mode::All)
    }

    /// Puts back what stood in the file that was taken last.
    fn undo(&mut self, context: &Context) -> Result<(), PlayError> {
        let Some((path, before)) = self.taken.pop() else {
            context.console.note("nothing was taken yet");
            return Ok(());
        };
        let back = match before {
            Some(before) => std::fs::write(&path, before),
            None => std::fs::remove_file(&path),
        };
        back.map_err(|error| PlayError::io("write", &path, &error))?;
        self.undone += 1;
        context.console.note(&format!("`{}` is as it was", shown(&path)));
        Ok(())
    }
}
