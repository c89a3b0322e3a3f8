//! Plays whole games of shipped content at random.

use super::*;
use crate::base::render_text;
use crate::model::load;
use crate::program::compile;
use std::collections::BTreeMap;

fn machine(world: &dyn crate::base::World) -> Machine {
    let loaded = load(world, &BTreeMap::new(), None);
    let Some(rules) = loaded.rules else { panic!("{}", render_text(&loaded.diagnostics, &loaded.sources, false)) };
    match compile(Arc::new(rules)) {
        Ok(program) => Machine::new(Arc::new(program)),
        Err(errors) => panic!("{}", render_text(&errors, &loaded.sources, false)),
    }
}

fn folder(name: &str) -> crate::base::MemoryWorld {
    let mut world = crate::base::MemoryWorld::default();
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("content").join(name);
    let mut folders = vec![root.clone()];
    while let Some(dir) = folders.pop() {
        for item in std::fs::read_dir(dir).unwrap() {
            let path = item.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if let Ok(text) = std::fs::read_to_string(&path) {
                let name = path.strip_prefix(&root).unwrap().to_str().unwrap().to_owned();
                world.files.insert(name, text);
            }
        }
    }
    world
}

fn play(machine: &mut Machine, players: u8, seed: u64, limit: u32, show: bool) -> (State, u32) {
    machine.record(show);
    let mut state = machine.start(&Start { players, seed, chance: Chance::Draw }).unwrap();
    let mut rng = generator(seed ^ 77);
    let mut steps = 0;
    while machine.status(&state) == Status::Decide {
        let count = machine.option_count(&state);
        assert!(count > 0, "no options");
        let pick = below(&mut rng, count as u32) as usize;
        if show {
            for change in machine.take_changes() {
                println!(
                    "    {} [{}]",
                    change.full,
                    change.causes.iter().map(|c| c.what.as_str()).collect::<Vec<_>>().join(" < ")
                );
            }
            let decision = machine.decision(&state).unwrap();
            let keys: Vec<&str> = decision.options.iter().map(|option| option.key.as_str()).collect();
            println!("{:?} {} {:?} -> {}", decision.seat, decision.prompt, keys, keys[pick]);
        }
        if let Err(error) = machine.choose(&mut state, pick) {
            panic!("seed {seed}: {error:?}");
        }
        steps += 1;
        assert!(steps < limit, "no end");
    }
    if show {
        for change in machine.take_changes() {
            println!(
                "    {} [{}]",
                change.full,
                change.causes.iter().map(|c| c.what.as_str()).collect::<Vec<_>>().join(" < ")
            );
        }
    }
    (state, steps)
}

#[test]
fn noughts_and_crosses_come_to_an_end() {
    let mut machine = machine(&folder("tic-tac-toe"));
    let mut wins = [0, 0, 0];
    for seed in 0..2_000 {
        let (state, steps) = play(&mut machine, 2, seed, 10, false);
        assert!((5..=9).contains(&steps));
        let outcome = machine.outcome(&state).unwrap();
        wins[outcome.winners.first().map_or(2, |seat| usize::from(*seat))] += 1;
    }
    // Random play: the first player wins about 58.5 %, the second 28.8 %.
    assert!((1_100..1_240).contains(&wins[0]) && (500..660).contains(&wins[1]), "{wins:?}");
}

/// A game of these rules for two players.
fn small(rules: &str) -> crate::base::MemoryWorld {
    let manifest = "name = \"wake\"\ntitle = \"Wake\"\nversion = \"0.1.0\"\nedition = 1\n[players]\nmin = 2\nmax = 2\n";
    crate::base::MemoryWorld::new([("game.toml", manifest), ("wake.rules", rules)])
}

/// Takes the first option of a game of these rules: the first player must have won then.
fn wins_at_once(rules: &str) {
    let mut machine = machine(&small(rules));
    let mut state = machine.start(&Start { players: 2, seed: 1, chance: Chance::Draw }).unwrap();
    machine.choose(&mut state, 0).unwrap();
    assert_eq!(machine.outcome(&state).map(|outcome| outcome.winners), Some(vec![0]));
}

#[test]
fn what_is_created_keeps_the_bounds_of_its_fields() {
    let rules = "
board grid { shape: square 2 1 }
kind stone : piece { mark size: 0..9  mark lit: flag = true }
player { mark bright: flag = true }
action lay {
  let high = 4 + count empty(grid) * 4
  choose c in empty(grid)
  create stone at c with size = high
}
setup { create stone at site(grid, 1, 1) with lit = first(players where false).bright }
flow {
  turns turn from seat(1) {
    choose action lay
    if count (stone where size = 8) = 1 and count (stone where size > 9) = 0 and count (stone where lit) = 1 { win seat(1) }
    draw game
  }
}
";
    for rules in [rules.to_owned(), rules.replace("high = 4", "high = 40").replace("size = 8", "size = 9")] {
        wins_at_once(&rules);
    }
}

#[test]
fn a_card_that_is_created_in_the_place_of_another_bears_its_clauses() {
    let rules = "
kind leaf : card { }
zone den { holds: leaf  order: queue  starts: leaf }
zone heap { holds: leaf  seen: all  inplay: true }
player { stat reach: number = 1 }
leaf \"Fern\" { }
leaf \"Moss\" { modify reach of players to 4 }
flow { turns turn from seat(1) {
  move first(leaf \"Fern\") to nowhere
  create leaf \"Moss\" in heap
  choose n in 1..2
  if me.reach = 4 { win me }
  draw game
} }
";
    wins_at_once(rules);
}

#[test]
fn what_a_condition_says_of_a_kind_is_known_however_it_is_put() {
    let rules = "
kind leaf : card { }
kind fern : leaf { field size: 1..9 = 1 }
zone heap { holds: leaf  seen: all  starts: leaf }
leaf \"Moss\" { }
fern \"Lady\" { size: 4 }
define tall(l: leaf): flag = l is not fern or l.size > 3
define size_of(l: leaf): number = if not (l is fern) then 0 else l.size
define ferns: set of fern = heap where not (not true or not it is fern)
flow { turns turn from seat(1) {
  choose n in 1..2
  each l in heap { if not l is fern { note \"moss\" } else { if l.size = 4 and tall(l) and size_of(l) = 4 and count ferns = 1 { win me } } }
  draw game
} }
";
    wins_at_once(rules);
}

#[test]
fn a_hook_even_gone_sees_its_own_leaving_and_no_other_does() {
    let rules = "
kind lamp : card { }
player { counter loud  counter quiet }
zone shelf { holds: lamp  starts: lamp  seen: all  inplay: true }
zone bin { holds: lamp  seen: all }
verb smash c: lamp { move c to bin }
lamp \"Bell\" {
  after even gone smash c where c = this { increase seat(1).loud by 1 }
  after smash c where c = this { increase seat(1).quiet by 1 }
}
flow { turns turn from seat(1) { choose c in shelf  smash c  settle  if seat(1).loud = 1 and seat(1).quiet = 0 { win seat(1) } draw game } }
";
    wins_at_once(rules);
}
