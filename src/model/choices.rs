//! Statements that ask somebody: choices and gates.

use super::body::{Body, Callee};
use super::check::Checker;
use super::collect::Decl;
use super::rules::walk::constant;
use super::rules::{Act, Choose, Expr, ExprKind, GroupId, LocalId, OptionArm, Qty, Stmt, StmtKind, Ty, VerbId};
use crate::base::{Code, Diagnostic, Span};
use crate::syntax::ast::{self, Ident};

impl Checker<'_> {
    /// `choose c in S  ensure COND "Which one?"`: a question behind a choice that asks none is taken for the reason of a condition.
    pub(super) fn check_question(&mut self, before: Option<&ast::Stmt>, written: &ast::Stmt) {
        let (Some(before), ast::StmtKind::Ensure { reason: Some(text), .. }) = (before, &written.kind) else { return };
        let asks_none = matches!(&before.kind, ast::StmtKind::Choose(choose) if choose.prompt.is_none());
        if !asks_none || !text.text.trim_end().ends_with('?') {
            return;
        }
        let message = "this is the reason that is given where the condition does not hold, and no question";
        let help =
            format!("the question of a choice stands right behind its set: `choose ... \"{}\"  ensure ...`", text.text);
        let behind = Span { start: before.span.end, ..before.span };
        let edits = vec![(behind, format!(" \"{}\"", text.text)), (text.span, String::new())];
        self.report(Diagnostic::new(Code::QuestionBehind, text.span, message).help(help).mends(edits, false));
    }

    /// A `choose` or a gate.
    pub(super) fn choice_stmt(&mut self, body: &mut Body, written: &ast::Stmt) -> Option<StmtKind> {
        let span = written.span;
        match &written.kind {
            ast::StmtKind::Choose(choose) => {
                let mut choose = self.choose(body, choose);
                // Whom it asks unless it says who.
                choose.by = choose.by.filter(|by| !matches!(by.kind, ExprKind::Me));
                Some(StmtKind::Choose(Box::new(choose)))
            }
            ast::StmtKind::ChooseAction { by, acts, or_else, prompt } => {
                body.suspends(span, "choose action");
                let by = self.chooser(body, by.as_ref(), span);
                let acts = self.acts(body, acts);
                let or_else = self.acts(body, or_else);
                let prompt = prompt.as_ref().map(|prompt| self.template(body, prompt));
                Some(StmtKind::ChooseAction { by, acts, or_else, prompt })
            }
            ast::StmtKind::ChooseOption { by, arms, prompt } => {
                body.suspends(span, "choose option");
                let by = self.chooser(body, by.as_ref(), span);
                let prompt = prompt.as_ref().map(|prompt| self.template(body, prompt));
                let arms = self.arms(body, arms);
                Some(StmtKind::ChooseOption { by, arms, prompt })
            }
            ast::StmtKind::ChooseOrder { by, name, domain, prompt } => {
                body.suspends(span, "choose order");
                let by = self.chooser(body, by.as_ref(), span);
                self.question_or_card(domain, prompt.as_ref());
                let domain = self.domain_of(body, name, domain, |checker, body| checker.many(body, domain, None));
                let prompt = prompt.as_ref().map(|prompt| self.template(body, prompt));
                let ty = Ty::List(Box::new(domain.ty.element().clone()));
                let local = self.bind(body, name, ty);
                Some(StmtKind::ChooseOrder { by, local, domain, prompt })
            }
            ast::StmtKind::ChooseSplit { by, name, items, among, evenly, prompt } => {
                body.suspends(span, "choose split");
                let by = self.chooser(body, by.as_ref(), span);
                self.question_or_card(among, prompt.as_ref());
                let domain = self.domain_of(body, name, items, |checker, body| checker.choosable(body, items));
                let among = self.choosable(body, among);
                let prompt = prompt.as_ref().map(|prompt| self.template(body, prompt));
                let ty = Ty::Split(Box::new(among.ty.element().clone()), Box::new(domain.ty.element().clone()));
                let local = self.bind(body, name, ty);
                body.bound.push((local, name.clone()));
                Some(StmtKind::ChooseSplit { by, local, domain, among, evenly: *evenly, prompt })
            }
            ast::StmtKind::Open { window, args } => self.open(body, window, args, span),
            ast::StmtKind::Offer { to, prompt, parts, accepted, refused } => {
                Some(self.offer(body, to, (prompt.as_ref(), parts), (accepted, refused.as_ref()), span))
            }
            ast::StmtKind::Gate { must, by, prompt, chooses, pay, body: inner, or_else } => {
                if !must {
                    body.suspends(span, "may");
                }
                let by = self.chooser(body, by.as_ref(), span);
                let mark = body.open();
                let mut chooses: Vec<Choose> =
                    chooses.iter().map(|choose| self.gate_choose(body, choose, by.as_ref())).collect();
                let prompt = prompt.as_ref().map(|prompt| self.template(body, prompt));
                let pay = pay.as_ref().map(|pay| self.block(body, pay));
                let inner = self.block(body, inner);
                let or_else = or_else.as_ref().map(|or_else| self.block(body, or_else));
                body.close(mark);
                self.settle_gate(body, &mut chooses, &[pay.as_deref().unwrap_or_default(), &inner]);
                Some(StmtKind::Gate { must: *must, by, prompt, chooses, pay, tried: false, body: inner, or_else })
            }
            _ => None,
        }
    }

    /// Who chooses: the one named, or the acting player, who must then exist.
    pub(super) fn chooser(&mut self, body: &mut Body, by: Option<&ast::Expr>, span: Span) -> Option<Expr> {
        match by {
            Some(by) => {
                let by = self.expr_of(body, by, &Ty::Player);
                if !matches!(by.kind, ExprKind::Me) {
                    body.irrevocable.get_or_insert((span, "a question to another player"));
                }
                Some(by)
            }
            None => {
                body.log.needs_me = true;
                if !body.me {
                    let found =
                        Diagnostic::new(Code::NoPlayer, span, "nobody in particular acts here, so nobody can choose")
                            .help("say who: `choose by p ...`");
                    self.report(found);
                }
                None
            }
        }
    }

    /// A choice among the members of a set.
    pub(super) fn choose(&mut self, body: &mut Body, written: &ast::Choose) -> Choose {
        let by = self.chooser(body, written.by.as_ref(), written.span);
        self.choose_by(body, written, by)
    }

    /// A choice of a gate: whoever the gate asks makes it, unless it says somebody else.
    fn gate_choose(&mut self, body: &mut Body, written: &ast::Choose, asked: Option<&Expr>) -> Choose {
        match (asked, &written.by) {
            (Some(asked), None) => self.choose_by(body, written, Some(asked.clone())),
            _ => self.choose(body, written),
        }
    }

    fn choose_by(&mut self, body: &mut Body, written: &ast::Choose, by: Option<Expr>) -> Choose {
        body.suspends(written.span, "choose");
        let choose = self.choose_rest(body, written, by);
        let ty = match &choose.qty {
            Qty::One => choose.domain.ty.element().clone().maybe(),
            Qty::Between(..) => choose.domain.ty.element().clone().set(),
        };
        // What is chosen has no name yet where it is asked for.
        let prompt = written.prompt.as_ref().map(|prompt| self.template(body, prompt));
        let local = self.bind(body, &written.name, ty);
        body.bound.push((local, written.name.clone()));
        if choose.for_verb.is_none() && matches!(choose.domain.ty.element(), Ty::Entity(_)) {
            body.unguarded.insert(local, written.span);
        } else {
            body.unguarded.remove(&local);
        }
        Choose { local, prompt, ..choose }
    }

    fn choose_rest(&mut self, body: &mut Body, written: &ast::Choose, by: Option<Expr>) -> Choose {
        let qty = self.quantity(body, &written.qty, written.span);
        let (name, set) = (&written.name, &written.domain);
        let domain = self.domain_of(body, name, set, |checker, body| checker.choosable(body, set));
        let ignoring = self.groups_named(body, &written.ignoring);
        let (domain, for_verb) = match &written.for_verb {
            Some(name) => self.targetable(body, domain, name, ignoring),
            None => {
                self.question_or_card(&written.domain, written.prompt.as_ref());
                if let Some(first) = written.ignoring.first() {
                    let found =
                        Diagnostic::new(Code::UnknownVerb, first.span, "`ignoring` here needs a `for` before it");
                    self.report(found);
                }
                (domain, None)
            }
        };
        Choose { by, qty, local: LocalId(0), domain, for_verb, for_whole: false, prompt: None, span: written.span }
    }

    /// A text after a kind is a question, or a reason. Where something is called so, brackets must say what is meant.
    pub(super) fn question_or_card(&mut self, before: &ast::Expr, text: Option<&ast::Ident>) {
        let (Some(text), Some((name, asked))) = (text, last_name(before)) else { return };
        let Some(kind) = self.kind_named(name) else { return };
        let called = |heir, entry: &String| *entry == text.text && self.rules.is_below(heir, kind);
        if !self.entry_names.keys().any(|(heir, entry)| called(*heir, entry)) {
            return;
        }
        let both = format!("{name} \"{}\"", text.text);
        let message = format!("this is read as a question or reason, but there is a `{both}`");
        let help =
            format!("`({asked}{both})` in brackets is that; `({asked}{name}) \"{}\"` asks or says so", text.text);
        self.report(Diagnostic::new(Code::NeedsBrackets, text.span, message).help(help));
    }

    /// A set of what can be chosen; a list stands for the set of its values.
    fn choosable(&mut self, body: &mut Body, written: &ast::Expr) -> Expr {
        let domain = self.many(body, written, None);
        let element = domain.ty.element().clone();
        if matches!(element.bare(), Ty::Lambda(..) | Ty::Effect(_)) {
            let what = self.type_name(&domain.ty);
            self.error(Code::BadDomain, domain.span, format!("nobody can choose from {what}"));
        }
        if matches!(domain.ty, Ty::List(_)) { self.coerce(domain, &element.set()) } else { domain }
    }

    fn quantity(&mut self, body: &mut Body, qty: &ast::Qty, span: Span) -> Qty {
        let zero = Expr { kind: ExprKind::Word(0), ty: Ty::Number, span };
        let qty = match qty {
            ast::Qty::One => return Qty::One,
            ast::Qty::Any => return Qty::Between(zero, None),
            ast::Qty::UpTo(most) => Qty::Between(zero, Some(self.expr_of(body, most, &Ty::Number))),
            ast::Qty::Exactly(count) => {
                let count = self.expr_of(body, count, &Ty::Number);
                Qty::Between(count.clone(), Some(count))
            }
            ast::Qty::Between(low, high) => {
                Qty::Between(self.expr_of(body, low, &Ty::Number), Some(self.expr_of(body, high, &Ty::Number)))
            }
        };
        if let Qty::Between(low, Some(high)) = &qty {
            let (low, most) = (constant(&self.rules, low), constant(&self.rules, high));
            if low.is_some_and(|low| low < 0) || most.is_some_and(|most| most < 0) {
                self.error(Code::BadQuantity, high.span, "fewer than nothing cannot be chosen");
            } else if let (Some(low), Some(most)) = (low, most)
                && low > most
            {
                self.error(Code::BadQuantity, high.span, format!("{low} to {most} is backwards"));
            }
        }
        qty
    }

    /// `for VERB`: leaves out what a `cannot` would stop.
    fn targetable(
        &mut self,
        body: &mut Body,
        domain: Expr,
        name: &Ident,
        ignoring: Vec<GroupId>,
    ) -> (Expr, Option<VerbId>) {
        let Some(verb) = self.verb_named(&name.text) else {
            self.unknown_verb(name);
            return (domain, None);
        };
        self.means(name);
        let Some(params) = self.rules.verbs.get(verb.index()).map(|verb| verb.params.len()) else {
            return (domain, None);
        };
        if params == 0 {
            self.error(Code::WrongArity, name.span, format!("`{}` takes nothing", name.text));
            return (domain, None);
        }
        let (element, span) = (domain.ty.element().clone(), domain.span);
        let binder = body.fresh(element.clone(), span);
        // Which argument it is, and what the others are, is seen once the call is known: see `targets`.
        let mut args: Vec<Option<Expr>> = vec![None; params];
        args[0] = Some(Expr { kind: ExprKind::Local(binder), ty: element, span: name.span });
        let kind = ExprKind::Targetable { verb, args: args.into(), sure: 0, ignoring: ignoring.into() };
        let cond = Box::new(Expr { kind, ty: Ty::Flag, span });
        let ty = domain.ty.clone();
        (Expr { kind: ExprKind::Where { over: Box::new(domain), binder, cond }, ty, span }, Some(verb))
    }

    /// The rules that `ignoring` names; an absolute one needs a card that supersedes it.
    pub(super) fn groups_named(&mut self, body: &Body, names: &[Ident]) -> Vec<GroupId> {
        let mut groups = Vec::new();
        for name in names {
            let Some(Decl::Rule(id)) = self.names.get(&name.text).copied() else {
                let mut found =
                    Diagnostic::new(Code::UnknownRule, name.span, format!("there is no rule `{}`", name.text));
                if let Some(best) = self.nearest_of(&name.text, |decl| matches!(decl, Decl::Rule(_))) {
                    found = found.did_you_mean(best);
                }
                self.report(found);
                continue;
            };
            self.means(name);
            let group = self.rules.groups.get(id.index());
            if let Some(group) = group
                && group.absolute
                && !body.supersedes.contains(&name.text)
            {
                let found =
                    Diagnostic::new(Code::AbsoluteRule, name.span, format!("`{}` is an absolute rule", name.text))
                        .label(group.span, "declared here")
                        .help(format!("only a card that says `supersedes {}` may ignore it", name.text));
                self.report(found);
            }
            groups.push(id);
        }
        groups
    }

    pub(super) fn acts(&mut self, body: &mut Body, acts: &[ast::Act]) -> Vec<Act> {
        let mut checked = Vec::new();
        for act in acts {
            let Some(Decl::Action(id)) = self.names.get(&act.name.text).copied() else {
                self.unknown_action(&act.name);
                continue;
            };
            self.means(&act.name);
            let args = self.action_arguments(body, id, &act.name, &act.args);
            body.calls(Callee::Action(id), act.name.span);
            self.uses.actions.insert(id);
            checked.push(Act { action: id, args, span: act.name.span });
        }
        checked
    }

    fn arms(&mut self, body: &mut Body, arms: &[ast::OptionArm]) -> Vec<OptionArm> {
        let mut checked: Vec<OptionArm> = Vec::new();
        for arm in arms {
            if let Some(other) = checked.iter().find(|other| other.text == arm.text.text) {
                let found =
                    Diagnostic::new(Code::Duplicate, arm.text.span, format!("`{}` is offered twice", arm.text.text))
                        .label(other.span, "first offered here");
                self.report(found);
            }
            self.as_written(
                &arm.text.text,
                arm.text.span,
                "the text of an option",
                "choose from a set whose members are written so",
            );
            let cond = arm.cond.as_ref().map(|cond| self.flag(body, cond));
            let inner: Vec<Stmt> = self.block(body, &arm.body);
            checked.push(OptionArm { text: arm.text.text.clone(), cond, body: inner, span: arm.text.span });
        }
        checked
    }

    /// `each p in players secret { choose ...  rest }`
    pub(super) fn each_secret(
        &mut self,
        body: &mut Body,
        local: LocalId,
        domain: Expr,
        inner: &ast::Block,
        span: Span,
    ) -> Option<StmtKind> {
        if !matches!(domain.ty.element(), Ty::Player | Ty::Error) {
            let found = Diagnostic::new(Code::WrongType, domain.span, "only players choose in secret");
            self.report(
                found.help("write `each p in players secret { choose ... }`; of several things, a block for each"),
            );
        }
        let Some((ast::Stmt { kind: ast::StmtKind::Choose(first), .. }, rest)) = inner.stmts.split_first() else {
            let chooses = |stmt: &ast::Stmt| {
                let kind = &stmt.kind;
                matches!(
                    kind,
                    ast::StmtKind::ChooseOption { .. }
                        | ast::StmtKind::ChooseAction { .. }
                        | ast::StmtKind::ChooseOrder { .. }
                        | ast::StmtKind::ChooseSplit { .. }
                )
            };
            let form = "write `each p in players secret { choose c in p.hand  ... }`";
            let (span, message, more) = match inner.stmts.first() {
                Some(first) if !chooses(first) => (
                    first.span,
                    "a block in which all choose in secret begins with the choice",
                    ": what leads to it stands before the block or in its `where`",
                ),
                _ => (span, "what is chosen in secret is one of a set", ", or choose a value of an enum"),
            };
            self.report(Diagnostic::new(Code::BadDomain, span, message).help(format!("{form}{more}")));
            return None;
        };
        let by = match &first.by {
            Some(by) => self.chooser(body, Some(by), first.span),
            None => Some(Expr { kind: ExprKind::Local(local), ty: Ty::Player, span: first.span }),
        };
        let mut choose = self.choose_by(body, first, by);
        let rest = ast::Block { stmts: rest.to_vec(), span: inner.span };
        let rest = self.block(body, &rest);
        self.settle_target(body, &mut choose, &[], &[&rest]);
        Some(StmtKind::EachSecret { local, domain, choose: Box::new(choose), body: rest })
    }
}

/// The name that an expression ends with, if it is not in brackets, and what stands before it there.
fn last_name(expr: &ast::Expr) -> Option<(&str, &'static str)> {
    match &expr.kind {
        ast::ExprKind::Name(name) => (expr.span.end - expr.span.start == name.len() as u32).then_some((name, "")),
        ast::ExprKind::Is { kind, .. } => (kind.span.end == expr.span.end).then_some((&kind.text, "... is ")),
        _ => last_name(expr.last().filter(|last| last.span.end == expr.span.end)?),
    }
}
