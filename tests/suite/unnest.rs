//! A question about one set that is asked of each member of another comes to the same whether it is asked each time or made a set
//! first.

use super::support::{Words, small};
use cardwright::core::Pass;
use cardwright::engine::{Chance, Machine, Start};
use cardwright::play::Game;
use std::sync::Arc;

const GAMES: u64 = 300;

/// Writes random filters over sites, men, players and suits that ask something of men, cards, directions and players.
struct Writer {
    words: Words,
}

impl Writer {
    /// A value of `what` (a site, player or suit) that is worked out from a name: `m` a man, `c` a card, `s` a site, `p` a player.
    fn value(&mut self, sort: char, name: &str, what: char) -> Option<String> {
        let values: &[&str] = match (sort, what) {
            ('m', 's') => &["site(@)", "step(site(@), north)", "@.aim", "(if @.n > 2 then site(@) else @.aim)"],
            ('s', 's') => &["@", "@", "step(@, east)", "step(@, southwest)"],
            ('m', 'p') => &["@.owner", "@.owner", "@.friend"],
            ('c', 'p') => &["@.holder", "@.wish"],
            ('p', 'p') => &["@", "@", "@.rival"],
            ('m' | 'c', 'e') => &["@.suit"],
            ('e', 'e') => &["@"],
            ('p', 'e') => &["@.best"],
            ('m', 'm') => &["@", "@.prey"],
            _ => return None,
        };
        Some(self.words.one(values).replace('@', name))
    }

    fn many(&mut self, sort: char, name: &str, what: char) -> Option<String> {
        let values: &[&str] = match (sort, what) {
            ('m', 's') => &["around(site(@))", "ray(site(@), north)", "(around(site(@)) - sites(men(seat(2))))"],
            ('s', 's') => &["around(@)", "(around(@) & sites(man))", "[step(@, north), step(@, south)]"],
            ('p', 's') => &["sites(men(@))", "@.marked"],
            ('p', 'm') => &["men(@)"],
            ('s', 'm') => &["pieces(@)", "pieces(around(@))"],
            _ => return None,
        };
        Some(self.words.one(values).replace('@', name))
    }

    fn set(&mut self, sort: char) -> String {
        let sets: &[&str] = match sort {
            'm' => &["man", "men(me)", "men(seat(2))", "(man where n > 1)", "(man having most n)"],
            'c' => &["deck", "me.hand", "(deck where n > 1)", "(deck sorted by n)"],
            's' => &["sites(grid)", "empty(grid)", "sites(man)", "border(grid, north)"],
            'p' => &["players", "opponents", "[seat(2), seat(1)]"],
            _ => &["suit", "(suit where it != reed)"],
        };
        self.words.one(sets).to_owned()
    }

    fn plain(&mut self, sort: char, name: &str) -> String {
        match sort {
            'm' | 'c' => format!(
                "{name}.n {} {}",
                self.words.one(&["<", ">", "="]),
                self.words.one(&["1", "2", "count men(me)"])
            ),
            's' if self.words.dice.below(2) == 0 => {
                let length = self.words.one(&["> 1", ">= 3", "= 2", "!= 1", "< 3"]);
                format!("longest_line({name}, sites(man)) {length}")
            }
            's' => format!("{} pieces({name})", self.words.one(&["some", "no"])),
            'p' => format!("{name}.best != reed"),
            _ => format!("{name} != moss"),
        }
    }

    /// What a member `own` of a set and a member `name` of a loop outside have to do with each other.
    fn joined(&mut self, (sort, name): (char, &str), (over, own): (char, &str)) -> Option<String> {
        let what = self.words.one(&["s", "s", "p", "e", "m"]).chars().next().unwrap();
        match self.words.dice.below(4) {
            0 => self.value(sort, name, what).zip(self.many(over, own, what)).map(|(a, b)| format!("{a} in {b}")),
            1 => self.value(over, own, what).zip(self.many(sort, name, what)).map(|(a, b)| format!("{a} in {b}")),
            2 => self.value(sort, name, what).zip(self.value(over, own, what)).map(|(a, b)| format!("{b} = {a}")),
            _ => self.value(sort, name, what).zip(self.value(over, own, what)).map(|(a, b)| format!("{a} = {b}")),
        }
    }

