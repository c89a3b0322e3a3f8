//! A question about members of one set, asked of each member of another, as one set: `some X as x where f(x) = t` holds of those `t`
//! that are in `gather f(it) of X`, and that set is the same for all `t`. So `sites(grid) as t where no (man where site(it) = t)` looks at
//! the men once and not once for each site. (Databases call it unnesting of a correlated subquery.) The parts are:
//!
//! - `some X as x where R(x) and f(x) = g` is `g in gather f(x) of (X where R(x))`,
//! - `some X as x where R(x) and g in F(x)` is `g in union F(x) of (X where R(x))`,
//! - `some X as x where R(x) and P(x, g)`, where only the board says whether `P` holds, is `g in union (sites(B) where P(x, it)) of (X where
//!   R(x))`: `no (within(s, 2) & mine)`, `no (mine as t where column(t) = column(s) or row(t) = row(s))`,
//! - `some X as x where A(x) or B(x)` is the one or the other, where both are such questions: where both ask of the same `g` it is
//!   in one set or the other, that is in their union,
//! - `some X as x where R(x) and f(x) > g` is `some R and (max f(x) of R) > g`, with `R` for `X where R(x)`, and so with other orders,
//! - `g in L` of a list is `g in` the set of its members, and sites of pieces that are gathered are `sites`,
//! - `T where it in U`, where `U` was collected so, is `T & U`, and `sites(T where site(it) in U)` is `sites(T) & U`,
//!
//! - in `sites(B) as s where P(around(s) as t where Q(t))` each site is asked `Q` once, and not by each of its neighbours: `around(s) &
//!   (sites(B) as t where Q(t))`,
//!
//! where `g` depends on the member of a loop and `X`, `R`, `f` neither on it nor on that of a loop within. All members of `X` are
//! asked then, and also where there is no `t`, so nothing of it may fail. A definition that is asked of `t` is opened for it.

use super::canonical::Canonical;
use super::flat::lies_on_board;
use super::lower::Lower;
use super::places::turned_round;
use super::term::{Ambient, Each, Form, Read, Term, Terms, Unary};
use super::whole::{Sure, Whole};
use crate::model::rules::walk::each_expr;
use crate::model::rules::{
    BinaryOp, BoardId, Builtin, BuiltinProp, CollectOp, CompareOp, Expr, ExprKind, FoldOp, Proc, ProcBody, ProcId,
    PropClass, Ty,
};
use std::collections::BTreeMap;

/// Parts of a definition that is opened, at the most.
const LARGEST: u32 = 80;
/// Sites of a board of which it is looked up which others they have to do with.
const MOST_SITES: usize = 512;
/// Sites of a board of which it is also looked up from which one it is asked.
const MOST_ORIGINS: usize = 128;
/// How deeply definitions are opened within each other.
const DEEPEST: usize = 4;

/// Makes sets of the questions of one procedure.
pub struct Unnest<'t, 'r> {
    whole: &'t Whole<'r>,
    terms: &'t mut Terms,
    sure: &'t Sure,
    /// Whether what a definition says is put in canonical words where it is opened.
    canonical: bool,
    /// How many questions have become sets.
    made: usize,
    opened: usize,
    /// Of each loop around the term at hand, whether it goes through much of a board.
    wide: Vec<bool>,
}

/// A question that depends on the member of a loop outside.
struct Asked {
    /// What depends on it, outside the question's own loop.
    of: Term,
    /// What the members of the question's set come to.
    each: Term,
    many: bool,
}

impl<'t, 'r> Unnest<'t, 'r> {
    /// For terms of one site.
    pub fn new(whole: &'t Whole<'r>, terms: &'t mut Terms, sure: &'t Sure, canonical: bool) -> Unnest<'t, 'r> {
        Unnest { whole, terms, sure, canonical, made: 0, opened: 0, wide: Vec::new() }
    }

