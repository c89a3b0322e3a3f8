//! Sites of boards without an end: how one is a word, and code for functions of such boards.

use super::code::Builder;
use super::op::{Op, Slot};
use super::sites::EndlessSite;
use crate::model::rules::{Board, Builtin, Expr, Per, RootKind, Rules, Ty};

/// How far from the origin a site may be, along each axis.
pub const REACH: i64 = 32_000;
const ZERO: i64 = 0x8000;

/// A site of a board without an end. As words they are in the order of the boards, then of rows, then of columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Spot {
    /// Which of the boards of one declaration.
    pub on: i64,
    /// To the east of the origin.
    pub x: i64,
    /// To the north of it.
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
        pattern.replace("{x}", &self.x.to_string()).replace("{y}", &self.y.to_string())
    }
}

/// The number of the board of a thing, among those of one declaration.
pub fn board_of_thing(slot: usize, generation: i64) -> i64 {
    (slot as i64) << 14 | (generation & 0x3fff)
}

/// The step in each direction of a board without an end, in the order of its directions.
pub fn steps(directions: &[impl AsRef<str>]) -> Vec<(i64, i64)> {
    let one = |name: &str, plus: &str, minus: &str| i64::from(name.contains(plus)) - i64::from(name.contains(minus));
    directions.iter().map(AsRef::as_ref).map(|name| (one(name, "east", "west"), one(name, "north", "south"))).collect()
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
    ways.map_or(0, |ways| (ways * most_pieces(rules, capacity)).min(MOST_ITEMS))
}

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
        });
        let site = self.long(self.sites.endless.len() - 1);
        self.emit(Op::OnEndless { d, site });
        true
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

    #[test]
    fn directions_are_steps() {
        assert_eq!(steps(&["north", "southeast", "west"]), [(0, 1), (1, -1), (-1, 0)]);
    }
}
