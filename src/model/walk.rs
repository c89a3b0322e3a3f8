//! Walks over the tree where only names matter: which spans a body opens, and which names a clause mentions.

use std::collections::BTreeSet;

use super::locale::fillings;
use crate::syntax::ast::{
    ArmSpan, Block, Choose, Clause, ClauseKind, CreateAt, Created, Expr, ExprKind, Ident, OfferPart, Qty, RepeatTest,
    Stmt, StmtKind,
};

/// Calls `found` with the name of every `turns` and `phase` in a block, whether it is a `turns`, and whether another
/// `turns` encloses it.
pub(super) fn spans<'a>(block: &'a Block, nested: bool, found: &mut impl FnMut(&'a Ident, bool, bool)) {
    for stmt in &block.stmts {
        let mut inner = nested;
        match &stmt.kind {
            StmtKind::Turns { name, .. } => {
                found(name, true, nested);
                inner = true;
            }
            StmtKind::Phase { name, .. } => found(name, false, nested),
            _ => {}
        }
        for block in blocks(stmt) {
            spans_dyn(block, inner, found);
        }
    }
}

/// Stops the type of the closure from growing with the nesting.
fn spans_dyn<'a>(block: &'a Block, nested: bool, found: &mut impl FnMut(&'a Ident, bool, bool)) {
    spans(block, nested, found);
}

/// The blocks directly within a statement.
fn blocks(stmt: &Stmt) -> Vec<&Block> {
    match &stmt.kind {
        StmtKind::ChooseOption { arms, .. } => arms.iter().map(|arm| &arm.body).collect(),
        StmtKind::Gate { pay, body, or_else, .. } => pay.iter().chain([body]).chain(or_else).collect(),
        StmtKind::Offer { accepted, refused, .. } => std::iter::once(accepted).chain(refused).collect(),
        StmtKind::If { body, or_else, .. } => std::iter::once(body).chain(or_else).collect(),
        StmtKind::Each { body, .. }
        | StmtKind::Repeat { body, .. }
        | StmtKind::Turns { body, .. }
        | StmtKind::Phase { body, .. } => vec![body],
        _ => Vec::new(),
    }
}

/// Every plain name that the clauses mention, bound there or not.
pub(super) fn mentioned<'a>(clauses: impl IntoIterator<Item = &'a Clause>) -> BTreeSet<String> {
    let mut names = Names(BTreeSet::new());
    for clause in clauses {
        names.clause(clause);
    }
    names.0
}

/// Every plain name that an expression mentions.
pub(super) fn mentioned_by(expr: &Expr) -> BTreeSet<String> {
    let mut names = Names(BTreeSet::new());
    names.expr(expr);
    names.0
}

struct Names(BTreeSet<String>);

impl Names {
    fn clause(&mut self, clause: &Clause) {
        match &clause.kind {
            ClauseKind::Hook { cond, body, .. } => {
                self.exprs(cond);
                if let Some(block) = body {
                    self.block(block);
                }
            }
            ClauseKind::Becomes { cond, body, .. } | ClauseKind::Check { cond, body } => {
                self.expr(cond);
                self.block(body);
            }
            ClauseKind::Modify { at, of, value, when, .. } => {
                self.exprs(at);
                self.expr(of);
                self.expr(value);
                self.exprs(when);
            }
        }
    }