    /// The term that means the same.
    pub fn term(&mut self, term: Term) -> Term {
        let mut parts: Vec<Term> = Vec::new();
        for (part, bound) in self.terms.parts(term) {
            if bound > 0 {
                let wide = parts.first().is_some_and(|over| self.is_wide(*over));
                self.wide.push(wide);
            }
            parts.push(self.term(part));
            if bound > 0 {
                self.wide.pop();
            }
        }
        let term = self.terms.with_parts(term, parts);
        let made = match self.terms.form(term).clone() {
            Form::Unary(Unary::Some, set) => self.question(set).or_else(|| self.lying(set)).or_else(|| self.apart(set)),
            Form::In(member, set) => self.mirrored(member, set, 0).or_else(|| self.listed(term, member, set)),
            Form::Each(Each::Collect(CollectOp::Gather), over, body) => self.gathered(term, over, body),
            Form::Each(Each::Where, over, cond) => {
                self.cut(term, over, cond).or_else(|| self.asked_once(term, over, cond))
            }
            Form::Function(Builtin::SitesOf, args) => self.sites(term, args[0]),
            Form::Call(proc, args) => self.opened(term, proc, &args),
            _ => None,
        };
        made.unwrap_or(term)
    }

    /// `X where it in U`, of a collected set, is what is in both.
    fn cut(&mut self, term: Term, over: Term, cond: Term) -> Option<Term> {
        let ty = self.terms.ty(over).clone();
        if !matches!(ty.bare(), Ty::Set(_)) || !is_small(&ty) {
            return None;
        }
        let here = |terms: &Terms, member: Term| *terms.form(member) == Form::Bound(0);
        let (rest, collected) = self.collected_of(over, cond, here)?;
        (self.terms.ty(collected) == self.terms.ty(rest)).then(|| self.both(term, rest, collected))
    }

    /// What is asked of the neighbours of each site of a board, of all its sites.
    fn asked_once(&mut self, term: Term, over: Term, cond: Term) -> Option<Term> {
        let Form::Function(Builtin::AllSites | Builtin::Empty, _) = self.terms.form(over) else { return None };
        let Ty::Site(board) = *self.terms.ty(over).element().bare() else { return None };
        if self.whole.rules.boards[board.index()].endless() {
            return None;
        }
        let (whole, span) = (self.whole, self.terms.span(cond));
        let mut made = false;
        let cond = self.terms.replaced(cond, 0, &mut |terms, part, depth| {
            let Form::Each(Each::Where, near, asked) = *terms.form(part) else { return None };
            let Form::Function(Builtin::Around | Builtin::Beside, of) = terms.form(near) else { return None };
            let ty = terms.ty(near).clone();
            let here =
                matches!(*terms.form(of[0]), Form::Unary(Unary::ToSet, s) if *terms.form(s) == Form::Bound(depth));
            let alone =
                terms.innermost(asked, 1).is_none() && !whole.can_fail(terms, asked) && terms.has(asked, &is_dear);
            if !here || !alone || ty.bare() != &Ty::Site(board).set() || *terms.ty(part) != ty {
                return None;
            }
            made = true;
            let all = terms.make(Form::Function(Builtin::AllSites, Vec::new()), ty.clone(), span);
            let such = terms.make(Form::Each(Each::Where, all, asked), ty.clone(), span);
            Some(terms.make(Form::Binary(BinaryOp::Both, near, such), ty, span))
        });
        let ty = self.terms.ty(term).clone();
        made.then(|| self.terms.make(Form::Each(Each::Where, over, cond), ty, self.terms.span(term)))
    }

    /// `sites(X where site(it) in U)`, of a collected set, is what is in both of `sites(X)` and `U`.
    fn sites(&mut self, term: Term, of: Term) -> Option<Term> {
        let of = match self.terms.form(of).clone() {
            Form::Call(proc, args) => self.body(proc, &args)?,
            _ => of,
        };
        let Form::Each(Each::Where, over, cond) = *self.terms.form(of) else { return None };
        let here = |terms: &Terms, site: Term| match terms.form(site) {
            Form::Function(Builtin::SiteOf, args) => args.len() == 1 && *terms.form(args[0]) == Form::Bound(0),
            _ => false,
        };
        let (rest, collected) = self.collected_of(over, cond, here)?;
        let (ty, span) = (self.terms.ty(term).clone(), self.terms.span(term));
        if *self.terms.ty(collected) != ty {
            return None;
        }
        let sites = self.terms.make(Form::Function(Builtin::SitesOf, vec![rest]), ty, span);
        Some(self.both(term, sites, collected))
    }

