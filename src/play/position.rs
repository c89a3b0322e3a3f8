//! A position as compact text: for line mode, failing scenarios and `options`.

use super::lattice::Lattice;
use super::record::quoted;
use super::words::brief;
use crate::base::{Shape, line_weight};
use crate::engine::{
    BoardView, CardView, Decision, Grid, MARKED, OptionInfo, SiteKind, SiteView, View, WindowView, ZoneView,
};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

/// Everything a view shows, in a few lines.
pub fn describe(view: &View) -> String {
    let mut text = headline(view);
    for line in &view.lines {
        let _ = writeln!(text, "{line}");
    }
    for board in &view.boards {
        text.push_str(&draw_board(board, view));
    }
    if let Some(legend) = legend(view) {
        let _ = writeln!(text, "{legend}");
    }
    for zone in view.zones.iter().filter(|zone| zone.count > 0) {
        let _ = writeln!(text, "{}", zone_line(zone, &|card| owned(card, None, view)));
    }
    for (seat, player) in view.players.iter().enumerate() {
        let told = player.lines.iter().cloned().chain((!player.props.is_empty()).then(|| pairs(&player.props)));
        let told = told.collect::<Vec<_>>().join(", ");
        let out = if player.playing { "" } else { " (out)" };
        let _ = writeln!(text, "{}{out}{}{told}", player.name, if told.is_empty() { "" } else { ": " });
        for zone in player.zones.iter().filter(|zone| zone.count > 0) {
            let _ = writeln!(text, "  {}", zone_line(zone, &|card| owned(card, Some(seat), view)));
        }
    }
    let told = view.window.as_ref().map(|window| describe_window(window, |seat| seat_name(view, seat)));
    if let Some(told) = told.filter(|told| !told.is_empty()) {
        let _ = writeln!(text, "{told}");
    }
    text
}

fn seat_name(view: &View, seat: u8) -> String {
    view.players.get(usize::from(seat)).map_or("?".to_owned(), |player| player.name.clone())
}

/// The first line that two views show otherwise, as each shows it; what only programs are given, where the lines are the same.
pub(super) fn seen_otherwise(one: &View, other: &View) -> (String, String) {
    let (lines, others) = (describe(one), describe(other));
    let (mut left, mut right) = (lines.lines(), others.lines());
    loop {
        match (left.next(), right.next()) {
            (None, None) => break,
            (one, other) if one != other => {
                let words = |line: Option<&str>| line.map_or("nothing".to_owned(), |line| format!("`{}`", line.trim()));
                return (words(one), words(other));
            }
            _ => {}
        }
    }
    let asked = |view: &View| view.decision.as_ref().map_or("no question".to_owned(), Decision::in_short);
    if asked(one) != asked(other) {
        return (asked(one), asked(other));
    }
    let [one, other] = [one, other].map(|view| serde_json::to_value(view).unwrap_or_default());
    given_otherwise("", &one, &other).unwrap_or_default()
}

/// The first part that two values give otherwise, with its path: `players.0.zones.1.count: 3`.
fn given_otherwise(path: &str, one: &Value, other: &Value) -> Option<(String, String)> {
    let inner = |key: &str| if path.is_empty() { key.to_owned() } else { format!("{path}.{key}") };
    match (one, other) {
        _ if one == other => None,
        (Value::Object(these), Value::Object(those)) if these.len() == those.len() => {
            these.iter().zip(those).find_map(|((key, one), (_, other))| given_otherwise(&inner(key), one, other))
        }
        (Value::Array(these), Value::Array(those)) if these.len() == those.len() => {
            let mut pairs = these.iter().zip(those).enumerate();
            pairs.find_map(|(index, (one, other))| given_otherwise(&inner(&index.to_string()), one, other))
        }
        _ => Some((format!("{path}: {one}"), format!("{path}: {other}"))),
    }
}

/// Who has passed in a window, and who is still to be asked after the one who is asked now.
pub fn describe_window(window: &WindowView, name: impl Fn(u8) -> String) -> String {
    let names = |seats: &[u8]| seats.iter().map(|seat| name(*seat)).collect::<Vec<_>>().join(", ");
    let passed = (!window.passed.is_empty()).then(|| format!("passed: {}", names(&window.passed)));
    let later = window.asked.get(1..).filter(|later| !later.is_empty());
    let later = later.map(|later| format!("asked next: {}", names(later)));
    passed.into_iter().chain(later).collect::<Vec<_>>().join("; ")
}

/// Fewer options that are numbers stand on one line.
const FEW_NUMBERS: usize = 24;

