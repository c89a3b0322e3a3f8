//! Memoises values that never change. `squares_of(b)`, `triangle` and `distance(it, end_of(n)) = 4` read only boards, options and
//! their arguments, so that each argument has one value for good. Such a term becomes a procedure of the role `Memo`, whose
//! values the engine keeps. A part that reads the state becomes an argument: `squares_of(game.next_board)` is looked up for
//! the board that is next.
//!
//! A term stays as it is if it has too many values to keep, or if computing it takes no longer than looking it up: what pays
//! are loops over boards. `step(site(it), north)` stays, and other passes still see what a filter over pieces reads.
//!
//! INVARIANT: an argument is computed even where the term would not have needed it, so that it must not fail there.

use super::lower::Lower;
use super::raise::Raise;
use super::term::{Ambient, Each, Form, Read, Term, Terms, Unary, each_part, each_part_mut};
use super::whole::Whole;
use crate::model::rules::{
    Builtin, BuiltinProp, Expr, ExprKind, Local, LocalId, Proc, ProcBody, ProcId, ProcRole, PropClass, Rules, StmtKind,
    Ty,
};
use std::collections::{BTreeMap, BTreeSet};

/// Steps from which on looking up is quicker.
const WORTH: u64 = 40;
/// Units of work that computing all values of a game may take, and those of one memo: no game pays for them.
const ROOM: u64 = 1 << 28;
const SHARE: u64 = 1 << 23;
/// What one value may cost to be kept: a memo that would keep only cheaper values is none.
const LEAST_COST: u64 = 1_000;
const MOST_COST: u64 = 1 << 20;
/// Words of the values of a memo.
const MOST_WORDS: usize = 1 << 17;
/// Steps of going from site to site over a board.
pub const SPREAD: u64 = 200;
/// Steps of looking up.
const LOOKED_UP: u64 = 3;
/// Numbers for which values are kept; values of two of them can still be.
const NUMBERS: std::ops::RangeInclusive<i64> = -24..=63;
/// Arguments of one term.
const MOST_ARGUMENTS: usize = 3;

/// What is known of definitions, and what has been made.
pub struct Memos<'r> {
    rules: &'r Rules,
    whole: &'r Whole<'r>,
    /// For each definition, whether its value depends on nothing but its arguments.
    fixed: Vec<bool>,
    /// For each definition, about how many steps it takes.
    steps: Vec<u64>,
    /// Whether a player can leave the game, so that who plays changes.
    leaves: bool,
    /// The terms that became procedures, and the procedure of each.
    pool: Terms,
    known: BTreeMap<Term, ProcId>,
    first: usize,
    /// Work that may still be done for values that are worked out for the first time, which no game pays for.
    room: u64,
    /// The procedures that were made.
    pub made: Vec<Proc>,
}

/// The arguments of a value that are gathered.
struct Keys {
    found: Vec<Term>,
    /// Whether a number is one, and not what it is worked out from.
    numbers: bool,
    /// Whether what is looked at is worked out whenever the value is.
    needed: bool,
    /// Whether there were too many.
    crowded: bool,
}

impl Keys {
    fn new() -> Keys {
        Keys { found: Vec::new(), numbers: false, needed: true, crowded: false }
    }
}

