//! A position as an SVG picture: boards, players with what they have, zones, whose turn it is, what is possible.
//!
//! What comes in is a view, so a picture shows no more than its seat may see. The same view gives the same picture,
//! byte for byte. Pictures have a ground of their own and can be read on light and on dark pages.

mod board;
pub(super) mod cards;
pub(super) mod pen;
pub(super) mod pieces;
#[cfg(test)]
mod tests;

use crate::engine::{PlayerView, Seat, Target, View};
use crate::play::position::describe_window;
use crate::play::record::outcome_words;
use crate::play::spots::{Spot, legal};
use crate::play::words::says_nothing;
use pen::{
    Anchor, Block, FAINT, GROUND, INK, LAST, LEGAL, LINE, PANEL, Paint, Type, clip, column, flow, number, width, wrap,
};
use std::collections::BTreeSet;

/// Space around the whole picture.
const MARGIN: f64 = 20.0;
/// How wide the table may be, alone and beside a board, and how narrow.
const WIDE: f64 = 900.0;
const SIDE: f64 = 340.0;
const NARROW: f64 = 150.0;
/// How wide boards beside each other may be together.
const BOARDS: f64 = 900.0;
/// Space inside of a player's panel.
const INSET: f64 = 12.0;

/// What a picture is drawn from.
pub struct Shot {
    title: String,
    view: View,
    /// Sites that options point at.
    legal: BTreeSet<Spot>,
    /// Cards that options point at.
    cards: BTreeSet<u32>,
    /// Sites that the last move changed.
    last: BTreeSet<Spot>,
}

impl Shot {
    /// A picture of a view of a game with this title, in which the last move changed some sites.
    pub fn new(title: &str, view: View, last: BTreeSet<Spot>) -> Shot {
        let options = view.decision.iter().flat_map(|decision| &decision.options);
        let zones = view.players.iter().flat_map(|player| &player.zones).chain(&view.zones);
        let shown: BTreeSet<u32> = zones.flat_map(|zone| &zone.cards).map(|card| card.handle).collect();
        let cards = options.filter_map(|option| match option.target {
            Target::Entity(handle) if shown.contains(&handle) => Some(handle),
            _ => None,
        });
        Shot { title: title.to_owned(), legal: legal(&view), cards: cards.collect(), last, view }
    }

