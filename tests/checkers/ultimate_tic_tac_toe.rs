//! Ultimate Tic-Tac-Toe: nine boards of nine squares; a square says on which board the other player plays next.

use super::{Checker, sorted};

/// The lines of a board of three times three, whose places are counted by rows from 0 on, the lowest row first.
const LINES: [[usize; 3]; 8] = [[0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8], [0, 4, 8], [2, 4, 6]];

/// A position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ultimate {
    /// The signs of each small board.
    pub signs: [[Option<usize>; 9]; 9],
    /// The board on which the next sign must be; any that is not over, if there is none.
    pub next: Option<usize>,
    pub mover: usize,
}

/// Who has a line.
fn winner(places: &[Option<usize>; 9]) -> Option<usize> {
    LINES.into_iter().find_map(|[a, b, c]| places[a].filter(|_| places[a] == places[b] && places[b] == places[c]))
}

/// A square as on one board of nine times nine.
fn name(board: usize, place: usize) -> String {
    let (column, row) = (board % 3 * 3 + place % 3, board / 3 * 3 + place / 3);
    format!("{}{}", char::from(b'a' + column as u8), row + 1)
}

impl Ultimate {
    /// The start. UT-01, UT-02
    pub fn new() -> Ultimate {
        Ultimate { signs: [[None; 9]; 9], next: None, mover: 0 }
    }

    /// Whether a small board is over. UT-05, UT-06
    fn closed(&self, board: usize) -> bool {
        winner(&self.signs[board]).is_some() || self.signs[board].iter().all(Option::is_some)
    }

    /// Who has a line of the large board. UT-07
    fn won(&self) -> Option<usize> {
        winner(&std::array::from_fn(|board| winner(&self.signs[board])))
    }

    /// The squares that can be taken: board and place. UT-03, UT-04
    fn squares(&self) -> Vec<(usize, usize)> {
        let all = (0..9).flat_map(|board| (0..9).map(move |place| (board, place)));
        all.filter(|(board, place)| {
            !self.closed(*board) && self.signs[*board][*place].is_none() && self.next.is_none_or(|next| next == *board)
        })
        .collect()
    }
}

impl Checker for Ultimate {
    fn turns(&self) -> Vec<String> {
        if self.over() {
            return Vec::new();
        }
        sorted(self.squares().into_iter().map(|(board, place)| name(board, place)).collect())
    }

    fn play(&mut self, turn: &str) {
        let named = |(board, place): &(usize, usize)| name(*board, *place) == turn;
        let (board, place) = self.squares().into_iter().find(named).expect("a square");
        self.signs[board][place] = Some(self.mover);
        self.next = Some(place).filter(|next| !self.closed(*next));
        self.mover = 1 - self.mover;
    }

    fn over(&self) -> bool {
        // UT-08
        self.won().is_some() || (0..9).all(|board| self.closed(board))
    }

    fn mover(&self) -> usize {
        self.mover
    }

    fn winners(&self) -> Vec<usize> {
        self.won().into_iter().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::{Checker, Ultimate};

    #[test]
    fn the_known_numbers_of_sequences() {
        let counts = [1, 2, 3].map(|depth| Ultimate::new().perft(depth));
        assert_eq!(counts, [(81, 0), (720, 0), (6336, 0)]);
    }

    #[test]
    fn a_board_that_is_over_gives_free_choice() {
        let mut game = Ultimate::new();
        // X takes the lowest row of the lower left board, and O's last square points at it.
        for turn in ["a1", "c3", "h8", "d4", "b1", "d1", "c1"] {
            game.play(turn);
        }
        assert_eq!(game.next, Some(2));
        game.play("g1");
        assert_eq!((game.next, game.turns().len()), (None, 68));
    }
}
