//! The desk: the table and the state of the screen together. It turns keys into decisions, lets bots move in their
//! time, and makes the scene that is drawn. It needs no terminal.

use super::board;
use super::scene::{Notice, Scene, Tests, Told, Why};
use super::state::{Effect, Popup, Stage, Ui, update};
use super::tester::Tester;
use crate::base::shown;
use crate::engine::{Change, Seat};
use crate::front::args::fresh_seed;
use crate::front::workshop::{self, Done, Eyes};
use crate::play::spots::{Spot, changed};
use crate::play::{LogLine, PlayError, Player, Reload, Table, Undo};
use ratatui::crossterm::event::Event;
use std::collections::BTreeMap;
use std::path::Path;
use std::time::{Duration, Instant};

/// Lines of the log that are kept for the screen.
const LONGEST_LOG: usize = 2000;

/// A table with a screen in front of it.
pub(super) struct Desk<'a> {
    table: &'a mut Table,
    /// The state of the screen.
    pub ui: Ui,
    /// What is to be drawn.
    pub scene: Scene,
    notice: Option<Notice>,
    /// Since when a bot is due to move; none if nobody waits for one.
    due: Option<Instant>,
    /// The bot's last attempt failed: it is not tried again before something changes.
    stuck: bool,
    /// What each seat had read at its last decision.
    read: BTreeMap<Option<Seat>, usize>,
    /// Where the cursor was last on a board.
    spot: Option<Spot>,
    /// Whose sites are marked as changed last.
    marked: Option<(Option<Seat>, u32)>,
    /// How the games before this one ended.
    played: String,
    /// Whether it was just asked if all agree to take back.
    agreed: bool,
    /// Runs the scenarios of content that is edited.
    pub tester: Option<Tester>,
    tests: Option<Tests>,
    /// Whether more may be done than a player may.
    workshop: bool,
    /// Through whose eyes the table is seen.
    eyes: Eyes,
}

impl<'a> Desk<'a> {
    /// Sits down at a table.
    pub fn new(table: &'a mut Table) -> Self {
        let scene = scene(table, None, None);
        let ui = Ui::default();
        let mut desk = Desk {
            table,
            ui,
            scene,
            notice: None,
            due: None,
            stuck: false,
            read: BTreeMap::new(),
            spot: None,
            marked: None,
            played: String::new(),
            agreed: false,
            tester: None,
            tests: None,
            workshop: false,
            eyes: Eyes::Own,
        };
        desk.settle(false);
        desk
    }

    /// Sits down at a table to try out a game.
    pub fn workshop(table: &'a mut Table) -> Self {
        let mut desk = Desk::new(table);
        desk.workshop = true;
        desk.settle(false);
        desk
    }

    /// Does what an event asks for. False if the person leaves.
    pub fn handle(&mut self, event: &Event) -> bool {
        match update(&mut self.ui, &self.scene, event) {
            Effect::None => {}
            Effect::Quit => return false,
            Effect::Choose(index) => self.choose(index),
            Effect::PassOn => {
                self.read.insert(self.table.deciding(), self.scene.log.len());
                self.act(|table| table.pass_on().map(|_| ()));
            }
            Effect::Undo => self.undo(),
            Effect::Hurry => self.bot_move(),
            Effect::Reveal => {
                self.table.hand_over();
                self.ui.stage = Stage::Play;
                self.settle(false);
            }
            Effect::Hide => {
                self.settle(false);
            }
            Effect::Dismiss => self.tell(None),
            Effect::Accept => self.accept(),
            Effect::Explain(number) => self.explain(number),
            Effect::Value(name) => self.break_down(&name),
            Effect::Save(file) => self.save(&file),
            Effect::Tell => {
                let told = self.table.tell(None);
                self.scene.telling = self.table.is_marked();
                self.tell(Some(told.map_or_else(|error| wrong(&error), |words| notice(&words))));
            }
            Effect::Work(line) => self.work(&line),
            Effect::Rematch => self.rematch(),
        }
        true
    }

