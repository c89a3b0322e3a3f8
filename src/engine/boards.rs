//! Instructions over the sites of boards.

use super::run::{R, Run, at};
use crate::model::rules::Builtin;
use crate::program::{Adjacency, Counted, NIL, NO_SITES, Op, Program, Test, WIDEST, ent, insert};
use std::collections::BTreeSet;

/// What was counted last of sets of sites, by their width.
#[derive(Debug, Default)]
pub(super) struct Counts {
    pub one: Counted<1>,
    pub two: Counted<2>,
    pub four: Counted<4>,
    pub eight: Counted<8>,
    pub more: Counted<WIDEST>,
}

/// Runs the form of a function that fits the width of the game's sets of sites, with what was counted last of such sets.
macro_rules! counting {
    ($run:expr, $f:ident($($arg:expr),*)) => {
        match $run.p.layout.site_set {
            1 => $run.$f($($arg,)* |counts| &mut counts.one),
            2 => $run.$f($($arg,)* |counts| &mut counts.two),
            3 | 4 => $run.$f($($arg,)* |counts| &mut counts.four),
            5..=8 => $run.$f($($arg,)* |counts| &mut counts.eight),
            _ => $run.$f($($arg,)* |counts| &mut counts.more),
        }
    };
}
pub(super) use counting;