    /// A question about `name`, a member of a loop.
    fn question(&mut self, sort: char, name: &str, depth: usize) -> String {
        let own = self.words.name("x");
        let over = self.words.one(&["m", "m", "c", "s", "p", "e"]).chars().next().unwrap();
        let Some(joined) = self.joined((sort, name), (over, &own)) else { return self.question(sort, name, depth) };
        let mut parts = vec![joined];
        if self.words.dice.below(3) == 0
            && let Some(other) = self.joined((sort, name), (over, &own))
        {
            let plain = self.plain(over, &own);
            parts[0] = match self.words.dice.below(3) {
                0 => format!("({} or {other} and {plain})", parts[0]),
                1 => format!("({plain} and {} or {other})", parts[0]),
                _ => format!("({} or {other})", parts[0]),
            };
        }
        if self.words.dice.below(2) == 0 {
            parts.insert(0, self.plain(over, &own));
        }
        if self.words.dice.below(4) == 0 {
            parts.push(self.plain(sort, name));
        }
        if depth > 0 && self.words.dice.below(4) == 0 {
            let inner = self.question(over, &own, depth - 1);
            parts.push(format!("({inner})"));
        }
        let (cond, set) = (parts.join(" and "), self.set(over));
        match self.words.dice.below(4) {
            0 => format!("every ({set}) as {own} meets not ({cond})"),
            1 => format!("no (({set}) as {own} where {cond})"),
            2 => format!("count (({set}) as {own} where {cond}) > 0"),
            _ => format!("some (({set}) as {own} where {cond})"),
        }
    }

    fn filter(&mut self, sort: char) -> String {
        if sort == 's' && self.words.dice.below(3) == 0 {
            return format!("sites({})", self.filter('m'));
        }
        let name = self.words.name("a");
        let (set, question) = (self.set(sort), self.question(sort, &name, 1));
        match self.words.dice.below(3) {
            0 => format!("({set}) as {name} where {} and ({question})", self.plain(sort, &name)),
            1 => format!("({set}) as {name} where {} or ({question})", self.plain(sort, &name)),
            _ => format!("({set}) as {name} where {question}"),
        }
    }
}

fn rules(writer: &mut Writer) -> String {
    let asked = writer.question('s', "q", 1);
    rules_with(writer, "", &asked)
}

/// The rules with more definitions, and with what is asked of each site `q`.
fn rules_with(writer: &mut Writer, more: &str, asked: &str) -> String {
    let of_sites = writer.filter('s');
    let (men, players, suits) = (writer.filter('m'), writer.filter('p'), writer.filter('e'));
    format!(
        "board grid {{ shape: square 4 4 }}
enum suit {{ reed moss fern }}
kind man : piece {{ field n: 0..3 = 1  mark suit: suit = reed  mark aim: maybe of site = nothing  mark friend: maybe of player = nothing  mark prey: maybe of man = nothing }}
kind herb : card {{ field suit: suit  field n: 0..3  mark wish: maybe of player = nothing }}
zone deck {{ holds: herb }}
zone hand per player {{ holds: herb  seen: all }}
player {{ mark best: suit = reed  mark rival: maybe of player = nothing  mark marked: set of site }}
game {{ mark a: set of site  mark b: set of site  mark c: set of man  mark d: set of player  mark e: set of suit }}
define men(p: player): set of man = man where owner = p
{more}
define asked(q: site): flag = {asked}
action look {{
  choose v in 0..1
  set game.a = {of_sites}
  set game.b = sites(grid) as w where asked(w)
  set game.c = {men}
  set game.d = {players}
  set game.e = {suits}
}}
setup {{
  create herb in deck with suit = every_value, n = every_value
  random cs in deck
  each p in players {{ move first(deck where n = 2) to p.hand }}
  repeat 6 times {{
    random s in empty(grid)
    random t in sites(grid)
    random u in suit
    roll k in 0..3
    create man at s with owner = if k > 1 then seat(1) else seat(2), n = k as new
    set new.suit = u
    if k != 2 {{ set new.aim = t }}
    if k != 1 {{ set new.prey = first(man where n = k) }}
    if k = 3 {{ set new.friend = seat(2) }}
  }}
  each p in players {{
    random u in suit
    set p.best = u
    set p.marked = around(first(sites(men(p))))
    if p = seat(2) {{ set p.rival = seat(1) }}
  }}
}}
flow {{ turns turn from seat(1) for 1 round {{ choose action look }} }}"
    )
}

