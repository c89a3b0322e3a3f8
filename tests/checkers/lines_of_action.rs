//! Lines of Action: a piece goes as far as there are pieces on its line; whoever has all of theirs in one group wins.

use super::{Checker, sorted};

/// The four lines through a square, and both ways along each.
const WAYS: [(i32, i32); 8] = [(1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (-1, -1), (1, -1), (-1, 1)];

/// Who has which squares, by rows and columns from 0 on, the lowest row first.
type Board = Vec<Option<usize>>;

/// A position, and all boards that have been there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LinesOfAction {
    /// How many columns and rows there are.
    pub side: i32,
    pub board: Board,
    pub been: Vec<Board>,
    pub mover: usize,
    /// How many moves a game has at most.
    pub longest: usize,
    pub moves: usize,
    /// Who has won, once the game is over.
    pub ended: Option<Vec<usize>>,
}

/// A move: the notation, from where, and where to.
type Move = (String, usize, usize);

fn name(side: i32, cell: usize) -> String {
    format!("{}{}", char::from(b'a' + (cell as i32 % side) as u8), cell as i32 / side + 1)
}

/// The square so far from another, if it is on the board.
fn away(side: i32, cell: usize, way: (i32, i32), steps: i32) -> Option<usize> {
    let (column, row) = (cell as i32 % side + way.0 * steps, cell as i32 / side + way.1 * steps);
    ((0..side).contains(&column) && (0..side).contains(&row)).then_some((row * side + column) as usize)
}

impl LinesOfAction {
    /// The start. LA-02
    pub fn new(side: i32, longest: usize) -> LinesOfAction {
        let outer = |n: i32| n == 0 || n == side - 1;
        let start = |cell: i32| match (outer(cell / side), outer(cell % side)) {
            (true, false) => Some(0),
            (false, true) => Some(1),
            _ => None,
        };
        let board: Board = (0..side * side).map(start).collect();
        LinesOfAction { side, been: vec![board.clone()], board, mover: 0, longest, moves: 0, ended: None }
    }

    /// A position of which only the pieces are known, with the first player on turn.
    pub fn with(first: &str, second: &str) -> LinesOfAction {
        let side = 8;
        let owner = |cell| [first, second].iter().position(|names| names.split(' ').any(|n| n == name(side, cell)));
        let board: Board = (0..(side * side) as usize).map(owner).collect();
        LinesOfAction { side, been: vec![board.clone()], board, mover: 0, longest: 1000, moves: 0, ended: None }
    }

    /// All moves of whoever is on turn, whether the game is over or not. LA-04 to LA-07
    fn moves(&self) -> Vec<Move> {
        let mut moves = Vec::new();
        for from in (0..self.board.len()).filter(|cell| self.board[*cell] == Some(self.mover)) {
            for way in WAYS {
                let along = (1 - self.side..self.side).filter_map(|steps| away(self.side, from, way, steps));
                let weight = along.filter(|cell| self.board[*cell].is_some()).count() as i32;
                let Some(to) = away(self.side, from, way, weight) else { continue };
                let mut passed = (1..weight).filter_map(|steps| away(self.side, from, way, steps));
                let blocked = passed.any(|cell| self.board[cell] == Some(1 - self.mover));
                if !blocked && self.board[to] != Some(self.mover) {
                    let sign = if self.board[to].is_some() { "x" } else { "-" };
                    moves.push((format!("{}{sign}{}", name(self.side, from), name(self.side, to)), from, to));
                }
            }
        }
        moves
    }

    /// Whether all pieces of a player touch one another. LA-08
    fn united(&self, player: usize) -> bool {
        let own: Vec<usize> = (0..self.board.len()).filter(|cell| self.board[*cell] == Some(player)).collect();
        let mut reached: Vec<usize> = own.iter().copied().take(1).collect();
        let mut next = 0;
        while next < reached.len() {
            let from = reached[next];
            for beside in WAYS.into_iter().filter_map(|way| away(self.side, from, way, 1)) {
                if own.contains(&beside) && !reached.contains(&beside) {
                    reached.push(beside);
                }
            }
            next += 1;
        }
        reached.len() == own.len()
    }

    /// What a move has ended the game with. LA-08 to LA-12
    fn outcome(&self) -> Option<Vec<usize>> {
        let other = 1 - self.mover;
        if self.moves == self.longest {
            Some(Vec::new())
        } else if self.united(self.mover) {
            Some(vec![self.mover])
        } else if self.united(other) {
            Some(vec![other])
        } else if self.been.contains(&self.board) {
            Some(Vec::new())
        } else {
            None
        }
    }
}

impl Checker for LinesOfAction {
    fn turns(&self) -> Vec<String> {
        if self.over() {
            return Vec::new();
        }
        sorted(self.moves().into_iter().map(|(text, _, _)| text).collect())
    }

    fn play(&mut self, turn: &str) {
        let (_, from, to) = self.moves().into_iter().find(|(text, _, _)| text == turn).expect("a move");
        self.board[to] = self.board[from].take();
        self.moves += 1;
        self.ended = self.outcome();
        self.been.push(self.board.clone());
        self.mover = 1 - self.mover;
        // LA-10
        if self.ended.is_none() && self.moves().is_empty() {
            self.ended = Some(vec![1 - self.mover]);
        }
    }

    fn over(&self) -> bool {
        self.ended.is_some()
    }

    fn mover(&self) -> usize {
        self.mover
    }

    fn winners(&self) -> Vec<usize> {
        self.ended.clone().unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::{Checker, LinesOfAction};

    #[test]
    fn the_known_numbers_of_sequences() {
        let game = LinesOfAction::new(8, 1000);
        // Each of the twelve pieces has three moves at the beginning.
        assert_eq!([1, 2].map(|depth| game.perft(depth)), [(36, 0), (1244, 0)]);
        assert_eq!(LinesOfAction::new(8, 1).perft(1), (36, 36));
    }

    #[test]
    fn who_has_won() {
        let after = |first, second, turn| {
            let mut game = LinesOfAction::with(first, second);
            game.play(turn);
            game.winners()
        };
        assert_eq!(after("b2 c3 e3", "a5 h6", "e3-d4"), [0]);
        assert_eq!(after("a1 e5", "c1 h8", "a1xc1"), [1]);
        assert_eq!(after("a1 d2", "c1 h7 h8", "a1xc1"), [0]);
    }

    #[test]
    fn a_board_that_was_there_is_a_draw() {
        let mut game = LinesOfAction::with("a1 h4", "e8 c6");
        for turn in ["a1-a2", "e8-f8", "a2-b2", "f8-e8"] {
            game.play(turn);
            assert!(!game.over());
        }
        game.play("b2-a1");
        assert!(game.over() && game.winners().is_empty());
    }
}
