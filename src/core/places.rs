//! Pieces of which is asked only where they lie, as the sites on which they lie, and distances as the sites that are so far away. An
//! author may go through men, or through the sites of men; both mean the same, and sets of sites of a board are bits. The rules are, with
//! `M` for things that all lie on one board, `P` for what is asked of them and `Q` for what is asked of nothing but their sites:
//!
//! - `some (M where P and Q(site(it)))` is `some (sites(M where P) where Q(it))`, and so it is with what is collected of them, and with the
//!   most and least of them;
//! - `sites(M where P and Q(site(it)))` is `sites(M where P) where Q(it)`;
//! - `M where site(it) = s and P` is `pieces(s) where P`, of those that are `M`; so is `M where site(it) in S and P`, if `P` takes long or they
//!   are counted;
//! - `some (X as x where x = t and P(x))` is `t in X and P(t)`, and what lies on top of a site is in what lies there;
//! - `distance(s, t) = n` is `t in ring(s, n)`, and `distance(s, t) <= n` is `t in within(s, n)`;
//! - `s in around(it)` is `it in around(s)`, on a board whose neighbours all are each other's.

use super::flat::lies_on_board;
use super::lifted::is_sites;
use super::lower::Lower;
use super::term::{Each, Form, Read, Term, Terms, Unary};
use super::whole::{Sure, Whole};
use crate::model::rules::{
    BinaryOp, BoardId, Builtin, CollectOp, CompareOp, FoldOp, KindId, PIECE, ProcBody, PropClass, Ty,
};

/// Parts of what may stand in several places.
const LARGEST_ARGUMENT: u32 = 3;

/// One step towards the term that asks sites and means the same.
pub fn by_sites(whole: &Whole, terms: &mut Terms, term: Term) -> Option<Term> {
    let mut places = Places { whole, terms };
    match places.terms.form(term).clone() {
        Form::Unary(Unary::Some, set) => {
            let Form::Each(Each::Where, over, cond) = *places.terms.form(set) else { return None };
            if let Some(one) = places.one_of(term, (over, cond)) {
                return Some(one);
            }
            let sites = places.sites(over, &places.terms.joined(cond, true), true)?;
            Some(places.like(term, Form::Unary(Unary::Some, sites)))
        }
        Form::Each(
            how @ (Each::Collect(CollectOp::Union | CollectOp::Gather) | Each::Fold(FoldOp::Min | FoldOp::Max)),
            over,
            body,
        ) => {
            if !places.terms.binds(body) || !places.asks_sites(body, 0) {
                return None;
            }
            let sites = match *places.terms.form(over) {
                Form::Each(Each::Where, over, cond) => places.sites(over, &places.terms.joined(cond, true), false),
                _ => places.sites(over, &[], false),
            }?;
            let body = places.of_site(body);
            Some(places.like(term, Form::Each(how, sites, body)))
        }
        Form::Function(Builtin::SitesOf, args) => {
            let Form::Each(Each::Where, over, cond) = *places.terms.form(args[0]) else { return None };
            places.sites(over, &places.terms.joined(cond, true), true)
        }
        Form::Unary(Unary::Count, set) => {
            let Form::Each(Each::Where, over, cond) = *places.terms.form(set) else { return None };
            let there = places.lying_there(set, over, cond, true)?;
            Some(places.like(term, Form::Unary(Unary::Count, there)))
        }
        Form::Each(Each::Where, over, cond) => places.lying_there(term, over, cond, false),
        Form::In(member, set) => places.beside(term, member, set),
        Form::Compare(op, far, n) => places.so_far(term, op, far, n),
        _ => None,
    }
}

struct Places<'t, 'r> {
    whole: &'t Whole<'r>,
    terms: &'t mut Terms,
}

impl Places<'_, '_> {
    fn like(&mut self, like: Term, form: Form) -> Term {
        let (ty, span) = (self.terms.ty(like).clone(), self.terms.span(like));
        self.terms.make(form, ty, span)
    }

    /// All that is in play of a kind, after some filters, with what a definition says in the place of its name; none if not all of it lies on
    /// one board that has an end.
    fn all_on_board(&mut self, set: Term) -> Option<Term> {
        let set = match self.terms.form(set).clone() {
            Form::Call(proc, args) if self.whole.opens(proc) => {
                if args.iter().any(|arg| self.terms.size(*arg) > LARGEST_ARGUMENT) {
                    return None;
                }
                let ProcBody::Expr(body) = &self.whole.rules.procs[proc.index()].body else { return None };
                let body = Lower::new(self.terms).expr(body);
                self.terms.put_args(body, &args)
            }
            _ => set,
        };
        match *self.terms.form(set) {
            Form::Each(Each::Where, over, cond) => {
                let over = self.all_on_board(over)?;
                let span = self.terms.span(set);
                Some(self.terms.filtered(over, vec![cond], span))
            }
            Form::Read(Read::InPlay(kind), _) => {
                let rules = self.whole.rules;
                (lies_on_board(rules, kind) && !rules.boards[0].endless()).then_some(set)
            }
            _ => None,
        }
    }

