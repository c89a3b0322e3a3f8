//! The geometry of a board, worked out once: its sites, how they are written, and what lies next to what.
//!
//! What comes in: a shape, whose words and sizes were checked. What goes out: tables over the numbers of the sites,
//! from which the compiler makes sets. Cells come first, row by row; then edges, corners and the places beside the
//! board, each in the order of the cells they touch first, clockwise.

use super::rules::{BoardShape, GraphShape, Places};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// No site: off the board.
pub const NO_SITE: u16 = u16::MAX;

/// Boards that would have more numbers with gaps have none.
const MOST_SPREAD: usize = 512;

/// What a site is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PlaceKind {
    /// A square, a hex, or a point of a graph.
    Cell,
    /// A side of a cell.
    Edge,
    /// A point where sides meet.
    Corner,
    /// A place beside the board, next to an outer side of a cell.
    Rim,
}

/// The geometry of one board.
#[derive(Clone, Debug, Default)]
pub struct Geometry {
    /// How each site is written.
    pub names: Vec<String>,
    /// What each site is.
    pub kinds: Vec<PlaceKind>,
    /// Column and row of each site, from 0; those of a cell that it touches, if it is none. A number that stands for no
    /// site, a gap, has [`NO_SITE`]: see [`Geometry::spread`].
    pub at: Vec<(u16, u16)>,
    /// Where the middle of each site is, in sixths of the step from a cell to the next, along both axes of the shape.
    pub spots: Vec<(i32, i32)>,
    /// Columns and rows of its picture.
    pub size: (u16, u16),
    /// Names of all directions: clockwise, but in the order of the text for graphs.
    pub directions: Vec<String>,
    /// The directions that neighbours, lines and distances go by, as a mask.
    pub used: u64,
    /// The opposite of each direction.
    pub opposite: Vec<u8>,
    /// Neighbour of a site in a direction: `site * directions + direction`.
    pub next: Vec<u16>,
    /// All neighbours of each site, in the order of the directions.
    pub near: Vec<Vec<u16>>,
    /// Those that share a side with it.
    pub beside: Vec<Vec<u16>>,
    /// Sites of other sorts that each site touches.
    pub touching: Vec<Vec<u16>>,
    /// The cell in the middle of a hexagon; else the first.
    pub origin: u16,
}

type Cell = (i32, i32);

const SQUARE: [(&str, Cell); 8] = [
    ("north", (0, 1)),
    ("northeast", (1, 1)),
    ("east", (1, 0)),
    ("southeast", (1, -1)),
    ("south", (0, -1)),
    ("southwest", (-1, -1)),
    ("west", (-1, 0)),
    ("northwest", (-1, 1)),
];

const HEX: [(&str, Cell); 6] = [
    ("east", (1, 0)),
    ("southeast", (0, 1)),
    ("southwest", (-1, 1)),
    ("west", (-1, 0)),
    ("northwest", (0, -1)),
    ("northeast", (1, -1)),
];

/// Whether squares or hexes have a direction of this name.
pub(super) fn is_direction(name: &str) -> bool {
    SQUARE.iter().any(|(direction, _)| *direction == name)
}

/// How the corner between each direction of hexes and the next is written.
const HEX_CORNERS: [&str; 6] = ["SE", "S", "SW", "NW", "N", "NE"];

/// The names of the directions that squares or hexes have.
pub fn direction_names(shape: &BoardShape) -> Vec<String> {
    match shape {
        BoardShape::Graph(graph) => graph.directions.clone(),
        shape => lattice(shape).iter().map(|(name, _)| (*name).to_owned()).collect(),
    }
}

/// The directions of squares or hexes with their steps: none of a graph.
fn lattice(shape: &BoardShape) -> &'static [(&'static str, Cell)] {
    match shape {
        BoardShape::Square { .. } | BoardShape::Endless { hexes: false } => &SQUARE,
        BoardShape::HexRhombus { .. } | BoardShape::Hexagon { .. } | BoardShape::Endless { hexes: true } => &HEX,
        BoardShape::Graph(_) => &[],
    }
}

/// The step in each direction of squares or hexes, in their order.
pub fn steps(shape: &BoardShape) -> Vec<(i64, i64)> {
    lattice(shape).iter().map(|(_, (x, y))| (i64::from(*x), i64::from(*y))).collect()
}

