//! Choices of actions that know what follows offer what trying out would offer.

use super::support::{keys, small};
use cardwright::core::Pass;
use cardwright::engine::{Chance, Machine, Start, Status};
use cardwright::play::Game;
use cardwright::program::Program;
use std::sync::Arc;

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
action eat {{
  choose m in mine(me)
  choose d in around(m) & sites(stone where owner != me)
  move pieces(d) to nowhere
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
    choose action lay, grow, push, eat, add else rest
    if me.left = 0 {{ draw game }}
  }}
}}
action rest {{ set me.left = 0 }}",
        push = ensure.replace("had", "2"),
    )
}

/// The program of a game, compiled without a pass.
fn without(pass: Pass, game: &Game) -> Program {
    game.without(&[pass]).unwrap()
}

/// Plays the same games, of the seeds from 1 on, with two machines that must offer the same; `pick` takes an option by its
/// number.
fn play_in_step(
    (machine, other): (&mut Machine, &mut Machine),
    games: u64,
    what: &str,
    mut pick: impl FnMut(&[String], usize) -> usize,
) {
    for seed in 1..=games {
        let start = Start { players: 2, seed, chance: Chance::Draw };
        let (mut state, mut twin) = (machine.start(&start).unwrap(), other.start(&start).unwrap());
        while machine.status(&state) == Status::Decide {
            let options = keys(machine, &state);
            assert_eq!(options, keys(other, &twin), "{what}, seed {seed}");
            let index = pick(&options, seed as usize);
            machine.choose(&mut state, index).unwrap();
            other.choose(&mut twin, index).unwrap();
        }
        assert_eq!(other.status(&twin), Status::Over);
    }
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
    // What ends the game lets an action be done whose `ensure` would not hold.
    let checks = [
        "",
        "check count groups(mine(mover)) > 4 { lose mover }",
        "check some crowd(mover, 3) { win mover }",
        "check some (players as p where count mine(p) > 9 and some lonely(p)) { note \"enough\"  draw game }",
        "check some (players as p where round > 2 and no (stone where owner = p)) { lose players as p where round > 2 and no (stone where owner = p) }",
        "check some (players as p where round > 1 and no mine(p)) { lose first(players as p where round > 1 and no mine(p)) }",
        "check some (players as p where round > 3 and no mine(p)) { each p in players where round > 3 and no mine(p) { lose p } }",
        "check count sites(space) - count empty(space) = 11 { end game }",
    ];
    let cases = boards.iter().flat_map(|board| ensures.iter().map(move |ensure| (board, ensure)));
    let cases = cases.flat_map(|case| checks.iter().map(move |check| (case, check)));
    for (((board, ensure), check), queens) in cases.flat_map(|case| [false, true].map(|queens| (case, queens))) {
        let mut rules = format!(
            "{}\nrule over {{ {check} }}\ndefine score(p: player): number = count mine(p)",
            rules(board, ensure)
        );
        if queens {
            // A kind below the other, of which there can be some: what is laid is one, what grows is not.
            rules = rules.replace("kind stone : piece { }", "kind stone : piece { }\nkind queen : stone { }");
            rules = rules
                .replacen("create stone at c", "create queen at c", 1)
                .replace("create stone at d", "create queen at d");
        }
        let quick = small(&rules);
        let tried = without(Pass::Ahead, &quick);
        assert!(
            quick.program.dump().contains("After {") && !tried.dump().contains("After {"),
            "{board}, {ensure}, {check}"
        );
        let (mut machine, mut other) = (quick.machine(), Machine::new(Arc::new(tried)));
        let mut offered = 0;
        play_in_step(
            (&mut machine, &mut other),
            2,
            &format!("{board}, {ensure}, {check}, {queens}"),
            |options, seed| {
                offered += options.len();
                (offered * 7 + seed) % options.len()
            },
        );
        assert!(offered > 60, "{board}, {ensure}, {check}: {offered}");
    }
}

