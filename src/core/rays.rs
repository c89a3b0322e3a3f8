//! Straight lines, however they are said. On boards where a site lies in one direction from another at most:
//!
//! - `t in union ray(s, it) of D`, and `some (D as d where t in ray(s, d))`, is `direction(s, t) in D`; in all directions there is one;
//! - what is asked of the sites of several rays by what lies before them is asked of each ray, also where the rays are said by direction;
//! - what is asked of the sites of several rays or runs, in whatever direction they lie, is asked of all of them together;
//! - a run and the site behind it, of which those in the set of the run are asked for, is the run;
//! - what lies one step behind a site and those of a run from it, is the run and the site behind it;
//! - the first site of a ray on which something lies, or that is in a set, is the one behind the run of the others.

use super::term::{Each, Form, Term, Terms, Unary};
use super::ways::Ways;
use crate::model::rules::{BinaryOp, Builtin, CollectOp, CompareOp, Ty};

/// Directions in which sites lie from another.
#[derive(Clone, Copy)]
enum Along {
    All,
    Some(Term),
    One(Term),
}

impl Ways<'_, '_> {
    /// The directions of several rays, and the site from which they go.
    fn rays(&self, set: Term) -> Option<(Term, Term)> {
        let Form::Each(Each::Collect(CollectOp::Union | CollectOp::Gather), over, body) = *self.terms.form(set) else {
            return None;
        };
        Some((over, self.ray_from(body)?))
    }

    /// The site from which a ray goes in the direction of the innermost loop.
    fn ray_from(&self, ray: Term) -> Option<Term> {
        let Form::Function(Builtin::Ray, args) = self.terms.form(self.terms.listed(ray)) else { return None };
        let [from, way] = args[..] else { return None };
        (*self.terms.form(way) == Form::Bound(0)).then_some(from)
    }

    /// Whether a site lies on one of several rays.
    pub(super) fn lies_along(&mut self, member: Term, set: Term) -> Option<Term> {
        // Of all directions of the board there is one where there is any.
        let bearing = matches!(self.terms.form(member), Form::Function(Builtin::Bearing, _));
        if bearing && self.terms.is_function(set, Builtin::Directions) {
            return Some(self.make(Form::Unary(Unary::Some, member), Ty::Flag));
        }
        let (over, from) = self.rays(set)?;
        let from = self.outside(from)?;
        self.bears(from, member, over)
    }

    /// Whether a site lies on the ray in one of some directions, or is that far on a run.
    pub(super) fn some_ray(&mut self, over: Term, cond: Term) -> Option<Term> {
        let Form::In(member, line) = *self.terms.form(cond) else { return None };
        let member = self.outside(member)?;
        if let Some(from) = self.ray_from(line) {
            let from = self.outside(from)?;
            return self.bears(from, member, over);
        }
        let Form::Function(Builtin::RunOf, args) = self.terms.form(self.terms.listed(line)) else { return None };
        let [from, way, among] = args[..] else { return None };
        if *self.terms.form(way) != Form::Bound(0) || self.whole.can_fail(self.terms, among) {
            return None;
        }
        let (from, among) = (self.outside(from)?, self.outside(among)?);
        let bears = self.bears(from, member, over)?;
        let there = self.make(Form::In(member, among), Ty::Flag);
        let open = self.open_between(from, member, among);
        let both = self.make(Form::And(there, bears), Ty::Flag);
        Some(self.make(Form::And(both, open), Ty::Flag))
    }

    /// That all sites between two are in a set.
    fn open_between(&mut self, from: Term, to: Term, among: Term) -> Term {
        let site = self.terms.ty(among).element().bare().clone();
        let list = Ty::List(Box::new(site.clone()));
        let between = self.make(Form::Function(Builtin::Between, vec![from, to]), list.clone());
        let (member, among) = (self.make(Form::Bound(0), site), self.terms.lifted(among, 1, 0));
        let there = self.make(Form::In(member, among), Ty::Flag);
        let barred = self.make(Form::Unary(Unary::Not, there), Ty::Flag);
        let barred = self.make(Form::Each(Each::Where, between, barred), list);
        let some = self.make(Form::Unary(Unary::Some, barred), Ty::Flag);
        self.make(Form::Unary(Unary::Not, some), Ty::Flag)
    }

