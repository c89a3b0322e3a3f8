//! Boards of squares: the picture with its labels, and moving a cursor over it.

use super::scene::Scene;
use super::text::{Lines, clip, width};
use super::theme::{Theme, shape};
use crate::engine::{BoardView, CardView, SiteKind};
use crate::play::spots::Spot;
use ratatui::style::{Modifier, Style};
use ratatui::text::{Line, Span};
use std::collections::BTreeSet;

/// Cells from line to line, wide and tall; the last are without lines between the squares.
const SIZES: [Size; 6] = [
    Size { wide: 13, tall: 5, ruled: true },
    Size { wide: 9, tall: 3, ruled: true },
    Size { wide: 7, tall: 3, ruled: true },
    Size { wide: 5, tall: 1, ruled: true },
    Size { wide: 3, tall: 1, ruled: true },
    Size { wide: 3, tall: 1, ruled: false },
];

#[derive(Clone, Copy, Debug)]
struct Size {
    wide: usize,
    tall: usize,
    ruled: bool,
}

impl Size {
    fn whole(self, columns: usize, rows: usize, label: usize) -> (usize, usize) {
        let line = usize::from(self.ruled);
        (columns * (self.wide + line) + line + 2 * (label + 1), rows * (self.tall + line) + line + 2)
    }
}

/// What stands out on a board.
pub(super) struct Spots {
    /// Where the cursor is.
    pub cursor: Option<Spot>,
    /// Sites that options point at.
    pub legal: BTreeSet<Spot>,
    /// Sites that the last move changed.
    pub last: BTreeSet<Spot>,
}

/// A board as lines, as large as fits, and the line and column that the cursor is on.
pub(super) struct Picture {
    /// All lines.
    pub lines: Lines,
    /// Line and column of the cursor.
    pub cursor: Option<(usize, usize)>,
}

/// Draws a board into a space of this size.
pub(super) fn picture(scene: &Scene, index: usize, spots: &Spots, theme: Theme, room: (usize, usize)) -> Picture {
    let Some(board) = scene.view.boards.get(index) else {
        return Picture { lines: Lines::new(), cursor: None };
    };
    let grid = Grid::new(scene, board, index, spots, theme);
    let fits = |size: &&Size| {
        let (wide, tall) = size.whole(grid.columns, grid.rows, grid.label);
        wide <= room.0 && tall <= room.1
    };
    let smallest = SIZES.last().copied().unwrap_or(Size { wide: 3, tall: 1, ruled: false });
    let size = SIZES.iter().find(fits).copied().unwrap_or(smallest);
    grid.draw(size)
}

struct Grid<'a> {
    scene: &'a Scene,
    board: &'a BoardView,
    index: usize,
    spots: &'a Spots,
    theme: Theme,
    columns: usize,
    rows: usize,
    label: usize,
    /// Site at each column and row, row by row from the south.
    sites: Vec<Option<usize>>,
    /// Whether pieces must be told apart by more than their seat.
    kinds: bool,
}

impl<'a> Grid<'a> {
    fn new(scene: &'a Scene, board: &'a BoardView, index: usize, spots: &'a Spots, theme: Theme) -> Self {
        let (columns, rows) = board.size();
        let mut sites = vec![None; columns * rows];
        for (number, site) in board.sites.iter().enumerate() {
            let (column, row) = board.place(site);
            let place = row * columns + column;
            if let Some(slot) = sites.get_mut(place).filter(|_| site.kind == SiteKind::Cell) {
                *slot = Some(number);
            }
        }
        let pieces = board.sites.iter().flat_map(|site| &site.pieces);
        let names: BTreeSet<&str> = pieces.map(|piece| piece.name.as_str()).collect();
        let mut grid =
            Grid { scene, board, index, spots, theme, columns, rows, label: 0, sites, kinds: names.len() > 1 };
        grid.label = (0..rows).map(|row| width(&grid.row_label(row))).max().unwrap_or(1);
        grid
    }

    fn site(&self, column: usize, row: usize) -> Option<usize> {
        self.sites.get(row * self.columns + column).copied().flatten()
    }

