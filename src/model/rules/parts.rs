//! What expressions and clauses are made of.

use super::{ClauseKind, Expr, ExprKind, LocalId, ProcId};

/// Calls a function for the expressions directly within one. Every form is named, so that no new one is forgotten.
macro_rules! each_part {
    ($kind:expr, $iter:ident, $f:ident) => {
        match $kind {
            ExprKind::Prop(a, _)
            | ExprKind::Seat(a)
            | ExprKind::ToSet(a)
            | ExprKind::ToList(a)
            | ExprKind::Not(a)
            | ExprKind::Negate(a)
            | ExprKind::Count(a)
            | ExprKind::Is(a, _)
            | ExprKind::Some(a)
            | ExprKind::Contents(_, Some(a)) => $f(a),
            ExprKind::List(items)
            | ExprKind::Call(_, items)
            | ExprKind::CallScript(_, items)
            | ExprKind::Builtin(_, items) => items.$iter().for_each($f),
            ExprKind::Binary(_, a, b)
            | ExprKind::Compare(_, a, b)
            | ExprKind::And(a, b)
            | ExprKind::Or(a, b)
            | ExprKind::In(a, b)
            | ExprKind::Range(a, b)
            | ExprKind::Part(a, b)
            | ExprKind::Index(a, b)
            | ExprKind::Side(a, _, b)
            | ExprKind::Where { over: a, cond: b, .. }
            | ExprKind::Any { over: a, cond: b, .. }
            | ExprKind::All { over: a, cond: b, .. }
            | ExprKind::Fold { over: a, body: b, .. }
            | ExprKind::Collect { over: a, body: b, .. }
            | ExprKind::Having { over: a, body: b, .. }
            | ExprKind::Sorted { over: a, body: b, .. } => {
                $f(a);
                $f(b);
            }
            ExprKind::Targetable { args, .. } => args.$iter().flatten().for_each($f),
            ExprKind::Can(a, _, items) | ExprKind::CallLambda(a, items) => {
                $f(a);
                items.$iter().for_each($f);
            }
            ExprKind::If(a, b, c) => {
                $f(a);
                $f(b);
                $f(c);
            }
            ExprKind::Word(_)
            | ExprKind::Text(_)
            | ExprKind::Nothing
            | ExprKind::Empty
            | ExprKind::Local(_)
            | ExprKind::Me
            | ExprKind::This
            | ExprKind::Mover
            | ExprKind::Actor
            | ExprKind::Source
            | ExprKind::Cause
            | ExprKind::Changed
            | ExprKind::Round
            | ExprKind::Flat(_)
            | ExprKind::Option(_)
            | ExprKind::GameProp(_)
            | ExprKind::InPlay(_)
            | ExprKind::EntitiesOf(_)
            | ExprKind::Contents(_, None)
            | ExprKind::Players
            | ExprKind::Opponents
            | ExprKind::Lambda(_) => {}
        }
    };
}

/// The name that a filter or fold gives to its subject.
macro_rules! binder {
    ($kind:expr) => {
        match $kind {
            ExprKind::Where { binder, .. }
            | ExprKind::Any { binder, .. }
            | ExprKind::All { binder, .. }
            | ExprKind::Fold { binder, .. }
            | ExprKind::Collect { binder, .. }
            | ExprKind::Having { binder, .. }
            | ExprKind::Sorted { binder, .. } => Some(binder),
            _ => None,
        }
    };
}

impl Expr {
    /// Calls `f` for the expressions directly within this one.
    pub fn each_part<'e>(&'e self, f: &mut dyn FnMut(&'e Expr)) {
        each_part!(&self.kind, iter, f);
    }

    /// Likewise, to change them.
    pub fn each_part_mut(&mut self, f: &mut dyn FnMut(&mut Expr)) {
        each_part!(&mut self.kind, iter_mut, f);
    }

    /// The expressions directly within this one.
    pub fn parts(&self) -> Vec<&Expr> {
        let mut parts = Vec::new();
        self.each_part(&mut |part| parts.push(part));
        parts
    }

    /// Calls `f` for this expression and all within it, the outer ones first.
    pub fn walk<'e>(&'e self, f: &mut dyn FnMut(&'e Expr)) {
        f(self);
        self.each_part(&mut |part| part.walk(f));
    }

    /// What the subject of a filter or fold is called; none of other forms.
    pub fn binder(&self) -> Option<LocalId> {
        binder!(&self.kind).copied()
    }

    /// The subject of a filter or fold, and the set or list whose members it is one after another.
    pub fn subject(&self) -> Option<(LocalId, &Expr)> {
        let binder = self.binder()?;
        let mut over = None;
        self.each_part(&mut |part| _ = over.get_or_insert(part));
        Some((binder, over?))
    }

    /// Likewise, to change it.
    pub fn binder_mut(&mut self) -> Option<&mut LocalId> {
        binder!(&mut self.kind)
    }

