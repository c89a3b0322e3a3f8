//! `cardwright man`

use super::{Cli, Context, Outcome};
use crate::base::shown;
use crate::play::PlayError;
use clap::CommandFactory;
use std::path::PathBuf;

/// Writes manual pages: one of the program, and one of each command.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  cardwright man ~/.local/share/man/man1     so that `man cardwright-play` finds them")]
pub struct Args {
    /// The folder they are written into; it is made if it does not exist.
    #[arg(value_name = "DIR")]
    folder: PathBuf,
}

/// Runs the subcommand.
///
/// # Errors
/// If the folder or a page cannot be written.
pub fn run(context: &Context, args: Args) -> Outcome {
    let failed = |error| PlayError::io("write", &args.folder, &error);
    std::fs::create_dir_all(&args.folder).map_err(failed)?;
    clap_mangen::generate_to(Cli::command(), &args.folder).map_err(failed)?;
    context.console.note(&format!("wrote manual pages to `{}`", shown(&args.folder)));
    Ok(())
}
