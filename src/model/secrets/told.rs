//! What statements do with what is derived from hidden cards: show it, keep it, or give it to another procedure.

use super::ends::is_hidden;
use super::fit::Fit;
use super::flow::{Call, Called, Facts, Flow, Keeper, Origin, Sink, Source, Summary, Who, each_fact, fill};
use super::shown::{acts, bounds, one_local, taken};
use super::steady::Effects;
use super::values::is_player;
use super::{CARRIED, NUMBER, PLACE, SET, Watch};
use crate::base::Span;
use crate::model::prices::asked_of;
use crate::model::rules::walk::{each_block, may_ask};
use crate::model::rules::{
    Act, BinaryOp, Choose, CreateValue, Created, Destination, Expr, ExprKind, LocalId, Offer, ProcId, ProcRole, PropId,
    Respond, RootKind, Showing, Stmt, StmtKind, Template, TemplatePart, Ty, VerbId, WindowId,
};
use std::cell::OnceCell;
use std::collections::BTreeSet;
use std::slice;

const OPTIONS: &str = "the options";
pub(super) const QUESTION: &str = "the question";
pub(super) const LINE: &str = "a line that all read";
const NOTATION: &str = "the notation of the action";
const OFFERED: &str = "whether the action is offered";
pub(super) const ENSURED: &str = "whether an `ensure` can hold behind this";
pub(super) const LEADS_ON: &str = "whether an action is offered in which something must be chosen";
/// What is told by an action's being offered.
pub(super) const OFFERS: [&str; 4] = [OPTIONS, OFFERED, ENSURED, LEADS_ON];
pub(super) const ASKED: &str = "who is asked";
pub(super) const SHOWN: &str = "to whom something is shown";
const CLOSED: &str = "when the window closes";
const ROLLED: &str = "what is rolled";
const COPY: &str = "a copy that all see";
const VALID: &str = "whether the offer stands";

impl<'r> Watch<'r> {
    pub(super) fn block(&mut self, stmts: &'r [Stmt]) {
        for stmt in stmts {
            self.stmt(stmt);
        }
    }

    /// What stands under a condition: a local that is set there is derived from it.
    pub(super) fn under(&mut self, cond: &Flow, run: impl FnOnce(&mut Self)) {
        let outer = self.under.clone();
        let cond = self.untold(cond.clone());
        self.under.extend(cond.facts);
        run(self);
        self.under = outer;
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
        fill(&mut flow.facts, each_fact(&self.under).filter(|(source, _)| !known.contains_key(source)));
        flow
    }

