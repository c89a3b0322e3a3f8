//! What a package may have declared although it could not be read: a file, an item, a line. Follow-on errors are worse
//! than none, so an error that says that something is missing is held back where a gap may have declared it.

use std::collections::{BTreeMap, BTreeSet};

use super::walk;
use crate::base::{Code, Diagnostic, Diagnostics, FileId, SourceMap, Span};
use crate::syntax::ast::{File, Item, ItemKind, Member, MemberKind};

/// How many places of a mistake are shown beside the first.
const PLACES: usize = 2;

/// What is said where a game has no board.
pub(super) const NO_BOARD: &str = "this game has no board";

/// What could not be read.
#[derive(Default)]
pub(super) struct Gaps {
    /// Whether it may have declared anything at all: a file, a manifest or a package is missing.
    pub whole: bool,
    /// The words of lines and items that could not be read.
    words: BTreeSet<String>,
    /// Files that look like content, but which no pattern takes in.
    left_out: Vec<LeftOut>,
    /// Files that were read although some of their bytes are no text.
    pub damaged: BTreeSet<FileId>,
}

/// A file that is not part of its package.
struct LeftOut {
    path: String,
    file: FileId,
    help: String,
    declared: BTreeSet<String>,
}

impl Gaps {
    /// Adds what a file lacks.
    pub(super) fn add(&mut self, file: &File) {
        self.whole |= file.unread;
        self.words.extend(file.lost.iter().cloned());
    }

    /// Adds names that something broken would have declared.
    pub(super) fn add_names(&mut self, names: &BTreeSet<String>) {
        self.words.extend(names.iter().cloned());
    }

    /// Adds a file that no pattern takes in.
    pub(super) fn leave_out(&mut self, path: &str, file: FileId, help: String, parsed: &File) {
        let mut declared: BTreeSet<String> = parsed.lost.iter().cloned().collect();
        parsed.items.iter().for_each(|item| declares(item, &mut declared));
        self.left_out.push(LeftOut { path: path.to_owned(), file, help, declared });
    }

