//! Colours and emphasis. Every meaning that a colour carries is also carried by a word, a sign or a border, so that
//! the screen reads the same without colours.

use crate::base::Colour;
use crate::engine::Seat;
use ratatui::style::{Color, Modifier, Style};

/// Signs of the seats' pieces, in seat order.
const SHAPES: [&str; 8] = ["●", "○", "◆", "◇", "■", "□", "▲", "△"];

/// Colours of seats whose names are no colours, in seat order.
const PALETTE: [Color; 6] =
    [Color::LightCyan, Color::LightYellow, Color::LightMagenta, Color::LightGreen, Color::LightBlue, Color::LightRed];

/// How things are told apart on the screen.
#[derive(Clone, Copy, Debug)]
pub struct Theme {
    /// Whether colours may be used; without them only bold, reverse and underline are.
    pub color: bool,
}

impl Theme {
    fn fg(self, color: Color) -> Style {
        if self.color { Style::new().fg(color) } else { Style::new() }
    }

    /// A seat's colour: the one its name says, else one of a palette.
    pub(super) fn seat(self, seat: Seat, name: &str) -> Style {
        let color = named(name)
            .unwrap_or_else(|| PALETTE.get(usize::from(seat) % PALETTE.len()).copied().unwrap_or(Color::White));
        self.fg(color)
    }

    /// A colour that content gives, as near as 256 colours come; dark ones lighter, to be read on a dark screen.
    pub(super) fn colour(self, colour: Colour) -> Style {
        let dark = colour.lightness() < 90;
        let colour = if dark { colour.mixed(Colour(0xff_ff_ff), 45) } else { colour };
        self.fg(Color::Indexed(nearest(colour)))
    }

    /// The ground of a cell in a colour that content gives, and writing that can be read on it.
    pub(super) fn ground(self, colour: Colour) -> Style {
        let ground = colour.mixed(Colour(0), 72);
        if self.color { Style::new().bg(Color::Indexed(nearest(ground))).fg(Color::Gray) } else { Style::new() }
    }

    /// Less important text.
    pub(super) fn dim(self) -> Style {
        if self.color { Style::new().fg(Color::DarkGray) } else { Style::new() }
    }

    /// Ordinary lines around things.
    pub(super) fn border(self) -> Style {
        self.dim()
    }

    /// Headings.
    pub(super) fn title(self) -> Style {
        Style::new().add_modifier(Modifier::BOLD)
    }

    /// What the cursor is on.
    pub(super) fn chosen(self) -> Style {
        Style::new().add_modifier(Modifier::REVERSED | Modifier::BOLD)
    }

    /// What may be chosen.
    pub(super) fn legal(self) -> Style {
        self.fg(Color::LightGreen).add_modifier(Modifier::BOLD)
    }

    /// What differs from what is printed.
    pub(super) fn changed(self) -> Style {
        self.fg(Color::LightYellow).add_modifier(Modifier::BOLD)
    }

    /// A marker such as `armed`; what is void only lies there.
    pub(super) fn marker(self, marker: &str) -> Style {
        if marker == "void" { self.dim() } else { self.fg(Color::LightMagenta).add_modifier(Modifier::BOLD) }
    }

    /// What was done last.
    pub(super) fn last(self) -> Style {
        Style::new().add_modifier(Modifier::UNDERLINED)
    }

    /// Warnings and errors.
    pub(super) fn warn(self) -> Style {
        self.fg(Color::LightRed).add_modifier(Modifier::BOLD)
    }

    /// Names of keys.
    pub(super) fn key(self) -> Style {
        self.fg(Color::LightCyan).add_modifier(Modifier::BOLD)
    }

    /// The bars at the top and the bottom.
    pub(super) fn bar(self) -> Style {
        if self.color {
            Style::new().bg(Color::Indexed(236)).fg(Color::White)
        } else {
            Style::new().add_modifier(Modifier::REVERSED)
        }
    }
}

/// The sign of a seat's pieces: a name of one letter is its own sign.
pub(super) fn shape(seat: Seat, name: &str) -> String {
    if super::text::width(name) == 1 {
        return name.to_owned();
    }
    SHAPES.get(usize::from(seat) % SHAPES.len()).copied().unwrap_or("●").to_owned()
}

/// The nearest of the 216 colours of the cube and the 24 greys.
fn nearest(colour: Colour) -> u8 {
    let parts = colour.parts();
    let level = |part: u8| u32::from(part).saturating_sub(35) / 40;
    let value = |level: u32| if level == 0 { 0 } else { 55 + 40 * level };
    let [red, green, blue] = parts.map(level);
    let far = |other: [u32; 3]| -> u32 {
        parts.iter().zip(other).map(|(part, other)| u32::from(*part).abs_diff(other).pow(2)).sum()
    };
    let cube = far([red, green, blue].map(value));
    let grey = (colour.lightness().saturating_sub(3) / 10).min(23);
    let index = if far([8 + 10 * grey; 3]) < cube { 232 + grey } else { 16 + 36 * red + 6 * green + blue };
    u8::try_from(index).unwrap_or(255)
}

fn named(name: &str) -> Option<Color> {
    Some(match name.to_lowercase().as_str() {
        "red" => Color::LightRed,
        "blue" => Color::LightBlue,
        "green" => Color::LightGreen,
        "yellow" => Color::LightYellow,
        "purple" | "magenta" | "violet" | "pink" => Color::LightMagenta,
        "white" => Color::White,
        "black" | "grey" | "gray" => Color::Gray,
        "orange" => Color::Indexed(208),
        "brown" => Color::Indexed(137),
        "cyan" | "teal" | "turquoise" => Color::LightCyan,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_colours_nothing_is_coloured() {
        let theme = Theme { color: false };
        for style in [theme.seat(0, "red"), theme.dim(), theme.legal(), theme.changed(), theme.warn(), theme.bar()] {
            assert_eq!((style.fg, style.bg), (None, None));
        }
    }

    #[test]
    fn colours_become_the_nearest_of_256() {
        let found = [0x00_00_00, 0xff_ff_ff, 0xff_00_00, 0x80_80_80, 0x2f_6f_c4].map(|word| nearest(Colour(word)));
        assert_eq!(found, [16, 231, 196, 244, 26]);
    }

    #[test]
    fn a_seat_is_coloured_as_it_is_called() {
        let theme = Theme { color: true };
        assert_eq!(theme.seat(3, "red").fg, Some(Color::LightRed));
        assert_eq!(theme.seat(1, "north").fg, Some(Color::LightYellow));
        assert_eq!((shape(0, "X"), shape(1, "red")), ("X".to_owned(), "○".to_owned()));
    }
}
