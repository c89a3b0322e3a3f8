//! Boards as the engine uses them: the tables of their geometry as sets of bits, and the functions over sets of sites.

use super::NIL;
use super::slide::Slide;
use crate::model::geometry::{Geometry, PlaceKind};
use crate::model::rules::Board;
use std::sync::OnceLock;

pub use crate::model::geometry::NO_SITE;

/// Words of the widest set of sites.
pub const WIDEST: usize = 16;

/// A set of sites.
pub type SiteSet = [u64; WIDEST];

/// The empty set of sites.
pub const NO_SITES: SiteSet = [0; WIDEST];

/// What makes sites adjacent.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Adjacency {
    /// A step to a neighbour.
    Around,
    /// A step over a side.
    Beside,
    /// From a cell, edge, corner or side of the rim to places of other sorts that touch it.
    Touching,
}

/// The geometry of one board.
#[derive(Clone, Debug)]
pub struct Topology {
    /// Number of sites.
    pub sites: u16,
    /// Columns and rows of its picture.
    pub size: (u16, u16),
    /// Names of the directions.
    pub directions: Vec<String>,
    /// The directions that neighbours, lines and distances go by, in their order: clockwise, but for graphs.
    pub ways: Vec<u8>,
    /// Of each two opposite ones of these, the first.
    pub axes: Vec<u8>,
    /// The opposite of each direction.
    pub opposite: Vec<u8>,
    /// The step that each direction is, on squares and hexes.
    pub steps: Vec<(i64, i64)>,
    /// Neighbour of a site in a direction: `site * directions + direction`.
    pub next: Vec<u16>,
    /// What a step in each direction does to sets.
    pub slides: Vec<Slide>,
    /// The neighbours of each site, in the order of the directions.
    pub near: Vec<Vec<u16>>,
    /// All neighbours of each site, `width` words each.
    pub around: Vec<u64>,
    /// Those of each site that share a side with it.
    pub beside: Vec<u64>,
    /// Sites of other sorts that each site touches.
    pub touching: Vec<u64>,
    /// All sites of each sort: cells, edges, corners, rim.
    pub kinds: [SiteSet; 4],
    /// All sites, as a set.
    pub all: Vec<u64>,
    /// Column and row of each site, from 0.
    pub at: Vec<(u16, u16)>,
    /// What each site is.
    pub place_kinds: Vec<PlaceKind>,
    /// Where the middle of each site is, in sixths of a step.
    pub spots: Vec<(i32, i32)>,
    /// Its origin.
    pub origin: u16,
    /// The most neighbours that a site has.
    pub(super) most_near: usize,
    /// Whether whatever is a neighbour of a site has it for a neighbour.
    pub(super) mutual: bool,
    pub(super) width: usize,
    /// For each site that was asked about, how many steps it is to each other; [`NO_SITE`] where none lead there.
    far: Vec<OnceLock<Vec<u16>>>,
    /// For each such site, on which line from it each other lies: the direction and the steps, 0 where it lies on none.
    bearings: Vec<OnceLock<Vec<(u8, u16)>>>,
}

impl Topology {
    /// The tables of a board; sets have `width` words.
    pub fn new(board: &Board, width: usize) -> Topology {
        let geometry: &Geometry = &board.geometry;
        let count = geometry.sites();
        let table = |lists: &[Vec<u16>]| {
            let mut words = vec![0; count * width];
            for (site, list) in lists.iter().enumerate() {
                for other in list {
                    words[site * width + usize::from(*other) / 64] |= 1 << (other % 64);
                }
            }
            words
        };
        let mut kinds = [NO_SITES; 4];
        let mut all = vec![0; width];
        for (site, kind) in geometry.kinds.iter().enumerate().filter(|(site, _)| !geometry.is_gap(*site)) {
            kinds[*kind as usize][site / 64] |= 1 << (site % 64);
            all[site / 64] |= 1 << (site % 64);
        }
        let ways: Vec<u8> = geometry.ways().map(|way| way as u8).collect();
        let first = |way: &u8| geometry.opposite.get(usize::from(*way)).is_none_or(|other| way < other);
        let mut topology = Topology {
            sites: count as u16,
            size: geometry.size,
            directions: geometry.directions.clone(),
            steps: crate::model::geometry::steps(&board.shape),
            axes: ways.iter().copied().filter(first).collect(),
            ways,
            opposite: geometry.opposite.clone(),
            slides: (0..geometry.directions.len())
                .map(|way| Slide::new(&geometry.next, geometry.directions.len(), way))
                .collect(),
            next: geometry.next.clone(),
            near: geometry.near.clone(),
            around: table(&geometry.near),
            beside: table(&geometry.beside),
            touching: table(&geometry.touching),
            kinds,
            all,
            at: geometry.at.clone(),
            place_kinds: geometry.kinds.clone(),
            spots: geometry.spots.clone(),
            origin: geometry.origin,
            most_near: geometry.near.iter().map(Vec::len).max().unwrap_or(0),
            mutual: false,
            width,
            far: vec![OnceLock::new(); count],
            bearings: vec![OnceLock::new(); count],
        };
        topology.mutual = topology.mutual(Adjacency::Around) && topology.mutual(Adjacency::Beside);
        topology
    }

