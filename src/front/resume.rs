//! Going on with a saved game. Where the game is no longer what was saved, the person says what is to be done: nothing is
//! written before that.

use super::args::{GameArgs, saved_game, warn};
use super::{Context, console};
use crate::base::shown;
use crate::play::{Game, PlayError, Saved, Session, Table};
use std::path::Path;
use std::sync::Arc;

/// What is done with a saved game that does not fit the game it is to go on with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum IfChanged {
    /// Says what differs and asks; where nobody can be asked, leaves.
    Ask,
    /// Goes on with the expansions it was saved with.
    Saved,
    /// Goes on after the last decision that fits; if the file loses any, keeps a copy of it.
    GoOn,
    /// Leaves the file as it is.
    Leave,
}

/// What is asked for on the command line.
#[derive(Clone, Copy)]
pub struct Asked<'a> {
    pub game: &'a GameArgs,
    pub players: Option<&'a str>,
    pub seed: Option<u64>,
    pub if_changed: IfChanged,
}

/// A saved game on the game that it is to go on with.
struct Found {
    session: Session,
    saved: Saved,
    differences: Vec<String>,
    problems: Vec<String>,
    /// Whether going on changes more of the file than to add decisions.
    asks: bool,
    /// Whether other expansions take part than it was saved with.
    other_set: bool,
}

/// The saved game, ready to go on; none if the person leaves.
///
/// # Errors
/// [`PlayError`] if the file cannot be read or written, the game is not found or has errors, or the arguments contradict
/// the file.
pub fn resume(context: &Context, asked: Asked<'_>, path: &Path) -> Result<Option<Table>, PlayError> {
    let saved = Saved::read(path)?;
    if let Some(other) = contradicted(context, asked, &saved)? {
        return Err(PlayError::Usage(format!("`{}` {other}", shown(&path))));
    }
    let choice = asked.if_changed;
    let with = if choice == IfChanged::Saved { None } else { asked.game.expansions() };
    let mut found = on(saved_game(context, &saved.header, Some(&asked.game.game), with)?, saved)?;
    warn(context, found.session.game());
    if found.asks {
        context.console.note(&report(path, &found));
        let answer = match choice {
            IfChanged::Ask if console::interactive() => ask(context, &found)?,
            IfChanged::Ask => return Err(PlayError::Finding(advice(&found))),
            // The set it was saved with has changed itself.
            IfChanged::Saved => IfChanged::GoOn,
            choice => choice,
        };
        match answer {
            IfChanged::Saved => return resume(context, Asked { if_changed: IfChanged::Saved, ..asked }, path),
            IfChanged::GoOn => {}
            IfChanged::Ask | IfChanged::Leave => {
                context.console.note(&format!("`{}` is as it was", shown(&path)));
                return Ok(None);
            }
        }
    } else {
        for line in found.differences.iter().chain(&found.problems) {
            context.console.note(&format!("{}: {line}", shown(&path)));
        }
    }
    if let Some(copy) = found.session.go_on_in(path, &found.saved)? {
        context.console.note(&format!("the file as it was is kept as `{}`", shown(&copy)));
    }
    context.console.note(&format!("going on after decision {}", found.session.decisions().len()));
    Ok(Some(Table::resume(found.session)))
}

/// Replays a saved game; nothing is written.
fn on(game: Arc<Game>, saved: Saved) -> Result<Found, PlayError> {
    let names: Vec<&str> = game.expansions.iter().map(|expansion| expansion.name.as_str()).collect();
    let mut before = saved.header.expansions();
    before.sort();
    let mut now = names.clone();
    now.sort_unstable();
    let other_set = before != now;
    let same_content = saved.same_content(&game);
    let differences: Vec<String> = saved.differences(&game).into_iter().map(|difference| difference.text).collect();
    let (session, mut problems) = Session::replay(game, &saved)?;
    problems.retain(|problem| !differences.contains(problem));
    let lost = session.decisions().len() < saved.decisions.len();
    let asks = !same_content || lost || saved.damaged();
    Ok(Found { session, saved, differences, problems, asks, other_set })
}

