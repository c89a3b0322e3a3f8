//! What is asked of each direction of a board, asked of the site once; and what is done with each of a few things that are written
//! down, written out. The rules are, with `D` for all directions of a board and `s` for a site:
//!
//! - `count (D as d where step(s, d) in S)` is `count (around(s) & S)`, so is `some`; `gather step(s, it) of D` is `around(s)`;
//! - `max count line(s, it, S) of D` is `longest_line(s, S)`, and `some (D as d where count line(s, d, S) >= n)` asks that it is as
//!   long; one direction of each axis will do for `D`;
//! - `count run(s, d, S) + count run(s, opposite(d), S)` is `count line(s, d, S + s) - 1`;
//! - `(max f(it) of S) >= n` is `some (S where f(it) >= n)`, if `n` is more than the 0 of an empty set, and so it is with other sides, and
//!   with the least;
//! - `some path(s, t, S)` is `some distance(s, t, S)`, `reach (around(it) & S) of (S & A)` is `group(A, S)`;
//! - `gather f(it) of [a, b]`, as a set, is what is in `f(a)` or `f(b)`;
//! - `ray(s, d) as t where every between(s, t) meets P` is as far as `P` holds, and one site more: `run(s, d, F)` and the next one,
//!   with `F` for the sites of the board of which `P` holds;
//! - what is asked of the rays from a site is asked of the direction from it: `rays.rs`.

use super::lifted::is_sites;
use super::lower::Lower;
use super::term::{Each, Form, Term, Terms, Unary};
use super::whole::{Sure, Whole};
use crate::base::Span;
use crate::model::geometry::Geometry;
use crate::model::rules::{BinaryOp, BoardId, BoardShape, Builtin, CollectOp, CompareOp, FoldOp, ProcBody, Ty};

/// Things that are written out, at the most, and the parts of what is done with all of them.
const MOST_WRITTEN: usize = 8;
const MOST_PARTS: u32 = 240;
/// How large a definition of what is seen in a direction may be, and its arguments.
const MOST_OPENED: u32 = 40;
const LARGEST_ARGUMENT: u32 = 3;
/// Parts of a set that may be asked for twice.
const FEW_PARTS: u32 = 24;
/// Numbers of a sum that are looked at.
const MOST_SUMMED: usize = 8;

/// What the directions of a board are like.
#[derive(Clone, Debug, Default)]
pub(super) struct Compass {
    /// Those that neighbours and lines go by, as bits.
    used: u64,
    opposite: Vec<u8>,
    /// Whether the steps in them lead to all neighbours, each to another.
    plain: bool,
    /// Whether nobody comes back going straight on.
    straight: bool,
    /// Whether all neighbours are each other's.
    mutual: bool,
    /// Whether a site lies from another in one direction at most, and nothing does but on lines.
    pub(super) lines: bool,
}

impl Compass {
    pub(super) fn new(geometry: &Geometry) -> Compass {
        let (sites, ways) = (geometry.sites(), geometry.directions.len());
        let next = |site: usize, way: usize| {
            geometry.next.get(site * ways + way).map(|site| usize::from(*site)).filter(|site| *site < sites)
        };
        let is_plain = |site: usize| {
            let mut steps: Vec<usize> = geometry.ways().filter_map(|way| next(site, way)).collect();
            let mut near: Vec<usize> = geometry.near[site].iter().map(|site| usize::from(*site)).collect();
            steps.sort_unstable();
            near.sort_unstable();
            steps == near && steps.windows(2).all(|pair| pair[0] < pair[1])
        };
        let ray =
            |site: usize, way: usize| std::iter::successors(next(site, way), move |site| next(*site, way)).take(sites);
        let ends = |site: usize, way: usize| ray(site, way).count() < sites;
        let alone = |site: usize| {
            let mut found = vec![false; sites];
            geometry.ways().all(|way| ray(site, way).all(|to| !std::mem::replace(&mut found[to], true)))
        };
        Compass {
            lines: geometry.touching.iter().all(Vec::is_empty) && (0..sites).all(alone),
            used: geometry.used,
            opposite: geometry.opposite.clone(),
            plain: geometry.near.len() == sites && (0..sites).all(is_plain),
            straight: (0..ways).all(|way| (0..sites).all(|site| ends(site, way))),
            mutual: (0..sites as u16).all(|site| {
                let near = geometry.near.get(usize::from(site)).into_iter().flatten();
                near.into_iter().all(|other| geometry.near[usize::from(*other)].contains(&site))
            }),
        }
    }