    /// Holds back what may only follow from the gaps, and says which files are left out: as errors where names that
    /// they declare are missing, else as warnings.
    pub(super) fn hold_back(&self, diagnostics: &mut Diagnostics, sources: &SourceMap) {
        let of = |code| diagnostics.iter().filter(move |found| found.code == code).map(|found| found.span);
        let (unread, texts) =
            (of(Code::Unexpected).collect::<Vec<Span>>(), of(Code::UnclosedText).collect::<Vec<Span>>());
        let mut unread = unread;
        unread.extend(of(Code::UnknownKind).filter(|at| matches!(sources.slice(*at), "a" | "an" | "the")));
        // `empty meld[k]`: what stands behind the name of a function was to be its argument.
        let functions = diagnostics.iter().filter(|found| {
            let says = |help: &String| help.ends_with("(...)`") && help.contains("is a function");
            found.code == Code::UnknownName && found.help.as_ref().is_some_and(says)
        });
        unread.extend(functions.map(|found| found.span));
        let signs: Vec<Span> = of(Code::IllegalCharacter).collect();
        let verbs: Vec<Span> = of(Code::UnknownVerb).collect();
        // What stands where something was not read, or right behind it, was not meant as it is taken.
        let taken_for_a_verb = |verb: Span| {
            let between = |from: Span| sources.slice(Span { start: from.end, end: verb.start, ..verb });
            let near = |from: &Span| {
                from.file == verb.file
                    && (from.start == verb.start
                        || from.end <= verb.start && between(*from).chars().all(|letter| letter == ' '))
            };
            // `draw 2 cards`: a number says no more where one verb ends and the next begins.
            let counted = |from: &Span| {
                let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
                from.file == verb.file && from.end <= verb.start && digits(between(*from).trim())
            };
            unread.iter().any(near) || verbs.iter().any(counted)
        };
        let in_a_text = |at: Span| texts.iter().any(|text| *text != at && text.covers(at));
        diagnostics.retain(|found| match found.code {
            Code::UnknownVerb => !taken_for_a_verb(found.span),
            // What stands behind it was to be its argument.
            Code::MissingArgument => !unread.iter().any(|from| {
                let between = Span { start: found.span.end, end: from.start, ..*from };
                from.file == found.span.file
                    && found.span.end <= from.start
                    && sources.slice(between).chars().all(|letter| letter == ' ')
            }),
            Code::BadPlaceholder => !in_a_text(found.span),
            // `a > 3 ? 1 : 2`, `n + (a ? 1 : 2)`: what could not be read belongs to the value before or around it.
            Code::WrongType => !signs.iter().any(|sign| {
                let between = Span { start: found.span.end, end: sign.start, ..*sign };
                let behind = sign.file == found.span.file
                    && found.span.end <= sign.start
                    && sources.slice(between).chars().all(|letter| letter == ' ');
                behind || found.span.covers(*sign)
            }),
            _ => true,
        });
        let mut missed: Vec<BTreeMap<String, usize>> = vec![BTreeMap::new(); self.left_out.len()];
        diagnostics.retain(|found| {
            let damage = found.code == Code::IllegalCharacter && self.damaged.contains(&found.span.file);
            if damage && sources.slice(found.span).contains('\u{fffd}') {
                return false;
            }
            if self.whole && found.is_error() && found.code.text().starts_with('E') && !certain(found.code) {
                return false;
            }
            let names = missing(found, sources);
            if names.iter().any(|name| self.words.contains(*name)) {
                return false;
            }
            let elsewhere = self.left_out.iter().zip(&mut missed).find_map(|(file, missed)| {
                names.iter().find(|name| file.declared.contains(**name)).map(|name| (*name, missed))
            });
            match elsewhere {
                Some((name, missed)) => {
                    *missed.entry(name.to_owned()).or_default() += 1;
                    false
                }
                None => true,
            }
        });
        let lacking = !self.words.is_empty() || self.whole;
        let unheld = diagnostics.iter().any(|found| matches!(found.code, Code::UnknownKind | Code::NotAKind));
        // It may have named a site, or been a setting.
        diagnostics.retain(|found| match found.code {
            Code::NoHome => !(lacking || unheld),
            Code::UnknownSite | Code::MissingSetting => !lacking,
            _ => true,
        });
        for (file, missed) in self.left_out.iter().zip(missed) {
            diagnostics.push(file.finding(&missed));
        }
    }
}

impl LeftOut {
    fn finding(&self, missed: &BTreeMap<String, usize>) -> Diagnostic {
        let span = Span::new(self.file, 0, 0);
        let left_out = format!("`{}` is left out: no pattern takes it in", self.path);
        let found = match missed.len() {
            0 => Diagnostic::new(Code::FileLeftOut, span, left_out),
            _ => {
                let places: usize = missed.values().sum();
                let names: Vec<String> = missed.keys().take(3).map(|name| format!("`{name}`")).collect();
                let more = if missed.len() > names.len() { " and others" } else { "" };
                let places = if places == 1 { "1 place".to_owned() } else { format!("{places} places") };
                let message = format!("{left_out}, but {places} need what it declares: {}{more}", names.join(", "));
                Diagnostic::new(Code::NeededFileLeftOut, span, message)
            }
        };
        found.help(self.help.clone())
    }
}

