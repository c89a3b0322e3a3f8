//! What an action asks of what is known before it is offered: nothing may stand before it that cannot be known then.

use super::body::Body;
use super::check::Checker;
use crate::base::{Code, Diagnostic, Span};

impl Checker<'_> {
    /// What an `ensure` forbids is tried beforehand, so nothing before it may be beyond recall.
    pub(super) fn check_ensure(&mut self, body: &Body, span: Span) {
        let note = "the steps before an `ensure` are tried out before they are offered";
        let found = behind(body, span, "ensure", "it cannot be taken back");
        found.into_iter().for_each(|found| self.report(found.note(note)));
    }

    /// What a `requires` asks is asked before the action is offered.
    pub(super) fn check_requires(&mut self, body: &Body, span: Span) {
        let note = "what a `requires` asks decides whether the action is offered";
        let help = "put it first; what is done only in some cases stands in `if COND { ... }`";
        let found = behind(body, span, "requires", "what comes of it is not known before");
        found.into_iter().for_each(|found| self.report(found.note(note).help(help)));
    }
}

/// That a condition stands behind what cannot be known or taken back, if it does.
fn behind(body: &Body, span: Span, word: &str, why: &str) -> Option<Diagnostic> {
    let (before, what) = body.irrevocable?;
    let message = format!("{} stands before this `{word}`", in_words(what));
    Some(Diagnostic::new(Code::SuspendsHere, span, message).label(before, why))
}

/// A statement in a sentence: its word, unless it is put in words already.
fn in_words(word: &str) -> String {
    if word.contains(' ') { word.to_owned() } else { format!("`{word}`") }
}