    /// Lets time pass: bots move when their pause is over, and edited content is read. True if something changed.
    pub fn pass_time(&mut self, now: Instant) -> bool {
        if let Some(tests) = self.tester.as_ref().and_then(Tester::news) {
            self.scene.tests = Some(tests.clone());
            self.tests = Some(tests);
            return true;
        }
        if self.table.content_changed() {
            self.tester.iter().for_each(Tester::edited);
            self.reload();
            return true;
        }
        let pause = Duration::from_millis(self.ui.pause);
        if self.due.is_some_and(|since| now.duration_since(since) >= pause) && self.ui.popup.is_none() {
            self.bot_move();
            return true;
        }
        false
    }

    /// How long nothing will happen by itself.
    pub fn idle(&self, now: Instant, most: Duration) -> Duration {
        let Some(since) = self.due else { return most };
        (since + Duration::from_millis(self.ui.pause)).saturating_duration_since(now).min(most)
    }

    fn choose(&mut self, index: usize) {
        let seat = self.table.deciding();
        self.read.insert(seat, self.table.log(seat).len());
        self.notice = self.notice.take().filter(|notice| notice.error || notice.offer);
        let decision = self.scene.decision();
        let other = decision.filter(|decision| decision.seat != self.scene.view.seat && self.scene.view.seat.is_some());
        match other.and_then(|decision| decision.options.get(index)).map(|option| option.key.clone()) {
            // Somebody else decides, and this seat may do something meanwhile.
            Some(key) => self.act(|table| table.choose_key(&key).map(|_| ())),
            None => self.act(|table| table.choose(index).map(|_| ())),
        }
    }

    fn bot_move(&mut self) {
        if self.scene.bot && !self.stuck {
            self.act(|table| table.bot_move().map(|_| ()));
        }
    }

    /// Does something on the table and marks the sites it changed.
    fn act(&mut self, deed: impl FnOnce(&mut Table) -> Result<(), PlayError>) {
        let before = self.table.view(None);
        let seat = self.table.deciding();
        let told = self.scene.log.len();
        if let Err(error) = deed(self.table) {
            let excused = if self.workshop { workshop::excuse(self.table, error) } else { Err(error) };
            match excused {
                Ok(text) => {
                    self.notice = Some(Notice { error: true, offer: false, text: text.trim_end().to_owned() });
                    self.settle(false);
                }
                Err(told) => {
                    self.stuck = true;
                    self.due = None;
                    self.tell(Some(wrong(&told)));
                }
            }
            return;
        }
        let changed = changed(&before.boards, &self.table.view(None).boards);
        let by = Some((seat, before.turns));
        if self.marked != by && !changed.is_empty() {
            self.ui.last.clear();
        }
        if !changed.is_empty() {
            self.marked = by;
            self.ui.last.extend(changed);
        }
        self.settle(true);
        if self.due.is_some() && (self.scene.log.len() == told || self.scene.passing) {
            // Nothing was told, so there is nothing to wait for.
            self.due = Instant::now().checked_sub(Duration::from_millis(self.ui.pause)).or(self.due);
        }
    }

    fn undo(&mut self) {
        let undone = self.table.undo(std::mem::take(&mut self.agreed));
        match undone {
            Ok(undone) => {
                self.agreed = undone == Undo::Asks;
                self.tell(undone.words().map(notice));
                if matches!(undone, Undo::Done { .. }) {
                    self.ui.last.clear();
                    self.marked = None;
                    self.settle(false);
                }
            }
            Err(error) => self.tell(Some(wrong(&error))),
        }
    }

    fn reload(&mut self) {
        let told = match self.table.reload() {
            // What was wrong with an edit, or did not fit, is as it was again.
            Reload::Unchanged => self.notice.take().filter(|notice| !notice.error && !notice.offer),
            Reload::Complete { decisions } => {
                Some(notice(&format!("the game goes on with the new content; all {decisions} decisions fit it")))
            }
            Reload::Stopped { kept, of, reason } => {
                let text = format!("the first {kept} of {of} decisions fit the new content; then\n{reason}");
                Some(Notice { error: false, offer: true, text })
            }
            Reload::Broken { report } => Some(Notice { error: true, offer: false, text: report.trim_end().to_owned() }),
        };
        self.notice = told;
        self.settle(false);
    }

