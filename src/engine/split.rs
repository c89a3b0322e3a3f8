//! `choose split`: each of several things in turn, to whom it goes.

use super::run::{Flow, R, Run, at};
use super::state::{Frame, Mode, PendingKind};
use super::words::Eyes;
use crate::program::Repr;

impl Run<'_> {
    /// The instruction `choose split`.
    pub fn choose_split(&mut self, site_index: usize, frame: &Frame, base: usize) -> R<Option<Flow>> {
        if frame.mode == Mode::Collect {
            return self.plain_collect();
        }
        let site = &self.p.sites.splits[site_index];
        match self.st.pending.answer.take() {
            None => self.st.pending.picked.clear(),
            Some(answer) => self.st.pending.picked.push(answer.value),
        }
        if self.ends_trial(self.chooser(site.by, base)) {
            return Ok(Some(Flow::Completes));
        }
        let things = self.split_things(site_index, base);
        let takers = self.split_takers(site_index, base);
        let given = self.st.pending.picked.len();
        if given >= things.len() || takers.is_empty() || self.is_out(self.chooser(site.by, base)) {
            let picked = self.st.pending.picked.clone();
            let d = at(base, site.d);
            self.store_list(d, &things[..picked.len().min(things.len())])?;
            return self.store_list(d + 1 + usize::from(self.p.layout.list_items), &picked).map(|()| None);
        }
        let has = |taker: &i64| self.st.pending.picked.iter().filter(|picked| *picked == taker).count();
        let (share, larger) = (things.len() / takers.len(), things.len() % takers.len());
        // Only so many parts may have one more than the others.
        let full = takers.iter().filter(|taker| has(taker) > share).count();
        let most = if full < larger { share + 1 } else { share };
        let open: Vec<i64> = takers.iter().copied().filter(|taker| !site.evenly || has(taker) < most).collect();
        let seat = self.chooser(site.by, base);
        self.ask_plain(PendingKind::Split, seat, site_index, open)
    }

    fn split_things(&self, site: usize, base: usize) -> Vec<i64> {
        let site = &self.p.sites.splits[site];
        let mut things = Vec::new();
        self.each_of(site.things.0, at(base, site.from), |thing| things.push(thing));
        if site.things.0 == Repr::Entities {
            // The order of what the chooser does not know would tell something of it.
            let eyes = Eyes::of(self.chooser(site.by, base));
            things.sort_by_key(|thing| !self.is_seen(*thing, eyes));
        }
        things
    }

    fn split_takers(&self, site: usize, base: usize) -> Vec<i64> {
        let site = &self.p.sites.splits[site];
        let mut takers = Vec::new();
        self.each_of(site.takers.0, at(base, site.among), |taker| takers.push(taker));
        takers
    }

    /// The items of a split that are somebody's.
    pub fn part(&self, split: usize, whose: i64) -> Vec<i64> {
        let things = self.load_list(split);
        let takers = self.load_list(split + 1 + usize::from(self.p.layout.list_items));
        things.into_iter().zip(takers).filter(|(_, taker)| *taker == whose).map(|(thing, _)| thing).collect()
    }

    /// The thing that the decision at hand is about, as who decides knows it, and how many there are.
    fn split_thing(&self) -> (String, usize) {
        let (site, base) = (self.st.pending.site as usize, self.st.frames.last().map_or(0, |frame| frame.base));
        let things = self.split_things(site, base as usize);
        let thing = things.get(self.st.pending.picked.len()).copied();
        let ty = &self.p.sites.splits[site].things.1;
        (thing.map_or(String::new(), |thing| self.value_key(thing, ty, self.decider())), things.len())
    }

    /// The question of the decision at hand.
    pub fn split_prompt(&self) -> String {
        let (thing, count) = self.split_thing();
        let base = self.st.frames.last().map_or(0, |frame| frame.base as usize);
        let question = match &self.p.sites.splits[self.st.pending.site as usize].prompt {
            Some(prompt) => format!("{} {thing}", self.text(prompt, base, self.decider())),
            None => format!("who gets {thing}?"),
        };
        format!("{question} ({} of {count})", self.st.pending.picked.len() + 1)
    }

    /// The key of an answer: the thing and who gets it.
    pub fn split_key(&self, taker: i64) -> String {
        let ty = &self.p.sites.splits[self.st.pending.site as usize].takers.1;
        format!("{} to {}", self.split_thing().0, self.value_key(taker, ty, self.decider()))
    }
}
