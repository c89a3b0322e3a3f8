//! Monster Factory by its numbered rules (MF-01 to MF-27).

use super::{Checker, highest, sorted};
use std::collections::{BTreeMap, BTreeSet};

/// A tile as it lies: its edges north, east, south, west, 0 blank, 1 thin, 2 thick; and whether it shows an eye (MF-01).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Tile {
    pub edges: [u8; 4],
    pub eye: bool,
}

/// A cell of a player's table: x to the east, y to the north (MF-04).
pub type Cell = (i32, i32);

impl Tile {
    /// Reads `0112` or `0112*`.
    pub fn read(name: &str) -> Tile {
        let digits = name.trim_end_matches('*');
        let edges: Vec<u8> = digits.bytes().map(|digit| digit - b'0').collect();
        Tile { edges: edges.try_into().unwrap(), eye: name.ends_with('*') }
    }

    /// Writes it as it lies.
    pub fn name(self) -> String {
        let digits: String = self.edges.iter().map(|edge| char::from(b'0' + edge)).collect();
        format!("{digits}{}", if self.eye { "*" } else { "" })
    }

    /// Turned clockwise by a quarter: `abcd` becomes `dabc`.
    fn turned(self) -> Tile {
        let [a, b, c, d] = self.edges;
        Tile { edges: [d, a, b, c], ..self }
    }

    /// Turned so many times.
    pub fn turned_by(self, times: usize) -> Tile {
        (0..times).fold(self, |tile, _| tile.turned())
    }

    /// The different ways in which it can lie (MF-14); it is never flipped (MF-15).
    fn turnings(self) -> BTreeSet<Tile> {
        let (one, two) = (self.turned(), self.turned().turned());
        BTreeSet::from([self, one, two, two.turned()])
    }

    /// As the name of its kind reads: the smallest of its turnings.
    pub fn kind(self) -> Tile {
        self.turnings().into_iter().next().unwrap()
    }

    fn has_link(self) -> bool {
        self.edges.iter().any(|edge| *edge > 0)
    }
}

/// The table of tiles: pattern, without and with an eye (MF-02).
const TABLE: [(&str, usize, usize); 23] = [
    ("0001", 7, 8),
    ("0002", 7, 8),
    ("0011", 3, 1),
    ("0012", 3, 1),
    ("0021", 3, 1),
    ("0022", 3, 1),
    ("0101", 3, 1),
    ("0102", 3, 1),
    ("0202", 3, 1),
    ("0111", 2, 1),
    ("0112", 2, 1),
    ("0121", 2, 1),
    ("0122", 2, 1),
    ("0211", 2, 1),
    ("0212", 2, 1),
    ("0221", 2, 1),
    ("0222", 2, 1),
    ("1111", 1, 0),
    ("1112", 1, 0),
    ("1122", 1, 0),
    ("1212", 1, 0),
    ("1222", 1, 0),
    ("2222", 1, 0),
];

/// All 88 tiles.
pub fn all_tiles() -> Vec<Tile> {
    let mut tiles = Vec::new();
    for (pattern, plain, eyed) in TABLE {
        let tile = Tile::read(pattern);
        tiles.extend(std::iter::repeat_n(tile, plain));
        tiles.extend(std::iter::repeat_n(Tile { eye: true, ..tile }, eyed));
    }
    tiles
}

/// The four sides: which edge of a tile, where the neighbour lies, and which edge of the neighbour lies against it.
const SIDES: [(usize, Cell, usize); 4] = [(0, (0, 1), 2), (1, (1, 0), 3), (2, (0, -1), 0), (3, (-1, 0), 1)];

/// A monster or minion: its tiles as they lie.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Monster {
    pub tiles: BTreeMap<Cell, Tile>,
}

impl Monster {
    /// One tile at 0,0.
    fn start(tile: Tile) -> Monster {
        Monster { tiles: BTreeMap::from([((0, 0), tile)]) }
    }

    /// Reads cells and tiles.
    pub fn read(tiles: &[(Cell, &str)]) -> Monster {
        Monster { tiles: tiles.iter().map(|(cell, name)| (*cell, Tile::read(name))).collect() }
    }

    /// The tile that lies against one side of a cell.
    fn against(&self, (x, y): Cell, (right, up): Cell) -> Option<Tile> {
        self.tiles.get(&(x + right, y + up)).copied()
    }

    /// The empty cells that share a side with a tile of it (MF-12).
    fn free_cells(&self) -> BTreeSet<Cell> {
        let mut cells = BTreeSet::new();
        for (x, y) in self.tiles.keys() {
            for (_, (right, up), _) in SIDES {
                if self.against((*x, *y), (right, up)).is_none() {
                    cells.insert((x + right, y + up));
                }
            }
        }
        cells
    }

