//! What always has a value, and which definitions can fail: what a pass must know before it leaves out, repeats or
//! exchanges something. A term that cannot fail may be worked out more or fewer times than it is written; of terms with
//! arguments and loops around them, `bounds` says so.

use super::bounds::joined;
use super::lower::Lower;
use super::term::{Ambient, Form, Read, Term, Terms, Unary};
use super::ways::Compass;
use crate::base::Span;
use crate::model::geometry::Geometry;
use crate::model::rules::walk::{each_given, each_stmt};
use crate::model::rules::{
    BuiltinProp, ClauseKind, CreateValue, Expr, ExprKind, FieldValue, LocalId, Proc, ProcBody, ProcId, ProcRole, Prop,
    PropClass, PropId, Qty, Rules, Stmt, StmtKind, Ty, Verb,
};
use std::collections::BTreeSet;

/// What always has a value in a procedure.
#[derive(Clone, Debug, Default)]
pub struct Sure {
    /// These locals.
    pub locals: BTreeSet<LocalId>,
    /// Between which numbers these lie, by their index.
    pub numbers: Vec<Option<(i64, i64)>>,
    /// `me`: who acts in an action is somebody.
    pub me: bool,
    /// These locals name what is still what it was, before the first statement that changes something.
    pub fresh: BTreeSet<LocalId>,
    /// Where that stands.
    pub changes: Option<Span>,
}

/// What is known of definitions.
pub struct Whole<'r> {
    pub(super) rules: &'r Rules,
    /// For each procedure that is an expression, its terms.
    pub(super) bodies: Vec<Option<(Terms, Term)>>,
    /// For each procedure, whether working it out can fail, whatever its arguments are.
    pub(super) fails: Vec<bool>,
    /// For each procedure, whether there is always a value.
    values: Vec<bool>,
    /// For each procedure, whether it reads what changes in play.
    plays: Vec<bool>,
    /// For each field that is a number, whether no card is created with one that is missing.
    numbers: Vec<bool>,
    /// For each property that is a number printed on cards and pieces, between which numbers it lies.
    pub(super) printed: Vec<Option<(i64, i64)>>,
    /// For each stat, whether anything modifies it.
    pub(super) modified: Vec<bool>,
    /// For each board, how many sites follow each other in a direction at the most.
    pub(super) longest: Vec<usize>,
    /// For each board, what its directions are like.
    pub(super) compasses: Vec<Compass>,
}