/// The first letters of a direction's parts, big: `NE`.
fn initials(direction: &str) -> String {
    let first = direction.chars().next().map(|letter| letter.to_ascii_uppercase());
    let second = ["east", "west"].into_iter().find(|end| direction.len() > end.len() && direction.ends_with(end));
    first
        .into_iter()
        .chain(second.and_then(|end| end.chars().next()).map(|letter| letter.to_ascii_uppercase()))
        .collect()
}

/// How many sites a shape has, so that a limit can be looked at before they are made.
pub fn count(shape: &BoardShape, places: &Places) -> i64 {
    let (cells, sides, outer) = match *shape {
        BoardShape::Square { columns, rows } => {
            let (c, r) = (i64::from(columns), i64::from(rows));
            (c * r, 4, 2 * (c + r))
        }
        BoardShape::HexRhombus { columns, rows } => {
            let (c, r) = (i64::from(columns), i64::from(rows));
            (c * r, 6, 4 * (c + r) - 2)
        }
        BoardShape::Hexagon { side } => {
            let n = i64::from(side);
            (3 * n * (n - 1) + 1, 6, 6 * (2 * n - 1))
        }
        BoardShape::Endless { .. } => return 0,
        BoardShape::Graph(ref graph) => return graph.sites.len() as i64,
    };
    // Every inner side belongs to two cells.
    let edges = (cells * sides + outer) / 2;
    let mut total = cells;
    if places.edges.is_some() {
        total += edges;
    }
    if places.corners.is_some() {
        // The cells, the outside and the sides of a plane drawing without holes.
        total += edges - cells + 1;
    }
    if places.rim.is_some() {
        total += outer;
    }
    total
}

impl Geometry {
    /// Works out the geometry of a board. `neighbours` is 4 or 8 for squares, and of no account for others.
    pub fn new(shape: &BoardShape, places: &Places, neighbours: u8) -> Geometry {
        match shape {
            BoardShape::Square { columns, rows } => {
                Builder::new(grid(*columns, *rows), &SQUARE, 2, neighbours == 4).build(places, |at| (at.0, at.1))
            }
            BoardShape::HexRhombus { columns, rows } => {
                Builder::new(grid(*columns, *rows), &HEX, 1, false).build(places, |at| (at.0, at.1))
            }
            BoardShape::Hexagon { side } => {
                let reach = i32::from(*side) - 1;
                let mut made =
                    Builder::new(hexagon(reach), &HEX, 1, false).build(places, |at| (at.0 + reach, at.1 + reach));
                made.origin =
                    made.kinds.iter().zip(&made.spots).position(|(_, spot)| *spot == (0, 0)).unwrap_or(0) as u16;
                made
            }
            BoardShape::Endless { hexes: false } => {
                Builder::new(Vec::new(), &SQUARE, 2, neighbours == 4).build(places, |at| at)
            }
            BoardShape::Endless { hexes: true } => Builder::new(Vec::new(), &HEX, 1, false).build(places, |at| at),
            BoardShape::Graph(graph) => of_graph(graph, &places.cells),
        }
    }

    /// The same board several times, each apart from the others.
    pub fn copied(self, copies: usize) -> Geometry {
        let sites = self.sites();
        let shifted = |site: u16, by: usize| if site == NO_SITE { NO_SITE } else { site + (by * sites) as u16 };
        let lists = |lists: &[Vec<u16>]| -> Vec<Vec<u16>> {
            let copy = |by: usize| lists.iter().map(move |list| list.iter().map(|site| shifted(*site, by)).collect());
            (0..copies).flat_map(copy).collect()
        };
        Geometry {
            next: (0..copies).flat_map(|by| self.next.iter().map(move |site| shifted(*site, by))).collect(),
            near: lists(&self.near),
            beside: lists(&self.beside),
            touching: lists(&self.touching),
            names: (0..copies).flat_map(|_| self.names.clone()).collect(),
            kinds: self.kinds.repeat(copies),
            at: self.at.repeat(copies),
            spots: self.spots.repeat(copies),
            ..self
        }
    }

