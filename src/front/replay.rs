//! `cardwright replay`

use super::args::{saved_game, seat_named, warn_of_seed};
use super::{Context, Outcome};
use crate::base::shown;
use crate::play::record::{Record, Told, heading, of_seat, result};
use crate::play::{PlayError, Saved, Session};
use std::path::PathBuf;

/// Prints a saved game as a readable record, with nothing hidden or as one seat knows it.
#[derive(clap::Args)]
#[command(after_help = "\
Lines in the first column are the option keys, one a line; what happened is indented below each. The record can be given
to `play --script`. Changes that belong together, such as a deal, are one line, and what only the rules keep count of is
left out; --every-change prints everything.

A save holds the seed, and from it follows all that is hidden in the game. To hand out what one player knows, give them the
record with `--seat`.

Examples:
  cardwright replay evening.save
  cardwright replay evening.save --to 12     the first 12 decisions
  cardwright replay evening.save --seat red > red.txt
  cardwright replay evening.save --every-change
  cardwright replay evening.save --why 40    why the 40th change happened, with content lines
  cardwright replay evening.save --with a,b  on the game with these expansions")]
pub struct Args {
    /// A file that `play --save` wrote.
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Prints why the N-th change happened, instead of the record.
    #[arg(long, value_name = "N")]
    why: Option<usize>,
    /// Prints only what this seat knows, by name or number: without the seed, and without what others chose unseen.
    #[arg(long, value_name = "SEAT", conflicts_with = "why")]
    seat: Option<String>,
    /// Prints every change on a line of its own, also what only the rules keep count of.
    #[arg(long, conflicts_with_all = ["why", "seat"])]
    every_change: bool,
    /// Stops after N decisions.
    #[arg(long, value_name = "N")]
    to: Option<usize>,
    /// The game to replay it on: a name or path; the one the file names unless given.
    #[arg(long, value_name = "GAME")]
    game: Option<String>,
    /// The expansions to replay it with, by name or path; those the file names unless given, and none for `--with ""`.
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    with: Vec<String>,
}

/// Runs the subcommand.
///
/// # Errors
/// If the file cannot be read, or some of it is damaged or does not fit; what does fit is printed first.
pub fn run(context: &Context, args: Args) -> Outcome {
    let saved = Saved::read(&args.file)?;
    let with = (!args.with.is_empty()).then_some(args.with.as_slice());
    let game = saved_game(context, &saved.header, args.game.as_deref(), with)?;
    let (mut session, problems) = Session::replay(game, &saved)?;
    for problem in &problems {
        context.console.note(&format!("{}: {problem}", shown(&args.file)));
    }
    if let Some(to) = args.to {
        session.undo_to(to.min(session.decisions().len()))?;
    }
    let seat =
        args.seat.as_ref().map(|name| seat_named(session.game(), session.header().seats.len(), name)).transpose()?;
    match (args.why, seat) {
        (None, Some(seat)) => context.console.data(&of_seat(&mut session, seat))?,
        (None, None) => {
            warn_of_seed(context, session.game());
            let record = Record::new(Told::All).numbered();
            let mut record = if args.every_change { record.every_change() } else { record };
            let record = record.more(&session);
            context.console.data(&format!("{}{record}{}", heading(&session), result(&session)))?;
        }
        (Some(number), _) => {
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
