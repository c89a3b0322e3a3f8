//! Guards of actions: code that says, before anything is chosen, whether every later choice of an action has a
//! candidate. Where that cannot be said beforehand, first choices are tried on a scratch state instead.

use super::ProcCode;
use super::code::{Builder, Env, Label};
use super::exprs::board_of;
use super::layout::{Repr, repr};
use super::op::{Op, Slot};
use super::sites::{FirstChoice, Sites};
use crate::base::Span;
use crate::core::says_some;
use crate::model::rules::walk::each_block;
use crate::model::rules::{
    Action, ActionId, Builtin, Choose, Expr, ExprKind, LocalId, Proc, ProcBody, ProcRole, Qty, Rules, Stmt, StmtKind,
};
use std::collections::BTreeSet;

/// What is known on a path through an action.
#[derive(Clone, Default)]
struct Path<'r> {
    /// Locals that depend on a choice.
    chosen: BTreeSet<LocalId>,
    /// Locals that are one member each of a set.
    taken: Vec<(LocalId, &'r Expr)>,
    /// Whether the first choice lies behind.
    begun: bool,
    /// Whether anything has changed.
    changed: bool,
    /// Whether another player may have chosen: nothing behind that is looked at before.
    others: bool,
}

/// Why the choices of an action are searched on a copy of the state: no code can say in advance whether they lead on.
#[derive(Clone, Copy, Debug)]
pub struct Tried {
    /// The statement.
    pub span: Span,
    /// The reason, in an author's words.
    pub why: &'static str,
}

const BEHIND_CHANGE: &str = "its candidates are known only after the statements before it have run";
const BY_CHOICE: &str = "its candidates depend on an earlier choice";
const BY_OTHERS: &str = "another player chooses before it";
const CONDITION: &str = "the condition depends on an earlier choice or change";
const ENSURED: &str = "an `ensure` is checked after everything before it has run";
const BRANCHES: &str = "an earlier choice or change decides whether its choices are made";
const INNER: &str = "its choices stand in a loop or in a block of their own";
const PILE: &str = "the top of a pile is not known in advance";

/// The action is never legal with these options.
struct Impossible;

impl<'r> Builder<'r> {
    /// The guard of an action, if it needs one, and why its choices must be tried out, if they must.
    pub(super) fn guard(&mut self, action: &Action) -> (Option<ProcCode>, Option<Tried>) {
        let rules = self.rules;
        let proc = &rules.procs[action.body.index()];
        let ProcBody::Block(stmts) = &proc.body else { return (None, None) };
        self.begin(ProcRole::Pure, None, proc.span);
        let params = self.declare(&proc.locals, usize::from(proc.params));
        let (fail, one, zero) = (self.label(), self.word(1), self.word(0));
        let before = self.ops.len();
        if let Err(tried) = self.guard_block(stmts, &mut Path::default(), fail) {
            return (None, Some(tried));
        }
        if self.ops.len() == before {
            return (None, None);
        }
        self.emit(Op::Return { n: 1, a: one });
        self.bind(fail);
        self.emit(Op::Return { n: 1, a: zero });
        (Some(self.finish(params, 1)), None)
    }

