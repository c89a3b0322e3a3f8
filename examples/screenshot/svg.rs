//! A terminal's cells as an SVG picture. Lines of boxes are drawn as paths, so that they join whatever font shows
//! the text.

use ratatui::buffer::{Buffer, Cell};
use ratatui::style::{Color, Modifier};
use std::fmt::Write;

/// Size of a cell, of the margin around all cells, and of the bar at the top, in pixels.
const CELL: (f64, f64) = (8.4, 18.0);
const MARGIN: f64 = 12.0;
const BAR: f64 = 30.0;

const BACKGROUND: &str = "#1b1d26";
const FOREGROUND: &str = "#d8dae5";

/// The picture, with a title in the bar of its window.
pub fn render(buffer: &Buffer, title: &str) -> String {
    let (columns, rows) = (buffer.area.width, buffer.area.height);
    let wide = f64::from(columns) * CELL.0 + 2.0 * MARGIN;
    let tall = f64::from(rows) * CELL.1 + BAR + MARGIN;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {wide:.0} {tall:.0}\" width=\"{wide:.0}\" \
         height=\"{tall:.0}\" font-family=\"'DejaVu Sans Mono','Menlo','Consolas','Liberation Mono',monospace\" \
         font-size=\"14\" xml:space=\"preserve\">\n\
         <rect width=\"100%\" height=\"100%\" rx=\"9\" fill=\"{BACKGROUND}\"/>\n"
    );
    for (index, color) in ["#ff5f57", "#febc2e", "#28c840"].iter().enumerate() {
        let x = 20.0 + 20.0 * index as f64;
        let _ = writeln!(svg, "<circle cx=\"{x}\" cy=\"15\" r=\"6\" fill=\"{color}\"/>");
    }
    let middle = wide / 2.0;
    let title = escape(title);
    let _ = writeln!(
        svg,
        "<text x=\"{middle:.0}\" y=\"20\" text-anchor=\"middle\" fill=\"#8b8fa3\" font-size=\"13\">{title}</text>"
    );
    for y in 0..rows {
        row(&mut svg, buffer, y, columns);
    }
    svg.push_str("</svg>\n");
    svg
}

/// One row: runs of equal background, then of equal style, then the lines of boxes.
fn row(svg: &mut String, buffer: &Buffer, y: u16, columns: u16) {
    let cells: Vec<&Cell> = (0..columns).filter_map(|x| buffer.cell((x, y))).collect();
    let top = BAR + f64::from(y) * CELL.1;
    for (start, run) in runs(&cells, |cell| colors(cell).1) {
        let fill = colors(run[0]).1;
        if fill != BACKGROUND {
            let (x, wide) = (left(start), run.len() as f64 * CELL.0);
            let _ = writeln!(
                svg,
                "<rect x=\"{x:.1}\" y=\"{top:.1}\" width=\"{wide:.1}\" height=\"{:.1}\" fill=\"{fill}\"/>",
                CELL.1
            );
        }
    }
    for (start, run) in runs(&cells, |cell| (colors(cell).0, heavy(cell), strokes(cell.symbol()).is_some())) {
        if strokes(run[0].symbol()).is_none() {
            continue;
        }
        let mut path = String::new();
        for (index, cell) in run.iter().enumerate() {
            draw_strokes(&mut path, cell.symbol(), left(start + index), top);
        }
        let wide = if heavy(run[0]) { 2.2 } else { 1.1 };
        let color = colors(run[0]).0;
        let _ = writeln!(svg, "<path d=\"{path}\" stroke=\"{color}\" stroke-width=\"{wide}\" fill=\"none\"/>");
    }
    for (start, run) in runs(&cells, |cell| (colors(cell).0, cell.modifier, strokes(cell.symbol()).is_some())) {
        if strokes(run[0].symbol()).is_some() {
            continue;
        }
        text(svg, start, &run, top);
    }
}

/// Whether a cell's lines are thick.
fn heavy(cell: &Cell) -> bool {
    ["━", "┃", "┏", "┓", "┗", "┛"].contains(&cell.symbol())
}

fn text(svg: &mut String, start: usize, run: &[&Cell], top: f64) {
    let words: String = run.iter().map(|cell| cell.symbol()).collect();
    let trimmed = words.trim_end();
    if trimmed.trim().is_empty() {
        return;
    }
    let count = trimmed.chars().count();
    let modifier = run[0].modifier;
    let weight = if modifier.contains(Modifier::BOLD) { " font-weight=\"bold\"" } else { "" };
    let line = if modifier.contains(Modifier::UNDERLINED) { " text-decoration=\"underline\"" } else { "" };
    let (x, y, long) = (left(start), top + CELL.1 - 4.6, count as f64 * CELL.0);
    let _ = writeln!(
        svg,
        "<text x=\"{x:.1}\" y=\"{y:.1}\" textLength=\"{long:.1}\" lengthAdjust=\"spacingAndGlyphs\" fill=\"{}\"{weight}{line}>{}</text>",
        colors(run[0]).0,
        escape(trimmed)
    );
}

