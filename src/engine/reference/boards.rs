//! The functions of the language, those of boards over places that are worked out from coordinates.

use super::super::boards::{Hash, plain_arrangement};
use super::eval::{Answer, Env, Slow, Val};
use super::places::Geometry;
use crate::base::Code;
use crate::model::geometry::PlaceKind;
use crate::model::rules::{BoardId, Builtin, Expr, ExprKind, Ty};
use crate::program::{NIL, ent};
use std::collections::{BTreeMap, BTreeSet};

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
        types.iter().find_map(|ty| board_of(ty)).unwrap_or(self.p.rules.board_id(0))
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
        let way = self.p.boards[board.index()].directions.iter().position(|found| found == name)?;
        self.boards[board.index()].next(site, way as i64)
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
        if !matches!(builtin, Builtin::Fitting | Builtin::First)
            && let Some(value) = self.endless(builtin, args, ty, env)?
        {
            return Ok(value);
        }
        match builtin {
            Builtin::Smaller | Builtin::Larger => {
                let (a, b) = (self.single(args, 0, env)?, self.single(args, 1, env)?);
                let pick = if builtin == Builtin::Smaller { i64::min } else { i64::max };
                Ok(Val::Word(a.zip(b).map(|(a, b)| pick(a, b))))
            }
            Builtin::Abs => Ok(Val::Word(self.single(args, 0, env)?.map(i64::abs))),
            Builtin::First if matches!(args.first().map(|of| &of.bare().kind), Some(ExprKind::EntitiesOf(_))) => {
                let copies = self.many(args, 0, env)?;
                Ok(Val::Word(copies.into_iter().min_by_key(|copy| self.bit(*copy))))
            }
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
            Builtin::Bottom => self.bottom(args, ty, env),
            Builtin::CopyOf | Builtin::OnCopy => {
                let (site, player) = (self.single(args, 0, env)?, self.single(args, args.len() - 1, env)?);
                let board = self.board(&[ty]);
                let each = self.p.rules.boards[board.index()].geometry.sites() as i64 / self.p.layout.seats as i64;
                Ok(match (builtin, player) {
                    (Builtin::CopyOf, Some(player)) => Val::Set((player * each..(player + 1) * each).collect()),
                    (Builtin::OnCopy, Some(player)) => Val::Word(site.map(|site| site + player * each)),
                    _ => Val::missing(ty),
                })
            }
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

    /// The zone of a pile whose end is asked for, and how many of its cards; none where it is nobody's.
    fn end_of(&mut self, args: &[Expr], env: &mut Env) -> Answer<Option<(usize, usize)>> {
        let Some(ExprKind::Contents(zone, of)) = args.first().map(|arg| &arg.kind) else { return Err(Code::WrongType) };
        let player = match of {
            Some(of) => match self.eval(of, env)? {
                Val::Word(Some(player)) => Some(player),
                _ => return Ok(None),
            },
            None => None,
        };
        let instance = self.p.layout.instances.iter().position(|instance| {
            instance.zone == *zone && (instance.player.is_none() || instance.player.map(i64::from) == player)
        });
        let most = if args.len() > 1 { self.single(args, 1, env)?.unwrap_or(0).max(0) as usize } else { 1 };
        Ok(instance.map(|instance| (instance, most)))
    }

    fn top(&mut self, args: &[Expr], ty: &Ty, env: &mut Env) -> Answer<Val> {
        let Some((instance, most)) = self.end_of(args, env)? else { return Ok(Val::missing(ty)) };
        let mut items = self.in_order(instance);
        items.truncate(self.settled(instance).min(most));
        Ok(end(items, ty))
    }

    fn bottom(&mut self, args: &[Expr], ty: &Ty, env: &mut Env) -> Answer<Val> {
        let Some((instance, most)) = self.end_of(args, env)? else { return Ok(Val::missing(ty)) };
        let info = self.p.layout.instances[instance];
        let mut items = self.in_order(instance);
        items.reverse();
        if info.list != 0 && items.len() > self.st.mem[info.list] as usize {
            items.truncate(self.st.mem[info.list + 1] as usize);
        }
        items.truncate(most);
        Ok(end(items, ty))
    }

    fn on_boards(&mut self, builtin: Builtin, args: &[Expr], ty: &Ty, env: &mut Env) -> Answer<Val> {
        let first = args.first().map_or(ty, |arg| &arg.ty);
        let board = match builtin {
            Builtin::BorderTo | Builtin::SiteAt | Builtin::SiteOf | Builtin::SitesOf => self.board(&[ty]),
            _ => self.board(&[first, ty]),
        };
        let boards = self.boards;
        let on = &boards[board.index()];
        let all = (0..on.count()).filter(|site| on.kind(*site).is_some());
        let set = |items: Vec<i64>| Val::Set(items.into_iter().collect());
        let of_kind = |kind: PlaceKind| (0..on.count()).filter(move |site| on.kind(*site) == Some(kind));
        Ok(match builtin {
            Builtin::AllSites => set(all.collect()),
            Builtin::AllCells => set(of_kind(PlaceKind::Cell).collect()),
            Builtin::AllEdges => set(of_kind(PlaceKind::Edge).collect()),
            Builtin::AllCorners => set(of_kind(PlaceKind::Corner).collect()),
            Builtin::AllRim => set(of_kind(PlaceKind::Rim).collect()),
            Builtin::CellsOf | Builtin::EdgesOf | Builtin::CornersOf | Builtin::RimOf => {
                let kind = match builtin {
                    Builtin::CellsOf => PlaceKind::Cell,
                    Builtin::EdgesOf => PlaceKind::Edge,
                    Builtin::CornersOf => PlaceKind::Corner,
                    _ => PlaceKind::Rim,
                };
                let sites = self.many(args, 0, env)?;
                set(of_kind(kind).filter(|site| sites.iter().any(|other| on.touch(*site, *other))).collect())
            }
            Builtin::Empty | Builtin::EmptyOf => {
                let asked = if builtin == Builtin::Empty { all.collect() } else { self.many(args, 0, env)? };
                let taken = self.taken(board);
                set(asked.into_iter().filter(|site| !taken.contains(site)).collect())
            }
            Builtin::Border => set(of_kind(PlaceKind::Cell).filter(|site| on.outer(*site)).collect()),
            Builtin::BorderTo => {
                let way = self.single(args, 0, env)?;
                let open = |site: &i64| way.is_some_and(|way| on.next(*site, way).is_none());
                set(of_kind(PlaceKind::Cell).filter(open).collect())
            }
            Builtin::Origin => Val::Word(Some(on.origin())),
            Builtin::Directions => set(on.ways()),
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
                set(sites.into_iter().flat_map(|site| on.near(site, builtin == Builtin::Beside)).collect())
            }
            Builtin::Step => {
                let from = self.eval(&args[0], env)?;
                let way = self.single(args, 1, env)?;
                let times = if args.len() > 2 { self.single(args, 2, env)?.unwrap_or(0) } else { 1 };
                // So many steps back are as many in the opposite direction.
                let way = if times < 0 { way.and_then(|way| on.opposite(way)) } else { way };
                let to = |site: i64| (0..times.abs()).try_fold(site, |at, _| on.next(at, way?));
                match from {
                    Val::Word(site) => Val::Word(site.filter(|_| way.is_some()).and_then(to)),
                    many => set(many.items().into_iter().filter(|_| way.is_some()).filter_map(to).collect()),
                }
            }
            Builtin::Column | Builtin::Row => {
                let at = self.single(args, 0, env)?.and_then(|site| on.column_row(site));
                Val::Word(at.map(|(column, row)| if builtin == Builtin::Column { column } else { row }))
            }
            Builtin::SiteAt => {
                let wanted = self.single(args, 0, env)?.zip(self.single(args, 1, env)?);
                Val::Word(of_kind(PlaceKind::Cell).find(|site| wanted.is_some() && on.column_row(*site) == wanted))
            }
            Builtin::Repeats => {
                let board = BoardId(self.single(args, 0, env)?.unwrap_or(0) as u32);
                let by = match args.get(1) {
                    Some(_) => self.single(args, 1, env)?.unwrap_or(NIL),
                    None => self.st.mem[usize::from(self.p.layout.mover)],
                };
                let mut words = vec![i64::from(board.0), by];
                let sites = match board.endless() {
                    true => self.lying(board).into_iter().map(|(_, site)| site).collect::<BTreeSet<_>>(),
                    false => (0..self.boards[board.index()].count()).collect(),
                };
                for site in sites {
                    let told = |found: &i64| {
                        let record = &self.st.mem[self.p.layout.entity((found & 0xffff) as usize)..];
                        let what = record[ent::KIND] << 32 | (record[ent::ENTRY] + 1);
                        let props = self.p.layout.arranged(&record[..self.p.layout.entity_words]);
                        [&[what, record[ent::OWNER]], &*props].concat()
                    };
                    let stack = if board.endless() { self.pile(board, site) } else { self.stack(board, site) };
                    let stack: Vec<Vec<i64>> = stack.iter().rev().map(told).collect();
                    for alike in stack.chunk_by(|a, b| a == b) {
                        words.extend([site, alike.len() as i64]);
                        words.extend(&alike[0]);
                    }
                }
                let mut now = Hash::default();
                now.add(&words);
                let now = plain_arrangement(self.p, &self.st.mem, board.index(), by).unwrap_or(now.0);
                Val::Word(Some(self.st.past.iter().filter(|hash| **hash == now).count() as i64))
            }
            Builtin::TopOn | Builtin::Stack => {
                let stack = self.single(args, 0, env)?.map_or(Vec::new(), |site| self.stack(board, site));
                if builtin == Builtin::Stack { Val::List(stack) } else { Val::Word(stack.last().copied()) }
            }
            _ => self.lines_and_groups(builtin, args, on, ty, env)?,
        })
    }

    /// The sites of a board on which something lies.
    fn taken(&self, board: BoardId) -> BTreeSet<i64> {
        let lying = self.existing(None).into_iter().filter_map(|found| self.site_of(found));
        lying.filter(|(on, _)| *on == board.index()).map(|(_, site)| site).collect()
    }

    /// What lies on a site, each thing on the one that lies beneath it.
    pub fn stack(&self, board: BoardId, site: i64) -> Vec<i64> {
        let here = |found: &i64| self.site_of(*found) == Some((board.index(), site));
        let mut left: Vec<i64> = self.existing(None).into_iter().filter(here).collect();
        let (mut stack, mut below) = (Vec::new(), -1);
        while let Some(at) = left.iter().position(|found| {
            let slot = (found & 0xffff) as usize;
            self.st.mem[self.p.layout.entity(slot) + ent::BENEATH] == below
        }) {
            let found = left.remove(at);
            below = found & 0xffff;
            stack.push(found);
        }
        stack
    }

    fn lines_and_groups(
        &mut self,
        builtin: Builtin,
        args: &[Expr],
        on: &Geometry<'_>,
        ty: &Ty,
        env: &mut Env,
    ) -> Answer<Val> {
        Ok(match builtin {
            Builtin::LongestLine => {
                let (site, among) = (self.single(args, 0, env)?, self.many(args, 1, env)?);
                let lines = on.ways().into_iter().map(|way| site.map_or(0, |site| line(on, site, way, &among).len()));
                Val::Word(Some(lines.max().unwrap_or(0) as i64))
            }
            Builtin::Line => {
                let (site, way) = (self.single(args, 0, env)?, self.single(args, 1, env)?);
                let among = self.many(args, 2, env)?;
                Val::Set(site.zip(way).map_or(BTreeSet::new(), |(site, way)| line(on, site, way, &among)))
            }
            Builtin::Ray | Builtin::RunOf => {
                let (site, way) = (self.single(args, 0, env)?, self.single(args, 1, env)?);
                let mut sites = site.zip(way).map_or(Vec::new(), |(site, way)| ray(on, site, way));
                if builtin == Builtin::RunOf {
                    let among = self.many(args, 2, env)?;
                    let end = sites.iter().position(|site| !among.contains(site)).unwrap_or(sites.len());
                    sites.truncate(end);
                }
                Val::List(sites)
            }
            Builtin::Between | Builtin::Bearing => {
                let ends = self.single(args, 0, env)?.zip(self.single(args, 1, env)?);
                let found = ends.and_then(|(from, to)| {
                    on.ways().into_iter().find(|way| ray(on, from, *way).contains(&to)).map(|way| (from, to, way))
                });
                match (builtin, found) {
                    (Builtin::Bearing, found) => {
                        let side = || ends.and_then(|(from, to)| on.side(from, to));
                        Val::Word(found.map(|(_, _, way)| way).or_else(side))
                    }
                    (_, Some((from, to, way))) => {
                        Val::List(ray(on, from, way).into_iter().take_while(|site| *site != to).collect())
                    }
                    (_, None) => Val::List(Vec::new()),
                }
            }
            Builtin::Opposite => Val::Word(self.single(args, 0, env)?.and_then(|way| on.opposite(way))),
            Builtin::Rotate => {
                let turned = self.single(args, 0, env)?.zip(self.single(args, 1, env)?).and_then(|(way, n)| {
                    let mut ways = on.ways();
                    if !ways.contains(&way) {
                        ways = (0..8).collect();
                    }
                    let at = ways.iter().position(|other| *other == way)? as i64;
                    ways.get((at + n).rem_euclid(ways.len() as i64) as usize).copied()
                });
                Val::Word(turned)
            }
            Builtin::Group => {
                let (from, among) = (self.many(args, 0, env)?, self.many(args, 1, env)?);
                let from = from.into_iter().filter(|site| among.contains(site));
                Val::Set(far(on, from, Some(&among)).into_keys().collect())
            }
            Builtin::Groups => {
                let among = self.many(args, 0, env)?;
                let leads = |site: &i64| far(on, [*site], Some(&among)).into_keys().min() == Some(*site);
                Val::Set(among.iter().copied().filter(leads).collect())
            }
            Builtin::Within | Builtin::Ring => {
                let (from, n) = (self.many(args, 0, env)?, self.single(args, 1, env)?.unwrap_or(-1));
                let all = far(on, from, None).into_iter();
                let meant = all.filter(|(_, far)| if builtin == Builtin::Ring { *far == n } else { *far <= n });
                Val::Set(meant.map(|(site, _)| site).collect())
            }
            Builtin::Distance | Builtin::DistanceIn | Builtin::Path => {
                let ends = self.single(args, 0, env)?.zip(self.single(args, 1, env)?);
                let mut among: Vec<i64> = (0..on.count()).collect();
                if builtin != Builtin::Distance {
                    among = self.many(args, 2, env)?;
                    among.extend(ends.into_iter().flat_map(|(from, to)| [from, to]));
                }
                let from_end = ends.map(|(_, to)| far(on, [to], Some(&among))).unwrap_or_default();
                let steps = ends.and_then(|(from, _)| from_end.get(&from).copied());
                if builtin != Builtin::Path {
                    return Ok(Val::Word(steps));
                }
                let mut path = Vec::new();
                if let (Some((from, _)), Some(steps)) = (ends, steps) {
                    path.push(from);
                    for left in (0..steps).rev() {
                        let at = path.last().copied().unwrap_or(from);
                        path.extend(on.near(at, false).into_iter().find(|next| from_end.get(next) == Some(&left)));
                    }
                }
                Val::List(path)
            }
            // INVARIANT: `builtin` and `on_boards` have answered for the rest.
            _ => Val::missing(ty),
        })
    }
}

