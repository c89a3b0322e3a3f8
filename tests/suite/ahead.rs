//! Choices of actions that know what follows offer what trying out would offer.

use cardwright::base::MemoryWorld;
use cardwright::engine::{Chance, Machine, Start, State, Status};
use cardwright::play::{Game, Options, Package};

const MANIFEST: &str = "name = \"small\"\ntitle = \"Small\"\nversion = \"0.1.0\"\nedition = 1\n\
                        [players]\nmin = 2\nmax = 2\n";

/// A game of stones that grow and move, on some board, with some `ensure`.
fn rules(board: &str, ensure: &str) -> String {
    format!(
        "board space {{ {board} }}
kind stone : piece {{ }}
player {{ counter left: 0..60 = 25 }}
define mine(p: player): set of site = sites(stone where owner = p)
define crowd(p: player, n: number): set of site = mine(p) where count (around(it) & mine(p)) > n
define lonely(p: player): set of site = mine(p) where count (around(it) & mine(p)) = 0
action lay {{
  choose c in empty(space) - around(mine(me))
  create stone at c with owner = me
  set me.left = me.left - 1
}}
action grow {{
  let had = count groups(mine(me))
  choose c in empty(around(mine(me)))
  create stone at c with owner = me
  choose m in group(c, sites(stone where owner = top(c).owner)) - c
  choose d in empty(around(m))
  move pieces(m) to d
  ensure {ensure}
  set me.left = me.left - 1
}}
action push {{
  choose m in mine(me) where some (around(it) & mine(me))
  choose d in empty(around(m))
  move pieces(m) to d
  ensure {push}
  set me.left = me.left - 1
}}
action add {{
  let had = count groups(mine(me))
  choose d in empty(space)
  create stone at d with owner = me
  ensure {ensure}
  set me.left = me.left - 1
}}
flow {{
  turns turn from seat(1) {{
    choose action lay, grow, push, add else rest
    if me.left = 0 {{ draw game }}
  }}
}}
action rest {{ set me.left = 0 }}",
        push = ensure.replace("had", "2"),
    )
}

fn game(rules: &str) -> Game {
    let world = MemoryWorld::new([("game.toml", MANIFEST), ("a.rules", rules)]);
    match Game::load(&Package::memory("small", world), &Options::new(), None) {
        Ok(game) => game,
        Err(error) => panic!("{error}"),
    }
}

fn keys(machine: &mut Machine, state: &State) -> Vec<String> {
    machine.decision(state).unwrap().options.into_iter().map(|option| option.key).collect()
}

#[test]
fn looking_ahead_offers_what_trying_out_offers() {
    let boards = ["shape: hexagon 4", "shape: square 5 5  neighbours: 4", "shape: square 9 8  neighbours: 8"];
    let ensures = [
        "no crowd(me, 2) and count groups(mine(me)) <= had",
        "no crowd(me, 1) and 3 > count groups(mine(me))",
        "no lonely(me)",
        "count groups(mine(me)) = had",
    ];
    for (board, ensure) in boards.iter().flat_map(|board| ensures.iter().map(move |ensure| (board, ensure))) {
        let rules = rules(board, ensure);
        // A game with a rule of its own that may change things is tried out.
        let (quick, tried) =
            (game(&rules), game(&format!("{rules}\nrule idle {{ check round > 999 {{ draw game }} }}")));
        assert!(quick.program.dump().contains("After {") && !tried.program.dump().contains("After {"), "{board}");
        let (mut machine, mut other) = (quick.machine(), tried.machine());
        let mut offered = 0;
        for seed in 1..=2 {
            let start = Start { players: 2, seed, chance: Chance::Draw };
            let (mut state, mut twin) = (machine.start(&start).unwrap(), other.start(&start).unwrap());
            while machine.status(&state) == Status::Decide {
                let options = keys(&mut machine, &state);
                assert_eq!(options, keys(&mut other, &twin), "{board}, {ensure}, seed {seed}");
                offered += options.len();
                let index = (offered * 7 + seed as usize) % options.len();
                machine.choose(&mut state, index).unwrap();
                other.choose(&mut twin, index).unwrap();
            }
            assert_eq!(other.status(&twin), Status::Over);
        }
        assert!(offered > 100, "{board}, {ensure}: {offered}");
    }
}