    /// Who chooses: `me` unless the text says who. All notice who is asked.
    fn chooser(&mut self, by: Option<&'r Expr>) -> Who {
        let Some(by) = by else { return Who::Me };
        let flow = self.expr(by);
        self.at = by.span;
        self.refuse(&flow, None, ASKED);
        flow.who.filter(|who| *who != Who::Unknown).unwrap_or_else(|| self.named_player(by.bare()))
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
        if let (true, Ty::Entity(kind)) = (domain.called == Called::Name, written.ty.element().bare()) {
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
        let (low, high) = bounds(&choose.qty);
        [low, high].into_iter().for_each(|bound| self.told(bound, Some(by), OPTIONS));
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
        acts.iter().for_each(|act| self.stirred_by(act));
    }

    /// What comes to where once an action was chosen; what it reveals only counts in it.
    fn stirred_by(&mut self, act: &'r Act) {
        let args = self.all(&act.args);
        if let Some(action) = self.rules.actions.get(act.action.index()) {
            self.stir(
                action.body,
                &Call { args: &args, card: None, me: Who::Unknown, this: Who::Unknown, span: act.span },
            );
        }
    }

    /// What becomes of what another procedure is given here.
    pub(super) fn call(&mut self, proc: ProcId, args: &[Flow], card: Option<&Flow>, me: Who, span: Span) {
        let Some(summary) = self.summaries.get(proc.index()).cloned() else { return };
        self.give(&summary, &Call { args, card, me, this: Who::Unknown, span });
    }

    pub(super) fn give(&mut self, summary: &Summary, call: &Call) {
        self.depends = true;
        for ((source, sink, at), there) in &summary.demands {
            let sink = self.sink_of(*sink, call);
            let later = match sink {
                Sink::Kept(..) | Sink::KeptCards(..) | Sink::KeptOn(..) | Sink::Captured(..) => true,
                Sink::Told(_, what) => [CARRIED, SET, PLACE, NUMBER].contains(&what),
                Sink::Data(..) => false,
            };
            for from in call.sources(*source, *at) {
                if later {
                    self.keeps.push((from, sink, Some(*there)));
                } else {
                    self.sink(from, sink, Some(*there));
                }
            }
        }
        self.settle_keeps(0);
    }

    /// What becomes of it as the caller sees it.
    fn sink_of(&self, sink: Sink, call: &Call) -> Sink {
        let whom = |who: Option<Who>| who.map(|who| call.whom(who));
        match sink {
            Sink::Told(reader, what) => Sink::Told(whom(reader), what),
            Sink::Data(keeper, reader) => Sink::Data(keeper, whom(reader)),
            Sink::Captured(..) => sink,
            Sink::Kept(prop, owner) => Sink::Kept(prop, whom(owner)),
            Sink::KeptCards(prop, owner) => Sink::KeptCards(prop, whom(owner)),
            Sink::KeptOn(prop, index) => match call.arg(index) {
                Some(of) => kept_on(prop, of),
                None => Sink::Kept(prop, None),
            },
        }
    }

    /// What another procedure has revealed when it ends.
    pub(super) fn reveals(&mut self, proc: ProcId, call: &Call) {
        let reveals = self.summaries.get(proc.index()).map(|summary| summary.reveals.clone()).unwrap_or_default();
        // What of an argument was revealed depends on what was given.
        for (source, to) in reveals.into_iter().filter(|(source, _)| source.zone().is_some()) {
            let sources = call.sources(source, call.span.into()).into_iter();
            let to = to.map(|to| call.whom(to));
            self.shown.cards.extend(sources.map(|(source, _)| (source, to)));
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
                (_, Some(default), None) => self.called(default, (&flows, None), (Who::Me, None), span),
                _ => Flow::default(),
            };
            flows.push(flow);
        }
        let about = self.about;
        let before = about.verbs.get(&verb).into_iter().flatten();
        let after = about.afters.get(&verb).into_iter().flatten();
        let free = std::mem::take(&mut self.free) && !about.replaceable.contains(&verb);
        let given = flows.clone();
        for (proc, me) in before.clone() {
            self.call(*proc, &flows, None, *me, span);
        }
        for (proc, me) in before.chain(after.clone()) {
            self.stir(*proc, &Call { args: &flows, card: None, me: *me, this: Who::Unknown, span });
        }
        // What a `cannot` or an `instead` may keep from happening reveals nothing for sure, and lays nothing.
        if free || !about.stoppable.contains(&verb) {
            // What comes before it may take a card away.
            let before = about.verbs.get(&verb).into_iter().flatten().skip(1);
            let before = before.filter_map(|(proc, _)| self.summaries.get(proc.index()));
            let taken = before.flat_map(|summary| summary.takes.clone()).collect();
            self.body_of_verb(found.body, args, &mut flows, (&taken, span));
        }
        for (proc, me) in after {
            self.call(*proc, &flows, None, *me, span);
        }
        self.changed_by_verb(verb, &given, free, span);
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
        let call = Call { args: &args, card: Some(&card), me: by, this: Who::Unknown, span };
        self.give(&all, &call);
        // Which card it is decides what happens.
        let decided = card.clone().read(&card, span).facts;
        self.changed_in(&all.changes, &call, &decided);
        for proc in self.about.effects.get(&field).into_iter().flatten() {
            self.stir(*proc, &call);
        }
    }

