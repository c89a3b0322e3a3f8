//! Colours and shapes that content may name for its pictures.

use serde::{Deserialize, Serialize};
use std::fmt;

/// A colour: red, green and blue, eight bits each.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Colour(pub u32);

/// The colours that have a name, chosen so that they can be told apart on light and on dark grounds.
pub const COLOURS: [(&str, Colour); 20] = [
    ("red", Colour(0xd1_43_3b)),
    ("blue", Colour(0x2f_6f_c4)),
    ("green", Colour(0x3f_8f_4a)),
    ("yellow", Colour(0xe3_b3_25)),
    ("purple", Colour(0x8a_4f_b0)),
    ("orange", Colour(0xe0_83_2c)),
    ("teal", Colour(0x2a_99_96)),
    ("pink", Colour(0xd4_6a_9f)),
    ("brown", Colour(0x8c_60_3a)),
    ("grey", Colour(0x8a_8f_96)),
    ("black", Colour(0x2b_2d_31)),
    ("white", Colour(0xfa_f8_f2)),
    ("cream", Colour(0xf1_e3_c3)),
    ("tan", Colour(0xcf_a9_72)),
    ("sand", Colour(0xe4_d3_a8)),
    ("silver", Colour(0xc7_cc_d2)),
    ("gold", Colour(0xd9_a5_1e)),
    ("sky", Colour(0xa9_cf_ea)),
    ("mint", Colour(0xb5_dc_b9)),
    ("rose", Colour(0xee_bd_b9)),
];

impl Colour {
    /// Reads `#rrggbb`.
    pub fn parse(text: &str) -> Option<Colour> {
        let digits = text.strip_prefix('#').filter(|digits| digits.len() == 6 && digits.is_ascii())?;
        u32::from_str_radix(digits, 16).ok().map(Colour)
    }

    /// The colour of a name, in small or big letters; seats are often called so.
    pub fn named(name: &str) -> Option<Colour> {
        let name = name.to_lowercase();
        let name = match name.as_str() {
            "gray" => "grey",
            "violet" | "magenta" => "purple",
            "cyan" | "turquoise" => "teal",
            other => other,
        };
        COLOURS.iter().find(|(known, _)| *known == name).map(|(_, colour)| *colour)
    }

    /// Colours for things that have no colour of their own, told apart by their number.
    pub fn nth(index: usize) -> Colour {
        COLOURS.get(index % 9).map_or(Colour(0), |(_, colour)| *colour)
    }

    /// Red, green and blue.
    pub fn parts(self) -> [u8; 3] {
        let [_, red, green, blue] = self.0.to_be_bytes();
        [red, green, blue]
    }

    /// How light it looks: 0 for black, 255 for white.
    pub fn lightness(self) -> u32 {
        let [red, green, blue] = self.parts().map(u32::from);
        (red * 299 + green * 587 + blue * 114) / 1000
    }

    /// A mixture: so many hundredths of the other.
    #[must_use]
    pub fn mixed(self, other: Colour, hundredths: u32) -> Colour {
        let (own, share) = (100 - hundredths.min(100), hundredths.min(100));
        let mut mixed = 0;
        for (a, b) in self.parts().into_iter().zip(other.parts()) {
            mixed = (mixed << 8) | ((u32::from(a) * own + u32::from(b) * share + 50) / 100);
        }
        Colour(mixed)
    }
}

impl fmt::Display for Colour {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "#{:06x}", self.0)
    }
}

/// A shape that a thing is drawn in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Shape {
    /// A filled circle: the shape of pieces that say nothing.
    Disc,
    /// A circle's line.
    Ring,
    /// A square that stands on its side.
    Square,
    /// A square that stands on its corner.
    Diamond,
    /// A triangle, seen from the front.
    Triangle,
    /// A pyramid, seen from above.
    Pyramid,
    /// A hexagon.
    Hex,
    /// A star.
    Star,
    /// Two lines that cross.
    Cross,
    /// An eye.
    Eye,
    /// A drop, as the head of a snake or a pawn.
    Pawn,
    /// What fills its whole site.
    Tile,
    /// Only its sign or label.
    Plain,
    /// Nothing at all: what is not to be drawn.
    Hidden,
    /// Of a zone: only the topmost card and the number of cards.
    Pile,
    /// Of a zone: all its cards beside each other.
    Row,
}

/// Shapes of pieces, with their names.
pub const SHAPES: [(&str, Shape); 14] = [
    ("disc", Shape::Disc),
    ("ring", Shape::Ring),
    ("square", Shape::Square),
    ("diamond", Shape::Diamond),
    ("triangle", Shape::Triangle),
    ("pyramid", Shape::Pyramid),
    ("hex", Shape::Hex),
    ("star", Shape::Star),
    ("cross", Shape::Cross),
    ("eye", Shape::Eye),
    ("pawn", Shape::Pawn),
    ("tile", Shape::Tile),
    ("plain", Shape::Plain),
    ("hidden", Shape::Hidden),
];

impl Shape {
    /// What it is called, if pieces can have it.
    pub fn name(self) -> Option<&'static str> {
        SHAPES.iter().find(|(_, shape)| *shape == self).map(|(name, _)| *name)
    }
}

/// Shapes of zones, with their names.
pub const ZONE_SHAPES: [(&str, Shape); 3] = [("pile", Shape::Pile), ("row", Shape::Row), ("hidden", Shape::Hidden)];

/// How heavy a line of a thickness is drawn in letters: 0 not at all, 1 thin, 2 thick.
pub fn line_weight(thickness: u8) -> u8 {
    match thickness {
        0 => 0,
        1 | 2 => 1,
        _ => 2,
    }
}

/// Lines that go from the middle of a letter to the north, east, south and west, each 0 for none, 1 thin, 2 thick, as
/// the digits of a number to the base three.
const LINES: &str = " ╴╸╷┐┑╻┒┓╶─╾┌┬┭┎┰┱╺╼━┍┮┯┏┲┳╵┘┙│┤┥╽┧┪└┴┵├┼┽┟╁╅┕┶┷┝┾┿┢╆╈╹┚┛╿┦┩┃┨┫┖┸┹┞╀╃┠╂╉┗┺┻┡╄╇┣╊╋";

/// The letter in which lines meet that go to the north, east, south and west: 0 for none, 1 thin, 2 thick.
pub fn crossing(lines: [u8; 4]) -> char {
    let index = lines.iter().fold(0, |index, weight| index * 3 + usize::from((*weight).min(2)));
    LINES.chars().nth(index).unwrap_or(' ')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_meet_in_one_letter() {
        let met = [[0, 0, 0, 0], [1, 1, 1, 1], [2, 1, 0, 0], [0, 2, 0, 2], [9, 9, 9, 9]].map(crossing);
        assert_eq!(met, [' ', '┼', '┖', '━', '╋']);
    }

    #[test]
    fn colours_are_read_written_and_mixed() {
        assert_eq!(Colour::parse("#0a0B0c"), Some(Colour(0x0a_0b_0c)));
        assert_eq!((Colour::parse("0a0b0c"), Colour::parse("#0a0b0"), Colour::parse("#0a0b0g")), (None, None, None));
        assert_eq!(Colour(0x0a_0b_0c).to_string(), "#0a0b0c");
        assert_eq!(Colour::named("Gray"), Colour::named("grey"));
        assert_eq!(Colour(0).mixed(Colour(0xff_ff_ff), 50), Colour(0x80_80_80));
        assert_eq!((Colour(0).lightness(), Colour(0xff_ff_ff).lightness()), (0, 255));
    }
}
