//! Which translation is of which text, where the rules have changed since the file was written.

use super::Line;
use crate::syntax::Translated;

/// How alike two texts are that are taken for the same, one of them changed.
const ALIKE: f64 = 0.6;

/// For each line its translation, by position in `texts`. A text of the same id is its translation. The ids of texts without a name of
/// their own end with a number, which changes with what stands before them: so among these the one that was made from the same
/// text goes first, then the most like one.
pub fn align(lines: &[&Line], texts: &[Translated]) -> Vec<Option<usize>> {
    let mut found = vec![None; lines.len()];
    let mut free = vec![true; texts.len()];
    let mut take = |line: usize, text: usize, free: &mut Vec<bool>| {
        found[line] = Some(text);
        free[text] = false;
    };
    let mut waiting: Vec<usize> = (0..lines.len()).collect();
    let mut pass = |fits: &dyn Fn(&Line, &Translated) -> bool, free: &mut Vec<bool>| {
        waiting.retain(|index| {
            let text = (0..texts.len()).find(|text| free[*text] && fits(lines[*index], &texts[*text]));
            text.inspect(|text| take(*index, *text, free)).is_none()
        });
    };
    pass(&|line, text| line.id == text.id && (!line.numbered || line.text == text.from), &mut free);
    pass(&|line, text| line.numbered && line.text == text.from && group_of(&line.id) == group_of(&text.id), &mut free);
    let mut pairs: Vec<(f64, usize, usize)> = Vec::new();
    for index in waiting {
        let line = lines[index];
        let near = |text: &&usize| free[**text] && line.numbered && group_of(&line.id) == group_of(&texts[**text].id);
        let all: Vec<usize> = (0..texts.len()).collect();
        let near = all.iter().filter(near);
        pairs.extend(near.map(|text| (strsim::normalized_levenshtein(&line.text, &texts[*text].from), index, *text)));
    }
    pairs.sort_by(|one, other| other.0.total_cmp(&one.0).then((one.1, one.2).cmp(&(other.1, other.2))));
    for (_, line, text) in pairs.into_iter().filter(|(alike, ..)| *alike >= ALIKE) {
        if free[text] && found[line].is_none() {
            found[line] = Some(text);
            free[text] = false;
        }
    }
    found
}

/// An id without its number.
pub fn group_of(id: &str) -> &str {
    match id.rsplit_once('.') {
        Some((group, number)) if !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()) => group,
        _ => id,
    }
}

#[cfg(test)]
mod tests {
    use super::super::What;
    use super::*;
    use crate::base::Span;

    fn line(id: &str, text: &str) -> Line {
        let numbered = group_of(id) != id;
        Line { id: id.to_owned(), text: text.to_owned(), span: Span::default(), what: What::Plain, numbered }
    }

    fn text(id: &str, from: &str) -> Translated {
        Translated { id: id.to_owned(), from: from.to_owned(), to: "x".to_owned(), ..Translated::default() }
    }

    #[test]
    fn numbered_texts_are_found_by_what_they_say() {
        let lines = [line("a.note.1", "The bell rings"), line("a.note.2", "All sleep on"), line("a.note.3", "New")];
        let lines: Vec<&Line> = lines.iter().collect();
        // One was put before the two, and the first of these was mended.
        let texts = [text("a.note.1", "All sleep"), text("a.note.2", "The bell rings"), text("b.note.1", "New")];
        assert_eq!(align(&lines, &texts), [Some(1), Some(0), None]);
    }

    #[test]
    fn named_texts_are_found_by_their_names_whatever_they_say() {
        let lines = [line("zone.deck", "the deck")];
        let texts = [text("zone.pile", "the deck"), text("zone.deck", "quite another name")];
        assert_eq!(align(&lines.iter().collect::<Vec<_>>(), &texts), [Some(1)]);
    }
}