impl<'r> Whole<'r> {
    /// Looks at all definitions of a game.
    pub fn new(rules: &'r Rules) -> Whole<'r> {
        let lower = |proc: &Proc| {
            let ProcBody::Expr(expr) = &proc.body else { return None };
            let mut terms = Terms::default();
            let term = Lower::new(&mut terms).expr(expr);
            Some((terms, term))
        };
        let bodies: Vec<Option<(Terms, Term)>> = rules.procs.iter().map(lower).collect();
        // A definition calls only others, never itself: so that none is taken to fail until it is seen to.
        let fails: Vec<bool> = rules.procs.iter().map(|proc| !is_expr(&proc.body)).collect();
        let plays = fails.clone();
        let mut modified = vec![false; rules.props.len()];
        for clause in &rules.clauses {
            if let (ClauseKind::Modify { stat, .. }, false) = (&clause.kind, clause.folded) {
                modified[stat.index()] = true;
            }
        }
        let longest = rules.boards.iter().map(|board| longest_ray(&board.geometry)).collect();
        let compasses = rules.boards.iter().map(|board| Compass::new(&board.geometry)).collect();
        let values = vec![false; rules.procs.len()];
        let numbers = vec![true; rules.props.len()];
        let given = given(rules);
        let printed = printed(rules);
        let mut whole =
            Whole { rules, bodies: Vec::new(), fails, values, plays, numbers, printed, modified, longest, compasses };
        whole.print_in_play(&given);
        loop {
            whole.settle_values(&bodies);
            let mut missing = Vec::new();
            for (proc, stored) in &given {
                let sure = whole.sure(proc);
                let unsure = stored.iter().filter(|stored| !whole.is_value(&stored.terms, stored.value, &sure));
                missing.extend(unsure.map(|stored| stored.prop.index()));
            }
            let known = missing.iter().all(|prop| !whole.numbers[*prop]);
            if known {
                break;
            }
            missing.into_iter().for_each(|prop| whole.numbers[prop] = false);
        }
        whole.settle(&bodies, |whole| &mut whole.fails, |whole, terms, term| whole.can_fail(terms, term));
        whole.settle(&bodies, |whole| &mut whole.plays, |whole, terms, term| whole.reads_play(terms, term));
        whole.bodies = bodies;
        whole
    }

    /// Adds what is printed on what is created in play.
    fn print_in_play(&mut self, given: &[(&Proc, Vec<Given>)]) {
        let mut printed = self.printed.clone();
        // What is read of another number that is printed so is not known yet.
        for stored in given.iter().flat_map(|(_, stored)| stored) {
            self.printed[stored.prop.index()] = None;
        }
        for (proc, stored) in given {
            let sure = self.sure(proc);
            for Given { prop, terms, value } in stored {
                let known = &mut printed[prop.index()];
                *known = (*known).zip(self.between(terms, *value, &sure)).map(joined);
            }
        }
        self.printed = printed;
    }

    /// Sees which definitions always have a value.
    fn settle_values(&mut self, bodies: &[Option<(Terms, Term)>]) {
        self.values.fill(false);
        let none = Sure::default();
        self.settle(bodies, |whole| &mut whole.values, |whole, terms, term| whole.is_value(terms, term, &none));
    }

    /// Notes of which definitions something holds, until no more follows from what is noted.
    fn settle(
        &mut self,
        bodies: &[Option<(Terms, Term)>],
        noted: fn(&mut Self) -> &mut Vec<bool>,
        holds: impl Fn(&Self, &Terms, Term) -> bool,
    ) {
        let mut changed = true;
        while std::mem::take(&mut changed) {
            for (index, terms, term) in written(bodies) {
                if !noted(self)[index] && holds(self, terms, term) {
                    noted(self)[index] = true;
                    changed = true;
                }
            }
        }
    }

    /// What always has a value in a procedure: who acts, a `let` that is given a value in one place, what an action begins
    /// by choosing, each of others.
    pub fn sure(&self, proc: &Proc) -> Sure {
        let numbers = vec![None; proc.locals.len()];
        let mut sure = Sure { me: proc.role == ProcRole::Action, numbers, ..Sure::default() };
        let (given, first) = (given_once(proc), first_choices(proc));
        if let (ProcBody::Block(stmts), ProcRole::Action) = (&proc.body, proc.role) {
            let named = stmts.iter().take_while(|stmt| begins(stmt)).filter_map(|stmt| match &stmt.kind {
                StmtKind::Local { local, value } => looked_for(value).then_some(*local),
                StmtKind::Choose(choose) => Some(choose.local),
                _ => None,
            });
            sure.fresh = named.collect();
            sure.changes = stmts.iter().find(|stmt| !begins(stmt)).map(|stmt| stmt.span);
        }
        sure.locals.extend(self.needed(proc));
        each_stmt(proc, &mut |stmt| {
            let mut terms = Terms::default();
            let (local, is_value, number) = match &stmt.kind {
                StmtKind::Local { local, value } => {
                    let term = Lower::new(&mut terms).expr(value);
                    (*local, self.is_value(&terms, term, &sure), self.between(&terms, term, &sure))
                }
                StmtKind::Each { local, domain, .. } => {
                    let over = Lower::new(&mut terms).expr(domain);
                    (*local, true, self.between_members(&terms, over, &sure))
                }
                StmtKind::Choose(choose) => (choose.local, first.contains(&choose.local), None),
                _ => return,
            };
            // What is given another value later, perhaps in a loop around this, is not known to have this one.
            let once = given.contains(&local);
            if let Some(known) = sure.numbers.get_mut(local.index()) {
                *known = number.filter(|_| once);
            }
            if once && is_value {
                sure.locals.insert(local);
            } else {
                sure.locals.remove(&local);
            }
        });
        sure
    }

    /// The parameters that are there in a verb's body: without them nothing happens.
    fn needed(&self, proc: &Proc) -> impl Iterator<Item = LocalId> {
        let of = |verb: &&Verb| {
            let body = &self.rules.procs[verb.body.index()];
            body.span == proc.span && body.name == proc.name
        };
        let verb = self.rules.verbs.iter().find(|verb| proc.role == ProcRole::Verb && of(verb));
        let params = verb.into_iter().flat_map(|verb| verb.params.iter().enumerate());
        let needed = |ty: &Ty| !matches!(ty, Ty::Maybe(_) | Ty::Lambda(..)) && !ty.is_many();
        params.filter(move |(_, param)| needed(&param.ty)).map(|(index, _)| LocalId(index as u32))
    }

    /// Whether a term always has a value: it is never `nothing`, whatever its type says. `me` is nobody where a card that
    /// nobody holds acts, and properties of what is missing are missing, too.
    pub fn is_value(&self, terms: &Terms, term: Term, sure: &Sure) -> bool {
        let all = |parts: &[Term]| parts.iter().all(|part| self.is_value(terms, *part, sure));
        let info = |prop: PropId| &self.rules.props[prop.index()];
        let is_kept = |prop: PropId| {
            // A flag of nothing does not hold, and a number that is set to nothing stays what it was.
            match (&info(prop).class, &info(prop).ty) {
                (PropClass::Counter { .. } | PropClass::Mark { .. }, Ty::Flag | Ty::Number) => true,
                (PropClass::Field { .. }, Ty::Flag) => true,
                (PropClass::Field { .. }, Ty::Number) => self.numbers[prop.index()],
                _ => false,
            }
        };
        match terms.form(term) {
            Form::Word(_)
            | Form::Text(_)
            | Form::Bound(_)
            | Form::Compare(..)
            | Form::And(..)
            | Form::Or(..)
            | Form::In(..)
            | Form::List(_)
            | Form::Range(..)
            | Form::Unary(Unary::Not | Unary::Count | Unary::Some | Unary::ToSet | Unary::ToList | Unary::Is(_), _)
            | Form::Each(..)
            | Form::Ambient(Ambient::Option(_) | Ambient::Round | Ambient::Flat(_)) => true,
            Form::Local(local) => sure.locals.contains(local),
            Form::Ambient(Ambient::Me) => sure.me,
            Form::Read(Read::Prop(prop), of) => is_kept(*prop) && !terms.ty(term).is_many() && all(of),
            Form::Read(Read::GameProp(prop), _) => is_kept(*prop),
            Form::Unary(Unary::Negate, a) => all(&[*a]),
            Form::Binary(_, a, b) => terms.ty(term).is_many() || all(&[*a, *b]),
            Form::If(cond, a, b) => {
                // `F else G`: the first is worked out where it is there.
                let there = match terms.form(*cond) {
                    Form::Unary(Unary::Some, asked) => terms.form(*asked) == terms.form(*a),
                    _ => false,
                };
                (there || all(&[*a])) && all(&[*b])
            }
            Form::Call(proc, _) => self.values.get(proc.index()).copied().unwrap_or(false),
            Form::Nothing
            | Form::Ambient(_)
            | Form::Read(..)
            | Form::Function(..)
            | Form::Lambda(_)
            | Form::Apply(..)
            | Form::Script(..)
            | Form::Can(..)
            | Form::Targetable(..)
            | Form::Index(..)
            | Form::Part(..) => terms.ty(term).is_many(),
        }
    }

    /// Whether a term reads properties, places or pieces, which change in play.
    pub fn reads_play(&self, terms: &Terms, term: Term) -> bool {
        terms.has(term, &|form| match form {
            Form::Read(Read::Seat, _) => false,
            Form::Read(Read::Prop(prop), _) => !matches!(
                self.rules.props[prop.index()].class,
                PropClass::Field { .. } | PropClass::Builtin(BuiltinProp::Seat)
            ),
            Form::Read(..) => true,
            Form::Ambient(Ambient::Flat(_)) => true,
            Form::Function(builtin, _) => !super::memo::of_boards(*builtin),
            Form::Call(proc, _) => self.plays[proc.index()],
            _ => false,
        })
    }

    /// Whether a definition may be put in the place of its call.
    pub fn opens(&self, proc: ProcId) -> bool {
        self.rules.opens(proc) && is_expr(&self.rules.procs[proc.index()].body)
    }
}

/// The procedures that are expressions.
fn written(bodies: &[Option<(Terms, Term)>]) -> impl Iterator<Item = (usize, &Terms, Term)> {
    bodies.iter().enumerate().filter_map(|(index, body)| body.as_ref().map(|(terms, term)| (index, terms, *term)))
}

/// What a statement gives a field of what it creates.
struct Given {
    prop: PropId,
    terms: Terms,
    value: Term,
}

/// What procedures give the fields of what they create.
fn given(rules: &Rules) -> Vec<(&Proc, Vec<Given>)> {
    let mut given = Vec::new();
    for proc in &rules.procs {
        let mut stored = Vec::new();
        each_stmt(proc, &mut |stmt| {
            let StmtKind::Create { fields, .. } = &stmt.kind else { return };
            for (prop, value) in fields {
                if let (CreateValue::Value(value), PropClass::Field { .. }) = (value, &rules.props[prop.index()].class)
                {
                    let mut terms = Terms::default();
                    let value = Lower::new(&mut terms).expr(value);
                    stored.push(Given { prop: *prop, terms, value });
                }
            }
        });
        if !stored.is_empty() {
            given.push((proc, stored));
        }
    }
    given
}

/// Between which numbers those lie that are printed in each property, by definitions.
fn printed(rules: &Rules) -> Vec<Option<(i64, i64)>> {
    let of = |prop: &Prop| match &prop.class {
        PropClass::Field { default } if prop.ty == Ty::Number => {
            let default = match default {
                Some(FieldValue::Word(word)) => *word,
                None => 0,
                Some(_) => return None,
            };
            Some((default.min(0), default.max(0)))
        }
        _ => None,
    };
    let mut bounds: Vec<_> = rules.props.iter().map(of).collect();
    for (prop, value) in rules.entries.iter().flat_map(|entry| &entry.fields) {
        let known = &mut bounds[prop.index()];
        *known = match (*known, value) {
            (Some((low, high)), Some(FieldValue::Word(word))) => Some((low.min(*word), high.max(*word))),
            (known, None) => known,
            _ => None,
        };
    }
    bounds
}

/// Whether what an expression names is looked for where things lie, so that it has not gone: a mark may name what has.
fn looked_for(expr: &Expr) -> bool {
    let (mut found, mut members) = (true, BTreeSet::new());
    expr.walk(&mut |part| members.extend(part.binder()));
    expr.walk(&mut |part| {
        let kept = match part.kind {
            ExprKind::Prop(..) | ExprKind::GameProp(_) | ExprKind::Call(..) | ExprKind::This => true,
            ExprKind::Local(local) => !members.contains(&local),
            _ => false,
        };
        found &= !kept || !matches!(part.ty.element().bare(), Ty::Entity(_));
    });
    found
}

/// Whether a statement of an action leaves everything as it was.
pub(super) fn begins(stmt: &Stmt) -> bool {
    matches!(
        stmt.kind,
        StmtKind::Local { .. } | StmtKind::Requires { .. } | StmtKind::Ensure { .. } | StmtKind::Choose(_)
    )
}

/// The locals of a procedure that one statement gives a value, and nothing else.
fn given_once(proc: &Proc) -> BTreeSet<LocalId> {
    let (mut once, mut more) = (BTreeSet::new(), BTreeSet::new());
    each_stmt(proc, &mut |stmt| {
        each_given(stmt, &mut |local, _| {
            if local.index() < usize::from(proc.params) || !once.insert(local) {
                more.insert(local);
            }
        });
    });
    once.retain(|local| !more.contains(local));
    once
}

/// What is chosen before an action has done anything: where there is nothing to choose, it is not begun.
fn first_choices(proc: &Proc) -> Vec<LocalId> {
    let ProcBody::Block(stmts) = &proc.body else { return Vec::new() };
    let chosen = stmts.iter().take_while(|stmt| begins(stmt)).filter_map(|stmt| match &stmt.kind {
        StmtKind::Choose(choose) if matches!(choose.qty, Qty::One) && choose.by.is_none() => Some(choose.local),
        _ => None,
    });
    chosen.filter(|_| proc.role == ProcRole::Action).collect()
}

fn is_expr(body: &ProcBody) -> bool {
    matches!(body, ProcBody::Expr(_))
}

/// How many sites follow each other in a direction at the most; on a ring, all.
fn longest_ray(geometry: &Geometry) -> usize {
    let (sites, ways) = (geometry.sites(), geometry.directions.len());
    let next = |site: usize, way: usize| geometry.next.get(site * ways + way).map(|site| usize::from(*site));
    let length = |site: usize, way: usize| {
        let ray = std::iter::successors(next(site, way), |site| next(*site, way)).take_while(|site| *site < sites);
        ray.take(sites).count()
    };
    (0..ways).flat_map(|way| (0..sites).map(move |site| length(site, way))).max().unwrap_or(0)
}
