//! Diagnostics: what is wrong, where, and what would mend it; rendered for people or as JSON.

use super::{Code, SourceMap, Span};

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

/// A change of the text that mends what is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mend {
    /// What is replaced, and by what.
    pub edits: Vec<(Span, String)>,
    /// Whether the text then says what its author meant, as far as anybody can tell: such a change needs no second look.
    pub certain: bool,
}

impl Mend {
    /// What is replaced, and by what, as the texts need it: what stands in quotes keeps them, also where only the name that
    /// was meant is known.
    pub fn edits_in(&self, sources: &SourceMap) -> Vec<(Span, String)> {
        let edit = |(span, text): &(Span, String)| {
            let quoted = !self.certain && sources.slice(*span).starts_with('"') && !text.starts_with('"');
            (*span, if quoted { format!("\"{text}\"") } else { text.clone() })
        };
        self.edits.iter().map(edit).collect()
    }
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
    /// What findings share that are one mistake in several places.
    pub mistake: Option<&'static str>,
    /// How the text is changed so that it is mended, where that is known.
    pub mend: Option<Mend>,
}

impl Diagnostic {
    /// A finding at a place.
    pub fn new(code: Code, span: Span, message: impl Into<String>) -> Self {
        Diagnostic {
            code,
            message: message.into(),
            span,
            note: String::new(),
            labels: Vec::new(),
            help: None,
            mistake: None,
            mend: None,
        }
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

    /// Makes it one of a repeated mistake, which is reported once.
    #[must_use]
    pub fn repeated(mut self, mistake: &'static str) -> Self {
        self.mistake = Some(mistake);
        self
    }

    /// Adds words under the underline.
    #[must_use]
    pub fn note(mut self, text: impl Into<String>) -> Self {
        self.note = text.into();
        self
    }

    /// Adds a change that mends it for certain: another text in the place of a stretch.
    #[must_use]
    pub fn mend(self, span: Span, text: impl Into<String>) -> Self {
        self.mends(vec![(span, text.into())], true)
    }

    /// Adds a change that probably mends it.
    #[must_use]
    pub fn perhaps(self, span: Span, text: impl Into<String>) -> Self {
        self.mends(vec![(span, text.into())], false)
    }

    /// Adds changes that mend it together.
    #[must_use]
    pub fn mends(mut self, edits: Vec<(Span, String)>, certain: bool) -> Self {
        self.mend = Some(Mend { edits, certain });
        self
    }

    /// Adds the name that was probably meant where it points.
    #[must_use]
    pub fn did_you_mean(self, best: impl AsRef<str>) -> Self {
        let (best, span) = (best.as_ref(), self.span);
        self.help(format!("did you mean `{best}`?")).perhaps(span, best)
    }

    /// Adds "did you mean" advice, if one of the names is near enough.
    #[must_use]
    pub fn suggest<'a>(self, name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Self {
        match nearest(name, candidates) {
            Some(best) => self.did_you_mean(best),
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

/// Letters beyond which no name is compared, and how many names are compared with one: comparing takes the product of
/// their lengths.
const LONGEST: usize = 64;
const MOST_COMPARED: usize = 1_000;

/// A name of content as people read it: words for underscores, without those at its end, which only tell it from a
/// reserved word.
pub fn spoken(name: &str) -> String {
    name.trim_end_matches('_').replace('_', " ")
}

/// Whose something is: `ann's`, `the attackers'`.
pub fn possessive(name: &str) -> String {
    format!("{name}{}", if name.ends_with('s') { "'" } else { "'s" })
}

/// So many of something in words.
pub fn plural(count: usize, word: &str) -> String {
    format!("{count} {word}{}", if count == 1 { "" } else { "s" })
}

/// The candidate nearest to a name, if it is near enough to be what was meant.
pub fn nearest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    if name.len() > LONGEST {
        return None;
    }
    let wanted = name.to_lowercase();
    let far = |candidate: &str| (name.len().max(candidate.len()) / 3).max(1);
    let letters = letters_of(&wanted);
    // What differs more in length or in letters than it may need not be compared.
    let alike = |candidate: &str| {
        let far = far(candidate);
        let other = letters_of(candidate);
        candidate.len().abs_diff(name.len()) <= 4 * far
            && (letters & !other).count_ones().max((other & !letters).count_ones()) as usize <= far
    };
    let begins = |candidate: &str| {
        let start = wanted.as_bytes().get(..candidate.len());
        candidate.len() >= LONG && start.is_some_and(|start| start.eq_ignore_ascii_case(candidate.as_bytes()))
    };
    let (mut compared, mut cut) = (0, false);
    let (mut near, mut beginning) = (None::<(usize, &str)>, None::<&str>);
    for candidate in candidates.into_iter().filter(|candidate| *candidate != name && candidate.len() <= LONGEST) {
        let (alike, begins) = (!cut && alike(candidate), begins(candidate));
        if alike && compared == MOST_COMPARED {
            cut = true;
            continue;
        }
        if !alike && !begins {
            continue;
        }
        let lower = candidate.to_lowercase();
        if opposed(&wanted, &lower) {
            continue;
        }
        if alike {
            compared += 1;
            let distance = strsim::damerau_levenshtein(&wanted, &lower);
            if distance <= far(candidate) && near.is_none_or(|best| (distance, candidate) < best) {
                near = Some((distance, candidate));
            }
        }
        if begins && beginning.is_none_or(|best| candidate.len() >= best.len()) {
            beginning = Some(candidate);
        }
    }
    // Of very many only one that could hardly be nearer; else the longest that the name only goes on from.
    near.filter(|(distance, _)| !cut || *distance == 1).map(|(_, candidate)| candidate).or(beginning)
}

/// Which letters a name has, whatever their case: one bit for each, shared where they are not ASCII.
fn letters_of(name: &str) -> u128 {
    let bit = |byte: u8| if byte.is_ascii() { byte.to_ascii_lowercase() } else { 127 };
    name.bytes().fold(0, |letters, byte| letters | 1 << bit(byte))
}

/// Parts of names that turn their meaning round, or make another thing of it.
const OPPOSITES: &[(&str, &str)] = &[
    ("in", "de"),
    ("in", "out"),
    ("in", "ex"),
    ("on", "off"),
    ("up", "down"),
    ("max", "min"),
    ("most", "least"),
    ("more", "less"),
    ("left", "right"),
    ("first", "last"),
    ("over", "under"),
    ("pre", "post"),
    ("before", "after"),
    ("top", "bottom"),
    ("win", "lose"),
    ("my", "your"),
    ("north", "south"),
    ("east", "west"),
    ("black", "white"),
];

/// Whether one name is no misspelling of another but rather its opposite, or another of its sort: one of them goes on
/// from a beginning of its own (`debuff` and `buff`), parts of theirs are opposites (`max_oil`, `min_oil`), or only
/// their numbers differ.
fn opposed(name: &str, other: &str) -> bool {
    let (short, long) = if name.len() <= other.len() { (name, other) } else { (other, name) };
    let begins_otherwise = long.len() >= short.len() + 2 && long.ends_with(short);
    let swapped = |from: &str, to: &str| {
        name.match_indices(from).any(|(at, _)| {
            let (before, after) = (name.get(..at).unwrap_or(""), name.get(at + from.len()..).unwrap_or(""));
            other.strip_prefix(before).and_then(|rest| rest.strip_prefix(to)) == Some(after)
        })
    };
    let letters = |name: &str| name.chars().filter(|letter| !letter.is_ascii_digit()).collect::<String>();
    let numbered = |name: &str| name.contains(|letter: char| letter.is_ascii_digit());
    begins_otherwise
        || OPPOSITES.iter().any(|(one, two)| swapped(one, two) || swapped(two, one))
        || (numbered(name) && numbered(other) && letters(name) == letters(other))
}

/// How many names a list of what is declared has at most.
const LISTED: usize = 12;

/// Names as a message lists them: `` `a`, `b` and 12 more ``.
pub fn listed<'a>(names: impl IntoIterator<Item = &'a str>) -> String {
    let mut names = names.into_iter();
    let shown: Vec<String> = names.by_ref().take(LISTED).map(|name| format!("`{name}`")).collect();
    match names.count() {
        0 => shown.join(", "),
        more => format!("{} and {more} more", shown.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_name_is_a_misspelling_and_no_opposite() {
        assert_eq!(nearest("lantren", ["lantern", "rope"]), Some("lantern"));
        assert_eq!(nearest("discrad", ["discard", "card"]), Some("discard"));
        let many: Vec<String> = (0..4 * MOST_COMPARED).map(|number| format!("thing_number_{number}")).collect();
        for number in [2, 20, 1_999, 3_000] {
            let best = nearest(&format!("thing_numbr_{number}"), many.iter().map(String::as_str));
            assert!(best.is_none_or(|best| best == format!("thing_number_{number}")), "{number}: {best:?}");
        }
        for (name, other) in [
            ("debuff", "buff"),
            ("unlock", "lock"),
            ("decrease", "increase"),
            ("max_oil", "min_oil"),
            ("turn_on", "turn_off"),
            ("player1", "player2"),
        ] {
            assert_eq!(nearest(name, [other]), None, "{name}");
            assert_eq!(nearest(other, [name]), None, "{other}");
        }
    }

    #[test]
    fn a_long_list_of_names_is_cut_short() {
        assert_eq!(listed(["a", "b"]), "`a`, `b`");
        assert!(listed(std::iter::repeat_n("x", 20)).ends_with("`x` and 8 more"));
    }
}
