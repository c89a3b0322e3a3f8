//! Golden files of what each stage makes of each shipped game: tree, rules, program and a playthrough.

use super::support::{games, golden, packages};
use cardwright::base::FileId;
use cardwright::play::record::{Told, whole};
use cardwright::play::{Game, Player, Table};
use std::fmt::Write;
use std::sync::Arc;

/// What the golden files of a game are called.
fn file_name(game: &Game) -> String {
    game.full_name().replace(" + ", "_with_")
}

#[test]
fn trees() {
    for package in packages() {
        let world = package.world().unwrap();
        let mut text = String::new();
        for path in world.list().unwrap() {
            if [".rules", ".cards", ".scenario"].iter().any(|ending| path.ends_with(ending)) {
                let (tree, problems) = cardwright::syntax::parse(FileId(0), &world.read(&path).unwrap());
                assert_eq!(problems, [], "{path}");
                writeln!(text, "{path}").unwrap();
                text.push_str(&cardwright::syntax::dump(&tree));
            }
        }
        golden("tree", &package.name, &text);
    }
}

#[test]
fn rules() {
    for game in games() {
        golden("rules", &file_name(&game), &cardwright::model::dump(&game.rules));
    }
}

#[test]
fn programs() {
    for game in games() {
        golden("program", &file_name(&game), &game.program.dump());
    }
}

#[test]
fn playthroughs() {
    for game in games() {
        let name = file_name(&game);
        let players = vec![Player::parse("random").unwrap(); usize::from(game.rules.players.0)];
        let mut table = Table::new(Arc::clone(&game), players, 7, None).unwrap();
        while table.bot_move().unwrap().is_some() {}
        assert!(table.outcome().is_some());
        golden("playthrough", &name, &whole(table.session(), Told::All));
    }
}
