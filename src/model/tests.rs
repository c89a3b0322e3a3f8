//! The shipped games load without a finding; the model of a small game is what its text says.

use std::collections::BTreeMap;
use std::path::Path;

use super::{Loaded, load};
use crate::base::{MemoryWorld, render_text};

/// The package in a folder.
fn folder(path: &Path) -> MemoryWorld {
    fn add(world: &mut MemoryWorld, root: &Path, at: &Path) {
        let mut entries: Vec<_> = std::fs::read_dir(at).unwrap().map(|entry| entry.unwrap().path()).collect();
        entries.sort();
        for path in entries {
            if path.is_dir() {
                add(world, root, &path);
            } else if let Ok(text) = std::fs::read_to_string(&path) {
                let name = path.strip_prefix(root).unwrap().to_string_lossy().replace('\\', "/");
                world.files.insert(name, text);
            }
        }
    }
    let mut world = MemoryWorld::default();
    add(&mut world, path, path);
    world
}

fn shipped(name: &str) -> Loaded {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("content").join(name);
    load(&folder(&path), &BTreeMap::new(), None)
}

fn findings(loaded: &Loaded) -> String {
    render_text(&loaded.diagnostics, &loaded.sources, false)
}

#[test]
fn shipped_games_have_no_findings() {
    for name in ["tic-tac-toe", "monster-muncher"] {
        let loaded = shipped(name);
        assert!(loaded.diagnostics.is_empty(), "{}", findings(&loaded));
        assert!(loaded.rules.is_some());
    }
}

#[test]
fn dumps_the_first_game() {
    let loaded = shipped("tic-tac-toe");
    let text = super::dump(&loaded.rules.unwrap());
    assert!(text.contains("create sign to site c0 with owner = me"), "{text}");
    assert!(text.contains("kind sign : piece"), "{text}");
}
