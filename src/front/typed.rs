//! Which option a typed line means. The numbers on the screen come first, then whole keys, then words that only one
//! option has. A line in quotes is the key of an option and nothing else: not a number, and no command.

use crate::base::nearest;
use crate::engine::Decision;
use crate::play::record::{quoted, unquoted};

/// The option that a line means.
///
/// # Errors
/// In words, if it means none, or could mean several.
pub fn meant(decision: &Decision, line: &str) -> Result<usize, Unmeant> {
    let options = &decision.options;
    let exact = unquoted(line);
    if exact == line
        && decision.numbered()
        && let Some(number) = line.parse::<usize>().ok().filter(|number| number.to_string() == line)
    {
        let index = number.checked_sub(1).filter(|index| *index < options.len());
        return index.ok_or_else(|| Unmeant::Several(format!("there are options 1 to {}", options.len())));
    }
    if let Some(index) = options.iter().position(|option| option.key == exact) {
        return Ok(index);
    }
    if let Some(index) = options.iter().position(|option| option.shown() == exact) {
        return Ok(index);
    }
    let wanted = line.to_lowercase();
    // Nobody means a number by a part of another.
    let number = line.parse::<i64>().is_ok();
    let has = |text: &str| {
        if number { text.split_whitespace().any(|word| word == line) } else { text.to_lowercase().contains(&wanted) }
    };
    let found: Vec<usize> = options
        .iter()
        .enumerate()
        .filter(|_| exact == line)
        .filter(|(_, option)| has(&option.key) || has(&option.label))
        .map(|(index, _)| index)
        .collect();
    match found.as_slice() {
        [one] => Ok(*one),
        [] => Err(Unmeant::None(
            match nearest(line, options.iter().flat_map(|option| [option.shown(), option.key.as_str()])) {
                Some(best) => {
                    let best = quoted(best);
                    format!("there is no option `{line}`; did you mean `{best}`? `why` tells what is not possible")
                }
                None => {
                    format!("there is no option `{line}`; `why` tells what is not possible, `help` what can be typed")
                }
            },
        )),
        several => {
            let keys =
                several.iter().take(4).filter_map(|index| options.get(*index)).map(|option| quoted(option.shown()));
            let more = if several.len() > 4 { ", …" } else { "" };
            let keys = keys.collect::<Vec<_>>().join(", ");
            Err(Unmeant::Several(format!("`{line}` could be: {keys}{more}")))
        }
    }
}

/// Why a line means no option, in words.
#[derive(Debug, PartialEq, Eq)]
pub enum Unmeant {
    /// Nothing is called so.
    None(String),
    /// It is unclear which.
    Several(String),
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::Span;
    use crate::engine::{DecisionKind, OptionInfo, Target};

    fn decision(keys: &[&str]) -> Decision {
        let option = |key: &&str| OptionInfo {
            key: (*key).to_owned(),
            label: (*key).to_owned(),
            seat: None,
            target: Target::None,
            weight: 1,
        };
        Decision {
            seat: Some(0),
            kind: DecisionKind::One,
            prompt: "Which?".to_owned(),
            source: None,
            terms: Vec::new(),
            by: None,
            options: keys.iter().map(option).collect(),
            span: Span::default(),
        }
    }

    fn taken(keys: &[&str], line: &str) -> Option<String> {
        let decision = decision(keys);
        meant(&decision, line).ok().map(|index| decision.options[index].key.clone())
    }

    #[test]
    fn a_number_on_the_screen_is_that_option() {
        let keys = ["lay 0011", "lay 2", "lay 1", "undo"];
        assert_eq!(taken(&keys, "1").as_deref(), Some("lay 0011"));
        assert_eq!(taken(&keys, "4").as_deref(), Some("undo"));
        assert_eq!(taken(&keys, "5"), None);
        assert_eq!(taken(&keys, "lay 2").as_deref(), Some("lay 2"));
        assert_eq!(taken(&keys, "0011").as_deref(), Some("lay 0011"), "no number on the screen is written so");
        assert_eq!(taken(&keys, "011"), None);
    }

    #[test]
    fn where_options_are_numbers_they_are_typed() {
        let keys = ["0", "1", "2", "done"];
        assert!(!decision(&keys).numbered());
        assert_eq!(taken(&keys, "1").as_deref(), Some("1"));
        assert_eq!(taken(&keys, "0").as_deref(), Some("0"));
        assert_eq!(taken(&keys, "3"), None);
        let tiles = ["0000", "0011", "0110"];
        assert_eq!(taken(&tiles, "0011").as_deref(), Some("0011"));
        assert_eq!(taken(&tiles, "10"), None, "it is a part of one only, but nobody would mean that");
        assert_eq!(taken(&tiles, "00"), None);
        assert!(decision(&["-", "lay 3", "3 oaks"]).numbered());
        assert!(!decision(&["-3", "nothing"]).numbered());
    }

    #[test]
    fn what_is_quoted_is_a_whole_key() {
        let keys = ["undo", "2nd", "", "  two", "\"x\"", "# one"];
        for key in keys {
            assert_eq!(taken(&keys, &quoted(key)).as_deref(), Some(key));
        }
        assert_eq!(taken(&keys, "\"und\""), None);
        assert_eq!(taken(&keys, "\"undo\"").as_deref(), Some("undo"));
    }
}
