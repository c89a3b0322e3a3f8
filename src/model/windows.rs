//! Windows, in which one seat after the other may respond, and the statement that opens them.

use super::body::{Body, Callee};
use super::check::{Checker, broken};
use super::collect::{Decl, WindowItem};
use super::hidden;
use super::rules::{Expr, ProcRole, Respond, Stmt, StmtKind, Ty, WindowId};
use crate::base::{Code, Diagnostic, Span};
use crate::syntax::ast::{self, Ident, WindowPart};

impl Checker<'_> {
    /// Checks the bodies of all windows.
    pub(super) fn check_windows(&mut self) {
        for (index, item) in self.items.windows.clone().into_iter().enumerate() {
            let mut body = Body::new(item.name.text.clone(), ProcRole::Verb, item.span);
            for (name, declared) in self.window_params.get(index).cloned().unwrap_or_default() {
                body.param(&name.text, declared.ty, name.span, true);
            }
            let respond = self.respond(&mut body, &item);
            let stmts = vec![Stmt { kind: StmtKind::Respond(Box::new(respond)), span: item.span }];
            let proc = self.finish_block(body, stmts);
            if let Some(window) = self.rules.windows.get_mut(index) {
                window.body = proc;
            }
        }
    }

    fn respond(&mut self, body: &mut Body, item: &WindowItem<'_>) -> Respond {
        // Who is asked, and for how long, does not depend on who is being asked.
        body.me = false;
        let from = self.expr_of(body, item.from, &Ty::Player);
        let among = item.among.map(|among| self.expr_of(body, among, &Ty::Player.set()));
        let until = item.until.map(|until| self.flag(body, until));
        body.me = true;
        body.suspends(item.span, "window");
        self.question_or_card(item.until.or(item.among).unwrap_or(item.from), item.prompt);
        let prompt = item.prompt.map(|prompt| self.template(body, prompt));
        let mut silent: Option<Expr> = None;
        let (mut acts, mut quiet, mut beside) = (Vec::new(), Vec::new(), Vec::new());
        let mut named = false;
        for part in item.parts {
            match part {
                WindowPart::Silent(cond) => {
                    let cond = self.passed_over(body, cond);
                    if let Some(first) = &silent {
                        let found = Diagnostic::new(Code::Duplicate, cond.span, "this window already has a `silent`")
                            .label(first.span, "first given here")
                            .help("join the two with `or`");
                        self.report(found);
                    }
                    silent = Some(cond);
                }
                WindowPart::Acts { aside, quiet: quietly, acts: written } => {
                    named = true;
                    let found = self.acts(body, written);
                    quiet.resize(quiet.len() + found.len(), *quietly);
                    beside.resize(beside.len() + found.len(), *aside);
                    acts.extend(found);
                }
            }
        }
        if !named {
            let message = format!("`{}` lists no action with which anybody could respond", item.name.text);
            self.error(Code::EmptyWindow, item.name.span, message);
        }
        Respond { from, among, until, silent, prompt, acts, quiet, aside: beside }
    }

    /// The condition under which a seat is not asked. All seats notice that it is not, so it tells what it depends on.
    fn passed_over(&mut self, body: &mut Body, cond: &ast::Expr) -> Expr {
        let cond = self.flag(body, cond);
        if let Some((span, zone)) = hidden::told(&self.rules, &cond) {
            let message = format!("who is passed over would tell {}", hidden::told_words(zone.as_ref()));
            let found = Diagnostic::new(Code::HiddenFact, span, message)
                .help("ask the seat: it can pass, and `P` in play passes by itself until something changes");
            self.report(found);
            return broken(cond.span);
        }
        cond
    }

    /// `open WINDOW(args)`
    pub(super) fn open(&mut self, body: &mut Body, name: &Ident, args: &[ast::Expr], span: Span) -> Option<StmtKind> {
        body.suspends(span, "open");
        body.irrevocable.get_or_insert((span, "open"));
        let Some(Decl::Window(window)) = self.names.get(&name.text).copied() else {
            self.unknown_window(name);
            return None;
        };
        self.means(name);
        self.uses.windows.insert(window);
        body.calls(Callee::Window(window), name.span);
        let args = self.window_arguments(body, window, name, args);
        Some(StmtKind::Open { window, args })
    }

    /// `open again`: where no window can be open around it, it is a mistake.
    pub(super) fn open_again(&mut self, body: &Body, span: Span) {
        let message = if self.items.windows.is_empty() {
            "this game has no windows"
        } else if body.role == ProcRole::Flow {
            "no window is open here"
        } else {
            return;
        };
        let found = Diagnostic::new(Code::NoOpenWindow, span, message)
            .help("`open again` belongs into what is done in a window: an action of it, or what comes of an offer");
        self.report(found);
    }

    fn window_arguments(&mut self, body: &mut Body, id: WindowId, name: &Ident, args: &[ast::Expr]) -> Vec<Expr> {
        let params = self.window_params.get(id.index()).cloned().unwrap_or_default();
        let declared = self.items.windows.get(id.index()).map_or(Span::default(), |item| item.name.span);
        self.plain_arguments(body, name, (&params, declared), args)
    }

    /// Reports a name that is no window.
    fn unknown_window(&mut self, name: &Ident) {
        let message = match self.names.get(&name.text) {
            Some(decl) => format!("`{}` is {}, not a window", name.text, decl.noun()),
            None => format!("there is no window `{}`", name.text),
        };
        let mut found = Diagnostic::new(Code::UnknownWindow, name.span, message);
        if let Some(best) = self.nearest_of(&name.text, |decl| matches!(decl, Decl::Window(_))) {
            found = found.did_you_mean(best);
        }
        self.report(found);
    }
}
