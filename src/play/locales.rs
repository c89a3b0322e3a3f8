//! A game in other languages: the locale files of its packages, what is wrong with them, and how they follow the rules.

use super::error::PlayError;
use super::game::Checked;
use super::package::Package;
use crate::base::{Code, Diagnostic, Diagnostics, FileId, SourceMap, Span, World, listed, nearest, plural};
use crate::model::Rules;
use crate::model::locale::{Line, TITLE, What, Words, align, differences, lines};
use crate::syntax::manifest::Renamed;
use crate::syntax::{Locale, Translated, is_language, parse_locale, print_locale};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::path::PathBuf;
use std::sync::Arc;

/// Where locale files are.
const FOLDER: &str = "locales/";
/// What stands before the id of a translation whose text is gone.
const GONE: &str = "gone.";

/// The locale file of a package.
pub(super) struct LocaleFile {
    /// The package's name.
    owner: String,
    language: String,
    file: FileId,
    locale: Locale,
    /// Whether some of it cannot be read: what seems to be missing may stand there.
    torn: bool,
}

impl LocaleFile {
    /// Lets texts of cards that have another name now be those of today's cards. Where these are translated, that counts.
    pub(super) fn follow_names(&mut self, renamed: &[Renamed]) {
        let translated = |text: &&Translated| !text.to.is_empty();
        for Renamed { old, name, .. } in renamed {
            let texts = &mut self.locale.texts;
            let known: BTreeSet<String> = texts.iter().filter(translated).map(|text| text.id.clone()).collect();
            let mut moved = BTreeSet::new();
            for text in texts.iter_mut().filter(|text| !text.to.is_empty()) {
                if let Some(today) = id_today(&text.id, old, name).filter(|today| !known.contains(today)) {
                    moved.insert(today.clone());
                    text.id = today;
                }
            }
            texts.retain(|text| !text.to.is_empty() || !moved.contains(&text.id));
        }
    }

    /// Whether it is of the package of this name.
    pub(super) fn is_of(&self, owner: &str) -> bool {
        self.owner == owner
    }
}

/// The id of a card's text, `card.KIND.OLD.text`, under the name that the card has now.
fn id_today(id: &str, old: &str, name: &str) -> Option<String> {
    let (kind, rest) = id.strip_prefix(GONE).unwrap_or(id).strip_prefix("card.")?.split_once('.')?;
    let behind = rest.strip_prefix(old).filter(|behind| behind.is_empty() || behind.starts_with('.'))?;
    Some(format!("card.{kind}.{name}{behind}"))
}

/// Which locale files are read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Languages<'a> {
    #[default]
    None,
    One(&'a str),
    All,
}

/// The locale files of packages, in the order in which they count: each after those that it builds upon. What is wrong with them
/// is found on the way.
pub(super) fn read(
    worlds: &[(String, &dyn World)],
    languages: Languages<'_>,
    sources: &mut SourceMap,
    found: &mut Diagnostics,
) -> Vec<LocaleFile> {
    let mut files = Vec::new();
    for (owner, world) in worlds {
        for path in world.list().unwrap_or_default() {
            let Some(language) = path.strip_prefix(FOLDER).and_then(|name| name.strip_suffix(".toml")) else {
                continue;
            };
            if languages == Languages::None || matches!(languages, Languages::One(only) if only != language) {
                continue;
            }
            let text = match world.read(&path) {
                Ok(text) => text,
                Err(error) => {
                    let file = sources.add(world.display(&path), String::new());
                    found.push(Diagnostic::new(error.code(), Span::new(file, 0, 0), error.to_string()));
                    continue;
                }
            };
            let file = sources.add(world.display(&path), text);
            if !is_language(language) {
                let message = format!("`{language}` is no language");
                let finding = Diagnostic::new(Code::BadLocale, Span::new(file, 0, 0), message);
                found.push(
                    finding.help("a locale file is called like its language in small letters: `de.toml`, `pt-br.toml`"),
                );
                continue;
            }
            let (locale, wrong) = parse_locale(file, sources.text(file));
            let torn = wrong.iter().any(Diagnostic::is_error);
            found.extend(wrong);
            files.push(LocaleFile { owner: owner.clone(), language: language.to_owned(), file, locale, torn });
        }
    }
    files
}

