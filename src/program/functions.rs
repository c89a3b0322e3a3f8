//! Code for the functions of the language.

use super::NIL;
use super::board::{Adjacency, NO_SITES};
use super::code::{Builder, Order};
use super::exprs::board_of;
use super::layout::{Repr, repr};
use super::op::{Op, Slot};
use super::sites::{BoardSite, LeapSite};
use crate::model::rules::{BinaryOp, Builtin, Expr, ExprKind, Ty};

impl Builder<'_> {
    pub(super) fn builtin(&mut self, builtin: Builtin, args: &[Expr], ty: &Ty, d: Slot) {
        if self.endless(builtin, args, ty, d) {
            return;
        }
        // A board that is named in the text is in the type of the result, else the first argument speaks of one.
        let named = matches!(
            builtin,
            Builtin::Empty
                | Builtin::AllSites
                | Builtin::Directions
                | Builtin::SiteAt
                | Builtin::SitesOf
                | Builtin::SiteOf
                | Builtin::Origin
                | Builtin::BorderTo
                | Builtin::CopyOf
        );
        let board = if named { board_of(ty) } else { args.first().map_or(0, |arg| board_of(&arg.ty)) };
        if let (Builtin::SitesOf, Some(arg)) = (builtin, args.first())
            && (self.owned_sites(arg, board, d) || self.sites_of_kind(arg, board, d))
        {
            return;
        }
        if let (Builtin::Around | Builtin::Beside, Some(ExprKind::ToSet(site))) =
            (builtin, args.first().map(|arg| &arg.kind))
            && repr(&site.ty) == Repr::Word
        {
            let (board, beside, a) = (board as u8, builtin == Builtin::Beside, self.expr(site));
            return self.emit(Op::Near { board, beside, d, a });
        }
        let slots: Vec<Slot> = match builtin {
            Builtin::Top | Builtin::Bottom | Builtin::Empty | Builtin::AllSites | Builtin::Directions => Vec::new(),
            _ => args.iter().map(|arg| self.expr(arg)).collect(),
        };
        let a = slots.first().copied().unwrap_or(Slot::NONE);
        let b = slots.get(1).copied().unwrap_or(Slot::NONE);
        if let Some(table) = self.table(builtin, args, board) {
            return self.emit(Op::Lookup { d, a, table });
        }
        match builtin {
            Builtin::Smaller => self.emit(Op::Smaller { d, a, b }),
            Builtin::Larger => self.emit(Op::Larger { d, a, b }),
            Builtin::Abs => self.emit(Op::Abs { d, a }),
            Builtin::First => self.first(&args[0], a, d),
            Builtin::Top | Builtin::Bottom => {
                let below = builtin == Builtin::Bottom;
                let n = match args.get(1) {
                    Some(n) => self.expr(n),
                    None => self.word(1),
                };
                if let ExprKind::Contents(zone, of) = &args[0].kind {
                    let zone = self.instance(*zone, of.as_deref());
                    if repr(ty) == Repr::Word {
                        let (list, zero) = (self.temp(self.layout.list_items + 1), self.word(0));
                        self.emit(Op::TopOf { d: list, zone, n, below });
                        self.emit(Op::Item { d, list, i: zero });
                    } else {
                        self.emit(Op::TopOf { d, zone, n, below });
                    }
                }
            }
            Builtin::Clockwise => self.emit(Op::Clockwise { d, a, after: false }),
            Builtin::After => self.emit(Op::Clockwise { d, a, after: true }),
            Builtin::Empty => {
                let all = self.all_sites(board);
                self.empty_of(board, all, d);
            }
            Builtin::EmptyOf => self.empty_of(board, a, d),
            Builtin::Directions => {
                let all = self.rules.boards[usize::from(board)].geometry.used as i64;
                let all = self.word(all);
                self.copy(1, d, all);
            }
            Builtin::SitesOf => self.emit(Op::SitesOf { d, a, board }),
            Builtin::SiteOf => self.emit(Op::SiteOf { d, a, board }),
            Builtin::PiecesOn => self.emit(Op::PiecesOn { d, a, board }),
            Builtin::Around => self.emit(Op::Adjacent { board: board as u8, by: Adjacency::Around, d, a }),
            Builtin::Beside => self.emit(Op::Adjacent { board: board as u8, by: Adjacency::Beside, d, a }),
            Builtin::CellsOf | Builtin::EdgesOf | Builtin::CornersOf | Builtin::RimOf => {
                let (w, among) = (self.layout.site_set as u8, self.temp(self.layout.site_set));
                self.emit(Op::Adjacent { board: board as u8, by: Adjacency::Touching, d: among, a });
                let kind = builtin.place_kind().map_or(NO_SITES, |kind| self.boards[usize::from(board)].of_kind(kind));
                let b = self.region_slot(kind);
                self.emit(Op::And { w, d, a: among, b });
            }
            Builtin::Step if args.get(2).is_none_or(|n| super::walk::constant(self.rules, n) == Some(1)) => {
                let (board, way) = (board as u8, b);
                let many = repr(&args[0].ty) != Repr::Word;
                self.emit(if many { Op::Ahead { board, d, a, way } } else { Op::StepOne { board, d, a, way } });
            }
            Builtin::Step => {
                let many = repr(&args[0].ty) != Repr::Word;
                let n = slots.get(2).copied().unwrap_or_else(|| self.word(1));
                if many {
                    return self.leap(
                        d,
                        LeapSite { board, ways: b, each: false, n, from: a, one: false, back: false, shown: None },
                    );
                }
                let board = self.word(i64::from(board));
                let direction = self.temp(3);
                self.emit(Op::Copy { d: direction, a: b });
                self.emit(Op::Copy { d: direction.offset(1), a: board });
                self.emit(Op::Copy { d: direction.offset(2), a: n });
                self.emit(Op::Step { d, a, direction });
            }
            Builtin::LongestLine => self.emit(Op::LongestLine { board: board as u8, d, a, sites: b }),
            Builtin::Turnings => self.emit(Op::Turnings { d, e: a }),
            Builtin::Fitting => {
                let board = board_of(&args[1].ty) as u8;
                self.emit(Op::Fitting { board, d, e: a, s: b });
            }
            Builtin::EnumIndex => {
                let one = self.word(1);
                self.emit(Op::Add { d, a, b: one });
            }
            Builtin::SiteAt => {
                let operands = self.temp(2);
                self.emit(Op::Copy { d: operands, a });
                self.emit(Op::Copy { d: operands.offset(1), a: b });
                self.emit(Op::SiteAt { d, a: operands, board });
            }
            Builtin::Origin => {
                let origin = i64::from(self.rules.boards[usize::from(board)].geometry.origin);
                let origin = self.word(origin);
                self.copy(1, d, origin);
            }
            _ => {
                let board = match (builtin, args.first().map(|arg| &arg.kind)) {
                    (Builtin::Repeats, Some(ExprKind::Word(board))) => *board as u16,
                    _ => board,
                };
                self.sites.boards.push(BoardSite { what: builtin, board, args: slots });
                let site = self.long(self.sites.boards.len() - 1);
                self.emit(Op::OnBoard { d, site });
            }
        }
    }

    /// Those of some sites of a board on which nothing lies.
    pub(super) fn empty_of(&mut self, board: u16, a: Slot, d: Slot) {
        let w = self.layout.site_set as u8;
        let mut all = a;
        if a == d && !self.laid.is_empty() {
            all = self.temp(u16::from(w));
            self.copy(u16::from(w), all, a);
        }
        match self.occupied_sites(board) {
            Some(b) => self.emit(Op::AndNot { w, d, a, b }),
            None => {
                let b = self.temp(u16::from(w));
                self.emit(Op::EmptySites { d: b, board });
                self.emit(Op::And { w, d, a, b });
            }
        }
        self.take_laid(all, d);
    }

    /// Where the set of the sites of a board lies on which something is, if an instruction can name the place.
    fn occupied_sites(&self, board: u16) -> Option<Slot> {
        let occupied = u16::try_from(self.layout.boards[usize::from(board)].occupied).ok();
        occupied.filter(|slot| *slot < Slot::LOCAL).map(Slot)
    }

    /// The sites of a set with something on them, where what lies on them is asked for.
    pub(super) fn occupied(&mut self, pieces: &Expr) -> Option<Slot> {
        let ExprKind::Builtin(builtin @ (Builtin::PiecesOn | Builtin::TopOn), args) = &pieces.kind else { return None };
        // What is imagined is not among what lies there.
        let laid = !self.laid.is_empty();
        let one = args.first().filter(|_| laid && *builtin == Builtin::TopOn).map(super::lines::one_site);
        let sites = one.as_ref().or(args.first()).filter(|sites| repr(&sites.ty) == Repr::Sites)?;
        let board = board_of(&sites.ty);
        let (w, a, d) = (self.layout.site_set as u8, self.expr(sites), self.temp(self.layout.site_set));
        if laid {
            let b = self.temp(self.layout.site_set);
            self.empty_of(board, a, b);
            self.emit(Op::AndNot { w, d, a, b });
            return Some(d);
        }
        let b = self.occupied_sites(board)?;
        self.emit(Op::And { w, d, a, b });
        Some(d)
    }

    /// `count pieces(S)`: they need not be gathered.
    pub(super) fn count_pieces(&mut self, pieces: &Expr, d: Slot) -> bool {
        let ExprKind::Builtin(Builtin::PiecesOn, args) = &pieces.kind else { return false };
        let Some(sites) = args.first().filter(|sites| repr(&sites.ty) == Repr::Sites && self.laid.is_empty()) else {
            return false;
        };
        let (a, board) = (self.expr(sites), board_of(&sites.ty));
        self.emit(Op::CountPieces { d, a, board });
        true
    }

    /// `some (group(S, T) & U)`: whether the group reaches the set, which may be seen before all of it is found.
    pub(super) fn group_reaches(&mut self, both: &Expr) -> Option<Slot> {
        let ExprKind::Binary(BinaryOp::Both, a, b) = &both.kind else { return None };
        let group =
            |expr: &Expr| matches!(&expr.kind, ExprKind::Builtin(Builtin::Group, _)) && repr(&expr.ty) == Repr::Sites;
        let (group, goal) = if group(a) { (a, b) } else { (b, a) };
        let ExprKind::Builtin(Builtin::Group, args) = &group.kind else { return None };
        if repr(&group.ty) != Repr::Sites {
            return None;
        }
        let board = board_of(&group.ty);
        let args = args.iter().chain([goal.as_ref()]).map(|arg| self.expr(arg)).collect();
        let d = self.temp(1);
        self.sites.boards.push(BoardSite { what: Builtin::Group, board, args });
        let site = self.long(self.sites.boards.len() - 1);
        self.emit(Op::Reaches { d, site });
        Some(d)
    }

    /// The table of a function of one word that depends on the board alone.
    fn table(&mut self, builtin: Builtin, args: &[Expr], board: u16) -> Option<u16> {
        let topology = self.boards.get(usize::from(board))?;
        let ways = 0..topology.directions.len() as i64;
        let table: Vec<i64> = match builtin {
            Builtin::Column => topology.at.iter().map(|at| i64::from(at.0) + 1).collect(),
            Builtin::Row => topology.at.iter().map(|at| i64::from(at.1) + 1).collect(),
            Builtin::Opposite => topology.opposite.iter().map(|way| i64::from(*way)).collect(),
            Builtin::Rotate => {
                let n = super::walk::constant(self.rules, args.get(1)?)?;
                ways.map(|way| topology.rotate(way, n).unwrap_or(NIL)).collect()
            }
            _ => return None,
        };
        Some(self.table_of(table))
    }

    /// The number of a table.
    pub(super) fn table_of(&mut self, table: Vec<i64>) -> u16 {
        let known = self.sites.tables.iter().position(|known| *known == table);
        let index = known.unwrap_or_else(|| {
            self.sites.tables.push(table);
            self.sites.tables.len() - 1
        });
        self.short(index)
    }

    fn first(&mut self, arg: &Expr, a: Slot, d: Slot) {
        match repr(&arg.ty) {
            Repr::Word => self.copy(1, d, a),
            Repr::List => {
                let i = self.word(0);
                self.emit(Op::Item { d, list: a, i });
            }
            // Of the copies of a definition it tells nothing when they were made.
            Repr::Entities if matches!(arg.bare().kind, ExprKind::EntitiesOf(_)) => {
                self.emit(Op::FirstEntity { d, set: a });
            }
            Repr::Entities if self.as_shown(Order::default(), &arg.ty) => self.emit(Op::FirstShown { d, set: a }),
            Repr::Entities => self.emit(Op::FirstEntity { d, set: a }),
            kind => self.emit(Op::FirstBit { w: self.layout.set_words(kind), d, set: a }),
        }
    }
}
