//! Values that depend on nothing but one player, such as `if p = seat(1) then north else south`: they are worked out for
//! every seat when the game is compiled, and looked up in play.

use super::alike::alike;
use super::board::SiteSet;
use super::code::Builder;
use super::exprs::board_of;
use super::layout::{Repr, repr};
use super::op::{Op, Slot};
use super::regions::combined;
use super::{NIL, walk};
use crate::model::rules::{Builtin, BuiltinProp, Expr, ExprKind, ProcBody, Ty};
use std::cell::Cell;

/// Parts of expressions that are looked at for one seat.
const MOST_PARTS: u32 = 60;

/// A value that is known when the game is compiled.
enum Known {
    Word(i64),
    Sites(SiteSet),
}

impl Builder<'_> {
    /// Looks a value up that depends on one player alone; false if it is none such.
    pub(super) fn tabulated(&mut self, expr: &Expr, d: Slot) -> bool {
        let kind = repr(&expr.ty);
        let looked_up = match &expr.kind {
            ExprKind::If(..) | ExprKind::Call(..) => matches!(kind, Repr::Word | Repr::Sites),
            ExprKind::Builtin(Builtin::Rotate | Builtin::Opposite, _) => true,
            _ => false,
        };
        if !looked_up {
            return false;
        }
        let (mut key, mut left) = (None, MOST_PARTS);
        if !self.key(expr, &mut key, &mut left) {
            return false;
        }
        let Some(key) = key.cloned() else { return false };
        let seats = (0..self.layout.seats as i64).chain([NIL]);
        let told = |seat| Told { builder: self, key: &key, seat, left: Cell::new(MOST_PARTS) }.of(expr, None);
        let Some(known) = seats.map(told).collect::<Option<Vec<Known>>>() else { return false };
        let mut words = Vec::new();
        let mut sets = Vec::new();
        for value in known {
            match value {
                Known::Word(word) => words.push(word),
                Known::Sites(set) => sets.push(set),
            }
        }
        if sets.is_empty() {
            let p = self.expr(&key);
            let table = self.table_of(words);
            self.emit(Op::ByPlayer { d, p, table });
            return true;
        }
        let Some(a) = self.region_row(&sets) else { return false };
        let p = self.expr(&key);
        self.emit(Op::Pick { w: self.layout.site_set as u8, d, a, p });
        true
    }

    /// The one player that an expression depends on: false where there are several, or something else varies as well.
    fn key<'e>(&self, expr: &'e Expr, key: &mut Option<&'e Expr>, left: &mut u32) -> bool {
        *left = left.saturating_sub(1);
        if *left == 0 {
            return false;
        }
        let player = |ty: &Ty| matches!(ty.bare(), Ty::Player);
        let owner = |of: &Expr, prop| {
            matches!(of.kind, ExprKind::Local(_)) && super::layout::is_builtin(self.rules, prop, BuiltinProp::Owner)
        };
        match &expr.kind {
            ExprKind::Me | ExprKind::Mover => {}
            ExprKind::Local(_) if player(&expr.ty) => {}
            ExprKind::Prop(of, prop) if player(&expr.ty) && owner(of, *prop) => {}
            ExprKind::Local(_) | ExprKind::Prop(..) => return false,
            ExprKind::Where { .. } => return self.region(expr).is_some(),
            _ => {
                let mut fine = true;
                expr.each_part(&mut |part| fine = fine && self.key(part, key, left));
                return fine;
            }
        }
        match key {
            Some(key) => alike(key, expr),
            None => {
                *key = Some(expr);
                true
            }
        }
    }

    /// Where sets of sites stand that never change, one after another; none if there is no room at a fixed place.
    fn region_row(&mut self, sets: &[SiteSet]) -> Option<Slot> {
        let regions = &mut self.sites.regions;
        let known = regions.windows(sets.len()).position(|row| row == sets);
        let first = known.unwrap_or(regions.len());
        let at = self.layout.regions + (first + sets.len()) * usize::from(self.layout.site_set);
        if at >= usize::from(Slot::LOCAL - u16::from(u8::MAX)) {
            return None;
        }
        if known.is_none() {
            regions.extend_from_slice(sets);
        }
        Some(Slot((at - sets.len() * usize::from(self.layout.site_set)) as u16))
    }
}

