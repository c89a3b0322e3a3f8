//! Turns and phases, and what happens at their edges. A hook of a rule that only stores values is code in its place: it
//! runs where the edge is, unless something else waits there or somebody listens. All else the engine sees to.

use super::code::{Builder, Exit, Label};
use super::op::{Op, Slot};
use super::sites::TurnSite;
use crate::core::Pass;
use crate::model::rules::{
    Clause, ClauseHome, ClauseId, ClauseKind, Edge, Expr, ExprKind, HookEvent, ProcBody, ProcId, Rules, SpanId, Stage,
    Stmt, StmtKind, walk,
};
use std::collections::BTreeMap;

/// By turn or phase and edge: the rules' hooks that are code in their place.
pub(super) type Edges = BTreeMap<(SpanId, Edge), Vec<ClauseId>>;

/// Finds the edges whose hooks can be code in their place, and says whether that is all that the game's clauses are. What
/// cards bear is looked for when the edge is reached (`bearers`), or such edges are left alone.
pub(super) fn edges(rules: &Rules, bearers: bool) -> (Edges, bool) {
    let mut edges: Edges = BTreeMap::new();
    let mut others = Vec::new();
    let mut only = true;
    for (index, clause) in rules.clauses.iter().enumerate() {
        let plain = is_plain(rules, clause);
        only &= plain;
        if let ClauseKind::Hook { event: HookEvent::Span(edge, span), .. } = &clause.kind {
            match plain {
                true => edges.entry((*span, *edge)).or_default().push(ClauseId(index as u32)),
                false if !waits(clause, bearers) => {}
                false => others.push((*span, *edge)),
            }
        }
    }
    // Between two of them there may be something to check, if anything is ever checked.
    edges.retain(|edge, hooks| !others.contains(edge) && (only || hooks.len() == 1));
    (edges, only)
}

/// Whether a clause that hooks an edge may always act there.
fn waits(clause: &Clause, bearers: bool) -> bool {
    match clause.home {
        ClauseHome::Rule(_) => true,
        ClauseHome::Entry(_) | ClauseHome::Kind(_) => !bearers,
        ClauseHome::Armed => false,
    }
}

/// Whether a clause is the hook of a rule on the edge of a turn or phase that only stores values.
fn is_plain(rules: &Rules, clause: &Clause) -> bool {
    let ClauseKind::Hook {
        next: false,
        announced: false,
        may: false,
        stage: Stage::After,
        even_gone: false,
        event: HookEvent::Span(..),
        body: Some(body),
        cond,
    } = &clause.kind
    else {
        return false;
    };
    let always = matches!(clause.home, ClauseHome::Rule(group) if rules.groups[group.index()].when.is_none());
    let ProcBody::Block(stmts) = &rules.procs[body.index()].body else { return false };
    always && stmts.iter().all(stores) && cond.is_none_or(|cond| apart(&rules.procs[cond.index()].body))
}

/// Whether a statement only stores values, which it works out without the event that it hooks.
fn stores(stmt: &Stmt) -> bool {
    let mut fine = true;
    walk::stmt_exprs(stmt, &mut |expr| fine &= is_apart(expr));
    fine && match &stmt.kind {
        StmtKind::SetGameProp { .. } | StmtKind::SetProp { .. } | StmtKind::Local { .. } => true,
        StmtKind::If { body, or_else, .. } => body.iter().chain(or_else).all(stores),
        _ => false,
    }
}

fn apart(body: &ProcBody) -> bool {
    matches!(body, ProcBody::Expr(expr) if is_apart(expr))
}

/// Whether an expression asks nothing about the event at hand.
fn is_apart(expr: &Expr) -> bool {
    let mut fine = true;
    expr.walk(&mut |part| {
        fine &= !matches!(
            part.kind,
            ExprKind::Actor | ExprKind::Source | ExprKind::Cause | ExprKind::Changed | ExprKind::This
        );
    });
    fine
}

