//! What the values of expressions are derived from.

use super::Watch;
use super::flow::{Call, Called, Facts, Flow, Origin, Source, THIS, Who, met};
use super::others::are_others;
use super::shown::{one_local, picked};
use super::unseen::is_of;
use crate::base::Span;
use crate::model::rules::{
    ActionId, BinaryOp, Builtin, BuiltinProp, CollectOp, Expr, ExprKind, KindId, LocalId, PIECE, ProcBody, ProcId,
    PropClass, PropId, Rules, Ty, VerbId, Zone, ZoneId,
};
use std::collections::BTreeSet;

impl<'r> Watch<'r> {
    pub(super) fn all(&mut self, exprs: &[Expr]) -> Vec<Flow> {
        exprs.iter().map(|expr| self.expr(expr)).collect()
    }

    /// Those of a set of which a condition holds, which may say whose they are; and the condition.
    fn filtered(&mut self, over: &Expr, binder: LocalId, cond: &Expr, span: Span) -> (Flow, Flow) {
        let who = self.shown.member_of(over);
        let held = (binder, self.holder_of(over));
        let over = self.expr(over);
        self.bind(binder, Flow { who: None, ..over.clone() });
        let over = match self.among(binder, cond).filter(|among| over.called > among.called) {
            Some(among) => met(&over, &among, span).like(&among),
            None => over,
        };
        self.bind(binder, Flow { who: None, ..over.clone() });
        let over = self.owned(over, binder, cond);
        self.bind(binder, Flow { who, ..over.clone() });
        self.held.push(held);
        let cond = self.expr(cond);
        self.held.pop();
        (over, cond)
    }

    /// `over` and, with its members bound, what is asked of each.
    fn each(&mut self, over: &Expr, binder: LocalId, body: &Expr) -> (Flow, Flow) {
        let who = self.shown.member_of(over);
        let held = (binder, self.holder_of(over));
        let over = self.expr(over);
        self.bind(binder, Flow { who, ..over.clone() });
        self.held.push(held);
        let body = self.expr(body);
        self.held.pop();
        (over, body)
    }

    /// The player in whose zone all members of a set lie.
    fn holder_of(&mut self, over: &Expr) -> Option<Who> {
        match &over.bare().kind {
            ExprKind::Where { over, .. } | ExprKind::Having { over, .. } | ExprKind::Sorted { over, .. } => {
                self.holder_of(over)
            }
            ExprKind::Binary(BinaryOp::Difference | BinaryOp::Both, over, _) => self.holder_of(over),
            ExprKind::Contents(_, Some(of)) if !of.bare().ty.is_many() => self.expr(of).who,
            _ => None,
        }
    }

    pub(super) fn expr(&mut self, expr: &Expr) -> Flow {
        let flow = self.worked_out(expr);
        if is_player(&expr.ty)
            && flow.who.is_none_or(|who| who == Who::Unknown)
            && let Some(who) = self.shown.player(expr.bare())
        {
            return flow.by(who);
        }
        // What was revealed is known to those to whom it was, and so is how it was picked.
        let of_each = |watch: &Self| match (&expr.kind, flow.cards.first()) {
            (ExprKind::Contents(zone, Some(_)), Some(Source::Zone(_, who))) => {
                watch.shown.named_of(*zone, *who, &watch.within)
            }
            _ => None,
        };
        let Some(local) = self.shown.named(expr, &self.within).or_else(|| of_each(self)) else { return flow };
        Flow {
            cards: flow.cards.iter().map(|source| picked(*source, local)).collect(),
            facts: flow.facts.iter().map(|(source, origin)| (picked(*source, local), *origin)).collect(),
            ..flow
        }
    }

