//! Filters turned inside out: instead of asking each member of a set whether a condition holds, the sites of those for
//! which it holds are worked out at once. `mine where some (step(it, north) & free)` are those of mine that lie south
//! of a free site: `behind(free, north) & mine`.
//!
//! Here a condition becomes a [`Plan`], if it can; `setcode` makes code of it. A plan works out all it asks for, also
//! what a loop would have skipped, so only what cannot fail may be in it.

use super::alike::alike;
use super::board::{Adjacency, SiteSet};
use super::code::Builder;
use super::expand::{Fresh, expanded};
use super::exprs::board_of;
use super::layout::{Repr, is_builtin, repr};
use super::lines::one_site;
use crate::model::rules::{
    BinaryOp, Builtin, BuiltinProp, CollectOp, CompareOp, Expr, ExprKind, KindId, LocalId, PropId, Rules, Ty,
};

/// How deep filters are looked into.
pub(super) const MOST_DEPTH: usize = 8;

/// The sites of the subjects for which something holds.
#[derive(Clone, Debug)]
pub(super) enum Plan {
    All,
    Nothing,
    /// A set in which the subject does not occur.
    Given(Expr),
    /// A set that depends on nothing but the board.
    Fixed(SiteSet),
    /// The sites on which something lies.
    Occupied,
    Either(Box<Plan>, Box<Plan>),
    Both(Box<Plan>, Box<Plan>),
    Without(Box<Plan>, Box<Plan>),
    /// Those whose neighbour in a direction is in a set.
    Behind {
        way: Expr,
        of: Box<Plan>,
    },
    /// Those from which so many steps in a direction lead to a set.
    Leap {
        way: Expr,
        n: Expr,
        of: Box<Plan>,
    },
    /// Those with a neighbour in a set.
    Near {
        by: Adjacency,
        of: Box<Plan>,
    },
    /// Those of which so many neighbours are in a set.
    Counted {
        by_side: bool,
        among: Expr,
        op: CompareOp,
        n: Expr,
    },
    /// Those of a set that are connected within it with a member of another.
    Group {
        among: Box<Plan>,
        of: Box<Plan>,
    },
    /// Those of a set that lie on a straight line of so many of its members.
    Lines {
        n: u8,
        of: Box<Plan>,
    },
    /// Those from which one comes to a member of `ends` in a direction, over members of `among` only.
    Towards {
        way: Expr,
        among: Box<Plan>,
        ends: Box<Plan>,
    },
    /// Those on a straight line from a site with so many members of a set between, or more.
    Beyond {
        line: Line,
        of: Box<Plan>,
    },
    /// Those on which the topmost piece meets a condition.
    Tops {
        piece: LocalId,
        kind: Ty,
        cond: Expr,
    },
    /// All that the body has for any member of a set.
    Each {
        over: Expr,
        binder: LocalId,
        body: Box<Plan>,
    },
    /// One or the other, as a condition holds in which the subject does not occur.
    Case {
        cond: Expr,
        yes: Box<Plan>,
        no: Box<Plan>,
    },
}

/// The straight lines from a site, and what is asked of them.
#[derive(Clone, Debug)]
pub(super) struct Line {
    pub from: Expr,
    /// The direction they go in, or a set of those; any, if it does not say.
    pub ways: Option<Expr>,
    /// How many lie between at least.
    pub least: u16,
    /// Whether what lies there is counted, and not the sites.
    pub pieces: bool,
}

impl Line {
    fn mentions(&self, local: LocalId) -> bool {
        self.from.mentions(local) || self.ways.as_ref().is_some_and(|ways| ways.mentions(local))
    }

    fn same(&self, other: &Line) -> bool {
        let ways = match (&self.ways, &other.ways) {
            (None, None) => true,
            (Some(a), Some(b)) => a.ty == b.ty && alike(a, b),
            _ => false,
        };
        ways && alike(&self.from, &other.from) && self.least == other.least && self.pieces == other.pieces
    }
}

/// A filter of which parts are set algebra.
pub(super) struct SetFilter {
    /// Where the members lie.
    pub plan: Plan,
    /// Whose they are, for entities.
    pub owner: Option<Expr>,
    /// The conditions that are left.
    pub rest: Vec<Expr>,
    /// What must hold for the plan to be right, that no piece lies on another; and the conditions that it stands for.
    pub flat: Option<(Expr, Vec<Expr>)>,
    /// Types of the locals that the plan has beyond those of the procedure.
    pub fresh: Vec<Ty>,
}

