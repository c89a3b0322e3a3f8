//! Rules said in other words are compiled to the same: as many filters stay loops, and the same actions are tried out.

use super::reworded::{MOST, played};
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

/// Kings and rooks: what each attacks, where nothing may stand between, and that no king may be left attacked.
const MEN: &str = r#"
board grid { shape: square 6 6 }

kind man : piece { }
kind king : man { }
kind rook : man { }

define other(p: player): player = if p = seat(1) then seat(2) else seat(1)
define straight: set of direction = [north, east, south, west]
define slides(s: site, d: direction): set of site = gather step(it, d) of (run(s, d, empty(grid)) + s)
define ways(m: man): set of site =
  if m is king then around(site(m)) else if m is rook then union slides(site(m), it) of straight else []
define attacked(p: player): set of site = union ways(it) of (man where owner = other(p))

setup {
  create king at site(grid, "b1") with owner = seat(1)
  create rook at site(grid, "a1") with owner = seat(1)
  create rook at site(grid, "f1") with owner = seat(1)
  create king at site(grid, "b6") with owner = seat(2)
  create rook at site(grid, "a6") with owner = seat(2)
  create rook at site(grid, "f6") with owner = seat(2)
}

action go {
  choose m in man where owner = me "Which man?"
  choose t in ways(m) - sites(man where owner = me) "Where to?"
  move pieces(t) to nowhere
  move m to t
  ensure no (king where owner = me and site(it) in attacked(me))
}

flow {
  turns turn from seat(1) until round > 40 {
    if not (me can go) { lose me }
    choose action go
  }
}
"#;

/// What stands in the rules of the men, and what means the same.
const MEN_REWORDED: &[(&str, &[&str])] = &[
    (
        "gather step(it, d) of (run(s, d, empty(grid)) + s)",
        &[
            "run(s, d, empty(grid)) + (gather step(it, d) of (run(s, d, empty(grid)) + s))",
            "ray(s, d) as t where every between(s, t) meets it in empty(grid)",
            "ray(s, d) as t where no (man as x where site(x) in between(s, t))",
            "ray(s, d) as t where no (sites(man) as x where x in between(s, t))",
            "ray(s, d) as t where no (between(s, t) & sites(man))",
            "ray(s, d) as t where count pieces(between(s, t)) = 0",
            "sites(grid) as t where direction(s, t) = d and no (man as x where site(x) in between(s, t))",
            "sites(grid) as t where d = direction(s, t) and no pieces(between(s, t))",
        ],
    ),
    (
        "no (king where owner = me and site(it) in attacked(me))",
        &[
            "no (attacked(me) & sites(king where owner = me))",
            "every (king where owner = me) meets site(it) not in attacked(me)",
            "no (man as m where owner = other(me) and some (ways(m) & sites(king where owner = me)))",
        ],
    ),
];

/// A game of these rules.
fn game_of(rules: String) -> Game {
    let manifest = "name = \"men\"\ntitle = \"Men\"\nversion = \"0.1.0\"\nedition = 1\ndescription = \"Men.\"\nrules = [\"men.rules\"]\n\n[players]\nmin = 2\nmax = 2\n\n[bounds]\nturns = 200\n";
    let found = [("game.toml".to_owned(), manifest.to_owned()), ("men.rules".to_owned(), rules)];
    let game = Game::load(&Package::memory("men", world(&found, |_, text| text.to_owned())), &Options::new(), None);
    game.unwrap_or_else(|error| panic!("{error}"))
}

/// The rules of the men, with some texts in the places of others.
fn men(said: &[(&str, &str)]) -> Game {
    let mut rules = MEN.to_owned();
    for (from, to) in said {
        assert!(rules.contains(from), "{from}");
        rules = rules.replace(from, to);
    }
    game_of(rules)
}

