//! Pieces: shapes in colours, with signs, labels and marks.

use super::pen::{Anchor, Block, INK, LINE, Paint, Type, number, width};
use crate::base::{Colour, Shape};
use crate::engine::{CardView, Grid, Look, View};

/// Half the square root of three: how far the flat side of a hexagon with sides of one is from its middle.
pub(super) const HALF: f64 = 0.866_025_403_784_438_6;

const WHITE: Colour = Colour(0xff_ff_ff);
const BLACK: Colour = Colour(0);

/// The colour of a piece: its own, its owner's, or a plain one.
pub(super) fn colour(view: &View, piece: &CardView) -> Colour {
    let owner = piece.owner.and_then(|seat| view.players.get(usize::from(seat))).map(|player| player.colour);
    piece.look.colour.or(owner).unwrap_or(Colour(0x9a_8f_80))
}

/// The colour in which writing can be read on another.
pub(in crate::front) fn ink_on(ground: Colour) -> Colour {
    if ground.lightness() > 140 { INK } else { WHITE }
}

/// The line round a figure of a colour.
fn edge(colour: Colour) -> Colour {
    let share = match colour.lightness() {
        0..60 => 80,
        60..170 => 42,
        _ => 58,
    };
    colour.mixed(BLACK, share)
}

/// The corners of a hexagon with a corner to the north, clockwise from the northeast.
pub(super) fn hexagon(at: (f64, f64), side: f64) -> [(f64, f64); 6] {
    let (x, y) = at;
    let (across, half) = (side * HALF, side / 2.0);
    [
        (x, y - side),
        (x + across, y - half),
        (x + across, y + half),
        (x, y + side),
        (x - across, y + half),
        (x - across, y - half),
    ]
}

/// Draws a shape in a circle of this radius.
pub(super) fn shape(block: &mut Block, shape: Shape, colour: Colour, at: (f64, f64), radius: f64) {
    let (x, y) = at;
    let line = (radius * 0.09).clamp(0.8, 2.5);
    let paint = Paint::fill(colour).round(edge(colour), line);
    let broad = |part: f64| Paint::stroke(colour, radius * part);
    match shape {
        Shape::Disc => {
            block.circle(at, radius * 0.94, paint);
            block.circle(at, radius * 0.7, Paint::stroke(colour.mixed(edge(colour), 35), line * 0.8));
        }
        Shape::Ring => block.circle(at, radius * 0.72, broad(0.3)),
        Shape::Square => {
            let half = radius * 0.82;
            block.rect((x - half, y - half), (2.0 * half, 2.0 * half), radius * 0.14, paint);
        }
        Shape::Diamond => block.polygon(&[(x, y - radius), (x + radius, y), (x, y + radius), (x - radius, y)], paint),
        Shape::Triangle => {
            let corners =
                [(x, y - radius), (x + radius * 0.92, y + radius * 0.7), (x - radius * 0.92, y + radius * 0.7)];
            block.polygon(&corners, paint);
        }
        Shape::Pyramid => pyramid(block, colour, at, radius),
        Shape::Hex => block.polygon(&hexagon(at, radius * 0.98), paint),
        Shape::Star => {
            // Corners of a five-pointed star, as parts of the radius.
            let star = [
                (0.0, -1.0),
                (0.2245, -0.309),
                (0.9511, -0.309),
                (0.3633, 0.118),
                (0.5878, 0.809),
                (0.0, 0.382),
                (-0.5878, 0.809),
                (-0.3633, 0.118),
                (-0.9511, -0.309),
                (-0.2245, -0.309),
            ];
            block.polygon(&star.map(|(east, south)| (x + east * radius, y + south * radius)), paint);
        }
        Shape::Cross => {
            let arm = radius * 0.66;
            block.line((x - arm, y - arm), (x + arm, y + arm), broad(0.3));
            block.line((x - arm, y + arm), (x + arm, y - arm), broad(0.3));
        }
        Shape::Eye => eye(block, colour, at, radius),
        Shape::Pawn => {
            let [left, right, top, foot] =
                [x - radius * 0.62, x + radius * 0.62, y - radius * 0.1, y + radius * 0.86].map(number);
            let path = format!(
                "M {left} {foot} C {left} {}, {} {}, {} {top} L {} {top} C {} {}, {right} {}, {right} {foot} Z",
                number(y + radius * 0.4),
                number(x - radius * 0.2),
                number(y + radius * 0.4),
                number(x - radius * 0.2),
                number(x + radius * 0.2),
                number(x + radius * 0.2),
                number(y + radius * 0.4),
                number(y + radius * 0.4),
            );
            block.path(&path, paint);
            block.circle((x, y - radius * 0.42), radius * 0.42, paint);
        }
        Shape::Tile | Shape::Plain | Shape::Hidden | Shape::Pile | Shape::Row => {}
    }
}

