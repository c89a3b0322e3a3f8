//! The answer to each request.

use super::convert::{self, Places, position_of, range_in};
use super::paths::path_of;
use crate::ide::found::{Depth, Found, found};
use crate::ide::mend::{Change, in_vain};
use crate::ide::outline::Symbol;
use crate::ide::{Edit, Lines, Location, Workspace, apply};
use crate::ide::{complete, hints, hover, navigate, outline, rename, shades, signature};
use lsp_server::Request;
use lsp_types as lsp;
use lsp_types::request::{self as requests, Request as _};
use serde::de::DeserializeOwned;
use serde::{Serialize, de::Error as _};
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// What comes of a request, or why nothing does.
type Answer = Result<Value, String>;

/// The code action that makes all certain mends.
const FIX_ALL: &str = "Mend everything that is certain";

/// Answers requests from the texts as they are.
pub struct Answers<'a> {
    pub workspace: &'a mut Workspace,
    pub uris: &'a BTreeMap<PathBuf, lsp::Uri>,
}

/// A place that a request is about.
struct Asked {
    path: PathBuf,
    text: String,
    lines: Lines,
    offset: usize,
}

impl Answers<'_> {
    /// The answer to a request; none to one that there is not.
    pub fn to(&mut self, request: &Request) -> Option<Answer> {
        let params = &request.params;
        Some(match request.method.as_str() {
            requests::Formatting::METHOD => with(params, |params| self.formatting(&params)),
            requests::FoldingRangeRequest::METHOD => with(params, |params| self.folding(&params)),
            requests::DocumentSymbolRequest::METHOD => with(params, |params| self.symbols(&params)),
            requests::WorkspaceSymbolRequest::METHOD => with(params, |params| self.all_symbols(&params)),
            requests::GotoDefinition::METHOD => with(params, |params| self.definition(&params)),
            requests::References::METHOD => with(params, |params| self.references(&params)),
            requests::DocumentHighlightRequest::METHOD => with(params, |params| self.highlights(&params)),
            requests::HoverRequest::METHOD => with(params, |params| self.hover(&params)),
            requests::SemanticTokensFullRequest::METHOD => with(params, |params| self.shades(&params)),
            requests::Completion::METHOD => with(params, |params| self.completion(&params)),
            requests::SignatureHelpRequest::METHOD => with(params, |params| self.signature(&params)),
            requests::PrepareRenameRequest::METHOD => with(params, |params| self.prepare_rename(&params)),
            requests::Rename::METHOD => with(params, |params| self.rename(&params)),
            requests::CodeActionRequest::METHOD => with(params, |params| self.actions(&params)),
            requests::InlayHintRequest::METHOD => with(params, |params| self.hints(&params)),
            requests::CodeLensRequest::METHOD => with(params, |params| self.lenses(&params)),
            _ => return None,
        })
    }

    fn file(&self, document: &lsp::TextDocumentIdentifier) -> Result<(PathBuf, String), String> {
        let path = path_of(&document.uri).ok_or("only files can be asked about")?;
        let text = self.workspace.text(&path).ok_or_else(|| format!("`{}` cannot be read", path.display()))?;
        Ok((path, text))
    }

    fn place(&self, at: &lsp::TextDocumentPositionParams) -> Result<Asked, String> {
        let (path, text) = self.file(&at.text_document)?;
        let lines = Lines::of(&text);
        let offset = lines.offset(&text, position_of(at.position));
        Ok(Asked { path, text, lines, offset })
    }

    fn places(&self) -> Places<'_> {
        Places::new(self.workspace, self.uris)
    }

    fn locations(&self, found: &[Location]) -> Vec<lsp::Location> {
        let mut places = self.places();
        found.iter().filter_map(|at| places.location(at)).collect()
    }

    fn formatting(&mut self, params: &lsp::DocumentFormattingParams) -> Answer {
        let (path, text) = self.file(&params.text_document)?;
        if !is_ours(&path) {
            return given(None::<Vec<lsp::TextEdit>>);
        }
        // What cannot be read stays as it is; what is wrong with it is shown already.
        let Ok(formatted) = crate::syntax::format(&text) else { return given(None::<Vec<lsp::TextEdit>>) };
        let range = range_in(&text, &Lines::of(&text), &(0..text.len()));
        let edits = if formatted == text { Vec::new() } else { vec![lsp::TextEdit { range, new_text: formatted }] };
        given(edits)
    }

    fn folding(&mut self, params: &lsp::FoldingRangeParams) -> Answer {
        let (path, text) = self.file(&params.text_document)?;
        let folds = if is_ours(&path) { outline::folds(&text) } else { Vec::new() };
        let fold = |(first, last, comment): (usize, usize, bool)| lsp::FoldingRange {
            start_line: first as u32,
            end_line: last as u32,
            kind: Some(if comment { lsp::FoldingRangeKind::Comment } else { lsp::FoldingRangeKind::Region }),
            ..lsp::FoldingRange::default()
        };
        given(folds.into_iter().map(fold).collect::<Vec<_>>())
    }

    fn symbols(&mut self, params: &lsp::DocumentSymbolParams) -> Answer {
        let (path, text) = self.file(&params.text_document)?;
        let lines = Lines::of(&text);
        let found = if is_ours(&path) { outline::symbols(&text) } else { Vec::new() };
        given(found.iter().map(|each| document_symbol(&text, &lines, each)).collect::<Vec<_>>())
    }

    fn all_symbols(&mut self, params: &lsp::WorkspaceSymbolParams) -> Answer {
        let found = navigate::symbols(self.workspace, &params.query);
        let mut places = self.places();
        let symbol = |(at, declaration): (Location, crate::model::index::Declaration)| {
            Some(serde_json::json!({
                "name": declaration.name,
                "kind": convert::symbol_kind(Some(declaration.sort)),
                "location": places.location(&at)?,
                "containerName": declaration.of,
            }))
        };
        given(found.into_iter().filter_map(symbol).collect::<Vec<Value>>())
    }

    fn definition(&mut self, params: &lsp::GotoDefinitionParams) -> Answer {
        let at = self.place(&params.text_document_position_params)?;
        let found = navigate::definition(self.workspace, &at.path, at.offset);
        given(self.locations(&found))
    }

    fn references(&mut self, params: &lsp::ReferenceParams) -> Answer {
        let at = self.place(&params.text_document_position)?;
        let declaration = params.context.include_declaration;
        let found = navigate::references(self.workspace, &at.path, at.offset, declaration);
        given(self.locations(&found))
    }

    fn highlights(&mut self, params: &lsp::DocumentHighlightParams) -> Answer {
        let at = self.place(&params.text_document_position_params)?;
        let found = navigate::highlights(self.workspace, &at.path, at.offset);
        let highlight = |(place, declares): (Location, bool)| lsp::DocumentHighlight {
            range: range_in(&at.text, &at.lines, &place.range()),
            kind: Some(if declares { lsp::DocumentHighlightKind::WRITE } else { lsp::DocumentHighlightKind::READ }),
        };
        given(found.into_iter().map(highlight).collect::<Vec<_>>())
    }

    fn hover(&mut self, params: &lsp::HoverParams) -> Answer {
        let at = self.place(&params.text_document_position_params)?;
        let found = hover::hover(self.workspace, &at.path, at.offset);
        given(found.map(|(place, value)| lsp::Hover {
            contents: lsp::HoverContents::Markup(lsp::MarkupContent { kind: lsp::MarkupKind::Markdown, value }),
            range: Some(range_in(&at.text, &at.lines, &place.range())),
        }))
    }

    fn shades(&mut self, params: &lsp::SemanticTokensParams) -> Answer {
        let (path, _) = self.file(&params.text_document)?;
        let shaded = if is_ours(&path) { shades::shades(self.workspace, &path) } else { Vec::new() };
        given(lsp::SemanticTokens { result_id: None, data: convert::semantic_tokens(&shaded) })
    }

    fn completion(&mut self, params: &lsp::CompletionParams) -> Answer {
        let at = self.place(&params.text_document_position)?;
        if !is_ours(&at.path) {
            return given(Vec::<lsp::CompletionItem>::new());
        }
        let found = complete::completions(self.workspace, &at.path, at.offset);
        let range = range_in(&at.text, &at.lines, &found.replaces);
        let item = |(place, item): (usize, &complete::Completion)| lsp::CompletionItem {
            label: item.label.clone(),
            kind: Some(convert::completion_kind(item.sort)),
            detail: (!item.detail.is_empty()).then(|| item.detail.clone()),
            documentation: (!item.doc.is_empty()).then(|| lsp::Documentation::String(item.doc.clone())),
            sort_text: Some(format!("{place:05}")),
            text_edit: Some(lsp::CompletionTextEdit::Edit(lsp::TextEdit { range, new_text: item.label.clone() })),
            ..lsp::CompletionItem::default()
        };
        given(found.items.iter().enumerate().map(item).collect::<Vec<_>>())
    }

    fn signature(&mut self, params: &lsp::SignatureHelpParams) -> Answer {
        let at = self.place(&params.text_document_position_params)?;
        let found = signature::signatures(self.workspace, &at.path, at.offset);
        if found.is_empty() {
            return given(None::<lsp::SignatureHelp>);
        }
        // Of several forms the first that has room for what is being given.
        let best = found.iter().position(|signature| signature.active.is_some()).unwrap_or(0);
        let part = |part: &String| lsp::ParameterInformation {
            label: lsp::ParameterLabel::Simple(part.clone()),
            documentation: None,
        };
        let signatures = found.iter().map(|signature| lsp::SignatureInformation {
            label: signature.label.clone(),
            documentation: (!signature.doc.is_empty()).then(|| lsp::Documentation::String(signature.doc.clone())),
            parameters: Some(signature.parts.iter().map(part).collect()),
            active_parameter: signature.active.map(|active| active as u32),
        });
        given(lsp::SignatureHelp {
            signatures: signatures.collect(),
            active_signature: Some(best as u32),
            active_parameter: found.get(best).and_then(|it| it.active).map(|active| active as u32),
        })
    }

    fn prepare_rename(&mut self, params: &lsp::TextDocumentPositionParams) -> Answer {
        let at = self.place(params)?;
        let (place, placeholder) = rename::prepare(self.workspace, &at.path, at.offset)?;
        let range = range_in(&at.text, &at.lines, &place.range());
        given(lsp::PrepareRenameResponse::RangeWithPlaceholder { range, placeholder })
    }

    fn rename(&mut self, params: &lsp::RenameParams) -> Answer {
        let at = self.place(&params.text_document_position)?;
        let edits = rename::rename(self.workspace, &at.path, at.offset, params.new_name.trim())?;
        given(self.places().edits(&edits))
    }

    fn actions(&mut self, params: &lsp::CodeActionParams) -> Answer {
        let (path, text) = self.file(&params.text_document)?;
        let lines = Lines::of(&text);
        let start = lines.offset(&text, position_of(params.range.start));
        let end = lines.offset(&text, position_of(params.range.end));
        let files = found(self.workspace, &path, Depth::Texts);
        let here: Vec<&Found> = files.get(&path).into_iter().flatten().collect();
        let mut actions = Vec::new();
        for found in here.iter().filter(|found| found.at.start <= end && start <= found.at.end) {
            actions.extend(self.action(found));
        }
        let mut changes: Vec<Change> =
            here.iter().filter_map(|found| found.mend.clone().filter(|mend| mend.certain)).collect();
        if !changes.is_empty() {
            let own = changes.iter().flat_map(|change| &change.edits).filter(|edit| edit.at.path == path);
            let new = apply(&text, own.map(|edit| (edit.at.range(), edit.text.as_str())));
            let after = self.workspace.try_text(&path, new.clone());
            let vain = in_vain(&changes, &BTreeMap::from([(path.clone(), new)]), after.iter().map(AsRef::as_ref));
            changes.retain(|change| !vain.contains(change));
        }
        let certain: Vec<Edit> = changes.into_iter().flat_map(|change| change.edits).collect();
        if !certain.is_empty() {
            actions.push(lsp::CodeAction {
                title: FIX_ALL.to_owned(),
                kind: Some(lsp::CodeActionKind::SOURCE_FIX_ALL),
                edit: Some(self.places().edits(&certain)),
                ..lsp::CodeAction::default()
            });
        }
        given(actions)
    }

    fn action(&self, found: &Found) -> Option<lsp::CodeAction> {
        let mend = found.mend.as_ref()?;
        let mut places = self.places();
        Some(lsp::CodeAction {
            title: mend.title.clone(),
            kind: Some(lsp::CodeActionKind::QUICKFIX),
            diagnostics: places.diagnostic(found).map(|diagnostic| vec![diagnostic]),
            is_preferred: Some(mend.certain),
            edit: Some(places.edits(&mend.edits)),
            ..lsp::CodeAction::default()
        })
    }

    fn hints(&mut self, params: &lsp::InlayHintParams) -> Answer {
        let (path, text) = self.file(&params.text_document)?;
        let lines = Lines::of(&text);
        let start = lines.offset(&text, position_of(params.range.start));
        let end = lines.offset(&text, position_of(params.range.end));
        let found = hints::types(self.workspace, &path, start..end + 1);
        let hint = |(offset, label): (usize, String)| lsp::InlayHint {
            position: range_in(&text, &lines, &(offset..offset)).start,
            label: lsp::InlayHintLabel::String(label),
            kind: Some(lsp::InlayHintKind::TYPE),
            text_edits: None,
            tooltip: None,
            padding_left: None,
            padding_right: None,
            data: None,
        };
        given(found.into_iter().map(hint).collect::<Vec<_>>())
    }

    fn lenses(&mut self, params: &lsp::CodeLensParams) -> Answer {
        let (path, text) = self.file(&params.text_document)?;
        let lines = Lines::of(&text);
        let lens = |lens: hints::Lens| lsp::CodeLens {
            range: range_in(&text, &lines, &lens.at),
            command: Some(lsp::Command {
                title: lens.title.to_owned(),
                command: lens.command.to_owned(),
                arguments: Some(vec![Value::from(path.to_string_lossy()), Value::from(lens.scenario)]),
            }),
            data: None,
        };
        let found = if is_ours(&path) { hints::lenses(&text) } else { Vec::new() };
        given(found.into_iter().map(lens).collect::<Vec<_>>())
    }
}

