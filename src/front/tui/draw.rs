//! The whole screen from a scene and the state of the screen. Drawing changes nothing and reads nothing else.

use super::board::{self, Spots};
use super::cards::{self, Marks};
use super::keys;
use super::log;
use super::options;
use super::scene::{Notice, Scene};
use super::state::{Focus, Popup, Stage, Ui};
use super::table;
use super::text::{Lines, fill, wrap};
use super::theme::Theme;
use crate::base::is_unseen;
use crate::engine::{Seat, Target};
use crate::front::workshop::HELP;
use ratatui::Frame;
use ratatui::layout::{Alignment, Constraint, Layout, Rect};
use ratatui::style::Style;
use ratatui::text::{Line, Span, Text};
use ratatui::widgets::{Block, BorderType, Borders, Clear, Paragraph};

/// Fewest columns and rows on which a game can be shown.
const SMALLEST: (u16, u16) = (64, 20);

/// Draws the screen. What nobody would see in a cell is a `?` in it.
pub fn draw(frame: &mut Frame, ui: &Ui, scene: &Scene, theme: Theme) {
    draw_all(frame, ui, scene, theme);
    for cell in &mut frame.buffer_mut().content {
        if cell.symbol().chars().any(is_unseen) {
            cell.set_symbol("?");
        }
    }
}

fn draw_all(frame: &mut Frame, ui: &Ui, scene: &Scene, theme: Theme) {
    let area = frame.area();
    if area.width < SMALLEST.0 || area.height < SMALLEST.1 {
        return too_small(frame, area, ui);
    }
    let notice = scene.notice.as_ref().map_or(0, |notice| notice_height(notice, area));
    let rows = [Constraint::Length(1), Constraint::Min(1), Constraint::Length(notice), Constraint::Length(1)];
    let [top, body, told, bottom] = Layout::vertical(rows).areas(area);
    top_bar(frame, top, scene, theme);
    frame.render_widget(
        Paragraph::new(keys::hints(ui, scene, theme, usize::from(bottom.width))).style(theme.bar()),
        bottom,
    );
    if let Some(notice) = &scene.notice {
        notice_area(frame, told, notice, theme);
    }
    match ui.stage {
        Stage::HandOver(seat) => hand_over(frame, body, scene, seat, theme),
        _ => {
            let right = match area.width {
                ..90 => 34,
                90..120 => 39,
                _ => 50,
            };
            let [left, side] = Layout::horizontal([Constraint::Min(1), Constraint::Length(right)]).areas(body);
            let left = Rect { width: left.width.saturating_sub(1), ..left };
            left_side(frame, left, ui, scene, theme);
            right_side(frame, side, ui, scene, theme);
        }
    }
    if ui.stage == Stage::Over && ui.popup.is_none() {
        popup(frame, body, "The game is over", log::result(scene, theme), 0, theme);
    }
    match ui.popup {
        Some(Popup::Help) => popup(frame, body, "Keys", keys::help(popup_room(body), theme), ui.scroll, theme),
        Some(Popup::Why) => {
            let room = usize::from(body.width.saturating_sub(8)).min(88);
            popup(frame, body, "Why not?", options::refusals(scene, room, theme), ui.scroll, theme);
        }
        Some(Popup::Cause) => {
            let room = usize::from(body.width.saturating_sub(8)).min(88);
            let lines = ui.cause.iter().flat_map(|line| wrap(line, room)).map(Line::raw).collect();
            popup(frame, body, "Why did this happen?", lines, ui.scroll, theme);
        }
        Some(Popup::Value) => {
            let room = usize::from(body.width.saturating_sub(8)).min(100);
            popup(frame, body, "What it is made of", value_lines(ui, room, theme), ui.scroll, theme);
        }
        Some(Popup::Workshop) => {
            let room = usize::from(body.width.saturating_sub(8)).min(100);
            popup(frame, body, "Workshop", workshop_lines(ui, room, theme), ui.scroll, theme);
        }
        Some(Popup::Quit) => {
            popup(frame, body, "Leave", leaving(scene, theme), 0, theme);
        }
        Some(Popup::Tests) => {
            let room = usize::from(body.width.saturating_sub(8)).min(100);
            let lines = scene.tests.iter().flat_map(|tests| &tests.lines);
            let whole = |line: &String| super::text::width(line) <= room;
            let lines = lines.flat_map(|line| if whole(line) { vec![line.clone()] } else { wrap(line, room) });
            let lines = lines.map(Line::raw).collect();
            popup(frame, body, "Tests", lines, ui.scroll, theme);
        }
        Some(Popup::Save) => {
            let file = Line::from(vec![Span::styled("file: ", theme.key()), Span::raw(format!("{}▏", ui.asked))]);
            let keys = Line::styled("Enter saves every decision there from now on; Esc closes this", theme.dim());
            popup(frame, body, "Save", vec![file, Line::default(), keys], 0, theme);
        }
        None => {}
    }
}