    /// The picture as a document.
    pub fn svg(&self) -> String {
        let content = if self.view.boards.is_empty() { self.table(WIDE) } else { self.beside_boards() };
        let room = content.wide.max(380.0);
        let whole = column(vec![self.head(room), content, self.foot(room)], 14.0);
        let (wide, tall) = (number(room + 2.0 * MARGIN), number(whole.tall + 2.0 * MARGIN));
        let margin = number(MARGIN);
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{wide}\" height=\"{tall}\" viewBox=\"0 0 {wide} {tall}\" \
             font-family=\"system-ui, 'Segoe UI', Roboto, Helvetica, Arial, sans-serif\">\n\
             <title>{}</title>\n\
             <rect width=\"{wide}\" height=\"{tall}\" rx=\"14\" fill=\"{GROUND}\"/>\n\
             <g transform=\"translate({margin} {margin})\">\n{}</g>\n</svg>\n",
            pen::escaped(&self.title),
            whole.body
        )
    }

    fn name(&self, seat: Seat) -> &str {
        self.view.players.get(usize::from(seat)).map_or("?", |player| &player.name)
    }

    /// The game's title and how it stands.
    fn head(&self, room: f64) -> Block {
        let glance: Vec<String> =
            self.view.lines.iter().flat_map(|line| wrap(line, Type::bold(14.0, INK), room, 2)).collect();
        let mut block = Block::new(room, 46.0 + 19.0 * glance.len() as f64);
        for (index, line) in glance.iter().enumerate() {
            let low = 61.0 + 19.0 * index as f64;
            block.text((0.0, low), Anchor::Start, Type::bold(14.0, INK), line);
        }
        block.text((0.0, 19.0), Anchor::Start, Type::bold(20.0, INK), &self.title);
        let view = &self.view;
        let mut told = vec![format!("turn {}", view.turns + u32::from(view.outcome.is_none()))];
        if let (Some(mover), None) = (view.mover, &view.outcome) {
            told.push(format!("{} on turn", self.name(mover)));
        }
        let props = view.game.iter().filter(|(_, value)| !says_nothing(value));
        told.extend(props.map(|(name, value)| if value == "yes" { name.clone() } else { format!("{name} {value}") }));
        let set = Type::plain(12.5, FAINT);
        block.text((0.0, 39.0), Anchor::Start, set, &clip(&told.join("  ·  "), set, room));
        if let Some(outcome) = &view.outcome {
            let words = outcome_words(outcome, |seat| self.name(seat).to_owned());
            let set = Type::bold(15.0, LAST);
            block.text((room, 19.0), Anchor::End, set, &clip(&words, set, room * 0.6));
        }
        block
    }

    /// Boards with what the players have beside them.
    fn beside_boards(&self) -> Block {
        let boards: Vec<Block> = (0..self.view.boards.len()).map(|index| self.titled_board(index)).collect();
        let boards = flow(boards, 26.0, BOARDS);
        let side = self.table(SIDE);
        if side.tall == 0.0 {
            return boards;
        }
        flow(vec![boards, side], 24.0, f64::INFINITY)
    }

    fn titled_board(&self, index: usize) -> Block {
        let board = board::board(self, index);
        let view = self.view.boards.get(index);
        let name = view.filter(|_| self.view.boards.len() > 1).map(|view| &view.name);
        let title = view.and_then(|view| view.title.as_ref()).or(name);
        let Some(title) = title.filter(|title| **title != self.title) else { return board };
        let set = Type::bold(13.0, INK);
        let wide = board.wide.max(width(title, set));
        let mut head = Block::new(wide, 16.0);
        head.text((wide / 2.0, 12.0), Anchor::Middle, set, title);
        column(vec![head, board], 4.0)
    }

    /// Players and shared zones, in panels as wide as they need, and no wider than this.
    fn table(&self, most: f64) -> Block {
        let room = most - 2.0 * INSET;
        let filled = self.view.zones.iter().filter(|zone| zone.count > 0);
        let shared = filled.map(|zone| cards::zone(self, zone, room)).collect();
        let shared = flow(shared, 22.0, room);
        let players: Vec<Block> =
            (0u8..).zip(&self.view.players).map(|(seat, player)| self.player(seat, player, room)).collect();
        let widest = players.iter().chain([&shared]).map(|block| block.wide).fold(NARROW, f64::max);
        let wide = widest.min(room) + 2.0 * INSET;
        let mut panels = Vec::new();
        if shared.tall > 0.0 {
            let mut panel = Block::new(wide, shared.tall + INSET);
            panel.put((INSET, 0.0), &shared);
            panels.push(panel);
        }
        for (seat, (inside, player)) in (0u8..).zip(players.into_iter().zip(&self.view.players)) {
            let mut panel = Block::new(wide, inside.tall + 2.0 * INSET - 4.0);
            let moves = self.view.mover == Some(seat) && self.view.outcome.is_none();
            let light = player.colour.lightness() > 170;
            let colour = if light { player.colour.mixed(INK, 40) } else { player.colour };
            let line = if moves { (colour, 2.0) } else { (LINE, 1.0) };
            let paint = Paint::fill(PANEL).round(line.0, line.1);
            panel.rect((0.5, 0.5), (wide - 1.0, panel.tall - 1.0), 10.0, paint);
            panel.put((INSET, INSET - 2.0), &inside);
            panels.push(panel);
        }
        column(panels, 10.0)
    }

    fn player(&self, seat: Seat, player: &PlayerView, room: f64) -> Block {
        let zones = player.zones.iter().filter(|zone| zone.count > 0 || zone.private);
        let zones = flow(zones.map(|zone| cards::zone(self, zone, room)).collect(), 22.0, room);
        column(vec![self.heading(seat, player, room), zones], 8.0)
    }

    /// A player's name and what is counted.
    fn heading(&self, seat: Seat, player: &PlayerView, room: f64) -> Block {
        let name = Type::bold(14.0, if player.playing { INK } else { FAINT });
        let mut first = Block::new(24.0 + width(&player.name, name), 20.0);
        first.circle((8.0, 10.0), 7.5, Paint::fill(player.colour).round(player.colour.mixed(INK, 40), 1.0));
        first.text((22.0, 15.0), Anchor::Start, name, &player.name);
        let mut blocks = vec![first];
        let mut tell = |text: &str, set: Type| {
            let text = clip(text, set, room);
            let mut block = Block::new(width(&text, set), 20.0);
            block.text((0.0, 14.5), Anchor::Start, set, &text);
            blocks.push(block);
        };
        let winner = self.view.outcome.as_ref().is_some_and(|outcome| outcome.winners.contains(&seat));
        if winner {
            tell("wins", Type::bold(12.0, LAST));
        } else if !player.playing {
            tell("out", Type::plain(12.0, FAINT));
        }
        for line in &player.lines {
            tell(line, Type::bold(12.0, INK));
        }
        for (name, value) in player.props.iter().filter(|(_, value)| !says_nothing(value)) {
            let text = if value == "yes" { name.clone() } else { format!("{name} {value}") };
            tell(&text, Type::plain(12.0, FAINT));
        }
        flow(blocks, 12.0, room)
    }

    /// The question that is asked, and what the signs mean.
    fn foot(&self, room: f64) -> Block {
        let mut blocks = Vec::new();
        if let Some(decision) = &self.view.decision {
            let who = decision.seat.map_or("chance", |seat| self.name(seat));
            let set = Type::plain(12.5, INK);
            let asked = std::iter::once(format!("{who}: {}", decision.prompt));
            let terms = decision.terms.iter().map(|(name, value)| format!("{name}: {value}"));
            for line in asked.chain(terms).flat_map(|line| wrap(&line, set, room, 2)) {
                let mut block = Block::new(room, 16.0);
                block.text((0.0, 12.0), Anchor::Start, set, &line);
                blocks.push(block);
            }
        }
        if let Some(window) = &self.view.window {
            let set = Type::plain(11.5, FAINT);
            let told = describe_window(window, |seat| self.name(seat).to_owned());
            for line in wrap(&told, set, room, 2) {
                let mut block = Block::new(room, 15.0);
                block.text((0.0, 11.0), Anchor::Start, set, &line);
                blocks.push(block);
            }
        }
        let mut signs = Vec::new();
        let set = Type::plain(11.0, FAINT);
        let mut sign = |text: &str, draw: &dyn Fn(&mut Block)| {
            let mut block = Block::new(18.0 + width(text, set), 14.0);
            draw(&mut block);
            block.text((18.0, 10.5), Anchor::Start, set, text);
            signs.push(block);
        };
        if self.legal.is_empty() && !self.cards.is_empty() {
            sign("possible now", &|block| block.rect((1.5, 0.5), (10.0, 13.0), 2.5, Paint::stroke(LEGAL, 2.0)));
        }
        if !self.legal.is_empty() {
            let site = self.legal.first().and_then(|spot| self.view.boards.get(spot.board)?.sites.get(spot.site));
            let ground = site.map_or(GROUND, board::ground);
            let dot = board::legal_on(ground);
            sign("possible now", &|block| {
                if dot != LEGAL {
                    block.circle((7.0, 7.0), 7.0, Paint::fill(ground));
                }
                block.circle((7.0, 7.0), 4.5, Paint::fill(dot));
            });
        }
        if !self.last.is_empty() {
            sign("last move", &|block| block.rect((1.5, 1.5), (11.0, 11.0), 2.5, Paint::stroke(LAST, 2.0)));
        }
        if !signs.is_empty() {
            blocks.push(flow(signs, 18.0, room));
        }
        column(blocks, 4.0)
    }
}
