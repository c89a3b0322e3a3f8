//! Programs that choose. A bot sees what its seat sees: where it looks ahead, it does so on states drawn anew from
//! all that look the same to its seat, never on the real one.

use super::error::PlayError;
use super::random::Dice;
use super::session::Session;
use crate::engine::{Machine, Seat, State, Status};

/// How many options a greedy bot looks at; of more it takes a sample.
const WIDEST: usize = 24;
/// How many of its own further choices in the same turn a greedy bot plays forward.
const LONGEST: usize = 8;
/// How many hidden states a greedy bot looks at.
const SAMPLES: usize = 2;
/// Worth of a win beside any score.
const WIN: f64 = 1.0e6;
/// How much better it must look to do something in a window than to pass.
const PATIENCE: f64 = 1.0e-3;
/// What each further step costs, so that of two ways to the same end the shorter is taken.
const STEP: f64 = 1.0e-4;

/// A kind of bot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bot {
    /// Picks uniformly among the options of each decision.
    Random,
    /// Picks what looks best at the end of its own turn.
    Greedy,
}

impl Bot {
    /// All bots.
    pub const ALL: [Bot; 2] = [Bot::Random, Bot::Greedy];

    /// Reads a bot's name.
    pub fn parse(word: &str) -> Option<Bot> {
        Bot::ALL.into_iter().find(|bot| bot.word() == word)
    }

    /// The bot's name.
    pub fn word(self) -> &'static str {
        match self {
            Bot::Random => "random",
            Bot::Greedy => "greedy",
        }
    }

    /// Picks an option of the decision a session waits for. The same session, seed and decision give the same pick.
    ///
    /// # Errors
    /// [`PlayError`] if the content fails while the bot looks ahead.
    pub fn pick(self, session: &mut Session) -> Result<usize, PlayError> {
        let seat = session.deciding().unwrap_or_default();
        let parts = [session.header().seed, session.decisions().len() as u64, u64::from(seat), 0x00B0_7B07];
        let game = session.game();
        let yardstick = Yardstick::new(game.manifest.bots.greedy.as_deref(), session.header().seats.len() as u8);
        session.ahead(|game, machine, state| {
            let picked = self.choose(machine, state, &yardstick, &mut Dice::of(&parts));
            picked.map_err(|error| game.error(error))
        })
    }

    /// Picks an option of the decision a state waits for.
    ///
    /// # Errors
    /// The engine's error, if the content fails while the bot looks ahead.
    pub fn choose(
        self,
        machine: &mut Machine,
        state: &State,
        yardstick: &Yardstick,
        dice: &mut Dice,
    ) -> Result<usize, crate::engine::GameError> {
        let count = machine.own_count(state);
        if count < 2 {
            return Ok(0);
        }
        match (self, machine.seat(state)) {
            (Bot::Greedy, Some(seat)) => Greedy { machine, seat, yardstick, dice }.choose(state, count),
            _ => Ok(dice.below(count)),
        }
    }
}

/// How a greedy bot tells better from worse: the game's score, or a property of players.
#[derive(Clone, Debug)]
pub struct Yardstick {
    property: Option<String>,
    seats: Seat,
}

impl Yardstick {
    /// Looks at a property of players, where one is named; else at the game's score.
    pub fn new(property: Option<&str>, seats: u8) -> Yardstick {
        Yardstick { property: property.map(str::to_owned), seats }
    }

    fn measure(&self, machine: &mut Machine, state: &State) -> Vec<f64> {
        if let Some(property) = &self.property {
            let mut number = |seat: Seat| machine.player_number(state, seat, property).unwrap_or(0) as f64;
            return (0..self.seats).map(&mut number).collect();
        }
        machine.scores(state).unwrap_or_default().into_iter().map(|score| score as f64).collect()
    }

