//! Where the parts of what a name stands for come from, as `cardwright check --origin` prints it.

use crate::base::Span;
use crate::model::Origin;
use crate::play::{Checked, Package, PlayError};

/// Most letters that are shown of a part.
const SHOWN: usize = 60;

/// What it is, the package, the place, and how it begins.
type Row = [String; 4];

/// The parts of everything of a name, a line each.
///
/// # Errors
/// [`PlayError::Usage`] if there is nothing of this name.
pub fn text(package: &Package, checked: &Checked, name: &str) -> Result<String, PlayError> {
    if checked.origins.is_empty() {
        let gone = checked.removed.iter().find(|(gone, _)| gone == name);
        let gone = gone.map(|(_, span)| format!(": it is taken away at {}", place(checked, *span)));
        let gone = gone.unwrap_or_default();
        return Err(PlayError::Usage(format!("{} has nothing named \"{name}\"{gone}", package.full_name())));
    }
    Ok(checked.origins.iter().map(|origin| table(&rows(checked, origin))).collect())
}

fn rows(checked: &Checked, origin: &Origin) -> Vec<Row> {
    let head = [
        origin.kind.clone(),
        origin.package.clone(),
        place(checked, origin.span),
        checked.sources.slice(origin.span).to_owned(),
    ];
    let part = |part: &crate::model::Part| {
        let text = beginning(checked.sources.slice(part.span));
        let told = match (&part.yields_to, part.own) {
            (Some(winner), _) => format!("{text}  (gives way to `{winner}`)"),
            (None, true) => text,
            (None, false) => format!("{text}  (of every {})", origin.kind),
        };
        [format!("  {}", part.what), part.package.clone(), place(checked, part.span), told]
    };
    std::iter::once(head).chain(origin.parts.iter().map(part)).collect()
}

/// `path:line`
fn place(checked: &Checked, span: Span) -> String {
    let line = checked.sources.position(span.file, span.start).line;
    format!("{}:{line}", checked.sources.name(span.file))
}

/// The first line of a text, if it is short enough.
fn beginning(text: &str) -> String {
    let line = text.lines().next().unwrap_or_default().trim_end();
    let short: String = line.chars().take(SHOWN).collect();
    let more = short.len() < line.len() || text.lines().nth(1).is_some();
    if more { format!("{} …", short.trim_end()) } else { short }
}

fn table(rows: &[Row]) -> String {
    let width = |part: fn(&Row) -> &String| rows.iter().map(|row| part(row).chars().count()).max().unwrap_or(0);
    let (what, package, place) = (width(|row| &row[0]), width(|row| &row[1]), width(|row| &row[2]));
    let line = |[a, b, c, d]: &Row| format!("{a:<what$}  {b:<package$}  {c:<place$}  {d}").trim_end().to_owned() + "\n";
    rows.iter().map(line).collect()
}
