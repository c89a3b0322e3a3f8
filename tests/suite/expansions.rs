//! Expansions: what they make of a game, in which order, what gives way, and that without them nothing is otherwise.

use super::support::root;
use cardwright::base::{Code, MemoryWorld};
use cardwright::play::scenario::run_all;
use cardwright::play::{Checked, Game, Options, Package, Session, Setup};
use proptest::prelude::*;
use std::sync::Arc;

pub const GAME: &str = "
kind tool : card { field cost: 0..9  field use: effect  after drop c { note \"{c} falls\" } }
zone bench { holds: tool  seen: all  starts: tool  inplay: true }
zone bin { holds: tool  seen: all }
verb drop c: tool { move c to bin }
define score(p: player): number = sum cost of bin
action play { choose c in bench where it is tool for drop \"Drop which tool?\"  if some c.use { do c.use }  drop c }
flow { turns turn from seat(1) until no bench { choose action play }  end game }
tool \"Hammer\" { cost: 1 }
tool \"Tongs\" { cost: 2 }
";

pub fn manifest(name: &str, more: &str) -> String {
    format!("name = \"{name}\"\ntitle = \"{name}\"\nversion = \"1.0.0\"\nedition = 1\n{more}\n")
}

pub fn base() -> MemoryWorld {
    let manifest = manifest("forge", "players = { min = 2, max = 2 }");
    MemoryWorld::new([("game.toml", manifest.as_str()), ("a.rules", GAME)])
}

/// An expansion of the game; `more` is the rest of its manifest.
pub fn expansion(name: &str, more: &str, rules: &str) -> MemoryWorld {
    let manifest = manifest(name, &format!("kind = \"expansion\"\nextends = {{ forge = \"1.0.0\" }}\n{more}"));
    let world = MemoryWorld::new([("game.toml", manifest.as_str()), ("a.rules", rules)]);
    MemoryWorld { prefix: format!("{name}/"), ..world }
}

pub fn package(with: &[&MemoryWorld]) -> Package {
    let expansions = with.iter().map(|world| Package::memory(world.prefix.trim_end_matches('/'), (*world).clone()));
    Package::memory("forge", base()).with(expansions.collect())
}

pub fn load(with: &[&MemoryWorld]) -> Arc<Game> {
    match Game::load(&package(with), &Options::new(), None) {
        Ok(game) => Arc::new(game),
        Err(error) => panic!("{}", error.report(false)),
    }
}

pub fn codes(with: &[&MemoryWorld]) -> Vec<Code> {
    let checked = Checked::new(&package(with), &Options::new(), None).unwrap();
    checked.diagnostics.iter().filter(|found| found.is_error()).map(|found| found.code).collect()
}

/// The names of all definitions with their first fields.
fn cards(game: &Game) -> String {
    let dump = cardwright::model::dump(&game.rules);
    let lines = dump.lines().filter(|line| line.contains("  cost ") || line.starts_with("tool "));
    lines.map(|line| line.trim()).collect::<Vec<_>>().join(" ")
}

fn names(game: &Game) -> Vec<&str> {
    game.expansions.iter().map(|expansion| expansion.name.as_str()).collect()
}

#[test]
fn what_is_not_active_has_no_effect() {
    let alone = load(&[]);
    let mut beside = base();
    beside.neighbours.insert("more".to_owned(), expansion("more", "", "remove tool \"Tongs\""));
    let beside = Game::load(&Package::memory("forge", beside), &Options::new(), None).unwrap();
    assert_eq!(beside.program.dump(), alone.program.dump());
    assert_eq!((&beside.digest, beside.expansions.len()), (&alone.digest, 0));
    let empty = load(&[&expansion("more", "", "")]);
    assert_eq!(empty.program.dump(), alone.program.dump());
    assert_ne!(empty.digest, alone.digest);
}

#[test]
fn dependencies_come_first_and_else_names_count() {
    let first = expansion("first", "", "tool \"Saw\" { cost: 3 }");
    let second = expansion("second", "dependencies = { first = \"^1.0.0\" }", "patch tool \"Saw\" { cost: 4 }");
    let third = expansion("third", "", "tool \"Rasp\" { cost: 5 }");
    for with in [[&second, &third, &first], [&third, &second, &first], [&first, &third, &second]] {
        assert_eq!(names(&load(&with)), ["first", "second", "third"]);
    }
    let early = expansion("early", "overrides = [\"second\"]", "");
    assert_eq!(names(&load(&[&early, &second, &first])), ["first", "second", "early"], "it has the last word");
    assert_eq!(codes(&[&second]), [Code::MissingDependency]);
    let mut second = second;
    second.neighbours.insert("first".to_owned(), first.clone());
    let found = load(&[&second]);
    assert_eq!(names(&found), ["first", "second"]);
    assert_eq!(cards(&found), cards(&load(&[&first, &second])));
}

#[test]
fn a_wrong_version_of_a_dependency_is_an_error() {
    let first = expansion("first", "", "");
    let second = expansion("second", "dependencies = { first = \"^2.0.0\" }", "");
    assert_eq!(codes(&[&first, &second]), [Code::VersionConflict]);
}

#[test]
fn the_one_that_overrides_wins_in_any_order() {
    let cheap = expansion("cheap", "", "patch tool \"Hammer\" { cost: 7  use { note \"cheap\" } }");
    let dear = expansion("dear", "overrides = [\"cheap\"]", "patch tool \"Hammer\" { cost: 9 }");
    let dump = |with: &[&MemoryWorld]| cardwright::model::dump(&load(with).rules);
    let (one, other) = (dump(&[&cheap, &dear]), dump(&[&dear, &cheap]));
    for text in [&one, &other] {
        assert!(text.contains("  cost 9\n") && !text.contains("  cost 7\n"), "{text}");
        assert!(text.contains("note \"cheap\""), "what is not contradicted stands: {text}");
    }
    let dear = expansion("dear", "", "patch tool \"Hammer\" { cost: 9 }");
    assert_eq!(codes(&[&cheap, &dear]), [Code::ConflictingChanges]);
    assert_eq!(codes(&[&dear, &cheap]), [Code::ConflictingChanges]);
}

/// Whatever orders things in play: setups, replacements, hooks, cards in a shuffled pile.
#[test]
fn the_same_seed_gives_the_same_game_in_any_order_of_the_names() {
    let kinds = "patch zone bench { holds: tool }\n";
    let world = |name: &str, more: &str| {
        let card = format!("tool \"{name} one\" {{ cost: 3 }} tool \"{name} two\" {{ cost: 4 }}\n");
        expansion(name, "", &format!("{card}{kinds}{more}"))
    };
    let worlds = [
        world(
            "brass",
            "patch setup { increase game.heat by 2 } rule brass { after drop c { increase game.heat by 1 } }",
        ),
        world(
            "copper",
            "patch setup { set game.heat = game.heat * 3 } rule copper { after drop c { set game.heat = game.heat * 2 } }",
        ),
        world("alloy", "rule alloy { instead drop c where game.heat > 9 { set game.heat = 0  move c to bin } }"),
    ];
    let mut forge = base();
    let rules = format!(
        "{GAME}\ngame {{ counter heat: 0..99 }}\nsetup {{ increase game.heat by 1  shuffle bench }}\noption hot: 0..9 = 1\nrule heat {{ check game.heat > 90 + hot {{ end game }} }}"
    );
    forge.files.insert("a.rules".to_owned(), rules.replace("inplay: true }", "inplay: true  order: pile }"));
    let play = |order: [usize; 3]| {
        let with = order.map(|at| Package::memory(worlds[at].prefix.trim_end_matches('/'), worlds[at].clone()));
        let game = Game::load(&Package::memory("forge", forge.clone()).with(with.to_vec()), &Options::new(), None);
        let game = Arc::new(game.unwrap_or_else(|error| panic!("{}", error.report(false))));
        let setup = Setup { seed: 5, seats: vec!["human".to_owned(); 2] };
        let mut session = Session::new(Arc::clone(&game), setup, None).unwrap();
        while session.decision().is_some() {
            session.choose(0).unwrap();
        }
        (
            game.program.dump(),
            game.digest.clone(),
            cardwright::play::record::whole(&session, cardwright::play::record::Told::All),
        )
    };
    let first = play([0, 1, 2]);
    assert!(first.2.matches("\nplay ").count() > 4, "{}", first.2);
    for order in [[0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
        assert_eq!(play(order), first);
    }
}

#[test]
fn whole_items_and_parts_of_them_are_told_apart() {
    let patch = expansion("patch", "", "patch tool \"Hammer\" { cost: 7 }");
    let gone = expansion("gone", "overrides = [\"patch\"]", "remove tool \"Hammer\"");
    assert!(!cards(&load(&[&gone, &patch])).contains("Hammer"));
    let gone_too = expansion("too", "", "remove tool \"Hammer\"");
    let gone = expansion("gone", "", "remove tool \"Hammer\"");
    assert!(!cards(&load(&[&gone, &gone_too])).contains("Hammer"), "both remove it");
    assert_eq!(codes(&[&patch, &gone]), [Code::ConflictingChanges]);
    let new = expansion("new", "", "tool \"Saw\" { cost: 3 }");
    let newer = expansion("newer", "overrides = [\"new\"]", "tool \"Saw\" { cost: 8 }");
    for with in [[&new, &newer], [&newer, &new]] {
        let text = cardwright::model::dump(&load(&with).rules);
        assert!(text.contains("  cost 8\n") && !text.contains("  cost 3\n"), "{text}");
    }
}

#[test]
fn things_that_grow_do_not_conflict() {
    let one = expansion(
        "one",
        "",
        "kind nail : card { field weight: number = 1 }\npatch zone bench { holds: nail }\nnail \"Nail\" { }\n\
         patch zone bench { starts: nail }\ndefine nails: set of nail = bench where it is nail\nrule nailed { check count nails > 9 { end game } }
         patch kind tool { after drop c { note \"one\" } }",
    );
    let two =
        expansion("two", "", "patch kind tool { after drop c { note \"two\" } }\npatch zone bench { holds: tool }");
    let dump = cardwright::model::dump(&load(&[&one, &two]).rules);
    assert!(dump.contains("note \"one\"") && dump.contains("note \"two\""), "{dump}");
    // What has one value does not grow.
    let limits = ["3 tool", "4 tool", "5"].map(|limit| {
        expansion(&format!("at-most-{}", &limit[..1]), "", &format!("patch zone bin {{ limit: {limit} }}"))
    });
    assert_eq!(codes(&[&limits[0], &limits[1]]), [Code::ConflictingChanges]);
    assert_eq!(codes(&[&limits[2], &limits[0]]), [Code::ConflictingChanges]);
    let window = expansion(
        "window",
        "",
        "window hot from mover { rest }\naction rest { }\naction cool { }\nrule heat { after drop c { open hot } }",
    );
    let more = expansion(
        "more",
        "dependencies = { window = \"1.0.0\" }",
        "patch window hot { silent when me = mover  quietly cool }",
    );
    let dump = cardwright::model::dump(&load(&[&window, &more]).rules);
    assert!(dump.contains("rest()\n") && dump.contains("quietly cool()") && dump.contains("silent when"), "{dump}");
    let silent =
        expansion("silent", "dependencies = { window = \"1.0.0\" }", "patch window hot { silent when round > 3 }");
    assert_eq!(codes(&[&window, &more, &silent]), [Code::ConflictingChanges]);
    let drops = expansion("drops", "", "patch kind tool { no clauses }");
    assert_eq!(codes(&[&drops, &two]), [Code::ConflictingChanges]);
    let drops = expansion("drops", "", "patch kind tool { no clauses  after drop c { note \"mine\" } }");
    let dump = cardwright::model::dump(&load(&[&drops]).rules);
    assert!(dump.contains("note \"mine\"") && !dump.contains("falls"), "{dump}");
}

#[test]
fn those_who_say_the_same_do_not_conflict() {
    let same = [
        ("", "patch tool \"Hammer\" { cost: 5 }"),
        ("", "patch tool \"Hammer\" { no use }"),
        (
            "",
            "patch kind tool { field weight: number = 1 }\ndefine heavy: number = sum weight of bench\nrule weighed { check heavy > 9 { end game } }",
        ),
        (
            "",
            "enum hue { red blue }\npatch kind tool { field glass: hue = red }\nrule blue_falls { after drop c where c.glass = blue { note \"blue\" } }",
        ),
        ("", "replace tool \"Hammer\" { cost: 6 }"),
        ("", "tool \"Saw\" { cost: 3 } // a saw"),
        ("", "patch zone bin { limit: 3 tool }"),
        ("options = { heat = 3 }", "option heat: 1..9 = 2\nrule hot { check count bin > heat { end game } }"),
        ("bounds = { turns = 9 }\n[variants.long]\noptions = { }", ""),
    ];
    let mut forge = base();
    forge.files.insert("a.rules".to_owned(), GAME.replace("{ cost: 1 }", "{ cost: 1  use { note \"used\" } }"));
    let load = |texts: [&str; 2], more: &str| {
        let with =
            ["one", "two"].iter().zip(texts).map(|(name, text)| Package::memory(name, expansion(name, more, text)));
        Checked::new(&Package::memory("forge", forge.clone()).with(with.collect()), &Options::new(), None).unwrap()
    };
    for (more, text) in same {
        let spaced = text.replace("{ ", "{  ").replace(" // a saw", "");
        let checked = load([text, &spaced], more);
        let errors = checked.diagnostics.iter().filter(|found| found.is_error()).map(|found| &found.message);
        assert_eq!(errors.collect::<Vec<_>>(), Vec::<&String>::new(), "{text}");
        let once = load([text, ""], more).sound.unwrap();
        assert_eq!(checked.sound.unwrap().1.dump(), once.1.dump(), "{text}: it is done once");
    }
    let (one, other) = ("enum hue { red blue }", "enum hue { red \"R\" blue }");
    let codes = |found: &Checked| found.diagnostics.iter().map(|found| found.code).collect::<Vec<_>>();
    assert!(codes(&load([one, other], "")).contains(&Code::ConflictingChanges), "labels are part of it");
}

#[test]
fn an_error_in_an_expansion_shows_the_change_of_another_that_brings_it() {
    let takes = expansion("one", "", "remove tool \"Hammer\"");
    let names = expansion("two", "", "rule none { cannot drop c where c is tool \"Hammer\" }");
    let checked = Checked::new(&package(&[&takes, &names]), &Options::new(), None).unwrap();
    let found: Vec<_> = checked.diagnostics.iter().filter(|found| found.is_error()).collect();
    assert!(
        matches!(found[..], [one] if one.labels.iter().any(|label| label.text.contains("takes it away here"))),
        "{found:?}"
    );
}

#[test]
fn an_error_in_the_game_shows_the_change_that_brings_it() {
    let told = |text: &str| {
        let checked = Checked::new(&package(&[&expansion("more", "", text)]), &Options::new(), None).unwrap();
        let inside = |found: &&cardwright::base::Diagnostic| {
            found.is_error() && !checked.sources.name(found.span.file).starts_with("more/")
        };
        let theirs: Vec<_> = checked.diagnostics.iter().filter(inside).collect();
        assert!(!theirs.is_empty(), "{text} breaks nothing: {:?}", checked.diagnostics);
        for found in &theirs {
            let shown = found.labels.iter().any(|label| checked.sources.name(label.span.file).starts_with("more/"));
            assert!(
                shown || found.note.contains("`more`") || found.note.contains("more like this"),
                "{text}: {found:?}"
            );
        }
        theirs.iter().flat_map(|found| &found.labels).map(|label| label.text.clone()).collect::<Vec<_>>().join(" ")
    };
    assert!(told("remove verb drop").contains("takes it away"));
    assert!(told("patch kind tool { no use }").contains("takes it away"));
    assert!(told("replace verb drop c: tool to p: player { move c to bin }").contains("here"));
    assert!(told("replace zone bin { holds: tool  seen: none }\nremove zone bench").contains("takes it away"));
    assert!(told("patch kind tool { field weight: 0..9 }").contains("declared here"));
    assert!(told("patch kind tool { field cost: flag }").contains("here"));
    assert!(told("define c: number = 3").contains("here"));
}

#[test]
fn players_bounds_options_and_variants_are_merged() {
    let more = expansion(
        "more",
        "options = { goal = 3 }\nbots = { greedy = \"points\" }\nplayers = { min = 2, max = 4 }\n[bounds]\nturns = 9\n[variants.long]\noptions = { goal = 5 }",
        "player { stat points: number = count bin }\noption goal: 1..9 = 2\nrule ends { check count bin > goal { end game } }",
    );
    let game = load(&[&more]);
    assert_eq!((game.rules.players, game.manifest.bounds.turns), ((2, 4), Some(9)));
    assert_eq!(game.rules.options[0].value, 3);
    assert_eq!(game.manifest.bots.greedy.as_deref(), Some("points"));
    let long = Game::load(&package(&[&more]), &Options::new(), Some("long")).unwrap();
    assert_eq!(long.rules.options[0].value, 5);
    let other = expansion("other", "players = { min = 2, max = 3 }\n[variants.long]\ndescription = \"x\"", "");
    assert_eq!(codes(&[&more, &other]), [Code::ConflictingChanges, Code::ConflictingChanges]);
}

#[test]
fn a_new_default_counts_instead_of_the_presets_of_the_game() {
    let manifest = manifest(
        "forge",
        "players = { min = 2, max = 2 }\n[options]\ngoal = 5\n[variants.long]\noptions = { goal = 8 }",
    );
    let rules = format!("{GAME}\noption goal: 1..9 = 3\nrule ends {{ check count bin > goal {{ end game }} }}");
    let base = MemoryWorld::new([("game.toml", manifest.as_str()), ("a.rules", rules.as_str())]);
    let goal = |more: &str, change: &str, variant: Option<&str>| {
        let more = Package::memory("more", expansion("more", more, change));
        let package = Package::memory("forge", base.clone()).with(vec![more]);
        let checked = Checked::new(&package, &Options::new(), variant).unwrap();
        let warned = checked.diagnostics.iter().any(|found| found.code == Code::VariantOverDefault);
        (checked.sound.unwrap().0.options[0].value, warned)
    };
    assert_eq!(goal("", "", None), (5, false));
    assert_eq!(goal("", "patch option goal = 7", None), (7, false));
    assert_eq!(goal("", "replace option goal: 1..20 = 15", None), (15, false));
    assert_eq!(goal("options = { goal = 4 }", "patch option goal = 7", None), (4, false), "its own preset");
    assert_eq!(goal("", "patch option goal = 7", Some("long")), (8, true), "what players ask for");
    let own = "[variants.short]\noptions = { goal = 1 }";
    assert_eq!(goal(own, "patch option goal = 7", Some("short")), (1, false));
}

#[test]
fn so_many_expansions_and_no_more() {
    let worlds: Vec<MemoryWorld> = (0..13).map(|number| expansion(&format!("e{number}"), "", "")).collect();
    let all: Vec<&MemoryWorld> = worlds.iter().collect();
    assert_eq!(load(&all[..12]).expansions.len(), 12);
    assert_eq!(codes(&all), [Code::PackageTooLarge]);
}

#[test]
fn scenarios_of_the_game_are_run_on_the_changed_game_only_if_asked() {
    let mut world = base();
    let scenario = "scenario \"tongs\" { expect count bench = 2  expect first(tool \"Tongs\") in bench }";
    world.files.insert("a.scenario".to_owned(), scenario.to_owned());
    let mut less = expansion("less", "", "remove tool \"Tongs\"");
    less.files.insert("b.scenario".to_owned(), "scenario \"less\" { expect count bench = 1 }".to_owned());
    let game = Package::memory("forge", world);
    let run = |package: Package| {
        let checked = Checked::new(&package, &Options::new(), None).unwrap();
        assert!(checked.sound.is_some(), "what a scenario of the game misses is no error");
        let game = Arc::new(Game::load(&package, &Options::new(), None).unwrap());
        let passed = |verdict: cardwright::play::scenario::Verdict| (verdict.title, verdict.failure.is_none());
        run_all(&game).unwrap().into_iter().map(passed).collect::<Vec<_>>()
    };
    let less = Package::memory("less", less);
    assert_eq!(run(game.clone()), [("tongs".to_owned(), true)]);
    assert_eq!(run(game.clone().with(vec![less.clone()])), [("tongs".to_owned(), false), ("less".to_owned(), true)]);
    assert_eq!(run(game.about(vec![less])), [("less".to_owned(), true)]);
}

#[test]
fn scenarios_of_the_game_alone_and_removed_ones_are_left_out() {
    let world = |mut world: MemoryWorld, text: &str| {
        world.files.insert("a.scenario".to_owned(), text.to_owned());
        world
    };
    let titles = |package: &Package| {
        let game = Arc::new(Game::load(package, &Options::new(), None).unwrap());
        let verdicts = run_all(&game).unwrap();
        assert!(verdicts.iter().all(|verdict| verdict.failure.is_none()), "{verdicts:?}");
        verdicts.into_iter().map(|verdict| verdict.title).collect::<Vec<_>>()
    };
    let count = |title: &str, number: u8| format!("scenario \"{title}\" {{ alone expect count bench = {number} }} ");
    let tongs = "scenario \"tongs\" { expect first(tool \"Tongs\").cost = 2 } ";
    let forge = Package::memory("forge", world(base(), &(count("two", 2) + tongs)));
    let third = "tool \"Anvil\" { cost: 4 }";
    let more = expansion("more", "", &format!("{third} patch tool \"Tongs\" {{ cost: 3 }}"));
    let remove = "remove scenario \"tongs\" ";
    let more = Package::memory("more", world(more, &(count("three", 3) + remove)));
    let other = "dependencies = { more = \"1.0.0\" }";
    let other = world(expansion("other", other, "tool \"Bellows\" { cost: 1 }"), &count("four", 4));
    let other = Package::memory("other", other);
    assert_eq!(titles(&forge), ["two", "tongs"]);
    assert_eq!(titles(&forge.clone().with(vec![more.clone()])), ["three"]);
    assert_eq!(titles(&forge.clone().about(vec![more.clone()])), ["three"]);
    // What a package depends on is no company; what depends on it is.
    assert_eq!(titles(&forge.clone().with(vec![more.clone(), other])), ["four"]);
    let codes = |text: &str, file: &str| {
        let mut one = expansion("one", "", "");
        one.files.insert(file.to_owned(), text.to_owned());
        let package = forge.clone().with(vec![Package::memory("one", one)]);
        let checked = Checked::new(&package, &Options::new(), None).unwrap();
        checked.diagnostics.iter().map(|found| (found.code, found.help.clone())).collect::<Vec<_>>()
    };
    let missing = codes("remove scenario \"tong\"", "b.scenario");
    assert_eq!(missing, [(Code::NothingToChange, Some("did you mean `scenario \"tongs\"`?".to_owned()))]);
    assert!(matches!(&codes(remove, "b.rules")[..], [(Code::WrongFile, _)]));
}

#[test]
fn scenarios_of_the_shipped_games_hold_with_their_expansions() {
    let content = root().join("content");
    for (game, expansion) in [("star-munchkin", "dungeon-detour"), ("monster-muncher", "down-below")] {
        let package = Package::folder(&content.join(game)).with(vec![Package::folder(&content.join(expansion))]);
        let game = Arc::new(Game::load(&package, &Options::new(), None).unwrap());
        let verdicts = run_all(&game).unwrap();
        let failed = verdicts.iter().filter(|verdict| verdict.failure.is_some()).map(|verdict| verdict.title.as_str());
        assert_eq!(failed.collect::<Vec<_>>(), Vec::<&str>::new());
        // Few need to be left out.
        assert!(verdicts.len() * 50 > game.scenarios.len() * 49);
    }
}

/// Changes that one expansion may make; each stands for a sort.
const CHANGES: [&str; 16] = [
    "tool \"Saw\" { cost: 3 }",
    "tool \"Rasp\" { cost: 4 }",
    "patch tool \"Hammer\" { cost: 5 }",
    "patch tool \"Hammer\" { use { note \"used\" } }",
    "patch tool \"Hammer\" { after drop c { note \"heard\" } }",
    "patch tool \"Hammer\" { copies: 2 }",
    "replace tool \"Hammer\" { cost: 6 }",
    "remove tool \"Hammer\"",
    "patch tool \"Tongs\" { cost: 7  copies: 3 }",
    "patch kind tool { field weight: number = 1  modify heft of this by weight  stat heft: number = 0 }\n\
     rule heavy { check some (bench where heft > 8) { end game } }",
    "patch kind tool { no clauses }",
    "patch kind tool { after drop c { note \"again\" } }",
    "patch zone bin { holds: tool  seen: all }",
    "patch zone bench { seen: all }",
    "replace verb drop c: tool { move c to bin  note \"{c} drops\" }",
    "replace define score(p: player): number = count bin",
];

/// What two expansions make of the game, or what is wrong.
fn outcome(with: &[&MemoryWorld]) -> Result<String, Vec<Code>> {
    let mut found = codes(with);
    found.sort();
    if !found.is_empty() {
        return Err(found);
    }
    Ok(cardwright::model::dump(&load(with).rules))
}

#[test]
fn the_order_in_which_players_name_expansions_settles_nothing() {
    let world = |name: &str, more: &str, change: &str| expansion(name, more, change);
    let (mut sound, mut conflicts) = (0, 0);
    for (at, one) in CHANGES.iter().enumerate() {
        let first = world("one", "", one);
        assert!(outcome(&[&first]).is_ok(), "{one}: {:?}", codes(&[&first]));
        for other in &CHANGES[at + 1..] {
            let second = world("two", "", other);
            let both = outcome(&[&first, &second]);
            assert_eq!(both, outcome(&[&second, &first]), "{one}\n{other}");
            // Whose name comes first says nothing about whether they go together.
            let swapped = outcome(&[&world("two", "", one), &world("one", "", other)]);
            assert_eq!(swapped.as_ref().err(), both.as_ref().err(), "{one}\n{other}");
            let first_wins = outcome(&[&world("one", "overrides = [\"two\"]", one), &second]);
            assert!(first_wins.is_ok(), "{one}\n{other}\n{first_wins:?}");
            match both {
                Ok(_) => sound += 1,
                Err(codes) => {
                    assert!(codes.iter().all(|code| *code == Code::ConflictingChanges), "{one}\n{other}\n{codes:?}");
                    conflicts += 1;
                    let second = world("two", "overrides = [\"one\"]", other);
                    let both = outcome(&[&first, &second]);
                    assert!(both.is_ok(), "{one}\n{other}\n{both:?}");
                    assert_eq!(both, outcome(&[&second, &first]), "{one}\n{other}");
                }
            }
        }
    }
    assert!(sound > 80 && conflicts > 10, "{sound} sound, {conflicts} conflicts");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    /// A text from which something was cut out is checked like any other.
    #[test]
    fn a_damaged_expansion_is_loaded_or_has_errors(
        picks in prop::collection::vec(0..CHANGES.len(), 1..5),
        from in 0usize..400,
        length in 0usize..60,
    ) {
        let text: String = picks.iter().map(|pick| format!("{}\n", CHANGES[*pick])).collect();
        let at = |index: usize| index.min(text.len());
        let damaged = format!("{}{}", &text[..at(from)], &text[at(from + length)..]);
        let more = expansion("more", "", &damaged);
        let checked = Checked::new(&package(&[&more]), &Options::new(), None).unwrap();
        let errors = checked.diagnostics.iter().any(|found| found.is_error());
        prop_assert_eq!(checked.sound.is_some(), !errors);
        for found in &checked.diagnostics {
            prop_assert!(found.span.end as usize <= checked.sources.text(found.span.file).len());
        }
    }
}

#[test]
fn two_packages_of_one_name_are_an_error() {
    let (one, mut other) = (expansion("more", "", ""), expansion("more", "", "tool \"Saw\" { cost: 3 }"));
    assert_eq!(load(&[&one, &one]).expansions.len(), 1, "naming it twice is naming it");
    other.prefix = "elsewhere/".to_owned();
    assert_eq!(codes(&[&one, &other]), [Code::BadExpansion]);
    assert!(codes(&[&expansion("forge", "", "")]).contains(&Code::BadExpansion));
}

#[test]
fn what_is_wrong_with_packages_is_one_error() {
    let changes = "patch tool \"Hammer\" { cost: 5 } replace verb drop c: tool { } patch setup { shuffle bin }";
    let mut game = expansion("game", "", GAME);
    game.files.insert("game.toml".to_owned(), manifest("game", "players = { min = 2, max = 2 }"));
    assert_eq!(codes(&[&game]), [Code::BadExpansion]);
    assert_eq!(codes(&[&expansion("lost", "dependencies = { tin = \"1.0.0\" }", changes)]), [Code::MissingDependency]);
    let torn = expansion("torn", "[dependencies", changes);
    assert_eq!(codes(&[&torn]), [Code::BadToml]);
    let circle = ["one", "two", "three"]
        .iter()
        .zip(["two", "three", "one"])
        .map(|(name, other)| expansion(name, &format!("overrides = [\"{other}\"]"), "tool \"Hammer\" { cost: 3 }"));
    let circle: Vec<MemoryWorld> = circle.collect();
    assert_eq!(codes(&circle.iter().collect::<Vec<_>>()), [Code::PackageCycle]);
    let itself = manifest("forge", "players = { min = 2, max = 2 }\n[dependencies]\nforge = \"1.0.0\"");
    let mut world = base();
    world.files.insert("game.toml".to_owned(), itself);
    world.neighbours.insert("forge".to_owned(), world.clone());
    let checked = Checked::new(&Package::memory("forge", world), &Options::new(), None).unwrap();
    assert_eq!(checked.diagnostics.iter().map(|found| found.code).collect::<Vec<_>>(), [Code::PackageCycle]);
}

#[test]
fn a_name_in_overrides_that_is_of_no_package_fails() {
    let one = expansion("one", "", "");
    let two = |name: &str| expansion("two", &format!("overrides = [\"{name}\"]"), "");
    assert_eq!(codes(&[&one, &two("onn")]), [Code::MissingDependency]);
    assert_eq!(codes(&[&one, &two("forge")]), [Code::BadExpansion]);
    assert_eq!(codes(&[&one, &two("one")]), []);
    // Nobody need have all that an expansion gets on with; who checks it is told, beside the game or alone.
    assert_eq!(codes(&[&two("elsewhere")]), []);
    let package = Package::memory("forge", base()).with(vec![Package::memory("two", two("elsewhere"))]);
    assert!(Game::load(&package, &Options::new(), None).is_ok());
    let about = |world: MemoryWorld| {
        let package = Package::memory("forge", base()).about(vec![Package::memory("two", world)]);
        let checked = Checked::new(&package, &Options::new(), None).unwrap();
        checked.diagnostics.iter().map(|found| found.code).collect::<Vec<_>>()
    };
    assert_eq!(about(two("elsewhere")), [Code::OverridesNothing]);
    let mut beside = two("elsewhere");
    beside.neighbours.insert("elsewhere".to_owned(), expansion("elsewhere", "", ""));
    assert_eq!(about(beside), []);
}

#[test]
fn a_title_of_a_scenario_is_that_of_one_in_its_package() {
    let of = |name: &str, scenarios: &str| {
        let mut world = expansion(name, "", "");
        world.files.insert("a.scenario".to_owned(), scenarios.to_owned());
        world
    };
    let scenario = "scenario \"it begins\" { expect count bench = 2 }\n";
    let (one, two) = (of("one", scenario), of("two", scenario));
    let found = |with: &[&MemoryWorld]| {
        let checked = Checked::new(&package(with), &Options::new(), None).unwrap();
        checked.findings().iter().map(|found| found.code).collect::<Vec<_>>()
    };
    assert_eq!(found(&[&one, &two]), []);
    assert_eq!(found(&[&of("one", &scenario.repeat(2))]), [Code::Duplicate]);
}

#[test]
fn scenarios_of_a_game_begin_with_its_own_fewest_players() {
    let mut forge = base();
    forge.files.insert("a.scenario".to_owned(), "scenario \"two\" { expect count players = 2 }".to_owned());
    let scenario =
        |players: u8| ("b.scenario".to_owned(), format!("scenario \"solo\" {{ expect count players = {players} }}"));
    let run = |players: &str, own: u8| {
        let mut solo = expansion("solo", players, "tool \"Saw\" { cost: 3 }");
        solo.files.extend([scenario(own)]);
        for about in [false, true] {
            let package = Package::memory("forge", forge.clone());
            let expansions = vec![Package::memory("solo", solo.clone())];
            let package = if about { package.about(expansions) } else { package.with(expansions) };
            let game = Game::load(&package, &Options::new(), None).unwrap();
            let verdicts = run_all(&Arc::new(game)).unwrap();
            assert!(!verdicts.is_empty());
            for verdict in verdicts {
                let failure = verdict.failure.map(|failure| failure.report());
                assert_eq!(failure, None, "{players}: {}", verdict.title);
            }
        }
    };
    run("players = { min = 1, max = 4 }", 1);
    run("players = { counts = [1, 2, 4] }", 1);
    run("", 2);
}