    /// Whether all neighbours are each other's, so that ways back are as long as there.
    pub(super) fn is_mutual(&self) -> bool {
        self.mutual
    }

    /// Whether lines go in all directions.
    fn has_all(&self) -> bool {
        self.used.count_ones() as usize == self.opposite.len()
    }

    fn turned(&self, way: u64) -> Option<u64> {
        self.opposite.get(usize::try_from(way).ok()?).map(|way| u64::from(*way))
    }

    /// Whether lines in some directions are those in all.
    fn has_all_axes(&self, ways: u64) -> bool {
        let turned = (0..64).filter(|way| ways >> way & 1 == 1).filter_map(|way| self.turned(way));
        let both = turned.filter(|way| *way < 64).fold(ways, |ways, way| ways | 1 << way);
        both & self.used == self.used && ways & !self.used == 0
    }
}

/// One step towards the plainer term that means the same.
pub fn plainer(whole: &Whole, terms: &mut Terms, sure: &Sure, term: Term) -> Option<Term> {
    let mut ways = Ways { whole, sure, span: terms.span(term), ty: terms.ty(term).clone(), terms };
    if let Form::Each(how, over, body) = *ways.terms.form(term)
        && let Some(seen) = ways.seen_by_loop(over, body)
    {
        let ty = ways.ty.clone();
        return Some(ways.make(Form::Each(how, over, seen), ty));
    }
    match *ways.terms.form(term) {
        Form::Unary(Unary::Some, path) if let Form::Function(Builtin::Path, args) = ways.terms.form(path).clone() => {
            let Ty::Site(board) = *ways.terms.ty(args[0]).bare() else { return None };
            if board.endless() {
                return None;
            }
            let far = ways.make(Form::Function(Builtin::DistanceIn, args), Ty::Number.maybe());
            Some(ways.make(Form::Unary(Unary::Some, far), Ty::Flag))
        }
        Form::Unary(op @ (Unary::Some | Unary::Count), set) => {
            let Form::Each(Each::Where, over, cond) = *ways.terms.form(set) else { return None };
            let found = ways.steps_into(op, over, cond).or_else(|| ways.lines_of(op, over, cond));
            found.or_else(|| if op == Unary::Some { ways.some_ray(over, cond) } else { None })
        }
        Form::Unary(Unary::ToSet, list) => {
            let Form::Each(Each::Collect(CollectOp::Gather), over, body) = *ways.terms.form(list) else { return None };
            ways.neighbours(over, body).or_else(|| ways.written_out(over, body))
        }
        Form::Each(Each::Collect(op @ (CollectOp::Union | CollectOp::Gather)), over, body) if is_sites(&ways.ty) => {
            let found = ways.neighbours(over, body).or_else(|| ways.written_out(over, body));
            let found = found.or_else(|| ways.steps_of_run(over, body));
            found.or_else(|| if op == CollectOp::Union { ways.filtered_whole(over, body) } else { None })
        }
        Form::Binary(BinaryOp::Union, a, b) if is_sites(&ways.ty) => {
            let whole = if ways.is_run_of(a, b) { b } else { Some(a).filter(|a| ways.is_run_of(b, *a))? };
            (*ways.terms.ty(whole) == ways.ty).then_some(whole)
        }
        Form::Each(Each::Collect(CollectOp::Reach), over, body) if is_sites(&ways.ty) => ways.group(over, body),
        Form::Each(Each::Where, over, cond) if let Form::Function(Builtin::Ray, args) = ways.terms.form(over) => {
            let [from, way] = args[..] else { return None };
            if ways.goes(from, way) {
                ways.seen(from, way, cond)
            } else {
                ways.seen_if_it_goes((from, way), over, cond)
            }
        }
        Form::Each(Each::Where, over, cond) if let Form::Binary(BinaryOp::Add, run, next) = *ways.terms.form(over) => {
            ways.without_end(run, next, cond)
        }
        Form::Each(how, over, body) if is_sites(ways.terms.ty(over)) => {
            let seen = |ways: &mut Ways| ways.seen_along(over, body).or_else(|| ways.seen_from(over, body));
            let seen = if how == Each::Where { seen(&mut ways).or_else(|| ways.on_rays(over, body)) } else { None };
            seen.or_else(|| ways.members(how, over, body))
        }
        Form::In(member, set) => ways.lies_along(member, set),
        Form::Function(Builtin::First, ref args) => {
            let list = args[0];
            ways.first_on_ray(list)
        }
        Form::Each(Each::Fold(FoldOp::Max), over, body) => ways.longest(over, body),
        Form::Binary(BinaryOp::Add, ..) => ways.runs(term).or_else(|| ways.moved(term)),
        Form::Binary(BinaryOp::Sub, ..) => ways.moved(term),
        Form::Compare(op, most, limit) => ways.some_more(op, most, limit),
        _ => None,
    }
}

