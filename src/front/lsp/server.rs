//! The server's loop: what the editor says of its files is taken in first, then requests are answered from the texts as they
//! are, and when nothing more has come what is wrong is reported.

use super::answers::Answers;
use super::convert;
use super::paths::{path_of, real};
use crate::base::Severity;
use crate::ide::found::{self, Depth, Found};
use crate::ide::{Lines, Workspace, apply};
use lsp_server::{Connection, ErrorCode, Message, Notification, ProtocolError, Request, Response};
use lsp_types::notification::{
    DidChangeTextDocument, DidChangeWatchedFiles, DidCloseTextDocument, DidOpenTextDocument, DidSaveTextDocument,
    Notification as _, PublishDiagnostics,
};
use lsp_types::{
    DidChangeTextDocumentParams, DidChangeWatchedFilesParams, DidCloseTextDocumentParams, DidOpenTextDocumentParams,
    DidSaveTextDocumentParams, PublishDiagnosticsParams, TextDocumentContentChangeEvent, Uri,
};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::time::Duration;

/// How long nothing must have come until what takes longer is looked for, too: warnings and scenarios, then what is only found
/// when everything is compiled.
const SHORT_REST: Duration = Duration::from_millis(60);
const REST: Duration = Duration::from_millis(400);

/// What the server can do, as the protocol wants to hear it.
pub fn greeting() -> Value {
    json!({
        "capabilities": convert::capabilities(),
        "serverInfo": { "name": "cardwright", "version": env!("CARGO_PKG_VERSION") },
    })
}

/// The server at work.
pub struct Server<'a> {
    connection: &'a Connection,
    workspace: Workspace,
    /// The addresses that the editor gave to files.
    uris: BTreeMap<PathBuf, Uri>,
    /// Files whose packages are to be checked.
    changed: BTreeSet<PathBuf>,
    /// Files whose packages are to be looked at more closely when there is time, and how closely.
    unproved: BTreeMap<PathBuf, Depth>,
    /// What the editor was told of each file.
    told: BTreeMap<PathBuf, Vec<Found>>,
}