    fn both(&mut self, like: Term, a: Term, b: Term) -> Term {
        let (ty, span) = (self.terms.ty(like).clone(), self.terms.span(like));
        self.terms.make(Form::Binary(BinaryOp::Both, a, b), ty, span)
    }

    /// A filter that asks whether what is `here` of the member is in a set that is collected of something else: the filter without
    /// that, and the set.
    fn collected_of(&mut self, over: Term, cond: Term, here: impl Fn(&Terms, Term) -> bool) -> Option<(Term, Term)> {
        let mut parts = self.terms.joined(cond, true);
        let (at, set) = parts.iter().enumerate().find_map(|(at, part)| match *self.terms.form(*part) {
            Form::In(member, set) if here(self.terms, member) && !self.terms.binds(set) => {
                (self.collects(set) && matches!(self.terms.ty(set).bare(), Ty::Set(_))).then_some((at, set))
            }
            _ => None,
        })?;
        parts.remove(at);
        if parts.iter().chain([&set]).any(|part| self.whole.can_fail(self.terms, *part)) {
            return None;
        }
        let rest = self.terms.filtered(over, parts, self.terms.span(cond));
        Some((rest, self.outside(set)))
    }

    /// Whether a set is collected of the members of others.
    fn collects(&self, set: Term) -> bool {
        match *self.terms.form(set) {
            Form::Each(Each::Collect(_), ..) => true,
            Form::Binary(BinaryOp::Union, a, b) => self.collects(a) && self.collects(b),
            _ => false,
        }
    }

    /// Whether a term depends on no member of a loop up to one.
    fn steady(&self, term: Term, to: u32) -> bool {
        self.terms.innermost(term, 0).is_none_or(|innermost| innermost > to)
    }

    /// Whether a set has a member, as a question about something outside.
    fn question(&mut self, set: Term) -> Option<Term> {
        let Form::Each(Each::Where, over, cond) = *self.terms.form(set) else { return self.shared(set) };
        self.some(over, cond).or_else(|| self.some_beyond(over, cond)).or_else(|| self.some_either(over, cond))
    }

    /// `some (pieces(F(s)) as m where P(m, s))`, of the sites `s` of a board: `some (KIND as m where site(m) in F(s) and P(m, s))`.
    fn lying(&mut self, set: Term) -> Option<Term> {
        let Form::Each(Each::Where, over, cond) = *self.terms.form(set) else { return None };
        let Form::Function(Builtin::PiecesOn, args) = self.terms.form(over) else { return None };
        let (sites, Ty::Entity(kind)) = (args[0], self.terms.ty(over).element().bare().clone()) else { return None };
        let Ty::Site(board) = *self.terms.ty(sites).element().bare() else { return None };
        let on = self.terms.innermost(sites, 0)?;
        let asks = self.terms.binds_in(cond, on + 1) && self.terms.binds(cond);
        if !self.is_wide_loop(on)
            || !asks
            || !lies_on_board(self.whole.rules, kind)
            || self.whole.can_fail(self.terms, set)
        {
            return None;
        }
        let span = self.terms.span(set);
        let all = Form::Read(Read::InPlay(kind), Vec::new());
        let all = self.terms.make(all, Ty::Entity(kind).set(), span);
        let member = self.terms.make(Form::Bound(0), Ty::Entity(kind), span);
        let site = self.terms.make(Form::Function(Builtin::SiteOf, vec![member]), Ty::Site(board), span);
        let sites = self.terms.lifted(sites, 1, 0);
        let there = self.terms.make(Form::In(site, sites), Ty::Flag, span);
        let there = self.mirrored(site, sites, 1).unwrap_or(there);
        let such = self.terms.filtered(all, vec![there, cond], span);
        Some(self.terms.make(Form::Unary(Unary::Some, such), Ty::Flag, span))
    }

