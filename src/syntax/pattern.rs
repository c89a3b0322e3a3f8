//! Which files of a package belong to it: simple patterns such as `cards/*.cards`.

use super::manifest::FilePatterns;
use crate::base::{Code, Diagnostic, Diagnostics, Span};

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
}

impl FilePatterns {
    /// Picks from all files of a package those that belong to the game. Warns of patterns that fit no file.
    pub fn select(&self, all: &[String]) -> (Selection, Diagnostics) {
        let mut diagnostics = Vec::new();
        let mut pick = |patterns: &Option<Vec<Pattern>>, ending: &str| {
            let mut found: Vec<String> = match patterns {
                None => all.iter().filter(|path| path.ends_with(ending)).cloned().collect(),
                Some(patterns) => {
                    for pattern in patterns.iter().filter(|pattern| !all.iter().any(|path| pattern.matches(path))) {
                        let message = format!("no file fits `{}`", pattern.text);
                        let finding = Diagnostic::new(Code::NoMatch, pattern.span, message);
                        diagnostics.push(finding.help("`*` stands for any letters in one part of a path"));
                    }
                    all.iter().filter(|path| patterns.iter().any(|pattern| pattern.matches(path))).cloned().collect()
                }
            };
            found.sort();
            found.dedup();
            found
        };
        let rules = pick(&self.rules, ".rules");
        let cards = pick(&self.cards, ".cards");
        let scenarios = pick(&self.scenarios, ".scenario");
        (Selection { rules, cards, scenarios }, diagnostics)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
        let (picked, warnings) = FilePatterns::default().select(&all);
        assert_eq!((picked.rules.len(), picked.cards.len(), picked.scenarios.len(), warnings.len()), (2, 1, 1, 0));
        let some =
            FilePatterns { rules: Some(vec![pattern("b/*.rules"), pattern("z/*.rules")]), ..FilePatterns::default() };
        let (picked, warnings) = some.select(&all);
        assert_eq!(picked.rules, ["b/c.rules"]);
        assert_eq!(warnings.iter().map(|warning| warning.code).collect::<Vec<_>>(), [Code::NoMatch]);
    }
}
