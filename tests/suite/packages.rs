//! Finding packages and reading them: nothing outside a package is read, and limits hold.

use super::support::{cardwright, root, stderr, stdout};
use cardwright::base::{World, WorldError};
use cardwright::play::{DirWorld, Library, MAX_FILES, Package, PlayError, eject};
use std::path::Path;

fn library() -> Library {
    Library::new(Some(root().join("content")))
}

#[test]
fn games_are_found_by_name_and_by_path() {
    let by_name = library().find("tic-tac-toe").unwrap();
    let by_path = library().find(root().join("content/tic-tac-toe").to_str().unwrap()).unwrap();
    assert_eq!(by_name.name, by_path.name);
    assert!(by_name.path().is_some());
}

#[test]
fn content_is_built_in() {
    // A library without folders has only what is built in.
    let found = Library::default().list();
    assert!(found.iter().any(|package| package.name == "monster-muncher" && package.path().is_none()), "{found:?}");
    let built_in = Library::default().find("tic-tac-toe").unwrap();
    let shipped = Package::folder(&root().join("content/tic-tac-toe"));
    let (built_in, shipped) = (built_in.world().unwrap(), shipped.world().unwrap());
    let snapshots = |path: &String| !path.contains("snapshots/");
    let files: Vec<String> = shipped.list().unwrap().into_iter().filter(snapshots).collect();
    assert_eq!(built_in.list().unwrap().into_iter().filter(snapshots).collect::<Vec<_>>(), files);
    for file in files {
        assert_eq!(built_in.read(&file).unwrap(), shipped.read(&file).unwrap());
    }
}

#[test]
fn an_unknown_name_suggests_the_nearest() {
    let Err(PlayError::Usage(message)) = library().find("tic-tac-to") else { panic!("there is no such game") };
    assert!(message.contains("did you mean `tic-tac-toe`?"), "{message}");
    let Err(PlayError::Usage(message)) = library().find("./nowhere") else { panic!("there is no such folder") };
    assert!(message.contains("game.toml"), "{message}");
}

#[test]
fn paths_that_leave_the_package_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let package = folder.path().join("game");
    std::fs::create_dir(&package).unwrap();
    std::fs::write(folder.path().join("secret.rules"), "secret").unwrap();
    std::fs::write(package.join("a.rules"), "fine").unwrap();
    let world = DirWorld::open(&package).unwrap();
    assert_eq!(world.read("a.rules").unwrap(), "fine");
    assert!(matches!(world.read("b.rules"), Err(WorldError::Missing(_))));
    let absolute = folder.path().join("secret.rules");
    for path in [
        "../secret.rules",
        "./../secret.rules",
        "x/../../secret.rules",
        "..\\secret.rules",
        "/etc/passwd",
        absolute.to_str().unwrap(),
    ] {
        assert!(matches!(world.read(path), Err(WorldError::Refused(_))), "{path}");
    }
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink(folder.path().join("secret.rules"), package.join("link.rules")).unwrap();
        assert!(matches!(world.read("link.rules"), Err(WorldError::Refused(_))));
        assert!(matches!(world.list(), Err(WorldError::Refused(_))));
    }
}

#[test]
fn files_that_are_too_large_or_no_text_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("large.cards"), vec![b' '; (1 << 20) + 1]).unwrap();
    std::fs::write(folder.path().join("bytes.cards"), [0xff, 0xfe]).unwrap();
    let world = DirWorld::open(folder.path()).unwrap();
    for (file, code, words) in [("large.cards", "L01", "larger than 1 MiB"), ("bytes.cards", "E0010", "not UTF-8")] {
        let Err(error) = world.read(file) else { panic!("{file} was read") };
        assert_eq!(error.code().text(), code);
        assert!(error.to_string().contains(words), "{error}");
    }
}

#[test]
fn a_package_with_too_many_files_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    for number in 0..=MAX_FILES {
        std::fs::write(folder.path().join(format!("{number}.cards")), "").unwrap();
    }
    let Err(error) = DirWorld::open(folder.path()).unwrap().list() else { panic!("it was listed") };
    assert_eq!(error.code().text(), "L05");
    assert!(error.to_string().contains("4096 files"), "{error}");
}

#[test]
fn ejecting_writes_a_copy_and_never_into_a_used_folder() {
    let folder = tempfile::tempdir().unwrap();
    let package = Library::default().find("tic-tac-toe").unwrap();
    let to = folder.path().join("mine");
    let files = eject(&package, &to).unwrap();
    assert_eq!(DirWorld::open(&to).unwrap().list().unwrap().len(), files);
    assert!(matches!(eject(&package, &to), Err(PlayError::Usage(_))));
}

