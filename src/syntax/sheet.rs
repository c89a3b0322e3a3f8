//! Tables of cards: a `.csv` or `.toml` file that gives the fields of many definitions. In comes its text, out comes the
//! tree that card blocks would have given, with the places of the cells: no later stage knows of tables. What a cell of
//! text says is known only by the fields that the kinds declare, which is why a caller gives them.

mod csv;

use super::ast::{Change, EntryField, EntryFieldKind, Expr, ExprKind, File, Ident, Item, ItemKind, Member, MemberKind};
use super::ast::{Type, TypeKind};
use super::limits::{MAX_FILE_BYTES, MAX_FINDINGS};
use super::parse::{parse_expr, words_of};
use crate::base::{Code, Diagnostic, Diagnostics, FileId, Span, limits, nearest, unfit};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// The column with the names of cards.
pub const NAME: &str = "name";
/// The column with their kinds, where an item names none.
pub const KIND: &str = "kind";
/// What cards have besides the fields of their kinds.
const COPIES: &str = "copies";
/// What a column or row of remarks begins with.
const REMARK: &str = "//";

/// Fields that kinds declare, and the boards whose names are types.
#[derive(Clone, Debug, Default)]
pub struct Fields {
    holds: BTreeMap<String, Holds>,
    boards: BTreeSet<String>,
}

/// What a field holds, as far as it matters to how a cell is read: one value of a type of one word, a list of these, or anything else.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Holds {
    One(String),
    Many(String),
    Other,
}

impl Fields {
    /// Takes the fields of the kinds of a file, and its boards.
    pub fn learn(&mut self, file: &File) {
        for item in &file.items {
            let kind = if let ItemKind::Replace { with } = &item.kind { &with.kind } else { &item.kind };
            if let ItemKind::Board { name, .. } = kind {
                self.boards.insert(name.text.clone());
            }
            let (ItemKind::Kind { members, .. } | ItemKind::Patch { change: Change::Members { members, .. }, .. }) =
                kind
            else {
                continue;
            };
            members.iter().for_each(|member| self.member(member));
        }
    }

    fn member(&mut self, member: &Member) {
        if let MemberKind::Field { name, ty, .. } = &member.kind {
            self.holds.insert(name.text.clone(), holds(ty));
        }
    }

    fn known(&self, name: &str) -> bool {
        name == COPIES || self.holds.contains_key(name)
    }

    fn are_text(&self, name: &str) -> bool {
        matches!(self.holds.get(name), Some(Holds::One(of)) if of == "text")
    }

    fn are_sites(&self, name: &str) -> bool {
        matches!(self.holds.get(name), Some(Holds::One(of)) if self.is_site(of))
    }

    fn list_sites(&self, name: &str) -> bool {
        matches!(self.holds.get(name), Some(Holds::Many(of)) if self.is_site(of))
    }

    fn is_site(&self, ty: &str) -> bool {
        ty == "site" || self.boards.contains(ty)
    }

    fn names(&self) -> impl Iterator<Item = &str> {
        self.holds.keys().map(String::as_str).chain([COPIES])
    }
}

fn holds(ty: &Type) -> Holds {
    match &ty.kind {
        TypeKind::Name(name) => Holds::One(name.text.clone()),
        TypeKind::Maybe(inner) => holds(inner),
        TypeKind::Set(inner) | TypeKind::List(inner) => match holds(inner) {
            Holds::One(name) => Holds::Many(name),
            _ => Holds::Other,
        },
        _ => Holds::Other,
    }
}

/// A table as an item names it.
#[derive(Clone, Copy)]
pub struct Named<'a> {
    /// Its path, whose ending says how it is written.
    pub path: &'a Ident,
    /// The kind of all its cards.
    pub of: Option<&'a Ident>,
    /// The fields that the kinds declare.
    pub fields: &'a Fields,
}

/// Reads a table. Gives the definitions that could be read, and everything that is wrong with its text.
pub fn parse_table(file: FileId, text: &str, named: Named<'_>) -> (File, Diagnostics) {
    if text.len() > MAX_FILE_BYTES {
        let message = format!("this table has {} bytes, and {MAX_FILE_BYTES} are the most", text.len());
        let found = Diagnostic::new(Code::FileTooLarge, Span::new(file, 0, 0), message);
        return (File { unread: true, ..File::default() }, vec![found.help("split it into several files")]);
    }
    let (seen, diagnostics) = super::lex::leave_unseen(file, text);
    let mut reader = Reader { file, text: &seen, named, tree: File::default(), diagnostics };
    if is_toml(&named.path.text) {
        reader.toml()
    } else {
        reader.csv()
    }
    if reader.tree.unread {
        reader.tree.items.clear();
    }
    reader.diagnostics.truncate(MAX_FINDINGS);
    (reader.tree, reader.diagnostics)
}