    fn value(&self, machine: &mut Machine, state: &State, seat: Seat) -> f64 {
        if let Some(winners) = machine.winners(state) {
            let shared = f64::from(winners.count_ones());
            return match (winners == 0, (winners >> seat) & 1 == 1) {
                (true, _) => 0.0,
                (_, true) => WIN / shared,
                (_, false) => -WIN,
            };
        }
        let scores = self.measure(machine, state);
        let mine = scores.get(usize::from(seat)).copied().unwrap_or(0.0);
        let others = scores.iter().enumerate().filter(|(other, _)| *other != usize::from(seat));
        let (sum, best) = others.fold((0.0, 0.0_f64), |(sum, best), (_, score)| (sum + score, best.max(*score)));
        // Being ahead of the best opponent counts most; the others break ties.
        mine - 0.5 * best - 0.1 * sum
    }
}

struct Greedy<'a> {
    machine: &'a mut Machine,
    seat: Seat,
    yardstick: &'a Yardstick,
    dice: &'a mut Dice,
}

impl Greedy<'_> {
    fn choose(&mut self, state: &State, count: usize) -> Result<usize, crate::engine::GameError> {
        let options = self.sample(state, count);
        let mut values = vec![0.0; options.len()];
        for _ in 0..SAMPLES {
            let guess = self.machine.resample(state, self.seat, self.dice.number());
            if self.machine.own_count(&guess) != count {
                continue;
            }
            for (value, option) in values.iter_mut().zip(&options) {
                *value += self.look(&guess, *option, LONGEST, self.seat)?;
            }
        }
        Ok(self.best(&options, &values))
    }

    /// The best of the options; ties are drawn.
    fn best(&mut self, options: &[usize], values: &[f64]) -> usize {
        let mut best = (0, f64::NEG_INFINITY);
        let mut ties = 0;
        for (option, value) in options.iter().zip(values) {
            if *value > best.1 {
                best = (*option, *value);
                ties = 1;
            } else if *value == best.1 {
                ties += 1;
                if self.dice.below(ties) == 0 {
                    best.0 = *option;
                }
            }
        }
        best.0
    }

    /// The value for a seat of taking an option and then going on greedily to the end of its turn. Offers are answered
    /// as suits whoever answers.
    fn look(
        &mut self,
        state: &State,
        option: usize,
        further: usize,
        seat: Seat,
    ) -> Result<f64, crate::engine::GameError> {
        let turn = self.machine.turns(state);
        let passes = self.machine.responds(state) && option + 1 == self.machine.own_count(state);
        let mut state = state.clone();
        let mut status = self.machine.choose(&mut state, option)?;
        let mut steps = 0.0;
        for _ in 0..further {
            let Some(next) = self.machine.seat(&state).filter(|_| status == Status::Decide) else { break };
            let secret = next != seat && self.machine.secret(&state);
            if next != seat && !secret && !self.machine.answers(&state) || self.machine.turns(&state) != turn {
                break;
            }
            // What others choose at the same time may be anything.
            let option =
                if secret { self.dice.below(self.machine.own_count(&state)) } else { self.step(&state, next)? };
            status = self.machine.choose(&mut state, option)?;
            steps += STEP;
        }
        let value = self.yardstick.value(self.machine, &state, seat) - steps;
        Ok(if passes { value + PATIENCE } else { value })
    }

    /// The option after which things look best for a seat at once.
    fn step(&mut self, state: &State, seat: Seat) -> Result<usize, crate::engine::GameError> {
        let count = self.machine.own_count(state);
        if count < 2 {
            return Ok(0);
        }
        let options = self.sample(state, count);
        let mut values = Vec::with_capacity(options.len());
        for option in &options {
            values.push(self.look(state, *option, 0, seat)?);
        }
        Ok(self.best(&options, &values))
    }

    /// What is looked at: some of the options, and none of those that a window lists `aside`. Showing a card changes no
    /// score, but it would be taken to put off what comes next.
    fn sample(&mut self, state: &State, count: usize) -> Vec<usize> {
        let mut options: Vec<usize> = (0..count).filter(|index| !self.machine.aside(state, *index)).collect();
        let count = options.len();
        if count > WIDEST {
            for at in 0..WIDEST {
                let other = at + self.dice.below(count - at);
                options.swap(at, other);
            }
            options.truncate(WIDEST);
        }
        options
    }
}
