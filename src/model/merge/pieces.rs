//! `OLD becomes NEW`: pieces of items that expansions exchange. A piece is looked for in what the game says, and in what the packages say on
//! which its own depends: what others add beside it makes no difference.

use super::{Key, Made, Merger, Slot, Swapped, What, conflict, shown, swap_slot};
use crate::base::{Code, Diagnostic, FileId, Span};
use crate::model::additions::{self, Adds};
use crate::model::check::Package;
use crate::model::{heads, patch, swap};
use crate::syntax::ast::{Fragment, Item, ItemKind, Swap};
use std::collections::{BTreeMap, BTreeSet};

/// By file: which packages know what stands there, since they depend on its package.
pub(super) fn known(packages: &[Package]) -> BTreeMap<FileId, BTreeSet<usize>> {
    let mut known = BTreeMap::new();
    for index in 0..packages.len() {
        let (mut needs, mut open) = (BTreeSet::new(), vec![index]);
        while let Some(package) = open.pop() {
            let of = packages.get(package).map_or(&[][..], |package| &package.needs);
            let named = |name: &String| packages.iter().position(|package| package.header.name == *name);
            open.extend(of.iter().filter_map(named).filter(|needed| needs.insert(*needed)));
        }
        for needed in needs.iter().filter_map(|needed| packages.get(*needed)) {
            for (file, _) in &needed.files {
                known.entry(*file).or_insert_with(BTreeSet::new).insert(index);
            }
        }
    }
    known
}

impl Merger<'_> {
    /// The pieces of an item that changes exchange, each with the part of the item in which it stands.
    pub(super) fn pieces_within(
        &mut self,
        key: &Key,
        item: &Item,
        of_key: &[usize],
        changes: &[Made],
    ) -> Vec<(Slot, Slot)> {
        let mut within = Vec::new();
        for change in of_key.iter().filter_map(|index| changes.get(*index)) {
            let What::Patch(_, swaps) = &change.what else { continue };
            for swap in swaps {
                self.originals.entry(key.clone()).or_insert_with(|| item.kind.clone());
                if let [place] = swap::places(&item.kind, &swap.old, self.sources)[..]
                    && let Some(part) = patch::part_at(&item.kind, place).or_else(|| heads::part_at(&item.kind, place))
                {
                    within.push((swap_slot(swap, self.sources), part));
                }
            }
        }
        within
    }

    /// Reports pieces of parts that another package takes away or gives anew.
    pub(super) fn pieces_of_parts(
        &mut self,
        key: &Key,
        within: &[(Slot, Slot)],
        left: &BTreeMap<&Slot, Vec<(usize, usize, Span)>>,
    ) {
        for (piece, part) in within {
            let (Some(exchanged), Some(taken)) = (left.get(piece), left.get(part)) else { continue };
            let pairs = exchanged.iter().flat_map(|one| taken.iter().map(move |other| (one, other)));
            if let Some((one, other)) = pairs.into_iter().find(|(one, other)| one.1 != other.1) {
                let message = format!("two expansions change the same part of {}", shown(key));
                let found = conflict(message, (self.name(other.1), other.2), (self.name(one.1), one.2));
                self.found.push(found);
                self.lost.extend(exchanged.iter().map(|(index, ..)| (*index, piece.clone())));
            }
        }
    }

    /// Whether a package depends on the one that has written a text.
    fn knows(&self, package: usize, text: Span) -> bool {
        self.known.get(&text.file).is_some_and(|known| known.contains(&package))
    }

    /// Exchanges a piece of an item.
    pub(super) fn swap(&mut self, key: &Key, package: usize, swap: Swap, item: &mut ItemKind) {
        let (old, at, whole) = (swap::shown(&swap.old, self.sources), swap::span(&swap.old), swap.span);
        let nothing = |message: String| Diagnostic::new(Code::NothingToChange, at, message);
        if matches!(swap.old, Fragment::Expr(_)) != matches!(swap.new, Fragment::Expr(_)) {
            let found =
                nothing("an expression becomes an expression, and statements in braces become statements".to_owned());
            self.found.push(found);
            return;
        }
        let mut places =
            self.originals.get(key).map(|item| swap::places(item, &swap.old, self.sources)).unwrap_or_default();
        // What others have written here is not looked at, but for those that the package depends on.
        let theirs = |place: &Span| self.knows(package, *place);
        let here = swap::places(item, &swap.old, self.sources).into_iter().filter(theirs);
        let new: Vec<Span> = here.filter(|place| !places.contains(place)).collect();
        places.extend(new);
        let [place] = places[..] else {
            let found = match places.len() {
                0 => {
                    let found = nothing(format!("{} has no `{old}`", shown(key)));
                    swap::missing(found, self.originals.get(key), &swap.old, self.sources)
                }
                count => places.iter().take(2).fold(
                    nothing(format!("`{old}` stands in {} {count} times", shown(key)))
                        .help("write more of what stands around it"),
                    |found, place| found.label(*place, "here"),
                ),
            };
            self.found.push(found);
            return;
        };
        let within = swap::within(item, place);
        let adds = additions::adds(&swap, self.sources);
        let meets = |earlier: &&Swapped| {
            let other = earlier.place;
            let meets = other.file == place.file && other.start < place.end && place.start < other.end;
            // What a package depends on it knows; what others have written there it does not.
            let knows = earlier.package == package || self.knows(package, earlier.at);
            let inside = |span: &Span| *span == other || span.file == earlier.at.file;
            let around = other != place && (earlier.within.contains(&place) || within.iter().any(inside));
            meets || !knows && around
        };
        let contradicts = |earlier: &&Swapped| {
            let beside = adds.is_some() && earlier.place == place && earlier.package != package;
            !beside && !self.wins(package, earlier.package)
        };
        let mut rivals = self.swapped.iter().filter(meets);
        if let Some((other, span)) = rivals.find(contradicts).map(|earlier| (earlier.package, earlier.at)) {
            let message = match other == package {
                true => format!("`{old}` of {} is changed twice", shown(key)),
                false => format!("two expansions change `{old}` of {}", shown(key)),
            };
            self.found.push(conflict(message, (self.name(other), span), (self.name(package), at)));
            return;
        }
        let twins = swap::twins(&swap.old, place, self.sources);
        let made = match adds {
            Some(_) => additions::add(item, place, swap, self.sources),
            None => swap::exchange(item, place, swap.new),
        };
        if made {
            if matches!(adds, Some(Adds::Stmts | Adds::Cases)) {
                self.merged.added.push((format!("add to `{old}` of {}", shown(key)), whole));
            }
            self.merged.twins.extend(twins);
            self.swapped.push(Swapped { place, package, at, within });
            self.merged.exchanged.push((key.clone(), whole));
        } else {
            let found = nothing(format!("{} has no `{old}` any more", shown(key)));
            self.found.push(found.label(place, "another change takes this away"));
        }
    }
}
