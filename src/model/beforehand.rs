//! What an action asks of what is known before it is offered: nothing may stand before it that cannot be known then.

use super::body::Body;
use super::check::Checker;
use crate::base::{Code, Diagnostic, Span};

impl Checker<'_> {
    /// What an `ensure` forbids is tried beforehand, so nothing before it may be beyond recall.
    pub(super) fn check_ensure(&mut self, body: &Body, span: Span) {
        if let Some((before, word)) = body.irrevocable {
            let found =
                Diagnostic::new(Code::SuspendsHere, span, format!("{} stands before this `ensure`", in_words(word)))
                    .label(before, "it cannot be taken back")
                    .note("the steps before an `ensure` are tried out before they are offered");
            self.report(found);
        }
    }

    /// What a `requires` asks is asked before the action is offered.
    pub(super) fn check_requires(&mut self, body: &Body, span: Span) {
        if let Some((before, word)) = body.irrevocable {
            let found =
                Diagnostic::new(Code::SuspendsHere, span, format!("{} stands before this `requires`", in_words(word)))
                    .label(before, "what comes of it is not known before")
                    .note("what a `requires` asks decides whether the action is offered")
                    .help("put it first; what is done only in some cases stands in `if COND { ... }`");
            self.report(found);
        }
    }
}

/// A statement in a sentence: its word, unless it is put in words already.
fn in_words(word: &str) -> String {
    if word.contains(' ') { word.to_owned() } else { format!("`{word}`") }
}
