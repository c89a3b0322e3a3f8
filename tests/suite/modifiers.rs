//! A stat is the same whether what modifies it stands in its formula or is looked for while the game runs.

use super::support::{Words, small};
use cardwright::core::Pass;
use cardwright::engine::{Chance, Machine, Start};
use std::sync::Arc;

const GAMES: u64 = 250;
const DECISIONS: usize = 24;

/// Whose clause it is.
#[derive(Clone, Copy, PartialEq)]
enum Home {
    Beast,
    Charm,
    Rule,
}

/// A random clause that modifies something.
fn clause(words: &mut Words, home: Home) -> String {
    let of_player = words.dice.below(3) == 0;
    let (stat, of) = match (of_player, home) {
        (true, Home::Rule) => ("income", words.one(&["players", "seat(2)", "(players where gold > 3)", "mover"])),
        (true, _) => {
            ("income", words.one(&["me", "me", "this.holder", "opponents", "players", "(players where gold > 3)"]))
        }
        (false, Home::Rule) => ("might", words.one(&["beast", "wolf", "(beast where power > 2)", "beast \"Hen\""])),
        (false, Home::Beast) => (
            "might",
            words.one(&[
                "this",
                "this",
                "this",
                "(beast - this)",
                "(beast where holder = me)",
                "wolf",
                "(beast as b where b.holder != this.holder)",
            ]),
        ),
        (false, Home::Charm) => (
            "might",
            words.one(&["this.host", "this.host", "(beast where holder = this.holder)", "(beast where some charms)"]),
        ),
    };
    let stat = match words.dice.below(8) {
        0 | 1 if !of_player => "ward".to_owned(),
        2 | 3 if !of_player => "kin".to_owned(),
        _ => stat.to_owned(),
    };
    let own = match home {
        Home::Beast => words.one(&["this.plus", "this.power", "worth(this)"]),
        Home::Charm => words.one(&["this.worth", "count this.host.charms"]),
        Home::Rule => "count yard".to_owned(),
    };
    let value = words.one(&[
        "1",
        "2",
        "-1",
        &own,
        &own,
        "count beast",
        "count wolf - 2",
        "me.gold",
        "count (beast where holder = me)",
        "held()",
    ]);
    let value =
        if home == Home::Rule && (value.contains("me") || value.contains("held")) { "3".to_owned() } else { value };
    let beasts =
        words.one(&["wolf", "(beast where power > 2)", "(beast where some charms)", "(beast where holder = me)"]);
    let value = match stat.as_str() {
        "kin" if home == Home::Rule => beasts.replace("holder = me", "plus > 0"),
        "kin" => beasts,
        _ => value,
    };
    let when = match (words.dice.below(3), home) {
        (0, Home::Beast) => {
            words.one(&[" when this.plus > 1", " when round > 1", " when me.gold > 2", " when some this.charms"])
        }
        (0, Home::Charm) => words.one(&[" when some this.host", " when round > 1", " when held() > 3"]),
        (0, Home::Rule) => " when round > 1".to_owned(),
        _ => String::new(),
    };
    // What a kind says of what it is itself may be set by each of several kinds.
    let rarely = if home == Home::Beast && of == "this" { 3 } else { 14 };
    let word = if words.dice.below(rarely) == 0 { "to" } else { "by" };
    format!("modify {stat} of {of} {word} {value}{when}")
}

