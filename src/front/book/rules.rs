//! The rule book: the rules as the package has written them, the board, the cards, and what is printed on them.

use super::page::{FONTS, address, page as whole};
use super::sheets::paragraphs;
use super::{Book, comment};
use crate::base::{visible, visible_lines};
use crate::engine::{Chance, Start};
use crate::front::svg::Shot;
use crate::front::svg::pen::{FAINT, INK, escaped};
use crate::model::rules::{Key, Kind, Prop, PropClass, RootKind, Rules, Ty};
use crate::play::{Package, PlayError};
use pulldown_cmark::{CowStr, Event, HeadingLevel, Options, Parser, Tag, TagEnd, html};
use std::collections::BTreeSet;
use std::fmt::Write;

/// A heading of the contents: how deep it is, where it leads, and its words.
type Heading = (usize, String, String);

/// The rule book as a page.
///
/// # Errors
/// [`PlayError`] if the game cannot begin, whose board is shown.
pub fn page(book: &Book<'_>) -> Result<String, PlayError> {
    let rules = book.game.read();
    let mut headings: Vec<Heading> = Vec::new();
    let mut body = String::new();
    let package = &book.game.package;
    for package in [package].into_iter().chain(package.expansions()) {
        if let Some(text) = rulebook(package, book.game.package.language()) {
            body.push_str(&rendered(&text, book, &mut headings));
        }
    }
    let mut section = |title: &str, inside: String| {
        if !inside.is_empty() {
            let at = format!("h{}", headings.len());
            let _ = write!(body, "<section><h2 id=\"{at}\">{title}</h2>\n{inside}</section>\n");
            headings.push((2, at, title.to_owned()));
        }
    };
    section("The first position", board(book)?);
    section("Cards", cards(book));
    section("Kinds and their fields", glossary(book));
    let mut head = format!("<header><h1>{}</h1>\n<p>{}", escaped(&rules.title), escaped(&rules.counts_in_words()));
    let expansions: Vec<String> = book.game.expansions.iter().map(|with| escaped(&with.name)).collect();
    if !expansions.is_empty() {
        let _ = write!(head, ", with {}", expansions.join(" and "));
    }
    let _ = write!(head, " · version {}</p></header>\n<nav><ul>\n", escaped(book.game.version()));
    for (depth, at, words) in headings.iter().filter(|(depth, ..)| *depth <= 3) {
        let _ = writeln!(head, "<li class=\"d{depth}\"><a href=\"#{at}\">{}</a></li>", escaped(words));
    }
    head.push_str("</ul></nav>\n");
    Ok(whole(book.language(), &rules.title, &style(), &format!("{head}<main>\n{body}</main>\n")))
}

/// The text of a package's rules, in a language if it is there.
fn rulebook(package: &Package, language: Option<&str>) -> Option<String> {
    let world = package.world().ok()?;
    let translated = language.and_then(|language| world.read(&format!("locales/{language}.md")).ok());
    translated.or_else(|| world.read(&package.manifest()?.rulebook?).ok())
}

