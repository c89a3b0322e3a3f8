//! Renders diagnostics for people, with the lines they speak of, and as JSON for programs.

use super::{Diagnostic, FileId, Severity, SourceMap, Span, visible, visible_lines};
use anstyle::{AnsiColor, Style};
use serde::Serialize;
use std::borrow::Cow;
use std::collections::BTreeMap;
use unicode_width::UnicodeWidthStr;

/// The version of the JSON form; it changes only when a field changes its meaning or goes away.
const JSON_SCHEMA: u32 = 1;

/// How many columns a tab takes in a shown line.
const TAB: &str = "    ";

/// Writes findings the way compilers do: message, place, the line with what is meant underlined, other places, help.
/// Findings are separated by an empty line. Of many that are alike, and of very many, some are shown and the rest counted.
pub fn render_text(diagnostics: &[Diagnostic], sources: &SourceMap, color: bool) -> String {
    let paint = Paint { color };
    let (shown, left) = select(diagnostics);
    let mut texts: Vec<String> = Vec::new();
    for (diagnostic, more) in shown {
        let mut text = render_one(diagnostic, sources, paint);
        if more > 0 {
            push_line(&mut text, &format!("... and {more} more like this"));
        }
        texts.push(text);
    }
    if left > 0 {
        texts.push(format!("... and {left} other findings\n"));
    }
    texts.join("\n")
}

/// Findings that are shown, and those of one code that say the same of other names.
const MOST_SHOWN: usize = 100;
const MOST_ALIKE: usize = 10;

/// The findings to be shown, each with how many like it are left out behind it, and how many are left out besides.
fn select(diagnostics: &[Diagnostic]) -> (Vec<(&Diagnostic, usize)>, usize) {
    let mut alike: BTreeMap<(&str, String), usize> = BTreeMap::new();
    let shapes: Vec<(&str, String)> = diagnostics.iter().map(shape).collect();
    for shape in &shapes {
        *alike.entry(shape.clone()).or_default() += 1;
    }
    let mut seen: BTreeMap<&(&str, String), usize> = BTreeMap::new();
    let mut chosen = Vec::new();
    for (diagnostic, shape) in diagnostics.iter().zip(&shapes) {
        let before = seen.entry(shape).or_default();
        *before += 1;
        let all = alike.get(shape).copied().unwrap_or(0);
        match *before {
            count if count < MOST_ALIKE => chosen.push((diagnostic, 0)),
            MOST_ALIKE => chosen.push((diagnostic, all - MOST_ALIKE)),
            _ => {}
        }
    }
    // Where there are too many, errors go before warnings.
    let errors = chosen.iter().filter(|(diagnostic, _)| diagnostic.is_error()).count();
    let (mut places, mut left) = ([errors.min(MOST_SHOWN), MOST_SHOWN.saturating_sub(errors)], 0);
    chosen.retain(|(diagnostic, more)| {
        let places = &mut places[usize::from(!diagnostic.is_error())];
        let fits = *places > 0;
        *places = places.saturating_sub(1);
        left += if fits { 0 } else { 1 + more };
        fits
    });
    (chosen, left)
}

/// What findings have in common that are alike: their code, and what they say without the author's texts.
fn shape(diagnostic: &Diagnostic) -> (&'static str, String) {
    let said = diagnostic.message.split('`').step_by(2).collect::<Vec<_>>().join("`");
    (diagnostic.code.text(), said.chars().filter(|letter| !letter.is_ascii_digit()).collect())
}

/// Colours, or none.
#[derive(Clone, Copy)]
struct Paint {
    color: bool,
}

impl Paint {
    fn with(self, style: Style, text: &str) -> String {
        if self.color && !text.is_empty() { format!("{style}{text}{style:#}") } else { text.to_owned() }
    }

    fn severity(self, severity: Severity) -> Style {
        let color = match severity {
            Severity::Error => AnsiColor::Red,
            Severity::Warning => AnsiColor::Yellow,
        };
        color.on_default().bold()
    }

    fn frame(self, text: &str) -> String {
        self.with(AnsiColor::Blue.on_default().bold(), text)
    }
}

