//! What players ask with `why`: thirty questions over five games, six each, and what they are told.

use super::support::{game, golden, root};
use cardwright::play::{Bot, Session, Setup};
use std::sync::Arc;

/// Lines of an answer at the most.
const LONGEST: usize = 15;

/// A game of bots after so many decisions.
fn after(name: &str, (seats, bot, seed): (usize, Bot, u64), decisions: usize) -> Session {
    let setup = Setup { seed, seats: vec!["human".to_owned(); seats] };
    let mut session = Session::new(Arc::clone(&game(name)), setup, None).unwrap();
    for _ in 0..decisions {
        let index = bot.pick(&mut session).unwrap();
        session.choose(index).unwrap();
    }
    session
}

/// Asks questions as whoever decides, after so many decisions each. `<text>` stands for the last line of the log with this text.
fn asked(name: &str, players: (usize, Bot, u64), questions: &[(usize, &[&str])]) {
    let mut told = String::new();
    let content = format!("{}/", root().display());
    for (decisions, questions) in questions {
        let mut session = after(name, players, *decisions);
        let seat = session.deciding();
        told.push_str(&format!("# after {decisions} decisions, {}\n", session.game().seat_name(seat.unwrap())));
        for question in *questions {
            let line = question.strip_prefix('<').and_then(|text| text.strip_suffix('>'));
            let number = line.map(|text| {
                let lines = 1..=session.changes().len();
                let has =
                    |number: &usize| session.why_line(seat, *number).first().is_some_and(|line| line.contains(text));
                lines.rev().find(has).unwrap_or_else(|| panic!("no line of the log has `{text}`")).to_string()
            });
            let answer = session.explain(seat, true, number.as_deref().unwrap_or(question));
            let lines = answer.unwrap_or_else(|error| vec![error.to_string()]);
            assert!(lines.len() <= LONGEST, "{question}: {lines:#?}");
            told.push_str(&format!("\nwhy {question}\n"));
            told.extend(lines.iter().map(|line| format!("  {}\n", line.replace(&content, ""))));
        }
        told.push('\n');
    }
    golden("why", name, &told);
}

#[test]
fn of_monster_muncher() {
    let questions: [(usize, &[&str]); 3] = [
        (0, &["play snack"]),
        (23, &["not play monster Cave-In King", "greens of Avalanche Aunt", "<greens: 1 -> 2>"]),
        (31, &["", "<cannot debuff Statue>"]),
    ];
    asked("monster-muncher", (2, Bot::Greedy, 3), &questions);
}

#[test]
fn of_star_munchkin() {
    let questions: [(usize, &[&str]); 2] =
        [(12, &["strength of red", "become", "Red Shirt", "Tax Asteroid", "green"]), (90, &["<red level: 2 -> 1>"])];
    asked("star-munchkin", (3, Bot::Greedy, 2), &questions);
}

#[test]
fn of_munch() {
    let questions: [(usize, &[&str]); 2] =
        [(21, &["", "c5", "b6"]), (45, &["prowl", "score of yellow", "<k 1: a6 ->>"])];
    asked("munch", (2, Bot::Random, 2), &questions);
}

#[test]
fn of_monster_factory() {
    let questions: [(usize, &[&str]); 2] =
        [(15, &["", "0,0", "0,1", "2,0"]), (18, &["<1's hand -> 2,0>", "score of 1"])];
    asked("monster-factory", (2, Bot::Random, 2), &questions);
}

#[test]
fn of_scrunch() {
    let questions: [(usize, &[&str]); 2] = [(20, &["lay 0,0", "starve", "0,0", "1,2"]), (21, &["", "-3,2"])];
    asked("scrunch", (2, Bot::Random, 2), &questions);
}
