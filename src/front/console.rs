//! Writing to the terminal: data to stdout, the rest to stderr.

use crate::play::PlayError;
use std::io::{IsTerminal, Write};

/// When to use colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum ColorChoice {
    /// If stderr is a terminal and NO_COLOR is not set.
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

/// The two streams.
pub struct Console {
    /// Whether diagnostics are coloured.
    pub color: bool,
}

impl Console {
    /// Settles whether to use colour.
    pub fn new(choice: ColorChoice) -> Console {
        let no_color = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        let color = match choice {
            ColorChoice::Always => true,
            ColorChoice::Never => false,
            ColorChoice::Auto => !no_color && std::io::stderr().is_terminal(),
        };
        Console { color }
    }

    /// Writes data. A reader that has gone away ends the program quietly.
    ///
    /// # Errors
    /// [`PlayError::Io`] if stdout cannot be written for another reason.
    pub fn data(&self, text: &str) -> Result<(), PlayError> {
        let mut stdout = std::io::stdout().lock();
        match stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush()) {
            Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => std::process::exit(0),
            Err(error) => Err(PlayError::Io(format!("cannot write to stdout: {error}"))),
            Ok(()) => Ok(()),
        }
    }

    /// Writes a line of progress or advice to stderr.
    pub fn note(&self, text: &str) {
        self.problem(&format!("{text}\n"));
    }

    /// Writes a diagnostic to stderr.
    pub fn problem(&self, text: &str) {
        // There is nobody left to tell if stderr is closed.
        let _ = std::io::stderr().lock().write_all(text.as_bytes());
    }
}

/// Columns of the terminal, where a person reads what is written.
pub fn width() -> Option<usize> {
    let columns = interactive().then(columns).flatten()?;
    (columns >= NARROWEST).then_some(columns)
}

/// Narrower terminals break lines as they like.
const NARROWEST: usize = 40;

#[cfg(feature = "terminal")]
fn columns() -> Option<usize> {
    ratatui::crossterm::terminal::size().ok().map(|(columns, _)| usize::from(columns))
}

#[cfg(not(feature = "terminal"))]
fn columns() -> Option<usize> {
    None
}

/// Whether the program talks to a person: stdin and stdout are terminals.
pub fn interactive() -> bool {
    std::io::stdin().is_terminal() && std::io::stdout().is_terminal()
}
