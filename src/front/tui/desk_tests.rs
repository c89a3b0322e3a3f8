//! Walks through real games by keys, without a terminal.

use super::desk::Desk;
use super::draw::draw;
use super::state::Stage;
use super::tester::Tester;
use super::theme::Theme;
use crate::play::{Bot, Game, Library, Options, Package, Player, Table};
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::crossterm::event::{Event, KeyCode, KeyEvent, KeyModifiers};
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

const MANIFEST: &str = r#"
name = "lamps"
title = "Lamps"
version = "0.1.0"
edition = 1
description = "Hang what you have."
rules = ["*.rules"]
cards = ["*.cards"]

[players]
min = 2
max = 3
seats = ["red", "blue", "green"]
"#;

const RULES: &str = r#"
kind lamp : card { field light: 1..9 }
zone box { holds: lamp  order: pile  seen: none  starts: lamp }
zone hand per player { holds: lamp  seen: holder }
zone shelf per player { holds: lamp  seen: all }
setup { shuffle box  each p in players { repeat 2 times { move top(box) to p.hand } } }
action hang { choose c in me.hand  move c to me.shelf }
define score(p: player): number = sum light of p.shelf
flow {
  turns turn from seat(1) {
    if every players as p meets no p.hand { end game }
    choose action hang
  }
}
"#;

const CARDS: &str = r#"
lamp "Lantern" { light: 3  copies: 2 }
lamp "Torch" { light: 2  copies: 2 }
lamp "Candle" { light: 1  copies: 2 }
"#;

fn lamps() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    for (path, text) in [("game.toml", MANIFEST), ("lamps.rules", RULES), ("lamps.cards", CARDS)] {
        std::fs::write(folder.path().join(path), text).expect("a file is written");
    }
    folder
}

fn table(package: &Package, players: &[Player]) -> Table {
    let game = Game::load(package, &Options::new(), None).expect("the game is sound");
    Table::new(Arc::new(game), players.to_vec(), 7, None).expect("the game starts")
}

fn lamps_table(folder: &Path, players: &[Player]) -> Table {
    table(&Package::folder(folder), players)
}

fn crosses(players: &[Player]) -> Table {
    table(&Library::new(None).find("tic-tac-toe").expect("the game is shipped"), players)
}

fn press(desk: &mut Desk, code: KeyCode) -> bool {
    desk.handle(&Event::Key(KeyEvent::new(code, KeyModifiers::NONE)))
}

/// Lets bots move until a person is asked.
fn wait(desk: &mut Desk) {
    desk.ui.pause = 0;
    while desk.pass_time(Instant::now()) {}
}

fn shown(desk: &Desk) -> String {
    let mut terminal = Terminal::new(TestBackend::new(90, 26)).expect("a test terminal opens");
    terminal.draw(|frame| draw(frame, &desk.ui, &desk.scene, Theme { color: true })).expect("it draws");
    terminal.backend().to_string()
}

#[test]
fn a_game_against_a_bot_is_played_to_its_end_with_one_key() {
    let mut table = crosses(&[Player::Human, Player::Bot(Bot::Random)]);
    let mut desk = Desk::new(&mut table);
    for _ in 0..5 {
        wait(&mut desk);
        if desk.ui.stage != Stage::Over {
            assert!(press(&mut desk, KeyCode::Enter));
        }
    }
    wait(&mut desk);
    assert_eq!(desk.ui.stage, Stage::Over);
    assert!(shown(&desk).contains("The game is over"));
    assert!(!press(&mut desk, KeyCode::Enter), "Enter leaves after the result");
}