/// A decision's question and its options, with the numbers that they can be called by.
pub fn describe_decision(decision: &Decision, who: &str) -> String {
    let source = decision.source.as_ref().map(|source| format!(" [{source}]")).unwrap_or_default();
    let mut text = format!("{who}: {}{source}\n", decision.prompt);
    for (name, value) in &decision.terms {
        let _ = writeln!(text, "      {name}: {value}");
    }
    let numbered = decision.numbered();
    if !numbered && decision.options.iter().all(|option| option.label == option.key) {
        let _ = writeln!(text, "      {}", number_list(&decision.options));
        return text;
    }
    let mut index = 0;
    while let Some(option) = decision.options.get(index) {
        if let Some(last) = last_of_row(&decision.options, index).filter(|_| numbered) {
            let [second, end] = [index + 1, last].map(|at| quoted(decision.options[at].shown()));
            let numbers = format!("{}-{}", index + 1, last + 1);
            let _ = writeln!(text, "{numbers:>4}  {}, {second}, ... {end}", quoted(option.shown()));
            index = last + 1;
            continue;
        }
        index += 1;
        let more = option.label.strip_prefix(option.shown()).filter(|more| !more.is_empty());
        let label = more.map_or(String::new(), |more| format!(" {more}"));
        let number = if numbered { index.to_string() } else { String::new() };
        let _ = writeln!(text, "{number:>4}  {}{label}", quoted(option.shown()));
    }
    text
}

/// The last of many options from one on that say the same but for a number, which grows by one: `raise to 4`, `raise to 5` ...
fn last_of_row(options: &[OptionInfo], first: usize) -> Option<usize> {
    let parts = |option: &OptionInfo| -> Option<(String, i64)> {
        let (words, number) = option.shown().rsplit_once(' ').filter(|_| option.label == option.shown())?;
        Some((words.to_owned(), number.parse().ok()?))
    };
    let (words, mut number) = parts(options.get(first)?)?;
    let mut last = first;
    while let Some((_, next)) = options.get(last + 1).and_then(parts).filter(|(other, _)| *other == words) {
        if number.checked_add(1) != Some(next) {
            break;
        }
        (number, last) = (next, last + 1);
    }
    (last - first >= FEW_NUMBERS).then_some(last)
}

/// Options that are numbers, on one line: `0, 1, 2`; many that follow each other as `0 to 200`.
fn number_list(options: &[OptionInfo]) -> String {
    let keys: Vec<&str> = options.iter().map(|option| option.key.as_str()).collect();
    let numbers: Option<Vec<i64>> = keys.iter().map(|key| key.parse().ok()).collect();
    match (numbers, keys.as_slice()) {
        (Some(numbers), [first, .., last])
            if numbers.len() > FEW_NUMBERS && numbers.windows(2).all(|pair| pair[1] == pair[0].saturating_add(1)) =>
        {
            format!("{first} to {last}")
        }
        _ => keys.into_iter().map(quoted).collect::<Vec<_>>().join(", "),
    }
}

fn headline(view: &View) -> String {
    let name = |seat: u8| seat_name(view, seat);
    let mut text = format!("turn {}", view.turns + u32::from(view.outcome.is_none()));
    if view.round > 0 {
        let _ = write!(text, ", round {}", view.round);
    }
    if let Some(mover) = view.mover {
        let _ = write!(text, ", {} on turn", name(mover));
    }
    if let Some(seat) = view.deciding.filter(|seat| Some(*seat) != view.mover) {
        let _ = write!(text, ", {} decides", name(seat));
    }
    if !view.game.is_empty() {
        let _ = write!(text, "; {}", pairs(&view.game));
    }
    text.push('\n');
    text
}

fn pairs(props: &[(String, String)]) -> String {
    props.iter().map(pair).collect::<Vec<_>>().join(", ")
}

/// A name and its value; the name alone says yes.
fn pair((name, value): &(String, String)) -> String {
    if value == "yes" { name.clone() } else { format!("{name} {value}") }
}

/// Whose something is, before its words, if it is not that of the player in whose zone it lies.
fn owned(card: &CardView, holder: Option<usize>, view: &View) -> String {
    let other = card.owner.filter(|owner| Some(usize::from(*owner)) != holder);
    other.map_or(String::new(), |seat| format!("{} ", seat_name(view, seat)))
}

fn zone_line(zone: &ZoneView, whose: &dyn Fn(&CardView) -> String) -> String {
    let name = zone.look.title.as_ref().unwrap_or(&zone.name);
    if zone.cards.is_empty() {
        return format!("{name}: {}{}", zone.count, backs(zone));
    }
    let (cards, lead) = match zone.pile {
        true if zone.top().is_some() => (from_the_top(zone, whose), ""),
        // Nobody is shown where in an order a card lies that the viewer does not see.
        true => (counted(zone.cards.iter().map(|card| whose(card) + card.name.as_str())), "among them "),
        false if zone.queue => (in_order(zone, whose), "first "),
        false => (counted(zone.cards.iter().map(|card| whose(card) + card_words(card, &zone.cards).as_str())), ""),
    };
    if zone.pile && !lead.is_empty() {
        return format!("{name}: {}{}, {lead}{}", zone.count, backs(zone), cards.join(", "));
    }
    let shown = if zone.pile { cards.len() } else { zone.cards.len() };
    let unseen = zone.count.saturating_sub(shown);
    let more = if unseen > 0 { format!(", {unseen} more{}", backs(zone)) } else { String::new() };
    // Of a pile that was shuffled under its top all may know which cards lie there.
    let mixed = counted(unordered(zone).map(|card| whose(card) + card.name.as_str()));
    let mixed = if mixed.is_empty() { String::new() } else { format!(", among them {}", mixed.join(", ")) };
    format!("{name}: {lead}{}{more}{mixed}", cards.join(", "))
}