/// The sites so many steps away from a site, or from those of a set, in each of some directions.
pub(super) struct Leaps<'e> {
    pub from: &'e Expr,
    /// How many steps; one, if it does not say.
    pub n: Option<&'e Expr>,
}

/// The runs from a site in directions in which something else follows.
pub(super) struct ClosedRuns {
    pub ways: Expr,
    pub from: Expr,
    pub among: Expr,
    pub ends: Expr,
}

impl Plan {
    pub fn both(a: Plan, b: Plan) -> Plan {
        match (a, b) {
            (Plan::All, other) | (other, Plan::All) => other,
            (Plan::Nothing, _) | (_, Plan::Nothing) => Plan::Nothing,
            (a, b) => Plan::Both(Box::new(a), Box::new(b)),
        }
    }

    pub fn either(a: Plan, b: Plan) -> Plan {
        match (a, b) {
            (Plan::All, _) | (_, Plan::All) => Plan::All,
            (Plan::Nothing, other) | (other, Plan::Nothing) => other,
            // What is both within a set and without it.
            (Plan::Both(a, within), Plan::Without(b, without)) | (Plan::Without(b, without), Plan::Both(a, within))
                if a.same(&b) && within.same(&without) =>
            {
                *a
            }
            (set, Plan::Without(all, without)) | (Plan::Without(all, without), set)
                if matches!(*all, Plan::All) && set.same(&without) =>
            {
                Plan::All
            }
            (Plan::Towards { way, among, ends }, Plan::Towards { way: other, among: over, ends: more })
                if alike(&way, &other) && among.same(&over) =>
            {
                Plan::Towards { way, among, ends: Box::new(Plan::either(*ends, *more)) }
            }
            (a, b) => Plan::Either(Box::new(a), Box::new(b)),
        }
    }

    /// Whether it takes long enough to work out that it is worth asking first whether it is needed.
    pub fn is_dear(&self) -> bool {
        match self {
            Plan::Each { .. }
            | Plan::Towards { .. }
            | Plan::Leap { .. }
            | Plan::Group { .. }
            | Plan::Beyond { .. }
            | Plan::Tops { .. } => true,
            Plan::Either(a, b) | Plan::Both(a, b) | Plan::Without(a, b) => a.is_dear() || b.is_dear(),
            Plan::Behind { of, .. } | Plan::Near { of, .. } | Plan::Lines { of, .. } => of.is_dear(),
            Plan::Case { yes, no, .. } => yes.is_dear() || no.is_dear(),
            Plan::All | Plan::Nothing | Plan::Given(_) | Plan::Fixed(_) | Plan::Occupied | Plan::Counted { .. } => {
                false
            }
        }
    }

    pub fn without(a: Plan, b: Plan) -> Plan {
        match (a, b) {
            (a, Plan::Nothing) => a,
            (Plan::Nothing, _) | (_, Plan::All) => Plan::Nothing,
            (a, b) => Plan::Without(Box::new(a), Box::new(b)),
        }
    }

    pub(super) fn near(by: Adjacency, of: Plan) -> Plan {
        Plan::Near { by, of: Box::new(of) }
    }

    pub(super) fn case(cond: Expr, yes: Plan, no: Plan) -> Plan {
        Plan::Case { cond, yes: Box::new(yes), no: Box::new(no) }
    }

    /// Whether what it tells holds for a subject that lies on no site, if that is known: such a one is in no set of
    /// sites and has no neighbours, but what does not depend on it holds for it as for others.
    fn off_board(&self) -> Option<bool> {
        match self {
            Plan::All => Some(true),
            Plan::Nothing
            | Plan::Given(_)
            | Plan::Fixed(_)
            | Plan::Occupied
            | Plan::Behind { .. }
            | Plan::Leap { .. }
            | Plan::Near { .. }
            | Plan::Group { .. }
            | Plan::Lines { .. }
            | Plan::Towards { .. }
            | Plan::Beyond { .. }
            | Plan::Tops { .. }
            | Plan::Counted { .. } => Some(false),
            Plan::Either(a, b) => match (a.off_board(), b.off_board()) {
                (Some(true), _) | (_, Some(true)) => Some(true),
                (a, b) => a.zip(b).map(|(a, b)| a || b),
            },
            Plan::Both(a, b) => match (a.off_board(), b.off_board()) {
                (Some(false), _) | (_, Some(false)) => Some(false),
                (a, b) => a.zip(b).map(|(a, b)| a && b),
            },
            Plan::Without(a, b) => match (a.off_board(), b.off_board()) {
                (Some(false), _) | (_, Some(true)) => Some(false),
                (a, b) => a.zip(b).map(|(a, b)| a && !b),
            },
            // There may be no direction to go in.
            Plan::Each { body, .. } => body.off_board().filter(|holds| !holds),
            Plan::Case { yes, no, .. } => yes.off_board().filter(|holds| no.off_board() == Some(*holds)),
        }
    }