    /// The letters that all site names of a column begin with, or the column's number.
    fn column_label(&self, column: usize) -> String {
        let names =
            (0..self.rows).filter_map(|row| self.site(column, row)).filter_map(|site| self.board.sites.get(site));
        common(names.map(|site| split(&site.name).0)).unwrap_or_else(|| (column + 1).to_string())
    }

    /// The digits that all site names of a row end in, or the row's number.
    fn row_label(&self, row: usize) -> String {
        let names =
            (0..self.columns).filter_map(|column| self.site(column, row)).filter_map(|site| self.board.sites.get(site));
        common(names.map(|site| split(&site.name).1)).unwrap_or_else(|| (row + 1).to_string())
    }

    fn draw(&self, size: Size) -> Picture {
        let mut lines = vec![self.header(size)];
        let mut cursor = None;
        if size.ruled {
            lines.push(self.rule(size, ["┌", "┬", "┐"]));
        }
        for row in (0..self.rows).rev() {
            if let Some(column) = (0..self.columns).find(|column| self.is_cursor(*column, row)) {
                let line = usize::from(size.ruled);
                cursor = Some((lines.len() + size.tall / 2, self.label + 1 + column * (size.wide + line)));
            }
            lines.extend((0..size.tall).map(|part| self.row(row, part, size)));
            if size.ruled {
                lines.push(self.rule(size, if row == 0 { ["└", "┴", "┘"] } else { ["├", "┼", "┤"] }));
            }
        }
        lines.push(self.header(size));
        Picture { lines, cursor }
    }

    fn is_cursor(&self, column: usize, row: usize) -> bool {
        self.site(column, row).is_some_and(|site| self.spots.cursor == Some(Spot { board: self.index, site }))
    }

    fn header(&self, size: Size) -> Line<'static> {
        let line = usize::from(size.ruled);
        let mut text = " ".repeat(self.label + 1 + line);
        for column in 0..self.columns {
            text.push_str(&centred(&self.column_label(column), size.wide));
            text.push_str(&" ".repeat(line));
        }
        Line::styled(text, self.theme.dim())
    }

    fn rule(&self, size: Size, [left, cross, right]: [&str; 3]) -> Line<'static> {
        let middle = vec!["─".repeat(size.wide); self.columns].join(cross);
        Line::styled(format!("{}{left}{middle}{right}", " ".repeat(self.label + 1)), self.theme.border())
    }

    fn row(&self, row: usize, part: usize, size: Size) -> Line<'static> {
        let middle = part == size.tall / 2;
        let label = if middle { self.row_label(row) } else { String::new() };
        let mut spans = vec![Span::styled(format!("{label:>0$} ", self.label), self.theme.dim())];
        let bar = || Span::styled("│", self.theme.border());
        if size.ruled {
            spans.push(bar());
        }
        for column in 0..self.columns {
            spans.push(self.cell(column, row, part, size));
            if size.ruled {
                spans.push(bar());
            }
        }
        spans.push(Span::styled(format!(" {label}"), self.theme.dim()));
        Line::from(spans)
    }

    fn cell(&self, column: usize, row: usize, part: usize, size: Size) -> Span<'static> {
        let Some((site, view)) = self.site(column, row).and_then(|site| Some((site, self.board.sites.get(site)?)))
        else {
            return Span::raw(" ".repeat(size.wide));
        };
        let spot = Spot { board: self.index, site };
        let cursor = self.spots.cursor == Some(spot);
        let legal = self.spots.legal.contains(&spot);
        let last = self.spots.last.contains(&spot);
        let top = view.pieces.first();
        let mut style = match top {
            Some(piece) => self.piece_style(piece),
            None if legal => self.theme.legal(),
            None => self.theme.dim(),
        };
        if cursor {
            style = style.patch(self.theme.chosen());
        } else if last && part == size.tall / 2 {
            style = style.patch(self.theme.last());
        }
        let text = match (part.cmp(&(size.tall / 2)), top) {
            (std::cmp::Ordering::Equal, Some(piece)) => self.symbol(piece, view.pieces.len()),
            (std::cmp::Ordering::Equal, None) if legal || cursor => "·".to_owned(),
            (std::cmp::Ordering::Equal, None) if !size.ruled => ".".to_owned(),
            (std::cmp::Ordering::Greater, Some(piece)) if self.kinds => clip(&piece.name, size.wide),
            _ => String::new(),
        };
        let brackets = match (part == size.tall / 2, cursor, legal && top.is_some(), last) {
            (true, true, ..) => ("[", "]"),
            (true, _, true, _) => ("‹", "›"),
            (true, _, _, true) => ("(", ")"),
            _ => ("", ""),
        };
        let text = if width(&text) + 2 <= size.wide { format!("{}{text}{}", brackets.0, brackets.1) } else { text };
        Span::styled(centred(&text, size.wide), style)
    }

    fn piece_style(&self, piece: &CardView) -> Style {
        let seat = piece.owner.map(|seat| self.theme.seat(seat, self.scene.name(seat)));
        seat.unwrap_or_default().add_modifier(Modifier::BOLD)
    }

    /// The sign of a piece: its seat's, with the piece's initial where there are several kinds, and the height of a
    /// stack.
    fn symbol(&self, piece: &CardView, tall: usize) -> String {
        let seat = piece.owner.map(|seat| shape(seat, self.scene.name(seat)));
        let initial = piece.name.chars().next().map(|first| first.to_uppercase().collect::<String>());
        let mut sign = match (seat, initial) {
            (Some(seat), Some(initial)) if self.kinds => format!("{initial}{seat}"),
            (Some(seat), _) => seat,
            (None, initial) => initial.unwrap_or_default(),
        };
        if tall > 1 {
            sign.push_str(&tall.to_string());
        }
        sign
    }
}

