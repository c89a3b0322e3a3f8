//! Speed and size on one core: `cargo bench`. Prints one figure a line with the mark it is held to, and ends with 1 if
//! a mark is missed and `--strict` was given. Words given as arguments run only the figures that have them: `native` those
//! that are a share of games written by hand in Rust, `classic` those of the classics as shares of OpenSpiel's C++.

// A benchmark that cannot load its game has nothing to measure.
#![allow(clippy::expect_used)]

mod native;

use cardwright::base::MemoryWorld;
use cardwright::play::simulate::{Figures, Plan, Until, bench};
use cardwright::play::{Bot, Game, Library, Options, Package};
use cardwright::{model, program};
use native::gallery::{CLASSICS, Classic, THERE};
use std::fmt::Write;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// How long random games are played for each figure.
const PLAY: Duration = Duration::from_secs(1);

/// A figure and what is asked of it.
struct Mark {
    name: &'static str,
    unit: &'static str,
    /// Whether the figure should be below the mark rather than above.
    below: bool,
    mark: f64,
    measure: fn() -> f64,
}

const MARKS: [Mark; 23] = [
    Mark { name: "check and compile all content", unit: "ms", below: true, mark: 50.0, measure: all_content },
    Mark { name: "check and compile 100,000 cards", unit: "s", below: true, mark: 2.0, measure: generated_cards },
    Mark { name: "  peak memory after it", unit: "MiB", below: true, mark: 1024.0, measure: peak_memory },
    Mark { name: "tic-tac-toe, random games", unit: "games/s", below: false, mark: 1.5e6, measure: tic_tac_toe },
    Mark {
        name: "monster-muncher, 2 random players",
        unit: "decisions/s",
        below: false,
        mark: 1.0e6,
        measure: muncher,
    },
    Mark { name: "hex, random games", unit: "games/s", below: false, mark: 60e3, measure: hex },
    Mark { name: "breakthrough, random games", unit: "games/s", below: false, mark: 70e3, measure: breakthrough },
    Mark { name: "reversi, random games", unit: "games/s", below: false, mark: 40e3, measure: reversi },
    Mark { name: "tic-tac-toe, of native", unit: "", below: false, mark: 0.065, measure: tic_tac_toe_share },
    Mark { name: "hex, of native", unit: "", below: false, mark: 0.35, measure: hex_share },
    Mark { name: "breakthrough, of native", unit: "", below: false, mark: 0.20, measure: breakthrough_share },
    Mark { name: "reversi, of native", unit: "", below: false, mark: 0.25, measure: reversi_share },
    Mark { name: "scrunch, random turns", unit: "turns/s", below: false, mark: 100e3, measure: scrunch },
    Mark { name: "munch, 2 random players", unit: "decisions/s", below: false, mark: 500e3, measure: munch },
    Mark {
        name: "monster-factory, 2 random players",
        unit: "decisions/s",
        below: false,
        mark: 500e3,
        measure: monster_factory,
    },
    Mark {
        name: "star-munchkin, 4 random players",
        unit: "decisions/s",
        below: false,
        mark: 300e3,
        measure: star_munchkin,
    },
    Mark { name: "monster-muncher, copying a state", unit: "ns", below: true, mark: 1000.0, measure: muncher_clone },
    Mark { name: "tic-tac-toe, copying a state", unit: "ns", below: true, mark: 50.0, measure: tic_tac_toe_clone },
    Mark { name: "scrunch, copying a state", unit: "ns", below: true, mark: 50.0, measure: scrunch_clone },
    Mark {
        name: "star-munchkin, copying a state",
        unit: "ns",
        below: true,
        mark: 5000.0,
        measure: star_munchkin_clone,
    },
    Mark { name: "script, one trigger that calls it", unit: "us", below: true, mark: 3.0, measure: script_trigger },
    Mark { name: "script, on a card not in play", unit: "of without", below: false, mark: 0.9, measure: script_aside },
    Mark {
        name: "clauses, on a card not in play",
        unit: "of without",
        below: false,
        mark: 0.9,
        measure: clauses_aside,
    },
];

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&String> = arguments.iter().filter(|word| !word.starts_with("--")).collect();
    let mut missed = false;
    for mark in &MARKS {
        if !words.is_empty() && !words.iter().any(|word| mark.name.contains(word.as_str())) {
            continue;
        }
        let figure = (mark.measure)();
        let met = if mark.below { figure <= mark.mark } else { figure >= mark.mark };
        missed |= !met;
        let sign = if mark.below { "at most" } else { "at least" };
        let verdict = if met { "" } else { "  MISSED" };
        let digits = if mark.unit.is_empty() { 3 } else { 1 };
        println!("{:<36} {figure:>12.digits$} {:<12} ({sign} {}){verdict}", mark.name, mark.unit, mark.mark);
    }
    missed |= !classics(&words);
    ExitCode::from(u8::from(missed && arguments.iter().any(|word| word == "--strict")))
}

