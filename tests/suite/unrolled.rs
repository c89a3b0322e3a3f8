//! Loops over a few constants come to the same member by member, and so do comparisons of sums, larger and smaller numbers.

use super::support::{Words, small};
use cardwright::core::Pass;
use cardwright::engine::{Chance, Machine, Start, State, View};
use std::sync::Arc;

const GAMES: u64 = 250;

/// Writes random questions about tables of three values, a range and a card.
struct Writer {
    words: Words,
}

impl Writer {
    fn one(&mut self, texts: &[&str]) -> String {
        self.words.one(texts)
    }

    /// A number that depends on the member `it`, which is a gem or a number.
    fn number(&mut self, of_gem: bool, depth: usize) -> String {
        let plain = match of_gem {
            true => &["me.bank[it]", "c.cost[it]", "(if it = red then 1 else 0)", "have(it)", "2"][..],
            false => &["it", "me.n", "(if it > me.n then 2 else 0)", "costing(it)", "it * me.n"][..],
        };
        if depth == 0 {
            return self.one(plain);
        }
        let (a, b) = (self.number(of_gem, depth - 1), self.number(of_gem, depth - 1));
        match self.words.dice.below(6) {
            0 => format!("larger({a}, {b})"),
            1 => format!("larger(0, {a})"),
            2 => format!("smaller({a}, {})", self.one(&["1", "3", "me.n"])),
            3 => format!("({a} - {b})"),
            4 => format!("({a} + {b})"),
            _ => a,
        }
    }

    /// What a loop is written as over its members, and a number that comes of it.
    fn folded(&mut self) -> String {
        let of_gem = self.words.dice.below(2) == 0;
        let over = if of_gem { self.one(&["gem", "[red, blue]"]) } else { self.one(&["0..2", "[1, 3, 4]", "2..5"]) };
        let (a, b) = (self.number(of_gem, 1), self.number(of_gem, 1));
        let op = self.one(&["<", "<=", ">", ">=", "=", "!="]);
        match self.words.dice.below(5) {
            0 => format!("count ({over} where {a} {op} {b})"),
            1 => format!("(sum ({a}) of {over})"),
            2 => format!("(max ({a}) of {over})"),
            3 => format!("(min ({a}) of {over})"),
            _ => format!("(sum ({a}) of ({over} where {b} {op} me.n))"),
        }
    }

    fn question(&mut self) -> String {
        let of_gem = self.words.dice.below(2) == 0;
        let over = if of_gem { "gem" } else { "1..3" };
        let (a, b) = (self.number(of_gem, 1), self.number(of_gem, 1));
        let op = self.one(&["<", "<=", ">", ">=", "=", "!="]);
        let limit = self.words.dice.below(7) as i64 - 1;
        match self.words.dice.below(5) {
            0 => format!("every {over} meets {a} {op} {b}"),
            1 => format!("some ({over} where {a} {op} {b})"),
            2 => format!("count ({over} where {a} {op} {b}) {} 3", self.one(&["=", ">=", "<", "!="])),
            3 => format!("{} {op} {}", self.folded(), limit),
            _ => format!("{} {op} {}", self.folded(), self.one(&["me.n", "0", "count gem"])),
        }
    }
}

fn rules(writer: &mut Writer) -> String {
    let of_card: Vec<String> = (0..5).map(|_| writer.question()).collect();
    let folded: Vec<String> = (0..3).map(|_| writer.folded().replace("c.cost", "first(hand).cost")).collect();
    let counts = of_card.iter().map(|question| format!("  increase game.k by count (hand as c where {question})\n"));
    let sums = folded.iter().map(|number| format!("  set game.s = game.s + {number}\n"));
    let chosen = writer.question();
    format!(
        "enum gem {{ red blue green }}\n\
         kind tool : card {{ field hue: gem  field cost: number per gem = 0 }}\n\
         zone hand {{ holds: tool }}\nzone away {{ holds: tool }}\nplayer {{ counter bank: 0..4 per gem  counter n: 0..3 }}\n\
         game {{ counter k: 0..99999  counter s: -99999..99999 }}\n\
         define have(g: gem): number = count (hand where hue = g)\n\
         define costing(n: number): number = count (hand where cost[red] = n)\n\
         setup {{\n  each g in gem {{ each k in 0..2 {{ create tool in hand with hue = g, cost = [k red, 1 blue, k green] }} }}\n\
         \x20 each p in players {{ set p.n = {n}  set p.bank = [{red} red, {blue} blue, {green} green] }}\n}}\n\
         action look {{\n{}{}}}\naction take {{ choose c in hand where {chosen}  move c to away  increase game.k by 100 }}\n\
         flow {{ turns turn from seat(1) for 2 rounds {{ choose action look, take }} draw game }}",
        counts.collect::<String>(),
        sums.collect::<String>(),
        n = writer.words.dice.below(4),
        red = writer.words.dice.below(5),
        blue = writer.words.dice.below(5),
        green = writer.words.dice.below(5),
    )
}

#[test]
fn loops_over_constants_come_to_the_same_written_out() {
    let mut others = 0;
    for seed in 1..=GAMES {
        let rules = rules(&mut Writer { words: Words::of(&[seed, 0x61]) });
        let game = small(&rules);
        let plain = game.without(&[Pass::Canonical]).unwrap();
        others += usize::from(game.program.dump() != plain.dump());
        let (mut quick, mut slow) = (game.machine(), Machine::new(Arc::new(plain)));
        let start = Start { players: 2, seed, chance: Chance::Draw };
        let (mut state, mut twin) = (quick.start(&start).unwrap(), slow.start(&start).unwrap());
        for choice in [0, 1, 0] {
            let options = quick.option_count(&state);
            assert_eq!(options, slow.option_count(&twin), "seed {seed}\n{rules}");
            let choice = choice.min(options - 1);
            let (done, also) = (quick.choose(&mut state, choice), slow.choose(&mut twin, choice));
            assert_eq!(done.is_ok(), also.is_ok(), "seed {seed}\n{rules}");
            if done.is_err() {
                break;
            }
            let view = |machine: &mut Machine, state: &State| {
                let View { game, players, zones, decision, .. } = machine.view_all(state);
                format!("{game:?} {players:?} {zones:?} {:?}", decision.map(|decision| decision.options))
            };
            assert!(view(&mut quick, &state) == view(&mut slow, &twin), "seed {seed}\n{rules}");
        }
    }
    assert!(others == GAMES as usize, "{others} of {GAMES}");
}
