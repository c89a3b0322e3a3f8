//! Any bytes as a save file: reading and replaying it must neither panic nor hang, and what is replayed can be played on.
#![no_main]

use cardwright::play::{Game, Library, Options, Saved, Session};
use libfuzzer_sys::fuzz_target;
use std::sync::{Arc, LazyLock};

static GAME: LazyLock<Arc<Game>> = LazyLock::new(|| {
    let package = Library::default().find("tic-tac-toe").expect("built in");
    Arc::new(Game::load(&package, &Options::new(), None).expect("sound"))
});

fuzz_target!(|bytes: &[u8]| {
    let Ok(mut saved) = Saved::parse(bytes) else { return };
    // Seats are counted by the header; nobody sits down a thousand.
    saved.header.seats.truncate(8);
    let Ok((mut session, problems)) = Session::replay(Arc::clone(&GAME), &saved) else { return };
    assert!(session.decisions().len() == saved.decisions.len() || !problems.is_empty());
    while session.decision().is_some() {
        session.choose(0).expect("the first option is legal");
    }
    session.undo_to(0).expect("the start is there");
});
