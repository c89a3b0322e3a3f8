//! Cards, face up and face down, and zones: rows of cards, piles, hands, heaps of pieces.

use super::Shot;
use super::pen::{Anchor, Block, FAINT, INK, LEGAL, LINE, PANEL, Paint, Type, clip, column, flow, width, wrap};
use super::pieces::{self, ink_on};
use crate::base::{Colour, Shape};
use crate::engine::{CardView, Grid, ZoneView};
use crate::play::position;
use crate::play::words::{brief, is_text};
use std::collections::BTreeSet;

/// Width and greatest height of a card face up, and size of a small one.
const CARD: (f64, f64) = (116.0, 152.0);
const SMALL: (f64, f64) = (58.0, 80.0);
/// The least height of a card face up.
const LEAST: f64 = 44.0;
/// In what sizes the text of a card is set: the largest that fits.
const SIZES: [f64; 5] = [9.5, 9.0, 8.5, 8.0, 7.5];
/// Width of a strip, and how much of a card that lies beneath another is seen.
const STRIP: f64 = 17.0;
const INSET: f64 = 8.0;
/// Half the width of a piece in a zone, and the width of a tile.
const PIECE: f64 = 15.0;
const TILE: f64 = 46.0;

/// The colour of cards that say nothing, and of the backs of cards.
pub(in crate::front) const PLAIN: Colour = Colour(0xdd_d3_bf);
pub(in crate::front) const BACK: Colour = Colour(0x54_63_7a);

/// A zone with its heading; nothing for one that is not to be drawn.
pub(super) fn zone(shot: &Shot, zone: &ZoneView, room: f64) -> Block {
    if zone.look.shape == Some(Shape::Hidden) {
        return Block::default();
    }
    let name = zone.look.title.as_ref().unwrap_or(&zone.name);
    let head = if zone.look.title.is_some() { name.clone() } else { format!("{name}: {}", zone.count) };
    let set = Type::plain(11.0, FAINT);
    let mut heading = Block::new(width(&head, set), 13.0);
    heading.text((0.0, 10.0), Anchor::Start, set, &head);
    column(vec![heading, contents(shot, zone, room)], 4.0)
}

fn contents(shot: &Shot, zone: &ZoneView, room: f64) -> Block {
    if zone.count == 0 {
        return Block::default();
    }
    if zone.cards.iter().any(|card| card.piece) {
        return heap(shot, zone, room);
    }
    let pile = match zone.look.shape {
        Some(Shape::Pile) => true,
        Some(Shape::Row) => false,
        _ => zone.pile,
    };
    if pile {
        return self::pile(shot, zone);
    }
    let handles: BTreeSet<u32> = zone.cards.iter().map(|card| card.handle).collect();
    let rides = |card: &&CardView| card.host.is_some_and(|host| host != card.handle && handles.contains(&host));
    let mut stacks: Vec<(Vec<&CardView>, Vec<&CardView>)> = Vec::new();
    for card in zone.cards.iter().filter(|card| !rides(card)) {
        let riders = zone.cards.iter().filter(|rider| rider.host == Some(card.handle) && rider.handle != card.handle);
        let riders: Vec<&CardView> = riders.collect();
        let known = |(cards, others): &&mut (Vec<&CardView>, Vec<&CardView>)| {
            riders.is_empty() && others.is_empty() && cards[0].is_like(card)
        };
        match stacks.iter_mut().find(known) {
            Some((cards, _)) => cards.push(card),
            None => stacks.push((vec![card], riders)),
        }
    }
    // All of a row are as tall as the one that says most.
    let tall =
        stacks.iter().filter_map(|(cards, _)| cards.first().map(|card| needs(card, cards.len()))).fold(LEAST, f64::max);
    let tall = tall.min(CARD.1);
    let faces = stacks.iter().map(|(cards, riders)| face(shot, cards, riders, zone.look.colour, tall));
    let mut blocks: Vec<Block> = faces.collect();
    let unseen = zone.count.saturating_sub(zone.cards.len());
    if unseen > 0 {
        blocks.push(backs(unseen, zone.look.colour.unwrap_or(BACK)));
        let set = Type::plain(11.0, FAINT);
        let words = position::backs(zone);
        let words = words.trim_start();
        if !words.is_empty() {
            let mut block = Block::new(width(words, set), 13.0);
            block.text((0.0, 10.0), Anchor::Start, set, words);
            blocks.push(block);
        }
    }
    flow(blocks, 8.0, room)
}

