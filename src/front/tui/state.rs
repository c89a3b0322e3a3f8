//! What the person at the screen is doing: which option is chosen, where the keys go, what is open. Events change
//! it, and ask for effects; nothing here draws, waits, or touches the game.

use super::board;
use super::scene::Scene;
use crate::engine::{Seat, Target};
use crate::play::spots::Spot;
use ratatui::crossterm::event::{Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers};
use std::collections::BTreeSet;

/// Where the arrow keys go.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Focus {
    /// The list of what is possible, or the board if it is about sites.
    #[default]
    Options,
    /// The cards on the table.
    Table,
    /// The log.
    Log,
}

/// What lies over the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Popup {
    /// The keys.
    Help,
    /// What is not possible, and why.
    Why,
    /// Why something in the log happened.
    Cause,
    /// What a value is made of, with a line to ask for another.
    Value,
    /// What the scenarios of content that is edited gave.
    Tests,
    /// A file to save the game to, with a line to type its name.
    Save,
    /// What the workshop can do, with a line to type it.
    Workshop,
    /// Whether to leave.
    Quit,
}

/// Where the game stands as far as the screen is concerned.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Stage {
    /// Somebody plays.
    #[default]
    Play,
    /// The player who has decided still looks; this seat's player is next.
    Done(Seat),
    /// Nothing is shown until this seat's player has taken the keyboard.
    HandOver(Seat),
    /// The result is shown.
    Over,
}

/// What the loop is to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Effect {
    /// Only draw again.
    None,
    /// Choose the option with this number.
    Choose(usize),
    /// Pass until something changes.
    PassOn,
    /// Take the last decision back.
    Undo,
    /// Let the bot play without waiting.
    Hurry,
    /// The person at the keyboard is now the one who was called.
    Reveal,
    /// Hide the table before the keyboard is passed on.
    Hide,
    /// Put the notice away.
    Dismiss,
    /// Accept what the notice offers.
    Accept,
    /// Find out why a change with this number happened.
    Explain(usize),
    /// Find out what a value is made of; without a name, the numbers above the table.
    Value(String),
    /// Save every decision to a file from now on.
    Save(String),
    /// Do what this line of the workshop says.
    Work(String),
    /// Begin to tell what is played as a scenario, or write it.
    Tell,
    /// Begin another game.
    Rematch,
    /// Leave.
    Quit,
}

/// The longest pause after a bot's move, and the step by which it is changed, in milliseconds.
const LONGEST_PAUSE: u64 = 3000;
const PAUSE_STEP: u64 = 200;

/// The state of the screen.
#[derive(Clone, Debug)]
pub struct Ui {
    /// Where the arrow keys go.
    pub focus: Focus,
    /// What is open over the table.
    pub popup: Option<Popup>,
    /// Whether somebody plays, is called, or the game is over.
    pub stage: Stage,
    /// Number of the chosen option in the decision.
    pub chosen: usize,
    /// What options must contain to be listed.
    pub filter: String,
    /// Whether letters go to the filter.
    pub filtering: bool,
    /// Digits typed so far.
    pub digits: String,
    /// Handle of the card looked at.
    pub browsed: Option<u32>,
    /// Lines of the log below the screen.
    pub log_back: usize,
    /// Why the line of the log that was asked about was written.
    pub cause: Vec<String>,
    /// What is typed in a popup so far: the value that is asked about, or the name of a file.
    pub asked: String,
    /// What was last typed in the workshop.
    pub worked: String,
    /// First line of the open popup that is shown.
    pub scroll: u16,
    /// Milliseconds that a bot's move is shown.
    pub pause: u64,
    /// Sites that the last move changed.
    pub last: BTreeSet<Spot>,
    /// Number of log lines that the viewer had at their last decision.
    pub seen: usize,
}

impl Default for Ui {
    fn default() -> Self {
        Ui {
            focus: Focus::Options,
            popup: None,
            stage: Stage::Play,
            chosen: 0,
            filter: String::new(),
            filtering: false,
            digits: String::new(),
            browsed: None,
            log_back: 0,
            cause: Vec::new(),
            asked: String::new(),
            worked: String::new(),
            scroll: 0,
            pause: 800,
            last: BTreeSet::new(),
            seen: 0,
        }
    }
}

