//! Pictures of the screen from hand-made views, and walks through it by keys.

use super::draw::draw;
use super::scene::{Notice, Scene, Told, Why};
use super::state::{Effect, Focus, Popup, Stage, Ui, update};
use super::theme::Theme;
use crate::base::{Colour, Span};
use crate::engine::{
    BoardView, CELL, CardView, Decision, DecisionKind, Grid, Look, OptionInfo, Outcome, PlayerView, SiteKind, SiteView,
    Target, View, ZoneView,
};
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::crossterm::event::{Event, KeyCode, KeyEvent, KeyModifiers};
use ratatui::style::{Color, Modifier};

const NAMES: [&str; 12] = [
    "Lantern",
    "Copper Kettle",
    "Rope",
    "Night Jar",
    "Tide Clock",
    "Iron Thimble",
    "Map of Salt",
    "Bell",
    "Oak Door",
    "Feather Quill",
    "Glass Anchor",
    "Long Winter Coat",
];

fn words(pairs: &[(&str, &str)]) -> Vec<(String, String)> {
    pairs.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
}

fn card(handle: u32) -> CardView {
    let name = NAMES[handle as usize % NAMES.len()];
    let tier = (handle % 5 + 1).to_string();
    let light = (handle * 7 % 9).to_string();
    let text = "When played: you may move another thing of yours to a shelf of your choice, then draw a card.";
    let guild = ["smith", "weaver", "sailor"][handle as usize % 3];
    CardView {
        handle,
        name: name.to_owned(),
        kind: "thing".to_owned(),
        piece: false,
        defined: true,
        chosen: false,
        fields: words(&[("guild", guild), ("tier", &tier), ("light", &light), ("text", text)]),
        props: if handle % 4 == 1 { words(&[("polish", "+2")]) } else { Vec::new() },
        host: None,
        markers: if handle % 6 == 2 { vec!["armed".to_owned()] } else { Vec::new() },
        owner: None,
        look: Look::default(),
    }
}

fn zone(name: &str, cards: Vec<CardView>) -> ZoneView {
    let (count, places) = (cards.len(), vec![None; cards.len()]);
    ZoneView {
        name: name.to_owned(),
        pile: false,
        queue: false,
        private: false,
        count,
        cards,
        places,
        backs: Vec::new(),
        look: Look::default(),
    }
}

fn player(name: &str, first: u32, shelf: u32, hand: usize) -> PlayerView {
    let mut cards: Vec<CardView> = (first..first + shelf).map(card).collect();
    if shelf > 2 {
        let rider = CardView { host: Some(first), props: Vec::new(), ..card(first + 50) };
        cards.push(rider);
    }
    let hidden = ZoneView {
        name: "hand".to_owned(),
        pile: false,
        queue: false,
        private: true,
        count: hand,
        cards: Vec::new(),
        places: Vec::new(),
        backs: Vec::new(),
        look: Look::default(),
    };
    let props = words(&[("light", &(first % 17).to_string())]);
    PlayerView {
        name: name.to_owned(),
        colour: Colour::nth(0),
        playing: true,
        lines: Vec::new(),
        props,
        zones: vec![zone("shelf", cards), hidden],
    }
}

fn option(label: &str, target: Target) -> OptionInfo {
    OptionInfo { key: label.to_owned(), label: label.to_owned(), seat: None, target, weight: 1 }
}

fn decision(prompt: &str, options: Vec<OptionInfo>) -> Decision {
    let (seat, kind, source) = (Some(0), DecisionKind::Action, None);
    Decision {
        seat,
        kind,
        prompt: prompt.to_owned(),
        source,
        terms: Vec::new(),
        by: None,
        options,
        span: Span::default(),
    }
}

