//! Loops that only add up come to what they come to when each member is gone through.

use super::support::{Words, small};
use cardwright::core::Pass;
use cardwright::engine::{Chance, Machine, Start};
use std::sync::Arc;

const GAMES: u64 = 300;

/// Writes random loops that change `t`, `u`, `found` and `last`.
struct Writer {
    words: Words,
}

impl Writer {
    fn number(&mut self, member: &str) -> String {
        let n = format!("{member}.n");
        match self.words.dice.below(9) {
            0 => "1".to_owned(),
            1 => "u".to_owned(),
            2 => format!("{n} * 2 - 3"),
            3 => format!("(if {member}.suit = reed then {n} else 2)"),
            4 => format!("(count (deck as o where o.n < {n}))"),
            5 => format!("(first(deck as o where o.n > {n} + 2).n else 1)"),
            6 => format!("(sum o.n of (deck as o where o.suit = {member}.suit))"),
            _ => n,
        }
    }

    fn cond(&mut self, member: &str) -> String {
        match self.words.dice.below(4) {
            0 => format!("{member}.suit = moss"),
            1 => format!("{member}.n > 1"),
            2 => "t > 3".to_owned(),
            _ => format!("some (deck as o where o.n = {member}.n + 1)"),
        }
    }

    fn change(&mut self, member: &str) -> String {
        let (local, verb) = (self.words.one(&["t", "t", "u"]), self.words.one(&["increase", "increase", "decrease"]));
        match self.words.dice.below(9) {
            0 => format!("set found = {}", self.words.one(&["true", "found", "false"])),
            1 => format!("set last = {member}.n"),
            2 => format!("set {local} = {} + {local}", self.number(member)),
            3 => format!("set {local} = {local} * 2"),
            _ => format!("{verb} {local} by {}", self.number(member)),
        }
    }

    fn stmt(&mut self, member: &str, depth: usize) -> String {
        match self.words.dice.below(7) {
            0 | 1 => format!("if {} {{ {} }}", self.cond(member), self.change(member)),
            2 => format!("if {} {{ {} }} else {{ {} }}", self.cond(member), self.change(member), self.change(member)),
            3 if depth > 0 => self.each(depth - 1),
            4 => {
                let (name, value) = (self.words.name("v"), self.number(member));
                format!("let {name} = {value}  increase t by {name}")
            }
            5 => format!("if {} {{ set found = true }}", self.cond(member)),
            _ => self.change(member),
        }
    }

    fn each(&mut self, depth: usize) -> String {
        let member = self.words.name("c");
        let over = self.words.one(&["deck", "deck where n > 0", "deck sorted by n", "me.hand", "deck where n > t"]);
        let stmts: Vec<String> = (0..=self.words.dice.below(2)).map(|_| self.stmt(&member, depth)).collect();
        format!("each {member} in {over} {{ {} }}", stmts.join("  "))
    }
}

fn rules(writer: &mut Writer) -> String {
    let loops: Vec<String> = (0..3).map(|_| format!("  {}", writer.each(1))).collect();
    format!(
        "enum suit {{ reed moss }}
kind herb : card {{ field suit: suit  field n: -2..4 }}
zone deck {{ holds: herb }}
zone hand per player {{ holds: herb  seen: all }}
game {{ mark a: number = 0  mark b: number = 0  mark c: number = 0  mark some_found: flag = false }}
action add {{
  choose exactly 1 cs in me.hand
  let t = 0
  let u = 1
  let last = 0
  let found = false
{}
  set game.a = t  set game.b = u  set game.c = last  set game.some_found = found
}}
setup {{
  create herb in deck with suit = every_value, n = every_value
  each p in players {{ move first(deck) to p.hand  move first(deck where n > 2) to p.hand }}
}}
flow {{ turns turn from seat(1) for 1 round {{ choose action add }} }}",
        loops.join("\n")
    )
}

#[test]
fn sums_come_to_what_loops_come_to() {
    let mut fewer = 0;
    for seed in 1..=GAMES {
        let rules = rules(&mut Writer { words: Words::of(&[seed, 0x51]) });
        let game = small(&rules);
        let looped = game.without(&[Pass::Loops]).unwrap();
        fewer += usize::from(game.program.dump() != looped.dump());
        let (mut quick, mut slow) = (game.machine(), Machine::new(Arc::new(looped)));
        let start = Start { players: 2, seed, chance: Chance::Draw };
        let (mut state, mut twin) = (quick.start(&start).unwrap(), slow.start(&start).unwrap());
        for choice in [0, 0, 0, 0] {
            let (done, also) = (quick.choose(&mut state, choice), slow.choose(&mut twin, choice));
            assert_eq!(done.is_ok(), also.is_ok(), "seed {seed}\n{rules}");
            if done.is_err() || quick.option_count(&state) == 0 {
                break;
            }
        }
        assert_eq!(quick.view_all(&state), slow.view_all(&twin), "seed {seed}\n{rules}");
    }
    assert!(fewer > GAMES as usize / 2, "{fewer} of {GAMES}");
}

#[test]
fn what_a_loop_changes_is_not_taken_for_what_it_was_before() {
    let bodies = [
        ("let x = 0  repeat 3 times { let y = x + 1  if y > 1 { increase me.k by 1 }  increase x by 1 }", 2),
        ("let x = 0  each n in 1..3 { let y = x + 1  increase me.k by (if y = 1 then 0 else 1)  set x = n }", 2),
        ("let x = first(hand)  repeat 2 times { let y = x  if no y { increase me.k by 1 }  set x = nothing }", 1),
        ("let x = 2  repeat 2 times { let y = smaller(x, 5)  if y >= 4 { increase me.k by 1 }  set x = 2 * x }", 1),
    ];
    for (body, found) in bodies {
        let rules = format!(
            "kind tool : card {{ field n: 1..9 = 1 }}\ntool \"Rope\" {{ }}\n\
             zone hand {{ holds: tool  starts: tool }}\nplayer {{ counter k: 0..99 }}\naction go {{ {body} }}\n\
             flow {{ turns turn from seat(1) for 1 round {{ choose action go }} draw game }}"
        );
        let game = small(&rules);
        let mut machine = game.machine();
        let mut state = machine.start(&Start { players: 2, seed: 1, chance: Chance::Draw }).unwrap();
        machine.choose(&mut state, 0).unwrap();
        let view = format!("{:?}", machine.view_all(&state).players[0].props);
        assert!(view.contains(&format!("\"{found}\"")), "{body}: {view}");
    }
}
