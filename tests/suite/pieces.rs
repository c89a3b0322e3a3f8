//! Pieces of items that expansions exchange, and what they add: where they are looked for, and which go together.

use super::expansions::{base, codes, expansion, load, package};
use cardwright::base::{Code, MemoryWorld};
use cardwright::play::{Checked, Game, Options, Package};

#[test]
fn pieces_of_verbs_actions_and_flows_are_exchanged() {
    let play = "action play { choose c in bench where it is tool and it.cost > 1 for drop \"Drop which tool?\"  if some c.use { do c.use }  drop c }";
    let same = [
        (
            "patch verb drop { { move c to bin } becomes { move c to bin  note \"gone\" } }",
            "replace verb drop c: tool { move c to bin  note \"gone\" }",
        ),
        ("patch action play { it is tool becomes it is tool and it.cost > 1 }", &format!("replace {play}")),
        (
            "patch action play { bench  where it is // so\n tool becomes bench where it is tool and it.cost > 1 }",
            &format!("replace {play}"),
        ),
        (
            "patch flow { no bench becomes count bench < 2 }",
            "replace flow { turns turn from seat(1) until count bench < 2 { choose action play }  end game }",
        ),
        (
            "patch define score { sum cost of bin becomes count bin }",
            "replace define score(p: player): number = count bin",
        ),
        ("patch kind tool { \"falls\" becomes \"drops\" }", ""),
        (
            "patch kind tool { { note \"{c} falls\" } becomes { note \"{c} drops\" } }",
            "patch kind tool { no clauses  after drop c { note \"{c} drops\" } }",
        ),
        (
            "rule own { after drop c { note \"a\" } }\npatch setup { note \"b\" { note \"s\" } becomes { note \"t\"  note \"u\" } }",
            "rule own { after drop c { note \"a\" } }\nreplace setup { note \"t\"  note \"u\"  note \"b\" }",
        ),
        (
            "patch turns turn { next me  for 3 rounds }",
            "replace flow { turns turn from seat(1) next me for 3 rounds until no bench { choose action play }  end game }",
        ),
        (
            "patch turns turn { no until\n from seat(2)\n among players where count bench > 0 }",
            "replace flow { turns turn from seat(2) among players where count bench > 0 { choose action play }  end game }",
        ),
        (
            "patch turns turn { until count bench < 2 }\npatch flow { { end game } becomes { note \"over\"  end game } }",
            "replace flow { turns turn from seat(1) until count bench < 2 { choose action play }  note \"over\"  end game }",
        ),
        // Where a fold ends, types say; both of its readings have pieces.
        (
            "patch define left { p.seat becomes p.seat - 1 }",
            "replace define left(p: player): number = 10 - (sum cost of bin) + (p.seat - 1)",
        ),
        (
            "patch define left { sum cost of bin becomes 2 * max cost of bin }",
            "replace define left(p: player): number = 10 - (2 * max cost of bin) + p.seat",
        ),
        ("patch define left { 10 - sum cost of bin becomes 9 }", "replace define left(p: player): number = 9 + p.seat"),
        (
            "patch define all { bench becomes bench where cost > 1 }",
            "replace define all: number = 2 * (sum cost of (bin + (bench where cost > 1)))",
        ),
        (
            "patch define all { bin becomes bin where cost > 1 }",
            "replace define all: number = 2 * (sum cost of ((bin where cost > 1) + bench))",
        ),
        ("patch define all { bin + bench becomes bin }", "replace define all: number = 2 * (sum cost of bin)"),
        // It is read as two statements at one place.
        (
            "patch verb rush { { choose action play else { note \"none\" } } becomes { choose action play else { stop } } }",
            "replace verb rush { choose action play else { stop } }",
        ),
    ];
    let mut forge = base();
    forge.files.insert(
        "b.rules".to_owned(),
        "setup { note \"s\" }\nverb rush { choose action play else { note \"none\" } }\n\
         define left(p: player): number = 10 - sum cost of bin + p.seat\n\
         define all: number = 2 * sum cost of bin + bench"
            .to_owned(),
    );
    let dump = |text: &str| {
        let package =
            Package::memory("forge", forge.clone()).with(vec![Package::memory("one", expansion("one", "", text))]);
        Game::load(&package, &Options::new(), None).map(|game| game.program.dump()).map_err(|error| error.report(false))
    };
    for (swap, whole) in same {
        if whole.is_empty() {
            assert!(dump(swap).is_err(), "a text is no expression of its own: {swap}");
            continue;
        }
        assert_eq!(dump(swap).unwrap(), dump(whole).unwrap(), "{swap}");
    }
}