impl<'r> Memos<'r> {
    /// Looks at the definitions of a game; those that are worth it become memos themselves.
    pub fn new(rules: &'r Rules, whole: &'r Whole<'r>, procs: &mut [Proc]) -> Memos<'r> {
        let none = vec![false; procs.len()];
        let mut leaves = false;
        for proc in procs.iter() {
            crate::model::rules::walk::each_stmt(proc, &mut |stmt| leaves |= matches!(stmt.kind, StmtKind::Lose(_)));
        }
        let mut memos = Memos {
            rules,
            whole,
            fixed: none,
            steps: vec![WORTH; procs.len()],
            leaves,
            pool: Terms::default(),
            known: BTreeMap::new(),
            first: procs.len(),
            room: ROOM,
            made: Vec::new(),
        };
        memos.definitions(procs);
        memos
    }

    /// Settles the definitions, each after those that it calls.
    fn definitions(&mut self, procs: &mut [Proc]) {
        let mut left = self.rules.defines.clone();
        loop {
            let open: BTreeSet<ProcId> = left.iter().copied().collect();
            let (now, later): (Vec<ProcId>, Vec<ProcId>) = left.iter().partition(|define| {
                let ProcBody::Expr(body) = &procs[define.index()].body else { return true };
                let mut waits = false;
                body.walk(&mut |part| {
                    waits |= matches!(&part.kind, ExprKind::Call(called, _) if open.contains(called))
                });
                !waits
            });
            if now.is_empty() {
                return;
            }
            now.into_iter().for_each(|define| self.definition(define, &mut procs[define.index()]));
            left = later;
        }
    }

    fn definition(&mut self, define: ProcId, proc: &mut Proc) {
        let ProcBody::Expr(body) = &proc.body else { return };
        let mut terms = Terms::default();
        let term = Lower::new(&mut terms).expr(body);
        let (params, mut keys) = (usize::from(proc.params), Keys::new());
        let fixed = self.is_fixed(&mut terms, term, 0, &mut keys)
            && keys.found.iter().all(|key| matches!(terms.form(*key), Form::Local(local) if local.index() < params));
        let steps = self.steps_of(&terms, term);
        let kept = self.kept_of(&body.ty, proc.locals[..params].iter().map(|local| &local.ty));
        let memo = fixed && steps >= WORTH && kept.is_some();
        self.room -= kept.filter(|_| memo).map_or(0, room_of);
        self.fixed[define.index()] = fixed;
        self.steps[define.index()] = if memo { LOOKED_UP } else { steps };
        if memo {
            proc.role = ProcRole::Memo;
        }
    }

    /// Puts calls of memos in the place of what never changes, in the expressions of a procedure.
    pub fn term(&mut self, terms: &mut Terms, term: Term) -> Term {
        if let Some(made) = self.outlined(terms, term) {
            return made;
        }
        let term = match *terms.form(term) {
            Form::Each(Each::Where, over, cond) => self.looked_up(terms, term, (over, cond)),
            _ => term,
        };
        self.parts(terms, term)
    }

    /// A filter of sites, of whose conditions those that ask only the board and what is given are sets that are looked up:
    /// `column(it) = c` is `it in (sites(grid) where column(it) = c)`.
    fn looked_up(&mut self, terms: &mut Terms, filter: Term, (over, cond): (Term, Term)) -> Term {
        let board = match terms.ty(over) {
            Ty::Set(item) => match item.bare() {
                Ty::Site(board) if !board.endless() => Ty::Site(*board),
                _ => return filter,
            },
            _ => return filter,
        };
        let cond = self.looked_up_in(terms, cond, &board);
        let (ty, span) = (terms.ty(filter).clone(), terms.span(filter));
        terms.make(Form::Each(Each::Where, over, cond), ty, span)
    }

    fn looked_up_in(&mut self, terms: &mut Terms, cond: Term, site: &Ty) -> Term {
        let number = |terms: &Terms, term: Term| *terms.ty(term).bare() == Ty::Number;
        match *terms.form(cond) {
            Form::And(..) | Form::Or(..) | Form::Unary(Unary::Not, _) => {
                return terms.map(cond, &mut |terms, part, _| self.looked_up_in(terms, part, site));
            }
            Form::Compare(..) | Form::Call(..) => {}
            Form::In(item, _) if number(terms, item) => {}
            _ => return cond,
        }
        // Under the loop over all sites, what stood in the filter stands one loop deeper.
        let (span, set, inner) = (terms.span(cond), Ty::Set(Box::new(site.clone())), terms.lifted(cond, 1, 1));
        let all = terms.make(Form::Function(Builtin::AllSites, Vec::new()), set.clone(), span);
        let filter = terms.make(Form::Each(Each::Where, all, inner), set, span);
        if !asks(terms, cond, 0, 1) || self.whole.can_fail(terms, filter) {
            return cond;
        }
        let Some(made) = self.outlined(terms, filter) else { return cond };
        let member = terms.make(Form::Bound(0), site.clone(), span);
        terms.make(Form::In(member, made), Ty::Flag, span)
    }

    /// The same in the parts of a term.
    pub fn parts(&mut self, terms: &mut Terms, term: Term) -> Term {
        terms.map(term, &mut |terms, part, _| self.term(terms, part))
    }

    /// The call of a memo that is worth as much as a term.
    fn outlined(&mut self, terms: &mut Terms, term: Term) -> Option<Term> {
        if self.steps_of(terms, term) < WORTH {
            return None;
        }
        let (keys, kept) = self.keys_of(terms, term)?;
        // A value that is too dear to be kept would be worked out again each time, and more of it than is asked for.
        if self.steps_of(terms, term) > dearest(kept) {
            return None;
        }
        if self.is_mostly(terms, term, keys.len()) {
            return None;
        }
        let body = self.copied(terms, term, 0, &keys);
        // What its arguments take is not saved.
        if self.steps_of(&self.pool, body) < WORTH {
            return None;
        }
        let proc = match self.known.get(&body) {
            Some(known) => *known,
            None => {
                self.room -= room_of(kept);
                self.proc_of(terms, body, &keys)
            }
        };
        let (ty, span) = (terms.ty(term).clone(), terms.span(term));
        let args = keys.into_iter().map(|key| self.term(terms, key)).collect();
        Some(terms.make(Form::Call(proc, args), ty, span))
    }

    /// Whether nearly all that a term takes is a part of it with fewer arguments: `count f(s)` of `n + count f(s)`. That part is kept instead.
    fn is_mostly(&self, terms: &mut Terms, term: Term, keys: usize) -> bool {
        let steps = self.steps_of(terms, term);
        terms.parts(term).into_iter().any(|(part, bound)| {
            let own = self.steps_of(terms, part);
            bound == 0
                && own >= WORTH
                && steps - own < WORTH
                && self.keys_of(terms, part).is_some_and(|(fewer, _)| fewer.len() < keys)
        })
    }

    /// The arguments of a value that never changes, and how many values are kept. Where there are too many of what it
    /// is made from, numbers that are worked out quickly are arguments: `along(c)[(i + n) % 24]` has few values for `c` and a place.
    fn keys_of(&self, terms: &mut Terms, term: Term) -> Option<(Vec<Term>, usize)> {
        for numbers in [false, true] {
            let mut keys = Keys { numbers, ..Keys::new() };
            let fixed = self.is_fixed(terms, term, 0, &mut keys);
            if !fixed && !keys.crowded {
                return None;
            }
            let kept = self.kept_of(terms.ty(term), keys.found.iter().map(|key| terms.ty(*key)));
            if let Some(kept) = kept.filter(|_| fixed) {
                return Some((keys.found, kept));
            }
        }
        None
    }

    /// The procedure that works out a term of the pool.
    fn proc_of(&mut self, terms: &Terms, body: Term, keys: &[Term]) -> ProcId {
        let span = self.pool.span(body);
        let name = "what never changes".to_owned();
        let param = |key: &Term| Local { name: "it".to_owned(), ty: terms.ty(*key).clone(), span };
        let mut locals: Vec<Local> = keys.iter().map(param).collect();
        let params = locals.len();
        let expr: Expr = Raise::new(&self.pool, &mut locals, &[], params).expr(body);
        let proc = ProcId((self.first + self.made.len()) as u32);
        self.made.push(Proc {
            name,
            role: ProcRole::Memo,
            params: params as u16,
            locals,
            body: ProcBody::Expr(expr),
            span,
        });
        self.known.insert(body, proc);
        proc
    }

    /// A term as it is written in the procedure that works it out: with parameters in the place of its arguments.
    fn copied(&mut self, terms: &mut Terms, term: Term, depth: u32, keys: &[Term]) -> Term {
        let (ty, span) = (terms.ty(term).clone(), terms.span(term));
        if !asks(terms, term, 0, depth) {
            let outer = terms.lifted(term, -i64::from(depth), 0);
            if let Some(index) = keys.iter().position(|key| *key == outer) {
                return self.pool.make(Form::Local(LocalId(index as u32)), ty, span);
            }
        }
        let mut form = terms.form(term).clone();
        each_part_mut(&mut form, &mut |part, bound| *part = self.copied(terms, *part, depth + bound, keys));
        self.pool.make(form, ty, span)
    }

    /// Whether a value depends on nothing but the boards, the options, who plays and some arguments, which are gathered.
    fn is_fixed(&self, terms: &mut Terms, term: Term, depth: u32, keys: &mut Keys) -> bool {
        if !self.fixed_form(terms, term, depth) {
            return false;
        }
        let lazy = matches!(terms.form(term), Form::And(..) | Form::Or(..) | Form::If(..) | Form::Each(..));
        let mut parts = Vec::new();
        each_part(terms.form(term), &mut |part, bound| parts.push((part, depth + bound)));
        let needed = std::mem::replace(&mut keys.needed, false);
        let fixed = parts.into_iter().enumerate().all(|(index, (part, depth))| {
            // What is asked first is asked in any case.
            keys.needed = needed && (index == 0 || !lazy);
            self.is_given(terms, part, depth, keys)
        });
        keys.needed = needed;
        fixed
    }

    /// The same of a part, which may be an argument itself.
    fn is_given(&self, terms: &mut Terms, term: Term, depth: u32, keys: &mut Keys) -> bool {
        let needed = keys.needed;
        let key = |this: &Self, terms: &Terms| {
            values(this.rules, terms.ty(term)).is_some()
                && !terms.ty(term).is_many()
                && !asks(terms, term, 0, depth)
                && (needed || !this.whole.can_fail(terms, term))
        };
        let first = keys.numbers
            && *terms.ty(term) == Ty::Number
            && !matches!(terms.form(term), Form::Word(_))
            && self.steps_of(terms, term) < WORTH
            && key(self, terms);
        let mark = keys.found.len();
        if !first && self.is_fixed(terms, term, depth, keys) {
            return true;
        }
        keys.found.truncate(mark);
        let is_key = first || key(self, terms);
        if is_key {
            let outer = terms.lifted(term, -i64::from(depth), 0);
            if !keys.found.contains(&outer) {
                keys.found.push(outer);
            }
        }
        keys.crowded |= keys.found.len() > MOST_ARGUMENTS;
        is_key && keys.found.len() <= MOST_ARGUMENTS
    }

    /// Whether a form makes the same of the same parts, always.
    fn fixed_form(&self, terms: &Terms, term: Term, depth: u32) -> bool {
        if terms.ty(term).endless_board().is_some() {
            return false;
        }
        match terms.form(term) {
            Form::Word(_)
            | Form::Nothing
            | Form::Ambient(Ambient::Option(_))
            | Form::Read(Read::Seat, _)
            | Form::Unary(Unary::Not | Unary::Negate | Unary::Count | Unary::Some | Unary::ToSet | Unary::ToList, _)
            | Form::Binary(..)
            | Form::Compare(..)
            | Form::And(..)
            | Form::Or(..)
            | Form::If(..)
            | Form::In(..)
            | Form::List(_)
            | Form::Range(..)
            | Form::Index(..)
            | Form::Each(..) => true,
            Form::Ambient(Ambient::Players) => !self.leaves,
            Form::Bound(index) => *index < depth,
            Form::Read(Read::Prop(prop), _) => {
                matches!(self.rules.props[prop.index()].class, PropClass::Builtin(BuiltinProp::Seat))
            }
            Form::Function(builtin, _) => of_boards(*builtin),
            Form::Call(proc, _) => self.fixed.get(proc.index()).copied().unwrap_or(true),
            Form::Text(_)
            | Form::Local(_)
            | Form::Ambient(_)
            | Form::Read(..)
            | Form::Unary(Unary::Is(_), _)
            | Form::Lambda(_)
            | Form::Apply(..)
            | Form::Script(..)
            | Form::Can(..)
            | Form::Targetable(..)
            | Form::Part(..) => false,
        }
    }

    /// How many values of a term with arguments of these types are kept, if all can be.
    fn kept_of<'t>(&self, ty: &Ty, args: impl Iterator<Item = &'t Ty>) -> Option<usize> {
        let words = self.words(ty)?;
        let mut kept = 1usize;
        for (index, arg) in args.enumerate() {
            if index == MOST_ARGUMENTS {
                return None;
            }
            kept = kept.checked_mul(values(self.rules, arg)?.1 + 1)?;
        }
        (dearest(kept) >= LEAST_COST && kept * words <= MOST_WORDS && room_of(kept) <= self.room).then_some(kept)
    }

