//! What the members of a set lead to, for all of them at once: see `setwise`. `union run(it, north, free) of mine` are the free sites from
//! which one comes southwards, over free ones, to one of mine. What no step of whole sets tells, such as `sites(b) as t where some (mine as
//! u where t in reached(top(u)))`, is told of each member by itself, and only the sites are found together.

use super::board::Adjacency;
use super::code::Builder;
use super::expand::{Fresh, expanded};
use super::exprs::board_of;
use super::folds::{NeighbourTest, and, conjuncts, neighbour_test};
use super::layout::{Repr, repr};
use super::setwise::{MOST_DEPTH, Plan, Subject};
use crate::core::asks_flat;
use crate::model::rules::{BinaryOp, BoardId, Builtin, CollectOp, Expr, ExprKind, LocalId, ProcBody, Rules, Ty};

/// Members that are written down and looked at one by one, at the most.
const MOST_WRITTEN: usize = 8;
/// As many members as a set has of which no more is known.
const FEW: usize = 8;
/// Steps that are taken one by one, at the most.
const MOST_STEPS: i64 = 4;

impl Builder<'_> {
    /// The union of what the members of a set lead to, as steps of whole sets; and the types of the locals that it has beyond those
    /// of the procedure.
    pub(super) fn image(&self, over: &Expr, binder: LocalId, body: &Expr) -> Option<(Plan, Vec<Ty>)> {
        let item = super::stmts::item(&over.ty);
        let is_site = matches!(item, Ty::Site(_));
        let lies_there = match repr(&over.ty) {
            Repr::Sites => board_of(&over.ty) == board_of(&body.ty),
            Repr::Entities => self.rules.boards.len() == 1,
            _ => false,
        };
        if !lies_there || self.rules.boards[usize::from(board_of(&body.ty))].endless() {
            return None;
        }
        let fresh = Fresh::new(self.env.locals.len());
        let body = expanded(self.rules, &fresh, binder, &[], body)?;
        let board = board_of(&body.ty);
        let many = self.about(over);
        let subject = Subject { builder: self, fresh: &fresh, local: binder, is_site, many, board, depth: MOST_DEPTH };
        let plan = subject.image(&body, over)?;
        Some((plan, fresh.types.into_inner()))
    }

    /// About how many members a set has, at the most.
    pub(super) fn about(&self, set: &Expr) -> usize {
        let of_board = |sites: &Expr| {
            self.boards.get(usize::from(board_of(&sites.ty))).map_or(FEW, |board| usize::from(board.sites))
        };
        match &set.kind {
            ExprKind::Builtin(Builtin::AllSites | Builtin::Empty, _) => of_board(set),
            ExprKind::Builtin(Builtin::SitesOf | Builtin::PiecesOn | Builtin::EmptyOf, args) => self.about(&args[0]),
            ExprKind::InPlay(_) => {
                let sites = self.boards.iter().map(|board| usize::from(board.sites)).max().unwrap_or(usize::MAX);
                self.layout.capacity.min(sites)
            }
            ExprKind::Where { over, .. } | ExprKind::Having { over, .. } => self.about(over).div_ceil(2),
            ExprKind::Call(proc, _) => match &self.rules.procs[proc.index()].body {
                ProcBody::Expr(body) => self.about(body),
                ProcBody::Block(_) => FEW,
            },
            ExprKind::ToSet(one) | ExprKind::ToList(one) if repr(&one.ty) == Repr::Word => 1,
            ExprKind::ToSet(inner) | ExprKind::ToList(inner) => self.about(inner),
            ExprKind::List(items) => items.len(),
            ExprKind::Binary(BinaryOp::Union | BinaryOp::Add, a, b) => self.about(a) + self.about(b),
            ExprKind::Binary(BinaryOp::Both, a, b) => self.about(a).min(self.about(b)),
            ExprKind::Binary(BinaryOp::Difference | BinaryOp::Sub, all, _) => self.about(all),
            ExprKind::If(_, yes, no) => self.about(yes).max(self.about(no)),
            _ => FEW,
        }
    }
}

