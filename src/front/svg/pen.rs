//! Drawing with text: elements, numbers, letters. A picture is made of blocks that know their size and are put beside
//! and below each other.

use crate::base::{Colour, visible};
use std::fmt::Write;

/// Ordinary writing, lesser writing, and thin lines.
pub(in crate::front) const INK: Colour = Colour(0x2b_2d_31);
pub(in crate::front) const FAINT: Colour = Colour(0x6f_6a_60);
pub(in crate::front) const LINE: Colour = Colour(0xc9_bf_ab);
/// The ground that pictures lie on, and that of panels on it.
pub(super) const GROUND: Colour = Colour(0xf6_f2_e9);
pub(in crate::front) const PANEL: Colour = Colour(0xfd_fb_f6);
/// What is possible now, and what was done last.
pub(super) const LEGAL: Colour = Colour(0x1f_8a_5b);
pub(super) const LAST: Colour = Colour(0xe0_72_1b);

/// A part of a picture, drawn from its top left corner.
#[derive(Clone, Debug, Default)]
pub(super) struct Block {
    pub wide: f64,
    pub tall: f64,
    pub body: String,
}

/// How a text is set.
#[derive(Clone, Copy, Debug)]
pub(in crate::front) struct Type {
    pub size: f64,
    pub bold: bool,
    pub colour: Colour,
}

impl Type {
    pub fn plain(size: f64, colour: Colour) -> Type {
        Type { size, bold: false, colour }
    }

    pub fn bold(size: f64, colour: Colour) -> Type {
        Type { size, bold: true, colour }
    }
}

/// Where a text stands from its point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Anchor {
    Start,
    Middle,
    End,
}

/// A number with at most two digits after the point.
pub(in crate::front) fn number(value: f64) -> String {
    let rounded = (value * 100.0).round() as i64;
    let (sign, rounded) = if rounded < 0 { ("-", -rounded) } else { ("", rounded) };
    let (whole, part) = (rounded / 100, rounded % 100);
    match part {
        0 => format!("{sign}{whole}"),
        _ if part % 10 == 0 => format!("{sign}{whole}.{}", part / 10),
        _ => format!("{sign}{whole}.{part:02}"),
    }
}

/// A text as XML writes it.
pub(in crate::front) fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for letter in visible(text).chars() {
        match letter {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            letter => out.push(letter),
        }
    }
    out
}

impl Block {
    /// An empty block of a size.
    pub fn new(wide: f64, tall: f64) -> Block {
        Block { wide, tall, body: String::new() }
    }

    /// A rectangle with round corners.
    pub fn rect(&mut self, at: (f64, f64), size: (f64, f64), round: f64, paint: Paint) {
        let (x, y, w, h) = (number(at.0), number(at.1), number(size.0), number(size.1));
        let round = if round > 0.0 { format!(" rx=\"{}\"", number(round)) } else { String::new() };
        let _ = writeln!(self.body, "<rect x=\"{x}\" y=\"{y}\" width=\"{w}\" height=\"{h}\"{round}{paint}/>");
    }

    /// A circle.
    pub fn circle(&mut self, at: (f64, f64), radius: f64, paint: Paint) {
        let (x, y, r) = (number(at.0), number(at.1), number(radius));
        let _ = writeln!(self.body, "<circle cx=\"{x}\" cy=\"{y}\" r=\"{r}\"{paint}/>");
    }

    /// A closed figure.
    pub fn polygon(&mut self, points: &[(f64, f64)], paint: Paint) {
        let points: Vec<String> = points.iter().map(|(x, y)| format!("{},{}", number(*x), number(*y))).collect();
        let _ = writeln!(self.body, "<polygon points=\"{}\"{paint}/>", points.join(" "));
    }

    /// A straight line with round ends.
    pub fn line(&mut self, from: (f64, f64), to: (f64, f64), paint: Paint) {
        let [x, y, u, v] = [from.0, from.1, to.0, to.1].map(number);
        let _ =
            writeln!(self.body, "<line x1=\"{x}\" y1=\"{y}\" x2=\"{u}\" y2=\"{v}\"{paint} stroke-linecap=\"round\"/>");
    }

    /// Any figure, as SVG writes its path.
    pub fn path(&mut self, path: &str, paint: Paint) {
        let _ = writeln!(self.body, "<path d=\"{path}\"{paint}/>");
    }

    /// A line of text; `at` is on its base line.
    pub fn text(&mut self, at: (f64, f64), anchor: Anchor, set: Type, text: &str) {
        if text.is_empty() {
            return;
        }
        let anchor = match anchor {
            Anchor::Start => "",
            Anchor::Middle => " text-anchor=\"middle\"",
            Anchor::End => " text-anchor=\"end\"",
        };
        let weight = if set.bold { " font-weight=\"bold\"" } else { "" };
        let (x, y, size) = (number(at.0), number(at.1), number(set.size));
        let _ = writeln!(
            self.body,
            "<text x=\"{x}\" y=\"{y}\" font-size=\"{size}\" fill=\"{}\"{anchor}{weight}>{}</text>",
            set.colour,
            escaped(text)
        );
    }

    /// Puts another block on this one.
    pub fn put(&mut self, at: (f64, f64), block: &Block) {
        if !block.body.is_empty() {
            let (x, y) = (number(at.0), number(at.1));
            let _ = writeln!(self.body, "<g transform=\"translate({x} {y})\">\n{}</g>", block.body);
        }
    }
}