#[test]
fn a_piece_that_is_not_there_once_is_an_error() {
    let errs = |text: &str, words: &str| {
        let checked = Checked::new(&package(&[&expansion("one", "", text)]), &Options::new(), None).unwrap();
        let found: Vec<_> = checked.diagnostics.iter().filter(|found| found.is_error()).collect();
        assert!(matches!(found[..], [one] if one.message.contains(words)), "{text}: {found:?}");
    };
    errs("patch turns turn { no next }", "the head of `turns turn` has no `next` to take away");
    errs("patch turns turn { until no bench  until no bin }", "`turns turn until` of `flow` is changed twice");
    errs("patch turns trun { until no bin }", "there is no `turns trun`");
    errs(
        "patch turns turn { until no bin }\nverb again { turns turn from me for 1 round { note \"a\" } }",
        "there are 2 `turns turn`",
    );
    errs("patch verb drop { c.cost becomes 1 }", "`verb drop` has no `c.cost`");
    errs("patch verb drop { { move c to bench } becomes { } }", "`verb drop` has no `{ move c to bench }`");
    errs("patch action play { c becomes this }", "`c` stands in `action play` 3 times");
    errs("patch flow { no bench becomes { end game } }", "an expression becomes an expression");
    errs("patch flow { { } becomes { end game } }", "`flow` has no `{ }`");
    errs("patch verb dorp { c becomes c }", "there is no `verb dorp`");
    errs("patch verb drop { c }", "becomes");
    errs("patch define score { sum cost of bin becomes { 3 } }", "a definition has no statements");
    let one = expansion("one", "", "patch flow { no bench becomes count bench < 2 }");
    let two = |more: &str, text: &str| expansion("two", more, text);
    assert_eq!(codes(&[&one, &two("", "patch flow { no  bench becomes count bench < 2 }")]), []);
    assert_eq!(codes(&[&one, &two("", "patch flow { no bench becomes count bench < 3 }")]), [Code::ConflictingChanges]);
    assert_eq!(codes(&[&one, &two("overrides = [\"one\"]", "patch flow { no bench becomes count bench < 3 }")]), []);
    assert_eq!(codes(&[&one, &two("", "patch flow { seat(1) becomes seat(2) }")]), []);
    assert_eq!(
        codes(&[&one, &two("", "patch flow { bench becomes bin }")]),
        [Code::ConflictingChanges],
        "one in the other"
    );
    assert_eq!(codes(&[&one, &two("", "replace flow { end game }")]), [Code::ConflictingChanges]);
}

/// Two expansions exchange one piece, and both keep it: what each adds stands beside what the other adds.
#[test]
fn a_piece_of_what_another_expansion_gives_anew_is_a_conflict() {
    let piece = "patch kind tool { { note \"{c} falls\" } becomes { note \"{c} drops\" } }";
    let piece = expansion("one", "", piece);
    let whole = "patch kind tool { no clauses  after drop c { note \"{c} is gone\" } }";
    let found = |other: &MemoryWorld| codes(&[&piece, other]);
    assert_eq!(found(&expansion("two", "", whole)), [Code::ConflictingChanges]);
    // In whichever order they are loaded.
    assert_eq!(found(&expansion("alpha", "", whole)), [Code::ConflictingChanges]);
    assert_eq!(found(&expansion("alpha", "", "patch kind tool { no clauses }")), [Code::ConflictingChanges]);
    assert_eq!(found(&expansion("alpha", "overrides = [\"one\"]\n", whole)), []);
    let wins = "patch kind tool { { note \"{c} falls\" } becomes { note \"{c} drops\" } }";
    let wins = load(&[&expansion("one", "overrides = [\"alpha\"]\n", wins), &expansion("alpha", "", whole)]);
    let dump = cardwright::model::dump(&wins.rules);
    assert!(dump.contains("drops") && dump.contains("is gone"), "{dump}");
    let score = expansion("one", "", "patch define score { sum cost of bin becomes 3 }");
    let replaced = "replace define score(p: player): number = p.seat";
    for name in ["alpha", "two"] {
        assert_eq!(codes(&[&score, &expansion(name, "", replaced)]), [Code::ConflictingChanges]);
    }
    assert_eq!(found(&expansion("two", "", "patch kind tool { after drop c { note \"{c} is gone\" } }")), []);
    assert_eq!(found(&expansion("two", "overrides = [\"one\"]\n", whole)), []);
}

