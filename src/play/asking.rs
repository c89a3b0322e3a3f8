//! What somebody asks with `why`: of a number, an option, something that is not offered, a card or player, or of the question
//! at hand. Each answer is a few lines with content lines, as far as whoever asks may know.

use super::error::PlayError;
use super::game::Game;
use super::session::Session;
use super::why;
use crate::base::{Span, nearest, plural};
use crate::engine::{Breakdown, CauseLink, Change, Decision, Machine, NOT_AMONG, OTHER_SORT, Refusal, Seat, State};
use crate::model::rules::PropId;

/// Lines of one sort in an answer.
const MOST_LINES: usize = 10;
/// Changes of a counter or mark that are told.
const MOST_CHANGES: usize = 4;
/// Lines of how the values of an `expect` came about.
const MOST_TRACED: usize = 16;

impl Session {
    /// Answers a question of a seat, or of somebody who sees what all seats see. `decides`: whether the decision at hand is the
    /// seat's, so that its options may be spoken of.
    ///
    /// # Errors
    /// [`PlayError::Finding`] that says what is not there, or not for these eyes.
    pub fn explain(&mut self, seat: Option<Seat>, decides: bool, text: &str) -> Result<Vec<String>, PlayError> {
        let text = text.trim().trim_end_matches('?').trim_end();
        let text = text.strip_prefix("not ").map_or(text, str::trim_start);
        if text.is_empty() {
            return Ok(self.why_asked(seat, decides));
        }
        let line = text.parse().map_or(Vec::new(), |number| self.why_line(seat, number));
        if !line.is_empty() {
            return Ok(line);
        }
        let told = match self.why_value(seat, if text == "all" { "" } else { text }) {
            Ok(lines) => return Ok(lines),
            Err(error) => error,
        };
        let mut lines = if decides { self.why_options(text) } else { Vec::new() };
        lines.extend(self.numbers_of(seat, text));
        if !lines.is_empty() {
            return Ok(lines);
        }
        let options = self.decision().filter(|_| decides).map(|decision| decision.options).unwrap_or_default();
        match nearest(text, options.iter().map(|option| option.key.as_str())) {
            Some(best) => Err(PlayError::Finding(format!("{told}; the option nearest to it is `{best}`"))),
            None => Err(told),
        }
    }

    /// Why the change happened that a seat reads as this line of the log: the change, then its causes, nearest first. Nothing where it
    /// reads no such line.
    pub fn why_line(&self, seat: Option<Seat>, number: usize) -> Vec<String> {
        let told = number.checked_sub(1).and_then(|index| self.told(seat).nth(index));
        let Some((_, decision, change, text)) = told else { return Vec::new() };
        let mut lines = vec![text.to_owned()];
        // Which statement moved a card that this seat does not see may tell which it is.
        let causes = if text == change.full { change.causes.as_slice() } else { &[] };
        lines.extend(self.because(Some(seat), causes, decision));
        lines
    }

    /// Why the question at hand is asked, and what is not possible now.
    fn why_asked(&mut self, seat: Option<Seat>, decides: bool) -> Vec<String> {
        let Some(decision) = self.decision() else { return vec!["the game is over".to_owned()] };
        let who = decision.seat.map_or("chance".to_owned(), |seat| self.game().seat_name(seat));
        if !decides {
            return vec![format!("{who} decides now; only who decides can ask what is not possible")];
        }
        let mut lines = Vec::new();
        let (machine, state) = self.parts();
        let mut causes = machine.asking(state);
        let depth = causes.len();
        if let Some(nearest) = causes.first_mut() {
            nearest.span = decision.span;
        }
        // Between the deeds of a turn nothing but its course has led here.
        if depth > 1 {
            lines.push(format!("{who} is asked: {}", decision.question()));
            lines.extend(self.because(Some(seat), &causes, self.decisions().len()));
        }
        let refusals = self.refusals();
        lines.extend(self.refused(refusals));
        if lines.is_empty() {
            lines.push("nothing is refused now: what is listed is all that can be done".to_owned());
        }
        lines
    }

