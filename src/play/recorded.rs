//! Recorded games: whole games that a package keeps in `records/`, so that a changed rule is seen as changed play. A file
//! has who plays and the seed, for each turn the keys that were chosen, and what came of it: how the players stand, and
//! short digests of all that happened and of all that was offered.
//!
//! ```text
//! # lanterns: seed 7; greedy, random
//! 0 = 12 changes 5e1f
//! 1 kindle Torch | pass *2
//! 1 = red 4, blue 0; 7 changes a2c4, 9 options 10bb
//! # red wins; red 9, blue 4
//! ```

use super::bots::Bot;
use super::error::PlayError;
use super::game::Game;
use super::package::Package;
use super::record::{quoted, result, unquoted};
use super::session::{Session, Setup};
use crate::base::{Span, shown};
use crate::engine::{Change, Status};
use crate::model::rules::{ProcBody, ProcId};
use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The folder of a package in which its recorded games lie.
pub const FOLDER: &str = "records";
const ENDING: &str = "record";
/// Decisions of a recorded game at the most.
const MOST_DECISIONS: usize = 3000;
/// Turns after which the bots play no further: enough to see the rules, few enough to be read.
const MOST_TURNS: u32 = 80;
/// Largest file that is read.
const LARGEST: u64 = 1 << 20;
/// Between the keys of a turn.
const BETWEEN: &str = " | ";

/// Who plays, and the seed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Head {
    /// Seed of the game's generator, and of the bots.
    pub seed: u64,
    /// Who sits on each seat.
    pub seats: Vec<Bot>,
}

impl Head {
    fn line(&self, game: &Game) -> String {
        let seats: Vec<&str> = self.seats.iter().map(|bot| bot.word()).collect();
        format!("# {}: seed {}; {}\n", game.full_name(), self.seed, seats.join(", "))
    }

    /// Reads the first line; gives the game's name too.
    fn parse(line: &str) -> Option<(String, Head)> {
        let (name, rest) = line.strip_prefix("# ")?.split_once(": seed ")?;
        let (seed, seats) = rest.split_once("; ")?;
        let seats = seats.split(", ").map(Bot::parse).collect::<Option<Vec<Bot>>>()?;
        Some((name.to_owned(), Head { seed: seed.parse().ok()?, seats }))
    }

    /// The name of its file: `3-greedy-7.record`.
    fn file(&self) -> String {
        let first = self.seats.first().copied().unwrap_or(Bot::Random);
        let alike = self.seats.iter().all(|bot| *bot == first);
        let bots = if alike { first.word() } else { "mixed" };
        format!("{}-{bots}-{}.{ENDING}", self.seats.len(), self.seed)
    }
}

/// A recorded game as its file has it.
#[derive(Clone, Debug)]
pub struct Recorded {
    /// The file.
    pub path: PathBuf,
    /// Who plays, and the seed.
    pub head: Head,
    /// What was chosen.
    pub keys: Vec<String>,
    /// The whole text.
    pub text: String,
}

impl Recorded {
    /// The name of its file, for messages.
    pub fn name(&self) -> String {
        self.path.file_name().map_or(String::new(), |name| name.to_string_lossy().into_owned())
    }
}

/// The folder of the package whose tests count: that of the expansion, if only one of an expansion is tested.
pub fn home(package: &Package) -> Option<&Path> {
    match package.about_only() {
        Some(_) => package.expansions().last().and_then(Package::path),
        None => package.path(),
    }
}

/// The recorded games that a package keeps of a game, in the order of their names.
///
/// # Errors
/// [`PlayError`] if a file cannot be read or is not one.
pub fn recorded(package: &Package, game: &Game) -> Result<Vec<Recorded>, PlayError> {
    let Some(folder) = home(package).map(|path| path.join(FOLDER)) else { return Ok(Vec::new()) };
    let entries = match std::fs::read_dir(&folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(PlayError::io("read", &folder, &error)),
    };
    let mut paths: Vec<PathBuf> = entries.filter_map(|entry| entry.ok().map(|entry| entry.path())).collect();
    paths.retain(|path| path.extension().is_some_and(|ending| ending == ENDING));
    paths.sort();
    let mut found = Vec::new();
    for path in paths {
        let size = path.metadata().map_err(|error| PlayError::io("read", &path, &error))?.len();
        if size > LARGEST {
            return Err(PlayError::Finding(format!("`{}` is too large for a recorded game", shown(&path))));
        }
        let text = std::fs::read_to_string(&path).map_err(|error| PlayError::io("read", &path, &error))?;
        let Some((name, head)) = text.lines().next().and_then(Head::parse) else {
            let form = "its first line should be such as `# lanterns: seed 7; greedy, random`";
            return Err(PlayError::Finding(format!("`{}` is no recorded game: {form}", shown(&path))));
        };
        if name == game.full_name() {
            found.push(Recorded { path, head, keys: keys_in(&text), text });
        }
    }
    Ok(found)
}