impl Subject<'_, '_> {
    /// The sites that the members of a set lead to, or to which what is collected of them belongs.
    fn image(&self, to: &Expr, of: &Expr) -> Option<Plan> {
        if self.given(to) {
            return None;
        }
        match &to.kind {
            ExprKind::Local(_) if self.is_site => self.given_sites(of),
            ExprKind::Builtin(Builtin::SiteOf, args) if args[0].is_local(self.local) && !self.is_site => {
                let kind = ExprKind::Builtin(Builtin::SitesOf, vec![of.clone()]);
                self.given_sites(&Expr { kind, ty: to.ty.bare().clone().set(), span: of.span })
            }
            ExprKind::ToSet(inner) | ExprKind::ToList(inner) => self.image(inner, of),
            ExprKind::List(items) => {
                items.iter().try_fold(Plan::Nothing, |found, item| Some(Plan::either(found, self.image(item, of)?)))
            }
            ExprKind::Binary(BinaryOp::Union | BinaryOp::Add, a, b) => {
                Some(Plan::either(self.image(a, of)?, self.image(b, of)?))
            }
            ExprKind::Binary(BinaryOp::Both, a, b) => match (self.given_sites(a), self.given_sites(b)) {
                (_, Some(fixed)) => Some(Plan::both(self.image(a, of)?, fixed)),
                (Some(fixed), _) => Some(Plan::both(self.image(b, of)?, fixed)),
                _ => None,
            },
            ExprKind::Binary(BinaryOp::Difference | BinaryOp::Sub, a, b) => {
                Some(Plan::without(self.image(a, of)?, self.given_sites(b)?))
            }
            ExprKind::Where { over, binder, cond } => {
                let such = self.among(over, *binder, cond)?;
                Some(Plan::both(self.image(over, of)?, such))
            }
            ExprKind::If(asked, yes, no) if self.builder.harmless(asked) => {
                let not = Expr { kind: ExprKind::Not(asked.clone()), ty: Ty::Flag, span: asked.span };
                let [yes, no] = [(yes, asked.as_ref()), (no, &not)].map(|(to, asked)| match to.bare().kind {
                    ExprKind::Nothing | ExprKind::Empty => Some(Plan::Nothing),
                    _ => self.image(to, &such(of, self.local, asked)),
                });
                Some(Plan::either(yes?, no?))
            }
            ExprKind::Collect { op: CollectOp::Union | CollectOp::Gather, over, binder, body } if self.given(over) => {
                let body = Box::new(self.deeper()?.image(body, of)?);
                Some(Plan::Each { over: over.as_ref().clone(), binder: *binder, body })
            }
            ExprKind::Builtin(what @ (Builtin::Around | Builtin::Beside), args) => {
                let by = if *what == Builtin::Beside { Adjacency::Beside } else { Adjacency::Around };
                if self.is_mutual(by) { Some(Plan::near(by, self.image(&args[0], of)?)) } else { None }
            }
            ExprKind::Builtin(Builtin::Step, args) => {
                let (from, back) = (self.image(&args[0], of)?, self.back(&args[1])?);
                let n = args.get(2).map_or(Some(1), |n| super::walk::constant(self.builder.rules, n))?;
                let step = |of, _| Plan::Behind { way: back.clone(), of: Box::new(of) };
                (1..=MOST_STEPS).contains(&n).then(|| (0..n).fold(from, step))
            }
            ExprKind::Builtin(Builtin::Ray, args) => self.led_along(&args[0], &args[1], Plan::All, of),
            ExprKind::Builtin(Builtin::RunOf, args) => {
                let among = self.given_sites(&args[2])?;
                Some(Plan::both(among.clone(), self.led_along(&args[0], &args[1], among, of)?))
            }
            _ => None,
        }
    }

