//! `cardwright diff`

use super::args::{GameArgs, option_pair};
use super::bench::{score, share, spread};
use super::meter::Meter;
use super::{Context, Outcome};
use crate::base::{plural, shown};
use crate::play::record::{Told, quoted, whole};
use crate::play::versions::{
    Cause, Comparison, Difference, Divergence, Group, MOST_DECISIONS, Part, Report, Rule, Tally, compare,
    first_difference,
};
use crate::play::{Game, PlayError};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

/// Plays the same seeds on two versions of a game and shows what a change of its rules or cards does.
#[derive(clap::Args)]
#[command(after_help = "\
A version is a game by name or by path, or a folder in a revision of a Git repository: `HEAD~1:games/lanterns`, or
`HEAD~1:./lanterns` from the folder at hand. Both sides play at random and choose by the keys of options, so that they
take the same decisions while both offer them. A game is compared until the two sides first differ, and then each side is
played to its end for the table.

A change is the cause of a difference if the game does not differ there once that change alone is taken back. A card that
is added changes every later draw.

Ends with 0 if no game differs, 1 if one does.

Examples:
  cardwright diff tic-tac-toe ./mine               the game as it came, and your copy of it
  cardwright diff HEAD:./lanterns ./lanterns       since the last commit
  cardwright diff ./old ./new --games 1000 --players 3 --json
  cardwright diff ./old ./new --seed 12 --keys > keys.txt
  cardwright play ./new --seed 12 --players human,human --script keys.txt
                                                   the position in which the first game from seed 12 differs")]
pub struct Args {
    /// The old version: a name, a path or REVISION:PATH.
    #[arg(value_name = "OLD")]
    old: String,
    /// The new version: a name, a path or REVISION:PATH.
    #[arg(value_name = "NEW")]
    new: String,
    /// How many games.
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    games: u64,
    /// Seed of the first game; each further game adds one.
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Number of players; the fewest that both versions allow unless given.
    #[arg(long, short, value_name = "N", alias = "seats")]
    players: Option<u8>,
    /// Sets an option of both; may be given several times.
    #[arg(long = "option", short = 'o', value_name = "NAME=VALUE", value_parser = option_pair)]
    options: Vec<(String, String)>,
    /// Adds expansions to both, by name or path; several are separated by commas.
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    with: Vec<String>,
    /// Plays a variant that both declare.
    #[arg(long, value_name = "NAME")]
    variant: Option<String>,
    /// Prints the record of the first game that differs, up to there: what `play --script` takes.
    #[arg(long, conflicts_with = "json")]
    keys: bool,
    /// Prints one JSON object.
    #[arg(long)]
    json: bool,
}

/// Most changed parts that are named of those that are no cause.
const MOST_NAMED: usize = 30;
/// The two versions.
const SIDES: [&str; 2] = ["old", "new"];

/// Runs the subcommand.
///
/// # Errors
/// If a version is not found or has errors, or games differ.
pub fn run(context: &Context, args: Args) -> Outcome {
    let games = [version(context, &args, &args.old)?, version(context, &args, &args.new)?];
    let [old, new] = &games;
    let asked = Comparison { players: players(old, new, args.players)?, seed: args.seed, games: args.games };
    context.console.note(&format!(
        "seed {}, {}, random on all seats",
        asked.seed,
        plural(asked.players.into(), "player")
    ));
    if args.keys {
        return keys(context, &games, &asked);
    }
    let meter = Meter::start("games", None);
    let report = compare(old, new, &asked, meter.progress())?;
    let stopped = meter.end(&context.console);
    let page = Page { args: &args, games: &games, asked: &asked, report: &report };
    if args.json {
        context.console.json(&page.object().to_string())?;
    } else {
        context.console.data(&page.text())?;
    }
    stopped?;
    match report.groups.is_empty() {
        true => Ok(()),
        false => Err(PlayError::Finding(page.count())),
    }
}

fn version(context: &Context, args: &Args, name: &str) -> Result<Arc<Game>, PlayError> {
    let (options, with, variant) = (args.options.clone(), args.with.clone(), args.variant.clone());
    GameArgs { game: name.to_owned(), options, with, variant, without_pass: Vec::new() }.load(context)
}

/// The number of players: the one asked for, else the fewest that both versions allow.
fn players(old: &Game, new: &Game, asked: Option<u8>) -> Result<u8, PlayError> {
    let theirs = new.rules.player_counts();
    let common = old.rules.player_counts().into_iter().find(|count| theirs.contains(count));
    let none = || {
        let counts = [old, new].map(|game| game.rules.counts_in_words());
        PlayError::Usage(format!("the old version is for {}, the new one for {}", counts[0], counts[1]))
    };
    let players = asked.or(common).ok_or_else(none)?;
    old.check_players(usize::from(players))?;
    new.check_players(usize::from(players))?;
    Ok(players)
}