    /// `direction(s, t) in D`, where a site lies in one direction at most.
    fn bears(&mut self, from: Term, member: Term, over: Term) -> Option<Term> {
        let Ty::Site(board) = *self.terms.ty(from).bare() else { return None };
        if *self.terms.ty(member).bare() != Ty::Site(board) || !self.compass(from)?.lines {
            return None;
        }
        let way = self.terms.ty(over).element().bare().clone().maybe();
        let bearing = self.make(Form::Function(Builtin::Bearing, vec![from, member]), way);
        Some(self.make(Form::In(bearing, over), Ty::Flag))
    }

    /// The sites of several rays of which something holds that asks what lies between.
    pub(super) fn seen_along(&mut self, set: Term, cond: Term) -> Option<Term> {
        let (over, _) = self.rays(set)?;
        let Form::Each(how, _, body) = *self.terms.form(set) else { return None };
        if !self.terms.has(cond, &|form| matches!(form, Form::Function(Builtin::Between, _))) {
            return None;
        }
        let (ty, cond) = (self.terms.ty(body).clone(), self.terms.lifted(cond, 1, 1));
        let such = self.make(Form::Each(Each::Where, body, cond), ty);
        let ty = self.ty.clone();
        Some(self.make(Form::Each(how, over, such), ty))
    }

    /// What is asked of sites in each of some directions, and not of the direction nor of what lies between: of all of them together.
    pub(super) fn filtered_whole(&mut self, over: Term, body: Term) -> Option<Term> {
        let Form::Each(Each::Where, sites, cond) = *self.terms.form(self.terms.listed(body)) else { return None };
        let asks = self.terms.has(cond, &|form| matches!(form, Form::Function(Builtin::Between, _)));
        let ways = matches!(self.terms.ty(over).element().bare(), Ty::Direction(_));
        if !ways || asks || self.terms.binds_in(cond, 1) || self.whole.can_fail(self.terms, cond) {
            return None;
        }
        let (ty, cond) = (self.ty.clone(), self.terms.lifted(cond, -1, 1));
        let all = self.make(Form::Each(Each::Collect(CollectOp::Union), over, sites), ty);
        Some(self.terms.filtered(all, vec![cond], self.span))
    }

    /// The sites of a set that lie on one of several rays, and of which something holds that asks what lies between: it is asked of the set.
    pub(super) fn on_rays(&mut self, over: Term, cond: Term) -> Option<Term> {
        let (a, b) = match self.terms.form(over) {
            Form::Binary(BinaryOp::Both, a, b) => (*a, *b),
            Form::Function(Builtin::EmptyOf, args) => {
                let (sites, ty) = (args[0], self.ty.clone());
                (self.make(Form::Function(Builtin::Empty, Vec::new()), ty), sites)
            }
            _ => return None,
        };
        let (set, rays) =
            if self.rays(b).is_some() { (a, b) } else { Some((b, a)).filter(|_| self.rays(a).is_some())? };
        let asks = self.terms.has(cond, &|form| matches!(form, Form::Function(Builtin::Between, _)));
        let (_, from) = self.rays(rays)?;
        if !asks || *self.terms.ty(set) != self.ty || !self.compass(from)?.lines {
            return None;
        }
        let site = self.terms.ty(set).element().bare().clone();
        let (member, rays) = (self.make(Form::Bound(0), site), self.terms.lifted(rays, 1, 0));
        let along = self.make(Form::In(member, rays), Ty::Flag);
        Some(self.terms.filtered(set, vec![along, cond], self.span))
    }

