//! Verbs and actions: their signatures, their bodies, and the statements that perform them.

use super::body::{Body, Callee};
use super::check::Checker;
use super::collect::Decl;
use super::index::Sort;
use super::rules::{Action, ActionId, Expr, ExprKind, ProcBody, ProcRole, StmtKind, Ty, VerbId, VerbParam, Window};
use super::types::Declared;
use crate::base::{Code, Diagnostic, Span, listed, nearest};
use crate::syntax::ast::{self, Ident, Prep};
use crate::syntax::{Role, instead_of};

impl Checker<'_> {
    /// Settles the parameters of verbs, actions and scripts, so that bodies may use each other in any order.
    pub(super) fn check_signatures(&mut self) {
        self.defines = vec![super::check::DefineState::Todo; self.items.defines.len()];
        self.declare_scripts();
        for (index, (params, _)) in self.items.verbs.clone().into_iter().enumerate() {
            self.verb_signature(index, params);
        }
        for (name, params, _) in self.items.actions.clone() {
            let declared = self.plain_params(params, "an action");
            self.action_params.push(declared);
            let body = super::rules::ProcId(0);
            self.rules.actions.push(Action { name: name.text.clone(), body, notation: None, span: name.span });
        }
        for item in self.items.windows.clone() {
            let declared = self.plain_params(item.params, "a window");
            self.window_params.push(declared);
            let body = super::rules::ProcId(0);
            self.rules.windows.push(Window { name: item.name.text.clone(), body, span: item.name.span });
        }
    }

    /// The parameters of an action or a window.
    fn plain_params(&mut self, params: &[ast::Param], of: &str) -> Vec<(Ident, Declared)> {
        let mut declared: Vec<(Ident, Declared)> = Vec::new();
        for param in params {
            let others: Vec<&str> = declared.iter().map(|(name, _)| name.text.as_str()).collect();
            self.check_param_name(&param.name, &others);
            let ty = self.resolve_passed(&param.ty);
            if let Some(default) = &param.default {
                self.error(Code::WrongArity, default.span, format!("the parameters of {of} have no defaults"));
            }
            self.declares_local(&param.name.text, param.name.span, &ty.ty, Sort::Parameter);
            declared.push((param.name.clone(), ty));
        }
        declared
    }

    fn verb_signature(&mut self, index: usize, params: &[ast::VerbParam]) {
        let mut checked: Vec<VerbParam> = Vec::new();
        let mut declared = Vec::new();
        for param in params {
            let name = &param.param.name;
            let others: Vec<&str> = checked.iter().map(|param| param.name.as_str()).collect();
            self.check_param_name(name, &others);
            if param.prep.is_some() && checked.iter().any(|other| other.prep == param.prep) {
                let word = param.prep.map_or("", Prep::word);
                self.error(Code::RepeatedLabel, name.span, format!("`{word}` labels two parameters of this verb"));
            }
            let ty = self.resolve_passed(&param.param.ty);
            self.declares_local(&name.text, name.span, &ty.ty, Sort::Parameter);
            checked.push(VerbParam { prep: param.prep, name: name.text.clone(), ty: ty.ty.clone(), default: None });
            declared.push(ty);
        }
        if let Some(verb) = self.rules.verbs.get_mut(index) {
            verb.params = checked;
        }
        self.declared_params.push(declared);
    }

    /// A body whose parameters are those of a verb; `shown` tells the name under which each is known.
    pub(super) fn verb_frame(&self, body: &mut Body, verb: VerbId, shown: impl Fn(usize) -> Option<Ident>) {
        let Some(verb) = self.rules.verbs.get(verb.index()) else { return };
        for (index, param) in verb.params.iter().enumerate() {
            match shown(index) {
                Some(name) => {
                    body.param(&name.text, param.ty.clone(), verb.span, true);
                    body.named_at(name.span);
                }
                None => _ = body.param(&param.name, param.ty.clone(), verb.span, false),
            }
        }
    }

    /// Checks the defaults and bodies of all verbs.
    pub(super) fn check_verbs(&mut self) {
        for (index, (params, block)) in self.items.verbs.clone().into_iter().enumerate() {
            let id = VerbId(index as u32);
            let Some(verb) = self.rules.verbs.get(index) else { continue };
            let (name, own) = (verb.name.clone(), verb.params.clone());
            for (place, param) in params.iter().enumerate() {
                let Some(default) = &param.param.default else { continue };
                let mut body = Body::new(format!("{name}.{}", param.param.name.text), ProcRole::Pure, default.span);
                body.event = true;
                // A default may use what is given before it.
                self.verb_frame(&mut body, id, |index| {
                    (index < place).then(|| params.get(index).map(|param| param.param.name.clone())).flatten()
                });
                let ty = own.get(place).map_or(Ty::Error, |param| param.ty.clone());
                let names = self.declared_params.get(index).and_then(|list| list.get(place)).map(Declared::names);
                let expr = self.argument(
                    &mut body,
                    default,
                    &ty,
                    &names.unwrap_or_default(),
                    Some((param.param.ty.span, "declared here")),
                );
                let proc = self.finish_expr(body, expr);
                if let Some(param) = self.rules.verbs.get_mut(index).and_then(|verb| verb.params.get_mut(place)) {
                    param.default = Some(proc);
                }
            }
            let mut body = Body::new(name, ProcRole::Verb, block.span);
            body.event = true;
            self.verb_frame(&mut body, id, |index| params.get(index).map(|param| param.param.name.clone()));
            let stmts = self.block(&mut body, block);
            let proc = self.finish_block(body, stmts);
            if let Some(verb) = self.rules.verbs.get_mut(index) {
                verb.body = proc;
            }
        }
    }

    /// Checks the bodies and notations of all actions.
    pub(super) fn check_actions(&mut self) {
        for (index, (name, _, block)) in self.items.actions.clone().into_iter().enumerate() {
            let mut body = Body::new(name.text.clone(), ProcRole::Action, block.span);
            for (name, declared) in self.action_params.get(index).cloned().unwrap_or_default() {
                body.param(&name.text, declared.ty, name.span, true);
            }
            let stmts = self.block(&mut body, block);
            let notation = body.notation.take().map(|text| {
                body.show_all();
                self.template(&mut body, &text)
            });
            let proc = self.finish_block(body, stmts);
            if let Some(action) = self.rules.actions.get_mut(index) {
                action.body = proc;
                action.notation = notation;
            }
        }
    }

    /// The arguments of an action.
    pub(super) fn action_arguments(
        &mut self,
        body: &mut Body,
        id: ActionId,
        name: &Ident,
        args: &[ast::Expr],
    ) -> Vec<Expr> {
        let params = self.action_params.get(id.index()).cloned().unwrap_or_default();
        let declared = self.items.actions.get(id.index()).map_or(Span::default(), |(name, _, _)| name.span);
        self.plain_arguments(body, name, (&params, declared), args)
    }

    /// The arguments of an action or a window with these parameters, which are declared at a place.
    pub(super) fn plain_arguments(
        &mut self,
        body: &mut Body,
        name: &Ident,
        (params, declared): (&[(Ident, Declared)], Span),
        args: &[ast::Expr],
    ) -> Vec<Expr> {
        if params.len() != args.len() {
            self.wrong_arity(&name.text, name.span, declared, params.len(), args.len());
            return Vec::new();
        }
        params
            .iter()
            .zip(args)
            .map(|((name, declared), arg)| {
                self.argument(body, arg, &declared.ty, &declared.names(), Some((name.span, "declared here")))
            })
            .collect()
    }

    /// Reports a name that is no action.
    pub(super) fn unknown_action(&mut self, name: &Ident) {
        let mut found = match self.names.get(&name.text) {
            Some(decl) => Diagnostic::new(
                Code::UnknownAction,
                name.span,
                format!("`{}` is {}, not an action", name.text, decl.noun()),
            ),
            None => Diagnostic::new(Code::UnknownAction, name.span, format!("there is no action `{}`", name.text)),
        };
        found = self.or_declared(found, &name.text, "actions", |decl| matches!(decl, Decl::Action(_)));
        self.report(found);
    }

    /// Reports `roll a in 1..6 and b in 1..6`; gives the second name.
    pub(super) fn rolled_together(&mut self, domain: &ast::Expr, name: &Ident) -> Option<Ident> {
        let ast::ExprKind::Binary(ast::BinaryOp::And, first, second) = &domain.kind else { return None };
        let ast::ExprKind::Binary(ast::BinaryOp::In, other, _) = &second.kind else { return None };
        let ast::ExprKind::Name(text) = &other.kind else { return None };
        let joint = Span { start: first.span.end, end: second.span.start, ..domain.span };
        let found = Diagnostic::new(Code::BadDomain, joint, "each number is rolled by a statement of its own")
            .help(format!("write `roll {} in ...  roll {text} in ...`", name.text))
            .mend(joint, "  roll ");
        self.report(found);
        Some(Ident { text: text.clone(), span: other.span })
    }

    /// Reports `c moves to "a1"`, where what is done stands behind a local.
    fn begins_with_a_local(&mut self, name: &Ident, first: Option<&ast::Expr>) {
        let word = match first.map(|first| &first.kind) {
            Some(ast::ExprKind::Name(word)) => word.strip_suffix('s').unwrap_or(word),
            _ => "move",
        };
        let word =
            if crate::syntax::STATEMENTS.contains(&word) || self.verb_named(word).is_some() { word } else { "move" };
        let message = format!("`{}` is a local, and a statement begins with what is done", name.text);
        let found = Diagnostic::new(Code::UnknownVerb, name.span, message);
        self.report(found.help(format!("write `{word} {} ...`", name.text)));
    }

    /// Reports `seat(1).coins = 3`, which reads like the call of a verb.
    fn sets_called(&mut self, name: &Ident, first: Option<&ast::Expr>) -> bool {
        let compared = |first: &&ast::Expr| matches!(first.kind, ast::ExprKind::Binary(ast::BinaryOp::Eq, ..));
        let function = super::builtins::named(&name.text).is_some_and(|mut forms| forms.next().is_some());
        if !function || !first.is_some_and(|first| compared(&first)) {
            return false;
        }
        let before = Span { end: name.span.start, ..name.span };
        let found = Diagnostic::new(Code::UnknownVerb, name.span, "a change begins with a word of its own");
        self.report(found.help(format!("write `set {}(...)... = ...`", name.text)).mend(before, "set "));
        true
    }

    /// Reports a name that is no verb.
    pub(super) fn unknown_verb(&mut self, name: &Ident) {
        let mut found = match self.names.get(&name.text) {
            Some(Decl::Action(_)) => {
                Diagnostic::new(Code::UnknownVerb, name.span, format!("`{}` is an action", name.text))
                    .help(format!("offer it to a player: `choose action {}`", name.text))
            }
            Some(decl) => {
                Diagnostic::new(Code::UnknownVerb, name.span, format!("`{}` is {}, not a verb", name.text, decl.noun()))
            }
            None => Diagnostic::new(Code::UnknownVerb, name.span, format!("there is no verb `{}`", name.text)),
        };
        let effect = |prop: &&super::rules::Prop| prop.name == name.text && matches!(prop.ty.bare(), Ty::Effect(_));
        if self.rules.props.iter().any(|prop| effect(&prop)) {
            found = found.help(format!("it is an effect of a card: `do this.{}`, `do c.{}`", name.text, name.text));
            return self.report(found);
        }
        if self.is_asked(&name.text) {
            let calls = |decl: &Decl| matches!(decl, Decl::Verb(_) | Decl::Script(_));
            self.could_be_named(self.names.iter().filter(|(_, decl)| calls(decl)).map(|(name, _)| name.as_str()));
        }
        if !self.may_suggest() {
            return self.report(found);
        }
        let verbs =
            || self.names.iter().filter(|(_, decl)| matches!(decl, Decl::Verb(_))).map(|(name, _)| name.as_str());
        let near = nearest(&name.text, verbs().chain(crate::syntax::STATEMENTS.iter().copied()));
        found = match near {
            Some(best) => found.did_you_mean(best),
            None if found.help.is_some() => found,
            None if instead_of(&name.text, Role::Statement).is_some() => {
                found.help(instead_of(&name.text, Role::Statement).unwrap_or_default())
            }
            None if name.text == "bottom" => found.help(
                "`bottom` belongs to a `move`: create it with a name, `create ... as x`, and `move x to ... bottom`",
            ),
            None if verbs().next().is_none() => found.help(format!("declare it: `verb {} ... {{ ... }}`", name.text)),
            None => found.help(format!("the verbs are {}", listed(verbs()))),
        };
        self.report(found);
    }

    /// `do`, a verb, `proceed`.
    pub(super) fn act_stmt(&mut self, body: &mut Body, written: &ast::Stmt) -> Option<StmtKind> {
        match &written.kind {
            ast::StmtKind::Do { what, by } => self.do_effect(body, what, by.as_ref()),
            ast::StmtKind::Listed { verb, args } if self.is_script(verb) => {
                self.script_stmt(body, verb, &args.iter().collect::<Vec<_>>(), &[])
            }
            ast::StmtKind::Listed { verb, args } => {
                self.listed_call(verb, args, written.span);
                None
            }
            ast::StmtKind::Call { verb, first, args, .. } if self.is_script(verb) => {
                self.script_stmt(body, verb, &first.iter().collect::<Vec<_>>(), args)
            }
            ast::StmtKind::Call { verb, first, args, ignoring } => {
                let Some(id) = self.verb_named(&verb.text) else {
                    // `pick 2 cards`: the last word would be a verb only because the first is none. `duel seat(1) seat(2)`
                    let value = verb.text == "seat" || super::builtins::named(&verb.text).is_some();
                    let bare = first.is_none() && args.is_empty();
                    let goes_on = (bare || value) && body.unread.next_to(written.span);
                    if !goes_on && body.find(&verb.text).is_some() {
                        self.begins_with_a_local(verb, first.as_ref());
                    } else if !goes_on && !self.sets_called(verb, first.as_ref()) {
                        self.unknown_verb(verb);
                    }
                    body.unread = written.span;
                    for arg in first.iter().chain(args.iter().map(|(_, arg)| arg)) {
                        self.quietly(|checker| {
                            checker.expr(body, arg);
                        });
                    }
                    // `chose c in me.hand`, `var total = 0`: what follows is about what it would have brought.
                    use ast::BinaryOp::{Eq, In};
                    if let Some(ast::ExprKind::Binary(In | Eq, name, _)) = first.as_ref().map(|it| &it.kind)
                        && let ast::ExprKind::Name(name) = &name.kind
                        && !self.names.contains_key(name)
                        && body.find(name).is_none()
                    {
                        body.bind(name, Ty::Error, verb.span);
                    }
                    return None;
                };
                self.means(verb);
                self.uses.verbs.insert(id);
                body.calls(Callee::Verb(id), verb.span);
                if !body.in_turns {
                    body.log.performs.push((id, verb.span));
                }
                let before = self.diagnostics.len();
                let args = self.verb_arguments(body, id, verb.span, first.as_ref(), args, true);
                if self.diagnostics.len() > before {
                    body.unread = written.span;
                }
                let ignoring = self.groups_named(body, ignoring);
                Some(StmtKind::Call { verb: id, args, ignoring })
            }
            ast::StmtKind::Proceed { first, args } => {
                let Some(verb) = body.instead else {
                    let found = Diagnostic::new(
                        Code::ProceedHere,
                        written.span,
                        "`proceed` stands only in the body of an `instead`",
                    );
                    self.report(found);
                    return None;
                };
                let args = self.verb_arguments(body, verb, written.span, first.as_ref(), args, false);
                body.calls(Callee::Verb(verb), written.span);
                Some(StmtKind::Proceed { args })
            }
            _ => None,
        }
    }

    fn is_script(&self, name: &Ident) -> bool {
        let script = matches!(self.names.get(&name.text), Some(Decl::Script(_)));
        if script {
            self.means(name);
        }
        script
    }

    /// `steal(c, p)`: says how the verb is written.
    fn listed_call(&mut self, verb: &Ident, args: &[ast::Expr], whole: Span) {
        let Some(id) = self.verb_named(&verb.text) else { return self.unknown_verb(verb) };
        self.uses.verbs.insert(id);
        let Some(found) = self.rules.verbs.get(id.index()) else { return };
        let (form, declared, params) = (verb_form(&verb.text, &found.params), found.span, found.params.clone());
        self.means(verb);
        let span = args.last().map_or(verb.span, |last| verb.span.to(last.span));
        let message = format!("the arguments of `{}` stand without brackets and commas", verb.text);
        let found = Diagnostic::new(Code::UnknownLabel, span, message)
            .label(declared, "declared here")
            .help(format!("write `{}`", listed_form(verb, args, &params).unwrap_or(form)));
        let found = match unlisted(verb, args, &params, whole) {
            Some(edits) => found.mends(edits, true),
            None => found,
        };
        self.report(found);
    }

    /// Does something without keeping what it reports.
    fn quietly(&mut self, inside: impl FnOnce(&mut Self)) {
        let before = self.diagnostics.len();
        inside(self);
        self.diagnostics.truncate(before);
    }

    fn verb_arguments(
        &mut self,
        body: &mut Body,
        id: VerbId,
        span: Span,
        first: Option<&ast::Expr>,
        args: &[(Prep, ast::Expr)],
        mut whole: bool,
    ) -> Vec<Option<Expr>> {
        let Some(verb) = self.rules.verbs.get(id.index()) else { return Vec::new() };
        let (name, params, declared) = (verb.name.clone(), verb.params.clone(), verb.span);
        let mut given: Vec<Option<Expr>> = vec![None; params.len()];
        let labelled =
            first.map(|first| (None, first)).into_iter().chain(args.iter().map(|(prep, arg)| (Some(*prep), arg)));
        for (prep, arg) in labelled {
            let Some(place) = params.iter().position(|param| param.prep == prep) else {
                self.unknown_label(&name, declared, &params, prep, arg.span);
                // It was to be another one.
                whole = false;
                continue;
            };
            let Some(param) = params.get(place) else { continue };
            let names = self.declared_params.get(id.index()).and_then(|list| list.get(place)).map(Declared::names);
            let expr =
                self.argument(body, arg, &param.ty, &names.unwrap_or_default(), Some((declared, "declared here")));
            if given.get(place).is_some_and(Option::is_some) {
                let word = prep.map_or("", Prep::word);
                self.error(Code::RepeatedLabel, arg.span, format!("`{word}` is given twice"));
            }
            if let (true, None, ExprKind::Local(local)) = (whole, prep, &expr.kind)
                && let Some(choice) = body.unguarded.get(local)
            {
                self.unguarded.insert((id, *choice));
            }
            if let Some(slot) = given.get_mut(place) {
                *slot = Some(expr);
            }
        }
        if whole {
            for (param, given) in params.iter().zip(&given) {
                let has_default = self.has_default(id, &param.name);
                if given.is_none() && !has_default {
                    self.missing_argument(&name, declared, param, span);
                } else if given.is_none() && param.default.is_some_and(|default| self.needs_me(default)) {
                    body.log.needs_me = true;
                    if body.me {
                        continue;
                    }
                    let word = param.prep.map_or("its argument", Prep::word);
                    let message = format!("without `{word}` this is about `me`, and nobody in particular acts here");
                    let found = Diagnostic::new(Code::NoPlayer, span, message)
                        .label(declared, "declared here")
                        .help(format!("add `{word} ...`"));
                    self.report(found);
                }
            }
        }
        given
    }

    fn has_default(&self, verb: VerbId, param: &str) -> bool {
        self.items.verbs.get(verb.index()).is_some_and(|(params, _)| {
            params.iter().any(|own| own.param.name.text == param && own.param.default.is_some())
        })
    }

    fn missing_argument(&mut self, name: &str, declared: Span, param: &VerbParam, span: Span) {
        let written = match param.prep {
            Some(prep) => format!("{} {}", prep.word(), param.name),
            None => param.name.clone(),
        };
        let what = self.type_name(&param.ty);
        let help = match param.prep {
            Some(prep) => format!("add `{} ...`: {what}", prep.word()),
            None => format!("name it after `{name}`: {what}"),
        };
        let found = Diagnostic::new(Code::MissingArgument, span, format!("`{name}` needs `{written}`"))
            .label(declared, "declared here")
            .help(help);
        self.report(found);
    }

    fn unknown_label(&mut self, name: &str, declared: Span, params: &[VerbParam], prep: Option<Prep>, span: Span) {
        let message = match prep {
            Some(prep) => format!("`{name}` has no `{}`", prep.word()),
            None => format!("`{name}` has no first argument without a preposition"),
        };
        let found = Diagnostic::new(Code::UnknownLabel, span, message).label(declared, "declared here").help(
            match params.is_empty() {
                true => format!("`{name}` ends with brackets where it could go on: `{name}()`"),
                false => format!("it is written `{}`", verb_form(name, params)),
            },
        );
        self.report(found);
    }

    /// `do c.activate`, `do m.bad(p) by p`
    fn do_effect(&mut self, body: &mut Body, what: &ast::Expr, by: Option<&ast::Expr>) -> Option<StmtKind> {
        let (target, args): (&ast::Expr, &[ast::Expr]) = match &what.kind {
            ast::ExprKind::Call(target, args) => (target, args),
            _ => (what, &[]),
        };
        if matches!(target.kind, ast::ExprKind::Error) {
            return None;
        }
        if let ast::ExprKind::Name(name) = &target.kind
            && let Some(decl @ (Decl::Verb(_) | Decl::Action(_))) = self.names.get(name)
        {
            let help = match decl {
                Decl::Verb(_) => format!("a verb is performed without `do`: `{name} ...`"),
                _ => format!("an action is offered: `choose action {name}`"),
            };
            let message = format!("`{name}` is {}, and `do` is for the effects of cards", decl.noun());
            self.report(Diagnostic::new(Code::NothingToDo, target.span, message).help(help));
            return None;
        }
        let expr = self.expr(body, target);
        if expr.ty == Ty::Error {
            return None;
        }
        let (ExprKind::Prop(of, field), Ty::Effect(params)) = (expr.kind, &expr.ty) else {
            self.nothing_to_do(&expr.ty, target.span);
            return None;
        };
        self.note_effect(body, field, target.span);
        if params.len() != args.len() {
            let name = self.prop_name(field).to_owned();
            let declared = self.prop_span(field).unwrap_or_default();
            self.wrong_arity(&name, what.span, declared, params.len(), args.len());
            return None;
        }
        let args = params.iter().zip(args).map(|(ty, arg)| self.expr_of(body, arg, ty)).collect();
        // What the effect asks is asked of them, so it can no more be tried out than a question to them.
        let by = by.and_then(|by| self.chooser(body, Some(by), what.span.to(by.span)));
        Some(StmtKind::Do { of: *of, field, args, by })
    }

    fn nothing_to_do(&mut self, ty: &Ty, span: Span) {
        let found = match ty {
            // It was read in another way than as the field of one card.
            Ty::Effect(_) => Diagnostic::new(Code::NothingToDo, span, "an effect is done where it is printed")
                .help("name the card: `do c.use`"),
            ty if matches!(ty.element(), Ty::Effect(_)) => {
                Diagnostic::new(Code::NothingToDo, span, "effects are done one by one")
                    .help("go through the cards: `each c in ... { do c.use }`")
            }
            ty => {
                let message = format!("only effects can be done, and this is {}", self.type_name(ty));
                Diagnostic::new(Code::NothingToDo, span, message)
                    .help("a verb is performed without `do`; an effect is a field: `do c.use`")
            }
        };
        self.report(found);
    }

    /// Checks the setup and the flow.
    pub(super) fn check_flow(&mut self) {
        let setups = self.items.setups.clone();
        let flows = self.items.flows.clone();
        self.rules.setup = self.main_block("setup", &setups);
        self.rules.flow = self.main_block("flow", &flows);
        if flows.is_empty() {
            let span = self.game_package().map_or(Span::default(), |package| package.header.span);
            let found = Diagnostic::new(Code::NoFlow, span, "this game has no `flow`")
                .help("add `flow { turns turn from seat(1) { ... } }`");
            self.report(found);
        }
        self.check_score();
    }

    fn main_block(&mut self, name: &str, blocks: &[(&ast::Block, Span)]) -> Option<super::rules::ProcId> {
        let ((block, span), rest) = blocks.split_first()?;
        for (_, other) in rest {
            let found = Diagnostic::new(Code::SecondFlow, *other, format!("there is a second `{name}`"))
                .label(*span, "the first is here");
            self.report(found);
        }
        let mut body = Body::new(name, ProcRole::Flow, *span);
        body.me = false;
        let stmts = self.block(&mut body, block);
        Some(self.finish_block(body, stmts))
    }

    /// `define score(p: player)` is what `end game` compares.
    fn check_score(&mut self) {
        let Some(Decl::Define(index)) = self.names.get("score").copied() else { return };
        let Some(super::check::DefineState::Done { proc, params, ty }) = self.defines.get(index).cloned() else {
            return;
        };
        let by_player = matches!(params.as_slice(), [(_, param)] if param.ty == Ty::Player);
        let comparable =
            matches!(ty.bare(), Ty::Number | Ty::Error) || matches!(&ty, Ty::List(inner) if **inner == Ty::Number);
        if by_player && comparable {
            self.rules.score = Some(proc);
            return;
        }
        let span = self.items.defines.get(index).map_or(Span::default(), |define| define.name.span);
        let found =
            Diagnostic::new(Code::BadScore, span, "`score` takes a player and gives a number or a list of numbers")
                .help("write `define score(p: player): number = ...`");
        self.report(found);
        debug_assert!(matches!(self.rules.procs.get(proc.index()).map(|proc| &proc.body), Some(ProcBody::Expr(_))));
    }
}

