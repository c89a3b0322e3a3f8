//! Geometry from coordinates rather than tables: a place is the cells that meet there.

use crate::model::geometry::PlaceKind;
use crate::model::rules::{Board, BoardShape, Per};
use std::collections::{BTreeMap, BTreeSet};

/// Coordinates of a cell, on the board or beside it.
pub(super) type Cell = (i64, i64);

/// What a site is, by the cells that it lies between.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Place {
    Cell(Cell),
    Edge(BTreeSet<Cell>),
    Corner(BTreeSet<Cell>),
    /// From a cell beside the board to one on it.
    Rim(Cell, Cell),
    Point(usize),
}

/// The places of a board.
pub(super) struct Geometry<'b> {
    board: &'b Board,
    /// By the number of the site; none where no site has it.
    places: Vec<Option<Place>>,
    sites: BTreeMap<Place, i64>,
}

/// How far apart the boards of players lie.
const APART: i64 = 10_000;

/// The cells of a board in site order.
fn cells(shape: &BoardShape) -> Vec<Cell> {
    match *shape {
        BoardShape::Square { columns, rows } | BoardShape::HexRhombus { columns, rows } => {
            (0..i64::from(rows)).flat_map(|y| (0..i64::from(columns)).map(move |x| (x, y))).collect()
        }
        BoardShape::Hexagon { side } => {
            let reach = i64::from(side) - 1;
            let all = (-reach..=reach).flat_map(|r| (-reach..=reach).map(move |q| (q, r)));
            all.filter(|(q, r)| (q + r).abs() <= reach).collect()
        }
        BoardShape::Graph(_) | BoardShape::Endless { .. } => Vec::new(),
    }
}

/// The step that a direction is.
fn delta(square: bool, name: &str) -> Cell {
    match (name, square) {
        ("east", _) => (1, 0),
        ("west", _) => (-1, 0),
        ("north", _) => (0, 1),
        ("south", _) => (0, -1),
        ("northeast", true) => (1, 1),
        ("southeast", true) => (1, -1),
        ("southwest", true) => (-1, -1),
        ("northwest", true) => (-1, 1),
        ("southeast", false) => (0, 1),
        ("southwest", false) => (-1, 1),
        ("northwest", false) => (0, -1),
        _ => (1, -1),
    }
}

fn plus(a: Cell, b: Cell) -> Cell {
    (a.0 + b.0, a.1 + b.1)
}

impl<'b> Geometry<'b> {
    /// Works out the places of a board.
    pub fn new(board: &'b Board, copies: usize) -> Geometry<'b> {
        let mut made = Geometry { board, places: Vec::new(), sites: BTreeMap::new() };
        let copies = if board.per == Per::Player { copies } else { 1 };
        if let BoardShape::Graph(graph) = &board.shape {
            (0..graph.sites.len() * copies).for_each(|point| made.put(Place::Point(point)));
            return made;
        }
        for copy in 0..copies as i64 {
            made.build(cells(&board.shape).into_iter().map(|(x, y)| (x + copy * APART, y)).collect());
        }
        made
    }

    /// Adds the places of one copy of the board.
    fn build(&mut self, cells: Vec<Cell>) {
        let (board, made) = (self.board, self);
        cells.iter().for_each(|cell| made.put(Place::Cell(*cell)));
        let sides = made.sides();
        if board.places.edges.is_some() {
            for cell in &cells {
                sides.iter().for_each(|side| made.put(Place::Edge([*cell, plus(*cell, *side)].into())));
            }
        }
        if board.places.corners.is_some() {
            for cell in &cells {
                for (index, side) in sides.iter().enumerate() {
                    let next = sides[(index + 1) % sides.len()];
                    let mut meet: BTreeSet<Cell> = [*cell, plus(*cell, *side), plus(*cell, next)].into();
                    if made.square() {
                        meet.insert(plus(plus(*cell, *side), next));
                    }
                    made.put(Place::Corner(meet));
                }
            }
        }
        if board.places.rim.is_some() {
            for cell in &cells {
                for side in &sides {
                    let outer = plus(*cell, *side);
                    if !cells.contains(&outer) {
                        made.put(Place::Rim(outer, *cell));
                    }
                }
            }
        }
    }

    fn put(&mut self, place: Place) {
        if !self.sites.contains_key(&place) {
            // Which numbers are left free is not the business of geometry.
            while self.board.geometry.is_gap(self.places.len()) {
                self.places.push(None);
            }
            self.sites.insert(place.clone(), self.places.len() as i64);
            self.places.push(Some(place));
        }
    }

    fn square(&self) -> bool {
        matches!(self.board.shape, BoardShape::Square { .. } | BoardShape::Endless { hexes: false })
    }

    fn directions(&self) -> &'b [String] {
        &self.board.geometry.directions
    }

