//! Rules said in other words are compiled to the same: as many filters stay loops, and the same actions are tried out.

use super::support::root;
use cardwright::base::MemoryWorld;
use cardwright::play::{Game, Options, Package};
use std::path::Path;

/// A game, a text in its rules, and what stands there instead.
const REWORDINGS: [(&str, &str, &str); 38] = [
    ("scrunch", "ensure no mutants(me) and", "ensure count mutants(me) = 0 and"),
    ("scrunch", "ensure no mutants(me) and", "ensure 1 > count mutants(me) and"),
    ("scrunch", "count snakes(me) <= had", "not (count snakes(me) > had)"),
    ("scrunch", "count snakes(me) <= had", "had >= count snakes(me)"),
    (
        "scrunch",
        "ensure no mutants(me) and count snakes(me) <= had",
        "ensure had >= count snakes(me)\n  ensure not some mutants(me)",
    ),
    ("scrunch", "ensure no mutants(me) and", "ensure not (some mutants(me) or count snakes(me) > had) and"),
    ("scrunch", "\nflow", "\nrule idle { check round > 9999 { draw game } }\nflow"),
    ("breakthrough", "some goals(it)", "count goals(it) > 0"),
    ("breakthrough", "some goals(it)", "not no goals(it)"),
    ("breakthrough", "where owner = me and some goals(it)", "where some goals(it) and me = it.owner"),
    (
        "breakthrough",
        "choose w in pawn where owner = me and some goals(it)",
        "let ready = pawn where owner = me and some goals(it)\n  choose w in ready",
    ),
    ("breakthrough", "pawn where owner = me and some goals(it)", "(pawn where owner = me) where some goals(it)"),
    ("breakthrough", "kind pawn : piece { }", "kind pawn : piece { }\nkind king : pawn { }"),
    ("breakthrough", "kind pawn : piece { }", "kind man : piece { }\nkind pawn : man { }"),
    ("breakthrough", "where owner = me and some goals(it)", "where owner in [me] and some goals(it)"),
    ("scrunch", "count snakes(me) <= had", "(count snakes(me) < had or count snakes(me) = had)"),
    ("monster-factory", "where some fitting(t, c)", "where count fitting(t, c) > 0"),
    (
        "classics/backgammon",
        "game.longest < (if double then 4 else 2) and me can run(game.longest + 1)",
        "me can run(game.longest + 1) and game.longest < (if double then 4 else 2)",
    ),
    (
        "classics/clobber",
        "around(s) & sites(stone where owner != me)",
        "around(s) as t where some (top(t) as m where m.owner != me)",
    ),
    ("reversi", "where some enclosed(p, it)", "where count enclosed(p, it) > 0"),
    ("reversi", "where some enclosed(p, it)", "where 0 != count enclosed(p, it)"),
    (
        "reversi",
        "some enclosed(p, it)",
        "some (discs(p) as e where some between(it, e) and every between(it, e) as t meets t in discs(other(p)))",
    ),
    ("hex", "sites(stone where owner = p)", "sites(hexes) where top(it).owner = p"),
    ("scrunch", "count (around(it) & stones(p)) > 2", "count (around(it) as n where top(n).owner = p) > 2"),
    ("scrunch", "count (around(it) & stones(p)) > 2", "count (pieces(around(it)) where owner = p) > 2"),
    ("scrunch", "count snakes(me) <= had", "count snakes(me) < had + 1"),
    ("scrunch", "move pieces(m) to d", "let moving = pieces(m)\n  move moving to d"),
    ("scrunch", "move pieces(m) to d", "let moving = top(m)\n  move moving to d"),
    ("scrunch", "move pieces(m) to d", "each x in pieces(m) { move x to d }"),
    ("scrunch", "move pieces(m) to d", "each x in stack(m) { move x to d }"),
    ("scrunch", "empty(around(m))", "around(m) where no pieces(it)"),
    ("scrunch", "empty(around(m))", "around(m) as t where not some top(t)"),
    (
        "classics/clobber",
        "around(s) & sites(stone where owner != me)",
        "around(s) as t where some pieces(t) and top(t).owner != me",
    ),
    ("classics/clobber", "around(s) & sites(stone where owner != me)", "around(s) where top(it).owner in opponents"),
    ("classics/clobber", "around(s)", "beside(s)"),
    ("munch", "sites(world) - sites(monster)", "sites(world) where no monster_on(it)"),
    (
        "classics/lines-of-action",
        "where no (between(s, t) & stones(other(p)))",
        "where no (pieces(between(s, t)) where owner != p)",
    ),
    (
        "hex",
        "some (group(near_side(p), stones(p)) & far_side(p))",
        "count (group(near_side(p), stones(p)) & far_side(p)) > 0",
    ),
];

/// The files of a folder, with their names in it.
pub fn files(folder: &Path, prefix: &str, found: &mut Vec<(String, String)>) {
    for entry in std::fs::read_dir(folder).unwrap().map(Result::unwrap) {
        let name = format!("{prefix}{}", entry.file_name().to_string_lossy());
        if entry.path().is_dir() {
            files(&entry.path(), &format!("{name}/"), found);
        } else if let Ok(text) = std::fs::read_to_string(entry.path()) {
            found.push((name, text));
        }
    }
}

/// These files, each with its text as it is to be read.
pub fn world(files: &[(String, String)], text: impl Fn(&str, &str) -> String) -> MemoryWorld {
    let files = files.iter().map(|(name, old)| (name.clone(), text(name, old))).collect();
    MemoryWorld { files, ..MemoryWorld::default() }
}

/// How many filters of a game are loops, and which of its actions are tried out, each with how many of its choices
/// know what follows.
fn compiled(game: &str, from: &str, to: &str) -> (usize, Vec<(bool, bool)>) {
    let mut found = Vec::new();
    files(&root().join("content").join(game), "", &mut found);
    let rules = |name: &str| name.ends_with(".rules");
    assert!(found.iter().any(|(name, text)| rules(name) && text.contains(from)), "{game} has no `{from}`");
    let world = world(&found, |name, text| if rules(name) { text.replacen(from, to, 1) } else { text.to_owned() });
    let game = Game::load(&Package::memory(game, world), &Options::new(), None);
    let game = game.unwrap_or_else(|error| panic!("{to}: {error}"));
    let tried = game.program.actions.iter().map(|action| (action.lookahead, action.ahead.is_some())).collect();
    (game.program.predicates.loops.len(), tried)
}

#[test]
fn other_words_are_compiled_to_the_same() {
    let mut worse = Vec::new();
    for (game, from, to) in REWORDINGS {
        let (before, after) = (compiled(game, from, from), compiled(game, from, to));
        if before != after {
            worse.push(format!("{game}: `{to}` for `{from}`: {after:?} for {before:?}"));
        }
    }
    assert!(worse.is_empty(), "{}", worse.join("\n"));
}