/// A pyramid from above: four sides in different light.
fn pyramid(block: &mut Block, colour: Colour, (x, y): (f64, f64), radius: f64) {
    let half = radius * 0.88;
    let corners = [(x - half, y - half), (x + half, y - half), (x + half, y + half), (x - half, y + half)];
    let light = [colour.mixed(WHITE, 22), colour, colour.mixed(BLACK, 26), colour.mixed(BLACK, 10)];
    let next = corners.iter().cycle().skip(1);
    for ((corner, next), light) in corners.iter().zip(next).zip(light) {
        block.polygon(&[*corner, *next, (x, y)], Paint::fill(light));
    }
    block.polygon(&corners, Paint::stroke(edge(colour), (radius * 0.08).clamp(0.8, 2.0)));
}

fn eye(block: &mut Block, colour: Colour, at: (f64, f64), radius: f64) {
    let (x, y) = at;
    let [left, right, top, low] = [x - radius, x + radius, y - radius * 0.9, y + radius * 0.9].map(number);
    let [mx, my] = [x, y].map(number);
    let path = format!("M {left} {my} Q {mx} {top} {right} {my} Q {mx} {low} {left} {my} Z");
    block.path(&path, Paint::fill(WHITE).round(edge(colour), (radius * 0.12).clamp(0.8, 2.0)));
    block.circle(at, radius * 0.36, Paint::fill(colour));
    block.circle(at, radius * 0.16, Paint::fill(BLACK));
}

/// Draws a piece in a circle of this radius, which its size changes.
pub(super) fn piece(block: &mut Block, look: &Look, colour: Colour, at: (f64, f64), radius: f64) {
    let kind = look.shape.unwrap_or(Shape::Disc);
    if kind == Shape::Hidden {
        return;
    }
    let size = look.size.map_or(1.0, |size| f64::from(size) / 100.0);
    let radius = radius * size;
    shape(block, kind, colour, at, radius);
    let open = matches!(kind, Shape::Plain | Shape::Ring | Shape::Cross);
    words(block, look, if open { colour } else { ink_on(colour) }, at, radius);
    marks(block, look, colour, (at.0, at.1 + radius * 0.45), radius * 0.42);
}

/// The sign of a piece in its middle, or its label.
pub(super) fn words(block: &mut Block, look: &Look, ink: Colour, at: (f64, f64), radius: f64) {
    let glyph = look.glyph.as_deref().filter(|glyph| !glyph.is_empty());
    let label = look.label.as_deref().filter(|label| !label.is_empty());
    let lift = if look.marks.is_empty() { 0.0 } else { radius * 0.3 };
    let fitted = |text: &str, most: f64, room: f64| {
        let set = Type::bold(most, ink);
        let wide = width(text, set).max(0.1);
        Type::bold(most.min(most * room / wide), ink)
    };
    match (glyph, label) {
        (Some(glyph), label) => {
            let raise = if label.is_some() { radius * 0.15 } else { 0.0 };
            let set = fitted(glyph, radius, radius * 1.5);
            block.text((at.0, at.1 + set.size * 0.36 - raise - lift), Anchor::Middle, set, glyph);
            if let Some(label) = label {
                let set = fitted(label, radius * 0.45, radius * 1.3);
                block.text((at.0, at.1 + radius * 0.72), Anchor::Middle, set, label);
            }
        }
        (None, Some(label)) => {
            let set = fitted(label, radius * 0.8, radius * 1.5);
            block.text((at.0, at.1 + set.size * 0.36 - lift), Anchor::Middle, set, label);
        }
        (None, None) => {}
    }
}