    /// Puts a value into a property of something: of these, of the game, or of what is made where all see it or not. What
    /// becomes of it is settled at the end of the procedure: by then the cards that it was worked out from may lie open.
    fn put(&mut self, prop: PropId, of: Owner<'_>, value: &Expr) {
        let flow = self.expr(change_of(prop, of, value));
        let flow = self.untold(flow);
        let found = match of {
            Owner::Of(of) => self.expr(of),
            Owner::Game | Owner::Made(_) => Flow::default(),
        };
        // A card in a mark is called by its name only where it is known.
        let is_card = matches!(value.ty.element().bare(), Ty::Entity(_));
        // A question is not shown: only its answers tell.
        let asked = matches!(value.ty.bare(), Ty::Lambda(..));
        let open = self.is_open(prop);
        let sink = match (is_card || asked, of) {
            (true, _) => Sink::Kept(prop, found.who),
            (false, _) if open || self.is_listed(prop) => Sink::Told(None, SET),
            (false, Owner::Made(true)) if self.is_shown_on_cards(prop) => Sink::Told(None, SET),
            (false, Owner::Of(of)) if self.is_shown_on_cards(prop) && self.may_lie_open(of) => kept_on(prop, &found),
            (false, _) => Sink::Kept(prop, found.who),
        };
        // What a card has is as well known as the card, unless all may read it.
        let own: BTreeSet<Source> = found.cards.iter().filter(|_| !open).map(|source| source.whole()).collect();
        let other = flow.facts.iter().filter(|(source, _)| !own.contains(&source.whole()));
        self.keeps.extend(other.map(|(source, origin)| ((*source, *origin), sink, Some(value.span))));
        self.keep_cards(prop, &flow, found.who, value.span);
        self.changed |= flow.called == Called::Name && self.kept_named.insert(prop);
    }

    /// What all see at once, wherever it is worked out: how many there are, or where something lies. It is settled as what
    /// is put into a property is.
    pub(super) fn seen(&mut self, value: Option<&Expr>, what: &'static str) {
        let Some(value) = value else { return };
        let flow = self.expr(value);
        let flow = self.untold(flow);
        let facts = flow.facts.iter();
        self.keeps.extend(facts.map(|(source, origin)| ((*source, *origin), Sink::Told(None, what), Some(value.span))));
    }