impl Ui {
    /// Forgets what belonged to the decision before.
    pub fn renew(&mut self) {
        self.focus = Focus::Options;
        self.chosen = 0;
        self.filter.clear();
        self.filtering = false;
        self.digits.clear();
        self.log_back = 0;
        self.scroll = 0;
    }

    /// Numbers of the options that are listed.
    pub(super) fn listed(&self, scene: &Scene) -> Vec<usize> {
        let words: Vec<String> = self.filter.to_lowercase().split_whitespace().map(str::to_owned).collect();
        let options = scene.options().iter().enumerate();
        let kept = options.filter(|(_, option)| {
            let text = format!("{} {}", option.label, option.key).to_lowercase();
            words.iter().all(|word| text.contains(word))
        });
        kept.map(|(index, _)| index).collect()
    }

    /// What the chosen option points at.
    pub(super) fn target(&self, scene: &Scene) -> Target {
        scene.options().get(self.chosen).map_or(Target::None, |option| option.target)
    }

    /// The card that the details are about.
    pub(super) fn pointed(&self, scene: &Scene) -> Option<u32> {
        match (self.focus, self.target(scene)) {
            (Focus::Table, _) => self.browsed.filter(|handle| scene.card(*handle).is_some()),
            (_, Target::Entity(handle)) => Some(handle),
            (_, Target::None) => scene.asked_about(),
            (_, target) => {
                let spot = scene.spot(target)?;
                let site = scene.view.boards.get(spot.board)?.sites.get(spot.site)?;
                site.pieces.first().map(|piece| piece.handle)
            }
        }
    }

    /// The site that the cursor is on.
    pub(super) fn cursor(&self, scene: &Scene) -> Option<Spot> {
        match self.focus {
            Focus::Table => scene.spot(Target::Entity(self.browsed?)),
            _ => scene.spot(self.target(scene)),
        }
    }
}

/// Changes the state as an event says, and tells what else is to be done.
pub fn update(ui: &mut Ui, scene: &Scene, event: &Event) -> Effect {
    let Event::Key(key) = event else { return Effect::None };
    if key.kind == KeyEventKind::Release {
        return Effect::None;
    }
    if key.modifiers.contains(KeyModifiers::CONTROL) && matches!(key.code, KeyCode::Char('c')) {
        if ui.popup == Some(Popup::Quit) {
            return Effect::Quit;
        }
        ui.popup = Some(Popup::Quit);
        return Effect::None;
    }
    if ui.popup.is_some() {
        return in_popup(ui, scene, key);
    }
    match ui.stage {
        Stage::Done(_) => in_farewell(ui, scene, key),
        Stage::HandOver(_) => in_hand_over(ui, scene, key),
        Stage::Over => in_result(ui, scene, key),
        Stage::Play if ui.filtering => in_filter(ui, scene, key),
        Stage::Play => in_play(ui, scene, key),
    }
}

fn in_popup(ui: &mut Ui, scene: &Scene, key: &KeyEvent) -> Effect {
    if ui.popup == Some(Popup::Quit) {
        match key.code {
            KeyCode::Char('y' | 'q') | KeyCode::Enter => return Effect::Quit,
            KeyCode::Char('s') if scene.unsaved() => ask_file(ui, scene),
            KeyCode::Char('n') | KeyCode::Esc => ui.popup = None,
            _ => {}
        }
        return Effect::None;
    }
    if let Some(Popup::Value | Popup::Save | Popup::Workshop) = ui.popup {
        match key.code {
            KeyCode::Enter if !ui.asked.trim().is_empty() && ui.popup == Some(Popup::Workshop) => {
                ui.worked.clone_from(&ui.asked);
                return Effect::Work(ui.asked.clone());
            }
            KeyCode::Up if ui.popup == Some(Popup::Workshop) => {
                ui.asked.clone_from(&ui.worked);
                return Effect::None;
            }
            KeyCode::Enter if !ui.asked.is_empty() && ui.popup == Some(Popup::Save) => {
                ui.popup = None;
                return Effect::Save(std::mem::take(&mut ui.asked));
            }
            KeyCode::Enter if !ui.asked.is_empty() => return Effect::Value(std::mem::take(&mut ui.asked)),
            KeyCode::Backspace if !ui.asked.is_empty() => {
                ui.asked.pop();
                return Effect::None;
            }
            KeyCode::Char(letter) => {
                ui.asked.push(letter);
                return Effect::None;
            }
            _ => {}
        }
    }
    match key.code {
        KeyCode::Up | KeyCode::Char('k') => ui.scroll = ui.scroll.saturating_sub(1),
        KeyCode::Down | KeyCode::Char('j') => ui.scroll = ui.scroll.saturating_add(1),
        KeyCode::PageUp => ui.scroll = ui.scroll.saturating_sub(8),
        KeyCode::PageDown => ui.scroll = ui.scroll.saturating_add(8),
        _ => {
            ui.popup = None;
            ui.scroll = 0;
            ui.asked.clear();
        }
    }
    Effect::None
}

