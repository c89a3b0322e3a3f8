//! From a package's files to its rules: reads the manifest and all files through a [`World`], parses and checks them.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::beside;
use super::blame::blame;
use super::check::{Header, Package, Settings, check_indexed, settle};
use super::consts::wrong_presets;
use super::expansions::{extends_expansion, name_of};
use super::gaps::{Gaps, once_each};
use super::index::Index;
use super::merge::merge;
use super::origin::{Origin, origins};
use super::rules::Rules;
use super::scenario::Scenario;
use super::sheets::Sheets;
use super::trees::Trees;
use crate::base::{
    Code, Diagnostic, Diagnostics, FileId, SourceMap, Span, World, WorldError, is_unseen, nearest, visible,
};
use crate::syntax::manifest::{Dependency, Renamed};
use crate::syntax::{self, Manifest, Selection, ast};

/// The name of the manifest.
pub const MANIFEST: &str = "game.toml";

/// Bytes of content from which on its files are parsed on all processors.
const MANY_BYTES: usize = 1 << 20;
/// Stack of a thread that parses, as large as a program's first one usually is.
const STACK: usize = 8 << 20;

/// The most files of one package.
const MOST_FILES: usize = crate::base::limits::PACKAGE_FILES;

/// A package as loaded, whether or not anything is wrong with it.
#[derive(Default)]
pub struct Loaded {
    /// The rules, if nothing is wrong.
    pub rules: Option<Rules>,
    /// The scenarios, if nothing is wrong.
    pub scenarios: Vec<Scenario>,
    /// Everything found but for what is wrong with scenarios.
    pub diagnostics: Diagnostics,
    /// What is wrong with scenarios, which does not hinder play.
    pub scenario_errors: Diagnostics,
    /// Packages that expansions override and that are not here, which does not hinder play either.
    pub unmet: Diagnostics,
    /// The texts that findings and rules point into.
    pub sources: SourceMap,
    /// Numbered rules of the rulebook: id and text, in its order.
    pub rulebook: Vec<(String, String)>,
    /// The manifest, if it could be read; what those of expansions say is in it.
    pub manifest: Option<Manifest>,
    /// Identifies the content: a hash of what the game and its expansions say of play.
    pub digest: String,
    /// The game itself, with what it depends on.
    pub own: Active,
    /// The expansions that take part, in the order in which they were loaded.
    pub expansions: Vec<Active>,
    /// Where the parts of the definition come from that was asked for.
    pub origins: Vec<Origin>,
    /// Names of what expansions take away, each with the place that says so.
    pub removed: Vec<(String, Span)>,
    /// What names mean, if that was asked for.
    pub index: Option<Index>,
    /// Which of the texts are of which package, manifests left aside: libraries, the game, its expansions.
    pub owners: Vec<(String, Range<u16>)>,
}

/// A package that takes part: the game or an expansion.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Active {
    /// Its name.
    pub name: String,
    /// Its version.
    pub version: String,
    /// Identifies what it says of play: its rules, cards, scripts and settings, but neither its version, its
    /// descriptions nor its scenarios.
    pub digest: String,
}

/// A scenario file that is read in the place of the package's own, wherever it lies.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScenarioFile {
    /// Its path, as messages show it.
    pub shown: String,
    /// What it holds.
    pub text: String,
}

/// What is to be loaded.
#[derive(Clone, Copy)]
pub struct Request<'a> {
    /// The game.
    pub world: &'a dyn World,
    /// Its expansions, in the order the players gave.
    pub with: &'a [&'a dyn World],
    /// Values of options in words, as on the command line; they win over the variant, which wins over the presets of
    /// manifests.
    pub options: &'a BTreeMap<String, String>,
    /// The variant.
    pub variant: Option<&'a str>,
    /// The scenarios of this file instead of the packages'.
    pub scenarios: Option<&'a ScenarioFile>,
    /// Only the scenarios and numbered rules of the expansion of this name.
    pub about: Option<&'a str>,
    /// The name of a definition whose origins are wanted.
    pub origin: Option<&'a str>,
    /// Whether it is wanted what names mean.
    pub indexed: bool,
    /// Trees of texts that were read before.
    pub trees: Option<&'a Trees>,
}

