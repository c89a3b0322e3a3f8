//! Windows and offers beyond their laws: sessions, records, bots, what other seats see, and play by keys.

use super::support::{cardwright, game, root, stderr, stdout};
use cardwright::base::MemoryWorld;
use cardwright::engine::{Chance, DecisionKind, Machine, Start, State};
use cardwright::play::conformance::conformance;
use cardwright::play::perft::perft;
use cardwright::play::record::{Told, of_seat, whole};
use cardwright::play::simulate::{Plan, Until, simulate};
use cardwright::play::{Bot, Game, Options, Package, Player, Saved, Session, Setup, Table, Undo};
use std::sync::Arc;

const MANIFEST: &str = "name = \"small\"\ntitle = \"Small\"\nversion = \"0.1.0\"\nedition = 1\n\
                        [players]\nmin = 3\nmax = 3\nseats = [\"ann\", \"bob\", \"cid\"]\n";

/// Bob holds what `holds` says, and can respond with a trick only.
const RULES: &str = r#"
kind trick : card { field plays: flag }
zone box { holds: trick  starts: trick  seen: none }
zone hand per player { holds: trick  seen: holder }
zone heap { holds: trick }
player { counter points: 0..9 }
trick "Spark" { plays: true }
trick "Mud" { plays: false }
action play { choose c in me.hand where plays  move c to heap }
action attack { open answers  increase me.points by 1 }
action ask_bob {
  offer to seat(2) { terms mine in heap  counters 1 } accepted { move mine to nowhere }
}
window answers from seat(1) "{me}?" { play }
setup { move trick "HOLDS" to seat(2).hand }
flow { turns turn from seat(1) until me.points >= 3 { choose action attack, ask_bob } }
"#;

fn small(holds: &str) -> Arc<Game> {
    let rules = RULES.replace("HOLDS", holds);
    let package = Package::memory("small", MemoryWorld::new([("game.toml", MANIFEST), ("a.rules", &rules)]));
    match Game::load(&package, &Options::new(), None) {
        Ok(game) => Arc::new(game),
        Err(error) => panic!("{error}"),
    }
}

fn law(name: &str) -> Arc<Game> {
    let package = Package::folder(&root().join("tests/laws").join(name));
    Arc::new(Game::load(&package, &Options::new(), None).unwrap())
}

fn begun(game: &Game, machine: &mut Machine, keys: &[&str]) -> State {
    let mut state = game.start(machine, &Start { players: 3, seed: 1, chance: Chance::Draw }).unwrap();
    for key in keys {
        let index = machine.find(&state, key).unwrap_or_else(|| panic!("no `{key}`"));
        machine.choose(&mut state, index).unwrap();
    }
    state
}

fn session(game: &Arc<Game>) -> Session {
    Session::new(Arc::clone(game), Setup { seed: 1, seats: vec!["human".to_owned(); 3] }, None).unwrap()
}

fn take(session: &mut Session, keys: &[&str]) {
    for key in keys {
        session.choose_key(key).unwrap();
    }
}

#[test]
fn a_seat_without_a_response_looks_like_one_with_it() {
    let (can, cannot) = (small("Spark"), small("Mud"));
    let (mut one, mut other) = (can.machine(), cannot.machine());
    for keys in [&["attack"][..], &["attack", "pass"], &["attack", "pass", "pass"], &["attack", "pass", "pass", "pass"]]
    {
        let (with, without) = (begun(&can, &mut one, keys), begun(&cannot, &mut other, keys));
        for seat in [Some(0), Some(2), None] {
            assert_eq!(one.view(&with, seat), other.view(&without, seat), "{keys:?}, seat {seat:?}");
        }
    }
    let bob = begun(&can, &mut one, &["attack", "pass"]);
    let decision = one.view(&bob, Some(1)).decision.unwrap();
    let keys: Vec<&str> = decision.options.iter().map(|option| option.key.as_str()).collect();
    assert_eq!((decision.kind, keys), (DecisionKind::Response, vec!["play Spark", "pass"]));
    assert!(one.responds(&bob));
}

