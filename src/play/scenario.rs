//! Running the scenarios of a package: positions are set up, decisions made by key, and expectations checked.

mod expected;

pub use expected::expected;

use super::error::PlayError;
use super::game::{Game, Options};
use super::keys::Vocabulary;
use super::perft::perft;
use super::position::{describe, describe_decision};
use super::progress::Progress;
use super::record::{Told, whole};
use super::session::{Session, Setup};
use crate::base::{Code, Span};
use crate::engine::{Change, Opening, Refusal, Seat, Status, Value};
use crate::model::rules::{ProcBody, ProcId, Ty};
use crate::model::scenario::{Scenario, ScenarioStep, ScenarioStepKind, titled};
use std::cell::OnceCell;
use std::collections::BTreeMap;
use std::sync::Arc;

/// The seed of a scenario that names none.
const SEED: u64 = 1;

/// What running one scenario gave.
#[derive(Clone, Debug)]
pub struct Verdict {
    /// Its title.
    pub title: String,
    /// The numbered rules it covers.
    pub covers: Vec<String>,
    /// The file it stands in, as its world shows it.
    pub file: String,
    /// `path:line:column` of the scenario.
    pub place: String,
    /// What failed, if something did.
    pub failure: Option<Failure>,
    /// The playthrough, if the scenario asks for a snapshot.
    pub playthrough: Option<String>,
}

/// Why a scenario failed.
#[derive(Clone, Debug)]
pub struct Failure {
    /// The code that `cardwright explain` knows.
    pub code: &'static str,
    /// `path:line:column` of the step.
    pub place: String,
    /// What was expected and what was found.
    pub message: String,
    /// What happened last, each with its content line.
    pub before: Vec<String>,
    /// The content line of the last thing that somebody did.
    pub cause: Option<String>,
    /// The position and the options there were.
    pub position: String,
}

impl Failure {
    /// The failure in words, over several lines.
    pub fn report(&self) -> String {
        let indented = |text: &str| text.lines().map(|line| format!("    {line}\n")).collect::<String>();
        let head = format!("  error[{}] at {}\n", self.code, self.place);
        let before = match self.before.as_slice() {
            [] => String::new(),
            lines => format!("    what happened last:\n{}", indented(&lines.join("\n")).replace("    ", "      ")),
        };
        format!("{head}{}{before}{}", indented(&self.message), indented(&self.position))
    }
}

/// Runs all scenarios of a package but those that are left out, loading it again for those that set other options.
///
/// # Errors
/// [`PlayError`] if the package cannot be loaded.
pub fn run_all(game: &Arc<Game>) -> Result<Vec<Verdict>, PlayError> {
    run_watched(game, |_| true, &Progress::default())
}

/// Runs the scenarios of a package whose titles are wanted, for somebody who watches how far it is and may stop it.
///
/// # Errors
/// As [`run_all`].
pub fn run_watched(
    game: &Arc<Game>,
    wanted: impl Fn(&str) -> bool,
    progress: &Progress,
) -> Result<Vec<Verdict>, PlayError> {
    let mut games: BTreeMap<Options, Arc<Game>> = BTreeMap::new();
    games.insert(game.options.clone(), Arc::clone(game));
    let mut verdicts = Vec::new();
    let chosen: Vec<&Scenario> =
        game.scenarios.iter().filter(|scenario| !scenario.left_out && wanted(&scenario.title)).collect();
    progress.expect(chosen.len() as u64);
    for scenario in chosen {
        if progress.stopped() {
            break;
        }
        let options = options_of(game, scenario);
        let loaded = match games.get(&options) {
            Some(loaded) => Arc::clone(loaded),
            None => {
                let loaded = Arc::new(Game::load(&game.package, &options, game.variant.as_deref())?);
                games.insert(options, Arc::clone(&loaded));
                loaded
            }
        };
        let missing = || PlayError::Finding(format!("there is no scenario \"{}\" with its options", scenario.title));
        verdicts.push(run(&loaded, scenario.found_in(&loaded.scenarios).ok_or_else(missing)?));
        progress.advance(1);
        progress.count(1);
    }
    Ok(verdicts)
}

/// The options of a scenario, with those of its game.
fn options_of(game: &Game, scenario: &Scenario) -> Options {
    let mut options = game.options.clone();
    options.extend(scenario.options.iter().cloned());
    options
}

