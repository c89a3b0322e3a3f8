//! What scripts keep and not everybody knows. It is a secret like a card in somebody's hand, but nothing says what else it
//! could be, so that it cannot be drawn anew: in a state that is drawn anew for a seat, what may have been made of such
//! knowledge is forgotten.

use super::acts::{Kept, Then, What};
use super::api::Seat;
use super::plain::Plain;
use super::run::Run;
use super::state::{FrameKind, PendingKind};
use super::words::Eyes;
use crate::model::rules::Sight;
use crate::program::NIL;

impl Then {
    /// Goes on with nothing: with what, is not known.
    fn untold() -> Then {
        Then { function: String::new(), data: Plain::Nothing }
    }

    /// Whether it is known how it goes on.
    pub fn is_told(&self) -> bool {
        !self.function.is_empty()
    }
}

impl Run<'_> {
    /// Whether a reader may know what a script keeps that was called for a player.
    pub fn may_know(&self, script: u32, me: i64, eyes: Eyes) -> bool {
        let acting = self.p.rules.scripts.get(script as usize).and_then(|script| script.acting.as_ref());
        let own = Seat::try_from(me).is_ok_and(|me| eyes == Eyes::Of(Some(me)));
        match acting.map(|acting| acting.keeps) {
            _ if eyes == Eyes::All => true,
            Some(Sight::Open) | None => true,
            Some(Sight::Me) => own,
            Some(Sight::All) => false,
        }
    }

    /// Forgets what scripts keep that a seat may not know: what they have armed, and what they have still to do. A question
    /// that is put stays; nothing follows from its answer.
    pub fn forget_data(&mut self, seat: Seat) {
        if self.st.scripts.is_empty() {
            return;
        }
        let eyes = Eyes::Of(Some(seat));
        let for_whom =
            |run: &Self, kept: &Kept| run.st.arms.iter().find(|arm| arm.stamp == kept.stamp).map_or(NIL, |arm| arm.me);
        let armed = self.st.scripts.armed.iter();
        let known: Vec<bool> = armed.map(|kept| self.may_know(kept.script, for_whom(self, kept), eyes)).collect();
        let stamps: Vec<u32> = self
            .st
            .scripts
            .armed
            .iter()
            .zip(&known)
            .filter(|(_, known)| !**known)
            .map(|(kept, _)| kept.stamp)
            .collect();
        self.st.arms.retain(|arm| !stamps.contains(&arm.stamp));
        self.st.scripts.armed.retain(|kept| !stamps.contains(&kept.stamp));
        self.forget_acts(eyes);
    }

    fn forget_acts(&mut self, eyes: Eyes) {
        let asks = matches!(self.st.pending.kind, PendingKind::Script | PendingKind::Fate);
        let top = self.st.frames.len().saturating_sub(1);
        let frames: Vec<_> = self.st.frames.iter().copied().enumerate().collect();
        for (depth, frame) in frames.into_iter().filter(|(_, frame)| frame.kind == FrameKind::Script) {
            if self.may_know(frame.proc, self.st.mem[frame.base as usize], eyes) {
                continue;
            }
            let Some(running) = self.st.scripts.running.get_mut(frame.cursor as usize) else { continue };
            let at_hand = running.acts.pop().filter(|_| asks && depth == top);
            running.acts.clear();
            running.acts.extend(at_hand.map(|mut act| {
                if let What::Ask(super::acts::Ask { then, .. }) | What::Chance { then, .. } = &mut act.what {
                    *then = Then::untold();
                }
                act
            }));
        }
    }
}