/// What lies on a site is asked for in other words, of which some hold only where no piece lies on another.
#[test]
fn looking_ahead_knows_what_lies_on_top() {
    let words: [&[(&str, &str)]; 6] = [
        &[("move pieces(m) to d", "each x in pieces(m) { move x to d }")],
        &[
            ("move pieces(m) to d", "each x in stack(m) { move x to d }"),
            ("sites(stone where owner = p)", "sites(space) as s where top(s).owner = p"),
        ],
        &[("count (around(it) & mine(p))", "count (around(it) as s where top(s).owner = p)")],
        &[
            ("count (around(it) & mine(p))", "count (pieces(around(it)) where owner = p)"),
            ("move pieces(m) to d", "let moving = top(m)  move moving to d"),
        ],
        &[
            ("sites(stone where owner = p)", "sites(space) as s where top(s).owner = p"),
            ("move pieces(m) to d", "move top(m) to d"),
        ],
        &[
            ("sites(stone where owner = p)", "sites(space) as s where some pieces(s) and not (top(s).owner != p)"),
            ("around(m) & sites(stone where owner != me)", "around(m) as s where top(s).owner in opponents"),
        ],
    ];
    let ensures = [
        "no crowd(me, 2) and count groups(mine(me)) < had + 1",
        "no lonely(me) and some (mine(me) where row(it) > 0 and top(it).owner = me)",
        "count groups(mine(me)) = had and no (around(d) as s where some top(s) and top(s).owner != me)",
    ];
    // Pieces come to lie on others, now and then or never.
    let heaps = [
        "",
        "action heap { requires round % 4 = 0 choose m in mine(me)  choose d in around(m) - empty(space)  move pieces(m) to d }",
    ];
    let cases = words.iter().flat_map(|words| ensures.iter().map(move |ensure| (words, ensure)));
    for ((words, ensure), heap) in cases.flat_map(|case| heaps.map(|heap| (case, heap))) {
        let mut rules = rules("shape: square 5 5  neighbours: 4", ensure);
        for (from, to) in *words {
            assert!(rules.contains(from), "{from}");
            rules = rules.replace(from, to);
        }
        if !heap.is_empty() {
            rules = format!("{}\n{heap}", rules.replace("eat, add", "eat, heap, add"));
        }
        let rules = format!("{rules}\ndefine score(p: player): number = count mine(p)");
        let quick = small(&rules);
        for pass in [Pass::Ahead, Pass::Flat, Pass::Sets] {
            let (mut machine, mut other) = (quick.machine(), Machine::new(Arc::new(without(pass, &quick))));
            let mut offered = 0;
            play_in_step((&mut machine, &mut other), 2, &format!("{rules}, {pass:?}"), |options, seed| {
                offered += options.len();
                (offered * 7 + seed) % options.len()
            });
            assert!(offered > 60, "{rules}: {offered}");
        }
    }
}

/// A game of coins that are sold in lots, and of prices paid from the hand. What stands behind the choices is either of a
/// form that is looked at beforehand or of one that is tried out.
fn market(reached: &str, last: &str) -> String {
    format!(
        "kind coin : card {{ field worth: number  field price: number  mark gone: flag = false }}
zone purse per player {{ holds: coin  seen: all }}
zone bank {{ holds: coin  order: pile  seen: none  starts: coin }}
player {{ counter points: 0..1000 = 0 }}
define payable(p: player, c: coin): set of coin = p.purse where it != c and worth > c.worth
action sell {{
  choose 0 to 4 cs in me.purse where worth < 7
  ensure {reached}
  set me.points = me.points + count cs
  each c in cs {{ move c to bank }}
}}
action spend {{
  choose c in me.purse
  choose exactly c.price xs in payable(me, c)
  {last}
  each x in xs {{ move x to bank }}
  move c to bank
}}
action show {{
  choose p in players
  choose 1 to 2 cs in me.purse where not gone and p != me
  {last}
  each c in cs {{ set c.gone = true }}
}}
action count_up {{
  choose c in me.purse
  choose n in c.price..c.worth - 2
  {last}
  set me.points = me.points + n
}}
action rest {{ }}
flow {{
  turns turn from seat(1) until round > 12 {{
    repeat 3 times {{ if some bank {{ move top(bank) to me.purse }} }}
    repeat 2 times {{ choose action sell, spend, show, count_up, rest }}
  }}
  draw game
}}"
    )
}

#[test]
fn sums_and_several_are_known_beforehand() {
    let coins = "coin \"Bad\" { worth: -3  price: 0  copies: 3 }\ncoin \"Nil\" { worth: 0  price: 1  copies: 2 }\n\
                 coin \"Low\" { worth: 2  price: 2  copies: 4 }\ncoin \"Mid\" { worth: 5  price: 1 }\n\
                 coin \"Top\" { worth: 9  price: 3  copies: 3 }\n";
    let load = |rules: &str| small(&format!("{coins}{rules}"));
    for looked in [
        "(sum worth of cs) >= 6",
        "not ((sum worth of cs) < 6)",
        "1 < (sum (2 * worth - price) of cs)",
        "not ((sum (2 * worth - price) of cs) <= 1)",
        "(sum worth of cs) >= me.points - 3",
        "not (me.points - 3 > (sum worth of cs))",
    ] {
        let quick = load(&market(looked, ""));
        let tried = without(Pass::Ahead, &quick);
        assert!(quick.program.actions.iter().all(|action| action.ahead.is_some() == action.lookahead), "{looked}");
        assert!(tried.actions.iter().any(|action| action.lookahead && action.ahead.is_none()));
        let (mut machine, mut other) = (quick.machine(), Machine::new(Arc::new(tried)));
        let (mut offered, mut begun) = (0, std::collections::BTreeSet::new());
        play_in_step((&mut machine, &mut other), 6, looked, |options, seed| {
            offered += options.len();
            let index = (offered * 7 + seed) % options.len();
            begun.extend(options[index].split(' ').next().map(str::to_owned));
            index
        });
        assert!(["sell", "spend", "show", "count"].iter().all(|action| begun.contains(*action)), "{begun:?}");
        assert!(offered > 200, "{offered}");
    }
}

