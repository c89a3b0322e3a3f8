//! Why a value is what it is, as lines: the value, then its parts, each with its content line.

use super::game::Game;
use crate::base::{Span, spoken};
use crate::engine::{Breakdown, Join, Refusal};
use crate::model::rules::{ProcBody, PropClass, PropId, Ty};
use std::collections::BTreeSet;

/// Longest text of the content that is quoted.
const LONGEST: usize = 64;

/// A breakdown as lines; parts are indented.
pub fn lines(game: &Game, told: &Breakdown) -> Vec<String> {
    let mut out = vec![format!("{} = {}{}", what(game, told), told.value, more(game, told))];
    parts(game, told, 1, &mut out);
    out
}

/// Values that are told of a text that decides.
const MOST_VALUES: usize = 4;

/// Why something is not offered, in words: with the text of the content that decides, and the values that it reads.
pub fn reason(game: &Game, refusal: &Refusal) -> String {
    let Some(told) = &refusal.decides else { return refusal.reason.clone() };
    let mut values = Vec::new();
    read(told, &mut values);
    let values = if values.is_empty() { String::new() } else { format!(" ({})", values.join(", ")) };
    format!("{}: `{}`{values}", refusal.reason, quoted(game, told.span))
}

/// The named values nearest to the whole.
fn read(told: &Breakdown, out: &mut Vec<String>) {
    for part in &told.parts {
        match &part.what {
            Some(what) if out.len() < MOST_VALUES => out.push(format!("{what} = {}", part.value)),
            Some(_) => {}
            None => read(part, out),
        }
    }
}

/// A cause in words for players.
pub fn cause(what: &str) -> String {
    if what == "flow" { "the course of the game".to_owned() } else { spoken(what) }
}

/// So many names are listed of what can be asked for.
const MOST_NAMES: usize = 8;

/// What can be asked for, where no line above the table tells a number: the numbers that are worked out.
pub fn askable(game: &Game) -> Vec<String> {
    let rules = &game.rules;
    let number = |ty: &Ty| *ty.bare() == Ty::Number;
    let stats = |props: &[PropId]| {
        let found = props.iter().filter_map(|id| rules.props.get(id.index()));
        let found = found.filter(|prop| matches!(prop.class, PropClass::Stat { .. }) && number(&prop.ty));
        found.map(|prop| prop.name.clone()).collect::<Vec<_>>()
    };
    // Definitions of numbers, by what they are about: nothing, a player, an entity.
    let (mut of_game, mut of_player) = (stats(&rules.game_props), stats(&rules.player_props));
    let mut of_card: Vec<String> = rules.kinds.iter().flat_map(|kind| stats(&kind.props)).collect();
    for proc in rules.defines.iter().filter_map(|id| rules.procs.get(id.index())) {
        let about = proc.locals.get(..usize::from(proc.params)).unwrap_or_default();
        let names = match about {
            [] => &mut of_game,
            [one] if *one.ty.bare() == Ty::Player => &mut of_player,
            [one] if matches!(one.ty.bare(), Ty::Entity(_)) => &mut of_card,
            _ => continue,
        };
        if matches!(&proc.body, ProcBody::Expr(expr) if number(&expr.ty)) {
            names.push(proc.name.clone());
        }
    }
    let mut lines = vec!["no line above the table tells a number now; ask for one by its name".to_owned()];
    let player = game.seat_name(0);
    for (whose, names, of) in [
        ("the game", of_game, String::new()),
        ("a player", of_player, format!(" of {player}")),
        ("a card", of_card, " of NAME".to_owned()),
    ] {
        let mut seen = BTreeSet::new();
        let names = names.iter().filter(|name| seen.insert(*name)).map(|name| spoken(name));
        let names: Vec<String> = names.collect();
        let shown = names.get(..MOST_NAMES).unwrap_or(&names);
        if let Some(first) = shown.first() {
            let more = if names.len() > shown.len() { " ..." } else { "" };
            lines.push(format!("  of {whose}, such as `{first}{of}`: {}{more}", shown.join(", ")));
        }
    }
    lines
}

fn parts(game: &Game, whole: &Breakdown, depth: usize, out: &mut Vec<String>) {
    for part in &whole.parts {
        let value = match (whole.join, part.number) {
            (Join::Sum, Some(number)) => format!("{:+}", if part.minus { -number } else { number }),
            _ => part.value.clone(),
        };
        let indent = "  ".repeat(depth);
        out.push(format!("{indent}{value:>3}  {}{}", what(game, part), more(game, part)));
        parts(game, part, depth + 2, out);
    }
}

fn what(game: &Game, told: &Breakdown) -> String {
    told.what.clone().unwrap_or_else(|| quoted(game, told.span))
}

/// What else there is to say: why it is so, and where it stands.
fn more(game: &Game, told: &Breakdown) -> String {
    let since = told.since.map(|(span, holds)| {
        let text = quoted(game, span);
        if holds { format!(", since {text}") } else { format!(", since not: {text}") }
    });
    let note = told.note.as_ref().map(|note| format!(" ({note})"));
    let place = told.what.as_ref().and_then(|_| game.locate(told.span)).map(|place| format!("  [{place}]"));
    [note, since, place].into_iter().flatten().collect()
}

/// The text of the content at a place, in one line.
fn quoted(game: &Game, span: Span) -> String {
    let text = game.sources.slice(span).split_whitespace().collect::<Vec<_>>().join(" ");
    let inner = text.strip_prefix('(').and_then(|text| text.strip_suffix(')')).unwrap_or(&text);
    // The brackets round all of it are not part of what is said, unless others close before.
    let depths = inner.chars().scan(0i32, |depth, letter| {
        *depth += i32::from(letter == '(') - i32::from(letter == ')');
        Some(*depth)
    });
    let text = if depths.clone().all(|depth| depth >= 0) { inner.to_owned() } else { text };
    if text.chars().count() <= LONGEST {
        return text;
    }
    text.chars().take(LONGEST - 1).chain(['…']).collect()
}
