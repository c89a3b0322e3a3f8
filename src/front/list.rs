//! `cardwright list`

use super::{Context, Outcome};
use crate::play::Package;
use serde::Serialize;

/// Lists the games that can be played by name.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  cardwright list\n  cardwright --content ./games list --json")]
pub struct Args {
    /// Prints one JSON object with a list `games`.
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Row {
    name: String,
    title: String,
    players: String,
    description: String,
    variants: Vec<String>,
    origin: String,
}

/// Runs the subcommand.
///
/// # Errors
/// If stdout cannot be written.
pub fn run(context: &Context, args: Args) -> Outcome {
    let rows: Vec<Row> = context.library.list().iter().map(row).collect();
    if args.json {
        let text = serde_json::json!({ "version": 1, "games": rows });
        return context.console.data(&format!("{text}\n"));
    }
    let width = |part: fn(&Row) -> &str| rows.iter().map(|row| part(row).chars().count()).max().unwrap_or(0);
    let (names, players) = (width(|row| &row.name), width(|row| &row.players));
    let mut text = String::new();
    for row in &rows {
        text.push_str(&format!("{:<names$}  {:<players$}  {}\n", row.name, row.players, row.description));
        for variant in &row.variants {
            text.push_str(&format!("{:<names$}  {:<players$}    --variant {variant}\n", "", ""));
        }
    }
    if rows.is_empty() {
        context.console.note("there are no games here");
    }
    context.console.data(&text)
}

/// Reads only the manifest, so that a game with errors is listed too.
fn row(package: &Package) -> Row {
    let manifest = package.world().ok().and_then(|world| world.read("game.toml").ok());
    let manifest: toml::Table = manifest.and_then(|text| text.parse().ok()).unwrap_or_default();
    let text = |key: &str| manifest.get(key).and_then(|value| value.as_str()).unwrap_or_default().to_owned();
    let number = |key: &str| manifest.get("players")?.get(key)?.as_integer();
    let players = match (number("min"), number("max")) {
        (Some(min), Some(max)) if min == max => format!("{min} players"),
        (Some(min), Some(max)) => format!("{min} to {max} players"),
        _ => String::new(),
    };
    let variants = manifest.get("variants").and_then(|value| value.as_table());
    let variants = variants.into_iter().flatten().map(|(name, variant)| {
        let description = variant.get("description").and_then(|value| value.as_str()).unwrap_or_default();
        format!("{name}: {description}").trim_end_matches([':', ' ']).to_owned()
    });
    Row {
        name: package.name.clone(),
        title: text("title"),
        players,
        description: text("description"),
        variants: variants.collect(),
        origin: package.origin(),
    }
}
