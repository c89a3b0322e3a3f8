//! Line mode: play through plain lines, for pipes and screen readers.

use super::typed::{Unmeant, meant};
use super::workshop::{self, Done, Eyes};
use super::{Context, Outcome};
use crate::base::{nearest, shown};
use crate::engine::{CardView, Decision, Seat, Status};
use crate::play::position::{describe, describe_decision, stacks};
use crate::play::record::{Record, Told, figures, heading, result, unquoted};
use crate::play::words::{is_text, says_nothing};
use crate::play::{LogLine, PlayError, Reload, Table, Undo};
use std::io::BufRead;
use std::path::Path;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::Duration;
use unicode_width::UnicodeWidthStr;

/// What can be typed, and what it does.
const HELP: [(&str, &str); 17] = [
    ("a number", "takes the option with this number before it"),
    ("an option's words, or some", "takes the option that has them"),
    ("a whole turn: \"jack; king\"", "makes all its decisions"),
    ("words in quotes: \"undo\"", "take the option called so, whatever else they mean"),
    ("p", "passes, where you may respond to something"),
    ("P", "passes, and goes on passing until something new comes up"),
    ("why", "why you are asked this, and why other things are not possible now"),
    ("why N", "why line N of the log happened"),
    ("why WORDS, why not WORDS", "why an option, a card or anything else you name can or cannot be chosen"),
    (
        "why VALUE, why VALUE of WHOM",
        "what a number is made of; `why all`: the numbers above the table; `why armed`: what scripts wait for",
    ),
    ("look", "shows the table again"),
    ("read WORDS", "what is printed on the cards with these words in their names, or lies on the site of this name"),
    ("log", "shows the log from the start"),
    ("undo", "takes your last choice back"),
    (
        "scenario, scenario N",
        "begins to tell what is played, and again: writes it as a test (to a FILE, if named); the last N decisions at once",
    ),
    ("save FILE", "saves every decision to a file from now on"),
    ("help, quit", ""),
];

/// Plays a table to its end, or until the person quits or stdin ends.
///
/// # Errors
/// If the content fails or a file cannot be written.
pub fn run(context: &Context, table: &mut Table) -> Outcome {
    lines(context, table, false)
}

/// The same for somebody who tries out a game and may do what no player may.
///
/// # Errors
/// As [`run`].
pub fn run_workshop(context: &Context, table: &mut Table) -> Outcome {
    lines(context, table, true)
}

fn lines(context: &Context, table: &mut Table, workshop: bool) -> Outcome {
    if table.humans() == 0 {
        return run_bots(context, table);
    }
    context.console.data(&heading(table.session()))?;
    let seats = table.players().len();
    let shown = vec![Shown::default(); seats];
    let (input, width) = (Input::start(), super::console::width());
    let mut lines = LineMode { context, table, input, shown, width, workshop };
    while lines.play()? {}
    Ok(())
}

/// The record of a game as far as it went.
///
/// # Errors
/// If stdout cannot be written.
pub fn print_record(context: &Context, table: &Table) -> Outcome {
    context.console.data(&crate::play::record::whole(table.session(), Told::All))
}

fn run_bots(context: &Context, table: &mut Table) -> Outcome {
    context.console.data(&heading(table.session()))?;
    let mut record = Record::new(Told::All);
    context.console.data(&record.more(table.session()))?;
    while table.bot_move()?.is_some() {
        context.console.data(&record.more(table.session()))?;
    }
    context.console.data(&result(table.session()))
}

/// Lines of stdin, read by a thread of their own so that edited content is noticed while nothing is typed.
struct Input {
    lines: Receiver<String>,
}

impl Input {
    fn start() -> Input {
        let (sender, lines) = channel();
        std::thread::spawn(move || {
            for line in std::io::stdin().lock().lines().map_while(Result::ok) {
                if sender.send(line).is_err() {
                    return;
                }
            }
        });
        Input { lines }
    }

