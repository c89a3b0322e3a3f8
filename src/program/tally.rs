//! Numbers of neighbours, for all sites at once.
//!
//! A tally counts by sites: its digits are sets. What was counted last is kept, since the next set that is asked for
//! mostly differs by a few sites.

use super::NIL;
use super::board::{Topology, each_member, each_word, first, has, insert, members, size};
use super::labels::{Labels, without};
use crate::model::rules::CompareOp;

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

    /// Those of a set whose number is one of some numbers.
    #[inline]
    fn meeting(&self, among: &[u64; W], numbers: u64) -> [u64; W] {
        each_word(among, |word, bits| {
            let [ones, twos, fours, eights] = self.0.map(|digit| digit[word]);
            let choose = |low: u64, high: u64, digit: u64| (low & !digit) | (high & digit);
            let number = |number: u32| ((numbers >> number) & 1).wrapping_neg();
            let two = |least: u32| choose(number(least), number(least + 1), ones);
            let four = |least: u32| choose(two(least), two(least + 2), twos);
            let eight = |least: u32| choose(four(least), four(least + 4), fours);
            bits & if eights == 0 { eight(0) } else { choose(eight(0), eight(8), eights) }
        })
    }
}

/// What a number is compared with.
#[derive(Clone, Copy, Debug)]
pub struct Test {
    /// How it must stand to `n`.
    pub op: CompareOp,
    /// The other number; what is missing equals no number, and has no order.
    pub n: i64,
}

impl Test {
    /// Whether it holds of a number.
    #[inline]
    pub fn holds(self, number: i64) -> bool {
        self.op.holds_of(Some(number), (self.n != NIL).then_some(self.n))
    }

    /// The numbers from 0 of which it holds, as bits.
    #[inline]
    fn numbers(self) -> u64 {
        let below = |n: i64| if n >= 64 { u64::MAX } else { (1 << n.max(0)) - 1 };
        if self.n == NIL {
            return if self.op == CompareOp::Ne { u64::MAX } else { 0 };
        }
        let (least, most) = (below(self.n), below(self.n.saturating_add(1)));
        match self.op {
            CompareOp::Eq => most & !least,
            CompareOp::Ne => !(most & !least),
            CompareOp::Lt => least,
            CompareOp::Le => most,
            CompareOp::Gt => !most,
            CompareOp::Ge => !least,
        }
    }
}

/// The sites whose number of neighbours in a set meets a test; those that would with one neighbour less, and with one
/// more.
#[derive(Clone, Copy, Debug)]
struct Levels<const W: usize> {
    now: [u64; W],
    less: [u64; W],
    more: [u64; W],
}

/// What was counted last, for sets of `W` words.
#[derive(Debug)]
pub struct Counted<const W: usize> {
    near: Option<(Key<W>, Tally<W>)>,
    levels: Option<(Key<W>, u64, Levels<W>)>,
    /// The levels of a set with few members less, and who would meet the test with two neighbours more.
    whole: Option<(Key<W>, u64, Levels<W>, [u64; W])>,
    pub(super) labels: Labels<W>,
}

/// Board, whether over sides only, and the set.
type Key<const W: usize> = (usize, bool, [u64; W]);

impl<const W: usize> Default for Counted<W> {
    fn default() -> Self {
        Counted { near: None, levels: None, whole: None, labels: Labels::default() }
    }
}

impl Topology {
    fn key<const W: usize>(&self, beside: bool, set: &[u64; W]) -> Key<W> {
        (std::ptr::from_ref(self) as usize, beside, *set)
    }

    /// Whether neighbours can be counted for all sites at once.
    fn tallies(&self) -> bool {
        self.most_near <= MOST && self.mutual
    }

    /// How many neighbours each site has in a set.
    #[inline]
    fn tally<const W: usize>(&self, beside: bool, among: &[u64; W], last: &mut Counted<W>) -> Tally<W> {
        let row = |site: u16| -> [u64; W] { self.row(beside, site) };
        let key = self.key(beside, among);
        if let Some(((board, sides, before), tally)) = &last.near
            && (*board, *sides) == (key.0, beside)
        {
            let left = each_word(before, |word, bits| bits & !among[word]);
            let came = each_word(among, |word, bits| bits & !before[word]);
            if size(&left) + size(&came) <= FEW {
                let mut tally = *tally;
                each_member(&left, |site| tally.take(&row(site)));
                each_member(&came, |site| tally.add(&row(site)));
                return tally;
            }
        }
        let mut tally = Tally::NONE;
        each_member(among, |site| tally.add(&row(site)));
        last.near = Some((key, tally));
        tally
    }

    /// Those of a set that have so many neighbours in another.
    #[inline]
    pub fn with_near<const W: usize>(
        &self,
        beside: bool,
        over: &[u64; W],
        among: &[u64; W],
        test: Test,
        last: &mut Counted<W>,
    ) -> [u64; W] {
        if self.tallies() {
            return self.tally(beside, among, last).meeting(over, test.numbers());
        }
        let mut found = [0; W];
        for site in members(over).filter(|site| test.holds(self.near(*site, beside, among))) {
            insert(&mut found, site);
        }
        found
    }

