//! `cardwright test --review` and `--accept`: asks what becomes of changed snapshots and recorded games, those of one cause
//! together.

use super::{Context, Outcome};
use crate::base::{plural, shown};
use crate::play::PlayError;
use std::collections::BTreeMap;
use std::io::BufRead;
use std::path::PathBuf;

/// What a file records.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sort {
    /// The playthrough of a scenario.
    Scenario,
    /// A recorded game.
    Game,
    /// Nothing any more.
    Orphan,
}

/// What somebody has to decide about: a file that is to be written or removed.
pub struct Entry<'a> {
    /// What it records.
    pub sort: Sort,
    /// Its name, for people.
    pub title: String,
    /// The file.
    pub path: PathBuf,
    /// What is wrong with it, in lines.
    pub told: String,
    /// Writes or removes it.
    pub act: Box<dyn Fn() -> Outcome + 'a>,
}

/// Entries that stand there for one reason.
pub struct Group<'a> {
    /// The reason.
    pub reason: String,
    /// The first of them is the example that is shown.
    pub entries: Vec<Entry<'a>>,
}

/// How it is asked, and for what is not asked any more.
pub struct Review {
    mode: Mode,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Mode {
    /// Nothing is taken, and nobody asked.
    Off,
    Ask,
    /// Nobody is asked any more.
    Quit,
    All,
}

/// Whether a continuous-integration server runs the program.
pub fn in_ci() -> bool {
    std::env::var_os("CI").is_some_and(|value| !value.is_empty())
}

impl Review {
    /// From the command line. On a continuous-integration server nothing is taken and nobody asked.
    pub fn new(review: bool, accept: bool) -> Review {
        let mode = match (in_ci(), accept, review) {
            (true, ..) | (_, false, false) => Mode::Off,
            (_, true, _) => Mode::All,
            (_, _, true) => Mode::Ask,
        };
        Review { mode }
    }

    /// Reports the groups, or asks about them. Gives what was not taken.
    ///
    /// # Errors
    /// [`PlayError`] if an answer cannot be read or a file written.
    pub fn settle(&mut self, context: &Context, groups: &[Group]) -> Result<Vec<(Sort, String)>, PlayError> {
        if self.mode == Mode::Off {
            for group in groups {
                context.console.data(&group.report())?;
            }
            if !groups.is_empty() {
                context.console.data("  `cardwright test --review` shows and asks, `--accept` takes all\n")?;
            }
        }
        let entries: Vec<&Entry> = groups.iter().flat_map(|group| &group.entries).collect();
        // What stood in the files of those that are taken, and the entries that answers were given for.
        let mut taken: BTreeMap<usize, Option<Vec<u8>>> = BTreeMap::new();
        let mut answers: Vec<usize> = Vec::new();
        let mut at = 0;
        while at < entries.len() {
            let (take, count) = match self.answer(context, groups, at, !answers.is_empty())? {
                Answer::Take(count) => (true, count),
                Answer::Skip(count) => (false, count),
                Answer::Quit => break,
                Answer::Undo => {
                    at = answers.pop().unwrap_or_default();
                    for (index, before) in taken.split_off(&at) {
                        entries.get(index).map_or(Ok(()), |entry| entry.put_back(context, before))?;
                    }
                    continue;
                }
            };
            for (index, entry) in entries.iter().enumerate().skip(at).take(count).filter(|_| take) {
                taken.insert(index, entry.take(context)?);
            }
            answers.push(at);
            at += count;
        }
        let left: Vec<&&Entry> = entries
            .iter()
            .enumerate()
            .filter(|(index, _)| !taken.contains_key(index))
            .map(|(_, entry)| entry)
            .collect();
        if self.mode != Mode::Off {
            for entry in &left {
                context.console.data(&format!("FAILED  {}\n  not taken: `{}`\n", entry.title, shown(&entry.path)))?;
            }
        }
        Ok(left.into_iter().map(|entry| (entry.sort, entry.title.clone())).collect())
    }

