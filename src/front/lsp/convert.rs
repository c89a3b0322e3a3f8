//! Between what `ide` says and the shapes of the protocol.

use crate::base::Severity;
use crate::ide::found::Found;
use crate::ide::shades::{Shade, Shaded};
use crate::ide::{Edit, Lines, Location, Position, Workspace};
use crate::model::index::Sort;
use lsp_types as lsp;
use std::collections::BTreeMap;
use std::collections::HashMap;
use std::ops::Range;
use std::path::{Path, PathBuf};

/// What the server can do.
pub fn capabilities() -> lsp::ServerCapabilities {
    lsp::ServerCapabilities {
        text_document_sync: Some(lsp::TextDocumentSyncCapability::Options(lsp::TextDocumentSyncOptions {
            open_close: Some(true),
            change: Some(lsp::TextDocumentSyncKind::INCREMENTAL),
            save: Some(lsp::TextDocumentSyncSaveOptions::Supported(true)),
            ..lsp::TextDocumentSyncOptions::default()
        })),
        document_formatting_provider: Some(lsp::OneOf::Left(true)),
        folding_range_provider: Some(lsp::FoldingRangeProviderCapability::Simple(true)),
        document_symbol_provider: Some(lsp::OneOf::Left(true)),
        workspace_symbol_provider: Some(lsp::OneOf::Left(true)),
        definition_provider: Some(lsp::OneOf::Left(true)),
        references_provider: Some(lsp::OneOf::Left(true)),
        document_highlight_provider: Some(lsp::OneOf::Left(true)),
        hover_provider: Some(lsp::HoverProviderCapability::Simple(true)),
        semantic_tokens_provider: Some(lsp::SemanticTokensServerCapabilities::SemanticTokensOptions(
            lsp::SemanticTokensOptions {
                legend: lsp::SemanticTokensLegend {
                    token_types: SHADES.iter().map(|shade| lsp::SemanticTokenType::new(shade)).collect(),
                    token_modifiers: vec![lsp::SemanticTokenModifier::DECLARATION],
                },
                full: Some(lsp::SemanticTokensFullOptions::Bool(true)),
                ..lsp::SemanticTokensOptions::default()
            },
        )),
        completion_provider: Some(lsp::CompletionOptions {
            trigger_characters: Some([".", "\"", "{"].map(str::to_owned).to_vec()),
            ..lsp::CompletionOptions::default()
        }),
        signature_help_provider: Some(lsp::SignatureHelpOptions {
            trigger_characters: Some(["(", ",", " "].map(str::to_owned).to_vec()),
            ..lsp::SignatureHelpOptions::default()
        }),
        rename_provider: Some(lsp::OneOf::Right(lsp::RenameOptions {
            prepare_provider: Some(true),
            work_done_progress_options: lsp::WorkDoneProgressOptions::default(),
        })),
        code_action_provider: Some(lsp::CodeActionProviderCapability::Options(lsp::CodeActionOptions {
            code_action_kinds: Some(vec![lsp::CodeActionKind::QUICKFIX, lsp::CodeActionKind::SOURCE_FIX_ALL]),
            ..lsp::CodeActionOptions::default()
        })),
        inlay_hint_provider: Some(lsp::OneOf::Left(true)),
        code_lens_provider: Some(lsp::CodeLensOptions { resolve_provider: Some(false) }),
        ..lsp::ServerCapabilities::default()
    }
}

/// The names of shades, as editors know them.
const SHADES: [&str; 14] = [
    "keyword",
    "number",
    "string",
    "comment",
    "type",
    "enumMember",
    "property",
    "variable",
    "parameter",
    "function",
    "method",
    "event",
    "class",
    "namespace",
];

