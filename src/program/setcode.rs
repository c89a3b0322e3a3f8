//! Code for filters as set algebra: see `setwise`. What does not depend on the directions that are gone through is
//! worked out before, and what is asked for twice is worked out once.

use super::alike::alike;
use super::board::SiteSet;
use super::code::Builder;
use super::expand::{Fresh, expanded};
use super::exprs::board_of;
use super::folds::and;
use super::layout::{Repr, repr};
use super::op::{Op, Slot};
use super::setwise::{Line, Plan, SetFilter};
use super::sites::{BeyondSite, BoardSite, LeapSite, NeighbourSite, TowardsSite};
use crate::core::Pass;
use crate::model::rules::{Builtin, CompareOp, Expr, ExprKind, KindId, LocalId, RootKind, Ty};

/// What has been worked out so far.
#[derive(Default)]
struct Known {
    sets: Vec<(Plan, Slot)>,
    words: Vec<(Expr, Slot)>,
    /// The sites that are asked about, where a plan is about these and not about others that they lead to.
    within: Option<Slot>,
    /// The directions of the loops at hand.
    ways: Vec<LocalId>,
}

impl Builder<'_> {
    /// The part of a filter that is set algebra, as a local, and the conditions that are left; none if no part is.
    pub(super) fn filtered(&mut self, over: &Expr, binder: LocalId, conds: &[&Expr]) -> Option<(Expr, Vec<Expr>)> {
        // What is imagined is known to the code of single sets only.
        if !self.laid.is_empty() || !self.passes.contains(&Pass::Sets) {
            return None;
        }
        let filter = self.set_filter(over, binder, conds)?;
        self.predicates.algebra += 1;
        let d = self.temp(self.layout.words(&over.ty));
        self.take_fresh(&filter.fresh);
        match &filter.flat {
            None => self.put_filter(over, &filter, d),
            Some((flat, conds)) => {
                let (other, end) = (self.label(), self.label());
                self.jump(flat, false, other);
                self.put_filter(over, &filter, d);
                let to = self.to(end);
                self.emit(Op::Jump { to });
                self.bind(other);
                let counted = self.predicates.clone();
                if let Some(cond) = conds.iter().cloned().reduce(and) {
                    self.filter_each(over, over, binder, &cond, d);
                }
                self.predicates = counted;
                self.bind(end);
            }
        }
        self.env.locals.push(d);
        let local = LocalId(self.env.locals.len() as u32 - 1);
        Some((Expr { kind: ExprKind::Local(local), ty: over.ty.clone(), span: over.span }, filter.rest))
    }

    /// Whether a filter of entities leaves any is told by a set of sites, without looking for the entities.
    pub(super) fn sites_that_tell(&mut self, over: &Expr, binder: LocalId, conds: &[&Expr]) -> Option<Slot> {
        let ExprKind::InPlay(kind) = over.kind else { return None };
        if !self.lies_on_board(kind) || !self.passes.contains(&Pass::Sets) {
            return None;
        }
        if !self.laid.is_empty() {
            let [cond] = conds else { return None };
            let player = self.owner_of_any(over, binder, cond)?;
            let (p, d) = (self.expr(player), self.temp(self.layout.site_set));
            self.owned_now(d, kind, Some(p));
            return Some(d);
        }
        if let [cond] = conds
            && let ExprKind::Compare(CompareOp::Ne, a, b) = &cond.kind
            && let Some((_, player)) = [(a, b), (b, a)].into_iter().find(|(owner, _)| self.is_owner(binder, owner))
            && self.rules.boards.len() == 1
            && !player.mentions(binder)
        {
            self.predicates.algebra += 1;
            let (p, d) = (self.expr(player), self.temp(self.layout.site_set));
            let rows = self.layout.rows[kind.index()].clone();
            self.any_of(rows, d, |builder, kind, d| builder.emit(Op::OwnedBut { d, kind, p }));
            return Some(d);
        }
        let filter = self.set_filter(over, binder, conds)?;
        let player = filter.owner.as_ref().filter(|_| filter.rest.is_empty() && filter.flat.is_none())?;
        self.predicates.algebra += 1;
        self.take_fresh(&filter.fresh);
        let mut known = Known::default();
        let (p, d) = (self.expr(player), self.temp(self.layout.site_set));
        self.owned_by(0, kind, p, d);
        let w = self.layout.site_set as u8;
        let end = filter.plan.is_dear().then(|| self.label());
        if let Some(end) = end {
            let to = self.to(end);
            self.emit(Op::JumpEmpty { w, a: d, to });
        }
        if let Some(a) = self.plan(&filter.plan, 0, &mut known) {
            self.emit(Op::And { w, d, a: d, b: a });
        }
        end.into_iter().for_each(|end| self.bind(end));
        Some(d)
    }

    /// The union of the runs from a site that something else follows.
    pub(super) fn runs_to(&mut self, over: &Expr, binder: LocalId, body: &Expr, d: Slot) -> bool {
        if !self.passes.contains(&Pass::Sets) {
            return false;
        }
        let Some(runs) = self.closed_runs(over, binder, body) else { return false };
        self.predicates.algebra += 1;
        let board = board_of(&runs.from.ty);
        let (ways, from) = (self.expr(&runs.ways), self.expr(&runs.from));
        let (among, ends) = (self.expr(&runs.among), self.expr(&runs.ends));
        self.sites.towards.push(TowardsSite { board, ways, each: true, among, ends, over: false, from });
        let site = self.long(self.sites.towards.len() - 1);
        self.emit(Op::Towards { d, site });
        true
    }

    /// A run from a site with the site behind it; or those in several directions.
    pub(super) fn sees(&mut self, set: &Expr, ways: Option<(&Expr, LocalId)>, d: Slot) -> bool {
        if !self.passes.contains(&Pass::Sets) {
            return false;
        }
        let fresh = Fresh::new(self.env.locals.len());
        let found = match ways {
            None => self.sight(set),
            Some((over, binder)) if repr(&over.ty) == Repr::Mask => {
                expanded(self.rules, &fresh, binder, &[], set).and_then(|set| self.sight(&set))
            }
            Some(_) => None,
        };
        let Some([from, way, among]) = found else { return false };
        if ways.is_some_and(|(_, binder)| !way.is_local(binder) || from.mentions(binder) || among.mentions(binder)) {
            return false;
        }
        self.take_fresh(&fresh.types.into_inner());
        let board = board_of(&from.ty);
        let (along, each) = match ways {
            Some((over, _)) => (self.expr(over), true),
            None => (self.expr(&way), false),
        };
        let (from, among) = (self.expr(&from), self.expr(&among));
        self.sites.towards.push(TowardsSite { board, ways: along, each, among, ends: Slot::NONE, over: false, from });
        let site = self.long(self.sites.towards.len() - 1);
        self.emit(Op::Towards { d, site });
        true
    }

    /// The union of the sites so many steps away in directions.
    pub(super) fn leaps_to(&mut self, over: &Expr, binder: LocalId, body: &Expr, d: Slot) -> bool {
        if !self.passes.contains(&Pass::Sets) {
            return false;
        }
        let Some(leaps) = self.leaps(over, binder, body) else { return false };
        self.predicates.algebra += 1;
        let (board, one) = (board_of(&leaps.from.ty), repr(&leaps.from.ty) == Repr::Word);
        let (ways, from) = (self.expr(over), self.expr(leaps.from));
        let n = match leaps.n {
            Some(n) => self.expr(n),
            None => self.word(1),
        };
        self.leap(d, LeapSite { board, ways, each: true, n, from, one, back: false, shown: None });
        true
    }

    /// The union of what the members of a set lead to.
    pub(super) fn leads_to(&mut self, over: &Expr, binder: LocalId, body: &Expr, d: Slot) -> bool {
        if !self.laid.is_empty() || !self.passes.contains(&Pass::Sets) {
            return false;
        }
        let Some((plan, fresh)) = self.image(over, binder, body) else { return false };
        self.predicates.algebra += 1;
        self.take_fresh(&fresh);
        let a = self.set(&plan, board_of(&body.ty), &mut Known::default());
        self.copy(self.layout.site_set, d, a);
        true
    }

    /// Steps of whole sets.
    pub(super) fn leap(&mut self, d: Slot, leap: LeapSite) {
        self.sites.leaps.push(leap);
        let site = self.long(self.sites.leaps.len() - 1);
        self.emit(Op::Leap { d, site });
    }

    /// Room for the locals of an expression that was made of definitions.
    pub(super) fn take_fresh(&mut self, fresh: &[Ty]) {
        for ty in fresh {
            let slot = self.temp(self.layout.words(ty));
            self.env.locals.push(slot);
        }
    }

    fn put_filter(&mut self, over: &Expr, filter: &SetFilter, d: Slot) {
        let mut known = Known::default();
        let w = self.layout.site_set as u8;
        if repr(&over.ty) == Repr::Sites {
            let a = self.expr(over);
            known.within = Some(a);
            return match self.plan(&filter.plan, board_of(&over.ty), &mut known) {
                Some(b) => self.emit(Op::And { w, d, a, b }),
                None => self.copy(u16::from(w), d, a),
            };
        }
        let player = filter.owner.as_ref().map(|player| self.expr(player));
        let mut sites = self.plan(&filter.plan, 0, &mut known);
        if let (Some(p), Ty::Entity(kind)) = (player, super::stmts::item(&over.ty))
            && self.lies_on_board(kind)
        {
            let owned = self.temp(u16::from(w));
            self.owned_by(0, kind, p, owned);
            if let Some(a) = sites {
                self.emit(Op::And { w, d: owned, a, b: owned });
            }
            sites = Some(owned);
        }
        let a = sites.unwrap_or_else(|| self.all_sites(0));
        self.emit(match player {
            Some(p) => Op::PiecesOf { board: 0, d, a, p },
            None => Op::PiecesOn { d, a, board: 0 },
        });
        let w = self.layout.entity_set as u8;
        let b = match over.kind {
            // What lies on a board is in play.
            ExprKind::InPlay(kind) if self.all_pieces(kind) => return,
            ExprKind::InPlay(kind) => self.layout.kind_set(kind),
            _ => self.expr(over),
        };
        self.emit(Op::And { w, d, a: d, b });
    }

    /// Whether all that can lie on boards is of a kind.
    fn all_pieces(&self, kind: KindId) -> bool {
        let pieces = self.rules.kinds.iter().enumerate().filter(|(_, info)| info.root == RootKind::Piece);
        pieces.map(|(index, _)| KindId(index as u32)).all(|piece| self.rules.is_below(piece, kind))
    }

    /// The slot of all sites of a board.
    pub(super) fn all_sites(&mut self, board: u16) -> Slot {
        self.region_slot(self.whole_board(board))
    }

    pub(super) fn whole_board(&self, board: u16) -> SiteSet {
        let all = &self.boards[usize::from(board)].all;
        std::array::from_fn(|word| all.get(word).copied().unwrap_or(0))
    }

    /// Code for a plan; none for all sites.
    fn plan(&mut self, plan: &Plan, board: u16, known: &mut Known) -> Option<Slot> {
        if matches!(plan, Plan::All) {
            return None;
        }
        if let Some((_, slot)) = known.sets.iter().find(|(found, _)| found.same(plan)) {
            return Some(*slot);
        }
        let slot = self.new_plan(plan, board, known);
        known.sets.push((plan.clone(), slot));
        Some(slot)
    }

    fn set(&mut self, plan: &Plan, board: u16, known: &mut Known) -> Slot {
        match self.plan(plan, board, known) {
            Some(slot) => slot,
            None => self.all_sites(board),
        }
    }

    fn new_plan(&mut self, plan: &Plan, board: u16, known: &mut Known) -> Slot {
        let here = matches!(
            plan,
            Plan::Either(..)
                | Plan::Both(..)
                | Plan::Without(..)
                | Plan::Case { .. }
                | Plan::Tops { .. }
                | Plan::Counted { .. }
        );
        let within = if here { known.within } else { known.within.take() };
        let slot = self.plan_of(plan, board, known);
        known.within = within;
        slot
    }

    fn plan_of(&mut self, plan: &Plan, board: u16, known: &mut Known) -> Slot {
        let w = self.layout.site_set as u8;
        match plan {
            Plan::All => self.all_sites(board),
            Plan::Nothing => self.empty(),
            Plan::Given(set) => self.expr(set),
            Plan::Fixed(set) => self.region_slot(*set),
            Plan::Occupied => Slot(self.layout.boards[usize::from(board)].occupied as u16),
            Plan::Either(a, b) | Plan::Both(a, b) | Plan::Without(a, b) => {
                let (a, b) = (self.set(a, board, known), self.set(b, board, known));
                let d = self.temp(u16::from(w));
                self.emit(match plan {
                    Plan::Either(..) => Op::Or { w, d, a, b },
                    Plan::Both(..) => Op::And { w, d, a, b },
                    _ => Op::AndNot { w, d, a, b },
                });
                d
            }
            Plan::Behind { way, of } => {
                let (way, a) = (self.once(way, known), self.set(of, board, known));
                let d = self.temp(u16::from(w));
                self.emit(Op::Behind { board: board as u8, d, a, way });
                d
            }
            Plan::Leap { way, n, of } => {
                let ways = self.once(way, known);
                self.leap_back(board, (ways, false), n, of, known)
            }
            Plan::Near { by, of } => {
                let a = self.set(of, board, known);
                let d = self.temp(u16::from(w));
                self.emit(Op::Adjacent { board: board as u8, by: *by, d, a });
                d
            }
            Plan::Counted { by_side, among, op, n } => {
                let over = known.within.unwrap_or_else(|| self.all_sites(board));
                let (among, n, d) = (self.expr(among), self.expr(n), self.temp(u16::from(w)));
                self.sites.neighbours.push(NeighbourSite { board, beside: *by_side, over, among, op: *op, n });
                let site = self.long(self.sites.neighbours.len() - 1);
                self.emit(Op::Neighbours { d, site });
                d
            }
            Plan::Group { among, of } => {
                let (from, among) = (self.set(of, board, known), self.set(among, board, known));
                let d = self.temp(u16::from(w));
                self.sites.boards.push(BoardSite { what: Builtin::Group, board, args: vec![from, among] });
                let site = self.long(self.sites.boards.len() - 1);
                self.emit(Op::OnBoard { d, site });
                d
            }
            Plan::Lines { n, of } => {
                let a = self.set(of, board, known);
                let d = self.temp(u16::from(w));
                self.emit(Op::InLines { board: board as u8, n: *n, d, a });
                d
            }
            Plan::Towards { way, among, ends } => {
                let ways = self.once(way, known);
                self.towards(board, (ways, false), among, ends, false, known)
            }
            Plan::Beyond { line, of } => self.beyond(board, line, of, known),
            Plan::Tops { piece, kind, cond } => self.tops_where(board, (*piece, kind), cond, known),
            Plan::Each { over, binder, body } => self.for_each_way(over, *binder, body, board, known),
            Plan::Case { cond, yes, no } => {
                let d = self.temp(u16::from(w));
                let (other, end) = (self.label(), self.label());
                self.jump(cond, false, other);
                let marks = (known.sets.len(), known.words.len());
                for (plan, last) in [(yes, false), (no, true)] {
                    let a = self.set(plan, board, known);
                    self.copy(u16::from(w), d, a);
                    known.forget(marks);
                    if !last {
                        let to = self.to(end);
                        self.emit(Op::Jump { to });
                        self.bind(other);
                    }
                }
                self.bind(end);
                d
            }
        }
    }

    fn leap_back(&mut self, board: u16, (ways, each): (Slot, bool), n: &Expr, of: &Plan, known: &mut Known) -> Slot {
        let (n, from) = (self.once(n, known), self.set(of, board, known));
        let d = self.temp(self.layout.site_set);
        self.leap(d, LeapSite { board, ways, each, n, from, one: false, back: true, shown: None });
        d
    }

    fn towards(
        &mut self,
        board: u16,
        (ways, each): (Slot, bool),
        among: &Plan,
        ends: &Plan,
        over: bool,
        known: &mut Known,
    ) -> Slot {
        let (among, ends) = (self.set(among, board, known), self.set(ends, board, known));
        let d = self.temp(self.layout.site_set);
        self.sites.towards.push(TowardsSite { board, ways, each, among, ends, over, from: Slot::NONE });
        let site = self.long(self.sites.towards.len() - 1);
        self.emit(Op::Towards { d, site });
        d
    }

    fn beyond(&mut self, board: u16, line: &Line, of: &Plan, known: &mut Known) -> Slot {
        let from = self.once(&line.from, known);
        let each = line.ways.as_ref().is_some_and(|ways| repr(&ways.ty) == Repr::Mask);
        let ways = line.ways.as_ref().map_or(Slot::NONE, |ways| self.once(ways, known));
        let of = if line.least == 0 { Slot::NONE } else { self.set(of, board, known) };
        let d = self.temp(self.layout.site_set);
        let (least, pieces) = (line.least, line.pieces);
        self.sites.beyonds.push(BeyondSite { board, from, ways, each, of, least, pieces });
        let site = self.long(self.sites.beyonds.len() - 1);
        self.emit(Op::Beyond { d, site });
        d
    }

    /// The sites whose topmost piece meets a condition.
    fn tops_where(&mut self, board: u16, (piece, kind): (LocalId, &Ty), cond: &Expr, known: &Known) -> Slot {
        let a = known.within.unwrap_or(Slot(self.layout.boards[usize::from(board)].occupied as u16));
        let tops = self.temp(self.layout.entity_set);
        self.emit(Op::Tops { d: tops, a, board });
        self.env.locals.push(tops);
        let local = ExprKind::Local(LocalId(self.env.locals.len() as u32 - 1));
        let (set, span) = (kind.clone().set(), cond.span);
        let over = Box::new(Expr { kind: local, ty: set.clone(), span });
        let found = ExprKind::Where { over, binder: piece, cond: Box::new(cond.clone()) };
        let a = self.expr(&Expr { kind: found, ty: set, span });
        let d = self.temp(self.layout.site_set);
        self.emit(Op::SitesOf { d, a, board });
        d
    }

    fn for_each_way(&mut self, over: &Expr, binder: LocalId, body: &Plan, board: u16, known: &mut Known) -> Slot {
        // Loops that stand beside each other may share a local, and inside out one of them stands within the other.
        if known.ways.contains(&binder) {
            let own = self.temp(1);
            let outer = std::mem::replace(&mut self.env.locals[binder.index()], own);
            let d = self.for_each_way(over, binder, body, board, &mut Known::default());
            self.env.locals[binder.index()] = outer;
            return d;
        }
        known.ways.push(binder);
        let d = self.each_way(over, binder, body, board, known);
        known.ways.pop();
        d
    }

    fn each_way(&mut self, over: &Expr, binder: LocalId, body: &Plan, board: u16, known: &mut Known) -> Slot {
        self.settle(body, binder, board, known);
        // The instructions for several directions take a set of them.
        let of_way = |way: &Expr| way.is_local(binder) && repr(&over.ty) == Repr::Mask;
        match body {
            Plan::Towards { way, among, ends } if of_way(way) && !among.mentions(binder) && !ends.mentions(binder) => {
                let ways = self.once(over, known);
                return self.towards(board, (ways, true), among, ends, false, known);
            }
            Plan::Leap { way, n, of } if of_way(way) && !n.mentions(binder) && !of.mentions(binder) => {
                let ways = self.once(over, known);
                return self.leap_back(board, (ways, true), n, of, known);
            }
            Plan::Behind { way: next, of } if of_way(next) => {
                if let Plan::Both(free, run) = of.as_ref()
                    && let Plan::Towards { way, among, ends } = run.as_ref()
                    && of_way(way)
                    && !among.mentions(binder)
                    && !ends.mentions(binder)
                    && free.same(among)
                {
                    let ways = self.once(over, known);
                    return self.towards(board, (ways, true), among, ends, true, known);
                }
            }
            // What a run leads to, if there is a run.
            Plan::Both(a, b) => {
                for (run, first) in [(a, b), (b, a)] {
                    if let (Plan::Towards { way, among, ends }, Plan::Behind { way: next, of }) =
                        (run.as_ref(), first.as_ref())
                        && of_way(way)
                        && of_way(next)
                        && !among.mentions(binder)
                        && !ends.mentions(binder)
                        && of.same(among)
                        && matches!(ends.as_ref(), Plan::Without(_, without) if without.same(among))
                    {
                        let ways = self.once(over, known);
                        return self.towards(board, (ways, true), among, ends, true, known);
                    }
                }
            }
            _ => {}
        }
        let w = self.layout.site_set;
        let (d, member) = (self.temp(w), self.local(binder));
        self.emit(Op::Clear { n: w as u8, d });
        self.each(over, member, |builder| {
            let marks = (known.sets.len(), known.words.len());
            let a = builder.set(body, board, known);
            builder.emit(Op::Or { w: w as u8, d, a: d, b: a });
            known.forget(marks);
        });
        d
    }

    /// Works out the parts of a plan that do not depend on a direction.
    fn settle(&mut self, plan: &Plan, binder: LocalId, board: u16, known: &mut Known) {
        if !plan.mentions(binder) {
            self.plan(plan, board, known);
            return;
        }
        let word = |builder: &mut Self, word: &Expr, known: &mut Known| {
            if !word.mentions(binder) {
                builder.once(word, known);
            }
        };
        match plan {
            Plan::All
            | Plan::Nothing
            | Plan::Given(_)
            | Plan::Fixed(_)
            | Plan::Occupied
            | Plan::Tops { .. }
            | Plan::Counted { .. } => {}
            Plan::Either(a, b) | Plan::Both(a, b) | Plan::Without(a, b) => {
                self.settle(a, binder, board, known);
                self.settle(b, binder, board, known);
            }
            Plan::Behind { way, of } => {
                word(self, way, known);
                self.settle(of, binder, board, known);
            }
            Plan::Leap { way, n, of } => {
                word(self, way, known);
                word(self, n, known);
                self.settle(of, binder, board, known);
            }
            Plan::Near { of, .. } | Plan::Lines { of, .. } => self.settle(of, binder, board, known),
            Plan::Group { among, of } => {
                self.settle(among, binder, board, known);
                self.settle(of, binder, board, known);
            }
            Plan::Beyond { line, of } => {
                word(self, &line.from, known);
                line.ways.iter().for_each(|ways| word(self, ways, known));
                self.settle(of, binder, board, known);
            }
            Plan::Towards { way, among, ends } => {
                word(self, way, known);
                self.settle(among, binder, board, known);
                self.settle(ends, binder, board, known);
            }
            // Inner directions may occur in what is within.
            Plan::Each { .. } | Plan::Case { .. } => {}
        }
    }

    /// A word that is worked out once; so are the arguments of a function in it.
    fn once(&mut self, word: &Expr, known: &mut Known) -> Slot {
        if let Some((_, slot)) = known.words.iter().find(|(found, _)| alike(found, word)) {
            return *slot;
        }
        let slot = match &word.kind {
            ExprKind::Builtin(what @ (Builtin::Rotate | Builtin::Opposite), args) => {
                let args = args.iter().map(|arg| {
                    if super::walk::constant(self.rules, arg).is_some() {
                        return arg.clone();
                    }
                    let slot = self.once(arg, known);
                    self.env.locals.push(slot);
                    let local = LocalId(self.env.locals.len() as u32 - 1);
                    Expr { kind: ExprKind::Local(local), ..arg.clone() }
                });
                let kind = ExprKind::Builtin(*what, args.collect());
                self.expr(&Expr { kind, ..word.clone() })
            }
            _ => self.expr(word),
        };
        known.words.push((word.clone(), slot));
        slot
    }
}

impl Known {
    fn forget(&mut self, (sets, words): (usize, usize)) {
        self.sets.truncate(sets);
        self.words.truncate(words);
    }
}
