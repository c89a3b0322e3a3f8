//! The cells of a board in rows and columns, the uppermost row first, with the letters and numbers that stand at the
//! margins of its picture.

use crate::engine::{BoardView, CELL, Grid, SiteKind, SiteView};

/// Cells in rows and columns. Rows of hexagons begin half a cell further to the east each.
#[derive(Clone, Debug)]
pub struct Lattice {
    /// Number of columns.
    pub columns: usize,
    /// Number of rows.
    pub rows: usize,
    /// What stands at each column, if the names of its sites have it in common.
    pub column_labels: Option<Vec<String>>,
    /// What stands at each row, likewise.
    pub row_labels: Option<Vec<String>>,
    cells: Vec<Option<usize>>,
}

impl Lattice {
    /// The lattice of a board's cells, with the places beside a board of squares around it.
    pub fn new(board: &BoardView) -> Lattice {
        let in_it = |site: &SiteView| match site.kind {
            SiteKind::Cell => true,
            SiteKind::Rim => board.grid == Grid::Square,
            SiteKind::Edge | SiteKind::Corner => false,
        };
        let places = || {
            let sites = board.sites.iter().enumerate().filter(|(_, site)| in_it(site));
            sites.map(|(number, site)| (number, snapped(board.grid, site.at)))
        };
        let east = places().map(|(_, at)| at.0);
        let south = places().map(|(_, at)| at.1);
        let (left, right) = (east.clone().min().unwrap_or(0), east.max().unwrap_or(-1));
        let (top, low) = (south.clone().min().unwrap_or(0), south.max().unwrap_or(-1));
        let count = |from: i32, to: i32| usize::try_from(to - from + 1).unwrap_or(0);
        let (columns, rows) = (count(left, right), count(top, low));
        let mut lattice =
            Lattice { columns, rows, column_labels: None, row_labels: None, cells: vec![None; columns * rows] };
        for (number, (x, y)) in places() {
            let index = count(top, y).saturating_sub(1) * columns + count(left, x).saturating_sub(1);
            if let Some(slot) = lattice.cells.get_mut(index) {
                *slot = Some(number);
            }
        }
        let name = |at: (usize, usize)| {
            let site = lattice.cell(at).and_then(|number| board.sites.get(number));
            site.filter(|site| site.kind == SiteKind::Cell).map(|site| site.name.as_str())
        };
        let columns: Option<Vec<String>> = (0..columns)
            .map(|column| common((0..rows).filter_map(|row| Some(split(name((row, column))?).0))))
            .collect();
        let rows: Option<Vec<String>> = (0..rows)
            .map(|row| common((0..lattice.columns).filter_map(|column| Some(split(name((row, column))?).1))))
            .collect();
        if columns.is_some() && rows.is_some() {
            (lattice.column_labels, lattice.row_labels) = (columns, rows);
        }
        lattice
    }

    /// The site at a row and a column.
    pub fn cell(&self, (row, column): (usize, usize)) -> Option<usize> {
        if column >= self.columns {
            return None;
        }
        self.cells.get(row * self.columns + column).copied().flatten()
    }

    /// Rows and columns of all cells, row by row.
    pub fn each(&self) -> impl Iterator<Item = ((usize, usize), usize)> + '_ {
        let at = |index: usize| (index / self.columns.max(1), index % self.columns.max(1));
        self.cells.iter().enumerate().filter_map(move |(index, site)| Some((at(index), (*site)?)))
    }
}

/// Column and row of a place, from the west and from the north; a place beside the board is a whole cell away.
fn snapped(grid: Grid, (x, y): (i32, i32)) -> (i32, i32) {
    let cells = |sixths: i32| (sixths + CELL / 2).div_euclid(CELL);
    match grid {
        Grid::Square | Grid::Graph => (cells(x), -cells(y)),
        Grid::Hex => (cells(x), cells(y)),
    }
}

/// A site's name as the letters before and the digits after.
fn split(name: &str) -> (&str, &str) {
    let letters = name.trim_end_matches(|letter: char| letter.is_ascii_digit());
    let plain = letters.chars().all(char::is_alphabetic);
    if plain { name.split_at(letters.len()) } else { ("", "") }
}

/// What all are, if they are all the same; nothing to write if there are none.
fn common<'a>(mut names: impl Iterator<Item = &'a str>) -> Option<String> {
    let Some(first) = names.next() else { return Some(String::new()) };
    (!first.is_empty() && names.all(|name| name == first)).then(|| first.to_owned())
}