fn scene(view: View) -> Scene {
    let lines = [
        (0, "red draws Copper Kettle"),
        (0, "blue plays Oak Door"),
        (1, "Oak Door gains 2 polish"),
        (2, "Lantern is armed: the next thing that blue puts on a shelf goes back"),
        (0, "green discards Bell"),
    ];
    let told = |(index, (depth, text)): (usize, &(u16, &str))| Told {
        number: index + 1,
        depth: *depth,
        text: (*text).to_owned(),
    };
    Scene {
        tests: None,
        title: "House of Things".to_owned(),
        seed: 7,
        players: (0..view.players.len()).map(|seat| if seat == 0 { "you" } else { "greedy" }.to_owned()).collect(),
        view,
        log: lines.iter().enumerate().map(told).collect(),
        refusals: vec![Why {
            action: "hang thing".to_owned(),
            reason: "there is no free hook".to_owned(),
            place: "house/rules/house.rules:31:3".to_owned(),
            line: "    choose h in hooks where it is free".to_owned(),
        }],
        notice: None,
        bot: false,
        passing: false,
        spared: false,
        workshop: false,
        open: false,
        telling: false,
        decisions: 8,
        saved: None,
        file: "house-of-things-7.save".to_owned(),
    }
}

fn empty_view() -> View {
    View {
        seat: Some(0),
        mover: Some(0),
        turns: 9,
        round: 4,
        lines: Vec::new(),
        game: Vec::new(),
        window: None,
        players: Vec::new(),
        zones: Vec::new(),
        boards: Vec::new(),
        deciding: Some(0),
        decision: None,
        outcome: None,
    }
}

/// A card table with so many players, seen by the first.
fn table_of(players: usize) -> Scene {
    let names = ["red", "blue", "green", "yellow", "purple", "white"];
    let mut view = empty_view();
    let shelves = [4, 5, 3, 0, 5, 2];
    view.players = (0..players).map(|seat| player(names[seat], seat as u32 * 100 + 12, shelves[seat], 4)).collect();
    let hand: Vec<CardView> = [901, 902, 905, 910].into_iter().map(card).collect();
    view.players[0].zones[1] = ZoneView {
        name: "hand".to_owned(),
        pile: false,
        queue: false,
        private: true,
        count: hand.len(),
        cards: hand.clone(),
        places: vec![None; hand.len()],
        backs: Vec::new(),
        look: Look::default(),
    };
    view.zones = vec![
        ZoneView {
            name: "deck".to_owned(),
            pile: true,
            queue: false,
            private: false,
            count: 43,
            cards: Vec::new(),
            places: Vec::new(),
            backs: Vec::new(),
            look: Look::default(),
        },
        ZoneView {
            name: "attic".to_owned(),
            pile: true,
            queue: false,
            private: false,
            count: 5,
            cards: (700..705).map(card).collect(),
            places: (0..5).map(Some).collect(),
            backs: Vec::new(),
            look: Look::default(),
        },
    ];
    let mut options: Vec<OptionInfo> =
        hand.iter().map(|card| option(&format!("play {}", card.name), Target::Entity(card.handle))).collect();
    options.extend(hand.iter().map(|card| option(&format!("discard {}", card.name), Target::Entity(card.handle))));
    options.push(option("give to blue", Target::Player(1)));
    options.push(option("pass", Target::None));
    view.decision = Some(decision("Play a thing, or discard one.", options));
    scene(view)
}

/// A board of this size with pieces at some sites, and options at the others of the first row.
fn board_of(size: u16, seats: [&str; 2], pieces: &[(u16, u8, &str)]) -> Scene {
    let mut view = empty_view();
    view.players = seats
        .map(|name| PlayerView {
            name: name.to_owned(),
            colour: Colour::nth(0),
            playing: true,
            lines: Vec::new(),
            props: Vec::new(),
            zones: Vec::new(),
        })
        .to_vec();
    let site = |index: u16| {
        let (column, row) = (index % size, index / size);
        let letter = char::from(b'a' + column as u8);
        let here = pieces.iter().filter(|(at, ..)| *at == index);
        let here = here.map(|(at, owner, name)| CardView {
            name: (*name).to_owned(),
            fields: Vec::new(),
            owner: Some(*owner),
            ..card(u32::from(*at) * 12)
        });
        SiteView {
            id: i64::from(index),
            name: format!("{letter}{}", row + 1),
            kind: SiteKind::Cell,
            at: (i32::from(column) * CELL, i32::from(row) * CELL),
            look: Look::default(),
            pieces: here.collect(),
        }
    };
    let sites: Vec<SiteView> = (0..size * size).map(site).collect();
    let free = (0..).zip(&sites).filter(|(_, site)| site.pieces.is_empty() && (size < 5 || site.at.1 == 4 * CELL));
    let options = free
        .map(|(index, site)| option(&format!("place {}", site.name), Target::Site { board: 0, site: index }))
        .collect();
    view.decision = Some(decision("Choose a cell.", options));
    view.boards = vec![BoardView {
        number: 0,
        name: "board".to_owned(),
        title: None,
        grid: Grid::Square,
        paths: Vec::new(),
        sites,
    }];
    let mut scene = scene(view);
    scene.log.truncate(0);
    scene
}