#[test]
fn after_a_game_another_is_played_and_what_stays_tells_of_both() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = folder.path().join("two.save");
    let mut table = crosses(&[Player::Human, Player::Bot(Bot::Random)]);
    let mut desk = Desk::new(&mut table);
    for _ in 0..5 {
        wait(&mut desk);
        if desk.ui.stage != Stage::Over {
            press(&mut desk, KeyCode::Enter);
        }
    }
    wait(&mut desk);
    assert_eq!(desk.ui.stage, Stage::Over);
    assert!(shown(&desk).contains("r: another game"), "{}", shown(&desk));
    let first = desk.summary();
    assert!(first.contains("# the game is not saved\n") && first.contains(" decisions, seed 7\n"), "{first}");
    press(&mut desk, KeyCode::Char('r'));
    wait(&mut desk);
    assert!(desk.ui.stage == Stage::Play && desk.scene.decisions <= 1 && desk.scene.seed != 7);
    press(&mut desk, KeyCode::Char('s'));
    press(&mut desk, KeyCode::Backspace);
    while !desk.ui.asked.is_empty() {
        press(&mut desk, KeyCode::Backspace);
    }
    for letter in file.to_str().expect("a path of letters").chars() {
        press(&mut desk, KeyCode::Char(letter));
    }
    press(&mut desk, KeyCode::Enter);
    assert!(desk.scene.notice.as_ref().is_some_and(|notice| !notice.error && notice.text.contains("two.save")));
    press(&mut desk, KeyCode::Enter);
    let both = desk.summary();
    assert!(both.starts_with(&first) && both.contains("# saved in `") && both.contains("# not over"), "{both}");
    drop(desk);
    drop(table);
    assert!(std::fs::read_to_string(&file).is_ok_and(|text| text.lines().count() >= 2));
}

#[test]
fn the_last_move_is_marked_and_can_be_taken_back() {
    let mut table = crosses(&[Player::Human, Player::Bot(Bot::Random)]);
    let mut desk = Desk::new(&mut table);
    let free = desk.scene.options().len();
    press(&mut desk, KeyCode::Enter);
    wait(&mut desk);
    assert_eq!(desk.scene.options().len(), free - 2);
    assert_eq!(desk.ui.last.len(), 1, "the bot's");
    press(&mut desk, KeyCode::Char('u'));
    assert_eq!(desk.scene.options().len(), free);
    press(&mut desk, KeyCode::Char('u'));
    assert!(shown(&desk).contains("nothing to take back"));
}

#[test]
fn between_two_hands_the_keyboard_is_passed_on() {
    let folder = lamps();
    let mut table = lamps_table(folder.path(), &[Player::Human, Player::Human]);
    let names = ["Lantern", "Torch", "Candle"];
    let mut desk = Desk::new(&mut table);
    let hidden = |desk: &Desk| names.iter().all(|name| !shown(desk).contains(name));
    assert!(desk.ui.stage == Stage::HandOver(0) && hidden(&desk), "nobody has the keyboard at first");
    press(&mut desk, KeyCode::Enter);
    assert!(desk.ui.stage == Stage::Play && desk.scene.view.seat == Some(0) && !hidden(&desk));
    press(&mut desk, KeyCode::Enter);
    assert!(desk.ui.stage == Stage::Done(1) && desk.scene.view.seat == Some(0), "red sees what came of it");
    press(&mut desk, KeyCode::Enter);
    assert_eq!((desk.ui.stage, desk.scene.view.seat), (Stage::HandOver(1), None));
    let hand = &desk.scene.view.players[1].zones;
    assert!(hand.iter().filter(|zone| zone.private).all(|zone| zone.cards.is_empty()));
    press(&mut desk, KeyCode::Enter);
    assert_eq!((desk.ui.stage, desk.scene.view.seat), (Stage::Play, Some(1)));
}

#[test]
fn a_game_without_secrets_needs_no_passing_on() {
    let mut table = crosses(&[Player::Human, Player::Human]);
    let mut desk = Desk::new(&mut table);
    press(&mut desk, KeyCode::Enter);
    assert_eq!((desk.ui.stage, desk.scene.view.seat), (Stage::Play, Some(1)));
}

#[test]
fn a_broken_edit_is_told_and_a_mended_one_goes_on() {
    let folder = lamps();
    let mut table = lamps_table(folder.path(), &[Player::Human, Player::Bot(Bot::Random)]);
    table.set_watch(Box::new({
        let mut waiting = 2;
        move || {
            waiting -= 1;
            waiting >= 0
        }
    }));
    let mut desk = Desk::new(&mut table);
    let cards = folder.path().join("lamps.cards");
    std::fs::write(&cards, CARDS.replace("light: 3", "ligt: 3")).expect("a file is written");
    assert!(desk.pass_time(Instant::now()));
    assert!(desk.scene.notice.as_ref().is_some_and(|notice| notice.error && notice.text.contains("ligt")));
    assert!(desk.scene.decision().is_some(), "the game goes on");
    std::fs::write(&cards, CARDS.replace("light: 3", "light: 4")).expect("a file is written");
    assert!(desk.pass_time(Instant::now()));
    assert!(desk.scene.notice.as_ref().is_some_and(|notice| !notice.error));
    press(&mut desk, KeyCode::Char('x'));
    assert_eq!(desk.scene.notice, None);
}

