//! Boards: cells with their colours, names at the margins, pieces and stacks, what is possible and what was last.

use super::Shot;
use super::pen::{Anchor, Block, FAINT, GROUND, INK, LAST, LEGAL, LINE, Paint, Type};
use super::pieces::{self, HALF, hexagon};
use crate::base::{Colour, Shape};
use crate::engine::{BoardView, CELL, Grid, SiteKind, SiteView};
use crate::play::Lattice;
use crate::play::spots::Spot;

/// The longer side that a board is given, alone and beside others, and its smallest and largest cells.
const ROOM: f64 = 540.0;
const ROOM_OF_MANY: f64 = 400.0;
const SMALLEST: f64 = 26.0;
const LARGEST: f64 = 84.0;

/// How many pieces of a stack are drawn.
const TALLEST: usize = 5;

/// The colour of cells that say nothing.
const CELLS: Colour = Colour(0xef_e6_d2);

/// Draws a board.
pub(super) fn board(shot: &Shot, index: usize) -> Block {
    let Some(view) = shot.view.boards.get(index) else { return Block::default() };
    let lattice = Lattice::new(view);
    let boards = &shot.view.boards;
    let room = if boards.len() > 1 { ROOM_OF_MANY } else { ROOM };
    // Cells of all boards are equally large.
    let cell = boards.iter().map(|view| Extent::of(view).cell(room)).fold(LARGEST, f64::min);
    let plan = Plan::new(view, &lattice, cell);
    let mut block = Block::new(plan.wide, plan.tall);
    plan.paths(&mut block);
    for site in &view.sites {
        plan.ground(&mut block, site);
    }
    plan.margins(&mut block, &lattice);
    for (number, site) in view.sites.iter().enumerate() {
        let spot = Spot { board: index, site: number };
        plan.site(&mut block, shot, site, spot);
    }
    if view.grid == Grid::Graph {
        view.sites.iter().filter(|site| site.kind == SiteKind::Cell).for_each(|site| plan.beside(&mut block, site));
    }
    block
}

/// How far a board reaches, in cells.
struct Extent {
    west: f64,
    north: f64,
    east: f64,
    south: f64,
}

impl Extent {
    fn of(view: &BoardView) -> Extent {
        let mut all = Extent { west: 0.0, north: 0.0, east: 0.0, south: 0.0 };
        for (number, site) in view.sites.iter().enumerate() {
            let (x, y) = unit(view.grid, site.at);
            let (across, down) = match site.kind {
                SiteKind::Cell if view.grid == Grid::Hex => (0.5, 0.5 / HALF),
                SiteKind::Cell => (0.5, 0.5),
                SiteKind::Rim => (0.32, 0.32),
                SiteKind::Edge | SiteKind::Corner => (0.2, 0.2),
            };
            let one = Extent { west: x - across, north: y - down, east: x + across, south: y + down };
            all = if number == 0 { one } else { all.with(&one) };
        }
        all
    }

    fn with(&self, other: &Extent) -> Extent {
        Extent {
            west: self.west.min(other.west),
            north: self.north.min(other.north),
            east: self.east.max(other.east),
            south: self.south.max(other.south),
        }
    }

    /// How large cells are if the longer side is to have this length.
    fn cell(&self, room: f64) -> f64 {
        (room / (self.east - self.west).max(self.south - self.north).max(1.0)).clamp(SMALLEST, LARGEST)
    }
}

/// Where things are on the picture of a board.
struct Plan<'v> {
    view: &'v BoardView,
    /// From a cell's middle to that of the next to its east.
    cell: f64,
    left: f64,
    top: f64,
    wide: f64,
    tall: f64,
    /// Whether the names of sites stand on them.
    named: bool,
}

impl<'v> Plan<'v> {
    fn new(view: &'v BoardView, lattice: &Lattice, cell: f64) -> Self {
        let Extent { west, north, east, south } = Extent::of(view);
        let named = lattice.column_labels.is_none();
        // West, north, east and south of it.
        let margins = match view.grid {
            _ if named => [2.0; 4],
            Grid::Square | Grid::Graph => [22.0, 2.0, 2.0, 22.0],
            Grid::Hex => [20.0; 4],
        };
        Plan {
            view,
            cell,
            left: margins[0] - west * cell,
            top: margins[1] - north * cell,
            wide: (east - west) * cell + margins[0] + margins[2],
            tall: (south - north) * cell + margins[1] + margins[3],
            named,
        }
    }

    /// The middle of a place.
    fn at(&self, place: (i32, i32)) -> (f64, f64) {
        let (x, y) = unit(self.view.grid, place);
        (self.left + x * self.cell, self.top + y * self.cell)
    }