    /// Whether it is one of hexes, for boards without an end.
    pub fn is_of_hexes(&self) -> bool {
        self.directions.len() == 6
    }

    /// Whether a direction leads over a side, on boards without an end.
    pub fn is_over_side(&self, way: usize) -> bool {
        self.is_of_hexes() || self.steps[way].0 == 0 || self.steps[way].1 == 0
    }

    /// Where a direction stands among those that neighbours go by.
    pub fn place(&self, way: usize) -> Option<usize> {
        self.ways.iter().position(|found| usize::from(*found) == way)
    }

    /// The neighbour of a site in a direction, or [`NO_SITE`].
    pub fn step(&self, site: u16, direction: usize) -> u16 {
        self.next[usize::from(site) * self.directions.len() + direction]
    }

    /// A direction and a number of steps: a number below 0 leads the opposite way.
    pub(super) fn course(&self, way: usize, n: i64) -> (usize, i64) {
        if n == NIL {
            return (way, 0);
        }
        let back = || self.opposite.get(way).map_or(way, |way| usize::from(*way));
        (if n < 0 { back() } else { way }, n.abs())
    }

    /// The site `n` steps away in a direction.
    pub fn walk(&self, from: u16, direction: usize, n: i64) -> Option<u16> {
        let (direction, n) = self.course(direction, n);
        let (mut at, mut left) = (from, n);
        while left > 0 {
            at = self.step(at, direction);
            left -= 1;
            if at == NO_SITE {
                return None;
            }
            // On a graph a way may lead round.
            if at == from {
                left %= n - left;
            }
        }
        Some(at)
    }

    /// All sites of a sort.
    pub fn of_kind(&self, kind: PlaceKind) -> SiteSet {
        self.kinds[kind as usize]
    }

    /// The union of the sets that a table has for the members of a set.
    #[inline]
    fn spread<const W: usize>(&self, table: &[u64], from: &[u64; W]) -> [u64; W] {
        let (mut found, width) = ([0; W], self.width);
        // Of rows that are as wide as the set, the words stay in registers.
        if width >= W {
            each_member(from, |site| {
                if let Some(row) = table[usize::from(site) * width..].first_chunk::<W>() {
                    found = std::array::from_fn(|word| found[word] | row[word]);
                }
            });
            return found;
        }
        each_member(from, |site| {
            let row = &table[usize::from(site) * width..][..width];
            found.iter_mut().zip(row).for_each(|(word, bits)| *word |= bits);
        });
        found
    }

    /// How many neighbours of a site are in a set: all, or those over its sides.
    #[inline]
    pub fn near<const W: usize>(&self, site: u16, beside: bool, among: &[u64; W]) -> i64 {
        let row: [u64; W] = self.row(beside, site);
        row.iter().zip(among).map(|(bits, word)| i64::from((bits & word).count_ones())).sum()
    }

    /// The neighbours of a site: all, or those over its sides.
    #[inline]
    pub fn row<const W: usize>(&self, beside: bool, site: u16) -> [u64; W] {
        widened(self.neighbours(beside, site))
    }

    /// The same, as the words of a set of the game.
    #[inline]
    pub fn neighbours(&self, beside: bool, site: u16) -> &[u64] {
        self.adjacent_row(if beside { Adjacency::Beside } else { Adjacency::Around }, site)
    }

    /// For each site, those that are adjacent to it.
    fn adjacent_to(&self, by: Adjacency) -> &[u64] {
        match by {
            Adjacency::Around => &self.around,
            Adjacency::Beside => &self.beside,
            Adjacency::Touching => &self.touching,
        }
    }

