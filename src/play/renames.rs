//! What cards were called before: saved games, records and scenarios have their names in keys, and go on with the cards that have
//! these names no more.

use std::collections::BTreeMap;

use crate::model::{Manifest, Rules};

/// The names of cards today, and those that manifests say they had.
#[derive(Default)]
pub struct Renames {
    /// By their first letter, the longest first: each name, and what stands for it.
    names: BTreeMap<char, Vec<(String, String)>>,
}

impl Renames {
    /// Those of a game.
    pub fn of(manifest: &Manifest, rules: &Rules) -> Renames {
        let mut names: BTreeMap<char, Vec<(String, String)>> = BTreeMap::new();
        if manifest.was.is_empty() {
            return Renames { names };
        }
        // A name of today stays what it is, also where an old name is a part of it.
        let today = rules.entries.iter().map(|entry| (&entry.name, &entry.name));
        let before = manifest.was.iter().map(|renamed| (&renamed.old, &renamed.name));
        for (name, now) in today.chain(before) {
            if let Some(first) = name.chars().next() {
                names.entry(first).or_default().push((name.clone(), now.clone()));
            }
        }
        for alike in names.values_mut() {
            alike.sort_by_key(|(name, _)| std::cmp::Reverse(name.len()));
        }
        Renames { names }
    }

    /// A text with the names of today, if it has an old one.
    pub fn today(&self, text: &str) -> Option<String> {
        if self.names.is_empty() {
            return None;
        }
        let (mut out, mut rest, mut in_word) = (String::new(), text, false);
        while let Some(letter) = rest.chars().next() {
            let ends = |name: &String| {
                let behind = rest.strip_prefix(name.as_str());
                behind.is_some_and(|behind| !behind.starts_with(char::is_alphanumeric))
            };
            let known = self.names.get(&letter).filter(|_| !in_word).into_iter().flatten();
            let (taken, put) = match known.into_iter().find(|(name, _)| ends(name)) {
                Some((name, now)) => (name.len(), now.as_str()),
                None => (letter.len_utf8(), rest.get(..letter.len_utf8()).unwrap_or_default()),
            };
            out.push_str(put);
            let (before, behind) = rest.split_at(taken);
            in_word = before.ends_with(char::is_alphanumeric);
            rest = behind;
        }
        (out != text).then_some(out)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn renames(pairs: &[(&str, &str)]) -> Renames {
        let mut names: BTreeMap<char, Vec<(String, String)>> = BTreeMap::new();
        for (old, now) in pairs {
            names.entry(old.chars().next().unwrap()).or_default().push(((*old).to_owned(), (*now).to_owned()));
        }
        names.values_mut().for_each(|alike| alike.sort_by_key(|(name, _)| std::cmp::Reverse(name.len())));
        Renames { names }
    }

    #[test]
    fn old_names_are_followed_as_whole_names() {
        let renames = renames(&[
            ("Pudding", "Plain Pudding"),
            ("Plain Pudding", "Plain Pudding"),
            ("Imp", "Old Imp"),
            ("Imp King", "Imp King"),
            ("Ölfass", "Fass"),
        ]);
        for (text, wanted) in [
            ("eat Pudding", Some("eat Plain Pudding")),
            ("eat Plain Pudding", None),
            ("Pudding, Pudding", Some("Plain Pudding, Plain Pudding")),
            ("eat Puddings", None),
            ("play Imp King to Imp", Some("play Imp King to Old Imp")),
            ("Chimp", None),
            ("Ölfass", Some("Fass")),
            ("", None),
        ] {
            assert_eq!(renames.today(text).as_deref(), wanted, "{text}");
        }
        assert_eq!(Renames::default().today("eat Pudding"), None);
    }
}
