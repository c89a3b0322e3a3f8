//! One game on two versions of its rules. Both sides choose by the keys of the options: of those that are offered, the one
//! whose number for this seed and decision is the least. So a side needs to know nothing of the other, and both take the
//! same decisions while both offer them.

use super::error::PlayError;
use super::game::Game;
use super::parts::Part;
use super::random::Dice;
use super::record::outcome_words;
use super::renames::Renames;
use super::session::{Session, Setup};
use crate::base::Span;
use crate::engine::{CauseLink, Change, Decision, GameError, Machine, State};
use std::collections::BTreeSet;
use std::sync::Arc;

/// Decisions after which a game is given up.
pub const MOST_DECISIONS: usize = 20_000;
/// Options that are listed of those on one side only.
const MOST_LISTED: usize = 6;

/// In what two games differ first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Difference {
    /// What may be chosen.
    Options,
    /// What has happened since the last decision.
    Events,
    /// Who decides.
    Decider,
    /// Whether the game is over, or cannot go on.
    Ending,
    /// Who has won, or the scores.
    Outcome,
    /// Only how it is said: the words of a question or a note. The game goes on as before.
    Words,
}

impl Difference {
    /// Its name.
    pub fn word(self) -> &'static str {
        match self {
            Difference::Options => "options",
            Difference::Events => "events",
            Difference::Decider => "decider",
            Difference::Ending => "ending",
            Difference::Outcome => "outcome",
            Difference::Words => "words",
        }
    }
}

/// A rule behind something: what it is, and where.
pub type Rule = (String, Span);

/// The first difference of a game. What there are two of is of the old version, then of the new.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Divergence {
    /// Seed of the game.
    pub seed: u64,
    /// The number of the decision before which it shows, from 1.
    pub decision: usize,
    /// What differs.
    pub difference: Difference,
    /// The decision that led to it in words; none in setup.
    pub after: Option<String>,
    /// What there is on one side only, in words.
    pub only: [Vec<String>; 2],
    /// The rules behind it, nearest first.
    pub rules: [Vec<Rule>; 2],
}

impl Divergence {
    /// Whether a part has to do with it: a rule behind it stands there, or it is named.
    pub fn touches(&self, part: &Part) -> bool {
        let covers = |whole: &Option<Span>, rules: &Vec<Rule>| {
            whole.is_some_and(|whole| rules.iter().any(|(_, span)| whole.covers(*span)))
        };
        let stands = [part.old, part.new].iter().zip(&self.rules).any(|(whole, rules)| covers(whole, rules));
        stands || self.only.iter().flatten().any(|text| part.is_named_in(text))
    }
}

/// How a game ended on one version.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum End {
    /// It was played to its end.
    Over {
        /// The seats that have won, as a mask.
        winners: u64,
        /// The numbers by which seats are compared.
        scores: Option<Vec<Vec<i64>>>,
        /// Decisions until then.
        decisions: u64,
    },
    /// It could not go on: the code of the error.
    Failed(String),
    /// It was given up after [`MOST_DECISIONS`].
    Open,
}

/// What one side has that the other has not, in words, and the rules behind it.
type Found = (Vec<String>, Vec<Rule>);

/// One game on both versions.
pub struct Pair {
    seed: u64,
    sides: [Side; 2],
}

impl Pair {
    /// Begins a game on both.
    ///
    /// # Errors
    /// [`PlayError`] if a version is not for so many players.
    pub fn start(old: &Arc<Game>, new: &Arc<Game>, players: u8, seed: u64) -> Result<Pair, PlayError> {
        // What cards are called in the new version, the old side calls them too.
        Ok(Pair { seed, sides: [Side::start(old, new, players, seed)?, Side::start(new, new, players, seed)?] })
    }

