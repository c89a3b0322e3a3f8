//! What must be so in every game, checked along random play: options can be taken and have distinct keys, states can
//! be copied, stored, hashed, undone and replayed, no seat's view depends on what it cannot know, cards do not get
//! lost, no seat forgets what it saw, games end within the bounds that their manifest declares.

use super::asking::told_of;
use super::conserving::conserves_cards;
use super::error::PlayError;
use super::game::Game;
use super::once::OFFERED;
use super::position::describe;
use super::progress::Progress;
use super::random::Dice;
use super::session::{Session, Setup};
use super::turns::Walker;
use super::unmeant::{Acts, Clamped};
use crate::base::{Span, plural};
use crate::engine::{Chance, Machine, Seat, Start, State, Status, Turn, Upshot, View};
use crate::model::rules::walk::may_ask;
use crate::model::rules::{Rules, Seen, Showing, StmtKind, ZoneOrder};
use crate::program::each_stmt;
use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Instant;

/// Most options of one decision that are tried out.
const TRIED: usize = 12;
/// At every so manieth decision all whole turns are listed, where turns have texts.
const LISTED_EVERY: usize = 7;
/// Most options that are tried for that; positions with more are left out.
const LISTED: u64 = 5_000;
/// So many decisions of a game are looked at closely, and after them decision N with a chance of so many in N: 1,100 of
/// 20,000.
const CLOSELY: usize = 200;
/// At every so manieth of them the state is stored and read, which takes as long as all else.
const STORED_EVERY: usize = 8;
/// So many decisions of a game are hashed, and after them every so manieth.
const HASHED: usize = 200;
const HASHED_EVERY: usize = 16;
/// So many decisions of a game are made in a session and taken back.
const UNDONE: usize = 500;
/// Most decisions of a game without declared bounds; one with more is taken for one that does not end.
const MOST_DECISIONS: usize = 5_000;
/// Most decisions of a game that declares how many turns it has.
const MOST_DECLARED: usize = 200_000;
/// After so many decisions they are all made again in another game.
const RETOLD: usize = 8;
/// After so many problems a game is given up.
const ENOUGH: usize = 5;

/// What was checked and what was wrong.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// Games played.
    pub games: u64,
    /// Decisions checked.
    pub decisions: u64,
    /// Turns of the longest game.
    pub longest: u32,
    /// What was wrong, each with the seed and the decision it showed at.
    pub problems: Vec<String>,
    /// What is likely to be unmeant, likewise: turns that read the same and lead to different states.
    pub warnings: Vec<String>,
    /// The least room for created things that was left, of a game that creates some in play.
    pub room: Option<usize>,
    /// Counters and marks that were stopped at the end of their range, which their declarations do not say is meant.
    pub clamped: Clamped,
    /// How often statements that do something to a thing did it.
    pub acts: Acts,
    /// Whether time has run out before all games were played to their ends.
    pub cut: bool,
}

/// Plays games with so many players, of seeds from `seed` on, and checks each of their decisions.
///
/// # Errors
/// [`PlayError::Usage`] if the game is not for so many players. What the game itself does wrong is in the report.
pub fn conformance(game: &Arc<Game>, players: u8, seed: u64, games: u64) -> Result<Report, PlayError> {
    conformance_watched(game, players, seed, games, &Progress::default(), None)
}

/// [`conformance`], for somebody who watches how far it is and may stop it: a game that is cut off is not in the report. Nor are
/// games begun or gone on with after a time, if there is one; of a game that is cut off then, what was found so far is in it.
///
/// # Errors
/// As [`conformance`].
pub fn conformance_watched(
    game: &Arc<Game>,
    players: u8,
    seed: u64,
    games: u64,
    progress: &Progress,
    until: Option<Instant>,
) -> Result<Report, PlayError> {
    game.check_players(usize::from(players))?;
    let (mut report, mut once) = (Report::default(), super::once::Once::default());
    for number in 0..games {
        let seed = seed.wrapping_add(number);
        let mut run = Run::new(game, players, seed);
        (run.progress, run.until) = (Some(progress), until);
        run.play();
        if progress.stopped() {
            break;
        }
        report.cut = run.is_cut || number + 1 < games && run.is_late();
        progress.advance(1);
        progress.count(1);
        report.games += 1;
        report.decisions += run.log.len() as u64;
        report.longest = report.longest.max(run.turns);
        once.add(run.problems, &mut report.problems);
        report.warnings.append(&mut run.warnings);
        report.clamped.join(run.clamped);
        report.acts.join(run.acts);
        report.room = report.room.into_iter().chain(run.room).min();
        report.warnings.truncate(ENOUGH);
        // Another game that does not end takes as long, and tells nothing new.
        if report.problems.len() >= ENOUGH || run.endless || report.cut {
            break;
        }
    }
    once.count(&mut report.problems);
    Ok(report)
}

