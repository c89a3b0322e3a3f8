//! Munch by its numbered rules (MU-01 to MU-36).

use super::{Checker, highest, sorted};
use std::collections::BTreeMap;

/// Column and row, both from 1 on; `a1` is (1, 1).
pub type Square = (i32, i32);

/// A place beside a square, outside of one side of the board (MU-16): the letter of the side, and the square.
pub type Site = (char, Square);

/// A world: its colour, `r`, `g` or `k`, and its size (MU-02).
pub type World = (char, usize);

const COLOURS: [char; 3] = ['r', 'g', 'k'];
const SIZES: [usize; 3] = [1, 2, 3];

/// Where a monster is (MU-04).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    Army,
    Pit,
    Void,
    Square(Square),
    Site(Site),
}

/// The parameters of the rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size {
    /// Squares on a side of the board (6).
    pub side: i32,
    /// Worlds of each kind (5).
    pub copies: usize,
    /// Worlds on the board from which on monsters wake (8).
    pub waking: usize,
    /// Turns without a munched world that end the game (100).
    pub patience: usize,
}

impl Size {
    /// The real game.
    pub const REAL: Size = Size { side: 6, copies: 5, waking: 8, patience: 100 };
}

/// A position: everything that the rulings list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Munch {
    pub size: Size,
    pub players: usize,
    pub bank: BTreeMap<World, usize>,
    pub worlds: BTreeMap<Square, World>,
    /// For each player the places of the small, the medium and the large monster.
    pub monsters: Vec<[Place; 3]>,
    /// For each player how many worlds of each kind were munched.
    pub graveyards: Vec<BTreeMap<World, usize>>,
    /// Who loses the next turn.
    pub lost: Vec<bool>,
    /// Turns since a world was munched (MU-33).
    pub quiet: usize,
    pub mover: usize,
    pub over: bool,
}

/// The pips of a monster: 1, 2, 3 (MU-03).
fn pips(index: usize) -> i32 {
    index as i32 + 1
}

/// Red is harmonious to small monsters, green to medium, black to large (MU-27).
fn harmonious(world: World, monster: usize) -> bool {
    COLOURS[monster] == world.0
}

/// The step that leads from a side into the board.
fn inward(side: char) -> (i32, i32) {
    match side {
        'W' => (1, 0),
        'E' => (-1, 0),
        'S' => (0, 1),
        'N' => (0, -1),
        other => panic!("no side: {other}"),
    }
}

/// A square's name.
pub fn square_name((column, row): Square) -> String {
    format!("{}{row}", char::from(b'a' + column as u8 - 1))
}

fn world_name((colour, size): World) -> String {
    format!("{colour}{size}")
}

fn place_name(place: Place) -> String {
    match place {
        Place::Square(square) => square_name(square),
        Place::Site((side, square)) => format!("{side}{}", square_name(square)),
        other => format!("{other:?}"),
    }
}

/// Reads a square's name.
pub fn square(name: &str) -> Square {
    let column = i32::from(name.as_bytes()[0] - b'a') + 1;
    (column, name[1..].parse().unwrap())
}

/// Reads the name of a square or a site.
pub fn place(name: &str) -> Place {
    match name.chars().next().unwrap() {
        side @ ('N' | 'E' | 'S' | 'W') => Place::Site((side, square(&name[1..]))),
        _ => Place::Square(square(name)),
    }
}

/// Reads a world's name.
pub fn world(name: &str) -> World {
    (name.chars().next().unwrap(), name[1..].parse().unwrap())
}

impl Munch {
    /// The start: an empty board, all worlds in the bank, all monsters in their armies.
    pub fn new(size: Size, players: usize) -> Munch {
        let kinds = COLOURS.iter().flat_map(|colour| SIZES.iter().map(|size| (*colour, *size)));
        Munch {
            size,
            players,
            bank: kinds.filter(|_| size.copies > 0).map(|kind| (kind, size.copies)).collect(),
            worlds: BTreeMap::new(),
            monsters: vec![[Place::Army; 3]; players],
            graveyards: vec![BTreeMap::new(); players],
            lost: vec![false; players],
            quiet: 0,
            mover: 0,
            over: false,
        }
    }

    /// Puts worlds from the bank on squares: `("a1", "r2")`.
    pub fn with_worlds(mut self, worlds: &[(&str, &str)]) -> Munch {
        for (on, kind) in worlds {
            self.take_from_bank(world(kind));
            self.worlds.insert(square(on), world(kind));
        }
        self
    }