    /// The last column and the last row, counted from 1.
    pub fn last(&self) -> (i64, i64) {
        let places = self.at.iter().filter(|(column, row)| *column != NO_SITE && *row != NO_SITE);
        let last = places.fold((0, 0), |last, at| (last.0.max(at.0 + 1), last.1.max(at.1 + 1)));
        (last.0.into(), last.1.into())
    }

    /// The number of sites, gaps included.
    pub fn sites(&self) -> usize {
        self.names.len()
    }

    /// Whether a number stands for no site.
    pub fn is_gap(&self, site: usize) -> bool {
        self.at.get(site).is_some_and(|at| at.0 == NO_SITE)
    }

    /// How the sites are written, gaps left out.
    pub fn written(&self) -> impl Iterator<Item = &String> {
        self.names.iter().enumerate().filter(|(site, _)| !self.is_gap(*site)).map(|(_, name)| name)
    }

    /// The same cells with gaps between rows of different lengths, as many numbers to a row as the longest has: then the
    /// set of the neighbours in a direction is the set itself, moved by so many bits. In order, so that nobody can tell;
    /// boards of squares are so already, and others stay as they are.
    pub fn spread(self) -> Geometry {
        let (sites, row) = (self.sites(), usize::from(self.size.0));
        let cells = self.kinds.iter().all(|kind| *kind == PlaceKind::Cell);
        let first = self.at.first().map_or(0, |at| usize::from(at.0) + usize::from(at.1) * row);
        let number = |at: &(u16, u16)| (usize::from(at.0) + usize::from(at.1) * row).checked_sub(first);
        let Some(numbers) = self.at.iter().map(number).collect::<Option<Vec<usize>>>() else { return self };
        let total = numbers.last().map_or(0, |last| last + 1);
        if !cells || self.directions.len() != 6 || total <= sites || total > MOST_SPREAD {
            return self;
        }
        let to = |site: u16| numbers.get(usize::from(site)).map_or(NO_SITE, |to| *to as u16);
        let ways = self.directions.len();
        let mut made = Geometry {
            names: vec![String::new(); total],
            kinds: vec![PlaceKind::Cell; total],
            at: vec![(NO_SITE, NO_SITE); total],
            spots: vec![(0, 0); total],
            next: vec![NO_SITE; total * ways],
            near: vec![Vec::new(); total],
            beside: vec![Vec::new(); total],
            touching: vec![Vec::new(); total],
            origin: to(self.origin),
            ..self.clone()
        };
        let all = |list: &[u16]| list.iter().map(|site| to(*site)).collect::<Vec<u16>>();
        for (site, number) in numbers.iter().enumerate() {
            made.names[*number] = self.names[site].clone();
            made.kinds[*number] = self.kinds[site];
            (made.at[*number], made.spots[*number]) = (self.at[site], self.spots[site]);
            made.next[number * ways..(number + 1) * ways]
                .copy_from_slice(&all(&self.next[site * ways..(site + 1) * ways]));
            (made.near[*number], made.beside[*number]) = (all(&self.near[site]), all(&self.beside[site]));
        }
        made
    }

    /// The site of a name.
    pub fn site(&self, name: &str) -> Option<usize> {
        self.names.iter().position(|other| other == name)
    }

    /// The direction of a name.
    pub fn direction(&self, name: &str) -> Option<usize> {
        self.directions.iter().position(|other| other == name)
    }

    /// The neighbour of a site in a direction.
    pub fn step(&self, site: usize, direction: usize) -> Option<usize> {
        let next = *self.next.get(site * self.directions.len() + direction)?;
        (next != NO_SITE).then_some(usize::from(next))
    }

    /// The directions that neighbours go by, in their order.
    pub fn ways(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.directions.len()).filter(|way| (self.used >> way) & 1 == 1)
    }

    /// Two sites that are written alike, if there are any.
    pub fn twins(&self) -> Option<&str> {
        let mut seen = std::collections::BTreeSet::new();
        self.written().find(|name| !seen.insert(name.as_str())).map(String::as_str)
    }
}

/// A grid of squares or hexes being made.
struct Builder {
    cells: Vec<Cell>,
    ways: &'static [(&'static str, Cell)],
    /// Every how many directions one leads over a side.
    every: usize,
    sides_only: bool,
    made: Geometry,
}

