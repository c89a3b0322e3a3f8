//! Choices of several whose search turns back offer what trying out every choice offers, whatever the condition.

use super::support::{Words, keys, small};
use cardwright::core::Pass;
use cardwright::engine::{Chance, Machine, Start, Status};
use cardwright::play::Dice;
use std::sync::Arc;

/// Games with a condition of their own.
const GAMES: u64 = 500;

/// Writes random conditions on the picks `cs`, every part of them in brackets.
struct Writer {
    words: Words,
}

impl Writer {
    fn set(&mut self, depth: usize) -> String {
        if depth == 0 || self.words.dice.below(3) == 0 {
            return self.words.one(&["cs", "cs", "cs", "me.hand", "me.kept"]);
        }
        let (depth, other) = (depth - 1, self.words.one(&["+", "-", "&"]));
        match self.words.dice.below(4) {
            0 => format!("({} {other} {})", self.set(depth), self.set(depth)),
            1 => format!("(if {} then {} else {})", self.flag(depth), self.set(depth), self.set(depth)),
            _ => {
                let name = self.words.name("x");
                format!("({} as {name} where {})", self.set(depth), self.of_member(&name, depth))
            }
        }
    }

    fn number(&mut self, depth: usize) -> String {
        if depth == 0 {
            return self.words.one(&["count cs", "1", "2", "4", "(sum n of cs)", "(max n of cs)", "(count me.hand)"]);
        }
        let depth = depth - 1;
        match self.words.dice.below(9) {
            0 => format!("(count {})", self.set(depth)),
            1 => format!("({} n of {})", self.words.one(&["sum", "min", "max"]), self.set(depth)),
            2 => format!("({} index(suit) of {})", self.words.one(&["sum", "min", "max"]), self.set(depth)),
            3 => format!("(first({}).n else 0)", self.set(depth)),
            4 => format!("(count (gather {} of {}))", self.words.one(&["n", "suit"]), self.set(depth)),
            5 => format!("({} {} {})", self.number(depth), self.words.one(&["+", "-"]), self.number(depth)),
            6 => format!("({} {} {})", self.number(depth), self.words.one(&["*", "/"]), self.words.one(&["2", "3"])),
            7 => format!("{}({}, {})", self.words.one(&["smaller", "larger"]), self.number(depth), self.number(depth)),
            _ => format!("(if {} then {} else {})", self.flag(depth), self.number(depth), self.number(depth)),
        }
    }

    /// A condition on a member of a loop.
    fn of_member(&mut self, name: &str, depth: usize) -> String {
        match self.words.dice.below(8) {
            6 => self.flag(depth.saturating_sub(1)),
            0 => format!("{name}.suit = {}", self.words.one(&["reed", "moss", "fern"])),
            1 => format!("{name}.suit not in [reed, moss]"),
            2 => format!("{name}.n {} {}", self.words.one(&["=", "!=", "<", ">"]), self.words.one(&["0", "1", "3"])),
            3 => format!("{name}.n {} {}", self.words.one(&["=", "<=", ">"]), self.number(depth)),
            4 => format!("{name}.suit = first({}).suit", self.set(depth)),
            5 => format!("{name} in {}", self.set(depth)),
            _ => {
                let other = self.words.name("x");
                let (quantity, over) = (self.words.one(&["some", "no", "every"]), self.set(depth));
                let word = if quantity == "every" { "meets" } else { "where" };
                let cond = self.words.one(&["suit", "n"]);
                let op = self.words.one(&["=", "!="]);
                let inner = format!("{over} as {other} {word} {other}.{cond} {op} {name}.{cond}");
                if quantity == "every" { format!("(every {inner})") } else { format!("({quantity} ({inner}))") }
            }
        }
    }