    /// Whether the tile, as it lies, fits on the cell: all edges that meet are equal, and one pair at least is thin or
    /// thick (MF-13, MF-16).
    fn fits(&self, cell: Cell, tile: Tile) -> bool {
        let mut links = 0;
        for (own, beside, other) in SIDES {
            if let Some(neighbour) = self.against(cell, beside) {
                if neighbour.edges[other] != tile.edges[own] {
                    return false;
                }
                links += usize::from(tile.edges[own] > 0);
            }
        }
        links > 0
    }

    /// Every thin or thick edge lies against another tile (MF-17).
    pub fn complete(&self) -> bool {
        self.tiles.iter().all(|(cell, tile)| {
            SIDES.iter().all(|(own, beside, _)| tile.edges[*own] == 0 || self.against(*cell, *beside).is_some())
        })
    }
}

/// How far the game is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    Picking,
    Playing,
    Over,
}

/// A position: everything that the rulings list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MonsterFactory {
    pub phase: Phase,
    /// The tiles not yet picked or drawn. While players pick this is the box; the order is the one the pile will have.
    /// The first is the top.
    pub pile: Vec<Tile>,
    pub hand: Option<Tile>,
    pub thrown: Vec<Tile>,
    /// For each player the first monster and the minions, in order of starting.
    pub monsters: Vec<Vec<Monster>>,
    pub mover: usize,
}

impl MonsterFactory {
    /// The start, with the tiles in the order that the pile will have once the picked ones are gone.
    pub fn new(players: usize, tiles: Vec<Tile>) -> MonsterFactory {
        MonsterFactory {
            phase: Phase::Picking,
            pile: tiles,
            hand: None,
            thrown: Vec::new(),
            monsters: vec![Vec::new(); players],
            mover: 0,
        }
    }

    /// A position with these monsters before the mover has drawn; then the mover draws.
    pub fn with(monsters: Vec<Vec<Monster>>, pile: &[&str], mover: usize) -> MonsterFactory {
        let pile = pile.iter().map(|name| Tile::read(name)).collect();
        let mut position =
            MonsterFactory { phase: Phase::Playing, pile, hand: None, thrown: Vec::new(), monsters, mover };
        position.draw();
        position
    }

    fn first_complete(&self, player: usize) -> bool {
        self.monsters[player].first().is_some_and(Monster::complete)
    }

    fn draw_top(&mut self) -> Option<Tile> {
        if self.pile.is_empty() { None } else { Some(self.pile.remove(0)) }
    }

    /// The mover draws until a tile fits (MF-10, MF-19); with an empty pile the game ends (MF-22, MF-23).
    fn draw(&mut self) {
        while let Some(tile) = self.draw_top() {
            self.hand = Some(tile);
            if !self.placements().is_empty() {
                return;
            }
            self.hand = None;
            self.thrown.push(tile);
        }
        self.phase = Phase::Over;
    }

    /// Where the tile in hand can be placed: owner, cell, the tile as it will lie.
    fn placements(&self) -> Vec<(usize, Cell, Tile)> {
        let Some(hand) = self.hand else { return Vec::new() };
        let mut found = Vec::new();
        for (owner, monsters) in self.monsters.iter().enumerate() {
            // The one in progress is the last one, if it is not complete (MF-20).
            let Some(monster) = monsters.last().filter(|monster| !monster.complete()) else { continue };
            // MF-18: with the own first monster complete, not on others' first monsters.
            let is_first = monsters.len() == 1;
            if owner != self.mover && is_first && self.first_complete(self.mover) {
                continue;
            }
            for cell in monster.free_cells() {
                for tile in hand.turnings() {
                    if monster.fits(cell, tile) {
                        found.push((owner, cell, tile));
                    }
                }
            }
        }
        found
    }

    /// What follows a completion: the end (MF-21), or a minion (MF-17, MF-20). A tile without links would be a complete
    /// minion at once (MF-R13).
    fn completed(&mut self, owner: usize) {
        if (0..self.monsters.len()).all(|player| self.first_complete(player)) {
            self.phase = Phase::Over;
            return;
        }
        while let Some(tile) = self.draw_top() {
            self.monsters[owner].push(Monster::start(tile.kind()));
            if tile.has_link() {
                return;
            }
        }
    }

    fn score(&self, player: usize) -> i64 {
        let mut score = 0;
        for (number, monster) in self.monsters[player].iter().enumerate() {
            if monster.complete() {
                // MF-24 for the first, MF-25 for minions; MF-26 for those in progress.
                let counts = |tile: &&Tile| number == 0 || tile.eye;
                score += monster.tiles.values().filter(counts).count() as i64;
            }
        }
        score
    }
}