    /// The sites of those things in a set of which all conditions hold, and of these sites what is asked of them alone; none if something
    /// may fail, or if nothing is and must be.
    fn sites(&mut self, over: Term, conds: &[Term], must: bool) -> Option<Term> {
        let asks = |places: &Self, cond: Term| places.terms.binds(cond) && places.asks_sites(cond, 0);
        if must && !conds.iter().any(|cond| asks(self, *cond)) {
            return None;
        }
        let all = self.all_on_board(over)?;
        if conds.iter().chain([&all]).any(|part| self.whole.can_fail(self.terms, *part)) {
            return None;
        }
        let (asked, own): (Vec<Term>, Vec<Term>) = conds.iter().copied().partition(|cond| asks(self, *cond));
        // What is asked of where they lie may leave few of them.
        if own.iter().any(|cond| self.is_dear(*cond) || self.relates(*cond)) {
            return None;
        }
        let span = self.terms.span(over);
        let such = self.terms.filtered(all, own, span);
        let sites = Form::Function(Builtin::SitesOf, vec![such]);
        let sites = self.terms.make(sites, Ty::Site(BoardId(0)).set(), span);
        let asked = asked.into_iter().map(|cond| self.of_site(cond)).collect();
        Some(self.terms.filtered(sites, asked, span))
    }

    /// Whether something is asked of where a member lies, of a number of its own and of the member of a loop outside: for each of these
    /// there would be other sites.
    fn relates(&self, cond: Term) -> bool {
        self.terms.innermost(cond, 1).is_some() && self.has_site(cond, 0)
    }

    fn has_site(&self, term: Term, depth: u32) -> bool {
        is_its_site(self.terms, term, depth)
            || self.terms.parts(term).into_iter().any(|(part, bound)| self.has_site(part, depth + bound))
    }

    /// Whether nothing is asked of the member of a loop but where it lies.
    fn asks_sites(&self, term: Term, depth: u32) -> bool {
        if !self.terms.binds_in(term, depth) || is_its_site(self.terms, term, depth) {
            return true;
        }
        *self.terms.form(term) != Form::Bound(depth)
            && self.terms.parts(term).into_iter().all(|(part, bound)| self.asks_sites(part, depth + bound))
    }

    /// What is asked of where the member of a loop lies, of the member of a loop through sites.
    fn of_site(&mut self, term: Term) -> Term {
        self.terms.replaced(term, 0, &mut |terms, term, depth| {
            let span = terms.span(term);
            is_its_site(terms, term, depth).then(|| terms.make(Form::Bound(depth), Ty::Site(BoardId(0)), span))
        })
    }

    /// `some (X as x where x = t and P(x))`: `t` is one of them, and `P(t)`.
    fn one_of(&mut self, term: Term, (over, cond): (Term, Term)) -> Option<Term> {
        let mut parts = self.terms.joined(cond, true);
        let is_member = |this: &Self, term: Term| *this.terms.form(term) == Form::Bound(0);
        let (at, one) = parts.iter().enumerate().find_map(|(at, part)| {
            let Form::Compare(CompareOp::Eq, a, b) = *self.terms.form(*part) else { return None };
            let one = if is_member(self, a) { b } else { Some(a).filter(|_| is_member(self, b))? };
            // What was named before may have gone since.
            let found = match self.terms.ty(one).bare() {
                Ty::Number | Ty::Player | Ty::Enum(_) | Ty::Site(_) | Ty::Direction(_) => true,
                Ty::Entity(_) => matches!(self.terms.form(one), Form::Function(Builtin::TopOn, _)),
                _ => false,
            };
            (found && !self.terms.binds(one) && self.terms.size(one) <= LARGEST_ARGUMENT).then_some((at, one))
        })?;
        if parts.iter().chain([&over]).any(|part| self.whole.can_fail(self.terms, *part)) {
            return None;
        }
        parts.remove(at);
        let one = self.terms.lifted(one, -1, 0);
        let mut asked = self.lies_on_top(term, one, over).unwrap_or_else(|| self.like(term, Form::In(one, over)));
        for part in parts {
            let part = self.terms.put_member(part, one, 0);
            asked = self.like(term, Form::And(asked, part));
        }
        Some(asked)
    }

