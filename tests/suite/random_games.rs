//! Random play: the conformance suite for every game and number of players, and many quick games.

use super::support::{begins_alike, classics, game, games, templates};
use cardwright::base::MemoryWorld;
use cardwright::engine::{Chance, Start};
use cardwright::play::conformance::conformance;
use cardwright::play::perft::perft;
use cardwright::play::simulate::{Plan, Until, simulate};
use cardwright::play::{Bot, Game, Options, Package};
use std::sync::Arc;

/// Plays one in so many of all games with all numbers of players, on a small variant where there is one, and on the whole
/// board with the fewest (where `CI` is set, with each number).
fn conform(part: usize) {
    let (mut problems, mut number) = (Vec::new(), 0);
    let mut check = |game: &Arc<Game>, players: u8, more: u64| {
        number += 1;
        if number % PARTS != part {
            return;
        }
        let name = &game.rules.name;
        let mut report = conformance(game, players, 11, 1).unwrap();
        assert!(report.decisions > 0, "{name} was played");
        // A game of very many decisions meets its rules in one.
        if report.decisions < 2000 && more > 0 {
            report.problems.append(&mut conformance(game, players, 12, more).unwrap().problems);
        }
        problems.extend(report.problems.into_iter().map(|problem| format!("{name}: {problem}")));
    };
    for game in games() {
        let small = game.manifest.variants.iter().any(|variant| variant.name == "small").then_some("small");
        let (fewest, most) = game.rules.players;
        let first = Arc::new(Game::load(&game.package, &Options::new(), small).unwrap());
        (fewest..=most).for_each(|players| check(&first, players, if players == fewest { 2 } else { 0 }));
        let large = if std::env::var_os("CI").is_some() { most } else { fewest };
        (fewest..=large).filter(|_| small.is_some()).for_each(|players| check(&game, players, 0));
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

/// So many tests share the games, since they run beside each other.
const PARTS: usize = 4;

#[test]
fn every_game_conforms_for_every_number_of_players_in_a_quarter() {
    conform(0);
}

#[test]
fn every_game_conforms_for_every_number_of_players_in_a_second_quarter() {
    conform(1);
}

#[test]
fn every_game_conforms_for_every_number_of_players_in_a_third_quarter() {
    conform(2);
}

#[test]
fn every_game_conforms_for_every_number_of_players_in_the_last_quarter() {
    conform(3);
}

/// The classics with options that make them short.
const CLASSICS: [(&str, &[(&str, &str)]); 18] = [
    ("backgammon", &[("hyper", "true")]),
    ("blackjack", &[]),
    ("chinese-checkers", &[("tip", "1"), ("turns_at_most", "40")]),
    ("clobber", &[]),
    ("cribbage", &[("goal", "31")]),
    ("dots-and-boxes", &[]),
    ("einstein", &[]),
    ("euchre", &[]),
    ("gomoku", &[("size", "6"), ("connect", "4")]),
    ("havannah", &[("size", "4")]),
    ("lines-of-action", &[("size", "5"), ("longest", "30")]),
    ("oware", &[("seeds", "2")]),
    ("pentago", &[]),
    ("quoridor", &[("size", "4"), ("walls", "2")]),
    ("spades", &[]),
    ("twixt", &[("size", "6")]),
    ("ultimate-tic-tac-toe", &[]),
    ("y", &[("size", "6")]),
];

/// Two games each: their rules are held against a second program besides, in `checkers`.
#[test]
fn the_classics_conform() {
    let found: Vec<String> = classics().iter().map(|game| game.rules.name.clone()).collect();
    assert_eq!(found, CLASSICS.map(|(name, _)| name), "each has its options here");
    let mut problems = Vec::new();
    for (game, (name, options)) in classics().iter().zip(CLASSICS) {
        let options: Options = options.iter().map(|(name, value)| (name.to_string(), value.to_string())).collect();
        let short = Arc::new(Game::load(&game.package, &options, None).unwrap());
        let report = conformance(&short, game.rules.players.0, 11, 2).unwrap();
        problems.extend(report.problems.into_iter().map(|problem| format!("{name}: {problem}")));
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

/// One game each with the fewest players.
#[test]
fn the_templates_conform() {
    let mut problems = Vec::new();
    for game in templates() {
        let world = game.package.world().unwrap();
        let files = world.list().unwrap();
        let rules = files.iter().filter(|file| file.ends_with(".rules"));
        let lines: usize = rules.map(|file| world.read(file).unwrap().lines().count()).sum();
        assert!(lines <= 150, "{} is short enough to begin with", game.rules.name);
        let report = conformance(&game, game.rules.players.0, 11, 1).unwrap();
        assert!(report.decisions > 0, "{} was played", game.rules.name);
        problems.extend(report.problems.into_iter().map(|problem| format!("{}: {problem}", game.rules.name)));
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

#[test]
fn games_begin_as_the_first_one_did() {
    for game in games().iter().chain(&classics()).chain(&templates()) {
        let (fewest, most) = game.rules.players;
        (fewest..=most).for_each(|players| begins_alike(game, players, 1..5).unwrap());
    }
}

#[test]
fn two_thousand_random_games_of_the_card_game_end() {
    let game = game("monster-muncher");
    let (fewest, most) = game.rules.players;
    let each = 2000 / u64::from(most - fewest + 1);
    let bound = game.manifest.bounds.turns.unwrap();
    for players in fewest..=most {
        let plan = Plan { players, seed: 1000, threads: 2, until: Until::Games(each), bot: Bot::Random };
        let tally = simulate(&game, &plan).unwrap();
        assert_eq!(tally.games, each);
        assert!(tally.longest <= bound, "{players} players: {} turns", tally.longest);
        assert!(tally.standings.wins.iter().all(|wins| *wins > 0), "{players} players: {:?}", tally.standings.wins);
    }
}

/// Four hundred random games of each large game, over all numbers of players (a quarter of them where no `CI` is set), and
/// more on small boards, which meet all rules in a few turns. The first on small boards are checked at every decision.
#[test]
fn random_games_of_each_large_game_end_within_their_bounds() {
    let many = if std::env::var_os("CI").is_some() { 400 } else { 100 };
    let small_munch = [("side", 3), ("copies", 1), ("wake", 2), ("patience", 12)];
    let plans = [
        ("scrunch", [("size", 2)].as_slice(), 5, 1000),
        ("scrunch", &[("size", 3)], 1, 40),
        ("scrunch", &[], 0, many),
        ("munch", &small_munch, 2, 999),
        ("munch", &[], 0, many),
        ("monster-factory", &[], 0, many),
        ("star-munchkin", &[], 0, many),
    ];
    for (name, options, checked, games) in plans {
        let options = options.iter().map(|(name, value)| ((*name).to_owned(), value.to_string())).collect();
        let game = Arc::new(Game::load(&game(name).package, &options, None).unwrap());
        let (fewest, most) = game.rules.players;
        let each = u64::div_ceil(games, u64::from(most - fewest + 1));
        let bound = game.manifest.bounds.turns.unwrap();
        let mut longest = 0;
        for players in fewest..=most {
            let report = conformance(&game, players, 500, checked).unwrap();
            assert!(report.problems.is_empty(), "{name} {options:?}: {}", report.problems.join("\n"));
            let plan = Plan { players, seed: 1000, threads: 2, until: Until::Games(each - checked), bot: Bot::Random };
            let tally = simulate(&game, &plan).unwrap();
            assert_eq!(report.games + tally.games, each);
            longest = longest.max(report.longest).max(tally.longest);
        }
        println!("{name} {options:?}: the longest of {games} games had {longest} turns; the bound is {bound}");
        assert!(longest > 0 && longest <= bound, "{name} {options:?}: {longest} turns, the bound is {bound}");
    }
}

#[test]
fn greedy_bots_beat_random_ones_by_ending_sooner() {
    let game = game("monster-muncher");
    let turns = |bot| {
        let plan = Plan { players: 2, seed: 5, threads: 2, until: Until::Games(30), bot };
        simulate(&game, &plan).unwrap().turns.sum()
    };
    let (greedy, random) = (turns(Bot::Greedy), turns(Bot::Random));
    assert!(greedy < random, "greedy {greedy}, random {random}");
}

/// What is hidden is guessed in one turn of six, whatever names it or printed it.
const GUESS: &str = r#"
kind face : card { field n: 1..6 }
kind mine : piece { seen: none  field n: 1..6 }
zone deck { holds: face  order: pile  seen: none }
zone dark { holds: face  seen: none }
board grid { shape: square 6 1 }
player { counter points: 0..99 }
define score(p: player): number = p.points
setup { create face in deck with n = every_value }
flow {
  turns turn from seat(1) for 20 rounds {
    move dark to deck
    shuffle deck
    let drawn = top(deck)
    move drawn to dark as hidden
    choose k in 1..6 "Which number is on the card?"
    if hidden.n = k { increase me.points by 1 }
    create mine at site(grid, 1, 1) with n = any_value
    choose j in 1..6 "Which is on the mine?"
    if some (mine where n = j) { increase me.points by 1 }
    move mine to nowhere
  }
  end game
}
"#;

#[test]
fn greedy_bots_know_no_hidden_card_that_a_local_names() {
    let manifest =
        "name = \"guess\"\ntitle = \"Guess\"\nversion = \"0.1.0\"\nedition = 1\n[players]\nmin = 2\nmax = 2\n";
    let world = MemoryWorld::new([("game.toml", manifest), ("a.rules", GUESS)]);
    let game = Game::load(&Package::memory("guess", world), &Options::new(), None).unwrap();
    let plan = Plan { players: 2, seed: 1, threads: 2, until: Until::Games(20), bot: Bot::Greedy };
    let scores = simulate(&game, &plan).unwrap().standings.scores().unwrap();
    // Of 40 guesses of a player in a game, 6.7 are right by chance.
    assert!(scores.iter().all(|score| (5.0..9.0).contains(&score.0)), "{scores:?}");
}

#[test]
fn simulations_of_one_seed_are_equal() {
    let game = game("tic-tac-toe");
    let plan = |threads| Plan { players: 2, seed: 3, threads, until: Until::Games(200), bot: Bot::Random };
    assert_eq!(simulate(&game, &plan(1)).unwrap(), simulate(&game, &plan(2)).unwrap());
}

#[test]
fn three_in_a_row_has_the_known_numbers_of_sequences() {
    let game = game("tic-tac-toe");
    let mut machine = game.machine();
    let state = game.start(&mut machine, &Start { players: 2, seed: 1, chance: Chance::Draw }).unwrap();
    let known = [(1, 9, 0), (2, 72, 0), (3, 504, 0), (4, 3024, 0), (5, 15120, 1440), (6, 54720, 5328)];
    for (depth, turns, finished) in known {
        let count = perft(&game, &mut machine, &state, depth).unwrap();
        assert_eq!((count.turns, count.finished), (turns, finished), "depth {depth}");
    }
}
