//! `check --fix`, run as people run it.

use super::support::{cardwright, stderr, stdout};
use std::path::Path;

const MANIFEST: &str = "name = \"mine\"\ntitle = \"Mine\"\nversion = \"0.1.0\"\nedition = 1\n\
                        description = \"Has slips.\"\n\n[players]\nmin = 2\nmax = 2\n";

/// Two slips that are certain, and a name that is only likely.
const RULES: &str = "player { counter coins: 0..9 }
verb earn p: player {
  p.coins += 2
  if p.coins == 4 { win p }
  set p.conis = 1
}
flow { turns turn from seat(1) { earn me } }
";

fn game(folder: &Path) {
    std::fs::write(folder.join("game.toml"), MANIFEST).unwrap();
    std::fs::write(folder.join("a.rules"), RULES).unwrap();
}

#[test]
fn what_is_certain_is_shown_and_mended_and_the_rest_is_left() {
    let folder = tempfile::tempdir().unwrap();
    game(folder.path());
    let shown = cardwright(folder.path(), &["check", ".", "--fix"], "");
    let diff = stdout(&shown);
    for line in ["-  p.coins += 2", "+  increase p.coins by 2", "+  if p.coins = 4 { win p }"] {
        assert!(diff.contains(line), "{line} is not in:\n{diff}");
    }
    assert!(stderr(&shown).contains("nobody is here to agree"), "{}", stderr(&shown));
    assert_eq!(std::fs::read_to_string(folder.path().join("a.rules")).unwrap(), RULES);
    let made = cardwright(folder.path(), &["check", ".", "--fix", "--yes"], "");
    let told = stderr(&made);
    assert!(told.contains("made 2 mends in 1 file; 1 likely mend for you to look at"), "{told}");
    assert!(told.contains("did you mean `coins`?") && told.contains("1 error"), "{told}");
    let text = std::fs::read_to_string(folder.path().join("a.rules")).unwrap();
    assert!(text.contains("increase p.coins by 2") && text.contains("set p.conis = 1"), "{text}");
    let again = cardwright(folder.path(), &["check", ".", "--fix", "--yes"], "");
    assert!(stderr(&again).contains("nothing is certain enough"), "{}", stderr(&again));
}

#[test]
fn a_sound_game_has_nothing_to_mend() {
    let folder = tempfile::tempdir().unwrap();
    let run = cardwright(folder.path(), &["check", "tic-tac-toe", "--fix", "--yes"], "");
    assert!(run.status.success(), "{}", stderr(&run));
    assert!(stderr(&run).contains("nothing is certain enough to be mended"), "{}", stderr(&run));
}