/// The cards of a pile that are seen and lie nobody sees where in it.
fn unordered(zone: &ZoneView) -> impl Iterator<Item = &CardView> {
    let placed = |place: &Option<usize>| !zone.pile || place.is_some();
    zone.cards.iter().zip(&zone.places).filter(move |(_, place)| !placed(place)).map(|(card, _)| card)
}

/// The cards of a queue in their order; equal ones next to each other with their number.
fn in_order(zone: &ZoneView, whose: &dyn Fn(&CardView) -> String) -> Vec<String> {
    let words: Vec<String> =
        zone.cards.iter().map(|card| whose(card) + card_words(card, &zone.cards).as_str()).collect();
    words.chunk_by(|one, other| one == other).flat_map(|like| counted(like.iter().cloned())).collect()
}

/// What all may read of the cards in a zone that are not seen: ` (lock 1; lock 2)`.
pub fn backs(zone: &ZoneView) -> String {
    let backs = counted(zone.backs.iter().cloned());
    if backs.is_empty() { String::new() } else { format!(" ({})", backs.join("; ")) }
}

/// Most cards of a pile that are listed.
const LISTED: usize = 8;

/// The cards of a pile whose places are known, from the top one down without a gap.
fn from_the_top(zone: &ZoneView, whose: &dyn Fn(&CardView) -> String) -> Vec<String> {
    let mut known: Vec<(usize, &CardView)> =
        zone.cards.iter().zip(&zone.places).filter_map(|(card, place)| Some(((*place)?, card))).collect();
    known.sort_by_key(|(place, _)| *place);
    let known = known.into_iter().enumerate().take_while(|(index, (place, _))| index == place).take(LISTED);
    known
        .map(|(index, (_, card))| {
            // A pile that is laid out as a row is to be read card by card.
            let row = zone.look.shape == Some(Shape::Row);
            let words = if row { card_words(card, &zone.cards) } else { card.name.clone() };
            let words = format!("{}{words}", whose(card));
            if index == 0 { format!("{words} on top") } else { words }
        })
        .collect()
}

/// Texts in the order in which they first come, each once, with how often it comes: `Rope ×2`.
fn counted(texts: impl Iterator<Item = String>) -> Vec<String> {
    let mut counted: Vec<(String, usize)> = Vec::new();
    for text in texts {
        match counted.iter_mut().find(|(other, _)| *other == text) {
            Some((_, count)) => *count += 1,
            None => counted.push((text, 1)),
        }
    }
    counted.into_iter().map(|(text, count)| if count > 1 { format!("{text} ×{count}") } else { text }).collect()
}

/// A card in words: name, what is printed on it as far as its look lists that, and all where it has none, what differs from its print,
/// markers and what it is linked to.
pub fn card_words(card: &CardView, among: &[CardView]) -> String {
    let listed = card.chosen || card.defined;
    let printed = card.fields.iter().filter(|field| listed && field.0 != "text").filter_map(brief);
    let mut notes: Vec<String> = printed.map(|value| shortened(&value)).chain(card.props.iter().map(pair)).collect();
    notes.extend(card.markers.iter().cloned());
    if let Some(host) = card.host.and_then(|host| among.iter().find(|other| other.handle == host)) {
        notes.push(format!("on {}", host.name));
    }
    if notes.is_empty() { card.name.clone() } else { format!("{} ({})", card.name, notes.join(", ")) }
}

/// Most letters of a value that stands in a line with others.
const MOST_LETTERS: usize = 40;

/// Most numbers of a list that stand in a line with others.
const MOST_NUMBERS: usize = 6;

/// A value as far as it has room in a line; `…` says that it goes on.
fn shortened(value: &str) -> String {
    let listed: Vec<&str> = value.split(", ").collect();
    let numbers = listed.iter().rev().take(listed.len() - 1).all(|part| part.parse::<i64>().is_ok());
    if listed.len() > MOST_NUMBERS && numbers {
        return format!("{}, …", listed[..MOST_NUMBERS / 2].join(", "));
    }
    if value.chars().count() <= MOST_LETTERS {
        return value.to_owned();
    }
    let kept: String = value.chars().take(MOST_LETTERS - 1).collect();
    format!("{}…", kept.trim_end())
}

/// Boards of named sites with more of them are told without those on which nothing lies.
const MOST_SITES: usize = 60;