    /// How many words a value takes that can be kept.
    fn words(&self, ty: &Ty) -> Option<usize> {
        match ty {
            Ty::Set(item) => match item.bare() {
                Ty::Site(board) if !board.endless() => {
                    Some(self.rules.boards[board.index()].geometry.sites().div_ceil(64))
                }
                Ty::Player | Ty::Enum(_) | Ty::Direction(_) | Ty::Flag => Some(1),
                _ => None,
            },
            Ty::Number => Some(1),
            _ => values(self.rules, ty).map(|_| 1),
        }
    }

    /// About how many steps it takes to work out a term.
    pub fn steps_of(&self, terms: &Terms, term: Term) -> u64 {
        let mut steps;
        match terms.form(term) {
            Form::Each(_, over, body) => {
                let body = self.steps_of(terms, *body).saturating_add(2);
                steps = self.steps_of(terms, *over).saturating_add(body.saturating_mul(self.members(terms, *over)));
            }
            Form::Call(proc, args) => {
                steps = self.steps.get(proc.index()).copied().unwrap_or(LOOKED_UP);
                args.iter().for_each(|arg| steps = steps.saturating_add(self.steps_of(terms, *arg)));
            }
            Form::In(item, list) if matches!(terms.ty(*list), Ty::List(_)) => {
                let parts = self.steps_of(terms, *item).saturating_add(self.steps_of(terms, *list));
                steps = parts.saturating_add(self.members(terms, *list));
            }
            form => {
                // What makes a set of sites of a board takes longer than reading one, and longest what spreads over it.
                steps = match form {
                    Form::Function(
                        Builtin::Group
                        | Builtin::Groups
                        | Builtin::Path
                        | Builtin::DistanceIn
                        | Builtin::Within
                        | Builtin::Ring
                        | Builtin::BorderTo,
                        _,
                    ) => SPREAD,
                    // An action is tried out.
                    Form::Can(..) => SPREAD,
                    Form::Function(builtin, _) if builtin.is_geometry() && terms.ty(term).is_many() => 16,
                    // It is made item by item.
                    Form::List(items) => 8 * items.len() as u64,
                    _ => 1,
                };
                each_part(form, &mut |part, _| steps = steps.saturating_add(self.steps_of(terms, part)));
            }
        }
        steps
    }