/// The rules without the filters at random, which name what only squares have.
fn asked_alone(rules: &str) -> String {
    let Some((before, rest)) = rules.split_once("  set game.a = ") else { panic!("{rules}") };
    let rules = format!("{before}{}", rest.split_once('\n').unwrap().1);
    let (head, tail) = rules.split_once("  set game.c = ").unwrap();
    format!("{head}}}\n{}", tail.split_once("}\n").unwrap().1)
}

/// The rules with men that may come to lie on each other.
fn in_stacks(rules: &str) -> String {
    rules.replace("random s in empty(grid)", "random s in sites(grid)")
}

/// Sees that a game plays as it does without some passes.
fn plays_alike(game: &Game, without: &[Pass], seed: u64, rules: &str) {
    let other = game.without(without).unwrap();
    let (mut quick, mut slow) = (game.machine(), Machine::new(Arc::new(other)));
    let start = Start { players: 2, seed, chance: Chance::Draw };
    let (mut state, mut twin) = (quick.start(&start).unwrap(), slow.start(&start).unwrap());
    for choice in [0, 0] {
        let (done, also) = (quick.choose(&mut state, choice), slow.choose(&mut twin, choice));
        assert_eq!(done.is_ok(), also.is_ok(), "seed {seed}\n{rules}");
        assert_eq!(quick.view_all(&state), slow.view_all(&twin), "seed {seed}\n{rules}");
    }
}

#[test]
fn questions_come_to_the_same_as_sets() {
    let mut sets = 0;
    for seed in 1..=GAMES {
        let rules = rules(&mut Writer { words: Words::of(&[seed, 0x52]) });
        let game = small(&rules);
        sets += usize::from(game.program.dump() != game.without(&[Pass::Unnest]).unwrap().dump());
        let without: &[Pass] = if seed % 2 == 0 { &[Pass::Unnest, Pass::Sets] } else { &[Pass::Unnest] };
        plays_alike(&game, without, seed, &rules);
    }
    assert!(sets > GAMES as usize / 2, "{sets} of {GAMES}");
}