/// A piece is one of the game, or of what the expansion depends on: what others add beside it does not matter.
#[test]
fn pieces_are_looked_for_where_the_expansion_knows_them() {
    let piece = "patch kind tool { { note \"{c} falls\" } becomes { note \"{c} drops\" } }";
    let again = "patch kind tool { after drop c { note \"{c} falls\" } }";
    for (one, two) in [(piece, again), (again, piece)] {
        let both = load(&[&expansion("one", "", one), &expansion("two", "", two)]);
        let dump = cardwright::model::dump(&both.rules);
        assert!(dump.contains("drops") && dump.contains("falls"), "{dump}");
    }
    let new = expansion("one", "", "patch kind tool { after drop c { note \"{c} rings\" } }");
    let of_it = |more: &str| {
        let piece = "patch kind tool { { note \"{c} rings\" } becomes { note \"{c} sings\" } }";
        expansion("two", more, piece)
    };
    assert_eq!(codes(&[&new, &of_it("")]), [Code::NothingToChange]);
    let of_it = of_it("[dependencies]\none = \"1.0.0\"");
    let dump = cardwright::model::dump(&load(&[&new, &of_it]).rules);
    assert!(dump.contains("sings") && !dump.contains("rings"), "{dump}");
}

/// Adding is no contradiction, whoever overrides whom.
#[test]
fn what_is_overridden_still_adds() {
    let adds = |times: u8| {
        format!(
            "patch setup {{ increase game.heat by {times} }} patch kind tool {{ after drop c {{ note \"{times}\" }} }}"
        )
    };
    let heat = "game { counter heat: 0..9 }";
    let first = expansion("one", "", &format!("{heat} {}", adds(1)));
    let second = expansion("two", "overrides = [\"one\"]\n", &adds(2));
    let mut forge = base();
    forge.files.insert("b.rules".to_owned(), "setup { note \"begin\" }".to_owned());
    let with = [&first, &second].map(|world| Package::memory(world.prefix.trim_end_matches('/'), world.clone()));
    let game = Game::load(&Package::memory("forge", forge).with(with.to_vec()), &Options::new(), None);
    let dump = cardwright::model::dump(&game.unwrap_or_else(|error| panic!("{}", error.report(false))).rules);
    assert!(dump.contains("note \"1\"") && dump.contains("note \"2\""), "{dump}");
    assert_eq!(dump.matches("game.heat = Add").count(), 2, "{dump}");
}

#[test]
fn additions_of_two_expansions_stand_beside_each_other() {
    let acts = |name: &str, more: &str| {
        format!("action {name} {{ }}\npatch flow {{ {{ choose action play }} becomes {{ {more} }} }}")
    };
    let dump = |parts: &[(&str, &str, &str)]| {
        let parts: Vec<MemoryWorld> = parts.iter().map(|(name, more, text)| expansion(name, more, text)).collect();
        let text = load(&parts.iter().collect::<Vec<_>>()).program.dump();
        text.lines().filter(|line| !line.starts_with("proc")).map(str::to_owned).collect::<Vec<_>>()
    };
    let same = [
        (
            acts("beg", "choose action play, beg"),
            acts("steal", "choose action steal, play"),
            "action beg { }\naction steal { }\npatch flow { { choose action play } becomes { choose action steal, play, beg } }",
        ),
        (
            acts("beg", "choose action play, beg"),
            acts("steal", "choose action play, steal"),
            "action beg { }\naction steal { }\npatch flow { { choose action play } becomes { choose action play, beg, steal } }",
        ),
        (
            "patch verb drop { { move c to bin } becomes { note \"a\"  move c to bin  note \"b\" } }".to_owned(),
            "patch verb drop { { move c to bin } becomes { note \"c\"  move c to bin  note \"d\" } }".to_owned(),
            "patch verb drop { { move c to bin } becomes { note \"a\"  note \"c\"  move c to bin  note \"b\"  note \"d\" } }",
        ),
        (
            "patch flow { no bench becomes no bench or round > 3 }".to_owned(),
            "patch flow { no bench becomes count bin > 1 or no bench }".to_owned(),
            "patch flow { no bench becomes count bin > 1 or (no bench or round > 3) }",
        ),
        (
            "patch define score { sum cost of bin becomes sum cost of bin + 1 }".to_owned(),
            "patch define score { sum cost of bin becomes (sum cost of bin) - 2 }".to_owned(),
            "patch define score { sum cost of bin becomes ((sum cost of bin) + 1) - 2 }",
        ),
        (
            "patch define score { sum cost of bin becomes (if round > 3 then 1 else sum cost of bin) }".to_owned(),
            "patch define score { sum cost of bin becomes (if some bin then (sum cost of bin) else 2) }".to_owned(),
            "patch define score { sum cost of bin becomes (if some bin then (if round > 3 then 1 else sum cost of bin) else 2) }",
        ),
    ];
    for (one, two, both) in &same {
        let told = dump(&[("one", "", both)]);
        assert_eq!(dump(&[("one", "", one), ("two", "", two)]), told, "{both}");
        assert_eq!(dump(&[("two", "", two), ("one", "", one)]), told, "in any order: {both}");
        assert_eq!(dump(&[("one", "", one), ("two", "overrides = [\"one\"]", two)]), told, "nothing gives way: {both}");
        let checked = |more: &str| {
            let with = [expansion("one", "", one), expansion("two", more, two)];
            let checked = Checked::new(&package(&[&with[0], &with[1]]), &Options::new(), None).unwrap();
            checked.diagnostics.iter().any(|found| found.code == Code::SettledByName)
        };
        let ordered = both.contains("note") || both.contains("then");
        assert_eq!(checked(""), ordered, "only the order of statements and cases is left to names: {both}");
        assert!(!checked("overrides = [\"one\"]"));
    }
    let against = [
        (
            "patch flow { no bench becomes no bench or round > 3 }",
            "patch flow { no bench becomes no bench and round > 3 }",
        ),
        ("patch flow { no bench becomes no bench or round > 3 }", "patch flow { no bench becomes round > 3 }"),
        (
            "patch flow { { choose action play } becomes { choose action play \"Well?\" } }",
            "action beg { }\npatch flow { { choose action play } becomes { choose action play, beg } }",
        ),
        (
            "patch verb drop { { move c to bin } becomes { note \"a\"  move c to bin } }",
            "patch verb drop { { move c to bin } becomes { if c.cost > 1 { move c to bin } } }",
        ),
        (
            "patch define score { sum cost of bin becomes (if some bin then (sum cost of bin) else 2) }",
            "patch define score { sum cost of bin becomes (sum cost of bin) + 1 }",
        ),
        (
            "patch define score { sum cost of bin becomes (if some bin then (sum cost of bin) else 2) }",
            "patch define score { sum cost of bin becomes (if some bin then (sum cost of bin) + 1 else 2) }",
        ),
    ];
    for (one, two) in against {
        assert_eq!(
            codes(&[&expansion("one", "", one), &expansion("two", "", two)]),
            [Code::ConflictingChanges],
            "{one} {two}"
        );
        let wins = expansion("two", "overrides = [\"one\"]", two);
        assert_eq!(codes(&[&expansion("one", "", one), &wins]), [], "{one} {two}");
    }
}

