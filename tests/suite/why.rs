//! What a value is made of: sums come to their value, names are found, and nothing is told that a seat does not see.

use super::support::{cardwright, root, stderr, stdout};
use cardwright::base::MemoryWorld;
use cardwright::engine::Status;
use cardwright::play::{Game, Library, Options, Package, Session, Setup};
use std::sync::Arc;

const MANIFEST: &str = "name = \"small\"\ntitle = \"Small\"\nversion = \"0.1.0\"\nedition = 1\n\
                        [players]\nmin = 2\nmax = 2\nseats = [\"red\", \"blue\"]\n";
const RULES: &str = r#"
kind lamp : card {
  field light: 0..9 = 1
  modify glow of this.holder by light
  modify reach of this.holder to 3 when light > 4
}
kind gem : thing { mark whose: player  mark worth: number = 2 }
zone box { holds: lamp  order: pile  seen: none  starts: lamp }
zone hand per player { holds: lamp  seen: holder }
zone shelf per player { holds: lamp  seen: all  inplay: true }
player {
  counter oil: 0..9 = 4
  stat glow: 0..8 = oil - 1 + larger(0, sum worth of (gem where whose = this))
  stat reach: number = 1
  stat secrets: number = sum light of this.hand
}
game { mark dusk: flag = false }
define total: number = if game.dusk then 0 else (sum (glow + oil) of players) - 2 * reach_of(seat(1))
define reach_of(p: player): number = p.reach
define unseen: number = sum light of box
define held: number = count seat(2).hand
define brightest(p: player): number = max light of p.shelf
look game { line: "{total} in all" when not game.dusk }
look player { line: "glow {glow}"  show: oil }
lamp "Lantern" { light: 3 }
lamp "Beacon" { light: 6 }
lamp "Torch" { light: 2  copies: 4 }
setup {
  move lamp "Lantern" to seat(1).shelf
  move lamp "Beacon" to seat(1).shelf
  create gem with whose = seat(2)
  each p in players { move top(box) to p.hand }
}
action idle { if unseen + held + brightest(me) + me.secrets < 0 { set game.dusk = true } }
flow { turns turn from seat(1) { choose action idle } }
"#;

fn small() -> Session {
    let package = Package::memory("small", MemoryWorld::new([("game.toml", MANIFEST), ("a.rules", RULES)]));
    let game = Game::load(&package, &Options::new(), None).unwrap_or_else(|error| panic!("{error}"));
    Session::new(Arc::new(game), Setup { seed: 1, seats: vec!["human".to_owned(); 2] }, None).unwrap()
}

fn why(session: &mut Session, seat: Option<u8>, name: &str) -> String {
    session.why_value(seat, name).map_or_else(|error| error.to_string(), |lines| lines.join("\n"))
}

#[test]
fn a_table_is_told_with_its_values() {
    let rules = r#"
enum good { glass ink }
kind item : card { field cost: number per good  stat price: number per good = cost }
item "Almanac" { cost: [3 ink] }
zone box { holds: item  seen: all  starts: item }
player { counter stock: 0..9 per good = 2 }
game { counter bank: 0..9 per good = 5 }
action take { choose c in box where price <= me.stock  increase me.stock[glass] by 1  decrease game.bank[ink] by 5 }
action rest { increase me.stock[ink] by 1 }
flow { turns turn from seat(1) for 9 rounds { choose action take, rest } }
"#;
    let package = Package::memory("small", MemoryWorld::new([("game.toml", MANIFEST), ("a.rules", rules)]));
    let game = Game::load(&package, &Options::new(), None).unwrap_or_else(|error| panic!("{error}"));
    let setup = Setup { seed: 1, seats: vec!["human".to_owned(); 2] };
    let mut session = Session::new(Arc::new(game), setup, None).unwrap();
    let first = |session: &mut Session, name: &str| why(session, Some(0), name).split("  [").next().unwrap().to_owned();
    for (name, told) in [
        ("price of Almanac", "price of Almanac = 3 ink"),
        ("price ink of Almanac", "price ink of Almanac = 3"),
        ("price[ink] of Almanac", "price ink of Almanac = 3"),
        ("stock of red", "stock of red = 2 glass, 2 ink"),
        ("red.stock[glass]", "stock glass of red = 2"),
        ("bank", "bank = 5 glass, 5 ink"),
    ] {
        assert_eq!(first(&mut session, name), told, "{name}");
    }
}

