//! From terms back to expressions, which is what the stage `program` reads today.

use super::term::{Ambient, Each, Form, Read, Term, Terms, Unary};
use crate::model::rules::{Expr, ExprKind, Local, LocalId, Ty};

/// Makes expressions of the terms of one procedure.
pub struct Raise<'t> {
    terms: &'t Terms,
    /// The locals of the procedure; more are added where its own loop names do not do.
    locals: &'t mut Vec<Local>,
    /// Locals that are names of loops, which any loop of their type may take.
    names: &'t [LocalId],
    /// How many locals the procedure had.
    own: usize,
    bound: Vec<LocalId>,
}

impl<'t> Raise<'t> {
    /// For the terms of a procedure with these locals, of which `names` are the names of loops.
    pub fn new(terms: &'t Terms, locals: &'t mut Vec<Local>, names: &'t [LocalId], own: usize) -> Raise<'t> {
        Raise { terms, locals, names, own, bound: Vec::new() }
    }

    /// The expression of a term.
    pub fn expr(&mut self, term: Term) -> Expr {
        Expr { kind: self.kind(term), ty: self.terms.ty(term).clone(), span: self.terms.span(term) }
    }

    fn part(&mut self, term: Term) -> Box<Expr> {
        Box::new(self.expr(term))
    }

    fn all(&mut self, terms: &[Term]) -> Vec<Expr> {
        terms.iter().map(|term| self.expr(*term)).collect()
    }

    fn kind(&mut self, term: Term) -> ExprKind {
        match self.terms.form(term) {
            Form::Word(word) => ExprKind::Word(*word),
            Form::Text(text) => ExprKind::Text(text.clone()),
            Form::Nothing if self.terms.ty(term).is_many() => ExprKind::Empty,
            Form::Nothing => ExprKind::Nothing,
            Form::Local(local) => ExprKind::Local(*local),
            Form::Bound(index) => {
                // INVARIANT: a term is raised within the loops that bind it.
                let at = self.bound.len().wrapping_sub(1 + *index as usize);
                self.bound.get(at).map_or(ExprKind::Nothing, |local| ExprKind::Local(*local))
            }
            Form::Ambient(ambient) => match ambient {
                Ambient::Me => ExprKind::Me,
                Ambient::This => ExprKind::This,
                Ambient::Mover => ExprKind::Mover,
                Ambient::Actor => ExprKind::Actor,
                Ambient::Source => ExprKind::Source,
                Ambient::Cause => ExprKind::Cause,
                Ambient::Changed => ExprKind::Changed,
                Ambient::Round => ExprKind::Round,
                Ambient::Flat(board) => ExprKind::Flat(*board),
                Ambient::Players => ExprKind::Players,
                Ambient::Opponents => ExprKind::Opponents,
                Ambient::Option(option) => ExprKind::Option(*option),
            },
            Form::Read(read, parts) => self.read(*read, parts),
            Form::Function(builtin, args) => ExprKind::Builtin(*builtin, self.all(args)),
            Form::Unary(Unary::Some, inner) => match self.terms.form(*inner) {
                Form::Each(Each::Where, over, cond) => {
                    let (over, binder, cond) = self.each(*over, *cond);
                    ExprKind::Any { over, binder, cond }
                }
                _ => ExprKind::Some(self.part(*inner)),
            },
            Form::Unary(unary, a) => {
                let a = self.part(*a);
                match unary {
                    Unary::Not => ExprKind::Not(a),
                    Unary::Negate => ExprKind::Negate(a),
                    Unary::Count => ExprKind::Count(a),
                    Unary::Some => ExprKind::Some(a),
                    Unary::ToSet => ExprKind::ToSet(a),
                    Unary::ToList => ExprKind::ToList(a),
                    Unary::Is(kind) => ExprKind::Is(a, *kind),
                }
            }
            Form::Binary(op, a, b) => ExprKind::Binary(*op, self.part(*a), self.part(*b)),
            Form::Compare(op, a, b) => ExprKind::Compare(*op, self.part(*a), self.part(*b)),
            Form::And(a, b) => ExprKind::And(self.part(*a), self.part(*b)),
            Form::Or(a, b) => ExprKind::Or(self.part(*a), self.part(*b)),
            Form::If(a, b, c) => ExprKind::If(self.part(*a), self.part(*b), self.part(*c)),
            Form::In(a, b) => ExprKind::In(self.part(*a), self.part(*b)),
            Form::List(items) => ExprKind::List(self.all(items)),
            Form::Range(a, b) => ExprKind::Range(self.part(*a), self.part(*b)),
            Form::Each(each, over, body) => {
                let (over, binder, body) = self.each(*over, *body);
                match *each {
                    Each::Where => ExprKind::Where { over, binder, cond: body },
                    Each::Fold(op) => ExprKind::Fold { op, over, binder, body },
                    Each::Collect(op) => ExprKind::Collect { op, over, binder, body },
                    Each::Having { most } => ExprKind::Having { over, most, binder, body },
                    Each::Sorted { down } => ExprKind::Sorted { over, down, binder, body },
                }
            }
            Form::Call(proc, args) => ExprKind::Call(*proc, self.all(args)),
            Form::Lambda(proc) => ExprKind::Lambda(*proc),
            Form::Apply(lambda, args) => ExprKind::CallLambda(self.part(*lambda), self.all(args)),
            Form::Script(script, args) => ExprKind::CallScript(*script, self.all(args)),
            Form::Can(player, action, args) => ExprKind::Can(self.part(*player), *action, self.all(args)),
            Form::Targetable(verb, args, sure, ignoring) => {
                let args = args.iter().map(|arg| arg.map(|arg| self.expr(arg))).collect();
                ExprKind::Targetable { verb: *verb, args, sure: *sure, ignoring: ignoring.as_slice().into() }
            }
            Form::Index(list, i) => ExprKind::Index(self.part(*list), self.part(*i)),
            Form::Part(split, whose) => ExprKind::Part(self.part(*split), self.part(*whose)),
        }
    }

    fn read(&mut self, read: Read, parts: &[Term]) -> ExprKind {
        let mut exprs = self.all(parts).into_iter().map(Box::new);
        match (read, exprs.next(), exprs.next()) {
            (Read::Prop(prop), Some(of), _) => ExprKind::Prop(of, prop),
            (Read::Side(prop), Some(of), Some(way)) => ExprKind::Side(of, prop, way),
            (Read::Seat, Some(n), _) => ExprKind::Seat(n),
            (Read::GameProp(prop), ..) => ExprKind::GameProp(prop),
            (Read::InPlay(kind), ..) => ExprKind::InPlay(kind),
            (Read::EntitiesOf(entry), ..) => ExprKind::EntitiesOf(entry),
            (Read::Contents(zone), of, _) => ExprKind::Contents(zone, of),
            // INVARIANT: what is read of an entity or a number of a seat has it among its parts.
            (Read::Prop(_) | Read::Side(_) | Read::Seat, ..) => ExprKind::Nothing,
        }
    }

    fn each(&mut self, over: Term, body: Term) -> (Box<Expr>, LocalId, Box<Expr>) {
        let ty = self.terms.ty(over).element().clone();
        let over = self.part(over);
        let binder = self.name(ty);
        self.bound.push(binder);
        let body = self.part(body);
        self.bound.pop();
        (over, binder, body)
    }

    /// A name for the members of a loop that no loop around has.
    fn name(&mut self, ty: Ty) -> LocalId {
        let added = (self.own..self.locals.len()).map(|index| LocalId(index as u32));
        let mut names = self.names.iter().copied().chain(added);
        let found = names.find(|name| self.locals[name.index()].ty == ty && !self.bound.contains(name));
        found.unwrap_or_else(|| {
            self.locals.push(Local { name: "it".to_owned(), ty, span: crate::base::Span::default() });
            LocalId(self.locals.len() as u32 - 1)
        })
    }
}