/// The keys in the text of a recorded game.
fn keys_in(text: &str) -> Vec<String> {
    let mut keys = Vec::new();
    for line in text.lines().filter(|line| line.starts_with(|letter: char| letter.is_ascii_digit())) {
        let Some((_, rest)) = line.split_once(' ').filter(|(_, rest)| !rest.starts_with('=')) else { continue };
        for item in rest.split(BETWEEN) {
            let (key, times) = match item.rsplit_once(" *").and_then(|(key, n)| Some((key, n.parse::<usize>().ok()?))) {
                Some((key, times)) => (key, times.min(MOST_DECISIONS)),
                None => (item, 1),
            };
            keys.extend(std::iter::repeat_n(unquoted(key).into_owned(), times));
        }
    }
    keys
}

/// Keys in one line: those that follow on themselves once.
fn line_of(keys: &[String]) -> String {
    let mut items: Vec<String> = Vec::new();
    for group in keys.chunk_by(|one, other| one == other) {
        let Some(key) = group.first() else { continue };
        let ambiguous = key.contains('|') || key.contains(" *") || key.starts_with('=');
        let text = if ambiguous {
            serde_json::to_string(key).unwrap_or_default().replace('|', "\\u007c")
        } else {
            quoted(key).into_owned()
        };
        items.push(if group.len() > 1 { format!("{text} *{}", group.len()) } else { text });
    }
    items.join(BETWEEN)
}

/// A recorded game as it is played now.
pub struct Played {
    /// Its text.
    pub text: String,
    /// The game, with all that happened.
    pub session: Session,
}

/// Plays a recorded game: its keys as far as they can be chosen. Then the bots go on to the end, or to turn 80, if `on`; else what could
/// not be chosen is said.
///
/// # Errors
/// [`PlayError`] if the game cannot be started.
pub fn play(game: &Arc<Game>, head: &Head, keys: &[String], on: bool) -> Result<Played, PlayError> {
    let seats = head.seats.iter().map(|bot| bot.word().to_owned()).collect();
    let session = Session::new(Arc::clone(game), Setup { seed: head.seed, seats }, None)?;
    let mut player = Player { session, text: head.line(game), turn: Turn::default() };
    player.end_turn();
    let mut keys = keys.iter();
    let mut end = None;
    while player.session.status() == Status::Decide && player.session.decisions().len() < MOST_DECISIONS {
        let key = match keys.next() {
            Some(key) => Some(key.as_str()),
            None if on && player.session.turns() < MOST_TURNS => None,
            None => break,
        };
        if let Err(error) = player.step(head, key) {
            let lost = matches!(error, PlayError::Finding(_));
            if lost && on {
                // From here on the bots play.
                keys = [].iter();
                continue;
            }
            end = Some(format!("# stuck after {} decisions: {error}\n", player.session.decisions().len()));
            break;
        }
    }
    if !player.turn.keys.is_empty() {
        player.end_turn();
    }
    player.text.push_str(&end.unwrap_or_else(|| result(&player.session)));
    Ok(Played { text: player.text, session: player.session })
}

/// What was noted of the turn at hand.
#[derive(Default)]
struct Turn {
    number: u32,
    keys: Vec<String>,
    options: usize,
    offered: blake3::Hasher,
    /// How many changes there were before it.
    before: usize,
}

struct Player {
    session: Session,
    text: String,
    turn: Turn,
}

impl Player {
    /// Takes an option: that of a key, or what the bot of the seat picks.
    fn step(&mut self, head: &Head, key: Option<&str>) -> Result<(), PlayError> {
        let number = self.session.turns() + 1;
        if self.turn.number != number {
            if !self.turn.keys.is_empty() {
                self.end_turn();
            }
            self.turn = Turn { number, before: self.session.changes().len(), ..Turn::default() };
        }
        let Some(decision) = self.session.decision() else { return Ok(()) };
        let index = match key {
            Some(key) => match decision.options.iter().position(|option| option.key == key) {
                Some(index) => index,
                // Says why not.
                None => self.session.index_of(key)?,
            },
            None => {
                let seat = decision.seat.unwrap_or_default();
                let bot = head.seats.get(usize::from(seat)).copied().unwrap_or(Bot::Random);
                bot.pick(&mut self.session)?
            }
        };
        let chosen = decision.options.get(index).map_or(String::new(), |option| option.key.clone());
        self.session.choose(index)?;
        self.turn.offered.update(&[decision.seat.unwrap_or(u8::MAX)]);
        for option in &decision.options {
            self.turn.offered.update(option.key.as_bytes()).update(b"\n");
        }
        self.turn.options += decision.options.len();
        self.turn.keys.push(chosen);
        Ok(())
    }