    /// `some (X where P(it) and Q)`, asked of the sites of a board: `Q and some (X where P(it))`.
    fn apart(&mut self, set: Term) -> Option<Term> {
        let Form::Each(Each::Where, over, _) = *self.terms.form(set) else { return None };
        let (such, fixed) = self.terms.apart(set)?;
        if !self.is_wide_loop(0) || such == over || self.whole.can_fail(self.terms, set) {
            return None;
        }
        let span = self.terms.span(set);
        let some = self.terms.make(Form::Unary(Unary::Some, such), Ty::Flag, span);
        let both = |all, part| self.terms.make(Form::And(part, all), Ty::Flag, span);
        Some(fixed.into_iter().rev().fold(some, both))
    }

    /// `x in within(s, n)`, of the sites `s` of a board and what a loop within goes through: `s in within(x, n)`, which is one set for each.
    /// So many loops of those around it are made only now.
    fn mirrored(&mut self, member: Term, set: Term, fresh: u32) -> Option<Term> {
        let (site, sites) = turned_round(self.whole, self.terms, member, set)?;
        let Form::Bound(on) = *self.terms.form(site) else { return None };
        let within = self.terms.innermost(member, 0).is_some_and(|inner| inner < on);
        let turns = within && !self.terms.binds_in(sites, on) && self.is_wide_loop(on.checked_sub(fresh)?);
        turns.then(|| self.terms.make(Form::In(site, sites), Ty::Flag, self.terms.span(set)))
    }

    /// Whether one of two questions holds, where the members are asked either the one or the other.
    fn some_either(&mut self, over: Term, cond: Term) -> Option<Term> {
        let parts = self.terms.joined(cond, true);
        let at = parts.iter().position(|part| matches!(self.terms.form(*part), Form::Or(..)))?;
        let Form::Or(a, b) = *self.terms.form(parts[at]) else { return None };
        let mut ask = |way: Term| {
            let with = [&parts[..at], &[way], &parts[at + 1..]].concat();
            let set = self.terms.filtered(over, with, self.terms.span(cond));
            self.question(set)
        };
        let (a, b) = (ask(a)?, ask(b)?);
        let span = self.terms.span(cond);
        let form = match (self.terms.form(a).clone(), self.terms.form(b).clone()) {
            (Form::In(of, one), Form::In(as_well, other))
                if of == as_well && self.terms.ty(one) == self.terms.ty(other) =>
            {
                let ty = self.terms.ty(one).clone();
                Form::In(of, self.terms.make(Form::Binary(BinaryOp::Union, one, other), ty, span))
            }
            _ => Form::Or(a, b),
        };
        Some(self.terms.make(form, Ty::Flag, span))
    }

    fn some(&mut self, over: Term, cond: Term) -> Option<Term> {
        let mut parts = self.together(self.terms.joined(cond, true));
        let (at, asked) = (0..parts.len()).find_map(|at| {
            let asked = self.asked(parts[at])?;
            let on = self.terms.innermost(asked.of, 0)?;
            let steady = |part: Term| self.terms.innermost(part, 1).is_none_or(|innermost| innermost > on);
            let others = (0..parts.len()).filter(|other| *other != at).all(|other| steady(parts[other]));
            (others && steady(asked.each) && self.steady(over, on)).then_some((at, asked))
        })?;
        parts.remove(at);
        if parts.is_empty() && self.kept(over, asked.each) {
            return None;
        }
        let fails = |part: &Term| self.whole.can_fail(self.terms, *part);
        if parts.iter().chain([&over, &asked.each, &asked.of]).any(fails) {
            return None;
        }
        let ty = self.terms.ty(asked.each).element().bare().clone();
        let span = self.terms.span(cond);
        let over = self.terms.filtered(over, parts, self.terms.span(over));
        self.made += 1;
        let all = match (asked.many, self.terms.form(asked.each)) {
            (false, Form::Bound(0)) => self.as_set(over),
            (false, _) => {
                let form = Form::Each(Each::Collect(CollectOp::Gather), over, asked.each);
                let made = self.terms.make(form, ty.set(), span);
                self.gathered(made, over, asked.each).unwrap_or(made)
            }
            (true, _) => {
                let form = Form::Each(Each::Collect(CollectOp::Union), over, asked.each);
                self.terms.make(form, ty.set(), span)
            }
        };
        Some(self.terms.make(Form::In(asked.of, all), Ty::Flag, span))
    }