/// Reads and checks the package of a world.
///
/// `options` are values in words, as on the command line; they win over the variant, which wins over the manifest's
/// presets.
pub fn load(world: &dyn World, options: &BTreeMap<String, String>, variant: Option<&str>) -> Loaded {
    load_request(Request {
        world,
        with: &[],
        options,
        variant,
        scenarios: None,
        about: None,
        origin: None,
        indexed: false,
        trees: None,
    })
}

/// Reads a game and its expansions, makes their changes and checks what comes of it.
pub fn load_request(request: Request<'_>) -> Loaded {
    load_and(request, true)
}

/// Loads, and if wanted explains errors in the texts of others by the changes of expansions.
fn load_and(request: Request<'_>, blames: bool) -> Loaded {
    let mut loader = Loader {
        blames,
        scenarios: request.scenarios,
        about: request.about,
        trees: request.trees,
        sources: SourceMap::default(),
        diagnostics: Vec::new(),
        hasher: blake3::Hasher::new(),
        beside: BTreeSet::new(),
        taking_part: BTreeSet::new(),
        gaps: Gaps::default(),
        sheets: Sheets::default(),
        scenario_files: BTreeSet::new(),
        unmet: Diagnostics::new(),
        owners: Vec::new(),
    };
    let mut loaded = Loaded::default();
    match loader.manifest(request.world) {
        Some(manifest) if manifest.expansion => {
            let way = extends_expansion(&manifest, request.world, |_| None);
            // Where nothing that it extends can be read, that is what is wrong.
            let unread = manifest.extends.is_empty() && loader.diagnostics.iter().any(Diagnostic::is_error);
            loader.diagnostics.extend((!unread).then(|| no_game(&manifest, way)));
            loaded.manifest = Some(manifest);
        }
        Some(manifest) => loader.game(manifest, request, &mut loaded),
        None => {}
    }
    for found in [&mut loader.diagnostics, &mut loaded.scenario_errors] {
        settle(found);
        once_each(found, &loader.sources);
        loader.sheets.place(found, &loader.sources);
    }
    (loaded.diagnostics, loaded.unmet) = (loader.diagnostics, loader.unmet);
    (loaded.sources, loaded.owners) = (loader.sources, loader.owners);
    loaded.digest = loader.hasher.finalize().to_hex().to_string();
    loaded
}

fn no_game(manifest: &Manifest, way: Option<String>) -> Diagnostic {
    let name = &manifest.name;
    if let Some(way) = way {
        return Diagnostic::new(Code::BadExpansion, manifest.span, format!("`{name}` extends an expansion")).help(way);
    }
    let message = format!("`{name}` is an expansion and no game by itself");
    let found = Diagnostic::new(Code::BadExpansion, manifest.span, message);
    match manifest.extends.first() {
        Some(game) => found.help(format!("it is loaded beside its game: `{} --with {name}`", game.name)),
        None => found,
    }
}

/// Whether something is wrong with which packages there are, rather than with what one says.
fn of_packages(found: &Diagnostic) -> bool {
    let codes = [
        Code::BadToml,
        Code::MissingManifest,
        Code::MissingDependency,
        Code::VersionConflict,
        Code::PackageCycle,
        Code::Incompatible,
        Code::BadExpansion,
        Code::PackageTooLarge,
    ];
    codes.contains(&found.code)
}

/// Parses files. The results are in the order of the files, however many threads work on them.
fn parse_all(files: &[(FileId, &str)], sources: &SourceMap, known: Option<&Trees>) -> Vec<(ast::File, Diagnostics)> {
    let bytes: usize = files.iter().map(|(file, _)| sources.text(*file).len()).sum();
    let next = AtomicUsize::new(0);
    let work = || {
        let mut done = Vec::new();
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let Some((file, _)) = files.get(index) else { return done };
            let text = sources.text(*file);
            done.push((index, known.map_or_else(|| syntax::parse(*file, text), |known| known.parse(*file, text))));
        }
    };
    let helpers = match std::thread::available_parallelism() {
        Ok(processors) if bytes >= MANY_BYTES => processors.get().min(files.len()).saturating_sub(1),
        _ => 0,
    };
    let mut parsed = std::thread::scope(|scope| {
        let helper = |_| std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, work).ok();
        let helpers: Vec<_> = (0..helpers).filter_map(helper).collect();
        let mut parsed = work();
        for helper in helpers {
            match helper.join() {
                Ok(done) => parsed.extend(done),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
        parsed
    });
    parsed.sort_by_key(|(index, _)| *index);
    parsed.into_iter().map(|(_, file)| file).collect()
}