fn render_one(diagnostic: &Diagnostic, sources: &SourceMap, paint: Paint) -> String {
    let severity = diagnostic.code.severity();
    let style = paint.severity(severity);
    let head = format!("{}[{}]", severity_word(severity), diagnostic.code);
    let message = clip(&diagnostic.message);
    let mut out = format!("{}: {}\n", paint.with(style, &head), paint.with(Style::new().bold(), &visible(&message)));
    let spans = std::iter::once(diagnostic.span).chain(diagnostic.labels.iter().map(|label| label.span));
    let widest = spans.map(|span| last_position(sources, span).to_string().len()).max().unwrap_or(1);
    let place = Place { sources, paint, gutter: widest };
    place.snippet(&mut out, diagnostic.span, "-->", '^', style, &visible(&diagnostic.note));
    for label in &diagnostic.labels {
        let style = AnsiColor::Cyan.on_default().bold();
        place.snippet(&mut out, label.span, ":::", '-', style, &visible(&label.text));
    }
    if let Some(help) = &diagnostic.help {
        let pad = " ".repeat(widest + 1);
        for (index, line) in visible_lines(&clip(help)).lines().enumerate() {
            let lead = if index == 0 { "= help: " } else { "        " };
            push_line(&mut out, &format!("{pad}{}{line}", paint.frame(lead)));
        }
    }
    out
}

/// Letters of a message or a piece of advice that are shown.
const LONGEST_TEXT: usize = 1_000;
/// Letters of a source line that are shown, and how many of them stand before what is marked.
const LONGEST_LINE: usize = 200;
const BEFORE_MARK: usize = 60;

/// A text without what is too long of it.
fn clip(text: &str) -> Cow<'_, str> {
    match text.char_indices().nth(LONGEST_TEXT) {
        Some((end, _)) => Cow::Owned(format!("{} ...", &text[..end])),
        None => Cow::Borrowed(text),
    }
}

/// The part of a long line around what is marked, and where that stands in it.
fn window(line: &str, range: (usize, usize)) -> (Cow<'_, str>, (usize, usize)) {
    let length = line.chars().count();
    if length <= LONGEST_LINE {
        return (Cow::Borrowed(line), range);
    }
    let start = range.0.saturating_sub(BEFORE_MARK).min(length - LONGEST_LINE);
    let end = start + LONGEST_LINE;
    let lead = if start > 0 { "..." } else { "" };
    let trail = if end < length { "..." } else { "" };
    let part: String = line.chars().skip(start).take(LONGEST_LINE).collect();
    let shift = |at: usize| at.min(end).saturating_sub(start) + lead.len();
    (Cow::Owned(format!("{lead}{part}{trail}")), (shift(range.0), shift(range.1)))
}

fn severity_word(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
    }
}

fn push_line(out: &mut String, line: &str) {
    out.push_str(line.trim_end());
    out.push('\n');
}

/// The line of the last byte of a span.
fn last_position(sources: &SourceMap, span: Span) -> u32 {
    sources.position(span.file, span.end.saturating_sub(1).max(span.start)).line
}

/// What all snippets of one finding share.
struct Place<'a> {
    sources: &'a SourceMap,
    paint: Paint,
    gutter: usize,
}

impl Place<'_> {
    /// Writes where a span is and the lines at its ends, underlined; the text of lines between is left out.
    fn snippet(&self, out: &mut String, span: Span, arrow: &str, mark: char, style: Style, note: &str) {
        let pad = " ".repeat(self.gutter);
        let located = self.sources.locate(span);
        push_line(out, &format!("{pad}{} {located}", self.paint.frame(arrow)));
        if self.sources.text(span.file).is_empty() {
            if !note.is_empty() {
                push_line(out, &format!("{pad} {} {note}", self.paint.frame("=")));
            }
            return;
        }
        let first = self.sources.position(span.file, span.start);
        let last = last_position(self.sources, span);
        let bar = self.paint.frame("|");
        push_line(out, &format!("{pad} {bar}"));
        let start = first.column as usize - 1;
        let end = self.sources.position(span.file, span.end).column as usize - 1;
        if first.line == last {
            let end = if self.sources.position(span.file, span.end).line == last { end } else { usize::MAX };
            self.line(out, span.file, last, (start, end), mark, style, note);
            return;
        }
        self.line(out, span.file, first.line, (start, usize::MAX), mark, style, "");
        if last > first.line + 1 {
            push_line(out, &self.paint.frame("..."));
        }
        let text = self.sources.line(span.file, last);
        let indent = text.chars().take_while(|c| c.is_whitespace()).count();
        let end = if self.sources.position(span.file, span.end).line == last { end } else { usize::MAX };
        self.line(out, span.file, last, (indent.min(end), end), mark, style, note);
    }

    /// Writes one source line and marks the characters `range` of it.
    #[allow(clippy::too_many_arguments)] // one call site's worth of layout facts; a struct would only rename them
    fn line(
        &self,
        out: &mut String,
        file: FileId,
        line: u32,
        range: (usize, usize),
        mark: char,
        style: Style,
        note: &str,
    ) {
        let (text, range) = window(self.sources.line(file, line), range);
        let bar = self.paint.frame("|");
        let number = self.paint.frame(&format!("{line:>width$}", width = self.gutter));
        push_line(out, &format!("{number} {bar} {}", visible(&text).replace('\t', TAB)));
        let width = |chars: String| visible(&chars).replace('\t', TAB).width();
        let text: &str = &text;
        let before = width(text.chars().take(range.0).collect());
        let marked = width(text.chars().skip(range.0).take(range.1.saturating_sub(range.0)).collect());
        let marks = mark.to_string().repeat(marked.max(1));
        let note = if note.is_empty() { marks } else { format!("{marks} {note}") };
        let pad = " ".repeat(self.gutter);
        push_line(out, &format!("{pad} {bar} {}{}", " ".repeat(before), self.paint.with(style, &note)));
    }
}