    /// Whether a direction that is gone through occurs in it.
    pub fn mentions(&self, local: LocalId) -> bool {
        match self {
            Plan::All | Plan::Nothing | Plan::Fixed(_) | Plan::Occupied => false,
            Plan::Given(set) => set.mentions(local),
            Plan::Counted { among, n, .. } => among.mentions(local) || n.mentions(local),
            Plan::Either(a, b) | Plan::Both(a, b) | Plan::Without(a, b) => a.mentions(local) || b.mentions(local),
            Plan::Behind { way, of } => way.mentions(local) || of.mentions(local),
            Plan::Leap { way, n, of } => way.mentions(local) || n.mentions(local) || of.mentions(local),
            Plan::Near { of, .. } | Plan::Lines { of, .. } => of.mentions(local),
            Plan::Group { among, of } => among.mentions(local) || of.mentions(local),
            Plan::Towards { way, among, ends } => way.mentions(local) || among.mentions(local) || ends.mentions(local),
            Plan::Beyond { line, of } => line.mentions(local) || of.mentions(local),
            Plan::Tops { cond, .. } => cond.mentions(local),
            Plan::Each { over, body, .. } => over.mentions(local) || body.mentions(local),
            Plan::Case { cond, yes, no } => cond.mentions(local) || yes.mentions(local) || no.mentions(local),
        }
    }

    /// Whether two plans are the same; what is not known is not.
    pub fn same(&self, other: &Plan) -> bool {
        match (self, other) {
            (Plan::All, Plan::All) | (Plan::Nothing, Plan::Nothing) | (Plan::Occupied, Plan::Occupied) => true,
            (Plan::Given(a), Plan::Given(b)) => alike(a, b),
            (Plan::Fixed(a), Plan::Fixed(b)) => a == b,
            (Plan::Either(a, b), Plan::Either(c, d))
            | (Plan::Both(a, b), Plan::Both(c, d))
            | (Plan::Without(a, b), Plan::Without(c, d)) => a.same(c) && b.same(d),
            (Plan::Behind { way: a, of: b }, Plan::Behind { way: c, of: d }) => alike(a, c) && b.same(d),
            (Plan::Leap { way: a, n: b, of: c }, Plan::Leap { way: d, n: e, of: f }) => {
                alike(a, d) && alike(b, e) && c.same(f)
            }
            (Plan::Near { by: a, of: b }, Plan::Near { by: c, of: d }) => a == c && b.same(d),
            (Plan::Lines { n: a, of: b }, Plan::Lines { n: c, of: d }) => a == c && b.same(d),
            (Plan::Group { among: a, of: b }, Plan::Group { among: c, of: d }) => a.same(c) && b.same(d),
            // INVARIANT: `Tops` and `Counted` are the same as no other: what they have was looked for among the sites at hand,
            // which are others where they stand behind a step.
            (Plan::Beyond { line: a, of: b }, Plan::Beyond { line: c, of: d }) => a.same(c) && b.same(d),
            _ => false,
        }
    }
}

/// A property of the subject, and what it is known to be.
type Known = (PropId, Expr);

/// What a condition is asked about.
pub(super) struct Subject<'b, 'r> {
    pub builder: &'b Builder<'r>,
    pub fresh: &'b Fresh,
    pub local: LocalId,
    /// Whether it is a site; else something that lies on one.
    pub is_site: bool,
    /// About how many are asked about.
    pub many: usize,
    pub board: u16,
    pub depth: usize,
}

