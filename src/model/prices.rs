//! Prices of gates: what a gate takes must be there. A price that would take a counter out of its range cannot be paid, and its gate
//! is closed. Of a plain price that is said here in the rules' own forms, so that nothing behind the checker knows of it. Any other,
//! with conditions, loops, tables, or verbs that something hooks, is tried out: `engine/prices.rs`.

use super::check::Checker;
use super::rules::walk::{each_block_mut, each_in, each_stmt, stmt_exprs};
use super::rules::{
    BinaryOp, Choose, ClauseKind, CompareOp, Expr, ExprKind, HookEvent, Local, LocalId, ProcBody, PropId, Qty, Rules,
    Stage, Stmt, StmtKind, Ty, VerbId,
};
use crate::base::Span;
use std::collections::BTreeSet;

/// How deep prices are looked for in verbs that a price calls.
const DEEPEST: usize = 4;

impl Checker<'_> {
    pub(super) fn ask_for_prices(&mut self) {
        for index in 0..self.rules.procs.len() {
            let body = std::mem::replace(&mut self.rules.procs[index].body, ProcBody::Block(Vec::new()));
            let mut locals = std::mem::take(&mut self.rules.procs[index].locals);
            let body = match body {
                ProcBody::Block(mut stmts) => {
                    stmts.iter_mut().for_each(|stmt| in_stmt(&self.rules, &mut locals, stmt));
                    ProcBody::Block(stmts)
                }
                other => other,
            };
            self.rules.procs[index].body = body;
            self.rules.procs[index].locals = locals;
        }
    }

    /// What a price takes is read: a gate is closed where it is not there.
    pub(super) fn read_prices(&mut self) {
        let mut verbs = BTreeSet::new();
        let mut taken = Vec::new();
        let mut look = |stmts: &[Stmt], verbs: &mut BTreeSet<VerbId>| {
            each_in(stmts, &mut |stmt| match &stmt.kind {
                StmtKind::SetProp { prop, .. } | StmtKind::SetGameProp { prop, .. } => taken.push(*prop),
                StmtKind::Call { verb, .. } => {
                    verbs.insert(*verb);
                }
                _ => {}
            });
        };
        for proc in &self.rules.procs {
            each_stmt(proc, &mut |stmt| {
                if let StmtKind::Gate { pay: Some(pay), .. } = &stmt.kind {
                    look(pay, &mut verbs);
                }
            });
        }
        let mut known = BTreeSet::new();
        while let Some(verb) = verbs.pop_first() {
            if known.insert(verb)
                && let ProcBody::Block(stmts) = &self.rules.procs[self.rules.verbs[verb.index()].body.index()].body
            {
                look(stmts, &mut verbs);
            }
        }
        self.uses.props.extend(taken);
    }
}

/// What decides whether a price can be paid that is tried out.
pub(super) fn asked_of(pay: &[Stmt]) -> Vec<&Expr> {
    let mut asked = Vec::new();
    each_in(pay, &mut |stmt| {
        if !matches!(stmt.kind, StmtKind::Move { .. } | StmtKind::Create { .. } | StmtKind::Note(_)) {
            stmt_exprs(stmt, &mut |expr| asked.push(expr));
        }
    });
    asked
}

fn in_stmt(rules: &Rules, locals: &mut Vec<Local>, stmt: &mut Stmt) {
    each_block_mut(stmt, &mut |block| block.iter_mut().for_each(|inner| in_stmt(rules, locals, inner)));
    let StmtKind::Gate { chooses, pay: Some(pay), or_else, tried, .. } = &mut stmt.kind else { return };
    let mut price = Price { rules, known: Known::default(), needs: Vec::new(), plain: true };
    price.block(pay, 0);
    let later = |need: &Expr| chooses.iter().skip(1).any(|choose| need.mentions(choose.local));
    let several = |choose: &Choose| !matches!(choose.qty, Qty::One);
    if !price.plain || chooses.iter().any(several) || price.needs.iter().any(later) {
        *tried = true;
        return;
    }
    let (mut before, chosen) = (Vec::new(), |need: &Expr, choose: &Choose| need.mentions(choose.local));
    for need in price.needs {
        match chooses.iter_mut().rev().find(|choose| chosen(&need, choose)) {
            None => before.push(need),
            Some(choose) => only_where(choose, need, locals),
        }
    }
    let Some(cond) = all(before, stmt.span) else { return };
    let or_else = or_else.clone().unwrap_or_default();
    let gate = StmtKind::If { cond, body: Vec::new(), or_else };
    let gate = Stmt { kind: std::mem::replace(&mut stmt.kind, gate), span: stmt.span };
    if let StmtKind::If { body, .. } = &mut stmt.kind {
        body.push(gate);
    }
}

