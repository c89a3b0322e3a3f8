//! Games of the library held against their checkers (`tests/checkers`): the same turns, written the same, in every
//! position of many random games and of positions written down by hand; the same winners and scores; the same numbers
//! of sequences.

mod classics;
mod monster_factory;
mod munch;
mod scrunch;
mod small;

use super::support::root;
use crate::checkers::Checker;
use cardwright::base::MemoryWorld;
use cardwright::engine::{Chance, Machine, Start, State, Status};
use cardwright::model::scenario::Scenario;
use cardwright::play::perft::perft;
use cardwright::play::scenario::position;
use cardwright::play::turns::{WholeTurn, turns};
use cardwright::play::{Dice, Game, Options, Package};
use std::sync::Arc;

/// A game of the library at a position.
pub struct Played {
    game: Arc<Game>,
    machine: Machine,
    state: State,
}

/// A shipped game with options.
pub fn load(name: &str, options: &[(&str, i64)]) -> Arc<Game> {
    let package = Package::folder(&root().join("content").join(name));
    Arc::new(Game::load(&package, &options_of(options), None).unwrap_or_else(|error| panic!("{error}")))
}

fn options_of(options: &[(&str, i64)]) -> Options {
    options.iter().map(|(name, value)| ((*name).to_owned(), value.to_string())).collect()
}

/// A shipped game with options and further scenarios; the positions that these begin with, in their order.
pub fn positions(name: &str, options: &[(&str, i64)], scenarios: &str) -> Vec<Played> {
    let folder = root().join("content").join(name);
    let mut files = Vec::new();
    let mut open = vec![folder.clone()];
    while let Some(next) = open.pop() {
        for path in std::fs::read_dir(next).unwrap().map(|entry| entry.unwrap().path()) {
            if path.is_dir() {
                open.push(path);
            } else if path.extension().is_none_or(|ending| ending != "scenario") {
                let inside = path.strip_prefix(&folder).unwrap().to_string_lossy().into_owned();
                files.push((inside, std::fs::read_to_string(&path).unwrap()));
            }
        }
    }
    files.push(("scenarios/written.scenario".to_owned(), scenarios.to_owned()));
    let world = MemoryWorld::new(files.iter().map(|(path, text)| (path.as_str(), text.as_str())));
    let package = Package::memory(name, world);
    let game = Game::load(&package, &options_of(options), None).unwrap_or_else(|error| panic!("{error}"));
    let game = Arc::new(game);
    game.scenarios.iter().map(|scenario| Played::written(&game, scenario)).collect()
}

impl Played {
    /// The start.
    pub fn start(game: &Arc<Game>, players: usize) -> Played {
        Played::begin(game, players, Chance::Draw)
    }

    /// The start of a game in which the test picks what comes up.
    pub fn with_chance(game: &Arc<Game>, players: usize) -> Played {
        Played::begin(game, players, Chance::Ask)
    }

    fn begin(game: &Arc<Game>, players: usize, chance: Chance) -> Played {
        let mut machine = game.machine();
        let start = Start { players: players as u8, seed: 1, chance };
        let state = game.start(&mut machine, &start).unwrap();
        Played { game: Arc::clone(game), machine, state }
    }

    /// The position that a scenario sets up.
    fn written(game: &Arc<Game>, scenario: &Scenario) -> Played {
        let session = position(game, scenario).unwrap_or_else(|error| panic!("{}: {error}", scenario.title));
        Played { game: Arc::clone(game), machine: game.machine(), state: session.state().clone() }
    }

    /// The whole turns; what comes up on the way does not count.
    fn turns(&mut self) -> Vec<WholeTurn> {
        let mut state = self.state.clone();
        self.machine.set_chance(&mut state, Chance::Draw);
        turns(&self.game, &mut self.machine, &state).unwrap()
    }

    /// Picks the next outcome of chance, if one is due.
    fn come_up(&mut self, dice: &mut Dice) -> Option<String> {
        if self.over() || self.machine.seat(&self.state).is_some() {
            return None;
        }
        let mut options = self.machine.decision(&self.state)?.options;
        let index = dice.below(options.len());
        self.machine.choose(&mut self.state, index).unwrap();
        Some(options.swap_remove(index).key)
    }

