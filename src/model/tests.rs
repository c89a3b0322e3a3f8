//! The shipped games load without a finding; the model of a small game is what its text says.

use std::collections::BTreeMap;
use std::path::Path;

use super::{Loaded, Request, load, load_request};
use crate::base::{FileId, MemoryWorld, World, render_text};
use crate::syntax::parse_manifest;

/// The package in a folder.
fn folder(path: &Path) -> MemoryWorld {
    fn add(world: &mut MemoryWorld, root: &Path, at: &Path) {
        let mut entries: Vec<_> = std::fs::read_dir(at).unwrap().map(|entry| entry.unwrap().path()).collect();
        entries.sort();
        for path in entries {
            if path.is_dir() {
                add(world, root, &path);
            } else if let Ok(text) = std::fs::read_to_string(&path) {
                let name = path.strip_prefix(root).unwrap().to_string_lossy().replace('\\', "/");
                world.files.insert(name, text);
            }
        }
    }
    let mut world = MemoryWorld::default();
    add(&mut world, path, path);
    world
}

fn findings(loaded: &Loaded) -> String {
    render_text(&loaded.diagnostics, &loaded.sources, false)
}

#[test]
fn shipped_games_have_no_findings() {
    let content = Path::new(env!("CARGO_MANIFEST_DIR")).join("content");
    let inside = |folder: &Path| std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let (games, groups): (Vec<_>, Vec<_>) = inside(&content).partition(|path| path.join("game.toml").exists());
    for path in games.into_iter().chain(groups.iter().flat_map(|group| inside(group))) {
        let world = folder(&path);
        let options = BTreeMap::new();
        let manifest = parse_manifest(FileId(0), &world.files["game.toml"]).0;
        let loaded = match manifest.extends.first() {
            None => load(&world, &options, None),
            Some(game) => {
                let (game, with): (_, [&dyn World; 1]) = (folder(&content.join(&game.name)), [&world]);
                load_request(Request {
                    world: &game,
                    with: &with,
                    options: &options,
                    variant: None,
                    scenarios: None,
                    about: Some(&manifest.name),
                    origin: None,
                    indexed: false,
                    trees: None,
                })
            }
        };
        assert!(loaded.diagnostics.is_empty(), "{}", findings(&loaded));
        assert!(loaded.rules.is_some());
    }
}

#[test]
fn every_construct_is_understood() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/model/wide");
    let loaded = load(&folder(&path), &BTreeMap::new(), None);
    let rules = loaded.rules.as_ref().unwrap_or_else(|| panic!("{}", findings(&loaded)));
    assert_eq!(loaded.scenarios.len(), 1);
    let text = super::dump(rules);
    for line in [
        // A binder of a filter, then one of the narrowed kind.
        "sum(it1 in where(it0 in this.table: (it0 is tool)): Add(it1.cost, ask it1.bonus(this)))",
        // What is armed keeps what it mentions of its surroundings, after the parameters of the event.
        "clause 3 After buff captures 3->2 4->3",
        // `for VERB` is a filter like any other.
        "targetable(drop, it'3, default ignoring loud)",
        // A stored test uses the name of the parameter it is for.
        "lambda#85 { ((c0.colour = red) and (c0 is tool)) }",
        "notation \"{c2}:{s1.size}\"",
        // Windows and offers.
        "respond from p0 among live#0() until (game.quiet > n1) silent when me.folded",
        "quietly pass_turn()",
        "offer to p0 as maker of the offer1",
        "terms choose 0 to 2 theirs3 in p0.table",
        "repeat until not((some(zone deck) and (game.quiet < 3)))",
    ] {
        assert!(text.contains(line), "no `{line}` in\n{text}");
    }
}

#[test]
fn within_an_expression_the_kind_of_what_is_said_again_is_known() {
    let rules = |cond: &str| {
        format!(
            "board grid {{ shape: square 3 3 }}
kind stone : piece {{ }}
kind man : stone {{ mark crowned: flag = false  mark led: maybe of stone = nothing }}
kind tower : stone {{ }}
define high(s: site): flag = {cond}
setup {{ create man at \"a1\" with crowned = true  create tower at \"a2\" }}
flow {{ turns turn from seat(1) for 1 round {{ choose s in sites(grid) where high(it) }} }}"
        )
    };
    let manifest =
        "name = \"small\"\ntitle = \"Small\"\nversion = \"1.0.0\"\nedition = 1\nplayers = { min = 2, max = 2 }\n";
    let errors = |cond: &str| {
        let world = MemoryWorld::new([("game.toml", manifest), ("a.rules", rules(cond).as_str())]);
        load(&world, &BTreeMap::new(), None).diagnostics.iter().filter(|found| found.is_error()).count()
    };
    for cond in [
        "top(s) is man and top(s).crowned",
        "top(s) is not man or top(s).crowned",
        "not (top(s) is man) or top(s).crowned",
        "if top(s) is man then top(s).crowned else false",
        "top(s) is man and top(s).led is man and top(s).led.crowned",
        "some (around(s) as t where top(t) is man and top(t).crowned)",
    ] {
        assert_eq!(errors(cond), 0, "{cond}");
    }
    for cond in [
        "top(s).crowned and top(s) is man",
        "top(s) is man or top(s).crowned",
        "top(s) is man and top(first(around(s))).crowned",
        "top(s) is man and top(s).led.crowned",
        "if top(s) is man then false else top(s).crowned",
    ] {
        assert_ne!(errors(cond), 0, "{cond}");
    }
}

#[test]
fn options_win_over_defaults() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/model/wide");
    let options = BTreeMap::from([("side".to_owned(), "7".to_owned()), ("trump".to_owned(), "red".to_owned())]);
    let rules = load(&folder(&path), &options, None).rules.unwrap();
    let board = super::rules::BoardShape::Square { columns: 7, rows: 7 };
    assert_eq!(rules.boards.first().map(|board| &board.shape), Some(&board));
    assert_eq!(rules.options.iter().map(|option| option.value).collect::<Vec<_>>(), [7, 0, 0]);
}