    /// A run and the site behind it, of which those in the set of the run are asked for: the run.
    pub(super) fn without_end(&mut self, run: Term, next: Term, cond: Term) -> Option<Term> {
        let Form::Function(Builtin::RunOf, args) = self.terms.form(run) else { return None };
        let [from, way, among] = args[..] else { return None };
        let Form::Unary(Unary::ToList, end) = *self.terms.form(next) else { return None };
        if end != self.behind(from, way, run) || *self.terms.ty(run) != self.ty {
            return None;
        }
        let mut parts = self.terms.joined(cond, true);
        let among = self.terms.lifted(among, 1, 0);
        let at = parts.iter().position(|part| match *self.terms.form(*part) {
            Form::In(member, set) => set == among && *self.terms.form(member) == Form::Bound(0),
            _ => false,
        })?;
        parts.remove(at);
        Some(self.terms.filtered(run, parts, self.span))
    }

    /// Whether some sites are those of a run, and others are these and the site behind them.
    pub(super) fn is_run_of(&self, run: Term, whole: Term) -> bool {
        let (run, whole) = (self.terms.listed(run), self.terms.listed(whole));
        let Form::Binary(BinaryOp::Add, first, next) = *self.terms.form(whole) else { return false };
        let Form::Function(Builtin::RunOf, args) = self.terms.form(run) else { return false };
        let behind = matches!(self.terms.form(self.terms.listed(next)), Form::Function(Builtin::Step, of) if of[..2] == args[..2]);
        first == run && behind
    }

    /// A run, and the site from which it goes, which stand together in any order.
    fn with_start(&self, sites: Term) -> Option<(Term, Term)> {
        let Form::Binary(BinaryOp::Union | BinaryOp::Add, a, b) = *self.terms.form(self.terms.listed(sites)) else {
            return None;
        };
        let (a, b) = (self.terms.listed(a), self.terms.listed(b));
        [(a, b), (b, a)].into_iter().find(|(run, from)| {
            let whole = matches!(self.terms.form(*run), Form::Function(Builtin::RunOf, args) if args[0] == *from);
            whole && matches!(self.terms.ty(*from), Ty::Site(_))
        })
    }

    /// What lies one step behind a site and those of a run from it: the run and the site behind it.
    pub(super) fn steps_of_run(&mut self, over: Term, body: Term) -> Option<Term> {
        let Form::Function(Builtin::Step, args) = self.terms.form(body).clone() else { return None };
        let [member, way, ref n @ ..] = args[..] else { return None };
        let one = n.iter().all(|n| *self.terms.form(*n) == Form::Word(1));
        if !one || *self.terms.form(member) != Form::Bound(0) {
            return None;
        }
        let (way, (run, from)) = (self.outside(way)?, self.with_start(over)?);
        if !matches!(self.terms.form(run), Form::Function(Builtin::RunOf, args) if args[1] == way) {
            return None;
        }
        let board = self.line_board(from)?;
        if *self.terms.ty(run) != Ty::List(Box::new(Ty::Site(board))) || self.ty != Ty::Site(board).set() {
            return None;
        }
        let (whole, ty) = (self.and_behind(from, way, run), self.ty.clone());
        Some(self.make(Form::Unary(Unary::ToSet, whole), ty))
    }

