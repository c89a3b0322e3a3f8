//! The outline of a text: its items with what is in them, and what can be folded.

use super::lines::Lines;
use crate::base::{FileId, Span};
use crate::model::index::Sort;
use crate::syntax::ast::{EntryFieldKind, Ident, Item, ItemKind, MemberKind};
use crate::syntax::{TokenKind, parse, tokens};
use std::ops::Range;

/// An item of a text, or a part of one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Symbol {
    /// What it is called.
    pub name: String,
    /// What stands with the name: the kind of a card, the parent of a kind.
    pub detail: String,
    /// What it is; none for what has a word of its own, such as `flow`.
    pub sort: Option<Sort>,
    /// All of it.
    pub whole: Range<usize>,
    /// Its name.
    pub named: Range<usize>,
    /// Its parts.
    pub parts: Vec<Symbol>,
}

fn range(span: Span) -> Range<usize> {
    span.start as usize..span.end as usize
}

fn symbol(name: &Ident, sort: Sort, whole: Span) -> Symbol {
    let (detail, parts) = (String::new(), Vec::new());
    Symbol { name: name.text.clone(), detail, sort: Some(sort), whole: range(whole), named: range(name.span), parts }
}

/// The items of a text.
pub fn symbols(text: &str) -> Vec<Symbol> {
    let (file, _) = parse(FileId(0), text);
    file.items.iter().filter_map(of_item).collect()
}

/// An item that has no name, by the word it begins with.
fn unnamed(word: &str, item: &Item) -> Symbol {
    let start = item.span.start as usize;
    let (name, whole) = (word.to_owned(), range(item.span));
    Symbol { name, detail: String::new(), sort: None, whole, named: start..start + word.len(), parts: Vec::new() }
}

fn of_item(item: &Item) -> Option<Symbol> {
    let named = |name: &Ident, sort| symbol(name, sort, item.span);
    Some(match &item.kind {
        ItemKind::Enum { name, values } => {
            let parts = values.iter().map(|value| symbol(&value.name, Sort::Value, value.name.span)).collect();
            Symbol { parts, ..named(name, Sort::Enum) }
        }
        ItemKind::Option { name, .. } => named(name, Sort::Option),
        ItemKind::Kind { name, parent, members } => {
            Symbol { detail: parent.text.clone(), parts: of_members(members), ..named(name, Sort::Kind) }
        }
        ItemKind::Player { members } => Symbol { parts: of_members(members), ..unnamed("player", item) },
        ItemKind::Game { members } => Symbol { parts: of_members(members), ..unnamed("game", item) },
        ItemKind::Zone { name, .. } => named(name, Sort::Zone),
        ItemKind::Board { name, .. } => named(name, Sort::Board),
        ItemKind::Link { from_kind, from_prop, .. } => {
            let name = Ident {
                text: format!("{}.{}", from_kind.text, from_prop.text),
                span: from_kind.span.to(from_prop.span),
            };
            named(&name, Sort::Link)
        }
        ItemKind::Define { name, .. } => named(name, Sort::Define),
        ItemKind::Verb { name, .. } => named(name, Sort::Verb),
        ItemKind::Action { name, .. } => named(name, Sort::Action),
        ItemKind::Window { name, .. } => named(name, Sort::Window),
        ItemKind::Setup { .. } => unnamed("setup", item),
        ItemKind::Flow { .. } => unnamed("flow", item),
        ItemKind::Rule { name, .. } => named(name, Sort::Rule),
        ItemKind::Script { name, .. } => named(name, Sort::Script),
        ItemKind::Cards { file, .. } => Symbol { detail: "table".to_owned(), sort: None, ..named(file, Sort::Word) },
        ItemKind::Look { name, .. } => Symbol { detail: "look".to_owned(), sort: None, ..named(name, Sort::Word) },
        ItemKind::Entry { kind, name, fields } => {
            let effects = fields.iter().filter_map(|field| match &field.kind {
                EntryFieldKind::Effect { name, .. } => Some(symbol(name, Sort::Field, field.span)),
                _ => None,
            });
            Symbol { detail: kind.text.clone(), parts: effects.collect(), ..named(name, Sort::Entry) }
        }
        ItemKind::Scenario { title, covers, .. } => {
            let covers: Vec<&str> = covers.iter().map(|id| id.text.as_str()).collect();
            Symbol { detail: covers.join(" "), sort: None, ..named(title, Sort::Word) }
        }
        ItemKind::Patch { target, .. } | ItemKind::Remove { target } => {
            let word = if matches!(item.kind, ItemKind::Patch { .. }) { "patch" } else { "remove" };
            let name = target.name.as_ref().unwrap_or(&target.sort);
            Symbol { detail: format!("{word} {}", target.sort.text), sort: None, ..named(name, Sort::Word) }
        }
        ItemKind::Replace { with } => {
            let inner = of_item(with)?;
            Symbol {
                detail: format!("replace {}", inner.detail).trim_end().to_owned(),
                whole: range(item.span),
                ..inner
            }
        }
    })
}

fn of_members(members: &[crate::syntax::ast::Member]) -> Vec<Symbol> {
    let of = |member: &crate::syntax::ast::Member| {
        let (name, sort) = match &member.kind {
            MemberKind::Field { name, .. } => (name, Sort::Field),
            MemberKind::Counter { name, .. } => (name, Sort::Counter),
            MemberKind::Mark { name, .. } => (name, Sort::Mark),
            MemberKind::Stat { name, .. } => (name, Sort::Stat),
            MemberKind::StandsWhen { .. }
            | MemberKind::Seen { .. }
            | MemberKind::Notation { .. }
            | MemberKind::Clause(_) => return None,
        };
        Some(symbol(name, sort, member.span))
    };
    members.iter().filter_map(of).collect()
}

/// Lines that can be folded, from 0, the first and the last; and whether they are a comment.
pub fn folds(text: &str) -> Vec<(usize, usize, bool)> {
    let lines = Lines::of(text);
    let mut folds = Vec::new();
    let mut open: Vec<usize> = Vec::new();
    let mut comment: Option<(usize, usize)> = None;
    for token in tokens(text) {
        let line = lines.line(token.start);
        let alone = lines.text(text, line).trim_start().starts_with("//");
        match (token.kind, comment) {
            (TokenKind::Comment, Some((first, last))) if alone && last + 1 == line => comment = Some((first, line)),
            (TokenKind::Comment, before) if alone => {
                folds.extend(before.filter(|(first, last)| first < last).map(|(first, last)| (first, last, true)));
                comment = Some((line, line));
            }
            _ => {}
        }
        match token.text(text) {
            "{" | "[" | "(" if token.kind == TokenKind::Symbol => open.push(line),
            "}" | "]" | ")" if token.kind == TokenKind::Symbol => {
                if let Some(first) = open.pop()
                    && first + 1 < line
                {
                    folds.push((first, line - 1, false));
                }
            }
            _ => {}
        }
    }
    folds.extend(comment.filter(|(first, last)| first < last).map(|(first, last)| (first, last, true)));
    folds.sort_unstable();
    folds.dedup_by_key(|(first, ..)| *first);
    folds
}