    /// The sites to which a line in a direction leads from those that members of a set lead to, over sites of `among`.
    fn led_along(&self, from: &Expr, way: &Expr, among: Plan, of: &Expr) -> Option<Plan> {
        let straight = self.builder.boards.get(usize::from(self.board))?.slides.iter().all(|slide| slide.straight);
        let (way, ends) = (self.back(way)?, self.image(from, of)?);
        straight.then(|| Plan::Towards { way, among: Box::new(among), ends: Box::new(ends) })
    }

    /// The direction that leads back, where each has one that does.
    fn back(&self, way: &Expr) -> Option<Expr> {
        let board = self.builder.boards.get(usize::from(self.board))?;
        let leads_back = |(way, slide): (usize, &super::slide::Slide)| {
            slide.back.is_some() && slide.back == board.opposite.get(way).map(|way| usize::from(*way))
        };
        let ty = Ty::Direction(BoardId(u32::from(self.board)));
        let fits = self.given(way) && repr(&way.ty) == Repr::Word && way.ty == ty;
        (fits && board.slides.iter().enumerate().all(leads_back)).then(|| Expr {
            kind: ExprKind::Builtin(Builtin::Opposite, vec![way.clone()]),
            ty,
            span: way.span,
        })
    }

    /// Where a condition holds for some member of a set.
    pub(super) fn for_some(&self, over: &Expr, binder: LocalId, cond: &Expr) -> Option<Plan> {
        self.somewhere(over, binder, cond).or_else(|| self.for_any(over, binder, cond))
    }

    /// Where a condition holds for some member of a set that is the same for all subjects, and what it says of each is a set.
    fn for_any(&self, over: &Expr, binder: LocalId, cond: &Expr) -> Option<Plan> {
        if !self.given(over) || !self.is_worth(over) {
            return None;
        }
        let mut parts = Vec::new();
        conjuncts(cond, &mut parts);
        let (asked, own): (Vec<&Expr>, Vec<&Expr>) = parts.into_iter().partition(|part| part.mentions(self.local));
        let over = match own.into_iter().cloned().reduce(and) {
            Some(own) if self.builder.harmless(&own) => such(over, binder, &own),
            Some(_) => return None,
            None => over.clone(),
        };
        let subject = self.deeper()?;
        let body = asked.into_iter().try_fold(Plan::All, |plan, part| Some(Plan::both(plan, subject.holds(part)?)))?;
        body.mentions(binder).then(|| Plan::Each { over, binder, body: Box::new(body) })
    }

    /// Whether a set has no more members than are asked about, and these are many, so that it takes less to go through it than through them.
    fn is_worth(&self, over: &Expr) -> bool {
        self.are_many() && self.builder.about(over) <= self.many
    }

    /// Whether more are asked about than a loop is done with soon.
    pub(super) fn are_many(&self) -> bool {
        self.many > FEW
    }

    /// Where a condition holds if no piece lies on another, and the condition that none does.
    pub(super) fn holds_flat(&self, mut cond: Expr) -> Option<(Plan, Option<Expr>)> {
        let mut asked = Vec::new();
        take_flat(&mut cond, &mut asked);
        let asked = asked.into_iter().reduce(and).filter(|asked| self.given(asked))?;
        let mut outside = true;
        cond.walk(&mut |part| outside &= part.binder().is_none_or(|binder| !asked.mentions(binder)));
        if outside { Some((self.holds(&cond)?, Some(asked))) } else { None }
    }

    /// Where so many neighbours are in a set.
    pub(super) fn has_neighbours(&self, cond: &Expr) -> Option<Plan> {
        let NeighbourTest { beside, among, op, n } = neighbour_test(self.local, cond)?;
        let (Plan::Given(among), n) = (self.given_sites(among)?, n.filter(|n| self.given(n))?) else { return None };
        self.is_site.then(|| Plan::Counted { by_side: beside, among, op, n: n.clone() })
    }

