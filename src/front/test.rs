//! `cardwright test`

use super::args::option_pair;
use super::check::{each, packages, unless_one_of};
use super::meter::Meter;
use super::records::Records;
use super::review::{Review, Sort, in_ci};
use super::{Context, Outcome, recorded};
use crate::base::{Diagnostic, Diagnostics, plural};
use crate::play::conformance::conformance_watched;
use crate::play::scenario::{Coverage, Verdict, coverage, run_watched};
use crate::play::unmeant::{Acts, Clamped};
use crate::play::{Game, Options, Package, PlayError};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Runs a game's scenarios, compares their snapshots, and checks random play.
#[derive(clap::Args)]
#[command(after_help = "\
A scenario that says `snapshot` records its playthrough beside it, in snapshots/. A record that differs from the last one
that was accepted fails, and waits as `.snap.new`. Whole games that a package keeps in records/ are played again and compared
as well. Those that differ because of the same card or rule are one group; `--review` asks about each, with one answer a line.

Examples:
  cardwright test                       the game in this folder, or all games
  cardwright test tic-tac-toe
  cardwright test GAME --with NAME      the scenarios of both, on the game as the expansion makes it
  cardwright test NAME                  those of the expansion alone
  cardwright test GAME --random 20 --players 4 --option size=9
                                        random games of four players, with an option
  cardwright test ./mine --review       shows what has changed, by its causes, and asks
  cardwright test tic-tac-toe --record 4
                                        records four games of bots, chosen to show most of the rules
  cardwright test --coverage            lists numbered rules without a scenario, and what no recorded game shows")]
pub struct Args {
    /// Names of games, or paths of their folders, or of a folder with several.
    #[arg(value_name = "GAME")]
    games: Vec<String>,
    /// Adds expansions, by name or path; several are separated by commas.
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    with: Vec<String>,
    /// Runs only scenarios with these words in their titles, and no random play.
    #[arg(long, value_name = "WORDS")]
    only: Option<String>,
    /// Shows changed snapshots and recorded games by their causes and asks whether to take them.
    #[arg(long)]
    review: bool,
    /// Takes all changed snapshots and recorded games.
    #[arg(long, conflicts_with = "review")]
    accept: bool,
    /// Lists the numbered rules that no scenario covers; ends with 1 if there are any.
    #[arg(long)]
    coverage: bool,
    /// Records so many games, of several seeds, numbers of players and bots, that together show most of the rules.
    #[arg(long, value_name = "N", conflicts_with_all = ["only", "review", "accept", "coverage"])]
    record: Option<usize>,
    /// Plays random games of so many players only.
    #[arg(long, value_name = "N")]
    players: Option<u8>,
    /// Sets an option of the game; may be given several times. Scenarios and recorded games, which have options of their
    /// own, are left out then.
    #[arg(long = "option", short = 'o', value_name = "NAME=VALUE", value_parser = option_pair)]
    options: Vec<(String, String)>,
    /// Random games that are checked for each number of players; without it 2, as far as they are played within 30 seconds.
    #[arg(long, value_name = "N")]
    random: Option<u64>,
    /// Seed of the random games.
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
}

/// Failures after one content line that are shown in full.
const ALIKE: usize = 2;

