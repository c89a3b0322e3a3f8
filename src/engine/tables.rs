//! Boards as seen, and which sites of them are shown.

use super::api::{BoardView, CELL, Grid, SiteKind, SiteView};
use super::run::Run;
use super::state::PendingKind;
use crate::model::rules::{BoardShape, Per, Ty};
use crate::program::{NIL, Spot, ent, members};

/// A board in a view: the sites that are shown, those of each row from the west, the south-most row first.
struct Table {
    board: usize,
    /// Which of the boards of one declaration without an end.
    on: i64,
    sites: Vec<i64>,
}

impl Run<'_> {
    /// All boards, as anybody sees them.
    pub fn board_views(&mut self) -> Vec<BoardView> {
        self.tables().into_iter().map(|table| self.table_view(&table)).collect()
    }

    /// What is shown of each board. One without an end is shown as far as something lies on it or may be put there.
    fn tables(&self) -> Vec<Table> {
        let mut tables = Vec::new();
        for (board, info) in self.p.rules.boards.iter().enumerate() {
            if info.endless() {
                tables.extend(self.boards_without_end(board).into_iter().map(|on| self.window(board, on)));
            } else if info.per == Per::Player {
                let players = 0..i64::from(self.st.players);
                let copies =
                    players.filter_map(|on| Some(Table { board, on, sites: self.copy_sites(board, on)?.collect() }));
                tables.extend(copies);
            } else {
                let sites = members(&self.p.boards[board].all).map(i64::from).collect();
                tables.push(Table { board, on: 0, sites });
            }
        }
        tables
    }

    /// The sites of a player's board among those of all.
    pub fn copy_sites(&self, board: usize, player: i64) -> Option<std::ops::Range<i64>> {
        let each = i64::from(self.p.boards[board].sites) / self.p.layout.seats as i64;
        (0..self.p.layout.seats as i64).contains(&player).then(|| player * each..(player + 1) * each)
    }

    /// Whose board a site is on, where there is one for each.
    fn side_of(&self, board: usize, site: i64) -> i64 {
        let info = &self.p.rules.boards[board];
        match info.per {
            Per::Player if !info.endless() => {
                site * self.p.layout.seats as i64 / i64::from(self.p.boards[board].sites.max(1))
            }
            _ if info.endless() => Spot::of(site).on,
            _ => 0,
        }
    }

    /// Says whose board each of the sites is on that are offered, if they are on those of several.
    pub fn tell_whose(&self, ty: &Ty, sites: &[i64], keys: &mut [String]) {
        let Ty::Site(board) = ty.bare() else { return };
        let board = board.index();
        let sides: Vec<i64> = sites.iter().map(|site| self.side_of(board, *site)).collect();
        if sides.windows(2).all(|pair| pair[0] == pair[1]) {
            return;
        }
        for (key, side) in keys.iter_mut().zip(sides) {
            if let Some(whose) = self.whose_word(board, side) {
                *key = format!("{whose} {key}");
            }
        }
    }

    /// The boards of one declaration.
    fn boards_without_end(&self, board: usize) -> Vec<i64> {
        match self.p.rules.boards[board].per {
            Per::Game => vec![0],
            Per::Player => (0..i64::from(self.st.players)).collect(),
            Per::Kind(kind) => {
                let things = usize::from(self.p.layout.kind_set(kind).0);
                let slots = self.members(self.p.layout.capacity.div_ceil(64), things);
                slots.into_iter().filter_map(|slot| self.board_of(board, self.reference(slot))).collect()
            }
        }
    }

    /// The smallest rectangle with all that lies on a board and all sites of it that are offered; of hexes, the smallest hexagon.
    fn window(&self, board: usize, on: i64) -> Table {
        let pieces = self.pieces_on(board).into_iter();
        let lying = pieces.map(|slot| self.st.mem[self.p.layout.entity(slot) + ent::SITE]);
        let spots: Vec<Spot> = lying.chain(self.offered(board)).map(Spot::of).filter(|spot| spot.on == on).collect();
        let range = |of: fn(&Spot) -> i64| {
            let (low, high) = (spots.iter().map(of).min().unwrap_or(0), spots.iter().map(of).max().unwrap_or(0));
            low..=high.min(low + MOST_SHOWN)
        };
        let columns = range(|spot| spot.x);
        let rows = range(|spot| spot.y).flat_map(|y| columns.clone().map(move |x| Spot { on, x, y }));
        let hexes = self.p.boards[board].is_of_hexes();
        let slants = range(|spot| spot.x + spot.y);
        let shown = rows.filter(|spot| !hexes || slants.contains(&(spot.x + spot.y)));
        Table { board, on, sites: shown.filter_map(Spot::word).collect() }
    }

    /// The sites of a board that the decision at hand offers.
    fn offered(&self, board: usize) -> Vec<i64> {
        let pending = &self.st.pending;
        if self.st.over.is_some() || !matches!(pending.kind, PendingKind::Choose | PendingKind::Action) {
            return Vec::new();
        }
        let of_board = |branch: i32| match pending.kind {
            PendingKind::Action => {
                let acts = &self.p.sites.actions[pending.site as usize].acts;
                usize::try_from(branch).ok().and_then(|branch| acts.get(branch)).map(|act| self.first_type(act.action))
            }
            _ => Some(self.pending_type()),
        };
        let is_site = |choice: &&super::state::Choice| {
            let ty = of_board(choice.branch);
            choice.value != NIL && ty.is_some_and(|ty| matches!(ty.bare(), Ty::Site(on) if on.index() == board))
        };
        self.options().iter().filter(is_site).map(|choice| choice.value).collect()
    }

    fn table_view(&mut self, table: &Table) -> BoardView {
        let p = self.p;
        let (board, info) = (table.board, &p.rules.boards[table.board]);
        let grid = match info.shape {
            BoardShape::Square { .. } | BoardShape::Endless { hexes: false } => Grid::Square,
            BoardShape::Graph(_) => Grid::Graph,
            BoardShape::HexRhombus { .. } | BoardShape::Hexagon { .. } | BoardShape::Endless { hexes: true } => {
                Grid::Hex
            }
        };
        let paths = match &info.shape {
            BoardShape::Graph(graph) => graph.paths.iter().map(|path| (path.from, path.to)).collect(),
            _ => Vec::new(),
        };
        let mut sites = Vec::new();
        self.x.looked.clear();
        for site in table.sites.iter().copied() {
            let slots = if info.endless() { self.stack_at(board, site) } else { self.pieces_at(board, site as usize) };
            let pieces = slots.into_iter().enumerate();
            let pieces =
                pieces.map(|(depth, slot)| self.piece_view(self.reference(slot), (board, site), depth)).collect();
            let at = if info.endless() {
                let spot = Spot::of(site);
                (spot.x as i32 * CELL, spot.y as i32 * CELL)
            } else {
                p.boards[board].spots[site as usize]
            };
            let (name, look) = (self.site_name(board, site), self.site_look(board, site));
            let kind = p.boards[board].place_kinds.get(site as usize).copied().unwrap_or(SiteKind::Cell);
            let kind = if info.endless() { SiteKind::Cell } else { kind };
            sites.push(SiteView { id: site, name, kind, at, look, pieces });
        }
        let name = self.words().label(&info.name);
        let whose = self.whose_word(board, table.on);
        let title = self.board_title(board, self.whose(board, table.on), whose.as_deref());
        let name = whose.map_or_else(|| name.clone(), |whose| format!("{name} of {whose}"));
        BoardView { number: board as u32, name, title, grid, paths, sites }
    }

    /// The player or thing whose board is meant.
    fn whose(&self, board: usize, on: i64) -> i64 {
        match self.p.rules.boards[board].per {
            Per::Game => NIL,
            Per::Player => on,
            Per::Kind(_) => self.reference((on >> 14) as usize),
        }
    }

    /// How a site is written.
    pub fn site_name(&self, board: usize, site: i64) -> String {
        if self.p.rules.boards[board].endless() && site != NIL {
            return Spot::of(site).name(&self.p.rules.boards[board].places.cells);
        }
        let names = &self.words().boards[board].geometry.names;
        usize::try_from(site).ok().and_then(|site| names.get(site)).map_or("nothing".to_owned(), Clone::clone)
    }

    /// Board and site of the entity in a slot, on boards of all sorts.
    pub fn lies_on(&self, slot: usize) -> Option<(usize, i64)> {
        self.site_of_slot(slot).map(|(board, site)| (board, site as i64)).or_else(|| self.spot_of_slot(slot))
    }
}

/// Columns and rows of a board without an end that are shown at the most, less one.
const MOST_SHOWN: i64 = 255;