    /// The ground of a cell.
    fn ground(&self, block: &mut Block, site: &SiteView) {
        let at = self.at(site.at);
        let colour = ground(site);
        let line = (colour.mixed(LINE, 70), 1.2);
        match (site.kind, self.view.grid) {
            (SiteKind::Cell, Grid::Square) => {
                let half = self.cell / 2.0;
                let paint = Paint::fill(colour).round(line.0, line.1);
                block.rect((at.0 - half, at.1 - half), (self.cell, self.cell), 0.0, paint);
            }
            (SiteKind::Cell, Grid::Hex) => {
                block.polygon(&hexagon(at, self.cell / 2.0 / HALF), Paint::fill(colour).round(line.0, line.1));
            }
            (SiteKind::Cell, Grid::Graph) => {
                block.circle(at, self.cell * 0.13, Paint::fill(colour.mixed(INK, 12)).round(FAINT, 1.2));
            }
            (SiteKind::Rim, grid) => {
                let half = self.cell * if grid == Grid::Square { 0.29 } else { 0.15 };
                let paint = Paint::fill(colour.mixed(GROUND, 45)).round(line.0, 1.0);
                block.rect((at.0 - half, at.1 - half), (2.0 * half, 2.0 * half), half * 0.35, paint);
            }
            (SiteKind::Edge | SiteKind::Corner, _) => {
                block.circle(at, self.cell * 0.07, Paint::fill(colour.mixed(LINE, 60)));
            }
        }
    }

    /// The paths of a graph.
    fn paths(&self, block: &mut Block) {
        let place = |index: usize| self.view.sites.get(index).map(|site| self.at(site.at));
        for (from, to) in &self.view.paths {
            if let (Some(from), Some(to)) = (place(*from), place(*to)) {
                block.line(from, to, Paint::stroke(FAINT.mixed(GROUND, 30), (self.cell * 0.05).clamp(1.5, 3.0)));
            }
        }
    }

    /// How large pieces and signs are on a site, in parts of a cell.
    fn part(&self, site: &SiteView) -> f64 {
        match (site.kind, self.view.grid) {
            (SiteKind::Cell, _) => 1.0,
            (SiteKind::Rim, Grid::Square) => 0.7,
            _ => 0.42,
        }
    }

    /// Letters and numbers at the margins.
    fn margins(&self, block: &mut Block, lattice: &Lattice) {
        let (Some(columns), Some(rows)) = (&lattice.column_labels, &lattice.row_labels) else { return };
        let set = Type::plain((self.cell * 0.3).clamp(10.0, 14.0), FAINT);
        let mut put = |(x, y): (f64, f64), label: &str| {
            block.text((x, y + set.size * 0.36), Anchor::Middle, set, label);
        };
        let place = |at: (usize, usize)| {
            lattice.cell(at).and_then(|site| self.view.sites.get(site)).map(|site| self.at(site.at))
        };
        let off = self.cell / 2.0 + 11.0;
        let straight = self.view.grid != Grid::Hex;
        let even = (0..lattice.rows).all(|row| lattice.cell((row, 0)).is_some());
        for (row, label) in rows.iter().enumerate() {
            let mut across = (0..lattice.columns).filter_map(|column| place((row, column)));
            let (first, last) = (across.next(), across.next_back());
            match (first, last.or(first)) {
                (Some((_, y)), _) if straight => put((10.0, y), label),
                (Some((x, y)), _) if even => put((x - off, y), label),
                (_, Some((x, y))) => put((x + off, y), label),
                _ => {}
            }
        }
        for (column, label) in columns.iter().enumerate() {
            let mut down = (0..lattice.rows).filter_map(|row| place((row, column)));
            match self.view.grid {
                Grid::Square | Grid::Graph => {
                    if let Some((x, _)) = down.next_back() {
                        put((x, self.tall - 9.0), label);
                    }
                }
                Grid::Hex => {
                    if let Some((x, y)) = down.next() {
                        put((x - off * 0.5, y - off * HALF), label);
                    }
                }
            }
        }
    }

    fn site(&self, block: &mut Block, shot: &Shot, site: &SiteView, spot: Spot) {
        let at = self.at(site.at);
        let cell = self.cell * self.part(site);
        let top = site.pieces.first();
        let colour = ground(site);
        if top.is_none() {
            if let Some(label) = &site.look.label {
                let set = Type::plain((cell * 0.26).clamp(8.0, 16.0), colour.mixed(INK, 62));
                // Words beside the dots of a graph come last, above all pieces.
                if (site.kind, self.view.grid) != (SiteKind::Cell, Grid::Graph) {
                    block.text((at.0, at.1 + set.size * 0.36), Anchor::Middle, set, label);
                }
            } else if self.named && site.kind == SiteKind::Cell {
                let set = Type::plain((cell * 0.2).clamp(6.5, 11.0), colour.mixed(INK, 45));
                block.text((at.0, at.1 + cell * 0.36), Anchor::Middle, set, &site.name);
            }
        }
        pieces::marks(block, &site.look, colour, at, cell * 0.18);
        let legal = shot.legal.contains(&spot);
        let sign = legal_on(colour);
        if legal && top.is_none() {
            block.circle(at, cell * 0.1, Paint::fill(sign).round(sign.mixed(colour, 60), 1.0));
        }
        self.stack(block, shot, site, at, cell);
        if shot.last.contains(&spot) {
            let paint = Paint::stroke(LAST, (cell * 0.05).clamp(1.5, 3.5));
            match self.view.grid {
                _ if site.kind != SiteKind::Cell => block.circle(at, cell * 0.47, paint),
                Grid::Graph => block.circle(at, cell * 0.45, paint),
                Grid::Square => {
                    let half = cell * 0.46;
                    block.rect((at.0 - half, at.1 - half), (2.0 * half, 2.0 * half), cell * 0.08, paint);
                }
                Grid::Hex => block.polygon(&hexagon(at, cell * 0.45 / HALF), paint),
            }
        }
        if legal && top.is_some() {
            block.circle(at, cell * 0.45, Paint::stroke(sign, (cell * 0.06).clamp(1.5, 3.5)));
        }
    }

