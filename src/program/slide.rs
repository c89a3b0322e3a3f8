//! Steps of whole sets of sites: a shift of words for the sites of a board that lie alike, a table for the rest.

use super::board::{NO_SITE, NO_SITES, SiteSet, Topology, WIDEST, has, insert};
use std::collections::BTreeMap;

/// A set of sites of a game whose sets have `W` words, or up to [`WIDEST`].
pub type Words<const W: usize> = [u64; W];

/// What a step in one direction does to sets of sites.
#[derive(Clone, Debug)]
pub struct Slide {
    /// Sites that have a neighbour in the direction.
    pub from: SiteSet,
    /// By how many places each of them moves, if all by the same.
    pub by: Option<isize>,
    /// By how many places most of them move, and which those are.
    most: (isize, SiteSet),
    /// The others, and where they move.
    others: Vec<(u16, u16)>,
    /// The direction that always leads back, if there is one.
    pub back: Option<usize>,
    /// Whether it never leads round.
    pub straight: bool,
}

impl Slide {
    /// The step in a direction of which `next` tells the neighbours.
    pub fn new(next: &[u16], ways: usize, way: usize) -> Slide {
        let step = |site: usize, way: usize| next.get(site * ways + way).copied().filter(|to| *to != NO_SITE);
        let sites = next.len() / ways.max(1);
        let mut from = [0; WIDEST];
        let moves: Vec<(u16, u16)> = (0..sites).filter_map(|site| Some((site as u16, step(site, way)?))).collect();
        let moved = |(site, to): &(u16, u16)| *to as isize - *site as isize;
        let mut counts = BTreeMap::new();
        for found in &moves {
            insert(&mut from, found.0);
            *counts.entry(moved(found)).or_insert(0) += 1;
        }
        let by = counts.iter().max_by_key(|(_, count)| **count).map_or(0, |(by, _)| *by);
        let (most, others): (Vec<_>, Vec<_>) = moves.into_iter().partition(|found| moved(found) == by);
        let mut alike = NO_SITES;
        most.iter().for_each(|(site, _)| insert(&mut alike, *site));
        let leads_back = |back: &usize| {
            (0..sites).all(|site| {
                step(site, way).is_none_or(|to| step(usize::from(to), *back) == Some(site as u16))
                    && step(site, *back).is_none_or(|to| step(usize::from(to), way) == Some(site as u16))
            })
        };
        let ends = |site: usize| {
            let walk = std::iter::successors(Some(site), |site| step(*site, way).map(usize::from));
            walk.take(sites + 1).count() <= sites
        };
        Slide {
            from,
            by: (others.is_empty() && !most.is_empty()).then_some(by),
            most: (by, alike),
            others,
            back: (0..ways).find(leads_back),
            straight: (0..sites).all(ends),
        }
    }
}

/// The words moved up by so many bits, or down; of sites that all have where to go to, or of which those are left out
/// afterwards that have come from nowhere.
#[inline(always)]
fn shift<const W: usize>(set: &Words<W>, by: isize) -> Words<W> {
    if W == 1 {
        // What comes round is not among the sites that the callers ask for.
        return [set[0].rotate_left((by & 63) as u32); W];
    }
    let (words, bits) = (by.unsigned_abs() / 64, (by.unsigned_abs() % 64) as u32);
    let mut moved = [0; W];
    if by >= 0 {
        for word in words..W {
            let carried = if bits > 0 && word > words { set[word - words - 1] >> (64 - bits) } else { 0 };
            moved[word] = set[word - words] << bits | carried;
        }
    } else {
        for high in words..W {
            let carried = if bits > 0 && high + 1 < W { set[high + 1] << (64 - bits) } else { 0 };
            moved[high - words] = set[high] >> bits | carried;
        }
    }
    moved
}

#[inline(always)]
fn both<const W: usize>(a: &Words<W>, b: &[u64]) -> Words<W> {
    let mut found = *a;
    found.iter_mut().zip(b).for_each(|(word, bits)| *word &= bits);
    found
}