    /// Code that finds what an action can begin with where it is offered, so that its procedure need not be entered.
    /// Only an action that begins with conditions and at most a plain choice has it.
    pub(super) fn opening(&mut self, action: ActionId, args: Slot, me: Slot, drawn: bool) -> Option<FirstChoice> {
        let rules = self.rules;
        let (guarded, tried) = self.guarded[action.index()];
        let proc = &rules.procs[rules.actions[action.index()].body.index()];
        let ProcBody::Block(stmts) = &proc.body else { return None };
        let plain = |stmt: &Stmt| matches!(stmt.kind, StmtKind::Local { .. } | StmtKind::Requires { .. });
        let first = stmts.iter().position(|stmt| !plain(stmt)).unwrap_or(stmts.len());
        let (before, rest) = stmts.split_at(first);
        let choose = match rest.first().map(|stmt| &stmt.kind) {
            Some(StmtKind::Choose(choose)) => Some(choose),
            _ => None,
        };
        let fits = match choose {
            Some(choose) => {
                let several = matches!(repr(&choose.domain.ty), Repr::Mask | Repr::Sites | Repr::Entities);
                several && matches!(choose.qty, Qty::One) && choose.by.is_none()
            }
            None => !restricts(rest) && !asks_by_itself(rest),
        };
        let looked_at = before.len() + usize::from(choose.is_some());
        if tried || !fits || self.ask_for_tops(&stmts[..looked_at]) {
            return None;
        }
        let counted = self.predicates.clone();
        let begin = self.ops.len();
        let outer = self.enter_action(proc, stmts, args, me);
        let fail = self.label();
        let kind = choose.map_or(Repr::Word, |choose| repr(&choose.domain.ty));
        let d = self.temp(self.layout.set_words(kind).into());
        let drawn = drawn && choose.is_some_and(|choose| self.later_filter(choose).is_some());
        if drawn
            || guarded
            || before.iter().any(|stmt| matches!(stmt.kind, StmtKind::Requires { .. }))
            || choose.is_none()
        {
            let nothing = if choose.is_some() { self.empty() } else { self.word(0) };
            self.copy(self.layout.set_words(kind).into(), d, nothing);
        }
        if drawn {
            let to = self.to(fail);
            self.emit(Op::Drawn { action: action.index() as u32, to });
        }
        let possible = self.opening_code(proc, stmts, first, (d, fail)).is_ok();
        self.bind(fail);
        self.predicates = counted;
        let (env, span) = outer;
        (self.env, self.span) = (env, span);
        let d = if possible {
            d
        } else {
            self.ops.truncate(begin);
            self.spans.truncate(begin);
            if choose.is_some() { self.empty() } else { self.word(0) }
        };
        Some(if choose.is_some() { FirstChoice::Set(kind, d) } else { FirstChoice::Whole(d) })
    }

    /// Whether statements, or those within them, ask for cards at the top of a pile, which must be known before.
    pub(super) fn ask_for_tops(&self, stmts: &[Stmt]) -> bool {
        let mut found = false;
        super::walk::each_in(stmts, &mut |stmt| {
            super::walk::stmt_exprs(stmt, &mut |expr| found |= self.asked_tops.asks(expr));
        });
        found
    }

    /// Takes the names of an action, whose arguments stand somewhere; gives those of before.
    fn enter_action(&mut self, proc: &Proc, stmts: &[Stmt], args: Slot, me: Slot) -> (Env, Span) {
        let (mut locals, mut at) = (Vec::new(), args);
        for (index, local) in proc.locals.iter().enumerate() {
            let words = self.layout.words(&local.ty);
            if index >= usize::from(proc.params) {
                locals.push(self.temp(words));
                continue;
            }
            let own = if sets(stmts, LocalId(index as u32)) { self.temp(words) } else { at };
            if own != at {
                self.copy(words, own, at);
            }
            locals.push(own);
            at = at.offset(words);
        }
        let env = Env::new(locals, me, self.env.this);
        (std::mem::replace(&mut self.env, env), self.span)
    }

