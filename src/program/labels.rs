//! The connected groups of a set of sites, told site by site.
//!
//! What was told last is kept. A set with a few members more has the same groups, but for those that the new members
//! join; a set without one of its members, but for the group that it was of.

use super::board::{Topology, each_member, each_word, first, has, insert, members, size};
use super::tally::{Counted, Test};

/// Members by which a set may be larger than one whose groups are known.
const FEW: u32 = 6;

/// The connected groups of a set.
#[derive(Debug)]
struct Groups<const W: usize> {
    /// Which board, as its address; 0: none yet.
    board: usize,
    set: [u64; W],
    /// For each member, where its group stands in `groups`.
    of: Vec<u16>,
    groups: Vec<[u64; W]>,
}

/// The groups that are known: those of a set, and those of the same set with a few members more.
#[derive(Debug)]
pub(super) struct Labels<const W: usize> {
    base: Groups<W>,
    /// The larger set.
    set: [u64; W],
    /// Those of its groups that have new members.
    grown: Vec<[u64; W]>,
    /// How many groups it has.
    count: i64,
    /// What the group of a member falls into when that one leaves it.
    parts: Vec<[u64; W]>,
}

impl<const W: usize> Default for Labels<W> {
    fn default() -> Self {
        let base = Groups { board: 0, set: [0; W], of: Vec::new(), groups: Vec::new() };
        Labels { base, set: [0; W], grown: Vec::new(), count: 0, parts: Vec::new() }
    }
}

impl<const W: usize> Groups<W> {
    /// Finds the groups of a set.
    fn find(&mut self, board: &Topology, set: &[u64; W]) {
        (self.board, self.set) = (std::ptr::from_ref(board) as usize, *set);
        self.of.resize(64 * W, 0);
        self.groups.clear();
        let (of, groups) = (&mut self.of, &mut self.groups);
        board.each_group(set, |_, group| {
            each_member(group, |site| of[usize::from(site)] = groups.len() as u16);
            groups.push(*group);
        });
    }

    #[inline]
    fn group(&self, site: u16) -> &[u64; W] {
        &self.groups[usize::from(self.of[usize::from(site)])]
    }
}

impl<const W: usize> Labels<W> {
    /// Whether the groups of a set are known, or are soon told from those that are.
    #[inline]
    fn knows(&mut self, board: &Topology, set: &[u64; W]) -> bool {
        self.base.board == std::ptr::from_ref(board) as usize && (self.set == *set || self.grow(board, set))
    }

    /// Sees to it that the groups of a set are known.
    #[inline]
    fn learn(&mut self, board: &Topology, set: &[u64; W]) {
        if !self.knows(board, set) {
            self.base.find(board, set);
            self.begin();
        }
    }

    /// Makes the larger set the same as the other.
    fn begin(&mut self) {
        (self.set, self.count) = (self.base.set, self.base.groups.len() as i64);
        self.grown.clear();
    }

    /// Tells the groups of a set from those of one that has few members less, if it is such a set.
    fn grow(&mut self, board: &Topology, set: &[u64; W]) -> bool {
        let before = self.base.set;
        let came = each_word(set, |word, bits| bits & !before[word]);
        let grows = (0..W).all(|word| before[word] & !set[word] == 0) && size(&came) <= FEW;
        if grows {
            self.begin();
            each_member(&came, |site| self.add(board, site));
        }
        grows
    }

    /// Puts one more member to the larger set.
    fn add(&mut self, board: &Topology, site: u16) {
        let mut left = each_word(&board.row::<W>(false, site), |word, bits| bits & self.set[word]);
        let mut all = [0; W];
        while let Some(near) = first(&left) {
            let group = *self.group(near);
            all = each_word(&all, |word, bits| bits | group[word]);
            left = each_word(&left, |word, bits| bits & !group[word]);
            self.grown.retain(|grown| *grown != group);
            self.count -= 1;
        }
        insert(&mut all, site);
        insert(&mut self.set, site);
        self.grown.push(all);
        self.count += 1;
    }