#[test]
fn what_a_value_is_made_of_is_told_and_others_can_be_asked_for() {
    let folder = lamps();
    let looks = "look game { line: \"{score(seat(1))} light\" }\n";
    std::fs::write(folder.path().join("looks.rules"), looks).expect("a file is written");
    let mut table = lamps_table(folder.path(), &[Player::Human, Player::Bot(Bot::Random)]);
    let mut desk = Desk::new(&mut table);
    press(&mut desk, KeyCode::Enter);
    wait(&mut desk);
    assert!(shown(&desk).contains(" light"), "the line stands above the table");
    press(&mut desk, KeyCode::Char('W'));
    let seen = shown(&desk);
    assert!(seen.contains("score of red = ") && seen.contains("lamps.rules") && seen.contains("why: "), "{seen}");
    for letter in "scoer".chars() {
        press(&mut desk, KeyCode::Char(letter));
    }
    assert!(shown(&desk).contains("why: scoer"));
    press(&mut desk, KeyCode::Enter);
    assert!(shown(&desk).contains("did you mean `score`?"));
    press(&mut desk, KeyCode::Esc);
    assert!(!shown(&desk).contains("why: "));
}

#[test]
fn why_a_line_of_the_log_is_there_is_told() {
    let folder = lamps();
    let mut table = lamps_table(folder.path(), &[Player::Human, Player::Bot(Bot::Random)]);
    let mut desk = Desk::new(&mut table);
    press(&mut desk, KeyCode::Enter);
    wait(&mut desk);
    for code in [KeyCode::BackTab, KeyCode::End, KeyCode::Enter] {
        press(&mut desk, code);
    }
    assert!(shown(&desk).contains("Why did this happen?"));
    assert!(desk.ui.cause.iter().any(|line| line.starts_with("because of")), "{:?}", desk.ui.cause);
}

const WINDOW: &str = r#"
player { counter points: 0..9 }
action nod { increase me.points by 1 }
action strike { open answers }
window answers from seat(1) "{me}, an answer?" { nod }
flow { turns turn from seat(1) { choose action strike } }
"#;

#[test]
fn keys_pass_once_or_until_something_changes() {
    let folder = lamps();
    std::fs::remove_file(folder.path().join("lamps.cards")).expect("the cards go");
    std::fs::write(folder.path().join("game.toml"), MANIFEST.replace("cards = [\"*.cards\"]\n", "")).expect("written");
    std::fs::write(folder.path().join("lamps.rules"), WINDOW).expect("a file is written");
    let mut table = lamps_table(folder.path(), &[Player::Human, Player::Human]);
    let mut desk = Desk::new(&mut table);
    press(&mut desk, KeyCode::Char('p'));
    assert!(shown(&desk).contains("strike"), "where nobody can pass, nothing happens");
    press(&mut desk, KeyCode::Enter);
    assert!(shown(&desk).contains("red, an answer?") && shown(&desk).contains("pass on"), "{}", shown(&desk));
    press(&mut desk, KeyCode::Char('P'));
    assert!(shown(&desk).contains("red passes") && shown(&desk).contains("blue, an answer?"), "{}", shown(&desk));
    press(&mut desk, KeyCode::Enter);
    // Blue has nodded: that is something, so red is asked again.
    wait(&mut desk);
    assert!(shown(&desk).contains("red, an answer?") && !desk.scene.passing, "{}", shown(&desk));
    press(&mut desk, KeyCode::Char('p'));
    press(&mut desk, KeyCode::Char('p'));
    assert!(shown(&desk).contains("strike"), "{}", shown(&desk));
}

const OFFER: &str = r#"
player { counter points: 0..9 }
action bargain { offer to seat(2) "A deal?" { } accepted { increase me.points by 1 } refused { } }
flow { turns turn from seat(1) { choose action bargain } }
"#;

