//! Expansions as people use them: saves that name them, the command line, snapshots, origins, edits while playing.

use super::expansions::{GAME, base, expansion, load, manifest};
use super::support::{cardwright, game, root, stderr, stdout};
use cardwright::base::MemoryWorld;
use cardwright::play::{Game, Options, Package, PlayError, Player, Reload, Saved, Session, Setup, Table};
use std::path::Path;
use std::sync::Arc;

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
    assert!(problems.iter().any(|line| line.contains("the content of `more` 1.0.0 has changed")), "{problems:?}");
    let mut newer = changed.clone();
    let manifest = newer.files["game.toml"].replace("version = \"1.0.0\"", "version = \"1.1.0\"");
    newer.files.insert("game.toml".to_owned(), manifest);
    let (_, problems) = Session::replay(load(&[&newer]), &saved).unwrap();
    assert!(
        problems.iter().any(|line| line.contains("`more` was 1.0.0 and is 1.1.0 now, with other content")),
        "{problems:?}"
    );
    let mut renamed = more.clone();
    let manifest = renamed.files["game.toml"].replace("version = \"1.0.0\"", "version = \"1.1.0\"");
    renamed.files.insert("game.toml".to_owned(), manifest);
    renamed.files.insert("b.scenario".to_owned(), "scenario \"saw\" { expect count bench = 3 }".to_owned());
    let renamed = load(&[&renamed]);
    assert!(saved.same_content(&renamed), "neither a version nor a scenario says anything of play");
    let (_, problems) = Session::replay(renamed, &saved).unwrap();
    assert_eq!(problems, ["`more` was 1.0.0 and is 1.1.0 now, which changes nothing in play"]);
    let (_, problems) = Session::replay(load(&[]), &saved).unwrap();
    assert!(problems.iter().any(|line| line.contains("with `more` 1.0.0, which does not take part")), "{problems:?}");
    let (_, problems) = Session::replay(load(&[&more, &expansion("new", "", "")]), &saved).unwrap();
    assert_eq!(problems, ["it was saved without `new` 1.0.0"]);
}

#[test]
fn a_save_with_other_expansions_is_not_written_before_somebody_agrees() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, world: &MemoryWorld| {
        for (path, text) in &world.files {
            let path = folder.path().join(name).join(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }
    };
    write("forge", &base());
    write("one", &expansion("one", "", "tool \"Saw\" { cost: 3 }"));
    write("two", &expansion("two", "", "tool \"Rasp\" { cost: 3 }"));
    let play = |more: &[&str], input: &str| {
        let args = ["play", "./forge", "--plain", "--save", "a.save"];
        let output = cardwright(folder.path(), &[&args, more].concat(), input);
        (output.status.code(), stdout(&output), stderr(&output))
    };
    let save = || std::fs::read_to_string(folder.path().join("a.save")).unwrap();
    let (code, ..) = play(&["--with", "./one,./two", "--players", "human,human"], "play Saw\nplay Rasp\n");
    assert_eq!((code, save().lines().count()), (Some(0), 3));
    let before = save();
    // The other order is the same set, and no `--with` is the set it was saved with.
    for with in [["--with", "two,one"].as_slice(), &[]] {
        let (code, _, error) = play(with, "");
        assert_eq!((code, save()), (Some(0), before.clone()), "{error}");
        assert!(error.contains("going on after decision 2"), "{error}");
    }
    let (code, _, error) = play(&["--with", "two"], "play Hammer\n");
    assert_eq!((code, save()), (Some(1), before.clone()), "{error}");
    for words in ["it was saved with `one` 1.0.0", "0 of 2 decisions fit", "nothing was written", "`--with one,two`"] {
        assert!(error.contains(words), "{words}: {error}");
    }
    assert!(error.contains("`--if-changed go-on` goes on after decision 0 and keeps a copy of the file"), "{error}");
    let (code, ..) = play(&["--with", "two", "--if-changed", "leave"], "play Hammer\n");
    assert_eq!((code, save()), (Some(0), before.clone()));
    let (_, _, error) = play(&["--with", "two", "--if-changed", "saved"], "play Hammer\n");
    let longer = save();
    assert!(longer.starts_with(&before) && longer.lines().count() == 4, "{error}");
    let (_, _, error) = play(&["--with", "two", "--if-changed", "go-on"], "play Hammer\n");
    assert!(error.contains("`a.save.before`"), "{error}");
    assert_eq!(std::fs::read_to_string(folder.path().join("a.save.before")).unwrap(), longer);
    assert!(save().starts_with(&longer) && save().lines().count() == 6, "{}", save());
    // From now on that is the set it was saved with.
    let (_, record, error) = play(&[], "");
    assert!(record.contains("# with two 1.0.0") && !record.contains("# with one"), "{record}{error}");
    let replayed = cardwright(folder.path(), &["replay", "a.save.before", "--game", "./forge"], "");
    assert!(stdout(&replayed).contains("play Rasp\n"), "{}", stderr(&replayed));
    let with = ["replay", "a.save.before", "--game", "./forge", "--with", "one"];
    let replayed = cardwright(folder.path(), &with, "");
    assert!(stdout(&replayed).contains("play Saw\n") && !stdout(&replayed).contains("play Rasp\n"));
    assert!(stderr(&replayed).contains("it was saved with `two` 1.0.0"), "{}", stderr(&replayed));
}

