//! Clauses: hooks, modifiers, checks and what becomes so; on rules, on kinds and cards, and armed in bodies.

use super::body::{Body, Place};
use super::check::Checker;
use super::collect::{BUILTIN_NAMES, Decl};
use super::index::Sort;
use super::members::the_game;
use super::rules::{
    ArmSpan, Clause, ClauseHome, ClauseId, ClauseKind, EntryId, Expr, ExprKind, GroupId, HookEvent, Key, KindId,
    LocalId, ProcId, ProcRole, PropClass, PropId, Sight, SpanId, StmtKind, Ty,
};
use super::walk;
use crate::base::{Code, Diagnostic, Span, listed};
use crate::syntax::ast::{self, EventPattern, Ident, Prep, Stage};

/// Where a clause is written.
pub(super) enum Home<'h> {
    Group(GroupId),
    Kind(KindId),
    Entry(EntryId, &'h [String]),
    /// In a body, whose visible locals may be captured.
    Armed(&'h Body, Vec<(String, LocalId)>),
}

/// What a `modify` says of a stat.
struct Modified<'w> {
    stat: &'w Ident,
    /// The key of the one value that is modified.
    at: Option<&'w ast::Expr>,
    to: bool,
    value: &'w ast::Expr,
    when: Option<&'w ast::Expr>,
    span: Span,
}

/// What a hook waits for, with the names its pattern gives.
pub(super) struct Event {
    pub event: HookEvent,
    /// By parameter: the name, where the pattern gives one.
    names: Vec<Option<Ident>>,
}

