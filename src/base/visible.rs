//! Characters that nobody sees, or that make a terminal do something: content may not have them, and whatever is
//! printed goes through here, so that a text from a stranger looks like what it is.

use std::borrow::Cow;
use std::fmt::Write;
use std::path::Path;

/// Whether a character does not stand for itself on a screen: control characters, line and paragraph separators,
/// marks that turn the direction of writing, characters without a width, tags.
///
/// Sources: the general categories Cc, Cf, Zl, Zp of Unicode 16, and the letters without a shape that Unicode's
/// report 36 on security names. The selectors that ask for a sign as text or as a picture are left, as is the tab.
pub fn is_unseen(letter: char) -> bool {
    let code = u32::from(letter);
    matches!(code,
        0x00..=0x08 | 0x0a..=0x1f | 0x7f..=0x9f | 0xad | 0x34f | 0x600..=0x605 | 0x61c | 0x6dd | 0x70f | 0x890..=0x891
        | 0x8e2 | 0x115f..=0x1160 | 0x17b4..=0x17b5 | 0x180b..=0x180f | 0x200b..=0x200f | 0x2028..=0x202e
        | 0x2060..=0x206f | 0x3164 | 0xfe00..=0xfe0d | 0xfeff | 0xffa0 | 0xfff0..=0xfffb
        | 0xfffe..=0xffff | 0x110bd | 0x110cd | 0x13430..=0x1343f | 0x1bca0..=0x1bca3 | 0x1d173..=0x1d17a
        | 0xe0000..=0xe0fff)
}

/// The text with every character that is not seen written out, such as `\u{202e}`: for one line.
pub fn visible(text: &str) -> Cow<'_, str> {
    written_out(text, is_unseen)
}

/// A path as it is named in messages.
pub fn shown(path: &impl AsRef<Path>) -> String {
    visible(&path.as_ref().display().to_string()).into_owned()
}

/// The lines of a text with every character that is not seen written out, but for the ends of lines.
pub fn visible_lines(text: &str) -> Cow<'_, str> {
    written_out(text, |letter| letter != '\n' && is_unseen(letter))
}

/// The lines of a text that we have coloured: only the sequences that set colours and weights stay as they are.
pub fn visible_colours(text: &str) -> Cow<'_, str> {
    if !text.chars().any(|letter| letter != '\n' && is_unseen(letter)) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('\u{1b}') {
        let (before, found) = rest.split_at(at);
        out.push_str(&visible_lines(before));
        let length = styling(found).unwrap_or(0);
        let (kept, after) = found.split_at(length);
        out.push_str(kept);
        rest = after;
        if length == 0 {
            out.push_str("\\u{1b}");
            rest = rest.strip_prefix('\u{1b}').unwrap_or(rest);
        }
    }
    out.push_str(&visible_lines(rest));
    Cow::Owned(out)
}

/// How long the sequence is that a text begins with, if it sets colours or weights: `ESC [ numbers m`.
fn styling(text: &str) -> Option<usize> {
    let numbers = text.strip_prefix("\u{1b}[")?;
    let length = numbers.bytes().take_while(|byte| byte.is_ascii_digit() || *byte == b';').count();
    numbers.get(length..)?.starts_with('m').then_some(length + 3)
}

/// The JSON with every character that is not seen written as JSON escapes it. Such characters stand only within texts,
/// but for the ends of lines.
pub fn visible_json(text: &str) -> Cow<'_, str> {
    if !text.chars().any(|letter| letter != '\n' && is_unseen(letter)) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    for letter in text.chars() {
        if letter == '\n' || !is_unseen(letter) {
            out.push(letter);
            continue;
        }
        for unit in letter.encode_utf16(&mut [0; 2]) {
            let _ = write!(out, "\\u{unit:04x}");
        }
    }
    Cow::Owned(out)
}

fn written_out(text: &str, hides: impl Fn(char) -> bool) -> Cow<'_, str> {
    if !text.chars().any(&hides) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 8);
    for letter in text.chars() {
        if hides(letter) {
            let _ = write!(out, "\\u{{{:x}}}", u32::from(letter));
        } else {
            out.push(letter);
        }
    }
    Cow::Owned(out)
}

