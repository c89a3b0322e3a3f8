//! Filters that ask for a member of a set on a straight line from their subject, by what lies between the two:
//! `empty(b) where some (mine as m where every between(it, m) meets it in theirs)`. On a board where two sites lie on one
//! line at most, such subjects are found direction by direction, all at once: see `setwise`.

use super::alike::alike;
use super::board::Topology;
use super::code::Builder;
use super::exprs::board_of;
use super::folds::conjuncts;
use super::layout::{Repr, repr};
use super::lines::{Crossed, goes_by_lines};
use super::setwise::{Plan, Subject, one_past};
use crate::model::rules::{BinaryOp, BoardId, Builtin, CompareOp, Expr, ExprKind, LocalId, Ty};

/// Sites that must lie between, at the most.
const MOST_STEPS: i64 = 8;

/// What is asked of the line from the subject to a member.
struct Sight<'e> {
    member: LocalId,
    /// Where the line begins.
    from: Option<&'e Expr>,
    ways: Ways<'e>,
    /// None of these lies between.
    bars: Plan,
    /// One of these lies between.
    over: Option<Plan>,
    /// So many sites lie between at least, or exactly.
    least: u16,
    exactly: bool,
}

/// The directions in which a line may go.
#[derive(Clone, Copy)]
enum Ways<'e> {
    /// The two need not lie on a line.
    Unknown,
    Any,
    /// A direction or a set of them, as it leads from the subject, or from the member.
    These {
        ways: &'e Expr,
        back: bool,
    },
}

impl Builder<'_> {
    /// `run(s, d, S)` and the site behind it: `step(s, d, 1 + count run(s, d, S))`. Gives `s`, `d` and `S`.
    pub(super) fn sight(&self, set: &Expr) -> Option<[Expr; 3]> {
        let ExprKind::Binary(BinaryOp::Union | BinaryOp::Add, a, b) = &set.bare().kind else { return None };
        let (run, step) = match (&a.bare().kind, &b.bare().kind) {
            (ExprKind::Builtin(Builtin::RunOf, run), ExprKind::Builtin(Builtin::Step, step))
            | (ExprKind::Builtin(Builtin::Step, step), ExprKind::Builtin(Builtin::RunOf, run)) => (run, step),
            _ => return None,
        };
        let ([from, way, among], [start, along, n]) = (run.as_slice(), step.as_slice()) else { return None };
        let board = board_of(&from.ty);
        let straight = self.boards.get(usize::from(board))?.slides.iter().all(|slide| slide.straight);
        let plain = straight && repr(&from.ty) == Repr::Word && repr(&among.ty) == Repr::Sites;
        if !plain || board_of(&among.ty) != board || !alike(from, start) || !alike(way, along) {
            return None;
        }
        let before = one_past(self.rules, n, from, way)?;
        alike(before, among).then(|| [from.clone(), way.clone(), among.clone()])
    }
}

impl Subject<'_, '_> {
    /// Where some member of a set that is the same for all subjects lies in `goal` and meets a condition on what lies between.
    pub(super) fn in_sight(&self, over: &Expr, member: LocalId, cond: &Expr, goal: Plan) -> Option<Plan> {
        if !self.mutual_lines() {
            return None;
        }
        let mut conds = vec![cond.clone()];
        let mut over = over;
        while let ExprKind::Where { over: inner, binder, cond } = &over.kind {
            let mut cond = cond.as_ref().clone();
            cond.rename(*binder, member);
            conds.push(cond);
            over = inner;
        }
        let mut parts = Vec::new();
        conds.iter().for_each(|cond| conjuncts(cond, &mut parts));
        let mut sight = Sight {
            member,
            from: None,
            ways: Ways::Unknown,
            bars: Plan::Nothing,
            over: None,
            least: 0,
            exactly: false,
        };
        let mut members = over.clone();
        if let ExprKind::Builtin(Builtin::Ray, args) = &over.kind {
            let [from, ways] = args.as_slice() else { return None };
            if !self.given(ways) {
                return None;
            }
            (sight.from, sight.ways) = (Some(from), Ways::These { ways, back: false });
            let all = ExprKind::Builtin(Builtin::AllSites, Vec::new());
            members = Expr { kind: all, ty: over.ty.element().clone().set(), span: over.span };
        }
        let (mut own, mut alone) = (Plan::All, Vec::new());
        for part in parts {
            match (part.mentions(self.local), part.mentions(member)) {
                (true, true) => self.asks(part, &mut sight)?,
                (_, false) => own = Plan::both(own, self.deeper()?.holds(part)?),
                (false, true) => alone.push(part),
            }
        }
        let ends = self.ends(members, member, &alone, sight.from?)?;
        let seen = self.seen(&sight, Plan::both(ends, goal))?;
        Some(Plan::both(own, seen))
    }

