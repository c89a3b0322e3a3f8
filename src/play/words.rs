//! How properties of cards and players are told in few words, alike on all screens.

use unicode_width::UnicodeWidthStr;

/// Longest value of a field that stands on a small card; longer ones are texts.
const SHORT_VALUE: usize = 14;

/// Whether a field is a text to be read rather than a value to be seen at a glance. Amounts are none, however many
/// there are: without its name, `2 clay, 1 ash` says nothing.
pub(crate) fn is_text(field: &(String, String)) -> bool {
    let amounts = field.1.starts_with(|first: char| first.is_ascii_digit());
    field.0 == "text" || field.1.width() > SHORT_VALUE && !amounts
}

/// Whether a value says that there is nothing to tell.
pub(crate) fn says_nothing(value: &str) -> bool {
    matches!(value, "" | "no" | "false" | "nothing" | "nobody")
}

/// A property in few words: words alone say enough, numbers and yes need their name; `no` and nothing go unsaid.
pub(crate) fn brief((name, value): &(String, String)) -> Option<String> {
    match value.as_str() {
        value if says_nothing(value) => None,
        "yes" | "true" => Some(name.clone()),
        _ if value.starts_with(|first: char| first.is_alphabetic()) => Some(value.clone()),
        _ => Some(format!("{name} {value}")),
    }
}
