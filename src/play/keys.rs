//! Whether a text could be the key of an option, in whatever position: a key that none can have is refused always, so a
//! test that expects this of it would say nothing. A key is made of what things are called.

use super::game::Game;
use crate::base::{nearest, spoken};
use crate::model::rules::{ClauseKind, NamePart, Rules, Ty};
use crate::program::{OfferSite, Spot};
use std::collections::BTreeSet;

/// What options are called whatever the game is.
const WORDS: [&str; 11] =
    ["done", "pass", "yes", "no", "nothing", "nobody", "to", "announce", "stay silent", "a question", "after"];

/// All that keys of a game are made of.
pub(super) struct Vocabulary<'a> {
    game: &'a Game,
    /// Names, each of one or several words.
    phrases: BTreeSet<String>,
    /// The most words of one.
    longest: usize,
    /// What may be written without a space between: values that are printed for each direction, and the parts of notations.
    glued: Vec<&'a str>,
}

impl<'a> Vocabulary<'a> {
    /// Collects the names of a game.
    pub fn of(game: &'a Game) -> Vocabulary<'a> {
        let (rules, program) = (&game.rules, &game.program);
        let mut phrases: BTreeSet<String> =
            WORDS.iter().chain(&OfferSite::ANSWERS).map(|word| (*word).to_owned()).collect();
        phrases.extend(program.actions.iter().map(|action| action.words.clone()));
        phrases.extend(program.sites.options.iter().flat_map(|site| &site.texts).cloned());
        phrases.extend(rules.entries.iter().map(|entry| entry.name.clone()));
        phrases.extend(rules.kinds.iter().map(|kind| rules.label(&kind.name)));
        phrases.extend(rules.seats.iter().cloned());
        phrases.extend(rules.enums.iter().flat_map(|found| &found.values).map(|value| value.label.clone()));
        phrases.extend(rules.boards.iter().flat_map(|board| board.geometry.written()).cloned());
        phrases.extend(rules.boards.iter().flat_map(|board| &board.geometry.directions).cloned());
        phrases.extend(rules.verbs.iter().map(|verb| rules.label(&verb.name)));
        phrases.extend(rules.clauses.iter().filter_map(|clause| match clause.kind {
            ClauseKind::Becomes { cond, .. } => Some(rules.waits_for(cond, rules)),
            _ => None,
        }));
        let edges = rules.spans.iter().flat_map(|span| ["start", "end"].map(|edge| format!("{edge} of {}", span.name)));
        phrases.extend(edges.map(|edge| spoken(&edge)));
        if program.sites.chooses.iter().any(|site| *site.ty.bare() == Ty::Text) {
            phrases.extend(rules.texts.iter().map(str::to_owned));
        }
        let longest = phrases.iter().map(|phrase| phrase.split(' ').count()).max().unwrap_or(1);
        let mut glued = Vec::new();
        for prop in &rules.props {
            if let Ty::PerDirection(item) = &prop.ty
                && let Ty::Enum(id) = item.as_ref()
            {
                let values = rules.enums.get(id.index()).map(|found| found.values.as_slice()).unwrap_or_default();
                glued.extend(values.iter().map(|value| value.label.as_str()));
            }
        }
        glued.extend(notation_parts(rules));
        Vocabulary { game, phrases, longest, glued }
    }

    /// What is wrong with a key that no option of this game can have.
    pub fn refuse(&self, key: &str) -> Option<String> {
        let words: Vec<&str> = key.split(' ').collect();
        let mut reached = vec![false; words.len() + 1];
        reached[0] = true;
        for from in 0..words.len() {
            let ends = from + 1..=words.len().min(from + self.longest);
            for to in ends.filter(|_| reached[from]).collect::<Vec<_>>() {
                reached[to] |= self.knows(&words[from..to]);
            }
        }
        if reached[words.len()]
            || self.game.program.actions.iter().any(|action| action.notation.is_some()) && self.notates(key)
        {
            return None;
        }
        let known = reached.iter().rposition(|reached| *reached).unwrap_or(0);
        Some(self.unknown(key, &words[known..]))
    }

    fn knows(&self, words: &[&str]) -> bool {
        let text = words.join(" ");
        let name = text.strip_suffix(',').unwrap_or(&text);
        if self.phrases.contains(name) {
            return true;
        }
        let [word] = words else { return false };
        let letters = word.chars().any(char::is_alphabetic);
        !letters || self.is_spot(name) || self.is_glued(name)
    }

    /// Whether this is a site of a board without an end.
    fn is_spot(&self, word: &str) -> bool {
        let endless = self.game.rules.boards.iter().filter(|board| board.endless());
        let plain = |text: &str| text.chars().filter(|char| !char.is_ascii_digit() && *char != '-').collect::<String>();
        endless.into_iter().any(|board| plain(word) == plain(&Spot { on: 0, x: 0, y: 0 }.name(&board.places.cells)))
    }

    /// Whether a word is made of such parts, of numbers and of signs.
    fn is_glued(&self, word: &str) -> bool {
        let mut reached = vec![false; word.len() + 1];
        reached[0] = true;
        for (from, char) in word.char_indices() {
            if !reached[from] {
                continue;
            }
            if !char.is_alphabetic() {
                reached[from + char.len_utf8()] = true;
            }
            for part in self.glued.iter().filter(|part| word[from..].starts_with(**part)) {
                reached[from + part.len()] = true;
            }
        }
        reached[word.len()]
    }

    /// Whether this may be how a whole turn is written: its longer words stand somewhere in the content.
    fn notates(&self, key: &str) -> bool {
        let words = key.split(|char: char| !char.is_alphanumeric());
        let long = words.filter(|word| word.chars().count() > 1 && word.chars().all(char::is_alphabetic));
        long.into_iter().all(|word| self.in_content(word))
    }

    /// Whether a text stands somewhere in the content but in scenarios.
    pub fn in_content(&self, text: &str) -> bool {
        let sources = &self.game.sources;
        let files = sources.files().filter(|file| !sources.name(*file).ends_with(".scenario"));
        files.into_iter().any(|file| sources.text(file).contains(text))
    }

    fn unknown(&self, key: &str, rest: &[&str]) -> String {
        let alike = (1..=rest.len()).rev().find_map(|count| {
            let text = rest[..count].join(" ");
            let names = self.phrases.iter().map(String::as_str).filter(|name| name.split(' ').count() == count);
            nearest(&text, names).map(|name| (text.clone(), name))
        });
        let said = format!("no option is ever written `{key}`, so this cannot fail");
        match alike {
            Some((text, name)) => format!("{said}: nothing is called `{text}`; did you mean `{name}`?"),
            None => format!("{said}: nothing is called `{}`", rest.join(" ")),
        }
    }
}

/// What kinds whose entities have a notation are written with: its words, and the values of enums in it.
fn notation_parts(rules: &Rules) -> Vec<&str> {
    let mut found: Vec<&str> = Vec::new();
    let mut left: Vec<&NamePart> = rules.kinds.iter().flat_map(|kind| &kind.notation).rev().collect();
    while let Some(part) = left.pop() {
        match part {
            NamePart::Text(text) => found.extend(text.split_whitespace()),
            NamePart::Either { then, other, .. } => left.extend([&**other, &**then]),
            NamePart::Prop(prop) => {
                let ty = rules.props.get(prop.index()).map(|prop| prop.ty.bare());
                if let Some(Ty::Enum(id)) = ty {
                    let values = rules.enums.get(id.index()).map(|found| found.values.as_slice()).unwrap_or_default();
                    found.extend(values.iter().map(|value| value.label.as_str()));
                }
            }
        }
    }
    found
}
