//! Packages that people send each other: added, found by name, resolved to versions that go together, locked, removed.

use super::packages::{LAMPS, expansion, told, write};
use std::path::Path;

/// A folder with a game and, below `sent`, packages of it: a library in two versions, and who needs which.
fn sent() -> tempfile::TempDir {
    let root = tempfile::tempdir().unwrap();
    let folder = root.path();
    write(&folder.join("lamps"), &LAMPS);
    let needs = |version: &str| format!("dependencies = {{ lib = \"^{version}\" }}");
    pack(folder, "lib", "1.0.0", "", "patch option light = 2");
    pack(folder, "lib", "2.0.0", "", "patch option light = 3");
    for (name, version, lib) in [
        ("night", "0.1.0", "1.0.0"),
        ("night", "0.2.0", "2.0.0"),
        ("dawn", "1.0.0", "2.0.0"),
        ("dusk", "1.0.0", "1.0.0"),
    ] {
        // It is packed where the one version lies that it needs.
        let file = format!("lib-{lib}.cardwright");
        let other = if lib == "1.0.0" { "lib-2.0.0.cardwright" } else { "lib-1.0.0.cardwright" };
        std::fs::rename(folder.join("sent").join(&file), folder.join(&file)).unwrap();
        pack(folder, name, version, &needs(lib), "");
        std::fs::rename(folder.join(&file), folder.join("sent").join(&file)).unwrap();
        assert!(folder.join("sent").join(other).is_file());
    }
    root
}

/// Packs an expansion of the lamps into `sent`.
fn pack(folder: &Path, name: &str, version: &str, more: &str, rules: &str) {
    write(&folder.join(name), &[("game.toml", &expansion(name, version, more)), ("a.rules", rules)]);
    std::fs::create_dir_all(folder.join("sent")).unwrap();
    fine(folder, &["pack", &format!("./{name}"), "--out", "sent"]);
    std::fs::remove_dir_all(folder.join(name)).unwrap();
}

fn fine(folder: &Path, args: &[&str]) -> String {
    let (code, text) = told(folder, args);
    assert_eq!(code, 0, "{args:?}: {text}");
    text
}

fn bad(folder: &Path, args: &[&str], wanted: i32, words: &str) {
    let (code, text) = told(folder, args);
    assert!(code == wanted && text.contains(words), "{args:?}: {code} {text}");
}

/// Plays the lamps with expansions.
fn play(with: &str) -> [&str; 7] {
    ["play", "./lamps", "--with", with, "--plain", "--players", "random"]
}

fn file(name: &str) -> String {
    format!("sent/{name}.cardwright")
}

fn add_all(folder: &Path, more: &[&str]) {
    let files: Vec<String> =
        ["lib-1.0.0", "lib-2.0.0", "night-0.1.0", "night-0.2.0", "dawn-1.0.0", "dusk-1.0.0"].map(file).to_vec();
    let args: Vec<&str> =
        ["add"].into_iter().chain(more.iter().copied()).chain(files.iter().map(String::as_str)).collect();
    fine(folder, &args);
}

#[test]
fn what_was_added_has_a_name_and_brings_what_it_needs() {
    let root = sent();
    let folder = root.path();
    let text = fine(folder, &["add", &file("night-0.2.0")]);
    assert!(text.contains("it needs `lib` ^2.0.0, which is not here"), "{text}");
    let text = fine(folder, &["add", &file("lib-2.0.0")]);
    assert!(text.contains("added lib 2.0.0 in"), "{text}");
    assert!(fine(folder, &play("night")).contains("light 3"));
    let text = fine(folder, &["list"]);
    assert!(text.contains("night") && text.contains("an expansion of lamps"), "{text}");
    assert!(fine(folder, &["add", &file("lib-2.0.0")]).contains("there already: lib 2.0.0"));
    let text = fine(folder, &["remove", "lib"]);
    assert!(text.contains("lib-2.0.0.cardwright") && text.contains("`night` 0.2.0 needs it"), "{text}");
    bad(folder, &play("night"), 1, "E0613");
    bad(folder, &["remove", "lib"], 2, "`lib` is not in");
    // All of them, or none.
    bad(folder, &["remove", "night@0.2.0", "lib"], 2, "`lib` is not in");
    fine(folder, &["remove", "night@0.2.0"]);
    bad(folder, &play("night"), 2, "no game or expansion named `night`");
}