/// Markdown as HTML. What is HTML in it stays text, links lead only to pages of the web, and pictures are the package's.
fn rendered(text: &str, book: &Book<'_>, headings: &mut Vec<Heading>) -> String {
    let text = visible_lines(text);
    let options = Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH | Options::ENABLE_FOOTNOTES;
    let (mut events, mut heading): (Vec<Event<'_>>, Option<Heading>) = (Vec::new(), None);
    let numbers: BTreeSet<&str> = book.game.rulebook.iter().map(|(number, _)| number.as_str()).collect();
    let (mut kept, mut first) = (Vec::new(), false);
    // The book has one title, the game's: below a heading of the same words all others stand as high as they are.
    let title = text.lines().find(|line| !line.trim().is_empty()).and_then(|line| line.strip_prefix("# "));
    let named = title.is_some_and(|title| title.trim() == visible(&book.game.read().title));
    let text = if named {
        text.split_once("# ").and_then(|(_, rest)| rest.split_once('\n')).map_or("", |(_, rest)| rest)
    } else {
        &text
    };
    let deeper = |level: HeadingLevel| if named { level.max(HeadingLevel::H2) } else { deeper(level) };
    for event in Parser::new_ext(text, options) {
        let begins = std::mem::replace(&mut first, matches!(event, Event::Start(Tag::Item)));
        if let (Some((.., words)), Event::Text(text) | Event::Code(text)) = (&mut heading, &event) {
            words.push_str(text);
        }
        match event {
            Event::Html(text) | Event::InlineHtml(text) => events.push(Event::Text(text)),
            Event::Start(Tag::Heading { level, .. }) => {
                let at = format!("h{}", headings.len());
                let level = deeper(level);
                heading = Some((level as usize, at.clone(), String::new()));
                let id = Some(CowStr::from(at));
                events.push(Event::Start(Tag::Heading { level, id, classes: Vec::new(), attrs: Vec::new() }));
            }
            Event::End(TagEnd::Heading(level)) => {
                headings.extend(heading.take());
                events.push(Event::End(TagEnd::Heading(deeper(level))));
            }
            Event::Start(Tag::Link { dest_url, link_type, title, id }) => {
                let web = ["https://", "http://", "mailto:"].iter().any(|scheme| dest_url.starts_with(scheme));
                kept.push(web);
                if web {
                    events.push(Event::Start(Tag::Link { dest_url, link_type, title, id }));
                }
            }
            Event::Start(Tag::Image { dest_url, link_type, title, id }) => {
                let found = book.pictures.get(&dest_url).ok();
                kept.push(found.is_some());
                if let Some(picture) = found {
                    let dest_url = CowStr::from(address(&picture));
                    events.push(Event::Start(Tag::Image { dest_url, link_type, title, id }));
                }
            }
            Event::End(end @ (TagEnd::Link | TagEnd::Image)) => {
                if kept.pop().unwrap_or(false) {
                    events.push(Event::End(end));
                }
            }
            Event::Text(text) if begins => match text.split_once(' ').filter(|(number, _)| numbers.contains(number)) {
                Some((number, rest)) => {
                    events.push(Event::InlineHtml(CowStr::from(format!("<b class=\"no\">{}</b> ", escaped(number)))));
                    events.push(Event::Text(CowStr::from(rest.to_owned())));
                }
                None => events.push(Event::Text(text)),
            },
            other => events.push(other),
        }
    }
    let mut out = String::new();
    html::push_html(&mut out, events.into_iter());
    out
}

/// The level of a heading below the title of the book.
fn deeper(level: HeadingLevel) -> HeadingLevel {
    match level {
        HeadingLevel::H1 => HeadingLevel::H2,
        HeadingLevel::H2 => HeadingLevel::H3,
        HeadingLevel::H3 => HeadingLevel::H4,
        HeadingLevel::H4 => HeadingLevel::H5,
        _ => HeadingLevel::H6,
    }
}

/// The boards of the game as they are at first, or nothing if it has none.
fn board(book: &Book<'_>) -> Result<String, PlayError> {
    let game = book.game;
    if game.rules.boards.is_empty() {
        return Ok(String::new());
    }
    let mut machine = game.speaking_machine();
    let start = Start { players: book.players, seed: 0, chance: Chance::Draw };
    let state = game.start(&mut machine, &start)?;
    let view = machine.view(&state, None);
    Ok(format!("<div class=\"board\">{}</div>\n", Shot::new(&game.read().title, view, BTreeSet::new()).svg()))
}

/// The list of cards, by kind.
fn cards(book: &Book<'_>) -> String {
    let mut kinds: Vec<&str> = Vec::new();
    for face in &book.faces {
        if !kinds.contains(&face.kind.as_str()) {
            kinds.push(&face.kind);
        }
    }
    let mut out = String::new();
    for kind in kinds {
        let faces = || book.faces.iter().filter(|face| face.kind == kind);
        let copies: usize = faces().map(|face| face.copies).sum();
        let _ = writeln!(out, "<table class=\"cards\"><caption>{}, {copies} in all</caption>", escaped(kind));
        for face in faces() {
            let count = if face.copies == 1 { String::new() } else { format!(" <small>×{}</small>", face.copies) };
            let figures = escaped(&face.figures.join(" · "));
            let (title, text) = (escaped(&face.title), paragraphs(&face.text));
            let _ = writeln!(out, "<tr><th>{title}{count}</th><td>{figures}</td><td>{text}</td></tr>");
        }
        out.push_str("</table>\n");
    }
    out
}

/// What the fields of each kind of card mean: which values they take, and the comment that stands with them.
fn glossary(book: &Book<'_>) -> String {
    let rules = book.game.read();
    let mut out = String::new();
    for kind in rules.kinds.iter().filter(|kind| kind.root != RootKind::Thing && kind.parent.is_some()) {
        let own = own_fields(rules, kind);
        if own.is_empty() {
            continue;
        }
        let told =
            comment(&book.game.sources, kind.span).map_or(String::new(), |told| format!("<p>{}</p>", escaped(&told)));
        let _ = writeln!(out, "<table class=\"cards\"><caption>{}{told}</caption>", escaped(&rules.label(&kind.name)));
        for (prop, takes) in own {
            let told = comment(&book.game.sources, prop.span).unwrap_or_default();
            let name = escaped(&rules.label(&prop.name));
            let _ = writeln!(out, "<tr><th>{name}</th><td>{}</td><td>{}</td></tr>", escaped(&takes), escaped(&told));
        }
        out.push_str("</table>\n");
    }
    out
}

/// The fields that a kind has and the kind above it has not, with the values they take.
fn own_fields<'r>(rules: &'r Rules, kind: &Kind) -> Vec<(&'r Prop, String)> {
    let above = kind.parent.and_then(|parent| rules.kinds.get(parent.index()));
    let own = kind.props.iter().filter(|prop| above.is_none_or(|above| !above.props.contains(prop)));
    let printed = own.filter_map(|prop| rules.props.get(prop.index())).filter(|prop| {
        let table = matches!(&prop.class, PropClass::Table(items) if items.first().and_then(|item| rules.props.get(item.index())).is_some_and(|item| matches!(item.class, PropClass::Field { .. })));
        prop.table.is_none() && (table || matches!(prop.class, PropClass::Field { .. }))
    });
    printed.filter_map(|prop| Some((prop, takes(rules, &prop.ty, prop.range)?))).collect()
}