/// The classics as shares of OpenSpiel's figures, scaled by what this machine makes of the native games. Says whether each
/// is at least 1, and their mean at least 2.
fn classics(words: &[&String]) -> bool {
    let chosen =
        |name: &str| words.is_empty() || words.iter().any(|word| "classic".contains(*word) || name.contains(*word));
    let games: Vec<&Classic> = CLASSICS.iter().filter(|(name, ..)| chosen(name)).collect();
    if games.is_empty() {
        return true;
    }
    let scale = mean(natives().iter().zip(THERE).map(|(here, there)| here / there));
    println!("{:<36} {scale:>12.3}", "this machine, by the native games");
    let mut shares = Vec::new();
    for (name, options, there) in games {
        let options: Options = options.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
        let package = library().find(name).expect("a shipped game");
        let game = Arc::new(Game::load(&package, &options, None).expect("a sound game"));
        let players = game.rules.players.0;
        let plan = Plan { players, seed: 1, threads: 1, until: Until::Time(PLAY), bot: Bot::Random };
        let here = bench(&game, &plan).expect("random games").games_per_second;
        let share = here / (there * scale);
        let verdict = if share >= 1.0 { "" } else { "  MISSED" };
        println!("{name:<36} {here:>12.1} games/s      {share:>8.3} of C++ (at least 1){verdict}");
        shares.push(share);
    }
    let all = mean(shares.iter().copied());
    let verdict = if all >= 2.0 { "" } else { "  MISSED" };
    println!("{:<36} {all:>12.3} {:<12} (at least 2){verdict}", "classics, geometric mean", "");
    all >= 2.0 && shares.iter().all(|share| *share >= 1.0)
}

/// The geometric mean.
fn mean(figures: impl Iterator<Item = f64>) -> f64 {
    let logs: Vec<f64> = figures.map(f64::ln).collect();
    (logs.iter().sum::<f64>() / logs.len().max(1) as f64).exp()
}

/// Native games a second on this machine, in the order of [`THERE`].
fn natives() -> [f64; 4] {
    [
        native::played(PLAY, native::tic_tac_toe::play),
        native::played(PLAY, native::breakthrough::play),
        native::played(PLAY, native::hex::play),
        native::played(PLAY, native::reversi::play),
    ]
}

fn tic_tac_toe_share() -> f64 {
    tic_tac_toe() / native::played(PLAY, native::tic_tac_toe::play)
}

fn hex_share() -> f64 {
    hex() / native::played(PLAY, native::hex::play)
}

fn breakthrough_share() -> f64 {
    breakthrough() / native::played(PLAY, native::breakthrough::play)
}

fn reversi_share() -> f64 {
    reversi() / native::played(PLAY, native::reversi::play)
}