    /// The next line; none at the end of the input.
    fn next(&self, mut meanwhile: impl FnMut() -> bool) -> Option<Event> {
        loop {
            match self.lines.recv_timeout(Duration::from_millis(150)) {
                Ok(line) => return Some(Event::Line(line.trim().to_owned())),
                Err(RecvTimeoutError::Disconnected) => return None,
                Err(RecvTimeoutError::Timeout) if meanwhile() => return Some(Event::Edited),
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }
}

enum Event {
    Line(String),
    Edited,
}

struct LineMode<'a> {
    context: &'a Context,
    table: &'a mut Table,
    input: Input,
    /// What each seat was shown.
    shown: Vec<Shown>,
    /// Columns of the terminal, if there is one.
    width: Option<usize>,
    /// Whether more may be done than a player may.
    workshop: bool,
}

/// What a seat was shown.
#[derive(Clone, Default)]
struct Shown {
    /// How much of the log.
    log: usize,
    /// The table, as it was then.
    table: String,
}

impl LineMode<'_> {
    fn say(&self, text: &str) -> Outcome {
        match self.width {
            Some(width) => {
                self.context.console.data(&text.lines().map(|line| wrapped(line, width)).collect::<String>())
            }
            None => self.context.console.data(text),
        }
    }

    /// Plays a game; true if another one has begun.
    fn play(&mut self) -> Result<bool, PlayError> {
        loop {
            if self.table.content_changed() {
                self.reload()?;
            }
            if self.table.session().status() == Status::Over {
                self.finish()?;
                return self.rematch();
            }
            let spared = self.table.spares().then(|| self.own_decision()).flatten();
            let moved = match self.table.bot_move() {
                Err(error) => {
                    self.excuse(error)?;
                    continue;
                }
                Ok(moved) => moved,
            };
            if let Some((seat, key)) = moved {
                if let Some(decision) = spared {
                    let label =
                        decision.options.into_iter().find(|option| option.key == key).map(|option| option.label);
                    self.spared(seat, &label.unwrap_or(key))?;
                }
                continue;
            }
            if !self.hand_over()? {
                return self.leave().map(|()| false);
            }
            self.show()?;
            if !self.decide()? {
                return self.leave().map(|()| false);
            }
        }
    }

    /// Says what was done for a person who had no choice.
    fn spared(&mut self, seat: Seat, done: &str) -> Outcome {
        self.show_log(Some(seat))?;
        let name = self.table.seat_name(seat);
        self.say(&format!("# {name}: {done}, for nothing else was possible\n"))
    }

    /// Asks the next person to the keyboard; false if the input has ended.
    fn hand_over(&mut self) -> Result<bool, PlayError> {
        if let Some(seat) = self.table.handover() {
            let name = self.table.seat_name(seat);
            if super::console::interactive() {
                self.say(&format!(
                    "{}\n--- {name}, it is your turn; press Enter when only you can see the screen\n",
                    "\n".repeat(60)
                ))?;
                if self.input.next(|| false).is_none() {
                    return Ok(false);
                }
            } else {
                self.say(&format!("--- {name}\n"))?;
            }
        }
        self.table.hand_over();
        Ok(true)
    }

    /// What happened since this seat last looked, the table if it is not as it was then, and the question.
    fn show(&mut self) -> Outcome {
        let seat = self.table.view_seat();
        self.show_log(seat)?;
        let table = describe(&self.table.view(seat));
        if self.shown_to(seat).is_none_or(|shown| std::mem::replace(&mut shown.table, table.clone()) != table) {
            self.say(&table)?;
        }
        self.ask()
    }

    fn shown_to(&mut self, seat: Option<Seat>) -> Option<&mut Shown> {
        self.shown.get_mut(usize::from(seat?))
    }

    /// Everything was seen up to here, but for the table.
    fn show_anew(&mut self) {
        self.shown.fill(Shown { log: self.table.log_mark(), table: String::new() });
    }

    /// What is asked, with the options of the seat that decides: they are the first.
    fn own_decision(&mut self) -> Option<Decision> {
        self.table.decision().and_then(|decision| {
            let seat = decision.seat;
            decision.of(seat)
        })
    }

    fn ask(&mut self) -> Outcome {
        let Some(decision) = self.own_decision() else { return Ok(()) };
        let who = decision.seat.map_or("chance".to_owned(), |seat| self.table.seat_name(seat));
        self.say(&describe_decision(&decision, &who))
    }

    fn show_log(&mut self, seat: Option<Seat>) -> Outcome {
        let end = self.table.log_mark();
        let mark = self.shown_to(seat).map_or(0, |shown| std::mem::replace(&mut shown.log, end));
        let text = self.log_text(mark, seat);
        self.say(&text)
    }

    fn log_text(&self, mark: usize, seat: Option<Seat>) -> String {
        let lines = LogLine::merged(self.table.log_since(mark, seat));
        let indent = |depth: u16| "  ".repeat(usize::from(depth.min(8)));
        lines.iter().map(|line| format!("{:>5}. {}{}\n", line.number, indent(line.depth), line.text)).collect()
    }

