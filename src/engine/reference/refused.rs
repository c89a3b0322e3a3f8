//! Why one thing cannot be chosen, where a choice is for a verb: which `cannot` would stop the call that follows.

use super::super::run::at;
use super::super::state::{FrameKind, PendingKind, State};
use super::super::{Machine, Refusal, words};
use super::decisions::choose_at;
use super::eval::{Answer, Env, Eyes, Slow};
use super::{places, word};
use crate::base::Span;
use crate::model::rules::{Choose, ClauseHome, ClauseId, Expr, ExprKind, ProcBody, Qty, Rules, Stmt, StmtKind, Ty};
use std::collections::BTreeSet;
use std::sync::Arc;

/// Things that are looked at for one answer.
const MOST_THINGS: usize = 400;
/// Steps of the evaluator for one answer.
const MOST_STEPS: u64 = 400_000;

/// A thing that a choice leaves out, and what forbids it; none if that is not to be told.
struct Left {
    /// The action that begins with the thing, if one does.
    act: Option<usize>,
    value: i64,
    ty: Ty,
    by: Option<ClauseId>,
}

impl Machine {
    /// Why a thing is not offered that the decision at hand would offer if no `cannot` forbade it. The key is that of
    /// the thing, after the words of its action if there is one.
    pub fn refused(&mut self, state: &State, key: &str) -> Option<Refusal> {
        if state.over.is_some() {
            return None;
        }
        let program = Arc::clone(&self.program);
        let boards: Vec<places::Geometry<'_>> =
            program.rules.boards.iter().map(|board| places::Geometry::new(board, program.layout.seats)).collect();
        let seat = u8::try_from(state.pending.seat).ok();
        let mut slow = Slow {
            p: &program,
            st: state,
            scratch: &mut self.scratch,
            boards: &boards,
            forms: &mut BTreeSet::new(),
            eyes: Some(Eyes { seat, secret: false }),
            steps: MOST_STEPS,
            calls: 0,
        };
        let left = slow.left_out();
        let found = left.into_iter().find(|left| {
            let (words, named) = self.look(state, |run| {
                let acts = left.act.and_then(|act| Some((act, run.p.sites.actions.get(state.pending.site as usize)?)));
                let words = acts.map(|(act, site)| run.act_words(site, act)).unwrap_or_default();
                (words, run.value_key(left.value, &left.ty, words::Eyes::of(state.pending.seat)))
            });
            let thing = key.strip_prefix(words.as_str()).map(str::trim_start);
            let rest = thing.and_then(|thing| thing.strip_prefix(named.as_str()));
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(" #"))
        })?;
        let (reason, span) = forbids(&program.rules, found.by);
        Some(Refusal { action: key.to_owned(), reason, span })
    }
}

/// What forbids, in words.
fn forbids(rules: &Rules, by: Option<ClauseId>) -> (String, Span) {
    let Some(clause) = by.map(|by| &rules.clauses[by.index()]) else {
        return ("something forbids it that is not seen".to_owned(), Span::default());
    };
    let words = match clause.home {
        ClauseHome::Rule(group) => format!("the rule `{}` forbids it", rules.groups[group.index()].name),
        ClauseHome::Entry(entry) => format!("`{}` forbids it", rules.entries[entry.index()].name),
        ClauseHome::Kind(kind) => format!("a `{}` forbids it", rules.kinds[kind.index()].name),
        ClauseHome::Armed => "something that was armed forbids it".to_owned(),
    };
    (words, clause.span)
}

impl Slow<'_> {
    /// What the decision at hand leaves out because a `cannot` forbids it.
    fn left_out(&mut self) -> Vec<Left> {
        let (p, st) = (self.p, self.st);
        let Some(frame) = st.frames.last().copied().filter(|frame| frame.kind == FrameKind::Proc) else {
            return Vec::new();
        };
        let (base, site) = (frame.base as usize, st.pending.site as usize);
        let event = st.events.get(frame.event as usize).copied();
        let mut left = Vec::new();
        match st.pending.kind {
            PendingKind::Choose => {
                let proc = &p.rules.procs[frame.proc as usize];
                let Some(choose) = choose_at(proc, p.sites.chooses[site].span) else { return left };
                let Some(mut env) = self.running(&frame) else { return left };
                let _ = self.out_of(choose, None, &mut env, &mut left);
            }
            PendingKind::Action => {
                let site = &p.sites.actions[site];
                let offered = st.pending.options.iter().map(|choice| choice.branch);
                let mut offered = offered.chain(st.pending.sets.iter().map(|set| set.branch));
                let first = offered.any(|branch| (0..site.first as i32).contains(&branch));
                // What stands behind `else` has not been worked out where something before it can be done.
                let acts = if first { &site.acts[..site.first] } else { &site.acts };
                for (index, act) in acts.iter().enumerate() {
                    let code = &p.actions[act.action.index()];
                    let proc = &p.rules.procs[code.body.index()];
                    let ProcBody::Block(stmts) = &proc.body else { continue };
                    let mut env = self.begun(proc, at(base, act.args));
                    (env.me, env.event) = (word(st.pending.seat), event.filter(|_| site.response.is_none()));
                    let _ = self.first_out(stmts, index, &mut env, &mut left);
                }
            }
            _ => {}
        }
        left
    }

    /// What the first choice of an action leaves out.
    fn first_out(&mut self, stmts: &[Stmt], act: usize, env: &mut Env, left: &mut Vec<Left>) -> Answer<()> {
        for stmt in stmts {
            match &stmt.kind {
                StmtKind::Local { local, value } => env.locals[local.index()] = self.eval(value, env)?,
                StmtKind::Requires { cond, .. } if self.truth(cond, env)? => {}
                StmtKind::Choose(choose) if matches!(choose.qty, Qty::One) => {
                    return self.out_of(choose, Some(act), env, left);
                }
                _ => break,
            }
        }
        Ok(())
    }

    fn out_of(&mut self, choose: &Choose, act: Option<usize>, env: &mut Env, left: &mut Vec<Left>) -> Answer<()> {
        let ExprKind::Where { over, binder, cond } = &choose.domain.kind else { return Ok(()) };
        if choose.for_verb.is_none() {
            return Ok(());
        }
        for value in self.eval(over, env)?.items().into_iter().take(MOST_THINGS) {
            env.locals[binder.index()] = super::eval::Val::Word(Some(value));
            if let Some(eyes) = &mut self.eyes {
                eyes.secret = false;
            }
            if !self.truth(cond, env)?
                && let Some(by) = self.stopper(cond, env)?
            {
                let secret = self.eyes.is_some_and(|eyes| eyes.secret);
                let ty = choose.domain.ty.element().clone();
                left.push(Left { act, value, ty, by: Some(by).filter(|_| !secret) });
            }
        }
        Ok(())
    }

    /// The `cannot` that stops the call, with the first of later candidates that it stops.
    fn stopper(&mut self, cond: &Expr, env: &mut Env) -> Answer<Option<ClauseId>> {
        match &cond.kind {
            ExprKind::Targetable { verb, args, ignoring, .. } => self.stopping(*verb, args, ignoring, env),
            ExprKind::Any { over, binder, cond } => {
                for value in self.eval(over, env)?.items().into_iter().take(MOST_THINGS) {
                    env.locals[binder.index()] = super::eval::Val::Word(Some(value));
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
