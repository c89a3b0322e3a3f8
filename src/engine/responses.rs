//! What play may know of a response in a window: whether it is worth asking a person for.

use super::Machine;
use super::state::{FrameKind, State};

impl Machine {
    /// Whether the decision at hand is a response in somebody else's turn that nobody need be asked for: all that the
    /// seat could do but pass is listed `aside`.
    pub fn only_aside(&self, state: &State) -> bool {
        // The last is to pass.
        self.in_anothers_turn(state) && (1..self.own_count(state)).all(|index| self.aside(state, index - 1))
    }

    /// Whether an option is a response that a window lists `aside`.
    pub fn aside(&self, state: &State, index: usize) -> bool {
        let site = self.program.sites.actions.get(state.pending.site as usize).filter(|_| self.responds(state));
        let act = state.pending.options.get(index).and_then(|choice| usize::try_from(choice.branch).ok());
        let aside = site.and_then(|site| site.response.as_ref()).zip(act).map(|(to, act)| to.aside.get(act));
        aside == Some(Some(&true))
    }

    /// Whether the decision at hand is a response in a window that the flow itself opens, so in the course of every turn,
    /// and in somebody else's.
    pub fn routine(&self, state: &State) -> bool {
        let flow = self.program.rules.flow.map(|flow| flow.0);
        let opener = state.frames.len().checked_sub(2).and_then(|index| state.frames.get(index));
        self.in_anothers_turn(state)
            && opener.is_some_and(|frame| frame.kind == FrameKind::Proc && Some(frame.proc) == flow)
    }

    fn in_anothers_turn(&self, state: &State) -> bool {
        let mover = state.mem.get(usize::from(self.program.layout.mover)).copied();
        self.responds(state) && mover != Some(state.pending.seat)
    }
}
