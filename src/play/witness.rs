//! A scenario that tells what was played: the decisions from the start of the game up to a moment, those that followed, and
//! what they have changed. It is written only if it passes.

use super::error::PlayError;
use super::game::{Game, Options};
use super::package::Package;
use super::recorded::home;
use super::scenario::run;
use super::session::{Made, Session};
use crate::base::{plural, shown};
use crate::engine::{Fact, Seat, View};
use crate::model::ScenarioFile;
use crate::syntax::quote;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Expectations that are written at the most; those about whole zones and properties first.
const MOST: usize = 24;
/// Attempts to leave out what cannot be expected.
const ATTEMPTS: usize = 16;
/// Columns of the lines of decisions.
const COLUMNS: usize = 110;

/// A scenario that was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Written {
    /// Its file.
    pub path: PathBuf,
    /// Its title.
    pub title: String,
    /// Decisions that it tells from the moment on.
    pub decisions: usize,
    /// What it expects after them.
    pub expected: usize,
    /// Why the tests of no package run it; none if they do.
    pub untested: Option<&'static str>,
}

impl Written {
    /// What was done, for the player.
    pub fn words(&self) -> String {
        let (decisions, expected) = (plural(self.decisions, "decision"), plural(self.expected, "expectation"));
        let run = self.untested.map(|why| format!("; {why}, so no `cardwright test` runs it")).unwrap_or_default();
        format!(
            "wrote the scenario \"{}\" with {decisions} and {expected} to `{}`: it passes{run}",
            self.title,
            shown(&self.path)
        )
    }
}

/// Writes what was played since the first `from` decisions as a scenario: to a path, or to a new file in the `scenarios` folder
/// of the package (of the last expansion that needs no others for it, if some take part) or where its manifest says that scenarios are, or here if the game is
/// built in.
///
/// # Errors
/// [`PlayError::Finding`] that says why it cannot be told by a scenario; [`PlayError::Io`] if it cannot be written.
pub fn write(session: &mut Session, from: usize, to: Option<&Path>) -> Result<Written, PlayError> {
    let game = Arc::clone(session.game());
    let decisions = session.decisions().len().saturating_sub(from);
    if decisions == 0 {
        return Err(PlayError::Finding("nothing was played since, so there is nothing to tell".to_owned()));
    }
    // Scenarios of expansions lie with the last of them, and are run on the game as all of them make it.
    let expansions = game.package.expansions();
    let package =
        if expansions.is_empty() { game.package.clone() } else { game.package.clone().about(expansions.to_vec()) };
    if !session.deeds().is_empty() {
        return Err(cannot("something in it was done by hand"));
    }
    let options = options_of(session)?;
    let mut told = |package: Package, path: PathBuf, title: String| {
        let (text, expected) = Story { game: &game, title: &title, from }.of(session, &options)?;
        let (text, expected) = passing(&package, &options, &path, &text, expected)?;
        Ok::<_, PlayError>((package, path, title, text, expected))
    };
    let mut here = |package: Package| {
        let (path, title) = free(&game, &package);
        told(package, path, title)
    };
    // The last of several by itself may not be enough: others must take part, and who tests it need not have them.
    let alone = expansions.iter().rev().map(|own| game.package.clone().about(vec![own.clone()]));
    let mut together = false;
    let (package, path, title, text, expected) = match to {
        Some(path) => told(package, path.to_owned(), title_of(&game, path))?,
        None if expansions.len() < 2 => here(package)?,
        None => match alone.into_iter().find_map(|package| here(package).ok()) {
            Some(found) => found,
            None => {
                let places = (1_usize..).map(|number| format!("{}-played-{number}.scenario", game.rules.name));
                let path = places.map(PathBuf::from).find(|path| !path.exists()).unwrap_or_default();
                together = true;
                let title = title_of(&game, &path);
                told(package, path, title)?
            }
        },
    };
    if let Some(parent) = path.parent().filter(|parent| !parent.as_os_str().is_empty()) {
        std::fs::create_dir_all(parent).map_err(|error| PlayError::io("create", parent, &error))?;
    }
    // What is there already is somebody's.
    let made =
        std::fs::File::create_new(&path).and_then(|mut file| std::io::Write::write_all(&mut file, text.as_bytes()));
    made.map_err(|error| PlayError::io("write", &path, &error))?;
    let inside = |folder: &Path| {
        let path = path.canonicalize().ok()?;
        Some(path.strip_prefix(folder.canonicalize().ok()?).ok()?.to_string_lossy().replace('\\', "/"))
    };
    let untested = match home(&package).and_then(inside) {
        _ if together => Some(TOGETHER),
        None => Some("it lies in no game's folder"),
        Some(own) if !takes(&package, &own) => Some("no pattern in `scenarios` of the manifest takes it in"),
        Some(_) => None,
    };
    Ok(Written { path, title, decisions, expected, untested })
}

const TOGETHER: &str = "it needs several of the expansions together: put it where `[with.NAME] scenarios` in the manifest of one of them takes it in";