#[test]
fn a_copy_of_a_save_is_promised_only_where_one_is_kept() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, world: &MemoryWorld| {
        for (path, text) in &world.files {
            let path = folder.path().join(name).join(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }
    };
    write("forge", &base());
    write("one", &expansion("one", "", "tool \"Saw\" { cost: 3 }"));
    let play = |more: &[&str]| {
        let args = ["play", "./forge", "--plain", "--save", "a.save", "--players", "human,human"];
        stderr(&cardwright(folder.path(), &[&args, more].concat(), ""))
    };
    play(&[]);
    let said = play(&["--with", "./one"]);
    assert!(said.contains("`--if-changed go-on` goes on after decision 0\n"), "{said}");
    let said = play(&["--with", "./one", "--if-changed", "go-on"]);
    assert!(said.contains("going on after decision 0") && !said.contains("copy"), "{said}");
    let files = std::fs::read_dir(folder.path()).unwrap().map(|file| file.unwrap().file_name());
    assert_eq!(files.filter(|name| name.to_string_lossy().starts_with("a.save")).count(), 1);
}

#[test]
fn an_expansion_is_checked_with_the_games_it_extends_and_an_expansion_of_one_is_told_the_way() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, world: &MemoryWorld| {
        for (path, text) in &world.files {
            let path = folder.path().join(name).join(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }
    };
    write("forge", &base());
    write("more", &expansion("more", "", "tool \"Saw\" { cost: 3 }"));
    let mut third = expansion("third", "", "patch tool \"Saw\" { cost: 4 }");
    let extends = third.files["game.toml"].replace("forge =", "more =");
    third.files.insert("game.toml".to_owned(), extends);
    write("third", &third);
    let check = |args: &[&str]| {
        let output = cardwright(folder.path(), &[&["check"], args].concat(), "");
        (output.status.code(), stderr(&output))
    };
    assert_eq!(check(&["--with", "./more"]), (Some(0), "forge + more: 0 errors, 0 warnings\n".to_owned()));
    let (code, error) = check(&["--with", "./forge"]);
    assert!(code == Some(2) && error.contains("`forge` is a game and no expansion"), "{error}");
    let (code, error) = check(&["--with", "down-below"]);
    assert_eq!((code, error.as_str()), (Some(0), "monster-muncher + down-below: 0 errors, 0 warnings\n"));
    for args in [&["./third"][..], &["./forge", "--with", "./third"]] {
        let (code, error) = check(args);
        assert!(code == Some(1) && error.matches("error[").count() == 1, "{error}");
        assert!(
            error.contains("`extends = { forge = \"^1.0.0\" }`, and `dependencies = { more = \"^1.0.0\" }`"),
            "{error}"
        );
    }
}