    /// About how many members a set or list has.
    fn members(&self, terms: &Terms, term: Term) -> u64 {
        match terms.form(term) {
            Form::List(items) => items.len() as u64,
            Form::Range(from, to) => match (terms.form(*from), terms.form(*to)) {
                (Form::Word(from), Form::Word(to)) => to.saturating_sub(*from).saturating_add(1).max(0) as u64,
                _ => 8,
            },
            Form::Unary(Unary::ToSet | Unary::ToList, of) => self.members(terms, *of),
            Form::Function(
                Builtin::Around
                | Builtin::Beside
                | Builtin::CellsOf
                | Builtin::EdgesOf
                | Builtin::CornersOf
                | Builtin::RimOf
                | Builtin::Step
                | Builtin::Ray,
                _,
            ) => 6,
            Form::Each(Each::Where, over, _) => self.members(terms, *over).div_ceil(2),
            Form::Each(Each::Collect(_), over, _) => self.members(terms, *over),
            _ => match terms.ty(term).element().bare() {
                Ty::Site(board) if terms.ty(term).is_many() && !board.endless() => {
                    self.rules.boards[board.index()].geometry.sites() as u64 / 2
                }
                Ty::Enum(id) => self.rules.enums[id.index()].values.len() as u64,
                _ => 4,
            },
        }
    }
}

