//! What is derived from cards that somebody does not see: followed through locals, definitions, their parameters and
//! stats to what a player is shown. In come the rules as a whole; out go the places where options, questions or lines of
//! the log would tell a secret. What cards are called there is not its business: the engine names only cards that the
//! reader knows.

use super::check::Checker;
use super::hidden::is_subkind;
use super::rules::{
    Act, BinaryOp, BuiltinProp, Choose, Destination, Expr, ExprKind, KindId, LocalId, Offer, ProcBody, ProcId,
    ProcRole, PropClass, PropId, Qty, Rules, Seen, Stmt, StmtKind, Template, TemplatePart, Ty, ZoneId,
};
use crate::base::{Code, Diagnostic, Span};
use std::collections::{BTreeMap, BTreeSet};

/// A player, as far as the text says which one: the same one is the same player.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Who {
    Me,
    This,
    Seat(i64),
    Local(LocalId),
    /// The argument of a definition.
    Param(usize),
    Unknown,
}

/// Where something comes from that not everybody sees.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Source {
    Zone(ZoneId, Who),
    /// The cards that an argument of a definition is, or what it was derived from.
    Cards(usize),
    Facts(usize),
}

/// What is known of a value.
#[derive(Clone, Debug, Default)]
struct Flow {
    /// Where the cards lie that it is.
    cards: BTreeSet<Source>,
    /// What it was derived from, and where.
    facts: BTreeMap<Source, Span>,
    /// Whether it says by name which cards it is.
    named: bool,
    /// Which player it is.
    who: Option<Who>,
}

impl Flow {
    fn facts(facts: BTreeMap<Source, Span>) -> Flow {
        Flow { facts, ..Flow::default() }
    }

    /// A value that is derived from all of these.
    fn derived<'f>(flows: impl IntoIterator<Item = &'f Flow>) -> Flow {
        let mut facts = BTreeMap::new();
        for flow in flows {
            facts.extend(flow.facts.iter().map(|(source, span)| (*source, *span)));
        }
        Flow::facts(facts)
    }

    /// What was learnt of the cards that another value is.
    fn read(mut self, of: &Flow, span: Span) -> Flow {
        self.facts.extend(of.cards.iter().map(|source| (*source, span)));
        self
    }

    /// The same cards as another value is.
    fn like(mut self, other: &Flow) -> Flow {
        self.cards.extend(other.cards.iter().copied());
        self.named |= other.named;
        self
    }

    fn by(self, who: Who) -> Flow {
        Flow { who: Some(who), ..self }
    }
}

impl Checker<'_> {
    /// Reports where a player would be shown what is derived from cards that this player does not see.
    pub(super) fn check_secrets(&mut self) {
        if self.rules.zones.iter().all(|zone| zone.seen == Seen::All) {
            return;
        }
        let mut watch = Watch::new(&self.rules);
        for index in 0..self.rules.procs.len() {
            watch.procedure(ProcId(index as u32));
        }
        let found = watch.found;
        found.into_iter().for_each(|found| self.report(found));
    }
}

struct Watch<'r> {
    rules: &'r Rules,
    /// What the results of definitions are derived from, once that was worked out.
    results: Vec<Option<Flow>>,
    /// By local of the procedure at hand.
    locals: Vec<Flow>,
    role: ProcRole,
    /// Whether something was revealed on the way.
    revealed: bool,
    found: Vec<Diagnostic>,
}

