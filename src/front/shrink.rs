//! `cardwright shrink`

use super::args::saved_game;
use super::meter::Meter;
use super::place::scenario_file;
use super::{Context, Outcome};
use crate::base::{plural, shown, visible};
use crate::play::shrink::{Shown, Small, Watch, shrink_save, shrink_scenario, write_save};
use crate::play::{Options, PlayError, Saved};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Makes a saved game or a failing scenario as small as it can be while it still shows the same.
#[derive(clap::Args)]
#[command(after_help = "\
A save is made smaller by leaving out decisions; those that are not legal any more are passed over. It keeps showing that a
decision fails, one of its own or one that can be chosen at its end, or with --shows a part of the log, of the result or of an
error. A scenario is made smaller by leaving out decisions, steps and statements of `given`; the same step still fails with the
same code. The result is always the same, unless time runs out.

Examples:
  cardwright shrink evening.save             writes evening.save.small
  cardwright shrink evening.save --shows 'the lamp explodes'
  cardwright shrink evening.save --shows E0902 --out short.save
  cardwright shrink ./lanterns/scenarios/late.scenario --scenario 'the last card'")]
pub struct Args {
    /// A file that `play --save` wrote, or a FILE.scenario.
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// What a saved game must still show: a part of a line of the log, of the result, or of an error.
    #[arg(long, value_name = "TEXT", conflicts_with = "scenario")]
    shows: Option<String>,
    /// The title of the scenario; the first that fails unless given.
    #[arg(long, value_name = "TITLE")]
    scenario: Option<String>,
    /// The game it is of: a name or path; the one the file names or lies in unless given.
    #[arg(long, value_name = "GAME")]
    game: Option<String>,
    /// The expansions, by name or path; those that a save names unless given, and none for `--with ""`.
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    with: Vec<String>,
    /// The file to write; FILE.small unless given.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Ends after so many seconds with what it has.
    #[arg(long, value_name = "N", default_value_t = 60)]
    seconds: u64,
}

/// Decisions that are listed; more are read in the file.
const LISTED: usize = 60;

/// Runs the subcommand.
///
/// # Errors
/// If the file or its game is not found or has errors, it shows nothing, or the smaller one cannot be written.
pub fn run(context: &Context, args: Args) -> Outcome {
    let out = args.out.clone().unwrap_or_else(|| {
        let mut name = args.file.clone().into_os_string();
        name.push(".small");
        name.into()
    });
    if out.exists() {
        return Err(PlayError::Io(format!("`{}` is there already: name another file, `--out FILE`", shown(&out))));
    }
    let meter = Meter::start("attempts", None);
    let until = Instant::now().checked_add(Duration::from_secs(args.seconds)).unwrap_or_else(Instant::now);
    let progress = std::sync::Arc::clone(meter.progress());
    let watch = Watch { progress: &progress, until };
    let scenario = args.file.extension().is_some_and(|ending| ending == "scenario");
    let told = if scenario { of_scenario(context, &args, &out, &watch) } else { of_save(context, &args, &out, &watch) };
    let late = Instant::now() >= until;
    let ended = meter.end(&context.console);
    let told = told?;
    context.console.data(&told)?;
    if late && ended.is_ok() {
        context.console.note(&format!("it could be smaller yet: {} seconds are over (`--seconds N`)", args.seconds));
    }
    context.console.note(&format!("wrote `{}` after {}", shown(&out), plural(progress.counted() as usize, "attempt")));
    ended
}

fn of_save(context: &Context, args: &Args, out: &Path, watch: &Watch<'_>) -> Result<String, PlayError> {
    let saved = Saved::read(&args.file)?;
    if args.scenario.is_some() {
        return Err(PlayError::Usage("--scenario belongs to a scenario file".to_owned()));
    }
    let with = (!args.with.is_empty()).then_some(args.with.as_slice());
    let game = saved_game(context, &saved.header, args.game.as_deref(), with)?;
    let (what, keys) = shrink_save(&game, &saved, args.shows.as_deref(), watch)?;
    let session = write_save(&game, &saved, &keys, out)?;
    let mut told = format!("{} of {}\n", keys.len(), plural(saved.decisions.len(), "decision"));
    if keys.len() > LISTED {
        told.push_str(&format!("`cardwright replay {}` lists them\n", shown(&out)));
    }
    for (index, key) in keys.iter().enumerate().filter(|_| keys.len() <= LISTED) {
        let seat = session.decisions().get(index).and_then(|made| made.seat);
        let who = seat.map_or_else(String::new, |seat| format!("{}: ", game.seat_name(seat)));
        told.push_str(&format!("{:>4}  {who}{}\n", index + 1, visible(key)));
    }
    told.push_str(&match what {
        Shown::Words(words) => format!("shows `{}`\n", visible(&words)),
        Shown::Fails { key, error, .. } => format!("then `{}` fails: {}\n", visible(&key), error.trim_end()),
    });
    Ok(told)
}

fn of_scenario(context: &Context, args: &Args, out: &Path, watch: &Watch<'_>) -> Result<String, PlayError> {
    if args.shows.is_some() {
        return Err(PlayError::Usage("--shows belongs to a saved game; a scenario shows that it fails".to_owned()));
    }
    let (package, file) = scenario_file(context, &args.file, args.game.as_deref(), &args.with)?;
    let small = shrink_scenario(&package, &Options::new(), &file, args.scenario.as_deref(), watch)?;
    let Small { text, title, before, after, failure } = small;
    let made = std::fs::File::create_new(out).and_then(|mut file| file.write_all(text.as_bytes()));
    made.map_err(|error| PlayError::io("write", out, &error))?;
    let parts =
        |(keys, steps): (usize, usize)| format!("{} and {}", plural(keys, "decision"), plural(steps, "other part"));
    let head = format!("\"{}\": {} of {}\n", visible(&title), parts(after), parts(before));
    Ok(format!("{head}{text}{}", failure.report()))
}
