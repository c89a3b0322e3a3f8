//! Boards without an end, from what lies on them.

use super::eval::{Answer, Env, Slow, Val};
use super::word;
use crate::base::Code;
use crate::model::rules::{BoardId, BoardShape, Builtin, Expr, Per, Ty};
use crate::program::{REACH, Spot, board_of_thing, ent};
use std::collections::{BTreeMap, BTreeSet};

impl Slow<'_> {
    /// What lies on an endless board: each piece with its site.
    pub fn lying(&self, board: BoardId) -> Vec<(i64, i64)> {
        let place = |found: i64| self.st.mem[self.record(found).0 + ent::PLACE];
        let here = self.existing(None).into_iter().filter(|found| ent::ENDLESS - place(*found) == board.index() as i64);
        here.map(|found| (found, self.st.mem[self.record(found).0 + ent::SITE])).collect()
    }

    /// The pieces on a site, in the order in which they came.
    pub fn pile(&self, board: BoardId, site: i64) -> Vec<i64> {
        let mut here: Vec<i64> =
            self.lying(board).into_iter().filter(|(_, at)| *at == site).map(|(piece, _)| piece).collect();
        // Each lies on what is beneath it, so the one that nothing lies on comes last.
        let beneath = |piece: i64| self.st.mem[self.record(piece).0 + ent::BENEATH];
        let depth = |piece: i64| {
            let (mut under, mut depth) = (beneath(piece), 0);
            while under >= 0 {
                depth += 1;
                under = beneath(self.reference(under as usize));
            }
            depth
        };
        here.sort_by_key(|piece| depth(*piece));
        here
    }

    /// What lies on a site next to one, from the bottom, on boards of all sorts.
    pub fn stack_beside(&self, board: BoardId, site: i64, name: &str) -> Vec<i64> {
        if !board.endless() {
            return self.beyond(board, site, name).map_or(Vec::new(), |next| self.stack(board, next));
        }
        let next = Spot::of(site).moved(self.step_of(board, name)).word();
        next.map_or(Vec::new(), |next| self.pile(board, next))
    }

    fn step_words(&self, board: BoardId, sides: bool) -> Vec<(i64, i64)> {
        let names = self.clockwise(board);
        let steps = names.into_iter().map(|name| self.step_of(board, name));
        steps.filter(|(x, y)| self.of_hexes(board) || !sides || x * y == 0).collect()
    }

    /// Which board of a declaration is a player's or thing's.
    fn number_of(&self, board: BoardId, whose: Option<i64>) -> Option<i64> {
        match self.p.rules.boards[board.index()].per {
            Per::Game => Some(0),
            Per::Player => whose,
            Per::Kind(_) => {
                let whose = whose.filter(|whose| self.existing(None).contains(whose))?;
                Some(board_of_thing((whose & 0xffff) as usize, whose >> 16))
            }
        }
    }

    /// A function of an endless board, if it is one.
    pub fn endless(&mut self, builtin: Builtin, args: &[Expr], ty: &Ty, env: &mut Env) -> Answer<Option<Val>> {
        let Some(board) = ty.endless_board().or_else(|| args.iter().find_map(|arg| arg.ty.endless_board())) else {
            return Ok(None);
        };
        let mut values = Vec::new();
        for arg in args {
            values.push(self.eval(arg, env)?);
        }
        let single = |index: usize| values.get(index).and_then(Val::single);
        let all = |index: usize| values.get(index).map_or(Vec::new(), Val::items);
        let set = |sites: Vec<i64>| Val::Set(sites.into_iter().collect());
        let owned = args.first().is_some_and(|arg| matches!(arg.ty.bare(), Ty::Player | Ty::Entity(_)));
        let go = |site: i64, by: (i64, i64)| Spot::of(site).moved(by).word().ok_or(Code::TooFar);
        let sides = builtin == Builtin::Beside;
        Ok(Some(match builtin {
            Builtin::AllSites => {
                let only = if owned { Some(self.number_of(board, single(0))) } else { None };
                let on = |site: &i64| only.is_none_or(|only| only == Some(Spot::of(*site).on));
                set(self.lying(board).into_iter().map(|(_, site)| site).filter(on).collect())
            }
            Builtin::Origin | Builtin::SiteAt => {
                let on = if owned { self.number_of(board, single(0)) } else { Some(0) };
                let first = usize::from(owned);
                let at = if builtin == Builtin::Origin { Some((0, 0)) } else { single(first).zip(single(first + 1)) };
                match on.zip(at) {
                    Some((on, (x, y))) => Val::Word(Some(Spot { on, x, y }.word().ok_or(Code::TooFar)?)),
                    None => Val::Word(None),
                }
            }
            Builtin::SitesOf => {
                let pieces = all(0);
                set(self.lying(board).into_iter().filter(|(piece, _)| pieces.contains(piece)).map(|at| at.1).collect())
            }
            Builtin::SiteOf => {
                let found = self.lying(board).into_iter().find(|(piece, _)| Some(*piece) == single(0));
                Val::Word(found.and_then(|(_, site)| word(site)))
            }
            Builtin::PiecesOn => {
                let sites = all(0);
                let here = self.lying(board).into_iter().filter(|(_, site)| sites.contains(site));
                set(here.map(|(piece, _)| piece).collect())
            }
            Builtin::Around | Builtin::Beside => {
                let mut found = BTreeSet::new();
                for site in all(0) {
                    for by in self.step_words(board, sides) {
                        found.insert(go(site, by)?);
                    }
                }
                Val::Set(found)
            }
            Builtin::Step => {
                let names = &self.p.boards[board.index()].directions;
                let by = single(1)
                    .and_then(|way| names.get(usize::try_from(way).ok()?))
                    .map(|name| self.step_of(board, name));
                let n = if args.len() > 2 { single(2) } else { Some(1) };
                let mut found = Vec::new();
                if let Some(((x, y), n)) = by.zip(n) {
                    for site in all(0) {
                        let n = n.clamp(-2 * REACH, 2 * REACH);
                        found.push(go(site, (x * n, y * n))?);
                    }
                }
                if ty.is_many() { set(found) } else { Val::Word(found.first().copied()) }
            }
            Builtin::EmptyOf => {
                let taken: Vec<i64> = self.lying(board).into_iter().map(|(_, site)| site).collect();
                set(all(0).into_iter().filter(|site| !taken.contains(site)).collect())
            }
            Builtin::TopOn => Val::Word(single(0).and_then(|site| self.pile(board, site).last().copied())),
            Builtin::Stack => Val::List(single(0).map_or(Vec::new(), |site| self.pile(board, site))),
            Builtin::LongestLine => {
                let among = all(1);
                let run = |from: i64, (x, y): (i64, i64)| {
                    (1..).take_while(|n| go(from, (x * n, y * n)).is_ok_and(|at| among.contains(&at))).count() as i64
                };
                let start = single(0).filter(|site| among.contains(site));
                let ways = self.step_words(board, false);
                let longest = |site: i64| ways.iter().map(|(x, y)| 1 + run(site, (*x, *y)) + run(site, (-x, -y))).max();
                Val::Word(Some(start.and_then(longest).unwrap_or(0)))
            }
            Builtin::RunOf | Builtin::Line => {
                let among = all(2);
                let run = |from: i64, (x, y): (i64, i64)| -> Vec<i64> {
                    let far = (1..).map_while(|n| go(from, (x * n, y * n)).ok());
                    far.take_while(|site| among.contains(site)).collect()
                };
                let names = &self.p.boards[board.index()].directions;
                let by = single(1)
                    .and_then(|way| names.get(usize::try_from(way).ok()?))
                    .map(|name| self.step_of(board, name));
                match single(0).zip(by) {
                    None if builtin == Builtin::RunOf => Val::List(Vec::new()),
                    Some((from, by)) if builtin == Builtin::RunOf => Val::List(run(from, by)),
                    Some((from, (x, y))) if among.contains(&from) => {
                        set([run(from, (x, y)), run(from, (-x, -y)), vec![from]].concat())
                    }
                    _ => set(Vec::new()),
                }
            }
            Builtin::Group => {
                let among = all(1);
                let from: Vec<i64> = all(0).into_iter().filter(|site| among.contains(site)).collect();
                set(self.spread(board, &from, Some(&among), i64::MAX)?.into_keys().collect())
            }
            Builtin::Groups => {
                let among = all(0);
                let mut firsts = Vec::new();
                for site in &among {
                    let group = self.spread(board, &[*site], Some(&among), i64::MAX)?;
                    firsts.extend(Some(*site).filter(|site| group.keys().min() == Some(site)));
                }
                set(firsts)
            }
            Builtin::Within | Builtin::Ring => {
                let n = single(1).unwrap_or(-1);
                let near = if n < 0 { BTreeMap::new() } else { self.spread(board, &all(0), None, n)? };
                let meant = near.into_iter().filter(|(_, far)| builtin == Builtin::Within || *far == n);
                set(meant.map(|(site, _)| site).collect())
            }
            Builtin::Distance | Builtin::DistanceIn => {
                let Some((from, to)) = single(0).zip(single(1)) else { return Ok(Some(Val::Word(None))) };
                if builtin == Builtin::DistanceIn {
                    let among = [all(2), vec![from, to]].concat();
                    return Ok(Some(Val::Word(self.spread(board, &[from], Some(&among), i64::MAX)?.get(&to).copied())));
                }
                let (from, to) = (Spot::of(from), Spot::of(to));
                let straight = self.step_words(board, false).iter().all(|(x, y)| *x == 0 || *y == 0);
                let (x, y) = (from.x - to.x, from.y - to.y);
                let steps = match (self.of_hexes(board), straight) {
                    (true, _) => (x.abs() + y.abs() + (x + y).abs()) / 2,
                    (false, true) => x.abs() + y.abs(),
                    (false, false) => x.abs().max(y.abs()),
                };
                Val::Word((from.on == to.on).then_some(steps))
            }
            Builtin::Between | Builtin::Bearing => {
                let ways = self.step_words(board, false);
                let ends = single(0).zip(single(1)).filter(|(from, to)| Spot::of(*from).on == Spot::of(*to).on);
                let found = ends.and_then(|(from, to)| {
                    let (one, other) = (Spot::of(from), Spot::of(to));
                    let most = (one.x - other.x).abs().max((one.y - other.y).abs());
                    let leads = |(x, y): &(i64, i64), n: i64| (one.x + x * n, one.y + y * n) == (other.x, other.y);
                    let by = *ways.iter().find(|by| most > 0 && leads(by, most))?;
                    Some((from, by, most))
                });
                let names = &self.p.boards[board.index()].directions;
                match (builtin, found) {
                    (Builtin::Bearing, found) => Val::Word(found.and_then(|(_, by, _)| {
                        names.iter().position(|name| self.step_of(board, name) == by).map(|way| way as i64)
                    })),
                    (_, Some((from, (x, y), most))) => {
                        Val::List((1..most).filter_map(|n| go(from, (x * n, y * n)).ok()).collect())
                    }
                    (_, None) => Val::List(Vec::new()),
                }
            }
            Builtin::Column => Val::Word(single(0).map(|site| Spot::of(site).x)),
            Builtin::Row => Val::Word(single(0).map(|site| Spot::of(site).y)),
            _ => return Ok(None),
        }))
    }

    /// How many steps sites are away from the nearest of some, going over `among` only: step after step from all that were found.
    fn spread(&self, board: BoardId, from: &[i64], among: Option<&[i64]>, most: i64) -> Answer<BTreeMap<i64, i64>> {
        let mut found: BTreeMap<i64, i64> = from.iter().map(|site| (*site, 0)).collect();
        let mut far = 0;
        while far < most {
            let mut next = BTreeSet::new();
            for (site, _) in found.iter().filter(|(_, at)| **at == far) {
                for by in self.step_words(board, false) {
                    let to = Spot::of(*site).moved(by).word();
                    match among {
                        Some(among) => next.extend(to.filter(|to| among.contains(to))),
                        None => {
                            next.insert(to.ok_or(Code::TooFar)?);
                        }
                    }
                }
            }
            next.retain(|site| !found.contains_key(site));
            if next.is_empty() {
                break;
            }
            far += 1;
            found.extend(next.into_iter().map(|site| (site, far)));
        }
        Ok(found)
    }

    fn of_hexes(&self, board: BoardId) -> bool {
        self.p.rules.boards[board.index()].shape == BoardShape::Endless { hexes: true }
    }

    /// The step that the name of a direction says: of squares east and north, of hexes east and southeast.
    fn step_of(&self, board: BoardId, name: &str) -> (i64, i64) {
        let part = |plus: &str, minus: &str| i64::from(name.contains(plus)) - i64::from(name.contains(minus));
        match (self.of_hexes(board), name) {
            (false, _) => (part("east", "west"), part("north", "south")),
            (true, "northwest" | "southeast") => (0, part("south", "north")),
            (true, _) => (part("east", "west"), part("south", "north")),
        }
    }

    /// Sites of an endless board that a position speaks of: the origin, and all on which something lies.
    pub fn some_spots(&self, board: BoardId) -> Vec<i64> {
        let mut found: BTreeSet<i64> = self.lying(board).into_iter().map(|(_, site)| site).collect();
        if self.p.rules.boards[board.index()].per == Per::Game {
            found.extend(Spot { on: 0, x: 0, y: 0 }.word());
        }
        let beside: Vec<i64> = found.iter().filter_map(|site| Spot::of(*site).moved((1, 0)).word()).collect();
        found.extend(beside);
        found.into_iter().collect()
    }
}