    fn adjacent_row(&self, by: Adjacency, site: u16) -> &[u64] {
        &self.adjacent_to(by)[usize::from(site) * self.width..][..self.width]
    }

    /// Whether whatever is adjacent to a site has it for one that is.
    pub fn mutual(&self, by: Adjacency) -> bool {
        let row = |site| -> SiteSet { widened(self.adjacent_row(by, site)) };
        (0..self.sites).all(|site| members(&row(site)).all(|other| has(&row(other), site)))
    }

    /// The sites that are adjacent to some; what touches these is also what they are themselves.
    #[inline]
    pub fn adjacent<const W: usize>(&self, by: Adjacency, from: &[u64; W]) -> [u64; W] {
        let found = self.spread(self.adjacent_to(by), from);
        if by == Adjacency::Touching { std::array::from_fn(|word| found[word] | from[word]) } else { found }
    }

    /// The neighbours of sites.
    #[inline]
    pub fn around<const W: usize>(&self, from: &[u64; W]) -> [u64; W] {
        self.adjacent(Adjacency::Around, from)
    }

    /// Cells with a side on the outside, or those without a neighbour in a direction.
    pub fn border(&self, way: Option<usize>) -> SiteSet {
        let cells = self.of_kind(PlaceKind::Cell);
        let sides = self.directions.len() / if self.directions.len() == 8 { 2 } else { 1 };
        let mut found = NO_SITES;
        for site in members(&cells) {
            let outer = match way {
                Some(way) => self.step(site, way) == NO_SITE,
                None => {
                    let row = &self.beside[usize::from(site) * self.width..][..self.width];
                    row.iter().map(|word| word.count_ones() as usize).sum::<usize>() < sides
                }
            };
            if outer {
                insert(&mut found, site);
            }
        }
        found
    }

    /// The sites of `among` that are connected within it with a site of `from` that is in it.
    pub fn group<const W: usize>(&self, from: &[u64; W], among: &[u64; W]) -> [u64; W] {
        self.flood(from, among, |_, _| false)
    }

    /// Whether some site of `goal` is connected within `among` with one of `from`.
    pub fn reaches<const W: usize>(&self, from: &[u64; W], among: &[u64; W], goal: &[u64; W]) -> bool {
        let goal = each_word(goal, |word, bits| bits & among[word]);
        if goal == [0; W] {
            return false;
        }
        let mut reached = (0..W).any(|word| goal[word] & from[word] != 0);
        if !reached {
            self.flood(from, among, |word, fresh| {
                reached |= fresh & goal[word] != 0;
                reached
            });
        }
        reached
    }

    /// What is connected with sites of `from` within `among`, until `enough` says so of a word of sites that were found.
    #[inline(always)]
    pub(super) fn flood<const W: usize>(
        &self,
        from: &[u64; W],
        among: &[u64; W],
        mut enough: impl FnMut(usize, u64) -> bool,
    ) -> [u64; W] {
        let mut found = each_word(from, |word, bits| bits & among[word]);
        let mut front = found;
        loop {
            let Some(site) = first(&front) else { return found };
            front[usize::from(site) / 64] &= !(1 << (site % 64));
            let row = &self.around[usize::from(site) * self.width..][..self.width];
            for (word, near) in row.iter().enumerate().take(W) {
                let fresh = near & among[word] & !found[word];
                found[word] |= fresh;
                front[word] |= fresh;
                if fresh != 0 && enough(word, fresh) {
                    return found;
                }
            }
        }
    }

    /// Calls `f` for each connected group, in the order of their first sites.
    #[inline]
    pub fn each_group<const W: usize>(&self, among: &[u64; W], mut f: impl FnMut(u16, &[u64; W])) {
        let mut rest = *among;
        while let Some(first) = first(&rest) {
            let mut single = [0; W];
            insert(&mut single, first);
            let group = self.group(&single, &rest);
            rest = each_word(&rest, |word, bits| bits & !group[word]);
            f(first, &group);
        }
    }

    /// The sites at most `n` steps away from the nearest of these, and those exactly as far.
    pub fn within(&self, from: &SiteSet, n: i64) -> (SiteSet, SiteSet) {
        if n < 0 {
            return (NO_SITES, NO_SITES);
        }
        let (mut found, mut front) = (*from, *from);
        for _ in 0..n {
            if front == NO_SITES {
                break;
            }
            let next = self.around(&front);
            front = each_word(&next, |word, bits| bits & !found[word]);
            found = each_word(&found, |word, bits| bits | front[word]);
        }
        (found, front)
    }