    fn take_from_bank(&mut self, world: World) {
        let count = self.bank.get_mut(&world).unwrap();
        *count -= 1;
        if *count == 0 {
            self.bank.remove(&world);
        }
    }

    fn squares(&self) -> Vec<Square> {
        let side = self.size.side;
        (1..=side).flat_map(|column| (1..=side).map(move |row| (column, row))).collect()
    }

    /// One site for each square and each outer side of it (MU-16).
    fn sites(&self) -> Vec<Site> {
        let side = self.size.side;
        let mut sites = Vec::new();
        for number in 1..=side {
            sites.push(('W', (1, number)));
            sites.push(('E', (side, number)));
            sites.push(('S', (number, 1)));
            sites.push(('N', (number, side)));
        }
        sites
    }

    fn anybody_at(&self, place: Place) -> bool {
        self.monsters.iter().flatten().any(|other| *other == place)
    }

    /// The mover's monster that is out, if one is (MU-07).
    fn out(&self, player: usize) -> Option<usize> {
        (0..3).find(|monster| matches!(self.monsters[player][*monster], Place::Square(_) | Place::Site(_)))
    }

    /// The squares exactly as far as the monster has pips (MU-20 to MU-22), whatever lies there.
    fn reached(&self, from: Place, monster: usize) -> Vec<Square> {
        let distance = pips(monster);
        let on_board =
            |(column, row): &Square| (1..=self.size.side).contains(column) && (1..=self.size.side).contains(row);
        let all = match from {
            Place::Site((side, (column, row))) => {
                // The first square counts as one.
                let (right, up) = inward(side);
                vec![(column + right * (distance - 1), row + up * (distance - 1))]
            }
            Place::Square((column, row)) => vec![
                (column + distance, row),
                (column - distance, row),
                (column, row + distance),
                (column, row - distance),
            ],
            other => panic!("a monster in {other:?} does not move"),
        };
        all.into_iter().filter(on_board).collect()
    }

    /// Where the monster could land: on a world or on a monster, but not on both together (MU-23, MU-28).
    fn landings(&self, from: Place, monster: usize) -> Vec<Square> {
        let one_of_both = |square: &Square| self.worlds.contains_key(square) != self.anybody_at(Place::Square(*square));
        self.reached(from, monster).into_iter().filter(one_of_both).collect()
    }

    /// The moves of a player's monster that is out: to land, or to go home (MU-23, MU-24).
    fn moves(&self, player: usize, monster: usize) -> Vec<String> {
        let from = self.monsters[player][monster];
        let landings = self.landings(from, monster);
        if landings.is_empty() {
            return vec![format!("R:{}", place_name(from))];
        }
        let written = |to: Square| format!("M:{}>{}", place_name(from), square_name(to));
        landings.into_iter().map(written).collect()
    }

    /// Any world of the bank on any square that holds neither a world nor a monster (MU-11 to MU-13).
    fn placings(&self) -> impl Iterator<Item = String> {
        let empty = |square: &Square| !self.worlds.contains_key(square) && !self.anybody_at(Place::Square(*square));
        let squares = self.squares().into_iter().filter(empty);
        squares.flat_map(|square| {
            self.bank.keys().map(move |kind| format!("P:{}@{}", world_name(*kind), square_name(square)))
        })
    }

    /// Any monster of the player's army at any free site from which it can move to a world that no monster covers, once
    /// there are enough worlds on the board or a monster on a square (MU-14 to MU-17).
    fn unleashings(&self, player: usize) -> impl Iterator<Item = String> {
        let on_square = self.monsters.iter().flatten().any(|place| matches!(place, Place::Square(_)));
        let awake = self.worlds.len() >= self.size.waking || on_square;
        let army = (0..3).filter(move |monster| awake && self.monsters[player][*monster] == Place::Army);
        army.flat_map(move |monster| {
            let bare = |square: Square| self.worlds.contains_key(&square) && !self.anybody_at(Place::Square(square));
            let usable = move |site: &Site| {
                let place = Place::Site(*site);
                !self.anybody_at(place) && self.reached(place, monster).into_iter().any(bare)
            };
            let sites = self.sites().into_iter().filter(usable);
            sites.map(move |site| format!("U:{}@{}", monster + 1, place_name(Place::Site(site))))
        })
    }

    /// What a player could do, if it were that player's turn now; nothing if only to pass (MU-06 to MU-10).
    fn actions(&self, player: usize) -> Vec<String> {
        match self.out(player) {
            Some(monster) => self.moves(player, monster),
            None => self.placings().chain(self.unleashings(player)).collect(),
        }
    }

