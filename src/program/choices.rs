//! Code for choices and gates.

use super::code::Builder;
use super::later::Asking;
use super::layout::repr;
use super::op::{Op, Slot};
use super::sites::{ActSite, ActionSite, AskSite, ChooseSite, FirstChoice, OptionSite, ResponseSite, SplitSite};
use super::stmts::{item, set_of};
use super::walk::{each_in, each_stmt};
use crate::model::rules::{
    Act, Builtin, Choose, Expr, ExprKind, LocalId, OptionArm, Proc, ProcRole, Qty, Respond, Stmt, StmtKind, Template,
    Ty,
};
use std::collections::BTreeSet;

/// The piece of which a set of numbers are turnings.
fn turned_piece(domain: &Expr) -> Option<&Expr> {
    match &domain.kind {
        ExprKind::Builtin(Builtin::Turnings | Builtin::Fitting, args) => args.first(),
        ExprKind::ToSet(inner) | ExprKind::ToList(inner) | ExprKind::Where { over: inner, .. } => turned_piece(inner),
        _ => None,
    }
}

/// Whether an action is among these more than once.
fn named_twice(acts: &[ActSite]) -> bool {
    acts.iter().enumerate().any(|(index, act)| acts[..index].iter().any(|other| other.action == act.action))
}