    /// Plays until the games differ, or to a decision. Gives the first difference in words alone, if there is one, and then
    /// that in play.
    pub fn until_they_differ(&mut self, last: usize) -> Vec<Divergence> {
        let mut found: Vec<Divergence> = Vec::new();
        for number in 1..=last.min(MOST_DECISIONS) {
            let looked = self.look(number);
            for divergence in looked {
                let words = divergence.difference == Difference::Words;
                if !words || found.is_empty() {
                    found.push(divergence);
                }
                if !words {
                    return found;
                }
            }
            if self.sides.iter().all(|side| side.is_over()) {
                break;
            }
            for side in &mut self.sides {
                side.step(self.seed);
            }
        }
        found
    }

    /// Plays both sides on, each to its own end.
    pub fn play_on(&mut self) -> [End; 2] {
        let seed = self.seed;
        self.sides.each_mut().map(|side| side.play_on(seed))
    }

    /// The game on the old version, if it could begin there.
    pub fn into_old(self) -> Option<Session> {
        let [old, _] = self.sides;
        old.session
    }

    /// What differs before a decision: perhaps words, and perhaps one thing more.
    fn look(&mut self, number: usize) -> Vec<Divergence> {
        let [old, new] = &mut self.sides;
        let (seed, after) = (self.seed, old.last_decision());
        let make = |difference, (one, its): Found, (other, theirs): Found| {
            let (only, rules) = ([one, other], [its, theirs]);
            Divergence { seed, decision: number, difference, after: after.clone(), only, rules }
        };
        let (before, now) = (old.fresh(), new.fresh());
        let mut found = Vec::new();
        if let Some((one, other)) = unlike(&before, &now, true) {
            found.push(make(Difference::Words, one, other));
        }
        if old.failure.is_some() || new.failure.is_some() {
            // A step that fails leaves no changes behind, so that these could not be compared.
            let (one, other) = (old.standing(), new.standing());
            found.extend((old.code() != new.code()).then(|| make(Difference::Ending, one, other)));
            return found;
        }
        if let Some((mut one, mut other)) = unlike(&before, &now, false) {
            // Where nothing more has happened on a side, what it waits for says more.
            for (found, side) in [(&mut one, &*old), (&mut other, &*new)] {
                if found.0.is_empty() {
                    *found = side.standing();
                }
            }
            found.push(make(Difference::Events, one, other));
            return found;
        }
        if old.is_over() || new.is_over() {
            let (one, other) = (old.standing(), new.standing());
            if old.is_over() != new.is_over() {
                found.push(make(Difference::Ending, one, other));
            } else if one.0 != other.0 {
                found.push(make(Difference::Outcome, one, other));
            }
            return found;
        }
        if let Some((difference, one, other)) = asked_otherwise(old, new) {
            found.push(make(difference, one, other));
        }
        found
    }
}

/// The first changes that two lists have not alike: among the notes of the content, or among all others. What only the
/// rules keep count of is left out, since nobody at the table sees it.
fn unlike(before: &[Change], now: &[Change], notes: bool) -> Option<(Found, Found)> {
    let mut before = before.iter().filter(|change| !change.kept && change.said == notes);
    let mut now = now.iter().filter(|change| !change.kept && change.said == notes);
    let found = |change: Option<&Change>| {
        let rule = |cause: &CauseLink| (cause.what.clone(), cause.span);
        change.map_or((Vec::new(), Vec::new()), |change| {
            (vec![change.full.clone()], change.causes.iter().map(rule).collect())
        })
    };
    loop {
        match (before.next(), now.next()) {
            (None, None) => return None,
            (Some(one), Some(other)) if one.full == other.full => {}
            (one, other) => return Some((found(one), found(other))),
        }
    }
}

