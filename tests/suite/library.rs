//! The face of the library: what programs that embed it rely on.

use super::support::{cardwright, root};
use cardwright::view::DecisionKind;
use cardwright::{Error, Game, Loader, Position};

const MANIFEST: &str =
    "name = \"pair\"\ntitle = \"Pair\"\nversion = \"1.0.0\"\nedition = 1\n[players]\nmin = 2\nmax = 2\n";
const RULES: &str = r#"
kind face : card { field worth: number }
zone deck { holds: face  order: pile  seen: none  starts: face }
zone hand per player { holds: face  seen: holder }
zone table { holds: face }
face "Ace" { worth: 3  copies: 2 }
face "Two" { worth: 2 }
face "Blank" { worth: 0 }
define score(p: player): number = count table
action play { choose c in me.hand  move c to table }
setup { shuffle deck  each p in players { move top(deck) to p.hand } }
flow { turns turn from seat(1) for 1 rounds { choose action play } }
"#;

fn pair() -> Game {
    Loader::files([("game.toml", MANIFEST), ("pair.rules", RULES)]).load().unwrap()
}

fn needs_no_thread_of_its_own<T: Send>(_: &T) {}

fn shared<T: Send + Sync>(_: &T) {}

#[test]
fn a_game_is_described() {
    let game = pair();
    assert_eq!((game.name(), game.title(), game.version()), ("pair", "Pair", "1.0.0"));
    assert_eq!(game.players(), [2]);
    assert_eq!(game.seat_name(0), "player 1");
    assert_eq!(game.digest(), pair().digest());
    shared(&game);
    needs_no_thread_of_its_own(&game.start(2, 1).unwrap());
}

#[test]
fn the_same_choices_give_the_same_hashes_and_a_copy_goes_its_own_way() {
    let game = Game::load("tic-tac-toe").unwrap();
    let mut one = game.start(2, 5).unwrap();
    let mut other = game.start(2, 5).unwrap();
    assert_eq!(one, other);
    one.choose(4).unwrap();
    assert_ne!(one.hash(), other.hash());
    let copy = one.clone();
    one.choose(0).unwrap();
    assert_ne!(one, copy);
    other.choose_key("b2").unwrap();
    assert_eq!(other, copy);
    other.clone_from(&one);
    assert_eq!(other, one);
    other.clone_from(&pair().start(2, 1).unwrap());
    assert_eq!((other.game().name(), other.option_count()), ("pair", 1));
}

#[test]
fn a_wrong_choice_is_an_error_and_changes_nothing() {
    let mut position = Game::load("tic-tac-toe").unwrap().start(2, 1).unwrap();
    let before = position.hash();
    let index = position.choose(9).unwrap_err();
    assert!(matches!(&index, Error::Illegal(said) if said == "there is no option 9: they go from 0 to 8"), "{index}");
    let key = position.choose_key("b22").unwrap_err();
    assert!(matches!(&key, Error::Illegal(said) if said == "`b22` is not legal"), "{key}");
    assert_eq!(position.hash(), before);
    position.play_out(3, usize::MAX).unwrap();
    assert_eq!((position.option_count(), position.seat(), position.decision()), (0, None, None));
    assert!(position.choose(0).unwrap_err().to_string().contains("the game is over"));
    assert!(position.choose_key("a1").unwrap_err().to_string().contains("the game is over"));
}

#[test]
fn what_goes_wrong_has_a_kind() {
    let unknown = Game::load("no-such-game").unwrap_err();
    assert!(matches!(&unknown, Error::Request(said) if said.contains("no-such-game")), "{unknown}");
    let crowd = pair().start(9, 1).unwrap_err();
    assert!(matches!(&crowd, Error::Request(said) if said.contains("not 9")), "{crowd}");
    let option = Loader::named("hex").option("colour", "5").load().unwrap_err();
    assert!(option.to_string().contains("colour"), "{option}");
    let wrong = Loader::files([("game.toml", MANIFEST), ("pair.rules", "flow { chose 1 }\n")]).load().unwrap_err();
    let Error::Content { findings, report } = &wrong else { panic!("{wrong}") };
    let first = &findings[0];
    assert_eq!((first.file.as_str(), first.line, first.warning), ("pair.rules", 1, false));
    assert!(report.contains("--> pair.rules:1:"), "{report}");
    let endless = RULES.replace("for 1 rounds { choose action play }", "{ }");
    let endless = Loader::files([("game.toml", MANIFEST), ("pair.rules", endless.as_str())]).load().unwrap();
    let stuck = endless.start(2, 1).unwrap_err();
    assert!(matches!(&stuck, Error::Stuck { code: "L06", report, .. } if report.contains("pair.rules")), "{stuck}");
}

