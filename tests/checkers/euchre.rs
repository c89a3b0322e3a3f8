//! Euchre: one deal. Chance is the dealer and the deal: `deal` takes the dealer's name and then the cards one by one.

use super::{Checker, sorted};

const SEATS: [&str; 4] = ["north", "east", "south", "west"];
const SUITS: &str = "CDHS";
const RANKS: [&str; 6] = ["9", "10", "J", "Q", "K", "A"];
const JACK: usize = 2;

/// A card: its suit and its rank, both from 0 on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Card {
    pub suit: usize,
    pub rank: usize,
}

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

    /// EU-08: the suit it belongs to; clubs and spades are of one colour, and so are the other two.
    fn belongs_to(self, trump: usize) -> usize {
        if self.rank == JACK && self.suit == 3 - trump { trump } else { self.suit }
    }

    /// EU-08: the greater beats the others of the suit it belongs to.
    fn strength(self, trump: usize) -> usize {
        match self.rank {
            JACK if self.suit == trump => 8,
            JACK if self.suit == 3 - trump => 7,
            rank => rank,
        }
    }
}

/// What is decided next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    Deal,
    Bid,
    PutAway,
    Alone,
    /// The opponents are asked; how many of them were already.
    Defence(usize),
    Play,
    Over,
}

/// A position.
#[derive(Clone, Debug)]
pub struct Euchre {
    pub stick_the_dealer: bool,
    pub lone_defender: bool,
    phase: Phase,
    dealer: usize,
    hands: [Vec<Card>; 4],
    dealt: usize,
    up: Card,
    passes: usize,
    maker: usize,
    trump: usize,
    alone: [bool; 4],
    leader: usize,
    table: Vec<(usize, Card)>,
    won: [usize; 4],
    scores: [i64; 4],
}

impl Euchre {
    /// The start, before it is known who deals.
    pub fn new(stick_the_dealer: bool, lone_defender: bool) -> Euchre {
        Euchre {
            stick_the_dealer,
            lone_defender,
            phase: Phase::Deal,
            dealer: 0,
            hands: Default::default(),
            dealt: 0,
            up: Card { suit: 0, rank: 0 },
            passes: 0,
            maker: 0,
            trump: 0,
            alone: [false; 4],
            leader: 0,
            table: Vec::new(),
            won: [0; 4],
            scores: [0; 4],
        }
    }

    /// The next outcome of chance: who deals, then twenty cards from the dealer on, then the card turned up.
    pub fn deal(&mut self, outcome: &str) {
        if let Some(seat) = SEATS.iter().position(|name| *name == outcome) {
            self.dealer = seat;
            return;
        }
        let card = Card::read(outcome);
        if self.dealt < 20 {
            self.hands[(self.dealer + self.dealt) % 4].push(card);
        } else {
            self.up = card;
            self.phase = Phase::Bid;
        }
        self.dealt += 1;
    }

    /// Whether a player's partner is alone.
    fn sits_out(&self, player: usize) -> bool {
        self.alone[(player + 2) % 4]
    }

    /// The next one after a player who takes part.
    fn next(&self, player: usize) -> usize {
        let mut next = (player + 1) % 4;
        while self.sits_out(next) {
            next = (next + 1) % 4;
        }
        next
    }

    /// EU-10
    fn playable(&self) -> Vec<Card> {
        let hand = &self.hands[self.mover()];
        let follows = |card: &&Card| {
            self.table.first().is_some_and(|(_, led)| card.belongs_to(self.trump) == led.belongs_to(self.trump))
        };
        let following: Vec<Card> = hand.iter().filter(follows).copied().collect();
        if following.is_empty() { hand.clone() } else { following }
    }

    /// EU-11: who takes the trick.
    fn taker(&self) -> usize {
        let suits: Vec<usize> = self.table.iter().map(|(_, card)| card.belongs_to(self.trump)).collect();
        let suit = if suits.contains(&self.trump) { self.trump } else { suits[0] };
        let of_suit = self.table.iter().filter(|(_, card)| card.belongs_to(self.trump) == suit);
        of_suit.max_by_key(|(_, card)| card.strength(self.trump)).map_or(self.leader, |(player, _)| *player)
    }

    /// EU-12
    fn settle(&mut self) {
        let taken = self.won[self.maker] + self.won[(self.maker + 2) % 4];
        let lone_defence = self.alone[(self.maker + 1) % 4] || self.alone[(self.maker + 3) % 4];
        let worth = match taken {
            5 if self.alone[self.maker] => 4,
            5 => 2,
            3 | 4 => 1,
            _ if lone_defence => -4,
            _ => -2,
        };
        for player in 0..4 {
            self.scores[player] = if player % 2 == self.maker % 2 { worth } else { -worth };
        }
        self.phase = Phase::Over;
    }