fn rules(words: &mut Words) -> String {
    let mut some = |home: Home, least: usize| -> String {
        let count = least + words.dice.below(2);
        (0..count).map(|_| clause(words, home)).collect::<Vec<_>>().join("  ")
    };
    let (beast, wolf, charm) = (some(Home::Beast, 0), some(Home::Beast, 0), some(Home::Charm, 0));
    let owl = some(Home::Beast, 1);
    let mut stands = |condition: &str| match words.dice.below(3) {
        0 => format!("stands when {condition}"),
        _ => String::new(),
    };
    let (beast_stands, wolf_stands, charm_stands) = (stands("plus < 2"), stands("power > 1"), stands("some host"));
    let mut some = |home: Home, least: usize| -> String {
        let count = least + words.dice.below(2);
        (0..count).map(|_| clause(words, home)).collect::<Vec<_>>().join("  ")
    };
    let (ox, bell, rule) = (some(Home::Beast, 0), some(Home::Charm, 0), some(Home::Rule, 0));
    format!(
        r#"
kind beast : card {{ field power: 0..9  counter plus: 0..9  stat might: number = power  stat ward: 0..6 = count this.charms  stat kin: set of beast = []  {beast_stands}  {beast} }}
kind wolf : beast {{ {wolf_stands}  {wolf} }}
kind owl : beast {{ {owl} }}
kind charm : card {{ field worth: 0..9 = 1  {charm_stands}  {charm} }}
link charm.host to beast.charms orphan c {{ move c to yard }}
zone field per player {{ holds: beast, charm  inplay: true }}
zone yard {{ holds: beast, charm }}
player {{ counter gold: 0..99  counter noted: 0..999  counter counted: 0..99  stat income: number = 1  stat shield: 0..9 = count field }}
game {{ mark last: maybe of beast = nothing  counter total: 0..9999 }}
define worth(b: beast): number = b.power + b.plus
define held(): number = count me.field
define yard_beasts(): set of beast = yard where it is beast
beast "Ox" {{ power: 2  {ox} }}
beast "Hen" {{ power: 1 }}
wolf "Grey" {{ power: 3 }}
owl "Tawny" {{ power: 4 }}
charm "Bell" {{ {bell} }}
charm "Gong" {{ worth: 2 }}
rule common {{ {rule} }}
setup {{
  each p in players {{
    create beast "Ox" in p.field
    create 2 * beast "Hen" in p.field
    create wolf "Grey" in p.field
    create owl "Tawny" in p.field
    create charm "Bell" in p.field
    create charm "Gong" in p.field
    create wolf "Grey" in yard
  }}
}}
action grow {{ choose b in beast where holder = me  increase b.plus by 1  set game.last = b }}
action hang {{ choose c in charm where holder = me and no host  choose b in beast  link c to b }}
action take_off {{ choose c in charm where some host  unlink c }}
action bury {{ choose b in beast where might > 3  move b to yard }}
action call_back {{ choose b in yard  move b to me.field }}
action earn {{ increase me.gold by larger(0, smaller(9, me.income)) }}
flow {{
  turns turn from seat(1) for 40 rounds {{
    choose action grow, hang, take_off, bury, call_back, earn
    set me.noted = larger(0, smaller(900, sum might of (beast where holder = me) + max ward of beast))
    set me.counted = count (beast where holder = me and some (kin & wolf)) + count (union kin of (beast where not it is wolf or plus > 0))
    set game.total = larger(0, smaller(900, (sum might of yard_beasts()) + (game.last.might else 0)))
  }}
}}
"#
    )
}

#[test]
fn modifiers_in_formulas_come_to_the_same_as_those_that_are_looked_for() {
    let (mut folded, mut played) = (0, 0);
    for seed in 1..=GAMES {
        let mut words = Words::of(&[seed, 0x6d]);
        let text = rules(&mut words);
        let game = small(&text);
        let other = game.without(&[Pass::Modifiers, Pass::Kinds]).unwrap();
        folded += usize::from(game.program.dump() != other.dump());
        let (mut quick, mut slow) = (game.machine(), Machine::new(Arc::new(other)));
        let start = Start { players: 2, seed, chance: Chance::Draw };
        let (mut state, mut twin) = (quick.start(&start).unwrap(), slow.start(&start).unwrap());
        for _ in 0..DECISIONS {
            assert_eq!(quick.view_all(&state), slow.view_all(&twin), "seed {seed}\n{text}");
            let Some(decision) = quick.decision(&state) else { break };
            let pick = words.dice.below(decision.options.len());
            let (done, also) = (quick.choose(&mut state, pick), slow.choose(&mut twin, pick));
            assert_eq!(done.is_ok(), also.is_ok(), "seed {seed}\n{text}");
            played += 1;
            if done.is_err() {
                break;
            }
        }
    }
    assert!(folded > GAMES as usize / 2, "{folded} of {GAMES}");
    assert!(played > GAMES as usize * DECISIONS / 2, "{played} decisions");
}
