//! Diagnostics: what is wrong, where, and what would mend it; rendered for people or as JSON.

use super::{Code, Span};

/// How serious a finding is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// The game cannot be played like this.
    Error,
    /// It can be played, but something is probably not meant.
    Warning,
}

/// A second place that explains a diagnostic.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label {
    /// Where.
    pub span: Span,
    /// What is there, such as "declared here".
    pub text: String,
}

/// One finding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// Its stable code.
    pub code: Code,
    /// What is wrong: lower case, no full stop, the author's text in backticks.
    pub message: String,
    /// Where.
    pub span: Span,
    /// Said under the underline; may be empty.
    pub note: String,
    /// Other places that matter.
    pub labels: Vec<Label>,
    /// What would mend it.
    pub help: Option<String>,
}

impl Diagnostic {
    /// A finding at a place.
    pub fn new(code: Code, span: Span, message: impl Into<String>) -> Self {
        Diagnostic { code, message: message.into(), span, note: String::new(), labels: Vec::new(), help: None }
    }

    /// Adds a second place.
    #[must_use]
    pub fn label(mut self, span: Span, text: impl Into<String>) -> Self {
        self.labels.push(Label { span, text: text.into() });
        self
    }

    /// Adds advice.
    #[must_use]
    pub fn help(mut self, text: impl Into<String>) -> Self {
        self.help = Some(text.into());
        self
    }

    /// Adds words under the underline.
    #[must_use]
    pub fn note(mut self, text: impl Into<String>) -> Self {
        self.note = text.into();
        self
    }

    /// Adds "did you mean" advice, if one of the names is near enough.
    #[must_use]
    pub fn suggest<'a>(self, name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Self {
        match nearest(name, candidates) {
            Some(best) => self.help(format!("did you mean `{best}`?")),
            None => self,
        }
    }

    /// Whether it is an error rather than a warning.
    pub fn is_error(&self) -> bool {
        self.code.severity() == Severity::Error
    }
}

/// Findings in the order they were made.
pub type Diagnostics = Vec<Diagnostic>;

/// Letters from which on the beginning of a name says what was meant.
const LONG: usize = 5;

/// The candidate nearest to a name, if it is near enough to be what was meant.
pub fn nearest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let wanted = name.to_lowercase();
    let candidates: Vec<&str> = candidates.into_iter().filter(|candidate| *candidate != name).collect();
    let near = candidates
        .iter()
        .copied()
        .map(|candidate| (strsim::damerau_levenshtein(&wanted, &candidate.to_lowercase()), candidate))
        .filter(|(distance, candidate)| *distance <= (name.len().max(candidate.len()) / 3).max(1))
        .min_by_key(|(distance, candidate)| (*distance, *candidate))
        .map(|(_, candidate)| candidate);
    // Else the longest that the name only goes on from.
    let begins = |candidate: &&str| candidate.len() >= LONG && wanted.starts_with(&candidate.to_lowercase());
    near.or_else(|| candidates.iter().copied().filter(begins).max_by_key(|candidate| candidate.len()))
}