/// The texts of a game with the packages that they are of.
pub(super) struct Texts {
    lines: Vec<(String, Line)>,
    /// The packages, each behind those that it builds upon.
    packages: Vec<String>,
}

impl Texts {
    /// The texts of rules. `owners` says which files are of which package.
    pub(super) fn of(rules: &Rules, sources: &SourceMap, manifest: Span, owners: &[(String, Range<u16>)]) -> Texts {
        let owner = |line: &Line| match line.what {
            What::Title | What::Seat(_) => rules.name.clone(),
            _ => {
                let of = owners.iter().find(|(_, files)| files.contains(&line.span.file.0));
                of.map_or_else(|| rules.name.clone(), |(name, _)| name.clone())
            }
        };
        let lines = lines(rules, sources, manifest).into_iter().map(|line| (owner(&line), line)).collect();
        Texts { lines, packages: owners.iter().map(|(name, _)| name.clone()).collect() }
    }

    /// Whether a later package has put another text in the place of the one that was translated.
    fn is_anew(&self, at: usize, owner: &str, text: &Translated) -> bool {
        let place = |name: &str| self.packages.iter().position(|package| package == name);
        let Some((of, line)) = self.lines.get(at) else { return false };
        line.text != text.from && place(of) > place(owner)
    }

    /// For each text its translation in a file, by position there. The package's own texts go before those of others, which a
    /// translation of another's game is of. Also: whether it has texts of its own.
    fn align(&self, owner: &str, texts: &[Translated]) -> (Vec<Option<usize>>, bool) {
        let mut found = vec![None; self.lines.len()];
        let mut left: Vec<usize> = (0..texts.len()).collect();
        let (mut has, mut taken) = (false, vec![false; texts.len()]);
        for own in [true, false] {
            let these: Vec<usize> = (0..self.lines.len()).filter(|at| (self.lines[*at].0 == owner) == own).collect();
            has |= own && !these.is_empty();
            let lines: Vec<&Line> = these.iter().map(|at| &self.lines[*at].1).collect();
            let free: Vec<&Translated> = left.iter().map(|text| &texts[*text]).collect();
            for (at, text) in these.iter().zip(align(&lines, &free)) {
                found[*at] = text.map(|text| left[text]);
                found[*at].iter().for_each(|text| taken[*text] = true);
            }
            left.retain(|text| !taken[*text]);
        }
        (found, has)
    }

    /// The words of a language, from the locale files of all packages; later ones win.
    pub(super) fn words(&self, rules: &Rules, files: &[LocaleFile]) -> Words {
        let mut said: Vec<Option<&str>> = vec![None; self.lines.len()];
        for file in files {
            let texts = &file.locale.texts;
            for (at, text) in self.align(&file.owner, texts).0.into_iter().enumerate() {
                let translated = text.and_then(|text| texts.get(text));
                let Some(text) = translated.filter(|text| !self.is_anew(at, &file.owner, text)) else { continue };
                let (more, fewer) = differences(&self.lines[at].1.text, &text.to);
                if !text.to.is_empty() && more.is_empty() && fewer.is_empty() {
                    said[at] = Some(&text.to);
                }
            }
        }
        Words::new(rules, self.lines.iter().zip(said).filter_map(|((_, line), to)| Some((line, to?))))
    }

