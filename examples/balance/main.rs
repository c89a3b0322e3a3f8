//! Measures how balanced a game is: many games of greedy bots for each number of players, as a table in Markdown.
//!
//! `cargo run --release --example balance -- monster-muncher 1000` plays a thousand games for each number of players.

use cardwright::engine::{Chance, DecisionKind, Machine, Start, Status};
use cardwright::play::{Bot, Dice, Game, Library, Options, PlayError, Yardstick};
use std::collections::BTreeMap;
use std::process::ExitCode;
use std::sync::Arc;

/// Games after which one that goes on is given up.
const LONGEST: usize = 100_000;

/// What one game gave.
struct Told {
    /// How many seats after the first player the winner sits; none if several or nobody won.
    winner: Option<usize>,
    turns: u32,
    decisions: usize,
}

fn main() -> ExitCode {
    let mut args = std::env::args().skip(1);
    let name = args.next().unwrap_or_else(|| "monster-muncher".to_owned());
    let games = args.next().and_then(|text| text.parse().ok()).unwrap_or(200);
    match measure(&name, games) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprint!("{}", error.report(false));
            ExitCode::from(error.exit_code())
        }
    }
}

fn measure(name: &str, games: u64) -> Result<(), PlayError> {
    let package = Library::new(None).find(name)?;
    let game = Arc::new(Game::load(&package, &Options::new(), None)?);
    let mut taken: BTreeMap<String, u64> = BTreeMap::new();
    println!("| players | games | turns: mean, median, longest | decisions | won by the first, second ... player |");
    println!("|---|---|---|---|---|");
    for players in game.rules.players.0..=game.rules.players.1 {
        let mut told = Vec::new();
        for seed in 1..=games {
            told.push(play(&game, players, seed, &mut taken)?);
        }
        println!("{}", row(players, &told));
    }
    // By the first word of the action: `play`, `discard`.
    let mut words: BTreeMap<String, Vec<(u64, String)>> = BTreeMap::new();
    for (key, count) in taken {
        let word = key.split(' ').next().unwrap_or_default().to_owned();
        words.entry(word).or_default().push((count, key));
    }
    for (word, mut keys) in words {
        keys.sort();
        let list = |keys: &[(u64, String)]| {
            keys.iter().map(|(count, key)| format!("{key} ({count})")).collect::<Vec<_>>().join(", ")
        };
        let rare = list(keys.get(..5).unwrap_or(&keys));
        let common = list(keys.get(keys.len().saturating_sub(5)..).unwrap_or(&keys));
        println!("\n`{word}`: {} in all; least {rare}; most {common}.", keys.len());
    }
    Ok(())
}

fn row(players: u8, told: &[Told]) -> String {
    let count = told.len().max(1) as f64;
    let mut turns: Vec<u32> = told.iter().map(|one| one.turns).collect();
    turns.sort_unstable();
    let mean = turns.iter().map(|turns| f64::from(*turns)).sum::<f64>() / count;
    let decisions = told.iter().map(|one| one.decisions).sum::<usize>() as f64 / count;
    let median = turns.get(turns.len() / 2).copied().unwrap_or(0);
    let longest = turns.last().copied().unwrap_or(0);
    let mut shares = Vec::new();
    for position in 0..usize::from(players) {
        let share = told.iter().filter(|one| one.winner == Some(position)).count() as f64 / count;
        // Half the width of the 95 % interval, by the normal approximation.
        let margin = 1.96 * (share * (1.0 - share) / count).sqrt();
        shares.push(format!("{:.0} ± {:.0} %", share * 100.0, margin * 100.0));
    }
    let shares = shares.join(", ");
    format!("| {players} | {} | {mean:.1}, {median}, {longest} | {decisions:.0} | {shares} |", told.len())
}

fn play(game: &Arc<Game>, players: u8, seed: u64, taken: &mut BTreeMap<String, u64>) -> Result<Told, PlayError> {
    let mut machine: Machine = game.machine();
    let yardstick = Yardstick::new(game.manifest.bots.greedy.as_deref(), players);
    let mut dice = Dice::of(&[seed, 0x51]);
    let mut state = game.start(&mut machine, &Start { players, seed, chance: Chance::Draw })?;
    let mut first = None;
    let mut decisions = 0;
    while machine.status(&state) == Status::Decide && decisions < LONGEST {
        first = first.or_else(|| machine.view(&state, None).mover);
        let index =
            Bot::Greedy.choose(&mut machine, &state, &yardstick, &mut dice).map_err(|error| game.error(error))?;
        let decision = machine.decision(&state);
        let action = decision.as_ref().filter(|decision| decision.kind == DecisionKind::Action);
        if let Some(option) = action.and_then(|decision| decision.options.get(index)) {
            let key = option.key.split(" #").next().unwrap_or_default();
            *taken.entry(key.to_owned()).or_default() += 1;
        }
        machine.choose(&mut state, index).map_err(|error| game.error(error))?;
        decisions += 1;
    }
    let winners = machine.outcome(&state).map(|outcome| outcome.winners).unwrap_or_default();
    let winner = match winners.as_slice() {
        [one] => {
            let behind = i16::from(*one) - i16::from(first.unwrap_or(0));
            usize::try_from(behind.rem_euclid(i16::from(players))).ok()
        }
        _ => None,
    };
    Ok(Told { winner, turns: machine.turns(&state), decisions })
}
