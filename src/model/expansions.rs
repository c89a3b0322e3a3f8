//! Which expansions take part, and in which order: each after those it depends on and those it overrides, else by their
//! names. What their manifests say is merged here; what their items say, in `merge`.

use std::collections::{BTreeMap, BTreeSet};

use super::check::Package;
use super::load::{Active, Loaded, Loader, MANIFEST};
use crate::base::{Code, Diagnostic, FileId, Span, World, nearest};
use crate::syntax::manifest::{Dependency, Variant};
use crate::syntax::{Manifest, parse_manifest};

/// The most expansions of one game. Together with the most files of a package it keeps the ids of files in their type.
pub const MOST_EXPANSIONS: usize = crate::base::limits::EXPANSIONS;

/// Names of two packages: what the first says wins over what the second says.
pub(super) type Overrides = BTreeSet<(String, String)>;

/// Options that expansions give another default or take away.
pub(super) type Changed = BTreeMap<String, OptionChange>;

/// How an expansion changes an option.
pub(super) struct OptionChange {
    pub package: String,
    pub span: Span,
    /// The new default, as it is written.
    pub default: Option<String>,
}

/// The expansions, as far as they have been read.
struct Order<'a> {
    game: &'a Manifest,
    given: Vec<(String, &'a dyn World)>,
    read: Vec<Manifest>,
    /// Those whose dependencies are being read.
    open: Vec<String>,
    packages: &'a mut Vec<Package>,
    loaded: &'a mut Loaded,
}