    /// Writes down the turn at hand: the changes that came about in it.
    fn end_turn(&mut self) {
        let turn = std::mem::take(&mut self.turn);
        // What was answered stands in the keys.
        let changes = self.session.changes().get(turn.before..).unwrap_or_default();
        let changes: Vec<_> = changes.iter().filter(|(_, change)| !change.full.is_empty()).collect();
        let mut happened = blake3::Hasher::new();
        for (_, change) in &changes {
            happened.update(&[change.depth.min(255) as u8]).update(change.full.as_bytes()).update(b"\n");
        }
        let number = turn.number;
        if !turn.keys.is_empty() {
            let _ = writeln!(self.text, "{number} {}", line_of(&turn.keys));
        }
        let count = changes.len();
        let standing = standing(&mut self.session);
        let _ = write!(self.text, "{number} = {standing}{count} changes {}", short(&happened));
        if turn.options > 0 {
            let _ = write!(self.text, ", {} options {}", turn.options, short(&turn.offered));
        }
        self.text.push('\n');
    }
}

fn short(hasher: &blake3::Hasher) -> String {
    hasher.finalize().as_bytes().iter().take(2).map(|byte| format!("{byte:02x}")).collect()
}

/// How the players stand, if the game says how that is told.
fn standing(session: &mut Session) -> String {
    let game = Arc::clone(session.game());
    let seats = session.header().seats.len() as u8;
    let greedy = game.manifest.bots.greedy.clone();
    let (machine, state) = session.parts();
    let numbers = match &greedy {
        Some(name) => (0..seats).map(|seat| machine.player_number(state, seat, name)).collect::<Option<Vec<i64>>>(),
        None => machine.scores(state),
    };
    let told: Vec<String> = (0..seats)
        .zip(numbers.unwrap_or_default())
        .map(|(seat, number)| format!("{} {number}", game.seat_name(seat)))
        .collect();
    if told.is_empty() { String::new() } else { format!("{}; ", told.join(", ")) }
}

/// Where a recorded game and what is played now first differ: the lines, and what happens in that turn now, with causes.
pub fn difference(game: &Game, old: &str, played: &Played) -> String {
    const MOST: usize = 12;
    let (before, now): (Vec<&str>, Vec<&str>) = (old.lines().collect(), played.text.lines().collect());
    let first = before.iter().zip(&now).position(|(one, other)| one != other);
    let first = first.unwrap_or(before.len().min(now.len()));
    let turn_of = |line: &str| line.split(' ').next().and_then(|number| number.parse::<u32>().ok());
    let at = |lines: &[&str]| lines.get(first).and_then(|line| turn_of(line));
    let turn = at(&now).or_else(|| at(&before));
    let about = |lines: &[&str]| -> Vec<String> {
        let own = |(index, line): &(usize, &&str)| match turn {
            Some(_) => turn_of(line) == turn,
            None => *index == first,
        };
        lines.iter().enumerate().filter(own).map(|(_, line)| (*line).to_owned()).collect()
    };
    let (old_lines, new_lines) = (about(&before), about(&now));
    let mut text = String::new();
    for line in old_lines.iter().filter(|line| !new_lines.contains(line)) {
        let _ = writeln!(text, "  - {line}");
    }
    for line in &new_lines {
        let _ = writeln!(text, "  {} {line}", if old_lines.contains(line) { ' ' } else { '+' });
    }
    if let Some(stuck) = now.last().filter(|line| line.starts_with("# stuck") && !new_lines.iter().any(|l| l == *line))
    {
        let _ = writeln!(text, "  + {stuck}");
    }
    let session = &played.session;
    let decisions = session.decisions().iter().enumerate();
    let numbers: Vec<usize> = decisions.filter(|(_, made)| Some(made.turn + 1) == turn).map(|(at, _)| at + 1).collect();
    let told = |(decision, change): &&(usize, Change)| numbers.contains(decision) && !change.full.is_empty();
    let changes: Vec<_> = session.changes().iter().filter(told).collect();
    if !changes.is_empty() {
        let _ = writeln!(text, "    now in this turn:");
    }
    for (_, change) in changes.iter().take(MOST) {
        let place = change.causes.first().and_then(|cause| game.locate(cause.span));
        let place = place.map_or(String::new(), |place| format!("  [{place}]"));
        let _ = writeln!(text, "    {}{}{place}", "  ".repeat(usize::from(change.depth.min(4))), change.full);
    }
    if changes.len() > MOST {
        let _ = writeln!(text, "    ... and {} more", changes.len() - MOST);
    }
    text
}