    fn delta(&self, way: i64) -> Option<Cell> {
        let name = usize::try_from(way).ok().and_then(|way| self.directions().get(way))?;
        Some(delta(self.square(), name))
    }

    /// The steps over the sides of a cell, clockwise.
    fn sides(&self) -> Vec<Cell> {
        let all = self.directions().iter().map(|name| delta(self.square(), name));
        all.filter(|(x, y)| !self.square() || x * y == 0).collect()
    }

    /// How many sites there are.
    pub fn count(&self) -> i64 {
        self.places.len() as i64
    }

    fn place(&self, site: i64) -> Option<&Place> {
        self.places.get(usize::try_from(site).ok()?)?.as_ref()
    }

    fn cell_site(&self, cell: Cell) -> Option<i64> {
        self.sites.get(&Place::Cell(cell)).copied()
    }

    /// The directions that neighbours go by.
    pub fn ways(&self) -> Vec<i64> {
        let all = 0..self.directions().len() as i64;
        let diagonal = |way: i64| self.delta(way).is_some_and(|(x, y)| x * y != 0);
        all.filter(|way| !(self.square() && self.board.neighbours == 4 && diagonal(*way))).collect()
    }

    /// The opposite of a direction.
    pub fn opposite(&self, way: i64) -> Option<i64> {
        if matches!(self.board.shape, BoardShape::Graph(_)) {
            return Some(if way % 2 == 0 { way + 1 } else { way - 1 });
        }
        let (x, y) = self.delta(way)?;
        (0..self.directions().len() as i64).find(|other| self.delta(*other) == Some((-x, -y)))
    }

    /// The sort of a site.
    pub fn kind(&self, site: i64) -> Option<PlaceKind> {
        Some(match self.place(site)? {
            Place::Cell(_) | Place::Point(_) => PlaceKind::Cell,
            Place::Edge(_) => PlaceKind::Edge,
            Place::Corner(_) => PlaceKind::Corner,
            Place::Rim(..) => PlaceKind::Rim,
        })
    }

    /// The next site in a direction.
    pub fn next(&self, site: i64, way: i64) -> Option<i64> {
        match self.place(site)? {
            Place::Cell(cell) => self.cell_site(plus(*cell, self.delta(way)?)),
            Place::Rim(outer, cell) => (plus(*outer, self.delta(way)?) == *cell).then(|| self.cell_site(*cell))?,
            Place::Point(point) => {
                let BoardShape::Graph(graph) = &self.board.shape else { return None };
                let (copy, point) = (point / graph.sites.len(), point % graph.sites.len());
                let found = graph.paths.iter().find_map(|path| {
                    let known = path.way? as i64;
                    if (path.from, known) == (point, way) {
                        Some(path.to)
                    } else {
                        (path.to == point && self.opposite(known) == Some(way)).then_some(path.from)
                    }
                })?;
                Some((found + copy * graph.sites.len()) as i64)
            }
            Place::Edge(_) | Place::Corner(_) => None,
        }
    }

    /// The neighbours of a site, those in the directions in their order.
    pub fn near(&self, site: i64, over_sides: bool) -> Vec<i64> {
        let mut found = Vec::new();
        match self.place(site) {
            Some(Place::Cell(cell)) => {
                let diagonal = |way: i64| self.square() && self.delta(way).is_some_and(|(x, y)| x * y != 0);
                let ways = self.ways().into_iter().filter(|way| !(over_sides && diagonal(*way)));
                let steps = ways.filter_map(|way| self.delta(way));
                found.extend(steps.filter_map(|by| self.cell_site(plus(*cell, by))));
            }
            Some(Place::Edge(pair)) => {
                for (other, place) in self.places.iter().enumerate() {
                    if let Some(Place::Edge(others)) = place
                        && others != pair
                        && meet(self.square(), pair, others)
                    {
                        found.push(other as i64);
                    }
                }
            }
            Some(Place::Corner(meeting)) => {
                for (other, place) in self.places.iter().enumerate() {
                    if let Some(Place::Corner(others)) = place {
                        let both: Vec<&Cell> = meeting.intersection(others).collect();
                        let on_board = both.iter().any(|cell| self.cell_site(**cell).is_some());
                        if both.len() == 2 && on_board {
                            found.push(other as i64);
                        }
                    }
                }
            }
            Some(Place::Point(point)) => {
                found.extend(self.ways().into_iter().filter_map(|way| self.next(site, way)));
                if let BoardShape::Graph(graph) = &self.board.shape {
                    let (first, point) = (point - point % graph.sites.len(), point % graph.sites.len());
                    for path in graph.paths.iter().filter(|path| path.way.is_none()) {
                        if path.from == point {
                            found.push((first + path.to) as i64);
                        } else if path.to == point {
                            found.push((first + path.from) as i64);
                        }
                    }
                }
            }
            Some(Place::Rim(..)) | None => {}
        }
        found
    }

