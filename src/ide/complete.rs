//! What could stand at a place: words of the language, which the grammar knows, and names, which the checker is asked for. It
//! checks the text with a name at the place that nothing has, and says what there is where it misses it.

use super::hover::meaning_of;
use super::workspace::{Workspace, file_of, index_of};
use crate::base::FileId;
use crate::model::builtins;
use crate::model::index::{ASKED, Candidate, Sort};
use crate::syntax::{Expected, Token, TokenKind, expected, parse, tokens};
use std::collections::BTreeSet;
use std::ops::Range;
use std::path::Path;

/// A word or name that could stand at a place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Completion {
    /// The word or name.
    pub label: String,
    /// What it is; none for a word of the language.
    pub sort: Option<Sort>,
    /// The type of its value, or how a function is written.
    pub detail: String,
    /// What it means.
    pub doc: String,
    /// How near it is to what is wanted: the least comes first.
    pub rank: u8,
}

/// What could stand at a place, and which bytes it would replace.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Completions {
    /// What it would replace.
    pub replaces: Range<usize>,
    /// What could stand there, the likeliest first.
    pub items: Vec<Completion>,
}

/// What may be missing behind a name while it is being written.
const ENDINGS: [&str; 10] =
    ["", ": 0", " { }", " \"\" { }", " = 0", " by 1", " to nowhere", " in players { }", " of players by 1", ")"];

/// What could stand at a byte of a file.
pub fn completions(workspace: &mut Workspace, path: &Path, offset: usize) -> Completions {
    let Some(text) = workspace.text(path) else { return Completions::default() };
    let place = Place::of(&text, offset);
    let replaces = place.word.clone();
    let items = match place.sort {
        PlaceSort::Nothing => Vec::new(),
        PlaceSort::Entry => asked(workspace, path, &text, &replaces, &Expected::default()).iter().map(item).collect(),
        PlaceSort::Rule => rules(workspace, path),
        PlaceSort::Member | PlaceSort::Placeholder => {
            let mut found = asked(workspace, path, &text, &replaces, &Expected::default());
            if matches!(place.sort, PlaceSort::Member) {
                found.retain(|candidate| !matches!(candidate.sort, Sort::Function));
            }
            found.iter().map(item).collect()
        }
        PlaceSort::Word => {
            let could = expected(&text, replaces.start);
            let mut found: Vec<Completion> = if asks_for_a_name(&could) {
                asked(workspace, path, &text, &replaces, &could).iter().map(item).collect()
            } else {
                Vec::new()
            };
            found.extend(could.words.iter().map(|word| word_of(word)));
            found
        }
    };
    let mut items: Vec<Completion> = items;
    items.sort_by(|one, other| (one.rank, &one.label).cmp(&(other.rank, &other.label)));
    let mut seen = BTreeSet::new();
    items.retain(|item| seen.insert((item.label.clone(), item.sort.is_some())));
    Completions { replaces, items }
}

fn word_of(word: &str) -> Completion {
    Completion { label: word.to_owned(), sort: None, detail: String::new(), doc: String::new(), rank: 6 }
}

fn item(candidate: &Candidate) -> Completion {
    let rank = match candidate.sort {
        _ if candidate.fits => 0,
        Sort::Local | Sort::Parameter => 1,
        Sort::Field | Sort::Counter | Sort::Mark | Sort::Stat | Sort::Link | Sort::Word => 2,
        Sort::BuiltIn => 4,
        Sort::Function => 5,
        _ => 3,
    };
    let forms = || builtins::named(&candidate.name).into_iter().flatten();
    let doc = match candidate.sort {
        Sort::Function => forms().map(|info| info.doc).collect::<Vec<_>>().join("\n\n"),
        Sort::BuiltIn => meaning_of(&candidate.name).to_owned(),
        _ => String::new(),
    };
    let detail = match candidate.sort {
        Sort::Function => forms().map(|info| info.signature).collect::<Vec<_>>().join("; "),
        Sort::Word => String::new(),
        sort if candidate.ty.is_empty() || candidate.ty == candidate.name => sort.noun().to_owned(),
        sort => format!("{}: {}", sort.noun(), candidate.ty),
    };
    Completion { label: candidate.name.clone(), sort: Some(candidate.sort), detail, doc, rank }
}

/// The numbered rules that a scenario can cover.
fn rules(workspace: &mut Workspace, path: &Path) -> Vec<Completion> {
    let checks = workspace.check(path);
    let book = checks.iter().flat_map(|checked| checked.rulebook.iter());
    let of = |(id, text): &(String, String)| Completion {
        label: id.clone(),
        sort: Some(Sort::Word),
        detail: text.clone(),
        doc: String::new(),
        rank: 0,
    };
    book.map(of).collect()
}

/// The names that the checker knows at a place.
fn asked(
    workspace: &mut Workspace,
    path: &Path,
    text: &str,
    replaces: &Range<usize>,
    could: &Expected,
) -> Vec<Candidate> {
    let (before, after) = (text.get(..replaces.start).unwrap_or(""), text.get(replaces.end..).unwrap_or(""));
    let first = if could.field || could.setting { 1 } else { 0 };
    let endings = ENDINGS.iter().copied().cycle().skip(first).take(ENDINGS.len());
    let missing = Missing::of(text, replaces);
    let (inside, behind) = after.split_at_checked(missing.behind).unwrap_or((after, ""));
    // What ends the statement stands behind the open brackets of its values, or within them.
    let (values, blocks) = missing.brackets.split_at(missing.values);
    let within = (missing.values > 0).then(|| endings.clone().map(|ending| (ending, values, "")));
    let endings = endings.map(|ending| ("", values, ending)).chain(within.into_iter().flatten());
    for (first, values, last) in endings {
        let tried = format!("{before}{ASKED}{first}{}{inside}{values}{last}{blocks}{behind}", missing.brace);
        let (file, _) = parse(FileId(0), &tried);
        if file.lost.contains(ASKED) || file.unread {
            continue;
        }
        for checked in workspace.try_text(path, tried.clone()) {
            if file_of(&checked, path).is_some() && !index_of(&checked).candidates.is_empty() {
                return index_of(&checked).candidates.clone();
            }
        }
    }
    Vec::new()
}