/// A part of the rules that does something: a verb, an action, an effect of a card, the body of a clause.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Acting {
    /// Where it stands.
    pub span: Span,
    /// What it is.
    pub name: String,
}

/// All parts of the rules that can do something.
pub fn acting(game: &Game) -> BTreeSet<Acting> {
    let given: BTreeSet<ProcId> = game.scenarios.iter().filter_map(|scenario| scenario.given).collect();
    let procs = game.rules.procs.iter().enumerate();
    let procs = procs.filter(|(index, _)| !given.contains(&ProcId(*index as u32)));
    let procs = procs.filter(|(_, proc)| matches!(&proc.body, ProcBody::Block(stmts) if !stmts.is_empty()));
    procs.map(|(_, proc)| Acting { span: proc.span, name: proc.name.clone() }).collect()
}

/// The content lines that something came of in a game.
pub fn lines_that_acted(session: &Session) -> BTreeSet<Span> {
    session.changes().iter().flat_map(|(_, change)| change.causes.iter().map(|cause| cause.span)).collect()
}

/// Which of the parts have acted, if these lines have.
pub fn acted(parts: &BTreeSet<Acting>, lines: &BTreeSet<Span>) -> BTreeSet<Acting> {
    parts.iter().filter(|part| lines.iter().any(|line| part.span.covers(*line))).cloned().collect()
}

/// Plays games with several seeds, numbers of players and bots, and gives those `count` of them that together show most of
/// the rules, each as the file it should be.
///
/// # Errors
/// [`PlayError`] if the game cannot be played.
pub fn choose(
    game: &Arc<Game>,
    folder: &Path,
    count: usize,
    from: u64,
    mut progress: impl FnMut(&str),
) -> Result<Vec<Recorded>, PlayError> {
    let seeds = (count as u64).div_ceil(2).max(2);
    let mut candidates = Vec::new();
    for players in game.rules.player_counts() {
        for seed in 0..seeds {
            for sort in 0..3u8 {
                let bot = |seat: u8| match sort {
                    0 => Bot::Greedy,
                    1 => Bot::Random,
                    _ if seat.is_multiple_of(2) => Bot::Greedy,
                    _ => Bot::Random,
                };
                let head = Head { seed: from.wrapping_add(seed), seats: (0..players).map(bot).collect() };
                let played = play(game, &head, &[], true)?;
                progress(&format!("{}: {} decisions", head.file(), played.session.decisions().len()));
                candidates.push((head, lines_that_acted(&played.session), played.text, (players, sort)));
            }
        }
    }
    let mut chosen = Vec::new();
    let mut seen: BTreeSet<Span> = BTreeSet::new();
    let mut sorts: BTreeSet<(u8, u8)> = BTreeSet::new();
    while chosen.len() < count && !candidates.is_empty() {
        let worth = |(_, lines, text, sort): &(Head, BTreeSet<Span>, String, (u8, u8))| {
            let fresh = |part: fn(&(u8, u8)) -> u8| usize::from(!sorts.iter().any(|other| part(other) == part(sort)));
            let variety = 3 * (fresh(|sort| sort.0) + fresh(|sort| sort.1));
            (lines.difference(&seen).count() + variety, usize::MAX - text.len())
        };
        let best = (0..candidates.len()).max_by_key(|at| candidates.get(*at).map(worth));
        let (head, lines, text, sort) = candidates.swap_remove(best.unwrap_or(0));
        seen.extend(lines);
        sorts.insert(sort);
        chosen.push(Recorded { path: folder.join(head.file()), keys: keys_in(&text), head, text });
    }
    Ok(chosen)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_go_into_a_line_and_come_back() {
        let keys = ["light a1", "pass", "pass", "a | b", "= 3", "x *2", "", "# one", "pass"].map(str::to_owned);
        let line = line_of(&keys);
        assert_eq!(line.split(BETWEEN).count(), 8, "{line}");
        assert_eq!(keys_in(&format!("# head\n3 {line}\n3 = red 2; 4 changes\n# red wins\n")), keys);
    }

    #[test]
    fn the_first_line_says_who_plays() {
        let (name, head) = Head::parse("# lanterns + night-shift: seed 7; greedy, random").unwrap();
        assert_eq!((name.as_str(), head.seed), ("lanterns + night-shift", 7));
        assert_eq!(head.file(), "2-mixed-7.record");
        assert!(Head::parse("# lanterns 1.0.0, seed 7").is_none());
    }
}