    /// What can be said of options with these words, and of what they do not offer.
    fn why_options(&mut self, text: &str) -> Vec<String> {
        let Some(decision) = self.decision().and_then(|decision| decision.clone().of(decision.seat)) else {
            return Vec::new();
        };
        let mut lines = self.possible(&decision, text);
        let (machine, state) = self.parts();
        let (telling, others): (Vec<Refusal>, Vec<Refusal>) = machine
            .left_out(state, text)
            .into_iter()
            .partition(|left| ![NOT_AMONG, OTHER_SORT].contains(&left.reason.as_str()));
        // That a card is not one to be played as something else is worth a line only where there is nothing else to say.
        if !telling.is_empty() || others.len() == 1 {
            let left = if telling.is_empty() && lines.is_empty() { others } else { telling };
            lines.extend(self.refused(left));
            return lines;
        }
        if !others.is_empty() {
            let actions: Vec<&str> = others.iter().map(|left| left.action.as_str()).collect();
            if lines.is_empty() {
                lines.push(format!("nothing that can be done now is done with it; not possible are {}", few(&actions)));
            }
            return lines;
        }
        let wanted = text.to_lowercase();
        // The first words of one action may be the name of another.
        let begun = |action: &str| -> usize {
            let action = action.to_lowercase();
            match wanted.strip_prefix(&action).is_some_and(|rest| rest.starts_with(' ')) {
                _ if action.contains(&wanted) => usize::MAX,
                true => action.split(' ').count(),
                false => 0,
            }
        };
        let shared =
            |key: &str| key.to_lowercase().split(' ').zip(wanted.split(' ')).take_while(|(a, b)| a == b).count();
        let offered = decision.options.iter().map(|option| shared(&option.key)).max().unwrap_or_default();
        let refusals = self.refusals().into_iter().map(|refusal| {
            let said = [&refusal.action, &refusal.label].map(|action| begun(action));
            (said.into_iter().max().unwrap_or_default(), refusal)
        });
        let refusals: Vec<(usize, Refusal)> = refusals.filter(|(said, _)| *said > 0).collect();
        let most = refusals.iter().map(|(said, _)| *said).max().unwrap_or_default().max(offered);
        let refusals = refusals.into_iter().filter(|(said, _)| *said >= most).map(|(_, refusal)| refusal).collect();
        lines.extend(self.refused(refusals));
        if lines.is_empty() {
            lines.extend(self.why_not(text).map(|refusal| self.refused(vec![refusal])).unwrap_or_default());
        }
        if lines.is_empty()
            && let Some((action, _)) = text.split_once(' ')
        {
            let begins = |key: &&str| key.strip_prefix(action).is_some_and(|rest| rest.starts_with(' '));
            let keys: Vec<&str> = decision.options.iter().map(|option| option.key.as_str()).filter(begins).collect();
            if !keys.is_empty() {
                lines.push(format!("`{text}` is not among what can be chosen: {}", few(&keys)));
            }
        }
        lines
    }

    /// The options with these words: the one that is called so, or those that have them.
    fn possible(&self, decision: &Decision, text: &str) -> Vec<String> {
        let wanted = text.to_lowercase();
        let has = |text: &str| {
            let text = text.to_lowercase();
            text.match_indices(&wanted).any(|(at, _)| {
                let ends = |char: Option<char>| !char.is_some_and(char::is_alphanumeric);
                ends(text[..at].chars().next_back()) && ends(text[at + wanted.len()..].chars().next())
            })
        };
        let options: Vec<(usize, &str)> =
            decision.options.iter().enumerate().map(|(at, option)| (at, option.key.as_str())).collect();
        let exact: Vec<(usize, &str)> =
            options.iter().copied().filter(|(_, key)| key.to_lowercase() == wanted).collect();
        let found = match exact.is_empty() {
            true => options.into_iter().filter(|(_, key)| has(key)).collect(),
            false => exact,
        };
        match found.as_slice() {
            [] => Vec::new(),
            [(at, key)] => {
                let place = self.game().locate(decision.span).map_or(String::new(), |place| format!("  [{place}]"));
                vec![format!("`{key}` is possible: it is option {}{place}", at + 1)]
            }
            several => {
                let keys: Vec<&str> = several.iter().map(|(_, key)| *key).collect();
                vec![format!("possible are {}", few(&keys))]
            }
        }
    }

