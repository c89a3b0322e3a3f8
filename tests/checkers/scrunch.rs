//! Scrunch by its numbered rules (SC-01 to SC-23).

use super::{Checker, sorted};
use std::collections::BTreeSet;
use std::rc::Rc;

/// The cells of the board in order of q, then r, and for each the numbers of its neighbours (SC-01).
#[derive(Debug, PartialEq, Eq)]
pub struct Hexagon {
    pub cells: Vec<(i32, i32)>,
    pub neighbours: Vec<Vec<usize>>,
}

impl Hexagon {
    fn new(side: i32) -> Hexagon {
        let reach = side - 1;
        let mut cells = Vec::new();
        for q in -reach..=reach {
            for r in -reach..=reach {
                if (q + r).abs() <= reach {
                    cells.push((q, r));
                }
            }
        }
        let beside = |(q, r): (i32, i32)| {
            let six = [(q + 1, r), (q - 1, r), (q, r + 1), (q, r - 1), (q + 1, r - 1), (q - 1, r + 1)];
            (0..cells.len()).filter(|number| six.contains(&cells[*number])).collect()
        };
        let neighbours = cells.iter().map(|cell| beside(*cell)).collect();
        Hexagon { cells, neighbours }
    }

    fn number(&self, name: &str) -> usize {
        self.cells.iter().position(|(q, r)| format!("{q},{r}") == name).unwrap()
    }

    fn name(&self, cell: usize) -> String {
        let (q, r) = self.cells[cell];
        format!("{q},{r}")
    }
}

/// A position: everything that the rulings list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scrunch {
    pub board: Rc<Hexagon>,
    /// The colour of the stone on each cell: 0 is X, 1 is O (SC-02).
    pub stones: Vec<Option<usize>>,
    /// Whose creation phase is still open.
    pub creating: [bool; 2],
    pub mover: usize,
    pub winner: Option<usize>,
}

impl Scrunch {
    /// The start: an empty board; X begins.
    pub fn new(side: i32) -> Scrunch {
        let board = Rc::new(Hexagon::new(side));
        let stones = vec![None; board.cells.len()];
        Scrunch { board, stones, creating: [true, true], mover: 0, winner: None }
    }

    /// A position on a board with the stones of X and O on these cells, nobody laying eggs any more, X to move.
    pub fn with(side: i32, x: &[&str], o: &[&str]) -> Scrunch {
        let mut position = Scrunch { creating: [false, false], ..Scrunch::new(side) };
        for (player, cells) in [x, o].into_iter().enumerate() {
            for cell in cells {
                let cell = position.board.number(cell);
                position.stones[cell] = Some(player);
            }
        }
        position
    }

    /// How many friendly neighbours a cell has for the mover (SC-03).
    fn friends(&self, cell: usize) -> usize {
        self.board.neighbours[cell].iter().filter(|beside| self.stones[**beside] == Some(self.mover)).count()
    }

    fn empty_cells(&self) -> Vec<usize> {
        (0..self.stones.len()).filter(|cell| self.stones[*cell].is_none()).collect()
    }

    /// The mover's snakes, each with its cells in order, the snakes in order of their first cells (SC-04).
    fn snakes(&self) -> Vec<Vec<usize>> {
        let mut seen = vec![false; self.stones.len()];
        let mut snakes = Vec::new();
        for first in 0..self.stones.len() {
            if self.stones[first] != Some(self.mover) || seen[first] {
                continue;
            }
            seen[first] = true;
            let mut snake = vec![first];
            let mut next = 0;
            while next < snake.len() {
                for beside in &self.board.neighbours[snake[next]] {
                    if self.stones[*beside] == Some(self.mover) && !seen[*beside] {
                        seen[*beside] = true;
                        snake.push(*beside);
                    }
                }
                next += 1;
            }
            snake.sort_unstable();
            snakes.push(snake);
        }
        snakes
    }

    /// The mover's smallest snakes: all with the least number of stones (SC-05).
    fn smallest_snakes(&self) -> Vec<Vec<usize>> {
        let snakes = self.snakes();
        let least = snakes.iter().map(Vec::len).min().unwrap_or_default();
        snakes.into_iter().filter(|snake| snake.len() == least).collect()
    }

    /// Whether the mover has a mutant snake (SC-06).
    fn has_mutant(&self) -> bool {
        (0..self.stones.len()).any(|cell| self.stones[cell] == Some(self.mover) && self.friends(cell) > 2)
    }

    /// The cells on which the mover may lay an egg (SC-07, SC-10).
    fn egg_cells(&self) -> Vec<usize> {
        if !self.creating[self.mover] {
            return Vec::new();
        }
        self.empty_cells().into_iter().filter(|cell| self.friends(*cell) == 0).collect()
    }

