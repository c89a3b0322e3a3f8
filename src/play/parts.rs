//! What has changed between the texts of two versions of a game: the items of their rules and cards, their scripts and
//! their manifests. What only says the same in other words, by its spaces, comments, order or file, is no change;
//! scenarios, recorded games and the rulebook are none either, since nobody plays by them.

use super::error::PlayError;
use super::game::Game;
use super::package::Package;
use super::unsaved::Unsaved;
use crate::base::{FileId, Span, spoken};
use crate::syntax::ast::ItemKind;
use crate::syntax::{Token, TokenKind, parse, tokens};
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::Arc;

/// A part that is not the same in both versions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// What it is called: `verb kindle`, `lamp "Torch"`, `game.toml`.
    pub name: String,
    /// All of it in the old version, if it is there.
    pub old: Option<Span>,
    /// All of it in the new version, if it is there.
    pub new: Option<Span>,
    /// Where it changes first, in the old version.
    pub old_at: Option<Span>,
    /// Where it changes first, in the new version.
    pub new_at: Option<Span>,
}

impl Part {
    /// What became of it: `changed`, `added` or `removed`.
    pub fn fate(&self) -> &'static str {
        match (self.old, self.new) {
            (Some(_), Some(_)) => "changed",
            (None, _) => "added",
            (_, None) => "removed",
        }
    }

    /// Where it changes first, in each version.
    pub fn places(&self, old: &Game, new: &Game) -> [Option<String>; 2] {
        [self.old_at.and_then(|span| old.locate(span)), self.new_at.and_then(|span| new.locate(span))]
    }

    /// What has become of it, and where: `changed verb kindle  [old/a.rules:5:1 -> a.rules:5:1]`.
    pub fn line(&self, old: &Game, new: &Game) -> String {
        let places = self.places(old, new).into_iter().flatten().collect::<Vec<_>>();
        format!("{} {}  [{}]", self.fate(), self.name, places.join(" -> "))
    }

    /// Whether a text for people names it.
    pub fn is_named_in(&self, text: &str) -> bool {
        let quoted =
            self.name.split_once('"').map(|(_, rest)| rest.trim_end_matches(|end| end != '"').trim_end_matches('"'));
        let name = quoted.or_else(|| self.name.split(' ').nth(1)).unwrap_or_default();
        !name.is_empty() && text.contains(spoken(name).as_str())
    }
}

/// One version's parts by name. Of several of one name, as a kind may have looks, each has its number behind it.
type Parts = BTreeMap<String, Span>;

/// The parts that differ, in the order of the new version's texts, and after these the removed ones.
///
/// # Errors
/// [`PlayError::Io`] if a package's folder is not there any more.
pub fn changed(old: &Game, new: &Game) -> Result<Vec<Part>, PlayError> {
    let after = parts(new)?;
    // A card that has another name is the same part.
    let today = |name: String| new.renames.today(&name).unwrap_or(name);
    let before: Parts = parts(old)?.into_iter().map(|(name, span)| (today(name), span)).collect();
    let names: BTreeSet<&String> = before.keys().chain(after.keys()).collect();
    let mut found = Vec::new();
    for name in names {
        let spans = (before.get(name).copied(), after.get(name).copied());
        let (old_at, new_at) = match spans {
            (Some(one), Some(other)) => match first_change(old, one, new, other) {
                Some((one, other)) => (Some(one), Some(other)),
                None => continue,
            },
            alone => alone,
        };
        found.push(Part { name: name.clone(), old: spans.0, new: spans.1, old_at, new_at });
    }
    found.sort_by_key(|part| (part.new.is_none(), part.new, part.old));
    Ok(found)
}

fn parts(game: &Game) -> Result<Parts, PlayError> {
    let packages = std::iter::once(&game.package).chain(game.package.expansions());
    let folders = packages.map(|package| Ok(package.world()?.display(""))).collect::<Result<Vec<_>, PlayError>>()?;
    let mut found = Parts::new();
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for file in game.sources.files() {
        let (shown, text) = (game.sources.name(file), game.sources.text(file));
        let inside = folders.iter().find_map(|folder| shown.strip_prefix(folder.as_str())).unwrap_or(shown);
        let mut add = |name: String, span: Span| {
            let count = counts.entry(name.clone()).or_default();
            *count += 1;
            found.insert(if *count == 1 { name } else { format!("{name} #{count}") }, span);
        };
        match inside.rsplit_once('.').map_or("", |(_, ending)| ending) {
            "rules" | "cards" => {
                for item in parse(file, text).0.items {
                    if !matches!(item.kind, ItemKind::Scenario { .. }) {
                        add(called(game.sources.slice(item.span)), item.span);
                    }
                }
            }
            "rhai" | "toml" | "csv" => add(inside.to_owned(), Span::new(file, 0, text.len())),
            _ => {}
        }
    }
    Ok(found)
}

/// What an item is called: the words it begins with, up to its name.
fn called(text: &str) -> String {
    let all = tokens(text);
    let mut said = all.iter().filter(|token| token.kind != TokenKind::Comment).map(|token| token.text(text));
    let first = said.next().unwrap_or_default();
    // These words stand before those that the item itself begins with.
    let most = if ["absolute", "patch", "replace", "remove"].contains(&first) { 2 } else { 1 };
    let mut name = first.to_owned();
    let (mut words, mut joins) = (0, false);
    for word in said {
        let dot = word == ".";
        let is_name = word.starts_with('"') || word.starts_with(|letter: char| letter.is_alphanumeric());
        if !dot && (!is_name || words == most && !joins) {
            break;
        }
        if !dot && !joins {
            name.push(' ');
            words += 1;
        }
        name.push_str(word);
        joins = dot;
    }
    name
}

