//! Why a thing cannot be chosen: the first condition of its choice that it does not fulfil, what forbids the call that follows,
//! or what would have to come behind it. And why an action has nothing to begin with. All as far as whoever chooses may know.

use super::super::run::at;
use super::super::state::{FrameKind, PendingKind, State};
use super::super::{Machine, Refusal, words};
use super::decisions::choose_at;
use super::eval::{Answer, Env, Eyes, Slow, Val};
use super::why::{MOST_PARTS, Teller};
use super::word;
use crate::base::Span;
use crate::engine::reference::why::Breakdown;
use crate::model::rules::walk::{each_block, each_in};
use crate::model::rules::{
    ActionId, BinaryOp, Builtin, Choose, ClauseHome, ClauseId, Expr, ExprKind, ProcBody, Qty, Rules, Stmt, StmtKind,
    TemplatePart, Ty,
};
use crate::program::Spot;
use std::sync::Arc;

/// Things that are looked at for one answer.
const MOST_THINGS: usize = 400;
/// Steps of the evaluator for one answer.
const MOST_STEPS: u64 = 400_000;
/// How deep in definitions and statements the reason is looked for.
const DEEPEST: usize = 8;
/// What an action is refused for that has nothing to choose.
pub(crate) const NOTHING: &str = "there is nothing to choose for it";

/// What something is refused for that is not in the set at all.
pub(crate) const NOT_AMONG: &str = "it is not among";
/// What a way through an action fails for that has to be gone to see it.
const NO_WAY: &str = "no way to go on from it would keep to";
/// And for what is of another kind.
pub(crate) const OTHER_SORT: &str = "it is of another sort";

/// A choice that the decision at hand is, or with which an action that it offers begins.
struct Offered<'r> {
    /// The action's words; none for a choice that is made already.
    words: String,
    /// The action, and the place of its arguments.
    action: Option<(ActionId, usize)>,
    choose: &'r Choose,
    /// What follows it.
    rest: &'r [Stmt],
    env: Env,
}

/// Why not, in words; where; and the text that decides, with its values.
type Reason = (String, Span, Option<Breakdown>);

impl Machine {
    /// Why a thing is not offered that the decision at hand could be about. The key is that of the thing, after the words of its
    /// action if there is one.
    pub fn refused(&mut self, state: &State, key: &str) -> Option<Refusal> {
        self.unoffered(state, key, false).into_iter().next()
    }

    /// Why a thing is not offered, for each action that could begin with it. Its action need not be named, or not wholly.
    pub fn left_out(&mut self, state: &State, words: &str) -> Vec<Refusal> {
        self.unoffered(state, words, true)
    }

    fn unoffered(&mut self, state: &State, key: &str, loose: bool) -> Vec<Refusal> {
        if state.over.is_some() {
            return Vec::new();
        }
        let (seat, program) = (u8::try_from(state.pending.seat).ok(), Arc::clone(&self.program));
        self.telling(state, seat, |teller| {
            teller.slow.steps = MOST_STEPS;
            let mut found: Vec<Refusal> = Vec::new();
            for mut offered in teller.offered(&program.rules) {
                for (value, action) in teller.meant(&offered, key, loose) {
                    if let Some((reason, span, decides)) = teller.reason(&mut offered, value) {
                        found.push(Refusal {
                            label: action.clone(),
                            action,
                            reason,
                            span,
                            decides: decides.map(Box::new),
                        });
                    }
                }
            }
            found
        })
    }

    /// A refusal of an action with nothing to choose, with the choice of which that is so.
    pub fn lacking(&mut self, state: &State, refusal: Refusal) -> Refusal {
        if refusal.reason != NOTHING || state.over.is_some() {
            return refusal;
        }
        let (seat, program) = (u8::try_from(state.pending.seat).ok(), Arc::clone(&self.program));
        let found = self.telling(state, seat, |teller| {
            teller.slow.steps = MOST_STEPS;
            let mut offered = teller.offered(&program.rules);
            let mut offered = offered.drain(..).find(|offered| offered.words == refusal.action)?;
            teller.lack(&mut offered)
        });
        match found {
            Some((reason, span, decides)) => Refusal { reason, span, decides: decides.map(Box::new), ..refusal },
            None => refusal,
        }
    }
}

/// That the reason is nothing that the asker sees.
fn unseen() -> Reason {
    ("something forbids it that is not seen".to_owned(), Span::default(), None)
}