/// Whether a file of a package counts among its scenarios.
fn takes(package: &Package, path: &str) -> bool {
    let manifest = package.about_package().manifest().unwrap_or_default();
    !manifest.select(&[path.to_owned()], |_| true).0.scenarios.is_empty()
}

/// Where the scenarios of a package can lie, with `*` for what a file is called.
fn homes(package: &Package) -> Vec<String> {
    let manifest = package.about_package().manifest().unwrap_or_default();
    let patterns = manifest.files.scenarios.unwrap_or_default().into_iter().map(|pattern| pattern.text);
    let one_star = |pattern: &String| pattern.matches('*').count() == 1 && pattern.ends_with(".scenario");
    std::iter::once("scenarios/*.scenario".to_owned()).chain(patterns.filter(one_star)).collect()
}

/// A path that no file has, where tests find it if there is such a place, and a title that no scenario has.
fn free(game: &Game, package: &Package) -> (PathBuf, String) {
    let homes = homes(package);
    let called = |home: &String, number: usize| home.replacen('*', &format!("played-{number}"), 1);
    let place = homes.iter().find(|place| takes(package, &called(place, 1))).or(homes.first());
    let mut number = 1_usize;
    loop {
        let path = match home(package).zip(place) {
            Some((folder, place)) => folder.join(called(place, number)),
            None => PathBuf::from(format!("{}-played-{number}.scenario", game.rules.name)),
        };
        let title = format!("as played, {number}");
        if !path.exists() && !game.scenarios.iter().any(|scenario| scenario.title == title) {
            return (path, title);
        }
        number += 1;
    }
}

/// The title of a scenario in a file of this name.
fn title_of(game: &Game, path: &Path) -> String {
    let stem =
        path.file_stem().map_or_else(String::new, |stem| stem.to_string_lossy().replace(['-', '_', '"', '\\'], " "));
    let stem = crate::base::visible(stem.trim()).into_owned();
    let titles = std::iter::once(stem.clone()).chain((2_usize..).map(|number| format!("{stem} {number}")));
    let mut free = titles.filter(|title| !game.scenarios.iter().any(|scenario| scenario.title == *title));
    free.next().unwrap_or(stem)
}

/// What a scenario sets of the options: those of the variant, and those that were set.
fn options_of(session: &Session) -> Result<Options, PlayError> {
    let header = session.header();
    let mut options = Options::new();
    if let Some(name) = &header.variant {
        let variant = session.game().manifest.variant(name).ok_or_else(|| cannot("its variant is not there"))?;
        options.extend(variant.options.iter().map(|preset| (preset.name.clone(), preset.value.clone())));
    }
    options.extend(header.options.clone());
    Ok(options)
}

fn cannot(why: &str) -> PlayError {
    PlayError::Finding(format!("a scenario cannot tell this game: {why}"))
}

struct Story<'a> {
    game: &'a Game,
    title: &'a str,
    from: usize,
}

impl Story<'_> {
    /// The text up to its end, without the last bracket, and what may be expected.
    fn of(&self, session: &mut Session, options: &Options) -> Result<(String, Vec<String>), PlayError> {
        let (header, made) = (session.header().clone(), session.decisions().to_vec());
        if i64::try_from(header.seed).is_err() {
            return Err(cannot("its seed is larger than the numbers of the language"));
        }
        if made.iter().any(|made| made.seat.is_none()) {
            return Err(cannot("somebody else than its seed has decided for chance"));
        }
        let mut text =
            format!("// Written in play.\nscenario {} {{\n  players {}\n", quote(self.title), header.seats.len());
        let _ = writeln!(text, "  seed {}", header.seed);
        options.iter().for_each(|(name, value)| text.push_str(&format!("  option {name} = {value}\n")));
        let (before, after) = made.split_at(self.from.min(made.len()));
        text.push_str(&played(before));
        if !before.is_empty() {
            text.push_str("\n  // What this is about.\n");
        }
        for made in after {
            let _ = writeln!(text, "  play {}{}", by(made.seat), quote(&made.key));
        }
        Ok((text, self.expected(session)?))
    }

    /// What is otherwise than before, as conditions and what else can be expected.
    fn expected(&self, session: &mut Session) -> Result<Vec<String>, PlayError> {
        let then = session.state_at(self.from)?;
        let (machine, now) = session.parts();
        let (before, seen, after) = (machine.facts(&then), machine.view_all(&then), machine.facts(now));
        let mut facts = changed(before, after);
        facts.extend(changed(pieces(self.game, &seen), pieces(self.game, &session.view_all())));
        let mut lines: Vec<String> = facts.iter().take(MOST).map(Fact::condition).collect();
        let seats =
            |seats: &[Seat]| seats.iter().map(|seat| format!("seat({})", seat + 1)).collect::<Vec<_>>().join(" + ");
        match session.outcome() {
            Some(outcome) if outcome.winners.is_empty() => lines.extend(["over".to_owned(), "draw".to_owned()]),
            Some(outcome) => lines.extend(["over".to_owned(), format!("winner {}", seats(&outcome.winners))]),
            None => lines.extend(session.deciding().map(|seat| format!("seat({}) asked", seat + 1))),
        }
        Ok(lines)
    }
}

