//! Numbers of neighbours and of groups, for all sites at once.
//!
//! A tally counts by sites: its digits are sets. What was counted last is kept, since the next set that is asked for
//! mostly differs by a few sites.

use super::board::{Topology, each_word, first, insert, members};

/// The most that a tally counts.
const MOST: usize = 15;
/// Sites by which a set may differ from the one that is kept.
const FEW: u32 = 6;

/// How often each site was counted, up to 15: the bits of the numbers, each a set of sites.
#[derive(Clone, Copy, Debug)]
struct Tally<const W: usize>([[u64; W]; 4]);

impl<const W: usize> Tally<W> {
    const NONE: Tally<W> = Tally([[0; W]; 4]);

    #[inline]
    fn add(&mut self, sites: &[u64]) {
        for (word, bits) in sites.iter().enumerate() {
            let mut carry = *bits;
            for digit in &mut self.0 {
                (digit[word], carry) = (digit[word] ^ carry, digit[word] & carry);
            }
        }
    }

    #[inline]
    fn take(&mut self, sites: &[u64]) {
        for (word, bits) in sites.iter().enumerate() {
            let mut borrow = *bits;
            for digit in &mut self.0 {
                (digit[word], borrow) = (digit[word] ^ borrow, !digit[word] & borrow);
            }
        }
    }

    /// Those of a set that were counted so often that a test holds, of numbers up to `most`.
    #[inline]
    fn meeting(&self, among: &[u64; W], most: usize, test: impl Fn(i64) -> bool) -> [u64; W] {
        let mut found = [0; W];
        for number in (0..=most).filter(|number| test(*number as i64)) {
            for (word, bits) in found.iter_mut().enumerate() {
                let digits = self.0.iter().enumerate();
                let same = digits.map(|(digit, set)| if (number >> digit) & 1 == 1 { set[word] } else { !set[word] });
                *bits |= same.fold(among[word], |all, bits| all & bits);
            }
        }
        found
    }
}

/// The groups of a set: how many, and how many of them are beside each site.
#[derive(Clone, Copy, Debug)]
struct Shores<const W: usize> {
    groups: i64,
    beside: Tally<W>,
}

/// What was counted last on a board, for sets of `W` words.
#[derive(Clone, Debug)]
pub struct Counted<const W: usize> {
    near: Option<(Key<W>, Tally<W>)>,
    shores: Option<(Key<W>, Shores<W>)>,
    /// Each group of the set of `shores`, and its neighbours.
    groups: Vec<([u64; W], [u64; W])>,
}

/// Board, whether over sides only, and the set.
type Key<const W: usize> = (usize, bool, [u64; W]);

impl<const W: usize> Default for Counted<W> {
    fn default() -> Self {
        Counted { near: None, shores: None, groups: Vec::new() }
    }
}

/// What differs between two sets: what left, and what came.
fn difference<const W: usize>(before: &[u64; W], now: &[u64; W]) -> ([u64; W], [u64; W]) {
    (each_word(before, |word, bits| bits & !now[word]), each_word(now, |word, bits| bits & !before[word]))
}

fn size(set: &[u64]) -> u32 {
    set.iter().map(|word| word.count_ones()).sum()
}

impl Topology {
    /// How many neighbours each site has in a set.
    #[inline]
    fn tally<const W: usize>(&self, beside: bool, among: &[u64; W], last: &mut Counted<W>) -> Tally<W> {
        let table = if beside { &self.beside } else { &self.around };
        let row = |site: u16| &table[usize::from(site) * self.width..][..self.width];
        let board = std::ptr::from_ref(self) as usize;
        if let Some(((known, sides, set), tally)) = &last.near
            && (*known, *sides) == (board, beside)
        {
            let (left, came) = difference(set, among);
            if size(&left) + size(&came) <= FEW {
                let mut tally = *tally;
                members(&left).for_each(|site| tally.take(row(site)));
                members(&came).for_each(|site| tally.add(row(site)));
                return tally;
            }
        }
        let mut tally = Tally::NONE;
        members(among).for_each(|site| tally.add(row(site)));
        last.near = Some(((board, beside, *among), tally));
        tally
    }

    /// Those of a set that have so many neighbours in another.
    #[inline]
    pub fn with_near<const W: usize>(
        &self,
        beside: bool,
        over: &[u64; W],
        among: &[u64; W],
        test: impl Fn(i64) -> bool,
        last: &mut Counted<W>,
    ) -> [u64; W] {
        let tally = (self.most_near <= MOST).then(|| self.tally(beside, among, last));
        self.meeting(tally.as_ref(), beside, over, among, test)
    }

    /// Likewise, where they are counted already, if they can be.
    #[inline]
    fn meeting<const W: usize>(
        &self,
        tally: Option<&Tally<W>>,
        beside: bool,
        over: &[u64; W],
        among: &[u64; W],
        test: impl Fn(i64) -> bool,
    ) -> [u64; W] {
        if let Some(tally) = tally {
            return tally.meeting(over, self.most_near, test);
        }
        let mut found = [0; W];
        for site in members(over).filter(|site| test(self.near(*site, beside, among))) {
            insert(&mut found, site);
        }
        found
    }