/// Leaves of what is chosen from those of which something holds.
fn only_where(choose: &mut Choose, need: Expr, locals: &mut Vec<Local>) {
    let (ty, span) = (choose.domain.ty.element().clone(), choose.domain.span);
    let binder = LocalId(locals.len() as u32);
    locals.push(Local { name: locals[choose.local.index()].name.clone(), ty: ty.clone(), span });
    let item = Expr { kind: ExprKind::Local(binder), ty: ty.clone(), span };
    let mut cond = need;
    put(&mut cond, &|part| part.is_local(choose.local).then(|| item.clone()));
    let all = choose.domain.clone();
    choose.domain =
        Expr { kind: ExprKind::Where { over: Box::new(all), binder, cond: Box::new(cond) }, ty: ty.set(), span };
}

fn all(needs: Vec<Expr>, span: Span) -> Option<Expr> {
    let both = |one, two| Expr { kind: ExprKind::And(Box::new(one), Box::new(two)), ty: Ty::Flag, span };
    needs.into_iter().reduce(both)
}

/// Puts other expressions in the place of some, the outer ones first.
fn put(expr: &mut Expr, other: &dyn Fn(&Expr) -> Option<Expr>) {
    match other(expr) {
        Some(other) => *expr = other,
        None => expr.each_part_mut(&mut |part| put(part, other)),
    }
}

/// What is known before a statement of a price: locals, and counters that statements before it have changed.
#[derive(Clone, Default)]
struct Known {
    /// Whether locals are those of a verb, of which only these are known.
    inner: bool,
    locals: Vec<(LocalId, Expr)>,
    counters: Vec<(Expr, Expr)>,
}

impl Known {
    /// An expression as it is before the price; none where that cannot be said.
    fn before(&self, expr: &Expr) -> Option<Expr> {
        let mut told = true;
        if self.inner {
            expr.walk(&mut |part| {
                told &= part.binder().is_none() && !matches!(part.kind, ExprKind::This);
                told &= !matches!(part.kind, ExprKind::Local(local) if !self.locals.iter().any(|(known, _)| *known == local));
            });
        }
        let mut expr = expr.clone();
        put(&mut expr, &|part| {
            let local = self.locals.iter().rev().find(|(local, _)| part.is_local(*local));
            local.map(|(_, value)| value.clone())
        });
        put(&mut expr, &|part| {
            self.counters.iter().rev().find(|(kept, _)| kept.same(part)).map(|(_, now)| now.clone())
        });
        told.then_some(expr)
    }
}

/// What must hold so that a price can be paid.
struct Price<'r> {
    rules: &'r Rules,
    known: Known,
    needs: Vec<Expr>,
    /// Whether these are all there is to it.
    plain: bool,
}

