//! Cards: as compact boxes, as lines of a list, as names, and in full detail.

use super::scene::Scene;
use super::state::Ui;
use super::text::{Lines, clip, fill, fit, flow, pad, width, wrap};
use super::theme::Theme;
use crate::engine::{CardView, PlayerView, Seat, Target};
use crate::play::words::{brief, is_text, says_nothing};
use ratatui::style::{Modifier, Style};
use ratatui::text::{Line, Span};
use std::collections::BTreeSet;

/// Most cells of a name in a column of names.
const LONGEST_NAME: usize = 28;

/// Which cards stand out on the table.
pub(super) struct Marks {
    /// The card that is pointed at.
    pub chosen: Option<u32>,
    /// Cards that options point at.
    pub legal: BTreeSet<u32>,
    /// The player that is pointed at.
    pub player: Option<Seat>,
    /// How marks look.
    pub theme: Theme,
}

impl Marks {
    /// The marks of a scene in which options are listed.
    pub(super) fn new(ui: &Ui, scene: &Scene, theme: Theme) -> Self {
        let player = match ui.target(scene) {
            Target::Player(seat) => Some(seat),
            _ => None,
        };
        let listed = ui.listed(scene);
        let targets = listed.iter().filter_map(|index| scene.options().get(*index)).map(|option| option.target);
        let legal = targets.filter_map(|target| match target {
            Target::Entity(handle) => Some(handle),
            _ => None,
        });
        Marks { chosen: ui.pointed(scene), legal: legal.collect(), player, theme }
    }

    fn is_chosen(&self, card: &CardView) -> bool {
        self.chosen == Some(card.handle)
    }

    /// The card's name, marked.
    fn name(&self, card: &CardView, room: usize) -> Span<'static> {
        let (name, style) = self.called(card);
        Span::styled(clip(&name, room), style)
    }

    /// The card's name over as many lines as it needs.
    fn names(&self, card: &CardView, room: usize) -> Vec<Span<'static>> {
        let (name, style) = self.called(card);
        wrap(&name, room).into_iter().map(|line| Span::styled(line, style)).collect()
    }

    fn called(&self, card: &CardView) -> (String, Style) {
        if self.is_chosen(card) {
            (card.name.clone(), self.theme.chosen())
        } else if self.legal.contains(&card.handle) {
            (format!("•{}", card.name), self.theme.legal())
        } else {
            (card.name.clone(), self.theme.title())
        }
    }
}

/// Properties of a player or of the game, name before value; `no` and nothing go unsaid.
pub(super) fn spelled(props: &[(String, String)], theme: Theme) -> Vec<Vec<Span<'static>>> {
    let told = props.iter().filter(|(_, value)| !says_nothing(value));
    let spans = told.map(|(name, value)| match value.as_str() {
        "yes" | "true" => vec![Span::styled(name.clone(), theme.title())],
        _ => vec![Span::styled(format!("{name} "), theme.dim()), Span::styled(value.clone(), theme.title())],
    });
    spans.collect()
}

/// What is told of a player: the lines of its look, then its properties.
pub(super) fn told(player: &PlayerView, theme: Theme) -> Vec<Vec<Span<'static>>> {
    let lines = player.lines.iter().map(|line| vec![Span::styled(line.clone(), theme.title())]);
    lines.chain(spelled(&player.props, theme)).collect()
}

/// Values of a card as small pieces: printed fields, then what differs from them, then markers.
fn tokens(card: &CardView, marks: &Marks) -> Vec<Vec<Span<'static>>> {
    let fields = card.fields.iter().filter(|field| !is_text(field)).filter_map(brief);
    let fields = fields.map(|text| vec![Span::raw(text)]);
    let props = card.props.iter().filter_map(brief);
    let props = props.map(|text| vec![Span::styled(text, marks.theme.changed())]);
    let markers =
        card.markers.iter().map(|marker| vec![Span::styled(format!("◆{marker}"), marks.theme.marker(marker))]);
    props.chain(markers).chain(fields).collect()
}

/// The rules text of a card: every long field.
pub(super) fn texts(card: &CardView) -> Vec<&str> {
    card.fields.iter().filter(|field| is_text(field) && !field.1.is_empty()).map(|field| field.1.as_str()).collect()
}

/// How a card's box is to be.
pub(super) struct Shape {
    /// Cells from border to border.
    pub wide: usize,
    /// Lines between the borders.
    pub rows: usize,
    /// Whether the card's rules text is on it.
    pub text: bool,
}

/// A card as a box, with the names of the cards linked to it at the bottom.
pub(super) fn boxed(card: &CardView, riders: &[&CardView], shape: &Shape, edge: Style, marks: &Marks) -> Lines {
    let room = shape.wide.saturating_sub(2);
    let chosen = marks.is_chosen(card);
    let corners =
        if chosen { ["┏", "━", "┓", "┃", "┗", "┛"] } else { ["╭", "─", "╮", "│", "╰", "╯"] };
    let [top_left, flat, top_right, side, bottom_left, bottom_right] = corners;
    let edge = if chosen { edge.add_modifier(Modifier::BOLD) } else { edge };
    let bar = |text: String| Span::styled(text, edge);
    let mut names = marks.names(card, room).into_iter();
    let name = names.next().unwrap_or_default();
    let free = room.saturating_sub(name.width());
    let gap = if free > 1 { " " } else { "" };
    let rest = flat.repeat(free.saturating_sub(2 * gap.len()));
    let mut lines =
        vec![Line::from(vec![bar(format!("{top_left}{gap}")), name, bar(format!("{gap}{rest}{top_right}"))])];
    for line in inside(card, riders, names.map(Line::from).collect(), room, shape, marks) {
        let mut spans = vec![bar(side.to_owned())];
        spans.extend(fill(line, room).spans);
        spans.push(bar(side.to_owned()));
        lines.push(Line::from(spans));
    }
    lines.push(Line::from(bar(format!("{bottom_left}{}{bottom_right}", flat.repeat(room)))));
    lines
}

