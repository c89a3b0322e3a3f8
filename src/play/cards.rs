//! The cards and pieces that a game defines, as rows of a table: what `cardwright cards` lists, searches and writes. Values are
//! written as in a card block, so that a table of cards reads what is written here.

use crate::base::{SourceMap, Span, nearest};
use crate::model::rules::{Entry, FieldValue, Key, PropClass, PropId, Rules, Ty};
use crate::syntax::ast::{BinaryOp, Expr, ExprKind, UnaryOp};
use crate::syntax::{parse_expr, quote};
use serde_json::{Value, json};
use std::cmp::Ordering;
use std::collections::BTreeSet;

/// A definition.
#[derive(Clone, Debug, PartialEq)]
pub struct Card {
    /// Its kind, and the kinds above it.
    pub kinds: Vec<String>,
    /// Its name.
    pub name: String,
    /// How many there are.
    pub copies: u16,
    /// The fields that are printed on it, with those that it has from its kind.
    pub fields: Vec<Field>,
    /// What it does besides: effects by name, and `clauses`.
    pub does: Vec<String>,
    /// Where its name stands.
    pub span: Span,
}

/// A printed field.
#[derive(Clone, Debug, PartialEq)]
pub struct Field {
    /// Its name.
    pub name: String,
    /// What is printed.
    pub value: Printed,
    /// Whether the card gives it, and not its kind.
    pub given: bool,
}

/// What a field says.
#[derive(Clone, Debug, PartialEq)]
pub enum Printed {
    /// A number.
    Number(i64),
    /// True or false.
    Flag(bool),
    /// A value of an enum.
    Word(String),
    /// A text.
    Text(String),
    /// A list or set.
    Many(Vec<Printed>),
    /// One value for each key.
    Table(Vec<(String, Printed)>),
    /// Anything else, as it was written.
    Written(String),
    /// Nothing.
    Nothing,
}

impl Card {
    /// Its kind.
    pub fn kind(&self) -> &str {
        self.kinds.first().map_or("", String::as_str)
    }

    /// `path:line`
    pub fn place(&self, sources: &SourceMap) -> String {
        let line = sources.position(self.span.file, self.span.start).line;
        format!("{}:{line}", sources.name(self.span.file))
    }
}

impl Printed {
    /// As a cell of a table says it.
    pub fn cell(&self) -> String {
        match self {
            Printed::Text(text) => text_cell(text),
            other => other.written(),
        }
    }

    /// As a card block says it.
    pub fn written(&self) -> String {
        let list = |parts: Vec<String>| format!("[{}]", parts.join(", "));
        match self {
            Printed::Number(number) => number.to_string(),
            Printed::Flag(flag) => flag.to_string(),
            Printed::Word(word) | Printed::Written(word) => word.clone(),
            Printed::Text(text) => quote(text),
            Printed::Many(items) => list(items.iter().map(Printed::written).collect()),
            Printed::Table(items) => {
                let named = |(key, value): &(String, Printed)| match value {
                    Printed::Number(0) => None,
                    Printed::Number(number) => Some(format!("{number} {key}")),
                    _ => None,
                };
                let words = items.iter().all(|(key, value)| {
                    matches!(value, Printed::Number(0..)) && key.starts_with(|letter: char| letter.is_alphabetic())
                });
                let some: Vec<String> = items.iter().filter_map(named).collect();
                if words && !some.is_empty() {
                    return list(some);
                }
                list(items.iter().map(|(_, value)| value.written()).collect())
            }
            Printed::Nothing => "nothing".to_owned(),
        }
    }

    /// For other programs.
    pub fn json(&self) -> Value {
        match self {
            Printed::Number(number) => json!(number),
            Printed::Flag(flag) => json!(flag),
            Printed::Word(text) | Printed::Text(text) | Printed::Written(text) => json!(text),
            Printed::Many(items) => items.iter().map(Printed::json).collect(),
            Printed::Table(items) => items.iter().map(|(key, value)| (key.clone(), value.json())).collect(),
            Printed::Nothing => Value::Null,
        }
    }
}

/// A text as a cell: in quotes of its own where it would be taken for none, or for a text in quotes.
fn text_cell(text: &str) -> String {
    let in_quotes = text.len() > 1 && text.starts_with('"') && text.ends_with('"');
    if text.is_empty() || in_quotes { quote(text) } else { text.to_owned() }
}

/// All definitions of a game, in their order.
pub fn cards(rules: &Rules, sources: &SourceMap) -> Vec<Card> {
    rules.entries.iter().map(|entry| card(rules, sources, entry)).collect()
}