#[inline(always)]
fn any<const W: usize>(set: &Words<W>) -> bool {
    set.iter().any(|word| *word != 0)
}

impl Topology {
    /// The neighbours of the members of a set in a direction.
    #[inline]
    pub fn ahead<const W: usize>(&self, set: &Words<W>, way: usize) -> Words<W> {
        let slide = &self.slides[way];
        let (by, alike) = &slide.most;
        let mut found = shift(&both(set, alike), *by);
        if slide.others.is_empty() {
            return found;
        }
        for index in 0..W {
            let mut word = set[index] & slide.from[index] & !alike[index];
            while word != 0 {
                let to = self.step((index * 64) as u16 + word.trailing_zeros() as u16, way);
                word &= word - 1;
                found[usize::from(to) / 64] |= 1 << (to % 64);
            }
        }
        found
    }

    /// The sites whose neighbour in a direction is in a set.
    #[inline]
    pub fn behind<const W: usize>(&self, set: &Words<W>, way: usize) -> Words<W> {
        let slide = &self.slides[way];
        if let (Some(back), false) = (slide.back, slide.others.is_empty()) {
            return self.ahead(set, back);
        }
        let (by, alike) = &slide.most;
        let mut found = both(&shift(set, -by), alike);
        for (site, to) in &slide.others {
            if has(set, *to) {
                insert(&mut found, *site);
            }
        }
        found
    }

    /// The sites to which so many steps in a direction lead from a set, or from which they lead `back` to it.
    pub fn leap<const W: usize>(&self, set: &Words<W>, way: usize, n: i64, back: bool) -> Words<W> {
        if !self.slides[way].straight {
            let mut found = [0; W];
            for from in 0..self.sites {
                let Some(to) = self.walk(from, way, n) else { continue };
                let (given, told) = if back { (to, from) } else { (from, to) };
                if has(set, given) {
                    insert(&mut found, told);
                }
            }
            return found;
        }
        let (way, mut left) = self.course(way, n);
        let mut found = *set;
        while left > 0 && any(&found) {
            found = if back { self.behind(&found, way) } else { self.ahead(&found, way) };
            left -= 1;
        }
        found
    }

    /// The sites from one on, in a direction, that are in `among`, if a member of `ends` comes next.
    #[inline]
    pub fn run_to<const W: usize>(&self, from: i64, ends: &Words<W>, among: &Words<W>, way: usize) -> Words<W> {
        let none = [0; W];
        let Ok(from) = u16::try_from(from) else { return none };
        let (mut found, mut at) = (none, self.step(from, way));
        while at != NO_SITE && has(among, at) {
            insert(&mut found, at);
            at = self.step(at, way);
        }
        if at != NO_SITE && has(ends, at) { found } else { none }
    }

    /// The sites from one on, in a direction that never leads round, that are in `among`, and the next one.
    #[inline]
    pub fn sight<const W: usize>(&self, from: i64, among: &Words<W>, way: usize) -> Words<W> {
        let mut found = [0; W];
        let mut at = u16::try_from(from).map_or(NO_SITE, |from| self.step(from, way));
        while at != NO_SITE {
            insert(&mut found, at);
            at = if has(among, at) { self.step(at, way) } else { NO_SITE };
        }
        found
    }

    /// The members of a set that lie on a straight line of so many of them; of directions that lead back and never round.
    #[inline]
    pub fn in_lines<const W: usize>(&self, of: &Words<W>, n: u8) -> Words<W> {
        let mut found = [0; W];
        if of.iter().map(|word| word.count_ones()).sum::<u32>() < u32::from(n) {
            return found;
        }
        for axis in &self.axes {
            let way = usize::from(*axis);
            // First where such lines begin, then all of them.
            let mut line = *of;
            for _ in 1..n {
                if any(&line) {
                    line = both(&self.behind(&line, way), of);
                }
            }
            for _ in 0..n {
                if !any(&line) {
                    break;
                }
                (0..W).for_each(|word| found[word] |= line[word]);
                line = self.ahead(&line, way);
            }
        }
        found
    }

