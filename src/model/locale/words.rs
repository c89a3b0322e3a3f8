//! A game's words in another language: its rules with other names and wordings, and what is said in the place of each text.

use super::placeholders::{Piece, fillings, pieces};
use super::{Line, What};
use crate::base::{Span, spoken};
use crate::model::rules::{NamePart, PropClass, Rules, Ty, Wording, WordingPart};
use std::collections::BTreeMap;

/// The words of a game in another language. What has no translation is as it is in the rules.
#[derive(Clone, Debug)]
pub struct Words {
    /// The rules with other names, labels and looks. Everything else in them is what it was, all indices too.
    pub rules: Rules,
    /// By the place of a text into which something is filled in: how much that is, and the translation.
    templates: BTreeMap<Span, (usize, Vec<WordPart>)>,
    /// By the text.
    plain: BTreeMap<String, String>,
}

/// A part of a translated text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WordPart {
    /// It stands as it is written.
    Text(String),
    /// What the text itself fills in at this position among all that it fills in.
    Filled(usize),
}

impl Words {
    /// The words of a game whose lines have these translations.
    pub fn new<'a>(rules: &Rules, translated: impl IntoIterator<Item = (&'a Line, &'a str)>) -> Words {
        let mut words = Words { rules: rules.clone(), templates: BTreeMap::new(), plain: BTreeMap::new() };
        for (line, to) in translated {
            words.say(line, to);
        }
        words.say_looks();
        words.say_keys();
        words
    }

    fn say(&mut self, line: &Line, to: &str) {
        let rules = &mut self.rules;
        match &line.what {
            What::Title => to.clone_into(&mut rules.title),
            What::Seat(seat) => rules.seats.get_mut(*seat).into_iter().for_each(|seat| to.clone_into(seat)),
            What::Label(name) => drop(rules.labels.insert(name.clone(), to.to_owned())),
            What::Value(id, index) => {
                let value = rules.enums.get_mut(id.index()).and_then(|item| item.values.get_mut(*index));
                if let Some(value) = value {
                    // What has no label of its own is read by its name.
                    if value.label == spoken(&value.name) {
                        to.clone_into(&mut value.name);
                    }
                    to.clone_into(&mut value.label);
                }
            }
            What::Place(board, index, direction) => {
                let geometry = rules.boards.get_mut(*board).map(|board| &mut board.geometry);
                let names = geometry.map(|all| if *direction { &mut all.directions } else { &mut all.names });
                names.and_then(|names| names.get_mut(*index)).into_iter().for_each(|name| to.clone_into(name));
            }
            What::Card(id) => {
                rules.entries.get_mut(id.index()).into_iter().for_each(|entry| to.clone_into(&mut entry.name));
                // A name is a value too.
                self.plain.entry(line.text.clone()).or_insert_with(|| to.to_owned());
            }
            What::Plain => drop(self.plain.entry(line.text.clone()).or_insert_with(|| to.to_owned())),
            What::Notation(id) => {
                let Some(kind) = rules.kinds.get_mut(id.index()) else { return };
                let props = kind.notation.iter().filter(|part| !matches!(part, NamePart::Text(_)));
                let props: Vec<NamePart> = props.cloned().collect();
                let parts = parts(&line.text, to).into_iter().map(|part| match part {
                    WordPart::Text(text) => Some(NamePart::Text(text)),
                    WordPart::Filled(index) => props.get(index).cloned(),
                });
                if let Some(parts) = parts.collect() {
                    kind.notation = parts;
                }
            }
            What::Template => {
                let count = fillings(&line.text).len();
                self.templates.insert(line.span, (count, parts(&line.text, to)));
            }
        }
    }

    /// Names the values of tables by what their keys are called.
    fn say_keys(&mut self) {
        let rules = &mut self.rules;
        for prop in &rules.props {
            if let (PropClass::Table(items), Ty::Table(key, _)) = (&prop.class, &prop.ty) {
                let table = rules.label(&prop.name);
                for (index, item) in items.iter().filter_map(|item| rules.props.get(item.index())).enumerate() {
                    rules.labels.insert(item.name.clone(), format!("{table} {}", rules.key_label(*key, index)));
                }
            }
        }
    }

    /// Puts translations into the wordings of looks.
    fn say_looks(&mut self) {
        for look in &mut self.rules.looks {
            let settings = [&mut look.glyph, &mut look.label, &mut look.title, &mut look.text, &mut look.line];
            for case in settings.into_iter().flatten() {
                if let Some((count, parts)) = self.templates.get(&case.span)
                    && let Some(wording) = reworded(&case.value, *count, parts)
                {
                    case.value = wording;
                }
            }
        }
    }

    /// What is said in the place of the text that is written there, which fills in so much.
    pub fn template(&self, span: Span, count: usize) -> Option<&[WordPart]> {
        let (filled, parts) = self.templates.get(&span)?;
        (*filled == count).then_some(parts)
    }

    /// What is said in the place of a text that is a value or stands as it is written.
    pub fn plain<'a>(&'a self, text: &'a str) -> &'a str {
        self.plain.get(text).map_or(text, String::as_str)
    }
}

/// A translation in parts. Of what is filled in twice in the text, the first is meant.
fn parts(text: &str, to: &str) -> Vec<WordPart> {
    let known = fillings(text);
    let part = |piece: Piece<'_>| match piece {
        Piece::Text(text) => WordPart::Text(text.to_owned()),
        Piece::Filled(inside) => match known.iter().position(|known| *known == inside) {
            Some(index) => WordPart::Filled(index),
            None => WordPart::Text(format!("{{{inside}}}")),
        },
    };
    pieces(to).into_iter().map(part).collect()
}

fn reworded(wording: &Wording, count: usize, parts: &[WordPart]) -> Option<Wording> {
    let values: Vec<&WordingPart> = wording.iter().filter(|part| !matches!(part, WordingPart::Text(_))).collect();
    if values.len() != count {
        return None;
    }
    let part = |part: &WordPart| match part {
        WordPart::Text(text) => Some(WordingPart::Text(text.clone())),
        WordPart::Filled(index) => values.get(*index).map(|value| (*value).clone()),
    };
    parts.iter().map(part).collect()
}