impl Builder<'_> {
    /// A filter as set algebra, as far as it goes; none if nothing of it does.
    pub(super) fn set_filter(&self, over: &Expr, binder: LocalId, conds: &[&Expr]) -> Option<SetFilter> {
        let fresh = Fresh::new(self.env.locals.len());
        let item = super::stmts::item(&over.ty);
        let is_site = matches!(item, Ty::Site(_));
        let board = match (repr(&over.ty), &item) {
            (Repr::Sites, _) => board_of(&over.ty),
            (Repr::Entities, Ty::Entity(_)) if self.rules.boards.len() == 1 && !self.rules.boards[0].endless() => 0,
            _ => return None,
        };
        // INVARIANT: a condition that says what a property is stands for itself: only those after it, and those that
        // say nothing of the kind, are simplified by it. Else all that it says would be lost.
        let mut knows = self.known_of(over);
        let says: Vec<Option<Known>> = conds.iter().map(|cond| said(binder, cond)).collect();
        let mut all = knows.clone();
        all.extend(says.iter().flatten().cloned());
        let on_board = is_site || matches!(&over.kind, ExprKind::InPlay(kind) if self.lies_on_board(*kind));
        let many = self.about(over);
        let subject = Subject { builder: self, fresh: &fresh, local: binder, is_site, many, board, depth: MOST_DEPTH };
        let (mut plan, mut owner, mut rest, mut any) = (Plan::All, None, Vec::new(), false);
        let (mut flat, mut taken) = (None, Vec::new());
        for (cond, says) in conds.iter().zip(says) {
            let known = if says.is_some() { knows.clone() } else { all.clone() };
            knows.extend(says);
            if let (false, Some(player), None) = (is_site, self.owner_test(binder, cond), &owner)
                && !player.mentions(binder)
                && self.harmless(player)
            {
                owner = Some((player.clone(), (*cond).clone()));
                continue;
            }
            let found = expanded(self.rules, &fresh, binder, &known, cond)
                .filter(|_| super::folds::neighbour_test(binder, cond).is_none())
                .and_then(|cond| subject.holds(&cond).map(|found| (found, None)).or_else(|| subject.holds_flat(cond)))
                .filter(|(found, _)| on_board || found.off_board() == Some(false));
            match found {
                Some((found, asked)) => {
                    plan = Plan::both(plan, found);
                    flat = flat.into_iter().chain(asked).reduce(super::folds::and);
                    taken.push((*cond).clone());
                    any = true;
                }
                None => rest.push((*cond).clone()),
            }
        }
        // The owner alone says where only those lie that are on the board.
        let owner = match owner {
            Some((_, cond)) if !any && !on_board => {
                rest.insert(0, cond);
                None
            }
            Some((player, cond)) => {
                any = true;
                taken.push(cond);
                Some(player)
            }
            None => None,
        };
        let flat = flat.map(|asked| (asked, taken));
        any.then(|| SetFilter { plan, owner, rest, flat, fresh: fresh.types.into_inner() })
    }

    /// `run(s, it, S)` of all directions in which `step(s, it, 1 + count run(s, it, S)) in T`.
    pub(super) fn closed_runs(&self, over: &Expr, binder: LocalId, body: &Expr) -> Option<ClosedRuns> {
        let ExprKind::Where { over: ways, binder: inner, cond } = &over.kind else { return None };
        let fresh = Fresh::new(self.env.locals.len());
        let cond = expanded(self.rules, &fresh, *inner, &[], cond)?;
        let ExprKind::In(end, ends) = &cond.kind else { return None };
        let ExprKind::Builtin(Builtin::Step, args) = &end.kind else { return None };
        let [from, way, n] = args.as_slice() else { return None };
        let ExprKind::Builtin(Builtin::RunOf, run) = &body.bare().kind else { return None };
        let [start, along, among] = run.as_slice() else { return None };
        let board = board_of(&from.ty);
        let (is_site, many) = (false, self.about(ways));
        let subject = Subject { builder: self, fresh: &fresh, local: *inner, is_site, many, board, depth: MOST_DEPTH };
        let Plan::Given(between) = subject.run_before(n, from, way)? else { return None };
        let straight = self.boards.get(usize::from(board))?.slides.iter().all(|slide| slide.straight);
        let fits = straight
            && way.is_local(*inner)
            && along.is_local(binder)
            && alike(start, from)
            && alike(among, &between)
            && subject.directions(ways)
            && [from, ends, among].into_iter().all(|expr| subject.given(expr) && !expr.mentions(binder))
            && repr(&ends.ty) == Repr::Sites
            && repr(&from.ty) == Repr::Word;
        fits.then(|| ClosedRuns {
            ways: ways.as_ref().clone(),
            from: from.clone(),
            among: between,
            ends: ends.as_ref().clone(),
        })
    }

    /// `step(s, it, n)` of directions.
    pub(super) fn leaps<'e>(&self, over: &Expr, binder: LocalId, body: &'e Expr) -> Option<Leaps<'e>> {
        let ExprKind::Builtin(Builtin::Step, args) = &body.bare().kind else { return None };
        let (from, way, n) = (args.first()?, args.get(1)?, args.get(2));
        let fits = repr(&over.ty) == Repr::Mask
            && matches!(repr(&from.ty), Repr::Word | Repr::Sites)
            && way.is_local(binder)
            && !from.mentions(binder)
            && n.is_none_or(|n| !n.mentions(binder));
        fits.then_some(Leaps { from, n })
    }

    /// What the filters that a set went through say a property of its members is.
    fn known_of(&self, over: &Expr) -> Vec<Known> {
        let mut knows = Vec::new();
        let mut over = over;
        while let ExprKind::Where { over: inner, binder, cond } = &over.kind {
            let mut parts = Vec::new();
            super::folds::conjuncts(cond, &mut parts);
            parts.iter().for_each(|cond| knows.extend(said(*binder, cond)));
            over = inner;
        }
        knows
    }

    /// The player that `it.owner` is said to be.
    pub(super) fn owner_test<'e>(&self, binder: LocalId, cond: &'e Expr) -> Option<&'e Expr> {
        let ExprKind::Compare(CompareOp::Eq, a, b) = &cond.kind else { return None };
        [(a, b), (b, a)].into_iter().find(|(owner, _)| self.is_owner(binder, owner)).map(|(_, player)| player.as_ref())
    }

    pub(super) fn is_owner(&self, binder: LocalId, expr: &Expr) -> bool {
        matches!(&expr.kind, ExprKind::Prop(of, prop)
            if of.is_local(binder) && is_builtin(self.rules, *prop, BuiltinProp::Owner))
    }

    /// Whether pieces of a kind that are in play lie on the only board.
    pub(super) fn lies_on_board(&self, kind: KindId) -> bool {
        !self.layout.rows[kind.index()].is_empty() && self.rules.has_no_zone_in_play(kind)
    }
}

