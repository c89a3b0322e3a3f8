//! `cardwright replay`

use super::args::saved_game;
use super::{Context, Outcome};
use crate::play::record::{Record, Told, heading, result};
use crate::play::{PlayError, Saved, Session};
use std::path::PathBuf;

/// Prints a saved game as a readable record, with nothing hidden.
#[derive(clap::Args)]
#[command(after_help = "\
Lines in the first column are the option keys, one a line; what happened is indented below each. The record can be given
to `play --script`.

Examples:
  cardwright replay evening.save
  cardwright replay evening.save --to 12     the first 12 decisions
  cardwright replay evening.save --why 40    why the 40th change happened, with content lines")]
pub struct Args {
    /// A file that `play --save` wrote.
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Prints why the N-th change happened, instead of the record.
    #[arg(long, value_name = "N")]
    why: Option<usize>,
    /// Stops after N decisions.
    #[arg(long, value_name = "N")]
    to: Option<usize>,
    /// The game to replay it on: a name or path; the one the file names unless given.
    #[arg(long, value_name = "GAME")]
    game: Option<String>,
}

/// Runs the subcommand.
///
/// # Errors
/// If the file cannot be read, or some of it is damaged or does not fit; what does fit is printed first.
pub fn run(context: &Context, args: Args) -> Outcome {
    let saved = Saved::read(&args.file)?;
    let game = saved_game(context, &saved.header, args.game.as_deref())?;
    let (mut session, problems) = Session::replay(game, &saved)?;
    for problem in &problems {
        context.console.note(&format!("{}: {problem}", args.file.display()));
    }
    if let Some(to) = args.to {
        session.undo_to(to.min(session.decisions().len()))?;
    }
    match args.why {
        None => {
            let record = Record::new(Told::All).numbered().more(&session);
            context.console.data(&format!("{}{record}{}", heading(&session), result(&session)))?;
        }
        Some(number) => {
            let lines = session.why(number);
            if lines.is_empty() {
                let most = session.changes().len();
                return Err(PlayError::Usage(format!(
                    "there is no change {number}; there are {most}, numbered from 1"
                )));
            }
            context.console.data(&(lines.join("\n") + "\n"))?;
        }
    }
    if session.decisions().len() < saved.decisions.len() && args.to.is_none() || !saved.problems.is_empty() {
        let done = session.decisions().len();
        return Err(PlayError::Finding(format!("the record ends after decision {done}, before the file does")));
    }
    Ok(())
}