    /// Whether those are any, without writing them all.
    fn could_act(&self, player: usize) -> bool {
        self.out(player).is_some() || self.placings().next().is_some() || self.unleashings(player).next().is_some()
    }

    fn unleash(&mut self, monster: usize, site: Place) {
        let own = &mut self.monsters[self.mover];
        own[monster] = site;
        // MU-18
        for place in own.iter_mut().filter(|place| **place == Place::Void) {
            *place = Place::Army;
        }
        // MU-19
        for place in own.iter_mut().filter(|place| **place == Place::Pit) {
            *place = Place::Void;
        }
    }

    /// Moves the mover's monster; whether a world was munched.
    fn land(&mut self, from: Place, to: Square) -> bool {
        let monster = self.out(self.mover).unwrap();
        assert_eq!(self.monsters[self.mover][monster], from);
        // MU-29: a world it stood on stays where it is. It was settled if there is one.
        let was_settled = matches!(from, Place::Square(square) if self.worlds.contains_key(&square));
        if let Some(kind) = self.worlds.get(&to).copied() {
            if !harmonious(kind, monster) {
                // MU-25
                self.worlds.remove(&to);
                *self.graveyards[self.mover].entry(kind).or_default() += 1;
                self.monsters[self.mover][monster] = Place::Square(to);
                return true;
            }
            if was_settled {
                // MU-30
                self.worlds.remove(&to);
                *self.bank.entry(kind).or_default() += 1;
                self.monsters[self.mover][monster] = Place::Army;
            } else {
                // MU-27
                self.monsters[self.mover][monster] = Place::Square(to);
            }
            return false;
        }
        // MU-26
        for player in 0..self.players {
            for other in 0..3 {
                if self.monsters[player][other] == Place::Square(to) {
                    self.monsters[player][other] = Place::Pit;
                    // MU-31
                    self.lost[player] = true;
                }
            }
        }
        self.monsters[self.mover][monster] = Place::Square(to);
        false
    }

    /// Whether the game ends now (MU-32, MU-33).
    fn ends(&self) -> bool {
        let no_worlds = self.bank.is_empty() && self.worlds.is_empty();
        let all_pass = !(0..self.players).any(|player| self.could_act(player));
        no_worlds || all_pass || self.quiet >= self.size.patience
    }

    fn score(&self, player: usize) -> i64 {
        let graveyard = &self.graveyards[player];
        let mut score = 0;
        for colour in COLOURS {
            // MU-34
            let counts = SIZES.map(|size| graveyard.get(&(colour, size)).copied().unwrap_or_default());
            let trios = counts.into_iter().min().unwrap();
            let singles = counts.into_iter().sum::<usize>() - 3 * trios;
            score += 5 * trios as i64 + singles as i64;
        }
        // MU-35
        let munched = |place: &&Place| matches!(place, Place::Pit | Place::Void);
        score - 5 * self.monsters[player].iter().filter(munched).count() as i64
    }
}

impl Checker for Munch {
    fn turns(&self) -> Vec<String> {
        if self.over {
            return Vec::new();
        }
        let actions = self.actions(self.mover);
        // MU-09, MU-10
        if actions.is_empty() { vec!["PASS".to_owned()] } else { sorted(actions) }
    }

    fn play(&mut self, turn: &str) {
        let mut munched_world = false;
        match turn.split_once(':') {
            None => assert_eq!(turn, "PASS"),
            Some(("P", rest)) => {
                let (kind, on) = rest.split_once('@').unwrap();
                self.take_from_bank(world(kind));
                self.worlds.insert(square(on), world(kind));
            }
            Some(("U", rest)) => {
                let (size, site) = rest.split_once('@').unwrap();
                let size: usize = size.parse().unwrap();
                self.unleash(size - 1, place(site));
            }
            Some(("M", rest)) => {
                let (from, to) = rest.split_once('>').unwrap();
                munched_world = self.land(place(from), square(to));
            }
            Some(("R", _)) => {
                // MU-24
                let monster = self.out(self.mover).unwrap();
                self.monsters[self.mover][monster] = Place::Army;
            }
            Some(_) => panic!("no turn of Munch: {turn}"),
        }
        // MU-R20: the count, the end test, then the next player.
        self.quiet = if munched_world { 0 } else { self.quiet + 1 };
        self.over = self.ends();
        loop {
            self.mover = (self.mover + 1) % self.players;
            // MU-31: a lost turn is skipped and the mark cleared.
            if !std::mem::take(&mut self.lost[self.mover]) {
                break;
            }
        }
    }

