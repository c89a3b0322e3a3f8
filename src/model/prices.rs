//! Prices of gates: what a gate takes must be there. A price that would take a counter out of its range cannot be paid, and its gate
//! is closed. Said here in the rules' own forms, so that nothing behind the checker knows of it.

use super::check::Checker;
use super::rules::walk::each_block_mut;
use super::rules::{
    BinaryOp, Choose, CompareOp, Expr, ExprKind, Local, LocalId, ProcBody, PropId, Qty, Rules, Stmt, StmtKind, Ty,
};
use crate::base::Span;

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
}

fn in_stmt(rules: &Rules, locals: &mut Vec<Local>, stmt: &mut Stmt) {
    each_block_mut(stmt, &mut |block| block.iter_mut().for_each(|inner| in_stmt(rules, locals, inner)));
    let StmtKind::Gate { chooses, pay: Some(pay), or_else, .. } = &mut stmt.kind else { return };
    let mut price = Price { rules, known: Known::default(), needs: Vec::new() };
    price.block(pay, 0);
    let (mut before, chosen) = (Vec::new(), |need: &Expr, choose: &Choose| need.mentions(choose.local));
    for need in price.needs {
        match chooses.iter_mut().rev().find(|choose| chosen(&need, choose)) {
            None => before.push(need),
            Some(choose) if matches!(choose.qty, Qty::One) => only_where(choose, need, locals),
            // Which of several can be paid together depends on all of them: they are asked for as they are.
            Some(_) => {}
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
}

impl Price<'_> {
    fn block(&mut self, stmts: &[Stmt], depth: usize) {
        for stmt in stmts {
            match &stmt.kind {
                StmtKind::Local { local, value } => {
                    if let Some(value) = self.known.before(value) {
                        self.known.locals.push((*local, value));
                    }
                }
                StmtKind::SetProp { of, prop, value } if !of.ty.is_many() => {
                    if let Some(of) = self.known.before(of) {
                        let kind = ExprKind::Prop(Box::new(of), *prop);
                        self.set(Expr { kind, ty: Ty::Number, span: stmt.span }, *prop, value);
                    }
                }
                StmtKind::SetGameProp { prop, value } => {
                    self.set(Expr { kind: ExprKind::GameProp(*prop), ty: Ty::Number, span: stmt.span }, *prop, value);
                }
                StmtKind::Call { verb, args, .. } if depth < DEEPEST => self.call(verb.index(), args, depth),
                StmtKind::If { cond, body, or_else } => {
                    let Some(cond) = self.known.before(cond) else { continue };
                    let not = Expr { kind: ExprKind::Not(Box::new(cond.clone())), ty: Ty::Flag, span: cond.span };
                    for (block, cond) in [(body, not), (or_else, cond)] {
                        let outer = (self.known.clone(), std::mem::take(&mut self.needs));
                        self.block(block, depth);
                        let inner = std::mem::replace(&mut self.needs, outer.1);
                        self.known = outer.0;
                        let or = |need| ExprKind::Or(Box::new(cond.clone()), Box::new(need));
                        self.needs.extend(inner.into_iter().map(|need| Expr {
                            span: need.span,
                            kind: or(need),
                            ty: Ty::Flag,
                        }));
                    }
                }
                _ => {}
            }
        }
    }

    /// A counter has another value from here on, which must lie in its range.
    fn set(&mut self, kept: Expr, prop: PropId, value: &Expr) {
        let info = &self.rules.props[prop.index()];
        let (Some((low, high)), Some(value)) = (info.range, self.known.before(value)) else { return };
        if info.clamped || info.ty != Ty::Number {
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

    /// What a verb takes that a price calls.
    fn call(&mut self, verb: usize, args: &[Option<Expr>], depth: usize) {
        let args = args.iter().map(|arg| arg.as_ref().and_then(|arg| self.known.before(arg)));
        let locals = (0..).map(LocalId).zip(args).filter_map(|(local, arg)| Some((local, arg?))).collect();
        let ProcBody::Block(stmts) = &self.rules.procs[self.rules.verbs[verb].body.index()].body else { return };
        let inner = Known { inner: true, locals, counters: self.known.counters.clone() };
        let outer = std::mem::replace(&mut self.known, inner);
        self.block(stmts, depth + 1);
        let inner = std::mem::replace(&mut self.known, outer);
        self.known.counters = inner.counters;
    }
}
