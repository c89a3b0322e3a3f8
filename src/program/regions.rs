//! Sets of sites that depend on nothing but the board: worked out when the game is compiled.

use super::board::{Adjacency, NO_SITES, SiteSet, Topology, each_word, insert, members};
use super::code::Builder;
use super::exprs::board_of;
use super::layout::{Repr, repr};
use super::op::{Op, Slot};
use crate::model::rules::{BinaryOp, Builtin, Expr, ExprKind, LocalId, ProcBody, Rules};
use std::cell::Cell;

impl Builder<'_> {
    /// The sites of an expression that never changes, if that can be seen in a few steps.
    pub(super) fn region(&self, expr: &Expr) -> Option<SiteSet> {
        region(self.rules, &self.boards, expr)
    }

    /// Where a set of sites that never changes stands: at a fixed place, while there is room.
    pub(super) fn region_slot(&mut self, region: SiteSet) -> Slot {
        let known = self.sites.regions.iter().position(|known| *known == region);
        let index = known.unwrap_or_else(|| {
            self.sites.regions.push(region);
            self.sites.regions.len() - 1
        });
        let at = self.layout.regions + index * usize::from(self.layout.site_set);
        match u16::try_from(at) {
            Ok(at) if at < Slot::LOCAL - u16::from(u8::MAX) => Slot(at),
            _ => {
                let (d, region) = (self.temp(self.layout.site_set), self.short(index));
                self.emit(Op::Region { d, region });
                d
            }
        }
    }

    /// The sites for which a condition holds that asks for nothing but their column and row.
    pub(super) fn holds_at(&self, board: u16, subject: LocalId, cond: &Expr) -> Option<SiteSet> {
        let region = Region { rules: self.rules, boards: &self.boards, left: Cell::new(MOST_PARTS) };
        let board = self.boards.get(usize::from(board))?;
        let mut set = NO_SITES;
        for site in super::board::members(&board.all) {
            if region.holds(board, subject, site, cond)? {
                insert(&mut set, site);
            }
        }
        Some(set)
    }
}

/// Parts of an expression that are looked at.
const MOST_PARTS: u32 = 200;

/// The sites of an expression that never changes, if that can be seen in a few steps.
pub(super) fn region(rules: &Rules, boards: &[Topology], expr: &Expr) -> Option<SiteSet> {
    Region { rules, boards, left: Cell::new(MOST_PARTS) }.of(expr)
}

struct Region<'b> {
    rules: &'b Rules,
    boards: &'b [Topology],
    left: Cell<u32>,
}