/// That what an action ensures does not hold: in its own words, or with the part of the condition that decides.
fn ensured(reason: Option<&str>, span: Span, decides: Option<Breakdown>) -> Reason {
    match reason {
        Some(reason) => (reason.to_owned(), span, None),
        None => (NO_WAY.to_owned(), span, decides),
    }
}

/// What forbids, in words.
fn forbids(rules: &Rules, clause: ClauseId) -> (String, Span) {
    let clause = &rules.clauses[clause.index()];
    let words = match clause.home {
        ClauseHome::Rule(group) => format!("the rule `{}` forbids it", rules.groups[group.index()].name),
        ClauseHome::Entry(entry) => format!("`{}` forbids it", rules.entries[entry.index()].name),
        ClauseHome::Kind(kind) => format!("a `{}` forbids it", rules.kinds[kind.index()].name),
        ClauseHome::Armed => "something that was armed forbids it".to_owned(),
    };
    (words, clause.span)
}

/// The statements of a block from the one that stands there.
fn from(stmts: &[Stmt], span: Span) -> Option<&[Stmt]> {
    if let Some(at) = stmts.iter().position(|stmt| stmt.span == span) {
        return stmts.get(at..);
    }
    let mut found = None;
    for stmt in stmts {
        each_block(stmt, &mut |inner| found = found.or_else(|| from(inner, span)));
    }
    found
}

/// What a choice asks, if that is always the same.
fn asked(choose: &Choose) -> Option<&str> {
    match choose.prompt.as_ref()?.parts.as_slice() {
        [TemplatePart::Text(text)] => Some(text),
        _ => None,
    }
}

