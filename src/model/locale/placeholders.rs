//! Texts cut at their braces.

use crate::syntax::filled;

/// A part of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Piece<'a> {
    /// It stands as it is written.
    Text(&'a str),
    /// What stands in braces, without spaces at its ends.
    Filled(&'a str),
}

/// The parts of a text. A brace without its partner is text.
pub fn pieces(text: &str) -> Vec<Piece<'_>> {
    let (mut pieces, mut rest) = (Vec::new(), text);
    while let Some((before, inside, after)) = cut(rest) {
        if !before.is_empty() {
            pieces.push(Piece::Text(before));
        }
        pieces.push(Piece::Filled(inside.trim()));
        rest = after;
    }
    if !rest.is_empty() {
        pieces.push(Piece::Text(rest));
    }
    pieces
}

/// What stands before the first braces of a text, in them and behind them.
fn cut(text: &str) -> Option<(&str, &str, &str)> {
    let open = text.find('{')?;
    let inside = filled(text.get(open..)?)?;
    Some((text.get(..open)?, inside, text.get(open + inside.len() + 2..)?))
}

/// What is filled into a text, in its order.
pub(in crate::model) fn fillings(text: &str) -> Vec<&str> {
    let fillings = pieces(text).into_iter().filter_map(|piece| match piece {
        Piece::Filled(inside) => Some(inside),
        Piece::Text(_) => None,
    });
    fillings.collect()
}

/// What a translation fills in that its text does not, and what it leaves out.
pub fn differences<'a>(text: &'a str, translation: &'a str) -> (Vec<&'a str>, Vec<&'a str>) {
    let (wanted, given) = (fillings(text), fillings(translation));
    let without = |these: &[&'a str], those: &[&'a str]| {
        let mut left: Vec<&str> = these.iter().copied().filter(|each| !those.contains(each)).collect();
        left.dedup();
        left
    };
    (without(&given, &wanted), without(&wanted, &given))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn placeholders_may_move_but_not_change() {
        assert_eq!(
            pieces("{n} coins { c }!"),
            [Piece::Filled("n"), Piece::Text(" coins "), Piece::Filled("c"), Piece::Text("!")]
        );
        assert_eq!(pieces("a { b"), [Piece::Text("a { b")]);
        assert_eq!(differences("{n} for {c}", "{c}: {n}, {n}"), (vec![], vec![]));
        assert_eq!(differences("{n} for {c}", "{m} für {c}"), (vec!["m"], vec!["n"]));
    }
}
