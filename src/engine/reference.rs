//! A second evaluator, slow and obvious, that holds the fast one to the language: it walks the checked expressions with
//! sets as sets and lists as lists, and its answers are compared with those of the compiled code.
//!
//! What comes in: the same program and state. What goes out: where the two differ, with the content line. It reads the
//! state's records through the layout and shares no instruction with the interpreter; only what suspends or leaves the
//! language (`P can ACTION`, scripts) is asked of it.

mod boards;
mod clauses;
mod endless;
mod eval;
mod names;
mod places;
mod tiles;
mod why;

pub use why::{Breakdown, Join};

use super::Machine;
use super::run::{Run, Scratch};
use super::state::{Event, FrameKind, Hook, NONE, PendingKind, State};
use crate::base::Span;
use crate::model::rules::{
    ClauseKind, Expr, ExprKind, HookEvent, Proc, ProcBody, ProcId, PropClass, PropId, PropOwner, Qty, Stage, StmtKind,
    Ty, VerbId,
};
use crate::program::{NIL, Program, each_stmt, ent, repr};
use eval::{Env, Slow, Val};
use std::collections::BTreeSet;

/// Values tried for one parameter.
const FILLED: usize = 12;
/// Ways in which the parameters of one procedure are filled.
const WAYS: usize = 32;

/// What the two evaluators said of one position.
#[derive(Clone, Debug, Default)]
pub struct Comparison {
    /// How many values were compared.
    pub compared: usize,
    /// Where they differ.
    pub differences: Vec<Difference>,
    /// Forms of expressions, and functions, that were evaluated.
    pub forms: BTreeSet<String>,
}

/// A value that the two evaluators give differently.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// What was evaluated: `stat power of 3`.
    pub what: String,
    /// Its content line.
    pub span: Span,
    /// What the compiled code gives.
    pub fast: String,
    /// What the reference evaluator gives.
    pub slow: String,
}

impl Machine {
    /// Evaluates all that can be evaluated in a position twice: the stats of all players and entities, every pure
    /// procedure with parameters filled from the position, the conditions of hooks on the events under way, and what
    /// the decision at hand offers. A position takes milliseconds: this is for tests.
    pub fn check_against_reference(&mut self, state: &State) -> Comparison {
        let mut check = Check {
            p: &self.program,
            st: state,
            copy: state.clone(),
            scratch: &mut self.scratch,
            boards: self
                .program
                .rules
                .boards
                .iter()
                .map(|board| places::Geometry::new(board, self.program.layout.seats))
                .collect(),
            found: Comparison::default(),
        };
        check.stats();
        for index in 0..check.p.rules.procs.len() {
            check.procedure(ProcId(index as u32));
        }
        check.events();
        check.decision();
        check.found
    }
}

/// The forms that expressions and functions can have, by the names under which [`Comparison::forms`] lists them.
pub fn all_forms() -> BTreeSet<String> {
    names::FORMS.iter().chain(names::BUILTINS).map(|name| (*name).to_owned()).collect()
}

struct Check<'a> {
    p: &'a Program,
    st: &'a State,
    copy: State,
    scratch: &'a mut Scratch,
    boards: Vec<places::Geometry<'a>>,
    found: Comparison,
}

/// One question to both evaluators.
struct Question<'q> {
    what: String,
    proc: ProcId,
    me: i64,
    this: i64,
    event: u32,
    args: &'q [i64],
}