    fn offer(&mut self, offer: &'r Offer) {
        self.bind(offer.maker, Flow::default().by(Who::Me));
        self.told(Some(&offer.to), None, ASKED);
        let other = self.expr(&offer.to).who.unwrap_or(Who::Unknown);
        for terms in &offer.terms {
            self.choose_by(terms, Who::Me);
            // Who counters chooses from the same.
            let (low, high) = bounds(&terms.qty);
            [Some(&terms.domain), low, high].into_iter().for_each(|part| self.told(part, Some(other), OPTIONS));
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

    /// While somebody decides all see what is kept; what is laid openly later comes too late, and what lay in a zone may be
    /// other cards then.
    fn decided(&mut self) {
        self.keep_all();
        self.shown.laid.retain(|source| !matches!(source, Source::Zone(..)));
    }

    /// Statements that ask somebody. The first choice of an action is offered with it, and a later one that may be a dead end
    /// decides whether it is, so that neither may stand under a condition on hidden cards.
    fn asks(&mut self, stmt: &'r Stmt) {
        self.decided();
        if self.role == ProcRole::Action {
            let first = !std::mem::replace(&mut self.chosen, true);
            let dead_end = self.may_be_dead_end(stmt);
            if first || dead_end {
                let mut under = self.set(Flow::default());
                if dead_end || !self.begun {
                    under.facts.extend(self.before.clone());
                }
                // Behind a card that the player comes to see nothing is looked at before.
                let seen = |source: &Source| matches!(source, Source::Picked(.., local) if self.given.contains(local));
                under.facts.retain(|source, _| first || !seen(source));
                self.at = stmt.span;
                self.refuse(&under, Some(Who::Me), if first { OPTIONS } else { LEADS_ON });
            }
            if let (true, false, StmtKind::Choose(choose)) = (dead_end, first, &stmt.kind) {
                let (low, high) = bounds(&choose.qty);
                [Some(&choose.domain), low, high].into_iter().flatten().for_each(|asked| self.ensured(asked, LEADS_ON));
            }
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
                arms.iter().for_each(|arm| self.told(arm.cond.as_ref(), Some(by), OPTIONS));
                self.one_of(arms, arms.iter().any(|arm| arm.cond.is_none()));
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
            StmtKind::Gate { by, prompt, chooses, pay, tried, body, or_else, .. } => {
                chooses.iter().for_each(|choose| self.choose(choose));
                let by = self.chooser(by.as_ref());
                // Whether a price can be paid, which is tried out, tells what it is worked out from.
                let price = if *tried { asked_of(pay.as_deref().unwrap_or_default()) } else { Vec::new() };
                for expr in price {
                    let flow = self.expr(expr);
                    self.at = expr.span;
                    self.refuse(&flow, Some(by), OPTIONS);
                }
                self.text(prompt.as_ref(), Some(by), QUESTION);
                let paid = |watch: &mut Self| {
                    watch.fit = chooses.iter().filter_map(Fit::of).collect();
                    let before = std::mem::take(&mut watch.changes);
                    watch.block(pay.as_deref().unwrap_or_default());
                    watch.paid(before, tried.then_some(by), OPTIONS);
                    watch.block(body);
                };
                self.either(paid, |watch| watch.block(or_else.as_deref().unwrap_or_default()));
            }
            _ => {}
        }
    }

    pub(super) fn stmt(&mut self, stmt: &'r Stmt) {
        if self.role == ProcRole::Action && !self.chosen {
            self.begins(stmt);
        }
        self.work(stmt);
        let (rules, about, effects) = (self.rules, self.about, OnceCell::new());
        let names = |words: &Expr| {
            effects.get_or_init(|| Effects::of(rules, about, slice::from_ref(stmt))).leave(rules, about, words)
        };
        self.shown.done(&stmt.kind, names);
        // What waits for something to become true, or for a turn, may act behind any statement.
        if !matches!(self.role, ProcRole::Verb) && acts(&stmt.kind) {
            for (zone, who) in self.ambient.clone() {
                self.comes(zone, who, None, stmt.span);
            }
        }
    }

    fn work(&mut self, stmt: &'r Stmt) {
        self.reached(stmt);
        if self.about.calls(self.rules, &stmt.kind).iter().any(|proc| self.about.asking.contains(proc)) {
            // The card whose text asks is named by that.
            let named = match &stmt.kind {
                StmtKind::Do { of, .. } => self.expr(of).cards,
                _ => BTreeSet::new(),
            };
            let (own, others) =
                std::mem::take(&mut self.keeps).into_iter().partition(|((from, _), ..)| named.contains(from));
            self.keeps = others;
            self.decided();
            self.keeps = own;
        }
        self.change(stmt);
        // Until something has changed, what was chosen for a verb can be done.
        let fit = std::mem::take(&mut self.fit);
        self.perform(stmt, &fit);
        self.refit(fit, stmt);
    }

    fn perform(&mut self, stmt: &'r Stmt, fit: &[Fit]) {
        match &stmt.kind {
            kind if may_ask(stmt) && !matches!(kind, StmtKind::EachSecret { .. }) => self.asks(stmt),
            StmtKind::Local { local, value } => {
                let flow = self.expr(value);
                let flow = self.untold(flow);
                let mut flow = self.set_local(*local, flow);
                let member = self.shown.member_of(value).filter(|_| is_player(&value.ty));
                if is_player(&value.ty) {
                    flow = flow.of_another(local.index(), Who::Local(*local));
                    self.next_player(Who::Local(*local));
                }
                if let Some(count) = taken(value) {
                    self.counted.insert(*local, count);
                }
                match one_local(value) {
                    Some(_) => self.bind(*local, flow),
                    None => self.pick(*local, flow),
                }
                if let Some(member) = member {
                    self.shown.is_one_of(*local, member);
                }
            }
            StmtKind::Each { local, domain, body, .. } => self.for_each(*local, domain, body),
            StmtKind::EachSecret { local, domain, choose, body } => {
                self.decided();
                let domain = self.expr(domain);
                let each = Flow { who: None, ..domain };
                self.again(false, &mut |watch| {
                    watch.next_player(Who::Local(*local));
                    watch.bind(*local, each.clone());
                    watch.choose_by(choose, Who::Local(*local));
                    watch.block(body);
                });
            }
            StmtKind::If { cond, body, or_else } => {
                self.promise(cond, body);
                let flow = self.expr(cond);
                let holds = |watch: &mut Self| {
                    watch.holds_of_me(cond);
                    watch.block(body);
                };
                self.under(&flow, |watch| watch.either(holds, |watch| watch.block(or_else)));
                self.laid_where(cond);
            }
            StmtKind::Repeat { until: cond, body } => self.repeat(cond.as_ref(), cond.is_none(), body),
            StmtKind::RepeatTimes { times, body } => {
                let once = matches!(times.kind, ExprKind::Word(times) if times > 0);
                self.repeat(Some(times), once, body);
            }
            StmtKind::Turns { from, among, next, until, body, span, .. } => {
                [Some(from), among.as_ref(), next.as_ref()].into_iter().for_each(|who| self.told(who, None, ASKED));
                self.turns(until.as_ref(), body);
                self.arrive(*span);
            }
            StmtKind::Phase { span, body } => {
                self.block(body);
                self.arrive(*span);
            }
            StmtKind::LeaveRepeat => self.leaves(None),
            StmtKind::LeaveSpan(span) => self.leaves(Some(*span)),
            StmtKind::Stop => self.stops(),
            StmtKind::Shuffle { zone, of } => {
                let who = of.as_ref().and_then(|of| self.expr(of).who).unwrap_or(Who::Unknown);
                self.comes(*zone, who, None, stmt.span);
            }
            StmtKind::Move { what, to, local, .. } => self.moved(what, to, *local, stmt.span),
            StmtKind::Roll { low, high, .. } => [low, high].iter().for_each(|end| self.told(Some(end), None, ROLLED)),
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
            StmtKind::Reveal { what, how: Showing::Hides, .. } => self.hidden_again(what),
            StmtKind::Requires { cond, .. } | StmtKind::Ensure { cond, .. } if self.role == ProcRole::Action => {
                self.at = cond.span;
                let flow = self.expr(cond);
                let flow = self.set(flow);
                self.refuse(&flow, Some(Who::Me), OFFERED);
                self.ensured(cond, ENSURED);
            }
            StmtKind::Note(text) => self.text(Some(text), None, LINE),
            StmtKind::SetProp { of, prop, value } => {
                self.put(*prop, Owner::Of(of), value);
            }
            StmtKind::SetGameProp { prop, value } => self.put(*prop, Owner::Game, value),
            StmtKind::Create { what, to, fields, local } => {
                self.created(what, to, fields, stmt.span);
                local.iter().for_each(|local| self.bind(*local, Flow::default()));
            }
            StmtKind::Open { window, args } => self.opened(*window, args, stmt.span),
            StmtKind::Link { what, to, link } => self.linked(what, to, *link, stmt.span),
            StmtKind::Script { script, args, armed } => self.script(*script, args, *armed, stmt.span),
            StmtKind::Call { verb, args, .. } => {
                self.given.extend(args.iter().flatten().filter_map(one_local));
                let [Some(chosen), others @ ..] = &args[..] else { return self.verb(*verb, args, &[], stmt.span) };
                self.free = others.iter().all(Option::is_none)
                    && one_local(chosen).is_some_and(|local| self.is_free(fit, *verb, local));
                self.verb(*verb, args, &[], stmt.span);
            }
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
            StmtKind::Arm { clauses, .. } => clauses.iter().for_each(|clause| self.arm(*clause, stmt.span)),
            // Nothing else shows or keeps anything by itself.
            _ => each_block(stmt, &mut |inner| self.block(inner)),
        }
    }

    fn repeat(&mut self, cond: Option<&'r Expr>, once: bool, body: &'r [Stmt]) {
        self.again(once, &mut |watch| {
            let cond = cond.map(|cond| watch.expr(cond)).unwrap_or_default();
            watch.under(&cond, |watch| watch.block(body));
        });
    }

    /// In each turn `me` is somebody else.
    fn turns(&mut self, until: Option<&'r Expr>, body: &'r [Stmt]) {
        let before = self.locals.clone();
        [Who::Me, Who::Others].into_iter().for_each(|who| self.locals_of_another(who));
        self.again(false, &mut |watch| {
            [Who::Me, Who::Others].into_iter().for_each(|who| watch.next_player(who));
            watch.shown.players.clear();
            let kept = watch.keeps.len();
            let cond = until.map(|cond| watch.expr(cond)).unwrap_or_default();
            watch.under(&cond, |watch| watch.block(body));
            watch.settle_keeps(kept);
            [Who::Me, Who::Others].into_iter().for_each(|who| watch.forget_player(who));
        });
        // Behind them `me` is who it was.
        for (local, (now, before)) in self.locals.iter_mut().zip(before).enumerate() {
            if *now == before.clone().of_another(local, Who::Me).of_another(local, Who::Others) {
                *now = before;
            }
        }
    }

    /// What is made, how many of it, and where.
    fn created(&mut self, what: &'r Created, to: &'r Destination, fields: &'r [(PropId, CreateValue)], span: Span) {
        let open = match to {
            Destination::Zone { zone, .. } => !is_hidden(self.rules, *zone),
            Destination::Site { .. } => self.made_openly(what),
            Destination::Nowhere => false,
        };
        let (count, kind) = match what {
            Created::Kind { count, kind } => (count, Some(*kind)),
            Created::Entry { count, entry } => (count, self.rules.entries.get(entry.index()).map(|entry| entry.kind)),
            Created::CopyOf { count, of } => {
                if open {
                    let copied = self.expr(of);
                    let copied = Flow::derived([&copied]).read(&copied, of.span);
                    let facts = self.untold(copied).facts.into_iter();
                    self.keeps.extend(facts.map(|from| (from, Sink::Told(None, COPY), Some(of.span))));
                } else {
                    self.copied(of, to, span);
                }
                (count, None)
            }
        };
        // What lies nowhere nobody sees.
        let thing =
            kind.and_then(|kind| self.rules.kinds.get(kind.index())).is_some_and(|kind| kind.root == RootKind::Thing);
        if !thing {
            self.seen(count.as_ref(), NUMBER);
        }
        self.placed(to);
        if let (Destination::Site { .. }, false, Some(kind)) = (to, open, kind) {
            self.lairs(kind).into_iter().for_each(|lair| self.comes(lair, Who::Unknown, None, span));
        }
        for (prop, value) in fields {
            match (value, to) {
                (CreateValue::Value(value), _) => {
                    self.put(*prop, Owner::Made(open && !thing), value);
                    self.read_by_holder(*prop, value, to);
                }
                (CreateValue::AnyValue, Destination::Zone { zone, of, .. }) => {
                    let who = of.as_ref().and_then(|of| self.expr(of).who).unwrap_or(Who::Unknown);
                    self.comes(*zone, who, None, span);
                }
                _ => {}
            }
        }
    }

    /// All see on which site something comes to lie, and how.
    pub(super) fn placed(&mut self, to: &'r Destination) {
        if let Destination::Site { site, turned } = to {
            self.seen(Some(site), PLACE);
            self.seen(turned.as_ref(), PLACE);
        }
    }

    /// What a window shows and does.
    fn opened(&mut self, window: WindowId, args: &'r [Expr], span: Span) {
        let args = self.all(args);
        if let Some(window) = self.rules.windows.get(window.index()) {
            let call = Call { args: &args, card: None, me: Who::Unknown, this: Who::Unknown, span };
            self.call(window.body, &args, None, Who::Unknown, span);
            self.stir(window.body, &call);
        }
    }

    /// What waits with a script or an armed clause may be what not everybody knows, or not even the player at hand.
    pub(super) fn waits(&mut self, keeper: Keeper, what: Vec<(Source, Origin)>) {
        for from in what {
            for reader in [None, Some(Who::Me)] {
                self.sink(from, Sink::Data(keeper, reader), None);
            }
        }
    }
}

/// Of what something is put into a property.
#[derive(Clone, Copy)]
enum Owner<'e> {
    Of(&'e Expr),
    Game,
    /// Of what is made, and whether all see that.
    Made(bool),
}

/// What `increase` and `decrease` add or take: what was there before was judged when it was put there. Any other value is
/// itself.
fn change_of<'e>(prop: PropId, of: Owner<'_>, value: &'e Expr) -> &'e Expr {
    let own = |old: &Expr| matches!((&old.kind, of), (ExprKind::Prop(whose, read), Owner::Of(of)) if *read == prop && whose.same(of));
    match &value.kind {
        ExprKind::Binary(BinaryOp::Add | BinaryOp::Sub, old, by) if own(old) => by,
        _ => value,
    }
}

/// A value in a property of these cards or pieces: all read it if they lie openly.
fn kept_on(prop: PropId, of: &Flow) -> Sink {
    let argument = of.cards.iter().find_map(|source| match source {
        Source::Cards(index) => Some(*index),
        _ => None,
    });
    match argument {
        Some(index) => Sink::KeptOn(prop, index),
        None if of.cards.is_empty() => Sink::Told(None, SET),
        None => Sink::Kept(prop, of.who),
    }
}
