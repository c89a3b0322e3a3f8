//! Playing out: random play that draws one option of a decision where the candidates have to be tried out. Most are then never tried.
//!
//! INVARIANT: what is drawn is as likely as each other option that the decision would list. Candidates are looked at in a random
//! order, and the first that leads on is taken; where none does, nothing is left, as without. Of candidates that stand for
//! others that are alike, one that does not lead on says nothing of these: there all are tried after all.

use super::chance::below;
use super::run::{R, Run, at};
use super::scratch::{Collecting, Wanted};
use super::state::{Choice, Mode};
use crate::model::rules::ActionId;
use crate::program::{ActionSite, ChooseSite};
use rand_pcg::Pcg32;
use rand_pcg::rand_core::SeedableRng;

/// How options are drawn, if they are.
#[derive(Debug, Default)]
pub(super) struct Playout {
    rng: Option<Pcg32>,
    /// The actions whose first choices have not been tried, by branch, and whether some of them stand for others.
    pub untried: Vec<(i32, bool)>,
}

impl Playout {
    pub fn new(seed: Option<u64>) -> Playout {
        // Not the generator of chance with the same seed: what is picked has nothing to do with what is rolled.
        Playout { rng: seed.map(Pcg32::seed_from_u64), ..Playout::default() }
    }
}

impl Run<'_> {
    /// Whether one option is enough of the decision at hand. A beginning that is kept for other games has all of them.
    pub(super) fn plays_out(&self) -> bool {
        let kept = self.x.beginning.as_ref().is_some_and(|beginning| !beginning.is_over());
        self.x.playout.rng.is_some() && self.x.probing == 0 && !kept
    }

    /// Whether the first choice of an action that is offered is drawn with its filter still to be asked.
    pub(super) fn draws_opening(&self, action: ActionId) -> bool {
        self.p.actions[action.index()].later && self.plays_out()
    }

    /// Whether the filter of the choice at hand is asked only of the candidates that are looked at.
    pub(super) fn asks_later(&self, site: &ChooseSite) -> bool {
        if site.later.is_none() {
            return false;
        }
        let collecting = &self.x.collecting;
        match self.st.frames.last().map(|frame| frame.mode) {
            Some(Mode::Collect) => {
                collecting.only.is_some() || matches!(collecting.wanted, Wanted::Whether | Wanted::Drawn)
            }
            _ => self.plays_out(),
        }
    }

    /// Whether a candidate passes the filter of a choice that is asked later.
    pub(super) fn passes_filter(&mut self, site: &ChooseSite, base: usize, value: i64) -> R<bool> {
        site.later.map_or(Ok(true), |proc| self.leads(proc, base, at(base, site.d), value))
    }

    /// Leaves the candidates that pass the filter of a choice that is asked later.
    pub(super) fn leave_passing(&mut self, site: &ChooseSite, base: usize, options: &mut Vec<Choice>) -> R<()> {
        let mut kept = 0;
        for index in 0..options.len() {
            if self.passes_filter(site, base, options[index].value)? {
                options[kept] = options[index];
                kept += 1;
            }
        }
        options.truncate(kept);
        Ok(())
    }

    fn draw_index(&mut self, count: usize) -> usize {
        self.x.playout.rng.as_mut().map_or(0, |rng| below(rng, count as u32) as usize)
    }

    /// Leaves one of the candidates that `lead` would leave, or none where it would leave none. Gives false, and leaves all, if
    /// that cannot be told by one candidate.
    pub(super) fn leave_one(
        &mut self,
        options: &mut Vec<Choice>,
        merged: bool,
        mut lead: impl FnMut(&mut Self, &mut Vec<Choice>) -> R<()>,
    ) -> R<bool> {
        if !self.plays_out() {
            return Ok(false);
        }
        let all = if merged { options.clone() } else { Vec::new() };
        let mut one = Vec::with_capacity(1);
        while !options.is_empty() {
            let index = self.draw_index(options.len());
            one.clear();
            one.push(options.swap_remove(index));
            lead(self, &mut one)?;
            if !one.is_empty() {
                *options = one;
                return Ok(true);
            }
            if merged {
                *options = all;
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Leaves one of the options of a choice among actions, if the first choices of some have not been tried.
    pub(super) fn draw_action(&mut self, site: &ActionSite, by: i64, base: usize, found: &mut Vec<Choice>) -> R<()> {
        let mut untried = std::mem::take(&mut self.x.playout.untried);
        if !untried.is_empty() {
            self.list_opened(found);
            let drawn = self.first_that_leads(site, by, base, found, &mut untried)?;
            found.clear();
            found.extend(drawn);
        }
        untried.clear();
        self.x.playout.untried = untried;
        Ok(())
    }

    fn first_that_leads(
        &mut self,
        site: &ActionSite,
        by: i64,
        base: usize,
        found: &mut Vec<Choice>,
        untried: &mut Vec<(i32, bool)>,
    ) -> R<Option<Choice>> {
        while !found.is_empty() {
            let index = self.draw_index(found.len());
            let choice = found[index];
            let Some(place) = untried.iter().position(|(branch, _)| *branch == choice.branch) else {
                return Ok(Some(choice));
            };
            let act = &site.acts[choice.branch as usize];
            let (action, args, event) = (act.action, at(base, act.args), self.offered_in(site));
            let code = &self.p.actions[action.index()];
            let (opens, completes) = (self.looks_ahead(code) || code.later, code.lookahead && !self.looks_ahead(code));
            if (!opens || self.opens_with(action, by, args, event, choice.value)?)
                && (!completes || self.can_complete(action, by, args, choice.value, event)?)
            {
                return Ok(Some(choice));
            }
            if untried[place].1 {
                untried.remove(place);
                found.retain(|other| other.branch != choice.branch);
                self.x.collecting = Collecting { branch: choice.branch, ..Collecting::default() };
                self.openings(action, by, args, event, found)?;
            } else {
                found.swap_remove(index);
            }
        }
        Ok(None)
    }
}