    fn worked_out(&mut self, expr: &Expr) -> Flow {
        let span = expr.span;
        match &expr.kind {
            ExprKind::Local(local) => self.local(*local),
            ExprKind::Me => Flow::default().by(Who::Me),
            ExprKind::Actor if self.about.acting.contains(&self.proc) => Flow::default().by(Who::Me),
            ExprKind::This => {
                let cards = self.text.then_some(Source::Cards(THIS)).into_iter().collect();
                Flow { cards, ..Flow::default() }.by(Who::This)
            }
            ExprKind::Seat(number) => match number.kind {
                ExprKind::Word(number) => Flow::default().by(Who::Seat(number)),
                _ => self.expr(number).by(Who::Unknown),
            },
            ExprKind::EntitiesOf(_) => Flow { called: Called::Name, ..Flow::default() },
            ExprKind::Contents(zone, of) => self.contents(*zone, of.as_deref()),
            ExprKind::Prop(of, prop) => self.property(of, *prop, span),
            ExprKind::GameProp(prop) => {
                let named = Some(Who::Mark(*prop)).filter(|_| is_player(&expr.ty) && self.is_defining());
                let stored = self.stored(*prop, None, span);
                Flow { who: named.or(stored.who), ..stored }
            }
            ExprKind::Is(of, kind) => {
                let of = self.expr(of);
                let told = self.may_be_another(&of, *kind);
                let flow = Flow::derived([&of]);
                if told { flow.read(&of, span) } else { flow }
            }
            ExprKind::Compare(_, a, b) | ExprKind::In(a, b) => {
                let (a, b) = (self.expr(a), self.expr(b));
                met(&a, &b, span)
            }
            ExprKind::Binary(op, a, b) => {
                let (a, b) = (self.expr(a), self.expr(b));
                match op {
                    BinaryOp::Union => {
                        // How many there are tells whether what is named is among the others.
                        let either = met(&a, &b, span).like(&a).like(&b);
                        self.all_unseen(expr, &either).unwrap_or(either)
                    }
                    // What is named and among others lies where they lie.
                    BinaryOp::Both if a.called > b.called => met(&a, &b, span).like(&b),
                    BinaryOp::Both if b.called > a.called => met(&a, &b, span).like(&a),
                    BinaryOp::Difference | BinaryOp::Both => met(&a, &b, span).like(&a),
                    BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul | BinaryOp::Div | BinaryOp::Rem => {
                        Flow::derived([&a, &b])
                    }
                }
            }
            ExprKind::Where { over, binder, cond } => {
                let (over, cond) = self.filtered(over, *binder, cond, span);
                let found = self.of_kind(Flow::derived([&over, &cond]).like(&over), &expr.ty);
                match is_of(expr).and_then(|_| self.all_unseen(expr, &found)) {
                    Some(unseen) => unseen,
                    None => found,
                }
            }
            ExprKind::InPlay(kind) => self.in_play(*kind, span),
            ExprKind::Builtin(Builtin::PiecesOn | Builtin::TopOn | Builtin::Stack, args) => {
                self.on_sites(&expr.ty, args)
            }
            ExprKind::Builtin(Builtin::SitesOf | Builtin::SiteOf, args) => self.of_pieces(args, span),
            ExprKind::Builtin(Builtin::First | Builtin::Top, args) if self.is_seen_top(args) => {
                Flow { cards: BTreeSet::new(), ..self.members(args) }
            }
            ExprKind::Builtin(Builtin::First, args) => self.members(args).by_place(),
            ExprKind::Having { over, binder, body, .. } | ExprKind::Sorted { over, binder, body, .. } => {
                let (over, body) = self.each(over, *binder, body);
                Flow::derived([&over, &body]).like(&over)
            }
            // Whether there is one is asked of a filter.
            ExprKind::Any { over, binder, cond } => {
                let (over, cond) = self.filtered(over, *binder, cond, span);
                Flow::derived([&over, &cond])
            }
            ExprKind::All { over, binder, cond } => {
                let (over, cond) = self.each(over, *binder, cond);
                Flow::derived([&over, &cond])
            }
            ExprKind::Fold { over, binder, body, .. } => {
                let (over, body) = self.each(over, *binder, body);
                Flow::derived([&over, &body])
            }
            ExprKind::Collect { op, over, binder, body } => {
                let (over, body) = self.each(over, *binder, body);
                let mut found = Flow::derived([&over, &body]).like(&body);
                if *op == CollectOp::Values {
                    found.order.extend(over.order);
                }
                found
            }
            ExprKind::ToSet(of) | ExprKind::ToList(of) => self.expr(of),
            ExprKind::List(items) => self.members(items),
            ExprKind::Builtin(_, args) if is_cards(&expr.ty) => self.members(args),
            ExprKind::Part(of, by) | ExprKind::Index(of, by) => {
                let (of, by) = (self.expr(of), self.expr(by));
                Flow::derived([&of, &by]).like(&of).by_place()
            }
            // Whether `me` is this player has been asked around it.
            ExprKind::If(cond, a, _) if self.says_of_me(cond) => {
                let a = self.branch(cond, true, a);
                Flow { who: a.who, ..Flow::derived([&self.expr(cond), &a]).like(&a) }
            }
            ExprKind::If(cond, a, b) => {
                let (a, b) = (self.branch(cond, true, a), self.branch(cond, false, b));
                Flow::derived([&self.expr(cond), &a, &b]).like(&a).like(&b)
            }
            ExprKind::Call(proc, args) => {
                let args = self.all(args);
                self.called(*proc, (&args, None), (Who::Me, None), span)
            }
            // What it reads of its own arguments is asked where it is asked.
            ExprKind::Lambda(proc) => self.called(*proc, (&[], None), (Who::Me, None), span),
            // A question, a text to be carried out and a script may read all of what they are given.
            ExprKind::CallLambda(of, args) if let ExprKind::Prop(card, prop) = &of.kind => {
                let args = self.all(args);
                let card = self.expr(card);
                self.amount(&card, *prop, &args, span)
            }
            ExprKind::CallLambda(of, args) => {
                let flows = std::iter::once(of.as_ref()).chain(args).map(|arg| self.expr(arg)).collect::<Vec<_>>();
                flows.iter().fold(Flow::derived(&flows), |flow, arg| flow.read(arg, span))
            }
            ExprKind::CallScript(_, args) => {
                let flows = self.all(args);
                flows.iter().fold(Flow::derived(&flows), |flow, arg| flow.read(arg, span))
            }
            ExprKind::Side(of, _, way) => {
                let (of, way) = (self.expr(of), self.expr(way));
                Flow::derived([&of, &way]).read(&of, span)
            }
            ExprKind::Can(who, action, args) => {
                let (player, flows) = (self.expr(who), self.all(args));
                let flow = Flow::derived(flows.iter().chain([&player]));
                let me = player.who.unwrap_or(Who::Unknown);
                let offered = self.offered(*action, &Call { args: &flows, card: None, me, this: Who::Unknown, span });
                Flow { facts: flow.facts.into_iter().chain(offered).collect(), ..Flow::default() }
            }
            ExprKind::Count(of) | ExprKind::Some(of) | ExprKind::Not(of) | ExprKind::Negate(of) => {
                Flow::derived([&self.expr(of)])
            }
            ExprKind::Targetable { verb, args, .. } => self.targetable(*verb, args, span),
            // What is among things that lie openly lies openly itself.
            ExprKind::And(a, b) => {
                let first = self.expr(a);
                let open = self.among_open(a);
                let cards =
                    open.and_then(|local| self.locals.get_mut(local.index())).map(|of| std::mem::take(&mut of.cards));
                let second = self.expr(b);
                if let Some(of) = open.and_then(|local| self.locals.get_mut(local.index())) {
                    of.cards = cards.unwrap_or_default();
                }
                Flow::derived([&first, &second])
            }
            ExprKind::Or(a, b) | ExprKind::Range(a, b) => {
                let (a, b) = (self.expr(a), self.expr(b));
                Flow::derived([&a, &b])
            }
            // How a piece can lie tells what is printed on its sides.
            ExprKind::Builtin(builtin, args) => {
                let flows = self.all(args);
                let reads = matches!(builtin, Builtin::Turnings | Builtin::Fitting);
                let found =
                    flows.iter().filter(|_| reads).fold(Flow::derived(&flows), |flow, arg| flow.read(arg, span));
                // And so do the pieces beside it, or all that have lain on the board.
                match builtin {
                    Builtin::Fitting | Builtin::Repeats => found.read(&self.lies_as(&Ty::Entity(PIECE)), span),
                    _ => found,
                }
            }
            ExprKind::Word(_)
            | ExprKind::Text(_)
            | ExprKind::Nothing
            | ExprKind::Empty
            | ExprKind::Mover
            | ExprKind::Actor
            | ExprKind::Source
            | ExprKind::Cause
            | ExprKind::Changed
            | ExprKind::Round
            | ExprKind::Flat(_)
            | ExprKind::Option(_)
            | ExprKind::Players
            | ExprKind::Opponents => Flow::default(),
        }
    }

