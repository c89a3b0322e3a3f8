//! Code for filters, quantifiers and folds. A predicate over a set becomes set algebra where it can, and a loop
//! over the members where it cannot; which of the two is counted for `check --stats`.

use super::NIL;
use super::code::{Builder, Label, Order};
use super::exprs::board_of;
use super::layout::{Repr, repr};
use super::op::{Op, Slot};
use super::sites::NeighbourSite;
use crate::model::rules::{BinaryOp, Builtin, CollectOp, CompareOp, Expr, ExprKind, FoldOp, KindId, LocalId, Ty};

/// What a condition asks of the site that a direction leads to.
struct WayTest<'e> {
    from: &'e Expr,
    /// The set that it is asked to be in; that of all sites if none.
    into: Option<&'e Expr>,
    within: bool,
}

impl Builder<'_> {
    /// Runs code once for each member of a set or list, with the member in `subject`.
    pub fn each(&mut self, over: &Expr, subject: Slot, mut body: impl FnMut(&mut Self)) {
        self.each_member(over, subject, &mut body);
    }

    fn each_member(&mut self, over: &Expr, subject: Slot, body: &mut dyn FnMut(&mut Self)) {
        let (spent, order) = (self.spent.take(), self.order.take());
        if let Some((outer, filter)) = self.enter_filter(over) {
            let around = outer.clone();
            self.order = order;
            self.each_member(filter, subject, &mut |builder| {
                let inner = builder.exchange(around.clone());
                body(builder);
                builder.exchange(inner);
            });
            self.exchange(outer);
            return;
        }
        if let ExprKind::Where { over: inner, binder, cond } = &over.kind {
            let (inner, cond) = self.split_off(inner, *binder, cond);
            let Some(cond) = cond else { return self.each_of(&inner, subject, (spent, order), body) };
            self.ask_each(over, &inner, *binder, &cond);
            let mark = self.hoist(&cond, *binder);
            let binder = self.local(*binder);
            self.order = order;
            self.each_member(&inner, binder, &mut |builder| {
                let skip = builder.label();
                builder.jump(&cond, false, skip);
                builder.copy(1, subject, binder);
                builder.some.push(subject);
                // What is done with the member is not part of the filter, and may change what the filter reads.
                let filter = builder.hoisted.split_off(mark);
                body(builder);
                builder.hoisted.extend(filter);
                builder.some.pop();
                builder.bind(skip);
            });
            return self.lower(mark);
        }
        self.each_of(over, subject, (spent, order), body);
    }

    /// The same of what is no filter, or one that is set algebra.
    fn each_of(
        &mut self,
        over: &Expr,
        subject: Slot,
        (spent, order): (Option<Slot>, Option<Order>),
        body: &mut dyn FnMut(&mut Self),
    ) {
        let (next, round) = (self.label(), self.label());
        let (to_next, to) = (self.to(next), self.to(round));
        if let ExprKind::Range(low, high) = &over.bare().kind {
            // Nobody keeps them, so that there may be more of them than a list has room for.
            let at = self.temp(2);
            self.into(low, at);
            self.into(high, at.offset(1));
            self.emit(Op::Jump { to: to_next });
            self.bind(round);
            body(self);
            self.bind(next);
            self.emit(Op::NextNumber { d: subject, at, to });
            return;
        }
        match repr(&over.ty) {
            Repr::Word => {
                let a = self.expr(over);
                self.copy(1, subject, a);
                self.emit(Op::JumpNil { a: subject, to: to_next });
                body(self);
                self.bind(next);
            }
            Repr::List => {
                let words = self.layout.words(&over.ty);
                let (i, list) = (self.temp(1), self.temp(words));
                self.into(over, list);
                self.emit(Op::Clear { n: 1, d: i });
                self.emit(Op::Jump { to: to_next });
                self.bind(round);
                body(self);
                self.bind(next);
                self.emit(Op::NextItem { d: subject, list, to });
            }
            kind => {
                let w = self.layout.set_words(kind);
                let shown = kind == Repr::Entities && order.is_some_and(|order| self.as_shown(order, &over.ty));
                let set = match spent {
                    Some(set) if !shown => set,
                    _ => {
                        let set = self.temp(u16::from(w) + if shown { self.layout.shown_words() } else { 0 });
                        match spent {
                            Some(members) => self.copy(w.into(), set, members),
                            None => self.into(over, set),
                        }
                        self.keep_set(set, &over.ty, shown);
                        set
                    }
                };
                if shown {
                    self.emit(Op::Clear { n: 1, d: set.offset(w.into()) });
                }
                self.emit(Op::Jump { to: to_next });
                self.bind(round);
                self.some.push(subject);
                body(self);
                self.some.pop();
                self.bind(next);
                self.emit(match kind {
                    Repr::Entities if shown => Op::NextShown { d: subject, set, to },
                    Repr::Entities => Op::NextEntity { d: subject, set, to },
                    _ => Op::NextBit { w, d: subject, set, to },
                });
            }
        }
    }

    /// Whether the members of a set come in the order in which they are shown.
    pub(super) fn as_shown(&self, order: Order, ty: &Ty) -> bool {
        matches!(ty.element(), Ty::Entity(kind) if order.together || self.layout.comes_as_shown(self.rules, *kind))
    }

    /// Whether a filter can be done as set algebra.
    pub fn is_algebra(&self, over: &Expr, binder: LocalId, cond: &Expr) -> bool {
        repr(&over.ty) == Repr::Entities
            && (kind_test(binder, cond).is_some()
                || self.place_test(binder, cond).is_some()
                || self.scans(over, binder, cond))
            || repr(&over.ty) == Repr::Sites
                && (self.site_test(binder, cond).is_some() || neighbour_test(binder, cond).is_some())
            || repr(&over.ty) == Repr::Mask && self.way_test(binder, cond).is_some()
    }

    /// A filter as a filter of set algebra, and what is left of its condition; none if nothing of it is set algebra.
    fn split(&self, over: &Expr, binder: LocalId, cond: &Expr) -> Option<(Expr, Option<Expr>)> {
        let mut parts = Vec::new();
        conjuncts(cond, &mut parts);
        // A member is asked nothing behind what may fail for it.
        let mut fails = false;
        let (algebra, rest): (Vec<&Expr>, Vec<&Expr>) = parts.into_iter().partition(|part| {
            let algebra = !fails && self.is_algebra(over, binder, part);
            fails |= !algebra && !self.harmless(part);
            algebra
        });
        let some = !algebra.is_empty();
        let filtered = algebra.into_iter().fold(over.clone(), |over, part| Expr {
            ty: Ty::Set(Box::new(super::stmts::item(&over.ty))),
            span: over.span,
            kind: ExprKind::Where { over: Box::new(over), binder, cond: Box::new(part.clone()) },
        });
        some.then(|| (filtered, rest.into_iter().cloned().reduce(and)))
    }

    /// What of a filter is set algebra as a set that is worked out here, and what is left of its condition.
    fn split_off(&mut self, over: &Expr, binder: LocalId, cond: &Expr) -> (Expr, Option<Expr>) {
        let mut parts = Vec::new();
        conjuncts(cond, &mut parts);
        let (over, cond) = match self.filtered(over, binder, &parts) {
            Some((local, rest)) => match rest.into_iter().reduce(and) {
                Some(rest) => (local, rest),
                None => return (local, None),
            },
            None => (over.clone(), cond.clone()),
        };
        self.split(&over, binder, &cond).unwrap_or((over, Some(cond)))
    }

    /// `it in SITES` where the set does not depend on the subject.
    fn site_test<'e>(&self, binder: LocalId, cond: &'e Expr) -> Option<(&'e Expr, bool)> {
        match &cond.kind {
            ExprKind::Not(inner) => self.site_test(binder, inner).map(|(set, within)| (set, !within)),
            ExprKind::In(item, set)
                if item.is_local(binder) && repr(&set.ty) == Repr::Sites && !set.mentions(binder) =>
            {
                Some((set, true))
            }
            _ => None,
        }
    }

    /// `step(SITE, it) in SITES`, or `some step(SITE, it)`, of directions, where neither depends on the subject.
    fn way_test<'e>(&self, binder: LocalId, cond: &'e Expr) -> Option<WayTest<'e>> {
        let (step, into) = match &cond.kind {
            ExprKind::Not(inner) => {
                let test = self.way_test(binder, inner)?;
                return Some(WayTest { within: !test.within, ..test });
            }
            ExprKind::In(item, set) => (item, Some(set.as_ref())),
            ExprKind::Some(step) => (step, None),
            _ => return None,
        };
        let ExprKind::Builtin(Builtin::Step, args) = &step.kind else { return None };
        let [from, way] = args.as_slice() else { return None };
        let given = |expr: &Expr| !expr.mentions(binder) && self.harmless(expr);
        let fits = way.is_local(binder)
            && repr(&from.ty) == Repr::Word
            && repr(&Ty::Set(Box::new(from.ty.bare().clone()))) == Repr::Sites
            && into.is_none_or(|set| repr(&set.ty) == Repr::Sites && given(set))
            && given(from);
        fits.then_some(WayTest { from, into, within: true })
    }

    /// Those of some directions in which a step leads into a set.
    fn ways_into(&mut self, over: &Expr, test: &WayTest<'_>, d: Slot) {
        self.predicates.algebra += 1;
        let board = board_of(&test.from.ty);
        let (a, from, ways) = (self.expr(over), self.expr(test.from), self.temp(1));
        let set = match test.into {
            Some(set) => self.expr(set),
            None => self.all_sites(board),
        };
        self.emit(Op::WaysInto { board: board as u8, d: ways, a: from, set });
        self.emit(match test.within {
            true => Op::And { w: 1, d, a, b: ways },
            false => Op::AndNot { w: 1, d, a, b: ways },
        });
    }

    /// `site(it) = SITE` where the site, on a board with an end, does not depend on the subject.
    fn place_test<'e>(&self, binder: LocalId, cond: &'e Expr) -> Option<(&'e Expr, u16)> {
        let ExprKind::Compare(CompareOp::Eq, a, b) = &cond.kind else { return None };
        let board = |expr: &Expr| match &expr.kind {
            ExprKind::Builtin(Builtin::SiteOf, args) => {
                let board = board_of(&expr.ty);
                let finite = self.layout.boards.get(usize::from(board)).is_some_and(|board| board.places == 0);
                (args.len() == 1 && args[0].is_local(binder) && finite).then_some(board)
            }
            _ => None,
        };
        let (site, board) = match (board(a), board(b)) {
            (Some(board), _) => (b, board),
            (_, Some(board)) => (a, board),
            _ => return None,
        };
        (!site.mentions(binder) && repr(&site.ty) == Repr::Word).then_some((site.as_ref(), board))
    }

    pub(super) fn filter(&mut self, whole: &Expr, over: &Expr, binder: LocalId, cond: &Expr, d: Slot) {
        let kind = repr(&over.ty);
        if kind == Repr::Mask && self.sides_shown(over, binder, cond, d) {
            return;
        }
        if kind == Repr::Mask
            && let Some(test) = self.way_test(binder, cond)
        {
            return self.ways_into(over, &test, d);
        }
        let w = self.layout.set_words(kind);
        let mut parts = Vec::new();
        conjuncts(cond, &mut parts);
        if let Some((local, rest)) = self.filtered(over, binder, &parts) {
            return match rest.into_iter().reduce(and) {
                Some(rest) => self.filter(whole, &local, binder, &rest, d),
                None => self.into(&local, d),
            };
        }
        if parts.len() > 1
            && let Some((inner, rest)) = self.split(over, binder, cond)
        {
            return match rest {
                Some(rest) => self.filter(whole, &inner, binder, &rest, d),
                None => self.into(&inner, d),
            };
        }
        if kind == Repr::Entities
            && let Some((test, within)) = kind_test(binder, cond)
        {
            self.predicates.algebra += 1;
            if within && self.zone_kind(over, test, d) {
                return;
            }
            let a = self.expr(over);
            let b = self.layout.kind_set(test);
            return self.emit(if within { Op::And { w, d, a, b } } else { Op::AndNot { w, d, a, b } });
        }
        if kind == Repr::Entities
            && let Some((site, board)) = self.place_test(binder, cond)
        {
            self.predicates.algebra += 1;
            return self.lying_on((whole, over, binder, cond), site, board, d);
        }
        if kind == Repr::Sites
            && let Some((set, within)) = self.site_test(binder, cond)
        {
            self.predicates.algebra += 1;
            let (a, b) = (self.expr(over), self.expr(set));
            return self.emit(if within { Op::And { w, d, a, b } } else { Op::AndNot { w, d, a, b } });
        }
        if kind == Repr::Sites
            && let Some(test) = neighbour_test(binder, cond)
        {
            self.predicates.algebra += 1;
            let (over_slot, among) = (self.expr(over), self.expr(test.among));
            let n = match test.n {
                Some(n) => self.expr(n),
                None => self.word(0),
            };
            let board = board_of(&over.ty);
            let site = NeighbourSite { board, beside: test.beside, over: over_slot, among, op: test.op, n };
            self.sites.neighbours.push(site);
            let site = self.long(self.sites.neighbours.len() - 1);
            return self.emit(Op::Neighbours { d, site });
        }
        if self.scan_filter(over, binder, cond, d) {
            return;
        }
        self.ask_each(whole, over, binder, cond);
        self.filter_each(whole, over, binder, cond, d);
    }

    /// A filter that asks each member by itself.
    pub(super) fn filter_each(&mut self, whole: &Expr, over: &Expr, binder: LocalId, cond: &Expr, d: Slot) {
        let kind = repr(&over.ty);
        let w = self.layout.set_words(kind);
        let subject = self.local(binder);
        let out = self.temp(self.layout.words(&whole.ty));
        self.emit(Op::Clear { n: if kind == Repr::List { 1 } else { w }, d: out });
        let mark = self.hoist(cond, binder);
        self.each(over, subject, |builder| {
            let skip = builder.label();
            builder.jump(cond, false, skip);
            builder.insert(kind, out, subject);
            builder.bind(skip);
        });
        self.lower(mark);
        self.copy_of(&whole.ty, d, out);
    }

    /// The members of a set that lie on a site. Those that lie on none are meant where there is no such site.
    fn lying_on(
        &mut self,
        (whole, over, binder, cond): (&Expr, &Expr, LocalId, &Expr),
        site: &Expr,
        board: u16,
        d: Slot,
    ) {
        let (a, site) = (self.expr(over), self.expr(site));
        let end = self.label();
        if !self.some.contains(&site) {
            let there = self.label();
            let to = self.to(there);
            self.emit(Op::JumpSome { a: site, to });
            self.filter_each(whole, over, binder, cond, d);
            let to = self.to(end);
            self.emit(Op::Jump { to });
            self.bind(there);
        }
        let w = self.layout.entity_set as u8;
        let (sites, b) = (self.temp(self.layout.site_set), self.temp(self.layout.entity_set));
        self.emit(Op::Clear { n: self.layout.site_set as u8, d: sites });
        self.emit(Op::InsertBit { set: sites, a: site });
        self.emit(Op::PiecesOn { d: b, a: sites, board });
        self.emit(Op::And { w, d, a, b });
        self.bind(end);
    }

    /// Those in a player's zone that are of a kind: whether it is that.
    fn zone_kind(&mut self, over: &Expr, kind: KindId, d: Slot) -> bool {
        let (ExprKind::Contents(zone, Some(of)), Ok(kind)) = (&over.kind, u8::try_from(kind.index())) else {
            return false;
        };
        if repr(&of.ty) != Repr::Word || self.place(over).is_some() {
            return false;
        }
        let (zone, p) = (self.layout.zone_first[zone.index()], self.expr(of));
        self.emit(Op::ZoneKind { kind, d, zone, p });
        true
    }

    /// Jumps to a label if some member meets the condition (`on`), or if none does.
    pub(super) fn quantifier(&mut self, over: &Expr, binder: LocalId, cond: &Expr, on: bool, label: Label) {
        let subject = self.local(binder);
        let mut parts = Vec::new();
        conjuncts(cond, &mut parts);
        if repr(&over.ty) == Repr::Mask && self.side_test(binder, cond).is_some() {
            let (a, to) = (self.temp(1), self.to(label));
            if self.sides_shown(over, binder, cond, a) {
                return self.emit(if on { Op::JumpAny { w: 1, a, to } } else { Op::JumpEmpty { w: 1, a, to } });
            }
        }
        if let Some(a) = self.sites_that_tell(over, binder, &parts) {
            let (to, w) = (self.to(label), self.layout.site_set as u8);
            return self.emit(if on { Op::JumpAny { w, a, to } } else { Op::JumpEmpty { w, a, to } });
        }
        let (over, cond) = match self.split_off(over, binder, cond) {
            (over, Some(cond)) => (over, cond),
            (members, None) => {
                let (to, w) = (self.to(label), self.layout.set_words(repr(&members.ty)));
                let a = self.expr(&members);
                return self.emit(if on { Op::JumpAny { w, a, to } } else { Op::JumpEmpty { w, a, to } });
            }
        };
        let mark = self.hoist(&cond, binder);
        if on {
            self.each(&over, subject, |builder| builder.jump(&cond, true, label));
            return self.lower(mark);
        }
        let found = self.label();
        self.each(&over, subject, |builder| builder.jump(&cond, true, found));
        self.lower(mark);
        let to = self.to(label);
        self.emit(Op::Jump { to });
        self.bind(found);
    }

    pub(super) fn fold(&mut self, op: FoldOp, over: &Expr, binder: LocalId, body: &Expr, d: Slot) {
        if self.scan_fold(op, over, binder, body, d) {
            return;
        }
        let subject = self.local(binder);
        let (total, value, zero, nil) = (self.temp(1), self.temp(1), self.word(0), self.word(NIL));
        self.emit(Op::Copy { d: total, a: if op == FoldOp::Sum { zero } else { nil } });
        let mark = self.hoist(body, binder);
        self.each(over, subject, |builder| {
            let skip = builder.label();
            builder.into(body, value);
            let to = builder.to(skip);
            builder.emit(Op::JumpNil { a: value, to });
            match op {
                FoldOp::Sum => builder.emit(Op::Add { d: total, a: total, b: value }),
                FoldOp::Min | FoldOp::Max => {
                    let keep = builder.label();
                    let to = builder.to(keep);
                    builder.emit(Op::JumpNil { a: total, to });
                    let to = builder.to(skip);
                    let (a, b) = if op == FoldOp::Min { (total, value) } else { (value, total) };
                    builder.emit(Op::JumpLe { on: true, a, b, to });
                    builder.bind(keep);
                    builder.emit(Op::Copy { d: total, a: value });
                }
            }
            builder.bind(skip);
        });
        self.lower(mark);
        if op != FoldOp::Sum {
            let some = self.label();
            let to = self.to(some);
            self.emit(Op::JumpSome { a: total, to });
            self.emit(Op::Copy { d: total, a: zero });
            self.bind(some);
        }
        self.emit(Op::Copy { d, a: total });
    }

    /// All that is found from the members of a set, and from what is found: each is asked once.
    fn reach(&mut self, over: &Expr, binder: LocalId, body: &Expr, d: Slot) {
        let (kind, subject) = (repr(&over.ty), self.local(binder));
        let words = self.layout.words(&over.ty);
        let (out, value) = (self.temp(words), self.temp(words));
        let (i, front) = (self.temp(1), self.temp(words));
        self.into(over, out);
        self.copy(words, front, out);
        let mark = self.hoist(body, binder);
        let (next, round) = (self.label(), self.label());
        let (to_next, to) = (self.to(next), self.to(round));
        self.emit(Op::Clear { n: 1, d: i });
        self.emit(Op::Jump { to: to_next });
        self.bind(round);
        self.some.push(subject);
        self.into(body, value);
        self.some.pop();
        if kind == Repr::List {
            self.emit(Op::ListMinus { d: value, a: value, b: out });
            self.emit(Op::ListUnion { d: out, a: out, b: value });
            // The list of those that are still to be asked grows at its end.
            self.emit(Op::Concat { d: front, a: front, b: value });
            self.bind(next);
            self.emit(Op::NextItem { d: subject, list: front, to });
        } else {
            let w = self.layout.set_words(kind);
            self.emit(Op::AndNot { w, d: value, a: value, b: out });
            self.emit(Op::Or { w, d: out, a: out, b: value });
            self.emit(Op::Or { w, d: front, a: front, b: value });
            self.bind(next);
            self.emit(Op::NextBit { w, d: subject, set: front, to });
        }
        self.lower(mark);
        self.copy(words, d, out);
    }

    pub(super) fn collect(&mut self, op: CollectOp, over: &Expr, binder: LocalId, body: &Expr, ty: &Ty, d: Slot) {
        if op == CollectOp::Reach {
            return self.reach(over, binder, body, d);
        }
        let kind = repr(ty);
        if op != CollectOp::Values
            && kind == Repr::Sites
            && (self.runs_to(over, binder, body, d)
                || self.leaps_to(over, binder, body, d)
                || self.sees(body, Some((over, binder)), d)
                || self.leads_to(over, binder, body, d))
        {
            return;
        }
        if op != CollectOp::Values && ty.endless_board().is_some() && self.gather_spots(over, binder, body, d) {
            return;
        }
        if kind == Repr::Mask && self.scan_collect(over, binder, body, d) {
            return;
        }
        let words = self.layout.words(ty);
        let subject = self.local(binder);
        let out = self.temp(words);
        self.emit(Op::Clear { n: if kind == Repr::List { 1 } else { self.layout.set_words(kind) }, d: out });
        let from = repr(&body.ty);
        let value = self.temp(self.layout.words(&body.ty));
        let mark = self.hoist(body, binder);
        self.order = (op == CollectOp::Values).then(Order::default);
        self.each(over, subject, |builder| {
            builder.into(body, value);
            match (from, kind) {
                (Repr::Word, _) => builder.insert(kind, out, value),
                (Repr::List, Repr::List) if op == CollectOp::Values => {
                    builder.emit(Op::Concat { d: out, a: out, b: value });
                }
                (Repr::List, Repr::List) => builder.emit(Op::ListUnion { d: out, a: out, b: value }),
                (Repr::List, _) => {
                    let w = builder.layout.set_words(kind);
                    let set = builder.temp(u16::from(w));
                    builder.emit(match kind {
                        Repr::Entities => Op::EntitiesOfList { d: set, a: value },
                        _ => Op::BitsOfList { w, d: set, a: value },
                    });
                    builder.emit(Op::Or { w, d: out, a: out, b: set });
                }
                _ => builder.emit(Op::Or { w: builder.layout.set_words(kind), d: out, a: out, b: value }),
            }
        });
        self.lower(mark);
        if kind == Repr::List && op != CollectOp::Values {
            self.emit(Op::Distinct { list: out });
        }
        self.copy(words, d, out);
    }

    pub(super) fn having(&mut self, over: &Expr, most: bool, binder: LocalId, body: &Expr, d: Slot) {
        if self.scan_having(over, most, binder, body, d) {
            return;
        }
        let kind = repr(&over.ty);
        let words = self.layout.words(&over.ty);
        let clear = if kind == Repr::List { 1 } else { self.layout.set_words(kind) };
        let subject = self.local(binder);
        let value_words = self.layout.words(&body.ty);
        let (out, best, value, order) =
            (self.temp(words), self.temp(value_words), self.temp(value_words), self.temp(1));
        let (nil, zero) = (self.word(NIL), self.word(0));
        let lists = repr(&body.ty) == Repr::List;
        let started = self.temp(1);
        self.emit(Op::Clear { n: clear, d: out });
        self.emit(Op::Copy { d: started, a: nil });
        let mark = self.hoist(body, binder);
        self.each(over, subject, |builder| {
            let (skip, fresh, add) = (builder.label(), builder.label(), builder.label());
            builder.into(body, value);
            if !lists {
                let to = builder.to(skip);
                builder.emit(Op::JumpNil { a: value, to });
            }
            let to = builder.to(fresh);
            builder.emit(Op::JumpNil { a: started, to });
            let (mut a, mut b) = if most { (value, best) } else { (best, value) };
            if lists {
                builder.emit(Op::OrderLists { d: order, a, b });
                (a, b) = (order, zero);
            }
            let to = builder.to(skip);
            builder.emit(Op::JumpLt { on: true, a, b, to });
            let to = builder.to(add);
            builder.emit(Op::JumpEq { on: true, a, b, to });
            builder.bind(fresh);
            builder.emit(Op::Copy { d: started, a: zero });
            builder.copy(value_words, best, value);
            builder.emit(Op::Clear { n: clear, d: out });
            builder.bind(add);
            builder.insert(kind, out, subject);
            builder.bind(skip);
        });
        self.lower(mark);
        self.copy(words, d, out);
    }

    pub(super) fn sorted(&mut self, over: &Expr, down: bool, binder: LocalId, body: &Expr, d: Slot) {
        let words = self.layout.list_items + 1;
        let subject = self.local(binder);
        let (list, keys, value) = (self.temp(words), self.temp(words), self.temp(1));
        self.emit(Op::Clear { n: 1, d: list });
        self.emit(Op::Clear { n: 1, d: keys });
        self.order = Some(Order::default());
        self.each(over, subject, |builder| {
            builder.into(body, value);
            builder.emit(Op::Push { list, a: subject });
            builder.emit(Op::Push { list: keys, a: value });
        });
        self.emit(Op::Sort { down, list, keys });
        self.emit(Op::CopyN { n: 0, d, a: list });
    }
}

