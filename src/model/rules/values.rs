//! What is printed on definitions, and the texts that are values.

use super::ProcId;
use indexmap::IndexSet;

/// The value of a printed field.
#[derive(Clone, Debug, PartialEq)]
pub enum FieldValue {
    /// A number, flag, enum value, or seat.
    Word(i64),
    /// A set of enum values or of players, as a mask.
    Mask(u64),
    List(Vec<i64>),
    Text(String),
    /// A block or lazy expression: `this` is the entity, parameters as the kind declares.
    Proc(ProcId),
}

/// The texts of a game. A value is the number of one, so that equal texts are equal values.
#[derive(Clone, Debug, Default)]
pub struct Texts(IndexSet<String>);

impl Texts {
    /// Notes a text.
    pub fn add(&mut self, text: &str) {
        if !self.0.contains(text) {
            self.0.insert(text.to_owned());
        }
    }

    /// The value that a text is, if it has been noted.
    pub fn value(&self, text: &str) -> Option<i64> {
        self.0.get_index_of(text).map(|index| index as i64)
    }

    /// The text that a value is.
    pub fn text(&self, value: i64) -> Option<&str> {
        usize::try_from(value).ok().and_then(|index| self.0.get_index(index)).map(String::as_str)
    }

    /// All of them.
    pub fn iter(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(String::as_str)
    }
}