    /// Where what is collected of the members of a set, by what lies between, has a member in `goal`.
    pub(super) fn any_between(&self, over: &Expr, member: LocalId, body: &Expr, goal: Plan) -> Option<Plan> {
        let set = match goal {
            Plan::All => body.clone(),
            Plan::Given(goal) if goal.ty == body.ty => {
                let (ty, span) = (body.ty.clone(), body.span);
                let kind = ExprKind::Binary(BinaryOp::Both, Box::new(body.clone()), Box::new(goal));
                Expr { kind, ty, span }
            }
            _ => return None,
        };
        let cond = Expr { kind: ExprKind::Some(Box::new(set)), ty: Ty::Flag, span: body.span };
        self.in_sight(over, member, &cond, Plan::All)
    }

    /// The sites of those members of a set for which conditions hold that do not depend on the subject.
    fn ends(&self, mut members: Expr, member: LocalId, conds: &[&Expr], from: &Expr) -> Option<Plan> {
        for cond in conds {
            let (ty, span) = (members.ty.clone(), members.span);
            let (over, cond) = (Box::new(members), Box::new((*cond).clone()));
            members = Expr { kind: ExprKind::Where { over, binder: member, cond }, ty, span };
        }
        if self.is_site_here(members.ty.element()) {
            return self.given_sites(&members);
        }
        if repr(&members.ty) != Repr::Entities || self.builder.rules.boards.len() != 1 {
            return None;
        }
        let (ty, span) = (from.ty.bare().clone().set(), members.span);
        self.given_sites(&Expr { kind: ExprKind::Builtin(Builtin::SitesOf, vec![members]), ty, span })
    }

    /// The subjects from which one comes to a member of `ends`, as is asked of the line.
    fn seen(&self, sight: &Sight, ends: Plan) -> Option<Plan> {
        let from = sight.from?;
        let board = Ty::Direction(BoardId(u32::from(self.board)));
        let expr = |kind, ty: Ty| Expr { kind, ty, span: from.span };
        let turned = |way: Expr, back: bool| match back {
            true => expr(ExprKind::Builtin(Builtin::Opposite, vec![way]), board.clone()),
            false => way,
        };
        let all = || expr(ExprKind::Builtin(Builtin::Directions, Vec::new()), board.clone().set());
        let (ways, back) = match sight.ways {
            Ways::Unknown => return None,
            Ways::Any => (all(), false),
            Ways::These { ways, back } => (ways.clone(), back),
        };
        let (over, way) = match repr(&ways.ty) {
            Repr::Word => (None, turned(ways, back)),
            _ => {
                let binder = self.fresh.local(&board);
                (Some((ways, binder)), turned(expr(ExprKind::Local(binder), board.clone()), back))
            }
        };
        let free = Plan::without(Plan::All, sight.bars.clone());
        let towards = |ends| Plan::Towards { way: way.clone(), among: Box::new(free.clone()), ends: Box::new(ends) };
        let behind = |of| Plan::Behind { way: way.clone(), of: Box::new(of) };
        // Of those that lie between, one is in `over`; how many there are is then not looked at.
        let (reached, steps) = match (&sight.over, sight.exactly) {
            (Some(over), false) if sight.least <= 1 => {
                (towards(Plan::both(Plan::both(over.clone(), free.clone()), towards(ends))), 0)
            }
            (Some(_), _) => return None,
            (None, false) => (towards(ends), sight.least),
            (None, true) => (behind(ends), sight.least),
        };
        let body = (0..steps).fold(reached, |reached, _| behind(Plan::both(free.clone(), reached)));
        let seen = match over {
            Some((over, binder)) => Plan::Each { over, binder, body: Box::new(body) },
            None => body,
        };
        self.lands(from, seen)
    }