pub(super) fn and(a: Expr, b: Expr) -> Expr {
    Expr { ty: Ty::Flag, span: a.span, kind: ExprKind::And(Box::new(a), Box::new(b)) }
}

/// The parts of a condition that must all hold.
pub(super) fn conjuncts<'e>(cond: &'e Expr, parts: &mut Vec<&'e Expr>) {
    match &cond.kind {
        ExprKind::And(a, b) => {
            conjuncts(a, parts);
            conjuncts(b, parts);
        }
        _ => parts.push(cond),
    }
}

/// `it is KIND`, or `not`.
fn kind_test(binder: LocalId, cond: &Expr) -> Option<(KindId, bool)> {
    match &cond.kind {
        ExprKind::Is(item, kind) if item.is_local(binder) => Some((*kind, true)),
        ExprKind::Not(inner) => kind_test(binder, inner).map(|(kind, within)| (kind, !within)),
        _ => None,
    }
}

/// `count (around(it) & SITES) > N`, and its like.
pub(super) struct NeighbourTest<'e> {
    pub beside: bool,
    pub among: &'e Expr,
    pub op: CompareOp,
    /// With what the count is compared; 0, if it does not say.
    pub n: Option<&'e Expr>,
}

/// A condition on how many neighbours of the subject are in a set.
pub(super) fn neighbour_test(binder: LocalId, cond: &Expr) -> Option<NeighbourTest<'_>> {
    let ExprKind::Compare(op, left, n) = &cond.kind else { return None };
    let ExprKind::Count(both) = &left.kind else { return None };
    let (beside, among) = neighbours(binder, both)?;
    (!n.mentions(binder)).then_some(NeighbourTest { beside, among, op: *op, n: Some(n) })
}

