//! What players ask with `why`: thirty questions over five games, six each, and what they are told. And what all read of what the
//! game asks, and of the answers.

use super::support::{game, golden, root};
use cardwright::base::MemoryWorld;
use cardwright::play::position::describe;
use cardwright::play::{Bot, Game, Options, Package, Player, Session, Setup, Table};
use std::sync::Arc;

/// Lines of an answer at the most.
const LONGEST: usize = 15;

/// A game of bots after so many decisions.
fn after(name: &str, (seats, bot, seed): (usize, Bot, u64), decisions: usize) -> Session {
    let setup = Setup { seed, seats: vec!["human".to_owned(); seats] };
    let mut session = Session::new(Arc::clone(&game(name)), setup, None).unwrap();
    for _ in 0..decisions {
        let index = bot.pick(&mut session).unwrap();
        session.choose(index).unwrap();
    }
    session
}

/// Asks questions as whoever decides, after so many decisions each. `<text>` stands for the last line of the log with this text.
fn asked(name: &str, players: (usize, Bot, u64), questions: &[(usize, &[&str])]) {
    let mut told = String::new();
    let content = format!("{}/", root().display());
    for (decisions, questions) in questions {
        let mut session = after(name, players, *decisions);
        let seat = session.deciding();
        told.push_str(&format!("# after {decisions} decisions, {}\n", session.game().seat_name(seat.unwrap())));
        for question in *questions {
            let line = question.strip_prefix('<').and_then(|text| text.strip_suffix('>'));
            let number = line.map(|text| {
                let lines = 1..=session.changes().len();
                let has =
                    |number: &usize| session.why_line(seat, *number).first().is_some_and(|line| line.contains(text));
                lines.rev().find(has).unwrap_or_else(|| panic!("no line of the log has `{text}`")).to_string()
            });
            let answer = session.explain(seat, true, number.as_deref().unwrap_or(question));
            let lines = answer.unwrap_or_else(|error| vec![error.to_string()]);
            assert!(lines.len() <= LONGEST, "{question}: {lines:#?}");
            told.push_str(&format!("\nwhy {question}\n"));
            told.extend(lines.iter().map(|line| format!("  {}\n", line.replace(&content, ""))));
        }
        told.push('\n');
    }
    golden("why", name, &told);
}

#[test]
fn of_monster_muncher() {
    let questions: [(usize, &[&str]); 3] = [
        (0, &["play snack"]),
        (23, &["not play monster Cave-In King", "greens of Avalanche Aunt", "<greens: 1 -> 2>"]),
        (31, &["", "<cannot debuff Statue>"]),
    ];
    asked("monster-muncher", (2, Bot::Greedy, 3), &questions);
}

#[test]
fn of_star_munchkin() {
    let questions: [(usize, &[&str]); 2] =
        [(12, &["strength of red", "become", "Red Shirt", "Tax Asteroid", "green"]), (90, &["<red level: 2 -> 1>"])];
    asked("star-munchkin", (3, Bot::Greedy, 2), &questions);
}

#[test]
fn of_munch() {
    let questions: [(usize, &[&str]); 2] =
        [(21, &["", "c5", "b6"]), (45, &["prowl", "score of yellow", "<k 1: a6 ->>"])];
    asked("munch", (2, Bot::Random, 2), &questions);
}

#[test]
fn of_monster_factory() {
    let questions: [(usize, &[&str]); 2] =
        [(15, &["", "0,0", "0,1", "2,0"]), (18, &["<1's hand -> 2,0>", "score of 1"])];
    asked("monster-factory", (2, Bot::Random, 2), &questions);
}

#[test]
fn of_scrunch() {
    let questions: [(usize, &[&str]); 2] = [(20, &["lay 0,0", "starve", "0,0", "1,2"]), (21, &["", "-3,2"])];
    asked("scrunch", (2, Bot::Random, 2), &questions);
}