    fn play(&mut self, turn: &WholeTurn) {
        for index in &turn.path {
            assert!(self.machine.seat(&self.state).is_some(), "chance within `{}`", turn.text);
            self.machine.choose(&mut self.state, *index).unwrap();
        }
    }

    fn over(&self) -> bool {
        self.machine.status(&self.state) == Status::Over
    }

    /// How many sequences of so many turns there are, and how many of them end the game.
    pub fn perft(&mut self, depth: u32) -> (u64, u64) {
        let count = perft(&self.game, &mut self.machine, &self.state, depth).unwrap();
        (count.turns, count.finished)
    }
}

/// Plays the same random turns in both until the game is over, but not more than so many. Every second turn is of a
/// sort (by its first letter) that was picked first, so that rare sorts occur. Gives the turns played.
pub fn lockstep<C: Checker>(what: &str, played: &mut Played, checker: &mut C, dice: &mut Dice, most: usize) -> usize {
    lockstep_with(what, played, checker, dice, most, |_, _| {})
}

/// [`lockstep`] of a game with chance, of whose outcomes the checker hears.
pub fn lockstep_with<C: Checker>(
    what: &str,
    played: &mut Played,
    checker: &mut C,
    dice: &mut Dice,
    most: usize,
    mut hear: impl FnMut(&mut C, &str),
) -> usize {
    let mut history: Vec<String> = Vec::new();
    while history.len() < most {
        while let Some(outcome) = played.come_up(dice) {
            hear(checker, &outcome);
        }
        let place = || format!("{what}, after {history:?}");
        assert_eq!(played.over(), checker.over(), "{}: only one of both is over", place());
        if checker.over() {
            let outcome = played.machine.outcome(&played.state).unwrap();
            let winners: Vec<usize> = outcome.winners.iter().map(|seat| usize::from(*seat)).collect();
            assert_eq!(winners, checker.winners(), "{}: the winners", place());
            if let Some(scores) = checker.scores() {
                assert_eq!(outcome.scores.unwrap_or_default(), scores, "{}: the scores", place());
            }
            break;
        }
        assert_eq!(played.machine.seat(&played.state).map(usize::from), Some(checker.mover()), "{}", place());
        let (found, expected) = (played.turns(), checker.turns());
        let written: Vec<&String> = found.iter().map(|turn| &turn.text).collect();
        if written.iter().copied().ne(expected.iter()) {
            let missing: Vec<&String> = expected.iter().filter(|turn| !written.contains(turn)).collect();
            let extra: Vec<&&String> = written.iter().filter(|turn| !expected.contains(turn)).collect();
            panic!("{}:\nonly the checker has {missing:?}\nonly the game has {extra:?}", place());
        }
        let letter = expected[dice.below(expected.len())].chars().next();
        let mut letters: Vec<char> = expected.iter().filter_map(|turn| turn.chars().next()).collect();
        letters.dedup();
        let letter = if dice.below(2) == 0 { letter } else { Some(letters[dice.below(letters.len())]) };
        let sort: Vec<&WholeTurn> = found.iter().filter(|turn| turn.text.chars().next() == letter).collect();
        let turn = sort[dice.below(sort.len())];
        played.play(turn);
        checker.play(&turn.text);
        history.push(turn.text.clone());
    }
    history.len()
}

/// Compares the numbers of sequences of up to so many turns.
pub fn same_perft<C: Checker>(what: &str, played: &mut Played, checker: &C, depth: u32) {
    for depth in 1..=depth {
        assert_eq!(played.perft(depth), checker.perft(depth), "{what}, depth {depth}");
    }
}

/// Positions of one random game of a checker: about one of so many, and the end.
pub fn wander<C: Checker>(mut checker: C, dice: &mut Dice, every: usize) -> Vec<C> {
    let mut found = Vec::new();
    while !checker.over() {
        if dice.below(every) == 0 {
            found.push(checker.clone());
        }
        let turns = checker.turns();
        checker.play(&turns[dice.below(turns.len())]);
    }
    found.push(checker);
    found
}