#[test]
fn an_offer_can_be_withdrawn_while_a_bot_thinks() {
    let folder = lamps();
    std::fs::remove_file(folder.path().join("lamps.cards")).expect("the cards go");
    std::fs::write(folder.path().join("game.toml"), MANIFEST.replace("cards = [\"*.cards\"]\n", "")).expect("written");
    std::fs::write(folder.path().join("lamps.rules"), OFFER).expect("a file is written");
    let mut table = lamps_table(folder.path(), &[Player::Human, Player::Bot(Bot::Random)]);
    let mut desk = Desk::new(&mut table);
    press(&mut desk, KeyCode::Enter);
    let screen = shown(&desk);
    for words in ["A deal? (red offers)", "blue decides; meanwhile you may", "withdraw"] {
        assert!(screen.contains(words), "no `{words}` in {screen}");
    }
    assert!(!screen.contains("accept"), "{screen}");
    press(&mut desk, KeyCode::Enter);
    assert!(shown(&desk).contains("withdraw"), "Enter alone takes nothing back");
    press(&mut desk, KeyCode::Char('t'));
    assert!(shown(&desk).contains("red withdraws the offer"), "{}", shown(&desk));
    drop(desk);
    let last = table.session().decisions().last().map(|made| (made.seat, made.key.clone()));
    assert_eq!(last, Some((Some(0), "withdraw".to_owned())));
}

#[test]
fn the_tests_of_edited_content_are_shown_beside_the_game() {
    let folder = lamps();
    let scenario = |left: u8| format!("scenario \"two are left\" {{ expect count box = {left} }}\n");
    std::fs::write(folder.path().join("a.scenario"), scenario(9)).expect("a file is written");
    let mut table = lamps_table(folder.path(), &[Player::Human, Player::Human]);
    let package = table.game().package.clone();
    let mut desk = Desk::new(&mut table);
    press(&mut desk, KeyCode::Char('T'));
    assert_eq!(desk.ui.popup, None, "without a tester there is nothing to show");
    desk.tester = Some(Tester::new(package));
    let news = |desk: &mut Desk| {
        let until = Instant::now() + Duration::from_secs(60);
        while !desk.pass_time(Instant::now()) {
            assert!(Instant::now() < until, "nothing is told");
            std::thread::sleep(Duration::from_millis(5));
        }
    };
    news(&mut desk);
    press(&mut desk, KeyCode::Char('T'));
    let screen = shown(&desk);
    for words in ["T: 1 ✗", "1 failed", "FAILED  two are left", "E0801"] {
        assert!(screen.contains(words), "no `{words}` in {screen}");
    }
    press(&mut desk, KeyCode::Esc);
    std::fs::write(folder.path().join("a.scenario"), scenario(2)).expect("a file is written");
    desk.tester.iter().for_each(Tester::edited);
    news(&mut desk);
    assert!(shown(&desk).contains("T: 1 ✓"), "{}", shown(&desk));
}

#[test]
fn a_key_begins_a_scenario_and_writes_it() {
    let folder = lamps();
    let mut table = lamps_table(folder.path(), &[Player::Human, Player::Human]);
    let mut desk = Desk::new(&mut table);
    press(&mut desk, KeyCode::Char('S'));
    assert!(desk.scene.telling && shown(&desk).contains("S write the scenario"), "{}", shown(&desk));
    for _ in 0..3 {
        press(&mut desk, KeyCode::Enter);
    }
    press(&mut desk, KeyCode::Char('S'));
    let said = desk.scene.notice.as_ref().map_or("", |notice| notice.text.as_str());
    assert!(!desk.scene.telling && said.contains("it passes"), "{said}");
    assert!(folder.path().join("scenarios/played-1.scenario").is_file());
}

/// The rules with a die, and what is chosen from.
fn poured(chosen: &str) -> String {
    let more = "player { counter oil: 0..9 }\naction pour { roll n in 1..6  set me.oil = n }\n";
    format!("{}{more}", RULES.replace("choose action hang", chosen))
}

/// Opens the workshop's line and types something into it.
fn work(desk: &mut Desk, line: &str) {
    press(desk, KeyCode::Char(':'));
    line.chars().for_each(|letter| _ = press(desk, KeyCode::Char(letter)));
    press(desk, KeyCode::Enter);
}