/// The sites of a graph, a line each: its name, what lies there, and where paths lead from it.
fn list_sites(board: &BoardView, view: &View) -> String {
    let few = board.sites.len() <= MOST_SITES;
    let mut rows: Vec<[String; 3]> = Vec::new();
    for (number, site) in board.sites.iter().enumerate().filter(|(_, site)| few || !site.pieces.is_empty()) {
        let mut next: Vec<usize> = board.paths.iter().filter_map(|(from, to)| other_end(number, *from, *to)).collect();
        next.sort_unstable();
        next.dedup();
        let next = next.iter().filter_map(|site| board.sites.get(*site)).map(|site| site.name.as_str());
        rows.push([site.name.clone(), lying(&site.pieces, view), next.collect::<Vec<_>>().join(", ")]);
    }
    let wide = |column: usize| rows.iter().filter_map(|row| row.get(column)).map(|text| text.chars().count()).max();
    let (name, there) = (wide(0).unwrap_or(0), wide(1).unwrap_or(0));
    let mut text = String::new();
    for [site, pieces, next] in &rows {
        let next = if next.is_empty() { String::new() } else { format!("  to {next}") };
        let line = format!("   {site:<name$}  {pieces:<there$}{next}");
        let _ = writeln!(text, "{}", line.trim_end());
    }
    let left = board.sites.len() - rows.len();
    if left > 0 {
        let _ = writeln!(text, "   {left} more, with nothing on them");
    }
    text
}

fn other_end(site: usize, from: usize, to: usize) -> Option<usize> {
    if site == from { Some(to) } else { (site == to).then_some(from) }
}

/// What lies on a site in words, like things counted: `red knight, coin ×2`.
fn lying(pieces: &[CardView], view: &View) -> String {
    let words = pieces.iter().map(|piece| match piece.owner {
        Some(seat) => format!("{} {}", seat_name(view, seat), card_words(piece, pieces)),
        None => card_words(piece, pieces),
    });
    if pieces.is_empty() { ".".to_owned() } else { counted(words).join(", ") }
}

/// What lies on the sites of a name, from the top down, a line for each board; nothing where no site with something on it is called so.
pub fn stacks(view: &View, site: &str) -> Vec<String> {
    let sites = view.boards.iter().flat_map(|board| &board.sites);
    let named = sites.filter(|other| other.name.eq_ignore_ascii_case(site) && !other.pieces.is_empty());
    let told = named.map(|site| {
        let words: Vec<String> = site.pieces.iter().map(|piece| lying(std::slice::from_ref(piece), view)).collect();
        let how = if words.len() > 1 { ", from the top down" } else { "" };
        format!("{}{how}: {}\n", site.name, words.join(", "))
    });
    told.collect()
}

/// A board with its letters and numbers at the margins; rows of hexes are shifted by half a cell each. A graph whose
/// sites have names of their own is a list of them.
fn draw_board(board: &BoardView, view: &View) -> String {
    let lattice = Lattice::new(board);
    let head = if view.boards.len() > 1 || board.title.is_some() {
        format!("{}:\n", board.title.as_ref().unwrap_or(&board.name))
    } else {
        String::new()
    };
    if board.grid == Grid::Graph && lattice.column_labels.is_none() {
        return format!("{head}{}", list_sites(board, view));
    }
    let signs = Signs::of(view);
    let words = |site: usize| {
        board.sites.get(site).map_or(String::new(), |site| match site.pieces.as_slice() {
            [] if site.kind == SiteKind::Rim => "-".to_owned(),
            [] => site_sign(site),
            [only] => mark(only, &signs),
            [top, ..] => counted_mark(&mark(top, &signs), site.pieces.len()),
        })
    };
    let hex = board.grid == Grid::Hex;
    let labels = || lattice.column_labels.iter().flatten();
    let wide = lattice.each().map(|(_, site)| words(site).chars().count()).max().unwrap_or(1);
    let wide = labels().map(|label| label.chars().count()).fold(wide, usize::max);
    // Cells of hexes are an odd number of letters wide, so that half of one and its gap is a whole number.
    let wide = if hex { wide | 1 } else { wide };
    let half = if hex { wide.div_ceil(2) } else { 0 };
    let even = (0..lattice.rows).all(|row| lattice.cell((row, 0)).is_some());
    // Where columns have no letters, or none above the first row, the name of a row's first cell says where it is.
    let lettered = lattice.column_labels.is_some() && (even || !hex);
    let row_label = |row: usize| {
        let first = (0..lattice.columns).find_map(|column| lattice.cell((row, column)));
        let first = first.and_then(|site| board.sites.get(site)).map_or("", |site| site.name.as_str());
        let label = lattice.row_labels.as_ref().and_then(|labels| labels.get(row)).map(String::as_str);
        label.filter(|_| lettered).unwrap_or(first).to_owned()
    };
    let margin = (0..lattice.rows).map(|row| row_label(row).chars().count()).max().unwrap_or(0).max(half) + 3;
    let mut text = head;
    let letters: Vec<String> = labels().map(|label| format!("{label:<wide$}")).collect();
    let header = format!("{}{}\n", " ".repeat(margin + 1 - half), letters.join(" ").trim_end());
    if lettered {
        text.push_str(&header);
    }
    for row in 0..lattice.rows {
        let cells: Vec<Option<usize>> = (0..lattice.columns).map(|column| lattice.cell((row, column))).collect();
        let line: Vec<String> =
            cells.iter().map(|site| format!("{:<wide$}", site.map_or(String::new(), words))).collect();
        let shift = " ".repeat(half * row);
        let _ = writeln!(text, "{:>margin$} {shift}{}", row_label(row), line.join(" ").trim_end());
    }
    if lettered && !hex {
        text.push_str(&header);
    }
    let laid: BTreeSet<usize> = lattice.each().map(|(_, site)| site).collect();
    let beside =
        board.sites.iter().enumerate().filter(|(number, site)| !laid.contains(number) && !site.pieces.is_empty());
    let beside: Vec<String> = beside.map(|(number, site)| format!("{} {}", site.name, words(number))).collect();
    if !beside.is_empty() {
        let _ = writeln!(text, "{}{}", " ".repeat(margin + 1), beside.join(", "));
    }
    let stacks: Vec<String> = board.sites.iter().filter_map(|site| stacked(&site.name, &site.pieces, &signs)).collect();
    for (index, line) in stacks.chunks(STACKS_IN_LINE).enumerate() {
        let head = if index == 0 { "from the top down: " } else { "" };
        let _ = writeln!(text, "{}{head}{}", " ".repeat(margin + 1), line.join(", "));
    }
    text
}

