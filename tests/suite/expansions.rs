//! Expansions: what they make of a game, in which order, what gives way, and that without them nothing is otherwise.

use super::support::{cardwright, game, root, stderr, stdout};
use cardwright::base::{Code, MemoryWorld};
use cardwright::play::scenario::run_all;
use cardwright::play::{Checked, Game, Options, Package, PlayError, Player, Reload, Saved, Session, Setup, Table};
use proptest::prelude::*;
use std::path::Path;
use std::sync::Arc;

const GAME: &str = "
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

fn manifest(name: &str, more: &str) -> String {
    format!("name = \"{name}\"\ntitle = \"{name}\"\nversion = \"1.0.0\"\nedition = 1\n{more}\n")
}

fn base() -> MemoryWorld {
    let manifest = manifest("forge", "players = { min = 2, max = 2 }");
    MemoryWorld::new([("game.toml", manifest.as_str()), ("a.rules", GAME)])
}

/// An expansion of the game; `more` is the rest of its manifest.
fn expansion(name: &str, more: &str, rules: &str) -> MemoryWorld {
    let manifest = manifest(name, &format!("kind = \"expansion\"\nextends = {{ forge = \"1.0.0\" }}\n{more}"));
    let world = MemoryWorld::new([("game.toml", manifest.as_str()), ("a.rules", rules)]);
    MemoryWorld { prefix: format!("{name}/"), ..world }
}

fn package(with: &[&MemoryWorld]) -> Package {
    let expansions = with.iter().map(|world| Package::memory(world.prefix.trim_end_matches('/'), (*world).clone()));
    Package::memory("forge", base()).with(expansions.collect())
}

fn load(with: &[&MemoryWorld]) -> Arc<Game> {
    match Game::load(&package(with), &Options::new(), None) {
        Ok(game) => Arc::new(game),
        Err(error) => panic!("{}", error.report(false)),
    }
}

