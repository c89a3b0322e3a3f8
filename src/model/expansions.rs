//! Which expansions take part, and in which order: each after those it depends on, else as the players gave them. What
//! their manifests say is merged here; what their items say, in `merge`.

use std::collections::{BTreeMap, BTreeSet};

use super::check::Package;
use super::load::{Active, Loaded, Loader, MANIFEST};
use crate::base::{Code, Diagnostic, FileId, Span, World};
use crate::syntax::manifest::Dependency;
use crate::syntax::{Manifest, parse_manifest};

/// The most expansions of one game. Together with the most files of a package it keeps the ids of files in their type.
pub const MOST_EXPANSIONS: usize = 12;

/// Names of two packages: what the first says wins over what the second says.
pub(super) type Overrides = BTreeSet<(String, String)>;

/// Options that expansions give another default or take away: by which package, and where.
pub(super) type Changed = BTreeMap<String, (String, Span)>;

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
        let given = given.iter().map(|world| (name_of(*world), *world)).collect::<Vec<_>>();
        self.namesakes(&given, game);
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

    /// Reads an expansion after those it depends on.
    fn include(&mut self, world: &dyn World, order: &mut Order<'_>) {
        if order.read.len() + order.open.len() >= MOST_EXPANSIONS {
            let message = format!("a game is played with at most {MOST_EXPANSIONS} expansions");
            self.diagnostics.push(Diagnostic::new(Code::PackageTooLarge, order.game.span, message));
            return;
        }
        let outer = std::mem::take(&mut self.hasher);
        let Some(manifest) = self.manifest(world) else {
            self.hasher = outer;
            return;
        };
        self.check_game(&manifest, order.game);
        order.open.push(manifest.name.clone());
        let own = std::mem::take(&mut self.hasher);
        for dependency in &manifest.dependencies {
            self.depend(world, dependency, order);
        }
        self.hasher = own;
        order.open.pop();
        let book = self.rulebook(world, &manifest);
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

    /// Whether a package is an expansion of this game.
    fn check_game(&mut self, manifest: &Manifest, game: &Manifest) {
        let name = &manifest.name;
        if !manifest.expansion {
            let message = format!("`{name}` is a game and no expansion");
            let found = Diagnostic::new(Code::BadExpansion, manifest.span, message)
                .help("an expansion has `kind = \"expansion\"` in its manifest");
            self.diagnostics.push(found);
        } else if let Some(wanted) = manifest.extends.iter().find(|wanted| wanted.name == game.name) {
            self.check_version(wanted, game);
        } else if !manifest.extends.is_empty() {
            let games: Vec<String> = manifest.extends.iter().map(|wanted| format!("`{}`", wanted.name)).collect();
            let message = format!("`{name}` is no expansion of `{}`", game.name);
            let found =
                Diagnostic::new(Code::BadExpansion, manifest.span, message).label(game.span, "this is the game");
            self.diagnostics.push(found.help(format!("it extends {}", games.join(", "))));
        }
    }

    /// Sees to it that what an expansion depends on has been read before it.
    fn depend(&mut self, world: &dyn World, wanted: &Dependency, order: &mut Order<'_>) {
        let name = &wanted.name;
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
                    let found = Diagnostic::new(Code::MissingDependency, wanted.span, message)
                        .help(format!("put it beside this package, or name it too: `--with {name}`"));
                    self.diagnostics.push(found);
                }
            }
        }
        if let Some(found) = order.read.iter().find(|other| is_wanted(other)) {
            self.check_version(wanted, found);
        }
    }

    /// Which of the expansions win over which, by their manifests.
    pub(super) fn overriding(&mut self, expansions: &[Manifest]) -> Overrides {
        let mut overrides = Overrides::new();
        for winner in expansions {
            let known = |name: &&String| expansions.iter().any(|other| other.name == **name);
            let losers = winner.overrides.iter().filter(known);
            overrides.extend(losers.map(|loser| (winner.name.clone(), loser.clone())));
        }
        for expansion in expansions {
            if overrides_itself(&overrides, &expansion.name) {
                let message = format!("`{}` overrides packages that override it", expansion.name);
                let found = Diagnostic::new(Code::PackageCycle, expansion.span, message)
                    .help("take one of them out of the list `overrides` of another");
                self.diagnostics.push(found);
            }
        }
        overrides
    }

    /// Adds to the manifest of a game what those of expansions say: presets and variants, and players, bounds and what
    /// bots go by instead of its own.
    pub(super) fn enlarge(&mut self, game: &mut Manifest, expansions: &[Manifest], overrides: &Overrides) {
        let said = |at: fn(&Manifest) -> Option<Span>| {
            expansions.iter().filter_map(|each| at(each).map(|span| (each, span))).collect::<Vec<_>>()
        };
        if let Some(winner) = self.one_of(said(|each| each.players_span), "`players`", overrides) {
            game.players = winner.players;
            game.seats.clone_from(&winner.seats);
            game.fixed_triggers = winner.fixed_triggers;
        }
        if let Some(winner) = self.one_of(said(|each| each.bounds_span), "`bounds`", overrides) {
            game.bounds = winner.bounds.clone();
        }
        if let Some(winner) = self.one_of(said(|each| each.bots_span), "`bots`", overrides) {
            game.bots = winner.bots.clone();
        }
        let presets = expansions.iter().flat_map(|each| &each.options);
        for name in presets.map(|preset| preset.name.clone()).collect::<BTreeSet<_>>() {
            let preset = |each: &Manifest| each.options.iter().find(|preset| preset.name == name).cloned();
            let said = expansions.iter().filter_map(|each| Some((each, preset(each)?.name_span))).collect();
            let winner = self.one_of(said, &format!("the option `{name}`"), overrides);
            game.options.extend(winner.and_then(preset));
        }
        for variant in expansions.iter().flat_map(|each| &each.variants) {
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
        for (name, (package, span)) in changed {
            // The last one counts, which is an expansion's if any of them presets it.
            let Some(at) = game.options.iter().rfind(|preset| preset.name == *name).map(|preset| preset.name_span)
            else {
                continue;
            };
            let wins = |one: &String, other: &String| overrides.contains(&(one.clone(), other.clone()));
            match author(expansions, at) {
                Some(author) if author == package || wins(author, package) => {}
                Some(author) if !wins(package, author) => {
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
            let Some((package, span)) = changed.get(&preset.name) else { continue };
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
    ) -> Option<&'m Manifest> {
        let all: Vec<String> = said.iter().map(|(each, _)| each.name.clone()).collect();
        said.retain(|(each, _)| !all.iter().any(|other| overrides.contains(&(other.clone(), each.name.clone()))));
        if let [(first, at), (second, span), ..] = said[..] {
            let message = format!("two expansions set {what}");
            self.diagnostics.push(conflict(message, (&first.name, at), (&second.name, span)));
        }
        said.last().map(|(each, _)| *each)
    }
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
fn name_of(world: &dyn World) -> String {
    world.read(MANIFEST).map(|text| parse_manifest(FileId(0), &text).0.name).unwrap_or_default()
}
