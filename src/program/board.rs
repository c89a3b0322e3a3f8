//! Geometry of boards, worked out once: neighbours by direction, neighbour sets, names.

use crate::model::rules::{Board, BoardShape};

/// No site: off the board.
pub const NO_SITE: u16 = u16::MAX;

/// The geometry of one board.
#[derive(Clone, Debug)]
pub struct Topology {
    /// Number of sites.
    pub sites: u16,
    /// Columns and rows of its picture.
    pub size: (u16, u16),
    /// Names of the directions; opposite directions are half the list apart.
    pub directions: &'static [&'static str],
    /// The directions clockwise, from north where there is one.
    pub clockwise: Vec<u8>,
    /// How many of the first half of the directions, and of the second, are orthogonal.
    pub orthogonal: u16,
    /// Neighbour of a site in a direction: `site * directions + direction`.
    pub next: Vec<u16>,
    /// All neighbours of each site, `width` words each.
    pub around: Vec<u64>,
    /// Orthogonal neighbours of each site.
    pub beside: Vec<u64>,
    /// All sites, as a set.
    pub all: Vec<u64>,
    /// Column and row of each site, from 0.
    pub at: Vec<(u16, u16)>,
    /// How each site is written.
    pub names: Vec<String>,
}

const SQUARE: &[&str] = &["north", "east", "northeast", "southeast", "south", "west", "southwest", "northwest"];
const HEX: &[&str] = &["east", "southeast", "southwest", "west", "northwest", "northeast"];

/// Cells, names of directions, their steps, and how many of each half are orthogonal.
type Geometry = (Vec<(i32, i32)>, &'static [&'static str], &'static [(i32, i32)], u16);

impl Topology {
    /// Works out the geometry of a board; sets have `width` words.
    pub fn new(board: &Board, width: usize) -> Topology {
        let (cells, directions, deltas, orthogonal): Geometry = match board.shape {
            BoardShape::Square { columns, rows } => (
                grid(columns, rows),
                SQUARE,
                &[(0, 1), (1, 0), (1, 1), (1, -1), (0, -1), (-1, 0), (-1, -1), (-1, 1)],
                2,
            ),
            BoardShape::HexRhombus { columns, rows } => (grid(columns, rows), HEX, HEX_DELTAS, 3),
            BoardShape::Hexagon { side } => (hexagon(i32::from(side)), HEX, HEX_DELTAS, 3),
        };
        let find = |cell: (i32, i32)| cells.iter().position(|other| *other == cell);
        let mut next = Vec::with_capacity(cells.len() * deltas.len());
        let mut around = vec![0; cells.len() * width];
        let mut beside = vec![0; cells.len() * width];
        let mut all = vec![0; width];
        for (site, (x, y)) in cells.iter().enumerate() {
            all[site / 64] |= 1 << (site % 64);
            for (direction, (dx, dy)) in deltas.iter().enumerate() {
                let neighbour = find((x + dx, y + dy));
                next.push(neighbour.map_or(NO_SITE, |site| site as u16));
                if let Some(neighbour) = neighbour {
                    around[site * width + neighbour / 64] |= 1 << (neighbour % 64);
                    if direction % (deltas.len() / 2) < usize::from(orthogonal) {
                        beside[site * width + neighbour / 64] |= 1 << (neighbour % 64);
                    }
                }
            }
        }
        let low = |pick: fn(&(i32, i32)) -> i32| cells.iter().map(pick).min().unwrap_or(0);
        let (left, bottom) = (low(|cell| cell.0), low(|cell| cell.1));
        let at: Vec<(u16, u16)> = cells.iter().map(|(x, y)| ((x - left) as u16, (y - bottom) as u16)).collect();
        let size = (at.iter().map(|at| at.0 + 1).max().unwrap_or(0), at.iter().map(|at| at.1 + 1).max().unwrap_or(0));
        let names = cells.iter().map(|cell| site_name(&board.cells, *cell)).collect();
        let clockwise = clockwise(directions);
        Topology {
            sites: cells.len() as u16,
            size,
            directions,
            clockwise,
            orthogonal,
            next,
            around,
            beside,
            all,
            at,
            names,
        }
    }

    /// Where a direction stands clockwise, if it is one that counts.
    pub fn place(&self, way: usize) -> Option<usize> {
        self.clockwise.iter().position(|found| usize::from(*found) == way)
    }

    /// The opposite of a direction.
    pub fn opposite(&self, way: usize) -> usize {
        (way + self.directions.len() / 2) % self.directions.len()
    }

    /// The neighbour of a site in a direction, or [`NO_SITE`].
    pub fn step(&self, site: u16, direction: usize) -> u16 {
        self.next[usize::from(site) * self.directions.len() + direction]
    }
}

/// The numbers of directions, clockwise.
fn clockwise(directions: &[&str]) -> Vec<u8> {
    const ROSE: [&str; 8] = ["north", "northeast", "east", "southeast", "south", "southwest", "west", "northwest"];
    let start = if directions.contains(&"north") { 0 } else { 2 };
    let rose = (0..ROSE.len()).map(|step| ROSE[(start + step) % ROSE.len()]);
    rose.filter_map(|name| directions.iter().position(|found| *found == name)).map(|way| way as u8).collect()
}

const HEX_DELTAS: &[(i32, i32)] = &[(1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1)];

fn grid(columns: u16, rows: u16) -> Vec<(i32, i32)> {
    (0..i32::from(rows)).flat_map(|y| (0..i32::from(columns)).map(move |x| (x, y))).collect()
}

/// Axial coordinates of a hexagon around the centre, rows from the smallest `r`.
fn hexagon(side: i32) -> Vec<(i32, i32)> {
    let reach = side - 1;
    (-reach..=reach)
        .flat_map(|r| (-reach..=reach).map(move |q| (q, r)))
        .filter(|(q, r)| (q + r).abs() <= reach)
        .collect()
}

/// Fills in `{col}` (letters), `{row}` (from 1), `{x}`, `{y}`, `{q}`, `{r}` (as counted by the shape).
fn site_name(pattern: &str, (x, y): (i32, i32)) -> String {
    let letters = {
        let (mut letters, mut left) = (String::new(), x.max(0) + 1);
        while left > 0 {
            letters.insert(0, char::from(b'a' + ((left - 1) % 26) as u8));
            left = (left - 1) / 26;
        }
        letters
    };
    pattern
        .replace("{col}", &letters)
        .replace("{row}", &(y + 1).to_string())
        .replace("{x}", &x.to_string())
        .replace("{y}", &y.to_string())
        .replace("{q}", &x.to_string())
        .replace("{r}", &y.to_string())
}
