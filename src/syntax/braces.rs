//! Pieces that a patch exchanges and the grammar has refused: braces that are missing, or are too many.

use super::lex::TokenKind;
use super::slips::Slip;
use super::split::Matched;
use super::words;
use crate::base::{Code, Diagnostic, Span};
use std::ops::Range;

/// What is wrong with the braces of a patch.
pub(super) fn braces(matched: &Matched<'_>, item: &Range<usize>) -> Option<Diagnostic> {
    let open =
        item.clone().find(|index| matched.text(*index) == "{").filter(|_| matched.text(item.start) == "patch")?;
    let inside = open + 1..matched.ends.get(open).copied().flatten()?.saturating_sub(1);
    match matched.text(item.start + 1) {
        "define" => braced_expressions(matched, &inside),
        _ => bare_statements(matched, &inside),
    }
}

/// Expressions in braces, in the patch of a definition, which has no statements.
fn braced_expressions(matched: &Matched<'_>, inside: &Range<usize>) -> Option<Diagnostic> {
    let opened = |index: &usize| matched.text(*index) == "{";
    let first = inside.clone().find(opened)?;
    let (mut pieces, mut edits) = (Vec::new(), Vec::new());
    let mut at = inside.start;
    while let Some(start) = (at..inside.end).find(opened) {
        let end = matched.ends.get(start).copied().flatten()?;
        edits.extend([matched.span(start), matched.span(end - 1)].map(|brace| (brace, String::new())));
        pieces.push(Slip { matched, range: start + 1..end - 1 }.rest(0));
        at = end;
    }
    let help = match pieces.as_slice() {
        [old, new] if !old.is_empty() && !new.is_empty() => format!("write `{old} becomes {new}`"),
        _ => "write it without braces, `a < 5 becomes a < 4`".to_owned(),
    };
    let found =
        Diagnostic::new(Code::Unexpected, matched.span(first), "a definition has no statements, which braces are for");
    Some(found.help(help).mends(edits, true))
}

/// Statements without braces on one side of the only `becomes`.
fn bare_statements(matched: &Matched<'_>, inside: &Range<usize>) -> Option<Diagnostic> {
    let mut depth = 0;
    let mut outer = inside.clone().filter(|index| {
        let text = matched.text(*index);
        depth += i32::from(matches!(text, "{" | "(" | "[")) - i32::from(matches!(text, "}" | ")" | "]"));
        depth == 0 && text == "becomes"
    });
    let (becomes, None) = (outer.next()?, outer.next()) else { return None };
    let sides = [inside.start..becomes, becomes + 1..inside.end];
    let name = |index: usize| matched.kind(index) == Some(TokenKind::Word) && !words::is_keyword(matched.text(index));
    let bare = |side: &Range<usize>| {
        let (first, second) = (matched.text(side.start), side.start + 1);
        let number = matched.kind(second) == Some(TokenKind::Number);
        let given =
            number || name(second) || matches!(matched.text(second), "me" | "this" | "it" | "by" | "for" | "to");
        !side.is_empty()
            && (words::STATEMENTS.contains(&first) && first != "if" || name(side.start) && second < side.end && given)
    };
    sides.iter().any(bare).then(|| {
        let span = |side: &Range<usize>| matched.span(side.start).to(matched.span(side.end - 1));
        let braced = |side: &Range<usize>| match matched.text(side.start) {
            _ if side.is_empty() => "{ }".to_owned(),
            "{" => Slip { matched, range: side.clone() }.rest(0),
            _ => format!("{{ {} }}", Slip { matched, range: side.clone() }.rest(0)),
        };
        let at = sides.iter().find(|side| bare(side)).map_or(matched.span(becomes), span);
        let help = format!("write `{} becomes {}`", braced(&sides[0]), braced(&sides[1]));
        let edits = sides.iter().filter(|side| !side.is_empty() && matched.text(side.start) != "{");
        let edits = edits.map(span).flat_map(|side| {
            [(Span { end: side.start, ..side }, "{ ".to_owned()), (Span { start: side.end, ..side }, " }".to_owned())]
        });
        Diagnostic::new(Code::Unexpected, at, "statements that are exchanged stand in braces")
            .help(help)
            .mends(edits.collect(), true)
    })
}