    /// What is wrong with a locale file, and what it lacks. `package` is how its package is named on the command line.
    pub(super) fn findings(&self, file: &LocaleFile, package: &str) -> Diagnostics {
        if file.torn {
            return Diagnostics::new();
        }
        let texts = &file.locale.texts;
        let (of, own) = self.align(&file.owner, texts);
        let mut found = Diagnostics::new();
        let (mut missing, mut stale, mut absent) = (Vec::new(), Vec::new(), false);
        let known: BTreeSet<usize> = of.iter().copied().flatten().collect();
        for (at, ((owner, line), text)) in self.lines.iter().zip(&of).enumerate() {
            let there = text.is_some();
            let stands = |text: &&Translated| !text.to.is_empty() && !self.is_anew(at, &file.owner, text);
            let Some(text) = text.and_then(|text| texts.get(text)).filter(stands) else {
                // Whoever translates another's game need not translate all of it, but whoever has nothing else does.
                if *owner == file.owner || !own {
                    missing.push(line.id.as_str());
                    absent |= !there;
                }
                continue;
            };
            if text.was.is_some() || text.from != line.text {
                stale.push(text);
            } else {
                found.extend(wrong_placeholders(line, text));
            }
        }
        let command = format!("`cardwright translate {package} {}`", file.language);
        if !missing.is_empty() {
            let empty = texts.iter().enumerate().find(|(at, text)| known.contains(at) && text.to.is_empty());
            let span = empty.map_or(Span::new(file.file, 0, 0), |(_, text)| text.span);
            let message =
                format!("{} without a translation: {}", plural(missing.len(), "text"), listed(missing.iter().copied()));
            let help = match absent {
                true => format!("{command} adds what is not there, each text with an empty `to`"),
                false => "write what they are in the language into `to`".to_owned(),
            };
            found.push(Diagnostic::new(Code::Untranslated, span, message).help(help));
        }
        if let Some(text) = stale.first() {
            let ids: Vec<&str> = stale.iter().map(|text| text.id.as_str()).collect();
            let message = format!("{} changed since the translation: {}", plural(stale.len(), "text"), listed(ids));
            let help = format!("look at them; {command} writes what they were into `was`, which you then take away");
            found.push(Diagnostic::new(Code::StaleTranslation, text.span, message).help(help));
        }
        for (index, text) in texts.iter().enumerate() {
            if !known.contains(&index) && !text.id.starts_with(GONE) {
                let finding = Diagnostic::new(Code::UnknownText, text.span, format!("there is no text `{}`", text.id));
                let near = nearest(&text.id, self.lines.iter().map(|(_, line)| line.id.as_str()));
                found.push(match near {
                    Some(near) => finding.help(format!("did you mean `{near}`?")),
                    None => finding.help(format!("{command} puts it at the end of the file")),
                });
            }
        }
        found
    }
}

/// Whether a path, as it is shown to people, is that of a locale file.
pub(super) fn is_locale(shown: &str) -> bool {
    let (folder, name) = shown.rsplit_once('/').unwrap_or(("", shown));
    name.ends_with(".toml") && format!("{folder}/").ends_with(FOLDER)
}

/// The path of the locale file of a language.
pub fn path(language: &str) -> String {
    format!("{FOLDER}{language}.toml")
}

/// The languages that a package itself is translated into.
pub fn languages(package: &Package) -> Vec<String> {
    let files = package.world().ok().and_then(|world| world.list().ok()).unwrap_or_default();
    let name = |path: String| Some(path.strip_prefix(FOLDER)?.strip_suffix(".toml")?.to_owned());
    files.into_iter().filter_map(name).collect()
}

/// A locale file of a game that has another title now, the same in every language.
pub fn entitled(text: &str, title: &str) -> String {
    let (mut locale, _) = parse_locale(FileId(0), text);
    for text in locale.texts.iter_mut().filter(|text| text.id == TITLE) {
        (text.from, text.to) = (title.to_owned(), title.to_owned());
    }
    print_locale(&locale)
}

/// That there is no translation of a game into a language, and into which there are.
pub(super) fn untranslated(package: &Package, language: &str) -> PlayError {
    let all = std::iter::once(package).chain(package.expansions());
    let known: BTreeSet<String> = all.flat_map(languages).collect();
    let name = package.full_name();
    PlayError::Usage(if known.is_empty() {
        format!(
            "`{name}` is in no other language than its own; `cardwright translate {name} {language}` begins a translation"
        )
    } else {
        format!("`{name}` is not translated into `{language}`; there is {}", listed(known.iter().map(String::as_str)))
    })
}

