//! The changes that expansions make in the trees of other packages: which there are, which of them contradict each
//! other, and which give way. What is left is made by `patch`, part by part, so that every part keeps its place in the
//! text and later findings point into the file that it comes from.

mod pieces;

use std::collections::{BTreeMap, BTreeSet};

use super::additions;
use super::blame::{Deed, Touched};
use super::check::Package;
use super::expansions::{Changed, OptionChange, Overrides, conflict};
use super::gathered::{gather, gathered};
use super::heads::{self, TURNS};
use super::patch;
use super::swap;
use crate::base::{Code, Diagnostic, Diagnostics, FileId, SourceMap, Span, nearest};
use crate::syntax::ast::{
    Change, EntryFieldKind, EnumValue, Ident, Item, ItemKind, MemberKind, Swap, Target, WindowPart,
};
use crate::syntax::words_in;
use pieces::known;

/// The word that begins an item, or the kind of a definition, and the item's name.
pub(super) type Key = (String, String);

/// A part of an item, as far as two packages can contradict each other about it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Slot {
    /// The item is replaced or removed.
    Whole,
    /// One part has a new form, or is taken away.
    Part(String),
    /// One more of several of a sort.
    Add(&'static str),
    /// All of a sort are taken away.
    Drop(&'static str),
}

impl Slot {
    /// In a word.
    fn word(&self) -> &str {
        match self {
            Slot::Whole => "all of it",
            Slot::Part(name) => name,
            Slot::Add(sort) | Slot::Drop(sort) => sort,
        }
    }
}

/// What an expansion says that gave way to what another one says.
pub(super) struct Yielded {
    pub key: Key,
    pub part: String,
    pub span: Span,
    /// The name of the package that won.
    pub winner: String,
}

/// What a change does.
enum What {
    Replace(Box<Item>),
    Remove,
    Patch(Change, Vec<Swap>),
}

/// A change of one item by one package.
struct Made {
    package: usize,
    key: Key,
    what: What,
    /// The word before the name: for a definition, its kind.
    sort: Span,
    /// The name of what is changed.
    name: Span,
    /// The whole change.
    span: Span,
}

/// Where an item stands: package, file, item.
pub(super) type Place = (usize, usize, usize);

/// The word of scenarios, which can be removed and are read only if they are to be run.
const SCENARIO: &str = "scenario";

/// A piece that was exchanged.
struct Swapped {
    place: Span,
    package: usize,
    /// Where the package says so.
    at: Span,
    /// What stood there, whoever had written it.
    within: BTreeSet<Span>,
}

/// What came of the changes.
#[derive(Default)]
pub(super) struct Merged {
    pub yielded: Vec<Yielded>,
    /// Pieces of items that were exchanged: `OLD becomes NEW` as it stands there.
    pub exchanged: Vec<(Key, Span)>,
    /// To what statements were added, and where.
    pub added: Vec<(String, Span)>,
    /// Names of items that are gone, each with the place that says so.
    pub removed: Vec<(String, Span)>,
    /// What expansions change, by name.
    pub touched: Vec<Touched>,
    /// Names in changes, each with another place where the same name means the same.
    pub twins: Vec<(Span, Span)>,
    /// Options that have another default or are gone: the package that says so, and where.
    pub options: Changed,
}

/// Makes the changes of all expansions.
pub(super) fn merge(
    packages: &mut [Package],
    overrides: &Overrides,
    sources: &SourceMap,
    found: &mut Diagnostics,
) -> Merged {
    if !packages.iter().any(|package| package.expansion) {
        return Merged::default();
    }
    let mut changes = take_changes(packages);
    let names: Vec<String> = packages.iter().map(|package| package.header.name.clone()).collect();
    let mut merger = Merger {
        names,
        overrides,
        sources,
        found,
        lost: BTreeSet::new(),
        originals: BTreeMap::new(),
        swapped: Vec::new(),
        known: known(packages),
        merged: Merged::default(),
    };
    let mut places = merger.places(packages);
    merger.find_turns(&mut changes, packages, &mut places);
    for change in changes.iter().filter(|change| gathered(&change.key)) {
        if !places.contains_key(&change.key) {
            places.extend(gather(packages, &change.key, change.package, change.span));
        }
    }
    let mut of: BTreeMap<&Key, Vec<usize>> = BTreeMap::new();
    for (index, change) in changes.iter().enumerate() {
        of.entry(&change.key).or_default().push(index);
    }
    for (key, of_key) in of {
        if let Some(item) = places.get(key).and_then(|place| item_at(packages, *place)) {
            merger.settle(key, item, &of_key, &changes);
        } else {
            for change in of_key.iter().filter_map(|index| changes.get(*index)) {
                merger.missing(change, &places);
            }
        }
    }
    for (index, change) in changes.into_iter().enumerate() {
        merger.make(index, change, packages, &places);
    }
    for file in packages.iter_mut().flat_map(|package| &mut package.files) {
        file.1.items.retain(|item| !is_gone(item));
    }
    for package in packages.iter().filter(|package| package.expansion) {
        let items = package.files.iter().flat_map(|(_, file)| &file.items);
        merger.merged.touched.extend(items.filter_map(key).map(|((_, name), span)| Touched {
            name,
            deed: Deed::Adds,
            span,
        }));
    }
    merger.merged
}

/// Takes the changes out of the trees of expansions, in the order of loading.
fn take_changes(packages: &mut [Package]) -> Vec<Made> {
    let mut changes = Vec::new();
    for (index, package) in packages.iter_mut().enumerate().filter(|(_, package)| package.expansion) {
        for (_, file) in &mut package.files {
            let (mine, others) = std::mem::take(&mut file.items).into_iter().partition(is_change);
            file.items = others;
            let mine: Vec<Item> = mine;
            changes.extend(mine.into_iter().filter_map(|item| made(index, item)));
        }
    }
    changes
}

fn is_change(item: &Item) -> bool {
    matches!(item.kind, ItemKind::Patch { .. } | ItemKind::Replace { .. } | ItemKind::Remove { .. })
}

fn made(package: usize, item: Item) -> Option<Made> {
    let span = item.span;
    let sort = match &item.kind {
        ItemKind::Patch { target, .. } | ItemKind::Remove { target } => target.sort.span,
        _ => Span::default(),
    };
    let of = |target: &Target| {
        let name = target.name.as_ref().unwrap_or(&target.sort);
        ((target.sort.text.clone(), target.name.as_ref().map(|name| name.text.clone()).unwrap_or_default()), name.span)
    };
    let ((key, name), what) = match item.kind {
        ItemKind::Patch { target, change, swaps } => (of(&target), What::Patch(change, swaps)),
        ItemKind::Remove { target } => (of(&target), What::Remove),
        ItemKind::Replace { with } => {
            let (key, name) = key(&with)?;
            ((key, name), What::Replace(with))
        }
        _ => return None,
    };
    Some(Made { package, key, what, sort, name, span })
}

/// By what an item is found, and where its name stands.
pub(super) fn key(item: &Item) -> Option<(Key, Span)> {
    let word = |word: &str, name: &Ident| Some(((word.to_owned(), name.text.clone()), name.span));
    match &item.kind {
        ItemKind::Enum { name, .. } => word("enum", name),
        ItemKind::Option { name, .. } => word("option", name),
        ItemKind::Kind { name, .. } => word("kind", name),
        ItemKind::Zone { name, .. } => word("zone", name),
        ItemKind::Board { name, .. } => word("board", name),
        ItemKind::Define { name, .. } => word("define", name),
        ItemKind::Verb { name, .. } => word("verb", name),
        ItemKind::Action { name, .. } => word("action", name),
        ItemKind::Window { name, .. } => word("window", name),
        ItemKind::Rule { name, .. } => word("rule", name),
        ItemKind::Script { name, .. } => word("script", name),
        ItemKind::Look { name, .. } => word("look", name),
        ItemKind::Entry { kind, name, .. } => word(&kind.text, name),
        ItemKind::Scenario { title, .. } => word(SCENARIO, title),
        ItemKind::Link { from_kind, from_prop, .. } => {
            let name = format!("{}.{}", from_kind.text, from_prop.text);
            Some((("link".to_owned(), name), from_kind.span.to(from_prop.span)))
        }
        ItemKind::Setup { .. } => Some((("setup".to_owned(), String::new()), item.span)),
        ItemKind::Flow { .. } => Some((("flow".to_owned(), String::new()), item.span)),
        _ => None,
    }
}

/// What a change does, to the item and to the parts that it names.
fn touched(change: &Made, sources: &SourceMap) -> Vec<Touched> {
    let deed = match change.what {
        What::Remove => Deed::Takes,
        What::Replace(_) => Deed::Replaces,
        What::Patch(..) => Deed::Changes,
    };
    let name = if change.key.1.is_empty() { &change.key.0 } else { &change.key.1 };
    let whole = Touched { name: name.clone(), deed, span: change.name };
    let drops = match &change.what {
        What::Patch(
            Change::Fields { drops, .. } | Change::Members { drops, .. } | Change::Clauses { drops, .. },
            _,
        ) => drops.as_slice(),
        _ => &[],
    };
    let parts = slots(change, sources).into_iter().filter_map(|(slot, span)| match slot {
        Slot::Part(name) => {
            let deed = if drops.iter().any(|drop| drop.text == name) { Deed::Takes } else { Deed::Changes };
            Some(Touched { name, deed, span })
        }
        _ => None,
    });
    std::iter::once(whole).chain(parts).collect()
}

/// How people write what a key names: `tool "Lantern"`, `verb steal`.
pub(super) fn shown(key: &Key) -> String {
    let words = [
        "enum", "option", "kind", "zone", "board", "define", "verb", "action", "window", "rule", "script", "look",
        "link", "turns", "setup", "flow", "player", "game",
    ];
    match (key.1.as_str(), words.contains(&key.0.as_str())) {
        ("", _) => format!("`{}`", key.0),
        (name, true) => format!("`{} {name}`", key.0),
        (name, false) => format!("`{} \"{name}\"`", key.0),
    }
}

/// What people call a part of an item.
fn part(key: &Key, slot: &Slot) -> String {
    match slot {
        Slot::Whole => shown(key),
        Slot::Part(name) => format!("`{name}` of {}", shown(key)),
        Slot::Add(sort) | Slot::Drop(sort) => format!("the {sort} of {}", shown(key)),
    }
}

/// The slots that a change is about, each with its place.
fn slots(change: &Made, sources: &SourceMap) -> Vec<(Slot, Span)> {
    let mut slots = part_slots(change);
    if let What::Patch(_, swaps) = &change.what {
        slots.extend(swaps.iter().map(|swap| (swap_slot(swap, sources), swap.span)));
    }
    slots
}

/// The slot of a piece that is exchanged.
fn swap_slot(swap: &Swap, sources: &SourceMap) -> Slot {
    Slot::Part(swap::shown(&swap.old, sources))
}

fn part_slots(change: &Made) -> Vec<(Slot, Span)> {
    let name = |name: &Ident| Slot::Part(name.text.clone());
    let dropped = |drops: &[Ident]| drops.iter().map(|ident| (drop_slot(ident), ident.span)).collect::<Vec<_>>();
    match &change.what {
        What::Replace(_) | What::Remove => vec![(Slot::Whole, change.name)],
        What::Patch(Change::Fields { fields, drops }, _) => {
            let slot = |kind: &EntryFieldKind| match kind {
                EntryFieldKind::Value { name: ident, .. } | EntryFieldKind::Effect { name: ident, .. } => name(ident),
                EntryFieldKind::Clause(_) => Slot::Add("clauses"),
                EntryFieldKind::Supersedes(_) => Slot::Add("supersedes"),
            };
            fields.iter().map(|field| (slot(&field.kind), field.span)).chain(dropped(drops)).collect()
        }
        What::Patch(Change::Members { members, drops }, _) => {
            let slot = |kind: &MemberKind| match kind {
                MemberKind::Clause(_) => Slot::Add("clauses"),
                kind => Slot::Part(patch::member_name(kind).to_owned()),
            };
            members.iter().map(|member| (slot(&member.kind), member.span)).chain(dropped(drops)).collect()
        }
        What::Patch(Change::Clauses { when, clauses, drops }, _) => {
            let when = when.iter().map(|when| (Slot::Part("when".to_owned()), when.span));
            let clauses = clauses.iter().map(|clause| (Slot::Add("clauses"), clause.span));
            when.chain(clauses).chain(dropped(drops)).collect()
        }
        What::Patch(Change::Props(props), _) => {
            props.iter().map(|prop| (prop_slot(&change.key.0, &prop.name.text), prop.span)).collect()
        }
        What::Patch(Change::Parts(parts), _) => {
            let span = |part: &WindowPart| match part {
                WindowPart::Silent(cond) => cond.span,
                WindowPart::Acts { acts, .. } => acts.first().map_or(change.span, |act| act.name.span),
            };
            parts.iter().map(|part| (patch::part_slot(part), span(part))).collect()
        }
        What::Patch(Change::Turns { name: turns, parts, drops }, _) => {
            let parts = parts.iter().map(|part| (&part.word, part.word.span.to(part.value.span)));
            let drops = drops.iter().map(|word| (word, word.span));
            parts.chain(drops).map(|(word, span)| (heads::slot(&turns.text, &word.text), span)).collect()
        }
        What::Patch(Change::Values(values), _) => {
            let whole = |value: &EnumValue| value.label.iter().fold(value.name.span, |span, label| span.to(label.span));
            values.iter().map(|value| (name(&value.name), whole(value))).collect()
        }
        What::Patch(Change::Default(value), _) => vec![(Slot::Part("default".to_owned()), value.span)],
        What::Patch(Change::Stmts(body), _) if body.stmts.is_empty() => Vec::new(),
        What::Patch(Change::Stmts(body), _) => vec![(Slot::Add("statements"), body.span)],
        What::Patch(Change::Body, _) => Vec::new(),
    }
}

/// The slot of what `no NAME` takes away.
pub(super) fn drop_slot(name: &Ident) -> Slot {
    match name.text.as_str() {
        "clauses" => Slot::Drop("clauses"),
        "supersedes" => Slot::Drop("supersedes"),
        name => Slot::Part(name.to_owned()),
    }
}

/// The slot of a setting. The lists of kinds in a zone grow; other settings have one value.
pub(super) fn prop_slot(sort: &str, name: &str) -> Slot {
    match (sort, name) {
        ("zone", "holds") => Slot::Add("kinds in `holds`"),
        ("zone", "starts") => Slot::Add("kinds in `starts`"),
        _ => Slot::Part(name.to_owned()),
    }
}

/// After so many findings names are no longer compared with all that there are.
const MOST_SUGGESTED: usize = 100;

struct Merger<'a> {
    /// Names of packages.
    names: Vec<String>,
    overrides: &'a Overrides,
    sources: &'a SourceMap,
    found: &'a mut Diagnostics,
    /// Parts of changes that gave way, by the index of the change.
    lost: BTreeSet<(usize, Slot)>,
    /// Items of which pieces are exchanged, as they were before.
    originals: BTreeMap<Key, ItemKind>,
    /// Which pieces were exchanged.
    swapped: Vec<Swapped>,
    /// By file: the packages that know what stands there.
    known: BTreeMap<FileId, BTreeSet<usize>>,
    merged: Merged,
}

