//! Scenarios: their steps are checked like any other text, and their expressions become procedures.

use std::collections::{BTreeMap, BTreeSet};

use super::body::Body;
use super::check::Checker;
use super::rules::{ProcId, ProcRole, Ty};
use super::scenario::{Scenario, ScenarioStep, ScenarioStepKind};
use crate::base::{Code, Diagnostic, Span, spoken};
use crate::syntax::ast::{self, ExprKind, Ident, ScenarioStepKind as Step};

/// What has been read of a scenario before its first action.
struct Opening {
    scenario: Scenario,
    /// Whether something was played or expected.
    begun: bool,
    seen: Vec<&'static str>,
}

impl Checker<'_> {
    /// Checks all scenarios.
    pub(super) fn check_scenarios(&mut self) {
        let of_rules = std::mem::take(&mut self.diagnostics);
        // A title is that of one scenario of its package.
        let mut titles: BTreeMap<(Option<&str>, String), Span> = BTreeMap::new();
        for (title, covers, steps, span) in std::mem::take(&mut self.items.scenarios) {
            let package = self.package_of(title.span).map(|package| package.header.name.as_str());
            match titles.get(&(package, title.text.clone())) {
                Some(first) => {
                    let found = Diagnostic::new(
                        Code::Duplicate,
                        title.span,
                        format!("there are two scenarios \"{}\"", title.text),
                    )
                    .label(*first, "the first is here");
                    self.report(found);
                }
                None => {
                    titles.insert((package, title.text.clone()), title.span);
                }
            }
            self.check_covers(covers);
            let before = (self.diagnostics.len(), self.rules.procs.len(), self.rules.clauses.len());
            let mut scenario = self.scenario(title, covers, steps, span);
            scenario.players = scenario.players.or_else(|| self.fewest_alone(span));
            let elsewhere = self.is_elsewhere(&scenario);
            self.set_aside(&mut scenario, before, elsewhere);
            self.scenarios.push(scenario);
        }
        self.of_scenarios = std::mem::replace(&mut self.diagnostics, of_rules);
    }

    /// Whether other options or packages may be in force than those that a scenario is about.
    fn is_elsewhere(&self, scenario: &Scenario) -> bool {
        self.chosen || self.of_changed_game(scenario.span) || scenario.left_out || !scenario.options.is_empty()
    }

    /// What the checks of the whole model have found in scenarios does not hinder play either.
    pub(super) fn set_aside_late(&mut self) {
        let mut scenarios = std::mem::take(&mut self.scenarios);
        for scenario in &mut scenarios {
            let within = |found: &mut Diagnostic| found.is_error() && scenario.span.covers(found.span);
            let found: Vec<Diagnostic> = self.diagnostics.extract_if(.., within).collect();
            if found.is_empty() {
                continue;
            }
            (scenario.given, scenario.mover) = (None, None);
            scenario.steps.clear();
            if !self.is_elsewhere(scenario) {
                self.of_scenarios.extend(found.iter().cloned());
            }
            scenario.unfit.extend(found);
        }
        self.scenarios = scenarios;
    }

    /// Whether a scenario is about a game that an expansion changes: what it names may be gone.
    fn of_changed_game(&self, span: Span) -> bool {
        let own = self.package_of(span).is_some_and(|package| package.expansion);
        !own && self.packages.iter().any(|package| package.expansion)
    }

    /// With how many players a scenario of a game begins that is for fewer with an expansion.
    fn fewest_alone(&self, span: Span) -> Option<u8> {
        let own = self.package_of(span).filter(|package| !package.expansion)?;
        self.rules.player_counts().into_iter().find(|count| *count >= own.header.fewest)
    }

    /// Whether expansions take part that the package of a scenario is not made for.
    fn in_company(&self, span: Span) -> bool {
        let Some(own) = self.package_of(span) else { return false };
        let mut wanted = vec![own];
        let mut known = BTreeSet::from([own.header.name.as_str()]);
        while let Some(package) = wanted.pop() {
            let needs =
                package.needs.iter().filter_map(|name| self.packages.iter().find(|one| one.header.name == *name));
            wanted.extend(needs.filter(|package| known.insert(package.header.name.as_str())));
        }
        self.packages.iter().any(|package| package.expansion && !known.contains(package.header.name.as_str()))
    }

    /// The mistakes of a scenario do not hinder play: they are kept with it, and what came of it is forgotten. It may
    /// also name sites that boards of other sizes do not have; so they are reported only under its own options, which
    /// are known when it is run, and not where others are in force.
    fn set_aside(
        &mut self,
        scenario: &mut Scenario,
        (findings, procs, clauses): (usize, usize, usize),
        others_in_force: bool,
    ) {
        if self.diagnostics.iter().skip(findings).any(Diagnostic::is_error) {
            scenario.unfit = self.diagnostics.iter().skip(findings).filter(|found| found.is_error()).cloned().collect();
            if others_in_force {
                self.diagnostics.truncate(findings);
            }
            (scenario.given, scenario.mover) = (None, None);
            scenario.steps.clear();
            self.rules.procs.truncate(procs);
            self.logs.truncate(procs);
            self.rules.clauses.truncate(clauses);
        }
    }

    fn check_covers(&mut self, covers: &[Ident]) {
        let books: Vec<_> = self.packages.iter().filter_map(|package| package.rulebook.as_ref()).collect();
        for id in covers.iter().filter(|_| !books.is_empty()) {
            if !books.iter().any(|book| book.contains(&id.text)) {
                let found = Diagnostic::new(
                    Code::UnknownRuleNumber,
                    id.span,
                    format!("the rulebook has no rule `{}`", id.text),
                );
                let known = books.iter().flat_map(|book| book.iter()).map(String::as_str);
                let found = self.suggest(found, &id.text, known);
                self.report(found);
            }
        }
    }

    fn scenario(&mut self, title: &Ident, covers: &[Ident], steps: &[ast::ScenarioStep], span: Span) -> Scenario {
        let mut opening = Opening {
            scenario: Scenario {
                title: title.text.clone(),
                covers: covers.iter().map(|id| id.text.clone()).collect(),
                players: None,
                seed: None,
                options: Vec::new(),
                mover: None,
                keep_order: false,
                left_out: false,
                chance: Vec::new(),
                given: None,
                steps: Vec::new(),
                unfit: Vec::new(),
                span,
            },
            begun: false,
            seen: Vec::new(),
        };
        for step in steps {
            if self.opening_step(&mut opening, step) {
                continue;
            }
            opening.begun = true;
            if let Some(kind) = self.step(step) {
                opening.scenario.steps.push(ScenarioStep { kind, span: step.span });
            }
        }
        opening.scenario
    }

    /// Steps that describe the beginning.
    fn opening_step(&mut self, opening: &mut Opening, step: &ast::ScenarioStep) -> bool {
        let word = match &step.kind {
            Step::Players(_) => "players",
            Step::Seed(_) => "seed",
            Step::Mover(_) => "mover",
            Step::KeepOrder => "keep order",
            Step::Alone => "alone",
            Step::FirstChance(_) => "chance from start",
            Step::Given(_) => "given",
            Step::Option { .. } => "option",
            _ => return false,
        };
        if opening.begun {
            let found = Diagnostic::new(
                Code::ScenarioOrder,
                step.span,
                format!("`{word}` stands before what is played and expected"),
            );
            self.report(found);
        }
        if word != "option" && opening.seen.contains(&word) {
            self.error(Code::ScenarioOrder, step.span, format!("`{word}` is given twice"));
        }
        opening.seen.push(word);
        match &step.kind {
            Step::Players(count) => {
                if !self.rules.player_counts().iter().any(|known| i64::from(*known) == *count) {
                    let range = self.rules.counts_in_words();
                    let message = format!("this game is for {range}, not {count}");
                    self.error(Code::OutOfRange, step.span, message);
                }
                opening.scenario.players = u8::try_from(*count).ok();
            }
            Step::Seed(seed) => opening.scenario.seed = Some(seed.unsigned_abs()),
            Step::Mover(who) => opening.scenario.mover = Some(self.mover_step(who)),
            Step::KeepOrder => opening.scenario.keep_order = true,
            Step::Alone => opening.scenario.left_out = self.in_company(step.span),
            Step::FirstChance(keys) => opening.scenario.chance = keys.iter().map(|key| key.text.clone()).collect(),
            Step::Given(block) => {
                let mut body = Body::new("given", ProcRole::Flow, block.span);
                body.me = false;
                let stmts = self.block(&mut body, block);
                opening.scenario.given = Some(self.finish_block(body, stmts));
            }
            Step::Option { name, value } => {
                if let Some(text) = self.option_text(name, value) {
                    opening.scenario.options.push((name.text.clone(), text));
                }
            }
            _ => {}
        }
        true
    }

    /// `mover P`
    fn mover_step(&mut self, who: &ast::Expr) -> ProcId {
        if !self.rules.spans.iter().any(|span| span.outermost) {
            let found = Diagnostic::new(Code::NoTurns, who.span, "this game has no `turns` that anybody could begin");
            self.report(found);
        }
        self.step_expr(who, &Ty::Player)
    }

    /// What a scenario sets an option to, in words.
    fn option_text(&mut self, name: &Ident, value: &ast::Expr) -> Option<String> {
        let Some(option) = self.rules.options.iter().find(|option| option.name == name.text).cloned() else {
            let message = format!("this game has no option `{}`", name.text);
            let found = Diagnostic::new(Code::UnknownOption, name.span, message);
            let found = self.suggest(found, &name.text, self.rules.options.iter().map(|option| option.name.as_str()));
            self.report(found);
            return None;
        };
        self.means(name);
        let text = match &value.kind {
            ExprKind::Name(word) => {
                self.means_option_value(&option, word, value.span);
                word.clone()
            }
            _ => self.constant(value, &option.ty)?.to_string(),
        };
        if let Err(message) = super::consts::option_value(&self.rules, &option, &text) {
            let found = Diagnostic::new(Code::BadOptionValue, value.span, message).label(option.span, "declared here");
            self.report(found);
            return None;
        }
        Some(text)
    }

    /// The player of whom something is expected; reports what else is expected with it.
    fn expected_of(&mut self, who: &ast::Expr, word: &str) -> ProcId {
        let ExprKind::Binary(ast::BinaryOp::And, other, last) = &who.kind else {
            return self.step_expr(who, &Ty::Player);
        };
        let between = Span { start: other.span.end, end: last.span.start, ..who.span };
        let found = Diagnostic::new(Code::WrongType, between, format!("`{word}` is said in an `expect` of its own"))
            .help(format!("write two: `expect ...`, and `expect ... {word}`"))
            .mend(between, "\n  expect ");
        self.report(found);
        self.step_expr(last, &Ty::Player)
    }

    /// Steps that do or expect something.
    fn step(&mut self, step: &ast::ScenarioStep) -> Option<ScenarioStepKind> {
        let texts = |keys: &[Ident]| keys.iter().map(|key| key.text.clone()).collect::<Vec<_>>();
        let spanned = |keys: &[Ident]| keys.iter().map(|key| (key.text.clone(), key.span)).collect::<Vec<_>>();
        Some(match &step.kind {
            Step::Chance(keys) => ScenarioStepKind::Chance(texts(keys)),
            Step::Play { by: Some(ast::Expr { kind: ast::ExprKind::Name(name), span }), keys: rest }
                if matches!(self.names.get(name), Some(super::collect::Decl::Action(_))) =>
            {
                let key = rest.first().map_or(String::new(), |key| format!(" {}", key.text));
                let found =
                    Diagnostic::new(Code::UnknownAction, *span, "what is chosen is one text, the action with it");
                self.report(found.help(format!("write `play \"{}{key}\"`", spoken(name))));
                return None;
            }
            Step::Play { by, keys } => {
                let by = by.as_ref().map(|by| self.step_expr(by, &Ty::Player));
                ScenarioStepKind::Play { by, keys: spanned(keys) }
            }
            Step::Expect(cond) => ScenarioStepKind::Expect(self.step_expr(cond, &Ty::Flag)),
            Step::ExpectAsked { who, text } => {
                let who = self.expected_of(who, "asked");
                ScenarioStepKind::ExpectAsked { who, text: text.as_ref().map(|text| text.text.clone()) }
            }
            Step::ExpectLegal { not, keys, because } => ScenarioStepKind::ExpectLegal {
                not: *not,
                keys: spanned(keys),
                because: because.as_ref().map(|because| because.text.clone()),
            },
            Step::ExpectOptions(keys) => ScenarioStepKind::ExpectOptions(spanned(keys)),
            Step::ExpectSees { who, not, text } => {
                let who = self.expected_of(who, "sees");
                ScenarioStepKind::ExpectSees { who, not: *not, text: text.text.clone() }
            }
            Step::ExpectTurns { depth, count } => ScenarioStepKind::ExpectTurns { depth: *depth, count: *count },
            Step::ExpectOver { winners } => {
                let winners = winners.as_ref().map(|winners| self.step_expr(winners, &Ty::Player.set()));
                ScenarioStepKind::ExpectOver { winners }
            }
            Step::Snapshot => ScenarioStepKind::Snapshot,
            Step::Players(_)
            | Step::Seed(_)
            | Step::Mover(_)
            | Step::KeepOrder
            | Step::Alone
            | Step::FirstChance(_)
            | Step::Option { .. }
            | Step::Given(_) => return None,
        })
    }

    fn step_expr(&mut self, written: &ast::Expr, ty: &Ty) -> ProcId {
        let mut body = Body::new("expect", ProcRole::Pure, written.span);
        let expr = self.expr_of(&mut body, written, ty);
        self.finish_expr(body, expr)
    }
}
