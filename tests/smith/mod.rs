//! The smith of games: random packages, played by the engine and compared with the reference evaluator, and played again
//! in other words. What differs is made smaller and written down.
//!
//! `SMITH_GAMES` says how many games, `SMITH_SEED` the seed of the first, `SMITH_SECONDS` after how long it stops. Game N of
//! a run is the only one of seed N.

mod bodies;
mod calls;
mod choices;
mod clauses;
mod conditions;
mod forms;
mod items;
mod members;
mod play;
mod reword;
mod schemes;
mod shrink;
mod stmts;
mod terms;
mod tree;
mod twins;
mod types;

use cardwright::core::Pass;
use cardwright::play::Dice;
use play::{Depth, Failure, Verdict, verdict};
use reword::{Way, ways};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use tree::Node;

/// So many ways of saying a game otherwise are tried.
const REWORDED: usize = 4;
/// How long one package is made smaller.
const SHRINKING: Duration = Duration::from_secs(60);
/// So many packages have every form of the language among them.
const MADE: u64 = 1_200;
/// After so many findings a run ends.
const ENOUGH: usize = 5;

/// What was found of a package, and in which other words it was played.
#[derive(Clone, Debug)]
struct Finding {
    seed: u64,
    way: Option<Way>,
    failure: Failure,
}

/// What came of a run.
#[derive(Debug, Default)]
struct Tally {
    games: u64,
    fine: u64,
    reworded: u64,
    refused: BTreeMap<String, Vec<u64>>,
    limits: BTreeMap<String, u64>,
    forms: BTreeSet<String>,
}

fn number(name: &str) -> Option<u64> {
    std::env::var(name).ok().and_then(|text| text.parse().ok())
}

/// Makes the package of a seed, plays it, and plays it in other words.
fn smithed(seed: u64, tally: &mut Tally) -> Option<Finding> {
    let package = items::package(seed);
    tally.games += 1;
    let told = match verdict(&package.text(), &Pass::ALL, seed, Depth::Compared, &mut tally.forms) {
        Verdict::Fine(told) => told,
        Verdict::Failed(failure) => return Some(Finding { seed, way: None, failure }),
        Verdict::Limit(code) => {
            *tally.limits.entry(code).or_default() += 1;
            return None;
        }
        // What the smith writes can always be read.
        Verdict::Refused(codes, text) if codes.iter().any(|code| code.starts_with("E000")) => {
            let failure = Failure { kind: format!("refused {codes:?}"), text };
            return Some(Finding { seed, way: None, failure });
        }
        Verdict::Refused(codes, _) => {
            for code in codes {
                tally.refused.entry(code).or_default().push(seed);
            }
            return None;
        }
    };
    tally.fine += 1;
    let (mut dice, ways) = (Dice::of(&[seed, 0x4E]), ways());
    for _ in 0..REWORDED {
        let way = ways[dice.below(ways.len())];
        let Some(other) = reword::reworded(&package, way, seed, 50) else { continue };
        tally.reworded += 1;
        if let Some(failure) = differs(&told, &other, way, seed) {
            return Some(Finding { seed, way: Some(way), failure });
        }
    }
    None
}

/// How a package that was said otherwise is played otherwise.
fn differs(told: &[String], other: &Node, way: Way, seed: u64) -> Option<Failure> {
    let failure = |what: &str, text: String| Some(Failure { kind: format!("{way:?}: {what}"), text });
    match verdict(&other.text(), &way.passes(), seed, Depth::Played, &mut BTreeSet::new()) {
        Verdict::Limit(_) => None,
        Verdict::Failed(found) => failure(&found.kind, found.text),
        // What a condition asks about is not seen where it is a definition.
        Verdict::Refused(codes, _) if way == Way::Define && codes.iter().all(|code| *code == "E0114") => None,
        Verdict::Refused(codes, text) => failure(&format!("refused {codes:?}"), text),
        Verdict::Fine(again) => {
            let again: Vec<String> = again.iter().map(|line| reword::unrenamed(line)).collect();
            let at = told.iter().zip(&again).position(|(one, other)| one != other);
            if at.is_none() && told.len() == again.len() {
                return None;
            }
            let at = at.unwrap_or(told.len().min(again.len()));
            failure("another playthrough", apart(told.get(at), again.get(at)))
        }
    }
}

