//! The documents: their examples are packages that check and pass their own scenarios, what they show the program
//! saying is what it says, and their tables are those of the program.
//!
//! A block fenced as `cardwright` is a package of one file, which the test completes with a manifest and, where it has
//! none, an empty flow; from its first `scenario` on it is a scenario file. Comments in the Markdown say more:
//!
//! - `<!-- package: NAME -->` begins a package of several files, `<!-- package: NAME from OTHER -->` one that has all
//!   files of another besides; `<!-- package: NAME of GAME -->` one whose game is a shipped one.
//! - `<!-- file: PATH -->` before a block: the block is this file of the package.
//! - `<!-- with: NAME -->`: the package is an expansion's game, and the files `../NAME/FILE` are the expansion's; its
//!   scenarios are run, unless it has none.
//! - `<!-- fails: E0101 -->` before a block: the package has errors, and these codes are among them.
//! - `<!-- says -->` before a block: the checker prints these lines for the package. A warning has to be shown so.
//! - `<!-- shown -->` before a block: the first position of the package, with two players, is these lines; `...`
//!   stands for any others.
//! - `<!-- snapshot: TITLE -->` before a block: the scenario of this title records this playthrough.

use super::support::{cardwright, root, stdout};
use cardwright::base::{CODES, Code, FileId, MemoryWorld, Severity, SourceMap, limits, render_text};
use cardwright::model::builtins::BUILTINS;
use cardwright::play::position::describe;
use cardwright::play::scenario::run_all;
use cardwright::play::{Game, Options, Package, PlayError, Session, Setup};
use cardwright::syntax::{RESERVED, format};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

const MANIFEST: &str =
    "name = \"example\"\ntitle = \"Example\"\nversion = \"1.0.0\"\nedition = 1\n[players]\nmin = 2\nmax = 4\n";
const FLOW: &str = "flow { turns turn from seat(1) until round > 9 { } }\n";

/// A package that a document shows.
#[derive(Clone, Default)]
struct Example {
    place: String,
    files: BTreeMap<String, String>,
    fails: Vec<String>,
    says: Vec<String>,
    shown: Vec<String>,
    snapshots: Vec<(String, String)>,
    with: Vec<String>,
    /// The shipped game that its expansions are for.
    of: Option<String>,
}

impl Example {
    /// The package with its expansions.
    fn package(&self) -> Package {
        let mut world = MemoryWorld::default();
        let mut others: BTreeMap<String, MemoryWorld> = BTreeMap::new();
        for (path, text) in &self.files {
            match path.strip_prefix("../").and_then(|path| path.split_once('/')) {
                Some((name, file)) => {
                    others.entry(name.to_owned()).or_default().files.insert(file.to_owned(), text.clone());
                }
                None => {
                    world.files.insert(path.clone(), text.clone());
                }
            }
        }
        world.files.entry("game.toml".to_owned()).or_insert_with(|| MANIFEST.to_owned());
        if !world.files.values().any(|text| text.contains("flow {")) {
            world.files.insert("flow.rules".to_owned(), FLOW.to_owned());
        }
        let game = match &self.of {
            Some(name) => Package::folder(&root().join("content").join(name)),
            None => Package::memory("example", world),
        };
        let last = self.with.last().and_then(|name| others.get(name));
        let tested = last.is_some_and(|world| world.files.keys().any(|file| file.ends_with(".scenario")));
        let expansion =
            |name: &String| Package::memory(name, MemoryWorld { prefix: format!("{name}/"), ..others[name].clone() });
        let expansions = self.with.iter().map(expansion).collect();
        if tested { game.about(expansions) } else { game.with(expansions) }
    }
}

/// What the comments before a block say of it.
#[derive(Default)]
struct Notes {
    file: Option<String>,
    fails: Vec<String>,
    snapshot: Option<String>,
    says: bool,
    shown: bool,
}

/// A fenced block.
struct Block {
    place: String,
    mark: String,
    text: String,
}

fn documents() -> Vec<PathBuf> {
    let mut found = vec![root().join("README.md"), root().join("CONTRIBUTING.md")];
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
    found
}

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap()
}