    /// Whether it is the top of a zone of which all see no more than that.
    fn is_seen_top(&self, args: &[Expr]) -> bool {
        let [zone] = args else { return false };
        matches!(zone.bare().kind, ExprKind::Contents(zone, _) if self.about.tops.contains(&zone))
    }

    /// The set of which a condition says that each member is in it.
    fn among(&mut self, binder: LocalId, cond: &Expr) -> Option<Flow> {
        match &cond.kind {
            ExprKind::And(one, other) => self.among(binder, one).or_else(|| self.among(binder, other)),
            ExprKind::In(member, set) if member.is_local(binder) => Some(self.expr(set)),
            _ => None,
        }
    }

    /// The local of which a condition says that it is among what lies openly.
    fn among_open(&mut self, cond: &Expr) -> Option<LocalId> {
        match &cond.kind {
            ExprKind::And(one, other) => self.among_open(one).or_else(|| self.among_open(other)),
            ExprKind::In(member, set) => {
                let local = one_local(member)?;
                let set = self.expr(set);
                (is_cards(&member.ty) && set.cards.is_empty() && set.called == Called::Place).then_some(local)
            }
            _ => None,
        }
    }

    /// A branch of an expression, where a condition holds or does not.
    fn branch(&mut self, cond: &Expr, holds: bool, branch: &Expr) -> Flow {
        if !self.shown.has_branches() {
            return self.expr(branch);
        }
        self.within.push((cond.clone(), holds));
        let flow = self.expr(branch);
        self.within.pop();
        flow
    }

