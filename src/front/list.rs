//! `cardwright list`

use super::{Context, Outcome};
use crate::play::Package;
use serde::Serialize;
use std::collections::BTreeSet;

/// Lists the games that can be played by name, each with its version and its expansions.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  cardwright list\n  cardwright list --templates\n  cardwright --content ./games list --json"
)]
pub struct Args {
    /// Lists the templates: small games to begin with, by `cardwright new NAME --like TEMPLATE`.
    #[arg(long)]
    templates: bool,
    /// Prints one JSON object with a list `games`.
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Row {
    name: String,
    title: String,
    /// The version that is taken, and all that are here, in the order in which they would be taken.
    version: String,
    versions: Vec<String>,
    players: String,
    description: String,
    variants: Vec<String>,
    /// The games that it extends, if it is an expansion.
    extends: Vec<String>,
    /// The folder of the library in which it lies with others.
    group: Option<String>,
    origin: String,
}

impl Row {
    /// The other versions that are here, on a line.
    fn older(&self) -> Option<String> {
        let others: Vec<&str> = self.versions.iter().map(String::as_str).filter(|it| *it != self.version).collect();
        (!others.is_empty()).then(|| format!("also here: {}", others.join(", ")))
    }
}

/// The folder of the library with games to begin with.
const TEMPLATES: &str = "templates";

/// Runs the subcommand.
///
/// # Errors
/// If stdout cannot be written.
pub fn run(context: &Context, args: Args) -> Outcome {
    let of_group = |row: &Row| (row.group.as_deref() == Some(TEMPLATES)) == args.templates;
    let rows: Vec<Row> = context.library.list().iter().map(|package| row(context, package)).filter(of_group).collect();
    if args.json {
        let text = serde_json::json!({ "version": 1, "games": rows });
        return context.console.json(&text.to_string());
    }
    let table = Table::new(&rows);
    let mut text = String::new();
    rows.iter().filter(|row| row.extends.is_empty() && row.group.is_none()).for_each(|row| table.game(row, &mut text));
    table.lone_expansions(&mut text);
    let groups: BTreeSet<&String> = rows.iter().filter_map(|row| row.group.as_ref()).collect();
    for group in groups {
        text.push_str(&format!("\n{group}:\n"));
        let inside = rows.iter().filter(|row| row.extends.is_empty() && row.group.as_ref() == Some(group));
        inside.for_each(|row| table.game(row, &mut text));
    }
    if rows.is_empty() {
        context.console.note("there are no games here");
    }
    context.console.data(&text)
}

/// All rows, and how wide their columns are.
struct Table<'a> {
    rows: &'a [Row],
    names: usize,
    versions: usize,
    players: usize,
}

impl Table<'_> {
    fn new(rows: &[Row]) -> Table<'_> {
        let width = |part: fn(&Row) -> &str| rows.iter().map(|row| part(row).chars().count()).max().unwrap_or(0);
        let (versions, players) = (width(|row| &row.version), width(|row| &row.players));
        Table { rows, names: width(|row| &row.name), versions, players }
    }

    fn line(&self, name: &str, version: &str, players: &str, description: &str) -> String {
        let (names, versions, width) = (self.names, self.versions, self.players);
        format!("{name:<names$}  {version:<versions$}  {players:<width$}  {description}\n")
    }

    /// A game with its variants and expansions.
    fn game(&self, row: &Row, text: &mut String) {
        text.push_str(&self.line(&row.name, &row.version, &row.players, &row.description));
        let mut below = |line: String| text.push_str(&self.line("", "", "", &format!("  {line}")));
        row.older().into_iter().for_each(&mut below);
        row.variants.iter().for_each(|variant| below(format!("--variant {variant}")));
        for expansion in self.rows.iter().filter(|other| other.extends.contains(&row.name)) {
            below(format!("--with {} {}: {}", expansion.name, expansion.version, expansion.description));
            expansion.older().into_iter().for_each(|line| below(format!("  {line}")));
            expansion.variants.iter().for_each(|variant| below(format!("  --variant {variant}")));
        }
    }

    /// Expansions whose games are elsewhere.
    fn lone_expansions(&self, text: &mut String) {
        let listed = |extends: &String| self.rows.iter().any(|row| row.extends.is_empty() && row.name == *extends);
        let lone = |row: &&Row| !row.extends.is_empty() && !row.extends.iter().any(listed);
        for row in self.rows.iter().filter(lone) {
            let about = format!("{} (an expansion of {})", row.description, row.extends.join(", "));
            text.push_str(&self.line(&row.name, &row.version, "", &about));
        }
    }
}

/// Reads only the manifest, so that a game with errors is listed too.
fn row(context: &Context, package: &Package) -> Row {
    let manifest: toml::Table = package.manifest_text().and_then(|text| text.parse().ok()).unwrap_or_default();
    let text = |key: &str| manifest.get(key).and_then(|value| value.as_str()).unwrap_or_default().to_owned();
    let number = |key: &str| manifest.get("players")?.get(key)?.as_integer();
    let counts = manifest.get("players").and_then(|players| players.get("counts")?.as_array());
    let counts: Vec<String> = counts.into_iter().flatten().map(ToString::to_string).collect();
    let players = match (number("min"), number("max")) {
        _ if !counts.is_empty() => format!("{} players", counts.join(", ")),
        (Some(1), Some(1)) => "1 player".to_owned(),
        (Some(min), Some(max)) if min == max => format!("{min} players"),
        (Some(min), Some(max)) => format!("{min} to {max} players"),
        _ => String::new(),
    };
    let variants = manifest.get("variants").and_then(|value| value.as_table());
    let variants = variants.into_iter().flatten().map(|(name, variant)| {
        let description = variant.get("description").and_then(|value| value.as_str()).unwrap_or_default();
        format!("{name}: {description}").trim_end_matches([':', ' ']).to_owned()
    });
    let extends = manifest.get("extends").and_then(|value| value.as_table());
    Row {
        name: package.name.clone(),
        title: text("title"),
        version: text("version"),
        versions: context.library.versions(&package.name).iter().map(ToString::to_string).collect(),
        players,
        description: text("description"),
        variants: variants.collect(),
        extends: extends.map(|games| games.keys().cloned().collect()).unwrap_or_default(),
        group: package.group.clone(),
        origin: package.origin(),
    }
}
