//! Saving, loading, taking back, replaying, and content that changes under a running game.

use super::support::{cardwright, game, go_on_with, root, stderr, stdout};
use cardwright::base::MemoryWorld;
use cardwright::engine::Status;
use cardwright::model::ScenarioFile;
use cardwright::play::{Dice, Game, Options, Package, PlayError, Player, Reload, Saved, Session, Setup, Table, Undo};
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;

const CARD_GAME: &str = "monster-muncher";

fn setup(seed: u64) -> Setup {
    Setup { seed, seats: vec!["human".to_owned(); 5] }
}

/// Makes so many random decisions.
fn go_on(session: &mut Session, decisions: usize) {
    let mut dice = Dice::new(session.decisions().len() as u64);
    for _ in 0..decisions {
        if session.status() == Status::Over {
            return;
        }
        let count = session.decision().unwrap().options.len();
        session.choose(dice.below(count)).unwrap();
    }
}

fn saved_game(path: &Path, decisions: usize) -> Session {
    let mut session = Session::new(game(CARD_GAME), setup(3), Some(path)).unwrap();
    go_on(&mut session, decisions);
    session
}

fn reopen(path: &Path) -> (Session, Vec<String>) {
    go_on_with(game(CARD_GAME), path)
}

#[test]
fn a_saved_game_goes_on_where_it_stood() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.save");
    let session = saved_game(&path, 40);
    let hash = session.hash();
    drop(session);
    let (mut session, problems) = reopen(&path);
    assert_eq!(problems, Vec::<String>::new());
    assert_eq!((session.decisions().len(), session.hash()), (40, hash));
    go_on(&mut session, 5);
    let hash = session.hash();
    drop(session);
    assert_eq!(reopen(&path).0.hash(), hash);
}

#[test]
fn taking_back_is_saved_and_gives_the_same_states() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.save");
    let mut session = saved_game(&path, 0);
    let mut hashes = vec![session.hash()];
    for _ in 0..25 {
        go_on(&mut session, 1);
        hashes.push(session.hash());
    }
    for number in [24, 17, 16, 3] {
        session.undo_to(number).unwrap();
        assert_eq!(session.hash(), hashes[number], "back to {number}");
        assert_eq!(session.decisions().len(), number);
        assert!(session.changes().iter().all(|(decision, _)| *decision <= number));
    }
    go_on(&mut session, 2);
    let hash = session.hash();
    drop(session);
    let (session, problems) = reopen(&path);
    assert_eq!((session.decisions().len(), session.hash(), problems.len()), (5, hash, 0));
}

#[test]
fn a_file_torn_at_any_byte_gives_back_every_whole_decision() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.save");
    let session = saved_game(&path, 12);
    let hashes: Vec<u64> = {
        let mut session = session;
        (0..=12)
            .rev()
            .map(|number| {
                session.undo_to(number).unwrap();
                session.hash()
            })
            .collect()
    };
    // The undo lines above are in the file too; only the lines of decisions are torn here.
    let bytes = std::fs::read(&path).unwrap();
    let header = bytes.iter().position(|byte| *byte == b'\n').unwrap() + 1;
    let torn = folder.path().join("torn.save");
    let ends: Vec<usize> = bytes.iter().enumerate().filter(|(_, byte)| **byte == b'\n').map(|(at, _)| at + 1).collect();
    for length in (header..ends[12]).step_by(7).chain([ends[3], ends[12]]) {
        let _ = std::fs::remove_file(&torn);
        std::fs::write(&torn, &bytes[..length]).unwrap();
        let whole = ends.iter().filter(|end| **end <= length).count() - 1;
        let (session, problems) = reopen(&torn);
        assert_eq!(session.decisions().len(), whole, "{length} bytes");
        assert_eq!(session.hash(), hashes[12 - whole]);
        assert_eq!(problems.is_empty(), ends.contains(&length), "{length} bytes: {problems:?}");
        drop(session);
        // What was torn is gone from the file, and stays beside it.
        assert!(reopen(&torn).1.is_empty());
    }
}