impl Builder<'_> {
    pub fn choose(&mut self, choose: &Choose, in_gate: bool) {
        self.begun = self.ops.len();
        let made = self.label();
        let steps = self.role == ProcRole::Action && !in_gate;
        let later = if steps { self.later_filter(choose) } else { None };
        if steps && matches!(choose.qty, Qty::One) {
            let (d, to) = (self.local(choose.local), self.to(made));
            self.emit(Op::Made { d, to });
        }
        let by = self.optional(choose.by.as_ref());
        let bounds = match (&choose.domain.kind, &choose.qty) {
            (ExprKind::Range(low, high), Qty::One) => Some((low, high)),
            _ => None,
        };
        let words = self.layout.words(&choose.domain.ty);
        let from = self.temp(if bounds.is_some() { 2 } else { words });
        match bounds {
            Some((low, high)) => {
                self.into(low, from);
                self.into(high, from.offset(1));
            }
            None => match &later {
                Some(later) => self.domain_later(choose, later, from),
                None => self.into(&choose.domain, from),
            },
        }
        let many = match &choose.qty {
            Qty::One => None,
            Qty::Between(low, high) => {
                let (a, b) = (self.temp(1), self.temp(1));
                self.into(low, a);
                match high {
                    Some(high) => self.into(high, b),
                    None => {
                        let most = self.word(i64::from(u16::MAX));
                        self.copy(1, b, most);
                    }
                }
                Some((a, b))
            }
        };
        let turned = turned_piece(&choose.domain).map(|piece| match piece.kind {
            ExprKind::Local(local) => self.local(local),
            _ => self.optional(Some(piece)),
        });
        let prompt = choose.prompt.as_ref().map(|prompt| self.text(prompt));
        let d = self.local(choose.local);
        let named = choose.by.as_ref().is_some_and(|by| self.one_of_many.iter().any(|local| by.is_local(*local)));
        self.sites.chooses.push(ChooseSite {
            d,
            from,
            repr: repr(&choose.domain.ty),
            range: bounds.is_some(),
            ty: item(&choose.domain.ty),
            by,
            many,
            order: false,
            in_action: self.role == ProcRole::Action && !named,
            named,
            other_sort: self.is_of_other_sort(&item(&choose.domain.ty)),
            in_gate,
            price: None,
            optional: choose.qty.is_optional(),
            for_verb: choose.for_verb,
            prompt,
            name: String::new(),
            span: choose.span,
            ahead: None,
            bound: None,
            later: None,
            secret: None,
            turned,
        });
        let site = self.long(self.sites.chooses.len() - 1);
        if steps {
            let site = self.sites.chooses.len() - 1;
            self.choices.push(Asking { proc: self.proc, local: choose.local, site, later });
        }
        self.emit(Op::Choose { site });
        self.bind(made);
    }

    pub fn choose_action(&mut self, by: Option<&Expr>, acts: &[Act], or_else: &[Act], prompt: Option<&Template>) {
        let by = self.optional(by);
        let prompt = prompt.map(|prompt| self.text(prompt));
        let ready = self.label();
        [acts, or_else].into_iter().for_each(|acts| self.sample_for(acts, by != Slot::NONE));
        let mut all = self.act_sites(acts, by, true);
        if all.iter().all(|act| act.choice.is_some()) && !or_else.is_empty() {
            // The others are not looked at where one of the first can be done.
            for act in &all {
                let to = self.to(ready);
                self.emit(match act.choice {
                    Some(FirstChoice::Set(kind, a)) => Op::JumpAny { w: self.layout.set_words(kind), a, to },
                    Some(FirstChoice::Whole(a)) => Op::JumpTrue { a, to },
                    None => Op::Jump { to },
                });
            }
        }
        all.extend(self.act_sites(or_else, by, true));
        self.bind(ready);
        self.sites.actions.push(ActionSite {
            by,
            twice: named_twice(&all),
            acts: all,
            first: acts.len(),
            prompt,
            response: None,
            span: self.span,
        });
        let site = self.long(self.sites.actions.len() - 1);
        self.emit(Op::ChooseAction { site });
    }

    /// What is offered, with code that finds what it can begin with; it passes by what can be drawn.
    fn act_sites(&mut self, acts: &[Act], by: Slot, drawn: bool) -> Vec<ActSite> {
        let args: Vec<Slot> = acts.iter().map(|act| self.args(&act.args)).collect();
        let me = if by == Slot::NONE { self.env.me } else { by };
        acts.iter()
            .zip(args)
            .map(|(act, args)| ActSite { action: act.action, args, choice: self.opening(act.action, args, me, drawn) })
            .collect()
    }

    /// Asks seat after seat until all have passed. Who has passed is a set of seats in the window.
    pub fn respond(&mut self, respond: &Respond) {
        let seats = self.layout.words(&Ty::Player.set());
        let w = self.layout.set_words(repr(&Ty::Player.set()));
        let (passed, from, asked, answer) = (self.temp(seats), self.temp(1), self.temp(seats), self.temp(1));
        let (wipe, next, pass, end) = (self.label(), self.label(), self.label(), self.label());
        let me = self.env.me;
        self.sites.windows.push((self.proc, passed));
        self.bind(wipe);
        self.emit(Op::Clear { n: w, d: passed });
        self.bind(next);
        let mark = self.top;
        self.sample_in([&respond.from].into_iter().chain(&respond.among).chain(&respond.until));
        if let Some(until) = &respond.until {
            self.jump(until, true, end);
        }
        self.into(&respond.from, from);
        match &respond.among {
            Some(among) => {
                self.into(among, asked);
                self.emit(Op::And { w, d: asked, a: asked, b: Slot(self.layout.playing) });
            }
            None => self.copy(seats, asked, Slot(self.layout.playing)),
        }
        self.emit(Op::AndNot { w, d: asked, a: asked, b: passed });
        self.emit(Op::FirstSeat { d: me, from, set: asked });
        let to = self.to(end);
        self.emit(Op::JumpNil { a: me, to });
        self.sample_in(respond.silent.iter().chain(respond.acts.iter().flat_map(|act| &act.args)));
        self.sample_for(&respond.acts, false);
        if let Some(silent) = &respond.silent {
            self.jump(silent, true, pass);
        }
        self.begun = self.ops.len();
        let prompt = respond.prompt.as_ref().map(|prompt| self.text(prompt));
        let acts = self.act_sites(&respond.acts, Slot::NONE, false);
        let response = Some(ResponseSite { d: answer, passed, asked, aside: respond.aside.clone() });
        let first = acts.len();
        let twice = named_twice(&acts);
        self.sites.actions.push(ActionSite { by: Slot::NONE, first, acts, twice, prompt, response, span: self.span });
        let site = self.long(self.sites.actions.len() - 1);
        self.emit(Op::ChooseAction { site });
        self.release(mark);
        let b = self.word(-1);
        let to = self.to(pass);
        self.emit(Op::JumpEq { on: true, a: answer, b, to });
        // What was done is an action of its own, whatever the window stands in.
        self.checkpoint(true);
        for (index, _) in respond.quiet.iter().enumerate().filter(|(_, quiet)| **quiet) {
            let b = self.word(index as i64);
            let to = self.to(next);
            self.emit(Op::JumpEq { on: true, a: answer, b, to });
        }
        let to = self.to(wipe);
        self.emit(Op::Jump { to });
        self.bind(pass);
        self.insert(repr(&Ty::Player.set()), passed, me);
        let to = self.to(next);
        self.emit(Op::Jump { to });
        self.bind(end);
    }

    pub fn choose_option(&mut self, by: Option<&Expr>, arms: &[OptionArm], prompt: Option<&Template>) {
        let by = self.optional(by);
        let prompt = prompt.map(|prompt| self.text(prompt));
        let (d, open) = (self.temp(1), self.temp(arms.len() as u16 + 1));
        self.emit(Op::Clear { n: 1, d: open });
        for (index, arm) in arms.iter().enumerate() {
            let skip = self.label();
            if let Some(cond) = &arm.cond {
                self.jump(cond, false, skip);
            }
            let a = self.word(index as i64);
            self.emit(Op::Push { list: open, a });
            self.bind(skip);
        }
        let texts = arms.iter().map(|arm| arm.text.clone()).collect();
        self.sites.options.push(OptionSite { d, open, by, prompt, texts, span: self.span });
        let site = self.long(self.sites.options.len() - 1);
        self.emit(Op::ChooseOption { site });
        let end = self.label();
        for (index, arm) in arms.iter().enumerate() {
            let skip = self.label();
            let b = self.word(index as i64);
            let to = self.to(skip);
            self.emit(Op::JumpEq { on: false, a: d, b, to });
            self.block(&arm.body, false);
            let to = self.to(end);
            self.emit(Op::Jump { to });
            self.bind(skip);
        }
        self.bind(end);
    }

    /// A gate: its choices, the question, the price and the deed; or what is done instead.
    pub fn gate(&mut self, gate: &StmtKind) {
        let StmtKind::Gate { must, by, prompt, chooses, pay, tried, body, or_else } = gate else { return };
        let (no, end) = (self.label(), self.label());
        let by = self.optional(by.as_ref());
        let price = tried.then(|| {
            self.sites.prices.push(self.span);
            self.sites.prices.len() as u32 - 1
        });
        if let Some(gate) = price {
            let to = self.to(no);
            self.emit(Op::TryPrice { gate, to });
        }
        for choose in chooses {
            self.choose(choose, true);
            if let Some(site) = self.sites.chooses.last_mut().filter(|_| matches!(choose.qty, Qty::One)) {
                site.price = price;
            }
            if matches!(choose.qty, Qty::One) {
                let to = self.to(no);
                let a = self.local(choose.local);
                self.emit(Op::JumpNil { a, to });
            } else if let Some((low, _)) = self.sites.chooses.last().and_then(|site| site.many) {
                let (open, one) = (self.label(), self.word(1));
                let to = self.to(open);
                self.emit(Op::JumpLe { on: false, a: one, b: low, to });
                let to = self.to(no);
                let kind = repr(&set_of(&choose.domain.ty));
                let (w, a) = (self.layout.set_words(kind), self.local(choose.local));
                self.emit(Op::JumpEmpty { w, a, to });
                self.bind(open);
            }
        }
        if !must {
            self.begun = self.ops.len();
            let prompt = prompt.as_ref().map(|prompt| self.text(prompt));
            self.sites.asks.push(AskSite { by, prompt, price, span: self.span });
            let to = self.to(no);
            let site = self.long(self.sites.asks.len() - 1);
            self.emit(Op::Ask { site, to });
        }
        if let Some(pay) = pay {
            self.block(pay, false);
        }
        if let Some(gate) = price {
            self.emit(Op::Priced { gate, paid: true });
        }
        self.block(body, false);
        if or_else.is_some() || price.is_some() {
            let to = self.to(end);
            self.emit(Op::Jump { to });
        }
        self.bind(no);
        if let Some(gate) = price {
            self.emit(Op::Priced { gate, paid: false });
        }
        if let Some(or_else) = or_else {
            self.block(or_else, false);
        }
        self.bind(end);
    }

    /// All choose; then, with each answer bound again, the rest runs for each.
    pub fn each_secret(&mut self, local: LocalId, domain: &Expr, choose: &Choose, body: &[Stmt]) {
        let subject = self.local(local);
        let answer = self.local(choose.local);
        let answer_words = match choose.qty {
            Qty::One => 1,
            Qty::Between(..) => self.layout.words(&set_of(&choose.domain.ty)),
        };
        let seats = self.layout.seats as u16;
        let store = self.temp(seats * answer_words);
        if !matches!(choose.qty, Qty::One) {
            for seat in 0..seats {
                self.keep(store.offset(seat * answer_words), &set_of(&choose.domain.ty));
            }
        }
        let domain = self.settled(domain);
        let by = choose.by.clone().unwrap_or(Expr { kind: ExprKind::Local(local), ty: Ty::Player, span: choose.span });
        let choose = Choose { by: Some(by), ..choose.clone() };
        let start = self.temp(1);
        self.emit(Op::Secret { d: start });
        self.each(&domain, subject, |builder| {
            builder.choose(&choose, false);
            if let Some(site) = builder.sites.chooses.last_mut() {
                site.secret = Some(start);
            }
            builder.by_seat(subject, seats, |builder, seat| {
                builder.copy(answer_words, store.offset(seat * answer_words), answer)
            });
        });
        self.each(&domain, subject, |builder| {
            builder.by_seat(subject, seats, |builder, seat| {
                builder.copy(answer_words, answer, store.offset(seat * answer_words))
            });
            builder.block(body, false);
        });
    }

    fn by_seat(&mut self, subject: Slot, seats: u16, mut code: impl FnMut(&mut Self, u16)) {
        let end = self.label();
        for seat in 0..seats {
            let skip = self.label();
            let b = self.word(i64::from(seat));
            let to = self.to(skip);
            self.emit(Op::JumpEq { on: false, a: subject, b, to });
            code(self, seat);
            let to = self.to(end);
            self.emit(Op::Jump { to });
            self.bind(skip);
        }
        self.bind(end);
    }

    /// Whether an action's first choice, as it is written, takes something of another sort: an option that is named with its
    /// action has no more than the action's name and a word to tell what it is.
    fn is_of_other_sort(&self, ty: &Ty) -> bool {
        let first = first_type(&self.rules.procs[self.proc.index()]);
        let things = |ty: &Ty| matches!(ty.bare(), Ty::Entity(_));
        self.role == ProcRole::Action && first.bare() != ty.bare() && !(things(&first) && things(ty))
    }

    pub fn choose_order(&mut self, by: Option<&Expr>, local: LocalId, domain: &Expr, prompt: Option<&Template>) {
        let by = self.optional(by);
        let from = self.temp(self.layout.words(&domain.ty));
        self.into(domain, from);
        let prompt = prompt.map(|prompt| self.text(prompt));
        let d = self.local(local);
        self.sites.chooses.push(ChooseSite {
            d,
            from,
            repr: repr(&domain.ty),
            range: false,
            ty: item(&domain.ty),
            by,
            many: None,
            order: true,
            in_action: self.role == ProcRole::Action,
            named: false,
            other_sort: false,
            in_gate: false,
            price: None,
            optional: false,
            for_verb: None,
            prompt,
            name: String::new(),
            span: self.span,
            ahead: None,
            bound: None,
            later: None,
            secret: None,
            turned: None,
        });
        let site = self.long(self.sites.chooses.len() - 1);
        self.emit(Op::Choose { site });
    }

    pub fn choose_split(
        &mut self,
        by: Option<&Expr>,
        local: LocalId,
        (domain, among): (&Expr, &Expr),
        evenly: bool,
        prompt: Option<&Template>,
    ) {
        let by = self.optional(by);
        let (from, takers) = (self.temp(self.layout.words(&domain.ty)), self.temp(self.layout.words(&among.ty)));
        self.into(domain, from);
        self.into(among, takers);
        let prompt = prompt.map(|prompt| self.text(prompt));
        self.sites.splits.push(SplitSite {
            d: self.local(local),
            from,
            things: (repr(&domain.ty), item(&domain.ty)),
            among: takers,
            takers: (repr(&among.ty), item(&among.ty)),
            by,
            evenly,
            prompt,
            span: self.span,
        });
        let site = self.long(self.sites.splits.len() - 1);
        self.emit(Op::ChooseSplit { site });
    }
}

/// The type of what the first choice of an action takes, as it is written; a number if it has none.
pub fn first_type(proc: &Proc) -> Ty {
    let mut found = None;
    each_stmt(proc, &mut |stmt| {
        let choose = match &stmt.kind {
            StmtKind::Choose(choose) | StmtKind::EachSecret { choose, .. } => Some(choose.as_ref()),
            StmtKind::Gate { chooses, .. } => chooses.first(),
            _ => None,
        };
        if let (None, Some(choose)) = (&found, choose) {
            found = Some(item(&choose.domain.ty));
        }
    });
    found.unwrap_or(Ty::Number)
}

/// The names in an action of those who are gone through or chosen, whatever else they are called.
pub(super) fn one_of_many(stmts: &[Stmt]) -> BTreeSet<LocalId> {
    let mut found = BTreeSet::new();
    each_in(stmts, &mut |stmt| match &stmt.kind {
        StmtKind::Each { local, .. } | StmtKind::Random { local, .. } => _ = found.insert(*local),
        StmtKind::Choose(choose) => _ = found.insert(choose.local),
        StmtKind::Local { local, value } if found.iter().any(|one| value.is_local(*one)) => _ = found.insert(*local),
        _ => {}
    });
    found
}
