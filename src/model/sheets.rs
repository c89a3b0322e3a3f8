//! Tables of cards: reads those that items name, and puts their cards among the definitions of the package. A card block of the
//! kind and name of a row goes on from it, so that numbers can stand in a table and what a card does beside its name.

use super::load::{Loader, MANIFEST};
use crate::base::{Code, Diagnostic, Diagnostics, FileId, SourceMap, Span, World, WorldError};
use crate::syntax::ast::{EntryField, File, Ident, ItemKind};
use crate::syntax::{CountedRows, Fields, Named, is_table, parse_table};
use std::collections::BTreeMap;

/// What has been read of the tables of all packages.
#[derive(Default)]
pub(super) struct Sheets {
    fields: Fields,
    /// Their paths.
    paths: BTreeMap<FileId, String>,
    /// Names and kinds of rows, each with where the block that goes on from it says the same.
    pub twins: Vec<(Span, Span)>,
}

impl Sheets {
    /// Adds to findings in tables where they stand as a spreadsheet counts: a line of the file may be half a row.
    pub fn place(&self, diagnostics: &mut Diagnostics, sources: &SourceMap) {
        let mut counted: BTreeMap<FileId, Option<CountedRows>> = BTreeMap::new();
        for found in diagnostics.iter_mut().filter(|found| found.note.is_empty()) {
            let file = found.span.file;
            let Some(path) = self.paths.get(&file) else { continue };
            let rows = counted.entry(file).or_insert_with(|| CountedRows::of(path, sources.text(file)));
            if let Some(place) = rows.as_ref().and_then(|rows| rows.place(found.span.start as usize)) {
                found.note = place;
            }
        }
    }

    /// Lets card blocks go on from the rows of their names.
    fn join(&mut self, files: &mut [(FileId, File)]) {
        let mut blocks: BTreeMap<(String, String), (usize, usize)> = BTreeMap::new();
        for (at, (file, tree)) in files.iter().enumerate() {
            for (index, item) in tree.items.iter().enumerate() {
                if let ItemKind::Entry { kind, name, .. } = &item.kind
                    && !self.paths.contains_key(file)
                {
                    blocks.entry((kind.text.clone(), name.text.clone())).or_insert((at, index));
                }
            }
        }
        for at in 0..files.len() {
            let Some((_, tree)) = files.get_mut(at).filter(|(file, _)| self.paths.contains_key(file)) else { continue };
            let mut rows = std::mem::take(&mut tree.items);
            rows.retain_mut(|row| {
                let ItemKind::Entry { kind, name, fields } = &mut row.kind else { return true };
                // A second row of the name is one too many.
                let Some((at, index)) = blocks.remove(&(kind.text.clone(), name.text.clone())) else { return true };
                let block = files.get_mut(at).and_then(|(_, tree)| tree.items.get_mut(index));
                let Some(ItemKind::Entry { kind: of, name: named, fields: more }) = block.map(|item| &mut item.kind)
                else {
                    return true;
                };
                self.twins.extend([(name.span, named.span), (kind.span, of.span)]);
                let fields: Vec<EntryField> = std::mem::take(fields);
                more.splice(0..0, fields);
                false
            });
            if let Some((_, tree)) = files.get_mut(at) {
                tree.items = rows;
            }
        }
    }
}

impl Loader<'_> {
    /// Reads the tables that the items of a package name. `all` are the package's files.
    pub(super) fn tables(&mut self, world: &dyn World, all: &[String], files: &mut Vec<(FileId, File)>) {
        files.iter().for_each(|(_, file)| self.sheets.fields.learn(file));
        let named = files.iter().flat_map(|(_, file)| &file.items).filter_map(|item| match &item.kind {
            ItemKind::Cards { of, file } => Some((of.clone(), file.clone())),
            _ => None,
        });
        let named: Vec<(Option<Ident>, Ident)> = named.collect();
        let mut seen: BTreeMap<String, Span> = BTreeMap::new();
        for (of, path) in named {
            if let Some(first) = seen.insert(path.text.clone(), path.span) {
                let found = Diagnostic::new(Code::BadTable, path.span, format!("`{}` is read twice", path.text));
                self.diagnostics.push(found.label(first, "the first time").help("leave one out"));
                continue;
            }
            let file = match self.table(world, &path) {
                Ok(file) => file,
                Err(found) => {
                    let tables = all.iter().map(String::as_str).filter(|path| is_table(path) && *path != MANIFEST);
                    let found = match found.code {
                        Code::MissingFile => found.suggest(&path.text, tables),
                        _ => *found,
                    };
                    self.diagnostics.push(found);
                    self.gaps.whole = true;
                    continue;
                }
            };
            let named = Named { path: &path, of: of.as_ref(), fields: &self.sheets.fields };
            let (tree, found) = parse_table(file, self.sources.text(file), named);
            self.diagnostics.extend(found);
            self.sheets.paths.insert(file, path.text);
            files.push((file, tree));
        }
        self.sheets.join(files);
    }

    fn table(&mut self, world: &dyn World, path: &Ident) -> Result<FileId, Box<Diagnostic>> {
        if !is_table(&path.text) || path.text == MANIFEST {
            let found = Diagnostic::new(Code::BadTable, path.span, format!("`{}` is no table", path.text));
            return Err(Box::new(found.help("a table is a `.csv` or `.toml` file of this package")));
        }
        self.read(world, &path.text)
            .map_err(|error: WorldError| Box::new(Diagnostic::new(error.code(), path.span, error.to_string())))
    }
}