fn crosses() -> Scene {
    board_of(3, ["X", "O"], &[(4, 0, "mark"), (0, 1, "mark"), (8, 0, "mark")])
}

fn large() -> Scene {
    let mut pieces: Vec<(u16, u8, &str)> = (0..16).map(|at| (at, 0, if at == 4 { "tower" } else { "pawn" })).collect();
    pieces.extend((48..64).map(|at| (at, 1, if at == 60 { "tower" } else { "pawn" })));
    board_of(8, ["red", "blue"], &pieces)
}

fn shown(ui: &Ui, scene: &Scene, size: (u16, u16)) -> String {
    let mut terminal = Terminal::new(TestBackend::new(size.0, size.1)).expect("a test terminal opens");
    terminal.draw(|frame| draw(frame, ui, scene, Theme { color: true })).expect("a test terminal draws");
    let buffer = terminal.backend().buffer();
    let row = |y: u16| (0..size.0).map(|x| buffer[(x, y)].symbol()).collect::<String>().trim_end().to_owned();
    (0..size.1).map(row).collect::<Vec<_>>().join("\n")
}

fn press(ui: &mut Ui, scene: &Scene, codes: &[KeyCode]) -> Effect {
    let keys = codes.iter().map(|code| Event::Key(KeyEvent::new(*code, KeyModifiers::NONE)));
    keys.map(|key| update(ui, scene, &key)).last().unwrap_or(Effect::None)
}

fn letters(text: &str) -> Vec<KeyCode> {
    text.chars().map(KeyCode::Char).collect()
}

#[test]
fn a_card_table_for_two() {
    let (ui, scene) = (Ui { seen: 3, ..Ui::default() }, table_of(2));
    insta::assert_snapshot!("two_80x24", shown(&ui, &scene, (80, 24)));
    insta::assert_snapshot!("two_100x30", shown(&ui, &scene, (100, 30)));
    insta::assert_snapshot!("two_140x45", shown(&ui, &scene, (140, 45)));
}

#[test]
fn a_card_table_for_six() {
    let (ui, scene) = (Ui::default(), table_of(6));
    insta::assert_snapshot!("six_80x24", shown(&ui, &scene, (80, 24)));
    insta::assert_snapshot!("six_100x30", shown(&ui, &scene, (100, 30)));
    insta::assert_snapshot!("six_140x45", shown(&ui, &scene, (140, 45)));
}

#[test]
fn leaving_says_that_the_game_is_not_saved_and_saving_asks_for_a_file() {
    let (mut ui, mut scene) = (Ui::default(), table_of(2));
    assert_eq!(press(&mut ui, &scene, &[KeyCode::Char('q')]), Effect::None);
    let text = shown(&ui, &scene, (80, 24));
    assert!(text.contains("The game is not saved.") && text.contains("s: save it"), "{text}");
    press(&mut ui, &scene, &[KeyCode::Char('s')]);
    assert!(shown(&ui, &scene, (80, 24)).contains("file: house-of-things-7.save"));
    press(&mut ui, &scene, &[KeyCode::Backspace; 5]);
    press(&mut ui, &scene, &letters(".two"));
    assert_eq!(press(&mut ui, &scene, &[KeyCode::Enter]), Effect::Save("house-of-things-7.two".to_owned()));
    scene.saved = Some("evening.save".to_owned());
    press(&mut ui, &scene, &[KeyCode::Char('q')]);
    let text = shown(&ui, &scene, (80, 24));
    assert!(text.contains("It is saved in `evening.save`.") && !text.contains("not saved"), "{text}");
    assert_eq!(press(&mut ui, &scene, &[KeyCode::Char('s')]), Effect::None);
    assert_eq!(press(&mut ui, &scene, &[KeyCode::Char('y')]), Effect::Quit);
}

