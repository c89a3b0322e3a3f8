//! Records that are not as they were accepted: snapshots of scenarios and recorded games. Each is shown as the lines that
//! differ, under the turn and decision they belong to, with the content lines they come of; and they are put together by the
//! changed part of rules or cards that is the cause, as `versions.rs` does. The older version is that of the last commit.
//! Where there is none, or no single part explains it, the rule behind the first line that differs stands for the cause.

use super::game::Game;
use super::lines::Lines;
use super::pair::{Difference, Divergence, Rule};
use super::parts::Changes;
use super::record::{Told, changes_told, whole};
use super::recorded::{self, Played, Recorded};
use super::scenario;
use super::session::Session;
use super::snapshot::Snapshot;
use similar::ChangeTag;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;
use std::sync::Arc;

/// Lines that differ which are shown of a snapshot, and of a recorded game, which differs in all that follows.
const MOST_SHOWN: usize = 40;
const MOST_OF_GAME: usize = 12;

/// A record that is played otherwise than it was accepted.
pub struct Changed {
    /// Where it is kept.
    pub source: Source,
    /// Its text as it was accepted, and as it is now.
    pub texts: [String; 2],
}

/// Where a record is kept.
pub enum Source {
    /// As the snapshot of a scenario.
    Snapshot(Snapshot),
    /// As a recorded game.
    Game(Recorded),
}

/// Records that differ for one reason, those with the fewest differing lines first.
pub struct Alike {
    /// The reason, in words.
    pub reason: String,
    /// Each record's place in the list that was given, and how it differs.
    pub members: Vec<(usize, String)>,
}

/// What the first differences of records have in common: their sort, the changed parts and the rules that are near.
type Likeness = (Difference, Vec<usize>, Vec<Rule>);

/// Puts records of one game together by cause.
pub fn alike(game: &Arc<Game>, records: &[Changed]) -> Vec<Alike> {
    let mut changes = if records.is_empty() { None } else { since_last_commit(game) };
    let old = changes.as_ref().map(|changes| Arc::clone(&changes.old));
    // Of records behind whose first difference there are the same parts and rules, one is looked into.
    let mut groups: BTreeMap<Likeness, Vec<(usize, Look)>> = BTreeMap::new();
    for (index, record) in records.iter().enumerate() {
        let look = record.look(game, old.as_ref());
        let parts = changes.iter().flat_map(|changes| changes.parts.iter().enumerate());
        let touched = parts.filter(|(_, part)| look.first.touches(part)).map(|(at, _)| at).collect();
        let nearest = look.first.rules.iter().filter_map(|rules| rules.first().cloned()).collect();
        groups.entry((look.first.difference, touched, nearest)).or_default().push((index, look));
    }
    let mut reasons: BTreeMap<String, Vec<(usize, Look)>> = BTreeMap::new();
    for members in groups.into_values() {
        for (reason, members) in by_reason(game, changes.as_mut(), records, members) {
            reasons.entry(reason).or_default().extend(members);
        }
    }
    let mut found: Vec<Alike> = Vec::new();
    for (reason, mut members) in reasons {
        members.sort_by_key(|(index, look)| (look.lines, *index));
        found.push(Alike { reason, members: members.into_iter().map(|(index, look)| (index, look.told)).collect() });
    }
    found.sort_by_key(|group| std::cmp::Reverse(group.members.len()));
    found
}

/// Members of a group by their reasons: the cause of the first is asked of the others, and so on for those that have another.
fn by_reason(
    game: &Arc<Game>,
    mut changes: Option<&mut Changes>,
    records: &[Changed],
    mut members: Vec<(usize, Look)>,
) -> Vec<(String, Vec<(usize, Look)>)> {
    let mut found = Vec::new();
    members.sort_by_key(|(index, look)| (look.lines, *index));
    let differs = |index: usize, game: &Arc<Game>| records.get(index)?.differs_on(game);
    while let Some((index, look)) = members.first() {
        let cause = changes.as_mut().and_then(|changes| {
            let part = changes.cause(|part| look.first.touches(part), |game| differs(*index, game))?;
            let without = changes.without(part)?;
            Some((format!("cause: {}", changes.parts.get(part)?.line(&changes.old, &changes.new)), without))
        });
        // Where no part explains the first of them, none is looked for behind the others.
        let reason = cause.as_ref().map_or_else(|| in_words(game, &look.first), |(reason, _)| reason.clone());
        let (own, others) = members
            .into_iter()
            .partition(|(index, _)| cause.as_ref().is_none_or(|(_, without)| differs(*index, without) == Some(false)));
        found.push((reason, own));
        members = others;
    }
    found
}

