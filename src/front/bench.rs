//! `cardwright bench`

use super::args::{GameArgs, player_count};
use super::meter::Meter;
use super::{Context, Outcome};
use crate::base::{Code, plural};
use crate::play::simulate::{Figures, Plan, Until, bench_watched};
use crate::play::{Bot, PlayError};
use std::time::Duration;

/// Plays many whole games and measures them.
///
/// Random play picks uniformly among the options of each decision; where a turn has several steps, that is not
/// uniform over whole turns.
#[derive(clap::Args)]
#[command(after_help = "\
Random play is uniform at each step: among the options of each decision, not among whole turns.

Turns are those in which somebody decides. A game that several win is a win of none of them; whoever has won comes first,
and among the others the better score. Ctrl-C prints the figures so far.

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
    /// Prints one JSON object. Lists with one item for each seat are in the order of its `seats`.
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
    context.console.note(&format!(
        "seed {}, {}, {} on all seats",
        args.seed,
        plural(players.into(), "player"),
        bot.word()
    ));
    let plan = Plan { players, seed: args.seed, threads: usize::from(args.threads), until, bot };
    let time = args.games.is_none().then(|| Duration::from_secs_f64(args.seconds));
    let meter = Meter::start("games", time);
    let figures = bench_watched(&game, &plan, meter.progress())?;
    let stopped = meter.end(&context.console);
    if args.json {
        context.console.json(&serde_json::to_string(&figures).unwrap_or_default())?;
    } else {
        context.console.data(&[speed(&figures), endings(&figures), order(&figures)].concat())?;
    }
    match &figures.unfinished {
        Some(game) if game.endless => Err(PlayError::Limit(Code::BudgetSpent, game.report())),
        Some(game) if !figures.stopped => {
            context.console.note(&format!("the time is over: {}", game.report()));
            stopped
        }
        _ => stopped,
    }
}

/// A line: what it is called, and what it says.
fn line(name: &str, what: &str) -> String {
    format!("{name:<19} {what}\n")
}

fn percent(part: u64, of: u64) -> String {
    format!("{:.1} %", part as f64 * 100.0 / of.max(1) as f64)
}

/// A number of games and their share of all.
pub(super) fn share(part: u64, of: u64) -> String {
    format!("{part} ({})", percent(part, of))
}

/// A mean and how far single games lie from it.
pub(super) fn spread(mean: f64, deviation: f64) -> String {
    format!("{mean:.2}, deviation {deviation:.2}")
}

/// A seat's mean score and how exact it is.
pub(super) fn score(mean: f64, error: f64) -> String {
    format!("{mean:.2}, standard error {error:.2}")
}

fn speed(figures: &Figures) -> String {
    let unfinished = match &figures.unfinished {
        Some(game) => format!(", and one that was cut off after {} decisions: seed {}", game.decisions, game.seed),
        None => String::new(),
    };
    [
        ("games", format!("{}{unfinished}", figures.games)),
        ("games a second", format!("{:.0}", figures.games_per_second)),
        ("decisions a second", format!("{:.0}", figures.decisions_per_second)),
        ("time", format!("{:.2} s, of processors {:.2} s", figures.seconds, figures.cpu_seconds)),
        ("decisions a game", spread(figures.mean_decisions, figures.deviation_decisions)),
        ("turns a game", spread(figures.mean_turns, figures.deviation_turns)),
        ("longest game", format!("{} turns", figures.longest)),
        ("state", format!("{} bytes, copied in {:.0} ns", figures.state_bytes, figures.clone_ns)),
    ]
    .iter()
    .map(|(name, what)| line(name, what))
    .collect()
}

/// Who has won how often, and the scores.
fn endings(figures: &Figures) -> String {
    let games = figures.games.max(1) as f64;
    let mut text = String::new();
    for ((seat, wins), shared) in figures.seats.iter().zip(&figures.wins).zip(&figures.shared) {
        let share = *wins as f64 / games;
        // Half the width of the 95 % interval, by the normal approximation.
        let margin = 1.96 * (share * (1.0 - share) / games).sqrt();
        let with_others = if *shared > 0 { format!(", with others {shared}") } else { String::new() };
        let what = format!("{wins} ({:.1} % ± {:.1}){with_others}", share * 100.0, margin * 100.0);
        text.push_str(&line(&format!("won by {seat}"), &what));
    }
    text.push_str(&line("won by several", &share(figures.shared_games, figures.games)));
    text.push_str(&line("draws", &share(figures.draws, figures.games)));
    if let (Some(means), Some(errors)) = (&figures.mean_scores, &figures.score_errors) {
        for ((seat, mean), error) in figures.seats.iter().zip(means).zip(errors) {
            text.push_str(&line(&format!("score of {seat}"), &score(*mean, *error)));
        }
    }
    text
}

/// The places of each seat, and who came before whom.
fn order(figures: &Figures) -> String {
    let mut text = String::new();
    if figures.seats.len() > 2 {
        for (seat, places) in figures.seats.iter().zip(&figures.places) {
            let places = places.iter().map(|count| percent(*count, figures.games)).collect::<Vec<_>>().join(", ");
            text.push_str(&line(&format!("places of {seat}"), &places));
        }
    }
    for (index, (seat, row)) in figures.seats.iter().zip(&figures.before).enumerate() {
        for (other, (name, ahead)) in figures.seats.iter().zip(row).enumerate().skip(index + 1) {
            let behind = figures.before.get(other).and_then(|row| row.get(index)).copied().unwrap_or(0);
            let equal = figures.games.saturating_sub(ahead + behind);
            let [ahead, behind, equal] = [*ahead, behind, equal].map(|count| percent(count, figures.games));
            let what = format!("before {ahead}, behind {behind}, equal {equal}");
            text.push_str(&line(&format!("{seat} and {name}"), &what));
        }
    }
    text
}