/// What stands in a box: the rest of a long name, values, words, and what is linked to the card.
fn inside(card: &CardView, riders: &[&CardView], name: Lines, room: usize, shape: &Shape, marks: &Marks) -> Lines {
    let mut linked: Lines = riders.iter().map(|rider| rider_line(rider, room, marks)).collect();
    linked.truncate(shape.rows);
    let above = shape.rows - linked.len();
    let mut lines = name;
    lines.extend(flow(tokens(card, marks), room, " "));
    if shape.text {
        let words = texts(card).into_iter().flat_map(|text| wrap(text, room));
        lines.extend(words.map(|line| Line::styled(line, marks.theme.dim())));
    }
    if lines.len() > above {
        lines.truncate(above);
        if let Some(last) = lines.last_mut() {
            let text = pad(&format!("{last} …"), room);
            if let Some(span) = last.spans.last_mut() {
                let style = span.style;
                *last = Line::styled(text.trim_end().to_owned(), style);
            }
        }
    }
    lines.resize(above, Line::default());
    lines.extend(linked);
    lines
}

fn rider_line(rider: &CardView, room: usize, marks: &Marks) -> Line<'static> {
    let mut spans = vec![Span::styled("└", marks.theme.dim()), marks.name(rider, room.saturating_sub(1))];
    spans.extend(rider.markers.iter().map(|marker| Span::styled(format!(" ◆{marker}"), marks.theme.marker(marker))));
    fit(Line::from(spans), room)
}

/// How many lines a card needs inside a box of that width, with or without its rules text.
pub(super) fn rows_needed(card: &CardView, riders: &[&CardView], wide: usize, text: bool, marks: &Marks) -> usize {
    let room = wide.saturating_sub(2);
    let words = texts(card).into_iter().filter(|_| text).map(|text| wrap(text, room).len()).sum::<usize>();
    let name = marks.names(card, room).len().saturating_sub(1);
    name + flow(tokens(card, marks), room, " ").len() + words + riders.len()
}

/// How many cells the name takes in a column of names; so wide a name leaves room for some values.
pub(super) fn name_width(card: &CardView, room: usize) -> usize {
    width(&card.name).min(LONGEST_NAME.max(room * 2 / 3))
}

/// A card on one line: its name in a column of its own, its values and its riders.
pub(super) fn line(card: &CardView, riders: &[&CardView], column: usize, room: usize, marks: &Marks) -> Line<'static> {
    let name = marks.name(card, column + 1);
    let gap = (column + 1).saturating_sub(name.width());
    let mut spans = vec![Span::raw("  "), name, Span::raw(" ".repeat(gap))];
    for token in tokens(card, marks) {
        spans.push(Span::raw(" "));
        spans.extend(token);
    }
    for rider in riders {
        spans.push(Span::styled(" └", marks.theme.dim()));
        spans.push(marks.name(rider, room));
    }
    fit(Line::from(spans), room)
}

/// A card in as few cells as can be: its name, what differs on it, and its riders' names.
pub(super) fn chip(card: &CardView, riders: &[&CardView], marks: &Marks) -> Vec<Span<'static>> {
    let mut spans = vec![marks.name(card, 24)];
    for text in card.props.iter().filter_map(brief) {
        spans.push(Span::styled(format!(" {text}"), marks.theme.changed()));
    }
    for rider in riders {
        spans.push(Span::styled(" └", marks.theme.dim()));
        spans.push(marks.name(rider, 20));
    }
    spans
}

/// Everything the viewer may know of a card.
pub(super) fn details(scene: &Scene, card: &CardView, room: usize, theme: Theme) -> Lines {
    let mut head = vec![Span::styled(card.name.clone(), theme.title())];
    if card.kind != card.name {
        head.push(Span::styled(format!("  {}", card.kind), theme.dim()));
    }
    if let Some(owner) = card.owner {
        let name = scene.name(owner).to_owned();
        head.push(Span::styled(format!("  {name}"), theme.seat(owner, &name)));
    }
    let mut lines = vec![fit(Line::from(head), room)];
    let short = card.fields.iter().filter(|field| !is_text(field));
    let short =
        short.map(|(name, value)| vec![Span::styled(format!("{name} "), theme.dim()), Span::raw(value.clone())]);
    lines.extend(flow(short.collect(), room, "  "));
    let now = card.props.iter().map(|(name, value)| {
        vec![Span::styled(format!("{name} "), theme.dim()), Span::styled(value.clone(), theme.changed())]
    });
    let markers = card.markers.iter().map(|marker| vec![Span::styled(format!("◆{marker}"), theme.marker(marker))]);
    let now: Vec<_> = now.chain(markers).collect();
    if !now.is_empty() {
        let now = std::iter::once(vec![Span::styled("now", theme.dim())]).chain(now);
        lines.extend(flow(now.collect(), room, "  "));
    }
    for text in texts(card) {
        lines.extend(wrap(text, room).into_iter().map(Line::raw));
    }
    if let Some(host) = card.host.and_then(|host| scene.card(host)) {
        lines.push(fit(Line::from(vec![Span::styled("linked to ", theme.dim()), Span::raw(host.name.clone())]), room));
    }
    for rider in scene.riders(card.handle) {
        lines.push(fit(Line::from(vec![Span::styled("└ ", theme.dim()), Span::raw(rider.name.clone())]), room));
    }
    lines
}