impl<'a> Server<'a> {
    /// A server for the folders that the editor has open.
    pub fn new(connection: &'a Connection, params: &Value) -> Server<'a> {
        let folders = params.get("workspaceFolders").and_then(Value::as_array).cloned().unwrap_or_default();
        let folders = folders.iter().filter_map(|folder| folder.get("uri")).chain(params.get("rootUri"));
        let roots: BTreeSet<PathBuf> = folders.filter_map(|uri| path_of(&Uri::from_str(uri.as_str()?).ok()?)).collect();
        Server {
            connection,
            workspace: Workspace::new(roots.into_iter().collect()),
            uris: BTreeMap::new(),
            changed: BTreeSet::new(),
            unproved: BTreeMap::new(),
            told: BTreeMap::new(),
        }
    }

    /// Answers until the editor says that it is over, or goes away.
    pub fn run(mut self) -> Result<(), ProtocolError> {
        loop {
            let receiver = &self.connection.receiver;
            let message = if self.unproved.is_empty() {
                receiver.recv().ok()
            } else {
                let soon = self.unproved.values().any(|depth| *depth == Depth::Texts);
                match receiver.recv_timeout(if soon { SHORT_REST } else { REST }) {
                    Ok(message) => Some(message),
                    Err(_) if receiver.is_empty() => {
                        self.look_closer();
                        continue;
                    }
                    Err(_) => None,
                }
            };
            match message {
                None => return Ok(()),
                Some(Message::Request(request)) => {
                    if self.connection.handle_shutdown(&request)? {
                        return Ok(());
                    }
                    self.answer(request);
                }
                Some(Message::Notification(notification)) => self.hear(notification),
                Some(Message::Response(_)) => {}
            }
            if self.connection.receiver.is_empty() && !self.changed.is_empty() {
                for path in std::mem::take(&mut self.changed) {
                    // Scenarios are not in the sketch.
                    let scenario = path.extension().is_some_and(|ending| ending == "scenario");
                    let (now, then) = match scenario {
                        true => (Depth::Texts, Depth::Whole),
                        false => (Depth::Sketch, Depth::Texts),
                    };
                    self.report(&path, now);
                    self.unproved.insert(path, then);
                }
            }
        }
    }

    /// Looks more closely at one of the files that were changed: at the least closely seen first.
    fn look_closer(&mut self) {
        let next = self.unproved.iter().min_by_key(|(_, depth)| **depth).map(|(path, depth)| (path.clone(), *depth));
        let Some((path, depth)) = next else { return };
        self.report(&path, depth);
        if depth == Depth::Texts {
            self.unproved.insert(path, Depth::Whole);
        } else {
            self.unproved.remove(&path);
        }
    }

    /// Answers a request. One that fails because of a mistake of ours is answered, too: the next may succeed.
    fn answer(&mut self, request: Request) {
        let id = request.id.clone();
        let mut answers = Answers { workspace: &mut self.workspace, uris: &self.uris };
        let answered = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| answers.to(&request)));
        let response = match answered {
            Ok(Some(Ok(result))) => Response::new_ok(id, result),
            Ok(Some(Err(message))) => Response::new_err(id, ErrorCode::RequestFailed as i32, message),
            Ok(None) => {
                let message = format!("there is no request `{}`", request.method);
                Response::new_err(id, ErrorCode::MethodNotFound as i32, message)
            }
            Err(_) => {
                let message = format!("`{}` has failed because of a mistake in cardwright", request.method);
                Response::new_err(id, ErrorCode::InternalError as i32, message)
            }
        };
        self.send(Message::Response(response));
    }

    fn send(&self, message: Message) {
        // An editor that has gone away is noticed when nothing more comes from it.
        let _ = self.connection.sender.send(message);
    }

    fn hear(&mut self, notification: Notification) {
        let Notification { method, params } = notification;
        match method.as_str() {
            DidOpenTextDocument::METHOD => {
                if let Ok(params) = serde_json::from_value::<DidOpenTextDocumentParams>(params) {
                    let document = params.text_document;
                    let Some(path) = path_of(&document.uri) else { return };
                    self.uris.insert(path.clone(), document.uri);
                    self.workspace.edit(&path, document.text);
                    self.changed.insert(path);
                }
            }
            DidChangeTextDocument::METHOD => {
                if let Ok(params) = serde_json::from_value::<DidChangeTextDocumentParams>(params) {
                    let Some(path) = path_of(&params.text_document.uri) else { return };
                    let text = self.workspace.text(&path).unwrap_or_default();
                    self.workspace.edit(&path, params.content_changes.into_iter().fold(text, changed));
                    self.changed.insert(path);
                }
            }
            DidCloseTextDocument::METHOD => {
                if let Ok(params) = serde_json::from_value::<DidCloseTextDocumentParams>(params) {
                    let Some(path) = path_of(&params.text_document.uri) else { return };
                    self.workspace.close(&path);
                    self.changed.insert(path);
                }
            }
            DidSaveTextDocument::METHOD => {
                if let Ok(params) = serde_json::from_value::<DidSaveTextDocumentParams>(params) {
                    self.changed.extend(path_of(&params.text_document.uri));
                }
            }
            DidChangeWatchedFiles::METHOD => {
                if let Ok(params) = serde_json::from_value::<DidChangeWatchedFilesParams>(params) {
                    for path in params.changes.iter().filter_map(|change| path_of(&change.uri)) {
                        self.workspace.touch(&path);
                        self.changed.insert(path);
                    }
                }
            }
            _ => {}
        }
    }

    /// Says what is wrong with the packages of a file, as far as it is not what was said last.
    fn report(&mut self, path: &Path, depth: Depth) {
        if depth == Depth::Whole && self.workspace.is_whole(path) {
            return;
        }
        let workspace = &mut self.workspace;
        let found = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| found::found(workspace, path, depth)));
        for (path, found) in found.unwrap_or_default() {
            if depth > Depth::Sketch || self.has_other_errors(&path, &found) {
                self.tell(&path, found);
            }
        }
    }

    /// Whether the errors of a file are others than those that were told. Else the warnings that were told stay until all has
    /// been looked at.
    fn has_other_errors(&self, path: &Path, found: &[Found]) -> bool {
        let is_error = |found: &&Found| found.code.severity() == Severity::Error;
        let told = self.told.get(path).map_or(&[][..], Vec::as_slice);
        !told.iter().filter(is_error).eq(found.iter().filter(is_error))
    }

    fn tell(&mut self, path: &Path, found: Vec<Found>) {
        if self.told.get(path).map_or(found.is_empty(), |told| *told == found) {
            return;
        }
        let path = real(path);
        let Some(uri) = self.uris.get(&path).cloned().or_else(|| super::paths::uri_of(&path)) else { return };
        let mut places = convert::Places::new(&self.workspace, &self.uris);
        let diagnostics = found.iter().filter_map(|found| places.diagnostic(found)).collect();
        let params = PublishDiagnosticsParams { uri, diagnostics, version: None };
        self.told.insert(path, found);
        self.send(Message::Notification(Notification::new(PublishDiagnostics::METHOD.to_owned(), params)));
    }
}

/// A text after one change.
fn changed(text: String, change: TextDocumentContentChangeEvent) -> String {
    let Some(range) = change.range else { return change.text };
    let lines = Lines::of(&text);
    let at = |position| lines.offset(&text, convert::position_of(position));
    let (start, end) = (at(range.start), at(range.end));
    apply(&text, [(start..end.max(start), change.text.as_str())])
}

#[cfg(test)]
mod tests {
    use super::*;
    use lsp_types::{Position, Range};

    #[test]
    fn changes_are_made_one_after_the_other() {
        let change = |line, from, to, text: &str| TextDocumentContentChangeEvent {
            range: Some(Range { start: Position::new(line, from), end: Position::new(line, to) }),
            range_length: None,
            text: text.to_owned(),
        };
        let text = changed("one\ntwo\n".to_owned(), change(1, 0, 3, "three"));
        assert_eq!(changed(text, change(1, 5, 5, "!")), "one\nthree!\n");
        let whole = TextDocumentContentChangeEvent { range: None, range_length: None, text: "x".to_owned() };
        assert_eq!(changed("one".to_owned(), whole), "x");
    }
}
