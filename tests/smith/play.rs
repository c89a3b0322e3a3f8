//! A package is checked and played: the engine is compared with the reference evaluator, and all is told that a rewording
//! must tell again.

use super::schemes::script_of;
use crate::suite::support::begins_alike;
use cardwright::base::{Diagnostic, MemoryWorld};
use cardwright::core::Pass;
use cardwright::engine::{GameError, Status};
use cardwright::play::conformance::conformance;
use cardwright::play::{Dice, Game, Options, Package, PlayError, Session, Setup};
use cardwright::program::compile_with;
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Once};

/// The manifest of all packages.
const MANIFEST: &str = "name = \"small\"\ntitle = \"Small\"\nversion = \"0.1.0\"\nedition = 1\n\
                            [players]\nmin = 2\nmax = 3\nseats = [\"ann\", \"bob\", \"cid\"]\n";
/// A script of all packages that gives a value.
const TRIPLE: &str = "fn triple(numbers) { let n = 0; for x in numbers { n += 3 * x; } n }\n";
/// Most decisions of one game.
const MOST: usize = 120;
/// A game is asked about that is not legal for so many texts.
const REFUSED: usize = 6;

/// Something that should not have happened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// What sort of thing: a package made smaller still has to show the same.
    pub kind: String,
    pub text: String,
}

/// What came of a package.
#[derive(Clone, Debug)]
pub enum Verdict {
    /// The checker does not take it, with the codes.
    Refused(BTreeSet<String>, String),
    /// A documented limit, or a calculation that cannot be done.
    Limit(String),
    Failed(Failure),
    /// The playthrough.
    Fine(Vec<String>),
}

/// How closely a game is looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Depth {
    /// It is only played: its playthrough is compared with another one.
    Played,
    /// All is compared and asked.
    Compared,
}

thread_local! {
    static PANIC: RefCell<Option<String>> = const { RefCell::new(None) };
    static LISTENS: RefCell<bool> = const { RefCell::new(false) };
}

/// Does something, and gives the message of a panic.
fn guarded<T>(f: impl FnOnce() -> T) -> Result<T, String> {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let before = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |info| {
            if LISTENS.with(|listens| *listens.borrow()) {
                let place = info.location().map(|place| format!("{}:{}", place.file(), place.line()));
                let text = info.to_string().lines().skip(1).collect::<Vec<_>>().join(" ");
                PANIC.with(|panic| *panic.borrow_mut() = Some(format!("{}: {text}", place.unwrap_or_default())));
            } else {
                before(info);
            }
        }));
    });
    LISTENS.with(|listens| *listens.borrow_mut() = true);
    let result = catch_unwind(AssertUnwindSafe(f));
    LISTENS.with(|listens| *listens.borrow_mut() = false);
    result.map_err(|_| PANIC.with(|panic| panic.borrow_mut().take()).unwrap_or_default())
}

/// Loads a package from the text of its rules.
pub fn load(rules: &str) -> Result<Game, PlayError> {
    let files = files(rules);
    let world = MemoryWorld::new(files.iter().map(|(name, text)| (*name, text.as_str())));
    Game::load(&Package::memory("small", world), &Options::new(), None)
}