fn codes(with: &[&MemoryWorld]) -> Vec<Code> {
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
fn dependencies_come_first_and_else_the_given_order_counts() {
    let first = expansion("first", "", "tool \"Saw\" { cost: 3 }");
    let second = expansion("second", "dependencies = { first = \"^1.0.0\" }", "patch tool \"Saw\" { cost: 4 }");
    let third = expansion("third", "", "tool \"Rasp\" { cost: 5 }");
    assert_eq!(names(&load(&[&second, &third, &first])), ["first", "second", "third"]);
    assert_eq!(names(&load(&[&third, &second, &first])), ["third", "first", "second"]);
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

#[test]
fn a_saved_game_names_its_expansions_and_notices_changes() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("evening.save");
    let more = expansion("more", "", "tool \"Saw\" { cost: 3 }");
    let setup = Setup { seed: 1, seats: vec!["human".to_owned(); 2] };
    let mut session = Session::new(load(&[&more]), setup, Some(&path)).unwrap();
    session.choose(0).unwrap();
    let hash = session.hash();
    drop(session);
    let saved = Saved::read(&path).unwrap();
    assert_eq!(saved.header.expansions(), ["more"]);
    let (same, problems) = Session::replay(load(&[&more]), &saved).unwrap();
    assert_eq!((same.hash(), problems.as_slice()), (hash, [].as_slice()));
    let changed = expansion("more", "", "tool \"Saw\" { cost: 4 }");
    let (_, problems) = Session::replay(load(&[&changed]), &saved).unwrap();
    assert!(
        problems.iter().any(|line| line.contains("the content of the expansion `more` has changed")),
        "{problems:?}"
    );
    let mut newer = changed.clone();
    let manifest = newer.files["game.toml"].replace("version = \"1.0.0\"", "version = \"1.1.0\"");
    newer.files.insert("game.toml".to_owned(), manifest);
    let (_, problems) = Session::replay(load(&[&newer]), &saved).unwrap();
    assert!(
        problems.iter().any(|line| line.contains("had version 1.0.0") && line.contains("1.1.0 now")),
        "{problems:?}"
    );
    let (_, problems) = Session::replay(load(&[]), &saved).unwrap();
    assert!(problems.iter().any(|line| line.contains("`more`, which is not loaded")), "{problems:?}");
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

/// What two expansions make of the game, without regard to the order of what both add; or what is wrong.
fn outcome(with: &[&MemoryWorld]) -> Result<Vec<String>, Vec<Code>> {
    let mut found = codes(with);
    found.sort();
    if !found.is_empty() {
        return Err(found);
    }
    let dump = cardwright::model::dump(&load(with).rules);
    // Procedures and clauses are numbered in the order in which they stand.
    let plain = |line: &str| {
        let said = ["cost ", "copies ", "note "].iter().any(|word| line.contains(word));
        line.chars().filter(|letter| said || !letter.is_ascii_digit()).collect::<String>()
    };
    let mut lines: Vec<String> = dump.lines().map(plain).collect();
    lines.sort();
    Ok(lines)
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
fn an_edited_expansion_is_taken_up_in_play() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, world: &MemoryWorld| {
        let to = folder.path().join(name);
        std::fs::create_dir_all(&to).unwrap();
        for (path, text) in &world.files {
            std::fs::write(to.join(path), text).unwrap();
        }
        Package::folder(&to)
    };
    let game = write("forge", &base());
    let more = write("more", &expansion("more", "", "tool \"Saw\" { cost: 3 }"));
    let game = Arc::new(Game::load(&game.with(vec![more]), &Options::new(), None).unwrap());
    let mut table = Table::new(game, vec![Player::Human, Player::Human], 1, None).unwrap();
    table.session_mut().choose_key("play Saw").unwrap();
    assert!(matches!(table.reload(), Reload::Unchanged));
    write("more", &expansion("more", "", "tool \"Saw\" { cost: 8 }"));
    assert!(matches!(table.reload(), Reload::Complete { decisions: 1 }));
    assert_eq!(table.session_mut().header().expansions(), ["more"]);
    write("more", &expansion("more", "", "remove tool \"Tongs\""));
    assert!(matches!(table.reload(), Reload::Stopped { kept: 0, of: 1, .. }));
    write("more", &expansion("more", "", "remove tool \"Tong\""));
    let Reload::Broken { report } = table.reload() else { panic!("it is broken") };
    assert!(report.contains("did you mean `tool \"Tongs\"`?"), "{report}");
}

/// The command line, in the repository.
fn run(args: &[&str]) -> (String, String) {
    let output = cardwright(&root(), args, "");
    (stdout(&output), stderr(&output))
}

#[test]
fn the_page_of_the_shipped_expansion_shows_what_the_program_prints() {
    let (origin, _) = run(&["check", "monster-muncher", "--with", "down-below", "--origin", "Mixed Platter"]);
    let page = std::fs::read_to_string(root().join("docs/games/down-below.md")).unwrap();
    assert!(origin.lines().count() > 4 && page.contains(&origin), "{origin}");
    let readme = std::fs::read_to_string(root().join("content/down-below/cards/burrower.cards")).unwrap();
    assert_eq!(readme.matches("\n  tier: ").count() + readme.matches("party: burrower").count(), 12, "twelve cards");
}

#[test]
fn an_expansion_is_played_with_its_game() {
    let (_, error) = run(&["play", "down-below"]);
    assert!(error.contains("`monster-muncher --with down-below`"), "{error}");
    let (_, error) = run(&["play", "tic-tac-toe", "--with", "down-below"]);
    assert!(error.contains("error[E0618]") && error.contains("it extends `monster-muncher`"), "{error}");
    let (_, error) = run(&["play", "monster-muncher", "--with", "down-bellow"]);
    assert!(error.contains("did you mean `down-below`?"), "{error}");
    let (list, _) = run(&["list"]);
    let game = list.find("monster-muncher ").unwrap();
    assert!(list[game..].contains("--with down-below: Twelve cards"), "{list}");
    let (checked, note) = run(&["check", "monster-muncher", "--with", "down-below", "--stats"]);
    assert!(
        checked.contains("definitions       92 (92 copies)") && note.contains("0 errors, 0 warnings"),
        "{checked}{note}"
    );
    let (record, _) = run(&["bench", "monster-muncher", "--with", "down-below", "--games", "2", "--json"]);
    assert!(record.contains("\"games\":2"), "{record}");
}

#[test]
fn the_origin_of_a_card_tells_what_gives_way_and_what_is_gone() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, world: &MemoryWorld| {
        for (path, text) in &world.files {
            let path = folder.path().join(name).join(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }
    };
    write("forge", &base());
    write("cheap", &expansion("cheap", "", "patch tool \"Hammer\" {\n  cost: 7\n}\nremove tool \"Tongs\""));
    write("dear", &expansion("dear", "overrides = [\"cheap\"]", "patch tool \"Hammer\" { cost: 9 }"));
    let origin = |name: &str| {
        let args = ["check", "./forge", "--with", "./cheap,./dear", "--origin", name];
        let output = cardwright(folder.path(), &args, "");
        (stdout(&output), stderr(&output))
    };
    let wanted = "\
tool      forge  ./forge/a.rules:9  \"Hammer\"
  cost    dear   ./dear/a.rules:1   cost: 9
  clause  forge  ./forge/a.rules:2  after drop c { note \"{c} falls\" }  (of every tool)
  cost    cheap  ./cheap/a.rules:2  cost: 7  (gives way to `dear`)
";
    assert_eq!(origin("Hammer").0, wanted);
    let (_, error) = origin("Tongs");
    assert!(error.contains("has no definition \"Tongs\": it is taken away at ./cheap/a.rules:4"), "{error}");
}

#[test]
fn a_new_expansion_is_sound() {
    let folder = tempfile::tempdir().unwrap();
    let command = |args: &[&str]| {
        let output = cardwright(folder.path(), args, "");
        (stdout(&output), stderr(&output))
    };
    for (game, cards) in [("monster-muncher", "81 copies"), ("tic-tac-toe", "0 copies")] {
        let name = format!("more-{game}");
        let (_, said) = command(&["new", &name, "--expands", game]);
        assert!(said.contains(&format!("cardwright play {game} --with ./{name} --watch")), "{said}");
        let (stats, said) = command(&["check", &format!("./{name}"), "--stats"]);
        assert!(said.contains("0 errors, 0 warnings") && stats.contains(cards), "{stats}{said}");
        let (changes, _) = command(&["fmt", "--check", &name]);
        assert_eq!(changes, "", "it is formatted");
        let (tested, said) = command(&["test", &format!("./{name}"), "--random", "0"]);
        let scenarios = if cards.starts_with('0') { 1 } else { 2 };
        assert!(tested.contains(&format!("{scenarios} of {scenarios} scenarios passed")), "{tested}{said}");
    }
}

#[test]
fn a_saved_game_is_gone_on_with_and_replayed_with_its_expansions() {
    let folder = tempfile::tempdir().unwrap();
    let save = folder.path().join("evening.save");
    let save = save.to_str().unwrap();
    let play =
        ["play", "monster-muncher", "--with", "down-below", "--players", "random,random", "--seed", "7", "--plain"];
    let (record, _) = run(&[play.as_slice(), &["--save", save]].concat());
    let (replayed, error) = run(&["replay", save]);
    let keys =
        |text: &str| text.lines().filter(|line| line.starts_with("play ")).map(str::to_owned).collect::<Vec<_>>();
    assert!(keys(&record).len() > 5 && keys(&record) == keys(&replayed), "{error}");
    let (_, error) = run(&["play", "monster-muncher", "--save", save, "--plain"]);
    assert!(error.contains("going on after decision") && !error.contains("has changed"), "{error}");
    let (shown, _) = run(&["show", "monster-muncher", "--save", save]);
    assert!(shown.contains("deck: "), "{shown}");
}

#[test]
fn no_path_of_an_expansion_leaves_its_folder() {
    let folder = tempfile::tempdir().unwrap();
    let write = |path: &str, text: &str| {
        let path = folder.path().join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    };
    write("forge/game.toml", &base().files["game.toml"]);
    write("forge/a.rules", GAME);
    let head = "kind = \"expansion\"\nextends = { forge = \"1.0.0\" }\n";
    write("bad/game.toml", &manifest("bad", &format!("{head}rules = [\"../forge/*.rules\"]")));
    write("worse/game.toml", &manifest("worse", &format!("{head}[dependencies]\n\"../forge\" = \"1.0.0\"")));
    let check = |name: &str| {
        let folder: &Path = folder.path();
        let package = Package::folder(&folder.join("forge")).with(vec![Package::folder(&folder.join(name))]);
        match Game::load(&package, &Options::new(), None) {
            Err(error @ PlayError::Content { .. }) => error.report(false),
            _ => panic!("{name} was loaded"),
        }
    };
    assert!(check("bad").contains("error[E0609]"));
    let worse = check("worse");
    assert!(worse.contains("error[E0604]") && worse.contains("error[E0613]"), "{worse}");
    assert!(game("monster-muncher + down-below").package.path().is_some());
}
