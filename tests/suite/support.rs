//! What several tests need.

use cardwright::base::MemoryWorld;
use cardwright::engine::{Chance, Machine, Start, State};
use cardwright::model::rules::{Rules, Seen};
use cardwright::play::{Dice, Game, Library, Options, Package, Saved, Session, packages_in};
use cardwright::program::compile;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::{Arc, LazyLock};

/// Rules in which a lamp of this shine lies in the first player's hand, one of ten less that in the second's, and one of 5 in
/// the deck.
pub fn lamps(shine: u8) -> String {
    format!(
        "kind lamp : card {{ field shine: 0..9 }}
zone hand per player {{ holds: lamp  seen: holder }}
zone deck {{ holds: lamp  order: pile  seen: none }}
setup {{
  create lamp in seat(1).hand with shine = {shine}
  create lamp in seat(2).hand with shine = {}
  create lamp in deck with shine = 5
}}
",
        10 - shine
    )
}

/// The repository.
pub fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// The packages in content/, without groups.
pub fn packages() -> Vec<Package> {
    packages_in(&root().join("content")).into_iter().filter(|package| package.group.is_none()).collect()
}

static GAMES: LazyLock<Vec<Arc<Game>>> = LazyLock::new(|| {
    let library = Library::new(Some(root().join("content")));
    let subjects = packages().into_iter().flat_map(|package| library.subjects(package, &[]).unwrap());
    subjects.map(|package| Arc::new(Game::load(&package, &Options::new(), None).unwrap())).collect()
});

/// A shipped game, read from content/: `monster-muncher`, or with an expansion `GAME + NAME`.
pub fn game(name: &str) -> Arc<Game> {
    games().into_iter().find(|game| game.full_name() == name).unwrap()
}

/// All shipped games, and each shipped expansion in its games.
pub fn games() -> Vec<Arc<Game>> {
    GAMES.clone()
}

static CLASSICS: LazyLock<Vec<Arc<Game>>> = LazyLock::new(|| games_in("content/classics"));
static TEMPLATES: LazyLock<Vec<Arc<Game>>> = LazyLock::new(|| games_in("content/templates"));

fn games_in(folder: &str) -> Vec<Arc<Game>> {
    let packages = packages_in(&root().join(folder));
    packages.iter().map(|package| Arc::new(Game::load(package, &Options::new(), None).unwrap())).collect()
}

/// The games in content/classics: others than [`games`], held to the laws of all content, but by fewer random games.
pub fn classics() -> Vec<Arc<Game>> {
    CLASSICS.clone()
}

/// The games in content/templates, to begin with.
pub fn templates() -> Vec<Arc<Game>> {
    TEMPLATES.clone()
}

/// Compares a text with a golden file in `tests/golden/FOLDER/NAME.snap`.
pub fn golden(folder: &str, name: &str, text: &str) {
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path(root().join("tests/golden").join(folder));
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| insta::assert_snapshot!(name, text));
}

/// Runs the program in a folder, with lines on its stdin.
pub fn cardwright(folder: &Path, args: &[&str], stdin: &str) -> Output {
    use std::io::Write;
    let mut child = Command::new(env!("CARGO_BIN_EXE_cardwright"))
        .args(args)
        .current_dir(folder)
        .env_remove("CARDWRIGHT_PATH")
        .env("CARDWRIGHT_PACKAGES", folder.join(".added"))
        .env_remove("CI")
        .env("NO_COLOR", "1")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // The program may end before it has read everything.
    let _ = child.stdin.take().unwrap().write_all(stdin.as_bytes());
    child.wait_with_output().unwrap()
}

/// What a run wrote to stdout.
pub fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

/// What a run wrote to stderr.
pub fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

/// Goes on with a saved game as somebody does who agrees to everything. Gives what was said, and what is lost.
pub fn go_on_with(game: Arc<Game>, path: &Path) -> (Session, Vec<String>) {
    let saved = Saved::read(path).unwrap();
    let (mut session, mut problems) = Session::replay(game, &saved).unwrap();
    let copy = session.go_on_in(path, &saved).unwrap();
    problems.extend(copy.map(|copy| copy.display().to_string()));
    (session, problems)
}

/// Whether games begin as they do for a machine that has begun none before.
pub fn begins_alike(game: &Game, players: u8, seeds: std::ops::Range<u64>) -> Result<(), String> {
    let mut used = game.machine();
    for seed in seeds {
        let start = Start { players, seed, chance: Chance::Draw };
        match (used.start(&start), game.machine().start(&start)) {
            (Ok(again), Ok(first)) if again == first => {}
            (Err(again), Err(first)) if again.message == first.message => {}
            _ => return Err(format!("{}, {players} players, seed {seed}: it begins in another way", game.rules.name)),
        }
    }
    Ok(())
}

/// The manifest of a game of two players.
pub const MANIFEST: &str = "name = \"small\"\ntitle = \"Small\"\nversion = \"0.1.0\"\nedition = 1\n\
                            [players]\nmin = 2\nmax = 2\nseats = [\"ann\", \"bob\"]\n";

/// A game of two players with these rules.
pub fn small(rules: &str) -> Game {
    let world = MemoryWorld::new([("game.toml", MANIFEST), ("a.rules", rules)]);
    match Game::load(&Package::memory("small", world), &Options::new(), None) {
        Ok(game) => game,
        Err(error) => panic!("{error}"),
    }
}

/// The keys of the decision at hand.
pub fn keys(machine: &mut Machine, state: &State) -> Vec<String> {
    machine
        .decision(state)
        .map_or(Vec::new(), |decision| decision.options.into_iter().map(|option| option.key).collect())
}

/// Draws the words of random rules.
pub struct Words {
    pub dice: Dice,
    names: usize,
}

impl Words {
    pub fn of(seeds: &[u64]) -> Words {
        Words { dice: Dice::of(seeds), names: 0 }
    }

    /// One of some texts.
    pub fn one(&mut self, texts: &[&str]) -> String {
        texts[self.dice.below(texts.len())].to_owned()
    }

    /// A name that nothing else has.
    pub fn name(&mut self, begin: &str) -> String {
        self.names += 1;
        format!("{begin}{}", self.names)
    }
}

/// A game whose zone `hand` is seen by its holder only, which the checker was not told: what the rules tell of it is a leak.
pub fn with_hidden_hands(game: Game) -> Game {
    let mut rules = Rules::clone(&game.rules);
    let hand = rules.zones.iter_mut().find(|zone| zone.name == "hand").unwrap();
    hand.seen = Seen::Holder;
    let rules = Arc::new(rules);
    let program = Arc::new(compile(Arc::clone(&rules)).unwrap());
    Game { rules, program, ..game }
}
