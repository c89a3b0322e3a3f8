//! What random play noticed that a game's author is not likely to have meant: values cut off at the end of their range, and statements
//! that always come too late.

use super::game::Game;
use crate::base::Span;
use crate::engine::Clamp;
use crate::model::rules::PropId;
use crate::program::NIL;
use std::collections::BTreeMap;

/// By content line, how often a thing was moved or something done to it, and how often it was no longer what it was.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Acts(BTreeMap<Span, (u64, u64)>);

impl Acts {
    pub(super) fn note(&mut self, span: Span, done: bool) {
        let (did, gone) = self.0.entry(span).or_default();
        *if done { did } else { gone } += 1;
    }

    /// Takes up what was noted elsewhere.
    pub fn join(&mut self, other: Acts) {
        for (place, (did, gone)) in other.0 {
            let own = self.0.entry(place).or_default();
            (own.0, own.1) = (own.0 + did, own.1 + gone);
        }
    }

    /// One line for each statement that came too late every time.
    pub fn lines(&self, game: &Game) -> Vec<String> {
        let late = self.0.iter().filter(|(_, (did, gone))| *did == 0 && *gone >= TOO_LATE);
        let line = |(span, (_, gone)): (&Span, &(u64, u64))| {
            let place = game.locate(*span).map_or(String::new(), |place| format!("  [{place}]"));
            format!("this came too late all {gone} times, and did nothing: what it is done to had left before{place}")
        };
        late.map(line).collect()
    }
}

/// So often must a statement come too late before it is told of: the aim of a spell may have left now and then.
const TOO_LATE: u64 = 3;

/// How often, by property and content line, and the value farthest out with the one that was kept.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Clamped(BTreeMap<(PropId, Span), (u64, i64, i64)>);

impl Clamped {
    pub(super) fn note(&mut self, clamp: &Clamp) {
        let (times, wanted, kept) = self.0.entry((clamp.prop, clamp.span)).or_insert((0, clamp.wanted, clamp.kept));
        *times += 1;
        if clamp.wanted.abs_diff(clamp.kept) > wanted.abs_diff(*kept) {
            (*wanted, *kept) = (clamp.wanted, clamp.kept);
        }
    }

    /// Takes up what was noted elsewhere.
    pub fn join(&mut self, other: Clamped) {
        for (place, (times, wanted, kept)) in other.0 {
            let own = self.0.entry(place).or_insert((0, wanted, kept));
            own.0 += times;
            if wanted.abs_diff(kept) > own.1.abs_diff(own.2) {
                (own.1, own.2) = (wanted, kept);
            }
        }
    }

    /// One line for each place.
    pub fn lines(&self, game: &Game) -> Vec<String> {
        let line = |((prop, span), (times, wanted, kept)): (&(PropId, Span), &(u64, i64, i64))| {
            let name = game.rules.props.get(prop.index()).map_or("", |prop| prop.name.as_str());
            let place = game.locate(*span).map_or(String::new(), |place| format!("  [{place}]"));
            let times = if *times == 1 { "once".to_owned() } else { format!("{times} times") };
            match *wanted {
                NIL => format!("`{name}` stayed as it was {times}, where it would have become nothing{place}"),
                _ => format!("`{name}` stopped at {kept} {times}, where it would have been as far as {wanted}{place}"),
            }
        };
        self.0.iter().map(line).collect()
    }
}
