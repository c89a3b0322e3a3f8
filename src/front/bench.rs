//! `cardwright bench`

use super::args::{GameArgs, player_count};
use super::{Context, Outcome};
use crate::play::simulate::{Figures, Plan, Until, bench};
use crate::play::{Bot, PlayError};
use std::time::Duration;

/// Plays many whole games and measures them.
///
/// Random play picks uniformly among the options of each decision; where a turn has several steps, that is not
/// uniform over whole turns.
#[derive(clap::Args)]
#[command(after_help = "\
Random play is uniform at each step: among the options of each decision, not among whole turns.

Examples:
  cardwright bench tic-tac-toe
  cardwright bench tic-tac-toe --seconds 5 --threads 2 --json
  cardwright bench GAME --players 4 --bot greedy --games 200")]
pub struct Args {
    #[command(flatten)]
    game: GameArgs,
    /// How long to play, in seconds.
    #[arg(long, short, value_name = "S", default_value_t = 3.0)]
    seconds: f64,
    /// Plays this many games instead, so that two runs do the same.
    #[arg(long, value_name = "N", conflicts_with = "seconds")]
    games: Option<u64>,
    /// Number of threads.
    #[arg(long, short, value_name = "T", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: u16,
    /// Number of players; the fewest of the game unless given.
    #[arg(long, short, value_name = "N")]
    players: Option<u8>,
    /// Who plays: random or greedy.
    #[arg(long, value_name = "BOT", default_value = "random")]
    bot: String,
    /// Seed of the first game; each further game adds one.
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Prints one JSON object.
    #[arg(long)]
    json: bool,
}

/// Runs the subcommand.
///
/// # Errors
/// If the game is not found, has errors or fails on the way.
pub fn run(context: &Context, args: Args) -> Outcome {
    let game = args.game.load(context)?;
    let players = player_count(&game, args.players)?;
    let Some(bot) = Bot::parse(&args.bot) else {
        return Err(PlayError::Usage(format!("there is no bot `{}`; there are random and greedy", args.bot)));
    };
    if !(args.seconds > 0.0 && args.seconds <= 86_400.0) {
        return Err(PlayError::Usage("--seconds must be more than 0 and at most 86400".to_owned()));
    }
    let until = args.games.map_or(Until::Time(Duration::from_secs_f64(args.seconds)), Until::Games);
    context.console.note(&format!("seed {}, {players} players, {} on all seats", args.seed, bot.word()));
    let plan = Plan { players, seed: args.seed, threads: usize::from(args.threads), until, bot };
    let figures = bench(&game, &plan)?;
    if args.json {
        let text = serde_json::to_string(&figures).unwrap_or_default();
        return context.console.data(&format!("{text}\n"));
    }
    context.console.data(&table(&figures, &|seat| game.seat_name(seat)))
}

fn table(figures: &Figures, name: &dyn Fn(u8) -> String) -> String {
    let games = figures.games.max(1) as f64;
    let mut text = format!(
        "games               {}\ngames a second      {:.0}\ndecisions a second  {:.0}\ndecisions a game    {:.2}\n\
         turns a game        {:.2}\nlongest game        {} turns\nstate               {} bytes, copied in {:.0} ns\n",
        figures.games,
        figures.games_per_second,
        figures.decisions_per_second,
        figures.mean_decisions,
        figures.mean_turns,
        figures.longest,
        figures.state_bytes,
        figures.clone_ns
    );
    for (seat, wins) in (0u8..).zip(&figures.wins) {
        let share = *wins as f64 / games;
        // Half the width of the 95 % interval, by the normal approximation.
        let margin = 1.96 * (share * (1.0 - share) / games).sqrt();
        let line = format!(
            "{:<19} {wins} ({:.1} % ± {:.1})\n",
            format!("won by {}", name(seat)),
            share * 100.0,
            margin * 100.0
        );
        text.push_str(&line);
    }
    text.push_str(&format!("draws               {}\n", figures.draws));
    text
}
