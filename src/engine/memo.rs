//! Values that never change: computed when they are first needed, then kept.
//!
//! INVARIANT: nothing reveals whether a value was kept. It is computed with no frame below it and with a budget of its own;
//! a value that fails or exceeds the budget is never kept, but computed in its place each time; a kept value costs as much
//! work the first time as later. `core/memo.rs` bounds the work that is not paid for.

use super::run::Run;
use super::state::NONE;
use crate::program::{Kept, MemoSite, NIL};

/// The share of a value's cost that is paid each time it is needed: one part in so many.
const PAID: u64 = 64;

impl Run<'_> {
    /// The instruction that asks for a value that never changes, where it was not asked for before; false if it is none
    /// that is kept.
    #[inline(never)]
    pub fn memo(&mut self, d: usize, a: usize, site: usize) -> bool {
        let p = self.p;
        let info = &p.sites.memos[site];
        let args = self.st.mem[a..a + info.sizes.len()].to_vec();
        let players = self.st.mem[usize::from(p.layout.playing)].count_ones() as usize;
        let Some(place) = info.place(&args, || players) else { return false };
        let Some(kept) = place.get_or_init(|| self.worked_out(info, &args)) else { return false };
        self.st.mem[d..d + kept.words.len()].copy_from_slice(&kept.words);
        self.x.budget = self.x.budget.saturating_sub(kept.cost);
        true
    }

    fn worked_out(&mut self, info: &MemoSite, args: &[i64]) -> Option<Kept> {
        let (frames, words) = (std::mem::take(&mut self.st.frames), self.st.mem.len());
        let budget = std::mem::replace(&mut self.x.budget, info.dearest);
        let result = std::mem::take(&mut self.x.result);
        let worked_out = self.eval(info.proc, NIL, NIL, NONE, args);
        let words_of = usize::from(self.p.procs[info.proc.index()].result);
        let made = std::mem::replace(&mut self.x.result, result);
        let cost = 2 + (info.dearest - self.x.budget) / PAID;
        self.st.frames = frames;
        self.st.mem.truncate(words);
        self.x.budget = budget;
        worked_out.ok().map(|_| Kept { words: made[..words_of].into(), cost })
    }
}