    /// What becomes of an entry and perhaps of those behind it.
    fn answer(&mut self, context: &Context, groups: &[Group], at: usize, undo: bool) -> Result<Answer, PlayError> {
        let mut before = 0;
        let holds = |group: &&Group| {
            before += group.entries.len();
            before > at
        };
        let (Some(group), Mode::Ask) = (groups.iter().find(holds), self.mode) else {
            return Ok(if self.mode == Mode::All { Answer::Take(usize::MAX - at) } else { Answer::Quit });
        };
        let rest = before - at;
        context.console.data(&group.shown(rest))?;
        let whole = match rest {
            1 => String::new(),
            _ => format!(", all {rest} of this [g]roup, [s]kip the group"),
        };
        let back = if undo { ", [u]ndo the last answer" } else { "" };
        loop {
            context.console.problem(&format!("take it? [y]es, [n]o{whole}, [a]ll that are left{back}, [q]uit: "));
            let mut line = String::new();
            let read = std::io::stdin().lock().read_line(&mut line);
            return Ok(match (read, line.trim()) {
                (Err(error), _) => return Err(PlayError::Io(format!("cannot read stdin: {error}"))),
                (_, "y" | "yes") => Answer::Take(1),
                (_, "n" | "no") => Answer::Skip(1),
                (_, "g" | "group") => Answer::Take(rest),
                (_, "s" | "skip") => Answer::Skip(rest),
                (_, "u" | "undo") if undo => Answer::Undo,
                (_, "a" | "all") => {
                    self.mode = Mode::All;
                    Answer::Take(usize::MAX - at)
                }
                (Ok(0), _) | (_, "q" | "quit") => {
                    self.mode = Mode::Quit;
                    Answer::Quit
                }
                _ => continue,
            });
        }
    }
}

/// What was answered, and for how many entries.
enum Answer {
    Take(usize),
    Skip(usize),
    Undo,
    Quit,
}

impl Entry<'_> {
    /// Does it; gives what stood in the file.
    fn take(&self, context: &Context) -> Result<Option<Vec<u8>>, PlayError> {
        let before = std::fs::read(&self.path).ok();
        (self.act)()?;
        let done = if self.path.exists() { "took" } else { "removed" };
        context.console.note(&format!("{done} `{}`", shown(&self.path)));
        Ok(before)
    }

    /// Puts back what stood in the file.
    fn put_back(&self, context: &Context, before: Option<Vec<u8>>) -> Outcome {
        let back = match before {
            Some(before) => std::fs::write(&self.path, before),
            None => std::fs::remove_file(&self.path),
        };
        back.map_err(|error| PlayError::io("write", &self.path, &error))?;
        context.console.note(&format!("`{}` is as it was", shown(&self.path)));
        Ok(())
    }
}

/// Titles that are named of a group besides the example.
const MOST_NAMED: usize = 10;

impl Group<'_> {
    /// The group where nobody is asked: its example, and what else there is.
    fn report(&self) -> String {
        let Some((first, more)) = self.entries.split_first() else { return String::new() };
        let mut text = format!("FAILED  {}\n{}  {}\n", first.title, first.told, self.reason);
        if !more.is_empty() {
            text.push_str(&format!("FAILED  {} more, for the same reason:\n", more.len()));
            text.extend(more.iter().take(MOST_NAMED).map(|entry| format!("  {}\n", entry.title)));
            if more.len() > MOST_NAMED {
                text.push_str(&format!("  and {} more\n", more.len() - MOST_NAMED));
            }
        }
        text
    }

    /// The first of those that are left, so many, as it is asked about.
    fn shown(&self, left: usize) -> String {
        let head = match left == self.entries.len() {
            true => format!("\n{}: {}\n", self.reason, plural(left, "record")),
            false => format!("\n{left} left of this group\n"),
        };
        let entry = self.entries.len().checked_sub(left).and_then(|index| self.entries.get(index));
        head + entry.map_or(String::new(), |entry| format!("{}\n{}", entry.title, entry.told)).as_str()
    }
}