/// Reads packages, one after the other.
pub(super) struct Loader<'a> {
    blames: bool,
    scenarios: Option<&'a ScenarioFile>,
    pub about: Option<&'a str>,
    trees: Option<&'a Trees>,
    pub sources: SourceMap,
    pub diagnostics: Diagnostics,
    pub hasher: blake3::Hasher,
    /// Packages that expansions override and that are there, whether or not they take part.
    pub beside: BTreeSet<String>,
    /// Names of the expansions that take part.
    pub taking_part: BTreeSet<String>,
    /// What could not be read.
    pub gaps: Gaps,
    pub sheets: Sheets,
    scenario_files: BTreeSet<FileId>,
    pub unmet: Diagnostics,
    owners: Vec<(String, Range<u16>)>,
}

impl Loader<'_> {
    /// The game with all that belongs to it.
    fn game(&mut self, mut manifest: Manifest, request: Request<'_>, loaded: &mut Loaded) {
        let about_game = self.about.is_none();
        let book = self.rulebook(request.world, &mut manifest);
        let mut packages = self.dependencies(request.world, &manifest, &mut BTreeSet::from([manifest.name.clone()]));
        packages.push(self.package(request.world, &manifest, &book, about_game || self.scenarios.is_some()));
        if about_game {
            loaded.rulebook = book;
        }
        let (name, version) = (manifest.name.clone(), manifest.version.clone());
        loaded.own = Active { name, version, digest: self.hasher.finalize().to_hex().to_string() };
        let expansions = self.expansions(request.with, &manifest, &mut packages, loaded);
        for active in &loaded.expansions {
            self.hash(&active.name, &active.digest);
        }
        let overrides = self.overriding(&manifest, &expansions);
        self.incompatible(&expansions);
        if self.diagnostics.iter().any(of_packages) {
            // What is missing or does not belong here would be missed or clash all over the texts.
            loaded.manifest = Some(manifest);
            return;
        }
        self.enlarge(&mut manifest, &expansions, &overrides);
        if let Some(game) = packages.iter_mut().rfind(|package| !package.expansion) {
            game.header.players = manifest.players;
            game.header.counts.clone_from(&manifest.counts);
            game.header.seats.clone_from(&manifest.seats);
            game.header.fixed_triggers = manifest.fixed_triggers;
            game.header.limits = (manifest.bounds.created, manifest.bounds.work);
            game.header.greedy = greedy(&manifest);
        }
        let merged = merge(&mut packages, &overrides, &self.sources, &mut self.diagnostics);
        let warned = beside::warn(&packages, &overrides, &self.sources, &merged.added);
        self.diagnostics.extend(warned);
        self.defaults_over_presets(&mut manifest, &expansions, &merged.options, &overrides);
        self.defaults_under_variant(&manifest, &expansions, request.variant, &merged.options);
        let settings = self.settings(&manifest, request.options, request.variant);
        let chosen = !request.options.is_empty() || request.variant.is_some() || about_game && expansions.len() > 1;
        let mut checked = check_indexed(&packages, &settings, chosen, request.indexed);
        let alone = |only: Option<usize>| {
            let active = only.and_then(|index| loaded.expansions.get(index));
            let with = request.with.iter().filter(|world| active.is_some_and(|it| it.name == name_of(**world)));
            let with: Vec<&dyn World> = with.copied().collect();
            load_and(Request { with: &with, origin: None, indexed: false, trees: None, ..request }, false).diagnostics
        };
        self.diagnostics.extend(match self.blames {
            true => blame(&packages, &merged.touched, &self.sources, checked.diagnostics, alone),
            false => checked.diagnostics,
        });
        manifest.was.extend(expansions.iter().flat_map(|each| each.was.clone()));
        if let Some(rules) = &checked.rules {
            // What an expansion takes away is missed by nobody.
            let mut was = manifest.was.clone();
            was.retain(|renamed| !merged.removed.iter().any(|(name, _)| *name == renamed.name));
            self.diagnostics.extend(wrongly_renamed(&was, rules));
            self.tell_renamed(&was);
            let others = manifest.variants.iter().filter(|variant| Some(variant.name.as_str()) != request.variant);
            self.diagnostics.extend(wrong_presets(rules, others.flat_map(|variant| &variant.options)));
        }
        self.diagnostics.extend(beside::ordered(&packages, &overrides, &checked.ordered));
        packages.iter().flat_map(|package| &package.files).for_each(|(_, file)| self.gaps.add(file));
        self.gaps.add_names(&checked.lost);
        self.gaps.hold_back(&mut self.diagnostics, &self.sources);
        if let Some(name) = request.origin {
            loaded.origins = origins(&packages, name, &merged);
        }
        loaded.removed = merged.removed;
        loaded.index = checked.index.take().map(|mut index| {
            index.settle(&self.sources);
            Index { twins: [merged.twins, std::mem::take(&mut self.sheets.twins)].concat(), ..index }
        });
        settle(&mut self.diagnostics);
        once_each(&mut self.diagnostics, &self.sources);
        // What is wrong with a scenario does not hinder play.
        let (of_scenarios, others) = std::mem::take(&mut self.diagnostics)
            .into_iter()
            .partition(|found| found.is_error() && self.scenario_files.contains(&found.span.file));
        (loaded.scenario_errors, self.diagnostics) = (of_scenarios, others);
        let fine = !self.diagnostics.iter().any(Diagnostic::is_error);
        loaded.rules = checked.rules.filter(|_| fine);
        loaded.scenarios = checked.scenarios;
        loaded.manifest = Some(manifest);
    }

    /// Adds a file to the sources, and to the digest if it says something of play.
    pub(super) fn read(&mut self, world: &dyn World, path: &str) -> Result<FileId, WorldError> {
        let (text, whole) = match world.read(path) {
            Err(WorldError::NotText { text, .. }) => (text, false),
            read => (read?, true),
        };
        if path != MANIFEST && !path.ends_with(".scenario") {
            self.hash(path, &text);
        }
        let at = text.find(char::REPLACEMENT_CHARACTER).filter(|_| !whole);
        let file = self.sources.add(world.display(path), text);
        if let Some(at) = at {
            let span = Span::new(file, at, at + char::REPLACEMENT_CHARACTER.len_utf8());
            let found = Diagnostic::new(Code::MissingFile, span, format!("`{path}` is not UTF-8 text"))
                .note("this is no letter of UTF-8")
                .help("save the file in the encoding UTF-8");
            self.diagnostics.push(found);
            self.gaps.damaged.insert(file);
        }
        Ok(file)
    }

    pub(super) fn hash(&mut self, path: &str, text: &str) {
        for part in [path, text] {
            self.hasher.update(&(part.len() as u64).to_le_bytes());
            self.hasher.update(part.as_bytes());
        }
    }

    /// The manifest of a package, or a finding that there is none.
    pub(super) fn manifest(&mut self, world: &dyn World) -> Option<Manifest> {
        match self.read(world, MANIFEST) {
            Ok(file) => {
                let (manifest, found) = syntax::parse_manifest(file, self.sources.text(file));
                self.hash(MANIFEST, &manifest.of_play());
                self.gaps.whole |= found.iter().any(|found| self.hides_content(found));
                self.diagnostics.extend(found);
                Some(manifest)
            }
            Err(error) => {
                let file = self.sources.add(world.display(MANIFEST), "");
                let found = Diagnostic::new(Code::MissingManifest, Span::new(file, 0, 0), error.to_string())
                    .help("`cardwright new NAME` makes a game with one");
                self.diagnostics.push(found);
                None
            }
        }
    }

    /// Whether a mistake in a manifest may hide files, packages or players.
    fn hides_content(&self, found: &Diagnostic) -> bool {
        const KEYS: [&str; 4] = ["rules", "cards", "dependencies", "players"];
        match found.code {
            Code::BadToml | Code::BadPlayers | Code::BadPath => true,
            Code::UnknownKey => nearest(self.sources.slice(found.span), KEYS).is_some(),
            Code::MissingKey => found.message.contains("`players`"),
            _ => false,
        }
    }

    /// The options in force: the manifest's, then the variant's, then those given.
    fn settings(&mut self, manifest: &Manifest, options: &BTreeMap<String, String>, variant: Option<&str>) -> Settings {
        let mut settings = Settings::new();
        for preset in &manifest.options {
            settings.insert(preset.name.clone(), (preset.value.clone(), preset.value_span));
        }
        if let Some(name) = variant {
            match manifest.variant(name) {
                Some(variant) => {
                    for preset in &variant.options {
                        settings.insert(preset.name.clone(), (preset.value.clone(), preset.value_span));
                    }
                }
                None => {
                    let names: Vec<&str> = manifest.variants.iter().map(|variant| variant.name.as_str()).collect();
                    let mut found = Diagnostic::new(
                        Code::UnknownVariant,
                        manifest.span,
                        format!("this game has no variant `{name}`"),
                    )
                    .suggest(name, names.iter().copied());
                    // It was asked for elsewhere: nothing in the manifest is to be changed.
                    found.mend = None;
                    if found.help.is_none() && !names.is_empty() {
                        found = found.help(format!("its variants are: {}", names.join(", ")));
                    }
                    self.diagnostics.push(found);
                }
            }
        }
        for (name, value) in options {
            settings.insert(name.clone(), (value.clone(), manifest.span));
        }
        settings
    }

    /// The numbered rules: lines such as `- AB-01 text`.
    pub(super) fn rulebook(&mut self, world: &dyn World, manifest: &mut Manifest) -> Vec<(String, String)> {
        let Some(path) = &manifest.rulebook else { return Vec::new() };
        match world.read(path) {
            Ok(text) => {
                let rules: Vec<(String, String)> = text.lines().filter_map(numbered).collect();
                if rules.is_empty() {
                    let message = format!("`{path}` has no numbered rule, so no scenario can cover one");
                    let found = Diagnostic::new(Code::NoNumberedRules, manifest.span, message);
                    self.diagnostics.push(found.help(NUMBERED));
                }
                rules
            }
            // Nothing in play depends on it.
            Err(error @ WorldError::Missing(_)) => {
                let found = Diagnostic::new(Code::NoMatch, manifest.span, error.to_string());
                self.diagnostics.push(found.help("write the numbered rules there, or leave `rulebook` out"));
                manifest.rulebook = None;
                Vec::new()
            }
            Err(error) => {
                self.diagnostics.push(Diagnostic::new(error.code(), manifest.span, error.to_string()));
                Vec::new()
            }
        }
    }

    /// The packages that a game's manifest names, each after those it depends on itself; each once.
    fn dependencies(&mut self, world: &dyn World, manifest: &Manifest, seen: &mut BTreeSet<String>) -> Vec<Package> {
        let mut packages = Vec::new();
        for dependency in &manifest.dependencies {
            if dependency.name == manifest.name {
                let message = format!("`{}` depends on itself", manifest.name);
                self.diagnostics.push(Diagnostic::new(Code::PackageCycle, dependency.span, message));
            }
            if !seen.insert(dependency.name.clone()) {
                continue;
            }
            let Some(world) = world.neighbour(&dependency.name) else {
                let message = format!("the package `{}` was not found", dependency.name);
                self.diagnostics.push(Diagnostic::new(Code::MissingDependency, dependency.span, message));
                self.gaps.whole = true;
                continue;
            };
            if let Some(found) = self.manifest(world.as_ref()) {
                self.check_version(dependency, &found);
                packages.extend(self.dependencies(world.as_ref(), &found, seen));
                packages.push(self.package(world.as_ref(), &found, &[], false));
            }
        }
        packages
    }

    /// Reports a package whose version the requirement does not allow. Of a version that is none its manifest says so.
    pub(super) fn check_version(&mut self, wanted: &Dependency, found: &Manifest) {
        if semver::Version::parse(&found.version).is_ok() && !found.satisfies(&wanted.requirement) {
            let (name, version, requirement) = (&wanted.name, &found.version, &wanted.requirement);
            let message = format!("`{name}` has version {version}, and {requirement} is needed");
            let finding = Diagnostic::new(Code::VersionConflict, wanted.span, message)
                .label(found.span, "this is the package that was found");
            self.diagnostics.push(finding);
        }
    }

    /// The files of a package; its scenarios only if it is `whole`.
    pub(super) fn package(
        &mut self,
        world: &dyn World,
        manifest: &Manifest,
        rulebook: &[(String, String)],
        whole: bool,
    ) -> Package {
        let first = self.sources.next();
        let all = match world.list() {
            Ok(all) => all,
            Err(error) => {
                self.diagnostics.push(Diagnostic::new(error.code(), manifest.span, error.to_string()));
                self.gaps.whole = true;
                Vec::new()
            }
        };
        if all.len() > MOST_FILES {
            let message = format!("a package has at most {MOST_FILES} files, and this one has {}", all.len());
            self.diagnostics.push(Diagnostic::new(Code::PackageTooLarge, manifest.span, message));
            self.gaps.whole = true;
        }
        let (selection, found) = manifest.select(&all, |name| self.taking_part.contains(name));
        self.diagnostics.extend(found);
        let mut paths: Vec<(FileId, &str)> = Vec::new();
        let own = whole && self.scenarios.is_none();
        let scenarios = selection.scenarios.iter().filter(|_| own);
        for path in selection.rules.iter().chain(&selection.cards).chain(scenarios).take(MOST_FILES) {
            if path.ends_with(".csv") {
                let message = format!("`{path}` is a table, which an item of a `.cards` file names");
                let found = Diagnostic::new(Code::WrongFile, manifest.span, message);
                let help = format!(
                    "write `cards of KIND from \"{path}\"` there, and let the manifest's patterns leave it out"
                );
                self.diagnostics.push(found.help(help));
                self.gaps.whole = true;
                continue;
            }
            match self.read(world, path) {
                Ok(file) => paths.push((file, path)),
                Err(error) => {
                    self.diagnostics.push(Diagnostic::new(error.code(), manifest.span, error.to_string()));
                    self.gaps.whole = true;
                }
            }
        }
        self.left_out(world, manifest, &selection, &all);
        // What counts only beside another package is read all the same: what is no content is so wherever it counts.
        for path in selection.aside.iter().filter(|path| !path.ends_with(".csv")).take(MOST_FILES) {
            let Ok(file) = self.read_aside(world, path) else { continue };
            let found = syntax::parse(file, self.sources.text(file)).1;
            self.diagnostics.extend(found.into_iter().filter(Diagnostic::is_error));
        }
        if let Some(given) = self.scenarios.filter(|_| whole && !manifest.expansion) {
            let file = self.sources.add(given.shown.clone(), given.text.clone());
            paths.push((file, ".scenario"));
        }
        let mut files: Vec<(FileId, ast::File)> = Vec::new();
        for ((file, path), (mut parsed, found)) in paths.iter().zip(parse_all(&paths, &self.sources, self.trees)) {
            self.diagnostics.extend(found);
            self.check_sort(*file, path, &mut parsed);
            files.push((*file, parsed));
        }
        self.tables(world, &all, &mut files);
        let scripts = self.scripts(world, &files);
        self.owners.push((manifest.name.clone(), first.0..self.sources.next().0));
        Package {
            header: Header {
                name: manifest.name.clone(),
                title: manifest.title.clone(),
                players: manifest.players,
                fewest: manifest.players.0,
                counts: manifest.counts.clone(),
                seats: manifest.seats.clone(),
                fixed_triggers: manifest.fixed_triggers,
                limits: (manifest.bounds.created, manifest.bounds.work),
                greedy: greedy(manifest),
                span: manifest.span,
            },
            files,
            scripts,
            rulebook: manifest
                .rulebook
                .is_some()
                .then(|| rulebook.iter().map(|(id, _)| id.clone()).collect::<BTreeSet<_>>()),
            expansion: manifest.expansion,
            needs: manifest.dependencies.iter().map(|wanted| wanted.name.clone()).collect(),
        }
    }

    /// Names the files that look like content and belong to no pattern.
    fn left_out(&mut self, world: &dyn World, manifest: &Manifest, selection: &Selection, all: &[String]) {
        let taken = |path: &String| {
            let Selection { rules, cards, scenarios, aside } = selection;
            [rules, cards, scenarios, aside].iter().any(|paths| paths.contains(path))
        };
        for path in all.iter().filter(|path| !taken(path)) {
            let Some((ending, whole)) = looks_like(path) else { continue };
            let Ok(file) = self.read_aside(world, path) else { continue };
            let parsed = syntax::parse(file, self.sources.text(file)).0;
            let key = if ending == "scenario" { "scenarios" } else { ending };
            let listed = match ending {
                "rules" => &manifest.files.rules,
                "cards" => &manifest.files.cards,
                _ => &manifest.files.scenarios,
            };
            let help = match listed {
                Some(_) if whole => format!("add it to `{key} = [...]` in the manifest"),
                _ => format!("let its name end in `.{ending}`, or move it out of the folder"),
            };
            self.gaps.leave_out(path, file, help, &parsed);
        }
    }

    /// Reads a file that is not part of the content.
    fn read_aside(&mut self, world: &dyn World, path: &str) -> Result<FileId, WorldError> {
        let text = world.read(path)?;
        Ok(self.sources.add(world.display(path), text))
    }

    /// Scenarios stand in files of their own.
    fn check_sort(&mut self, id: FileId, path: &str, file: &mut ast::File) {
        let scenarios = path.ends_with(".scenario");
        if scenarios {
            self.scenario_files.insert(id);
        }
        for item in &file.items {
            let scenario = match &item.kind {
                ast::ItemKind::Scenario { .. } => true,
                ast::ItemKind::Remove { target } => target.sort.text == "scenario",
                _ => false,
            };
            if scenario == scenarios {
                continue;
            }
            let (message, help) = if scenario {
                ("a scenario stands in a `.scenario` file", "move it into a file of its own, such as `first.scenario`")
            } else {
                ("a `.scenario` file has only scenarios", "move this into a `.rules` or `.cards` file")
            };
            self.diagnostics.push(Diagnostic::new(Code::WrongFile, item.span, message).help(help));
        }
        if scenarios {
            // Rules in a file of scenarios do not count, and so nothing of them is missing.
            let (rest, others) = std::mem::take(&mut file.items)
                .into_iter()
                .partition(|item| matches!(item.kind, ast::ItemKind::Scenario { .. } | ast::ItemKind::Remove { .. }));
            file.items = rest;
            let others: Vec<ast::Item> = others;
            others.iter().for_each(|item| file.lost.extend(syntax::words_of(self.sources.slice(item.span))));
        }
    }

    /// The script files that the rules name.
    fn scripts(&mut self, world: &dyn World, files: &[(FileId, ast::File)]) -> BTreeMap<String, (FileId, String)> {
        let mut scripts = BTreeMap::new();
        for item in files.iter().flat_map(|(_, file)| &file.items) {
            let kind = match &item.kind {
                ast::ItemKind::Replace { with } => &with.kind,
                kind => kind,
            };
            if let ast::ItemKind::Script { file, .. } = kind
                && !scripts.contains_key(&file.text)
                && let Ok(text) = world.read(&file.text)
            {
                self.hash(&file.text, &text);
                if let Some(hidden) = text.chars().find(|letter| !matches!(letter, '\n' | '\r') && is_unseen(*letter)) {
                    let message =
                        format!("the script has `{}`, which nobody sees", visible(hidden.encode_utf8(&mut [0; 4])));
                    let finding = Diagnostic::new(Code::IllegalCharacter, file.span, message);
                    self.diagnostics.push(finding.help("leave it out; write `\\u{...}` where a text needs it"));
                }
                let id = self.sources.add(world.display(&file.text), text.clone());
                scripts.insert(file.text.clone(), (id, text));
            }
        }
        scripts
    }
}

