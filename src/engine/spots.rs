//! Lines, groups and distances on boards without an end. They have an answer where the sites that are named end them, or a number
//! of steps.

use super::run::{R, Run};
use crate::model::rules::Builtin;
use crate::program::{NIL, Spot};
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

impl Run<'_> {
    /// `run(s, d, S)`, from the nearest on, or `line(s, d, S)`.
    pub(super) fn spots_in_line(
        &self,
        what: Builtin,
        board: usize,
        (site, way): (i64, i64),
        among: &[i64],
    ) -> Vec<i64> {
        let step = usize::try_from(way).ok().and_then(|way| self.p.boards[board].steps.get(way));
        let (Some((x, y)), false) = (step, site == NIL) else { return Vec::new() };
        let has = |site: &i64| among.binary_search(site).is_ok();
        let run = |by: (i64, i64)| {
            let spots = std::iter::successors(Some(Spot::of(site).moved(by)), move |spot| Some(spot.moved(by)));
            spots.map_while(|spot| spot.word().filter(has))
        };
        match what {
            Builtin::RunOf => run((*x, *y)).collect(),
            _ if !has(&site) => Vec::new(),
            _ => run((*x, *y)).chain(run((-x, -y))).chain([site]).collect(),
        }
    }

    /// How many steps sites are away from the nearest of some, so many at the most and over members of `among` only.
    pub(super) fn steps_from(
        &mut self,
        board: usize,
        from: Vec<i64>,
        among: Option<&[i64]>,
        most: i64,
    ) -> R<BTreeMap<i64, i64>> {
        let steps: Vec<(i64, i64)> =
            self.ways(board, false).into_iter().map(|way| self.p.boards[board].steps[way]).collect();
        let mut found: BTreeMap<i64, i64> = from.iter().map(|site| (*site, 0)).collect();
        let (mut edge, mut far) = (from, 0);
        while far < most && !edge.is_empty() {
            far += 1;
            self.spend_on(edge.len() * steps.len())?;
            let mut next = Vec::new();
            for site in edge {
                for by in &steps {
                    let to = match among {
                        None => self.beyond(site, *by)?,
                        Some(among) => match Spot::of(site).moved(*by).word() {
                            Some(to) if among.binary_search(&to).is_ok() => to,
                            _ => continue,
                        },
                    };
                    if let Entry::Vacant(new) = found.entry(to) {
                        new.insert(far);
                        next.push(to);
                    }
                }
            }
            if among.is_none() && found.len() > usize::from(self.p.layout.list_items) {
                return Err(self.too_long());
            }
            edge = next;
        }
        Ok(found)
    }

    /// `group(s, S)`
    pub(super) fn spots_connected(&mut self, board: usize, mut from: Vec<i64>, among: &[i64]) -> R<Vec<i64>> {
        from.retain(|site| among.binary_search(site).is_ok());
        Ok(self.steps_from(board, from, Some(among), i64::MAX)?.into_keys().collect())
    }

    /// `groups(S)`
    pub(super) fn spots_of_groups(&mut self, board: usize, among: &[i64]) -> R<Vec<i64>> {
        let (mut firsts, mut seen) = (Vec::new(), BTreeMap::new());
        for site in among {
            if !seen.contains_key(site) {
                firsts.push(*site);
                seen.extend(self.steps_from(board, vec![*site], Some(among), i64::MAX)?);
            }
        }
        Ok(firsts)
    }

    /// `distance(s, t)`, where nothing is in the way.
    pub(super) fn spots_apart(&self, board: usize, from: i64, to: i64) -> i64 {
        if from == NIL || to == NIL {
            return NIL;
        }
        let (from, to) = (Spot::of(from), Spot::of(to));
        let (x, y) = (from.x - to.x, from.y - to.y);
        let topology = &self.p.boards[board];
        let diagonally = self.ways(board, false).into_iter().any(|way| !topology.is_over_side(way));
        match from.on == to.on {
            true if topology.is_of_hexes() => x.abs().max(y.abs()).max((x + y).abs()),
            true if diagonally => x.abs().max(y.abs()),
            true => x.abs() + y.abs(),
            false => NIL,
        }
    }

    /// The direction from a site to another on one straight line, its step, and how many steps it is.
    fn straight_to(&self, board: usize, from: i64, to: i64) -> Option<(usize, (i64, i64), i64)> {
        if from == NIL || to == NIL {
            return None;
        }
        let (from, to) = (Spot::of(from), Spot::of(to));
        let (x, y) = (to.x - from.x, to.y - from.y);
        let n = x.abs().max(y.abs());
        if from.on != to.on || n == 0 || x % n != 0 || y % n != 0 {
            return None;
        }
        let by = (x / n, y / n);
        let way = self.ways(board, false).into_iter().find(|way| self.p.boards[board].steps[*way] == by)?;
        Some((way, by, n))
    }

    /// `direction(s, t)`
    pub(super) fn way_to(&self, board: usize, from: i64, to: i64) -> i64 {
        self.straight_to(board, from, to).map_or(NIL, |(way, ..)| way as i64)
    }

    /// `between(s, t)`
    pub(super) fn spots_between(&self, board: usize, from: i64, to: i64) -> Vec<i64> {
        let Some((_, (x, y), n)) = self.straight_to(board, from, to) else { return Vec::new() };
        (1..n).filter_map(|far| Spot::of(from).moved((x * far, y * far)).word()).collect()
    }
}