pub(super) struct Ways<'t, 'r> {
    pub(super) whole: &'t Whole<'r>,
    sure: &'t Sure,
    pub(super) terms: &'t mut Terms,
    pub(super) span: Span,
    pub(super) ty: Ty,
}

impl Ways<'_, '_> {
    pub(super) fn make(&mut self, form: Form, ty: Ty) -> Term {
        self.terms.make(form, ty, self.span)
    }

    /// Outside of the innermost loop, on which it does not depend.
    pub(super) fn outside(&mut self, term: Term) -> Option<Term> {
        (!self.terms.binds(term)).then(|| self.terms.lifted(term, -1, 0))
    }

    /// The compass of the board of a site, if that has an end.
    pub(super) fn compass(&self, site: Term) -> Option<&Compass> {
        match self.terms.ty(site).bare() {
            Ty::Site(board) if !board.endless() => self.whole.compasses.get(board.index()),
            _ => None,
        }
    }

    /// Directions that are written down, each once, as bits.
    fn directions(&self, over: Term) -> Option<u64> {
        let Ty::Direction(board) = self.terms.ty(over).element().bare() else { return None };
        match self.terms.form(over) {
            Form::Function(Builtin::Directions, args) if args.is_empty() => {
                self.whole.compasses.get(board.index()).map(|compass| compass.used)
            }
            Form::Unary(Unary::ToSet | Unary::ToList, inner) => self.directions(*inner),
            Form::List(items) => items.iter().try_fold(0, |ways: u64, item| match self.terms.form(*item) {
                Form::Word(way @ 0..64) if ways >> way & 1 == 0 => Some(ways | 1 << way),
                _ => None,
            }),
            _ => None,
        }
    }

    /// The site from which a step goes in the direction of the innermost loop.
    fn step_from(&self, step: Term) -> Option<Term> {
        let Form::Function(Builtin::Step, args) = self.terms.form(step) else { return None };
        let [from, way] = args[..] else { return None };
        let single = matches!(self.terms.ty(from).bare(), Ty::Site(_));
        (single && *self.terms.form(way) == Form::Bound(0)).then_some(from)
    }

    /// The neighbours of a site, if these are where its steps in some directions lead.
    fn around(&mut self, over: Term, from: Term) -> Option<Term> {
        let compass = self.compass(from)?;
        let fits = compass.plain && self.directions(over)? == compass.used;
        let set = self.terms.ty(from).bare().clone().set();
        let from = self.outside(from).filter(|_| fits)?;
        let from = self.make(Form::Unary(Unary::ToSet, from), set.clone());
        Some(self.make(Form::Function(Builtin::Around, vec![from]), set))
    }

    fn steps_into(&mut self, op: Unary, over: Term, cond: Term) -> Option<Term> {
        let Form::In(step, set) = *self.terms.form(cond) else { return None };
        let from = self.step_from(step)?;
        if !is_sites(self.terms.ty(set)) {
            return None;
        }
        let set = self.outside(set)?;
        let around = self.around(over, from)?;
        let (sites, ty) = (self.terms.ty(around).clone(), self.ty.clone());
        let both = self.make(Form::Binary(BinaryOp::Both, around, set), sites);
        Some(self.make(Form::Unary(op, both), ty))
    }

    fn neighbours(&mut self, over: Term, body: Term) -> Option<Term> {
        let step = match *self.terms.form(body) {
            Form::Unary(Unary::ToSet, step) => step,
            _ => body,
        };
        let from = self.step_from(step)?;
        self.around(over, from)
    }

