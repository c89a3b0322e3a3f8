//! The table: players with their properties and zones, and the zones that are nobody's, in as much detail as fits.

use super::cards::{self, Marks, Shape};
use super::scene::Scene;
use super::text::{Lines, beside, fit, flow};
use super::theme::{Theme, shape};
use crate::engine::{CardView, PlayerView, Seat, ZoneView};
use crate::play::position::backs;
use ratatui::style::Style;
use ratatui::text::{Line, Span};

/// How much is shown of a card.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Detail {
    /// Boxes with the rules text and at most so many lines inside.
    Texts(usize),
    /// Boxes with at most so many lines inside.
    Boxes(usize),
    /// A line for each card.
    Lines,
    /// Names only.
    Names,
}

/// Ways to lay the table out, best first: columns of players, and detail.
const LAYOUTS: [(usize, Detail); 13] = [
    (1, Detail::Texts(9)),
    (2, Detail::Texts(9)),
    (1, Detail::Texts(6)),
    (2, Detail::Texts(6)),
    (1, Detail::Boxes(5)),
    (2, Detail::Boxes(5)),
    (1, Detail::Boxes(3)),
    (2, Detail::Boxes(3)),
    (2, Detail::Boxes(2)),
    (1, Detail::Lines),
    (2, Detail::Lines),
    (2, Detail::Names),
    (1, Detail::Names),
];

/// Narrowest column of players when there are two.
const COLUMN: usize = 44;

/// Widest and narrowest box of a card on the table.
const WIDEST: usize = 20;
const NARROWEST: usize = 13;

/// Narrowest box on which a text can be read.
const READABLE: usize = 17;

/// Widest and narrowest box of a card in the hand, and the least and the most that the one pointed at has.
const HAND: (usize, usize) = (26, 13);
const LARGE: (usize, usize) = (18, 34);

/// Narrowest column of a hand that is a list.
const LISTED: usize = 18;

/// The table as lines, and the line that must be seen.
pub(super) struct Sheet {
    /// All lines.
    pub lines: Lines,
    /// First line of what is pointed at.
    pub focus: Option<usize>,
}

/// Lays the table out for a space of this size.
pub(super) fn sheet(scene: &Scene, marks: &Marks, wide: usize, tall: usize) -> Sheet {
    let many = scene.view.players.len() > 1;
    let possible = LAYOUTS.iter().filter(|(columns, _)| *columns == 1 || (many && wide > COLUMN * 2));
    let mut last = Lines::new();
    for (columns, detail) in possible {
        let lines = lay_out(scene, marks, wide, *columns, *detail);
        let fits = lines.len() <= tall;
        last = lines;
        if fits {
            break;
        }
    }
    let chosen = marks.theme.chosen();
    let focus = last.iter().position(|line| line.spans.iter().any(|span| span.style == chosen));
    Sheet { lines: last, focus }
}

fn lay_out(scene: &Scene, marks: &Marks, wide: usize, columns: usize, detail: Detail) -> Lines {
    let seats = scene.seats_shown();
    let mut lines = Lines::new();
    let (others, own): (Vec<Seat>, Vec<Seat>) = seats.iter().partition(|seat| Some(**seat) != scene.view.seat);
    let room = (wide + 1) / columns - 1;
    for row in others.chunks(columns) {
        let blocks = row.iter().map(|seat| (room, player(scene, *seat, marks, room, detail)));
        lines.extend(beside(blocks.collect()));
    }
    lines.extend(shared(scene, marks, wide, detail));
    for seat in own {
        lines.extend(player(scene, seat, marks, wide, detail));
    }
    lines
}

/// A player: a line with the name and what is counted, then the zones that lie open.
fn player(scene: &Scene, seat: Seat, marks: &Marks, room: usize, detail: Detail) -> Lines {
    let Some(player) = scene.view.players.get(usize::from(seat)) else { return Lines::new() };
    let style = marks.theme.seat(seat, &player.name);
    let mut lines = vec![heading(scene, seat, player, room, marks)];
    let laid = player.zones.iter().filter(|zone| !zone.private && !is_heap(zone));
    let many = laid.clone().count() > 1;
    for zone in laid.filter(|zone| !zone.cards.is_empty()) {
        let label = many.then(|| name(zone));
        lines.extend(zone_lines(scene, zone, label, marks, room, style, detail));
    }
    lines
}