/// Works an expression out for one seat.
struct Told<'b, 'r> {
    builder: &'b Builder<'r>,
    /// What stands for the seat.
    key: &'b Expr,
    seat: i64,
    left: Cell<u32>,
}

impl Told<'_, '_> {
    /// The value of an expression. In a definition its arguments are given.
    fn of(&self, expr: &Expr, args: Option<&[i64]>) -> Option<Known> {
        self.left.set(self.left.get().checked_sub(1)?);
        let rules = self.builder.rules;
        match &expr.kind {
            ExprKind::If(cond, yes, no) => self.of(if self.word(cond, args)? == 1 { yes } else { no }, args),
            ExprKind::Call(proc, given) => {
                let ProcBody::Expr(body) = &rules.procs[proc.index()].body else { return None };
                let given = given.iter().map(|arg| self.word(arg, args)).collect::<Option<Vec<i64>>>()?;
                self.of(body, Some(&given))
            }
            _ if repr(&expr.ty) == Repr::Sites => match &expr.kind {
                ExprKind::Binary(op, a, b) => {
                    let (Known::Sites(a), Known::Sites(b)) = (self.of(a, args)?, self.of(b, args)?) else {
                        return None;
                    };
                    Some(Known::Sites(combined(*op, &a, &b)))
                }
                _ => self.builder.region(expr).map(Known::Sites),
            },
            _ if repr(&expr.ty) == Repr::Word => self.plain_word(expr, args).map(Known::Word),
            _ => None,
        }
    }

    fn word(&self, expr: &Expr, args: Option<&[i64]>) -> Option<i64> {
        match self.of(expr, args)? {
            Known::Word(word) => Some(word),
            Known::Sites(_) => None,
        }
    }

    fn plain_word(&self, expr: &Expr, args: Option<&[i64]>) -> Option<i64> {
        let word = |expr: &Expr| self.word(expr, args);
        let truth = |expr: &Expr| self.word(expr, args).map(|word| word == 1);
        Some(match &expr.kind {
            ExprKind::Me | ExprKind::Mover if alike(self.key, expr) => self.seat,
            ExprKind::Local(local) => match args {
                Some(args) => *args.get(local.index())?,
                None if alike(self.key, expr) => self.seat,
                None => return None,
            },
            ExprKind::Prop(..) if args.is_none() && alike(self.key, expr) => self.seat,
            ExprKind::Seat(number) => {
                let seat = walk::constant(self.builder.rules, number)?;
                (1..=i64::from(self.builder.rules.players.0)).contains(&seat).then_some(seat - 1)?
            }
            ExprKind::Nothing => NIL,
            ExprKind::Not(a) => i64::from(!truth(a)?),
            ExprKind::And(a, b) => i64::from(truth(a)? && truth(b)?),
            ExprKind::Or(a, b) => i64::from(truth(a)? || truth(b)?),
            ExprKind::Compare(op, a, b) => {
                let there = |word: i64| (word != NIL).then_some(word);
                i64::from(op.holds_of(there(word(a)?), there(word(b)?)))
            }
            ExprKind::Builtin(Builtin::Rotate, args) => {
                let (way, n) = (word(args.first()?)?, word(args.get(1)?)?);
                let board = self.builder.boards.get(usize::from(board_of(&expr.ty)))?;
                board.rotate(way, n).unwrap_or(NIL)
            }
            ExprKind::Builtin(Builtin::Opposite, args) => {
                let way = word(args.first()?)?;
                let board = self.builder.boards.get(usize::from(board_of(&expr.ty)))?;
                let opposite = usize::try_from(way).ok().and_then(|way| board.opposite.get(way));
                opposite.map_or(NIL, |way| i64::from(*way))
            }
            _ => walk::constant(self.builder.rules, expr)?,
        })
    }
}