/// What makes of `steal(c, p)` the call of a verb: each argument stands behind the preposition of its parameter.
fn unlisted(verb: &Ident, args: &[ast::Expr], params: &[VerbParam], whole: Span) -> Option<Vec<(Span, String)>> {
    if args.len() > params.len() || args.is_empty() {
        return None;
    }
    let mut edits = Vec::new();
    let mut end = verb.span.end;
    for (arg, param) in args.iter().zip(params) {
        let before = Span { start: end, end: arg.span.start, ..verb.span };
        edits.push((before, param.prep.map_or(" ".to_owned(), |prep| format!(" {} ", prep.word()))));
        end = arg.span.end;
    }
    edits.push((Span { start: end, end: whole.end, ..verb.span }, String::new()));
    Some(edits)
}

/// How a verb is called with these arguments, if they are short.
fn listed_form(verb: &Ident, args: &[ast::Expr], params: &[VerbParam]) -> Option<String> {
    let given = |(arg, param): (&ast::Expr, &VerbParam)| {
        let arg = super::single::written(arg)?;
        Some(param.prep.map_or_else(|| arg.clone(), |prep| format!("{} {arg}", prep.word())))
    };
    let words: Vec<String> = args.iter().zip(params).map(given).collect::<Option<_>>()?;
    (args.len() <= params.len()).then(|| format!("{} {}", verb.text, words.join(" ")))
}

/// How a verb is called, with the names of its parameters as arguments.
fn verb_form(name: &str, params: &[VerbParam]) -> String {
    let args = params.iter().map(|param| match param.prep {
        Some(prep) => format!("{} {}", prep.word(), param.name),
        None => param.name.clone(),
    });
    std::iter::once(name.to_owned()).chain(args).collect::<Vec<_>>().join(" ")
}