/// What has changed since the last commit, if Git knows of one and something has.
fn since_last_commit(game: &Arc<Game>) -> Option<Changes> {
    let old = Game::load(&game.package.committed()?, &game.options, game.variant.as_deref()).ok()?;
    Changes::between(&Arc::new(old), game).ok().filter(|changes| !changes.parts.is_empty())
}

/// The kind of a difference, and the rule behind it.
fn in_words(game: &Game, first: &Divergence) -> String {
    let what = match first.difference {
        Difference::Options => "what can be chosen differs",
        Difference::Decider => "who is asked, or what, differs",
        Difference::Ending | Difference::Outcome => "how it ends differs",
        Difference::Events | Difference::Words => "what happens differs",
    };
    let [_, rules] = &first.rules;
    let rule = rules.iter().find_map(|(name, span)| Some(format!(", first in {name}  [{}]", game.locate(*span)?)));
    format!("{what}{}", rule.unwrap_or_default())
}

/// How a record differs.
struct Look {
    first: Divergence,
    told: String,
    lines: usize,
}

impl Changed {
    /// The scenario's title, or the name of the recorded game.
    pub fn title(&self) -> String {
        match &self.source {
            Source::Snapshot(snapshot) => snapshot.title.clone(),
            Source::Game(recorded) => format!("recorded game {}", recorded.name()),
        }
    }

    /// The file it is kept in.
    pub fn path(&self) -> &Path {
        match &self.source {
            Source::Snapshot(snapshot) => &snapshot.path,
            Source::Game(recorded) => &recorded.path,
        }
    }

    /// Its text on a version of the game.
    fn on(&self, game: &Arc<Game>) -> Option<Played> {
        match &self.source {
            Source::Game(recorded) => recorded::play(game, &recorded.head, &recorded.keys, false).ok(),
            Source::Snapshot(snapshot) => {
                let session = scenario::played(game, &snapshot.title)?;
                Some(Played { text: whole(&session, Told::All), session })
            }
        }
    }

    /// Whether it differs in the same place, or before, on another version.
    fn differs_on(&self, game: &Arc<Game>) -> Option<bool> {
        let [old, new] = &self.texts;
        let now = self.on(game)?;
        Some(first_line(old, &now.text).is_some_and(|at| first_line(old, new).is_none_or(|first| at <= first)))
    }

    fn look(&self, game: &Arc<Game>, older: Option<&Arc<Game>>) -> Look {
        let [old, new] = &self.texts;
        let then = older.and_then(|older| self.on(older)).filter(|then| first_line(old, &then.text).is_none());
        let now = self.on(game);
        let sides = match (&self.source, &then) {
            // Recorded games have digests instead of lines.
            (Source::Game(_), Some(then)) => [Side::of(&then.session), Side::new("", now.as_ref())],
            (Source::Game(_), None) => {
                let told = now.as_ref().map_or(String::new(), |now| recorded::difference(game, old, now));
                let kind = if told.contains("# stuck") { Difference::Options } else { Difference::Events };
                return Look { lines: told.lines().count(), told, first: divergence(kind, 0, Default::default()) };
            }
            (Source::Snapshot(_), _) => [Side::new(old, then.as_ref()), Side::new(new, now.as_ref())],
        };
        let [one, other] = &sides;
        let differs = first_line(&one.text, &other.text);
        let at = differs.unwrap_or(0);
        let line = |side: &Side| side.text.lines().nth(at).unwrap_or_default().to_owned();
        // Digests are of the options, too, of which a playthrough has only those that were chosen.
        let kind = differs.map_or(Difference::Options, |_| kind_of(&line(one), &line(other)));
        let mut first = divergence(kind, at, [one.rules(at), other.rules(at)]);
        first.only = sides.each_ref().map(|side| vec![side.heading(at), line(side)]);
        let most = if matches!(self.source, Source::Game(_)) { MOST_OF_GAME } else { MOST_SHOWN };
        let (told, lines) = differing(one, other, most);
        Look { first, told, lines }
    }
}

fn divergence(difference: Difference, decision: usize, rules: [Vec<Rule>; 2]) -> Divergence {
    Divergence { seed: 0, decision, difference, after: None, only: Default::default(), rules }
}