    /// Jumps to `fail` where an action is illegal; else puts what it can begin with into `d`.
    fn opening_code(
        &mut self,
        proc: &Proc,
        stmts: &'r [Stmt],
        first: usize,
        (d, fail): (Slot, Label),
    ) -> Result<(), Impossible> {
        for stmt in &stmts[..first] {
            self.span = stmt.span;
            match &stmt.kind {
                StmtKind::Local { local, value } => {
                    let d = self.local(*local);
                    self.into(value, d);
                }
                StmtKind::Requires { cond, .. } => {
                    let from = self.ops.len();
                    self.jump(cond, false, fail);
                    let to = self.to(fail);
                    if matches!(self.ops[from..].first(), Some(Op::Jump { to: first }) if *first == to) {
                        return Err(Impossible);
                    }
                }
                _ => {}
            }
        }
        let mut path = Path::default();
        match stmts.get(first).map(|stmt| &stmt.kind) {
            Some(StmtKind::Choose(choose)) => {
                path.take(choose);
                // What is given another value behind the choice still has its own where the choice is worked out.
                let names = self.env.locals.clone();
                for (index, local) in proc.locals.iter().enumerate() {
                    let given = index < usize::from(proc.params) || sets(&stmts[..first], LocalId(index as u32));
                    if given && sets(&stmts[first + 1..], LocalId(index as u32)) {
                        let words = self.layout.words(&local.ty);
                        let other = self.temp(words);
                        self.copy(words, other, names[index]);
                        self.env.locals[index] = other;
                    }
                }
                // INVARIANT: the guard was compiled before, from the same statements.
                let _ = self.guard_block(&stmts[first + 1..], &mut path, fail);
                self.env.locals = names;
                self.into(&choose.domain, d);
            }
            _ => {
                let one = self.word(1);
                self.emit(Op::Copy { d, a: one });
            }
        }
        Ok(())
    }

    fn guard_block(&mut self, stmts: &'r [Stmt], path: &mut Path<'r>, fail: Label) -> Result<(), Tried> {
        for stmt in stmts {
            self.span = stmt.span;
            self.guard_stmt(stmt, path, fail)?;
        }
        Ok(())
    }

    fn guard_stmt(&mut self, stmt: &'r Stmt, path: &mut Path<'r>, fail: Label) -> Result<(), Tried> {
        let tried = |why| Tried { span: stmt.span, why };
        if path.others && restricts(std::slice::from_ref(stmt)) {
            return Err(tried(BY_OTHERS));
        }
        // What lies on a pile is known when it is asked for, and not before the first choice.
        if path.begun && self.ask_for_tops(std::slice::from_ref(stmt)) {
            if restricts(std::slice::from_ref(stmt)) {
                return Err(tried(PILE));
            }
            match stmt.kind {
                StmtKind::Local { local, .. } => {
                    path.set(local);
                    path.chosen.insert(local);
                }
                _ => path.changed = true,
            }
            return Ok(());
        }
        match &stmt.kind {
            StmtKind::Local { local, value } => {
                path.set(*local);
                if depends(value, path) || path.changed {
                    path.chosen.insert(*local);
                } else {
                    let d = self.local(*local);
                    self.into(value, d);
                }
            }
            StmtKind::Choose(choose) => self.guard_choose(choose, path, fail)?,
            StmtKind::If { cond, body, or_else } => {
                if depends(cond, path) || path.changed {
                    if restricts(body) || restricts(or_else) {
                        return Err(tried(BRANCHES));
                    }
                    path.changed = true;
                    return Ok(());
                }
                if [body, or_else].into_iter().flatten().all(only_changes) {
                    path.changed = true;
                    return Ok(());
                }
                let (other, end) = (self.label(), self.label());
                self.jump(cond, false, other);
                let mut left = path.clone();
                self.guard_block(body, &mut left, fail)?;
                let to = self.to(end);
                self.emit(Op::Jump { to });
                self.bind(other);
                let mut right = path.clone();
                self.guard_block(or_else, &mut right, fail)?;
                self.bind(end);
                // Where the branches disagree on the first choice, a later choice cannot be told from a first.
                path.changed = left.changed || right.changed || left.begun != right.begun;
                path.begun = left.begun || right.begun;
                path.others = left.others || right.others;
                path.chosen = left.chosen.union(&right.chosen).copied().collect();
                path.taken.clear();
            }
            StmtKind::Requires { cond, .. } => {
                if path.begun {
                    if depends(cond, path) || path.changed {
                        return Err(tried(CONDITION));
                    }
                    self.jump(cond, false, fail);
                } else if path.changed {
                    return Err(tried(CONDITION));
                }
            }
            StmtKind::Ensure { .. } => return Err(tried(ENSURED)),
            _ => {
                if !is_byway(stmt) && inner_restricts(stmt) {
                    return Err(tried(INNER));
                }
                path.changed = true;
            }
        }
        Ok(())
    }

