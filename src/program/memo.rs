//! Values that never change: the arguments that they have one value for each, and those that were worked out so far. They
//! are kept with the program, for all games that are played with it.

use super::NIL;
use super::code::Builder;
use super::op::{Op, Slot};
use crate::core::{dearest, values};
use crate::model::rules::{Expr, ExprKind, ProcBody, ProcId, Rules};
use std::collections::BTreeSet;
use std::fmt;
use std::sync::OnceLock;

/// A procedure that gives the same for the same arguments, always.
#[derive(Clone)]
pub struct MemoSite {
    /// The procedure.
    pub proc: ProcId,
    /// The least value that each argument can have, and how many there are, with one for nothing. Of numbers only the smaller
    /// ones are kept.
    pub sizes: Vec<(i64, usize)>,
    /// Whether it depends on how many play.
    pub seats: bool,
    /// Units of work that a value may take to be kept.
    pub dearest: u64,
    kept: Box<[OnceLock<Option<Kept>>]>,
}

/// A value that was worked out.
#[derive(Clone, Debug)]
pub struct Kept {
    /// Its words.
    pub words: Box<[i64]>,
    /// What it costs to ask for it again, in units of work.
    pub cost: u64,
}

/// Numbers of players that values are kept for.
const SEATS: usize = crate::base::limits::PLAYERS as usize + 1;

impl MemoSite {
    /// The place of the value for some arguments and so many players; none of a number that is too great or too small.
    #[inline]
    pub fn place(&self, args: &[i64], players: impl FnOnce() -> usize) -> Option<&OnceLock<Option<Kept>>> {
        let mut index = 0;
        for (arg, (low, size)) in args.iter().zip(&self.sizes) {
            let value = match usize::try_from(arg.wrapping_sub(*low)) {
                Ok(value) if value + 1 < *size && *arg != NIL => value,
                _ if *arg == NIL => size - 1,
                _ => return None,
            };
            index = index * size + value;
        }
        if self.seats {
            index = index * SEATS + players();
        }
        self.kept.get(index)
    }
}

impl fmt::Debug for MemoSite {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MemoSite").field("proc", &self.proc).field("sizes", &self.sizes).finish_non_exhaustive()
    }
}

impl Builder<'_> {
    /// Looks up what a memo gives for some arguments.
    pub(super) fn memo(&mut self, proc: ProcId, args: &[Expr], d: Slot) {
        let a = self.args(args);
        let known = self.sites.memos.iter().position(|memo| memo.proc == proc);
        let site = known.unwrap_or_else(|| {
            self.sites.memos.push(site_of(self.rules, proc, args));
            self.sites.memos.len() - 1
        });
        let site = self.short(site);
        self.emit(Op::Memo { d, a, site });
    }
}

fn site_of(rules: &Rules, proc: ProcId, args: &[Expr]) -> MemoSite {
    // INVARIANT: what the arguments of a memo can be is counted.
    let sizes: Vec<(i64, usize)> =
        args.iter().map(|arg| values(rules, &arg.ty).map_or((0, 1), |(low, count)| (low, count + 1))).collect();
    let count = sizes.iter().map(|(_, size)| size).product();
    let seats = asks_who_plays(rules, proc, &mut BTreeSet::new());
    let kept = vec![OnceLock::new(); if seats { count * SEATS } else { count }].into_boxed_slice();
    MemoSite { proc, sizes, seats, dearest: dearest(count), kept }
}

/// Whether a procedure, or one that it calls, asks who plays.
fn asks_who_plays(rules: &Rules, proc: ProcId, seen: &mut BTreeSet<ProcId>) -> bool {
    let ProcBody::Expr(body) = &rules.procs[proc.index()].body else { return false };
    let (mut found, mut called) = (false, Vec::new());
    body.walk(&mut |part| match &part.kind {
        ExprKind::Players | ExprKind::Seat(_) => found = true,
        ExprKind::Call(proc, _) => called.push(*proc),
        _ => {}
    });
    found || called.into_iter().any(|proc| seen.insert(proc) && asks_who_plays(rules, proc, seen))
}