#[test]
fn snapshots_of_an_expansion_are_compared_though_its_game_is_built_in() {
    let folder = tempfile::tempdir().unwrap();
    let write = |path: &str, text: &str| {
        let path = folder.path().join("frost").join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    };
    let test = |args: &[&str]| {
        let output = cardwright(folder.path(), &[&["test", "./frost", "--random", "0"], args].concat(), "");
        (output.status.code(), stdout(&output), stderr(&output))
    };
    let scenario = |title: &str, play: &str| format!("scenario \"{title}\" {{ play {play}  snapshot }}\n");
    let extends = "kind = \"expansion\"\nextends = { tic-tac-toe = \">=0.1.0\" }";
    write("game.toml", &manifest("frost", extends));
    write("a.rules", "setup { note \"cold\" }");
    write("s/a.scenario", &scenario("Frost: one", "\"a1\""));
    let (code, out, error) = test(&[]);
    assert!(code == Some(1) && out.contains("has no snapshot yet"), "{out}{error}");
    let (code, out, error) = test(&["--accept"]);
    assert!(code == Some(0) && out.contains("1 of 1"), "{out}{error}");
    let file = folder.path().join("frost/s/snapshots/frost__frost-one.snap");
    assert!(std::fs::read_to_string(&file).unwrap().contains("cold"));
    assert_eq!(test(&[]).0, Some(0));
    write("s/a.scenario", &scenario("Frost: one", "\"a2\""));
    let (code, out, _) = test(&[]);
    assert!(code == Some(1) && out.contains("differs from its snapshot"), "{out}");
    // Two titles never have one file.
    write("s/a.scenario", &[scenario("Frost: one", "\"a1\""), scenario("frost one", "\"a2\"")].concat());
    let (code, out, _) = test(&["--accept"]);
    assert!(code == Some(1) && out.contains("would be the file of \"Frost: one\""), "{out}");
    assert!(std::fs::read_to_string(&file).unwrap().contains("\na1\n"), "the first title has it");
    // The file of a scenario that was renamed is seen.
    write("s/a.scenario", &scenario("Ice", "\"a1\""));
    let (code, out, _) = test(&[]);
    assert!(
        code == Some(1) && out.contains("no scenario records the snapshot `./frost/s/snapshots/frost__frost-one.snap`"),
        "{out}"
    );
    let (code, out, error) = test(&["--accept"]);
    assert!(code == Some(0) && !file.exists(), "{out}{error}");
    assert!(folder.path().join("frost/s/snapshots/frost__ice.snap").exists());
    // What is left out of the comparison is said.
    let (_, out, _) = test(&["--with", "./frost"]);
    assert!(!out.contains("not compared"), "{out}");
    let output = cardwright(folder.path(), &["test", "tic-tac-toe", "--with", "./frost", "--random", "0"], "");
    assert!(stdout(&output).contains("2 snapshots are not compared"), "{}", stdout(&output));
    // Words that are in no title test nothing.
    let (code, _, error) = test(&["--only", "zzz"]);
    assert!(code == Some(1) && error.contains("no scenario has `zzz` in its title"), "{error}");
    assert_eq!(test(&["--only", "Ice"]).0, Some(0));
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
    // An expansion of one game stands for that game with it.
    let options = |args: &[&str]| run(&[&["options", "--seed", "5"], args].concat()).0;
    assert_eq!(options(&["down-below"]), options(&["monster-muncher", "--with", "down-below"]));
    assert_ne!(options(&["down-below"]), options(&["monster-muncher"]));
    let (_, error) = run(&["play", "tic-tac-toe", "--with", "down-below"]);
    assert!(error.contains("error[E0618]") && error.contains("it extends `monster-muncher`"), "{error}");
    let (_, error) = run(&["play", "monster-muncher", "--with", "down-bellow"]);
    assert!(error.contains("did you mean `down-below`?"), "{error}");
    let (list, _) = run(&["list"]);
    let game = list.find("monster-muncher ").unwrap();
    assert!(list[game..].contains("--with down-below 0.1.0: Twelve cards"), "{list}");
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
    write(
        "dear",
        &expansion(
            "dear",
            "overrides = [\"cheap\"]",
            "rule dear { after drop c { note \"dear\" } }\npatch enum hue { red }\npatch option goal = 4\npatch window hot { rest }\npatch player { modify light of this by 1 }\npatch define much { 3 becomes 4 }",
        ),
    );
    let more = "enum hue { blue }\noption goal: 1..9 = 2\nplayer { stat light: number = goal }\nwindow hot from mover { rest }\naction rest { }\ndefine much: number = 2 + 3";
    write("forge", &MemoryWorld::new([("b.rules", more)]));
    let parts = |name: &str| {
        let out = origin(name).0;
        let words = |line: &str| line.split_whitespace().take(3).collect::<Vec<_>>().join(" ").replace("./", "");
        out.lines().map(words).collect::<Vec<_>>()
    };
    let much = ["define forge forge/b.rules:6", "body forge forge/b.rules:6", "exchanged dear dear/a.rules:6"];
    assert_eq!(parts("much"), much);
    assert_eq!(
        parts("drop"),
        [
            "verb forge forge/a.rules:5",
            "body forge forge/a.rules:5",
            "after forge forge/a.rules:2",
            "after dear dear/a.rules:1"
        ]
    );
    assert_eq!(parts("hue"), ["enum forge forge/b.rules:1", "blue forge forge/b.rules:1", "red dear dear/a.rules:2"]);
    assert_eq!(parts("goal"), ["option forge forge/b.rules:2", "default dear dear/a.rules:3"]);
    assert_eq!(parts("light"), ["stat of player", "declared forge forge/b.rules:3", "modified dear dear/a.rules:5"]);
    assert_eq!(
        parts("hot")[1..],
        ["from forge forge/b.rules:4", "action forge forge/b.rules:4", "action dear dear/a.rules:4"]
    );
    let (_, error) = origin("Tongs");
    assert!(error.contains("has nothing named \"Tongs\": it is taken away at ./cheap/a.rules:4"), "{error}");
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