/// Runs the subcommand.
///
/// # Errors
/// If a game is not found or has errors, or something fails.
pub fn run(context: &Context, args: Args) -> Outcome {
    let (mut failed, mut run) = (0, 0);
    let meter = Meter::start("scenarios and games", None);
    let mut review = Review::new(args.review, args.accept);
    let found = each(&context.library, &args.games, &args.with)?;
    let several = found.len() > 1;
    for package in found {
        if meter.progress().stopped() {
            break;
        }
        let options: Options = args.options.iter().cloned().collect();
        let load = |package: Package| Ok((Game::load(&package, &options, None)?, package));
        let Some((game, package)) = unless_one_of(several, context, package.and_then(load))? else {
            failed += 1;
            continue;
        };
        let game = Arc::new(game);
        if let Some(count) = args.record {
            recorded::record(context, &package, &game, count, args.seed)?;
            continue;
        }
        if args.coverage {
            failed += cover(context, &game)?;
            recorded::cover(context, &package, &game)?;
            continue;
        }
        if !options.is_empty() {
            failed += random_play(context, &args, &game, &meter)?;
            continue;
        }
        let (wrong, count) = test_one(context, &args, &mut review, &package, &game, &meter)?;
        failed += wrong;
        run += count;
    }
    meter.end(&context.console)?;
    if let (Some(words), 0, false, 0) = (&args.only, run, args.coverage, failed) {
        return Err(PlayError::Finding(format!(
            "no scenario has `{words}` in its title, and no recorded game in its name"
        )));
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

/// Tests a game. Gives how much failed, and how many scenarios were run.
fn test_one(
    context: &Context,
    args: &Args,
    review: &mut Review,
    package: &Package,
    game: &Arc<Game>,
    meter: &Meter,
) -> Result<(usize, usize), PlayError> {
    let words = args.only.as_ref().map(|words| words.to_lowercase());
    let named = |title: &str| words.as_ref().is_none_or(|words| title.to_lowercase().contains(words.as_str()));
    let verdicts: Vec<Verdict> = run_watched(game, named, meter.progress())?;
    meter.pause();
    let mut wrong: BTreeSet<String> = BTreeSet::new();
    failures(context, &verdicts, &mut wrong)?;
    let records = Records::compare(context, (package, game), &verdicts, named, args.only.is_none())?;
    wrong.extend(records.sharing.iter().cloned());
    let left = review.settle(context, &records.groups(game))?;
    if in_ci() {
        records.refuse()?;
    }
    wrong.extend(left.iter().filter(|(sort, _)| *sort == Sort::Scenario).map(|(_, title)| title.clone()));
    let mut failed = wrong.len();
    if failed > 0 && !game.expansions.is_empty() && package.about_only().is_none() {
        let help = "what an expansion makes untrue of the game on purpose it can say: `remove scenario \"TITLE\"`";
        context.console.note(help);
    }
    let passed = verdicts.len() - failed;
    failed += unreadable(context, game)?;
    let left_out = game.scenarios.iter().filter(|scenario| scenario.left_out && named(&scenario.title)).count();
    let mut others = match left_out {
        0 => String::new(),
        count => format!("; {count} left out, which are for the game without expansions"),
    };
    if records.unread > 0 {
        let why = match (&game.expansions[..], game.package.origin().as_str()) {
            ([], "built in") => "built in",
            ([], _) => "packed",
            _ => "played with others",
        };
        others.push_str(&format!("; {} snapshots are not compared, for it is {why}", records.unread));
    }
    context.console.data(&format!(
        "{}: {passed} of {} scenarios passed{others}\n",
        game.full_name(),
        verdicts.len()
    ))?;
    failed += left.iter().filter(|(sort, _)| *sort != Sort::Scenario).count();
    let games = records.games;
    if games > 0 {
        let same = games - left.iter().filter(|(sort, _)| *sort == Sort::Game).count();
        let text = format!("{}: {same} of {games} recorded games are played as before\n", game.full_name());
        context.console.data(&text)?;
    }
    meter.resume();
    if args.only.is_none() && args.random != Some(0) {
        failed += random_play(context, args, game, meter)?;
    }
    Ok((failed, verdicts.len() + games))
}

/// Reports the scenarios that fail, with those that do so after one content line together.
fn failures(context: &Context, verdicts: &[Verdict], wrong: &mut BTreeSet<String>) -> Outcome {
    let mut causes: BTreeMap<String, Vec<&Verdict>> = BTreeMap::new();
    for verdict in verdicts {
        let Some(failure) = &verdict.failure else { continue };
        wrong.insert(verdict.title.clone());
        let alike = causes.entry(failure.cause.clone().unwrap_or_default()).or_default();
        alike.push(verdict);
        if alike.len() <= ALIKE {
            context.console.data(&format!("FAILED  {}\n{}", verdict.title, failure.report()))?;
        }
    }
    for (cause, alike) in causes.iter().filter(|(_, alike)| alike.len() > ALIKE) {
        context.console.data(&group(cause, alike.get(ALIKE..).unwrap_or_default()))?;
    }
    Ok(())
}

/// Shows what is wrong in files of scenarios and belongs to none of those that are run. Gives how many findings there are.
fn unreadable(context: &Context, game: &Game) -> Result<usize, PlayError> {
    let own = |found: &&Diagnostic| {
        let within = |other: &Diagnostic| other.span == found.span && other.code == found.code;
        !game.scenarios.iter().any(|scenario| scenario.unfit.iter().any(within))
    };
    let diagnostics: Diagnostics = game.scenario_errors.iter().filter(own).cloned().collect();
    let count = diagnostics.len();
    if count > 0 {
        let error = PlayError::Content { diagnostics, sources: Arc::clone(&game.sources) };
        context.console.data(&format!("FAILED  {}\n{error}", game.full_name()))?;
    }
    Ok(count)
}

fn random_play(context: &Context, args: &Args, game: &Arc<Game>, meter: &Meter) -> Result<usize, PlayError> {
    let counts = match args.players {
        Some(players) => {
            game.check_players(usize::from(players))?;
            vec![players]
        }
        None => game.rules.player_counts(),
    };
    let mut failed = 0;
    let games = args.random.unwrap_or(RANDOM);
    let until = if args.random.is_none() { Instant::now().checked_add(PATIENCE) } else { None };
    let mut cut = false;
    meter.progress().expect(games * counts.len() as u64);
    let (mut clamped, mut acts) = (Clamped::default(), Acts::default());
    for players in counts {
        let report = conformance_watched(game, players, args.seed, games, meter.progress(), until)?;
        cut |= report.cut;
        if meter.progress().stopped() {
            break;
        }
        let mut text = format!(
            "{}: {} random games of {}, {} decisions, the longest of {} turns: {}\n",
            game.full_name(),
            report.games,
            plural(players.into(), "player"),
            report.decisions,
            report.longest,
            match report.problems.is_empty() {
                true if report.cut => "all is well so far",
                true => "all is well",
                false => "FAILED",
            }
        );
        for problem in &report.problems {
            text.push_str(&format!("  {problem}\n"));
        }
        for warning in &report.warnings {
            text.push_str(&format!("  warning: {warning}\n"));
        }
        text.push_str(&room_left(game, report.room));
        failed += report.problems.len();
        clamped.join(report.clamped);
        acts.join(report.acts);
        meter.pause();
        context.console.data(&text)?;
        meter.resume();
        if cut {
            break;
        }
    }
    meter.pause();
    if cut {
        let seconds = PATIENCE.as_secs();
        context.console.note(&format!(
            "random play was stopped after {seconds} seconds: `--random {games}` plays each game to its end, `--random 0` none; a game \
             that goes on for long may want an option that shortens it",
        ));
    }
    for (lines, help) in [(clamped.lines(game), CLAMPED), (acts.lines(game), TOO_LATE)] {
        if !lines.is_empty() {
            let text: String = lines.iter().map(|line| format!("  warning: {line}\n")).collect();
            context.console.data(&text)?;
            context.console.note(help);
        }
    }
    Ok(failed)
}

/// Random games for each number of players, where nobody has said how many, and how long all of them may take.
const RANDOM: u64 = 2;
const PATIENCE: Duration = Duration::from_secs(30);

const CLAMPED: &str = "a counter that the rules mean to stop at the end of its range says so: `counter heat: 0..9 clamped`; what may be nothing has an `else`: `first(box).cost else 0`";

const TOO_LATE: &str = "what has moved elsewhere is another thing: name what it has become (`move c to heap as d`), act `before` or \
                        `instead`, or let the parameter be `maybe of`";

/// How near random play came to the room that a game has for created things, where it came near.
fn room_left(game: &Game, left: Option<usize>) -> String {
    let layout = &game.program.layout;
    match left {
        Some(left) if left < layout.room / 4 => {
            let (most, all) = (layout.capacity - left, layout.capacity);
            let more = format!("`created = {}` under `[bounds]` in the manifest makes more", 2 * layout.room);
            format!("  note: up to {most} things at a time, and there is room for {all}; {more}\n")
        }
        _ => String::new(),
    }
}

/// Failures after the same content line that are not shown in full.
fn group(cause: &str, alike: &[&Verdict]) -> String {
    let place = if cause.is_empty() { "before anything happened".to_owned() } else { format!("after [{cause}] too") };
    let mut text = format!("FAILED  {} more, {place}:\n", alike.len());
    for verdict in alike {
        let what = verdict.failure.as_ref().and_then(|failure| failure.message.lines().next()).unwrap_or_default();
        text.push_str(&format!("  {}: {what}\n", verdict.title));
    }
    text
}