impl Builder<'_> {
    fn turn_site(&mut self, span: SpanId, player: Slot, among: Slot, first: Slot) -> u32 {
        let turns = self.rules.spans[span.index()].turns;
        let outermost = turns && self.rules.spans[span.index()].outermost;
        self.sites.turns.push(TurnSite {
            span,
            player,
            among,
            first,
            next: Slot::NONE,
            rounds: Slot::NONE,
            outermost,
            turns,
            range: (0, 0),
        });
        self.long(self.sites.turns.len() - 1)
    }

    pub(super) fn phase(&mut self, span: SpanId, body: &[Stmt]) {
        let end = self.label();
        let site = self.turn_site(span, self.env.me, Slot::NONE, Slot::NONE);
        self.emit(Op::SpanStart { site });
        self.loop_body(body, Exit::Span(span, end));
        self.bind(end);
        self.emit(Op::SpanEnd { site });
    }

    pub(super) fn turns(
        &mut self,
        span: SpanId,
        (from, among, goes_to): (&Expr, Option<&Expr>, Option<&Expr>),
        (rounds, until): (Option<&Expr>, Option<&Expr>),
        body: &[Stmt],
    ) {
        let (player, first, took_part, before) = (self.temp(1), self.temp(1), self.temp(1), self.temp(1));
        let (next, run, step, end) = (self.label(), self.label(), self.label(), self.label());
        self.into(from, player);
        self.copy(1, first, player);
        self.copy(1, before, self.env.me);
        let among_slot = if among.is_some() { took_part } else { Slot::NONE };
        let rounds_left = if rounds.is_some() { self.temp(1) } else { Slot::NONE };
        let asked = if goes_to.is_some() { self.temp(2) } else { Slot::NONE };
        let site = self.turn_site(span, player, among_slot, first);
        if let Some(turns) = self.sites.turns.last_mut() {
            (turns.rounds, turns.next) = (rounds_left, asked);
        }
        if let Some(rounds) = rounds {
            self.into(rounds, rounds_left);
        }
        if let Some(among) = among {
            self.into(among, took_part);
        }
        let to = self.to(end);
        self.emit(Op::TurnFirst { site, to });
        if let Some(until) = until {
            self.copy(1, self.env.me, player);
            self.sample_in(std::iter::once(until));
            self.jump(until, true, end);
        }
        let to = self.to(run);
        self.emit(Op::Jump { to });
        self.bind(next);
        if let Some(among) = among {
            // Who takes part is said by whoever `me` is around the turns.
            let mut speaks_of_me = false;
            among.walk(&mut |part| {
                speaks_of_me |= matches!(part.kind, ExprKind::Me | ExprKind::Opponents | ExprKind::Call(..));
            });
            if speaks_of_me {
                self.copy(1, self.env.me, before);
            }
            self.sample_in(std::iter::once(among));
            self.into(among, took_part);
            if speaks_of_me {
                self.copy(1, self.env.me, player);
            }
        }
        if let Some(goes_to) = goes_to {
            self.sample_in(std::iter::once(goes_to));
            self.into(goes_to, asked);
        }
        let to = self.to(end);
        self.emit(Op::TurnNext { site, to });
        self.bind(run);
        self.copy(1, self.env.me, player);
        let begun = self.start(site, span, player);
        let looks = |kind: &ClauseKind| matches!(kind, ClauseKind::Check { .. } | ClauseKind::Becomes { .. });
        if self.rules.clauses.iter().any(|clause| looks(&clause.kind)) {
            self.checkpoint(false);
        }
        self.loop_body(body, Exit::Span(span, step));
        self.bind(step);
        let passes = [among, goes_to, rounds, until].iter().all(Option::is_none) && self.env.me == Slot::ME;
        self.end(site, (span, player), passes.then_some(begun));
        if let Some(until) = until {
            self.sample_in(std::iter::once(until));
            self.jump(until, true, end);
        }
        let to = self.to(next);
        self.emit(Op::Jump { to });
        self.bind(end);
        self.copy(1, self.env.me, before);
    }

    /// The beginning of a turn. Gives the place where a turn begins that nothing has come before.
    fn start(&mut self, site: u32, span: SpanId, player: Slot) -> Label {
        let (slow, begun, begins) = (self.label(), self.label(), self.label());
        let Some(hooks) = self.edges.get(&(span, Edge::Start)).cloned() else {
            self.emit(Op::SpanStart { site });
            self.bind(begun);
            return begun;
        };
        let to = self.to(slow);
        self.emit(Op::EdgeOpen { site, start: true, to });
        self.bind(begins);
        let used = self.hooks(&hooks, player);
        let to = self.to(begun);
        self.emit(Op::Jump { to });
        self.bind(slow);
        self.emit(Op::SpanStart { site });
        self.bind(begun);
        self.leave_no_trace(used);
        begins
    }

    /// The end of a turn. Where nothing happens between it and the next one, that one begins at a place.
    fn end(&mut self, site: u32, (span, player): (SpanId, Slot), begins: Option<Label>) {
        let (slow, ended) = (self.label(), self.label());
        let hooked = self.edges.get(&(span, Edge::End)).cloned();
        let mut used = 0;
        if let Some(hooks) = &hooked {
            let to = self.to(slow);
            self.emit(Op::EdgeOpen { site, start: false, to });
            used = self.hooks(hooks, player);
            self.leave_no_trace(used);
        }
        let plain = |edge: &Edge| {
            let event = HookEvent::Span(*edge, span);
            let hooks = |clause: &&Clause| {
                matches!(clause.kind, ClauseKind::Hook { event: found, .. } if found == event)
                    && waits(clause, self.passes.contains(&Pass::Bearers))
            };
            self.edges.contains_key(&(span, *edge)) || !self.rules.clauses.iter().any(|clause| hooks(&clause))
        };
        if let (Some(begins), true) = (begins, [Edge::Start, Edge::End].iter().all(plain)) {
            let to = self.to(begins);
            self.emit(Op::TurnPass { site, to });
        }
        if hooked.is_some() {
            self.emit(Op::SpanOver { site });
            let to = self.to(ended);
            self.emit(Op::Jump { to });
            self.bind(slow);
        }
        self.emit(Op::SpanEnd { site });
        self.leave_no_trace(used);
        self.bind(ended);
    }

    /// What the hooks of an edge do: which of them act is asked before any does. Gives how many words they use.
    fn hooks(&mut self, hooks: &[ClauseId], player: Slot) -> u16 {
        self.used(|builder| builder.hooks_in_place(hooks, player))
    }

    fn hooks_in_place(&mut self, hooks: &[ClauseId], player: Slot) {
        let rules = self.rules;
        let mut acting = Vec::new();
        for clause in hooks {
            let ClauseKind::Hook { cond, body: Some(body), .. } = &rules.clauses[clause.index()].kind else { continue };
            let acts = cond.map(|cond| {
                let acts = self.temp(1);
                self.in_place(cond, player, |builder, body| {
                    if let ProcBody::Expr(cond) = body {
                        builder.into(cond, acts);
                    }
                });
                acts
            });
            acting.push((acts, *body));
        }
        for (acts, body) in acting {
            let over = self.label();
            if let Some(acts) = acts {
                let to = self.to(over);
                self.emit(Op::JumpFalse { a: acts, to });
            }
            self.in_place(body, player, |builder, body| {
                if let ProcBody::Block(stmts) = body {
                    builder.block(stmts, false);
                }
            });
            if self.quiet {
                self.bind(over);
                continue;
            }
            self.emit(Op::EdgeActed);
            self.bind(over);
            self.emit(Op::Checkpoint { always: true });
        }
    }

    /// The code of a hook's procedure, with its player bound.
    pub(super) fn in_place(&mut self, proc: ProcId, player: Slot, code: impl FnOnce(&mut Self, &ProcBody)) {
        let rules = self.rules;
        let proc = &rules.procs[proc.index()];
        let (role, span, verb) = (self.role, self.span, self.hook_verb.take());
        let (me, this) = (self.env.me, self.env.this);
        let env = std::mem::replace(&mut self.env, super::code::Env::new(Vec::new(), me, this));
        self.declare(&proc.locals, 0);
        (self.env.me, self.env.this, self.role) = (me, this, proc.role);
        if let (Some(own), 1..) = (self.env.locals.first_mut(), proc.params) {
            *own = player;
        }
        code(self, &proc.body);
        (self.env, self.role, self.span, self.hook_verb) = (env, role, span, verb);
    }
}