    /// Conditions of which those that only the board says of the member and of one outside are one condition.
    fn together(&mut self, parts: Vec<Term>) -> Vec<Term> {
        let (loose, mut others): (Vec<Term>, Vec<Term>) =
            parts.iter().partition(|part| self.terms.binds(**part) && self.terms.innermost(**part, 1).is_some());
        if loose.len() < 2 {
            return parts;
        }
        let all = loose.into_iter().reduce(|a, b| self.terms.make(Form::And(a, b), Ty::Flag, self.terms.span(a)));
        match all.filter(|all| self.related(*all).is_some()) {
            Some(all) => {
                others.insert(0, all);
                others
            }
            None => parts,
        }
    }

    /// Whether some member of a set comes to more or less than what depends on the member of a loop outside.
    fn some_beyond(&mut self, over: Term, cond: Term) -> Option<Term> {
        let mut parts = self.terms.joined(cond, true);
        let (at, (op, each, limit)) = parts.iter().enumerate().find_map(|(at, part)| {
            let Form::Compare(op, a, b) = *self.terms.form(*part) else { return None };
            let (op, each, limit) = if self.terms.binds(a) { (op, a, b) } else { (op.turned(), b, a) };
            let orders =
                !matches!(op, CompareOp::Eq | CompareOp::Ne) && self.terms.binds(each) && !self.terms.binds(limit);
            let numbers = [each, limit].iter().all(|part| *self.terms.ty(*part) == Ty::Number);
            (orders && numbers && self.terms.innermost(limit, 0).is_some()).then_some((at, (op, each, limit)))
        })?;
        parts.remove(at);
        let limit = self.outside(limit);
        let on = self.terms.innermost(limit, 0)?;
        let steady = |part: Term| self.terms.innermost(part, 1).is_none_or(|innermost| innermost > on);
        let sound =
            |part: &Term| self.whole.is_value(self.terms, *part, self.sure) && !self.whole.can_fail(self.terms, *part);
        let fails = |part: &Term| self.whole.can_fail(self.terms, *part);
        if !steady(each) || !parts.iter().all(|part| steady(*part)) || !self.steady(over, on) {
            return None;
        }
        if ![each, limit].iter().all(sound) || parts.iter().chain([&over]).any(fails) {
            return None;
        }
        let most = match op {
            CompareOp::Gt | CompareOp::Ge => FoldOp::Max,
            _ => FoldOp::Min,
        };
        let span = self.terms.span(cond);
        let such = self.terms.filtered(over, parts, span);
        self.made += 1;
        let most = self.terms.make(Form::Each(Each::Fold(most), such, each), Ty::Number, span);
        let some = self.terms.make(Form::Unary(Unary::Some, such), Ty::Flag, span);
        let beyond = self.terms.make(Form::Compare(op, most, limit), Ty::Flag, span);
        Some(self.terms.make(Form::And(some, beyond), Ty::Flag, span))
    }

    /// Whether the position keeps whose pieces of a kind there are: `no (man where owner = p)` needs no set of owners.
    fn kept(&self, over: Term, each: Term) -> bool {
        let rules = self.whole.rules;
        let Form::Read(Read::Prop(prop), of) = self.terms.form(each) else { return false };
        matches!(rules.props[prop.index()].class, PropClass::Builtin(BuiltinProp::Owner))
            && matches!(of[..], [of] if *self.terms.form(of) == Form::Bound(0))
            && matches!(self.terms.form(over), Form::Read(Read::InPlay(_), _))
            && matches!(&rules.boards[..], [board] if !board.endless())
    }