impl Loader<'_> {
    /// Of cards that are not there by a name that they had before: what they are called now.
    fn tell_renamed(&mut self, was: &[Renamed]) {
        for found in self.diagnostics.iter_mut().filter(|found| found.code == Code::UnknownEntry) {
            let called = |renamed: &&Renamed| found.message.ends_with(&format!(" \"{}\"`", renamed.old));
            if let Some(renamed) = was.iter().find(called) {
                *found = found.clone().help(format!("it is called \"{}\" now", renamed.name));
            }
        }
    }
}

/// What is wrong with the names that cards had before: none of the new name, one of the old, or two that had it.
fn wrongly_renamed(was: &[Renamed], rules: &Rules) -> Diagnostics {
    let called = |name: &str| rules.entries.iter().find(|entry| entry.name == name);
    let mut found = Diagnostics::new();
    for (index, Renamed { name, old, span, old_span }) in was.iter().enumerate() {
        let before = was.iter().take(index);
        let twin = before.clone().find(|other| other.old == *old && other.name != *name);
        if called(name).is_none() {
            if before.clone().any(|other| other.name == *name && other.span == *span) {
                continue;
            }
            let names = rules.entries.iter().map(|entry| entry.name.as_str());
            found.push(
                Diagnostic::new(Code::BadRename, *span, format!("there is no card `{name}`")).suggest(name, names),
            );
        } else if let Some(entry) = called(old) {
            let message = format!("`{name}` was `{old}`, and there still is a card `{old}`");
            let help =
                "a key with this name would mean either; give that card another name, or take this one out of `[was]`";
            found.push(Diagnostic::new(Code::BadRename, *old_span, message).label(entry.span, "this card").help(help));
        } else if let Some(twin) = twin {
            let message = format!("`{}` and `{name}` both were `{old}`", twin.name);
            let label = "it is said of the other card here";
            let finding = Diagnostic::new(Code::BadRename, *old_span, message).label(twin.old_span, label);
            found.push(finding.help("only one of them can be what a key with this name means"));
        }
    }
    found
}