/// Whether a path is that of a table.
pub fn is_table(path: &str) -> bool {
    path.ends_with(".csv") || is_toml(path)
}

fn is_toml(path: &str) -> bool {
    path.ends_with(".toml")
}

/// The rows and columns of a table, as a spreadsheet counts them.
pub struct CountedRows(Vec<csv::Row>);

impl CountedRows {
    /// None of a table that has no columns.
    pub fn of(path: &str, text: &str) -> Option<CountedRows> {
        let mut problems = Vec::new();
        let rows = if path.ends_with(".csv") { csv::rows(FileId::default(), text, &mut problems) } else { None };
        rows.map(CountedRows)
    }

    /// Where a byte stands: `row 4, column C`.
    pub fn place(&self, at: usize) -> Option<String> {
        let begins = |cells: &csv::Row| cells.first().is_some_and(|cell| cell.outer.start <= at);
        let (row, cells) = self.0.iter().enumerate().rev().find(|(_, cells)| begins(cells))?;
        let column = cells.iter().rposition(|cell| cell.outer.start <= at)?;
        Some(format!("row {}, column {}", row + 1, letters(column)))
    }
}

/// The letters of a column: A to Z, then AA.
fn letters(column: usize) -> String {
    let own = char::from(b'A' + (column % 26) as u8);
    if column < 26 { own.to_string() } else { format!("{}{own}", letters(column / 26 - 1)) }
}

/// The name of a column.
struct Head {
    name: Ident,
    role: Role,
    /// Whether some row gives it.
    given: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Role {
    Name,
    Kind,
    Field,
    Remark,
}

struct Reader<'a> {
    file: FileId,
    text: &'a str,
    named: Named<'a>,
    tree: File,
    diagnostics: Diagnostics,
}

impl<'a> Reader<'a> {
    fn span(&self, range: Range<usize>) -> Span {
        Span::new(self.file, range.start, range.end)
    }

    fn report(&mut self, range: Range<usize>, message: impl Into<String>, help: impl Into<String>) {
        let found = Diagnostic::new(Code::BadTable, self.span(range), message);
        self.diagnostics.push(found.help(help));
    }

    /// What could not be read may have named anything that stands there.
    fn lose(&mut self, range: Range<usize>) {
        self.tree.lost.extend(words_of(self.text.get(range).unwrap_or_default()));
    }

    fn entry(&mut self, kind: Ident, name: Ident, fields: Vec<EntryField>, span: Range<usize>) {
        if let Some(why) = unfit(&name.text) {
            let found = Diagnostic::new(Code::IllegalCharacter, name.span, format!("this cannot be shown: {why}"));
            self.diagnostics.push(found.help("leave it out"));
        }
        let span = self.span(span);
        self.tree.items.push(Item { kind: ItemKind::Entry { kind, name, fields }, label: None, span });
    }

    fn csv(&mut self) {
        let Some(rows) = csv::rows(self.file, self.text, &mut self.diagnostics) else {
            self.tree.unread = true;
            return;
        };
        let rows: Vec<&csv::Row> = rows.iter().filter(|cells| !self.is_remark(cells)).collect();
        let Some((first, rows)) = rows.split_first() else {
            self.report(0..0, "this table is empty", COLUMNS);
            self.tree.unread = true;
            return;
        };
        let Some(mut heads) = self.heads(first) else {
            self.tree.unread = true;
            return;
        };
        for row in rows.iter().take(limits::TABLE_ROWS) {
            self.row(row, &mut heads);
        }
        if let Some(cells) = rows.get(limits::TABLE_ROWS) {
            let message = format!("this table has {} rows, and {} are the most", rows.len(), limits::TABLE_ROWS);
            let at = cells.first().map_or(0..0, |cell| cell.outer.clone());
            let found = Diagnostic::new(Code::FileTooLarge, self.span(at), message);
            self.diagnostics.push(found.help("split it into several files"));
            self.tree.unread = true;
        }
        for head in heads.iter().filter(|head| head.role == Role::Field && !head.given) {
            // What a row gives is looked up with its kind.
            if !self.named.fields.known(&head.name.text) {
                let message = format!("no kind has a field `{}`", head.name.text);
                let found = Diagnostic::new(Code::UnknownField, head.name.span, message);
                self.diagnostics.push(found.suggest(&head.name.text, self.named.fields.names()));
            }
        }
    }