impl Checker for MonsterFactory {
    fn turns(&self) -> Vec<String> {
        let turns: BTreeSet<String> = match self.phase {
            // MF-06, MF-07
            Phase::Picking => self
                .pile
                .iter()
                .filter(|tile| tile.has_link())
                .map(|tile| format!("S:{}", tile.kind().name()))
                .collect(),
            Phase::Playing => {
                let written =
                    |(owner, (x, y), tile): (usize, Cell, Tile)| format!("{}:{x},{y}:{}", owner + 1, tile.name());
                self.placements().into_iter().map(written).collect()
            }
            Phase::Over => BTreeSet::new(),
        };
        sorted(turns.into_iter().collect())
    }

    fn play(&mut self, turn: &str) {
        if let Some(name) = turn.strip_prefix("S:") {
            let kind = Tile::read(name);
            let at = self.pile.iter().position(|tile| tile.kind() == kind).unwrap();
            self.pile.remove(at);
            // MF-07, MF-R04
            self.monsters[self.mover].push(Monster::start(kind));
            self.mover += 1;
            if self.mover == self.monsters.len() {
                // MF-09
                self.phase = Phase::Playing;
                self.mover = 0;
                self.draw();
            }
            return;
        }
        let parts: Vec<&str> = turn.split(':').collect();
        let owner = parts[0].parse::<usize>().unwrap() - 1;
        let (x, y) = parts[1].split_once(',').unwrap();
        let cell = (x.parse().unwrap(), y.parse().unwrap());
        let monster = self.monsters[owner].last_mut().unwrap();
        monster.tiles.insert(cell, Tile::read(parts[2]));
        let complete = monster.complete();
        self.hand = None;
        if complete {
            self.completed(owner);
        }
        if self.phase == Phase::Playing {
            self.mover = (self.mover + 1) % self.monsters.len();
            self.draw();
        }
    }

    fn over(&self) -> bool {
        self.phase == Phase::Over
    }

    fn mover(&self) -> usize {
        self.mover
    }

    fn winners(&self) -> Vec<usize> {
        // MF-27
        if self.over() { highest(&self.scores().unwrap()) } else { Vec::new() }
    }

    fn scores(&self) -> Option<Vec<i64>> {
        Some((0..self.monsters.len()).map(|player| self.score(player)).collect())
    }
}

mod tests {
    use super::{Checker, Monster, MonsterFactory, Phase, Tile, all_tiles};

    #[test]
    fn the_tiles_are_those_of_the_table() {
        let tiles = all_tiles();
        assert_eq!(tiles.len(), 88);
        assert_eq!(tiles.iter().filter(|tile| tile.eye).count(), 31);
        let mut kinds = tiles.clone();
        kinds.sort();
        kinds.dedup();
        assert_eq!(kinds.len(), 40);
        assert!(tiles.iter().all(|tile| tile.kind() == *tile), "named by the smallest turning");
        let links: usize = tiles.iter().map(|tile| tile.edges.iter().filter(|edge| **edge > 0).count()).sum();
        assert_eq!(links, 182);
    }

    #[test]
    fn turning_goes_clockwise() {
        assert_eq!(Tile::read("0120*").turned().name(), "0012*");
        assert_eq!(Tile::read("0120*").turned_by(3).name(), "1200*");
        let counts = ["1111", "0101", "0012"].map(|name| Tile::read(name).turnings().len());
        assert_eq!(counts, [1, 2, 4]);
    }

    #[test]
    fn picks_of_equal_tiles_are_one() {
        let game = MonsterFactory::new(2, all_tiles());
        assert_eq!(game.turns().len(), 40);
        assert_eq!(game.perft(2).0, 40 * 40 - 21, "a tile that is alone of its kind is gone once picked");
    }

    #[test]
    fn tiles_link_at_equal_edges() {
        let monster = || vec![Monster::read(&[((0, 0), "0001")])];
        let game = MonsterFactory::with(vec![monster(), monster()], &["0012", "0002"], 0);
        // To the west of 0,0 with its thin edge to the east.
        assert_eq!(game.turns(), ["1:-1,0:0120", "2:-1,0:0120"]);
        // Nothing else touches an open edge, and blank against blank does not suffice (MF-16).
    }

    #[test]
    fn all_sides_that_touch_must_match() {
        // A corner to be filled: 0,0 is open to the east, 1,1 to the south.
        let monster = Monster::read(&[((0, 0), "1100"), ((0, 1), "0110"), ((1, 1), "0021")]);
        let game = MonsterFactory::with(vec![vec![monster.clone()], vec![monster]], &["0021", "0011", "0012"], 0);
        // 0021: thick north and thin west is 2001, a turning of 0012 and not of its mirror image 0021 (MF-15).
        assert_eq!(game.thrown, [Tile::read("0021"), Tile::read("0011")]);
        assert_eq!(game.turns(), ["1:1,0:2001", "2:1,0:2001"]);
    }