    /// All that is reached over neighbours in a set: the groups of that set from some of its members.
    fn group(&mut self, over: Term, body: Term) -> Option<Term> {
        let Form::Binary(op @ (BinaryOp::Both | BinaryOp::Difference), a, b) = *self.terms.form(body) else {
            return None;
        };
        let beside = |terms: &Terms, near: Term| match terms.form(near) {
            Form::Function(Builtin::Around, args) => match *terms.form(args[0]) {
                Form::Unary(Unary::ToSet, member) => *terms.form(member) == Form::Bound(0),
                _ => false,
            },
            _ => false,
        };
        let other = match (beside(self.terms, a), beside(self.terms, b)) {
            (true, false) => self.outside(b)?,
            (false, true) if op == BinaryOp::Both => self.outside(a)?,
            _ => return None,
        };
        let Ty::Site(board) = *self.ty.element().bare() else { return None };
        if board.endless() {
            return None;
        }
        let sites = Ty::Site(board).set();
        let within = match *self.terms.form(over) {
            Form::Binary(found, a, b) if found == op => b == other || op == BinaryOp::Both && a == other,
            Form::Each(Each::Where, inner, _) => op == BinaryOp::Both && inner == other,
            _ => op == BinaryOp::Both && over == other,
        };
        let among = if op == BinaryOp::Both {
            other
        } else {
            let all = self.make(Form::Function(Builtin::AllSites, Vec::new()), sites.clone());
            self.make(Form::Binary(BinaryOp::Difference, all, other), sites.clone())
        };
        let ty = self.ty.clone();
        if within {
            return Some(self.make(Form::Function(Builtin::Group, vec![over, among]), ty));
        }
        // From sites that need not be among them, it begins with their neighbours.
        if *self.terms.ty(over) != sites || ty != sites || self.whole.can_fail(self.terms, over) {
            return None;
        }
        let near = self.make(Form::Function(Builtin::Around, vec![over]), sites.clone());
        let near = self.make(Form::Binary(BinaryOp::Both, near, among), sites.clone());
        let group = self.make(Form::Function(Builtin::Group, vec![near, among]), sites.clone());
        Some(self.make(Form::Binary(BinaryOp::Union, over, group), sites))
    }

    /// The board of a straight line from a site.
    pub(super) fn line_board(&self, from: Term) -> Option<BoardId> {
        let Ty::Site(board) = *self.terms.ty(from).bare() else { return None };
        let shape = &self.whole.rules.boards[board.index()].shape;
        self.compass(from).filter(|compass| compass.plain && compass.straight)?;
        (!matches!(shape, BoardShape::Graph(_) | BoardShape::Endless { .. })).then_some(board)
    }

    /// Whether lines go in a direction from a site: in others nothing lies between.
    fn goes(&self, from: Term, way: Term) -> bool {
        self.compass(from).is_some_and(|compass| match *self.terms.form(way) {
            Form::Word(way) => u64::try_from(way).is_ok_and(|way| way < 64 && compass.used >> way & 1 == 1),
            _ => compass.has_all(),
        })
    }

    /// Whether lines go in each of some directions.
    fn all_go(&mut self, over: Term) -> bool {
        match *self.terms.form(over) {
            Form::Each(Each::Where, over, _) => self.all_go(over),
            Form::Call(proc, ref args) if args.is_empty() && self.whole.opens(proc) => {
                let ProcBody::Expr(body) = &self.whole.rules.procs[proc.index()].body else { return false };
                let body = Lower::new(self.terms).expr(body);
                self.all_go(body)
            }
            _ => {
                let Ty::Direction(board) = *self.terms.ty(over).element().bare() else { return false };
                let compass = self.whole.compasses.get(board.index());
                self.directions(over).zip(compass).is_some_and(|(ways, compass)| ways & !compass.used == 0)
            }
        }
    }

    /// What a loop over directions, in each of which lines go, asks of rays in them: see `seen`. Where lines go in all directions, no loop has to
    /// say so.
    fn seen_by_loop(&mut self, over: Term, body: Term) -> Option<Term> {
        let Ty::Direction(board) = *self.terms.ty(over).element().bare() else { return None };
        if self.whole.compasses.get(board.index())?.has_all() || !self.all_go(over) {
            return None;
        }
        let made = self.along(body, 0);
        (made != body).then_some(made)
    }