    /// Reads lines until a decision is made or taken back; false to leave.
    fn decide(&mut self) -> Result<bool, PlayError> {
        // Whether the last line asked if all agree to take back.
        let mut asked = false;
        loop {
            let table = &mut *self.table;
            let line = match self.input.next(|| table.content_changed()) {
                None => return Ok(false),
                Some(Event::Edited) => {
                    self.reload()?;
                    return Ok(true);
                }
                Some(Event::Line(line)) => line,
            };
            let agreed = std::mem::take(&mut asked);
            let (word, rest) = line.split_once(' ').unwrap_or((line.as_str(), ""));
            match (word, rest.trim()) {
                ("", _) => {}
                ("quit" | "exit", "") => return Ok(false),
                ("help" | "?", "") => {
                    self.context.console.data(&columns(&HELP, self.width))?;
                    if self.workshop {
                        self.context.console.data(&columns(&workshop::HELP, self.width))?;
                    }
                }
                (word, _) if self.workshop && workshop::knows(word) => match self.work(&line) {
                    Ok(true) => return Ok(true),
                    Ok(false) => {}
                    Err(error) => self.say(&error.report(false))?,
                },
                ("look", "") => {
                    let seat = self.table.view_seat();
                    let view = self.table.view(seat);
                    self.say(&describe(&view))?;
                    self.ask()?;
                }
                ("log", "") => {
                    let text = self.log_text(0, self.table.view_seat());
                    self.say(&text)?;
                }
                ("read", words) if !words.is_empty() => self.read(words)?,
                ("why", what) => self.why(what)?,
                ("p" | "P", "") if self.table.session().responds() => {
                    if word == "P" {
                        return self.table.pass_on();
                    }
                    self.table.choose_key("pass")?;
                    return Ok(true);
                }
                ("undo", "") => {
                    let undone = self.table.undo(agreed)?;
                    if let Some(words) = undone.words() {
                        self.say(&format!("{words}\n"))?;
                    }
                    asked = undone == Undo::Asks;
                    if matches!(undone, Undo::Done { .. }) {
                        self.show_anew();
                        return Ok(true);
                    }
                }
                ("scenario", what) => {
                    let told = match what.parse::<usize>() {
                        Ok(decisions) => self.table.tell_last(decisions),
                        Err(_) => self.table.tell(Some(Path::new(what)).filter(|_| !what.is_empty())),
                    };
                    self.say(&told.map_or_else(|error| error.report(false), |words| format!("{words}\n")))?;
                }
                ("save", file) if !file.is_empty() => match self.table.save_to(Path::new(file)) {
                    Ok(()) => self.say(&format!("saving to `{file}`\n"))?,
                    Err(error) => self.say(&error.report(false))?,
                },
                _ => {
                    if self.take(&line)? {
                        return Ok(true);
                    }
                }
            }
        }
    }

    /// Leaves chance to the seed again if it was made to give what it cannot.
    ///
    /// # Errors
    /// The error, if it has another reason.
    fn excuse(&mut self, error: PlayError) -> Outcome {
        if !self.workshop {
            return Err(error);
        }
        let told = workshop::excuse(self.table, error)?;
        self.say(&told)
    }

    /// Does what only the workshop can. True if another decision is due.
    fn work(&mut self, line: &str) -> Result<bool, PlayError> {
        let view = match workshop::work(self.table, line)? {
            Done::Changed(said) if said.is_empty() => return Ok(true),
            Done::Changed(said) => {
                self.say(&format!("{said}\n"))?;
                self.show_anew();
                return Ok(true);
            }
            Done::Said(said) => return self.say(&format!("{said}\n")).map(|()| false),
            Done::Look(Eyes::All) => self.table.session_mut().view_all(),
            Done::Look(Eyes::Seat(seat)) => self.table.view(Some(seat)),
            Done::Look(Eyes::Own) => self.table.view(self.table.view_seat()),
        };
        self.say(&describe(&view)).map(|()| false)
    }

    /// Takes the option that a line means; says what is wrong if it means none.
    fn take(&mut self, line: &str) -> Result<bool, PlayError> {
        let Some(decision) = self.own_decision() else { return Ok(true) };
        let reason = match meant(&decision, line) {
            Ok(index) => {
                if let Err(error) = self.table.choose(index) {
                    self.excuse(error)?;
                }
                return Ok(true);
            }
            Err(Unmeant::None(_)) if self.take_turn(&unquoted(line))? => return Ok(true),
            Err(Unmeant::None(reason) | Unmeant::Several(reason)) => reason,
        };
        self.say(&format!("{reason}\n"))?;
        Ok(false)
    }

