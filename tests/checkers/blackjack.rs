//! Blackjack: a player against a dealer who follows fixed rules. Chance is every card: `deal` takes them one by one.

use super::{Checker, sorted};

const RANKS: [&str; 13] = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"];

/// A position: the ranks of the cards, an ace 1 and a king 13; of the dealer's the first lies face down.
#[derive(Clone, Debug, Default)]
pub struct Blackjack {
    player: Vec<usize>,
    dealer: Vec<usize>,
    hit: bool,
    stood: bool,
}

/// BJ-02: what a hand counts, and beyond 21 if it is bust.
fn total(cards: &[usize]) -> usize {
    let mut total: usize = cards.iter().map(|rank| (*rank).min(10)).sum();
    for _ in cards.iter().filter(|rank| **rank == 1) {
        if total + 10 <= 21 {
            total += 10;
        }
    }
    total
}

impl Blackjack {
    /// The start, before any card is dealt.
    pub fn new() -> Blackjack {
        Blackjack::default()
    }

    /// The next card: two for the player, two for the dealer, then for whoever takes one.
    pub fn deal(&mut self, card: &str) {
        let rank = card.trim_end_matches(['C', 'D', 'H', 'S']);
        let rank = RANKS.iter().position(|name| *name == rank).expect("a rank") + 1;
        if self.player.len() < 2 || self.hit {
            self.player.push(rank);
            self.hit = false;
        } else {
            self.dealer.push(rank);
        }
    }
}

impl Checker for Blackjack {
    fn turns(&self) -> Vec<String> {
        if self.over() || self.dealer.len() < 2 || self.hit || self.stood {
            return Vec::new();
        }
        sorted(vec!["hit".to_string(), "stand".to_string()])
    }

    fn play(&mut self, turn: &str) {
        if turn == "hit" {
            self.hit = true;
        } else {
            self.stood = true;
        }
    }

    fn over(&self) -> bool {
        total(&self.player) > 21 || self.stood && total(&self.dealer) > 16
    }

    fn mover(&self) -> usize {
        0
    }

    fn winners(&self) -> Vec<usize> {
        match self.scores() {
            Some(scores) if scores[0] != 0 => vec![usize::from(scores[0] < 0)],
            _ => Vec::new(),
        }
    }

    fn scores(&self) -> Option<Vec<i64>> {
        let (player, dealer) = (total(&self.player), total(&self.dealer));
        let score = if !self.over() {
            0
        } else if player > 21 {
            -1
        } else if dealer > 21 || player > dealer {
            1
        } else if player < dealer {
            -1
        } else {
            0
        };
        Some(vec![score, -score])
    }
}

#[cfg(test)]
mod tests {
    use super::{Blackjack, Checker, total};

    #[test]
    fn totals() {
        assert_eq!(total(&[1, 13]), 21);
        assert_eq!(total(&[1, 1]), 12);
        assert_eq!(total(&[1, 1, 9, 13]), 21);
        assert_eq!(total(&[10, 11, 2]), 22);
    }

    #[test]
    fn a_soft_seventeen_stands() {
        let mut game = Blackjack::new();
        for card in ["KC", "8C", "AD", "6D"] {
            game.deal(card);
        }
        assert_eq!(game.perft(1), (2, 1));
        game.play("stand");
        assert_eq!(game.winners(), [0]);
    }
}