    /// The steps of a shortest path.
    pub fn distance(&self, from: u16, to: u16) -> Option<i64> {
        match self.far.get(usize::from(from)) {
            Some(far) => {
                let far = far.get_or_init(|| self.steps_from(from));
                far.get(usize::from(to)).filter(|steps| **steps != NO_SITE).map(|steps| i64::from(*steps))
            }
            None => self.search(from, to),
        }
    }

    /// Whether all neighbours are each other's.
    pub fn is_mutual(&self) -> bool {
        self.mutual
    }

    /// How many steps lead from a site to each.
    fn steps_from(&self, from: u16) -> Vec<u16> {
        let mut far = vec![NO_SITE; usize::from(self.sites)];
        let (mut found, mut front, mut steps) = (NO_SITES, NO_SITES, 0);
        insert(&mut front, from);
        while front != NO_SITES {
            for site in members(&front) {
                far[usize::from(site)] = steps;
            }
            found = each_word(&found, |word, bits| bits | front[word]);
            let next = self.around(&front);
            front = each_word(&next, |word, bits| bits & !found[word]);
            steps += 1;
        }
        far
    }

    fn search(&self, from: u16, to: u16) -> Option<i64> {
        let (mut found, mut front) = (NO_SITES, NO_SITES);
        insert(&mut found, from);
        insert(&mut front, from);
        let mut steps = 0;
        while front != NO_SITES {
            if has(&front, to) {
                return Some(steps);
            }
            let next = self.around(&front);
            front = each_word(&next, |word, bits| bits & !found[word]);
            found = each_word(&found, |word, bits| bits | front[word]);
            steps += 1;
        }
        None
    }

    /// A shortest path through `among` with both its ends, the first in the order of the directions; both ends count
    /// as members.
    pub fn path(&self, from: u16, to: u16, among: &SiteSet) -> Vec<u16> {
        let mut open = *among;
        insert(&mut open, from);
        insert(&mut open, to);
        // How far each site is from the end.
        let mut far = vec![u16::MAX; usize::from(self.sites)];
        let (mut found, mut front) = (NO_SITES, NO_SITES);
        insert(&mut front, to);
        let mut steps = 0;
        while front != NO_SITES && !has(&found, from) {
            for site in members(&front) {
                far[usize::from(site)] = steps;
            }
            found = each_word(&found, |word, bits| bits | front[word]);
            let next = self.around(&front);
            front = each_word(&next, |word, bits| bits & open[word] & !found[word]);
            steps += 1;
        }
        let mut path = Vec::new();
        let mut at = from;
        while far[usize::from(at)] != u16::MAX {
            path.push(at);
            let nearer = |next: &&u16| far[usize::from(**next)] < far[usize::from(at)];
            match self.near[usize::from(at)].iter().find(nearer) {
                Some(next) if at != to => at = *next,
                _ => break,
            }
        }
        path
    }

