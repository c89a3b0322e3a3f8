//! The core: what expressions mean, whatever words they were written in. Checked rules come in; each expression becomes a
//! term, passes make the terms of one meaning one term, and what comes out are rules in canonical words, which the stage
//! `program` compiles. The rules that came in stay what the reference evaluator, messages and reports speak of.
//!
//! It must not know: files, texts of content, where anything lies in memory.

mod bounds;
mod canonical;
mod cases;
mod compares;
mod filters;
mod flat;
mod follows;
mod forbids;
mod holders;
mod inline;
mod kinds;
mod lets;
mod lifted;
mod loops;
mod lower;
mod memo;
mod modifiers;
mod opening;
mod order;
mod places;
mod print;
mod raise;
mod rays;
mod some;
mod term;
mod unnest;
mod unroll;
mod ways;
mod whole;

pub use flat::{asks_flat, flattened};
pub use follows::{asks_whether_some, says_some};
pub use memo::{dearest, values};
pub use whole::Whole;

use crate::model::rules::walk::{each_block_mut, each_in, stmt_exprs, stmt_exprs_mut};
use crate::model::rules::{
    ClauseKind, Expr, ExprKind, LocalId, Proc, ProcBody, ProcRole, Rules, Stage, Stmt, StmtKind, Ty,
};
use lower::Lower;
use print::Printer;
use raise::Raise;
use std::collections::BTreeSet;
use term::{Term, Terms};

/// A pass from core to core.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pass {
    /// What modifies a stat as a part of its formula: see `modifiers.rs`.
    Modifiers,
    /// One way to say each thing: see `canonical.rs`.
    Canonical,
    /// Loops that only add up as sums: see `loops.rs`.
    Loops,
    /// What lies on top of sites as sets of them, where no piece lies on another: see `flat.rs`.
    Flat,
    /// A filter that asks for kinds as one filter for each kind: see `kinds.rs`.
    Kinds,
    /// A `let` in the place of its only use: see `lets.rs`.
    Lets,
    /// An `ensure` behind a choice as its filter: see `filters.rs`.
    Filters,
    /// What a choice for a verb leaves out as a filter: see `forbids.rs`.
    Forbids,
    /// Short definitions that are asked of sites in loops, in the place of their calls: see `inline.rs`.
    Inline,
    /// What is asked of the holders of the cards in a player's zone, asked of the player: see `holders.rs`.
    Holders,
    /// A question about one set, asked of each member of another, as one set: see `unnest.rs`.
    Unnest,
    /// What never changes is worked out once: see `memo.rs`.
    Memo,
    /// What is cheap is asked first: see `order.rs`.
    Order,
    /// Code that says of a candidate whether its action can be completed, instead of trying out: `program/ahead.rs`.
    Ahead,
    /// Hooks of turns that only store values, as code in their place: `program/edges.rs`.
    Edges,
    /// Conditions of checks and of `becomes` clauses are asked only when something changes that they read: `program/reads.rs`.
    Reads,
    /// Verbs that nothing hooks, as code in the place of their calls: `program/in_place.rs`.
    Verbs,
    /// What a checkpoint asks of the rules, as one procedure: `program/checks.rs`.
    Checks,
    /// What does not depend on the member of a loop is worked out once: `program/hoist.rs`.
    Hoist,
    /// One instruction for filters and folds over entities that ask one property of each: `program/scan.rs`.
    Scan,
    /// Filters over boards as set algebra: `program/setwise.rs`.
    Sets,
    /// Clauses that only cards bear, none of which is in play, cost nothing: `program/bearing.rs`.
    Bearers,
}

impl Pass {
    /// All passes, in the order in which they run.
    pub const ALL: [Pass; 22] = [
        Pass::Modifiers,
        Pass::Loops,
        Pass::Lets,
        Pass::Filters,
        Pass::Forbids,
        Pass::Inline,
        Pass::Holders,
        Pass::Canonical,
        Pass::Flat,
        Pass::Kinds,
        Pass::Unnest,
        Pass::Memo,
        Pass::Order,
        Pass::Ahead,
        Pass::Edges,
        Pass::Reads,
        Pass::Verbs,
        Pass::Checks,
        Pass::Hoist,
        Pass::Scan,
        Pass::Sets,
        Pass::Bearers,
    ];

    /// All but some.
    pub fn all_but(left_out: &[Pass]) -> Vec<Pass> {
        Pass::ALL.into_iter().filter(|pass| !left_out.contains(pass)).collect()
    }

