//! A game made ready to play: found, loaded, checked and compiled.

use super::error::{PlayError, place};
use super::files;
use super::locales::{self, Languages, LocaleFile};
use super::package::{MAX_FILE, Package};
use super::pictures;
use super::renames::Renames;
use crate::base::World;
use crate::base::{Code, Diagnostic, Diagnostics, SourceMap, Span};
use crate::core::Pass;
use crate::engine::{self, Chance, GameError, Machine, Start, State};
use crate::model::locale::Words;
use crate::model::{self, Active, Index, Manifest, Origin, Request, Rules, Scenario, ScenarioFile, Trees};
use crate::program::{self, Program};
use std::collections::BTreeMap;
use std::ops::Range;
use std::path::PathBuf;
use std::sync::Arc;

/// Options as `--option` takes them.
pub type Options = BTreeMap<String, String>;

/// A checked and compiled game with everything that came with it.
pub struct Game {
    /// Where it was found.
    pub package: Package,
    /// Its rules.
    pub rules: Arc<Rules>,
    /// Its program.
    pub program: Arc<Program>,
    /// What players read, if that is in another language than the rules.
    pub words: Option<Arc<Words>>,
    /// Its manifest.
    pub manifest: Manifest,
    /// Its scenarios, for these options.
    pub scenarios: Vec<Scenario>,
    /// Its numbered rules: id and text.
    pub rulebook: Vec<(String, String)>,
    /// Its texts.
    pub sources: Arc<SourceMap>,
    /// Warnings.
    pub warnings: Diagnostics,
    /// What is wrong with its scenarios.
    pub scenario_errors: Diagnostics,
    /// Identifies its content and that of its expansions.
    pub digest: String,
    /// Itself, without its expansions.
    pub own: Active,
    /// Its expansions, in the order in which they were loaded.
    pub expansions: Vec<Active>,
    /// What its cards were called before.
    pub renames: Renames,
    /// The options it was loaded with.
    pub options: Options,
    /// The variant it was loaded with.
    pub variant: Option<String>,
    /// The file whose scenarios it has in the place of the package's own.
    pub scenario_file: Option<PathBuf>,
}

/// A package that was checked, whatever came of it.
pub struct Checked {
    /// Everything that was found; what is wrong with scenarios is among it where they are checked too.
    pub diagnostics: Diagnostics,
    /// What is wrong with scenarios, which does not hinder play.
    pub scenario_errors: Diagnostics,
    /// Packages that expansions override and that are not here, which does not hinder play either.
    unmet: Diagnostics,
    /// The texts the findings point into.
    pub sources: Arc<SourceMap>,
    /// The rules and their program, if there is no error.
    pub sound: Option<(Arc<Rules>, Arc<Program>)>,
    /// The manifest, if it could be read.
    pub manifest: Option<Manifest>,
    /// Scenarios.
    pub scenarios: Vec<Scenario>,
    /// Numbered rules: id and text.
    pub rulebook: Vec<(String, String)>,
    /// Identifies the content.
    pub digest: String,
    /// The game itself.
    pub own: Active,
    /// The expansions, in the order in which they were loaded.
    pub expansions: Vec<Active>,
    /// Where the parts of the definition come from that was asked for.
    pub origins: Vec<Origin>,
    /// Names of what expansions take away, each with the place that says so.
    pub removed: Vec<(String, Span)>,
    /// What names mean, if that was asked for.
    pub index: Option<Index>,
    /// Which texts are of which package.
    pub(super) owners: Vec<(String, Range<u16>)>,
    /// The locale files that were asked for.
    locales: Vec<LocaleFile>,
}

/// What a check is to give besides what is wrong.
#[derive(Clone, Copy, Default)]
struct Wanted<'a> {
    /// The scenarios of this file instead of the package's.
    scenarios: Option<&'a ScenarioFile>,
    /// The origins of this definition.
    origin: Option<&'a str>,
    /// What names mean.
    indexed: bool,
    /// No program.
    quick: bool,
    /// Trees of texts that were read before.
    trees: Option<&'a Trees>,
    /// Which locale files.
    languages: Languages<'a>,
}

impl Checked {
    /// Checks and compiles a package without its scenarios' own options and its locale files.
    ///
    /// # Errors
    /// As [`Checked::new`].
    pub(super) fn plain(package: &Package) -> Result<Checked, PlayError> {
        Checked::with(package, &Options::new(), None, Wanted::default())
    }