    /// Whether what lies on top of a site is among what lies there: if something does.
    fn lies_on_top(&mut self, term: Term, top: Term, set: Term) -> Option<Term> {
        let (Form::Function(Builtin::TopOn, on), Form::Function(Builtin::PiecesOn, at)) =
            (self.terms.form(top), self.terms.form(set))
        else {
            return None;
        };
        let there = matches!(*self.terms.form(at[0]), Form::Unary(Unary::ToSet, site) if site == on[0]);
        there.then(|| self.like(term, Form::Unary(Unary::Some, top)))
    }

    /// Whether a condition takes long: it goes through something, or asks what does.
    fn is_dear(&self, cond: Term) -> bool {
        self.terms.has(cond, &|form| match form {
            Form::Each(..)
            | Form::Call(..)
            | Form::Apply(..)
            | Form::Script(..)
            | Form::Can(..)
            | Form::Targetable(..) => true,
            Form::Read(Read::Prop(prop), _) => {
                matches!(self.whole.rules.props[prop.index()].class, PropClass::Stat { .. })
            }
            _ => false,
        })
    }

    /// The sites of which a condition says that the member of a loop lies on one of them, and whether it is only one.
    fn lies_on(&self, cond: Term) -> Option<(Term, bool)> {
        let (site, one) = match *self.terms.form(cond) {
            Form::Compare(CompareOp::Eq, a, b) if is_its_site(self.terms, a, 0) => (b, true),
            Form::Compare(CompareOp::Eq, a, b) if is_its_site(self.terms, b, 0) => (a, true),
            Form::In(member, set) if is_its_site(self.terms, member, 0) && is_sites(self.terms.ty(set)) => (set, false),
            _ => return None,
        };
        (!self.terms.binds(site)).then_some((site, one))
    }

    /// Those in play of a kind that lie on some sites, of what lies there; to count them, also if nothing else that is asked takes long.
    fn lying_there(&mut self, term: Term, over: Term, cond: Term, to_count: bool) -> Option<Term> {
        let Form::Read(Read::InPlay(kind), _) = *self.terms.form(over) else { return None };
        let mut parts = self.terms.joined(cond, true);
        let (at, (site, one)) = parts.iter().enumerate().find_map(|(at, part)| Some((at, self.lies_on(*part)?)))?;
        let dear = |at: usize| (0..parts.len()).any(|other| other != at && self.is_dear(parts[other]));
        if !one && !dear(at) && !to_count {
            return None;
        }
        let fails = |part: &Term| self.whole.can_fail(self.terms, *part);
        if !lies_on_board(self.whole.rules, kind) || parts.iter().any(fails) {
            return None;
        }
        parts.remove(at);
        let (site, span) = (self.terms.lifted(site, -1, 0), self.terms.span(over));
        let of_one = self.terms.ty(site).bare().clone().set();
        let sites = if one { self.terms.make(Form::Unary(Unary::ToSet, site), of_one, span) } else { site };
        let rules = self.whole.rules;
        let others = (PIECE.index() + 1..rules.kinds.len()).map(|kind| KindId(kind as u32));
        let others = others.filter(|other| rules.is_below(*other, PIECE) && !rules.is_below(*other, kind)).count();
        let lying = if others == 0 { kind } else { PIECE };
        if others > 0 {
            let member = self.terms.make(Form::Bound(0), Ty::Entity(PIECE), span);
            parts.insert(0, self.terms.make(Form::Unary(Unary::Is(kind), member), Ty::Flag, span));
        }
        let there = Form::Function(Builtin::PiecesOn, vec![sites]);
        let there = self.terms.make(there, Ty::Entity(lying).set(), span);
        let ty = self.terms.ty(term).clone();
        let cond = parts.into_iter().reduce(|a, b| self.terms.make(Form::And(a, b), Ty::Flag, span));
        Some(cond.map_or(there, |cond| self.terms.make(Form::Each(Each::Where, there, cond), ty, span)))
    }

    /// Whether a site is so near to the member of a loop, or to where it lies, of that.
    fn beside(&mut self, term: Term, site: Term, set: Term) -> Option<Term> {
        let (member, sites) = turned_round(self.whole, self.terms, site, set)?;
        let is_member = self.terms.binds(member) && !self.terms.ty(member).is_many() && !self.terms.binds(site);
        is_member.then(|| self.like(term, Form::In(member, sites)))
    }