/// How the scenario of a title is played on a version of its game, whatever it expects. None if the version has none that can
/// begin.
pub fn played(game: &Arc<Game>, title: &str) -> Option<Session> {
    let options = options_of(game, titled(&game.scenarios, title)?);
    let game = match options == game.options {
        true => Arc::clone(game),
        false => Arc::new(Game::load(&game.package, &options, game.variant.as_deref()).ok()?),
    };
    let scenario = titled(&game.scenarios, title)?;
    let session = begin(&game, scenario).ok()?;
    let mut runner = Runner { game: &game, session, snapshot: false, forced: None, vocabulary: OnceCell::new() };
    runner.steps(&scenario.steps, None);
    Some(runner.session)
}

/// Runs a scenario on a game that was loaded with the scenario's options.
pub fn run(game: &Arc<Game>, scenario: &Scenario) -> Verdict {
    let mut verdict = Verdict {
        title: scenario.title.clone(),
        covers: scenario.covers.clone(),
        file: game.sources.name(scenario.span.file).to_owned(),
        place: game.sources.locate(scenario.span),
        failure: None,
        playthrough: None,
    };
    match begin(game, scenario) {
        Ok(session) => {
            let mut runner = Runner { game, session, snapshot: false, forced: None, vocabulary: OnceCell::new() };
            verdict.failure = runner.steps(&scenario.steps, Some(scenario.span));
            verdict.playthrough = runner.snapshot.then(|| whole(&runner.session, Told::All));
        }
        Err(error) => {
            let (code, message) = (code_of(&error), error.to_string());
            let place = verdict.place.clone();
            let (before, cause, position) = (Vec::new(), None, String::new());
            verdict.failure = Some(Failure { code, place, message, before, cause, position });
        }
    }
    verdict
}

/// A session at the start of a scenario.
fn begin(game: &Arc<Game>, scenario: &Scenario) -> Result<Session, PlayError> {
    if !scenario.unfit.is_empty() {
        let (diagnostics, sources) = (scenario.unfit.clone(), Arc::clone(&game.sources));
        return Err(PlayError::Content { diagnostics, sources });
    }
    let players = usize::from(scenario.players.unwrap_or(game.rules.players.0));
    let setup = Setup { seed: scenario.seed.unwrap_or(SEED), seats: vec!["human".to_owned(); players] };
    let opening = Opening {
        given: scenario.given,
        mover: scenario.mover,
        keep_order: scenario.keep_order,
        chance: scenario.chance.clone(),
    };
    Session::for_scenario(Arc::clone(game), setup, &opening)
}

/// A session at the position that a scenario writes down: what it sets up, and what is played before its first
/// `expect`. The game was loaded with the scenario's options.
///
/// # Errors
/// [`PlayError`] if the position cannot be set up, or what is played is not legal.
pub fn position(game: &Arc<Game>, scenario: &Scenario) -> Result<Session, PlayError> {
    let session = begin(game, scenario)?;
    let mut runner = Runner { game, session, snapshot: false, forced: None, vocabulary: OnceCell::new() };
    let played = |step: &&ScenarioStep| {
        matches!(step.kind, ScenarioStepKind::Chance(_) | ScenarioStepKind::Play { .. } | ScenarioStepKind::Snapshot)
    };
    let steps: Vec<ScenarioStep> = scenario.steps.iter().take_while(played).cloned().collect();
    match runner.steps(&steps, None) {
        None => Ok(runner.session),
        Some(failure) => Err(PlayError::Finding(format!("{}\n{}", scenario.title, failure.report()))),
    }
}

struct Runner<'a> {
    game: &'a Game,
    session: Session,
    snapshot: bool,
    /// The last step that gave outcomes of chance.
    forced: Option<Span>,
    /// What keys are made of, once it was asked for.
    vocabulary: OnceCell<Vocabulary<'a>>,
}

/// What is wrong with a step.
struct Wrong {
    code: &'static str,
    message: String,
    /// The part of the step it is about.
    span: Option<Span>,
    /// Who sees what it is about.
    seen_by: Option<Seat>,
}

impl From<String> for Wrong {
    fn from(message: String) -> Wrong {
        Wrong { code: Code::ExpectFailed.text(), message, span: None, seen_by: None }
    }
}