#[test]
fn names_of_packages_decide_nothing_that_is_not_told() {
    let added = expansion(
        "added",
        "",
        "option b: flag = false\npatch define score { sum cost of bin becomes (sum cost of bin) + count bench }",
    );
    let needs = "dependencies = { added = \"1.0.0\" }";
    for anew in ["count bin", "((sum cost of bin) + count bench) * 2"] {
        let of_added = format!("patch define score {{ (sum cost of bin) + count bench becomes {anew} }}");
        let knows = expansion("knows", needs, &of_added);
        for name in ["aa", "kk", "zz"] {
            // What the one that knows the other exchanges, this one has changed: the two contradict each other by whatever name.
            let alien = expansion(name, "", "patch define score { sum cost of bin becomes (sum cost of bin) + 3 }");
            assert_eq!(codes(&[&added, &knows, &alien]), [Code::ConflictingChanges], "{name}: {anew}");
        }
        assert_eq!(codes(&[&added, &knows]), [], "{anew}");
    }
    let first = "patch action play { bench where it is tool becomes (bench where it is tool) + bin }";
    let drop = "patch action play { bench where it is tool becomes (bench where it is tool) - tool \"Tongs\" }";
    let more = "patch action play { bench where it is tool becomes (bench where it is tool) + tool \"Tongs\" }";
    let base = "game { stat luck: number = 1 }";
    for (one, other, told) in [
        (first, drop, true),
        (first, more, false),
        ("rule big { modify luck of game to 5 }", "rule bigger { modify luck of game to 7 }", true),
        ("rule big { modify luck of game by 5 }", "rule bigger { modify luck of game by 7 }", false),
    ] {
        let warned = |names: [&str; 2], more: &str| {
            let stat = expansion("stat", "", base);
            let needs = format!("dependencies = {{ stat = \"1.0.0\" }}\n{more}");
            let with =
                [expansion(names[0], "dependencies = { stat = \"1.0.0\" }", one), expansion(names[1], &needs, other)];
            let checked = Checked::new(&package(&[&stat, &with[0], &with[1]]), &Options::new(), None).unwrap();
            assert!(checked.sound.is_some(), "{one} {other}");
            checked.diagnostics.iter().any(|found| found.code == Code::SettledByName)
        };
        assert_eq!([warned(["one", "two"], ""), warned(["two", "one"], "")], [told, told], "{one} {other}");
        assert!(!warned(["one", "two"], "overrides = [\"one\"]"), "{one} {other}");
    }
}