    /// All wriggle turns of the mover: placed, from, to.
    fn wriggles(&self) -> Vec<(usize, usize, usize)> {
        let snakes_before = self.snakes().len();
        let smallest: Vec<usize> = self.smallest_snakes().concat();
        let mut found = Vec::new();
        for placed in self.empty_cells() {
            // SC-11: beside a stone of one of the smallest snakes, as they were before the placement.
            if !self.board.neighbours[placed].iter().any(|beside| smallest.contains(beside)) {
                continue;
            }
            let mut grown = self.clone();
            grown.stones[placed] = Some(self.mover);
            // SC-12: another stone of the snake that now contains the placed stone ...
            let snake = grown.snakes().into_iter().find(|snake| snake.contains(&placed)).unwrap();
            for from in snake.into_iter().filter(|from| *from != placed) {
                // ... by one step to an empty neighbouring cell.
                for to in self.board.neighbours[from].iter().copied().filter(|to| grown.stones[*to].is_none()) {
                    let mut moved = grown.clone();
                    moved.stones[from] = None;
                    moved.stones[to] = Some(self.mover);
                    // SC-15: not more snakes than before the turn. SC-16: no mutant.
                    if moved.snakes().len() <= snakes_before && !moved.has_mutant() {
                        found.push((placed, from, to));
                    }
                }
            }
        }
        found
    }

    /// All removal turns of the mover: the first cells of the removed snakes, in order (SC-20, SC-21).
    fn removals(&self) -> BTreeSet<Vec<usize>> {
        let mut found = BTreeSet::new();
        let mut tried = BTreeSet::new();
        self.remove_further(&BTreeSet::new(), &mut tried, &mut found);
        found
    }

    /// Removes each of the smallest snakes in turn, and goes on where it has to. The same snakes removed in another
    /// order leave the same stones, so a set of them is looked at once.
    fn remove_further(
        &self,
        removed: &BTreeSet<usize>,
        tried: &mut BTreeSet<BTreeSet<usize>>,
        found: &mut BTreeSet<Vec<usize>>,
    ) {
        for snake in self.smallest_snakes() {
            let mut removed = removed.clone();
            removed.insert(snake[0]);
            if !tried.insert(removed.clone()) {
                continue;
            }
            let mut left = self.clone();
            for cell in &snake {
                left.stones[*cell] = None;
            }
            // SC-21: until a wriggle turn would be possible, or no snake is left; exactly then.
            if left.snakes().is_empty() || !left.wriggles().is_empty() {
                found.insert(removed.into_iter().collect());
            } else {
                left.remove_further(&removed, tried, found);
            }
        }
    }
}

impl Checker for Scrunch {
    fn turns(&self) -> Vec<String> {
        if self.over() {
            return Vec::new();
        }
        let name = |cell: usize| self.board.name(cell);
        // SC-08, SC-18: eggs and wriggle turns, free to choose.
        let mut turns: Vec<String> = self.egg_cells().into_iter().map(|cell| format!("E {}", name(cell))).collect();
        for (placed, from, to) in self.wriggles() {
            turns.push(format!("G {} {}>{}", name(placed), name(from), name(to)));
        }
        // SC-18, SC-19: removal if there is neither.
        if turns.is_empty() {
            for removed in self.removals() {
                let cells: Vec<String> = removed.into_iter().map(name).collect();
                turns.push(format!("X {}", cells.join(" ")));
            }
        }
        sorted(turns)
    }

    fn play(&mut self, turn: &str) {
        let (letter, rest) = turn.split_once(' ').unwrap();
        match letter {
            "E" => {
                let cell = self.board.number(rest);
                self.stones[cell] = Some(self.mover);
            }
            "G" => {
                let (placed, step) = rest.split_once(' ').unwrap();
                let (from, to) = step.split_once('>').unwrap();
                let (placed, from, to) = (self.board.number(placed), self.board.number(from), self.board.number(to));
                self.stones[placed] = Some(self.mover);
                self.stones[from] = None;
                self.stones[to] = Some(self.mover);
                // SC-09
                self.creating[self.mover] = false;
            }
            "X" => {
                let firsts: Vec<usize> = rest.split(' ').map(|cell| self.board.number(cell)).collect();
                for snake in self.snakes().into_iter().filter(|snake| firsts.contains(&snake[0])) {
                    for cell in snake {
                        self.stones[cell] = None;
                    }
                }
                // SC-22
                self.creating[self.mover] = false;
                // SC-23
                if self.snakes().is_empty() {
                    self.winner = Some(1 - self.mover);
                }
            }
            other => panic!("no turn of Scrunch: {other}"),
        }
        self.mover = 1 - self.mover;
    }

    fn mover(&self) -> usize {
        self.mover
    }

    fn winners(&self) -> Vec<usize> {
        self.winner.into_iter().collect()
    }
}

mod tests {
    use super::{Checker, Scrunch};

    #[test]
    fn the_board_has_the_cells_of_the_rules() {
        let board = Scrunch::new(7).board;
        assert_eq!(board.cells.len(), 127);
        assert_eq!(board.neighbours[board.number("0,0")].len(), 6);
        assert_eq!(board.neighbours[board.number("6,0")].len(), 3);
        assert_eq!(board.neighbours[board.number("3,3")].len(), 4);
    }