/// Rows of marbles that are pushed on, with the filter that says which can be.
const ROWS: &str = r#"
board hive { shape: hexagon 5 }
kind marble : piece { }
define mine: set of site = sites(marble where owner = me)
define theirs: set of site = sites(marble where owner != me)
define row_from(s: site, d: direction): set of site = s + run(s, d, mine)
define can_push(s: site, d: direction): flag = step(s, d, count row_from(s, d)) in empty(hive)
define ways(s: site): set of direction = directions(hive) where can_push(s, it)
action push {
  choose s in mine as r where FILTER
  choose d in ways(s)
  move top(s) to step(s, d, count row_from(s, d))
}
setup { each s in sites(hive) { if row(s) <= 2 { create marble at s with owner = seat(1) } else if row(s) >= 8 { create marble at s with owner = seat(2) } } }
flow { turns turn from seat(1) for 100 rounds { choose action push else { lose me } } }
"#;

#[test]
fn a_filter_that_names_sets_within_is_asked_of_few_candidates() {
    for filter in [
        "some ways(r)",
        "some (directions(hive) as d where can_push(r, d))",
        "count (directions(hive) as d where can_push(r, d)) > 0",
        "not (every directions(hive) as d meets not can_push(r, d))",
        "some (directions(hive) as d where can_push(r, d) and count run(r, d, theirs) < 2)",
    ] {
        let game = game_of(ROWS.replace("FILTER", filter));
        assert!(game.program.actions[0].later, "{filter}");
    }
}

#[test]
fn other_words_for_what_is_attacked_take_as_much_work() {
    let of_kinds: &[(&str, &str)] = &[
        ("kind man : piece { }", "kind man : piece { stat ways: set of site = [] }"),
        ("kind king : man { }", "kind king : man { stat ways: set of site = around(site(this)) }"),
        (
            "kind rook : man { }",
            "kind rook : man { stat ways: set of site = union slides(site(this), it) of straight }",
        ),
        (
            "define ways(m: man): set of site =\n  if m is king then around(site(m)) else if m is rook then union slides(site(m), it) of straight else []\n",
            "",
        ),
        ("union ways(it) of", "union ways of"),
        ("ways(m)", "m.ways"),
    ];
    let mut worse = Vec::new();
    for board in ["square 6 6 }", "square 6 6  neighbours: 4 }"] {
        let board = ("square 6 6 }", board);
        let one_by_one =
            MEN_REWORDED.iter().flat_map(|(from, others)| others.iter().map(|to| vec![board, (*from, *to)]));
        let (before, work) = played(&men(&[board]));
        for said in one_by_one.chain([[&[board], of_kinds].concat()]) {
            let (after, dearer) = played(&men(&said));
            assert!(before == after, "{said:?}: other games");
            if dearer * 100 > work * MOST {
                worse.push(format!("{said:?}: {dearer} units of work for {work}"));
            }
        }
    }
    assert!(worse.is_empty(), "{}", worse.join("\n"));
}