/// Columns for the text of a popup.
fn popup_room(body: Rect) -> usize {
    usize::from(body.width.saturating_sub(4))
}

/// What leaving means.
fn leaving(scene: &Scene, theme: Theme) -> Lines {
    let mut lines = vec![Line::raw("Leave the game?"), Line::default()];
    let mut keys = "y or Enter: leave   n or Esc: stay".to_owned();
    match &scene.saved {
        Some(file) => lines.push(Line::styled(format!("It is saved in `{file}`."), theme.dim())),
        None if scene.unsaved() => {
            lines.push(Line::styled("The game is not saved.", theme.warn()));
            keys = format!("s: save it   {keys}");
        }
        None => {}
    }
    lines.push(Line::raw(keys));
    lines
}

/// A value's parts, their places dimmed, and the line to ask for another one.
fn value_lines(ui: &Ui, room: usize, theme: Theme) -> Lines {
    let line = |text: &String| {
        let (told, place) =
            text.split_once("  [").map_or((text.as_str(), ""), |(told, place)| (told, place.trim_end_matches(']')));
        let free = room.saturating_sub(super::text::width(told) + 2);
        let place = if super::text::width(place) <= free { place } else { place.rsplit('/').next().unwrap_or(place) };
        let head = if text.starts_with(' ') { Style::new() } else { theme.title() };
        let spans = vec![Span::styled(told.to_owned(), head), Span::styled(format!("  {place}"), theme.dim())];
        super::text::fit(Line::from(spans), room)
    };
    let mut lines: Lines = ui.cause.iter().map(line).collect();
    lines.push(Line::default());
    lines.push(Line::from(vec![Span::styled("why: ", theme.key()), Span::raw(format!("{}▏", ui.asked))]));
    lines.push(Line::styled("a value, or a value of a player or card, and Enter; Esc closes this", theme.dim()));
    lines
}

/// What can be typed in the workshop, what was wrong with the last line, and the line that is being typed.
fn workshop_lines(ui: &Ui, room: usize, theme: Theme) -> Lines {
    let mut lines = Lines::new();
    let column = HELP.iter().map(|(usage, _)| usage.len()).max().unwrap_or(0) + 2;
    for (usage, what) in HELP.iter().chain([&("look", "your own view again")]) {
        for (row, what) in wrap(what, room.saturating_sub(column)).into_iter().enumerate() {
            let usage = if row == 0 { *usage } else { "" };
            lines.push(Line::from(vec![Span::styled(format!("{usage:<column$}"), theme.key()), Span::raw(what)]));
        }
    }
    lines.push(Line::default());
    lines.extend(ui.cause.iter().flat_map(|line| wrap(line, room)).map(|line| Line::styled(line, theme.warn())));
    lines.push(Line::from(vec![Span::styled(": ", theme.key()), Span::raw(format!("{}▏", ui.asked))]));
    lines.push(Line::styled("Enter does it, ↑ brings the last line back, Esc closes this", theme.dim()));
    lines
}

fn too_small(frame: &mut Frame, area: Rect, ui: &Ui) {
    let text = if ui.popup == Some(Popup::Quit) {
        "Leave the game? y or n".to_owned()
    } else {
        format!(
            "This window is {}×{}; the game needs at least {}×{}. Make it larger, or press q to leave and play with \
             --plain.",
            area.width, area.height, SMALLEST.0, SMALLEST.1
        )
    };
    let lines: Lines = wrap(&text, usize::from(area.width)).into_iter().map(Line::raw).collect();
    frame.render_widget(Paragraph::new(lines), area);
}