    #[test]
    fn an_egg_may_lie_beside_an_enemy_but_not_beside_a_friend() {
        let mut game = Scrunch::new(2);
        assert_eq!(game.turns().len(), 7);
        game.play("E 0,0");
        assert_eq!(game.turns().len(), 6);
        game.play("E 1,0");
        // X has no egg cell left (SC-R04) and wriggles: the placed stone beside 0,0, then 0,0 moves on.
        assert!(game.turns().iter().all(|turn| turn.starts_with('G')), "{:?}", game.turns());
        game.play("G 0,1 0,0>-1,1");
        assert_eq!(game.creating, [false, true]);
    }

    #[test]
    fn a_lone_egg_wriggles_as_two_stones_that_stay_together() {
        // Growth beside the egg; the egg itself moves, and must end beside the new stone (SC-15): the two cells that
        // both share.
        let game = Scrunch::with(3, &["0,0"], &["2,-2"]);
        assert_eq!(game.turns().len(), 6 * 2);
        assert!(game.turns().contains(&"G 1,0 0,0>0,1".to_owned()));
        assert!(!game.turns().contains(&"G 1,0 0,0>-1,0".to_owned()));
    }

    #[test]
    fn only_the_smallest_grows_but_a_joined_larger_one_moves() {
        // The pair -2,0 -2,1 is larger than the egg 0,0; a stone on -1,0 joins both (SC-R07, SC-R10).
        let game = Scrunch::with(4, &["0,0", "-2,0", "-2,1"], &["3,0"]);
        let turns = game.turns();
        assert!(turns.iter().all(|turn| !turn.starts_with("G -3,")), "{turns:?}");
        assert!(
            turns.contains(&"G -1,0 -2,1>-3,1".to_owned()),
            "the moved stone may stand alone: two snakes as before"
        );
        assert!(turns.contains(&"G -1,0 0,0>1,-1".to_owned()), "and so may the egg");
        assert!(!turns.contains(&"G -1,1 0,0>-1,0".to_owned()), "-1,0 would touch -2,0, -2,1 and -1,1: a mutant");
    }

    #[test]
    fn triangles_and_rings_are_no_mutants() {
        let game = Scrunch::with(3, &["0,0", "1,0"], &["-2,2"]);
        assert!(game.turns().contains(&"G 2,-1 0,0>1,-1".to_owned()), "it leaves a triangle: {:?}", game.turns());
        let ring = ["1,0", "1,-1", "0,-1", "-1,0", "-1,1", "0,1"];
        assert!(!Scrunch::with(3, &ring, &[]).has_mutant());
        assert!(Scrunch::with(3, &["0,0", "1,0", "0,-1", "-1,1"], &[]).has_mutant(), "three around one");
    }

    #[test]
    fn dead_snakes_go_one_at_a_time_and_the_last_one_loses() {
        // On the smallest board X has one egg, all around it O but for one cell.
        let game = Scrunch::with(2, &["0,0"], &["1,0", "-1,0", "0,1", "0,-1", "1,-1", "-1,1"]);
        assert_eq!(game.turns(), ["X 0,0"]);
        let mut end = game.clone();
        end.play("X 0,0");
        assert_eq!((end.over(), end.winners(), end.turns().len()), (true, vec![1], 0));
        assert_eq!(game.perft(1), (1, 1));
    }

    #[test]
    fn removal_goes_on_while_nothing_can_wriggle() {
        // Only 0,0 is empty. With one egg gone its cell is free, but beside no cell that the other could go to.
        let mut game = Scrunch::with(2, &["1,0", "-1,0"], &["0,1", "0,-1", "1,-1", "-1,1"]);
        assert_eq!(game.turns(), ["X -1,0 1,0"]);
        game.play("X -1,0 1,0");
        assert_eq!(game.winners(), [1]);
    }

    #[test]
    fn any_of_the_tied_dead_eggs_may_go_and_the_others_live() {
        // 0,0 and 1,-1 are empty. A stone on 0,0 has three friends, and still three when 1,0 or 0,-1 goes to 1,-1. A
        // stone on 1,-1 lets one of these two go to 0,0, which then has three friends. Without any one egg it works.
        let game = Scrunch::with(2, &["1,0", "0,-1", "-1,1"], &["-1,0", "0,1"]);
        assert_eq!(game.turns(), ["X -1,1", "X 0,-1", "X 1,0"]);
    }

    #[test]
    fn a_removal_closes_the_creation_phase() {
        let mut game = Scrunch::with(2, &["0,0"], &["1,0", "-1,0", "0,1", "0,-1", "1,-1", "-1,1"]);
        game.creating = [true, true];
        assert_eq!(game.turns(), ["X 0,0"]);
        game.play("X 0,0");
        assert_eq!(game.creating, [false, true]);
    }

    #[test]
    fn the_whole_game_on_the_smallest_board() {
        let known = [(7, 0), (42, 0), (234, 0), (792, 0), (2472, 240), (3168, 1032), (2136, 2136), (0, 0)];
        for (depth, known) in (1..).zip(known) {
            assert_eq!(Scrunch::new(2).perft(depth), known, "depth {depth}");
        }
    }
}