impl Teller<'_> {
    /// The choices that the decision at hand could be about.
    fn offered<'r>(&mut self, rules: &'r Rules) -> Vec<Offered<'r>> {
        let (p, st) = (self.slow.p, self.slow.st);
        let Some(frame) = st.frames.last().copied().filter(|frame| frame.kind == FrameKind::Proc) else {
            return Vec::new();
        };
        let event = st.events.get(frame.event as usize).copied();
        let site = st.pending.site as usize;
        let mut found = Vec::new();
        match st.pending.kind {
            PendingKind::Choose => {
                let proc = &rules.procs[frame.proc as usize];
                let choose = choose_at(proc, p.sites.chooses[site].span);
                if let Some((choose, env)) = choose.zip(self.slow.running(&frame)) {
                    let body = if let ProcBody::Block(stmts) = &proc.body { stmts.as_slice() } else { &[] };
                    let at = body.iter().position(|stmt| stmt.span == choose.span);
                    let rest = at.and_then(|at| body.get(at + 1..)).unwrap_or_default();
                    found.push(Offered { words: String::new(), action: None, choose, rest, env });
                }
            }
            PendingKind::Action => {
                let site = &p.sites.actions[site];
                let offered = st.pending.options.iter().map(|choice| choice.branch);
                let mut offered = offered.chain(st.pending.sets.iter().map(|set| set.branch));
                let first = offered.any(|branch| (0..site.first as i32).contains(&branch));
                // What stands behind `else` has not been worked out where something before it can be done.
                let acts = if first { &site.acts[..site.first] } else { &site.acts };
                for (index, act) in acts.iter().enumerate() {
                    let proc = &rules.procs[p.actions[act.action.index()].body.index()];
                    let ProcBody::Block(stmts) = &proc.body else { continue };
                    let args = at(frame.base as usize, act.args);
                    let mut env = self.slow.begun(proc, args);
                    (env.me, env.event) = (word(st.pending.seat), event.filter(|_| site.response.is_none()));
                    let Ok(Some((choose, rest))) = self.first(stmts, &mut env) else { continue };
                    let words = self.run().act_words(site, index);
                    found.push(Offered { words, action: Some((act.action, args)), choose, rest, env });
                }
            }
            _ => {}
        }
        found
    }

    /// The choice that an action begins with, if nothing before it says no.
    fn first<'r>(&mut self, stmts: &'r [Stmt], env: &mut Env) -> Answer<Option<(&'r Choose, &'r [Stmt])>> {
        for (index, stmt) in stmts.iter().enumerate() {
            match &stmt.kind {
                StmtKind::Local { local, value } => env.locals[local.index()] = self.slow.eval(value, env)?,
                StmtKind::Requires { lenient: true, .. } => {}
                StmtKind::Requires { cond, .. } | StmtKind::Ensure { cond, .. } if self.slow.truth(cond, env)? => {}
                StmtKind::Choose(choose) => return Ok(Some((choose, &stmts[index + 1..]))),
                _ => break,
            }
        }
        Ok(None)
    }

    /// The things of which a choice could be that are called so, each with its key.
    fn meant(&mut self, offered: &Offered<'_>, key: &str, loose: bool) -> Vec<(i64, String)> {
        let ty = offered.choose.domain.ty.element().clone();
        let key = key.to_lowercase();
        let own = offered.words.to_lowercase();
        let told = self.run().keys();
        let eyes = words::Eyes::of(self.slow.st.pending.seat);
        let mut found: Vec<(i64, String)> = Vec::new();
        for value in self.things(offered, &ty, &key).into_iter().take(MOST_THINGS) {
            let name = self.run().value_key(value, &ty, eyes);
            let whole = format!("{} {name}", offered.words).trim_start().to_owned();
            let lower = whole.to_lowercase();
            let same = key.strip_prefix(lower.as_str()).is_some_and(|rest| rest.is_empty() || rest.starts_with(" #"));
            let part = key.strip_suffix(name.to_lowercase().as_str()).map(str::trim_end);
            let loosely = loose && part.is_some_and(|part| part.is_empty() || own.starts_with(&format!("{part} ")));
            if (same || loosely) && !told.contains(&whole) && found.iter().all(|(_, other)| *other != whole) {
                found.push((value, whole));
            }
        }
        found
    }

    /// What there is of a type that whoever chooses knows of.
    fn things(&mut self, offered: &Offered<'_>, ty: &Ty, key: &str) -> Vec<i64> {
        match ty.bare() {
            Ty::Entity(_) => {
                let mut found = self.slow.existing(None);
                found.retain(|thing| self.slow.sees(*thing));
                found
            }
            Ty::Player => (0..i64::from(self.slow.st.players)).collect(),
            Ty::Site(board) if self.slow.p.rules.boards[board.index()].endless() => {
                // Of sites without number, the one that is named, on the board at hand.
                let numbers = key.rsplit(' ').next().and_then(|name| name.split_once(','));
                let at = numbers.and_then(|(x, y)| Some((x.parse().ok()?, y.parse().ok()?)));
                let mut env = offered.env.clone();
                let on = self.slow.members(&offered.choose.domain, &mut env).ok();
                let on = on.and_then(|sites| sites.first().map(|site| Spot::of(*site).on)).unwrap_or(0);
                at.and_then(|(x, y)| Spot { on, x, y }.word()).into_iter().collect()
            }
            Ty::Site(board) => (0..self.slow.boards[board.index()].count()).collect(),
            Ty::Number => key.rsplit(' ').next().and_then(|number| number.parse().ok()).into_iter().collect(),
            _ => Vec::new(),
        }
    }

    /// Why a choice does not offer a value.
    fn reason(&mut self, offered: &mut Offered<'_>, value: i64) -> Option<Reason> {
        self.set_secret(false);
        let Offered { choose, rest, env, action, .. } = offered;
        let mut fits = false;
        let found = match self.unfit(&choose.domain, value, env, 0) {
            Ok(None) if matches!(choose.qty, Qty::One) => {
                env.locals[choose.local.index()] = Val::Word(Some(value));
                let ahead = self.ahead(rest, env, 0).ok()?;
                fits = ahead.is_none();
                ahead
            }
            Ok(found) => found,
            Err(_) => None,
        };
        let secret = self.secret();
        self.set_secret(false);
        match secret {
            true => Some(unseen()),
            false if fits => Some(self.behind(*action, value, rest, choose.span)),
            false => found,
        }
    }

    /// Why an action cannot be completed from a value that fits, where something has to be done to see it: it is done, and
    /// what the ways that there are end at is told.
    fn behind(&mut self, action: Option<(ActionId, usize)>, value: i64, rest: &[Stmt], span: Span) -> Reason {
        let ends = self.run().dead_ends(action, value);
        let mut told: Vec<Reason> = Vec::new();
        for end in &ends {
            let Some(reason) = self.dead_end(end) else { continue };
            if told.iter().all(|(words, span, _)| (words, span) != (&reason.0, &reason.1)) {
                told.push(reason);
            }
        }
        if told.len() == 1 {
            return told.remove(0);
        }
        // More ways than are told end differently; one condition behind all of them is still the reason.
        let (mut conds, mut others) = (Vec::new(), false);
        each_in(rest, &mut |stmt| match &stmt.kind {
            StmtKind::Ensure { cond, reason } => conds.push((cond.span, reason)),
            StmtKind::Requires { .. } | StmtKind::Choose(_) => others = true,
            _ => {}
        });
        match conds.as_slice() {
            [(cond, reason)] if !others || told.is_empty() => {
                let decides = self.leaf(None, &Val::Word(Some(0)), &Ty::Flag, *cond);
                ensured(reason.as_deref(), *cond, Some(decides))
            }
            _ => ("it fits, but what must follow cannot be done".to_owned(), span, None),
        }
    }

    /// What does not hold where a way through an action has come to a dead end.
    fn dead_end(&mut self, end: &State) -> Option<Reason> {
        let (seat, boards, p) = (self.seat, self.slow.boards, self.slow.p);
        let slow = Slow {
            p,
            st: end,
            scratch: &mut *self.slow.scratch,
            boards,
            forms: &mut *self.slow.forms,
            eyes: Some(Eyes { seat, secret: false }),
            steps: MOST_STEPS,
            calls: 0,
        };
        let mut there = Teller { slow, copy: end.clone(), seat, left: MOST_PARTS };
        let frame = end.frames.last()?;
        let span = p.spans.get((frame.pc as usize).checked_sub(1)?)?;
        let ProcBody::Block(stmts) = &p.rules.procs.get(frame.proc as usize)?.body else { return None };
        let mut env = there.slow.running(frame)?;
        let found = there.fails(from(stmts, *span)?, &mut env);
        if there.secret() { Some(unseen()) } else { found }
    }

    /// The first of the conditions with which statements begin that does not hold.
    fn fails(&mut self, stmts: &[Stmt], env: &mut Env) -> Option<Reason> {
        for stmt in stmts {
            match &stmt.kind {
                StmtKind::Local { local, value } => env.locals[local.index()] = self.slow.eval(value, env).ok()?,
                StmtKind::Ensure { cond, reason } => {
                    if let Some((_, span, decides)) = self.untrue(cond, env).ok()? {
                        return Some(ensured(reason.as_deref(), span, decides));
                    }
                }
                StmtKind::Requires { cond, reason, .. } => {
                    if !self.slow.truth(cond, env).ok()? {
                        return Some(self.required(cond, reason.as_deref(), env));
                    }
                }
                _ => return None,
            }
        }
        None
    }

    /// That a condition does not hold without which an action does not go on.
    fn required(&mut self, cond: &Expr, reason: Option<&str>, env: &mut Env) -> Reason {
        let words = reason.unwrap_or("what must hold then does not").to_owned();
        let decides = if reason.is_none() { self.node(cond, env, None, 0).ok() } else { None };
        (words, cond.span, decides)
    }

    /// Why an action has nothing to choose.
    fn lack(&mut self, offered: &mut Offered<'_>) -> Option<Reason> {
        self.set_secret(false);
        let Offered { choose, rest, env, .. } = offered;
        let found = match self.slow.members(&choose.domain, env).ok()?.first() {
            Some(first) if matches!(choose.qty, Qty::One) => {
                env.locals[choose.local.index()] = Val::Word(Some(*first));
                self.ahead(rest, env, 0).ok()?
            }
            Some(_) => None,
            None => Some(self.nothing(choose, env)),
        };
        let secret = self.secret();
        self.set_secret(false);
        found.filter(|_| !secret)
    }

    /// That a choice has nothing to choose from.
    fn nothing(&mut self, choose: &Choose, env: &mut Env) -> Reason {
        let reason = match asked(choose) {
            Some(question) => format!("{NOTHING} ({question})"),
            None => NOTHING.to_owned(),
        };
        let decides = self.node(&choose.domain, env, None, 0).ok();
        (reason, choose.domain.span, decides.map(|told| Breakdown { what: None, parts: Vec::new(), ..told }))
    }

    /// The first thing that a value does not fulfil of a set's description.
    fn unfit(&mut self, domain: &Expr, value: i64, env: &mut Env, depth: usize) -> Answer<Option<Reason>> {
        let rules = self.rules();
        match &domain.kind {
            ExprKind::Where { over, binder, cond } => {
                let found = self.unfit(over, value, env, depth)?;
                if found.is_some() {
                    return Ok(found);
                }
                env.locals[binder.index()] = Val::Word(Some(value));
                self.untrue(cond, env)
            }
            ExprKind::Binary(BinaryOp::Both, one, other) => {
                let found = self.unfit(one, value, env, depth)?;
                if found.is_some() { Ok(found) } else { self.unfit(other, value, env, depth) }
            }
            ExprKind::Builtin(Builtin::EmptyOf, args) => {
                let found = args.first().map_or(Ok(None), |of| self.unfit(of, value, env, depth))?;
                let taken = found.is_none() && !self.slow.eval(domain, env)?.items().contains(&value);
                Ok(found.or_else(|| taken.then(|| ("something lies there".to_owned(), domain.span, None))))
            }
            ExprKind::If(cond, then, or_else) => {
                let holds = self.slow.truth(cond, env)?;
                self.unfit(if holds { then } else { or_else }, value, env, depth)
            }
            ExprKind::Call(proc, args) if depth < DEEPEST => {
                let proc = &rules.procs[proc.index()];
                let ProcBody::Expr(body) = &proc.body else { return Ok(None) };
                let mut locals = args.iter().map(|arg| self.slow.eval(arg, env)).collect::<Answer<Vec<Val>>>()?;
                locals.resize(proc.locals.len().max(locals.len()), Val::Word(None));
                let found = self.unfit(body, value, &mut Env { locals, ..env.clone() }, depth + 1)?;
                // The definition's own name says more than what it is made of.
                Ok(found.map(|found| if found.0 == NOT_AMONG { self.not_among(domain) } else { found }))
            }
            _ if self.slow.eval(domain, env)?.items().contains(&value) => Ok(None),
            _ => Ok(Some(self.not_among(domain))),
        }
    }

    fn not_among(&mut self, domain: &Expr) -> Reason {
        let decides = self.leaf(None, &Val::Word(Some(0)), &Ty::Flag, domain.span);
        (NOT_AMONG.to_owned(), domain.span, Some(decides))
    }

    /// The first part of a condition that does not hold.
    fn untrue(&mut self, cond: &Expr, env: &mut Env) -> Answer<Option<Reason>> {
        let rules = self.rules();
        if let ExprKind::And(one, other) = &cond.kind {
            let found = self.untrue(one, env)?;
            return if found.is_some() { Ok(found) } else { self.untrue(other, env) };
        }
        if self.slow.truth(cond, env)? {
            return Ok(None);
        }
        if let Some(clause) = self.stopper(cond, env)? {
            let (reason, span) = forbids(&rules, clause);
            return Ok(Some((reason, span, None)));
        }
        let decides = self.node(cond, env, None, 0)?;
        let reason = if matches!(cond.kind, ExprKind::Is(..)) { OTHER_SORT } else { "it does not fit" };
        Ok(Some((reason.to_owned(), cond.span, Some(decides))))
    }

    /// What statements cannot go on with, as far as that can be said without doing any of them.
    fn ahead(&mut self, stmts: &[Stmt], env: &mut Env, depth: usize) -> Answer<Option<Reason>> {
        for stmt in stmts {
            match &stmt.kind {
                StmtKind::Local { local, value } => env.locals[local.index()] = self.slow.eval(value, env)?,
                StmtKind::Requires { lenient: true, .. } => {}
                StmtKind::Requires { cond, reason, .. } if !self.slow.truth(cond, env)? => {
                    return Ok(Some(self.required(cond, reason.as_deref(), env)));
                }
                StmtKind::Ensure { cond, reason } => {
                    if let Some((_, span, decides)) = self.untrue(cond, env)? {
                        return Ok(Some(ensured(reason.as_deref(), span, decides)));
                    }
                }
                StmtKind::Requires { .. } => {}
                StmtKind::If { cond, body, or_else } if depth < DEEPEST => {
                    let body = if self.slow.truth(cond, env)? { body } else { or_else };
                    let found = self.ahead(body, env, depth + 1)?;
                    if found.is_some() {
                        return Ok(found);
                    }
                    if !body.is_empty() {
                        break;
                    }
                }
                StmtKind::Choose(choose)
                    if choose.by.is_none() && self.slow.members(&choose.domain, env)?.is_empty() =>
                {
                    return Ok(Some(self.nothing(choose, env)));
                }
                _ => break,
            }
        }
        Ok(None)
    }

    /// The `cannot` that stops the call, with the first of later candidates that it stops.
    fn stopper(&mut self, cond: &Expr, env: &mut Env) -> Answer<Option<ClauseId>> {
        match &cond.kind {
            ExprKind::Targetable { verb, args, ignoring, .. } => self.slow.stopping(*verb, args, ignoring, env),
            ExprKind::Any { over, binder, cond } => {
                for value in self.slow.eval(over, env)?.items().into_iter().take(MOST_THINGS) {
                    env.locals[binder.index()] = Val::Word(Some(value));
                    if let Some(found) = self.stopper(cond, env)? {
                        return Ok(Some(found));
                    }
                }
                Ok(None)
            }
            _ => Ok(None),
        }
    }
}
