//! Cribbage for two. Chance is the deal and the starter: `deal` takes these cards one by one.

use super::{Checker, sorted};

const SUITS: &str = "CDHS";
const RANKS: [&str; 13] = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"];
const JACK: usize = 11;

/// A card: its suit from 0 on, and its rank, an ace 1 and a king 13. Cards are sorted by suits first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Card {
    pub suit: usize,
    pub rank: usize,
}

impl Card {
    /// The card that is written so, such as `10H`.
    fn read(text: &str) -> Card {
        let (rank, suit) = text.split_at(text.len() - 1);
        let rank = RANKS.iter().position(|name| *name == rank).expect("a rank") + 1;
        Card { suit: SUITS.find(suit).expect("a suit"), rank }
    }

    fn name(self) -> String {
        format!("{}{}", RANKS[self.rank - 1], &SUITS[self.suit..=self.suit])
    }

    /// CB-01
    fn counts(self) -> usize {
        self.rank.min(10)
    }
}

/// Whether these ranks follow one another.
fn is_row(cards: &[Card]) -> bool {
    let mut ranks: Vec<usize> = cards.iter().map(|card| card.rank).collect();
    ranks.sort();
    ranks.windows(2).all(|two| two[1] == two[0] + 1)
}

/// CB-11 to CB-15: what a hand scores with a starter.
fn worth(hand: &[Card], starter: Card, crib_flush: bool, crib: bool) -> i64 {
    let mut all = hand.to_vec();
    all.push(starter);
    let mut points = 0;
    let mut rows = [0; 6];
    for chosen in 1..1 << all.len() {
        let cards: Vec<Card> = (0..all.len()).filter(|i| chosen >> i & 1 == 1).map(|i| all[i]).collect();
        if cards.iter().map(|card| card.counts()).sum::<usize>() == 15 {
            points += 2;
        }
        if cards.len() == 2 && cards[0].rank == cards[1].rank {
            points += 2;
        }
        if cards.len() >= 3 && is_row(&cards) {
            rows[cards.len()] += 1;
        }
    }
    // Of five cards, a shorter row beside a longer one is always a part of it.
    for length in [5, 4, 3] {
        if rows[length] > 0 {
            points += rows[length] * length as i64;
            break;
        }
    }
    if hand.iter().all(|card| card.suit == hand[0].suit) {
        if starter.suit == hand[0].suit {
            points += 5;
        } else if !crib || crib_flush {
            points += 4;
        }
    }
    points + i64::from(hand.iter().any(|card| card.rank == JACK && card.suit == starter.suit))
}

/// A position.
#[derive(Clone, Debug)]
pub struct Cribbage {
    pub goal: i64,
    pub crib_flush: bool,
    dealer: usize,
    dealt: usize,
    hands: [Vec<Card>; 2],
    /// What each has played in this deal.
    played: [Vec<Card>; 2],
    crib: Vec<Card>,
    starter: Option<Card>,
    /// The cards of the sum that is open.
    row: Vec<Card>,
    last: usize,
    gone: [bool; 2],
    mover: usize,
    points: [i64; 2],
    winner: Option<usize>,
}

impl Cribbage {
    /// The start, before any card is dealt.
    pub fn new(goal: i64) -> Cribbage {
        Cribbage {
            goal,
            crib_flush: true,
            dealer: 0,
            dealt: 0,
            hands: Default::default(),
            played: Default::default(),
            crib: Vec::new(),
            starter: None,
            row: Vec::new(),
            last: 0,
            gone: [false; 2],
            mover: 0,
            points: [0; 2],
            winner: None,
        }
    }

    /// The next card that chance gives: twelve to the hands, the other player's first, then the starter.
    pub fn deal(&mut self, card: &str) {
        let card = Card::read(card);
        if self.dealt < 12 {
            self.hands[(self.dealer + 1 + self.dealt) % 2].push(card);
        } else {
            self.starter = Some(card);
            if card.rank == JACK {
                self.score(self.dealer, 2);
            }
        }
        self.dealt += 1;
    }

    /// CB-16
    fn score(&mut self, player: usize, points: i64) {
        if self.winner.is_none() {
            self.points[player] += points;
            if self.points[player] >= self.goal {
                self.winner = Some(player);
            }
        }
    }

    fn sum(&self) -> usize {
        self.row.iter().map(|card| card.counts()).sum()
    }

