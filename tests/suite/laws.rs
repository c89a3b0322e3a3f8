//! The laws of the language: each package in tests/laws says in scenarios what must hold of one part of it; what
//! scenarios cannot say stands here.

use super::support::{MANIFEST, keys, lamps, root};
use cardwright::base::{Colour, MemoryWorld, Shape};
use cardwright::engine::{Chance, GameError, Machine, Start, State, Status, below, generator};
use cardwright::play::conformance::conformance;
use cardwright::play::scenario::run_all;
use cardwright::play::{Game, Options, Package, PlayError};
use std::sync::Arc;

fn packages() -> Vec<Arc<Game>> {
    let mut folders: Vec<_> =
        std::fs::read_dir(root().join("tests/laws")).unwrap().map(|entry| entry.unwrap().path()).collect();
    folders.sort();
    folders.iter().map(|folder| load(&Package::folder(folder))).collect()
}

pub(super) fn load(package: &Package) -> Arc<Game> {
    match Game::load(package, &Options::new(), None) {
        Ok(game) => Arc::new(game),
        Err(error) => panic!("{error}"),
    }
}

pub(super) fn small(rules: &str) -> Arc<Game> {
    Arc::new(super::support::small(rules))
}

fn start(game: &Game, machine: &mut Machine, chance: Chance) -> State {
    game.start(machine, &Start { players: 2, seed: 1, chance }).unwrap()
}

pub(super) fn pick(machine: &mut Machine, state: &mut State, key: &str) -> Result<Status, GameError> {
    let Some(index) = machine.find(state, key) else {
        panic!("`{key}` is not among {:?}", keys(machine, state));
    };
    machine.choose(state, index)
}

/// Where the branches of an action begin with choices of different sorts, only those of the first one's sort are named with it.
#[test]
fn a_first_choice_of_another_sort_is_a_decision_of_its_own() {
    let game = small(
        "kind face : card { field n: 1..9  notation \"n{n}\" }\nzone hand per player { holds: face }\n\
         zone heap { holds: face }\nplayer { counter tot: 0..9  mark rich: flag = false }\n\
         action act { if me.rich { choose c in me.hand  move c to heap } \
         else { choose k in 2..4 where it + me.tot != 3  increase me.tot by k } }\naction pass { }\n\
         setup { create face in seat(1).hand with n = 4 }\n\
         flow { turns turn from seat(1) among seat(1) for 3 rounds { choose action act, pass  set me.rich = not me.rich } draw game }",
    );
    let mut machine = game.machine();
    let mut state = start(&game, &mut machine, Chance::Draw);
    assert_eq!(keys(&mut machine, &state), ["act", "pass"]);
    pick(&mut machine, &mut state, "act").unwrap();
    assert_eq!(keys(&mut machine, &state), ["2", "4"]);
    pick(&mut machine, &mut state, "4").unwrap();
    assert_eq!(keys(&mut machine, &state), ["act n4", "pass"]);
    pick(&mut machine, &mut state, "act n4").unwrap();
    assert_eq!(keys(&mut machine, &state), ["act", "pass"]);
}

/// What may be passed by is offered only where it can be gone through to its end, however many decisions it asks for.
#[test]
fn an_answer_leads_to_the_end_of_what_it_begins() {
    let game = small(
        "kind face : card { field n: 1..9  notation \"n{n}\" }\nzone hand per player { holds: face }\nzone heap { holds: face }\n\
         player { counter tot: 0..9 }\n\
         action pair { choose k in 1..2  may \"Two?\" do { choose a in me.hand where n > k  move a to heap  \
         choose b in me.hand where n > 3  move b to heap } }\n\
         action three { increase me.tot by 1  may \"Three?\" do { repeat 3 times { choose a in me.hand  move a to heap } } }\n\
         action proud { increase me.tot by 1  may \"Twice?\" do { may \"Really?\" do { increase me.tot by 1 }  ensure me.tot > 5 } }\n\
         setup { create face in seat(1).hand with n = 2  create face in seat(1).hand with n = 3 }\n\
         flow { turns turn from seat(1) among seat(1) for 3 rounds { choose action pair, three, proud } draw game }",
    );
    for action in ["pair 1", "pair 2", "three", "proud"] {
        let mut machine = game.machine();
        let mut state = start(&game, &mut machine, Chance::Draw);
        pick(&mut machine, &mut state, action).unwrap();
        assert_eq!(keys(&mut machine, &state), ["no"], "{action}");
    }
}

