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