impl<'a> Check<'a> {
    fn slow<T>(&mut self, f: impl FnOnce(&mut Slow<'_>) -> T) -> T {
        let mut slow = Slow {
            p: self.p,
            st: self.st,
            scratch: self.scratch,
            boards: &self.boards,
            forms: &mut self.found.forms,
            eyes: None,
            steps: u64::MAX,
        };
        f(&mut slow)
    }

    fn fast<T>(&mut self, f: impl FnOnce(&mut Run<'_>) -> Result<T, Box<super::GameError>>) -> Result<T, String> {
        self.scratch.budget = super::run::BUDGET;
        let trace = self.scratch.trace.take();
        let result = f(&mut Run { p: self.p, st: &mut self.copy, x: self.scratch });
        self.scratch.trace = trace;
        if result.is_err() {
            self.copy.clone_from(self.st);
        }
        result.map_err(|error| error.code.to_owned())
    }

    fn compare(&mut self, what: String, span: Span, fast: Result<Val, String>, slow: Result<Val, String>) {
        self.found.compared += 1;
        if fast != slow {
            let words = |value: Result<Val, String>| match value {
                Ok(value) => value.to_string(),
                Err(code) => format!("error {code}"),
            };
            self.found.differences.push(Difference { what, span, fast: words(fast), slow: words(slow) });
        }
    }

    fn ask(&mut self, question: &Question<'_>) {
        let proc = &self.p.rules.procs[question.proc.index()];
        let ProcBody::Expr(body) = &proc.body else { return };
        if repr(&body.ty) == crate::program::Repr::Word && matches!(body.ty, Ty::Text) {
            return;
        }
        let fast = self.fast(|run| {
            run.eval(question.proc, question.me, question.this, question.event, question.args)?;
            Ok(run.x.result.clone())
        });
        let slow = self.slow(|slow| {
            let event = slow.st.events.get(question.event as usize).copied();
            let mut env = slow.window(proc, question.args);
            (env.me, env.this, env.event) = (word(question.me), word(question.this), event);
            slow.eval(body, &mut env)
        });
        let fast = fast.map(|words| self.slow(|slow| slow.decode(&words, &body.ty)));
        let slow = slow.map_err(|code| code.text().to_owned());
        self.compare(format!("{} ({})", proc.name, question.what), body.span, fast, slow);
    }

    fn stats(&mut self) {
        for index in 0..self.p.rules.props.len() {
            let prop = PropId(index as u32);
            let info = &self.p.rules.props[index];
            let (PropClass::Stat { .. }, owner) = (&info.class, info.owner) else { continue };
            let subjects = match owner {
                PropOwner::Player => (0..i64::from(self.st.players)).collect(),
                PropOwner::Kind(kind) => self.slow(|slow| slow.existing(Some(kind))),
                PropOwner::Game => Vec::new(),
            };
            for subject in subjects {
                let fast = self.fast(|run| {
                    run.stat(subject, prop)?;
                    Ok(run.x.result.clone())
                });
                let fast = fast.map(|words| self.slow(|slow| slow.decode(&words, &info.ty)));
                let slow = self.slow(|slow| slow.stat(subject, prop)).map_err(|code| code.text().to_owned());
                self.compare(format!("stat {} of {subject:x}", info.name), info.span, fast, slow);
            }
        }
    }

    /// A pure procedure, for every seat and with its parameters filled in several ways.
    fn procedure(&mut self, id: ProcId) {
        let proc = &self.p.rules.procs[id.index()];
        let ProcBody::Expr(body) = &proc.body else { return };
        let mut this_type = None;
        body.walk(&mut |expr| {
            if matches!(expr.kind, ExprKind::This) {
                this_type = Some(expr.ty.clone());
            }
        });
        let mut choices: Vec<Vec<Val>> =
            vec![(0..i64::from(self.st.players)).map(|seat| Val::Word(Some(seat))).collect()];
        choices.push(this_type.map_or(vec![Val::Word(None)], |ty| self.fill(&ty)));
        for local in &proc.locals[..usize::from(proc.params)] {
            let filled = self.fill(&local.ty);
            choices.push(filled);
        }
        let total: usize = choices.iter().map(Vec::len).product();
        let step = (total / WAYS).max(1) | 1;
        let mut way = 0;
        while way < total {
            let mut left = way;
            let picked: Vec<&Val> = choices
                .iter()
                .map(|values| {
                    let value = &values[left % values.len()];
                    left /= values.len();
                    value
                })
                .collect();
            let single = |value: &Val| match value {
                Val::Word(Some(word)) => *word,
                _ => NIL,
            };
            let (me, this) = (single(picked[0]), single(picked[1]));
            let types = proc.locals.iter().map(|local| &local.ty);
            let words = picked[2..].iter().zip(types).map(|(value, ty)| self.slow(|slow| slow.encode(value, ty)));
            let args: Vec<i64> = words.collect::<Vec<_>>().concat();
            let what = format!("me {me}, this {this:x}, {args:x?}");
            self.ask(&Question { what, proc: id, me, this, event: NONE, args: &args });
            way += step;
        }
    }

    /// Values of a type that the position has.
    fn fill(&mut self, ty: &Ty) -> Vec<Val> {
        let words = |values: Vec<i64>| {
            let step = values.len().div_ceil(FILLED).max(1);
            values.into_iter().step_by(step).map(|value| Val::Word(Some(value))).collect::<Vec<_>>()
        };
        match ty {
            Ty::Number => words(vec![-1, 0, 1, 2, 5]),
            Ty::Flag => words(vec![0, 1]),
            Ty::Enum(id) => words((0..self.p.rules.enums[id.index()].values.len() as i64).collect()),
            Ty::Player => words((0..i64::from(self.st.players)).collect()),
            Ty::Entity(kind) => {
                let found = words(self.slow(|slow| slow.existing(Some(*kind))));
                if found.is_empty() { vec![Val::Word(None)] } else { found }
            }
            Ty::Site(board) if board.endless() => words(self.slow(|slow| slow.some_spots(*board))),
            Ty::Site(board) => words((0..i64::from(self.p.boards[board.index()].sites)).collect()),
            Ty::Direction(board) => words((0..self.p.boards[board.index()].directions.len() as i64).collect()),
            Ty::Cause => words(vec![0, 1, 2]),
            Ty::Set(item) | Ty::List(item) => {
                let list = matches!(ty, Ty::List(_));
                let all = self.fill(item).into_iter().flat_map(|value| value.items()).collect::<Vec<_>>();
                if list {
                    vec![Val::List(Vec::new()), Val::List(all)]
                } else {
                    vec![Val::Set(BTreeSet::new()), Val::Set(all.into_iter().collect())]
                }
            }
            Ty::Maybe(inner) => {
                let mut values = self.fill(inner);
                values.push(Val::Word(None));
                values
            }
            _ => vec![Val::Word(None)],
        }
    }

    /// The hooks on the events under way: which stand, and whether their conditions hold.
    fn events(&mut self) {
        for index in 0..self.st.events.len() as u32 {
            let event: Event = self.st.events[index as usize];
            if event.verb == NONE {
                continue;
            }
            let at = HookEvent::Verb(VerbId(event.verb));
            for stage in [Stage::Cannot, Stage::Instead, Stage::Before, Stage::After] {
                let fast = self.fast(|run| {
                    let mut hooks = Vec::new();
                    run.standing(at, stage, index, &mut hooks)?;
                    Ok(hooks)
                });
                let Ok(hooks) = fast else { continue };
                let place = |hook: &Hook| (hook.clause, hook.source, hook.me);
                let fast: BTreeSet<_> = hooks.iter().map(place).collect();
                let slow = self.slow(|slow| slow.standing(at, stage, event.actor)).unwrap_or_default();
                let span = self.p.rules.verbs[event.verb as usize].span;
                let list = |set: &BTreeSet<(u32, i64, i64)>| {
                    set.iter().map(|(a, b, c)| Val::List(vec![i64::from(*a), *b, *c]).to_string()).collect::<Vec<_>>()
                };
                self.found.compared += 1;
                if fast != slow {
                    let (fast, slow) = (list(&fast).join(" "), list(&slow).join(" "));
                    let what = format!("hooks that stand at {stage:?}");
                    self.found.differences.push(Difference { what, span, fast, slow });
                }
                for hook in hooks {
                    let clause = &self.p.rules.clauses[hook.clause as usize];
                    let ClauseKind::Hook { cond: Some(cond), .. } = clause.kind else { continue };
                    let words = self.fast(|run| Ok(run.hook_words(&hook, index))).unwrap_or_default();
                    let question = Question {
                        what: "hook".to_owned(),
                        proc: cond,
                        me: hook.me,
                        this: hook.source,
                        event: index,
                        args: &words,
                    };
                    self.ask(&question);
                }
            }
        }
    }

    /// What the decision at hand offers.
    fn decision(&mut self) {
        let Some(frame) = self.st.frames.last().copied().filter(|frame| frame.kind == FrameKind::Proc) else { return };
        let (p, st) = (self.p, self.st);
        let site = st.pending.site as usize;
        let Some(proc) = p.rules.procs.get(frame.proc as usize) else { return };
        let base = frame.base as usize;
        let window = |slow: &mut Slow<'_>| {
            let mut env = slow.window(proc, &slow.st.mem[base + 2..]);
            (env.me, env.this) = (word(st.mem[base]), word(st.mem[base + 1]));
            env.event = st.events.get(frame.event as usize).copied();
            env
        };
        match st.pending.kind {
            PendingKind::Choose => {
                let info = &p.sites.chooses[site];
                let from = super::run::at(base, info.from);
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
                self.domain(domain, from, window);
            }
            PendingKind::Option => {
                let span = p.sites.options[site].span;
                let mut found = None;
                each_stmt(proc, &mut |stmt| {
                    if let (StmtKind::ChooseOption { arms, .. }, true) = (&stmt.kind, stmt.span == span) {
                        found = Some(arms.iter().map(|arm| arm.cond.clone()).collect::<Vec<_>>());
                    }
                });
                let open: Vec<i64> = st.pending.options.iter().map(|choice| choice.value).collect();
                for (index, cond) in found.unwrap_or_default().into_iter().enumerate() {
                    let Some(cond) = cond else { continue };
                    let fast = Val::Word(Some(i64::from(open.contains(&(index as i64)))));
                    let slow = self.slow(|slow| {
                        let mut env = window(slow);
                        slow.truth(&cond, &mut env)
                    });
                    let slow =
                        slow.map(|truth| Val::Word(Some(i64::from(truth)))).map_err(|code| code.text().to_owned());
                    self.compare("whether an option is open".to_owned(), cond.span, Ok(fast), slow);
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
                    self.domain(&domain, super::run::at(base, from), window);
                }
            }
            PendingKind::Action => {
                self.response(proc, window);
                self.actions(proc, site, &frame);
            }
            _ => {}
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

    /// First choices of actions lie in the domains of their first `choose`.
    fn actions(&mut self, _proc: &Proc, site: usize, frame: &super::state::Frame) {
        let (p, st) = (self.p, self.st);
        let options = Run { p: self.p, st: &mut self.copy, x: self.scratch }.options().into_owned();
        for (branch, act) in p.sites.actions[site].acts.iter().enumerate() {
            let body = p.actions[act.action.index()].body;
            let proc = &p.rules.procs[body.index()];
            let ProcBody::Block(stmts) = &proc.body else { continue };
            let first = stmts.iter().find(|stmt| !matches!(stmt.kind, StmtKind::Requires { .. }));
            let Some(StmtKind::Choose(choose)) = first.map(|stmt| &stmt.kind) else { continue };
            if !matches!(choose.qty, Qty::One) {
                continue;
            }
            let start = super::run::at(frame.base as usize, act.args);
            let slow = self.slow(|slow| {
                let mut env = slow.window(proc, &st.mem[start..]);
                env.me = word(st.pending.seat);
                slow.eval(&choose.domain, &mut env)
            });
            let offered = options.iter().filter(|choice| choice.branch == branch as i32 && choice.value != NIL);
            let offered: BTreeSet<i64> = offered.map(|choice| choice.value).collect();
            if offered.is_empty() {
                continue;
            }
            let slow = slow.map_err(|code| code.text().to_owned());
            let strange = match &slow {
                Ok(domain) => offered.difference(&domain.items().into_iter().collect()).next().is_some(),
                Err(_) => true,
            };
            self.found.compared += 1;
            if strange {
                self.compare("first choices".to_owned(), choose.span, Ok(Val::Set(offered)), slow);
            }
        }
    }
}

/// The domain of the `choose` at a place of a procedure.
fn choose_domain(proc: &Proc, span: Span) -> Option<&Expr> {
    let ProcBody::Block(stmts) = &proc.body else { return None };
    let mut found = None;
    each_choose(stmts, &mut |choose_span, domain| {
        if choose_span == span {
            found = Some(domain);
        }
    });
    found
}

fn each_choose<'e>(stmts: &'e [crate::model::rules::Stmt], f: &mut impl FnMut(Span, &'e Expr)) {
    for stmt in stmts {
        match &stmt.kind {
            StmtKind::Choose(choose) => f(choose.span, &choose.domain),
            StmtKind::ChooseOrder { domain, .. } => f(stmt.span, domain),
            StmtKind::ChooseOption { arms, .. } => arms.iter().for_each(|arm| each_choose(&arm.body, f)),
            StmtKind::Gate { chooses, pay, body, or_else, .. } => {
                chooses.iter().for_each(|choose| f(choose.span, &choose.domain));
                each_choose(pay.as_deref().unwrap_or_default(), f);
                each_choose(body, f);
                each_choose(or_else.as_deref().unwrap_or_default(), f);
            }
            StmtKind::Offer(offer) => {
                offer.terms.iter().for_each(|terms| f(terms.span, &terms.domain));
                each_choose(&offer.accepted, f);
                each_choose(&offer.refused, f);
            }
            StmtKind::If { body, or_else, .. } => {
                each_choose(body, f);
                each_choose(or_else, f);
            }
            StmtKind::Each { body, .. }
            | StmtKind::EachSecret { body, .. }
            | StmtKind::Repeat { body, .. }
            | StmtKind::RepeatTimes { body, .. }
            | StmtKind::Turns { body, .. }
            | StmtKind::Phase { body, .. } => each_choose(body, f),
            _ => {}
        }
    }
}

/// A word that may be missing.
fn word(word: i64) -> Option<i64> {
    (word != NIL).then_some(word)
}

impl Slow<'_> {
    /// References to the existing entities, of a kind.
    pub(super) fn existing(&self, kind: Option<crate::model::rules::KindId>) -> Vec<i64> {
        let rules = &self.p.rules;
        let slots = (0..self.p.layout.capacity).filter(|slot| {
            let record = self.p.layout.entity(*slot);
            let of = crate::model::rules::KindId(self.st.mem[record + ent::KIND] as u32);
            self.st.mem[record + ent::PLACE] != ent::NOWHERE
                && kind.is_none_or(|kind| crate::program::is_subkind(rules, of, kind))
        });
        slots.map(|slot| self.reference(slot)).collect()
    }

    /// A window of a procedure whose first words are given.
    pub(super) fn window(&self, proc: &Proc, words: &[i64]) -> Env {
        let mut at = 0;
        let locals = proc.locals.iter().map(|local| {
            let width = usize::from(self.p.layout.words(&local.ty));
            let value =
                words.get(at..at + width).map_or(Val::missing(&local.ty), |words| self.decode(words, &local.ty));
            at += width;
            value
        });
        Env { locals: locals.collect(), me: None, this: None, event: None }
    }
}

#[cfg(test)]
mod tests;
