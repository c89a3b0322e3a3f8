//! Code for statements.

use super::NIL;
use super::actions::{inner_restricts, is_byway};
use super::code::{Builder, Exit, Order};
use super::layout::{PropHome, Repr, ent, is_builtin, repr, value_count};
use super::op::{Op, Slot};
use super::sites::{
    ArmSite, ArmUntil, CreateSite, CreateWhat, MoveSite, MoveTo, Need, ProceedSite, RandomSite, ScriptSite, TextPart,
    TextSite, VerbSite,
};
use crate::model::rules::walk::{asks, each_in, each_stmt};
use crate::model::rules::{
    BuiltinProp, CreateValue, Created, Destination, Expr, ExprKind, KindId, LocalId, ProcRole, PropClass, PropId,
    PropOwner, Rules, ScriptId, Stmt, StmtKind, Template, TemplatePart, Ty, ZoneOrder,
};

/// The values a property can be given by `every_value`.
pub(super) fn every_value(rules: &Rules, prop: PropId) -> Vec<i64> {
    let prop = &rules.props[prop.index()];
    let low = if matches!(prop.ty, Ty::Number) { prop.range.map_or(0, |(low, _)| low) } else { 0 };
    (0..value_count(rules, &prop.ty, prop.range) as i64).map(|value| low + value).collect()
}