#[test]
fn of_things_that_are_alike_one_that_leads_on_is_offered() {
    let cards = |action: &str| {
        format!(
            "kind leaf : card {{ }}\nzone tray {{ holds: leaf  starts: leaf }}\nzone heap {{ holds: leaf }}\n\
             player {{ counter n: 0..9 }}\nleaf \"Fern\" {{ copies: 3 }}\n\
             action grow {{\n{action}\n}}\naction rest {{ }}\n\
             flow {{\n  turns turn from seat(1) until round > 1 {{\n    choose action grow, rest\n  }}\n}}\n"
        )
    };
    // The first choice and a later one; looked ahead of by code of its own, and tried out.
    for (action, first) in [
        ("choose l in tray\nensure (tray sorted by 1)[2] = l", "grow Fern"),
        (
            "choose l in tray\nif me.n = 0 {\n  set me.n = 1\n}\nset me.n = 2\nensure (tray sorted by 1)[2] = l",
            "grow Fern",
        ),
        ("choose n in 1..2\nchoose l in tray\nensure (tray sorted by 1)[n + 1] = l", "grow 1"),
    ] {
        let game = small(&cards(action));
        let mut machine = game.machine();
        let state = machine.start(&Start { players: 2, seed: 1, chance: Chance::Draw }).unwrap();
        let keys = keys(&mut machine, &state);
        assert!(keys.iter().any(|key| key == first), "{action}: {keys:?}");
    }
}

#[test]
fn what_comes_of_an_offer_is_not_looked_at_before_it() {
    let rules = "board grid { shape: square 2 1 }\nkind stone : piece { }\naction rest { }\n\
                 action trade {\n  choose s in empty(grid)\n  create stone at s\n  \
                 offer to first(opponents) \"Trade?\" { } accepted { choose t in empty(grid)  create stone at t } refused { }\n}\n\
                 flow { turns turn from seat(1) for 3 rounds { choose action trade, rest } draw game }";
    let game = small(rules);
    assert!(game.program.actions.iter().all(|action| !action.lookahead));
    let mut machine = game.machine();
    let mut state = machine.start(&Start { players: 2, seed: 1, chance: Chance::Draw }).unwrap();
    for key in ["trade a1", "accept", "b1"] {
        let index = keys(&mut machine, &state).iter().position(|option| option == key).unwrap();
        machine.choose(&mut state, index).unwrap();
    }
    // Where nothing is free any more, nothing is offered to begin with; where one site is, what comes of the offer has nothing.
    assert_eq!(keys(&mut machine, &state), ["rest"]);
}

#[test]
fn what_an_empty_pile_is_filled_with_is_not_looked_at_before_it_is_drawn() {
    for draw in [
        "repeat 2 times { move top(deck) to me.drawn }",
        "move top(deck, 2) to me.drawn",
        "move first(deck) to me.drawn",
    ] {
        let rules = format!(
            "kind tool : card {{ }}\ntool \"Rope\" {{ copies: 4 }}\n\
             zone deck {{ holds: tool  order: pile  seen: none  starts: tool  refill: heap }}\n\
             zone heap {{ holds: tool  order: pile }}\nzone drawn per player {{ holds: tool  seen: holder }}\n\
             action look {{ {draw}  choose c in me.drawn  move me.drawn to heap }}\naction wait {{ }}\n\
             setup {{ move deck to seat(1).drawn  move seat(1).drawn to heap }}\n\
             flow {{ turns turn from seat(1) for 2 rounds {{ choose action look, wait }} draw game }}"
        );
        let game = small(&rules);
        let mut machine = game.machine();
        let mut state = machine.start(&Start { players: 2, seed: 1, chance: Chance::Draw }).unwrap();
        assert_eq!(keys(&mut machine, &state), ["look", "wait"], "{draw}");
        machine.choose(&mut state, 0).unwrap();
        assert_eq!(keys(&mut machine, &state), ["Rope"], "{draw}");
    }
}
