//! `cardwright perft`

use super::meter::Meter;
use super::place::{PlaceArgs, Start};
use super::{Context, Outcome};
use crate::base::plural;
use crate::engine::{self, Machine, State};
use crate::play::perft::{Branch, Step, count, count_each};
use crate::play::record::quoted;
use crate::play::{Game, PlayError};
use std::sync::Arc;

/// Counts the distinct sequences of whole turns from a position, or of single decisions.
///
/// The position is the start of a game, or what a scenario file sets up.
#[derive(clap::Args)]
#[command(after_help = "\
GAME may be a file FILE.scenario: then the position is that of its first scenario, or of --scenario TITLE, with what is
played there before the first `expect`. Its game is the one in whose folder it lies, or --game GAME.

A turn is what happens from a decision to the next decision after the end of a turn of the innermost `turns` that decided.
A turn in which nobody decides is none; a pass is one; a game that ends within a turn has completed it. In games whose
actions have notations, turns that read the same count once. In others the steps of a turn multiply.

Prints how many sequences of so many turns there are, how many of them end the game with their last turn, and how many
options were taken in all (the edges of the tree, shorter games included). Chance is drawn by the seed, the same in all
branches, unless --chance all follows each outcome.

Examples:
  cardwright perft tic-tac-toe --depth 3
  cardwright perft tic-tac-toe --depth 9 --json
  cardwright perft tic-tac-toe --depth 2 --divide
  cardwright perft positions/late.scenario --depth 4 --game tic-tac-toe")]
pub struct Args {
    #[command(flatten)]
    place: PlaceArgs,
    /// Number of turns, or of decisions.
    #[arg(long, short, value_name = "N")]
    depth: u32,
    /// What a step is: a whole turn, or a single decision of a player.
    #[arg(long, value_name = "STEP", default_value = "turns")]
    by: By,
    /// Lists each first turn, or decision, with the count below it.
    #[arg(long)]
    divide: bool,
    /// Prints one JSON object with version, depth, turns, finished, decisions and stopped; with --divide also `divide`, a
    /// list with turn, turns and finished. By decisions, `sequences` stands for `turns` and `decision` for `turn`.
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum By {
    /// Whole turns.
    Turns,
    /// Single decisions of players.
    Decisions,
}

/// Runs the subcommand.
///
/// # Errors
/// If the position is not found, has errors, or the game fails on the way.
pub fn run(context: &Context, args: Args) -> Outcome {
    let (game, mut machine, state) = position(context, &args)?;
    let (step, all, one) = match args.by {
        By::Turns => (Step::Turn, "turns", "turn"),
        By::Decisions => (Step::Decision, "sequences", "decision"),
    };
    let meter = Meter::start("decisions", None);
    let progress = meter.progress();
    let (count, branches) = if args.divide {
        let (count, branches) = count_each(&game, &mut machine, &state, args.depth, step, progress)?;
        (count, Some(branches))
    } else {
        (count(&game, &mut machine, &state, args.depth, step, progress)?, None)
    };
    let stopped = meter.end(&context.console);
    if args.json {
        let mut object = serde_json::json!({
            "version": 1,
            "depth": count.depth,
            all: count.turns,
            "finished": count.finished,
            "decisions": count.decisions,
            "stopped": stopped.is_err(),
        });
        if let Some(branches) = branches {
            let branch = |branch: Branch| serde_json::json!({ one: branch.turn, all: branch.turns, "finished": branch.finished });
            object["divide"] = branches.into_iter().map(branch).collect();
        }
        context.console.json(&object.to_string())?;
        return stopped;
    }
    let lines = branches.into_iter().flatten().map(|branch| format!("{}: {}\n", quoted(&branch.turn), branch.turns));
    context.console.data(&format!(
        "{}depth {}\n{all} {}\nfinished {}\ndecisions {}\n",
        lines.collect::<String>(),
        count.depth,
        count.turns,
        count.finished,
        count.decisions
    ))?;
    stopped
}

fn position(context: &Context, args: &Args) -> Result<(Arc<Game>, Machine, State), PlayError> {
    if let Some(session) = args.place.scenario(context)? {
        return Ok((Arc::clone(session.game()), session.game().machine(), session.state().clone()));
    }
    let Start { game, players, seed } = args.place.start(context)?;
    let mut machine = game.machine();
    let seed = seed.unwrap_or(1);
    let state = game.start(&mut machine, &engine::Start { players, seed, chance: args.place.chance() })?;
    context.console.note(&format!("seed {seed}, {}", plural(players.into(), "player")));
    Ok((game, machine, state))
}
