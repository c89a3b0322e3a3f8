//! How far sites lie from one of them through a set. Loops ask that of one site after another: what was found for the last one is
//! kept, and goes on from where it ended.

use super::board::{NO_SITE, NO_SITES, SiteSet, Topology, each_word, insert, members};

/// What was found last.
#[derive(Debug, Default)]
pub struct Spread {
    /// The board, and the site from which it is counted.
    root: Option<(u16, u16)>,
    among: SiteSet,
    /// Steps to each site, as far as it was reached: also to those beside the set, which it ends with.
    far: Vec<u16>,
    seen: SiteSet,
    /// The sites of the set that were reached last, and in how many steps.
    front: SiteSet,
    steps: u16,
    /// The site to which was asked last.
    to: u16,
}

impl Spread {
    fn begin(&mut self, board: u16, from: u16, sites: u16, among: &SiteSet) {
        self.root = Some((board, from));
        self.among = *among;
        self.far.clear();
        self.far.resize(usize::from(sites), NO_SITE);
        self.far[usize::from(from)] = 0;
        (self.seen, self.front, self.steps) = (NO_SITES, NO_SITES, 0);
        insert(&mut self.seen, from);
        insert(&mut self.front, from);
    }

    /// How many steps lead from a site to another through a set; both count as in it.
    pub fn distance(
        &mut self,
        (board, topology): (u16, &Topology),
        from: u16,
        to: u16,
        among: &SiteSet,
    ) -> Option<i64> {
        let known = self.root.filter(|(of, _)| *of == board && self.among == *among).map(|(_, root)| root);
        let back = topology.is_mutual();
        let root = match known {
            Some(root) if root == from || back && root == to => root,
            // One and the same end is asked about again and again.
            _ if back && self.to == to => to,
            _ => from,
        };
        if known != Some(root) {
            self.begin(board, root, topology.sites, among);
        }
        self.to = to;
        let end = usize::from(if root == from { to } else { from });
        while self.far[end] == NO_SITE && self.front != NO_SITES {
            let next = topology.around(&self.front);
            let new = each_word(&next, |word, bits| bits & !self.seen[word]);
            self.steps += 1;
            members(&new).for_each(|site| self.far[usize::from(site)] = self.steps);
            self.seen = each_word(&self.seen, |word, bits| bits | new[word]);
            self.front = each_word(&new, |word, bits| bits & self.among[word]);
        }
        Some(self.far[end]).filter(|steps| *steps != NO_SITE).map(i64::from)
    }
}