/// `seat(1) `, who plays.
fn by(seat: Option<Seat>) -> String {
    seat.map_or(String::new(), |seat| format!("seat({}) ", seat + 1))
}

/// Decisions in lines that are not too long.
fn played(made: &[Made]) -> String {
    let (mut text, mut column) = (String::new(), 0);
    for key in made.iter().map(|made| quote(&made.key)) {
        let wide = key.chars().count() + 1;
        if column == 0 || column + wide > COLUMNS {
            text.push_str(if column == 0 { "  play" } else { "\n  play" });
            column = 6;
        }
        let _ = write!(text, " {key}");
        column += wide;
    }
    if column > 0 { text + "\n" } else { text }
}

/// The facts that are otherwise than before; what is counted no more is 0.
fn changed(before: Vec<Fact>, after: Vec<Fact>) -> Vec<Fact> {
    let known: BTreeMap<&str, &str> = before.iter().map(|fact| (fact.of.as_str(), fact.is.as_str())).collect();
    let (mut facts, mut cards) = (Vec::new(), Vec::new());
    let named = |of: &str| of.starts_with("count (");
    for fact in &after {
        let was = known.get(fact.of.as_str()).copied().unwrap_or(if named(&fact.of) { "0" } else { "" });
        if was != fact.is {
            if named(&fact.of) { cards.push(fact.clone()) } else { facts.push(fact.clone()) }
        }
    }
    let now: BTreeMap<&str, ()> = after.iter().map(|fact| (fact.of.as_str(), ())).collect();
    let gone = before.iter().filter(|fact| named(&fact.of) && !now.contains_key(fact.of.as_str()));
    cards.extend(gone.map(|fact| Fact { of: fact.of.clone(), is: "0".to_owned() }));
    facts.extend(cards);
    facts
}

/// How many pieces lie on each site of the boards for all, and whose.
fn pieces(game: &Game, view: &View) -> Vec<Fact> {
    let mut facts = Vec::new();
    for board in &view.boards {
        let info = usize::try_from(board.number).ok().and_then(|number| game.rules.boards.get(number));
        let Some(info) = info.filter(|info| {
            view.boards.iter().filter(|other| other.number == board.number).count() == 1 && !info.endless()
        }) else {
            continue;
        };
        for site in board.sites.iter().filter(|site| !site.pieces.is_empty()) {
            let mut counts: BTreeMap<Option<Seat>, usize> = BTreeMap::new();
            site.pieces.iter().for_each(|piece| *counts.entry(piece.owner).or_default() += 1);
            let on = format!("pieces(sites({}, {}))", info.name, quote(&site.name));
            facts.extend(counts.into_iter().map(|(owner, count)| {
                let whose = owner.map_or_else(|| "no owner".to_owned(), |seat| format!("owner = seat({})", seat + 1));
                Fact { of: format!("count ({on} where {whose})"), is: count.to_string() }
            }));
        }
    }
    facts
}

/// The whole text with the expectations that can be written and hold. A property may be hidden by its name, and a value be one of
/// several enums: such lines are left out.
fn passing(
    package: &Package,
    options: &Options,
    path: &Path,
    text: &str,
    mut expected: Vec<String>,
) -> Result<(String, usize), PlayError> {
    let first = text.lines().count();
    for _ in 0..ATTEMPTS {
        let lines: String = expected.iter().map(|line| format!("  expect {line}\n")).collect();
        let whole = format!("{text}{lines}}}\n");
        let file = ScenarioFile { shown: shown(&path), text: whole.clone() };
        let wrong: Vec<usize> = match Game::load_with(package, options, None, Some(&file)) {
            Ok(loaded) => {
                let loaded = Arc::new(loaded);
                let scenario = loaded.scenarios.first().ok_or_else(|| cannot("it is not read"))?;
                let Some(failure) = run(&loaded, scenario).failure else {
                    return Ok((whole, expected.len()));
                };
                let line = failure.place.rsplit(':').nth(1).and_then(|line| line.parse::<usize>().ok());
                let line = line.filter(|line| *line > first && line - first <= expected.len());
                vec![line.ok_or_else(|| cannot(&format!("played again, it goes another way\n{}", failure.report())))?]
            }
            Err(PlayError::Content { diagnostics, sources }) => {
                let errors = diagnostics.iter().filter(|found| found.is_error());
                let lines: Option<Vec<usize>> = errors
                    .map(|found| {
                        let line = sources.position(found.span.file, found.span.start).line as usize;
                        (sources.name(found.span.file) == file.shown && line > first).then_some(line)
                    })
                    .collect();
                lines.filter(|lines| !lines.is_empty()).ok_or(PlayError::Content { diagnostics, sources })?
            }
            Err(error) => return Err(error),
        };
        let mut line = first;
        expected.retain(|_| {
            line += 1;
            !wrong.contains(&line)
        });
    }
    Err(cannot("what it would expect does not hold"))
}