fn shade(shade: Shade) -> u32 {
    let name = match shade {
        Shade::Keyword | Shade::Name(Sort::BuiltIn) => "keyword",
        Shade::Number => "number",
        Shade::Text => "string",
        Shade::Comment => "comment",
        Shade::Name(sort) => match sort {
            Sort::Kind | Sort::Enum | Sort::Type | Sort::Board => "type",
            Sort::Value | Sort::Word => "enumMember",
            Sort::Field | Sort::Counter | Sort::Mark | Sort::Stat | Sort::Link => "property",
            Sort::Zone | Sort::Option | Sort::Local => "variable",
            Sort::Parameter => "parameter",
            Sort::Define | Sort::Function | Sort::Script => "function",
            Sort::Verb | Sort::Action => "method",
            Sort::Window | Sort::Span => "event",
            Sort::Entry => "class",
            Sort::Rule => "namespace",
            Sort::BuiltIn => "keyword",
        },
    };
    SHADES.iter().position(|known| *known == name).unwrap_or(0) as u32
}

/// Shades, each told from where the one before it stands.
pub fn semantic_tokens(shaded: &[Shaded]) -> Vec<lsp::SemanticToken> {
    let mut last = Position::default();
    let mut tokens = Vec::with_capacity(shaded.len());
    for each in shaded {
        let delta_line = each.at.line - last.line;
        let delta_start = if delta_line == 0 { each.at.column - last.column } else { each.at.column };
        last = each.at;
        tokens.push(lsp::SemanticToken {
            delta_line,
            delta_start,
            length: each.length,
            token_type: shade(each.shade),
            token_modifiers_bitset: u32::from(each.declares),
        });
    }
    tokens
}

/// What sort of symbol something is, as editors know them.
pub fn symbol_kind(sort: Option<Sort>) -> lsp::SymbolKind {
    match sort {
        Some(Sort::Enum) => lsp::SymbolKind::ENUM,
        Some(Sort::Value) => lsp::SymbolKind::ENUM_MEMBER,
        Some(Sort::Option) => lsp::SymbolKind::CONSTANT,
        Some(Sort::Kind) => lsp::SymbolKind::CLASS,
        Some(Sort::Field) => lsp::SymbolKind::FIELD,
        Some(Sort::Counter | Sort::Mark | Sort::Stat | Sort::Link) => lsp::SymbolKind::PROPERTY,
        Some(Sort::Zone | Sort::Local | Sort::Parameter) => lsp::SymbolKind::VARIABLE,
        Some(Sort::Board) => lsp::SymbolKind::ARRAY,
        Some(Sort::Define | Sort::Script | Sort::Function) => lsp::SymbolKind::FUNCTION,
        Some(Sort::Verb | Sort::Action) => lsp::SymbolKind::METHOD,
        Some(Sort::Window | Sort::Span) => lsp::SymbolKind::EVENT,
        Some(Sort::Rule) => lsp::SymbolKind::NAMESPACE,
        Some(Sort::Entry) => lsp::SymbolKind::OBJECT,
        Some(Sort::Type) => lsp::SymbolKind::STRUCT,
        Some(Sort::BuiltIn | Sort::Word) | None => lsp::SymbolKind::MODULE,
    }
}

/// What sort of completion something is.
pub fn completion_kind(sort: Option<Sort>) -> lsp::CompletionItemKind {
    match sort {
        None => lsp::CompletionItemKind::KEYWORD,
        Some(Sort::Enum) => lsp::CompletionItemKind::ENUM,
        Some(Sort::Value | Sort::Word) => lsp::CompletionItemKind::ENUM_MEMBER,
        Some(Sort::Option | Sort::BuiltIn) => lsp::CompletionItemKind::CONSTANT,
        Some(Sort::Kind) => lsp::CompletionItemKind::CLASS,
        Some(Sort::Field) => lsp::CompletionItemKind::FIELD,
        Some(Sort::Counter | Sort::Mark | Sort::Stat | Sort::Link) => lsp::CompletionItemKind::PROPERTY,
        Some(Sort::Zone | Sort::Local | Sort::Parameter | Sort::Board) => lsp::CompletionItemKind::VARIABLE,
        Some(Sort::Define | Sort::Script | Sort::Function) => lsp::CompletionItemKind::FUNCTION,
        Some(Sort::Verb | Sort::Action) => lsp::CompletionItemKind::METHOD,
        Some(Sort::Window | Sort::Span) => lsp::CompletionItemKind::EVENT,
        Some(Sort::Rule) => lsp::CompletionItemKind::MODULE,
        Some(Sort::Entry) => lsp::CompletionItemKind::VALUE,
        Some(Sort::Type) => lsp::CompletionItemKind::STRUCT,
    }
}

