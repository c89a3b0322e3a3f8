//! What is told of a name: how it is declared, the comment above it, and what acts on it.

use super::lines::Lines;
use super::navigate::{Name, Thing, name_at, places_of};
use super::parts;
use super::texts::Location;
use super::workspace::Workspace;
use crate::base::{FileId, Span};
use crate::model::builtins;
use crate::model::index::{Declaration, Sort};
use crate::play::{Checked, Game, Options, Package, scenario};
use crate::syntax::ast::{EntryFieldKind, Item, ItemKind, MemberKind};
use crate::syntax::{TokenKind, parse, tokens};
use std::fmt::Write;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

/// Lines of a declaration that are shown at the most.
const MOST_LINES: usize = 16;
/// Clauses and modifiers that are listed at the most.
const MOST_LISTED: usize = 8;

/// What is told of a name, in Markdown, and the name.
pub fn hover(workspace: &mut Workspace, path: &Path, offset: usize) -> Option<(Location, String)> {
    let checks = workspace.check(path);
    let Some(name) = name_at(&checks, path, offset) else {
        return expected(workspace, path, offset).or_else(|| parts::part_at(workspace, path, offset));
    };
    let told: Vec<String> = name.meanings.iter().map(|thing| told(workspace, &checks, thing)).collect();
    let Name { at, .. } = name;
    Some((at, told.join("\n\n---\n\n")))
}

/// What the `expect` at a place comes to now, and why: its scenario is played.
fn expected(workspace: &Workspace, path: &Path, offset: usize) -> Option<(Location, String)> {
    let text = workspace.text(path)?;
    let (file, _) = parse(FileId(0), &text);
    let steps = file.items.iter().filter_map(|item| match &item.kind {
        ItemKind::Scenario { steps, .. } => Some(steps),
        _ => None,
    });
    let range = |span: Span| span.start as usize..span.end as usize;
    let here = steps.flatten().map(|step| range(step.span)).find(|range| range.contains(&offset))?;
    text.get(here).filter(|step| step.starts_with("expect"))?;
    let offset = u32::try_from(offset).ok()?;
    let shown = path.to_string_lossy();
    workspace.subjects(path).find_map(|subject| {
        let package = subject.package().clone().edited(workspace.unsaved());
        let game = Arc::new(Game::load(&package, &Options::new(), None).ok()?);
        let file = game.sources.files().find(|file| game.sources.name(*file) == shown)?;
        let (span, lines) = scenario::expected(&game, file, offset)?;
        let at = Location { path: path.to_owned(), start: span.start as usize, end: span.end as usize };
        // Places are those of the package that is being written.
        let folders = std::iter::once(&package).chain(package.expansions()).filter_map(Package::path);
        let whole = lines.join("\n");
        let told = folders.fold(whole, |told, folder| told.replace(&format!("{}/", folder.display()), ""));
        Some((at, format!("```text\n{told}\n```")))
    })
}

fn told(workspace: &Workspace, checks: &[Arc<Checked>], thing: &Thing) -> String {
    match thing {
        Thing::Function(name) => {
            let forms = builtins::named(name).into_iter().flatten();
            let forms = forms.map(|info| format!("```cardwright\n{}\n```\n{}", info.signature, info.doc));
            forms.collect::<Vec<_>>().join("\n\n")
        }
        Thing::BuiltIn(name) => format!("```cardwright\n{name}\n```\n{}", meaning_of(name)),
        Thing::Declared(at, declaration) => declared(workspace, checks, at, declaration),
    }
}