fn card(rules: &Rules, sources: &SourceMap, entry: &Entry) -> Card {
    let span_of = |id: PropId| entry.field_spans.iter().find(|(other, _)| *other == id).map(|(_, span)| *span);
    let mut fields: Vec<Field> = Vec::new();
    let mut does = Vec::new();
    for (id, value) in &entry.fields {
        let Some(prop) = rules.props.get(id.index()) else { continue };
        let Some(value) = value else { continue };
        if matches!(prop.ty, Ty::Effect(_)) {
            does.push(prop.name.clone());
            continue;
        }
        let whole = prop.table.unwrap_or(*id);
        let span = span_of(whole);
        let written = || match span {
            Some(span) => Printed::Written(as_written(sources, span)),
            None => Printed::Nothing,
        };
        let value = printed(rules, &prop.ty, value).unwrap_or_else(written);
        let Some(Ty::Table(key, _)) = prop.table.and_then(|_| rules.props.get(whole.index())).map(|whole| &whole.ty)
        else {
            fields.push(Field { name: prop.name.clone(), value, given: span.is_some() });
            continue;
        };
        let name = rules.props.get(whole.index()).map_or("", |whole| whole.name.as_str());
        if fields.last().is_none_or(|field| field.name != name) {
            fields.push(Field { name: name.to_owned(), value: Printed::Table(Vec::new()), given: span.is_some() });
        }
        if let Some(Field { value: Printed::Table(items), .. }) = fields.last_mut() {
            let key = match key {
                Key::Enum(id) => enum_word(rules, id.index(), items.len() as i64),
                Key::Range(low, _) => Some((i64::from(*low) + items.len() as i64).to_string()),
            };
            items.push((key.unwrap_or_default(), value));
        }
    }
    if !entry.clauses.is_empty() || !entry.supersedes.is_empty() {
        does.push("clauses".to_owned());
    }
    let kinds = rules.kinds_from(entry.kind).map(|kind| rules.kinds[kind.index()].name.clone()).collect();
    Card { kinds, name: entry.name.clone(), copies: entry.copies, fields, does, span: entry.span }
}

/// A value in the words of the language; none of a type whose values only its text says.
fn printed(rules: &Rules, ty: &Ty, value: &FieldValue) -> Option<Printed> {
    let many = |of: &Ty, words: Vec<i64>| {
        let items: Option<Vec<Printed>> = words.iter().map(|word| one(rules, of, *word)).collect();
        items.map(Printed::Many)
    };
    match (value, ty) {
        (FieldValue::Text(text), _) => Some(Printed::Text(text.clone())),
        (FieldValue::Word(word), _) => one(rules, ty, *word),
        (FieldValue::Mask(mask), Ty::Set(of)) => many(of, (0..64).filter(|bit| mask >> bit & 1 == 1).collect()),
        (FieldValue::List(words), Ty::List(of) | Ty::Set(of) | Ty::PerDirection(of)) => many(of, words.clone()),
        _ => None,
    }
}

fn one(rules: &Rules, ty: &Ty, word: i64) -> Option<Printed> {
    match ty {
        Ty::Number => Some(Printed::Number(word)),
        Ty::Flag => Some(Printed::Flag(word != 0)),
        Ty::Enum(id) => enum_word(rules, id.index(), word).map(Printed::Word),
        Ty::Maybe(of) => one(rules, of, word),
        _ => None,
    }
}

fn enum_word(rules: &Rules, id: usize, value: i64) -> Option<String> {
    Some(rules.enums.get(id)?.values.get(usize::try_from(value).ok()?)?.name.clone())
}

/// What was written at a place. In a `.csv` file quotes are written twice.
fn as_written(sources: &SourceMap, span: Span) -> String {
    let text = sources.slice(span);
    let text = if sources.name(span.file).ends_with(".csv") { text.replace("\"\"", "\"") } else { text.to_owned() };
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Which cards are wanted.
#[derive(Clone, Debug)]
pub struct Filter<'a> {
    wanted: Wanted,
    rules: &'a Rules,
}

#[derive(Clone, Debug)]
enum Wanted {
    /// All of these words stand on the card.
    Words(Vec<String>),
    Meets(Expr),
}

