//! A game as a readable record: what `replay`, `play --plain` and snapshots print. Lines that begin in the first
//! column and not with `#` are option keys, one a line, so that a record is also a list of moves that other
//! programs, and `play --script`, can read. A key that such a line could not hold stands there in quotes.

use super::digest::LogLine;
use super::position::describe;
use super::session::{Made, Session};
use crate::base::plural;
use crate::engine::{Change, Outcome, Seat};
use std::borrow::Cow;
use std::fmt::Write;

/// The lines at the top: what is played, the seed, who plays.
pub fn heading(session: &Session) -> String {
    let seed = format!(", seed {}", session.header().seed);
    heading_with(session, &seed)
}

fn heading_with(session: &Session, seed: &str) -> String {
    let header = session.header();
    let game = session.game();
    let mut text = format!("# {} {}{seed}\n", header.game.name, header.game.version);
    for expansion in &header.with {
        let _ = writeln!(text, "# with {} {}", expansion.name, expansion.version);
    }
    if let Some(variant) = &header.variant {
        let _ = writeln!(text, "# variant {variant}");
    }
    for (name, value) in &header.options {
        let _ = writeln!(text, "# option {name} = {value}");
    }
    if let Some(title) = &header.scenario {
        let _ = writeln!(text, "# begins in the scenario \"{title}\"");
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
    /// What a seat may read: its own keys, and of other decisions only what it saw of them.
    Seat(Seat),
}

/// Writes a session step by step: each call of [`Record::more`] gives what was added since the last. Changes that belong
/// together are one line, and what only the rules keep count of is left out.
#[derive(Clone, Debug)]
pub struct Record {
    told: Told,
    numbered: bool,
    every_change: bool,
    decisions: usize,
    changes: usize,
    turn: Option<u32>,
    /// Lines of decisions so far.
    lines: usize,
    /// Whose decision the last line was of, if it told nothing else.
    silent: Option<Option<Seat>>,
}

impl Record {
    /// A record from the start of a session.
    pub fn new(told: Told) -> Record {
        Record {
            told,
            numbered: false,
            every_change: false,
            decisions: 0,
            changes: 0,
            turn: None,
            lines: 0,
            silent: None,
        }
    }

    /// Puts the number of each change before it: what `replay --why` takes. Of several on one line it is the first's.
    #[must_use]
    pub fn numbered(mut self) -> Record {
        self.numbered = true;
        self
    }

    /// Writes every change on a line of its own, also what only the rules keep count of.
    #[must_use]
    pub fn every_change(mut self) -> Record {
        self.every_change = true;
        self
    }

    /// The decisions made and the changes recorded since the last call. Decisions of another player that tell nothing have one line
    /// as long as that one goes on, and count once: how many cards somebody picks unseen nobody else learns.
    pub fn more(&mut self, session: &Session) -> String {
        let mut text = String::new();
        let changes = session.changes();
        self.write_changes(&mut text, changes, 0, true);
        for (index, made) in session.decisions().iter().enumerate().skip(self.decisions) {
            if self.turn != Some(made.turn) {
                (self.turn, self.silent) = (Some(made.turn), None);
                let _ = writeln!(text, "# turn {}", made.turn + 1);
            }
            // What others chose may tell what they hold.
            let open = self.told == Told::All || made.seat.is_some_and(|seat| self.told == Told::Seat(seat));
            let who = made.seat.map_or("chance".to_owned(), |seat| session.game().seat_name(seat));
            if open {
                let _ = writeln!(text, "{}", quoted(&made.key));
            }
            let what = if open { answered(made) } else { unseen(changes, index + 1).to_owned() };
            let silent = (!open && what.is_empty()).then_some(made.seat);
            if silent.is_none() || silent != self.silent {
                self.lines += 1;
                let number = if self.told == Told::All { index + 1 } else { self.lines };
                let _ = writeln!(text, "    # {number}. {who}{what}");
            }
            let told = text.len();
            self.write_changes(&mut text, changes, index + 1, open);
            self.silent = silent.filter(|_| text.len() == told);
            if let (Told::All, Some(written)) = (self.told, &made.written) {
                let _ = writeln!(text, "    # whole turn: {}", quoted(written));
            }
        }
        self.decisions = session.decisions().len();
        text
    }

    /// The changes up to those of a decision, whose key stands above them if it is `open`.
    fn write_changes(&mut self, text: &mut String, changes: &[(usize, Change)], upto: usize, open: bool) {
        let next = changes.get(self.changes..).unwrap_or_default();
        let next = next.get(..next.partition_point(|(decision, _)| *decision <= upto)).unwrap_or_default();
        let numbered =
            next.iter().enumerate().map(|(index, (decision, change))| (self.changes + index + 1, *decision, change));
        let lines: Vec<LogLine> = numbered
            .filter_map(|(number, decision, change)| {
                let text = self.words(change, open)?;
                Some(LogLine { number, decision, depth: change.depth, text })
            })
            .collect();
        self.changes += next.len();
        let lines = if self.every_change { lines } else { LogLine::merged(lines) };
        for line in lines {
            let indent = "  ".repeat(usize::from(line.depth.min(8)));
            let number = if self.numbered { format!(" {:>5}. ", line.number) } else { "    ".to_owned() };
            let _ = writeln!(text, "{number}{indent}{}", line.text);
        }
    }

    /// What the record says of a change, if anything.
    fn words(&self, change: &Change, open: bool) -> Option<String> {
        let text = match self.told {
            Told::All => change.full.as_str(),
            Told::Seat(seat) => change.text.get(usize::from(seat)).map_or("", String::as_str),
        };
        // The line of the decision says already that somebody passes, and its own seat's what was answered.
        let said = change.pass || open && change.full.is_empty();
        let told = !text.is_empty() && !said && (self.every_change || !change.kept);
        told.then(|| on_one_line(text))
    }
}

/// What was asked, and the answer: `: draw a card? no`.
fn answered(made: &Made) -> String {
    let Some(asked) = &made.asked else { return String::new() };
    let between = if asked.ends_with(['?', ':']) { "" } else { ":" };
    format!(": {}{between} {}", on_one_line(asked), quoted(&made.key))
}

/// What everybody knows of a decision whose key is not told: that somebody passes.
fn unseen(changes: &[(usize, Change)], number: usize) -> &'static str {
    let from = changes.partition_point(|(decision, _)| *decision < number);
    let mut own = changes.iter().skip(from).take_while(|(decision, _)| *decision == number);
    if own.any(|(_, change)| change.pass) { " passes" } else { "" }
}