/// Opens the line for the name of a file.
fn ask_file(ui: &mut Ui, scene: &Scene) {
    ui.asked.clone_from(&scene.file);
    ui.popup = Some(Popup::Save);
}

/// Opens the line for the workshop; on a card of the table it begins to put that card elsewhere.
fn open_workshop(ui: &mut Ui, scene: &Scene) {
    let card = ui.browsed.filter(|_| ui.focus == Focus::Table).and_then(|handle| scene.card(handle));
    ui.asked = card.map_or_else(String::new, |card| format!("put {} in ", card.name));
    ui.cause.clear();
    ui.popup = Some(Popup::Workshop);
}

fn in_hand_over(ui: &mut Ui, scene: &Scene, key: &KeyEvent) -> Effect {
    match key.code {
        KeyCode::Enter => Effect::Reveal,
        _ => everywhere(ui, scene, key),
    }
}

fn in_farewell(ui: &mut Ui, scene: &Scene, key: &KeyEvent) -> Effect {
    match key.code {
        KeyCode::Enter | KeyCode::Char(' ') => Effect::Hide,
        KeyCode::Char('u') => Effect::Undo,
        _ => everywhere(ui, scene, key),
    }
}

fn in_result(ui: &mut Ui, scene: &Scene, key: &KeyEvent) -> Effect {
    match key.code {
        KeyCode::Enter => Effect::Quit,
        KeyCode::Char('r') => Effect::Rematch,
        KeyCode::Char('u') => Effect::Undo,
        KeyCode::Esc | KeyCode::Tab => {
            ui.stage = Stage::Play;
            ui.focus = Focus::Log;
            Effect::None
        }
        _ => everywhere(ui, scene, key),
    }
}

fn in_filter(ui: &mut Ui, scene: &Scene, key: &KeyEvent) -> Effect {
    match key.code {
        KeyCode::Esc => {
            ui.filter.clear();
            ui.filtering = false;
        }
        KeyCode::Enter => {
            ui.filtering = false;
            return confirm(ui, scene);
        }
        KeyCode::Backspace => {
            ui.filtering = ui.filter.pop().is_some();
        }
        KeyCode::Up => step(ui, scene, -1),
        KeyCode::Down | KeyCode::Tab => step(ui, scene, 1),
        KeyCode::Char(letter) => ui.filter.push(letter),
        _ => {}
    }
    keep_listed(ui, scene);
    Effect::None
}

fn in_play(ui: &mut Ui, scene: &Scene, key: &KeyEvent) -> Effect {
    if let KeyCode::Char(digit @ '0'..='9') = key.code {
        type_digit(ui, scene, digit);
        return Effect::None;
    }
    ui.digits.clear();
    match key.code {
        KeyCode::Enter => return enter(ui, scene),
        KeyCode::Char('u') => return Effect::Undo,
        KeyCode::Char('x') => return Effect::Dismiss,
        KeyCode::Char('y') => return answer(scene, &["yes", "accept"]),
        KeyCode::Char('n') => return answer(scene, &["no", "refuse"]),
        KeyCode::Char('t') if scene.offers() => return answer(scene, &["withdraw"]),
        KeyCode::Char('p') if scene.responds() => return answer(scene, &["pass"]),
        KeyCode::Char('P') if scene.responds() => return Effect::PassOn,
        KeyCode::Char('c') if scene.notice.as_ref().is_some_and(|notice| notice.offer) => return Effect::Accept,
        KeyCode::Char('w' | '?') if ui.focus == Focus::Log => return explain(ui, scene),
        KeyCode::Char(' ') if scene.bot => return Effect::Hurry,
        KeyCode::Char('W') => return Effect::Value(String::new()),
        KeyCode::Char('/') => {
            ui.focus = Focus::Options;
            ui.filtering = true;
        }
        KeyCode::Tab | KeyCode::BackTab => turn_focus(ui, scene, key.code == KeyCode::BackTab),
        KeyCode::Esc => escape(ui, scene),
        _ if ui.focus == Focus::Log && scroll_log(ui, scene, key.code) => {}
        _ if ui.focus == Focus::Table && browse(ui, scene, key.code) => {}
        _ if ui.focus == Focus::Options && walk(ui, scene, key.code) => {}
        _ => return everywhere(ui, scene, key),
    }
    Effect::None
}

