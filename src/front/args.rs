//! Arguments that several subcommands share.

use super::Context;
use crate::base::render_text;
use crate::play::{Game, Header, Options, PlayError};
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
    /// Adds expansions of the game, by name or path; several are separated by commas.
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    pub with: Vec<String>,
    /// Plays a variant that the game declares.
    #[arg(long, value_name = "NAME")]
    pub variant: Option<String>,
}

fn option_pair(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((name, value)) if !name.trim().is_empty() => Ok((name.trim().to_owned(), value.trim().to_owned())),
        _ => Err("write NAME=VALUE".to_owned()),
    }
}

impl GameArgs {
    /// Finds and loads the game; warnings go to stderr.
    ///
    /// # Errors
    /// [`PlayError`] if it is not found or has errors.
    pub fn load(&self, context: &Context) -> Result<Arc<Game>, PlayError> {
        let package = context.library.game(&self.game, &self.with)?;
        let options: Options = self.options.iter().cloned().collect();
        let game = Game::load(&package, &options, self.variant.as_deref())?;
        warn(context, &game);
        Ok(Arc::new(game))
    }
}

/// The game of a saved file, with the expansions it was saved with; another game if one is named.
///
/// # Errors
/// [`PlayError`] if one of them is not found or has errors.
pub fn saved_game(context: &Context, header: &Header, name: Option<&str>) -> Result<Arc<Game>, PlayError> {
    let package = context.library.game(name.unwrap_or(&header.package), &header.expansions())?;
    Ok(Arc::new(Game::load(&package, &header.options, header.variant.as_deref())?))
}

/// Shows the warnings that a game was loaded with.
pub fn warn(context: &Context, game: &Game) {
    if !game.warnings.is_empty() {
        context.console.problem(&render_text(&game.warnings, &game.sources, context.console.color));
    }
}

/// A seed nobody chose: from the clock, short enough to be typed again.
pub fn fresh_seed() -> u64 {
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
    crate::play::Dice::new(now.as_nanos() as u64 ^ u64::from(std::process::id())).number() % 1_000_000
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