#[test]
fn a_seat_sees_its_own_and_others_are_drawn_anew() {
    let mut position = pair().start(2, 1).unwrap();
    let hand = |position: &mut Position, of: usize, seat| position.view(seat).players[of].zones[0].cards.clone();
    assert_eq!(hand(&mut position, 0, Some(0)).len(), 1);
    assert!(hand(&mut position, 1, Some(0)).is_empty());
    // A seat that nobody has sees what everybody sees.
    assert_eq!(position.view(Some(200)), position.view(None));
    let own = hand(&mut position, 0, Some(0))[0].name.clone();
    let mut others = std::collections::BTreeSet::new();
    for seed in 0..40 {
        let mut drawn = position.resample(0, seed).unwrap();
        assert_eq!(drawn.view(Some(0)), position.view(Some(0)));
        assert_eq!(hand(&mut drawn, 0, Some(0))[0].name, own);
        others.insert(hand(&mut drawn, 1, Some(1))[0].name.clone());
        assert!(matches!(drawn.save("never"), Err(Error::Request(_))));
    }
    assert!(others.len() > 1, "{others:?}");
    assert!(matches!(position.resample(2, 1), Err(Error::Request(_))));
}

#[test]
fn chance_can_be_asked() {
    let mut position = pair().start_open(2).unwrap();
    let decision = position.decision().unwrap();
    assert_eq!((decision.seat, decision.kind), (None, DecisionKind::Chance));
    let ace = decision.options.iter().position(|option| option.key == "Ace").unwrap();
    assert_eq!((position.weight(ace), decision.options[ace].weight), (2, 2));
    position.choose(ace).unwrap();
    let near = position.choose_key("Blenk").unwrap_err();
    assert!(matches!(&near, Error::Illegal(said) if said.contains("did you mean `Blank`?")), "{near}");
    position.choose_key("Two").unwrap();
    assert_eq!(position.decision().unwrap().options[0].key, "play Ace");
}

#[test]
fn saves_go_on_here_and_in_the_program() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("evening.save");
    let game = Game::load("monster-muncher").unwrap();
    let mut position = game.start(2, 11).unwrap();
    for step in 0..20 {
        position.choose(step % position.option_count()).unwrap();
    }
    position.save(&path).unwrap();
    assert!(matches!(position.save(&path), Err(Error::File(_))), "no file is overwritten");
    let (mut again, problems) = game.resume(&path).unwrap();
    assert_eq!((&again, problems.len()), (&position, 0));
    let outcome = position.play_out(9, usize::MAX).unwrap();
    assert!(outcome.is_some());
    assert!(matches!(position.save(folder.path().join("other")), Err(Error::Request(_))));
    assert_eq!(again.play_out(9, usize::MAX).unwrap(), outcome);
    let replayed = cardwright(folder.path(), &["replay", path.to_str().unwrap()], "");
    assert!(replayed.status.success(), "{replayed:?}");
    let text = std::fs::read_to_string(&path).unwrap().replace("\"n\":7", "\"n\":8");
    std::fs::write(&path, text).unwrap();
    let (shorter, problems) = game.resume(&path).unwrap();
    assert_ne!(shorter, again);
    assert!(problems[0].contains("decision 8 stands where decision 7 should"), "{problems:?}");
    assert!(matches!(game.resume(folder.path().join("none")), Err(Error::File(_))));
}

#[test]
fn expansions_languages_and_folders_are_loaded() {
    let with = Loader::named("monster-muncher").expansion("down-below").load().unwrap();
    assert_ne!(with.digest(), Game::load("monster-muncher").unwrap().digest());
    let expansion = "name = \"more\"\ntitle = \"More\"\nversion = \"1.0.0\"\nedition = 1\nkind = \"expansion\"\nextends = { pair = \"^1.0.0\" }\n";
    let more = Loader::files([("game.toml", MANIFEST), ("pair.rules", RULES)])
        .expansion_files("more", [("game.toml", expansion), ("more.cards", "face \"King\" { worth: 9 }\n")]);
    let mut open = more.load().unwrap().start_open(2).unwrap();
    assert!(open.decision().unwrap().options.iter().any(|option| option.key == "King"));
    let german = Loader::named(root().join("content/templates/hidden-roles").to_str().unwrap()).language("de");
    let english = Game::load(root().join("content/templates/hidden-roles").to_str().unwrap()).unwrap();
    assert_ne!(german.load().unwrap().title(), english.title());
}
