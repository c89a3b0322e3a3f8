//! Which files of a package belong to it: simple patterns such as `cards/*.cards`.

use super::manifest::{FilePatterns, Manifest};
use crate::base::{Code, Diagnostic, Diagnostics, Span};
use std::collections::BTreeSet;

/// A path of the package in whose parts `*` stands for any letters but `/`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pattern {
    /// As it is written.
    pub text: String,
    /// Where it is written.
    pub span: Span,
}

impl Pattern {
    /// Whether a path fits.
    pub fn matches(&self, path: &str) -> bool {
        let (mut pattern, mut parts) = (self.text.split('/'), path.split('/'));
        loop {
            match (pattern.next(), parts.next()) {
                (None, None) => return true,
                (Some(pattern), Some(part)) if part_matches(pattern, part) => {}
                _ => return false,
            }
        }
    }
}

/// Whether one part of a path fits, taking every `*` as short as it can be.
fn part_matches(pattern: &str, part: &str) -> bool {
    let mut pieces = pattern.split('*');
    let Some(mut rest) = part.strip_prefix(pieces.next().unwrap_or("")) else { return false };
    let Some(last) = pieces.next_back() else { return rest.is_empty() };
    for piece in pieces {
        match rest.find(piece) {
            Some(at) => rest = rest.get(at + piece.len()..).unwrap_or(""),
            None => return false,
        }
    }
    rest.ends_with(last)
}

/// The files of a package by what they are, each list sorted by path.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Selection {
    /// Files of rules.
    pub rules: Vec<String>,
    /// Files of cards.
    pub cards: Vec<String>,
    /// Files of scenarios.
    pub scenarios: Vec<String>,
    /// Files of parts that do not count.
    pub aside: Vec<String>,
}

impl FilePatterns {
    /// Those of all files of a package that fit one of the patterns.
    pub fn fitting<'a>(&self, all: &'a [String]) -> impl Iterator<Item = &'a String> {
        let patterns =
            [&self.rules, &self.cards, &self.scenarios].map(|patterns| patterns.as_deref().unwrap_or_default());
        all.iter().filter(move |path| patterns.iter().any(|of| of.iter().any(|pattern| pattern.matches(path))))
    }
}

impl Manifest {
    /// Picks from all files of a package those that belong to the game, where the packages of these names take part. Warns of
    /// patterns that fit no file.
    pub fn select(&self, all: &[String], takes_part: impl Fn(&str) -> bool) -> (Selection, Diagnostics) {
        let mut diagnostics = Vec::new();
        let mut pick = |of: fn(&FilePatterns) -> &Option<Vec<Pattern>>, ending: &str| {
            let mut fitting = |patterns: &[Pattern]| -> BTreeSet<String> {
                for pattern in patterns.iter().filter(|pattern| !all.iter().any(|path| pattern.matches(path))) {
                    let message = format!("no file fits `{}`", pattern.text);
                    let finding = Diagnostic::new(Code::NoMatch, pattern.span, message);
                    diagnostics.push(finding.help("`*` stands for any letters in one part of a path"));
                }
                all.iter().filter(|path| patterns.iter().any(|pattern| pattern.matches(path))).cloned().collect()
            };
            let mut found = match of(&self.files) {
                None => all.iter().filter(|path| path.ends_with(ending)).cloned().collect(),
                Some(patterns) => fitting(patterns),
            };
            // What belongs to a part belongs to nothing else.
            let (mut with, mut without) = (BTreeSet::new(), BTreeSet::new());
            for part in &self.parts {
                let side = if takes_part(&part.with) { &mut with } else { &mut without };
                side.extend(fitting(of(&part.files).as_deref().unwrap_or_default()));
            }
            found.retain(|path| !without.contains(path));
            found.extend(with);
            (Vec::from_iter(found), without)
        };
        let (rules, no_rules) = pick(|files| &files.rules, ".rules");
        let (mut cards, no_cards) = pick(|files| &files.cards, ".cards");
        let (mut scenarios, no_scenarios) = pick(|files| &files.scenarios, ".scenario");
        // What fits several patterns is read once.
        cards.retain(|path| !rules.contains(path));
        scenarios.retain(|path| !rules.contains(path) && !cards.contains(path));
        let aside = [no_rules, no_cards, no_scenarios].into_iter().flatten().collect();
        (Selection { rules, cards, scenarios, aside }, diagnostics)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax::manifest::Part;

    fn pattern(text: &str) -> Pattern {
        Pattern { text: text.to_owned(), span: Span::default() }
    }

    #[test]
    fn a_star_stays_in_its_part_of_the_path() {
        assert!(pattern("cards/*.cards").matches("cards/tools.cards"));
        assert!(pattern("*/a*b*.cards").matches("x/a1b2b.cards"));
        assert!(pattern("game.rules").matches("game.rules"));
        assert!(!pattern("cards/*.cards").matches("cards/more/tools.cards"));
        assert!(!pattern("*.cards").matches("tools.rules"));
        assert!(!pattern("a*a").matches("a"));
    }

    #[test]
    fn files_are_picked_by_ending_or_by_pattern() {
        let all: Vec<String> = ["a.rules", "b/c.rules", "b/d.cards", "e.scenario"].map(String::from).to_vec();
        let manifest = |files: FilePatterns| Manifest { files, ..Manifest::default() };
        let (picked, warnings) = manifest(FilePatterns::default()).select(&all, |_| false);
        assert_eq!((picked.rules.len(), picked.cards.len(), picked.scenarios.len(), warnings.len()), (2, 1, 1, 0));
        let some =
            FilePatterns { rules: Some(vec![pattern("b/*.rules"), pattern("z/*.rules")]), ..FilePatterns::default() };
        let (picked, warnings) = manifest(some).select(&all, |_| false);
        assert_eq!(picked.rules, ["b/c.rules"]);
        assert_eq!(warnings.iter().map(|warning| warning.code).collect::<Vec<_>>(), [Code::NoMatch]);
        let files = FilePatterns { rules: Some(vec![pattern("b/*.rules")]), ..FilePatterns::default() };
        let part = Part { with: "other".to_owned(), files, span: Span::default() };
        let manifest = Manifest { parts: vec![part], ..Manifest::default() };
        let (with, without) = (manifest.select(&all, |name| name == "other").0, manifest.select(&all, |_| false).0);
        assert_eq!(
            (with.rules.len(), without.rules, without.aside),
            (2, vec!["a.rules".to_owned()], vec!["b/c.rules".to_owned()])
        );
    }
}
