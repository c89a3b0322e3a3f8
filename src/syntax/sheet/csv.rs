//! Comma-separated values with the places of their cells: RFC 4180, and the semicolons or tabs that spreadsheets write where a
//! comma stands in numbers. The libraries for it give records without places, and errors are to point at cells.

use crate::base::{Code, Diagnostic, Diagnostics, FileId, Span};
use std::borrow::Cow;
use std::ops::Range;

/// The cells of a row.
pub(super) type Row = Vec<Cell>;

/// A cell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Cell {
    /// All of it, with its quotes, without the space around.
    pub outer: Range<usize>,
    /// What it says.
    pub inner: Range<usize>,
    /// Whether quotes are written twice in it.
    doubled: bool,
}

impl Cell {
    /// What it says.
    pub fn value(&self, text: &str) -> String {
        let inner = text.get(self.inner.clone()).unwrap_or_default();
        if self.doubled { inner.replace("\"\"", "\"") } else { inner.to_owned() }
    }

    /// What it says, each part at its place: of two quotes that stand for one, a space takes the place of the outer.
    pub fn padded<'t>(&self, text: &'t str) -> Cow<'t, str> {
        let inner = text.get(self.inner.clone()).unwrap_or_default();
        if !self.doubled {
            return Cow::Borrowed(inner);
        }
        let mut parts = inner.split("\"\"");
        let mut padded = parts.next().unwrap_or_default().to_owned();
        for (index, part) in parts.enumerate() {
            padded.push_str(if index % 2 == 0 { " \"" } else { "\" " });
            padded.push_str(part);
        }
        Cow::Owned(padded)
    }
}

/// All rows, empty ones among them. None of a text whose rows cannot be told, which is reported.
pub(super) fn rows(file: FileId, text: &str, diagnostics: &mut Diagnostics) -> Option<Vec<Row>> {
    let start = if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
    let separator = separator(text.get(start..).unwrap_or_default());
    let bytes = text.as_bytes();
    let is_space = |byte: u8| (byte == b' ' || byte == b'\t' || byte == b'\r') && byte != separator;
    let ends = |byte: u8| byte == separator || byte == b'\n';
    let skip = |mut at: usize| {
        while bytes.get(at).is_some_and(|byte| is_space(*byte)) {
            at += 1;
        }
        at
    };
    let mut rows = Vec::new();
    let mut row = Row::new();
    let mut at = start;
    while at < bytes.len() || !row.is_empty() {
        at = skip(at);
        let from = at;
        if bytes.get(at) == Some(&b'"') {
            let (close, doubled) = match closing(bytes, at + 1) {
                Some(found) => found,
                None => {
                    diagnostics.push(
                        Diagnostic::new(
                            Code::BadTable,
                            Span::new(file, from, from + 1),
                            "the quotes of this cell are never closed",
                        )
                        .help("a quote within a cell is written twice: `\"\"`"),
                    );
                    return None;
                }
            };
            row.push(Cell { outer: from..close + 1, inner: from + 1..close, doubled });
            at = skip(close + 1);
            if bytes.get(at).is_some_and(|byte| !ends(*byte)) {
                let end = (at..bytes.len()).find(|at| ends(bytes[*at])).unwrap_or(bytes.len());
                let found = Diagnostic::new(
                    Code::BadTable,
                    Span::new(file, at, end),
                    "this stands behind the quotes of a cell",
                );
                diagnostics.push(found.help("a quote within a cell is written twice: `\"\"`"));
                at = end;
            }
        } else {
            at = (at..bytes.len()).find(|at| ends(bytes[*at])).unwrap_or(bytes.len());
            let end = from + text.get(from..at).unwrap_or_default().trim_end().len();
            row.push(Cell { outer: from..end, inner: from..end, doubled: false });
        }
        // A separator at the very end is followed by one more cell.
        if bytes.get(at) != Some(&separator) {
            rows.push(std::mem::take(&mut row));
        }
        at += 1;
    }
    Some(rows)
}

/// What stands between the cells of a table: what does in its first row.
fn separator(text: &str) -> u8 {
    let mut quoted = false;
    let first = text.bytes().skip_while(u8::is_ascii_whitespace).take_while(|byte| *byte != b'\n');
    for byte in first {
        match byte {
            b'"' => quoted = !quoted,
            b',' | b';' | b'\t' if !quoted => return byte,
            _ => {}
        }
    }
    b','
}

/// The quote that ends a cell, and whether others are written twice before it.
fn closing(bytes: &[u8], mut at: usize) -> Option<(usize, bool)> {
    let mut doubled = false;
    loop {
        at += bytes.get(at..)?.iter().position(|byte| *byte == b'"')?;
        if bytes.get(at + 1) != Some(&b'"') {
            return Some((at, doubled));
        }
        doubled = true;
        at += 2;
    }
}
