//! Spades: two partnerships bid for tricks; spades are trump. Chance is the deal: `deal` takes the cards one by one.

use super::{Checker, highest, sorted};

/// The suits, clubs first; the last is trump.
const SUITS: &str = "CDHS";
const RANKS: [&str; 13] = ["2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A"];

/// A card: its suit and its rank, both from 0 on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Card {
    pub suit: usize,
    pub rank: usize,
}

const TRUMP: usize = 3;

impl Card {
    /// The card that is written so, such as `10H`.
    fn read(text: &str) -> Card {
        let (rank, suit) = text.split_at(text.len() - 1);
        let rank = RANKS.iter().position(|name| *name == rank).expect("a rank");
        Card { suit: SUITS.find(suit).expect("a suit"), rank }
    }

    fn name(self) -> String {
        format!("{}{}", RANKS[self.rank], &SUITS[self.suit..=self.suit])
    }
}

/// A position. Players 0 and 2 are partners, and so are 1 and 3.
#[derive(Clone, Debug)]
pub struct Spades {
    pub deals: usize,
    pub goal: i64,
    pub floor: i64,
    hands: [Vec<Card>; 4],
    dealt: usize,
    deal: usize,
    first: usize,
    bids: Vec<i64>,
    won: [i64; 4],
    leader: usize,
    table: Vec<Card>,
    broken: bool,
    /// The points and the bags of the two sides.
    points: [i64; 2],
    bags: [i64; 2],
    over: bool,
}

impl Spades {
    /// The start, before any card is dealt.
    pub fn new(deals: usize) -> Spades {
        Spades {
            deals,
            goal: 500,
            floor: 350,
            hands: Default::default(),
            dealt: 0,
            deal: 1,
            first: 0,
            bids: Vec::new(),
            won: [0; 4],
            leader: 0,
            table: Vec::new(),
            broken: false,
            points: [0; 2],
            bags: [0; 2],
            over: false,
        }
    }

    /// The next card that is dealt: one to each in turn.
    pub fn deal(&mut self, card: &str) {
        self.hands[(self.first + self.dealt) % 4].push(Card::read(card));
        self.dealt += 1;
    }

    /// SP-06, SP-07
    fn playable(&self) -> Vec<Card> {
        let hand = &self.hands[self.mover()];
        let some =
            |good: &dyn Fn(&Card) -> bool| -> Vec<Card> { hand.iter().copied().filter(|card| good(card)).collect() };
        let wanted = match self.table.first() {
            Some(led) => some(&|card| card.suit == led.suit),
            None if self.broken => Vec::new(),
            None => some(&|card| card.suit != TRUMP),
        };
        if wanted.is_empty() { hand.clone() } else { wanted }
    }

    /// SP-08: which card of the trick takes it, counted from the leader.
    fn best(&self) -> usize {
        let suit = if self.table.iter().any(|card| card.suit == TRUMP) { TRUMP } else { self.table[0].suit };
        let mut best = None;
        for (place, card) in self.table.iter().enumerate() {
            let beats = |other: usize| card.rank > self.table[other].rank;
            if card.suit == suit && best.is_none_or(beats) {
                best = Some(place);
            }
        }
        best.unwrap_or(0)
    }

    /// SP-09 to SP-12
    fn settle(&mut self) {
        for side in 0..2 {
            let both = [side, side + 2];
            let bid: i64 = both.iter().map(|p| self.bids[(p + 4 - self.first) % 4]).sum();
            let taken: i64 = both.iter().map(|p| self.won[*p]).sum();
            let mut points = if taken < bid { -10 * bid } else { 10 * bid + taken - bid };
            for player in both {
                if self.bids[(player + 4 - self.first) % 4] == 0 {
                    points += if self.won[player] == 0 { 100 } else { -100 };
                }
            }
            self.bags[side] += (taken - bid).max(0);
            while self.bags[side] >= 10 {
                self.bags[side] -= 10;
                points -= 100;
            }
            self.points[side] += points;
        }
        let ends = self.points.iter().any(|points| *points >= self.goal || *points <= -self.floor);
        self.over = ends || self.deal == self.deals;
        if !self.over {
            self.deal += 1;
            self.first = (self.first + 1) % 4;
            self.dealt = 0;
            self.bids.clear();
            self.won = [0; 4];
            self.leader = self.first;
            self.broken = false;
        }
    }
}

impl Checker for Spades {
    fn turns(&self) -> Vec<String> {
        if self.over || self.dealt < 52 {
            return Vec::new();
        }
        if self.bids.len() < 4 {
            // SP-04
            let partner = if self.bids.len() >= 2 { self.bids[self.bids.len() - 2] } else { 0 };
            let bid = |n: i64| if n == 0 { "nil".to_string() } else { format!("bid {n}") };
            return sorted((0..=13 - partner).map(bid).collect());
        }
        sorted(self.playable().into_iter().map(Card::name).collect())
    }

    fn play(&mut self, turn: &str) {
        if self.bids.len() < 4 {
            let bid = turn.strip_prefix("bid ").map_or(0, |n| n.parse().expect("a number"));
            self.bids.push(bid);
            return;
        }
        let (card, player) = (Card::read(turn), self.mover());
        self.hands[player].retain(|other| *other != card);
        self.broken |= card.suit == TRUMP;
        self.table.push(card);
        if self.table.len() == 4 {
            self.leader = (self.leader + self.best()) % 4;
            self.won[self.leader] += 1;
            self.table.clear();
            if self.hands.iter().all(Vec::is_empty) {
                self.settle();
            }
        }
    }

    fn over(&self) -> bool {
        self.over
    }

    fn mover(&self) -> usize {
        if self.bids.len() < 4 { (self.first + self.bids.len()) % 4 } else { (self.leader + self.table.len()) % 4 }
    }

    fn winners(&self) -> Vec<usize> {
        if self.over { highest(&self.scores().unwrap_or_default()) } else { Vec::new() }
    }

    fn scores(&self) -> Option<Vec<i64>> {
        Some((0..4).map(|player| self.points[player % 2]).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::{Checker, RANKS, Spades};

    /// A deal in which each player has a whole suit, clubs the first.
    fn suits() -> Spades {
        let mut game = Spades::new(1);
        for rank in RANKS {
            for suit in ["C", "D", "H", "S"] {
                game.deal(&format!("{rank}{suit}"));
            }
        }
        game
    }

    #[test]
    fn bids_of_partners_are_at_most_thirteen() {
        // 14 bids each, of which those of two partners add up to at most 13: 105 pairs.
        let counts = [1, 2, 3, 4].map(|depth| suits().perft(depth).0);
        assert_eq!(counts, [14, 196, 105 * 14, 105 * 105]);
    }

    #[test]
    fn bags_and_nils() {
        let mut game = suits();
        for turn in ["nil", "bid 3", "nil", "nil"] {
            game.play(turn);
        }
        while !game.over() {
            let turn = game.turns()[0].clone();
            game.play(&turn);
        }
        assert_eq!(game.scores(), Some(vec![200, -160, 200, -160]));
    }
}
