//! What can go wrong in play, and how it is said.

use crate::base::{Code, Diagnostic, Diagnostics, SourceMap, Span, render_text, shown, visible, visible_lines};
use crate::engine::GameError;
use std::sync::Arc;

/// Why something asked of a game was not done.
#[derive(thiserror::Error)]
pub enum PlayError {
    /// The request makes no sense: a wrong seat, an unknown game or option.
    #[error("{0}")]
    Usage(String),
    /// Something asked for was checked and found wrong: an illegal key, a failed test.
    #[error("{0}")]
    Finding(String),
    /// A file could not be read or written.
    #[error("{0}")]
    Io(String),
    /// A stated limit was reached.
    #[error("{1}")]
    Limit(Code, String),
    /// Somebody has stopped it. What it had until then is printed.
    #[error("stopped")]
    Stopped,
    /// The content has errors.
    #[error("{}", render_text(diagnostics, sources, false))]
    Content {
        /// What the checker found.
        diagnostics: Diagnostics,
        /// The texts the findings point into.
        sources: Arc<SourceMap>,
    },
    /// The game cannot go on.
    #[error("{}", game_error(error, sources))]
    Game {
        /// What the engine says.
        error: Box<GameError>,
        /// The texts its spans point into.
        sources: Arc<SourceMap>,
    },
}

impl PlayError {
    /// The exit code of a program that ends with it: 1 findings, 2 usage, 3 input and output, 4 limit; 130 as
    /// of programs that Ctrl-C ends.
    pub fn exit_code(&self) -> u8 {
        match self {
            PlayError::Usage(_) => 2,
            PlayError::Io(_) => 3,
            PlayError::Limit(..) => 4,
            PlayError::Stopped => 130,
            PlayError::Game { error, .. } if error.code.starts_with('L') => 4,
            PlayError::Finding(_) | PlayError::Content { .. } | PlayError::Game { .. } => 1,
        }
    }

    /// The error in words, with colour if wanted.
    pub fn report(&self, color: bool) -> String {
        match self {
            PlayError::Content { diagnostics, sources } => render_text(diagnostics, sources, color),
            // Only what is rendered above may have colours.
            PlayError::Game { .. } => visible_lines(&self.to_string()).into_owned(),
            PlayError::Stopped => String::new(),
            PlayError::Limit(code, message) => format!("error[{code}]: {}\n", visible_lines(message)),
            other => format!("error: {}\n", visible_lines(&other.to_string())),
        }
    }

    /// An error about a file.
    pub fn io(what: &str, path: &std::path::Path, error: &std::io::Error) -> PlayError {
        PlayError::Io(format!("cannot {what} `{}`: {error}", shown(&path)))
    }
}

impl std::fmt::Debug for PlayError {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "{self}")
    }
}

/// `path:line:column`, or nothing for a place no file knows.
pub fn place(sources: &SourceMap, span: Span) -> Option<String> {
    (span.end > span.start).then(|| sources.locate(span))
}

/// Causes of an error that are shown.
const MOST_CAUSES: usize = 12;

fn game_error(error: &GameError, sources: &SourceMap) -> String {
    let mut text = match Code::find(error.code).filter(|_| place(sources, error.span).is_some()) {
        Some(code) => {
            let found = Diagnostic::new(code, error.span, error.message.clone());
            let found = match code {
                Code::TooManyFrames => found.help(
                    "something does itself again, perhaps by way of another: leave out of what is chosen, or copied, what would do the same",
                ),
                _ => found,
            };
            render_text(&[found], sources, false)
        }
        None => format!("error[{}]: {}\n", error.code, visible(&error.message)),
    };
    // What goes round is told once.
    let mut told: Vec<(String, usize)> = Vec::new();
    for cause in &error.causes {
        let at = place(sources, cause.span).map(|place| format!(" ({place})")).unwrap_or_default();
        let line = format!("  because of {}{at}", visible(&cause.what));
        match told.iter_mut().find(|(other, _)| *other == line) {
            Some((_, times)) => *times += 1,
            None => told.push((line, 1)),
        }
    }
    for (line, times) in told.iter().take(MOST_CAUSES) {
        let times = if *times > 1 { format!(", {times} times") } else { String::new() };
        text.push_str(&format!("{line}{times}\n"));
    }
    if told.len() > MOST_CAUSES {
        text.push_str(&format!("  ... and {} more\n", told.len() - MOST_CAUSES));
    }
    text
}