    /// Those of some sites with which, put to a set, no member of it has neighbours in it whose number meets a test.
    pub fn keeping_near<const W: usize>(
        &self,
        beside: bool,
        set: &[u64; W],
        sites: &[u64; W],
        test: impl Fn(i64) -> bool,
        last: &mut Counted<W>,
    ) -> [u64; W] {
        let tally = (self.most_near <= MOST).then(|| self.tally(beside, set, last));
        let now = self.meeting(tally.as_ref(), beside, set, set, &test);
        let then = self.meeting(tally.as_ref(), beside, set, set, |number| test(number + 1));
        let own = self.meeting(tally.as_ref(), beside, sites, set, &test);
        let table = if beside { &self.beside } else { &self.around };
        let calm = now == [0; W];
        let mut found = each_word(sites, |word, bits| bits & !own[word]);
        if !calm || then != [0; W] {
            for site in members(&found.clone()) {
                let row = &table[usize::from(site) * self.width..][..self.width];
                let parts = row.iter().enumerate();
                let bad = parts.fold(0, |bad, (word, near)| bad | (now[word] & !near) | (then[word] & near));
                if bad != 0 {
                    found[usize::from(site) / 64] &= !(1 << (site % 64));
                }
            }
        }
        // What is in the set already changes nothing.
        each_word(&found, |word, bits| (bits & !set[word]) | if calm { sites[word] & set[word] } else { 0 })
    }

    /// The connected groups of a set, each with all neighbours of it.
    #[inline]
    fn each_shore<const W: usize>(&self, among: &[u64; W], mut f: impl FnMut([u64; W], [u64; W])) {
        let mut rest = *among;
        while let Some(first) = first(&rest) {
            let before = rest;
            let (mut front, mut shore) = ([0; W], [0; W]);
            insert(&mut front, first);
            while front != [0; W] {
                rest = each_word(&rest, |word, bits| bits & !front[word]);
                let next = self.around(&front);
                shore = each_word(&shore, |word, bits| bits | next[word]);
                front = each_word(&next, |word, bits| bits & rest[word]);
            }
            f(each_word(&before, |word, bits| bits & !rest[word]), shore);
        }
    }

    /// How many connected groups a set has.
    pub fn group_count<const W: usize>(&self, set: &[u64; W]) -> i64 {
        let mut groups = 0;
        self.each_shore(set, |_, _| groups += 1);
        groups
    }

    /// The groups of a set, as seen from each site.
    fn shores<const W: usize>(&self, set: &[u64; W], last: &mut Counted<W>) -> Shores<W> {
        let board = std::ptr::from_ref(self) as usize;
        if let Some(((known, _, before), shores)) = &last.shores
            && *known == board
        {
            let (left, came) = difference(before, set);
            if size(&left) + size(&came) <= FEW {
                // Only groups that lost a site or have a new one beside them are other ones now.
                let mut shores = *shores;
                let mut anew = came;
                for (group, shore) in &last.groups {
                    if (0..W).any(|word| group[word] & left[word] | shore[word] & came[word] != 0) {
                        shores.groups -= 1;
                        shores.beside.take(shore);
                        anew = each_word(&anew, |word, bits| bits | group[word] & !left[word]);
                    }
                }
                self.each_shore(&anew, |_, shore| {
                    shores.groups += 1;
                    shores.beside.add(&shore);
                });
                return shores;
            }
        }
        let mut shores = Shores { groups: 0, beside: Tally::NONE };
        last.groups.clear();
        self.each_shore(set, |group, shore| {
            shores.groups += 1;
            shores.beside.add(&shore);
            last.groups.push((group, shore));
        });
        last.shores = Some(((board, false, *set), shores));
        shores
    }

    /// Those of some sites with which, put to a set, the number of its groups meets a test.
    pub fn keeping_groups<const W: usize>(
        &self,
        set: &[u64; W],
        sites: &[u64; W],
        test: impl Fn(i64) -> bool,
        last: &mut Counted<W>,
    ) -> [u64; W] {
        let fresh = each_word(sites, |word, bits| bits & !set[word]);
        let (groups, found) = if self.most_near > MOST {
            let mut found = [0; W];
            for site in members(&fresh) {
                let mut all = *set;
                insert(&mut all, site);
                if test(self.group_count(&all)) {
                    insert(&mut found, site);
                }
            }
            (self.group_count(set), found)
        } else {
            // It joins the groups beside it.
            let shores = self.shores(set, last);
            let joined = |joined: i64| test(shores.groups + 1 - joined);
            (shores.groups, shores.beside.meeting(&fresh, self.most_near, joined))
        };
        each_word(&found, |word, bits| bits | if test(groups) { sites[word] & set[word] } else { 0 })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tallies_count_up_and_down() {
        let mut tally = Tally::<2>::NONE;
        for _ in 0..5 {
            tally.add(&[0b110, 1]);
        }
        tally.add(&[0b010, 0]);
        tally.take(&[0b100, 1]);
        assert_eq!(tally.meeting(&[!0, !0], 15, |number| number == 6), [0b010, 0]);
        assert_eq!(tally.meeting(&[!0, !0], 15, |number| number == 4), [0b100, 1]);
        assert_eq!(tally.meeting(&[0b111, 0], 15, |number| number == 0), [0b001, 0]);
    }
}