/// Games in which something is said in the place of `SAID`, the plainest words first.
const SAID: &[(&str, &[&str])] = &[
    // Beasts that are frozen beside a stronger foe, unless a friend is near.
    (
        r#"
board grid { shape: square 6 6  neighbours: 4 }
kind beast : piece { stat power: number = 1 }
kind rabbit : beast { }
kind dog : beast { stat power: number = 3 }
kind horse : beast { stat power: number = 4 }
kind elephant : beast { stat power: number = 6 }
define rank(b: beast): number = if b is elephant then 6 else if b is horse then 4 else if b is dog then 3 else 1
define foes(b: beast): set of beast = beast where owner != b.owner
define friends(b: beast): set of beast = beast where owner = b.owner
define frozen(b: beast): flag = SAID and no (pieces(around(site(b))) where owner = b.owner)
action go {
  choose b in beast where owner = me and not frozen(it) and some empty(around(site(it)))
  choose t in empty(around(site(b)))
  move b to t
}
setup {
  each p in players {
    let y = if p = seat(1) then 1 else 6
    create elephant at site(grid, 1, y) with owner = p
    create horse at site(grid, 2, y) with owner = p
    each x in [3, 4] { create dog at site(grid, x, y) with owner = p }
    each x in [5, 6] { create rabbit at site(grid, x, y) with owner = p }
  }
}
flow { turns turn from seat(1) for 60 rounds { choose action go else { lose me } } }
"#,
        &[
            "some (pieces(around(site(b))) as x where x.owner != b.owner and x.power > b.power)",
            "some (pieces(around(site(b))) where it in foes(b) and power > b.power)",
            "some (pieces(around(site(b))) as x where rank(x) > rank(b) and x not in friends(b))",
            "some (foes(b) as x where site(x) in around(site(b)) and b.power < x.power)",
        ],
    ),
    // Sites that men of a player look at.
    (
        r#"
board grid { shape: square 7 7  neighbours: 4 }
kind man : piece { }
game { counter seen: 0..100000 }
define open: set of site = empty(grid)
define watched(p: player): set of site = open as t where some (man as m where m.owner = p and SAID)
action go {
  choose m in man where owner = me and some empty(around(site(it)))
  choose t in empty(around(site(m)))
  move m to t
}
setup { each p in players { each x in [1, 3, 4, 6] { create man at site(grid, x, if p = seat(1) then 2 else 6) with owner = p } } }
flow { turns turn from seat(1) for 40 rounds { choose action go  each p in players { increase game.seen by count watched(p) } } }
"#,
        &[
            "direction(site(m), t) in directions(grid) and every between(site(m), t) meets it in open",
            "some (directions(grid) as d where t in run(site(m), d, open))",
            "some (directions(grid) as d where t in ray(site(m), d)) and every between(site(m), t) meets it in open",
            "t in (open as u where some (directions(grid) as d where u in run(site(m), d, open)))",
        ],
    ),
    // What a card costs its holder.
    (
        r#"
enum good { glass brass }
kind device : card {
  field cost: number per good
  field reduces: number per good = 0
  stat price: number per good = larger(cost - off(holder), 0)
  stat own_price: number per good = larger(cost - me.discount, 0)
  modify discount of this.holder by reduces
}
device "Lathe" { cost: [1 glass, 2 brass]  reduces: [1 brass]  copies: 8 }
device "Press" { cost: [2 glass]  reduces: [1 glass]  copies: 8 }
zone deck { holds: device  order: pile  seen: none  starts: device }
zone hand per player { holds: device  seen: holder }
zone tableau per player { holds: device  inplay: true }
player { counter stock: 0..9 per good clamped = 1  stat discount: number per good = 0 }
define off(p: maybe of player): number per good = p.discount
action build {
  choose c in me.hand as h where me.stock >= SAID
  move c to me.tableau
  if some deck { move top(deck) to me.hand }
}
action earn { choose g in good  increase me.stock[g] by 1 }
setup { shuffle deck  each p in players { move top(deck, 4) to p.hand } }
flow { turns turn from seat(1) for 20 rounds { choose action build, earn } }
"#,
        &["larger(h.cost - me.discount, 0)", "h.price", "h.own_price", "larger(h.cost - off(h.holder), 0)"],
    ),
];

#[test]
fn what_is_said_in_other_words_takes_as_much_work() {
    let mut worse = Vec::new();
    for (rules, said) in SAID {
        let of = |said: &str| played(&game_of(rules.replace("SAID", said)));
        let (before, work) = of(said[0]);
        for said in &said[1..] {
            let (after, dearer) = of(said);
            assert!(before == after, "{said}: other games");
            if dearer * 100 > work * MOST {
                worse.push(format!("{said}: {dearer} units of work for {work}"));
            }
        }
    }
    assert!(worse.is_empty(), "{}", worse.join("\n"));
}