    fn playable(&self) -> Vec<Card> {
        let sum = self.sum();
        self.hands[self.mover].iter().copied().filter(|card| sum + card.counts() <= 31).collect()
    }

    /// CB-06 to CB-08, after a card was played.
    fn score_row(&mut self) {
        if self.sum() == 15 {
            self.score(self.mover, 2);
        }
        let last = self.row[self.row.len() - 1];
        let alike = self.row.iter().rev().take_while(|card| card.rank == last.rank).count() as i64;
        self.score(self.mover, alike * (alike - 1));
        for length in (3..=self.row.len()).rev() {
            if is_row(&self.row[self.row.len() - length..]) {
                self.score(self.mover, length as i64);
                break;
            }
        }
    }

    /// CB-09: the sum is closed. CB-10 and CB-17: perhaps the deal is over.
    fn close(&mut self, points: i64) {
        self.score(self.last, points);
        self.row.clear();
        self.gone = [false; 2];
        self.mover = 1 - self.last;
        if self.hands.iter().all(Vec::is_empty)
            && let Some(starter) = self.starter
        {
            let pone = 1 - self.dealer;
            self.score(pone, worth(&self.played[pone], starter, self.crib_flush, false));
            self.score(self.dealer, worth(&self.played[self.dealer], starter, self.crib_flush, false));
            self.score(self.dealer, worth(&self.crib, starter, self.crib_flush, true));
            self.dealer = pone;
            self.dealt = 0;
            self.played = Default::default();
            self.crib.clear();
            self.starter = None;
            self.mover = 0;
        }
    }
}

impl Checker for Cribbage {
    fn turns(&self) -> Vec<String> {
        if self.over() || self.dealt < 12 {
            return Vec::new();
        }
        if self.crib.len() < 4 {
            let mut hand = self.hands[self.mover].clone();
            hand.sort();
            let mut turns = Vec::new();
            for (place, first) in hand.iter().enumerate() {
                for second in &hand[place + 1..] {
                    turns.push(format!("{} {} to the crib", first.name(), second.name()));
                }
            }
            return sorted(turns);
        }
        let cards = self.playable();
        if cards.is_empty() { vec!["go".to_string()] } else { sorted(cards.into_iter().map(Card::name).collect()) }
    }

    fn play(&mut self, turn: &str) {
        if self.crib.len() < 4 {
            for name in turn.split(' ').take(2) {
                let card = Card::read(name);
                self.hands[self.mover].retain(|other| *other != card);
                self.crib.push(card);
            }
            self.mover = if self.crib.len() < 4 { 1 } else { 1 - self.dealer };
        } else if turn == "go" {
            self.gone[self.mover] = true;
            self.mover = 1 - self.mover;
            if self.gone == [true; 2] {
                self.close(1);
            }
        } else {
            let card = Card::read(turn);
            self.hands[self.mover].retain(|other| *other != card);
            self.played[self.mover].push(card);
            self.row.push(card);
            self.last = self.mover;
            self.gone[self.mover] = false;
            self.score_row();
            self.mover = 1 - self.mover;
            if self.sum() == 31 {
                self.close(2);
            }
        }
    }

    fn mover(&self) -> usize {
        self.mover
    }

    fn winners(&self) -> Vec<usize> {
        self.winner.into_iter().collect()
    }

    fn scores(&self) -> Option<Vec<i64>> {
        Some(self.points.to_vec())
    }
}

#[cfg(test)]
mod tests {
    use super::{Card, Checker, Cribbage, worth};

    fn counted(hand: &str, starter: &str) -> i64 {
        let cards: Vec<Card> = hand.split(' ').map(Card::read).collect();
        worth(&cards, Card::read(starter), true, false)
    }

    #[test]
    fn known_hands() {
        assert_eq!(counted("5C 5D 5H JS", "5S"), 29);
        assert_eq!(counted("5C 5D 5H 5S", "JS"), 28);
        assert_eq!(counted("4C 5D 5H 6S", "6D"), 24);
        assert_eq!(counted("AC 2D 3H 4S", "5D"), 7);
        assert_eq!(counted("2C 4D 6H 8S", "KD"), 0);
    }

    #[test]
    fn a_deal_has_fifteen_discards_for_each() {
        let mut game = Cribbage::new(121);
        for card in ["5H", "4C", "5S", "5C", "KH", "6C", "QH", "KC", "JH", "AD", "7D", "2D"] {
            game.deal(card);
        }
        assert_eq!([game.perft(1).0, game.perft(2).0], [15, 225]);
    }
}