#[test]
fn damage_is_reported_with_its_line_and_cut_off() {
    let folder = tempfile::tempdir().unwrap();
    type Damage = (&'static str, fn(&str) -> String);
    let damage: [Damage; 5] = [
        ("no line of a save file", |_| "{\"n\":6,\"se".to_owned()),
        ("decision 60 stands where", |line| line.replace("\"n\":6", "\"n\":60")),
        ("not legal", |line| line.replace("\"key\":\"", "\"key\":\"Q")),
        ("now", |line| line.replace("\"seat\":\"", "\"seat\":\"Q")),
        ("no line of a save file", |line| line.replace("\"key\"", "\"cay\"")),
    ];
    for (number, (words, spoil)) in damage.iter().enumerate() {
        let path = folder.path().join(format!("{number}.save"));
        drop(saved_game(&path, 12));
        let text = std::fs::read_to_string(&path).unwrap();
        let spoilt: Vec<String> =
            text.lines().enumerate().map(|(at, line)| if at == 6 { spoil(line) } else { line.to_owned() }).collect();
        std::fs::write(&path, spoilt.join("\n") + "\n").unwrap();
        let (mut session, problems) = reopen(&path);
        assert_eq!(session.decisions().len(), 5, "{words}: {problems:?}");
        assert!(problems[0].contains("line 7") && problems[0].contains(words), "{problems:?}");
        assert!(problems.iter().any(|problem| problem.contains(".damaged")), "{problems:?}");
        go_on(&mut session, 1);
        drop(session);
        assert_eq!(reopen(&path).0.decisions().len(), 6);
    }
}

#[test]
fn a_wrong_hash_is_noticed() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.save");
    drop(saved_game(&path, 25));
    let text = std::fs::read_to_string(&path).unwrap();
    let hash = text.lines().nth(20).unwrap().split("\"hash\":\"").nth(1).unwrap()[..16].to_owned();
    std::fs::write(&path, text.replace(&hash, "0123456789abcdef")).unwrap();
    let (session, problems) = reopen(&path);
    assert_eq!(session.decisions().len(), 19);
    assert!(problems[0].contains("line 21") && problems[0].contains("hash"), "{problems:?}");
}

#[test]
fn a_decision_without_its_hash_is_an_altered_one() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.save");
    drop(saved_game(&path, 25));
    let text = std::fs::read_to_string(&path).unwrap();
    let line = text.lines().nth(20).unwrap();
    let (before, hash) = line.split_once(",\"hash\":").unwrap();
    for without in [format!("{before}}}"), format!("{before},\"hash\":\"\"}}")] {
        assert_eq!(hash.len(), 19);
        std::fs::write(&path, text.replace(line, &without)).unwrap();
        let (session, problems) = reopen(&path);
        assert_eq!(session.decisions().len(), 19);
        let said = "line 21: decision 20 has no hash of the state: the file has been altered";
        assert!(problems[0].starts_with(said), "{problems:?}");
    }
}

#[test]
fn a_game_that_is_saved_late_has_all_hashes() {
    let folder = tempfile::tempdir().unwrap();
    let (early, late) = (folder.path().join("early.save"), folder.path().join("late.save"));
    let mut session = saved_game(&early, 40);
    session.save_to(&late).unwrap();
    assert_eq!(std::fs::read_to_string(&early).unwrap(), std::fs::read_to_string(&late).unwrap());
}

#[test]
fn a_file_without_a_header_is_no_save() {
    for bytes in [&b""[..], b"{}\n", b"\xff\xfe\n", b"{\"session\":99,\"game\":\"a\"}\n", b"[[[[[[[[[[\n"] {
        assert!(Saved::parse(bytes).is_err());
    }
}

#[test]
fn a_save_that_is_too_large_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.save");
    let file = std::fs::File::create(&path).unwrap();
    file.set_len((64 << 20) + 1).unwrap();
    let Err(error) = Saved::read(&path) else { panic!("it was read") };
    assert_eq!(error.exit_code(), 4);
    assert!(error.report(false).starts_with("error[L10]"), "{error}");
}

#[test]
fn a_save_is_never_overwritten() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.save");
    std::fs::write(&path, "mine").unwrap();
    assert!(matches!(Session::new(game(CARD_GAME), setup(1), Some(&path)), Err(PlayError::Io(_))));
    assert_eq!(std::fs::read_to_string(&path).unwrap(), "mine");
}

