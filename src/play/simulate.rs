//! Many whole games, uniformly random at each step: how fast they go, how long they are and who wins. Random play
//! picks uniformly among the options of each decision, which is not uniform over whole turns.

use super::bots::{Bot, Yardstick};
use super::error::PlayError;
use super::game::Game;
use super::random::Dice;
use crate::base::Code;
use crate::engine::{Chance, GameError, Machine, Start, State, Status};
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
    /// Decisions in all of them.
    pub decisions: u64,
    /// Turns in all of them.
    pub turns: u64,
    /// Turns of the longest.
    pub longest: u32,
    /// Games won, by seat; a shared win counts for each winner.
    pub wins: Vec<u64>,
    /// Games nobody won.
    pub draws: u64,
}

impl Tally {
    fn add(&mut self, other: &Tally) {
        self.games += other.games;
        self.decisions += other.decisions;
        self.turns += other.turns;
        self.longest = self.longest.max(other.longest);
        self.wins.resize(self.wins.len().max(other.wins.len()), 0);
        for (mine, theirs) in self.wins.iter_mut().zip(&other.wins) {
            *mine += theirs;
        }
        self.draws += other.draws;
    }
}

/// The figures of a benchmark, as `bench --json` prints them.
#[derive(Clone, Debug, Serialize)]
pub struct Figures {
    /// Whole games a second.
    pub games_per_second: f64,
    /// Decisions a second.
    pub decisions_per_second: f64,
    /// Decisions in a game.
    pub mean_decisions: f64,
    /// Turns in a game.
    pub mean_turns: f64,
    /// Size of the state after the first half of a game, in bytes.
    pub state_bytes: usize,
    /// Time to copy such a state, in nanoseconds.
    pub clone_ns: f64,
    /// Games won, by seat.
    pub wins: Vec<u64>,
    /// Games nobody won.
    pub draws: u64,
    /// Games played.
    pub games: u64,
    /// Turns of the longest game.
    pub longest: u32,
    /// Seed of the first game.
    pub seed: u64,
    /// Threads.
    pub threads: usize,
    /// Players in each game.
    pub players: u8,
}

/// Plays games by a plan and measures them.
///
/// # Errors
/// [`PlayError`] if a game fails, does not end, or is not for so many players.
pub fn bench(game: &Game, plan: &Plan) -> Result<Figures, PlayError> {
    let started = Instant::now();
    let tally = simulate(game, plan)?;
    let seconds = started.elapsed().as_secs_f64().max(1e-9);
    let games = tally.games.max(1) as f64;
    let (state_bytes, clone_ns) = weigh(game, plan)?;
    Ok(Figures {
        games_per_second: tally.games as f64 / seconds,
        decisions_per_second: tally.decisions as f64 / seconds,
        mean_decisions: tally.decisions as f64 / games,
        mean_turns: tally.turns as f64 / games,
        state_bytes,
        clone_ns,
        wins: tally.wins,
        draws: tally.draws,
        games: tally.games,
        longest: tally.longest,
        seed: plan.seed,
        threads: plan.threads,
        players: plan.players,
    })
}

/// Plays games by a plan.
///
/// # Errors
/// [`PlayError`] if a game fails, does not end, or is not for so many players.
pub fn simulate(game: &Game, plan: &Plan) -> Result<Tally, PlayError> {
    game.check_players(usize::from(plan.players))?;
    let threads = plan.threads.max(1) as u64;
    let mut total = Tally { wins: vec![0; usize::from(plan.players)], ..Tally::default() };
    let results: Vec<Result<Tally, PlayError>> = std::thread::scope(|scope| {
        let workers: Vec<_> =
            (0..threads).map(|worker| scope.spawn(move || work(game, plan, worker, threads))).collect();
        let lost = || Err(PlayError::Finding("a simulation thread ended early".to_owned()));
        workers.into_iter().map(|worker| worker.join().unwrap_or_else(|_| lost())).collect()
    });
    for result in results {
        total.add(&result?);
    }
    Ok(total)
}

fn work(game: &Game, plan: &Plan, worker: u64, threads: u64) -> Result<Tally, PlayError> {
    let mut machine = game.machine();
    let yardstick = Yardstick::new(game.manifest.bots.greedy.as_deref(), plan.players);
    let mut tally = Tally { wins: vec![0; usize::from(plan.players)], ..Tally::default() };
    let mut state = State::default();
    let started = Instant::now();
    let mut number = worker;
    loop {
        let finished = match plan.until {
            Until::Games(games) => number >= games,
            // Reading the clock takes longer than a short game.
            Until::Time(time) => tally.games.is_multiple_of(16) && tally.games > 0 && started.elapsed() >= time,
        };
        if finished {
            return Ok(tally);
        }
        let seed = plan.seed.wrapping_add(number);
        let mut player = Player { bot: plan.bot, yardstick: &yardstick, dice: Dice::of(&[seed, 0x51]) };
        let start = Start { players: plan.players, seed, chance: Chance::Draw };
        one_game(&mut machine, &mut state, &start, &mut player, &mut tally).map_err(|stop| match stop {
            Stop::Error(error) => game.error(error),
            Stop::Endless => PlayError::Limit(
                Code::BudgetSpent,
                format!("the game of seed {seed} has not ended after {MAX_DECISIONS} decisions"),
            ),
        })?;
        number += threads;
    }
}

struct Player<'a> {
    bot: Bot,
    yardstick: &'a Yardstick,
    dice: Dice,
}

enum Stop {
    Error(GameError),
    Endless,
}

impl From<GameError> for Stop {
    fn from(error: GameError) -> Stop {
        Stop::Error(error)
    }
}

/// Plays one game in the buffers of a state.
fn one_game(
    machine: &mut Machine,
    state: &mut State,
    start: &Start,
    player: &mut Player<'_>,
    tally: &mut Tally,
) -> Result<(), Stop> {
    machine.start_in(state, start)?;
    let mut status = machine.status(state);
    let mut decisions = 0;
    let mut turn = 0;
    while status == Status::Decide {
        let index = match player.bot {
            Bot::Random => player.dice.below(machine.own_count(state)),
            bot => bot.choose(machine, state, player.yardstick, &mut player.dice)?,
        };
        turn = machine.turns(state);
        status = machine.choose(state, index)?;
        decisions += 1;
        if decisions >= MAX_DECISIONS {
            return Err(Stop::Endless);
        }
    }
    tally.games += 1;
    tally.decisions += decisions;
    // The turn in which the game ends is a turn.
    let turns = machine.turns(state).max(turn + 1);
    tally.turns += u64::from(turns);
    tally.longest = tally.longest.max(turns);
    let winners = machine.winners(state).unwrap_or(0);
    tally.draws += u64::from(winners == 0);
    for (seat, wins) in tally.wins.iter_mut().enumerate() {
        *wins += (winners >> seat) & 1;
    }
    Ok(())
}

/// Size of a state in the middle of a game, and the time to copy it into one that is there already.
fn weigh(game: &Game, plan: &Plan) -> Result<(usize, f64), PlayError> {
    let mut machine = game.machine();
    let start = Start { players: plan.players, seed: plan.seed, chance: Chance::Draw };
    let mut dice = Dice::new(plan.seed);
    let mut state = game.start(&mut machine, &start)?;
    let mut states: Vec<State> = vec![state.clone()];
    while machine.status(&state) == Status::Decide && states.len() < 2000 {
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