#[test]
fn a_value_is_told_with_its_parts_and_their_lines() {
    let mut session = small();
    insta::assert_snapshot!("total", why(&mut session, None, "total"));
    assert_eq!(why(&mut session, None, ""), why(&mut session, None, "total"), "the lines above the table tell it");
    insta::assert_snapshot!(
        "stats",
        ["glow of red", "blue.glow", "red's reach", "oil"].map(|name| why(&mut session, Some(0), name)).join("\n")
    );
    assert!(why(&mut session, None, "brightest of red").starts_with("brightest of red = 6"));
    assert!(why(&mut session, None, "light of beacon").starts_with("light of Beacon = 6"));
}

#[test]
fn what_a_seat_does_not_see_is_not_told() {
    let mut session = small();
    assert_eq!(why(&mut session, Some(0), "unseen"), "this depends on what you do not see");
    assert!(why(&mut session, Some(0), "held").starts_with("held = 1"), "how many cards a hand has is open");
    let own = why(&mut session, Some(0), "secrets of red");
    assert!(own.contains("Torch") && own.lines().count() > 1, "{own}");
    assert_eq!(why(&mut session, Some(1), "secrets of red"), "this depends on what you do not see", "no look shows it");
    assert!(why(&mut session, Some(1), "light of Torch").starts_with("light of Torch = 2"), "blue holds one");
    assert!(why(&mut session, None, "light of Torch").contains("no card in sight"));
}

#[test]
fn where_nothing_above_the_table_is_a_number_it_is_told_what_can_be_asked() {
    let rules = RULES.replace("look game { line: \"{total} in all\" when not game.dusk }\n", "");
    let package = Package::memory("small", MemoryWorld::new([("game.toml", MANIFEST), ("a.rules", rules.as_str())]));
    let game = Game::load(&package, &Options::new(), None).unwrap_or_else(|error| panic!("{error}"));
    let setup = Setup { seed: 1, seats: vec!["human".to_owned(); 2] };
    let mut session = Session::new(Arc::new(game), setup, None).unwrap();
    let wanted = "\
no line above the table tells a number now; ask for one by its name
  of the game, such as `total`: total, unseen, held
  of a player, such as `glow of red`: glow, reach, secrets, reach of, brightest";
    assert_eq!(why(&mut session, Some(0), ""), wanted);
}

#[test]
fn what_is_not_there_is_told_with_the_nearest_name() {
    let mut session = small();
    assert_eq!(why(&mut session, None, "totl"), "nothing is called `totl`; did you mean `total`?");
    assert!(why(&mut session, None, "glow of green").contains("called `green`"));
    assert!(why(&mut session, None, "shine of red").ends_with("is nothing that has a value"));
}

