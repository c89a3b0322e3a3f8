//! The classics against their checkers.

use super::{Played, lockstep_with, same_perft};
use crate::checkers::Checker;
use crate::checkers::backgammon::{Backgammon, Stakes};
use crate::checkers::blackjack::Blackjack;
use crate::checkers::chinese_checkers::ChineseCheckers;
use crate::checkers::clobber::Clobber;
use crate::checkers::cribbage::Cribbage;
use crate::checkers::dots_and_boxes::DotsAndBoxes;
use crate::checkers::einstein::Einstein;
use crate::checkers::euchre::Euchre;
use crate::checkers::gomoku::Gomoku;
use crate::checkers::havannah::Havannah;
use crate::checkers::lines_of_action::LinesOfAction;
use crate::checkers::oware::Oware;
use crate::checkers::pentago::Pentago;
use crate::checkers::quoridor::Quoridor;
use crate::checkers::spades::Spades;
use crate::checkers::twixt::Twixt;
use crate::checkers::ultimate_tic_tac_toe::Ultimate;
use crate::checkers::y::Y;
use crate::suite::support::root;
use cardwright::play::{Dice, Game, Package};
use std::sync::Arc;

/// A game under some options, for two unless said otherwise.
struct Under {
    what: String,
    game: Arc<Game>,
    players: usize,
}

impl Under {
    /// Options are written `size=3 swap=true`.
    fn new(name: &str, options: &str) -> Under {
        let package = Package::folder(&root().join("content/classics").join(name));
        let pairs = options.split_whitespace().map(|pair| pair.split_once('=').unwrap());
        let pairs = pairs.map(|(option, value)| (option.to_owned(), value.to_owned())).collect();
        let game = Game::load(&package, &pairs, None).unwrap_or_else(|error| panic!("{error}"));
        Under { what: format!("{name} {options}"), game: Arc::new(game), players: 2 }
    }

    /// The same random games in both, each of so many turns at the most.
    fn games<C: Checker>(&self, checker: &C, games: u64, most: usize, hear: impl Fn(&mut C, &str)) {
        for seed in 0..games {
            let what = format!("{}, seed {seed}", self.what);
            let mut played = Played::with_chance(&self.game, self.players);
            lockstep_with(&what, &mut played, &mut checker.clone(), &mut Dice::new(seed), most, &hear);
        }
    }

    /// The same numbers of sequences from the start.
    fn counts<C: Checker>(&self, checker: &C, depth: u32) {
        same_perft(&self.what, &mut Played::start(&self.game, self.players), checker, depth);
    }
}

/// For games without chance.
fn nothing<C>(_: &mut C, outcome: &str) {
    panic!("`{outcome}` came up, but there is no chance");
}

/// The same numbers of sequences, and the same random games.
fn both<C: Checker>(under: &Under, checker: &C, depth: u32, games: u64, most: usize) {
    under.counts(checker, depth);
    under.games(checker, games, most, nothing);
}

#[test]
fn gomoku() {
    for (size, connect, anti, depth, games) in [(3, 3, false, 4, 10), (5, 4, true, 2, 3), (6, 4, false, 1, 3)] {
        let under = Under::new("gomoku", &format!("size={size} connect={connect} anti={anti}"));
        both(&under, &Gomoku::new(size, connect, anti), depth, games, usize::MAX);
    }
}

#[test]
fn clobber() {
    for (columns, rows, depth, games) in [(4, 3, 3, 5), (6, 5, 1, 3)] {
        let under = Under::new("clobber", &format!("columns={columns} rows={rows}"));
        both(&under, &Clobber::new(columns, rows), depth, games, usize::MAX);
    }
}

#[test]
fn lines_of_action() {
    for (size, depth, games, most) in [(4, 3, 5, 60), (6, 1, 1, 40), (8, 1, 1, 8)] {
        let under = Under::new("lines-of-action", &format!("size={size}"));
        both(&under, &LinesOfAction::new(size, 1000), depth, games, most);
    }
}

/// Of few boxes, for a turn goes on after each that is closed.
#[test]
fn dots_and_boxes() {
    for (columns, rows, depth, games) in [(1, 1, 4, 4), (2, 1, 4, 10), (2, 2, 2, 5)] {
        let under = Under::new("dots-and-boxes", &format!("columns={columns} rows={rows}"));
        both(&under, &DotsAndBoxes::new(columns, rows), depth, games, usize::MAX);
    }
}