impl Loader<'_> {
    /// Reads the expansions of a game and all they depend on. Gives their manifests in the order of loading.
    pub(super) fn expansions(
        &mut self,
        given: &[&dyn World],
        game: &Manifest,
        packages: &mut Vec<Package>,
        loaded: &mut Loaded,
    ) -> Vec<Manifest> {
        let mut given = given.iter().map(|world| (name_of(*world), *world)).collect::<Vec<_>>();
        given.sort_by(|one, other| one.0.cmp(&other.0));
        self.namesakes(&given, game);
        self.taking_part = taking_part(&given);
        let mut order = Order { game, given: given.clone(), read: Vec::new(), open: Vec::new(), packages, loaded };
        for (name, world) in given {
            if name.is_empty() || !order.read.iter().any(|other| other.name == name) {
                self.include(world, &mut order);
            }
        }
        order.read
    }

    /// Reports expansions that have the name of another or of the game. One that is named twice counts once.
    fn namesakes(&mut self, given: &[(String, &dyn World)], game: &Manifest) {
        for (index, (name, world)) in given.iter().enumerate().filter(|(_, (name, _))| !name.is_empty()) {
            let place = |world: &dyn World| world.display(MANIFEST);
            let earlier = given.iter().take(index).find(|(other, _)| other == name);
            let twice = match earlier {
                Some((_, other)) if place(*other) == place(*world) => continue,
                Some((_, other)) => place(*other),
                None if *name == game.name => "the game".to_owned(),
                None => continue,
            };
            let message = format!("`{}` and {twice} are both named `{name}`", place(*world));
            self.diagnostics.push(Diagnostic::new(Code::BadExpansion, game.span, message));
        }
    }

    /// Reads an expansion after those it depends on, and after those that take part whom it overrides.
    fn include(&mut self, world: &dyn World, order: &mut Order<'_>) {
        if order.read.len() + order.open.len() >= MOST_EXPANSIONS {
            let message = format!("a game is played with at most {MOST_EXPANSIONS} expansions");
            self.diagnostics.push(Diagnostic::new(Code::PackageTooLarge, order.game.span, message));
            return;
        }
        let outer = std::mem::take(&mut self.hasher);
        let Some(mut manifest) = self.manifest(world) else {
            self.hasher = outer;
            return;
        };
        if !self.fits(&manifest, world, order) {
            self.hasher = outer;
            return;
        }
        let beside = manifest.overrides.iter().filter(|(name, _)| world.neighbour(name).is_some());
        self.beside.extend(beside.map(|(name, _)| name.clone()));
        order.open.push(manifest.name.clone());
        let own = std::mem::take(&mut self.hasher);
        let mut needed: Vec<&Dependency> = manifest.dependencies.iter().collect();
        needed.sort_by_key(|wanted| &wanted.name);
        for dependency in needed {
            self.depend(world, dependency, order);
        }
        let mut overridden: Vec<(String, &dyn World)> = order.given.clone();
        overridden.retain(|(name, _)| {
            manifest.overrides.iter().any(|(other, _)| other == name) && !order.open.contains(name)
        });
        for (name, world) in overridden {
            if !order.read.iter().any(|other| other.name == name) {
                self.include(world, order);
            }
        }
        self.hasher = own;
        order.open.pop();
        let book = self.rulebook(world, &mut manifest);
        let whole = self.about.is_none_or(|name| name == manifest.name);
        let package = self.package(world, &manifest, &book, whole);
        if whole {
            order.loaded.rulebook.extend(book);
        }
        let digest = std::mem::replace(&mut self.hasher, outer).finalize().to_hex().to_string();
        order.packages.push(package);
        let (name, version) = (manifest.name.clone(), manifest.version.clone());
        order.loaded.expansions.push(Active { name, version, digest });
        order.read.push(manifest);
    }

    /// Whether a package is an expansion of this game. Nothing more is read of one that is not.
    fn fits(&mut self, manifest: &Manifest, world: &dyn World, order: &Order<'_>) -> bool {
        let (name, game) = (&manifest.name, order.game);
        let text = world.read(MANIFEST).unwrap_or_default();
        if parse_manifest(FileId(0), &text).1.iter().any(|found| found.code == Code::BadToml) {
            // What it says of itself could not be read.
            return false;
        }
        if !manifest.expansion {
            let message = format!("`{name}` is a game and no expansion");
            let found = Diagnostic::new(Code::BadExpansion, manifest.span, message)
                .help("an expansion has `kind = \"expansion\"` in its manifest");
            self.diagnostics.push(found);
            return false;
        }
        if let Some(wanted) = manifest.extends.iter().find(|wanted| wanted.name == game.name) {
            self.check_version(wanted, game);
            return true;
        }
        if manifest.extends.is_empty() {
            // That it extends nothing is reported with its manifest.
            return false;
        }
        let games: Vec<String> = manifest.extends.iter().map(|wanted| format!("`{}`", wanted.name)).collect();
        let message = format!("`{name}` is no expansion of `{}`", game.name);
        let found = Diagnostic::new(Code::BadExpansion, manifest.span, message).label(game.span, "this is the game");
        let given = |wanted: &str| order.given.iter().find(|(name, _)| name == wanted).map(|(_, world)| *world);
        let found = match extends_expansion(manifest, world, given) {
            Some(way) => found.help(way),
            None => found.help(format!("it extends {}", games.join(", "))),
        };
        self.diagnostics.push(found);
        false
    }

    /// Sees to it that what an expansion depends on has been read before it.
    fn depend(&mut self, world: &dyn World, wanted: &Dependency, order: &mut Order<'_>) {
        let name = &wanted.name;
        if wanted.optional && !self.taking_part.contains(name) {
            return;
        }
        if *name == order.game.name {
            return self.check_version(wanted, order.game);
        }
        if order.open.contains(name) {
            let found = Diagnostic::new(
                Code::PackageCycle,
                wanted.span,
                format!("`{name}` depends on this package, and this package on `{name}`"),
            );
            self.diagnostics.push(found.help("leave one of the two out"));
            return;
        }
        let is_wanted = |other: &Manifest| other.name == *name;
        if !order.read.iter().any(is_wanted) {
            let given = order.given.iter().find(|(other, _)| other == name).map(|(_, world)| *world);
            match (given, world.neighbour(name)) {
                (Some(given), _) => self.include(given, order),
                (None, Some(found)) => self.include(found.as_ref(), order),
                (None, None) => {
                    let message = format!("the package `{name}` was not found");
                    let found = Diagnostic::new(Code::MissingDependency, wanted.span, message).help(format!(
                        "`cardwright add` it, put it beside this package, or name it too: `--with {name}`"
                    ));
                    self.diagnostics.push(found);
                }
            }
        }
        if let Some(found) = order.read.iter().find(|other| is_wanted(other)) {
            self.check_version(wanted, found);
        }
    }

    /// Reports expansions that say they do not go together with another that takes part.
    pub(super) fn incompatible(&mut self, expansions: &[Manifest]) {
        for one in expansions {
            for said in &one.incompatible {
                let is_meant = |other: &&Manifest| other.name == said.name && other.satisfies(&said.requirement);
                let Some(other) = expansions.iter().find(is_meant) else { continue };
                let message = format!("`{}` and `{}` do not go together: {}", one.name, said.name, said.reason);
                let found =
                    Diagnostic::new(Code::Incompatible, said.span, message).label(other.span, "this one is meant");
                self.diagnostics.push(found.help("play with one of the two"));
            }
        }
    }

    /// Which of the expansions win over which, by their manifests.
    pub(super) fn overriding(&mut self, game: &Manifest, expansions: &[Manifest]) -> Overrides {
        let mut overrides = Overrides::new();
        for winner in expansions {
            for (loser, span) in &winner.overrides {
                if expansions.iter().any(|other| other.name == *loser) {
                    overrides.insert((winner.name.clone(), loser.clone()));
                } else {
                    self.overrides_nothing(winner, (loser, *span), game, expansions);
                }
            }
        }
        let circle: Vec<&Manifest> =
            expansions.iter().filter(|expansion| overrides_itself(&overrides, &expansion.name)).collect();
        if let [first, others @ ..] = circle.as_slice() {
            let names: Vec<String> = others.iter().map(|other| format!("`{}`", other.name)).collect();
            let message = match others {
                [] => format!("`{}` overrides itself", first.name),
                _ => format!("`{}` and {} override each other", first.name, names.join(", ")),
            };
            let found = Diagnostic::new(Code::PackageCycle, first.span, message)
                .help("take one of them out of the list `overrides` of another");
            let label = |found: Diagnostic, other: &&Manifest| found.label(other.span, "and this one");
            self.diagnostics.push(others.iter().fold(found, label));
        }
        overrides
    }

    /// Reports a name in `overrides` that is of no package. Who plays need not have all that an expansion gets on with;
    /// who checks it does.
    fn overrides_nothing(&mut self, winner: &Manifest, loser: (&str, Span), game: &Manifest, expansions: &[Manifest]) {
        let ((name, span), there) = (loser, expansions.iter().map(|other| other.name.as_str()));
        let message = format!("`{}` overrides `{name}`, which is not here", winner.name);
        let found = Diagnostic::new(Code::OverridesNothing, span, message);
        if name == game.name {
            let found = Diagnostic::new(Code::BadExpansion, span, format!("`{name}` is the game itself"));
            self.diagnostics.push(found.help("what an expansion changes in its game needs no `overrides`"));
        } else if self.beside.contains(name) {
            // It is there, and takes no part.
        } else if let Some(best) = nearest(name, there.filter(|other| *other != winner.name)) {
            let found = Diagnostic { code: Code::MissingDependency, ..found };
            self.diagnostics.push(found.did_you_mean(best));
        } else {
            self.unmet.push(
                found.help("that does nothing where it is not; to try both together, put it beside this package"),
            );
        }
    }

    /// Adds to the manifest of a game what those of expansions say: presets and variants, and players, bounds and what
    /// bots go by instead of its own.
    pub(super) fn enlarge(&mut self, game: &mut Manifest, expansions: &[Manifest], overrides: &Overrides) {
        let said = |at: fn(&Manifest) -> Option<Span>| {
            expansions.iter().filter_map(|each| at(each).map(|span| (each, span))).collect::<Vec<_>>()
        };
        let players = |each: &Manifest| (each.players, each.counts.clone(), each.seats.clone(), each.fixed_triggers);
        let said_same = |one: &Manifest, other: &Manifest| players(one) == players(other);
        if let Some(winner) = self.one_of(said(|each| each.players_span), "`players`", overrides, said_same) {
            game.players = winner.players;
            game.counts.clone_from(&winner.counts);
            game.seats.clone_from(&winner.seats);
            game.fixed_triggers = winner.fixed_triggers;
        }
        let said_same = |one: &Manifest, other: &Manifest| one.bounds == other.bounds;
        if let Some(winner) = self.one_of(said(|each| each.bounds_span), "`bounds`", overrides, said_same) {
            game.bounds = winner.bounds.clone();
        }
        let said_same = |one: &Manifest, other: &Manifest| one.bots == other.bots;
        if let Some(winner) = self.one_of(said(|each| each.bots_span), "`bots`", overrides, said_same) {
            game.bots = winner.bots.clone();
        }
        let presets = expansions.iter().flat_map(|each| &each.options);
        for name in presets.map(|preset| preset.name.clone()).collect::<BTreeSet<_>>() {
            let preset = |each: &Manifest| each.options.iter().find(|preset| preset.name == name).cloned();
            let said = expansions.iter().filter_map(|each| Some((each, preset(each)?.name_span))).collect();
            let value = |each: &Manifest| preset(each).map(|preset| preset.value);
            let said_same = |one: &Manifest, other: &Manifest| value(one) == value(other);
            let winner = self.one_of(said, &format!("the option `{name}`"), overrides, said_same);
            game.options.extend(winner.and_then(preset));
        }
        for variant in expansions.iter().flat_map(|each| &each.variants) {
            let presets = |variant: &Variant| {
                variant
                    .options
                    .iter()
                    .map(|preset| (preset.name.clone(), preset.value.clone()))
                    .collect::<BTreeSet<_>>()
            };
            if game.variant(&variant.name).is_some_and(|other| presets(other) == presets(variant)) {
                continue;
            }
            if let Some(other) = game.variant(&variant.name) {
                let message = format!("there is a variant `{}` already", variant.name);
                let found = Diagnostic::new(Code::ConflictingChanges, variant.span, message)
                    .label(other.span, "the first is here")
                    .help("give it another name");
                self.diagnostics.push(found);
            } else {
                game.variants.push(variant.clone());
            }
        }
    }

    /// Takes out the presets that give way to what an expansion says of the options themselves. Such a default is said
    /// later than the presets of the game, and counts instead of them. A preset of the same expansion counts more; one
    /// of another expansion contradicts it.
    pub(super) fn defaults_over_presets(
        &mut self,
        game: &mut Manifest,
        expansions: &[Manifest],
        changed: &Changed,
        overrides: &Overrides,
    ) {
        for (name, OptionChange { package, span, default }) in changed {
            // The last one counts, which is an expansion's if any of them presets it.
            let Some(preset) = game.options.iter().rfind(|preset| preset.name == *name) else { continue };
            let (at, same) = (preset.name_span, default.as_ref() == Some(&preset.value));
            let wins = |one: &String, other: &String| overrides.contains(&(one.clone(), other.clone()));
            match author(expansions, at) {
                Some(author) if author == package || wins(author, package) => {}
                Some(author) if !wins(package, author) && !same => {
                    let message = format!("two expansions set the option `{name}`");
                    self.diagnostics.push(conflict(message, (author, at), (package, *span)));
                }
                _ => game.options.retain(|preset| preset.name != *name),
            }
        }
    }

    /// What players ask for by name counts more than any default. That it does, nobody would see from the default.
    pub(super) fn defaults_under_variant(
        &mut self,
        game: &Manifest,
        expansions: &[Manifest],
        variant: Option<&str>,
        changed: &Changed,
    ) {
        let Some(variant) = variant.and_then(|name| game.variant(name)) else { return };
        let author = author(expansions, variant.span);
        for preset in &variant.options {
            let Some(OptionChange { package, span, .. }) = changed.get(&preset.name) else { continue };
            if author == Some(package) {
                continue;
            }
            let message = format!("`{}` is {} in the variant `{}`", preset.name, preset.value, variant.name);
            let found = Diagnostic::new(Code::VariantOverDefault, *span, message)
                .label(preset.name_span, "the variant sets it here")
                .help("to set it there too, declare a variant of another name in the expansion");
            self.diagnostics.push(found);
        }
    }

    /// The one whose word counts; two of equal right are reported.
    fn one_of<'m>(
        &mut self,
        mut said: Vec<(&'m Manifest, Span)>,
        what: &str,
        overrides: &Overrides,
        same: impl Fn(&Manifest, &Manifest) -> bool,
    ) -> Option<&'m Manifest> {
        let all: Vec<String> = said.iter().map(|(each, _)| each.name.clone()).collect();
        said.retain(|(each, _)| !all.iter().any(|other| overrides.contains(&(other.clone(), each.name.clone()))));
        let first = said.first().copied();
        let other = first.and_then(|(first, _)| said.iter().find(|(other, _)| !same(first, other)).copied());
        if let (Some((first, at)), Some((second, span))) = (first, other) {
            let message = format!("two expansions set {what}");
            self.diagnostics.push(conflict(message, (&first.name, at), (&second.name, span)));
        }
        said.last().map(|(each, _)| *each)
    }
}

