//! Monster Factory against its checker.

use super::{Played, load, lockstep, positions, same_perft, wander};
use crate::checkers::Checker;
use crate::checkers::monster_factory::{MonsterFactory, Phase, Tile, all_tiles};
use cardwright::play::Dice;
use std::fmt::Write;

/// A position as a scenario: every part that the rulings list.
fn written(number: usize, game: &MonsterFactory) -> String {
    let mut text = format!(
        "scenario \"position {number}\" {{\n  players {}\n  mover seat({})\n  keep order\n  given {{\n",
        game.monsters.len(),
        if game.phase == Phase::Picking { 1 } else { game.mover + 1 }
    );
    let from_box = |tile: Tile| format!("first(box & tile \"{}\")", tile.kind().name());
    for (player, monsters) in game.monsters.iter().enumerate() {
        for (index, monster) in monsters.iter().enumerate() {
            let name = format!("m{player}_{index}");
            let (original, done) = (index == 0, monster.complete());
            let seat = player + 1;
            writeln!(
                text,
                "    create monster with maker = seat({seat}), original = {original}, done = {done} as {name}"
            )
            .unwrap();
            for ((x, y), tile) in &monster.tiles {
                let turns = (0..4).find(|turns| tile.kind().turned_by(*turns) == *tile).unwrap();
                let site = format!("site({name}.plot, 0 + {x}, 0 + {y})").replace("+ -", "- ");
                writeln!(text, "    move {} to {site} turned {turns}", from_box(*tile)).unwrap();
            }
        }
    }
    if game.phase != Phase::Picking {
        for tile in &game.pile {
            writeln!(text, "    move {} to pile bottom", from_box(*tile)).unwrap();
        }
        for tile in &game.thrown {
            writeln!(text, "    move {} to thrown_back", from_box(*tile)).unwrap();
        }
        if let Some(tile) = game.hand {
            writeln!(text, "    move {} to seat({}).hand", from_box(tile), game.mover + 1).unwrap();
        }
        text += "    move box to nowhere\n    set game.picking = false\n";
    }
    if game.over() {
        text += "    end game\n";
    }
    text + "  }\n}\n"
}

fn shuffled(mut tiles: Vec<Tile>, dice: &mut Dice) -> Vec<Tile> {
    for last in (1..tiles.len()).rev() {
        tiles.swap(last, dice.below(last + 1));
    }
    tiles
}

/// A game in which everybody has picked, with so many tiles of all, or nearly, in a random order.
fn picked(players: usize, tiles: usize, dice: &mut Dice) -> MonsterFactory {
    let mut tiles_in_order = shuffled(all_tiles(), dice);
    tiles_in_order.truncate(tiles);
    let mut game = MonsterFactory::new(players, tiles_in_order);
    while game.phase == Phase::Picking {
        let turns = game.turns();
        game.play(&turns[dice.below(turns.len())]);
    }
    game
}

fn all_the_same(found: Vec<MonsterFactory>, dice: &mut Dice, depth: u32, most: usize) {
    let text: String = found.iter().enumerate().map(|(number, game)| written(number, game)).collect();
    let played = positions("monster-factory", &[], &text);
    assert_eq!(played.len(), found.len());
    for ((mut played, game), number) in played.into_iter().zip(found).zip(0..) {
        let what = format!("position {number}: {}", written(number, &game));
        same_perft(&what, &mut played, &game, depth);
        lockstep(&what, &mut played, &mut game.clone(), dice, most);
    }
}

#[test]
fn picks_are_the_same() {
    let game = load("monster-factory", &[]);
    for players in 2..=6 {
        let mut checker = MonsterFactory::new(players, all_tiles());
        let mut played = Played::start(&game, players);
        // The order of the pile differs from then on.
        lockstep("picks", &mut played, &mut checker, &mut Dice::new(players as u64), players - 1);
    }
}

#[test]
fn sequences_are_as_many() {
    let mut dice = Dice::new(1);
    let found = (2..=6).map(|players| picked(players, 11, &mut dice)).collect();
    all_the_same(found, &mut dice, 2, 0);
}

#[test]
fn games_with_a_given_pile_go_the_same_way() {
    let mut dice = Dice::new(2);
    let mut found = Vec::new();
    for players in 2..=6 {
        for tiles in [8, 12, 25] {
            found.push(picked(players, tiles, &mut dice));
        }
    }
    found.push(picked(4, 88, &mut dice));
    all_the_same(found, &mut dice, 0, usize::MAX);
}

#[test]
fn positions_that_are_written_down_go_the_same_way() {
    let mut dice = Dice::new(3);
    let mut found = Vec::new();
    for players in 2..=6 {
        let tiles = shuffled(all_tiles(), &mut dice);
        found.extend(wander(MonsterFactory::new(players, tiles), &mut dice, 15));
    }
    found.retain(|game| {
        game.phase != Phase::Picking || game.monsters.last().is_some_and(|monsters| monsters.is_empty())
    });
    all_the_same(found, &mut dice, 0, 3);
}
