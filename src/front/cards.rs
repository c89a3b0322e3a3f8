//! `cardwright cards`

use super::args::GameArgs;
use super::{Context, Outcome};
use crate::base::{plural, visible};
use crate::play::PlayError;
use crate::play::cards::{Card, Filter, cards};
use std::collections::BTreeSet;

/// Lists the cards and pieces that a game defines, or those that a filter takes.
#[derive(clap::Args)]
#[command(after_help = "\
FILTER is the name of a kind, an expression about fields as in rules, or words that stand on the card.

Examples:
  cardwright cards ./lanterns
  cardwright cards ./lanterns rope
  cardwright cards ./lanterns 'cost > 3 and colour = blue'
  cardwright cards ./lanterns 'it is lamp and copies in 2..4' --json
  cardwright cards ./lanterns tool --csv > tools.csv
                                        a table that `cards from \"tools.csv\"` reads")]
pub struct Args {
    #[command(flatten)]
    game: GameArgs,
    /// Which cards are wanted; all, if it is not given.
    #[arg(value_name = "FILTER")]
    filter: Option<String>,
    /// Writes a table of comma-separated values.
    #[arg(long, conflicts_with = "json")]
    csv: bool,
    /// Prints one JSON object with a list `cards`.
    #[arg(long)]
    json: bool,
}

/// Runs the subcommand.
///
/// # Errors
/// If the game is not found or has errors, or the filter asks what no card has.
pub fn run(context: &Context, args: Args) -> Outcome {
    let game = args.game.load(context)?;
    let filter = args.filter.as_deref().map(|text| Filter::read(text, &game.rules)).transpose();
    let filter = filter.map_err(PlayError::Usage)?;
    let mut found = Vec::new();
    for card in cards(&game.rules, &game.sources) {
        let takes = filter.as_ref().map_or(Ok(true), |filter| filter.takes(&card));
        if takes.map_err(PlayError::Usage)? {
            found.push(card);
        }
    }
    if args.json {
        let rows: Vec<_> = found.iter().map(|card| json(card, card.place(&game.sources))).collect();
        let object = serde_json::json!({ "version": 1, "game": game.full_name(), "cards": rows });
        return context.console.json(&object.to_string());
    }
    if args.csv {
        let acting = found.iter().filter(|card| !card.does.is_empty()).count();
        context.console.data(&csv(&found))?;
        if acting > 0 {
            let what = format!("{} of {} also", acting, plural(found.len(), "card"));
            context.console.note(&format!("{what} do what no table says: keep their blocks, without these fields"));
        }
        return Ok(());
    }
    let places: Vec<String> = found.iter().map(|card| card.place(&game.sources)).collect();
    context.console.data(&text(&found, &places))?;
    let copies: usize = found.iter().map(|card| usize::from(card.copies)).sum();
    context.console.note(&format!("{}, {} in the game", plural(found.len(), "card"), copies));
    Ok(())
}

fn json(card: &Card, place: String) -> serde_json::Value {
    let fields = card.fields.iter().map(|field| (field.name.clone(), field.value.json()));
    let fields: serde_json::Map<_, _> = fields.collect();
    serde_json::json!({
        "kind": card.kind(), "name": card.name, "copies": card.copies, "fields": fields, "does": card.does, "place": place,
    })
}

/// A line for each card: kind, name, copies, what it gives, place.
fn text(found: &[Card], places: &[String]) -> String {
    let name = |card: &Card| visible(&card.name).into_owned();
    let count = |card: &Card| if card.copies == 1 { String::new() } else { format!("×{}", card.copies) };
    let said = |card: &Card| {
        let fields = card.fields.iter().filter(|field| field.given);
        let fields = fields.map(|field| format!("{}: {}", field.name, visible(&field.value.written())));
        fields.chain(card.does.iter().map(|does| format!("{does} …"))).collect::<Vec<_>>().join("  ")
    };
    let width = |part: &dyn Fn(&Card) -> String| found.iter().map(|card| part(card).chars().count()).max().unwrap_or(0);
    let (kinds, names, counts) = (width(&|card| card.kind().to_owned()), width(&name), width(&count));
    let line = |(card, place): (&Card, &String)| {
        let (kind, name, count, said) = (card.kind(), name(card), count(card), said(card));
        format!("{kind:<kinds$}  {name:<names$}  {count:<counts$}  {said}  {place}\n")
    };
    found.iter().zip(places).map(line).collect()
}

/// A table that `cards from` reads: kind, name, copies, then each field that some card gives.
fn csv(found: &[Card]) -> String {
    let mut heads: Vec<&str> = Vec::new();
    let mut seen = BTreeSet::new();
    for field in found.iter().flat_map(|card| &card.fields).filter(|field| field.given) {
        if seen.insert(field.name.as_str()) {
            heads.push(&field.name);
        }
    }
    let copies = found.iter().any(|card| card.copies != 1);
    let mut text = String::new();
    let mut row = |cells: Vec<String>| {
        let cells: Vec<String> = cells.iter().map(|cell| quoted(cell)).collect();
        text.push_str(&cells.join(","));
        text.push('\n');
    };
    let first = ["kind", "name"].into_iter().chain(copies.then_some("copies"));
    row(first.chain(heads.iter().copied()).map(str::to_owned).collect());
    for card in found {
        let value = |head: &&str| {
            let field = card.fields.iter().find(|field| field.given && field.name == **head);
            field.map_or(String::new(), |field| field.value.cell())
        };
        let first = [card.kind().to_owned(), card.name.clone()].into_iter();
        let first = first.chain(copies.then(|| if card.copies == 1 { String::new() } else { card.copies.to_string() }));
        row(first.chain(heads.iter().map(value)).collect());
    }
    text
}

/// A cell, in quotes if it has to be.
fn quoted(cell: &str) -> String {
    let plain = !cell.contains(['"', ',', ';', '\t', '\n', '\r']) && cell.trim() == cell && !cell.starts_with("//");
    if plain { cell.to_owned() } else { format!("\"{}\"", cell.replace('"', "\"\"")) }
}