    /// Whether a site is one of those that are so far from another, or no farther.
    fn so_far(&mut self, term: Term, op: CompareOp, far: Term, n: Term) -> Option<Term> {
        let Form::Function(Builtin::Distance, args) = self.terms.form(far) else { return None };
        let &[from, to] = &args[..] else { return None };
        let Ty::Site(board) = *self.terms.ty(from).bare() else { return None };
        if self.whole.rules.boards[board.index()].endless() || *self.terms.ty(n) != Ty::Number {
            return None;
        }
        let span = self.terms.span(far);
        let number = match (op, self.terms.form(n)) {
            (CompareOp::Eq | CompareOp::Le, _) => n,
            (CompareOp::Lt, Form::Word(word)) => {
                let less = word.checked_sub(1)?;
                self.terms.make(Form::Word(less), Ty::Number, span)
            }
            _ => return None,
        };
        let from = self.terms.make(Form::Unary(Unary::ToSet, from), Ty::Site(board).set(), span);
        let sites = match (op, self.terms.form(number)) {
            (CompareOp::Eq, Form::Word(1)) => Form::Function(Builtin::Around, vec![from]),
            (CompareOp::Eq, _) => Form::Function(Builtin::Ring, vec![from, number]),
            _ => Form::Function(Builtin::Within, vec![from, number]),
        };
        let sites = self.terms.make(sites, Ty::Site(board).set(), span);
        Some(self.like(term, Form::In(to, sites)))
    }
}

/// Of `site in within(s, n)`, on a board whose neighbours are all each other's: `s`, and `within(site, n)`, in which it is then.
pub(super) fn turned_round(whole: &Whole, terms: &mut Terms, site: Term, set: Term) -> Option<(Term, Term)> {
    let Form::Function(near @ (Builtin::Around | Builtin::Within | Builtin::Ring), args) = terms.form(set).clone()
    else {
        return None;
    };
    let (&of, others) = args.split_first()?;
    let Form::Unary(Unary::ToSet, member) = *terms.form(of) else { return None };
    let Ty::Site(board) = *terms.ty(of).element().bare() else { return None };
    if !whole.compasses[board.index()].is_mutual() || *terms.ty(site).bare() != Ty::Site(board) {
        return None;
    }
    let (ty, span) = (terms.ty(of).clone(), terms.span(set));
    let from = terms.make(Form::Unary(Unary::ToSet, site), ty.clone(), span);
    Some((member, terms.make(Form::Function(near, [&[from], others].concat()), ty, span)))
}

/// Whether it is where the member of a loop lies.
fn is_its_site(terms: &Terms, term: Term, depth: u32) -> bool {
    matches!(terms.form(term), Form::Function(Builtin::SiteOf, args) if *terms.form(args[0]) == Form::Bound(depth))
}

/// The last of what lies on a site, `stack(s)[count stack(s) - 1]`: its top.
pub(super) fn last_of_stack(terms: &mut Terms, list: Term, at: Term) -> Option<Term> {
    let Form::Function(Builtin::Stack, args) = terms.form(list).clone() else { return None };
    let Form::Binary(BinaryOp::Sub, count, one) = *terms.form(at) else { return None };
    let Form::Unary(Unary::Count, counted) = *terms.form(count) else { return None };
    let there = match terms.form(counted) {
        Form::Function(Builtin::Stack, of) => *of == args,
        Form::Function(Builtin::PiecesOn, of) => {
            matches!(*terms.form(of[0]), Form::Unary(Unary::ToSet, site) if args == [site])
        }
        _ => false,
    };
    if !there || *terms.form(one) != Form::Word(1) {
        return None;
    }
    let (ty, span) = (terms.ty(list).element().bare().clone().maybe(), terms.span(list));
    Some(terms.make(Form::Function(Builtin::TopOn, args), ty, span))
}

/// Whether something is the only site of one thing: `s in sites(x)` is `s = site(x)`, unless both may be missing.
pub(super) fn only_site(
    (whole, sure): (&Whole, &Sure),
    terms: &mut Terms,
    (member, set): (Term, Term),
) -> Option<Term> {
    let Form::Function(Builtin::SitesOf, of) = terms.form(set) else { return None };
    let Form::Unary(Unary::ToSet, one) = *terms.form(*of.first()?) else { return None };
    let Ty::Entity(kind) = *terms.ty(one).bare() else { return None };
    let lies = matches!(terms.form(one), Form::Bound(_)) && lies_on_board(whole.rules, kind);
    if !matches!(terms.ty(member), Ty::Site(_)) || !(lies || whole.is_value(terms, member, sure)) {
        return None;
    }
    let (ty, span) = (terms.ty(member).clone(), terms.span(set));
    let site = terms.make(Form::Function(Builtin::SiteOf, vec![one]), ty, span);
    Some(terms.make(Form::Compare(CompareOp::Eq, member, site), Ty::Flag, span))
}