    fn accept(&mut self) {
        let told = match self.table.accept_reload() {
            Ok(true) => Some(notice("the game goes on with the new content")),
            Ok(false) => None,
            Err(error) => Some(wrong(&error)),
        };
        self.notice = told;
        self.settle(false);
    }

    fn save(&mut self, file: &str) {
        match self.table.save_to(Path::new(file)) {
            Ok(()) => {
                self.scene.saved = Some(file.to_owned());
                self.tell(Some(notice(&format!("every decision is saved in `{file}` from now on"))));
            }
            Err(error) => self.tell(Some(wrong(&error))),
        }
    }

    /// Begins another game of the same players.
    fn rematch(&mut self) {
        let summary = self.table.summary();
        match self.table.rematch(fresh_seed()) {
            Ok(()) => {
                self.played.push_str(&summary);
                self.read.clear();
                (self.spot, self.marked) = (None, None);
                self.ui.last.clear();
                self.tell(None);
                self.ui.stage = Stage::Play;
                self.settle(false);
            }
            Err(error) => self.tell(Some(wrong(&error))),
        }
    }

    /// What stays on the terminal when the screen goes: how each game ended.
    pub fn summary(&self) -> String {
        format!("{}{}", self.played, self.table.summary())
    }

    /// Does what a line of the workshop says. What is wrong with it is said where it was typed.
    fn work(&mut self, line: &str) {
        let done = match line.trim() {
            "look" => Ok(Done::Look(Eyes::Own)),
            line => workshop::work(self.table, line),
        };
        let told = match done {
            Err(error) => {
                self.ui.cause = error.report(false).lines().map(str::to_owned).collect();
                return;
            }
            Ok(Done::Look(eyes)) => {
                self.eyes = eyes;
                None
            }
            Ok(Done::Changed(_)) => {
                self.ui.last.clear();
                self.marked = None;
                None
            }
            Ok(Done::Said(said)) => Some(notice(&said)),
        };
        self.ui.popup = None;
        self.ui.asked.clear();
        self.notice = told;
        self.settle(false);
    }

    /// Shows why a line of the log is there.
    fn explain(&mut self, number: usize) {
        let mut lines = match self.eyes {
            Eyes::Own => self.table.why(number),
            Eyes::Seat(seat) => self.table.session().why_line(Some(seat), number),
            Eyes::All => self.table.session().why(number),
        };
        if !lines.is_empty() {
            lines.insert(1, String::new());
            self.ui.cause = lines;
            self.ui.popup = Some(Popup::Cause);
        }
    }

    /// Shows what a value is made of.
    fn break_down(&mut self, name: &str) {
        self.ui.cause = match self.table.explain(if name.is_empty() { "all" } else { name }) {
            Ok(lines) => lines,
            Err(error) => vec![error.to_string()],
        };
        self.ui.scroll = 0;
        self.ui.popup = Some(Popup::Value);
    }

    fn tell(&mut self, notice: Option<Notice>) {
        self.scene.notice.clone_from(&notice);
        self.notice = notice;
    }