/// Two lines where they differ.
fn apart(one: Option<&String>, other: Option<&String>) -> String {
    let (one, other) = (one.map_or("", String::as_str), other.map_or("", String::as_str));
    let same = one.chars().zip(other.chars()).take_while(|(one, other)| one == other).count();
    let part = |line: &str| line.chars().skip(same.saturating_sub(80)).take(200).collect::<String>();
    format!("told: {}\nthen: {}", part(one), part(other))
}

/// What sort of failure a package shows: in other words, if it is said how.
fn shown(package: &Node, seed: u64, way: Option<Way>) -> Vec<Failure> {
    let first = verdict(
        &package.text(),
        &Pass::ALL,
        seed,
        if way.is_none() { Depth::Compared } else { Depth::Played },
        &mut BTreeSet::new(),
    );
    match (first, way) {
        (Verdict::Failed(failure), None) => vec![failure],
        (Verdict::Refused(codes, text), None) => vec![Failure { kind: format!("refused {codes:?}"), text }],
        (Verdict::Fine(told), Some(way)) => {
            let tries = [(seed, 50), (seed, 100), (1, 50), (2, 50)];
            let others = tries.iter().filter_map(|(seed, share)| reword::reworded(package, way, *seed, *share));
            others.filter_map(|other| differs(&told, &other, way, seed)).collect()
        }
        _ => Vec::new(),
    }
}

/// Makes the package of a finding smaller and writes it down; gives the report.
fn written(finding: &Finding) -> String {
    let Finding { seed, way, failure } = finding;
    let fails = |node: &Node| shown(node, *seed, *way).iter().any(|shown| shown.kind == failure.kind);
    let package = items::package(*seed);
    let small = if fails(&package) { shrink::shrink(&package, SHRINKING, fails) } else { package };
    let text = shown(&small, *seed, *way).into_iter().find(|shown| shown.kind == failure.kind);
    let text = text.map_or_else(|| failure.text.clone(), |shown| shown.text);
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("smith/{seed}"));
    let other = way.and_then(|way| reword::reworded(&small, way, *seed, 100));
    write_down(&folder, &small);
    if let Some(other) = &other {
        let folder = folder.with_file_name(format!("{seed}-other"));
        write_down(&folder, other);
    }
    let mut report = format!("seed {seed}: {}\n{text}\n{}", failure.kind, small.text());
    if let Some(other) = other {
        report.push_str(&format!("in other words:\n{}", other.text()));
    }
    let path = folder.display();
    report.push_str(&format!(
        "to run it: SMITH_SEED={seed} SMITH_GAMES=1 cargo nextest run games_of_the_smith, or cardwright test {path}\n"
    ));
    report
}

/// Writes a package into a folder.
fn write_down(folder: &Path, package: &Node) {
    std::fs::create_dir_all(folder).unwrap();
    for (name, text) in play::files(&package.text()) {
        std::fs::write(folder.join(name), text).unwrap();
    }
}