impl Builder {
    fn new(cells: Vec<Cell>, ways: &'static [(&'static str, Cell)], every: usize, sides_only: bool) -> Builder {
        Builder { cells, ways, every, sides_only, made: Geometry::default() }
    }

    /// The directions that lead over a side, clockwise.
    fn sides(&self) -> impl Iterator<Item = usize> + use<> {
        (0..self.ways.len()).step_by(self.every)
    }

    fn build(mut self, places: &Places, axes: impl Fn(Cell) -> Cell) -> Geometry {
        let (ways, half) = (self.ways.len(), self.ways.len() / 2);
        self.made.directions = self.ways.iter().map(|(name, _)| (*name).to_owned()).collect();
        self.made.opposite = (0..ways).map(|way| ((way + half) % ways) as u8).collect();
        let leads = |way: &usize| !self.sides_only || way.is_multiple_of(self.every);
        self.made.used = (0..ways).filter(leads).fold(0, |mask, way| mask | 1 << way);
        for cell in self.cells.clone() {
            let (column, row) = axes(cell);
            let name = fill(&places.cells, &[], (column, row), cell);
            self.put(name, PlaceKind::Cell, (column as u16, row as u16), (6 * cell.0, 6 * cell.1));
        }
        self.made.size = self.made.at.iter().fold((0, 0), |size, at| (size.0.max(at.0 + 1), size.1.max(at.1 + 1)));
        let index: BTreeMap<Cell, usize> = self.cells.iter().enumerate().map(|(site, cell)| (*cell, site)).collect();
        for (site, cell) in self.cells.iter().enumerate() {
            for (way, (_, by)) in self.ways.iter().enumerate() {
                let to = index.get(&(cell.0 + by.0, cell.1 + by.1)).copied();
                self.made.next[site * ways + way] = to.map_or(NO_SITE, |to| to as u16);
            }
        }
        for site in 0..self.cells.len() {
            let lead = |way: usize| self.made.step(site, way).map(|to| to as u16);
            let near = self.made.ways().filter_map(lead).collect();
            let beside = self.sides().filter_map(lead).collect();
            self.made.near[site] = near;
            self.made.beside[site] = beside;
        }
        self.between(places, &axes);
        if let Some(pattern) = &places.rim {
            self.beside_the_board(pattern, &axes);
        }
        self.made
    }

    /// Adds a site without neighbours.
    fn put(&mut self, name: String, kind: PlaceKind, at: (u16, u16), spot: (i32, i32)) -> usize {
        self.made.names.push(name);
        self.made.kinds.push(kind);
        self.made.at.push(at);
        self.made.spots.push(spot);
        self.made.next.extend(std::iter::repeat_n(NO_SITE, self.ways.len()));
        self.made.near.push(Vec::new());
        self.made.beside.push(Vec::new());
        self.made.touching.push(Vec::new());
        self.made.names.len() - 1
    }

    fn touch(&mut self, a: usize, b: usize) {
        self.made.touching[a].push(b as u16);
        self.made.touching[b].push(a as u16);
    }

    /// Where the corner after a side of a cell is, clockwise.
    fn corner_spot(&self, cell: Cell, side: usize) -> Cell {
        let ((_, a), (_, b)) = (self.ways[side], self.ways[(side + self.every) % self.ways.len()]);
        let part = if self.every == 2 { 3 } else { 2 };
        (6 * cell.0 + part * (a.0 + b.0), 6 * cell.1 + part * (a.1 + b.1))
    }

    /// Edges and corners, and what they touch.
    fn between(&mut self, places: &Places, axes: &impl Fn(Cell) -> Cell) {
        let ways = self.ways.len();
        let mut edges: BTreeMap<Cell, (usize, [Cell; 2])> = BTreeMap::new();
        let mut corners: BTreeMap<Cell, usize> = BTreeMap::new();
        if let Some(pattern) = &places.edges {
            for (site, cell) in self.cells.clone().into_iter().enumerate() {
                for side in self.sides() {
                    let (name, by) = self.ways[side];
                    let spot = (6 * cell.0 + 3 * by.0, 6 * cell.1 + 3 * by.1);
                    let ends =
                        [self.corner_spot(cell, (side + ways - self.every) % ways), self.corner_spot(cell, side)];
                    let edge = match edges.get(&spot) {
                        Some((edge, _)) => *edge,
                        None => {
                            let words = [("{side}", initials(name)), ("{cell}", self.made.names[site].clone())];
                            let name = fill(pattern, &words, axes(cell), cell);
                            let edge = self.put(name, PlaceKind::Edge, self.made.at[site], spot);
                            edges.insert(spot, (edge, ends));
                            edge
                        }
                    };
                    self.touch(site, edge);
                }
            }
        }
        if let Some(pattern) = &places.corners {
            for (site, cell) in self.cells.clone().into_iter().enumerate() {
                for side in self.sides() {
                    let spot = self.corner_spot(cell, side);
                    let corner = match corners.get(&spot) {
                        Some(corner) => *corner,
                        None => {
                            let side = if self.every == 2 {
                                initials(self.ways[side + 1].0)
                            } else {
                                HEX_CORNERS[side].to_owned()
                            };
                            let words = [("{side}", side), ("{cell}", self.made.names[site].clone())];
                            // The corners of squares are themselves a grid.
                            let square = self.every == 2;
                            let own = if square { ((spot.0 + 3) / 6, (spot.1 + 3) / 6) } else { axes(cell) };
                            let name = fill(pattern, &words, own, if square { own } else { cell });
                            let corner = self.put(name, PlaceKind::Corner, self.made.at[site], spot);
                            corners.insert(spot, corner);
                            corner
                        }
                    };
                    self.touch(site, corner);
                }
            }
        }
        let mut by_end: BTreeMap<Cell, Vec<u16>> = BTreeMap::new();
        for (edge, ends) in edges.values() {
            for end in ends {
                by_end.entry(*end).or_default().push(*edge as u16);
                if let Some(corner) = corners.get(end) {
                    self.touch(*edge, *corner);
                }
            }
        }
        for (edge, ends) in edges.values() {
            let mut near: Vec<u16> = ends.iter().filter_map(|end| by_end.get(end)).flatten().copied().collect();
            near.retain(|other| usize::from(*other) != *edge);
            near.sort_unstable();
            self.made.near[*edge] = near.clone();
            self.made.beside[*edge] = near;
        }
        // Corners are joined by sides, also where the board has no edges as sites.
        let mut joined: BTreeMap<usize, std::collections::BTreeSet<u16>> = BTreeMap::new();
        for cell in &self.cells {
            for side in self.sides() {
                let ends = [self.corner_spot(*cell, (side + ways - self.every) % ways), self.corner_spot(*cell, side)];
                if let [Some(a), Some(b)] = ends.map(|end| corners.get(&end).copied()) {
                    joined.entry(a).or_default().insert(b as u16);
                    joined.entry(b).or_default().insert(a as u16);
                }
            }
        }
        for (corner, near) in joined {
            self.made.near[corner] = near.iter().copied().collect();
            self.made.beside[corner] = near.into_iter().collect();
        }
    }

    /// The places beside the board: from each, one step inwards leads to its cell.
    fn beside_the_board(&mut self, pattern: &str, axes: &impl Fn(Cell) -> Cell) {
        let ways_are_square = self.ways.len() == 8;
        for (site, cell) in self.cells.clone().into_iter().enumerate() {
            for side in self.sides() {
                if self.made.step(site, side).is_some() {
                    continue;
                }
                let (name, by) = self.ways[side];
                let words = [("{side}", initials(name)), ("{cell}", self.made.names[site].clone())];
                let name = fill(pattern, &words, axes(cell), cell);
                // Beside hexes, places of two cells share one gap.
                let far = if ways_are_square { 5 } else { 4 };
                let spot = (6 * cell.0 + far * by.0, 6 * cell.1 + far * by.1);
                let rim = self.put(name, PlaceKind::Rim, self.made.at[site], spot);
                let inwards = usize::from(self.made.opposite[side]);
                self.made.next[rim * self.ways.len() + inwards] = site as u16;
                self.touch(site, rim);
            }
        }
    }
}