/// The marks of something, side by side around a point.
pub(super) fn marks(block: &mut Block, look: &Look, ground: Colour, at: (f64, f64), radius: f64) {
    let first = at.0 - radius * 1.1 * (look.marks.len().saturating_sub(1)) as f64;
    let colour = if ground.lightness() > 140 { Colour(0x8a_2f_2a) } else { Colour(0xf4_d6_6a) };
    for (index, mark) in look.marks.iter().enumerate() {
        let colour = if *mark == Shape::Eye { Colour(0x2f_6f_c4) } else { colour };
        shape(block, *mark, colour, (first + radius * 2.2 * index as f64, at.1), radius);
    }
}

/// A tile that fills its site: a square, or a hexagon, of a width from side to side.
pub(super) fn tile(block: &mut Block, look: &Look, colour: Option<Colour>, grid: Grid, at: (f64, f64), wide: f64) {
    let (x, y) = at;
    let ground = colour.unwrap_or(Colour(0xff_fd_f8));
    let half = wide / 2.0;
    let corners: Vec<(f64, f64)> = match grid {
        Grid::Square | Grid::Graph => {
            vec![(x - half, y - half), (x + half, y - half), (x + half, y + half), (x - half, y + half)]
        }
        // Its first side is the eastern one.
        Grid::Hex => {
            let [a, b, c, d, e, f] = hexagon(at, half / HALF);
            vec![b, c, d, e, f, a]
        }
    };
    block.polygon(&corners, Paint::fill(ground).round(LINE, 1.0));
    if look.sides.len() == corners.len() {
        arms(block, look, &corners, at, wide);
    }
    if look.sides.is_empty() {
        words(block, look, ink_on(ground), at, wide * 0.3);
    }
    marks(block, look, ground, (x, y), wide * 0.2);
}

/// What lies at the sides of a tile, from its middle to each of them.
fn arms(block: &mut Block, look: &Look, corners: &[(f64, f64)], at: (f64, f64), wide: f64) {
    let (x, y) = at;
    let breadth = |thickness: u8| wide * 0.1 * f64::from(thickness) + wide * 0.02;
    let next = corners.iter().cycle().skip(1);
    let middles = corners.iter().zip(next).map(|(from, to)| ((from.0 + to.0) / 2.0, (from.1 + to.1) / 2.0));
    let arms: Vec<_> = look.sides.iter().zip(middles).filter(|(side, _)| side.thickness > 0).collect();
    let thickest = arms.iter().map(|(side, _)| side.thickness).max();
    // The outlines first, so that they do not cut through the middle.
    for outline in [true, false] {
        for (side, (to_x, to_y)) in &arms {
            let broad = breadth(side.thickness) / 2.0 + if outline { 1.2 } else { 0.0 };
            let long = ((to_x - x).powi(2) + (to_y - y).powi(2)).sqrt().max(0.1);
            let across = ((to_y - y) / long * broad, -(to_x - x) / long * broad);
            let colour = if outline { edge(side.colour) } else { side.colour };
            let corners = [
                (x + across.0, y + across.1),
                (to_x + across.0, to_y + across.1),
                (to_x - across.0, to_y - across.1),
                (x - across.0, y - across.1),
            ];
            block.polygon(&corners, Paint::fill(colour));
        }
        let middle = arms.iter().find(|(side, _)| Some(side.thickness) == thickest);
        if let Some((side, _)) = middle {
            let radius = breadth(side.thickness) * 0.62 + if outline { 1.2 } else { 0.0 };
            block.circle(at, radius, Paint::fill(if outline { edge(side.colour) } else { side.colour }));
        }
    }
}