/// Breaks down everything that has a name, for every seat, all through random games.
#[test]
fn every_breakdown_adds_up_to_the_value() {
    let mut told = 0;
    for (name, seats, step) in [("monster-muncher", 3, 41), ("star-munchkin", 3, 67), ("monster-factory", 2, 31)] {
        let game = Arc::new(Game::load(&Library::new(None).find(name).unwrap(), &Options::new(), None).unwrap());
        let rules = Arc::clone(&game.rules);
        let plain = |id: &&cardwright::model::rules::ProcId| rules.procs[id.index()].params == 0;
        let defines = rules.defines.iter().filter(plain).map(|id| rules.procs[id.index()].name.clone());
        let props: Vec<&str> = rules.player_props.iter().map(|prop| rules.props[prop.index()].name.as_str()).collect();
        let seat_name = |seat: u8| game.seat_name(seat);
        // Lines of players tell the strength with the level in it, so that a question is about both.
        let told_otherwise = |prop: &str| name == "star-munchkin" && prop == "strength";
        let stats = props.iter().flat_map(|prop| (0..seats).map(move |seat| (*prop, seat)));
        let named: Vec<(String, Option<(&str, u8)>)> = defines
            .map(|name| (name, None))
            .chain(stats.map(|(prop, seat)| (format!("{prop} of {}", seat_name(seat)), Some((prop, seat)))))
            .collect();
        let setup = Setup { seed: 3, seats: vec!["human".to_owned(); usize::from(seats)] };
        let mut session = Session::new(Arc::clone(&game), setup, None).unwrap();
        let mut dice: usize = 7;
        for turn in 0..400 {
            if session.status() == Status::Over {
                break;
            }
            if turn % step == step - 1 {
                for (name, stat) in &named {
                    for seat in [None, Some(0)] {
                        let (machine, state) = session.parts();
                        let Ok(found) = machine.break_down(state, seat, name) else { continue };
                        assert!(found.adds_up(), "{name} after {turn} decisions: {found:#?}");
                        if let (Some((prop, seat)), Some(number)) =
                            (stat.filter(|(prop, _)| *prop != "seat" && !told_otherwise(prop)), found.number)
                        {
                            assert_eq!(machine.player_number(state, seat, prop), Some(number), "{name}");
                        }
                        told += found.parts.len();
                    }
                }
            }
            let count = session.decision().and_then(|decision| decision.of(session.deciding())).unwrap().options.len();
            dice = dice.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            session.choose((dice >> 33) % count).unwrap();
        }
    }
    assert!(told > 100, "only {told} parts were told");
}

#[test]
fn show_tells_why() {
    let show = |name: &str| {
        cardwright(
            &root(),
            &[
                "show",
                "monster-muncher",
                "--players",
                "3",
                "--seed",
                "8",
                "--script",
                "docs/images/monster-muncher.moves",
                "--seat",
                "red",
                "--why",
                name,
            ],
            "",
        )
    };
    let text = stdout(&show("score of red"));
    assert!(text.starts_with("score of red = ") && text.contains("rules/"), "{text}");
    let wrong = show("scoer of red");
    assert_eq!(wrong.status.code(), Some(1));
    assert!(stderr(&wrong).contains("scoer"), "{}", stderr(&wrong));
}

#[test]
fn a_question_that_asks_itself_is_stopped() {
    let rules = "kind fish : card { field worth: amount(q: player) = 1 }\n\
                 fish \"Herring\" { worth: 1 + sum worth(q) of pond }\n\
                 zone pond { holds: fish  seen: all  starts: fish }\n\
                 define weight: number = sum worth(seat(1)) of pond\n\
                 action go { if weight > 3 { win me } }\n\
                 flow { turns turn from seat(1) { choose action go } }\n";
    let package = Package::memory("small", MemoryWorld::new([("game.toml", MANIFEST), ("a.rules", rules)]));
    let game = Game::load(&package, &Options::new(), None).unwrap_or_else(|error| panic!("{error}"));
    let setup = Setup { seed: 1, seats: vec!["human".to_owned(); 2] };
    let mut session = Session::new(Arc::new(game), setup, None).unwrap();
    let asks = move || {
        assert_eq!(why(&mut session, None, "weight"), "this cannot be worked out now (L07)");
        let error = session.choose(0).unwrap_err().to_string();
        assert!(error.contains("L07"), "{error}");
    };
    // With the stack that a program's own thread has.
    std::thread::Builder::new().stack_size(8 << 20).spawn(asks).unwrap().join().unwrap();
}

