//! Boards as text: squares between lines, hexagons in rows that are shifted, tiles with their sides, stacks; and moving
//! a cursor over them.

use super::canvas::{Canvas, Way};
use super::scene::Scene;
use super::signs;
use super::text::{Lines, clip, width};
use super::theme::Theme;
use crate::base::Shape;
use crate::engine::{BoardView, CELL, CardView, Grid, SiteKind, SiteView};
use crate::play::Lattice;
use crate::play::spots::Spot;
use std::collections::BTreeSet;

/// From the middle of a cell to that of the next, in columns and lines; and how much of it is writing.
#[derive(Clone, Copy, Debug)]
struct Scale {
    across: i32,
    down: i32,
    /// Columns for the writing in a cell.
    room: usize,
    /// Whether lines are drawn between cells.
    ruled: bool,
}

const fn scale(across: i32, down: i32, room: usize, ruled: bool) -> Scale {
    Scale { across, down, room, ruled }
}

/// The largest first.
const SQUARES: [Scale; 6] = [
    scale(14, 6, 13, true),
    scale(10, 4, 9, true),
    scale(8, 4, 7, true),
    scale(6, 2, 5, true),
    scale(4, 2, 3, true),
    scale(3, 1, 3, false),
];
/// The smallest of squares with edges and corners between them, which need columns and lines of their own.
const LINED: Scale = scale(4, 2, 3, false);
const HEXES: [Scale; 3] = [scale(4, 2, 3, true), scale(4, 1, 3, false), scale(2, 1, 1, false)];

const GRAPHS: [Scale; 4] =
    [scale(14, 4, 3, false), scale(8, 4, 3, false), scale(6, 2, 3, false), scale(4, 2, 3, false)];

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
    let lattice = Lattice::new(board);
    let mut scales = match board.grid {
        Grid::Square => SQUARES.to_vec(),
        // Names of sites take room, letters at the margins none.
        Grid::Graph if lattice.column_labels.is_none() => GRAPHS.to_vec(),
        Grid::Graph => GRAPHS[1..].to_vec(),
        Grid::Hex => HEXES.to_vec(),
    };
    if let (Grid::Square, Some(smallest), true) = (board.grid, scales.last_mut(), has_lines(board)) {
        *smallest = LINED;
    }
    let mut plans = scales.iter().map(|scale| Plan::new(board, &lattice, *scale));
    let fits = |plan: &Plan<'_>| {
        let (wide, tall) = plan.size;
        wide <= room.0 as i32 && tall <= room.1 as i32
    };
    let smallest = scales.last().map(|scale| Plan::new(board, &lattice, *scale));
    let Some(plan) = plans.find(fits).or(smallest) else {
        return Picture { lines: Lines::new(), cursor: None };
    };
    let pieces = board.sites.iter().flat_map(|site| &site.pieces);
    let names: BTreeSet<&str> = pieces.map(|piece| piece.name.as_str()).collect();
    Painter { scene, board, index, spots, theme, lattice: &lattice, plan, kinds: names.len() > 1 }.draw()
}

/// Whether places between the cells are sites, too.
fn has_lines(board: &BoardView) -> bool {
    board.sites.iter().any(|site| site.kind == SiteKind::Edge || site.kind == SiteKind::Corner)
}

/// Where places are on the lines.
struct Plan<'v> {
    board: &'v BoardView,
    scale: Scale,
    origin: (i32, i32),
    /// Columns and lines of the whole.
    size: (i32, i32),
    /// Columns of the labels beside the rows.
    label: i32,
    /// Whether what stands between the cells is drawn between them, where no lines are.
    between: bool,
}

impl<'v> Plan<'v> {
    fn new(board: &'v BoardView, lattice: &Lattice, scale: Scale) -> Self {
        let labels = lattice.row_labels.iter().flatten().map(|label| width(label) as i32);
        let label = labels.max().unwrap_or(-1);
        let between = !scale.ruled && board.grid == Grid::Square && has_lines(board);
        let mut plan = Plan { board, scale, origin: (0, 0), size: (0, 0), label, between };
        let (mut low, mut high) = ((i32::MAX, i32::MAX), (i32::MIN, i32::MIN));
        for site in &board.sites {
            let (x, y) = plan.at(site);
            low = (low.0.min(x), low.1.min(y));
            high = (high.0.max(x), high.1.max(y));
        }
        if board.sites.is_empty() {
            return plan;
        }
        let half = ((scale.across + i32::from(scale.ruled)) / 2, if between { 0 } else { scale.down / 2 });
        // Letters above, and below where rows are straight.
        let above = i32::from(label >= 0);
        let below = if board.grid == Grid::Hex || between { 0 } else { above };
        plan.origin = (label + 1 + half.0 - low.0, above + half.1 - low.1);
        plan.size =
            (high.0 - low.0 + 2 * half.0 + 1 + 2 * (label + 1), high.1 - low.1 + 2 * half.1 + 1 + above + below);
        plan
    }

