//! Scenarios that fail: decisions, steps and statements are left out as long as the same step fails with the same code. What is
//! left out is blanked, so that places stay what they were.

use super::{Watch, smallest};
use crate::base::{FileId, Span};
use crate::model::ScenarioFile;
use crate::model::scenario::{Scenario, ScenarioStep, ScenarioStepKind, titled};
use crate::play::error::PlayError;
use crate::play::game::{Game, Options};
use crate::play::package::Package;
use crate::play::scenario::{Failure, run};
use crate::syntax::ast::{ItemKind, ScenarioStepKind as Written};
use crate::syntax::{format, parse, quote};
use std::ops::Range;
use std::sync::Arc;

/// A scenario made small.
#[derive(Clone, Debug)]
pub struct Small {
    /// The file with it alone.
    pub text: String,
    /// Its title.
    pub title: String,
    /// Decisions, and other parts, that it had and that it has.
    pub before: (usize, usize),
    /// What is left.
    pub after: (usize, usize),
    /// How it fails.
    pub failure: Failure,
}

/// Something that can be left out: where it stands, and what it is.
struct Part {
    at: Range<usize>,
    sort: Sort,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Sort {
    /// A key of the step of this number.
    Key(usize),
    /// A step as a whole.
    Step,
    /// A step or statement that says how the game begins: the game is loaded anew without it.
    Setup,
}

struct Case<'a> {
    package: &'a Package,
    options: &'a Options,
    file: &'a ScenarioFile,
    title: String,
    /// Where the scenario stands.
    whole: Range<usize>,
    /// Where the text of its title stands.
    named: Range<usize>,
    /// Where its steps stand.
    steps: Vec<Range<usize>>,
    parts: Vec<Part>,
    /// The code and place of the failure.
    wanted: (&'static str, String),
}

/// The smallest scenario that fails as the one of a title does, or the first of the file that fails.
///
/// # Errors
/// [`PlayError::Finding`] if none fails; others if the file or game has errors.
pub fn shrink(
    package: &Package,
    options: &Options,
    file: &ScenarioFile,
    title: Option<&str>,
    watch: &Watch<'_>,
) -> Result<Small, PlayError> {
    let game = Game::load_with(package, options, None, Some(file))?;
    let named: Vec<&Scenario> = match title {
        None => game.scenarios.iter().collect(),
        Some(title) => titled(&game.scenarios, title).into_iter().collect(),
    };
    if named.is_empty() {
        let titles: Vec<String> = game.scenarios.iter().map(|scenario| quote(&scenario.title)).collect();
        return Err(PlayError::Usage(format!("the file has no such scenario; it has {}", titles.join(", "))));
    }
    for scenario in named {
        let options: Options = options.clone().into_iter().chain(scenario.options.iter().cloned()).collect();
        let loaded = Arc::new(Game::load_with(package, &options, None, Some(file))?);
        let Some(scenario) = scenario.found_in(&loaded.scenarios) else { continue };
        if !scenario.unfit.is_empty() {
            // Its text is wrong: what is left of it then would fail of nothing, or of the same text.
            let (diagnostics, sources) = (scenario.unfit.clone(), loaded.sources.clone());
            return Err(PlayError::Content { diagnostics, sources });
        }
        let Some(failure) = run(&loaded, scenario).failure else { continue };
        let wanted = (failure.code, failure.place.clone());
        let Some(mut case) = Case::of(package, &options, file, &scenario.title, wanted) else { continue };
        return Ok(case.smallest(&loaded, failure, watch));
    }
    Err(PlayError::Finding("the scenario passes: there is nothing to make smaller".to_owned()))
}

impl<'a> Case<'a> {
    fn of(
        package: &'a Package,
        options: &'a Options,
        file: &'a ScenarioFile,
        title: &str,
        wanted: (&'static str, String),
    ) -> Option<Case<'a>> {
        let tree = parse(FileId(0), &file.text).0;
        let item = tree
            .items
            .into_iter()
            .find(|item| matches!(&item.kind, ItemKind::Scenario { title: own, .. } if own.text == title))?;
        let ItemKind::Scenario { title: own, steps, .. } = item.kind else { return None };
        let mut parts = Vec::new();
        let mut part = |span: Span, sort| parts.push(Part { at: range(span), sort });
        for (index, step) in steps.iter().enumerate() {
            match &step.kind {
                Written::Play { keys, .. } => keys.iter().for_each(|key| part(key.span, Sort::Key(index))),
                Written::Given(block) => {
                    block.stmts.iter().for_each(|stmt| part(stmt.span, Sort::Setup));
                    part(step.span, Sort::Setup);
                }
                Written::Players(_) | Written::Seed(_) | Written::Option { .. } | Written::Mover(_) => {
                    part(step.span, Sort::Setup)
                }
                Written::FirstChance(_) | Written::KeepOrder | Written::Alone => part(step.span, Sort::Setup),
                _ => part(step.span, Sort::Step),
            }
        }
        let (whole, named) = (range(item.span), range(own.span));
        let steps = steps.iter().map(|step| range(step.span)).collect();
        Some(Case { package, options, file, title: title.to_owned(), whole, named, steps, parts, wanted })
    }