    /// The group of a member of the larger set.
    #[inline]
    fn group(&self, site: u16) -> &[u64; W] {
        match self.grown.iter().find(|group| has(*group, site)) {
            Some(group) => group,
            None => self.base.group(site),
        }
    }

    /// Calls `f` for each group of the larger set.
    fn each(&self, mut f: impl FnMut(&[u64; W])) {
        let joined =
            |group: &&[u64; W]| first(*group).is_some_and(|site| self.grown.iter().any(|grown| has(grown, site)));
        self.base.groups.iter().filter(|group| !joined(group)).for_each(&mut f);
        self.grown.iter().for_each(f);
    }

    /// The parts into which the group of a member falls when it leaves.
    fn part(&mut self, board: &Topology, from: u16) {
        let mut rest = without(self.group(from), Some(from));
        let mut left = each_word(&board.row::<W>(false, from), |word, bits| bits & rest[word]);
        self.parts.clear();
        while let Some(next) = first(&left) {
            left = without(&left, Some(next));
            // What is left is beside one of the neighbours that are left.
            if left == [0; W] {
                return self.parts.push(rest);
            }
            let mut single = [0; W];
            insert(&mut single, next);
            let part = board.flood(&single, &rest, |word, fresh| {
                left[word] &= !fresh;
                left == [0; W]
            });
            if left == [0; W] {
                return self.parts.push(rest);
            }
            self.parts.push(part);
            rest = each_word(&rest, |word, bits| bits & !part[word]);
        }
    }

    /// How many groups are beside a site when a member has left; its group has fallen into parts.
    #[inline]
    fn beside(&self, board: &Topology, site: u16, kept: &[u64; W], from: Option<u16>) -> i64 {
        let mut left = each_word(&board.row::<W>(false, site), |word, bits| bits & kept[word]);
        let mut groups = 0;
        while let Some(near) = first(&left) {
            let mut group = self.group(near);
            if from.is_some_and(|from| has(group, from)) {
                group = self.parts.iter().find(|part| has(*part, near)).unwrap_or(group);
            }
            left = each_word(&left, |word, bits| bits & !group[word]);
            groups += 1;
        }
        groups
    }
}

impl Topology {
    /// The sites of `among` that are connected within it with a site of `from` that is in it, from what is known.
    pub fn group_of<const W: usize>(&self, from: &[u64; W], among: &[u64; W], last: &mut Counted<W>) -> [u64; W] {
        let labels = &mut last.labels;
        if !self.mutual || !labels.knows(self, among) {
            return self.group(from, among);
        }
        let mut found = [0; W];
        let mut left = each_word(from, |word, bits| bits & among[word]);
        while let Some(site) = first(&left) {
            let group = labels.group(site);
            found = each_word(&found, |word, bits| bits | group[word]);
            left = each_word(&left, |word, bits| bits & !group[word]);
        }
        found
    }

    /// The first site of each connected group, and from now on all are known.
    pub fn groups_of<const W: usize>(&self, among: &[u64; W], last: &mut Counted<W>) -> [u64; W] {
        let mut found = [0; W];
        if self.mutual {
            last.labels.learn(self, among);
            last.labels.each(|group| first(group).into_iter().for_each(|site| insert(&mut found, site)));
        } else {
            self.each_group(among, |first, _| insert(&mut found, first));
        }
        found
    }

