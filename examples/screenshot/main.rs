//! Writes a picture of the full-screen terminal as SVG, in the middle of a game:
//!
//! ```text
//! cargo run --example screenshot -- monster-muncher --seed 7 --decisions 60 docs/images/play.svg
//! ```
//!
//! The first seat is a person's, whose decisions a greedy bot makes until so many were made and it is the person's
//! turn again. Then `--keys` are pressed, and the screen is drawn.

mod svg;

use cardwright::front::tui;
use cardwright::play::{Bot, Game, Library, Options, PlayError, Player, Table};
use clap::Parser;
use ratatui::crossterm::event::{Event, KeyCode, KeyEvent, KeyModifiers};
use std::path::PathBuf;
use std::sync::Arc;

/// Writes a picture of the full-screen terminal as SVG.
#[derive(Parser)]
struct Args {
    /// Name or path of the game.
    game: String,
    /// The file to write.
    out: PathBuf,
    /// Number of players.
    #[arg(long, default_value_t = 2)]
    players: usize,
    /// The seed.
    #[arg(long, default_value_t = 7)]
    seed: u64,
    /// Fewest decisions before the picture.
    #[arg(long, default_value_t = 60)]
    decisions: usize,
    /// Letters to press before the picture; `_` is the right arrow, `.` the down arrow and `~` Tab.
    #[arg(long, default_value = "")]
    keys: String,
    /// Columns and rows of the terminal.
    #[arg(long, num_args = 2, default_values_t = [110, 34])]
    size: Vec<u16>,
    /// The prompt of the decision at which the picture is taken.
    #[arg(long, default_value = "")]
    at: String,
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let args = Args::parse();
    let mut table = table(&args)?;
    let events: Vec<Event> =
        args.keys.chars().map(|letter| Event::Key(KeyEvent::new(key(letter), KeyModifiers::NONE))).collect();
    let size = (args.size.first().copied().unwrap_or(110), args.size.get(1).copied().unwrap_or(34));
    let buffer = tui::picture(&mut table, &events, tui::Theme { color: true }, size);
    std::fs::write(&args.out, svg::render(&buffer, &format!("cardwright play {}", args.game)))?;
    Ok(())
}

/// A game that has been played for a while, with a decision of the first seat due.
fn table(args: &Args) -> Result<Table, PlayError> {
    let package = Library::new(None).find(&args.game)?;
    let game = Arc::new(Game::load(&package, &Options::new(), None)?);
    let mut players = vec![Player::Bot(Bot::Greedy); args.players];
    if let Some(first) = players.first_mut() {
        *first = Player::Human;
    }
    let mut table = Table::new(game, players, args.seed, None)?;
    while table.deciding().is_some() {
        let long = table.session().decisions().len() >= args.decisions;
        let asked = table.decision().is_some_and(|decision| decision.prompt.contains(&args.at));
        if long && asked && table.human_decides() {
            break;
        }
        let index = Bot::Greedy.pick(table.session_mut())?;
        table.choose(index)?;
    }
    Ok(table)
}

fn key(letter: char) -> KeyCode {
    match letter {
        '_' => KeyCode::Right,
        '.' => KeyCode::Down,
        '~' => KeyCode::Tab,
        letter => KeyCode::Char(letter),
    }
}