/// What the names mean that every game has.
pub fn meaning_of(name: &str) -> &'static str {
    match name {
        "me" => "The player who acts.",
        "this" => "The card or piece that the text stands on.",
        "it" => "The member of the set that a `where`, `having`, `sorted by`, `meets` or fold looks at.",
        "mover" => "The player on turn, of the outermost `turns`.",
        "actor" => "Who acts in the event at hand, or nothing.",
        "source" => "The card or piece whose text the event at hand comes from, or nothing.",
        "cause" => "Why the event at hand happens: `ability`, `rule` or `cost`.",
        "changed" => "Whether an `instead` has acted on the event at hand.",
        "round" => "The round, from 1; 0 in `setup` and before the first `turns`.",
        "players" => "All players who are still in the game.",
        "opponents" => "All players who are still in the game but `me`.",
        "seat" => "The number of a player's seat, from 1; `seat(n)` is the player of a seat.",
        "holder" => "The player in whose zone a card lies, or nothing.",
        "owner" => "The player to whom a piece belongs, or nothing.",
        "entered" => "When something came to its place: later is greater.",
        "playing" => "Whether a player is still in the game.",
        "true" | "false" => "A flag.",
        "nothing" => "The value that is missing.",
        "nowhere" => "Out of the game: a place to move things to.",
        "game" => "The game itself, as the owner of its properties: `game.NAME`.",
        "card" => "The kind of everything that lies in zones.",
        "piece" => "The kind of everything that lies on boards.",
        "thing" => "The kind of what has no place.",
        "turn" => "How many directions clockwise a tile is turned.",
        "every_value" => "In `create`: one for each value of the field.",
        "any_value" => "In `create`: a value that chance picks.",
        "number" => "A checked whole number of 64 bits.",
        "flag" => "`true` or `false`.",
        "text" => "A text, which is shown and not compared.",
        "player" => "One of the players.",
        "site" => "A place on the board.",
        "direction" => "A direction of the board.",
        "effect" => "A block of statements on a card, which `do` performs.",
        "test" => "A yes-or-no question about its parameters.",
        "amount" => "A number worked out from its parameters.",
        _ => "",
    }
}

fn declared(workspace: &Workspace, checks: &[Arc<Checked>], at: &Location, declaration: &Declaration) -> String {
    let Some(text) = workspace.text(&at.path).or_else(|| source_of(checks, &at.path)) else { return String::new() };
    let part = part_at(&text, at.start);
    let head = match declaration.sort {
        Sort::Local | Sort::Parameter => format!("{}: {}", declaration.name, or_unknown(&declaration.ty)),
        Sort::Value => format!("{} of {}", declaration.name, declaration.of.as_deref().unwrap_or("an enum")),
        _ => part.as_ref().map_or_else(|| declaration.name.clone(), |part| shown(&text, part, declaration.sort)),
    };
    let mut told = format!("```cardwright\n{head}\n```");
    if let Some(of) = declaration.of.as_ref().filter(|_| !matches!(declaration.sort, Sort::Entry | Sort::Value)) {
        let _ = write!(told, "\n{} of `{of}`", capital(declaration.sort.noun()));
    }
    if declaration.sort == Sort::Entry {
        told.push_str(&defaults(
            checks,
            declaration,
            part.as_ref().map_or("", |part| text.get(part.clone()).unwrap_or("")),
        ));
    }
    if matches!(declaration.sort, Sort::Define | Sort::Zone) && !declaration.ty.is_empty() {
        let _ = write!(told, "\nGives `{}`", declaration.ty);
    }
    let local = matches!(declaration.sort, Sort::Local | Sort::Parameter | Sort::Value);
    if let Some(comment) = part.filter(|_| !local).and_then(|part| comment_above(&text, part.start)) {
        let _ = write!(told, "\n\n{comment}");
    }
    let thing = Thing::Declared(at.clone(), declaration.clone());
    told.push_str(&acts_on(workspace, checks, &thing, declaration.sort));
    told
}

fn or_unknown(ty: &str) -> &str {
    if ty.is_empty() { "?" } else { ty }
}

fn capital(word: &str) -> String {
    let mut letters = word.chars();
    letters.next().map_or(String::new(), |first| first.to_uppercase().chain(letters).collect())
}

/// The text of a file that is built into the program.
fn source_of(checks: &[Arc<Checked>], path: &Path) -> Option<String> {
    let of = |checked: &Arc<Checked>| {
        super::workspace::file_of(checked, path).map(|file| checked.sources.text(file).to_owned())
    };
    checks.iter().find_map(of)
}

/// The item around a byte, or the member or field of it that declares something there.
pub fn part_at(text: &str, offset: usize) -> Option<Range<usize>> {
    let (file, _) = parse(FileId(0), text);
    let holds = |span: Span| span.start as usize <= offset && offset < span.end as usize;
    let range = |span: Span| span.start as usize..span.end as usize;
    let item = file.items.iter().find(|item| holds(item.span))?;
    let members = members_of(item);
    let member = members.iter().find(|span| holds(**span)).copied();
    Some(range(member.unwrap_or(item.span)))
}

fn members_of(item: &Item) -> Vec<Span> {
    match &item.kind {
        ItemKind::Kind { members, .. } | ItemKind::Player { members } | ItemKind::Game { members } => members
            .iter()
            .filter(|member| !matches!(member.kind, MemberKind::Clause(_)))
            .map(|member| member.span)
            .collect(),
        ItemKind::Entry { fields, .. } => fields
            .iter()
            .filter(|field| matches!(field.kind, EntryFieldKind::Effect { .. }))
            .map(|field| field.span)
            .collect(),
        ItemKind::Replace { with } => members_of(with),
        _ => Vec::new(),
    }
}