/// The points of a graph, placed as is written, or as their names say where these are letters and a number.
fn of_graph(graph: &GraphShape, pattern: &str) -> Geometry {
    let (sites, ways) = (graph.sites.len(), graph.directions.len());
    let written = |site: usize| graph.places.iter().find(|(of, _)| *of == site).map(|(_, place)| *place);
    let named = graph.sites.iter().enumerate();
    let mut at: Vec<(u16, u16)> =
        named.filter_map(|(site, name)| written(site).or_else(|| place_in(pattern, name))).collect();
    let mut taken = std::collections::BTreeSet::new();
    if at.len() < sites || !at.iter().all(|at| taken.insert(*at)) {
        let across = (1..).find(|across| across * across >= sites).unwrap_or(1);
        at = (0..sites).map(|site| ((site % across) as u16, (site / across) as u16)).collect();
    }
    let mut next = vec![NO_SITE; sites * ways];
    let mut joined: Vec<Vec<u16>> = vec![Vec::new(); sites];
    let opposite: Vec<u8> = (0..ways).map(|way| (way ^ 1) as u8).collect();
    for path in &graph.paths {
        match path.way {
            Some(way) => {
                next[path.from * ways + way] = path.to as u16;
                next[path.to * ways + (way ^ 1)] = path.from as u16;
            }
            None => {
                joined[path.from].push(path.to as u16);
                joined[path.to].push(path.from as u16);
            }
        }
    }
    let mut near: Vec<Vec<u16>> = Vec::with_capacity(sites);
    for (site, joined) in joined.iter().enumerate() {
        let mut found: Vec<u16> = Vec::new();
        for to in next[site * ways..(site + 1) * ways].iter().chain(joined) {
            if *to != NO_SITE && !found.contains(to) {
                found.push(*to);
            }
        }
        near.push(found);
    }
    Geometry {
        names: graph.sites.clone(),
        kinds: vec![PlaceKind::Cell; sites],
        spots: at.iter().map(|at| (6 * i32::from(at.0), 6 * i32::from(at.1))).collect(),
        size: at.iter().fold((0, 0), |size, at| (size.0.max(at.0 + 1), size.1.max(at.1 + 1))),
        at,
        directions: graph.directions.clone(),
        used: if ways == 64 { u64::MAX } else { (1 << ways) - 1 },
        opposite,
        next,
        beside: near.clone(),
        near,
        touching: vec![Vec::new(); sites],
        origin: 0,
    }
}