    /// The sites of a board that lie in some directions from a site, and of which something holds that asks what lies between.
    pub(super) fn seen_from(&mut self, all: Term, cond: Term) -> Option<Term> {
        if !self.terms.is_function(all, Builtin::AllSites) {
            return None;
        }
        let mut parts = self.terms.joined(cond, true);
        let (at, from, way, over) = parts.iter().enumerate().find_map(|(at, part)| {
            let (bearing, over) = match *self.terms.form(*part) {
                Form::In(bearing, over) => (bearing, Along::Some(over)),
                Form::Unary(Unary::Some, bearing) => (bearing, Along::All),
                // What is missing is no direction.
                Form::Compare(CompareOp::Eq, a, b) => {
                    let bears = matches!(self.terms.form(a), Form::Function(Builtin::Bearing, _));
                    let (bearing, way) = if bears { (a, b) } else { (b, a) };
                    let known = matches!(self.terms.ty(way), Ty::Direction(_));
                    (bearing, Along::One(Some(way).filter(|_| known)?))
                }
                _ => return None,
            };
            let Form::Function(Builtin::Bearing, args) = self.terms.form(bearing) else { return None };
            let [from, member] = args[..] else { return None };
            let way = self.terms.ty(bearing).bare().clone();
            let steady = !self.terms.binds(from)
                && match over {
                    Along::Some(along) | Along::One(along) => !self.terms.binds(along),
                    Along::All => true,
                };
            (steady && *self.terms.form(member) == Form::Bound(0)).then_some((at, from, way, over))
        })?;
        parts.remove(at);
        let asks = |part: &Term| self.terms.has(*part, &|form| matches!(form, Form::Function(Builtin::Between, _)));
        let Ty::Site(board) = *self.terms.ty(from).bare() else { return None };
        if !parts.iter().any(asks) || !self.compass(from)?.lines || self.ty != Ty::Site(board).set() {
            return None;
        }
        let list = Ty::List(Box::new(Ty::Site(board)));
        let over = match over {
            Along::One(way) => {
                let way = self.outside(way)?;
                let from = self.outside(from)?;
                let ray = self.make(Form::Function(Builtin::Ray, vec![from, way]), list);
                let (such, ty) = (self.terms.filtered(ray, parts, self.span), self.ty.clone());
                return Some(self.make(Form::Unary(Unary::ToSet, such), ty));
            }
            Along::Some(over) => self.outside(over)?,
            Along::All => self.make(Form::Function(Builtin::Directions, Vec::new()), way.clone().set()),
        };
        // The rays stand in the place of the loop over the board, and what is asked of their sites one loop deeper.
        let way = self.make(Form::Bound(0), way);
        let ray = self.make(Form::Function(Builtin::Ray, vec![from, way]), list);
        let parts = parts.into_iter().map(|part| self.terms.lifted(part, 1, 1)).collect();
        let such = self.terms.filtered(ray, parts, self.span);
        let ty = self.ty.clone();
        Some(self.make(Form::Each(Each::Collect(CollectOp::Union), over, such), ty))
    }

    /// The first site of a ray on which something lies, or that is in a set.
    pub(super) fn first_on_ray(&mut self, list: Term) -> Option<Term> {
        let Form::Each(Each::Where, over, cond) = *self.terms.form(list) else { return None };
        let Form::Function(Builtin::Ray, args) = self.terms.form(over) else { return None };
        let [from, way] = args[..] else { return None };
        let board = self.line_board(from)?;
        let sites = Ty::Site(board).set();
        let is_member = |this: &Self, term: Term| *this.terms.form(term) == Form::Bound(0);
        let free = match *self.terms.form(cond) {
            _ if is_held(self.terms, cond) => self.make(Form::Function(Builtin::Empty, Vec::new()), sites.clone()),
            Form::In(member, barred) if is_member(self, member) => {
                let barred = self.outside(barred).filter(|barred| *self.terms.ty(*barred) == sites)?;
                let all = self.make(Form::Function(Builtin::AllSites, Vec::new()), sites.clone());
                self.make(Form::Binary(BinaryOp::Difference, all, barred), sites)
            }
            _ => return None,
        };
        let run = Ty::List(Box::new(Ty::Site(board)));
        let run = self.make(Form::Function(Builtin::RunOf, vec![from, way, free]), run);
        Some(self.behind(from, way, run)).filter(|next| *self.terms.ty(*next) == self.ty)
    }
}

/// Whether a condition of the member at hand, a site, is that something lies there.
pub(super) fn is_held(terms: &Terms, cond: Term) -> bool {
    let Form::Unary(Unary::Some, pieces) = *terms.form(cond) else { return false };
    let Form::Function(Builtin::PiecesOn, args) = terms.form(pieces) else { return false };
    matches!(*terms.form(args[0]), Form::Unary(Unary::ToSet, member) if *terms.form(member) == Form::Bound(0))
}
