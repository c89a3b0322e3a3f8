//! What is possible now, and why the rest is not.

use super::scene::Scene;
use super::state::{Focus, Stage, Ui};
use super::text::{Lines, clip, fill, seconds, wrap};
use super::theme::Theme;
use crate::engine::Target;
use crate::play::position::describe_window;
use ratatui::text::{Line, Span};

/// The question, as lines.
pub(super) fn question(scene: &Scene, room: usize, theme: Theme) -> Lines {
    let Some(decision) = scene.decision() else { return Lines::new() };
    let mut lines: Lines =
        wrap(&decision.prompt, room).into_iter().map(|line| Line::styled(line, theme.title())).collect();
    for (name, value) in &decision.terms {
        let told = wrap(&format!("{name}: {value}"), room.saturating_sub(2));
        lines.extend(told.into_iter().enumerate().map(|(row, line)| {
            let sign = if row == 0 { "• " } else { "  " };
            Line::from(vec![Span::styled(sign, theme.dim()), Span::styled(line, theme.changed())])
        }));
    }
    if let Some(source) = &decision.source {
        lines.push(Line::styled(clip(&format!("from {source}"), room), theme.dim()));
    }
    if let Some(seat) = decision.seat.filter(|_| scene.offers()) {
        lines.push(Line::styled(clip(&format!("{} decides; meanwhile you may", scene.name(seat)), room), theme.dim()));
    }
    lines.extend(responses(scene, room, theme));
    lines
}

/// Who has passed in a window, and who is still to be asked.
fn responses(scene: &Scene, room: usize, theme: Theme) -> Lines {
    let told = scene.view.window.as_ref().map(|window| describe_window(window, |seat| scene.name(seat).to_owned()));
    let told = told.filter(|told| !told.is_empty()).unwrap_or_default();
    let parts = told.split("; ").filter(|part| !part.is_empty()).flat_map(|part| wrap(part, room));
    parts.map(|line| Line::styled(line, theme.dim())).collect()
}

/// How many lines more than one the chosen option takes, which is never cut.
pub(super) fn wrapped(ui: &Ui, scene: &Scene, room: usize) -> usize {
    let digits = scene.options().len().to_string().len();
    let chosen = scene.options().get(ui.chosen);
    chosen.map_or(0, |option| wrap(&option.label, room.saturating_sub(digits + 4)).len().saturating_sub(1))
}

/// The options that are listed, with their numbers; the list is moved so that the chosen one is seen.
pub(super) fn list(ui: &Ui, scene: &Scene, room: usize, tall: usize, theme: Theme) -> Lines {
    let listed = ui.listed(scene);
    if listed.is_empty() {
        return vec![Line::styled("nothing fits; Esc lists all", theme.dim())];
    }
    let at = listed.iter().position(|index| *index == ui.chosen).unwrap_or(0);
    let tall = tall.saturating_sub(wrapped(ui, scene, room)).max(1);
    let first = at.saturating_sub(tall / 2).min(listed.len().saturating_sub(tall));
    let digits = scene.options().len().to_string().len();
    let amount = scene.decision().is_some_and(|decision| !decision.numbered());
    let shown = listed.iter().skip(first).take(tall).enumerate();
    let lines = shown.filter_map(|(row, index)| {
        let option = scene.options().get(*index)?;
        let more = (row == 0 && first > 0) || (row + 1 == tall && first + tall < listed.len());
        let chosen = *index == ui.chosen;
        let number = if amount { String::new() } else { format!("{:>digits$}", index + 1) };
        let wide = room.saturating_sub(digits + 4);
        let labels = if chosen { wrap(&option.label, wide) } else { vec![clip(&option.label, wide)] };
        let sign = if more {
            "⋮ "
        } else if chosen {
            "▸ "
        } else {
            "  "
        };
        let seat = match option.target {
            Target::Player(seat) => theme.seat(seat, scene.name(seat)),
            _ => ratatui::style::Style::new(),
        };
        let style = match (chosen, ui.focus) {
            (true, Focus::Options) => theme.chosen(),
            (true, _) => theme.title(),
            _ => seat,
        };
        let blank = " ".repeat(number.len());
        let lines = labels.into_iter().enumerate().map(move |(row, label)| {
            let (sign, number) = if row == 0 { (sign, number.clone()) } else { ("  ", blank.clone()) };
            let line = Line::from(vec![
                Span::styled(sign, theme.key()),
                Span::styled(number, if chosen { theme.key() } else { theme.dim() }),
                Span::styled(format!(" {label} "), style),
            ]);
            fill(line, room)
        });
        Some(lines.collect::<Lines>())
    });
    lines.flatten().collect()
}

/// What the panel says while somebody else decides.
pub(super) fn waiting(ui: &Ui, scene: &Scene, room: usize, theme: Theme) -> Lines {
    if let Stage::Done(next) = ui.stage {
        let text = format!("Your part is done. Press Enter to hide your cards; then {} plays.", scene.name(next));
        return wrap(&text, room).into_iter().map(|line| Line::styled(line, theme.title())).collect();
    }
    let Some(seat) = scene.view.deciding else {
        let text =
            if scene.view.outcome.is_some() { "the game is over; Esc shows the result" } else { "nothing is asked" };
        return wrap(text, room).into_iter().map(|line| Line::styled(line, theme.dim())).collect();
    };
    if scene.passing {
        let text = "You pass until something new comes up.";
        return wrap(text, room).into_iter().map(|line| Line::styled(line, theme.dim())).collect();
    }
    let pause = if ui.pause == 0 { "no pause".to_owned() } else { format!("pause {}", seconds(ui.pause)) };
    let mut lines = vec![Line::from(vec![
        Span::styled(scene.title_of(seat), theme.seat(seat, scene.name(seat)).patch(theme.title())),
        Span::raw(" decides …"),
    ])];
    lines.extend(responses(scene, room, theme));
    if scene.bot {
        lines.extend(
            wrap(&format!("{pause} (+ longer, - shorter)"), room)
                .into_iter()
                .map(|line| Line::styled(line, theme.dim())),
        );
    }
    lines
}

/// What is not possible, why, and which line of content says so.
pub(super) fn refusals(scene: &Scene, room: usize, theme: Theme) -> Lines {
    if scene.refusals.is_empty() {
        let text = if scene.decision().is_some() {
            "Everything that this moment could offer is possible."
        } else {
            "You decide nothing now."
        };
        return wrap(text, room).into_iter().map(Line::raw).collect();
    }
    let mut lines = Lines::new();
    for why in &scene.refusals {
        if !lines.is_empty() {
            lines.push(Line::default());
        }
        lines.push(Line::styled(clip(&why.action, room), theme.title()));
        lines.extend(wrap(&why.reason, room.saturating_sub(2)).into_iter().map(|line| Line::raw(format!("  {line}"))));
        if !why.place.is_empty() {
            lines.push(Line::styled(clip(&format!("  {}", why.place), room), theme.dim()));
        }
        if !why.line.is_empty() {
            let line = clip(why.line.trim(), room.saturating_sub(4));
            lines.push(Line::from(vec![Span::styled("  │ ", theme.dim()), Span::styled(line, theme.key())]));
        }
    }
    lines
}
