//! The language server, spoken to in its protocol.

use super::support::root;
use cardwright::front::lsp::serve;
use lsp_server::{Connection, Message, Notification, Request, RequestId};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// How long an answer may take, on a machine that does much else.
const PATIENCE: Duration = Duration::from_secs(60);

/// An editor that talks to a server.
struct Editor {
    connection: Connection,
    server: Option<std::thread::JoinHandle<()>>,
    requests: i32,
    /// What was reported: the file and its diagnostics.
    reported: Vec<(String, Vec<Value>)>,
}

impl Editor {
    fn new(folder: &Path) -> Editor {
        let (connection, other) = Connection::memory();
        let server = std::thread::spawn(move || serve(&other).unwrap());
        let mut editor = Editor { connection, server: Some(server), requests: 0, reported: Vec::new() };
        let told = editor.ask("initialize", json!({ "rootUri": address(folder), "capabilities": {} }));
        assert!(told["capabilities"]["renameProvider"]["prepareProvider"].as_bool().unwrap());
        editor.tell("initialized", json!({}));
        editor
    }

    fn tell(&self, method: &str, params: Value) {
        let notification = Notification { method: method.to_owned(), params };
        self.connection.sender.send(Message::Notification(notification)).unwrap();
    }

    fn hear(&mut self) -> Option<lsp_server::Response> {
        match self.connection.receiver.recv_timeout(PATIENCE).unwrap() {
            Message::Response(response) => return Some(response),
            Message::Notification(heard) if heard.method == "textDocument/publishDiagnostics" => {
                let uri = heard.params["uri"].as_str().unwrap().to_owned();
                self.reported.push((uri, heard.params["diagnostics"].as_array().unwrap().clone()));
            }
            _ => {}
        }
        None
    }

    fn response(&mut self, method: &str, params: Value) -> lsp_server::Response {
        self.requests += 1;
        let request = Request { id: RequestId::from(self.requests), method: method.to_owned(), params };
        self.connection.sender.send(Message::Request(request)).unwrap();
        loop {
            if let Some(response) = self.hear() {
                return response;
            }
        }
    }

    fn ask(&mut self, method: &str, params: Value) -> Value {
        let response = self.response(method, params);
        response.result.unwrap_or_else(|| panic!("{method}: {:?}", response.error))
    }

    /// The next report about a file for which something holds.
    fn wait(&mut self, file: &str, holds: impl Fn(&[Value]) -> bool) -> Vec<Value> {
        loop {
            let found = self.reported.iter().position(|(uri, found)| uri.ends_with(file) && holds(found));
            if let Some(found) = found {
                let (_, found) = self.reported.remove(found);
                self.reported.clear();
                return found;
            }
            self.hear();
        }
    }

    fn quit(mut self) {
        self.response("shutdown", Value::Null);
        self.tell("exit", Value::Null);
        self.server.take().unwrap().join().unwrap();
    }
}

fn address(path: &Path) -> String {
    format!("file://{}", path.display())
}

/// A copy of a shipped game.
fn copy_of(game: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    copy(&root().join("content").join(game), &folder.path().join(game));
    folder
}

fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap().map(Result::unwrap) {
        let to = to.join(entry.file_name());
        if entry.path().is_dir() { copy(&entry.path(), &to) } else { _ = std::fs::copy(entry.path(), to).unwrap() }
    }
}

/// An editor in which the rules of a copied game are open, with the folder, the file and its text.
fn opened() -> (tempfile::TempDir, PathBuf, String, Editor) {
    let folder = copy_of("tic-tac-toe");
    let file = folder.path().canonicalize().unwrap().join("tic-tac-toe/tic-tac-toe.rules");
    let text = std::fs::read_to_string(&file).unwrap();
    let editor = Editor::new(folder.path());
    let document = json!({ "uri": address(&file), "languageId": "cardwright", "version": 1, "text": text });
    editor.tell("textDocument/didOpen", json!({ "textDocument": document }));
    (folder, file, text, editor)
}

