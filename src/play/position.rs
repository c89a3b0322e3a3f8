//! A position as compact text: for line mode, failing scenarios and `options`.

use crate::engine::{BoardView, CardView, Decision, View, ZoneView};
use std::fmt::Write;

/// Everything a view shows, in a few lines.
pub fn describe(view: &View) -> String {
    let mut text = headline(view);
    for board in &view.boards {
        text.push_str(&draw_board(board, view));
    }
    for zone in &view.zones {
        let _ = writeln!(text, "{}", zone_line(zone));
    }
    for player in &view.players {
        let props = pairs(&player.props);
        let out = if player.playing { "" } else { " (out)" };
        let _ = writeln!(text, "{}{out}{}{props}", player.name, if props.is_empty() { "" } else { ": " });
        for zone in player.zones.iter().filter(|zone| zone.count > 0) {
            let _ = writeln!(text, "  {}", zone_line(zone));
        }
    }
    text
}

/// A decision's question and numbered options.
pub fn describe_decision(decision: &Decision, who: &str) -> String {
    let source = decision.source.as_ref().map(|source| format!(" [{source}]")).unwrap_or_default();
    let mut text = format!("{who}: {}{source}\n", decision.prompt);
    for (index, option) in decision.options.iter().enumerate() {
        let label = if option.label == option.key { String::new() } else { format!("  ({})", option.label) };
        let _ = writeln!(text, "{:>4}  {}{label}", index + 1, option.key);
    }
    text
}

fn headline(view: &View) -> String {
    let name = |seat: u8| view.players.get(usize::from(seat)).map_or("?", |player| player.name.as_str());
    let mut text = format!("turn {}", view.turns + u32::from(view.outcome.is_none()));
    if view.round > 0 {
        let _ = write!(text, ", round {}", view.round);
    }
    if let Some(mover) = view.mover {
        let _ = write!(text, ", {} on turn", name(mover));
    }
    if let Some(seat) = view.deciding.filter(|seat| Some(*seat) != view.mover) {
        let _ = write!(text, ", {} decides", name(seat));
    }
    if !view.game.is_empty() {
        let _ = write!(text, "; {}", pairs(&view.game));
    }
    text.push('\n');
    text
}

fn pairs(props: &[(String, String)]) -> String {
    props.iter().map(|(name, value)| format!("{name} {value}")).collect::<Vec<_>>().join(", ")
}

fn zone_line(zone: &ZoneView) -> String {
    if zone.cards.is_empty() {
        return format!("{}: {}", zone.name, zone.count);
    }
    let cards: Vec<String> = if zone.pile {
        zone.cards.iter().take(8).map(|card| card.name.clone()).collect()
    } else {
        zone.cards.iter().map(|card| card_words(card, &zone.cards)).collect()
    };
    let unseen = zone.count.saturating_sub(cards.len());
    let more = if unseen > 0 { format!(", {unseen} more") } else { String::new() };
    format!("{}: {}{more}", zone.name, cards.join(", "))
}

/// A card in words: name, what differs from its print, markers and what it is linked to.
pub fn card_words(card: &CardView, among: &[CardView]) -> String {
    let mut notes: Vec<String> = card.props.iter().map(|(name, value)| format!("{name} {value}")).collect();
    notes.extend(card.markers.iter().cloned());
    if let Some(host) = card.host.and_then(|host| among.iter().find(|other| other.handle == host)) {
        notes.push(format!("on {}", host.name));
    }
    if notes.is_empty() { card.name.clone() } else { format!("{} ({})", card.name, notes.join(", ")) }
}

fn draw_board(board: &BoardView, view: &View) -> String {
    let (columns, rows) = board.size();
    let cell = |column: usize, row: usize| board.sites.iter().find(|site| board.place(site) == (column, row));
    let words = |column: usize, row: usize| match cell(column, row) {
        None => String::new(),
        Some(site) => site.pieces.first().map_or(".".to_owned(), |piece| mark(piece, view)),
    };
    let width = board
        .sites
        .iter()
        .map(|site| board.place(site))
        .map(|(column, row)| words(column, row).chars().count())
        .max()
        .unwrap_or(1);
    let mut text = String::new();
    for row in (0..rows).rev() {
        let line: Vec<String> = (0..columns).map(|column| format!("{:<width$}", words(column, row))).collect();
        let name = (0..columns).find_map(|column| cell(column, row)).map_or("", |site| site.name.as_str());
        let _ = writeln!(text, "{:>6}  {}", name, line.join(" ").trim_end());
    }
    text
}

/// A few letters for a piece: its owner where it has one, and its name where that says more.
fn mark(piece: &CardView, view: &View) -> String {
    let owner = piece.owner.and_then(|seat| view.players.get(usize::from(seat)));
    let short = |text: &str| text.chars().take(2).collect::<String>();
    match owner {
        Some(player) if piece.name == piece.kind => short(&player.name),
        Some(player) => format!("{}{}", short(&player.name), short(&piece.name)),
        None => short(&piece.name),
    }
}
