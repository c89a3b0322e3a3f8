//! What can fail, and between which numbers values lie: what a pass must know before it leaves out, repeats or exchanges
//! something. A term that cannot fail may be worked out more or fewer times than it is written.

use super::lower::Lower;
use super::term::{Ambient, Each, Form, Read, Term, Terms, Unary};
use crate::base::limits;
use crate::model::geometry::Geometry;
use crate::model::rules::walk::each_stmt;
use crate::model::rules::{
    BinaryOp, Builtin, ClauseKind, CreateValue, Expr, FoldOp, LocalId, Proc, ProcBody, ProcId, ProcRole, PropClass,
    PropId, Qty, Rules, Stmt, StmtKind, Ty,
};
use std::collections::BTreeSet;

/// The numbers that a value lies between.
type Bounds = Option<(i64, i64)>;

/// What always has a value in a procedure.
#[derive(Clone, Debug, Default)]
pub struct Sure {
    /// These locals.
    pub locals: BTreeSet<LocalId>,
    /// `me`: who acts in an action is somebody.
    pub me: bool,
}

/// What is known of definitions.
pub struct Whole<'r> {
    rules: &'r Rules,
    /// For each procedure, whether working it out can fail.
    fails: Vec<bool>,
    /// For each procedure, whether there is always a value.
    values: Vec<bool>,
    /// For each property that is a number, whether nothing can be stored that is missing. A flag of nothing does not hold.
    numbers: Vec<bool>,
    /// For each stat, whether anything modifies it.
    modified: Vec<bool>,
    /// For each board, how many sites follow each other in a direction at the most.
    longest: Vec<usize>,
}

