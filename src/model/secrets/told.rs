//! What statements do with what is derived from hidden cards: show it, keep it, or give it to another procedure.

use super::flow::{Call, Facts, Flow, Sink, Source, Summary, Who};
use super::shown::{is_whole, one_local};
use super::{SET, Watch};
use crate::base::Span;
use crate::model::rules::walk::each_block;
use crate::model::rules::{
    Act, Choose, CreateValue, Destination, Expr, LocalId, Offer, ProcId, ProcRole, PropId, Qty, Respond, Showing, Stmt,
    StmtKind, Template, TemplatePart, Ty, VerbId,
};
use std::collections::BTreeSet;

const OPTIONS: &str = "the options";
pub(super) const QUESTION: &str = "the question";
pub(super) const LINE: &str = "a line that all read";
const NOTATION: &str = "the notation of the action";
const OFFERED: &str = "whether the action is offered";
pub(super) const ASKED: &str = "who is asked";
pub(super) const SHOWN: &str = "to whom something is shown";
const CLOSED: &str = "when the window closes";
const VALID: &str = "whether the offer stands";

impl<'r> Watch<'r> {
    pub(super) fn block(&mut self, stmts: &'r [Stmt]) {
        for stmt in stmts {
            self.stmt(stmt);
        }
    }

    /// What stands under a condition: a local that is set there is derived from it.
    fn under(&mut self, cond: &Flow, run: impl FnOnce(&mut Self)) {
        let outer = self.under.clone();
        self.under.extend(cond.facts.iter().map(|(source, origin)| (*source, *origin)));
        run(self);
        self.under = outer;
    }

    /// One of two ways.
    fn either(&mut self, one: impl FnOnce(&mut Self), other: impl FnOnce(&mut Self)) {
        let before = self.shown.clone();
        let mut first = None;
        self.branches(one, |watch| {
            first = Some(std::mem::replace(&mut watch.shown, before));
            other(watch);
        });
        // Only what both reveal has been revealed behind them.
        if let Some(first) = first {
            self.shown.both(&first);
        }
    }

    /// The same, but for what they reveal.
    fn branches(&mut self, one: impl FnOnce(&mut Self), other: impl FnOnce(&mut Self)) {
        let before = self.locals.clone();
        one(self);
        let first = std::mem::replace(&mut self.locals, before);
        other(self);
        self.locals = first.into_iter().zip(&self.locals).map(|(first, other)| first.or(other)).collect();
    }

    /// What is done any number of times, until it makes no difference to do it once more.
    fn again(&mut self, run: &mut dyn FnMut(&mut Self)) {
        for _ in 0..4 {
            let before = self.locals.clone();
            self.branches(&mut *run, |_| {});
            if self.locals == before {
                break;
            }
        }
    }

    /// What is set here, with the conditions it is set under.
    pub(super) fn set(&self, flow: Flow) -> Flow {
        self.set_since(flow, &Facts::new())
    }

    /// The same of a local. What is declared under a condition is known only there: it tells no more than that it is so.
    fn set_local(&self, local: LocalId, flow: Flow) -> Flow {
        match self.declared.get(local.index()) {
            Some(Some(around)) => self.set_since(flow, around),
            _ => flow,
        }
    }

    /// The same, without conditions that are known.
    fn set_since(&self, mut flow: Flow, known: &Facts) -> Flow {
        for (source, origin) in self.under.iter().filter(|(source, _)| !known.contains_key(source)) {
            flow.facts.entry(*source).or_insert(*origin);
        }
        flow
    }

    /// Who chooses: `me` unless the text says who. All notice who is asked.
    fn chooser(&mut self, by: Option<&'r Expr>) -> Who {
        let Some(by) = by else { return Who::Me };
        let flow = self.expr(by);
        self.at = by.span;
        self.refuse(&flow, None, ASKED);
        flow.who.unwrap_or(Who::Unknown)
    }

    fn told(&mut self, value: Option<&'r Expr>, reader: Option<Who>, what: &'static str) {
        if let Some(value) = value {
            let flow = self.expr(value);
            self.at = value.span;
            self.refuse(&flow, reader, what);
        }
    }

    fn text(&mut self, text: Option<&'r Template>, reader: Option<Who>, what: &'static str) {
        for part in text.iter().flat_map(|text| &text.parts) {
            if let TemplatePart::Value(value) = part {
                self.told(Some(value), reader, what);
            }
        }
    }

    /// How the whole move is written: with all that the body has bound.
    pub(super) fn notation(&mut self) {
        let rules = self.rules;
        let Some(action) = self.about.actions.get(&self.proc).and_then(|id| rules.actions.get(id.index())) else {
            return;
        };
        self.text(action.notation.as_ref(), None, NOTATION);
    }