#[test]
fn a_damaged_save_is_not_cut_before_somebody_agrees() {
    let folder = tempfile::tempdir().unwrap();
    let save = folder.path().join("a.save");
    let play = |answer: &str| {
        let args = ["play", "tic-tac-toe", "--players", "human,human", "--plain", "--save", "a.save"];
        let more: &[&str] = if answer.is_empty() { &[] } else { &["--if-changed", answer] };
        cardwright(folder.path(), &[&args, more].concat(), "1\n1\n1\n")
    };
    assert!(play("").status.success());
    let text = std::fs::read_to_string(&save).unwrap();
    std::fs::write(&save, text.replace("{\"n\":2,\"seat\":\"O\"", "{\"n\":2,\"seat\":\"X\"")).unwrap();
    let spoilt = std::fs::read(&save).unwrap();
    let refused = play("");
    assert_eq!(refused.status.code(), Some(1));
    assert!(stderr(&refused).contains("line 3: decision 2") && stderr(&refused).contains("nothing was written"));
    assert_eq!(std::fs::read(&save).unwrap(), spoilt);
    assert!(play("leave").status.success());
    assert_eq!(std::fs::read(&save).unwrap(), spoilt);
    let gone_on = play("go-on");
    assert!(stderr(&gone_on).contains("kept as `a.save.damaged`"), "{}", stderr(&gone_on));
    assert_eq!(std::fs::read(folder.path().join("a.save.damaged")).unwrap(), spoilt);
    // A torn last line was never acknowledged; nobody is asked.
    let text = std::fs::read_to_string(&save).unwrap();
    std::fs::write(&save, text.trim_end()).unwrap();
    assert!(stderr(&play("")).contains("torn"));
}

#[test]
fn what_contradicts_a_save_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let play = ["play", "tic-tac-toe", "--seed", "4", "--players", "human,human", "--plain", "--save", "a.save"];
    assert!(cardwright(folder.path(), &play, "1\n").status.success());
    assert!(cardwright(folder.path(), &play, "1\n").status.success());
    let bytes = std::fs::read(folder.path().join("a.save")).unwrap();
    for (more, words) in [
        (["--seed", "5"], "has the seed 4, not 5"),
        (["--players", "human,greedy"], "is played by `human,human`"),
        (["--players", "3"], "is played by `human,human`"),
        (["--option", "size=4"], "was begun without it"),
        (["--variant", "quick"], "not as the variant `quick`"),
    ] {
        let args = [["play", "tic-tac-toe", "--plain", "--save", "a.save"].as_slice(), &more].concat();
        let refused = cardwright(folder.path(), &args, "1\n");
        assert!(refused.status.code() == Some(2) && stderr(&refused).contains(words), "{}", stderr(&refused));
    }
    assert_eq!(std::fs::read(folder.path().join("a.save")).unwrap(), bytes);
}