/// The line above what lies before a player. Who plays it goes unsaid where there is no room for that.
fn heading(scene: &Scene, seat: Seat, player: &PlayerView, room: usize, marks: &Marks) -> Line<'static> {
    let style = marks.theme.seat(seat, &player.name);
    let full = heading_of(scene, seat, player, scene.title_of(seat), marks);
    let short = if full.width() > room { heading_of(scene, seat, player, player.name.clone(), marks) } else { full };
    let mut line = fit(short, room);
    let gap = room.saturating_sub(line.width() + 1);
    if gap > 0 {
        line.push_span(Span::styled(format!(" {}", "━".repeat(gap)), style));
    }
    line
}

fn heading_of(scene: &Scene, seat: Seat, player: &PlayerView, title: String, marks: &Marks) -> Line<'static> {
    let theme = marks.theme;
    let style = theme.seat(seat, &player.name);
    let mut spans = vec![Span::styled(if scene.view.mover == Some(seat) { "▶ " } else { "━ " }, style)];
    let sign = shape(seat, &player.name);
    if scene.has_board() && sign != player.name {
        spans.push(Span::styled(format!("{sign} "), style.patch(theme.title())));
    }
    let name = if marks.player == Some(seat) { theme.chosen() } else { theme.title() };
    spans.push(Span::styled(title, style.patch(name)));
    if !player.playing {
        spans.push(Span::styled("  out", theme.warn()));
    }
    for prop in cards::told(player, theme) {
        spans.push(Span::raw("  "));
        spans.extend(prop);
    }
    let own = scene.view.seat == Some(seat);
    for zone in player.zones.iter().filter(|zone| zone.count > 0 && ((zone.private && !own) || is_heap(zone))) {
        spans.push(Span::raw("  "));
        spans.extend(heap(zone, theme));
    }
    Line::from(spans)
}

/// What everybody may know of a player.
pub(super) fn player_details(scene: &Scene, seat: Seat, room: usize, theme: Theme) -> Lines {
    let Some(player) = scene.view.players.get(usize::from(seat)) else { return Lines::new() };
    let name = Span::styled(scene.title_of(seat), theme.seat(seat, &player.name).patch(theme.title()));
    let zones = player.zones.iter().filter(|zone| zone.count > 0).map(|zone| heap(zone, theme));
    let mut lines = vec![fit(Line::from(name), room)];
    lines.extend(flow(cards::told(player, theme).into_iter().chain(zones).collect(), room, "  "));
    lines
}

/// Whether a zone is told as a number and a top instead of its cards.
fn is_heap(zone: &ZoneView) -> bool {
    zone.pile || zone.cards.len() < zone.count
}

/// What a zone is headed by.
fn name(zone: &ZoneView) -> &str {
    zone.look.title.as_ref().unwrap_or(&zone.name)
}

fn heap(zone: &ZoneView, theme: Theme) -> Vec<Span<'static>> {
    let mut spans = vec![
        Span::styled(format!("{} ", name(zone)), theme.dim()),
        Span::styled(zone.count.to_string(), theme.title()),
        Span::styled(backs(zone), theme.dim()),
    ];
    let top = zone.top().filter(|_| zone.pile);
    if let Some(top) = top {
        spans.push(Span::styled(format!(" ▸{}", top.name), theme.dim()));
    }
    // Of a pile whose top is not known, what is known lies somewhere in it.
    if top.is_none() && !zone.cards.is_empty() {
        let known: Vec<&str> = zone.cards.iter().map(|card| card.name.as_str()).collect();
        spans.push(Span::styled(format!(" ({})", known.join(", ")), theme.dim()));
    }
    spans
}

