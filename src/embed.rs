//! The face of the library: loading a game, starting it, deciding, looking, searching, saving. It is all that other programs
//! may rely on. Everything here is said by `play` and `engine`; nothing is decided.

use crate::base::{Diagnostic, MemoryWorld, SourceMap, nearest, visible};
use crate::engine::{Chance, GameError, Machine, Start, State};
use crate::play::{self, Deed, Dice, Header, Library, Options, Package, PlayError, Saved, Session, Setup};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use view::{Decision, Outcome, Seat, View};

/// What a seat sees of a position, and what it is asked: plain data, which `serde` writes as JSON.
pub mod view {
    pub use crate::base::{Colour, Shape};
    pub use crate::engine::{
        BoardView, CELL, CardView, Decision, DecisionKind, Grid, Look, OptionInfo, Outcome, PlayerView, Seat, Side,
        SiteKind, SiteView, Target, View, WindowView, ZoneView,
    };
}

/// One thing that the checker found in content.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Finding {
    /// Its stable code, such as `E0101`: `cardwright explain E0101` says more.
    pub code: &'static str,
    /// Whether it is only a warning.
    pub warning: bool,
    /// What is wrong.
    pub message: String,
    /// The file, as it was called when it was loaded.
    pub file: String,
    /// Its line, from 1.
    pub line: usize,
    /// Its column, from 1.
    pub column: usize,
    /// What would mend it.
    pub help: Option<String>,
}

/// Why something was not done. `Display` gives the whole report, with content lines where it is about content.
#[derive(Clone, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The content has mistakes.
    #[error("{report}")]
    Content {
        /// What the checker found, errors and warnings.
        findings: Vec<Finding>,
        /// The same as people read it, with the lines it is about.
        report: String,
    },
    /// The rules cannot go on from here: a mistake that only play can show, or a limit that they reached.
    #[error("{report}")]
    Stuck {
        /// Its stable code. Those of limits begin with `L`.
        code: &'static str,
        /// What is wrong.
        message: String,
        /// The same with the content line and the chain of causes.
        report: String,
    },
    /// The option is not among those of the decision at hand. It says why not, or which is meant.
    #[error("{0}")]
    Illegal(String),
    /// The request makes no sense: an unknown game, a wrong number of players or option, packages that do not go together.
    #[error("{0}")]
    Request(String),
    /// A file cannot be read or written.
    #[error("{0}")]
    File(String),
    /// Something is larger than it may be.
    #[error("{message}")]
    Limit {
        /// Its stable code.
        code: &'static str,
        /// What is too large.
        message: String,
    },
}

impl From<PlayError> for Error {
    fn from(error: PlayError) -> Error {
        let report = error.report(false);
        match error {
            PlayError::Usage(message) | PlayError::Finding(message) => Error::Request(message),
            PlayError::Io(message) => Error::File(message),
            PlayError::Limit(code, message) => Error::Limit { code: code.text(), message },
            PlayError::Stopped => Error::Request("it was stopped".to_owned()),
            PlayError::Content { diagnostics, sources } => {
                Error::Content { findings: found(&diagnostics, &sources), report }
            }
            PlayError::Game { error, .. } => Error::Stuck { code: error.code, message: error.message, report },
        }
    }
}

fn found(diagnostics: &[Diagnostic], sources: &SourceMap) -> Vec<Finding> {
    let finding = |diagnostic: &Diagnostic| {
        let at = sources.position(diagnostic.span.file, diagnostic.span.start);
        Finding {
            code: diagnostic.code.text(),
            warning: !diagnostic.is_error(),
            message: diagnostic.message.clone(),
            file: sources.name(diagnostic.span.file).to_owned(),
            line: at.line as usize,
            column: at.column as usize,
            help: diagnostic.help.clone(),
        }
    };
    diagnostics.iter().map(finding).collect()
}

/// How a game is to be loaded.
///
/// ```
/// # fn main() -> Result<(), cardwright::Error> {
/// use cardwright::Loader;
///
/// let game = Loader::named("hex").option("size", "5").load()?;
/// assert_eq!(game.start(2, 1)?.option_count(), 25);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct Loader {
    base: Base,
    content: Option<PathBuf>,
    expansions: Vec<String>,
    more: Vec<Package>,
    options: Options,
    variant: Option<String>,
    language: Option<String>,
}

#[derive(Clone, Debug)]
enum Base {
    Named(String),
    Files(MemoryWorld),
}

impl Loader {
    /// A folder, a packed file, or the name of a game that is built in or lies where packages are looked for.
    pub fn named(name: impl Into<String>) -> Loader {
        Loader::of(Base::Named(name.into()))
    }