    /// Those of some sites with which, put to a set that `from` has left, the number of its groups meets a test.
    pub fn keeping_groups<const W: usize>(
        &self,
        (set, from): (&[u64; W], Option<u16>),
        sites: &[u64; W],
        test: Test,
        last: &mut Counted<W>,
    ) -> [u64; W] {
        let kept = without(set, from);
        let (same, mut found) = (each_word(sites, |word, bits| bits & kept[word]), [0; W]);
        let fresh = each_word(sites, |word, bits| bits & !kept[word]);
        let now = if self.mutual {
            let labels = &mut last.labels;
            labels.learn(self, set);
            let mut now = labels.count;
            if let Some(from) = from {
                labels.part(self, from);
                now += labels.parts.len() as i64 - 1;
            }
            each_member(&fresh, |site| {
                // It joins the groups beside it.
                if test.holds(now + 1 - labels.beside(self, site, &kept, from)) {
                    insert(&mut found, site);
                }
            });
            now
        } else {
            for site in members(&fresh) {
                let mut all = kept;
                insert(&mut all, site);
                if test.holds(self.group_count(&all)) {
                    insert(&mut found, site);
                }
            }
            self.group_count(&kept)
        };
        if test.holds(now) { each_word(&found, |word, bits| bits | same[word]) } else { found }
    }
}

/// A set that a site has left.
pub(super) fn without<const W: usize>(set: &[u64; W], site: Option<u16>) -> [u64; W] {
    let mut rest = *set;
    if let Some(site) = site {
        rest[usize::from(site) / 64] &= !(1 << (site % 64));
    }
    rest
}

#[cfg(test)]
mod tests {
    use super::super::slide::tests::{graph, ring, some_sites, topology};
    use super::*;
    use crate::model::rules::{BoardShape, CompareOp};
    use crate::program::WIDEST;

    fn boards() -> Vec<Topology> {
        let shapes = [
            BoardShape::Square { columns: 6, rows: 5 },
            BoardShape::Hexagon { side: 4 },
            ring(),
            graph([(0, 1), (1, 2), (2, 0), (2, 3)]),
        ];
        shapes.into_iter().map(topology).collect()
    }

    /// The first `n` members of a set.
    fn some(set: &[u64; WIDEST], n: usize) -> [u64; WIDEST] {
        let mut found = [0; WIDEST];
        members(set).take(n).for_each(|site| insert(&mut found, site));
        found
    }

    #[test]
    fn groups_that_are_known_are_those_that_there_are() {
        for (salt, board) in boards().iter().enumerate() {
            let mut last = Counted::default();
            for step in 0..40 {
                // Now a few members come, now it is another set.
                let all = some_sites(board, (salt + step / 8) as u64);
                let set = some(&all, 4 + step % 8 * 2);
                if step % 3 == 0 {
                    assert_eq!(members(&board.groups_of(&set, &mut last)).count() as i64, board.group_count(&set));
                }
                for salt in 0..7 {
                    let from = some(&some_sites(board, salt), 2);
                    assert_eq!(board.group_of(&from, &set, &mut last), board.group(&from, &set));
                }
            }
        }
    }

    #[test]
    fn moves_keep_what_the_moved_set_meets() {
        for (salt, board) in boards().iter().enumerate() {
            let mut last = Counted::default();
            for step in 0..24_usize {
                let set = some(&some_sites(board, (salt + step / 6) as u64), 3 + step % 6 * 2);
                let sites = some_sites(board, 77 + step as u64);
                let froms = members(&set).map(Some).chain([None]).collect::<Vec<_>>();
                for (op, n) in [(CompareOp::Le, 2), (CompareOp::Gt, 2), (CompareOp::Eq, 1), (CompareOp::Ne, 3)] {
                    let test = Test { op, n };
                    for from in &froms {
                        let groups = board.keeping_groups((&set, *from), &sites, test, &mut last);
                        let near = board.keeping_near(step % 2 == 0, (&set, *from), &sites, test, &mut last);
                        for site in members(&sites) {
                            let mut then = without(&set, *from);
                            insert(&mut then, site);
                            assert_eq!(has(&groups, site), test.holds(board.group_count(&then)), "{from:?} to {site}");
                            let meets = |at: u16| test.holds(board.near(at, step % 2 == 0, &then));
                            assert_eq!(has(&near, site), !members(&then).any(meets), "{from:?} to {site}");
                        }
                        assert!(members(&groups).chain(members(&near)).all(|site| has(&sites, site)));
                    }
                }
            }
        }
    }
}
