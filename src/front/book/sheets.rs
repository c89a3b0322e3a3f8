//! Sheets of cards: as many to a page as fit, each as often as there are copies, with marks where they are cut. Nothing on
//! a page depends on how a browser breaks pages: each card lies at its place in millimetres.

use super::page::{FONTS, address, page};
use super::{Back, Book, Face, Paper};
use crate::base::Colour;
use crate::front::svg::cards::{BACK, PLAIN};
use crate::front::svg::pen::{FAINT, INK, PANEL, Type, escaped, number, width, wrap};
use crate::front::svg::pieces::ink_on;
use std::fmt::Write;

/// The size of a card, and the coloured frame around what stands on it, in millimetres.
const CARD: (f64, f64) = (63.0, 88.0);
const FRAME: f64 = 2.5;
/// Space between the frame and what stands on the card.
const INSET: f64 = 2.2;
/// How near cards come to the edge of the paper, and how long the marks of cuts are at most.
const EDGE: f64 = 1.5;
const MARK: f64 = 5.0;
/// How far marks stay away from a card, so that a careless cut leaves none on it.
const GAP: f64 = 0.5;
/// Points in a millimetre.
const POINTS: f64 = 72.0 / 25.4;
/// In what sizes the text of a card is set, in points: the largest that fits.
const SIZES: [f64; 11] = [12.0, 11.0, 10.0, 9.5, 9.0, 8.5, 8.0, 7.5, 7.0, 6.5, 6.0];
/// The size of titles and of values, and the height of a line, in its size.
const TITLE: f64 = 12.0;
const FIGURES: f64 = 8.0;
const LINE: f64 = 1.25;
/// The least height of a picture in points.
const PICTURE: f64 = 62.0;

/// How cards lie on a page.
pub struct Sheets {
    paper: (f64, f64),
    columns: usize,
    rows: usize,
    bleed: f64,
    backs: bool,
}

impl Sheets {
    /// Sheets with as many cards as fit.
    pub fn of(paper: Paper, bleed: u8, backs: bool) -> Sheets {
        let paper = match paper {
            Paper::A4 => (210.0, 297.0),
            Paper::Letter => (215.9, 279.4),
        };
        let bleed = f64::from(bleed);
        let fit = |room: f64, card: f64| ((room - 2.0 * EDGE) / (card + 2.0 * bleed)).floor() as usize;
        Sheets { paper, columns: fit(paper.0, CARD.0), rows: fit(paper.1, CARD.1), bleed, backs }
    }

    /// How many cards lie on a page.
    pub fn to_a_page(&self) -> usize {
        self.columns * self.rows
    }

    /// How many pages so many cards take.
    pub fn pages(&self, copies: usize) -> usize {
        copies.div_ceil(self.to_a_page()) * if self.backs { 2 } else { 1 }
    }

    /// A card with its bleed.
    fn cell(&self) -> (f64, f64) {
        (CARD.0 + 2.0 * self.bleed, CARD.1 + 2.0 * self.bleed)
    }

    /// Where the cards begin on the page.
    fn origin(&self) -> (f64, f64) {
        let (wide, tall) = self.cell();
        ((self.paper.0 - wide * self.columns as f64) / 2.0, (self.paper.1 - tall * self.rows as f64) / 2.0)
    }

    /// The sheets of all cards.
    pub fn page(&self, book: &Book<'_>) -> String {
        let faces: Vec<String> = book.faces.iter().map(|face| self.face(face, book)).collect();
        let each = book.faces.iter().enumerate();
        let order: Vec<usize> = each.flat_map(|(index, face)| std::iter::repeat_n(index, face.copies)).collect();
        let marks = self.marks();
        let mut body = String::new();
        for cards in order.chunks(self.to_a_page()) {
            let front = cards.iter().enumerate().filter_map(|(place, index)| Some((place, faces.get(*index)?.clone())));
            self.sheet(&mut body, &marks, front);
            if self.backs {
                // The paper is turned over its long side: what lay at the left lies at the right.
                let mirrored =
                    |place: usize| place / self.columns * self.columns + self.columns - 1 - place % self.columns;
                let back = cards.iter().enumerate().filter_map(|(place, index)| {
                    Some((mirrored(place), self.back(&book.faces.get(*index)?.back, &book.game.read().title)))
                });
                self.sheet(&mut body, &marks, back);
            }
        }
        page(book.language(), &format!("{}: cards", book.game.read().title), &self.style(book), &body)
    }

    fn sheet(&self, body: &mut String, marks: &str, cards: impl Iterator<Item = (usize, String)>) {
        body.push_str("<section class=\"sheet\">\n");
        let ((left, top), (wide, tall)) = (self.origin(), self.cell());
        for (place, card) in cards {
            let x = left + wide * (place % self.columns) as f64;
            let y = top + tall * (place / self.columns) as f64;
            let _ = writeln!(body, "<div class=\"at\" style=\"left:{}mm;top:{}mm\">{card}</div>", number(x), number(y));
        }
        body.push_str(marks);
        body.push_str("</section>\n");
    }

