//! `cardwright perft`

use super::args::{GameArgs, player_count};
use super::{Context, Outcome};
use crate::engine::{Chance, Start};

/// Counts the distinct sequences of complete turns from the start.
///
/// The steps of a turn multiply, and a pass is a turn. Games that end within a turn have completed that turn.
#[derive(clap::Args)]
#[command(after_help = "\
Prints how many sequences of so many turns there are, how many of them end the game with their last turn, and how many
options were taken in all (the edges of the tree, shorter games included). Chance is drawn by the seed, the same in all
branches, unless --chance all follows each outcome.

Examples:
  cardwright perft tic-tac-toe --depth 3
  cardwright perft tic-tac-toe --depth 9 --json")]
pub struct Args {
    #[command(flatten)]
    game: GameArgs,
    /// Number of turns.
    #[arg(long, short, value_name = "N")]
    depth: u32,
    /// Whether chance is drawn, or all its outcomes are followed.
    #[arg(long, value_name = "HOW", default_value = "seed")]
    chance: Follow,
    /// Seed of the chance that is drawn.
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Number of players; the fewest of the game unless given.
    #[arg(long, short, value_name = "N")]
    players: Option<u8>,
    /// Prints one JSON object with depth, turns, finished and decisions.
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum Follow {
    /// One outcome, drawn by the seed.
    Seed,
    /// All outcomes.
    All,
}

/// Runs the subcommand.
///
/// # Errors
/// If the game is not found, has errors or fails on the way.
pub fn run(context: &Context, args: Args) -> Outcome {
    let game = args.game.load(context)?;
    let players = player_count(&game, args.players)?;
    let chance = match args.chance {
        Follow::Seed => Chance::Draw,
        Follow::All => Chance::Ask,
    };
    let mut machine = game.machine();
    let state = game.start(&mut machine, &Start { players, seed: args.seed, chance })?;
    context.console.note(&format!("seed {}, {players} players", args.seed));
    let count = crate::play::perft::perft(&game, &mut machine, &state, args.depth)?;
    if args.json {
        let text = serde_json::to_string(&count).unwrap_or_default();
        return context.console.data(&format!("{text}\n"));
    }
    context.console.data(&format!(
        "depth {}\nturns {}\nfinished {}\ndecisions {}\n",
        count.depth, count.turns, count.finished, count.decisions
    ))
}