    /// Whether lines lead back the way they came, and never round.
    pub fn has_plain_lines(&self) -> bool {
        self.axes.iter().all(|axis| {
            let back = usize::from(self.opposite[usize::from(*axis)]);
            let slide = &self.slides[usize::from(*axis)];
            slide.straight && slide.back == Some(back)
        })
    }

    /// The sites from which one comes to a member of `ends` in a direction, all sites before it being in `among`.
    #[inline]
    pub fn towards<const W: usize>(&self, ends: &Words<W>, among: &Words<W>, way: usize) -> Words<W> {
        match self.slides[way].by {
            Some(by) => {
                let from = &self.slides[way].from;
                led_to(ends, among, |set| both(&shift(set, -by), from))
            }
            None => led_to(ends, among, |set| self.behind(set, way)),
        }
    }

    /// The sites from which one comes to a member of `ends` in a direction, all sites before it being in `among`, and one at
    /// least; of directions that never lead round.
    #[inline]
    pub fn over_to<const W: usize>(&self, ends: &Words<W>, among: &Words<W>, way: usize) -> Words<W> {
        match self.slides[way].by {
            Some(by) => {
                let from = &self.slides[way].from;
                led_over(ends, among, |set| both(&shift(set, -by), from))
            }
            None => led_over(ends, among, |set| self.behind(set, way)),
        }
    }

    /// How many members of a set of sites one comes to in a direction from one, one after another.
    #[inline(always)]
    pub fn stretch(&self, site: u16, way: usize, among: u64) -> i64 {
        let slide = &self.slides[way];
        let Some(by) = slide.by else {
            return self.ray(site, way).take_while(|site| (among >> site) & 1 == 1).count() as i64;
        };
        let (from, by) = (slide.from[0], (by & 63) as u32);
        let (mut at, mut length) = (1_u64 << site, 0);
        loop {
            at = (at & from).rotate_left(by) & among;
            if at == 0 {
                return length;
            }
            length += 1;
        }
    }
}

/// The sites from which steps lead over members of `among`, one at least, to a member of `ends`.
#[inline(always)]
fn led_over<const W: usize>(ends: &Words<W>, among: &Words<W>, back: impl Fn(&Words<W>) -> Words<W>) -> Words<W> {
    let mut front = both(&back(ends), among);
    let mut between = [0; W];
    while any(&front) {
        (0..W).for_each(|word| between[word] |= front[word]);
        front = both(&back(&front), among);
    }
    if any(&between) { back(&between) } else { between }
}