/// The names of expansions and of all that they need, directly or through others.
fn taking_part(given: &[(String, &dyn World)]) -> BTreeSet<String> {
    let mut names: BTreeSet<String> = given.iter().map(|(name, _)| name.clone()).collect();
    for (_, world) in given {
        add_needed(*world, given, &mut names, MOST_EXPANSIONS);
    }
    names
}

fn add_needed(world: &dyn World, given: &[(String, &dyn World)], names: &mut BTreeSet<String>, depth: usize) {
    let manifest = world.read(MANIFEST).map(|text| parse_manifest(FileId(0), &text).0).unwrap_or_default();
    for wanted in manifest.dependencies.iter().filter(|wanted| !wanted.optional) {
        let is_given = given.iter().any(|(name, _)| *name == wanted.name);
        if !is_given
            && depth > 0
            && names.insert(wanted.name.clone())
            && let Some(found) = world.neighbour(&wanted.name)
        {
            add_needed(found.as_ref(), given, names, depth - 1);
        }
    }
}

/// How an expansion of an expansion is written; nothing if it extends none.
pub(super) fn extends_expansion<'w>(
    manifest: &Manifest,
    world: &dyn World,
    given: impl Fn(&str) -> Option<&'w dyn World>,
) -> Option<String> {
    let read = |world: &dyn World| world.read(MANIFEST).ok().map(|text| parse_manifest(FileId(0), &text).0);
    let other = |wanted: &Dependency| match given(&wanted.name) {
        Some(world) => read(world),
        None => world.neighbour(&wanted.name).and_then(|world| read(world.as_ref())),
    };
    let (wanted, other) = manifest.extends.iter().find_map(|wanted| Some((wanted, other(wanted)?)))?;
    let game = other.extends.first().filter(|_| other.expansion)?;
    let (name, needs) = (&wanted.name, &wanted.requirement);
    Some(format!(
        "`{name}` is an expansion itself: write `extends = {{ {} = \"{}\" }}`, and `dependencies = {{ {name} = \"{needs}\" }}`",
        game.name, game.requirement
    ))
}

