//! Why a value is what it is, as lines: the value, then its parts, each with its content line.

use super::game::Game;
use crate::base::Span;
use crate::engine::{Breakdown, Join};

/// Longest text of the content that is quoted.
const LONGEST: usize = 64;

/// A breakdown as lines; parts are indented.
pub fn lines(game: &Game, told: &Breakdown) -> Vec<String> {
    let mut out = vec![format!("{} = {}{}", what(game, told), told.value, more(game, told))];
    parts(game, told, 1, &mut out);
    out
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
