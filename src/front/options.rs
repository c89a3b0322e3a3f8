//! `cardwright options`

use super::args::{GameArgs, fresh_seed, player_count};
use super::{Context, Outcome};
use crate::play::record::script_keys;
use crate::play::{PlayError, Session, Setup};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Prints the legal option keys of a position, one a line.
///
/// The position is the start, or the one that the keys of a script lead to.
#[derive(clap::Args)]
#[command(after_help = "\
A script has one option key a line. Empty lines, lines that begin with `#` and indented lines are left out, so a record
that `play --plain` or `replay` printed is a script too.

Examples:
  cardwright options tic-tac-toe
  cardwright options tic-tac-toe --script moves.txt --json")]
pub struct Args {
    #[command(flatten)]
    game: GameArgs,
    /// Takes the option keys in this file first.
    #[arg(long, value_name = "FILE")]
    script: Option<PathBuf>,
    /// Number of players; the fewest of the game unless given.
    #[arg(long, short, value_name = "N")]
    players: Option<u8>,
    /// Seed of the game.
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// Prints one JSON object with who decides, the question and the options.
    #[arg(long)]
    json: bool,
}

/// Runs the subcommand.
///
/// # Errors
/// If the game is not found or has errors, or a key of the script is not legal.
pub fn run(context: &Context, args: Args) -> Outcome {
    let game = args.game.load(context)?;
    let players = player_count(&game, args.players)?;
    let seed = args.seed.unwrap_or_else(fresh_seed);
    context.console.note(&format!("seed {seed}, {players} players"));
    let setup = Setup { seed, seats: vec!["human".to_owned(); usize::from(players)] };
    let mut session = Session::new(Arc::clone(&game), setup, None)?;
    if let Some(path) = &args.script {
        for (line, key) in read_script(path)? {
            follow(&mut session, path, line, &key)?;
        }
    }
    let decision = session.decision();
    if args.json {
        let seat = session.deciding().map(|seat| game.seat_name(seat));
        let options = decision.as_ref().map(|decision| &decision.options);
        let text = serde_json::json!({
            "version": 1,
            "over": decision.is_none(),
            "seat": seat,
            "kind": decision.as_ref().map(|decision| decision.kind),
            "prompt": decision.as_ref().map(|decision| &decision.prompt),
            "options": options.into_iter().flatten()
                .map(|option| serde_json::json!({ "key": option.key, "label": option.label })).collect::<Vec<_>>(),
            "outcome": session.outcome(),
        });
        return context.console.data(&format!("{text}\n"));
    }
    let options = decision.map(|decision| decision.options).unwrap_or_default();
    context.console.data(&options.into_iter().map(|option| option.key + "\n").collect::<String>())
}

/// The keys of a script with their lines.
///
/// # Errors
/// If it cannot be read.
pub fn read_script(path: &Path) -> Result<Vec<(usize, String)>, PlayError> {
    let text = std::fs::read_to_string(path).map_err(|error| PlayError::io("read", path, &error))?;
    Ok(script_keys(&text))
}

/// Takes the option of a script's key.
///
/// # Errors
/// If it is not legal; the message says on which line.
pub fn follow(session: &mut Session, path: &Path, line: usize, key: &str) -> Result<(), PlayError> {
    match session.choose_key(key) {
        Err(PlayError::Finding(reason)) => Err(PlayError::Finding(format!("{}:{line}: {reason}", path.display()))),
        other => other.map(|_| ()),
    }
}