/// A declaration as it is shown: a card, a property or a definition as a whole, of others what stands before the block.
fn shown(text: &str, part: &Range<usize>, sort: Sort) -> String {
    let whole = text.get(part.clone()).unwrap_or("");
    let whole_shown = matches!(
        sort,
        Sort::Entry
            | Sort::Define
            | Sort::Field
            | Sort::Counter
            | Sort::Mark
            | Sort::Stat
            | Sort::Enum
            | Sort::Zone
            | Sort::Board
            | Sort::Option
            | Sort::Script
            | Sort::Link
    );
    let text = if whole_shown { whole } else { whole.split('{').next().unwrap_or(whole).trim_end() };
    let mut lines: Vec<&str> = text.lines().take(MOST_LINES).collect();
    if text.lines().count() > MOST_LINES {
        lines.push("…");
    }
    lines.join("\n")
}

/// The fields that a card takes from its kind.
fn defaults(checks: &[Arc<Checked>], declaration: &Declaration, written: &str) -> String {
    let kind = declaration.of.as_deref().unwrap_or("");
    let said = |name: &str| {
        let words = tokens(written);
        words.windows(2).any(|pair| pair.first().is_some_and(|word| word.text(written) == name))
    };
    let mut lines = Vec::new();
    for checked in checks {
        for other in super::workspace::index_of(checked).declarations.values() {
            let own = other.sort == Sort::Field && other.of.as_deref() == Some(kind) && !said(&other.name);
            let text = checked.sources.text(other.span.file);
            if let Some(part) = Some(()).filter(|()| own).and_then(|()| part_at(text, other.span.start as usize)) {
                let line = text.get(part).unwrap_or("").split_whitespace().collect::<Vec<_>>().join(" ");
                if let Some((_, default)) = line.split_once(" = ") {
                    lines.push(format!("\n- `{}`: {default}", other.name));
                }
            }
        }
        if !lines.is_empty() {
            break;
        }
    }
    if lines.is_empty() { String::new() } else { format!("\n\nBy default of `{kind}`:\n{}", lines.concat()) }
}

/// The comment that stands directly above a part.
pub fn comment_above(text: &str, start: usize) -> Option<String> {
    let lines = Lines::of(text);
    let first = lines.line(start);
    let mut above: Vec<&str> = (0..first)
        .rev()
        .map(|line| lines.text(text, line).trim())
        .take_while(|line| line.starts_with("//"))
        .map(|line| line.trim_start_matches('/').trim())
        .collect();
    above.reverse();
    (!above.is_empty()).then(|| above.join(" "))
}

/// The clauses that act on a verb, and those that modify a stat.
fn acts_on(workspace: &Workspace, checks: &[Arc<Checked>], thing: &Thing, sort: Sort) -> String {
    let (heading, words): (&str, &[&str]) = match sort {
        Sort::Verb => ("Acted on by", &["cannot", "instead", "before", "after"]),
        Sort::Stat => ("Modified by", &["modify"]),
        Sort::Span => ("Acted on by", &["of"]),
        _ => return String::new(),
    };
    let mut lines = Vec::new();
    for at in places_of(checks, std::slice::from_ref(thing)) {
        let Some(text) = workspace.text(&at.path).or_else(|| source_of(checks, &at.path)) else { continue };
        let line = line_around(&text, at.start);
        if words.contains(&word_before(&text, at.start)) && !line.is_empty() {
            lines.push(format!("\n- `{line}`"));
        }
    }
    let more = lines.len().saturating_sub(MOST_LISTED);
    lines.truncate(MOST_LISTED);
    if more > 0 {
        lines.push(format!("\n- and {more} more"));
    }
    if lines.is_empty() { String::new() } else { format!("\n\n{heading}:\n{}", lines.concat()) }
}

/// The line of a byte, without what surrounds it.
fn line_around(text: &str, offset: usize) -> String {
    let lines = Lines::of(text);
    lines.text(text, lines.line(offset)).trim().to_owned()
}

/// The word before a byte.
pub fn word_before(text: &str, offset: usize) -> &str {
    let before = text.get(..offset).unwrap_or("").trim_end();
    let start = before.rfind(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_').map_or(0, |at| at + 1);
    before.get(start..).unwrap_or("")
}

/// The kind of the token at a byte.
pub fn token_at(text: &str, offset: usize) -> Option<TokenKind> {
    tokens(text).into_iter().find(|token| token.start <= offset && offset < token.end).map(|token| token.kind)
}
