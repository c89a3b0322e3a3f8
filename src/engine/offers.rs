//! Offers: who is asked, what the question says, and whose the answers are.

use super::api::Seat;
use super::run::{Flow, R, Run, at};
use super::state::{Choice, Frame, Mode, PendingKind, State};
use super::words::Eyes;
use crate::program::{NIL, OfferSite, Program};

/// What is said of an offer, with its terms.
pub(super) fn on_one_line(text: &str, terms: &[(String, String)]) -> String {
    let terms: Vec<String> = terms.iter().map(|(name, value)| format!("{name} {value}")).collect();
    if terms.is_empty() { text.to_owned() } else { format!("{text}: {}", terms.join("; ")) }
}

impl Run<'_> {
    /// Whether there is somebody to whom an offer can be made: else `to` is where to go on.
    pub fn offer_to(&mut self, site: usize, to: usize, frame: &Frame, base: usize) -> R<Option<Flow>> {
        if frame.mode == Mode::Collect {
            return self.plain_collect();
        }
        // What comes of an offer depends on another player: it is not tried out.
        if self.x.probing > 0 {
            return Ok(Some(self.ask(PendingKind::None, NIL, site)));
        }
        let info = &self.p.sites.offers[site];
        let (maker, answers) = (self.st.mem[at(base, info.maker)], self.st.mem[at(base, info.answers)]);
        let plays = (0..i64::from(self.st.players)).contains(&answers) && (self.playing() >> answers) & 1 == 1;
        if !plays || answers == maker {
            self.jump_to(to);
        }
        Ok(None)
    }

    /// Asks for the answer to an offer.
    pub fn offer(&mut self, site: usize, base: usize) -> R<Option<Flow>> {
        let info = &self.p.sites.offers[site];
        if let Some(answer) = self.st.pending.answer.take() {
            self.st.mem[at(base, info.d)] = answer.value;
            self.trace_answer(site, base, answer.value);
            return Ok(None);
        }
        self.trace_offer(site, base);
        let counters = self.st.mem[at(base, info.left)] > 0;
        self.st.pending.options.clear();
        for value in OfferSite::ACCEPT..=OfferSite::WITHDRAW {
            if value != OfferSite::COUNTER || counters {
                self.st.pending.options.push(Choice { branch: 0, value, weight: 1 });
            }
        }
        let top = self.st.frames.len() - 1;
        self.st.frames[top].pc -= 1;
        self.st.pending.picked.clear();
        let seat = self.st.mem[at(base, info.answers)];
        Ok(Some(self.ask(PendingKind::Offer, seat, site)))
    }

    /// Who made the offer of a site, and who answers it.
    pub fn offer_seats(&self, site: usize, base: usize) -> (i64, i64) {
        let info = &self.p.sites.offers[site];
        (self.st.mem[at(base, info.maker)], self.st.mem[at(base, info.answers)])
    }

    /// What is offered, for a reader: the name of each term, and what was chosen for it, in words.
    pub fn offer_terms(&self, site: usize, base: usize, eyes: Eyes) -> Vec<(String, String)> {
        let terms = self.p.sites.offers[site].terms.iter().map(|(name, slot, ty)| {
            let start = at(base, *slot);
            let words = usize::from(self.p.layout.words(ty));
            (self.said(name).to_owned(), self.value_words(&self.st.mem[start..start + words], ty, eyes))
        });
        terms.collect()
    }

    /// The question of an offer for a reader, and who made it.
    pub fn offer_prompt(&self, site: usize, base: usize, eyes: Eyes) -> String {
        let prompt = self.p.sites.offers[site].prompt.as_ref();
        let prompt = prompt.map_or("an offer".to_owned(), |text| self.text(text, base, eyes));
        format!("{prompt} ({} offers)", self.seat_name(self.offer_seats(site, base).0))
    }
}

/// Who made the offer at hand, if one is.
pub(super) fn maker(program: &Program, state: &State) -> Option<Seat> {
    if state.over.is_some() || state.pending.kind != PendingKind::Offer {
        return None;
    }
    let site = program.sites.offers.get(state.pending.site as usize)?;
    let word = state.mem.get(at(state.frames.last()?.base as usize, site.maker))?;
    u8::try_from(*word).ok()
}
