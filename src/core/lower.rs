//! From checked expressions to terms. Names of loops become positions; `any` and `all` are said with `some` and `where`.

use super::term::{Ambient, Each, Form, Read, Term, Terms, Unary};
use crate::model::rules::{Expr, ExprKind, LocalId, Ty};

/// Makes terms of the expressions of one procedure.
pub struct Lower<'t> {
    pub terms: &'t mut Terms,
    /// The names of the loops around, the innermost last.
    bound: Vec<LocalId>,
}

impl Lower<'_> {
    /// For the expressions of a procedure.
    pub fn new(terms: &mut Terms) -> Lower<'_> {
        Lower { terms, bound: Vec::new() }
    }

    /// The term of an expression that stands in no loop.
    pub fn expr(&mut self, expr: &Expr) -> Term {
        let form = self.form(expr);
        self.terms.make(form, expr.ty.clone(), expr.span)
    }

    fn all(&mut self, exprs: &[Expr]) -> Vec<Term> {
        exprs.iter().map(|expr| self.expr(expr)).collect()
    }

    fn form(&mut self, expr: &Expr) -> Form {
        match &expr.kind {
            ExprKind::Word(word) => Form::Word(*word),
            ExprKind::Text(text) => Form::Text(text.clone()),
            ExprKind::Nothing | ExprKind::Empty => Form::Nothing,
            ExprKind::Local(local) => match self.bound.iter().rev().position(|bound| bound == local) {
                Some(index) => Form::Bound(index as u32),
                None => Form::Local(*local),
            },
            ExprKind::Me => Form::Ambient(Ambient::Me),
            ExprKind::This => Form::Ambient(Ambient::This),
            ExprKind::Mover => Form::Ambient(Ambient::Mover),
            ExprKind::Actor => Form::Ambient(Ambient::Actor),
            ExprKind::Source => Form::Ambient(Ambient::Source),
            ExprKind::Cause => Form::Ambient(Ambient::Cause),
            ExprKind::Changed => Form::Ambient(Ambient::Changed),
            ExprKind::Round => Form::Ambient(Ambient::Round),
            ExprKind::Flat(board) => Form::Ambient(Ambient::Flat(*board)),
            ExprKind::Players => Form::Ambient(Ambient::Players),
            ExprKind::Opponents => Form::Ambient(Ambient::Opponents),
            ExprKind::Option(option) => Form::Ambient(Ambient::Option(*option)),
            ExprKind::Prop(of, prop) => Form::Read(Read::Prop(*prop), vec![self.expr(of)]),
            ExprKind::Side(of, prop, way) => Form::Read(Read::Side(*prop), vec![self.expr(of), self.expr(way)]),
            ExprKind::GameProp(prop) => Form::Read(Read::GameProp(*prop), Vec::new()),
            ExprKind::InPlay(kind) => Form::Read(Read::InPlay(*kind), Vec::new()),
            ExprKind::EntitiesOf(entry) => Form::Read(Read::EntitiesOf(*entry), Vec::new()),
            ExprKind::Contents(zone, of) => {
                Form::Read(Read::Contents(*zone), of.iter().map(|of| self.expr(of)).collect())
            }
            ExprKind::Seat(n) => Form::Read(Read::Seat, vec![self.expr(n)]),
            ExprKind::Not(a) => Form::Unary(Unary::Not, self.expr(a)),
            ExprKind::Negate(a) => Form::Unary(Unary::Negate, self.expr(a)),
            ExprKind::Count(a) => Form::Unary(Unary::Count, self.expr(a)),
            ExprKind::Some(a) => Form::Unary(Unary::Some, self.expr(a)),
            ExprKind::ToSet(a) => Form::Unary(Unary::ToSet, self.expr(a)),
            ExprKind::ToList(a) => Form::Unary(Unary::ToList, self.expr(a)),
            ExprKind::Is(a, kind) => Form::Unary(Unary::Is(*kind), self.expr(a)),
            ExprKind::Binary(op, a, b) => Form::Binary(*op, self.expr(a), self.expr(b)),
            ExprKind::Compare(op, a, b) => Form::Compare(*op, self.expr(a), self.expr(b)),
            ExprKind::And(a, b) => Form::And(self.expr(a), self.expr(b)),
            ExprKind::Or(a, b) => Form::Or(self.expr(a), self.expr(b)),
            ExprKind::If(a, b, c) => Form::If(self.expr(a), self.expr(b), self.expr(c)),
            ExprKind::In(a, b) => Form::In(self.expr(a), self.expr(b)),
            ExprKind::List(items) => Form::List(self.all(items)),
            ExprKind::Range(a, b) => Form::Range(self.expr(a), self.expr(b)),
            ExprKind::Where { over, binder, cond } => self.each(Each::Where, over, *binder, cond),
            ExprKind::Any { over, binder, cond } => Form::Unary(Unary::Some, self.those(over, *binder, cond)),
            ExprKind::All { over, binder, cond } => {
                let over = self.expr(over);
                self.bound.push(*binder);
                let cond = self.expr(cond);
                self.bound.pop();
                let span = self.terms.span(cond);
                let not = self.terms.make(Form::Unary(Unary::Not, cond), Ty::Flag, span);
                let ty = self.terms.ty(over).clone();
                let others = self.terms.make(Form::Each(Each::Where, over, not), ty, expr.span);
                let some = self.terms.make(Form::Unary(Unary::Some, others), Ty::Flag, expr.span);
                Form::Unary(Unary::Not, some)
            }
            ExprKind::Fold { op, over, binder, body } => self.each(Each::Fold(*op), over, *binder, body),
            ExprKind::Collect { op, over, binder, body } => self.each(Each::Collect(*op), over, *binder, body),
            ExprKind::Having { over, most, binder, body } => {
                self.each(Each::Having { most: *most }, over, *binder, body)
            }
            ExprKind::Sorted { over, down, binder, body } => {
                self.each(Each::Sorted { down: *down }, over, *binder, body)
            }
            ExprKind::Call(proc, args) => Form::Call(*proc, self.all(args)),
            ExprKind::CallLambda(lambda, args) => Form::Apply(self.expr(lambda), self.all(args)),
            ExprKind::Lambda(proc) => Form::Lambda(*proc),
            ExprKind::CallScript(script, args) => Form::Script(*script, self.all(args)),
            ExprKind::Can(player, action, args) => Form::Can(self.expr(player), *action, self.all(args)),
            ExprKind::Targetable { verb, args, sure, ignoring } => {
                let args = args.iter().map(|arg| arg.as_ref().map(|arg| self.expr(arg))).collect();
                Form::Targetable(*verb, args, *sure, ignoring.to_vec())
            }
            ExprKind::Builtin(builtin, args) => Form::Function(*builtin, self.all(args)),
            ExprKind::Index(list, i) => Form::Index(self.expr(list), self.expr(i)),
            ExprKind::Part(split, whose) => Form::Part(self.expr(split), self.expr(whose)),
        }
    }

    fn each(&mut self, each: Each, over: &Expr, binder: LocalId, body: &Expr) -> Form {
        let over = self.expr(over);
        self.bound.push(binder);
        let body = self.expr(body);
        self.bound.pop();
        Form::Each(each, over, body)
    }

    fn those(&mut self, over: &Expr, binder: LocalId, cond: &Expr) -> Term {
        let form = self.each(Each::Where, over, binder, cond);
        self.terms.make(form, over.ty.clone(), over.span)
    }
}
