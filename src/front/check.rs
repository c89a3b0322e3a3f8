//! `cardwright check`

use super::saved::Saved;
use super::{Context, Outcome, fix, origin, stats};
use crate::base::{Diagnostics, SourceMap, plural, render_json, render_text};
use crate::core::{self, Pass};
use crate::play::{Checked, Library, Options, Package, PlayError, packages_in};
use std::path::Path;

/// Checks games without playing them and reports every mistake with its place and what would mend it.
#[derive(clap::Args)]
#[command(after_help = "\
Each finding carries a code; `cardwright explain CODE` tells more. Without a GAME it checks the folder it stands in, or
every game there is.

Examples:
  cardwright check
  cardwright check ./my-game
  cardwright check ./games                all packages in this folder
  cardwright check tic-tac-toe --json
  cardwright check tic-tac-toe --stats
  cardwright check ./my-game --fix        mends what is certain, once you have seen it
  cardwright check ./my-game --watch      checks again whenever a file is saved
  cardwright check GAME --with NAME --origin \"Lantern\"")]
pub struct Args {
    /// Names of games, or paths of their folders, or of a folder with several.
    #[arg(value_name = "GAME")]
    games: Vec<String>,
    /// Sets an option of the game; may be given several times.
    #[arg(long = "option", short = 'o', value_name = "NAME=VALUE")]
    options: Vec<String>,
    /// Adds expansions, by name or path; several are separated by commas.
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    with: Vec<String>,
    /// Checks a variant that the game declares.
    #[arg(long, value_name = "NAME")]
    variant: Option<String>,
    /// Prints one JSON object for each game, a line each, to stdout.
    #[arg(long)]
    json: bool,
    /// Prints figures about the game: its parts, the share of cards that need a script, and which lines of it are slow.
    #[arg(long)]
    stats: bool,
    /// Prints where each part comes from, of a card, verb, option, stat or whatever else has a name: package, file, line.
    #[arg(long, value_name = "NAME", conflicts_with = "json")]
    origin: Option<String>,
    /// Shows which changes mend what is wrong for certain, and makes them if you agree.
    #[arg(long, conflicts_with = "json")]
    fix: bool,
    /// Agrees to what `--fix` shows.
    #[arg(long, requires = "fix")]
    yes: bool,
    /// Checks again whenever a file is saved, until Ctrl-C.
    #[arg(long, conflicts_with_all = ["json", "fix"])]
    watch: bool,
    /// Prints the compiled program, or what a stage before it made.
    #[arg(long, value_name = "STAGE", num_args = 0..=1, require_equals = true, default_missing_value = "program")]
    dump: Option<Stage>,
    /// Prints the core as it is without passes.
    #[arg(long, value_name = "NAME", hide = true, value_parser = super::args::pass)]
    without_pass: Vec<Pass>,
}

/// A stage whose result can be printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Stage {
    /// What expressions mean, in canonical words.
    Core,
    /// Memory and instructions.
    Program,
}

/// Runs the subcommand.
///
/// # Errors
/// If a game is not found or has errors.
pub fn run(context: &Context, args: Args) -> Outcome {
    let mut options = Options::new();
    for pair in &args.options {
        let Some((name, value)) = pair.split_once('=') else {
            return Err(PlayError::Usage(format!("`{pair}` is no option; write NAME=VALUE")));
        };
        options.insert(name.trim().to_owned(), value.trim().to_owned());
    }
    let mut packages = Vec::new();
    let found = each(&context.library, &args.games, &args.with)?;
    let (several, mut bad) = (found.len() > 1, 0);
    for package in found {
        match unless_one_of(several, context, package)? {
            Some(package) => packages.push(package),
            None => bad += 1,
        }
    }
    if args.fix {
        fix::fix(context, &packages, &options, args.variant.as_deref(), args.yes)?;
    }
    if args.watch {
        return again_and_again(context, &args, &packages, &options);
    }
    for package in &packages {
        let sound = unless_one_of(several, context, check_one(context, &args, package, &options))?;
        bad += usize::from(sound != Some(true));
    }
    if bad > 0 {
        return Err(PlayError::Finding(format!("{bad} {} errors", if bad == 1 { "game has" } else { "games have" })));
    }
    Ok(())
}

/// What one package gave; none if it cannot be read, which is said here where it is one of several: it hides nothing of the others.
///
/// # Errors
/// The error, where there are no others.
pub fn unless_one_of<T>(several: bool, context: &Context, done: Result<T, PlayError>) -> Result<Option<T>, PlayError> {
    match done {
        Err(error) if several && !matches!(error, PlayError::Stopped) => {
            context.console.problem(&error.report(context.console.color));
            Ok(None)
        }
        done => done.map(Some),
    }
}

