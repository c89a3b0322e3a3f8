//! `patch turns NAME`: the `turns` of that name is found in the item where it stands, and parts of its head exchanged.

use std::collections::BTreeMap;

use super::check::Package;
use super::merge::{Key, Place, Slot};
use super::patch::Stands;
use crate::base::{Code, Diagnostic, Span};
use crate::syntax::ast::{Block, Change, Expr, Ident, ItemKind, StmtKind, TurnsPart};
use crate::syntax::visit::{Visitor, walk_item};

/// The word of such a patch.
pub(super) const TURNS: &str = "turns";

/// The places of `turns` of each name: the item, and the name in it.
pub(super) type Heads = BTreeMap<String, Vec<(Key, Place, Span)>>;

/// Finds all `turns` in items that have a key.
pub(super) fn heads(packages: &[Package], places: &BTreeMap<Key, Place>) -> Heads {
    let mut heads = Heads::new();
    for (key, place) in places {
        let files = packages.get(place.0).map(|package| &package.files);
        let Some(item) = files.and_then(|files| files.get(place.1)?.1.items.get(place.2)) else { continue };
        let mut names = Names::default();
        walk_item(&mut names, &mut item.kind.clone());
        for (name, span) in names.0 {
            heads.entry(name).or_default().push((key.clone(), *place, span));
        }
    }
    heads
}

/// The slot of one part of a head.
pub(super) fn slot(turns: &str, word: &str) -> Slot {
    Slot::Part(format!("turns {turns} {word}"))
}

/// Exchanges parts of the head of the `turns` of a name in an item. Gives what should be taken away and is not there.
pub(super) fn apply(
    item: &mut ItemKind,
    turns: &str,
    parts: Vec<TurnsPart>,
    drops: Vec<Ident>,
    stands: &Stands<'_>,
) -> Vec<Ident> {
    let parts = parts.into_iter().filter(|part| stands(slot(turns, &part.word.text))).collect();
    let drops = drops.into_iter().filter(|word| stands(slot(turns, &word.text))).collect();
    let mut head = Head { turns, parts, drops, missing: Vec::new() };
    walk_item(&mut head, item);
    head.missing
}

/// The part of the head of a `turns` in an item in which a place stands.
pub(super) fn part_at(item: &ItemKind, place: Span) -> Option<Slot> {
    struct At {
        place: Span,
        found: Option<Slot>,
    }
    impl Visitor for At {
        fn block(&mut self, block: &mut Block) -> bool {
            let place = self.place;
            let here = |expr: &Expr| expr.span.covers(place);
            for stmt in &block.stmts {
                let StmtKind::Turns { name, from, among, next, rounds, until, .. } = &stmt.kind else { continue };
                let parts = [("among", among), ("next", next), ("for", rounds), ("until", until)];
                let part = parts.into_iter().find(|(_, part)| part.as_ref().is_some_and(|part| here(part)));
                let word = part.map(|(word, _)| word).or_else(|| here(from).then_some("from"));
                self.found = self.found.take().or(word.map(|word| slot(&name.text, word)));
            }
            true
        }
    }
    let mut at = At { place, found: None };
    walk_item(&mut at, &mut item.clone());
    at.found
}

/// The name in a patch of the head of a `turns`.
pub(super) fn turns_of(change: &Change) -> Option<String> {
    let Change::Turns { name, .. } = change else { return None };
    Some(name.text.clone())
}

/// What is to be taken away from a head that does not have it.
pub(super) fn nothing_there(turns: &str, word: &Ident) -> Diagnostic {
    let message = format!("the head of `turns {turns}` has no `{}` to take away", word.text);
    let help = format!("leave it out: what is not there need not go; `{} ...` gives it one", word.text);
    Diagnostic::new(Code::NothingToChange, word.span, message).help(help)
}

#[derive(Default)]
struct Names(Vec<(String, Span)>);

impl Visitor for Names {
    fn block(&mut self, block: &mut Block) -> bool {
        for stmt in &block.stmts {
            if let StmtKind::Turns { name, .. } = &stmt.kind {
                self.0.push((name.text.clone(), name.span));
            }
        }
        true
    }
}

struct Head<'n> {
    turns: &'n str,
    parts: Vec<TurnsPart>,
    drops: Vec<Ident>,
    missing: Vec<Ident>,
}

impl Visitor for Head<'_> {
    fn block(&mut self, block: &mut Block) -> bool {
        for stmt in &mut block.stmts {
            let StmtKind::Turns { name, from, among, next, rounds, until, .. } = &mut stmt.kind else { continue };
            if name.text != self.turns {
                continue;
            }
            let mut known = [("among", among), ("next", next), ("for", rounds), ("until", until)];
            for word in std::mem::take(&mut self.drops) {
                if place(&mut known, &word).is_none_or(|part| part.take().is_none()) {
                    self.missing.push(word);
                }
            }
            for part in std::mem::take(&mut self.parts) {
                match place(&mut known, &part.word) {
                    Some(old) => *old = Some(Box::new(part.value)),
                    None => *from = part.value,
                }
            }
        }
        true
    }
}

/// Where the part of a head that begins with a word stands, if there need not be one.
fn place<'k>(known: &'k mut [(&str, &mut Option<Box<Expr>>)], word: &Ident) -> Option<&'k mut Option<Box<Expr>>> {
    known.iter_mut().find_map(|(first, part)| (*first == word.text).then_some(&mut **part))
}