/// The zones that are no player's: piles on one line, open ones with their cards.
fn shared(scene: &Scene, marks: &Marks, room: usize, detail: Detail) -> Lines {
    let theme = marks.theme;
    let filled = scene.view.zones.iter().filter(|zone| zone.count > 0);
    let (heaps, laid): (Vec<&ZoneView>, Vec<&ZoneView>) = filled.partition(|zone| is_heap(zone));
    let mut items: Vec<Vec<Span<'static>>> = Vec::new();
    for zone in heaps {
        let mut spans = vec![Span::styled("▤ ", theme.dim())];
        let top = zone.top().filter(|top| marks.chosen == Some(top.handle));
        spans.extend(heap(zone, theme));
        if let (Some(top), Some(span)) = (top, spans.last_mut()) {
            *span = Span::styled(format!(" ▸{}", top.name), theme.chosen());
        }
        items.push(spans);
    }
    let mut lines = flow(items, room, "   ");
    for zone in laid {
        lines.extend(zone_lines(scene, zone, Some(name(zone)), marks, room, theme.border(), detail));
    }
    lines
}

fn zone_lines(
    scene: &Scene,
    zone: &ZoneView,
    label: Option<&str>,
    marks: &Marks,
    room: usize,
    edge: Style,
    detail: Detail,
) -> Lines {
    let cards: Vec<&CardView> = zone.cards.iter().filter(|card| !scene.is_rider(card)).collect();
    let label = label.map(|label| Span::styled(format!("  {label}"), marks.theme.dim()));
    let faces: Vec<(&CardView, Vec<&CardView>)> =
        cards.into_iter().map(|card| (card, scene.riders(card.handle))).collect();
    match detail {
        Detail::Texts(_) | Detail::Boxes(_) => {
            let mut lines: Lines = label.map(Line::from).into_iter().collect();
            lines.extend(boxes(&faces, marks, room, edge, detail));
            lines
        }
        Detail::Lines => {
            let mut lines: Lines = label.map(Line::from).into_iter().collect();
            let column = faces.iter().map(|(card, _)| cards::name_width(card, room)).max().unwrap_or(0);
            lines.extend(faces.iter().map(|(card, riders)| cards::line(card, riders, column, room, marks)));
            lines
        }
        Detail::Names => {
            let chips = alike(&faces, marks).into_iter().map(|(card, riders, count)| {
                let mut chip = cards::chip(card, riders, marks);
                if count > 1 {
                    chip.push(Span::styled(format!(" ×{count}"), marks.theme.dim()));
                }
                chip
            });
            let label = label.map(|label| vec![label]);
            let lines = flow(label.into_iter().chain(chips).collect(), room.saturating_sub(2), "  ");
            lines.into_iter().map(indent).collect()
        }
    }
}

/// A card, those linked to it, and how many there are of it.
type Counted<'a> = (&'a CardView, &'a [&'a CardView], usize);

/// Cards in their order, those with which nothing is linked and that look alike as one, which is one that options point at
/// if there is such.
fn alike<'a>(faces: &'a [(&'a CardView, Vec<&'a CardView>)], marks: &Marks) -> Vec<Counted<'a>> {
    let mut found: Vec<Counted<'a>> = Vec::new();
    for (card, riders) in faces {
        match found
            .iter_mut()
            .find(|(other, of_other, _)| riders.is_empty() && of_other.is_empty() && other.is_like(card))
        {
            Some((other, _, count)) => {
                *count += 1;
                let better = |card: &CardView| (marks.chosen == Some(card.handle), marks.legal.contains(&card.handle));
                if better(card) > better(other) {
                    *other = card;
                }
            }
            None => found.push((card, riders, 1)),
        }
    }
    found
}