#[test]
fn every_law_holds() {
    let mut failures = Vec::new();
    let mut count = 0;
    for game in packages() {
        for verdict in run_all(&game).unwrap() {
            count += 1;
            if let Some(failure) = &verdict.failure {
                failures.push(format!("{}: {}\n{}", game.rules.name, verdict.title, failure.report()));
            }
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    assert!(count >= 75, "{count} laws");
}

#[test]
fn who_has_nothing_to_choose_from_is_passed_over_openly() {
    let game = packages().into_iter().find(|game| game.rules.name == "passed-over").unwrap();
    let report = conformance(&game, 3, 1, 30).unwrap();
    assert!(report.problems.is_empty(), "{:?}", report.problems);
}

#[test]
fn no_seat_sees_what_it_cannot_know() {
    let game = small(SECRETS);
    let mut machine = game.machine();
    for seed in 0..20 {
        let mut state = game.start(&mut machine, &Start { players: 2, seed, chance: Chance::Draw }).unwrap();
        let mut rng = generator(seed + 500);
        for step in 0..60 {
            if machine.status(&state) == Status::Over {
                break;
            }
            for seat in 0..2 {
                let real = serde_json::to_string(&machine.view(&state, Some(seat))).unwrap();
                for other in 0..3 {
                    let guess = machine.resample(&state, seat, seed * 1000 + step * 10 + other);
                    let seen = serde_json::to_string(&machine.view(&guess, Some(seat))).unwrap();
                    assert_eq!(real, seen, "seed {seed}, step {step}, seat {seat}");
                }
            }
            let copy: State = serde_json::from_str(&serde_json::to_string(&state).unwrap()).unwrap();
            assert!(copy == state && machine.hash(&copy) == machine.hash(&state));
            let index = below(&mut rng, machine.option_count(&state) as u32) as usize;
            let mut copy = copy;
            machine.choose(&mut copy, index).unwrap();
            machine.choose(&mut state, index).unwrap();
            assert!(copy == state, "the copy goes on alike");
        }
    }
    let report = conformance(&game, 2, 3, 5).unwrap();
    assert!(report.problems.is_empty(), "{:?}", report.problems);
}

/// Which of several men in a stack one option stands for is drawn by chance, and so is what `random` picks: where in the
/// stack it lies all see, and it tells nothing.
#[test]
fn chance_may_pick_another_man_of_a_stack() {
    let report = conformance(&small(STACKED), 2, 18, 60).unwrap();
    assert!(report.problems.is_empty(), "{:?}", report.problems);
}

/// What was revealed of some players is known of each of them, and no more than that; a choice that its condition promises is no
/// dead end.
#[test]
fn what_was_revealed_of_some_players_tells_nothing_of_others() {
    let report = conformance(&small(SHOWDOWN), 2, 1, 40).unwrap();
    assert!(report.problems.is_empty(), "{:?}", report.problems);
}

/// What bots look ahead on knows neither what others have chosen in secret, nor what chance has printed on hidden cards.
#[test]
fn a_state_drawn_anew_forgets_what_its_seat_does_not_know() {
    let game = small(UNDER_CUPS);
    let mut machine = game.machine();
    let mut state = start(&game, &mut machine, Chance::Draw);
    pick(&mut machine, &mut state, "57").unwrap();
    assert_eq!(machine.seat(&state), Some(1), "bob chooses at the same time as ann");
    let found = |machine: &mut Machine, property: &str| -> std::collections::BTreeSet<i64> {
        let after = |seed| {
            let mut guess = machine.resample(&state, 1, seed);
            assert_eq!((machine.seat(&guess), machine.own_count(&guess)), (Some(1), machine.own_count(&state)));
            pick(machine, &mut guess, "3").unwrap();
            assert_eq!(machine.player_number(&guess, 1, "bid"), Some(3), "bob's own choice stands");
            machine.player_number(&guess, 0, property).unwrap()
        };
        (0..40).map(after).collect()
    };
    assert!(found(&mut machine, "bid").len() > 10);
    assert!(found(&mut machine, "pips").len() > 10, "each of ann's dice may be anything");
    assert!(found(&mut machine, "worths").len() > 3, "ann may have any of the cards that bob has not");
    assert!(found(&mut machine, "mine").len() == 1, "and bob has what bob has");
}

/// Nor what was worked out from cards that its seat does not see: what an armed clause has captured, and what is in a counter
/// that nobody is shown. A mark that points at a card points at the one that lies there now.
#[test]
fn a_state_drawn_anew_has_nothing_of_what_was_worked_out_from_hidden_cards() {
    let armed = "arm for good { after end of turn of p where p = seat(2) { set seat(1).points = n } }";
    let cases = [
        // What is kept, what is paid in the end, and whether ann's own bot knows of it.
        (format!("let n = sum shine of me.hand  {armed}"), "seat(1).points", true),
        (format!("let n = sum shine of seat(1).hand  {armed}"), "seat(1).points", false),
        ("set me.due = sum shine of me.hand".to_owned(), "seat(1).due", true),
        ("set game.due = sum shine of seat(1).hand".to_owned(), "game.due", false),
        ("each s in vault { set s.due = sum shine of me.hand }".to_owned(), "sum due of vault", false),
        ("set me.due = round + 4".to_owned(), "seat(1).due", true),
    ];
    for (kept, paid, own) in cases {
        for seat in 0..2 {
            let of = |shine| looked_ahead(&kept, paid, shine, seat);
            let expected = match (kept.contains("round"), own && seat == 0) {
                (true, _) => ([5].into(), [5].into()),
                (false, true) => ([7].into(), [3].into()),
                (false, false) => ([0].into(), [0].into()),
            };
            assert_eq!((of(7), of(3)), expected, "{kept}, seat {seat}");
        }
    }
    let lit = |seat: u8| looked_ahead("set game.lit = first(me.hand)", "sum shine of game.lit", 7, seat);
    let set = |seat: u8| looked_ahead("set game.lamps = me.hand", "sum shine of game.lamps", 7, seat);
    let list = |seat: u8| looked_ahead("set game.row = [first(me.hand)]", "sum shine of game.row", 7, seat);
    let on_card = |seat: u8| {
        let kept = "each s in vault { set s.lit = first(me.hand)  set s.row = [first(me.hand)] }";
        looked_ahead(kept, "sum shine of first(vault).row + (first(vault).lit.shine else 0)", 7, seat)
    };
    for of in [lit, set, list] {
        assert_eq!((of(0), of(1)), ([7].into(), [7, 5].into()));
    }
    assert_eq!((on_card(0), on_card(1)), ([14].into(), [14, 10].into()), "a mark of a card, too");
}

/// What a bot of a seat comes to know of ann's points, where ann has kept something in her first turn, in games that are drawn
/// anew for it. In ann's hand lies a lamp of this shine, in bob's one of ten less that, in the deck one of 5.
fn looked_ahead(kept: &str, paid: &str, shine: u8, seat: u8) -> std::collections::BTreeSet<i64> {
    let lamps = lamps(shine);
    let rules = format!(
        "{lamps}player {{ counter points: 0..99  counter due: 0..99  counter open: 0..9 }}
game {{ counter due: 0..99  mark lit: maybe of lamp  mark lamps: set of lamp  mark row: list of lamp }}
kind safe : card {{ counter due: 0..99  mark lit: maybe of lamp  mark row: list of lamp }}
zone vault {{ holds: safe  starts: safe }}
safe \"Safe\" {{ }}
look safe {{ show: nothing }}
look player {{ show: open }}
look game {{ show: nothing }}
action go {{ {kept} }}
action rest {{ requires true }}
rule pays {{ after end of turn of p where p = seat(2) {{ set seat(1).points = {paid} }} }}
flow {{ turns turn from seat(1) for 2 rounds {{ choose action go, rest }} }}
"
    );
    let game = small(&rules);
    let mut machine = game.machine();
    let mut state = start(&game, &mut machine, Chance::Draw);
    machine.choose(&mut state, 0).unwrap();
    let points = |seed| {
        let mut guess = machine.resample(&state, seat, seed);
        while machine.status(&guess) == Status::Decide {
            machine.choose(&mut guess, 1).unwrap();
        }
        machine.player_number(&guess, 0, "points").unwrap()
    };
    (0..30).map(points).collect()
}

const UNDER_CUPS: &str = r#"
kind die : card { field pips_of: 1..6 }
kind face : card { field worth: 1..12 }
zone cup per player { holds: die  seen: holder }
zone deck { holds: face  order: pile  seen: none }
zone hand per player { holds: face  seen: holder }
player { counter bid: 0..99  stat pips: number = sum pips_of of cup  stat worths: number = sum worth of hand
  stat mine: number = sum worth of seat(2).hand }
look player { show: bid }
setup {
  create face in deck with worth = every_value
  shuffle deck
  each p in players { move top(deck, 3) to p.hand  create 5 * die in p.cup with pips_of = any_value }
}
flow {
  each p in players secret { choose n in 1..99  set p.bid = n }
  reveal players.hand
  turns turn from seat(1) until round > 1 { choose n in 1..2  set me.bid = n }
}
"#;

const SECRETS: &str = r#"
kind charm : card { field weight: 0..9  counter dust: 0..3 }
zone deck { holds: charm  order: pile  seen: none  starts: charm  refill: pit }
zone pit { holds: charm  order: pile  seen: top }
zone hand per player { holds: charm  seen: holder }
zone chest per player { holds: charm  seen: none  memory: none }
zone table { holds: charm  seen: all  inplay: true }
action play_it { choose c in me.hand  move c to table }
action bury { choose c in me.hand  move c to me.chest }
action tell { choose c in me.hand  reveal c to opponents }
action drop { choose c in table  move c to pit }
action draw_one { move top(deck) to me.hand }
setup { shuffle deck  each p in players { repeat 4 times { move top(deck) to p.hand } } }
flow { turns turn from seat(1) until round > 12 { choose action play_it, bury, tell, drop, draw_one } }
charm "Pebble" { weight: 1  copies: 4 }
charm "Rock" { weight: 5  copies: 3 }
charm "Leaf" { weight: 0  copies: 3 }
charm "Feather" { weight: 2 }
charm "Anvil" { weight: 9  copies: 2 }
"#;

const DICE: &str = r#"
kind charm : card { }
zone deck { holds: charm  order: pile  seen: none  starts: charm }
zone hand per player { holds: charm  seen: holder }
game { mark last: number = 0  mark who: player = seat(1) }
action throw_it { roll d in 1..6  set game.last = d }
action draw_one { move top(deck) to me.hand }
action anyone { random p in players  set game.who = p }
setup { shuffle deck }
flow { turns turn from seat(1) { choose action throw_it, draw_one, anyone } }
charm "Pebble" { copies: 3 }
charm "Rock" { }
"#;

#[test]
fn what_a_card_was_is_remembered_however_often_it_has_moved_since() {
    let game = small(
        "kind fruit : card { }
         zone shown { holds: fruit  starts: fruit }
         zone dish { holds: fruit }
         kind nut : card { }  zone dark { holds: nut  order: pile  seen: none  starts: nut }
         zone aside { holds: nut  order: pile  seen: none }
         fruit \"Apple\" { }
         nut \"Pecan\" { copies: 2 }
         action go {
           let was = first(shown)
           repeat 7 times { move first(shown) to dish  move first(dish) to shown }
           move top(dark) to aside as unseen
           repeat 7 times { move top(aside) to dark  move top(dark) to aside }
           note \"was {was} {unseen}\"
         }
         flow { turns turn from seat(1) for 1 round { choose action go } }",
    );
    let mut machine = game.machine();
    machine.record(true);
    let mut state = start(&game, &mut machine, Chance::Draw);
    pick(&mut machine, &mut state, "go").unwrap();
    assert!(machine.take_changes().iter().any(|change| change.text[0] == "was Apple a card"));
}

#[test]
fn chance_can_be_enumerated_with_weights() {
    let game = small(DICE);
    let mut machine = game.machine();
    let mut state = start(&game, &mut machine, Chance::Ask);
    pick(&mut machine, &mut state, "draw one").unwrap();
    let decision = machine.decision(&state).unwrap();
    assert_eq!(decision.seat, None, "nature decides");
    let outcomes: Vec<(String, u32)> = decision.options.into_iter().map(|option| (option.key, option.weight)).collect();
    assert_eq!(outcomes, [("Pebble".to_owned(), 3), ("Rock".to_owned(), 1)]);
    pick(&mut machine, &mut state, "Rock").unwrap();
    pick(&mut machine, &mut state, "draw one").unwrap();
    assert_eq!(keys(&mut machine, &state), ["Pebble"], "the last card has gone");
    pick(&mut machine, &mut state, "Pebble").unwrap();
    pick(&mut machine, &mut state, "throw it").unwrap();
    assert_eq!(keys(&mut machine, &state), ["1", "2", "3", "4", "5", "6"]);
    assert!((0..6).all(|index| machine.weight(&state, index) == 1));
    pick(&mut machine, &mut state, "4").unwrap();
    pick(&mut machine, &mut state, "anyone").unwrap();
    assert_eq!(keys(&mut machine, &state), ["ann", "bob"]);
}

#[test]
fn outcomes_can_be_forced_and_impossible_ones_are_errors() {
    let game = small(DICE);
    let mut machine = game.machine();
    let mut state = start(&game, &mut machine, Chance::Draw);
    machine.force_chance(&mut state, vec!["5".to_owned(), "Rock".to_owned(), "Rock".to_owned()]);
    pick(&mut machine, &mut state, "throw it").unwrap();
    assert!(machine.view(&state, None).game.contains(&("last".to_owned(), "5".to_owned())));
    pick(&mut machine, &mut state, "draw one").unwrap();
    assert_eq!(machine.forced_left(&state).len(), 1);
    let error = pick(&mut machine, &mut state, "draw one").unwrap_err();
    assert_eq!(error.code, "E0904");
    assert_eq!(game.sources.slice(error.span), "move top(deck) to me.hand");
}

#[test]
fn an_unseen_pile_has_no_order_until_somebody_could_know_it() {
    let game = small(DICE);
    let mut machine = game.machine();
    let state = start(&game, &mut machine, Chance::Draw);
    // The generator of a seed is untouched by the shuffle: two seeds differ in nothing but the generator.
    let other = game.start(&mut machine, &Start { players: 2, seed: 2, chance: Chance::Draw }).unwrap();
    let (one, two) = (machine.view_all(&state), machine.view_all(&other));
    assert_eq!(serde_json::to_string(&one).unwrap(), serde_json::to_string(&two).unwrap());
}

#[test]
fn the_generator_and_its_ranges_are_pinned() {
    use rand_pcg::rand_core::Rng;
    let mut rng = generator(42);
    let words: Vec<u32> = (0..6).map(|_| rng.next_u32()).collect();
    assert_eq!(words, WORDS);
    let mut rng = generator(1);
    let dice: Vec<u32> = (0..20).map(|_| below(&mut rng, 6) + 1).collect();
    assert_eq!(dice, ROLLS);
    assert_eq!(below(&mut rng, 0), 0);
    assert_eq!(below(&mut rng, 1), 0);
    let mut counts = [0u32; 7];
    for _ in 0..70_000 {
        counts[below(&mut rng, 7) as usize] += 1;
    }
    assert!(counts.iter().all(|count| (9_600..10_400).contains(count)), "{counts:?}");
}

// Worked out by a separate program from the published algorithm (PCG XSH RR 64/32) and Lemire's ranges.
const WORDS: [u32; 6] = [3270867926, 1795671209, 1924641435, 1143034755, 4121910957, 1757328946];
const ROLLS: [u32; 20] = [2, 3, 1, 3, 2, 4, 3, 2, 2, 6, 1, 5, 4, 5, 1, 5, 4, 1, 5, 5];
const DRAWN: [&str; 20] = [
    "C18", "C23", "C2", "C26", "C14", "C34", "C28", "C15", "C9", "C51", "C6", "C38", "C37", "C42", "C4", "C43", "C35",
    "C10", "C40", "C41",
];

#[test]
fn the_first_twenty_draws_of_a_deck_are_pinned() {
    let mut rules = "kind charm : card { }\nzone deck { holds: charm  order: pile  seen: none  starts: charm }\n\
                     zone hand { holds: charm }\naction draw_one { move top(deck) to hand }\nsetup { shuffle deck }\n\
                     flow { turns turn from seat(1) { choose action draw_one } }\n"
        .to_owned();
    for number in 1..=52 {
        rules.push_str(&format!("charm \"C{number}\" {{ }}\n"));
    }
    let game = small(&rules);
    let mut machine = game.machine();
    let mut state = start(&game, &mut machine, Chance::Draw);
    let mut drawn: Vec<String> = Vec::new();
    for _ in 0..20 {
        pick(&mut machine, &mut state, "draw one").unwrap();
        let view = machine.view_all(&state);
        let hand = view.zones.iter().find(|zone| zone.name == "hand").unwrap();
        let new = hand.cards.iter().find(|card| !drawn.contains(&card.name)).unwrap();
        drawn.push(new.name.clone());
    }
    assert_eq!(drawn, DRAWN);
}

/// Plays the action `go` of a game and gives the error with the text it points at.
fn fails(rules: &str) -> (&'static str, String) {
    let rules = format!("{rules}\naction go {{ run_it }}\nflow {{ turns turn from seat(1) {{ choose action go }} }}\n");
    let game = small(&rules);
    let mut machine = game.machine();
    let mut state = start(&game, &mut machine, Chance::Draw);
    let error = pick(&mut machine, &mut state, "go").unwrap_err();
    (error.code, game.sources.slice(error.span).to_owned())
}

#[test]
fn limits_end_with_a_code_and_the_line() {
    let (code, text) =
        fails("game { mark lit: flag = false }\nverb run_it() { repeat until game.lit { set game.lit = false } }");
    assert_eq!(code, "L06");
    assert!(text.contains("game.lit"), "{text}");
    let (code, text) = fails("verb run_it() { deeper 1 }\nverb deeper n: number { if n > 0 { deeper n + 1 } }");
    assert_eq!((code, text.as_str()), ("L07", "deeper n + 1"));
    let (code, text) = fails("kind spark : thing { }\nverb run_it() { repeat 5000 times { create spark } }");
    assert_eq!((code, text.as_str()), ("L08", "create spark"));
    let flip = "game { mark lit: flag = false  mark live: flag = false }\nverb run_it() { set game.live = true }\n\
                rule a { check game.live and game.lit { set game.lit = false } }\n\
                rule b { check game.live and not game.lit { set game.lit = true } }";
    let (code, text) = fails(flip);
    assert_eq!(code, "L12");
    assert_eq!(text, "check game.live and not game.lit { set game.lit = true }", "the first of the cycle");
    let (code, text) = fails("game { mark n: number = 0 }\nverb run_it() { set game.n = 1 / game.n }");
    assert_eq!((code, text.contains("1 / game.n")), ("E0901", true), "{text}");
}

/// The error of a script that is called by the action `go`, or what it gave.
fn script(source: &str) -> Result<String, String> {
    let rules = "script odd(n: number): number = \"odd.rhai\"\ngame { mark n: number = 0 }\n\
                 action go { set game.n = odd(3) }\nflow { turns turn from seat(1) { choose action go } }\n";
    let world = MemoryWorld::new([("game.toml", MANIFEST), ("a.rules", rules), ("odd.rhai", source)]);
    let game = match Game::load(&Package::memory("small", world), &Options::new(), None) {
        Ok(game) => game,
        Err(PlayError::Content { diagnostics, .. }) => {
            return Err(diagnostics.iter().map(|found| format!("{} {}", found.code.text(), found.message)).collect());
        }
        Err(error) => panic!("{error}"),
    };
    let mut machine = game.machine();
    // The value is worked out when the action is offered, to see whether it can be done.
    let started = machine.start(&Start { players: 2, seed: 1, chance: Chance::Draw });
    let mut state = match started {
        Ok(state) => state,
        Err(error) => return Err(format!("{} {}", error.code, error.message)),
    };
    match pick(&mut machine, &mut state, "go") {
        Ok(_) => Ok(machine.view(&state, None).game[0].1.clone()),
        Err(error) => Err(format!("{} {}", error.code, error.message)),
    }
}

#[test]
fn scripts_can_compute_and_nothing_else() {
    assert_eq!(script("fn odd(n) { let x = 0; for i in 0..n { x += 2 * i + 1; } x }"), Ok("9".to_owned()));
    let limited = [
        "fn odd(n) { loop { n += 1; } }",
        "fn odd(n) { let a = []; loop { a.push(a); } n }",
        "fn odd(n) { let s = \"ab\"; loop { s += s; } n }",
        "fn odd(n) { odd(n + 1) }",
    ];
    for source in limited {
        let error = script(source).unwrap_err();
        assert!(error.starts_with("L09 "), "{source}: {error}");
    }
    let forbidden = [
        "fn odd(n) { eval(\"1\") }",
        "import \"a\" as a; fn odd(n) { 1 }",
        "fn odd(n) { sleep(1); 1 }",
        "fn odd(n) { timestamp(); 1 }",
        "fn odd(n) { rand() }",
        "fn odd(n) { [1, 2].shuffle(); 1 }",
        "fn odd(n) { open_file(\"a\"); 1 }",
        "fn odd(n) { \"text\" }",
        "fn odd(n) { 1 / (n - 3) }",
        "fn odd(n) { 9223372036854775807 + n }",
    ];
    for source in forbidden {
        let error = script(source).unwrap_err();
        assert!(error.starts_with("E07"), "{source}: {error}");
    }
}

/// What looks say of a few pieces, cards, sites and players.
const LOOKS: &str = r##"
enum hue { amber jade }
enum edge { blank thick }
kind world : piece { field tint: hue = jade  field pips: 1..9 = 1 }
kind moon : world { field side: edge = blank }
kind charm : card { field cost: 0..9  field words: text = "" }
board grid { shape: square 3 2 }
zone deck { holds: charm  order: pile  seen: none  starts: charm }
zone hand per player { holds: charm  seen: holder }
charm "Bell" { cost: 3  words: "Rings." }
look hue { jade: "#3a9a6a" }
look edge { blank: white 0  thick: red 3 }
look player { colour: black when seat = 1, cream }
look world { shape: pyramid when some owner, disc  colour: tint  size: 40 + 20 * pips  label: "{pips} of 9" }
look moon { shape: ring  mark: star when side = thick, eye when pips > 1, cross when pips > 7 }
look grid { title: "Sky of {count grid_sites}"  colour: sand when row(it) = 1, mover when it in moons  label: "{it}" }
look charm { title: "A {this}"  text: "{words} Costs {cost}."  colour: holder }
look deck { title: "{count deck} left"  shape: hidden when no deck, pile }
define grid_sites: set of site = sites(grid)
define moons: set of site = sites(moon)
setup {
  create world at site(grid, 1, 1) with owner = seat(2), pips = 3
  create moon at site(grid, 2, 2) with side = thick, pips = 2, tint = amber
  move top(deck) to seat(1).hand
}
action idle { }
flow { turns turn from seat(1) { choose action idle } }
"##;

#[test]
fn looks_say_how_things_are_drawn() {
    let game = small(LOOKS);
    let mut machine = game.machine();
    let state = start(&game, &mut machine, Chance::Draw);
    let view = machine.view(&state, Some(0));
    let text = |text: &str| Some(text.to_owned());
    let colours: Vec<String> = view.players.iter().map(|player| player.colour.to_string()).collect();
    assert_eq!(colours, [Colour::named("black"), Colour::named("cream")].map(|colour| colour.unwrap().to_string()));
    let board = &view.boards[0];
    assert_eq!(board.title, text("Sky of 6"));
    let site = |name: &str| board.sites.iter().find(|site| site.name == name).unwrap();
    assert_eq!((site("a1").look.colour, site("b2").look.colour), (Colour::named("sand"), Colour::named("black")));
    assert_eq!((site("a2").look.colour, site("c1").look.label.clone()), (None, text("c1")));
    let world = &site("a1").pieces[0].look;
    assert_eq!((world.shape, world.size, world.label.clone()), (Some(Shape::Pyramid), Some(100), text("3 of 9")));
    assert_eq!(world.colour, Some(Colour(0x3a_9a_6a)));
    let moon = &site("b2").pieces[0].look;
    assert_eq!((moon.shape, moon.size, moon.label.clone()), (Some(Shape::Ring), Some(80), text("2 of 9")));
    assert_eq!(moon.marks, [Shape::Star, Shape::Eye]);
    assert_eq!(moon.colour, Some(Colour::nth(0)), "no look for amber, and no colour is called so");
    let charm = &view.players[0].zones[0].cards[0].look;
    assert_eq!((charm.title.clone(), charm.text.clone()), (text("A Bell"), text("Rings. Costs 3.")));
    assert_eq!(charm.colour, Colour::named("black"));
    assert_eq!((view.zones[0].look.title.clone(), view.zones[0].look.shape), (text("0 left"), Some(Shape::Hidden)));
}

#[test]
fn moves_that_a_limit_stops_are_reported() {
    let game = small(
        "kind leaf : card { }\nzone deck { holds: leaf  order: pile  starts: leaf }\n\
         zone hand per player { holds: leaf  limit: 2 }\nleaf \"Oak\" { copies: 9 }\n\
         action take { move top(deck) to me.hand }\n\
         flow { turns turn from seat(1) until round > 3 { choose action take } }",
    );
    let report = conformance(&game, 2, 1, 1).unwrap();
    assert_eq!(report.problems, Vec::<String>::new());
    let [warning] = report.warnings.as_slice() else { panic!("{:?}", report.warnings) };
    assert!(warning.contains("`hand` was full 3 times") && warning.contains("a.rules"), "{warning}");
}

#[test]
fn a_local_under_a_condition_on_hidden_cards_tells_no_more_than_the_condition() {
    let rules = |body: &str| {
        format!(
            "kind leaf : card {{ field cost: 0..9 }}\nzone deck {{ holds: leaf  order: pile  starts: leaf }}\n\
             zone hand per player {{ holds: leaf  seen: holder }}\nleaf \"Oak\" {{ copies: 9  cost: 2 }}\n\
             player {{ counter coins: 0..99 }}\nsetup {{ each p in players {{ move top(deck, 2) to p.hand }} }}\n\
             action show {{ choose c in me.hand  {body} }}\n\
             flow {{ turns turn from seat(1) until round > 3 {{ choose action show }} }}"
        )
    };
    small(&rules("if c.cost > 1 { let gain = 1  set gain = gain + 1  increase me.coins by gain }"));
    let set_within = rules("let gain = 1  if c.cost > 1 { set gain = 2 }  increase me.coins by gain");
    let refused = std::panic::catch_unwind(|| small(&set_within)).is_err();
    assert!(refused, "what was set under the condition tells of it");
}

#[test]
fn moves_that_lead_to_nothing_are_reported() {
    let game = small(
        "board lane { shape: square 1 2 }\nkind stone : piece { }\n\
         setup { create stone at site(lane, \"a1\") }\n\
         action go { choose m in stone  move m to site(lane, 1, row(site(m)) + 1) }\n\
         flow { turns turn from seat(1) until round > 2 { choose action go } }",
    );
    let report = conformance(&game, 2, 1, 1).unwrap();
    assert_eq!(report.problems, Vec::<String>::new());
    let [warning] = report.warnings.as_slice() else { panic!("{:?}", report.warnings) };
    assert!(warning.contains("a move led to nothing 4 times") && warning.contains("a.rules"), "{warning}");
}

#[test]
fn a_game_in_which_nobody_decides_is_not_well() {
    let game = small(
        "action wait { requires round > 9 }\nflow { turns turn from seat(1) until round > 2 { choose action wait } draw game }",
    );
    let report = conformance(&game, 2, 1, 1).unwrap();
    assert!(
        report.problems.iter().any(|problem| problem.contains("nobody has decided anything")),
        "{:?}",
        report.problems
    );
}

#[test]
fn cards_without_a_definition_lie_in_the_order_of_their_fields() {
    let game = small(
        "enum rank { two jack ace }\nkind face : card { field worth: rank  notation \"{worth}\" }\n\
         zone hand per player { holds: face  seen: holder }\n\
         setup { each r in [ace, two, jack] { create face in seat(1).hand with worth = r } }\n\
         action go { choose c in me.hand  move c to nowhere }\n\
         flow { turns turn from seat(1) until no me.hand { choose action go } }",
    );
    let mut machine = game.machine();
    let state = start(&game, &mut machine, Chance::Draw);
    let view = machine.view(&state, Some(0));
    let names: Vec<&str> = view.players[0].zones[0].cards.iter().map(|card| card.name.as_str()).collect();
    assert_eq!(names, ["two", "jack", "ace"]);
}

const STACKED: &str = r#"
kind man : piece { seen: holder  field n: 1..9  mark lock: 0..9 open = 0 }
man "m1" { n: 1 }
man "m2" { n: 2 }
man "m3" { n: 3 }
man "m4" { n: 4 }
man "m5" { n: 5 }
board field { shape: square 2 1 }
player { mark hit: 0..99 }
zone bag per player { holds: man  seen: holder }
setup { each p in players {
  create man "m1" in p.bag with owner = p
  create man "m2" in p.bag with owner = p
  create man "m3" in p.bag with owner = p
  create man "m4" in p.bag with owner = p
  create man "m5" in p.bag with owner = p
} }
action put {
  choose s in sites(field)
  choose m in me.bag
  set m.lock = 1 + n(s)
  move m to s
}
define n(s: site): number = count pieces(s)
action turn_it {
  choose m in man where owner != me and some site(it)
  set m.lock = 5
  random p in players
  set p.hit = p.hit + 1
}
action shake {
  requires some (man where owner != me and some site(it))
  random m in man where owner != me and some site(it)
  set m.lock = 7
}
flow { turns turn from seat(1) for 6 rounds { choose action put, turn_it, shake else { } } }
"#;

const SHOWDOWN: &str = r#"
kind tool : card { field cost: 0..9 }
tool "Awl" { cost: 1  copies: 3 }
tool "Bow" { cost: 2  copies: 3 }
tool "Cup" { cost: 5  copies: 3 }
zone deck { holds: tool  order: pile  seen: none  starts: tool  refill: bin }
zone bin { holds: tool  order: pile  seen: top }
zone hand per player { holds: tool  seen: holder }
zone shown per player { holds: tool }
player { mark alive: flag = true  counter points: 0..99 }
define score(p: player): number = p.points
define living: set of player = players where alive
setup { shuffle deck  each p in players { move top(deck, 2) to p.hand } }
action fold { requires count living > 1  set me.alive = false }
action show_down {
  let left = living
  reveal left.hand
  let best = left having most sum cost of hand
  note "{best} {sum cost of left.hand}"
  each p in best { increase p.points by 1 }
  each p in left { move p.hand to bin }
  each p in players where no hand { move top(deck, 2) to p.hand }
  set players.alive = true
}
action look_at_all { each p in living { reveal p.hand }  note "{living having least sum cost of hand}" }
action swap { choose c in me.hand  move c to bin  move top(deck) to me.hand }
action lay { requires no me.shown  choose c in me.hand  move c to me.shown }
action take {
  choose p in opponents
  if some (p.hand where cost < 4) and some me.shown { choose c in me.shown "Which?"  move c to me.hand }
}
flow { turns turn from seat(1) for 8 rounds { choose action fold, show_down, look_at_all, swap, lay, take else { } } }
"#;
