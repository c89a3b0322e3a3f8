//! Positions that commands are about: the start of a game, or what a scenario file sets up.

use super::Context;
use super::args::{GameArgs, fresh_seed, player_count, warn, warn_of_seed};
use crate::base::{plural, shown};
use crate::engine::Chance;
use crate::model::scenario::titled;
use crate::model::{Scenario, ScenarioFile};
use crate::play::scenario::position;
use crate::play::{Game, MAX_FILE, Options, Package, PlayError, Session, Setup, files};
use std::path::Path;
use std::sync::Arc;

/// Which position.
#[derive(clap::Args)]
pub struct PlaceArgs {
    #[command(flatten)]
    pub game: GameArgs,
    #[command(flatten)]
    scenario: ScenarioArgs,
    /// Number of players; the fewest of the game unless given.
    #[arg(long, short, value_name = "N")]
    players: Option<u8>,
    /// Seed of the game.
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// Whether chance is drawn, or each of its outcomes is a way on.
    #[arg(long, value_name = "HOW", default_value = "seed")]
    chance: Follow,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum Follow {
    /// One outcome, drawn by the seed.
    Seed,
    /// All outcomes, by their keys.
    All,
}

impl PlaceArgs {
    /// Where outcomes of chance come from.
    pub fn chance(&self) -> Chance {
        match self.chance {
            Follow::Seed => Chance::Draw,
            Follow::All => Chance::Ask,
        }
    }

    /// The position of the scenario that is asked for; none if a game is.
    ///
    /// # Errors
    /// As [`ScenarioArgs::find`].
    pub fn scenario(&self, context: &Context) -> Result<Option<Session>, PlayError> {
        let settled = self.players.is_some() || self.seed.is_some();
        let Some((game, title)) = self.scenario.find(context, &self.game, settled)? else { return Ok(None) };
        let mut session = titled(&game.scenarios, &title).map(|scenario| position(&game, scenario)).transpose()?;
        if let Some(session) = &mut session {
            session.set_chance(self.chance());
        }
        Ok(session)
    }

    /// The start of the game that is asked for.
    ///
    /// # Errors
    /// If it is not found, has errors or is not for so many players.
    pub fn start(&self, context: &Context) -> Result<Start, PlayError> {
        let game = self.game.load(context)?;
        let players = player_count(&game, self.players)?;
        Ok(Start { game, players, seed: self.seed })
    }

    /// A session at the position.
    ///
    /// # Errors
    /// As [`PlaceArgs::scenario`] and [`PlaceArgs::start`].
    pub fn session(&self, context: &Context) -> Result<Session, PlayError> {
        if let Some(session) = self.scenario(context)? {
            return Ok(session);
        }
        let Start { game, players, seed } = self.start(context)?;
        let seed = seed.unwrap_or_else(fresh_seed);
        context.console.note(&format!("seed {seed}, {}", plural(players.into(), "player")));
        warn_of_seed(context, &game);
        let setup = Setup { seed, seats: vec!["human".to_owned(); usize::from(players)] };
        Session::with_chance(game, setup, self.chance())
    }
}

/// Which scenario, where the game is that of a scenario file.
#[derive(clap::Args)]
pub struct ScenarioArgs {
    /// The title of the scenario, where a scenario file has several; the first unless given.
    #[arg(long, value_name = "TITLE")]
    scenario: Option<String>,
    /// The game that a scenario file is about, if it lies in no game's folder.
    #[arg(long = "game", value_name = "GAME")]
    about: Option<String>,
}

impl ScenarioArgs {
    /// The game of a scenario file, with the options of the scenario that is asked for, and the title of that; none if a game is asked for.
    /// `settled`: whether players or a seed are given.
    ///
    /// # Errors
    /// If the file, its game or the scenario is not found, or something is wrong with it.
    pub fn find(
        &self,
        context: &Context,
        asked: &GameArgs,
        settled: bool,
    ) -> Result<Option<(Arc<Game>, String)>, PlayError> {
        let path = Path::new(&asked.game);
        if path.extension().is_none_or(|ending| ending != "scenario") {
            return match (&self.scenario, &self.about) {
                (None, None) => Ok(None),
                _ => Err(PlayError::Usage("--scenario and --game belong to a scenario file".to_owned())),
            };
        }
        if settled {
            let message = "the scenario says how many players there are and which seed: `players 3`, `seed 7`";
            return Err(PlayError::Usage(message.to_owned()));
        }
        let (package, file) = scenario_file(context, path, self.about.as_deref(), &asked.with)?;
        let options: Options = asked.options.iter().cloned().collect();
        let variant = asked.variant.as_deref();
        let mut game = Game::load_with(&package, &options, variant, Some(&file))?;
        let chosen = self.chosen(&game)?;
        let (title, own) = (chosen.title.clone(), chosen.options.clone());
        if !own.is_empty() {
            let options = options.into_iter().chain(own).collect();
            game = Game::load_with(&package, &options, variant, Some(&file))?;
        }
        warn(context, &game);
        Ok(Some((Arc::new(game), title)))
    }

    fn chosen<'a>(&self, game: &'a Game) -> Result<&'a Scenario, PlayError> {
        let found = match &self.scenario {
            None => game.scenarios.first(),
            Some(title) => titled(&game.scenarios, title),
        };
        found.ok_or_else(|| {
            let titles: Vec<String> = game.scenarios.iter().map(|scenario| format!("  {}\n", scenario.title)).collect();
            let message = match (&self.scenario, titles.is_empty()) {
                (_, true) | (None, _) => "the file has no scenario".to_owned(),
                (Some(title), _) => format!("the file has no scenario \"{title}\"; it has\n{}", titles.concat()),
            };
            PlayError::Usage(message)
        })
    }
}

/// The start of a game.
pub struct Start {
    pub game: Arc<Game>,
    pub players: u8,
    pub seed: Option<u64>,
}

/// A scenario file, and the game that it is about: the one that is named, else the one in whose folder it lies.
///
/// # Errors
/// If the file or its game is not found.
pub fn scenario_file(
    context: &Context,
    path: &Path,
    game: Option<&str>,
    with: &[String],
) -> Result<(Package, ScenarioFile), PlayError> {
    let homeless = || {
        let reason = if path.is_file() { "lies in no game's folder: add `--game GAME`" } else { "is not there" };
        PlayError::Usage(format!("`{}` {reason}", shown(&path)))
    };
    let package = match game {
        Some(name) => context.library.game(name, with)?,
        None => {
            let around = Package::around(path).ok_or_else(homeless)?;
            context.library.subjects(around, with)?.into_iter().next().ok_or_else(homeless)?
        }
    };
    let text = files::read_text(path, MAX_FILE)?;
    Ok((package, ScenarioFile { shown: path.display().to_string(), text }))
}
