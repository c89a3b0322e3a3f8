//! Locale files, `locales/de.toml`: a table for each text, by its id, with the text that was translated and the translation.

use super::manifest::plain;
use crate::base::{Code, Diagnostic, Diagnostics, FileId, Span, unfit};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::ops::Range;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// The keys of a text.
const KEYS: [&str; 3] = ["from", "to", "was"];

/// A locale file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Locale {
    /// Remarks at its beginning.
    pub head: Vec<String>,
    /// Its texts, in their order.
    pub texts: Vec<Translated>,
}

/// A text and its translation.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Translated {
    /// What is translated: `card.tool.Lantern`.
    pub id: String,
    /// What it was translated from.
    pub from: String,
    /// The translation; empty where there is none yet.
    pub to: String,
    /// What the text was when it was translated, if it is another now and nobody has looked at the translation since.
    pub was: Option<String>,
    /// Remarks above it.
    pub remarks: Vec<String>,
    /// Where its id stands.
    pub span: Span,
    /// Where the translation stands.
    pub to_span: Span,
}

/// Whether a language can be called so: `de`, `pt-br`.
pub fn is_language(name: &str) -> bool {
    let mut parts = name.split('-');
    let short = |part: &str| (2..=8).contains(&part.len()) && part.chars().all(|c| c.is_ascii_lowercase());
    parts.next().is_some_and(short)
        && parts.all(|part| (1..=8).contains(&part.len()) && part.chars().all(|c| matches!(c, 'a'..='z' | '0'..='9')))
}

/// Reads a locale file. Gives what could be read, and everything that is wrong with it.
pub fn parse_locale(file: FileId, text: &str) -> (Locale, Diagnostics) {
    let (seen, mut found) = super::lex::leave_unseen(file, text);
    let (table, errors) = DeTable::parse_recoverable(&seen);
    let at = |range: std::ops::Range<usize>| Span::new(file, range.start, range.end);
    for error in &errors {
        let message = format!("this is not TOML: {}", plain(error.message()));
        let finding = Diagnostic::new(Code::BadLocale, at(error.span().unwrap_or(0..0)), message);
        found.push(finding.help("a line looks like `to = \"text\"`; within a text a quote is `\\\"`"));
    }
    let (mut texts, mut taken) = (Vec::new(), Vec::new());
    for (key, value) in table.get_ref() {
        taken.extend([key.span(), if value.get_ref().is_table() { 0..0 } else { value.span() }]);
        let (id, span) = (key.get_ref().to_string(), at(key.span()));
        let mut read = Translated { id, span, to_span: span, ..Translated::default() };
        let Some(keys) = value.get_ref().as_table() else {
            let found_there = Diagnostic::new(Code::BadLocale, span, format!("`{}` is no table", key.get_ref()));
            found.push(found_there.help("write `[\"ID\"]` on a line of its own, and below it `from` and `to`"));
            continue;
        };
        for (key, value) in keys {
            taken.push(value.span());
            entry(&mut read, (key.get_ref(), at(key.span())), (value, at(value.span())), &mut found);
        }
        texts.push(read);
    }
    texts.sort_by_key(|text| text.span.start);
    let head = remarks(text, &mut texts, &taken);
    found.sort_by_key(|found| found.span.start);
    (Locale { head, texts }, found)
}

