//! Many whole games, uniformly random at each step: how fast they go, how long they are and who wins. Random play
//! picks uniformly among the options of each decision, which is not uniform over whole turns.

use super::bots::{Bot, Yardstick};
use super::error::PlayError;
use super::game::Game;
use super::position::{describe, describe_decision};
use super::progress::Progress;
use super::random::Dice;
use super::standings::{Spread, Standings};
use crate::engine::{Chance, GameError, Machine, Start, State, Status, Turn};
use cpu_time::ProcessTime;
use serde::Serialize;
use std::time::{Duration, Instant};

/// Most decisions of one game; more means that it does not end.
pub const MAX_DECISIONS: u64 = 1_000_000;

/// What is to be simulated.
#[derive(Clone, Debug)]
pub struct Plan {
    /// Players in each game.
    pub players: u8,
    /// Seed of the first game; each game adds one.
    pub seed: u64,
    /// Threads.
    pub threads: usize,
    /// How much.
    pub until: Until,
    /// Who plays, on all seats.
    pub bot: Bot,
}

/// When a simulation ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Until {
    /// After this time.
    Time(Duration),
    /// After this many games.
    Games(u64),
}

/// Counts over many games.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Games played.
    pub games: u64,
    /// Decisions in each of them.
    pub decisions: Spread,
    /// Turns in each of them: those in which somebody decides, as [`super::perft`] counts them.
    pub turns: Spread,
    /// Turns of the longest.
    pub longest: u32,
    /// How they ended.
    pub standings: Standings,
    /// The longest of the games that were cut off: the time was over, or they do not end.
    pub unfinished: Option<Unfinished>,
}

/// A game that was cut off. Its figures count nowhere.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Unfinished {
    /// Its seed in this run. Other commands play another game from it, since their bots draw anew at each decision.
    pub seed: u64,
    /// Decisions until then.
    pub decisions: u64,
    /// Whether they were more than any game should take.
    pub endless: bool,
    /// How the game stood, as one who sees all that all seats see reads it.
    pub position: String,
    /// The keys of the decisions that followed, as a sample.
    pub next: Vec<String>,
}

impl Unfinished {
    /// Where the game stood and how it went on, in words over several lines.
    pub fn report(&self) -> String {
        let Unfinished { seed, decisions, position, next, .. } = self;
        let next = next.join(", ");
        format!(
            "the game of seed {seed} has not ended after {decisions} decisions; it stood so:\n{position}and went on: {next}"
        )
    }
}

impl Tally {
    fn new(players: u8) -> Tally {
        Tally { standings: Standings::new(usize::from(players)), ..Tally::default() }
    }

    fn add(&mut self, other: &Tally) {
        self.games += other.games;
        self.decisions.add(&other.decisions);
        self.turns.add(&other.turns);
        self.longest = self.longest.max(other.longest);
        self.standings.add(&other.standings);
        let length = |unfinished: &Option<Unfinished>| unfinished.as_ref().map(|game| game.decisions);
        if length(&other.unfinished) > length(&self.unfinished) {
            self.unfinished.clone_from(&other.unfinished);
        }
    }
}

/// The figures of a benchmark, as `bench --json` prints them. Lists with one item for each seat are in the order of
/// `seats`.
#[derive(Clone, Debug, Serialize)]
pub struct Figures {
    /// Version of this object.
    pub version: u32,
    /// The names of the seats.
    pub seats: Vec<String>,
    /// Games played.
    pub games: u64,
    /// Whether it was stopped before its end.
    pub stopped: bool,
    /// The longest of the games that were cut off, if any was: the time was over, or it does not end.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unfinished: Option<Unfinished>,
    /// Whole games a second.
    pub games_per_second: f64,
    /// Decisions a second.
    pub decisions_per_second: f64,
    /// Time it took, in seconds.
    pub seconds: f64,
    /// Time of processors, all threads together, in seconds.
    pub cpu_seconds: f64,
    /// Decisions in a game.
    pub mean_decisions: f64,
    /// Their standard deviation.
    pub deviation_decisions: f64,
    /// Turns in a game in which somebody decides.
    pub mean_turns: f64,
    /// Their standard deviation.
    pub deviation_turns: f64,
    /// Turns of the longest game.
    pub longest: u32,
    /// Size of the state after the first half of a game, in bytes.
    pub state_bytes: usize,
    /// Time to copy such a state, in nanoseconds.
    pub clone_ns: f64,
    /// Games that a seat alone has won.
    pub wins: Vec<u64>,
    /// Games that it has won with others.
    pub shared: Vec<u64>,
    /// Games that several have won.
    pub shared_games: u64,
    /// Games nobody won.
    pub draws: u64,
    /// Mean score of each seat, where there are scores: the first number of each.
    pub mean_scores: Option<Vec<f64>>,
    /// The standard errors of these.
    pub score_errors: Option<Vec<f64>>,
    /// For each seat the games in which it came first, second and so on; those that are equal share a place.
    pub places: Vec<Vec<u64>>,
    /// For each seat and each other: the games in which the one came before the other.
    pub before: Vec<Vec<u64>>,
    /// Seed of the first game.
    pub seed: u64,
    /// Threads.
    pub threads: usize,
    /// Players in each game.
    pub players: u8,
    /// Who played, on all seats.
    pub bot: &'static str,
}

