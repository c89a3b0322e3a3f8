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
    pub title: &'static str,
    /// The command of the editor that does it, with the path of the text and the title of the scenario.
    pub command: &'static str,
    /// The title of the scenario that it is about.
    pub scenario: String,
}

/// What can be done with a scenario: title and command.
const LENSES: [(&str, &str); 2] =
    [("Run scenario", "cardwright.runScenario"), ("Play from here", "cardwright.playFromHere")];

/// What can be done with the scenarios of a text.
pub fn lenses(text: &str) -> Vec<Lens> {
    let (file, _) = parse(FileId(0), text);
    let mut found = Vec::new();
    for item in &file.items {
        let ItemKind::Scenario { title: scenario, .. } = &item.kind else { continue };
        let at = item.span.start as usize..item.span.end as usize;
        let lens = |(title, command)| Lens { at: at.clone(), title, command, scenario: scenario.text.clone() };
        found.extend(LENSES.map(lens));
    }
    found
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