    /// Makes the decisions of the whole turn that reads so; false if none does.
    fn take_turn(&mut self, text: &str) -> Result<bool, PlayError> {
        let Some(path) = self.table.turn_path(text)? else { return Ok(false) };
        for index in path {
            self.table.choose(index)?;
        }
        Ok(true)
    }

    /// What is printed on cards that the seat sees, and what differs from that.
    fn read(&mut self, words: &str) -> Outcome {
        let view = self.table.view(self.table.view_seat());
        let wanted = words.to_lowercase();
        let mut found: Vec<String> = stacks(&view, words);
        for card in view.cards().filter(|card| card.name.to_lowercase().contains(&wanted)) {
            let told = printed(card);
            if !found.contains(&told) {
                found.push(told);
            }
        }
        if found.is_empty() {
            let names = view.cards().map(|card| card.name.as_str());
            let advice = nearest(words, names).map_or(String::new(), |name| format!("; did you mean `{name}`?"));
            return self.say(&format!("you see no card with `{words}` in its name{advice}\n"));
        }
        self.say(&found.concat())
    }

    fn why(&mut self, what: &str) -> Outcome {
        let lines = match self.table.explain(what) {
            Ok(lines) => lines,
            Err(error) => vec![error.to_string()],
        };
        self.say(&lines.iter().map(|line| format!("  {line}\n")).collect::<String>())
    }

    fn reload(&mut self) -> Outcome {
        let text = match self.table.reload() {
            Reload::Unchanged => return Ok(()),
            Reload::Complete { decisions } => format!("the content has changed; {decisions} decisions replayed\n"),
            Reload::Broken { report } => {
                format!("{report}the edited content has errors; the game goes on as it was\n")
            }
            Reload::Stopped { kept, of, reason } => {
                self.say(&format!(
                    "the content has changed, and {kept} of {of} decisions still fit: {reason}\n\
                     go on from there? [y/n]\n"
                ))?;
                let table = &mut *self.table;
                match self.input.next(|| table.content_changed()) {
                    // It has been edited again: what was asked may not be so any more.
                    Some(Event::Edited) => return self.reload(),
                    Some(Event::Line(line)) if line.starts_with('y') => {
                        self.table.accept_reload()?;
                        "going on with the new content\n".to_owned()
                    }
                    _ => "the game goes on with the old content\n".to_owned(),
                }
            }
        };
        self.show_anew();
        self.say(&text)
    }

    fn finish(&mut self) -> Outcome {
        let seat = self.table.view_seat();
        self.show_log(seat)?;
        let view = self.table.view(seat);
        self.say(&describe(&view))?;
        let session = self.table.session();
        self.say(&format!("{}{}", figures(session), result(session)))?;
        self.end_scenario()
    }

    /// Writes the scenario that was begun, as nobody can ask for it any more.
    fn end_scenario(&mut self) -> Outcome {
        if !self.table.is_marked() {
            return Ok(());
        }
        let told = self.table.tell(None);
        self.say(&told.map_or_else(|error| error.report(false), |words| format!("{words}\n")))
    }

    /// Asks a person whether to play again; true if another game has begun.
    fn rematch(&mut self) -> Result<bool, PlayError> {
        if !super::console::interactive() {
            return Ok(false);
        }
        self.say("another game? [y/n]\n")?;
        match self.input.next(|| false) {
            Some(Event::Line(line)) if line.starts_with('y') => {}
            _ => return Ok(false),
        }
        self.table.rematch(super::args::fresh_seed())?;
        self.shown.fill(Shown::default());
        self.context.console.data(&heading(self.table.session()))?;
        Ok(true)
    }

    fn leave(&mut self) -> Outcome {
        self.end_scenario()?;
        let session = self.table.session();
        let begun = !session.decisions().is_empty();
        let turn = begun.then(|| session.turns() + u32::from(session.outcome().is_none()));
        let saved = match self.table.session().saved_at() {
            Some(path) => format!(", saved in `{}`", shown(&path)),
            None if turn.is_some() => "; the game is not saved".to_owned(),
            None => String::new(),
        };
        // How often somebody has chosen may be a secret.
        let when = turn.map_or_else(|| "before the first decision".to_owned(), |turn| format!("in turn {turn}"));
        self.say(&format!("# left {when}{saved}\n"))
    }
}