/// Answers a question that can be answered with one of these words.
fn answer(scene: &Scene, words: &[&str]) -> Effect {
    let option = scene.options().iter().position(|option| words.contains(&option.key.as_str()));
    option.map_or(Effect::None, Effect::Choose)
}

/// Keys that mean the same at every stage.
fn everywhere(ui: &mut Ui, scene: &Scene, key: &KeyEvent) -> Effect {
    match key.code {
        KeyCode::Char('s') => ask_file(ui, scene),
        KeyCode::Char('S') => return Effect::Tell,
        KeyCode::Char(':') if scene.workshop => open_workshop(ui, scene),
        KeyCode::F(1) | KeyCode::Char('h') => ui.popup = Some(Popup::Help),
        KeyCode::Char('w' | '?') if ui.stage == Stage::Play => ui.popup = Some(Popup::Why),
        KeyCode::Char('T') if scene.tests.is_some() => ui.popup = Some(Popup::Tests),
        KeyCode::Char('q') => ui.popup = Some(Popup::Quit),
        KeyCode::Char('+' | '=') => ui.pause = (ui.pause + PAUSE_STEP).min(LONGEST_PAUSE),
        KeyCode::Char('-') => ui.pause = ui.pause.saturating_sub(PAUSE_STEP),
        _ => {}
    }
    Effect::None
}

fn escape(ui: &mut Ui, scene: &Scene) {
    if scene.view.outcome.is_some() && ui.focus != Focus::Table {
        ui.stage = Stage::Over;
    }
    ui.focus = Focus::Options;
    ui.filter.clear();
    ui.log_back = 0;
}

fn enter(ui: &mut Ui, scene: &Scene) -> Effect {
    match ui.focus {
        Focus::Options => confirm(ui, scene),
        Focus::Log => explain(ui, scene),
        Focus::Table => {
            let options = scene.options().iter();
            let found = options.enumerate().find(|(_, option)| match option.target {
                Target::Entity(handle) => Some(handle) == ui.browsed,
                _ => false,
            });
            if let Some((index, _)) = found {
                ui.filter.clear();
                ui.chosen = index;
                ui.focus = Focus::Options;
            }
            Effect::None
        }
    }
}

/// Asks why the lowest line of the log that is shown happened.
fn explain(ui: &Ui, scene: &Scene) -> Effect {
    let told = scene.log.iter().rev().nth(ui.log_back);
    told.map_or(Effect::None, |told| Effect::Explain(told.number))
}

fn confirm(ui: &Ui, scene: &Scene) -> Effect {
    // An offer is not taken back by a key that was pressed once too often.
    let meant = ui.listed(scene).contains(&ui.chosen) && !scene.offers();
    if meant { Effect::Choose(ui.chosen) } else { Effect::None }
}

/// Digits add up to an option's number, or to the number that is asked for, as long as one begins so; otherwise a new
/// number begins.
fn type_digit(ui: &mut Ui, scene: &Scene, digit: char) {
    ui.focus = Focus::Options;
    let amount = scene.decision().is_some_and(|decision| !decision.numbered());
    let listed = ui.listed(scene);
    let numbers: Vec<(usize, String)> = listed
        .into_iter()
        .filter_map(|index| {
            let key = &scene.options().get(index)?.key;
            Some((index, if amount { key.clone() } else { (index + 1).to_string() }))
        })
        .collect();
    let find = |digits: &str| {
        let exact = numbers.iter().find(|(_, number)| number == digits);
        exact.or_else(|| numbers.iter().find(|(_, number)| number.starts_with(digits))).map(|(index, _)| *index)
    };
    ui.digits.push(digit);
    if find(&ui.digits).is_none() {
        ui.digits = digit.to_string();
    }
    match find(&ui.digits) {
        Some(index) => ui.chosen = index,
        None => ui.digits.clear(),
    }
}

