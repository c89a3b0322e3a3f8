//! The functions of the language, and geometry from coordinates rather than tables.

use super::eval::{Answer, Env, Slow, Val};
use super::word;
use crate::base::Code;
use crate::model::rules::{BoardId, BoardShape, Builtin, Expr, ExprKind, Ty};
use crate::program::{NIL, ent};
use std::collections::{BTreeMap, BTreeSet};

type Cell = (i64, i64);

/// The cells of a board in site order.
fn cells(shape: &BoardShape) -> Vec<Cell> {
    match *shape {
        BoardShape::Square { columns, rows } | BoardShape::HexRhombus { columns, rows } => {
            (0..i64::from(rows)).flat_map(|y| (0..i64::from(columns)).map(move |x| (x, y))).collect()
        }
        BoardShape::Hexagon { side } => {
            let reach = i64::from(side) - 1;
            let all = (-reach..=reach).flat_map(|r| (-reach..=reach).map(move |q| (q, r)));
            all.filter(|(q, r)| (q + r).abs() <= reach).collect()
        }
    }
}

/// The coordinates of a board: of each site, and the site at each.
pub(super) struct Geometry {
    cells: Vec<Cell>,
    sites: BTreeMap<Cell, i64>,
}

impl Geometry {
    /// Works out the coordinates of a board.
    pub fn new(shape: &BoardShape) -> Geometry {
        let cells = cells(shape);
        let sites = cells.iter().enumerate().map(|(site, cell)| (*cell, site as i64)).collect();
        Geometry { cells, sites }
    }
}

/// The step that a direction is.
fn delta(shape: &BoardShape, name: &str) -> Cell {
    let hex = !matches!(shape, BoardShape::Square { .. });
    match (name, hex) {
        ("east", _) => (1, 0),
        ("west", _) => (-1, 0),
        ("north", _) => (0, 1),
        ("south", _) => (0, -1),
        ("northeast", false) => (1, 1),
        ("southeast", false) => (1, -1),
        ("southwest", false) => (-1, -1),
        ("northwest", false) => (-1, 1),
        ("southeast", true) => (0, 1),
        ("southwest", true) => (-1, 1),
        ("northwest", true) => (0, -1),
        _ => (1, -1),
    }
}

/// The board that a type speaks of.
pub(super) fn board_of(ty: &Ty) -> Option<BoardId> {
    match ty {
        Ty::Site(board) | Ty::Direction(board) => Some(*board),
        Ty::Set(item) | Ty::List(item) | Ty::Maybe(item) => board_of(item),
        _ => None,
    }
}

