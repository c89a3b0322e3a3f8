//! Pictures of boards of all shapes in the terminal, from small games.

use super::{Theme, picture};
use crate::base::MemoryWorld;
use crate::play::{Game, Options, Package, Player, Table};
use ratatui::crossterm::event::{Event, KeyCode, KeyEvent, KeyModifiers};
use std::sync::Arc;

const MANIFEST: &str = "name = \"small\"\ntitle = \"Small\"\nversion = \"0.1.0\"\nedition = 1\n\
                        [players]\nmin = 2\nmax = 2\nseats = [\"red\", \"blue\"]\n";

fn table(rules: &str, played: &[&str]) -> Table {
    let package = Package::memory("small", MemoryWorld::new([("game.toml", MANIFEST), ("a.rules", rules)]));
    let game = match Game::load(&package, &Options::new(), None) {
        Ok(game) => Arc::new(game),
        Err(error) => panic!("{error}"),
    };
    let mut table = Table::new(game, vec![Player::Human; 2], 1, None).unwrap();
    for key in played {
        table.choose_key(key).unwrap();
    }
    table
}

/// The left part of the screen after some keys.
fn shown(table: &mut Table, keys: &[KeyCode], size: (u16, u16)) -> String {
    let keys: Vec<Event> = keys.iter().map(|code| Event::Key(KeyEvent::new(*code, KeyModifiers::NONE))).collect();
    let buffer = picture(table, &keys, Theme { color: true }, size);
    let row = |y: u16| (0..size.0).map(|x| buffer[(x, y)].symbol()).collect::<String>().trim_end().to_owned();
    (0..size.1).map(row).collect::<Vec<_>>().join("\n")
}

const PLACE: &str = "flow { turns turn from seat(1) { choose c in empty(field_of) \"Where?\"  \
                     create stone at c with owner = me } }\nkind stone : piece { }\n";

fn placing(board: &str, played: &[&str]) -> Table {
    table(&format!("board field_of {{ {board} }}\n{PLACE}"), played)
}

#[test]
fn hexes_are_hexes_where_there_is_room_and_shifted_rows_where_not() {
    let mut table = placing("shape: rhombus 5 5", &["b2", "c2", "b3"]);
    insta::assert_snapshot!("rhombus_80x24", shown(&mut table, &[], (80, 24)));
    let mut table = placing("shape: rhombus 11 11", &["f6", "g6", "f7"]);
    insta::assert_snapshot!("rhombus_11_80x24", shown(&mut table, &[], (80, 24)));
    let mut table = placing("shape: hexagon 3", &["c3"]);
    insta::assert_snapshot!("hexagon_80x24", shown(&mut table, &[], (80, 24)));
}

#[test]
fn sites_of_graphs_have_their_names_beneath_them() {
    let mut table = placing("shape: graph  paths: inn mill, mill well, mill abbey", &["mill"]);
    insta::assert_snapshot!("graph_of_names_80x24", shown(&mut table, &[], (80, 24)));
}

#[test]
fn arrows_go_over_hexes_as_they_are_seen() {
    let reached = |keys: &[KeyCode]| {
        let mut table = placing("shape: rhombus 5 5", &["c3"]);
        shown(&mut table, &[keys, &[KeyCode::Enter]].concat(), (80, 24));
        table.session().decisions().last().map(|made| made.key.clone()).unwrap_or_default()
    };
    use KeyCode::{Down, Left, Right, Up};
    let found = [&[][..], &[Right], &[Right, Up], &[Right, Up, Left], &[Down]].map(reached);
    assert_eq!(found, ["b3", "d3", "d2", "c2", "a4"]);
}

#[test]
fn a_place_is_typed_after_a_slash() {
    let mut table = placing("shape: square 12 12", &[]);
    let keys = ["/", "b", "1"].map(|letter| KeyCode::Char(letter.chars().next().unwrap()));
    let keys: Vec<KeyCode> = keys.into_iter().chain([KeyCode::Enter]).collect();
    shown(&mut table, &keys, (80, 24));
    assert_eq!(table.session().decisions().last().map(|made| made.key.as_str()), Some("b1"), "not b10");
}

#[test]
fn places_beside_a_board_lie_around_it() {
    let board = "shape: square 4 3  neighbours: 4  places: cells, rim  rim: \"{side}{cell}\"";
    let rules = format!(
        "board yard {{ {board} }}\nkind stone : piece {{ field size: 1..3 = 1 }}\n\
         look stone {{ glyph: \"{{size}}\" when size > 1 }}\n\
         flow {{ turns turn from seat(1) {{ choose c in empty(rim(yard)) + cells(yard) \"Where?\"\n\
         create stone at c with owner = me\n create stone at c with owner = me, size = 2 }} }}\n"
    );
    let mut table = table(&rules, &["Sa1", "b2"]);
    insta::assert_snapshot!("rim_80x24", shown(&mut table, &[], (80, 24)));
}

#[test]
fn graphs_show_their_paths() {
    let graph = "shape: graph  directions: north south, east west  paths: a1 east c1, a1 north a3, c1 north c3, \
                 b2 north b3, a3 east b3, b3 east c3";
    let mut table = placing(graph, &["c3"]);
    insta::assert_snapshot!("graph_80x24", shown(&mut table, &[], (80, 24)));
}

#[test]
fn tiles_show_their_sides_thin_and_thick() {
    let rules = r#"
enum bit { blank thin thick }
board yard { shape: square 3 3  neighbours: 4 }
kind tile : piece { field side: bit per direction  field eye: flag = false }
zone box { holds: tile  starts: tile }
tile "Bend" { side: [blank, thin, thick, blank]  eye: true }
tile "Bar" { side: [blank, thick, blank, thick] }
look bit { blank: white 0  thin: green 1  thick: purple 3 }
look tile { shape: tile  sides: side  mark: eye when eye }
setup { move tile "Bend" to site(yard, 2, 2)  move tile "Bar" to site(yard, 2, 1) turned 1 }
flow { turns turn from seat(1) { choose c in empty(yard) "Where?"  set game.chosen = c } }
game { mark chosen: maybe of site = nothing }
"#;
    let mut table = table(rules, &[]);
    insta::assert_snapshot!("tiles_80x24", shown(&mut table, &[], (80, 24)));
}
