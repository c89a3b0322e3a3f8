//! What the log says of what was answered, and of actions of which nothing is seen.

use super::Session;
use crate::engine::{Change, Question, Seat};

impl Session {
    /// What the log says of an answer in words: whether an effect is used, what was said. Others read it only where everybody
    /// sees whose effect it is, or may know of the question, which may tell what somebody holds.
    pub(super) fn answer(
        &mut self,
        seat: Seat,
        question: Option<&Question>,
        to_all: Option<(String, String)>,
        key: &str,
    ) -> Option<Change> {
        let who = self.game.seat_read(seat);
        let question = question.filter(|question| question.use_it);
        let source = question.and_then(|question| question.source.as_ref()).filter(|source| self.is_open(source));
        let open = source.map(|source| match key {
            "yes" | "announce" => format!("{who} uses {source}"),
            _ => format!("{who} does not use {source}"),
        });
        let open = open.or_else(|| {
            to_all.map(|(asked, answer)| match asked.as_str() {
                "" => format!("{who} chooses {answer}"),
                asked => format!("{who}: {asked} {answer}"),
            })
        });
        let asked = question.map(|question| format!("{who}: {} {key}", question.words()));
        let own = usize::from(seat);
        let asked = asked.or_else(|| open.clone())?;
        let told = |reader: usize| if reader == own { asked.clone() } else { open.clone().unwrap_or_default() };
        // Records have the key and the question already.
        Some(Change { text: (0..=self.header.seats.len()).map(told).collect(), ..Change::default() })
    }

    /// Whether everybody sees all cards of a name.
    fn is_open(&mut self, name: &str) -> bool {
        let seen = self.machine.view(&self.state, None).cards().filter(|card| card.name == name).count();
        seen > 0 && seen == self.machine.view_all(&self.state).cards().filter(|card| card.name == name).count()
    }
}

/// What is told of an action to those who have read nothing of what came of it.
pub(super) fn unseen(mut told: Change, recorded: &[Change]) -> Option<Change> {
    for (reader, text) in told.text.iter_mut().enumerate() {
        // Whose turn begins then is no part of it.
        let came =
            |change: &Change| change.text.get(reader).is_some_and(|text| !text.is_empty() && !text.starts_with("-- "));
        if recorded.iter().any(came) {
            text.clear();
        }
    }
    told.text.iter().any(|text| !text.is_empty()).then_some(told)
}