fn indent(line: Line<'static>) -> Line<'static> {
    let mut spans = vec![Span::raw("  ")];
    spans.extend(line.spans);
    Line::from(spans)
}

/// Cards as rows of boxes of equal size.
fn boxes(faces: &[(&CardView, Vec<&CardView>)], marks: &Marks, room: usize, edge: Style, detail: Detail) -> Lines {
    let per_row = ((room + 1) / (NARROWEST + 1)).clamp(1, faces.len().max(1));
    let per_row = faces.len().div_ceil(faces.len().div_ceil(per_row).max(1)).max(1);
    let wide = ((room + 1) / per_row).saturating_sub(1).clamp(4, WIDEST);
    let mut lines = Lines::new();
    for row in faces.chunks(per_row) {
        let (text, most) = match detail {
            Detail::Texts(most) => (wide >= READABLE, most),
            Detail::Boxes(most) => (false, most),
            Detail::Lines | Detail::Names => (false, 1),
        };
        let needed = row.iter().map(|(card, riders)| cards::rows_needed(card, riders, wide, text, marks)).max();
        let shape = Shape { wide, rows: needed.unwrap_or(1).clamp(1, most), text };
        let blocks = row.iter().map(|(card, riders)| (wide, cards::boxed(card, riders, &shape, edge, marks)));
        lines.extend(beside(blocks.collect()));
    }
    lines
}

/// How many rows more than a number the hand would make use of: as a list, one for each card.
pub(super) fn hand_grows(zone: &ZoneView, room: usize, tall: usize) -> usize {
    let count = zone.cards.len();
    if is_listed(count, room, tall) { count.saturating_sub(tall) } else { 0 }
}

/// Whether cards beside each other would be too narrow for their names.
fn is_listed(count: usize, room: usize, tall: usize) -> bool {
    let columns = count.div_ceil(tall.max(1)).max(1);
    (room + 1) / count.max(1) <= HAND.1 && room / columns >= LISTED
}

/// The viewer's own hand as a row of larger cards, the one pointed at larger still; as a list where cards would be too
/// narrow for their names.
pub(super) fn hand(zone: &ZoneView, marks: &Marks, room: usize, tall: usize, edge: Style) -> Lines {
    let count = zone.cards.len().max(1);
    let chosen = zone.cards.iter().position(|card| marks.chosen == Some(card.handle));
    let equal = ((room + 1) / count).saturating_sub(1).min(HAND.0);
    if is_listed(count, room, tall) {
        return hand_list(zone, marks, room, count.div_ceil(tall.max(1)));
    }
    let equal = equal.max(HAND.1);
    let left = room.saturating_sub((count - 1) * (HAND.1 + 1));
    let (wide, large) = if chosen.is_some() && left >= LARGE.0.max(equal) {
        let large = left.clamp(equal, LARGE.1.max(equal));
        let wide = (room.saturating_sub(large) / (count - 1).max(1)).saturating_sub(1);
        (wide.clamp(HAND.1, HAND.0), large)
    } else {
        (equal, equal)
    };
    let width_of = |index: usize| if Some(index) == chosen { large } else { wide };
    let (first, last) = window(count.min(zone.cards.len()), chosen.unwrap_or(0), room, width_of);
    let rows = tall.saturating_sub(2);
    let mut blocks = Vec::new();
    if first > 0 {
        blocks.push((2, vec![Line::default(), Line::styled(format!("‹{first}"), marks.theme.key())]));
    }
    for (index, card) in zone.cards.iter().enumerate().take(last).skip(first) {
        let shape = Shape { wide: width_of(index), rows, text: true };
        blocks.push((shape.wide, cards::boxed(card, &[], &shape, edge, marks)));
    }
    if last < zone.cards.len() {
        let more = zone.cards.len() - last;
        blocks.push((2, vec![Line::default(), Line::styled(format!("{more}›"), marks.theme.key())]));
    }
    beside(blocks)
}

/// The hand as a list, in columns filled from top to bottom.
fn hand_list(zone: &ZoneView, marks: &Marks, room: usize, columns: usize) -> Lines {
    let wide = (room + 1) / columns - 1;
    let names = zone.cards.iter().map(|card| cards::name_width(card, wide)).max().unwrap_or(0);
    let column = |cards: &[CardView]| {
        (wide, cards.iter().map(|card| cards::line(card, &[], names, wide, marks)).collect::<Lines>())
    };
    beside(zone.cards.chunks(zone.cards.len().div_ceil(columns).max(1)).map(column).collect())
}

/// The first and the last plus one of the cards that fit, so that one of them is seen.
fn window(count: usize, seen: usize, room: usize, width_of: impl Fn(usize) -> usize) -> (usize, usize) {
    let total = |first: usize, last: usize| (first..last).map(|index| width_of(index) + 1).sum::<usize>();
    if total(0, count) <= room + 1 {
        return (0, count);
    }
    let room = room.saturating_sub(6);
    let (mut first, mut last) = (seen, (seen + 1).min(count));
    loop {
        if last < count && total(first, last + 1) <= room + 1 {
            last += 1;
        } else if first > 0 && total(first - 1, last) <= room + 1 {
            first -= 1;
        } else {
            return (first, last);
        }
    }
}