/// Plays games by a plan and measures them.
///
/// # Errors
/// [`PlayError`] if a game fails, or is not for so many players.
pub fn bench(game: &Game, plan: &Plan) -> Result<Figures, PlayError> {
    bench_watched(game, plan, &Progress::default())
}

/// [`bench()`], for somebody who watches how far it is and may stop it.
///
/// # Errors
/// As [`bench()`].
pub fn bench_watched(game: &Game, plan: &Plan, progress: &Progress) -> Result<Figures, PlayError> {
    let (started, cpu) = (Instant::now(), ProcessTime::now());
    let tally = simulate_watched(game, plan, progress)?;
    let seconds = started.elapsed().as_secs_f64().max(1e-9);
    let cpu_seconds = cpu.elapsed().as_secs_f64();
    let (state_bytes, clone_ns) = weigh(game, plan)?;
    let scores = tally.standings.scores();
    let standings = tally.standings;
    Ok(Figures {
        version: 1,
        seats: (0..plan.players).map(|seat| game.seat_name(seat)).collect(),
        games: tally.games,
        stopped: progress.stopped(),
        unfinished: tally.unfinished,
        games_per_second: tally.games as f64 / seconds,
        decisions_per_second: tally.decisions.sum() as f64 / seconds,
        seconds,
        cpu_seconds,
        mean_decisions: tally.decisions.mean(),
        deviation_decisions: tally.decisions.deviation(),
        mean_turns: tally.turns.mean(),
        deviation_turns: tally.turns.deviation(),
        longest: tally.longest,
        state_bytes,
        clone_ns,
        wins: standings.wins,
        shared: standings.shared,
        shared_games: standings.shared_games,
        draws: standings.draws,
        mean_scores: scores.as_ref().map(|scores| scores.iter().map(|(mean, _)| *mean).collect()),
        score_errors: scores.map(|scores| scores.into_iter().map(|(_, error)| error).collect()),
        places: standings.places,
        before: standings.before,
        seed: plan.seed,
        threads: plan.threads,
        players: plan.players,
        bot: plan.bot.word(),
    })
}

/// Plays games by a plan.
///
/// # Errors
/// [`PlayError`] if a game fails, or is not for so many players.
pub fn simulate(game: &Game, plan: &Plan) -> Result<Tally, PlayError> {
    simulate_watched(game, plan, &Progress::default())
}

/// [`simulate`], for somebody who watches how far it is and may stop it.
///
/// # Errors
/// As [`simulate`].
pub fn simulate_watched(game: &Game, plan: &Plan, progress: &Progress) -> Result<Tally, PlayError> {
    game.check_players(usize::from(plan.players))?;
    let threads = plan.threads.max(1) as u64;
    if let Until::Games(games) = plan.until {
        progress.expect(games);
    }
    let mut total = Tally::new(plan.players);
    let results: Vec<Result<Tally, PlayError>> = std::thread::scope(|scope| {
        let workers: Vec<_> =
            (0..threads).map(|worker| scope.spawn(move || work(game, plan, progress, worker, threads))).collect();
        let lost = || Err(PlayError::Finding("a simulation thread ended early".to_owned()));
        workers.into_iter().map(|worker| worker.join().unwrap_or_else(|_| lost())).collect()
    });
    for result in results {
        total.add(&result?);
    }
    Ok(total)
}