    fn begin_play(&mut self) {
        self.phase = Phase::Play;
        self.leader = self.next(self.dealer);
    }
}

impl Checker for Euchre {
    fn turns(&self) -> Vec<String> {
        let turns = match self.phase {
            Phase::Deal | Phase::Over => Vec::new(),
            Phase::Bid => {
                let mut turns = Vec::new();
                if !self.stick_the_dealer || self.passes < 7 {
                    turns.push("pass".to_string());
                }
                if self.passes < 4 {
                    turns.push("order up".to_string());
                } else {
                    let others = (0..4).filter(|suit| *suit != self.up.suit);
                    turns.extend(others.map(|suit| format!("call {}", &SUITS[suit..=suit])));
                }
                turns
            }
            Phase::PutAway => self.hands[self.dealer]
                .iter()
                .filter(|card| **card != self.up)
                .map(|card| format!("{} away", card.name()))
                .collect(),
            Phase::Alone | Phase::Defence(_) => vec!["alone".to_string(), "with partner".to_string()],
            Phase::Play => self.playable().into_iter().map(Card::name).collect(),
        };
        sorted(turns)
    }

    fn play(&mut self, turn: &str) {
        let player = self.mover();
        match self.phase {
            Phase::Deal | Phase::Over => {}
            Phase::Bid if turn == "pass" => {
                self.passes += 1;
                if self.passes == 8 {
                    self.phase = Phase::Over;
                }
            }
            Phase::Bid => {
                self.maker = player;
                if let Some(suit) = turn.strip_prefix("call ") {
                    self.trump = SUITS.find(suit).expect("a suit");
                    self.phase = Phase::Alone;
                } else {
                    self.trump = self.up.suit;
                    self.hands[self.dealer].push(self.up);
                    self.phase = Phase::PutAway;
                }
            }
            Phase::PutAway => {
                let card = Card::read(turn.trim_end_matches(" away"));
                self.hands[player].retain(|other| *other != card);
                self.phase = Phase::Alone;
            }
            Phase::Alone => {
                self.alone[player] = turn == "alone";
                if self.lone_defender {
                    self.phase = Phase::Defence(0);
                } else {
                    self.begin_play();
                }
            }
            Phase::Defence(asked) => {
                self.alone[player] = turn == "alone";
                if self.alone[player] || asked == 1 {
                    self.begin_play();
                } else {
                    self.phase = Phase::Defence(1);
                }
            }
            Phase::Play => {
                let card = Card::read(turn);
                self.hands[player].retain(|other| *other != card);
                self.table.push((player, card));
                let taking_part = (0..4).filter(|player| !self.sits_out(*player)).count();
                if self.table.len() == taking_part {
                    self.leader = self.taker();
                    self.won[self.leader] += 1;
                    self.table.clear();
                    if self.won.iter().sum::<usize>() == 5 {
                        self.settle();
                    }
                }
            }
        }
    }

    fn over(&self) -> bool {
        self.phase == Phase::Over
    }

    fn mover(&self) -> usize {
        match self.phase {
            Phase::Bid => (self.dealer + 1 + self.passes) % 4,
            Phase::PutAway => self.dealer,
            Phase::Alone => self.maker,
            // EU-07: the first from the dealer's left who is of the other side, then the partner.
            Phase::Defence(asked) => {
                let first = (self.dealer + 1) % 4;
                let first = if first % 2 == self.maker % 2 { (first + 1) % 4 } else { first };
                (first + 2 * asked) % 4
            }
            _ => self.table.last().map_or(self.leader, |(player, _)| self.next(*player)),
        }
    }

    fn winners(&self) -> Vec<usize> {
        (0..4).filter(|player| self.scores[*player] > 0).collect()
    }

    fn scores(&self) -> Option<Vec<i64>> {
        Some(self.scores.to_vec())
    }
}

#[cfg(test)]
mod tests {
    use super::{Checker, Euchre};

    fn game() -> Euchre {
        let mut game = Euchre::new(true, false);
        game.deal("north");
        let rows = ["9S 10S QS 9D 10D", "JC JS AC KC QC", "9H 10C AH KH QH", "9C AD KD QD JD"]
            .map(|row| row.split(' ').collect::<Vec<_>>());
        for card in 0..20 {
            game.deal(rows[card % 4][card / 4]);
        }
        game.deal("AS");
        game
    }

    #[test]
    fn bids() {
        // One after another: pass or order up, and after an order five cards to put away.
        let counts = [1, 2, 3].map(|depth| game().perft(depth).0);
        assert_eq!(counts, [2, 2 + 5, 2 + 5 + 5 * 2]);
    }

    #[test]
    fn bowers_follow_trump() {
        let mut game = game();
        for turn in ["pass", "pass", "pass", "pass", "call C", "alone", "JS"] {
            game.play(turn);
        }
        assert_eq!(game.turns(), ["10C"]);
    }
}