impl Run<'_> {
    pub fn board_op(&mut self, op: Op, base: usize) -> R<()> {
        match op {
            Op::SitesOf { d, a, board } => {
                let (a, capacity) = (at(base, a), self.p.layout.capacity);
                self.spend_on(capacity / 8)?;
                let mut sites = NO_SITES;
                for_each(&self.st.mem[a..a + capacity.div_ceil(64)], |slot| {
                    // What has become another thing lies nowhere.
                    let site = (slot < capacity).then(|| self.site_of_slot(slot)).flatten();
                    if let Some((_, site)) = site.filter(|(on, _)| *on == usize::from(board)) {
                        sites[site / 64] |= 1 << (site % 64);
                    }
                });
                self.store_sites(at(base, d), &sites);
            }
            Op::Adjacent { board, by, d, a } => {
                self.spend_on_board(u16::from(board))?;
                self.adjacent(at(base, d), at(base, a), usize::from(board), by);
            }
            Op::Step { d, a, direction } => {
                let operands = at(base, direction);
                let (way, board, n) = (self.st.mem[operands], self.st.mem[operands + 1], self.st.mem[operands + 2]);
                let site = self.walk(self.st.mem[at(base, a)], way, board, n);
                self.st.mem[at(base, d)] = site;
            }
            Op::SiteAt { d, a, board } => {
                self.spend_on(usize::from(self.p.boards[usize::from(board)].sites) / 4)?;
                let operands = at(base, a);
                // What is nothing stands for no column.
                let wanted = (self.st.mem[operands].saturating_sub(1), self.st.mem[operands + 1].saturating_sub(1));
                let found = self.p.boards[usize::from(board)]
                    .at
                    .iter()
                    .position(|at| (i64::from(at.0), i64::from(at.1)) == wanted);
                self.st.mem[at(base, d)] = found.map_or(NIL, |site| site as i64);
            }
            Op::OnBoard { d, site } => return self.on_board(at(base, d), site as usize, base),
            Op::Neighbours { d, site } => return self.with_neighbours(at(base, d), site as usize, base),
            Op::After { d, site } => return self.after(at(base, d), site as usize, base),
            Op::Leading { d, site } => return self.leading(at(base, d), site as usize, base),
            Op::Region { d, region } => {
                let region = self.p.sites.regions[usize::from(region)];
                self.store_sites(at(base, d), &region);
            }
            Op::OnEndless { d, site } => return self.on_endless(at(base, d), site as usize, base),
            Op::Leap { d, site } => return self.leap_after_all(at(base, d), site as usize, base),
            _ => return self.tile_op(op, base),
        }
        Ok(())
    }

    /// The sites of a set that have so many neighbours in another.
    fn with_neighbours(&mut self, d: usize, site: usize, base: usize) -> R<()> {
        self.spend_on_board(self.p.sites.neighbours[site].board)?;
        counting!(self, neighbours_in(d, site, base));
        Ok(())
    }

    fn neighbours_in<const W: usize>(
        &mut self,
        d: usize,
        site: usize,
        base: usize,
        counted: fn(&mut Counts) -> &mut Counted<W>,
    ) {
        let info = &self.p.sites.neighbours[site];
        let board = &self.p.boards[usize::from(info.board)];
        let over: [u64; W] = self.load_sites(at(base, info.over));
        let among: [u64; W] = self.load_sites(at(base, info.among));
        let test = Test { op: info.op, n: self.st.mem[at(base, info.n)] };
        let found = board.with_near(info.beside, &over, &among, test, counted(&mut self.x.counted));
        self.store_sites(d, &found);
    }

    /// A set of sites; `W` words are enough for it.
    #[inline]
    pub fn load_sites<const W: usize>(&self, set: usize) -> [u64; W] {
        let mut found = [0; W];
        let words = &self.st.mem[set..set + usize::from(self.p.layout.site_set)];
        for (to, word) in found.iter_mut().zip(words) {
            *to = *word as u64;
        }
        found
    }

    #[inline]
    pub fn store_sites(&mut self, d: usize, set: &[u64]) {
        let words = &mut self.st.mem[d..d + usize::from(self.p.layout.site_set)];
        for (to, word) in words.iter_mut().zip(set) {
            *to = *word as i64;
        }
    }

    fn store_line(&mut self, d: usize, sites: impl Iterator<Item = u16>) -> R<()> {
        let sites: Vec<i64> = sites.map(i64::from).collect();
        self.store_list(d, &sites)
    }

    /// A function of boards that has no instruction of its own.
    fn on_board(&mut self, d: usize, site: usize, base: usize) -> R<()> {
        let info = &self.p.sites.boards[site];
        if !matches!(
            info.what,
            Builtin::Bearing
                | Builtin::Distance
                | Builtin::Opposite
                | Builtin::Rotate
                | Builtin::BorderTo
                | Builtin::OnCopy
        ) {
            self.spend_on_board(info.board)?;
        }
        counting!(self, on_board_in(d, site, base))
    }

    /// Likewise, over sets of at most `W` words.
    #[inline]
    fn on_board_in<const W: usize>(
        &mut self,
        d: usize,
        site: usize,
        base: usize,
        counted: fn(&mut Counts) -> &mut Counted<W>,
    ) -> R<()> {
        let info = &self.p.sites.boards[site];
        let board = &self.p.boards[usize::from(info.board)];
        let arg = |index: usize| at(base, info.args[index]);
        let set = |run: &Self, index: usize| run.load_sites::<W>(arg(index));
        match info.what {
            Builtin::Group => {
                let (from, among) = (set(self, 0), set(self, 1));
                let found = board.group_of(&from, &among, counted(&mut self.x.counted));
                self.store_sites(d, &found);
            }
            Builtin::Groups => {
                let among = set(self, 0);
                let found = board.groups_of(&among, counted(&mut self.x.counted));
                self.store_sites(d, &found);
            }
            _ => return self.function_of_board(d, site, base),
        }
        Ok(())
    }

    /// One of the less frequent functions of boards.
    #[inline(never)]
    fn function_of_board(&mut self, d: usize, site: usize, base: usize) -> R<()> {
        let info = &self.p.sites.boards[site];
        let board = &self.p.boards[usize::from(info.board)];
        let arg = |index: usize| at(base, info.args[index]);
        let word = |run: &Self, index: usize| run.st.mem[arg(index)];
        let one = |run: &Self, index: usize| u16::try_from(word(run, index)).ok();
        let way = |run: &Self, index: usize| usize::try_from(word(run, index)).ok();
        match info.what {
            Builtin::CopyOf => {
                let sites = self.copy_sites(usize::from(info.board), word(self, 0));
                let mut found = NO_SITES;
                sites.into_iter().flatten().for_each(|site| insert(&mut found, site as u16));
                self.store_sites(d, &found);
            }
            Builtin::OnCopy => {
                let copy = self.copy_sites(usize::from(info.board), word(self, 1));
                let site = one(self, 0).zip(copy).map(|(site, copy)| copy.start + i64::from(site));
                self.st.mem[d] = site.unwrap_or(NIL);
            }
            Builtin::BorderTo => {
                let found = way(self, 0).map_or(NO_SITES, |way| board.border(Some(way)));
                self.store_sites(d, &found);
            }
            Builtin::Within | Builtin::Ring => {
                let (within, ring) = board.within(&self.load_sites(arg(0)), word(self, 1));
                self.store_sites(d, if info.what == Builtin::Ring { &ring } else { &within });
            }
            Builtin::Distance => {
                let ends = one(self, 0).zip(one(self, 1));
                let steps = ends.and_then(|(from, to)| board.distance(from, to));
                self.st.mem[d] = steps.unwrap_or(NIL);
            }
            Builtin::DistanceIn => {
                let among = self.load_sites(arg(2));
                let ends = one(self, 0).zip(one(self, 1));
                let spread = &mut self.x.spread;
                let steps = ends.and_then(|(from, to)| spread.distance((info.board, board), from, to, &among));
                self.st.mem[d] = steps.unwrap_or(NIL);
            }
            Builtin::Path => {
                let among = self.load_sites(arg(2));
                let ends = one(self, 0).zip(one(self, 1));
                let path = ends.map_or(Vec::new(), |(from, to)| board.path(from, to, &among));
                return self.store_line(d, path.into_iter());
            }
            Builtin::Ray => {
                let ray = one(self, 0).zip(way(self, 1)).map(|(from, way)| board.ray(from, way));
                return self.store_line(d, ray.into_iter().flatten());
            }
            Builtin::RunOf => {
                let (among, most) = (arg(2), i64::from(self.p.layout.list_items));
                let ray = one(self, 0).zip(way(self, 1)).map(|(from, way)| board.ray(from, way));
                let mut length = 0;
                for site in ray.into_iter().flatten() {
                    if (self.st.mem[among + usize::from(site) / 64] >> (site % 64)) & 1 == 0 {
                        break;
                    }
                    if length == most {
                        return Err(self.too_long());
                    }
                    length += 1;
                    self.st.mem[d + length as usize] = i64::from(site);
                }
                self.st.mem[d] = length;
            }
            Builtin::Line => {
                let among = self.load_sites(arg(2));
                let from = one(self, 0).zip(way(self, 1));
                self.store_sites(d, &from.map_or(NO_SITES, |(from, way)| board.line(from, way, &among)));
            }
            Builtin::Between => {
                let ends = one(self, 0).zip(one(self, 1));
                let bearing = ends.and_then(|(from, to)| board.bearing(from, to).map(|found| (from, found)));
                let inner = bearing.map(|(from, (way, steps))| board.ray(from, way).take(steps - 1));
                return self.store_line(d, inner.into_iter().flatten());
            }
            Builtin::Bearing => {
                let ends = one(self, 0).zip(one(self, 1));
                let found = ends.and_then(|(from, to)| board.direction(from, to));
                self.st.mem[d] = found.map_or(NIL, |way| way as i64);
            }
            Builtin::Opposite => {
                let found = way(self, 0).and_then(|way| board.opposite.get(way));
                self.st.mem[d] = found.map_or(NIL, |way| i64::from(*way));
            }
            Builtin::Rotate => {
                let (way, n) = (word(self, 0), word(self, 1));
                let found = if way == NIL || n == NIL { None } else { board.rotate(way, n) };
                self.st.mem[d] = found.unwrap_or(NIL);
            }
            Builtin::Repeats => {
                let mover = self.st.mem[usize::from(self.p.layout.mover)];
                let by = if info.args.len() > 1 { word(self, 1) } else { mover };
                let (now, pieces) = self.arrangement(usize::from(info.board), by);
                self.spend_on(pieces * (1 + self.p.layout.entity_words - ent::PROPS) + self.st.past.len() / 2)?;
                self.st.mem[d] = self.st.past.iter().filter(|hash| **hash == now).count() as i64;
            }
            Builtin::TopOn => {
                let tops = self.p.layout.boards[usize::from(info.board)].tops;
                let top = one(self, 0).map_or(-1, |site| self.st.mem[tops + usize::from(site)]);
                self.st.mem[d] = usize::try_from(top).map_or(NIL, |slot| self.reference(slot));
            }
            Builtin::Stack => {
                let slots =
                    one(self, 0).map_or(Vec::new(), |site| self.pieces_at(usize::from(info.board), site.into()));
                let items: Vec<i64> = slots.into_iter().rev().map(|slot| self.reference(slot)).collect();
                return self.store_list(d, &items);
            }
            // INVARIANT: what depends on the board alone is a region, and the rest has an instruction of its own.
            Builtin::Smaller
            | Builtin::Larger
            | Builtin::Abs
            | Builtin::First
            | Builtin::Top
            | Builtin::Bottom
            | Builtin::Clockwise
            | Builtin::After
            | Builtin::Empty
            | Builtin::SitesOf
            | Builtin::AllSites
            | Builtin::CellsOf
            | Builtin::EdgesOf
            | Builtin::CornersOf
            | Builtin::RimOf
            | Builtin::SiteOf
            | Builtin::PiecesOn
            | Builtin::Around
            | Builtin::Beside
            | Builtin::Step
            | Builtin::Directions
            | Builtin::LongestLine
            | Builtin::Column
            | Builtin::Row
            | Builtin::EnumIndex
            | Builtin::SiteAt
            | Builtin::Turnings
            | Builtin::Fitting
            | Builtin::AllCells
            | Builtin::AllEdges
            | Builtin::AllCorners
            | Builtin::AllRim
            | Builtin::EmptyOf
            | Builtin::Border
            | Builtin::Origin
            | Builtin::Group
            | Builtin::Groups => {}
        }
        Ok(())
    }

    /// A hash of the arrangement of a board, site by site and each from the top to the bottom, and whose turn it is: of pieces
    /// that lie on each other and are alike, how many and what they are. With how many pieces there are.
    fn arrangement(&self, board: usize, by: i64) -> (u64, usize) {
        let (mem, layout) = (&self.st.mem, &self.p.layout);
        let place = &layout.boards[board];
        let record =
            |slot: i64| usize::try_from(slot).ok().map(|slot| &mem[layout.entity(slot)..][..layout.entity_words]);
        let told = |record: &[i64]| [record[ent::KIND] << 32 | (record[ent::ENTRY] + 1), record[ent::OWNER]];
        let occupied = || &mem[place.occupied..place.occupied + usize::from(layout.site_set)];
        if let Some(hash) = plain_arrangement(self.p, mem, board, by) {
            return (hash, occupied().iter().map(|word| word.count_ones() as usize).sum());
        }
        let mut hash = Hash::default();
        hash.add(&[board as i64, by]);
        let mut pieces = 0;
        let mut of_site = |site: i64, slot: i64| {
            let mut top = record(slot);
            while let Some(first) = top {
                let mut alike = 0;
                while let Some(next) = top {
                    if told(next) != told(first) || layout.arranged(next) != layout.arranged(first) {
                        break;
                    }
                    alike += 1;
                    top = record(next[ent::BENEATH]);
                }
                hash.add(&[site, alike]);
                hash.add(&told(first));
                hash.add(&layout.arranged(first));
                pieces += alike as usize;
            }
        };
        if place.places > 0 {
            let lying = self.pieces_on(board).into_iter();
            let sites: BTreeSet<i64> = lying.map(|slot| mem[layout.entity(slot) + ent::SITE]).collect();
            for site in sites {
                of_site(site, self.top_at(board, site).map_or(NIL, |slot| slot as i64));
            }
        } else {
            for_each(occupied(), |site| of_site(site as i64, mem[place.tops + site]));
        }
        (hash.0, pieces)
    }

    /// Keeps how the boards are arranged whose repetitions the game asks for.
    pub fn note_arrangements(&mut self) {
        for board in &self.p.repeats {
            let (hash, _) = self.arrangement(usize::from(*board), self.st.mem[usize::from(self.p.layout.mover)]);
            self.st.past.push(hash);
        }
    }

    /// The same before the first turn, as if the turn of the player before the first had ended so.
    pub fn note_beginning(&mut self, first: i64, among: i64) {
        if self.p.repeats.is_empty() {
            return;
        }
        let mover = usize::from(self.p.layout.mover);
        let last = self.clockwise(first).into_iter().rfind(|seat| (among >> seat) & 1 == 1);
        let now = std::mem::replace(&mut self.st.mem[mover], last.map_or(first, i64::from));
        self.note_arrangements();
        self.st.mem[mover] = now;
    }

    /// Board and site of the entity in a slot.
    pub fn site_of_slot(&self, slot: usize) -> Option<(usize, usize)> {
        let record = self.p.layout.entity(slot);
        let packed = self.st.mem[record + ent::SITE];
        (self.st.mem[record + ent::PLACE] == ent::ON_BOARD)
            .then_some(((packed / 4096) as usize, (packed % 4096) as usize))
    }

    fn walk(&self, site: i64, way: i64, board: i64, n: i64) -> i64 {
        let (Ok(from), Ok(way)) = (u16::try_from(site), usize::try_from(way)) else { return NIL };
        self.p.boards[board as usize].walk(from, way, n).map_or(NIL, i64::from)
    }

    fn adjacent(&mut self, d: usize, a: usize, board: usize, by: Adjacency) {
        match self.p.layout.site_set {
            1 => self.adjacent_in::<1>(d, a, board, by),
            2 => self.adjacent_in::<2>(d, a, board, by),
            3 | 4 => self.adjacent_in::<4>(d, a, board, by),
            5..=8 => self.adjacent_in::<8>(d, a, board, by),
            _ => self.adjacent_in::<WIDEST>(d, a, board, by),
        }
    }

    #[inline]
    fn adjacent_in<const W: usize>(&mut self, d: usize, a: usize, board: usize, by: Adjacency) {
        let from: [u64; W] = self.load_sites(a);
        let topology = &self.p.boards[board];
        let found = topology.adjacent(by, &from);
        self.store_sites(d, &found);
    }

    /// Members of a set.
    pub fn members(&self, w: usize, set: usize) -> Vec<usize> {
        let words = &self.st.mem[set..set + w];
        let mut found = Vec::with_capacity(words.iter().map(|word| word.count_ones() as usize).sum());
        for_each(words, |member| found.push(member));
        found
    }

    /// Slots of the pieces on a site, the top first.
    pub fn pieces_at(&self, board: usize, site: usize) -> Vec<usize> {
        let mut found = Vec::new();
        let mut at = self.st.mem[self.p.layout.boards[board].tops + site];
        while at >= 0 {
            found.push(at as usize);
            at = self.st.mem[self.p.layout.entity(at as usize) + ent::BENEATH];
        }
        found
    }
}

