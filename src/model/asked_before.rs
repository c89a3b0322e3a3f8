//! Conditions of an action behind a draw, or a verb that asks another player or waits for chance. What comes of these is not looked at
//! before an action is offered, so whatever the condition is about, it may turn out not to hold, and then the game stops. Where a
//! question or chance stands in the action itself, a condition behind it is an error already.

use super::check::Checker;
use super::inplay::said_to_be;
use super::rules::walk::{asks, each_block, each_in};
use super::rules::{
    Choose, Clause, ClauseHome, ClauseKind, Expr, ExprKind, HookEvent, LocalId, Proc, ProcBody, ProcId, Stmt, StmtKind,
    VerbId,
};
use crate::base::{Code, Diagnostic, Span};
use std::collections::{BTreeMap, BTreeSet};

/// Where something stands of which nobody knows before what comes of it, and what it is.
type Open = (Span, &'static str);

const QUESTION: &str = "a question to another player";
const DRAW: &str = "a draw";

/// A statement that does something of the kind, and where in the verb this stands.
#[derive(Clone, Copy, Debug)]
struct Question {
    call: Span,
    asks: Span,
    what: &'static str,
}

impl Checker<'_> {
    /// Warns of an `ensure` or `requires` behind a verb that asks another player, or on which a clause does.
    pub(super) fn check_asked_before(&mut self) {
        let mut found = BTreeMap::new();
        for action in &self.rules.actions {
            if let Some(Proc { body: ProcBody::Block(stmts), .. }) = self.rules.procs.get(action.body.index()) {
                self.asked_in(stmts, None, &mut found);
            }
        }
        for (at, (word, question)) in found {
            let message = format!("`{word}` stands behind {}", question.what);
            let diagnostic = Diagnostic::new(Code::AskedBefore, at, message)
                .label(question.call, if question.call == question.asks { "here" } else { "in this" })
                .note("where it does not hold then, the game stops (E0903): the action was offered")
                .help("write it before that; or say with `if` what happens where it does not hold");
            let inner = (question.call != question.asks).then_some(question.asks);
            let diagnostic = inner.into_iter().fold(diagnostic, |diagnostic, asks| diagnostic.label(asks, "here"));
            self.report(diagnostic);
        }
    }

    /// Goes through a block behind a question; gives the one that its end is behind.
    fn asked_in(
        &self,
        stmts: &[Stmt],
        mut behind: Option<Question>,
        found: &mut BTreeMap<Span, (&'static str, Question)>,
    ) -> Option<Question> {
        for stmt in stmts {
            let word = match stmt.kind {
                StmtKind::Ensure { .. } => "ensure",
                StmtKind::Requires { lenient: false, .. } => "requires",
                _ => "",
            };
            // Of one behind a question or chance in the action itself it is said elsewhere.
            let told = |question: &Question| question.what != DRAW && question.call == question.asks;
            if let (false, Some(question)) = (word.is_empty(), behind.filter(|question| !told(question))) {
                found.entry(stmt.span).or_insert((word, question));
            }
            let mut within = behind;
            each_block(stmt, &mut |block| within = within.or(self.asked_in(block, behind, found)));
            let again =
                matches!(stmt.kind, StmtKind::Each { .. } | StmtKind::Repeat { .. } | StmtKind::RepeatTimes { .. });
            if again && behind.is_none() && within.is_some() {
                each_block(stmt, &mut |block| _ = self.asked_in(block, within, found));
            }
            behind = within.or_else(|| {
                let (asks, what) = self.asks_another(stmt, &|_| false, &mut BTreeSet::new())?;
                Some(Question { call: stmt.span, asks, what })
            });
        }
        behind
    }

    /// Where a statement itself may draw, wait for chance, or ask somebody else than who does the action. `mine` says which parameters are that player.
    fn asks_another(
        &self,
        stmt: &Stmt,
        mine: &dyn Fn(LocalId) -> bool,
        seen: &mut BTreeSet<(ProcId, Vec<bool>)>,
    ) -> Option<Open> {
        let is_me = |by: &Expr| match by.kind {
            ExprKind::Me => true,
            ExprKind::Local(local) => mine(local),
            _ => false,
        };
        let by_another = |by: &Option<Expr>| by.as_ref().is_some_and(|by| !is_me(by));
        let asks = match &stmt.kind {
            StmtKind::Choose(choose) => by_another(&choose.by),
            StmtKind::ChooseAction { by, .. }
            | StmtKind::ChooseOption { by, .. }
            | StmtKind::ChooseOrder { by, .. }
            | StmtKind::ChooseSplit { by, .. } => by_another(by),
            StmtKind::Gate { must, by, chooses, .. } => {
                let choosing = |choose: &Choose| by_another(&choose.by);
                (!must || !chooses.is_empty()) && by_another(by) || chooses.iter().any(choosing)
            }
            StmtKind::EachSecret { .. } | StmtKind::Offer(_) | StmtKind::Open { .. } => true,
            StmtKind::Call { verb: id, args, .. } => {
                let verb = self.rules.verbs.get(id.index())?;
                let is_default = |index: usize| {
                    let default = verb.params.get(index).and_then(|param| param.default);
                    let default = default.and_then(|proc| self.rules.procs.get(proc.index()));
                    default
                        .is_some_and(|proc| matches!(&proc.body, ProcBody::Expr(by) if matches!(by.kind, ExprKind::Me)))
                };
                let given = args.iter().enumerate();
                let args = given.map(|(index, arg)| arg.as_ref().map_or_else(|| is_default(index), is_me));
                return self.verb_asks(*id, args.collect(), seen);
            }
            // The texts of cards ask who does them.
            StmtKind::Do { field, args, by, .. } if !by_another(by) => {
                let args: Vec<bool> = args.iter().map(is_me).collect();
                let procs = self.effect_procs.get(field)?;
                return procs.iter().find_map(|proc| self.proc_asks(*proc, args.clone(), seen));
            }
            StmtKind::Roll { .. } => return Some((stmt.span, "a roll")),
            StmtKind::Random { .. } => return Some((stmt.span, "what is random")),
            StmtKind::Move { what, .. } if self.draws(what) => return Some((stmt.span, DRAW)),
            _ => false,
        };
        asks.then_some((stmt.span, QUESTION))
    }

    /// Where a verb may ask somebody else, or what acts on it.
    fn verb_asks(&self, verb: VerbId, args: Vec<bool>, seen: &mut BTreeSet<(ProcId, Vec<bool>)>) -> Option<Open> {
        let body = self.rules.verbs.get(verb.index())?.body;
        self.proc_asks(body, args.clone(), seen)
            .or_else(|| self.rules.clauses.iter().find_map(|clause| self.hook_asks(clause, verb, args.clone(), seen)))
    }

    /// Where a hook on a verb may ask somebody else: one of a rule, which asks those whom it names, or one of a card that acts when
    /// its holder is another player whom the verb is about.
    fn hook_asks(
        &self,
        clause: &Clause,
        verb: VerbId,
        mut args: Vec<bool>,
        seen: &mut BTreeSet<(ProcId, Vec<bool>)>,
    ) -> Option<Open> {
        let ClauseKind::Hook { event: HookEvent::Verb(of), cond, body: Some(body), .. } = &clause.kind else {
            return None;
        };
        if *of != verb {
            return None;
        }
        let cond = cond.and_then(|cond| self.rules.procs.get(cond.index())).map(|proc| &proc.body);
        let holders = match cond {
            Some(ProcBody::Expr(cond)) => said_to_be(cond, |kind| matches!(kind, ExprKind::Me)),
            _ => Vec::new(),
        };
        if matches!(clause.home, ClauseHome::Rule(_)) {
            for local in holders {
                if let Some(arg) = args.get_mut(local.index()) {
                    *arg = true;
                }
            }
            return self.proc_asks(*body, args, seen);
        }
        let another = holders.iter().any(|local| args.get(local.index()) == Some(&false));
        let ProcBody::Block(stmts) = &self.rules.procs.get(body.index())?.body else { return None };
        let mut found = None;
        each_in(stmts, &mut |stmt| {
            let gate = matches!(&stmt.kind, StmtKind::Gate { must, chooses, .. } if !must || !chooses.is_empty());
            found = found.or((another && (gate || asks(stmt))).then_some((stmt.span, QUESTION)));
        });
        found
    }

    /// Where a procedure may ask somebody else than who does the action; `args` says which of its parameters are that player.
    fn proc_asks(&self, proc: ProcId, args: Vec<bool>, seen: &mut BTreeSet<(ProcId, Vec<bool>)>) -> Option<Open> {
        if !seen.insert((proc, args.clone())) {
            return None;
        }
        let ProcBody::Block(stmts) = &self.rules.procs.get(proc.index())?.body else { return None };
        self.block_asks(stmts, &|local| args.get(local.index()) == Some(&true), seen)
    }

    fn block_asks(
        &self,
        stmts: &[Stmt],
        mine: &dyn Fn(LocalId) -> bool,
        seen: &mut BTreeSet<(ProcId, Vec<bool>)>,
    ) -> Option<Open> {
        stmts.iter().find_map(|stmt| {
            let mut found = self.asks_another(stmt, mine, seen);
            if let (None, StmtKind::ChooseAction { acts, or_else, .. }) = (found, &stmt.kind) {
                let mut acts = acts.iter().chain(or_else);
                found = acts.find_map(|act| {
                    let action = self.rules.actions.get(act.action.index())?;
                    self.proc_asks(action.body, vec![false; act.args.len()], seen)
                });
            }
            each_block(stmt, &mut |block| {
                if found.is_none() {
                    found = self.block_asks(block, mine, seen);
                }
            });
            found
        })
    }
}