/// The values of a type in words; none of what a card does.
fn takes(rules: &Rules, ty: &Ty, range: Option<(i64, i64)>) -> Option<String> {
    let values = |id: usize| {
        let names = rules.enums.get(id)?.values.iter().map(|value| rules.label(&value.name));
        Some(names.collect::<Vec<_>>().join(", "))
    };
    Some(match ty {
        Ty::Number => range.map_or_else(|| "a number".to_owned(), |(low, high)| format!("{low} to {high}")),
        Ty::Flag => "yes or no".to_owned(),
        Ty::Text => "words".to_owned(),
        Ty::Enum(id) => values(id.index())?,
        Ty::Maybe(of) => format!("{}, or nothing", takes(rules, of, range)?),
        Ty::Set(of) | Ty::List(of) => format!("any of: {}", takes(rules, of, range)?),
        Ty::PerDirection(of) => format!("for each side: {}", takes(rules, of, range)?),
        Ty::Table(Key::Enum(id), of) => format!("for each of {}: {}", values(id.index())?, takes(rules, of, range)?),
        Ty::Table(Key::Range(low, high), of) => format!("for each of {low} to {high}: {}", takes(rules, of, range)?),
        Ty::Player | Ty::Entity(_) | Ty::Site(_) | Ty::Direction(_) => "a thing of the game".to_owned(),
        _ => return None,
    })
}

fn style() -> String {
    format!(
        "@page {{ margin: 18mm 16mm }}\n\
         * {{ -webkit-print-color-adjust: exact; print-color-adjust: exact }}\n\
         body {{ max-width: 178mm; margin: 0 auto; color: {INK}; font: 10.5pt/1.45 {FONTS} }}\n\
         @media screen {{ body {{ padding: 12mm 8mm }} }}\n\
         h1 {{ font-size: 26pt; margin: 0 }}\n\
         h2 {{ font-size: 16pt; margin: 8mm 0 2mm; border-bottom: .3mm solid #bbb }}\n\
         h3 {{ font-size: 12.5pt; margin: 5mm 0 1mm }}\n\
         h2, h3, h4, caption {{ break-after: avoid }}\n\
         header p, small, .no {{ color: {FAINT} }}\n\
         nav ul {{ columns: 2; list-style: none; padding: 0; margin: 4mm 0 }}\n\
         nav .d3 {{ padding-left: 4mm; font-size: 9.5pt }}\n\
         a {{ color: inherit }}\n\
         nav a {{ text-decoration: none }}\n\
         p, ul, ol {{ margin: 1.5mm 0 }}\n\
         li {{ break-inside: avoid }}\n\
         .no {{ font-weight: normal; font-size: 8.5pt }}\n\
         img, .board svg {{ max-width: 100%; height: auto; display: block; margin: 0 auto }}\n\
         .board {{ break-inside: avoid }}\n\
         table {{ border-collapse: collapse; width: 100%; margin: 3mm 0; font-size: 9pt }}\n\
         caption {{ text-align: left; font-weight: bold; font-size: 11pt; padding: 1mm 0 }}\n\
         th, td {{ text-align: left; vertical-align: top; padding: .8mm 2mm .8mm 0; border-top: .2mm solid #ccc; overflow-wrap: anywhere }}\n\
         .cards th {{ width: 26% }} .cards td:nth-child(2) {{ width: 26%; color: {FAINT} }}\n\
         tr {{ break-inside: avoid }}\n\
         td p {{ margin: 0 }} caption p {{ margin: 0; font-weight: normal; font-size: 9pt }}\n\
         pre, code {{ font-family: ui-monospace, Consolas, monospace; font-size: 9pt; white-space: pre-wrap }}\n"
    )
}
