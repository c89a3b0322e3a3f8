//! How players read names of the rules.

use super::{Key, Rules, spoken};

impl Rules {
    /// What players read in the place of a name: its label, or the name in words. What is one of several has its key behind it.
    pub fn label(&self, name: &str) -> String {
        if let Some(words) = self.labels.get(name) {
            return words.clone();
        }
        let (head, key) = name.split_once(' ').map_or((name, None), |(head, key)| (head, Some(key)));
        let words = self.labels.get(head).cloned().unwrap_or_else(|| spoken(head));
        key.map_or_else(|| words.clone(), |key| format!("{words} {key}"))
    }

    /// How many keys a table has.
    pub fn key_count(&self, key: Key) -> usize {
        match key {
            Key::Enum(id) => self.enums.get(id.index()).map_or(0, |item| item.values.len()),
            Key::Range(low, high) => usize::try_from(i64::from(high) - i64::from(low) + 1).unwrap_or(0),
        }
    }

    /// How a key of a table is called.
    pub fn key_label(&self, key: Key, index: usize) -> String {
        match key {
            Key::Enum(id) => {
                let values = self.enums.get(id.index()).map_or(&[][..], |item| &item.values);
                values.get(index).map_or(String::new(), |value| value.label.clone())
            }
            Key::Range(low, _) => (i64::from(low) + index as i64).to_string(),
        }
    }
}
