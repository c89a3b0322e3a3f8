//! `cardwright eject`

use super::{Context, Outcome};
use crate::base::shown;
use std::path::PathBuf;

/// Writes an editable copy of a game into a folder.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  cardwright eject tic-tac-toe mine     copies the game into the new folder `mine`
  cardwright play ./mine --watch        plays the copy; edit its files and go on")]
pub struct Args {
    /// Name of the game, or path of its folder.
    #[arg(value_name = "GAME")]
    game: String,
    /// The new folder; it must not exist or be empty.
    #[arg(value_name = "DIR")]
    folder: PathBuf,
}

/// Runs the subcommand.
///
/// # Errors
/// If the game is not found or the folder cannot be written.
pub fn run(context: &Context, args: Args) -> Outcome {
    let package = context.library.find(&args.game)?;
    let files = crate::play::eject(&package, &args.folder)?;
    context.console.note(&format!("wrote {files} files to `{}`", shown(&args.folder)));
    Ok(())
}
