//! Which translation is of which text, where the rules have changed since the file was written.

use super::Line;
use crate::syntax::Translated;
use std::collections::{BTreeMap, VecDeque};

/// How alike two texts are that are taken for the same, one of them changed.
const ALIKE: f64 = 0.6;
/// So many pairs of texts are compared, each by so many characters at the most.
const MOST_COMPARED: usize = 4_096;
const LONGEST_COMPARED: usize = 200;

/// For each line its translation, by position in `texts`. A text of the same id is its translation. The ids of texts without a name of
/// their own end with a number, which changes with what stands before them: so among these the one that was made from the same
/// text goes first, then the most like one.
pub fn align(lines: &[&Line], texts: &[&Translated]) -> Vec<Option<usize>> {
    let mut found = vec![None; lines.len()];
    let mut free = vec![true; texts.len()];
    let (mut by_id, mut by_text, mut by_group) = (BTreeMap::new(), BTreeMap::new(), BTreeMap::new());
    for (index, text) in texts.iter().enumerate() {
        let group = group_of(&text.id);
        by_id.entry(text.id.as_str()).or_insert(index);
        by_text.entry((group, text.from.as_str())).or_insert_with(VecDeque::new).push_back(index);
        by_group.entry(group).or_insert_with(Vec::new).push(index);
    }
    for (line, found) in lines.iter().zip(&mut found) {
        let same = by_id.get(line.id.as_str()).copied();
        *found = same.filter(|text| free[*text] && (!line.numbered || texts[*text].from == line.text));
        found.iter().for_each(|text| free[*text] = false);
    }
    for (line, found) in lines.iter().zip(&mut found).filter(|(line, found)| line.numbered && found.is_none()) {
        let Some(alike) = by_text.get_mut(&(group_of(&line.id), line.text.as_str())) else { continue };
        while let (None, Some(text)) = (*found, alike.pop_front()) {
            *found = Some(text).filter(|text| std::mem::take(&mut free[*text]));
        }
    }
    let mut pairs: Vec<(f64, usize, usize)> = Vec::new();
    for (index, line) in lines.iter().enumerate().filter(|(index, line)| line.numbered && found[*index].is_none()) {
        let near = by_group.get(group_of(&line.id)).into_iter().flatten().filter(|text| free[**text]);
        for text in near.take(MOST_COMPARED.saturating_sub(pairs.len())) {
            let (now, then) = (first_of(&line.text), first_of(&texts[*text].from));
            pairs.push((strsim::normalized_levenshtein(now, then), index, *text));
        }
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

/// As much of a text as is compared.
fn first_of(text: &str) -> &str {
    text.char_indices().nth(LONGEST_COMPARED).and_then(|(end, _)| text.get(..end)).unwrap_or(text)
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
        assert_eq!(align(&lines, &texts.iter().collect::<Vec<_>>()), [Some(1), Some(0), None]);
    }

    #[test]
    fn named_texts_are_found_by_their_names_whatever_they_say() {
        let lines = [line("zone.deck", "the deck")];
        let texts = [text("zone.pile", "the deck"), text("zone.deck", "quite another name")];
        assert_eq!(align(&lines.iter().collect::<Vec<_>>(), &[&texts[0], &texts[1]]), [Some(1)]);
    }
}