    fn members(&mut self, of: &[Expr]) -> Flow {
        let flows = self.all(of);
        flows.iter().fold(Flow::derived(&flows), Flow::like)
    }

    pub(super) fn contents(&mut self, zone: ZoneId, of: Option<&Expr>) -> Flow {
        // A zone that is nobody's is one and the same for all.
        let other = of.is_some_and(are_others);
        // Whichever of them it is, what was shown to all of each is known of it.
        let shown = |who: &Who| self.shown.covers(Source::Zone(zone, *who), None);
        let member = of.and_then(|of| self.shown.member_of(of)).filter(shown);
        let mut of = of.map_or_else(|| Flow::default().by(Who::All), |of| self.expr(of));
        of.who = of.who.filter(|who| !other || *who != Who::Unknown).or(other.then_some(Who::Other));
        of.who = of.who.filter(|who| *who != Who::Unknown).or(member).or(of.who);
        let mut flow = Flow::derived([&of]);
        if super::ends::is_hidden(self.rules, zone) {
            flow.cards.insert(Source::Zone(zone, of.who.unwrap_or(Who::Unknown)));
        }
        flow
    }

    fn property(&mut self, of: &Expr, prop: PropId, span: Span) -> Flow {
        let ty = of.ty.element().bare();
        let member = |(local, _): &&(LocalId, Option<Who>)| of.is_local(*local);
        let holder = self.held.iter().rev().find(member).and_then(|(_, who)| *who);
        // The most or least of a set is the same in any order.
        let of = match best_by(of, prop) {
            Some(over) => Flow { order: Facts::new(), ..self.expr(over) },
            None => self.expr(of),
        };
        let of = self.of_kind(of, ty);
        if let Some(PropClass::Builtin(known)) = self.rules.props.get(prop.index()).map(|prop| &prop.class) {
            match known {
                // Where a card lies is no secret, but which card lies there is one.
                BuiltinProp::Holder | BuiltinProp::Owner | BuiltinProp::Entered => {
                    let who = if known == &BuiltinProp::Holder { holder } else { None };
                    return Flow { facts: self.which(&of, ty, span), who, ..Flow::default() };
                }
                BuiltinProp::Seat | BuiltinProp::Playing => return Flow::derived([&of]),
                // It tells which card it is, as what is printed does.
                BuiltinProp::Name => {}
            }
        }
        if self.about.amounts.contains_key(&prop) {
            return self.amount(&of, prop, &[], span);
        }
        let stored = self.stored(prop, of.who, span);
        // What stands on a card that is called by its name tells which it is, and so where it lies.
        let facts = if self.is_printed(prop, 0) { of.facts.clone() } else { self.which(&of, ty, span) };
        let flow = Flow { facts, ..Flow::default() };
        let flow = if self.is_open(prop) { flow } else { flow.read(&of, span) };
        Flow::derived([&flow, &stored]).like(&stored)
    }