/// What is wrong whatever else the package declares.
fn certain(code: Code) -> bool {
    matches!(
        code,
        Code::UnclosedBracket
            | Code::StrayBracket
            | Code::UnclosedText
            | Code::IllegalCharacter
            | Code::Unexpected
            | Code::NotAnItem
            | Code::ReservedWord
            | Code::BadNumber
            | Code::ChainedComparison
            | Code::MissingFile
            | Code::BadTable
            | Code::BadEscape
            | Code::WrongFile
            | Code::Duplicate
            | Code::BuiltinName
            | Code::NameClash
            | Code::DuplicateField
            | Code::DuplicateEntry
            | Code::EnumSize
            | Code::BadCopies
            | Code::SecondFlow
            | Code::ChangeOutsideExpansion
            | Code::NeededFileLeftOut
    ) || ("E0600".."E0700").contains(&code.text()) && code != Code::UnknownOption && code != Code::NothingToChange
}

/// The names whose absence a finding reports; none if it reports something else.
fn missing<'a>(found: &'a Diagnostic, sources: &'a SourceMap) -> Vec<&'a str> {
    match found.code {
        Code::NoFlow => vec!["flow"],
        Code::NoOrder => vec!["order"],
        Code::BadScore => vec!["score"],
        Code::BadLink if found.message.starts_with("no link") => vec!["link"],
        // A board has a `shape`.
        Code::UnknownType if found.message.starts_with(NO_BOARD) => vec!["shape"],
        // What is said of the type or kind of something that was not read whole.
        code if matches!(code, Code::WrongType | Code::BadPlaceholder | Code::KindNotHeld | Code::NeverTrue)
            || names_what_is_missing(code) =>
        {
            let slice = sources.slice(found.span).trim_matches('"');
            let quoted = found.message.split('`').skip(1).step_by(2);
            // A board has directions.
            let shape = (found.code == Code::UnknownName && super::geometry::is_direction(slice)).then_some("shape");
            quoted.chain([slice]).chain(shape).collect()
        }
        _ => Vec::new(),
    }
}

/// Whether a finding of this code says that something is not declared or not given.
pub(super) fn names_what_is_missing(code: Code) -> bool {
    matches!(
        code,
        Code::UnknownName
            | Code::UnknownProperty
            | Code::UnknownType
            | Code::UnknownValue
            | Code::UnknownKind
            | Code::NotAKind
            | Code::UnknownField
            | Code::UnknownEntry
            | Code::UnknownSetting
            | Code::UnknownSite
            | Code::UnknownDirection
            | Code::UnknownVerb
            | Code::HookUnknownVerb
            | Code::UnknownLabel
            | Code::UnknownRule
            | Code::NotAStat
            | Code::UnknownSpan
            | Code::UnknownAction
            | Code::UnknownWindow
            | Code::LeaveNothing
            | Code::UnknownOption
            | Code::NothingToChange
            | Code::MissingField
            | Code::MissingArgument
            | Code::UnknownRuleNumber
    )
}

/// The names that an item declares.
pub(super) fn declares(item: &Item, into: &mut BTreeSet<String>) {
    let mut add = |name: &str| {
        into.insert(name.to_owned());
    };
    match &item.kind {
        ItemKind::Enum { name, values } => {
            add(&name.text);
            values.iter().for_each(|value| add(&value.name.text));
        }
        ItemKind::Kind { name, members, .. } => {
            add(&name.text);
            members.iter().filter_map(member_name).for_each(add);
        }
        ItemKind::Player { members } | ItemKind::Game { members } => {
            members.iter().filter_map(member_name).for_each(add);
        }
        ItemKind::Link { from_prop, to_prop, .. } => {
            add(&from_prop.text);
            add(&to_prop.text);
        }
        ItemKind::Option { name, .. }
        | ItemKind::Zone { name, .. }
        | ItemKind::Board { name, .. }
        | ItemKind::Define { name, .. }
        | ItemKind::Verb { name, .. }
        | ItemKind::Action { name, .. }
        | ItemKind::Window { name, .. }
        | ItemKind::Rule { name, .. }
        | ItemKind::Script { name, .. }
        | ItemKind::Entry { name, .. } => add(&name.text),
        ItemKind::Flow { body } => {
            add("flow");
            walk::spans(body, false, &mut |name, _, _| add(&name.text));
        }
        ItemKind::Replace { with } => declares(with, into),
        ItemKind::Setup { .. }
        | ItemKind::Cards { .. }
        | ItemKind::Look { .. }
        | ItemKind::Scenario { .. }
        | ItemKind::Patch { .. }
        | ItemKind::Remove { .. } => {}
    }
}