/// Begins the name of what a pattern in which `me` or `this` stands waits for: nobody can write it.
const OWN: &str = "what is ";

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
            let clauses = clauses.iter().flat_map(|clause| self.clause(clause, &Home::Group(id))).collect();
            if let Some(group) = self.rules.groups.get_mut(index) {
                group.when = when;
                group.clauses = clauses;
            }
        }
    }

    /// Checks one clause and adds it; one that modifies a table is one for each of its keys.
    pub(super) fn clause(&mut self, written: &ast::Clause, home: &Home<'_>) -> Vec<ClauseId> {
        let next = matches!(
            written.kind,
            ast::ClauseKind::Hook { next: true, .. } | ast::ClauseKind::Becomes { next: true, .. }
        );
        if next && !matches!(home, Home::Armed(..)) {
            let found = Diagnostic::new(Code::NextStands, written.span, "this always stands, so it cannot work once")
                .help("arm it, where it begins to wait: `arm for good { next ... }`");
            self.report(found);
        }
        let (kinds, first) = match &written.kind {
            ast::ClauseKind::Hook { .. } => match self.hook(written, home) {
                Some((kind, first)) => (vec![kind], first),
                None => (Vec::new(), 0),
            },
            ast::ClauseKind::Becomes { next, announced, cond, body } => {
                let cond = self.clause_flag(home, cond);
                let body = self.clause_block(home, body);
                (vec![ClauseKind::Becomes { next: *next, announced: *announced, cond, body }], 0)
            }
            ast::ClauseKind::Modify { stat, at, of, to, value, when } => {
                let modified =
                    Modified { stat, at: at.as_ref(), to: *to, value, when: when.as_ref(), span: written.span };
                (self.modify(home, of, &modified), 0)
            }
            ast::ClauseKind::Check { cond, body } => {
                let cond = self.clause_flag(home, cond);
                let body = self.clause_block(home, body);
                (vec![ClauseKind::Check { cond, body }], 0)
            }
        };
        let captures: Vec<(LocalId, LocalId)> = match home {
            Home::Armed(_, captured) => captured
                .iter()
                .enumerate()
                .map(|(index, (_, outer))| (*outer, LocalId((first + index) as u32)))
                .collect(),
            _ => Vec::new(),
        };
        let home = match home {
            Home::Group(id) => ClauseHome::Rule(*id),
            Home::Kind(id) => ClauseHome::Kind(*id),
            Home::Entry(id, _) => ClauseHome::Entry(*id),
            Home::Armed(..) => ClauseHome::Armed,
        };
        let mut ids = Vec::with_capacity(kinds.len());
        for kind in kinds {
            ids.push(ClauseId(self.rules.clauses.len() as u32));
            self.rules.clauses.push(Clause {
                home,
                kind,
                captures: captures.clone(),
                keeps: Sight::Open,
                folded: false,
                span: written.span,
            });
        }
        ids
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
                    let name = |index: usize| event.names.get(index).cloned().flatten();
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
                body.named_at(outer.declared(name).unwrap_or_default());
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
        let (pattern, cond) = with_own(pattern, cond.as_ref(), matches!(home, Home::Armed(..)));
        let event = self.event(&pattern)?;
        let params = event.names.len();
        if let Home::Armed(outer, _) = home {
            for name in event.names.iter().flatten() {
                let Some((_, local)) = outer.names().into_iter().find(|(own, _)| *own == name.text) else { continue };
                let outer = outer.local(local);
                let text = &name.text;
                let message = format!("`{text}` is a name already, and a pattern gives names of its own");
                let mut found = Diagnostic::new(Code::NameClash, name.span, message)
                    .help(format!("give it another: `x where x = {text}` waits for that one, `x` for any"));
                if let Some(local) = outer {
                    found = found.label(local.span, "named here");
                }
                self.report(found);
            }
        }
        self.check_hook_form(*stage, body.as_ref(), written.span, &event);
        let (mut facts, before) = (Vec::new(), self.diagnostics.len());
        let cond = cond.as_ref().map(|cond| {
            let mut inner = self.clause_body(home, "condition", ProcRole::Pure, cond.span, Some(&event));
            let expr = self.flag(&mut inner, cond);
            // What the condition says of parameters is so in the body.
            facts = self.facts_of(&expr);
            self.finish_expr(inner, expr)
        });
        let body = body.as_ref().map(|block| {
            let name = match event.event {
                HookEvent::Verb(verb) => format!("{} {}", stage_word(*stage), self.rules.verbs[verb.index()].name),
                _ => stage_word(*stage).to_owned(),
            };
            let within = matches!((stage, event.event), (Stage::Instead | Stage::Before, HookEvent::Verb(_)));
            let role = if within { ProcRole::Verb } else { ProcRole::Effect };
            let mut inner = self.clause_body(home, &name, role, block.span, Some(&event));
            inner.facts = facts;
            if let (Stage::Instead, HookEvent::Verb(verb)) = (stage, event.event) {
                inner.instead = Some(verb);
            }
            let stmts = self.block(&mut inner, block);
            self.finish_block(inner, stmts)
        });
        if let HookEvent::Verb(verb) = event.event {
            self.not_in_pattern(&pattern, verb, before);
        }
        let (next, announced, may, stage, even_gone) = (*next, *announced, *may, *stage, *even_gone);
        Some((ClauseKind::Hook { next, announced, may, stage, even_gone, event: event.event, cond, body }, params))
    }

    /// What the parameters of the verb are called in a clause is said by its pattern: a name that only the verb has is one
    /// that the pattern leaves out.
    fn not_in_pattern(&mut self, pattern: &EventPattern, verb: super::rules::VerbId, before: usize) {
        let Some(declared) = self.rules.verbs.get(verb.index()) else { return };
        let (name, params) = (declared.name.clone(), declared.params.clone());
        for found in self.diagnostics.iter_mut().skip(before) {
            let missing = matches!(found.code, Code::Unbound | Code::UnknownName);
            let text = found.message.split('`').nth(1).unwrap_or("");
            let Some(param) = params.iter().find(|param| missing && param.name == text) else { continue };
            let taken = |word| pattern.args.iter().any(|(prep, _)| *prep == word);
            let part = match param.prep {
                Some(prep) if !taken(prep) => format!("{} {text}", prep.word()),
                None if pattern.first.is_none() => text.to_owned(),
                _ => continue,
            };
            found.message = format!("`{text}` is what `{name}` calls it; here the pattern gives the names");
            let own = params.iter().find(|first| first.prep.is_none() && param.prep.is_some());
            let first =
                pattern.first.as_ref().map_or_else(|| own.map(|own| own.name.as_str()), |name| Some(&name.text));
            let first = first.map_or(String::new(), |first| format!("{first} "));
            found.help = Some(format!("name it in the pattern: `{name} {first}{part}`"));
        }
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
    pub(super) fn event(&mut self, pattern: &EventPattern) -> Option<Event> {
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
                self.names_part(name, &Ty::Player);
            }
            return Some(Event { event: HookEvent::Span(edge, span), names: vec![pattern.first.clone()] });
        }
        let Some(id) = self.verb_named(&pattern.verb.text) else {
            self.hook_unknown_verb(&pattern.verb);
            return None;
        };
        self.means(&pattern.verb);
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
                Some(slot @ None) => {
                    *slot = Some(name.clone());
                    let ty = params.iter().find(|param| param.prep == prep).map_or(Ty::Error, |param| param.ty.clone());
                    self.names_part(name, &ty);
                }
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

    /// Notes the name that a pattern gives to a part of the event; `me` and `this` are no names.
    fn names_part(&self, name: &Ident, ty: &Ty) {
        match name.text.strip_prefix(OWN) {
            Some(own) => self.means_builtin(own.split(' ').next().unwrap_or(own), name.span),
            None => self.declares_local(&name.text, name.span, ty, Sort::Local),
        }
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
        if self.is_asked(&name.text) {
            let verbs = self.names.iter().filter(|(_, decl)| matches!(decl, Decl::Verb(_)));
            self.could_be_named(verbs.map(|(name, _)| name.as_str()));
        }
        let mut found = match self.names.get(&name.text) {
            Some(Decl::Span(_)) => {
                Diagnostic::new(Code::HookUnknownVerb, name.span, format!("`{}` is a turn or phase", name.text))
                    .help(format!("wait for one of its edges: `start of {0}` or `end of {0}`", name.text))
            }
            Some(Decl::Action(_)) => {
                Diagnostic::new(Code::HookUnknownVerb, name.span, format!("`{}` is an action, not a verb", name.text))
                    .help("clauses wait for verbs: declare one, let the action perform it, and wait for that")
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
        let spans = || self.rules.spans.iter().map(|span| span.name.as_str());
        let mut found = self.suggest(found, &name.text, spans());
        if found.help.is_none() && self.may_suggest() && spans().next().is_some() {
            found = found.help(format!("the game has {}", listed(spans())));
        }
        self.report(found);
    }

    fn modify(&mut self, home: &Home<'_>, of: &ast::Expr, modified: &Modified<'_>) -> Vec<ClauseKind> {
        let mut inner = self.clause_body(home, "of", ProcRole::Pure, of.span, None);
        let game = matches!(&of.kind, ast::ExprKind::Name(name) if name == "game");
        if game {
            self.means_builtin("game", of.span);
        }
        // What belongs to the game is the only one of its sort: its stats are asked of a word that stands for it.
        let expr = if game { the_game(of.span) } else { self.expr(&mut inner, of) };
        let owner = (!game).then(|| expr.ty.element().bare().clone());
        // Whom it modifies is asked as a set.
        let expr = match (&expr.ty, &owner) {
            (Ty::List(_), Some(owner)) => self.coerce(expr, &owner.clone().set()),
            _ => expr,
        };
        let of = self.finish_expr(inner, expr);
        let stat = self.stat_of(owner.as_ref(), modified.stat);
        let (items, ty) = match stat {
            Some(id) => (self.items_of_table(id), self.prop_type(id)),
            None => (None, Ty::Error),
        };
        let declared = stat.and_then(|id| self.prop_span(id)).map(|span| (span, "declared here"));
        match (items, modified.at, &ty) {
            (Some(items), at, Ty::Table(key, inner)) => {
                self.modify_table(home, of, (*key, inner, &items), at, modified)
            }
            (None, Some(at), _) if stat.is_some() => {
                let what = self.type_name(&ty);
                let message = format!("only a table has values by key, and `{}` is {what}", modified.stat.text);
                let mut found = Diagnostic::new(Code::WrongType, at.span, message);
                if let Some((span, label)) = declared {
                    found = found.label(span, label);
                }
                self.report(found);
                Vec::new()
            }
            _ => {
                let when = modified.when.map(|when| self.clause_flag(home, when));
                let mut inner = self.clause_body(home, "value", ProcRole::Pure, modified.value.span, None);
                let reported = self.diagnostics.len();
                let written = self.expr_in(&mut inner, modified.value, Some(&ty));
                // What helps elsewhere would mean another number here.
                for found in self.diagnostics.iter_mut().skip(reported).filter(|found| found.code == Code::NoSubject) {
                    let own = "the value is one for all that this modifies, so it may be about `this` and `me`";
                    let stat = &modified.stat.text;
                    (found.help, found.mend) = (
                        Some(format!(
                            "{own}; what each has of its own stands in the formula of the stat, `stat {stat} = ...`"
                        )),
                        None,
                    );
                }
                let value = self.coerce_for(written, &ty, declared);
                let value = self.finish_expr(inner, value);
                self.check_by(modified, &ty);
                let to = modified.to;
                stat.map(|stat| ClauseKind::Modify { stat, of, to, value, when }).into_iter().collect()
            }
        }
    }

    /// `modify price of c by [1 wood]`, `modify price[wood] of c by 1`: a clause for each key.
    fn modify_table(
        &mut self,
        home: &Home<'_>,
        of: ProcId,
        (key, inner, items): (Key, &Ty, &[PropId]),
        at: Option<&ast::Expr>,
        modified: &Modified<'_>,
    ) -> Vec<ClauseKind> {
        let span = modified.value.span;
        let mut body = self.clause_body(home, "value", ProcRole::Pure, span, None);
        let hint = if at.is_some() { inner.clone() } else { Ty::Table(key, Box::new(inner.clone())) };
        let written = self.expr_in(&mut body, modified.value, Some(&hint));
        let whole = at.is_none() && matches!(written.ty, Ty::Table(..) | Ty::Error);
        let value = self.coerce(written, if whole { &hint } else { inner });
        self.check_by(modified, inner);
        let mut cond = self.clause_body(home, "condition", ProcRole::Pure, at.map_or(span, |at| at.span), None);
        let when = modified.when.map(|when| self.flag(&mut cond, when));
        let at = at.map(|at| self.key_expr(&mut cond, key, at));
        if value.ty == Ty::Error || matches!(at, Some(None)) {
            return Vec::new();
        }
        let at = at.flatten();
        let only = at.as_ref().and_then(|at| self.key_index(key, at));
        let values = if whole { self.values_of(&value) } else { vec![value; items.len()] };
        let mut clauses = Vec::new();
        for (index, (stat, value)) in items.iter().zip(values).enumerate() {
            let here = match &at {
                Some(_) if only.is_some() => {
                    if only != Some(index) {
                        continue;
                    }
                    None
                }
                Some(at) => Some(self.is_key(key, index, at)),
                None if matches!(value.kind, ExprKind::Word(0)) && !modified.to => continue,
                None => None,
            };
            let when = match (here, when.clone()) {
                (Some(here), Some(when)) => {
                    let span = when.span;
                    Some(Expr { kind: ExprKind::And(Box::new(here), Box::new(when)), ty: Ty::Flag, span })
                }
                (here, when) => here.or(when),
            };
            let when = when.map(|when| self.finish_expr(cond.clone(), when));
            let value = self.finish_expr(body.clone(), value);
            clauses.push(ClauseKind::Modify { stat: *stat, of, to: modified.to, value, when });
        }
        clauses
    }

    /// Reports a `by` that could add nothing to a stat of a type.
    fn check_by(&mut self, modified: &Modified<'_>, ty: &Ty) {
        if modified.to || matches!(ty, Ty::Number | Ty::Set(_) | Ty::Error) {
            return;
        }
        let message = format!("`by` adds to numbers and sets, and `{}` is {}", modified.stat.text, self.type_name(ty));
        let found = Diagnostic::new(Code::ModifyMismatch, modified.span, message);
        self.report(found.help("write `to` to give it another value"));
    }

    /// The stat of a name that entities or players of a type have, or the game.
    fn stat_of(&mut self, owner: Option<&Ty>, name: &Ident) -> Option<PropId> {
        let found = match owner {
            None => self.game_prop(&name.text),
            Some(Ty::Entity(kind)) => self.kind_prop(*kind, &name.text),
            Some(Ty::Player) => self.player_prop(&name.text),
            Some(Ty::Error) => return None,
            _ => None,
        };
        let Some(id) = found else {
            let whose = owner.map_or("the game".to_owned(), |owner| self.type_name(owner));
            let mut found = Diagnostic::new(Code::NotAStat, name.span, format!("{whose} has no stat `{}`", name.text));
            if let Some(Decl::Define(_)) = self.names.get(&name.text) {
                let help = format!(
                    "`{0}` is a definition, which nothing modifies: add this in it, or declare a stat that it reads, `stat {0}_more: number = 0`",
                    name.text
                );
                found = found.help(help);
            } else if let Some(owner) = owner {
                found = self.suggest_member(found, &name.text, owner);
            }
            self.report(found);
            return None;
        };
        self.means_prop(id, name.span);
        if !matches!(self.class_of(id)?, PropClass::Stat { .. }) {
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
            clauses.iter().flat_map(|clause| self.clause(clause, &Home::Armed(&outer, captured.clone()))).collect();
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

/// A pattern in which `me` or `this` stands waits for what is about them: `after drop this` is `after drop c where c = this`.
/// One that is armed may stand within another: then it has a name of its own.
fn with_own(pattern: &EventPattern, cond: Option<&ast::Expr>, armed: bool) -> (EventPattern, Option<ast::Expr>) {
    let (mut pattern, mut cond) = (pattern.clone(), cond.cloned());
    for name in pattern.first.iter_mut().chain(pattern.args.iter_mut().map(|(_, name)| name)) {
        if !matches!(name.text.as_str(), "me" | "this") {
            continue;
        }
        let span = name.span;
        let expr = |kind| ast::Expr { kind, span };
        let own = expr(ast::ExprKind::Name(name.text.clone()));
        // Nobody can write such a name.
        name.text.insert_str(0, OWN);
        if armed {
            name.text.push_str(&format!(" {}", span.start));
        }
        let given = expr(ast::ExprKind::Name(name.text.clone()));
        let same = expr(ast::ExprKind::Binary(ast::BinaryOp::Eq, Box::new(given), Box::new(own)));
        cond = Some(match cond {
            Some(cond) => {
                let span = cond.span;
                ast::Expr { kind: ast::ExprKind::Binary(ast::BinaryOp::And, Box::new(same), Box::new(cond)), span }
            }
            None => same,
        });
    }
    (pattern, cond)
}
