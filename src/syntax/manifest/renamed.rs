//! What cards were called before: `[was]`.

use super::{Key, Reader, Value};
use crate::base::{Code, Span};

/// A card that has another name today.
#[derive(Clone, Debug, PartialEq)]
pub struct Renamed {
    /// Its name today.
    pub name: String,
    /// A name that it had before.
    pub old: String,
    /// Where the new name stands.
    pub span: Span,
    /// Where the old name stands.
    pub old_span: Span,
}

impl Reader {
    /// `"New Name" = "Old Name"`, or a list of old names.
    pub(super) fn was(&mut self, key: &Key<'_>, value: &Value<'_>) -> Vec<Renamed> {
        let mut renamed: Vec<Renamed> = Vec::new();
        for (key, value) in self.table(key, value) {
            let (name, span) = (key.get_ref().to_string(), self.span(key.span()));
            let names = match value.get_ref().as_array() {
                Some(names) => names.iter().collect(),
                None => vec![value],
            };
            for value in names {
                let (old, old_span) = (self.text(key, value), self.span(value.span()));
                if !value.get_ref().is_str() {
                    continue;
                }
                if old.is_empty() || old == name {
                    let message = format!("`{old}` is no earlier name of `{name}`");
                    self.report(Code::WrongValue, value.span(), message, "write the name that the card had before");
                    continue;
                }
                renamed.push(Renamed { name: name.clone(), old, span, old_span });
            }
        }
        renamed
    }
}