    /// What a condition on the members of a set asks of something that does not depend on them.
    fn asked(&mut self, cond: Term) -> Option<Asked> {
        let fixed = |unnest: &Self, term: Term| !unnest.terms.binds(term) && unnest.terms.innermost(term, 0).is_some();
        match *self.terms.form(cond) {
            Form::Compare(CompareOp::Eq, a, b) => {
                let (of, each) = if fixed(self, a) { (a, b) } else { (b, a) };
                let told =
                    self.whole.is_value(self.terms, of, self.sure) || self.whole.is_value(self.terms, each, self.sure);
                let fits = fixed(self, of) && self.terms.binds(each) && told && is_small(self.terms.ty(each));
                (fits && !self.terms.ty(each).is_many()).then(|| Asked { of: self.outside(of), each, many: false })
            }
            Form::In(of, each) => {
                let ty = self.terms.ty(each);
                let sets = is_small(ty) || matches!(ty.bare(), Ty::Set(item) if matches!(item.bare(), Ty::Entity(_)));
                let fits = fixed(self, of) && self.terms.binds(each) && sets;
                (fits && self.terms.ty(each).is_many()).then(|| {
                    let each = self.as_set(each);
                    Asked { of: self.outside(of), each, many: true }
                })
            }
            Form::Unary(Unary::Some, set) => self.asked_of_each(set),
            _ => None,
        }
        .or_else(|| self.related(cond))
    }

    /// Whether something is in one of several sets that a member leads to: in `F(x, d)` for some `d` of a set that is the same for all.
    fn asked_of_each(&mut self, set: Term) -> Option<Asked> {
        let Form::Each(Each::Where, over, cond) = *self.terms.form(set) else { return None };
        let Form::In(of, each) = *self.terms.form(cond) else { return None };
        let fixed = !self.terms.binds(of) && !self.terms.binds_in(of, 1) && self.terms.innermost(of, 0).is_some();
        let ty = self.terms.ty(each);
        let sets = is_small(ty) && ty.is_many() && matches!(ty.element().bare(), Ty::Site(_));
        if !fixed || !sets || !self.terms.binds_in(each, 1) || self.terms.innermost(over, 0).is_some() {
            return None;
        }
        let (of, each) = (self.outside(of), self.as_set(each));
        let (of, ty, span) = (self.outside(of), self.terms.ty(each).clone(), self.terms.span(set));
        let all = self.terms.make(Form::Each(Each::Collect(CollectOp::Union), over, each), ty, span);
        Some(Asked { of, each: all, many: true })
    }

    /// What only the board says of a member and a site outside, as the sites of which it says that: `distance(s, t) <= 2` as the sites
    /// within two steps of `t`. A piece stands for its site, and for its numbers.
    fn related(&mut self, cond: Term) -> Option<Asked> {
        let mut bound = BTreeMap::new();
        self.bound_in(cond, 0, &mut bound);
        let member = bound.remove(&0)?;
        let (at, outer) = bound.pop_first().filter(|_| bound.is_empty())?;
        // For a few sites it is not worth while to look at all members.
        if !self.is_wide_loop(at - 1) {
            return None;
        }
        let Ty::Site(board) = outer.bare() else { return None };
        let (member, asked) = match member.bare() {
            Ty::Site(member) => (member, cond),
            Ty::Entity(_) => (board, self.by_site(cond, &outer)?),
            _ => return None,
        };
        let rules = self.whole.rules;
        let small = |board: BoardId| !board.endless() && rules.boards[board.index()].geometry.sites() <= MOST_SITES;
        let plays = self.whole.reads_play(self.terms, asked) || self.is_decided(asked);
        if !small(*member)
            || !small(*board)
            || outer != Ty::Site(*board)
            || plays
            || self.whole.can_fail(self.terms, cond)
        {
            return None;
        }
        let (ty, span) = (outer, self.terms.span(cond));
        let of = self.terms.make(Form::Bound(at - 1), ty.clone(), span);
        let within = self.terms.lifted(cond, 1, 0);
        let within = self.terms.replaced(within, 0, &mut |terms, part, depth| {
            let here = *terms.form(part) == Form::Bound(at + 1 + depth);
            here.then(|| terms.make(Form::Bound(depth), ty.clone(), span))
        });
        let sites = ty.clone().set();
        let all = self.terms.make(Form::Function(Builtin::AllSites, Vec::new()), sites.clone(), span);
        let each = self.terms.make(Form::Each(Each::Where, all, within), sites, span);
        Some(Asked { of, each, many: true })
    }