/// What is in a filter, in it and in another set, and what is counted of values, is asked without making the filter or the values.
#[test]
fn members_of_filters_are_those_that_they_leave() {
    let (mut others, mut asked) = (0, 0);
    for seed in 1..=GAMES {
        let mut writer = Writer { words: Words::of(&[seed, 0x53]) };
        let more = format!(
            "define spots: set of site = {}
define some_men: set of man = {}
define nearby(p: player): set of man = man as b where b.owner = p and {}
define some_players: set of player = {}
define high: set of number = 0..3 as h where some (man where n > h)",
            writer.filter('s'),
            writer.filter('m'),
            writer.question('m', "b", 0),
            writer.filter('p')
        );
        let question = writer.words.one(&[
            "q in spots",
            "q not in spots or some_men = (some_men & pieces(q))",
            "some (some_men & pieces(q) where n > 0)",
            "count (nearby(me) & some_men & pieces(around(q))) > 1",
            "some (pieces(q) as x where x.n in high and x.owner in some_players)",
            "some (q & spots) and count ((values n of some_men) where it > 1) > count pieces(q)",
            "(sum (it * it) of values (n + 1) of pieces(around(q))) > 4",
            "first(nearby(seat(2)) & men(seat(2))) = top(q)",
            "every (values owner of pieces(around(q))) as o meets o in some_players",
        ]);
        let rules = rules_with(&mut writer, &more, &question);
        let game = small(&rules);
        // What is asked names the definition or the values, or it does not, because members are asked.
        let asks = |passes: &[Pass]| {
            let core = cardwright::core::dump(&game.rules, passes);
            let (_, asked) = core.split_once(" asked\n").unwrap();
            let asked = asked.split("\nproc ").next().unwrap();
            ["(spots)", "(some_men)", "(nearby ", "(high)", "(some_players)", "(values "]
                .iter()
                .any(|set| asked.contains(set))
        };
        asked += usize::from(asks(&Pass::all_but(&[Pass::Canonical])) && !asks(&Pass::ALL));
        others += usize::from(game.program.dump() != game.without(&[Pass::Canonical]).unwrap().dump());
        plays_alike(&game, &[Pass::Canonical], seed, &rules);
    }
    assert!(others > GAMES as usize / 2, "{others} of {GAMES}");
    // Not where it may fail, or where a loop makes the set once for all.
    assert!(asked > GAMES as usize / 3, "{asked} of {GAMES}");
}