#[test]
fn versions_that_go_together_are_taken_or_it_is_said_who_asks_for_what() {
    let root = sent();
    let folder = root.path();
    add_all(folder, &[]);
    for (with, light, versions) in [
        ("night", "light 3", ["with lib 2.0.0", "with night 0.2.0"]),
        ("night,dawn", "light 3", ["with lib 2.0.0", "with night 0.2.0"]),
        ("dusk,night", "light 2", ["with lib 1.0.0", "with night 0.1.0"]),
        ("night@0.1.0", "light 2", ["with lib 1.0.0", "with night 0.1.0"]),
        ("lib@1.0.0,night", "light 2", ["with lib 1.0.0", "with night 0.1.0"]),
    ] {
        let text = fine(folder, &play(with));
        assert!(text.contains(light) && versions.iter().all(|it| text.contains(it)), "{with}: {text}");
    }
    // `check` and `test` take the same.
    for command in ["check", "test"] {
        let text = fine(folder, &[command, "./lamps", "--with", "dusk,night"]);
        assert!(!text.contains("error["), "{text}");
    }
    let (code, text) = told(folder, &play("dusk,dawn"));
    assert_eq!(code, 1, "{text}");
    for line in
        ["`dawn` 1.0.0 needs `lib` ^2.0.0", "`dusk` 1.0.0 needs `lib` ^1.0.0", "of `lib` there is 2.0.0 and 1.0.0"]
    {
        assert!(text.contains(line), "{text}");
    }
    bad(folder, &play("night@9.0.0"), 2, "there is no version 9.0.0 of `night`; there is 0.2.0, 0.1.0");
    // A saved game goes on with the versions it was saved with.
    let old = ["play", "./lamps", "--with", "night@0.1.0", "--plain", "--players", "random", "--save", "old.save"];
    fine(folder, &old);
    let text = fine(folder, &["replay", "old.save", "--game", "./lamps"]);
    assert!(text.contains("night 0.1.0"), "{text}");
}

#[test]
fn a_saved_game_goes_on_with_the_version_of_its_game() {
    let root = tempfile::tempdir().unwrap();
    let folder = root.path();
    for (version, light) in [("1.0.0", "= 1"), ("1.1.0", "= 5")] {
        let manifest = LAMPS[0].1.replace("1.0.0", version);
        let rules = LAMPS[1].1.replace("= 1", light);
        write(&folder.join("lamps"), &[(LAMPS[0].0, &manifest), (LAMPS[1].0, &rules)]);
        fine(folder, &["add", "./lamps"]);
    }
    std::fs::remove_dir_all(folder.join("lamps")).unwrap();
    let play = |game| ["play", game, "--plain", "--players", "random", "--save", "old.save"];
    assert!(fine(folder, &play("lamps@1.0.0")).contains("light 1"));
    let saved = std::fs::read(folder.join("old.save")).unwrap();
    let text = fine(folder, &play("lamps"));
    assert!(text.contains("lamps 1.0.0") && !text.contains("1.1.0"), "{text}");
    assert_eq!(std::fs::read(folder.join("old.save")).unwrap(), saved);
    bad(folder, &play("lamps@1.1.0"), 1, "`lamps` was 1.0.0 and is 1.1.0 now");
}