    /// Lines along all cuts, wherever they run over no card.
    fn marks(&self) -> String {
        let ((left, top), (wide, tall)) = (self.origin(), self.cell());
        let across = cuts(left, wide, CARD.0, self.columns, self.bleed);
        let down = cuts(top, tall, CARD.1, self.rows, self.bleed);
        let mut path = String::new();
        for (from, to) in between(&down, self.paper.1) {
            for x in across.iter().flat_map(|(one, other)| [one, other]) {
                let _ = write!(path, "M{} {}V{}", number(*x), number(from), number(to));
            }
        }
        for (from, to) in between(&across, self.paper.0) {
            for y in down.iter().flat_map(|(one, other)| [one, other]) {
                let _ = write!(path, "M{} {}H{}", number(from), number(*y), number(to));
            }
        }
        let (wide, tall) = (number(self.paper.0), number(self.paper.1));
        format!("<svg class=\"marks\" viewBox=\"0 0 {wide} {tall}\"><path d=\"{path}\"/></svg>\n")
    }

    fn face(&self, face: &Face, book: &Book<'_>) -> String {
        let colour = face.colour.or(face.back.colour).unwrap_or(PLAIN);
        let fit = fit(face);
        let mut inside =
            format!("<div class=\"head\"><b style=\"font-size:{}pt\">{}</b>", number(fit.title), escaped(&face.title));
        if let Some(label) = &face.label {
            let ink = ink_on(colour);
            let _ = write!(inside, "<i style=\"background:{colour};color:{ink}\">{}</i>", escaped(label));
        }
        inside.push_str("</div>");
        let art = face.art.as_ref().and_then(|path| book.art.keys().position(|known| known == path));
        let blank = face.text.is_empty() && face.figures.is_empty();
        match art {
            Some(art) => {
                let _ = write!(inside, "<div class=\"art a{art}\"></div>");
            }
            None if blank => {
                let sign = face.label.as_ref().unwrap_or(&face.title);
                let size = if sign.chars().count() > 3 { 20 } else { 44 };
                let _ = write!(inside, "<div class=\"sign\" style=\"font-size:{size}pt\">{}</div>", escaped(sign));
            }
            None => {}
        }
        if !face.figures.is_empty() {
            let _ = write!(inside, "<div class=\"figures\">{}</div>", escaped(&face.figures.join(" · ")));
        }
        if !face.text.is_empty() {
            let _ = write!(
                inside,
                "<div class=\"text\" style=\"font-size:{}pt\">{}</div>",
                number(fit.text),
                paragraphs(&face.text)
            );
        }
        let space = if art.is_none() && !blank { "<div class=\"space\"></div>" } else { "" };
        let foot = if face.kind == face.title { String::new() } else { escaped(&face.kind) };
        format!(
            "<div class=\"card\" style=\"background:{colour}\"><div class=\"panel\">{inside}{space}<div class=\"foot\">{foot}</div></div></div>"
        )
    }

    fn back(&self, back: &Back, title: &str) -> String {
        let colour = back.colour.unwrap_or(BACK);
        let (ink, line) = (ink_on(colour), colour.mixed(Colour(0xff_ff_ff), 35));
        let under =
            if back.title.is_empty() { String::new() } else { format!("<span>{}</span>", escaped(&back.title)) };
        format!(
            "<div class=\"card\" style=\"background:{colour};color:{ink}\"><div class=\"back\" style=\"border-color:{line}\"><b>{}</b>{under}</div></div>",
            escaped(title)
        )
    }

