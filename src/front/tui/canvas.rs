//! A grid of character cells to draw on: texts anywhere, and lines that meet.

use super::text::{Lines, width};
use crate::base::crossing;
use ratatui::style::Style;
use ratatui::text::{Line, Span};

/// A direction in which a line leaves a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Way {
    North,
    East,
    South,
    West,
}

#[derive(Clone, Debug, Default)]
struct Cell {
    /// What stands there; none for nothing, empty beneath the second half of a wide letter.
    text: Option<String>,
    lines: [u8; 4],
    style: Style,
}

/// A grid of cells.
pub(super) struct Canvas {
    wide: usize,
    cells: Vec<Cell>,
}

impl Canvas {
    /// An empty canvas.
    pub fn new(wide: usize, tall: usize) -> Canvas {
        Canvas { wide, cells: vec![Cell::default(); wide * tall] }
    }

    fn cell(&mut self, (x, y): (i32, i32)) -> Option<&mut Cell> {
        let (x, y) = (usize::try_from(x).ok()?, usize::try_from(y).ok()?);
        if x < self.wide { self.cells.get_mut(y * self.wide + x) } else { None }
    }

    /// Writes a text from a cell on to the east.
    pub fn text(&mut self, (x, y): (i32, i32), text: &str, style: Style) {
        let mut x = x;
        for letter in text.chars() {
            let letter = letter.to_string();
            let wide = width(&letter);
            if let Some(cell) = self.cell((x, y)) {
                *cell = Cell { text: Some(letter), lines: [0; 4], style };
            }
            for beside in 1..wide {
                if let Some(cell) = self.cell((x + beside as i32, y)) {
                    *cell = Cell { text: Some(String::new()), lines: [0; 4], style };
                }
            }
            x += wide as i32;
        }
    }

    /// Writes a text so that its middle is on a cell.
    pub fn centred(&mut self, (x, y): (i32, i32), text: &str, style: Style) {
        let half = width(text) / 2;
        self.text((x - half as i32, y), text, style);
    }

    /// Takes texts away between two cells in one row or column, so that lines are seen.
    pub fn erase(&mut self, from: (i32, i32), to: (i32, i32)) {
        for y in from.1.min(to.1)..=from.1.max(to.1) {
            for x in from.0.min(to.0)..=from.0.max(to.0) {
                if let Some(cell) = self.cell((x, y)) {
                    cell.text = None;
                }
            }
        }
    }

    /// Lets a line leave the middle of a cell.
    pub fn leave(&mut self, at: (i32, i32), way: Way, weight: u8, style: Style) {
        if let Some(cell) = self.cell(at) {
            let line = match way {
                Way::North => 0,
                Way::East => 1,
                Way::South => 2,
                Way::West => 3,
            };
            if let Some(line) = cell.lines.get_mut(line) {
                *line = (*line).max(weight);
            }
            cell.style = style;
        }
    }

    /// Draws a line between the middles of two cells in one row or column.
    pub fn line(&mut self, from: (i32, i32), to: (i32, i32), weight: u8, style: Style) {
        let step = ((to.0 - from.0).signum(), (to.1 - from.1).signum());
        let (on, back) = match step {
            (1, _) => (Way::East, Way::West),
            (-1, _) => (Way::West, Way::East),
            (_, 1) => (Way::South, Way::North),
            _ => (Way::North, Way::South),
        };
        let mut at = from;
        while at != to && step != (0, 0) {
            self.leave(at, on, weight, style);
            at = (at.0 + step.0, at.1 + step.1);
            self.leave(at, back, weight, style);
        }
    }

    /// All rows as lines.
    pub fn into_lines(self) -> Lines {
        let row = |row: &[Cell]| {
            let mut line = Line::default();
            let mut run = (String::new(), Style::default());
            for cell in row {
                let text = cell.text.clone().unwrap_or_else(|| crossing(cell.lines).to_string());
                if cell.style != run.1 && !run.0.is_empty() {
                    line.push_span(Span::styled(std::mem::take(&mut run.0), run.1));
                }
                run.1 = cell.style;
                run.0.push_str(&text);
            }
            line.push_span(Span::styled(run.0, run.1));
            line
        };
        self.cells.chunks(self.wide.max(1)).map(row).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drawn(canvas: Canvas) -> Vec<String> {
        canvas.into_lines().iter().map(ToString::to_string).collect()
    }

    #[test]
    fn lines_meet_and_texts_lie_over_them() {
        let mut canvas = Canvas::new(5, 3);
        canvas.line((0, 0), (4, 0), 1, Style::default());
        canvas.line((4, 0), (4, 2), 2, Style::default());
        canvas.line((2, 0), (2, 2), 1, Style::default());
        canvas.text((1, 2), "日", Style::default());
        assert_eq!(drawn(canvas), ["╶─┬─┒", "  │ ┃", " 日 ╹"]);
    }

    #[test]
    fn what_lies_outside_is_left_out() {
        let mut canvas = Canvas::new(2, 1);
        canvas.text((-1, 0), "abcd", Style::default());
        canvas.text((0, 1), "x", Style::default());
        assert_eq!(drawn(canvas), ["bc"]);
    }
}
