//! Where the ways through an action end that cannot be completed, for those who ask why it is not offered.

use super::hidden;
use super::run::Run;
use super::state::{Choice, PendingKind, State};
use crate::model::rules::ActionId;

/// So many dead ends are looked at for one answer.
const MOST_ENDS: usize = 64;
/// Work for one answer.
const MOST_WORK: u64 = super::budget::BUDGET / 8;

impl Run<'_> {
    /// The dead ends that the ways through an action come to with a value of its first choice, or of the decision at hand;
    /// none if there is a way through, or more than are looked at. Nothing that its player would learn on the way is in them.
    pub(super) fn dead_ends(&mut self, action: Option<(ActionId, usize)>, value: i64) -> Vec<State> {
        let (seat, event) =
            (self.st.pending.seat, self.st.frames.last().map_or(super::state::NONE, |frame| frame.event));
        let budget = std::mem::replace(&mut self.x.budget, MOST_WORK);
        let outer = self.x.dead_ends.replace(Vec::new());
        let completes = match action {
            Some((action, args)) => self.can_complete(action, seat, args, value, event),
            None => match self.searched(seat) {
                Some(depth) => {
                    let top = self.st.frames.len() - 1;
                    let mut trial = self.borrow_state();
                    trial.frames[top].pc -= 1;
                    trial.pending.answer = Some(Choice { branch: 0, value, weight: 1 });
                    trial.pending.kind = PendingKind::None;
                    self.completes(trial, depth)
                }
                None => Ok(true),
            },
        };
        let ends = std::mem::replace(&mut self.x.dead_ends, outer).unwrap_or_default();
        self.x.budget = budget;
        let learnt = |end: &State| hidden::has_learnt(self.p, self.st, end, seat);
        if !matches!(completes, Ok(false)) || ends.len() > MOST_ENDS || ends.iter().any(learnt) {
            return Vec::new();
        }
        ends
    }

    /// A way through the action that is tried out ends here.
    pub(super) fn note_dead_end(&mut self) {
        if let Some(ends) = self.x.dead_ends.as_mut().filter(|ends| ends.len() <= MOST_ENDS) {
            ends.push(self.st.clone());
        }
    }
}
