//! `cardwright test`

use super::check::packages;
use super::{Context, Outcome};
use crate::play::conformance::conformance;
use crate::play::scenario::{Coverage, Verdict, coverage, run_all};
use crate::play::snapshot::{Compared, Snapshot, difference};
use crate::play::{Game, Options, Package, PlayError};
use std::io::BufRead;
use std::path::Path;
use std::sync::Arc;

/// Runs a game's scenarios, compares their snapshots, and checks random play.
#[derive(clap::Args)]
#[command(after_help = "\
A scenario that says `snapshot` records its playthrough beside it, in snapshots/. A record that differs from the last one
that was accepted fails, and waits as `.snap.new`. The files are plain insta snapshots: `cargo insta review` works too.

Examples:
  cardwright test                       the game in this folder, or all games
  cardwright test tic-tac-toe
  cardwright test GAME --with NAME      the scenarios of both, on the game as the expansion makes it
  cardwright test NAME                  those of the expansion alone
  cardwright test tic-tac-toe --review  shows each changed record and asks
  cardwright test --coverage            lists numbered rules without a scenario, and runs none")]
pub struct Args {
    /// Names of games, or paths of their folders.
    #[arg(value_name = "GAME")]
    games: Vec<String>,
    /// Adds expansions, by name or path; several are separated by commas.
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    with: Vec<String>,
    /// Runs only scenarios with these words in their titles, and no random play.
    #[arg(long, value_name = "WORDS")]
    only: Option<String>,
    /// Shows each changed snapshot and asks whether to take it.
    #[arg(long)]
    review: bool,
    /// Takes all changed snapshots.
    #[arg(long, conflicts_with = "review")]
    accept: bool,
    /// Lists the numbered rules that no scenario covers; ends with 1 if there are any.
    #[arg(long)]
    coverage: bool,
    /// Random games that are checked for each number of players.
    #[arg(long, value_name = "N", default_value_t = 2)]
    random: u64,
    /// Seed of the random games.
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
}

/// Runs the subcommand.
///
/// # Errors
/// If a game is not found or has errors, or something fails.
pub fn run(context: &Context, args: Args) -> Outcome {
    let mut failed = 0;
    for package in packages(context, &args.games, &args.with)? {
        let game = Arc::new(Game::load(&package, &Options::new(), None)?);
        failed += if args.coverage { cover(context, &game)? } else { test_one(context, &args, &package, &game)? };
    }
    if failed > 0 {
        return Err(PlayError::Finding(format!("{failed} failed")));
    }
    Ok(())
}

fn cover(context: &Context, game: &Game) -> Result<usize, PlayError> {
    let mut coverage = coverage(game);
    let alone = coverage.missing.len();
    if alone > 0 {
        cover_by_expansions(context, game, &mut coverage)?;
    }
    let covered = coverage.rules - coverage.missing.len();
    let mut text = format!("{}: {covered} of {} numbered rules have a scenario\n", game.full_name(), coverage.rules);
    let elsewhere = alone - coverage.missing.len();
    if elsewhere > 0 {
        text.push_str(&format!("  {elsewhere} of them in an expansion\n"));
    }
    for (id, rule) in &coverage.missing {
        text.push_str(&format!("  without: {id} {rule}\n"));
    }
    for id in &coverage.unknown {
        text.push_str(&format!("  not in the rulebook: {id}\n"));
    }
    context.console.data(&text)?;
    Ok(coverage.missing.len() + coverage.unknown.len())
}

/// What a game says of combined sets only an expansion can show.
fn cover_by_expansions(context: &Context, game: &Game, coverage: &mut Coverage) -> Result<(), PlayError> {
    for package in packages(context, &[], &[])? {
        if package.about_only().is_none() || package.name != game.package.name {
            continue;
        }
        let combined = Game::load(&package, &Options::new(), None)?;
        coverage.missing.retain(|(id, _)| !combined.scenarios.iter().any(|scenario| scenario.covers.contains(id)));
    }
    Ok(())
}

