//! What an editor is answered. A fixture is one file, `tests/fixtures/ide/NAME.txt`:
//!
//! ```text
//! rename beacon             the request; `base` behind it begins from the sound game in base.rules
//! -- a.rules --             files; `<|>` is the cursor. A manifest may be left out
//! verb light<|> c: lamp { }
//! -- ../more/a.rules --     a file of another package; an expansion may do without a manifest
//! ```
//!
//! The answer is a golden file.

use super::support::{golden, root};
use cardwright::ide::{Edit, Lines, Location, Workspace, apply};
use cardwright::ide::{complete, found, hints, hover, navigate, outline, rename, shades, signature};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};

const CURSOR: &str = "<|>";

fn manifest(name: &str, expansion: bool) -> String {
    let start = format!("name = \"{name}\"\ntitle = \"{name}\"\nversion = \"1.0.0\"\nedition = 1\n");
    match expansion {
        true => format!("{start}kind = \"expansion\"\nextends = {{ fixture = \"1.0.0\" }}\n"),
        false => format!("{start}\n[players]\nmin = 2\nmax = 2\n"),
    }
}

/// A fixture, written into a folder.
struct Desk {
    folder: tempfile::TempDir,
    workspace: Workspace,
    file: PathBuf,
    text: String,
    offset: usize,
}

impl Desk {
    fn new(files: BTreeMap<String, String>) -> Desk {
        let folder = tempfile::tempdir().unwrap();
        let home = folder.path().canonicalize().unwrap();
        let mut cursor = None;
        for (name, text) in files {
            let path = match name.strip_prefix("../") {
                Some(beside) => home.join(beside),
                None => home.join("fixture").join(&name),
            };
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            let plain = text.replace(CURSOR, "");
            if let Some(offset) = text.find(CURSOR) {
                cursor = Some((path.clone(), plain.clone(), offset));
            }
            std::fs::write(path, plain).unwrap();
        }
        for package in std::fs::read_dir(&home).unwrap().map(|entry| entry.unwrap().path()) {
            let name = package.file_name().unwrap().to_str().unwrap().to_owned();
            if !package.join("game.toml").exists() {
                std::fs::write(package.join("game.toml"), manifest(&name, name != "fixture")).unwrap();
            }
        }
        let (file, text, offset) = cursor.expect("a fixture has a cursor");
        let mut workspace = Workspace::new(vec![home]);
        workspace.edit(&file, text.clone());
        Desk { folder, workspace, file, text, offset }
    }

    fn name(&self, path: &Path) -> String {
        let home = self.folder.path().canonicalize().unwrap();
        path.strip_prefix(home).map_or("elsewhere".to_owned(), |path| path.display().to_string())
    }

    fn place(&self, at: &Location) -> String {
        let text = self.workspace.text(&at.path).unwrap_or_default();
        let lines = Lines::of(&text);
        let start = lines.position(&text, at.start);
        let line = lines.text(&text, start.line as usize).trim();
        format!("{}:{}:{} {}", self.name(&at.path), start.line + 1, start.column + 1, line)
    }

    fn changed(&self, edits: &[Edit]) -> String {
        let mut files: BTreeMap<PathBuf, Vec<&Edit>> = BTreeMap::new();
        edits.iter().for_each(|edit| files.entry(edit.at.path.clone()).or_default().push(edit));
        let mut told = String::new();
        for (path, edits) in files {
            let old = self.workspace.text(&path).unwrap();
            let new = apply(&old, edits.iter().map(|edit| (edit.at.range(), edit.text.as_str())));
            let _ = writeln!(told, "-- {} --", self.name(&path));
            for (old, new) in old.lines().zip(new.lines()).filter(|(old, new)| old != new) {
                let _ = writeln!(told, "- {old}\n+ {new}");
            }
        }
        told
    }

