//! `cardwright new`

use super::{Context, Outcome};
use crate::play::PlayError;
use std::path::PathBuf;

/// Makes a small playable game in a new folder, with comments that teach.
#[derive(clap::Args)]
#[command(after_help = "\
The game has one kind of card, three cards and a scenario. Change a number in its cards, and play on.

Examples:
  cardwright new lanterns
  cardwright play ./lanterns --watch
  cardwright test ./lanterns")]
pub struct Args {
    /// Name of the game: small letters, digits and dashes.
    #[arg(value_name = "NAME")]
    name: String,
    /// Where to put the folder; the current folder unless given.
    #[arg(long, value_name = "DIR", default_value = ".")]
    into: PathBuf,
}

/// The files of a new game; `NAME` and `TITLE` stand for the game's own.
const FILES: [(&str, &str); 5] = [
    ("game.toml", include_str!("new/game.toml")),
    ("RULES.md", include_str!("new/RULES.md")),
    ("rules/NAME.rules", include_str!("new/game.rules")),
    ("cards/NAME.cards", include_str!("new/game.cards")),
    ("scenarios/NAME.scenario", include_str!("new/game.scenario")),
];

/// Runs the subcommand.
///
/// # Errors
/// If the name is no name, the folder is there already, or it cannot be written.
pub fn run(context: &Context, args: Args) -> Outcome {
    let letters = |letter: char| letter.is_ascii_lowercase() || letter.is_ascii_digit() || letter == '-';
    if !args.name.starts_with(|first: char| first.is_ascii_lowercase()) || !args.name.chars().all(letters) {
        let reason = "a name has small letters, digits and dashes, and begins with a letter";
        return Err(PlayError::Usage(format!("`{}` cannot be the name of a game: {reason}", args.name)));
    }
    let folder = args.into.join(&args.name);
    if folder.exists() {
        return Err(PlayError::Usage(format!("`{}` exists already", folder.display())));
    }
    let title = title(&args.name);
    for (path, text) in FILES {
        let path = folder.join(path.replace("NAME", &args.name));
        if let Some(parent) = path.parent() {
            std::fs::create_dir_all(parent).map_err(|error| PlayError::io("create", parent, &error))?;
        }
        let text = text.replace("NAME", &args.name).replace("TITLE", &title);
        std::fs::write(&path, text).map_err(|error| PlayError::io("write", &path, &error))?;
    }
    let shown = folder.display();
    let shown = if shown.to_string().contains('/') { shown.to_string() } else { format!("./{shown}") };
    context
        .console
        .note(&format!("wrote `{shown}`; next:\n  cardwright play {shown} --watch\n  cardwright test {shown}"));
    Ok(())
}

/// `sea-of-lamps` is titled `Sea of Lamps`.
fn title(name: &str) -> String {
    let small = ["of", "and", "the", "in", "on", "a"];
    let words = name.split('-').filter(|word| !word.is_empty()).enumerate().map(|(index, word)| {
        let mut letters = word.chars();
        match letters.next() {
            Some(first) if index == 0 || !small.contains(&word) => {
                format!("{}{}", first.to_uppercase(), letters.as_str())
            }
            _ => word.to_owned(),
        }
    });
    words.collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::title;

    #[test]
    fn titles_are_names_with_capitals() {
        assert_eq!(title("sea-of-lamps"), "Sea of Lamps");
        assert_eq!(title("x2"), "X2");
    }
}
