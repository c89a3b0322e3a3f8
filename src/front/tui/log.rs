//! The log, the notice, and the result.

use super::cards;
use super::scene::{Notice, Scene};
use super::state::{Focus, Ui};
use super::text::{Lines, fill, wrap};
use super::theme::Theme;
use ratatui::text::{Line, Span};

/// The latest lines of the log that fit; what came after the viewer's last decision stands out.
pub(super) fn lines(ui: &Ui, scene: &Scene, room: usize, tall: usize, theme: Theme) -> Lines {
    if scene.log.is_empty() {
        return vec![Line::styled("nothing has happened yet", theme.dim())];
    }
    let mut shown = Lines::new();
    let told = scene.log.iter().enumerate().rev().skip(ui.log_back);
    for (index, told) in told {
        let fresh = index >= ui.seen;
        let asked = ui.focus == Focus::Log && index + 1 + ui.log_back == scene.log.len();
        let deep = usize::from(told.depth).min(3);
        let style = match (asked, fresh) {
            (true, _) => theme.chosen(),
            (_, true) => theme.seat_of(scene, &told.text),
            _ => theme.dim(),
        };
        if let Some(turn) = told.text.strip_prefix("-- ").filter(|_| !asked) {
            let gap = room.saturating_sub(3 + super::text::width(turn));
            let style = theme.seat_of(scene, turn);
            shown.push(Line::from(vec![
                Span::styled("─ ", theme.border()),
                Span::styled(turn.to_owned(), style),
                Span::styled(format!(" {}", "─".repeat(gap)), theme.border()),
            ]));
            continue;
        }
        let sign = if fresh && told.depth == 0 { "▸ " } else { "  " };
        let broken = wrap(&told.text.replace(" -> ", " → "), room.saturating_sub(2 + deep));
        for (part, text) in broken.into_iter().enumerate().rev() {
            let lead = if part == 0 { sign } else { "  " };
            let lead = format!("{lead}{}", " ".repeat(deep));
            shown.push(Line::from(vec![Span::styled(lead, theme.key()), Span::styled(text, style)]));
        }
        if shown.len() >= tall {
            break;
        }
    }
    shown.truncate(tall);
    shown.reverse();
    shown
}

impl Theme {
    /// The colour of the seat whose name a text begins with.
    fn seat_of(self, scene: &Scene, text: &str) -> ratatui::style::Style {
        let first = text.split_whitespace().next().unwrap_or("");
        let first = first.trim_end_matches("'s").trim_end_matches([':', ',']);
        let named = scene.view.players.iter().position(|player| player.name == first);
        let seat = named.and_then(|index| u8::try_from(index).ok());
        seat.map_or_else(ratatui::style::Style::new, |seat| self.seat(seat, first))
    }
}

/// A notice in full.
pub(super) fn notice(notice: &Notice, room: usize, theme: Theme) -> Lines {
    let style = if notice.error { theme.warn() } else { theme.legal() };
    let lines = notice.text.lines().enumerate();
    lines
        .map(|(index, line)| {
            let style = if index == 0 { style } else { ratatui::style::Style::new() };
            fill(Line::styled(line.replace('\t', "    "), style), room)
        })
        .collect()
}

/// The result: who won, and everybody's score and properties.
pub(super) fn result(scene: &Scene, theme: Theme) -> Lines {
    let Some(outcome) = &scene.view.outcome else { return Lines::new() };
    let winners: Vec<String> = outcome.winners.iter().map(|seat| scene.title_of(*seat)).collect();
    let headline = match (winners.as_slice(), scene.view.seat) {
        ([], _) if outcome.lost && scene.view.players.len() == 1 => "You have lost.".to_owned(),
        ([], _) if outcome.lost => "All have lost.".to_owned(),
        ([], _) => "A draw.".to_owned(),
        ([_], Some(own)) if outcome.winners.contains(&own) => format!("{} — you win!", scene.name(own)),
        ([one], _) => format!("{one} wins."),
        (several, _) => format!("{} win together.", several.join(" and ")),
    };
    let mut lines = vec![Line::styled(headline, theme.changed()), Line::default()];
    let widest = (0u8..).zip(&scene.view.players).map(|(seat, _)| super::text::width(&scene.title_of(seat))).max();
    for (seat, player) in (0u8..).zip(&scene.view.players) {
        let sign = if outcome.winners.contains(&seat) { "★ " } else { "  " };
        let name = super::text::pad(&scene.title_of(seat), widest.unwrap_or(0) + 2);
        let mut spans = vec![Span::raw(sign), Span::styled(name, theme.seat(seat, &player.name).patch(theme.title()))];
        let score = outcome.scores.as_ref().and_then(|scores| scores.get(usize::from(seat)));
        if let Some(score) = score {
            spans.push(Span::styled(format!("{score:>4} "), theme.title()));
        }
        if !player.playing && !outcome.winners.contains(&seat) {
            spans.push(Span::styled(" out", theme.warn()));
        }
        for prop in cards::told(player, theme) {
            spans.push(Span::raw("  "));
            spans.extend(prop.into_iter().map(|span| span.style(theme.dim())));
        }
        lines.push(Line::from(spans));
    }
    lines.push(Line::default());
    let (rounds, decisions) = (scene.view.round, scene.decisions);
    let rounds = if rounds > 0 { format!("{rounds} rounds, ") } else { String::new() };
    lines.push(Line::styled(format!("{rounds}{decisions} decisions, seed {}", scene.seed), theme.dim()));
    let saved = scene.saved.as_ref().map_or("not saved".to_owned(), |file| format!("saved in `{file}`"));
    lines.push(Line::styled(saved, theme.dim()));
    lines.push(Line::default());
    lines.push(Line::raw("Enter: leave   r: another game   s: save   Esc: look at the table"));
    lines
}