impl<'a> Filter<'a> {
    /// Reads a filter: an expression about the fields of a card, such as `level > 3 and colour = blue`, the name of a kind, or
    /// words that stand on it.
    ///
    /// # Errors
    /// In words, what is wrong with an expression.
    pub fn read(text: &str, rules: &'a Rules) -> Result<Filter<'a>, String> {
        let (expr, found) = parse_expr(crate::base::FileId::default(), 0, text);
        let filter = |wanted| Ok(Filter { wanted, rules });
        let compares = text.contains(['<', '>', '=']);
        if let Some(found) = found.first().filter(|_| compares) {
            return Err(format!("{} in `{text}`", found.message.replace("the end of the file", "its end")));
        }
        let known = match &expr.kind {
            ExprKind::Name(name) => {
                rules.kinds.iter().any(|kind| kind.name == *name)
                    || rules.props.iter().any(|prop| prop.name == *name && prop.ty == Ty::Flag)
            }
            ExprKind::Binary(..) | ExprKind::Unary(UnaryOp::Not, _) | ExprKind::Is { .. } => true,
            _ => false,
        };
        if !known || !found.is_empty() {
            return filter(Wanted::Words(text.split_whitespace().map(str::to_lowercase).collect()));
        }
        filter(Wanted::Meets(expr))
    }

    /// Whether a card is wanted.
    ///
    /// # Errors
    /// In words, what the filter asks that no card has.
    pub fn takes(&self, card: &Card) -> Result<bool, String> {
        match &self.wanted {
            Wanted::Words(words) => {
                let said = card.fields.iter().map(|field| field.value.written());
                let said: Vec<String> =
                    card.kinds.iter().take(1).cloned().chain([card.name.clone()]).chain(said).collect();
                let said = said.join("\n").to_lowercase();
                Ok(words.iter().all(|word| said.contains(word)))
            }
            Wanted::Meets(expr) => match self.value(card, expr)? {
                Printed::Flag(flag) => Ok(flag),
                Printed::Nothing => Ok(false),
                other => Err(format!("a filter is true or false, and not {}", other.written())),
            },
        }
    }

    fn value(&self, card: &Card, expr: &Expr) -> Result<Printed, String> {
        Ok(match &expr.kind {
            ExprKind::Num(number) => Printed::Number(*number),
            ExprKind::Text(text) => Printed::Text(text.clone()),
            ExprKind::Name(name) => self.name(card, name)?,
            ExprKind::Field(of, name) if matches!(&of.kind, ExprKind::Name(it) if it == "it") => {
                self.name(card, &name.text)?
            }
            ExprKind::List(items) => {
                Printed::Many(items.iter().map(|item| self.value(card, item)).collect::<Result<_, _>>()?)
            }
            ExprKind::Index(of, key) => {
                let key = self.value(card, key)?.written();
                match self.value(card, of)? {
                    Printed::Table(items) => {
                        items.into_iter().find(|(name, _)| *name == key).map_or(Printed::Nothing, |(_, value)| value)
                    }
                    _ => Printed::Nothing,
                }
            }
            ExprKind::Is { value, not, kind, entry } if matches!(&value.kind, ExprKind::Name(it) if it == "it") => {
                let named = entry.as_ref().is_none_or(|entry| entry.text == card.name);
                Printed::Flag((card.kinds.contains(&kind.text) && named) != *not)
            }
            ExprKind::Unary(UnaryOp::Not, of) => Printed::Flag(self.value(card, of)? != Printed::Flag(true)),
            ExprKind::Unary(UnaryOp::Negate, of) => match self.value(card, of)? {
                Printed::Number(number) => Printed::Number(number.saturating_neg()),
                _ => Printed::Nothing,
            },
            ExprKind::Unary(UnaryOp::Count, of) => match self.value(card, of)? {
                Printed::Many(items) => Printed::Number(items.len() as i64),
                _ => Printed::Nothing,
            },
            ExprKind::Binary(op, left, right) => self.binary(card, *op, left, right)?,
            _ => {
                return Err(
                    "a filter has fields, values, `and`, `or`, `not`, comparisons, `in`, `has`, `count` and `is`"
                        .to_owned(),
                );
            }
        })
    }

    fn binary(&self, card: &Card, op: BinaryOp, left: &Expr, right: &Expr) -> Result<Printed, String> {
        let yes = Printed::Flag(true);
        if let (BinaryOp::In | BinaryOp::NotIn, ExprKind::Binary(BinaryOp::Range, low, high)) = (op, &right.kind) {
            let [at, low, high] = [left, low, high].map(|part| self.value(card, part));
            let (at, low, high) = (at?, low?, high?);
            let within =
                compare(&at, &low).is_some_and(Ordering::is_ge) && compare(&at, &high).is_some_and(Ordering::is_le);
            return Ok(Printed::Flag(within == (op == BinaryOp::In) && at != Printed::Nothing));
        }
        let (one, other) = (self.value(card, left)?, self.value(card, right)?);
        let ordered = |fits: fn(Ordering) -> bool| Printed::Flag(compare(&one, &other).is_some_and(fits));
        let numbers = |of: fn(i64, i64) -> Option<i64>| match (&one, &other) {
            (Printed::Number(a), Printed::Number(b)) => of(*a, *b).map_or(Printed::Nothing, Printed::Number),
            _ => Printed::Nothing,
        };
        let among = |one: &Printed, other: &Printed| match other {
            Printed::Many(items) => items.iter().any(|item| compare(item, one) == Some(Ordering::Equal)),
            _ => false,
        };
        Ok(match op {
            BinaryOp::And => Printed::Flag(one == yes && other == yes),
            BinaryOp::Or => Printed::Flag(one == yes || other == yes),
            BinaryOp::Eq => ordered(Ordering::is_eq),
            BinaryOp::Ne => {
                Printed::Flag(one != Printed::Nothing && !compare(&one, &other).is_some_and(Ordering::is_eq))
            }
            BinaryOp::Lt => ordered(Ordering::is_lt),
            BinaryOp::Le => ordered(Ordering::is_le),
            BinaryOp::Gt => ordered(Ordering::is_gt),
            BinaryOp::Ge => ordered(Ordering::is_ge),
            BinaryOp::In => Printed::Flag(among(&one, &other)),
            BinaryOp::NotIn => Printed::Flag(one != Printed::Nothing && !among(&one, &other)),
            BinaryOp::Has => Printed::Flag(among(&other, &one)),
            BinaryOp::Add => numbers(i64::checked_add),
            BinaryOp::Sub => numbers(i64::checked_sub),
            BinaryOp::Mul => numbers(i64::checked_mul),
            BinaryOp::Div => numbers(i64::checked_div_euclid),
            BinaryOp::Rem => numbers(i64::checked_rem_euclid),
            BinaryOp::Both | BinaryOp::Else | BinaryOp::Range => Printed::Nothing,
        })
    }

    /// What a name says of a card: a field, else a value that fields have.
    fn name(&self, card: &Card, name: &str) -> Result<Printed, String> {
        match name {
            "true" | "false" => return Ok(Printed::Flag(name == "true")),
            "nothing" => return Ok(Printed::Nothing),
            "copies" => return Ok(Printed::Number(i64::from(card.copies))),
            "name" => return Ok(Printed::Text(card.name.clone())),
            _ => {}
        }
        if let Some(field) = card.fields.iter().find(|field| field.name == name) {
            return Ok(field.value.clone());
        }
        let is_field = |class: &PropClass| matches!(class, PropClass::Field { .. } | PropClass::Table(_));
        let fields = self.rules.props.iter().filter(|prop| is_field(&prop.class)).map(|prop| prop.name.as_str());
        let words = self.rules.enums.iter().flat_map(|of| &of.values).map(|value| value.name.as_str());
        let kinds = self.rules.kinds.iter().map(|kind| kind.name.as_str());
        let (fields, words, kinds): (BTreeSet<&str>, BTreeSet<&str>, BTreeSet<&str>) =
            (fields.collect(), words.collect(), kinds.collect());
        if kinds.contains(name) {
            return Ok(Printed::Flag(card.kinds.iter().any(|kind| kind == name)));
        }
        match (fields.contains(name), words.contains(name)) {
            (true, _) => Ok(Printed::Nothing),
            (false, true) => Ok(Printed::Word(name.to_owned())),
            (false, false) => {
                let near = nearest(name, fields.into_iter().chain(words).chain(kinds).chain(["copies", "name"]));
                let near = near.map_or(String::new(), |near| format!("; did you mean `{near}`?"));
                Err(format!("no card has a field `{name}`{near}"))
            }
        }
    }
}

/// Compares two values of a sort. What is missing is neither like anything nor before it.
fn compare(one: &Printed, other: &Printed) -> Option<Ordering> {
    match (one, other) {
        (Printed::Number(a), Printed::Number(b)) => Some(a.cmp(b)),
        (Printed::Nothing, _) | (_, Printed::Nothing) => None,
        (Printed::Text(a), Printed::Text(b)) => Some(a.to_lowercase().cmp(&b.to_lowercase())),
        _ if one == other => Some(Ordering::Equal),
        _ => None,
    }
}