/// The expansion in whose manifest something stands.
fn author(expansions: &[Manifest], at: Span) -> Option<&String> {
    expansions.iter().find(|each| each.span.file == at.file).map(|each| &each.name)
}

/// Two packages that change the same thing, each with the place where it does.
pub(super) fn conflict(message: String, first: (&str, Span), second: (&str, Span)) -> Diagnostic {
    let found = Diagnostic::new(Code::ConflictingChanges, second.1, message);
    if first.0 == second.0 {
        return found.label(first.1, "first changed here").help("say it once");
    }
    let help = format!(
        "leave one of them out, or let one win: `overrides = [\"{}\"]` in the manifest of `{}`, or the other way round",
        first.0, second.0
    );
    found.label(first.1, format!("`{}` does so here", first.0)).help(help)
}

/// Whether a package overrides one that overrides it, directly or through others.
fn overrides_itself(overrides: &Overrides, name: &str) -> bool {
    let mut seen: BTreeSet<&str> = BTreeSet::new();
    let mut open = vec![name];
    while let Some(at) = open.pop() {
        let next = overrides.iter().filter(|(winner, _)| winner == at).map(|(_, loser)| loser.as_str());
        open.extend(next.filter(|loser| seen.insert(*loser)));
    }
    seen.contains(name)
}

/// The name that a package gives itself; empty where its manifest cannot be read, which is reported later.
pub(super) fn name_of(world: &dyn World) -> String {
    world.read(MANIFEST).map(|text| parse_manifest(FileId(0), &text).0.name).unwrap_or_default()
}
