//! `cardwright book`

mod browser;
mod page;
mod rules;
mod sheets;

use super::args::GameArgs;
use super::svg::cards::{figures, text};
use super::{Context, Outcome};
use crate::base::{Colour, SourceMap, Span, plural, render_text, shown, visible};
use crate::engine::Print;
use crate::model::rules::{LookTarget, Tint, WordingPart};
use crate::play::abilities::Abilities;
use crate::play::cards::{Filter, cards};
use crate::play::pictures::{Picture, Pictures};
use crate::play::words::brief;
use crate::play::{Game, PlayError};
use sheets::Sheets;
use std::collections::BTreeMap;
use std::path::PathBuf;

/// Makes a rule book and sheets of cards to be printed.
#[derive(clap::Args)]
#[command(after_help = "\
DIR gets `rules.html` and `cards.html`, each complete in itself. Print them without margins and at 100 %. A card measures
63 by 88 mm. Its colour, title, text and picture are those of its `look`; where a card has no text, what it does is told in
words of its rules.

Examples:
  cardwright book ./lanterns --out print
  cardwright book ./lanterns --out print --backs --bleed 3 --paper letter
  cardwright book ./lanterns --out print --cards 'cost > 3'
  cardwright book ./lanterns --out print --pdf")]
pub struct Args {
    #[command(flatten)]
    game: GameArgs,
    /// The folder to write to; files of these names in it are replaced.
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// Prints only the cards that a filter takes, as `cardwright cards` reads it.
    #[arg(long, value_name = "FILTER")]
    cards: Option<String>,
    /// Prints the cards for so many players; for the most, if it is not given.
    #[arg(long, value_name = "N")]
    players: Option<u8>,
    /// The size of the paper.
    #[arg(long, value_name = "SIZE", default_value = "a4")]
    paper: Paper,
    /// Lets colours and pictures reach so many millimetres beyond the cut, 0 to 5.
    #[arg(long, value_name = "MM", default_value = "0", value_parser = clap::value_parser!(u8).range(0..=5))]
    bleed: u8,
    /// Puts the backs of the cards on every second page, for printing on both sides.
    #[arg(long)]
    backs: bool,
    /// Prints it in another language, if the game is translated into it: `de`. Its rules are in `locales/de.md`, if that is there.
    #[arg(long, value_name = "LANGUAGE")]
    pub lang: Option<String>,
    /// Makes PDF files of the pages too, with the Chromium, Chrome or Edge that is installed.
    #[arg(long)]
    pdf: bool,
}

/// A size of paper.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Paper {
    A4,
    Letter,
}

/// A card as it stands on paper.
struct Face {
    name: String,
    kind: String,
    /// How many there are.
    copies: usize,
    title: String,
    /// Words in the corner.
    label: Option<String>,
    colour: Option<Colour>,
    /// Values in few words.
    figures: Vec<String>,
    /// Paragraphs: a heading, which may be empty, and words.
    text: Vec<(String, String)>,
    /// The path of its picture, if there is one.
    art: Option<String>,
    back: Back,
}

/// The back of a card: what the look of the zone says in which it begins.
#[derive(Clone, Debug, Default, PartialEq)]
struct Back {
    title: String,
    colour: Option<Colour>,
}

/// What the pages are made of.
struct Book<'a> {
    game: &'a Game,
    faces: Vec<Face>,
    art: BTreeMap<String, Picture>,
    pictures: &'a Pictures,
    players: u8,
}

impl Book<'_> {
    /// The language that it is printed in, if that is not the game's own.
    fn language(&self) -> Option<&str> {
        self.game.package.language()
    }
}