#[test]
fn the_lock_file_of_a_project_says_what_is_played() {
    let root = sent();
    let folder = root.path();
    add_all(folder, &["--here"]);
    let lock = std::fs::read_to_string(folder.join("cardwright.lock")).unwrap();
    assert!(lock.contains("name = \"night\"\nversion = \"0.1.0\"\ndigest = \""), "{lock}");
    std::fs::create_dir(folder.join("below")).unwrap();
    fine(&folder.join("below"), &["play", "../lamps", "--with", "night", "--plain", "--players", "random"]);
    // Others put another file there.
    let (locked, good) =
        (folder.join("packages/lib-2.0.0.cardwright"), std::fs::read(folder.join(file("lib-2.0.0"))).unwrap());
    pack(folder, "lib", "2.0.0", "", "patch option light = 8");
    std::fs::copy(folder.join(file("lib-2.0.0")), &locked).unwrap();
    for args in [&play("dawn")[..], &["check", "./lamps", "--with", "dawn"], &["test", "./lamps", "--with", "lib"]] {
        bad(folder, args, 1, "`packages/lib-2.0.0.cardwright` is not what `cardwright.lock` says");
    }
    bad(folder, &["add", &file("night-0.2.0"), "lamps/lamps.rules"], 1, "it is damaged, or no package");
    fine(folder, &["add", "packages/lib-2.0.0.cardwright"]);
    assert!(fine(folder, &play("dawn")).contains("light 8"));
    std::fs::remove_file(&locked).unwrap();
    for args in [&play("dawn")[..], &play("night"), &play("lib")] {
        bad(folder, args, 1, "has `lib` 2.0.0, which is not in `packages`");
    }
    std::fs::write(&locked, good).unwrap();
    bad(folder, &play("dawn"), 1, "is not what");
    std::fs::write(folder.join("packages/new.cardwright"), std::fs::read(folder.join(file("dawn-1.0.0"))).unwrap())
        .unwrap();
    std::fs::write(folder.join("cardwright.lock"), "version = 1\n").unwrap();
    bad(folder, &play("dawn"), 1, "is not in `cardwright.lock`; if it is meant, `cardwright add packages/");
    for (text, words) in [
        ("version = 2\n", "it is of version 2"),
        ("version = 1\n\nnight = 1\n", "line 3: unknown key `night`"),
        ("=", "line 1: "),
        ("version = 1\n[[package]]\nname = \"a\"\n", "line 2: missing key `version`"),
        ("version = 1\n<<<<<<< HEAD\n=======\n>>>>>>> other\n", "line 2: `<<<<<<<` is left from a merge"),
        (
            "version = 1\n[[package]]\nname = \"a b\"\nversion = \"1.0.0\"\ndigest = \"0\"\n",
            "line 2: `a b` is no name, version or digest",
        ),
        (
            "version = 1\npackage = [{name = \"a\", version = \"1\", digest = \"0\"}, {name = \"a\", version = \"1\", digest = \"1\"}]\n",
            "line 2: `a` 1 is in it twice",
        ),
    ] {
        std::fs::write(folder.join("cardwright.lock"), text).unwrap();
        bad(folder, &play("dawn"), 1, words);
        bad(folder, &["add", &file("night-0.2.0")], 1, words);
        assert_eq!(std::fs::read_to_string(folder.join("cardwright.lock")).unwrap(), text);
        bad(folder, &["list"], 0, "");
    }
    // The way out that the message names.
    std::fs::write(folder.join("cardwright.lock"), b"\xff").unwrap();
    bad(folder, &play("dawn"), 1, "or delete it, and `cardwright add --here packages/*.cardwright` locks");
    std::fs::remove_file(folder.join("cardwright.lock")).unwrap();
    std::fs::remove_file(folder.join("packages/new.cardwright")).unwrap();
    let there = std::fs::read_dir(folder.join("packages")).unwrap().map(|entry| entry.unwrap().path());
    let there: Vec<String> = there.map(|path| path.display().to_string()).collect();
    let args: Vec<&str> = ["add", "--here"].into_iter().chain(there.iter().map(String::as_str)).collect();
    fine(folder, &args);
    assert_eq!(std::fs::read_to_string(folder.join("cardwright.lock")).unwrap(), lock);
}