#[test]
fn ultimate_tic_tac_toe() {
    both(&Under::new("ultimate-tic-tac-toe", ""), &Ultimate::new(), 2, 3, usize::MAX);
}

#[test]
fn pentago() {
    both(&Under::new("pentago", ""), &Pentago::new(), 1, 2, 24);
}

#[test]
fn chinese_checkers() {
    for (tip, players, depth, most) in [(1, 2, 2, 20), (1, 6, 1, 20), (2, 3, 1, 5), (4, 2, 0, 1)] {
        let under = Under { players, ..Under::new("chinese-checkers", &format!("tip={tip}")) };
        both(&under, &ChineseCheckers::new(players, tip, 1000), depth, 1, most);
    }
}

#[test]
fn oware() {
    for (seeds, depth, games) in [(1, 3, 5), (4, 3, 3)] {
        both(&Under::new("oware", &format!("seeds={seeds}")), &Oware::new(seeds), depth, games, usize::MAX);
    }
}

#[test]
fn quoridor() {
    for (size, walls, depth, games, most) in [(3, 1, 2, 3, 40), (5, 3, 0, 1, 15), (9, 10, 0, 1, 1)] {
        let under = Under::new("quoridor", &format!("size={size} walls={walls}"));
        both(&under, &Quoridor::new(size, walls), depth, games, most);
    }
}

#[test]
fn y() {
    for (size, depth, games) in [(3, 4, 10), (6, 2, 3)] {
        both(&Under::new("y", &format!("size={size}")), &Y::new(size), depth, games, usize::MAX);
    }
}

#[test]
fn havannah() {
    for (size, swap, depth, games, most) in
        [(3, true, 2, 5, usize::MAX), (4, false, 1, 2, usize::MAX), (8, false, 0, 1, 3)]
    {
        let under = Under::new("havannah", &format!("size={size} swap={swap}"));
        both(&under, &Havannah::new(size, swap), depth, games, most);
    }
}

#[test]
fn twixt() {
    for (size, swap, depth, games) in [(5, true, 2, 5), (6, false, 1, 3), (8, true, 1, 2)] {
        let under = Under::new("twixt", &format!("size={size} swap={swap}"));
        both(&under, &Twixt::new(size, swap), depth, games, usize::MAX);
    }
}

#[test]
fn spades() {
    let under = Under { players: 4, ..Under::new("spades", "") };
    under.games(&Spades::new(1), 4, usize::MAX, Spades::deal);
}

#[test]
fn cribbage() {
    Under::new("cribbage", "goal=31").games(&Cribbage::new(31), 3, usize::MAX, Cribbage::deal);
}

#[test]
fn blackjack() {
    Under::new("blackjack", "").games(&Blackjack::new(), 40, usize::MAX, Blackjack::deal);
}

#[test]
fn euchre() {
    for (stick, lone) in [(true, false), (false, true)] {
        let options = format!("stick_the_dealer={stick} lone_defender={lone}");
        let under = Under { players: 4, ..Under::new("euchre", &options) };
        under.games(&Euchre::new(stick, lone), 10, usize::MAX, Euchre::deal);
    }
}

#[test]
fn backgammon() {
    let roll = |game: &mut Backgammon, die: &str| game.roll(die.parse().unwrap());
    let small = Under::new("backgammon", "hyper=true");
    small.games(&Backgammon::new(true, Stakes::WinLoss), 3, usize::MAX, roll);
    for (word, stakes) in [("gammons", Stakes::Gammons), ("full", Stakes::Full)] {
        let under = Under::new("backgammon", &format!("scoring={word}"));
        under.games(&Backgammon::new(false, stakes), 1, 15, roll);
    }
}

#[test]
fn einstein() {
    // First the cubes of both come to their squares, by their numbers.
    let hear = |game: &mut Einstein, outcome: &str| {
        let placed = game.cubes.iter().flatten().flatten().count();
        match outcome.parse() {
            Ok(die) => game.roll(die),
            Err(_) => game.deal(placed / 6, placed % 6 + 1, outcome),
        }
    };
    Under::new("einstein", "").games(&Einstein::empty(), 10, usize::MAX, hear);
}