    fn smallest(&mut self, game: &Arc<Game>, failure: Failure, watch: &Watch<'_>) -> Small {
        let all: Vec<usize> = (0..self.parts.len()).collect();
        let is_setup =
            |case: &Case<'_>, part: &usize| case.parts.get(*part).is_some_and(|part| part.sort == Sort::Setup);
        let (mut setup, mut steps): (Vec<usize>, Vec<usize>) = all.iter().partition(|part| is_setup(self, part));
        let mut loaded = Arc::clone(game);
        loop {
            steps = smallest(steps.clone(), watch, |kept| self.fails_played(&loaded, kept).then(|| kept.to_vec()));
            let before = setup.len();
            setup = smallest(setup.clone(), watch, |kept| {
                self.fails_loaded(&[kept, steps.as_slice()].concat()).map(|_| kept.to_vec())
            });
            if setup.len() == before || watch.is_over() {
                break;
            }
            // A shorter beginning may need fewer decisions.
            match self.load(
                &[setup.as_slice(), &all.iter().copied().filter(|part| !is_setup(self, part)).collect::<Vec<_>>()]
                    .concat(),
            ) {
                Some(anew) if self.fails_played(&anew, &steps) => loaded = anew,
                _ => break,
            }
        }
        let kept = [setup, steps].concat();
        let failure = self.fails_loaded(&kept).unwrap_or(failure);
        let count = |parts: &[usize]| {
            let keys = parts
                .iter()
                .filter(|part| self.parts.get(**part).is_some_and(|part| matches!(part.sort, Sort::Key(_))));
            let keys = keys.count();
            (keys, parts.len() - keys)
        };
        Small { text: self.alone(&kept), title: self.small_title(), before: count(&all), after: count(&kept), failure }
    }

    /// Whether the same step fails if only these decisions and steps are taken.
    fn fails_played(&self, game: &Arc<Game>, kept: &[usize]) -> bool {
        let Some(scenario) = titled(&game.scenarios, &self.title) else { return false };
        let stays = |span: Span| {
            let at = range(span);
            let part = self.parts.iter().position(|part| part.at == at && part.sort != Sort::Setup);
            part.is_none_or(|part| kept.contains(&part))
        };
        let step = |step: &ScenarioStep| match &step.kind {
            ScenarioStepKind::Play { by, keys } => {
                let keys: Vec<_> = keys.iter().filter(|(_, span)| stays(*span)).cloned().collect();
                let kind = ScenarioStepKind::Play { by: *by, keys };
                matches!(&kind, ScenarioStepKind::Play { keys, .. } if !keys.is_empty())
                    .then_some(ScenarioStep { kind, span: step.span })
            }
            _ => stays(step.span).then(|| step.clone()),
        };
        let steps = scenario.steps.iter().filter_map(step).collect();
        run(game, &Scenario { steps, ..scenario.clone() }).failure.is_some_and(|failure| self.is_same(&failure))
    }

    fn is_same(&self, failure: &Failure) -> bool {
        (failure.code, &failure.place) == (self.wanted.0, &self.wanted.1)
    }

    /// The failure, if the game is loaded with only these parts and the same step fails.
    fn fails_loaded(&self, kept: &[usize]) -> Option<Failure> {
        let game = self.load(kept)?;
        run(&game, titled(&game.scenarios, &self.title)?).failure.filter(|failure| self.is_same(failure))
    }

    fn load(&self, kept: &[usize]) -> Option<Arc<Game>> {
        let file = ScenarioFile { shown: self.file.shown.clone(), text: self.blanked(kept) };
        let game = Game::load_with(self.package, self.options, None, Some(&file)).ok()?;
        // An option that is left out is not set either.
        let own = titled(&game.scenarios, &self.title)?.options.clone();
        let lacks = |(name, value): (&String, &String)| !own.contains(&(name.clone(), value.clone()));
        let fewer = self.options.iter().any(lacks);
        Some(Arc::new(if fewer {
            Game::load_with(self.package, &own.into_iter().collect(), None, Some(&file)).ok()?
        } else {
            game
        }))
    }

    /// What is left out of the text: parts, and steps whose keys are all left out.
    fn left_out(&self, kept: &[usize]) -> impl Iterator<Item = Range<usize>> {
        let kept_of = |sort: Sort| kept.iter().any(|part| self.parts.get(*part).is_some_and(|part| part.sort == sort));
        let out = self.parts.iter().enumerate().filter(|(index, _)| !kept.contains(index));
        let out = out.map(move |(_, part)| match part.sort {
            Sort::Key(step) if !kept_of(part.sort) => self.steps.get(step).cloned().unwrap_or_default(),
            _ => part.at.clone(),
        });
        out.collect::<Vec<_>>().into_iter()
    }

    /// The file with spaces in the place of what is left out.
    fn blanked(&self, kept: &[usize]) -> String {
        let mut bytes = self.file.text.clone().into_bytes();
        for out in self.left_out(kept) {
            for byte in bytes.get_mut(out).into_iter().flatten().filter(|byte| **byte != b'\n') {
                *byte = b' ';
            }
        }
        String::from_utf8(bytes).unwrap_or_default()
    }

    fn small_title(&self) -> String {
        format!("{}, smallest", self.title)
    }

    /// The scenario alone, with what is kept, under a title of its own.
    fn alone(&self, kept: &[usize]) -> String {
        let text = self.blanked(kept);
        let (before, after) = (text.get(self.whole.start..self.named.start), text.get(self.named.end..self.whole.end));
        let text = format!("{}{}{}", before.unwrap_or_default(), quote(&self.small_title()), after.unwrap_or_default());
        let lines: Vec<&str> = text
            .lines()
            .map(str::trim_end)
            .filter(|line| !line.is_empty() && !line.trim_start().starts_with("//"))
            .collect();
        let text = lines.join("\n") + "\n";
        format(&text).unwrap_or(text)
    }
}

fn range(span: Span) -> Range<usize> {
    span.start as usize..span.end as usize
}