fn top_bar(frame: &mut Frame, area: Rect, scene: &Scene, theme: Theme) {
    let mut spans = vec![Span::styled(format!(" {} ", scene.title), theme.title())];
    if scene.view.round > 0 {
        spans.push(Span::raw(format!("  round {}", scene.view.round)));
    }
    if let (Some(mover), None) = (scene.view.mover, &scene.view.outcome) {
        let name = scene.name(mover).to_owned();
        spans.push(Span::raw("  turn of "));
        spans.push(Span::styled(name.clone(), theme.seat(mover, &name)));
    }
    let telling = scene.view.game.iter().filter(|(_, value)| value != "yes").cloned().collect::<Vec<_>>();
    for prop in cards::spelled(&telling, theme) {
        spans.push(Span::raw("  "));
        spans.extend(prop.into_iter().map(|span| span.style(Style::new())));
    }
    frame.render_widget(Paragraph::new(Line::from(spans)).style(theme.bar()), area);
    let seen = match scene.view.seat {
        _ if scene.open => "nothing hidden  ".to_owned(),
        Some(seat) => format!("seen by {}  ", scene.name(seat)),
        None => "seen by all  ".to_owned(),
    };
    let right = format!("{seen}seed {} ", scene.seed);
    if let Some(tests) = &scene.tests {
        let text = format!(" T: {}  ", tests.short);
        let wide = u16::try_from(text.chars().count() + right.len()).unwrap_or(0).min(area.width);
        let place = Rect { x: area.right() - wide, width: wide, ..area };
        let style = if tests.bad { theme.warn() } else { theme.bar() };
        frame.render_widget(Paragraph::new(Line::styled(text, style)).style(theme.bar()), place);
    }
    let wide = u16::try_from(right.len()).unwrap_or(0).min(area.width);
    let corner = Rect { x: area.right() - wide, width: wide, ..area };
    frame.render_widget(Paragraph::new(right).style(theme.bar()), corner);
}

fn notice_height(notice: &Notice, area: Rect) -> u16 {
    let lines = u16::try_from(notice.text.lines().count()).unwrap_or(u16::MAX);
    lines.saturating_add(2).min(area.height * 45 / 100)
}

fn notice_area(frame: &mut Frame, area: Rect, notice: &Notice, theme: Theme) {
    let keys = if notice.offer { " c goes on from there, x puts this away " } else { " x puts this away " };
    let block = Block::new()
        .borders(Borders::ALL)
        .border_type(BorderType::Rounded)
        .border_style(if notice.error { theme.warn() } else { theme.legal() })
        .title(match (notice.error, notice.offer) {
            (true, _) => " Something is wrong ",
            (false, true) => " Content changed ",
            (false, false) => " Note ",
        })
        .title_bottom(Line::from(keys).right_aligned());
    let inner = block.inner(area);
    frame.render_widget(Clear, area);
    frame.render_widget(block, area);
    frame.render_widget(Paragraph::new(log::notice(notice, usize::from(inner.width), theme)), inner);
}

fn hand_over(frame: &mut Frame, area: Rect, scene: &Scene, seat: Seat, theme: Theme) {
    let name = scene.name(seat).to_owned();
    let lines = vec![
        Line::from(vec![
            Span::raw("Pass the keyboard to "),
            Span::styled(name.clone(), theme.seat(seat, &name).patch(theme.title())),
            Span::raw("."),
        ]),
        Line::default(),
        Line::raw(format!("{name}, press Enter when nobody else looks.")),
    ];
    popup(frame, area, "Next player", lines, 0, theme);
}

/// A line with a title in it.
fn rule(title: &str, room: usize, style: Style, theme: Theme) -> Line<'static> {
    let line = Line::from(vec![Span::styled("── ", theme.border()), Span::styled(title.to_owned(), style)]);
    let gap = room.saturating_sub(line.width() + 1);
    let mut line = super::text::fit(line, room);
    line.push_span(Span::styled(format!(" {}", "─".repeat(gap)), theme.border()));
    line
}