    /// Checks and compiles a package: its texts, its rules, its scripts, and each scenario under its own options.
    ///
    /// # Errors
    /// [`PlayError::Io`] if its folder is not there.
    pub fn new(package: &Package, options: &Options, variant: Option<&str>) -> Result<Checked, PlayError> {
        Checked::with_origins(package, options, variant, None)
    }

    /// Likewise, with the origins of a definition.
    ///
    /// # Errors
    /// As [`Checked::new`].
    pub fn with_origins(
        package: &Package,
        options: &Options,
        variant: Option<&str>,
        origin: Option<&str>,
    ) -> Result<Checked, PlayError> {
        Checked::whole(package, options, variant, Wanted { origin, ..Wanted::default() })
    }

    /// Checks a package under its own options, with what names mean; texts that were read before are not read again.
    ///
    /// # Errors
    /// As [`Checked::new`].
    pub fn indexed(package: &Package, trees: &Trees) -> Result<Checked, PlayError> {
        let wanted = Wanted { indexed: true, trees: Some(trees), ..Wanted::default() };
        Checked::whole(package, &Options::new(), None, wanted)
    }

    /// What is found in the texts alone, with what names mean; texts that were read before are not read again. Nothing is compiled,
    /// so there is no program, and no scenario is checked under options of its own.
    ///
    /// # Errors
    /// As [`Checked::new`].
    pub fn texts(package: &Package, trees: &Trees) -> Result<Checked, PlayError> {
        let wanted = Wanted { indexed: true, quick: true, trees: Some(trees), ..Wanted::default() };
        Ok(Checked::with(package, &Options::new(), None, wanted)?.with_scenarios())
    }

    /// Checks and compiles a package that is edited; texts that were read before are not read again.
    ///
    /// # Errors
    /// As [`Checked::new`].
    pub fn edited(package: &Package, trees: &Trees) -> Result<Checked, PlayError> {
        let wanted = Wanted { trees: Some(trees), languages: Languages::All, ..Wanted::default() };
        let mut checked = Checked::with(package, &Options::new(), None, wanted)?;
        let found = checked.locale_findings(package);
        checked.diagnostics.extend(found);
        Ok(checked)
    }

    /// Everything that was found, in scenarios too.
    pub fn findings(&self) -> Diagnostics {
        [&self.diagnostics, &self.scenario_errors, &self.unmet].into_iter().flatten().cloned().collect()
    }

    /// The game, as it was checked with these options.
    ///
    /// # Errors
    /// [`PlayError::Content`] if something is wrong with it.
    pub fn into_game(self, package: &Package, options: &Options, variant: Option<&str>) -> Result<Game, PlayError> {
        let (Some((rules, program)), Some(manifest)) = (self.sound, self.manifest) else {
            return Err(PlayError::Content { diagnostics: self.diagnostics, sources: self.sources });
        };
        let words = match package.language() {
            Some(language) if self.locales.is_empty() => return Err(locales::untranslated(package, language)),
            Some(_) => {
                let texts = locales::Texts::of(&rules, &self.sources, manifest.span, &self.owners);
                Some(Arc::new(texts.words(&rules, &self.locales)))
            }
            None => None,
        };
        Ok(Game {
            words,
            package: package.clone(),
            renames: Renames::of(&manifest, &rules),
            rules,
            program,
            manifest,
            scenarios: self.scenarios,
            rulebook: self.rulebook,
            sources: self.sources,
            warnings: self.diagnostics,
            scenario_errors: self.scenario_errors,
            digest: self.digest,
            own: self.own,
            expansions: self.expansions,
            options: options.clone(),
            variant: variant.map(str::to_owned),
            scenario_file: None,
        })
    }

    /// This with what is wrong with scenarios, and not met by them, among what is wrong.
    fn with_scenarios(mut self) -> Checked {
        self.diagnostics.append(&mut self.scenario_errors);
        self.diagnostics.append(&mut self.unmet);
        self
    }

    /// What is found in the rules and cards alone: the soonest that can be told of a text that somebody types. What seems to be
    /// unused may be used in scenarios, so nothing is said of warnings.
    ///
    /// # Errors
    /// As [`Checked::new`].
    pub fn sketched(package: &Package, trees: &Trees) -> Result<Checked, PlayError> {
        let none = ScenarioFile { shown: String::new(), text: String::new() };
        let wanted = Wanted { scenarios: Some(&none), quick: true, trees: Some(trees), ..Wanted::default() };
        let mut checked = Checked::with(package, &Options::new(), None, wanted)?;
        checked.diagnostics.retain(Diagnostic::is_error);
        Ok(checked)
    }