/// That a translation fills in something else than its text.
fn wrong_placeholders(line: &Line, text: &Translated) -> Option<Diagnostic> {
    let braced = |these: &[&str]| these.iter().map(|each| format!("`{{{each}}}`")).collect::<Vec<_>>().join(", ");
    let message = match differences(&line.text, &text.to) {
        (more, fewer) if more.is_empty() && fewer.is_empty() => return None,
        (more, _) if !more.is_empty() => format!("the text fills in no {}", braced(&more)),
        (_, fewer) => format!("the translation leaves out {}", braced(&fewer)),
    };
    let help = format!("it is translated from `{}`; what stands in braces stays as it is, in any order", line.text);
    Some(Diagnostic::new(Code::WrongPlaceholders, text.to_span, message).help(help).label(line.span, "the text"))
}

/// What became of a locale file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Followed {
    /// Its path in the package.
    pub path: String,
    /// What it says now.
    pub text: String,
    /// Whether that is something else than before.
    pub changed: bool,
    /// How many texts it has.
    pub all: usize,
    /// How many of them have no translation yet.
    pub left: usize,
    /// Texts that are new.
    pub new: usize,
    /// Ids of translations to be looked at again.
    pub stale: Vec<String>,
    /// Ids of translations whose texts are gone.
    pub gone: Vec<String>,
}

/// Makes the locale file of a package follow its rules: of the expansion that the package is about, if it is about one.
///
/// # Errors
/// [`PlayError`] if the game has errors, or the file cannot be read.
pub fn follow(package: &Package, language: &str) -> Result<Followed, PlayError> {
    if !is_language(language) {
        return Err(PlayError::Usage(format!("`{language}` is no language; `de` is one, or `pt-br`")));
    }
    let checked = Checked::plain(package)?;
    let Some((rules, _)) = &checked.sound else {
        return Err(PlayError::Content { diagnostics: checked.diagnostics, sources: checked.sources });
    };
    let texts = checked.locale_texts(rules);
    let owner = package.about_only().unwrap_or(&rules.name).to_owned();
    let world = package.about_package().world()?;
    let path = path(language);
    let mut sources = SourceMap::default();
    let (mut before, mut wrong) = (None, Diagnostics::new());
    let mut files = read(&[(owner.clone(), world.as_ref())], Languages::One(language), &mut sources, &mut wrong);
    if wrong.iter().any(Diagnostic::is_error) {
        return Err(PlayError::Content { diagnostics: wrong, sources: Arc::new(sources) });
    }
    let locale = match files.pop() {
        Some(mut file) => {
            file.follow_names(checked.manifest.as_ref().map_or(&[], |manifest| &manifest.was));
            before = Some(sources.text(file.file).to_owned());
            file.locale
        }
        None => Locale { head: head(&rules.title, language), texts: Vec::new() },
    };
    let mut followed = texts.followed(&owner, locale);
    (followed.changed, followed.path) = (before.as_ref() != Some(&followed.text), path);
    Ok(followed)
}

/// The locale files of a package that say something else when names in its texts are others, each with its path. The texts are the
/// same ones in the same order: a translation stays that of its text.
///
/// # Errors
/// [`PlayError`] if a file cannot be read.
pub fn renamed(before: &Package, after: &Package) -> Result<Vec<(PathBuf, String)>, PlayError> {
    if languages(before.about_package()).is_empty() {
        return Ok(Vec::new());
    }
    let (old, new) = (Checked::plain(before)?, Checked::plain(after)?);
    let (Some((old_rules, _)), Some((new_rules, _))) = (&old.sound, &new.sound) else { return Ok(Vec::new()) };
    let (old_texts, new_texts) = (old.locale_texts(old_rules), new.locale_texts(new_rules));
    if old_texts.lines.len() != new_texts.lines.len() {
        return Ok(Vec::new());
    }
    let owner = before.about_only().unwrap_or(&old_rules.name).to_owned();
    let (world, mut sources) = (before.about_package().world()?, SourceMap::default());
    let files = read(&[(owner, world.as_ref())], Languages::All, &mut sources, &mut Diagnostics::new());
    let mut found = Vec::new();
    for mut file in files.into_iter().filter(|file| !file.torn) {
        let texts = &mut file.locale.texts;
        for (at, text) in old_texts.align(&file.owner, texts).0.into_iter().enumerate() {
            let Some(text) = text.and_then(|text| texts.get_mut(text)) else { continue };
            let ((_, was), (_, is)) = (&old_texts.lines[at], &new_texts.lines[at]);
            if text.id == was.id {
                text.id.clone_from(&is.id);
            }
            if text.from == was.text {
                text.from.clone_from(&is.text);
                let (gone, come) = differences(&is.text, &was.text);
                if let ([gone], [come]) = (&gone[..], &come[..]) {
                    text.to = text.to.replace(&format!("{{{gone}}}"), &format!("{{{come}}}"));
                }
            }
        }
        let text = print_locale(&file.locale);
        if text != sources.text(file.file) {
            found.push((PathBuf::from(sources.name(file.file)), text));
        }
    }
    Ok(found)
}