/// Of the listed options, the one whose site is nearest to another in a direction: columns to the east, rows to the
/// north.
pub(super) fn neighbour(scene: &Scene, listed: &[usize], from: Spot, way: (i32, i32)) -> Option<usize> {
    let board = scene.view.boards.get(from.board)?;
    let here = board.sites.get(from.site)?.at;
    let candidates = listed.iter().filter_map(|index| {
        let spot = scene.spot(scene.options().get(*index)?.target)?;
        if spot.board != from.board || spot == from {
            return None;
        }
        let at = board.sites.get(spot.site)?.at;
        let (east, north) = (at.0 - here.0, at.1 - here.1);
        let ahead = east * way.0 + north * way.1;
        let aside = (east * way.1).abs() + (north * way.0).abs();
        (ahead > 0).then_some((ahead + 2 * aside, aside, *index))
    });
    candidates.min().map(|(_, _, index)| index)
}

/// Of all options, the one whose site is nearest to a place on a board; without a place, to the middle.
pub(super) fn nearest(scene: &Scene, from: Option<Spot>) -> Option<usize> {
    let index = from.map_or(0, |spot| spot.board);
    let board = scene.view.boards.get(index)?;
    let at = match from.and_then(|spot| board.sites.get(spot.site)) {
        Some(site) => (2 * site.at.0, 2 * site.at.1),
        None => {
            let (low, high) = board.bounds();
            (low.0 + high.0, low.1 + high.1)
        }
    };
    let distances = scene.options().iter().enumerate().filter_map(|(option, info)| {
        let spot = scene.spot(info.target).filter(|spot| spot.board == index)?;
        let site = board.sites.get(spot.site)?.at;
        let (east, north) = (2 * site.0 - at.0, 2 * site.1 - at.1);
        Some((east * east + north * north, option))
    });
    distances.min().map(|(_, option)| option)
}

fn centred(text: &str, room: usize) -> String {
    let text = clip(text, room);
    let gap = room.saturating_sub(width(&text));
    format!("{}{text}{}", " ".repeat(gap / 2), " ".repeat(gap - gap / 2))
}

/// A site's name as the letters before and the digits after.
fn split(name: &str) -> (&str, &str) {
    let letters = name.trim_end_matches(|letter: char| letter.is_ascii_digit());
    name.split_at(letters.len())
}

/// What all are, if they are all the same and not empty.
fn common<'a>(mut names: impl Iterator<Item = &'a str>) -> Option<String> {
    let first = names.next().filter(|first| !first.is_empty())?;
    names.all(|name| name == first).then(|| first.to_owned())
}
