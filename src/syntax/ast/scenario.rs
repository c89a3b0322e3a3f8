//! The steps of a scenario.

use super::{Block, Expr, Ident};
use crate::base::Span;

/// One step of a scenario.
#[derive(Clone, Debug, PartialEq)]
pub struct ScenarioStep {
    pub kind: ScenarioStepKind,
    pub span: Span,
}

/// The forms of a step.
#[derive(Clone, Debug, PartialEq)]
pub enum ScenarioStepKind {
    /// `players 3`
    Players(i64),
    /// `seed 7`
    Seed(i64),
    /// `mover seat(2)`: who has the first turn.
    Mover(Expr),
    /// `keep order`: shuffles leave the order of piles as it is.
    KeepOrder,
    /// `alone`: only for the game without expansions of others.
    Alone,
    /// `option goal = 12`
    Option { name: Ident, value: Expr },
    /// `given { ... }`: runs instead of `setup`.
    Given(Block),
    /// `chance "Grub", "4"`: the outcomes of the next chance decisions, by key.
    Chance(Vec<Ident>),
    /// `chance from start "Grub"`: the first outcomes of chance in the game.
    FirstChance(Vec<Ident>),
    /// `play "key"`, `play seat(2) "key"`: several keys in a row are several decisions.
    Play { by: Option<Expr>, keys: Vec<Ident> },
    /// `expect EXPR`
    Expect(Expr),
    /// `expect seat(1) asked "prompt"`: who decides now; the text, if given, is part of the prompt.
    ExpectAsked { who: Expr, text: Option<Ident> },
    /// `expect legal "key", "key"`; `expect illegal "key" because "reason"`
    ExpectLegal { not: bool, keys: Vec<Ident>, because: Option<Ident> },
    /// `expect options "a", "b"`: exactly these, in any order.
    ExpectOptions(Vec<Ident>),
    /// `expect seat(2) sees "text"`, `expect seat(2) sees no "text"`
    ExpectSees { who: Expr, not: bool, text: Ident },
    /// `expect turns 1 = 12`: perft from here.
    ExpectTurns { depth: i64, count: i64 },
    /// `expect over`, `expect winner SET`, `expect draw`
    ExpectOver { winners: Option<Expr> },
    /// `snapshot`: records the readable playthrough next to the scenario.
    Snapshot,
}
