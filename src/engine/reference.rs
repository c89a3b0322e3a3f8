//! A second evaluator, slow and obvious, that holds the fast one to the language: it walks the checked expressions with
//! sets as sets and lists as lists, and its answers are compared with those of the compiled code.
//!
//! What comes in: the same program and state. What goes out: where the two differ, with the content line. It reads the
//! state's records through the layout and shares no instruction with the interpreter; only what suspends or leaves the
//! language (`P can ACTION`, scripts) is asked of it.

mod boards;
mod clauses;
mod decisions;
mod endless;
mod eval;
mod names;
mod places;
mod refused;
mod tables;
mod tiles;
mod why;

pub(crate) use refused::{NOT_AMONG, NOTHING, OTHER_SORT};
pub use why::{Breakdown, Join};

use super::Machine;
use super::run::Run;
use super::scratch::Scratch;
use super::state::{Event, Frame, Hook, NONE, State};
use super::tongue::Tongue;
use crate::base::{Code, Span};
use crate::model::rules::{
    Clause, ClauseKind, ExprKind, HookEvent, Proc, ProcBody, ProcId, PropClass, PropId, PropOwner, Rules, Stage,
    StmtKind, Ty, VerbId,
};
use crate::program::{NIL, Program, each_stmt, ent};
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
    let written = |name: &&&str| **name != "Flat";
    names::FORMS.iter().filter(written).chain(names::BUILTINS).map(|name| (*name).to_owned()).collect()
}

/// Those that stand somewhere in rules.
pub fn forms_in(rules: &Rules) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for proc in &rules.procs {
        crate::program::each_expr(proc, &mut |expr| {
            found.insert(names::form(&expr.kind).to_owned());
            if let ExprKind::Builtin(builtin, _) = &expr.kind {
                found.insert(names::builtin(builtin).to_owned());
            }
        });
    }
    found
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
            calls: 0,
        };
        f(&mut slow)
    }

    fn fast<T>(&mut self, f: impl FnOnce(&mut Run<'_>) -> Result<T, Box<super::GameError>>) -> Result<T, String> {
        self.scratch.budget = self.p.rules.work.unwrap_or(super::budget::BUDGET);
        let trace = self.scratch.trace.take();
        let result = f(&mut Run { p: self.p, st: &mut self.copy, x: self.scratch, tongue: Tongue::default() });
        self.scratch.trace = trace;
        if result.is_err() {
            self.copy.clone_from(self.st);
        }
        result.map_err(|error| error.code.to_owned())
    }

    fn compare(&mut self, what: String, span: Span, fast: Result<Val, String>, slow: Result<Val, String>) {
        self.found.compared += 1;
        // How long a list may be is a limit of the layout, which the reference does without.
        if fast.as_ref().is_err_and(|code| code == Code::ListTooLong.text()) {
            return;
        }
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
        // What modifies a stat may stand in its compiled formula: the two are compared as a whole.
        let modified = |clause: &Clause| {
            let ClauseKind::Modify { stat, .. } = clause.kind else { return false };
            matches!(self.p.rules.props[stat.index()].class, PropClass::Stat { formula } if formula == id)
        };
        if self.p.rules.clauses.iter().any(modified) {
            return;
        }
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
            Ty::Text => words((0..self.p.rules.texts.iter().count() as i64).collect()),
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
            self.st.mem[record + ent::PLACE] != ent::NOWHERE && kind.is_none_or(|kind| rules.is_below(of, kind))
        });
        slots.map(|slot| self.reference(slot)).collect()
    }

    /// Why what is done at hand happens, where no event is under way.
    pub(super) fn cause(&self) -> i64 {
        self.st.frames.last().map_or(1, |frame| i64::from(frame.cause))
    }

    /// A window of an action that has not begun: only its arguments lie at the address.
    pub(super) fn begun(&self, proc: &Proc, start: usize) -> Env {
        let args = &proc.locals[..usize::from(proc.params)];
        let width: usize = args.iter().map(|arg| usize::from(self.p.layout.words(&arg.ty))).sum();
        self.window(proc, self.st.mem.get(start..start + width).unwrap_or_default())
    }

    /// The window of a procedure that runs, whose words begin behind its `me` and `this`.
    pub(super) fn running(&mut self, frame: &Frame) -> Option<Env> {
        let (p, st) = (self.p, self.st);
        let (proc, base) = (p.rules.procs.get(frame.proc as usize)?, frame.base as usize);
        let mut env = self.window(proc, &st.mem[base + 2..]);
        (env.me, env.this) = (word(st.mem[base]), word(st.mem[base + 1]));
        env.event = st.events.get(frame.event as usize).copied();
        // Values that are worked out where they are used have no word of their own.
        let gone = &p.gone[frame.proc as usize];
        each_stmt(proc, &mut |stmt| {
            if let StmtKind::Local { local, value } = &stmt.kind
                && gone.contains(local)
                && let Ok(value) = self.eval(value, &mut env)
            {
                env.locals[local.index()] = value;
            }
        });
        Some(env)
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