    fn exprs<'e>(&mut self, exprs: impl IntoIterator<Item = &'e Expr>) {
        for expr in exprs {
            self.expr(expr);
        }
    }

    fn block(&mut self, block: &Block) {
        for stmt in &block.stmts {
            self.stmt(stmt);
            for inner in blocks(stmt) {
                self.block(inner);
            }
        }
    }

    /// Words in the braces of a text.
    fn text(&mut self, text: &Ident) {
        for inside in fillings(&text.text) {
            for word in inside.split(|char: char| !char.is_ascii_alphanumeric() && char != '_') {
                self.0.insert(word.to_owned());
            }
        }
    }

    fn stmt(&mut self, stmt: &Stmt) {
        match &stmt.kind {
            StmtKind::Let { value, .. } => self.expr(value),
            StmtKind::Set { target, value } => self.exprs([target, value]),
            StmtKind::Change { target, by, .. } => self.exprs([target, by]),
            StmtKind::Choose(choose) => self.choose(choose),
            StmtKind::ChooseAction { by, acts, or_else, prompt } => {
                self.exprs(by);
                prompt.iter().for_each(|prompt| self.text(prompt));
                self.exprs(acts.iter().chain(or_else).flat_map(|act| &act.args));
            }
            StmtKind::ChooseOption { by, arms, prompt } => {
                self.exprs(by);
                prompt.iter().for_each(|prompt| self.text(prompt));
                self.exprs(arms.iter().flat_map(|arm| &arm.cond));
            }
            StmtKind::Open { args, .. } => self.exprs(args),
            StmtKind::Offer { to, prompt, parts, .. } => {
                self.expr(to);
                prompt.iter().for_each(|prompt| self.text(prompt));
                for part in parts {
                    match part {
                        OfferPart::Terms(choose) => self.choose(choose),
                        OfferPart::Counters(value) | OfferPart::Valid(value) => self.expr(value),
                    }
                }
            }
            StmtKind::ChooseOrder { by, domain, prompt, .. } => {
                self.exprs(by.iter().chain([domain]));
                prompt.iter().for_each(|prompt| self.text(prompt));
            }
            StmtKind::ChooseSplit { by, items, among, prompt, .. } => {
                self.exprs(by.iter().chain([items, among.as_ref()]));
                prompt.iter().for_each(|prompt| self.text(prompt));
            }
            StmtKind::Gate { by, prompt, chooses, .. } => {
                self.exprs(by);
                if let Some(prompt) = prompt {
                    self.text(prompt);
                }
                for choose in chooses {
                    self.choose(choose);
                }
            }
            StmtKind::Each { domain, .. } => self.expr(domain),
            StmtKind::If { cond, .. } => self.expr(cond),
            StmtKind::Repeat { test, .. } => match test {
                RepeatTest::Forever => {}
                RepeatTest::Until(expr) | RepeatTest::While(expr) | RepeatTest::Times(expr) => self.expr(expr),
            },
            StmtKind::Turns { from, among, next, rounds, until, .. } => {
                let next = next.as_deref();
                self.exprs(
                    [from]
                        .into_iter()
                        .chain(among.as_deref())
                        .chain(next)
                        .chain(rounds.as_deref())
                        .chain(until.as_deref()),
                );
            }
            StmtKind::Note { text } | StmtKind::Notation { text } => self.text(text),
            StmtKind::Arm { span_kind, clauses } => {
                if let ArmSpan::While(expr) | ArmSpan::StartOf(_, expr) = span_kind {
                    self.expr(expr);
                }
                for clause in clauses {
                    self.clause(clause);
                }
            }
            _ => self.plain_stmt(stmt),
        }
    }

    fn plain_stmt(&mut self, stmt: &Stmt) {
        match &stmt.kind {
            StmtKind::Move { what, riders, to, turned, .. } => {
                self.exprs([what, to].into_iter().chain(riders.as_deref()).chain(turned.as_deref()));
            }
            StmtKind::Create { what, to, fields, .. } => {
                match what {
                    Created::Copy { count, of } => {
                        self.exprs(count.as_deref());
                        self.expr(of);
                    }
                    Created::Kind { count, .. } => self.exprs(count.as_deref()),
                }
                if let CreateAt::In(expr) | CreateAt::At(expr) = to {
                    self.expr(expr);
                }
                self.exprs(fields.iter().map(|(_, value)| value));
            }
            StmtKind::Link { what, to } => self.exprs([what, to]),
            StmtKind::Unlink { what } => self.expr(what),
            StmtKind::Do { what, by } => self.exprs([what].into_iter().chain(by)),
            StmtKind::Shuffle { zone } => self.expr(zone),
            StmtKind::Roll { domain, .. } | StmtKind::Random { domain, .. } => self.expr(domain),
            StmtKind::Reveal { what, to, .. } => self.exprs([what].into_iter().chain(to)),
            StmtKind::Ensure { cond, .. } | StmtKind::Requires { cond, .. } => self.expr(cond),
            StmtKind::Listed { args, .. } => args.iter().for_each(|arg| self.expr(arg)),
            StmtKind::Call { first, args, .. } | StmtKind::Proceed { first, args } => {
                self.exprs(first.iter().chain(args.iter().map(|(_, value)| value)));
            }
            StmtKind::Outcome { who, .. } => self.expr(who),
            StmtKind::Let { .. }
            | StmtKind::Set { .. }
            | StmtKind::Change { .. }
            | StmtKind::Choose(..)
            | StmtKind::ChooseAction { .. }
            | StmtKind::ChooseOption { .. }
            | StmtKind::ChooseOrder { .. }
            | StmtKind::ChooseSplit { .. }
            | StmtKind::Gate { .. }
            | StmtKind::Offer { .. }
            | StmtKind::Each { .. }
            | StmtKind::If { .. }
            | StmtKind::Repeat { .. }
            | StmtKind::Turns { .. }
            | StmtKind::Phase { .. }
            | StmtKind::Leave { .. }
            | StmtKind::Stop
            | StmtKind::Notation { .. }
            | StmtKind::Arm { .. }
            | StmtKind::Open { .. }
            | StmtKind::DrawGame
            | StmtKind::EndGame
            | StmtKind::OpenAgain
            | StmtKind::Settle
            | StmtKind::Note { .. } => {}
        }
    }

    fn choose(&mut self, choose: &Choose) {
        self.exprs(choose.by.iter().chain([&choose.domain]));
        match &choose.qty {
            Qty::One | Qty::Any => {}
            Qty::UpTo(expr) | Qty::Exactly(expr) => self.expr(expr),
            Qty::Between(low, high) => self.exprs([low, high]),
        }
        if let Some(prompt) = &choose.prompt {
            self.text(prompt);
        }
    }

    fn expr(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Name(name) => {
                self.0.insert(name.clone());
            }
            ExprKind::Num(_) | ExprKind::Text(_) | ExprKind::Entry { .. } | ExprKind::Error => {}
            ExprKind::List(items) => self.exprs(items),
            ExprKind::Field(of, _)
            | ExprKind::Unary(_, of)
            | ExprKind::As(of, _)
            | ExprKind::PerKey { body: of, .. } => self.expr(of),
            ExprKind::Amount(amount, of) => {
                self.0.insert(of.text.clone());
                self.expr(amount);
            }
            ExprKind::Call(of, args) => self.exprs([&**of].into_iter().chain(args)),
            ExprKind::Index(left, right) | ExprKind::Binary(_, left, right) | ExprKind::Where(left, right) => {
                self.exprs([&**left, &**right]);
            }
            ExprKind::Is { value, .. } => self.expr(value),
            ExprKind::Can { player, args, .. } => self.exprs([&**player].into_iter().chain(args)),
            ExprKind::Fold { body, over, .. }
            | ExprKind::Having { over, body, .. }
            | ExprKind::Sorted { over, body, .. } => self.exprs([&**body, &**over]),
            ExprKind::Quantified { over, .. } => self.expr(over),
            ExprKind::Every { over, cond } => self.exprs([&**over, &**cond]),
            ExprKind::If(cond, then, or_else) => self.exprs([&**cond, &**then, &**or_else]),
        }
    }
}