    /// Column and line of the middle of a site; a place beside the board is a whole cell away.
    fn at(&self, site: &SiteView) -> (i32, i32) {
        let snapped = |sixths: i32| (sixths + CELL / 2).div_euclid(CELL) * CELL;
        let (x, y) = match site.kind {
            SiteKind::Rim => (snapped(site.at.0), snapped(site.at.1)),
            _ => site.at,
        };
        let Scale { across, down, .. } = self.scale;
        let (east, south) = match self.board.grid {
            Grid::Square | Grid::Graph => (2 * x * across, -y * down),
            Grid::Hex => ((2 * x + y) * across, y * down),
        };
        (self.origin.0 + east.div_euclid(2 * CELL), self.origin.1 + south.div_euclid(CELL))
    }
}

struct Painter<'a> {
    scene: &'a Scene,
    board: &'a BoardView,
    index: usize,
    spots: &'a Spots,
    theme: Theme,
    lattice: &'a Lattice,
    plan: Plan<'a>,
    /// Whether pieces must be told apart by more than their seat.
    kinds: bool,
}

impl Painter<'_> {
    fn draw(&self) -> Picture {
        let (wide, tall) = self.plan.size;
        let mut canvas = Canvas::new(wide.max(0) as usize, tall.max(0) as usize);
        if self.plan.scale.ruled {
            for site in self.board.sites.iter().filter(|site| site.kind == SiteKind::Cell) {
                self.outline(&mut canvas, self.plan.at(site));
            }
        }
        for (from, to) in &self.board.paths {
            if let (Some(from), Some(to)) = (self.board.sites.get(*from), self.board.sites.get(*to)) {
                let (from, to) = (self.plan.at(from), self.plan.at(to));
                if from.0 == to.0 || from.1 == to.1 {
                    canvas.line(from, to, 1, self.theme.border());
                }
            }
        }
        self.labels(&mut canvas);
        let mut cursor = None;
        for (number, site) in self.board.sites.iter().enumerate() {
            let spot = Spot { board: self.index, site: number };
            self.site(&mut canvas, site, spot);
            if self.spots.cursor == Some(spot) {
                let (x, y) = self.plan.at(site);
                cursor = Some((usize::try_from(y).unwrap_or(0), usize::try_from(x).unwrap_or(0)));
            }
        }
        Picture { lines: canvas.into_lines(), cursor }
    }

    /// The lines round a cell.
    fn outline(&self, canvas: &mut Canvas, (x, y): (i32, i32)) {
        let Scale { across, down, .. } = self.plan.scale;
        let style = self.theme.border();
        let (half, rise) = (across / 2, down / 2);
        match self.board.grid {
            Grid::Graph => {}
            Grid::Square => {
                let (west, east, north, south) = (x - half, x + half, y - rise, y + rise);
                canvas.line((west, north), (east, north), 1, style);
                canvas.line((west, south), (east, south), 1, style);
                canvas.line((west, north), (west, south), 1, style);
                canvas.line((east, north), (east, south), 1, style);
            }
            Grid::Hex => {
                canvas.text((x - half, y), "│", style);
                canvas.text((x + half, y), "│", style);
                canvas.text((x - 1, y - 1), "╱", style);
                canvas.text((x + 1, y - 1), "╲", style);
                canvas.text((x - 1, y + 1), "╲", style);
                canvas.text((x + 1, y + 1), "╱", style);
            }
        }
    }

    /// Letters and numbers at the margins; where the sites of a graph have names of their own, these beneath them.
    fn labels(&self, canvas: &mut Canvas) {
        let (Some(columns), Some(rows)) = (&self.lattice.column_labels, &self.lattice.row_labels) else {
            if self.board.grid == Grid::Graph {
                self.names(canvas);
            }
            return;
        };
        let style = self.theme.dim();
        let (wide, tall) = self.plan.size;
        let Scale { across, down, ruled, .. } = self.plan.scale;
        let half = (across + i32::from(ruled)) / 2;
        let place = |at: (usize, usize)| {
            self.lattice.cell(at).and_then(|site| self.board.sites.get(site)).map(|site| self.plan.at(site))
        };
        let even = (0..self.lattice.rows).all(|row| self.lattice.cell((row, 0)).is_some());
        for (row, label) in rows.iter().enumerate() {
            let mut across = (0..self.lattice.columns).filter_map(|column| place((row, column)));
            let first = across.next();
            let Some((first, last)) = first.zip(across.next_back().or(first)) else { continue };
            let long = width(label) as i32;
            match self.board.grid {
                Grid::Square | Grid::Graph => {
                    canvas.text((self.plan.label - long, first.1), label, style);
                    canvas.text((wide - self.plan.label, first.1), label, style);
                }
                Grid::Hex if even => canvas.text((first.0 - half - 1 - long, first.1), label, style),
                Grid::Hex => canvas.text((last.0 + half + 1 + i32::from(ruled), last.1), label, style),
            }
        }
        for (column, label) in columns.iter().enumerate() {
            let top = (0..self.lattice.rows).find_map(|row| place((row, column)));
            let Some((x, y)) = top else { continue };
            match self.board.grid {
                Grid::Square | Grid::Graph => {
                    canvas.centred((x, 0), label, style);
                    if !self.plan.between {
                        canvas.centred((x, tall - 1), label, style);
                    }
                }
                Grid::Hex => canvas.centred((x - across / 2, y - down), label, style),
            }
        }
    }

    fn names(&self, canvas: &mut Canvas) {
        let room = usize::try_from(self.plan.scale.across - 1).unwrap_or(0);
        for site in &self.board.sites {
            let (x, y) = self.plan.at(site);
            canvas.centred((x, y + 1), &clip(&site.name, room), self.theme.dim());
        }
    }

    /// What lies on a site, and whether it stands out.
    fn site(&self, canvas: &mut Canvas, site: &SiteView, spot: Spot) {
        let at = self.plan.at(site);
        let Scale { down, room, ruled, .. } = self.plan.scale;
        let cursor = self.spots.cursor == Some(spot);
        let legal = self.spots.legal.contains(&spot);
        let last = self.spots.last.contains(&spot);
        let top = site.pieces.first();
        let ground = site.look.colour.map(|colour| self.theme.ground(colour)).unwrap_or_default();
        let mut style = ground.patch(match top {
            Some(piece) => signs::style(self.scene, piece, self.theme),
            None if legal => self.theme.legal(),
            None if site.look.colour.is_some() => ratatui::style::Style::new(),
            None => self.theme.dim(),
        });
        if cursor {
            style = style.patch(self.theme.chosen());
        }
        // Cells are filled; other sites are only as large as what stands on them.
        let filled = site.kind == SiteKind::Cell && self.board.grid != Grid::Graph;
        let line = site.kind == SiteKind::Edge || site.kind == SiteKind::Corner;
        let rise = if filled && !self.plan.between { (down - i32::from(ruled)) / 2 } else { 0 };
        let room = if line { 1 } else { room };
        let room = if filled { room } else { room.min(3) };
        if filled {
            for part in -rise..=rise {
                canvas.centred((at.0, at.1 + part), &" ".repeat(room), style);
            }
        }
        if last && !cursor {
            style = style.patch(self.theme.last());
        }
        let tile = top.filter(|piece| piece.look.shape == Some(Shape::Tile) && piece.look.sides.len() == 4);
        let text = match top {
            Some(piece) if tile.is_none() => signs::of_piece(self.scene, piece, self.kinds, site.pieces.len(), room),
            Some(_) => String::new(),
            None => self.empty(site, legal || cursor),
        };
        let brackets = match (cursor, legal && top.is_some(), last) {
            (true, ..) => ("[", "]"),
            (_, true, _) => ("‹", "›"),
            (_, _, true) => ("(", ")"),
            _ => ("", ""),
        };
        if let Some(piece) = tile {
            self.tile(canvas, piece, at, brackets);
            return;
        }
        let fits = width(&text) + 2 <= room;
        let text = if fits { format!("{}{text}{}", brackets.0, brackets.1) } else { text };
        canvas.centred(at, &if filled { centred(&text, room) } else { text }, style);
        if let Some(piece) = top.filter(|_| self.kinds && rise > 0) {
            canvas.centred((at.0, at.1 + 1), &centred(&piece.name, room), style);
        }
    }

    /// What stands on an empty site.
    fn empty(&self, site: &SiteView, open: bool) -> String {
        let mark = site.look.marks.first().map(|mark| signs::of_shape(*mark));
        let label = site.look.label.as_deref().filter(|label| !label.is_empty());
        match label.or(mark) {
            _ if open => "·".to_owned(),
            Some(said) => said.to_owned(),
            None if site.kind == SiteKind::Rim => "·".to_owned(),
            None if site.kind == SiteKind::Cell && !self.plan.scale.ruled && self.board.grid != Grid::Graph => {
                ".".to_owned()
            }
            None => String::new(),
        }
    }

    /// A square tile: thin and thick lines from its middle to its sides.
    fn tile(&self, canvas: &mut Canvas, piece: &CardView, (x, y): (i32, i32), brackets: (&str, &str)) {
        let Scale { across, down, room, .. } = self.plan.scale;
        let reach = [(0, -(down / 2)), (across / 2, 0), (0, down / 2), (-(across / 2), 0)];
        let ways = [Way::South, Way::West, Way::North, Way::East];
        let weights = piece.look.lines().unwrap_or_default();
        for (((side, weight), (east, south)), back) in piece.look.sides.iter().zip(weights).zip(reach).zip(ways) {
            if weight == 0 {
                continue;
            }
            let style = self.theme.colour(side.colour);
            let to = (x + east, y + south);
            if to == (x, y) {
                canvas.leave(to, back, weight, style);
            }
            canvas.erase((x, y), to);
            canvas.line((x, y), to, weight, style);
        }
        if let Some(mark) = piece.look.marks.first() {
            canvas.centred((x, y), signs::of_shape(*mark), signs::style(self.scene, piece, self.theme));
        }
        let half = room as i32 / 2;
        if !brackets.0.is_empty() && half > 0 {
            canvas.text((x - half, y), brackets.0, self.theme.legal());
            canvas.text((x + half, y), brackets.1, self.theme.legal());
        }
    }
}