#[test]
fn the_help_is_wrapped_where_it_is_shown() {
    let mut ui = Ui::default();
    let scene = table_of(2);
    press(&mut ui, &scene, &[KeyCode::F(1)]);
    ui.scroll = 24;
    let text = shown(&ui, &scene, (64, 24));
    assert!(!text.contains('…') || !text.contains("from now on…"), "{text}");
    assert!(text.contains("save every decision to a file from now on;"), "{text}");
}

#[test]
fn a_small_board() {
    let mut ui = Ui::default();
    ui.last.insert(crate::play::spots::Spot { board: 0, site: 8 });
    insta::assert_snapshot!("small_board_80x24", shown(&ui, &crosses(), (80, 24)));
    insta::assert_snapshot!("small_board_140x45", shown(&ui, &crosses(), (140, 45)));
}

#[test]
fn a_large_board() {
    let ui = Ui::default();
    insta::assert_snapshot!("large_board_80x24", shown(&ui, &large(), (80, 24)));
    insta::assert_snapshot!("large_board_100x30", shown(&ui, &large(), (100, 30)));
}

#[test]
fn a_large_hand_is_a_list_in_columns() {
    let mut scene = table_of(2);
    let hand: Vec<CardView> = (901..908).map(card).collect();
    scene.view.decision =
        Some(decision("Play one.", hand.iter().map(|card| option(&card.name, Target::Entity(card.handle))).collect()));
    scene.view.players[0].zones[1].count = hand.len();
    scene.view.players[0].zones[1].cards = hand;
    let picture = shown(&Ui::default(), &scene, (80, 24));
    insta::assert_snapshot!("large_hand", picture);
}

#[test]
fn what_lies_over_the_table() {
    let scene = table_of(2);
    let mut ui = Ui { popup: Some(Popup::Help), ..Ui::default() };
    insta::assert_snapshot!("help", shown(&ui, &scene, (100, 45)));
    ui.popup = Some(Popup::Why);
    insta::assert_snapshot!("why", shown(&ui, &scene, (80, 24)));
    ui.popup = Some(Popup::Quit);
    insta::assert_snapshot!("leave", shown(&ui, &scene, (80, 24)));
}

#[test]
fn the_screen_between_two_hands_shows_neither() {
    let ui = Ui { stage: Stage::HandOver(1), ..Ui::default() };
    let picture = shown(&ui, &table_of(2), (80, 24));
    assert!(picture.contains("Pass the keyboard to blue."));
    assert!(NAMES.iter().all(|name| !picture.contains(name)), "{picture}");
}

#[test]
fn the_result_names_the_winner_and_the_scores() {
    let mut scene = table_of(3);
    scene.view.decision = None;
    scene.view.deciding = None;
    scene.view.outcome = Some(Outcome { winners: vec![1], lost: false, scores: Some(vec![12, 20, 7]) });
    let ui = Ui { stage: Stage::Over, ..Ui::default() };
    insta::assert_snapshot!("over", shown(&ui, &scene, (100, 30)));
}

#[test]
fn the_errors_of_a_broken_edit_stand_under_the_table() {
    let mut scene = table_of(2);
    let text = "error[E0101]: unknown name `ligt`\n --> house/cards/things.cards:12:5\n12 |   ligt: 3\n   |   ^^^^\nhelp: did you mean `light`?";
    scene.notice = Some(Notice { error: true, offer: false, text: text.to_owned() });
    let picture = shown(&Ui::default(), &scene, (80, 24));
    assert!(picture.contains("help: did you mean `light`?") && picture.contains("x puts this away"), "{picture}");
}

