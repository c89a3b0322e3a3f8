//! The checked form of scenarios. Their expressions and `given` blocks are procedures in [`super::rules::Rules::procs`],
//! so that the compiled program can run them like any other.

use super::rules::ProcId;
use crate::base::{Diagnostics, Span};

/// A scenario, checked.
#[derive(Clone, Debug)]
pub struct Scenario {
    /// Its title, unique in its package.
    pub title: String,
    /// Ids of the numbered rules it covers, as the rulebook writes them: `AB-12`.
    pub covers: Vec<String>,
    /// Number of players, if it says so, or if it is of a game that has more of them without an expansion; else the fewest.
    pub players: Option<u8>,
    /// The seed, if it says so; else 1.
    pub seed: Option<u64>,
    /// Options it sets, in words as `--option` takes them. Its procedures are valid only for rules that were loaded
    /// with these options.
    pub options: Vec<(String, String)>,
    /// Who has the first turn of the outermost `turns`, if it says so: a player expression, worked out after `given`.
    pub mover: Option<ProcId>,
    /// Whether every shuffle leaves the order of its pile as it is.
    pub keep_order: bool,
    /// Whether it is for its package alone, but expansions take part that this does not need. It is not run then.
    pub left_out: bool,
    /// The first outcomes of chance in the game, by key.
    pub chance: Vec<String>,
    /// The block that stands in the place of `setup`: statements, no parameters, role flow.
    pub given: Option<ProcId>,
    /// What is done and expected, in order; the steps above are not among them.
    pub steps: Vec<ScenarioStep>,
    /// What is wrong with it under the options that are in force, if these need not be its own. It has no steps then.
    pub unfit: Diagnostics,
    /// The whole scenario; its file is the scenario file.
    pub span: Span,
}

impl Scenario {
    /// The same scenario among those that were loaded with other options.
    pub fn found_in<'a>(&self, scenarios: &'a [Scenario]) -> Option<&'a Scenario> {
        scenarios.iter().find(|other| other.title == self.title && other.span == self.span)
    }
}

/// The scenario of a title, of the game's own package first.
pub fn titled<'a>(scenarios: &'a [Scenario], title: &str) -> Option<&'a Scenario> {
    scenarios.iter().find(|scenario| scenario.title == title)
}

/// A step of a scenario.
#[derive(Clone, Debug)]
pub struct ScenarioStep {
    /// What it does or expects.
    pub kind: ScenarioStepKind,
    /// The step.
    pub span: Span,
}

/// What a step does or expects. Every procedure is an expression without parameters in which `me` is the seat on turn.
#[derive(Clone, Debug)]
#[allow(missing_docs)] // fields are explained by the form they belong to
pub enum ScenarioStepKind {
    /// The outcomes of the next chance decisions, by key.
    Chance(Vec<String>),
    /// Decisions by key, each with its place; `by` is a player expression that must be the one who decides.
    Play { by: Option<ProcId>, keys: Vec<(String, Span)> },
    /// A flag expression that must hold.
    Expect(ProcId),
    /// Who decides now, and words that the prompt must have.
    ExpectAsked { who: ProcId, text: Option<String> },
    /// Keys that must be (or with `not`, must not be) legal, and words of the reason why not.
    ExpectLegal { not: bool, keys: Vec<(String, Span)>, because: Option<String> },
    /// Exactly the keys that must be legal.
    ExpectOptions(Vec<(String, Span)>),
    /// Words that a seat's view must have, or with `not` must not have.
    ExpectSees { who: ProcId, not: bool, text: String },
    /// The number of distinct sequences of so many turns from here.
    ExpectTurns { depth: i64, count: i64 },
    /// The game is over, won by exactly these players (a player set expression; the empty set is a draw).
    ExpectOver { winners: Option<ProcId> },
    /// Records the readable playthrough.
    Snapshot,
}