/// How tall a card has to be for all that it says.
fn needs(card: &CardView, count: usize) -> f64 {
    let (mut head, room) = (Block::default(), CARD.0 - 2.0 * INSET);
    let top = title(&mut head, card, PLAIN);
    let chips = chips(card, count, PLAIN).tall;
    let foot = if chips > 0.0 { chips + 3.0 } else { 0.0 };
    let text = wrap(&text(card), Type::plain(SIZES[0], INK), room, usize::MAX);
    let told = if text.is_empty() { 0.0 } else { text.len() as f64 * SIZES[0] * 1.2 + 6.0 };
    top + 11.0 * values(card, usize::MAX).len() as f64 + told + foot + 8.0
}

/// Cards face up that look the same, the first on top, with what is linked to it in strips below.
fn face(shot: &Shot, cards: &[&CardView], riders: &[&CardView], ground: Option<Colour>, tall: f64) -> Block {
    let Some(card) = cards.first() else { return Block::default() };
    let colour = card.look.colour.or(ground).unwrap_or(PLAIN);
    let mut inside = Block::default();
    let top = title(&mut inside, card, colour);
    let chips = chips(card, cards.len(), colour);
    let foot = if chips.tall > 0.0 { chips.tall + 3.0 } else { 0.0 };
    let text = text(card);
    let values = values(card, if text.is_empty() { usize::MAX } else { 4 });
    let wide = CARD.0;
    body(&mut inside, (&values, &text), top, tall - 6.0 - foot);
    inside.put((INSET, tall - 6.0 - chips.tall), &chips);
    pieces::marks(&mut inside, &card.look, PANEL, (wide - 14.0, tall - 13.0), 6.0);
    let under = 3.0 * (cards.len() - 1).min(2) as f64;
    let mut block = Block::new(wide + under, (tall + under).max(tall + STRIP * riders.len() as f64));
    riders.iter().enumerate().rev().for_each(|(index, rider)| strip(shot, &mut block, rider, (index, tall), ground));
    let legal = cards.iter().any(|card| shot.cards.contains(&card.handle));
    let (line, weight) = if legal { (LEGAL, 3.0) } else { (LINE, 1.0) };
    for layer in (1..cards.len().min(3)).rev() {
        let at = 0.5 + 3.0 * layer as f64;
        block.rect((at, at), (wide - 1.0, tall - 1.0), 7.0, Paint::fill(PANEL).round(LINE, 1.0));
    }
    block.rect((0.5, 0.5), (wide - 1.0, tall - 1.0), 7.0, Paint::fill(PANEL).round(line, weight));
    block.put((0.0, 0.0), &inside);
    block
}

/// A card that lies beneath another of this height.
fn strip(shot: &Shot, block: &mut Block, rider: &CardView, (index, tall): (usize, f64), ground: Option<Colour>) {
    let wide = CARD.0;
    let top = tall - 10.0 + STRIP * index as f64;
    let colour = rider.look.colour.or(ground).unwrap_or(PLAIN);
    let paint = Paint::fill(colour).round(frame(shot, rider), frame_width(shot, rider));
    block.rect((4.0, top), (wide - 8.0, STRIP + 9.0), 5.0, paint);
    let name = rider.look.title.as_ref().unwrap_or(&rider.name);
    let told = rider.props.iter().filter_map(brief).chain(rider.markers.iter().cloned());
    let words = std::iter::once(name.clone()).chain(told).collect::<Vec<_>>().join(" · ");
    let fits = |size: f64| width(&words, Type::bold(size, INK)) <= wide - 18.0;
    let size = [9.0, 8.5, 8.0, 7.5].into_iter().find(|size| fits(*size)).unwrap_or(7.0);
    let set = Type::bold(size, ink_on(colour));
    block.text((9.0, top + STRIP + 4.0), Anchor::Start, set, &clip(&words, set, wide - 16.0));
}

/// What may be chosen has a strong frame.
fn frame(shot: &Shot, card: &CardView) -> Colour {
    if shot.cards.contains(&card.handle) { LEGAL } else { LINE }
}

fn frame_width(shot: &Shot, card: &CardView) -> f64 {
    if shot.cards.contains(&card.handle) { 3.0 } else { 1.0 }
}