/// The examples of a document, in its order.
fn examples(path: &Path) -> Vec<Example> {
    let mut found: Vec<Example> = Vec::new();
    let mut names: BTreeMap<String, usize> = BTreeMap::new();
    let mut current = None;
    let mut notes = Notes::default();
    let mut open: Option<Block> = None;
    for (number, line) in read(path).lines().enumerate() {
        let place = format!("{}:{}", path.display(), number + 1);
        if let Some(block) = &mut open {
            if line.trim() != "```" {
                block.text.push_str(line);
                block.text.push('\n');
            } else if let Some(block) = open.take() {
                take(block, std::mem::take(&mut notes), current, &mut found);
            }
        } else if let Some(mark) = line.trim().strip_prefix("```") {
            open = Some(Block { place, mark: mark.to_owned(), text: String::new() });
        } else if let Some(comment) = line.trim().strip_prefix("<!-- ").and_then(|rest| rest.strip_suffix(" -->")) {
            match comment.split_once(": ").unwrap_or((comment, "")) {
                ("package", names_of) => {
                    let words: Vec<&str> = names_of.split(' ').collect();
                    let other = words.get(2).map(|other| (words[1], *other));
                    let files = other.filter(|(word, _)| *word == "from").map(|(_, other)| &found[names[other]].files);
                    let files = files.cloned().unwrap_or_default();
                    let of = other.filter(|(word, _)| *word == "of").map(|(_, game)| game.to_owned());
                    current = Some(found.len());
                    names.insert(words[0].to_owned(), found.len());
                    found.push(Example { place, files, of, ..Example::default() });
                }
                ("file", file) => notes.file = Some(file.to_owned()),
                ("with", name) => {
                    let own = current.unwrap_or_else(|| panic!("{place}: no package has begun"));
                    found[own].with.push(name.to_owned());
                }
                ("fails", codes) => notes.fails = codes.split(' ').map(str::to_owned).collect(),
                ("says", _) => notes.says = true,
                ("shown", _) => notes.shown = true,
                // A part whose figures are measured and filled in.
                ("balance" | "/balance", _) => {}
                ("snapshot", title) => notes.snapshot = Some(title.to_owned()),
                _ => panic!("{place}: `{comment}` is no comment that this test knows"),
            }
        }
    }
    assert!(open.is_none(), "{}: a block is never closed", path.display());
    found
}

/// Puts a block where it belongs.
fn take(block: Block, notes: Notes, current: Option<usize>, found: &mut Vec<Example>) {
    let own = || current.unwrap_or_else(|| panic!("{}: no package has begun", block.place));
    if let Some(file) = notes.file {
        let example = &mut found[own()];
        example.files.insert(file, block.text);
        example.fails.extend(notes.fails);
    } else if notes.shown {
        found.last_mut().unwrap_or_else(|| panic!("{}: no package stands before", block.place)).shown.push(block.text);
    } else if notes.says {
        found[own()].says.push(block.text);
    } else if let Some(title) = notes.snapshot {
        found[own()].snapshots.push((title, block.text));
    } else if block.mark == "cardwright" {
        let start = block
            .text
            .match_indices("scenario \"")
            .map(|(at, _)| at)
            .find(|at| block.text[..*at].is_empty() || block.text[..*at].ends_with('\n'));
        let (rules, scenarios) = block.text.split_at(start.unwrap_or(block.text.len()));
        let files = [("example.rules", rules), ("example.scenario", scenarios)];
        let files = files.into_iter().filter(|(_, text)| !text.is_empty());
        let files = files.map(|(path, text)| (path.to_owned(), text.to_owned())).collect();
        found.push(Example { place: block.place, files, fails: notes.fails, ..Example::default() });
    }
}