fn test_one(context: &Context, args: &Args, package: &Package, game: &Arc<Game>) -> Result<usize, PlayError> {
    let named = |title: &str| args.only.as_ref().is_none_or(|words| title.contains(words.as_str()));
    let verdicts: Vec<Verdict> = run_all(game)?.into_iter().filter(|verdict| named(&verdict.title)).collect();
    let mut failed = 0;
    for verdict in &verdicts {
        let mut failure = verdict.failure.as_ref().map(|failure| failure.report());
        // How a game is played with expansions is not what its own snapshots record.
        let recorded = package.path().is_some() && (game.expansions.is_empty() || package.about_only().is_some());
        if let (None, Some(text), true) = (&failure, &verdict.playthrough, recorded) {
            let snapshot = Snapshot::of(Path::new(&verdict.file), game.tested(), &verdict.title);
            failure = compare(context, args, &snapshot, text)?;
        }
        if let Some(report) = failure {
            failed += 1;
            context.console.data(&format!("FAILED  {}\n{report}", verdict.title))?;
        }
    }
    if failed > 0 && !game.expansions.is_empty() && package.about_only().is_none() {
        let help = "what an expansion makes untrue of the game on purpose it can say: `remove scenario \"TITLE\"`";
        context.console.note(help);
    }
    let passed = verdicts.len() - failed;
    let left_out = game.scenarios.iter().filter(|scenario| scenario.left_out && named(&scenario.title)).count();
    let others = match left_out {
        0 => String::new(),
        count => format!("; {count} left out, which are for the game without expansions"),
    };
    context.console.data(&format!(
        "{}: {passed} of {} scenarios passed{others}\n",
        game.full_name(),
        verdicts.len()
    ))?;
    if args.only.is_none() && args.random > 0 {
        failed += random_play(context, args, game)?;
    }
    Ok(failed)
}

fn random_play(context: &Context, args: &Args, game: &Arc<Game>) -> Result<usize, PlayError> {
    let (fewest, most) = game.rules.players;
    let mut failed = 0;
    for players in fewest..=most {
        let report = conformance(game, players, args.seed, args.random)?;
        let mut text = format!(
            "{}: {} random games of {players} players, {} decisions, the longest of {} turns: {}\n",
            game.full_name(),
            report.games,
            report.decisions,
            report.longest,
            if report.problems.is_empty() { "all is well" } else { "FAILED" }
        );
        for problem in &report.problems {
            text.push_str(&format!("  {problem}\n"));
        }
        for warning in &report.warnings {
            text.push_str(&format!("  warning: {warning}\n"));
        }
        failed += report.problems.len();
        context.console.data(&text)?;
    }
    Ok(failed)
}

/// Compares a playthrough with its snapshot; gives what is wrong, if it is not settled here and now.
fn compare(context: &Context, args: &Args, snapshot: &Snapshot, text: &str) -> Result<Option<String>, PlayError> {
    let (what, old) = match snapshot.compare(text)? {
        Compared::Same => return Ok(None),
        Compared::New => ("has no snapshot yet", String::new()),
        Compared::Changed { old } => ("differs from its snapshot", old),
    };
    let in_ci = std::env::var_os("CI").is_some_and(|value| !value.is_empty());
    let shown = format!("  the playthrough {what}, `{}`\n{}", snapshot.path.display(), difference(&old, text));
    let take = args.accept && !in_ci || args.review && !in_ci && ask(context, &snapshot.title, &shown)?;
    if take {
        snapshot.accept(text)?;
        context.console.note(&format!("took `{}`", snapshot.path.display()));
        return Ok(None);
    }
    if in_ci {
        snapshot.refuse()?;
    }
    Ok(Some(format!("{shown}  `cardwright test --review` shows and asks, `--accept` takes all\n")))
}

fn ask(context: &Context, title: &str, shown: &str) -> Result<bool, PlayError> {
    context.console.data(&format!("{title}\n{shown}"))?;
    loop {
        context.console.problem("take it? [y/n] ");
        let mut line = String::new();
        let read = std::io::stdin().lock().read_line(&mut line);
        match (read, line.trim()) {
            (Err(error), _) => return Err(PlayError::Io(format!("cannot read stdin: {error}"))),
            (Ok(0), _) | (_, "n" | "no") => return Ok(false),
            (_, "y" | "yes") => return Ok(true),
            _ => {}
        }
    }
}
