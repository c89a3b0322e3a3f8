//! `cardwright options`

use super::place::PlaceArgs;
use super::{Context, Outcome};
use crate::base::shown;
use crate::engine::{Decision, Status};
use crate::play::record::{quoted, script_keys};
use crate::play::{MAX_SAVE, PlayError, Session, files, turns};
use std::path::{Path, PathBuf};

/// Prints the legal option keys of a position, one a line, or its whole turns.
///
/// The position is the start of a game, or what a scenario file sets up, or the one that the keys of a script lead to.
#[derive(clap::Args)]
#[command(after_help = "\
GAME may be a file FILE.scenario: then the position is that of its first scenario, or of --scenario TITLE, with what is
played there before the first `expect`. Its game is the one in whose folder it lies, or --game GAME.

A script has one option key, or the text of one whole turn, a line. Empty lines, lines that begin with `#` and indented
lines are left out, so a record that `play --plain` or `replay` printed is a script too. A key that could be taken for
such a line, or that has characters which are not seen, stands in quotes: \"# one\".

With --turns all ways through the turn are walked, and each turn is written as its actions say with `notation`; decisions
that belong to no such action are written by their keys. Turns that read the same are listed once, sorted by their texts.

Examples:
  cardwright options tic-tac-toe
  cardwright options tic-tac-toe --script moves.txt --json
  cardwright options tic-tac-toe --turns
  cardwright options positions/late.scenario --game tic-tac-toe --turns")]
pub struct Args {
    #[command(flatten)]
    place: PlaceArgs,
    /// Takes the option keys and whole turns in this file first.
    #[arg(long, value_name = "FILE")]
    script: Option<PathBuf>,
    /// Lists the distinct whole turns instead of the options of the next decision.
    #[arg(long)]
    turns: bool,
    /// Prints one JSON object: version, over, seat, kind, prompt, options (key and label) and outcome (winners, scores,
    /// seats); with --turns version, over, seat, turns (text, and the keys of the first way to it) and outcome. Seats are
    /// written by their names; scores are in the order of `seats`.
    #[arg(long)]
    json: bool,
}

/// Runs the subcommand.
///
/// # Errors
/// If the position is not found or has errors, or a line of the script is not legal.
pub fn run(context: &Context, args: Args) -> Outcome {
    let mut session = args.place.session(context)?;
    if let Some(path) = &args.script {
        for (line, key) in read_script(path)? {
            follow(&mut session, path, line, &key)?;
        }
    }
    if args.turns {
        return print_turns(context, &mut session, args.json);
    }
    let decision = session.decision();
    if args.json {
        let options = decision.as_ref().map(|decision| &decision.options);
        let text = serde_json::json!({
            "version": 1,
            "over": decision.is_none(),
            "seat": seat(&session),
            "kind": decision.as_ref().map(|decision| decision.kind),
            "prompt": decision.as_ref().map(Decision::question),
            "options": options.into_iter().flatten()
                .map(|option| serde_json::json!({ "key": option.key, "label": option.label })).collect::<Vec<_>>(),
            "outcome": outcome(&session),
        });
        return context.console.json(&text.to_string());
    }
    let options = decision.map(|decision| decision.options).unwrap_or_default();
    context.console.data(&options.iter().map(|option| format!("{}\n", quoted(&option.key))).collect::<String>())
}

fn seat(session: &Session) -> Option<String> {
    session.deciding().map(|seat| session.game().seat_name(seat))
}

/// The outcome as JSON: seats by their names, scores in the order of `seats`.
fn outcome(session: &Session) -> Option<serde_json::Value> {
    let outcome = session.outcome()?;
    let name = |seat: u8| session.game().seat_name(seat);
    let winners: Vec<String> = outcome.winners.iter().map(|seat| name(*seat)).collect();
    Some(
        serde_json::json!({ "winners": winners, "lost": outcome.lost, "scores": outcome.scores, "seats": seats(session) }),
    )
}

fn seats(session: &Session) -> Vec<String> {
    (0u8..).take(session.header().seats.len()).map(|seat| session.game().seat_name(seat)).collect()
}

fn print_turns(context: &Context, session: &mut Session, json: bool) -> Outcome {
    let found = session.turns_from_here()?;
    if !json {
        return context.console.data(&found.iter().map(|turn| format!("{}\n", quoted(&turn.text))).collect::<String>());
    }
    let mut listed = Vec::with_capacity(found.len());
    for turn in found {
        let keys = session.ahead(|game, machine, state| turns::keys(game, machine, state, &turn.path))?;
        listed.push(serde_json::json!({ "text": turn.text, "keys": keys }));
    }
    let text = serde_json::json!({
        "version": 1,
        "over": session.status() == Status::Over,
        "seat": seat(session),
        "turns": listed,
        "outcome": outcome(session),
    });
    context.console.json(&text.to_string())
}

/// What to do about a line that is an outcome of chance.
const DRAWN: &str =
    "\nhelp: chance was drawn on the way here; `options` and `show` take its outcomes from a script with --chance all";

/// The keys of a script with their lines.
///
/// # Errors
/// If it cannot be read.
pub fn read_script(path: &Path) -> Result<Vec<(usize, String)>, PlayError> {
    let text = files::read_text(path, MAX_SAVE)?;
    Ok(script_keys(&text))
}

/// Takes the option of a script's key, or the steps of a whole turn.
///
/// # Errors
/// If it is not legal; the message says on which line.
pub fn follow(session: &mut Session, path: &Path, line: usize, key: &str) -> Result<(), PlayError> {
    let steps = session.path_of(key).map_err(|error| match error {
        PlayError::Finding(reason) => {
            let drawn = if session.chance_is_drawn() { DRAWN } else { "" };
            PlayError::Finding(format!("{}:{line}: {reason}{drawn}", shown(&path)))
        }
        other => other,
    })?;
    for index in steps {
        session.choose(index)?;
    }
    Ok(())
}