/// Reads a key of a text.
fn entry(
    text: &mut Translated,
    (key, at): (&str, Span),
    (value, place): (&Spanned<DeValue<'_>>, Span),
    found: &mut Diagnostics,
) {
    if !KEYS.contains(&key) {
        let help = "a text has `from`, `to` and `was`; an id with dots stands in quotes: `[\"action.play.note.1\"]`";
        let finding = Diagnostic::new(Code::BadLocale, at, format!("a text has no key `{key}`"));
        let finding = finding.suggest(key, KEYS);
        found.push(if finding.help.is_none() { finding.help(help) } else { finding });
        return;
    }
    let Some(written) = value.get_ref().as_str() else {
        let finding = Diagnostic::new(Code::BadLocale, place, format!("`{key}` needs a text in quotes"));
        found.push(finding.help(format!("write `{key} = \"...\"`")));
        return;
    };
    match key {
        "from" => written.clone_into(&mut text.from),
        "to" => {
            if let Some(why) = unfit(written) {
                let message = format!("this cannot be shown: {why}");
                found.push(Diagnostic::new(Code::IllegalCharacter, place, message).help("leave it out"));
                return;
            }
            written.clone_into(&mut text.to);
            text.to_span = place;
        }
        _ => text.was = Some(written.to_owned()),
    }
}

/// Gives each text the remarks above and in it, also those at the ends of lines; those at the beginning, up to an empty line, are of
/// the file. `taken`: where a `#` is a part of a text.
fn remarks(text: &str, texts: &mut [Translated], taken: &[Range<usize>]) -> Vec<String> {
    let mut starts: BTreeMap<usize, usize> = BTreeMap::new();
    for (index, each) in texts.iter().enumerate() {
        let before = text.get(..each.span.start as usize).unwrap_or("");
        starts.insert(before.matches('\n').count(), index);
    }
    let (mut head, mut waiting, mut current, mut top) = (Vec::new(), Vec::new(), None, true);
    let mut from = 0;
    for (number, line) in text.split('\n').enumerate() {
        let free = |at: &usize| !taken.iter().any(|taken| taken.contains(&(from + at)));
        let sign = line.match_indices('#').map(|(at, _)| at).find(free);
        let remark = sign.and_then(|at| line.get(at + 1..)).map(|remark| remark.trim().to_owned());
        let said = line.get(..sign.unwrap_or(line.len())).unwrap_or_default().trim();
        if let Some(index) = starts.get(&number) {
            texts[*index].remarks.append(&mut waiting);
            (current, top) = (Some(*index), false);
        } else if said.is_empty() {
            top &= remark.is_some();
        } else if let Some(index) = current {
            texts[index].remarks.append(&mut waiting);
        }
        match (remark, current) {
            (Some(remark), _) if top => head.push(remark),
            (Some(remark), Some(index)) if !said.is_empty() => texts[index].remarks.push(remark),
            (Some(remark), _) => waiting.push(remark),
            (None, _) => {}
        }
        from += line.len() + 1;
    }
    match texts.last_mut() {
        Some(last) => last.remarks.append(&mut waiting),
        None => head.append(&mut waiting),
    }
    head
}

/// Writes a locale file.
pub fn print_locale(locale: &Locale) -> String {
    let mut out = String::new();
    let remark = |out: &mut String, text: &str| {
        let _ = writeln!(out, "{}", format!("# {text}").trim_end());
    };
    locale.head.iter().for_each(|line| remark(&mut out, line));
    for text in &locale.texts {
        out.push('\n');
        text.remarks.iter().for_each(|line| remark(&mut out, line));
        let _ = writeln!(out, "[{}]\nfrom = {}", quoted(&text.id), quoted(&text.from));
        if let Some(was) = &text.was {
            let _ = writeln!(out, "was = {}", quoted(was));
        }
        let _ = writeln!(out, "to = {}", quoted(&text.to));
    }
    out
}

/// A text in quotes. What JSON escapes in it, TOML reads.
fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string().replace('\u{7f}', "\\u007f")
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: &str = "# German.\n# By Ada.\n\n# the lamp on the cover\n[\"title\"]\nfrom = \"Lamps\" # the #1\n# or Laternen?\nto = \"Lampen # 1\"# short\n
[\"card.tool.Rope \\\"A\\\"\"]\nfrom = \"Rope \\\"A\\\"\"\nwas = \"Rope\"\nto = \"\"\n# the end\n";

    #[test]
    fn what_is_written_is_read_again_with_its_remarks() {
        let (locale, found) = parse_locale(FileId(0), FILE);
        assert_eq!(found, Vec::new());
        assert_eq!(locale.head, ["German.", "By Ada."]);
        assert_eq!(locale.texts[0].remarks, ["the lamp on the cover", "the #1", "or Laternen?", "short"]);
        assert_eq!(locale.texts[0].to, "Lampen # 1");
        assert_eq!(locale.texts[1].was.as_deref(), Some("Rope"));
        let printed = print_locale(&locale);
        let (again, found) = parse_locale(FileId(0), &printed);
        assert_eq!(found, Vec::new());
        assert_eq!(print_locale(&again), printed);
        let plain = |locale: &Locale| {
            let texts = locale.texts.iter().map(|text| (text.id.clone(), text.to.clone(), text.remarks.clone()));
            texts.collect::<Vec<_>>()
        };
        assert_eq!(plain(&again), plain(&locale));
    }

    #[test]
    fn languages_have_short_names() {
        assert!(is_language("de") && is_language("pt-br") && is_language("zh-hant") && is_language("es-419"));
        assert!(
            !is_language("German")
                && !is_language("d")
                && !is_language("")
                && !is_language("de-")
                && !is_language("../de")
        );
    }
}