/// How the decisions of both sides differ, if they do.
fn asked_otherwise(old: &mut Side, new: &mut Side) -> Option<(Difference, Found, Found)> {
    let (before, now) = (old.due.as_ref()?, new.due.as_ref()?);
    let keys = |due: &Decision| due.options.iter().map(|option| option.key.clone()).collect::<BTreeSet<_>>();
    let alike = before.options.iter().map(|option| &option.key).eq(now.options.iter().map(|option| &option.key));
    let (mine, theirs) = if alike { Default::default() } else { (keys(before), keys(now)) };
    let difference = if before.seat != now.seat {
        Difference::Decider
    } else if mine != theirs {
        Difference::Options
    } else if before.question() != now.question() {
        Difference::Words
    } else {
        return None;
    };
    let (its, others) = (old.asked(before), new.asked(now));
    if difference != Difference::Options {
        return Some((difference, its, others));
    }
    let only_old: Vec<&String> = mine.difference(&theirs).collect();
    let only_new: Vec<&String> = theirs.difference(&mine).collect();
    let (old_words, mut new_rules) = missing(&only_old, new);
    let (new_words, mut old_rules) = missing(&only_new, old);
    old_rules.extend(its.1);
    new_rules.extend(others.1);
    Some((difference, (old_words, old_rules), (new_words, new_rules)))
}

/// Options in words that a side does not offer, and what forbids them there.
fn missing(keys: &[&String], side: &mut Side) -> Found {
    let (mut words, mut rules) = (Vec::new(), Vec::new());
    for key in keys.iter().take(MOST_LISTED) {
        match side.session.as_mut().and_then(|session| session.why_not(key)) {
            Some(refusal) => {
                words.push(format!("`{key}` (the other version: {})", refusal.reason));
                rules.push((format!("refusal `{}`", refusal.reason), refusal.span));
            }
            None => words.push(format!("`{key}`")),
        }
    }
    if keys.len() > MOST_LISTED {
        words.push(format!("{} more", keys.len() - MOST_LISTED));
    }
    (words, rules)
}

/// Why a game cannot go on.
struct Failure {
    code: String,
    words: String,
    rules: Vec<Rule>,
}

impl Failure {
    fn of(error: &GameError) -> Failure {
        let nearest = (format!("error {}", error.code), error.span);
        let causes = error.causes.iter().map(|cause| (cause.what.clone(), cause.span));
        let words = format!("cannot go on: error[{}]: {}", error.code, error.message);
        Failure { code: error.code.to_owned(), words, rules: std::iter::once(nearest).chain(causes).collect() }
    }
}

/// A game on one version. It has no session if it could not even begin.
struct Side {
    game: Arc<Game>,
    session: Option<Session>,
    /// The decision that is due.
    due: Option<Decision>,
    /// Changes that were looked at.
    seen: usize,
    failure: Option<Failure>,
    /// The game whose names are used.
    named: Arc<Game>,
}

impl Side {
    fn start(game: &Arc<Game>, named: &Arc<Game>, players: u8, seed: u64) -> Result<Side, PlayError> {
        let seats = vec!["random".to_owned(); usize::from(players)];
        let (session, failure) = match Session::new(Arc::clone(game), Setup { seed, seats }, None) {
            Ok(session) => (Some(session), None),
            Err(PlayError::Game { error, .. }) => (None, Some(Failure::of(&error))),
            Err(error) => return Err(error),
        };
        let (game, named) = (Arc::clone(game), Arc::clone(named));
        let mut side = Side { game, session, due: None, seen: 0, failure, named };
        side.due = side.decision();
        Ok(side)
    }

    /// The decision that is due, with the names of the new version.
    fn decision(&mut self) -> Option<Decision> {
        let due = self.session.as_mut()?.decision()?;
        Some(renamed(due, &self.named.renames))
    }

    /// Whether it does not go on.
    fn is_over(&self) -> bool {
        self.failure.is_some() || self.due.is_none()
    }

    fn code(&self) -> Option<String> {
        self.failure.as_ref().map(|failure| failure.code.clone())
    }

    fn seat_words(&self, seat: Option<u8>) -> String {
        seat.map_or("chance".to_owned(), |seat| self.game.seat_name(seat))
    }

    /// The last decision in words.
    fn last_decision(&self) -> Option<String> {
        let made = self.session.as_ref()?.decisions().last()?;
        Some(format!("{}: {}", self.seat_words(made.seat), made.key))
    }

