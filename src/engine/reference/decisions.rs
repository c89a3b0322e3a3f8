//! What decisions offer, against what the statements of the actions say: domains, conditions, and whether an action can
//! be completed from a candidate, as far as that can be said without doing any of it.

use super::super::run::{Run, at};
use super::super::state::{Choice, Frame, FrameKind, PendingKind};
use super::super::tongue::Tongue;
use super::super::trial::searched;
use super::eval::{Answer, Env, Slow, Val};
use super::{Check, word};
use crate::base::Span;
use crate::model::rules::walk::each_block;
use crate::model::rules::{Choose, Expr, ExprKind, OptionArm, Proc, ProcBody, ProcRole, Qty, Stmt, StmtKind, Ty};
use crate::program::{NIL, each_stmt};
use std::collections::BTreeSet;

/// Candidates of later choices that are gone through.
const MOST_CANDIDATES: usize = 200;

impl Check<'_> {
    /// What the decision at hand offers.
    pub(super) fn decision(&mut self) {
        let Some(frame) = self.st.frames.last().copied().filter(|frame| frame.kind == FrameKind::Proc) else { return };
        let (p, st) = (self.p, self.st);
        let site = st.pending.site as usize;
        let Some(proc) = p.rules.procs.get(frame.proc as usize) else { return };
        let base = frame.base as usize;
        let window = |slow: &mut Slow<'_>| slow.running(&frame).unwrap_or_else(|| slow.window(proc, &[]));
        match st.pending.kind {
            PendingKind::Choose => {
                let info = &p.sites.chooses[site];
                let from = at(base, info.from);
                let Some(domain) = choose_domain(proc, info.span) else { return };
                if info.range {
                    let fast = Val::Set((st.mem[from]..=st.mem[from + 1]).collect());
                    let slow = self.slow(|slow| {
                        let mut env = window(slow);
                        slow.eval(domain, &mut env)
                    });
                    let slow = slow.map(|slow| Val::Set(slow.items().into_iter().collect()));
                    let slow = slow.map_err(|code| code.text().to_owned());
                    return self.compare("what may be chosen".to_owned(), domain.span, Ok(fast), slow);
                }
                // A condition behind a choice is a filter of it: what is left is compared with what leads on.
                if proc.role != ProcRole::Action || !is_filtered(proc, info.span) {
                    self.domain(domain, from, window);
                }
                self.later_choice(proc, info.span, window);
            }
            PendingKind::Option => {
                let span = p.sites.options[site].span;
                let mut found = None;
                each_stmt(proc, &mut |stmt| {
                    if let (StmtKind::ChooseOption { arms, .. }, true) = (&stmt.kind, stmt.span == span) {
                        found = Some(arms);
                    }
                });
                if let Some(arms) = found {
                    self.arms(proc, span, arms, window);
                }
            }
            PendingKind::Split => {
                let info = &p.sites.splits[site];
                let mut found = None;
                each_stmt(proc, &mut |stmt| {
                    if let (StmtKind::ChooseSplit { domain, among, .. }, true) = (&stmt.kind, stmt.span == info.span) {
                        found = Some([(domain.clone(), info.from), (among.clone(), info.among)]);
                    }
                });
                for (domain, from) in found.into_iter().flatten() {
                    self.domain(&domain, at(base, from), window);
                }
            }
            PendingKind::Action => {
                self.response(proc, window);
                self.actions(site, &frame);
            }
            _ => {}
        }
    }

    /// An option is offered where its condition holds and the action can be completed with it.
    fn arms(&mut self, proc: &Proc, span: Span, arms: &[OptionArm], window: impl Fn(&mut Slow<'_>) -> Env) {
        let (st, p) = (self.st, self.p);
        let open: Vec<i64> = st.pending.options.iter().map(|choice| choice.value).collect();
        let next = st.frames.last().map_or(0, |frame| frame.pc + 1);
        let searched = searched(p, st, st.pending.seat, next).is_some();
        let rest = match &proc.body {
            ProcBody::Block(stmts) => stmts.iter().position(|stmt| stmt.span == span).map(|at| &stmts[at + 1..]),
            _ => None,
        };
        let mut judged = Vec::new();
        for (index, arm) in arms.iter().enumerate() {
            let offered = open.contains(&(index as i64));
            let slow: Answer<(bool, Option<bool>)> = self.slow(|slow| {
                let mut env = window(slow);
                let holds = arm.cond.as_ref().map_or(Ok(true), |cond| slow.truth(cond, &mut env))?;
                Ok((
                    holds,
                    match rest.filter(|_| searched && holds) {
                        Some(rest) => slow.completes_with(&arm.body, rest, &mut env)?,
                        None => (!searched).then_some(true),
                    },
                ))
            });
            judged.push((offered, arm.span, slow));
        }
        let leads = judged.iter().map(|(.., slow)| match slow {
            Ok((true, completes)) => *completes,
            Ok((false, _)) => Some(false),
            Err(_) => Some(true),
        });
        let dead_end = offered_as_dead_end(leads);
        for (offered, span, slow) in judged {
            let slow = match slow {
                Ok((holds, completes)) => {
                    let leads_on = if completes == Some(false) { dead_end } else { completes };
                    let open = if holds { leads_on } else { Some(false) };
                    let Some(open) = open else { continue };
                    Ok(Val::Word(Some(i64::from(open))))
                }
                Err(code) => Err(code.text().to_owned()),
            };
            let fast = Val::Word(Some(i64::from(offered)));
            self.compare("whether an option is open".to_owned(), span, Ok(fast), slow);
        }
    }

    /// What may be chosen, which lies at an address.
    fn domain(&mut self, domain: &Expr, from: usize, window: impl Fn(&mut Slow<'_>) -> Env) {
        let words = usize::from(self.p.layout.words(&domain.ty));
        let fast = self.slow(|slow| slow.decode(&slow.st.mem[from..from + words], &domain.ty));
        let slow = self.slow(|slow| {
            let mut env = window(slow);
            slow.eval(domain, &mut env)
        });
        let slow = slow.map_err(|code| code.text().to_owned());
        self.compare("what may be chosen".to_owned(), domain.span, Ok(fast), slow);
    }

    /// Who is asked in a window is among those who may be, and is not to be passed over; the window is not to be closed.
    fn response(&mut self, proc: &Proc, window: impl Fn(&mut Slow<'_>) -> Env) {
        let ProcBody::Block(stmts) = &proc.body else { return };
        let Some(StmtKind::Respond(respond)) = stmts.first().map(|stmt| &stmt.kind) else { return };
        let conditions = [("until", &respond.until), ("silent", &respond.silent)];
        for (what, cond) in conditions.into_iter().filter_map(|(what, cond)| Some((what, cond.as_ref()?))) {
            let slow = self.slow(|slow| {
                let mut env = window(slow);
                slow.truth(cond, &mut env)
            });
            let slow = slow.map(|truth| Val::Word(Some(i64::from(truth)))).map_err(|code| code.text().to_owned());
            self.compare(what.to_owned(), cond.span, Ok(Val::Word(Some(0))), slow);
        }
        let Some(among) = &respond.among else { return };
        let asked = self.st.pending.seat;
        let slow = self.slow(|slow| {
            let mut env = window(slow);
            slow.eval(among, &mut env).map(|among| among.items().contains(&asked))
        });
        let slow = slow.map(|truth| Val::Word(Some(i64::from(truth)))).map_err(|code| code.text().to_owned());
        self.compare("among".to_owned(), among.span, Ok(Val::Word(Some(1))), slow);
    }

    /// What each action can begin with: candidates of its first `choose` from which it can be completed, or the whole.
    fn actions(&mut self, site: usize, frame: &Frame) {
        let (p, st) = (self.p, self.st);
        let site = &p.sites.actions[site];
        let options =
            Run { p: self.p, st: &mut self.copy, x: self.scratch, tongue: Tongue::default() }.options().into_owned();
        let first = options.iter().any(|choice| choice.branch >= 0 && (choice.branch as usize) < site.first);
        for (branch, act) in site.acts.iter().enumerate() {
            if first && branch >= site.first {
                break; // What stands behind `else` is not looked at.
            }
            let said = Run { p: self.p, st: &mut self.copy, x: self.scratch, tongue: Tongue::default() };
            if said.is_said_before(site, branch, frame.base as usize) {
                continue;
            }
            let proc = &p.rules.procs[p.actions[act.action.index()].body.index()];
            let ProcBody::Block(stmts) = &proc.body else { continue };
            let event = site.response.is_none().then(|| st.events.get(frame.event as usize).copied()).flatten();
            let start = at(frame.base as usize, act.args);
            let opened = self.slow(|slow| {
                let mut env = slow.begun(proc, start);
                (env.me, env.event) = (word(st.pending.seat), event);
                slow.opened(stmts, &mut env)
            });
            let offered: Vec<Choice> =
                options.iter().filter(|choice| choice.branch == branch as i32).copied().collect();
            match opened {
                Ok(Opened::Whole(open)) => {
                    let fast = Val::Word(Some(i64::from(!offered.is_empty())));
                    let what = format!("whether `{}` is offered", proc.name);
                    self.compare(what, proc.span, Ok(fast), Ok(Val::Word(Some(i64::from(open)))));
                }
                Ok(Opened::Of(span, candidates)) => {
                    let offered = offered.into_iter().filter(|choice| choice.value != NIL).collect();
                    self.candidates("first choices", span, offered, &candidates);
                }
                Ok(Opened::Unknown) => {}
                Err(code) => {
                    let fast = Val::Set(offered.iter().map(|choice| choice.value).collect());
                    self.compare("first choices".to_owned(), proc.span, Ok(fast), Err(code.text().to_owned()));
                }
            }
        }
    }

    /// A later choice of an action offers the candidates from which the action can be completed.
    fn later_choice(&mut self, proc: &Proc, span: Span, window: impl Fn(&mut Slow<'_>) -> Env) {
        let ProcBody::Block(stmts) = &proc.body else { return };
        let Some(index) =
            stmts.iter().position(|stmt| matches!(&stmt.kind, StmtKind::Choose(choose) if choose.span == span))
        else {
            return;
        };
        let StmtKind::Choose(choose) = &stmts[index].kind else { return };
        if proc.role != ProcRole::Action || !matches!(choose.qty, Qty::One) {
            return;
        }
        let options =
            Run { p: self.p, st: &mut self.copy, x: self.scratch, tongue: Tongue::default() }.options().into_owned();
        let found = self.slow(|slow| {
            let mut env = window(slow);
            slow.judged(choose, &stmts[index + 1..], &mut env)
        });
        if let Ok(Some(mut candidates)) = found {
            let dead_end = offered_as_dead_end(candidates.iter().map(|(_, completes)| *completes));
            for (_, completes) in candidates.iter_mut().filter(|(_, completes)| *completes == Some(false)) {
                *completes = dead_end;
            }
            self.candidates("what leads on", span, options, &candidates);
        }
    }

    /// Compares what is offered with what must and what may be: of things that are alike, one stands for all.
    fn candidates(&mut self, what: &str, span: Span, offered: Vec<Choice>, candidates: &[(i64, Option<bool>)]) {
        self.found.compared += 1;
        let wrong = offered.iter().any(|choice| {
            !candidates.iter().any(|(value, completes)| *value == choice.value && *completes != Some(false))
        });
        let by = self.st.pending.seat;
        let mut run = Run { p: self.p, st: &mut self.copy, x: self.scratch, tongue: Tongue::default() };
        let missed = candidates.iter().any(|(value, completes)| {
            let mut with = offered.clone();
            with.push(Choice { branch: 0, value: *value, weight: 1 });
            let there = offered.iter().any(|choice| choice.value == *value);
            if *completes == Some(true) && !there {
                run.merge_alike(by, &mut with);
                // A failure leaves all in, and so is found.
                let _ = run.veil_from(by, 0, &mut with);
            }
            *completes == Some(true) && !there && with.len() > offered.len()
        });
        if wrong || missed {
            let fast = Val::Set(offered.iter().map(|choice| choice.value).collect());
            let sure = candidates.iter().filter(|(_, completes)| *completes != Some(false));
            let slow = Val::Set(sure.map(|(value, _)| *value).collect());
            self.compare(what.to_owned(), span, Ok(fast), Ok(slow));
        }
    }
}

/// Candidates, and whether the action can be completed from each, if that can be said.
type Candidates = Vec<(i64, Option<bool>)>;

/// Whether what does not lead on is offered: where nothing does, behind what is not looked ahead of, all are. None if it cannot
/// be said whether something does.
fn offered_as_dead_end(leads_on: impl Iterator<Item = Option<bool>>) -> Option<bool> {
    let mut unknown = false;
    for leads_on in leads_on {
        match leads_on {
            Some(true) => return Some(false),
            Some(false) => {}
            None => unknown = true,
        }
    }
    (!unknown).then_some(true)
}

/// What an action can begin with.
enum Opened {
    /// With nothing to choose: whether it can be done.
    Whole(bool),
    /// With a choice.
    Of(Span, Candidates),
    Unknown,
}

impl Slow<'_> {
    /// What an action can begin with.
    fn opened(&mut self, stmts: &[Stmt], env: &mut Env) -> Answer<Opened> {
        for (index, stmt) in stmts.iter().enumerate() {
            match &stmt.kind {
                StmtKind::Local { local, value } => env.locals[local.index()] = self.eval(value, env)?,
                StmtKind::Requires { cond, .. } => {
                    if !self.truth(cond, env)? {
                        return Ok(Opened::Whole(false));
                    }
                }
                StmtKind::Choose(choose) if matches!(choose.qty, Qty::One) && choose.by.is_none() => {
                    let found = self.judged(choose, &stmts[index + 1..], env)?;
                    return Ok(found.map_or(Opened::Unknown, |found| Opened::Of(choose.span, found)));
                }
                StmtKind::Choose(choose) if self.is_others(choose, env)? => return Ok(Opened::Whole(true)),
                _ if plain(&stmts[index..]) => return Ok(Opened::Whole(true)),
                StmtKind::ChooseOption { .. } => {
                    return Ok(self.completes(&stmts[index..], env)?.map_or(Opened::Unknown, Opened::Whole));
                }
                _ => return Ok(Opened::Unknown),
            }
        }
        Ok(Opened::Whole(true))
    }

    /// Whether another player makes a choice of an action: what comes of it is not looked at before it.
    fn is_others(&mut self, choose: &Choose, env: &mut Env) -> Answer<bool> {
        let Some(by) = &choose.by else { return Ok(false) };
        Ok(self.eval(by, env)? != Val::Word(env.me))
    }

    /// The candidates of a choice, and whether what follows can be completed from each.
    fn judged(&mut self, choose: &Choose, rest: &[Stmt], env: &mut Env) -> Answer<Option<Candidates>> {
        let mut items = self.eval(&choose.domain, env)?.items();
        if matches!(choose.domain.ty.element().bare(), Ty::Entity(_)) {
            // What has become another thing cannot be chosen any more.
            items.retain(|item| *item == NIL || self.record(*item).1);
        }
        if items.len() > MOST_CANDIDATES {
            return Ok(None);
        }
        let mut found = Vec::new();
        for item in items {
            let mut env = env.clone();
            env.locals[choose.local.index()] = Val::Word(Some(item));
            found.push((item, self.completes(rest, &mut env)?));
        }
        Ok(Some(found))
    }

    /// Whether a statement asks for cards at the top of a pile, itself or in a definition that it calls.
    fn asks_for_tops(&self, stmt: &Stmt) -> bool {
        let rules = &self.p.rules;
        let (mut found, mut left, mut seen) = (false, Vec::new(), BTreeSet::new());
        let mut look = |expr: &Expr, left: &mut Vec<usize>| {
            expr.walk(&mut |part| match &part.kind {
                ExprKind::Builtin(builtin, _) => found |= builtin.is_of_pile(),
                ExprKind::Call(proc, _) => left.push(proc.index()),
                _ => {}
            });
        };
        crate::program::stmt_exprs(stmt, &mut |expr| look(expr, &mut left));
        while let Some(proc) = left.pop() {
            if seen.insert(proc)
                && let ProcBody::Expr(body) = &rules.procs[proc].body
            {
                look(body, &mut left);
            }
        }
        found
    }

    /// Whether the rest of an action can be completed; none if that cannot be said without doing it.
    fn completes(&mut self, stmts: &[Stmt], env: &mut Env) -> Answer<Option<bool>> {
        for (index, stmt) in stmts.iter().enumerate() {
            let rest = &stmts[index + 1..];
            match &stmt.kind {
                // What lies on a pile is known when it is asked for.
                StmtKind::Local { .. } | StmtKind::Requires { .. } | StmtKind::Ensure { .. } | StmtKind::Choose(_)
                    if self.asks_for_tops(stmt) =>
                {
                    return Ok(None);
                }
                StmtKind::Local { local, value } => env.locals[local.index()] = self.eval(value, env)?,
                StmtKind::Requires { cond, .. } | StmtKind::Ensure { cond, .. } => {
                    if !self.truth(cond, env)? {
                        return Ok(Some(false));
                    }
                }
                StmtKind::Choose(choose) if matches!(choose.qty, Qty::One) && choose.by.is_none() => {
                    let Some(found) = self.judged(choose, rest, env)? else { return Ok(None) };
                    let some = found.iter().any(|(_, completes)| *completes == Some(true));
                    let none = found.iter().all(|(_, completes)| *completes == Some(false));
                    return Ok(if some { Some(true) } else { none.then_some(false) });
                }
                StmtKind::Choose(choose) if self.is_others(choose, env)? => return Ok(Some(true)),
                StmtKind::ChooseOption { by: None, arms, .. } => {
                    let (mut open, mut unknown) = (false, false);
                    for arm in arms {
                        let mut env = env.clone();
                        if arm.cond.as_ref().map_or(Ok(true), |cond| self.truth(cond, &mut env))? {
                            open = true;
                            match self.completes_with(&arm.body, rest, &mut env)? {
                                Some(true) => return Ok(Some(true)),
                                Some(false) => {}
                                None => unknown = true,
                            }
                        }
                    }
                    if open {
                        return Ok((!unknown).then_some(false));
                    }
                }
                _ => return Ok(plain(&stmts[index..]).then_some(true)),
            }
        }
        Ok(Some(true))
    }

    /// Whether the rest of an action can be completed after a block.
    fn completes_with(&mut self, block: &[Stmt], rest: &[Stmt], env: &mut Env) -> Answer<Option<bool>> {
        self.completes(&[block, rest].concat(), env)
    }
}

/// Whether nothing in these statements can make an action a dead end, or asks whether there is anything to do.
fn plain(stmts: &[Stmt]) -> bool {
    stmts.iter().all(|stmt| {
        matches!(
            stmt.kind,
            StmtKind::Local { .. }
                | StmtKind::SetProp { .. }
                | StmtKind::SetGameProp { .. }
                | StmtKind::Move { .. }
                | StmtKind::Create { .. }
                | StmtKind::Link { .. }
                | StmtKind::Unlink { .. }
                | StmtKind::Shuffle { .. }
                | StmtKind::Roll { .. }
                | StmtKind::Random { .. }
                | StmtKind::Reveal { .. }
                | StmtKind::Call { .. }
                | StmtKind::Win(_)
                | StmtKind::Lose(_)
                | StmtKind::DrawGame
                | StmtKind::EndGame
                | StmtKind::Note(_)
        )
    })
}

/// Whether what stands right behind the choice at a place can be part of its filter: a condition, or a choice that must be possible.
fn is_filtered(proc: &Proc, span: Span) -> bool {
    fn within(stmts: &[Stmt], span: Span) -> bool {
        let at = stmts.iter().position(|stmt| matches!(&stmt.kind, StmtKind::Choose(choose) if choose.span == span));
        if let Some(behind) = at.and_then(|at| stmts.get(at + 1)) {
            return matches!(behind.kind, StmtKind::Ensure { .. } | StmtKind::If { .. } | StmtKind::Choose(_));
        }
        let mut found = false;
        stmts.iter().for_each(|stmt| each_block(stmt, &mut |inner| found |= within(inner, span)));
        found
    }
    matches!(&proc.body, ProcBody::Block(stmts) if within(stmts, span))
}

/// The domain of the `choose` at a place of a procedure.
fn choose_domain(proc: &Proc, span: Span) -> Option<&Expr> {
    let ProcBody::Block(stmts) = &proc.body else { return None };
    let mut found = None;
    each_choose(stmts, &mut |choose_span, domain, _| {
        if choose_span == span {
            found = Some(domain);
        }
    });
    found
}

/// The `choose` at a place of a procedure.
pub(super) fn choose_at(proc: &Proc, span: Span) -> Option<&Choose> {
    let ProcBody::Block(stmts) = &proc.body else { return None };
    let mut found = None;
    each_choose(stmts, &mut |choose_span, _, choose| {
        if choose_span == span {
            found = choose;
        }
    });
    found
}

fn each_choose<'e>(stmts: &'e [crate::model::rules::Stmt], f: &mut impl FnMut(Span, &'e Expr, Option<&'e Choose>)) {
    for stmt in stmts {
        match &stmt.kind {
            StmtKind::Choose(choose) => f(choose.span, &choose.domain, Some(choose)),
            StmtKind::ChooseOrder { domain, .. } => f(stmt.span, domain, None),
            StmtKind::Gate { chooses, .. } => {
                chooses.iter().for_each(|choose| f(choose.span, &choose.domain, Some(choose)));
            }
            StmtKind::Offer(offer) => offer.terms.iter().for_each(|terms| f(terms.span, &terms.domain, None)),
            _ => {}
        }
        each_block(stmt, &mut |inner| each_choose(inner, f));
    }
}
