//! What filters ask of straight lines and of what lies on top, as set algebra: see `setwise`. `ray(s, d) as t where no
//! pieces(between(s, t))` are the sites of the ray without those that lie beyond a piece; `top(it).owner = me` holds on
//! the sites of the topmost pieces that are mine.

use super::Topology;
use super::layout::{Repr, repr};
use super::setwise::{Line, Plan, Subject};
use crate::model::rules::{BinaryOp, Builtin, CompareOp, Expr, ExprKind, LocalId, Rules, Ty};

/// Most that is counted between two sites.
const MOST_BETWEEN: i64 = 64;
/// Sites of a run that are looked at one by one, at the most.
const MOST_RUN: i64 = 8;
/// Sites of a line that is looked for among all sites at once, at the most.
const LONGEST_LINE: u8 = 24;

/// A site as a set.
pub(super) fn one_site(site: &Expr) -> Expr {
    Expr { kind: ExprKind::ToSet(Box::new(site.clone())), ty: site.ty.bare().clone().set(), span: site.span }
}

/// Whether nothing lies in these directions but on lines of the board: of `neighbours: 4` no line goes over corners, though one can go that way.
pub(super) fn goes_by_lines(rules: &Rules, board: &Topology, ways: &Expr) -> bool {
    let by_lines = |way: i64| board.ways.iter().any(|own| i64::from(*own) == way);
    match &ways.bare().kind {
        _ if board.ways.len() == board.directions.len() => true,
        ExprKind::Builtin(Builtin::Directions, _) => true,
        ExprKind::List(all) => all.iter().all(|way| goes_by_lines(rules, board, way)),
        _ => super::walk::constant(rules, ways).is_some_and(by_lines),
    }
}

/// `between(s, t)`, and what of it is asked for.
pub(super) struct Crossed<'e> {
    pub ends: (&'e Expr, &'e Expr),
    pub of: Plan,
    pub pieces: bool,
}

impl Subject<'_, '_> {
    /// Whether an expression is a site of the board at hand that does not depend on the subject.
    pub(super) fn is_given_site(&self, site: &Expr) -> bool {
        self.given(site) && repr(&site.ty) == Repr::Word && self.is_site_here(&site.ty)
    }

    /// Where the direction from one site to another is there, is a given one or is in a given set.
    pub(super) fn lies_along(&self, direction: &Expr, ways: Option<&Expr>) -> Option<Plan> {
        let ExprKind::Builtin(Builtin::Bearing, args) = &direction.kind else { return None };
        let [from, to] = args.as_slice() else { return None };
        // Places that touch each other lie on no line.
        let straight = |board: &Topology| {
            board.has_cells_only() && ways.is_none_or(|ways| goes_by_lines(self.builder.rules, board, ways))
        };
        let on_lines = self.builder.boards.get(usize::from(self.board)).is_some_and(straight);
        if !on_lines || ways.is_some_and(|ways| !self.given(ways) || !matches!(repr(&ways.ty), Repr::Word | Repr::Mask))
        {
            return None;
        }
        let aligned = |from: &Expr, to| {
            let line = Line { from: from.clone(), ways: ways.cloned(), least: 0, pieces: false };
            self.beyond(line, to, Plan::Nothing)
        };
        if self.is_given_site(from) {
            return aligned(from, to);
        }
        match ways {
            None if self.mutual_lines() => aligned(to, from),
            Some(way) if self.mutual_lines() && self.is_given_site(to) && repr(&way.ty) == Repr::Word => {
                self.along(from, way, Plan::All, Plan::Given(one_site(to)))
            }
            _ => None,
        }
    }

    fn beyond(&self, line: Line, to: &Expr, of: Plan) -> Option<Plan> {
        let fits = self.is_given_site(&line.from) && self.is_site_here(&to.ty);
        if fits { self.lands(to, Plan::Beyond { line, of: Box::new(of) }) } else { None }
    }

    /// Whether each two sites lie on one line at most, which leads there and back.
    pub(super) fn mutual_lines(&self) -> bool {
        self.builder.boards.get(usize::from(self.board)).is_some_and(|board| board.lines_are_mutual())
    }