    /// The term with what is seen of the rays in the direction of a loop outside of `depth` others, which definitions may ask for, too.
    fn along(&mut self, term: Term, depth: u32) -> Term {
        let (whole, sure) = (self.whole, self.sure);
        self.terms.replaced(term, depth, &mut |terms, term, depth| {
            let (span, ty) = (terms.span(term), terms.ty(term).clone());
            let mut ways = Ways { whole, sure, span, ty, terms };
            match ways.terms.form(term).clone() {
                Form::Each(Each::Where, over, cond) => {
                    let Form::Function(Builtin::Ray, args) = ways.terms.form(over) else { return None };
                    let [from, way] = args[..] else { return None };
                    if *ways.terms.form(way) == Form::Bound(depth) { ways.seen(from, way, cond) } else { None }
                }
                Form::Call(proc, args) => {
                    let told = args.iter().any(|arg| *ways.terms.form(*arg) == Form::Bound(depth));
                    let small = args.iter().all(|arg| ways.terms.size(*arg) <= LARGEST_ARGUMENT);
                    let ProcBody::Expr(body) = &whole.rules.procs[proc.index()].body else { return None };
                    // What never changes is worked out once for each argument.
                    if !told || !small || !whole.opens(proc) || !whole.reads_play(ways.terms, term) {
                        return None;
                    }
                    // What it asks of what lies between may be said in words that are not the plainest yet.
                    let body = Lower::new(ways.terms).expr(body);
                    let asks = ways.terms.has(body, &|form| matches!(form, Form::Function(Builtin::Between, _)));
                    let short = asks && ways.terms.size(body) <= MOST_OPENED;
                    short.then(|| ways.terms.put_args(body, &args))
                }
                _ => None,
            }
        })
    }

    /// The sites of a ray, in a direction in which lines go, of which all that lie before them meet a condition.
    fn seen(&mut self, from: Term, way: Term, cond: Term) -> Option<Term> {
        let board = self.line_board(from)?;
        let mut parts = self.terms.joined(cond, true);
        let (at, free) = (0..parts.len()).find_map(|at| Some((at, self.free(from, parts[at], board)?)))?;
        parts.remove(at);
        let list = Ty::List(Box::new(Ty::Site(board)));
        let run = self.make(Form::Function(Builtin::RunOf, vec![from, way, free]), list.clone());
        // The last of them may have to be like those before it.
        let alike = self.is_in(free, board);
        if let Some(at) = parts.iter().position(|part| *part == alike) {
            parts.remove(at);
            return Some(self.terms.filtered(run, parts, self.span));
        }
        let seen = self.and_behind(from, way, run);
        Some(self.terms.filtered(seen, parts, self.span))
    }

    /// The same in a direction in which lines may go or not: a loop over directions may yet say that they do (`seen_by_loop`), an
    /// argument is asked.
    fn seen_if_it_goes(&mut self, (from, way): (Term, Term), ray: Term, cond: Term) -> Option<Term> {
        let Ty::Direction(board) = *self.terms.ty(way).bare() else { return None };
        if !matches!(self.terms.form(way), Form::Local(_)) {
            return None;
        }
        let seen = self.seen(from, way, cond)?;
        let lines = self.line_board(from)?;
        let mut parts = self.terms.joined(cond, true);
        parts.retain(|part| self.free(from, *part, lines).is_none());
        let all = self.terms.filtered(ray, parts, self.span);
        let ways = self.make(Form::Function(Builtin::Directions, Vec::new()), Ty::Direction(board).set());
        let goes = self.make(Form::In(way, ways), Ty::Flag);
        let ty = self.ty.clone();
        Some(self.make(Form::If(goes, seen, all), ty))
    }

    /// A run and the site behind it.
    pub(super) fn and_behind(&mut self, from: Term, way: Term, run: Term) -> Term {
        let list = self.terms.ty(run).clone();
        let next = self.behind(from, way, run);
        let next = self.make(Form::Unary(Unary::ToList, next), list.clone());
        self.make(Form::Binary(BinaryOp::Add, run, next), list)
    }

    /// The site behind a run.
    pub(super) fn behind(&mut self, from: Term, way: Term, run: Term) -> Term {
        let site = self.terms.ty(run).element().bare().clone();
        let (one, count) =
            (self.make(Form::Word(1), Ty::Number), self.make(Form::Unary(Unary::Count, run), Ty::Number));
        let n = self.make(Form::Binary(BinaryOp::Add, count, one), Ty::Number);
        self.make(Form::Function(Builtin::Step, vec![from, way, n]), site.maybe())
    }

    /// That the member of a loop is in a set from outside of it, which may be a filter of all sites.
    fn is_in(&mut self, set: Term, board: BoardId) -> Term {
        if let Form::Each(Each::Where, all, cond) = *self.terms.form(set)
            && matches!(self.terms.form(all), Form::Function(Builtin::AllSites, _))
        {
            return cond;
        }
        let member = self.make(Form::Bound(0), Ty::Site(board));
        let set = self.terms.lifted(set, 1, 0);
        self.make(Form::In(member, set), Ty::Flag)
    }

