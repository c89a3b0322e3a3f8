//! What each word of a text is, for colouring it by its meaning.

use super::lines::{Lines, Position};
use super::navigate::{Thing, name_at};
use super::workspace::{Workspace, file_of, index_of};
use crate::model::index::{Meaning, Sort};
use crate::syntax::{CONTEXTUAL, RESERVED, TokenKind, tokens};
use std::collections::BTreeMap;
use std::path::Path;

/// How a stretch of text is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shade {
    /// A word of the language.
    Keyword,
    /// What is declared.
    Name(Sort),
    /// A number.
    Number,
    /// A text in quotes.
    Text,
    /// A comment.
    Comment,
}

/// A stretch within one line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shaded {
    /// Where it begins.
    pub at: Position,
    /// Its length in units of UTF-16.
    pub length: u32,
    /// How it is shown.
    pub shade: Shade,
    /// Whether it is where something is declared.
    pub declares: bool,
}

/// What the words of a file are.
pub fn shades(workspace: &mut Workspace, path: &Path) -> Vec<Shaded> {
    let checks = workspace.check(path);
    let Some(text) = workspace.text(path) else { return Vec::new() };
    let lines = Lines::of(&text);
    let mut names: BTreeMap<(usize, usize), (Sort, bool)> = BTreeMap::new();
    for checked in &checks {
        let Some(file) = file_of(checked, path) else { continue };
        let index = index_of(checked);
        for (span, meaning) in index.uses.iter().filter(|(span, _)| span.file == file) {
            let sort = match meaning {
                Meaning::Declared(declared) => index.declarations.get(declared).map(|it| (it.sort, declared == span)),
                Meaning::Function(_) => Some((Sort::Function, false)),
                Meaning::BuiltIn(_) => Some((Sort::BuiltIn, false)),
                Meaning::Word => Some((Sort::Word, false)),
            };
            if let Some(sort) = sort {
                names.entry((span.start as usize, span.end as usize)).or_insert(sort);
            }
        }
        for (span, _) in index.twins.iter().filter(|(span, _)| span.file == file) {
            let found = name_at(&checks, path, span.start as usize);
            if let Some(Thing::Declared(_, declaration)) = found.and_then(|name| name.meanings.into_iter().next()) {
                names.entry((span.start as usize, span.end as usize)).or_insert((declaration.sort, false));
            }
        }
    }
    let mut shaded = Vec::new();
    for token in tokens(&text) {
        let word = token.text(&text);
        let name = names.get(&(token.start, token.end)).copied();
        let (shade, declares) = match (token.kind, name) {
            (TokenKind::Word | TokenKind::Text, Some((sort, declares))) => (Shade::Name(sort), declares),
            (TokenKind::Word, None) if RESERVED.contains(&word) || CONTEXTUAL.contains(&word) => {
                (Shade::Keyword, false)
            }
            (TokenKind::Number, _) => (Shade::Number, false),
            (TokenKind::Text, None) => {
                // Names in the braces of a text are shown as what they are.
                in_braces(&text, &lines, (token.start, token.end), &names, &mut shaded);
                continue;
            }
            (TokenKind::Comment, _) => (Shade::Comment, false),
            _ => continue,
        };
        shaded.extend(stretch(&text, &lines, (token.start, token.end), shade, declares));
    }
    shaded
}

fn in_braces(
    text: &str,
    lines: &Lines,
    (start, end): (usize, usize),
    names: &BTreeMap<(usize, usize), (Sort, bool)>,
    shaded: &mut Vec<Shaded>,
) {
    let mut at = start;
    for ((from, to), (sort, declares)) in names.range((start, 0)..(end, 0)) {
        shaded.extend(stretch(text, lines, (at, *from), Shade::Text, false));
        shaded.extend(stretch(text, lines, (*from, *to), Shade::Name(*sort), *declares));
        at = *to;
    }
    shaded.extend(stretch(text, lines, (at, end), Shade::Text, false));
}

fn stretch(text: &str, lines: &Lines, (start, end): (usize, usize), shade: Shade, declares: bool) -> Option<Shaded> {
    let word = text.get(start..end).filter(|word| !word.is_empty() && !word.contains('\n'))?;
    let length = word.encode_utf16().count() as u32;
    Some(Shaded { at: lines.position(text, start), length, shade, declares })
}