    /// The answer to a request, in words.
    fn answer(&mut self, request: &str) -> String {
        let (what, rest) = request.split_once(' ').unwrap_or((request, ""));
        let (file, offset) = (self.file.clone(), self.offset);
        let workspace = &mut self.workspace;
        match what {
            "hover" => match hover::hover(workspace, &file, offset) {
                Some((at, told)) => format!("{}\n\n{told}\n", self.place(&at)),
                None => "nothing\n".to_owned(),
            },
            "definition" => {
                let found = navigate::definition(workspace, &file, offset);
                self.listed(&found)
            }
            "references" => {
                let found = navigate::references(workspace, &file, offset, true);
                self.listed(&found)
            }
            "highlights" => {
                let found = navigate::highlights(workspace, &file, offset);
                let shown = found.iter().map(|(at, declares)| format!("{} {declares}\n", self.place(at)));
                shown.collect()
            }
            "search" => {
                let found = navigate::symbols(workspace, rest);
                let shown =
                    found.iter().map(|(at, it)| format!("{} {}: {}\n", it.sort.noun(), it.name, self.place(at)));
                shown.collect()
            }
            "rename" => match rename::rename(workspace, &file, offset, rest) {
                Ok(edits) => self.changed(&edits),
                Err(message) => format!("{}\n", self.without_folder(&message)),
            },
            "complete" => {
                let found = complete::completions(workspace, &file, offset);
                let replaced = self.text.get(found.replaces.clone()).unwrap_or("?");
                let mut told = format!("in the place of `{replaced}`\n");
                for item in found.items.iter().take(if rest == "all" { 999 } else { 24 }) {
                    let sort = item.sort.map_or("word", cardwright::model::index::Sort::noun);
                    let _ = writeln!(told, "{} {} ({sort}) {}", item.rank, item.label, item.detail);
                }
                told
            }
            "signature" => {
                let found = signature::signatures(workspace, &file, offset);
                let shown = |one: &signature::Signature| {
                    let active = one.active.and_then(|active| one.parts.get(active));
                    format!("{}\n  {:?}, at {:?} {}\n", one.label, one.parts, active, one.doc)
                };
                found.iter().map(shown).collect()
            }
            "outline" => {
                let mut told = String::new();
                outline::symbols(&self.text).iter().for_each(|symbol| self.symbol(symbol, 0, &mut told));
                for (first, last, comment) in outline::folds(&self.text) {
                    let _ = writeln!(
                        told,
                        "fold {} to {}{}",
                        first + 1,
                        last + 1,
                        if comment { ", a comment" } else { "" }
                    );
                }
                told
            }
            "found" => self.found(),
            "shades" => {
                let lines: Vec<&str> = self.text.lines().collect();
                let mut told = String::new();
                for each in shades::shades(workspace, &file) {
                    let line = lines[each.at.line as usize];
                    let from = each.at.column as usize;
                    let word: String = line.chars().skip(from).take(each.length as usize).collect();
                    let declares = if each.declares { ", declared" } else { "" };
                    let _ = writeln!(told, "{}:{} {word}: {:?}{declares}", each.at.line + 1, from + 1, each.shade);
                }
                told
            }
            "hints" => {
                let found = hints::types(workspace, &file, 0..self.text.len());
                let edits = found.iter().map(|(at, label)| (*at..*at, label.as_str()));
                apply(&self.text, edits)
            }
            "lenses" => {
                hints::lenses(&self.text).iter().map(|lens| format!("{}: {}\n", lens.title, lens.scenario)).collect()
            }
            other => panic!("there is no request `{other}`"),
        }
    }

    fn without_folder(&self, text: &str) -> String {
        let home = self.folder.path().canonicalize().unwrap();
        text.replace(&format!("{}/", home.display()), "")
    }

    fn listed(&self, places: &[Location]) -> String {
        places.iter().map(|at| format!("{}\n", self.place(at))).collect()
    }

    fn symbol(&self, symbol: &outline::Symbol, depth: usize, told: &mut String) {
        let sort = symbol.sort.map_or("item", cardwright::model::index::Sort::noun);
        let _ = writeln!(told, "{}{sort} {} {}", "  ".repeat(depth), symbol.name, symbol.detail);
        symbol.parts.iter().for_each(|part| self.symbol(part, depth + 1, told));
    }

    fn found(&mut self) -> String {
        let files = found::found(&mut self.workspace, &self.file.clone(), found::Depth::Whole);
        let mut told = String::new();
        for found in files.values().flatten() {
            let _ = writeln!(told, "{} {}", found.code.text(), self.place(&found.at));
            found.message.lines().for_each(|line| _ = writeln!(told, "  {line}"));
            found.others.iter().for_each(|(at, text)| _ = writeln!(told, "  {text}: {}", self.place(at)));
            if let Some(mend) = &found.mend {
                let _ = writeln!(told, "  {}{}", mend.title, if mend.certain { ", for certain" } else { "" });
                self.changed(&mend.edits).lines().for_each(|line| _ = writeln!(told, "    {line}"));
            }
        }
        told
    }
}

fn read(path: &Path) -> (String, BTreeMap<String, String>) {
    let text = std::fs::read_to_string(path).unwrap();
    let mut lines = text.lines();
    let request = lines.next().unwrap().to_owned();
    let mut files: BTreeMap<String, String> = BTreeMap::new();
    let mut file = None;
    for line in lines {
        if let Some(name) = line.strip_prefix("-- ").and_then(|rest| rest.strip_suffix(" --")) {
            files.insert(name.to_owned(), String::new());
            file = Some(name.to_owned());
        } else if let Some(text) = file.as_ref().and_then(|file| files.get_mut(file)) {
            text.push_str(line);
            text.push('\n');
        }
    }
    let plain = match request.strip_suffix(" base") {
        Some(plain) => {
            files.insert("base.rules".to_owned(), include_str!("../fixtures/base.rules").to_owned());
            plain.to_owned()
        }
        None => request,
    };
    (plain, files)
}

#[test]
fn editors_are_answered() {
    let folder = root().join("tests/fixtures/ide");
    let mut paths: Vec<PathBuf> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    for path in paths {
        let (request, files) = read(&path);
        let answer = Desk::new(files).answer(&request);
        let name = path.file_stem().unwrap().to_str().unwrap();
        golden("ide", name, &format!("{request}\n\n{}", answer.trim_end()));
    }
}
