//! What the `expect` of a scenario comes to: its values, what they are made of, and how they came about.

use super::{Runner, begin, options_of};
use crate::base::{FileId, Span};
use crate::model::rules::ProcId;
use crate::model::scenario::{Scenario, ScenarioStepKind};
use crate::play::game::Game;
use crate::play::why;
use std::cell::OnceCell;
use std::sync::Arc;

impl Runner<'_> {
    /// What a condition reads, with its parts and their content lines, and the chain of rules, cards and choices behind its counters
    /// and marks.
    pub(super) fn made_of(&mut self, condition: ProcId) -> Vec<String> {
        let (machine, state) = self.session.parts();
        let Ok(told) = machine.break_down_proc(state, condition) else { return Vec::new() };
        let mut lines: Vec<String> = why::lines(self.game, &told).into_iter().skip(1).collect();
        lines.extend(self.session.traced(&told));
        lines
    }
}

/// The `expect` at a place of a text, and in lines what it comes to now: whether it holds, and why. None if none stands there.
pub fn expected(game: &Arc<Game>, file: FileId, offset: u32) -> Option<(Span, Vec<String>)> {
    let holds = |span: Span| span.file == file && (span.start..span.end).contains(&offset);
    let scenario = game.scenarios.iter().find(|scenario| holds(scenario.span) && !scenario.left_out)?;
    let options = options_of(game, scenario);
    let game = match options == game.options {
        true => Arc::clone(game),
        false => Arc::new(Game::load(&game.package, &options, game.variant.as_deref()).ok()?),
    };
    let scenario = scenario.found_in(&game.scenarios)?;
    let step = scenario.steps.iter().position(|step| holds(step.span) && expects(&step.kind))?;
    let span = scenario.steps.get(step)?.span;
    let told = told(&game, scenario, step).unwrap_or_else(|message| message.lines().map(str::to_owned).collect());
    Some((span, told))
}

fn expects(kind: &ScenarioStepKind) -> bool {
    use ScenarioStepKind::{Chance, Play, Snapshot};
    !matches!(kind, Chance(_) | Play { .. } | Snapshot)
}

/// What a step comes to when all before it was played; what was expected before changes nothing.
fn told(game: &Arc<Game>, scenario: &Scenario, step: usize) -> Result<Vec<String>, String> {
    let session = begin(game, scenario).map_err(|error| error.to_string())?;
    let mut runner = Runner { game, session, snapshot: false, forced: None, vocabulary: OnceCell::new() };
    let (before, rest) = scenario.steps.split_at(step);
    for step in before.iter().filter(|step| !expects(&step.kind)) {
        runner.step(step).map_err(|wrong| wrong.message)?;
    }
    let Some(step) = rest.first() else { return Ok(Vec::new()) };
    if let ScenarioStepKind::Expect(condition) = step.kind {
        let truth = runner.eval(condition).map_err(|wrong| wrong.message)?.truth();
        let head = if truth { "this holds:" } else { "this does not hold:" };
        return Ok(std::iter::once(head.to_owned()).chain(runner.made_of(condition)).collect());
    }
    runner.step(step).map_err(|wrong| wrong.message)?;
    Ok(vec!["this holds".to_owned()])
}