    /// What it is called.
    pub fn name(self) -> &'static str {
        match self {
            Pass::Modifiers => "modifiers",
            Pass::Canonical => "canonical",
            Pass::Flat => "flat",
            Pass::Kinds => "kinds",
            Pass::Loops => "loops",
            Pass::Lets => "lets",
            Pass::Filters => "filters",
            Pass::Forbids => "forbids",
            Pass::Inline => "inline",
            Pass::Holders => "holders",
            Pass::Unnest => "unnest",
            Pass::Memo => "memo",
            Pass::Order => "order",
            Pass::Ahead => "ahead",
            Pass::Edges => "edges",
            Pass::Reads => "reads",
            Pass::Verbs => "verbs",
            Pass::Checks => "checks",
            Pass::Hoist => "hoist",
            Pass::Scan => "scan",
            Pass::Sets => "sets",
            Pass::Bearers => "bearers",
        }
    }
}

/// Rules in canonical words.
pub struct Canonical {
    /// The rules: procedures mean what they meant, and have the same locals and perhaps more behind them.
    pub rules: Rules,
    /// The names of each procedure that stand for nothing any more, because their values stand where they were used.
    pub gone: Vec<Vec<LocalId>>,
}

/// Puts rules in canonical words.
pub fn canonical(rules: &Rules, passes: &[Pass]) -> Canonical {
    let folded = if passes.contains(&Pass::Modifiers) { modifiers::fold(rules) } else { None };
    let rules = folded.as_ref().unwrap_or(rules);
    let mut made = rules.clone();
    let whole = whole::Whole::new(rules);
    let mut gone = vec![Vec::new(); rules.procs.len()];
    if passes.contains(&Pass::Loops) {
        for (index, proc) in made.procs.iter_mut().enumerate() {
            loops::sums(&whole, &lets::locals_read_elsewhere(rules, index), proc);
        }
    }
    if passes.contains(&Pass::Lets) {
        for (index, proc) in made.procs.iter_mut().enumerate() {
            gone[index] = lets::inline(rules, &whole, index, proc);
        }
    }
    if passes.contains(&Pass::Filters) {
        made.procs.iter_mut().for_each(filters::filter);
    }
    for proc in made.procs.iter_mut().filter(|proc| passes.contains(&Pass::Forbids) && forbids::asks(proc)) {
        let sure = whole.sure(proc);
        rewrite(proc, &mut |terms, term| {
            let made = forbids::Forbids::new(rules, &whole, terms, &sure).term(term);
            (made != term).then_some(made)
        });
    }
    let forbid = forbidding(rules);
    for (index, proc) in made.procs.iter_mut().enumerate().filter(|_| passes.contains(&Pass::Inline)) {
        if forbid.contains(&index) || !inline::calls_in_loops(proc) {
            continue;
        }
        rewrite(proc, &mut |terms, term| {
            let made = inline::Inline::new(&whole, terms).term(term);
            (made != term).then_some(made)
        });
    }
    for (index, proc) in made.procs.iter_mut().enumerate().filter(|_| passes.contains(&Pass::Holders)) {
        if forbid.contains(&index) {
            continue;
        }
        let sure = whole.sure(proc);
        rewrite(proc, &mut |terms, term| {
            let made = holders::Holders::new(&whole, terms, &sure).term(term);
            (made != term).then_some(made)
        });
    }
    for (index, proc) in made.procs.iter_mut().enumerate().filter(|_| passes.contains(&Pass::Canonical)) {
        let written = forbid.contains(&index).then(|| proc.clone());
        if let ProcBody::Block(stmts) = &mut proc.body {
            one_ensure(stmts);
        }
        let sure = whole.sure(proc);
        rewrite(proc, &mut |terms, term| Some(canonical::Canonical::new(rules, &whole, terms, &sure).term(term)));
        if let Some(written) = written.filter(|written| names_params(written) != names_params(proc)) {
            *proc = written;
        }
    }
    for (index, proc) in made.procs.iter_mut().enumerate().filter(|_| passes.contains(&Pass::Flat)) {
        if forbid.contains(&index) {
            continue;
        }
        let sure = whole.sure(proc);
        rewrite(proc, &mut |terms, term| flat::Flat::new(rules, &whole, terms, &sure).term(term));
    }
    let exist = rules.kinds_that_exist(&rules.procs);
    for (index, proc) in made.procs.iter_mut().enumerate().filter(|_| passes.contains(&Pass::Kinds)) {
        if forbid.contains(&index) || !kinds::looks_at_kinds(proc) {
            continue;
        }
        let sure = whole.sure(proc);
        rewrite(proc, &mut |terms, term| {
            let made = kinds::Kinds::new(rules, &whole, terms, &sure, &exist).term(term);
            (made != term).then_some(made)
        });
    }
    for (index, proc) in made.procs.iter_mut().enumerate().filter(|_| passes.contains(&Pass::Unnest)) {
        if forbid.contains(&index) || !unnest::asks_in_loops(proc) {
            continue;
        }
        let sure = whole.sure(proc);
        rewrite(proc, &mut |terms, term| {
            let made = unnest::Unnest::new(&whole, terms, &sure, passes.contains(&Pass::Canonical)).term(term);
            if made == term {
                return None;
            }
            // What was put together of many may be of several kinds.
            let by_kinds = passes.contains(&Pass::Kinds);
            Some(if by_kinds { kinds::Kinds::new(rules, &whole, terms, &sure, &exist).term(made) } else { made })
        });
    }
    if passes.contains(&Pass::Filters) {
        for index in 0..made.procs.len() {
            if made.procs[index].role == ProcRole::Action {
                let mut proc = made.procs[index].clone();
                follows::ask_ahead(&whole, &made, &mut proc);
                filters::implied(&whole, &mut proc);
                made.procs[index] = proc;
            }
        }
    }
    let memo = passes.contains(&Pass::Memo);
    let mut procs = if memo { std::mem::take(&mut made.procs) } else { made.procs.clone() };
    let mut memos = memo::Memos::new(rules, &whole, &mut procs);
    if memo {
        made.procs = procs;
        for (proc, short) in made.procs.iter_mut().zip(&mut made.short) {
            let is_memo = proc.role == ProcRole::Memo;
            *short &= !is_memo;
            rewrite(proc, &mut |terms, term| {
                Some(if is_memo { memos.parts(terms, term) } else { memos.term(terms, term) })
            });
        }
        made.procs.append(&mut memos.made);
        gone.resize(made.procs.len(), Vec::new());
    }
    if passes.contains(&Pass::Order) {
        for proc in &mut made.procs {
            rewrite(proc, &mut |terms, term| {
                let made = order::Order { whole: &whole, memos: &memos, terms }.term(term);
                (made != term).then_some(made)
            });
        }
    }
    Canonical { rules: made, gone }
}