/// `among` of `1 + count run(from, way, among)`: one further than a run goes.
pub(super) fn one_past<'e>(rules: &Rules, n: &'e Expr, from: &Expr, way: &Expr) -> Option<&'e Expr> {
    let ExprKind::Binary(BinaryOp::Add, a, b) = &n.kind else { return None };
    let one = |expr: &Expr| super::walk::constant(rules, expr) == Some(1);
    let count = match (one(a), one(b)) {
        (true, _) => b,
        (_, true) => a,
        _ => return None,
    };
    let ExprKind::Count(run) = &count.kind else { return None };
    let ExprKind::Builtin(Builtin::RunOf, args) = &run.bare().kind else { return None };
    let [start, along, among] = args.as_slice() else { return None };
    (alike(start, from) && alike(along, way)).then_some(among)
}

/// What a condition says a property of the subject is.
fn said(subject: LocalId, cond: &Expr) -> Option<Known> {
    let ExprKind::Compare(CompareOp::Eq, a, b) = &cond.kind else { return None };
    [(a, b), (b, a)].into_iter().find_map(|(of, value)| match &of.kind {
        ExprKind::Prop(whose, prop)
            if whose.is_local(subject) && !value.mentions(subject) && of.ty.bare() == value.ty.bare() =>
        {
            Some((*prop, value.as_ref().clone()))
        }
        _ => None,
    })
}

impl Subject<'_, '_> {
    /// Whether an expression does not depend on the subject, and may be worked out in any case.
    pub(super) fn given(&self, expr: &Expr) -> bool {
        !expr.mentions(self.local) && self.builder.harmless(expr)
    }