    /// Whether this is a local.
    pub fn is_local(&self, local: LocalId) -> bool {
        matches!(self.kind, ExprKind::Local(own) if own == local)
    }

    /// This without what makes a set or list of it.
    pub fn bare(&self) -> &Expr {
        match &self.kind {
            ExprKind::ToSet(inner) | ExprKind::ToList(inner) => inner.bare(),
            _ => self,
        }
    }

    /// Whether this reads a local.
    pub fn mentions(&self, local: LocalId) -> bool {
        let mut found = false;
        self.walk(&mut |part| found |= part.is_local(local));
        found
    }

    /// Puts another name in the place of a local.
    pub fn rename(&mut self, from: LocalId, to: LocalId) {
        if self.is_local(from) {
            self.kind = ExprKind::Local(to);
        }
        self.each_part_mut(&mut |part| part.rename(from, to));
    }

    /// Puts a value in the place of a local.
    pub fn put(&mut self, local: LocalId, value: &Expr) {
        if self.is_local(local) {
            *self = value.clone();
        } else {
            self.each_part_mut(&mut |part| part.put(local, value));
        }
    }

    /// Whether two expressions that stand side by side have the same value, as far as they are written alike.
    pub fn same(&self, other: &Expr) -> bool {
        let all = |one: &[Expr], two: &[Expr]| one.len() == two.len() && one.iter().zip(two).all(|(a, b)| a.same(b));
        match (&self.kind, &other.kind) {
            (ExprKind::Word(a), ExprKind::Word(b)) => a == b,
            (ExprKind::Local(a), ExprKind::Local(b)) => a == b,
            (ExprKind::GameProp(a), ExprKind::GameProp(b)) => a == b,
            (ExprKind::Option(a), ExprKind::Option(b)) => a == b,
            (ExprKind::EntitiesOf(a), ExprKind::EntitiesOf(b)) => a == b,
            (ExprKind::InPlay(a), ExprKind::InPlay(b)) => a == b,
            (ExprKind::Prop(a, one), ExprKind::Prop(b, two)) => one == two && a.same(b),
            (ExprKind::Builtin(one, a), ExprKind::Builtin(two, b)) => one == two && all(a, b),
            (ExprKind::Call(one, a), ExprKind::Call(two, b)) => one == two && all(a, b),
            (ExprKind::Contents(one, a), ExprKind::Contents(two, b)) => {
                one == two
                    && match (a, b) {
                        (Some(a), Some(b)) => a.same(b),
                        (None, None) => true,
                        _ => false,
                    }
            }
            (ExprKind::Compare(one, a, c), ExprKind::Compare(two, b, d)) => one == two && a.same(b) && c.same(d),
            (ExprKind::Binary(one, a, c), ExprKind::Binary(two, b, d)) => one == two && a.same(b) && c.same(d),
            (ExprKind::And(a, c), ExprKind::And(b, d))
            | (ExprKind::Or(a, c), ExprKind::Or(b, d))
            | (ExprKind::In(a, c), ExprKind::In(b, d))
            | (ExprKind::Index(a, c), ExprKind::Index(b, d)) => a.same(b) && c.same(d),
            (ExprKind::Is(a, one), ExprKind::Is(b, two)) => one == two && a.same(b),
            (ExprKind::Count(a), ExprKind::Count(b))
            | (ExprKind::Not(a), ExprKind::Not(b))
            | (ExprKind::Negate(a), ExprKind::Negate(b))
            | (ExprKind::Some(a), ExprKind::Some(b))
            | (ExprKind::Seat(a), ExprKind::Seat(b))
            | (ExprKind::ToSet(a), ExprKind::ToSet(b))
            | (ExprKind::ToList(a), ExprKind::ToList(b)) => a.same(b),
            (ExprKind::Flat(a), ExprKind::Flat(b)) => a == b,
            (ExprKind::Me, ExprKind::Me)
            | (ExprKind::This, ExprKind::This)
            | (ExprKind::Mover, ExprKind::Mover)
            | (ExprKind::Actor, ExprKind::Actor)
            | (ExprKind::Source, ExprKind::Source)
            | (ExprKind::Players, ExprKind::Players)
            | (ExprKind::Opponents, ExprKind::Opponents)
            | (ExprKind::Round, ExprKind::Round) => true,
            _ => false,
        }
    }
}

impl ClauseKind {
    /// The procedures of a clause, in the order of the text.
    pub fn procs(&self) -> impl Iterator<Item = ProcId> + use<> {
        let procs = match self {
            ClauseKind::Hook { cond, body, .. } => [*cond, *body, None],
            ClauseKind::Becomes { cond, body, .. } | ClauseKind::Check { cond, body } => {
                [Some(*cond), Some(*body), None]
            }
            ClauseKind::Modify { of, value, when, .. } => [Some(*of), Some(*value), *when],
        };
        procs.into_iter().flatten()
    }
}