    /// Takes down what a condition asks of the line between subject and member; none if it asks for anything else.
    fn asks<'e>(&self, cond: &'e Expr, sight: &mut Sight<'e>) -> Option<()> {
        match &cond.kind {
            ExprKind::Not(inner) => {
                let bars = self.something_between(inner, sight)?;
                sight.bars = Plan::either(sight.bars.clone(), bars);
            }
            ExprKind::All { over, binder, cond } => {
                let meets = self.among(over, *binder, cond).filter(|meets| !meets.mentions(sight.member))?;
                let between = self.lies_between(self.crossed(over)?, sight)?;
                sight.bars = Plan::either(sight.bars.clone(), Plan::without(between, meets));
            }
            ExprKind::Some(set) if is_direction(set) => self.goes(set, None, sight)?,
            ExprKind::Some(_) | ExprKind::Any { .. } => {
                match self.something_between(cond, sight)? {
                    Plan::All => sight.least = sight.least.max(1),
                    over if sight.over.is_none() => sight.over = Some(over),
                    _ => return None,
                }
                sight.on_a_line();
            }
            ExprKind::In(direction, ways) if is_direction(direction) => self.goes(direction, Some(ways), sight)?,
            ExprKind::Compare(CompareOp::Eq, a, b) if is_direction(a) => self.goes(a, Some(b), sight)?,
            ExprKind::Compare(CompareOp::Eq, a, b) if is_direction(b) => self.goes(b, Some(a), sight)?,
            ExprKind::Compare(op, a, b) => self.as_many(*op, a, b, sight)?,
            _ => return None,
        }
        Some(())
    }

    /// The line goes in a direction, or in one of a set.
    fn goes<'e>(&self, direction: &'e Expr, ways: Option<&'e Expr>, sight: &mut Sight<'e>) -> Option<()> {
        let ExprKind::Builtin(Builtin::Bearing, args) = &direction.kind else { return None };
        let [from, to] = args.as_slice() else { return None };
        let board = self.builder.boards.get(usize::from(self.board))?;
        let back = self.begins(from, to, sight)?;
        // Places that touch each other lie on no line.
        if !board.has_cells_only() {
            return None;
        }
        let Some(ways) = ways else {
            sight.on_a_line();
            return Some(());
        };
        let fits = self.given(ways)
            && goes_by_lines(self.builder.rules, board, ways)
            && !ways.mentions(sight.member)
            && !matches!(ways.ty, Ty::Maybe(_))
            && matches!(repr(&ways.ty), Repr::Word | Repr::Mask)
            && matches!(sight.ways, Ways::Unknown | Ways::Any)
            && (!back || leads_back(board));
        fits.then(|| sight.ways = Ways::These { ways, back })
    }

    /// So many sites lie between.
    fn as_many<'e>(&self, op: CompareOp, a: &'e Expr, b: &'e Expr, sight: &mut Sight<'e>) -> Option<()> {
        let ExprKind::Count(set) = &a.kind else {
            let ExprKind::Count(_) = b.kind else { return None };
            return self.as_many(op.turned(), b, a, sight);
        };
        let n = super::walk::constant(self.builder.rules, b)?;
        let Plan::All = self.lies_between(self.crossed(set)?, sight)? else { return None };
        let (n, exactly) = match op {
            CompareOp::Eq => (n, true),
            CompareOp::Ge => (n, false),
            CompareOp::Gt => (n + 1, false),
            _ => return None,
        };
        if sight.least != 0 || sight.exactly || !(1..=MOST_STEPS).contains(&n) {
            return None;
        }
        (sight.least, sight.exactly) = (n as u16, exactly);
        sight.on_a_line();
        Some(())
    }

    /// Of which sites a condition says that one lies between.
    fn something_between<'e>(&self, cond: &'e Expr, sight: &mut Sight<'e>) -> Option<Plan> {
        match &cond.kind {
            ExprKind::Some(set) => self.lies_between(self.crossed(set)?, sight),
            ExprKind::Any { over, binder, cond } => {
                let such = self.among(over, *binder, cond).filter(|such| !such.mentions(sight.member))?;
                let between = self.lies_between(self.crossed(over)?, sight)?;
                Some(Plan::both(between, such))
            }
            _ => None,
        }
    }

    /// Which of the sites between are asked for.
    fn lies_between<'e>(&self, crossed: Crossed<'e>, sight: &mut Sight<'e>) -> Option<Plan> {
        self.begins(crossed.ends.0, crossed.ends.1, sight)?;
        let of = if crossed.pieces { Plan::both(Plan::Occupied, crossed.of) } else { crossed.of };
        (!of.mentions(sight.member)).then_some(of)
    }

    /// Whether the line is asked for from the member, and not from the subject; none if it is another one.
    fn begins<'e>(&self, a: &'e Expr, b: &'e Expr, sight: &mut Sight<'e>) -> Option<bool> {
        let is_member = |site: &Expr| {
            site.is_local(sight.member)
                || matches!(&site.kind, ExprKind::Builtin(Builtin::SiteOf, args) if args[0].is_local(sight.member))
        };
        let (from, back) = match (is_member(a), is_member(b)) {
            (false, true) => (a, false),
            (true, false) => (b, true),
            _ => return None,
        };
        let fits = from.mentions(self.local) && !from.mentions(sight.member) && self.is_site_here(&from.ty);
        if !fits || sight.from.is_some_and(|known| !alike(known, from)) {
            return None;
        }
        sight.from = Some(from);
        Some(back)
    }
}

impl Sight<'_> {
    fn on_a_line(&mut self) {
        if let Ways::Unknown = self.ways {
            self.ways = Ways::Any;
        }
    }
}

fn is_direction(expr: &Expr) -> bool {
    matches!(expr.kind, ExprKind::Builtin(Builtin::Bearing, _))
}

/// Whether all lines lead back in the opposite direction.
fn leads_back(board: &Topology) -> bool {
    let back = |way: usize| board.slides.get(way).and_then(|slide| slide.back);
    board
        .ways
        .iter()
        .all(|way| back(usize::from(*way)) == board.opposite.get(usize::from(*way)).map(|way| usize::from(*way)))
}