/// A blank that is not the space of the keyboard: it looks like one, or like two.
fn is_odd_blank(letter: char) -> bool {
    matches!(u32::from(letter), 0xa0 | 0x1680 | 0x2000..=0x200a | 0x202f | 0x205f | 0x2800 | 0x3000)
}

/// A mark that is drawn over the letter before it.
fn is_combining(letter: char) -> bool {
    matches!(u32::from(letter), 0x300..=0x36f | 0x1ab0..=0x1aff | 0x1dc0..=0x1dff | 0x20d0..=0x20ff | 0xfe20..=0xfe2f)
}

/// Most marks over one letter that a language is written with.
const MOST_MARKS: usize = 2;

/// What makes a text look like another one, in words: characters that are not seen, blanks that are not spaces, more
/// spaces than one, marks that pile up, selectors behind letters.
pub fn misleading(text: &str) -> Option<String> {
    let (mut before, mut marks) = (' ', 0);
    for letter in text.chars() {
        let code = u32::from(letter);
        marks = if is_combining(letter) { marks + 1 } else { 0 };
        if letter == '\t' || is_unseen(letter) {
            return Some(format!("it has the character `\\u{{{code:x}}}`, which nobody sees"));
        }
        if is_odd_blank(letter) {
            return Some(format!("it has the blank `\\u{{{code:x}}}`, which is not a space"));
        }
        if matches!(code, 0xfe0e | 0xfe0f) && (before.is_alphanumeric() || before.is_whitespace()) {
            return Some(format!("it has the character `\\u{{{code:x}}}`, which nobody sees behind a letter"));
        }
        if marks > MOST_MARKS || marks == 1 && before == ' ' {
            return Some("it has marks that pile up, or stand over nothing".to_owned());
        }
        if letter == ' ' && before == ' ' && !text.starts_with(' ') {
            return Some("it has two spaces side by side".to_owned());
        }
        before = letter;
    }
    None
}

/// What is wrong with a text as a name or something to be read, in words: what makes it look like another, or spaces at
/// its ends.
pub fn unfit(text: &str) -> Option<String> {
    misleading(text).or_else(|| (text.trim() != text).then(|| "it begins or ends with a space".to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_seen_is_written_out() {
        assert_eq!(visible("a\u{1b}[2Jb\u{202e}c\u{200b}\n"), "a\\u{1b}[2Jb\\u{202e}c\\u{200b}\\u{a}");
        assert_eq!(visible_lines("a\nb\r\u{9b}"), "a\nb\\u{d}\\u{9b}");
        assert!(matches!(visible("Zoë ⚔\u{fe0f} 日本"), Cow::Borrowed(_)));
    }

    #[test]
    fn only_colours_are_let_through() {
        assert_eq!(visible_colours("\u{1b}[1;31mred\u{1b}[0m\n"), "\u{1b}[1;31mred\u{1b}[0m\n");
        assert_eq!(visible_colours("\u{1b}[2Jx\u{1b}"), "\\u{1b}[2Jx\\u{1b}");
        assert_eq!(visible_colours("\u{1b}]0;t\u{7}"), "\\u{1b}]0;t\\u{7}");
    }

    #[test]
    fn json_stays_json() {
        let shown = visible_json("{\"a\":\"x\u{202e}\u{e0041}\"}\n");
        assert_eq!(shown, "{\"a\":\"x\\u202e\\udb40\\udc41\"}\n");
        let read: serde_json::Value = serde_json::from_str(&shown).unwrap();
        assert_eq!(read["a"], "x\u{202e}\u{e0041}");
    }

    #[test]
    fn names_have_no_spaces_at_their_ends() {
        assert_eq!(unfit("Old Lamp"), None);
        assert!(unfit(" Lamp").is_some_and(|why| why.contains("space")));
        for odd in ["Old\u{a0}Lamp", "Old\u{3000}Lamp", "Lamp\u{fe0f}", "Old  Lamp", "La\u{301}\u{302}\u{303}mp"] {
            assert!(unfit(odd).is_some(), "{odd:?}");
        }
        assert_eq!(unfit("Cafe\u{301} \u{2694}\u{fe0f}"), None);
        assert!(unfit("La\u{ad}mp").is_some_and(|why| why.contains("\\u{ad}")));
    }
}