impl Builder<'_> {
    /// Code for statements; `outer` where they stand at the top of their procedure.
    pub fn block(&mut self, stmts: &[Stmt], outer: bool) {
        for stmt in stmts {
            self.span = stmt.span;
            let (mark, from) = (self.top, self.ops.len() as u32);
            self.stmt(stmt);
            self.release(mark);
            if self.role == ProcRole::Action && is_byway(stmt) && inner_restricts(stmt) {
                self.byways.push((from, self.ops.len() as u32));
            }
            let flow = self.role == ProcRole::Flow;
            let checked = matches!(self.role, ProcRole::Effect | ProcRole::Action) && outer || flow;
            if checked && changes(stmt) && !self.quiet {
                self.span = stmt.span;
                self.checkpoint(self.role == ProcRole::Effect);
            }
            let parts = matches!(
                stmt.kind,
                StmtKind::If { .. } | StmtKind::Repeat { .. } | StmtKind::RepeatTimes { .. } | StmtKind::Phase { .. }
            );
            if flow && !parts && (changes(stmt) || matches!(stmt.kind, StmtKind::Turns { .. })) {
                self.end_turn_if_out();
            }
        }
    }

    fn stmt(&mut self, stmt: &Stmt) {
        // What is worked out anew each time is drawn for there.
        if !matches!(stmt.kind, StmtKind::Respond(_) | StmtKind::Repeat { .. }) {
            self.sample(stmt);
        }
        self.begun = self.ops.len();
        match &stmt.kind {
            StmtKind::Local { local, value } => {
                let d = self.local(*local);
                let words = self.layout.words(&value.ty);
                let mut own = false;
                value.walk(&mut |expr| own |= expr.is_local(*local));
                if own && words > 1 {
                    let value_slot = self.expr(value);
                    self.copy(words, d, value_slot);
                } else {
                    self.into(value, d);
                }
            }
            StmtKind::SetProp { of, prop, value } => self.set_prop(of, *prop, value),
            StmtKind::SetGameProp { prop, value } => {
                let a = self.expr(value);
                self.emit(Op::SetGameProp { p: prop.index() as u16, a });
            }
            StmtKind::Choose(choose) => self.choose(choose, false),
            StmtKind::ChooseAction { by, acts, or_else, prompt } => {
                self.choose_action(by.as_ref(), acts, or_else, prompt.as_ref());
            }
            StmtKind::Open { window, args } => {
                let proc = self.rules.windows[window.index()].body.index();
                let (proc, args) = (self.short(proc), self.args(args));
                self.emit(Op::Open { proc, args });
            }
            StmtKind::Respond(respond) => self.respond(respond),
            StmtKind::Offer(offer) => self.offer(offer),
            StmtKind::ChooseOption { by, arms, prompt } => self.choose_option(by.as_ref(), arms, prompt.as_ref()),
            StmtKind::ChooseOrder { by, local, domain, prompt } => {
                self.choose_order(by.as_ref(), *local, domain, prompt.as_ref());
            }
            StmtKind::ChooseSplit { by, local, domain, among, evenly, prompt } => {
                self.choose_split(by.as_ref(), *local, (domain, among), *evenly, prompt.as_ref());
            }
            StmtKind::Gate { .. } => self.gate(&stmt.kind),
            StmtKind::Each { local, domain, at_once: true, body } => self.at_once(*local, domain, body),
            StmtKind::Each { local, domain, body, .. } => {
                let subject = self.local(*local);
                // The members are settled before the first turn of the loop: of a range, where it ends.
                let settled = (!matches!(domain.bare().kind, ExprKind::Range(..))).then(|| self.settled(domain));
                self.spent = settled.as_ref().map(|settled| self.expr(settled));
                self.order = Some(Order::default());
                let domain = settled.as_ref().unwrap_or(domain);
                self.each(domain, subject, |builder| builder.loop_body(body, Exit::Each));
            }
            StmtKind::EachSecret { local, domain, choose, body } => self.each_secret(*local, domain, choose, body),
            StmtKind::If { cond, body, or_else } => {
                let (other, end) = (self.label(), self.label());
                self.jump(cond, false, other);
                self.block(body, false);
                if !or_else.is_empty() {
                    let to = self.to(end);
                    self.emit(Op::Jump { to });
                }
                self.bind(other);
                self.block(or_else, false);
                self.bind(end);
            }
            StmtKind::Repeat { until, body } => {
                let (next, end) = (self.label(), self.label());
                self.bind(next);
                if let Some(until) = until {
                    self.sample_in(std::iter::once(until));
                    self.jump(until, true, end);
                }
                self.loop_body(body, Exit::Repeat(end));
                if may_ask(body) {
                    self.span = stmt.span;
                    self.emit(Op::Again);
                }
                let to = self.to(next);
                self.emit(Op::Jump { to });
                self.bind(end);
            }
            StmtKind::RepeatTimes { times, body } => {
                let (next, end) = (self.label(), self.label());
                let (left, zero, one) = (self.temp(1), self.word(0), self.word(1));
                self.into(times, left);
                self.bind(next);
                let to = self.to(end);
                self.emit(Op::JumpLt { on: false, a: zero, b: left, to });
                self.emit(Op::Sub { d: left, a: left, b: one });
                self.loop_body(body, Exit::Repeat(end));
                let to = self.to(next);
                self.emit(Op::Jump { to });
                self.bind(end);
            }
            StmtKind::Turns { span, from, among, next, rounds, until, body } => {
                self.turns(*span, (from, among.as_ref(), next.as_ref()), (rounds.as_ref(), until.as_ref()), body)
            }
            StmtKind::Phase { span, body } => self.phase(*span, body),
            StmtKind::LeaveRepeat => self.leave(|exit| match exit {
                Exit::Repeat(label) => Some(*label),
                Exit::Span(..) | Exit::Each => None,
            }),
            StmtKind::LeaveSpan(span) => self.leave(|exit| match exit {
                Exit::Span(found, label) if found == span => Some(*label),
                _ => None,
            }),
            StmtKind::Stop => self.emit(Op::End),
            StmtKind::Move { what, riders, to, local } => self.movement(what, riders.as_ref(), to, *local),
            StmtKind::Create { what, to, fields, local } => self.create(what, to, fields, *local),
            StmtKind::Link { what, to, link } => {
                let p = self.rules.links[link.index()].one.index() as u16;
                let (e, a) = (self.expr(what), self.expr(to));
                self.emit(Op::Link { e, a, p });
            }
            StmtKind::Unlink { what, link } => {
                let p = self.rules.links[link.index()].one.index() as u16;
                let e = self.expr(what);
                self.emit(Op::Unlink { e, p });
            }
            StmtKind::Shuffle { zone, of } => {
                let zone = self.instance(*zone, of.as_ref());
                self.emit(Op::Shuffle { zone });
            }
            StmtKind::Roll { local, low, high } => {
                let (a, b) = (self.expr(low), self.expr(high));
                let d = self.local(*local);
                self.emit(Op::Roll { d, a, b });
            }
            StmtKind::Random { local, domain } => {
                let from = self.expr(domain);
                let d = self.local(*local);
                let span = stmt.span;
                self.sites.randoms.push(RandomSite {
                    from,
                    repr: repr(&domain.ty),
                    ty: item(&domain.ty),
                    values: Vec::new(),
                    span,
                });
                let site = self.long(self.sites.randoms.len() - 1);
                self.emit(Op::Random { d, site });
            }
            StmtKind::Reveal { what, .. } if !matches!(what.ty.element().bare(), Ty::Entity(_)) => {
                let a = self.expr(what);
                let words = if repr(&what.ty) == Repr::List { 0 } else { self.layout.width(&what.ty) };
                self.emit(Op::Tell { a, words });
            }
            StmtKind::Reveal { what, to, how } => {
                let a = self.as_set(what);
                let to = match to {
                    Some(to) => self.as_set(to),
                    // Those who are out watch on.
                    None => self.word(-1),
                };
                self.emit(Op::Reveal { a, to, how: *how });
            }
            StmtKind::Ensure { cond, .. } if self.is_behind_a_choice(stmt) => {
                // Of what it leaves of the choice is known which part of it does not hold.
                let a = self.expr(cond);
                self.emit(Op::Ensure { a });
            }
            StmtKind::Ensure { cond, reason } => self.requires(cond, reason.as_deref(), false),
            StmtKind::Requires { cond, reason, lenient } => self.requires(cond, reason.as_deref(), *lenient),
            StmtKind::Arm { span, clauses } => self.arm(span, clauses),
            StmtKind::Do { of, field, args, by } => {
                let e = self.expr(of);
                let me = by.as_ref().map_or(self.env.me, |by| self.expr(by));
                let args = self.args_behind(me, args);
                self.emit(Op::Do { e, f: field.index() as u16, args });
            }
            StmtKind::Script { script, args, armed } => self.act(*script, args, *armed),
            StmtKind::Call { verb, args, ignoring } => self.call_verb(*verb, args, ignoring),
            StmtKind::Proceed { args } => self.proceed(args),
            StmtKind::Win(who) => {
                let a = self.as_set(who);
                self.emit(Op::Win { a });
            }
            StmtKind::Lose(who) => {
                let a = self.as_set(who);
                self.emit(Op::Lose { a });
            }
            StmtKind::DrawGame => self.emit(Op::DrawGame),
            StmtKind::EndGame => self.emit(Op::EndGame),
            StmtKind::OpenAgain => self.emit(Op::OpenAgain),
            StmtKind::Settle => self.emit(Op::Checkpoint { always: true }),
            StmtKind::Note(text) => {
                let site = self.text(text);
                self.sites.texts.push(site);
                let site = self.long(self.sites.texts.len() - 1);
                self.emit(Op::Note { site });
            }
        }
    }

    pub(super) fn loop_body(&mut self, body: &[Stmt], exit: Exit) {
        self.exits.push(exit);
        self.block(body, false);
        self.exits.pop();
    }

    /// Leaves the turn whose player is out of the game.
    fn end_turn_if_out(&mut self) {
        let inner = self.exits.iter().rev().map_while(|exit| match exit {
            Exit::Each => None,
            Exit::Span(span, label) if self.rules.spans[span.index()].turns => Some(Some(*label)),
            Exit::Repeat(_) | Exit::Span(..) => Some(None),
        });
        let Some(turn) = inner.flatten().next().filter(|_| self.can_go_out) else { return };
        let mark = self.top;
        let (d, e) = (self.temp(1), self.env.me);
        self.emit(Op::Playing { d, e });
        let to = self.to(turn);
        self.emit(Op::JumpFalse { a: d, to });
        self.release(mark);
    }

    fn leave(&mut self, find: impl Fn(&Exit) -> Option<super::code::Label>) {
        if let Some(label) = self.exits.iter().rev().find_map(find) {
            let to = self.to(label);
            self.emit(Op::Jump { to });
        }
    }

    /// An expression whose value is worked out once, so that changes in a loop do not disturb it.
    pub fn settled(&mut self, domain: &Expr) -> Expr {
        let words = self.layout.words(&domain.ty);
        let slot = self.temp(words);
        self.into(domain, slot);
        self.keep(slot, &domain.ty);
        let local = LocalId(self.env.locals.len() as u32);
        self.env.locals.push(slot);
        Expr { kind: ExprKind::Local(local), ty: domain.ty.clone(), span: domain.span }
    }

    pub fn optional(&mut self, expr: Option<&Expr>) -> Slot {
        expr.map_or(Slot::NONE, |expr| {
            let d = self.temp(1);
            self.into(expr, d);
            d
        })
    }

    /// A single value or a set, as a set.
    fn as_set(&mut self, expr: &Expr) -> Slot {
        let kind = repr(&set_of(&expr.ty));
        if repr(&expr.ty) == kind {
            return self.expr(expr);
        }
        let d = self.temp(u16::from(self.layout.set_words(kind)));
        self.as_set_of(expr, kind, d);
        d
    }

    /// Whether something is chosen before a statement of the procedure.
    fn is_behind_a_choice(&self, stmt: &Stmt) -> bool {
        let (mut chosen, mut behind) = (false, None);
        each_stmt(&self.rules.procs[self.proc.index()], &mut |other| {
            if other.span == stmt.span && matches!(other.kind, StmtKind::Ensure { .. }) {
                behind = behind.or(Some(chosen));
            }
            chosen |= asks(other) || matches!(other.kind, StmtKind::Gate { .. });
        });
        behind.unwrap_or(true)
    }

    /// A condition without which an action does not go on.
    fn requires(&mut self, cond: &Expr, reason: Option<&str>, lenient: bool) {
        let a = self.expr(cond);
        self.sites.reasons.push((reason.unwrap_or_default().to_owned(), lenient));
        let site = self.long(self.sites.reasons.len() - 1);
        self.emit(Op::Requires { a, site });
    }

    fn set_prop(&mut self, of: &Expr, prop: PropId, value: &Expr) {
        let player = self.rules.props[prop.index()].owner == PropOwner::Player;
        let one = |e: Slot, a: Slot| {
            if player {
                Op::SetPlayerProp { e, p: prop.index() as u16, a }
            } else {
                Op::SetProp { e, p: prop.index() as u16, a }
            }
        };
        if repr(&of.ty) == Repr::Word {
            let e = self.expr(of);
            let a = self.expr(value);
            return self.emit(one(e, a));
        }
        let a = self.expr(value);
        let subject = self.temp(1);
        // What is set may decide who is a member.
        let lasts = matches!(
            of.bare().kind,
            ExprKind::Local(_) | ExprKind::InPlay(_) | ExprKind::Contents(..) | ExprKind::Players | ExprKind::Opponents
        );
        let settled = (!lasts).then(|| self.settled(of));
        self.each(settled.as_ref().unwrap_or(of), subject, |builder| builder.emit(one(subject, a)));
    }

    /// Where something goes, with its parts in slots.
    fn destination(&mut self, to: &Destination) -> MoveTo {
        match to {
            Destination::Nowhere => MoveTo::Nowhere,
            Destination::Zone { zone, of, place } => {
                let instance = self.instance(*zone, of.as_ref());
                MoveTo::Zone(instance, *place)
            }
            Destination::Site { site, .. } => {
                let slot = self.expr(site);
                MoveTo::Site(slot, super::exprs::board_of(&site.ty))
            }
        }
    }

    fn movement(&mut self, what: &Expr, riders: Option<&Expr>, to: &Destination, local: Option<LocalId>) {
        let single = repr(&what.ty) == Repr::Word;
        let domain = if single { what.clone() } else { self.settled(what) };
        let members = (!single).then(|| self.expr(&domain));
        let turned = match to {
            Destination::Site { turned, .. } => self.optional(turned.as_ref()),
            _ => Slot::NONE,
        };
        let together = match to {
            Destination::Site { .. } => true,
            Destination::Zone { zone, .. } => self.rules.zones[zone.index()].order != ZoneOrder::None,
            Destination::Nowhere => false,
        };
        let to = self.destination(to);
        let riders = riders.map_or(Slot::NONE, |riders| {
            let d = self.temp(self.layout.entity_set);
            let slot = self.as_set(riders);
            self.copy(self.layout.entity_set, d, slot);
            self.keep(d, &set_of(&riders.ty));
            d
        });
        let bind = local.map(|local| (self.local(local), if single { Repr::Word } else { Repr::Entities }));
        if let Some((d, kind)) = bind {
            let empty = if kind == Repr::Word { self.word(NIL) } else { self.empty() };
            self.copy(u16::from(self.layout.set_words(kind)), d, empty);
        }
        self.sites.moves.push(MoveSite { to, riders, turned, bind });
        let site = self.long(self.sites.moves.len() - 1);
        let e = self.temp(1);
        self.spent = members;
        self.order = Some(Order { together });
        self.each(&domain, e, |builder| builder.emit(Op::Move { e, site }));
    }

    /// Whether a piece without a definition is put on a board, and nothing but its record and place is to be seen to.
    fn plain_creation(&self, what: CreateWhat, to: MoveTo, props: &[(u16, Slot, u16)]) -> Option<(KindId, u16)> {
        let (CreateWhat::Kind(kind), MoveTo::Site(_, board)) = (what, to) else { return None };
        let rules = self.rules;
        let plain = self.layout.boards[usize::from(board)].places == 0
            && self.layout.piece_row[kind.index()].is_some()
            && rules.kinds[kind.index()].back.is_none()
            && rules.turn.is_none_or(|turn| self.layout.props[turn.index()] == PropHome::None)
            && props.iter().all(|(_, _, words)| *words == 1);
        plain.then_some((kind, board))
    }

    /// Whether a value may be none that a property keeps as it is: a number beyond its bounds, a flag of nothing.
    fn exceeds(&self, value: &Expr, prop: PropId) -> bool {
        let info = &self.rules.props[prop.index()];
        match (info.ty.bare(), super::walk::constant(self.rules, value)) {
            (Ty::Number, Some(word)) => info.range.is_some_and(|(low, high)| !(low..=high).contains(&word)),
            (Ty::Number, None) => info.range.is_some() || !matches!(info.class, PropClass::Field { .. }),
            (Ty::Flag, known) => known.is_none(),
            _ => false,
        }
    }

    fn create(&mut self, what: &Created, to: &Destination, fields: &[(PropId, CreateValue)], local: Option<LocalId>) {
        let to = self.destination(to);
        let (what, count) = match what {
            Created::CopyOf { count, of } => (CreateWhat::Copy(self.expr(of)), count.as_ref()),
            Created::Kind { count, kind } => (CreateWhat::Kind(*kind), count.as_ref()),
            Created::Entry { count, entry } => (CreateWhat::Entry(*entry), count.as_ref()),
        };
        let (mut props, mut bounded) = (Vec::new(), Vec::new());
        let (mut every, mut any, mut drawn) = (Vec::new(), Vec::new(), Vec::new());
        for (prop, value) in fields {
            let slot = match value {
                CreateValue::Value(expr) => self.expr(expr),
                CreateValue::EveryValue => {
                    let slot = self.temp(1);
                    every.push((*prop, slot));
                    slot
                }
                CreateValue::AnyValue => {
                    let slot = self.temp(1);
                    let (ty, values) = (self.rules.props[prop.index()].ty.clone(), every_value(self.rules, *prop));
                    self.sites.randoms.push(RandomSite { from: slot, repr: Repr::Word, ty, values, span: self.span });
                    any.push((slot, self.sites.randoms.len() - 1));
                    slot
                }
            };
            let words = self.layout.words(&self.rules.props[prop.index()].ty);
            match self.layout.props[prop.index()] {
                PropHome::Entity(offset) => {
                    if let (CreateValue::AnyValue, Some((_, random))) = (value, any.last()) {
                        drawn.push((offset, *random));
                    }
                    match value {
                        CreateValue::Value(expr) if self.exceeds(expr, *prop) => bounded.push((offset, *prop, slot)),
                        _ => props.push((offset, slot, words)),
                    }
                }
                _ if is_builtin(self.rules, *prop, BuiltinProp::Owner) => props.push((ent::OWNER as u16, slot, 1)),
                // INVARIANT: the checker lets nothing else be set here.
                PropHome::None | PropHome::Player(_) | PropHome::Game(_) => {}
            }
        }
        let d = match local {
            Some(local) => self.local(local),
            None => self.temp(1),
        };
        let plain = self.plain_creation(what, to, &props).filter(|_| bounded.is_empty());
        self.sites.creates.push(CreateSite { what, to, props, bounded, plain, drawn });
        let site = self.long(self.sites.creates.len() - 1);
        let draw = |builder: &mut Self| {
            for (d, random) in &any {
                let site = builder.long(*random);
                builder.emit(Op::Random { d: *d, site });
            }
        };
        let mut combos: Vec<Vec<(Slot, i64)>> = vec![Vec::new()];
        for (prop, slot) in every {
            combos = combos
                .into_iter()
                .flat_map(|combo| {
                    every_value(self.rules, prop).into_iter().map(move |value| {
                        let mut combo = combo.clone();
                        combo.push((slot, value));
                        combo
                    })
                })
                .collect();
        }
        let left = count.map(|count| {
            let left = self.temp(1);
            self.into(count, left);
            left
        });
        for combo in combos {
            for (slot, value) in combo {
                let a = self.word(value);
                self.emit(Op::Copy { d: slot, a });
            }
            let Some(left) = left else {
                draw(self);
                self.emit(Op::Create { d, site });
                continue;
            };
            let (i, zero, one, next, end) = (self.temp(1), self.word(0), self.word(1), self.label(), self.label());
            self.emit(Op::Copy { d: i, a: left });
            self.bind(next);
            let to = self.to(end);
            self.emit(Op::JumpLt { on: false, a: zero, b: i, to });
            self.emit(Op::Sub { d: i, a: i, b: one });
            draw(self);
            self.emit(Op::Create { d, site });
            let to = self.to(next);
            self.emit(Op::Jump { to });
            self.bind(end);
        }
    }

    /// All events are proposed before the first is carried out.
    fn at_once(&mut self, local: LocalId, domain: &Expr, body: &[Stmt]) {
        let [Stmt { kind: StmtKind::Call { verb, args, ignoring }, .. }] = body else { return };
        let from = self.temp(1);
        self.emit(Op::BatchStart { d: from });
        let subject = self.local(local);
        let domain = self.settled(domain);
        self.each(&domain, subject, |builder| {
            let mark = builder.top;
            body.iter().for_each(|stmt| builder.sample(stmt));
            let (site, args) = builder.verb_args(*verb, args, ignoring);
            builder.emit(Op::Propose { site, args });
            builder.release(mark);
        });
        self.emit(Op::Commit { from });
    }

    fn act(&mut self, script: ScriptId, args: &[Expr], armed: bool) {
        let args = args
            .iter()
            .map(|arg| {
                let d = self.temp(self.layout.words(&arg.ty));
                self.into(arg, d);
                (d, arg.ty.clone())
            })
            .collect();
        self.sites.scripts.push(ScriptSite { script, armed, args, span: self.span });
        let site = self.long(self.sites.scripts.len() - 1);
        self.emit(Op::Act { site });
    }

    fn call_verb(
        &mut self,
        verb: crate::model::rules::VerbId,
        args: &[Option<Expr>],
        ignoring: &[crate::model::rules::GroupId],
    ) {
        let (site, args) = self.verb_args(verb, args, ignoring);
        match self.is_in_place(verb) {
            true => self.verb_in_place(verb, site, args),
            false => self.emit(Op::Verb { site, args }),
        }
    }

    /// Puts the arguments of a verb beside each other; gives the site of the call and where they are.
    fn verb_args(
        &mut self,
        verb: crate::model::rules::VerbId,
        args: &[Option<Expr>],
        ignoring: &[crate::model::rules::GroupId],
    ) -> (u32, Slot) {
        let info = &self.rules.verbs[verb.index()];
        let words = info.params.iter().map(|param| self.layout.words(&param.ty)).collect();
        let needed = info.params.iter().map(|param| need(&param.ty)).collect();
        let start = self.arguments_of(verb, args);
        let ignoring = self.ignoring(ignoring);
        self.sites.verbs.push(VerbSite { verb, words, needed, ignoring, args: start });
        (self.long(self.sites.verbs.len() - 1), start)
    }

    /// Where the arguments of a verb lie beside each other.
    pub(super) fn arguments_of(&mut self, verb: crate::model::rules::VerbId, args: &[Option<Expr>]) -> Slot {
        let rules = self.rules;
        let info = &rules.verbs[verb.index()];
        let words: Vec<u16> = info.params.iter().map(|param| self.layout.words(&param.ty)).collect();
        let start = self.temp(words.iter().sum::<u16>().max(1));
        let mut at = start;
        let mut slots = Vec::new();
        for words in &words {
            slots.push(at);
            at = at.offset(*words);
        }
        for (index, param) in info.params.iter().enumerate() {
            match (args.get(index).and_then(Option::as_ref), param.default) {
                (Some(arg), _) => self.into(arg, slots[index]),
                (None, Some(default)) => self.default_arg(default, &slots, slots[index]),
                (None, None) => {
                    let empty = if repr(&param.ty) == Repr::Word { self.word(NIL) } else { self.empty() };
                    self.copy(words[index], slots[index], empty);
                }
            }
        }
        start
    }

    /// A default, with the verb's parameters bound to the arguments before it.
    fn default_arg(&mut self, default: crate::model::rules::ProcId, slots: &[Slot], d: Slot) {
        let rules = self.rules;
        let proc = &rules.procs[default.index()];
        let crate::model::rules::ProcBody::Expr(body) = &proc.body else { return };
        let mut locals = slots.to_vec();
        locals.truncate(usize::from(proc.params));
        for local in &proc.locals[locals.len()..] {
            let slot = self.temp(self.layout.words(&local.ty));
            locals.push(slot);
        }
        let env = std::mem::replace(&mut self.env.locals, locals);
        self.into(body, d);
        self.env.locals = env;
    }

    fn proceed(&mut self, args: &[Option<Expr>]) {
        let Some(verb) = self.hook_verb else { return };
        let rules = self.rules;
        let info = &rules.verbs[verb.index()];
        let words: Vec<u16> = info.params.iter().map(|param| self.layout.words(&param.ty)).collect();
        let given = args.iter().zip(&info.params).map(|(arg, param)| arg.as_ref().map(|_| need(&param.ty))).collect();
        let start = self.temp(words.iter().sum::<u16>().max(1));
        let mut at = start;
        for (words, arg) in words.iter().zip(args) {
            if let Some(arg) = arg {
                self.into(arg, at);
            }
            at = at.offset(*words);
        }
        self.sites.proceeds.push(ProceedSite { verb, words, given });
        let site = self.long(self.sites.proceeds.len() - 1);
        self.emit(Op::Proceed { site, args: start });
    }

    fn arm(&mut self, span: &crate::model::rules::ArmSpan, clauses: &[crate::model::rules::ClauseId]) {
        let mut until = ArmUntil::from(span);
        if let (ArmUntil::StartOf(id, _), crate::model::rules::ArmSpan::StartOf(_, player)) = (until, span) {
            until = ArmUntil::StartOf(id, self.expr(player));
        }
        let rules = self.rules;
        let clauses = clauses
            .iter()
            .map(|clause| {
                // What is captured stands behind the event's parameters, in the order of its numbers there.
                let mut captures = rules.clauses[clause.index()].captures.clone();
                captures.sort_by_key(|(_, inner)| *inner);
                let captured = captures
                    .iter()
                    .map(|(outer, inner)| {
                        let words = self.layout.words(&self.captured_type(*clause, *inner));
                        (self.local(*outer), words)
                    })
                    .collect();
                (*clause, captured)
            })
            .collect();
        self.sites.arms.push(ArmSite { clauses, span: until });
        let site = self.long(self.sites.arms.len() - 1);
        self.emit(Op::Arm { site });
    }

    fn captured_type(&self, clause: crate::model::rules::ClauseId, inner: LocalId) -> Ty {
        use crate::model::rules::ClauseKind;
        let proc = match &self.rules.clauses[clause.index()].kind {
            ClauseKind::Hook { cond, body, .. } => body.or(*cond),
            ClauseKind::Becomes { body, .. } | ClauseKind::Check { body, .. } => Some(*body),
            ClauseKind::Modify { value, .. } => Some(*value),
        };
        proc.and_then(|proc| self.rules.procs[proc.index()].locals.get(inner.index()))
            .map_or(Ty::Number, |local| local.ty.clone())
    }

    pub fn text(&mut self, template: &Template) -> TextSite {
        let parts = template
            .parts
            .iter()
            .map(|part| match part {
                TemplatePart::Text(text) => TextPart::Text(text.clone()),
                TemplatePart::Value(expr) => {
                    let d = self.temp(self.layout.words(&expr.ty));
                    self.into(expr, d);
                    TextPart::Value(d, expr.ty.clone())
                }
            })
            .collect();
        TextSite { span: template.span, parts }
    }
}