/// The cells in runs that agree in something, each with the column it starts at.
fn runs<'a, K: PartialEq>(cells: &[&'a Cell], key: impl Fn(&Cell) -> K) -> Vec<(usize, Vec<&'a Cell>)> {
    let mut runs: Vec<(usize, Vec<&Cell>)> = Vec::new();
    for (column, cell) in cells.iter().enumerate() {
        match runs.last_mut() {
            Some((_, run)) if key(run[0]) == key(cell) => run.push(cell),
            _ => runs.push((column, vec![cell])),
        }
    }
    runs
}

fn left(column: usize) -> f64 {
    MARGIN + column as f64 * CELL.0
}

/// Which sides of its cell a line goes to: west, east, north, south; and whether its corner is round.
fn strokes(symbol: &str) -> Option<([bool; 4], bool)> {
    let sides = |west: u8, east: u8, north: u8, south: u8| [west == 1, east == 1, north == 1, south == 1];
    Some(match symbol {
        "─" | "━" => (sides(1, 1, 0, 0), false),
        "│" | "┃" => (sides(0, 0, 1, 1), false),
        "┌" | "┏" => (sides(0, 1, 0, 1), false),
        "┐" | "┓" => (sides(1, 0, 0, 1), false),
        "└" | "┗" => (sides(0, 1, 1, 0), false),
        "┘" | "┛" => (sides(1, 0, 1, 0), false),
        "├" => (sides(0, 1, 1, 1), false),
        "┤" => (sides(1, 0, 1, 1), false),
        "┬" => (sides(1, 1, 0, 1), false),
        "┴" => (sides(1, 1, 1, 0), false),
        "┼" => (sides(1, 1, 1, 1), false),
        "╭" => (sides(0, 1, 0, 1), true),
        "╮" => (sides(1, 0, 0, 1), true),
        "╰" => (sides(0, 1, 1, 0), true),
        "╯" => (sides(1, 0, 1, 0), true),
        _ => return None,
    })
}

fn draw_strokes(path: &mut String, symbol: &str, x: f64, y: f64) {
    let Some(([west, east, north, south], round)) = strokes(symbol) else { return };
    let (middle, centre) = (x + CELL.0 / 2.0, y + CELL.1 / 2.0);
    if round {
        let side = if east { x + CELL.0 } else { x };
        let end = if north { y } else { y + CELL.1 };
        let bend = if north { centre - 4.0 } else { centre + 4.0 };
        let _ =
            write!(path, "M{side:.1} {centre:.1}Q{middle:.1} {centre:.1} {middle:.1} {bend:.1}L{middle:.1} {end:.1}");
        return;
    }
    let ends = [(west, x, centre), (east, x + CELL.0, centre), (north, middle, y), (south, middle, y + CELL.1)];
    for (_, end_x, end_y) in ends.iter().filter(|(drawn, ..)| *drawn) {
        let _ = write!(path, "M{middle:.1} {centre:.1}L{end_x:.1} {end_y:.1}");
    }
}

/// Foreground and background of a cell.
fn colors(cell: &Cell) -> (&'static str, &'static str) {
    let (front, back) = (color(cell.fg, FOREGROUND), color(cell.bg, BACKGROUND));
    if cell.modifier.contains(Modifier::REVERSED) { (back, front) } else { (front, back) }
}

fn color(color: Color, default: &'static str) -> &'static str {
    match color {
        Color::Reset => default,
        Color::Black => "#1b1d26",
        Color::Red | Color::LightRed => "#ff6e6e",
        Color::Green | Color::LightGreen => "#7ee787",
        Color::Yellow | Color::LightYellow => "#f2cc60",
        Color::Blue | Color::LightBlue => "#79b8ff",
        Color::Magenta | Color::LightMagenta => "#d2a8ff",
        Color::Cyan | Color::LightCyan => "#66d9e8",
        Color::Gray => "#a9adc1",
        Color::DarkGray => "#71758c",
        Color::White => "#ffffff",
        Color::Indexed(208) => "#ffa657",
        Color::Indexed(236) => "#2b2e3b",
        _ => default,
    }
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace(' ', "\u{a0}")
}
