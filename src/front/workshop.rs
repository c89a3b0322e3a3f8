//! What somebody who tries out a game may do and no player may, in line mode as in the full screen: one line of text each.

use super::args::seat_named;
use crate::engine::{PUT, Seat};
use crate::play::record::unquoted;
use crate::play::{PlayError, Table};

/// What can be typed, and what it does.
pub const HELP: [(&str, &str); 6] = [
    ("all", "everything there is, what nobody sees as well"),
    ("as NAME", "what that seat sees"),
    ("set seat(1).NAME = VALUE", "gives a counter or mark of a player, or of the `game`, another value"),
    ("put CARD in ZONE", "puts a card into a zone, as in `put Rope in seat(1).hand`"),
    ("go N", "goes back to where N decisions were made"),
    (
        "force KEY; KEY",
        "what chance gives next: the side of a die, the card that is drawn; `force` leaves it to the seed again",
    ),
];

/// What came of a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Done {
    /// All there is, or what a seat sees, is to be shown.
    Look(Eyes),
    /// The game is another one now; with words, if there is something to say.
    Changed(String),
    /// Nothing but what is said here.
    Said(String),
}

/// Through whose eyes the table is seen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Eyes {
    /// Those of who decides.
    #[default]
    Own,
    /// Those of a seat.
    Seat(Seat),
    /// Nothing is hidden.
    All,
}

/// Whether a line begins like one of the workshop's.
pub fn knows(word: &str) -> bool {
    HELP.iter().any(|(usage, _)| usage.split(' ').next() == Some(word))
}

/// Does what a line says, which [`knows`] knows by its first word.
///
/// # Errors
/// [`PlayError`] in words if it is not possible, or the save cannot be written.
pub fn work(table: &mut Table, line: &str) -> Result<Done, PlayError> {
    let (word, what) = line.trim().split_once(' ').unwrap_or((line.trim(), ""));
    let usage = |usage: &str| PlayError::Usage(usage.to_owned());
    let what = what.trim();
    Ok(match word {
        "all" => Done::Look(Eyes::All),
        "as" => Done::Look(Eyes::Seat(seat_named(table.game(), table.players().len(), what)?)),
        "go" => {
            let number = what.parse::<usize>().map_err(|_| usage("`go N`: a number of decisions"))?;
            table.session_mut().undo_to(number)?;
            Done::Changed(format!("{number} decisions were made"))
        }
        "set" => {
            let wrong = || usage("`set seat(1).NAME = VALUE`, `set game.NAME = VALUE`");
            let (property, value) = what.split_once('=').ok_or_else(wrong)?;
            table.session_mut().set(property.trim(), value.trim())?;
            Done::Changed(String::new())
        }
        "put" => {
            let wrong = || usage("`put CARD in ZONE`, as in `put Rope in seat(1).hand`");
            let (card, zone) = what.rsplit_once(" in ").ok_or_else(wrong)?;
            table.session_mut().set(&format!("{PUT}{}", unquoted(card.trim())), zone.trim())?;
            Done::Changed(String::new())
        }
        "force" => {
            let keys = what.split(';').map(|key| unquoted(key.trim()).into_owned());
            let keys: Vec<String> = keys.filter(|key| !key.is_empty()).collect();
            let said = match keys.is_empty() {
                true => "the seed draws again".to_owned(),
                false => format!("chance gives {}", keys.join(", then ")),
            };
            table.session_mut().force(keys)?;
            Done::Said(said)
        }
        _ => {
            let words: Vec<&str> = HELP.iter().filter_map(|(usage, _)| usage.split(' ').next()).collect();
            return Err(PlayError::Usage(format!(
                "`{word}` is nothing the workshop does; there are {}",
                words.join(", ")
            )));
        }
    })
}

/// Leaves chance to the seed again if it was made to give what it cannot, and says so.
///
/// # Errors
/// The error, if it has another reason.
pub fn excuse(table: &mut Table, error: PlayError) -> Result<String, PlayError> {
    if table.session().chance_left().is_empty() {
        return Err(error);
    }
    table.session_mut().force(Vec::new())?;
    Ok(format!("{}the seed draws again\n", error.report(false)))
}