/// The head of a card: its title on its colour, and its sign. Gives where the rest begins.
fn title(block: &mut Block, card: &CardView, colour: Colour) -> f64 {
    let ink = ink_on(colour);
    let set = Type::bold(11.0, ink);
    let label = card.look.label.as_deref().or(card.look.glyph.as_deref()).filter(|label| !label.is_empty());
    let badge = label.map_or(0.0, |label| width(label, Type::bold(12.0, ink)).max(11.0) + 10.0);
    let room = CARD.0 - 2.0 * INSET - badge;
    let name = card.look.title.as_ref().unwrap_or(&card.name);
    let lines = wrap(name, set, room, 2);
    let tall = if lines.len() > 1 { 33.0 } else { 22.0 };
    block.rect((3.0, 3.0), (CARD.0 - 6.0, tall), 5.0, Paint::fill(colour));
    for (index, line) in lines.iter().enumerate() {
        block.text((INSET, 18.0 + 12.0 * index as f64), Anchor::Start, set, line);
    }
    if let Some(label) = label {
        let left = CARD.0 - 5.0 - badge;
        block.rect((left, 5.5), (badge, 17.0), 5.0, Paint::fill(PANEL));
        block.text((left + badge / 2.0, 18.0), Anchor::Middle, Type::bold(12.0, INK), label);
    }
    tall + 6.0
}

/// How many there are, and what has changed on them, in chips for the foot of a card.
fn chips(card: &CardView, count: usize, colour: Colour) -> Block {
    // What the label tells need not be told again.
    let props = card.props.iter().filter(|(_, value)| card.look.label.as_ref() != Some(value));
    let count = (count > 1).then(|| format!("×{count}"));
    let told = count.into_iter().chain(props.filter_map(brief)).chain(card.markers.iter().cloned());
    let set = Type::bold(9.0, INK);
    let blocks: Vec<Block> = told
        .map(|text| {
            let text = clip(&text, set, CARD.0 - 2.0 * INSET - 8.0);
            let wide = width(&text, set) + 8.0;
            let mut chip = Block::new(wide, 14.0);
            let ground = colour.mixed(Colour(0xff_ff_ff), 65);
            chip.rect((0.0, 0.0), (wide, 14.0), 4.0, Paint::fill(ground));
            chip.text((4.0, 10.3), Anchor::Start, set, &text);
            chip
        })
        .collect();
    let mut chips = flow(blocks, 3.0, CARD.0 - 2.0 * INSET);
    if !card.look.marks.is_empty() {
        chips.tall = chips.tall.max(12.0);
    }
    chips
}

/// The text of a card.
pub(in crate::front) fn text(card: &CardView) -> String {
    let printed = card.fields.iter().filter(|field| is_text(field)).map(|field| field.1.as_str());
    let printed = || printed.collect::<Vec<_>>().join(" ");
    card.look.text.clone().unwrap_or_else(printed).trim().to_owned()
}

/// The values printed on a card, each in few words.
pub(in crate::front) fn figures(card: &CardView) -> impl Iterator<Item = String> {
    // What is long is the card's text, unless its look says what that is.
    let long = |field: &&(String, String)| is_text(field) && (card.look.text.is_none() || field.0 == "text");
    card.fields.iter().filter(move |field| !long(field)).filter_map(brief)
}

/// The values printed on a card, in so many lines at the most, none of them broken.
fn values(card: &CardView, most: usize) -> Vec<String> {
    let (set, room) = (Type::plain(9.0, FAINT), CARD.0 - 2.0 * INSET);
    let mut lines: Vec<String> = Vec::new();
    for value in figures(card) {
        let longer = lines.last().map(|line| format!("{line} · {value}")).filter(|line| width(line, set) <= room);
        match (longer, lines.last_mut()) {
            (Some(longer), Some(line)) => *line = longer,
            _ => lines.extend(wrap(&value, set, room, usize::MAX)),
        }
    }
    lines.truncate(most);
    lines
}

/// The values printed on a card and its text, between two heights.
fn body(block: &mut Block, (values, text): (&[String], &str), top: f64, low: f64) {
    let room = CARD.0 - 2.0 * INSET;
    let small = Type::plain(9.0, FAINT);
    let mut y = top + 10.0;
    for line in values {
        block.text((INSET, y), Anchor::Start, small, line);
        y += 11.0;
    }
    if text.is_empty() {
        return;
    }
    y += 3.0;
    // The text is set as large as it fits.
    let lines_at = |size: f64| ((low - y + size) / (size * 1.2)).floor().max(0.0) as usize;
    let whole = |size: &&f64| wrap(text, Type::plain(**size, INK), room, usize::MAX).len() <= lines_at(**size);
    let size = SIZES.iter().find(whole).copied().unwrap_or(7.5);
    let set = Type::plain(size, INK);
    let most = lines_at(size);
    if most > 0 {
        for line in wrap(text, set, room, most) {
            block.text((INSET, y), Anchor::Start, set, &line);
            y += size * 1.2;
        }
    }
}