/// Which sort of content a file seems to be by its name, and whether it has the whole ending: `deck.cards`, `deck.card`,
/// `deck.cards.txt`.
fn looks_like(path: &str) -> Option<(&'static str, bool)> {
    let name = path.rsplit('/').next().unwrap_or(path);
    if name.starts_with(['.', '#']) || name.ends_with('~') {
        return None;
    }
    let mut parts = name.split('.').skip(1).map(str::to_lowercase);
    let ending = parts.find_map(|part| {
        let endings = [("rules", "rule"), ("cards", "card"), ("scenario", "scenarios")];
        endings.into_iter().find(|(one, other)| part == *one || part == *other).map(|(one, _)| one)
    })?;
    Some((ending, name.ends_with(&format!(".{ending}"))))
}

const NUMBERED: &str =
    "a numbered rule is a list item that begins with capitals, a dash and a number: `- AB-01 Red begins.`";

/// The id and text of a numbered line of a rulebook.
fn numbered(line: &str) -> Option<(String, String)> {
    let rest = line.trim_start().strip_prefix("- ")?.trim_start_matches('*');
    let (id, text) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
    let id = id.trim_end_matches(['*', ':', '.']);
    let (letters, number) = id.split_once('-')?;
    let fine = !letters.is_empty()
        && letters.chars().all(|char| char.is_ascii_uppercase())
        && !number.is_empty()
        && number.chars().all(|char| char.is_ascii_alphanumeric());
    fine.then(|| (id.to_owned(), text.trim().to_owned()))
}

/// What greedy bots go by, and where a manifest says so.
fn greedy(manifest: &Manifest) -> Option<(String, Span)> {
    manifest.bots.greedy.clone().map(|name| (name, manifest.bots.greedy_span))
}
