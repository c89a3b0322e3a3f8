//! Scenarios.

use super::super::ast::{Expr, ExprKind, Ident, ItemKind, ScenarioStep, ScenarioStepKind};
use super::super::grammar::{Kids, Part, Rule};
use super::Builder;

impl Builder<'_> {
    /// The parts of a scenario.
    pub(super) fn scenario(&mut self, mut kids: Kids<'_>) -> ItemKind {
        let title = self.ident(kids.next());
        let covers = kids.take(Rule::covers);
        let covers = covers.map_or_else(Vec::new, |ids| Kids::of(ids).list(Rule::rule_id, |id| self.ident(Some(id))));
        ItemKind::Scenario { title, covers, steps: kids.list(Rule::step, |step| self.step(step)) }
    }

    /// A step.
    pub(in super::super) fn step(&mut self, part: Part<'_>) -> ScenarioStep {
        let span = self.span(&part);
        let form = Kids::of(part).next();
        ScenarioStep { kind: form.map_or(ScenarioStepKind::Snapshot, |form| self.step_kind(form)), span }
    }

    fn step_kind(&mut self, form: Part<'_>) -> ScenarioStepKind {
        let rule = form.as_rule();
        let mut kids = Kids::of(form);
        match rule {
            Rule::t_players => ScenarioStepKind::Players(self.number(kids.next())),
            Rule::t_seed => ScenarioStepKind::Seed(self.number(kids.next())),
            Rule::t_mover => ScenarioStepKind::Mover(self.expr(kids.next())),
            Rule::t_keep => ScenarioStepKind::KeepOrder,
            Rule::t_alone => ScenarioStepKind::Alone,
            Rule::t_option => ScenarioStepKind::Option { name: self.ident(kids.next()), value: self.expr(kids.next()) },
            Rule::t_given => ScenarioStepKind::Given(self.block(kids.next())),
            Rule::t_chance => {
                let first = kids.take(Rule::from_start).is_some();
                let outcomes = self.texts(kids.next());
                if first { ScenarioStepKind::FirstChance(outcomes) } else { ScenarioStepKind::Chance(outcomes) }
            }
            Rule::t_play => {
                let by = kids.take(Rule::plain_post).map(|by| self.expr(Some(by)));
                ScenarioStepKind::Play { by, keys: self.texts(kids.next()) }
            }
            Rule::t_expect => kids.next().map_or(ScenarioStepKind::Snapshot, |form| self.expectation(form)),
            _ => ScenarioStepKind::Snapshot,
        }
    }

    fn expectation(&mut self, form: Part<'_>) -> ScenarioStepKind {
        let rule = form.as_rule();
        let span = self.span(&form);
        let mut kids = Kids::of(form);
        match rule {
            Rule::e_legal => {
                let not = kids.has(Rule::k_illegal);
                let keys = self.texts(kids.next());
                ScenarioStepKind::ExpectLegal { not, keys, because: self.inner_ident(kids.next()) }
            }
            Rule::e_options => ScenarioStepKind::ExpectOptions(self.texts(kids.next())),
            Rule::e_winner => ScenarioStepKind::ExpectOver { winners: Some(self.expr(kids.next())) },
            Rule::e_over => ScenarioStepKind::ExpectOver { winners: None },
            // A draw is an end that nobody wins.
            Rule::e_draw => {
                let nobody = Expr { kind: ExprKind::Name("nothing".to_owned()), span };
                ScenarioStepKind::ExpectOver { winners: Some(nobody) }
            }
            Rule::e_turns => {
                ScenarioStepKind::ExpectTurns { depth: self.number(kids.next()), count: self.number(kids.next()) }
            }
            _ => self.expected_expr(kids),
        }
    }

    fn expected_expr(&mut self, mut kids: Kids<'_>) -> ScenarioStepKind {
        let value = self.expr(kids.next());
        if let Some(asked) = kids.take(Rule::asked) {
            return ScenarioStepKind::ExpectAsked { who: value, text: self.inner_text(asked) };
        }
        if let Some(sees) = kids.take(Rule::sees) {
            let mut inner = Kids::of(sees);
            let not = inner.has(Rule::k_no);
            return ScenarioStepKind::ExpectSees { who: value, not, text: self.ident(inner.next()) };
        }
        ScenarioStepKind::Expect(value)
    }

    fn inner_text(&self, part: Part<'_>) -> Option<Ident> {
        Kids::of(part).next().map(|text| self.ident(Some(text)))
    }

    fn texts(&self, part: Option<Part<'_>>) -> Vec<Ident> {
        part.map_or_else(Vec::new, |texts| Kids::of(texts).list(Rule::text, |text| self.ident(Some(text))))
    }
}