/// The conditions of `cannot`: a choice for a verb leaves out those that name an argument which is not chosen yet, so that
/// what they name must stay.
fn forbidding(rules: &Rules) -> BTreeSet<usize> {
    let conditions = rules.clauses.iter().filter_map(|clause| match clause.kind {
        ClauseKind::Hook { stage: Stage::Cannot, cond, .. } => cond,
        _ => None,
    });
    conditions.map(|cond| cond.index()).collect()
}

/// Which parameters an expression names, in their order.
fn names_params(proc: &Proc) -> Vec<bool> {
    let ProcBody::Expr(body) = &proc.body else { return Vec::new() };
    (0..u32::from(proc.params)).map(|param| body.mentions(LocalId(param))).collect()
}

/// Makes terms of the expressions of a procedure, and expressions of what becomes of them; none leaves one as it is.
fn rewrite(proc: &mut Proc, pass: &mut dyn FnMut(&mut Terms, Term) -> Option<Term>) {
    let names = loop_names(proc);
    let (mut terms, own) = (Terms::default(), proc.locals.len());
    let Proc { locals, body, .. } = proc;
    let mut rewrite = |expr: &mut Expr| {
        if is_leaf(expr) {
            return;
        }
        terms.begin();
        let term = Lower::new(&mut terms).expr(expr);
        let Some(made) = pass(&mut terms, term) else { return };
        *expr = Raise::new(&terms, locals, &names, own).expr(made);
    };
    match body {
        ProcBody::Expr(expr) => rewrite(expr),
        ProcBody::Block(stmts) => each_expr_mut(stmts, &mut rewrite),
    }
}

/// Makes one `ensure` of several that follow each other, in each block.
fn one_ensure(stmts: &mut Vec<Stmt>) {
    let mut kept: Vec<Stmt> = Vec::with_capacity(stmts.len());
    for mut stmt in std::mem::take(stmts) {
        each_block_mut(&mut stmt, &mut one_ensure);
        match (kept.last_mut().map(|stmt| &mut stmt.kind), stmt.kind) {
            (Some(StmtKind::Ensure { cond: first, reason }), StmtKind::Ensure { cond: second, reason: other }) => {
                // What is said of both is said of the whole; which of two reasons is right, the checked rules tell.
                reason.take_if(|reason| Some(&*reason) != other.as_ref());
                let span = first.span;
                let none = Expr { kind: ExprKind::Nothing, ty: Ty::Flag, span };
                let both = ExprKind::And(Box::new(std::mem::replace(first, none)), Box::new(second));
                *first = Expr { kind: both, ty: Ty::Flag, span };
            }
            (_, kind) => kept.push(Stmt { kind, ..stmt }),
        }
    }
    *stmts = kept;
}

fn is_leaf(expr: &Expr) -> bool {
    let mut leaf = true;
    expr.each_part(&mut |_| leaf = false);
    leaf
}