/// Decisions that are shown of a game that does not end.
const LAST_SHOWN: usize = 12;

struct Run<'a> {
    game: &'a Arc<Game>,
    machine: Machine,
    start: Start,
    dice: Dice,
    /// The option taken, and the hash after it where there is one.
    log: Vec<(usize, Option<u64>)>,
    cards: Option<usize>,
    /// A decision made before, and what was chosen since.
    anchor: Option<(State, Vec<usize>)>,
    /// Zones in which a seat may forget what it saw.
    forgetful: Forgetful,
    turns: u32,
    /// Zones in which there was no room, with the content line that would have filled them, and how often.
    full: BTreeMap<(Upshot, Span), u32>,
    /// Whether the game went on for too long.
    endless: bool,
    problems: Vec<String>,
    warnings: Vec<String>,
    /// The least room for created things that was left.
    room: Option<usize>,
    /// Says whether to stop.
    progress: Option<&'a Progress>,
    until: Option<Instant>,
    /// Whether the time was over before the game was.
    is_cut: bool,
    clamped: Clamped,
    acts: Acts,
}

impl<'a> Run<'a> {
    fn new(game: &'a Arc<Game>, players: u8, seed: u64) -> Run<'a> {
        let start = Start { players, seed, chance: Chance::Draw };
        let dice = Dice::of(&[seed, u64::from(players), 0xC0F0]);
        let mut machine = game.machine();
        machine.listen_for_upshots(true);
        machine.watch_notes(seed);
        let forgetful = forgetful_zones(&game.rules);
        Run {
            game,
            machine,
            start,
            dice,
            log: Vec::new(),
            cards: None,
            anchor: None,
            forgetful,
            turns: 0,
            full: BTreeMap::new(),
            endless: false,
            problems: Vec::new(),
            warnings: Vec::new(),
            room: None,
            progress: None,
            until: None,
            is_cut: false,
            clamped: Clamped::default(),
            acts: Acts::default(),
        }
    }

    fn is_late(&self) -> bool {
        self.until.is_some_and(|until| Instant::now() >= until)
    }

    fn problem(&mut self, text: impl std::fmt::Display) {
        let place = self.place();
        self.problems.push(format!("{place}: {text}"));
    }

    fn warning(&mut self, text: impl std::fmt::Display) {
        let place = self.place();
        self.warnings.push(format!("{place}: {text}"));
    }

    /// Which game it is, and the decision at hand.
    fn place(&self) -> String {
        let players = plural(self.start.players.into(), "player");
        format!("{players}, seed {}, decision {}", self.start.seed, self.log.len() + 1)
    }

    fn play(&mut self) {
        self.machine.listen_for_clamps(true);
        let started = self.machine.start(&self.start);
        self.note_clamps();
        let mut state = match started {
            Ok(state) => state,
            Err(error) => return self.problem(self.game.error(error)),
        };
        self.cards = conserves_cards(&self.game.rules).then(|| self.count_cards(&state));
        let watcher = (self.start.seed % u64::from(self.start.players)) as Seat;
        let mut seen = None;
        while self.machine.status(&state) == Status::Decide {
            self.is_cut = self.is_late();
            if self.is_cut || self.progress.is_some_and(Progress::stopped) {
                return;
            }
            let closely = self.log.len() < CLOSELY || self.dice.below(self.log.len()) < CLOSELY;
            let last = seen.take();
            let before = closely.then(|| last.unwrap_or_else(|| self.sight(&state, watcher)));
            if closely {
                self.check_position(&state);
            }
            let index = self.dice.below(self.machine.option_count(&state).max(1));
            if closely {
                self.check_told(&state, index);
            } else {
                self.anchor = None;
            }
            // The turn in which the game ends is a turn.
            self.turns = self.machine.turns(&state) + 1;
            self.machine.listen_for_clamps(true);
            // What was tried out does not count.
            self.machine.take_upshots();
            let chosen = self.machine.choose(&mut state, index);
            self.note_clamps();
            if let Err(error) = chosen {
                return self.problem(self.game.error(error));
            }
            for (upshot, span) in self.machine.take_upshots() {
                match upshot {
                    Upshot::Done | Upshot::Gone => self.acts.note(span, upshot == Upshot::Done),
                    Upshot::Full(_) | Upshot::NoPlace => *self.full.entry((upshot, span)).or_default() += 1,
                }
            }
            self.note_room(&state);
            let hashed = self.log.len() < HASHED || self.log.len().is_multiple_of(HASHED_EVERY);
            let hash = hashed.then(|| self.machine.hash(&state));
            self.log.push((index, hash));
            for leak in self.machine.take_leaks() {
                self.problem(leak);
            }
            if let Some(before) = before {
                let now = self.sight(&state, watcher);
                if let Some(card) = forgotten(&before, &now, &self.forgetful).first() {
                    self.problem(format!("seat({}) has forgotten {card}", watcher + 1));
                }
                seen = Some(now);
            }
            if self.problems.len() >= ENOUGH {
                return self.problem("too much is wrong with this game");
            }
            if self.goes_on(&state) {
                return;
            }
        }
        self.check_end(&state);
        self.check_limits();
        self.check_replay();
        self.check_undo();
    }

    fn check_position(&mut self, state: &State) {
        self.check_decision(state);
        self.check_copies(state);
        self.check_views(state);
        self.check_cards(state);
        if self.machine.notates() && self.log.len().is_multiple_of(LISTED_EVERY) {
            self.check_texts(state);
        }
    }

    /// Notes what did not fit into its range. What is tried out between decisions does not count.
    fn note_clamps(&mut self) {
        self.machine.take_clamps().iter().for_each(|clamp| self.clamped.note(clamp));
        self.machine.listen_for_clamps(false);
    }

    fn note_room(&mut self, state: &State) {
        let layout = &self.game.program.layout;
        let left = (layout.room > 0).then(|| layout.capacity.saturating_sub(self.machine.things(state)));
        self.room = self.room.into_iter().chain(left).min();
    }

    /// Whether a game has gone on for longer than any should.
    fn goes_on(&mut self, state: &State) -> bool {
        let (turns, declared) = (self.machine.turns(state), self.game.manifest.bounds.turns);
        if let Some(most) = declared.filter(|most| turns > *most) {
            self.endless = true;
            self.problem(format!("the game goes on after {turns} turns, more than the declared {most}"));
        } else if self.log.len() >= if declared.is_some() { MOST_DECLARED } else { MOST_DECISIONS } {
            self.endless = true;
            let decisions = self.log.len();
            let ends =
                "random play must come to an end, by a limit if nothing else; `turns` under `[bounds]` allows more";
            let position = self.stands(state);
            self.problem(format!(
                "the game has not ended after {decisions} decisions and {turns} turns: {ends}\n{position}"
            ));
        }
        self.endless
    }

    /// How a game that does not end stands, and what was chosen last.
    fn stands(&mut self, state: &State) -> String {
        let view = describe(&self.machine.view(state, None));
        let last = self.log.len().saturating_sub(LAST_SHOWN);
        let mut machine = self.game.machine();
        let Ok(mut state) = machine.start(&self.start) else { return view };
        let mut keys = Vec::new();
        for (number, (index, _)) in self.log.iter().enumerate() {
            if number >= last {
                let decision = machine.decision(&state);
                let key = decision.and_then(|decision| Some(decision.options.get(*index)?.key.clone()));
                keys.push(key.unwrap_or_default());
            }
            if machine.choose(&mut state, *index).is_err() {
                break;
            }
        }
        format!("{view}chosen last: {}", keys.join(", "))
    }

    fn check_decision(&mut self, state: &State) {
        let Some(decision) = self.machine.decision(state) else {
            return self.problem("a decision is due, but there is none");
        };
        let count = self.machine.option_count(state);
        if decision.options.is_empty() {
            self.problem(format!("`{}` has no options", decision.prompt));
        }
        if decision.options.len() != count {
            self.problem(format!("{} options are counted, {} are listed", count, decision.options.len()));
        }
        if decision.seat != self.machine.seat(state) {
            self.problem("the decision is another seat's than the state says");
        }
        let keys: BTreeSet<&str> = decision.options.iter().map(|option| option.key.as_str()).collect();
        if keys.len() != decision.options.len() {
            let all: Vec<&str> = decision.options.iter().map(|option| option.key.as_str()).collect();
            self.problem(format!("two options have one key: {}", all.join(", ")));
        }
        if decision.options.iter().any(|option| option.weight == 0) {
            self.problem("an option has no weight");
        }
        for index in self.some_of(decision.options.len()) {
            let Some(option) = decision.options.get(index) else { continue };
            if self.machine.find(state, &option.key) != Some(index) {
                self.problem(format!("`{}` is not found by its key", option.key));
            }
            if let Err(error) = self.machine.choose(&mut state.clone(), index) {
                let error = self.game.error(error);
                self.problem(format!("`{}` {OFFERED}{error}", option.key));
            }
        }
        // What is not offered has a reason, whatever else is.
        for refusal in self.machine.refusals(state) {
            if decision.options.iter().any(|option| option.key == refusal.action) {
                self.problem(format!("`{}` is offered and refused: {}", refusal.action, refusal.reason));
            }
        }
    }

    /// Turns that read the same lead to the same state.
    fn check_texts(&mut self, state: &State) {
        let mut after: BTreeMap<String, State> = BTreeMap::new();
        let mut pairs: Vec<(String, State, State)> = Vec::new();
        let walked = Walker::briefly(LISTED).walk(self.game, &mut self.machine, state, Turn::default(), |end| {
            match after.entry(end.turn.text()) {
                Entry::Vacant(entry) => {
                    entry.insert(end.state.clone());
                }
                Entry::Occupied(entry) => pairs.push((entry.key().clone(), entry.get().clone(), end.state.clone())),
            }
            pairs.len() < TRIED
        });
        match walked {
            // A position with more ways is looked at in another game.
            Ok(()) | Err(PlayError::Limit(..)) => {}
            Err(error) => return self.problem(error),
        }
        let different = pairs.into_iter().find(|(_, one, other)| self.plain_view(one) != self.plain_view(other));
        if let (Some((text, ..)), true) = (different, self.warnings.is_empty()) {
            self.warning(format!("turns that read `{text}` lead to different states: a notation leaves out a choice"));
        }
    }

    /// All there is to see in a state, without what tells apart things that are alike.
    fn plain_view(&mut self, state: &State) -> View {
        let mut view = self.machine.view_all(state);
        view.decision = None;
        let zones = view.zones.iter_mut().chain(view.players.iter_mut().flat_map(|player| &mut player.zones));
        let piles = zones.map(|zone| (zone.pile, &mut zone.cards));
        let sites = view.boards.iter_mut().flat_map(|board| &mut board.sites).map(|site| (true, &mut site.pieces));
        for (ordered, cards) in piles.chain(sites) {
            for card in cards.iter_mut() {
                card.handle = 0;
                card.host = card.host.map(|_| 0);
            }
            if !ordered {
                cards.sort_by_cached_key(|card| format!("{card:?}"));
            }
        }
        view
    }

    fn some_of(&mut self, count: usize) -> Vec<usize> {
        if count <= TRIED {
            return (0..count).collect();
        }
        (0..TRIED).map(|_| self.dice.below(count)).collect()
    }

    /// A copy is equal to the state; one that was stored and read too, and it hashes alike and goes on alike.
    fn check_copies(&mut self, state: &State) {
        let mut copy = state.clone();
        if copy != *state {
            self.problem("a copy of the state differs from it");
        }
        if !self.log.len().is_multiple_of(STORED_EVERY) {
            return;
        }
        let stored = serde_json::to_string(state).and_then(|text| serde_json::from_str::<State>(&text));
        let mut stored = match stored {
            Ok(stored) => stored,
            Err(error) => return self.problem(format!("the state cannot be stored and read: {error}")),
        };
        if stored != *state {
            self.problem("a state that was stored and read differs from it");
        }
        let index = self.dice.below(self.machine.option_count(state).max(1));
        let goes_on = |machine: &mut Machine, state: &mut State| machine.choose(state, index).is_ok();
        if goes_on(&mut self.machine, &mut copy) != goes_on(&mut self.machine, &mut stored) || copy != stored {
            self.problem("a stored state goes on differently");
        }
        if self.machine.hash(&copy) != self.machine.hash(&stored) {
            self.problem("equal states have different hashes");
        }
    }

    /// What a seat cannot know makes no difference to what it sees.
    fn check_views(&mut self, state: &State) {
        let seat = self.dice.below(usize::from(self.start.players)) as Seat;
        let other = self.dice.number();
        let guess = self.machine.resample(state, seat, other);
        let real = self.machine.view(state, Some(seat));
        let seen = self.machine.view(&guess, Some(seat));
        if real != seen {
            let (one, other) = super::position::seen_otherwise(&real, &seen);
            self.problem(format!("seat({}) sees what it cannot know: {one} / {other}", seat + 1));
        }
        if let (Some(outside), Some(deciding)) = (real.decision.as_ref(), self.machine.seat(state))
            && deciding != seat
            && outside.options.iter().any(|option| option.seat != Some(seat))
        {
            self.problem(format!("seat({}) is shown the question `{}` to another seat", seat + 1, outside.prompt));
        }
        if self.machine.seat(state) == Some(seat)
            && self.machine.option_count(state) != self.machine.option_count(&guess)
        {
            self.problem(format!("the options of seat({}) depend on what it cannot know", seat + 1));
        }
        // Nor do answers about cards that it sees.
        for name in real.cards().map(|card| &card.name).take(3) {
            let [real, other] = [state, &guess].map(|state| told_of(self.game, &mut self.machine, state, seat, name));
            if real != other {
                self.problem(format!("`why {name}` tells seat({}) what it cannot know: {real:?}", seat + 1));
            }
        }
    }

    /// What a seat is asked, and what it reads after a choice and after some choices, is the same where what it never
    /// knew was exchanged before.
    fn check_told(&mut self, state: &State, index: usize) {
        if !self.game.rules.hides() {
            return;
        }
        let anchor = self.anchor.get_or_insert_with(|| (state.clone(), Vec::new()));
        anchor.1.push(index);
        let (from, choices) = if anchor.1.len() >= RETOLD {
            self.anchor.take().unwrap_or_default()
        } else {
            (state.clone(), vec![index])
        };
        let mut dice = Dice::of(&[self.start.seed, self.log.len() as u64]);
        let (seat, seed) = (dice.below(usize::from(self.start.players)) as Seat, dice.number());
        if let Some((found, span)) = self.machine.retold(&from, &choices, seat, seed) {
            let place = self.game.locate(span).map_or(String::new(), |place| format!("  [{place}]"));
            self.problem(format!("{found}{place}"));
        }
    }

    fn check_cards(&mut self, state: &State) {
        if let Some(expected) = self.cards {
            let found = self.count_cards(state);
            if found != expected {
                self.problem(format!("there were {expected} cards, now there are {found}"));
            }
        }
    }

    fn count_cards(&mut self, state: &State) -> usize {
        let view = self.machine.view(state, None);
        let zones = view.zones.iter().chain(view.players.iter().flat_map(|player| &player.zones));
        zones.map(|zone| zone.count).sum::<usize>()
            + view.boards.iter().flat_map(|board| &board.sites).map(|site| site.pieces.len()).sum::<usize>()
    }

    /// What a seat sees now, and where everything is.
    fn sight(&mut self, state: &State, seat: Seat) -> Sight {
        let cards = |view: &View| {
            let zones = view.zones.iter().chain(view.players.iter().flat_map(|player| &player.zones));
            let lying = zones.flat_map(|zone| zone.cards.iter().map(|card| (card.clone(), zone.name.clone())));
            let standing = view.boards.iter().flat_map(|board| {
                let pieces = board.sites.iter().flat_map(|site| &site.pieces);
                pieces.map(|piece| (piece.clone(), board.name.clone()))
            });
            lying.chain(standing).collect::<Vec<_>>()
        };
        let seen = cards(&self.machine.view(state, Some(seat))).into_iter().map(|(card, _)| card.handle).collect();
        let places = cards(&self.machine.view_all(state)).into_iter().map(|(card, place)| {
            let identity = self.machine.identity(state, card.handle).unwrap_or(0);
            (card.handle, Place { card: card.name, place, identity })
        });
        Sight { seen, places: places.collect() }
    }

    fn check_end(&mut self, state: &State) {
        self.turns = self.turns.max(self.machine.turns(state));
        if self.log.is_empty() && asks(&self.game.rules) {
            self.problem(format!("nobody has decided anything: the game is over after {} turns", self.turns));
        }
        let bounds = &self.game.manifest.bounds;
        if let Some(most) = bounds.turns.filter(|most| self.turns > *most) {
            self.problem(format!("the game took {} turns, more than the declared {most}", self.turns));
        }
        let Some(outcome) = self.machine.outcome(state) else {
            return self.problem("the game is over, but there is no outcome");
        };
        if outcome.winners.iter().any(|seat| *seat >= self.start.players) {
            self.problem("a seat that does not play has won");
        }
        let scores = outcome.scores.unwrap_or_default();
        let total: i128 = scores.iter().map(|score| i128::from(*score)).sum();
        if bounds.zero_sum && (total != 0 || scores.is_empty()) {
            self.problem(format!("the scores are declared to add up to nothing, but they are {scores:?}"));
        }
        if let Some((low, high)) = bounds.scores
            && let Some(score) = scores.iter().find(|score| **score < low || **score > high)
        {
            self.problem(format!("a score of {score} is outside the declared {low} to {high}"));
        }
    }

    /// What did not fit where it should have gone, or had nowhere to go, is likely to be unmeant.
    fn check_limits(&mut self) {
        for ((upshot, span), times) in std::mem::take(&mut self.full) {
            let line = self.game.sources.locate(span);
            let times = if times == 1 { "once".to_owned() } else { format!("{times} times") };
            let zone = match upshot {
                Upshot::Full(zone) => self.game.rules.zones.get(zone.index()),
                _ => None,
            };
            self.warning(match zone {
                Some(zone) => {
                    format!("`{}` was full {times}, so what should have come to it did not move ({line})", zone.name)
                }
                None => format!("a move led to nothing {times}, so what should have moved stayed ({line})"),
            });
        }
    }

    /// The same choices from the start give the same states.
    fn check_replay(&mut self) {
        let log = std::mem::take(&mut self.log);
        let mut machine = self.game.machine();
        let Ok(mut state) = machine.start(&self.start) else { return self.problem("the game cannot be started again") };
        for (number, (index, hash)) in log.iter().enumerate() {
            let hashes = |machine: &Machine, state: &State| hash.is_none_or(|hash| machine.hash(state) == hash);
            if machine.choose(&mut state, *index).is_err() || !hashes(&machine, &state) {
                self.problem(format!("replaying goes another way at decision {}", number + 1));
                break;
            }
        }
        self.log = log;
    }

    /// A session that is taken back to a decision stands where it stood then.
    fn check_undo(&mut self) {
        let seats = vec!["random".to_owned(); usize::from(self.start.players)];
        let setup = Setup { seed: self.start.seed, seats };
        let mut session = match Session::new(Arc::clone(self.game), setup, None) {
            Ok(session) => session,
            Err(error) => return self.problem(error),
        };
        let first = session.hash();
        let log: Vec<_> = self.log.iter().take(UNDONE).copied().collect();
        for (index, _) in &log {
            if let Err(error) = session.choose(*index) {
                return self.problem(error);
            }
        }
        // Going back only: where one decision was made, to take it back leaves none to go on to.
        let numbers = BTreeSet::from([log.len() / 2, log.len().min(1), 0]);
        for number in numbers.into_iter().rev() {
            let hashed = |last: usize| log.get(last).and_then(|(_, hash)| *hash);
            let expected = number.checked_sub(1).map_or(Some(first), hashed);
            if session.undo_to(number).is_err() || expected.is_some_and(|hash| session.hash() != hash) {
                self.problem(format!("taking back to decision {number} gives another state"));
            }
        }
    }
}

/// What a seat sees, and where everything is.
#[derive(Clone, Debug, Default)]
struct Sight {
    /// Handles of what the seat sees.
    seen: BTreeSet<u32>,
    /// By handle.
    places: BTreeMap<u32, Place>,
}

/// Where a card is.
#[derive(Clone, Debug, PartialEq)]
struct Place {
    card: String,
    place: String,
    /// How often its identity has changed.
    identity: i64,
}

/// The cards that were seen and are not seen now, although nothing has happened that makes a seat forget: they lay and
/// lie where knowledge is kept, and have come from there at most one move.
fn forgotten(before: &Sight, now: &Sight, forgetful: &Forgetful) -> Vec<String> {
    let keeps = |place: &Place| matches!(forgetful, Forgetful::In(zones) if !zones.contains(&place.place));
    let lost = before.seen.iter().filter(|handle| !now.seen.contains(handle)).filter_map(|handle| {
        let (was, is) = (before.places.get(handle)?, now.places.get(handle)?);
        (keeps(was) && keeps(is) && is.identity - was.identity <= 1).then(|| is.card.clone())
    });
    lost.collect()
}

/// Where a seat may forget what it saw.
#[derive(Debug)]
enum Forgetful {
    In(BTreeSet<String>),
    Everywhere,
}

/// Where a seat may forget: in zones that forget, are shuffled or show only their top; everywhere, if something is hidden
/// again.
fn forgetful_zones(rules: &Rules) -> Forgetful {
    let mut found: BTreeSet<usize> = BTreeSet::new();
    for (index, zone) in rules.zones.iter().enumerate() {
        if !zone.memory || zone.seen == Seen::Top || zone.refill.is_some() {
            found.insert(index);
        }
    }
    // Where one of several cards goes to a zone that forgets, those that stay are forgotten, too.
    if rules.zones.iter().any(|zone| !zone.memory) {
        let loose = rules.zones.iter().enumerate().filter(|(_, zone)| zone.order == ZoneOrder::None);
        found.extend(loose.map(|(index, _)| index));
    }
    let mut hides = false;
    for procedure in &rules.procs {
        each_stmt(procedure, &mut |stmt| match &stmt.kind {
            StmtKind::Shuffle { zone, .. } => {
                found.insert(zone.index());
            }
            StmtKind::Reveal { how: Showing::Hides, .. } => hides = true,
            _ => {}
        });
    }
    let zones = found.into_iter().filter_map(|index| rules.zones.get(index));
    match hides {
        true => Forgetful::Everywhere,
        false => Forgetful::In(zones.map(|zone| rules.label(&zone.name)).collect()),
    }
}

/// Whether anything in the rules of a game asks its players.
fn asks(rules: &Rules) -> bool {
    let mut found = false;
    for procedure in &rules.procs {
        each_stmt(procedure, &mut |stmt| {
            found |= may_ask(stmt);
        });
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sight(seen: bool, place: &str, identity: i64) -> Sight {
        let lies = Place { card: "Lantern".to_owned(), place: place.to_owned(), identity };
        Sight { seen: seen.then_some(7).into_iter().collect(), places: BTreeMap::from([(7, lies)]) }
    }

    #[test]
    fn what_was_seen_is_forgotten_only_where_it_may_be() {
        let forgetful = Forgetful::In(BTreeSet::from(["deck".to_owned()]));
        let lost = |before: &Sight, now: &Sight| forgotten(before, now, &forgetful);
        let seen = sight(true, "hand", 1);
        assert_eq!(lost(&seen, &sight(false, "hand", 1)), ["Lantern"]);
        assert_eq!(lost(&seen, &sight(false, "table", 2)), ["Lantern"], "moved in one move");
        assert!(lost(&seen, &sight(true, "table", 2)).is_empty());
        assert!(lost(&sight(false, "hand", 1), &sight(false, "hand", 1)).is_empty(), "was not seen");
        assert!(lost(&seen, &sight(false, "deck", 2)).is_empty(), "the deck is shuffled");
        assert!(lost(&sight(true, "deck", 1), &sight(false, "hand", 2)).is_empty());
        assert!(lost(&seen, &sight(false, "hand", 3)).is_empty(), "may have been in the deck between");
        assert!(lost(&seen, &Sight::default()).is_empty(), "is gone");
    }

    const RULES: &str = "kind charm : card { counter dust: 0..3 }\nzone box { holds: charm  starts: charm }\n\
                         zone table { holds: charm }\naction go { choose c in box  move c to table }\n\
                         flow { turns turn from seat(1) until no box { choose action go } }\n\
                         charm \"Rope\" { copies: 2 }\ncharm \"Net\" { }\n";

    fn game(rules: &str) -> Arc<Game> {
        let manifest = "name = \"small\"\ntitle = \"Small\"\nversion = \"0.1.0\"\nedition = 1\n\
                        [players]\nmin = 2\nmax = 2\n";
        let world = crate::base::MemoryWorld::new([("game.toml", manifest), ("a.rules", rules)]);
        let package = crate::play::Package::memory("small", world);
        Arc::new(Game::load(&package, &crate::play::Options::new(), None).unwrap())
    }

    /// What a check says of a game that was played, after something has been spoilt.
    fn spoilt(check: impl FnOnce(&mut Run<'_>, &State)) -> String {
        let game = game(RULES);
        let mut run = Run::new(&game, 2, 1);
        let state = run.machine.start(&run.start).unwrap();
        run.play();
        assert!(run.problems.is_empty(), "{:?}", run.problems);
        check(&mut run, &state);
        run.problems.join("\n")
    }

    #[test]
    fn a_lost_card_another_replay_and_a_wrong_undo_are_found() {
        let found = spoilt(|run, state| {
            run.cards = Some(4);
            run.check_cards(state);
        });
        assert!(found.contains("there were 4 cards, now there are 3"), "{found}");
        let found = spoilt(|run, _| {
            run.log[1].1 = Some(7);
            run.check_replay();
        });
        assert!(found.contains("replaying goes another way at decision 2"), "{found}");
        let found = spoilt(|run, _| {
            run.log[0].1 = Some(7);
            run.check_undo();
        });
        assert!(found.contains("taking back to decision 1 gives another state"), "{found}");
    }

    #[test]
    fn a_game_of_one_decision_is_well() {
        let game = game(&RULES.replace("copies: 2", "").replace("charm \"Net\" { }", ""));
        let report = conformance(&game, 2, 1, 2).unwrap();
        assert_eq!((report.games, report.decisions, report.problems), (2, 2, Vec::<String>::new()));
    }

    #[test]
    fn a_decision_without_options_and_equal_keys_are_found() {
        let found = spoilt(|run, state| {
            let mut words = serde_json::to_value(state).unwrap();
            words["pending"]["options"] = serde_json::json!([]);
            run.check_decision(&serde_json::from_value(words).unwrap());
        });
        assert!(found.contains("has no options"), "{found}");
        // The second of two ropes that differ is called as a card is that has a number in its name.
        let rules = RULES.replace("\"Net\"", "\"Rope #2\"") + "setup { set first(box).dust = 1 }\n";
        let game = game(&rules);
        let mut run = Run::new(&game, 2, 1);
        run.play();
        assert!(run.problems.iter().any(|found| found.contains("two options have one key")), "{:?}", run.problems);
    }
}