/// The words of a part that count, and where they stand.
fn said(game: &Game, span: Span) -> Vec<(String, Span)> {
    let text = game.sources.slice(span);
    let at = |start: usize, end: usize| Span::new(span.file, span.start as usize + start, span.start as usize + end);
    // Manifests and scripts have other comments and other words, so that their lines are compared.
    let name = game.sources.name(span.file);
    let mark = if name.ends_with(".toml") { "#" } else { "//" };
    if name.ends_with(".toml") || name.ends_with(".rhai") {
        let mut start = 0;
        let mut lines = Vec::new();
        for line in text.split_inclusive('\n') {
            let words = line.trim();
            if !words.is_empty() && !words.starts_with(mark) {
                lines.push((words.to_owned(), at(start, start + line.trim_end().len())));
            }
            start += line.len();
        }
        return lines;
    }
    let counts = |token: &Token| token.kind != TokenKind::Comment;
    tokens(text)
        .into_iter()
        .filter(counts)
        .map(|token| (token.text(text).to_owned(), at(token.start, token.end)))
        .collect()
}

/// Where two parts first differ, in each; nowhere if they say the same.
fn first_change(old: &Game, one: Span, new: &Game, other: Span) -> Option<(Span, Span)> {
    let (before, after) = (said(old, one), said(new, other));
    let same = before.iter().zip(&after).take_while(|((word, _), (now, _))| word == now).count();
    if same == before.len() && same == after.len() {
        return None;
    }
    let at = |words: &[(String, Span)], whole: Span| words.get(same).or(words.last()).map_or(whole, |(_, span)| *span);
    Some((at(&before, one), at(&after, other)))
}

/// Changed parts that are taken back, one after the other, to find the cause of a difference.
const MOST_TRIED: usize = 24;

/// What has changed between two versions, of which each part can be taken back alone.
pub struct Changes {
    /// The old version.
    pub old: Arc<Game>,
    /// The new version.
    pub new: Arc<Game>,
    /// The parts that differ.
    pub parts: Vec<Part>,
    /// The new version without each of the changes that was tried; none where that cannot be played.
    tried: BTreeMap<usize, Option<Arc<Game>>>,
}

impl Changes {
    /// Compares the texts of two versions.
    ///
    /// # Errors
    /// As [`changed`].
    pub fn between(old: &Arc<Game>, new: &Arc<Game>) -> Result<Changes, PlayError> {
        let parts = changed(old, new)?;
        Ok(Changes { old: Arc::clone(old), new: Arc::clone(new), parts, tried: BTreeMap::new() })
    }

    /// The part that is the cause of a difference: once its change is taken back, the difference is gone. What `touches` it is
    /// tried first.
    pub fn cause(
        &mut self,
        touches: impl Fn(&Part) -> bool,
        mut differs: impl FnMut(&Arc<Game>) -> Option<bool>,
    ) -> Option<usize> {
        let mut order: Vec<usize> = (0..self.parts.len()).collect();
        order.sort_by_key(|index| !self.parts.get(*index).is_some_and(&touches));
        order.into_iter().take(MOST_TRIED).find(|index| {
            let without = self.without(*index);
            without.and_then(|game| differs(&game)) == Some(false)
        })
    }

    /// The new version without one of the changes; none if it cannot be played so.
    pub fn without(&mut self, index: usize) -> Option<Arc<Game>> {
        let (old, new, part) = (&self.old, &self.new, self.parts.get(index)?);
        self.tried.entry(index).or_insert_with(|| taken_back(old, new, part)).clone()
    }
}

/// The new version with one part as it is in the old one; none if it cannot be played so.
fn taken_back(old: &Game, new: &Game, part: &Part) -> Option<Arc<Game>> {
    let before = part.old.map_or("", |span| old.sources.slice(span));
    let (file, text) = match part.new {
        Some(span) => {
            let text = new.sources.text(span.file);
            let (head, tail) = (text.get(..span.start as usize)?, text.get(span.end as usize..)?);
            (span.file, format!("{head}{before}{tail}"))
        }
        None => {
            // Where an item stands makes no difference, so it may stand in any file of its sort.
            let ending = old.sources.name(part.old?.file).rsplit_once('.').map(|(_, ending)| ending.to_owned())?;
            let alike = |file: &FileId| new.sources.name(*file).ends_with(&format!(".{ending}"));
            let file = new.sources.files().find(alike)?;
            (file, format!("{}\n{before}\n", new.sources.text(file)))
        }
    };
    let texts = BTreeMap::from([(PathBuf::from(new.sources.name(file)), text)]);
    let package: Package = new.package.clone().edited(&Unsaved::new(texts));
    Game::load(&package, &new.options, new.variant.as_deref()).ok().map(Arc::new)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_are_called_by_the_words_they_begin_with() {
        for (text, name) in [
            ("verb steal c: entry to p: player { }", "verb steal"),
            ("link charm.host to tool.charms", "link charm.host"),
            ("tool \"Lantern\" { oil: 3 }", "tool \"Lantern\""),
            ("patch tool \"Lantern\" { oil: 3 }", "patch tool \"Lantern\""),
            ("flow { }", "flow"),
            ("option size: 2..9 = 7", "option size"),
        ] {
            assert_eq!(called(text), name);
        }
    }

    #[test]
    fn parts_are_found_in_what_people_read() {
        let part = |name: &str| Part { name: name.to_owned(), old: None, new: None, old_at: None, new_at: None };
        assert!(part("tool \"Lantern\"").is_named_in("play tool Lantern"));
        assert!(part("action play_tool").is_named_in("play tool Lantern"));
        assert!(!part("verb steal").is_named_in("play tool Lantern"));
    }
}