    fn whole(
        package: &Package,
        options: &Options,
        variant: Option<&str>,
        wanted: Wanted<'_>,
    ) -> Result<Checked, PlayError> {
        let wanted = Wanted { languages: Languages::All, ..wanted };
        let mut checked = Checked::with(package, options, variant, wanted)?.with_scenarios();
        if let Some((rules, program)) = &checked.sound {
            checked.diagnostics.extend(rehearsals(rules, program));
            checked.diagnostics.extend(pictures::findings(package, rules, program));
        }
        let found = checked.locale_findings(package);
        checked.diagnostics.extend(found);
        // The scenarios of a game may be about what an expansion has changed.
        let others = !package.expansions().is_empty() && package.about_only().is_none();
        checked.refuse();
        // Where the rules are wrong, so may be everything in scenarios.
        if others || checked.sound.is_none() {
            return Ok(checked);
        }
        let own =
            |scenario: &&Scenario| !scenario.left_out && !scenario.unfit.is_empty() && !scenario.options.is_empty();
        for scenario in checked.scenarios.iter().filter(own) {
            let mut options = options.clone();
            options.extend(scenario.options.iter().cloned());
            let loaded = Checked::with(package, &options, variant, Wanted::default())?;
            match scenario.found_in(&loaded.scenarios) {
                Some(scenario) => checked.diagnostics.extend(scenario.unfit.iter().cloned()),
                None => checked.diagnostics.extend(loaded.diagnostics),
            }
        }
        checked.refuse();
        Ok(checked)
    }

    /// Nothing in which there is an error is sound.
    fn refuse(&mut self) {
        if self.diagnostics.iter().any(Diagnostic::is_error) {
            self.sound = None;
        }
    }

    fn with(
        package: &Package,
        options: &Options,
        variant: Option<&str>,
        wanted: Wanted<'_>,
    ) -> Result<Checked, PlayError> {
        let Wanted { scenarios, origin, indexed, quick, trees, languages } = wanted;
        let world = package.world()?;
        let expansions = package.expansions().iter().map(Package::world).collect::<Result<Vec<_>, _>>()?;
        let with: Vec<&dyn World> = expansions.iter().map(|world| world.as_ref() as &dyn World).collect();
        let (world, about) = (world.as_ref(), package.about_only());
        let request = Request { world, with: &with, options, variant, scenarios, about, origin, indexed, trees };
        let mut loaded = model::load_request(request);
        // What is wrong with a translation keeps nobody from playing in the game's own language.
        let unsound = loaded.diagnostics.iter().any(Diagnostic::is_error);
        let locales = read_locales(package, (world, &with), languages, &mut loaded);
        let mut diagnostics = loaded.diagnostics;
        let scripts = loaded.rules.as_ref().map(script_findings).unwrap_or_default();
        let unsound = unsound || scripts.iter().any(Diagnostic::is_error);
        diagnostics.extend(scripts);
        let mut sound = None;
        if let Some(rules) = loaded.rules.filter(|_| !unsound && !quick) {
            let rules = Arc::new(rules);
            match program::compile(Arc::clone(&rules)) {
                Ok(program) => sound = Some((rules, Arc::new(program))),
                Err(found) => diagnostics.extend(found),
            }
        }
        if let Some(first) = diagnostics.iter_mut().find(|found| found.is_error()) {
            let file = loaded.sources.name(first.span.file);
            let said = first.help.take().into_iter().chain(package.mistakable(file));
            first.help = said.reduce(|help, more| format!("{help}\n{more}"));
        }
        Ok(Checked {
            diagnostics,
            scenario_errors: loaded.scenario_errors,
            unmet: loaded.unmet,
            sources: Arc::new(loaded.sources),
            sound,
            manifest: loaded.manifest,
            scenarios: loaded.scenarios,
            rulebook: loaded.rulebook,
            digest: loaded.digest,
            own: loaded.own,
            expansions: loaded.expansions,
            origins: loaded.origins,
            removed: loaded.removed,
            index: loaded.index,
            owners: loaded.owners,
            locales,
        })
    }