    fn choose(&mut self, choose: &'r Choose) {
        let by = self.chooser(choose.by.as_ref());
        self.choose_by(choose, by);
    }

    /// A card that is called by its name is offered by where it lies, which tells where that card is.
    fn places(&mut self, domain: &Flow, written: &Expr) {
        if let (true, Ty::Entity(kind)) = (domain.named, written.ty.element().bare()) {
            let facts = self.may_hold(*kind).map(|zone| (Source::Zone(zone, Who::Unknown), written.span.into()));
            let facts = Flow { facts: facts.collect(), ..Flow::default() };
            self.refuse(&facts, Some(Who::Unknown), OPTIONS);
        }
    }

    fn choose_by(&mut self, choose: &'r Choose, by: Who) {
        let domain = self.expr(&choose.domain);
        self.at = choose.domain.span;
        self.refuse(&domain, Some(by), OPTIONS);
        self.places(&domain, &choose.domain);
        if let Qty::Between(low, high) = &choose.qty {
            for bound in std::iter::once(low).chain(high) {
                self.told(Some(bound), Some(by), OPTIONS);
            }
        }
        self.text(choose.prompt.as_ref(), Some(by), QUESTION);
        self.pick(choose.local, Flow::default().like(&domain));
    }

    /// Where an action is offered more than once, the keys tell its arguments; a question has no words.
    fn acts(&mut self, acts: &[&'r Act], by: Who) {
        for act in acts {
            let told = acts.iter().filter(|other| other.action == act.action).count() > 1;
            let args = self.all(&act.args);
            for (arg, flow) in act.args.iter().zip(&args) {
                if told && !matches!(arg.ty.bare(), Ty::Lambda(..) | Ty::Effect(_)) {
                    self.at = arg.span;
                    self.refuse(flow, Some(by), OPTIONS);
                }
            }
            if let Some(action) = self.rules.actions.get(act.action.index()) {
                self.call(action.body, &args, None, by, act.span);
            }
        }
    }

    /// What another procedure does with what it is given here.
    pub(super) fn call(&mut self, proc: ProcId, args: &[Flow], card: Option<&Flow>, me: Who, span: Span) {
        let Some(summary) = self.summaries.get(proc.index()).cloned() else { return };
        self.give(&summary, args, card, me, span);
    }

    fn give(&mut self, summary: &Summary, args: &[Flow], card: Option<&Flow>, me: Who, span: Span) {
        self.depends = true;
        let call = Call { args, card, me, this: Who::Unknown, span };
        let whom = |who: &Option<Who>| who.map(|who| call.whom(who));
        for ((source, sink), (at, there)) in &summary.demands {
            let sink = match sink {
                Sink::Told(reader, what) => Sink::Told(whom(reader), what),
                Sink::Kept(prop, owner) => Sink::Kept(*prop, whom(owner)),
                Sink::KeptCards(prop, owner) => Sink::KeptCards(*prop, whom(owner)),
            };
            let later = matches!(sink, Sink::Kept(..) | Sink::KeptCards(..) | Sink::Told(_, SET));
            for from in call.sources(*source, *at) {
                if later {
                    self.keeps.push((from, sink, Some(*there)));
                } else {
                    self.sink(from, sink, Some(*there));
                }
            }
        }
        for (source, to) in &summary.reveals {
            let sources = call.sources(*source, span.into()).into_iter();
            self.shown.cards.extend(sources.map(|(source, _)| (source, whom(to))));
        }
    }

    /// A verb runs, with all that stands on it.
    fn verb(&mut self, verb: VerbId, args: &[Option<Expr>], own: &[Flow], span: Span) {
        let Some(found) = self.rules.verbs.get(verb.index()) else { return };
        let mut flows: Vec<Flow> = Vec::new();
        for (index, param) in found.params.iter().enumerate() {
            let flow = match (args.get(index), param.default, own.get(index)) {
                (Some(Some(arg)), ..) => self.expr(arg),
                (_, _, Some(own)) => own.clone(),
                (_, Some(default), None) => self.called(default, &flows, (Who::Me, None), span),
                _ => Flow::default(),
            };
            flows.push(flow);
        }
        for (proc, me) in self.about.verbs.get(&verb).into_iter().flatten() {
            self.call(*proc, &flows, None, *me, span);
        }
        let lays = self.summaries.get(found.body.index()).map(|body| body.lays.clone()).unwrap_or_default();
        for index in lays {
            let laid = flows.get_mut(index).map(std::mem::take).unwrap_or_default();
            self.laid.extend(laid.cards);
            if let Some(local) = args.get(index).and_then(Option::as_ref).and_then(one_local) {
                self.bind(local, Flow::default());
            }
        }
        let reveals = self.summaries.get(found.body.index()).map(|body| body.reveals.clone()).unwrap_or_default();
        for (source, _) in reveals {
            let Source::Cards(index) = source else { continue };
            if let Some(local) = args.get(index).and_then(Option::as_ref).and_then(one_local) {
                self.reveal_local(local);
            }
        }
        for (proc, me) in self.about.afters.get(&verb).into_iter().flatten() {
            self.call(*proc, &flows, None, *me, span);
        }
    }

    /// What the texts do that cards have in a field.
    fn effect(&mut self, of: &'r Expr, field: PropId, args: &'r [Expr], by: Who, span: Span) {
        let (card, args) = (self.expr(of), self.all(args));
        if !self.effects.contains_key(&field) {
            let mut all = Summary::default();
            for proc in self.about.effects.get(&field).into_iter().flatten() {
                self.summaries.get(proc.index()).into_iter().for_each(|summary| {
                    all.join(summary);
                });
            }
            self.effects.insert(field, all);
        }
        let all = self.effects.get(&field).cloned().unwrap_or_default();
        self.give(&all, &args, Some(&card), by, span);
    }

    /// Puts a value into a property of something. What becomes of it is settled at the end of the procedure: by then the
    /// cards that it was worked out from may lie open.
    fn put(&mut self, prop: PropId, of: Option<&Expr>, value: &Expr, span: Span) {
        let (of, flow) = (of.map(|of| self.expr(of)).unwrap_or_default(), self.expr(value));
        // A card in a mark is called by its name only where it is known.
        let is_card = matches!(value.ty.element().bare(), Ty::Entity(_));
        // A question is not shown: only its answers tell.
        let asked = matches!(value.ty.bare(), Ty::Lambda(..));
        let open = self.is_open(prop);
        let sink = match (open || self.is_listed(prop)) && !is_card && !asked {
            true => Sink::Told(None, SET),
            false => Sink::Kept(prop, of.who),
        };
        // What a card has is as well known as the card, unless all may read it.
        let own: BTreeSet<Source> = of.cards.iter().filter(|_| !open).map(|source| source.whole()).collect();
        let other = flow.facts.iter().filter(|(source, _)| !own.contains(&source.whole()));
        self.keeps.extend(other.map(|(source, origin)| ((*source, *origin), sink, Some(value.span))));
        let cards = flow.cards.iter().map(|source| (*source, span.into()));
        self.keeps.extend(cards.map(|from| (from, Sink::KeptCards(prop, of.who), Some(value.span))));
    }

    /// What was put into properties and does not lie open at the end, or where somebody decides.
    pub(super) fn keep_all(&mut self) {
        for (from, sink, there) in std::mem::take(&mut self.keeps) {
            if !self.shown.is_among(&self.laid, from.0) {
                self.sink(from, sink, there);
            }
        }
    }

    fn offer(&mut self, offer: &'r Offer) {
        self.bind(offer.maker, Flow::default().by(Who::Me));
        self.told(Some(&offer.to), None, ASKED);
        for terms in &offer.terms {
            self.choose_by(terms, Who::Me);
        }
        self.told(offer.counters.as_ref(), None, OPTIONS);
        self.told(offer.valid.as_ref(), None, VALID);
        self.text(offer.prompt.as_ref(), None, QUESTION);
        self.either(|watch| watch.block(&offer.accepted), |watch| watch.block(&offer.refused));
    }

    fn respond(&mut self, respond: &'r Respond) {
        self.told(Some(&respond.from), None, ASKED);
        self.told(respond.among.as_ref(), None, ASKED);
        self.told(respond.until.as_ref(), None, CLOSED);
        self.told(respond.silent.as_ref(), None, ASKED);
        self.acts(&respond.acts.iter().collect::<Vec<_>>(), Who::Me);
        self.text(respond.prompt.as_ref(), Some(Who::Me), QUESTION);
    }

    /// Statements that ask somebody. The first choice of an action is offered with it, so that it may not stand under a
    /// condition on hidden cards.
    fn asks(&mut self, stmt: &'r Stmt) {
        // While somebody decides all see what is kept; what is laid openly later comes too late, and what lay in a zone may be
        // other cards then.
        self.keep_all();
        self.laid.retain(|source| !matches!(source, Source::Zone(..)));
        if self.role == ProcRole::Action && !std::mem::replace(&mut self.chosen, true) {
            let under = self.set(Flow::default());
            self.at = stmt.span;
            self.refuse(&under, Some(Who::Me), OPTIONS);
        }
        match &stmt.kind {
            StmtKind::Choose(choose) => self.choose(choose),
            StmtKind::ChooseAction { by, acts, or_else, prompt } => {
                let by = self.chooser(by.as_ref());
                self.acts(&acts.iter().chain(or_else).collect::<Vec<_>>(), by);
                self.text(prompt.as_ref(), Some(by), QUESTION);
            }
            StmtKind::ChooseOption { by, arms, prompt } => {
                let by = self.chooser(by.as_ref());
                self.text(prompt.as_ref(), Some(by), QUESTION);
                for arm in arms {
                    self.told(arm.cond.as_ref(), Some(by), OPTIONS);
                    self.either(|watch| watch.block(&arm.body), |_| {});
                }
            }
            StmtKind::Respond(respond) => self.respond(respond),
            StmtKind::Offer(offer) => self.offer(offer),
            StmtKind::ChooseOrder { by, local, domain, prompt } => {
                let by = self.chooser(by.as_ref());
                self.at = domain.span;
                let domain = self.expr(domain);
                self.refuse(&domain, Some(by), OPTIONS);
                self.text(prompt.as_ref(), Some(by), QUESTION);
                self.pick(*local, Flow::default().like(&domain));
            }
            StmtKind::ChooseSplit { by, local, domain, among, prompt, .. } => {
                let by = self.chooser(by.as_ref());
                self.at = domain.span;
                let (domain, among) = (self.expr(domain), self.expr(among));
                self.refuse(&domain, Some(by), OPTIONS);
                self.refuse(&among, Some(by), OPTIONS);
                self.text(prompt.as_ref(), Some(by), QUESTION);
                self.pick(*local, Flow::default().like(&domain));
            }
            StmtKind::Gate { by, prompt, chooses, pay, body, or_else, .. } => {
                chooses.iter().for_each(|choose| self.choose(choose));
                let by = self.chooser(by.as_ref());
                self.text(prompt.as_ref(), Some(by), QUESTION);
                let paid = |watch: &mut Self| {
                    watch.block(pay.as_deref().unwrap_or_default());
                    watch.block(body);
                };
                self.either(paid, |watch| watch.block(or_else.as_deref().unwrap_or_default()));
            }
            _ => {}
        }
    }

    fn stmt(&mut self, stmt: &'r Stmt) {
        self.work(stmt);
        self.shown.done(&stmt.kind);
    }

    fn work(&mut self, stmt: &'r Stmt) {
        match &stmt.kind {
            StmtKind::Local { local, value } => {
                let flow = self.expr(value);
                let flow = self.set_local(*local, flow);
                match one_local(value) {
                    Some(_) => self.bind(*local, flow),
                    None => self.pick(*local, flow),
                }
            }
            StmtKind::Choose(_)
            | StmtKind::ChooseAction { .. }
            | StmtKind::ChooseOption { .. }
            | StmtKind::Respond(_)
            | StmtKind::Offer(_)
            | StmtKind::ChooseOrder { .. }
            | StmtKind::ChooseSplit { .. }
            | StmtKind::Gate { .. } => self.asks(stmt),
            StmtKind::Each { local, domain: over, body, .. } => {
                let domain = self.expr(over);
                let each = Flow { who: None, ..domain.clone() };
                // One after the other they are all that there are.
                let all = one_local(over).is_some() || is_whole(self.rules, over);
                self.under(&domain, |watch| {
                    watch.again(&mut |watch| {
                        match all {
                            true => watch.bind(*local, each.clone()),
                            false => watch.pick(*local, each.clone()),
                        }
                        watch.block(body);
                    });
                });
            }
            StmtKind::EachSecret { local, domain, choose, body } => {
                let domain = self.expr(domain);
                let each = Flow { who: None, ..domain };
                self.again(&mut |watch| {
                    watch.bind(*local, each.clone());
                    watch.choose_by(choose, Who::Local(*local));
                    watch.block(body);
                });
            }
            StmtKind::If { cond, body, or_else } => {
                let cond = self.expr(cond);
                self.under(&cond, |watch| watch.either(|watch| watch.block(body), |watch| watch.block(or_else)));
            }
            StmtKind::Repeat { until: cond, body } => self.repeat(cond.as_ref(), body),
            StmtKind::RepeatTimes { times, body } => self.repeat(Some(times), body),
            StmtKind::Turns { from, next, until, body, .. } => {
                [Some(from), next.as_ref()].into_iter().for_each(|who| self.told(who, None, ASKED));
                self.repeat(until.as_ref(), body);
            }
            StmtKind::Move { what, to, local, .. } => self.moved(what, to, *local),
            StmtKind::Random { local, domain } => {
                let domain = self.expr(domain);
                self.pick(*local, Flow { who: None, ..domain });
            }
            StmtKind::Reveal { what, to, how: how @ (Showing::Openly | Showing::Quietly) } => {
                if *how == Showing::Openly {
                    self.told(to.as_ref(), None, SHOWN);
                }
                self.reveal(what, to.as_ref());
            }
            StmtKind::Requires { cond, .. } | StmtKind::Ensure { cond } if self.role == ProcRole::Action => {
                self.at = cond.span;
                let cond = self.expr(cond);
                let cond = self.set(cond);
                self.refuse(&cond, Some(Who::Me), OFFERED);
            }
            StmtKind::Note(text) => self.text(Some(text), None, LINE),
            StmtKind::SetProp { of, prop, value } => {
                self.put(*prop, Some(of), value, stmt.span);
            }
            StmtKind::SetGameProp { prop, value } => self.put(*prop, None, value, stmt.span),
            StmtKind::Create { fields, local, .. } => {
                for (prop, value) in fields {
                    if let CreateValue::Value(value) = value {
                        self.put(*prop, None, value, stmt.span);
                    }
                }
                local.iter().for_each(|local| self.bind(*local, Flow::default()));
            }
            StmtKind::Open { window, args } => {
                let args = self.all(args);
                if let Some(window) = self.rules.windows.get(window.index()) {
                    self.call(window.body, &args, None, Who::Unknown, stmt.span);
                }
            }
            StmtKind::Script { script, args, armed } => self.script(*script, args, *armed, stmt.span),
            StmtKind::Call { verb, args, .. } => self.verb(*verb, args, &[], stmt.span),
            StmtKind::Proceed { args } => {
                if let Some(verb) = self.about.events.get(&self.proc) {
                    let own = self.locals.clone();
                    self.verb(*verb, args, &own, stmt.span);
                }
            }
            StmtKind::Do { of, field, args, by } => {
                let by = self.chooser(by.as_ref());
                self.effect(of, *field, args, by, stmt.span);
            }
            StmtKind::Arm { clauses, .. } => clauses.iter().for_each(|clause| self.arm(clause.index(), stmt.span)),
            // Nothing else shows or keeps anything by itself.
            _ => each_block(stmt, &mut |inner| self.block(inner)),
        }
    }

    fn repeat(&mut self, cond: Option<&'r Expr>, body: &'r [Stmt]) {
        self.again(&mut |watch| {
            let cond = cond.map(|cond| watch.expr(cond)).unwrap_or_default();
            watch.under(&cond, |watch| watch.block(body));
        });
    }

    /// What an armed clause has captured it may show later.
    fn arm(&mut self, clause: usize, span: Span) {
        let Some(clause) = self.rules.clauses.get(clause) else { return };
        let most = clause.captures.iter().map(|(_, inner)| inner.index() + 1).max().unwrap_or(0);
        let mut args = vec![Flow::default(); most];
        for (outer, inner) in &clause.captures {
            if let Some(arg) = args.get_mut(inner.index()) {
                *arg = self.local(*outer);
            }
        }
        for proc in super::procs(&clause.kind) {
            self.call(proc, &args, None, Who::Unknown, span);
        }
    }

    /// What was moved is as well seen as where it lies now.
    fn moved(&mut self, what: &'r Expr, to: &'r Destination, local: Option<LocalId>) {
        let there = match to {
            Destination::Zone { zone, of, .. } => self.contents(*zone, of.as_ref()),
            Destination::Nowhere | Destination::Site { .. } => Flow::default(),
        };
        if there.cards.is_empty() {
            // One card that is laid openly shows itself, and not what lay beside it.
            let cards = if one_local(what).is_some() { self.expr(what).cards } else { self.wholes(what) };
            self.laid.extend(cards);
        }
        let forgets = matches!(to, Destination::Zone { zone, .. } if self.rules.zones.get(zone.index()).is_some_and(|zone| !zone.memory));
        let moved = self.expr(what);
        // What was revealed is known where it goes, too.
        let known =
            !forgets && !moved.cards.is_empty() && moved.cards.iter().all(|source| self.shown.covers(*source, None));
        for local in one_local(what).into_iter().chain(local) {
            match known {
                true => self.bind(local, Flow { who: None, facts: Facts::new(), ..moved.clone() }),
                false => self.pick(local, Flow { who: None, ..there.clone() }),
            }
        }
    }
}
