//! Many forms through the parser, and the mistakes it must survive.

use super::*;
use crate::base::{Diagnostics, FileId, SourceMap, render_text};

fn read(text: &str) -> (ast::File, Diagnostics) {
    parse(FileId(0), text)
}

#[track_caller]
fn accept(text: &str) -> ast::File {
    let (file, diagnostics) = read(text);
    let mut sources = SourceMap::default();
    sources.add("test", text);
    assert!(diagnostics.is_empty(), "{}", render_text(&diagnostics, &sources, false));
    file
}

#[test]
fn sample_blocks_are_accepted() {
    accept(include_str!("../../tests/fixtures/syntax/forms.rules"));
}

#[test]
fn an_expression_of_a_text_has_its_place_in_the_file() {
    let (expr, diagnostics) = parse_expr(FileId(0), 100, " c.cost + 1 ");
    assert_eq!(diagnostics, []);
    assert_eq!((expr.span.start, expr.span.end), (101, 111));
    let (expr, diagnostics) = parse_expr(FileId(0), 100, "c.cost +");
    assert!(matches!(expr.kind, ast::ExprKind::Error));
    assert_eq!(diagnostics.len(), 1);
    assert!(diagnostics[0].span.start >= 100, "{:?}", diagnostics[0]);
    assert_eq!(parse_expr(FileId(0), 5, "").1.len(), 1);
}
