//! Golden files of what each stage makes of each shipped game: tree, rules, program and a playthrough.

use super::support::{games, golden, packages};
use cardwright::base::FileId;
use cardwright::play::record::{Told, whole};
use cardwright::play::{Player, Table};
use std::fmt::{Debug, Write};
use std::sync::Arc;

/// Debug text without places, which change with every line that is added above.
fn plain(value: &impl Debug) -> String {
    let text = format!("{value:?}");
    let mut out = String::with_capacity(text.len());
    let mut rest = text.as_str();
    while let Some(at) = rest.find("Span { file") {
        let (before, after) = rest.split_at(at);
        out.push_str(before);
        rest = after.split_once(" }").map_or("", |(_, rest)| rest);
        out.push('_');
    }
    out.push_str(rest);
    out.replace(", span: _", "").replace("span: _, ", "").replace("Ident { text: ", "Ident { ")
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

fn table<T: Debug>(text: &mut String, name: &str, rows: &[T]) {
    writeln!(text, "{name}").unwrap();
    for (number, row) in rows.iter().enumerate() {
        writeln!(text, "  {number} {}", plain(row)).unwrap();
    }
}

#[test]
fn rules() {
    for game in games() {
        let rules = &game.rules;
        let mut text = format!("{} {:?} {:?}\n", rules.name, rules.players, rules.seats);
        table(&mut text, "enums", &rules.enums);
        table(&mut text, "options", &rules.options);
        table(&mut text, "kinds", &rules.kinds);
        table(&mut text, "props", &rules.props);
        table(&mut text, "zones", &rules.zones);
        table(&mut text, "boards", &rules.boards);
        table(&mut text, "links", &rules.links);
        table(&mut text, "verbs", &rules.verbs);
        table(&mut text, "actions", &rules.actions);
        table(&mut text, "clauses", &rules.clauses);
        table(&mut text, "groups", &rules.groups);
        table(&mut text, "entries", &rules.entries);
        table(&mut text, "spans", &rules.spans);
        table(&mut text, "looks", &rules.looks);
        table(&mut text, "procs", &rules.procs);
        golden("rules", &rules.name, &text);
    }
}

#[test]
fn programs() {
    for game in games() {
        golden("program", &game.rules.name, &game.program.dump());
    }
}

#[test]
fn playthroughs() {
    for game in games() {
        let name = game.rules.name.clone();
        let players = vec![Player::parse("random").unwrap(); usize::from(game.rules.players.0)];
        let mut table = Table::new(Arc::clone(&game), players, 7, None).unwrap();
        while table.bot_move().unwrap().is_some() {}
        assert!(table.outcome().is_some());
        golden("playthrough", &name, &whole(table.session(), Told::All));
    }
}