fn turn_focus(ui: &mut Ui, scene: &Scene, back: bool) {
    ui.focus = match (ui.focus, back) {
        (Focus::Options, false) | (Focus::Log, true) => Focus::Table,
        (Focus::Table, false) | (Focus::Options, true) => Focus::Log,
        _ => Focus::Options,
    };
    if ui.focus == Focus::Table {
        let handles: Vec<u32> = scene.cards().iter().map(|card| card.handle).collect();
        let pointed = match ui.target(scene) {
            Target::Entity(handle) => Some(handle),
            _ => ui.browsed,
        };
        ui.browsed = pointed.filter(|handle| handles.contains(handle)).or(handles.first().copied());
        if ui.browsed.is_none() {
            ui.focus = if back { Focus::Options } else { Focus::Log };
        }
    }
}

fn scroll_log(ui: &mut Ui, scene: &Scene, code: KeyCode) -> bool {
    let most = scene.log.len().saturating_sub(1);
    ui.log_back = match code {
        KeyCode::Up | KeyCode::Char('k') => ui.log_back + 1,
        KeyCode::Down | KeyCode::Char('j') => ui.log_back.saturating_sub(1),
        KeyCode::PageUp => ui.log_back + 8,
        KeyCode::PageDown => ui.log_back.saturating_sub(8),
        KeyCode::Home => most,
        KeyCode::End => 0,
        _ => return false,
    }
    .min(most);
    true
}

fn browse(ui: &mut Ui, scene: &Scene, code: KeyCode) -> bool {
    let handles: Vec<u32> = scene.cards().iter().map(|card| card.handle).collect();
    let now = handles.iter().position(|handle| Some(*handle) == ui.browsed).unwrap_or(0);
    let next = match code {
        KeyCode::Left | KeyCode::Up | KeyCode::Char('k') => now.saturating_sub(1),
        KeyCode::Right | KeyCode::Down | KeyCode::Char('j') => now + 1,
        KeyCode::PageUp => now.saturating_sub(5),
        KeyCode::PageDown => now + 5,
        KeyCode::Home => 0,
        KeyCode::End => usize::MAX,
        _ => return false,
    };
    ui.browsed = handles.get(next.min(handles.len().saturating_sub(1))).copied();
    true
}

fn walk(ui: &mut Ui, scene: &Scene, code: KeyCode) -> bool {
    let way = match code {
        KeyCode::Left => Some((-1, 0)),
        KeyCode::Right => Some((1, 0)),
        KeyCode::Up => Some((0, 1)),
        KeyCode::Down => Some((0, -1)),
        _ => None,
    };
    if let (Some(way), Some(from)) = (way, ui.cursor(scene)) {
        if let Some(index) = board::neighbour(scene, &ui.listed(scene), from, way) {
            ui.chosen = index;
        }
        return true;
    }
    match code {
        KeyCode::Up | KeyCode::Left | KeyCode::Char('k') => step(ui, scene, -1),
        KeyCode::Down | KeyCode::Right | KeyCode::Char('j') => step(ui, scene, 1),
        KeyCode::PageUp => step(ui, scene, -6),
        KeyCode::PageDown => step(ui, scene, 6),
        KeyCode::Home => step(ui, scene, isize::MIN),
        KeyCode::End => step(ui, scene, isize::MAX),
        _ => return false,
    }
    true
}

/// Goes up or down the list; a single step goes round.
fn step(ui: &mut Ui, scene: &Scene, by: isize) {
    let listed = ui.listed(scene);
    let last = listed.len().saturating_sub(1);
    let now = listed.iter().position(|index| *index == ui.chosen).unwrap_or(0);
    let next = match by {
        -1 if now == 0 => last,
        1 if now >= last => 0,
        _ => now.saturating_add_signed(by).min(last),
    };
    if let Some(index) = listed.get(next) {
        ui.chosen = *index;
    }
}

fn keep_listed(ui: &mut Ui, scene: &Scene) {
    let listed = ui.listed(scene);
    // A place that is typed whole is meant, whatever else has it as a part.
    let whole = |index: &&usize| {
        scene.options().get(**index).is_some_and(|option| {
            option.key.split_whitespace().last().is_some_and(|word| word.eq_ignore_ascii_case(ui.filter.trim()))
        })
    };
    let exact = listed.iter().find(whole).copied();
    if exact.is_some() || !listed.contains(&ui.chosen) {
        ui.chosen = exact.or(listed.first().copied()).unwrap_or(ui.chosen);
    }
}
