//! How what is being called is written, and which of its parts is being given.

use super::hover::part_at;
use super::navigate::{Thing, called, name_at};
use super::workspace::Workspace;
use crate::model::builtins;
use crate::model::index::Sort;
use crate::syntax::ast::Prep;
use crate::syntax::{Token, TokenKind, tokens};
use std::path::Path;

/// How something is called.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Signature {
    /// All of it: `steal c: entry to p: player`.
    pub label: String,
    /// What it does, if its declaration says so.
    pub doc: String,
    /// Its parts as they stand in the label.
    pub parts: Vec<String>,
    /// Which of them is being given, from 0.
    pub active: Option<usize>,
}

/// How what is called around a byte is written; several, if it has several forms.
pub fn signatures(workspace: &mut Workspace, path: &Path, offset: usize) -> Vec<Signature> {
    let Some(text) = workspace.text(path) else { return Vec::new() };
    let Some(call) = call_around(&text, offset) else { return Vec::new() };
    let checks = workspace.check(path);
    // While it is being written, a call often cannot be read; then its name alone must do.
    let found = name_at(&checks, path, call.name.start).map(|name| name.meanings);
    let found = found.unwrap_or_else(|| called(&checks, call.name.text(&text)));
    let mut signatures = Vec::new();
    for thing in found {
        match thing {
            Thing::Function(name) => {
                for info in builtins::named(name).into_iter().flatten() {
                    let parts = inner(info.signature);
                    let active = (call.commas < parts.len()).then_some(call.commas);
                    let (label, doc) = (info.signature.to_owned(), info.doc.to_owned());
                    signatures.push(Signature { label, doc, parts, active });
                }
            }
            Thing::Declared(at, declaration) => {
                let Some(declared) = workspace.text(&at.path) else { continue };
                let Some(part) = part_at(&declared, at.start) else { continue };
                let whole = declared.get(at.start..part.end).unwrap_or("");
                let head = match declaration.sort {
                    Sort::Verb => whole.split('{').next().unwrap_or("").trim(),
                    Sort::Define | Sort::Action | Sort::Window | Sort::Script => {
                        whole.find(')').and_then(|end| whole.get(..=end)).unwrap_or("")
                    }
                    _ => continue,
                };
                let label = head.split_whitespace().collect::<Vec<_>>().join(" ");
                let verb = declaration.sort == Sort::Verb;
                let parts = if verb { verb_parts(&label) } else { inner(&label) };
                let active = match call.preposition {
                    Some(word) if verb => parts.iter().position(|part| part.split(' ').next() == Some(word)),
                    _ => (call.commas < parts.len()).then_some(call.commas),
                };
                if !parts.is_empty() {
                    signatures.push(Signature { label, doc: String::new(), parts, active });
                }
            }
            Thing::BuiltIn(_) => {}
        }
    }
    signatures
}

/// The parts in the brackets of a signature.
fn inner(label: &str) -> Vec<String> {
    let Some((open, close)) = label.find('(').zip(label.rfind(')')) else { return Vec::new() };
    let inside = label.get(open + 1..close).unwrap_or("");
    inside.split(',').map(|part| part.trim().to_owned()).filter(|part| !part.is_empty()).collect()
}

/// The parts of the head of a verb: each begins with its name, or with its preposition.
fn verb_parts(label: &str) -> Vec<String> {
    let words = tokens(label);
    let begins = |index: usize| {
        let text = |index: usize| words.get(index).map_or("", |token| token.text(label));
        let named = text(index + 1) == ":";
        let labelled = Prep::ALL.iter().any(|prep| prep.word() == text(index)) && text(index + 2) == ":";
        let after = index > 0 && Prep::ALL.iter().any(|prep| prep.word() == text(index - 1));
        labelled || named && !after
    };
    let starts: Vec<usize> =
        (1..words.len()).filter(|index| begins(*index)).filter_map(|index| Some(words.get(index)?.start)).collect();
    let ends = starts.iter().skip(1).copied().chain([label.len()]);
    starts.iter().zip(ends).filter_map(|(start, end)| Some(label.get(*start..end)?.trim().to_owned())).collect()
}

/// What is called around a place.
struct Call<'t> {
    name: Token,
    /// Commas of the call before the place.
    commas: usize,
    /// The last preposition of a verb before the place.
    preposition: Option<&'t str>,
}

fn call_around(text: &str, offset: usize) -> Option<Call<'_>> {
    let before: Vec<Token> = tokens(text)
        .into_iter()
        .take_while(|token| token.end <= offset)
        .filter(|token| token.kind != TokenKind::Comment)
        .collect();
    let (mut depth, mut commas) = (0_i32, 0);
    for index in (0..before.len()).rev() {
        let token = before.get(index)?;
        match token.text(text) {
            ")" | "]" => depth += 1,
            "(" | "[" if depth > 0 => depth -= 1,
            "(" => {
                let name = before.get(index.checked_sub(1)?)?;
                let called = name.kind == TokenKind::Word && name.end == token.start;
                return called.then_some(Call { name: *name, commas, preposition: None });
            }
            "," if depth == 0 => commas += 1,
            "{" | "}" => break,
            _ => {}
        }
    }
    // A verb: the first word of the statement.
    let line = text.get(..offset)?.rfind(['\n', '{', '}']).map_or(0, |at| at + 1);
    let words: Vec<Token> = before.into_iter().filter(|token| token.start >= line).collect();
    let first = words.first().filter(|token| token.kind == TokenKind::Word)?;
    if offset <= first.end {
        return None;
    }
    let preposition = words
        .iter()
        .skip(1)
        .rev()
        .map(|token| token.text(text))
        .find_map(|word| Prep::ALL.iter().map(|prep| prep.word()).find(|known| *known == word));
    Some(Call { name: *first, commas: 0, preposition })
}
