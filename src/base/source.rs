//! Source files and positions in them.

/// A file of a [`SourceMap`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FileId(pub u16);

/// A range of bytes in one file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span {
    /// The file.
    pub file: FileId,
    /// Byte offset of the first byte.
    pub start: u32,
    /// Byte offset after the last byte.
    pub end: u32,
}

impl Span {
    /// A span of the bytes `start..end` of a file.
    pub fn new(file: FileId, start: usize, end: usize) -> Self {
        Span { file, start: u32::try_from(start).unwrap_or(u32::MAX), end: u32::try_from(end).unwrap_or(u32::MAX) }
    }

    /// Whether another begins one character behind it.
    pub fn next_to(self, other: Span) -> bool {
        self.file == other.file && self.end + 1 == other.start
    }

    /// Whether another lies within it.
    pub fn covers(self, other: Span) -> bool {
        self.file == other.file && self.start <= other.start && other.end <= self.end
    }

    /// The smallest span that covers both; both must be of one file.
    pub fn to(self, other: Span) -> Span {
        Span { file: self.file, start: self.start.min(other.start), end: self.end.max(other.end) }
    }
}

/// A position as people count: both from 1, columns in characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LineColumn {
    /// Line, from 1.
    pub line: u32,
    /// Column in characters, from 1.
    pub column: u32,
}

struct SourceFile {
    name: String,
    text: String,
    lines: Vec<u32>,
}

/// The texts that spans point into.
#[derive(Default)]
pub struct SourceMap {
    files: Vec<SourceFile>,
}

impl SourceMap {
    /// Adds a file and gives its id. `name` is the path shown to people.
    pub fn add(&mut self, name: impl Into<String>, text: impl Into<String>) -> FileId {
        let (name, text) = (super::visible(&name.into()).into_owned(), text.into());
        let lines = std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at as u32 + 1)).collect();
        self.files.push(SourceFile { name, text, lines });
        FileId(self.files.len() as u16 - 1)
    }

    /// The id that the next file will have.
    pub fn next(&self) -> FileId {
        FileId(self.files.len() as u16)
    }

    /// The path of a file.
    pub fn name(&self, file: FileId) -> &str {
        self.files.get(usize::from(file.0)).map_or("<unknown>", |file| &file.name)
    }

    /// The text of a file.
    pub fn text(&self, file: FileId) -> &str {
        self.files.get(usize::from(file.0)).map_or("", |file| &file.text)
    }

    /// The text a span covers.
    pub fn slice(&self, span: Span) -> &str {
        self.text(span.file).get(span.start as usize..span.end as usize).unwrap_or("")
    }

    /// All files.
    pub fn files(&self) -> impl Iterator<Item = FileId> + use<> {
        (0..self.files.len()).map(|index| FileId(index as u16))
    }

    /// Line and column of a byte offset.
    pub fn position(&self, file: FileId, offset: u32) -> LineColumn {
        let Some(source) = self.files.get(usize::from(file.0)) else {
            return LineColumn { line: 1, column: 1 };
        };
        let line = source.lines.partition_point(|start| *start <= offset).max(1) - 1;
        let start = source.lines.get(line).copied().unwrap_or(0) as usize;
        let column =
            source.text.get(start..(offset as usize).min(source.text.len())).map_or(0, |text| text.chars().count());
        LineColumn { line: line as u32 + 1, column: column as u32 + 1 }
    }

    /// The text of a line, from 1, without its line end.
    pub fn line(&self, file: FileId, line: u32) -> &str {
        let Some(source) = self.files.get(usize::from(file.0)) else { return "" };
        let start = source.lines.get(line as usize - 1).copied().unwrap_or(0) as usize;
        let end = source.lines.get(line as usize).map_or(source.text.len(), |end| *end as usize);
        source.text.get(start..end).unwrap_or("").trim_end_matches(['\n', '\r'])
    }

    /// `path:line:column` of a span's start.
    pub fn locate(&self, span: Span) -> String {
        let at = self.position(span.file, span.start);
        format!("{}:{}:{}", self.name(span.file), at.line, at.column)
    }
}