/// An empty site: what its look writes on it, but its name, and a star where it has marks.
fn site_sign(site: &SiteView) -> String {
    let marked = if site.look.marks.is_empty() { "" } else { MARKED };
    match site.look.label.as_deref().filter(|label| *label != site.name).unwrap_or_default() {
        "" if marked.is_empty() => ".".to_owned(),
        label => format!("{}{marked}", label.chars().take(MOST_OF_LABEL).collect::<String>()),
    }
}

/// Most letters of the label of a site.
const MOST_OF_LABEL: usize = 4;

/// How many stacks stand in a line.
const STACKS_IN_LINE: usize = 8;

/// What lies on a site, from the top down, where it is not all alike: `b2 bl wh2 ne`.
fn stacked(site: &str, pieces: &[CardView], signs: &Signs) -> Option<String> {
    let marks: Vec<String> = pieces.iter().map(|piece| mark(piece, signs)).collect();
    let alike: Vec<String> =
        marks.chunk_by(|one, other| one == other).map(|like| counted_mark(&like[0], like.len())).collect();
    (alike.len() > 1).then(|| format!("{site} {}", alike.join(" ")))
}

/// A sign and how many lie there: `bl3`, `a1/3`.
fn counted_mark(sign: &str, count: usize) -> String {
    let between = if sign.ends_with(|last: char| last.is_ascii_digit()) { "/" } else { "" };
    if count > 1 { format!("{sign}{between}{count}") } else { sign.to_owned() }
}