impl From<&str> for Wrong {
    fn from(message: &str) -> Wrong {
        message.to_owned().into()
    }
}

impl From<PlayError> for Wrong {
    fn from(error: PlayError) -> Wrong {
        Wrong { code: code_of(&error), message: error.to_string(), span: None, seen_by: None }
    }
}

impl Wrong {
    fn coded(mut self, code: Code) -> Wrong {
        self.code = code.text();
        self
    }

    fn at(mut self, span: Span) -> Wrong {
        self.span = Some(span);
        self
    }
}

fn code_of(error: &PlayError) -> &'static str {
    match error {
        PlayError::Game { error, .. } => error.code,
        PlayError::Content { diagnostics, .. } => diagnostics.first().map_or("", |found| found.code.text()),
        _ => Code::IllegalKey.text(),
    }
}

impl Runner<'_> {
    /// Takes the steps. After an `expect` that failed the rest is played too, so that a snapshot shows what has become of
    /// the whole; the first failure counts. `scenario`: where it stands, if all chance that it gives must come up.
    fn steps(&mut self, steps: &[ScenarioStep], scenario: Option<Span>) -> Option<Failure> {
        let (mut first, mut whole) = (None, true);
        for step in steps {
            let Err(wrong) = self.step(step) else { continue };
            let goes_on = wrong.code == Code::ExpectFailed.text();
            if first.is_none() {
                first = Some(self.failure(wrong, step.span));
            }
            if !goes_on {
                whole = false;
                break;
            }
        }
        let unused = scenario.filter(|_| whole).and_then(|span| Some((self.unused()?, span)));
        match (&mut first, unused) {
            (Some(first), Some((unused, _))) => first.message.push_str(&format!("\nbesides, {}", unused.message)),
            (None, Some((unused, span))) => first = Some(self.failure(unused, self.forced.unwrap_or(span))),
            (_, None) => {}
        }
        first
    }

    fn failure(&mut self, wrong: Wrong, span: Span) -> Failure {
        let Wrong { code, message, span: part, seen_by } = wrong;
        let place = self.game.sources.locate(part.unwrap_or(span));
        let mut position = match seen_by {
            Some(seat) => {
                format!("as {} sees it:\n{}", self.game.seat_name(seat), describe(&self.session.view(Some(seat))))
            }
            None => describe(&self.session.view_all()),
        };
        // What others are asked is not seen.
        let decision = self.session.decision().filter(|decision| seen_by.is_none() || decision.seat == seen_by);
        if let Some(decision) = decision {
            let who = decision.seat.map_or("chance".to_owned(), |seat| self.game.seat_name(seat));
            position.push_str(&describe_decision(&decision, &who));
        }
        let (before, cause) = self.last_changes();
        Failure { code, place, message, before, cause, position }
    }

    /// What happened last, each with its content line, and the line of the very last.
    fn last_changes(&self) -> (Vec<String>, Option<String>) {
        const MOST: usize = 4;
        let changes = self.session.changes();
        let place = |change: &Change| change.causes.first().and_then(|link| self.game.locate(link.span));
        let told: Vec<&Change> =
            changes.iter().map(|(_, change)| change).filter(|change| !change.full.is_empty()).collect();
        let lines = told.iter().skip(told.len().saturating_sub(MOST)).map(|change| match place(change) {
            Some(place) => format!("{}  [{place}]", change.full),
            None => change.full.clone(),
        });
        // The course of the game alone is no cause: what somebody or some card did comes before it.
        let deep = changes.iter().rev().map(|(_, change)| change).find(|change| change.causes.len() > 1);
        let cause = deep.or_else(|| changes.last().map(|(_, change)| change)).and_then(place);
        (lines.collect(), cause)
    }

    /// What is wrong if outcomes of chance were given that have not come up.
    fn unused(&self) -> Option<Wrong> {
        let left = self.session.chance_left();
        let keys: Vec<String> = left.iter().map(|key| format!("`{key}`")).collect();
        let message = match keys.as_slice() {
            [] => return None,
            [one] => format!("{one} is given as an outcome of chance, but never comes up"),
            several => format!("{} are given as outcomes of chance, but never come up", several.join(", ")),
        };
        Some(Wrong::from(message).coded(Code::ForcedChance))
    }

    fn step(&mut self, step: &ScenarioStep) -> Result<(), Wrong> {
        match &step.kind {
            ScenarioStepKind::Chance(keys) => {
                if let Some(first) = self.session.chance_left().first() {
                    let message = format!("`{first}`, which an earlier `chance` gives, has not come up before this");
                    return Err(Wrong::from(message).coded(Code::ForcedChance));
                }
                self.session.force_chance(keys.clone());
                self.forced = Some(step.span);
                Ok(())
            }
            ScenarioStepKind::Play { by, keys } => self.play(*by, keys),
            ScenarioStepKind::Expect(condition) => self.expect(*condition, step.span),
            ScenarioStepKind::ExpectAsked { who, text } => self.asked(*who, text.as_deref()),
            ScenarioStepKind::ExpectLegal { not, keys, because } => self.legal(*not, keys, because.as_deref()),
            ScenarioStepKind::ExpectOptions(keys) => self.options(keys),
            ScenarioStepKind::ExpectSees { who, not, text } => self.sees(*who, *not, text),
            ScenarioStepKind::ExpectTurns { depth, count } => self.turns(*depth, *count),
            ScenarioStepKind::ExpectOver { winners } => self.over(*winners),
            ScenarioStepKind::Snapshot => {
                self.snapshot = true;
                Ok(())
            }
        }
    }

    fn play(&mut self, by: Option<ProcId>, keys: &[(String, Span)]) -> Result<(), Wrong> {
        for (key, span) in keys {
            self.play_one(by, key).map_err(|wrong| wrong.at(*span))?;
        }
        Ok(())
    }

    fn play_one(&mut self, by: Option<ProcId>, key: &str) -> Result<(), Wrong> {
        if self.session.status() == Status::Over {
            return Err(Wrong::from(format!("`{key}` cannot be played: the game is over")).coded(Code::GameOver));
        }
        let path = self.find(key);
        if let Some(by) = by {
            let by = self.seat(by)?;
            let first = path.as_ref().ok().and_then(|path| path.first());
            let plays = first.map_or_else(|| self.session.deciding(), |index| self.session.seat_of(*index));
            if plays != Some(by) {
                let (wanted, now) = (self.who(Some(by)), self.who(plays));
                let message = format!("{wanted} should play `{key}`, but {now} decides");
                return Err(Wrong::from(message).coded(Code::IllegalKey));
            }
        }
        for index in path? {
            self.session.choose(index)?;
        }
        Ok(())
    }

    /// The option of a key, or the steps of the whole turn that reads so; or the only option whose key or label holds
    /// these words.
    fn find(&mut self, key: &str) -> Result<Vec<usize>, Wrong> {
        let missing = match self.session.path_of(key) {
            Ok(path) => return Ok(path),
            Err(PlayError::Finding(missing)) => missing,
            Err(error) => return Err(error.into()),
        };
        let today = self.today(key);
        let index = self.described(&today).map_err(|message| message.unwrap_or(missing));
        index.map(|index| vec![index]).map_err(|message| Wrong::from(message).coded(Code::IllegalKey))
    }

    /// A key with the names that cards have today.
    fn today(&self, key: &str) -> String {
        self.session.game().renames.today(key).unwrap_or_else(|| key.to_owned())
    }

    /// The only option with these words; else what is wrong, if several have them.
    fn described(&mut self, key: &str) -> Result<usize, Option<String>> {
        let options = self.session.decision().map(|decision| decision.options).unwrap_or_default();
        let wanted = key.to_lowercase();
        let holds = |text: &str| has_words(&text.to_lowercase(), &wanted);
        let mut described = options.iter().enumerate().filter(|(_, option)| holds(&option.key) || holds(&option.label));
        match (described.next(), described.next()) {
            (Some((index, _)), None) => Ok(index),
            (Some((_, one)), Some((_, other))) => {
                Err(Some(format!("`{key}` could be `{}` or `{}`", one.key, other.key)))
            }
            (None, _) => Err(None),
        }
    }

    fn expect(&mut self, condition: ProcId, span: Span) -> Result<(), Wrong> {
        let value = self.eval(condition)?;
        if value.truth() {
            return Ok(());
        }
        let mut message = format!("this does not hold: `{}`", self.game.sources.slice(span).trim());
        for line in self.made_of(condition) {
            message.push('\n');
            message.push_str(&line);
        }
        Err(message.into())
    }

    fn asked(&mut self, who: ProcId, text: Option<&str>) -> Result<(), Wrong> {
        let who = self.seat(who)?;
        let decision = self.session.decision().ok_or("nobody is asked: the game is over")?;
        if decision.seat != Some(who) {
            return Err(Wrong::from(format!(
                "{} should be asked, but {} is",
                self.who(Some(who)),
                self.who(decision.seat)
            )));
        }
        match text {
            Some(text) if !decision.question().contains(text) => Err(Wrong::from(format!(
                "the question should have `{text}` in it, but it is `{}`",
                decision.question()
            ))),
            _ => Ok(()),
        }
    }

    fn legal(&mut self, not: bool, keys: &[(String, Span)], because: Option<&str>) -> Result<(), Wrong> {
        for (key, span) in keys {
            let wrong = |message: String| Wrong::from(message).at(*span);
            let refusal = match self.session.path_of(key) {
                Ok(_) => None,
                Err(PlayError::Finding(refusal)) => Some(refusal),
                Err(error) => return Err(error.into()),
            };
            match (not, refusal) {
                (true, None) => return Err(wrong(format!("`{key}` should not be legal, but it is"))),
                (false, Some(refusal)) => return Err(wrong(refusal)),
                (true, Some(_)) => {
                    let key = &self.today(key);
                    // What `play` would take is legal, if it is how an option ends: `A of spades` of `play A of spades`. Where
                    // turns have a notation, such a text is one of those.
                    let index = self.described(key).ok().filter(|_| !self.session.notates());
                    let taken = index.and_then(|index| self.keys().into_iter().nth(index));
                    if let Some(taken) = taken.filter(|taken| taken.to_lowercase().ends_with(&key.to_lowercase())) {
                        return Err(wrong(format!("`{key}` should not be legal, but `play` takes it for `{taken}`")));
                    }
                    if let Some(message) = self.vocabulary().refuse(key) {
                        return Err(wrong(message).coded(Code::NeverAKey));
                    }
                    self.refused(key, because).map_err(|wrong| wrong.at(*span))?;
                }
                (false, None) => {}
            }
        }
        Ok(())
    }

    fn vocabulary(&self) -> &Vocabulary<'_> {
        self.vocabulary.get_or_init(|| Vocabulary::of(self.game))
    }

    fn refused(&mut self, key: &str, because: Option<&str>) -> Result<(), Wrong> {
        let Some(because) = because else { return Ok(()) };
        if self.session.why_not(key).is_some_and(|refusal| refusal.reason.contains(because)) {
            return Ok(());
        }
        let mut refusals = self.session.refusals();
        // What is said of the action is said of all that it could be done with.
        let whole = |refusal: &Refusal| key.strip_prefix(&refusal.action).is_some_and(|rest| rest.starts_with(' '));
        if refusals.iter().any(|refusal| whole(refusal) && refusal.reason.contains(because)) {
            return Ok(());
        }
        let own = self.session.why_not(key).filter(|own| !refusals.contains(own));
        // A thing alone may be that of each action that could begin with it.
        let alone = if own.is_none() { self.session.left_out(key) } else { Vec::new() };
        if alone.iter().any(|refusal| refusal.reason.contains(because)) {
            return Ok(());
        }
        refusals.extend(own.into_iter().chain(alone));
        let reasons: Vec<String> = refusals.iter().map(|one| format!("{}: {}", one.action, one.reason)).collect();
        let given = if reasons.is_empty() { "none is given".to_owned() } else { reasons.join("; ") };
        Err(Wrong::from(format!("`{key}` should be refused because `{because}`, but the reasons are: {given}")))
    }

    fn options(&mut self, keys: &[(String, Span)]) -> Result<(), Wrong> {
        let wanted: Vec<&String> = keys.iter().map(|(key, _)| key).collect();
        let mut found = self.keys();
        // Where none of the keys is meant, whole turns are.
        if self.session.notates() && !wanted.iter().any(|key| found.contains(key)) {
            found = self.session.turns_from_here()?.into_iter().map(|turn| turn.text).collect();
        }
        let missing: Vec<String> =
            wanted.iter().filter(|key| !found.contains(key)).map(|key| format!("- {key}")).collect();
        let extra: Vec<String> =
            found.iter().filter(|key| !wanted.contains(key)).map(|key| format!("+ {key}")).collect();
        if missing.is_empty() && extra.is_empty() {
            return Ok(());
        }
        let lines: Vec<String> = missing.into_iter().chain(few(extra)).collect();
        Err(Wrong::from(format!("the options differ (- expected only, + found only):\n{}", lines.join("\n"))))
    }

    fn sees(&mut self, who: ProcId, not: bool, text: &str) -> Result<(), Wrong> {
        let seat = self.seat(who)?;
        let view = self.session.view(Some(seat));
        let shown = in_json(&view);
        let wanted = in_json(text);
        let reads = |change: &Change| {
            let line = change.text.get(usize::from(seat)).filter(|line| has_words(line, text))?;
            Some(format!("the log says `{line}`"))
        };
        // What moved was seen by those who read of it, and may be hidden again. What the content itself has said was not.
        let counts = |change: &Change| !not || change.said;
        let in_log =
            || self.session.changes().iter().filter(|(_, change)| counts(change)).find_map(|(_, change)| reads(change));
        let in_view = || {
            let described = describe(&view);
            let line = described.lines().find(|line| has_words(line, text))?;
            Some(format!("`{}`", line.trim()))
        };
        let in_data =
            || has_words(&shown, wanted.trim_matches('"')).then(|| "it is in what a program is given".to_owned());
        let message = match (in_log().or_else(in_view).or_else(in_data), not) {
            (Some(seen), true) => format!("{} should not see `{text}`, but does: {seen}", self.who(Some(seat))),
            (None, false) => format!("{} should see `{text}`, but does not", self.who(Some(seat))),
            (None, true) => return self.could_be_seen(text),
            (Some(_), false) => return Ok(()),
        };
        Err(Wrong { seen_by: Some(seat), ..Wrong::from(message) })
    }

    /// Words that nobody can ever see are not hidden from anybody.
    fn could_be_seen(&mut self, text: &str) -> Result<(), Wrong> {
        let all = self.session.view_all();
        let shown = has_words(&in_json(&all), text) || has_words(&describe(&all), text);
        if shown {
            return Ok(());
        }
        let words = self.vocabulary();
        if CHANGES.iter().any(|change| text.contains(change) && !words.in_content(change)) {
            let message = format!(
                "`sees no` asks for what is shown now and for what `note` has said, and `{text}` is a line of the log about a move or another change, so this cannot fail: name what shall not be seen, as in `sees no \"NAME\"`"
            );
            return Err(Wrong::from(message).coded(Code::NeverAKey));
        }
        if words.refuse(text).is_none() {
            return Ok(());
        }
        match text.split(' ').find(|word| word.chars().any(char::is_alphabetic) && !words.in_content(word)) {
            Some(word) => {
                let message = format!("nothing of this game has `{word}` in it, so that nobody sees it cannot fail");
                Err(Wrong::from(message).coded(Code::NeverAKey))
            }
            None => Ok(()),
        }
    }

    fn turns(&mut self, depth: i64, count: i64) -> Result<(), Wrong> {
        let depth = u32::try_from(depth).map_err(|_| "the number of turns is not possible")?;
        let counted = self.session.ahead(|game, machine, state| perft(game, machine, state, depth))?;
        if i128::from(counted.turns) == i128::from(count) {
            return Ok(());
        }
        Err(Wrong::from(format!("there should be {count} sequences of {depth} turns, but there are {}", counted.turns)))
    }

    fn over(&mut self, winners: Option<ProcId>) -> Result<(), Wrong> {
        let outcome = self.session.outcome().ok_or("the game should be over, but it is not")?;
        let Some(winners) = winners else { return Ok(()) };
        let value = self.eval(winners)?;
        let mut wanted = self.seats_of(winners, &value);
        let (mut found, lost) = (outcome.winners, outcome.lost);
        wanted.sort_unstable();
        found.sort_unstable();
        if wanted == found {
            return Ok(());
        }
        let names = |seats: &[Seat]| match seats {
            [] if lost => "nobody (all have lost)".to_owned(),
            [] => "nobody (a draw)".to_owned(),
            seats => seats.iter().map(|seat| self.game.seat_name(*seat)).collect::<Vec<_>>().join(", "),
        };
        Err(Wrong::from(format!("{} should have won, but it was {}", names(&wanted), names(&found))))
    }

    /// The keys of what the seat that decides may choose.
    fn keys(&mut self) -> Vec<String> {
        let seat = self.session.deciding();
        let decision = self.session.decision().and_then(|decision| decision.of(seat));
        let options = decision.map(|decision| decision.options).unwrap_or_default();
        options.into_iter().map(|option| option.key).collect()
    }

    fn who(&self, seat: Option<Seat>) -> String {
        seat.map_or("nobody".to_owned(), |seat| self.game.seat_name(seat))
    }

    fn eval(&mut self, proc: ProcId) -> Result<Value, Wrong> {
        let (machine, state) = self.session.parts();
        Ok(machine.eval(state, proc).map_err(|error| self.game.error(error))?)
    }

    /// The seats that a player expression gave: its word is a seat, or the mask of a set of them.
    fn seats_of(&self, proc: ProcId, value: &Value) -> Vec<Seat> {
        let body = self.game.rules.procs.get(proc.index()).map(|procedure| &procedure.body);
        let many = matches!(body, Some(ProcBody::Expr(expr)) if matches!(expr.ty, Ty::Set(_)));
        let word = value.word();
        let holds = |seat: Seat| if many { (word >> seat) & 1 == 1 } else { i64::from(seat) == word };
        (0..self.session.header().seats.len() as Seat).filter(|seat| holds(*seat)).collect()
    }

    fn seat(&mut self, proc: ProcId) -> Result<Seat, Wrong> {
        let value = self.eval(proc)?;
        self.seats_of(proc, &value).first().copied().ok_or_else(|| format!("`{value}` is not a player").into())
    }
}