/// The sites from which steps lead to a member of `ends` over members of `among`, by what one step back does.
#[inline(always)]
fn led_to<const W: usize>(ends: &Words<W>, among: &Words<W>, back: impl Fn(&Words<W>) -> Words<W>) -> Words<W> {
    let mut front = back(ends);
    let mut found = front;
    loop {
        front = back(&both(&front, among));
        let mut fresh = [0; W];
        for word in 0..W {
            fresh[word] = front[word] & !found[word];
            found[word] |= fresh[word];
        }
        if !any(&fresh) {
            return found;
        }
        front = fresh;
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::super::board::{has, members};
    use super::super::spread::Spread;
    use super::*;
    use crate::base::Span;
    use crate::model::geometry::Geometry;
    use crate::model::rules::{Board, BoardShape, GraphPath, GraphShape, Per, Places};

    pub(in crate::program) fn topology(shape: BoardShape) -> Topology {
        let places = Places { cells: "{col}{row}".to_owned(), ..Places::default() };
        let geometry = Geometry::new(&shape, &places, 8);
        let width = geometry.sites().div_ceil(64);
        let board = Board {
            name: String::new(),
            per: Per::Game,
            shape,
            places,
            neighbours: 8,
            geometry,
            span: Span::default(),
        };
        Topology::new(&board, width)
    }

    pub(in crate::program) fn graph(paths: [(usize, usize); 4]) -> BoardShape {
        BoardShape::Graph(GraphShape {
            places: Vec::new(),
            sites: ["k", "l", "m", "n"].map(str::to_owned).to_vec(),
            directions: ["ahead", "back"].map(str::to_owned).to_vec(),
            paths: paths.into_iter().map(|(from, to)| GraphPath { from, to, way: Some(0) }).collect(),
        })
    }

    pub(in crate::program) fn ring() -> BoardShape {
        graph([(0, 1), (1, 2), (2, 3), (3, 0)])
    }

    /// Every third site or so, in a pattern without sense.
    pub(in crate::program) fn some_sites(board: &Topology, salt: u64) -> SiteSet {
        let mut set = NO_SITES;
        for site in (0..board.sites).filter(|site| (u64::from(*site) * 2_654_435_761 + salt) % 7 < 3) {
            insert(&mut set, site);
        }
        set
    }

    /// The steps of a shortest path through a set, of which both ends count as members.
    fn searched(board: &Topology, from: u16, to: u16, among: &SiteSet) -> Option<i64> {
        let mut open = *among;
        insert(&mut open, to);
        let (mut found, mut front) = (NO_SITES, NO_SITES);
        insert(&mut found, from);
        insert(&mut front, from);
        for steps in 0.. {
            if has(&front, to) {
                return Some(steps);
            }
            let next: Vec<u16> = members(&board.around(&front)).collect();
            front = NO_SITES;
            next.into_iter()
                .filter(|site| has(&open, *site) && !has(&found, *site))
                .for_each(|site| insert(&mut front, site));
            members(&front).for_each(|site| insert(&mut found, site));
            if front == NO_SITES {
                return None;
            }
        }
        None
    }

    #[test]
    fn known_distances_are_those_that_a_search_finds() {
        let shapes = [
            BoardShape::Square { columns: 5, rows: 4 },
            BoardShape::Hexagon { side: 4 },
            ring(),
            graph([(0, 1), (1, 2), (2, 0), (2, 3)]),
            graph([(0, 1), (1, 0), (2, 3), (3, 2)]),
        ];
        for board in shapes.into_iter().map(topology) {
            let mut all = NO_SITES;
            (0..board.sites).for_each(|site| insert(&mut all, site));
            for (from, to) in (0..board.sites).flat_map(|from| (0..board.sites).map(move |to| (from, to))) {
                assert_eq!(board.distance(from, to), searched(&board, from, to, &all), "{from} {to}");
            }
        }
    }

    #[test]
    fn what_spreads_is_as_far_as_a_search_finds() {
        let shapes = [
            BoardShape::Square { columns: 7, rows: 6 },
            BoardShape::Hexagon { side: 4 },
            ring(),
            graph([(0, 1), (1, 2), (2, 0), (2, 3)]),
            graph([(0, 1), (1, 0), (2, 3), (3, 2)]),
        ];
        let mut random = 7u64;
        let mut any = |below: u16| {
            random = random.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (random >> 33) as u16 % below
        };
        for board in shapes.into_iter().map(topology) {
            let mut spread = Spread::default();
            for _ in 0..40 {
                let mut among = NO_SITES;
                (0..board.sites).filter(|_| any(3) > 0).for_each(|site| insert(&mut among, site));
                let fixed = any(board.sites);
                for round in 0..90 {
                    let (one, other) = (any(board.sites), any(board.sites));
                    let (from, to) = match round / 30 {
                        0 => (fixed, other),
                        1 => (other, fixed),
                        _ => (one, other),
                    };
                    let found = spread.distance((0, &board), from, to, &among);
                    assert_eq!(found, searched(&board, from, to, &among), "{from} {to}");
                }
            }
        }
    }

    #[test]
    fn sets_move_as_their_members_do() {
        let shapes = [
            BoardShape::Square { columns: 5, rows: 4 },
            BoardShape::Square { columns: 19, rows: 19 },
            BoardShape::Square { columns: 70, rows: 3 },
            BoardShape::HexRhombus { columns: 11, rows: 11 },
            BoardShape::Hexagon { side: 5 },
            ring(),
            graph([(0, 1), (1, 2), (2, 0), (2, 3)]),
        ];
        for board in shapes.into_iter().map(topology) {
            for (salt, way) in (0..board.directions.len()).enumerate() {
                let (set, among) = (some_sites(&board, salt as u64), some_sites(&board, 5 + salt as u64));
                let (mut ahead, mut behind, mut towards) = (NO_SITES, NO_SITES, NO_SITES);
                for site in 0..board.sites {
                    let next = board.step(site, way);
                    if next == NO_SITE {
                        continue;
                    }
                    if has(&set, site) {
                        insert(&mut ahead, next);
                    }
                    if has(&set, next) {
                        insert(&mut behind, site);
                    }
                    let comes = std::iter::successors(Some(next), |at| {
                        (has(&among, *at) && board.step(*at, way) != NO_SITE).then(|| board.step(*at, way))
                    });
                    if comes.take(usize::from(board.sites) + 1).any(|at| has(&set, at)) {
                        insert(&mut towards, site);
                    }
                }
                assert_eq!(board.ahead(&set, way), ahead, "{way}");
                assert_eq!(board.behind(&set, way), behind, "{way}");
                assert_eq!(board.towards(&set, &among, way), towards, "{way}");
                for n in [-1, 0, 1, 2, 3, 5, 100] {
                    let (mut there, mut back) = (NO_SITES, NO_SITES);
                    for from in 0..board.sites {
                        let Some(to) = board.walk(from, way, n) else { continue };
                        if has(&set, from) {
                            insert(&mut there, to);
                        }
                        if has(&set, to) {
                            insert(&mut back, from);
                        }
                    }
                    assert_eq!(board.leap(&set, way, n, false), there, "{way} {n}");
                    assert_eq!(board.leap(&set, way, n, true), back, "{way} {n}");
                }
                if board.slides[way].straight {
                    let led = board.towards(&set, &among, way);
                    let first = super::super::board::each_word(&led, |word, bits| bits & among[word]);
                    assert_eq!(board.over_to(&set, &among, way), board.behind(&first, way), "{way}");
                }
                let along = |site: u16, way: usize| {
                    board.ray(site, way).take(usize::from(board.sites)).take_while(|at| has(&set, *at)).count()
                };
                let through = |site: u16, axis: &u8| {
                    let ways = [usize::from(*axis), usize::from(board.opposite[usize::from(*axis)])];
                    1 + ways.iter().map(|way| along(site, *way)).sum::<usize>()
                };
                for n in (1..6).filter(|_| board.has_plain_lines()) {
                    let mut lined = NO_SITES;
                    members(&set)
                        .filter(|site| board.axes.iter().any(|axis| through(*site, axis) >= n))
                        .for_each(|site| insert(&mut lined, site));
                    assert_eq!(board.in_lines(&set, n as u8), lined, "lines of {n}");
                }
                for from in 0..board.sites {
                    let run: Vec<u16> = board.ray(from, way).take_while(|site| has(&among, *site)).collect();
                    let next = board.walk(from, way, run.len() as i64 + 1);
                    let closed = next.is_some_and(|next| has(&set, next)) && board.slides[way].straight;
                    if board.slides[way].straight {
                        let seen: Vec<u16> = members(&board.sight(i64::from(from), &among, way)).collect();
                        let mut expected: Vec<u16> = run.iter().copied().chain(next).collect();
                        expected.sort_unstable();
                        assert_eq!(seen, expected);
                        let found = board.run_to(i64::from(from), &set, &among, way);
                        assert_eq!(members(&found).count(), if closed { run.len() } else { 0 });
                    }
                }
            }
        }
    }

    #[test]
    fn grids_move_by_shifts_and_rings_lead_round() {
        let grid = topology(BoardShape::Square { columns: 8, rows: 8 });
        assert!(grid.slides.iter().all(|slide| slide.by.is_some() && slide.straight && slide.back.is_some()));
        assert!(!topology(ring()).slides[0].straight);
    }
}