/// The same, also where it is asked whether there are any.
pub(super) fn any_neighbour_test(binder: LocalId, cond: &Expr) -> Option<NeighbourTest<'_>> {
    let (some, op) = match &cond.kind {
        ExprKind::Some(both) => (both, CompareOp::Gt),
        ExprKind::Not(inner) => match &inner.kind {
            ExprKind::Some(both) => (both, CompareOp::Eq),
            _ => return None,
        },
        _ => return neighbour_test(binder, cond),
    };
    neighbours(binder, some).map(|(beside, among)| NeighbourTest { beside, among, op, n: None })
}

/// `around(it) & SITES`, and whether it is `beside`.
fn neighbours(binder: LocalId, both: &Expr) -> Option<(bool, &Expr)> {
    let ExprKind::Binary(BinaryOp::Both, a, b) = &both.kind else { return None };
    let beside = |expr: &Expr| match &expr.kind {
        ExprKind::Builtin(what @ (Builtin::Around | Builtin::Beside), args) => {
            let of = match &args.first()?.kind {
                ExprKind::ToSet(inner) => inner,
                _ => args.first()?,
            };
            of.is_local(binder).then_some(*what == Builtin::Beside)
        }
        _ => None,
    };
    let (beside, among) = match (beside(a), beside(b)) {
        (Some(beside), _) => (beside, b),
        (_, Some(beside)) => (beside, a),
        _ => return None,
    };
    (repr(&among.ty) == Repr::Sites && !among.mentions(binder)).then_some((beside, among))
}
