//! The conformance suite finds what it looks for: games that break one of its rules each.

use super::support::with_hidden_hands;
use cardwright::base::MemoryWorld;
use cardwright::play::conformance::conformance;
use cardwright::play::{Game, Options, Package};
use std::sync::Arc;

const MANIFEST: &str = "name = \"small\"\ntitle = \"Small\"\nversion = \"0.1.0\"\nedition = 1\n\
                        [players]\nmin = 2\nmax = 2\n";
const TURNS: &str = "flow { turns turn from seat(1) until round = 3 and me = seat(2) { choose action go } }\n";

/// What the suite says of a game that it plays once.
fn problems(bounds: &str, rules: &str) -> String {
    problems_in(1, bounds, rules)
}

fn problems_in(games: u64, bounds: &str, rules: &str) -> String {
    let manifest = format!("{MANIFEST}[bounds]\n{bounds}");
    let unwatched = rules.starts_with("// hands unwatched");
    let rules = if unwatched { rules.replacen("  seen: holder", "", 1) } else { rules.to_owned() };
    let world = MemoryWorld::new([("game.toml", manifest.as_str()), ("a.rules", rules.as_str())]);
    match Game::load(&Package::memory("small", world), &Options::new(), None) {
        Ok(game) if unwatched => {
            conformance(&Arc::new(with_hidden_hands(game)), 2, 1, games).unwrap().problems.join("\n")
        }
        Ok(game) => conformance(&Arc::new(game), 2, 1, games).unwrap().problems.join("\n"),
        Err(error) => panic!("{error}"),
    }
}

fn finds(bounds: &str, rules: &str, words: &str) {
    let found = problems(bounds, &format!("{rules}\n{TURNS}"));
    assert!(found.contains(words), "looked for `{words}`, found: {found}");
}

const GAINS: &str = "player { counter coins: 0..99 }\ndefine score(p: player): number = p.coins - 3\n\
                     action go { increase me.coins by 1 }";

#[test]
fn sound_games_have_no_problems() {
    let found = problems("turns = 6\nscores = [0, 0]\nzero_sum = true\n", &format!("{GAINS}\n{TURNS}"));
    assert_eq!(found, "");
}

#[test]
fn bounds_that_do_not_hold_are_found() {
    finds("turns = 5", GAINS, "more than the declared 5");
    finds("scores = [1, 9]", GAINS, "a score of 0 is outside the declared 1 to 9");
    let tilted = GAINS.replace("- 3", "- 2");
    finds("zero_sum = true", &tilted, "are declared to add up to nothing, but they are [1, 1]");
    finds("zero_sum = true", "action go { choose n in 1..2 }", "add up to nothing, but they are []");
}

#[test]
fn an_option_that_cannot_be_taken_is_found() {
    let rules = "game { mark n: number = 0 }\naction go { choose n in 0..1  set game.n = 1 / n }";
    finds("turns = 99", rules, "`go 0` is offered but cannot be taken");
}

#[test]
fn a_secret_that_shows_is_found() {
    let rules = "// hands unwatched\n\
                 kind charm : card { }\n\
                 zone deck { holds: charm  order: pile  seen: none  starts: charm }\n\
                 zone hand per player { holds: charm  seen: holder  inplay: true }\n\
                 player { stat burden: number = 0 }\n\
                 setup { shuffle deck  each p in players { move top(deck) to p.hand } }\n\
                 action go { choose n in 1..2 }\n\
                 charm \"Feather\" { modify burden of seat(1) by 1 }\n\
                 charm \"Rock\" { modify burden of seat(1) by 8 }\ncharm \"Leaf\" { copies: 2 }\n";
    finds("turns = 99", rules, "sees what it cannot know");
}

#[test]
fn a_game_that_does_not_end_is_told_from_others() {
    let found = problems("turns = 6", &format!("{GAINS}\nflow {{ turns turn from seat(1) {{ choose action go }} }}"));
    assert!(found.contains("goes on after 7 turns, more than the declared 6"), "{found}");
    let found = problems("", &format!("{GAINS}\nflow {{ turns turn from seat(1) {{ choose action go }} }}"));
    assert!(found.contains("has not ended after 5000 decisions"), "{found}");
}

