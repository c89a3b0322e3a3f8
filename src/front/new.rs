//! `cardwright new`

use super::{Context, Outcome};
use crate::model::Rules;
use crate::play::{Game, Options, PlayError};
use std::path::PathBuf;

/// Makes a small playable game, or an expansion, in a new folder, with comments that teach.
#[derive(clap::Args)]
#[command(after_help = "\
The game has one kind of card, three cards and a scenario. Change a number in its cards, and play on.

Examples:
  cardwright new lanterns
  cardwright play ./lanterns --watch
  cardwright test ./lanterns
  cardwright new night-shift --expands lanterns       an expansion of a game instead")]
pub struct Args {
    /// Name of the game or expansion: small letters, digits and dashes.
    #[arg(value_name = "NAME")]
    name: String,
    /// Where to put the folder; the current folder unless given.
    #[arg(long, value_name = "DIR", default_value = ".")]
    into: PathBuf,
    /// Makes an expansion of this game.
    #[arg(long, value_name = "GAME")]
    expands: Option<String>,
}

/// The files of a new game; `NAME` and `TITLE` stand for the game's own.
const FILES: [(&str, &str); 5] = [
    ("game.toml", include_str!("new/game.toml")),
    ("RULES.md", include_str!("new/RULES.md")),
    ("rules/NAME.rules", include_str!("new/game.rules")),
    ("cards/NAME.cards", include_str!("new/game.cards")),
    ("scenarios/NAME.scenario", include_str!("new/game.scenario")),
];

/// Likewise of an expansion; `GAME` and `VERSION` stand for those of its game.
const EXPANSION: [(&str, &str); 2] =
    [("game.toml", include_str!("new/expansion.toml")), ("cards/NAME.cards", include_str!("new/expansion.cards"))];

/// Runs the subcommand.
///
/// # Errors
/// If the name is no name, the folder is there already, it cannot be written, or the game to expand is not found.
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
    let files = match &args.expands {
        None => FILES.iter().map(|(path, text)| (*path, (*text).to_owned())).collect(),
        Some(game) => expansion(context, game)?,
    };
    let title = title(&args.name);
    for (path, text) in files {
        let path = folder.join(path.replace("NAME", &args.name));
        if let Some(parent) = path.parent() {
            std::fs::create_dir_all(parent).map_err(|error| PlayError::io("create", parent, &error))?;
        }
        let text = text.replace("NAME", &args.name).replace("TITLE", &title);
        std::fs::write(&path, text).map_err(|error| PlayError::io("write", &path, &error))?;
    }
    let shown = folder.display();
    let shown = if shown.to_string().contains('/') { shown.to_string() } else { format!("./{shown}") };
    let next = match &args.expands {
        None => format!("cardwright play {shown} --watch\n  cardwright test {shown}"),
        Some(game) => format!("cardwright play {game} --with {shown} --watch\n  cardwright check {shown}"),
    };
    context.console.note(&format!("wrote `{shown}`; next:\n  {next}"));
    Ok(())
}

/// The files of an expansion of a game, which ends with a change of the game's first card, if it has any.
fn expansion(context: &Context, game: &str) -> Result<Vec<(&'static str, String)>, PlayError> {
    let game = Game::load(&context.library.game(game, &[])?, &Options::new(), None)?;
    let fill = |text: &str| text.replace("GAME", &game.rules.name).replace("VERSION", game.version());
    let mut files: Vec<_> = EXPANSION.iter().map(|(path, text)| (*path, fill(text))).collect();
    if let (Some((_, cards)), Some(change)) = (files.last_mut(), first_change(&game.rules)) {
        cards.push_str(&change);
    }
    Ok(files)
}

fn first_change(rules: &Rules) -> Option<String> {
    let card = rules.entries.first()?;
    let kind = &rules.kinds.get(card.kind.index())?.name;
    let name = card.name.replace('\\', "\\\\").replace('"', "\\\"");
    Some(format!("\n// One more copy than the game has.\npatch {kind} \"{name}\" {{ copies: {} }}\n", card.copies + 1))
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
