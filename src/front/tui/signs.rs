//! Signs of pieces and shapes in a terminal.

use super::scene::Scene;
use super::text::{clip, prefix, width};
use super::theme::{Theme, shape};
use crate::base::Shape;
use crate::engine::CardView;
use ratatui::style::{Modifier, Style};

/// A letter that stands for a shape.
pub(super) fn of_shape(shape: Shape) -> &'static str {
    match shape {
        Shape::Disc => "●",
        Shape::Ring => "○",
        Shape::Square => "■",
        Shape::Diamond => "◆",
        Shape::Triangle | Shape::Pyramid => "▲",
        Shape::Hex => "⬢",
        Shape::Star => "★",
        Shape::Cross => "×",
        Shape::Eye => "◉",
        Shape::Pawn => "♟",
        Shape::Tile => "▣",
        Shape::Plain | Shape::Hidden | Shape::Pile | Shape::Row => "",
    }
}

/// The sign of a piece: the one its look gives it; else that of its owner, with its initial where pieces are of several
/// kinds; else that of its shape, or its initial. Then its label, its marks, and the height of its stack, as far as
/// they fit. Where there is room for one letter, that is its first.
pub(super) fn of_piece(scene: &Scene, piece: &CardView, kinds: bool, tall: usize, room: usize) -> String {
    let look = &piece.look;
    let owner = piece.owner.map(|seat| shape(seat, scene.name(seat)));
    let initial = piece.name.chars().next().map(|first| first.to_uppercase().collect::<String>());
    let shaped = look.shape.map(of_shape).filter(|sign| !sign.is_empty());
    let mut sign = match (&look.glyph, owner, initial) {
        (Some(glyph), ..) => glyph.clone(),
        (None, Some(owner), Some(initial)) if kinds && look.label.is_none() => format!("{initial}{owner}"),
        (None, Some(owner), _) => owner,
        (None, None, initial) => shaped.map(str::to_owned).or(initial).unwrap_or_default(),
    };
    let label = look.label.clone().filter(|_| look.glyph.is_none());
    let marks = look.marks.iter().map(|mark| of_shape(*mark).to_owned());
    let height = (tall > 1).then(|| format!("{}{tall}", if look.label.is_some() { "/" } else { "" }));
    for more in label.into_iter().chain(marks).chain(height) {
        if width(&sign) + width(&more) <= room {
            sign.push_str(&more);
        }
    }
    if room == 1 { prefix(&sign, 1) } else { clip(&sign, room) }
}

/// The colours of a piece: its own, or its owner's.
pub(super) fn style(scene: &Scene, piece: &CardView, theme: Theme) -> Style {
    let owner = piece.owner.map(|seat| theme.seat(seat, scene.name(seat)));
    let own = piece.look.colour.map(|colour| theme.colour(colour));
    own.or(owner).unwrap_or_default().add_modifier(Modifier::BOLD)
}
