//! Sites of boards without an end: how one is a word, and code for functions of such boards.

use super::code::Builder;
use super::expand::{Fresh, expanded};
use super::exprs::MAX_INLINE;
use super::layout::{Repr, repr};
use super::op::{Op, Slot};
use super::sites::{EndlessSite, LeapSite};
use crate::model::rules::{
    Board, BoardId, Builtin, CollectOp, Expr, ExprKind, LocalId, Per, ProcBody, RootKind, Rules, Ty,
};

/// How far from the origin a site may be, along each axis.
pub const REACH: i64 = crate::base::limits::REACH;
const ZERO: i64 = 0x8000;

/// A site of a board without an end. As words they are in the order of the boards, then of rows, then of columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Spot {
    /// Which of the boards of one declaration.
    pub on: i64,
    /// To the east of the origin.
    pub x: i64,
    /// To the north of it; on hexes to the southeast.
    pub y: i64,
}

impl Spot {
    /// The site that a word is.
    pub fn of(word: i64) -> Spot {
        Spot { on: word >> 32, x: (word & 0xffff) - ZERO, y: ((word >> 16) & 0xffff) - ZERO }
    }

    /// The word; none beyond [`REACH`].
    pub fn word(self) -> Option<i64> {
        let fits = |n: i64| (-REACH..=REACH).contains(&n);
        (fits(self.x) && fits(self.y)).then(|| self.on << 32 | (self.y + ZERO) << 16 | (self.x + ZERO))
    }

    /// The site some steps away.
    pub fn moved(self, (x, y): (i64, i64)) -> Spot {
        Spot { x: self.x + x, y: self.y + y, ..self }
    }

    /// How a board writes it.
    pub fn name(self, pattern: &str) -> String {
        crate::model::endless::named(pattern, (self.x, self.y))
    }
}

/// The number of the board of a thing, among those of one declaration.
pub fn board_of_thing(slot: usize, generation: i64) -> i64 {
    (slot as i64) << 14 | (generation & 0x3fff)
}

/// How many pieces can lie on boards without an end, if there are any: so many places the index needs at least.
pub(super) fn most_pieces(rules: &Rules, capacity: usize) -> usize {
    let piece = |kind: crate::model::rules::KindId| rules.kinds[kind.index()].root == RootKind::Piece;
    let mut created = false;
    for proc in &rules.procs {
        super::walk::each_stmt(proc, &mut |stmt| {
            if let crate::model::rules::StmtKind::Create { what, .. } = &stmt.kind {
                created |= match what {
                    crate::model::rules::Created::Kind { kind, .. } => piece(*kind),
                    _ => true,
                };
            }
        });
    }
    if created {
        return capacity;
    }
    rules.entries.iter().filter(|entry| piece(entry.kind)).map(|entry| usize::from(entry.copies)).sum()
}

/// Items that the longest list of sites can need: all neighbours of all pieces.
pub(super) fn most_sites(rules: &Rules, capacity: usize) -> usize {
    let ways = rules.boards.iter().filter(|board| board.endless()).map(Board::ways).max();
    ways.map_or(0, |ways| (ways * most_pieces(rules, capacity)).clamp(LEAST_ITEMS, MOST_ITEMS))
}

/// Sites within some steps of one, where few pieces lie on a board.
const LEAST_ITEMS: usize = 256;
/// Items of a list at the most, whatever lies on a board.
const MOST_ITEMS: usize = 2_000;