/// The type of the members of a set, or of a value itself.
pub(super) fn item(ty: &Ty) -> Ty {
    match ty {
        Ty::Set(item_ty) | Ty::List(item_ty) => item_ty.as_ref().clone(),
        Ty::Maybe(inner) => item(inner),
        other => other.clone(),
    }
}

/// The set of what a type is, or is made of.
pub(super) fn set_of(ty: &Ty) -> Ty {
    Ty::Set(Box::new(item(ty)))
}

/// Whether somebody may be asked in these statements, or in what they call: as often as they are run it is counted.
fn may_ask(stmts: &[Stmt]) -> bool {
    let mut found = false;
    each_in(stmts, &mut |stmt| {
        found |= asks(stmt)
            || matches!(
                stmt.kind,
                StmtKind::Gate { .. } | StmtKind::Call { .. } | StmtKind::Open { .. } | StmtKind::Do { .. }
            );
    });
    found
}

/// Whether a statement can change anything that checks and triggers look at.
pub(super) fn changes(stmt: &Stmt) -> bool {
    match &stmt.kind {
        StmtKind::Local { .. }
        | StmtKind::Choose(_)
        | StmtKind::ChooseOrder { .. }
        | StmtKind::ChooseSplit { .. }
        | StmtKind::Ensure { .. }
        | StmtKind::Requires { .. }
        | StmtKind::OpenAgain
        | StmtKind::Settle
        | StmtKind::Stop
        | StmtKind::LeaveRepeat
        | StmtKind::LeaveSpan(_)
        | StmtKind::Note(_)
        | StmtKind::Win(_)
        | StmtKind::DrawGame
        | StmtKind::EndGame
        | StmtKind::Turns { .. }
        | StmtKind::Phase { .. } => false,
        StmtKind::If { body, or_else, .. } => body.iter().chain(or_else).any(changes),
        StmtKind::Each { body, .. } | StmtKind::Repeat { body, .. } | StmtKind::RepeatTimes { body, .. } => {
            body.iter().any(changes)
        }
        _ => true,
    }
}

pub(super) fn need(ty: &Ty) -> Need {
    match ty {
        Ty::Entity(_) => Need::Entity,
        Ty::Maybe(_) | Ty::Lambda(..) => Need::Nothing,
        _ if repr(ty) == Repr::Word => Need::Value,
        _ => Need::Nothing,
    }
}
