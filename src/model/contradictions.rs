//! Warnings about cards whose text says another number than their fields. Only sentences that consist of a card's own numbers
//! are compared: any other may speak of another card.

use super::check::Checker;
use super::rules::{Entry, FieldValue, KindId, PropId, Ty};
use crate::base::{Code, Diagnostic, Span};

/// Words that a sentence about the card itself may have besides.
const BESIDE: [&str; 8] = ["a", "an", "the", "this", "it", "its", "is", "has"];

/// A number that is printed on a card.
struct Figure {
    prop: PropId,
    /// The words of its name.
    name: Vec<String>,
    value: i64,
}

impl Checker<'_> {
    /// Reports texts that contradict the numbers of their cards.
    pub(super) fn check_texts(&mut self) {
        let mut found: Vec<Diagnostic> = Vec::new();
        for entry in &self.rules.entries {
            let mut figures: Option<Vec<Figure>> = None;
            for (prop, value) in &entry.fields {
                let (Some(FieldValue::Text(text)), Some(span)) = (value, span_of(entry, *prop)) else { continue };
                if !text.contains(|letter: char| letter.is_ascii_digit()) {
                    continue;
                }
                let figures = figures.get_or_insert_with(|| self.figures(entry));
                let beside = self.kinds_above(entry.kind);
                for (figure, said) in sentences(text).flat_map(|sentence| differing(sentence, figures, &beside)) {
                    let (name, value) = (figure.name.join(" "), figure.value);
                    let message = format!("the text of `{}` says {name} {said}, and its {name} is {value}", entry.name);
                    let finding = Diagnostic::new(Code::TextContradicts, span, message);
                    found.push(match span_of(entry, figure.prop) {
                        Some(given) => finding.label(given, "given here"),
                        None => finding.help(format!("its kind gives {value}; say `{name}: {said}` on the card")),
                    });
                }
            }
        }
        found.into_iter().for_each(|found| self.report(found));
    }

    /// The numbers that are printed on a card.
    fn figures(&self, entry: &Entry) -> Vec<Figure> {
        let figure = |(prop, value): &(PropId, Option<FieldValue>)| {
            let info = self.rules.props.get(prop.index())?;
            let (Some(FieldValue::Word(value)), Ty::Number, None) = (value, &info.ty, info.table) else { return None };
            let name = info.name.split('_').map(str::to_lowercase).collect();
            Some(Figure { prop: *prop, name, value: *value })
        };
        entry.fields.iter().filter_map(figure).collect()
    }

    fn kinds_above(&self, kind: KindId) -> Vec<String> {
        let kinds = self.rules.kinds_from(kind);
        kinds.filter_map(|kind| self.rules.kinds.get(kind.index())).map(|kind| kind.name.to_lowercase()).collect()
    }
}

fn span_of(entry: &Entry, prop: PropId) -> Option<Span> {
    entry.field_spans.iter().find(|(other, _)| *other == prop).map(|(_, span)| *span)
}

fn sentences(text: &str) -> impl Iterator<Item = &str> {
    text.split(['.', ';', '!', '?', '\n'])
}

/// The numbers that a sentence says otherwise, if it says nothing else.
fn differing<'f>(sentence: &str, figures: &'f [Figure], beside: &[String]) -> Vec<(&'f Figure, i64)> {
    let said: Option<Vec<(&Figure, i64)>> =
        sentence.split(',').map(|part| figure_said(part, figures, beside)).collect();
    said.unwrap_or_default().into_iter().filter(|(figure, said)| figure.value != *said).collect()
}

/// The field that a part of a sentence names, and the number beside it.
fn figure_said<'f>(part: &str, figures: &'f [Figure], beside: &[String]) -> Option<(&'f Figure, i64)> {
    let words = part.split([' ', ':', '=']).filter(|word| !word.is_empty()).map(str::to_lowercase);
    let named = |word: &String| figures.iter().any(|figure| figure.name.contains(word));
    let words: Vec<String> =
        words.filter(|word| named(word) || !BESIDE.contains(&word.as_str()) && !beside.contains(word)).collect();
    let number =
        |word: &String| word.chars().all(|letter| letter.is_ascii_digit()).then(|| word.parse::<i64>().ok()).flatten();
    let (said, name) = match (words.split_first(), words.split_last()) {
        (Some((first, rest)), _) if number(first).is_some() => (number(first)?, rest),
        (_, Some((last, rest))) => (number(last)?, rest),
        _ => return None,
    };
    let is_named = |figure: &&Figure| {
        let plural = figure.name.last().map(|last| format!("{last}s"));
        figure.name == name
            || name.last() == plural.as_ref() && name.len() == figure.name.len() && {
                let firsts = name.len().saturating_sub(1);
                figure.name.get(..firsts) == name.get(..firsts)
            }
    };
    figures.iter().find(is_named).map(|figure| (figure, said))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(text: &str) -> Vec<(String, i64)> {
        let figure =
            |name: &str, value| Figure { prop: PropId(0), name: name.split(' ').map(str::to_owned).collect(), value };
        let figures = [figure("level", 3), figure("run bonus", 1), figure("gem", 2)];
        let kinds = ["beast".to_owned()];
        let found = sentences(text).flat_map(|sentence| differing(sentence, &figures, &kinds));
        found.map(|(figure, said)| (figure.name.join(" "), said)).collect()
    }

    #[test]
    fn sentences_that_are_numbers_of_the_card_are_compared() {
        let level = |said| vec![("level".to_owned(), said)];
        assert_eq!(said("Level 5. Draw a card."), level(5));
        assert_eq!(said("This beast is level 4"), level(4));
        assert_eq!(
            said("Level: 5, run bonus 2, 3 gems."),
            [("level".to_owned(), 5), ("run bonus".to_owned(), 2), ("gem".to_owned(), 3)]
        );
        for fine in [
            "Level 3, 2 gems.",
            "Steal a beast of level 5.",
            "Level 5 or more counts twice.",
            "+5 level.",
            "Lose 5 levels; level up, 5 gems.",
            "Levels 5 to 6.",
        ] {
            assert_eq!(said(fine), [], "{fine}");
        }
    }
}