#[derive(Serialize)]
struct JsonReport<'a> {
    schema: u32,
    diagnostics: Vec<JsonDiagnostic<'a>>,
}

#[derive(Serialize)]
struct JsonDiagnostic<'a> {
    code: &'static str,
    severity: &'static str,
    message: &'a str,
    #[serde(flatten)]
    place: JsonPlace<'a>,
    note: &'a str,
    labels: Vec<JsonLabel<'a>>,
    help: Option<&'a str>,
    /// How the text is changed so that it is mended, where that is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    mend: Option<JsonMend<'a>>,
}

#[derive(Serialize)]
struct JsonMend<'a> {
    certain: bool,
    edits: Vec<JsonEdit<'a>>,
}

#[derive(Serialize)]
struct JsonEdit<'a> {
    text: String,
    #[serde(flatten)]
    place: JsonPlace<'a>,
}

#[derive(Serialize)]
struct JsonLabel<'a> {
    text: &'a str,
    #[serde(flatten)]
    place: JsonPlace<'a>,
}

#[derive(Serialize)]
struct JsonPlace<'a> {
    file: &'a str,
    line: u32,
    column: u32,
    end_line: u32,
    end_column: u32,
}

/// Writes findings as one JSON object: `{"schema":1,"diagnostics":[...]}`. Lines and columns count from 1, columns in
/// characters; the end is the position after the last character.
pub fn render_json(diagnostics: &[Diagnostic], sources: &SourceMap) -> String {
    let place = |span: Span| {
        let start = sources.position(span.file, span.start);
        let end = sources.position(span.file, span.end);
        let file = sources.name(span.file);
        JsonPlace { file, line: start.line, column: start.column, end_line: end.line, end_column: end.column }
    };
    let diagnostics = diagnostics
        .iter()
        .map(|diagnostic| JsonDiagnostic {
            code: diagnostic.code.text(),
            severity: severity_word(diagnostic.code.severity()),
            message: &diagnostic.message,
            place: place(diagnostic.span),
            note: &diagnostic.note,
            labels: diagnostic
                .labels
                .iter()
                .map(|label| JsonLabel { text: &label.text, place: place(label.span) })
                .collect(),
            help: diagnostic.help.as_deref(),
            mend: diagnostic.mend.as_ref().map(|mend| JsonMend {
                certain: mend.certain,
                edits: mend
                    .edits_in(sources)
                    .into_iter()
                    .map(|(span, text)| JsonEdit { text, place: place(span) })
                    .collect(),
            }),
        })
        .collect();
    // Plain strings and numbers always serialise.
    serde_json::to_string(&JsonReport { schema: JSON_SCHEMA, diagnostics }).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::Code;

    fn sample() -> (SourceMap, FileId) {
        let mut sources = SourceMap::default();
        let file = sources.add("a.rules", "zone den {\n\tholds: tööl\n}\nzone den { }\n");
        (sources, file)
    }

    #[test]
    fn a_finding_shows_its_line_its_labels_and_its_help() {
        let (sources, file) = sample();
        let finding = Diagnostic::new(Code::Duplicate, Span::new(file, 33, 36), "`den` is declared twice")
            .note("declared again")
            .label(Span::new(file, 5, 8), "first declared here")
            .help("choose another name");
        let expected = "\
error[E0102]: `den` is declared twice
 --> a.rules:4:6
  |
4 | zone den { }
  |      ^^^ declared again
 ::: a.rules:1:6
  |
1 | zone den {
  |      --- first declared here
  = help: choose another name
";
        assert_eq!(render_text(&[finding], &sources, false), expected);
    }

    #[test]
    fn a_long_line_is_shown_around_what_is_meant() {
        let mut sources = SourceMap::default();
        let line = "define a = b ".repeat(5_000);
        let file = sources.add("a.rules", line);
        for (start, end) in [(0, 6), (30_000, 30_006), (64_990, 65_000), (0, 65_000)] {
            let shown =
                render_text(&[Diagnostic::new(Code::NotAKind, Span::new(file, start, end), "no")], &sources, false);
            assert!(shown.lines().all(|line| line.chars().count() < 220), "{shown}");
            let lines: Vec<&str> = shown.lines().collect();
            let (at, marks) = (lines[4].find('^').unwrap(), lines[4].matches('^').count());
            assert_eq!(lines[3][at..at + marks.min(6)], "define a = b define a = b "[start % 13..][..marks.min(6)]);
        }
    }

    #[test]
    fn many_that_are_alike_are_counted() {
        let (sources, file) = sample();
        let unknown = |n: usize| Diagnostic::new(Code::NotAKind, Span::new(file, 5, 8), format!("there is no `x{n}`"));
        let mut found: Vec<Diagnostic> = (0..128).map(unknown).collect();
        found.push(Diagnostic::new(Code::Duplicate, Span::new(file, 5, 8), "another"));
        let shown = render_text(&found, &sources, false);
        assert_eq!(shown.matches("error[").count(), 11);
        assert!(shown.contains("... and 118 more like this\n\nerror[E0102]: another"), "{shown}");
        let words = |n: usize| format!("message {}", "i".repeat(n));
        let many: Vec<Diagnostic> =
            (0..300).map(|n| Diagnostic::new(Code::UnusedName, Span::new(file, 5, 8), words(n))).collect();
        let shown = render_text(&many, &sources, false);
        assert!(shown.matches("warning[").count() == 100 && shown.ends_with("... and 200 other findings\n"), "{shown}");
    }

    #[test]
    fn tabs_and_wide_letters_keep_the_underline_in_place() {
        let (sources, file) = sample();
        let finding = Diagnostic::new(Code::NotAKind, Span::new(file, 19, 25), "`tööl` is not a kind");
        let shown = render_text(&[finding], &sources, false);
        assert!(shown.contains("2 |     holds: tööl\n  |            ^^^^\n"), "{shown}");
    }

    #[test]
    fn a_span_over_several_lines_shows_both_ends() {
        let (sources, file) = sample();
        let finding = Diagnostic::new(Code::EmptyZone, Span::new(file, 0, 27), "nothing reaches `den`").note("here");
        let shown = render_text(&[finding], &sources, false);
        assert!(shown.contains("1 | zone den {\n  | ^^^^^^^^^^\n...\n3 | }\n  | ^ here\n"), "{shown}");
        assert!(shown.lines().all(|line| line == line.trim_end()), "trailing space in {shown}");
    }

    #[test]
    fn json_names_every_field() {
        let (sources, file) = sample();
        let finding = Diagnostic::new(Code::UnusedName, Span::new(file, 5, 8), "a \"quoted\" word");
        assert_eq!(
            render_json(&[finding], &sources),
            "{\"schema\":1,\"diagnostics\":[{\"code\":\"W0007\",\"severity\":\"warning\",\"message\":\"a \\\"quoted\\\" word\",\
             \"file\":\"a.rules\",\"line\":1,\"column\":6,\"end_line\":1,\"end_column\":9,\"note\":\"\",\"labels\":[],\"help\":null}]}"
        );
        let finding =
            Diagnostic::new(Code::UnusedName, Span::new(file, 5, 8), "a word").mend(Span::new(file, 5, 8), "b");
        let text = render_json(&[finding], &sources);
        let mend = "\"mend\":{\"certain\":true,\"edits\":[{\"text\":\"b\",\"file\":\"a.rules\",\"line\":1,\"column\":6,\
                    \"end_line\":1,\"end_column\":9}]}";
        assert!(text.contains(mend), "{text}");
    }
}