fn grid(columns: u16, rows: u16) -> Vec<Cell> {
    (0..i32::from(rows)).flat_map(|y| (0..i32::from(columns)).map(move |x| (x, y))).collect()
}

/// Axial coordinates of a hexagon around the middle, rows from the smallest `r`.
fn hexagon(reach: i32) -> Vec<Cell> {
    (-reach..=reach)
        .flat_map(|r| (-reach..=reach).map(move |q| (q, r)))
        .filter(|(q, r)| (q + r).abs() <= reach)
        .collect()
}

/// A column as letters: a, b ... z, aa, ab.
fn letters(column: i32) -> String {
    let (mut letters, mut left) = (String::new(), column + 1);
    while left > 0 {
        letters.insert(0, char::from(b'a' + ((left - 1) % 26) as u8));
        left = (left - 1) / 26;
    }
    letters
}

/// Fills in a pattern: `{col}` (letters), `{row}` (from 1), `{x}`, `{y}` (from 0), `{q}`, `{r}`, and other words.
fn fill(pattern: &str, words: &[(&str, String)], (column, row): Cell, (q, r): Cell) -> String {
    let plain = pattern
        .replace("{col}", &letters(column))
        .replace("{row}", &(row + 1).to_string())
        .replace("{x}", &column.to_string())
        .replace("{y}", &row.to_string())
        .replace("{q}", &q.to_string())
        .replace("{r}", &r.to_string());
    words.iter().fold(plain, |text, (word, value)| text.replace(word, value))
}

