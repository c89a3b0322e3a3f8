//! What goes wrong in several random games, told once.

use crate::base::plural;
use std::collections::{BTreeMap, BTreeSet};

/// How an option that stops the game is told of: what stops it stands behind.
pub(super) const OFFERED: &str = "is offered but cannot be taken: ";

/// In how many games each thing went wrong, by what was said of it.
#[derive(Default)]
pub(super) struct Once(BTreeMap<String, usize>);

/// What went wrong, whenever and with whatever option it did.
fn cause(problem: &str) -> &str {
    let text = problem.split_once(": ").map_or(problem, |(_, text)| text);
    text.split_once(OFFERED).map_or(text, |(_, cause)| cause)
}

impl Once {
    /// Adds what went wrong in a game to what did in those before it.
    pub(super) fn add(&mut self, found: Vec<String>, problems: &mut Vec<String>) {
        let mut here = BTreeSet::new();
        for problem in found {
            let cause = cause(&problem).to_owned();
            if here.insert(cause.clone()) {
                let games = self.0.entry(cause).or_default();
                *games += 1;
                if *games == 1 {
                    problems.push(problem);
                }
            }
        }
    }

    /// Says of each in how many games it was found.
    pub(super) fn count(&self, problems: &mut [String]) {
        for problem in problems {
            let games = self.0.get(cause(problem)).copied().unwrap_or(1);
            if let (Some((place, text)), true) = (problem.split_once(": "), games > 1) {
                *problem = format!("{place}, and {} more: {text}", plural(games - 1, "game"));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cause_is_told_once_with_the_games_that_have_it() {
        let (mut once, mut told) = (Once::default(), Vec::new());
        for seed in 1..4 {
            let at = |text: &str| format!("2 players, seed {seed}, decision 5: {text}");
            let offered = |option: &str| at(&format!("`{option}` {OFFERED}error[L06] at a.rules:3:4"));
            once.add(vec![offered("a"), offered("b"), at("error[L06] at a.rules:3:4")], &mut told);
        }
        once.add(vec!["2 players, seed 4, decision 1: two options have one key: a, a".to_owned()], &mut told);
        once.count(&mut told);
        assert_eq!(
            told,
            [
                "2 players, seed 1, decision 5, and 2 games more: `a` is offered but cannot be taken: error[L06] at a.rules:3:4",
                "2 players, seed 4, decision 1: two options have one key: a, a"
            ]
        );
    }
}
