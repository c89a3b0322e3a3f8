//! Full-screen play in a terminal, of any game: the table, the own hand, the log, what is possible now, and why the
//! rest is not.
//!
//! A [`Scene`] is what one seat may see; the state of the screen ([`Ui`]) changes with keys; both together are drawn.
//! Only the desk touches the game, and only this file touches the terminal.

mod board;
#[cfg(test)]
mod board_tests;
mod canvas;
mod cards;
mod desk;
#[cfg(test)]
mod desk_tests;
mod draw;
mod keys;
mod log;
mod options;
mod scene;
mod signs;
mod state;
mod table;
mod tester;
#[cfg(test)]
mod tests;
mod text;
mod theme;

pub use draw::draw;
pub use scene::{Notice, Scene, Tests, Told, Why};
pub use state::{Effect, Focus, Popup, Stage, Ui, update};
pub use theme::Theme;

use crate::play::Table;
use desk::Desk;
use ratatui::DefaultTerminal;
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::buffer::Buffer;
use ratatui::crossterm::event::{self, Event};
use std::io;
use std::time::{Duration, Instant};
use tester::Tester;

/// How often edited content is asked for while nobody presses a key.
const GLANCE: Duration = Duration::from_millis(50);

/// The terminal in full-screen mode; it is given back as it was when this goes, also in a panic.
struct Screen {
    terminal: DefaultTerminal,
}

impl Screen {
    fn open() -> io::Result<Screen> {
        Ok(Screen { terminal: ratatui::try_init()? })
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        ratatui::restore();
    }
}

/// Plays on the terminal until the people leave, with or without colours, and with the workshop or without it. Gives what is to stay on the terminal: how
/// each game ended.
///
/// # Errors
/// If there is no terminal, or it cannot be read or written.
pub fn run(table: &mut Table, color: bool, workshop: bool) -> io::Result<String> {
    let theme = Theme { color };
    let mut screen = Screen::open()?;
    let tester = table.is_watched().then(|| Tester::new(table.game().package.clone()));
    let mut desk = if workshop { Desk::workshop(table) } else { Desk::new(table) };
    desk.tester = tester;
    loop {
        screen.terminal.draw(|frame| draw(frame, &desk.ui, &desk.scene, theme))?;
        while !event::poll(desk.idle(Instant::now(), GLANCE))? {
            if desk.pass_time(Instant::now()) {
                break;
            }
        }
        while event::poll(Duration::ZERO)? {
            if !desk.handle(&event::read()?) {
                return Ok(desk.summary());
            }
        }
    }
}

/// A picture of the screen after some events, without a terminal: for documents and tests. Bots move without pauses,
/// and the keyboard needs no handing over.
pub fn picture(table: &mut Table, events: &[Event], theme: Theme, size: (u16, u16)) -> Buffer {
    table.hand_over();
    let mut desk = Desk::new(table);
    desk.ui.pause = 0;
    for event in events {
        while desk.pass_time(Instant::now()) {}
        desk.handle(event);
    }
    while desk.pass_time(Instant::now()) {}
    let Ok(mut terminal) = Terminal::new(TestBackend::new(size.0, size.1));
    let Ok(_) = terminal.draw(|frame| draw(frame, &desk.ui, &desk.scene, theme));
    terminal.backend().buffer().clone()
}