    /// The direction in which a place lies that touches a site, if it lies straight in one.
    pub fn side(&self, from: i64, to: i64) -> Option<i64> {
        if from == to || !self.touch(from, to) {
            return None;
        }
        let (a, b) = (self.centre(from)?, self.centre(to)?);
        let (x, y) = (b.0 - a.0, b.1 - a.1);
        let straight = |way: &i64| self.delta(*way).is_some_and(|(p, q)| x * q == y * p && x * p + y * q > 0);
        (0..self.directions().len() as i64).find(straight)
    }

    /// The middle of a place, in twelfths of a step.
    fn centre(&self, site: i64) -> Option<Cell> {
        let mean = |cells: &BTreeSet<Cell>| {
            let (x, y) = cells.iter().fold((0, 0), |sum, cell| plus(sum, *cell));
            (x * 12 / cells.len() as i64, y * 12 / cells.len() as i64)
        };
        match self.place(site)? {
            Place::Cell((x, y)) | Place::Rim((x, y), _) => Some((12 * x, 12 * y)),
            Place::Edge(cells) | Place::Corner(cells) => Some(mean(cells)),
            Place::Point(_) => None,
        }
    }

    /// Whether two sites touch; one of the same sort only itself.
    pub fn touch(&self, a: i64, b: i64) -> bool {
        let (Some(one), Some(other)) = (self.place(a), self.place(b)) else { return false };
        match (one, other) {
            (Place::Cell(cell), Place::Edge(cells) | Place::Corner(cells)) => cells.contains(cell),
            (Place::Edge(pair), Place::Corner(cells)) => pair.is_subset(cells),
            (Place::Cell(cell), Place::Rim(_, inner)) => cell == inner,
            (Place::Rim(..), Place::Cell(_)) | (Place::Edge(_) | Place::Corner(_), Place::Cell(_)) => self.touch(b, a),
            (Place::Corner(_), Place::Edge(_)) => self.touch(b, a),
            _ => a == b,
        }
    }

    /// Whether a cell has a side on the outside.
    pub fn outer(&self, site: i64) -> bool {
        let Some(Place::Cell(cell)) = self.place(site) else { return false };
        self.sides().into_iter().any(|side| self.cell_site(plus(*cell, side)).is_none())
    }

    /// Column and row from 1: of a place that is no cell, those of the first cell it touches.
    pub fn column_row(&self, site: i64) -> Option<(i64, i64)> {
        let at = |site: i64| match self.place(site) {
            Some(Place::Cell((x, y))) => Some(((x + APART / 2).rem_euclid(APART) - APART / 2, *y)),
            Some(Place::Point(point)) => {
                let (column, row) = *self.board.geometry.at.get(*point)?;
                Some((i64::from(column), i64::from(row)))
            }
            _ => None,
        };
        let cell = (0..self.count()).find(|other| at(*other).is_some() && self.touch(site, *other))?;
        let all: Vec<Cell> = (0..self.count()).filter_map(at).collect();
        let graph = matches!(self.board.shape, BoardShape::Graph(_));
        let least = |pick: fn(&Cell) -> i64| if graph { 0 } else { all.iter().map(pick).min().unwrap_or(0) };
        at(cell).map(|(x, y)| (x - least(|cell| cell.0) + 1, y - least(|cell| cell.1) + 1))
    }

    /// The site in the middle of a hexagon; else the first.
    pub fn origin(&self) -> i64 {
        match self.board.shape {
            BoardShape::Hexagon { .. } => self.cell_site((0, 0)).unwrap_or(0),
            _ => 0,
        }
    }
}

/// Whether two sides, each between two cells, have an end in common.
fn meet(square: bool, one: &BTreeSet<Cell>, other: &BTreeSet<Cell>) -> bool {
    let all: Vec<&Cell> = one.union(other).collect();
    let close = |a: &Cell, b: &Cell| {
        let (x, y) = (b.0 - a.0, b.1 - a.1);
        if square { x.abs() <= 1 && y.abs() <= 1 } else { (x.abs() + y.abs() + (x + y).abs()) / 2 <= 1 }
    };
    all.iter().all(|a| all.iter().all(|b| close(a, b)))
}
