//! Any bytes as decisions of a card game: indices, keys, take-backs. Nothing may panic, whatever is not legal is refused
//! and changes nothing, and taking all back gives the start.
#![no_main]

use cardwright::play::{Game, Library, Options, Session, Setup};
use libfuzzer_sys::fuzz_target;
use std::sync::{Arc, LazyLock};

static GAME: LazyLock<Arc<Game>> = LazyLock::new(|| {
    let package = Library::default().find("monster-muncher").expect("built in");
    Arc::new(Game::load(&package, &Options::new(), None).expect("sound"))
});

fuzz_target!(|bytes: &[u8]| {
    let [players, seed, input @ ..] = bytes else { return };
    let seats = vec!["human".to_owned(); usize::from(players % 5) + 2];
    let setup = Setup { seed: u64::from(*seed), seats };
    let mut session = Session::new(Arc::clone(&GAME), setup, None).expect("two to six players");
    let start = session.hash();
    let mut rest = input;
    while let [first, more @ ..] = rest {
        rest = more;
        let before = (session.hash(), session.decisions().len());
        let taken = match first {
            // A text as a key; its length is the next byte's.
            0xF0.. => {
                let length = usize::from(more.first().copied().unwrap_or(0) % 32).min(more.len());
                let (text, after) = more.split_at(length);
                rest = after;
                session.choose_key(&String::from_utf8_lossy(text)).is_ok()
            }
            0xE8.. => session.undo_to(before.1.saturating_sub(usize::from(first - 0xE7))).is_ok(),
            index => session.choose(usize::from(*index)).is_ok(),
        };
        if !taken {
            assert_eq!((session.hash(), session.decisions().len()), before, "a refused input changes nothing");
        }
    }
    session.undo_to(0).expect("the start is there");
    assert_eq!(session.hash(), start);
});