    /// Where a set of what lies between two sites has so many members.
    pub(super) fn has_between(&self, set: &Expr, least: u16) -> Option<Plan> {
        let Crossed { ends: (a, b), of, pieces } = self.crossed(set)?;
        let (from, to) = self.one_end(a, b)?;
        self.beyond(Line { from: from.clone(), ways: None, least, pieces }, to, of)
    }

    /// Where one of the sites between two is in a set. Of a few it is asked one by one.
    pub(super) fn crosses(&self, a: &Expr, b: &Expr, of: Plan) -> Option<Plan> {
        let (from, to) = self.one_end(a, b).filter(|_| self.are_many())?;
        self.beyond(Line { from: from.clone(), ways: None, least: 1, pieces: false }, to, of)
    }

    /// The end of a line that is the same for all subjects, and the other.
    fn one_end<'e>(&self, a: &'e Expr, b: &'e Expr) -> Option<(&'e Expr, &'e Expr)> {
        if self.is_given_site(a) { Some((a, b)) } else { self.mutual_lines().then_some((b, a)) }
    }

    pub(super) fn crossed<'e>(&self, set: &'e Expr) -> Option<Crossed<'e>> {
        match &set.kind {
            ExprKind::ToSet(inner) | ExprKind::ToList(inner) => self.crossed(inner),
            ExprKind::Builtin(Builtin::Between, args) => {
                let [from, to] = args.as_slice() else { return None };
                Some(Crossed { ends: (from, to), of: Plan::All, pieces: false })
            }
            ExprKind::Builtin(Builtin::PiecesOn, args) => {
                let inner = self.crossed(args.first()?).filter(|inner| !inner.pieces)?;
                Some(Crossed { pieces: true, ..inner })
            }
            ExprKind::Where { over, binder, cond } => {
                let inner = self.crossed(over).filter(|inner| !inner.pieces)?;
                let of = Plan::both(inner.of, self.among(over, *binder, cond)?);
                Some(Crossed { of, ..inner })
            }
            ExprKind::Binary(op, a, b) => {
                let (inner, other) = match op {
                    BinaryOp::Both => match self.crossed(a) {
                        Some(inner) => (inner, self.given_sites(b)?),
                        None => (self.crossed(b)?, self.given_sites(a)?),
                    },
                    BinaryOp::Difference => (self.crossed(a)?, Plan::without(Plan::All, self.given_sites(b)?)),
                    _ => return None,
                };
                if inner.pieces { None } else { Some(Crossed { of: Plan::both(inner.of, other), ..inner }) }
            }
            _ => None,
        }
    }

    /// Where a comparison holds that asks how many lie between, or in which direction, or whether it is a given site.
    pub(super) fn compared(&self, op: CompareOp, a: &Expr, b: &Expr) -> Option<Plan> {
        let all_but = |plan| Plan::without(Plan::All, plan);
        if self.is_length(a) {
            let n = super::walk::constant(self.builder.rules, b).filter(|n| (0..MOST_BETWEEN).contains(n))?;
            let least = |n: i64| if n == 0 { Some(Plan::All) } else { self.is_as_long(a, n) };
            return Some(match op {
                CompareOp::Eq => Plan::without(least(n)?, least(n + 1)?),
                CompareOp::Ne => all_but(Plan::without(least(n)?, least(n + 1)?)),
                CompareOp::Lt => all_but(least(n)?),
                CompareOp::Ge => least(n)?,
                CompareOp::Le => all_but(least(n + 1)?),
                CompareOp::Gt => least(n + 1)?,
            });
        }
        if self.is_length(b) {
            return self.compared(op.turned(), b, a);
        }
        if !matches!(op, CompareOp::Eq | CompareOp::Ne) {
            return None;
        }
        // Two that are both missing are equal: one of them is there.
        let sure = |expr: &Expr| !matches!(expr.ty, Ty::Maybe(_));
        let equal = [(a, b), (b, a)].into_iter().filter(|(_, other)| sure(other)).find_map(|(one, other)| {
            if self.is_given_site(other) && self.is_site_here(&one.ty) {
                return self.lands(one, Plan::Given(one_site(other)));
            }
            self.lies_along(one, Some(other))
        })?;
        Some(if op == CompareOp::Eq { equal } else { all_but(equal) })
    }

    /// Whether an expression counts, or says how long a line is.
    fn is_length(&self, expr: &Expr) -> bool {
        matches!(expr.kind, ExprKind::Count(_) | ExprKind::Builtin(Builtin::LongestLine, _))
    }

    /// Where a count or the longest line is at least a number.
    fn is_as_long(&self, length: &Expr, n: i64) -> Option<Plan> {
        match &length.kind {
            ExprKind::Count(set) => self.has_between(set, n as u16).or_else(|| self.has_run(set, n)),
            ExprKind::Builtin(Builtin::LongestLine, args) => {
                let [through, among] = args.as_slice() else { return None };
                let plain = self.builder.boards.get(usize::from(self.board))?.has_plain_lines();
                let n = u8::try_from(n).ok().filter(|n| plain && *n <= LONGEST_LINE)?;
                let of = Box::new(self.given_sites(among)?);
                self.lands(through, Plan::Lines { n, of })
            }
            _ => None,
        }
    }

    /// Where a run in a direction has so many sites at least.
    fn has_run(&self, set: &Expr, n: i64) -> Option<Plan> {
        let ExprKind::Builtin(Builtin::RunOf, args) = &set.bare().kind else { return None };
        let [from, way, among] = args.as_slice() else { return None };
        let straight = self.builder.boards.get(usize::from(self.board))?.slides.iter().all(|slide| slide.straight);
        if !straight || !(1..=MOST_RUN).contains(&n) || !self.given(way) {
            return None;
        }
        let among = self.given_sites(among)?;
        let behind = |of| Plan::Behind { way: way.clone(), of: Box::new(of) };
        let begins = (1..n).fold(among.clone(), |of, _| Plan::both(among.clone(), behind(of)));
        self.lands(from, behind(begins))
    }

    /// Where what lies on top meets a condition that does not hold of nothing.
    pub(super) fn on_top(&self, cond: &Expr) -> Option<Plan> {
        let (top, sure) = match &cond.kind {
            ExprKind::Compare(CompareOp::Eq, a, b) => {
                let sure = |expr: &Expr| self.given(expr) && !matches!(expr.ty, Ty::Maybe(_));
                match (self.top_asked(a), self.top_asked(b)) {
                    (Some(top), None) => (top, sure(b)),
                    (None, Some(top)) => (top, sure(a)),
                    _ => return None,
                }
            }
            ExprKind::Compare(CompareOp::Ne, a, b) => {
                let equal = ExprKind::Compare(CompareOp::Eq, a.clone(), b.clone());
                let equal = self.on_top(&Expr { kind: equal, ..cond.clone() })?;
                return Some(Plan::without(Plan::All, equal));
            }
            ExprKind::Is(top, _) => (self.top(top)?, true),
            ExprKind::In(item, set) => (self.top_asked(item)?, self.given(set)),
            _ => return None,
        };
        let ExprKind::Builtin(Builtin::TopOn, args) = &top.kind else { return None };
        let site = args.first().filter(|site| sure && self.is_site_here(&site.ty))?;
        let piece = self.fresh.local(top.ty.bare());
        let mut asked = cond.clone();
        put_piece(&mut asked, top, piece);
        if asked.mentions(self.local) || !self.builder.harmless(&asked) {
            return None;
        }
        self.lands(site, Plan::Tops { piece, kind: top.ty.bare().clone(), cond: asked })
    }

    /// `top(s)`, or a property of it.
    fn top_asked<'e>(&self, expr: &'e Expr) -> Option<&'e Expr> {
        match &expr.kind {
            ExprKind::Prop(of, _) => self.top(of),
            _ => self.top(expr),
        }
    }

    fn top<'e>(&self, expr: &'e Expr) -> Option<&'e Expr> {
        let asks = matches!(&expr.kind, ExprKind::Builtin(Builtin::TopOn, args) if args[0].mentions(self.local));
        asks.then_some(expr)
    }
}

/// Puts a name in the place of what lies on top.
fn put_piece(expr: &mut Expr, top: &Expr, piece: LocalId) {
    if super::alike::alike(expr, top) {
        *expr = Expr { kind: ExprKind::Local(piece), ty: top.ty.bare().clone(), span: expr.span };
        return;
    }
    expr.each_part_mut(&mut |part| put_piece(part, top, piece));
}