/// The files of a package with these rules.
pub fn files(rules: &str) -> [(&'static str, String); 4] {
    [
        ("game.toml", MANIFEST.to_owned()),
        ("a.rules", rules.to_owned()),
        ("triple.rhai", TRIPLE.to_owned()),
        ("scheme.rhai", script_of(rules)),
    ]
}

/// Checks and plays a package.
pub fn verdict(rules: &str, passes: &[Pass], seed: u64, depth: Depth, forms: &mut BTreeSet<String>) -> Verdict {
    match guarded(|| played(rules, passes, seed, depth, forms)) {
        Ok(verdict) => verdict,
        Err(panic) => {
            let place = panic.split(": ").next().unwrap_or_default().to_owned();
            Verdict::Failed(Failure { kind: format!("panic at {place}"), text: panic })
        }
    }
}

fn played(rules: &str, passes: &[Pass], seed: u64, depth: Depth, forms: &mut BTreeSet<String>) -> Verdict {
    let game = match load(rules) {
        Ok(mut game) => {
            if passes != Pass::ALL {
                match compile_with(Arc::clone(&game.rules), passes) {
                    Ok(program) => game.program = Arc::new(program),
                    Err(_) => return Verdict::Limit("program".to_owned()),
                }
            }
            Arc::new(game)
        }
        Err(PlayError::Content { diagnostics, sources }) => {
            let errors = diagnostics.iter().filter(|found| found.is_error());
            let codes: BTreeSet<String> = errors.map(|found: &Diagnostic| found.code.text().to_owned()).collect();
            let text = cardwright::base::render_text(&diagnostics, &sources, false);
            return match codes.iter().find(|code| code.starts_with('L')) {
                Some(code) => Verdict::Limit(code.clone()),
                None => Verdict::Refused(codes, text),
            };
        }
        Err(error) => return failed("load", error.to_string()),
    };
    if depth == Depth::Compared
        && let Err(text) = begins_alike(&game, 2 + (seed % 2) as u8, seed..seed.saturating_add(3))
    {
        return failed("beginning", text);
    }
    if depth == Depth::Compared
        && let Some(verdict) = conforms(&game, seed)
    {
        return verdict;
    }
    let (dice, asks) = (Dice::of(&[seed, 7]), Dice::of(&[seed, 8]));
    let mut table = Table { game, depth, dice, asks, seen: BTreeSet::new(), told: Vec::new() };
    match table.play(seed, forms) {
        Ok(()) => Verdict::Fine(table.told),
        Err(verdict) => verdict,
    }
}

fn failed(kind: &str, text: String) -> Verdict {
    Verdict::Failed(Failure { kind: kind.to_owned(), text })
}

/// What an error of play means: content may come to a limit, or divide by zero; anything else the checker should have
/// found, or the engine should have done.
fn stopped(error: &PlayError) -> Verdict {
    match error {
        PlayError::Game { error, .. } => by_code(error),
        other => failed("play", other.to_string()),
    }
}

fn by_code(error: &GameError) -> Verdict {
    match error.code {
        code if code.starts_with('L') || matches!(code, "E0901" | "E0902" | "E0905" | "E0703") => {
            Verdict::Limit(code.to_owned())
        }
        code => failed(&format!("game {code}"), error.message.clone()),
    }
}

/// The conformance suite on one game, and what is drawn of it while it is played out.
fn conforms(game: &Arc<Game>, seed: u64) -> Option<Verdict> {
    if let Err(found) = crate::suite::playout::compare(game, seed, 12) {
        return Some(failed("playout", found));
    }
    let report = match conformance(game, 2 + (seed % 2) as u8, seed, 1) {
        Ok(report) => report,
        Err(error) => return Some(stopped(&error)),
    };
    let limits = ["error[L", "error[E0901", "error[E0902", "error[E0905", "error[E0703", "has not ended after"];
    // That nobody decides is for an author to know; such a game is played alike or not like any other.
    let barren = |problem: &str| problem.contains("nobody has decided anything");
    let problems = report.problems.iter().filter(|problem| !barren(problem));
    let problems = problems.filter(|problem| !limits.iter().any(|limit| problem.contains(limit)));
    let first = problems.into_iter().next()?;
    if report.problems.iter().any(|problem| limits.iter().any(|limit| problem.contains(limit))) {
        return Some(Verdict::Limit("limit in conformance".to_owned()));
    }
    // What is in quotes and after a colon differs from package to package.
    let text = first.split_once(": ").map_or(first.as_str(), |(_, text)| text);
    let words = text.split('`').step_by(2).collect::<Vec<_>>().join("_");
    let words: String = words.split(':').next().unwrap_or_default().chars().filter(|c| !c.is_numeric()).collect();
    Some(failed(&format!("conformance: {words}"), report.problems.join("\n")))
}

struct Table {
    game: Arc<Game>,
    depth: Depth,
    /// Picks options.
    dice: Dice,
    /// Picks what is asked about.
    asks: Dice,
    /// All keys that were offered so far.
    seen: BTreeSet<String>,
    told: Vec<String>,
}

impl Table {
    fn play(&mut self, seed: u64, forms: &mut BTreeSet<String>) -> Result<(), Verdict> {
        let seats = vec!["human".to_owned(); 2 + (seed % 2) as usize];
        let setup = Setup { seed, seats };
        let mut session = Session::new(Arc::clone(&self.game), setup, None).map_err(|error| stopped(&error))?;
        let mut changes = 0;
        for number in 0..MOST {
            self.tell(&mut session, &mut changes);
            if self.depth == Depth::Compared {
                self.compare(&mut session, forms)?;
            }
            if session.status() == Status::Over {
                break;
            }
            let decision = session.decision().ok_or_else(|| failed("no decision", String::new()))?;
            let keys: Vec<String> = decision.options.iter().map(|option| option.key.clone()).collect();
            self.told.push(format!("{:?} {}: {}", decision.seat, decision.question(), keys.join(" | ")));
            if self.depth == Depth::Compared {
                self.ask(&mut session, &keys, number)?;
            }
            self.seen.extend(keys.iter().cloned());
            let refusals =
                session.refusals().into_iter().map(|refusal| format!("no {}: {}", refusal.action, refusal.reason));
            self.told.extend(refusals);
            let index = self.dice.below(keys.len().max(1));
            session.choose(index).map_err(|error| stopped(&error))?;
        }
        self.told.push(format!("{:?}", session.outcome()));
        if self.depth == Depth::Compared {
            self.again(&mut session)?;
        }
        Ok(())
    }

    /// What has happened, and what is to be seen.
    fn tell(&mut self, session: &mut Session, changes: &mut usize) {
        for (_, change) in &session.changes()[*changes..] {
            // What was answered stands above; of scripts the log says nothing of it.
            if !change.full.is_empty() && !change.full.contains("idle") {
                self.told.push(format!("  {}", change.full));
            }
        }
        *changes = session.changes().len();
        let mut view = session.view_all();
        view.game.retain(|(name, _)| !name.contains("idle"));
        view.decision = None;
        self.told.push(serde_json::to_string(&view).unwrap_or_default());
    }

    fn compare(&mut self, session: &mut Session, forms: &mut BTreeSet<String>) -> Result<(), Verdict> {
        let (machine, state) = session.parts();
        let found = machine.check_against_reference(state);
        forms.extend(found.forms);
        let Some(first) = found.differences.first() else { return Ok(()) };
        let line = self.game.sources.slice(first.span);
        let text = format!("{}: compiled {}, reference {}\n  {line}", first.what, first.fast, first.slow);
        Err(failed("reference", text))
    }

    /// Every option is found by its text, why it is so adds up, and what is not offered is refused in words.
    fn ask(&mut self, session: &mut Session, keys: &[String], number: usize) -> Result<(), Verdict> {
        for (index, key) in keys.iter().enumerate().take(8) {
            match session.path_of(key) {
                Ok(path) if path == [index] => {}
                Ok(path) => return Err(failed("round trip", format!("`{key}` is {path:?}, not {index}"))),
                Err(error) => return Err(failed("round trip", format!("`{key}`: {error}"))),
            }
        }
        let others: Vec<String> = self.seen.iter().filter(|key| !keys.contains(key)).cloned().collect();
        let words: Vec<String> = self.game.program.actions.iter().map(|action| action.words.clone()).collect();
        for turn in 0..REFUSED.min(others.len() + words.len()) {
            let text = match words.get(turn) {
                Some(word) => format!("{word} {}", others.get(turn).map_or("zzz", String::as_str)),
                None => others[self.asks.below(others.len())].clone(),
            };
            match session.index_of(&text) {
                Ok(index) if keys.get(index) == Some(&text) => {}
                Ok(index) => return Err(failed("refusal", format!("`{text}` is taken for option {index}"))),
                Err(PlayError::Finding(reason)) if reason.len() > text.len() + 16 => {}
                Err(error) => return Err(failed("refusal", format!("`{text}`: {error}"))),
            }
        }
        for refusal in session.refusals() {
            if keys.contains(&refusal.action) {
                return Err(failed("refusal", format!("`{}` is offered and refused", refusal.action)));
            }
        }
        if number.is_multiple_of(4) {
            self.why(session)?;
        }
        Ok(())
    }

    /// What each named value is made of comes to its value.
    fn why(&mut self, session: &mut Session) -> Result<(), Verdict> {
        let rules = Arc::clone(&self.game.rules);
        let plain = rules.defines.iter().filter_map(|id| rules.procs.get(id.index()));
        let mut names: Vec<String> = plain.filter(|proc| proc.params == 0).map(|proc| proc.name.clone()).collect();
        let player = rules.player_props.iter().filter_map(|id| rules.props.get(id.index()));
        names.extend(player.map(|prop| format!("{} of ann", prop.name)));
        for name in names {
            for seat in [None, Some(0)] {
                let (machine, state) = session.parts();
                if let Ok(found) = machine.break_down(state, seat, &name)
                    && !found.adds_up()
                {
                    return Err(failed("why does not add up", format!("{name}: {found:?}")));
                }
            }
            if let Err(error) = session.why_value(None, &name)
                && error.to_string().is_empty()
            {
                return Err(failed("why says nothing", name));
            }
        }
        for number in 1..=session.changes().len().min(3) {
            if session.why(number).is_empty() {
                return Err(failed("why says nothing", format!("line {number}")));
            }
        }
        Ok(())
    }

    /// What was written down leads to the same state.
    fn again(&mut self, session: &mut Session) -> Result<(), Verdict> {
        let header = serde_json::to_string(session.header()).unwrap_or_default();
        let mut text = format!("{header}\n");
        for (index, made) in session.decisions().to_vec().iter().enumerate() {
            let state = session.state_at(index + 1).map_err(|error| failed("save", error.to_string()))?;
            let hash = session.parts().0.hash(&state);
            let key = serde_json::to_string(&made.key).unwrap_or_default();
            let seat = made.seat.map(|seat| session.header().names[usize::from(seat)].clone());
            let seat = serde_json::to_string(&seat).unwrap_or_default();
            text.push_str(&format!("{{\"n\":{},\"seat\":{seat},\"key\":{key},\"hash\":\"{hash:016x}\"}}\n", index + 1));
        }
        let saved = cardwright::play::Saved::parse(text.as_bytes()).map_err(|error| failed("save", error))?;
        match Session::replay(Arc::clone(&self.game), &saved) {
            Ok((again, problems)) if problems.is_empty() && again.hash() == session.hash() => Ok(()),
            Ok((_, problems)) => Err(failed("save", format!("another state: {}", problems.join("; ")))),
            Err(error) => Err(failed("save", error.to_string())),
        }
    }
}