/// Prints the first game that differs, up to there.
fn keys(context: &Context, games: &[Arc<Game>; 2], asked: &Comparison) -> Outcome {
    let [old, new] = games;
    let Some((session, found)) = first_difference(old, new, asked)? else {
        context.console.note(&format!("no game of {} differs in play", asked.games));
        return Ok(());
    };
    let record = session.map(|session| whole(&session, Told::All)).unwrap_or_default();
    let lines = example(games, &found).concat();
    let told: String = lines.lines().map(|line| format!("# {line}\n")).collect();
    context.console.data(&format!("{record}{told}"))?;
    Err(PlayError::Finding(format!("the game of seed {} differs", found.seed)))
}

/// What is printed of a comparison.
struct Page<'a> {
    args: &'a Args,
    games: &'a [Arc<Game>; 2],
    asked: &'a Comparison,
    report: &'a Report,
}

impl Page<'_> {
    /// How many games differ, in one line.
    fn count(&self) -> String {
        let Report { games, differ, worded, .. } = self.report;
        match (differ, worded) {
            (0, 0) => format!("no game of {games} differs"),
            (_, 0) => format!("{differ} of {games} games differ"),
            _ => format!("{differ} of {games} games differ, {worded} more in words only"),
        }
    }

    fn text(&self) -> String {
        let heading = SIDES.iter().zip(self.games).zip([&self.args.old, &self.args.new]);
        let heading = heading.map(|((side, game), name)| {
            format!("{side}  {} {}, `{}`\n", game.full_name(), game.version(), shown(&Path::new(name)))
        });
        let mut text: String = heading.collect();
        text.push_str(&format!("{}\n", self.count()));
        for group in &self.report.groups {
            text.push_str(&self.group(group));
        }
        let unmet: Vec<&Part> = self.report.unmet().collect();
        if !unmet.is_empty() {
            let met = match self.report.groups.is_empty() {
                true => {
                    format!("\nchanged, but no difference shows in {}:\n", plural(self.report.games as usize, "game"))
                }
                false => "\nchanged too, but no game differs first because of it:\n".to_owned(),
            };
            text.push_str(&met);
            text.extend(unmet.iter().take(MOST_NAMED).map(|part| self.part(part)));
            if unmet.len() > MOST_NAMED {
                text.push_str(&format!("  and {} more\n", unmet.len() - MOST_NAMED));
            }
        }
        text.push_str(&self.table());
        text
    }

    fn part(&self, part: &Part) -> String {
        let [old, new] = self.games;
        format!("  {}\n", part.line(old, new))
    }

    fn group(&self, group: &Group) -> String {
        let first = &group.first;
        let games = plural(group.games as usize, "game");
        let mut text =
            format!("\n{}: {games}; the earliest before decision {}\n", group.difference.word(), first.decision);
        match group.cause {
            Cause::Part(index) => text.extend(self.report.parts.get(index).map(|part| self.part(part))),
            Cause::Several => text.push_str("  no single change could be shown to be the cause\n"),
        }
        text.extend(example(self.games, first));
        if group.difference != Difference::Words {
            text.push_str(&format!("  look: {}\n", self.command(first.seed)));
        }
        text
    }

    /// A command that shows a game.
    fn command(&self, seed: u64) -> String {
        let mut words = vec![self.args.old.clone(), self.args.new.clone()];
        for (name, value) in &self.args.options {
            words.extend(["--option".to_owned(), format!("{name}={value}")]);
        }
        if !self.args.with.is_empty() {
            words.extend(["--with".to_owned(), self.args.with.join(",")]);
        }
        words.extend(self.args.variant.iter().flat_map(|name| ["--variant".to_owned(), name.clone()]));
        let words =
            words.iter().map(|word| match word.contains(|letter: char| letter.is_whitespace() || letter == '\'') {
                true => format!("\"{word}\""),
                false => word.clone(),
            });
        let words = words.collect::<Vec<_>>().join(" ");
        format!("cardwright diff {words} --players {} --seed {seed} --games 1 --keys", self.asked.players)
    }

    /// How the games of both versions went, side by side.
    fn table(&self) -> String {
        let [old, new] = &self.report.tallies;
        let mut rows = vec![("games to the end".to_owned(), old.ended.to_string(), new.ended.to_string())];
        let mut row = |name: String, number: &dyn Fn(&Tally) -> u64| {
            rows.push((name, share(number(old), old.ended), share(number(new), new.ended)));
        };
        for seat in 0..self.asked.players {
            let wins = |tally: &Tally| tally.standings.wins.get(usize::from(seat)).copied().unwrap_or(0);
            row(format!("won by {}", self.seat(seat)), &wins);
        }
        row("won by several".to_owned(), &|tally| tally.standings.shared_games);
        row("draws".to_owned(), &|tally| tally.standings.draws);
        let length = |tally: &Tally| spread(tally.decisions.mean(), tally.decisions.deviation());
        rows.push(("decisions a game".to_owned(), length(old), length(new)));
        let scores =
            |tally: &Tally, seat: usize| tally.standings.scores()?.get(seat).map(|(mean, error)| score(*mean, *error));
        for seat in 0..self.asked.players {
            let means = [old, new].map(|tally| scores(tally, usize::from(seat)));
            if let [Some(one), Some(other)] = means {
                rows.push((format!("score of {}", self.seat(seat)), one, other));
            }
        }
        let codes: BTreeSet<&String> = old.failed.keys().chain(new.failed.keys()).collect();
        for code in codes {
            let count = |tally: &Tally| tally.failed.get(code).copied().unwrap_or(0).to_string();
            rows.push((format!("stopped with {code}"), count(old), count(new)));
        }
        if old.unfinished + new.unfinished > 0 {
            let name = format!("over {MOST_DECISIONS} decisions");
            rows.push((name, old.unfinished.to_string(), new.unfinished.to_string()));
        }
        rows.insert(0, (String::new(), "old".to_owned(), "new".to_owned()));
        let lines = rows.iter().map(|(name, one, other)| format!("{name:<24} {one:<28} {other}\n"));
        format!("\n{}", lines.collect::<String>())
    }

    /// A seat's name, or both that it has.
    fn seat(&self, seat: u8) -> String {
        let [old, new] = self.games.each_ref().map(|game| game.seat_name(seat));
        if old == new { old } else { format!("{old} / {new}") }
    }

    fn object(&self) -> Value {
        let part = |part: &Part| {
            let [old, new] = part.places(&self.games[0], &self.games[1]);
            json!({ "name": part.name, "fate": part.fate(), "old": old, "new": new })
        };
        let groups = self.report.groups.iter().map(|group| {
            let cause = match group.cause {
                Cause::Part(index) => self.report.parts.get(index).map(part),
                Cause::Several => None,
            };
            let first = &group.first;
            let side = |side: usize| {
                let rules = self.games.get(side).zip(first.rules.get(side)).map(|(game, rules)| located(game, rules));
                let rules = rules.unwrap_or_default().into_iter();
                let rules = rules.map(|(what, place)| json!({ "what": what, "place": place })).collect::<Vec<_>>();
                json!({ "only": first.only.get(side), "rules": rules })
            };
            json!({
                "difference": group.difference.word(), "games": group.games, "cause": cause,
                "first": {
                    "seed": first.seed, "decision": first.decision, "after": first.after,
                    "old": side(0), "new": side(1),
                },
            })
        });
        let outcome = |tally: &Tally| {
            let scores =
                tally.standings.scores().map(|scores| scores.into_iter().map(|(mean, _)| mean).collect::<Vec<_>>());
            json!({
                "ended": tally.ended, "wins": tally.standings.wins, "shared": tally.standings.shared,
                "shared_games": tally.standings.shared_games, "draws": tally.standings.draws,
                "mean_decisions": tally.decisions.mean(), "deviation_decisions": tally.decisions.deviation(),
                "mean_scores": scores, "failed": tally.failed, "unfinished": tally.unfinished,
            })
        };
        let [old, new] = &self.report.tallies;
        json!({
            "version": 1, "games": self.report.games, "seed": self.asked.seed, "players": self.asked.players,
            "stopped": self.report.games < self.asked.games,
            "seats": (0..self.asked.players).map(|seat| self.seat(seat)).collect::<Vec<_>>(),
            "differ": self.report.differ, "words_only": self.report.worded,
            "groups": groups.collect::<Vec<_>>(),
            "unmet": self.report.unmet().map(part).collect::<Vec<_>>(),
            "old": outcome(old), "new": outcome(new),
        })
    }
}

/// Rules behind something with their content lines; those without one are left out.
fn located<'a>(game: &Game, rules: &'a [Rule]) -> Vec<(&'a str, String)> {
    let place = |(what, span): &'a Rule| Some((what.as_str(), game.locate(*span)?));
    rules.iter().filter_map(place).collect()
}

/// A difference in words: what there is on each side only, and why.
fn example(games: &[Arc<Game>; 2], found: &Divergence) -> Vec<String> {
    /// Rules that are shown behind each side.
    const MOST_RULES: usize = 3;
    let before = match &found.after {
        Some(after) => format!("after {}", quoted(after)),
        None => "in setup".to_owned(),
    };
    let mut lines = vec![format!("  seed {}, {before}\n", found.seed)];
    let sides = SIDES.iter().zip(games).zip(found.only.iter().zip(&found.rules));
    for ((side, game), (only, rules)) in sides {
        let words = if only.is_empty() { "nothing".to_owned() } else { only.join(", ") };
        lines.push(format!("    only {side}: {words}\n"));
        let rules = located(game, rules);
        lines.extend(rules.iter().take(MOST_RULES).map(|(what, place)| format!("      {what}  [{place}]\n")));
    }
    lines
}