    /// The levels of a set. Those of a set with one member less are kept, since mostly another such set is asked for next.
    fn levels<const W: usize>(&self, beside: bool, set: &[u64; W], test: Test, last: &mut Counted<W>) -> Levels<W> {
        let (key, numbers) = (self.key(beside, set), test.numbers());
        if let Some((known, tested, levels)) = &last.levels
            && (known, tested) == (&key, &numbers)
        {
            return *levels;
        }
        let mut base = *set;
        if let Some(((board, sides, before), tested, ..)) = &last.whole
            && (*board, *sides, *tested) == (key.0, beside, numbers)
        {
            let common = each_word(before, |word, bits| bits & set[word]);
            if size(set) == size(&common) + 1 && size(before) <= size(&common) + 1 {
                base = common;
            }
        }
        let (whole, most) = self.whole_levels(&self.key(beside, &base), numbers, last);
        let came = each_word(set, |word, bits| bits & !base[word]);
        let near: [u64; W] = first(&came).map_or([0; W], |came| self.row(beside, came));
        // The neighbours of the one that has come have one neighbour more.
        let mix = |plain: &[u64; W], more: &[u64; W]| {
            each_word(plain, |word, bits| (bits & !near[word]) | (more[word] & near[word]))
        };
        let levels = Levels {
            now: mix(&whole.now, &whole.more),
            less: mix(&whole.less, &whole.now),
            more: mix(&whole.more, &most),
        };
        last.levels = Some((key, numbers, levels));
        levels
    }

    /// The levels of a set, and the sites that would meet the test with two neighbours more.
    fn whole_levels<const W: usize>(&self, key: &Key<W>, numbers: u64, last: &mut Counted<W>) -> (Levels<W>, [u64; W]) {
        if let Some((known, tested, levels, most)) = &last.whole
            && (known, tested) == (key, &numbers)
        {
            return (*levels, *most);
        }
        let tally = self.tally(key.1, &key.2, last);
        let [less, now, more, most] =
            [numbers << 1, numbers, numbers >> 1, numbers >> 2].map(|numbers| tally.meeting(&[u64::MAX; W], numbers));
        let levels = Levels { now, less, more };
        last.whole = Some((*key, numbers, levels, most));
        (levels, most)
    }

    /// Those of some members of a set that may leave it and come back elsewhere so that no member has neighbours in it
    /// whose number meets a test; others fail wherever they go.
    pub fn relieving<const W: usize>(
        &self,
        beside: bool,
        set: &[u64; W],
        sites: &[u64; W],
        test: Test,
        last: &mut Counted<W>,
    ) -> [u64; W] {
        let mut found = *sites;
        if self.tallies() {
            let levels = self.levels(beside, set, test, last);
            // A member that meets it as it is and with one neighbour more needs one less, or leaves itself.
            let bad = each_word(set, |word, bits| bits & levels.now[word] & levels.more[word]);
            each_member(&bad, |bad| {
                let mut near: [u64; W] = self.row(beside, bad);
                insert(&mut near, bad);
                found = each_word(&found, |word, bits| bits & near[word]);
            });
        }
        found
    }

    /// Those of some sites with which, put to a set that `from` has left, no member of it has neighbours in it whose
    /// number meets a test.
    pub fn keeping_near<const W: usize>(
        &self,
        beside: bool,
        (set, from): (&[u64; W], Option<u16>),
        sites: &[u64; W],
        test: Test,
        last: &mut Counted<W>,
    ) -> [u64; W] {
        let kept = without(set, from);
        let mut found = *sites;
        if !self.tallies() {
            for site in members(sites) {
                let mut all = kept;
                insert(&mut all, site);
                if members(&all).any(|member| test.holds(self.near(member, beside, &all))) {
                    found = without(&found, Some(site));
                }
            }
            return found;
        }
        let levels = self.levels(beside, set, test, last);
        // What had a neighbour that leaves has one less.
        let fewer = from.map_or([0; W], |from| self.row(beside, from));
        let level = |plain: &[u64; W], less: &[u64; W]| {
            each_word(plain, |word, bits| (bits & !fewer[word]) | (less[word] & fewer[word]))
        };
        let (now, then) = (level(&levels.now, &levels.less), level(&levels.more, &levels.now));
        // A member that meets it as it is and with one neighbour more does so wherever the piece goes.
        if (0..W).any(|word| kept[word] & now[word] & then[word] != 0) {
            return [0; W];
        }
        found = each_word(&found, |word, bits| bits & !(now[word] & !kept[word]));
        each_member(&found.clone(), |site| {
            // What is in the set already changes nothing.
            let row: [u64; W] = if has(&kept, site) { [0; W] } else { self.row(beside, site) };
            let bad = |word: usize| kept[word] & ((now[word] & !row[word]) | (then[word] & row[word]));
            if (0..W).any(|word| bad(word) != 0) {
                found = without(&found, Some(site));
            }
        });
        found
    }

    /// How many connected groups a set has.
    pub fn group_count<const W: usize>(&self, set: &[u64; W]) -> i64 {
        let mut groups = 0;
        self.each_group(set, |_, _| groups += 1);
        groups
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
        assert_eq!(tally.meeting(&[!0, !0], 1 << 6), [0b010, 0]);
        assert_eq!(tally.meeting(&[!0, !0], 1 << 4), [0b100, 1]);
        assert_eq!(tally.meeting(&[0b111, 0], 1), [0b001, 0]);
        assert_eq!(tally.meeting(&[!0, 0], 1 << 6 | 1 << 4), [0b110, 0]);
    }

    #[test]
    fn tests_hold_of_the_numbers_they_name() {
        use CompareOp::{Eq, Ge, Gt, Le, Lt, Ne};
        for op in [Eq, Ne, Lt, Le, Gt, Ge] {
            for n in [NIL, -2, 0, 1, 3, 62, 63, 64, i64::MAX] {
                let test = Test { op, n };
                let numbers = (0..64).filter(|number| test.holds(*number)).fold(0, |all, number| all | 1 << number);
                assert_eq!(test.numbers(), numbers, "{op:?} {n}");
            }
        }
    }
}
