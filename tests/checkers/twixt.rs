//! TwixT by its numbered rules (TX-01 to TX-09).

use super::{Checker, sorted};

/// A hole by column and row, from 1 on.
type Hole = (i32, i32);

/// A position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Twixt {
    pub size: i32,
    pub swap: bool,
    pub pegs: [Vec<Hole>; 2],
    /// Links of both players (TX-06 does not ask whose they are).
    pub links: Vec<(Hole, Hole)>,
    pub made: u32,
    pub mover: usize,
    pub over: bool,
    pub winner: Option<usize>,
}

fn name((column, row): Hole) -> String {
    format!("{}{row}", char::from(b'a' + column as u8 - 1))
}

/// Whether two links cross: the point where their lines meet lies strictly within both.
fn cross((a, b): (Hole, Hole), (c, d): (Hole, Hole)) -> bool {
    let (first, second, apart) = ((b.0 - a.0, b.1 - a.1), (d.0 - c.0, d.1 - c.1), (c.0 - a.0, c.1 - a.1));
    let below = first.0 * second.1 - first.1 * second.0;
    if below == 0 {
        return false;
    }
    // How far along each of them the point lies, in parts of `below`.
    let along_first = apart.0 * second.1 - apart.1 * second.0;
    let along_second = apart.0 * first.1 - apart.1 * first.0;
    let within = |part: i32| 0 < part * below.signum() && part * below.signum() < below.abs();
    within(along_first) && within(along_second)
}

impl Twixt {
    /// The start: no pegs (TX-01).
    pub fn new(size: i32, swap: bool) -> Twixt {
        Twixt {
            size,
            swap,
            pegs: [Vec::new(), Vec::new()],
            links: Vec::new(),
            made: 0,
            mover: 0,
            over: false,
            winner: None,
        }
    }

    /// Whether a hole is in one of a player's own rows or columns: -1 for the near one, 1 for the far one, else 0 (TX-02).
    fn side(&self, player: usize, hole: Hole) -> i32 {
        let along = if player == 0 { hole.1 } else { hole.0 };
        i32::from(along == self.size) - i32::from(along == 1)
    }

    /// Where a player may put a peg (TX-01, TX-04).
    fn holes(&self, player: usize) -> Vec<Hole> {
        let mut all = Vec::new();
        for column in 1..=self.size {
            for row in 1..=self.size {
                let hole = (column, row);
                let taken = self.pegs.iter().any(|own| own.contains(&hole));
                if !taken && self.side(1 - player, hole) == 0 {
                    all.push(hole);
                }
            }
        }
        all
    }

    /// TX-09
    fn may_swap(&self) -> bool {
        self.swap && self.made == 1 && self.pegs[0].iter().all(|hole| self.side(0, *hole) == 0)
    }

    /// Puts a peg, links it, and sees what has come of it (TX-05 to TX-08).
    fn put(&mut self, hole: Hole) {
        for other in self.pegs[self.mover].clone() {
            let (right, up) = ((other.0 - hole.0).abs(), (other.1 - hole.1).abs());
            let link = (hole, other);
            if (right, up) != (1, 2) && (right, up) != (2, 1) || self.links.iter().any(|old| cross(*old, link)) {
                continue;
            }
            self.links.push(link);
        }
        self.pegs[self.mover].push(hole);
        let mut chain = vec![hole];
        let mut next = 0;
        while next < chain.len() {
            for (a, b) in &self.links {
                for (from, to) in [(a, b), (b, a)] {
                    if *from == chain[next] && !chain.contains(to) {
                        chain.push(*to);
                    }
                }
            }
            next += 1;
        }
        if [-1, 1].iter().all(|side| chain.iter().any(|hole| self.side(self.mover, *hole) == *side)) {
            self.winner = Some(self.mover);
        }
        self.over = self.winner.is_some() || self.holes(1 - self.mover).is_empty();
    }
}

impl Checker for Twixt {
    fn turns(&self) -> Vec<String> {
        if self.over {
            return Vec::new();
        }
        let mut all: Vec<String> = self.holes(self.mover).into_iter().map(name).collect();
        if self.may_swap() {
            all.push("swap".to_string());
        }
        sorted(all)
    }

    fn play(&mut self, turn: &str) {
        if turn == "swap" {
            let old = self.pegs[0].remove(0);
            self.put((old.1, self.size + 1 - old.0));
        } else {
            let hole = self.holes(self.mover).into_iter().find(|hole| name(*hole) == turn).expect("a hole");
            self.put(hole);
        }
        self.made += 1;
        self.mover = 1 - self.mover;
    }

    fn over(&self) -> bool {
        self.over
    }

    fn mover(&self) -> usize {
        self.mover
    }

    fn winners(&self) -> Vec<usize> {
        self.winner.into_iter().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::{Checker, Twixt, cross};

    #[test]
    fn the_numbers_of_sequences() {
        assert_eq!([1, 2].map(|depth| Twixt::new(5, true).perft(depth)), [(15, 0), (225, 0)]);
        assert_eq!(Twixt::new(8, true).perft(1), (48, 0));
    }

    #[test]
    fn every_link_is_crossed_by_nine_others() {
        let steps = [(1, 2), (2, 1), (2, -1), (1, -2)];
        for step in steps {
            let mut count = 0;
            for column in -4..=4 {
                for row in -4..=4 {
                    for other in steps {
                        count += i32::from(cross(((0, 0), step), ((column, row), (column + other.0, row + other.1))));
                    }
                }
            }
            assert_eq!(count, 9, "of the link {step:?}");
        }
    }
}
