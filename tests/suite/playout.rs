//! Playing out draws one of the options that a decision would list, each as likely as the others, and leads to the same states.

use super::support::{classics, games, keys, small, templates};
use cardwright::engine::{Chance, Start, Status};
use cardwright::play::simulate::{Plan, Until, bench, seed_of};
use cardwright::play::{Bot, Dice, Game};
use std::collections::BTreeMap;

/// Draws at each decision.
const DRAWS: u64 = 3;

/// Plays a game for so many decisions, each also as in playing out. Gives how often options were left out.
///
/// # Errors
/// Says what differs.
pub fn compare(game: &Game, seed: u64, decisions: usize) -> Result<usize, String> {
    let (mut whole, mut drawing) = (game.machine(), game.machine());
    let start = Start { players: game.program.rules.players.0, seed, chance: Chance::Draw };
    let Ok(mut state) = whole.start(&start) else { return Ok(0) };
    let mut dice = Dice::of(&[seed, 0x91]);
    let mut drawn = 0;
    for number in 0..decisions {
        if whole.status(&state) != Status::Decide {
            break;
        }
        let index = dice.below(whole.option_count(&state));
        let mut next = state.clone();
        if whole.choose(&mut next, index).is_err() {
            break;
        }
        let listed = keys(&mut whole, &next);
        for draw in 0..DRAWS {
            let mut other = state.clone();
            drawing.play_out(Some(seed.wrapping_mul(1000) + number as u64 * DRAWS + draw));
            drawing.choose(&mut other, index).map_err(|error| format!("decision {number}: {error:?}"))?;
            let found = keys(&mut drawing, &other);
            if found == listed {
                continue;
            }
            drawn += 1;
            let [key] = &found[..] else { return Err(format!("decision {number}: {found:?} of {listed:?}")) };
            drawing.play_out(None);
            let taken = drawing.choose(&mut other, 0);
            // Its key may need more words where others are listed, too.
            let like = |listed: &str| {
                let behind = listed.strip_prefix(key).is_some_and(|rest| rest.is_empty() || rest.starts_with(' '));
                behind || listed.strip_suffix(key).is_some_and(|rest| rest.ends_with(' '))
            };
            let mut places = (0..listed.len()).filter(|place| like(&listed[*place]));
            let same = places.any(|place| {
                let mut after = next.clone();
                let chosen = whole.choose(&mut after, place);
                chosen == taken && (chosen.is_err() || whole.view_all(&after) == drawing.view_all(&other))
            });
            if !same {
                return Err(format!("decision {number}: `{key}` is none of {listed:?}, or leads elsewhere"));
            }
        }
        state = next;
    }
    Ok(drawn)
}

#[test]
fn one_of_the_options_is_drawn_and_the_states_are_the_same() {
    let mut drawn = BTreeMap::new();
    for game in games().into_iter().chain(classics()).chain(templates()) {
        for seed in 1..=2 {
            let found =
                compare(&game, seed, 60).unwrap_or_else(|found| panic!("{}, seed {seed}: {found}", game.full_name()));
            *drawn.entry(game.full_name()).or_insert(0) += found;
        }
    }
    drawn.retain(|_, found| *found > 0);
    for name in ["quoridor", "chinese-checkers", "backgammon"] {
        assert!(drawn.contains_key(name), "{name} has nothing to draw: {drawn:?}");
    }
}

