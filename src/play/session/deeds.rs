//! What somebody does who tries out a game, and no player may. Each deed belongs to a moment: so many decisions were made before
//! it. Whatever replays the decisions repeats the deeds between them.

use super::Session;
use crate::engine::{Change, PUT};
use crate::play::error::PlayError;
use crate::play::save::{Deed, ForceLine, SetLine};

impl Session {
    /// Settles the outcomes of the next chance decisions, as somebody who tries out a game wants them; none: the seed draws again. The
    /// save says so.
    ///
    /// # Errors
    /// [`PlayError`] if the save cannot be written.
    pub fn force(&mut self, keys: Vec<String>) -> Result<(), PlayError> {
        self.deed(Deed::Force(ForceLine { after: self.decisions.len(), force: keys }))
    }

    /// Gives a property of a player or of the game another value, as somebody who tries out a game wants it; what is asked is worked
    /// out anew. The save says so.
    ///
    /// # Errors
    /// [`PlayError::Usage`] in words if that is not possible now; else if the save cannot be written.
    pub fn set(&mut self, what: &str, to: &str) -> Result<(), PlayError> {
        self.deed(Deed::Set(SetLine { after: self.decisions.len(), set: what.to_owned(), to: to.to_owned() }))
    }

    fn deed(&mut self, deed: Deed) -> Result<(), PlayError> {
        self.repeat_deed(&deed)?;
        if let Some(save) = &mut self.save {
            save.append(&deed)?;
        }
        Ok(())
    }

    fn repeat_deed(&mut self, deed: &Deed) -> Result<(), PlayError> {
        match deed {
            Deed::Force(line) => self.force_chance(line.force.clone()),
            Deed::Set(line) => {
                self.state = self.machine.set_by_hand(&self.state, &line.set, &line.to).map_err(PlayError::Usage)?;
                let joined = if line.set.starts_with(PUT) { "in" } else { "=" };
                let told = format!("by hand: {} {joined} {}", line.set, line.to);
                let text = vec![told.clone(); self.header.seats.len() + 1];
                let recorded = self.machine.take_changes();
                let change = Change { text, full: told, ..Change::default() };
                let number = self.decisions.len();
                self.changes.extend(std::iter::once(change).chain(recorded).map(|change| (number, change)));
                self.keep_anew();
            }
        }
        self.deeds.push(deed.clone());
        Ok(())
    }

    /// What was done by hand, in its order.
    pub fn deeds(&self) -> &[Deed] {
        &self.deeds
    }

    /// What was done by hand after the decisions that were made.
    pub(super) fn repeat_deeds(&mut self, deeds: &[Deed]) -> Result<(), PlayError> {
        let number = self.decisions.len();
        deeds.iter().filter(|deed| deed.after() == number).try_for_each(|deed| self.repeat_deed(deed))
    }
}