#[test]
fn an_editor_is_told_what_is_wrong_as_somebody_types() {
    let (_folder, file, text, mut editor) = opened();
    let at = json!({ "uri": address(&file), "version": 2 });
    let end = text.lines().count();
    let position = json!({ "line": end, "character": 0 });
    let change = json!({ "range": { "start": position, "end": position }, "text": "define odd = wrng\n" });
    editor.tell("textDocument/didChange", json!({ "textDocument": at, "contentChanges": [change] }));
    let found = editor.wait("tic-tac-toe.rules", |found| !found.is_empty());
    assert_eq!(found[0]["source"], "cardwright");
    assert!(found[0]["message"].as_str().unwrap().contains("there is no `wrng` here"), "{found:?}");
    let back = json!({ "text": text });
    editor.tell("textDocument/didChange", json!({ "textDocument": at, "contentChanges": [back] }));
    editor.wait("tic-tac-toe.rules", <[Value]>::is_empty);
    let edits = editor.ask(
        "textDocument/formatting",
        json!({ "textDocument": at, "options": { "tabSize": 2, "insertSpaces": true } }),
    );
    assert_eq!(edits, json!([]));
    editor.quit();
}

#[test]
fn an_editor_is_told_what_is_wrong_with_a_translation() {
    let folder = copy_of("templates/hidden-roles");
    let file = folder.path().canonicalize().unwrap().join("templates/hidden-roles/locales/de.toml");
    let text = std::fs::read_to_string(&file).unwrap();
    let mut editor = Editor::new(folder.path());
    let document = |text: &str| json!({ "uri": address(&file), "languageId": "toml", "version": 1, "text": text });
    let lacking = text.replacen("[\"title\"]", "[\"tilte\"]", 1);
    editor.tell("textDocument/didOpen", json!({ "textDocument": document(&lacking) }));
    let found = editor.wait("de.toml", |found| !found.is_empty());
    let said: Vec<&str> = found.iter().filter_map(|found| found["message"].as_str()).collect();
    assert!(said.iter().any(|said| said.starts_with("there is no text `tilte`")), "{said:?}");
    let changes = json!([{ "text": text }]);
    editor.tell("textDocument/didChange", json!({ "textDocument": document(""), "contentChanges": changes }));
    editor.wait("de.toml", <[Value]>::is_empty);
    editor.quit();
}

#[test]
fn every_request_is_answered() {
    let (_folder, file, text, mut editor) = opened();
    let line = text.lines().position(|line| line.starts_with("kind ")).unwrap();
    let at = json!({ "textDocument": { "uri": address(&file) }, "position": { "line": line, "character": 6 } });
    let with = |more: Value| {
        let mut all = at.clone();
        all.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        all
    };
    let whole = json!({ "start": { "line": 0, "character": 0 }, "end": { "line": 999, "character": 0 } });
    for (method, more) in [
        ("textDocument/hover", json!({})),
        ("textDocument/definition", json!({})),
        ("textDocument/references", json!({ "context": { "includeDeclaration": true } })),
        ("textDocument/documentHighlight", json!({})),
        ("textDocument/prepareRename", json!({})),
        ("textDocument/rename", json!({ "newName": "set_down" })),
        ("textDocument/documentSymbol", json!({})),
        ("textDocument/foldingRange", json!({})),
        ("textDocument/semanticTokens/full", json!({})),
        ("workspace/symbol", json!({ "query": "" })),
    ] {
        let answer = editor.ask(method, with(more));
        let empty = answer.is_null() || answer.as_array().is_some_and(Vec::is_empty);
        assert!(!empty, "{method} has no answer");
    }
    let actions = with(json!({ "range": whole, "context": { "diagnostics": [] } }));
    for (method, params) in [
        ("textDocument/codeAction", actions),
        ("textDocument/inlayHint", with(json!({ "range": whole }))),
        ("textDocument/completion", at.clone()),
        ("textDocument/codeLens", at.clone()),
        ("textDocument/signatureHelp", at.clone()),
    ] {
        editor.ask(method, params);
    }
    let refused = editor.response("textDocument/rename", with(json!({ "newName": "where" })));
    assert!(refused.error.unwrap().message.contains("reserved word"));
    let unknown = editor.response("textDocument/moonPhase", json!({}));
    assert_eq!(unknown.error.unwrap().code, lsp_server::ErrorCode::MethodNotFound as i32);
    editor.quit();
}