pub(super) fn member_name(member: &Member) -> Option<&str> {
    match &member.kind {
        MemberKind::Field { name, .. }
        | MemberKind::Counter { name, .. }
        | MemberKind::Mark { name, .. }
        | MemberKind::Stat { name, .. } => Some(&name.text),
        MemberKind::StandsWhen { .. }
        | MemberKind::Seen { .. }
        | MemberKind::Notation { .. }
        | MemberKind::Clause(_) => None,
    }
}

/// What mends a mistake in one place and in another mends it in both.
fn join_mends(first: Option<&mut Diagnostic>, other: Diagnostic) {
    if let (Some(Diagnostic { mend: Some(first), .. }), Some(other)) = (first, other.mend)
        && first.certain == other.certain
    {
        let new: Vec<_> = other.edits.into_iter().filter(|edit| !first.edits.contains(edit)).collect();
        first.edits.extend(new);
    }
}

/// Reports each mistake once, with its other places: a name that is missing in several places was renamed or
/// misspelt once, and a slip of the pen is repeated.
pub(super) fn once_each(diagnostics: &mut Diagnostics, sources: &SourceMap) {
    // A reserved word that was taken for a name is named in texts too.
    let reserved = diagnostics.iter().filter(|found| found.code == Code::ReservedWord);
    let taken: BTreeSet<String> = reserved.map(|found| sources.slice(found.span).to_owned()).collect();
    diagnostics.retain(|found| found.code != Code::BadPlaceholder || !taken.contains(sources.slice(found.span)));
    let mut first: BTreeMap<(String, String), usize> = BTreeMap::new();
    let mut others: BTreeMap<usize, Vec<Span>> = BTreeMap::new();
    let mut kept: Diagnostics = Vec::with_capacity(diagnostics.len());
    for found in diagnostics.drain(..) {
        let key = match found.mistake {
            Some(mistake) => Some((String::new(), mistake.to_owned())),
            // A field that is missing was not given: its name stands nowhere.
            None if found.code == Code::MissingField => {
                Some((found.code.text().to_owned(), found.message.split('`').nth(3).unwrap_or("").to_owned()))
            }
            None if matches!(found.code, Code::MissingArgument | Code::Unbound) => {
                Some((found.code.text().to_owned(), found.message.clone()))
            }
            None if names_what_is_missing(found.code) => Some((String::new(), sources.slice(found.span).to_owned())),
            None if found.code == Code::IllegalCharacter => Some((found.code.text().to_owned(), found.message.clone())),
            None => None,
        };
        match key.filter(|(_, name)| !name.is_empty()) {
            Some(key) => match first.get(&key) {
                Some(index) => {
                    others.entry(*index).or_default().push(found.span);
                    join_mends(kept.get_mut(*index), found);
                }
                None => {
                    first.insert(key, kept.len());
                    kept.push(found);
                }
            },
            None => kept.push(found),
        }
    }
    for (index, mut spans) in others {
        let Some(found) = kept.get_mut(index) else { continue };
        spans.retain(|span| *span != found.span);
        let more = spans.len().saturating_sub(PLACES);
        for (shown, span) in spans.iter().take(PLACES).enumerate() {
            let text = match more {
                1 if shown + 1 == PLACES => "here too, and in 1 more place".to_owned(),
                2.. if shown + 1 == PLACES => format!("here too, and in {more} more places"),
                _ => "here too".to_owned(),
            };
            *found = found.clone().label(*span, text);
        }
    }
    *diagnostics = kept;
}