const RULES: &str = "
kind coin : card { field worth: 1..9 }
zone purse per player { holds: coin  seen: all }
zone paid { holds: coin  seen: all }
board row { shape: square 6 1  cells: \"{col}\" }
kind peg : piece { }
game { counter due: 0..99 = 7 }
setup { each p in players { create coin in p.purse with worth = every_value  create 2 * coin in p.purse with worth = 3 } }
action pay { choose c in me.purse  move c to paid  choose d in me.purse  move d to paid  ensure sum worth of paid >= game.due }
action put { choose s in empty(row)  create peg at s  ensure count pieces(sites(row)) < 4 or column(s) > 2 }
action rest { requires count me.purse < 9 }
flow { turns turn from seat(1) for 3 rounds { choose action pay, put, rest  set game.due = game.due + 5 } }
";

#[test]
fn each_option_is_as_likely() {
    let game = small(RULES);
    let (mut whole, mut drawing) = (game.machine(), game.machine());
    let mut dice = Dice::new(5);
    let mut compared = 0;
    for seed in 1..=8 {
        let mut state = whole.start(&Start { players: 2, seed, chance: Chance::Draw }).unwrap();
        while whole.status(&state) == Status::Decide {
            let index = dice.below(whole.option_count(&state));
            let mut next = state.clone();
            whole.choose(&mut next, index).unwrap();
            let listed = keys(&mut whole, &next);
            let mut counts = vec![0u32; listed.len()];
            let draws = 200 * listed.len() as u64;
            for draw in 0..draws {
                let mut other = state.clone();
                drawing.play_out(Some(draw));
                drawing.choose(&mut other, index).unwrap();
                let found = keys(&mut drawing, &other);
                if let ([key], true) = (&found[..], listed.len() > 1) {
                    counts[listed.iter().position(|listed| listed == key).unwrap()] += 1;
                }
            }
            // Where one of several that are alike did not lead on, all were listed.
            let mean = f64::from(counts.iter().sum::<u32>()) / counts.len() as f64;
            if mean > 0.0 {
                compared += 1;
                let off = 5.0 * mean.sqrt();
                assert!(counts.iter().all(|count| (f64::from(*count) - mean).abs() < off), "{listed:?}: {counts:?}");
            }
            state = next;
        }
    }
    assert!(compared > 20, "{compared}");
}

#[test]
fn each_game_begins_anew() {
    let game = small(
        "board row { shape: square 6 1 }
kind peg : piece { }
setup { each s in sites(row) where column(it) < 4 { create peg at s with owner = seat(1) } }
action hop { choose s in sites(peg where owner = me)  choose t in empty(row) where column(it) > column(s) + 1  move pieces(s) to t }
flow { turns turn from seat(1) for 1 round { choose action hop } }",
    );
    let mut machine = game.machine();
    let mut first = BTreeMap::new();
    for seed in 1..=60 {
        machine.play_out(Some(seed));
        let state = machine.start(&Start { players: 2, seed, chance: Chance::Draw }).unwrap();
        let listed = keys(&mut machine, &state);
        let drawn = Dice::of(&[seed, 7]).below(listed.len());
        *first.entry(listed[drawn].clone()).or_insert(0) += 1;
    }
    assert_eq!(first.len(), 3, "{first:?}");
}

/// A number is rolled, then one of six points is picked by an action that has to be tried out.
const ROLLED: &str = "
board lane { shape: square 6 1 }
kind stone : piece { }
game { mark rolled: number = 0  mark guessed: number = 0 }
player { counter points: 0..9 }
action lay {
  choose s in empty(lane)
  create stone at s with owner = me
  choose t in empty(lane)
  create stone at t with owner = me
  if column(s) = game.rolled { increase me.points by 1 }
}
define score(p: player): number = p.points
flow { turns turn from seat(1) for 1 round { roll r in 1..6  set game.rolled = r  choose action lay }  end game }
";

fn mean_scores(games: u64, seed: u64) -> Vec<f64> {
    let until = Until::Games(games);
    bench(&small(ROLLED), &Plan { players: 2, seed, threads: 1, until, bot: Bot::Random }).unwrap().mean_scores.unwrap()
}

#[test]
fn what_is_picked_has_nothing_to_do_with_what_is_rolled() {
    for mean in mean_scores(1200, 1) {
        assert!((mean - 1.0 / 6.0).abs() < 0.06, "{mean}");
    }
}

#[test]
fn a_game_of_several_is_the_game_of_its_seed() {
    let games = 40;
    let alone: f64 = (0..games).map(|number| mean_scores(1, seed_of(7, number))[0]).sum();
    assert!((mean_scores(games, 7)[0] * games as f64 - alone).abs() < 1e-9);
}