    fn guard_choose(&mut self, choose: &'r Choose, path: &mut Path<'r>, fail: Label) -> Result<(), Tried> {
        if path.begun || path.changed {
            let optional = choose.qty.is_optional();
            let sure = match &choose.qty {
                Qty::One => true,
                Qty::Between(low, _) => matches!(low.kind, ExprKind::Word(low) if low > 0),
            };
            let implied = !path.changed
                && matches!(choose.qty, Qty::One)
                && path.taken.iter().any(|(local, from)| says_some(self.rules, *local, from, &choose.domain));
            if !optional && !implied && members_at_least(self.rules, &choose.domain) < fewest(&choose.qty) {
                let by = choose.by.as_ref();
                if path.changed || depends(&choose.domain, path) || by.is_some_and(|by| depends(by, path)) || !sure {
                    let why = if path.changed { BEHIND_CHANGE } else { BY_CHOICE };
                    return Err(Tried { span: choose.span, why });
                }
                // What another player chooses from nothing is nothing.
                let others = self.label();
                if let Some(by) = by {
                    let (a, to) = (self.expr(by), self.to(others));
                    self.emit(Op::JumpEq { on: false, a, b: self.env.me, to });
                }
                if let ExprKind::Range(low, high) = &choose.domain.kind {
                    let (a, b) = (self.expr(low), self.expr(high));
                    let to = self.to(fail);
                    self.emit(Op::JumpLe { on: false, a, b, to });
                } else {
                    let a = self.expr(&choose.domain);
                    let to = self.to(fail);
                    let kind = repr(&choose.domain.ty);
                    let w = self.layout.set_words(kind);
                    self.emit(if kind == Repr::Word { Op::JumpNil { a, to } } else { Op::JumpEmpty { w, a, to } });
                }
                self.bind(others);
            }
        }
        path.take(choose);
        Ok(())
    }
}

impl<'r> Path<'r> {
    /// A local has another value from here on.
    fn set(&mut self, local: LocalId) {
        self.taken.retain(|(taken, from)| *taken != local && !from.mentions(local));
    }

    /// A choice lies behind.
    fn take(&mut self, choose: &'r Choose) {
        self.begun = true;
        self.others |= choose.by.is_some();
        self.chosen.insert(choose.local);
        if matches!(choose.qty, Qty::One) {
            self.taken.push((choose.local, &choose.domain));
        }
    }
}

/// How many members a set has at the least, as far as that is seen in how it is written.
fn members_at_least(rules: &Rules, domain: &Expr) -> i64 {
    match &domain.kind {
        ExprKind::ToSet(inner) | ExprKind::ToList(inner) => members_at_least(rules, inner),
        ExprKind::List(_) => values_written(domain),
        ExprKind::Range(from, to) => match (super::walk::constant(rules, from), super::walk::constant(rules, to)) {
            (Some(from), Some(to)) => to.saturating_sub(from).saturating_add(1).max(0),
            _ => 0,
        },
        ExprKind::Builtin(Builtin::Directions, _) => {
            let used = rules.boards.get(usize::from(board_of(&domain.ty))).map_or(0, |board| board.geometry.used);
            i64::from(used.count_ones())
        }
        _ => 0,
    }
}

/// How many values are written down as the members of a set: those of an enum are.
fn values_written(domain: &Expr) -> i64 {
    let ExprKind::List(items) = &domain.bare().kind else { return 0 };
    let words = items.iter().filter_map(|item| match item.kind {
        ExprKind::Word(word) => Some(word),
        _ => None,
    });
    words.collect::<BTreeSet<i64>>().len() as i64
}

/// How many a choice takes at the least; more than there can be where that is not written down.
fn fewest(qty: &Qty) -> i64 {
    match qty {
        Qty::One => 1,
        Qty::Between(low, _) => match low.kind {
            ExprKind::Word(low) => low,
            _ => i64::MAX,
        },
    }
}