/// What is wrong with an example.
fn judge(example: &Example) -> Vec<String> {
    let mut wrong = unformatted(example);
    // A game in a folder is shown with the folder.
    let plain = |text: &str| text.replace("> ./", "> ");
    let (said, game) = match Game::load(&example.package(), &Options::new(), None) {
        Ok(game) => (render_text(&game.warnings, &game.sources, false), Some(Arc::new(game))),
        Err(error @ PlayError::Content { .. }) => (error.report(false), None),
        Err(error) => return vec![error.to_string()],
    };
    let shown = plain(&example.says.concat());
    for lines in said.split("\n\n").filter(|lines| game.is_some() && !lines.trim().is_empty()) {
        if !shown.contains(lines.trim()) {
            wrong.push(format!("a warning that is not shown:\n{lines}"));
        }
    }
    for lines in &example.says {
        // The last line, with the number of findings, is the command's.
        let findings: Vec<&str> =
            lines.lines().filter(|line| !line.ends_with("warning") && !line.ends_with("warnings")).collect();
        if !said.contains(plain(&findings.join("\n")).trim()) {
            wrong.push(format!("this is not said:\n{lines}\nbut this is:\n{said}"));
        }
    }
    wrong
        .extend(example.fails.iter().filter(|code| !said.contains(*code)).map(|code| format!("no {code} in:\n{said}")));
    match game {
        Some(_) if !example.fails.is_empty() => wrong.push("it should have errors".to_owned()),
        Some(game) => wrong.extend(play(example, &game)),
        None if example.fails.is_empty() => wrong.push(said),
        None => {}
    }
    wrong
}

/// Runs the scenarios of an example.
fn play(example: &Example, game: &Arc<Game>) -> Vec<String> {
    let mut wrong = Vec::new();
    let verdicts = run_all(game).unwrap();
    for verdict in &verdicts {
        if let Some(failure) = &verdict.failure {
            wrong.push(format!("scenario `{}` fails\n{}", verdict.title, failure.report()));
        }
    }
    for shown in &example.shown {
        let setup = Setup { seed: 1, seats: vec!["human".to_owned(); 2] };
        let position = describe(&Session::new(Arc::clone(game), setup, None).unwrap().view(None));
        let mut left = position.as_str();
        for part in shown.split("...\n") {
            match left.split_once(part) {
                Some((_, after)) => left = after,
                None => wrong.push(format!("the first position is shown so:\n{position}")),
            }
        }
    }
    for (title, text) in &example.snapshots {
        let played =
            verdicts.iter().find(|verdict| verdict.title == *title).and_then(|verdict| verdict.playthrough.as_ref());
        match played {
            Some(played) if played.trim() == text.trim() => {}
            Some(played) => wrong.push(format!("scenario `{title}` is played otherwise:\n{played}")),
            None => wrong.push(format!("no scenario `{title}` has a snapshot")),
        }
    }
    wrong
}

/// The files of an example that are not as the formatter would have them.
fn unformatted(example: &Example) -> Vec<String> {
    let content = |path: &str| [".rules", ".cards", ".scenario"].iter().any(|ending| path.ends_with(ending));
    let mut wrong = Vec::new();
    for (path, text) in example.files.iter().filter(|(path, _)| content(path)) {
        if let Ok(formatted) = format(text)
            && formatted.trim() != text.trim()
        {
            wrong.push(format!("{path} is formatted so:\n{formatted}"));
        }
    }
    wrong
}

#[test]
fn examples_are_games_that_do_what_their_scenarios_say() {
    let mut wrong = Vec::new();
    let (mut count, mut of_the_reference) = (0, 0);
    for path in documents() {
        let found = examples(&path);
        count += found.len();
        of_the_reference += if path.parent().unwrap().ends_with("docs/language") { found.len() } else { 0 };
        for example in found {
            wrong.extend(judge(&example).into_iter().map(|what| format!("{}: {what}", example.place)));
        }
    }
    println!("{count} examples, {of_the_reference} of them in the reference");
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
    assert!(of_the_reference >= 42 && count >= 69, "only {count} examples, {of_the_reference} in the reference");
}