#[test]
fn a_small_window_says_what_it_needs() {
    assert!(shown(&Ui::default(), &table_of(2), (60, 18)).contains("at least 64×20"));
}

#[test]
fn every_size_can_be_drawn() {
    for scene in [table_of(2), table_of(6), crosses(), large()] {
        for (width, height) in [(1, 1), (3, 40), (64, 20), (65, 21), (79, 33), (200, 20), (240, 80)] {
            for focus in [Focus::Options, Focus::Table, Focus::Log] {
                let ui = Ui { focus, chosen: 5, browsed: Some(13), log_back: 2, ..Ui::default() };
                shown(&ui, &scene, (width, height));
            }
        }
    }
}

#[test]
fn options_are_chosen_by_arrows_and_by_number() {
    let scene = table_of(2);
    let mut ui = Ui::default();
    assert_eq!(press(&mut ui, &scene, &[KeyCode::Down, KeyCode::Down, KeyCode::Enter]), Effect::Choose(2));
    assert_eq!(press(&mut ui, &scene, &[KeyCode::Char('1'), KeyCode::Char('0'), KeyCode::Enter]), Effect::Choose(9));
    assert_eq!(press(&mut ui, &scene, &[KeyCode::Down, KeyCode::Enter]), Effect::Choose(0), "the list goes round");
    assert_eq!(press(&mut ui, &scene, &[KeyCode::Char('9'), KeyCode::Char('3'), KeyCode::Enter]), Effect::Choose(2));
}

#[test]
fn without_colours_the_screen_has_none() {
    for scene in [table_of(3), crosses()] {
        let mut terminal = Terminal::new(TestBackend::new(90, 30)).expect("a test terminal opens");
        terminal.draw(|frame| draw(frame, &Ui::default(), &scene, Theme { color: false })).expect("it draws");
        let cells = &terminal.backend().buffer().content;
        assert!(cells.iter().all(|cell| cell.fg == Color::Reset && cell.bg == Color::Reset));
        assert!(cells.iter().any(|cell| cell.modifier.contains(Modifier::REVERSED)));
    }
}

#[test]
fn a_number_is_typed_as_it_is() {
    let mut scene = table_of(2);
    let numbers = (2..=12).map(|number: u32| option(&number.to_string(), Target::None));
    scene.view.decision = Some(Decision { kind: DecisionKind::Number, ..decision("How many?", numbers.collect()) });
    let mut ui = Ui::default();
    assert_eq!(press(&mut ui, &scene, &[KeyCode::Char('5'), KeyCode::Enter]), Effect::Choose(3));
    assert_eq!(press(&mut ui, &scene, &[KeyCode::Char('1'), KeyCode::Char('2'), KeyCode::Enter]), Effect::Choose(10));
}

#[test]
fn a_player_that_is_pointed_at_is_told_about() {
    let mut ui = Ui::default();
    let scene = table_of(2);
    press(&mut ui, &scene, &[KeyCode::Char('9')]);
    insta::assert_snapshot!("player", shown(&ui, &scene, (80, 24)));
}

#[test]
fn a_question_that_names_a_card_shows_it() {
    let mut scene = table_of(2);
    let answers = vec![option("yes", Target::None), option("no", Target::None)];
    scene.view.decision = Some(decision("Hang Oak Door on a hook?", answers));
    let pointed = Ui::default().pointed(&scene).and_then(|handle| scene.card(handle));
    assert_eq!(pointed.map(|card| card.name.as_str()), Some("Oak Door"));
}

#[test]
fn a_yes_or_no_is_answered_with_one_key() {
    let mut scene = table_of(2);
    scene.view.decision = Some(decision("Light it?", vec![option("yes", Target::None), option("no", Target::None)]));
    let mut ui = Ui::default();
    assert_eq!(press(&mut ui, &scene, &letters("n")), Effect::Choose(1));
    assert_eq!(press(&mut ui, &table_of(2), &letters("n")), Effect::None);
}

