//! Random games of all shipped content and of small packages that have every form of the language.

use super::super::{Chance, Machine, Start, Status, below, generator};
use super::{Comparison, all_forms};
use crate::base::{MemoryWorld, SourceMap, render_text};
use crate::model::load;
use crate::program::compile;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Arc;

const MANIFEST: &str = "name = \"small\"\ntitle = \"Small\"\nversion = \"0.1.0\"\nedition = 1\nrules = [\"*.rules\"]\n\
                        [players]\nmin = 2\nmax = 4\n";

fn package(rules: &str) -> MemoryWorld {
    let script = "fn triple(numbers) { let n = 0; for x in numbers { n += 3 * x; } n }";
    MemoryWorld::new([("game.toml", MANIFEST), ("a.rules", rules), ("triple.rhai", script)])
}

fn machine(world: &MemoryWorld) -> (Machine, SourceMap) {
    // Where a game has a small variant, that is enough.
    let small = world.files.get("game.toml").is_some_and(|text| text.contains("[variants.small]"));
    let loaded = load(world, &BTreeMap::new(), small.then_some("small"));
    let Some(rules) = loaded.rules else { panic!("{}", render_text(&loaded.diagnostics, &loaded.sources, false)) };
    match compile(Arc::new(rules)) {
        Ok(program) => (Machine::new(Arc::new(program)), loaded.sources),
        Err(errors) => panic!("{}", render_text(&errors, &loaded.sources, false)),
    }
}

/// How much is played: games for each number of players, decisions of one at the most, one position in how many is
/// compared.
#[derive(Clone, Copy)]
struct Plan {
    games: u64,
    most: u32,
    every: u32,
}

/// Plays at random and compares the first position and one in `every`, and in long games fewer and fewer.
fn play(machine: &mut Machine, players: u8, seed: u64, plan: Plan, total: &mut Comparison) -> u32 {
    let mut state = machine.start(&Start { players, seed, chance: Chance::Draw }).unwrap();
    let mut rng = generator(seed ^ 0x51);
    let (mut steps, mut positions) = (0_u32, 0);
    while machine.status(&state) == Status::Decide && steps < plan.most {
        if below(&mut rng, plan.every + steps / 8) == 0 || steps == 0 {
            positions += 1;
            let found = machine.check_against_reference(&state);
            total.compared += found.compared;
            total.forms.extend(found.forms);
            total.differences.extend(found.differences);
        }
        let pick = below(&mut rng, machine.option_count(&state) as u32) as usize;
        if let Err(error) = machine.choose(&mut state, pick) {
            panic!("seed {seed}, decision {steps}: {error:?}");
        }
        steps += 1;
    }
    positions
}

/// One line for each place in the content where the evaluators differ.
fn report(total: &Comparison, sources: &SourceMap) -> String {
    let mut seen = BTreeSet::new();
    let mut lines = Vec::new();
    for found in &total.differences {
        if seen.insert((found.span.file, found.span.start, found.what.split(' ').next().map(str::to_owned))) {
            let at = sources.locate(found.span);
            lines.push(format!("{at}: {}: compiled {}, reference {}", found.what, found.fast, found.slow));
        }
    }
    lines.join("\n")
}

/// Plays games of a package for all numbers of players; adds what differs to `problems`.
fn agrees(name: &str, world: &MemoryWorld, plan: Plan, problems: &mut Vec<String>) -> (BTreeSet<String>, u32) {
    let (mut machine, sources) = machine(world);
    let (low, high) = machine.program().rules.players;
    let mut total = Comparison::default();
    let mut positions = 0;
    for players in low..=high {
        for seed in 0..plan.games {
            positions += play(&mut machine, players, seed, plan, &mut total);
        }
    }
    let differences = total.differences.len();
    if differences > 0 {
        problems.push(format!("{name}: {differences} of {}\n{}", total.compared, report(&total, &sources)));
    }
    assert!(total.compared > positions as usize && positions > 0, "{name}: {positions} positions");
    (total.forms, positions)
}

#[test]
fn compiled_code_and_reference_agree_on_small_packages_with_every_form() {
    let (mut forms, mut problems) = (BTreeSet::new(), Vec::new());
    let own = ["lamps", "boards", "stones", "setwise", "slides", "tiles", "endless", "filters", "targets", "texts"]
        .map(|name| format!("reference/{name}.rules"));
    for name in own.into_iter().chain(["laws/windows/a.rules".to_owned(), "laws/offers/a.rules".to_owned()]) {
        let path = format!("{}/tests/{name}", env!("CARGO_MANIFEST_DIR"));
        // These have many definitions over sets of sites, and positions that look alike.
        let (games, every) = if name.contains("setwise") || name.contains("slides") { (1, 20) } else { (2, 6) };
        let world = package(&std::fs::read_to_string(path).unwrap());
        forms.extend(agrees(&name, &world, Plan { games, most: 4_000, every }, &mut problems).0);
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
    let left: Vec<String> = all_forms().difference(&forms).cloned().collect();
    assert!(left.is_empty(), "never evaluated: {left:?}");
}

/// Compares in the games that lie in a folder of `content`, but for some; gives the number of positions.
fn agree_in(folder: &str, without: &[&str], plan: Plan) -> u32 {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("content").join(folder);
    let (mut positions, mut problems) = (0, Vec::new());
    for folder in std::fs::read_dir(root).unwrap().map(|entry| entry.unwrap().path()) {
        // Expansions are no games by themselves.
        let manifest = std::fs::read_to_string(folder.join("game.toml")).unwrap_or_default();
        if manifest.is_empty()
            || manifest.contains("kind = \"expansion\"")
            || without.iter().any(|name| folder.ends_with(name))
        {
            continue;
        }
        let mut world = MemoryWorld::default();
        let mut folders = vec![folder.clone()];
        while let Some(dir) = folders.pop() {
            for item in std::fs::read_dir(dir).unwrap() {
                let path = item.unwrap().path();
                if path.is_dir() {
                    folders.push(path);
                } else if let Ok(text) = std::fs::read_to_string(&path) {
                    world.files.insert(path.strip_prefix(&folder).unwrap().to_str().unwrap().to_owned(), text);
                }
            }
        }
        positions += agrees(&folder.display().to_string(), &world, plan, &mut problems).1;
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
    positions
}

#[test]
fn compiled_code_and_reference_agree_on_all_shipped_content() {
    let positions = agree_in("", &[], Plan { games: 1, most: 4_000, every: 10 });
    assert!(positions > 150, "{positions}");
}

/// These are many, and some take half a minute here.
#[test]
fn compiled_code_and_reference_agree_on_the_classics() {
    let positions = agree_in("classics", &["chinese-checkers", "oware", "y"], Plan { games: 1, most: 6, every: 1 });
    assert!(positions > 50, "{positions}");
}