#[test]
fn decisions_in_a_window_can_be_undone_saved_and_replayed() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.save");
    let game = small("Spark");
    let mut played = session(&game);
    played.save_to(&path).unwrap();
    take(&mut played, &["attack", "pass", "play Spark", "pass"]);
    let there = played.hash();
    take(&mut played, &["pass", "pass", "ask bob"]);
    played.undo_to(4).unwrap();
    assert_eq!(played.hash(), there);
    take(&mut played, &["pass"]);
    let saved = Saved::read(&path).unwrap();
    let (mut again, problems) = Session::replay(game, &saved).unwrap();
    assert!(problems.is_empty(), "{problems:?}");
    assert_eq!((again.hash(), again.deciding()), (played.hash(), Some(2)));
    let record = whole(&again, Told::All);
    assert!(record.contains("pass\n    # 2. ann\n") && !record.contains("passes"), "{record}");
    let other = of_seat(&mut again, 1);
    assert!(other.contains("    # 2. ann passes\n"), "{other}");
}

#[test]
fn whoever_made_an_offer_may_withdraw_it() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.save");
    let game = small("Mud");
    let mut played = session(&game);
    played.save_to(&path).unwrap();
    take(&mut played, &["ask bob"]);
    let view = |session: &mut Session, seat| session.view(Some(seat)).decision;
    let keys = |session: &mut Session, seat| {
        let decision = view(session, seat)?;
        assert_eq!((decision.kind, decision.by, decision.seat), (DecisionKind::Offer, Some(0), Some(1)));
        Some(decision.options.into_iter().map(|option| option.key).collect::<Vec<_>>())
    };
    assert_eq!(keys(&mut played, 0).unwrap(), ["withdraw"]);
    assert_eq!(keys(&mut played, 1).unwrap(), ["accept", "refuse", "counter"]);
    assert_eq!(keys(&mut played, 2), None);
    let (machine, state) = played.parts();
    assert_eq!((machine.option_count(state), machine.own_count(state)), (4, 3));
    for bot in Bot::ALL {
        let picked = bot.pick(&mut played).unwrap();
        assert_eq!(played.seat_of(picked), Some(1), "{bot:?}");
    }
    take(&mut played, &["withdraw"]);
    assert_eq!(played.decisions().last().unwrap().seat, Some(0));
    let told = played.changes().iter().map(|(_, change)| change.full.as_str()).collect::<Vec<_>>();
    assert!(told.contains(&"ann withdraws the offer"), "{told:?}");
    let (again, problems) = Session::replay(Arc::clone(&game), &Saved::read(&path).unwrap()).unwrap();
    assert!(problems.is_empty() && again.hash() == played.hash(), "{problems:?}");
    let claimed = std::fs::read_to_string(&path)
        .unwrap()
        .replace("\"seat\":\"ann\",\"key\":\"withdraw\"", "\"seat\":\"bob\",\"key\":\"withdraw\"");
    std::fs::write(&path, claimed).unwrap();
    let (_, problems) = Session::replay(game, &Saved::read(&path).unwrap()).unwrap();
    assert!(problems[0].contains("it was made by bob, but now ann decides"), "{problems:?}");
}

#[test]
fn every_answer_counts_as_a_way_on() {
    let game = small("Mud");
    let mut machine = game.machine();
    let state = begun(&game, &mut machine, &[]);
    // Attack and three passes; or an offer, accepted, refused, withdrawn, or countered and then one of these three.
    assert_eq!(perft(&game, &mut machine, &state, 1).unwrap().turns, 1 + 3 + 3);
}

#[test]
fn random_games_conform_and_end() {
    for game in [law("windows"), law("offers"), small("Spark")] {
        let report = conformance(&game, 3, 40, 6).unwrap();
        assert!(report.problems.is_empty(), "{}: {:?}", game.rules.name, report.problems);
        for bot in Bot::ALL {
            let plan = Plan { players: 3, bot, seed: 3, threads: 1, until: Until::Games(4) };
            assert_eq!(simulate(&game, &plan).unwrap().games, 4, "{}", game.rules.name);
        }
    }
}