/// The sites from one on in a direction; where a way leads round, up to where it began.
fn ray(on: &Geometry<'_>, site: i64, way: i64) -> Vec<i64> {
    let next = |at: &i64| on.next(*at, way).filter(|next| *next != site);
    std::iter::successors(next(&site), next).collect()
}

/// The unbroken line through a site.
fn line(on: &Geometry<'_>, site: i64, way: i64, among: &[i64]) -> BTreeSet<i64> {
    if !among.contains(&site) {
        return BTreeSet::new();
    }
    let ways = std::iter::once(way).chain(on.opposite(way));
    let runs = ways.flat_map(|way| ray(on, site, way).into_iter().take_while(|at| among.contains(at)));
    std::iter::once(site).chain(runs).collect()
}

/// How far each site that can be reached is from the nearest of these, through `among` if it is given.
fn far(on: &Geometry<'_>, from: impl IntoIterator<Item = i64>, among: Option<&[i64]>) -> BTreeMap<i64, i64> {
    let mut found: BTreeMap<i64, i64> = from.into_iter().map(|site| (site, 0)).collect();
    let mut steps = 0;
    loop {
        let edge: Vec<i64> = found.iter().filter(|(_, far)| **far == steps).map(|(site, _)| *site).collect();
        if edge.is_empty() {
            return found;
        }
        steps += 1;
        for next in edge.into_iter().flat_map(|site| on.near(site, false)) {
            if among.is_none_or(|among| among.contains(&next)) {
                found.entry(next).or_insert(steps);
            }
        }
    }
}

/// The cards at an end of a pile, or the only one that was asked for.
fn end(items: Vec<i64>, ty: &Ty) -> Val {
    if matches!(ty, Ty::List(_)) { Val::List(items) } else { Val::Word(items.first().copied()) }
}