fn run(first: u64, games: u64, time: Duration) -> (Tally, Vec<Finding>) {
    let begin = Instant::now();
    let (mut tally, mut findings): (Tally, Vec<Finding>) = (Tally::default(), Vec::new());
    for seed in first..first.saturating_add(games) {
        if begin.elapsed() > time {
            break;
        }
        if let Some(finding) = smithed(seed, &mut tally) {
            println!("after {:?}, seed {seed}: {}", begin.elapsed(), finding.failure.kind);
            if !findings.iter().any(|other| other.failure.kind == finding.failure.kind) {
                findings.push(finding);
            }
            if findings.len() >= ENOUGH {
                break;
            }
        }
    }
    let refused: BTreeSet<u64> = tally.refused.values().flatten().copied().collect();
    println!(
        "{} games from seed {first} in {:?}: {} played, {} of them in {} other words; {} refused, limits {:?}",
        tally.games,
        begin.elapsed(),
        tally.fine,
        tally.fine,
        tally.reworded,
        refused.len(),
        tally.limits
    );
    for (code, seeds) in &tally.refused {
        println!("  {code}: {}, such as {:?}", seeds.len(), &seeds[..seeds.len().min(4)]);
    }
    (tally, findings)
}

#[test]
fn games_of_the_smith_are_played_alike_by_both_evaluators_and_in_other_words() {
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap();
    let seed = number("SMITH_SEED").unwrap_or(now.as_millis() as u64 % 1_000_000_000);
    let (games, seconds) = (number("SMITH_GAMES"), number("SMITH_SECONDS"));
    let time = Duration::from_secs(seconds.unwrap_or(if games.is_some() { 1 << 40 } else { 20 }));
    let (_, findings) = run(seed, games.unwrap_or(300), time);
    let reports: Vec<String> = findings.iter().map(written).collect();
    assert!(reports.is_empty(), "{}", reports.join("\n"));
}

#[test]
fn the_smith_makes_what_the_checker_takes_and_all_that_the_language_has() {
    let (mut refused, mut made) = (Vec::new(), BTreeSet::new());
    for seed in 0..MADE {
        let text = items::package(seed).text();
        match play::load(&text) {
            Ok(game) => made.extend(forms::made(&game.rules)),
            Err(error) => refused.push(error.to_string().lines().take(4).collect::<Vec<_>>().join("\n")),
        }
    }
    println!("{} of {MADE} refused\n{}", refused.len(), refused.join("\n"));
    assert!(refused.len() as u64 * 20 < MADE, "{} of {MADE} refused\n{}", refused.len(), refused.join("\n"));
    let left: Vec<String> = forms::all().difference(&made).cloned().collect();
    assert!(left.is_empty(), "the smith never makes: {left:?}");
}

/// Scripts give back acts and the engine carries them out; their twins are statements that do so themselves.
#[test]
fn what_scripts_decide_is_done_as_statements_do_it() {
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap();
    let first = number("SMITH_SEED").unwrap_or(now.as_millis() as u64 % 1_000_000_000);
    let (games, seconds) = (number("SMITH_GAMES").unwrap_or(u64::MAX), number("SMITH_SECONDS").unwrap_or(10));
    let (begin, mut findings, mut compared, mut refused) = (Instant::now(), Vec::new(), 0, 0);
    let first = items::SCRIPTED + first % items::SCRIPTED;
    for seed in first..first.saturating_add(games) {
        if begin.elapsed() > Duration::from_secs(seconds) || findings.len() >= ENOUGH {
            break;
        }
        let package = items::package(seed);
        let way = Way::Unscripted;
        let Some(other) = reword::reworded(&package, way, seed, 100) else { continue };
        match verdict(&package.text(), &Pass::ALL, seed, Depth::Played, &mut BTreeSet::new()) {
            Verdict::Fine(told) => {
                compared += 1;
                if let Some(failure) = differs(&told, &other, way, seed) {
                    println!("after {:?}, seed {seed}: {}", begin.elapsed(), failure.kind);
                    findings.push(Finding { seed, way: Some(way), failure });
                }
            }
            Verdict::Failed(failure) => findings.push(Finding { seed, way: None, failure }),
            Verdict::Refused(..) => refused += 1,
            Verdict::Limit(_) => {}
        }
    }
    println!("{compared} games compared from seed {first} in {:?}, {refused} refused", begin.elapsed());
    let reports: Vec<String> = findings.iter().map(written).collect();
    assert!(reports.is_empty(), "{}", reports.join("\n"));
}