fn each_expr_mut(stmts: &mut [Stmt], f: &mut dyn FnMut(&mut Expr)) {
    for stmt in stmts {
        stmt_exprs_mut(stmt, &mut |expr: &mut Expr| f(expr));
        each_block_mut(stmt, &mut |body| each_expr_mut(body, f));
    }
}

/// The locals of a procedure that name the members of loops in expressions, and nothing else.
fn loop_names(proc: &Proc) -> Vec<LocalId> {
    let mut names = BTreeSet::new();
    let mut of = |expr: &Expr| expr.walk(&mut |part| names.extend(part.binder()));
    match &proc.body {
        ProcBody::Expr(expr) => of(expr),
        ProcBody::Block(stmts) => each_in(stmts, &mut |stmt| stmt_exprs(stmt, &mut of)),
    }
    names.into_iter().filter(|name| name.index() >= usize::from(proc.params)).collect()
}

/// The core of a game as text: the terms of each procedure, statement by statement.
pub fn dump(rules: &Rules, passes: &[Pass]) -> String {
    use std::fmt::Write;
    let made = canonical(rules, passes).rules;
    let mut out = String::new();
    for (index, proc) in made.procs.iter().enumerate() {
        let _ = writeln!(out, "proc {index} {}", proc.name);
        let mut line = |depth: usize, word: &str, expr: &Expr| {
            let mut terms = Terms::default();
            let term: Term = Lower::new(&mut terms).expr(expr);
            let text = Printer::new(&made, &terms, &proc.locals).text(term);
            let _ = writeln!(out, "{:width$}{word}{text}", "", width = 2 * depth);
        };
        match &proc.body {
            ProcBody::Expr(expr) => line(1, "", expr),
            ProcBody::Block(stmts) => dump_block(stmts, 1, &mut line),
        }
    }
    out
}

fn dump_block(stmts: &[Stmt], depth: usize, line: &mut dyn FnMut(usize, &str, &Expr)) {
    for stmt in stmts {
        let word = word_of(&stmt.kind);
        let mut first = true;
        stmt_exprs(stmt, &mut |expr: &Expr| {
            let word = if std::mem::replace(&mut first, false) { format!("{word} ") } else { "  ".to_owned() };
            line(depth, &word, expr);
        });
        if first {
            let none = Expr { kind: ExprKind::Nothing, ty: Ty::Nothing, span: stmt.span };
            line(depth, &format!("{word} "), &none);
        }
        crate::model::rules::walk::each_block(stmt, &mut |body| dump_block(body, depth + 1, line));
    }
}

/// The word of a statement in a dump.
fn word_of(kind: &StmtKind) -> &'static str {
    match kind {
        StmtKind::Local { .. } => "let",
        StmtKind::SetProp { .. } | StmtKind::SetGameProp { .. } => "set",
        StmtKind::Choose(_) => "choose",
        StmtKind::ChooseAction { .. } => "choose-action",
        StmtKind::ChooseOption { .. } => "choose-option",
        StmtKind::Open { .. } => "open",
        StmtKind::OpenAgain => "open-again",
        StmtKind::Respond(_) => "respond",
        StmtKind::Offer(_) => "offer",
        StmtKind::ChooseOrder { .. } => "choose-order",
        StmtKind::ChooseSplit { .. } => "choose-split",
        StmtKind::Gate { .. } => "gate",
        StmtKind::Each { .. } => "each",
        StmtKind::EachSecret { .. } => "each-secret",
        StmtKind::If { .. } => "if",
        StmtKind::Repeat { .. } => "repeat",
        StmtKind::RepeatTimes { .. } => "repeat-times",
        StmtKind::Turns { .. } => "turns",
        StmtKind::Phase { .. } => "phase",
        StmtKind::LeaveRepeat | StmtKind::LeaveSpan(_) => "leave",
        StmtKind::Stop => "stop",
        StmtKind::Move { .. } => "move",
        StmtKind::Create { .. } => "create",
        StmtKind::Link { .. } => "link",
        StmtKind::Unlink { .. } => "unlink",
        StmtKind::Shuffle { .. } => "shuffle",
        StmtKind::Roll { .. } => "roll",
        StmtKind::Random { .. } => "random",
        StmtKind::Reveal { .. } => "reveal",
        StmtKind::Ensure { .. } => "ensure",
        StmtKind::Requires { .. } => "requires",
        StmtKind::Arm { .. } => "arm",
        StmtKind::Do { .. } => "do",
        StmtKind::Script { .. } => "script",
        StmtKind::Call { .. } => "call",
        StmtKind::Proceed { .. } => "proceed",
        StmtKind::Win(_) => "win",
        StmtKind::Lose(_) => "lose",
        StmtKind::DrawGame => "draw",
        StmtKind::EndGame => "end",
        StmtKind::Settle => "settle",
        StmtKind::Note(_) => "note",
    }
}
