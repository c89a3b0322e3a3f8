//! Munch against its checker.

use super::{Played, load, lockstep, positions, same_perft, wander};
use crate::checkers::Checker;
use crate::checkers::munch::{Munch, Place, Size, World, square_name};
use cardwright::play::Dice;
use std::fmt::Write;

/// A small board, on which monsters come early and games end in each of the ways.
const SMALL: Size = Size { side: 3, copies: 1, waking: 2, patience: 12 };
/// One in between.
const MIDDLE: Size = Size { side: 4, copies: 2, waking: 4, patience: 30 };

fn options(size: Size) -> [(&'static str, i64); 4] {
    let number = |number: usize| number as i64;
    [
        ("side", i64::from(size.side)),
        ("copies", number(size.copies)),
        ("wake", number(size.waking)),
        ("patience", number(size.patience)),
    ]
}

/// A position as a scenario: every part that the rulings list.
fn written(number: usize, game: &Munch) -> String {
    let mut text = format!(
        "scenario \"position {number}\" {{\n  players {}\n  mover seat({})\n  given {{\n    deal()\n",
        game.players,
        game.mover + 1
    );
    let from_bank = |(colour, size): World| {
        let colour = match colour {
            'r' => "red",
            'g' => "green",
            _ => "black",
        };
        format!("first(bank where colour = {colour} and size = {size})")
    };
    for (square, world) in &game.worlds {
        writeln!(text, "    move {} to site(space, \"{}\")", from_bank(*world), square_name(*square)).unwrap();
    }
    for (player, graveyard) in game.graveyards.iter().enumerate() {
        for (world, count) in graveyard {
            for _ in 0..*count {
                writeln!(text, "    move {} to seat({}).graveyard", from_bank(*world), player + 1).unwrap();
            }
        }
    }
    for (player, monsters) in game.monsters.iter().enumerate() {
        for (place, pips) in monsters.iter().zip(1..) {
            let to = match place {
                Place::Army => continue,
                Place::Pit => "pit".to_owned(),
                Place::Void => "void".to_owned(),
                Place::Square(square) => format!("site(space, \"{}\")", square_name(*square)),
                Place::Site((side, square)) => format!("site(space, \"{side}{}\")", square_name(*square)),
            };
            writeln!(text, "    move first(seat({}).army where pips = {pips}) to {to}", player + 1).unwrap();
        }
    }
    for player in (0..game.players).filter(|player| game.lost[*player]) {
        writeln!(text, "    set seat({}).dazed = true", player + 1).unwrap();
    }
    writeln!(text, "    set game.quiet = {}", game.quiet).unwrap();
    if game.over {
        text += "    end game\n";
    }
    text + "  }\n}\n"
}

#[test]
fn sequences_are_as_many() {
    for (size, players, depth) in [(SMALL, 2, 2), (Size::REAL, 3, 1)] {
        let game = load("munch", &options(size));
        same_perft(&format!("{size:?}"), &mut Played::start(&game, players), &Munch::new(size, players), depth);
    }
}

#[test]
fn random_games_go_the_same_way() {
    for (size, games) in [(SMALL, 6), (MIDDLE, 1)] {
        let game = load("munch", &options(size));
        for players in 2..=4 {
            for seed in 0..games {
                let what = format!("{size:?}, {players} players, seed {seed}");
                let mut checker = Munch::new(size, players);
                lockstep(&what, &mut Played::start(&game, players), &mut checker, &mut Dice::new(seed), usize::MAX);
            }
        }
    }
}

#[test]
fn positions_that_are_written_down_go_the_same_way() {
    for (size, every) in [(SMALL, 10), (MIDDLE, 20), (Size::REAL, 60)] {
        let mut dice = Dice::new(size.side as u64);
        let found: Vec<Munch> =
            [2, 3, 4].into_iter().flat_map(|players| wander(Munch::new(size, players), &mut dice, every)).collect();
        let text: String = found.iter().enumerate().map(|(number, game)| written(number, game)).collect();
        let played = positions("munch", &options(size), &text);
        assert_eq!(played.len(), found.len());
        for ((mut played, game), number) in played.into_iter().zip(found).zip(0..) {
            let what = format!("{size:?}, position {number}: {}", written(number, &game));
            if !game.over() && game.mover() == 0 {
                same_perft(&what, &mut played, &game, 1);
            }
            lockstep(&what, &mut played, &mut game.clone(), &mut dice, 4);
        }
    }
}
