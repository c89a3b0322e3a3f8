//! `player { ... }` and `game { ... }` may stand in several places, which count as one.

use super::check::Package;
use super::merge::{Key, Place};
use crate::base::Span;
use crate::syntax::ast::{Item, ItemKind};

/// Whether there may be several such items, which count as one: `player { ... }` and `game { ... }`.
pub(super) fn gathered(key: &Key) -> bool {
    matches!(key.0.as_str(), "player" | "game")
}

/// Joins all `player` or `game` items into one, and gives its place. If there is none, the package that changes it
/// gets one where it says so.
pub(super) fn gather(packages: &mut [Package], key: &Key, by: usize, span: Span) -> Option<(Key, Place)> {
    let mut members = Vec::new();
    let mut at = None;
    for (package, each) in packages.iter_mut().enumerate() {
        for (file, (_, tree)) in each.files.iter_mut().enumerate() {
            for (index, item) in tree.items.iter_mut().enumerate() {
                let found = match &mut item.kind {
                    ItemKind::Player { members } if key.0 == "player" => members,
                    ItemKind::Game { members } if key.0 == "game" => members,
                    _ => continue,
                };
                members.append(found);
                at = at.or(Some((package, file, index)));
            }
        }
    }
    let kind = if key.0 == "game" { ItemKind::Game { members } } else { ItemKind::Player { members } };
    match at {
        Some((package, file, index)) => {
            let items = &mut packages.get_mut(package)?.files.get_mut(file)?.1.items;
            items.get_mut(index)?.kind = kind;
        }
        None => {
            let file = packages.get(by)?.files.iter().position(|(id, _)| *id == span.file)?;
            let items = &mut packages.get_mut(by)?.files.get_mut(file)?.1.items;
            items.push(Item { kind, label: None, span });
            at = Some((by, file, items.len() - 1));
        }
    }
    at.map(|place| (key.clone(), place))
}