impl Slow<'_> {
    fn board(&self, types: &[&Ty]) -> BoardId {
        types.iter().find_map(|ty| board_of(ty)).unwrap_or(BoardId(0))
    }

    fn step(&self, board: BoardId, site: i64, by: Cell, times: i64) -> Option<i64> {
        let Geometry { cells, sites } = &self.boards[board.index()];
        let mut at = *cells.get(usize::try_from(site).ok()?)?;
        for _ in 0..times.max(0) {
            at = (at.0 + by.0, at.1 + by.1);
            sites.get(&at)?;
        }
        sites.get(&at).copied()
    }

    fn directions(&self, board: BoardId) -> Vec<Cell> {
        let shape = &self.p.rules.boards[board.index()].shape;
        self.p.boards[board.index()].directions.iter().map(|name| delta(shape, name)).collect()
    }

    fn neighbours(&self, board: BoardId, sites: &[i64], edges_only: bool) -> BTreeSet<i64> {
        let square = matches!(self.p.rules.boards[board.index()].shape, BoardShape::Square { .. });
        let ways = self.directions(board);
        let ways: Vec<Cell> = ways.into_iter().filter(|(x, y)| !(edges_only && square && x * y != 0)).collect();
        sites.iter().flat_map(|site| ways.iter().filter_map(|way| self.step(board, *site, *way, 1))).collect()
    }

    /// Board and site of an entity that lies on a board.
    fn site_of(&self, found: i64) -> Option<(usize, i64)> {
        let record = self.p.layout.entity((found & 0xffff) as usize);
        let packed = self.st.mem[record + ent::SITE];
        let current = self.reference((found & 0xffff) as usize) == found;
        (current && self.st.mem[record + ent::PLACE] == ent::ON_BOARD)
            .then_some(((packed / 4096) as usize, packed % 4096))
    }

    /// The site next to one in the direction of a name.
    pub fn beyond(&self, board: BoardId, site: i64, name: &str) -> Option<i64> {
        self.step(board, site, delta(&self.p.rules.boards[board.index()].shape, name), 1)
    }

    /// What lies on top of a site: what came last.
    pub fn on_top(&self, board: BoardId, site: i64) -> Option<i64> {
        let top = self.st.mem[self.p.layout.boards[board.index()].tops + site as usize];
        usize::try_from(top).ok().map(|slot| self.reference(slot))
    }

    fn longest_line(&self, board: BoardId, site: i64, among: &[i64]) -> i64 {
        if !among.contains(&site) {
            return 0;
        }
        let run = |by: Cell| {
            (1..).take_while(|n| self.step(board, site, by, *n).is_some_and(|at| among.contains(&at))).count()
        };
        let ways = self.directions(board);
        ways.into_iter().map(|(x, y)| 1 + run((x, y)) + run((-x, -y))).max().unwrap_or(1) as i64
    }

    fn single(&mut self, args: &[Expr], index: usize, env: &mut Env) -> Answer<Option<i64>> {
        match args.get(index) {
            Some(arg) => match self.eval(arg, env)? {
                Val::Word(found) => Ok(found),
                _ => Ok(None),
            },
            None => Ok(None),
        }
    }

    fn many(&mut self, args: &[Expr], index: usize, env: &mut Env) -> Answer<Vec<i64>> {
        args.get(index).map_or(Ok(Vec::new()), |arg| self.members(arg, env))
    }

    /// A function of the language.
    pub fn builtin(&mut self, builtin: Builtin, args: &[Expr], ty: &Ty, env: &mut Env) -> Answer<Val> {
        match builtin {
            Builtin::Smaller | Builtin::Larger => {
                let (a, b) = (self.single(args, 0, env)?, self.single(args, 1, env)?);
                let pick = if builtin == Builtin::Smaller { i64::min } else { i64::max };
                Ok(Val::Word(a.zip(b).map(|(a, b)| pick(a, b))))
            }
            Builtin::Abs => Ok(Val::Word(self.single(args, 0, env)?.map(i64::abs))),
            Builtin::First => Ok(Val::Word(self.many(args, 0, env)?.first().copied())),
            Builtin::EnumIndex => Ok(Val::Word(self.single(args, 0, env)?.map(|value| value + 1))),
            Builtin::Clockwise | Builtin::After => {
                let from = self.single(args, 0, env)?;
                let players = i64::from(self.st.players);
                let playing = self.playing();
                let seats = (0..players).map(|step| (from.unwrap_or(0) + step).rem_euclid(players));
                let seats = seats.filter(|seat| playing.contains(seat));
                Ok(Val::List(seats.filter(|seat| builtin == Builtin::Clockwise || Some(*seat) != from).collect()))
            }
            Builtin::Top => self.top(args, ty, env),
            Builtin::Turnings => {
                let tile = self.single(args, 0, env)?;
                Ok(Val::Set(tile.map_or(BTreeSet::new(), |tile| self.turnings(tile))))
            }
            Builtin::Fitting => {
                let (tile, site) = (self.single(args, 0, env)?, self.single(args, 1, env)?);
                let board = self.board(&[&args[1].ty]);
                Ok(Val::Set(tile.zip(site).map_or(BTreeSet::new(), |(tile, site)| self.fitting(tile, board, site))))
            }
            _ => self.on_boards(builtin, args, ty, env),
        }
    }

    fn top(&mut self, args: &[Expr], ty: &Ty, env: &mut Env) -> Answer<Val> {
        let Some(ExprKind::Contents(zone, of)) = args.first().map(|arg| &arg.kind) else { return Err(Code::WrongType) };
        let player = match of {
            Some(of) => match self.eval(of, env)? {
                Val::Word(Some(player)) => Some(player),
                _ => return Ok(Val::missing(ty)),
            },
            None => None,
        };
        let instance = self.p.layout.instances.iter().position(|instance| {
            instance.zone == *zone && (instance.player.is_none() || instance.player.map(i64::from) == player)
        });
        let Some(instance) = instance else { return Ok(Val::missing(ty)) };
        let most = if args.len() > 1 { self.single(args, 1, env)?.unwrap_or(0).max(0) as usize } else { 1 };
        let mut items = self.in_order(instance);
        items.truncate(self.settled(instance).min(most));
        Ok(if matches!(ty, Ty::List(_)) { Val::List(items) } else { Val::Word(items.first().copied()) })
    }

    fn on_boards(&mut self, builtin: Builtin, args: &[Expr], ty: &Ty, env: &mut Env) -> Answer<Val> {
        let first = args.first().map_or(ty, |arg| &arg.ty);
        let board = match builtin {
            Builtin::Empty | Builtin::AllSites | Builtin::Directions | Builtin::SiteAt | Builtin::SiteOf => {
                self.board(&[ty])
            }
            Builtin::SitesOf => self.board(&[ty]),
            _ => self.board(&[first, ty]),
        };
        let boards = self.boards;
        let cells = &boards[board.index()].cells;
        let set = |items: Vec<i64>| Val::Set(items.into_iter().collect());
        Ok(match builtin {
            Builtin::AllSites => set((0..cells.len() as i64).collect()),
            Builtin::Empty => {
                let taken: Vec<i64> = self
                    .existing(None)
                    .into_iter()
                    .filter_map(|found| self.site_of(found))
                    .filter(|(on, _)| *on == board.index())
                    .map(|(_, site)| site)
                    .collect();
                set((0..cells.len() as i64).filter(|site| !taken.contains(site)).collect())
            }
            Builtin::Directions => set((0..self.p.boards[board.index()].directions.len() as i64).collect()),
            Builtin::SitesOf => {
                let pieces = self.many(args, 0, env)?;
                let on =
                    pieces.into_iter().filter_map(|piece| self.site_of(piece)).filter(|(on, _)| *on == board.index());
                set(on.map(|(_, site)| site).collect())
            }
            Builtin::SiteOf => {
                let piece = self.single(args, 0, env)?;
                Val::Word(
                    piece
                        .and_then(|piece| self.site_of(piece))
                        .filter(|(on, _)| *on == board.index())
                        .map(|(_, site)| site),
                )
            }
            Builtin::PiecesOn => {
                let sites = self.many(args, 0, env)?;
                let here = |found: &i64| {
                    self.site_of(*found).is_some_and(|(on, site)| on == board.index() && sites.contains(&site))
                };
                set(self.existing(None).into_iter().filter(here).collect())
            }
            Builtin::Around | Builtin::Beside => {
                let sites = self.many(args, 0, env)?;
                Val::Set(self.neighbours(board, &sites, builtin == Builtin::Beside))
            }
            Builtin::Step => {
                let from = self.eval(&args[0], env)?;
                let way = self.single(args, 1, env)?;
                let times = if args.len() > 2 { self.single(args, 2, env)?.unwrap_or(0) } else { 1 };
                let by = way.and_then(|way| self.directions(board).get(way as usize).copied());
                let to = |site: i64| by.and_then(|by| self.step(board, site, by, times));
                match from {
                    Val::Word(site) => Val::Word(site.and_then(to)),
                    many => set(many.items().into_iter().filter_map(to).collect()),
                }
            }
            Builtin::LongestLine => {
                let (site, among) = (self.single(args, 0, env)?, self.many(args, 1, env)?);
                Val::Word(Some(site.map_or(0, |site| self.longest_line(board, site, &among))))
            }
            Builtin::Column | Builtin::Row => {
                let pick = |cell: &Cell| if builtin == Builtin::Column { cell.0 } else { cell.1 };
                let least = cells.iter().map(pick).min().unwrap_or(0);
                let site = self.single(args, 0, env)?.and_then(|site| cells.get(usize::try_from(site).ok()?));
                Val::Word(site.map(|cell| pick(cell) - least + 1))
            }
            Builtin::SiteAt => {
                let (column, row) = (self.single(args, 0, env)?, self.single(args, 1, env)?);
                let least = |pick: fn(&Cell) -> i64| cells.iter().map(pick).min().unwrap_or(0);
                let (left, bottom) = (least(|cell| cell.0), least(|cell| cell.1));
                let wanted = column.zip(row).map(|(column, row)| (left + column - 1, bottom + row - 1));
                let site = wanted.and_then(|wanted| cells.iter().position(|cell| *cell == wanted));
                Val::Word(word(site.map_or(NIL, |site| site as i64)))
            }
            // INVARIANT: `builtin` has answered for the rest.
            _ => Val::missing(ty),
        })
    }
}
