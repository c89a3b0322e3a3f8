//! `cardwright play`

use super::args::{GameArgs, fresh_seed, warn_of_seed};
use super::options::{follow, read_script};
use super::place::ScenarioArgs;
use super::resume::{Asked, IfChanged, resume};
use super::saved::Saved;
use super::{Context, Outcome, console, line};
use crate::base::shown;
use crate::play::{Bot, Game, Package, PlayError, Player, Table};
use std::path::{Path, PathBuf};

/// Plays a game in the terminal.
#[derive(clap::Args)]
#[command(after_help = "\
Players are named in seat order, such as `human,greedy` or `human,human,random`; a number such as `4` means one person and
bots. Unless given, one person plays against as many greedy bots as the game needs. The seed is always shown: the same
seed and the same choices give the same game.

With --save every decision is on the disk before the next is asked. If the file exists already, the game goes on from
where it stands, with the expansions it was saved with unless --with names others. If the game or an expansion is not what
was saved, you are told what differs and asked what to do; --if-changed answers in advance.

GAME may be a file FILE.scenario: then the game begins in the position of its first scenario, or of --scenario TITLE, with what is
played there before the first `expect`. People play all seats, unless --players says otherwise.

With --plain, or where stdin or stdout is no terminal, everything is lines: type an option's number or its words, `why`,
`undo`, `help`. If only bots play, the record of the whole game is printed: option keys in the first column, one a line,
what happened indented below.

Examples:
  cardwright play tic-tac-toe
  cardwright play GAME --players human,greedy,greedy --save evening.save
  cardwright play ./my-game --watch
  cardwright play GAME --with NAME,NAME           with expansions; `list` shows them
  cardwright play GAME --players random,random --seed 7 --plain
  cardwright play tic-tac-toe --script moves.txt --plain
  cardwright play GAME --lang de                  in German, if it is translated
  cardwright play ./my-game --workshop            to try out a card or a situation
  cardwright play late.scenario --scenario TITLE")]
pub struct Args {
    #[command(flatten)]
    game: GameArgs,
    #[command(flatten)]
    scenario: ScenarioArgs,
    /// Who plays, in seat order: human, random, greedy.
    #[arg(long, short, value_name = "SPEC")]
    players: Option<String>,
    /// Seed of the game; a fresh one unless given.
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// Saves every decision to this file, or goes on with it.
    #[arg(long, value_name = "FILE")]
    save: Option<PathBuf>,
    /// What to do if the saved game does not fit the game and its expansions as they are now.
    #[arg(long, value_enum, value_name = "ANSWER", default_value = "ask", requires = "save")]
    if_changed: IfChanged,
    /// Notices edited content and goes on with it.
    #[arg(long)]
    watch: bool,
    /// With a workshop: go to any decision, see everything, settle what chance gives next, set counters, put cards anywhere. `:` opens it
    /// in the full screen, `help` lists it in line mode. A save says what was done.
    #[arg(long)]
    workshop: bool,
    /// Plays in another language, if the game is translated into it: `de`. Saved games know of no language.
    #[arg(long, value_name = "LANGUAGE")]
    pub lang: Option<String>,
    /// Line mode, for pipes and screen readers.
    #[arg(long)]
    plain: bool,
    /// Asks a person alone among bots also where only one thing is possible.
    #[arg(long)]
    every_choice: bool,
    /// Takes option keys or whole turns from a file first, and stops with an error at one that is not legal.
    #[arg(long, value_name = "FILE")]
    script: Option<PathBuf>,
}