/// Whether one of these statements sees for itself whether there is anything to do.
fn asks_by_itself(stmts: &[Stmt]) -> bool {
    let mut found = false;
    super::walk::each_in(stmts, &mut |stmt| {
        found |= match &stmt.kind {
            StmtKind::ChooseOrder { .. } | StmtKind::EachSecret { .. } | StmtKind::Offer(_) => true,
            StmtKind::Gate { chooses, .. } => !chooses.is_empty(),
            _ => false,
        };
    });
    found
}

fn depends(expr: &Expr, path: &Path<'_>) -> bool {
    let mut found = false;
    expr.walk(&mut |expr| {
        found |= matches!(expr.kind, ExprKind::Local(local) if path.chosen.contains(&local));
    });
    found
}

/// Whether one of these statements, or of those within them, gives a local a value.
fn sets(stmts: &[Stmt], which: LocalId) -> bool {
    let mut found = false;
    super::walk::each_in(stmts, &mut |stmt| {
        found |= matches!(stmt.kind, StmtKind::Local { local, .. } if local == which);
    });
    found
}

/// Whether statements can make a path through an action a dead end.
pub(super) fn restricts(stmts: &[Stmt]) -> bool {
    stmts.iter().any(|stmt| match &stmt.kind {
        StmtKind::Choose(choose) => !choose.qty.is_optional() && values_written(&choose.domain) < fewest(&choose.qty),
        StmtKind::Requires { .. } | StmtKind::Ensure { .. } => true,
        _ => !is_byway(stmt) && inner_restricts(stmt),
    })
}

/// Whether a statement can be no dead end, and gives no name a value.
fn only_changes(stmt: &Stmt) -> bool {
    match &stmt.kind {
        StmtKind::Local { .. } | StmtKind::Choose(_) | StmtKind::Requires { .. } | StmtKind::Ensure { .. } => false,
        StmtKind::If { body, or_else, .. } => [body, or_else].into_iter().flatten().all(only_changes),
        _ => is_byway(stmt) || !inner_restricts(stmt),
    }
}

/// Whether an action's player may always pass by what can be a dead end in a statement: an answer that leads into one is
/// not offered, and another is.
pub(super) fn is_byway(stmt: &Stmt) -> bool {
    match &stmt.kind {
        StmtKind::ChooseOption { by: None, arms, .. } => {
            arms.iter().any(|arm| arm.cond.is_none() && !restricts(&arm.body))
        }
        StmtKind::Gate { must: false, by: None, or_else, .. } => or_else.as_ref().is_none_or(|body| !restricts(body)),
        _ => false,
    }
}

pub(super) fn inner_restricts(stmt: &Stmt) -> bool {
    // What comes of an offer is another player's answer, and not looked at before it.
    if matches!(stmt.kind, StmtKind::Offer(_)) {
        return false;
    }
    let mut found = false;
    each_block(stmt, &mut |block| found |= restricts(block));
    found
}

/// How many instructions of an action, which stands at `entry`, lie before all that can make it a dead end is behind. What
/// its player can pass by does not count.
pub(super) fn tried_until(code: &[Op], entry: u32, sites: &Sites, byways: &[(u32, u32)]) -> u32 {
    let ends = |op: &Op| match op {
        Op::Requires { .. } | Op::Ensure { .. } => true,
        Op::Choose { site } => {
            let site = &sites.chooses[*site as usize];
            site.in_action && !site.in_gate && !site.optional
        }
        _ => false,
    };
    let passed = |at: u32| byways.iter().any(|(from, to)| (*from..*to).contains(&at));
    let last = code.iter().enumerate().rposition(|(at, op)| ends(op) && !passed(entry + at as u32));
    let mut until = last.map_or(0, |last| last + 1);
    // What stands in a loop may come again.
    let back = |(at, op): (usize, &Op)| super::code::target(&mut { *op }).map(|to| (usize::from(*to), at));
    while let Some((_, end)) = code.iter().enumerate().filter_map(back).find(|(to, at)| *to < until && until <= *at) {
        until = end + 1;
    }
    until as u32
}