    /// Where a condition holds.
    pub(super) fn holds(&self, cond: &Expr) -> Option<Plan> {
        if let ExprKind::Word(word) = cond.kind {
            return Some(if word == 1 { Plan::All } else { Plan::Nothing });
        }
        if self.given(cond) {
            return Some(Plan::case(cond.clone(), Plan::All, Plan::Nothing));
        }
        match &cond.kind {
            ExprKind::Not(inner) => Some(Plan::without(Plan::All, self.holds(inner)?)),
            ExprKind::And(a, b) => Some(Plan::both(self.holds(a)?, self.holds(b)?)),
            ExprKind::Or(a, b) => Some(Plan::either(self.holds(a)?, self.holds(b)?)),
            ExprKind::Some(inner) if let ExprKind::Where { over, binder, cond } = &inner.kind => {
                self.for_some(over, *binder, cond)
            }
            ExprKind::Some(inner) if let ExprKind::Builtin(Builtin::TopOn, args) = &inner.kind => {
                let site = args.first().filter(|site| self.is_on_board(site))?;
                self.lands(site, Plan::Occupied)
            }
            ExprKind::Some(inner) if let ExprKind::Builtin(Builtin::PiecesOn, args) = &inner.kind => {
                let sites = args.first().filter(|sites| self.is_on_board(sites))?;
                self.meets(sites, Plan::Occupied)
            }
            ExprKind::Some(inner) if let Some(found) = self.lies_along(inner, None) => Some(found),
            ExprKind::Some(inner) if let Some(found) = self.has_between(inner, 1) => Some(found),
            ExprKind::Some(inner) if repr(&inner.ty) == Repr::Word => self.lands(inner, Plan::All),
            ExprKind::Some(inner) => self.meets(inner, Plan::All),
            ExprKind::In(item, set) if let Some(set) = self.given_sites(set) => self.lands(item, set),
            ExprKind::In(item, ways) if let Some(found) = self.lies_along(item, Some(ways)) => Some(found),
            ExprKind::In(item, set) if self.is_given_site(item) => self.meets(set, Plan::Given(one_site(item))),
            ExprKind::If(asked, yes, no) => {
                let (yes, no) = (self.holds(yes)?, self.holds(no)?);
                self.one_of(asked, yes, no)
            }
            ExprKind::Compare(op, a, b) if let Some(found) = self.compared(*op, a, b) => Some(found),
            ExprKind::Compare(..) if let Some(found) = self.has_neighbours(cond) => Some(found),
            ExprKind::Compare(..) | ExprKind::Is(..) | ExprKind::In(..) if let Some(found) = self.on_top(cond) => {
                Some(found)
            }
            ExprKind::Any { over, binder, cond } => self.for_some(over, *binder, cond),
            ExprKind::All { over, binder, cond } => {
                let inverse = Expr { kind: ExprKind::Not(cond.clone()), ty: Ty::Flag, span: cond.span };
                Some(Plan::without(Plan::All, self.for_some(over, *binder, &inverse)?))
            }
            _ if self.is_site => self.builder.holds_at(self.board, self.local, cond).map(Plan::Fixed),
            _ => None,
        }
    }

    /// Where one thing holds if a condition does, and another if not.
    fn one_of(&self, asked: &Expr, yes: Plan, no: Plan) -> Option<Plan> {
        if self.given(asked) {
            return Some(Plan::case(asked.clone(), yes, no));
        }
        let asked = self.holds(asked)?;
        Some(Plan::either(Plan::both(asked.clone(), yes), Plan::without(no, asked)))
    }

    /// Some sites of the board at hand, if which they are does not depend on the subject.
    pub(super) fn given_sites(&self, set: &Expr) -> Option<Plan> {
        let fits = repr(&set.ty) == Repr::Sites && board_of(&set.ty) == self.board && self.given(set);
        fits.then(|| Plan::Given(set.clone()))
    }

    /// Whether a type is that of the sites of the board at hand.
    pub(super) fn is_site_here(&self, ty: &Ty) -> bool {
        matches!(ty.bare(), Ty::Site(board) if board.index() == usize::from(self.board))
    }

    /// Where some member of a set that the subject leads to meets a condition.
    pub(super) fn somewhere(&self, over: &Expr, binder: LocalId, cond: &Expr) -> Option<Plan> {
        if self.directions(over) {
            let body = self.deeper()?.holds(cond)?;
            return Some(Plan::Each { over: over.clone(), binder, body: Box::new(body) });
        }
        if let Some(values) = self.written_out(over) {
            return self.of_each(&values, binder, cond, true);
        }
        if let Some(found) = self.bears(over, binder, cond) {
            return Some(found);
        }
        match self.among(over, binder, cond) {
            Some(there) => self.meets(over, there),
            None => self.in_sight(over, binder, cond, Plan::All),
        }
    }

    /// Where something lies, on sites that the subject leads to, which meets a condition that does not depend on the subject.
    fn bears(&self, over: &Expr, binder: LocalId, cond: &Expr) -> Option<Plan> {
        let ExprKind::Builtin(Builtin::PiecesOn, args) = &over.kind else { return None };
        let sites = args.first().filter(|sites| self.is_on_board(sites))?;
        let of = super::stmts::item(&sites.ty).set();
        let like = |kind, ty: &Ty| Expr { kind, ty: ty.clone(), span: over.span };
        let lying = match over.ty.element() {
            Ty::Entity(kind) if self.builder.lies_on_board(*kind) => ExprKind::InPlay(*kind),
            _ => {
                ExprKind::Builtin(Builtin::PiecesOn, vec![like(ExprKind::Builtin(Builtin::AllSites, Vec::new()), &of)])
            }
        };
        let (lying, cond) = (Box::new(like(lying, &over.ty)), Box::new(cond.clone()));
        let such = like(ExprKind::Where { over: lying, binder, cond }, &over.ty);
        self.meets(sites, self.given_sites(&like(ExprKind::Builtin(Builtin::SitesOf, vec![such]), &of))?)
    }