impl<'r> Whole<'r> {
    /// Looks at all definitions of a game.
    pub fn new(rules: &'r Rules) -> Whole<'r> {
        let mut bodies = Vec::new();
        for (index, proc) in rules.procs.iter().enumerate() {
            if let ProcBody::Expr(expr) = &proc.body {
                let mut terms = Terms::default();
                let term = Lower::new(&mut terms).expr(expr);
                bodies.push((index, terms, term));
            }
        }
        // A definition calls only others, never itself: so that none is taken to fail until it is seen to.
        let fails = rules.procs.iter().map(|proc| !is_expr(&proc.body)).collect();
        let mut modified = vec![false; rules.props.len()];
        for clause in &rules.clauses {
            if let ClauseKind::Modify { stat, .. } = clause.kind {
                modified[stat.index()] = true;
            }
        }
        let longest = rules.boards.iter().map(|board| longest_ray(&board.geometry)).collect();
        let values = vec![false; rules.procs.len()];
        let numbers = vec![true; rules.props.len()];
        let mut whole = Whole { rules, fails, values, numbers, modified, longest };
        let given = given(rules);
        loop {
            whole.settle_values(&bodies);
            let mut missing = Vec::new();
            for (proc, stored) in &given {
                let sure = whole.sure(proc);
                let unsure = stored.iter().filter(|(_, terms, term)| !whole.is_value(terms, *term, &sure));
                missing.extend(unsure.map(|(prop, ..)| prop.index()));
            }
            let known = missing.iter().all(|prop| !whole.numbers[*prop]);
            if known {
                break;
            }
            missing.into_iter().for_each(|prop| whole.numbers[prop] = false);
        }
        loop {
            let mut changed = false;
            for (index, terms, term) in &bodies {
                if !whole.fails[*index] && whole.can_fail(terms, *term) {
                    whole.fails[*index] = true;
                    changed = true;
                }
            }
            if !changed {
                return whole;
            }
        }
    }

    /// Sees which definitions always have a value.
    fn settle_values(&mut self, bodies: &[(usize, Terms, Term)]) {
        self.values.fill(false);
        loop {
            let mut changed = false;
            for (index, terms, term) in bodies {
                if !self.values[*index] && self.is_value(terms, *term, &Sure::default()) {
                    self.values[*index] = true;
                    changed = true;
                }
            }
            if !changed {
                return;
            }
        }
    }

    /// What always has a value in a procedure: who acts, a `let` that is given a value in one place, what an action begins
    /// by choosing, each of others.
    pub fn sure(&self, proc: &Proc) -> Sure {
        let mut sure = Sure { me: proc.role == ProcRole::Action, ..Sure::default() };
        let (mut given, first) = (BTreeSet::new(), first_choices(proc));
        each_stmt(proc, &mut |stmt| {
            let (local, is_value) = match &stmt.kind {
                StmtKind::Local { local, value } => {
                    let mut terms = Terms::default();
                    let term = Lower::new(&mut terms).expr(value);
                    (*local, self.is_value(&terms, term, &sure))
                }
                StmtKind::Each { local, .. } => (*local, true),
                StmtKind::Choose(choose) => (choose.local, first.contains(&choose.local)),
                _ => return,
            };
            if given.insert(local) && local.index() >= usize::from(proc.params) && is_value {
                sure.locals.insert(local);
            } else {
                sure.locals.remove(&local);
            }
        });
        sure
    }

    /// Whether working out a term can end in an error, or is not seen not to.
    pub fn can_fail(&self, terms: &Terms, term: Term) -> bool {
        let mut fails = false;
        terms.walk(term, &mut |form, part| {
            fails = fails || self.itself_fails(terms, form, part);
            !fails
        });
        fails
    }

    fn itself_fails(&self, terms: &Terms, form: &Form, term: Term) -> bool {
        match form {
            Form::Word(_)
            | Form::Text(_)
            | Form::Nothing
            | Form::Local(_)
            | Form::Bound(_)
            | Form::Ambient(_)
            | Form::Compare(..)
            | Form::And(..)
            | Form::Or(..)
            | Form::If(..)
            | Form::In(..)
            | Form::Lambda(_) => false,
            Form::Read(Read::Prop(prop) | Read::GameProp(prop), _) => match self.rules.props[prop.index()].class {
                PropClass::Stat { formula } => self.modified[prop.index()] || self.fails[formula.index()],
                _ => false,
            },
            Form::Read(..) => false,
            // Boards without an end have sites that are too far away.
            Form::Function(builtin, args) => {
                matches!(builtin, Builtin::Top | Builtin::Abs)
                    || can_overflow(terms.ty(term)) && !self.fits(terms, *builtin, term)
                    || args.iter().chain([&term]).any(|part| terms.ty(*part).endless_board().is_some())
            }
            Form::List(_) | Form::Unary(Unary::ToSet | Unary::ToList, _) => can_overflow(terms.ty(term)),
            Form::Index(..) | Form::Part(..) => false,
            Form::Unary(Unary::Negate, _) => self.bounds(terms, term).is_none(),
            Form::Unary(..) => false,
            Form::Binary(BinaryOp::Union | BinaryOp::Difference | BinaryOp::Both, ..) => can_overflow(terms.ty(term)),
            Form::Binary(..) => !matches!(terms.ty(term), Ty::Number) || self.bounds(terms, term).is_none(),
            Form::Each(Each::Where, ..) => false,
            Form::Each(Each::Fold(FoldOp::Min | FoldOp::Max), ..) => false,
            Form::Each(Each::Fold(FoldOp::Sum), ..) => self.bounds(terms, term).is_none(),
            Form::Each(Each::Collect(_) | Each::Having { .. } | Each::Sorted { .. }, ..) => {
                can_overflow(terms.ty(term))
            }
            Form::Call(proc, _) => self.fails[proc.index()],
            Form::Range(..) | Form::Apply(..) | Form::Script(..) | Form::Can(..) | Form::Targetable(..) => true,
        }
    }

    /// Whether a term always has a value: it is never `nothing`, whatever its type says. `me` is nobody where a card that
    /// nobody holds acts, and properties of what is missing are missing, too.
    pub fn is_value(&self, terms: &Terms, term: Term, sure: &Sure) -> bool {
        let all = |parts: &[Term]| parts.iter().all(|part| self.is_value(terms, *part, sure));
        let info = |prop: PropId| &self.rules.props[prop.index()];
        let is_kept = |prop: PropId| {
            let (PropClass::Counter { .. } | PropClass::Mark { .. } | PropClass::Field { .. }) = info(prop).class
            else {
                return false;
            };
            match info(prop).ty {
                Ty::Flag => true,
                Ty::Number => self.numbers[prop.index()],
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
            | Form::Ambient(Ambient::Option(_) | Ambient::Round) => true,
            Form::Local(local) => sure.locals.contains(local),
            Form::Ambient(Ambient::Me) => sure.me,
            Form::Read(Read::Prop(prop), of) => is_kept(*prop) && !terms.ty(term).is_many() && all(of),
            Form::Read(Read::GameProp(prop), _) => is_kept(*prop),
            Form::Unary(Unary::Negate, a) => all(&[*a]),
            Form::Binary(_, a, b) => terms.ty(term).is_many() || all(&[*a, *b]),
            Form::If(_, a, b) => all(&[*a, *b]),
            Form::Call(proc, _) => self.values[proc.index()],
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

    /// Whether there is room for all that a function can list.
    fn fits(&self, terms: &Terms, builtin: Builtin, term: Term) -> bool {
        // The least room that any list has; where a board has more sites, up to the most, its lists have room for all.
        const ROOM: std::ops::RangeInclusive<usize> = 32..=128;
        match (builtin, terms.ty(term)) {
            (Builtin::Clockwise | Builtin::After, _) => true,
            (_, Ty::List(item)) => match **item {
                Ty::Site(board) if !board.endless() => {
                    let geometry = &self.rules.boards[board.index()].geometry;
                    let straight = matches!(builtin, Builtin::Ray | Builtin::RunOf | Builtin::Line | Builtin::Between);
                    let most = if straight { self.longest[board.index()] } else { geometry.sites() };
                    most <= *ROOM.start() || geometry.sites() <= *ROOM.end()
                }
                _ => false,
            },
            _ => false,
        }
    }

    /// The numbers that a number lies between, if that can be said; what can be missing lies nowhere.
    pub fn bounds(&self, terms: &Terms, term: Term) -> Bounds {
        if *terms.ty(term) != Ty::Number || !self.is_value(terms, term, &Sure::default()) {
            return None;
        }
        let members = limits::ENTITIES as i64 + limits::SITES * limits::SITES;
        match terms.form(term) {
            Form::Word(word) => Some((*word, *word)),
            Form::Unary(Unary::Count, _) => Some((0, members)),
            Form::Unary(Unary::Negate, a) => {
                let (low, high) = self.bounds(terms, *a)?;
                Some((high.checked_neg()?, low.checked_neg()?))
            }
            Form::Read(Read::Prop(prop) | Read::GameProp(prop), _) => self.rules.props[prop.index()].range,
            Form::Binary(op, a, b) => {
                let ((a, b), (c, d)) = (self.bounds(terms, *a)?, self.bounds(terms, *b)?);
                match op {
                    BinaryOp::Add => Some((a.checked_add(c)?, b.checked_add(d)?)),
                    BinaryOp::Sub => Some((a.checked_sub(d)?, b.checked_sub(c)?)),
                    BinaryOp::Mul => {
                        let all = [a.checked_mul(c)?, a.checked_mul(d)?, b.checked_mul(c)?, b.checked_mul(d)?];
                        Some((*all.iter().min()?, *all.iter().max()?))
                    }
                    _ => None,
                }
            }
            Form::If(_, a, b) => {
                let ((a, b), (c, d)) = (self.bounds(terms, *a)?, self.bounds(terms, *b)?);
                Some((a.min(c), b.max(d)))
            }
            Form::Each(Each::Fold(op), over, body) => {
                let (low, high) = self.bounds(terms, *body)?;
                let most = if matches!(terms.ty(*over), Ty::List(_)) { limits::VALUES as i64 } else { members };
                match op {
                    FoldOp::Sum => Some((low.min(0).checked_mul(most)?, high.max(0).checked_mul(most)?)),
                    FoldOp::Min | FoldOp::Max => Some((low.min(0), high.max(0))),
                }
            }
            _ => None,
        }
    }

    /// Whether a definition may be put in the place of its call.
    pub fn opens(&self, proc: ProcId) -> bool {
        self.rules.opens(proc) && is_expr(&self.rules.procs[proc.index()].body)
    }
}

/// What a procedure stores in properties: the value of each statement that does.
type Stored = Vec<(PropId, Terms, Term)>;

fn given(rules: &Rules) -> Vec<(&Proc, Stored)> {
    let mut given = Vec::new();
    for proc in &rules.procs {
        let mut stored = Vec::new();
        let mut store = |prop: PropId, value: &Expr| {
            let mut terms = Terms::default();
            let term = Lower::new(&mut terms).expr(value);
            stored.push((prop, terms, term));
        };
        each_stmt(proc, &mut |stmt| match &stmt.kind {
            StmtKind::SetProp { prop, value, .. } | StmtKind::SetGameProp { prop, value } => store(*prop, value),
            StmtKind::Create { fields, .. } => fields.iter().for_each(|(prop, value)| {
                if let CreateValue::Value(value) = value {
                    store(*prop, value);
                }
            }),
            _ => {}
        });
        if !stored.is_empty() {
            given.push((proc, stored));
        }
    }
    given
}

/// What is chosen before an action has done anything: where there is nothing to choose, it is not begun.
fn first_choices(proc: &Proc) -> Vec<LocalId> {
    let ProcBody::Block(stmts) = &proc.body else { return Vec::new() };
    let begins = |stmt: &&Stmt| {
        matches!(
            stmt.kind,
            StmtKind::Local { .. } | StmtKind::Requires { .. } | StmtKind::Ensure { .. } | StmtKind::Choose(_)
        )
    };
    let chosen = stmts.iter().take_while(begins).filter_map(|stmt| match &stmt.kind {
        StmtKind::Choose(choose) if matches!(choose.qty, Qty::One) => Some(choose.local),
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

/// Whether a set or list can have more members than there is room for: all that are not bits.
fn can_overflow(ty: &Ty) -> bool {
    match ty {
        Ty::List(_) => true,
        Ty::Set(item) => match item.bare() {
            Ty::Site(board) => board.endless(),
            Ty::Entity(_) | Ty::Player | Ty::Enum(_) | Ty::Direction(_) | Ty::Flag | Ty::Cause => false,
            _ => true,
        },
        _ => false,
    }
}