    fn over(&self) -> bool {
        self.over
    }

    fn mover(&self) -> usize {
        self.mover
    }

    fn winners(&self) -> Vec<usize> {
        // MU-36
        if self.over { highest(&self.scores().unwrap()) } else { Vec::new() }
    }

    fn scores(&self) -> Option<Vec<i64>> {
        Some((0..self.players).map(|player| self.score(player)).collect())
    }
}

mod tests {
    use super::{Checker, Munch, Place, Size, place, world};

    fn real(worlds: &[(&str, &str)]) -> Munch {
        Munch::new(Size::REAL, 2).with_worlds(worlds)
    }

    #[test]
    fn the_first_turn_places_any_world_anywhere() {
        let game = real(&[]);
        assert_eq!(game.sites().len(), 24);
        assert_eq!(game.turns().len(), 36 * 9);
        assert_eq!(game.perft(1), (324, 0));
        let small = Munch::new(Size { side: 3, copies: 1, ..Size::REAL }, 2);
        assert_eq!(small.perft(2), (9 * 9 * 8 * 8, 0));
    }

    #[test]
    fn monsters_wake_with_eight_worlds() {
        let seven = [("a1", "r1"), ("c3", "r1"), ("c4", "r1"), ("d3", "r2"), ("d4", "r2"), ("c5", "k1"), ("d2", "k2")];
        let game = real(&seven);
        assert!(game.turns().iter().all(|turn| turn.starts_with('P')));
        let mut eight = seven.to_vec();
        eight.push(("b2", "g1"));
        let unleashed: Vec<String> = real(&eight).turns().into_iter().filter(|turn| turn.starts_with('U')).collect();
        // Small ones reach only a1, from two sites; medium ones b2 from two, c5 and d2 from one; large ones c3, c4, d3
        // and d4 from two each, c5 from the west and d2 from the east.
        let expected = "U:1@Sa1 U:1@Wa1 U:2@Nc6 U:2@Sb1 U:2@Sd1 U:2@Wa2 U:3@Ef2 U:3@Ef3 U:3@Ef4 U:3@Nc6 U:3@Nd6 U:3@Sc1 \
                        U:3@Sd1 U:3@Wa3 U:3@Wa4 U:3@Wa5";
        assert_eq!(unleashed.join(" "), expected);
    }

    #[test]
    fn a_lone_monster_wakes_none_to_itself() {
        // MU-15, MU-17: 2's monster on a bare a1 lets 1 unleash, but not at it.
        let mut game = real(&[("f6", "k1")]);
        game.monsters[1][2] = Place::Square((1, 1));
        let unleashed: Vec<String> = game.turns().into_iter().filter(|turn| turn.starts_with('U')).collect();
        assert_eq!(unleashed, ["U:1@Ef6", "U:1@Nf6"]);
    }

    #[test]
    fn a_monster_must_land_on_something_or_goes_home() {
        let mut game = real(&[("c3", "k1"), ("c5", "r2")]);
        game.monsters[0][1] = Place::Square((1, 3));
        assert_eq!(game.turns(), ["M:a3>c3"]);
        game.monsters[0][1] = Place::Square((4, 4));
        assert_eq!(game.turns(), ["R:d4"]);
        game.play("R:d4");
        assert_eq!(game.monsters[0][1], Place::Army);
        assert_eq!(game.mover(), 1);
    }

    #[test]
    fn munching_a_monster_costs_a_turn_and_stacks_are_safe() {
        let mut game = Munch::new(Size::REAL, 3).with_worlds(&[("a1", "g1"), ("f1", "g1")]);
        game.monsters[0][0] = place("c3");
        game.monsters[1][1] = place("c4");
        game.monsters[2][1] = place("b3");
        assert_eq!(game.turns(), ["M:c3>b3", "M:c3>c4"]);
        let mut munched = game.clone();
        munched.play("M:c3>c4");
        assert_eq!(munched.monsters[1][1], Place::Pit);
        assert_eq!((munched.mover, munched.lost.clone()), (2, vec![false; 3]));
        assert_eq!(munched.scores().unwrap(), [0, -5, 0]);
        // The monster on b3 settled: untouchable.
        game.worlds.insert((2, 3), ('g', 3));
        assert_eq!(game.turns(), ["M:c3>c4"]);
    }