impl Price<'_> {
    fn block(&mut self, stmts: &[Stmt], depth: usize) {
        for (index, stmt) in stmts.iter().enumerate() {
            // What has moved is elsewhere, and holds other numbers.
            let settled = !stmts[..index].iter().any(|before| matches!(before.kind, StmtKind::Move { .. }));
            match &stmt.kind {
                StmtKind::Local { local, value } => match self.known.before(value) {
                    Some(value) => self.known.locals.push((*local, value)),
                    None => self.plain = false,
                },
                StmtKind::SetProp { of, prop, value } if !of.ty.is_many() && settled => match self.known.before(of) {
                    Some(of) => {
                        let kind = ExprKind::Prop(Box::new(of), *prop);
                        self.set(Expr { kind, ty: Ty::Number, span: stmt.span }, *prop, value);
                    }
                    None => self.plain = false,
                },
                StmtKind::SetGameProp { prop, value } if settled => {
                    self.set(Expr { kind: ExprKind::GameProp(*prop), ty: Ty::Number, span: stmt.span }, *prop, value);
                }
                StmtKind::Call { verb, args, .. } if depth < DEEPEST && settled && self.known.counters.is_empty() => {
                    self.call(*verb, args, depth);
                }
                StmtKind::Note(_) | StmtKind::Reveal { .. } => {}
                // A card that pays, and nothing else.
                StmtKind::Move { .. } if depth == 0 && !self.has_limits() => {}
                _ => self.plain = false,
            }
        }
    }

    /// Whether there are zones that hold no more than so many.
    fn has_limits(&self) -> bool {
        self.rules.zones.iter().any(|zone| !zone.limits.is_empty())
    }

    /// A counter has another value from here on, which must lie in its range.
    fn set(&mut self, kept: Expr, prop: PropId, value: &Expr) {
        let info = &self.rules.props[prop.index()];
        let Some((low, high)) = info.range.filter(|_| info.ty == Ty::Number) else { return };
        // The same counter in other words may be another's.
        let alias = |(other, _): &(Expr, Expr)| {
            let prop_of = |kept: &Expr| match kept.kind {
                ExprKind::Prop(_, prop) | ExprKind::GameProp(prop) => Some(prop),
                _ => None,
            };
            prop_of(other) == Some(prop) && !other.same(&kept)
        };
        let Some(value) = self.known.before(value).filter(|_| !self.known.counters.iter().any(alias)) else {
            self.plain = false;
            return;
        };
        if info.clamped {
            self.known.counters.push((kept, value));
            return;
        }
        let span = value.span;
        let word = |word| Box::new(Expr { kind: ExprKind::Word(word), ty: Ty::Number, span });
        let need = |op, bound| {
            let kind = ExprKind::Compare(op, Box::new(value.clone()), word(bound));
            Expr { kind, ty: Ty::Flag, span }
        };
        match &value.kind {
            ExprKind::Word(value) if (low..=high).contains(value) => {}
            ExprKind::Binary(BinaryOp::Sub, old, by) if old.same(&kept) && self.is_positive(by) => {
                self.needs.push(need(CompareOp::Ge, low));
            }
            _ => self.needs.extend([need(CompareOp::Ge, low), need(CompareOp::Le, high)]),
        }
        self.known.counters.push((kept, value));
    }

    /// Whether a number is seen to be no less than 0.
    fn is_positive(&self, by: &Expr) -> bool {
        match &by.kind {
            ExprKind::Word(word) => *word >= 0,
            ExprKind::Count(_) => true,
            ExprKind::Prop(_, prop) | ExprKind::GameProp(prop) => {
                self.rules.props[prop.index()].range.is_some_and(|(low, _)| low >= 0)
            }
            _ => false,
        }
    }

    /// What a verb takes that a price calls: one that nothing hooks.
    fn call(&mut self, verb: VerbId, args: &[Option<Expr>], depth: usize) {
        let event = HookEvent::Verb(verb);
        let hooked = self.rules.clauses.iter().any(|clause| {
            matches!(clause.kind, ClauseKind::Hook { event: on, stage: Stage::Cannot | Stage::Instead | Stage::Before, .. } if on == event)
        });
        let body = &self.rules.procs[self.rules.verbs[verb.index()].body.index()].body;
        let args: Option<Vec<Expr>> = args.iter().map(|arg| self.known.before(arg.as_ref()?)).collect();
        let (Some(args), ProcBody::Block(stmts), false) = (args, body, hooked) else {
            self.plain = false;
            return;
        };
        let locals = (0..).map(LocalId).zip(args).collect();
        let inner = Known { inner: true, locals, counters: self.known.counters.clone() };
        let outer = std::mem::replace(&mut self.known, inner);
        self.block(stmts, depth + 1);
        let inner = std::mem::replace(&mut self.known, outer);
        self.known.counters = inner.counters;
    }
}