    /// What is wrong with the locale files that were read, of the package that is checked.
    fn locale_findings(&self, package: &Package) -> Diagnostics {
        let Some((rules, _)) = &self.sound else { return Diagnostics::new() };
        let about = package.about_only().unwrap_or(&rules.name);
        let files: Vec<&LocaleFile> = self.locales.iter().filter(|file| file.is_of(about)).collect();
        if files.is_empty() {
            return Diagnostics::new();
        }
        let texts = self.locale_texts(rules);
        let named = package.about_package().path().map_or_else(|| about.to_owned(), |path| crate::base::shown(&path));
        files.into_iter().flat_map(|file| texts.findings(file, &named)).collect()
    }

    /// The texts that players read.
    pub(super) fn locale_texts(&self, rules: &Rules) -> locales::Texts {
        let manifest = self.manifest.as_ref().map_or_else(Span::default, |manifest| manifest.span);
        locales::Texts::of(rules, &self.sources, manifest, &self.owners)
    }
}

/// The locale files of a game's libraries, of itself and of its expansions.
fn read_locales(
    package: &Package,
    (world, with): (&dyn World, &[&dyn World]),
    languages: Languages<'_>,
    loaded: &mut model::Loaded,
) -> Vec<LocaleFile> {
    if languages == Languages::None {
        return Vec::new();
    }
    let named = |package: &Package| package.manifest().map_or_else(|| package.name.clone(), |manifest| manifest.name);
    let (own, expansions) = (&loaded.own.name, package.expansions().iter().map(named).collect::<Vec<_>>());
    let others = loaded.owners.iter().map(|(name, _)| name).filter(|name| *name != own && !expansions.contains(name));
    let libraries: Vec<_> = others.filter_map(|name| Some((name.clone(), world.neighbour(name)?))).collect();
    let libraries = libraries.iter().map(|(name, world)| (name.clone(), world.as_ref()));
    let all: Vec<(String, &dyn World)> =
        libraries.chain([(own.clone(), world)]).chain(expansions.into_iter().zip(with.iter().copied())).collect();
    let mut files = locales::read(&all, languages, &mut loaded.sources, &mut loaded.diagnostics);
    let renamed = loaded.manifest.as_ref().map_or(&[][..], |manifest| &manifest.was);
    files.iter_mut().for_each(|file| file.follow_names(renamed));
    files
}

/// Mistakes in script files, which only the script engine can tell.
fn script_findings(rules: &Rules) -> Diagnostics {
    if rules.scripts.is_empty() {
        return Diagnostics::new();
    }
    let sandbox = engine::sandbox();
    let wrong = |script: &model::rules::Script| {
        let found = engine::compile_script(&sandbox, script).err()?;
        let finding = Diagnostic::new(found.code, found.span, found.message);
        Some(if found.span == script.span { finding } else { finding.label(script.span, "declared here") })
    };
    // Several functions may stand in one file.
    let mut findings: Diagnostics = rules.scripts.iter().filter_map(wrong).collect();
    findings.dedup_by(|one, other| one.span == other.span && one.code == other.code);
    findings
}

/// What fails where the functions of scripts are called with values of their types, in a game that has just begun.
fn rehearsals(rules: &Rules, program: &Arc<Program>) -> Diagnostics {
    let mut machine = Machine::new(Arc::clone(program));
    let start = Start { players: rules.players.0, seed: 1, chance: Chance::Draw };
    let Some(state) = machine.start(&start).ok().filter(|_| !rules.scripts.is_empty()) else {
        return Diagnostics::new();
    };
    let mut found = Diagnostics::new();
    for (index, script) in rules.scripts.iter().enumerate() {
        for error in machine.rehearse(&state, index) {
            let message =
                format!("this fails where `{}` is called with values of its types: {}", script.name, error.message);
            let finding = Diagnostic::new(Code::ScriptFails, error.span, message);
            found.push(match Some(error.span.file) == script.text {
                true => finding.label(script.span, "declared here"),
                false => Diagnostic { span: script.span, ..finding },
            });
        }
    }
    found
}

impl Game {
    /// Loads, checks and compiles a package.
    ///
    /// # Errors
    /// [`PlayError::Content`] with everything the checker found, if there is an error among it.
    pub fn load(package: &Package, options: &Options, variant: Option<&str>) -> Result<Game, PlayError> {
        Game::load_with(package, options, variant, None)
    }