/// No text of the content may begin a line of the record.
fn on_one_line(text: &str) -> String {
    text.replace(['\n', '\r'], " ")
}

/// The whole record of a session, with its result.
pub fn whole(session: &Session, told: Told) -> String {
    let mut text = heading(session);
    text.push_str(&Record::new(told).more(session));
    text.push_str(&result(session));
    text
}

/// For each line of [`whole`], of everything, the number of the change it tells, from 1: the first's, where it tells several.
pub fn changes_told(session: &Session) -> Vec<Option<usize>> {
    let lines = heading(session) + Record::new(Told::All).numbered().more(session).as_str();
    // Only what happened has a number at its beginning.
    let number = |line: &str| line.strip_prefix(' ')?.trim_start().split_once(". ")?.0.parse().ok();
    lines.lines().map(number).collect()
}

/// A session as one seat knows it: what it read and chose, and what it sees at the end. Without the seed, from which all
/// that is hidden follows.
pub fn of_seat(session: &mut Session, seat: Seat) -> String {
    let mut text = heading_with(session, "");
    let _ = writeln!(
        text,
        "# what {} knows; the seed and the others' choices are left out",
        session.game().seat_name(seat)
    );
    let mut record = Record::new(Told::Seat(seat));
    text.push_str(&record.more(session));
    text.push_str(&result_after(session, record.lines));
    let view = session.view(Some(seat));
    text.extend(describe(&view).lines().map(|line| format!("# {line}\n")));
    text
}

/// How the game stands: the result, or that it goes on.
pub fn result(session: &Session) -> String {
    result_after(session, session.decisions().len())
}

fn result_after(session: &Session, decisions: usize) -> String {
    match session.outcome() {
        Some(outcome) => format!("# {}\n", outcome_words(&outcome, |seat| session.game().seat_name(seat))),
        None => format!("# not over after {decisions} decisions\n"),
    }
}

/// The figures of a game: `# 30 turns, 85 decisions, seed 7`.
pub fn figures(session: &Session) -> String {
    let turns = session.whole_turns();
    let figures = [plural(turns, "turn"), plural(session.decisions().len(), "decision")];
    format!("# {}, seed {}\n", figures.join(", "), session.header().seed)
}