    /// Whether a term depends on what somebody's turn decides, which is not looked up, unless it is one of not too many sites.
    fn is_decided(&self, term: Term) -> bool {
        let boards = &self.whole.rules.boards;
        match self.terms.form(term) {
            Form::Local(_) => match *self.terms.ty(term).bare() {
                Ty::Site(board) => {
                    let board = &boards[board.index()];
                    board.endless() || board.geometry.sites() > MOST_ORIGINS
                }
                _ => true,
            },
            Form::Ambient(ambient) => !matches!(ambient, Ambient::Option(_)),
            _ => self.terms.parts(term).into_iter().any(|(part, _)| self.is_decided(part)),
        }
    }

    /// A condition on a piece of which nothing is asked but where it lies and its numbers, as a condition on a site.
    fn by_site(&mut self, cond: Term, site: &Ty) -> Option<Term> {
        let props = &self.whole.rules.props;
        let asked = self.terms.replaced(cond, 0, &mut |terms, part, depth| {
            let of = |of: &[Term]| matches!(of, [of] if *terms.form(*of) == Form::Bound(depth));
            let (form, ty) = match terms.form(part) {
                Form::Function(Builtin::SiteOf, args) if of(args) => (Form::Bound(depth), site.clone()),
                Form::Read(Read::Prop(prop), args) if of(args) => {
                    let number = props[prop.index()].ty == Ty::Number
                        && matches!(props[prop.index()].class, PropClass::Field { .. } | PropClass::Counter { .. });
                    number.then_some((Form::Word(0), Ty::Number))?
                }
                _ => return None,
            };
            let span = terms.span(part);
            Some(terms.make(form, ty, span))
        });
        let mut bound = BTreeMap::new();
        self.bound_in(asked, 0, &mut bound);
        bound.get(&0).is_none_or(|ty| matches!(ty.bare(), Ty::Site(_))).then_some(asked)
    }

    /// Whether a loop around the term at hand, counted from within, goes through much of a board.
    fn is_wide_loop(&self, on: u32) -> bool {
        self.wide.iter().rev().nth(on as usize).is_some_and(|wide| *wide)
    }

    /// Whether a set is all sites of a board, those that are free, or some of these.
    fn is_wide(&self, set: Term) -> bool {
        match *self.terms.form(set) {
            Form::Function(Builtin::AllSites | Builtin::Empty, _) => true,
            Form::Each(Each::Where, over, _) | Form::Binary(BinaryOp::Difference, over, _) => self.is_wide(over),
            _ => false,
        }
    }

    /// The members of loops outside on which a term depends, and their types.
    fn bound_in(&self, term: Term, depth: u32, found: &mut BTreeMap<u32, Ty>) {
        if let Form::Bound(index) = *self.terms.form(term)
            && let Some(index) = index.checked_sub(depth)
        {
            found.insert(index, self.terms.ty(term).clone());
        }
        for (part, bound) in self.terms.parts(term) {
            self.bound_in(part, depth + bound, found);
        }
    }

    /// Whether one of some sites is among those that only the board says of a site outside.
    fn shared(&mut self, set: Term) -> Option<Term> {
        let Form::Binary(BinaryOp::Both, a, b) = *self.terms.form(set) else { return None };
        let Ty::Set(item) = self.terms.ty(set).clone() else { return None };
        let loops = |unnest: &Self, set: Term| unnest.terms.innermost(set, 0);
        let (own, others) = match (loops(self, a), loops(self, b)) {
            (Some(one), other) if other.is_none_or(|other| other > one) => (a, b),
            (_, Some(_)) => (b, a),
            _ => return None,
        };
        // Neighbours are looked at for all sites at once.
        let near = matches!(self.terms.form(own), Form::Function(Builtin::Around | Builtin::Beside, _));
        if near || self.whole.reads_play(self.terms, own) || self.is_wide(others) {
            return None;
        }
        let span = self.terms.span(set);
        let member = self.terms.make(Form::Bound(0), *item, span);
        let own = self.terms.lifted(own, 1, 0);
        let among = self.terms.make(Form::In(member, own), Ty::Flag, span);
        self.some(others, among)
    }

    /// What does not depend on the innermost loop, outside of it.
    fn outside(&mut self, term: Term) -> Term {
        self.terms.lifted(term, -1, 0)
    }

