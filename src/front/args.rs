//! Arguments that several subcommands share.

use super::Context;
use crate::base::render_text;
use crate::core::Pass;
use crate::engine::Seat;
use crate::model::Active;
use crate::model::scenario::titled;
use crate::play::{Game, Header, Options, PlayError};
use std::hash::{BuildHasher, Hasher, RandomState};
use std::sync::Arc;

/// Which game, and how it is set.
#[derive(clap::Args)]
pub struct GameArgs {
    /// Name of a game, or path of its folder.
    #[arg(value_name = "GAME")]
    pub game: String,
    /// Sets an option of the game; may be given several times.
    #[arg(long = "option", short = 'o', value_name = "NAME=VALUE", value_parser = option_pair)]
    pub options: Vec<(String, String)>,
    /// Adds expansions of the game, by name or path; several are separated by commas. Their order does not matter.
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    pub with: Vec<String>,
    /// Plays a variant that the game declares.
    #[arg(long, value_name = "NAME")]
    pub variant: Option<String>,
    /// Compiles without passes, for measuring.
    #[arg(long, value_name = "NAME", hide = true, value_parser = pass)]
    pub without_pass: Vec<Pass>,
}

/// The pass of a name.
pub fn pass(name: &str) -> Result<Pass, String> {
    let known = || Pass::ALL.map(Pass::name).join(", ");
    Pass::ALL.into_iter().find(|pass| pass.name() == name).ok_or_else(|| format!("there are {}", known()))
}

/// `NAME=VALUE`, as an option of a game is set.
///
/// # Errors
/// If it is not written so.
pub fn option_pair(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((name, value)) if !name.trim().is_empty() => Ok((name.trim().to_owned(), value.trim().to_owned())),
        _ => Err("write NAME=VALUE".to_owned()),
    }
}

impl GameArgs {
    /// The expansions that are named; an empty name stands for none.
    pub fn expansions(&self) -> Option<&[String]> {
        (!self.with.is_empty()).then_some(&self.with)
    }

    /// Finds and loads the game; warnings go to stderr.
    ///
    /// # Errors
    /// [`PlayError`] if it is not found or has errors.
    pub fn load(&self, context: &Context) -> Result<Arc<Game>, PlayError> {
        let package = context.library.game(&self.game, &self.with)?;
        let options: Options = self.options.iter().cloned().collect();
        let mut game = Game::load(&package, &options, self.variant.as_deref())?;
        if !self.without_pass.is_empty() {
            game.program = Arc::new(game.without(&self.without_pass)?);
        }
        warn(context, &game);
        Ok(Arc::new(game))
    }
}

/// The game of a saved file with the expansions it was saved with; another game or others if they are named.
///
/// # Errors
/// [`PlayError`] if one of them is not found or has errors.
pub fn saved_game(
    context: &Context,
    header: &Header,
    name: Option<&str>,
    with: Option<&[String]>,
) -> Result<Arc<Game>, PlayError> {
    // Where several versions are here, it is played with its own.
    let exact = |active: &Active| match context.library.versions(&active.name) {
        here if here.iter().any(|version| version.to_string() == active.version) => {
            format!("{}@{}", active.name, active.version)
        }
        _ => active.name.clone(),
    };
    // Its name alone means the version that it was saved with.
    let name = name.filter(|name| *name != header.game.name);
    let saved = header.expansions();
    let (own, game): (Vec<String>, String) = (header.with.iter().map(exact).collect(), exact(&header.game));
    let package =
        context.library.game(name.unwrap_or(&game), with.unwrap_or(&own)).map_err(|error| match (with, error) {
            (None, PlayError::Usage(reason)) if !saved.is_empty() => PlayError::Usage(format!(
                "{reason}\nit was saved with `--with {}`; name the folders they are in, or `--with \"\"` for none",
                saved.join(",")
            )),
            (_, error) => error,
        })?;
    let load = |package| Game::load(package, &header.options, header.variant.as_deref());
    let game = load(&package)?;
    // The scenario that it begins in may be one of its last expansion.
    let there = header.scenario.as_ref().is_none_or(|title| titled(&game.scenarios, title).is_some());
    let expansions = package.expansions().to_vec();
    Ok(Arc::new(if there || expansions.is_empty() { game } else { load(&package.clone().about(expansions))? }))
}

/// Shows the warnings that a game was loaded with.
pub fn warn(context: &Context, game: &Game) {
    if !game.warnings.is_empty() {
        context.console.problem(&render_text(&game.warnings, &game.sources, context.console.color));
    }
}

/// A seed nobody chose, and nobody can guess by trying them all: from the system's source of chance, which seeds the hash
/// maps of the standard library. It is a number of the language, so that scenarios can name it.
pub fn fresh_seed() -> u64 {
    RandomState::new().build_hasher().finish() >> 1
}

/// Says where a seed is shown what it tells of the game it begins.
pub fn warn_of_seed(context: &Context, game: &Game) {
    if game.rules.hides() {
        context.console.note("whoever has the seed or the saved file can find out all that is hidden in this game");
    }
}

/// The number of players: the one asked for, else the fewest of the game.
///
/// # Errors
/// [`PlayError::Usage`] if the game is not for so many.
pub fn player_count(game: &Game, asked: Option<u8>) -> Result<u8, PlayError> {
    let players = asked.unwrap_or(game.rules.players.0);
    game.check_players(usize::from(players))?;
    Ok(players)
}

/// The seat of a name, or of a number from 1.
///
/// # Errors
/// [`PlayError::Usage`] if there is none.
pub fn seat_named(game: &Game, seats: usize, name: &str) -> Result<Seat, PlayError> {
    let names: Vec<String> = (0u8..).take(seats).map(|seat| game.seat_name(seat)).collect();
    let found = (0u8..).zip(&names).find(|(_, known)| known.eq_ignore_ascii_case(name)).map(|(seat, _)| seat);
    let counted = || name.parse::<Seat>().ok()?.checked_sub(1).filter(|seat| usize::from(*seat) < seats);
    found
        .or_else(counted)
        .ok_or_else(|| PlayError::Usage(format!("there is no seat `{name}`; the seats are: {}", names.join(", "))))
}