    /// What a field is derived from in which each card works out a value in its own way.
    fn amount(&mut self, card: &Flow, prop: PropId, args: &[Flow], span: Span) -> Flow {
        let about = self.about;
        let mut found = Flow::derived(args.iter().chain([card]));
        let ways: BTreeSet<ProcId> = about.amounts.get(&prop).into_iter().flatten().copied().collect();
        // In which of several ways it does so tells which card it is.
        if ways.len() > 1 {
            found = found.read(card, span);
        }
        for proc in ways {
            let value = self.called(proc, (args, Some(card)), (Who::Unknown, card.who), span);
            found = Flow::derived([&found, &value]).like(&value);
        }
        let stored = self.stored(prop, card.who, span);
        Flow::derived([&found, &stored]).like(&found)
    }

    /// What cards were worked out from, and where those may lie that are called by their names.
    fn which(&self, of: &Flow, ty: &Ty, span: Span) -> Facts {
        let mut facts = of.facts.clone();
        if let (true, Ty::Entity(kind)) = (of.called == Called::Name, ty) {
            facts.extend(self.may_hold(*kind).map(|zone| (Source::Zone(zone, Who::Unknown), span.into())));
        }
        facts
    }

    /// What a property is derived from, whatever it belongs to: what it was set to, and what a stat is worked out from.
    pub(super) fn stored(&mut self, prop: PropId, this: Option<Who>, span: Span) -> Flow {
        self.depends = true;
        let kept = self.kept.get(&prop).into_iter().flatten();
        let whose = |source: &Source| match source {
            Source::Zone(zone, Who::This) => Source::Zone(*zone, this.unwrap_or(Who::Unknown)),
            _ => *source,
        };
        let facts = kept
            .map(|(source, (set, script))| (whose(source), Origin { span, kept: Some(*set), script: *script }))
            .collect();
        let cards = self.kept_cards.get(&prop).into_iter().flatten().map(whose).collect();
        let flow = Flow { facts, cards, called: self.called_in(prop), ..Flow::default() };
        match self.stat(prop, this, span) {
            Some(stat) => Flow::derived([&flow, &stat]).like(&stat),
            None => flow,
        }
    }

    /// How a mark says which cards it is. What lay where it was set may have left since for where not everybody sees it; then where it lies
    /// now is no longer known.
    fn called_in(&self, prop: PropId) -> Called {
        let Some(found) = self.rules.props.get(prop.index()) else { return Called::Place };
        let (Ty::Entity(kind), PropClass::Mark { .. }) = (found.ty.element().bare(), &found.class) else {
            return Called::Place;
        };
        if self.kept_named.contains(&prop) {
            return Called::Name;
        }
        let kept: BTreeSet<ZoneId> =
            self.kept_cards.get(&prop).into_iter().flatten().filter_map(|s| Some(s.zone()?.0)).collect();
        let from: BTreeSet<ZoneId> = if kept.is_empty() { self.may_hold(*kind).collect() } else { kept };
        if from.is_disjoint(&self.emptied) { Called::Place } else { Called::Mark }
    }

