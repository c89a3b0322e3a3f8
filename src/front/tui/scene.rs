//! What is to be shown: one seat's view with all that goes with it, and how things on it are found.

use crate::engine::{CardView, Decision, DecisionKind, OptionInfo, Seat, Target, View, ZoneView};
use crate::play::spots::{self, Spot};

/// Everything that can be on the screen at one moment. It holds nothing its seat may not see.
#[derive(Clone, Debug)]
pub struct Scene {
    /// The game's title.
    pub title: String,
    /// The seed, for people who want the same game again.
    pub seed: u64,
    /// What the seat in front of the screen sees.
    pub view: View,
    /// Who plays each seat, in seat order: `you`, `greedy`.
    pub players: Vec<String>,
    /// What has happened, as this seat may read it, oldest first.
    pub log: Vec<Told>,
    /// What is not possible now, and why.
    pub refusals: Vec<Why>,
    /// Something to be told besides the game: the errors of a broken edit.
    pub notice: Option<Notice>,
    /// What the scenarios of the content gave, while it is edited.
    pub tests: Option<Tests>,
    /// Whether a bot decides next, or a seat that passes by itself.
    pub bot: bool,
    /// Whether it is the viewer who passes by itself.
    pub passing: bool,
    /// Whether it is the viewer whose only option is taken by itself.
    pub spared: bool,
    /// Whether more may be done than a player may.
    pub workshop: bool,
    /// Whether nothing is hidden.
    pub open: bool,
    /// Whether what is played becomes a scenario.
    pub telling: bool,
    /// How many decisions were made.
    pub decisions: usize,
    /// Where they are saved.
    pub saved: Option<String>,
    /// The file that saving suggests.
    pub file: String,
}

/// A line of the log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Told {
    /// Number of the change.
    pub number: usize,
    /// What happened.
    pub text: String,
    /// How deep in the chain of causes.
    pub depth: u16,
}

/// Why an action is not possible, with the line of content that says so.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Why {
    /// The action.
    pub action: String,
    /// The reason.
    pub reason: String,
    /// `path:line:column`, empty if unknown.
    pub place: String,
    /// The text of that line.
    pub line: String,
}

/// A message that stays until it is put away.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Notice {
    /// Whether it is about something wrong.
    pub error: bool,
    /// Whether it offers something that can be accepted.
    pub offer: bool,
    /// One line or several.
    pub text: String,
}

/// What a package's scenarios gave.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tests {
    /// In a few letters: `12 ✓`, `2 ✗`.
    pub short: String,
    /// Whether something is wrong.
    pub bad: bool,
    /// What is wrong, line by line.
    pub lines: Vec<String>,
}

impl Scene {
    /// A seat's name.
    pub(super) fn name(&self, seat: Seat) -> &str {
        self.view.players.get(usize::from(seat)).map_or("?", |player| &player.name)
    }

    /// Whether decisions were made that leaving loses.
    pub(super) fn unsaved(&self) -> bool {
        self.saved.is_none() && self.decisions > 0
    }

    /// A seat's name and who plays it: `blue (greedy)`.
    pub(super) fn title_of(&self, seat: Seat) -> String {
        match self.players.get(usize::from(seat)) {
            Some(who) if !who.is_empty() => format!("{} ({who})", self.name(seat)),
            _ => self.name(seat).to_owned(),
        }
    }

    /// The decision of the seat in front of the screen.
    pub(super) fn decision(&self) -> Option<&Decision> {
        self.view.decision.as_ref()
    }

    /// The options of that decision.
    pub(super) fn options(&self) -> &[OptionInfo] {
        self.decision().map_or(&[], |decision| &decision.options)
    }

    /// Whether the viewer is asked for a response, and may pass.
    pub(super) fn responds(&self) -> bool {
        self.decision().is_some_and(|decision| decision.kind == DecisionKind::Response)
    }