fn head(title: &str, language: &str) -> Vec<String> {
    let lines = [
        format!("{title} in the language `{language}`."),
        "Write the translation of `from` into `to`. What stands in {braces} is filled in: keep it, in any order."
            .to_owned(),
        "A text with `was` has changed: look at `to`, then take the line with `was` away.".to_owned(),
    ];
    lines.to_vec()
}

impl Texts {
    /// A locale file that follows the rules.
    fn followed(&self, owner: &str, locale: Locale) -> Followed {
        let (of, own) = self.align(owner, &locale.texts);
        let known: BTreeSet<usize> = of.iter().copied().flatten().collect();
        let mut spare: BTreeSet<usize> = (0..locale.texts.len()).filter(|text| !known.contains(text)).collect();
        let mut by_text: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
        for text in spare.iter().rev().filter(|text| !locale.texts[**text].to.is_empty()) {
            by_text.entry(&locale.texts[*text].from).or_default().push(*text);
        }
        let mut followed = Followed::default();
        let mut texts = Vec::new();
        for ((of_package, line), text) in self.lines.iter().zip(&of) {
            let fresh = Translated { id: line.id.clone(), from: line.text.clone(), ..Translated::default() };
            let Some(old) = text.map(|text| &locale.texts[text]) else {
                if of_package != owner && own {
                    continue;
                }
                // The same text was translated where it stood before.
                match by_text.get_mut(line.text.as_str()).and_then(Vec::pop) {
                    Some(text) => {
                        spare.remove(&text);
                        let Translated { to, was, remarks, .. } = locale.texts[text].clone();
                        texts.push(Translated { to, was, remarks, ..fresh });
                    }
                    None => {
                        followed.new += 1;
                        texts.push(fresh);
                    }
                }
                continue;
            };
            let was = if old.from == line.text {
                old.was.clone()
            } else {
                Some(old.was.as_ref().unwrap_or(&old.from).clone())
            };
            let was = was.filter(|was| !old.to.is_empty() && *was != line.text);
            texts.push(Translated { to: old.to.clone(), was, remarks: old.remarks.clone(), ..fresh });
        }
        followed.stale = texts.iter().filter(|text| text.was.is_some()).map(|text| text.id.clone()).collect();
        (followed.all, followed.left) = (texts.len(), texts.iter().filter(|text| text.to.is_empty()).count());
        // What went before keeps its id.
        let spare = spare.into_iter().map(|text| locale.texts[text].clone()).filter(|text| !text.to.is_empty());
        let (mut gone, new): (Vec<Translated>, Vec<Translated>) = spare.partition(|text| text.id.starts_with(GONE));
        for text in new {
            let mut kept = format!("{GONE}{}", text.id);
            while gone.iter().any(|other| other.id == kept) {
                kept.push('+');
            }
            followed.gone.push(text.id.clone());
            gone.push(Translated { id: kept, ..text });
        }
        texts.append(&mut gone);
        followed.text = print_locale(&Locale { head: locale.head, texts });
        followed
    }
}
