//! Statements that change values, branch, loop and end.

use super::body::{Body, Callee};
use super::check::Checker;
use super::collect::Decl;
use super::index::Sort;
use super::rules::{BinaryOp, Expr, ExprKind, ProcRole, PropClass, PropId, SpanId, Stmt, StmtKind, Ty, ZoneOrder};
use super::tables::{Kept, Target};
use crate::base::{Code, Diagnostic, Span};
use crate::syntax::ast::{self, EachMode, Ident, RepeatTest};

impl Checker<'_> {
    /// A block in its own scope.
    pub(super) fn block(&mut self, body: &mut Body, block: &ast::Block) -> Vec<Stmt> {
        let mark = body.open();
        let facts = body.facts.len();
        let mut stmts = Vec::with_capacity(block.stmts.len());
        let mut ended: Option<Span> = None;
        let mut before: Option<&ast::Stmt> = None;
        for written in &block.stmts {
            self.check_question(before, written);
            if before.replace(written).is_some_and(|before| self.goes_on(before, written)) {
                continue;
            }
            if let Some(end) = ended.take() {
                let found = Diagnostic::new(Code::UnreachableStatement, written.span, "this never runs")
                    .label(end, "the body always ends here");
                self.report(found);
            }
            self.stmt(body, written, &mut stmts);
            if ends(&written.kind) {
                ended = Some(written.span);
            }
        }
        body.facts.truncate(facts);
        body.close(mark);
        self.settle_targets(body, &mut stmts);
        stmts
    }

    /// Whether a statement was rather meant as the rest of the one before it, which was read up to there:
    /// `choose action fold call raise`, `do drop top(deck)`.
    fn goes_on(&mut self, before: &ast::Stmt, written: &ast::Stmt) -> bool {
        let ast::StmtKind::Call { verb, first, .. } = &written.kind else { return false };
        if self.verb_named(&verb.text).is_some() {
            return false;
        }
        match &before.kind {
            ast::StmtKind::ChooseAction { acts, or_else, prompt: None, .. }
                if matches!(self.names.get(&verb.text), Some(Decl::Action(_))) =>
            {
                let more = first.as_ref().and_then(|first| match &first.kind {
                    ast::ExprKind::Name(name) => Some(name.as_str()),
                    _ => None,
                });
                let names = acts.iter().chain(or_else).map(|act| act.name.text.as_str());
                let names: Vec<&str> = names.chain([verb.text.as_str()]).chain(more).collect();
                let message = format!("`{}` is an action, and nothing joins it to those before it", verb.text);
                let found = Diagnostic::new(Code::UnknownVerb, verb.span, message)
                    .help(format!("actions are separated by commas: `choose action {}`", names.join(", ")));
                self.report(found);
                true
            }
            ast::StmtKind::Do { what, .. } => {
                matches!(&what.kind, ast::ExprKind::Name(name) if self.verb_named(name).is_some())
            }
            // `create ring at s owner me`
            ast::StmtKind::Create { fields, .. }
                if fields.is_empty()
                    && first.is_some()
                    && (verb.text == "owner" || self.rules.props.iter().any(|prop| prop.name == verb.text)) =>
            {
                let found = Diagnostic::new(
                    Code::UnknownVerb,
                    verb.span,
                    "what something is made with follows a word of its own",
                )
                .help(format!("write `with {} = ...`", verb.text))
                .mend(verb.span, format!("with {} =", verb.text));
                self.report(found);
                true
            }
            _ => false,
        }
    }

    /// Makes a local, unless its name is taken by something that is still known.
    pub(super) fn bind(&mut self, body: &mut Body, name: &Ident, ty: Ty) -> super::rules::LocalId {
        self.check_local_name(name);
        if let Some(other) = body.find(&name.text) {
            let span = body.local(other).map_or(name.span, |local| local.span);
            let found = Diagnostic::new(Code::NameClash, name.span, format!("`{}` is already bound here", name.text))
                .label(span, "bound here")
                .help("choose another name");
            self.report(found);
        }
        self.declares_local(&name.text, name.span, &ty, Sort::Local);
        body.state(&name.text, ty, name.span)
    }

    fn stmt(&mut self, body: &mut Body, written: &ast::Stmt, out: &mut Vec<Stmt>) {
        use ast::StmtKind as Ast;
        let span = written.span;
        let mut put = |kind| out.push(Stmt { kind, span });
        match &written.kind {
            Ast::Let { name, ty, value } => {
                let value = self.let_value(body, ty.as_ref(), value);
                let local = self.bind(body, name, value.ty.clone());
                body.bound.push((local, name.clone()));
                put(StmtKind::Local { local, value });
            }
            Ast::Set { target, value } => {
                if let Some(kind) = self.set(body, target, value) {
                    put(kind);
                }
            }
            Ast::Change { target, by, down } => {
                if let Some(kind) = self.change(body, target, by, *down, span) {
                    put(kind);
                }
            }
            Ast::Each { name, domain, mode, body: inner } => {
                if let Some(kind) = self.each(body, name, domain, *mode, inner, span) {
                    put(kind);
                }
            }
            Ast::If { cond, body: inner, or_else } => put(self.if_stmt(body, cond, inner, or_else.as_ref())),
            Ast::Repeat { test, body: inner } => put(self.repeat(body, test, inner)),
            Ast::Turns { name, from, among, next, rounds, until, body: inner } => {
                let who = (from, among.as_deref(), next.as_deref());
                let ends = (rounds.as_deref(), until.as_deref());
                if let Some(kind) = self.turns(body, name, who, ends, inner) {
                    put(kind);
                }
            }
            Ast::Phase { name, body: inner } => {
                if let Some(span) = self.span_named(name) {
                    body.spans.push(span);
                    let inner = self.block(body, inner);
                    body.spans.pop();
                    put(StmtKind::Phase { span, body: inner });
                }
            }
            Ast::Leave { target } => {
                if let Some(kind) = self.leave(body, target) {
                    put(kind);
                }
            }
            Ast::Stop => put(StmtKind::Stop),
            Ast::Ensure { cond, reason } => {
                self.only_in_action(body, "ensure", span);
                self.check_ensure(body, span);
                let (cond, reason) = self.condition(body, cond, reason.as_ref());
                put(StmtKind::Ensure { cond, reason });
            }
            Ast::Requires { cond, reason } => {
                self.only_in_action(body, "requires", span);
                self.check_requires(body, span);
                let (cond, reason) = self.condition(body, cond, reason.as_ref());
                put(StmtKind::Requires { cond, reason, lenient: false });
            }
            Ast::Notation { text } => {
                self.only_in_action(body, "notation", span);
                if let Some(other) = &body.notation {
                    let found = Diagnostic::new(Code::Duplicate, text.span, "this action already has a notation")
                        .label(other.span, "first given here");
                    self.report(found);
                }
                body.notation = Some(text.clone());
            }
            Ast::Outcome { lose, who } => {
                let who = self.expr_of(body, who, &Ty::Player.set());
                put(if *lose { StmtKind::Lose(who) } else { StmtKind::Win(who) });
            }
            Ast::DrawGame => put(StmtKind::DrawGame),
            Ast::EndGame => {
                self.needs_score(span);
                put(StmtKind::EndGame);
            }
            Ast::OpenAgain => {
                self.open_again(body, span);
                put(StmtKind::OpenAgain);
            }
            Ast::Settle => put(StmtKind::Settle),
            Ast::Note { text } => {
                let template = self.template(body, text);
                put(StmtKind::Note(template));
            }
            Ast::Arm { span_kind, clauses } => {
                if let Some(kind) = self.arm(body, span_kind, clauses, span) {
                    put(kind);
                }
            }
            Ast::Shuffle { .. } | Ast::Roll { .. } | Ast::Random { .. } | Ast::Reveal { .. } => {
                if let Some(kind) = self.chance_stmt(body, written) {
                    put(kind);
                }
            }
            Ast::Choose(_)
            | Ast::ChooseAction { .. }
            | Ast::ChooseOption { .. }
            | Ast::ChooseOrder { .. }
            | Ast::ChooseSplit { .. }
            | Ast::Open { .. }
            | Ast::Offer { .. }
            | Ast::Gate { .. } => {
                if let Some(kind) = self.choice_stmt(body, written) {
                    put(kind);
                }
            }
            Ast::Move { .. } | Ast::Create { .. } | Ast::Link { .. } | Ast::Unlink { .. } => {
                if let Some(kind) = self.move_stmt(body, written) {
                    put(kind);
                }
            }
            Ast::Do { .. } | Ast::Listed { .. } | Ast::Call { .. } | Ast::Proceed { .. } => {
                if let Some(kind) = self.act_stmt(body, written) {
                    put(kind);
                }
            }
        }
    }

    fn let_value(&mut self, body: &mut Body, ty: Option<&ast::Type>, written: &ast::Expr) -> Expr {
        let value = match ty.map(|ty| self.resolve_passed(ty)) {
            Some(declared) => self.expr_of(body, written, &declared.ty),
            None => self.expr(body, written),
        };
        if super::calls::has_unclear(&value.ty) {
            let found = Diagnostic::new(Code::UnclearType, written.span, "the type of this cannot be told")
                .help("say it: `let found: list of number = []`");
            self.report(found);
            return super::check::broken(written.span);
        }
        if matches!(value.ty, Ty::Effect(_)) {
            self.error(Code::WrongType, written.span, "an effect can only be done: `do ...`");
            return super::check::broken(written.span);
        }
        value
    }

    fn only_in_action(&mut self, body: &Body, word: &str, span: Span) {
        if body.role != ProcRole::Action {
            let found = Diagnostic::new(Code::OutsideAction, span, format!("`{word}` belongs to an action"))
                .help("move what it is about into an `action`");
            self.report(found);
        }
    }

    /// A condition of an action, and what is said where it does not hold.
    fn condition(&mut self, body: &mut Body, cond: &ast::Expr, reason: Option<&ast::Ident>) -> (Expr, Option<String>) {
        if let Some(reason) = reason {
            self.as_written(&reason.text, reason.span, "a reason", "say it without the number");
        }
        self.question_or_card(cond, reason);
        (self.flag(body, cond), reason.map(|reason| reason.text.clone()))
    }

    fn needs_score(&mut self, span: Span) {
        if !matches!(self.names.get("score"), Some(Decl::Define(_))) {
            let found = Diagnostic::new(Code::BadScore, span, "`end game` compares scores, and there are none")
                .help("add `define score(p: player): number = ...`");
            self.report(found);
        }
    }

    fn target(&mut self, body: &mut Body, written: &ast::Expr) -> Option<Target> {
        match &written.kind {
            ast::ExprKind::Name(name) => {
                if let Some(local) = body.find(name) {
                    self.means_local(body, name, written.span);
                    let ty = body.local(local).map_or(Ty::Error, |local| local.ty.clone());
                    body.facts.retain(|(place, _)| *place != super::body::Place::Local(local));
                    return Some(Target::One(Kept::Local(local, ty)));
                }
                self.bad_target(body, name, written.span);
                None
            }
            ast::ExprKind::Field(base, name) => {
                if matches!(&base.kind, ast::ExprKind::Name(text) if text == "game" && body.find(text).is_none()) {
                    self.means_builtin("game", base.span);
                    let read = self.game_member(body, name);
                    let id = self.game_prop(&name.text)?;
                    let table = matches!(read.ty, Ty::Table(..));
                    let target = if table { Target::Table(None, id) } else { Target::One(Kept::Game(id)) };
                    return self.settable(id, name).then_some(target);
                }
                let base = self.expr(body, base);
                if base.ty == Ty::Error {
                    return None;
                }
                match self.member_of(base.ty.element(), &name.text) {
                    Some(super::members::Member::Prop(id)) => {
                        self.means_prop(id, name.span);
                        let table = self.items_of_table(id).is_some();
                        let target = match table {
                            true => Target::Table(Some(base), id),
                            false => Target::One(Kept::Prop(base, id)),
                        };
                        self.settable(id, name).then_some(target)
                    }
                    Some(super::members::Member::Zone(_)) => {
                        let found = Diagnostic::new(Code::CannotSet, name.span, "a zone is changed by moving cards")
                            .help(format!("write `move ... to ....{}`", name.text));
                        self.report(found);
                        None
                    }
                    None => {
                        self.member(body, base, name);
                        None
                    }
                }
            }
            ast::ExprKind::Index(base, at) => {
                let table = self.target(body, base)?;
                self.entry_target(body, table, at)
            }
            ast::ExprKind::Error => None,
            _ => {
                self.error(Code::CannotSet, written.span, "only locals, counters and marks can be changed");
                None
            }
        }
    }

    fn bad_target(&mut self, body: &mut Body, name: &str, span: Span) {
        if let Some(decl) = self.names.get(name) {
            let found =
                Diagnostic::new(Code::CannotSet, span, format!("`{name}` is {}, which cannot be changed", decl.noun()));
            let kept = self.rules.game_props.iter().any(|id| self.prop_name(*id) == name);
            self.report(if kept { found.help(format!("that of the game is `game.{name}`")) } else { found });
        } else if self.name(body, name, span, None).ty != Ty::Error {
            let message = format!("`{name}` follows from the course of the game and cannot be set");
            let help = match name {
                "mover" => Some("`turns ... next P` says who is on turn next, `mover P` who begins a scenario"),
                "round" => Some("keep a counter of your own: `game { counter stage: 0..9 }`"),
                "me" => Some("an effect of a card is done by somebody else with `do c.use by P`"),
                _ => None,
            };
            let found = Diagnostic::new(Code::CannotSet, span, message);
            self.report(help.into_iter().fold(found, Diagnostic::help));
        }
    }

    /// Whether a property may be set.
    fn settable(&mut self, id: PropId, name: &Ident) -> bool {
        let Some(class) = self.class_of(id) else { return false };
        let (message, help) = match &class {
            PropClass::Counter { .. } | PropClass::Mark { .. } => return true,
            PropClass::Builtin(super::rules::BuiltinProp::Owner) => return true,
            PropClass::Field { .. } => {
                ("a field is printed and never changes", "declare it as a `mark`, or a `stat` that cards modify")
            }
            PropClass::Stat { .. } => {
                ("a stat is worked out and cannot be set", "change what it is worked out from, or `modify` it")
            }
            PropClass::LinkOne(_) | PropClass::LinkMany(_) => {
                ("links are not set", "write `link ... to ...` or `unlink ...`")
            }
            PropClass::Builtin(_) | PropClass::Table(_) => {
                ("this is known to the engine and cannot be set", "it follows from where things are")
            }
        };
        let mut found =
            Diagnostic::new(Code::CannotSet, name.span, format!("`{}` cannot be set: {message}", name.text)).help(help);
        if let Some(span) = self.prop_span(id) {
            found = found.label(span, "declared here");
        }
        self.report(found);
        false
    }

    fn set(&mut self, body: &mut Body, written: &ast::Expr, value: &ast::Expr) -> Option<StmtKind> {
        let Some(target) = self.target(body, written) else {
            self.expr(body, value);
            return None;
        };
        let span = written.span;
        Some(match target {
            Target::Table(of, table) => {
                let value = self.prop_value(body, table, value);
                let values = self.values_of(&value);
                self.change_table(body, (of.as_ref(), table), values, span, &mut |_, _, kept, value| kept.put(value))
            }
            Target::Entry(cases) => {
                let item = cases.first().and_then(|(_, kept)| kept.prop())?;
                let value = self.prop_value(body, item, value);
                self.change_entry(body, cases, span, &mut |_, _, kept| kept.put(value.clone()))
            }
            Target::LocalEntry(local, ty, at) => {
                let Ty::Table(_, inner) = &ty else { return None };
                let value = self.expr_in(body, value, Some(inner));
                let value = self.coerce(value, inner);
                return self.with_entry((local, ty, &at), span, &|_| value.clone());
            }
            Target::One(Kept::Local(local, ty)) => {
                let value = self.expr_in(body, value, Some(&ty));
                let value = self.coerce(value, &ty);
                StmtKind::Local { local, value }
            }
            Target::One(kept) => {
                let value = self.prop_value(body, kept.prop()?, value);
                kept.put(value)
            }
        })
    }

    /// The new value of a property.
    pub(super) fn prop_value(&mut self, body: &mut Body, prop: PropId, value: &ast::Expr) -> Expr {
        let ty = self.prop_type(prop);
        let names = self.declared_props.get(prop.index()).map(super::types::Declared::names).unwrap_or_default();
        let span = self.prop_span(prop);
        self.argument(body, value, &ty, &names, span.map(|span| (span, "declared here")))
    }

    /// `increase x by n`: of several, each from its own value.
    fn change(
        &mut self,
        body: &mut Body,
        target: &ast::Expr,
        by: &ast::Expr,
        down: bool,
        span: Span,
    ) -> Option<StmtKind> {
        let target = self.target(body, target);
        let table = match &target {
            Some(Target::Table(_, table)) => Some(self.prop_type(*table)),
            Some(Target::One(Kept::Local(_, ty @ Ty::Table(..)))) => Some(ty.clone()),
            _ => None,
        };
        let by = self.expr_in(body, by, table.as_ref());
        let target = target?;
        if let Target::Table(of, table) = target {
            let ty = self.prop_type(table);
            self.only_numbers(&ty, span)?;
            let by = self.coerce(by, &ty);
            let values = self.values_of(&by);
            return Some(self.change_table(
                body,
                (of.as_ref(), table),
                values,
                span,
                &mut |checker, body, kept, by| checker.changed(body, kept, by, down, span),
            ));
        }
        if let Target::One(Kept::Local(local, ty @ Ty::Table(..))) = target {
            self.only_numbers(&ty, span)?;
            let by = self.coerce(by, &ty);
            let op = if down { ast::BinaryOp::Sub } else { ast::BinaryOp::Add };
            let old = Expr { kind: ExprKind::Local(local), ty: ty.clone(), span };
            let value = self.table_arithmetic(op, &old, &by, span)?;
            return Some(StmtKind::Local { local, value: self.coerce(value, &ty) });
        }
        let by = self.coerce(by, &Ty::Number);
        if let Target::LocalEntry(local, ty, at) = target {
            self.only_numbers(&ty, span)?;
            let op = if down { BinaryOp::Sub } else { BinaryOp::Add };
            return self.with_entry((local, ty, &at), span, &|old| {
                let kind = ExprKind::Binary(op, Box::new(old), Box::new(by.clone()));
                Expr { kind, ty: Ty::Number, span }
            });
        }
        let first = match &target {
            Target::One(kept) => Some(kept),
            Target::Entry(cases) => cases.first().map(|(_, kept)| kept),
            Target::Table(..) | Target::LocalEntry(..) => None,
        };
        let ty = match first? {
            Kept::Local(_, ty) => ty.clone(),
            Kept::Prop(_, prop) | Kept::Game(prop) => self.prop_type(*prop),
        };
        self.only_numbers(&ty, span)?;
        Some(match target {
            Target::One(kept) => self.changed(body, kept, by, down, span),
            Target::Entry(cases) => self.change_entry(body, cases, span, &mut |checker, body, kept| {
                checker.changed(body, kept, by.clone(), down, span)
            }),
            Target::Table(..) | Target::LocalEntry(..) => return None,
        })
    }

    /// Reports what cannot be increased or decreased.
    fn only_numbers(&mut self, ty: &Ty, span: Span) -> Option<()> {
        let ty = if let Ty::Table(_, inner) = ty { inner } else { ty };
        if matches!(ty.bare(), Ty::Number | Ty::Error) {
            return Some(());
        }
        let what = self.type_name(ty);
        self.error(Code::WrongType, span, format!("only numbers can be increased or decreased, and this is {what}"));
        None
    }

    /// What is increased or decreased by a number: of several, each from its own value.
    fn changed(&mut self, body: &mut Body, kept: Kept, by: Expr, down: bool, span: Span) -> StmtKind {
        let op = if down { BinaryOp::Sub } else { BinaryOp::Add };
        let (kind, ty) = match &kept {
            Kept::Prop(of, _) if of.ty.is_many() => return self.each_changed(body, kept, by, op, span),
            Kept::Local(local, ty) => (ExprKind::Local(*local), ty.clone()),
            Kept::Prop(of, prop) => (ExprKind::Prop(Box::new(of.clone()), *prop), self.prop_type(*prop)),
            Kept::Game(prop) => (ExprKind::GameProp(*prop), self.prop_type(*prop)),
        };
        let old = Expr { kind, ty, span };
        kept.put(Expr { kind: ExprKind::Binary(op, Box::new(old), Box::new(by)), ty: Ty::Number, span })
    }

    /// Changes a property of several, each from its own value, by an amount that is worked out once.
    fn each_changed(&mut self, body: &mut Body, kept: Kept, by: Expr, op: BinaryOp, span: Span) -> StmtKind {
        let Kept::Prop(of, prop) = kept else { return kept.put(by) };
        let ty = self.prop_type(prop);
        let mark = body.open();
        let element = of.ty.element().clone();
        let amount = body.bind("by", Ty::Number, span);
        let local = body.bind("each", element.clone(), span);
        body.close(mark);
        let item = Expr { kind: ExprKind::Local(local), ty: element, span };
        let old = Expr { kind: ExprKind::Prop(Box::new(item.clone()), prop), ty, span };
        let amount_now = Expr { kind: ExprKind::Local(amount), ty: Ty::Number, span };
        let value = Expr { kind: ExprKind::Binary(op, Box::new(old), Box::new(amount_now)), ty: Ty::Number, span };
        let set = Stmt { kind: StmtKind::SetProp { of: item, prop, value }, span };
        let first = Stmt { kind: StmtKind::Local { local: amount, value: by }, span };
        let each = Stmt { kind: StmtKind::Each { local, domain: of, at_once: false, body: vec![set] }, span };
        let cond = Expr { kind: ExprKind::Word(1), ty: Ty::Flag, span };
        StmtKind::If { cond, body: vec![first, each], or_else: Vec::new() }
    }

    fn each(
        &mut self,
        body: &mut Body,
        name: &Ident,
        domain: &ast::Expr,
        mode: EachMode,
        inner: &ast::Block,
        span: Span,
    ) -> Option<StmtKind> {
        let domain = self.domain_of(body, name, domain, |checker, body| checker.many(body, domain, None));
        let mark = body.open();
        let local = self.bind(body, name, domain.ty.element().clone());
        // What is done for each player hardly ever is the same for all.
        if *domain.ty.element() == Ty::Player {
            body.bound.push((local, name.clone()));
        }
        body.repeats += usize::from(mode == EachMode::InTurn);
        let kind = if mode == EachMode::Secret {
            self.each_secret(body, local, domain, inner, span)
        } else {
            let written = inner;
            let inner = self.block(body, written);
            let at_once = mode == EachMode::AtOnce;
            if at_once && !matches!(&written.stmts[..], [ast::Stmt { kind: ast::StmtKind::Call { .. }, .. }]) {
                let found = Diagnostic::new(Code::NotAtOnce, written.span, "what happens at once is one verb for each")
                    .help("make it a verb: `each m in ms at once { hurt m }`; sets are moved and set as a whole");
                self.report(found);
            }
            Some(StmtKind::Each { local, domain, at_once, body: inner })
        };
        body.repeats -= usize::from(mode == EachMode::InTurn);
        body.close(mark);
        kind
    }

    fn if_stmt(
        &mut self,
        body: &mut Body,
        cond: &ast::Expr,
        inner: &ast::Block,
        or_else: Option<&ast::Block>,
    ) -> StmtKind {
        let cond = self.flag(body, cond);
        let facts = body.facts.len();
        body.facts.extend(self.facts_of(&cond));
        let inner = self.block(body, inner);
        body.facts.truncate(facts);
        body.facts.extend(self.facts_where(&cond, false));
        let or_else = or_else.map(|block| self.block(body, block)).unwrap_or_default();
        body.facts.truncate(facts);
        StmtKind::If { cond, body: inner, or_else }
    }

    fn repeat(&mut self, body: &mut Body, test: &RepeatTest, inner: &ast::Block) -> StmtKind {
        let until = match test {
            RepeatTest::Forever => None,
            RepeatTest::Until(cond) => Some(self.flag(body, cond)),
            RepeatTest::While(cond) => {
                let cond = self.flag(body, cond);
                let span = cond.span;
                Some(Expr { kind: ExprKind::Not(Box::new(cond)), ty: Ty::Flag, span })
            }
            RepeatTest::Times(times) => {
                let times = self.expr_of(body, times, &Ty::Number);
                body.repeats += 1;
                let inner = self.block(body, inner);
                body.repeats -= 1;
                return StmtKind::RepeatTimes { times, body: inner };
            }
        };
        body.repeats += 1;
        let inner = self.block(body, inner);
        body.repeats -= 1;
        StmtKind::Repeat { until, body: inner }
    }

    /// The turns or phase of a name, as far as it was declared.
    pub(super) fn span_named(&self, name: &Ident) -> Option<SpanId> {
        match self.names.get(&name.text) {
            Some(Decl::Span(id)) => {
                self.means(name);
                Some(*id)
            }
            _ => None,
        }
    }

    fn turns(
        &mut self,
        body: &mut Body,
        name: &Ident,
        (from, among, next): (&ast::Expr, Option<&ast::Expr>, Option<&ast::Expr>),
        (rounds, until): (Option<&ast::Expr>, Option<&ast::Expr>),
        inner: &ast::Block,
    ) -> Option<StmtKind> {
        let from = self.expr_of(body, from, &Ty::Player);
        let among = among.map(|among| self.expr_of(body, among, &Ty::Player.set()));
        let rounds = rounds.map(|rounds| self.expr_of(body, rounds, &Ty::Number));
        let me = std::mem::replace(&mut body.me, true);
        let (outer, needs_me) = (std::mem::replace(&mut body.in_turns, true), body.log.needs_me);
        let next = next.map(|next| self.expr_of(body, next, &Ty::Player.maybe()));
        let until = until.map(|until| self.flag(body, until));
        let span = self.span_named(name);
        body.spans.extend(span);
        let inner = self.block(body, inner);
        if span.is_some() {
            body.spans.pop();
        }
        (body.me, body.in_turns, body.log.needs_me) = (me, outer, needs_me);
        Some(StmtKind::Turns { span: span?, from, among, next, rounds, until, body: inner })
    }

    fn leave(&mut self, body: &Body, target: &Ident) -> Option<StmtKind> {
        if target.text == "repeat" {
            if body.repeats > 0 {
                return Some(StmtKind::LeaveRepeat);
            }
            self.error(Code::LeaveNothing, target.span, "there is no `repeat` around this");
            return None;
        }
        match self.span_named(target) {
            Some(span) if body.spans.contains(&span) => Some(StmtKind::LeaveSpan(span)),
            Some(_) => {
                let message = format!("this does not stand in `{}`", target.text);
                let found = Diagnostic::new(Code::LeaveNothing, target.span, message).help(format!(
                    "where it is performed from, ask a mark that this sets: `if game.over {{ leave {} }}`",
                    target.text
                ));
                self.report(found);
                None
            }
            None => {
                let message = format!("there is no turn or phase `{}`", target.text);
                let names = || self.rules.spans.iter().map(|span| span.name.as_str()).chain(["repeat"]);
                let found = Diagnostic::new(Code::LeaveNothing, target.span, message);
                let found = match target.text.as_str() {
                    "each" => found.help(
                        "an `each` goes through all of its set: name fewer in it, or put what is left out into an `if`",
                    ),
                    text => self.suggest(found, text, names()),
                };
                self.report(found);
                None
            }
        }
    }

    fn chance_stmt(&mut self, body: &mut Body, written: &ast::Stmt) -> Option<StmtKind> {
        let span = written.span;
        match &written.kind {
            ast::StmtKind::Shuffle { zone } => {
                body.suspends(span, "shuffle");
                body.irrevocable.get_or_insert((span, "shuffle"));
                let mark = self.chosen_zones.len();
                let expr = match self.place_of_key(body, zone) {
                    Some(place) => place,
                    None => self.expr(body, zone),
                };
                match expr.kind {
                    ExprKind::Contents(id, of) => {
                        let found = self.rules.zones.get(id.index())?;
                        if found.order == ZoneOrder::None {
                            let found = Diagnostic::new(
                                Code::NoOrder,
                                zone.span,
                                format!("`{}` has no order to shuffle", found.name),
                            )
                            .label(found.span, "declared here")
                            .help("give the zone `order: pile`");
                            self.report(found);
                        }
                        let kind = StmtKind::Shuffle { zone: id, of: of.map(|of| *of) };
                        Some(self.do_for_each_key(body, kind, mark, span))
                    }
                    _ => {
                        if expr.ty != Ty::Error {
                            let found = Diagnostic::new(Code::NotAPlace, zone.span, "only zones can be shuffled");
                            let shuffled = self.shuffles_of_keys(body, zone);
                            self.report(shuffled.map_or(found.clone(), |help| found.help(help)));
                        }
                        None
                    }
                }
            }
            ast::StmtKind::Roll { name, domain } => {
                body.suspends(span, "roll");
                body.irrevocable.get_or_insert((span, "roll"));
                if let Some(other) = self.rolled_together(domain, name) {
                    self.bind(body, name, Ty::Number);
                    self.bind(body, &other, Ty::Number);
                    return None;
                }
                if matches!(domain.kind, ast::ExprKind::List(_)) {
                    let set = self.many(body, domain, None);
                    let word = Span { end: span.start + 4, ..span };
                    let found = Diagnostic::new(Code::BadDomain, domain.span, "a die has a range of numbers");
                    let help = format!("one of other things is picked by `random {} in ...`", name.text);
                    self.report(found.help(help).mend(word, "random"));
                    self.bind(body, name, set.ty.element().clone());
                    return None;
                }
                let expr = self.expr_of(body, domain, &Ty::Number.set());
                let local = self.bind(body, name, Ty::Number);
                match expr.kind {
                    ExprKind::Range(low, high) => Some(StmtKind::Roll { local, low: *low, high: *high }),
                    _ => {
                        if expr.ty != Ty::Error {
                            let found = Diagnostic::new(Code::BadDomain, domain.span, "a die has a range of numbers")
                                .help("write `roll d in 1..6`; pick from other sets with `random`");
                            self.report(found);
                        }
                        None
                    }
                }
            }
            ast::StmtKind::Random { name, domain } => {
                body.suspends(span, "random");
                body.irrevocable.get_or_insert((span, "random"));
                let domain = self.domain_of(body, name, domain, |checker, body| checker.many(body, domain, None));
                let local = self.bind(body, name, domain.ty.element().clone().maybe());
                Some(StmtKind::Random { local, domain })
            }
            ast::StmtKind::Reveal { what, to, how } => {
                body.revealed |= *how != ast::Showing::Hides;
                body.irrevocable.get_or_insert((span, "reveal"));
                let what = self.revealed(body, what, to.as_ref(), *how);
                let to = to.as_ref().map(|to| self.expr_of(body, to, &Ty::Player.set()));
                Some(StmtKind::Reveal { what, to, how: *how })
            }
            _ => None,
        }
    }

    /// Reports what is no card or piece.
    pub(super) fn coerce_entities(&mut self, expr: Expr) -> Expr {
        if !matches!(expr.ty.element().bare(), Ty::Entity(_) | Ty::Error) {
            let what = self.type_name(&expr.ty);
            let mut found = Diagnostic::new(
                Code::WrongType,
                expr.span,
                format!("this should be cards or pieces, but it is {what}"),
            );
            if matches!(expr.ty.element().bare(), Ty::Site(_)) {
                found = found.help("what lies there is `top(...)`, the topmost, or `pieces(...)`, all");
            }
            self.report(found);
            return super::check::broken(expr.span);
        }
        expr
    }

    /// Notes that a body runs an effect field.
    pub(super) fn note_effect(&mut self, body: &mut Body, field: PropId, span: Span) {
        self.uses.effects_done.insert(field);
        self.uses.props.insert(field);
        body.calls(Callee::Effect(field), span);
    }
}

/// Whether nothing after a statement can run.
fn ends(kind: &ast::StmtKind) -> bool {
    matches!(kind, ast::StmtKind::Stop | ast::StmtKind::Leave { .. } | ast::StmtKind::DrawGame | ast::StmtKind::EndGame)
}