/// A card in full: its name and kind, what is printed on it, and how it stands now.
fn printed(card: &CardView) -> String {
    let values = |pairs: &[(String, String)], text: bool| {
        let told = pairs.iter().filter(|field| is_text(field) == text && !says_nothing(&field.1));
        told.map(|(name, value)| if name == "text" { value.clone() } else { format!("{name} {value}") })
            .collect::<Vec<_>>()
    };
    let mut text =
        if card.kind == card.name { format!("{}\n", card.name) } else { format!("{}: {}\n", card.name, card.kind) };
    let now: Vec<String> = values(&card.props, false).into_iter().chain(card.markers.iter().cloned()).collect();
    let now = if now.is_empty() { String::new() } else { format!("now {}", now.join(", ")) };
    let parts = [values(&card.fields, false).join(", "), values(&card.fields, true).join(" "), now];
    for part in parts.iter().filter(|part| !part.is_empty()) {
        text.push_str(&format!("  {part}\n"));
    }
    text
}

/// A line as several that are no wider than the terminal: what follows the first stands below its words.
fn wrapped(line: &str, width: usize) -> String {
    let start = line.len() - line.trim_start().len();
    let number =
        line.trim_start().split_once(' ').filter(|(word, _)| word.trim_end_matches('.').parse::<u32>().is_ok());
    let column = line.get(start..).and_then(|rest| rest.find("   ")).map(|gap| {
        let after = line.get(start + gap..).unwrap_or_default();
        line.get(..start + gap).unwrap_or_default().width() + after.len() - after.trim_start().len()
    });
    let hang = number.map_or(column.filter(|column| *column < width / 2).unwrap_or(start + 2), |(word, rest)| {
        start + word.len() + 1 + (rest.len() - rest.trim_start().len())
    });
    hanging(line, hang, width)
}

/// A line as several that are no wider than the terminal, all but the first set in so far.
fn hanging(line: &str, hang: usize, width: usize) -> String {
    let mut text = String::new();
    let mut used = 0;
    for (index, word) in line.split_inclusive(' ').enumerate() {
        let room = word.trim_end().width();
        if index > 0 && used > hang && used + room > width {
            text.truncate(text.trim_end().len());
            text.push_str(&format!("\n{}", " ".repeat(hang)));
            used = hang;
        }
        text.push_str(word);
        used += word.width();
    }
    text.push('\n');
    text
}

/// Rows of two columns, the second broken to what the terminal has left; below the first where that is too little.
fn columns(rows: &[(&str, &str)], width: Option<usize>) -> String {
    let column = 4 + rows.iter().map(|(left, _)| left.width()).max().unwrap_or(0);
    let mut text = String::new();
    for (left, right) in rows {
        let gap = column.saturating_sub(2 + left.width());
        let line = format!("  {left}{:gap$}{right}", "");
        text.push_str(&match width {
            _ if right.is_empty() => format!("  {left}\n"),
            Some(width) if column > width / 2 => format!("  {left}\n{}", hanging(&format!("      {right}"), 6, width)),
            Some(width) => hanging(&line, column, width),
            None => line + "\n",
        });
    }
    text
}

#[cfg(test)]
mod tests {
    use super::{HELP, columns, wrapped};
    use unicode_width::UnicodeWidthStr;

    #[test]
    fn the_columns_of_help_are_aligned_at_every_width() {
        let whole = columns(&HELP, None);
        for ((left, right), line) in HELP.iter().zip(whole.lines()) {
            assert_eq!(line.trim_start().strip_prefix(left).map(str::trim_start), Some(*right));
            assert!(right.is_empty() || line.find(right) == Some(32), "{line}");
        }
        for width in 40..120 {
            let text = columns(&HELP, Some(width));
            assert!(text.lines().all(|line| line.width() <= width && !line.ends_with(' ')), "{width}: {text}");
            let words = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
            assert_eq!(words(&text), words(&whole));
        }
        assert_eq!(
            columns(&[("a 卡", "one"), ("long", "two three")], Some(16)),
            "  a 卡  one\n  long  two\n        three\n"
        );
    }

    #[test]
    fn long_lines_are_broken_between_words() {
        assert_eq!(wrapped("short", 10), "short\n");
        assert_eq!(wrapped("  hand: Rope, Net", 12), "  hand:\n    Rope,\n    Net\n");
        assert_eq!(wrapped("   7  sell a long rope", 14), "   7  sell a\n      long\n      rope\n");
        assert_eq!(wrapped("  log   shows all of it", 20), "  log   shows all of\n        it\n");
        assert_eq!(wrapped("unbreakable", 4), "unbreakable\n");
        assert_eq!(wrapped("", 4), "\n");
    }
}