impl Region<'_> {
    fn of(&self, expr: &Expr) -> Option<SiteSet> {
        self.left.set(self.left.get().checked_sub(1)?);
        if repr(&expr.ty) != Repr::Sites {
            return None;
        }
        let board = self.boards.get(usize::from(board_of(&expr.ty)))?;
        match &expr.kind {
            ExprKind::Builtin(builtin, args) => self.function(board, *builtin, args),
            ExprKind::Binary(op, a, b) => Some(combined(*op, &self.of(a)?, &self.of(b)?)),
            ExprKind::ToSet(inner) if repr(&inner.ty) == Repr::Sites => self.of(inner),
            ExprKind::ToSet(inner) => {
                let items = match &inner.kind {
                    ExprKind::List(items) => items.iter().map(fixed_site).collect::<Option<Vec<u16>>>()?,
                    _ => vec![fixed_site(inner)?],
                };
                let mut set = NO_SITES;
                items.into_iter().for_each(|site| insert(&mut set, site));
                Some(set)
            }
            ExprKind::List(items) => {
                let mut set = NO_SITES;
                for item in items {
                    insert(&mut set, fixed_site(item)?);
                }
                Some(set)
            }
            ExprKind::Where { over, binder, cond } => {
                let over = self.of(over)?;
                let mut set = NO_SITES;
                for site in members(&over) {
                    if self.holds(board, *binder, site, cond)? {
                        insert(&mut set, site);
                    }
                }
                Some(set)
            }
            ExprKind::Call(proc, args) if args.is_empty() => match &self.rules.procs[proc.index()].body {
                ProcBody::Expr(body) => self.of(body),
                ProcBody::Block(_) => None,
            },
            _ => None,
        }
    }

    /// Whether a condition that asks for nothing but the column and row of a site holds for it.
    fn holds(&self, board: &Topology, binder: LocalId, site: u16, cond: &Expr) -> Option<bool> {
        let flag = |cond: &Expr| self.holds(board, binder, site, cond);
        match &cond.kind {
            ExprKind::Not(inner) => flag(inner).map(|holds| !holds),
            ExprKind::And(a, b) => Some(flag(a)? && flag(b)?),
            ExprKind::Or(a, b) => Some(flag(a)? || flag(b)?),
            ExprKind::Compare(op, a, b) => {
                let number = |expr: &Expr| match &expr.kind {
                    ExprKind::Builtin(what @ (Builtin::Column | Builtin::Row), args) => {
                        let of_it = args.iter().all(|arg| arg.is_local(binder));
                        let (column, row) = board.at.get(usize::from(site)).copied().filter(|_| of_it)?;
                        Some(i64::from(if *what == Builtin::Column { column } else { row }) + 1)
                    }
                    _ => super::walk::constant(self.rules, expr),
                };
                let (a, b) = (number(a)?, number(b)?);
                Some(op.holds(a, b))
            }
            _ => None,
        }
    }

    fn function(&self, board: &Topology, builtin: Builtin, args: &[Expr]) -> Option<SiteSet> {
        let set = |index: usize| args.get(index).and_then(|arg| self.of(arg));
        let number = |index: usize| args.get(index).and_then(|arg| super::walk::constant(self.rules, arg));
        let way = |index: usize| number(index).and_then(|way| usize::try_from(way).ok());
        Some(match builtin {
            Builtin::AllSites => std::array::from_fn(|word| board.all.get(word).copied().unwrap_or(0)),
            Builtin::AllCells | Builtin::AllEdges | Builtin::AllCorners | Builtin::AllRim => {
                board.of_kind(builtin.place_kind()?)
            }
            Builtin::CellsOf | Builtin::EdgesOf | Builtin::CornersOf | Builtin::RimOf => {
                let (touching, kind) =
                    (board.adjacent(Adjacency::Touching, &set(0)?), board.of_kind(builtin.place_kind()?));
                each_word(&touching, |word, bits| bits & kind[word])
            }
            Builtin::Border => board.border(None),
            Builtin::BorderTo => board.border(Some(way(0)?)),
            Builtin::Around => board.around(&set(0)?),
            Builtin::Beside => board.adjacent(Adjacency::Beside, &set(0)?),
            Builtin::Within => board.within(&set(0)?, number(1)?).0,
            Builtin::Ring => board.within(&set(0)?, number(1)?).1,
            Builtin::Group => board.group(&set(0)?, &set(1)?),
            Builtin::Line => {
                let Some(ExprKind::Word(site)) = args.first().map(|arg| &arg.kind) else { return None };
                board.line(u16::try_from(*site).ok()?, way(1)?, &set(2)?)
            }
            Builtin::Step => {
                let (from, way) = (set(0)?, way(1)?);
                let n = if args.len() > 2 { number(2)? } else { 1 };
                let mut found = NO_SITES;
                for site in members(&from) {
                    if let Some(to) = board.walk(site, way, n) {
                        insert(&mut found, to);
                    }
                }
                found
            }
            _ => return None,
        })
    }
}

/// What an operator makes of two sets.
pub(super) fn combined(op: BinaryOp, a: &SiteSet, b: &SiteSet) -> SiteSet {
    match op {
        BinaryOp::Union | BinaryOp::Add => each_word(a, |word, bits| bits | b[word]),
        BinaryOp::Both => each_word(a, |word, bits| bits & b[word]),
        _ => each_word(a, |word, bits| bits & !b[word]),
    }
}

/// The number of a site that is written by its name.
fn fixed_site(expr: &Expr) -> Option<u16> {
    match expr.kind {
        ExprKind::Word(site) => u16::try_from(site).ok(),
        _ => None,
    }
}