#[test]
fn the_workshop_does_what_no_player_may_and_the_save_says_so() {
    let folder = lamps();
    let rules = poured("choose action hang, pour");
    std::fs::write(folder.path().join("lamps.rules"), rules).expect("a file is written");
    let save = folder.path().join("a.save");
    let mut table = lamps_table(folder.path(), &[Player::Human, Player::Human]);
    table.save_to(&save).expect("a save is begun");
    let mut desk = Desk::workshop(&mut table);
    assert_eq!((desk.ui.stage, desk.scene.view.seat), (Stage::Play, Some(0)), "nobody hands the keyboard over");
    press(&mut desk, KeyCode::Char(':'));
    assert!(shown(&desk).contains("put CARD in ZONE") && shown(&desk).contains("go N"), "{}", shown(&desk));
    press(&mut desk, KeyCode::Esc);
    work(&mut desk, "set seat(2).oil = 4");
    assert_eq!(desk.ui.popup, None);
    work(&mut desk, "all");
    assert!(desk.scene.open && desk.scene.view.players.iter().all(|player| player.zones[0].cards.len() == 2));
    assert!(shown(&desk).contains("nothing hidden"), "{}", shown(&desk));
    // A decision can be made while everything is seen.
    work(&mut desk, "force 6");
    press(&mut desk, KeyCode::End);
    press(&mut desk, KeyCode::Enter);
    assert!(desk.scene.log.iter().any(|told| told.text.contains("red oil: 0 -> 6")), "{:?}", desk.scene.log);
    work(&mut desk, "as red");
    assert_eq!((desk.scene.view.seat, desk.scene.options().len()), (Some(0), 0), "blue decides");
    work(&mut desk, "look");
    assert_eq!(desk.scene.view.seat, Some(1));
    work(&mut desk, "put Lantern in seat(2).shelf");
    assert_eq!(desk.scene.view.players[1].zones[1].cards.len(), 1);
    work(&mut desk, "put Lantern in nowhere else");
    assert!(desk.ui.popup.is_some() && shown(&desk).contains("error:"), "{}", shown(&desk));
    press(&mut desk, KeyCode::Esc);
    assert_eq!((desk.ui.popup, !desk.ui.cause.is_empty()), (None, true));
    press(&mut desk, KeyCode::Char(':'));
    press(&mut desk, KeyCode::Up);
    assert_eq!(desk.ui.asked, "put Lantern in nowhere else");
    press(&mut desk, KeyCode::Esc);
    // On a card, the line begins with it.
    press(&mut desk, KeyCode::Tab);
    press(&mut desk, KeyCode::Char(':'));
    assert!(desk.ui.asked.starts_with("put ") && desk.ui.asked.ends_with(" in "), "{}", desk.ui.asked);
    press(&mut desk, KeyCode::Esc);
    press(&mut desk, KeyCode::Esc);
    work(&mut desk, "go 0");
    assert_eq!(desk.scene.decisions, 0);
    drop(desk);
    drop(table);
    let text = std::fs::read_to_string(&save).expect("the save is there");
    for line in [
        r#"{"after":0,"set":"seat(2).oil","to":"4"}"#,
        r#"{"after":0,"force":["6"]}"#,
        r#"{"after":1,"set":"put Lantern","to":"seat(2).shelf"}"#,
        r#"{"undo":0}"#,
    ] {
        assert!(text.lines().any(|found| found == line), "{line}: {text}");
    }
}

#[test]
fn what_chance_cannot_give_is_said_and_the_seed_draws_again() {
    let folder = lamps();
    let rules = poured("choose action pour");
    std::fs::write(folder.path().join("lamps.rules"), rules).expect("a file is written");
    let mut table = lamps_table(folder.path(), &[Player::Human, Player::Bot(Bot::Random)]);
    let mut desk = Desk::workshop(&mut table);
    work(&mut desk, "force 9");
    press(&mut desk, KeyCode::Enter);
    assert!(shown(&desk).contains("the seed draws again"), "{}", shown(&desk));
    assert_eq!(desk.scene.decisions, 0);
    press(&mut desk, KeyCode::Enter);
    wait(&mut desk);
    assert_eq!(desk.scene.decisions, 2);
}

#[test]
fn without_the_workshop_its_key_does_nothing() {
    let mut table = crosses(&[Player::Human, Player::Human]);
    let mut desk = Desk::new(&mut table);
    press(&mut desk, KeyCode::Char(':'));
    assert_eq!(desk.ui.popup, None);
}