    /// The sites that may lie between a site and the member of the innermost loop, if a condition says only which these are.
    fn free(&mut self, from: Term, cond: Term, board: BoardId) -> Option<Term> {
        let Form::Unary(Unary::Not, some) = *self.terms.form(cond) else { return None };
        let Form::Unary(Unary::Some, barred) = *self.terms.form(some) else { return None };
        let sites = Ty::Site(board).set();
        let member = |terms: &Terms, term: Term| *terms.form(term) == Form::Bound(0);
        let from = self.terms.lifted(from, 1, 0);
        let is_between = |terms: &Terms, set: Term| match terms.form(terms.listed(set)) {
            Form::Function(Builtin::Between, args) => {
                args[0] == from && member(terms, args[1]) || args[1] == from && member(terms, args[0])
            }
            _ => false,
        };
        let all = |this: &mut Self| this.make(Form::Function(Builtin::AllSites, Vec::new()), sites.clone());
        match self.terms.form(barred).clone() {
            Form::Each(Each::Where, over, cond) if is_between(self.terms, over) => {
                if self.terms.binds_in(cond, 1) || self.whole.can_fail(self.terms, cond) {
                    return None;
                }
                let cond = self.terms.lifted(cond, -1, 1);
                let free = match *self.terms.form(cond) {
                    Form::Unary(Unary::Not, free) => free,
                    _ => self.make(Form::Unary(Unary::Not, cond), Ty::Flag),
                };
                let all = all(self);
                Some(self.make(Form::Each(Each::Where, all, free), sites.clone()))
            }
            Form::Function(Builtin::PiecesOn, args) if is_between(self.terms, args[0]) => {
                Some(self.make(Form::Function(Builtin::Empty, Vec::new()), sites.clone()))
            }
            Form::Binary(op @ (BinaryOp::Both | BinaryOp::Difference), a, b) => {
                let other = match (is_between(self.terms, a), is_between(self.terms, b)) {
                    (true, _) => b,
                    (_, true) if op == BinaryOp::Both => a,
                    _ => return None,
                };
                let other = self.outside(other).filter(|other| *self.terms.ty(*other) == sites)?;
                if self.whole.can_fail(self.terms, other) {
                    return None;
                }
                let all = all(self);
                let form = if op == BinaryOp::Both { BinaryOp::Difference } else { BinaryOp::Both };
                Some(self.make(Form::Binary(form, all, other), sites.clone()))
            }
            _ => None,
        }
    }

    /// The site and set of a line in the direction of the innermost loop, whose length is counted.
    fn line(&mut self, count: Term) -> Option<(Term, Term)> {
        let Form::Unary(Unary::Count, line) = *self.terms.form(count) else { return None };
        let Form::Function(Builtin::Line, args) = self.terms.form(line) else { return None };
        let [site, way, among] = args[..] else { return None };
        if *self.terms.form(way) != Form::Bound(0) {
            return None;
        }
        Some((self.outside(site)?, self.outside(among)?))
    }

    fn longest(&mut self, over: Term, body: Term) -> Option<Term> {
        let (site, among) = self.line(body)?;
        let all = self.compass(site)?.has_all_axes(self.directions(over)?);
        all.then(|| self.make(Form::Function(Builtin::LongestLine, vec![site, among]), Ty::Number))
    }

    fn lines_of(&mut self, op: Unary, over: Term, cond: Term) -> Option<Term> {
        let Form::Compare(how @ (CompareOp::Ge | CompareOp::Gt), count, limit) = *self.terms.form(cond) else {
            return None;
        };
        let limit = self.outside(limit).filter(|_| op == Unary::Some)?;
        let longest = self.longest(over, count)?;
        Some(self.make(Form::Compare(how, longest, limit), Ty::Flag))
    }

    /// Both runs from a site along an axis.
    fn runs(&mut self, sum: Term) -> Option<Term> {
        let mut parts = Vec::new();
        self.summed(sum, &mut parts);
        let (one, other) = (0..parts.len().min(MOST_SUMMED))
            .flat_map(|one| (one + 1..parts.len().min(MOST_SUMMED)).map(move |other| (one, other)))
            .find(|(one, other)| self.are_opposite(parts[*one], parts[*other]))?;
        let (site, way, among) = self.run(parts[one])?;
        let fits = self.compass(site)?.straight && [site, way].iter().all(|end| self.is_value(*end));
        if !fits || self.whole.can_fail(self.terms, sum) {
            return None;
        }
        let (set, number) = (self.terms.ty(site).bare().clone().set(), Ty::Number);
        let own = self.make(Form::Unary(Unary::ToSet, site), set.clone());
        let among = self.make(Form::Binary(BinaryOp::Union, among, own), set.clone());
        let line = self.make(Form::Function(Builtin::Line, vec![site, way, among]), set);
        let line = self.make(Form::Unary(Unary::Count, line), number.clone());
        parts.remove(other);
        parts.remove(one);
        let mut more = -1;
        parts.retain(|part| match self.terms.form(*part) {
            Form::Word(word) if word.abs() < 1 << 32 => {
                more += word;
                false
            }
            _ => true,
        });
        let mut all = line;
        for part in parts {
            all = self.make(Form::Binary(BinaryOp::Add, part, all), number.clone());
        }
        if more == 0 {
            return Some(all);
        }
        let op = if more < 0 { BinaryOp::Sub } else { BinaryOp::Add };
        let more = self.make(Form::Word(more.abs()), number.clone());
        Some(self.make(Form::Binary(op, all, more), number))
    }