/// How a figure is filled and drawn round.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Paint {
    pub fill: Option<Colour>,
    pub stroke: Option<(Colour, f64)>,
}

impl Paint {
    pub fn fill(colour: Colour) -> Paint {
        Paint { fill: Some(colour), stroke: None }
    }

    pub fn stroke(colour: Colour, width: f64) -> Paint {
        Paint { fill: None, stroke: Some((colour, width)) }
    }

    pub fn round(self, colour: Colour, width: f64) -> Paint {
        Paint { stroke: Some((colour, width)), ..self }
    }
}

impl std::fmt::Display for Paint {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.fill {
            Some(colour) => write!(f, " fill=\"{colour}\"")?,
            None => write!(f, " fill=\"none\"")?,
        }
        if let Some((colour, width)) = self.stroke {
            write!(f, " stroke=\"{colour}\" stroke-width=\"{}\"", number(width))?;
        }
        Ok(())
    }
}

/// Blocks below each other.
pub(super) fn column(blocks: Vec<Block>, gap: f64) -> Block {
    let mut whole = Block::default();
    for block in blocks.into_iter().filter(|block| block.tall > 0.0) {
        let top = if whole.tall > 0.0 { whole.tall + gap } else { 0.0 };
        whole.put((0.0, top), &block);
        whole.tall = top + block.tall;
        whole.wide = whole.wide.max(block.wide);
    }
    whole
}

/// Blocks beside each other, in rows no wider than the room.
pub(super) fn flow(blocks: Vec<Block>, gap: f64, room: f64) -> Block {
    let mut rows = Vec::new();
    let mut row = Block::default();
    for block in blocks.into_iter().filter(|block| block.wide > 0.0) {
        if row.wide > 0.0 && row.wide + gap + block.wide > room {
            rows.push(std::mem::take(&mut row));
        }
        let left = if row.wide > 0.0 { row.wide + gap } else { 0.0 };
        row.put((left, 0.0), &block);
        row.wide = left + block.wide;
        row.tall = row.tall.max(block.tall);
    }
    rows.push(row);
    column(rows, gap.min(10.0))
}

/// About how wide a text is. Fonts differ; this is a wide one, so that texts fit in all of them.
pub(in crate::front) fn width(text: &str, set: Type) -> f64 {
    let sum: f64 = text.chars().map(letter_width).sum();
    sum * set.size * if set.bold { 1.1 } else { 1.0 }
}

fn letter_width(letter: char) -> f64 {
    match letter {
        'i' | 'j' | 'l' | '|' => 0.29,
        ' ' | '.' | ',' | ':' | ';' | '\'' | 'I' => 0.33,
        'f' | 'r' | 't' | '(' | ')' | '[' | ']' | '-' | '/' => 0.41,
        'c' | 's' | 'z' | 'k' | '"' => 0.55,
        'a'..='z' if !matches!(letter, 'm' | 'w') => 0.62,
        'm' | 'M' | 'w' | 'W' | '@' | '%' => 0.97,
        '0'..='9' => 0.64,
        'A'..='Z' => 0.72,
        _ if letter.is_ascii() => 0.7,
        _ => 1.0,
    }
}

/// The text, cut to the room it has; a cut shows as `…`.
pub(super) fn clip(text: &str, set: Type, room: f64) -> String {
    if width(text, set) <= room {
        return text.to_owned();
    }
    let mut short = String::new();
    for letter in text.chars() {
        if width(&short, set) + width(letter.encode_utf8(&mut [0; 4]), set) + 0.7 * set.size > room {
            break;
        }
        short.push(letter);
    }
    format!("{}…", short.trim_end())
}

/// The text broken at spaces into at most so many lines; what does not fit is cut.
pub(in crate::front) fn wrap(text: &str, set: Type, room: f64, most: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        let full = lines.len() == most;
        if let Some(line) = lines.last_mut() {
            let longer = format!("{line} {word}");
            if width(&longer, set) <= room {
                *line = longer;
                continue;
            }
            if full {
                *line = clip(&longer, set, room);
                return lines;
            }
        }
        lines.push(clip(word, set, room));
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short_and_rounded() {
        let written: Vec<String> = [1.0, -0.5, 2.346, -0.001, 10.1].into_iter().map(number).collect();
        assert_eq!(written, ["1", "-0.5", "2.35", "0", "10.1"]);
    }

    #[test]
    fn texts_are_escaped_cut_and_broken() {
        let set = Type::plain(10.0, INK);
        assert_eq!(escaped("a<b & \"c\""), "a&lt;b &amp; &quot;c&quot;");
        assert_eq!(clip("Lantern", set, 100.0), "Lantern");
        assert_eq!(clip("Lantern", set, 30.0), "Lan…");
        assert_eq!(wrap("one two three four", set, 45.0, 9), ["one two", "three", "four"]);
        assert_eq!(wrap("one two three four", set, 45.0, 2), ["one two", "three f…"]);
    }

    #[test]
    fn blocks_flow_into_rows() {
        let block = || Block { wide: 40.0, tall: 10.0, body: "<x/>".to_owned() };
        let whole = flow(vec![block(), block(), block()], 5.0, 100.0);
        assert_eq!((whole.wide, whole.tall), (85.0, 25.0));
    }
}