    /// Refusals, a line each.
    fn refused(&mut self, refusals: Vec<Refusal>) -> Vec<String> {
        let more = refusals.len().saturating_sub(MOST_LINES);
        let mut lines: Vec<String> = Vec::new();
        for refusal in refusals.into_iter().take(MOST_LINES) {
            let (reason, span) = self.reason(refusal.clone());
            lines.push(format!("{}: {reason}{}", refusal.label, self.place(span)));
        }
        lines.extend((more > 0).then(|| format!("and {more} more")));
        lines
    }

    /// A refusal in words, with the text that decides, and where that stands.
    pub fn reason(&mut self, refusal: Refusal) -> (String, Span) {
        let (machine, state) = self.parts();
        let refusal = machine.lacking(state, refusal);
        (why::reason(self.game(), &refusal), refusal.span)
    }

    /// What a player or card of a name comes to.
    fn numbers_of(&mut self, seat: Option<Seat>, text: &str) -> Vec<String> {
        let told = self.ahead(|_, machine, state| machine.numbers_of(state, seat, text)).unwrap_or_default();
        let mut lines: Vec<String> = Vec::new();
        for told in &told {
            let line = why::lines(self.game(), told).into_iter().next();
            lines.extend(line.filter(|line| !lines.contains(line)));
        }
        lines.truncate(MOST_LINES);
        if let Some((what, _)) = lines.last().and_then(|line| line.split_once(" = ")) {
            lines.push(format!("`why {what}` tells how it comes about"));
        }
        lines
    }

    /// How a counter or mark came to its value: its last changes that a seat may read.
    pub(super) fn history(&self, seat: Option<Seat>, told: &Breakdown) -> Vec<String> {
        let about = |change: &Change| told.stored.is_some() && change.stored == told.stored;
        let changes: Vec<_> = self.told(seat).zip(1..).filter(|((_, _, change, _), _)| about(change)).collect();
        let more = changes.len().saturating_sub(MOST_CHANGES);
        let mut lines = Vec::new();
        if more > 0 {
            lines.push(format!("  after {more} changes before:"));
        }
        for ((_, decision, change, text), number) in changes.into_iter().skip(more) {
            let turn = self.when(decision, &change.causes);
            // The verb itself says less than what has called it.
            let open = change.causes.iter().filter(|cause| cause.is_open_to(seat));
            let cause = open.clone().find(|cause| cause.what.contains('(')).or_else(|| open.clone().next());
            let cause = cause.map_or(String::new(), |cause| {
                format!(", because of {}{}", why::cause(&cause.what), self.place(cause.span))
            });
            lines.push(format!("  {number}. {turn}: {text}{cause}"));
        }
        lines
    }

    /// How the counters and marks in a value came about, with nothing hidden: of each its last changes, and of the last of them the
    /// whole chain of rules, cards and choices.
    pub(super) fn traced(&self, told: &Breakdown) -> Vec<String> {
        let mut found = Vec::new();
        stored_in(told, &mut found);
        let mut lines = Vec::new();
        for what in found.into_iter().take(MOST_CHANGES) {
            let changes: Vec<_> = self.changes().iter().filter(|(_, change)| change.stored == Some(what)).collect();
            for (index, (decision, change)) in changes.iter().enumerate().skip(changes.len().saturating_sub(2)) {
                let turn = self.when(*decision, &change.causes);
                lines.push(format!("  {turn}: {}", change.full));
                if index + 1 == changes.len() {
                    let chain = self.because(None, &change.causes, *decision);
                    lines.extend(chain.into_iter().map(|line| format!("    {line}")));
                }
            }
        }
        let more = lines.len().saturating_sub(MOST_TRACED);
        lines.truncate(MOST_TRACED);
        lines.extend((more > 0).then(|| format!("  ... and {}", plural(more, "line"))));
        if !lines.is_empty() {
            lines.insert(0, "how these values came about:".to_owned());
        }
        lines
    }

