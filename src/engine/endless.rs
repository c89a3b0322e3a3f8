//! Boards without an end: an index by place says what lies where, so nothing limits them but the pieces.
//!
//! INVARIANT: the index of a board has the topmost piece of every site on which something lies, and nothing else; it is
//! never more than half full, so that looking ends.

use super::run::{R, Run, at};
use super::state::slot_of;
use crate::base::Code;
use crate::model::rules::{Builtin, Per};
use crate::program::{NIL, REACH, Spot, board_of_thing, ent};

/// Where an odd multiplier takes the bits of a site, to spread sites over the index.
const SPREAD: u64 = 0x9e37_79b9_7f4a_7c15;

impl Run<'_> {
    /// The endless board on which an entity lies, and its site there.
    pub fn spot_of_slot(&self, slot: usize) -> Option<(usize, i64)> {
        let record = self.p.layout.entity(slot);
        let place = self.st.mem[record + ent::PLACE];
        (place <= ent::ENDLESS).then(|| ((ent::ENDLESS - place) as usize, self.st.mem[record + ent::SITE]))
    }

    /// First word of a board's index, and its places less one.
    fn index(&self, board: usize) -> (usize, usize) {
        let layout = &self.p.layout.boards[board];
        (layout.tops, layout.places - 1)
    }

    fn home(&self, site: i64, last: usize) -> usize {
        ((site as u64).wrapping_mul(SPREAD) >> 40) as usize & last
    }

    /// The topmost piece on a site.
    pub fn top_at(&self, board: usize, site: i64) -> Option<usize> {
        let (start, last) = self.index(board);
        let mut place = self.home(site, last);
        loop {
            let slot = usize::try_from(self.st.mem[start + place] - 1).ok()?;
            if self.st.mem[self.p.layout.entity(slot) + ent::SITE] == site {
                return Some(slot);
            }
            place = (place + 1) & last;
        }
    }

    /// Says in the index what lies on top of a site.
    fn put_top(&mut self, board: usize, site: i64, top: usize) {
        let (start, last) = self.index(board);
        let mut place = self.home(site, last);
        while let Ok(slot) = usize::try_from(self.st.mem[start + place] - 1) {
            if self.st.mem[self.p.layout.entity(slot) + ent::SITE] == site {
                break;
            }
            place = (place + 1) & last;
        }
        self.st.mem[start + place] = top as i64 + 1;
    }

    /// Takes a site out of the index, and moves up what would no longer be found.
    fn clear_top(&mut self, board: usize, top: usize) {
        let (start, last) = self.index(board);
        let site = self.st.mem[self.p.layout.entity(top) + ent::SITE];
        let mut hole = self.home(site, last);
        while self.st.mem[start + hole] != top as i64 + 1 {
            if self.st.mem[start + hole] == 0 {
                return;
            }
            hole = (hole + 1) & last;
        }
        let mut place = hole;
        loop {
            place = (place + 1) & last;
            let Ok(slot) = usize::try_from(self.st.mem[start + place] - 1) else { break };
            let home = self.home(self.st.mem[self.p.layout.entity(slot) + ent::SITE], last);
            if place.wrapping_sub(home) & last >= place.wrapping_sub(hole) & last {
                self.st.mem[start + hole] = self.st.mem[start + place];
                hole = place;
            }
        }
        self.st.mem[start + hole] = 0;
    }

    /// Puts a piece onto a site.
    pub fn enter_spot(&mut self, slot: usize, board: usize, site: i64) {
        let record = self.p.layout.entity(slot);
        let beneath = self.top_at(board, site);
        self.st.mem[record + ent::PLACE] = ent::ENDLESS - board as i64;
        self.st.mem[record + ent::SITE] = site;
        self.st.mem[record + ent::KNOWN] |= self.lookers_at(slot);
        self.st.mem[record + ent::BENEATH] = beneath.map_or(-1, |slot| slot as i64);
        self.put_top(board, site, slot);
        let on = self.p.layout.boards[board].occupied;
        self.st.mem[on + slot / 64] |= 1 << (slot % 64);
    }

    /// Takes a piece from its site.
    pub fn leave_spot(&mut self, slot: usize, board: usize) {
        let record = self.p.layout.entity(slot);
        let site = self.st.mem[record + ent::SITE];
        let beneath = self.st.mem[record + ent::BENEATH];
        match (self.top_at(board, site), usize::try_from(beneath)) {
            (Some(top), Ok(beneath)) if top == slot => self.put_top(board, site, beneath),
            (Some(top), Err(_)) if top == slot => self.clear_top(board, slot),
            (Some(top), _) => {
                let mut above = self.p.layout.entity(top);
                while self.st.mem[above + ent::BENEATH] != slot as i64 && self.st.mem[above + ent::BENEATH] >= 0 {
                    above = self.p.layout.entity(self.st.mem[above + ent::BENEATH] as usize);
                }
                self.st.mem[above + ent::BENEATH] = beneath;
            }
            (None, _) => {}
        }
        self.st.mem[record + ent::BENEATH] = -1;
        let on = self.p.layout.boards[board].occupied;
        self.st.mem[on + slot / 64] &= !(1 << (slot % 64));
    }

    /// Pieces on a site, the top first.
    pub fn stack_at(&self, board: usize, site: i64) -> Vec<usize> {
        let mut found = Vec::new();
        let mut next = self.top_at(board, site);
        while let Some(slot) = next {
            found.push(slot);
            next = usize::try_from(self.st.mem[self.p.layout.entity(slot) + ent::BENEATH]).ok();
        }
        found
    }

    /// The pieces on an endless board, of all players or things, in the order of their slots.
    pub fn pieces_on(&self, board: usize) -> Vec<usize> {
        self.members(self.p.layout.capacity.div_ceil(64), self.p.layout.boards[board].occupied)
    }

    /// Which of the boards of one declaration is a player's or thing's.
    pub fn board_of(&self, board: usize, whose: i64) -> Option<i64> {
        match self.p.rules.boards[board].per {
            Per::Game => Some(0),
            Per::Player => (whose >= 0).then_some(whose),
            Per::Kind(_) => {
                let (record, current) = self.record(whose)?;
                let here = current && self.st.mem[record + ent::PLACE] != ent::NOWHERE;
                here.then(|| board_of_thing(slot_of(whose).unwrap_or(0), self.st.mem[record + ent::GENERATION]))
            }
        }
    }

    /// Whether the thing whose board a site is on is still there.
    pub fn on_table(&self, board: usize, site: i64) -> bool {
        match self.p.rules.boards[board].per {
            Per::Game => true,
            Per::Player => Spot::of(site).on < i64::from(self.st.players),
            Per::Kind(_) => {
                let slot = (Spot::of(site).on >> 14) as usize;
                slot < self.p.layout.capacity && self.board_of(board, self.reference(slot)) == Some(Spot::of(site).on)
            }
        }
    }

    /// Whose board a site is on, in words; nothing if there is but one.
    pub fn whose_word(&self, board: usize, on: i64) -> Option<String> {
        match self.p.rules.boards[board].per {
            Per::Game => None,
            Per::Player => Some(self.seat_name(on)),
            Per::Kind(_) => Some(self.entity_name(self.reference((on >> 14) as usize))),
        }
    }

    fn too_far(&self) -> Box<super::api::GameError> {
        self.error(Code::TooFar, format!("a site more than {REACH} steps from the origin"))
    }

    /// The site some steps away.
    pub(super) fn beyond(&self, site: i64, by: (i64, i64)) -> R<i64> {
        Spot::of(site).moved(by).word().ok_or_else(|| self.too_far())
    }

    fn store_spots(&mut self, d: usize, mut sites: Vec<i64>) -> R<()> {
        sites.sort_unstable();
        sites.dedup();
        self.store_list(d, &sites)
    }

    /// Likewise, from a buffer that is given back.
    fn give_spots(&mut self, d: usize, mut sites: Vec<i64>) -> R<()> {
        if !sites.is_sorted_by(|a, b| a < b) {
            // Each direction's are in order, if the sites were: runs that are merged.
            sites.sort();
            sites.dedup();
        }
        let stored = self.store_list(d, &sites);
        self.x.items = sites;
        stored
    }

    /// What lies on a board, or on all of one declaration.
    fn pieces_there(&mut self, d: usize, board: usize, only: Option<Option<i64>>) {
        let layout = &self.p.layout;
        let on = layout.boards[board].occupied;
        self.st.mem[d..d + usize::from(layout.entity_set)].fill(0);
        for index in 0..layout.capacity.div_ceil(64) {
            let mut left = self.st.mem[on + index] as u64;
            while left != 0 {
                let bit = left & left.wrapping_neg();
                left ^= bit;
                let slot = index * 64 + bit.trailing_zeros() as usize;
                let site = self.st.mem[layout.entity(slot) + ent::SITE];
                if only.is_none_or(|only| only == Some(Spot::of(site).on)) {
                    self.st.mem[d + index] |= bit as i64;
                }
            }
        }
    }

    /// Adds sites so many steps away to a list, after all: what is in it twice is left out first.
    pub fn leap_after_all(&mut self, list: usize, site: usize, base: usize) -> R<()> {
        self.distinct(list);
        if super::slides::leap(self.p, &mut self.st.mem, list, site, base) {
            return Ok(());
        }
        let full = self.st.mem[list] + i64::from(i64::BITS) > i64::from(self.p.layout.list_items);
        Err(if full { self.too_long() } else { self.too_far() })
    }

    /// A function of an endless board.
    pub fn on_endless(&mut self, d: usize, site: usize, base: usize) -> R<()> {
        let p = self.p;
        let info = &p.sites.endless[site];
        let board = usize::from(info.board);
        let steps = &p.boards[board].steps;
        let arg = |index: usize| at(base, info.args[index]);
        let word = |run: &Self, index: usize| run.st.mem[arg(index)];
        self.spend_on(p.layout.capacity / 4)?;
        let spots = |run: &Self, index: usize| {
            if info.many[index] {
                run.load_list(arg(index))
            } else {
                Some(word(run, index)).filter(|word| *word != NIL).into_iter().collect()
            }
        };
        match info.what {
            Builtin::AllSites => {
                let only = if info.whose { Some(self.board_of(board, word(self, 0))) } else { None };
                if info.pieces {
                    self.pieces_there(d, board, only);
                    return Ok(());
                }
                let mut sites = std::mem::take(&mut self.x.items);
                sites.clear();
                let on = p.layout.boards[board].occupied;
                for index in 0..p.layout.capacity.div_ceil(64) {
                    let mut left = self.st.mem[on + index] as u64;
                    while left != 0 {
                        let slot = index * 64 + left.trailing_zeros() as usize;
                        left &= left - 1;
                        let site = self.st.mem[p.layout.entity(slot) + ent::SITE];
                        if only.is_none_or(|only| only == Some(Spot::of(site).on)) {
                            sites.push(site);
                        }
                    }
                }
                return self.give_spots(d, sites);
            }
            Builtin::Origin | Builtin::SiteAt => {
                let on = if info.whose { self.board_of(board, word(self, 0)) } else { Some(0) };
                let first = usize::from(info.whose);
                let (x, y) = match info.what {
                    Builtin::Origin => (0, 0),
                    _ => (word(self, first), word(self, first + 1)),
                };
                self.st.mem[d] = match on {
                    Some(on) if x != NIL && y != NIL => Spot { on, x, y }.word().ok_or_else(|| self.too_far())?,
                    _ => NIL,
                };
            }
            Builtin::SitesOf => {
                let slots = self.present(arg(0));
                let here = slots.into_iter().filter_map(|slot| self.spot_of_slot(slot)).filter(|(on, _)| *on == board);
                let sites = here.map(|(_, site)| site).collect();
                return self.store_spots(d, sites);
            }
            Builtin::PiecesOn => {
                let sites = spots(self, 0);
                let mut slots = vec![0i64; usize::from(p.layout.entity_set)];
                for slot in sites.into_iter().flat_map(|site| self.stack_at(board, site)) {
                    slots[slot / 64] |= 1 << (slot % 64);
                }
                self.st.mem[d..d + slots.len()].copy_from_slice(&slots);
            }
            Builtin::Around | Builtin::Beside => {
                let mut found = std::mem::take(&mut self.x.items);
                found.clear();
                let sites: &[i64] = match info.many[0] {
                    true => self.list_at(arg(0)),
                    false if word(self, 0) == NIL => &[],
                    false => &self.st.mem[arg(0)..=arg(0)],
                };
                let sides = info.what == Builtin::Beside;
                for way in p.boards[board].ways.iter().map(|way| usize::from(*way)) {
                    if sides && !p.boards[board].is_over_side(way) {
                        continue;
                    }
                    for site in sites {
                        found.push(self.beyond(*site, steps[way])?);
                    }
                }
                return self.give_spots(d, found);
            }
            Builtin::Step if !info.many[0] => {
                let (site, way, n) =
                    (word(self, 0), word(self, 1), if info.args.len() > 2 { word(self, 2) } else { 1 });
                let by = usize::try_from(way).ok().and_then(|way| steps.get(way));
                self.st.mem[d] = match by {
                    Some((x, y)) if n != NIL && site != NIL => {
                        let n = n.clamp(-2 * REACH, 2 * REACH);
                        self.beyond(site, (x * n, y * n))?
                    }
                    _ => NIL,
                };
            }
            Builtin::Step => {
                let (way, n) = (word(self, 1), if info.args.len() > 2 { word(self, 2) } else { 1 });
                let by = usize::try_from(way).ok().and_then(|way| steps.get(way)).filter(|_| n != NIL);
                let mut found = Vec::new();
                if let Some((x, y)) = by {
                    let n = n.clamp(-2 * REACH, 2 * REACH);
                    for site in spots(self, 0) {
                        found.push(self.beyond(site, (x * n, y * n))?);
                    }
                }
                return self.store_spots(d, found);
            }
            Builtin::EmptyOf => {
                let mut free = std::mem::take(&mut self.x.items);
                free.clear();
                let sites = if info.many[0] { self.list_at(arg(0)) } else { &self.st.mem[arg(0)..=arg(0)] };
                free.extend(sites.iter().filter(|site| **site != NIL && self.top_at(board, **site).is_none()));
                return self.give_spots(d, free);
            }
            Builtin::TopOn => {
                let top = Some(word(self, 0)).filter(|site| *site != NIL).and_then(|site| self.top_at(board, site));
                self.st.mem[d] = top.map_or(NIL, |slot| self.reference(slot));
            }
            Builtin::Stack => {
                let slots: Vec<usize> =
                    spots(self, 0).into_iter().flat_map(|site| self.stack_at(board, site)).collect();
                let items: Vec<i64> = slots.into_iter().rev().map(|slot| self.reference(slot)).collect();
                return self.store_list(d, &items);
            }
            Builtin::LongestLine => {
                let (site, among) = (word(self, 0), spots(self, 1));
                self.st.mem[d] = self.line_through(board, site, &among);
            }
            Builtin::RunOf => {
                let (from, among) = ((word(self, 0), word(self, 1)), spots(self, 2));
                let found = self.spots_in_line(info.what, board, from, &among);
                self.spend_on(found.len())?;
                return self.store_list(d, &found);
            }
            Builtin::Line => {
                let (from, among) = ((word(self, 0), word(self, 1)), spots(self, 2));
                let found = self.spots_in_line(info.what, board, from, &among);
                return self.store_spots(d, found);
            }
            Builtin::Group => {
                let (from, among) = (spots(self, 0), spots(self, 1));
                let found = self.spots_connected(board, from, &among)?;
                return self.store_spots(d, found);
            }
            Builtin::Groups => {
                let among = spots(self, 0);
                let found = self.spots_of_groups(board, &among)?;
                return self.store_spots(d, found);
            }
            Builtin::Within | Builtin::Ring => {
                let (from, n) = (spots(self, 0), word(self, 1));
                let near = if n < 0 { Default::default() } else { self.steps_from(board, from, None, n)? };
                let meant = near.into_iter().filter(|(_, far)| info.what == Builtin::Within || *far == n);
                return self.store_spots(d, meant.map(|(site, _)| site).collect());
            }
            Builtin::Distance => self.st.mem[d] = self.spots_apart(board, word(self, 0), word(self, 1)),
            Builtin::DistanceIn => {
                let (from, to, mut among) = (word(self, 0), word(self, 1), spots(self, 2));
                self.st.mem[d] = NIL;
                if from != NIL && to != NIL {
                    among.extend([from, to]);
                    among.sort_unstable();
                    let far = self.steps_from(board, vec![from], Some(&among), i64::MAX)?;
                    self.st.mem[d] = far.get(&to).copied().unwrap_or(NIL);
                }
            }
            Builtin::Bearing => self.st.mem[d] = self.way_to(board, word(self, 0), word(self, 1)),
            Builtin::Between => {
                let found = self.spots_between(board, word(self, 0), word(self, 1));
                self.spend_on(found.len())?;
                return self.store_list(d, &found);
            }
            Builtin::Column | Builtin::Row => {
                let site = word(self, 0);
                let spot = Spot::of(site);
                let n = if info.what == Builtin::Column { spot.x } else { spot.y };
                self.st.mem[d] = if site == NIL { NIL } else { n };
            }
            // INVARIANT: the checker refuses the rest of such boards.
            Builtin::Smaller
            | Builtin::Larger
            | Builtin::Abs
            | Builtin::First
            | Builtin::Top
            | Builtin::Bottom
            | Builtin::Clockwise
            | Builtin::After
            | Builtin::Empty
            | Builtin::SiteOf
            | Builtin::Directions
            | Builtin::EnumIndex
            | Builtin::CopyOf
            | Builtin::OnCopy
            | Builtin::Turnings
            | Builtin::Fitting
            | Builtin::AllCells
            | Builtin::AllEdges
            | Builtin::AllCorners
            | Builtin::AllRim
            | Builtin::CellsOf
            | Builtin::EdgesOf
            | Builtin::CornersOf
            | Builtin::RimOf
            | Builtin::Border
            | Builtin::BorderTo
            | Builtin::Path
            | Builtin::Ray
            | Builtin::Opposite
            | Builtin::Rotate
            | Builtin::Repeats => {}
        }
        Ok(())
    }

    /// The directions that count on a board, or those of them that lead over a side.
    pub(super) fn ways(&self, board: usize, sides: bool) -> Vec<usize> {
        let topology = &self.p.boards[board];
        let all = topology.ways.iter().map(|way| usize::from(*way));
        all.filter(|way| !sides || topology.is_over_side(*way)).collect()
    }

    fn line_through(&self, board: usize, site: i64, among: &[i64]) -> i64 {
        let has = |site: i64| among.binary_search(&site).is_ok();
        if site == NIL || !has(site) {
            return 0;
        }
        let run = |by: (i64, i64)| {
            let mut spot = Spot::of(site).moved(by);
            let mut count = 0;
            while spot.word().is_some_and(has) {
                count += 1;
                spot = spot.moved(by);
            }
            count
        };
        let steps = &self.p.boards[board].steps;
        let lines = self.ways(board, false).into_iter().map(|way| steps[way]);
        lines.map(|(x, y)| 1 + run((x, y)) + run((-x, -y))).max().unwrap_or(1)
    }
}