/// Short games between two looks at the clock and at who watches.
const LOOK_EVERY: u64 = 16;
/// Games that take longer are looked at one by one.
const LONG: Duration = Duration::from_millis(1);

fn work(game: &Game, plan: &Plan, progress: &Progress, worker: u64, threads: u64) -> Result<Tally, PlayError> {
    let mut machine = game.machine();
    let yardstick = Yardstick::new(game.manifest.bots.greedy.as_deref(), plan.players);
    let plain = machine.turns_are_plain();
    let mut tally = Tally::new(plan.players);
    let mut state = State::default();
    let started = Instant::now();
    let (mut looked, mut told, mut due) = (Duration::ZERO, 0, 1);
    let mut number = worker;
    loop {
        if tally.games >= due {
            let now = started.elapsed();
            progress.count(tally.games - told);
            progress.advance(tally.games - told);
            // Reading the clock takes longer than a short game.
            due = tally.games + if now - looked < LONG { LOOK_EVERY } else { 1 };
            (looked, told) = (now, tally.games);
            if progress.stopped() || matches!(plan.until, Until::Time(time) if now >= time) {
                return Ok(tally);
            }
        }
        if matches!(plan.until, Until::Games(games) if number >= games) {
            return Ok(tally);
        }
        let seed = seed_of(plan.seed, number);
        machine.play_out((plan.bot == Bot::Random).then_some(seed));
        let mut player = Player { bot: plan.bot, yardstick: &yardstick, dice: Dice::of(&[seed, 0x51]) };
        let start = Start { players: plan.players, seed, chance: Chance::Draw };
        let late =
            || progress.stopped() || matches!(plan.until, Until::Time(time) if started.elapsed() >= time + GRACE);
        let played = one_game(&mut machine, &mut state, &start, &mut player, plain, &mut tally, &late);
        let of_seed = |mut error: GameError| {
            error.message = format!("{}, in the game of seed {seed}", error.message);
            game.error(error)
        };
        if let Some(decisions) = played.map_err(of_seed)? {
            let endless = decisions >= MAX_DECISIONS;
            let cut = cut_off(game, &mut machine, &mut state, &mut player, (seed, decisions, endless))?;
            tally.add(&Tally { unfinished: Some(cut), ..Tally::new(plan.players) });
            return Ok(tally);
        }
        number += threads;
    }
}

/// How much longer than planned the last game may take: to leave out what is long would change the figures.
const GRACE: Duration = Duration::from_millis(300);

/// Decisions that are shown of a game that was cut off.
const SHOWN: usize = 12;

/// What is told of a game that was cut off: where it stands, and how it goes on.
fn cut_off(
    game: &Game,
    machine: &mut Machine,
    state: &mut State,
    player: &mut Player<'_>,
    (seed, decisions, endless): (u64, u64, bool),
) -> Result<Unfinished, PlayError> {
    let mut position = describe(&machine.view(state, None));
    if let Some(decision) = machine.decision(state) {
        let who = decision.seat.map_or("chance".to_owned(), |seat| game.seat_name(seat));
        position.push_str(&describe_decision(&decision, &who));
    }
    let mut next = Vec::new();
    while machine.status(state) == Status::Decide && next.len() < SHOWN {
        let index = player.choose(machine, state).map_err(|error| game.error(error))?;
        let key = machine.decision(state).and_then(|decision| Some(decision.options.get(index)?.key.clone()));
        next.push(key.unwrap_or_default());
        machine.choose(state, index).map_err(|error| game.error(error))?;
    }
    Ok(Unfinished { seed, decisions, endless, position, next })
}

struct Player<'a> {
    bot: Bot,
    yardstick: &'a Yardstick,
    dice: Dice,
}

impl Player<'_> {
    fn choose(&mut self, machine: &mut Machine, state: &State) -> Result<usize, GameError> {
        match self.bot {
            Bot::Random => Ok(self.dice.below(machine.own_count(state))),
            bot => bot.choose(machine, state, self.yardstick, &mut self.dice),
        }
    }
}

/// Decisions of one game between two looks at the clock.
const LATE_EVERY: u64 = 256;

