//! Every scenario of every shipped game, and the coverage of numbered rules.

use super::support::{game, games};
use cardwright::play::scenario::{coverage, run_all};
use cardwright::play::snapshot::{Compared, Snapshot, difference};
use std::path::Path;

#[test]
fn all_scenarios_pass() {
    let mut failures = Vec::new();
    for game in games() {
        for verdict in run_all(&game).unwrap() {
            if let Some(failure) = &verdict.failure {
                failures.push(format!("{}: {}\n{}", game.rules.name, verdict.title, failure.report()));
            } else if let Some(text) = &verdict.playthrough {
                let snapshot = Snapshot::of(Path::new(&verdict.file), &game.rules.name, &verdict.title);
                let old = match snapshot.compare(text).unwrap() {
                    Compared::Same => continue,
                    Compared::New => String::new(),
                    Compared::Changed { old } => old,
                };
                failures.push(format!("{}: {}\n{}", game.rules.name, verdict.title, difference(&old, text)));
            }
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

#[test]
fn every_numbered_rule_has_a_scenario() {
    for name in ["monster-muncher", "tic-tac-toe"] {
        let coverage = coverage(&game(name));
        assert!(coverage.rules > 5, "{name} has a rulebook");
        assert!(coverage.missing.is_empty() && coverage.unknown.is_empty(), "{name}: {coverage:?}");
    }
}