/// Lines of a list that are shown: what follows is counted.
const LISTED: usize = 20;

fn few(mut lines: Vec<String>) -> Vec<String> {
    let more = lines.len().saturating_sub(LISTED);
    lines.truncate(LISTED);
    lines.extend((more > 0).then(|| format!("  and {more} more")));
    lines
}

/// Which numbered rules no scenario covers, and which ids scenarios name that the rulebook does not have.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Coverage {
    /// Rules in the rulebook.
    pub rules: usize,
    /// Id and text of each rule without a scenario.
    pub missing: Vec<(String, String)>,
    /// Ids that scenarios name but the rulebook does not have.
    pub unknown: Vec<String>,
}

/// Compares a package's rulebook with what its scenarios say they cover.
pub fn coverage(game: &Game) -> Coverage {
    let covered = |id: &String| game.scenarios.iter().any(|scenario| scenario.covers.contains(id));
    let known = |id: &String| game.rulebook.iter().any(|(rule, _)| rule == id);
    let missing = game.rulebook.iter().filter(|(id, _)| !covered(id)).cloned().collect();
    // The scenarios of an expansion may be about rules of the game, which the checker has looked up.
    let own = game.scenarios.iter().filter(|_| game.package.about_only().is_none());
    let mut unknown: Vec<String> = own.flat_map(|scenario| &scenario.covers).filter(|id| !known(id)).cloned().collect();
    unknown.sort();
    unknown.dedup();
    Coverage { rules: game.rulebook.len(), missing, unknown }
}

/// A value as programs are given it. The letter of an escaped line break belongs to no word.
fn in_json(value: &(impl serde::Serialize + ?Sized)) -> String {
    serde_json::to_string(value).unwrap_or_default().replace("\\n", "\\ ")
}

/// What lines of the log say of changes, wherever no content does.
const CHANGES: [&str; 6] = [" -> ", " appears", " is shown", " is shuffled", " becomes ", "a roll of "];

/// Whether a text has some words in it, from the beginning of one to the end of one.
fn has_words(text: &str, words: &str) -> bool {
    let inner = |char: Option<char>| char.is_some_and(char::is_alphanumeric);
    !words.is_empty()
        && text.match_indices(words).any(|(at, _)| {
            let (before, after) = (&text[..at], &text[at + words.len()..]);
            let begins = !inner(before.chars().next_back()) || !inner(words.chars().next());
            let ends = !inner(words.chars().next_back()) || !inner(after.chars().next());
            begins && ends
        })
}