    /// A package held in memory: the path of each file in it, with `/`, and its text.
    pub fn files<P: Into<String>, T: Into<String>>(files: impl IntoIterator<Item = (P, T)>) -> Loader {
        Loader::of(Base::Files(memory(files)))
    }

    fn of(base: Base) -> Loader {
        let (expansions, more) = (Vec::new(), Vec::new());
        Loader { base, content: None, expansions, more, options: Options::new(), variant: None, language: None }
    }

    /// Looks for packages in this folder, too.
    #[must_use]
    pub fn content(mut self, folder: impl Into<PathBuf>) -> Loader {
        self.content = Some(folder.into());
        self
    }

    /// With an expansion: a folder, a packed file or a name.
    #[must_use]
    pub fn expansion(mut self, name: impl Into<String>) -> Loader {
        self.expansions.push(name.into());
        self
    }

    /// With an expansion that is held in memory. Its files are called `name/path` in messages.
    #[must_use]
    pub fn expansion_files<P: Into<String>, T: Into<String>>(
        mut self,
        name: &str,
        files: impl IntoIterator<Item = (P, T)>,
    ) -> Loader {
        let world = MemoryWorld { prefix: format!("{name}/"), ..memory(files) };
        self.more.push(Package::memory(name, world));
        self
    }

    /// With an option of the game, as its manifest or rules declare it.
    #[must_use]
    pub fn option(mut self, name: impl Into<String>, value: impl Into<String>) -> Loader {
        self.options.insert(name.into(), value.into());
        self
    }

    /// In one of the game's variants.
    #[must_use]
    pub fn variant(mut self, name: impl Into<String>) -> Loader {
        self.variant = Some(name.into());
        self
    }

    /// As players of another language read it, such as `de`. Keys of options and saves are the same in every language.
    #[must_use]
    pub fn language(mut self, language: impl Into<String>) -> Loader {
        self.language = Some(language.into());
        self
    }

    /// Reads, checks and compiles it.
    ///
    /// # Errors
    /// [`Error::Content`] if something is wrong with it; [`Error::Request`] or [`Error::File`] if a package is not found.
    pub fn load(self) -> Result<Game, Error> {
        let mut library = Library::new(self.content);
        library.speak(self.language.clone());
        let package = match self.base {
            Base::Named(name) => library.game(&name, &self.expansions)?,
            Base::Files(world) => {
                let with = self.expansions.iter().map(|name| library.find(name)).collect::<Result<_, _>>()?;
                Package::memory("game", world).with(with).in_language(self.language)
            }
        };
        let with = package.expansions().iter().cloned().chain(self.more).collect();
        let game = play::Game::load(&package.with(with), &self.options, self.variant.as_deref())?;
        Ok(Game { inner: Arc::new(game) })
    }
}

fn memory<P: Into<String>, T: Into<String>>(files: impl IntoIterator<Item = (P, T)>) -> MemoryWorld {
    let files = files.into_iter().map(|(path, text)| (path.into(), text.into())).collect();
    MemoryWorld { files, ..MemoryWorld::default() }
}

/// A game with its expansions, checked and compiled. Copies share it.
#[derive(Clone)]
pub struct Game {
    inner: Arc<play::Game>,
}

impl Game {
    /// Loads a folder, a packed file, or a game by its name.
    ///
    /// # Errors
    /// As [`Loader::load`].
    pub fn load(name: &str) -> Result<Game, Error> {
        Loader::named(name).load()
    }

    /// Its name.
    pub fn name(&self) -> &str {
        &self.inner.rules.name
    }

    /// Its title.
    pub fn title(&self) -> &str {
        &self.inner.read().title
    }

    /// Its version.
    pub fn version(&self) -> &str {
        self.inner.version()
    }

    /// Identifies its content and that of its expansions.
    pub fn digest(&self) -> &str {
        &self.inner.digest
    }

    /// For how many players it is, each number that is allowed.
    pub fn players(&self) -> Vec<u8> {
        self.inner.rules.player_counts()
    }

    /// What a seat is called.
    pub fn seat_name(&self, seat: Seat) -> String {
        self.inner.seat_read(seat)
    }

    /// What the checker warns of.
    pub fn warnings(&self) -> Vec<Finding> {
        found(&self.inner.warnings, &self.inner.sources)
    }

    /// Starts a game; what is random follows from the seed.
    ///
    /// # Errors
    /// [`Error::Request`] if it is not for so many players; [`Error::Stuck`] if its setup fails.
    pub fn start(&self, players: u8, seed: u64) -> Result<Position, Error> {
        let setup = Setup { seed, seats: vec!["human".to_owned(); usize::from(players)] };
        let origin = Origin { header: Header::new(&self.inner, setup), deeds: Vec::new() };
        self.begin(Start { players, seed, chance: Chance::Draw }, Some(origin))
    }