/// What the checker takes for a reveal to the player at hand, who may be any seat as far as it sees.
const DECK_AS_IF: &str = "reveal deck to seat(2) ";

/// A game of hands, with something that tells too much, which the checker does not see: the hands are hidden behind its back.
fn leaky(part: &str) -> String {
    let rules = "// hands unwatched\n\
                 kind charm : card { field weight: 0..9 }\n\
                 zone deck { holds: charm  order: pile  seen: none  starts: charm }\n\
                 zone hand per player { holds: charm  seen: holder }\n\
                 verb burn c: charm { move c to deck }\n\
                 verb say n: number { note \"it is {n}\" }\n\
                 player { mark worth: number }\n\
                 define theirs(p: player): number = sum weight of first(players_after(p)).hand\n\
                 setup { shuffle deck  each p in players { move top(deck, 2) to p.hand } }\n\
                 charm \"Feather\" { weight: 1 }\ncharm \"Rock\" { weight: 8 }\ncharm \"Leaf\" { weight: 0 }\n\
                 charm \"Stone\" { weight: 7 }\ncharm \"Twig\" { weight: 2 }\n";
    format!("{rules}{part}\n")
}

#[test]
fn options_that_depend_on_what_is_hidden_are_found() {
    let by_weight = leaky("action go { choose c in first(opponents).hand where weight > 2 }\naction stay { }");
    let turns = TURNS.replace("choose action go", "choose action go, stay");
    let found = problems("turns = 99", &format!("{by_weight}{turns}"));
    assert!(found.contains("the question to seat") && found.contains("tells what it cannot know"), "{found}");
}

#[test]
fn a_question_about_a_card_that_comes_with_the_answer_is_found() {
    let rules = leaky(&format!(
        "flow {{ turns turn from seat(1) for 1 round {{ if me = seat(1) {{ {DECK_AS_IF} \
         choose n in 1..top(deck).weight + 1  move top(deck) to me.hand }} }} }}"
    ));
    let found = problems_in(8, "turns = 99", &rules);
    assert!(found.contains("decision 1: the question to seat(1) tells what it cannot know"), "{found}");
}

#[test]
fn lines_and_questions_that_depend_on_what_is_hidden_are_found() {
    let line = leaky("action go { note \"{theirs(me)}\" }");
    finds("turns = 99", &line, "a line tells seat");
    let question = leaky("action go { choose n in 1..2 \"{theirs(me)}\" }");
    finds("turns = 99", &question, "tells what it cannot know");
}

#[test]
fn what_was_worked_out_before_a_line_or_question_is_found() {
    let turns = TURNS.replace("round = 3", "round = 12");
    let found = |part: &str| {
        let rules = leaky(&format!("action go {{ {part} }}"));
        problems("turns = 99", &format!("{rules}{turns}"))
    };
    let verb = found("say theirs(me)");
    assert!(verb.contains("a line tells seat"), "{verb}");
    let kept = found("set me.worth = 0  set me.worth = theirs(me)  note \"{me.worth}\"");
    assert!(kept.contains("a line tells seat"), "{kept}");
    let shown = found("set me.worth = 0  set me.worth = theirs(me)");
    assert!(shown.contains("is shown what it cannot know"), "{shown}");
}

#[test]
fn marks_on_backs_lie_where_their_cards_lie() {
    // A field of coins and a mark of bills lie in the same word.
    let rules = "kind bill : card { field n: 1..9  mark lit: 0..9 open = 0 }\n\
                 kind coin : piece { field worth: 1..9 = 1 }\nboard grid { shape: square 3 3 }\nzone till { holds: coin }\n\
                 zone deck { holds: bill  order: pile  seen: none  starts: bill }\nzone hand per player { holds: bill  seen: holder }\n\
                 bill \"A\" { n: 1  copies: 5 }\nbill \"B\" { n: 2  copies: 5 }\n\
                 setup { shuffle deck  each p in players { move top(deck, 3) to p.hand } }\n\
                 action light { choose c in me.hand where lit = 0  set c.lit = 1  create coin in till with worth = 2 }\n\
                 action rest { }\n\
                 flow { turns turn from seat(1) for 4 rounds { choose action light, rest } draw game }";
    assert_eq!(problems_in(8, "turns = 99", rules), "");
    let told = rules.replace("set c.lit = 1", "set c.lit = sum n of first(opponents).hand");
    assert_ne!(problems_in(8, "turns = 99", &format!("// hands unwatched\n{told}")), "");
}

