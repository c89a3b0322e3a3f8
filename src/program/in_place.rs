//! Verbs in their place: what a verb does is code where it is called, as if it stood there. So it runs unless somebody listens,
//! who is told of the event; then the engine carries it out. Only a verb that nothing may hook, that asks nobody and calls no
//! chance is so: between its beginning and its end nothing can come.

use super::code::{Builder, Env};
use super::op::{Op, Slot};
use crate::core::Pass;
use crate::model::rules::walk::{each_block, each_stmt, stmt_exprs};
use crate::model::rules::{
    ClauseKind, Destination, ExprKind, HookEvent, Local, ProcBody, ProcRole, Rules, Stmt, StmtKind, VerbId,
};

/// Statements of a verb, and of those that it calls, at the most.
const MOST_STATEMENTS: usize = 4;
/// Instructions of a verb in its place, at the most.
const MOST_CODE: usize = 16;
/// Verbs that call each other, at the most.
const DEEPEST: usize = 4;
/// So many words are emptied by one instruction.
const CLEARED: usize = 16;

/// The verbs of which each call is code in its place.
pub(super) fn verbs_in_place(rules: &Rules) -> Vec<bool> {
    let hooked: Vec<VerbId> = rules
        .clauses
        .iter()
        .filter_map(|clause| match clause.kind {
            ClauseKind::Hook { event: HookEvent::Verb(verb), .. } => Some(verb),
            _ => None,
        })
        .collect();
    let fits = |verb: VerbId| size(rules, &hooked, verb, DEEPEST).is_some_and(|size| size <= MOST_STATEMENTS);
    (0..rules.verbs.len() as u32).map(VerbId).map(fits).collect()
}

/// How many statements a verb has, with those that it calls, if it can be code in its place.
fn size(rules: &Rules, hooked: &[VerbId], verb: VerbId, depth: usize) -> Option<usize> {
    let proc = &rules.procs[rules.verbs[verb.index()].body.index()];
    if hooked.contains(&verb) || depth == 0 {
        return None;
    }
    let mut size = Some(0_usize);
    each_stmt(proc, &mut |stmt| {
        let here = match &stmt.kind {
            StmtKind::Call { verb, .. } => self::size(rules, hooked, *verb, depth - 1).map(|size| size + 1),
            // Who calls it must find what was given as it was.
            StmtKind::Local { local, .. } if local.index() < usize::from(proc.params) => None,
            _ => only_changes(stmt).then_some(1),
        };
        size = size.zip(here).map(|(size, here)| size + here);
    });
    size
}

/// Whether a statement by itself only changes the game, and asks nothing about the event at hand.
fn only_changes(stmt: &Stmt) -> bool {
    let mut fine = match &stmt.kind {
        StmtKind::Move { to, .. } => !matches!(to, Destination::Nowhere),
        StmtKind::Local { .. }
        | StmtKind::SetProp { .. }
        | StmtKind::SetGameProp { .. }
        | StmtKind::Create { .. }
        | StmtKind::If { .. }
        | StmtKind::Each { at_once: false, .. } => true,
        // Where the game ends its state says who was doing what.
        _ => false,
    };
    stmt_exprs(stmt, &mut |expr| {
        expr.walk(&mut |part| {
            fine &= !matches!(
                part.kind,
                ExprKind::Actor
                    | ExprKind::Source
                    | ExprKind::Cause
                    | ExprKind::Changed
                    | ExprKind::This
                    | ExprKind::CallScript(..)
                    | ExprKind::CallLambda(..)
            );
        });
    });
    fine
}

impl Builder<'_> {
    /// Whether the calls of a verb are code in their place, in the procedure at hand.
    pub(super) fn is_in_place(&self, verb: VerbId) -> bool {
        let rules = self.rules;
        let ProcBody::Block(stmts) = &rules.procs[rules.verbs[verb.index()].body.index()].body else { return false };
        self.passes.contains(&Pass::Verbs)
            && self.in_place[verb.index()]
            && self.hook_verb.is_none()
            && !self.ask_for_tops(stmts)
            && calls_only(stmts, &mut |verb| self.is_in_place(verb))
    }

    /// A call whose verb is code in its place: its arguments lie at `args`.
    pub(super) fn verb_in_place(&mut self, verb: VerbId, site: u32, args: Slot) {
        let (slow, end) = (self.label(), self.label());
        let (begin, sets) = (self.ops.len(), self.sets.len());
        let to = self.to(slow);
        self.emit(Op::VerbOpen { site, to });
        let used = self.body_in_place(verb, args);
        // What a verb costs besides is nothing beside so much, and it would stand at each call.
        if self.ops.len() - begin > MOST_CODE {
            self.ops.truncate(begin);
            self.spans.truncate(begin);
            self.sets.truncate(sets);
            return self.emit(Op::Verb { site, args });
        }
        let to = self.to(end);
        self.emit(Op::Jump { to });
        self.bind(slow);
        self.emit(Op::Verb { site, args });
        self.bind(end);
        self.leave_no_trace(used);
    }

    /// What a verb does. Gives how many words it uses.
    fn body_in_place(&mut self, verb: VerbId, args: Slot) -> u16 {
        let rules = self.rules;
        let proc = &rules.procs[rules.verbs[verb.index()].body.index()];
        let ProcBody::Block(stmts) = &proc.body else { return 0 };
        self.used(|builder| builder.statements_in_place(verb, &proc.locals, stmts, args))
    }

    fn statements_in_place(&mut self, verb: VerbId, locals: &[Local], stmts: &[Stmt], args: Slot) {
        let rules = self.rules;
        let (role, span) = (std::mem::replace(&mut self.role, ProcRole::Verb), self.span);
        let env = std::mem::replace(&mut self.env, Env::new(Vec::new(), Slot::ME, Slot::THIS));
        self.declare(locals, 0);
        let mut at = args;
        for (index, param) in rules.verbs[verb.index()].params.iter().enumerate() {
            self.env.locals[index] = at;
            at = at.offset(self.layout.words(&param.ty));
        }
        self.block(stmts, false);
        (self.env, self.role, self.span) = (env, role, span);
    }

    /// How many words of the window code uses, which are given back behind it.
    pub(super) fn used(&mut self, code: impl FnOnce(&mut Self)) -> u16 {
        let mark = self.top;
        let most = std::mem::replace(&mut self.most, mark);
        code(self);
        self.release(mark);
        let used = self.most - mark;
        self.most = self.most.max(most);
        used
    }

    /// Empties so many words of the window, so that states are alike whether something was code in its place or not.
    pub(super) fn leave_no_trace(&mut self, used: u16) {
        let first = self.temp(0);
        for at in (0..used).step_by(CLEARED) {
            self.emit(Op::Clear { n: (used - at).min(CLEARED as u16) as u8, d: first.offset(at) });
        }
    }
}

/// Whether a condition holds of all verbs that statements call.
fn calls_only(stmts: &[Stmt], fits: &mut impl FnMut(VerbId) -> bool) -> bool {
    stmts.iter().all(|stmt| {
        let mut fine = match stmt.kind {
            StmtKind::Call { verb, .. } => fits(verb),
            _ => true,
        };
        each_block(stmt, &mut |block| fine = fine && calls_only(block, fits));
        fine
    })
}
