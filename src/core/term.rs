//! Terms: the values of the core. Equal terms of one site are one term, so that what is asked for twice is seen to be the
//! same by its number, and binders are counted from within, so that a name never matters.

use crate::base::Span;
use crate::model::rules::{
    ActionId, BinaryOp, BoardId, Builtin, CollectOp, CompareOp, EntryId, FoldOp, GroupId, KindId, LocalId, OptionId,
    ProcId, PropId, ScriptId, Ty, VerbId, ZoneId,
};
use std::collections::HashMap;

/// A term. Index into [`Terms`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Term(u32);

/// What a term is.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Form {
    /// A number, flag, enum value or cause.
    Word(i64),
    Text(String),
    /// What is missing, or a set or list without members, as the type says.
    Nothing,
    /// A parameter, `let`, choice or loop name.
    Local(LocalId),
    /// The member that so many loops outside the innermost one go through.
    Bound(u32),
    /// What is the same wherever it is asked in one event.
    Ambient(Ambient),
    /// What the state holds, of an entity, a player or the whole game.
    Read(Read, Vec<Term>),
    /// A function of the language.
    Function(Builtin, Vec<Term>),
    /// An operator on one value.
    Unary(Unary, Term),
    /// Arithmetic and set operators.
    Binary(BinaryOp, Term, Term),
    /// Comparisons: the turned ones (`>`, `>=`) never stand in canonical terms.
    Compare(CompareOp, Term, Term),
    /// The right one is worked out only if it is needed.
    And(Term, Term),
    Or(Term, Term),
    If(Term, Term, Term),
    /// Member of a set or list; not so of `nothing`.
    In(Term, Term),
    /// Members written out.
    List(Vec<Term>),
    /// The numbers from one to another.
    Range(Term, Term),
    /// What becomes of the members of the first, by the second, in which the member is bound.
    Each(Each, Term, Term),
    /// A definition.
    Call(ProcId, Vec<Term>),
    /// A question or amount as a value, and its answer.
    Lambda(ProcId),
    Apply(Term, Vec<Term>),
    Script(ScriptId, Vec<Term>),
    /// Whether the player could do an action.
    Can(Term, ActionId, Vec<Term>),
    /// Whether no `cannot` would stop a verb.
    Targetable(VerbId, Vec<Option<Term>>, u64, Vec<GroupId>),
    /// An item of a list, counted from 0.
    Index(Term, Term),
    /// What somebody got of a split.
    Part(Term, Term),
}

/// What is the same wherever it is asked in one event.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Ambient {
    Me,
    This,
    Mover,
    Actor,
    Source,
    Cause,
    Changed,
    Round,
    /// Whether no piece on a board lies on another.
    Flat(BoardId),
    Players,
    Opponents,
    Option(OptionId),
}

/// What is read of the state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Read {
    Prop(PropId),
    GameProp(PropId),
    /// A value per direction, in a direction.
    Side(PropId),
    /// Entities in play, of a definition, in a zone.
    InPlay(KindId),
    EntitiesOf(EntryId),
    Contents(ZoneId),
    /// The player of a seat's number.
    Seat,
}

/// Operators on one value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Unary {
    Not,
    Negate,
    Count,
    /// Whether there is a value or a member.
    Some,
    ToSet,
    ToList,
    Is(KindId),
}

/// What becomes of the members of a set or list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Each {
    /// Those for which a condition holds.
    Where,
    Fold(FoldOp),
    Collect(CollectOp),
    /// Those with the most or least of an amount.
    Having {
        most: bool,
    },
    Sorted {
        down: bool,
    },
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Key {
    form: Form,
    ty: Ty,
    site: u32,
}

#[derive(Clone, Debug)]
struct Node {
    form: Form,
    ty: Ty,
    span: Span,
    /// One more than the loops outside that it depends on.
    free: u32,
    /// How many parts it is written with.
    size: u32,
}

/// The terms of a procedure.
#[derive(Clone, Debug, Default)]
pub struct Terms {
    nodes: Vec<Node>,
    known: HashMap<Key, Term>,
    /// The statement whose terms are made: only its own are the same, so that an error names a line of it.
    site: u32,
}

impl Terms {
    /// Begins the terms of another site.
    pub fn begin(&mut self) {
        self.site += 1;
    }

    /// The term of a form and type; the place in content is that of the first such term of the site.
    pub fn make(&mut self, form: Form, ty: Ty, span: Span) -> Term {
        let key = Key { form, ty, site: self.site };
        if let Some(term) = self.known.get(&key) {
            return *term;
        }
        let (mut free, mut size) = (0, 1u32);
        if let Form::Bound(index) = key.form {
            free = index + 1;
        }
        each_part(&key.form, &mut |part, bound| {
            let node = &self.nodes[part.0 as usize];
            free = free.max(node.free.saturating_sub(bound));
            size = size.saturating_add(node.size);
        });
        let term = Term(self.nodes.len() as u32);
        self.nodes.push(Node { form: key.form.clone(), ty: key.ty.clone(), span, free, size });
        self.known.insert(key, term);
        term
    }