    #[test]
    fn two_harmonious_worlds_in_a_row_send_it_home() {
        let mut game = real(&[("a1", "r1"), ("b1", "r3"), ("f6", "k1")]);
        game.monsters[0][0] = place("Wa1");
        game.monsters[1][2] = place("Nf6");
        game.play("M:Wa1>a1");
        assert_eq!(game.monsters[0][0], Place::Square((1, 1)));
        assert!(game.worlds.contains_key(&(1, 1)), "both stay (MU-27)");
        assert_eq!(game.turns(), ["R:Nf6"]);
        game.play("R:Nf6");
        assert_eq!(game.turns(), ["M:a1>b1"]);
        game.play("M:a1>b1");
        assert_eq!(game.monsters[0][0], Place::Army);
        assert_eq!(game.worlds.len(), 2, "b1 is bare");
        assert_eq!(game.bank[&('r', 3)], 5, "its world is back in the bank (MU-30)");
        assert_eq!(game.quiet, 3, "nothing was munched");
    }

    #[test]
    fn a_settled_monster_munches_on_and_leaves_its_world() {
        let mut game = real(&[("a1", "r1"), ("b1", "k3"), ("f6", "k1")]);
        game.monsters[0][0] = place("a1");
        game.play("M:a1>b1");
        assert_eq!(game.worlds.len(), 2, "r1 stays (MU-29)");
        assert_eq!(game.graveyards[0][&('k', 3)], 1);
        assert_eq!(game.quiet, 0);
    }

    #[test]
    fn unleashing_brings_monsters_back_by_steps() {
        let mut game = real(&[("a1", "g1"), ("b1", "g1")]);
        game.monsters[1][2] = place("f6");
        game.monsters[0] = [Place::Army, Place::Void, Place::Pit];
        let unleashed: Vec<String> = game.turns().into_iter().filter(|turn| turn.starts_with('U')).collect();
        assert_eq!(unleashed, ["U:1@Sa1", "U:1@Sb1", "U:1@Wa1"]);
        game.play("U:1@Sa1");
        assert_eq!(game.monsters[0], [place("Sa1"), Place::Army, Place::Void]);
    }

    #[test]
    fn one_site_holds_one_monster() {
        let mut game = real(&[("a1", "g1")]);
        game.monsters[1][2] = place("f6");
        game.monsters[1][0] = place("Sa1");
        let unleashed: Vec<String> = game.turns().into_iter().filter(|turn| turn.starts_with('U')).collect();
        assert_eq!(unleashed, ["U:1@Wa1"]);
    }

    #[test]
    fn scores_count_trios_and_lost_monsters() {
        let mut game = real(&[]);
        for kind in ["r1", "r2", "r3", "r3", "g1", "g1", "g3", "k2"] {
            *game.graveyards[0].entry(world(kind)).or_default() += 1;
        }
        game.monsters[0][0] = Place::Void;
        // 5 for red, 1 for the other r3, 3 for green, 1 for black, 5 off.
        assert_eq!(game.scores().unwrap(), [5, 0]);
    }

    #[test]
    fn the_game_ends_when_all_worlds_are_gone_when_nobody_can_act_or_when_nothing_is_munched() {
        // E1
        let mut game = Munch::new(Size { copies: 0, ..Size::REAL }, 2);
        game.worlds.insert((1, 1), ('g', 1));
        game.monsters[0][0] = place("b1");
        game.play("M:b1>a1");
        assert_eq!((game.over, game.winners()), (true, vec![0]));
        // E2: one world is on the board, too few to wake a monster, none in the bank; the last monster goes home.
        let mut game = Munch::new(Size { copies: 0, ..Size::REAL }, 2);
        game.worlds.insert((6, 6), ('g', 1));
        game.monsters[0][0] = place("c1");
        game.play("R:c1");
        assert_eq!((game.over, game.winners()), (true, vec![0, 1]));
        // E3
        let mut game = Munch::new(Size { patience: 2, ..Size::REAL }, 2);
        game.play("P:r1@a1");
        assert!(!game.over);
        game.play("P:r1@a2");
        assert!(game.over && game.turns().is_empty());
    }

    #[test]
    fn passing_is_forced_only_when_nothing_else_is_possible() {
        // The bank is empty; 2's monster stands far from the only world, which 1 cannot reach from an edge with the
        // only monster left in the army.
        let mut game = Munch::new(Size { copies: 0, ..Size::REAL }, 2);
        game.worlds.insert((3, 3), ('g', 1));
        game.monsters[0] = [Place::Army, Place::Void, Place::Pit];
        game.monsters[1][0] = place("b3");
        assert_eq!(game.turns(), ["PASS"]);
        game.play("PASS");
        assert_eq!((game.quiet, game.turns()), (1, vec!["M:b3>c3".to_owned()]));
    }
}
