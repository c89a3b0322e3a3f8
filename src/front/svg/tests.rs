//! Pictures of small games.

use super::Shot;
use crate::base::MemoryWorld;
use crate::play::spots::last_changed;
use crate::play::{Game, Options, Package, Session, Setup};
use std::sync::Arc;

const MANIFEST: &str = "name = \"small\"\ntitle = \"Bells & <Whistles>\"\nversion = \"0.1.0\"\nedition = 1\n\
                        [players]\nmin = 2\nmax = 2\nseats = [\"red\", \"blue\"]\n";

fn session(rules: &str) -> Session {
    let package = Package::memory("small", MemoryWorld::new([("game.toml", MANIFEST), ("a.rules", rules)]));
    let game = match Game::load(&package, &Options::new(), None) {
        Ok(game) => Arc::new(game),
        Err(error) => panic!("{error}"),
    };
    let setup = Setup { seed: 1, seats: vec!["human".to_owned(); 2] };
    Session::new(game, setup, None).unwrap()
}

fn picture(session: &mut Session, seat: Option<u8>) -> String {
    let view = session.view(seat);
    let last = last_changed(session, &view).unwrap();
    Shot::new("Bells & <Whistles>", view, last).svg()
}

const CARDS: &str = r#"
kind charm : card { field cost: 1..9  field words: text = "" }
zone deck { holds: charm  order: pile  seen: none  starts: charm }
zone hand per player { holds: charm  seen: holder }
zone table { holds: charm }
charm "Bell" { cost: 3  words: "Rings & rings \"twice\"." }
charm "Drum" { cost: 5 }
look charm { label: "{cost}"  colour: teal when cost > 4, sand }
look table { title: "In the middle" }
setup { each p in players { move first(charm "Bell" & deck) to p.hand }  move first(deck) to seat(2).hand }
action lay { choose c in me.hand "Lay which?"  move c to table }
flow { turns turn from seat(1) { choose action lay } }
"#;

#[test]
fn a_picture_shows_a_seat_only_what_it_sees() {
    let mut session = session(CARDS);
    let [red, blue, all] = [Some(0), Some(1), None].map(|seat| picture(&mut session, seat));
    assert!(red.contains(">Bell<") && !red.contains(">Drum<"));
    assert!(blue.contains(">Drum<") && !blue.contains(">Bell<"));
    assert!(!all.contains(">Bell<") && !all.contains(">Drum<"));
    assert!(red.contains(">red: ") && !blue.contains(">red: "), "only who is asked reads the question");
}

#[test]
fn texts_of_cards_are_escaped_and_looks_are_followed() {
    let mut session = session(CARDS);
    let red = picture(&mut session, Some(0));
    assert!(red.contains("Bells &amp; &lt;Whistles&gt;"));
    assert!(red.contains("Rings &amp; rings") && red.contains("&quot;twice&quot;."));
    session.choose_key("lay Bell").unwrap();
    let all = picture(&mut session, None);
    assert!(all.contains("In the middle"));
    assert!(all.contains(&format!("fill=\"{}\"", crate::base::Colour::named("sand").unwrap())));
}

const BOARDS: &str = r#"
board yard { shape: square 3 2 }
board comb { shape: hexagon 2  cells: "{q},{r}" }
kind stone : piece { field size: 1..3 = 1 }
look stone { shape: square when size > 1, disc  label: "{size}"  mark: eye when size = 3 }
look yard { title: "The yard"  colour: mint when it in home, cream  label: "*" when column(it) = 3 }
define home: set of yard = sites(yard) where row(it) = 1
setup { create stone at site(yard, 1, 1) with owner = seat(1), size = 3 }
flow {
  turns turn from seat(1) {
    choose c in empty(comb) "Where?"
    create stone at c with owner = me
    create stone at c with owner = me, size = 2
  }
}
"#;

#[test]
fn boards_are_drawn_with_stacks_legal_sites_and_the_last_move() {
    let mut session = session(BOARDS);
    let before = picture(&mut session, Some(0));
    assert_eq!(before.matches("#1f8a5b").count(), 7 + 1, "seven free cells, and the legend");
    assert!(!before.contains("last move"));
    assert!(before.contains("The yard") && before.contains(">comb<") && before.matches(">*<").count() == 2);
    session.choose_key("0,0").unwrap();
    let after = picture(&mut session, Some(1));
    assert_eq!(after.matches("#1f8a5b").count(), 6 + 1);
    assert!(after.contains("last move"));
    assert!(after.contains(">2</text>"), "the height of the stack");
    assert_eq!(after, picture(&mut session, Some(1)), "the same view gives the same picture");
}
