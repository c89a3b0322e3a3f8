//! In which order hidden cards come says nothing of them.

use super::laws::{load, pick, small};
use super::support::root;
use cardwright::engine::{Chance, Start};
use cardwright::play::Package;

/// A pile that lies open is shuffled and put on a hidden one, and all read of which cards: the order is told to nobody.
#[test]
fn what_is_put_on_a_hidden_pile_is_told_of_in_an_order_that_says_nothing() {
    let rules = "kind leaf : card { field n: 1..6  notation \"n{n}\" }\n\
                 zone heap { holds: leaf  order: pile }\nzone deck { holds: leaf  order: pile  seen: none }\n\
                 setup { create leaf in heap with n = every_value }\n\
                 flow { shuffle heap  move top(heap, 4) to deck top  move heap to deck bottom  \
                 turns turn from seat(1) for 1 round { choose option { \"a\" { } \"b\" { } } } }";
    let game = small(rules);
    let mut told = std::collections::BTreeSet::new();
    for seed in 1..6 {
        let mut machine = game.machine();
        machine.record(true);
        let first = Start { players: 2, seed, chance: Chance::Draw };
        game.start(&mut machine, &first).unwrap();
        let lines: Vec<String> = machine.take_changes().into_iter().map(|change| change.text[0].clone()).collect();
        let names: Vec<&str> = lines.iter().filter_map(|line| line.strip_suffix(": heap -> deck")).collect();
        assert_eq!(names.len(), 6, "{lines:?}");
        assert!(names[..4].is_sorted() && names[4..].is_sorted(), "{names:?}");
        told.insert(lines);
    }
    assert!(told.len() > 1, "the four on top are others in some games");
}

#[test]
fn the_order_of_cards_that_were_mixed_up_says_nothing_of_them() {
    let game = load(&Package::folder(&root().join("tests/laws/mixed")));
    let begins_with_no = |votes: [&str; 3], action: &str, seed: u64| {
        let mut machine = game.machine();
        machine.record(true);
        let mut state = game.start(&mut machine, &Start { players: 3, seed, chance: Chance::Draw }).unwrap();
        votes.iter().for_each(|vote| assert!(pick(&mut machine, &mut state, vote).is_ok()));
        machine.take_changes();
        pick(&mut machine, &mut state, action).unwrap();
        machine.take_changes()[0].text[2].starts_with("vote no")
    };
    for votes in [["vote no", "vote yes", "vote yes"], ["vote yes", "vote yes", "vote no"]] {
        for action in ["count them", "lay out", "one by one", "sort them"] {
            let first = (0..60).filter(|seed| begins_with_no(votes, action, *seed)).count();
            assert!((8..=32).contains(&first), "{action} after {votes:?}: {first} of 60");
        }
    }
}

/// Where nothing is drawn, either.
#[test]
fn which_hidden_card_comes_first_follows_from_the_seed() {
    let game = small(
        "kind charm : card { field n: 1..9  notation \"{n}\" }
         zone bag { holds: charm  seen: none }
         player { counter n: 0..99 }
         setup { create charm in bag with n = every_value }
         action take { let c = first(bag)  reveal c  increase me.n by (c.n else 0)  move c to nowhere }
         flow { turns turn from seat(1) for 2 rounds { choose action take } }",
    );
    let mut machine = game.machine();
    let mut first = |seed| {
        let mut state = machine.start(&Start { players: 2, seed, chance: Chance::Draw }).unwrap();
        pick(&mut machine, &mut state, "take").unwrap();
        machine.view_all(&state)
    };
    let found: std::collections::BTreeSet<_> = (0..40).map(|seed| format!("{:?}", first(seed))).collect();
    assert!((6..=9).contains(&found.len()), "{found:?}");
    assert_eq!(first(7), first(7));
}

#[test]
fn a_hidden_card_among_open_ones_tells_nothing_by_its_place_in_the_line() {
    let game = small(
        "kind fruit : card { }
         zone deck { holds: fruit  order: pile  seen: none  starts: fruit }
         zone hand per player { holds: fruit  seen: holder }
         zone aside { holds: fruit  seen: none }
         zone shown { holds: fruit }
         zone vault { holds: fruit  seen: none }
         fruit \"Apple\" { copies: 3 }
         fruit \"Banana\" { copies: 3 }
         fruit \"Cherry\" { copies: 3 }
         setup { shuffle deck }
         action collect { move aside + shown to vault }
         action hand_in { move players.hand to vault }
         action tell { each f in aside + shown { note \"one {f}\" } }
         flow { turns turn from seat(1) for 1 round {
           move top(deck) to aside
           move top(deck, 4) to shown
           each p in players { move top(deck) to p.hand }
           choose action collect, hand_in, tell
         } }",
    );
    for (action, first) in [("collect", "a card: aside -> vault"), ("hand in", "ann's hand"), ("tell", "one a card")] {
        let mut comes_first = std::collections::BTreeSet::new();
        for seed in 0..30 {
            let mut machine = game.machine();
            machine.record(true);
            let mut state = game.start(&mut machine, &Start { players: 2, seed, chance: Chance::Draw }).unwrap();
            machine.take_changes();
            pick(&mut machine, &mut state, action).unwrap();
            let lines: Vec<String> = machine.take_changes().into_iter().map(|change| change.text[0].clone()).collect();
            let told = lines.iter().find(|line| line.contains("vault") || line.starts_with("one "));
            comes_first.insert(told.map(|line| line.contains(first)));
        }
        assert_eq!(comes_first.len(), 1, "{action}: {comes_first:?}");
        assert!(!comes_first.contains(&None), "{action}");
    }
}

/// Who holds like cards does not read from the options which of them somebody else has looked at, and plays each as likely.
#[test]
fn what_others_looked_at_quietly_does_not_tell_like_cards_apart() {
    let peeked = |how: &str, seed: u64| {
        let game = small(&format!(
            "kind tool : card {{ }}
             zone box {{ holds: tool  seen: none  starts: tool }}
             zone hand per player {{ holds: tool  seen: holder }}
             zone table per player {{ holds: tool }}
             tool \"Rope\" {{ copies: 2 }}
             setup {{ move box to seat(1).hand }}
             action peek {{ choose c in first(opponents).hand  reveal c to me {how} }}
             action play {{ choose c in me.hand  move c to me.table }}
             flow {{ turns turn from seat(2) for 3 rounds {{ choose action peek, play }} draw game }}"
        ));
        let mut machine = game.machine();
        let mut state = machine.start(&Start { players: 2, seed, chance: Chance::Draw }).unwrap();
        pick(&mut machine, &mut state, "peek a card in ann's hand").unwrap();
        let options = machine.option_count(&state);
        pick(&mut machine, &mut state, "play Rope").unwrap();
        let seen = format!("{:?}", machine.view(&state, Some(1)));
        (options, seen.matches("Rope").count())
    };
    let all: Vec<(usize, usize)> = (0..40).map(|seed| peeked("quietly", seed)).collect();
    assert!(all.iter().all(|(options, _)| *options == 1), "{all:?}");
    let known_still = all.iter().filter(|(_, seen)| *seen == all.iter().map(|one| one.1).max().unwrap()).count();
    assert!((10..=30).contains(&known_still), "{all:?}");
    assert_eq!(peeked("", 1).0, 2, "what all read tells them apart");
}