    /// What a stat is derived from, with all that modifies it.
    pub(super) fn stat(&mut self, prop: PropId, this: Option<Who>, span: Span) -> Option<Flow> {
        let PropClass::Stat { formula } = self.rules.props.get(prop.index())?.class else { return None };
        let flow = self.called(formula, (&[], None), (Who::Me, this), span);
        let about = self.about;
        let modified = self.said(about.modifiers.get(&prop).map_or(&[], Vec::as_slice), &[], this, span);
        Some(Flow::derived([&flow, &modified]).like(&flow))
    }

    /// Whether a `cannot` would stop a verb with these arguments.
    fn targetable(&mut self, verb: VerbId, args: &[Option<Expr>], span: Span) -> Flow {
        let args: Vec<Flow> =
            args.iter().map(|arg| arg.as_ref().map(|arg| self.expr(arg)).unwrap_or_default()).collect();
        let about = self.about;
        let stopped = self.said(about.cannots.get(&verb).map_or(&[], Vec::as_slice), &args, None, span);
        Flow::derived(args.iter().chain([&stopped]))
    }

    /// What the result of a definition is derived from, in terms of its parameters.
    fn result(&mut self, proc: ProcId) -> Flow {
        match self.results.get(proc.index()) {
            Some(Some(known)) => return known.clone(),
            Some(None) => {}
            None => return Flow::default(),
        }
        // A definition that calls itself is reported elsewhere; here it ends.
        if let Some(result) = self.results.get_mut(proc.index()) {
            *result = Some(Flow::default());
        }
        let rules = self.rules;
        let Some(found) = rules.procs.get(proc.index()) else { return Flow::default() };
        let ProcBody::Expr(body) = &found.body else { return Flow::default() };
        let own: Vec<Flow> = (0..found.locals.len())
            .map(|index| match self.about.is_given(proc, found.params, index) {
                true => Flow::argument(index, body.span),
                false => Flow::default().by(Who::Unknown),
            })
            .collect();
        let (locals, outer) = (std::mem::replace(&mut self.locals, own), std::mem::replace(&mut self.proc, proc));
        let borne = self.about.borne.contains(&proc);
        let (text, shown) = (std::mem::replace(&mut self.text, borne), std::mem::take(&mut self.shown));
        let held = std::mem::take(&mut self.held);
        let flow = if self.about.modified.contains(&proc) { self.modified(body) } else { self.expr(body) };
        (self.locals, self.proc, self.text, self.shown, self.held) = (locals, outer, text, shown, held);
        if let Some(result) = self.results.get_mut(proc.index()) {
            *result = Some(flow.clone());
        }
        flow
    }

    /// Whether a thing is in a set that names those whose stat a card modifies: what a filter asks of it is known to whom the
    /// thing is.
    fn modified(&mut self, set: &Expr) -> Flow {
        match &set.bare().kind {
            ExprKind::Where { over, binder, cond } => {
                let over = self.modified(over);
                self.bind(*binder, Flow::default());
                let cond = self.expr(cond);
                Flow::derived([&over, &cond]).like(&over)
            }
            _ => self.expr(set),
        }
    }

    /// What decides whether an action is offered to the player for whom `me` is.
    fn offered(&mut self, action: ActionId, call: &Call) -> Facts {
        self.depends = true;
        let proc = self.rules.actions.get(action.index()).map(|action| action.body);
        let summary = proc.and_then(|proc| self.summaries.get(proc.index()));
        let offered = summary.into_iter().flat_map(|summary| &summary.offered);
        let there = offered.flat_map(|(source, origin)| call.sources(*source, *origin));
        there.map(|(source, origin)| (source, Origin { span: call.span, ..origin })).collect()
    }