/// The first line in which two texts differ.
fn first_line(old: &str, new: &str) -> Option<usize> {
    let (old, new): (Vec<&str>, Vec<&str>) = (old.trim_end().lines().collect(), new.trim_end().lines().collect());
    let same = old.iter().zip(&new).take_while(|(one, other)| one == other).count();
    (same < old.len().max(new.len())).then_some(same)
}

/// What two lines of a playthrough are about that differ.
fn kind_of(old: &str, new: &str) -> Difference {
    let either = |holds: fn(&str) -> bool| holds(old) || holds(new);
    if either(|line| line.starts_with("    ") && !line.starts_with("    # ")) {
        Difference::Events
    } else if either(|line| line.starts_with("    # ")) {
        Difference::Decider
    } else if either(|line| !line.is_empty() && !line.starts_with('#')) {
        Difference::Options
    } else {
        Difference::Outcome
    }
}

/// A playthrough on one version.
struct Side {
    text: String,
    /// The rules behind each line, nearest first, and where they are.
    causes: Vec<Vec<Rule>>,
    game: Option<Arc<Game>>,
}

impl Side {
    fn of(session: &Session) -> Side {
        let rules = |number: Option<usize>| {
            let change = number.and_then(|number| session.changes().get(number.checked_sub(1)?));
            let causes = change.into_iter().flat_map(|(_, change)| &change.causes);
            causes.map(|cause| (cause.what.clone(), cause.span)).collect()
        };
        let causes = changes_told(session).into_iter().map(rules).collect();
        Side { text: whole(session, Told::All), causes, game: Some(Arc::clone(session.game())) }
    }

    /// A side that was played, or of which only the text is there.
    fn new(text: &str, played: Option<&Played>) -> Side {
        let alone = || Side { text: text.to_owned(), causes: Vec::new(), game: None };
        played.map_or_else(alone, |played| Side::of(&played.session))
    }

    fn rules(&self, line: usize) -> Vec<Rule> {
        self.causes.get(line).cloned().unwrap_or_default()
    }

    /// The content line that a line comes of, in brackets.
    fn place(&self, line: usize) -> Option<String> {
        let (_, span) = self.causes.get(line)?.first()?;
        Some(format!("  [{}]", self.game.as_ref()?.locate(*span)?))
    }

    /// The turn, the decision and its key that a line belongs to.
    fn heading(&self, line: usize) -> String {
        let before: Vec<&str> = self.text.lines().take(line + 1).collect();
        let Some(at) = before.iter().rposition(|line| line.starts_with("    # ")) else { return "setup".to_owned() };
        let rest = before.get(at).map_or("", |line| line.trim_start_matches([' ', '#']));
        let (number, who) = rest.split_once(". ").unwrap_or(("", rest));
        let who = who.split_once(": ").map_or(who, |(who, _)| who);
        let turn = before.iter().rev().find_map(|line| line.strip_prefix("# turn "));
        let turn = turn.map_or(String::new(), |turn| format!("turn {turn}, "));
        let key = at.checked_sub(1).and_then(|above| before.get(above)).filter(|line| !line.starts_with([' ', '#']));
        format!("{turn}decision {number}, {who}{}", key.map_or(String::new(), |key| format!(": {key}")))
    }
}

/// The lines that differ under their headings, each with its content line, and one line around them. And how many differ.
fn differing(old: &Side, new: &Side, most: usize) -> (String, usize) {
    let (before, now) = (format!("{}\n", old.text.trim_end()), format!("{}\n", new.text.trim_end()));
    let (mut text, mut lines, mut last) = (String::new(), 0, String::new());
    for change in Lines::of(&before, &now).changes(1) {
        let (mark, side, at) = match change.tag() {
            ChangeTag::Equal => (' ', None, change.new_index()),
            ChangeTag::Delete => ('-', Some(old), change.old_index()),
            ChangeTag::Insert => ('+', Some(new), change.new_index()),
        };
        let (line, at) = (change.value().trim_end(), at.unwrap_or_default());
        lines += usize::from(side.is_some());
        // What a heading says already is no surrounding.
        let around = side.is_none() && (!line.starts_with("    ") || line.starts_with("    # "));
        if around || lines > most {
            continue;
        }
        let heading = side.unwrap_or(new).heading(at);
        if heading != last {
            let _ = writeln!(text, "  {heading}");
            last = heading;
        }
        let place = side.and_then(|side| side.place(at)).unwrap_or_default();
        let _ = writeln!(text, "  {mark} {line}{place}");
    }
    if lines > most {
        let _ = writeln!(text, "  ... and {} more lines differ", lines - most);
    }
    (text, lines)
}