/// Plays one game in the buffers of a state. Gives the decisions until it was cut off, if it was: as it is late, or goes on for
/// longer than any should.
fn one_game(
    machine: &mut Machine,
    state: &mut State,
    start: &Start,
    player: &mut Player<'_>,
    plain: bool,
    tally: &mut Tally,
    late: &dyn Fn() -> bool,
) -> Result<Option<u64>, GameError> {
    machine.start_in(state, start)?;
    let mut status = machine.status(state);
    let mut decisions = 0;
    let mut turns = Turns { plain, ..Turns::default() };
    while status == Status::Decide {
        let index = player.choose(machine, state)?;
        status = turns.choose(machine, state, index)?;
        decisions += 1;
        if decisions >= MAX_DECISIONS || decisions.is_multiple_of(LATE_EVERY) && late() {
            return Ok(Some(decisions));
        }
    }
    tally.games += 1;
    tally.decisions.push(decisions);
    tally.turns.push(u64::from(turns.count));
    tally.longest = tally.longest.max(turns.count);
    let scores = machine.full_scores(state);
    tally.standings.add_game(machine.winners(state).unwrap_or(0), scores.as_deref());
    Ok(None)
}

/// Counts the whole turns of a game in which somebody decides.
#[derive(Default)]
struct Turns {
    /// Whether the ends of turns say all, see [`Machine::turns_are_plain`]. To follow each decision takes longer.
    plain: bool,
    count: u32,
    /// How many turns had ended at the last decision.
    ended: Option<u32>,
    turn: Option<Turn>,
}

impl Turns {
    fn choose(&mut self, machine: &mut Machine, state: &mut State, index: usize) -> Result<Status, GameError> {
        if self.plain {
            let ended = Some(machine.turns(state));
            self.count += u32::from(ended != self.ended);
            self.ended = ended;
            return machine.choose(state, index);
        }
        self.count += u32::from(self.turn.is_none());
        let mut turn = self.turn.take().unwrap_or_else(Turn::silent);
        self.turn = (!machine.follow(state, index, &mut turn)?).then_some(turn);
        Ok(machine.status(state))
    }
}

/// How long a game is played to find out what its states weigh.
const WEIGHED: Duration = Duration::from_millis(300);

/// Size of a state in the middle of a game, and the time to copy it into one that is there already.
fn weigh(game: &Game, plan: &Plan) -> Result<(usize, f64), PlayError> {
    let mut machine = game.machine();
    let start = Start { players: plan.players, seed: plan.seed, chance: Chance::Draw };
    let mut dice = Dice::new(plan.seed);
    let mut state = game.start(&mut machine, &start)?;
    let mut states: Vec<State> = vec![state.clone()];
    let begun = Instant::now();
    while machine.status(&state) == Status::Decide && states.len() < 2000 && begun.elapsed() < WEIGHED {
        let index = dice.below(machine.own_count(&state));
        machine.choose(&mut state, index).map_err(|error| game.error(error))?;
        states.push(state.clone());
    }
    let middle = states.len() / 2;
    let state = states.into_iter().nth(middle).unwrap_or(state);
    let rounds = 20_000;
    let mut copy = state.clone();
    let started = Instant::now();
    for _ in 0..rounds {
        copy.clone_from(std::hint::black_box(&state));
        std::hint::black_box(&copy);
    }
    let clone_ns = started.elapsed().as_nanos() as f64 / f64::from(rounds);
    Ok((machine.state_bytes(&state), clone_ns))
}
/// The seed of a game of many. Those behind the first are mixed: what games of neighbouring seeds draw goes together, so that their
/// means would be more or less exact than as many independent games.
pub fn seed_of(first: u64, number: u64) -> u64 {
    if number == 0 { first } else { Dice::of(&[first, number]).number() }
}

#[cfg(test)]
mod tests {
    use super::seed_of;
    use crate::engine::{below, generator};

    /// Over 1,000 games the chi-square statistic of a draw with 16 outcomes is 15 with a variance of 30, for each place in a game.
    #[test]
    fn games_of_one_run_are_independent() {
        for place in 0..12 {
            let statistic = |first: u64| {
                let mut found = [0_f64; 16];
                for number in 0..1_000 {
                    let mut rng = generator(seed_of(first, number));
                    (0..place).for_each(|_| _ = below(&mut rng, 6));
                    found[below(&mut rng, 16) as usize] += 1.0;
                }
                found.iter().map(|count| (count - 62.5).powi(2) / 62.5).sum::<f64>()
            };
            let mean = (1..101).map(statistic).sum::<f64>() / 100.0;
            assert!((mean - 15.0).abs() < 2.0, "draw {place}: {mean}");
        }
    }
}
