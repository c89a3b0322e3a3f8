//! Checks a package again and again while it is edited, and runs the scenarios that an edit can touch. A scenario depends on all
//! that is played by, since nobody knows which card a game would have asked for; so it holds as long as the words of the rules,
//! cards, tables, scripts and manifests and its own are the same, and is run again when one of them changes. Those that failed
//! and those that name what was edited are run first.

use super::error::PlayError;
use super::game::{Checked, Game, Options};
use super::locales;
use super::package::Package;
use super::parts::{Part, changed};
use super::scenario::{Verdict, run};
use crate::base::{Diagnostics, SourceMap, plural};
use crate::model::Trees;
use crate::model::scenario::{Scenario, titled};
use crate::syntax::words_in;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::Arc;

/// A package whose tests are kept up to date.
pub struct Retests {
    package: Package,
    trees: Trees,
    /// The game, if nothing is wrong with it; as it last was, if something is.
    game: Option<Arc<Game>>,
    sound: bool,
    /// The same under the options of scenarios.
    games: BTreeMap<Options, Arc<Game>>,
    /// Everything that the checker found.
    pub diagnostics: Diagnostics,
    /// The texts that it points into.
    pub sources: Arc<SourceMap>,
    /// What scenarios gave, by title, each with what it was run on.
    verdicts: BTreeMap<String, (blake3::Hash, Verdict)>,
    /// Scenarios that have to be run, the first first.
    queue: VecDeque<(String, blake3::Hash)>,
    /// How many were run since the last look.
    pub ran: usize,
}

impl Retests {
    /// A package that nobody has looked at.
    pub fn new(package: Package) -> Retests {
        // Scenarios ask for words as the rules have them.
        let package = package.in_language(None);
        Retests {
            package,
            trees: Trees::default(),
            game: None,
            sound: false,
            games: BTreeMap::new(),
            diagnostics: Diagnostics::new(),
            sources: Arc::default(),
            verdicts: BTreeMap::new(),
            queue: VecDeque::new(),
            ran: 0,
        }
    }

    /// The package.
    pub fn package(&self) -> &Package {
        &self.package
    }

    /// Checks the package as it is now, and finds which scenarios have to be run.
    ///
    /// # Errors
    /// [`PlayError::Io`] if its folder is not there.
    pub fn look(&mut self) -> Result<(), PlayError> {
        let checked = Checked::edited(&self.package, &self.trees)?;
        self.diagnostics = checked.findings();
        self.sources = Arc::clone(&checked.sources);
        (self.ran, self.games) = (0, BTreeMap::new());
        self.queue.clear();
        let game = checked.into_game(&self.package, &Options::new(), None).ok().map(Arc::new);
        self.sound = game.is_some();
        let Some(game) = game else { return Ok(()) };
        let edited: Vec<Part> = match &self.game {
            Some(old) if old.digest != game.digest => changed(old, &game)?,
            _ => Vec::new(),
        };
        let content = content_of(&game);
        let mut ranked = Vec::new();
        let scenarios: Vec<&Scenario> = game.scenarios.iter().filter(|scenario| !scenario.left_out).collect();
        for scenario in &scenarios {
            let text = game.sources.slice(scenario.span);
            let hash = said(text, content.clone());
            let rank = match self.verdicts.get(&scenario.title) {
                Some((known, verdict)) if *known == hash && verdict.failure.is_none() => continue,
                // What failed is told with its lines, which may stand elsewhere.
                Some((_, verdict)) if verdict.failure.is_some() => 0,
                _ if edited.iter().any(|part| part.is_named_in(text)) => 1,
                _ => 2,
            };
            ranked.push((rank, scenario.title.clone(), hash));
        }
        let titles: BTreeSet<&String> = scenarios.iter().map(|scenario| &scenario.title).collect();
        self.verdicts.retain(|title, _| titles.contains(title));
        ranked.sort_by_key(|(rank, ..)| *rank);
        self.queue = ranked.into_iter().map(|(_, title, hash)| (title, hash)).collect();
        self.games.insert(game.options.clone(), Arc::clone(&game));
        self.game = Some(game);
        Ok(())
    }