/// Checks games again whenever one of their files is saved.
fn again_and_again(context: &Context, args: &Args, packages: &[Package], options: &Options) -> Outcome {
    let saved = watched(packages)?;
    loop {
        for package in packages {
            unless_one_of(packages.len() > 1, context, check_one(context, args, package, options))?;
        }
        context.console.note("waiting for a file to be saved; Ctrl-C ends");
        saved.wait();
    }
}

/// The folders of packages, watched.
///
/// # Errors
/// [`PlayError`] if there is none, or it cannot be watched.
pub fn watched(packages: &[Package]) -> Result<Saved, PlayError> {
    let all = packages.iter().flat_map(|package| std::iter::once(package).chain(package.expansions()));
    let folders: Vec<&Path> = all.filter_map(Package::path).collect();
    if folders.is_empty() {
        return Err(PlayError::Usage(
            "what is built in or packed does not change: `eject` makes a copy to edit".to_owned(),
        ));
    }
    Saved::watch(&folders)
}

/// The games named; else the one in the current folder; else all, or those that the expansions extend. An expansion is
/// taken in each of its games.
///
/// # Errors
/// If one is not found.
pub fn packages(context: &Context, names: &[String], with: &[String]) -> Result<Vec<Package>, PlayError> {
    each(&context.library, names, with)?.into_iter().collect()
}

/// The same; of each package by itself what is wrong with it, unless it is not found at all.
///
/// # Errors
/// If one is not found.
pub fn each(
    library: &Library,
    names: &[String],
    with: &[String],
) -> Result<Vec<Result<Package, PlayError>>, PlayError> {
    let mut packages = Vec::new();
    let subjects = |library: &Library, package: Package| match library.subjects(package, with) {
        Ok(subjects) => subjects.into_iter().map(Ok).collect(),
        Err(error) => vec![Err(error)],
    };
    if names.is_empty() {
        let found = if Path::new("game.toml").is_file() {
            vec![Package::folder(Path::new("."))]
        } else if with.iter().any(|name| !name.trim().is_empty()) {
            library.games_of(with)?
        } else {
            library.list()
        };
        return Ok(found.into_iter().flat_map(|package| subjects(library, package)).collect());
    }
    for name in names {
        let folder = Path::new(name);
        let inside = if folder.join("game.toml").exists() { Vec::new() } else { packages_in(folder) };
        if !inside.is_empty() {
            // What extends a game of this folder is taken in it.
            let library = Library::new(Some(folder.to_owned()));
            packages.extend(inside.into_iter().flat_map(|package| subjects(&library, package)));
            continue;
        }
        let package = library.find(name)?;
        let is_game = package.manifest().is_some_and(|manifest| !manifest.expansion);
        match is_game && with.iter().any(|name| !name.trim().is_empty()) {
            // In versions that go together.
            true => packages.push(Ok(library.game(name, with)?)),
            false => packages.extend(subjects(library, package)),
        }
    }
    Ok(packages)
}

fn check_one(context: &Context, args: &Args, package: &Package, options: &Options) -> Result<bool, PlayError> {
    let checked = Checked::with_origins(package, options, args.variant.as_deref(), args.origin.as_deref())?;
    report(context, args, package, &checked.diagnostics, &checked.sources)?;
    if let Some(name) = &args.origin {
        context.console.data(&origin::text(package, &checked, name)?)?;
    }
    if let Some((rules, program)) = &checked.sound {
        if args.stats {
            context.console.data(&stats::text(&package.full_name(), rules, program, &checked.sources))?;
        }
        match args.dump {
            Some(Stage::Program) => context.console.data(&program.dump())?,
            Some(Stage::Core) => {
                context.console.data(&core::dump(rules, &Pass::all_but(&args.without_pass)))?;
            }
            None => {}
        }
    }
    Ok(checked.sound.is_some())
}

fn report(context: &Context, args: &Args, package: &Package, found: &Diagnostics, sources: &SourceMap) -> Outcome {
    if args.json {
        return context.console.json(&render_json(found, sources));
    }
    if !found.is_empty() {
        context.console.problem(&render_text(found, sources, context.console.color));
    }
    let errors = found.iter().filter(|diagnostic| diagnostic.is_error()).count();
    let warnings = plural(found.len() - errors, "warning");
    context.console.note(&format!("{}: {}, {warnings}", package.full_name(), plural(errors, "error")));
    Ok(())
}
