//! `cardwright show`

use super::args::{saved_game, seat_named};
use super::options::{follow, read_script};
use super::place::PlaceArgs;
use super::svg::Shot;
use super::{Context, Outcome};
use crate::base::shown;
use crate::engine::View;
use crate::play::position::{describe, describe_decision};
use crate::play::spots::last_changed;
use crate::play::{PlayError, Saved, Session};
use std::path::PathBuf;
use std::sync::Arc;

/// Shows a position, as text or as a picture.
///
/// The position is the start of a game, or what a scenario file sets up, or the one that a saved game or a script leads
/// to. It is shown as a seat sees it; unless one is named, as the player sees it who decides, or, in a game with hidden
/// cards, as everybody sees it.
#[derive(clap::Args)]
#[command(
    after_help = "\
GAME may be a file FILE.scenario: then the position is that of its first scenario, or of --scenario TITLE, with what is
played there before the first `expect`. Its game is the one in whose folder it lies, or --game GAME.

Pictures are SVG files. Colours and shapes are those of the game's `look` sections; what they leave open is chosen.

Examples:
  cardwright show tic-tac-toe --script moves.txt
  cardwright show tic-tac-toe --script moves.txt --svg position.svg
  cardwright show ./mine/late.scenario --svg late.svg
  cardwright show --save evening.save --at 12 --seat red --svg -
  cardwright show ./mine --save evening.save --at 12 --why 'strength of red'",
    mut_arg("game", of_save)
)]
pub struct Args {
    #[command(flatten)]
    place: PlaceArgs,
    /// Shows what a file that `play --save` wrote leads to; it says of which game, if none is named.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["script", "players", "seed", "options", "with", "variant", "scenario", "about"])]
    save: Option<PathBuf>,
    /// Takes the option keys and whole turns in this file first.
    #[arg(long, value_name = "FILE")]
    script: Option<PathBuf>,
    /// Shows the position after the first N decisions.
    #[arg(long, value_name = "N")]
    at: Option<usize>,
    /// The seat through whose eyes it is shown: its name, or its number from 1.
    #[arg(long, value_name = "NAME")]
    seat: Option<String>,
    /// Tells what a value is made of, instead of the position: `total`, `strength of red`; `all`: the numbers in the
    /// lines above the table.
    #[arg(long, value_name = "VALUE", conflicts_with = "svg")]
    why: Option<String>,
    /// Shows it in another language, if the game is translated into it: `de`.
    #[arg(long, value_name = "LANGUAGE")]
    pub lang: Option<String>,
    /// Writes a picture to this file; `-` is stdout.
    #[arg(long, value_name = "OUT")]
    svg: Option<PathBuf>,
}

/// A saved game says which one it is.
fn of_save(game: clap::Arg) -> clap::Arg {
    game.required(false).required_unless_present("save").default_value("").hide_default_value(true)
}

/// Runs the subcommand.
///
/// # Errors
/// If the game is not found or has errors, the position cannot be reached, or the picture cannot be written.
pub fn run(context: &Context, args: Args) -> Outcome {
    let mut session = position(context, &args)?;
    if let Some(at) = args.at {
        session.undo_to(at)?;
    }
    let game = Arc::clone(session.game());
    let named = args.seat.as_ref().map(|name| seat_named(&game, session.header().seats.len(), name)).transpose()?;
    let view = match named {
        Some(seat) => session.view(Some(seat)),
        None => open_view(&mut session),
    };
    if let Some(name) = &args.why {
        let decides = view.seat.is_some() && view.seat == session.deciding();
        let lines = session.explain(view.seat, decides, name)?;
        return context.console.data(&lines.iter().map(|line| format!("{line}\n")).collect::<String>());
    }
    let Some(path) = &args.svg else {
        let mut text = describe(&view);
        if let Some(decision) = &view.decision {
            let mut who = decision.seat.map_or("chance".to_owned(), |seat| game.seat_read(seat));
            if let Some(maker) = decision.by.filter(|maker| view.seat == Some(*maker)) {
                who = format!("{}, while {who} decides", game.seat_read(maker));
            }
            text.push_str(&describe_decision(decision, &who));
        }
        return context.console.data(&text);
    };
    let last = last_changed(&mut session, &view)?;
    let picture = Shot::new(&game.read().title, view, last).svg();
    if path.as_os_str() == "-" {
        return context.console.data(&picture);
    }
    std::fs::write(path, picture).map_err(|error| PlayError::io("write", path, &error))
}

fn position(context: &Context, args: &Args) -> Result<Session, PlayError> {
    if let Some(path) = &args.save {
        let saved = Saved::read(path)?;
        let named = Some(args.place.game.game.as_str()).filter(|name| !name.is_empty());
        let game = saved_game(context, &saved.header, named, args.place.game.expansions())?;
        let (session, problems) = Session::replay(game, &saved)?;
        for problem in &problems {
            context.console.note(&format!("{}: {problem}", shown(&path)));
        }
        return Ok(session);
    }
    let mut session = args.place.session(context)?;
    if let Some(path) = &args.script {
        for (line, key) in read_script(path)? {
            follow(&mut session, path, line, &key)?;
        }
    }
    Ok(session)
}

/// What the player sees who decides, if everybody sees the same; else what everybody sees.
fn open_view(session: &mut Session) -> View {
    let all = session.view(None);
    match session.deciding() {
        Some(seat) if !all.hides() => session.view(Some(seat)),
        _ => all,
    }
}