    /// Starts a game in which each outcome of chance is a decision of nobody, with weighted options: for solvers.
    ///
    /// # Errors
    /// As [`Game::start`].
    pub fn start_open(&self, players: u8) -> Result<Position, Error> {
        self.begin(Start { players, seed: 0, chance: Chance::Ask }, None)
    }

    fn begin(&self, start: Start, origin: Option<Origin>) -> Result<Position, Error> {
        let mut machine = self.inner.speaking_machine();
        let state = self.inner.start(&mut machine, &start)?;
        Ok(Position::at(self.clone(), start.players, state, origin.map(Arc::new)))
    }

    /// Goes on with a game that [`Position::save`] or `cardwright play --save` has written. Beside the position are the
    /// problems, in words: what of the file does not fit, from where on nothing was repeated. There are none where all was.
    ///
    /// # Errors
    /// [`Error`] if the file cannot be read, or the game cannot even be started.
    pub fn resume(&self, path: impl AsRef<Path>) -> Result<(Position, Vec<String>), Error> {
        let saved = Saved::read(path.as_ref())?;
        let (session, problems) = Session::replay(Arc::clone(&self.inner), &saved)?;
        let header = session.header().clone();
        let players = header.seats.len() as u8;
        let origin = Origin { header, deeds: session.deeds().to_vec() };
        let state = session.state().clone();
        let mut position = Position::at(self.clone(), players, state, Some(Arc::new(origin)));
        position.made = session.decisions().iter().map(|made| made.index as u32).collect();
        Ok((position, problems))
    }
}

/// What a save needs besides the decisions.
struct Origin {
    header: Header,
    deeds: Vec<Deed>,
}

/// A game in progress, at a decision or at its end. A copy goes on by itself; `clone_from` into a position of the same game is
/// much quicker than `clone`. Two positions are equal if they are of one game and have the same [`Position::hash`].
pub struct Position {
    game: Game,
    machine: Machine,
    state: State,
    /// A state to try a choice on.
    spare: State,
    /// The places of the options that were taken.
    made: Vec<u32>,
    /// None if no seed and decisions lead here.
    origin: Option<Arc<Origin>>,
    players: u8,
}

impl Position {
    fn at(game: Game, players: u8, state: State, origin: Option<Arc<Origin>>) -> Position {
        let machine = game.inner.speaking_machine();
        Position { game, machine, state, spare: State::default(), made: Vec::new(), origin, players }
    }

    /// The game that is played.
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// Who decides; none for chance, and when the game is over.
    pub fn seat(&self) -> Option<Seat> {
        self.machine.seat(&self.state)
    }

    /// How many options there are; none when the game is over. Cheap, as no option is put into words.
    pub fn option_count(&self) -> usize {
        self.machine.option_count(&self.state)
    }

    /// The weight of an option of chance against the others; 1 for those of players.
    pub fn weight(&self, index: usize) -> u32 {
        self.machine.weight(&self.state, index)
    }

    /// Whose an option is: mostly that of the seat that decides; who has made an offer may withdraw it.
    pub fn seat_of(&self, index: usize) -> Option<Seat> {
        self.machine.seat_of(&self.state, index)
    }

    /// The decision at hand as the seat that decides reads it; none when the game is over.
    pub fn decision(&mut self) -> Option<Decision> {
        self.machine.decision(&self.state)
    }

    /// Takes the option of this index and goes on to the next decision, or to the end.
    ///
    /// # Errors
    /// [`Error::Illegal`] if there is no such option, [`Error::Stuck`] if the rules fail; the position is then as it was.
    pub fn choose(&mut self, index: usize) -> Result<(), Error> {
        let count = self.option_count();
        if index >= count {
            return Err(Error::Illegal(match count {
                0 => "the game is over".to_owned(),
                _ => format!("there is no option {index}: they go from 0 to {}", count - 1),
            }));
        }
        self.spare.clone_from(&self.state);
        self.machine.choose(&mut self.spare, index).map_err(|error| self.game.inner.error(error))?;
        std::mem::swap(&mut self.state, &mut self.spare);
        self.made.push(index as u32);
        Ok(())
    }

    /// Takes the option of this key: see [`view::OptionInfo::key`].
    ///
    /// # Errors
    /// As [`Position::choose`].
    pub fn choose_key(&mut self, key: &str) -> Result<(), Error> {
        if let Some(index) = self.machine.find(&self.state, key) {
            return self.choose(index);
        }
        let keys: Vec<String> = self.decision().into_iter().flat_map(|it| it.options).map(|it| it.key).collect();
        let near = nearest(key, keys.iter().map(String::as_str)).map(|best| format!(": did you mean `{best}`?"));
        let reason = if keys.is_empty() { Some(": the game is over".to_owned()) } else { near };
        Err(Error::Illegal(format!("`{}` is not legal{}", visible(key), reason.unwrap_or_default())))
    }

