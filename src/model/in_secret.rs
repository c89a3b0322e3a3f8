//! What seems to be chosen in secret and is not: questions behind the first choice of a `secret` block, wherever they stand.

use super::check::Checker;
use super::rules::walk::{asks, each_in, each_stmt};
use super::rules::{ProcId, Rules, Stmt, StmtKind, VerbId};
use crate::base::{Code, Diagnostic, Span};
use std::collections::BTreeSet;

impl Checker<'_> {
    /// Warns of what the rest of a `secret` block asks: it is asked of one after another.
    pub(super) fn check_secret_blocks(&mut self) {
        let mut found = Vec::new();
        for proc in &self.rules.procs {
            each_stmt(proc, &mut |stmt| {
                if let StmtKind::EachSecret { body, .. } = &stmt.kind
                    && let Some((span, asked)) = first_question(&self.rules, body)
                {
                    found.push(open_choice(span, asked));
                }
            });
        }
        found.into_iter().for_each(|found| self.report(found));
    }
}

fn open_choice(span: Span, asked: Span) -> Diagnostic {
    let message = "this is not chosen in secret: it is asked of one after another, who see what the others did";
    let found = Diagnostic::new(Code::OpenChoice, span, message);
    let found = if asked == span { found } else { found.label(asked, "it is asked here") };
    found.help(
        "only the first choice of a `secret` block is secret: write a block for each, and keep the answers of the first in a \
         zone; what is asked openly stands in a loop behind the block",
    )
}

/// The first statement that asks somebody, and where it does: verbs that are called count.
fn first_question(rules: &Rules, stmts: &[Stmt]) -> Option<(Span, Span)> {
    let mut found = None;
    each_in(stmts, &mut |stmt| {
        if found.is_none() {
            found = question(rules, stmt, &mut BTreeSet::new()).map(|asked| (stmt.span, asked));
        }
    });
    found
}

fn question(rules: &Rules, stmt: &Stmt, seen: &mut BTreeSet<ProcId>) -> Option<Span> {
    match &stmt.kind {
        StmtKind::Open { .. } => Some(stmt.span),
        StmtKind::Gate { must, chooses, .. } => (!must || !chooses.is_empty()).then_some(stmt.span),
        StmtKind::Call { verb, .. } => question_of(rules, *verb, seen),
        _ => asks(stmt).then_some(stmt.span),
    }
}

/// What a verb asks, in its own body or in verbs that it calls.
fn question_of(rules: &Rules, verb: VerbId, seen: &mut BTreeSet<ProcId>) -> Option<Span> {
    let body = rules.verbs.get(verb.index())?.body;
    if !seen.insert(body) {
        return None;
    }
    let mut found = None;
    each_stmt(rules.procs.get(body.index())?, &mut |stmt| {
        found = found.or_else(|| question(rules, stmt, seen));
    });
    found
}