fn library() -> Library {
    Library::new(Some(PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/content"))))
}

fn load(name: &str) -> Arc<Game> {
    let package = library().find(name).expect("a shipped game");
    Arc::new(Game::load(&package, &Options::new(), None).expect("a sound game"))
}

/// The best of several runs: what the machine can do when nothing else runs.
fn best(runs: usize, mut measure: impl FnMut() -> f64) -> f64 {
    (0..runs).map(|_| measure()).fold(f64::INFINITY, f64::min)
}

fn all_content() -> f64 {
    let library = library();
    let games = |package| library.subjects(package, &[]).expect("its game is shipped");
    let packages: Vec<Package> = library.list().into_iter().flat_map(games).collect();
    best(10, || {
        let started = Instant::now();
        for package in &packages {
            Game::load(package, &Options::new(), None).expect("a sound game");
        }
        started.elapsed().as_secs_f64() * 1e3
    })
}

/// A game of so many different cards, in files of a thousand. It begins with those of the first file.
fn many_cards(cards: usize) -> MemoryWorld {
    let mut world = MemoryWorld::new([
        (
            "game.toml",
            "name = \"many\"\ntitle = \"Many\"\nversion = \"1.0.0\"\nedition = 1\n[players]\nmin = 2\nmax = 2\n",
        ),
        (
            "many.rules",
            "kind lamp : card { field shine: 0..9  field glow: effect }\n\
             kind torch : lamp { }\n\
             kind dark : lamp { }\n\
             zone box { holds: dark  starts: dark }\n\
             zone shelf { holds: dark  inplay: true }\n\
             zone deck { holds: lamp  order: pile  seen: none  starts: torch }\n\
             zone ashes { holds: lamp  seen: all }\n\
             zone hand per player { holds: lamp  seen: holder }\n\
             player { counter points: 0..99 }\n\
             verb gain n: number for p: player = me { increase p.points by n }\n\
             verb burn c: lamp { move c to ashes }\n\
             setup { shuffle deck }\n\
             flow { turns turn from seat(1) {\n\
               move top(deck) to me.hand\n\
               choose c in me.hand \"Light which?\"\n\
               let shine = c.shine\n\
               do c.glow\n\
               burn c\n\
               gain shine\n\
               if me.points >= 20 { win me } } }\n",
        ),
    ]);
    for file in 0..cards.div_ceil(1000) {
        let mut text = String::new();
        let kind = if file == 0 { "torch" } else { "lamp" };
        for card in file * 1000..((file + 1) * 1000).min(cards) {
            let shine = card % 10;
            let _ = writeln!(
                text,
                "{kind} \"Lamp {card}\" {{\n  shine: {shine}\n  glow {{\n    \
                 choose c in me.hand where shine < {shine} for burn \"Burn which?\"\n    \
                 burn c\n    if count me.hand > {shine} {{ gain 1 }}\n  }}\n}}"
            );
        }
        world.files.insert(format!("cards/{file:03}.cards"), text);
    }
    world
}

fn generated_cards() -> f64 {
    let world = many_cards(100_000);
    let started = Instant::now();
    let loaded = model::load(&world, &Options::new(), None);
    let errors = loaded.diagnostics.iter().filter(|diagnostic| diagnostic.is_error()).count();
    assert_eq!(errors, 0, "{:?}", loaded.diagnostics.first());
    let rules = Arc::new(loaded.rules.expect("rules"));
    program::compile(Arc::clone(&rules)).expect("a program");
    let seconds = started.elapsed().as_secs_f64();
    assert_eq!(rules.entries.len(), 100_000);
    seconds
}

/// The most memory this process has had, where the system tells.
fn peak_memory() -> f64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kilobytes = line.and_then(|rest| rest.trim().trim_end_matches(" kB").parse::<f64>().ok());
    kilobytes.map_or(0.0, |kilobytes| kilobytes / 1024.0)
}

fn play(name: &str) -> Figures {
    play_with(name, 2)
}

fn play_with(name: &str, players: u8) -> Figures {
    let game = load(name);
    let plan = Plan { players, seed: 1, threads: 1, until: Until::Time(PLAY), bot: Bot::Random };
    bench(&game, &plan).expect("random games")
}

fn tic_tac_toe() -> f64 {
    play("tic-tac-toe").games_per_second
}

fn muncher() -> f64 {
    play("monster-muncher").decisions_per_second
}

fn hex() -> f64 {
    play("hex").games_per_second
}

fn breakthrough() -> f64 {
    play("breakthrough").games_per_second
}

fn reversi() -> f64 {
    play("reversi").games_per_second
}

fn scrunch() -> f64 {
    let figures = play("scrunch");
    figures.games_per_second * figures.mean_turns
}

fn munch() -> f64 {
    play("munch").decisions_per_second
}

fn monster_factory() -> f64 {
    play("monster-factory").decisions_per_second
}

fn star_munchkin() -> f64 {
    play_with("star-munchkin", 4).decisions_per_second
}

fn clone_time(name: &str, players: u8) -> f64 {
    let game = load(name);
    let plan = Plan { players, seed: 1, threads: 1, until: Until::Games(10), bot: Bot::Random };
    best(5, || bench(&game, &plan).expect("random games").clone_ns)
}

fn muncher_clone() -> f64 {
    clone_time("monster-muncher", 2)
}

fn scrunch_clone() -> f64 {
    clone_time("scrunch", 2)
}

fn tic_tac_toe_clone() -> f64 {
    clone_time("tic-tac-toe", 2)
}

fn star_munchkin_clone() -> f64 {
    clone_time("star-munchkin", 4)
}

/// A hundred events in each turn, with something that follows each.
fn events(follows: &str, rules: &str) -> MemoryWorld {
    let rules = format!(
        "game {{ counter n: 0..9999999 }}\nverb tick() {{ increase game.n by 1 }}\n{rules}\n\
         rule follows {{ after tick {{ {follows} }} }}\naction go {{ repeat 100 times {{ tick }} }}\n\
         flow {{ turns turn from seat(1) for 50 rounds {{ choose action go }} }}\n"
    );
    MemoryWorld::new([
        (
            "game.toml",
            "name = \"events\"\ntitle = \"Events\"\nversion = \"1.0.0\"\nedition = 1\n[players]\nmin = 2\nmax = 2\n",
        ),
        ("a.rules", &rules),
        ("f.rhai", "fn grow() { increase(game(), \"n\", 1) }"),
    ])
}

fn rate(world: MemoryWorld) -> f64 {
    let package = Package::memory("bench", world);
    let game = Arc::new(Game::load(&package, &Options::new(), None).expect("a sound game"));
    let plan = Plan { players: 2, seed: 1, threads: 1, until: Until::Time(PLAY), bot: Bot::Random };
    1.0 / best(3, || 1.0 / bench(&game, &plan).expect("random games").decisions_per_second)
}

/// What a trigger takes longer that calls a script which changes a counter than one that changes it, in microseconds.
fn script_trigger() -> f64 {
    let script = "script grow() may set n = \"f.rhai\"";
    let (with, without) = (rate(events("grow()", script)), rate(events("increase game.n by 1", "")));
    (1.0 / with - 1.0 / without) * 1e6 / 100.0
}

/// Decisions a second where one card has a script and is not in play, as a share of those without it.
fn script_aside() -> f64 {
    aside(&[
        ("omen.rules", "script omen() may gain, arm after burn, arm end of turn = \"omen.rhai\""),
        ("cards/omen.cards", "dark \"Omen\" { shine: 0  glow { omen() } }"),
        (
            "omen.rhai",
            "fn omen() { arm(#{ at: \"after burn\" }, \"burnt\", ()) } fn burnt(data) { act(\"gain\", [1]) }",
        ),
    ])
}

/// Decisions a second where one card has clauses of several sorts and is not in play, as a share of those without them.
fn clauses_aside() -> f64 {
    let clauses = "after burn { gain 1 } becomes count ashes > 4 { gain 1 } check count ashes > 4 { gain 1 } \
                   after end of turn { gain 1 }";
    aside(&[("cards/omen.cards", &format!("dark \"Omen\" {{ shine: 0  {clauses} }}"))])
}

/// Decisions a second with a card in the box that has something, as a share of those with one that has nothing.
fn aside(files: &[(&str, &str)]) -> f64 {
    let (mut with, mut without) = (many_cards(100), many_cards(100));
    without.files.insert("cards/omen.cards".to_owned(), "dark \"Omen\" { shine: 0 }".to_owned());
    with.files.extend(files.iter().map(|(path, text)| ((*path).to_owned(), (*text).to_owned())));
    rate(with) / rate(without)
}