    /// What a seat sees, or of `None` and of seats that nobody has what everybody sees. It has no word of what they may not know.
    pub fn view(&mut self, seat: Option<Seat>) -> View {
        self.machine.view(&self.state, seat.filter(|seat| *seat < self.players))
    }

    /// How the game ended, once it is over.
    pub fn outcome(&mut self) -> Option<Outcome> {
        self.machine.outcome(&self.state)
    }

    /// The score of each seat now, if the game has scores.
    pub fn scores(&mut self) -> Option<Vec<i64>> {
        self.machine.scores(&self.state)
    }

    /// Complete turns so far.
    pub fn turns(&self) -> u32 {
        self.machine.turns(&self.state)
    }

    /// A hash of all that can matter to the rest of the game, hidden things included; the same on every machine.
    pub fn hash(&self) -> u64 {
        self.machine.hash(&self.state)
    }

    /// Another position that the seat cannot tell from this one, drawn with this seed: what it does not know lies elsewhere,
    /// and chance goes on otherwise. It cannot be saved.
    ///
    /// # Errors
    /// [`Error::Request`] if nobody has this seat.
    pub fn resample(&mut self, seat: Seat, seed: u64) -> Result<Position, Error> {
        if seat >= self.players {
            return Err(Error::Request(format!("there is no seat {seat}: they go from 0 to {}", self.players - 1)));
        }
        let state = self.machine.resample(&self.state, seat, seed);
        Ok(Position::at(self.game.clone(), self.players, state, None))
    }

    /// Takes options at random, each of a decision as likely as the others, with draws of this seed: to the end, or at most so
    /// many. Gives the outcome, if that is reached. It is quick, since options that are not drawn are mostly not looked at; so the
    /// position cannot be saved afterwards.
    ///
    /// # Errors
    /// [`Error::Stuck`] if the rules fail; the position is then as it was.
    pub fn play_out(&mut self, seed: u64, most: usize) -> Result<Option<Outcome>, Error> {
        self.spare.clone_from(&self.state);
        self.machine.play_out(Some(seed));
        let played = self.roll(&mut Dice::new(seed), most);
        self.machine.play_out(None);
        if let Err(error) = played {
            std::mem::swap(&mut self.state, &mut self.spare);
            return Err(self.game.inner.error(error).into());
        }
        self.origin = None;
        Ok(self.outcome())
    }

    fn roll(&mut self, dice: &mut Dice, most: usize) -> Result<(), GameError> {
        for _ in 0..most {
            match self.option_count() {
                0 => break,
                count => self.machine.choose(&mut self.state, dice.below(count))?,
            };
        }
        Ok(())
    }

    /// Saves the decisions that led here to a new file, which [`Game::resume`] and the program read.
    ///
    /// # Errors
    /// [`Error::File`] if the file exists or cannot be written, [`Error::Request`] for a position whose decisions are
    /// not known: of [`Position::resample`], [`Position::play_out`] or [`Game::start_open`].
    pub fn save(&self, path: impl AsRef<Path>) -> Result<(), Error> {
        let Some(origin) = &self.origin else {
            return Err(Error::Request(
                "this position cannot be saved: which decisions led to it is not known".to_owned(),
            ));
        };
        let (header, deeds) = (origin.header.clone(), &origin.deeds);
        let made = self.made.iter().map(|index| *index as usize);
        let mut session = Session::retrace(Arc::clone(&self.game.inner), header, deeds, made)?;
        Ok(session.save_to(path.as_ref())?)
    }
}

impl Clone for Position {
    fn clone(&self) -> Position {
        let copy = Position::at(self.game.clone(), self.players, self.state.clone(), self.origin.clone());
        Position { made: self.made.clone(), ..copy }
    }

    fn clone_from(&mut self, other: &Position) {
        if !Arc::ptr_eq(&self.game.inner, &other.game.inner) {
            *self = other.clone();
            return;
        }
        self.state.clone_from(&other.state);
        self.made.clone_from(&other.made);
        self.origin.clone_from(&other.origin);
        self.players = other.players;
    }
}

impl PartialEq for Position {
    fn eq(&self, other: &Position) -> bool {
        self.game.digest() == other.game.digest() && self.hash() == other.hash()
    }
}

impl Eq for Position {}

impl std::fmt::Debug for Game {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Game({} {})", self.inner.full_name(), self.version())
    }
}

impl std::fmt::Debug for Position {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Position({:?}, {} decisions, {:016x})", self.game, self.made.len(), self.hash())
    }
}