#[test]
fn a_failed_expectation_tells_the_chain_of_its_counters_in_few_lines() {
    let counters = ["amber", "beryl", "coral", "denim", "ebony", "flint"];
    let each = |one: &dyn Fn(&str) -> String| counters.iter().map(|name| one(name)).collect::<String>();
    let rules = format!(
        "player {{ {} }}\nverb gain n: number {{ {} }}\naction work {{ gain 2  gain 1 }}\nflow {{ turns turn from seat(1) {{ choose action work }} }}\n",
        each(&|name| format!("counter {name}: 0..9 ")),
        each(&|name| format!("increase me.{name} by n ")),
    );
    let sum = counters.map(|name| format!("seat(1).{name}")).join(" + ");
    let scenario = format!("scenario \"many\" {{ play \"work\"  expect {sum} = 1 }}\n");
    let files = [("game.toml", MANIFEST), ("a.rules", &rules), ("a.scenario", &scenario)];
    let package = Package::memory("small", MemoryWorld::new(files));
    let game = Game::load(&package, &Options::new(), None).unwrap_or_else(|error| panic!("{error}"));
    let verdicts = cardwright::play::scenario::run_all(&Arc::new(game)).unwrap();
    let message = &verdicts[0].failure.as_ref().unwrap().message;
    let (parts, chain) = message.split_once("how these values came about:\n").unwrap();
    assert!(parts.contains("18") && parts.contains("amber of red"), "{parts}");
    for line in
        ["  turn 1: red amber: 2 -> 3", "because of gain", "because of work", "because red chose `work` (decision 1)"]
    {
        assert!(chain.contains(line), "{line}: {chain}");
    }
    assert!(chain.contains("(a.rules:2:") && chain.contains("  ... and 4 lines"), "{chain}");
    assert_eq!(chain.lines().count(), 17, "{chain}");
}

/// A counter that no look shows keeps what a player holds, and cards come face down from two statements.
const KEPT: &str = r#"
kind lamp : card { field light: 0..9 = 1 }
kind hint : card { field good: flag = false  notation "{good}" }
zone box { holds: lamp  order: pile  seen: none  starts: lamp }
zone hand per player { holds: lamp  seen: holder }
zone hints per player { holds: hint  seen: none }
player { counter oil: 0..9  counter kept: 0..99 }
define all_kept: number = sum kept of players
look player { show: oil }
lamp "Lantern" { light: 3  copies: 2 }
lamp "Beacon" { light: 6  copies: 2 }
setup { shuffle box  each p in players { move top(box) to p.hand } }
action keep { set me.kept = sum light of me.hand }
flow {
  each p in players { if first(p.hand).light > 3 { create hint in p.hints with good = true } else { create hint in p.hints } }
  turns turn from seat(1) for 2 rounds { choose action keep }
}
"#;

#[test]
fn what_is_kept_unseen_and_where_hidden_cards_come_from_is_not_told() {
    let package = Package::memory("kept", MemoryWorld::new([("game.toml", MANIFEST), ("a.rules", KEPT)]));
    let game = Game::load(&package, &Options::new(), None).unwrap_or_else(|error| panic!("{error}"));
    let mut session =
        Session::new(Arc::new(game), Setup { seed: 1, seats: vec!["human".to_owned(); 2] }, None).unwrap();
    session.choose(0).unwrap();
    assert!(why(&mut session, Some(0), "kept of red").starts_with("kept of red = "));
    for (seat, name) in [(Some(1), "kept of red"), (None, "kept of red"), (Some(1), "all_kept"), (Some(0), "all_kept")]
    {
        assert_eq!(why(&mut session, seat, name), "this depends on what you do not see", "{seat:?} {name}");
    }
    let told = |seat: u8| {
        let lines = (1..30).map(|number| session.why_line(Some(seat), number)).filter(|lines| !lines.is_empty());
        lines.filter(|lines| lines[0].contains("a card appears")).collect::<Vec<_>>()
    };
    assert!(!told(1).is_empty() && told(1).iter().flatten().all(|line| !line.contains("a.rules")), "{:?}", told(1));
}