/// A table at which ann, bob and cat play by these rules.
fn table_of(rules: &str) -> Table {
    let manifest = "name = \"small\"\ntitle = \"Small\"\nversion = \"0.1.0\"\nedition = 1\n\
                    [players]\nmin = 3\nmax = 3\nseats = [\"ann\", \"bob\", \"cat\"]\n";
    let package = Package::memory("small", MemoryWorld::new([("game.toml", manifest), ("a.rules", rules)]));
    let game = Arc::new(Game::load(&package, &Options::new(), None).unwrap_or_else(|error| panic!("{error}")));
    Table::new(game, vec![Player::Human; 3], 1, None).unwrap()
}

/// What the others read of what ann answers, in a game where she plays a card after what is given of it.
fn read_by_others(verbs: &str, action: &str, answers: &[&str]) -> String {
    let rules = format!(
        "kind card_ : card {{ field n: 1..9 }}\nzone deck {{ holds: card_  order: pile  starts: card_ }}\n\
         zone hand per player {{ holds: card_  seen: holder }}\nzone heap {{ holds: card_  seen: all }}\n\
         card_ \"Low\" {{ n: 1  copies: 9 }}\nplayer {{ counter lies: 0..9 }}\nenum word {{ aye nay }}\n{verbs}\n\
         setup {{ each p in players {{ move top(deck, 2) to p.hand }} }}\n\
         action claim {{ choose c in me.hand  {action}  move c to heap }}\n\
         flow {{ turns turn from seat(1) for 1 round {{ choose action claim }} }}"
    );
    let mut table = table_of(&rules);
    table.choose_key("claim Low").unwrap();
    for answer in answers {
        table.choose_key(answer).unwrap();
    }
    let log = |seat| table.log(seat).into_iter().map(|line| line.text).collect::<Vec<_>>();
    assert_eq!(log(Some(2)), log(None), "cat reads what a spectator does");
    log(Some(2)).into_iter().filter(|line| !line.contains("->") && !line.contains("--")).collect::<Vec<_>>().join("; ")
}

#[test]
fn all_read_what_is_answered_openly() {
    let bob = "let p = first(players_after(me))";
    let doubt =
        format!("{bob}  choose by p option \"Doubt?\" {{ \"doubt\" {{ increase p.lies by 1 }} \"believe\" {{ }} }}");
    assert_eq!(read_by_others("", &doubt, &["doubt"]), "bob: Doubt? doubt");
    let asked = format!("{bob}  may by p \"Pay {{me}}?\" do {{ increase p.lies by 1 }}");
    assert_eq!(read_by_others("", &asked, &["no"]), "bob: Pay ann? no");
    assert_eq!(
        read_by_others("", &format!("{bob}  choose by p w in word  note \"{{w}}\""), &["nay"]),
        "bob chooses nay; nay"
    );
    let text = format!("{bob}  choose by p t in [\"Guard\", \"Priest\"] \"Who?\"  note \"{{t}}\"");
    assert_eq!(read_by_others("", &text, &["Guard"]), "bob: Who? Guard; Guard");
    let name = format!("{bob}  choose by p t in gather name of card_ + deck  note \"{{t}}\"");
    assert_eq!(read_by_others("", &name, &["Low"]), "bob chooses Low; Low");
    let verb = "verb ask p: player { if p.lies = 0 { choose by p option { \"doubt\" { } \"believe\" { } } } }";
    assert_eq!(read_by_others(verb, &format!("{bob}  ask p"), &["believe"]), "bob chooses believe");
    // Who is asked knows the number.
    let told =
        format!("{bob}  choose by p option \"{{sum n of p.hand}}: doubt?\" {{ \"doubt\" {{ }} \"believe\" {{ }} }}");
    assert_eq!(read_by_others("", &told, &["doubt"]), "bob chooses doubt");
}

#[test]
fn all_read_at_whom_an_action_is_aimed_that_asks_for_hidden_cards_later() {
    let read = |asks: &str| {
        let rules = format!(
            "kind face : card {{ field n: 1..9 }}\nzone deck {{ holds: face  order: pile  seen: none }}\n\
             zone hand per player {{ holds: face  seen: holder }}\nzone lost per player {{ holds: face }}\n\
             setup {{ create face in deck with n = every_value  each p in players {{ move top(deck, 2) to p.hand }} }}\n\
             action rest {{ }}\naction aim {{ choose t in opponents \"At whom?\"  {asks}  move c to t.lost }}\n\
             flow {{ turns turn from seat(1) for 1 round {{ choose action aim, rest }} }}"
        );
        let mut table = table_of(&rules);
        table.choose_key("aim bob").unwrap();
        table.log(Some(2)).into_iter().any(|line| line.text == "ann: At whom? bob")
    };
    assert!(read("choose by t c in t.hand \"Show\""));
    assert!(read("choose c in me.hand \"Give\""));
    assert!(read("choose by t c in t.hand where n > 2 \"Show\""), "what bob is asked is not looked at before");
    assert!(!read("choose c in me.hand where n > 2 \"Give\""), "that it is offered tells of the hand");
}