/// What the lines and stars mean that are drawn for tiles: `─ thin, ━ thick, * eye`; none where no tiles are drawn.
fn legend(view: &View) -> Option<String> {
    let boards = view.boards.iter().filter(|board| board.grid != Grid::Graph);
    let tops = boards.flat_map(|board| &board.sites).filter_map(|site| site.pieces.first());
    let tiles = tops.map(|piece| &piece.look).filter(|look| look.glyph.is_none() && look.lines().is_some());
    let (mut thin, mut thick, mut marks) = (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
    for look in tiles {
        for side in &look.sides {
            match line_weight(side.thickness) {
                0 => {}
                1 => _ = thin.insert(side.name.as_str()),
                _ => _ = thick.insert(side.name.as_str()),
            }
        }
        marks.extend(look.marks.iter().filter_map(|mark| mark.name()));
    }
    let signs = [("─", thin), ("━", thick), (MARKED, marks)].into_iter().filter(|(_, names)| !names.is_empty());
    let told = signs.map(|(sign, names)| format!("{sign} {}", names.into_iter().collect::<Vec<_>>().join(" or ")));
    let told = told.collect::<Vec<_>>().join(", ");
    (!told.is_empty()).then(|| format!("   {told}"))
}

/// What a few letters have to say besides, since pieces on the boards are told apart by nothing else that letters show.
struct Signs {
    /// Glyphs that stand for pieces of several owners.
    shared: BTreeSet<String>,
    /// Whether pieces of several kinds would be drawn alike.
    kinds: bool,
    /// Two letters for each player: with which the name begins, or else its first and the number of the seat.
    players: Vec<String>,
}

impl Signs {
    fn of(view: &View) -> Signs {
        let mut owners: BTreeMap<&str, BTreeSet<Option<u8>>> = BTreeMap::new();
        let mut names: BTreeMap<(u8, &str), BTreeSet<&str>> = BTreeMap::new();
        for piece in view.boards.iter().flat_map(|board| &board.sites).flat_map(|site| &site.pieces) {
            match (&piece.look.glyph, piece.owner) {
                (Some(glyph), owner) => _ = owners.entry(glyph).or_default().insert(owner),
                (None, Some(owner)) if piece.name == piece.kind => {
                    let label = piece.look.label.as_deref().unwrap_or_default();
                    names.entry((owner, label)).or_default().insert(&piece.name);
                }
                (None, _) => {}
            }
        }
        let mut players: Vec<String> =
            view.players.iter().map(|player| player.name.chars().take(2).collect()).collect();
        if players.iter().collect::<BTreeSet<_>>().len() < players.len() {
            let numbered = view.players.iter().zip(1..).map(|(player, seat)| {
                let first: String = player.name.chars().take(1).collect();
                format!("{first}{seat}")
            });
            players = numbered.collect();
        }
        let shared = owners.into_iter().filter(|(_, owners)| owners.len() > 1);
        Signs {
            shared: shared.map(|(glyph, _)| glyph.to_owned()).collect(),
            kinds: names.values().any(|names| names.len() > 1),
            players,
        }
    }
}

/// A few letters for a piece: its owner where it has one, and its name where that says more; then its label, and a star
/// where it has marks. The glyph of its look stands for all of it, but for whose it is where that is told by nothing else.
fn mark(piece: &CardView, signs: &Signs) -> String {
    let owner = piece.owner.and_then(|seat| signs.players.get(usize::from(seat)));
    let short = |text: &str| text.chars().take(2).collect::<String>();
    if let Some(glyph) = &piece.look.glyph {
        let whose = owner.filter(|_| signs.shared.contains(glyph)).map_or("", String::as_str);
        return format!("{whose}{glyph}");
    }
    if let Some(tile) = piece.look.letter() {
        return tile;
    }
    let label = piece.look.label.as_deref().unwrap_or_default();
    // A label that begins as the name does says more than its letters.
    let said = !label.is_empty() && label.to_lowercase().starts_with(&short(&piece.name).to_lowercase());
    let called = match owner {
        Some(player) if said || piece.name == piece.kind && !signs.kinds => player.clone(),
        Some(player) => format!("{player}{}", short(&piece.name)),
        None if said => String::new(),
        None if !label.is_empty() => piece.name.chars().take(1).collect(),
        None => short(&piece.name),
    };
    let marked = if piece.look.marks.is_empty() { "" } else { MARKED };
    // A word behind letters is set off.
    let word = label.chars().count() > 2 && label.starts_with(char::is_alphabetic) && !called.is_empty();
    format!("{called}{}{label}{marked}", if word { "." } else { "" })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::MemoryWorld;
    use crate::play::{Game, Options, Package, Session, Setup};
    use std::sync::Arc;

    const MANIFEST: &str = "name = \"small\"\ntitle = \"Small\"\nversion = \"0.1.0\"\nedition = 1\n\
                            [players]\nmin = 2\nmax = 2\nseats = [\"red\", \"blue\"]\n";

    /// A game after some decisions.
    fn played(rules: &str, keys: &[&str]) -> Session {
        let package = Package::memory("small", MemoryWorld::new([("game.toml", MANIFEST), ("a.rules", rules)]));
        let game = match Game::load(&package, &Options::new(), None) {
            Ok(game) => Arc::new(game),
            Err(error) => panic!("{error}"),
        };
        let setup = Setup { seed: 1, seats: vec!["human".to_owned(); 2] };
        let mut session = Session::new(game, setup, None).unwrap();
        for key in keys {
            session.choose_key(key).unwrap();
        }
        session
    }

    /// The boards of a game as text, after some decisions.
    fn drawn(rules: &str, keys: &[&str]) -> String {
        let view = played(rules, keys).view(None);
        view.boards.iter().map(|board| draw_board(board, &view)).collect()
    }

    fn placing(board: &str) -> String {
        format!(
            "board yard {{ {board} }}\nkind stone : piece {{ }}\nlook stone {{ glyph: \"x\" when owner = seat(1), \"o\" }}\n\
             flow {{ turns turn from seat(1) {{ choose c in sites(yard) \"Where?\"  create stone at c with owner = me }} }}"
        )
    }

    #[test]
    fn squares_have_letters_and_numbers_at_their_margins() {
        let board = placing("shape: square 3 2  neighbours: 4  places: cells, rim  rim: \"{side}{cell}\"");
        assert_eq!(
            drawn(&board, &["a2", "c1", "Wa1", "c1"]),
            "        a  b  c\n        -  -  -\n   2 -  x  .  .  -\n   1 x  .  .  o2 -\n        -  -  -\n        a  b  c\n"
        );
    }

    #[test]
    fn many_options_that_differ_by_a_number_stand_on_one_line() {
        let rules = "player { counter bid: 0..99 }\naction fold { }\naction raise_to { choose n in 4..58  set me.bid = n }\n\
                     action draw_again { choose n in 1..3  set me.bid = n }\n\
                     flow { turns turn from seat(1) for 2 rounds { choose action fold, raise_to, draw_again } }";
        let mut session = played(rules, &["raise to 30"]);
        let decision = session.decision().unwrap();
        assert_eq!(
            describe_decision(&decision, "blue"),
            "blue: choose an action\n   1  fold\n2-56  raise to 4, raise to 5, ... raise to 58\n  57  draw again 1\n  \
             58  draw again 2\n  59  draw again 3\n"
        );
    }

    #[test]
    fn letters_tell_pieces_of_owners_and_kinds_apart_that_are_drawn_alike() {
        let rules = |looks: &str| {
            format!(
                "board row {{ shape: square 4 1 }}\nkind man : piece {{ }}\nkind king : piece {{ }}\n{looks}\n\
                 setup {{ create man at \"a1\" with owner = seat(1)  create king at \"b1\" with owner = seat(1)  \
                 create man at \"c1\" with owner = seat(2)  create man at \"c1\" with owner = seat(1) }}\n\
                 flow {{ turns turn from seat(1) {{ choose c in empty(row) \"Where?\"  create man at c with owner = me }} }}"
            )
        };
        let row = |looks: &str| drawn(&rules(looks), &[]).lines().nth(1).map(str::to_owned);
        assert_eq!(row("").as_deref(), Some("   1 rema  reki  rema2 ."));
        assert_eq!(row("look king { label: \"k\" }").as_deref(), Some("   1 re  rek re2 ."));
        assert_eq!(row("look man { glyph: \"M\" }").as_deref(), Some("   1 reM  re   reM2 ."));
        assert_eq!(row("look man { glyph: \"m\" when owner = seat(1), \"w\" }").as_deref(), Some("   1 m  re m2 ."));
        let numbered = MANIFEST.replace("seats = [\"red\", \"blue\"]\n", "");
        let package =
            Package::memory("small", MemoryWorld::new([("game.toml", numbered.as_str()), ("a.rules", &rules(""))]));
        let game = Arc::new(Game::load(&package, &Options::new(), None).unwrap());
        let setup = Setup { seed: 1, seats: vec!["human".to_owned(); 2] };
        let view = Session::new(game, setup, None).unwrap().view(None);
        assert_eq!(draw_board(&view.boards[0], &view).lines().nth(1), Some("   1 p1ma  p1ki  p1ma2 ."));
        assert_eq!(stacks(&view, "C1"), ["c1, from the top down: player 1 man, player 2 man\n"]);
        assert_eq!(stacks(&view, "a1"), ["a1: player 1 man\n"]);
        assert!(stacks(&view, "d1").is_empty() && stacks(&view, "man").is_empty());
    }

    #[test]
    fn rows_of_hexes_are_shifted() {
        let rhombus = placing("shape: rhombus 3 3");
        assert_eq!(drawn(&rhombus, &["b1"]), "    a b c\n   1 . x .\n   2  . . .\n   3   . . .\n");
        let hexagon = placing("shape: hexagon 2  cells: \"{q},{r}\"");
        assert_eq!(drawn(&hexagon, &["0,0", "1,0"]), "   0,-1   . .\n   -1,0  . x o\n   -1,1   . .\n");
    }

    #[test]
    fn sites_with_names_of_their_own_are_listed_with_what_they_lead_to() {
        let inn = placing("shape: graph  paths: inn mill, mill well, mill abbey");
        assert_eq!(
            drawn(&inn, &["mill", "inn", "mill"]),
            "   inn    blue stone    to mill\n   mill   red stone ×2  to inn, well, abbey\n   \
             well   .             to mill\n   abbey  .             to mill\n"
        );
        let lettered = placing("shape: graph  paths: a2 b2, a1 b1");
        assert_eq!(drawn(&lettered, &["b2"]), "     a b\n   2 . x\n   1 . .\n     a b\n");
    }

    #[test]
    fn what_lies_on_edges_is_told_below() {
        let board = placing("shape: square 2 1  places: cells, edges  edges: \"{cell}{side}\"");
        assert_eq!(drawn(&board, &["a1N"]), "     a b\n   1 . .\n     a b\n     a1N x\n");
    }

    #[test]
    fn tiles_are_lines_that_meet() {
        let rules = r#"
enum bit { blank thin thick }
board yard { shape: square 2 1  neighbours: 4 }
kind tile : piece { field side: bit per direction  field eye: flag = false }
zone box { holds: tile  starts: tile }
tile "Bend" { side: [blank, thin, thick, blank]  eye: true }
tile "Bar" { side: [blank, thin, blank, thin] }
look bit { blank: white 0  thin: green 1  thick: purple 3 }
look tile { sides: side  mark: eye when eye }
setup { move tile "Bend" to site(yard, 1, 1)  move tile "Bar" to site(yard, 2, 1) }
action idle { }
flow { turns turn from seat(1) { choose action idle } }
"#;
        assert_eq!(drawn(rules, &[]), "     a  b\n   1 ┎* ─\n     a  b\n");
        assert_eq!(legend(&played(rules, &[]).view(None)).unwrap(), "   ─ thin, ━ thick, * eye");
        let plain = rules.replace("  mark: eye when eye", "").replace("move tile \"Bend\" to site(yard, 1, 1)", "");
        assert_eq!(legend(&played(&plain, &[]).view(None)).unwrap(), "   ─ thin");
    }

    #[test]
    fn turnings_are_drawn_beside_their_numbers() {
        let rules = r#"
enum bit { blank thin thick }
board yard { shape: square 2 1  neighbours: 4 }
kind tile : piece { field side: bit per direction }
zone box { holds: tile  starts: tile }
tile "Bend" { side: [blank, thin, thick, blank] }
look bit { blank: white 0  thin: green 1  thick: purple 3 }
look tile { sides: side }
action lay {
  choose c in empty(yard) "Where?"
  choose k in turnings(first(box)) where it != 2 "Turned how far?"
  move first(box) to c turned k
}
flow { turns turn from seat(1) until no box { choose action lay } }
"#;
        let mut session = played(rules, &["lay a1"]);
        let asked = session.view(Some(0)).decision.unwrap();
        let keys: Vec<&str> = asked.options.iter().map(|option| option.key.as_str()).collect();
        assert_eq!(keys, ["0", "1", "3"]);
        assert_eq!(describe_decision(&asked, "red"), "red: Turned how far?\n      0  ┎\n      1  ┑\n      3  ┕\n");
        session.choose_key("3").unwrap();
        assert_eq!(draw_board(&session.view(None).boards[0], &session.view(None)), "     a b\n   1 ┕ .\n     a b\n");
    }

    #[test]
    fn stacks_of_different_pieces_are_told_below() {
        let rules = "board row { shape: square 3 1 }\nkind man : piece { }\nkind ground : piece { }\n\
                     setup { each s in sites(row) { create ground at s }  create man at \"a1\" with owner = seat(1)  \
                     create man at \"a1\" with owner = seat(2)  create 2 * man at \"c1\" with owner = seat(2) }\n\
                     action idle { }\nflow { turns turn from seat(1) { choose action idle } }";
        assert_eq!(
            drawn(rules, &[]),
            "     a   b   c\n   1 bl3 gr  bl3\n     a   b   c\n     from the top down: a1 bl re gr, c1 bl2 gr\n"
        );
    }

    #[test]
    fn whose_a_piece_is_stands_before_it_in_zones_that_are_not_its_own() {
        let rules = "kind man : piece { }\nzone pit { holds: man }\nzone army per player { holds: man }\n\
                     setup { each p in players { create man in pit with owner = p }\n\
                     each p in players { create man in seat(1).army with owner = p } }\n\
                     flow { turns turn from seat(1) { choose m in pit \"Which?\"  move m to nowhere } }";
        let mut session = played(rules, &[]);
        let told = describe(&session.view(None));
        assert!(told.contains("pit: red man, blue man\n") && told.contains("  army: man, blue man\n"), "{told}");
        let labels = session.decision().unwrap().options.into_iter().map(|option| option.label);
        assert_eq!(labels.collect::<Vec<_>>(), ["man (red's)", "man #2 (blue's)"]);
    }

    #[test]
    fn marks_and_labels_of_sites_stand_where_nothing_lies() {
        let rules = placing("shape: square 3 1").replace(
            "look stone",
            "look yard { mark: cross when it = \"a1\"  label: \"pit\" when it = \"b1\" }\nlook stone",
        );
        assert_eq!(drawn(&rules, &["c1"]).lines().nth(1), Some("   1 *   pit x"));
    }

    #[test]
    fn a_label_that_says_the_name_stands_for_it() {
        let rules = |label: &str| {
            format!(
                "board row {{ shape: square 2 1 }}\nenum rank {{ scout general }}\nkind man : piece {{ field rank: rank }}\n\
                 zone box {{ holds: man  starts: man }}\nman \"Scout\" {{ rank: scout }}\nman \"General\" {{ rank: general }}\n\
                 look man {{ {label} }}\n\
                 setup {{ each m in box {{ let s = first(empty(row))  move m to s as n  set n.owner = seat(1) }} }}\n\
                 action idle {{ }}\nflow {{ turns turn from seat(1) {{ choose action idle }} }}"
            )
        };
        let row = |label: &str| {
            drawn(&rules(label), &[]).lines().nth(1).unwrap().split_whitespace().skip(1).collect::<Vec<_>>().join(" ")
        };
        assert!(row("label: rank").contains("re.general"), "{}", row("label: rank"));
        assert!(row("label: \"officer\"").contains("reGe.officer"), "{}", row("label: \"officer\""));
        assert!(row("label: \"7\"").contains("reGe7"), "{}", row("label: \"7\""));
    }

    #[test]
    fn long_lists_of_numbers_are_cut() {
        assert_eq!(shortened("join 1, 1, 2, 2, 3, 3, 4"), "join 1, 1, 2, …");
        assert_eq!(shortened("sides 1, 2, 3, 4, 5, 6"), "sides 1, 2, 3, 4, 5, 6");
        assert_eq!(shortened("2 clay, 1 ash, 1, 1, 1, 1, 1"), "2 clay, 1 ash, 1, 1, 1, 1, 1");
    }

    #[test]
    fn what_only_programs_are_given_is_named() {
        let one = played(&placing("shape: square 2 1"), &[]).view(None);
        let mut other = one.clone();
        other.boards[0].sites[1].name = "x".to_owned();
        assert_eq!(
            given_otherwise("", &serde_json::to_value(&one).unwrap(), &serde_json::to_value(&other).unwrap()),
            Some(("boards.0.sites.1.name: \"b1\"".to_owned(), "boards.0.sites.1.name: \"x\"".to_owned()))
        );
    }

    #[test]
    fn labels_and_marks_of_owned_pieces_are_told() {
        let rules = placing("shape: square 2 1")
            .replace("glyph: \"x\" when owner = seat(1), \"o\"", "label: \"7\"  mark: star");
        assert_eq!(drawn(&rules, &["a1", "b1"]), "     a    b\n   1 re7* bl7*\n     a    b\n");
    }
}
