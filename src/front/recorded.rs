//! The recorded games of `cardwright test`.

use super::{Context, Outcome};
use crate::base::shown;
use crate::play::changed::{Changed, Source};
use crate::play::recorded::{self, Recorded};
use crate::play::{Game, Package, PlayError};
use std::path::Path;
use std::sync::Arc;

/// Most parts of the rules that are named.
const MOST_NAMED: usize = 30;

/// The recorded games of a package that are played otherwise, and how many there are.
///
/// # Errors
/// If one cannot be read or played.
pub fn changed(
    package: &Package,
    game: &Arc<Game>,
    named: impl Fn(&str) -> bool,
) -> Result<(Vec<Changed>, usize), PlayError> {
    let mut games = recorded::recorded(package, game)?;
    games.retain(|recorded| named(&recorded.name()));
    let count = games.len();
    let mut changed = Vec::new();
    for recorded in games {
        let played = recorded::play(game, &recorded.head, &recorded.keys, false)?;
        if played.text.trim_end() != recorded.text.trim_end() {
            changed.push(Changed { texts: [recorded.text.clone(), played.text], source: Source::Game(recorded) });
        }
    }
    Ok((changed, count))
}

/// Writes a recorded game as it is played now. What cannot be chosen any more the bots choose anew.
///
/// # Errors
/// If it cannot be played or written.
pub fn take(game: &Arc<Game>, recorded: &Recorded) -> Outcome {
    put(&recorded.path, &recorded::play(game, &recorded.head, &recorded.keys, true)?.text)
}

/// Records so many games, which together show most of the rules.
///
/// # Errors
/// If the game is built in, or a game cannot be played or written.
pub fn record(context: &Context, package: &Package, game: &Arc<Game>, count: usize, seed: u64) -> Outcome {
    let Some(home) = recorded::home(package) else {
        return Err(PlayError::Usage("a built-in game records nothing; `cardwright eject` makes a copy".to_owned()));
    };
    let folder = home.join(recorded::FOLDER);
    let chosen = recorded::choose(game, &folder, count, seed, |line| context.console.note(line))?;
    for recorded in &chosen {
        put(&recorded.path, &recorded.text)?;
        context.console.note(&format!("recorded `{}`", shown(&recorded.path)));
    }
    Ok(())
}

fn put(path: &Path, text: &str) -> Result<(), PlayError> {
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder).map_err(|error| PlayError::io("create", folder, &error))?;
    }
    std::fs::write(path, text).map_err(|error| PlayError::io("write", path, &error))
}

/// Says which parts of the rules act in the recorded games, and which in none.
///
/// # Errors
/// If one cannot be read or played.
pub fn cover(context: &Context, package: &Package, game: &Arc<Game>) -> Outcome {
    let games = recorded::recorded(package, game)?;
    if games.is_empty() {
        return Ok(());
    }
    let mut lines = std::collections::BTreeSet::new();
    for recorded in &games {
        let played = recorded::play(game, &recorded.head, &recorded.keys, false)?;
        lines.extend(recorded::lines_that_acted(&played.session));
    }
    let parts = recorded::acting(game);
    let acted = recorded::acted(&parts, &lines);
    let mut text = format!(
        "{}: in {} recorded games {} of {} verbs, actions, effects and clauses act\n",
        game.full_name(),
        games.len(),
        acted.len(),
        parts.len()
    );
    let missing: Vec<String> = parts
        .difference(&acted)
        .map(|part| {
            let place = game.locate(part.span).map_or(String::new(), |place| format!("  [{place}]"));
            format!("  not yet: {}{place}\n", part.name)
        })
        .collect();
    text.extend(missing.iter().take(MOST_NAMED).map(String::as_str));
    if missing.len() > MOST_NAMED {
        text.push_str(&format!("  and {} more\n", missing.len() - MOST_NAMED));
    }
    context.console.data(&text)
}