/// Whether a file is in the language, and not a manifest or script.
fn is_ours(path: &Path) -> bool {
    path.extension().is_some_and(|ending| ["rules", "cards", "scenario"].iter().any(|ours| ending == *ours))
}

fn document_symbol(text: &str, lines: &Lines, symbol: &Symbol) -> lsp::DocumentSymbol {
    // Texts may be empty, and names of symbols may not.
    let name = if symbol.name.is_empty() { "?".to_owned() } else { symbol.name.clone() };
    #[allow(deprecated, reason = "the protocol's own field, which has to be given")]
    lsp::DocumentSymbol {
        name,
        detail: (!symbol.detail.is_empty()).then(|| symbol.detail.clone()),
        kind: convert::symbol_kind(symbol.sort),
        tags: None,
        deprecated: None,
        range: range_in(text, lines, &symbol.whole),
        selection_range: range_in(text, lines, &symbol.named),
        children: Some(symbol.parts.iter().map(|part| document_symbol(text, lines, part)).collect()),
    }
}

fn with<P: DeserializeOwned>(params: &Value, answer: impl FnOnce(P) -> Answer) -> Answer {
    answer(P::deserialize(params).map_err(|error| format!("this is no such request: {error}"))?)
}

fn given(result: impl Serialize) -> Answer {
    serde_json::to_value(result).map_err(|error| serde_json::Error::custom(error).to_string())
}