    /// Brings the scene and the state of the screen up to date with the table. Lingering, a player who has just
    /// looked sees what came of it before the keyboard is passed on.
    fn settle(&mut self, linger: bool) {
        self.stuck = false;
        self.spot = self.ui.cursor(&self.scene).or(self.spot);
        self.ui.renew();
        let called = self.table.handover();
        let hidden = called.is_some() && !self.workshop && self.table.view(called).hides();
        if called.is_some() && !hidden {
            self.table.hand_over();
        }
        let before = self.scene.view.seat.filter(|_| linger && hidden && self.ui.stage == Stage::Play);
        let seat = match self.eyes {
            _ if hidden => before,
            Eyes::Own => self.table.view_seat(),
            Eyes::Seat(seat) => Some(seat),
            Eyes::All => None,
        };
        let (tests, workshop) = (self.tests.clone(), self.workshop);
        self.scene = Scene { tests, workshop, ..scene(self.table, seat, self.notice.clone()) };
        if self.eyes == Eyes::All {
            self.scene.open = true;
            self.scene.view = self.table.session_mut().view_all();
            self.scene.log = whole_log(self.table);
            self.scene.refusals = refusals(self.table);
        }
        self.ui.chosen = board::nearest(&self.scene, self.spot).unwrap_or(0);
        self.ui.seen = self.read.get(&seat).copied().unwrap_or(0).min(self.scene.log.len());
        self.ui.stage = match (called.filter(|_| hidden), &self.scene.view.outcome) {
            (Some(seat), _) if before.is_some() => Stage::Done(seat),
            (Some(seat), _) => Stage::HandOver(seat),
            (None, Some(_)) => Stage::Over,
            (None, None) => Stage::Play,
        };
        self.due = self.scene.bot.then(Instant::now);
    }
}

fn notice(text: &str) -> Notice {
    Notice { error: false, offer: false, text: text.to_owned() }
}

fn wrong(error: &PlayError) -> Notice {
    Notice { error: true, offer: false, text: error.report(false).trim_end().to_owned() }
}

/// What a seat, or a spectator, is to be shown.
fn scene(table: &mut Table, seat: Option<Seat>, notice: Option<Notice>) -> Scene {
    let alone = table.humans() == 1;
    let who = |player: &Player| match player {
        Player::Human if alone => "you",
        Player::Human => "",
        bot => bot.word(),
    };
    let players = table.players().iter().map(|player| who(player).to_owned()).collect();
    let log = told(table.log(seat));
    let refusals = if seat.is_some() && seat == table.deciding() { refusals(table) } else { Vec::new() };
    Scene {
        title: table.game().read().title.clone(),
        seed: table.seed(),
        view: table.view(seat),
        players,
        log,
        refusals,
        notice,
        tests: None,
        bot: table.deciding().is_some() && !table.human_decides(),
        passing: seat.is_some_and(|seat| table.deciding() == Some(seat) && table.passes(seat)),
        spared: seat.is_some() && seat == table.deciding() && table.spares(),
        workshop: false,
        open: false,
        telling: table.is_marked(),
        decisions: table.session().decisions().len(),
        saved: table.session().saved_at().map(|path| shown(&path)),
        file: format!("{}-{}.save", table.game().rules.name, table.seed()),
    }
}

fn told(log: Vec<LogLine>) -> Vec<Told> {
    let log = LogLine::merged(log);
    let shown = log.iter().skip(log.len().saturating_sub(LONGEST_LOG));
    shown.map(|line| Told { number: line.number, text: line.text.clone(), depth: line.depth }).collect()
}

/// All that has happened, with nothing hidden.
fn whole_log(table: &Table) -> Vec<Told> {
    let changes = table.session().changes().iter().zip(1..).filter(|((_, change), _)| !change.full.is_empty());
    let line = |((decision, change), number): (&(usize, Change), usize)| LogLine {
        number,
        decision: *decision,
        depth: change.depth,
        text: change.full.clone(),
    };
    told(changes.map(line).collect())
}

fn refusals(table: &mut Table) -> Vec<Why> {
    let refusals = table.refusals();
    let why = refusals.into_iter().map(|refusal| {
        let action = refusal.label.clone();
        let (reason, span) = table.reason(refusal);
        let sources = &table.game().sources;
        let place = table.locate(span);
        let at = sources.position(span.file, span.start);
        let line = place.as_ref().map(|_| sources.line(span.file, at.line).to_owned());
        Why { action, reason, place: place.unwrap_or_default(), line: line.unwrap_or_default() }
    });
    why.collect()
}