fn left_side(frame: &mut Frame, area: Rect, ui: &Ui, scene: &Scene, theme: Theme) {
    let marks = Marks::new(ui, scene, theme);
    let tall = if scene.hands().next().is_none() {
        0
    } else if scene.hands().all(|zone| zone.cards.is_empty()) {
        2
    } else {
        match area.height {
            ..26 => 6,
            26..34 => 8,
            _ => 11,
        }
    };
    let glance = glance(scene, usize::from(area.width), theme);
    let rows = u16::try_from(glance.len()).unwrap_or(0).min(area.height / 4);
    let tall = tall + grown(scene, &marks, Rect { height: area.height - rows, ..area }, tall);
    let rows = [Constraint::Length(rows), Constraint::Min(1), Constraint::Length(tall)];
    let [top, above, below] = Layout::vertical(rows).areas(area);
    frame.render_widget(Paragraph::new(glance), top);
    let room = usize::from(above.width);
    let sheet = if scene.has_board() {
        let needed = table::sheet(scene, &marks, room, 0).lines.len();
        let needed = u16::try_from(needed).unwrap_or(above.height).min(above.height / 3);
        let [upper, lower] = Layout::vertical([Constraint::Min(1), Constraint::Length(needed)]).areas(above);
        boards(frame, upper, ui, scene, theme);
        lower
    } else {
        above
    };
    table_area(frame, sheet, scene, &marks);
    if tall > 0 {
        hand_area(frame, below, scene, &marks);
    }
}

/// How many rows the hand has besides its own: where it is a list, one for each card, if the table still fits above it.
fn grown(scene: &Scene, marks: &Marks, area: Rect, own: u16) -> u16 {
    let mut hands = scene.hands();
    let (Some(hand), None, false) = (hands.next(), hands.next(), scene.has_board()) else { return 0 };
    let room = usize::from(area.width);
    let most = usize::from((area.height * 2 / 5).saturating_sub(own));
    let wanted = table::hand_grows(hand, room, usize::from(own.saturating_sub(1)));
    let left = usize::from(area.height.saturating_sub(own)).saturating_sub(wanted);
    let fits = wanted <= most && table::sheet(scene, marks, room, left).lines.len() <= left;
    u16::try_from(wanted).ok().filter(|_| fits).unwrap_or(0)
}

/// What the look of the game tells in a glance.
fn glance(scene: &Scene, room: usize, theme: Theme) -> Lines {
    let lines = scene.view.lines.iter().flat_map(|line| wrap(line, room.saturating_sub(2)));
    lines.map(|line| Line::from(vec![Span::raw(" "), Span::styled(line, theme.changed())])).collect()
}

fn table_area(frame: &mut Frame, area: Rect, scene: &Scene, marks: &Marks) {
    let sheet = table::sheet(scene, marks, usize::from(area.width), usize::from(area.height));
    let tall = usize::from(area.height);
    let hidden = sheet.lines.len().saturating_sub(tall);
    let seen = sheet.focus.unwrap_or(sheet.lines.len());
    let first = if hidden == 0 { 0 } else { seen.saturating_sub(tall / 2).min(hidden) };
    let mut lines: Lines = sheet.lines.into_iter().skip(first).take(tall).collect();
    let more = |count: usize| Line::styled(format!("⋮ {count} more lines"), marks.theme.key());
    let below = hidden - first;
    if let (true, Some(line)) = (first > 0, lines.first_mut()) {
        *line = more(first + 1);
    }
    if let (true, Some(line)) = (below > 0, lines.last_mut()) {
        *line = more(below + 1);
    }
    frame.render_widget(Paragraph::new(lines), area);
}

fn hand_area(frame: &mut Frame, area: Rect, scene: &Scene, marks: &Marks) {
    let room = usize::from(area.width);
    let seat = scene.view.seat.unwrap_or(0);
    let edge = marks.theme.seat(seat, scene.name(seat));
    let zones: Vec<_> = scene.hands().collect();
    let rows = Layout::vertical(vec![Constraint::Fill(1); zones.len()]).split(area);
    for (zone, row) in zones.into_iter().zip(rows.iter()) {
        let title = format!("your {}: {}", zone.name, zone.count);
        let mut lines = vec![rule(&title, room, edge.patch(marks.theme.title()), marks.theme)];
        lines.extend(table::hand(zone, marks, room, usize::from(row.height.saturating_sub(1)), edge));
        frame.render_widget(Paragraph::new(lines), *row);
    }
}

fn boards(frame: &mut Frame, area: Rect, ui: &Ui, scene: &Scene, theme: Theme) {
    let listed = ui.listed(scene);
    let targets = listed.iter().filter_map(|index| scene.options().get(*index)).map(|option| option.target);
    let legal = targets.filter_map(|target| scene.spot(target)).collect();
    let spots = Spots { cursor: ui.cursor(scene), legal, last: ui.last.clone() };
    let rooms = board_rooms(area, scene.view.boards.len());
    for ((index, board), room) in scene.view.boards.iter().enumerate().zip(rooms) {
        let name = (scene.view.boards.len() > 1).then_some(&board.name);
        let title = board.title.as_ref().or(name).filter(|title| **title != scene.title);
        let [head, room] =
            Layout::vertical([Constraint::Length(u16::from(title.is_some())), Constraint::Min(1)]).areas(room);
        if let Some(title) = title {
            frame.render_widget(Paragraph::new(Line::styled(title.clone(), theme.title()).centered()), head);
        }
        board_area(frame, room, scene, index, &spots, theme);
    }
}