impl Builder<'_> {
    /// Code for a function of a board without an end, if it is one.
    pub(super) fn endless(&mut self, builtin: Builtin, args: &[Expr], ty: &Ty, d: Slot) -> bool {
        let Some(board) = ty.endless_board().or_else(|| args.iter().find_map(|arg| arg.ty.endless_board())) else {
            return false;
        };
        if matches!(builtin, Builtin::First | Builtin::Fitting) {
            return false;
        }
        if let (Builtin::SiteOf, [piece]) = (builtin, args) {
            let a = self.expr(piece);
            self.emit(Op::SiteOf { d, a, board: board.index() as u16 });
            return true;
        }
        if let (Builtin::PiecesOn, [sites]) = (builtin, args)
            && let Some(args) = all_sites(sites)
        {
            self.on_endless(Builtin::AllSites, board, args, true, d);
            return true;
        }
        self.on_endless(builtin, board, args, false, d);
        true
    }

    fn on_endless(&mut self, builtin: Builtin, board: BoardId, args: &[Expr], pieces: bool, d: Slot) {
        let whose = match self.rules.boards[board.index()].per {
            Per::Game => false,
            _ => matches!(builtin, Builtin::AllSites | Builtin::SiteAt | Builtin::Origin),
        };
        let slots = args.iter().map(|arg| self.expr(arg)).collect::<Vec<_>>();
        let owned = whose && args.first().is_some_and(|arg| arg.ty.endless_board().is_none() && arg.ty != Ty::Number);
        let many = args.iter().map(|arg| arg.ty.is_many()).collect();
        self.sites.endless.push(EndlessSite {
            what: builtin,
            board: board.index() as u16,
            args: slots,
            whose: owned,
            many,
            pieces,
        });
        let site = self.long(self.sites.endless.len() - 1);
        self.emit(Op::OnEndless { d, site });
    }

    /// The union of sites so many steps away in directions, of one piece or of each of some: they are put into one
    /// list and sorted once.
    pub(super) fn gather_spots(&mut self, over: &Expr, binder: LocalId, body: &Expr, d: Slot) -> bool {
        if !self.steps_from_one(over, binder, body) && !self.gathers_spots(body, MAX_INLINE.saturating_sub(self.depth))
        {
            return false;
        }
        // What is gathered may depend on what the list is to replace.
        let list = if self.env.locals.contains(&d) { self.temp(self.layout.list_items + 1) } else { d };
        self.emit(Op::Clear { n: 1, d: list });
        self.add_gathered(list, over, binder, body);
        self.emit(Op::Distinct { list });
        if list != d {
            self.copy(self.layout.list_items + 1, d, list);
        }
        true
    }

    fn steps_from_one(&self, over: &Expr, binder: LocalId, body: &Expr) -> bool {
        self.leaps(over, binder, body).is_some_and(|leaps| repr(&leaps.from.ty) == Repr::Word)
    }

    /// Whether an expression gathers steps from single sites, maybe in a definition.
    fn gathers_spots(&self, expr: &Expr, calls: usize) -> bool {
        match &expr.kind {
            ExprKind::Call(proc, _) if calls > 0 => match &self.rules.procs[proc.index()].body {
                ProcBody::Expr(body) => self.gathers_spots(body, calls - 1),
                ProcBody::Block(_) => false,
            },
            ExprKind::Collect { op: CollectOp::Gather | CollectOp::Union, over, binder, body } => {
                self.steps_from_one(over, *binder, body) || self.gathers_spots(body, calls)
            }
            _ => false,
        }
    }

    fn add_spots(&mut self, list: Slot, expr: &Expr) {
        match &expr.kind {
            ExprKind::Call(proc, args) => {
                let slots = args.iter().map(|arg| self.expr(arg)).collect();
                let (me, this) = (self.env.me, self.env.this);
                self.within(&self.rules.procs[proc.index()], slots, me, this, |builder, body| {
                    builder.add_spots(list, body);
                });
            }
            ExprKind::Collect { over, binder, body, .. } => self.add_gathered(list, over, *binder, body),
            // INVARIANT: `gathers_spots` has seen to it that it is one of these.
            _ => {}
        }
    }

    fn add_gathered(&mut self, list: Slot, over: &Expr, binder: LocalId, body: &Expr) {
        match self.leaps(over, binder, body) {
            Some(leaps) => {
                let board = leaps.from.ty.endless_board().map_or(0, |board| board.index() as u16);
                let (ways, from) = (self.expr(over), self.expr(leaps.from));
                let n = match leaps.n {
                    Some(n) => self.expr(n),
                    None => self.word(1),
                };
                self.leap(list, LeapSite { board, ways, each: true, n, from, one: true, back: false, shown: None });
            }
            None => {
                if !self.steps_from_tiles(list, over, binder, body) {
                    let subject = self.local(binder);
                    self.each(over, subject, |builder| builder.add_spots(list, body));
                }
            }
        }
    }

    /// Steps from each of a set of tiles, in the directions in which it shows what is asked for.
    fn steps_from_tiles(&mut self, list: Slot, over: &Expr, binder: LocalId, body: &Expr) -> bool {
        let fresh = Fresh::new(self.env.locals.len());
        let Some(body) = expanded(self.rules, &fresh, binder, &[], body) else { return false };
        let ExprKind::Collect { over: ways, binder: way, body, .. } = &body.bare().kind else { return false };
        let ExprKind::Where { over: all, binder: asked, cond } = &ways.bare().kind else { return false };
        let (Some(leaps), Some(test)) = (self.leaps(ways, *way, body), self.side_test(*asked, cond)) else {
            return false;
        };
        let ExprKind::Builtin(Builtin::SiteOf, lies) = &leaps.from.kind else { return false };
        let n = leaps.n.map_or(Some(1), |n| super::walk::constant(self.rules, n));
        let (Some(n), Some(board)) = (n, leaps.from.ty.endless_board()) else { return false };
        let of_tile = lies.iter().all(|tile| tile.is_local(binder)) && test.tile.is_local(binder);
        if !of_tile || repr(&over.ty) != Repr::Entities {
            return false;
        }
        let Some(shown) = self.sides_of_board(all, &test) else { return false };
        self.predicates.algebra += 1;
        let (from, n, board, ways) = (self.expr(over), self.word(n), board.index() as u16, Slot::NONE);
        self.leap(list, LeapSite { board, ways, each: true, n, from, one: false, back: false, shown: Some(shown) });
        true
    }
}

/// What says whose sites they are, if an expression is all sites of a board.
fn all_sites(sites: &Expr) -> Option<&[Expr]> {
    match &sites.kind {
        ExprKind::ToSet(inner) => all_sites(inner),
        ExprKind::Builtin(Builtin::AllSites, args) => Some(args),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_site_is_a_word_and_words_are_in_reading_order() {
        for spot in [
            Spot { on: 0, x: 0, y: 0 },
            Spot { on: board_of_thing(7999, 9), x: -REACH, y: REACH },
            Spot { on: 3, x: 12, y: -5 },
        ] {
            assert_eq!(spot.word().map(Spot::of), Some(spot));
            assert!(spot.word().is_some_and(|word| word >= 0));
        }
        assert_eq!(Spot { on: 0, x: REACH + 1, y: 0 }.word(), None);
        let word = |on, x, y| Spot { on, x, y }.word();
        assert!(word(0, 5, -1) < word(0, -5, 0) && word(0, 0, 0) < word(0, 1, 0) && word(0, 9, 9) < word(1, -9, -9));
    }
}