/// An outcome in words: `red wins; red 20, blue 14`.
pub fn outcome_words(outcome: &Outcome, name: impl Fn(u8) -> String) -> String {
    let winners: Vec<String> = outcome.winners.iter().map(|seat| name(*seat)).collect();
    let mut text = match winners.as_slice() {
        [] if outcome.lost => "lost".to_owned(),
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
/// number of the line each stands on. A line that begins with a quotation mark is read as [`quoted`] writes it.
pub fn script_keys(text: &str) -> Vec<(usize, String)> {
    let key = |line: &str| !line.is_empty() && !line.starts_with('#') && !line.starts_with(char::is_whitespace);
    let lines = text.lines().enumerate().map(|(index, line)| (index + 1, line.trim_end()));
    lines.filter(|(_, line)| key(line)).map(|(number, line)| (number, unquoted(line).into_owned())).collect()
}

/// A key as a line of its own: as it is, or in quotes, with JSON's escapes, if the line would be taken for something
/// else: if it is empty, begins with `#`, `"` or a space, ends with a space, or has characters that are not seen.
pub fn quoted(key: &str) -> Cow<'_, str> {
    let plain = !key.is_empty()
        && !key.starts_with(['#', '"'])
        && !key.starts_with(char::is_whitespace)
        && !key.ends_with(char::is_whitespace)
        && !key.contains(is_unseen);
    if plain {
        return Cow::Borrowed(key);
    }
    let mut text = String::from("\"");
    for letter in key.chars() {
        match letter {
            '"' | '\\' => text.extend(['\\', letter]),
            letter if is_unseen(letter) => {
                for unit in letter.encode_utf16(&mut [0; 2]) {
                    let _ = write!(text, "\\u{unit:04x}");
                }
            }
            letter => text.push(letter),
        }
    }
    text.push('"');
    Cow::Owned(text)
}

/// The key that [`quoted`] has written; any other text as it is.
pub fn unquoted(text: &str) -> Cow<'_, str> {
    match text.starts_with('"').then(|| serde_json::from_str(text)) {
        Some(Ok(key)) => Cow::Owned(key),
        _ => Cow::Borrowed(text),
    }
}

/// Control characters, and those that change how others are shown or are not shown themselves.
fn is_unseen(letter: char) -> bool {
    letter.is_control()
        || matches!(letter, '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}')
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
    fn keys_that_no_line_can_hold_are_quoted() {
        assert_eq!(quoted("light a1"), "light a1");
        assert_eq!(quoted("say \"no\""), "say \"no\"");
        for (key, line) in [
            ("", r#""""#),
            ("# one", r##""# one""##),
            ("  two", r#""  two""#),
            ("two ", r#""two ""#),
            ("\"a\" \\ b", r#""\"a\" \\ b""#),
            ("a\nb", r#""a\u000ab""#),
            ("a\u{202e}b", r#""a\u202eb""#),
        ] {
            assert_eq!(quoted(key), line);
            assert_eq!(unquoted(line), key);
        }
        assert_eq!(unquoted("\"torn"), "\"torn");
    }

    proptest::proptest! {
        #[test]
        fn whatever_options_are_called_a_script_of_their_keys_gives_them_back(
            keys in proptest::collection::vec(proptest::prop_oneof!["\\PC*", "[ #\"\\\\\t\n\r a]*", ".*"], 0..6),
        ) {
            let text: String = keys.iter().map(|key| format!("{}\n    # 1. red\n", quoted(key))).collect();
            let read: Vec<String> = script_keys(&text).into_iter().map(|(_, key)| key).collect();
            proptest::prop_assert_eq!(read, keys);
        }
    }

    #[test]
    fn outcomes_read_as_sentences() {
        let name =
            |seat: u8| ["red", "blue", "green"].get(usize::from(seat)).map_or(String::new(), |name| (*name).into());
        let words =
            |winners: &[u8], scores| outcome_words(&Outcome { winners: winners.to_vec(), lost: false, scores }, name);
        assert_eq!(words(&[], None), "draw");
        assert_eq!(outcome_words(&Outcome { winners: Vec::new(), lost: true, scores: None }, name), "lost");
        assert_eq!(words(&[1], None), "blue wins");
        assert_eq!(words(&[0, 2], Some(vec![3, 1, 3])), "red and green win; red 3, blue 1, green 3");
    }
}
