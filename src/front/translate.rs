//! `cardwright translate`

use super::{Context, Outcome, check};
use crate::base::{listed, plural, shown};
use crate::play::{PlayError, locales};

/// Writes the file in which a game is translated, or makes it follow the rules.
#[derive(clap::Args)]
#[command(after_help = "\
All that players read stands in `locales/LANGUAGE.toml` in the game's folder, each text under an id that stays when its wording
changes: `from` is the text, `to` the translation, which you write. Call it again when the rules have changed: it adds new texts,
marks with `was` those that are another now, and keeps what was translated of texts that are gone at the end of the file.

An expansion has locale files of its own. One without any rules can translate the game it extends.

Examples:
  cardwright translate ./lanterns de
  cardwright translate ./night-shift pt-br
  cardwright check ./lanterns                  says what is missing
  cardwright play ./lanterns --lang de")]
pub struct Args {
    /// Name of a game or an expansion, or path of its folder.
    #[arg(value_name = "GAME")]
    game: String,
    /// The language, in small letters: `de`, `pt-br`.
    #[arg(value_name = "LANGUAGE")]
    language: String,
}

/// Runs the subcommand.
///
/// # Errors
/// If the game is not found, has errors or lies in no folder, or the file cannot be read or written.
pub fn run(context: &Context, args: Args) -> Outcome {
    let Some(package) = check::packages(context, std::slice::from_ref(&args.game), &[])?.into_iter().next() else {
        return Err(PlayError::Usage(format!("there is no game `{}`", args.game)));
    };
    let Some(folder) = package.about_package().path() else {
        let message = "what is built in or packed cannot be changed: translate it by a package that extends it and has no rules, as `docs/how-to.md` shows under \"Translate a game\", or translate a copy that `eject` makes";
        return Err(PlayError::Usage(message.to_owned()));
    };
    let followed = locales::follow(&package, &args.language)?;
    let path = folder.join(&followed.path);
    if followed.changed {
        if let Some(parent) = path.parent() {
            std::fs::create_dir_all(parent).map_err(|error| PlayError::io("create", parent, &error))?;
        }
        std::fs::write(&path, &followed.text).map_err(|error| PlayError::io("write", &path, &error))?;
    }
    let (texts, done) = (plural(followed.all, "text"), if followed.changed { "wrote" } else { "nothing new in" });
    let mut told = format!("{done} `{}`: {texts}, {} without a translation", shown(&path), followed.left);
    if followed.new > 0 && followed.new < followed.all {
        told += &format!(", {} new", followed.new);
    }
    context.console.note(&told);
    let tell = |ids: &[String], what: &str| {
        if !ids.is_empty() {
            let named = listed(ids.iter().map(String::as_str));
            context.console.note(&format!("{} {what}: {named}", ids.len()));
        }
    };
    tell(&followed.stale, "to be looked at again");
    tell(&followed.gone, "gone, kept at the end of the file");
    Ok(())
}