/// What is asked of pieces by where they lie, and by how far that is, comes to the same as what is asked of sites.
#[test]
fn pieces_come_to_the_same_as_their_sites() {
    const BOARDS: [&str; 3] = [
        "shape: square 4 4",
        "shape: square 4 4  neighbours: 4",
        "shape: graph  directions: north south, east west  paths: a1 east b1, b1 east c1, a1 north a2, a2 north a3, b1 north b2, a2 east b2, a3 d4, e1 east e2",
    ];
    let mut others = 0;
    for seed in 1..=GAMES {
        let mut writer = Writer { words: Words::of(&[seed, 0x55]) };
        let question = writer.words.one(&[
            "some (man as m where m.owner = me and distance(site(m), q) = 1)",
            "some (man as m where m.n > 1 and distance(q, site(m)) @N)",
            "count (sites(grid) as t where distance(q, t) @N) > 2",
            "some (men(me) as m where distance(site(m), q) @N)",
            "some (man as m where site(m) in around(q) and some (men(m.owner) as o where site(o) in around(site(m))))",
            "some (man where site(it) = q and owner = me)",
            "first(man where site(it) = step(q, north)).n @N",
            "no first(man where q = site(it))",
            "some (pieces(q) as x where x = top(q) and x.n @N)",
            "some (pieces(around(q)) as x where x = top(step(q, east)) and x.owner = me)",
            "count sites(man as m where m.n > 0 and some (around(site(m)) & @S)) @N",
            "count (union around(site(it)) of (men(me) where site(it) in @S)) @N",
            "(max count around(site(it)) of (man where n > 0 and some (around(site(it)) & @S))) @N",
            "count (gather step(q, it) of (directions(grid) as d where step(q, d) in @S and some pieces(step(q, d)))) @N",
            "some (near(q) where owner = me)",
            "stack(q)[count stack(q) - 1].n @N",
            "q in (sites(grid) as s where some (around(s) as t where first(pieces(t) where n @N).owner = me))",
            "count (empty(grid) as s where count (around(s) as t where some (pieces(t) where n > 1) and top(t).n @N) > 1) @N",
            "q in (sites(grid) as s where every around(s) as t meets first(stack(t)).n @N)",
            "count (man as m where q in sites(m) or step(q, north) in sites(m)) @N",
            "some (pieces(q) as x where x = stack(q)[count pieces(q) - 1]) and no stack(q)[count stack(q) - 2]",
            "count (man as m where q in within(site(m), 1) and m.n > 0) @N",
            "some (men(me) as m where q in within(step(site(m), north), 1))",
            "count (man as m where site(m) in (around(q) & @S) and some (near(site(m)) as o where o.owner = m.owner)) @N",
            "some ((man as m where site(m) in around(q) and (m.owner = me or no @S)) where n @N)",
            "count (men(seat(2)) as m where some @S or m.n @N) > 1",
            "first(man sorted by n) = top(q) or first(men(me) sorted by -n).n @N",
            "first(man sorted by [n, count around(site(it)), -owner.seat]) = top(q) or first((man sorted by -n) sorted by owner.seat).n @N",
            "some (men(me) as b where b.n > count pieces(around(q)) and b.owner = me)",
            "count (man as a where no (men(seat(2)) as b where b.n > a.n)) @N",
            "count (man as a where every man as b meets (a.n <= b.n or b.owner = me)) @N",
        ]);
        let sets = ["sites(man)", "sites(men(me))", "empty(grid)", "(q + sites(man))", "around(q)"];
        let number = format!(
            "{} {}",
            writer.words.one(&[">", ">=", "<", "<=", "=", "!="]),
            writer.words.one(&["0", "1", "2", "3", "count men(me)"])
        );
        let asked = question.replace("@S", &writer.words.one(&sets)).replace("@N", &number);
        let near = "define near(s: site): set of man = pieces(around(s))";
        let rules = rules_with(&mut writer, near, &asked).replace(BOARDS[0], BOARDS[seed as usize % BOARDS.len()]);
        let rules = if seed % 4 == 0 { in_stacks(&rules) } else { rules };
        let rules = asked_alone(&rules);
        let game = small(&rules);
        others += usize::from(game.program.dump() != game.without(&[Pass::Canonical]).unwrap().dump());
        let without: &[Pass] = match seed % 3 {
            0 => &[Pass::Canonical, Pass::Sets],
            1 => &[Pass::Canonical, Pass::Order, Pass::Flat],
            _ => &[Pass::Canonical],
        };
        plays_alike(&game, without, seed, &rules);
    }
    assert!(others > GAMES as usize / 2, "{others} of {GAMES}");
}