    /// Likewise, with the scenarios of one file, if one is given, instead of the package's.
    ///
    /// # Errors
    /// As [`Game::load`].
    pub fn load_with(
        package: &Package,
        options: &Options,
        variant: Option<&str>,
        scenarios: Option<&ScenarioFile>,
    ) -> Result<Game, PlayError> {
        let languages = package.language().map_or(Languages::None, Languages::One);
        let mut checked =
            Checked::with(package, options, variant, Wanted { scenarios, languages, ..Wanted::default() })?;
        if scenarios.is_some() {
            checked.diagnostics.append(&mut checked.scenario_errors);
        }
        checked.refuse();
        let scenario_file = scenarios.map(|file| PathBuf::from(&file.shown));
        Ok(Game { scenario_file, ..checked.into_game(package, options, variant)? })
    }

    /// Reads it again from its files, the scenarios too.
    ///
    /// # Errors
    /// As [`Game::load_with`], or if the file of its scenarios cannot be read.
    pub fn reloaded(&self) -> Result<Game, PlayError> {
        let read = |path: &PathBuf| {
            let text = files::read_text(path, MAX_FILE)?;
            Ok(ScenarioFile { shown: path.display().to_string(), text })
        };
        let scenarios = self.scenario_file.as_ref().map(read).transpose()?;
        Game::load_with(&self.package, &self.options, self.variant.as_deref(), scenarios.as_ref())
    }

    /// Its name and those of its expansions.
    pub fn full_name(&self) -> String {
        let names = self.expansions.iter().map(|expansion| expansion.name.as_str());
        std::iter::once(self.rules.name.as_str()).chain(names).collect::<Vec<_>>().join(" + ")
    }

    /// The package whose scenarios these are: itself, or one of its expansions.
    pub fn tested(&self) -> &str {
        self.package.about_only().unwrap_or(&self.rules.name)
    }

    /// Its program, compiled without some passes: it plays the same, at another speed.
    ///
    /// # Errors
    /// [`PlayError::Content`] if it exceeds a limit then.
    pub fn without(&self, passes: &[Pass]) -> Result<Program, PlayError> {
        program::compile_with(Arc::clone(&self.rules), &Pass::all_but(passes))
            .map_err(|diagnostics| PlayError::Content { diagnostics, sources: Arc::clone(&self.sources) })
    }

    /// A machine that plays it.
    pub fn machine(&self) -> Machine {
        Machine::new(Arc::clone(&self.program))
    }

    /// A machine that plays it, and lets people read it in their language.
    pub fn speaking_machine(&self) -> Machine {
        let mut machine = self.machine();
        machine.speak(self.words.clone());
        machine
    }

    /// Its rules with the names that players read.
    pub fn read(&self) -> &Rules {
        self.words.as_ref().map_or(&self.rules, |words| &words.rules)
    }

    /// Starts a game on a machine of this game.
    ///
    /// # Errors
    /// [`PlayError`] if the number of players is not allowed or setup fails.
    pub fn start(&self, machine: &mut Machine, start: &Start) -> Result<State, PlayError> {
        self.check_players(usize::from(start.players))?;
        machine.start(start).map_err(|error| self.error(error))
    }

    /// Checks a number of players.
    ///
    /// # Errors
    /// [`PlayError::Usage`] if the game is not for so many.
    pub fn check_players(&self, players: usize) -> Result<(), PlayError> {
        if self.rules.player_counts().iter().any(|count| usize::from(*count) == players) {
            return Ok(());
        }
        let range = self.rules.counts_in_words();
        Err(PlayError::Usage(format!("`{}` is for {range}, not {players}", self.rules.name)))
    }

    /// The name of a seat, as players read it.
    pub fn seat_read(&self, seat: u8) -> String {
        self.read().seats.get(usize::from(seat)).cloned().unwrap_or_else(|| self.seat_name(seat))
    }

    /// The name of a seat.
    pub fn seat_name(&self, seat: u8) -> String {
        self.rules.seats.get(usize::from(seat)).cloned().unwrap_or_else(|| format!("player {}", seat + 1))
    }

    /// Puts an engine's error together with the texts it points into.
    pub fn error(&self, error: GameError) -> PlayError {
        PlayError::Game { error: Box::new(error), sources: Arc::clone(&self.sources) }
    }

    /// `path:line:column` of a content line.
    pub fn locate(&self, span: Span) -> Option<String> {
        place(&self.sources, span)
    }

    /// The version the manifest gives.
    pub fn version(&self) -> &str {
        &self.manifest.version
    }
}
