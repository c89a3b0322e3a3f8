//! Finding packages and reading them: nothing outside a package is read, and limits hold.

use super::support::root;
use cardwright::base::{World, WorldError};
use cardwright::play::{DirWorld, Library, MAX_FILES, Package, PlayError, eject};

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
