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

/// Every text of the shipped content, with its path.
pub(super) fn shipped() -> Vec<(String, String)> {
    let mut found = Vec::new();
    let mut folders = vec![std::path::PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/content"))];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let text = std::fs::read_to_string(&path).unwrap_or_default();
                found.push((path.to_string_lossy().into_owned(), text));
            }
        }
    }
    found.sort();
    found
}

#[test]
fn shipped_content_is_accepted() {
    let mut wrong = String::new();
    let mut read = 0;
    for (path, text) in shipped() {
        let diagnostics = match path.rsplit('.').next() {
            Some("rules" | "cards" | "scenario") => parse(FileId(0), &text).1,
            Some("toml") => parse_manifest(FileId(0), &text).1,
            _ => continue,
        };
        read += 1;
        let mut sources = SourceMap::default();
        sources.add(path, text);
        wrong += &render_text(&diagnostics, &sources, false);
    }
    assert!(read > 1, "no content was found");
    assert!(wrong.is_empty(), "{wrong}");
}

#[test]
fn the_tree_of_every_form() {
    let file = accept(include_str!("../../tests/fixtures/syntax/forms.rules"));
    insta::with_settings!({ prepend_module_to_snapshot => false, snapshot_path => "../../tests/snapshots/tree" }, {
        insta::assert_snapshot!("forms", dump(&file));
    });
}