    /// A set or list as a set.
    fn as_set(&mut self, many: Term) -> Term {
        let (ty, span) = (self.terms.ty(many).clone(), self.terms.span(many));
        match ty.bare() {
            Ty::List(item) => {
                let ty = item.bare().clone().set();
                self.terms.make(Form::Unary(Unary::ToSet, many), ty, span)
            }
            _ => many,
        }
    }

    /// Whether something is in a list that is the same for all that are asked.
    fn listed(&mut self, term: Term, member: Term, list: Term) -> Option<Term> {
        let on = self.terms.innermost(member, 0)?;
        let ty = self.terms.ty(list).clone();
        if !matches!(ty.bare(), Ty::List(_)) || !is_small(&ty) || !self.steady(list, on) {
            return None;
        }
        let span = self.terms.span(term);
        let set = self.as_set(list);
        Some(self.terms.make(Form::In(member, set), Ty::Flag, span))
    }

    fn gathered(&mut self, term: Term, over: Term, body: Term) -> Option<Term> {
        let Form::Function(Builtin::SiteOf, args) = self.terms.form(body) else { return None };
        let own = args.len() == 1 && *self.terms.form(args[0]) == Form::Bound(0);
        if !own || !matches!(self.terms.ty(term).element().bare(), Ty::Site(_)) {
            return None;
        }
        let (ty, span) = (self.terms.ty(term).clone(), self.terms.span(term));
        let over = self.as_set(over);
        Some(self.terms.make(Form::Function(Builtin::SitesOf, vec![over]), ty, span))
    }

    /// A definition that asks such a question of the member of a loop.
    fn opened(&mut self, term: Term, proc: ProcId, args: &[Term]) -> Option<Term> {
        if *self.terms.ty(term) != Ty::Flag {
            return None;
        }
        if args.iter().all(|arg| self.terms.innermost(*arg, 0).is_none() || self.terms.size(*arg) > 2) {
            return None;
        }
        self.body(proc, args)
    }

    /// What a definition says of arguments, if it asks such a question.
    fn body(&mut self, proc: ProcId, args: &[Term]) -> Option<Term> {
        let ProcBody::Expr(body) = &self.whole.rules.procs[proc.index()].body else { return None };
        if self.opened >= DEEPEST || !self.whole.opens(proc) {
            return None;
        }
        let body = Lower::new(self.terms).expr(body);
        if self.terms.size(body) > LARGEST || !self.terms.has(body, &asks) {
            return None;
        }
        let mut body = self.terms.put_args(body, args);
        if self.canonical {
            body = Canonical::new(self.whole.rules, self.whole, self.terms, self.sure).term(body);
        }
        let before = self.made;
        self.opened += 1;
        let made = self.term(body);
        self.opened -= 1;
        (self.made > before).then_some(made)
    }
}

/// Whether a loop of a procedure asks anything in which there could be such a question, or gathers sites.
pub fn asks_in_loops(proc: &Proc) -> bool {
    let asks = |part: &Expr| {
        let question = matches!(
            part.kind,
            ExprKind::Any { .. } | ExprKind::All { .. } | ExprKind::Some(_) | ExprKind::In(..) | ExprKind::Call(..)
        );
        question || matches!(part.kind, ExprKind::Builtin(Builtin::SiteOf | Builtin::Around | Builtin::Beside, _))
    };
    let mut found = false;
    each_expr(proc, &mut |expr| {
        if !found && expr.binder().is_some() {
            expr.each_part(&mut |part| part.walk(&mut |part| found |= asks(part)));
        }
    });
    found
}

/// Whether it takes more than a few steps to ask: it goes through something.
fn is_dear(form: &Form) -> bool {
    matches!(form, Form::Each(..) | Form::Call(..))
}

/// Whether a form can be such a question, or asks one.
fn asks(form: &Form) -> bool {
    matches!(form, Form::Unary(Unary::Some, _) | Form::Call(..))
}

/// Whether sets of such members are kept as bits, each of which is one value: of a card that has moved on a set does not know which it was.
fn is_small(ty: &Ty) -> bool {
    match ty.element().bare() {
        Ty::Site(board) => !board.endless(),
        Ty::Direction(_) | Ty::Player | Ty::Enum(_) => true,
        _ => false,
    }
}