    fn summed(&self, sum: Term, parts: &mut Vec<Term>) {
        match *self.terms.form(sum) {
            Form::Binary(BinaryOp::Add, a, b) if *self.terms.ty(sum) == Ty::Number => {
                self.summed(a, parts);
                self.summed(b, parts);
            }
            _ => parts.push(sum),
        }
    }

    /// The site, direction and set of a run whose length is counted.
    fn run(&self, count: Term) -> Option<(Term, Term, Term)> {
        let Form::Unary(Unary::Count, run) = *self.terms.form(count) else { return None };
        let run = match *self.terms.form(run) {
            Form::Unary(Unary::ToSet, run) => run,
            _ => run,
        };
        let Form::Function(Builtin::RunOf, args) = self.terms.form(run) else { return None };
        let [site, way, among] = args[..] else { return None };
        Some((site, way, among))
    }

    fn are_opposite(&self, one: Term, other: Term) -> bool {
        let (Some((site, way, among)), Some((from, turned, others))) = (self.run(one), self.run(other)) else {
            return false;
        };
        let turns = |way: Term, turned: Term| match self.terms.form(turned) {
            Form::Function(Builtin::Opposite, args) => args[..] == [way],
            Form::Word(turned) => match (self.terms.form(way), self.compass(site)) {
                (Form::Word(way), Some(compass)) => compass.turned(*way as u64) == Some(*turned as u64),
                _ => false,
            },
            _ => false,
        };
        site == from && among == others && (turns(way, turned) || turns(turned, way))
    }

    fn is_value(&self, term: Term) -> bool {
        self.whole.is_value(self.terms, term, self.sure)
    }

    /// Whether the most or least of some numbers, which is 0 for none, is on one side of a constant: whether one of them is, or none is on
    /// the other.
    fn some_more(&mut self, op: CompareOp, most: Term, limit: Term) -> Option<Term> {
        let Form::Each(Each::Fold(fold @ (FoldOp::Max | FoldOp::Min)), over, body) = *self.terms.form(most) else {
            return None;
        };
        let Form::Word(word) = *self.terms.form(limit) else { return None };
        let (up, of_none) = (matches!(op, CompareOp::Ge | CompareOp::Gt), op.holds(0, word));
        if op == CompareOp::Eq && !of_none && matches!(self.terms.form(body), Form::Function(Builtin::Distance, _)) {
            // How far all others are at least, or at most, is asked of the board.
            let further = if fold == FoldOp::Max { CompareOp::Le } else { CompareOp::Ge };
            let (all, one) =
                (self.some_more(further, most, limit)?, self.make(Form::Compare(op, body, limit), Ty::Flag));
            let one = self.one_such(over, one);
            return Some(self.make(Form::And(all, one), Ty::Flag));
        }
        if matches!(op, CompareOp::Eq | CompareOp::Ne)
            || self.whole.can_fail(self.terms, body)
            || *self.terms.ty(body).bare() != Ty::Number
        {
            return None;
        }
        let one_will_do = up == (fold == FoldOp::Max);
        let asked = if one_will_do { op } else { op.negated() };
        let asked = self.make(Form::Compare(asked, body, limit), Ty::Flag);
        let one = self.one_such(over, asked);
        if of_none != one_will_do {
            return Some(if one_will_do { one } else { self.make(Form::Unary(Unary::Not, one), Ty::Flag) });
        }
        // It differs whether there are any numbers.
        if self.terms.size(over) > FEW_PARTS || self.whole.can_fail(self.terms, over) {
            return None;
        }
        let any = match *self.terms.ty(body) == Ty::Number {
            true => self.make(Form::Unary(Unary::Some, over), Ty::Flag),
            false => {
                let there = self.make(Form::Unary(Unary::Some, body), Ty::Flag);
                self.one_such(over, there)
            }
        };
        let not = |this: &mut Self, term: Term| this.make(Form::Unary(Unary::Not, term), Ty::Flag);
        Some(match one_will_do {
            true => {
                let none = not(self, any);
                self.make(Form::Or(none, one), Ty::Flag)
            }
            false => {
                let none = not(self, one);
                self.make(Form::And(any, none), Ty::Flag)
            }
        })
    }