/// A position as `ide` has it.
pub fn position_of(position: lsp::Position) -> Position {
    Position { line: position.line, column: position.character }
}

fn lsp_position(position: Position) -> lsp::Position {
    lsp::Position { line: position.line, character: position.column }
}

/// A stretch of a text as the protocol has it.
pub fn range_in(text: &str, lines: &Lines, range: &Range<usize>) -> lsp::Range {
    lsp::Range {
        start: lsp_position(lines.position(text, range.start)),
        end: lsp_position(lines.position(text, range.end)),
    }
}

/// Places in files, as the protocol has them. The texts of files are looked up once.
pub struct Places<'a> {
    workspace: &'a Workspace,
    uris: &'a BTreeMap<PathBuf, lsp::Uri>,
    texts: HashMap<PathBuf, Option<(String, Lines)>>,
}

impl<'a> Places<'a> {
    /// Places in the files of a workspace, under the addresses that the editor gave them.
    pub fn new(workspace: &'a Workspace, uris: &'a BTreeMap<PathBuf, lsp::Uri>) -> Places<'a> {
        Places { workspace, uris, texts: HashMap::new() }
    }

    /// The address of a file.
    pub fn uri(&self, path: &Path) -> Option<lsp::Uri> {
        self.uris.get(path).cloned().or_else(|| super::paths::uri_of(path))
    }

    /// The stretch of a file.
    pub fn range(&mut self, at: &Location) -> Option<lsp::Range> {
        let workspace = self.workspace;
        let read = || workspace.text(&at.path).map(|text| (Lines::of(&text), text)).map(|(lines, text)| (text, lines));
        let (text, lines) = self.texts.entry(at.path.clone()).or_insert_with(read).as_ref()?;
        Some(range_in(text, lines, &at.range()))
    }

    /// A place.
    pub fn location(&mut self, at: &Location) -> Option<lsp::Location> {
        Some(lsp::Location { uri: self.uri(&at.path)?, range: self.range(at)? })
    }

    /// Something that is wrong.
    pub fn diagnostic(&mut self, found: &Found) -> Option<lsp::Diagnostic> {
        let info = found.code.info();
        let others: Vec<lsp::DiagnosticRelatedInformation> = found
            .others
            .iter()
            .filter_map(|(at, message)| {
                Some(lsp::DiagnosticRelatedInformation { location: self.location(at)?, message: message.clone() })
            })
            .collect();
        Some(lsp::Diagnostic {
            range: self.range(&found.at)?,
            severity: Some(match info.severity {
                Severity::Error => lsp::DiagnosticSeverity::ERROR,
                Severity::Warning => lsp::DiagnosticSeverity::WARNING,
            }),
            code: Some(lsp::NumberOrString::String(info.text.to_owned())),
            source: Some("cardwright".to_owned()),
            message: found.message.clone(),
            related_information: (!others.is_empty()).then_some(others),
            ..lsp::Diagnostic::default()
        })
    }

    /// Changes of files.
    pub fn edits(&mut self, edits: &[Edit]) -> lsp::WorkspaceEdit {
        // The protocol wants a map; nothing depends on its order.
        #[allow(clippy::mutable_key_type, reason = "an address is never changed")]
        let mut changes: HashMap<lsp::Uri, Vec<lsp::TextEdit>> = HashMap::new();
        for edit in edits {
            if let (Some(uri), Some(range)) = (self.uri(&edit.at.path), self.range(&edit.at)) {
                changes.entry(uri).or_default().push(lsp::TextEdit { range, new_text: edit.text.clone() });
            }
        }
        lsp::WorkspaceEdit { changes: Some(changes), ..lsp::WorkspaceEdit::default() }
    }
}