/// Kills the program while it plays; every decision whose next question was printed must be in the file.
#[test]
fn killing_the_program_loses_no_acknowledged_decision() {
    let folder = tempfile::tempdir().unwrap();
    for answers in [1, 4, 9] {
        let path = folder.path().join(format!("{answers}.save"));
        let mut child = Command::new(env!("CARGO_BIN_EXE_cardwright"))
            .args(["play", CARD_GAME, "--plain", "--seed", "5", "--players", "human,human,human,human,human", "--save"])
            .arg(&path)
            .arg("--content")
            .arg(root().join("content"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut input = child.stdin.take().unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines().map(Result::unwrap);
        let question = |line: &String| line.trim_start().starts_with("1  ");
        assert!(lines.any(|line| question(&line)));
        for _ in 0..answers {
            writeln!(input, "1").unwrap();
            assert!(lines.any(|line| question(&line)), "the next question");
        }
        child.kill().unwrap();
        child.wait().unwrap();
        let (session, problems) = reopen(&path);
        assert!(session.decisions().len() >= answers, "{} of {answers}: {problems:?}", session.decisions().len());
    }
}

// Content that changes.

/// An editable copy of a shipped game.
fn copy(name: &str, folder: &Path) -> PathBuf {
    let to = folder.join(name);
    cardwright::play::eject(&Package::folder(&root().join("content").join(name)), &to).unwrap();
    to
}

fn edit(file: &Path, from: &str, to: &str) {
    let text = std::fs::read_to_string(file).unwrap();
    assert!(text.contains(from), "{}: no `{from}`", file.display());
    std::fs::write(file, text.replace(from, to)).unwrap();
}

fn table_on(folder: &Path, save: Option<&Path>) -> Table {
    let game = Arc::new(Game::load(&Package::folder(folder), &Options::new(), None).unwrap());
    Table::new(game, vec![Player::Human, Player::Human], 1, save).unwrap()
}

#[test]
fn edited_content_goes_on_with_all_decisions_that_fit() {
    let folder = tempfile::tempdir().unwrap();
    let path = copy("tic-tac-toe", folder.path());
    let save = folder.path().join("a.save");
    let mut table = table_on(&path, Some(&save));
    for key in ["a1", "a2", "c3"] {
        table.choose_key(key).unwrap();
    }
    assert_eq!(table.reload(), Reload::Unchanged);
    let rules = path.join("tic-tac-toe.rules");
    edit(&rules, "square 3 3", "square 4 4");
    assert_eq!(table.reload(), Reload::Complete { decisions: 3 });
    table.choose_key("d4").unwrap();
    // A smaller board has no d4: the first three decisions still fit.
    edit(&rules, "square 4 4", "square 3 3");
    let Reload::Stopped { kept, of, reason } = table.reload() else { panic!("d4 cannot fit") };
    assert_eq!((kept, of), (3, 4));
    assert!(reason.contains("d4"), "{reason}");
    assert_eq!(table.session().decisions().len(), 4, "nothing has changed yet");
    assert!(table.accept_reload().unwrap());
    assert_eq!(table.session().decisions().len(), 3);
    table.choose_key("b2").unwrap();
    drop(table);
    let game = Arc::new(Game::load(&Package::folder(&path), &Options::new(), None).unwrap());
    let before = Saved::read(&save.with_extension("save.before")).unwrap();
    assert_eq!(before.decisions.len(), 4, "what was cut off can be had back");
    let (session, problems) = go_on_with(game, &save);
    assert_eq!((session.decisions().len(), problems.len()), (4, 0), "{problems:?}");
}

#[test]
fn a_game_that_begins_in_a_scenario_outside_goes_on_after_edits_of_either() {
    let folder = tempfile::tempdir().unwrap();
    let path = copy("tic-tac-toe", folder.path());
    let outside = folder.path().join("late.scenario");
    std::fs::write(&outside, "scenario \"late\" { play \"a1\" }\n").unwrap();
    let file = ScenarioFile { shown: outside.display().to_string(), text: std::fs::read_to_string(&outside).unwrap() };
    let game = Game::load_with(&Package::folder(&path), &Options::new(), None, Some(&file)).unwrap();
    let mut table = Table::at_scenario(&Arc::new(game), "late", None, None).unwrap();
    table.choose_key("b2").unwrap();
    assert_eq!(table.reload(), Reload::Unchanged);
    edit(&path.join("tic-tac-toe.rules"), "square 3 3", "square 4 4");
    assert_eq!(table.reload(), Reload::Complete { decisions: 1 });
    edit(&outside, "\"a1\"", "\"d4\"");
    assert_eq!(table.reload(), Reload::Complete { decisions: 1 });
    assert!(table.choose_key("d4").is_err() && table.choose_key("a1").is_ok());
}

#[test]
fn a_save_says_which_game_is_shown() {
    let folder = tempfile::tempdir().unwrap();
    let save = folder.path().join("a.save");
    let mut session = Session::new(game("tic-tac-toe"), setup_of_two(1), Some(&save)).unwrap();
    session.choose_key("b2").unwrap();
    drop(session);
    let output = cardwright(folder.path(), &["show", "--save", "a.save"], "");
    assert!(output.status.success() && stdout(&output).contains("2 . X ."), "{}", stdout(&output));
    let output = cardwright(folder.path(), &["show"], "");
    assert!(stderr(&output).contains("<GAME>"), "{}", stderr(&output));
}

#[test]
fn an_edit_that_does_not_fit_and_is_put_back_leaves_nothing_to_accept() {
    let folder = tempfile::tempdir().unwrap();
    let path = copy("tic-tac-toe", folder.path());
    let mut table = table_on(&path, None);
    let rules = path.join("tic-tac-toe.rules");
    edit(&rules, "square 3 3", "square 4 4");
    assert_eq!(table.reload(), Reload::Complete { decisions: 0 });
    table.choose_key("d4").unwrap();
    for put_back in ["square 4 4", "square 3 three"] {
        edit(&rules, "square 4 4", "square 3 3");
        assert!(matches!(table.reload(), Reload::Stopped { kept: 0, of: 1, .. }));
        edit(&rules, "square 3 3", put_back);
        assert!(matches!(table.reload(), Reload::Unchanged | Reload::Broken { .. }));
        assert!(!table.accept_reload().unwrap(), "there is nothing to accept any more");
        assert_eq!(table.session().decisions().len(), 1);
        edit(&rules, put_back, "square 4 4");
    }
}

#[test]
fn an_edit_is_accepted_with_the_decisions_made_since() {
    let folder = tempfile::tempdir().unwrap();
    let path = copy("tic-tac-toe", folder.path());
    let mut table = table_on(&path, None);
    let rules = path.join("tic-tac-toe.rules");
    edit(&rules, "square 3 3", "square 4 4");
    assert_eq!(table.reload(), Reload::Complete { decisions: 0 });
    table.choose_key("a1").unwrap();
    table.choose_key("d4").unwrap();
    edit(&rules, "square 4 4", "square 3 3");
    assert!(matches!(table.reload(), Reload::Stopped { kept: 1, of: 2, .. }));
    // Taken back and made anew, all of them fit.
    assert!(matches!(table.undo(true).unwrap(), Undo::Done { .. }));
    table.choose_key("b2").unwrap();
    assert!(table.accept_reload().unwrap());
    assert_eq!(table.session().decisions().len(), 2);
    assert!(table.choose_key("d1").is_err());
}

#[test]
fn a_broken_edit_leaves_the_game_alone() {
    let folder = tempfile::tempdir().unwrap();
    let path = copy("tic-tac-toe", folder.path());
    let mut table = table_on(&path, None);
    table.choose_key("b2").unwrap();
    edit(&path.join("tic-tac-toe.rules"), "empty(grid) \"Where?\"", "emty(grid) \"Where?\"");
    let Reload::Broken { report } = table.reload() else { panic!("it cannot be loaded") };
    assert!(report.contains("did you mean `empty`?"), "{report}");
    table.choose_key("a1").unwrap();
}

#[test]
fn a_save_on_other_content_says_so_and_replays_what_fits() {
    let folder = tempfile::tempdir().unwrap();
    let path = copy("tic-tac-toe", folder.path());
    let save = folder.path().join("a.save");
    let mut table = table_on(&path, Some(&save));
    for key in ["a1", "b2", "c3", "c1"] {
        table.choose_key(key).unwrap();
    }
    drop(table);
    edit(&path.join("tic-tac-toe.rules"), "square 3 3", "square 3 2");
    let game = Arc::new(Game::load(&Package::folder(&path), &Options::new(), None).unwrap());
    let (session, problems) = go_on_with(game, &save);
    assert_eq!(session.decisions().len(), 2);
    assert!(problems.iter().any(|problem| problem.contains("content") && problem.contains("changed")), "{problems:?}");
    assert!(problems.iter().any(|problem| problem.contains("c3")), "{problems:?}");
}

#[test]
fn people_who_share_a_keyboard_are_handed_over_to() {
    let mut table =
        Table::new(game(CARD_GAME), vec![Player::Human, Player::parse("random").unwrap(), Player::Human], 2, None)
            .unwrap();
    let mut handed = Vec::new();
    while handed.len() < 4 {
        while table.bot_move().unwrap().is_some() {}
        if let Some(seat) = table.handover() {
            handed.push(seat);
            table.hand_over();
            assert_eq!(table.handover(), None);
        }
        assert_eq!(table.view_seat(), table.deciding());
        table.choose(0).unwrap();
    }
    assert!(handed.windows(2).all(|pair| pair[0] != pair[1]) && !handed.contains(&1), "{handed:?}");
}

#[test]
fn the_log_and_why_tell_only_what_the_seat_may_know() {
    let mut table =
        Table::new(game(CARD_GAME), vec![Player::Human, Player::parse("greedy").unwrap()], 4, None).unwrap();
    for _ in 0..60 {
        if table.bot_move().unwrap().is_none() && table.deciding().is_some() {
            table.choose(0).unwrap();
        }
    }
    let log = table.log(Some(0));
    assert!(!log.is_empty());
    let numbers: Vec<usize> = log.iter().map(|line| line.number).collect();
    for number in 1..=table.log_mark() {
        let why = table.why(number);
        assert_eq!(why.is_empty(), !numbers.contains(&number), "change {number}");
        assert!(why.is_empty() || why.len() >= 2, "{why:?}");
    }
}

const HIDDEN: &str = "kind charm : card { }\n\
    zone deck { holds: charm  order: pile  seen: none  starts: charm }\n\
    zone hand per player { holds: charm  seen: holder }\n\
    zone table { holds: charm }\n\
    action grab { move top(deck) to me.hand }\n\
    action lay { choose c in me.hand  move c to table }\n\
    setup { shuffle deck  each p in players { move top(deck) to p.hand } }\n\
    flow { turns turn from seat(1) until round > 3 { choose action grab, lay } }\n\
    charm \"Feather\" { }\ncharm \"Rock\" { }\ncharm \"Leaf\" { }\ncharm \"Twig\" { }\ncharm \"Stone\" { }\n";

fn hidden_game() -> Arc<Game> {
    game_of(HIDDEN)
}

fn game_of(rules: &str) -> Arc<Game> {
    let manifest = "name = \"small\"\ntitle = \"Small\"\nversion = \"0.1.0\"\nedition = 1\n\
                    [players]\nmin = 2\nmax = 2\nseats = [\"ann\", \"bob\"]\n";
    let world = cardwright::base::MemoryWorld::new([("game.toml", manifest), ("a.rules", rules)]);
    let game = Game::load(&Package::memory("small", world), &Options::new(), None);
    Arc::new(game.unwrap_or_else(|error| panic!("{error}")))
}

#[test]
fn several_people_agree_before_they_take_back_what_has_come_to_light() {
    let mut table = Table::new(hidden_game(), vec![Player::Human; 2], 5, None).unwrap();
    assert_eq!(table.undo(false).unwrap(), Undo::Nothing);
    table.choose_key("grab").unwrap();
    assert_eq!(table.undo(false).unwrap(), Undo::Asks, "ann knows a card that she would draw again");
    assert_eq!(table.session().decisions().len(), 1);
    assert_eq!(table.undo(true).unwrap(), Undo::Done { learnt: true });
    assert_eq!(table.session().decisions().len(), 0);
    let lay = table.decision().unwrap().options.into_iter().find(|option| option.key.starts_with("lay")).unwrap();
    table.choose_key(&lay.key).unwrap();
    assert_eq!(table.undo(false).unwrap(), Undo::Asks, "bob has seen what ann laid");

    let mut alone =
        Table::new(hidden_game(), vec![Player::Human, Player::Bot(cardwright::play::Bot::Random)], 5, None).unwrap();
    alone.choose_key("grab").unwrap();
    assert_eq!(alone.undo(false).unwrap(), Undo::Done { learnt: true }, "there is nobody to ask, but it is said");

    let mut open = Table::new(game("tic-tac-toe"), vec![Player::Human; 2], 5, None).unwrap();
    open.choose(0).unwrap();
    assert_eq!(open.undo(false).unwrap(), Undo::Done { learnt: false });
}

#[test]
fn the_record_of_a_seat_holds_only_what_it_knows() {
    use cardwright::play::record::of_seat;
    let mut session = Session::new(hidden_game(), setup_of_two(987_654_321), None).unwrap();
    session.choose_key("grab").unwrap();
    session.choose_key("grab").unwrap();
    let view = session.view_all();
    let hands: Vec<Vec<String>> = view
        .players
        .iter()
        .map(|player| player.zones[0].cards.iter().map(|card| card.name.clone()).collect())
        .collect();
    let record = of_seat(&mut session, 0);
    assert!(hands[0].iter().all(|card| record.contains(card)), "{record}");
    assert!(!hands[1].iter().any(|card| record.contains(card)), "{record}");
    assert!(!record.contains("987654321") && record.contains("a card: deck -> bob's hand"), "{record}");
    let keys = cardwright::play::record::script_keys(&record);
    assert_eq!(keys.len(), 1, "only what ann chose: {record}");
}

fn setup_of_two(seed: u64) -> Setup {
    Setup { seed, seats: vec!["human".to_owned(); 2] }
}

#[test]
fn a_save_names_the_seats_and_survives_other_names() {
    let rules = "action rest { }\nflow { turns turn from seat(1) until round > 3 { choose action rest }  draw game }";
    let game = |seats: &str| {
        let manifest = format!(
            "name = \"small\"\ntitle = \"Small\"\nversion = \"0.1.0\"\nedition = 1\n\
             [players]\nmin = 2\nmax = 2\nseats = [{seats}]\n"
        );
        let world = MemoryWorld::new([("game.toml", manifest.as_str()), ("a.rules", rules)]);
        Arc::new(Game::load(&Package::memory("small", world), &Options::new(), None).unwrap())
    };
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.save");
    let setup = Setup { seed: 1, seats: vec!["human".to_owned(), "human".to_owned()] };
    let mut session = Session::new(game("\"ann\", \"bob\""), setup, Some(&path)).unwrap();
    for _ in 0..3 {
        session.choose(0).unwrap();
    }
    drop(session);
    let text = std::fs::read_to_string(&path).unwrap();
    assert!(text.contains("\"names\":[\"ann\",\"bob\"]") && text.contains("{\"n\":2,\"seat\":\"bob\","), "{text}");
    let (session, problems) = Session::replay(game("\"cid\", \"dan\""), &Saved::read(&path).unwrap()).unwrap();
    assert_eq!((session.decisions().len(), problems.len()), (3, 1), "{problems:?}");
    std::fs::write(&path, text.replace("\"names\":[\"ann\",", "\"names\":[")).unwrap();
    assert!(Saved::read(&path).unwrap_err().to_string().contains("every seat needs a name"));
}

const KEEPING: &str = "kind coin : card { field lure: flag\n  mark seen: flag\n  mark bright: flag }\n\
    zone purse { holds: coin  starts: coin }\n\
    game { counter pot: 0..9  counter dust: 0..9  mark trump: number = 0  mark busy: flag = false }\n\
    player { mark last: number = 0  counter luck: 0..9 }\n\
    look game { line: \"trump {game.trump}\"  show: pot }\n\
    look coin { show: bright }\n\
    action bet {\n\
      choose n in [1, 2, 3] \"How much?\"\n\
      set game.busy = true  set me.last = n  increase me.luck by 1  increase game.pot by n  increase game.dust by 1\n\
      set game.trump = n  each c in purse { set c.seen = true  set c.bright = true }\n\
      may \"Again?\" do { increase me.luck by 1 }\n\
      choose c in purse \"Which coin?\"\n\
      may \"Polish {c}?\" do { set c.bright = false }\n\
    }\n\
    flow { turns turn from seat(1) until round > 1 { choose action bet } }\n\
    coin \"Penny\" { lure: true }\ncoin \"Mark\" { lure: true }\n";

#[test]
fn a_record_tells_what_looks_name_and_what_was_asked() {
    use cardwright::play::record::{Record, Told, of_seat, script_keys, whole};
    let mut session = Session::new(game_of(KEEPING), setup_of_two(1), None).unwrap();
    for key in ["bet 2", "no", "Penny", "no"] {
        session.choose_key(key).unwrap();
    }
    let record = whole(&session, Told::All);
    assert!(record.contains("no\n    # 2. ann: Again? no\n"), "{record}");
    assert!(record.contains("    # 3. ann: Which coin? Penny\n"), "{record}");
    for told in ["pot, trump: 0 -> 2", "ann luck: 0 -> 1", "Penny bright, Mark bright: yes"] {
        assert!(record.contains(told), "{told}: {record}");
    }
    for kept in ["dust", "busy", "last", "seen"] {
        assert!(!record.contains(kept), "{kept}: {record}");
    }
    assert_eq!(script_keys(&record).len(), 4, "{record}");
    let every = Record::new(Told::All).every_change().more(&session);
    for change in
        ["dust: 0 -> 1", "busy: no -> yes", "Mark seen: no -> yes", "Mark bright: no -> yes", "ann last: 0 -> 2"]
    {
        assert!(every.contains(change), "{change}: {every}");
    }
    let (own, other) = (of_seat(&mut session, 0), of_seat(&mut session, 1));
    assert!(own.matches("Again?").count() == 1 && own.contains("# 2. ann: Again? no"), "{own}");
    assert!(other.contains("ann: Polish Penny? no") && !other.contains("Which coin?"), "{other}");
    assert!(other.contains("ann: Again? no") && !other.contains("dust: 0"), "{other}");
    assert!(other.contains("ann luck: 0 -> 1"), "{other}");
}

const HUSHED: &str = "kind coin : card { }\nkind charm : card { field use: effect }\n\
    zone purse { holds: coin  starts: coin }\n\
    zone box { holds: charm  order: pile  seen: none  starts: charm }\n\
    zone hand per player { holds: charm  seen: holder }\n\
    setup { move top(box) to seat(1).hand }\n\
    action cast { choose c in me.hand  do c.use }\n\
    action rest { }\n\
    flow { turns turn from seat(1) until round > 1 { choose action cast, rest } }\n\
    coin \"Penny\" { }\ncharm \"Fire\" { use { each c in purse { may \"Melt {c}?\" do { move c to nowhere } } } }\n";

#[test]
fn nobody_reads_what_a_card_asks_that_others_do_not_see() {
    let mut table = Table::new(game_of(HUSHED), vec![Player::Human; 2], 1, None).unwrap();
    for key in ["cast Fire", "no"] {
        table.choose_key(key).unwrap();
    }
    let log = |seat| table.log(Some(seat)).into_iter().map(|line| line.text).collect::<Vec<_>>().join("\n");
    assert!(log(0).contains("ann: Fire: Melt Penny? no"), "{}", log(0));
    assert!(!log(1).contains("Fire") && !log(1).contains("Melt"), "{}", log(1));
}

const PICKED: &str = "kind coin : card { field n: 1..4  mark kept: flag = false }\n\
    zone hand per player { holds: coin  seen: holder }\n\
    setup { each p in players { create coin in p.hand with n = every_value } }\n\
    flow { turns turn from seat(1) for 1 round { \
    each p in players secret { choose any cs in p.hand  set cs.kept = true } } }\n";

#[test]
fn nobody_reads_how_many_are_picked_in_secret() {
    use cardwright::play::record::of_seat;
    let record = |picks: usize| {
        let mut session = Session::new(game_of(PICKED), setup_of_two(1), None).unwrap();
        for _ in 0..picks {
            session.choose(0).unwrap();
        }
        session.choose_key("done").unwrap();
        of_seat(&mut session, 1)
    };
    assert_eq!(record(1), record(3));
    assert!(record(3).contains("# 1. ann\n"), "{}", record(3));
}

const LOOKED_AT: &str = "kind charm : card { }\n\
    zone box { holds: charm  order: pile  seen: none  starts: charm }\n\
    zone hand per player { holds: charm  seen: holder }\n\
    flow { turns turn from seat(1) for 2 rounds { \
    each p in [me] secret { choose n in 0..2  if n > 0 { reveal top(box, n) to p quietly } }  move top(box) to me.hand } }\n\
    charm \"Fire\" { copies: 9 }\n";

#[test]
fn the_numbers_of_lines_do_not_tell_of_lines_for_others() {
    let log_of = |key: &str| {
        let mut table = Table::new(game_of(LOOKED_AT), vec![Player::Human; 2], 1, None).unwrap();
        table.choose_key(key).unwrap();
        let log = |seat| table.log(seat).into_iter().map(|line| (line.number, line.text)).collect::<Vec<_>>();
        assert_eq!(log(Some(1)), log(None), "nothing was shown to the other");
        let numbers = |seat| log(seat).into_iter().map(|line| line.0).collect::<Vec<_>>();
        assert!(numbers(Some(0)).into_iter().eq(1..=log(Some(0)).len()), "{:?}", numbers(Some(0)));
        (log(Some(0)).len(), log(Some(1)))
    };
    let (none, two) = (log_of("0"), log_of("2"));
    assert_eq!(none.1, two.1);
    assert!(none.0 < two.0, "who looks reads a line for each card");
}

#[test]
fn a_wrong_key_is_named_where_too_many_turns_begin() {
    let many = "flow { turns turn from seat(1) for 1 round { repeat 300 times { choose n in 1..2  note \"{n}\" } } }";
    let setup = Setup { seed: 1, seats: vec!["human".to_owned(); 2] };
    let mut session = Session::new(game_of(many), setup, None).unwrap();
    let error = session.path_of("three").unwrap_err().to_string();
    assert!(error.contains("`three` is not legal: legal are: 1, 2"), "{error}");
}