#[test]
fn windows_within_windows_have_a_limit() {
    let rules = "action again { open answers }\nwindow answers from seat(1) { again }\n\
                 flow { turns turn from seat(1) until round > 3 { choose action again } }\n";
    let package = Package::memory("small", MemoryWorld::new([("game.toml", MANIFEST), ("a.rules", rules)]));
    let game = Arc::new(Game::load(&package, &Options::new(), None).unwrap());
    let mut played = session(&game);
    let error = (0..200).find_map(|_| played.choose_key("again").err()).unwrap();
    assert!(error.to_string().contains("too deeply") && played.decisions().len() > 100, "{error}");
    take(&mut played, &["pass", "pass", "pass", "pass", "pass"]);
}

#[test]
fn a_seat_passes_by_itself_until_something_changes() {
    let players = vec![Player::Human; 3];
    let mut table = Table::new(small("Spark"), players, 1, None).unwrap();
    for key in ["attack", "pass", "play Spark"] {
        table.choose_key(key).unwrap();
    }
    assert_eq!(table.deciding(), Some(0));
    assert!(table.pass_on().unwrap(), "ann passes on");
    table.choose_key("pass").unwrap();
    table.choose_key("pass").unwrap();
    // The window is closed, and ann is asked for a turn of hers only after two others: nothing to pass there.
    assert!(!table.pass_on().unwrap(), "an action is no response");
    table.choose_key("attack").unwrap();
    // Ann has read since then that she got a point.
    assert!(!table.passes(0) && table.human_decides());
    assert!(table.pass_on().unwrap());
    table.choose_key("pass").unwrap();
    assert!(table.bot_move().unwrap().is_none());
    let mut table = Table::new(small("Spark"), vec![Player::Human; 3], 1, None).unwrap();
    table.choose_key("attack").unwrap();
    assert!(table.pass_on().unwrap());
    assert_eq!(table.log(Some(2)).last().unwrap().text, "ann passes");
    table.choose_key("play Spark").unwrap();
    assert!(!table.passes(0), "a trick was played");
}

#[test]
fn keys_in_line_mode_pass() {
    let args = ["play", "tests/laws/windows", "--players", "human,human,human", "--plain", "--seed", "1"];
    let output = cardwright(&root(), &args, "attack\np\nP\np\nquit\n");
    let text = stdout(&output);
    assert!(
        text.contains("ann passes") && text.contains("bob passes") && text.contains("# left in turn 2"),
        "{text}{}",
        stderr(&output)
    );
}

#[test]
fn a_person_alone_is_spared_what_can_only_be_passed() {
    let bots_move = |table: &mut Table| {
        let mut taken = Vec::new();
        while !table.human_decides() && table.deciding().is_some() {
            taken.extend(table.bot_move().unwrap());
        }
        taken
    };
    let table_of = |holds: &str, seats: [Player; 3]| {
        let mut table = Table::new(small(holds), seats.to_vec(), 1, None).unwrap();
        table.spare();
        table
    };
    let bot = Player::Bot(Bot::Random);
    let mut table = table_of("Mud", [bot, Player::Human, bot]);
    let taken = bots_move(&mut table);
    assert!(taken.contains(&(1, "pass".to_owned())) || !taken.iter().any(|(_, key)| key == "attack"), "{taken:?}");
    assert!(!table.session().responds(), "bob is on turn");
    let before = table.session().decisions().len();
    table.choose_key("attack").unwrap();
    let taken = bots_move(&mut table);
    assert!(taken.contains(&(1, "pass".to_owned())), "{taken:?}");
    // What was spared is no step to go back to.
    assert!(matches!(table.undo(false).unwrap(), Undo::Done { .. }));
    assert_eq!(table.session().decisions().len(), before);

    // Who holds a trick is asked, and so is everybody where several people play.
    let mut table = table_of("Spark", [Player::Human, bot, bot]);
    table.choose_key("attack").unwrap();
    assert!(!table.human_decides(), "ann has no trick");
    let mut table = table_of("Spark", [bot, Player::Human, bot]);
    while table.deciding() != Some(1) {
        table.bot_move().unwrap();
    }
    assert!(table.human_decides());
    let mut table = table_of("Mud", [Player::Human, Player::Human, bot]);
    table.choose_key("attack").unwrap();
    assert!(table.human_decides(), "ann is asked, though she can only pass");
}