    /// Where a condition about the members of a set of sites holds.
    pub(super) fn among(&self, over: &Expr, binder: LocalId, cond: &Expr) -> Option<Plan> {
        if !self.is_site_here(over.ty.element()) || cond.mentions(self.local) {
            return None;
        }
        let rules = self.builder.rules;
        let cond = expanded(rules, self.fresh, binder, &[], cond)?;
        let subject = Subject { local: binder, is_site: true, ..self.deeper()? };
        subject.holds(&cond)
    }

    pub(super) fn deeper(&self) -> Option<Subject<'_, '_>> {
        let depth = self.depth.checked_sub(1)?;
        Some(Subject { builder: self.builder, fresh: self.fresh, depth, ..*self })
    }

    pub(super) fn is_mutual(&self, by: Adjacency) -> bool {
        self.builder.boards.get(usize::from(self.board)).is_some_and(|board| board.mutual(by))
    }

    /// Whether an expression is a set of directions that does not depend on the subject.
    pub(super) fn directions(&self, over: &Expr) -> bool {
        matches!(super::stmts::item(&over.ty), Ty::Direction(board) if board.index() == usize::from(self.board))
            && repr(&over.ty) == Repr::Mask
            && self.given(over)
    }

    /// Whether a site, or those of a set, belong to the board at hand.
    fn is_on_board(&self, sites: &Expr) -> bool {
        let kept = matches!(repr(&Ty::Set(Box::new(super::stmts::item(&sites.ty)))), Repr::Sites);
        kept && board_of(&sites.ty) == self.board
    }

    /// Where a site that the subject leads to is in a set.
    pub(super) fn lands(&self, site: &Expr, goal: Plan) -> Option<Plan> {
        match &site.kind {
            ExprKind::Local(_) if self.is_site && site.is_local(self.local) => Some(goal),
            ExprKind::Builtin(Builtin::SiteOf, args)
                if !self.is_site && args.first()?.is_local(self.local) && board_of(&site.ty) == self.board =>
            {
                // What holds on any site does not hold on none.
                let lies = |goal| Plan::both(Plan::Fixed(self.builder.whole_board(self.board)), goal);
                Some(if goal.off_board() == Some(false) { goal } else { lies(goal) })
            }
            ExprKind::Builtin(Builtin::Step, args) => {
                let (from, way) = (args.first()?, args.get(1)?);
                if !self.given(way) {
                    return None;
                }
                match args.get(2) {
                    None => self.lands(from, Plan::Behind { way: way.clone(), of: Box::new(goal) }),
                    Some(n) => match super::walk::constant(self.builder.rules, n) {
                        Some(n @ 1..=4) => {
                            let back = |of: Plan| Plan::Behind { way: way.clone(), of: Box::new(of) };
                            self.lands(from, (0..n).fold(goal, |of, _| back(of)))
                        }
                        _ => match self.run_before(n, from, way) {
                            Some(among) => {
                                let ends = Plan::without(goal, among.clone());
                                self.along(from, way, among, ends)
                            }
                            None if self.given(n) => {
                                let (way, n) = (way.clone(), n.clone());
                                self.lands(from, Plan::Leap { way, n, of: Box::new(goal) })
                            }
                            None => None,
                        },
                    },
                }
            }
            ExprKind::If(asked, yes, no) => {
                let (yes, no) = (self.lands(yes, goal.clone())?, self.lands(no, goal)?);
                self.one_of(asked, yes, no)
            }
            _ => None,
        }
    }

    /// Where the sites in a direction lead to a member of `ends`, over members of `among` only.
    pub(super) fn along(&self, from: &Expr, way: &Expr, among: Plan, ends: Plan) -> Option<Plan> {
        let board = self.builder.boards.get(usize::from(self.board))?;
        if !board.slides.iter().all(|slide| slide.straight) {
            return None;
        }
        let towards = Plan::Towards { way: way.clone(), among: Box::new(among), ends: Box::new(ends) };
        self.lands(from, towards)
    }

    /// The sites of a run of which a number is one further than it goes, if they do not depend on the subject.
    fn run_before(&self, n: &Expr, from: &Expr, way: &Expr) -> Option<Plan> {
        let among = one_past(self.builder.rules, n, from, way).filter(|among| self.given(among))?;
        Some(Plan::Given(among.clone()))
    }