/// Of the listed options, the one whose site is nearest to another in a direction: columns to the east, rows to the
/// north.
pub(super) fn neighbour(scene: &Scene, listed: &[usize], from: Spot, way: (i32, i32)) -> Option<usize> {
    let board = scene.view.boards.get(from.board)?;
    let here = on_screen(board.grid, board.sites.get(from.site)?.at);
    // No hex lies straight above another, so going up or down may go aside.
    let dear = if board.grid == Grid::Hex && way.0 == 0 { 1 } else { 2 };
    let candidates = listed.iter().filter_map(|index| {
        let spot = scene.spot(scene.options().get(*index)?.target)?;
        if spot.board != from.board || spot == from {
            return None;
        }
        let at = on_screen(board.grid, board.sites.get(spot.site)?.at);
        let (east, north) = (at.0 - here.0, at.1 - here.1);
        let ahead = east * way.0 + north * way.1;
        let aside = (east * way.1).abs() + (north * way.0).abs();
        (ahead > 0).then_some((ahead + dear * aside, aside, *index))
    });
    candidates.min().map(|(_, _, index)| index)
}

/// How far to the east and to the north a place is seen.
fn on_screen(grid: Grid, (x, y): (i32, i32)) -> (i32, i32) {
    match grid {
        Grid::Square | Grid::Graph => (2 * x, 2 * y),
        Grid::Hex => (2 * x + y, -2 * y),
    }
}