/// An empty game in a folder; where it lies is its description.
fn game_in(folder: &Path, place: &str) {
    let to = folder.join(place);
    std::fs::create_dir_all(&to).unwrap();
    let name = to.file_name().unwrap().to_string_lossy().into_owned();
    let manifest = format!(
        "name = \"{name}\"\ntitle = \"Lamps\"\nversion = \"1.0.0\"\nedition = 1\ndescription = \"{place}\"\n\
         [players]\nmin = 2\nmax = 2\n"
    );
    std::fs::write(to.join("game.toml"), manifest).unwrap();
    std::fs::write(to.join("a.rules"), "flow { turns turn from seat(1) until round > 2 { } }\n").unwrap();
}

#[test]
fn games_in_groups_are_found_by_their_plain_names() {
    let folder = tempfile::tempdir().unwrap();
    for place in ["lamps", "harbour/boats", "harbour/lamps", "market/boats", ".hidden/fog", "harbour/deep/fish"] {
        game_in(folder.path(), place);
    }
    let library = Library::new(Some(folder.path().to_owned()));
    let place = |name: &str| library.find(name).unwrap().manifest().unwrap().description;
    // What lies in the library itself wins over a group, and a group over those after it.
    assert_eq!([place("lamps"), place("boats")], ["lamps", "harbour/boats"].map(str::to_owned));
    assert_eq!(library.find("boats").unwrap().group.as_deref(), Some("harbour"));
    assert!(library.find("fog").is_err() && library.find("fish").is_err(), "hidden, or too deep");
    // What is in a library wins over what is built in, group or not.
    game_in(folder.path(), "market/tic-tac-toe");
    assert_eq!(place("tic-tac-toe"), "market/tic-tac-toe");
}

#[test]
fn groups_are_listed_under_headings_and_checked_with_the_rest() {
    let folder = tempfile::tempdir().unwrap();
    for place in ["games/lamps", "games/harbour/boats"] {
        game_in(folder.path(), place);
    }
    let run = |args: &[&str]| {
        let output = cardwright(folder.path(), args, "");
        assert!(output.status.success(), "{}", stderr(&output));
        format!("{}{}", stdout(&output), stderr(&output))
    };
    let listed = run(&["--content", "games", "list"]);
    let heading = listed.find("\nharbour:\n").unwrap();
    assert!(listed[heading..].contains("\nboats ") && !listed[heading..].contains("\nlamps "), "{listed}");
    let found: serde_json::Value = serde_json::from_str(&run(&["--content", "games", "list", "--json"])).unwrap();
    let rows = found["games"].as_array().unwrap();
    let group = |name: &str| rows.iter().find(|row| row["name"] == name).unwrap()["group"].clone();
    assert_eq!((group("boats"), group("lamps")), (serde_json::json!("harbour"), serde_json::Value::Null));
    let checked = run(&["check", "games"]);
    assert!(checked.contains("lamps") && checked.contains("boats"), "{checked}");
    assert!(run(&["--content", "games", "check"]).contains("boats"));
    assert!(run(&["test", "games/harbour", "--random", "1"]).contains("boats"));
}

/// A game that says how much light there is.
pub const LAMPS: [(&str, &str); 2] = [
    (
        "game.toml",
        "name = \"lamps\"\ntitle = \"Lamps\"\nversion = \"1.0.0\"\nedition = 1\nplayers = { min = 1, max = 1 }\n",
    ),
    (
        "lamps.rules",
        "option light: 1..9 = 1\nflow { turns turn from seat(1) for 1 round { note \"light {light}\" } }\n",
    ),
];

