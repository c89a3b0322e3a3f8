//! Writing to the terminal: data to stdout, the rest to stderr.

use crate::base::{visible_colours, visible_json, visible_lines};
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

    /// Writes lines of data; characters that nobody sees are written out.
    ///
    /// # Errors
    /// [`PlayError::Io`] if stdout cannot be written.
    pub fn data(&self, text: &str) -> Result<(), PlayError> {
        self.write(&visible_lines(text))
    }

    /// Writes a JSON object on a line of its own.
    ///
    /// # Errors
    /// [`PlayError::Io`] if stdout cannot be written.
    pub fn json(&self, object: &str) -> Result<(), PlayError> {
        self.write(&format!("{}\n", visible_json(object)))
    }

    /// Writes to stdout. A reader that has gone away ends the program quietly.
    fn write(&self, text: &str) -> Result<(), PlayError> {
        let mut stdout = std::io::stdout().lock();
        match stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush()) {
            Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => std::process::exit(0),
            Err(error) => Err(PlayError::Io(format!("cannot write to stdout: {error}"))),
            Ok(()) => Ok(()),
        }
    }

    /// Writes a whole screen to stdout: in the place of what is there, if it is a terminal.
    ///
    /// # Errors
    /// [`PlayError::Io`] if stdout cannot be written.
    pub fn screen(&self, text: &str) -> Result<(), PlayError> {
        let shown = if self.color { visible_colours(text) } else { visible_lines(text) };
        let clear = if std::io::stdout().is_terminal() { "\x1b[H\x1b[2J" } else { "" };
        self.write(&format!("{clear}{shown}"))
    }

    /// Writes a line of progress or advice to stderr.
    pub fn note(&self, text: &str) {
        self.problem(&format!("{}\n", visible_lines(text)));
    }

    /// Writes a rendered diagnostic to stderr, with the colours it has.
    pub fn problem(&self, text: &str) {
        // There is nobody left to tell if stderr is closed.
        let shown = if self.color { visible_colours(text) } else { visible_lines(text) };
        let _ = std::io::stderr().lock().write_all(shown.as_bytes());
    }
}

/// Columns of the terminal, where a person reads what is written.
pub fn width() -> Option<usize> {
    let (columns, _) = interactive().then(size).flatten()?;
    (columns >= NARROWEST).then_some(columns)
}

/// Narrower terminals break lines as they like.
const NARROWEST: usize = 40;

/// Rows of the terminal that stdout is, if it is one.
pub fn rows() -> Option<usize> {
    std::io::stdout().is_terminal().then(size).flatten().map(|(_, rows)| rows)
}

/// Columns and rows of the terminal.
#[cfg(feature = "terminal")]
fn size() -> Option<(usize, usize)> {
    ratatui::crossterm::terminal::size().ok().map(|(columns, rows)| (columns.into(), rows.into()))
}

#[cfg(not(feature = "terminal"))]
fn size() -> Option<(usize, usize)> {
    None
}

/// Whether the program talks to a person: stdin and stdout are terminals.
pub fn interactive() -> bool {
    std::io::stdin().is_terminal() && std::io::stdout().is_terminal()
}