#[test]
fn nobody_reads_an_answer_that_tells_of_hidden_cards() {
    let bob = "let p = first(players_after(me))";
    let asks = "choose by p option { \"doubt\" { } \"believe\" { } }";
    let hidden = "some (p.hand where n < 3)";
    for (verbs, action) in [
        (String::new(), format!("{bob}  if {hidden} {{ {asks} }}")),
        (String::new(), format!("{bob}  let low = {hidden}  if low {{ {asks} }}")),
        (String::new(), format!("{bob}  repeat 1 times {{ if not {hidden} {{ stop }} }}  {asks}")),
        (String::new(), format!("{bob}  choose by p option {{ \"doubt\" if {hidden} {{ }} \"believe\" {{ }} }}")),
        (format!("verb ask p: player {{ {asks} }}"), format!("{bob}  if {hidden} {{ ask p }}")),
        (
            format!("verb ask p: player for n: number {{ if n > 0 {{ {asks} }} }}"),
            format!("{bob}  ask p for sum n of p.hand"),
        ),
        (
            format!("verb ask p: player {{ }}  rule r {{ after ask p where {hidden} {{ {asks} }} }}"),
            format!("{bob}  ask p"),
        ),
        (String::new(), format!("{bob}  {asks}  reveal p.hand to me quietly")),
    ] {
        assert_eq!(read_by_others(&verbs, &action, &["doubt"]), "", "{verbs} {action}");
    }
    let names = format!("{bob}  choose by p t in gather name of p.hand  increase p.lies by 0");
    assert_eq!(read_by_others("", &names, &["Low"]), "");
    let among = format!("{bob}  choose by p m in 1..9 where some (p.hand where n = m)  increase p.lies by m - m");
    assert_eq!(read_by_others("", &among, &["1"]), "");
}

/// What a spectator reads of the action that bob takes, by what is declared and what is done for him.
fn read_of_an_action(declared: &str, offered: &str) -> String {
    read_of(declared, offered, "act")
}

/// The same of one of several options.
fn read_of(declared: &str, offered: &str, key: &str) -> String {
    let rules = format!(
        "kind card_ : card {{ field n: 1..9 }}\nzone deck {{ holds: card_  order: pile  seen: none  starts: card_ }}\n\
         zone hand per player {{ holds: card_  seen: holder }}\nzone heap {{ holds: card_ }}\n\
         card_ \"Low\" {{ n: 1  copies: 9 }}\nplayer {{ counter coins: 0..9 }}\n{declared}\n\
         setup {{ each p in players {{ move top(deck, 2) to p.hand }} }}\n\
         flow {{ turns turn from seat(1) for 1 round {{ {offered} }} }}"
    );
    let manifest = "name = \"small\"\ntitle = \"Small\"\nversion = \"0.1.0\"\nedition = 1\n\
                    [players]\nmin = 2\nmax = 2\nseats = [\"bob\", \"cat\"]\n";
    let package = Package::memory("small", MemoryWorld::new([("game.toml", manifest), ("a.rules", &rules)]));
    let game = Arc::new(Game::load(&package, &Options::new(), None).unwrap_or_else(|error| panic!("{error}")));
    let mut table = Table::new(game, vec![Player::Human; 2], 1, None).unwrap();
    let before = table.log(None).len();
    table.choose_key(key).unwrap();
    let log = |seat| table.log(seat).into_iter().skip(before).map(|line| line.text).collect::<Vec<_>>();
    assert_eq!(log(Some(1)), log(None), "cat reads what a spectator does");
    log(None).into_iter().filter(|line| !line.contains("--")).collect::<Vec<_>>().join("; ")
}