    fn style(&self, book: &Book<'_>) -> String {
        let (wide, tall) = (number(self.paper.0), number(self.paper.1));
        let (cell, edge) = (self.cell(), number(self.bleed + FRAME));
        let mut style = format!(
            "@page {{ size: {wide}mm {tall}mm; margin: 0 }}\n\
             * {{ box-sizing: border-box; -webkit-print-color-adjust: exact; print-color-adjust: exact }}\n\
             body {{ margin: 0; color: {INK}; font-family: {FONTS} }}\n\
             .sheet {{ position: relative; width: {wide}mm; height: {tall}mm; overflow: hidden; break-after: page; break-inside: avoid }}\n\
             .sheet:last-child {{ break-after: auto }}\n\
             .at {{ position: absolute }}\n\
             .marks {{ position: absolute; inset: 0; width: 100%; height: 100% }}\n\
             .marks path {{ fill: none; stroke: #000; stroke-width: .15 }}\n\
             .card {{ width: {}mm; height: {}mm; padding: {edge}mm }}\n\
             .panel {{ height: 100%; padding: {INSET}mm; border-radius: 2mm; background: {PANEL}; display: flex; flex-direction: column; gap: 1mm; overflow: hidden }}\n\
             .head {{ display: flex; justify-content: space-between; gap: 2mm; line-height: {LINE} }}\n\
             .head b, .text, .figures {{ overflow-wrap: anywhere; min-width: 0 }}\n\
             .head i {{ flex: none; align-self: flex-start; padding: 0 1.4mm; border-radius: 1mm; font: bold {TITLE}pt/{LINE} {FONTS} }}\n\
             .art {{ flex: 1 1 0; min-height: 20mm; background: center / contain no-repeat }}\n\
             .figures {{ font-size: {FIGURES}pt; line-height: {LINE}; color: {FAINT} }}\n\
             .text {{ line-height: {LINE} }}\n\
             .text p {{ margin: 0 }}\n\
             .sign {{ flex: 1; display: flex; align-items: center; justify-content: center; text-align: center; font-weight: bold; overflow-wrap: anywhere }}\n\
             .space {{ flex: 1 }}\n\
             .foot {{ flex: none; font-size: 6.5pt; color: {FAINT}; text-align: right }}\n\
             .back {{ height: 100%; border: .6mm solid; border-radius: 2mm; padding: 4mm; display: flex; flex-direction: column; align-items: center; justify-content: center; text-align: center; gap: 3mm; font-size: 11pt; overflow-wrap: anywhere }}\n\
             .back b {{ font-size: 17pt }}\n\
             @media screen {{ body {{ background: #777 }} .sheet {{ margin: 8mm auto; background: #fff }} }}\n",
            number(cell.0),
            number(cell.1)
        );
        for (index, picture) in book.art.values().enumerate() {
            let _ = writeln!(style, ".a{index} {{ background-image: url({}) }}", address(picture));
        }
        style
    }
}

/// Paragraphs, each with its heading.
pub fn paragraphs(text: &[(String, String)]) -> String {
    let paragraph = |(head, words): &(String, String)| {
        let head = if head.is_empty() { String::new() } else { format!("<b>{}:</b> ", escaped(head)) };
        format!("<p>{head}{}</p>", escaped(words))
    };
    text.iter().map(paragraph).collect()
}

/// Where cards in a row are cut: from where to where each of them goes.
fn cuts(first: f64, cell: f64, card: f64, count: usize, bleed: f64) -> Vec<(f64, f64)> {
    (0..count).map(|index| first + cell * index as f64 + bleed).map(|start| (start, start + card)).collect()
}

/// The stretches before, between and behind cards that marks can be drawn on.
fn between(cards: &[(f64, f64)], end: f64) -> Vec<(f64, f64)> {
    let (Some((first, _)), Some((_, last))) = (cards.first(), cards.last()) else { return Vec::new() };
    let outer = [((first - MARK).max(0.0), first - GAP), (last + GAP, (last + MARK).min(end))];
    let inner = cards.windows(2).filter_map(|pair| match pair {
        [(_, one), (other, _)] => Some((one + GAP, other - GAP)),
        _ => None,
    });
    inner.chain(outer).filter(|(from, to)| to > from).collect()
}

/// In what sizes a card is set, and whether all of it has room.
struct Fit {
    title: f64,
    text: f64,
    whole: bool,
}

/// Sets a card as large as it fits. Widths are those of a wide font, so that it fits in others too.
fn fit(face: &Face) -> Fit {
    let room = (CARD.0 - 2.0 * (FRAME + INSET)) * POINTS;
    let badge = face.label.as_ref().map_or(0.0, |label| width(label, Type::bold(TITLE, INK)) + 14.0);
    let lines = |text: &str, size: f64, bold: bool, room: f64| {
        let set = if bold { Type::bold(size, INK) } else { Type::plain(size, INK) };
        // A word that is wider than the card is broken.
        let broken: f64 = text.split_whitespace().map(|word| (width(word, set) / room).floor()).sum();
        wrap(text, set, room, usize::MAX).len() as f64 + broken
    };
    let title_size =
        [TITLE, 11.0, 10.0, 9.0].into_iter().find(|size| lines(&face.title, *size, true, room - badge) <= 2.0);
    let title = title_size.unwrap_or(8.0);
    let gap = POINTS;
    let mut tall = (CARD.1 - 2.0 * (FRAME + INSET)) * POINTS;
    tall -= (lines(&face.title, title, true, room - badge) * title).max(TITLE) * LINE + gap;
    tall -= 6.5 * LINE + gap;
    if !face.figures.is_empty() {
        tall -= lines(&face.figures.join(" · "), FIGURES, false, room) * FIGURES * LINE + gap;
    }
    tall -= if face.art.is_some() { PICTURE } else { 0.0 } + gap;
    let text = |size: f64| {
        let told = face
            .text
            .iter()
            .map(|(head, words)| if head.is_empty() { words.clone() } else { format!("{head}: {words}") });
        told.map(|words| lines(&words, size, false, room)).sum::<f64>() * size * LINE
    };
    let size = SIZES.into_iter().find(|size| text(*size) <= tall);
    Fit { title, text: size.unwrap_or(6.0), whole: size.is_some() }
}

/// Whether the text of a card is longer than it has room.
pub fn overflows(face: &Face) -> bool {
    !fit(face).whole
}