/// Writes the files of a package into a folder.
pub fn write(folder: &Path, files: &[(&str, &str)]) {
    for (path, text) in files {
        let path = folder.join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
}

/// The manifest of an expansion of the lamps.
pub fn expansion(name: &str, version: &str, more: &str) -> String {
    format!(
        "name = \"{name}\"\ntitle = \"{name}\"\nversion = \"{version}\"\nedition = 1\nkind = \"expansion\"\n\
         extends = {{ lamps = \"^1.0.0\" }}\n{more}\n"
    )
}

/// Runs the program; gives its exit code and all that it wrote.
pub fn told(folder: &Path, args: &[&str]) -> (i32, String) {
    let output = cardwright(folder, args, "");
    (output.status.code().unwrap(), stdout(&output) + stderr(&output).as_str())
}

#[test]
fn a_packed_package_is_taken_wherever_a_folder_is() {
    let root = tempfile::tempdir().unwrap();
    let folder = root.path().join("a folder");
    write(&folder.join("lamps"), &LAMPS);
    let night = folder.join("night");
    write(&night, &[("game.toml", &expansion("night", "0.2.0", "")), ("night.rules", "patch option light = 7\n")]);
    write(&night, &[(".git/config", "secret"), ("old.save", "{\"session\":4}"), ("evil.rules.cardwright", "x")]);
    let (code, text) = told(&folder, &["pack", "./night"]);
    assert_eq!(code, 0, "{text}");
    for part in ["left out .git (hidden)", "left out old.save (a saved", "evil.rules.cardwright (a packed", "2 files"] {
        assert!(text.contains(part), "{text}");
    }
    let file = "night-0.2.0.cardwright";
    let first = std::fs::read(folder.join(file)).unwrap();
    assert_eq!(told(&folder, &["pack", "night", "--out", file]).0, 0);
    assert_eq!(std::fs::read(folder.join(file)).unwrap(), first, "the same content is the same file");
    std::fs::remove_dir_all(&night).unwrap();
    assert_eq!(told(&folder, &["pack", "lamps"]).0, 0);
    std::fs::remove_dir_all(folder.join("lamps")).unwrap();
    for args in [&["lamps-1.0.0.cardwright", "--with", file][..], &[file]] {
        let (code, text) = told(&folder, &[&["play", "--plain", "--players", "random"], args].concat());
        assert!(code == 0 && text.contains("light 7"), "{text}");
    }
    let (code, text) = told(&folder, &["--content", ".", "play", "lamps", "--plain", "--players", "random"]);
    assert!(code == 0 && text.contains("light 1"), "{text}");
    assert_eq!(told(&folder, &["eject", file, "copy"]).0, 0);
    assert!(folder.join("copy/night.rules").is_file() && !folder.join("copy/old.save").exists());
    let (code, text) = told(&folder, &["play", "day-1.0.0.cardwright"]);
    assert!(code == 2 && text.contains("there is no file"), "{text}");
}

#[test]
fn a_package_is_the_same_however_the_way_to_it_is_written() {
    let root = tempfile::tempdir().unwrap();
    write(&root.path().join("lamps"), &LAMPS);
    let night = root.path().join("night");
    write(&night, &[("game.toml", &expansion("night", "0.2.0", "")), ("night.rules", "patch option light = 7\n")]);
    write(&night, &[("a.scenario", "scenario \"dark\" { }\n")]);
    let full = night.to_str().unwrap();
    for with in ["night", "./night", "lamps/../night", full] {
        for args in [&["night/a.scenario"][..], &["lamps", "--with", "night"], &["night"]] {
            let (code, text) = told(root.path(), &[&["options"], args, &["--with", with]].concat());
            assert!(code == 0, "{args:?} --with {with}: {text}");
        }
    }
}

#[test]
fn what_has_errors_or_would_overwrite_is_not_packed_and_nothing_half_is_left() {
    let root = tempfile::tempdir().unwrap();
    let folder = root.path();
    write(&folder.join("lamps"), &LAMPS);
    std::fs::write(folder.join("mine"), "a text of mine").unwrap();
    let (code, text) = told(folder, &["pack", "lamps", "--out", "mine"]);
    assert!(code == 2 && text.contains("`mine` is there already and is no packed package"), "{text}");
    assert_eq!(std::fs::read(folder.join("mine")).unwrap(), b"a text of mine");
    let (code, text) = told(folder, &["pack", "lamps", "--out", "no/such/folder.cardwright"]);
    assert!(code == 3 && text.contains("cannot write"), "{text}");
    write(&folder.join("lamps"), &[("con.txt", "")]);
    let (code, text) = told(folder, &["pack", "lamps"]);
    assert!(code == 1 && text.contains("`con.txt` has the name of a device"), "{text}");
    write(&folder.join("lamps"), &[("bad.rules", "option light: 1..2 = 1\n")]);
    let (code, text) = told(folder, &["pack", "lamps"]);
    assert!(code == 1 && text.contains("`lamps` has errors and is not packed"), "{text}");
    let left = std::fs::read_dir(folder).unwrap().count();
    assert_eq!(left, 2, "the folder and the text");
}

#[test]
fn a_hostile_or_damaged_file_has_one_clear_error() {
    let root = tempfile::tempdir().unwrap();
    let folder = root.path();
    write(&folder.join("lamps"), &LAMPS);
    assert_eq!(told(folder, &["pack", "lamps"]).0, 0);
    let good = std::fs::read(folder.join("lamps-1.0.0.cardwright")).unwrap();
    std::fs::write(folder.join("cut.cardwright"), &good[..good.len() - 9]).unwrap();
    std::fs::write(folder.join("text.cardwright"), "name = \"lamps\"").unwrap();
    std::fs::create_dir(folder.join("folder.cardwright")).unwrap();
    for (file, wanted, words) in [
        ("cut.cardwright", 1, "cannot open `cut.cardwright`: it is damaged"),
        ("text.cardwright", 1, "cannot open `text.cardwright`: it is damaged, or no package"),
        ("folder.cardwright", 2, "there is no file `folder.cardwright`"),
    ] {
        for command in ["check", "play"] {
            let (code, text) = told(folder, &[command, file]);
            assert!(code == wanted && text.contains(words), "{command} {file}: {code} {text}");
            assert!(text.matches("error").count() == 1, "{text}");
        }
    }
    // A broken file among others hides none of them.
    let (code, text) = told(folder, &["--content", ".", "list"]);
    assert!(code == 0 && text.contains("lamps  "), "{text}");
}
