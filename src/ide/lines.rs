//! Lines of a text, and positions in it as editors count them.

/// A position as editors count: both from 0, columns in units of UTF-16.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Position {
    /// Line, from 0.
    pub line: u32,
    /// Units of UTF-16 before it in its line.
    pub column: u32,
}

/// Where the lines of a text begin.
#[derive(Clone, Debug)]
pub struct Lines {
    starts: Vec<usize>,
}

impl Lines {
    /// The lines of a text.
    pub fn of(text: &str) -> Lines {
        Lines { starts: std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1)).collect() }
    }

    /// The line of a byte, from 0.
    pub fn line(&self, offset: usize) -> usize {
        self.starts.partition_point(|start| *start <= offset).max(1) - 1
    }

    /// Where a line begins.
    pub fn start(&self, line: usize) -> usize {
        self.starts.get(line).copied().unwrap_or(0)
    }

    /// The text of a line with its line end; nothing past the last.
    pub fn text<'t>(&self, text: &'t str, line: usize) -> &'t str {
        let Some(start) = self.starts.get(line) else { return "" };
        let end = self.starts.get(line + 1).copied().unwrap_or(text.len());
        text.get(*start..end).unwrap_or("")
    }

    /// The position of a byte.
    pub fn position(&self, text: &str, offset: usize) -> Position {
        let line = self.line(offset.min(text.len()));
        let before = text.get(self.start(line)..offset.min(text.len())).unwrap_or("");
        Position { line: line as u32, column: before.encode_utf16().count() as u32 }
    }

    /// The byte at a position: the end of the line for one behind it, the end of the text for a line that there is not.
    pub fn offset(&self, text: &str, position: Position) -> usize {
        let line = position.line as usize;
        if line >= self.starts.len() {
            return text.len();
        }
        let content = self.text(text, line).trim_end_matches(['\n', '\r']);
        let mut units = 0;
        for (at, letter) in content.char_indices() {
            if units >= position.column as usize {
                return self.start(line) + at;
            }
            units += letter.len_utf16();
        }
        self.start(line) + content.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_counted_in_units_of_utf_16() {
        let text = "a\u{e4}\u{1F600}b\r\nsecond";
        let lines = Lines::of(text);
        let b = text.find('b').unwrap();
        assert_eq!(lines.position(text, b), Position { line: 0, column: 4 });
        assert_eq!(lines.offset(text, Position { line: 0, column: 4 }), b);
        assert_eq!(lines.offset(text, Position { line: 0, column: 99 }), b + 1);
        assert_eq!(lines.offset(text, Position { line: 1, column: 3 }), text.find("ond").unwrap());
        assert_eq!(lines.offset(text, Position { line: 7, column: 0 }), text.len());
        for at in (0..text.len()).filter(|at| text.is_char_boundary(*at) && *at != b + 1) {
            let position = lines.position(text, at);
            assert!(lines.offset(text, position) == at || text[at..].starts_with('\n'), "{at}");
        }
    }
}