    /// In which turn something came about, behind so many decisions.
    fn when(&self, decision: usize, causes: &[CauseLink]) -> String {
        match decision.checked_sub(1).and_then(|index| self.decisions().get(index)) {
            Some(made) => format!("turn {}", made.turn + 1),
            None if is_in_flow(causes) => "turn 1".to_owned(),
            None => "in setup".to_owned(),
        }
    }

    /// Causes, nearest first, and the choice that led to them; `Some` seat reads only what it may know.
    pub(super) fn because(&self, eyes: Option<Option<Seat>>, causes: &[CauseLink], decision: usize) -> Vec<String> {
        let mut lines = Vec::new();
        for cause in causes {
            if eyes.is_some_and(|seat| !cause.is_open_to(seat)) {
                lines.push("because of a card that you do not know".to_owned());
                continue;
            }
            // The course of the game says nothing where something nearer does.
            if cause.what == "flow" && causes.len() > 1 {
                continue;
            }
            let place = self.game().locate(cause.span).map(|place| format!("  ({place})")).unwrap_or_default();
            lines.push(format!("because of {}{place}", why::cause(&cause.what)));
        }
        let made = decision.checked_sub(1).and_then(|index| self.decisions().get(index));
        lines.push(match (made, eyes) {
            (None, _) if is_in_flow(causes) && causes.len() == 1 => return lines,
            (None, _) if is_in_flow(causes) => format!("because of {}", why::cause("flow")),
            (None, _) => "because of setup".to_owned(),
            // What another seat chose may tell what it holds; its key is not for these eyes.
            (Some(made), Some(seat)) if seat.is_some() && made.seat == seat => {
                format!("because you chose `{}` (decision {decision})", made.key)
            }
            (Some(made), eyes) => {
                let who = made.seat.map_or("chance".to_owned(), |seat| self.game().seat_name(seat));
                match eyes {
                    None => format!("because {who} chose `{}` (decision {decision})", made.key),
                    Some(_) => format!("because of what {who} chose (decision {decision})"),
                }
            }
        });
        lines
    }

    fn place(&self, span: Span) -> String {
        self.game().locate(span).map_or(String::new(), |place| format!("  [{place}]"))
    }
}

/// The counters and marks that a value is made of.
/// Whether the course of the game is among causes: what happened before it is of setup.
fn is_in_flow(causes: &[CauseLink]) -> bool {
    causes.iter().any(|cause| cause.what == "flow")
}

fn stored_in(told: &Breakdown, out: &mut Vec<(i64, PropId)>) {
    out.extend(told.stored.filter(|stored| !out.contains(stored)));
    told.parts.iter().for_each(|part| stored_in(part, out));
}

/// What a seat is told of a card: its numbers, and, if it decides, why it cannot be chosen.
pub(super) fn told_of(game: &Game, machine: &mut Machine, state: &State, seat: Seat, name: &str) -> Vec<String> {
    let numbers = machine.numbers_of(state, Some(seat), name).unwrap_or_default();
    let mut told: Vec<String> = numbers.iter().flat_map(|told| why::lines(game, told)).collect();
    if machine.seat(state) == Some(seat) {
        let left = machine.left_out(state, name);
        told.extend(left.iter().map(|left| format!("{}: {}", left.action, why::reason(game, left))));
    }
    told
}

/// Some of several keys.
fn few(keys: &[&str]) -> String {
    let shown: Vec<String> = keys.iter().take(4).map(|key| format!("`{key}`")).collect();
    let more = if keys.len() > 4 { format!(" and {} more", keys.len() - 4) } else { String::new() };
    format!("{}{more}", shown.join(", "))
}