/// Whether a term asks for a member of the loops from `low` to `high`, counted from within.
fn asks(terms: &Terms, term: Term, low: u32, high: u32) -> bool {
    if let Form::Bound(index) = terms.form(term) {
        return (low..high).contains(index);
    }
    let mut found = false;
    each_part(terms.form(term), &mut |part, bound| found = found || asks(terms, part, low + bound, high + bound));
    found
}

/// What working out so many values may cost together.
fn room_of(values: usize) -> u64 {
    (values as u64).saturating_mul(dearest(values))
}

/// What one of so many values may cost to be kept.
pub fn dearest(values: usize) -> u64 {
    (SHARE / (values as u64).max(1)).min(MOST_COST)
}

/// The least value of a type and how many there are, if they can be counted; of numbers, those for which values are kept.
pub fn values(rules: &Rules, ty: &Ty) -> Option<(i64, usize)> {
    let count = match ty.bare() {
        Ty::Number => return Some((*NUMBERS.start(), (NUMBERS.end() - NUMBERS.start() + 1) as usize)),
        Ty::Flag => 2,
        Ty::Cause => 3,
        Ty::Player => usize::from(rules.players.1),
        Ty::Enum(id) => rules.enums[id.index()].values.len(),
        Ty::Site(board) if !board.endless() => rules.boards[board.index()].geometry.sites(),
        Ty::Direction(board) => rules.boards[board.index()].geometry.directions.len(),
        _ => return None,
    };
    Some((0, count))
}

/// Functions that ask for nothing but a board and their arguments.
pub(super) fn of_boards(builtin: Builtin) -> bool {
    builtin.is_geometry()
        || matches!(
            builtin,
            Builtin::Smaller
                | Builtin::Larger
                | Builtin::Abs
                | Builtin::First
                | Builtin::Step
                | Builtin::Directions
                | Builtin::LongestLine
                | Builtin::Column
                | Builtin::Row
                | Builtin::EnumIndex
                | Builtin::SiteAt
                | Builtin::CopyOf
                | Builtin::OnCopy
                | Builtin::Origin
                | Builtin::Distance
                | Builtin::DistanceIn
                | Builtin::Path
                | Builtin::Ray
                | Builtin::RunOf
                | Builtin::Between
                | Builtin::Bearing
                | Builtin::Opposite
                | Builtin::Rotate
        )
}
