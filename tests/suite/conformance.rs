//! The conformance suite finds what it looks for: games that break one of its rules each.

use cardwright::base::MemoryWorld;
use cardwright::play::conformance::conformance;
use cardwright::play::{Game, Options, Package};
use std::sync::Arc;

const MANIFEST: &str = "name = \"small\"\ntitle = \"Small\"\nversion = \"0.1.0\"\nedition = 1\n\
                        [players]\nmin = 2\nmax = 2\n";
const TURNS: &str = "flow { turns turn from seat(1) until round = 3 and me = seat(2) { choose action go } }\n";

/// What the suite says of a game.
fn problems(bounds: &str, rules: &str) -> String {
    let manifest = format!("{MANIFEST}[bounds]\n{bounds}");
    let world = MemoryWorld::new([("game.toml", manifest.as_str()), ("a.rules", rules)]);
    match Game::load(&Package::memory("small", world), &Options::new(), None) {
        Ok(game) => conformance(&Arc::new(game), 2, 1, 1).unwrap().problems.join("\n"),
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
    let rules = "kind charm : card { field weight: 0..9 }\n\
                 zone deck { holds: charm  order: pile  seen: none  starts: charm }\n\
                 zone hand per player { holds: charm  seen: holder }\n\
                 player { stat burden: number = sum weight of this.hand }\n\
                 setup { shuffle deck  each p in players { move top(deck) to p.hand } }\n\
                 action go { choose n in 1..2 }\n\
                 charm \"Feather\" { weight: 1 }\ncharm \"Rock\" { weight: 8 }\ncharm \"Leaf\" { weight: 0  copies: 2 }\n";
    finds("turns = 99", rules, "sees what it cannot know");
}

#[test]
fn a_game_that_does_not_end_is_told_from_others() {
    let found = problems("turns = 6", &format!("{GAINS}\nflow {{ turns turn from seat(1) {{ choose action go }} }}"));
    assert!(found.contains("goes on after 7 turns, more than the declared 6"), "{found}");
    let found = problems("", &format!("{GAINS}\nflow {{ turns turn from seat(1) {{ choose action go }} }}"));
    assert!(found.contains("has not ended after 5000 decisions"), "{found}");
}

/// A game of hands, with something that tells too much, which the checker does not see.
fn leaky(part: &str) -> String {
    let rules = "kind charm : card { field weight: 0..9 }\n\
                 zone deck { holds: charm  order: pile  seen: none  starts: charm }\n\
                 zone hand per player { holds: charm  seen: holder }\n\
                 verb burn c: charm { move c to deck }\n\
                 rule heavy { cannot burn c where c.weight > 2 }\n\
                 setup { shuffle deck  each p in players { move top(deck) to p.hand } }\n\
                 charm \"Feather\" { weight: 1 }\ncharm \"Rock\" { weight: 8 }\ncharm \"Leaf\" { weight: 0 }\n\
                 charm \"Stone\" { weight: 7 }\ncharm \"Twig\" { weight: 2 }\n";
    format!("{rules}{part}\n")
}

#[test]
fn options_that_depend_on_what_is_hidden_are_found() {
    let by_verb = leaky("action go { choose c in first(opponents).hand for burn }\naction stay { }");
    let turns = TURNS.replace("choose action go", "choose action go, stay");
    let found = problems("turns = 99", &format!("{by_verb}{turns}"));
    assert!(found.contains("the question to seat") && found.contains("tells what it cannot know"), "{found}");
}

#[test]
fn lines_and_questions_that_depend_on_what_is_hidden_are_found() {
    let lightest = "define lightest(): set of charm = charm \"Feather\"\n";
    let line = leaky("action go { note \"{count (lightest() where holder = first(opponents))}\" }") + lightest;
    finds("turns = 99", &line, "a line tells seat");
    let question =
        leaky("action go { choose n in 1..2 \"{count (lightest() where holder = first(opponents))}\" }") + lightest;
    finds("turns = 99", &question, "tells what it cannot know");
}

#[test]
fn names_in_lines_and_questions_tell_nothing() {
    let rules = leaky(
        "action go { choose c in first(opponents).hand \"{top(deck)} or {first(opponents).hand}?\"  \
         note \"{c} of {first(opponents).hand}, not {top(deck)}\"  move c to me.hand  note \"{c}\" }",
    );
    assert_eq!(problems("turns = 99", &format!("{rules}{TURNS}")), "");
}