    /// The members of a set or list that are written down, if they are few.
    pub(super) fn written_out(&self, over: &Expr) -> Option<Vec<Expr>> {
        let over = over.bare();
        match &over.kind {
            ExprKind::List(items) if items.len() <= MOST_WRITTEN && items.iter().all(|item| self.given(item)) => {
                Some(items.clone())
            }
            ExprKind::Range(..) => {
                let number = |word| Expr { kind: ExprKind::Word(word), ty: Ty::Number, span: over.span };
                few_numbers(self.builder.rules, over).map(|numbers| numbers.map(number).collect())
            }
            _ => None,
        }
    }

    /// Where a condition holds with one of some values, or with all.
    pub(super) fn of_each(&self, values: &[Expr], binder: LocalId, cond: &Expr, any: bool) -> Option<Plan> {
        let subject = self.deeper()?;
        let plans = values.iter().map(|value| {
            let mut cond = cond.clone();
            cond.put(binder, value);
            subject.holds(&cond)
        });
        let plans: Vec<Plan> = plans.collect::<Option<_>>()?;
        let (none, join): (Plan, fn(Plan, Plan) -> Plan) =
            if any { (Plan::Nothing, Plan::either) } else { (Plan::All, Plan::both) };
        Some(plans.into_iter().fold(none, join))
    }

    /// Where what is collected over a set, or over directions, has a member in another set.
    pub(super) fn meets_any(&self, over: &Expr, binder: LocalId, body: &Expr, goal: Plan) -> Option<Plan> {
        let (whole, mut over, mut conds) = (over, over, Vec::new());
        while let ExprKind::Where { over: inner, binder, cond } = &over.kind {
            conds.push((*binder, cond.as_ref()));
            over = inner;
        }
        let inner = self.deeper()?;
        let leads = |goal| if repr(&body.ty) == Repr::Word { inner.lands(body, goal) } else { inner.meets(body, goal) };
        if !self.directions(over) {
            return self.any_between(whole, binder, body, goal.clone()).or_else(|| {
                let fits = self.given(whole) && self.is_worth(whole);
                let body = leads(goal).filter(|plan| fits && plan.mentions(binder))?;
                Some(Plan::Each { over: whole.clone(), binder, body: Box::new(body) })
            });
        }
        let mut plan = leads(goal)?;
        for (name, cond) in conds {
            let mut cond = cond.clone();
            cond.rename(name, binder);
            plan = Plan::both(inner.holds(&cond)?, plan);
        }
        Some(Plan::Each { over: over.clone(), binder, body: Box::new(plan) })
    }
}

/// The numbers of a range from constant to constant that are looked at one by one: they are constants of the program, too.
pub(super) fn few_numbers(rules: &Rules, range: &Expr) -> Option<std::ops::RangeInclusive<i64>> {
    let ExprKind::Range(low, high) = &range.kind else { return None };
    let (low, high) = (super::walk::constant(rules, low)?, super::walk::constant(rules, high)?);
    high.checked_sub(low).is_some_and(|more| more < MOST_WRITTEN as i64).then_some(low..=high)
}

/// Leaves of what depends on whether pieces lie on each other what is so if none does, and takes down what is asked.
fn take_flat(expr: &mut Expr, asked: &mut Vec<Expr>) {
    while let ExprKind::If(cond, yes, _) = &mut expr.kind
        && asks_flat(cond)
    {
        asked.push(cond.as_ref().clone());
        *expr = yes.as_ref().clone();
    }
    expr.each_part_mut(&mut |part| take_flat(part, asked));
}

/// The members of a set of which a condition holds.
fn such(over: &Expr, binder: LocalId, cond: &Expr) -> Expr {
    let kind = ExprKind::Where { over: Box::new(over.clone()), binder, cond: Box::new(cond.clone()) };
    Expr { kind, ty: super::stmts::item(&over.ty).set(), span: over.span }
}