/// What is asked of each direction, of lines and of what is reached is asked of the site, on boards whose directions are all ways to
/// neighbours and on such whose are not.
#[test]
fn directions_come_to_the_same_as_sites() {
    const BOARDS: [&str; 4] = [
        "shape: square 4 4",
        "shape: square 4 4  neighbours: 4",
        "shape: square 3 3  places: cells, corners",
        "shape: graph  directions: north south, east west, southwest northeast
          paths: a1 east b1, b1 east c1, c1 east a1, a1 north a2, a2 north a3, b1 north b2, a2 east b2, b2 southwest a1, c1 north d4, a3 d4",
    ];
    let mut others = 0;
    for seed in 1..=GAMES {
        let mut writer = Writer { words: Words::of(&[seed, 0x54]) };
        let set = |writer: &mut Writer| {
            writer
                .words
                .one(&["sites(man)", "sites(men(me))", "empty(grid)", "sites(grid)", "(q + sites(man))"])
                .to_owned()
        };
        let ways = |writer: &mut Writer| {
            writer
                .words
                .one(&["directions(grid)", "directions(grid)", "[north, east]", "[north, south]", "[east]"])
                .to_owned()
        };
        let number = |writer: &mut Writer| {
            format!(
                "{} {}",
                writer.words.one(&[">", ">=", "<", "<=", "=", "!="]),
                writer.words.one(&["0", "1", "2", "3"])
            )
        };
        let (s, d, n) = (set(&mut writer), ways(&mut writer), number(&mut writer));
        let question = writer.words.one(&[
            "count (@D as d where step(q, d) in @S) @N",
            "some (@D as d where step(q, d) in @S)",
            "every @D as d meets step(q, d) not in @S",
            "count ((gather step(q, it) of @D) & @S) @N",
            "count (gather step(q, it) of (@D as d where some pieces(step(q, d)))) @N",
            "(max count line(q, it, @S) of @D) @N",
            "some (@D as d where count line(q, d, @S) @N)",
            "some (@D as d where count run(q, d, @S) + count run(q, opposite(d), @S) @N)",
            "some (@D as d where 1 + count run(q, d, @S) + count run(q, opposite(d), @S) @N)",
            "(count run(q, north, @S) + count run(q, south, @S) + 1) @N",
            "(max longest_line(it, @S) of (around(q) & sites(man))) @N",
            "count (reach (around(it) & @S) of (around(q) & @S)) @N",
            "count (union run(q, it, @S) of (@D as d where some run(q, d, @S) and some step(q, d, 2))) @N",
            "count (union (if some pieces(around(q)) then around(step(q, it)) else around(q)) of @D) @N",
            "some (@S & step(q, east))",
            "q in (sites(grid) where it in @S and it in around(@S))",
            "some (around(q) & @S) = (count (around(q) as t where t in @S) > 0)",
            "(count (around(q) & @S) - 1) @N",
            "count (sites(grid) as x where direction(x, q) = southwest) @N",
            "some (@S as u where some (between(u, q) as v where some pieces(u))) and some (around(q) as w where count pieces(w) @N)",
            "every @S as u meets every between(u, q) as v meets (no pieces(u) or v in sites(man))",
            "some (sites(men(me)) as u where some direction(u, q) and no (between(u, q) as v where count pieces(u) @N))",
            "count (@S as x where direction(q, x) = north or direction(x, q) = southwest) @N",
            "some (@S as x where direction(q, x) in [north, southwest])",
            "count (@S as x where direction(x, q) in @D and no pieces(between(x, q))) @N",
            "count (@S as x where some (@D as d where x in ray(q, d))) @N",
            "some (@S as x where some (@D as d where x in ray(q, d) and no pieces(between(q, x))))",
            "count ((union ray(q, it) of @D) as x where no pieces(between(q, x))) @N",
            "some (@D as d where first(ray(q, d) as t where some pieces(t)) in @S)",
            "count (@D as d where first(ray(q, d) as t where t in @S) in sites(man)) @N",
            "count (@S as x where direction(q, x) = north or direction(q, x) = southwest or direction(x, q) = east) @N",
            "some (top(q) as t where t.owner = me and site(t) in @S)",
            "no (top(q) as t where t.owner != me or site(t) in @S)",
            "count (sites(grid) as x where no (within(x, 1) & sites(men(me)))) @N",
            "count (sites(grid) as x where some (@S & ring(x, 2))) @N",
            "count (empty(grid) as x where no (@S as t where column(t) = column(x) or row(t) = row(x))) @N",
            "count (sites(grid) as x where every sites(men(me)) as t meets distance(t, x) > 1) @N",
            "count (empty(grid) as x where distance(x, q, @S) <= 2) @N",
            "count (@S as x where some distance(q, x, empty(grid)) and distance(q, x, empty(grid)) in 1..2) @N",
            "no empty(around(group(q, @S)))",
            "count (sites(grid) as x where x in @S or no sites(men(me))) @N",
            "count (sites(grid) as x where top(x).owner in [me, first(opponents)] and x in @S) @N",
            "count (1..3 as i where step(q, north, i) in @S) = 3",
            "count (around(q) & @S) < 2 or count (around(q) & @S) = 2",
        ]);
        let asked = question.replace("@S", &s).replace("@D", &d).replace("@N", &n);
        let rules = rules_with(&mut writer, "", &asked);
        let rules = rules.replace("shape: square 4 4", BOARDS[seed as usize % BOARDS.len()]);
        let rules = asked_alone(&rules);
        let game = small(&rules);
        others += usize::from(game.program.dump() != game.without(&[Pass::Canonical]).unwrap().dump());
        let without: &[Pass] = match seed % 4 {
            0 => &[Pass::Canonical],
            1 => &[Pass::Canonical, Pass::Sets],
            2 => &[Pass::Canonical, Pass::Unnest, Pass::Memo],
            _ => &[Pass::Sets],
        };
        plays_alike(&game, without, seed, &rules);
    }
    assert!(others > GAMES as usize / 2, "{others} of {GAMES}");
}