/// Runs the subcommand.
///
/// # Errors
/// If the game is not found or has errors, a key of the script is not legal, or a file cannot be used.
pub fn run(context: &Context, args: Args) -> Outcome {
    let begun = args.scenario.find(context, &args.game, args.seed.is_some())?;
    let mut table = match (begun, args.save.as_deref().filter(|path| path.exists())) {
        (Some(_), Some(path)) => {
            let path = shown(&path);
            let message = format!("`{path}` is there already; `cardwright play GAME --save {path}` goes on with it");
            return Err(PlayError::Usage(message));
        }
        (Some((game, title)), None) => {
            let players = args.players.as_deref().map(|spec| named(&game, spec)).transpose()?;
            Table::at_scenario(&game, &title, players.as_deref(), args.save.as_deref())?
        }
        (None, Some(path)) => {
            let (game, players, seed) = (&args.game, args.players.as_deref(), args.seed);
            let asked = Asked { game, players, seed, if_changed: args.if_changed };
            let Some(table) = resume(context, asked, path)? else { return Ok(()) };
            table
        }
        (None, None) => {
            let game = args.game.load(context)?;
            let players = players(&game, &args)?;
            Table::new(game, players, args.seed.unwrap_or_else(fresh_seed), args.save.as_deref())?
        }
    };
    context.console.note(&format!("seed {}", table.seed()));
    warn_of_seed(context, table.game());
    if args.watch {
        let package = &table.game().package;
        let mut folders: Vec<&Path> =
            std::iter::once(package).chain(package.expansions()).filter_map(Package::path).collect();
        if folders.is_empty() {
            return Err(PlayError::Usage("only a game in a folder can be watched; `eject` makes a copy".to_owned()));
        }
        folders.extend(table.game().scenario_file.as_deref());
        let saved = Saved::watch(&folders)?;
        table.set_watch(Box::new(move || !saved.files().is_empty()));
    }
    if let Some(path) = &args.script {
        let followed = run_script(&mut table, path);
        if followed.is_err() || args.players.is_none() && !console::interactive() {
            line::print_record(context, &table)?;
            return followed;
        }
    }
    if !args.every_choice && !args.workshop {
        table.spare();
    }
    match (!args.plain && console::interactive(), args.workshop) {
        (true, workshop) => full_screen(context, &mut table, workshop),
        (false, true) => line::run_workshop(context, &mut table),
        (false, false) => line::run(context, &mut table),
    }
}

#[cfg(feature = "terminal")]
fn full_screen(context: &Context, table: &mut Table, workshop: bool) -> Outcome {
    let left = super::tui::run(table, context.console.color, workshop);
    context.console.data(&left.map_err(|error| PlayError::Io(format!("the terminal: {error}")))?)
}

#[cfg(not(feature = "terminal"))]
fn full_screen(context: &Context, table: &mut Table, workshop: bool) -> Outcome {
    if workshop { line::run_workshop(context, table) } else { line::run(context, table) }
}

fn run_script(table: &mut Table, path: &Path) -> Outcome {
    for (line, key) in read_script(path)? {
        follow(table.session_mut(), path, line, &key)?;
    }
    Ok(())
}

fn players(game: &Game, args: &Args) -> Result<Vec<Player>, PlayError> {
    let fewest = usize::from(game.rules.players.0);
    match &args.players {
        Some(spec) => named(game, spec),
        // A script makes its decisions for everybody; without one, somebody is at the keyboard.
        None if args.script.is_some() => Ok(vec![Player::Human; fewest]),
        None => Ok(with_bots(fewest.max(1))),
    }
}

/// Who plays, as `--players` says.
fn named(game: &Game, spec: &str) -> Result<Vec<Player>, PlayError> {
    if let Ok(count) = spec.parse::<usize>() {
        game.check_players(count)?;
        return Ok(with_bots(count));
    }
    let mut players = Vec::new();
    for word in spec.split(',').map(str::trim) {
        let Some(player) = Player::parse(word) else {
            return Err(PlayError::Usage(format!("`{word}` is no player; there are human, random and greedy")));
        };
        players.push(player);
    }
    game.check_players(players.len())?;
    Ok(players)
}

fn with_bots(count: usize) -> Vec<Player> {
    let bots = std::iter::repeat_n(Player::Bot(Bot::Greedy), count.saturating_sub(1));
    std::iter::once(Player::Human).chain(bots).collect()
}