#[test]
fn what_an_action_is_begun_with_in_words_all_read_unless_it_tells_of_hidden_cards() {
    let offer = "choose action act";
    let guess = "action act { choose n in 1..3 \"Which?\"  note \"no\" }";
    assert_eq!(read_of(guess, offer, "act 2"), "bob: Which? 2; no");
    assert_eq!(read_of(&guess.replace("\"Which?\"", ""), offer, "act 2"), "bob chooses 2; no");
    let paid = "action act { choose n in 1..3 \"Which?\"  may \"Pay?\" do { increase me.coins by n } }";
    assert_eq!(read_of(paid, offer, "act 2"), "bob: Which? 2");
    let held = "action act { choose m in (1..9) as k where some (me.hand where n < k) \"Which?\"  note \"no\" }";
    assert_eq!(read_of(held, offer, "act 2"), "no", "what is offered tells of the hand");
}

#[test]
fn an_action_of_which_nothing_is_seen_is_named_unless_it_is_secret() {
    let offer = "choose action act";
    assert_eq!(read_of_an_action("action act { }", offer), "bob chooses act");
    let vow = "action act { arm for good { next becomes me.coins > 2 { set me.coins = 9 } } }";
    assert_eq!(read_of_an_action(vow, offer), "bob chooses act");
    // What comes of it says it.
    assert_eq!(read_of_an_action("action act { increase me.coins by 1 }", offer), "bob coins: 0 -> 1");
    // More is decided in it.
    let more = "action act { may \"Pay?\" do { increase me.coins by 1 } }";
    assert_eq!(read_of_an_action(more, offer), "");
    for secret in [
        "action act { reveal top(deck) to me quietly }",
        "action act { requires some (me.hand where n = 1) }",
        "action act { ensure sum n of me.hand > 1 }",
        "verb look { reveal top(deck) to me quietly }  action act { look }",
    ] {
        assert_eq!(read_of_an_action(secret, offer), "", "{secret}");
    }
    // Nor is another that stands beside one which is secret, or what is done under a condition on hidden cards.
    let two = "action act { }  action peek { reveal top(deck) to me quietly }";
    assert_eq!(read_of_an_action(two, "choose action act, peek"), "");
    assert_eq!(read_of_an_action("action act { }", "if some (me.hand where n = 1) { choose action act }"), "");
}

#[test]
fn the_table_in_words_has_what_is_printed_and_all_of_a_pile_that_lies_open() {
    let rules = "kind tool : card { field cost: 1..9  field loud: flag = false }\n\
                 kind leaf : card { field n: 1..9  notation \"n{n}\" }\n\
                 zone deck { holds: tool  order: pile  starts: tool }\nzone heap { holds: tool  order: pile }\n\
                 zone hand per player { holds: tool, leaf  seen: holder }\n\
                 tool \"Lantern\" { cost: 2  copies: 2 }\ntool \"Rope\" { cost: 3  loud: true }\n\
                 setup { create tool \"Rope\" in seat(1).hand  create leaf in seat(1).hand with n = 4\n\
                 move top(deck) to seat(2).hand  move deck to heap  shuffle heap  move seat(2).hand to heap top }\n\
                 flow { turns turn from seat(1) for 1 round { choose c in me.hand  move c to nowhere } }";
    let manifest =
        "name = \"small\"\ntitle = \"Small\"\nversion = \"0.1.0\"\nedition = 1\nplayers = { min = 2, max = 2 }\n";
    let package = Package::memory("small", MemoryWorld::new([("game.toml", manifest), ("a.rules", rules)]));
    let game = Arc::new(Game::load(&package, &Options::new(), None).unwrap_or_else(|error| panic!("{error}")));
    let mut table = Table::new(game, vec![Player::Human; 2], 1, None).unwrap();
    let told = describe(&table.view(Some(0)));
    assert!(told.contains("  hand: n4, Rope (cost 3, loud)\n"), "{told}");
    assert!(told.contains("heap: Lantern on top, 2 more, among them "), "the others lie nobody sees where: {told}");
    assert!(told.contains("Rope\n") || told.contains("Rope, Lantern\n"), "{told}");
}
