//! `cardwright new`

use super::{Context, Outcome};
use crate::base::shown;
use crate::model::Rules;
use crate::play::scenario::run_all;
use crate::play::{Game, Options, Package, PlayError, Session, Setup, eject, locales};
use crate::syntax::quote;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Makes a small playable game, or an expansion, in a new folder, with comments that teach.
#[derive(clap::Args)]
#[command(after_help = "\
The game has one kind of card, three cards and a scenario. Change a number in its cards, and play on.
With `--like` it is a copy of a game that is there: of a template, to begin with what all games of its sort have.

Examples:
  cardwright new lanterns
  cardwright list --templates
  cardwright new lanterns --like deck-builder
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
    /// Begins with a copy of this game: a template (`cardwright list --templates`) or any other.
    #[arg(long, value_name = "GAME", conflicts_with = "expands")]
    like: Option<String>,
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

/// What stands above its scenarios, and where.
const SCENARIOS: (&str, &str) = ("scenarios/NAME.scenario", include_str!("new/expansion.scenario"));

/// So many games are begun to see what is the same in all of them.
const TRIED: u64 = 4;

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
        return Err(PlayError::Usage(format!("`{}` exists already", shown(&folder))));
    }
    let found = |name: &Option<String>| name.as_ref().map(|game| context.library.game(game, &[])).transpose();
    match (found(&args.like)?, found(&args.expands)?) {
        (Some(game), _) => copy(&game, &folder, &args.name)?,
        (None, Some(game)) => {
            for (path, text) in expansion(&Game::load(&game, &Options::new(), None)?) {
                write(&folder, &args.name, path, &text)?;
            }
            write_scenarios(&folder, &args.name, game.about(vec![Package::folder(&folder)]))?;
        }
        (None, None) => {
            for (path, text) in FILES {
                write(&folder, &args.name, path, text)?;
            }
        }
    }
    let shown = shown(&folder);
    let shown = if shown.contains('/') { shown } else { format!("./{shown}") };
    let played = args.expands.map_or(shown.clone(), |game| format!("{game} --with {shown}"));
    context
        .console
        .note(&format!("wrote `{shown}`; next:\n  cardwright play {played} --watch\n  cardwright test {shown}"));
    Ok(())
}

/// Writes a file of a new package.
fn write(folder: &Path, name: &str, path: &str, text: &str) -> Outcome {
    let path = folder.join(path.replace("NAME", name));
    if let Some(parent) = path.parent() {
        std::fs::create_dir_all(parent).map_err(|error| PlayError::io("create", parent, &error))?;
    }
    let text = text.replace("NAME", name).replace("TITLE", &title(name));
    std::fs::write(&path, text).map_err(|error| PlayError::io("write", &path, &error))
}

/// Copies a game under another name, which its manifest and the heading of its rules then have.
fn copy(game: &Package, folder: &Path, name: &str) -> Outcome {
    eject(game, folder)?;
    let Some(manifest) = game.manifest() else { return Ok(()) };
    let mut renamed = vec![("game.toml", "name = \"", &manifest.name, name.to_owned())];
    renamed.push(("game.toml", "title = \"", &manifest.title, title(name)));
    if let Some(rulebook) = &manifest.rulebook {
        renamed.push((rulebook, "# ", &manifest.title, title(name)));
    }
    for (file, before, old, new) in renamed {
        let path = folder.join(file);
        let text = std::fs::read_to_string(&path).map_err(|error| PlayError::io("read", &path, &error))?;
        let text = text.replacen(&format!("{before}{old}"), &format!("{before}{new}"), 1);
        std::fs::write(&path, text).map_err(|error| PlayError::io("write", &path, &error))?;
    }
    for language in locales::languages(&Package::folder(folder)) {
        let path = folder.join(locales::path(&language));
        let text = std::fs::read_to_string(&path).map_err(|error| PlayError::io("read", &path, &error))?;
        std::fs::write(&path, locales::entitled(&text, &title(name)))
            .map_err(|error| PlayError::io("write", &path, &error))?;
    }
    rename_snapshots(&folder.join("scenarios/snapshots"), &manifest.name, name)
}

/// Gives the snapshots of scenarios the name of their game, which stands in their files' names and in the first line of each.
fn rename_snapshots(folder: &Path, old: &str, new: &str) -> Outcome {
    let Ok(entries) = std::fs::read_dir(folder) else { return Ok(()) };
    for path in entries.filter_map(|entry| Some(entry.ok()?.path())) {
        let file = path.file_name().and_then(|file| file.to_str()).unwrap_or_default();
        let Some(scenario) = file.strip_prefix(&format!("{old}__")) else { continue };
        let renamed = folder.join(format!("{new}__{scenario}"));
        let text = std::fs::read_to_string(&path).map_err(|error| PlayError::io("read", &path, &error))?;
        let text = text.replacen(&format!("\n# {old} "), &format!("\n# {new} "), 1);
        std::fs::write(&renamed, text).map_err(|error| PlayError::io("write", &renamed, &error))?;
        std::fs::remove_file(&path).map_err(|error| PlayError::io("remove", &path, &error))?;
    }
    Ok(())
}