    /// What a term is.
    pub fn form(&self, term: Term) -> &Form {
        &self.nodes[term.0 as usize].form
    }

    /// The type of its value.
    pub fn ty(&self, term: Term) -> &Ty {
        &self.nodes[term.0 as usize].ty
    }

    /// Where it stands in content.
    pub fn span(&self, term: Term) -> Span {
        self.nodes[term.0 as usize].span
    }

    /// How many parts it is written with.
    pub fn size(&self, term: Term) -> u32 {
        self.nodes[term.0 as usize].size
    }

    /// Makes a term anew of parts that `f` gives; `f` is told how many loops bind the part.
    pub fn map(&mut self, term: Term, f: &mut dyn FnMut(&mut Terms, Term, u32) -> Term) -> Term {
        let Node { mut form, ty, span, .. } = self.nodes[term.0 as usize].clone();
        each_part_mut(&mut form, &mut |part, bound| *part = f(self, *part, bound));
        self.make(form, ty, span)
    }

    /// Whether a term depends on the member of the innermost loop around it.
    pub fn binds(&self, term: Term) -> bool {
        self.binds_in(term, 0)
    }

    /// Whether a term depends on the member of the loop outside of so many loops.
    pub fn binds_in(&self, term: Term, depth: u32) -> bool {
        let node = &self.nodes[term.0 as usize];
        if node.free <= depth {
            return false;
        }
        let mut found = node.form == Form::Bound(depth);
        each_part(&node.form, &mut |part, bound| found = found || self.binds_in(part, depth + bound));
        found
    }

    /// The innermost loop on whose member a term depends, without those within `depth` loops: 0 is that just outside them.
    pub fn innermost(&self, term: Term, depth: u32) -> Option<u32> {
        let node = &self.nodes[term.0 as usize];
        if node.free <= depth {
            return None;
        }
        let mut least = match node.form {
            Form::Bound(index) => index.checked_sub(depth),
            _ => None,
        };
        each_part(&node.form, &mut |part, bound| {
            if let Some(index) = self.innermost(part, depth + bound) {
                least = Some(least.map_or(index, |least| least.min(index)));
            }
        });
        least
    }

    /// The parts of a term, with how many loops bind each.
    pub fn parts(&self, term: Term) -> Vec<(Term, u32)> {
        let mut parts = Vec::new();
        each_part(self.form(term), &mut |part, bound| parts.push((part, bound)));
        parts
    }

    /// The parts of an `and`, or of an `or`, in their order; the term alone if it is none.
    pub fn joined(&self, term: Term, and: bool) -> Vec<Term> {
        match *self.form(term) {
            Form::And(a, b) if and => [self.joined(a, and), self.joined(b, and)].concat(),
            Form::Or(a, b) if !and => [self.joined(a, and), self.joined(b, and)].concat(),
            _ => vec![term],
        }
    }

    /// A list, set or single thing without what only makes a set or a list of it.
    pub fn listed(&self, mut set: Term) -> Term {
        while let Form::Unary(Unary::ToSet | Unary::ToList, inner) = *self.form(set) {
            set = inner;
        }
        set
    }

    /// Those of a set for which all of some conditions hold: the set itself where there are none.
    pub fn filtered(&mut self, over: Term, conds: Vec<Term>, span: Span) -> Term {
        let ty = self.ty(over).clone();
        let cond = conds.into_iter().reduce(|first, second| {
            let span = self.span(first);
            self.make(Form::And(first, second), Ty::Flag, span)
        });
        cond.map_or(over, |cond| self.make(Form::Each(Each::Where, over, cond), ty, span))
    }

    /// A filter without the conditions that do not depend on its member, and these as they are outside of it; none without such.
    pub fn apart(&mut self, filter: Term) -> Option<(Term, Vec<Term>)> {
        let Form::Each(Each::Where, over, cond) = *self.form(filter) else { return None };
        let (asked, fixed): (Vec<Term>, Vec<Term>) =
            self.joined(cond, true).into_iter().partition(|part| self.binds(*part));
        let such = self.filtered(over, asked, self.span(filter));
        let fixed: Vec<Term> = fixed.into_iter().map(|part| self.lifted(part, -1, 0)).collect();
        (!fixed.is_empty()).then_some((such, fixed))
    }

    /// The term with other parts, in their order.
    pub fn with_parts(&mut self, term: Term, parts: Vec<Term>) -> Term {
        let mut parts = parts.into_iter();
        self.map(term, &mut |_, part, _| parts.next().unwrap_or(part))
    }