impl<'r> Watch<'r> {
    fn new(rules: &'r Rules) -> Watch<'r> {
        let results = vec![None; rules.procs.len()];
        Watch { rules, results, locals: Vec::new(), role: ProcRole::Pure, revealed: false, found: Vec::new() }
    }

    fn procedure(&mut self, proc: ProcId) {
        let Some(found) = self.rules.procs.get(proc.index()) else { return };
        if let ProcBody::Block(stmts) = &found.body {
            let flow = |local: usize| Flow::default().by(Who::Local(LocalId(local as u32)));
            self.locals = (0..found.locals.len()).map(flow).collect();
            (self.role, self.revealed) = (found.role, false);
            self.block(stmts);
        }
    }

    fn local(&self, local: LocalId) -> Flow {
        self.locals.get(local.index()).cloned().unwrap_or_default()
    }

    fn bind(&mut self, local: LocalId, flow: Flow) {
        if let Some(found) = self.locals.get_mut(local.index()) {
            *found = Flow { who: flow.who.or(Some(Who::Local(local))), ..flow };
        }
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
            .map(|index| match index < usize::from(found.params) {
                true => Flow {
                    cards: BTreeSet::from([Source::Cards(index)]),
                    facts: BTreeMap::from([(Source::Facts(index), body.span)]),
                    named: false,
                    who: Some(Who::Param(index)),
                },
                false => Flow::default().by(Who::Unknown),
            })
            .collect();
        let outer = std::mem::replace(&mut self.locals, own);
        let flow = self.expr(body);
        self.locals = outer;
        if let Some(result) = self.results.get_mut(proc.index()) {
            *result = Some(flow.clone());
        }
        flow
    }

    /// The result of a definition for these arguments, and for whom `this` is.
    fn called(&mut self, proc: ProcId, args: &[Flow], this: Option<Who>, span: Span) -> Flow {
        let result = self.result(proc);
        let whom = |who: Who| match who {
            Who::Me | Who::Seat(_) => who,
            Who::This => this.unwrap_or(Who::Unknown),
            Who::Param(index) => args.get(index).and_then(|arg| arg.who).unwrap_or(Who::Unknown),
            Who::Local(_) | Who::Unknown => Who::Unknown,
        };
        let of = |source: &Source| -> Vec<Source> {
            match source {
                Source::Zone(zone, who) => vec![Source::Zone(*zone, whom(*who))],
                Source::Cards(index) => args.get(*index).map_or(Vec::new(), |arg| arg.cards.iter().copied().collect()),
                Source::Facts(index) => args.get(*index).map_or(Vec::new(), |arg| arg.facts.keys().copied().collect()),
            }
        };
        Flow {
            cards: result.cards.iter().flat_map(of).collect(),
            facts: result.facts.keys().flat_map(of).map(|source| (source, span)).collect(),
            named: result.named,
            who: result.who.map(whom),
        }
    }

    fn all(&mut self, exprs: &[Expr]) -> Vec<Flow> {
        exprs.iter().map(|expr| self.expr(expr)).collect()
    }

    /// `over` and, with its members bound, what is asked of each.
    fn each(&mut self, over: &Expr, binder: LocalId, body: &Expr) -> (Flow, Flow) {
        let over = self.expr(over);
        self.bind(binder, Flow { who: None, ..over.clone() });
        let body = self.expr(body);
        (over, body)
    }

    fn expr(&mut self, expr: &Expr) -> Flow {
        let span = expr.span;
        match &expr.kind {
            ExprKind::Local(local) => self.local(*local),
            ExprKind::Me => Flow::default().by(Who::Me),
            ExprKind::This => Flow::default().by(Who::This),
            ExprKind::Seat(number) => match number.kind {
                ExprKind::Word(number) => Flow::default().by(Who::Seat(number)),
                _ => self.expr(number).by(Who::Unknown),
            },
            ExprKind::EntitiesOf(_) => Flow { named: true, ..Flow::default() },
            ExprKind::Contents(zone, of) => self.contents(*zone, of.as_deref()),
            ExprKind::Prop(of, prop) => self.property(of, *prop, span),
            ExprKind::GameProp(prop) => self.stat(*prop, None, span).unwrap_or_default(),
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
                    BinaryOp::Union => Flow::derived([&a, &b]).like(&a).like(&b),
                    BinaryOp::Difference | BinaryOp::Both => met(&a, &b, span).like(&a),
                    BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul | BinaryOp::Div | BinaryOp::Rem => {
                        Flow::derived([&a, &b])
                    }
                }
            }
            ExprKind::Where { over, binder, cond } => {
                let (over, cond) = self.each(over, *binder, cond);
                Flow::derived([&over, &cond]).like(&over)
            }
            ExprKind::Having { over, binder, body, .. } | ExprKind::Sorted { over, binder, body, .. } => {
                let (over, body) = self.each(over, *binder, body);
                Flow::derived([&over, &body]).like(&over)
            }
            ExprKind::Any { over, binder, cond } | ExprKind::All { over, binder, cond } => {
                let (over, cond) = self.each(over, *binder, cond);
                Flow::derived([&over, &cond])
            }
            ExprKind::Fold { over, binder, body, .. } => {
                let (over, body) = self.each(over, *binder, body);
                Flow::derived([&over, &body])
            }
            ExprKind::Collect { over, binder, body, .. } => {
                let (over, body) = self.each(over, *binder, body);
                Flow::derived([&over, &body]).like(&body)
            }
            ExprKind::ToSet(of) | ExprKind::ToList(of) => self.expr(of),
            ExprKind::List(items) => self.members(items),
            ExprKind::Builtin(_, args) if is_cards(&expr.ty) => self.members(args),
            ExprKind::Part(of, by) | ExprKind::Index(of, by) => {
                let (of, by) = (self.expr(of), self.expr(by));
                Flow::derived([&of, &by]).like(&of)
            }
            ExprKind::If(cond, a, b) => {
                let (cond, a, b) = (self.expr(cond), self.expr(a), self.expr(b));
                Flow::derived([&cond, &a, &b]).like(&a).like(&b)
            }
            ExprKind::Call(proc, args) => {
                let args = self.all(args);
                self.called(*proc, &args, None, span)
            }
            // A question, a text to be carried out and a script may read all of what they are given.
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
            ExprKind::Can(who, _, args) => {
                let mut flows = self.all(args);
                flows.push(self.expr(who));
                let who = flows.last().and_then(|flow| flow.who).unwrap_or(Who::Unknown);
                let mut flow = Flow::derived(&flows);
                flow.facts.extend(self.hands().map(|zone| (Source::Zone(zone, who), span)));
                flow
            }
            ExprKind::Count(of) | ExprKind::Some(of) | ExprKind::Not(of) | ExprKind::Negate(of) => {
                Flow::derived([&self.expr(of)])
            }
            ExprKind::Targetable { args, .. } => {
                let flows: Vec<Flow> = args.iter().flatten().map(|arg| self.expr(arg)).collect();
                Flow::derived(&flows)
            }
            ExprKind::And(a, b) | ExprKind::Or(a, b) | ExprKind::Range(a, b) => {
                let (a, b) = (self.expr(a), self.expr(b));
                Flow::derived([&a, &b])
            }
            ExprKind::Builtin(_, args) => Flow::derived(&self.all(args)),
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
            | ExprKind::Option(_)
            | ExprKind::InPlay(_)
            | ExprKind::Players
            | ExprKind::Opponents
            | ExprKind::Lambda(_) => Flow::default(),
        }
    }

    fn members(&mut self, of: &[Expr]) -> Flow {
        let flows = self.all(of);
        flows.iter().fold(Flow::derived(&flows), Flow::like)
    }

    fn contents(&mut self, zone: ZoneId, of: Option<&Expr>) -> Flow {
        let of = of.map(|of| self.expr(of)).unwrap_or_default();
        let mut flow = Flow::derived([&of]);
        if matches!(self.rules.zones.get(zone.index()).map(|zone| zone.seen), Some(Seen::Holder | Seen::None)) {
            flow.cards.insert(Source::Zone(zone, of.who.unwrap_or(Who::Unknown)));
        }
        flow
    }

    fn property(&mut self, of: &Expr, prop: PropId, span: Span) -> Flow {
        let of = self.expr(of);
        if let Some(PropClass::Builtin(known)) = self.rules.props.get(prop.index()).map(|prop| &prop.class) {
            return match known {
                // Where a card lies is no secret.
                BuiltinProp::Holder
                | BuiltinProp::Owner
                | BuiltinProp::Seat
                | BuiltinProp::Entered
                | BuiltinProp::Playing => Flow::derived([&of]),
            };
        }
        let stat = self.stat(prop, of.who, span);
        let flow = Flow::derived([&of]).read(&of, span);
        match stat {
            Some(stat) => Flow::derived([&flow, &stat]).like(&stat),
            None => flow,
        }
    }

    /// What a stat is derived from.
    fn stat(&mut self, prop: PropId, this: Option<Who>, span: Span) -> Option<Flow> {
        match self.rules.props.get(prop.index())?.class {
            PropClass::Stat { formula } => Some(self.called(formula, &[], this, span)),
            _ => None,
        }
    }

    /// Whether cards of which somebody asks the kind may be of another kind, as far as their zones say.
    fn may_be_another(&self, cards: &Flow, kind: KindId) -> bool {
        cards.cards.iter().any(|source| match source {
            Source::Zone(zone, _) => {
                let zone = self.rules.zones.get(zone.index());
                zone.is_none_or(|zone| zone.holds.iter().any(|held| !is_subkind(self.rules, *held, kind)))
            }
            Source::Cards(_) | Source::Facts(_) => true,
        })
    }

    /// Zones that only their holder sees.
    fn hands(&self) -> impl Iterator<Item = ZoneId> + use<'r> {
        let zones = self.rules.zones.iter().enumerate().filter(|(_, zone)| zone.seen == Seen::Holder);
        zones.map(|(index, _)| ZoneId(index as u32))
    }

    /// The first fact that a reader does not know; everybody reads if there is none.
    fn secret(&self, flow: &Flow, reader: Option<Who>) -> Option<(Span, &'r str)> {
        flow.facts.iter().find_map(|(source, span)| {
            let Source::Zone(zone, who) = source else { return None };
            let zone = self.rules.zones.get(zone.index())?;
            let known = zone.seen == Seen::Holder && reader == Some(*who) && *who != Who::Unknown;
            (!known).then_some((*span, zone.name.as_str()))
        })
    }

    fn refuse(&mut self, flow: &Flow, reader: Option<Who>, what: &str) {
        if self.revealed {
            return;
        }
        if let Some((span, zone)) = self.secret(flow, reader) {
            let message = match reader {
                Some(_) => format!("{what} would tell what lies in `{zone}`, which the player does not see"),
                None => format!("{what} would tell what lies in `{zone}`, which not everybody sees"),
            };
            let finding = Diagnostic::new(Code::HiddenFact, span, message);
            self.found.push(finding.help("reveal it first: `reveal ... to ...`"));
        }
    }

    /// Who chooses: `me` unless the text says who.
    fn chooser(&mut self, by: Option<&Expr>) -> Who {
        by.map_or(Some(Who::Me), |by| self.expr(by).who).unwrap_or(Who::Unknown)
    }

    fn text(&mut self, text: Option<&Template>, reader: Option<Who>, what: &str) {
        for part in text.iter().flat_map(|text| &text.parts) {
            if let TemplatePart::Value(value) = part {
                let flow = self.expr(value);
                self.refuse(&flow, reader, what);
            }
        }
    }

    fn choose(&mut self, choose: &Choose) {
        let by = self.chooser(choose.by.as_ref());
        self.choose_by(choose, by);
    }

    fn choose_by(&mut self, choose: &Choose, by: Who) {
        let domain = self.expr(&choose.domain);
        self.refuse(&domain, Some(by), OPTIONS);
        if let Qty::Between(low, high) = &choose.qty {
            for bound in std::iter::once(low).chain(high) {
                let bound = self.expr(bound);
                self.refuse(&bound, Some(by), OPTIONS);
            }
        }
        self.text(choose.prompt.as_ref(), Some(by), QUESTION);
        self.bind(choose.local, Flow::default().like(&domain));
    }

    /// Where an action is offered more than once, the keys tell its arguments; a question has no words.
    fn acts(&mut self, acts: &[&Act], by: Who) {
        let told = |act: &&&Act| acts.iter().filter(|other| other.action == act.action).count() > 1;
        let args = acts.iter().filter(told).flat_map(|act| &act.args);
        for arg in args.filter(|arg| !matches!(arg.ty.bare(), Ty::Lambda(..) | Ty::Effect(_))) {
            let flow = self.expr(arg);
            self.refuse(&flow, Some(by), OPTIONS);
        }
    }

    fn offer(&mut self, offer: &Offer) {
        self.bind(offer.maker, Flow::default().by(Who::Me));
        for terms in &offer.terms {
            self.choose_by(terms, Who::Me);
        }
        self.text(offer.prompt.as_ref(), None, QUESTION);
        self.block(&offer.accepted);
        self.block(&offer.refused);
    }

    fn block(&mut self, stmts: &[Stmt]) {
        for stmt in stmts {
            self.stmt(stmt);
        }
    }

    fn stmt(&mut self, stmt: &Stmt) {
        match &stmt.kind {
            StmtKind::Local { local, value } => {
                let flow = self.expr(value);
                self.bind(*local, flow);
            }
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
                    let cond = arm.cond.as_ref().map(|cond| self.expr(cond)).unwrap_or_default();
                    self.refuse(&cond, Some(by), OPTIONS);
                    self.block(&arm.body);
                }
            }
            StmtKind::Respond(respond) => {
                self.acts(&respond.acts.iter().collect::<Vec<_>>(), Who::Me);
                self.text(respond.prompt.as_ref(), Some(Who::Me), QUESTION);
            }
            StmtKind::Offer(offer) => self.offer(offer),
            StmtKind::ChooseOrder { by, local, domain, prompt } => {
                let by = self.chooser(by.as_ref());
                let domain = self.expr(domain);
                self.refuse(&domain, Some(by), OPTIONS);
                self.text(prompt.as_ref(), Some(by), QUESTION);
                self.bind(*local, Flow::default().like(&domain));
            }
            StmtKind::ChooseSplit { by, local, domain, among, prompt, .. } => {
                let by = self.chooser(by.as_ref());
                let (domain, among) = (self.expr(domain), self.expr(among));
                self.refuse(&domain, Some(by), OPTIONS);
                self.refuse(&among, Some(by), OPTIONS);
                self.text(prompt.as_ref(), Some(by), QUESTION);
                self.bind(*local, Flow::default().like(&domain));
            }
            StmtKind::Gate { by, prompt, chooses, pay, body, or_else, .. } => {
                chooses.iter().for_each(|choose| self.choose(choose));
                let by = self.chooser(by.as_ref());
                self.text(prompt.as_ref(), Some(by), QUESTION);
                self.block(pay.as_deref().unwrap_or_default());
                self.block(body);
                self.block(or_else.as_deref().unwrap_or_default());
            }
            StmtKind::Each { local, domain, body, .. } => {
                let domain = self.expr(domain);
                self.bind(*local, Flow { who: None, ..domain });
                self.block(body);
            }
            StmtKind::EachSecret { local, domain, choose, body } => {
                let domain = self.expr(domain);
                self.bind(*local, Flow { who: None, ..domain });
                self.choose_by(choose, Who::Local(*local));
                self.block(body);
            }
            StmtKind::If { body, or_else, .. } => {
                self.block(body);
                self.block(or_else);
            }
            StmtKind::Repeat { body, .. }
            | StmtKind::RepeatTimes { body, .. }
            | StmtKind::Turns { body, .. }
            | StmtKind::Phase { body, .. } => self.block(body),
            StmtKind::Move { what, to, local, .. } => self.moved(what, to, *local),
            StmtKind::Random { local, domain } => {
                let domain = self.expr(domain);
                self.bind(*local, Flow { who: None, ..domain });
            }
            StmtKind::Reveal { hide, .. } => self.revealed |= !hide,
            StmtKind::Requires { cond, .. } | StmtKind::Ensure { cond } if self.role == ProcRole::Action => {
                let cond = self.expr(cond);
                self.refuse(&cond, Some(Who::Me), "whether the action is offered");
            }
            StmtKind::Note(text) => self.text(Some(text), None, "a line that all read"),
            StmtKind::Requires { .. }
            | StmtKind::Ensure { .. }
            | StmtKind::SetProp { .. }
            | StmtKind::SetGameProp { .. }
            | StmtKind::Open { .. }
            | StmtKind::OpenAgain
            | StmtKind::LeaveRepeat
            | StmtKind::LeaveSpan(_)
            | StmtKind::Stop
            | StmtKind::Create { .. }
            | StmtKind::Link { .. }
            | StmtKind::Unlink { .. }
            | StmtKind::Shuffle { .. }
            | StmtKind::Roll { .. }
            | StmtKind::Arm { .. }
            | StmtKind::Do { .. }
            | StmtKind::Call { .. }
            | StmtKind::Proceed { .. }
            | StmtKind::Win(_)
            | StmtKind::Lose(_)
            | StmtKind::DrawGame
            | StmtKind::EndGame
            | StmtKind::Settle => {}
        }
    }

    /// What was moved is as well seen as where it lies now.
    fn moved(&mut self, what: &Expr, to: &Destination, local: Option<LocalId>) {
        let there = match to {
            Destination::Zone { zone, of, .. } => self.contents(*zone, of.as_ref()),
            Destination::Nowhere | Destination::Site { .. } => Flow::default(),
        };
        let known = match &what.kind {
            ExprKind::Local(local) => Some(*local),
            ExprKind::ToSet(inner) => match inner.kind {
                ExprKind::Local(local) => Some(local),
                _ => None,
            },
            _ => None,
        };
        for local in known.into_iter().chain(local) {
            self.bind(local, Flow { who: None, ..there.clone() });
        }
    }
}

const OPTIONS: &str = "the options";
const QUESTION: &str = "the question";

/// Two values of which it is asked whether they are, or have, the same cards: where the one says by name which cards it
/// is, that tells what the other is.
fn met(a: &Flow, b: &Flow, span: Span) -> Flow {
    let mut flow = Flow::derived([a, b]);
    if a.named {
        flow = flow.read(b, span);
    }
    if b.named {
        flow = flow.read(a, span);
    }
    flow
}

fn is_cards(ty: &Ty) -> bool {
    matches!(ty.element().bare(), Ty::Entity(_))
}