/// Room for so many boards, in rows and columns in which each is as large as can be.
fn board_rooms(area: Rect, count: usize) -> Vec<Rect> {
    let count = u16::try_from(count).unwrap_or(u16::MAX).max(1);
    let least = |columns: u16| (area.width / columns / 2).min(area.height / count.div_ceil(columns));
    let columns = (1..=count).rev().max_by_key(|columns| least(*columns)).unwrap_or(1);
    let rows = Layout::vertical(vec![Constraint::Fill(1); usize::from(count.div_ceil(columns))]).split(area);
    let across = |row: &Rect| {
        Layout::horizontal(vec![Constraint::Fill(1); usize::from(columns)])
            .split(*row)
            .iter()
            .copied()
            .collect::<Vec<_>>()
    };
    rows.iter().flat_map(across).collect()
}

/// Draws a board into its room, moved so that the cursor is seen.
fn board_area(frame: &mut Frame, area: Rect, scene: &Scene, index: usize, spots: &Spots, theme: Theme) {
    let room = (usize::from(area.width), usize::from(area.height));
    let picture = board::picture(scene, index, spots, theme, room);
    let wide = picture.lines.iter().map(Line::width).max().unwrap_or(0);
    let tall = picture.lines.len();
    let (line, column) = picture.cursor.unwrap_or((tall / 2, wide / 2));
    let down = line.saturating_sub(room.1 / 2).min(tall.saturating_sub(room.1));
    let right = column.saturating_sub(room.0 / 2).min(wide.saturating_sub(room.0));
    let shift = |free: usize| u16::try_from(free / 2).unwrap_or(0);
    let (x, y) = (shift(room.0.saturating_sub(wide)), shift(room.1.saturating_sub(tall)));
    let place = Rect { x: area.x + x, y: area.y + y, width: area.width - x, height: area.height - y };
    let scroll = (u16::try_from(down).unwrap_or(0), u16::try_from(right).unwrap_or(0));
    frame.render_widget(Paragraph::new(picture.lines).scroll(scroll), place);
}

fn right_side(frame: &mut Frame, area: Rect, ui: &Ui, scene: &Scene, theme: Theme) {
    let block = Block::new().borders(Borders::LEFT).border_style(theme.border());
    let area_in = block.inner(area);
    frame.render_widget(block, area);
    let room = usize::from(area_in.width).saturating_sub(1);
    let tall = usize::from(area_in.height);
    let question = options::question(scene, room, theme);
    let details = detail_lines(ui, scene, room, theme);
    let most = (tall * 45 / 100).max(8);
    let told = 2 * usize::from(scene.view.window.is_some());
    let listed = scene.options().len() + options::wrapped(ui, scene, room.saturating_sub(1));
    let wanted = if scene.decision().is_some() { 1 + question.len() + listed } else { 5 + told };
    let upper = wanted.min(most);
    let middle = if details.is_empty() { 0 } else { (1 + details.len()).min(tall.saturating_sub(upper + 4)) };
    let heights = [upper, middle].map(|height| u16::try_from(height).unwrap_or(u16::MAX));
    let [first, second, third] =
        Layout::vertical([Constraint::Length(heights[0]), Constraint::Length(heights[1]), Constraint::Min(4)])
            .areas(area_in);
    option_panel(frame, first, ui, scene, question, theme);
    let card_title = if ui.focus == Focus::Table { "details ◂" } else { "details" };
    panel(frame, second, card_title, ui.focus == Focus::Table, details, theme);
    let title = match (ui.focus, ui.log_back) {
        (Focus::Log, _) => "log ◂",
        (_, 0) => "log",
        _ => "log (earlier)",
    };
    let lines = log::lines(ui, scene, room, usize::from(third.height.saturating_sub(1)), theme);
    panel(frame, third, title, ui.focus == Focus::Log, lines, theme);
}