impl Merger<'_> {
    fn name(&self, package: usize) -> &str {
        self.names.get(package).map_or("", String::as_str)
    }

    /// Whether two places say the same, but for spaces and comments.
    fn same(&self, one: Span, other: Span) -> bool {
        words_in(self.sources.slice(one)) == words_in(self.sources.slice(other))
    }

    /// Whether two changes of one piece both keep what is there, and add to it.
    fn beside(&self, changes: &[Made], slot: &Slot, one: usize, other: usize) -> bool {
        let adds = |index: usize| match &changes.get(index)?.what {
            What::Patch(_, swaps) => {
                let swap = swaps.iter().find(|swap| swap_slot(swap, self.sources) == *slot)?;
                additions::adds(swap, self.sources)
            }
            What::Replace(_) | What::Remove => None,
        };
        one != other && adds(one).zip(adds(other)).is_some_and(|(one, other)| one.beside(other))
    }

    /// Whether what one package says wins over what another says.
    fn wins(&self, winner: usize, loser: usize) -> bool {
        self.overrides.contains(&(self.name(winner).to_owned(), self.name(loser).to_owned()))
    }

    /// The places of all items. An expansion that has an item which is there already does not change it, but errs.
    fn places(&mut self, packages: &mut [Package]) -> BTreeMap<Key, Place> {
        let mut places: BTreeMap<Key, (Place, Span, Span)> = BTreeMap::new();
        let mut again: Vec<Place> = Vec::new();
        for (package, each) in packages.iter().enumerate() {
            for (file, (_, tree)) in each.files.iter().enumerate() {
                for (index, item) in tree.items.iter().enumerate() {
                    let Some((key, span)) = key(item) else { continue };
                    let here = (package, file, index);
                    match places.get(&key) {
                        Some((first, at, whole)) if each.expansion && first.0 != package && key.0 != SCENARIO => {
                            let first_in_expansion = packages.get(first.0).is_some_and(|first| first.expansion);
                            let loser =
                                self.twice(&key, (*first, *at, *whole), (here, span, item.span), first_in_expansion);
                            if loser == *first {
                                places.insert(key, (here, span, item.span));
                            }
                            again.push(loser);
                        }
                        // Twice in one package is reported by the checker.
                        Some(_) => {}
                        None => {
                            places.insert(key, (here, span, item.span));
                        }
                    }
                }
            }
        }
        for (package, file, index) in again {
            let files = packages.get_mut(package).map(|package| &mut package.files);
            if let Some(item) = files.and_then(|files| files.get_mut(file)?.1.items.get_mut(index)) {
                item.kind = gone(item.span);
            }
        }
        places.into_iter().map(|(key, (place, ..))| (key, place)).collect()
    }

    /// Finds the items of the `turns` that are patched. One name may stand for several, of which none is meant then.
    fn find_turns(&mut self, changes: &mut Vec<Made>, packages: &[Package], places: &mut BTreeMap<Key, Place>) {
        if changes.iter().all(|change| change.key.0 != TURNS) {
            return;
        }
        let heads = heads::heads(packages, places);
        changes.retain_mut(|change| match heads.get(&change.key.1).map(Vec::as_slice) {
            Some([(key, _, name)]) if change.key.0 == TURNS => {
                self.merged.twins.push((change.name, *name));
                change.key = key.clone();
                true
            }
            Some(many) if change.key.0 == TURNS => {
                let message = format!("there are {} {}", many.len(), shown(&change.key));
                let found = Diagnostic::new(Code::NothingToChange, change.name, message)
                    .help("exchange a value in one of them, `OLD becomes NEW`, or replace the item that it stands in");
                self.found.push(many.iter().take(2).fold(found, |found, (.., name)| found.label(*name, "here")));
                false
            }
            _ => true,
        });
        places.extend(
            heads.into_iter().flat_map(|(name, at)| {
                at.into_iter().map(move |(_, place, _)| ((TURNS.to_owned(), name.clone()), place))
            }),
        );
    }

    /// Two packages have an item of one name. Gives the one that goes.
    fn twice(
        &mut self,
        key: &Key,
        first: (Place, Span, Span),
        second: (Place, Span, Span),
        both_expand: bool,
    ) -> Place {
        let (one, other) = (first.0.0, second.0.0);
        if both_expand && self.same(first.2, second.2) {
            return second.0;
        }
        if both_expand && (self.wins(one, other) || self.wins(other, one)) {
            let (winner, (loser, span, _)) = if self.wins(one, other) { (one, second) } else { (other, first) };
            let winner = self.name(winner).to_owned();
            let part = Slot::Whole.word().to_owned();
            self.merged.yielded.push(Yielded { key: key.clone(), part, span, winner });
            return loser;
        }
        let found = if both_expand {
            let message = format!("two expansions add {}", shown(key));
            conflict(message, (self.name(one), first.1), (self.name(other), second.1))
        } else {
            let help = match key.0.as_str() {
                "setup" => {
                    "to do more in it, write `patch setup { ... }`; to do something else, `replace setup { ... }`"
                        .to_owned()
                }
                "flow" => "write `replace flow { ... }`".to_owned(),
                _ => {
                    let shown = shown(key).trim_matches('`').to_owned();
                    format!("to change it, write `patch {shown}` or `replace {shown}`; else choose another name")
                }
            };
            let code = if key.1.is_empty() { Code::SecondFlow } else { Code::Duplicate };
            Diagnostic::new(code, second.1, format!("there is {} already", shown(key)))
                .label(first.1, format!("in `{}`", self.name(one)))
                .help(help)
        };
        self.found.push(found);
        second.0
    }

    /// A change of what is not there.
    fn missing(&mut self, change: &Made, places: &BTreeMap<Key, Place>) {
        if self.found.iter().any(|found| found.code == Code::MissingDependency) {
            // It may be in what was not found.
            return;
        }
        let (sort, name) = &change.key;
        let of_others = |(key, place): (&Key, &Place)| key.0 == SCENARIO && place.0 != change.package;
        if sort == SCENARIO && !places.iter().any(of_others) {
            // The expansion is tested by itself.
            return;
        }
        let message = format!("there is no {}", shown(&change.key));
        let mut found = Diagnostic::new(Code::NothingToChange, change.name, message);
        if self.found.len() > MOST_SUGGESTED {
            // So many are not misspelt one by one.
            self.found.push(found);
            return;
        }
        let alike = nearest(name, places.keys().filter(|key| key.0 == *sort).map(|key| key.1.as_str()));
        let elsewhere = places.keys().find(|key| key.1 == *name && !name.is_empty());
        found = match (alike, elsewhere) {
            (_, Some(other)) => found.help(format!("there is {}", shown(other))),
            (Some(alike), None) => found.help(format!("did you mean {}?", shown(&(sort.clone(), alike.to_owned())))),
            (None, None) if matches!(change.what, What::Remove) => found,
            (None, None) => found.help("what is new is written without `patch` or `replace`"),
        };
        self.found.push(found);
    }

    /// Finds the changes of one item that contradict each other; what is overridden gives way.
    fn settle(&mut self, key: &Key, item: &Item, of_key: &[usize], changes: &[Made]) {
        let mut by_slot: BTreeMap<Slot, Vec<(usize, usize, Span)>> = BTreeMap::new();
        let within = self.pieces_within(key, item, of_key, changes);
        for index in of_key {
            let Some(change) = changes.get(*index) else { continue };
            for (slot, span) in slots(change, self.sources) {
                by_slot.entry(slot).or_default().push((*index, change.package, span));
            }
        }
        let packages = |slots: &[&Slot]| -> BTreeSet<usize> {
            let of = |slot: &&Slot| by_slot.get(*slot).into_iter().flatten().map(|(_, package, _)| *package);
            slots.iter().flat_map(of).collect()
        };
        let all: Vec<&Slot> = by_slot.keys().collect();
        let against = |slot: &Slot| -> Vec<&Slot> {
            let mut rivals = against(slot, &all);
            // A piece, and the part in which it stands.
            let other = within.iter().filter_map(|(piece, part)| match slot {
                _ if piece == slot => Some(part),
                _ if part == slot => Some(piece),
                _ => None,
            });
            rivals.extend(other.filter_map(|other| all.iter().find(|slot| **slot == other)));
            rivals
        };
        let mut left: BTreeMap<&Slot, Vec<(usize, usize, Span)>> = BTreeMap::new();
        for (slot, users) in &by_slot {
            let others: Vec<&Slot> = against(slot).into_iter().filter(|other| *other != slot).collect();
            for (index, package, span) in users {
                let mut rivals = packages(&others);
                let contradicts = |(other, ..): &&(usize, usize, Span)| !self.beside(changes, slot, *index, *other);
                if !matches!(slot, Slot::Add(_)) {
                    rivals.extend(users.iter().filter(contradicts).map(|(_, package, _)| *package));
                }
                match rivals.iter().find(|rival| self.wins(**rival, *package)) {
                    Some(winner) => {
                        let (part, winner) = (slot.word().to_owned(), self.name(*winner).to_owned());
                        self.lost.insert((*index, slot.clone()));
                        self.merged.yielded.push(Yielded { key: key.clone(), part, span: *span, winner });
                    }
                    None => left.entry(slot).or_default().push((*index, *package, *span)),
                }
            }
        }
        for (slot, users) in &left {
            self.contradictions(key, slot, users, &left, changes);
        }
        self.pieces_of_parts(key, &within, &left);
    }

    /// Reports what contradicts the changes of one slot: once for each slot.
    fn contradictions(
        &mut self,
        key: &Key,
        slot: &Slot,
        users: &[(usize, usize, Span)],
        left: &BTreeMap<&Slot, Vec<(usize, usize, Span)>>,
        changes: &[Made],
    ) {
        let Some((first, package, span)) = users.first() else { return };
        let removes = |index: &usize| changes.get(*index).is_some_and(|change| matches!(change.what, What::Remove));
        if matches!(slot, Slot::Part(_)) {
            // One of them is made, so that the checker finds no more than is wrong.
            let goes = |(index, other, at): &&(usize, usize, Span)| {
                other == package || self.same(*span, *at) || !self.beside(changes, slot, *first, *index)
            };
            let gone: Vec<(usize, Slot)> =
                users.iter().skip(1).filter(goes).map(|(index, ..)| (*index, slot.clone())).collect();
            self.lost.extend(gone);
        }
        let others: Vec<&(usize, usize, Span)> = match slot {
            Slot::Whole if users.iter().all(|(index, ..)| removes(index)) && left.len() == 1 => {
                // That all of them remove it is no contradiction, but saying so twice is.
                users.iter().skip(1).filter(|(_, other, _)| other == package).collect()
            }
            Slot::Whole => {
                let parts = left.iter().filter(|(other, _)| ***other != Slot::Whole).flat_map(|(_, users)| users);
                let whole = |index: &usize| changes.get(*index).map(|change| change.span);
                let first = whole(first);
                let differs = |(index, other, _): &&(usize, usize, Span)| {
                    other == package || !first.zip(whole(index)).is_some_and(|(one, other)| self.same(one, other))
                };
                users.iter().skip(1).filter(differs).chain(parts).collect()
            }
            // Two packages that say the same do not contradict each other.
            Slot::Part(_) => {
                let differs = |(index, other, at): &&(usize, usize, Span)| {
                    other == package || !self.same(*span, *at) && !self.beside(changes, slot, *first, *index)
                };
                users.iter().skip(1).filter(differs).collect()
            }
            Slot::Drop(sort) => {
                let added = left.get(&Slot::Add(sort)).into_iter().flatten().filter(|(_, other, _)| other != package);
                added.collect()
            }
            Slot::Add(_) => Vec::new(),
        };
        if *slot == Slot::Whole && !others.is_empty() {
            // What is taken away would be missed; in what is there anew no piece of the old is looked for.
            let (gone, anew): (Vec<_>, Vec<_>) =
                users.iter().map(|(index, ..)| *index).partition(|index| removes(index));
            self.lost.extend(gone.into_iter().map(|index| (index, Slot::Whole)));
            if !anew.is_empty() {
                let parts = left.iter().filter(|(other, _)| ***other != Slot::Whole);
                let parts = parts.flat_map(|(slot, users)| users.iter().map(|(index, ..)| (*index, (**slot).clone())));
                self.lost.extend(parts);
            }
        }
        if let Some((_, other, at)) = others.first() {
            let what = part(key, slot);
            let message = match other == package {
                true => format!("{what} is changed twice"),
                false => format!("two expansions change {what}"),
            };
            let found = conflict(message, (self.name(*package), *span), (self.name(*other), *at));
            self.found.push(found);
        }
    }

    /// Makes one change, as far as it did not give way.
    fn make(&mut self, index: usize, change: Made, packages: &mut [Package], places: &BTreeMap<Key, Place>) {
        let Some((package, file, at)) = places.get(&change.key) else { return };
        let files = packages.get_mut(*package).map(|package| &mut package.files);
        let Some(item) = files.and_then(|files| files.get_mut(*file)?.1.items.get_mut(*at)) else { return };
        self.merged.twins.extend(twins(&change, item));
        let stands = |slot: Slot| !self.lost.contains(&(index, slot));
        self.merged.touched.extend(touched(&change, self.sources));
        let part = if matches!(change.what, What::Patch(..)) { Slot::Part("default".to_owned()) } else { Slot::Whole };
        if change.key.0 == "option" && stands(part) {
            let package = self.name(change.package).to_owned();
            let default = match &change.what {
                What::Patch(Change::Default(value), _) => Some(self.sources.slice(value.span).to_owned()),
                _ => None,
            };
            let change_of = OptionChange { package, span: change.name, default };
            self.merged.options.insert(change.key.1.clone(), change_of);
        }
        match change.what {
            What::Replace(with) if stands(Slot::Whole) => *item = *with,
            What::Remove if stands(Slot::Whole) => {
                item.kind = gone(item.span);
                let name = if change.key.1.is_empty() { change.key.0 } else { change.key.1 };
                self.merged.removed.push((name, change.span));
            }
            What::Patch(parts, swaps) => {
                let standing =
                    swaps.into_iter().filter(|swap| stands(swap_slot(swap, self.sources))).collect::<Vec<_>>();
                let turns = heads::turns_of(&parts);
                let missing = patch::apply(&mut item.kind, parts, &change.key.0, &stands);
                for name in missing {
                    self.found.push(match &turns {
                        Some(turns) => heads::nothing_there(turns, &name),
                        None => patch::nothing_there(&change.key, &name),
                    });
                }
                for swap in standing {
                    self.swap(&change.key, change.package, swap, &mut item.kind);
                }
            }
            What::Replace(_) | What::Remove => {}
        }
    }
}

