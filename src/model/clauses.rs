//! Clauses: hooks, modifiers, checks and what becomes so; on rules, on kinds and cards, and armed in bodies.

use super::body::{Body, Place};
use super::check::Checker;
use super::collect::{BUILTIN_NAMES, Decl};
use super::rules::{
    ArmSpan, Clause, ClauseHome, ClauseId, ClauseKind, EntryId, Expr, GroupId, HookEvent, KindId, LocalId, ProcId,
    ProcRole, PropClass, PropId, SpanId, StmtKind, Ty,
};
use super::walk;
use crate::base::{Code, Diagnostic, Span};
use crate::syntax::ast::{self, EventPattern, Ident, Prep, Stage};

/// Where a clause is written.
pub(super) enum Home<'h> {
    Group(GroupId),
    Kind(KindId),
    Entry(EntryId, &'h [String]),
    /// In a body, whose visible locals may be captured.
    Armed(&'h Body, Vec<(String, LocalId)>),
}

/// What a hook waits for, with the names its pattern gives.
struct Event {
    event: HookEvent,
    /// By parameter: the name, where the pattern gives one.
    names: Vec<Option<Ident>>,
}

impl Checker<'_> {
    /// Checks the clauses of all rules.
    pub(super) fn check_groups(&mut self) {
        for (index, (when, clauses)) in std::mem::take(&mut self.items.groups).into_iter().enumerate() {
            let id = GroupId(index as u32);
            let when = when.map(|when| {
                let mut body = Self::pure("when", when.span);
                body.me = false;
                let expr = self.flag(&mut body, when);
                self.finish_expr(body, expr)
            });
            let clauses = clauses.iter().filter_map(|clause| self.clause(clause, Home::Group(id))).collect();
            if let Some(group) = self.rules.groups.get_mut(index) {
                group.when = when;
                group.clauses = clauses;
            }
        }
    }

    /// Checks one clause and adds it.
    pub(super) fn clause(&mut self, written: &ast::Clause, home: Home<'_>) -> Option<ClauseId> {
        let (kind, first) = match &written.kind {
            ast::ClauseKind::Hook { .. } => self.hook(written, &home)?,
            ast::ClauseKind::Becomes { next, announced, cond, body } => {
                let cond = self.clause_flag(&home, cond);
                let body = self.clause_block(&home, body);
                (ClauseKind::Becomes { next: *next, announced: *announced, cond, body }, 0)
            }
            ast::ClauseKind::Modify { stat, of, to, value, when } => {
                (self.modify(&home, stat, of, *to, value, when.as_ref(), written.span)?, 0)
            }
            ast::ClauseKind::Check { cond, body } => {
                let cond = self.clause_flag(&home, cond);
                let body = self.clause_block(&home, body);
                (ClauseKind::Check { cond, body }, 0)
            }
        };
        let captures = match &home {
            Home::Armed(_, captured) => captured
                .iter()
                .enumerate()
                .map(|(index, (_, outer))| (*outer, LocalId((first + index) as u32)))
                .collect(),
            _ => Vec::new(),
        };
        let home = match home {
            Home::Group(id) => ClauseHome::Rule(id),
            Home::Kind(id) => ClauseHome::Kind(id),
            Home::Entry(id, _) => ClauseHome::Entry(id),
            Home::Armed(..) => ClauseHome::Armed,
        };
        let id = ClauseId(self.rules.clauses.len() as u32);
        self.rules.clauses.push(Clause { home, kind, captures, span: written.span });
        Some(id)
    }

    /// A procedure of a clause: the event's parameters first, then what is captured.
    fn clause_body(&self, home: &Home<'_>, name: &str, role: ProcRole, span: Span, event: Option<&Event>) -> Body {
        let mut body = Body::new(name, role, span);
        match home {
            // Nobody in particular acts where no event is at hand.
            Home::Group(_) => body.me = event.is_some(),
            Home::Kind(kind) => {
                body = body.with_this(Some(Ty::Entity(*kind)));
                if role == ProcRole::Pure {
                    body = body.with_subject();
                }
            }
            Home::Entry(entry, supersedes) => {
                let kind = self.rules.entries.get(entry.index()).map(|entry| entry.kind);
                body = body.with_this(kind.map(Ty::Entity));
                body.supersedes = supersedes.to_vec();
            }
            Home::Armed(outer, _) => {
                body = body.with_this(outer.this.clone());
                body.supersedes.clone_from(&outer.supersedes);
            }
        }
        if let Some(event) = event {
            body.event = true;
            match event.event {
                HookEvent::Verb(verb) => {
                    let name = |index: usize| event.names.get(index).cloned().flatten().map(|name| name.text);
                    self.verb_frame(&mut body, verb, name);
                }
                HookEvent::Span(..) => {
                    let name = event.names.first().cloned().flatten();
                    let text = name.as_ref().map_or("", |name| name.text.as_str());
                    body.param(text, Ty::Player, name.as_ref().map_or(span, |name| name.span), name.is_some());
                }
            }
        }
        if let Home::Armed(outer, captured) = home {
            for (name, local) in captured {
                let ty = outer.type_of(Place::Local(*local));
                let span = outer.local(*local).map_or(span, |local| local.span);
                let hidden = event.is_some_and(|event| event.names.iter().flatten().any(|own| own.text == *name));
                body.param(name, ty, span, !hidden);
            }
        }
        body
    }

    fn clause_flag(&mut self, home: &Home<'_>, written: &ast::Expr) -> ProcId {
        let mut body = self.clause_body(home, "condition", ProcRole::Pure, written.span, None);
        let expr = self.flag(&mut body, written);
        self.finish_expr(body, expr)
    }

    fn clause_block(&mut self, home: &Home<'_>, written: &ast::Block) -> ProcId {
        let mut body = self.clause_body(home, "clause", ProcRole::Effect, written.span, None);
        let stmts = self.block(&mut body, written);
        self.finish_block(body, stmts)
    }

    fn hook(&mut self, written: &ast::Clause, home: &Home<'_>) -> Option<(ClauseKind, usize)> {
        let ast::ClauseKind::Hook { next, announced, may, stage, even_gone, event: pattern, cond, body } =
            &written.kind
        else {
            return None;
        };
        let event = self.event(pattern)?;
        let params = event.names.len();
        self.check_hook_form(*stage, body.as_ref(), written.span, &event);
        let mut facts = Vec::new();
        let cond = cond.as_ref().map(|cond| {
            let mut inner = self.clause_body(home, "condition", ProcRole::Pure, cond.span, Some(&event));
            let expr = self.flag(&mut inner, cond);
            // What the condition says of parameters is so in the body.
            facts = self.facts_of(&expr);
            self.finish_expr(inner, expr)
        });
        let body = body.as_ref().map(|block| {
            let mut inner = self.clause_body(home, stage_word(*stage), ProcRole::Effect, block.span, Some(&event));
            inner.facts = facts;
            if let (Stage::Instead, HookEvent::Verb(verb)) = (stage, event.event) {
                inner.instead = Some(verb);
            }
            let stmts = self.block(&mut inner, block);
            self.finish_block(inner, stmts)
        });
        let (next, announced, may, stage, even_gone) = (*next, *announced, *may, *stage, *even_gone);
        Some((ClauseKind::Hook { next, announced, may, stage, even_gone, event: event.event, cond, body }, params))
    }

    fn check_hook_form(&mut self, stage: Stage, body: Option<&ast::Block>, span: Span, event: &Event) {
        match (stage, body) {
            (Stage::Cannot, Some(body)) => {
                let found =
                    Diagnostic::new(Code::PatternMismatch, body.span, "a `cannot` does nothing: it only forbids")
                        .help("write `instead` to do something else in its place");
                self.report(found);
            }
            (Stage::Cannot, None) | (_, Some(_)) => {}
            (stage, None) => {
                let found = Diagnostic::new(
                    Code::PatternMismatch,
                    span,
                    format!("`{}` does not say what happens", stage_word(stage)),
                )
                .help("add `{ ... }`");
                self.report(found);
            }
        }
        if let HookEvent::Span(edge, _) = event.event
            && matches!(stage, Stage::Instead)
        {
            let word = if edge == ast::Edge::Start { "start" } else { "end" };
            let found = Diagnostic::new(
                Code::PatternMismatch,
                span,
                format!("the {word} of a turn or phase cannot be replaced"),
            )
            .help("use `before` or `after`");
            self.report(found);
        }
    }

    /// What a pattern waits for.
    fn event(&mut self, pattern: &EventPattern) -> Option<Event> {
        if let Some(edge) = pattern.edge {
            let Some(span) = self.span_named(&pattern.verb) else {
                self.unknown_span(&pattern.verb);
                return None;
            };
            if let Some((_, name)) = pattern.args.first() {
                let found = Diagnostic::new(Code::PatternMismatch, name.span, "a turn has only a player")
                    .help(format!("write `of p`: `end of {} of p`", pattern.verb.text));
                self.report(found);
            }
            if let Some(name) = &pattern.first {
                let word = if edge == ast::Edge::Start { "start" } else { "end" };
                self.check_pattern_name(name, "p", || format!("{word} of {} of p", pattern.verb.text));
            }
            return Some(Event { event: HookEvent::Span(edge, span), names: vec![pattern.first.clone()] });
        }
        let Some(id) = self.verb_named(&pattern.verb.text) else {
            self.hook_unknown_verb(&pattern.verb);
            return None;
        };
        let (params, declared) = self.rules.verbs.get(id.index()).map(|verb| (verb.params.clone(), verb.span))?;
        let mut names: Vec<Option<Ident>> = vec![None; params.len()];
        let labelled = pattern
            .first
            .iter()
            .map(|name| (None, name))
            .chain(pattern.args.iter().map(|(prep, name)| (Some(*prep), name)));
        for (prep, name) in labelled {
            let own = params.iter().find(|param| param.prep == prep).map_or("x", |param| param.name.as_str());
            self.check_pattern_name(name, own, || match prep {
                Some(prep) => format!("{} ... {} {own}", pattern.verb.text, prep.word()),
                None => format!("{} {own}", pattern.verb.text),
            });
            if names.iter().flatten().any(|other| other.text == name.text) {
                self.error(Code::NameClash, name.span, format!("`{}` is bound twice in this pattern", name.text));
            }
            match params.iter().position(|param| param.prep == prep).and_then(|place| names.get_mut(place)) {
                Some(slot @ None) => *slot = Some(name.clone()),
                Some(Some(_)) => {
                    let word = prep.map_or("", Prep::word);
                    self.error(Code::PatternMismatch, name.span, format!("`{word}` stands twice in this pattern"));
                }
                None => {
                    let message = match prep {
                        Some(prep) => format!("`{}` has no `{}`", pattern.verb.text, prep.word()),
                        None => format!("`{}` has no first argument without a preposition", pattern.verb.text),
                    };
                    let found =
                        Diagnostic::new(Code::PatternMismatch, name.span, message).label(declared, "declared here");
                    self.report(found);
                }
            }
        }
        Some(Event { event: HookEvent::Verb(id), names })
    }

    /// Reports a name that a pattern cannot bind. A built-in one was meant as a condition.
    fn check_pattern_name(&mut self, name: &Ident, own: &str, form: impl Fn() -> String) {
        let text = name.text.as_str();
        if !BUILTIN_NAMES.contains(&text) {
            return self.check_local_name(name);
        }
        let message = format!("a pattern gives names to what happens, and `{text}` has its meaning already");
        let found = Diagnostic::new(Code::BuiltinName, name.span, message)
            .help(format!("write `{} where {own} = {text}`", form()));
        self.report(found);
    }

    fn hook_unknown_verb(&mut self, name: &Ident) {
        let mut found = match self.names.get(&name.text) {
            Some(Decl::Span(_)) => {
                Diagnostic::new(Code::HookUnknownVerb, name.span, format!("`{}` is a turn or phase", name.text))
                    .help(format!("wait for one of its edges: `start of {0}` or `end of {0}`", name.text))
            }
            Some(decl) => Diagnostic::new(
                Code::HookUnknownVerb,
                name.span,
                format!("`{}` is {}, not a verb", name.text, decl.noun()),
            ),
            None => Diagnostic::new(Code::HookUnknownVerb, name.span, format!("no verb `{}` is declared", name.text)),
        };
        if found.help.is_none() {
            found = self.or_declared(found, &name.text, "verbs", |decl| matches!(decl, Decl::Verb(_)));
        }
        self.report(found);
    }

    fn unknown_span(&mut self, name: &Ident) {
        let found = Diagnostic::new(Code::UnknownSpan, name.span, format!("there is no turn or phase `{}`", name.text));
        let found = self.suggest(found, &name.text, self.rules.spans.iter().map(|span| span.name.as_str()));
        self.report(found);
    }

    #[expect(clippy::too_many_arguments, reason = "the parts of one clause")]
    fn modify(
        &mut self,
        home: &Home<'_>,
        stat: &Ident,
        of: &ast::Expr,
        to: bool,
        value: &ast::Expr,
        when: Option<&ast::Expr>,
        span: Span,
    ) -> Option<ClauseKind> {
        let mut inner = self.clause_body(home, "of", ProcRole::Pure, of.span, None);
        let expr = self.expr(&mut inner, of);
        let owner = expr.ty.element().bare().clone();
        // Whom it modifies is asked as a set.
        let expr = if matches!(expr.ty, Ty::List(_)) { self.coerce(expr, &owner.clone().set()) } else { expr };
        let of_proc = self.finish_expr(inner, expr);
        let when = when.map(|when| self.clause_flag(home, when));
        let id = self.stat_of(&owner, stat);
        let ty = id.map_or(Ty::Error, |id| self.prop_type(id));
        let mut inner = self.clause_body(home, "value", ProcRole::Pure, value.span, None);
        let declared = id.and_then(|id| self.prop_span(id)).map(|span| (span, "declared here"));
        let written = self.expr_in(&mut inner, value, Some(&ty));
        let expr: Expr = self.coerce_for(written, &ty, declared);
        let value = self.finish_expr(inner, expr);
        if !to && !matches!(ty, Ty::Number | Ty::Set(_) | Ty::Error) {
            let message = format!("`by` adds to numbers and sets, and `{}` is {}", stat.text, self.type_name(&ty));
            let found =
                Diagnostic::new(Code::ModifyMismatch, span, message).help("write `to` to give it another value");
            self.report(found);
        }
        Some(ClauseKind::Modify { stat: id?, of: of_proc, to, value, when })
    }

    /// The stat of a name that entities or players of a type have.
    fn stat_of(&mut self, owner: &Ty, name: &Ident) -> Option<PropId> {
        let found = match owner {
            Ty::Entity(kind) => self.kind_prop(*kind, &name.text),
            Ty::Player => self.player_prop(&name.text),
            Ty::Error => return None,
            _ => None,
        };
        let Some(id) = found else {
            let message = format!("{} has no stat `{}`", self.type_name(owner), name.text);
            let found = Diagnostic::new(Code::NotAStat, name.span, message);
            let found = self.suggest_member(found, &name.text, owner);
            self.report(found);
            return None;
        };
        let prop = self.rules.props.get(id.index())?;
        if !matches!(prop.class, PropClass::Stat { .. }) {
            let mut found = Diagnostic::new(
                Code::NotAStat,
                name.span,
                format!("`{}` is no stat, so it cannot be modified", name.text),
            )
            .help("counters and marks are changed with `set`; a `stat` can be worked out from a field");
            if let Some(span) = self.prop_span(id) {
                found = found.label(span, "declared here");
            }
            self.report(found);
            return None;
        }
        Some(id)
    }

    /// `arm SPAN { clauses }`
    pub(super) fn arm(
        &mut self,
        body: &mut Body,
        written: &ast::ArmSpan,
        clauses: &[ast::Clause],
        span: Span,
    ) -> Option<StmtKind> {
        let mut mentioned = walk::mentioned(clauses);
        if let ast::ArmSpan::While(cond) = written {
            mentioned.extend(walk::mentioned_by(cond));
        }
        let mut captured: Vec<(String, LocalId)> = Vec::new();
        for (name, local) in body.names() {
            if mentioned.contains(name) {
                captured.retain(|(other, _)| other != name);
                captured.push((name.to_owned(), local));
            }
        }
        body.used.extend(captured.iter().map(|(_, local)| *local));
        let arm_span = match written {
            ast::ArmSpan::WhileHere => {
                if body.this.is_none() {
                    let found = Diagnostic::new(
                        Code::NoSource,
                        span,
                        "this does not say how long it lasts, and stands on no card",
                    )
                    .help("add `until end of ...`, `while ...` or `for good`");
                    self.report(found);
                }
                Some(ArmSpan::WhileHere)
            }
            ast::ArmSpan::EndOf(name) => self.arm_span(name).map(ArmSpan::EndOf),
            ast::ArmSpan::StartOf(name, player) => {
                let player = self.expr_of(body, player, &Ty::Player);
                self.arm_span(name).map(|span| ArmSpan::StartOf(span, player))
            }
            ast::ArmSpan::While(cond) => {
                let home = Home::Armed(body, captured.clone());
                Some(ArmSpan::While(self.clause_flag(&home, cond)))
            }
            ast::ArmSpan::ForGood => Some(ArmSpan::ForGood),
        };
        let outer = body.clone();
        let ids: Vec<ClauseId> =
            clauses.iter().filter_map(|clause| self.clause(clause, Home::Armed(&outer, captured.clone()))).collect();
        Some(StmtKind::Arm { span: arm_span?, clauses: ids })
    }

    fn arm_span(&mut self, name: &Ident) -> Option<SpanId> {
        let found = self.span_named(name);
        if found.is_none() {
            self.unknown_span(name);
        }
        found
    }
}

/// How a stage is written.
fn stage_word(stage: Stage) -> &'static str {
    match stage {
        Stage::Cannot => "cannot",
        Stage::Instead => "instead",
        Stage::Before => "before",
        Stage::After => "after",
    }
}