/// What the members of a set lead to is the same whether it is found for all of them at once or for each.
#[test]
fn what_members_lead_to_is_the_same_at_once() {
    const BOARDS: [&str; 4] = [
        "shape: square 4 4",
        "shape: square 4 4  neighbours: 4",
        "shape: square 3 3  places: cells, corners",
        "shape: graph  directions: north south, east west
          paths: a1 east b1, b1 east c1, c1 east a1, a1 north a2, a2 north a3, b1 north b2, a2 east b2, c1 north d4, a3 d4",
    ];
    const SETS: [&str; 6] =
        ["sites(man)", "sites(men(me))", "empty(grid)", "sites(grid)", "(q + sites(man))", "sites(men(seat(2)))"];
    const ASKED: [&str; 44] = [
        "count (@S as s where every 5..10 as k meets (k > 12 or some (around(s) & sites(man where n + 6 @N)))) > 0",
        "count (sites(grid) as s where count empty(around(s)) = count around(s)) @N",
        "count (sites(grid) as s where some (man as m where s in around(site(m)) and count pieces(s) @N)) > 1",
        "count (@S as s where count (around(s) & @T) < count around(s) and count around(s) >= 0) @N",
        "some (@S as u where q in union run(u, it, @T) of @D)",
        "count (union (union run(u, it, @T) of @D) of @S as u) @N",
        "count (union ((around(it) - @T) + step(it, north)) of @S) @N",
        "count (union (if some pieces(u) then around(u) else ray(u, east)) of @S as u) @N",
        "count (union (if n @N then around(site(it)) else ray(site(it), south)) of man) @N",
        "count (gather step(site(it), south, 2) of (man where n @N)) @N",
        "count (union ((ray(u, east) as v where some top(v)) + u) of @S as u) @N",
        "count (sites(grid) as s where some (@S as u where s in (if u in @T then around(u) else within(u, 2)))) @N",
        "count (sites(grid) as s where some (man as m where m.n > 1 and (s in around(site(m)) or m.owner = me and s = step(site(m), north)))) @N",
        "count (@T as s where every @S as u meets (s in around(u) or u in ray(q, north))) @N",
        "count (empty(grid) as s where some (pieces(within(s, 2)) as m where m.owner = me and (s in around(site(m)) or m.n > 1))) @N",
        "count (@S as s where every (between(q, s) + s) meets it in @T) @N",
        "count (ray(q, east) as t where every (between(q, t) + t) meets it in @T) @N",
        "count (ray(q, north) as t where top(t).owner = me and every between(q, t) meets top(it).owner = me) @N",
        "count (sites(grid) as s where count (around(s) & @S) in 1..2 or s in @T) @N",
        "count (sites(grid) as s where not (count (around(s) & @S) in [3, 1, 2]) and no pieces(s)) @N",
        "count (man as m where site(m) in around(q) and m.owner = me) in [1, 2]",
        "count (sites(grid) as s where count (man as m where site(m) in around(s) and m.owner = me) = 1 or s in @T) @N",
        "count (sites(grid) as s where count group(s, @S) = 1 or count group(s, @T) >= 2) @N",
        "(min distance(it, q) of @S) @N",
        "(max distance(it, q, @T) of @S) @N or (min distance(q, it, @T) of @S) @N",
        "count (sites(grid) as s where (min distance(site(it), s) of men(me)) @N) > 2",
        "count (sites(grid) as s where some path(q, s, @S)) @N",
        "column(q) in (gather column(it) of @S) and row(q) not in (gather row(it) of @T)",
        "count (sites(grid) as s where column(s) not in (gather column(it) of @S)) @N",
        "count (sites(grid) as s where no (@S as t where abs(column(t) - column(s)) <= 1 and abs(row(t) - row(s)) <= 1)) @N",
        "count ((@S & union ray(q, it) of @D) as t where no pieces(between(q, t))) @N",
        "count (empty(union ray(q, it) of @D) as t where no pieces(between(q, t))) @N",
        "no pieces(ray(q, north) + q) or some ((ray(q, east) + q) & @S) and some ((ray(q, north) + q) - @T)",
        "count (sites(grid) as s where some (@S as u where top(u).owner = me and s in around(u))) @N",
        "every men(me) meets (n = first(men(me)).n and (it.suit = first(men(me)).suit or some @S))",
        "(count men(me) + count (sites(grid) as t where abs(column(t) - column(q)) * abs(row(t) - row(q)) = 2)) @N",
        "count (sites(grid) as s where some (@S as u where some (@D as d where s in run(u, d, @T)))) @N",
        "count (empty(grid) as s where some (@S as u where some between(s, u) and every between(s, u) meets top(it).owner = me)) @N",
        "count (@S as s where some top(s) and some (@T as u where u in around(s) and top(u).n @N)) @N",
        "count (@S as s where no (between(q, s) as v where v in @T) and some (man as m where site(m) in between(q, s))) @N",
        "count (@D as d where some (group(q, @S) & border(grid, d))) @N",
        "(min n of men(me)) @N or (max count around(site(it)) of man) @N",
        "count (sites(grid) as s where (min count (around(it) & @T) of (around(s) & @S)) @N) > 1",
        "count (@S as s where every players as p meets some (around(s) & sites(men(p)))) @N",
    ];
    let mut others = 0;
    for seed in 1..=2 * GAMES {
        let mut writer = Writer { words: Words::of(&[seed, 0x57]) };
        let mut asked = ASKED[seed as usize % ASKED.len()].to_owned();
        while asked.contains("@N") {
            let op = writer.words.one(&[">", ">=", "<", "<=", "=", "!="]);
            asked = asked.replacen("@N", &format!("{op} {}", writer.words.one(&["0", "1", "2", "3"])), 1);
        }
        let (s, t) = (writer.words.one(&SETS).to_owned(), writer.words.one(&SETS).to_owned());
        let ways = writer.words.one(&["directions(grid)", "[north, east]", "[north, south]"]).to_owned();
        let asked = asked.replace("@S", &s).replace("@T", &t).replace("@D", &ways);
        let rules = rules_with(&mut writer, "", &asked);
        let rules = rules.replace("shape: square 4 4", BOARDS[(seed / 3) as usize % BOARDS.len()]);
        let rules = if seed % 4 == 0 { in_stacks(&rules) } else { rules };
        let rules = asked_alone(&rules);
        let game = small(&rules);
        let without: &[Pass] = match seed % 5 {
            0 => &[Pass::Sets],
            1 => &[Pass::Canonical],
            2 => &[Pass::Unnest, Pass::Flat],
            3 => &[Pass::Canonical, Pass::Unnest, Pass::Memo],
            _ => &[Pass::Sets, Pass::Canonical, Pass::Unnest, Pass::Flat, Pass::Memo],
        };
        others += usize::from(game.program.dump() != game.without(without).unwrap().dump());
        plays_alike(&game, without, seed, &rules);
    }
    assert!(others > GAMES as usize, "{others} of {}", 2 * GAMES);
}