/// What is marked openly on a card that its holder does not see, by where it lies or by what is marked on it already.
#[test]
fn hints_about_hidden_cards_are_given_openly() {
    let hand = "enum colour { red blue }
        kind rocket : card { field colour: colour  field n: 1..3  mark told: flag open = false }
        zone deck { holds: rocket  order: pile  seen: none }
        zone hand per player { holds: rocket  seen: others }
        zone sky { holds: rocket  order: pile }
        action hint {
          choose h in gather colour of opponents.hand
          each c in opponents.hand where colour = h { set c.told = true }
        }
        action launch { choose c in me.hand  move c to sky  move top(deck) to me.hand }
        setup {
          create rocket in deck with colour = every_value, n = every_value
          shuffle deck
          each p in players { move top(deck, 2) to p.hand }
        }
        flow { turns turn from seat(1) until round > 5 { choose action hint, launch } draw game }";
    assert_eq!(problems_in(40, "turns = 99", hand), "");
    let slots = "kind rocket : card { field n: 1..3  mark told: number open = 0 }
        zone deck { holds: rocket  order: pile  seen: none }
        zone slot per player per 1..2 { holds: rocket  seen: others }
        action hint {
          choose x in gather n of opponents.slot
          each c in opponents.slot where n = x { set c.told = x }
        }
        setup {
          create 3 * rocket in deck with n = every_value
          shuffle deck
          each p in players { each k in 1..2 { move top(deck) to p.slot[k] } }
        }
        flow { turns turn from seat(1) for 12 rounds { choose action hint } draw game }";
    assert_eq!(problems_in(8, "turns = 99", slots), "");
}