    fn one_such(&mut self, over: Term, cond: Term) -> Term {
        let ty = self.terms.ty(over).clone();
        let such = self.make(Form::Each(Each::Where, over, cond), ty);
        self.make(Form::Unary(Unary::Some, such), Ty::Flag)
    }

    /// `x - 1 + 1`: what is added to a number at once.
    fn moved(&mut self, sum: Term) -> Option<Term> {
        let added = |terms: &Terms, sum: Term| {
            let Form::Binary(op @ (BinaryOp::Add | BinaryOp::Sub), of, by) = *terms.form(sum) else { return None };
            match *terms.form(by) {
                Form::Word(by) if by.abs() < 1 << 32 => Some((of, if op == BinaryOp::Add { by } else { -by })),
                _ => None,
            }
        };
        let (inner, second) = added(self.terms, sum)?;
        let (of, first) = added(self.terms, inner)?;
        if *self.terms.ty(of) != Ty::Number || self.whole.can_fail(self.terms, sum) {
            return None;
        }
        let by = first + second;
        if by == 0 {
            return Some(of);
        }
        let op = if by < 0 { BinaryOp::Sub } else { BinaryOp::Add };
        let by = self.make(Form::Word(by.abs()), Ty::Number);
        Some(self.make(Form::Binary(op, of, by), Ty::Number))
    }

    /// A member of a set is in it: `S + it` is `S` for all of `S`.
    fn members(&mut self, how: Each, over: Term, body: Term) -> Option<Term> {
        let mut sets = vec![over];
        while let Form::Each(Each::Where, inner, _) = *self.terms.form(sets[sets.len() - 1]) {
            sets.push(inner);
        }
        let made = self.without_member(body, &sets, 0);
        (made != body).then(|| self.make(Form::Each(how, over, made), self.ty.clone()))
    }

    fn without_member(&mut self, term: Term, sets: &[Term], depth: u32) -> Term {
        if let Form::Binary(BinaryOp::Union, set, one) = *self.terms.form(term)
            && let Form::Unary(Unary::ToSet, member) = *self.terms.form(one)
            && *self.terms.form(member) == Form::Bound(depth)
            && sets.iter().any(|own| self.terms.lifted(*own, i64::from(depth) + 1, 0) == set)
        {
            return set;
        }
        let parts = self.terms.parts(term);
        let parts = parts.into_iter().map(|(part, bound)| self.without_member(part, sets, depth + bound)).collect();
        self.terms.with_parts(term, parts)
    }

    /// What is done with each of a few things, or of those among them of which something holds, one after another.
    fn written_out(&mut self, over: Term, body: Term) -> Option<Term> {
        let (over, cond) = match *self.terms.form(over) {
            Form::Each(Each::Where, over, cond) => (over, Some(cond)),
            _ => (over, None),
        };
        let list = self.terms.listed(over);
        let Form::List(items) = self.terms.form(list).clone() else { return None };
        let small = (2..=MOST_WRITTEN).contains(&items.len())
            && (self.terms.size(body) + cond.map_or(0, |cond| self.terms.size(cond))) * items.len() as u32
                <= MOST_PARTS
            && items.iter().all(|item| self.is_value(*item) && self.terms.size(*item) <= 4);
        if !small || !is_sites(&self.ty) {
            return None;
        }
        let ty = self.ty.clone();
        let each = items.into_iter().map(|item| {
            let made = self.terms.put_member(body, item, 0);
            let many = matches!(self.terms.ty(made).bare(), Ty::Set(_));
            let made = if many { made } else { self.make(Form::Unary(Unary::ToSet, made), ty.clone()) };
            let Some(cond) = cond else { return made };
            let (cond, none) = (self.terms.put_member(cond, item, 0), self.make(Form::Nothing, ty.clone()));
            self.make(Form::If(cond, made, none), ty.clone())
        });
        let each: Vec<Term> = each.collect();
        each.into_iter().reduce(|all, made| self.make(Form::Binary(BinaryOp::Union, all, made), ty.clone()))
    }
}