/// The files of an expansion of a game, which ends with a change of the game's first card, if it has any.
fn expansion(game: &Game) -> Vec<(&'static str, String)> {
    let fill = |text: &str| text.replace("GAME", &game.rules.name).replace("VERSION", game.version());
    let mut files: Vec<_> = EXPANSION.iter().map(|(path, text)| (*path, fill(text))).collect();
    if let (Some((_, cards)), Some((card, copies))) = (files.last_mut(), first_card(&game.rules)) {
        cards.push_str(&format!(
            "\n// One more copy than the game has.\npatch {card} {{ copies: {} }}\n",
            u32::from(copies) + 1
        ));
    }
    files
}

/// The first card of a game, as content writes it, and how many copies there are.
fn first_card(rules: &Rules) -> Option<(String, u16)> {
    let card = rules.entries.first()?;
    let kind = &rules.kinds.get(card.kind.index())?.name;
    Some((format!("{kind} {}", quote(&card.name)), card.copies))
}

/// Writes the first scenarios of an expansion: those that hold in this game as the expansion makes it.
fn write_scenarios(folder: &Path, name: &str, package: Package) -> Outcome {
    let game = Arc::new(Game::load(&package, &Options::new(), None)?);
    let mut scenarios: Vec<Written> = first_card(&game.rules).map(of_card).into_iter().collect();
    scenarios.push(("how the game begins", beginning(&game)?));
    let head = SCENARIOS.1.replace("GAME", &game.rules.name);
    let put = |scenarios: &[Written]| {
        let blocks = scenarios.iter().map(|(title, steps)| format!("\nscenario \"{title}\" {{\n{steps}}}\n"));
        write(folder, name, SCENARIOS.0, &format!("{head}{}", blocks.collect::<String>()))
    };
    put(&scenarios)?;
    let verdicts = run_all(&Arc::new(Game::load(&package, &Options::new(), None)?))?;
    scenarios.retain(|(title, _)| verdicts.iter().any(|ran| ran.title == *title && ran.failure.is_none()));
    put(&scenarios)
}

/// A scenario: its title, and its steps as content writes them.
type Written = (&'static str, String);

/// A scenario about how many copies there are of a card.
fn of_card((card, copies): (String, u16)) -> Written {
    let given = "  // `given` builds a position in the place of the game's `setup`. This one leaves every card where it begins.";
    ("one copy more than the game has", format!("{given}\n  given {{ }}\n  expect count {card} = {copies}\n"))
}

/// The steps of a scenario about how a game begins: who is asked what, and something that can be played.
fn beginning(game: &Arc<Game>) -> Result<String, PlayError> {
    let seats = vec!["human".to_owned(); usize::from(game.rules.players.0)];
    let begun = |seed| Session::new(Arc::clone(game), Setup { seed, seats: seats.clone() }, None);
    let mut begun = Begun((1..=TRIED).map(begun).collect::<Result<Vec<_>, _>>()?);
    let mut steps = String::new();
    let mut asked = begun.asked();
    if asked.is_none() {
        // Chance says how it begins: so the scenario says what chance does.
        begun.0.truncate(1);
        steps.push_str("  // What chance does. With other cards it does something else.\n  seed 1\n");
        asked = begun.asked();
    }
    let Some(asked) = asked else { return Ok("  expect over\n".to_owned()) };
    steps.push_str(&format!("  // Who is asked first, and words that stand in the question.\n{asked}"));
    if let Some(key) = begun.play()? {
        let options = format!("`cardwright options {} --with ./NAME`", game.rules.name);
        let play = quote(&key);
        steps.push_str(&format!("  // {options} lists all that can be played here.\n  play {play}\n"));
        steps.extend(begun.asked());
    }
    Ok(steps)
}

/// Games that differ in what chance does.
struct Begun(Vec<Session>);

impl Begun {
    /// The step that says who is asked what, if it is the same in all of them.
    fn asked(&mut self) -> Option<String> {
        let mut all = self.0.iter_mut().map(|session| session.decision().map(|asked| (asked.seat, asked.prompt)));
        let (seat, prompt) = all.next().flatten()?;
        let alike = all.all(|other| other.as_ref() == Some(&(seat, prompt.clone())));
        let seat = usize::from(seat?) + 1;
        alike.then(|| format!("  expect seat({seat}) asked {}\n", quote(&prompt)))
    }

    /// Takes the first option that there is in all of them.
    fn play(&mut self) -> Result<Option<String>, PlayError> {
        let mut all = self.0.iter_mut().map(|session| {
            let options = session.decision().map(|decision| decision.options).unwrap_or_default();
            options.into_iter().map(|option| option.key).collect::<Vec<_>>()
        });
        let first = all.next().unwrap_or_default();
        let others: Vec<Vec<String>> = all.collect();
        let Some(key) = first.into_iter().find(|key| others.iter().all(|keys| keys.contains(key))) else {
            return Ok(None);
        };
        for session in &mut self.0 {
            session.choose_key(&key)?;
        }
        Ok(Some(key))
    }
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