    /// The changes since the last call.
    fn fresh(&mut self) -> Vec<Change> {
        let changes = self.session.as_ref().map_or(&[][..], Session::changes);
        let mut fresh: Vec<Change> = changes.iter().skip(self.seen).map(|(_, change)| change.clone()).collect();
        self.seen = changes.len();
        for change in &mut fresh {
            if let Some(today) = self.named.renames.today(&change.full) {
                change.full = today;
            }
        }
        fresh
    }

    /// Who is asked what, and where.
    fn asked(&self, decision: &Decision) -> Found {
        let who = self.seat_words(decision.seat);
        let question = format!("question `{}`", decision.question());
        (vec![format!("{who} is asked `{}`", decision.question())], vec![(question, decision.span)])
    }

    /// How it stands: its end, or what it waits for.
    fn standing(&self) -> Found {
        if let Some(failure) = &self.failure {
            return (vec![failure.words.clone()], failure.rules.clone());
        }
        let Some(outcome) = self.session.as_ref().and_then(Session::outcome) else {
            return self.due.as_ref().map(|due| self.asked(due)).unwrap_or_default();
        };
        let causes =
            self.session.as_ref().and_then(|session| session.changes().last()).map(|(_, change)| &change.causes);
        let rules = causes.into_iter().flatten().map(|cause| (cause.what.clone(), cause.span)).collect();
        (vec![outcome_words(&outcome, |seat| self.game.seat_name(seat))], rules)
    }

    /// Takes an option.
    fn step(&mut self, seed: u64) {
        let (Some(session), Some(due)) = (&mut self.session, &self.due) else { return };
        let number = session.decisions().len();
        let own = {
            let (machine, state) = session.parts();
            machine.own_count(state)
        };
        if let Err(PlayError::Game { error, .. }) = session.choose(pick(due, own, seed, number)) {
            self.failure = Some(Failure::of(&error));
        }
        self.due = if self.failure.is_none() { self.decision() } else { None };
    }

    /// Plays it to its end, of which nothing but the end is kept.
    fn play_on(&mut self, seed: u64) -> End {
        let (Some(session), None) = (&mut self.session, &self.failure) else {
            return End::Failed(self.code().unwrap_or_default());
        };
        let made = session.decisions().len();
        let renames = &self.named.renames;
        session.ahead(|_, machine, state| to_the_end(machine, state.clone(), renames, seed, made))
    }
}

/// A decision in which cards have the names of today.
fn renamed(mut due: Decision, renames: &Renames) -> Decision {
    let texts = due.options.iter_mut().map(|option| &mut option.key).chain([&mut due.prompt]);
    for text in texts.chain(due.terms.iter_mut().map(|(_, chosen)| chosen)) {
        if let Some(today) = renames.today(text) {
            *text = today;
        }
    }
    due
}

fn to_the_end(machine: &mut Machine, mut state: State, renames: &Renames, seed: u64, made: usize) -> End {
    for number in made..=MOST_DECISIONS {
        let Some(due) = machine.decision(&state) else {
            let (winners, scores) = (machine.winners(&state).unwrap_or(0), machine.full_scores(&state));
            return End::Over { winners, scores, decisions: number as u64 };
        };
        let index = pick(&renamed(due, renames), machine.own_count(&state), seed, number);
        if let Err(error) = machine.choose(&mut state, index) {
            return End::Failed(error.code.to_owned());
        }
    }
    End::Open
}

/// The option that is taken of the first `own`, those of the seat that decides: each as likely as any other, and the same
/// one of other lists in which it stands.
fn pick(due: &Decision, own: usize, seed: u64, number: usize) -> usize {
    let lot = |key: &str| {
        let parts = key.as_bytes().chunks(8).map(|part| part.iter().fold(0, |sum, byte| sum << 8 | u64::from(*byte)));
        Dice::of(&[seed, 0xD1FF, number as u64].into_iter().chain(parts).collect::<Vec<u64>>()).number()
    };
    let options = due.options.iter().take(own.max(1)).enumerate();
    options.min_by_key(|(_, option)| lot(&option.key)).map_or(0, |(index, _)| index)
}
