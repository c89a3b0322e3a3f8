//! `cardwright completions`

use super::{Cli, Context, Outcome};
use clap::CommandFactory;

/// Prints a completion script for a shell.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  cardwright completions bash > ~/.local/share/bash-completion/completions/cardwright
  cardwright completions fish > ~/.config/fish/completions/cardwright.fish")]
pub struct Args {
    /// The shell.
    #[arg(value_name = "SHELL")]
    shell: clap_complete::Shell,
}

/// Runs the subcommand.
///
/// # Errors
/// If stdout cannot be written.
pub fn run(context: &Context, args: Args) -> Outcome {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "cardwright", &mut script);
    context.console.data(&String::from_utf8_lossy(&script))
}