    /// The label of a site of a graph, beside its dot, where paths leave most room.
    fn beside(&self, block: &mut Block, site: &SiteView) {
        let Some(word) = site.look.label.as_ref().filter(|_| site.pieces.is_empty()) else { return };
        let set = Type::plain((self.cell * 0.26).clamp(8.0, 16.0), ground(site).mixed(INK, 62));
        let ((x, y), off) = (self.at(site.at), self.cell * 0.2);
        let place = |index: usize| self.view.sites.get(index).map(|site| self.at(site.at));
        let ends = self.view.paths.iter().filter_map(|(from, to)| place(*from).zip(place(*to)));
        let others = ends.filter_map(|(from, to)| match (x, y) {
            at if at == from => Some(to),
            at if at == to => Some(from),
            _ => None,
        });
        let ways: Vec<f64> = others.map(|to| (to.1 - y).atan2(to.0 - x)).collect();
        let room = |way: f64| {
            let turn = |other: &f64| (way - other).sin().atan2((way - other).cos()).abs();
            ways.iter().map(turn).fold(std::f64::consts::PI, f64::min)
        };
        // Below, above, and askew; a word to the side is longer than it is tall.
        let down = std::f64::consts::FRAC_PI_2;
        let tried = [1.0, -1.0, 0.5, 1.5, -0.5, -1.5].map(|part| part * down);
        let Some(way) = tried.into_iter().reduce(|best, way| if room(way) > room(best) + 0.01 { way } else { best })
        else {
            return;
        };
        let anchor = match way.cos() {
            slant if slant > 0.1 => Anchor::Start,
            slant if slant < -0.1 => Anchor::End,
            _ => Anchor::Middle,
        };
        let low = if way.sin() > 0.0 { set.size * 0.8 } else { -set.size * 0.1 };
        block.text((x + way.cos() * off, y + way.sin() * off + low), anchor, set, word);
    }

    /// The pieces of a site, the lowest first, each a little higher.
    fn stack(&self, block: &mut Block, shot: &Shot, site: &SiteView, at: (f64, f64), cell: f64) {
        let many = site.pieces.len().min(TALLEST);
        let lift = if many > 1 { cell * 0.34 / (many as f64 + 1.0) } else { 0.0 };
        let radius = cell * if many > 1 { 0.34 } else { 0.4 };
        let first = at.1 + lift * (many.saturating_sub(1)) as f64 / 2.0;
        for (step, piece) in site.pieces.iter().take(many).rev().enumerate() {
            let middle = (at.0, first - lift * step as f64);
            if piece.look.shape == Some(Shape::Tile) {
                pieces::tile(block, &piece.look, piece.look.colour, self.view.grid, at, cell);
            } else {
                pieces::piece(block, &piece.look, pieces::colour(&shot.view, piece), middle, radius);
            }
        }
        if site.pieces.len() > 1 {
            let set = Type::bold((cell * 0.22).clamp(8.0, 14.0), INK);
            let corner = (at.0 + cell * 0.36, at.1 + cell * 0.4);
            block.text(corner, Anchor::Middle, set, &format!("{}", site.pieces.len()));
        }
    }
}

/// The colour of a site's ground.
pub(super) fn ground(site: &SiteView) -> Colour {
    site.look.colour.unwrap_or(CELLS)
}

/// The colour of what is possible, such that it is seen on a ground.
pub(super) fn legal_on(ground: Colour) -> Colour {
    let near = ground.parts().into_iter().zip(LEGAL.parts()).all(|(a, b)| a.abs_diff(b) < 60);
    if near { Colour(0xf2_f7_e4) } else { LEGAL }
}

/// A place in cells, from the west and from the north.
fn unit(grid: Grid, at: (i32, i32)) -> (f64, f64) {
    let (x, y) = (f64::from(at.0) / f64::from(CELL), f64::from(at.1) / f64::from(CELL));
    match grid {
        Grid::Square | Grid::Graph => (x, -y),
        Grid::Hex => (x + y / 2.0, y * HALF),
    }
}
