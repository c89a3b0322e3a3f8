//! What an editor shows between the lines: scenarios that can be run, and what a definition gives where its type is not
//! written.

use super::workspace::{Workspace, file_of, index_of};
use crate::base::FileId;
use crate::model::index::Sort;
use crate::syntax::ast::ItemKind;
use crate::syntax::parse;
use std::ops::Range;
use std::path::Path;

/// Something that can be done with a part of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lens {
    /// Where it is shown.
    pub at: Range<usize>,
    /// What it says.
    pub title: String,
    /// The title of the scenario that is run.
    pub scenario: String,
}

/// The scenarios of a text.
pub fn lenses(text: &str) -> Vec<Lens> {
    let (file, _) = parse(FileId(0), text);
    let scenario = |item: &crate::syntax::ast::Item| match &item.kind {
        ItemKind::Scenario { title, .. } => Some(Lens {
            at: item.span.start as usize..item.span.end as usize,
            title: "Run scenario".to_owned(),
            scenario: title.text.clone(),
        }),
        _ => None,
    };
    file.items.iter().filter_map(scenario).collect()
}

/// Types that are not written: each with the byte behind which it is shown.
pub fn types(workspace: &mut Workspace, path: &Path, within: Range<usize>) -> Vec<(usize, String)> {
    let checks = workspace.check(path);
    let Some(text) = workspace.text(path) else { return Vec::new() };
    let Some((checked, file)) = checks.iter().find_map(|it| Some((it, file_of(it, path)?))) else { return Vec::new() };
    let written = |end: usize| {
        let rest = text.get(end..).unwrap_or("").trim_start();
        rest.starts_with(':') || rest.starts_with('(')
    };
    let mut hints = Vec::new();
    for declaration in index_of(checked).declarations.values().filter(|it| it.span.file == file) {
        let end = declaration.span.end as usize;
        let local = declaration.sort == Sort::Local && bound_by_let(&text, declaration.span.start as usize);
        let shown = local || declaration.sort == Sort::Define;
        if shown && within.contains(&end) && !written(end) && !declaration.ty.is_empty() {
            hints.push((end, format!(": {}", declaration.ty)));
        }
    }
    hints
}

fn bound_by_let(text: &str, start: usize) -> bool {
    super::hover::word_before(text, start) == "let"
}