fn panel(frame: &mut Frame, area: Rect, title: &str, focused: bool, body: Lines, theme: Theme) {
    let room = usize::from(area.width);
    let mut lines = vec![rule(title, room, if focused { theme.key() } else { theme.title() }, theme)];
    lines.extend(body.into_iter().map(|line| {
        let mut spans = vec![Span::raw(" ")];
        spans.extend(line.spans.into_iter().map(|span| span.patch_style(line.style)));
        Line::from(spans)
    }));
    frame.render_widget(Paragraph::new(lines), area);
}

fn option_panel(frame: &mut Frame, area: Rect, ui: &Ui, scene: &Scene, question: Lines, theme: Theme) {
    let room = usize::from(area.width).saturating_sub(1);
    let mut lines = question;
    let title = match scene.decision() {
        None => {
            lines = options::waiting(ui, scene, room, theme);
            "waiting".to_owned()
        }
        Some(_) => {
            let left = usize::from(area.height).saturating_sub(1 + lines.len());
            lines.extend(options::list(ui, scene, room, left.max(1), theme));
            let (shown, all) = (ui.listed(scene).len(), scene.options().len());
            if ui.filtering || !ui.filter.is_empty() {
                format!("find: {}▏ {shown} of {all}", ui.filter)
            } else if scene.spared {
                "nothing else is possible".to_owned()
            } else {
                format!("possible now: {all}")
            }
        }
    };
    let title = if ui.focus == Focus::Options && scene.decision().is_some() { format!("{title} ◂") } else { title };
    panel(frame, area, &title, ui.focus == Focus::Options, lines, theme);
}

/// The card that is pointed at; else the site; else nothing.
fn detail_lines(ui: &Ui, scene: &Scene, room: usize, theme: Theme) -> Lines {
    let mut lines = Lines::new();
    if let Some(spot) = ui.cursor(scene) {
        let board = scene.view.boards.get(spot.board);
        if let Some(site) = board.and_then(|board| board.sites.get(spot.site)) {
            let what = match site.pieces.len() {
                0 => "empty".to_owned(),
                1 => String::new(),
                count => format!("a stack of {count}"),
            };
            lines.push(Line::from(vec![
                Span::styled(site.name.clone(), theme.title()),
                Span::styled(format!("  {what}"), theme.dim()),
            ]));
        }
    }
    if let (Target::Player(seat), true) = (ui.target(scene), ui.focus != Focus::Table) {
        lines.extend(table::player_details(scene, seat, room, theme));
    }
    if let Some(card) = ui.pointed(scene).and_then(|handle| scene.card(handle)) {
        lines.extend(cards::details(scene, card, room, theme));
    }
    lines
}

fn popup(frame: &mut Frame, area: Rect, title: &str, lines: Lines, scroll: u16, theme: Theme) {
    let widest = lines.iter().map(Line::width).max().unwrap_or(0).max(title.len() + 4);
    let wide = u16::try_from(widest + 4).unwrap_or(u16::MAX).min(area.width);
    let tall = u16::try_from(lines.len() + 2).unwrap_or(u16::MAX).min(area.height);
    let place =
        Rect { x: area.x + (area.width - wide) / 2, y: area.y + (area.height - tall) / 2, width: wide, height: tall };
    let hidden = u16::try_from(lines.len()).unwrap_or(u16::MAX).saturating_sub(tall.saturating_sub(2));
    let more = if hidden > 0 { " ↑↓ scroll " } else { "" };
    let block = Block::new()
        .borders(Borders::ALL)
        .border_type(BorderType::Rounded)
        .title(Span::styled(format!(" {title} "), theme.title()))
        .title_alignment(Alignment::Center)
        .title_bottom(Line::from(more).right_aligned());
    let room = usize::from(wide.saturating_sub(4));
    let inner = block.inner(place);
    let inner = Rect { x: inner.x + 1, width: inner.width.saturating_sub(2), ..inner };
    frame.render_widget(Clear, place);
    frame.render_widget(block, place);
    let text: Vec<Line> = lines.into_iter().map(|line| fill(patched(line), room)).collect();
    frame.render_widget(Paragraph::new(Text::from(text)).scroll((scroll.min(hidden), 0)), inner);
}

/// The line with its own style moved into its parts, so that filling it does not spread it.
fn patched(line: Line<'static>) -> Line<'static> {
    let style = line.style;
    Line::from(
        line.spans.into_iter().map(|span| Span::styled(span.content, style.patch(span.style))).collect::<Vec<_>>(),
    )
}