    /// The result of a definition for these arguments, and the card that says it, and for whom `me` and `this` are.
    pub(super) fn called(
        &mut self,
        proc: ProcId,
        (args, card): (&[Flow], Option<&Flow>),
        whose: (Who, Option<Who>),
        span: Span,
    ) -> Flow {
        self.depends = true;
        let result = self.result(proc);
        let (me, this) = (whose.0, whose.1.unwrap_or(Who::Unknown));
        let call = Call { args, card, me, this, span };
        let settled = |(source, at): (Source, Origin)| (source.of_player(|who| self.settled(who)), at);
        let of = |source: &Source, at: Origin| call.sources(*source, at).into_iter().map(settled);
        let facts = |from: &Facts| -> Facts {
            let found = from.iter().flat_map(|(source, origin)| of(source, *origin));
            found.map(|(source, origin)| (source, Origin { span, ..origin })).collect()
        };
        Flow {
            cards: result.cards.iter().flat_map(|source| of(source, span.into())).map(|(source, _)| source).collect(),
            facts: facts(&result.facts),
            order: facts(&result.order),
            called: result.called,
            who: result.who.map(|who| self.settled(call.whom(who))),
        }
    }

    /// Whether it is a definition that is looked at.
    fn is_defining(&self) -> bool {
        self.rules.procs.get(self.proc.index()).is_some_and(|proc| matches!(proc.body, ProcBody::Expr(_)))
    }

    /// A player whom a definition names by a mark, as whoever uses it names that player.
    fn settled(&self, who: Who) -> Who {
        match who {
            Who::Mark(prop) if !self.is_defining() => self.shown.player_in(prop).unwrap_or(Who::Unknown),
            who => who,
        }
    }

    /// Whether cards of which somebody asks the kind may be of another kind, as far as their zones say.
    fn may_be_another(&self, cards: &Flow, kind: KindId) -> bool {
        cards.cards.iter().any(|source| {
            let zone = source.zone().and_then(|(zone, _)| self.rules.zones.get(zone.index()));
            let Some(zone) = zone else { return true };
            zone.holds.iter().any(|held| !self.rules.is_below(*held, kind)) && may_lie_there(self.rules, zone, kind)
        })
    }

    /// What things of a kind are derived from: from no zone that holds none.
    fn of_kind(&self, flow: Flow, ty: &Ty) -> Flow {
        let Ty::Entity(kind) = *ty.element().bare() else { return flow };
        let holds = |source: &Source| {
            let zone = source.zone().and_then(|(zone, _)| self.rules.zones.get(zone.index()));
            zone.is_none_or(|zone| may_lie_there(self.rules, zone, kind))
        };
        Flow { cards: flow.cards.iter().copied().filter(holds).collect(), ..flow }
    }

    /// Zones in which a card of a kind can lie without everybody seeing it.
    pub(super) fn may_hold(&self, kind: KindId) -> impl Iterator<Item = ZoneId> + use<'r> {
        let rules = self.rules;
        let zones = rules.zones.iter().enumerate();
        let zones = zones.filter(move |(_, zone)| zone.seen.is_closed() && may_lie_there(rules, zone, kind));
        zones.map(|(index, _)| ZoneId(index as u32))
    }
}

/// Whether something of a kind may lie in a zone.
fn may_lie_there(rules: &Rules, zone: &Zone, kind: KindId) -> bool {
    let fits = |held: &KindId| rules.is_below(*held, kind) || rules.is_below(kind, *held);
    zone.holds.is_empty() || zone.holds.iter().any(fits)
}

/// The set of whose members one is taken that has the most or least of a property.
fn best_by(one: &Expr, prop: PropId) -> Option<&Expr> {
    let set = match &one.bare().kind {
        ExprKind::Builtin(Builtin::First, args) => args.first()?,
        ExprKind::Index(of, _) => of,
        _ => return None,
    };
    let (ExprKind::Having { binder, body, .. } | ExprKind::Sorted { binder, body, .. }) = &set.bare().kind else {
        return None;
    };
    matches!(&body.kind, ExprKind::Prop(of, by) if *by == prop && of.is_local(*binder)).then_some(set)
}

pub(super) fn is_player(ty: &Ty) -> bool {
    matches!(ty.bare(), Ty::Player)
}

fn is_cards(ty: &Ty) -> bool {
    matches!(ty.element().bare(), Ty::Entity(_))
}