    /// Whether the viewer has made the offer that somebody else is to answer.
    pub(super) fn offers(&self) -> bool {
        self.decision().is_some_and(|decision| decision.by.is_some() && decision.by == self.view.seat)
    }

    /// The viewer's own hands: zones that only they look into.
    pub(super) fn hands(&self) -> impl Iterator<Item = &ZoneView> {
        let own = self.view.seat.and_then(|seat| self.view.players.get(usize::from(seat)));
        own.into_iter().flat_map(|player| &player.zones).filter(|zone| zone.private)
    }

    /// Whether anything is laid on boards rather than only in zones.
    pub(super) fn has_board(&self) -> bool {
        !self.view.boards.is_empty()
    }

    /// All zones, in the order in which the screen shows them.
    fn zones(&self) -> impl Iterator<Item = &ZoneView> {
        let players = self.seats_shown().into_iter().filter_map(|seat| self.view.players.get(usize::from(seat)));
        let shown = players.flat_map(|player| &player.zones).filter(|zone| !zone.private);
        shown.chain(&self.view.zones).chain(self.hands())
    }

    /// Seats in the order in which the screen shows them: the others from the left of the viewer on, then the viewer.
    pub(super) fn seats_shown(&self) -> Vec<Seat> {
        let seats = u8::try_from(self.view.players.len()).unwrap_or(u8::MAX);
        match self.view.seat {
            Some(own) if own < seats => (own + 1..seats).chain(0..own).chain([own]).collect(),
            _ => (0..seats).collect(),
        }
    }

    /// All cards that lie open for the viewer, in the order in which the screen shows them, with their riders after
    /// each. A pile shows its top.
    pub(super) fn cards<'a>(&'a self) -> Vec<&'a CardView> {
        let open = |zone: &'a ZoneView| -> Vec<&'a CardView> {
            if zone.pile { zone.top().into_iter().collect() } else { zone.cards.iter().collect() }
        };
        let zones = self.zones().flat_map(open);
        let pieces = self.view.boards.iter().flat_map(|board| &board.sites).flat_map(|site| &site.pieces);
        let all: Vec<&CardView> = pieces.chain(zones).collect();
        let mut cards = Vec::new();
        for &card in all.iter().filter(|card| !self.is_rider(card)) {
            cards.push(card);
            cards.extend(all.iter().filter(|rider| rider.host == Some(card.handle)));
        }
        cards
    }

    /// Whether a card is shown under another one that it is linked to.
    pub(super) fn is_rider(&self, card: &CardView) -> bool {
        card.host.is_some_and(|host| host != card.handle && self.card(host).is_some())
    }

    /// A card by its handle.
    pub(super) fn card(&self, handle: u32) -> Option<&CardView> {
        let players = self.view.players.iter().flat_map(|player| &player.zones);
        let cards = players.chain(&self.view.zones).flat_map(|zone| &zone.cards);
        let pieces = self.view.boards.iter().flat_map(|board| &board.sites).flat_map(|site| &site.pieces);
        cards.chain(pieces).find(|card| card.handle == handle)
    }

    /// The card that the question comes from or names: of several, the one nearest to the viewer.
    pub(super) fn asked_about(&self) -> Option<u32> {
        let decision = self.decision()?;
        let named = |card: &&CardView| match &decision.source {
            Some(source) => *source == card.name,
            None => decision.prompt.contains(&card.name),
        };
        let cards = self.cards().into_iter().filter(named);
        cards.max_by_key(|card| card.name.len()).map(|card| card.handle)
    }

    /// Cards linked to a card, wherever they lie open.
    pub(super) fn riders(&self, host: u32) -> Vec<&CardView> {
        let players = self.view.players.iter().flat_map(|player| &player.zones);
        let cards = players.chain(&self.view.zones).flat_map(|zone| &zone.cards);
        cards.filter(|card| card.host == Some(host) && card.handle != host).collect()
    }

    /// The site that a target is or lies on.
    pub(super) fn spot(&self, target: Target) -> Option<Spot> {
        spots::spot(&self.view, target)
    }
}