    /// Runs the next scenario that has to be run. False if none has.
    ///
    /// # Errors
    /// [`PlayError`] if the package cannot be loaded with its options.
    pub fn run_next(&mut self) -> Result<bool, PlayError> {
        let (Some((title, hash)), Some(game)) = (self.queue.pop_front(), &self.game) else { return Ok(false) };
        let Some(scenario) = titled(&game.scenarios, &title) else { return Ok(true) };
        let mut options = game.options.clone();
        options.extend(scenario.options.iter().cloned());
        let loaded = match self.games.get(&options) {
            Some(loaded) => Arc::clone(loaded),
            None => {
                let loaded = Arc::new(Game::load(&self.package, &options, None)?);
                self.games.insert(options, Arc::clone(&loaded));
                loaded
            }
        };
        if let Some(scenario) = titled(&loaded.scenarios, &title) {
            self.verdicts.insert(title, (hash, run(&loaded, scenario)));
            self.ran += 1;
        }
        Ok(true)
    }

    /// Whether the game can be played as it is. If not, what is said of scenarios is of the game as it last could.
    pub fn is_sound(&self) -> bool {
        self.sound
    }

    /// How many scenarios there are.
    pub fn count(&self) -> usize {
        let all = self.game.iter().flat_map(|game| &game.scenarios);
        all.filter(|scenario| !scenario.left_out).count()
    }

    /// How many still have to be run.
    pub fn left(&self) -> usize {
        self.queue.len()
    }

    /// The scenarios that have failed, in the order of their titles. One that is yet to be run again counts as it last was.
    pub fn failed(&self) -> impl Iterator<Item = &Verdict> {
        self.verdicts.values().map(|(_, verdict)| verdict).filter(|verdict| verdict.failure.is_some())
    }

    /// How many scenarios have passed and need not be run again.
    pub fn passed(&self) -> usize {
        let waiting: BTreeSet<&String> = self.queue.iter().map(|(title, _)| title).collect();
        let passed = |(title, (_, verdict)): &(&String, &(blake3::Hash, Verdict))| {
            verdict.failure.is_none() && !waiting.contains(title)
        };
        self.verdicts.iter().filter(passed).count()
    }

    /// How many errors the checker found.
    pub fn errors(&self) -> usize {
        self.diagnostics.iter().filter(|found| found.is_error()).count()
    }

    /// What it comes to, on one line.
    pub fn summary(&self) -> String {
        let errors = self.errors();
        let found = format!("{}, {}", plural(errors, "error"), plural(self.diagnostics.len() - errors, "warning"));
        if !self.sound {
            return format!("{found}; scenarios wait until the errors are mended");
        }
        let (all, failed, left) = (self.count(), self.failed().count(), self.left());
        let failed = if failed > 0 { format!(", {failed} failed") } else { String::new() };
        let ran = if self.ran < all { format!(", {} run", self.ran) } else { String::new() };
        let left = if left > 0 { format!(", {left} to run") } else { String::new() };
        format!("{found}; {} of {} passed{failed}{ran}{left}", self.passed(), plural(all, "scenario"))
    }
}

/// What the words of all that is played by come to: where lines break and what comments say is no part of it.
fn content_of(game: &Game) -> blake3::Hasher {
    let mut hasher = blake3::Hasher::new();
    for file in game.sources.files() {
        let (name, text) = (game.sources.name(file), game.sources.text(file));
        if name.ends_with(".rules") || name.ends_with(".cards") {
            take(&mut hasher, &words_in(text).join(" "));
        } else if !name.ends_with(".scenario") && !locales::is_locale(name) {
            take(&mut hasher, text);
        }
    }
    hasher
}

fn said(text: &str, mut hasher: blake3::Hasher) -> blake3::Hash {
    take(&mut hasher, &words_in(text).join(" "));
    hasher.finalize()
}

fn take(hasher: &mut blake3::Hasher, text: &str) {
    hasher.update(&(text.len() as u64).to_le_bytes());
    hasher.update(text.as_bytes());
}