    /// The sites from one in a direction, without it, the nearest first.
    pub fn ray(&self, from: u16, way: usize) -> impl Iterator<Item = u16> + '_ {
        let mut at = from;
        std::iter::from_fn(move || {
            at = self.step(at, way);
            // On a graph a way may lead round.
            if at == from {
                at = NO_SITE;
            }
            (at != NO_SITE).then_some(at)
        })
        .take(usize::from(self.sites))
    }

    /// Whether each two sites lie on one straight line at most, which leads there and back.
    pub fn lines_are_mutual(&self) -> bool {
        let lead_back =
            |way: &u8| self.slides.get(usize::from(*way)).is_some_and(|slide| slide.straight && slide.back.is_some());
        self.ways.iter().all(lead_back)
            && (0..self.sites).all(|site| {
                let mut seen = NO_SITES;
                self.ways.iter().flat_map(|way| self.ray(site, usize::from(*way))).all(|to| {
                    let fresh = !has(&seen, to);
                    insert(&mut seen, to);
                    fresh
                })
            })
    }

    /// The unbroken line of members through a site, along a direction and its opposite.
    pub fn line(&self, through: u16, way: usize, among: &SiteSet) -> SiteSet {
        let mut found = NO_SITES;
        if has(among, through) {
            insert(&mut found, through);
            for way in [way, usize::from(self.opposite[way])] {
                for site in self.ray(through, way).take_while(|site| has(among, *site)) {
                    insert(&mut found, site);
                }
            }
        }
        found
    }

    /// The direction in which a site lies from another, on one straight line, and how many steps away.
    pub fn bearing(&self, from: u16, to: u16) -> Option<(usize, usize)> {
        let bearings = self.bearings.get(usize::from(from))?.get_or_init(|| self.bearings_from(from));
        bearings
            .get(usize::from(to))
            .filter(|(_, steps)| *steps > 0)
            .map(|(way, steps)| (usize::from(*way), usize::from(*steps)))
    }

    fn bearings_from(&self, from: u16) -> Vec<(u8, u16)> {
        let mut found = vec![(0, 0); usize::from(self.sites)];
        for way in &self.ways {
            for (steps, site) in (1..).zip(self.ray(from, usize::from(*way))) {
                let bearing = &mut found[usize::from(site)];
                if bearing.1 == 0 {
                    *bearing = (*way, steps);
                }
            }
        }
        found
    }

    /// The direction in which a site lies from another: on one straight line, or of a place that touches it, on its side.
    pub fn direction(&self, from: u16, to: u16) -> Option<usize> {
        if let Some((way, _)) = self.bearing(from, to) {
            return Some(way);
        }
        if !has(&self.touching[usize::from(from) * self.width..], to) {
            return None;
        }
        let ((x, y), (fx, fy)) = (self.spots[usize::from(to)], self.spots[usize::from(from)]);
        let (x, y) = (i64::from(x - fx), i64::from(y - fy));
        self.steps.iter().position(|(sx, sy)| x * sy == y * sx && x * sx + y * sy > 0)
    }

    /// Whether nothing but cells are sites.
    pub fn has_cells_only(&self) -> bool {
        self.touching.iter().all(|word| *word == 0)
    }

    /// The direction `n` steps clockwise of another; of one that neighbours do not go by, among all directions.
    pub fn rotate(&self, way: i64, n: i64) -> Option<i64> {
        let all: Vec<i64> = if self.ways.iter().any(|used| i64::from(*used) == way) {
            self.ways.iter().map(|used| i64::from(*used)).collect()
        } else {
            (0..self.directions.len() as i64).collect()
        };
        let at = all.iter().position(|other| *other == way)? as i64;
        let to = (at + n % all.len() as i64).rem_euclid(all.len() as i64);
        all.get(to as usize).copied()
    }
}

/// The members of a set of sites, in order.
pub fn members(set: &[u64]) -> impl Iterator<Item = u16> + '_ {
    set.iter().enumerate().flat_map(|(word, bits)| {
        let mut left = *bits;
        std::iter::from_fn(move || {
            (left != 0).then(|| {
                let bit = left.trailing_zeros();
                left &= left - 1;
                (word * 64) as u16 + bit as u16
            })
        })
    })
}

/// The words of a set of the game, and empty ones behind them.
#[inline]
fn widened<const W: usize>(words: &[u64]) -> [u64; W] {
    match words.first_chunk() {
        Some(row) => *row,
        None => std::array::from_fn(|word| words.get(word).copied().unwrap_or(0)),
    }
}

/// Calls `f` for each member of a set of sites, in order.
#[inline(always)]
pub fn each_member<const W: usize>(set: &[u64; W], mut f: impl FnMut(u16)) {
    for (word, bits) in set.iter().enumerate() {
        let mut left = *bits;
        while left != 0 {
            f((word * 64) as u16 + left.trailing_zeros() as u16);
            left &= left - 1;
        }
    }
}

/// The first member of a set of sites.
#[inline]
pub(super) fn first(set: &[u64]) -> Option<u16> {
    let word = set.iter().position(|bits| *bits != 0)?;
    Some((word * 64) as u16 + set[word].trailing_zeros() as u16)
}

/// How many members a set of sites has.
#[inline]
pub(super) fn size(set: &[u64]) -> u32 {
    set.iter().map(|word| word.count_ones()).sum()
}

/// Whether a site is in a set.
#[inline]
pub fn has(set: &[u64], site: u16) -> bool {
    (set[usize::from(site) / 64] >> (site % 64)) & 1 == 1
}

/// Puts a site into a set.
#[inline]
pub fn insert(set: &mut [u64], site: u16) {
    set[usize::from(site) / 64] |= 1 << (site % 64);
}

/// A set made word by word from another.
#[inline]
pub fn each_word<const W: usize>(set: &[u64; W], f: impl Fn(usize, u64) -> u64) -> [u64; W] {
    let mut made = *set;
    made.iter_mut().enumerate().for_each(|(word, bits)| *bits = f(word, *bits));
    made
}