/// The name of what is changed, and for a definition the name of its kind, with their places in the item.
fn twins(change: &Made, item: &Item) -> Vec<(Span, Span)> {
    if matches!(change.what, What::Patch(Change::Turns { .. }, _)) {
        // Its name is that of the `turns` in the item.
        return Vec::new();
    }
    let Some(((sort, name), declared)) = key(item).filter(|((sort, name), _)| !name.is_empty() && sort != "link")
    else {
        return Vec::new();
    };
    debug_assert_eq!((&sort, &name), (&change.key.0, &change.key.1));
    let kind = match &item.kind {
        ItemKind::Entry { kind, .. } if change.sort != Span::default() => Some((change.sort, kind.span)),
        _ => None,
    };
    std::iter::once((change.name, declared)).chain(kind).collect()
}

/// The slots of one item whose changes contradict those of a slot.
fn against<'s>(slot: &Slot, all: &[&'s Slot]) -> Vec<&'s Slot> {
    let rival = |other: &&&Slot| match (slot, **other) {
        (Slot::Whole, _) | (_, Slot::Whole) => true,
        (Slot::Add(one), Slot::Drop(other)) | (Slot::Drop(one), Slot::Add(other)) => one == other,
        (Slot::Add(_), Slot::Add(_)) => false,
        (one, other) => one == other,
    };
    all.iter().filter(rival).copied().collect()
}

fn item_at(packages: &[Package], (package, file, index): Place) -> Option<&Item> {
    packages.get(package)?.files.get(file)?.1.items.get(index)
}

fn is_gone(item: &Item) -> bool {
    matches!(&item.kind, ItemKind::Remove { target } if target.sort.text.is_empty())
}

/// Stands in the place of an item that is taken away, until all changes are made: the others keep their places.
fn gone(span: Span) -> ItemKind {
    let nobody = Ident { text: String::new(), span };
    ItemKind::Remove { target: Target { sort: nobody, name: None } }
}