    #[test]
    fn a_completed_monster_is_followed_by_a_minion_for_its_owner() {
        let thin = || vec![Monster::read(&[((0, 0), "0001")])];
        let mut game =
            MonsterFactory::with(vec![thin(), thin(), thin()], &["0001", "0002*", "0001", "0002", "0011"], 0);
        game.play("2:-1,0:0100");
        assert_eq!(game.monsters[1].len(), 2);
        assert_eq!(game.scores().unwrap(), [0, 2, 0]);
        // It is 2's turn (MF-20), with a thin tile: not on first monsters of others (MF-18), and it does not fit on the
        // own minion, 0002*. So it is thrown back (MF-R08); the next one, 0002, fits there.
        assert_eq!((game.mover, game.thrown.clone()), (1, vec![Tile::read("0001")]));
        assert_eq!(game.turns(), ["2:-1,0:0200"]);
        game.play("2:-1,0:0200");
        // The minion is complete: a point for its one eye (MF-25), a third monster, and the pile is empty (MF-22).
        assert_eq!(game.monsters[1].len(), 3);
        assert_eq!((game.phase, game.scores().unwrap(), game.winners()), (Phase::Over, vec![0, 3, 0], vec![1]));
    }

    #[test]
    fn anybody_may_add_to_minions() {
        let thin = || Monster::read(&[((0, 0), "0001")]);
        let done = || Monster::read(&[((0, 0), "0001"), ((-1, 0), "0100")]);
        let game =
            MonsterFactory::with(vec![vec![done(), thin()], vec![done(), thin()], vec![thin()]], &["0001", "0001"], 0);
        assert_eq!(game.turns(), ["1:-1,0:0100", "2:-1,0:0100"], "not on 3's first");
        let game =
            MonsterFactory::with(vec![vec![done(), thin()], vec![done(), thin()], vec![thin()]], &["0001", "0001"], 2);
        assert_eq!(game.turns(), ["1:-1,0:0100", "2:-1,0:0100", "3:-1,0:0100"]);
    }

    #[test]
    fn the_game_ends_with_the_last_first_monster() {
        let thin = || Monster::read(&[((0, 0), "0001")]);
        let done = || Monster::read(&[((0, 0), "0001"), ((-1, 0), "0100")]);
        let mut game = MonsterFactory::with(vec![vec![done(), thin()], vec![thin()]], &["0001", "0001"], 1);
        game.play("2:-1,0:0100");
        assert_eq!((game.phase, game.pile.len(), game.monsters[1].len()), (Phase::Over, 1, 1), "no minion (MF-R16)");
        assert_eq!((game.scores().unwrap(), game.winners()), (vec![2, 2], vec![0, 1]));
    }

    #[test]
    fn the_game_ends_when_the_pile_runs_out_while_tiles_are_thrown_back() {
        let thin = || vec![Monster::read(&[((0, 0), "0001")])];
        let game = MonsterFactory::with(vec![thin(), thin()], &["0002", "0022"], 0);
        assert_eq!((game.phase, game.thrown.len(), game.winners()), (Phase::Over, 2, vec![0, 1]));
    }

    #[test]
    fn the_scoring_examples_of_the_rules() {
        // Natalie: a first monster of 9 tiles, a complete minion without eyes, and one with five tiles with eyes.
        let row = |length: i32, eyes: i32| {
            let tile = |x: i32| match x {
                0 => "0100",
                x if x == length - 1 => "0001",
                _ => "0101",
            };
            let tile = |x: i32| Tile { eye: x < eyes, ..Tile::read(tile(x)) };
            Monster { tiles: (0..length).map(|x| ((x, 0), tile(x))).collect() }
        };
        let open = Monster::read(&[((0, 0), "0100*"), ((1, 0), "0101*")]);
        let anna = vec![row(12, 3), open];
        let natalie = vec![row(9, 2), row(4, 0), row(7, 5)];
        let game = MonsterFactory::with(vec![anna, natalie], &[], 0);
        assert_eq!((game.scores().unwrap(), game.winners()), (vec![12, 14], vec![1]));
    }

    #[test]
    fn tiles_without_links_are_minions_at_once_and_are_not_picked() {
        let thin = || vec![Monster::read(&[((0, 0), "0001")])];
        let mut game = MonsterFactory::with(vec![thin(), thin()], &["0001", "0000*", "0011", "0001"], 0);
        game.play("1:-1,0:0100");
        assert_eq!((game.monsters[0].len(), game.scores().unwrap()), (3, vec![3, 0]));
        let game = MonsterFactory::new(2, vec![Tile::read("0000"), Tile::read("0001"), Tile::read("0001")]);
        assert_eq!(game.turns(), ["S:0001"]);
    }
}