    /// Where a set that the subject leads to has a member in another.
    pub(super) fn meets(&self, set: &Expr, goal: Plan) -> Option<Plan> {
        if self.given(set) {
            let Plan::All = goal else { return None };
            let some = Expr { kind: ExprKind::Some(Box::new(set.clone())), ty: Ty::Flag, span: set.span };
            return Some(Plan::case(some, Plan::All, Plan::Nothing));
        }
        if !self.is_site_here(set.ty.element()) {
            return None;
        }
        match &set.kind {
            ExprKind::ToSet(inner) | ExprKind::ToList(inner) if repr(&inner.ty) == Repr::Word => {
                self.lands(inner, goal)
            }
            ExprKind::ToSet(inner) | ExprKind::ToList(inner) => self.meets(inner, goal),
            ExprKind::List(items) => items
                .iter()
                .try_fold(Plan::Nothing, |found, item| Some(Plan::either(found, self.lands(item, goal.clone())?))),
            ExprKind::Binary(BinaryOp::Union | BinaryOp::Add, a, b) => {
                Some(Plan::either(self.meets(a, goal.clone())?, self.meets(b, goal)?))
            }
            ExprKind::Binary(BinaryOp::Both, a, b) => match (self.given_sites(a), self.given_sites(b)) {
                (_, Some(fixed)) => self.meets(a, Plan::both(goal, fixed)),
                (Some(fixed), _) => self.meets(b, Plan::both(goal, fixed)),
                _ => None,
            },
            ExprKind::Binary(BinaryOp::Difference | BinaryOp::Sub, a, b) => {
                self.meets(a, Plan::without(goal, self.given_sites(b)?))
            }
            ExprKind::Where { over, binder, cond } => match self.among(over, *binder, cond) {
                Some(there) => self.meets(over, Plan::both(goal, there)),
                None => self.in_sight(over, *binder, cond, goal),
            },
            ExprKind::If(asked, yes, no) => {
                let (yes, no) = (self.meets(yes, goal.clone())?, self.meets(no, goal)?);
                self.one_of(asked, yes, no)
            }
            ExprKind::Collect { op: CollectOp::Union | CollectOp::Gather, over, binder, body } => {
                self.meets_any(over, *binder, body, goal)
            }
            ExprKind::Builtin(Builtin::Step, args) if args.len() == 2 && self.given(args.get(1)?) => {
                let way = args.get(1)?.clone();
                self.meets(args.first()?, Plan::Behind { way, of: Box::new(goal) })
            }
            ExprKind::Builtin(Builtin::EmptyOf, args) => self.meets(args.first()?, Plan::without(goal, Plan::Occupied)),
            ExprKind::Builtin(what @ (Builtin::Around | Builtin::Beside), args) => {
                let by = if *what == Builtin::Beside { Adjacency::Beside } else { Adjacency::Around };
                self.is_mutual(by).then(|| Plan::near(by, goal)).and_then(|near| self.meets(args.first()?, near))
            }
            ExprKind::Builtin(
                what @ (Builtin::CellsOf | Builtin::EdgesOf | Builtin::CornersOf | Builtin::RimOf),
                args,
            ) if self.is_mutual(Adjacency::Touching) => {
                let places = self.builder.boards.get(usize::from(self.board))?.of_kind(what.place_kind()?);
                self.meets(args.first()?, Plan::near(Adjacency::Touching, Plan::both(goal, Plan::Fixed(places))))
            }
            // What is connected with a site meets a set where the site is connected with a member of it.
            ExprKind::Builtin(Builtin::Group, args) => {
                let [from, among] = args.as_slice() else { return None };
                let among = self.given_sites(among).filter(|_| self.is_mutual(Adjacency::Around))?;
                match goal {
                    Plan::All => self.meets(from, among),
                    _ => self.meets(from, Plan::Group { among: Box::new(among), of: Box::new(goal) }),
                }
            }
            ExprKind::Builtin(Builtin::Between, args) => self.crosses(&args[0], &args[1], goal),
            ExprKind::Builtin(Builtin::Ray, args) => {
                let [from, way] = args.as_slice() else { return None };
                if self.given(way) { self.along(from, way, Plan::All, goal) } else { None }
            }
            ExprKind::Builtin(Builtin::RunOf, args) => {
                let [from, way, among] = args.as_slice() else { return None };
                let among = self.given_sites(among).filter(|_| self.given(way))?;
                match goal {
                    // There is a run if its first site is a member.
                    Plan::All => self.lands(from, Plan::Behind { way: way.clone(), of: Box::new(among) }),
                    _ => self.along(from, way, among.clone(), Plan::both(goal, among)),
                }
            }
            _ => None,
        }
    }
}