#[test]
fn a_person_alone_is_spared_what_is_the_only_choice() {
    let seats = vec![Player::Human, Player::Bot(Bot::Random)];
    let mut table = Table::new(game("tic-tac-toe"), seats, 1, None).unwrap();
    table.spare();
    // X plays around the middle; if nobody wins, only one cell is left for the fifth X.
    let mut spared = 0;
    while table.deciding().is_some() {
        if table.human_decides() {
            assert!(!table.spares());
            let cells = table.decision().unwrap().options;
            let wanted = ["a2", "c2", "b1", "b3", "a1"];
            let index = wanted.iter().find_map(|key| cells.iter().position(|cell| cell.key.contains(key)));
            table.choose(index.unwrap_or(0)).unwrap();
        } else {
            spared += u32::from(table.spares());
            assert!(table.bot_move().unwrap().is_some());
        }
    }
    let full = table.session().decisions().len() == 9;
    assert_eq!(spared, u32::from(full));
}

#[test]
fn a_game_saved_in_the_middle_of_a_fight_goes_on_the_same_way() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("fight.save");
    let setup = Setup { seed: 7, seats: vec!["human".to_owned(); 4] };
    let mut played = Session::new(game("star-munchkin"), setup, None).unwrap();
    let pick = |session: &mut Session, number: usize| {
        let count = session.decision().unwrap().options.len();
        session.choose((number * 7 + 3) % count).unwrap();
    };
    let in_fight = |session: &mut Session| session.decision().unwrap().prompt.contains(" against ");
    let mut number = 0;
    while !(number > 200 && in_fight(&mut played)) {
        pick(&mut played, number);
        number += 1;
        assert!(number < 5_000, "a fight begins");
    }
    played.save_to(&path).unwrap();
    let (mut again, problems) = Session::replay(game("star-munchkin"), &Saved::read(&path).unwrap()).unwrap();
    assert!(problems.is_empty() && in_fight(&mut again), "{problems:?}");
    for later in number..number + 60 {
        assert_eq!(again.hash(), played.hash());
        pick(&mut again, later);
        pick(&mut played, later);
    }
    assert_eq!(whole(&again, Told::All), whole(&played, Told::All));
}

/// In every turn the flow opens a window.
const COURSE: &str = r#"
player { counter points: 0..99 }
game { mark waves: number = 0 }
action cheer { set game.waves = game.waves + 1 }
action wave { set game.waves = game.waves + 1 }
window moment from first(players_after(mover)) "{mover}'s turn" { aside cheer  WAVE wave }
action begin { increase me.points by 1 }
flow { turns turn from seat(1) until round > 4 { choose action begin  open moment } }
"#;

/// The turns of the others in which bob is asked, the only person among bots who do nothing; with `on` he passes on.
fn asked(wave: &str, on: bool) -> Vec<u32> {
    let rules = COURSE.replace("WAVE", wave);
    let package = Package::memory("small", MemoryWorld::new([("game.toml", MANIFEST), ("a.rules", &rules)]));
    let game = Arc::new(Game::load(&package, &Options::new(), None).unwrap());
    let seats = ["greedy", "human", "greedy"].map(|word| Player::parse(word).unwrap()).to_vec();
    let mut table = Table::new(game, seats, 3, None).unwrap();
    table.spare();
    let mut asked = Vec::new();
    while table.outcome().is_none() {
        if !table.human_decides() {
            table.bot_move().unwrap().unwrap();
            continue;
        }
        let turn = table.session().turns();
        asked.extend((turn % 3 != 1).then_some(turn));
        if !(on && turn % 3 != 1 && table.pass_on().unwrap()) {
            let last = table.decision().unwrap().options.len() - 1;
            table.choose(last).unwrap();
        }
    }
    asked
}

#[test]
fn a_person_among_bots_is_asked_in_the_turns_of_others_for_what_does_not_stand_aside() {
    assert_eq!(asked("quietly", false), [0, 2, 3, 5, 6, 8, 9, 11, 12]);
    assert!(asked("aside quietly", false).is_empty());
}

#[test]
fn who_passes_on_is_not_asked_in_the_course_of_the_others_turns() {
    // In the own turn bob is asked again.
    assert_eq!(asked("quietly", true), [0, 2, 5, 8, 11]);
}
