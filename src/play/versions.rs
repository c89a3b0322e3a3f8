//! What a change of the rules or cards does to play: many games of two versions side by side (`pair.rs`), with their first
//! differences put together by kind and cause. A change is the cause of a difference if the game does not differ there
//! once that change alone is taken back (`parts.rs`).

use super::error::PlayError;
use super::game::Game;
pub use super::pair::{Difference, Divergence, MOST_DECISIONS, Rule};
use super::pair::{End, Pair};
use super::parts::Changes;
pub use super::parts::Part;
use super::progress::Progress;
use super::session::Session;
use super::standings::{Spread, Standings};
use std::collections::BTreeMap;
use std::sync::Arc;

/// What is to be compared.
#[derive(Clone, Debug)]
pub struct Comparison {
    /// Players in each game.
    pub players: u8,
    /// Seed of the first game; each game adds one.
    pub seed: u64,
    /// How many games.
    pub games: u64,
}

/// Why games differ.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Cause {
    /// This part of [`Report::parts`]: without its change they would not differ here.
    Part(usize),
    /// No single change: taking back any one of them leaves the difference.
    Several,
}

/// Games that first differ in the same, for the same cause.
#[derive(Clone, Debug)]
pub struct Group {
    /// What differs.
    pub difference: Difference,
    /// Why.
    pub cause: Cause,
    /// How many games.
    pub games: u64,
    /// The one in which it shows after the fewest decisions.
    pub first: Divergence,
}

/// How the games of one version went, each played to its end.
#[derive(Clone, Debug)]
pub struct Tally {
    /// Who has won.
    pub standings: Standings,
    /// Decisions of the games that have ended.
    pub decisions: Spread,
    /// Games that have ended.
    pub ended: u64,
    /// Games that could not go on, by the code of the error.
    pub failed: BTreeMap<String, u64>,
    /// Games that were given up.
    pub unfinished: u64,
}

impl Tally {
    fn add(&mut self, end: End) {
        match end {
            End::Over { winners, scores, decisions } => {
                self.ended += 1;
                self.decisions.push(decisions);
                self.standings.add_game(winners, scores.as_deref());
            }
            End::Failed(code) => *self.failed.entry(code).or_default() += 1,
            End::Open => self.unfinished += 1,
        }
    }
}

/// What came of a comparison.
#[derive(Clone, Debug)]
pub struct Report {
    /// Games that were played; fewer than asked for if somebody has stopped it.
    pub games: u64,
    /// Games that differ in play.
    pub differ: u64,
    /// Games that differ in words only.
    pub worded: u64,
    /// What differs, the most games first.
    pub groups: Vec<Group>,
    /// The parts whose texts differ.
    pub parts: Vec<Part>,
    /// How the games of both versions went.
    pub tallies: [Tally; 2],
}

impl Report {
    /// The changed parts that no group has for its cause.
    pub fn unmet(&self) -> impl Iterator<Item = &Part> {
        let met = |index: usize| self.groups.iter().any(|group| group.cause == Cause::Part(index));
        self.parts.iter().enumerate().filter(move |(index, _)| !met(*index)).map(|(_, part)| part)
    }
}

/// Plays the games and compares them.
///
/// # Errors
/// [`PlayError`] if a version is not for so many players.
pub fn compare(old: &Arc<Game>, new: &Arc<Game>, asked: &Comparison, progress: &Progress) -> Result<Report, PlayError> {
    let mut tallies = [tally(asked.players), tally(asked.players)];
    let mut blame = Blame { players: asked.players, changes: Changes::between(old, new)? };
    let mut groups: BTreeMap<Alike, Group> = BTreeMap::new();
    let (mut games, mut differ, mut worded) = (0, 0, 0);
    progress.expect(asked.games);
    for number in 0..asked.games {
        if progress.stopped() {
            break;
        }
        let seed = asked.seed.wrapping_add(number);
        let mut pair = Pair::start(old, new, asked.players, seed)?;
        let found = pair.until_they_differ(usize::MAX);
        match found.last().map(|found| found.difference) {
            Some(Difference::Words) => worded += 1,
            Some(_) => differ += 1,
            None => {}
        }
        for found in found {
            group(&mut groups, &blame.changes.parts, found);
        }
        for (end, tally) in pair.play_on().into_iter().zip(&mut tallies) {
            tally.add(end);
        }
        games += 1;
        progress.advance(1);
        progress.count(1);
    }
    let groups = blame.settle(groups.into_values().collect());
    Ok(Report { games, differ, worded, groups, parts: blame.changes.parts, tallies })
}