#[test]
fn typing_narrows_the_list() {
    let scene = table_of(2);
    let mut ui = Ui::default();
    press(&mut ui, &scene, &letters("/disc kettle"));
    assert_eq!(ui.listed(&scene), [4]);
    insta::assert_snapshot!("filter", shown(&ui, &scene, (80, 24)));
    assert_eq!(press(&mut ui, &scene, &[KeyCode::Enter]), Effect::Choose(4));
    press(&mut ui, &scene, &letters("/zzz"));
    assert_eq!(press(&mut ui, &scene, &[KeyCode::Enter]), Effect::None);
    press(&mut ui, &scene, &[KeyCode::Char('/'), KeyCode::Esc]);
    assert_eq!(ui.listed(&scene).len(), scene.options().len());
}

#[test]
fn arrows_on_a_board_go_to_the_next_legal_site_that_way() {
    let scene = crosses();
    let mut ui = Ui::default();
    let at = |ui: &Ui| scene.options()[ui.chosen].label.clone();
    assert_eq!(at(&ui), "place b1");
    press(&mut ui, &scene, &[KeyCode::Right]);
    assert_eq!(at(&ui), "place c1");
    press(&mut ui, &scene, &[KeyCode::Up]);
    assert_eq!(at(&ui), "place c2");
    press(&mut ui, &scene, &[KeyCode::Left]);
    assert_eq!(at(&ui), "place a2", "over the taken cell in the middle");
    press(&mut ui, &scene, &[KeyCode::Char('j')]);
    assert_eq!(at(&ui), "place c2", "the list's order");
}

#[test]
fn the_table_can_be_looked_at_card_by_card() {
    let scene = table_of(2);
    let mut ui = Ui::default();
    press(&mut ui, &scene, &[KeyCode::Tab, KeyCode::Home, KeyCode::Right]);
    let picture = shown(&ui, &scene, (100, 30));
    insta::assert_snapshot!("browse", picture);
    press(&mut ui, &scene, &[KeyCode::End, KeyCode::Enter]);
    assert_eq!((ui.focus, ui.chosen), (Focus::Options, 3), "from the last card of the hand to its option");
}

#[test]
fn leaving_is_asked_for_and_can_be_called_off() {
    let scene = table_of(2);
    let mut ui = Ui::default();
    assert_eq!(press(&mut ui, &scene, &letters("qn")), Effect::None);
    assert_eq!(ui.popup, None);
    assert_eq!(press(&mut ui, &scene, &letters("qy")), Effect::Quit);
    let interrupt = Event::Key(KeyEvent::new(KeyCode::Char('c'), KeyModifiers::CONTROL));
    let mut ui = Ui::default();
    assert_eq!(update(&mut ui, &scene, &interrupt), Effect::None);
    assert_eq!(update(&mut ui, &scene, &interrupt), Effect::Quit);
}

#[test]
fn the_log_tells_why_a_line_is_there() {
    let scene = table_of(2);
    let mut ui = Ui::default();
    assert_eq!(press(&mut ui, &scene, &[KeyCode::BackTab, KeyCode::Up, KeyCode::Char('w')]), Effect::Explain(4));
    assert_eq!(press(&mut ui, &scene, &[KeyCode::Esc, KeyCode::Char('w')]), Effect::None);
    assert_eq!(ui.popup, Some(Popup::Why), "elsewhere `w` tells what is not possible");
}

#[test]
fn pauses_can_be_made_shorter_and_longer() {
    let mut scene = table_of(2);
    scene.bot = true;
    let mut ui = Ui::default();
    press(&mut ui, &scene, &letters("---------"));
    assert_eq!(ui.pause, 0);
    press(&mut ui, &scene, &letters("+"));
    assert_eq!(ui.pause, 200);
    assert_eq!(press(&mut ui, &scene, &letters(" ")), Effect::Hurry);
}
