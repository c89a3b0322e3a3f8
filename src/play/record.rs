//! A game as a readable record: what `replay`, `play --plain` and snapshots print. Lines that begin in the first
//! column and not with `#` are option keys, one a line, so that a record is also a list of moves that other
//! programs, and `play --script`, can read.

use super::session::Session;
use crate::engine::{Change, Outcome};
use std::fmt::Write;

/// The lines at the top: what is played, the seed, who plays.
pub fn heading(session: &Session) -> String {
    let header = session.header();
    let game = session.game();
    let mut text = format!("# {} {}, seed {}\n", header.package, header.version, header.seed);
    for expansion in &header.with {
        let _ = writeln!(text, "# with {} {}", expansion.name, expansion.version);
    }
    if let Some(variant) = &header.variant {
        let _ = writeln!(text, "# variant {variant}");
    }
    for (name, value) in &header.options {
        let _ = writeln!(text, "# option {name} = {value}");
    }
    for (seat, player) in (0u8..).zip(&header.seats) {
        let _ = writeln!(text, "# {}: {player}", game.seat_name(seat));
    }
    text
}

/// Whose eyes a record is written for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Told {
    /// Everything, hidden things too.
    All,
    /// What a spectator may read.
    Public,
}

/// Writes a session step by step: each call of [`Record::more`] gives what was added since the last.
#[derive(Clone, Debug)]
pub struct Record {
    told: Told,
    numbered: bool,
    decisions: usize,
    changes: usize,
    turn: Option<u32>,
}

impl Record {
    /// A record from the start of a session.
    pub fn new(told: Told) -> Record {
        Record { told, numbered: false, decisions: 0, changes: 0, turn: None }
    }

    /// Puts the number of each change before it: what `replay --why` takes.
    #[must_use]
    pub fn numbered(mut self) -> Record {
        self.numbered = true;
        self
    }

    /// The decisions made and the changes recorded since the last call.
    pub fn more(&mut self, session: &Session) -> String {
        let mut text = String::new();
        let changes = session.changes();
        self.write_changes(&mut text, changes, 0);
        for (index, made) in session.decisions().iter().enumerate().skip(self.decisions) {
            if self.turn != Some(made.turn) {
                self.turn = Some(made.turn);
                let _ = writeln!(text, "# turn {}", made.turn + 1);
            }
            let who = made.seat.map_or("chance".to_owned(), |seat| session.game().seat_name(seat));
            let _ = writeln!(text, "{}", made.key);
            let _ = writeln!(text, "    # {}. {who}", index + 1);
            self.write_changes(&mut text, changes, index + 1);
            if let (Told::All, Some(written)) = (self.told, &made.written) {
                let _ = writeln!(text, "    # whole turn: {written}");
            }
        }
        self.decisions = session.decisions().len();
        text
    }

    fn write_changes(&mut self, text: &mut String, changes: &[(usize, Change)], upto: usize) {
        while let Some((decision, change)) = changes.get(self.changes) {
            if *decision > upto {
                return;
            }
            self.changes += 1;
            let line = match self.told {
                Told::All => change.full.as_str(),
                Told::Public => change.text.last().map_or("", String::as_str),
            };
            // The key says already that somebody passes.
            if !line.is_empty() && !change.pass {
                let indent = "  ".repeat(usize::from(change.depth.min(8)));
                let number = if self.numbered { format!(" {:>5}. ", self.changes) } else { "    ".to_owned() };
                let _ = writeln!(text, "{number}{indent}{line}");
            }
        }
    }
}

/// The whole record of a session, with its result.
pub fn whole(session: &Session, told: Told) -> String {
    let mut text = heading(session);
    text.push_str(&Record::new(told).more(session));
    text.push_str(&result(session));
    text
}

/// How the game stands: the result, or that it goes on.
pub fn result(session: &Session) -> String {
    match session.outcome() {
        Some(outcome) => format!("# {}\n", outcome_words(&outcome, |seat| session.game().seat_name(seat))),
        None => format!("# not over after {} decisions\n", session.decisions().len()),
    }
}

/// An outcome in words: `red wins; red 20, blue 14`.
pub fn outcome_words(outcome: &Outcome, name: impl Fn(u8) -> String) -> String {
    let winners: Vec<String> = outcome.winners.iter().map(|seat| name(*seat)).collect();
    let mut text = match winners.as_slice() {
        [] => "draw".to_owned(),
        [one] => format!("{one} wins"),
        [firsts @ .., last] => format!("{} and {last} win", firsts.join(", ")),
    };
    if let Some(scores) = &outcome.scores {
        let scores: Vec<String> = (0u8..).zip(scores).map(|(seat, score)| format!("{} {score}", name(seat))).collect();
        let _ = write!(text, "; {}", scores.join(", "));
    }
    text
}

/// The option keys in a script or record: lines that are neither empty, nor indented, nor begin with `#`, with the
/// number of the line each stands on.
pub fn script_keys(text: &str) -> Vec<(usize, String)> {
    let key = |line: &str| !line.is_empty() && !line.starts_with(['#', ' ', '\t']);
    let lines = text.lines().enumerate().map(|(index, line)| (index + 1, line.trim_end()));
    lines.filter(|(_, line)| key(line)).map(|(number, line)| (number, line.to_owned())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn script_keys_leave_out_comments_and_the_record() {
        let text = "# lanterns 1.0.0\nlight a1\n    # 1. red\n    a1 is lit\n\nrest\n";
        assert_eq!(script_keys(text), [(2, "light a1".to_owned()), (6, "rest".to_owned())]);
    }

    #[test]
    fn outcomes_read_as_sentences() {
        let name =
            |seat: u8| ["red", "blue", "green"].get(usize::from(seat)).map_or(String::new(), |name| (*name).into());
        let words = |winners: &[u8], scores| outcome_words(&Outcome { winners: winners.to_vec(), scores }, name);
        assert_eq!(words(&[], None), "draw");
        assert_eq!(words(&[1], None), "blue wins");
        assert_eq!(words(&[0, 2], Some(vec![3, 1, 3])), "red and green win; red 3, blue 1, green 3");
    }
}
