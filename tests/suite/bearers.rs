//! Clauses of cards that are not in play cost nothing, and change nothing: games go as they go where each such clause is
//! looked for at every event and checkpoint.

use super::support::games;
use cardwright::base::MemoryWorld;
use cardwright::core::Pass;
use cardwright::engine::{Chance, Machine, Start, State, Status};
use cardwright::play::{Dice, Game, Options, Package};
use std::sync::Arc;

const MANIFEST: &str = "name = \"small\"\ntitle = \"Small\"\nversion = \"0.1.0\"\nedition = 1\n\
                        [players]\nmin = 2\nmax = 2\n";

/// Cards with clauses of all sorts that come into play and leave it, by themselves and together.
const COMING_AND_GOING: &str = r#"
kind tool : card { stat heat: number = 1 }
kind bell : tool { after take_up c { increase game.rung by 1 } }
zone box { holds: tool  starts: tool }
zone table per player { holds: tool  inplay: true }
game { counter rung: 0..999  counter held: 0..999  counter swept: 0..999 }
player { counter points: 0..999  stat worth: number = sum heat of table }
verb take_up c: tool { move c to me.table }
verb put_down c: tool { move c to box }
verb gain n: number for p: player = me { increase p.points by n }
bell "Bell" { copies: 2 }
tool "Crown" { becomes me.points > 3 { increase game.held by 1 } }
tool "Broom" { check me.points > 5 { set me.points = 0  increase game.swept by 1 } }
tool "Clock" { after end of turn { gain 1 } after start of dawn { gain 1 } before start of turn of p where p = me { increase game.rung by 1 } }
tool "Lock" { cannot put_down c where c != this and round % 3 = 0 }
tool "Lens" { instead gain n for p where p = me and n < 3 { proceed n + 1 } }
tool "Ember" { modify heat of bell by 2  modify heat of tool where it in me.table by 1 }
tool "Ghost" { after even gone put_down c where c = this { gain 1 } }
tool "Fuse" { after take_up c where c = this { arm until end of turn { after gain where round > 1 { increase game.held by 1 } } } }
rule tally { after end of turn { set game.rung = game.rung + 1 } }
action take { choose c in box  take_up c }
action drop_one { choose c in me.table for put_down  put_down c }
action earn { choose n in 1..2  gain n }
flow {
  turns turn from seat(1) for 12 rounds {
    phase dawn { gain me.worth % 2 }
    choose action take, drop_one, earn
    phase dusk { if me.points % 2 = 0 { increase game.rung by 1 } }
  }
}
"#;

/// What has happened since the last call, and what is to be seen.
fn told(machine: &mut Machine, state: &State) -> String {
    let lines: Vec<String> = machine.take_changes().into_iter().map(|change| change.full).collect();
    let view = serde_json::to_string(&machine.view_all(state)).unwrap();
    format!("{}\n{view}", lines.join("\n"))
}

/// Plays the same random games with and without the pass. Gives how many decisions were made.
fn compare(game: &Game, players: u8, seeds: std::ops::Range<u64>, most: usize) -> usize {
    let mut made = 0;
    let (mut machine, mut other) = (game.machine(), Machine::new(Arc::new(game.without(&[Pass::Bearers]).unwrap())));
    machine.record(true);
    other.record(true);
    for seed in seeds {
        let start = Start { players, seed, chance: Chance::Draw };
        let (mut state, mut twin) =
            (game.start(&mut machine, &start).unwrap(), game.start(&mut other, &start).unwrap());
        let mut dice = Dice::of(&[seed, 5]);
        for step in 0..most {
            let (one, two) = (told(&mut machine, &state), told(&mut other, &twin));
            assert!(one == two, "{}, seed {seed}, step {step}:\n{one}\n{two}", game.full_name());
            if machine.status(&state) != Status::Decide {
                break;
            }
            let index = dice.below(machine.option_count(&state));
            let (one, two) = (machine.choose(&mut state, index), other.choose(&mut twin, index));
            assert_eq!(one.is_ok(), two.is_ok(), "{}, seed {seed}, step {step}", game.full_name());
            if one.is_err() {
                break;
            }
            made += 1;
        }
    }
    made
}

#[test]
fn cards_that_come_into_play_and_leave_it_act_as_they_did() {
    let world = MemoryWorld::new([("game.toml", MANIFEST), ("a.rules", COMING_AND_GOING)]);
    let game = match Game::load(&Package::memory("small", world), &Options::new(), None) {
        Ok(game) => game,
        Err(error) => panic!("{error}"),
    };
    assert!(compare(&game, 2, 0..60, 200) > 1000);
}

#[test]
fn shipped_games_go_as_they_went() {
    for game in games() {
        compare(&game, game.rules.players.0, 0..2, 120);
    }
}