/// Of all options, the one whose site is nearest to a place on a board; without a place, to the middle of the first
/// board that options point at.
pub(super) fn nearest(scene: &Scene, from: Option<Spot>) -> Option<usize> {
    let spots: Vec<(usize, Spot)> = scene
        .options()
        .iter()
        .enumerate()
        .filter_map(|(option, info)| Some((option, scene.spot(info.target)?)))
        .collect();
    let from = from.filter(|from| spots.iter().any(|(_, spot)| spot.board == from.board));
    let index = from.or(spots.first().map(|(_, spot)| *spot))?.board;
    let board = scene.view.boards.get(index)?;
    let at = match from.and_then(|spot| board.sites.get(spot.site)) {
        Some(site) => on_screen(board.grid, site.at),
        None => {
            let (low, high) = board.bounds();
            on_screen(board.grid, ((low.0 + high.0) / 2, (low.1 + high.1) / 2))
        }
    };
    let distances = spots.into_iter().filter(|(_, spot)| spot.board == index).filter_map(|(option, spot)| {
        let site = on_screen(board.grid, board.sites.get(spot.site)?.at);
        let (east, north) = (site.0 - at.0, site.1 - at.1);
        Some((east * east + north * north, option))
    });
    distances.min().map(|(_, option)| option)
}

fn centred(text: &str, room: usize) -> String {
    let text = clip(text, room);
    let gap = room.saturating_sub(width(&text));
    format!("{}{text}{}", " ".repeat(gap / 2), " ".repeat(gap - gap / 2))
}