    /// Whether a row says nothing to the game.
    fn is_remark(&self, cells: &csv::Row) -> bool {
        let empty = cells.iter().all(|cell| cell.inner.is_empty());
        empty || cells.first().is_some_and(|cell| self.raw(cell).starts_with(REMARK)) && !self.names_columns(cells)
    }

    /// Whether a row that begins with a column of remarks names columns.
    fn names_columns(&self, cells: &csv::Row) -> bool {
        cells.iter().any(|cell| self.raw(cell) == NAME)
    }

    fn raw(&self, cell: &csv::Cell) -> &'a str {
        self.text.get(cell.inner.clone()).unwrap_or_default()
    }

    /// The columns, unless no card could be read by them.
    fn heads(&mut self, cells: &csv::Row) -> Option<Vec<Head>> {
        let mut heads: Vec<Head> = Vec::new();
        for cell in cells {
            let name = Ident { text: cell.value(self.text), span: self.span(cell.outer.clone()) };
            let mut role = match name.text.as_str() {
                NAME => Role::Name,
                KIND if self.named.of.is_none() => Role::Kind,
                text if text.starts_with(REMARK) || text.is_empty() => Role::Remark,
                _ => Role::Field,
            };
            let twin = heads.iter().find(|head| role != Role::Remark && head.name.text == name.text);
            if let Some(first) = twin {
                let message = format!("two columns are called `{}`", name.text);
                let found = Diagnostic::new(Code::BadTable, name.span, message).label(first.name.span, "the first");
                self.diagnostics.push(found.help("each column is another field; one for remarks begins with `//`"));
                role = Role::Remark;
            }
            heads.push(Head { name, role, given: false });
        }
        if heads.len() > limits::TABLE_COLUMNS {
            let message = format!("this table has {} columns, and {} are the most", heads.len(), limits::TABLE_COLUMNS);
            let at = cells.get(limits::TABLE_COLUMNS).map_or(0..0, |cell| cell.outer.clone());
            let found = Diagnostic::new(Code::FileTooLarge, self.span(at), message);
            self.diagnostics.push(found.help("leave out what no kind has"));
            return None;
        }
        let kind = self.named.of.is_none().then_some((Role::Kind, KIND));
        for (role, name) in [Some((Role::Name, NAME)), kind].into_iter().flatten() {
            if !heads.iter().any(|head| head.role == role) {
                self.lacks_column(name, &heads);
                return None;
            }
        }
        Some(heads)
    }

    fn lacks_column(&mut self, name: &str, heads: &[Head]) {
        let span = heads.first().map_or(0..0, |head| head.name.span.start as usize..head.name.span.end as usize);
        let message = format!("this table has no column `{name}`");
        let near = heads.iter().find(|head| nearest(&head.name.text, [name]).is_some());
        match near {
            Some(head) => {
                let found = Diagnostic::new(Code::BadTable, head.name.span, message);
                self.diagnostics.push(found.did_you_mean(name));
            }
            None if name == KIND => {
                let path = &self.named.path.text;
                self.report(span, message, format!("or the item names the kind: `cards of KIND from \"{path}\"`"));
            }
            None => self.report(span, message, COLUMNS),
        }
    }

    fn row(&mut self, cells: &csv::Row, heads: &mut [Head]) {
        let (Some(first), Some(last)) = (cells.first(), cells.last()) else { return };
        let whole = first.outer.start..last.outer.end;
        let over = cells.get(heads.len()..).unwrap_or_default().iter().find(|cell| !cell.inner.is_empty());
        if cells.len() < heads.len() || over.is_some() {
            let message = format!("this row has {} cells, and the table has {} columns", cells.len(), heads.len());
            let at = over.map_or(whole.clone(), |cell| cell.outer.clone());
            self.report(
                at,
                message,
                "a cell with a separator in it stands in double quotes; an empty cell needs its separator, too",
            );
            return self.lose(whole);
        }
        let mut found: BTreeMap<&str, Ident> = BTreeMap::new();
        let mut fields = Vec::new();
        for (head, cell) in heads.iter_mut().zip(cells).filter(|(_, cell)| !cell.inner.is_empty()) {
            let ident = || Ident { text: plain(&cell.value(self.text)), span: self.span(cell.outer.clone()) };
            match head.role {
                Role::Name => _ = found.insert(NAME, ident()),
                Role::Kind => _ = found.insert(KIND, ident()),
                Role::Remark if head.name.text.is_empty() => {
                    self.report(
                        cell.outer.clone(),
                        "this column has no name",
                        "the first row names it; remarks stand below `// remarks`",
                    );
                }
                Role::Remark => {}
                Role::Field => {
                    head.given = true;
                    let span = self.span(cell.outer.clone());
                    let value = self.cell(
                        &head.name.text,
                        &cell.value(self.text),
                        &cell.padded(self.text),
                        cell.inner.start,
                        span,
                    );
                    fields.push(EntryField { kind: EntryFieldKind::Value { name: head.name.clone(), value }, span });
                }
            }
        }
        let kind = found.remove(KIND).or_else(|| self.named.of.cloned());
        match (found.remove(NAME), kind) {
            (Some(name), Some(kind)) => self.entry(kind, name, fields, whole),
            (name, _) => {
                let what = if name.is_none() { NAME } else { KIND };
                self.report(
                    whole.clone(),
                    format!("this row has no `{what}`"),
                    "a row without a card is empty, or begins with `//`",
                );
                self.lose(whole);
            }
        }
    }

    /// What a cell with words says: `value` as it is meant, `padded` as it stands from a byte on.
    fn cell(&mut self, field: &str, value: &str, padded: &str, at: usize, span: Span) -> Expr {
        let of = |kind: ExprKind| Expr { kind, span };
        // A name of a site, unless it is worked out, or none.
        let names_site = self.named.fields.are_sites(field) && value != "nothing" && !value.contains('(');
        if self.named.fields.are_text(field) || names_site {
            let text = plain(value);
            if let Some(why) = unfit(&text) {
                let found = Diagnostic::new(Code::IllegalCharacter, span, format!("this cannot be shown: {why}"));
                self.diagnostics.push(found.help("leave it out"));
            }
            return of(ExprKind::Text(text));
        }
        if !self.named.fields.known(field) {
            // It is reported by its column.
            return of(ExprKind::Error);
        }
        if let Some(number) = value.bytes().all(|byte| byte.is_ascii_digit()).then(|| value.parse().ok()).flatten() {
            return of(ExprKind::Num(number));
        }
        match value {
            // So spreadsheets write them.
            "TRUE" => return of(ExprKind::Name("true".to_owned())),
            "FALSE" => return of(ExprKind::Name("false".to_owned())),
            _ if value.starts_with('{') => {
                let found = Diagnostic::new(Code::BadTable, span, "a block stands in a card block, not in a table");
                self.diagnostics.push(found.help(
                    "write a card block with the kind and name of the row, which has only what the row does not give",
                ));
                return of(ExprKind::Error);
            }
            _ => {}
        }
        let (expr, mut found) = parse_expr(self.file, at, padded);
        for found in &mut found {
            found.message = found.message.replace("the end of the file", "the end of the cell");
        }
        self.diagnostics.extend(found);
        match expr.kind {
            // `[a1, b2]`
            ExprKind::List(items) if self.named.fields.list_sites(field) => {
                let named = |item: Expr| match item.kind {
                    ExprKind::Name(name) => Expr { kind: ExprKind::Text(name), ..item },
                    ExprKind::Num(number) => Expr { kind: ExprKind::Text(number.to_string()), ..item },
                    _ => item,
                };
                of(ExprKind::List(items.into_iter().map(named).collect()))
            }
            _ => expr,
        }
    }

    /// A value of a list: what a table of TOML says of a site is its name there, too.
    fn listed(&mut self, field: &str, item: &Spanned<DeValue<'_>>) -> Expr {
        match item.get_ref() {
            DeValue::String(text) if self.named.fields.list_sites(field) && !text.contains('(') => {
                Expr { kind: ExprKind::Text(plain(text)), span: self.span(item.span()) }
            }
            _ => self.value(field, item),
        }
    }

    fn toml(&mut self) {
        if let Some(of) = self.named.of {
            let found =
                Diagnostic::new(Code::BadTable, of.span, "a `.toml` table says itself of which kind its cards are");
            let path = &self.named.path.text;
            self.diagnostics
                .push(found.help(format!("write `cards from \"{path}\"`, and `[{}]` above the cards", of.text)));
        }
        let (table, errors) = DeTable::parse_recoverable(self.text);
        for error in &errors {
            let message = format!("this is not TOML: {}", super::manifest::plain(error.message()));
            self.report(error.span().unwrap_or(0..0), message, EXAMPLE);
        }
        if !errors.is_empty() {
            self.tree.unread = true;
            return;
        }
        let mut kinds: Vec<_> = table.get_ref().iter().collect();
        kinds.sort_by_key(|(key, _)| key.span().start);
        let mut cards = Vec::new();
        for (kind, value) in kinds {
            let DeValue::Table(of) = value.get_ref() else {
                self.report(key_and_value(kind.span(), value), "this is no table of cards", EXAMPLE);
                self.lose(key_and_value(kind.span(), value));
                continue;
            };
            cards.extend(of.iter().map(|(name, card)| (kind, name, card)));
        }
        cards.sort_by_key(|(_, name, _)| name.span().start);
        if let Some((_, name, _)) = cards.get(limits::TABLE_ROWS) {
            let message = format!("this table has {} cards, and {} are the most", cards.len(), limits::TABLE_ROWS);
            let found = Diagnostic::new(Code::FileTooLarge, self.span(name.span()), message);
            self.diagnostics.push(found.help("split it into several files"));
            self.tree.unread = true;
            return;
        }
        for (kind, name, card) in cards {
            let ident = |of: &Spanned<toml::de::DeString<'_>>| Ident {
                text: of.get_ref().to_string(),
                span: self.span(of.span()),
            };
            let (kind, ident) = (ident(kind), ident(name));
            let DeValue::Table(of) = card.get_ref() else {
                self.report(key_and_value(name.span(), card), format!("`{}` is no card", ident.text), EXAMPLE);
                self.lose(key_and_value(name.span(), card));
                continue;
            };
            let mut values: Vec<_> = of.iter().collect();
            values.sort_by_key(|(key, _)| key.span().start);
            let mut fields = Vec::new();
            for (key, value) in values {
                let name = Ident { text: key.get_ref().to_string(), span: self.span(key.span()) };
                let span = self.span(key_and_value(key.span(), value));
                let value = self.value(&name.text, value);
                fields.push(EntryField { kind: EntryFieldKind::Value { name, value }, span });
            }
            self.entry(kind, ident, fields, key_and_value(name.span(), card));
        }
    }

    /// What a value of TOML says.
    fn value(&mut self, field: &str, value: &Spanned<DeValue<'_>>) -> Expr {
        let range = value.span();
        let span = self.span(range.clone());
        let of = |kind: ExprKind| Expr { kind, span };
        let written = self.text.get(range.clone()).unwrap_or_default();
        match value.get_ref() {
            DeValue::Boolean(flag) => of(ExprKind::Name(flag.to_string())),
            DeValue::Integer(_) => match written.replace('_', "").parse() {
                Ok(number) => of(ExprKind::Num(number)),
                Err(_) => {
                    let found = Diagnostic::new(
                        Code::BadNumber,
                        span,
                        format!("`{written}` is not a number the game can hold"),
                    );
                    self.diagnostics.push(found.help("numbers are decimal"));
                    of(ExprKind::Error)
                }
            },
            DeValue::Array(items) => of(ExprKind::List(items.iter().map(|item| self.listed(field, item)).collect())),
            DeValue::String(text) => {
                let quotes = if written.starts_with("\"\"\"") || written.starts_with("'''") { 3 } else { 1 };
                let inner = written.get(quotes..written.len().saturating_sub(quotes)).unwrap_or_default();
                let fields = self.named.fields;
                if inner != text.as_ref() && !fields.are_text(field) && !fields.are_sites(field) {
                    self.report(
                        range,
                        "an escape hides where the parts of this value stand",
                        "write it in single quotes: `'tool \"Rope\"'`",
                    );
                    return of(ExprKind::Error);
                }
                self.cell(field, text, inner, range.start + quotes, span)
            }
            DeValue::Float(_) | DeValue::Datetime(_) | DeValue::Table(_) => {
                self.report(
                    range,
                    "a card has no such value",
                    "write a number, `true`, `false`, a list, or a text with what a card block would say",
                );
                of(ExprKind::Error)
            }
        }
    }
}

const COLUMNS: &str = "its first row names the columns: `name`, and fields of the kind";
const EXAMPLE: &str = "below `[tool]`, with the name of a kind, each line is a card: `\"Rope\" = { cost = 3 }`";

fn key_and_value(key: Range<usize>, value: &Spanned<DeValue<'_>>) -> Range<usize> {
    key.start..value.span().end.max(key.end)
}

/// What a text of a cell says: that it may stand in quotes as in a card block, and texts are of one line.
fn plain(value: &str) -> String {
    let quoted = value.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
    let text = match quoted.filter(|inner| !inner.replace("\\\\", "").replace("\\\"", "").contains('"')) {
        Some(inner) => super::build::unquote(&format!("\"{inner}\"")),
        None => value.to_owned(),
    };
    if text.contains('\n') { text.split_whitespace().collect::<Vec<_>>().join(" ") } else { text }
}
