//! Runs a package's scenarios beside a game that is played while its content is edited, on a thread of its own, so that the screen
//! never waits for them.

use super::scene::Tests;
use crate::base::visible;
use crate::play::{Package, Retests};
use std::sync::mpsc::{Receiver, Sender, TryRecvError, channel};

/// What runs scenarios whenever it is asked to.
pub(super) struct Tester {
    ask: Sender<()>,
    told: Receiver<Tests>,
}

impl Tester {
    /// Begins with a look at the package.
    pub fn new(package: Package) -> Tester {
        let ((ask, asked), (tell, told)) = (channel(), channel());
        let _ = ask.send(());
        std::thread::spawn(move || work(Retests::new(package), &asked, &tell));
        Tester { ask, told }
    }

    /// The content was edited.
    pub fn edited(&self) {
        // A tester that has stopped has told why.
        let _ = self.ask.send(());
    }

    /// What there is to be told since this was last asked.
    pub fn news(&self) -> Option<Tests> {
        self.told.try_iter().last()
    }
}

/// Looks and runs until nobody asks any more. An edit that comes meanwhile is looked at instead.
fn work(mut tests: Retests, asked: &Receiver<()>, tell: &Sender<Tests>) {
    while asked.recv().is_ok() {
        let mut again = true;
        let mut failed = None;
        while again && failed.is_none() {
            while asked.try_recv().is_ok() {}
            failed = tests.look().err();
            again = false;
            while failed.is_none() {
                match tests.run_next() {
                    Ok(true) => {}
                    Ok(false) => break,
                    Err(error) => failed = Some(error),
                }
                match asked.try_recv() {
                    Ok(()) => {
                        again = true;
                        break;
                    }
                    Err(TryRecvError::Disconnected) => return,
                    Err(TryRecvError::Empty) => {}
                }
            }
        }
        let news = match failed {
            Some(error) => Tests { short: "tests: stopped".to_owned(), bad: true, lines: vec![error.to_string()] },
            None => told(&tests),
        };
        if tell.send(news).is_err() {
            return;
        }
    }
}

/// What is shown of a package's tests.
fn told(tests: &Retests) -> Tests {
    let failed = tests.failed().count();
    let short = match (tests.is_sound(), failed) {
        (false, _) => "tests wait".to_owned(),
        (true, 0) => format!("{} ✓", tests.passed()),
        (true, failed) => format!("{failed} ✗"),
    };
    let mut lines = vec![tests.summary()];
    let found = tests.diagnostics.iter().filter(|found| found.is_error());
    lines.extend(found.map(|found| format!("{}: {}", tests.sources.locate(found.span), found.message)));
    for verdict in tests.failed().filter(|_| tests.is_sound()) {
        lines.extend([String::new(), format!("FAILED  {}", verdict.title)]);
        let report = verdict.failure.as_ref().map(|failure| failure.report()).unwrap_or_default();
        lines.extend(report.lines().map(str::to_owned));
    }
    let lines = lines.iter().map(|line| visible(line).into_owned()).collect();
    Tests { short, bad: !tests.is_sound() || failed > 0, lines }
}