/// The anchors of a document's headings, as they are made where it is shown.
fn anchors(text: &str) -> Vec<String> {
    let (mut found, mut fenced): (Vec<String>, bool) = (Vec::new(), false);
    for line in text.lines() {
        fenced ^= line.starts_with("```");
        let title = line.trim_start_matches('#');
        if fenced || title == line || !title.starts_with(' ') {
            continue;
        }
        let kept = title.trim().chars().filter(|letter| letter.is_alphanumeric() || " -_".contains(*letter));
        let anchor = kept.collect::<String>().to_lowercase().replace(' ', "-");
        let before = found.iter().filter(|other| **other == anchor).count();
        found.push(if before == 0 { anchor } else { format!("{anchor}-{before}") });
    }
    found
}

#[test]
fn links_between_documents_lead_somewhere() {
    let (mut wrong, mut checked) = (Vec::new(), 0);
    let sources = ["https://", "http://", "mailto:"];
    for path in documents() {
        let folder = path.parent().unwrap();
        let text = read(&path);
        let links = text.split("](").skip(1).map(|part| part.split(')').next().unwrap());
        let images = text.split("src=\"").skip(1).map(|part| part.split('"').next().unwrap());
        for link in links.chain(images).filter(|link| !sources.iter().any(|source| link.starts_with(source))) {
            let (target, anchor) = link.split_once('#').unwrap_or((link, ""));
            let goal = if target.is_empty() { path.clone() } else { folder.join(target) };
            checked += 1;
            if !goal.exists() {
                wrong.push(format!("{}: there is no `{target}`", path.display()));
            } else if !anchor.is_empty() && !anchors(&read(&goal)).iter().any(|other| other == anchor) {
                wrong.push(format!("{}: `{link}` leads to no heading", path.display()));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(checked > 300, "only {checked} links were found");
}

/// The pages of the language reference, in the order in which its first page lists them.
fn reference() -> Vec<PathBuf> {
    let folder = root().join("docs/language");
    let text = read(&folder.join("README.md"));
    let numbered = text.lines().filter(|line| line.starts_with(|letter: char| letter.is_ascii_digit()));
    let rows = numbered.filter_map(|line| line.split_once("](")?.1.split_once(')'));
    rows.map(|(page, _)| folder.join(page)).collect()
}

#[test]
fn the_reference_lists_each_of_its_pages_once_and_none_is_long() {
    let mut listed = reference();
    for page in &listed {
        let lines = read(page).lines().count();
        assert!(lines <= 450, "{} has {lines} lines", page.display());
    }
    listed.push(root().join("docs/language/README.md"));
    listed.sort();
    let there: Vec<PathBuf> =
        documents().into_iter().filter(|path| path.parent().unwrap().ends_with("docs/language")).collect();
    assert_eq!(listed, there);
}

/// Compares a document, or writes it where `CARDWRIGHT_WRITE_DOCS` is set.
fn settle(name: &str, wanted: &str) {
    let path = root().join(name);
    if std::env::var_os("CARDWRIGHT_WRITE_DOCS").is_some() {
        std::fs::write(&path, wanted).unwrap();
    }
    let found = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(found == wanted, "{name} is not up to date: run the tests with CARDWRIGHT_WRITE_DOCS=1");
}

#[test]
fn the_table_of_limits_is_that_of_the_program() {
    let mut rows = "| what | at most | code |\n|---|---|---|\n".to_owned();
    for (what, most, code) in limits::table() {
        let _ = writeln!(rows, "| {what} | {most} | {code} |");
    }
    let text = read(&root().join("docs/language/limits.md"));
    let (before, rest) = text.split_once("## Limits\n\n").unwrap();
    let after = rest.split_once("\n\n").map_or("", |(_, after)| after);
    let after = if after.is_empty() { String::new() } else { format!("\n{after}") };
    settle("docs/language/limits.md", &format!("{before}## Limits\n\n{rows}{after}"));
    for (_, _, code) in limits::table().iter().filter(|row| !row.2.is_empty()) {
        assert!(Code::find(code.trim_matches('`')).is_some(), "{code} is no code");
    }
}

#[test]
fn the_error_index_has_every_code() {
    let mut text =
        "# Errors and warnings\n\nEvery finding carries a code that never changes its meaning. `cardwright explain \
        CODE` prints what stands here.\nThis page is made from the table in `src/base/codes.rs`; a test keeps them the \
        same.\n\nErrors stop a game from being played, warnings do not. Codes that begin with `L` are limits: content \
        comes from\nstrangers, and nothing in it may take all time or memory.\n\n| code | what |\n|---|---|\n"
            .to_owned();
    for info in CODES {
        let _ = writeln!(text, "| [{0}](#{1}) | {2} |", info.text, info.text.to_lowercase(), info.title);
    }
    for info in CODES {
        let kind = if info.severity == Severity::Warning { "Warning" } else { "Error" };
        let _ = write!(text, "\n## {}\n\n{kind}: {}.\n\n", info.text, info.title);
        let mut examples = false;
        for line in info.explain.trim_end().lines() {
            if line.starts_with("Wrong:") || line.starts_with("Right:") {
                if !examples {
                    text.push('\n');
                }
                examples = true;
                text.push_str("- ");
            } else if examples {
                text.push_str("  ");
            }
            text.push_str(line);
            text.push('\n');
        }
    }
    settle("docs/errors.md", &text);
}

#[test]
fn the_reference_has_all_functions_and_reserved_words() {
    let text: String = reference().iter().map(|path| read(path)).collect();
    let missing: Vec<&str> =
        BUILTINS.iter().flat_map(|info| [info.signature, info.doc]).filter(|wanted| !text.contains(wanted)).collect();
    assert!(missing.is_empty(), "the reference lacks functions:\n{}", missing.join("\n"));
    let words: Vec<&str> = text.split(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_').collect();
    let missing: Vec<&&str> = RESERVED.iter().filter(|word| !words.contains(word)).collect();
    assert!(missing.is_empty(), "the reference lacks reserved words: {missing:?}");
}

/// The page of constructs, by heading: what has to stand around an example so that it is a whole file.
const AROUND: [(&str, &str, &str); 7] = [
    ("Items", "", ""),
    ("Members", "kind k : card { ", " }"),
    ("Types", "define d(x: ", "): number = 1"),
    ("Statements", "verb v { ", " }"),
    ("Clauses", "rule r { ", " }"),
    ("Values", "define d = ", ""),
    ("Steps of scenarios", "scenario \"s\" { ", " }"),
];

#[test]
fn every_construct_on_the_page_can_be_read() {
    let page = read(&root().join("docs/constructs.md"));
    let (mut around, mut wrong, mut read) = (("", ""), String::new(), 0);
    for line in page.lines() {
        if let Some(heading) = line.strip_prefix("## ") {
            around =
                AROUND.iter().find(|(name, ..)| *name == heading).map(|(_, before, after)| (*before, *after)).unwrap();
        }
        let Some((_, rest)) = line.split_once("| `") else { continue };
        let (example, _) = rest.split_once("` |").unwrap();
        let text = format!("{}{example}{}\n", around.0, around.1);
        let found = cardwright::syntax::parse(FileId(0), &text).1;
        let mut sources = SourceMap::default();
        sources.add("example", &text);
        wrong.push_str(&render_text(&found, &sources, false));
        read += 1;
    }
    assert!(wrong.is_empty() && read > 100, "{read} were read:\n{wrong}");
    let lacking: Vec<&&str> = RESERVED.iter().filter(|word| !page.contains(**word)).collect();
    assert!(lacking.is_empty(), "the page has no example with {lacking:?}");
}

#[test]
fn commands_in_documents_exist() {
    let help = stdout(&cardwright(&root(), &["--help"], ""));
    let commands: Vec<&str> = help.lines().filter_map(|line| line.strip_prefix("  ")?.split(' ').next()).collect();
    let mut wrong = Vec::new();
    for path in documents() {
        for line in read(&path).lines().filter_map(|line| line.strip_prefix("$ cardwright ").map(str::to_owned)) {
            let command = line.split(' ').next().unwrap_or("");
            if !commands.contains(&command) {
                wrong.push(format!("{}: there is no `cardwright {command}`", path.display()));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