/// Calls `f` for each member of a set.
#[inline]
pub(super) fn for_each(set: &[i64], mut f: impl FnMut(usize)) {
    for (index, word) in set.iter().enumerate() {
        let mut word = *word as u64;
        while word != 0 {
            f(index * 64 + word.trailing_zeros() as usize);
            word &= word - 1;
        }
    }
}

/// The hash of the arrangement of a board where no piece lies on another and none has anything of its own: the sites of each kind
/// and owner say it all.
pub(super) fn plain_arrangement(p: &Program, mem: &[i64], board: usize, by: i64) -> Option<u64> {
    let place = &p.layout.boards[board];
    if !p.plain_pieces || place.places > 0 || mem[usize::from(place.covered)] != 0 {
        return None;
    }
    let rows = usize::from(p.layout.piece_rows) * (p.layout.seats + 1);
    let mut hash = Hash::default();
    hash.add(&[board as i64, by]);
    hash.add(&mem[place.owned..place.owned + rows * usize::from(p.layout.site_set)]);
    Some(hash.0)
}

/// A hash of words, which is the same on every machine.
#[derive(Clone, Copy, Debug)]
pub(super) struct Hash(pub u64);

impl Default for Hash {
    fn default() -> Self {
        Hash(0x9e37_79b9_7f4a_7c15)
    }
}

impl Hash {
    /// Each word is mixed in by a multiplication whose two halves are folded, as in wyhash.
    pub fn add(&mut self, words: &[i64]) {
        for word in words {
            let product = u128::from(self.0 ^ *word as u64) * 0xa076_1d64_78bd_642f;
            self.0 = (product as u64 ^ (product >> 64) as u64).wrapping_add(0xe703_7ed1_a0b4_28db);
        }
    }
}