/// A card that is picked blindly from a hand is another one by chance: its holder sees which, and reads it.
#[test]
fn what_is_picked_blindly_is_told_to_its_holder() {
    let rules = "kind face : card { field n: 1..3 }
        zone deck { holds: face  order: pile  seen: none }
        zone hand per player { holds: face  seen: holder }
        action point { choose c in first(opponents).hand  note \"{me} points at {c}\" }
        setup { create 3 * face in deck with n = every_value  shuffle deck  each p in players { move top(deck, 2) to p.hand } }
        flow { turns turn from seat(1) for 4 rounds { choose action point } draw game }";
    assert_eq!(problems_in(8, "turns = 99", rules), "");
}

/// Whose a piece is that comes from a hand all see only where it lies.
#[test]
fn whose_the_pieces_of_a_hand_are_goes_with_them() {
    let rules = "kind man : piece { seen: holder }
        board field { shape: square 4 4 }
        zone hand per player { holds: man  seen: holder }
        man \"Scout\" { }
        man \"Stone\" { }
        action place { choose s in empty(field)  choose m in me.hand  move m to s }
        setup { each p in players {
          create 2 * man \"Scout\" in p.hand with owner = p
          create 2 * man \"Stone\" in p.hand
        } }
        flow { turns turn from seat(1) for 4 rounds { choose action place else { } } draw game }";
    assert_eq!(problems_in(8, "turns = 99", rules), "");
}

#[test]
fn what_the_rules_do_with_hidden_cards_they_do_openly() {
    let heavy = "if some first(opponents).hand where weight > 2";
    let rules = leaky(&format!(
        "action go {{ choose n in 1..2  {heavy} {{ note \"heavy\"  choose m in 3..4 \"Heavy?\" }} else {{ note \"light\" }} }}\n\
         action stay {{ }}"
    ));
    let turns = format!(
        "flow {{ turns turn from seat(1) until round = 4 {{ {heavy} {{ choose action go, stay }} else {{ choose action stay }} }} }}"
    )
    .replace("first(opponents)", "first(opponents)");
    assert_eq!(problems("turns = 99", &format!("{rules}{turns}")), "");
}

#[test]
fn a_die_that_is_rolled_behind_a_hidden_draw_tells_nothing() {
    let rules = "kind gem : card { field worth: 1..5  notation \"g{worth}\" }\n\
                 zone hand per player { holds: gem  seen: holder }\n\
                 zone pouch { holds: gem  seen: none  memory: none }\n\
                 player { counter gold: 0..20 = 5 }\n\
                 action hide_it \"hide\" { choose c in me.hand  move c to pouch }\n\
                 action look_in \"look\" { choose c in pouch  move c to me.hand }\n\
                 action gamble { roll d in 1..6  if d > 3 { set me.gold = d } else { set me.gold = 10 - d } }\n\
                 setup { each p in players { create gem in p.hand with worth = every_value } }\n\
                 flow { turns turn from seat(1) for 4 rounds { choose action hide_it, look_in, gamble } draw game }";
    assert_eq!(problems_in(12, "turns = 99", rules), "");
}

#[test]
fn whom_something_happens_to_may_depend_on_what_is_hidden() {
    let heavy = "some p.hand where weight > 2";
    let bodies = [
        format!("each p in players {{ if {heavy} {{ set p.worth = 1 }} }}"),
        format!("each p in players {{ if {heavy} {{ set p.wish.worth = 1 }} }}"),
        format!("each p in players {{ if {heavy} {{ set game.named = p.wish }} }}"),
        format!("set first(players as p where {heavy}).worth = 1"),
        format!("each p in players secret {{ choose n in 1..2  if {heavy} {{ set p.worth = n }} }}"),
    ];
    for body in bodies {
        let rules = leaky(&format!(
            "player {{ mark wish: maybe of player }}\ngame {{ mark named: maybe of player  mark last: maybe of player }}\n\
             action go {{ choose q in players  set me.wish = q  {body}  set game.last = first(players where worth > 0) }}"
        ));
        let turns = TURNS.replace("round = 3", "round = 12");
        assert_eq!(problems_in(4, "turns = 99", &format!("{rules}{turns}")), "", "{body}");
    }
}

#[test]
fn a_value_that_depends_on_what_is_hidden_is_found_in_a_loop() {
    let rules = leaky(
        "action go { \
         each p in players { let n = 0  if some p.hand where weight > 2 { set n = 1 }  set p.worth = n } }",
    );
    let turns = TURNS.replace("round = 3", "round = 12");
    let found = problems_in(4, "turns = 99", &format!("{rules}{turns}"));
    assert!(found.contains("is shown what it cannot know"), "{found}");
}

#[test]
fn marks_of_open_cards_and_places_that_tell_what_is_hidden_are_found() {
    let turns = TURNS.replace("round = 3", "round = 12");
    let found = |part: &str| {
        let rules = leaky(&format!(
            "kind token : card {{ mark tag: number }}\nkind peg : piece {{ }}\nboard lane {{ shape: square 99 1 }}\n\
             zone bag {{ holds: token }}\n\
             action go {{ choose n in 1..2  {part} }}"
        ));
        let made = "create token in bag  create peg at site(lane, 1, 1)";
        let rules = rules.replace("setup {", &format!("setup {{ {made} "));
        problems_in(9, "turns = 99", &format!("{rules}{turns}"))
    };
    let tagged = found("each t in bag { set t.tag = theirs(me) }");
    assert!(tagged.contains("is shown what it cannot know: `token: tag"), "{tagged}");
    let moved = found("move peg to site(lane, 20 + theirs(me), 1)");
    assert!(moved.contains("by where pieces lie"), "{moved}");
    let openly = found(
        "if theirs(me) > 8 { move peg to site(lane, 20, 1) }  each t in bag where theirs(me) > 7 { set t.tag = 1 }",
    );
    assert_eq!(openly, "");
}

#[test]
fn names_in_lines_and_questions_tell_nothing() {
    let rules = leaky(
        "action go { choose c in first(opponents).hand \"{top(deck)} or {first(opponents).hand}?\"  \
         note \"{c} of {first(opponents).hand}, not {top(deck)}\"  move c to me.hand  note \"{c}\" }",
    );
    assert_eq!(problems("turns = 99", &format!("{rules}{TURNS}")), "");
}
