//! How far a long command is, on stderr where that is a terminal; and Ctrl-C, which ends its work early, so that it can
//! print what it has.

use super::console::Console;
use crate::play::{PlayError, Progress};
use indicatif::{HumanCount, HumanDuration, ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::IsTerminal;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// How often the line is drawn.
const BEAT: Duration = Duration::from_millis(200);
/// What is done sooner is not reported on.
const SHORT: Duration = Duration::from_millis(600);

/// Watches work until it goes.
pub struct Meter {
    progress: Arc<Progress>,
    over: Arc<AtomicBool>,
    line: Arc<Mutex<Bar>>,
    drawer: Option<JoinHandle<()>>,
}

/// The line on the screen, if it is there.
#[derive(Default)]
struct Bar {
    shown: Option<ProgressBar>,
    /// Something else is being printed.
    hidden: bool,
}

impl Meter {
    /// Begins to watch. What is counted is called `things`; work that takes a given time says so.
    pub fn start(things: &'static str, time: Option<Duration>) -> Meter {
        let (progress, over) = (Arc::new(Progress::default()), Arc::new(AtomicBool::new(false)));
        let stopping = Arc::clone(&progress);
        // If there can be no handler, Ctrl-C ends the program as ever.
        let _ = ctrlc::set_handler(move || {
            if stopping.stopped() {
                std::process::exit(STOPPED);
            }
            stopping.stop();
        });
        let seen = std::io::stderr().is_terminal();
        let line = Arc::new(Mutex::new(Bar::default()));
        let (watched, done, bar) = (Arc::clone(&progress), Arc::clone(&over), Arc::clone(&line));
        let drawer = seen.then(|| std::thread::spawn(move || draw(&watched, &done, &bar, things, time)));
        Meter { progress, over, line, drawer }
    }

    /// What the work reports to.
    pub fn progress(&self) -> &Arc<Progress> {
        &self.progress
    }

    /// Takes the line away until [`Meter::resume`], so that something else can be printed.
    pub fn pause(&self) {
        self.hide(true);
    }

    /// Shows the line again.
    pub fn resume(&self) {
        self.hide(false);
    }

    fn hide(&self, hidden: bool) {
        if let Ok(mut line) = self.line.lock() {
            line.hidden = hidden;
            if let Some(bar) = line.shown.take() {
                bar.finish_and_clear();
            }
        }
    }

    /// Takes the line away. If the work was stopped, what is printed from here on is what it has so far.
    ///
    /// # Errors
    /// [`PlayError::Stopped`], to be given back after that.
    pub fn end(mut self, console: &Console) -> Result<(), PlayError> {
        self.clear();
        if !self.progress.stopped() {
            return Ok(());
        }
        console.note("stopped; what follows is as far as it went");
        Err(PlayError::Stopped)
    }

    fn clear(&mut self) {
        self.over.store(true, Ordering::Relaxed);
        if let Some(drawer) = self.drawer.take() {
            drawer.thread().unpark();
            let _ = drawer.join();
        }
        self.hide(true);
    }
}

impl Drop for Meter {
    fn drop(&mut self) {
        self.clear();
    }
}

/// The exit code of a program that Ctrl-C has ended.
const STOPPED: i32 = 130;

fn draw(progress: &Progress, over: &AtomicBool, line: &Mutex<Bar>, things: &str, time: Option<Duration>) {
    let started = Instant::now();
    while !over.load(Ordering::Relaxed) {
        std::thread::park_timeout(BEAT);
        let past = started.elapsed();
        let Some(mut line) = line.lock().ok().filter(|line| past >= SHORT && !line.hidden) else { continue };
        let share = share(progress, past, time);
        let bar = line.shown.get_or_insert_with(new_bar);
        bar.set_position((share.unwrap_or(0.0) * 1000.0) as u64);
        bar.set_message(words(progress.counted(), things, share, past));
    }
}

fn new_bar() -> ProgressBar {
    let bar = ProgressBar::with_draw_target(Some(1000), ProgressDrawTarget::stderr());
    match ProgressStyle::with_template("{bar:24} {msg}") {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}

/// How much of the work is done, if that can be said.
fn share(progress: &Progress, past: Duration, time: Option<Duration>) -> Option<f64> {
    let (done, all) = progress.share();
    match time {
        Some(time) => Some((past.as_secs_f64() / time.as_secs_f64().max(1e-9)).min(1.0)),
        None => (all > 0).then(|| (done as f64 / all as f64).min(1.0)),
    }
}

fn words(counted: u64, things: &str, share: Option<f64>, past: Duration) -> String {
    let rate = (counted as f64 / past.as_secs_f64().max(1e-9)) as u64;
    let mut text = format!("{} {things}, {} a second", HumanCount(counted), HumanCount(rate));
    if let Some(share) = share.filter(|share| *share > 0.0) {
        let left = past.mul_f64((1.0 - share) / share);
        text.push_str(&format!(", {:.0} %, {} left", share * 100.0, HumanDuration(left)));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rate_and_remaining_time_are_told() {
        let past = Duration::from_secs(30);
        assert_eq!(words(60_000, "games", Some(0.25), past), "60,000 games, 2,000 a second, 25 %, 2 minutes left");
        assert_eq!(words(90, "games", None, past), "90 games, 3 a second");
        let progress = Progress::default();
        assert_eq!(share(&progress, past, None), None);
        assert_eq!(share(&progress, past, Some(Duration::from_secs(60))), Some(0.5));
        progress.expect(8);
        progress.advance(2);
        assert_eq!(share(&progress, past, None), Some(0.25));
    }
}