    /// Whether a term is a function without arguments.
    pub fn is_function(&self, term: Term, builtin: Builtin) -> bool {
        matches!(self.form(term), Form::Function(own, args) if *own == builtin && args.is_empty())
    }

    /// Whether something is true of a form in a term.
    pub fn has(&self, term: Term, what: &dyn Fn(&Form) -> bool) -> bool {
        let form = self.form(term);
        let mut found = what(form);
        each_part(form, &mut |part, _| found = found || self.has(part, what));
        found
    }

    /// The term as it is written within `by` more loops than now, `depth` of its own loops left alone.
    pub fn lifted(&mut self, term: Term, by: i64, depth: u32) -> Term {
        let node = &self.nodes[term.0 as usize];
        if node.free <= depth || by == 0 {
            return term;
        }
        if let Form::Bound(index) = node.form {
            let (ty, span) = (node.ty.clone(), node.span);
            return self.make(Form::Bound((i64::from(index) + by) as u32), ty, span);
        }
        self.map(term, &mut |terms, part, bound| terms.lifted(part, by, depth + bound))
    }

    /// The term with others in the place of those parts for which `f` gives one; `depth` loops stand around it, and `f` is told how
    /// many stand around a part.
    pub fn replaced(
        &mut self,
        term: Term,
        depth: u32,
        f: &mut dyn FnMut(&mut Terms, Term, u32) -> Option<Term>,
    ) -> Term {
        match f(self, term, depth) {
            Some(other) => other,
            None => self.map(term, &mut |terms, part, bound| terms.replaced(part, depth + bound, f)),
        }
    }

    /// What is asked of the member of a loop, of one in particular; `depth` loops of its own stand around the term.
    pub fn put_member(&mut self, term: Term, member: Term, depth: u32) -> Term {
        let node = &self.nodes[term.0 as usize];
        if node.free <= depth {
            return term;
        }
        if let Form::Bound(index) = node.form {
            let (ty, span) = (node.ty.clone(), node.span);
            return match index {
                index if index == depth => self.lifted(member, i64::from(depth), 0),
                index => self.make(Form::Bound(index - 1), ty, span),
            };
        }
        self.map(term, &mut |terms, part, bound| terms.put_member(part, member, depth + bound))
    }

    /// The body of a definition with arguments in the place of its parameters. They stand where the body is to stand.
    pub fn put_args(&mut self, body: Term, args: &[Term]) -> Term {
        self.replaced(body, 0, &mut |terms, term, depth| match terms.form(term) {
            Form::Local(own) => args.get(own.index()).map(|arg| terms.lifted(*arg, i64::from(depth), 0)),
            _ => None,
        })
    }
}

/// Visits the parts of a form, with how many loops bind each. Every form is named, so that no new one is forgotten.
macro_rules! parts {
    ($form:expr, $iter:ident, $f:ident) => {
        match $form {
            Form::Word(_)
            | Form::Text(_)
            | Form::Nothing
            | Form::Local(_)
            | Form::Bound(_)
            | Form::Ambient(_)
            | Form::Lambda(_) => {}
            Form::Unary(_, a) => $f(a, 0),
            Form::Binary(_, a, b)
            | Form::Compare(_, a, b)
            | Form::And(a, b)
            | Form::Or(a, b)
            | Form::In(a, b)
            | Form::Range(a, b)
            | Form::Index(a, b)
            | Form::Part(a, b) => {
                $f(a, 0);
                $f(b, 0);
            }
            Form::If(a, b, c) => {
                $f(a, 0);
                $f(b, 0);
                $f(c, 0);
            }
            Form::Each(_, over, body) => {
                $f(over, 0);
                $f(body, 1);
            }
            Form::Read(_, parts)
            | Form::Function(_, parts)
            | Form::List(parts)
            | Form::Call(_, parts)
            | Form::Script(_, parts) => parts.$iter().for_each(|part| $f(part, 0)),
            Form::Apply(a, parts) | Form::Can(a, _, parts) => {
                $f(a, 0);
                parts.$iter().for_each(|part| $f(part, 0));
            }
            Form::Targetable(_, parts, ..) => parts.$iter().flatten().for_each(|part| $f(part, 0)),
        }
    };
}

/// Calls `f` for the parts of a form, with how many loops bind each.
pub fn each_part(form: &Form, f: &mut dyn FnMut(Term, u32)) {
    let mut visit = |part: &Term, bound| f(*part, bound);
    parts!(form, iter, visit);
}

/// The same to change them.
pub fn each_part_mut(form: &mut Form, f: &mut dyn FnMut(&mut Term, u32)) {
    parts!(form, iter_mut, f);
}