/// The first game that differs in more than words: how it was played on the old version, if it could begin there, and in
/// what it differs.
///
/// # Errors
/// As [`compare`].
pub fn first_difference(
    old: &Arc<Game>,
    new: &Arc<Game>,
    asked: &Comparison,
) -> Result<Option<(Option<Session>, Divergence)>, PlayError> {
    for number in 0..asked.games {
        let mut pair = Pair::start(old, new, asked.players, asked.seed.wrapping_add(number))?;
        if let Some(found) =
            pair.until_they_differ(usize::MAX).pop().filter(|found| found.difference != Difference::Words)
        {
            return Ok(Some((pair.into_old(), found)));
        }
    }
    Ok(None)
}

fn tally(players: u8) -> Tally {
    let (standings, decisions) = (Standings::new(usize::from(players)), Spread::default());
    Tally { standings, decisions, ended: 0, failed: BTreeMap::new(), unfinished: 0 }
}

/// What games have alike that are one group at first: what differs, the changed parts that have to do with it, and the rules
/// nearest to it.
type Alike = (Difference, Vec<usize>, Vec<Rule>);

/// Puts a game with those that differ in the same, behind which there are the same changed parts and the same rule.
fn group(groups: &mut BTreeMap<Alike, Group>, parts: &[Part], found: Divergence) {
    let touched = parts.iter().enumerate().filter(|(_, part)| found.touches(part)).map(|(index, _)| index).collect();
    let nearest = found.rules.iter().filter_map(|rules| rules.first().cloned()).collect();
    let alike = (found.difference, touched, nearest);
    match groups.get_mut(&alike) {
        Some(known) => known.add(1, found),
        None => {
            groups.insert(alike, Group { difference: found.difference, cause: Cause::Several, games: 1, first: found });
        }
    }
}

impl Group {
    fn add(&mut self, games: u64, other: Divergence) {
        self.games += games;
        if (other.decision, other.seed) < (self.first.decision, self.first.seed) {
            self.first = other;
        }
    }
}

/// Finds causes: a change is the cause of a difference if the game does not differ there once it is taken back.
struct Blame {
    players: u8,
    changes: Changes,
}

impl Blame {
    /// The groups with their causes, those of one cause together.
    fn settle(&mut self, groups: Vec<Group>) -> Vec<Group> {
        let mut settled: BTreeMap<(Difference, Cause), Group> = BTreeMap::new();
        for mut group in groups {
            group.cause = self.cause(&group.first);
            match settled.get_mut(&(group.difference, group.cause.clone())) {
                Some(known) => known.add(group.games, group.first),
                None => {
                    settled.insert((group.difference, group.cause.clone()), group);
                }
            }
        }
        let mut groups: Vec<Group> = settled.into_values().collect();
        groups.sort_by_key(|group| (std::cmp::Reverse(group.games), group.difference));
        groups
    }

    fn cause(&mut self, found: &Divergence) -> Cause {
        if self.changes.parts.len() == 1 {
            return Cause::Part(0);
        }
        let (players, old) = (self.players, Arc::clone(&self.changes.old));
        let words = |one: &Divergence| one.difference == Difference::Words;
        let differs = |without: &Arc<Game>| {
            let again = Pair::start(&old, without, players, found.seed).ok()?.until_they_differ(found.decision);
            Some(again.iter().any(|other| words(other) == words(found)))
        };
        self.changes.cause(|part| found.touches(part), differs).map_or(Cause::Several, Cause::Part)
    }
}
