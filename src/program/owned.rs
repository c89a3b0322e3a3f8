//! The sites of pieces: sets that the state keeps for each kind and each owner.

use super::code::Builder;
use super::imagined::local_of;
use super::layout::{Repr, repr};
use super::op::{Op, Slot};
use crate::model::rules::{CompareOp, Expr, ExprKind, KindId, ProcBody};

impl Builder<'_> {
    /// `sites(KIND where owner = P)`, or `!=`: sets that the state keeps.
    pub(super) fn owned_sites(&mut self, arg: &Expr, board: u16, d: Slot) -> bool {
        if self.owned_by_some(arg, board, d) {
            return true;
        }
        let Some((kind, op, player)) = self.by_owner(arg) else { return false };
        let rows = self.layout.rows[kind.index()].clone();
        let Some(on_board) = rows.iter().map(|row| self.layout.row_on(board, *row)).collect::<Option<Vec<u16>>>()
        else {
            return false;
        };
        if rows.is_empty() || !self.laid.is_empty() && op == CompareOp::Ne {
            return false;
        }
        self.predicates.algebra += 1;
        let p = self.expr(player);
        match (op, board) {
            (CompareOp::Eq, 0) => self.owned_now(d, kind, Some(p)),
            (CompareOp::Eq, _) => self.owned_by(board, kind, p, d),
            _ => self.any_of(on_board, d, |builder, kind, d| builder.emit(Op::OwnedBut { d, kind, p })),
        }
        true
    }

    /// `sites(KIND where owner in PLAYERS)`: those of each of them.
    fn owned_by_some(&mut self, arg: &Expr, board: u16, d: Slot) -> bool {
        let ExprKind::Where { over, binder, cond } = &arg.kind else { return false };
        let (ExprKind::InPlay(kind), ExprKind::In(owner, players)) = (&over.kind, &cond.kind) else { return false };
        let fits = self.is_owner(*binder, owner) && !players.mentions(*binder) && repr(&players.ty) == Repr::Mask;
        if !fits || self.layout.rows[kind.index()].is_empty() {
            return false;
        }
        self.predicates.algebra += 1;
        let w = self.layout.site_set;
        let (player, sites, of_one) = (self.temp(1), self.temp(w), self.temp(w));
        self.emit(Op::Clear { n: w as u8, d: sites });
        self.each(players, player, |builder| {
            if board == 0 {
                builder.owned_now(of_one, *kind, Some(player));
            } else {
                builder.owned_by(board, *kind, player, of_one);
            }
            builder.emit(Op::Or { w: w as u8, d: sites, a: sites, b: of_one });
        });
        self.copy(w, d, sites);
        true
    }

    /// The union of sets of sites, one for each row.
    pub(super) fn any_of(&mut self, rows: Vec<u16>, d: Slot, mut set: impl FnMut(&mut Self, u16, Slot)) {
        let w = self.layout.site_set;
        for (index, row) in rows.into_iter().enumerate() {
            let one = if index == 0 { d } else { self.temp(w) };
            set(self, row, one);
            if index > 0 {
                self.emit(Op::Or { w: w as u8, d, a: d, b: one });
            }
        }
    }

    /// The sites of a player's pieces of a kind and of those below it, on a board.
    pub(super) fn owned_by(&mut self, board: u16, kind: KindId, p: Slot, d: Slot) {
        let rows = self.layout.rows[kind.index()].clone();
        self.any_of(rows, d, |builder, row, d| builder.owned(board, row, p, d));
    }

    /// `KIND where owner = P`, or `!=`, as such or by a definition that is given P: the kind, and the player.
    fn by_owner<'e>(&self, arg: &'e Expr) -> Option<(KindId, CompareOp, &'e Expr)> {
        if let ExprKind::Call(proc, args) = &arg.kind {
            let ProcBody::Expr(body @ Expr { kind: ExprKind::Where { .. }, .. }) = &self.rules.procs[proc.index()].body
            else {
                return None;
            };
            let (kind, op, player) = self.by_owner(body)?;
            return Some((kind, op, args.get(local_of(player)?.index())?));
        }
        let ExprKind::Where { over, binder, cond } = &arg.kind else { return None };
        let ExprKind::InPlay(kind) = over.kind else { return None };
        let ExprKind::Compare(op @ (CompareOp::Eq | CompareOp::Ne), a, b) = &cond.kind else { return None };
        let (owner, player) = if self.is_owner(*binder, a) { (a, b) } else { (b, a) };
        (self.is_owner(*binder, owner) && !player.mentions(*binder)).then_some((kind, *op, player))
    }

    /// Whether the state keeps where pieces lie: those of a kind, and of a player or of all others.
    pub(super) fn keeps(&self, pieces: &Expr) -> bool {
        let kind = match pieces.kind {
            ExprKind::InPlay(kind) => Some(kind),
            _ => self.by_owner(pieces).map(|(kind, ..)| kind),
        };
        kind.is_some_and(|kind| !self.layout.rows[kind.index()].is_empty())
    }

    /// Pieces of which it can be said where they lie on the only board, with what is imagined there: of a kind, and of those of a player or
    /// of all others.
    pub(super) fn told_pieces<'e>(&self, arg: &'e Expr) -> Option<(KindId, Option<(CompareOp, &'e Expr)>)> {
        let (kind, by_owner) = match arg.kind {
            ExprKind::InPlay(kind) => (kind, None),
            _ => self.by_owner(arg).map(|(kind, op, player)| (kind, Some((op, player))))?,
        };
        // Where pieces lie on each other, one of another owner may lie beneath a player's.
        let others = by_owner.is_some_and(|(op, _)| op == CompareOp::Ne);
        let is_told = self.rules.boards.len() == 1 && self.lies_on_board(kind) && (self.is_flat || !others);
        is_told.then_some((kind, by_owner))
    }

    /// The sites of such pieces.
    pub(super) fn pieces_now(&mut self, arg: &Expr) -> Option<Slot> {
        let (kind, by_owner) = self.told_pieces(arg)?;
        if by_owner.is_some_and(|(_, player)| !self.told(player)) {
            return None;
        }
        let w = self.layout.site_set;
        let d = self.temp(w);
        let p = by_owner.map(|(op, player)| (op, self.expr(player)));
        self.owned_now(d, kind, p.filter(|(op, _)| *op == CompareOp::Eq).map(|(_, p)| p));
        if let Some((CompareOp::Ne, p)) = p {
            let b = self.temp(w);
            self.owned_now(b, kind, Some(p));
            self.emit(Op::AndNot { w: w as u8, d, a: d, b });
        }
        Some(d)
    }

    /// `KIND where owner = P`, on the only board: the kind, and the player.
    pub(super) fn owned_of<'e>(&self, arg: &'e Expr) -> Option<(KindId, &'e Expr)> {
        let (kind, op, player) = self.by_owner(arg)?;
        let lies = op == CompareOp::Eq && self.rules.boards.len() == 1 && !self.layout.rows[kind.index()].is_empty();
        lies.then_some((kind, player))
    }

    /// The sites of a player's pieces of a row, on a board.
    fn owned(&mut self, board: u16, row: u16, p: Slot, d: Slot) {
        let of = |owner| self.layout.owned(usize::from(board), row, owner);
        match (u16::try_from(of(0)), self.layout.row_on(board, row)) {
            (Ok(a), _) if of(self.layout.seats + 1) < usize::from(Slot::LOCAL) => {
                self.emit(Op::Pick { w: self.layout.site_set as u8, d, a: Slot(a), p });
            }
            (_, kind) => self.emit(Op::Owned { d, kind: kind.unwrap_or(row), p }),
        }
    }

    /// `sites(KIND)`: sets that the state keeps.
    pub(super) fn sites_of_kind(&mut self, arg: &Expr, board: u16, d: Slot) -> bool {
        let ExprKind::InPlay(kind) = arg.kind else { return false };
        if self.layout.rows[kind.index()].is_empty() {
            return false;
        }
        self.predicates.algebra += 1;
        self.all_of(kind, board, d);
        true
    }

    /// The sites of the pieces of a kind and of those below it, on a board.
    pub(super) fn all_of(&mut self, kind: KindId, board: u16, d: Slot) {
        let rows = self.layout.rows[kind.index()].clone();
        self.any_of(rows, d, |builder, kind, d| builder.emit(Op::SitesOfKind { d, kind, board }));
    }
}