#[test]
fn the_list_has_versions() {
    let root = sent();
    let folder = root.path();
    add_all(folder, &[]);
    let list = fine(folder, &["--content", ".", "list"]);
    let lines: Vec<&str> = list.lines().map(str::trim).skip_while(|line| !line.starts_with("lamps ")).collect();
    assert!(lines[0].contains("1.0.0"), "{list}");
    let night =
        lines.iter().position(|line| line.starts_with("--with night 0.2.0:")).unwrap_or_else(|| panic!("{list}"));
    assert_eq!(lines[night + 1], "also here: 0.1.0");
    let json = fine(folder, &["list", "--json"]);
    assert!(json.contains(r#""version":"0.2.0","versions":["0.2.0","0.1.0"]"#), "{json}");
}

#[test]
fn what_is_added_together_is_there_for_each_other() {
    let root = tempfile::tempdir().unwrap();
    let folder = root.path();
    write(&folder.join("one/lamps"), &LAMPS);
    write(&folder.join("two/lib"), &[("game.toml", &expansion("lib", "1.0.0", "")), ("a.rules", "")]);
    let needs = "dependencies = { lib = \"^1.0.0\" }";
    write(&folder.join("three/dusk"), &[("game.toml", &expansion("dusk", "1.0.0", needs)), ("a.rules", "")]);
    bad(folder, &["add", "three/dusk", "two/lib"], 2, "`dusk` extends lamps, which is not here");
    let said = fine(folder, &["add", "three/dusk", "two/lib", "one/lamps"]);
    assert!(said.contains("added dusk 1.0.0") && !said.contains("not here"), "{said}");
}

#[test]
fn folders_have_any_name_and_a_damaged_file_hides_nothing() {
    let root = tempfile::tempdir().unwrap();
    let folder = root.path();
    for name in ["my.lamps", "lamps 2", "lamps.cardwright"] {
        write(&folder.join(name), &LAMPS);
        fine(folder, &["pack", name, "--out", "packed.cardwright"]);
    }
    let packed = std::fs::read(folder.join("packed.cardwright")).unwrap();
    std::fs::create_dir(folder.join("shelf")).unwrap();
    std::fs::write(folder.join("shelf/a.cardwright"), &packed[..packed.len() / 2]).unwrap();
    std::fs::write(folder.join("shelf/b.cardwright"), &packed).unwrap();
    for (command, words) in [("check", "lamps: 0 errors"), ("test", "lamps: 0 of 0 scenarios passed")] {
        let args = [command, "shelf"];
        bad(folder, &args, 1, "cannot open `shelf/a.cardwright`");
        bad(folder, &args, 1, words);
    }
    bad(folder, &["check", "shelf/a.cardwright"], 1, "cannot open `shelf/a.cardwright`");
}

#[test]
fn what_cannot_be_added_changes_nothing() {
    let root = sent();
    let folder = root.path();
    fine(folder, &["add", "--here", &file("lib-1.0.0")]);
    let lock = std::fs::read(folder.join("cardwright.lock")).unwrap();
    // The same version with another content, and another package of the same name.
    write(
        &folder.join("mine/lib"),
        &[("game.toml", &expansion("lib", "1.0.0", "")), ("a.rules", "patch option light = 9")],
    );
    bad(
        folder,
        &["add", &file("dawn-1.0.0"), "mine/lib"],
        1,
        "raise its version, or `cardwright remove lib@1.0.0` first",
    );
    write(&folder.join("other/lib"), &[(LAMPS[0].0, &LAMPS[0].1.replace("lamps", "lib")), LAMPS[1]]);
    bad(folder, &["add", &file("dawn-1.0.0"), "other/lib"], 1, "an expansion of lamps, and this one is a game");
    let cut = std::fs::read(folder.join(file("lib-2.0.0"))).unwrap();
    std::fs::write(folder.join("cut.cardwright"), &cut[..cut.len() / 2]).unwrap();
    bad(folder, &["add", &file("dawn-1.0.0"), "cut.cardwright"], 1, "cannot open `cut.cardwright`");
    bad(folder, &["add", "nowhere.cardwright"], 3, "nowhere.cardwright");
    let (own, others) = (folder.join("packages/lib-1.0.0.cardwright"), folder.join("packages/dawn-1.0.0.cardwright"));
    std::fs::rename(&own, &others).unwrap();
    bad(folder, &["add", &file("dawn-1.0.0")], 1, "is not `dawn` 1.0.0: give that file its own name first");
    std::fs::rename(&others, &own).unwrap();
    write(&folder.join("other/hex"), &[("game.toml", &expansion("hex", "1.0.0", "")), ("a.rules", "")]);
    bad(folder, &["add", "other/hex"], 1, "`hex` is what a game is called that comes with cardwright");
    #[cfg(unix)]
    bad(folder, &["add", "/dev/zero"], 3, "`/dev/zero` is no plain file");
    let left: Vec<_> =
        std::fs::read_dir(folder.join("packages")).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(left, ["lib-1.0.0.cardwright"]);
    assert_eq!(std::fs::read(folder.join("cardwright.lock")).unwrap(), lock);
}

#[test]
fn what_lies_beside_an_expansion_comes_before_what_is_built_in() {
    let root = tempfile::tempdir().unwrap();
    let folder = root.path();
    let named = |text: &str| text.replace("lamps", "duel");
    write(&folder.join("games/duel"), &[(LAMPS[0].0, &named(LAMPS[0].1)), LAMPS[1]]);
    let more = folder.join("games/more");
    write(&more, &[("game.toml", &named(&expansion("more", "1.0.0", ""))), ("a.rules", "patch option light = 4")]);
    let text = fine(folder, &["check", "games/more"]);
    assert!(text.contains("duel + more: 0 errors"), "{text}");
    write(&more, &[("a.rules", "patch option dark = 4")]);
    bad(folder, &["check", "games/more"], 1, "`duel` is `games/duel` here; there is also one that is built in");
}

#[test]
fn parts_count_where_another_takes_part_also_through_others() {
    let root = tempfile::tempdir().unwrap();
    let folder = root.path();
    write(&folder.join("lamps"), &LAMPS);
    let optional = "dependencies = { dawn = { version = \"^1.0.0\", optional = true } }\n[with.dawn]\nrules = [\"dawn/*.rules\"]\n\
                    scenarios = [\"dawn/*.scenario\"]";
    let scenario = "scenario \"both\" { expect light = 6 }";
    write(
        &folder.join("night"),
        &[("game.toml", &expansion("night", "1.0.0", optional)), ("dawn/a.rules", "patch option light = 6")],
    );
    write(&folder.join("night"), &[("dawn/a.scenario", scenario)]);
    write(&folder.join("dawn"), &[("game.toml", &expansion("dawn", "1.0.0", ""))]);
    write(&folder.join("noon"), &[("game.toml", &expansion("noon", "1.0.0", "dependencies = { dawn = \"1.0.0\" }"))]);
    for (with, light, first) in [
        ("night", "light 1", "with night"),
        ("night,dawn", "light 6", "with dawn"),
        ("night,noon", "light 6", "with dawn"),
    ] {
        let text = fine(folder, &play(with));
        let names: Vec<&str> = text.lines().filter_map(|line| line.strip_prefix("# ")).collect();
        assert!(
            text.contains(light) && names.iter().find(|line| line.starts_with("with")).unwrap().starts_with(first),
            "{text}"
        );
    }
    for (with, passed) in [("", "0 of 0 scenarios"), ("dawn", "1 of 1 scenarios")] {
        let text = fine(folder, &["test", "./night", "--with", with, "--random", "0"]);
        assert!(text.contains(passed) && !text.contains("W0020"), "{text}");
    }
    // A part is packed with the rest.
    assert!(fine(folder, &["pack", "./night"]).contains("3 files"));
    // What is no content is so whether it counts or not.
    write(&folder.join("night"), &[("dawn/b.rules", "patch option {{{ light")]);
    bad(folder, &["pack", "./night"], 1, "dawn/b.rules:1");
    std::fs::remove_file(folder.join("night/dawn/b.rules")).unwrap();
    write(&folder.join("dawn"), &[("game.toml", &expansion("dawn", "2.0.0", ""))]);
    bad(folder, &play("night,dawn"), 1, "E0614");
    fine(folder, &play("night"));
}

#[test]
fn versions_that_get_along_are_taken_of_packages_that_do_not() {
    let root = tempfile::tempdir().unwrap();
    let folder = root.path();
    write(&folder.join("lamps"), &LAMPS);
    let some = "incompatible = { dawn = { version = \"^1.0.0\", reason = \"both light the lamps\" } }";
    pack(folder, "dawn", "0.9.0", "", "");
    pack(folder, "dawn", "1.0.0", "", "");
    pack(folder, "night", "1.0.0", some, "");
    fine(folder, &["add", &file("night-1.0.0"), &file("dawn-1.0.0")]);
    bad(folder, &play("night,dawn"), 1, "E0623");
    fine(folder, &["add", &file("dawn-0.9.0")]);
    assert!(fine(folder, &play("dawn")).contains("with dawn 1.0.0"));
    assert!(fine(folder, &play("night,dawn")).contains("with dawn 0.9.0"));
    let said = "`night` 1.0.0 does not go together with `dawn` ^1.0.0: both light the lamps";
    // It is packed with what was added.
    pack(folder, "noon", "1.0.0", "dependencies = { dawn = \"=1.0.0\" }", "");
    fine(folder, &["add", &file("noon-1.0.0")]);
    bad(folder, &play("night,noon"), 1, said);
}

#[test]
fn a_version_that_is_none_is_one_mistake() {
    let root = tempfile::tempdir().unwrap();
    let folder = root.path();
    write(&folder.join("lamps"), &LAMPS);
    let manifest = expansion("dusk", "1.0.0", "");
    for (game, own, place) in [
        (LAMPS[0].1.to_owned(), manifest.replace("^1.0.0", "newest"), "`newest` does not say which versions will do"),
        (LAMPS[0].1.replace("1.0.0", "1.0"), manifest.clone(), "`1.0` is not a version"),
        (LAMPS[0].1.to_owned(), manifest.replace("\"1.0.0\"", "\"1\""), "`1` is not a version"),
    ] {
        write(&folder.join("lamps"), &[("game.toml", &game)]);
        write(&folder.join("dusk"), &[("game.toml", &own), ("a.rules", "")]);
        bad(folder, &["check", "./dusk"], 1, place);
        bad(folder, &["check", "./dusk"], 1, "lamps + dusk: 1 error, 0 warnings");
    }
}
