//! The cells of a board in rows and columns, the uppermost row first, with the letters and numbers that stand at the
//! margins of its picture.

use crate::engine::{BoardView, CELL, Grid, SiteKind};

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
    /// The lattice of a board's cells.
    pub fn new(board: &BoardView) -> Lattice {
        let cells = || board.sites.iter().enumerate().filter(|(_, site)| site.kind == SiteKind::Cell);
        let east = cells().map(|(_, site)| site.at.0);
        let south = cells().map(|(_, site)| south(board.grid, site.at));
        let (left, right) = (east.clone().min().unwrap_or(0), east.max().unwrap_or(-CELL));
        let (top, low) = (south.clone().min().unwrap_or(0), south.max().unwrap_or(-CELL));
        let count = |from: i32, to: i32| usize::try_from((to - from) / CELL + 1).unwrap_or(0);
        let (columns, rows) = (count(left, right), count(top, low));
        let mut lattice =
            Lattice { columns, rows, column_labels: None, row_labels: None, cells: vec![None; columns * rows] };
        for (number, site) in cells() {
            let row = count(top, self::south(board.grid, site.at)).saturating_sub(1);
            let column = count(left, site.at.0).saturating_sub(1);
            if let Some(slot) = lattice.cells.get_mut(row * columns + column) {
                *slot = Some(number);
            }
        }
        let name = |number: usize| board.sites.get(number).map_or("", |site| site.name.as_str());
        let rows_of = |column: usize| (0..rows).map(move |row| (row, column));
        let columns_of = |row: usize| (0..columns).map(move |column| (row, column));
        lattice.column_labels = (0..columns)
            .map(|column| common(rows_of(column).filter_map(|at| lattice.cell(at)).map(|site| split(name(site)).0)))
            .collect();
        lattice.row_labels = (0..rows)
            .map(|row| common(columns_of(row).filter_map(|at| lattice.cell(at)).map(|site| split(name(site)).1)))
            .collect();
        if lattice.column_labels.is_none() || lattice.row_labels.is_none() {
            (lattice.column_labels, lattice.row_labels) = (None, None);
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

/// How far to the south a place is.
fn south(grid: Grid, at: (i32, i32)) -> i32 {
    match grid {
        Grid::Square => -at.1,
        Grid::Hex => at.1,
    }
}

/// A site's name as the letters before and the digits after.
fn split(name: &str) -> (&str, &str) {
    let letters = name.trim_end_matches(|letter: char| letter.is_ascii_digit());
    let plain = letters.chars().all(char::is_alphabetic);
    if plain { name.split_at(letters.len()) } else { ("", "") }
}

/// What all are, if they are all the same and not empty.
fn common<'a>(mut names: impl Iterator<Item = &'a str>) -> Option<String> {
    let first = names.next().filter(|first| !first.is_empty())?;
    names.all(|name| name == first).then(|| first.to_owned())
}
