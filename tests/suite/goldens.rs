//! Golden files: tree, rules and a playthrough of each shipped game, and the programs of small packages, one for each
//! group of constructs. Programs of whole games are too long to be read: `check GAME --dump` prints them.

use super::support::{classics, game, games, golden, packages, root, templates};
use cardwright::base::{FileId, MemoryWorld, render_text};
use cardwright::model::load;
use cardwright::play::record::{Told, whole};
use cardwright::play::{Game, Player, Table};
use cardwright::program::compile;
use similar::TextDiff;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::sync::Arc;

const MANIFEST: &str =
    "name = \"small\"\ntitle = \"Small\"\nversion = \"0.1.0\"\nedition = 1\nplayers = { min = 2, max = 4 }\n";

/// Lines of a playthrough that are kept. A change of play that begins later shows in the last line, a hash of the whole.
const KEPT: usize = 300;

/// What the golden files of a game are called.
fn file_name(game: &Game) -> String {
    game.full_name().replace(" + ", "_with_")
}

/// Scenarios are left out: they are long, and what the grammar makes of them is in the fixtures of `syntax`.
#[test]
fn trees() {
    for package in packages() {
        let world = package.world().unwrap();
        let mut text = String::new();
        for path in world.list().unwrap() {
            if [".rules", ".cards"].iter().any(|ending| path.ends_with(ending)) {
                let (tree, problems) = cardwright::syntax::parse(FileId(0), &world.read(&path).unwrap());
                assert_eq!(problems, [], "{path}");
                writeln!(text, "{path}").unwrap();
                text.push_str(&cardwright::syntax::dump(&tree));
            }
        }
        golden("tree", &package.name, &text);
    }
}

/// With an expansion only what it changes.
#[test]
fn rules() {
    for game in games() {
        let rules = cardwright::model::dump(&game.rules);
        let text = if game.full_name() == game.rules.name {
            rules
        } else {
            let base = cardwright::model::dump(&self::game(&game.rules.name).rules);
            changed(&base, &rules)
        };
        golden("rules", &file_name(&game), &text);
    }
}

/// The lines that differ, as a patch of two texts shows them. Numbers of procedures and definitions, which change with
/// every addition, do not count.
fn changed(from: &str, to: &str) -> String {
    let unnumbered = |text: &str| {
        let mut left = String::new();
        let mut numbered = false;
        for (index, letter) in text.char_indices() {
            let before = &text[..index];
            numbered = letter.is_ascii_digit() && (numbered || before.ends_with('#') || before.ends_with("proc "));
            if !numbered {
                left.push(letter);
            }
        }
        left
    };
    TextDiff::from_lines(unnumbered(from), unnumbered(to)).unified_diff().context_radius(0).to_string()
}

#[test]
fn programs() {
    let mut files: Vec<_> =
        std::fs::read_dir(root().join("tests/programs")).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    for path in &files {
        let name = path.file_stem().unwrap().to_str().unwrap();
        let text = std::fs::read_to_string(path).unwrap();
        let world = MemoryWorld::new([("game.toml", MANIFEST), ("a.rules", &text)]);
        let loaded = load(&world, &BTreeMap::new(), None);
        let Some(rules) = loaded.rules else {
            panic!("{name}: {}", render_text(&loaded.diagnostics, &loaded.sources, false))
        };
        assert_eq!(loaded.diagnostics, [], "{name}");
        let program = compile(Arc::new(rules)).unwrap_or_else(|errors| panic!("{name}: {errors:?}"));
        golden("program", name, &program.dump());
    }
    let kept = std::fs::read_dir(root().join("tests/golden/program")).unwrap().count();
    assert_eq!(kept, files.len() + 1, "a golden file for each package of tests/programs, the digests, and no other");
}

/// Whether what the compiler makes of a game has changed at all; `check GAME --dump` of both versions shows how.
#[test]
fn digests() {
    let mut text = String::new();
    for game in games().into_iter().chain(classics()).chain(templates()) {
        let dump = game.program.dump();
        let hash = blake3::hash(dump.as_bytes()).to_hex();
        writeln!(text, "{}: {} lines, {}", file_name(&game), dump.lines().count(), &hash[..16]).unwrap();
    }
    golden("program", "digests", &text);
}

#[test]
fn playthroughs() {
    for game in games() {
        let name = file_name(&game);
        let players = vec![Player::parse("random").unwrap(); usize::from(game.rules.players.0)];
        let mut table = Table::new(Arc::clone(&game), players, 7, None).unwrap();
        while table.bot_move().unwrap().is_some() {}
        assert!(table.outcome().is_some());
        let text = whole(table.session(), Told::All);
        let lines: Vec<&str> = text.lines().collect();
        let mut kept = lines[..lines.len().min(KEPT)].join("\n");
        if lines.len() > KEPT {
            write!(kept, "\n... {} lines more; of the whole: {}", lines.len() - KEPT, blake3::hash(text.as_bytes()))
                .unwrap();
        }
        golden("playthrough", &name, &kept);
    }
}