/// A pile: its top, or its back, and how many cards there are.
fn pile(shot: &Shot, zone: &ZoneView) -> Block {
    let (wide, tall) = SMALL;
    let deep = (zone.count.min(4) as f64 - 1.0) * 1.5;
    let mut block = Block::new(wide + deep, tall + deep);
    // Cards that lie in no order are drawn as a pile where all are seen.
    let loose = zone.cards.first().filter(|_| !zone.pile && zone.cards.len() == zone.count);
    let top = zone.top().or(loose);
    let ground = zone.look.colour.unwrap_or(BACK);
    let layers = zone.count.min(4);
    for layer in 0..layers.saturating_sub(1) {
        let at = deep - 1.5 * layer as f64;
        block.rect((at, at), (wide - 1.0, tall - 1.0), 5.0, Paint::fill(PANEL).round(LINE, 1.0));
    }
    match top {
        Some(card) => {
            let colour = card.look.colour.or(zone.look.colour).unwrap_or(PLAIN);
            let paint = Paint::fill(colour).round(frame(shot, card), frame_width(shot, card));
            block.rect((0.5, 0.5), (wide - 1.0, tall - 1.0), 5.0, paint);
            let set = Type::bold(8.5, ink_on(colour));
            let name = card.look.title.as_ref().unwrap_or(&card.name);
            for (index, line) in wrap(name, set, wide - 8.0, 4).iter().enumerate() {
                block.text((4.0, 14.0 + 10.5 * index as f64), Anchor::Start, set, line);
            }
        }
        None => {
            back(&mut block, (0.5, 0.5), (wide - 1.0, tall - 1.0), ground);
            let set = Type::bold(15.0, ink_on(ground));
            block.text((wide / 2.0, tall / 2.0 + 5.5), Anchor::Middle, set, &zone.count.to_string());
        }
    }
    block
}

/// A card face down.
fn back(block: &mut Block, at: (f64, f64), size: (f64, f64), colour: Colour) {
    block.rect(at, size, 4.0, Paint::fill(colour).round(PANEL, 1.0));
    let line = colour.mixed(Colour(0xff_ff_ff), 35);
    block.rect((at.0 + 3.5, at.1 + 3.5), (size.0 - 7.0, size.1 - 7.0), 3.0, Paint::stroke(line, 1.0));
}

/// Cards that the viewer does not see, as they are held in a hand.
fn backs(count: usize, colour: Colour) -> Block {
    let (wide, tall) = (26.0, 36.0);
    let shown = count.min(12);
    let step = 15.0;
    let mut block = Block::new(wide + step * (shown as f64 - 1.0), tall);
    for index in 0..shown {
        back(&mut block, (0.5 + step * index as f64, 0.5), (wide - 1.0, tall - 1.0), colour);
    }
    block
}

/// Pieces that lie in a zone, those that look alike as one with their number.
fn heap(shot: &Shot, zone: &ZoneView, room: f64) -> Block {
    let alike = |a: &CardView, b: &CardView| (&a.name, a.owner, &a.look) == (&b.name, b.owner, &b.look);
    let mut kinds: Vec<(&CardView, usize)> = Vec::new();
    for piece in &zone.cards {
        match kinds.iter_mut().find(|(known, _)| alike(known, piece)) {
            Some((_, count)) => *count += 1,
            None => kinds.push((piece, 1)),
        }
    }
    let unseen = zone.count.saturating_sub(zone.cards.len());
    let mut blocks: Vec<Block> = kinds
        .into_iter()
        .map(|(piece, count)| {
            let tile = piece.look.shape == Some(Shape::Tile);
            let size = if tile { TILE } else { 2.0 * PIECE };
            let set = Type::bold(11.0, INK);
            let words = if count > 1 { format!("×{count}") } else { String::new() };
            let mut block = Block::new(size + if count > 1 { width(&words, set) + 3.0 } else { 0.0 }, size);
            let at = (size / 2.0, size / 2.0);
            if tile {
                let grid = if piece.look.sides.len() == 6 { Grid::Hex } else { Grid::Square };
                pieces::tile(&mut block, &piece.look, piece.look.colour, grid, at, size - 6.0);
            } else {
                pieces::piece(&mut block, &piece.look, pieces::colour(&shot.view, piece), at, PIECE);
            }
            if shot.cards.contains(&piece.handle) {
                block.rect((0.5, 0.5), (size - 1.0, size - 1.0), 5.0, Paint::stroke(LEGAL, 2.5));
            }
            block.text((size + 2.0, size / 2.0 + 4.0), Anchor::Start, set, &words);
            block
        })
        .collect();
    if unseen > 0 {
        blocks.push(backs(unseen, zone.look.colour.unwrap_or(BACK)));
    }
    flow(blocks, 6.0, room)
}