/// What closes what is open at a place, where nothing in its item does yet: text that is being written has open ends.
#[derive(Default)]
struct Missing {
    /// Closes the placeholder of a text.
    brace: &'static str,
    /// Closes the text and the brackets: in so many bytes those of values, then blocks.
    brackets: String,
    values: usize,
    /// How many bytes behind the word at the place the text ends in which it stands.
    behind: usize,
}

impl Missing {
    fn of(text: &str, word: &Range<usize>) -> Missing {
        let mut missing = Missing::default();
        let tokens = tokens(text);
        let around =
            |token: &&Token| token.start < word.start && word.end <= token.end && token.kind == TokenKind::Text;
        if let Some(around) = tokens.iter().find(around) {
            let rest = text.get(word.end..around.end).unwrap_or("");
            let closed = rest.ends_with('"');
            missing.behind = rest.len();
            let inside = text.get(around.start..word.start).unwrap_or("");
            let open = inside.rfind('{') > inside.rfind('}') && !rest.contains('}');
            missing.brace = if open { "}" } else { "" };
            missing.brackets.push_str(if closed { "" } else { "\"" });
        }
        let mut open = Vec::new();
        for token in tokens.iter().filter(|token| token.end <= word.start || token.start >= word.end) {
            let begins = token.start == 0 || text.as_bytes().get(token.start - 1) == Some(&b'\n');
            match (token.text(text), begins && token.kind == TokenKind::Word) {
                // An item begins: all before it ends here.
                (_, true) if token.start >= word.end => break,
                (_, true) => open.clear(),
                ("{", _) => open.push('}'),
                ("(", _) => open.push(')'),
                ("[", _) => open.push(']'),
                ("}" | ")" | "]", _) => drop(open.pop()),
                _ => {}
            }
        }
        let blocks = open.iter().rposition(|close| *close == '}').map_or(0, |last| last + 1);
        open.iter().skip(blocks).rev().for_each(|close| missing.brackets.push(*close));
        missing.values = missing.brackets.len();
        open.iter().take(blocks).rev().for_each(|close| missing.brackets.extend([' ', *close]));
        missing
    }
}

/// What is asked for at a place, as far as its neighbours tell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum PlaceSort {
    /// In a comment, or in a text that is no name.
    Nothing,
    /// The name of a card, in quotes.
    Entry,
    /// The number of a rule.
    Rule,
    /// Behind a dot.
    Member,
    /// Between the braces of a text.
    Placeholder,
    /// Elsewhere.
    Word,
}

struct Place {
    sort: PlaceSort,
    word: Range<usize>,
}

impl Place {
    fn of(text: &str, offset: usize) -> Place {
        let part = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
        let before = text.get(..offset).unwrap_or("");
        let start = before
            .rfind(|letter| !part(letter))
            .map_or(0, |at| at + before[at..].chars().next().map_or(1, char::len_utf8));
        let after = text.get(offset..).unwrap_or("");
        let end = offset + after.find(|letter| !part(letter)).unwrap_or(after.len());
        let word = start..end;
        let place = |sort| Place { sort, word: word.clone() };
        let tokens = tokens(text);
        let around = tokens.iter().position(|token| {
            token.start < offset && offset < token.end + usize::from(token.kind == TokenKind::Comment)
        });
        let at = |index: Option<usize>| index.and_then(|index| tokens.get(index)).map_or("", |token| token.text(text));
        if let Some(index) = around
            && let Some(token) = tokens.get(index)
        {
            match token.kind {
                TokenKind::Comment => return place(PlaceSort::Nothing),
                TokenKind::Text => {
                    let inside = text.get(token.start..offset).unwrap_or("");
                    if inside.rfind('{') > inside.rfind('}') {
                        return place(PlaceSort::Placeholder);
                    }
                    let kind = index.checked_sub(1);
                    let starts_line = kind.and_then(|kind| tokens.get(kind)).is_some_and(|kind| {
                        text.get(..kind.start).is_some_and(|before| before.is_empty() || before.ends_with('\n'))
                    });
                    let named = kind.and_then(|kind| tokens.get(kind)).is_some_and(|kind| kind.kind == TokenKind::Word);
                    if named && !starts_line && !crate::syntax::is_reserved(at(kind)) {
                        return Place {
                            sort: PlaceSort::Entry,
                            word: token.start + 1..token.end.saturating_sub(1).max(token.start + 1),
                        };
                    }
                    return place(PlaceSort::Nothing);
                }
                _ => {}
            }
        }
        let previous = tokens.iter().rposition(|token| token.end <= start && token.kind != TokenKind::Comment);
        match at(previous) {
            "." => place(PlaceSort::Member),
            "covers" => place(PlaceSort::Rule),
            _ => place(PlaceSort::Word),
        }
    }
}

/// Whether a name could stand at a place, and not only a word of the language.
fn asks_for_a_name(could: &Expected) -> bool {
    could.item || could.value || could.ty || could.statement || could.setting || could.field || could.name
}
