//! Text on a grid of cells: measuring, cutting, wrapping, and putting blocks of lines side by side.

use ratatui::text::{Line, Span};

/// A block of styled lines, drawn from its top left corner.
pub(super) type Lines = Vec<Line<'static>>;

/// How many cells a text takes.
pub(super) fn width(text: &str) -> usize {
    Span::raw(text).width()
}

/// The text, cut to the room it has; a cut shows as `…`.
pub(super) fn clip(text: &str, room: usize) -> String {
    if width(text) <= room {
        return text.to_owned();
    }
    let mut short = String::new();
    for letter in text.chars() {
        if width(&short) + width(letter.encode_utf8(&mut [0; 4])) + 1 > room {
            break;
        }
        short.push(letter);
    }
    if room > 0 {
        short.push('…');
    }
    short
}

/// The text, cut or filled with spaces to exactly the room it has.
pub(super) fn pad(text: &str, room: usize) -> String {
    let mut text = clip(text, room);
    text.extend(std::iter::repeat_n(' ', room.saturating_sub(width(&text))));
    text
}

/// The text broken at spaces; words longer than a line are broken too.
pub(super) fn wrap(text: &str, room: usize) -> Vec<String> {
    let room = room.max(1);
    let mut lines = Vec::new();
    for paragraph in text.split('\n') {
        let mut line = String::new();
        for word in paragraph.split_whitespace() {
            let mut word = word.to_owned();
            if !line.is_empty() && width(&line) + 1 + width(&word) > room {
                lines.push(std::mem::take(&mut line));
            }
            while width(&word) > room {
                let head = prefix(&word, room);
                word = word.split_off(head.len());
                lines.push(head);
            }
            if !line.is_empty() && !word.is_empty() {
                line.push(' ');
            }
            line.push_str(&word);
        }
        lines.push(line);
    }
    lines
}

/// The longest beginning that fits, at least one letter.
pub(super) fn prefix(text: &str, room: usize) -> String {
    let mut head = String::new();
    for letter in text.chars() {
        if !head.is_empty() && width(&head) + width(letter.encode_utf8(&mut [0; 4])) > room {
            break;
        }
        head.push(letter);
    }
    head
}

/// Lays items in rows, as words in a paragraph, with a gap between neighbours.
pub(super) fn flow(items: Vec<Vec<Span<'static>>>, room: usize, gap: &str) -> Lines {
    let mut lines = Lines::new();
    let mut line = Line::default();
    for item in items {
        let wide: usize = item.iter().map(Span::width).sum();
        if line.width() > 0 {
            if line.width() + width(gap) + wide > room {
                lines.push(std::mem::take(&mut line));
            } else {
                line.push_span(Span::raw(gap.to_owned()));
            }
        }
        item.into_iter().for_each(|span| line.push_span(span));
    }
    if line.width() > 0 {
        lines.push(line);
    }
    lines.into_iter().map(|line| fit(line, room)).collect()
}

/// The line, cut to the room it has.
pub(super) fn fit(line: Line<'static>, room: usize) -> Line<'static> {
    if line.width() <= room {
        return line;
    }
    let mut short = Line::default();
    for span in line.spans {
        let left = room.saturating_sub(short.width());
        if span.width() > left || left == 0 {
            short.push_span(Span::styled(clip(&span.content, left), span.style));
            break;
        }
        short.push_span(span);
    }
    short
}

/// The line, cut or filled with spaces to exactly the room it has.
pub(super) fn fill(line: Line<'static>, room: usize) -> Line<'static> {
    let mut line = fit(line, room);
    let gap = room.saturating_sub(line.width());
    if gap > 0 {
        line.push_span(Span::raw(" ".repeat(gap)));
    }
    line
}

/// Puts blocks next to each other, each with its own width, one space apart.
pub(super) fn beside(blocks: Vec<(usize, Lines)>) -> Lines {
    let tall = blocks.iter().map(|(_, lines)| lines.len()).max().unwrap_or(0);
    let mut rows = vec![Line::default(); tall];
    let last = blocks.len().saturating_sub(1);
    for (index, (room, lines)) in blocks.into_iter().enumerate() {
        let mut lines = lines.into_iter();
        for row in &mut rows {
            let line = fill(lines.next().unwrap_or_default(), room);
            line.spans.into_iter().for_each(|span| row.push_span(span));
            if index < last {
                row.push_span(Span::raw(" "));
            }
        }
    }
    rows
}

/// Plain words for a number of milliseconds.
pub(super) fn seconds(milliseconds: u64) -> String {
    format!("{}.{} s", milliseconds / 1000, milliseconds % 1000 / 100)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clipping_keeps_what_fits_and_marks_the_cut() {
        assert_eq!(clip("Lantern", 7), "Lantern");
        assert_eq!(clip("Lantern", 4), "Lan…");
        assert_eq!(clip("Lantern", 0), "");
        assert_eq!(pad("日本", 6), "日本  ");
        assert_eq!(pad("日本語", 5), "日本…");
    }

    #[test]
    fn wrapping_breaks_at_spaces_and_inside_long_words() {
        assert_eq!(wrap("take one lamp", 8), ["take one", "lamp"]);
        assert_eq!(wrap("a incandescent", 6), ["a", "incand", "escent"]);
        assert_eq!(wrap("one\ntwo", 10), ["one", "two"]);
    }

    #[test]
    fn blocks_beside_each_other_are_filled_to_their_width() {
        let rows = beside(vec![(3, vec![Line::raw("a")]), (2, vec![Line::raw("b"), Line::raw("c")])]);
        let rows: Vec<String> = rows.iter().map(ToString::to_string).collect();
        assert_eq!(rows, ["a   b ", "    c "]);
    }

    #[test]
    fn flowing_items_start_a_new_row_when_one_is_full() {
        let items = ["one", "two", "three"].map(|word| vec![Span::raw(word)]).to_vec();
        let rows: Vec<String> = flow(items, 9, " · ").iter().map(ToString::to_string).collect();
        assert_eq!(rows, ["one · two", "three"]);
    }
}