/// What is asked for on the command line and said otherwise in the file, in words.
fn contradicted(context: &Context, asked: Asked<'_>, saved: &Saved) -> Result<Option<String>, PlayError> {
    let (header, args) = (&saved.header, asked.game);
    let package = context.library.find(&args.game)?;
    let name = package.manifest().map_or(package.name, |manifest| manifest.name);
    if header.game.name != name {
        return Ok(Some(format!("is a game of `{}`", header.game.name)));
    }
    if let Some((name, value)) = args.options.iter().find(|(name, value)| header.options.get(name) != Some(value)) {
        let begun = header.options.get(name).map_or("without it".to_owned(), |old| format!("with `{name}={old}`"));
        return Ok(Some(format!(
            "was begun {begun}, not with `{name}={value}`; leave `--option` out to go on with it"
        )));
    }
    if let Some(variant) = args.variant.as_ref().filter(|variant| header.variant.as_ref() != Some(variant)) {
        let begun = header.variant.as_ref().map_or("without it".to_owned(), |old| format!("as `{old}`"));
        return Ok(Some(format!(
            "was begun {begun}, not as the variant `{variant}`; leave `--variant` out to go on with it"
        )));
    }
    if let Some(seed) = asked.seed.filter(|seed| header.seed != *seed) {
        let begun = header.seed;
        return Ok(Some(format!("has the seed {begun}, not {seed}; leave `--seed` out to go on with it")));
    }
    let same = |spec: &&str| match spec.parse::<usize>() {
        Ok(count) => header.seats.len() == count,
        Err(_) => header.seats.iter().eq(spec.split(',').map(str::trim)),
    };
    Ok(asked.players.filter(|spec| !same(spec)).map(|spec| {
        let seats = header.seats.join(",");
        format!("is played by `{seats}`, not by `{spec}`; leave `--players` out to go on with it")
    }))
}

/// What differs, package by package, and how far the decisions fit.
fn report(path: &Path, found: &Found) -> String {
    let mut text = format!("`{}` is not what would be played now:\n", shown(&path));
    for line in found.differences.iter().chain(&found.problems) {
        text.push_str(&format!("  {line}\n"));
    }
    text.push_str(&format!("  {}", fit(found)));
    text
}

fn fit(found: &Found) -> String {
    let (done, all) = (found.session.decisions().len(), found.saved.decisions.len());
    match done == all {
        true => format!("all {all} decisions that could be read fit"),
        false => format!("{done} of {all} decisions fit"),
    }
}

/// What can be done where nobody can be asked.
fn advice(found: &Found) -> String {
    let set = match (found.other_set, found.saved.header.expansions().join(",")) {
        (false, _) => String::new(),
        (true, set) if set.is_empty() => {
            "`--if-changed saved` goes on without expansions, as it was saved; ".to_owned()
        }
        (true, set) => format!("`--if-changed saved` goes on with what it was saved with, `--with {set}`; "),
    };
    format!("nothing was written. {set}`--if-changed go-on` goes on {}", how(found, "keeps"))
}

/// How it would go on with the game as it is now: a copy of the file is kept where that loses something.
fn how(found: &Found, keep: &str) -> String {
    let done = found.session.decisions().len();
    let loses = done < found.saved.decisions.len() || !found.saved.problems.is_empty();
    let copy = if loses { format!(" and {keep} a copy of the file") } else { String::new() };
    format!("after decision {done}{copy}")
}

fn ask(context: &Context, found: &Found) -> Result<IfChanged, PlayError> {
    let set = found.saved.header.expansions().join(", ");
    if found.other_set {
        let set = if set.is_empty() { "without expansions".to_owned() } else { format!("with {set}") };
        context.console.note(&format!("s  go on as it was saved, {set}"));
    }
    context.console.note(&format!("g  go on like this {}", how(found, "keep")));
    context.console.note("l  leave; the file stays as it is");
    loop {
        context.console.problem("? ");
        let mut line = String::new();
        let read = std::io::stdin().read_line(&mut line);
        match (read, line.trim()) {
            (Err(error), _) => return Err(PlayError::Io(format!("cannot read stdin: {error}"))),
            (Ok(0), _) | (_, "l" | "leave") => return Ok(IfChanged::Leave),
            (_, "g" | "go on") => return Ok(IfChanged::GoOn),
            (_, "s" | "saved") if found.other_set => return Ok(IfChanged::Saved),
            _ => {}
        }
    }
}