/// Runs the subcommand.
///
/// # Errors
/// If the game is not found or has errors, no card is taken, a file cannot be written, or there is no browser for `--pdf`.
pub fn run(context: &Context, args: Args) -> Outcome {
    let browser = if args.pdf { Some(browser::find()?) } else { None };
    let game = args.game.load(context)?;
    let players = args.players.unwrap_or(game.rules.players.1);
    game.check_players(usize::from(players))?;
    let pictures = Pictures::of(&game.package)?;
    let mut prints = game.speaking_machine().printed(players).map_err(|error| game.error(error))?;
    if let Some(filter) = &args.cards {
        take(&game, filter, &mut prints)?;
    }
    let missing = pictures.missing(&game.rules, &prints);
    if !missing.is_empty() {
        context.console.problem(&render_text(&missing, &game.sources, context.console.color));
    }
    let mut art = BTreeMap::new();
    for path in prints.iter().filter_map(|print| print.card.look.art.as_ref()) {
        if let Some(picture) =
            Some(path).filter(|path| !art.contains_key(*path)).and_then(|path| pictures.get(path).ok())
        {
            art.insert(path.clone(), picture);
        }
    }
    let faces = faces(&game, prints, &art);
    let book = Book { game: &game, faces, art, pictures: &pictures, players };
    std::fs::create_dir_all(&args.out).map_err(|error| PlayError::io("create", &args.out, &error))?;
    let mut files = vec![("rules.html", rules::page(&book)?)];
    let sheets = Sheets::of(args.paper, args.bleed, args.backs);
    if !book.faces.is_empty() {
        files.push(("cards.html", sheets.page(&book)));
    }
    for (name, text) in files {
        let path = args.out.join(name);
        std::fs::write(&path, text).map_err(|error| PlayError::io("write", &path, &error))?;
        context.console.note(&format!("wrote `{}`", shown(&path)));
        if let Some(browser) = &browser {
            let pdf = path.with_extension("pdf");
            browser::print(browser, &path, &pdf)?;
            context.console.note(&format!("wrote `{}`", shown(&pdf)));
        }
    }
    for face in book.faces.iter().filter(|face| sheets::overflows(face)) {
        let name = visible(&face.name);
        context.console.note(&format!("the text of `{name}` is too long for its card: its end is not seen"));
    }
    let copies: usize = book.faces.iter().map(|face| face.copies).sum();
    if copies > 0 {
        let said = format!("{}, {} to a page", plural(copies, "card"), sheets.to_a_page());
        context.console.note(&format!("{said}, {}", plural(sheets.pages(copies), "page")));
    } else {
        context.console.note("the game has no cards, so there are no sheets of them");
    }
    Ok(())
}

/// Leaves the cards that a filter takes.
fn take(game: &Game, filter: &str, prints: &mut Vec<Print>) -> Outcome {
    let filter = Filter::read(filter, &game.rules).map_err(PlayError::Usage)?;
    let all = cards(&game.rules, &game.sources);
    let mut kept = Vec::new();
    for print in std::mem::take(prints) {
        let card = print.entry.and_then(|entry| all.get(entry));
        if card.map_or(Ok(false), |card| filter.takes(card)).map_err(PlayError::Usage)? {
            kept.push(print);
        }
    }
    if kept.is_empty() {
        return Err(PlayError::Finding(
            "the filter takes no card; only cards with a definition can be asked for".to_owned(),
        ));
    }
    *prints = kept;
    Ok(())
}

fn faces(game: &Game, prints: Vec<Print>, art: &BTreeMap<String, Picture>) -> Vec<Face> {
    let mut abilities = Abilities::default();
    let mut face = |print: Print| {
        let Print { entry, copies, zone, card, .. } = print;
        let said = text(&card);
        let entry = entry.and_then(|entry| game.rules.entries.get(entry));
        let text = match (said.is_empty(), entry) {
            (true, Some(entry)) => abilities.of(&game.rules, &game.sources, entry),
            (true, None) => Vec::new(),
            (false, _) => vec![(String::new(), said)],
        };
        let title = card.look.title.clone().unwrap_or_else(|| card.name.clone());
        let label = card.look.label.clone().or(card.look.glyph.clone());
        Face {
            copies,
            label: label.filter(|label| !label.is_empty() && *label != title),
            title,
            colour: card.look.colour,
            // What is worked out from the card alone is as good as printed.
            figures: figures(&card).chain(card.props.iter().filter(|prop| prop.1 != "0").filter_map(brief)).collect(),
            text,
            art: card.look.art.clone().filter(|path| art.contains_key(path)),
            back: zone.map_or_else(Back::default, |zone| back(game, zone)),
            name: card.name,
            kind: card.kind,
        }
    };
    prints.into_iter().map(&mut face).collect()
}

/// The back of the cards that begin in a zone.
fn back(game: &Game, zone: usize) -> Back {
    let rules = game.read();
    let mut back =
        Back { title: rules.zones.get(zone).map_or(String::new(), |zone| rules.label(&zone.name)), colour: None };
    let look = rules.looks.iter().find(|look| matches!(look.target, LookTarget::Zone(id) if id.index() == zone));
    let Some(look) = look else { return back };
    if let Some([WordingPart::Text(title)]) =
        look.title.iter().find(|case| case.when.is_none()).map(|case| &case.value[..])
    {
        back.title.clone_from(title);
    }
    back.colour = look.colour.iter().filter(|case| case.when.is_none()).find_map(|case| match case.value {
        Tint::Fixed(colour) => Some(colour),
        Tint::Of(_) => None,
    });
    back
}

/// The comment above a declaration, or behind it on its line.
fn comment(sources: &SourceMap, span: Span) -> Option<String> {
    let text = sources.text(span.file);
    let start = span.start as usize;
    let behind = text.get(start..).and_then(|rest| rest.lines().next()).and_then(|line| line.split_once("//"));
    let behind = behind.map(|(_, comment)| comment.trim().to_owned());
    crate::ide::hover::comment_above(text, start).or(behind).filter(|comment| !comment.is_empty())
}