/// The column and row that a name says, where the pattern is letters and a number.
fn place_in(pattern: &str, name: &str) -> Option<(u16, u16)> {
    if pattern != "{col}{row}" {
        return None;
    }
    let digits = name.find(|letter: char| letter.is_ascii_digit())?;
    let (column, row) = name.split_at(digits);
    let row: u16 = row.parse().ok().filter(|row| (1..=1024).contains(row))?;
    let column = column.bytes().try_fold(0u16, |total, letter| {
        letter.is_ascii_lowercase().then(|| total.checked_mul(26)?.checked_add(u16::from(letter - b'a') + 1)).flatten()
    })?;
    (1..=1024).contains(&column).then(|| (column - 1, row - 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn places() -> Places {
        let site = |text: &str| Some(text.to_owned());
        Places { cells: "{col}{row}".into(), edges: site("{side}{cell}"), corners: site("{cell}{side}"), rim: None }
    }

    fn has(board: &Geometry, kind: PlaceKind) -> usize {
        board.kinds.iter().filter(|found| **found == kind).count()
    }

    #[test]
    fn sites_are_as_many_as_counted_and_written_each_in_its_own_way() {
        let rim = Places { edges: None, corners: None, rim: Some("{side}{cell}".into()), ..places() };
        for shape in [
            BoardShape::Square { columns: 4, rows: 3 },
            BoardShape::Square { columns: 1, rows: 1 },
            BoardShape::HexRhombus { columns: 3, rows: 5 },
            BoardShape::HexRhombus { columns: 1, rows: 1 },
            BoardShape::Hexagon { side: 3 },
            BoardShape::Hexagon { side: 1 },
        ] {
            for places in [&places(), &rim] {
                let board = Geometry::new(&shape, places, 8);
                assert_eq!(board.sites() as i64, count(&shape, places), "{shape:?}");
                assert_eq!(board.twins(), None, "{shape:?}");
                let spots: std::collections::BTreeSet<_> = board.spots.iter().collect();
                assert_eq!(spots.len(), board.sites(), "{shape:?}");
                for (site, touching) in board.touching.iter().enumerate() {
                    for other in touching {
                        assert!(board.touching[usize::from(*other)].contains(&(site as u16)));
                        assert_ne!(board.kinds[site], board.kinds[usize::from(*other)]);
                    }
                }
            }
        }
    }

    #[test]
    fn a_hexagon_with_gaps_is_the_same_board_and_a_step_adds_the_same_number_everywhere() {
        let cells = Places { cells: "{col}{row}".into(), edges: None, corners: None, rim: None };
        for side in 1..=12 {
            let dense = Geometry::new(&BoardShape::Hexagon { side }, &cells, 8);
            let spread = dense.clone().spread();
            assert!(dense.names.iter().eq(spread.written()), "in their order");
            assert_eq!(spread.sites() > dense.sites(), side > 2);
            let there = |site: usize| spread.site(&dense.names[site]).unwrap();
            assert_eq!(spread.origin as usize, there(usize::from(dense.origin)));
            let lists = |list: &[u16]| list.iter().map(|site| there(usize::from(*site)) as u16).collect::<Vec<u16>>();
            let mut steps = vec![std::collections::BTreeSet::new(); 6];
            for site in 0..dense.sites() {
                let at = there(site);
                assert_eq!((spread.at[at], spread.spots[at]), (dense.at[site], dense.spots[site]));
                assert_eq!(spread.near[at], lists(&dense.near[site]));
                assert_eq!(spread.beside[at], lists(&dense.beside[site]));
                for (way, steps) in steps.iter_mut().enumerate() {
                    let to = spread.step(at, way);
                    assert_eq!(to, dense.step(site, way).map(there));
                    steps.extend(to.map(|to| to as isize - at as isize));
                }
            }
            assert!(steps.iter().all(|steps| steps.len() <= 1), "{steps:?}");
        }
    }

    #[test]
    fn edges_and_corners_of_one_hex() {
        let board = Geometry::new(&BoardShape::Hexagon { side: 1 }, &places(), 8);
        assert_eq!((has(&board, PlaceKind::Edge), has(&board, PlaceKind::Corner)), (6, 6));
        assert!(board.near[1..].iter().all(|near| near.len() == 2));
        assert_eq!(board.names[1..7], ["Ea1", "SEa1", "SWa1", "Wa1", "NWa1", "NEa1"]);
        assert_eq!(board.names[7..], ["a1SE", "a1S", "a1SW", "a1NW", "a1N", "a1NE"]);
    }
}