    fn flag(&mut self, depth: usize) -> String {
        if depth == 0 {
            return format!("({} {} {})", self.number(0), self.words.one(&["=", "!=", "<", ">="]), self.number(0));
        }
        let depth = depth - 1;
        match self.words.dice.below(11) {
            // Whether no two are alike.
            8 => {
                let (of, set, op) = (self.words.one(&["n", "suit"]), self.set(depth), self.words.one(&["=", "!="]));
                format!("(count (gather {of} of {set}) {op} count {set})")
            }
            0 => format!("({} and {})", self.flag(depth), self.flag(depth)),
            1 => format!("({} or {})", self.flag(depth), self.flag(depth)),
            2 => format!("(not {})", self.flag(depth)),
            3 | 4 => {
                let op = self.words.one(&["=", "!=", "<", "<=", ">", ">="]);
                format!("({} {op} {})", self.number(depth), self.number(depth))
            }
            5 => format!("({} {})", self.words.one(&["some", "no"]), self.set(depth)),
            6 => format!("({} {} {})", self.set(depth), self.words.one(&["=", "!="]), self.set(depth)),
            7 => format!("(some (suit as r where {}))", {
                let name = self.words.name("x");
                format!("(every {} as {name} meets {name}.suit = r)", self.set(depth))
            }),
            _ => {
                let name = self.words.name("x");
                format!("(every {} as {name} meets {})", self.set(depth), self.of_member(&name, depth))
            }
        }
    }
}

fn rules(writer: &mut Writer) -> String {
    let quantity = writer.words.one(&["1 to 3", "exactly 3", "up to 4", "any", "2 to 5"]);
    let (depth, named) = (1 + writer.words.dice.below(3), writer.words.dice.below(2) == 0);
    let (number, cond) = (writer.number(1), writer.flag(depth));
    let ensure = if named {
        format!("let k = {number}\n  ensure k >= {} and {cond}", writer.number(0))
    } else {
        format!("ensure {cond}")
    };
    format!(
        "enum suit {{ reed moss fern }}
kind herb : card {{ field suit: suit  field n: -1..4 }}
zone deck {{ holds: herb  order: pile  seen: none }}
zone hand per player {{ holds: herb  seen: all }}
zone kept per player {{ holds: herb  seen: all }}
action take {{
  choose {quantity} cs in me.hand where n < 4
  {ensure}
  move cs to me.kept
}}
action draw {{ requires some deck  move top(deck) to me.hand }}
setup {{
  create 2 * herb in deck with suit = every_value, n = every_value
  shuffle deck
  each p in players {{ move top(deck, 6) to p.hand }}
}}
flow {{ turns turn from seat(1) for 2 rounds {{ choose action take, draw }} }}"
    )
}

#[test]
fn a_search_that_turns_back_finds_what_the_whole_search_finds() {
    let mut turned = 0;
    for seed in 1..=GAMES {
        let rules = rules(&mut Writer { words: Words::of(&[seed, 0x7e]) });
        let game = small(&rules);
        let tried = game.without(&[Pass::Ahead]).unwrap();
        let bounded =
            |program: &cardwright::program::Program| program.sites.chooses.iter().any(|site| site.bound.is_some());
        assert!(!bounded(&tried), "{rules}");
        turned += usize::from(bounded(&game.program));
        let (mut quick, mut slow) = (game.machine(), Machine::new(Arc::new(tried)));
        let start = Start { players: 2, seed, chance: Chance::Draw };
        let (mut state, mut twin) = (quick.start(&start).unwrap(), slow.start(&start).unwrap());
        let mut dice = Dice::of(&[seed, 0x3a]);
        while quick.status(&state) == Status::Decide {
            let options = keys(&mut quick, &state);
            assert_eq!(options, keys(&mut slow, &twin), "seed {seed}\n{rules}");
            let index = dice.below(options.len());
            quick.choose(&mut state, index).unwrap();
            slow.choose(&mut twin, index).unwrap();
        }
        assert_eq!(slow.status(&twin), Status::Over, "seed {seed}\n{rules}");
    }
    assert!(turned > GAMES as usize / 2, "{turned} of {GAMES}");
}
